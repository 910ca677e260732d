/* Constituents at a date against the tables of XTide, and tides as a run takes them. */
#include "forcing/series.h"
#include "forcing/tide.h"
#include "test.h"
#include <ria/date.h>

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#if __has_include(<tcd.h>)
#include <tcd.h>
#endif

static const double rad = 3.14159265358979323846 / 180.0;
static ria_context *ctx;

static double date(const char *text) {
  double t = NAN;
  CHECK_OK(ctx, ria_parse_date(ctx, text, 0.0, &t));
  return t;
}

static double new_year(int year) {
  char text[32];
  snprintf(text, sizeof text, "%04d-01-01", year);
  return date(text);
}

/* The angle to the nearest whole turn, deg. */
static double turned(double degrees) { return degrees - 360.0 * floor(degrees / 360.0 + 0.5); }

/* --- V + u and f of a year -------------------------------------------------------------------- */

/* V + u at its beginning with u of its middle, and f of its middle. Tables count the perigee in M1
 * by that of the middle too, where V here has it at the beginning, as its speed wants it. */
static void check_year(const char *name, int year, double argument, double factor) {
  const int k = ria_tide_find(name);
  const double t = new_year(year), middle = 0.5 * (t + new_year(year + 1));
  const double complex z = ria_tide_nodal_of_year(k, t);
  double v = ria_tide_v0(k, t) + carg(z) / rad;
  if (strcmp(name, "M1") == 0)
    v += (ria_tide_moon_at(middle).perigee - ria_tide_moon_at(t).perigee) / rad;
  if (!CHECK_NEAR(turned(v - argument), 0.0, 0.11) || !CHECK_NEAR(cabs(z), factor, 0.0003))
    printf("  %s in %d\n", name, year);
}

/* From the tables of harmonics-dwf-20191229-free (public domain), which congen made by Schureman's
 * formulas. */
static const struct {
  const char *name;
  double argument[2], factor[2];
} kept[] = {
    {"M2", {352.94, 66.36}, {0.9925, 0.9674}},   {"S2", {0.00, 0.00}, {1.0000, 1.0000}},
    {"N2", {18.07, 59.66}, {0.9925, 0.9674}},    {"K1", {18.89, 14.26}, {1.0375, 1.1031}},
    {"M4", {345.87, 132.71}, {0.9850, 0.9358}},  {"O1", {330.41, 50.65}, {1.0601, 1.1668}},
    {"M6", {338.81, 199.07}, {0.9775, 0.9052}},  {"MK3", {11.83, 80.62}, {1.0297, 1.0671}},
    {"S4", {0.00, 0.00}, {1.0000, 1.0000}},      {"MN4", {11.00, 126.02}, {0.9850, 0.9358}},
    {"NU2", {318.65, 138.41}, {0.9925, 0.9674}}, {"S6", {0.00, 0.00}, {1.0000, 1.0000}},
    {"MU2", {343.78, 131.72}, {0.9925, 0.9674}}, {"2N2", {43.20, 52.97}, {0.9925, 0.9674}},
    {"OO1", {254.63, 160.77}, {1.2074, 1.6946}}, {"LAM2", {207.22, 174.30}, {0.9925, 0.9674}},
    {"S1", {180.00, 180.00}, {1.0000, 1.0000}},  {"M1", {77.30, 25.28}, {1.9709, 1.0994}},
    {"J1", {357.39, 22.40}, {1.0619, 1.1522}},   {"MM", {334.87, 6.69}, {0.9720, 0.8856}},
    {"SSA", {201.09, 201.33}, {1.0000, 1.0000}}, {"SA", {280.54, 280.67}, {1.0000, 1.0000}},
    {"MSF", {7.06, 293.64}, {0.9925, 0.9674}},   {"MF", {232.11, 145.06}, {1.1320, 1.4069}},
    {"RHO", {296.13, 122.70}, {1.0601, 1.1668}}, {"Q1", {355.54, 43.96}, {1.0601, 1.1668}},
    {"T2", {2.57, 2.72}, {1.0000, 1.0000}},      {"R2", {177.43, 177.28}, {1.0000, 1.0000}},
    {"2Q1", {20.67, 37.26}, {1.0601, 1.1668}},   {"P1", {349.46, 349.33}, {1.0000, 1.0000}},
    {"2SM2", {7.06, 293.64}, {0.9925, 0.9674}},  {"M3", {349.41, 99.53}, {0.9887, 0.9515}},
    {"L2", {160.87, 250.96}, {0.7787, 1.3288}},  {"2MK3", {326.99, 118.45}, {1.0219, 1.0323}},
    {"K2", {218.18, 208.93}, {1.0761, 1.2815}},  {"M8", {331.75, 265.43}, {0.9701, 0.8757}},
    {"MS4", {352.94, 66.36}, {0.9925, 0.9674}},  {"NO1", {47.65, 9.01}, {1.0521, 1.1287}},
};

static void kept_years(void) {
  for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
    check_year(kept[k].name, 2010, kept[k].argument[0], kept[k].factor[0]);
    check_year(kept[k].name, 2026, kept[k].argument[1], kept[k].factor[1]);
  }
}

#if __has_include(<tcd.h>)
static const char *tcd_name(const char *name) {
  return strcmp(name, "LAM2") == 0 ? "LDA2" : strcmp(name, "RHO") == 0 ? "RHO1" : name;
}

static bool every_year(void) {
  void *lib = dlopen("libtcd.so.0", RTLD_NOW);
  if (!lib) return false;
  NV_BOOL (*open_db)(NV_CHAR *) = NULL;
  DB_HEADER_PUBLIC (*header)(void) = NULL;
  NV_INT32 (*find)(NV_CHAR *) = NULL;
  NV_FLOAT32 (*equilibrium)(NV_INT32, NV_INT32) = NULL, (*factor)(NV_INT32, NV_INT32) = NULL;
  *(void **)&open_db = dlsym(lib, "open_tide_db");
  *(void **)&header = dlsym(lib, "get_tide_db_header");
  *(void **)&find = dlsym(lib, "find_constituent");
  *(void **)&equilibrium = dlsym(lib, "get_equilibrium");
  *(void **)&factor = dlsym(lib, "get_node_factor");
  static char path[] = "/usr/share/xtide/harmonics-dwf-20191229-free.tcd";
  if (!open_db || !header || !find || !equilibrium || !factor || !open_db(path)) return false;
  const int first = header().start_year;
  for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
    char name[16];
    snprintf(name, sizeof name, "%s", tcd_name(kept[k].name));
    const NV_INT32 at = find(name);
    if (!CHECK(at >= 0)) continue;
    for (int year = 2000; year <= 2036; year++)
      check_year(kept[k].name, year, (double)equilibrium(at, year - first),
                 (double)factor(at, year - first));
  }
  return true;
}
#else
static bool every_year(void) { return false; }
#endif

/* --- lines ------------------------------------------------------------------------------------ */

/* The sum of the lines is f e^(iu) at any date. */
static void lines(void) {
  size_t n;
  const char *const *names = ria_tide_names(&n);
  for (size_t i = 0; i < n; i++) {
    const int k = ria_tide_find(names[i]);
    ria_tide_line line[RIA_TIDE_LINES];
    const int m = ria_tide_lines(k, line);
    CHECK(k == (int)i);
    CHECK_NEAR(ria_tide_speed_of(k), ria_tide_speed(names[i]), 0.0);
    for (double t = 0.0; t < 2e9; t += 1.7e7) {
      const ria_tide_moon moon = ria_tide_moon_at(t);
      double complex sum = 0.0;
      for (int l = 0; l < m; l++)
        sum += line[l].c * cexp(I * (line[l].j * moon.node + line[l].m * moon.perigee));
      if (CHECK_NEAR(cabs(sum - ria_tide_nodal(k, moon.node, moon.perigee)), 0.0, 1e-4)) continue;
      printf("  %s\n", names[i]);
      break;
    }
  }
}

/* --- in a run --------------------------------------------------------------------------------- */

static const ria_constituent set[] = {{.name = "M2", .amplitude = 1.1, .phase = 78},
                                      {.name = "lambda2", .amplitude = 0.1, .phase = 200},
                                      {.name = "O1", .amplitude = 0.2, .phase = -30},
                                      {.name = "L2", .amplitude = 0.1, .phase = 10},
                                      {.speed = 14.5, .amplitude = 0.05, .phase = 45}};
enum { NAMED = 4, ALL = 5 };

static ria_series *taken(ria_phases phases, ria_nodal nodal, const ria_start *start) {
  const ria_tide_desc d = {
      .constituents = set, .n = ALL, .z0 = 0.3, .phases = phases, .nodal = nodal};
  ria_series *s = NULL, *copy = NULL;
  CHECK_OK(ctx, ria_series_tide(ctx, &d, &s));
  CHECK_OK(ctx, ria_series_copy(ctx, s, &copy));
  CHECK_OK(ctx, ria_series_settle(ctx, copy, start));
  ria_series_destroy(&s);
  return copy;
}

/* By the formula, constituent by constituent. nodal_date: whose f and u; NAN: none. */
static double level(double t, double date_of_v, double clock, double nodal_date) {
  double sum = 0.3 + 0.05 * cos((14.5 * t / 3600.0 - 45.0) * rad);
  for (int i = 0; i < NAMED; i++) {
    const int k = ria_tide_find(set[i].name);
    const ria_tide_moon m = ria_tide_moon_at(nodal_date);
    const double complex z = isnan(nodal_date) ? 1.0 : ria_tide_nodal(k, m.node, m.perigee);
    const double v = ria_tide_v0(k, date_of_v + clock) + ria_tide_speed_of(k) * t / 3600.0;
    sum += cabs(z) * set[i].amplitude * cos((v - set[i].phase) * rad + carg(z));
  }
  return sum;
}

static void check_tide(ria_phases phases, ria_nodal nodal, double zone) {
  const ria_start start = {.known = true, .t = date("2026-07-13 22:00"), .zone = zone};
  const double middle = date("2026-07-02 12:00");
  ria_series *s = taken(phases, nodal, &start);
  for (double t = 0.0; t < 400.0 * 86400.0; t += 100000.0) {
    const double of = nodal == RIA_NODAL_DAILY ? start.t + t
                      : nodal == RIA_NODAL_MID ? middle
                                               : NAN;
    const double local = phases == RIA_PHASES_LOCAL ? zone : 0.0;
    if (!CHECK_NEAR(ria_series_at(s, t), level(t, start.t, local, of), 1e-4)) break;
  }
  ria_series_destroy(&s);
}

static void phases(void) {
  const ria_start none = {0}, start = {.known = true, .t = 1.7e9};
  const ria_tide_desc plain = {.constituents = set, .n = ALL, .z0 = 0.3};
  ria_series *raw = NULL;
  CHECK_OK(ctx, ria_series_tide(ctx, &plain, &raw));
  ria_series *a = taken(RIA_PHASES_AUTO, RIA_NODAL_DAILY, &none);
  ria_series *b = taken(RIA_PHASES_RELATIVE, RIA_NODAL_DAILY, &start);
  for (double t = 0.0; t < 1e6; t += 12345.0) /* the same bits */
    CHECK(ria_series_at(a, t) == ria_series_at(raw, t) &&
          ria_series_at(b, t) == ria_series_at(a, t));
  ria_series_destroy(&a);
  ria_series_destroy(&b);
  CHECK_FAILS(ctx,
              ria_series_tide(
                  ctx, &(ria_tide_desc){.phases = RIA_PHASES_RELATIVE, .nodal = RIA_NODAL_MID}, &a),
              RIA_ERR_ARGUMENT,
              "tide: nodal factors belong to dates: phases relative to t = 0 have none");
  const ria_tide_desc dated = {.constituents = set, .n = 1, .phases = RIA_PHASES_GREENWICH};
  ria_series_destroy(&raw);
  CHECK_OK(ctx, ria_series_tide(ctx, &dated, &raw));
  CHECK_FAILS(ctx, ria_series_settle(ctx, raw, &none), RIA_ERR_ARGUMENT,
              "the phases of a tide are those at Greenwich, and the run has no start: give it the "
              "date of t = 0 (start = \"2026-07-14 00:00\")");
  ria_series_destroy(&raw);
}

static void names(void) {
  CHECK(ria_tide_same("LDA2", "lam2") && !ria_tide_same("NO1", "M1") &&
        ria_tide_same("rho1", "RHO"));
  CHECK(!ria_tide_same("M2", "M22") && !ria_tide_same("X", "X") && !ria_tide_same(NULL, NULL));
  ria_tide_state now;
  CHECK(ria_tide_argument("M2", date("2000-01-01"), &now) && !ria_tide_argument("M22", 0.0, &now));
  CHECK_NEAR(now.speed, 28.9841042, 0.0);
  /* ten days of M2, from one date to another */
  const double before = now.v;
  CHECK(ria_tide_argument("M2", date("2000-01-11"), &now));
  CHECK_NEAR(turned(now.v - before - 240.0 * now.speed), 0.0, 1e-3);
}

/* --- analysis --------------------------------------------------------------------------------- */

enum { HOURS = 8784 };
static double hour[HOURS], seen[HOURS];

/* Noise of unit variance, the same every time. */
static double noise(void) {
  static uint64_t state = 1;
  double sum = -6.0;
  for (int k = 0; k < 12; k++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    sum += (double)(state >> 11) / 9007199254740992.0;
  }
  return sum;
}

/* A record of `n` hours of the set's named constituents. */
static void record(int n, ria_nodal nodal, double rough) {
  const ria_tide_desc d = {
      .constituents = set, .n = NAMED, .z0 = 2.5, .phases = RIA_PHASES_GREENWICH, .nodal = nodal};
  for (int i = 0; i < n; i++) hour[i] = date("2026-01-01") + 3600.0 * i;
  CHECK_OK(ctx, ria_tide_predict(ctx, &d, 0.0, hour, (size_t)n, seen));
  for (int i = 0; i < n; i++) seen[i] += rough * noise();
}

static ria_tide_fit fitted(ria_tide_fit_desc d, int n) {
  static ria_tide_fit f;
  d.date = hour, d.value = seen, d.n = (size_t)n;
  memset(&f, 0, sizeof f);
  CHECK_OK(ctx, ria_tide_analyse(ctx, &d, &f));
  return f;
}

static const ria_tide_fitted *part(const ria_tide_fit *f, const char *name) {
  static const ria_tide_fitted none;
  for (size_t k = 0; k < f->n; k++)
    if (ria_tide_same(f->c[k].name, name)) return &f->c[k];
  CHECK(!"found");
  return &none;
}

/* What was put in comes out, and nothing else; with noise within its errors. */
static void analysis(void) {
  record(HOURS, RIA_NODAL_DAILY, 0.0);
  ria_tide_fit f = fitted((ria_tide_fit_desc){0}, HOURS);
  CHECK(f.used == HOURS && f.n > 30);
  CHECK_NEAR(f.z0, 2.5, 1e-5);
  CHECK_NEAR(f.residual, 0.0, 1e-4);
  double others = 0.0;
  for (size_t k = 0; k < f.n; k++) others += f.c[k].amplitude;
  for (int i = 0; i < NAMED; i++) {
    const ria_tide_fitted *c = part(&f, set[i].name);
    CHECK_NEAR(c->amplitude, set[i].amplitude, 1e-4);
    CHECK_NEAR(turned(c->phase - set[i].phase), 0.0, 0.05);
    others -= c->amplitude;
  }
  CHECK_NEAR(others, 0.0, 2e-3);
  record(HOURS, RIA_NODAL_DAILY, 0.1);
  seen[7] = NAN;
  f = fitted((ria_tide_fit_desc){0}, HOURS);
  CHECK(f.used == HOURS - 1);
  CHECK_NEAR(f.residual, 0.1, 0.003);
  const ria_tide_fitted *m2 = part(&f, "M2");
  CHECK_NEAR(m2->amplitude_error, 0.1 * sqrt(2.0 / HOURS), 1e-4); /* of a sine in white noise */
  CHECK_NEAR(m2->phase_error, m2->amplitude_error / m2->amplitude / rad, 1e-3);
  CHECK_NEAR(m2->amplitude, 1.1, 4.0 * m2->amplitude_error);
  CHECK_NEAR(turned(m2->phase - 78.0), 0.0, 4.0 * m2->phase_error);
  /* without nodal factors the record's own amplitude: f = 1.03 in 2015, 0.97 in 2026 */
  f = fitted((ria_tide_fit_desc){.nodal = RIA_NODAL_NONE}, HOURS);
  CHECK_NEAR(part(&f, "M2")->amplitude, 1.1 * 0.9657, 0.01);
}

static void refused_analysis(int n, const char *const *names, size_t n_names,
                             const char *expected) {
  ria_tide_fit f;
  const ria_tide_fit_desc d = {
      .date = hour, .value = seen, .n = (size_t)n, .names = names, .n_names = n_names};
  CHECK_FAILS(ctx, ria_tide_analyse(ctx, &d, &f), RIA_ERR_ARGUMENT, expected);
}

static void rayleigh(void) {
  static const char *const two[] = {"M2", "N2"}, *const twice[] = {"M2", "m2"},
                           *const slip[] = {"M22"}, *const alike[] = {"M1", "NO1"};
  record(HOURS, RIA_NODAL_DAILY, 0.0);
  ria_tide_fit f = fitted((ria_tide_fit_desc){0}, 15 * 24 + 1); /* a fortnight */
  for (size_t k = 0; k < f.n; k++)
    CHECK(strcmp(f.c[k].name, "N2") && strcmp(f.c[k].name, "P1") && strcmp(f.c[k].name, "K2"));
  CHECK(part(&f, "M2")->amplitude > 0.9 && part(&f, "S2") && part(&f, "K1") && part(&f, "O1"));
  refused_analysis(15 * 24 + 1, two, 2,
                   "M2 and N2 cannot be told apart in a record of 15 d: that takes 27 d 14 h "
                   "(rayleigh = 1): leave one of them out");
  f = fitted((ria_tide_fit_desc){.names = two, .n_names = 2, .rayleigh = 0.5}, 15 * 24 + 1);
  CHECK(f.n == 2);
  f = fitted((ria_tide_fit_desc){.names = two, .n_names = 2}, 30 * 24);
  CHECK(f.n == 2);
  refused_analysis(30 * 24, twice, 2, "constituent 'm2' is given twice");
  refused_analysis(30 * 24, alike, 2,
                   "M1 and NO1 have one speed, so no record tells them apart: leave one of them "
                   "out");
  refused_analysis(30 * 24, slip, 1, "tide: unknown constituent 'M22': did you mean 'M2'?");
  refused_analysis(2, NULL, 0, "a record of 2 samples is too short for an analysis");
  refused_analysis(3, NULL, 0, "the record is too short for any constituent: a day shows M2 or K1");
}

/* Samples every 12 h show S2 as the mean, K1 as P1; M2 by itself they tell. */
static void aliases(void) {
  static const char *const pair[] = {"M2", "S2"}, *const daily[] = {"K1", "P1"};
  const int n = 2 * 366;
  record(HOURS, RIA_NODAL_DAILY, 0.0);
  for (int i = 0; i < n; i++) hour[i] = hour[12 * i], seen[i] = seen[12 * i];
  refused_analysis(n, pair, 2,
                   "S2 and the mean cannot be told apart by samples every 12 h in a record of "
                   "365 d 12 h: sample more often, or leave one of them out");
  refused_analysis(n, daily, 2,
                   "K1 and P1 cannot be told apart by samples every 12 h in a record of "
                   "365 d 12 h: sample more often, or leave one of them out");
  CHECK(fitted((ria_tide_fit_desc){.names = pair, .n_names = 1}, n).n == 1);
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK);
  kept_years();
  if (!every_year()) printf("skipped: libtcd or xtide-data is not here\n");
  lines();
  check_tide(RIA_PHASES_AUTO, RIA_NODAL_DAILY, 7200.0);
  check_tide(RIA_PHASES_GREENWICH, RIA_NODAL_MID, 7200.0);
  check_tide(RIA_PHASES_LOCAL, RIA_NODAL_NONE, 7200.0);
  check_tide(RIA_PHASES_LOCAL, RIA_NODAL_DAILY, -12600.0);
  phases();
  names();
  analysis();
  rayleigh();
  aliases();
  ria_context_destroy(&ctx);
  return TEST_END();
}
