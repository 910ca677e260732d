/* boundary.h - present values of the boundaries of a solver of flow, on the CPU: levels and
 * discharges of stretches, concentrations of inflow, discharges per width, and the wind.
 *
 * Stretches, sources and the account of the sides are those of ria/planes.h. */
#ifndef RIA_WATER_BOUNDARY_H
#define RIA_WATER_BOUNDARY_H
#include <ria/planes.h>
#include "solvers/shared/water/boundary_k.h"
#include "solvers/shared/water/forces.h"

typedef struct water_forcing {
  double *value;             /* [n_stretch] level, total discharge or slope */
  double *tracer;            /* [n_stretch][tracers] concentration of inflow */
  double *share[RIA_SIDES];  /* [side length] discharge per width, m^2/s */
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
/* Concentrations of inflow at time t. */
void water_inflow_at(water_forcing *f, const ria_planes *p, int tracers, double t);
/* The level of a rating, of which the n cells in f->leaving are all. length: of a cell along the
 * side, m. */
double water_rated(const water_forcing *f, const ria_planes *p, int stretch, int n, double length,
                   double g);
/* The shares of a stretch's cells hold their conveyances; make them its discharge per width. */
void water_spread(water_forcing *f, const ria_planes *p, int stretch);

#endif
