/* boundary.h - present values of the boundaries of a solver of flow, on the CPU: levels and
 * discharges of stretches, concentrations of inflow, discharges per width, and the wind.
 *
 * Stretches, sources and the account of the sides are those of ria/planes.h. */
#ifndef RIA_WATER_BOUNDARY_H
#define RIA_WATER_BOUNDARY_H
#include <ria/planes.h>
#include "solvers/shared/water/boundary_k.h"
#include "solvers/shared/water/forces.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the cells of the sides find one of their values: slot and part of water_between, of cells
 * numbered side after side. */
typedef struct water_place {
  int32_t slot;
  double part;
} water_place;

typedef struct water_forcing {
  /* [n_values] level, total discharge or slope of stretches, WATER_ALONG values each: value[k] is
   * the first of stretch k, value[n_stretch + k] the second; then those of points. */
  double *value;
  double *slope; /* [n_stretch] of a rating in adi, m^2/s: of its discharge by the level */
  water_place *place[WATER_ALONG]; /* [cells of all sides]; NULL: nothing differs along a side */
  ria_side_point *point;           /* [n_points] */
  int n_points;
  ria_turned *turned; /* [the most constituents] of tides at points, at present */
  double *tracer;     /* [n_stretch][tracers] concentration of inflow */
  /* [side length] discharge per width, m^2/s; of a rating 0: the edge is closed, or 1 (in adi the
   * cell's part of the stretch, over its width, 1/m) */
  double *share[RIA_SIDES];
  int wind[RIA_WIND_VALUES]; /* forcing ids */
  /* [n_stretch] forcing id of the curve of a rating, which is a level otherwise; 0: it is none */
  int *curve;
  water_leaving *leaving; /* [longest side] room for the cells of a rating */
} water_forcing;

/* f is zeroed. On failure it can be freed. */
ria_status water_forcing_init(water_forcing *f, const ria_planes *p);
void water_forcing_free(water_forcing *f);
/* ria_planes_force, and memory for the values. Stretches of kind `rating` (-1: there
 * are none) become levels with a curve. On failure all stays as it was. */
ria_status water_force(water_forcing *f, ria_planes *p, const ria_forcing_set *set, int rating);
/* Pairs of sides that are periodic: beyond the one lie the cells along the other. */
typedef struct water_rings {
  bool x, y; /* the west and the east; the south and the north */
} water_rings;
/* Those of a set, where all of either side is; half a pair is none. */
water_rings water_rings_of(const ria_boundary_set *set, const ria_grid *grid);
/* RIA_ERR_ARGUMENT where a side is periodic in part, or the one across is not. */
ria_status water_check_rings(ria_context *ctx, const ria_grid *grid, const ria_stretch *stretch,
                             const int32_t *const owner[RIA_SIDES]);
/* Where cells find value `which`: place[cells of all sides]. */
void water_lay_places(const ria_boundary_set *set, const ria_grid *grid, int which,
                      water_place *place);
/* The current outside a radiating stretch at time t; of others nothing. */
void water_currents_at(water_forcing *f, const ria_planes *p, int stretch, double t);
/* Values of points at time t; side >= 0: of stretches that lie as this side does, along x or y. */
void water_points_at(water_forcing *f, const ria_planes *p, int side, double t);
/* Value `which` of the k-th cell of a side, of stretch `owner`. */
static inline double water_side_value(const water_forcing *f, const ria_planes *p, int which,
                                      int side, int k, int owner) {
  if (!f->place[which]) return f->value[which * p->n_stretch + owner];
  const water_place *q = &f->place[which][p->owner[side] - p->account.owner + k];
  return water_between(f->value, q->slot, q->part);
}
/* Concentrations of inflow at time t. */
void water_inflow_at(water_forcing *f, const ria_planes *p, int tracers, double t);
/* The level of a rating, of which the n cells in f->leaving are all. length: of a cell along the
 * side, m. */
double water_rated(const water_forcing *f, const ria_planes *p, int stretch, int n, double length,
                   double g);
/* The shares of a stretch's cells hold their conveyances; make them its discharge per width. */
void water_spread(water_forcing *f, const ria_planes *p, int stretch);

#ifdef __cplusplus
}
#endif

#endif
