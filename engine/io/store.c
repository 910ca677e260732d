/* io/store.c - a store of fields, of whatever kind: found, opened, asked. */
#include "io/store.h"
#include "base/array.h"
#include "base/context.h"
#include "base/text.h"
#include "io/access.h"
#include "io/crs.h"
#include "io/date.h"
#include "io/file.h"

#include <ria/field.h>

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ria_status ria_store_fail(ria_context *ctx, const ria_store *s, const char *name, const char *why) {
  return ria_fail(ctx, RIA_ERR_INPUT, "store %s: %s: %s", s->path, name, why);
}

/* --- what the kinds share --------------------------------------------------------------------- */

ria_status ria_store_axis(ria_context *ctx, ria_store *s, const char *name, int axis,
                          const double *v, size_t n, double rounding) {
  const double alone = axis ? s->how.dy : s->how.dx;
  const double step = n > 1 ? (v[n - 1] - v[0]) / (double)(n - 1) : alone;
  const double slack = fmax(1e-6 * step, rounding);
  bool even = step > 0.0 && slack < 0.01 * step && n <= INT32_MAX;
  for (size_t k = 0; k < n && even; k++) even = fabs(v[k] - (v[0] + (double)k * step)) <= slack;
  if (!even)
    return ria_store_fail(ctx, s, name,
                          n == 1 ? "how wide its only cell is does not show"
                                 : "its cells are not evenly apart, eastward and north");
  *(axis ? &s->grid.ny : &s->grid.nx) = (int)n;
  *(axis ? &s->grid.dy : &s->grid.dx) = step;
  *(axis ? &s->grid.y0 : &s->grid.x0) = v[0] - 0.5 * step;
  return RIA_OK;
}

/* Seconds of the unit before " since "; 0: none is known. */
static double seconds_of(const char *unit, size_t n) {
  static const struct {
    const char *name;
    double s;
  } units[] = {{"seconds", 1},  {"second", 1},  {"secs", 1},  {"sec", 1},  {"s", 1},
               {"minutes", 60}, {"minute", 60}, {"mins", 60}, {"min", 60}, {"hours", 3600},
               {"hour", 3600},  {"hrs", 3600},  {"hr", 3600}, {"h", 3600}, {"days", 86400},
               {"day", 86400},  {"d", 86400}};
  for (size_t k = 0; k < sizeof units / sizeof *units; k++)
    if (strlen(units[k].name) == n && strncmp(unit, units[k].name, n) == 0) return units[k].s;
  return 0.0;
}

ria_status ria_store_dates(ria_context *ctx, ria_store *s, const char *name, const char *unit) {
  const char *since = strstr(unit, " since ");
  double from = 0.0, each = since ? seconds_of(unit, (size_t)(since - unit)) : 1.0;
  if (since ? each == 0.0 : strcmp(unit, "s") != 0)
    return ria_store_fail(ctx, s, name,
                          "it is neither in s nor in seconds, minutes, hours or days since a date");
  s->dated = since != NULL;
  if (since && ria_date_read(ctx, "units", since + strlen(" since "), 0.0, &from) != RIA_OK)
    return ria_fail_more(ctx, RIA_ERR_INPUT, "store %s: %s", s->path, name);
  for (size_t k = 0; k < s->n_times; k++) s->time[k] = each * s->time[k] + from;
  for (size_t k = 1; k < s->n_times; k++)
    if (!(s->time[k] > s->time[k - 1]))
      return ria_store_fail(ctx, s, name, "its times do not grow");
  return s->n_times > 0 ? RIA_OK : ria_store_fail(ctx, s, name, "there is no frame yet");
}

ria_status ria_store_check(ria_context *ctx, const ria_store *s) {
  if (ria_grid_check(ctx, &s->grid) == RIA_OK) return RIA_OK;
  return ria_fail_more(ctx, RIA_ERR_INPUT, "store %s", s->path);
}

ria_status ria_store_add(ria_context *ctx, ria_store *s, const char *name, bool fixed,
                         ria_stored_field **out) {
  RIA_TRY(ria_grow(ctx, "fields of a store", &s->field, &s->room, s->n + 1, sizeof *s->field));
  ria_stored_field *f = *out = &s->field[s->n++];
  memset(f, 0, sizeof *f);
  snprintf(f->name, sizeof f->name, "%s", name);
  f->fixed = fixed;
  return RIA_OK;
}

/* --- opening ---------------------------------------------------------------------------------- */

static bool is_file(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* How much of a path comes before the end that says its kind. */
static int stem_of(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  return dot && dot > (slash ? slash : path) ? (int)(dot - path) : (int)strlen(path);
}

/* The directory of the store: path, or fields.zarr in it. */
static ria_status find_store(ria_context *ctx, const char *path, char **out) {
  const char *const tried[] = {"", "fields.zarr"};
  for (int k = 0; k < 2; k++) {
    char *dir = *tried[k] ? ria_path_join(path, tried[k]) : ria_strdup(path);
    char *mark = dir ? ria_path_join(dir, ".zgroup") : NULL;
    const bool lacks = !mark, there = mark && is_file(mark);
    free(mark);
    if (there) return *out = dir, RIA_OK;
    free(dir);
    if (lacks) return ria_fail_memory(ctx, "a store", strlen(path));
  }
  const char *kind = ria_raster_by_gdal(path);
  if (kind)
    return ria_fail(ctx, RIA_ERR_INPUT,
                    "%s: %s, and a store is read: gdalmdimtranslate -of netCDF -co FORMAT=NC2 %s "
                    "%.*s.nc makes one",
                    path, kind, path, stem_of(path), path);
  if (strcmp(path + stem_of(path), ".ria") == 0)
    return ria_fail(ctx, RIA_ERR_INPUT,
                    "%s: this is a checkpoint: the same script goes on from it (ria run "
                    "--continue), and other runs begin from saved fields: name the results of a "
                    "run that saved some",
                    path);
  return ria_fail(ctx, RIA_ERR_INPUT,
                  "%s: there is no store: name the results of a run that saved fields "
                  "(sim:every(\"10 min\", ria.save { \"level\", \"u\", \"v\" })), or its store",
                  path);
}

static bool named_netcdf(const char *path) { return strcmp(path + stem_of(path), ".nc") == 0; }

/* A file: classic netCDF is left open (s->fd), HDF5 refused, all others are not looked into. */
static ria_status find_netcdf(ria_context *ctx, const char *path, ria_store *s) {
  unsigned char head[8];
  RIA_TRY(ria_read_must(ctx, path, O_NONBLOCK, &s->fd));
  const ssize_t n = pread(s->fd, head, sizeof head, 0);
  const int version = n > 0 ? ria_netcdf_version(head, (size_t)n) : 0;
  if (version > 0 || (version == 0 && named_netcdf(path))) {
    if (s->how.zarr)
      return ria_fail(ctx, RIA_ERR_INPUT, "%s: a netCDF file, and what a run saved is read here",
                      path);
    s->kind = &ria_netcdf_kind;
    s->path = ria_strdup(path);
    return s->path ? RIA_OK : ria_fail_memory(ctx, "a store", strlen(path));
  }
  close(s->fd);
  s->fd = -1;
  if (version == 0) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_INPUT,
                  "%s: a netCDF-4 (HDF5) file, and classic netCDF is read: nccopy -k cdf5 %s "
                  "%.*s_cdf5.nc makes one",
                  path, path, stem_of(path), path);
}

static ria_status open_any(ria_context *ctx, const char *path, ria_store *s) {
  s->kind = &ria_zarr_kind;
  if (is_file(path)) RIA_TRY(find_netcdf(ctx, path, s));
  if (!s->path) RIA_TRY(find_store(ctx, path, &s->path));
  return s->kind->open(ctx, s);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const ria_stored_field *)a)->name, ((const ria_stored_field *)b)->name);
}

ria_status ria_store_open(ria_context *ctx, const char *path, ria_store **out) {
  return ria_store_open_as(ctx, path, &(ria_store_how){.timeless = false}, out);
}

ria_status ria_store_open_as(ria_context *ctx, const char *path, const ria_store_how *how,
                             ria_store **out) {
  *out = NULL;
  RIA_TRY(ria_may_read(ctx, path));
  ria_store *s = calloc(1, sizeof *s);
  if (!s) return ria_fail_memory(ctx, "a store", sizeof *s);
  s->fd = -1;
  s->how = *how;
  const ria_status status = open_any(ctx, path, s);
  if (status == RIA_OK && s->n) qsort(s->field, s->n, sizeof *s->field, by_name);
  if (status == RIA_OK)
    *out = s;
  else
    ria_store_close(&s);
  return status;
}

void ria_store_close(ria_store **s) {
  if (!*s) return;
  if ((*s)->fd >= 0) close((*s)->fd);
  ria_netcdf_close(&(*s)->nc);
  free((*s)->crs);
  free((*s)->path);
  free((*s)->time);
  free((*s)->field);
  free(*s);
  *s = NULL;
}

/* --- what it has ------------------------------------------------------------------------------ */

const char *ria_store_path(const ria_store *s) { return s->path; }
const ria_grid *ria_store_grid(const ria_store *s) { return &s->grid; }
const double *ria_store_times(const ria_store *s, size_t *n, bool *dated) {
  *n = s->n_times;
  *dated = s->dated;
  return s->time;
}

bool ria_store_other_crs(const ria_store *s, const char *crs) {
  return ria_crs_given(crs) && s->kind->other_crs(s, crs);
}

const char *ria_store_lon_lat(const ria_store *s) {
  if (!s->degrees) return NULL;
  return s->crs && ria_crs_geographic(s->crs) ? s->crs : "EPSG:4326";
}

const ria_stored_field *ria_store_find(const ria_store *s, const char *name) {
  for (size_t k = 0; k < s->n; k++)
    if (strcmp(s->field[k].name, name) == 0) return &s->field[k];
  return NULL;
}

bool ria_store_has(const ria_store *s, const char *field) {
  const ria_stored_field *f = ria_store_find(s, field);
  return f && !f->fixed;
}

bool ria_store_has_fixed(const ria_store *s, const char *field) {
  const ria_stored_field *f = ria_store_find(s, field);
  return f && f->fixed;
}

const char *ria_store_field(const ria_store *s, size_t k) {
  return k < s->n ? s->field[k].name : NULL;
}

ria_status ria_store_unit(ria_context *ctx, const ria_store *s, const char *field, char *unit,
                          size_t size) {
  const ria_stored_field *f = ria_store_find(s, field);
  *unit = '\0';
  return f ? s->kind->unit(ctx, s, f, unit, size) : RIA_OK;
}

void ria_store_fields(const ria_store *s, char *text, size_t size) {
  *text = '\0';
  for (size_t k = 0; k < s->n; k++)
    if (!s->field[k].fixed) ria_append(text, size, "%s%s", *text ? ", " : "", s->field[k].name);
}

ria_status ria_store_read(ria_context *ctx, const ria_store *s, const char *field, size_t k,
                          const ria_window *w, double *out) {
  const ria_stored_field *f = ria_store_find(s, field);
  if (!f) return ria_store_fail(ctx, s, field, "there is no such field");
  return s->kind->read(ctx, s, f, k, w, out);
}
