/* unit.tide_port: a year at one port against XTide's prediction of it.
 *
 * The port is San Francisco, NOAA's station 9414290: its constants (CO-OPS, in feet, phases at
 * Greenwich) are works of the U.S. government and in the public domain, as harmonics-dwf-20191229
 * has them. XTide's level of a year is the sum of f A cos(w t + (V0 + u) - G), t from the beginning
 * of the year, with speeds w and each year's V0 + u and f from the tables of that file. The levels
 * kept here were worked out so; where libtcd and xtide-data are installed every hour of the year
 * is, from the station's own record. */
#include "test.h"
#include <ria/date.h>
#include <ria/series.h>

#include <dlfcn.h>
#include <math.h>
#include <string.h>
#if __has_include(<tcd.h>)
#include <tcd.h>
#endif

static const double rad = 3.14159265358979323846 / 180.0, foot = 0.3048;
enum { HOURS = 365 * 24, EVERY = 10 * 24 + 7, KEPT = 36 };
static ria_context *ctx;
static double date[HOURS], ours[HOURS];

/* ft, deg */
static const struct {
  const char *name;
  double amplitude, phase;
} port[] = {
    {"J1", 0.06, 244.3},  {"K1", 1.21, 225.4},  {"K2", 0.13, 206.0},   {"L2", 0.06, 229.6},
    {"M1", 0.04, 237.5},  {"M2", 1.89, 208.2},  {"M3", 0.01, 37.6},    {"M4", 0.07, 136.8},
    {"M6", 0.01, 7.3},    {"N2", 0.40, 183.2},  {"2N2", 0.04, 153.3},  {"O1", 0.75, 208.4},
    {"OO1", 0.04, 260.0}, {"P1", 0.37, 222.1},  {"Q1", 0.13, 202.4},   {"2Q1", 0.02, 208.6},
    {"S1", 0.02, 282.6},  {"S2", 0.45, 216.2},  {"T2", 0.03, 204.6},   {"LDA2", 0.02, 214.3},
    {"MU2", 0.02, 100.2}, {"NU2", 0.09, 189.9}, {"RHO1", 0.03, 200.0}, {"MK3", 0.06, 124.1},
    {"2MK3", 0.05, 92.2}, {"MN4", 0.03, 112.0}, {"MS4", 0.03, 149.0},  {"2SM2", 0.01, 37.3},
    {"MF", 0.05, 153.1},  {"SA", 0.14, 200.2},  {"SSA", 0.10, 272.3},
};
enum { N = sizeof port / sizeof *port };
static const double z0 = 3.12; /* above mean lower low water */

/* m, each EVERY hours from 2026-01-01 00:00 UTC */
static const double kept[KEPT] = {-0.2231, 0.6512, 0.7877, 0.8180,  1.1703, 1.6251, 1.6433, 0.5292,
                                  1.4847,  0.0716, 0.0783, 1.0721,  0.5135, 1.2380, 1.5626, 1.6463,
                                  0.4028,  0.9832, 0.9611, -0.3814, 1.2378, 0.9206, 1.5620, 1.2283,
                                  1.8488,  0.8270, 0.4816, 0.8405,  0.1183, 0.7825, 1.6021, 1.1268,
                                  1.3446,  1.6422, 1.0753, -0.1361};

/* What XTide's M1 is ahead of ours: half a year of the moon's perigee, deg (docs/lua.md). */
static const double m1_ahead = 20.3;

/* without: a constituent to leave out, or NULL; ahead: deg that M1 is, as XTide has it. */
static void predict_ahead(ria_nodal nodal, const char *without, double ahead) {
  ria_constituent c[N];
  int n = 0;
  for (int k = 0; k < N; k++)
    if (!without || strcmp(port[k].name, without) != 0)
      c[n++] = (ria_constituent){.name = port[k].name,
                                 .amplitude = foot * port[k].amplitude,
                                 .phase = port[k].phase -
                                          (strcmp(port[k].name, "M1") == 0 ? ahead : 0.0)};
  const ria_tide_desc desc = {.constituents = c,
                              .n = (size_t)n,
                              .z0 = foot * z0,
                              .phases = RIA_PHASES_GREENWICH,
                              .nodal = nodal};
  CHECK_OK(ctx, ria_parse_date(ctx, "2026-01-01", 0.0, &date[0]));
  for (int h = 1; h < HOURS; h++) date[h] = date[0] + 3600.0 * h;
  CHECK_OK(ctx, ria_tide_predict(ctx, &desc, 0.0, date, HOURS, ours));
}

static void predict(ria_nodal nodal, const char *without) { predict_ahead(nodal, without, 0.0); }

typedef struct apart {
  double most, square;
} apart;

static void compare(apart *a, double off) {
  a->most = fmax(a->most, fabs(off));
  a->square += off * off;
}

/* M1's perigee is XTide's of the middle of the year and ours of each moment: 20 deg of 12 mm. */
static void check_kept(void) {
  apart a = {0}, none = {0};
  predict(RIA_NODAL_MID, NULL); /* as XTide has it */
  for (int k = 0; k < KEPT; k++) compare(&a, ours[k * EVERY] - kept[k]);
  printf("  kept levels: off by %.2f mm at most, %.2f mm RMS\n", 1e3 * a.most,
         1e3 * sqrt(a.square / KEPT));
  CHECK(a.most < 0.0055);
  predict_ahead(RIA_NODAL_MID, NULL, m1_ahead);
  apart same = {0};
  for (int k = 0; k < KEPT; k++) compare(&same, ours[k * EVERY] - kept[k]);
  CHECK(same.most < 0.001);
  predict(RIA_NODAL_NONE, NULL); /* the comparison sees nodal factors */
  for (int k = 0; k < KEPT; k++) compare(&none, ours[k * EVERY] - kept[k]);
  CHECK(none.most > 0.03);
}

#if __has_include(<tcd.h>)
typedef struct tables {
  NV_BOOL (*open_db)(NV_CHAR *);
  DB_HEADER_PUBLIC (*header)(void);
  NV_INT32 (*find)(NV_CHAR *);
  NV_INT32 (*search)(const NV_CHAR *);
  NV_INT32 (*record)(NV_INT32, TIDE_RECORD *);
  NV_FLOAT64 (*speed)(NV_INT32);
  NV_FLOAT32 (*equilibrium)(NV_INT32, NV_INT32);
  NV_FLOAT32 (*factor)(NV_INT32, NV_INT32);
} tables;

static bool open_tables(tables *t) {
  static char path[] = "/usr/share/xtide/harmonics-dwf-20191229-free.tcd";
  void *lib = dlopen("libtcd.so.0", RTLD_NOW);
  if (!lib) return false;
  *(void **)&t->open_db = dlsym(lib, "open_tide_db");
  *(void **)&t->header = dlsym(lib, "get_tide_db_header");
  *(void **)&t->find = dlsym(lib, "find_constituent");
  *(void **)&t->search = dlsym(lib, "search_station");
  *(void **)&t->record = dlsym(lib, "read_tide_record");
  *(void **)&t->speed = dlsym(lib, "get_speed");
  *(void **)&t->equilibrium = dlsym(lib, "get_equilibrium");
  *(void **)&t->factor = dlsym(lib, "get_node_factor");
  return t->open_db && t->header && t->find && t->search && t->record && t->speed &&
         t->equilibrium && t->factor && t->open_db(path);
}

/* m, h hours into 2026 */
static double xtide(const tables *t, const TIDE_RECORD *r, double h, NV_INT32 without) {
  const DB_HEADER_PUBLIC all = t->header();
  const int year = 2026 - all.start_year;
  double sum = (double)r->datum_offset;
  for (NV_U_INT32 k = 0; k < all.constituents; k++) {
    const NV_INT32 i = (NV_INT32)k;
    if (!(r->amplitude[k] > 0.0f) || i == without) continue;
    const double at = t->speed(i) * h + (double)t->equilibrium(i, year) - (double)r->epoch[k];
    sum += (double)t->factor(i, year) * (double)r->amplitude[k] * cos(rad * at);
  }
  return foot * sum;
}

static apart year(const tables *t, const TIDE_RECORD *r, const char *without) {
  char name[8];
  apart a = {0};
  snprintf(name, sizeof name, "%s", without ? without : "");
  const NV_INT32 skip = without ? t->find(name) : -1;
  predict(RIA_NODAL_MID, without);
  for (int h = 0; h < HOURS; h++) compare(&a, ours[h] - xtide(t, r, h, skip));
  printf("  a year%s%s: off by %.2f mm at most, %.2f mm RMS\n", without ? " without " : "", name,
         1e3 * a.most, 1e3 * sqrt(a.square / HOURS));
  return a;
}

static bool whole_year(void) {
  static TIDE_RECORD r;
  tables t;
  if (!open_tables(&t)) return false;
  const NV_INT32 at = t.search("San Francisco, San Francisco Bay, California");
  if (!CHECK(at >= 0 && t.record(at, &r) == at && strcmp(r.station_id, "9414290") == 0))
    return true;
  for (int k = 0; k < KEPT; k++)
    if (!CHECK_NEAR(kept[k], xtide(&t, &r, k * EVERY, -1), 6e-5))
      printf("  the %d-th level kept\n", k);
  CHECK(year(&t, &r, NULL).most < 0.0055);
  CHECK(year(&t, &r, "M1").most < 0.001);
  return true;
}
#else
static bool whole_year(void) { return false; }
#endif

/* The constants come back from the year that they predict. */
static void fit_back(void) {
  const ria_tide_fit_desc desc = {.date = date, .value = ours, .n = HOURS};
  ria_tide_fit f;
  CHECK_OK(ctx, ria_tide_analyse(ctx, &desc, &f));
  CHECK_NEAR(f.z0, foot * z0, 2e-4);
  for (int k = 0; k < N; k++)
    for (size_t i = 0; i < f.n; i++)
      if (ria_tide_same(f.c[i].name, port[k].name)) {
        const double g = (f.c[i].phase - port[k].phase) * rad, a = foot * port[k].amplitude;
        const double off = hypot(f.c[i].amplitude * cos(g) - a, f.c[i].amplitude * sin(g));
        if (!CHECK(off < 3e-4)) printf("  %s is %.5f m off\n", port[k].name, off);
      }
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK);
  check_kept();
  if (!whole_year()) printf("skipped: libtcd or xtide-data is not here\n");
  predict(RIA_NODAL_DAILY, NULL);
  fit_back();
  ria_context_destroy(&ctx);
  return TEST_END();
}
