/* io/raster.c - rasters: made, read, written, looked up at a point.
 *
 * Reading and writing choose the format: GeoTIFF by name or first bytes, what GDAL alone reads,
 * else ESRI ASCII. They look after the .prj file beside it, which holds the coordinate reference
 * system: bay.prj for bay.asc and for bay.asc.gz, and for a bay.tif that does not say it itself. */
#include "base/ranks.h"
#include "io/file.h"
#include "io/gdal.h"
#include "io/xyz.h"
#include "io/target.h"
#include "io/raster_asc.h"
#include "io/raster_between.h"
#include "io/raster_tiff.h"
#include "io/text_file.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

ria_status ria_raster_create(ria_context *ctx, const ria_grid *grid, ria_raster **out) {
  *out = NULL;
  RIA_TRY(ria_grid_check(ctx, grid));
  size_t n = (size_t)grid->nx * (size_t)grid->ny;
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

static bool ends_with(const char *s, size_t n, const char *tail) {
  size_t k = strlen(tail);
  return n >= k && strncasecmp(s + n - k, tail, k) == 0;
}

/* "dir/bay.prj" of "dir/bay.asc.gz"; malloc'ed. */
static char *prj_path(const char *path) {
  size_t n = strlen(path);
  if (ends_with(path, n, ".gz")) n -= 3;
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
  if (!ria_file_exists(prj)) return RIA_OK;
  char *text;
  size_t n;
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

static ria_status write_prj(ria_context *ctx, const char *prj, const char *crs) {
  char err[RIA_ERR_TEXT];
  ria_status s = ria_target_write(prj, crs, strlen(crs), err, sizeof err);
  return s == RIA_OK ? s : ria_fail(ctx, s, "%s", err);
}

/* --- reading and writing ---------------------------------------------------------------------- */

/* What ria does not read of TIFF, GDAL may. */
static ria_status read_tiff(ria_context *ctx, const char *path, ria_raster **out) {
  char why[256];
  bool refused;
  const ria_status s = ria_tiff_read(ctx, path, out, &refused);
  if (s == RIA_OK || !refused || !ria_gdal_there(why, sizeof why)) return s;
  return ria_gdal_read(ctx, path, "a TIFF file", out);
}

static ria_status read_file(ria_context *ctx, const char *path, ria_raster **out) {
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

static ria_status write_raster(ria_context *ctx, const ria_raster *r, const char *path) {
  if (ria_tiff_is_named(path)) return ria_tiff_write(ctx, r, NULL, path);
  if (r->grid.angle != 0.0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "%s: ESRI ASCII has no grids with an angle (%g deg); write a GeoTIFF (.tif)",
                    path, r->grid.angle);
  RIA_TRY(ria_asc_write(ctx, r, path));
  if (!r->crs || !*r->crs || !ria_target_is_file(path)) return RIA_OK;
  char *prj = prj_path(path);
  if (!prj) return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory");
  ria_status s = write_prj(ctx, prj, r->crs);
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
