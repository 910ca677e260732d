/* io/netcdf_store.c - a classic netCDF file as a store of fields, by the CF conventions.
 *
 * The axes are variables of one dimension, known by `axis`, by their standard name or by the names
 * that everybody gives them; fields are variables of (time,) y, x. Values are unpacked
 * (scale_factor, add_offset), and those that stand for none are NaN. */
#include "base/context.h"
#include "base/text.h"
#include "io/crs.h"
#include "io/store.h"

#include <ria/crs.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { X, Y, T, AXES };

/* How values are packed, and which of them stand for none. */
typedef struct packing {
  double scale, offset;
  double none[4]; /* as stored */
  int n_none;
  double least, most; /* as stored; beyond them is none */
} packing;

static bool among(const char *word, const char *const *list) {
  for (; *list; list++)
    if (strcasecmp(word, *list) == 0) return true;
  return false;
}

/* --- values ----------------------------------------------------------------------------------- */

/* What the library of netCDF fills in where nothing was written and no _FillValue is named. */
static double default_fill(ria_nc_type t) {
  switch (t) {
  case RIA_NC_SHORT:
    return -32767.0;
  case RIA_NC_INT:
    return -2147483647.0;
  case RIA_NC_FLOAT:
  case RIA_NC_DOUBLE:
    return 9.9692099683868690e+36;
  case RIA_NC_USHORT:
    return 65535.0;
  case RIA_NC_UINT:
    return 4294967295.0;
  case RIA_NC_INT64:
    return -9223372036854775806.0;
  case RIA_NC_UINT64:
    return 18446744073709551614.0;
  default:
    return NAN;
  }
}

/* A number of an attribute as the type of the variable holds it. */
static bool as_stored(const ria_nc_var *v, const char *name, size_t k, double *out) {
  if (!ria_netcdf_number(v, name, k, out)) return false;
  if (v->type == RIA_NC_FLOAT && fabs(*out) <= 3.4028234663852886e38) *out = (double)(float)*out;
  return true;
}

static packing packing_of(const ria_nc_var *v) {
  packing p = {.scale = 1.0, .least = -INFINITY, .most = INFINITY};
  (void)ria_netcdf_number(v, "scale_factor", 0, &p.scale);
  (void)ria_netcdf_number(v, "add_offset", 0, &p.offset);
  if (!as_stored(v, "_FillValue", 0, &p.none[0])) p.none[0] = default_fill(v->type);
  p.n_none = 1;
  while (p.n_none < 4 && as_stored(v, "missing_value", (size_t)p.n_none - 1, &p.none[p.n_none]))
    p.n_none++;
  (void)as_stored(v, "valid_min", 0, &p.least);
  (void)as_stored(v, "valid_max", 0, &p.most);
  if (as_stored(v, "valid_range", 0, &p.least)) (void)as_stored(v, "valid_range", 1, &p.most);
  return p;
}

static double unpacked(const packing *p, double raw) {
  for (int k = 0; k < p->n_none; k++)
    if (raw == p->none[k]) return NAN;
  return raw < p->least || raw > p->most ? NAN : raw * p->scale + p->offset;
}

/* A window of one time, the south first. */
static ria_status read_field(ria_context *ctx, const ria_store *s, const ria_stored_field *f,
                             size_t k, const ria_window *w, double *out) {
  const packing p = packing_of(f->var);
  const uint64_t nx = (uint64_t)s->grid.nx, ny = (uint64_t)s->grid.ny;
  const uint64_t plane = f->fixed || f->var->record ? 0 : k;
  const size_t wide = (size_t)(w->i1 - w->i0);
  for (int j = w->j0; j < w->j1; j++) {
    const uint64_t row = s->northern ? ny - 1 - (uint64_t)j : (uint64_t)j;
    double *to = out + (size_t)(j - w->j0) * wide;
    RIA_TRY(ria_netcdf_read(ctx, s->nc, f->var, f->var->record ? k : 0,
                            (plane * ny + row) * nx + (uint64_t)w->i0, wide, to));
    for (size_t i = 0; i < wide; i++) {
      to[i] = unpacked(&p, to[i]);
      if (isinf(to[i])) return ria_store_fail(ctx, s, f->name, "it has infinite values");
    }
  }
  return RIA_OK;
}

/* --- axes ------------------------------------------------------------------------------------- */

static bool is_line(const ria_store *s, const ria_nc_var *v) {
  return v->rank == 1 && v->type != RIA_NC_CHAR &&
         strcmp(v->name, ria_netcdf_dim(s->nc, v, 0)->name) == 0;
}

static bool is_axis(const ria_nc_var *v, int axis) {
  static const char *const letters[] = {"X", "Y", "T"};
  static const char *const standard[AXES][4] = {{"projection_x_coordinate", "longitude", NULL},
                                                {"projection_y_coordinate", "latitude", NULL},
                                                {"time", NULL}};
  static const char *const names[AXES][6] = {{"x", "easting", "lon", "longitude", NULL},
                                             {"y", "northing", "lat", "latitude", NULL},
                                             {"time", "t", NULL}};
  char text[64];
  if (ria_netcdf_text(v, "axis", text, sizeof text)) return strcasecmp(text, letters[axis]) == 0;
  if (ria_netcdf_text(v, "standard_name", text, sizeof text)) return among(text, standard[axis]);
  return among(v->name, names[axis]);
}

static ria_status find_axes(ria_context *ctx, const ria_store *s, const ria_nc_var *of[AXES]) {
  static const char *const what[] = {"x", "y", "time"};
  for (int a = 0; a < AXES; a++) {
    of[a] = NULL;
    for (size_t k = 0; k < ria_netcdf_vars(s->nc) && !of[a]; k++) {
      const ria_nc_var *v = ria_netcdf_var_at(s->nc, k);
      if (is_line(s, v) && is_axis(v, a)) of[a] = v;
    }
    if (!of[a])
      return ria_store_fail(ctx, s, what[a],
                            "there is no such axis: a variable of one dimension of its own name, "
                            "with axis = \"X\", \"Y\" or \"T\"");
  }
  return RIA_OK;
}

/* All numbers of an axis; *out malloc'ed. */
static ria_status line_of(ria_context *ctx, const ria_store *s, const ria_nc_var *v, double **out,
                          size_t *n) {
  const packing p = packing_of(v);
  const uint64_t all = ria_netcdf_dim(s->nc, v, 0)->length;
  *out = NULL;
  if (all > INT32_MAX) return ria_store_fail(ctx, s, v->name, "it is too long");
  *n = (size_t)all;
  double *line = *out = malloc((*n + 1) * sizeof *line);
  if (!line) return ria_fail_memory(ctx, "a store", *n * sizeof *line);
  if (!v->record) RIA_TRY(ria_netcdf_read(ctx, s->nc, v, 0, 0, *n, line));
  for (size_t k = 0; k < *n; k++) {
    if (v->record) RIA_TRY(ria_netcdf_read(ctx, s->nc, v, k, 0, 1, &line[k]));
    line[k] = unpacked(&p, line[k]);
    if (!isfinite(line[k]))
      return ria_store_fail(ctx, s, v->name, "it has a value that is not a number");
  }
  return RIA_OK;
}

/* Metres of its unit; 0: degrees; -1: neither. */
static double metres_of(const ria_nc_var *v) {
  static const char *const metres[] = {"m", "metre", "metres", "meter", "meters", NULL};
  char unit[64];
  (void)ria_netcdf_text(v, "units", unit, sizeof unit);
  if (among(unit, metres)) return 1.0;
  if (strcmp(unit, "km") == 0) return 1000.0;
  return strncasecmp(unit, "degree", 6) == 0 ? 0.0 : -1.0;
}

static ria_status take_line(ria_context *ctx, ria_store *s, const ria_nc_var *v, int axis,
                            double *line, size_t n) {
  const double unit = metres_of(v);
  if (unit < 0.0) return ria_store_fail(ctx, s, v->name, "it is neither in m nor in degrees");
  if (axis == X) s->degrees = unit == 0.0;
  if (s->degrees != (unit == 0.0))
    return ria_store_fail(ctx, s, v->name, "of x and y one is in degrees");
  double most = 0.0;
  for (size_t k = 0; k < n; k++) {
    if (unit > 0.0) line[k] *= unit;
    most = fmax(most, fabs(line[k]));
  }
  s->northern = axis == Y && n > 1 && line[0] > line[n - 1];
  for (size_t k = 0; s->northern && k < n / 2; k++) {
    const double other = line[n - 1 - k];
    line[n - 1 - k] = line[k];
    line[k] = other;
  }
  return ria_store_axis(ctx, s, v->name, axis, line, n,
                        v->type == RIA_NC_FLOAT ? 1.2e-7 * most : 0.0);
}

static ria_status take_axis(ria_context *ctx, ria_store *s, const ria_nc_var *v, int axis) {
  double *line;
  size_t n;
  ria_status status = line_of(ctx, s, v, &line, &n);
  if (status == RIA_OK) status = take_line(ctx, s, v, axis, line, n);
  free(line);
  return status;
}

/* Dates count by the calendar that everybody has; until 1582 even that one is two. */
static ria_status check_calendar(ria_context *ctx, const ria_store *s, const ria_nc_var *v) {
  static const char *const known[] = {"", "standard", "gregorian", "proleptic_gregorian", NULL};
  const double reform = -12219292800.0; /* 1582-10-15 */
  char calendar[64];
  (void)ria_netcdf_text(v, "calendar", calendar, sizeof calendar);
  if (!s->dated) return RIA_OK;
  if (!among(calendar, known))
    return ria_store_fail(ctx, s, v->name, "its calendar is not the standard one");
  return s->time[0] >= reform
             ? RIA_OK
             : ria_store_fail(ctx, s, v->name, "its dates begin before October 1582");
}

/* "days since 1950-01-01 00:00:00 UTC": the zone of a date is written otherwise here. */
static ria_status take_times(ria_context *ctx, ria_store *s, const ria_nc_var *v) {
  static const char *const zones[] = {" UTC", " utc", " GMT"};
  char unit[96];
  (void)ria_netcdf_text(v, "units", unit, sizeof unit);
  for (size_t k = 0; k < sizeof zones / sizeof *zones; k++) {
    const size_t n = strlen(unit), m = strlen(zones[k]);
    if (n > m && strcmp(unit + n - m, zones[k]) == 0) unit[n - m] = '\0';
  }
  RIA_TRY(line_of(ctx, s, v, &s->time, &s->n_times));
  RIA_TRY(ria_store_dates(ctx, s, v->name, unit));
  return check_calendar(ctx, s, v);
}

/* --- fields ----------------------------------------------------------------------------------- */

/* Is it of y and x, behind dimensions of which all but a first one, time, have one index? */
static bool is_field(const ria_nc_var *v, const ria_store *s, const ria_nc_var *const of[AXES],
                     bool *fixed) {
  if (v->rank < 2 || v->type == RIA_NC_CHAR) return false;
  if (v->dim[v->rank - 1] != of[X]->dim[0] || v->dim[v->rank - 2] != of[Y]->dim[0]) return false;
  *fixed = v->rank == 2 || v->dim[0] != of[T]->dim[0];
  for (int k = *fixed ? 0 : 1; k < v->rank - 2; k++)
    if (ria_netcdf_dim(s->nc, v, k)->length != 1) return false;
  return !*fixed || !v->record;
}

static ria_status take_field(ria_context *ctx, ria_store *s, const ria_nc_var *v, bool fixed,
                             const char *name) {
  ria_stored_field *f;
  const packing p = packing_of(v);
  for (size_t k = 0; k < s->n; k++)
    if (strcmp(s->field[k].name, name) == 0)
      return ria_store_fail(ctx, s, name, "there are two of that name");
  if (!isfinite(p.scale) || p.scale == 0.0 || !isfinite(p.offset))
    return ria_store_fail(ctx, s, name, "its scale_factor or add_offset is not a number");
  RIA_TRY(ria_store_add(ctx, s, name, fixed, &f));
  f->var = v;
  return RIA_OK;
}

/* What models call otherwise, by its standard name. */
static const char *flow_of(const ria_nc_var *v) {
  static const struct {
    const char *field, *standard[8];
  } flow[] = {
      {"level",
       {"sea_surface_height_above_geoid", "sea_surface_height_above_geopotential_datum",
        "sea_surface_height_above_mean_sea_level", "sea_surface_height",
        "water_surface_height_above_reference_datum", "sea_surface_elevation", NULL}},
      {"u",
       {"eastward_sea_water_velocity", "sea_water_x_velocity",
        "barotropic_eastward_sea_water_velocity", "barotropic_sea_water_x_velocity", NULL}},
      {"v",
       {"northward_sea_water_velocity", "sea_water_y_velocity",
        "barotropic_northward_sea_water_velocity", "barotropic_sea_water_y_velocity", NULL}},
  };
  char text[96];
  (void)ria_netcdf_text(v, "standard_name", text, sizeof text);
  for (size_t k = 0; k < sizeof flow / sizeof *flow; k++)
    if (among(text, flow[k].standard)) return flow[k].field;
  return NULL;
}

/* The variables that stand for level, u and v where none has that name. */
static ria_status take_flow(ria_context *ctx, ria_store *s, size_t own) {
  static const char *const flow[] = {"level", "u", "v"};
  for (size_t q = 0; q < 3; q++) {
    const ria_nc_var *found = NULL;
    bool named = false;
    for (size_t k = 0; k < own; k++) {
      const ria_stored_field *f = &s->field[k];
      const char *is = f->fixed ? NULL : flow_of(f->var);
      named = named || strcmp(f->name, flow[q]) == 0;
      if (!is || strcmp(is, flow[q]) != 0) continue;
      if (found && !ria_netcdf_var(s->nc, flow[q]))
        return ria_fail(ctx, RIA_ERR_INPUT,
                        "store %s: %s and %s have both the standard name of '%s': ncrename -v "
                        "NAME,%s names the one",
                        s->path, found->name, f->name, flow[q], flow[q]);
      found = f->var;
    }
    if (found && !named) RIA_TRY(take_field(ctx, s, found, false, flow[q]));
  }
  return RIA_OK;
}

static ria_status take_fields(ria_context *ctx, ria_store *s, const ria_nc_var *const of[AXES]) {
  bool fixed;
  for (size_t k = 0; k < ria_netcdf_vars(s->nc); k++) {
    const ria_nc_var *v = ria_netcdf_var_at(s->nc, k);
    if (is_field(v, s, of, &fixed)) RIA_TRY(take_field(ctx, s, v, fixed, v->name));
  }
  if (s->n > 0) return take_flow(ctx, s, s->n);
  return ria_fail(ctx, RIA_ERR_INPUT,
                  "store %s: it has no field of %s, %s, %s (nor of the last two): of one with "
                  "layers take one (ncks -d depth,0)",
                  s->path, of[T]->name, of[Y]->name, of[X]->name);
}

/* --- the coordinate system -------------------------------------------------------------------- */

/* That of the first field that names one; none where it is not spelled out. */
static ria_status take_crs(ria_context *ctx, ria_store *s) {
  static const char *const keys[] = {"crs_wkt", "spatial_ref", "epsg_code"};
  char name[RIA_STORE_NAME], text[RIA_CRS_MAX];
  const ria_nc_var *v = NULL;
  for (size_t k = 0; k < s->n && !v; k++)
    if (ria_netcdf_text(s->field[k].var, "grid_mapping", name, sizeof name))
      v = ria_netcdf_var(s->nc, name);
  for (size_t k = 0; v && k < sizeof keys / sizeof *keys; k++) {
    if (!ria_netcdf_text(v, keys[k], text, sizeof text) || !*text) continue;
    s->crs = ria_strdup(text);
    return s->crs ? RIA_OK : ria_fail_memory(ctx, "a store", strlen(text));
  }
  return RIA_OK;
}

static bool other_crs(const ria_store *s, const char *crs) {
  ria_crs *ours = NULL, *theirs = NULL;
  bool other = false;
  if (s->crs && !s->degrees && ria_crs_create(NULL, crs, &ours) == RIA_OK &&
      ria_crs_create(NULL, s->crs, &theirs) == RIA_OK)
    other = !ria_crs_same(ours, theirs);
  ria_crs_destroy(&ours);
  ria_crs_destroy(&theirs);
  return other;
}

/* --- opening ---------------------------------------------------------------------------------- */

static ria_status open_at(ria_context *ctx, ria_store *s) {
  const ria_nc_var *of[AXES];
  const int fd = s->fd;
  s->fd = -1;
  RIA_TRY(ria_netcdf_open(ctx, s->path, fd, &s->nc));
  RIA_TRY(find_axes(ctx, s, of));
  RIA_TRY(take_axis(ctx, s, of[X], X));
  RIA_TRY(take_axis(ctx, s, of[Y], Y));
  RIA_TRY(take_times(ctx, s, of[T]));
  RIA_TRY(ria_store_check(ctx, s));
  RIA_TRY(take_fields(ctx, s, of));
  return take_crs(ctx, s);
}

/* Its unit as stores of ria's own have it. */
static ria_status unit_of(ria_context *ctx, const ria_store *s, const ria_stored_field *f,
                          char *unit, size_t size) {
  static const char *const metres[] = {"metre", "metres", "meter", "meters", NULL};
  static const char *const speeds[] = {
      "m/s",           "m.s-1", "m s^-1", "m s**-1", "meter second-1", "metre second-1",
      "meters/second", NULL};
  (void)ctx;
  (void)s;
  (void)ria_netcdf_text(f->var, "units", unit, size);
  if (among(unit, metres)) snprintf(unit, size, "m");
  if (among(unit, speeds)) snprintf(unit, size, "m s-1");
  return RIA_OK;
}

const ria_store_kind ria_netcdf_kind = {
    .open = open_at, .unit = unit_of, .other_crs = other_crs, .read = read_field};
