/* io/dem_shift.c - from one vertical datum to another by a raster: a geoid, or what hydrographic
 * offices map between chart datum and mean sea level.
 *
 * Each cell of the raster that is shifted takes what lies at its centre, bilinear between centres,
 * before anything is resampled. A map in degrees that goes round the earth is joined where it ends.
 */
#include "base/context.h"
#include "base/grid.h"
#include "base/text.h"
#include "io/crs.h"
#include "io/dem.h"
#include <ria/crs.h>

#include <math.h>
#include <stdlib.h>

typedef struct shift {
  ria_context *ctx;
  ria_raster *r; /* what is added, or its own copy of it */
  const ria_raster *map;
  const char *name;
  const char *from, *to; /* systems of the raster and of the shift; NULL: they are the same */
  bool degrees;
  double factor;
} shift;

const char *ria_dem_shift_name(const ria_dem_shift *s) { return s->path ? s->path : "a field"; }

/* The system of a raster; NULL: not known, metres. */
static const char *system_of(const ria_raster *r) {
  if (ria_crs_given(r->crs)) return r->crs;
  return ria_raster_looks_like_degrees(r) ? "EPSG:4326" : NULL;
}

static ria_status find_way(shift *s, const ria_raster *r, const char *name) {
  ria_crs *map = NULL;
  s->from = system_of(r);
  s->to = system_of(s->map);
  if (!s->to) {
    s->from = NULL; /* on the same map, as far as is known */
    return RIA_OK;
  }
  RIA_TRY(ria_crs_create(s->ctx, s->to, &map));
  s->degrees = ria_crs_in_degrees(map);
  ria_crs_destroy(&map);
  if (s->from || !s->degrees) return RIA_OK;
  return ria_fail(s->ctx, RIA_ERR_INPUT,
                  "%s is in degrees, and %s has no coordinate system: name the model's, crs = "
                  "\"EPSG:...\" (of ria.dem)",
                  s->name, name);
}

/* x, y of the shift's map. NaN: it has no value there. */
static double value_at(const shift *s, double x, double y) {
  const ria_grid *g = &s->map->grid;
  if (!s->degrees || g->angle != 0.0) return ria_raster_sample(s->map, x, y);
  x -= 360.0 * floor((x - g->x0) / 360.0);
  const double width = g->nx * g->dx, first = g->x0 + 0.5 * g->dx, last = first + width - g->dx;
  if (fabs(width - 360.0) > 0.5 * g->dx || (x >= first && x <= last))
    return ria_raster_sample(s->map, x, y);
  const double beyond = (x > last ? x - last : x + 360.0 - last) / (first + 360.0 - last);
  return (1.0 - beyond) * ria_raster_sample(s->map, last, y) +
         beyond * ria_raster_sample(s->map, first, y);
}

static ria_status shift_row(shift *s, ria_raster *r, int j, double *x, double *y, ria_dem_part *p) {
  const int nx = r->grid.nx;
  double *z = r->data + (size_t)j * (size_t)nx;
  for (int i = 0; i < nx; i++) {
    const ria_spot at = ria_cell_on_map(&r->grid, i, j);
    x[i] = at.x;
    y[i] = at.y;
  }
  if (s->from) RIA_TRY(ria_crs_convert_named(s->ctx, s->from, s->to, (size_t)nx, x, y));
  for (int i = 0; i < nx; i++) {
    if (isnan(z[i])) continue;
    const double by = s->factor * value_at(s, x[i], y[i]);
    z[i] += by;
    p->unshifted += isnan(by);
    p->shift_least = fmin(p->shift_least, by);
    p->shift_most = fmax(p->shift_most, by);
  }
  return RIA_OK;
}

static ria_status shift_rows(shift *s, ria_raster *r, const char *name, ria_dem_part *p) {
  const size_t n = (size_t)r->grid.nx;
  double *x = malloc(2 * n * sizeof *x);
  ria_status status = x ? RIA_OK : ria_fail_memory(s->ctx, "a shift", 2 * n * sizeof *x);
  p->shift_least = INFINITY;
  p->shift_most = -INFINITY;
  for (int j = 0; status == RIA_OK && j < r->grid.ny; j++) status = shift_row(s, r, j, x, x + n, p);
  free(x);
  if (status != RIA_OK || p->shift_most >= p->shift_least) return status;
  return ria_fail(s->ctx, RIA_ERR_INPUT,
                  "%s has no value where %s has any: do they lie on the same coast?", s->name,
                  name);
}

ria_status ria_dem_put_shift(ria_dem *m, size_t k) {
  const ria_dem_layer *l = &m->desc->layers[k];
  const ria_dem_shift *d = l->shift;
  if (!d) return RIA_OK;
  shift s = {.ctx = m->ctx, .map = d->raster, .name = ria_dem_shift_name(d)};
  double unit = 1.0;
  char said[32];
  ria_status status = RIA_OK;
  if (d->path) status = ria_raster_read(m->ctx, d->path, &s.r);
  if (d->path) s.map = s.r;
  if (status == RIA_OK)
    status = ria_dem_unit_of(m->ctx, s.name, d->unit, s.map->unit, &unit, said, sizeof said);
  s.factor = d->down ? -unit : unit;
  if (status == RIA_OK) status = find_way(&s, m->layer[k], ria_dem_name(l));
  if (status == RIA_OK) status = shift_rows(&s, m->layer[k], ria_dem_name(l), &m->part[k]);
  ria_raster_destroy(&s.r);
  return status;
}
