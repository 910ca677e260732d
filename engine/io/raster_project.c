/* io/raster_project.c - a raster in one coordinate system on cells of another.
 *
 * The corners of the cells are taken back into the raster's system, some thousand at a time; within
 * a cell places lie between its corners in proportion, which is off by less than a millionth of a
 * cell of a kilometre. A cell takes the value between the four centres around its middle; where
 * cells become larger, the mean of such values at places in it that lie at most half a cell of the
 * raster apart, so that a plane stays one; where it holds so many cells of the raster that this
 * took long, their mean by the area that they share with it (raster_warp.c).
 *
 * Without cells of its own the result covers the greatest upright rectangle between the raster's
 * sides, so that no cell of its rim is without data; its lines are multiples of the cell size.
 *
 * A raster all around the globe has no sides in the west and the east: a cell across its seam takes
 * values from both. */
#include "base/context.h"
#include "io/crs.h"
#include "io/raster_between.h"
#include "io/raster_project.h"
#include "io/raster_warp.h"
#include <ria/crs.h>
#include <ria/field.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 1 << 16, MOST = 32, SIDE = 257 };
/* places in a call of the conversion, along a cell, along a side of the raster */

typedef struct project {
  ria_context *ctx;
  const ria_raster *r;
  ria_crs *own, *map; /* of the raster, of the result */
  ria_raster *to;
  unsigned char *inside; /* [cells of to], or NULL */
  double *part;          /* [cells of to] of each that has a value, or NULL */
  bool means;
  double turn; /* cells of the raster once around the globe; 0: it is not in degrees */
  bool global; /* it has them all */
} project;

static ria_status open_systems(project *p, const char *crs) {
  const ria_grid *g = &p->r->grid;
  RIA_TRY(ria_grid_check(p->ctx, g));
  RIA_TRY(ria_crs_create(p->ctx, ria_crs_given(p->r->crs) ? p->r->crs : "EPSG:4326", &p->own));
  RIA_TRY(ria_crs_create(p->ctx, crs, &p->map));
  if (ria_crs_in_degrees(p->map))
    return ria_fail(
        p->ctx, RIA_ERR_ARGUMENT,
        "%s is in degrees, and ria computes in metres: take a system in metres, such as "
        "that of a UTM zone",
        ria_crs_name(p->map));
  if (!ria_crs_in_degrees(p->own) || g->angle != 0.0) return RIA_OK;
  p->turn = 360.0 / g->dx;
  p->global = fabs(g->nx - p->turn) < 0.01;
  return RIA_OK;
}

static void close_systems(project *p) {
  ria_crs_destroy(&p->own);
  ria_crs_destroy(&p->map);
}

/* --- places ----------------------------------------------------------------------------------- */

/* n places of the map, into cells of the raster from its south-west corner. */
static ria_status into_cells(const project *p, size_t n, double *x, double *y) {
  const ria_grid *g = &p->r->grid;
  const double middle = g->x0 + 0.5 * g->nx * g->dx;
  const bool degrees = ria_crs_in_degrees(p->own);
  RIA_TRY(ria_crs_convert(p->map, p->own, n, x, y));
  for (size_t k = 0; k < n; k++) {
    if (degrees)
      x[k] = middle + remainder(x[k] - middle, 360.0); /* 0 to 360 as well as -180 to 180 */
    ria_grid_from_map(g, &x[k], &y[k]);
    x[k] = (x[k] - g->x0) / g->dx;
    y[k] = (y[k] - g->y0) / g->dy;
  }
  return RIA_OK;
}

/* n places on a side of the raster, from one corner to the other, on the map. */
static ria_status along_side(const project *p, ria_side side, size_t n, double *x, double *y) {
  const ria_grid *g = &p->r->grid;
  const double width = g->nx * g->dx, height = g->ny * g->dy;
  for (size_t k = 0; k < n; k++) {
    const double s = (double)k / (double)(n - 1);
    x[k] = g->x0 + (side == RIA_WEST ? 0.0 : side == RIA_EAST ? width : s * width);
    y[k] = g->y0 + (side == RIA_SOUTH ? 0.0 : side == RIA_NORTH ? height : s * height);
    ria_grid_to_map(g, &x[k], &y[k]);
  }
  return ria_crs_convert(p->own, p->map, n, x, y);
}

/* --- the cells of the result ------------------------------------------------------------------ */

/* The rectangle between the sides: box[] by ria_side. */
static ria_status between_sides(const project *p, double box[RIA_SIDES]) {
  double x[SIDE], y[SIDE];
  for (int side = 0; side < RIA_SIDES; side++) {
    RIA_TRY(along_side(p, (ria_side)side, SIDE, x, y));
    const double *v = side == RIA_WEST || side == RIA_EAST ? x : y;
    const bool greatest = side == RIA_WEST || side == RIA_SOUTH;
    box[side] = v[0];
    for (int k = 0; k < SIDE; k++) {
      if (isnan(x[k]) || isnan(y[k]))
        return ria_fail(p->ctx, RIA_ERR_INPUT, "a part of the raster lies outside the area of %s",
                        ria_crs_name(p->map));
      box[side] = greatest ? fmax(box[side], v[k]) : fmin(box[side], v[k]);
    }
  }
  return RIA_OK;
}

/* The one around them, as far as they are places of the map. */
static ria_status around_sides(const project *p, double box[RIA_SIDES]) {
  double x[SIDE], y[SIDE];
  box[RIA_WEST] = box[RIA_SOUTH] = INFINITY;
  box[RIA_EAST] = box[RIA_NORTH] = -INFINITY;
  for (int side = 0; side < RIA_SIDES; side++) {
    RIA_TRY(along_side(p, (ria_side)side, SIDE, x, y));
    for (int k = 0; k < SIDE; k++) {
      if (isnan(x[k]) || isnan(y[k])) continue;
      box[RIA_WEST] = fmin(box[RIA_WEST], x[k]);
      box[RIA_EAST] = fmax(box[RIA_EAST], x[k]);
      box[RIA_SOUTH] = fmin(box[RIA_SOUTH], y[k]);
      box[RIA_NORTH] = fmax(box[RIA_NORTH], y[k]);
    }
  }
  return RIA_OK;
}

/* The size of a cell of the raster on the map, m, the lesser of both, in two digits: at (i, j) from
 * its south-west corner, in cells, which a message calls `place`. */
static ria_status size_of_cell(const project *p, double i, double j, const char *place,
                               double *size) {
  const ria_grid *g = &p->r->grid;
  const double u = g->x0 + i * g->dx, v = g->y0 + j * g->dy;
  double x[3] = {u, u + g->dx, u}, y[3] = {v, v, v + g->dy};
  for (int k = 0; k < 3; k++) ria_grid_to_map(g, &x[k], &y[k]);
  RIA_TRY(ria_crs_convert(p->own, p->map, 3, x, y));
  const double least = fmin(hypot(x[1] - x[0], y[1] - y[0]), hypot(x[2] - x[0], y[2] - y[0]));
  const double unit = pow(10.0, floor(log10(least)) - 1.0);
  *size = isfinite(least) && least > 0.0 ? round(least / unit) * unit : 0.0;
  if (*size > 0.0) return RIA_OK;
  return ria_fail(p->ctx, RIA_ERR_INPUT, "the %s's middle lies outside the area of %s", place,
                  ria_crs_name(p->map));
}

/* Lines of cells of size d from lo to hi that are whole numbers of cells from `line`; 0, too, where
 * a cell is so small that its number is none. */
static int cells_between(double lo, double hi, double d, double line, double *first) {
  const double hair = 1e-6, a = ceil((lo - line) / d - hair), b = floor((hi - line) / d + hair);
  *first = line + a * d;
  return !(b - a >= 1.0) ? 0 : b - a > 1e9 ? 1000000000 : (int)(b - a);
}

static ria_status choose_grid(const project *p, const ria_project_desc *d, ria_grid *out) {
  const ria_grid *own = &p->r->grid;
  double box[RIA_SIDES], size = 0.0;
  RIA_TRY(between_sides(p, box));
  if (!(d->dx > 0.0)) RIA_TRY(size_of_cell(p, 0.5 * own->nx, 0.5 * own->ny, "raster", &size));
  *out = (ria_grid){.dx = d->dx > 0.0 ? d->dx : size};
  out->dy = d->dy > 0.0 ? d->dy : out->dx;
  out->nx = cells_between(box[RIA_WEST], box[RIA_EAST], out->dx, d->x0, &out->x0);
  out->ny = cells_between(box[RIA_SOUTH], box[RIA_NORTH], out->dy, d->y0, &out->y0);
  if (out->nx && out->ny) return RIA_OK;
  return ria_fail(
      p->ctx, RIA_ERR_INPUT,
      "no upright box with a cell of %g x %g m lies within the raster on the map of %s: name "
      "one, box = {x0, y0, x1, y1}; what the raster leaves of it has no data",
      out->dx, out->dy, ria_crs_name(p->map));
}

/* --- values ----------------------------------------------------------------------------------- */

static double interpolate(const project *p, double x, double y, double *part) {
  const ria_raster *r = p->r;
  int i, j;
  double fx, fy, sum = 0.0, known = 0.0;
  if (p->global) x -= p->turn * floor(x / p->turn);
  if (!ria_raster_between(x, r->grid.nx, &i, &fx)) return NAN;
  if (!ria_raster_between(y, r->grid.ny, &j, &fy)) return NAN;
  for (int b = 0; b < 2; b++)
    for (int a = 0; a < 2; a++) {
      const double w = (a ? fx : 1.0 - fx) * (b ? fy : 1.0 - fy);
      if (!(w > 0.0)) continue;
      const double v = r->data[(size_t)(j + b) * (size_t)r->grid.nx + (size_t)(i + a)];
      if (isnan(v)) continue;
      sum += w * v;
      known += w;
    }
  return ria_raster_enough(known, 0.5, part) ? sum / known : NAN;
}

/* Corners of a cell: south-west, south-east, north-west, north-east. */
typedef struct corners {
  double x[4], y[4];
} corners;

static double at(const double c[4], double u, double v) {
  return (1.0 - v) * ((1.0 - u) * c[0] + u * c[1]) + v * ((1.0 - u) * c[2] + u * c[3]);
}

/* How many cells of the raster a cell is long, along x or along y: the longer of two sides. */
static double span(const corners *c, int a, int b, int d, int e) {
  return fmax(hypot(c->x[b] - c->x[a], c->y[b] - c->y[a]),
              hypot(c->x[e] - c->x[d], c->y[e] - c->y[d]));
}

static double mean_of_places(const project *p, const corners *c, int nu, int nv, double *part) {
  double sum = 0.0;
  int known = 0;
  for (int b = 0; b < nv; b++)
    for (int a = 0; a < nu; a++) {
      const double u = (a + 0.5) / nu, v = (b + 0.5) / nv;
      const double z = interpolate(p, at(c->x, u, v), at(c->y, u, v), NULL);
      if (isnan(z)) continue;
      sum += z;
      known++;
    }
  return ria_raster_enough((double)known / (nu * nv), 0.5, part) ? sum / known : NAN;
}

static double mean(const project *p, const corners *c, double *part) {
  const double along_x = span(c, 0, 1, 2, 3), along_y = span(c, 0, 2, 1, 3);
  const double nu = ceil(2.0 * along_x), nv = ceil(2.0 * along_y);
  if (nu <= MOST && nv <= MOST)
    return mean_of_places(p, c, nu > 1.0 ? (int)nu : 1, nv > 1.0 ? (int)nv : 1, part);
  const ria_quad in_turn = {{c->x[0], c->x[1], c->x[3], c->x[2]},
                            {c->y[0], c->y[1], c->y[3], c->y[2]}};
  return ria_raster_mean_in(p->r, &in_turn, part);
}

/* The corners of a cell side by side, also where the raster's seam runs between them. */
static void gather(const project *p, corners *c) {
  if (!(p->turn > 0.0)) return;
  for (int k = 1; k < 4; k++) c->x[k] -= p->turn * round((c->x[k] - c->x[0]) / p->turn);
  const double away = p->turn * floor(at(c->x, 0.5, 0.5) / p->turn);
  for (int k = 0; k < 4 && p->global; k++) c->x[k] -= away;
}

static bool is_within(const ria_grid *g, double x, double y) {
  const double slack = 1e-9; /* of a cell: what only round-off can be */
  return x > -slack && x < g->nx + slack && y > -slack && y < g->ny + slack;
}

static void fill_row(const project *p, int j, const double *x, const double *y) {
  const size_t nx = (size_t)p->to->grid.nx, first = (size_t)j * nx;
  for (size_t i = 0; i < nx; i++) {
    const size_t n = i + nx + 1; /* the corner north of it */
    corners c = {{x[i], x[i + 1], x[n], x[n + 1]}, {y[i], y[i + 1], y[n], y[n + 1]}};
    gather(p, &c);
    const double u = at(c.x, 0.5, 0.5), v = at(c.y, 0.5, 0.5);
    double *z = &p->to->data[first + i];
    *z = NAN;
    if (isnan(u) || isnan(v)) continue; /* no place of the raster's system */
    double *part = p->part ? &p->part[first + i] : NULL;
    *z = p->means ? mean(p, &c, part) : interpolate(p, u, v, part);
    if (p->inside && is_within(&p->r->grid, u, v)) p->inside[first + i] |= 1;
  }
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Rows j0 to j1: x and y hold (j1 - j0 + 1) (nx + 1) corners. */
static ria_status fill_strip(const project *p, int j0, int j1, double *x, double *y) {
  const ria_grid *g = &p->to->grid;
  const size_t across = (size_t)g->nx + 1, up = (size_t)(j1 - j0) + 1;
  for (size_t b = 0; b < up; b++)
    for (size_t a = 0; a < across; a++) {
      x[b * across + a] = g->x0 + (double)a * g->dx;
      y[b * across + a] = g->y0 + ((double)j0 + (double)b) * g->dy;
      ria_grid_to_map(g, &x[b * across + a], &y[b * across + a]);
    }
  RIA_TRY(into_cells(p, across * up, x, y));
  for (int j = j0; j < j1; j++) {
    const size_t k = (size_t)(j - j0) * across;
    fill_row(p, j, x + k, y + k);
  }
  return RIA_OK;
}

static ria_status fill_all(const project *p) {
  const ria_grid *g = &p->to->grid;
  const size_t across = (size_t)g->nx + 1;
  const int rows = (int)(POINTS / across) > 1 ? (int)(POINTS / across) : 1;
  const size_t n = across * ((size_t)rows + 1);
  double *x = malloc(2 * n * sizeof *x);
  ria_status s = x ? RIA_OK : ria_fail_memory(p->ctx, "places of a raster", 2 * n * sizeof *x);
  for (int j = 0; j < g->ny && s == RIA_OK; j += rows) {
    s = ria_go_on(p->ctx);
    if (s == RIA_OK) s = fill_strip(p, j, j + rows < g->ny ? j + rows : g->ny, x, x + n);
  }
  free(x);
  return s;
}

/* Do cells become larger, at the middle of the result? */
static ria_status look_at_sizes(project *p, ria_resampling way) {
  const ria_grid *g = &p->to->grid;
  const double u = g->x0 + 0.5 * g->nx * g->dx, v = g->y0 + 0.5 * g->ny * g->dy;
  double x[3] = {u, u + g->dx, u}, y[3] = {v, v, v + g->dy};
  for (int k = 0; k < 3; k++) ria_grid_to_map(g, &x[k], &y[k]);
  RIA_TRY(into_cells(p, 3, x, y));
  const double area = fabs((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]));
  p->means = way == RIA_RESAMPLE_AUTO ? area > 1.0 : way == RIA_RESAMPLE_MEAN;
  return RIA_OK;
}

static ria_status fill_to(project *p, ria_resampling way) {
  RIA_TRY(look_at_sizes(p, way));
  return fill_all(p);
}

ria_status ria_project_onto(ria_context *ctx, const ria_raster *r, const char *crs,
                            ria_resampling way, ria_raster *to, unsigned char *inside, double *part,
                            bool *means) {
  project p = {.ctx = ctx, .r = r, .to = to, .inside = inside, .part = part};
  ria_status s = open_systems(&p, crs);
  if (s == RIA_OK) s = fill_to(&p, way);
  *means = p.means;
  close_systems(&p);
  return s;
}

ria_status ria_project_grid(ria_context *ctx, const ria_raster *r, const ria_project_desc *desc,
                            ria_grid *out) {
  project p = {.ctx = ctx, .r = r};
  ria_status s = open_systems(&p, desc->crs);
  if (s == RIA_OK) s = choose_grid(&p, desc, out);
  close_systems(&p);
  return s;
}

ria_status ria_project_size(ria_context *ctx, const ria_raster *r, const char *crs, double x,
                            double y, double *size) {
  project p = {.ctx = ctx, .r = r};
  ria_status s = open_systems(&p, crs);
  if (s == RIA_OK) s = into_cells(&p, 1, &x, &y);
  if (s == RIA_OK) s = size_of_cell(&p, x, y, "box", size);
  close_systems(&p);
  return s;
}

ria_status ria_project_reach(ria_context *ctx, const ria_raster *r, const char *crs,
                             double box[RIA_SIDES]) {
  project p = {.ctx = ctx, .r = r};
  ria_status s = open_systems(&p, crs);
  if (s == RIA_OK) s = around_sides(&p, box);
  close_systems(&p);
  return s;
}

ria_status ria_raster_project(ria_context *ctx, const ria_raster *r, const ria_project_desc *desc,
                              ria_raster **out) {
  ria_grid grid;
  ria_raster *to;
  bool means;
  *out = NULL;
  RIA_TRY(ria_project_grid(ctx, r, desc, &grid));
  RIA_TRY(ria_raster_create(ctx, &grid, &to));
  ria_status s = ria_project_onto(ctx, r, desc->crs, desc->way, to, NULL, NULL, &means);
  if (s == RIA_OK && !(to->crs = strdup(desc->crs))) s = ria_fail_memory(ctx, "a raster's CRS", 0);
  if (s == RIA_OK)
    *out = to;
  else
    ria_raster_destroy(&to);
  return s;
}
