/* outputs/render_values.c - the values of a picture: those of all its times, read before anything
 * is painted, because they share one range; the range of the colours; contours. */
#include "base/context.h"
#include "base/grid.h"
#include "io/regrid.h"
#include "outputs/render_inner.h"

#include <math.h>
#include <stdlib.h>

/* --- values ----------------------------------------------------------------------------------- */

static ria_status room_for(ria_rendering *r, float **out) {
  *out = malloc(r->cells * sizeof **out);
  return *out ? RIA_OK : ria_fail_memory(r->ctx, "a picture", r->cells * sizeof **out);
}

/* A field of the run as numbers of a picture; NULL where the store has none of it. */
static ria_status read_plane(ria_rendering *r, const char *name, size_t frame, double *room,
                             float **out) {
  if (!ria_store_has(r->run.store, name) && !ria_store_has_fixed(r->run.store, name)) return RIA_OK;
  RIA_TRY(room_for(r, out));
  RIA_TRY(ria_store_read(r->ctx, r->run.store, name, frame, &r->window, room));
  for (size_t k = 0; k < r->cells; k++) (*out)[k] = (float)room[k];
  return RIA_OK;
}

static bool same_cells(const ria_grid *a, const ria_grid *b) {
  return a->nx == b->nx && a->ny == b->ny && a->dx == b->dx && a->dy == b->dy && a->x0 == b->x0 &&
         a->y0 == b->y0 && a->angle == b->angle;
}

/* The other run's values on these cells, in `room`. */
static ria_status read_minus(ria_rendering *r, const ria_panel *p, double *room) {
  const ria_grid *g = ria_store_grid(r->minus.store), *mine = ria_store_grid(r->run.store);
  const char *field = r->desc->field;
  if (same_cells(g, mine))
    return ria_store_read(r->ctx, r->minus.store, field, p->minus, &r->window, room);
  ria_regrid regrid;
  const ria_window all = {0, g->nx, 0, g->ny};
  const size_t bytes = ria_grid_cells(g) * sizeof(double);
  double *values = malloc(bytes);
  if (!values) return ria_fail_memory(r->ctx, "a picture", bytes);
  const ria_status s = ria_store_read(r->ctx, r->minus.store, field, p->minus, &all, values);
  ria_regrid_init(&regrid, g, &r->grid);
  if (s == RIA_OK) ria_regrid_mean(&regrid, values, NULL, room, NULL);
  free(values);
  return s;
}

/* Where it was not saved it is what the level has over the bed. */
static ria_status read_depth(ria_rendering *r, ria_panel *p, double *room) {
  RIA_TRY(read_plane(r, "depth", p->frame, room, &p->depth));
  if (p->depth || !p->bed) return RIA_OK;
  RIA_TRY(read_plane(r, "level", p->frame, room, &p->depth));
  for (size_t k = 0; p->depth && k < r->cells; k++) p->depth[k] -= p->bed[k];
  return RIA_OK;
}

static ria_status read_panel(ria_rendering *r, ria_panel *p, double *room) {
  const char *field = r->desc->field;
  RIA_TRY(room_for(r, &p->value));
  RIA_TRY(ria_store_read(r->ctx, r->run.store, field, p->frame, &r->window, room));
  double *other = r->desc->minus ? room + r->cells : NULL;
  if (other) RIA_TRY(read_minus(r, p, other));
  for (size_t k = 0; k < r->cells; k++) {
    const double v = other ? room[k] - other[k] : room[k];
    p->value[k] = (float)v;
    r->least = fmin(r->least, v); /* of NaN and a number the number */
    r->most = fmax(r->most, v);
  }
  RIA_TRY(read_plane(r, "bed", p->frame, room, &p->bed));
  RIA_TRY(read_depth(r, p, room));
  if (!p->bed && (r->desc->hillshade || r->desc->ground))
    return ria_fail(
        r->ctx, RIA_ERR_ARGUMENT, "%s needs the field bed, and store %s lacks it: save it too",
        r->desc->hillshade ? "a hillshade" : "the ground in colours", ria_store_path(r->run.store));
  if (!r->desc->arrows) return RIA_OK;
  RIA_TRY(read_plane(r, "u", p->frame, room, &p->u));
  RIA_TRY(read_plane(r, "v", p->frame, room, &p->v));
  if (p->u && p->v) return RIA_OK;
  return ria_fail(r->ctx, RIA_ERR_ARGUMENT,
                  "arrows need the fields u and v, and store %s lacks them: save them too",
                  ria_store_path(r->run.store));
}

ria_status ria_render_read(ria_rendering *r) {
  double *room = malloc(2 * r->cells * sizeof *room);
  if (!room) return ria_fail_memory(r->ctx, "a picture", 2 * r->cells * sizeof *room);
  ria_status s = RIA_OK;
  r->least = r->most = (double)NAN;
  for (size_t k = 0; k < r->n && s == RIA_OK; k++) s = read_panel(r, &r->panel[k], room);
  free(room);
  return s;
}

/* --- colours ---------------------------------------------------------------------------------- */

/* One range for all: from the least to the greatest value of any. */
static void range_of_values(ria_rendering *r) {
  const float ends[2] = {(float)r->least, (float)r->most};
  if (!ria_frame_range(ends, 2, r->scale, r->symmetric, &r->min, &r->max)) {
    r->min = r->scale == RIA_SCALE_LOG ? 1e-4 : r->symmetric ? -1.0 : 0.0;
    r->max = 1.0;
  } else if (r->scale == RIA_SCALE_LOG && r->desc->threshold > 0.0 && r->desc->threshold < r->max) {
    r->min = r->desc->threshold;
  }
}

ria_status ria_render_range(ria_rendering *r) {
  const ria_render_desc *d = r->desc;
  const bool log = d->scale == RIA_RENDER_LOG ||
                   (d->scale == RIA_RENDER_AS_FRAMES && !d->minus && r->look.framed_log);
  r->scale = log ? RIA_SCALE_LOG : RIA_SCALE_LINEAR;
  r->symmetric = !log && (d->minus || r->look.symmetric);
  if (d->min != 0.0 || d->max != 0.0) {
    r->min = d->min;
    r->max = d->max;
    if (log && !(r->min > 0.0)) r->min = d->threshold > 0.0 ? d->threshold : r->max * 1e-4;
  } else if (!d->own_range && !d->minus && r->look.framed && log == r->look.framed_log) {
    r->min = r->look.min;
    r->max = r->look.max;
  } else {
    range_of_values(r);
  }
  if (r->max > r->min && isfinite(r->max - r->min)) return RIA_OK;
  return ria_fail(r->ctx, RIA_ERR_ARGUMENT, "the range is %g to %g, but min must be below max",
                  r->min, r->max);
}

/* Multiples of the step between the least and the greatest value. */
ria_status ria_render_contours(ria_rendering *r) {
  const ria_render_desc *d = r->desc;
  const double step = d->contour_step;
  for (size_t k = 0; k < d->n_contours; k++) {
    r->contour[k] = d->contours[k];
    if (!isfinite(d->contours[k]) || (k && !(d->contours[k] > d->contours[k - 1])))
      return ria_fail(r->ctx, RIA_ERR_ARGUMENT, "contours are numbers that grow: %g after %g",
                      d->contours[k], k ? d->contours[k - 1] : 0.0);
  }
  r->n_contours = d->n_contours;
  if (d->n_contours || step == 0.0 || !(r->most >= r->least)) return RIA_OK;
  const double first = ceil(r->least / step), last = floor(r->most / step);
  if (last - first + 1 > RIA_RENDER_CONTOURS)
    return ria_fail(r->ctx, RIA_ERR_ARGUMENT,
                    "contours each %g from %g to %g would be %.0f: more than %d; give a greater "
                    "step",
                    step, r->least, r->most, last - first + 1, RIA_RENDER_CONTOURS);
  for (double k = first; k <= last; k++) r->contour[r->n_contours++] = k * step + 0.0;
  return RIA_OK;
}
