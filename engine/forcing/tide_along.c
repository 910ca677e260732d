/* forcing/tide_along.c - a tidal model along a boundary: where its points lie, and currents on the
 * axes of the grid. */
#include "base/context.h"
#include "forcing/forcing.h"
#include "forcing/tide.h"
#include "forcing/tide_model.h"
#include "io/crs.h"

#include <math.h>
#include <string.h>

static const double to_rad = 0.017453292519943295;

static ria_status at_places(ria_sim *sim, const ria_tide_model *m, const ria_place *place,
                            double *axis, ria_tide_points *out) {
  double at[4][RIA_TIDE_MODEL_POINTS];
  const size_t most = RIA_TIDE_MODEL_POINTS,
               n = (size_t)place->count < most ? (size_t)place->count : most;
  const bool degrees = ria_crs_given(sim->crs);
  ria_along_spread(&sim->grid, place, n, at[0], at[1]);
  memcpy(at[2], at[0], 2 * sizeof at[0]);
  if (degrees) RIA_TRY(ria_sim_to_lon_lat(sim, n, at[2], at[3]));
  RIA_TRY(
      ria_tide_model_sample(sim->ctx, m, degrees ? sim->crs : NULL, n, at[2], at[3], axis, out));
  for (size_t k = 0; k < n; k++) {
    out->point[k].x = at[0][k];
    out->point[k].y = at[1][k];
  }
  return RIA_OK;
}

ria_status ria_tide_model_along(ria_sim *sim, ria_boundary_id id, const ria_boundary_desc *where,
                                const ria_tide_model *model, ria_tide_points *out) {
  ria_place place;
  *out = (ria_tide_points){0};
  RIA_TRY(ria_along_where(sim, id, where, &place));
  return at_places(sim, model, &place, NULL, out);
}

/* --- currents --------------------------------------------------------------------------------- */

static double complex number_of(const ria_constituent *c) {
  return c->amplitude * cexp(-I * c->phase * to_rad);
}

static void put_number(ria_constituent *c, double complex z) {
  const double lag = -carg(z) / to_rad;
  c->amplitude = cabs(z);
  c->phase = lag < 0 ? lag + 360 : lag;
}

/* Each component along an axis of its own map, from the run's x axis: on the axes of a grid that is
 * turned by `grid`. Two maps of one projection have one axis. */
static void turn_point(ria_tide_point *u, ria_tide_point *v, double east, double north,
                       double grid) {
  const double cu = cos(east - grid), su = sin(east - grid);
  const double cv = cos(north - grid), sv = sin(north - grid);
  for (size_t c = 0; c < u->n; c++) {
    const double complex e = number_of(&u->constituents[c]), n = number_of(&v->constituents[c]);
    put_number(&u->constituents[c], e * cu - n * sv);
    put_number(&v->constituents[c], e * su + n * cv);
  }
}

/* All points have what the first has; the engine's order is the same for both where each is. */
static ria_status check_pair(ria_context *ctx, const ria_tide_points *u, const ria_tide_points *v) {
  const ria_tide_point *a = &u->point[0], *b = &v->point[0];
  bool same = a->n == b->n;
  for (size_t c = 0; same && c < a->n; c++)
    same = strcmp(a->constituents[c].name, b->constituents[c].name) == 0;
  if (same) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_INPUT,
                  "the model of u has %zu constituents and that of v %zu, or others: currents are "
                  "turned to the grid together, so both need the same, in the same order (`only` "
                  "chooses)",
                  a->n, b->n);
}

static ria_status currents(ria_sim *sim, const ria_place *place, const ria_tide_model *east,
                           const ria_tide_model *north, ria_tide_points *u, ria_tide_points *v) {
  double axis[2][RIA_TIDE_MODEL_POINTS];
  RIA_TRY(at_places(sim, east, place, axis[0], u));
  RIA_TRY(at_places(sim, north, place, axis[1], v));
  RIA_TRY(check_pair(sim->ctx, u, v));
  for (size_t k = 0; k < u->n; k++)
    turn_point(&u->point[k], &v->point[k], axis[0][k], axis[1][k], sim->grid.angle * to_rad);
  return RIA_OK;
}

ria_status ria_tide_currents_along(ria_sim *sim, ria_boundary_id id, const ria_boundary_desc *where,
                                   const ria_tide_model *east, const ria_tide_model *north,
                                   ria_tide_points *u, ria_tide_points *v) {
  ria_place place;
  *u = *v = (ria_tide_points){0};
  RIA_TRY(ria_along_where(sim, id, where, &place));
  const ria_status s = currents(sim, &place, east, north, u, v);
  if (s == RIA_OK) return RIA_OK;
  ria_tide_points_free(u);
  ria_tide_points_free(v);
  return s;
}
