/* io/soundings.c - scattered points to the cells of a raster.
 *
 * Where a cell holds enough points their mean is what stands for it. Elsewhere the ground is taken
 * as linear in the triangles of the points (delaunay.h): then a cell with many points is one corner
 * there, their mean at their middle, so that a survey of a hundred million points makes no more
 * triangles than cells. */
#include "io/crs.h"
#include "io/crs_read.h"
#include "io/delaunay.h"
#include "io/xyz.h"

#include "base/context.h"

#include <math.h>
#include <ria/crs.h>
#include <ria/soundings.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 3 };

typedef struct gridder {
  ria_context *ctx;
  const ria_soundings_desc *desc;
  const char *name; /* for messages */
  ria_xyz points, corners;
  ria_raster *raster;
  double *sum; /* [cells][3] of x, y, z from the cell's corner and the first height */
  int32_t *count;
  char **own;    /* [n_paths] the system that stands beside each file; NULL where there is none */
  size_t *first; /* [n_paths + 1] points of each file, and of those in memory behind them */
  char *crs;     /* of the points, where they are not converted */
  bool lattice;  /* each point is a cell */
  size_t by_mean, between, without, outside;
} gridder;

/* --- the points ------------------------------------------------------------------------------- */

static ria_status read_points(gridder *g) {
  const ria_soundings_desc *d = g->desc;
  g->first = calloc(d->n_paths + 1, sizeof *g->first);
  if (!g->first) return ria_fail(g->ctx, RIA_ERR_MEMORY, "out of memory");
  for (size_t k = 0; k < d->n_paths; k++) {
    RIA_TRY(ria_xyz_read(g->ctx, d->paths[k], d->has_nodata ? &d->nodata : NULL, &g->points));
    g->first[k + 1] = g->points.n;
  }
  for (size_t k = 0; k < d->n; k++) {
    if (!isfinite(d->x[k]) || !isfinite(d->y[k]))
      return ria_fail(g->ctx, RIA_ERR_ARGUMENT, "soundings: point %zu is at (%g, %g)", k, d->x[k],
                      d->y[k]);
    if (fabs(d->z[k]) < 1e38 && !(d->has_nodata && d->z[k] == d->nodata))
      RIA_TRY(ria_xyz_add(g->ctx, &g->points, d->x[k], d->y[k], d->z[k]));
  }
  if (g->points.n == 0) return ria_fail(g->ctx, RIA_ERR_INPUT, "%s: there are no points", g->name);
  for (size_t k = 0; k < g->points.n; k++)
    g->points.z[k] = (d->down ? -g->points.z[k] : g->points.z[k]) + d->offset;
  return RIA_OK;
}

static ria_status drop_unreached(gridder *g) {
  ria_xyz *p = &g->points;
  size_t kept = 0;
  for (size_t k = 0; k < p->n; k++) {
    if (isnan(p->x[k]) || isnan(p->y[k])) continue;
    p->x[kept] = p->x[k], p->y[kept] = p->y[k], p->z[kept++] = p->z[k];
  }
  if (kept < p->n)
    ria_log(g->ctx, "%s: %zu of %zu points lie where %s does not reach", g->name, p->n - kept, p->n,
            g->desc->to);
  p->n = kept;
  return kept ? RIA_OK
              : ria_fail(g->ctx, RIA_ERR_INPUT, "%s: no point lies where %s reaches", g->name,
                         g->desc->to);
}

/* --- their systems ---------------------------------------------------------------------------- */

static ria_status read_systems(gridder *g) {
  const ria_soundings_desc *d = g->desc;
  g->own = calloc(d->n_paths + 1, sizeof *g->own);
  if (!g->own) return ria_fail(g->ctx, RIA_ERR_MEMORY, "out of memory");
  for (size_t k = 0; !d->crs && k < d->n_paths; k++)
    RIA_TRY(ria_prj_read(g->ctx, d->paths[k], &g->own[k]));
  const char *crs = d->crs ? d->crs : g->own[0];
  if (crs && !(g->crs = strdup(crs))) return ria_fail(g->ctx, RIA_ERR_MEMORY, "out of memory");
  return RIA_OK;
}

static bool same_system(ria_context *ctx, const char *one, const char *other) {
  ria_crs *a = NULL, *b = NULL;
  if (strcmp(one, other) == 0) return true;
  const bool known =
      ria_crs_create(ctx, one, &a) == RIA_OK && ria_crs_create(ctx, other, &b) == RIA_OK;
  const bool same = known && ria_crs_same(a, b);
  ria_crs_destroy(&a);
  ria_crs_destroy(&b);
  return same;
}

/* Points that are not converted are all in the system of the first file. */
static ria_status check_one_system(const gridder *g) {
  const ria_soundings_desc *d = g->desc;
  for (size_t k = 1; !d->crs && k < d->n_paths; k++) {
    const char *const *p = d->paths;
    if (!g->own[k] != !g->crs)
      return ria_fail(g->ctx, RIA_ERR_INPUT,
                      "%s has no .prj beside it, and %s has one: say the system of all points, crs "
                      "= \"EPSG:n\"",
                      g->crs ? p[k] : p[0], g->crs ? p[0] : p[k]);
    if (g->crs && !same_system(g->ctx, g->crs, g->own[k]))
      return ria_fail(g->ctx, RIA_ERR_INPUT,
                      "%s and %s are in different coordinate systems, as their .prj say: say to "
                      "which system the points go, to = \"EPSG:n\"",
                      p[0], p[k]);
  }
  return RIA_OK;
}

/* The points from first to last - 1. */
static ria_status convert(gridder *g, const char *crs, const char *name, const ria_crs *to,
                          size_t first, size_t last) {
  ria_crs *from;
  if (first == last) return RIA_OK;
  if (!crs)
    return ria_fail(g->ctx, RIA_ERR_ARGUMENT,
                    "%s: to = '%s' needs the points' crs: crs = \"EPSG:4326\", or a .prj beside "
                    "the file",
                    name, g->desc->to);
  RIA_TRY(ria_crs_create(g->ctx, crs, &from));
  const ria_status s =
      ria_crs_convert(from, to, last - first, g->points.x + first, g->points.y + first);
  ria_crs_destroy(&from);
  return s;
}

static ria_status convert_all(gridder *g) {
  const ria_soundings_desc *d = g->desc;
  ria_crs *to;
  RIA_TRY(ria_crs_create(g->ctx, d->to, &to));
  ria_status s = RIA_OK;
  if (ria_crs_in_degrees(to))
    s = ria_fail(g->ctx, RIA_ERR_ARGUMENT, "to = '%s' is in degrees, and cells are in metres",
                 d->to);
  for (size_t k = 0; s == RIA_OK && k < d->n_paths; k++)
    s = convert(g, d->crs ? d->crs : g->own[k], d->paths[k], to, g->first[k], g->first[k + 1]);
  if (s == RIA_OK) s = convert(g, g->crs, g->name, to, g->first[d->n_paths], g->points.n);
  ria_crs_destroy(&to);
  return s == RIA_OK ? drop_unreached(g) : s;
}

/* The points as a raster of as many cells, each as large as the ground that a point has. */
static bool look_like_degrees(const gridder *g) {
  const ria_xyz *p = &g->points;
  const int side = (int)sqrt((double)p->n);
  double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
  for (size_t k = 0; k < p->n; k++) {
    x0 = fmin(x0, p->x[k]), x1 = fmax(x1, p->x[k]);
    y0 = fmin(y0, p->y[k]), y1 = fmax(y1, p->y[k]);
  }
  if (!(x1 > x0 || y1 > y0)) return false;
  const ria_raster r = {.grid = {.nx = side,
                                 .ny = side,
                                 .dx = (x1 - x0) / side,
                                 .dy = (y1 - y0) / side,
                                 .x0 = x0,
                                 .y0 = y0},
                        .data = p->z};
  return ria_raster_looks_like_degrees(&r);
}

static ria_status check_metres(const gridder *g) {
  double unit;
  const ria_crs_axes axes = ria_crs_counts_in(g->ctx, g->crs, &unit);
  if (axes == RIA_CRS_OTHERS)
    return ria_fail(g->ctx, RIA_ERR_INPUT,
                    "%s: the points count x and y in units of %.10g m, and cells are in metres: "
                    "take them to a system in metres (ogr2ogr -t_srs EPSG:n)",
                    g->name, unit);
  if (axes == RIA_CRS_DEGREES)
    return ria_fail(g->ctx, RIA_ERR_INPUT,
                    "%s: the points are in degrees, and cells are in metres: say to which system "
                    "they go, to = \"EPSG:n\"",
                    g->name);
  if (axes == RIA_CRS_METRES || !look_like_degrees(g)) return RIA_OK;
  return ria_fail(g->ctx, RIA_ERR_INPUT,
                  "%s: the points are in degrees (by their extent and heights), and cells are in "
                  "metres: say both systems, crs = \"EPSG:4326\", to = \"EPSG:%d\"",
                  g->name, ria_crs_utm(g->points.x[0], g->points.y[0]));
}

/* Metres, by `to` where the points are in degrees. */
static ria_status place_points(gridder *g) {
  RIA_TRY(read_systems(g));
  if (g->desc->to) return convert_all(g);
  RIA_TRY(check_one_system(g));
  return check_metres(g);
}

/* --- the cells -------------------------------------------------------------------------------- */

static ria_grid around(const ria_xyz *p, double dx, double dy) {
  double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
  for (size_t k = 0; k < p->n; k++) {
    x0 = fmin(x0, p->x[k]), x1 = fmax(x1, p->x[k]);
    y0 = fmin(y0, p->y[k]), y1 = fmax(y1, p->y[k]);
  }
  ria_grid g = {.dx = dx, .dy = dy, .x0 = floor(x0 / dx) * dx, .y0 = floor(y0 / dy) * dy};
  const double nx = fmax(ceil((x1 - g.x0) / dx), 1.0), ny = fmax(ceil((y1 - g.y0) / dy), 1.0);
  g.nx = nx < INT32_MAX ? (int)nx : INT32_MAX;
  g.ny = ny < INT32_MAX ? (int)ny : INT32_MAX;
  return g;
}

static ria_status box_grid(const gridder *g, double dx, double dy, ria_grid *out) {
  const ria_soundings_desc *d = g->desc;
  if (!(d->x1 > d->x0 && d->y1 > d->y0))
    return ria_fail(g->ctx, RIA_ERR_ARGUMENT,
                    "soundings: the box from (%g, %g) to (%g, %g) must rise", d->x0, d->y0, d->x1,
                    d->y1);
  const double nx = rint((d->x1 - d->x0) / dx), ny = rint((d->y1 - d->y0) / dy);
  *out = (ria_grid){.nx = nx < INT32_MAX ? (int)fmax(nx, 1.0) : INT32_MAX,
                    .ny = ny < INT32_MAX ? (int)fmax(ny, 1.0) : INT32_MAX,
                    .dx = dx,
                    .dy = dy,
                    .x0 = d->x0,
                    .y0 = d->y0};
  return RIA_OK;
}

static ria_status choose_grid(gridder *g, ria_grid *out) {
  const ria_soundings_desc *d = g->desc;
  const bool box = d->x0 != 0.0 || d->y0 != 0.0 || d->x1 != 0.0 || d->y1 != 0.0;
  const double dy = d->dy > 0.0 ? d->dy : d->dx;
  if (d->dx > 0.0 && box) return box_grid(g, d->dx, dy, out);
  if (d->dx > 0.0) {
    *out = around(&g->points, d->dx, dy);
    return RIA_OK;
  }
  if (!box) RIA_TRY(ria_xyz_lattice(g->ctx, &g->points, out));
  g->lattice = !box && out->nx > 0;
  if (g->lattice) return RIA_OK;
  return ria_fail(g->ctx, RIA_ERR_INPUT,
                  "%s: %zu points %s: say how large cells are, dx = \"10 m\"", g->name, g->points.n,
                  box ? "in a box" : "on no lattice");
}

/* The cell of a point; false: outside. The outer edges belong to the last cells. */
static bool cell_of(const ria_grid *g, double x, double y, size_t *cell) {
  double i = floor((x - g->x0) / g->dx), j = floor((y - g->y0) / g->dy);
  if (x == g->x0 + g->nx * g->dx) i = g->nx - 1;
  if (y == g->y0 + g->ny * g->dy) j = g->ny - 1;
  if (!(i >= 0.0 && j >= 0.0 && i < g->nx && j < g->ny)) return false;
  *cell = (size_t)j * (size_t)g->nx + (size_t)i;
  return true;
}

static void add_up(gridder *g) {
  const ria_xyz *p = &g->points;
  const ria_grid *r = &g->raster->grid;
  for (size_t k = 0; k < p->n; k++) {
    size_t c;
    if (!cell_of(r, p->x[k], p->y[k], &c)) {
      g->outside++;
      continue;
    }
    g->count[c] += g->count[c] < INT32_MAX;
    g->sum[3 * c] += p->x[k] - r->x0;
    g->sum[3 * c + 1] += p->y[k] - r->y0;
    g->sum[3 * c + 2] += p->z[k];
  }
}

static double mean_of(const gridder *g, size_t cell) {
  return g->sum[3 * cell + 2] / g->count[cell];
}

static int least_of(const gridder *g) { return g->desc->least > 0 ? g->desc->least : LEAST; }

/* --- triangles -------------------------------------------------------------------------------- */

/* With means, a cell with enough points is one corner; all others are corners themselves. */
static ria_status choose_corners(gridder *g) {
  const ria_xyz *p = &g->points;
  const ria_grid *r = &g->raster->grid;
  const bool means = g->desc->gridding == RIA_GRIDDING_AUTO;
  for (size_t k = 0; k < p->n; k++) {
    size_t c;
    const bool within = cell_of(r, p->x[k], p->y[k], &c);
    if (within && means && g->count[c] >= least_of(g)) continue;
    RIA_TRY(ria_xyz_add(g->ctx, &g->corners, p->x[k], p->y[k], p->z[k]));
  }
  for (size_t c = 0; means && c < (size_t)r->nx * (size_t)r->ny; c++)
    if (g->count[c] >= least_of(g))
      RIA_TRY(ria_xyz_add(g->ctx, &g->corners, r->x0 + g->sum[3 * c] / g->count[c],
                          r->y0 + g->sum[3 * c + 1] / g->count[c], mean_of(g, c)));
  return RIA_OK;
}

/* Points at one place: their mean, at the one that stands for them. */
static ria_status merge_same(gridder *g, const int32_t *same) {
  ria_xyz *p = &g->corners;
  int32_t *n = calloc(p->n, sizeof *n);
  if (!n) return ria_fail(g->ctx, RIA_ERR_MEMORY, "out of memory for %zu points", p->n);
  for (size_t k = 0; k < p->n; k++) n[same[k]]++;
  for (size_t k = 0; k < p->n; k++)
    if (same[k] != (int32_t)k) p->z[same[k]] += p->z[k];
  for (size_t k = 0; k < p->n; k++)
    if (n[k] > 1) p->z[k] /= n[k];
  free(n);
  return RIA_OK;
}

static double longest_side(const ria_xyz *p, const int32_t c[3]) {
  double most = 0.0;
  for (int k = 0; k < 3; k++) {
    const int32_t a = c[k], b = c[(k + 1) % 3];
    most = fmax(most, hypot(p->x[a] - p->x[b], p->y[a] - p->y[b]));
  }
  return most;
}

/* The first and last index of an axis whose centre may lie between lo and hi; first > last where
 * there is none. Far points lie beyond any int, so doubles are clamped. */
static void range_of(double lo, double hi, double origin, double step, int n, int *first,
                     int *last) {
  const double from = ceil((lo - origin) / step - 0.5 - 1e-6);
  const double to = floor((hi - origin) / step - 0.5 + 1e-6);
  *first = (int)fmin(fmax(from, 0.0), n);
  *last = (int)fmax(fmin(to, n - 1.0), -1.0);
}

/* A point x, y from the first corner is (x cy - y cx) / twice of the way to the third, and
 * (y bx - x by) / twice to the second. */
typedef struct triangle {
  double x, y, z;        /* the first corner */
  double bx, by, cx, cy; /* from there to the others */
  double twice;          /* the area */
  double rise_b, rise_c; /* of the ground, to the others */
  double slack;          /* rounding leaves no cell of the triangle outside of span_of */
} triangle;

static const double seam = 1e-9; /* of a triangle: rounding leaves no seam between two */

static triangle triangle_of(const ria_xyz *p, const int32_t c[3]) {
  triangle t = {.x = p->x[c[0]], .y = p->y[c[0]], .z = p->z[c[0]]};
  t.bx = p->x[c[1]] - t.x, t.by = p->y[c[1]] - t.y, t.rise_b = p->z[c[1]] - t.z;
  t.cx = p->x[c[2]] - t.x, t.cy = p->y[c[2]] - t.y, t.rise_c = p->z[c[2]] - t.z;
  t.twice = t.bx * t.cy - t.by * t.cx;
  const double size = fmax(fmax(fabs(t.bx), fabs(t.by)), fmax(fabs(t.cx), fabs(t.cy)));
  t.slack = 2.0 * seam + 1e-14 * size * size / t.twice;
  return t;
}

/* Where slope x + part >= -slack. */
static void cut_span(double slope, double part, double slack, double *lo, double *hi) {
  if (slope > 0.0) *lo = fmax(*lo, (-slack - part) / slope);
  if (slope < 0.0) *hi = fmin(*hi, (-slack - part) / slope);
}

/* What the triangle leaves of lo .. hi on a row at y. A narrow one crosses few cells of its box. */
static void span_of(const triangle *t, double y, double *lo, double *hi) {
  const double v = -y * t->cx / t->twice, w = y * t->bx / t->twice;
  const double dv = t->cy / t->twice, dw = -t->by / t->twice;
  cut_span(dv, v, t->slack, lo, hi);
  cut_span(dw, w, t->slack, lo, hi);
  cut_span(-dv - dw, 1.0 - v - w, t->slack, lo, hi);
}

/* The cells of row j whose centres lie in a triangle, and do not have a mean, get its plane. */
static void draw_row(gridder *g, const triangle *t, int j, double lo, double hi) {
  const ria_grid *r = &g->raster->grid;
  const double y = r->y0 + (j + 0.5) * r->dy - t->y;
  int i0, i1;
  span_of(t, y, &lo, &hi);
  range_of(t->x + lo, t->x + hi, r->x0, r->dx, r->nx, &i0, &i1);
  for (int i = i0; i <= i1; i++) {
    const double x = r->x0 + (i + 0.5) * r->dx - t->x;
    const double v = (x * t->cy - y * t->cx) / t->twice, w = (t->bx * y - t->by * x) / t->twice;
    if (v < -seam || w < -seam || v + w > 1.0 + seam) continue;
    double *cell = &g->raster->data[(size_t)j * (size_t)r->nx + (size_t)i];
    if (!isnan(*cell)) continue;
    *cell = t->z + v * t->rise_b + w * t->rise_c;
    g->between++;
    g->without--;
  }
}

static void draw_triangle(gridder *g, const int32_t c[3]) {
  const triangle t = triangle_of(&g->corners, c);
  const ria_grid *r = &g->raster->grid;
  int j0, j1;
  if (!(t.twice > 0.0)) return;
  range_of(t.y + fmin(0.0, fmin(t.by, t.cy)), t.y + fmax(0.0, fmax(t.by, t.cy)), r->y0, r->dy,
           r->ny, &j0, &j1);
  for (int j = j0; j <= j1; j++)
    draw_row(g, &t, j, fmin(0.0, fmin(t.bx, t.cx)), fmax(0.0, fmax(t.bx, t.cx)));
}

static ria_status draw_triangles(gridder *g) {
  ria_delaunay d;
  RIA_TRY(choose_corners(g));
  RIA_TRY(ria_delaunay_make(g->ctx, g->corners.x, g->corners.y, g->corners.n, &d));
  ria_status s = d.n ? merge_same(g, d.same) : RIA_OK;
  for (size_t k = 0; s == RIA_OK && k < d.n; k++) {
    if (k % 1024 == 0) s = ria_go_on(g->ctx);
    if (g->desc->reach <= 0.0 || longest_side(&g->corners, d.corner[k]) <= g->desc->reach)
      draw_triangle(g, d.corner[k]);
  }
  ria_delaunay_free(&d);
  return s;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Gives each cell without a value, in which there are enough points, their mean. */
static void put_means(gridder *g, int least) {
  const size_t n = (size_t)g->raster->grid.nx * (size_t)g->raster->grid.ny;
  for (size_t c = 0; c < n; c++)
    if (g->count[c] >= least && isnan(g->raster->data[c])) {
      g->raster->data[c] = mean_of(g, c);
      g->by_mean++;
      g->without--;
    }
}

static ria_status fill_cells(gridder *g) {
  const ria_gridding way = g->lattice ? RIA_GRIDDING_MEANS : g->desc->gridding;
  if (way != RIA_GRIDDING_TRIANGLES) put_means(g, way == RIA_GRIDDING_MEANS ? 1 : least_of(g));
  if (way != RIA_GRIDDING_MEANS && g->without) RIA_TRY(draw_triangles(g));
  if (way == RIA_GRIDDING_AUTO) put_means(g, 1);
  return RIA_OK;
}

static void tell(const gridder *g) {
  const ria_grid *r = &g->raster->grid;
  char outside[64] = "";
  if (g->outside) snprintf(outside, sizeof outside, "; %zu points lie outside", g->outside);
  ria_log(g->ctx,
          "%s: %zu points on %d x %d cells of %g x %g m: %zu cells by means, %zu between points, "
          "%zu without data%s",
          g->name, g->points.n, r->nx, r->ny, r->dx, r->dy, g->by_mean, g->between, g->without,
          outside);
}

static ria_status make(gridder *g) {
  ria_grid grid;
  RIA_TRY(read_points(g));
  RIA_TRY(place_points(g));
  RIA_TRY(choose_grid(g, &grid));
  RIA_TRY(ria_raster_create(g->ctx, &grid, &g->raster));
  const size_t n = g->without = (size_t)grid.nx * (size_t)grid.ny;
  g->sum = calloc(3 * n, sizeof *g->sum);
  g->count = calloc(n, sizeof *g->count);
  if (!g->sum || !g->count)
    return ria_fail(g->ctx, RIA_ERR_MEMORY, "out of memory for %zu cells", n);
  add_up(g);
  if (g->outside == g->points.n)
    return ria_fail(g->ctx, RIA_ERR_INPUT, "%s: no point lies in the box", g->name);
  RIA_TRY(fill_cells(g));
  const char *crs = g->desc->to ? g->desc->to : g->crs;
  if (crs && !(g->raster->crs = strdup(crs)))
    return ria_fail(g->ctx, RIA_ERR_MEMORY, "out of memory");
  tell(g);
  return RIA_OK;
}

ria_status ria_raster_from_soundings(ria_context *ctx, const ria_soundings_desc *desc,
                                     ria_raster **out) {
  gridder g = {.ctx = ctx, .desc = desc, .name = desc->n_paths ? desc->paths[0] : "soundings"};
  *out = NULL;
  const ria_status s = make(&g);
  if (s == RIA_OK)
    *out = g.raster;
  else
    ria_raster_destroy(&g.raster);
  ria_xyz_free(&g.points);
  ria_xyz_free(&g.corners);
  free(g.sum);
  free(g.count);
  for (size_t k = 0; g.own && k < desc->n_paths; k++) free(g.own[k]);
  free(g.own);
  free(g.first);
  free(g.crs);
  return s;
}
