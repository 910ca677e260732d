/* unit.netcdf: classic netCDF as a store: every version, type and layout against what was written;
 * conventions; what is refused, with its text; files that are damaged in every byte or cut off. */
#include "files.h"
#include "io/zarr_read.h"
#include "netcdf_make.h"

static ria_context *ctx;
static nc_file file;

/* --- a model's file --------------------------------------------------------------------------- */

static double at_time(int t, int k) { return 60.0 * (t + k); } /* one of the two is 0 */
static double at_y(int t, int k) { return (void)t, 105.0 + 10.0 * k; }
static double at_y_down(int t, int k) { return at_y(t, NC_NY - 1 - k); }
static double at_x(int t, int k) { return (void)t, 1010.0 + 20.0 * k; }
static double nothing(int t, int k) { return (void)t, (void)k, 0.0; }
static double number(int t, int k) { return t * 50 + k; }
static double turned(int t, int k) {
  return number(t, (NC_NY - 1 - k / NC_NX) * NC_NX + k % NC_NX);
}

#define SINCE "seconds since 2026-07-14 00:00:00"
#define TEXT(key, value)                                                                           \
  { .name = key, .text = value }
#define NUMBER(key, kind, v)                                                                       \
  { .name = key, .type = kind, .number = {v}, .n = 1 }

enum { AT_TIME, AT_Y, AT_X, AT_LEVEL, AT_U, AT_BED };

static nc_made model(int version, bool record) {
  return (nc_made){
      .version = version,
      .record = record,
      .var = {{"time", RIA_NC_DOUBLE, 1, {NC_TIME}, {TEXT("units", SINCE)}, at_time},
              {"y", RIA_NC_DOUBLE, 1, {NC_Y}, {TEXT("units", "m")}, at_y},
              {"x", RIA_NC_DOUBLE, 1, {NC_X}, {TEXT("units", "m")}, at_x},
              {"level", RIA_NC_FLOAT, 3, {NC_TIME, NC_Y, NC_X}, {TEXT("units", "m")}, number},
              {"u", RIA_NC_FLOAT, 3, {NC_TIME, NC_Y, NC_X}, {TEXT("units", "m/s")}, number},
              {"bed", RIA_NC_SHORT, 2, {NC_Y, NC_X}, {TEXT("units", "m")}, number}}};
}

static ria_store *open_made(const nc_made *m) {
  ria_store *s = NULL;
  nc_build(m, &file);
  CHECK_OK(ctx, ria_store_open(ctx, files_put_bytes("sea.nc", file.byte, file.n), &s));
  return s;
}

/* Every number of a field is scale * number(t, k) + offset, but k = none, which is NaN. */
static void check_field(const ria_store *s, const char *name, double scale, double offset,
                        int none) {
  double v[NC_NX * NC_NY];
  const ria_window all = {0, NC_NX, 0, NC_NY}, one = {1, 3, 1, 2};
  const int times = ria_store_has_fixed(s, name) ? 1 : NC_NT;
  CHECK(ria_store_has(s, name) || times == 1);
  for (int t = 0; t < times; t++) {
    if (!CHECK_OK(ctx, ria_store_read(ctx, s, name, (size_t)t, &all, v))) return;
    for (int k = 0; k < NC_NX * NC_NY; k++)
      CHECK_NEAR(v[k], k == none ? (double)NAN : scale * number(t, k) + offset, 1e-12);
    CHECK_OK(ctx, ria_store_read(ctx, s, name, (size_t)t, &one, v));
    for (int k = 0; k < 2; k++)
      CHECK_NEAR(v[k],
                 NC_NX + 1 + k == none ? (double)NAN : scale * number(t, NC_NX + 1 + k) + offset,
                 1e-12);
  }
}

static void check_place(const ria_store *s) {
  const ria_grid *g = ria_store_grid(s);
  size_t n;
  bool dated;
  const double *t = ria_store_times(s, &n, &dated);
  CHECK(g->nx == NC_NX && g->ny == NC_NY && g->dx == 20 && g->dy == 10);
  CHECK(g->x0 == 1000 && g->y0 == 100 && g->angle == 0.0);
  if (CHECK(n == 2 && dated)) CHECK(t[0] == 1783987200.0 && t[1] == 1783987260.0);
}

static int versions(void) {
  static const int version[] = {1, 2, 5};
  char text[64];
  int files = 0;
  for (int k = 0; k < 3; k++)
    for (int way = 0; way < 4; way++, files++) {
      nc_made m = model(version[k], way > 0);
      m.streaming = way == 2;
      if (way == 3) m.var[AT_U].name = NULL, m.var[AT_BED].name = NULL; /* one field, and time */
      ria_store *s = open_made(&m);
      if (!s) continue;
      check_place(s);
      check_field(s, "level", 1, 0, -1);
      ria_store_fields(s, text, sizeof text);
      CHECK_TEXT(text, way == 3 ? "level" : "level, u");
      if (way < 3) check_field(s, "u", 1, 0, -1);
      if (way < 3) check_field(s, "bed", 1, 0, -1);
      if (way < 3) CHECK_OK(ctx, ria_store_unit(ctx, s, "u", text, sizeof text));
      if (way < 3) CHECK_TEXT(text, "m s-1");
      ria_store_close(&s);
    }
  return files;
}

/* Times of a file whose only record variable is not a multiple of 4 bytes: no padding. */
static void alone(void) {
  nc_made m = model(2, true);
  m.var[AT_U].name = NULL;
  m.var[AT_LEVEL].name = NULL;
  m.var[AT_TIME].type = RIA_NC_SHORT;
  m.var[AT_LEVEL] = (nc_var){"bed", RIA_NC_SHORT, 2, {NC_Y, NC_X}, {TEXT("units", "m")}, number};
  ria_store *s = open_made(&m);
  if (!s) return;
  check_place(s);
  CHECK(ria_store_has_fixed(s, "bed") && !ria_store_has(s, "bed"));
  check_field(s, "bed", 1, 0, -1);
  ria_store_close(&s);
}

/* Odd sizes of records: three bytes of numbers a row would be padded. */
static int types(void) {
  int files = 0;
  for (ria_nc_type t = RIA_NC_BYTE; t <= RIA_NC_UINT64; t++)
    for (int way = 0; way < 4 && t != RIA_NC_CHAR; way++, files++) {
      nc_made m = model(t > RIA_NC_DOUBLE ? 5 : way & 1 ? 1 : 2, way & 2);
      m.var[AT_LEVEL].type = t;
      m.var[AT_LEVEL].att[1] = (nc_att)NUMBER("scale_factor", RIA_NC_DOUBLE, 0.25);
      m.var[AT_LEVEL].att[2] = (nc_att)NUMBER("add_offset", RIA_NC_FLOAT, -3);
      m.var[AT_LEVEL].att[3] = (nc_att)NUMBER(way & 1 ? "_FillValue" : "missing_value", t, 6);
      if (way & 2) m.var[AT_LEVEL].att[4] = (nc_att)NUMBER("valid_max", t, 105);
      ria_store *s = open_made(&m);
      if (!s) continue;
      double v[NC_NX * NC_NY];
      check_place(s);
      CHECK_OK(ctx, ria_store_read(ctx, s, "level", 1, &(ria_window){0, NC_NX, 0, NC_NY}, v));
      for (int k = 0; k < NC_NX * NC_NY; k++) CHECK_NEAR(v[k], 0.25 * (50 + k) - 3, 1e-12);
      CHECK_OK(ctx, ria_store_read(ctx, s, "level", 0, &(ria_window){0, NC_NX, 0, NC_NY}, v));
      for (int k = 0; k < NC_NX * NC_NY; k++)
        CHECK_NEAR(v[k], k == 6 ? (double)NAN : 0.25 * k - 3, 1e-12);
      ria_store_close(&s);
    }
  return files;
}

/* --- conventions ------------------------------------------------------------------------------ */

static double filled(int t, int k) { return k == 5 ? 9.9692099683868690e+36 : number(t, k); }
static double infinite(int t, int k) { return k == 5 ? (double)INFINITY : number(t, k); }

static void conventions(void) {
  nc_made m = model(5, true);
  m.var[AT_Y].value = at_y_down; /* rows from the north */
  m.var[AT_LEVEL].value = m.var[AT_U].value = m.var[AT_BED].value = turned;
  ria_store *s = open_made(&m);
  if (s) check_place(s), check_field(s, "u", 1, 0, -1), check_field(s, "bed", 1, 0, -1);
  ria_store_close(&s);

  m = model(1, false);
  m.var[AT_X].name = "x";
  m.var[AT_X].type = m.var[AT_Y].type = RIA_NC_FLOAT;
  m.var[AT_LEVEL] =
      (nc_var){"zos",
               RIA_NC_FLOAT,
               4,
               {NC_TIME, NC_LAYER, NC_Y, NC_X},
               {TEXT("standard_name", "sea_surface_height_above_geoid"), TEXT("units", "meters")},
               filled};
  m.var[AT_U].name = "v_north";
  m.var[AT_U].att[1] = (nc_att)TEXT("standard_name", "northward_sea_water_velocity");
  s = open_made(&m);
  if (s) {
    char text[64];
    check_place(s);
    check_field(s, "level", 1, 0, 5); /* the library's own fill value */
    check_field(s, "zos", 1, 0, 5);
    check_field(s, "v", 1, 0, -1);
    CHECK(!ria_store_has(s, "u"));
    CHECK_OK(ctx, ria_store_unit(ctx, s, "level", text, sizeof text));
    CHECK_TEXT(text, "m");
  }
  ria_store_close(&s);
}

static double hours(int t, int k) { return at_time(t, k) / 3600; }
static double days(int t, int k) { return at_time(t, k) / 86400; }
static double minutes(int t, int k) { return t + k; }

static void units_of_time(void) {
  static const struct {
    const char *unit;
    double (*value)(int t, int k);
    ria_nc_type type;
  } as[] = {{"minutes since 2026-07-14", minutes, RIA_NC_INT},
            {"hours since 2026-07-14T00:00:00Z", hours, RIA_NC_DOUBLE},
            {"days since 2026-07-14 00:00:00 UTC", days, RIA_NC_DOUBLE},
            {"second since 2026-07-14 02:00:00 +02:00", at_time, RIA_NC_SHORT}};
  for (size_t k = 0; k < sizeof as / sizeof *as; k++) {
    nc_made m = model(1, k % 2);
    m.var[AT_TIME].att[0].text = as[k].unit;
    m.var[AT_TIME].att[1] = (nc_att)TEXT("calendar", "Gregorian");
    m.var[AT_TIME].value = as[k].value;
    m.var[AT_TIME].type = as[k].type;
    ria_store *s = open_made(&m);
    size_t n;
    bool dated;
    if (!s) continue;
    const double *t = ria_store_times(s, &n, &dated);
    CHECK_NEAR(t[1], 1783987260.0, 1e-6);
    ria_store_close(&s);
  }
}

static void systems(void) {
  nc_made m = model(2, false);
  m.var[AT_LEVEL].att[1] = (nc_att)TEXT("grid_mapping", "crs");
  m.var[AT_BED + 1] =
      (nc_var){"crs", RIA_NC_CHAR, 0, {0}, {TEXT("crs_wkt", "EPSG:25829")}, nothing};
  ria_store *s = open_made(&m);
  if (!s) return;
  CHECK(!ria_store_other_crs(s, "EPSG:25829") && ria_store_other_crs(s, "EPSG:25830"));
  CHECK(!ria_store_other_crs(s, NULL) && !ria_store_other_crs(s, ""));
  ria_store_close(&s);
}

/* --- what is refused -------------------------------------------------------------------------- */

static int refused;

static void refuse_bytes(const void *bytes, size_t n, const char *text) {
  const char *path = files_put_bytes("sea.nc", bytes, n);
  ria_store *s = NULL;
  CHECK_STATUS(ctx, ria_store_open(ctx, path, &s), RIA_ERR_INPUT);
  CHECK(s == NULL);
  CHECK_HOLDS(ria_error(ctx), text);
  CHECK_HOLDS(ria_error(ctx), "sea.nc");
  ria_store_close(&s);
  refused++;
}

static void refuse(const nc_made *m, const char *text) {
  nc_build(m, &file);
  refuse_bytes(file.byte, file.n, text);
}

static double uneven(int t, int k) { return (void)t, k * k; }
static double standing(int t, int k) { return (void)t, (void)k, 3.0; }
static double not_a_number(int t, int k) { return (void)t, (void)k, (double)NAN; }

#define WITH(what, text)                                                                           \
  do {                                                                                             \
    nc_made m = model(5, true);                                                                    \
    what;                                                                                          \
    refuse(&m, text);                                                                              \
  } while (0)

static void refusals(void) {
  WITH(m.var[AT_X].att[0].text = "feet", "x: it is neither in m nor in degrees");
  WITH(m.var[AT_X].att[0].text = "degrees_east", "of x and y one is in degrees");
  WITH(m.var[AT_X].name = "east", "x: there is no such axis");
  WITH(m.var[AT_TIME].name = "steps", "time: there is no such axis");
  WITH(m.var[AT_X].value = uneven, "x: its cells are not evenly apart");
  WITH(m.var[AT_X].value = standing, "x: its cells are not evenly apart");
  WITH(m.var[AT_Y].value = not_a_number, "y: it has a value that is not a number");
  WITH(m.var[AT_TIME].value = standing, "time: its times do not grow");
  WITH(m.var[AT_TIME].att[0].text = "fortnights since 2026-07-14", "time: it is neither in s");
  WITH(m.var[AT_TIME].att[0].text = "days since the flood", "time: units 'the flood'");
  WITH(m.var[AT_TIME].att[1] = (nc_att)TEXT("calendar", "noleap"),
       "its calendar is not the standard");
  WITH(m.var[AT_TIME].att[0].text = "days since 0001-01-01", "its dates begin before October 1582");
  WITH(m.var[AT_U].name = "level", "level: there are two of that name");
  WITH(m.var[AT_U].att[1] = (nc_att)NUMBER("scale_factor", RIA_NC_DOUBLE, 0), "scale_factor");
  WITH(m.var[AT_LEVEL].dim[1] = NC_LAYER; m.var[AT_U].name = NULL, "it has no field of time, y, x");
  WITH(m.var[AT_LEVEL].name = "a";
       m.var[AT_LEVEL].att[1] = (nc_att)TEXT("standard_name", "sea_water_x_velocity");
       m.var[AT_U].name = "b";
       m.var[AT_U].att[1] = (nc_att)TEXT("standard_name", "eastward_sea_water_velocity"),
       "a and b have both the standard name of 'u'");
  WITH(m.var[AT_U].dim[0] = NC_Y;
       m.var[AT_U].dim[1] = NC_TIME, "records are not the first dimension");
  WITH(m.var[AT_U].dim[0] = 77, "a variable has a dimension that is not there");
  WITH(m.var[AT_U].type = RIA_NC_UINT; m.version = 2, "a type in its header is none");
  WITH(m.var[AT_U].name = "", "a name in its header is none");
  WITH(m.var[AT_U].name = "u\n", "a name in its header is none");
  refuse_bytes("\211HDF\r\n\032\n and so on", 18,
               "a netCDF-4 (HDF5) file, and classic netCDF is read: nccopy -k cdf5 ");
  refuse_bytes("CDF\3\0\0\0\0", 8, "by its first bytes not a classic netCDF file");
  refuse_bytes("CDF\1", 4, "the file ends within its header");
  refuse_bytes("CDF\1\0\0\0\0\0\0\0\0\0\0\0\0", 16, "the file ends within its header");

  nc_made m = model(2, false);
  m.var[AT_LEVEL].value = infinite;
  ria_store *s = open_made(&m);
  double v[NC_NX * NC_NY];
  const ria_window all = {0, NC_NX, 0, NC_NY};
  if (s) {
    CHECK_STATUS(ctx, ria_store_read(ctx, s, "level", 0, &all, v), RIA_ERR_INPUT);
    CHECK_HOLDS(ria_error(ctx), "level: it has infinite values");
    CHECK(truncate(files_path("sea.nc"), 100) == 0); /* while it is open */
    CHECK_STATUS(ctx, ria_store_read(ctx, s, "u", 0, &all, v), RIA_ERR_INPUT);
    CHECK_HOLDS(ria_error(ctx), "it has become shorter");
  }
  ria_store_close(&s);
}

/* A new file each time: one that is written again is synced by some file systems. */
static const char *put_new(const char *name, const void *bytes, size_t n) {
  (void)remove(files_path(name));
  return files_put_bytes(name, bytes, n);
}

/* Lengths of the header: of each the four bytes become all that damages. */
static void lengths(void) {
  static const unsigned char bad[][4] = {{0x7f, 0xff, 0xff, 0xff},
                                         {0xff, 0xff, 0xff, 0xfe},
                                         {0x80, 0, 0, 0},
                                         {0, 1, 0, 0},
                                         {0, 0, 0, 0}};
  static nc_file kept;
  const nc_made m = model(1, true);
  nc_build(&m, &kept);
  for (size_t at = 4; at + 4 < 400; at += 4)
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
      ria_store *s = NULL;
      file = kept;
      memcpy(file.byte + at, bad[k], 4);
      const ria_status status = ria_store_open(ctx, put_new("sea.nc", file.byte, file.n), &s);
      CHECK(status == (s ? RIA_OK : RIA_ERR_INPUT));
      refused += s == NULL;
      ria_store_close(&s);
    }
}

/* --- damage ----------------------------------------------------------------------------------- */

/* What opens can be read to its end. */
static bool read_all(const char *path) {
  ria_store *s = NULL;
  size_t n;
  bool dated;
  const ria_status status = ria_store_open(ctx, path, &s);
  CHECK(status == (s ? RIA_OK : RIA_ERR_INPUT));
  if (!s) return CHECK(*ria_error(ctx)), false;
  const ria_grid *g = ria_store_grid(s);
  (void)ria_store_times(s, &n, &dated);
  double *v = malloc((size_t)g->nx * (size_t)g->ny * sizeof *v);
  const ria_window all = {0, g->nx, 0, g->ny};
  const char *name;
  for (size_t f = 0; (name = ria_store_field(s, f)) != NULL; f++)
    for (size_t k = 0; k < n && k < 4; k++) {
      const ria_status got = ria_store_read(ctx, s, name, k, &all, v);
      if (got != RIA_OK) CHECK_HOLDS(ria_error(ctx), "it has infinite values");
    }
  free(v);
  ria_store_close(&s);
  return true;
}

static void damage(const nc_made *m, int *all, int *well) {
  static nc_file kept;
  nc_build(m, &kept);
  for (size_t n = 0; n < kept.n; n++, (*all)++) {
    const bool read = read_all(put_new("cut.nc", kept.byte, n));
    if (read) CHECK(m->streaming); /* of which whole records are left */
    *well += read;
  }
  for (size_t at = 0; at < kept.n; at++)
    for (int k = 0; k < 3; k++, (*all)++) { /* one bit, the highest, all of them */
      file = kept;
      file.byte[at] ^= (unsigned char)(k == 0 ? 1 << at % 7 : k == 1 ? 128 : 255);
      *well += read_all(put_new("flipped.nc", file.byte, file.n));
    }
}

static void damaged(void) {
  int all = 0, well = 0;
  for (int k = 0; k < 3; k++) {
    nc_made m = model(k == 2 ? 5 : k + 1, k > 0);
    m.streaming = k == 1;
    if (k > 0) m.var[AT_U].name = NULL;
    damage(&m, &all, &well);
  }
  printf("damaged files: %d, of which %d are read as files all the same\n", all, well);
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) == RIA_OK);
  files_begin();
  int files = versions();
  files += types();
  alone();
  conventions();
  units_of_time();
  systems();
  refusals();
  lengths();
  printf("files of other versions, layouts and types: %d read; %d refused\n", files, refused);
  damaged();
  files_end();
  ria_context_destroy(&ctx);
  return TEST_END();
}
