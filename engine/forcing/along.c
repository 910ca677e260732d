/* forcing/along.c - values that differ along a boundary: given at points of it.
 *
 * Each point has a value of its own in time; a face takes what lies on the line between the values
 * of the points beside it. For tides that is the same, to rounding, as to interpolate the complex
 * amplitude of every constituent, for a tide is linear in these: but it costs a face one product
 * instead of one for each constituent. What is left are the constituents of each point, and those
 * share how far each has turned: a cosine and a sine for all points together. */
#include "forcing/along.h"
#include "base/context.h"
#include "base/text.h"
#include "forcing/forcing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- taking ----------------------------------------------------------------------------------- */

void ria_along_clear(ria_side_values *a) {
  for (size_t k = 0; k < a->n; k++) ria_own_value_clear(&a->point[k].value);
  free(a->point);
  *a = (ria_side_values){0};
}

static ria_status at_share(ria_sim *sim, const char *bound, const ria_place *place,
                           const ria_boundary_point *p, double *at) {
  if (!(p->share >= 0.0 && p->share <= 1.0))
    return ria_fail(
        sim->ctx, RIA_ERR_ARGUMENT,
        "boundary '%s': a point of '%s' is at %g of the way along it: it must be 0 to 1", bound,
        p->name, p->share);
  *at = place->first + (place->back ? 1.0 - p->share : p->share) * place->count;
  return RIA_OK;
}

static ria_status at_point(ria_sim *sim, const char *bound, const ria_place *place,
                           const ria_boundary_point *p, double *at) {
  const double xy[2] = {p->x, p->y};
  double off, beyond, length;
  *at = ria_along_side(&sim->grid, place->side, xy, &off, &beyond, &length);
  if (off <= length && beyond <= length) return RIA_OK; /* not where they are no numbers */
  return ria_fail(
      sim->ctx, RIA_ERR_ARGUMENT,
      "boundary '%s': the point (%.10g, %.10g) of '%s' is %.4g m from the %s side, which "
      "is %.4g m long: is it given in other coordinates?",
      bound, p->x, p->y, p->name, hypot(off, beyond), ria_side_name(place->side), length);
}

static int compare(const void *a, const void *b) {
  const double x = ((const ria_along_point *)a)->at, y = ((const ria_along_point *)b)->at;
  return (x > y) - (x < y);
}

/* As a message has it: "the point (0, 200)". */
typedef struct point_text {
  char s[96];
} point_text;
static point_text text_of(const ria_boundary_point *p) {
  point_text t;
  if (p->by_share)
    ria_format(t.s, sizeof t.s, "the point at %.6g of the way along it", p->share);
  else
    ria_format(t.s, sizeof t.s, "the point (%.10g, %.10g)", p->x, p->y);
  return t;
}

static ria_status take_one(ria_sim *sim, const char *bound, const ria_place *place,
                           const ria_boundary_point *p, ria_along_point *to) {
  RIA_TRY(p->by_share ? at_share(sim, bound, place, p, &to->at)
                      : at_point(sim, bound, place, p, &to->at));
  if (!p->value.series && !isfinite(p->value.constant))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "boundary '%s': %s of %s is not a finite number",
                    bound, p->name, text_of(p).s);
  const ria_status status = ria_own_value_set(sim, &to->value, &p->value);
  if (status == RIA_OK) return RIA_OK;
  return ria_fail_more(sim->ctx, status, "boundary '%s': %s of %s", bound, p->name, text_of(p).s);
}

static ria_status check_number(ria_sim *sim, const char *bound, const ria_boundary_desc *desc,
                               const char *name) {
  size_t n = 0;
  for (size_t k = 0; k < desc->n_points; k++)
    n += desc->points[k].name && strcmp(desc->points[k].name, name) == 0;
  if (n <= RIA_ALONG_MOST) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "boundary '%s': '%s' is given at %zu points, and up to %d are taken: in between "
                  "values lie on the line",
                  bound, name, n, RIA_ALONG_MOST);
}

ria_status ria_along_take(ria_sim *sim, const char *bound, const ria_place *place,
                          const ria_boundary_desc *desc, const char *name, ria_side_values *out) {
  RIA_TRY(check_number(sim, bound, desc, name));
  out->point = calloc(desc->n_points, sizeof *out->point);
  if (!out->point)
    return ria_fail_memory(sim->ctx, "points of a boundary", desc->n_points * sizeof *out->point);
  for (size_t k = 0; k < desc->n_points; k++) {
    const ria_boundary_point *p = &desc->points[k];
    if (!p->name || strcmp(p->name, name) != 0) continue;
    RIA_TRY(take_one(sim, bound, place, p, &out->point[out->n++]));
  }
  qsort(out->point, out->n, sizeof *out->point, compare);
  const ria_side_line line = ria_side_line_of(&sim->grid, place->side);
  for (size_t k = 1; k < out->n; k++)
    if (out->point[k].at - out->point[k - 1].at < 1e-6)
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                      "boundary '%s': two points of '%s' are at one place of the %s side, %.6g m "
                      "from its %s end",
                      bound, name, ria_side_name(place->side), out->point[k].at * line.d,
                      line.along ? "south" : "west");
  return RIA_OK;
}

ria_status ria_along_copy(ria_sim *sim, const ria_side_values *from, ria_side_values *out) {
  out->point = calloc(from->n, sizeof *out->point);
  if (!out->point)
    return ria_fail_memory(sim->ctx, "points of a boundary", from->n * sizeof *out->point);
  for (; out->n < from->n; out->n++) {
    const ria_value v = ria_own_value_view(&from->point[out->n].value);
    out->point[out->n].at = from->point[out->n].at;
    RIA_TRY(ria_own_value_set(sim, &out->point[out->n].value, &v));
  }
  return RIA_OK;
}

/* --- points along a boundary ------------------------------------------------------------------ */

ria_status ria_along_where(ria_sim *sim, ria_boundary_id id, const ria_boundary_desc *where,
                           ria_place *out) {
  if (id) {
    RIA_TRY(ria_forcing_place(sim, id, out));
  } else {
    RIA_TRY(ria_place_resolve(sim->ctx, &sim->grid, where, out));
    free(out->takes);
  }
  out->takes = NULL;
  return RIA_OK;
}

void ria_along_spread(const ria_grid *g, const ria_place *place, size_t n, double *x, double *y) {
  const bool upright = place->side == RIA_WEST || place->side == RIA_EAST;
  for (size_t k = 0; k < n; k++) {
    const double step = (double)place->count / (double)n, at = place->first + (k + 0.5) * step;
    x[k] = g->x0 + (upright ? (place->side == RIA_EAST) * g->nx : at) * g->dx;
    y[k] = g->y0 + (upright ? at : (place->side == RIA_NORTH) * g->ny) * g->dy;
    ria_grid_to_map(g, &x[k], &y[k]);
  }
}

/* --- flat ------------------------------------------------------------------------------------- */

static const ria_series *tide_of(const ria_side_values *a, size_t k) {
  const ria_series *s = a->point[k].value.series;
  return s && s->entry.kind == RIA_FORCING_TIDE && s->entry.count > 0 ? s : NULL;
}

/* Are all of them tides with the same speeds, in the same order? */
static bool share_speeds(const ria_side_values *a) {
  const ria_series *first = tide_of(a, 0);
  if (!first || a->n < 2) return false;
  for (size_t k = 1; k < a->n; k++) {
    const ria_series *s = tide_of(a, k);
    if (!s || s->entry.count != first->entry.count) return false;
    for (int c = 0; c < s->entry.count; c++)
      if (s->data[3 * c] != first->data[3 * c]) return false;
  }
  return true;
}

/* Where the speeds of a tide are in the data, from another boundary or value; -1: nowhere. */
static int find_speeds(const ria_forcing_build *b, const ria_series *s) {
  for (size_t k = 0; k < b->n; k++) {
    const ria_forcing *f = &b->entry[k];
    if (f->kind != RIA_FORCING_TIDES || f->count != s->entry.count) continue;
    const int at = (int)b->data.v[f->first];
    int c = 0;
    while (c < f->count && b->data.v[at + c] == s->data[3 * c]) c++;
    if (c == f->count) return at;
  }
  return -1;
}

static ria_status put_speeds(ria_sim *sim, ria_forcing_build *b, const ria_series *s, int *at) {
  *at = find_speeds(b, s);
  if (*at >= 0) return RIA_OK;
  *at = (int)b->data.n;
  for (int c = 0; c < s->entry.count; c++)
    RIA_TRY(ria_doubles_append(sim->ctx, &b->data, &s->data[3 * c], 1));
  return RIA_OK;
}

/* speeds: where they are. */
static ria_status put_tide(ria_sim *sim, ria_forcing_build *b, const ria_series *s, int speeds,
                           int *id) {
  const double where = speeds;
  if (b->data.n + s->n_data > INT32_MAX)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "all series of a run together have too many rows");
  RIA_TRY(ria_grow(sim->ctx, "forcing", &b->entry, &b->room, b->n + 1, sizeof *b->entry));
  ria_forcing entry = s->entry;
  entry.kind = RIA_FORCING_TIDES;
  entry.first = (int)b->data.n;
  RIA_TRY(ria_doubles_append(sim->ctx, &b->data, &where, 1));
  for (int c = 0; c < s->entry.count; c++) {
    const double amp = s->data[3 * c + 1], lag = s->data[3 * c + 2];
    const double pair[2] = {amp * cos(lag), amp * sin(lag)};
    RIA_TRY(ria_doubles_append(sim->ctx, &b->data, pair, 2));
  }
  *id = (int)b->n;
  b->entry[b->n++] = entry;
  return RIA_OK;
}

ria_status ria_along_build(ria_sim *sim, ria_forcing_build *b, const ria_side_values *a,
                           int stretch, int value) {
  const bool share = share_speeds(a);
  int speeds = 0;
  RIA_TRY(ria_grow(sim->ctx, "points of boundaries", &b->point, &b->points_room, b->n_points + a->n,
                   sizeof *b->point));
  if (share) RIA_TRY(put_speeds(sim, b, a->point[0].value.series, &speeds));
  for (size_t k = 0; k < a->n; k++) {
    ria_side_point *p = &b->point[b->n_points];
    const ria_along_point *from = &a->point[k];
    *p = (ria_side_point){.stretch = stretch, .value = value, .at = from->at};
    RIA_TRY(share ? put_tide(sim, b, from->value.series, speeds, &p->id)
                  : ria_forcing_build_value(sim, b, &from->value, &p->id));
    b->n_points++;
  }
  return RIA_OK;
}

/* --- the time they cover ---------------------------------------------------------------------- */

ria_status ria_along_covers(ria_sim *sim, ria_side side, const ria_side_values *a, const char *what,
                            double t0, double t1) {
  const char *first = side == RIA_WEST || side == RIA_EAST ? "south" : "west";
  char point[240];
  for (size_t k = 0; k < a->n; k++) {
    const ria_value v = ria_own_value_view(&a->point[k].value);
    snprintf(point, sizeof point, "%s, point %zu of %zu from the %s", what, k + 1, a->n, first);
    RIA_TRY(ria_value_check_span(sim->ctx, &sim->start, &v, point, t0, t1));
  }
  return RIA_OK;
}

double ria_along_end(const ria_side_values *a, double end) {
  for (size_t k = 0; k < a->n; k++) {
    const ria_series *s = a->point[k].value.series;
    if (s) end = fmin(end, s->t1);
  }
  return end;
}
