/* io/dem.c - the ground of a model from rasters.
 *
 * Rasters are laid from the lowest up, each as it is read, so no more than one of them need be in
 * memory beside the result. The grid must be known before: with a box and a cell size it is; with a
 * box alone the first raster is read for its cells and stays; without a box all are read. */
#include "io/dem.h"
#include "base/context.h"
#include "base/text.h"
#include "io/crs.h"
#include "io/crs_read.h"
#include "io/raster_project.h"
#include "io/raster_warp.h"
#include <ria/crs.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t cells(const ria_grid *g) { return (size_t)g->nx * (size_t)g->ny; }

const char *ria_dem_name(const ria_dem_layer *layer) {
  return layer->path ? layer->path : "a field";
}

/* --- one raster ------------------------------------------------------------------------------- */

static ria_status copy_raster(ria_context *ctx, const ria_raster *r, ria_raster **out) {
  ria_raster *made;
  RIA_TRY(ria_raster_create(ctx, &r->grid, &made));
  memcpy(made->data, r->data, cells(&r->grid) * sizeof *r->data);
  if (r->crs && !(made->crs = strdup(r->crs))) {
    ria_raster_destroy(&made);
    return ria_fail_memory(ctx, "a raster's CRS", 0);
  }
  *out = made;
  return RIA_OK;
}

static void to_metres(ria_raster *r, const ria_dem_layer *l, double unit) {
  const double factor = l->down ? -unit : unit;
  const size_t n = cells(&r->grid);
  for (size_t k = 0; k < n; k++) r->data[k] = factor * r->data[k] + l->offset;
  free(r->unit);
  r->unit = NULL;
}

/* The same by its text or code? Then neither need be known, but for one that is told to count in
 * degrees or feet. */
static bool same_by_name(ria_context *ctx, const char *a, const char *b) {
  double unit;
  if (strcmp(a, b) != 0 && !(ria_crs_code(a) > 0 && ria_crs_code(a) == ria_crs_code(b)))
    return false;
  const ria_crs_axes axes = ria_crs_counts_in(ctx, a, &unit);
  return axes == RIA_CRS_METRES || axes == RIA_CRS_UNTOLD;
}

/* Do two texts name one system? *from, *degrees: of the first where they do not. */
static ria_status compare(ria_dem *m, const char *a, const char *b, char from[128], bool *degrees) {
  ria_crs *own = NULL, *map = NULL;
  *from = '\0';
  if (same_by_name(m->ctx, a, b)) return RIA_OK;
  ria_status s = ria_crs_create(m->ctx, a, &own);
  if (s == RIA_OK) s = ria_crs_create(m->ctx, b, &map);
  if (s == RIA_OK && (ria_crs_in_degrees(map) || !ria_crs_same(own, map))) {
    const char *name = ria_crs_name(own);
    ria_format(from, 128, "%s", *name ? name : "its own system");
    *degrees = ria_crs_in_degrees(own);
  }
  ria_crs_destroy(&own);
  ria_crs_destroy(&map);
  return s;
}

/* Is a raster on the model's map already? One that does not say counts as such, unless it looks
 * like degrees. Where not, the k-th part says from where it is projected. */
static ria_status see_map(ria_dem *m, size_t k) {
  const ria_raster *r = m->layer[k];
  const bool given = ria_crs_given(r->crs);
  if (!given && !ria_raster_looks_like_degrees(r)) return RIA_OK;
  return compare(m, given ? r->crs : "EPSG:4326", m->desc->crs, m->part[k].from,
                 &m->part[k].degrees);
}

static ria_status set_crs(ria_dem *m, ria_raster *r) {
  RIA_TRY(ria_crs_check_metres(m->ctx, m->desc->crs));
  free(r->crs);
  r->crs = ria_strdup(m->desc->crs);
  return r->crs ? RIA_OK : ria_fail_memory(m->ctx, "a raster's CRS", 0);
}

ria_status ria_dem_open(ria_dem *m, size_t k) {
  const ria_dem_layer *l = &m->desc->layers[k];
  if (m->layer[k]) return RIA_OK;
  if (l->path)
    RIA_TRY(ria_raster_read(m->ctx, l->path, &m->layer[k]));
  else
    RIA_TRY(copy_raster(m->ctx, l->raster, &m->layer[k]));
  if (m->desc->crs)
    RIA_TRY(see_map(m, k));
  else
    RIA_TRY(ria_raster_check_metres(m->ctx, m->layer[k], l->path));
  if (m->desc->crs && !*m->part[k].from) RIA_TRY(set_crs(m, m->layer[k]));
  m->part[k].grid = m->layer[k]->grid;
  RIA_TRY(ria_dem_unit(m, k));
  to_metres(m->layer[k], l, m->part[k].unit);
  return ria_dem_put_shift(m, k);
}

static ria_status refuse_mixture(ria_dem *m, const char *name, const char *crs) {
  const int below = ria_crs_code(m->z->crs), code = below ? below : ria_crs_code(crs);
  char model[32] = "EPSG:n";
  if (code) ria_format(model, sizeof model, "EPSG:%d", code);
  return ria_fail(m->ctx, RIA_ERR_INPUT,
                  "%s is in another coordinate system (%.60s) than the rasters below it (%.60s): "
                  "name the model's, crs = \"%s\" (of ria.dem), and all are projected onto it",
                  name, crs, m->z->crs, model);
}

/* What the model's coordinates are: the first raster's that says, from the top. */
static ria_status take_crs(ria_dem *m, ria_raster *from, const char *name) {
  char other[128] = "";
  bool degrees;
  if (m->desc->crs) return m->z->crs ? RIA_OK : set_crs(m, m->z);
  if (!from->crs || from == m->z) return RIA_OK;
  if (!m->z->crs) {
    m->z->crs = from->crs; /* it is freed at once */
    from->crs = NULL;
    return RIA_OK;
  }
  if (strcmp(m->z->crs, from->crs) == 0) return RIA_OK;
  if (compare(m, from->crs, m->z->crs, other, &degrees) == RIA_OK && !*other) return RIA_OK;
  return refuse_mixture(m, name, from->crs);
}

/* --- filling ---------------------------------------------------------------------------------- */

static ria_status fill(ria_dem *m, ria_raster *r) {
  const ria_dem_desc *d = m->desc;
  long n = 0;
  if (d->gap > 0) RIA_TRY(ria_raster_fill(m->ctx, r, d->gap, 0.0, &n));
  m->filled += n;
  if (d->has_fill) RIA_TRY(ria_raster_fill(m->ctx, r, 0, d->fill, &n));
  m->filled += d->has_fill ? n : 0;
  return RIA_OK;
}

static void log_filled(const ria_dem *m, const ria_grid *g) {
  if (!m->filled) return;
  if (m->desc->n_layers == 1)
    ria_log(m->ctx, "%s: %ld of %zu cells had no data and were filled",
            ria_dem_name(&m->desc->layers[0]), m->filled, cells(g));
  else
    ria_log(m->ctx, "%ld of %zu cells had no data in any of %zu rasters and were filled", m->filled,
            cells(g), m->desc->n_layers);
}

/* --- the box ---------------------------------------------------------------------------------- */

bool ria_dem_is_boxed(const ria_dem_desc *d) { return d->x1 > d->x0; }

/* Mark the cells whose centres lie within a raster. */
static void mark_inside(ria_dem *m, const ria_grid *from) {
  const ria_grid *g = &m->z->grid;
  const double slack = 1e-9; /* of a cell: what only round-off can be */
  size_t c = 0;
  if (!ria_dem_is_boxed(m->desc)) return;
  for (int j = 0; j < g->ny; j++)
    for (int i = 0; i < g->nx; i++, c++) {
      double x = g->x0 + (i + 0.5) * g->dx, y = g->y0 + (j + 0.5) * g->dy;
      ria_grid_to_map(g, &x, &y);
      ria_grid_from_map(from, &x, &y);
      const double p = (x - from->x0) / from->dx, q = (y - from->y0) / from->dy;
      if (p > -slack && p < from->nx + slack && q > -slack && q < from->ny + slack)
        m->how[c] |= RIA_DEM_INSIDE;
    }
}

typedef struct rectangle {
  double x0, y0, x1, y1;
} rectangle;

static void widen(rectangle *r, const ria_grid *g, double i, double j) {
  double x = g->x0 + i * g->dx, y = g->y0 + j * g->dy;
  ria_grid_to_map(g, &x, &y);
  *r = (rectangle){fmin(r->x0, x), fmin(r->y0, y), fmax(r->x1, x), fmax(r->y1, y)};
}

static void widen_by_cells(rectangle *r, const ria_grid *g, int i0, int j0, int i1, int j1) {
  for (int k = 0; k < 4; k++) widen(r, g, k & 1 ? i1 : i0, k & 2 ? j1 : j0);
}

static void widen_by_raster(rectangle *r, const ria_dem_part *p) {
  const double *own = p->reach;
  if (*p->from)
    *r = (rectangle){fmin(r->x0, own[RIA_WEST]), fmin(r->y0, own[RIA_SOUTH]),
                     fmax(r->x1, own[RIA_EAST]), fmax(r->y1, own[RIA_NORTH])};
  else
    widen_by_cells(r, &p->grid, 0, 0, p->grid.nx, p->grid.ny);
}

static const rectangle nowhere = {INFINITY, INFINITY, -INFINITY, -INFINITY};

/* A box that reaches beyond what is known is a mistake more often than a wish. */
static ria_status check_covered(const ria_dem *m) {
  const ria_grid *g = &m->z->grid;
  rectangle bare = nowhere, reach = nowhere;
  size_t n = 0;
  const size_t layers = m->desc->n_layers;
  if (!ria_dem_is_boxed(m->desc) || m->desc->has_fill) return RIA_OK;
  for (size_t c = 0; c < cells(g); c++) {
    const int i = (int)(c % (size_t)g->nx), j = (int)(c / (size_t)g->nx);
    if (m->how[c] & RIA_DEM_INSIDE) continue;
    n++;
    widen_by_cells(&bare, g, i, j, i + 1, j + 1);
  }
  if (!n) return RIA_OK;
  for (size_t k = 0; k < layers; k++) widen_by_raster(&reach, &m->part[k]);
  return ria_fail(m->ctx, RIA_ERR_ARGUMENT,
                  "%s not cover the box: %zu of %zu cells lie beyond, in x %.10g .. %.10g, "
                  "y %.10g .. %.10g m; %s over x %.10g .. %.10g, y %.10g .. %.10g m: choose a "
                  "smaller box, add a raster that reaches further, or fill = a height",
                  layers == 1 ? "the raster does" : "the rasters do", n, cells(g), bare.x0, bare.x1,
                  bare.y0, bare.y1, layers == 1 ? "it reaches" : "they reach", reach.x0, reach.x1,
                  reach.y0, reach.y1);
}

/* --- the whole -------------------------------------------------------------------------------- */

static ria_status check_layers(ria_context *ctx, const ria_dem_desc *d) {
  if (!d || !d->layers || d->n_layers == 0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "a ground needs a raster at least");
  for (size_t k = 0; k < d->n_layers; k++) {
    const ria_dem_layer *l = &d->layers[k];
    if (!l->path && !l->raster)
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "raster %zu has neither a path nor values", k + 1);
    if (!(l->unit >= 0.0) || !isfinite(l->unit) || !isfinite(l->offset) || !(l->blend >= 0.0))
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "%s: unit and blend must be 0 or more, and the offset finite",
                      ria_dem_name(l));
  }
  return RIA_OK;
}

static ria_status check_desc(ria_context *ctx, const ria_dem_desc *d) {
  RIA_TRY(check_layers(ctx, d));
  const bool box = d->x0 != 0.0 || d->y0 != 0.0 || d->x1 != 0.0 || d->y1 != 0.0;
  if (box &&
      !(d->x1 > d->x0 && d->y1 > d->y0 && isfinite(d->x1 - d->x0) && isfinite(d->y1 - d->y0)))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "the box (%.10g, %.10g, %.10g, %.10g) must be x0, y0, x1, y1 with x0 < x1 and "
                    "y0 < y1",
                    d->x0, d->y0, d->x1, d->y1);
  if (d->angle != 0.0 && !box)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "an angle needs a box: it is turned about its corner");
  if (!(d->dx >= 0.0 && d->dy >= 0.0 && d->blend >= 0.0 && d->smooth >= 0.0 &&
        d->least_depth >= 0.0))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "dx, dy, blend, smooth and least_depth must be 0 or more");
  return RIA_OK;
}

static ria_status alloc(ria_dem *m) {
  const size_t n = m->desc->n_layers;
  m->layer = calloc(n, sizeof *m->layer);
  m->part = calloc(n, sizeof *m->part);
  if (!m->layer || !m->part) return ria_fail_memory(m->ctx, "a list of rasters", 0);
  return RIA_OK;
}

static ria_status alloc_cells(ria_dem *m) {
  const size_t n = cells(&m->z->grid);
  if (ria_dem_is_boxed(m->desc) && !(m->how = calloc(n, 1)))
    return ria_fail_memory(m->ctx, "a ground", n);
  if (m->desc->n_layers == 1) return RIA_OK;
  if (!(m->top = malloc(n * sizeof *m->top)))
    return ria_fail_memory(m->ctx, "a ground", n * sizeof *m->top);
  for (size_t c = 0; c < n; c++) m->top[c] = -1;
  if (!(m->share = calloc(3 * n, sizeof *m->share)))
    return ria_fail_memory(m->ctx, "a ground", 3 * n * sizeof *m->share);
  m->sum = m->share + n;
  m->known = m->sum + n;
  if (!m->how && !(m->how = calloc(n, 1))) return ria_fail_memory(m->ctx, "a ground", n);
  return RIA_OK;
}

/* The k-th raster on the cells of the result. */
static ria_status onto_cells(ria_dem *m, size_t k, ria_raster **out) {
  const ria_dem_desc *d = m->desc;
  const ria_raster *r = m->layer[k];
  ria_dem_part *p = &m->part[k];
  if (!*p->from) {
    mark_inside(m, &p->grid);
    return ria_raster_resample_parts(m->ctx, r, &m->z->grid, d->resampling, m->share, out);
  }
  if (m->how) RIA_TRY(ria_project_reach(m->ctx, r, d->crs, p->reach));
  RIA_TRY(ria_raster_create(m->ctx, &m->z->grid, out));
  return ria_project_onto(m->ctx, r, d->crs, d->resampling, *out, m->how, m->share, &p->means);
}

/* The k-th raster over what is there. */
static ria_status add(ria_dem *m, size_t k) {
  const ria_dem_layer *l = &m->desc->layers[k];
  ria_raster *on_grid = NULL;
  RIA_TRY(ria_dem_open(m, k));
  RIA_TRY(take_crs(m, m->layer[k], ria_dem_name(l)));
  if (m->desc->n_layers == 1) RIA_TRY(fill(m, m->layer[k]));
  ria_status s = onto_cells(m, k, &on_grid);
  ria_raster_destroy(&m->layer[k]);
  if (s == RIA_OK) s = ria_dem_lay(m, k, on_grid);
  ria_raster_destroy(&on_grid);
  return s;
}

static ria_status lay_all(ria_dem *m) {
  ria_grid grid;
  RIA_TRY(ria_dem_grid(m, &grid));
  RIA_TRY(ria_raster_create(m->ctx, &grid, &m->z));
  RIA_TRY(alloc_cells(m));
  for (size_t k = m->desc->n_layers; k-- > 0;) RIA_TRY(add(m, k));
  ria_dem_join(m);
  RIA_TRY(check_covered(m));
  if (m->desc->n_layers > 1)
    RIA_TRY(fill(m, m->z));
  else if (m->how && m->desc->has_fill) /* cells of the box beyond the raster */
    RIA_TRY(fill(m, m->z));
  return RIA_OK;
}

static ria_status take_as_it_is(ria_dem *m) {
  RIA_TRY(ria_dem_open(m, 0));
  if (*m->part[0].from) return lay_all(m);
  m->z = m->layer[0];
  m->layer[0] = NULL;
  m->as_it_is = true;
  return fill(m, m->z);
}

static void deepen(ria_dem *m) {
  const double sea = m->desc->sea_level, deep = sea - m->desc->least_depth;
  for (size_t c = 0; c < cells(&m->z->grid); c++) {
    double *z = &m->z->data[c];
    if (!(*z<sea && * z> deep)) continue;
    *z = deep;
    m->deepened++;
  }
}

static ria_status make(ria_dem *m) {
  const ria_dem_desc *d = m->desc;
  RIA_TRY(alloc(m));
  if (d->n_layers == 1 && !ria_dem_is_boxed(d) && d->dx == 0.0 && d->dy == 0.0)
    RIA_TRY(take_as_it_is(m));
  else
    RIA_TRY(lay_all(m));
  log_filled(m, d->n_layers == 1 ? &m->part[0].grid : &m->z->grid);
  if (d->smooth > 0.0) RIA_TRY(ria_dem_smooth(m->ctx, m->z, d->smooth));
  if (d->least_depth > 0.0) deepen(m);
  return ria_dem_tell(m);
}

ria_status ria_dem_make(ria_context *ctx, const ria_dem_desc *desc, ria_raster **out) {
  ria_dem m = {.ctx = ctx, .desc = desc};
  *out = NULL;
  RIA_TRY(check_desc(ctx, desc));
  const ria_status s = make(&m);
  for (size_t k = 0; m.layer && k < desc->n_layers; k++) ria_raster_destroy(&m.layer[k]);
  free(m.layer);
  free(m.part);
  free(m.top);
  free(m.share);
  free(m.how);
  if (s == RIA_OK)
    *out = m.z;
  else
    ria_raster_destroy(&m.z);
  return s;
}
