/* forces.h - the parameters of wind and Coriolis force that solvers of flow share, and what they
 * are at a time.
 *
 * A solver has a ria_forces among its parameters and the rows of RIA_FORCES_PARAMS in its table; a
 * scenario then says the same words to each. Speed and direction of the wind may follow series. */
#ifndef RIA_WATER_FORCES_H
#define RIA_WATER_FORCES_H
#include "solvers/shared/water/forces_k.h"
#include <ria/solver.h>
#include <stddef.h>

typedef struct ria_forces {
  double latitude, wind_speed, wind_from, wind_drag;
  double axes[2]; /* of the grid, as ria_to_axes has them: no parameter, set by ria_forces_on */
} ria_forces;

/* The forces act on this grid. */
static inline void ria_forces_on(ria_forces *p, const ria_grid *grid) {
  p->axes[0] = p->axes[1] = 0;
  if (grid->angle != 0) ria_grid_axes(grid, &p->axes[0], &p->axes[1]);
}

/* Rows of a parameter table; AT: offset of the ria_forces in the solver's struct. */
#define RIA_FORCES_PARAMS(AT)                                                                      \
  {"latitude",                                                                                     \
   "deg",                                                                                          \
   RIA_REAL,                                                                                       \
   0,                                                                                              \
   -90,                                                                                            \
   90,                                                                                             \
   NULL,                                                                                           \
   "of the Coriolis force, north positive; 0 = none",                                              \
   (AT) + offsetof(ria_forces, latitude),                                                          \
   RIA_DIM_ANGLE},                                                                                 \
      {"wind_speed",                                                                               \
       "m/s",                                                                                      \
       RIA_VARYING,                                                                                \
       0,                                                                                          \
       0,                                                                                          \
       100,                                                                                        \
       NULL,                                                                                       \
       "10 m above the water; 0 = no wind",                                                        \
       (AT) + offsetof(ria_forces, wind_speed),                                                    \
       RIA_DIM_SPEED},                                                                             \
      {"wind_from",                                                                                \
       "deg",                                                                                      \
       RIA_VARYING,                                                                                \
       270,                                                                                        \
       -360,                                                                                       \
       360,                                                                                        \
       NULL,                                                                                       \
       "where the wind comes from, clockwise from the map's north: 270 is a west wind",            \
       (AT) + offsetof(ria_forces, wind_from),                                                     \
       RIA_DIM_ANGLE},                                                                             \
  {                                                                                                \
    "wind_drag", "", RIA_REAL, 0, 0, 0.1, NULL,                                                    \
        "drag coefficient; 0 = 0.001255 up to 7 m/s, rising to 0.002425 at 25 m/s",                \
        (AT) + offsetof(ria_forces, wind_drag), RIA_DIM_NONE                                       \
  }

/* Places in ria_forcing_set.varying of a solver whose only RIA_VARYING rows are these. */
enum { RIA_WIND_SPEED, RIA_WIND_FROM, RIA_WIND_VALUES };

/* Stress of the wind at time t over the density of water, m^2/s^2, along the grid's axes. id:
 * forcing ids of RIA_WIND_SPEED and RIA_WIND_FROM. */
static inline void ria_wind_at(const ria_forces *p, const ria_forcing_table *table,
                               const int id[RIA_WIND_VALUES], double t, double stress[2]) {
  ria_wind_stress(ria_forcing_at(table, id[RIA_WIND_SPEED], t),
                  ria_forcing_at(table, id[RIA_WIND_FROM], t), p->wind_drag, stress);
  ria_to_axes(p->axes, stress);
}

/* Can there be wind? False where its speed is the constant 0. */
static inline bool ria_wind_blows(const ria_forcing_table *table, const int id[RIA_WIND_VALUES]) {
  const ria_forcing *f = &table->entry[id[RIA_WIND_SPEED]];
  return f->kind != RIA_FORCING_CONSTANT || f->base > 0;
}

#endif
