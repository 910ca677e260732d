/* io/raster.c - rasters: made, read, written, looked up at a point.
 *
 * Reading and writing choose the format: GeoTIFF by name or first bytes, what GDAL alone reads,
 * else ESRI ASCII. They look after the .prj file beside it, which holds the coordinate reference
 * system: bay.prj for bay.asc and for bay.asc.gz, and for a bay.tif that does not say it itself. */
#include "base/text.h"
#include "base/ranks.h"
#include "io/access.h"
#include "io/crs.h"
#include "io/file.h"
#include "io/gdal.h"
#include "io/xyz.h"
#include "io/target.h"
#include "io/raster_asc.h"
#include "io/raster_between.h"
#include "io/raster_tiff.h"
#include "io/text_file.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

ria_status ria_raster_create(ria_context *ctx, const ria_grid *grid, ria_raster **out) {
  *out = NULL;
  RIA_TRY(ria_grid_check(ctx, grid));
  size_t n = (size_t)grid->nx * (size_t)grid->ny;
  RIA_TRY(ria_limit_memory(ctx, "a raster", (double)n * sizeof(double)));
  ria_raster *r = calloc(1, sizeof *r);
  if (r && n <= SIZE_MAX / sizeof *r->data) r->data = malloc(n * sizeof *r->data);
  if (!r || !r->data) {
    free(r);
    return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for a raster of %d x %d cells (%.0f MB)",
                    grid->nx, grid->ny, (double)n * sizeof(double) / 1e6);
  }
  r->grid = *grid;
  for (size_t c = 0; c < n; c++) r->data[c] = NAN;
  *out = r;
  return RIA_OK;
}

void ria_raster_destroy(ria_raster **r) {
  if (!r || !*r) return;
  free((*r)->data);
  free((*r)->crs);
  free((*r)->unit);
  free((*r)->about);
  free(*r);
  *r = NULL;
}

/* --- the .prj beside -------------------------------------------------------------------------- */

/* "dir/bay.prj" of "dir/bay.asc.gz"; malloc'ed. */
static char *prj_path(const char *path) {
  size_t n = strlen(path);
  if (ria_ends_with(path, ".gz")) n -= 3;
  for (size_t k = n; k > 0 && path[k - 1] != '/'; k--)
    if (path[k - 1] == '.') {
      n = k - 1;
      break;
    }
  char *prj = malloc(n + sizeof ".prj");
  if (!prj) return NULL;
  memcpy(prj, path, n);
  memcpy(prj + n, ".prj", sizeof ".prj");
  return prj;
}

static void trim(char *s) {
  size_t n = strlen(s), skip = 0;
  while (n > 0 && isspace((unsigned char)s[n - 1])) n--;
  while (skip < n && isspace((unsigned char)s[skip])) skip++;
  memmove(s, s + skip, n - skip);
  s[n - skip] = '\0';
}

static ria_status read_prj(ria_context *ctx, const char *prj, char **crs) {
  struct stat st;
  char *text;
  size_t n;
  if (stat(prj, &st) != 0) return RIA_OK;
  if (!S_ISREG(st.st_mode)) /* a FIFO would make the run wait */
    return ria_fail(ctx, RIA_ERR_INPUT, "%s: a coordinate system is read from a regular file", prj);
  RIA_TRY(ria_text_slurp(ctx, prj, RIA_CRS_MAX - 1, &text, &n));
  if (memchr(text, '\0', n)) {
    free(text);
    return ria_fail(ctx, RIA_ERR_INPUT, "%s: not text; a coordinate system as WKT was expected",
                    prj);
  }
  trim(text);
  if (*text)
    *crs = text;
  else
    free(text);
  return RIA_OK;
}

ria_status ria_prj_read(ria_context *ctx, const char *path, char **crs) {
  char *prj = prj_path(path);
  *crs = NULL;
  const ria_status s =
      prj ? read_prj(ctx, prj, crs) : ria_fail(ctx, RIA_ERR_MEMORY, "out of memory");
  free(prj);
  return s;
}

/* Spelled out where ria can: programs that read it know no codes there. */
static ria_status write_prj(ria_context *ctx, const char *prj, const char *crs) {
  char err[RIA_ERR_TEXT];
  ria_buffer wkt = {0};
  if (ria_crs_given(crs)) ria_crs_wkt(crs, &wkt);
  ria_status s = wkt.failed
                     ? ria_error_text(RIA_ERR_MEMORY, err, sizeof err, "out of memory for %s", prj)
                     : ria_target_write(ctx, prj, wkt.n ? (const char *)wkt.data : crs,
                                        wkt.n ? wkt.n : strlen(crs), err, sizeof err);
  ria_buffer_free(&wkt);
  return s == RIA_OK ? s : ria_fail(ctx, s, "%s", err);
}

static ria_status remove_beside(ria_context *ctx, const char *beside) {
  char err[RIA_ERR_TEXT];
  RIA_TRY(ria_may_write(ctx, beside));
  const ria_status s = ria_tree_remove(beside, err, sizeof err);
  return s == RIA_OK ? s : ria_fail(ctx, s, "%s", err);
}

/* A raster without a coordinate system, where a .prj says one: that of the file it replaces goes
 * with it; beside a new file it belongs to something else. */
static ria_status clear_prj(ria_context *ctx, const char *prj, const char *path, bool replaces) {
  if (!ria_file_exists(prj)) return RIA_OK;
  if (replaces) return remove_beside(ctx, prj);
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "%s: the raster has no coordinate system, and %s beside it would be read as "
                  "one: write to another name, or give the raster its crs",
                  path, prj);
}

/* Other values, places and masks, which GDAL or a GIS left beside a GeoTIFF of this name: they
 * would count for the new one. */
static ria_status clear_tiff(ria_context *ctx, const char *path) {
  static const char *const ends[] = {".aux.xml", ".msk", ".MSK"};
  char beside[PATH_MAX];
  for (size_t k = 0; ria_tiff_is_named(path) && k < sizeof ends / sizeof *ends; k++)
    if ((size_t)snprintf(beside, sizeof beside, "%s%s", path, ends[k]) < sizeof beside &&
        ria_file_exists(beside))
      RIA_TRY(remove_beside(ctx, beside));
  return RIA_OK;
}

/* --- reading and writing ---------------------------------------------------------------------- */

/* What ria does not read of TIFF, GDAL may. */
static ria_status read_tiff(ria_context *ctx, const char *path, ria_raster **out) {
  char why[256];
  bool refused;
  const ria_status s = ria_tiff_read(ctx, path, out, &refused);
  if (s == RIA_OK || !refused || ria_is_limited(ctx) || !ria_gdal_there(why, sizeof why)) return s;
  return ria_gdal_read(ctx, path, "a TIFF file", out);
}

static ria_status read_file(ria_context *ctx, const char *path, ria_raster **out) {
  RIA_TRY(ria_may_read(ctx, path)); /* before its first bytes are looked at */
  if (ria_tiff_is(path)) return read_tiff(ctx, path, out);
  if (ria_xyz_is_named(path)) return ria_xyz_read_raster(ctx, path, out);
  const char *kind = ria_raster_by_gdal(path);
  return kind ? ria_gdal_read(ctx, path, kind, out) : ria_asc_read(ctx, path, out);
}

ria_status ria_raster_read(ria_context *ctx, const char *path, ria_raster **out) {
  *out = NULL;
  if (!path)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "a raster is read from a file: its path is NULL");
  ria_raster *r;
  RIA_TRY(read_file(ctx, path, &r));
  if (r->crs) {
    *out = r;
    return RIA_OK;
  }
  const ria_status s = ria_prj_read(ctx, path, &r->crs);
  if (s == RIA_OK)
    *out = r;
  else
    ria_raster_destroy(&r);
  return s;
}

static ria_status write_file(ria_context *ctx, const ria_raster *r, const char *path) {
  if (ria_tiff_is_named(path)) return ria_tiff_write(ctx, r, NULL, path);
  if (r->grid.angle != 0.0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "%s: ESRI ASCII has no grids with an angle (%g deg); write a GeoTIFF (.tif)",
                    path, r->grid.angle);
  return ria_asc_write(ctx, r, path);
}

/* The raster, and the .prj beside it: of a GeoTIFF, which says its system, none. */
static ria_status write_beside(ria_context *ctx, const ria_raster *r, const char *path,
                               const char *prj) {
  RIA_TRY(ria_may_write(ctx, path));
  const bool told = r->crs && *r->crs, there = ria_file_exists(path);
  const bool replaces = ria_target_is_file(path);
  if (!told && !there) RIA_TRY(clear_prj(ctx, prj, path, false));
  RIA_TRY(write_file(ctx, r, path));
  if (!ria_target_is_file(path)) return RIA_OK; /* into a FIFO, a device */
  RIA_TRY(clear_tiff(ctx, path));
  if (!told) return replaces ? clear_prj(ctx, prj, path, true) : RIA_OK;
  return ria_tiff_is_named(path) ? RIA_OK : write_prj(ctx, prj, r->crs);
}

static ria_status write_raster(ria_context *ctx, const ria_raster *r, const char *path) {
  char *prj = prj_path(path);
  if (!prj) return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory");
  const ria_status s = write_beside(ctx, r, path, prj);
  free(prj);
  return s;
}

ria_status ria_raster_write(ria_context *ctx, const ria_raster *r, const char *path) {
  RIA_TRY(ria_grid_check(ctx, &r->grid));
  return ria_ranks_wrote(ctx, ria_ranks_write(ctx) ? write_raster(ctx, r, path) : RIA_OK);
}

/* --- a value at a point ----------------------------------------------------------------------- */

double ria_raster_sample(const ria_raster *r, double x, double y) {
  const ria_grid *g = &r->grid;
  int i, j;
  double fx, fy, sum = 0.0;
  ria_grid_from_map(g, &x, &y);
  if (!ria_raster_between((x - g->x0) / g->dx, g->nx, &i, &fx)) return NAN;
  if (!ria_raster_between((y - g->y0) / g->dy, g->ny, &j, &fy)) return NAN;
  for (int b = 0; b < 2; b++)
    for (int a = 0; a < 2; a++) {
      double w = (a ? fx : 1.0 - fx) * (b ? fy : 1.0 - fy);
      if (w > 0.0) sum += w * r->data[(size_t)(j + b) * (size_t)g->nx + (size_t)(i + a)];
    }
  return sum;
}
