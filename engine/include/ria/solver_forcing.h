/* ria/solver_forcing.h - for solver authors: what drives a run from outside, as a solver is given
 * it.
 *
 * Boundaries, sources and layers, all flat: names and descriptions are resolved to indices and to
 * cells, and values that change in time are entries of one table (ria_forcing_table, ria/kernel.h),
 * named by their index there: a forcing id. */
#ifndef RIA_SOLVER_FORCING_H
#define RIA_SOLVER_FORCING_H
#include <ria/boundary.h>
#include <ria/kernel.h>
#include <ria/sim.h>
#ifdef __cplusplus
extern "C" {
#endif

/* One boundary, resolved. Forcing ids index the table handed over with it. */
typedef struct ria_stretch {
  int kind; /* index into the solver's kinds */
  ria_side side;
  int value[RIA_BOUNDARY_VALUES]; /* forcing id of each value of the kind */
  int tracer[RIA_MAX_TRACERS];    /* forcing id of the concentration of inflow */
} ria_stretch;

/* A value of a stretch that differs along it is given at points: at the centre of a cell it is that
 * on the line between the values of the two points beside, by the distance along the side; beyond
 * the first point and the last it is theirs. */
typedef struct ria_side_point {
  int stretch, value; /* which of the values of its kind */
  double at; /* along the side, in cells from south or west: cell k's centre is at k + 0.5 */
  int id;    /* forcing id of its value */
} ria_side_point;

/* All four sides: owner[side][k] is the stretch at the k-th cell of that side (from south or west).
 * Stretches 0..3 always exist: the sides as a whole, in the order of ria_side. */
typedef struct ria_boundary_set {
  int n;
  const ria_stretch *stretch;      /* [n] */
  const int32_t *owner[RIA_SIDES]; /* [ria_side_length] */
  /* By stretch, of a stretch by value, and then by `at`, which grows. ria_stretch.value is the id
   * of the first. Only where the solver takes points: ria_solver.boundary_points. */
  const ria_side_point *point; /* [n_points] */
  int n_points;
} ria_boundary_set;

/* A continuous source: sum over its cells of weight = 1; the cell gets weight * rate(t) per second,
 * of one of the quantities: the solver's own in the order of its table (water, m^3/s), then the
 * tracers (in their unit times m^3/s). Steps never straddle t_start or t_stop. */
typedef struct ria_source {
  int quantity;
  int rate; /* forcing id */
  double t_start, t_stop;
  int n;
  const int32_t *cell;  /* [n] j * nx + i */
  const double *weight; /* [n] */
} ria_source;

/* What a layer draws one quantity to: a forcing id, the same in all its cells; or, with id -1, the
 * values of each cell at two times (ria_relax.t0, t1), NaN where there is none; or, with neither,
 * nothing: the quantity goes its own way. */
typedef struct ria_relaxed {
  int id;              /* -1: */
  const double *at[2]; /* [n] or NULL */
} ria_relaxed;

enum { RIA_TARGET_LEVEL, RIA_TARGET_U, RIA_TARGET_V, RIA_TARGETS };

/* A layer of cells in which the flow is drawn to a given one: d phi/dt = -rate (phi - target). */
typedef struct ria_relax {
  int n;
  const int32_t *cell;                 /* [n] j * nx + i, which grows */
  const double *rate;                  /* [n] 1/s, > 0; infinite: held at the target */
  double t0, t1;                       /* of the values of each cell; t1 > t0 */
  ria_relaxed flow[RIA_TARGETS];       /* m, m/s */
  ria_relaxed tracer[RIA_MAX_TRACERS]; /* concentrations, >= 0 */
  /* The most that the targets ask for anywhere: level (without a target less than anything), depth,
   * |u|, |v|. */
  double level, depth, u, v;
} ria_relax;

enum {
  RIA_RELAXED = (int)RIA_TARGETS + (int)RIA_MAX_TRACERS
}; /* targets of a layer, tracers last */
RIA_KERNEL ria_relaxed *ria_relaxed_of(ria_relax *r, int k) {
  return k < RIA_TARGETS ? &r->flow[k] : &r->tracer[k - RIA_TARGETS];
}

/* What targets of each cell count at time t: (1 - w) at[0] + w at[1]. */
RIA_KERNEL double ria_relax_part(double t0, double t1, double t) {
  const double w = (t - t0) / (t1 - t0);
  return w > 0.0 ? w < 1.0 ? w : 1.0 : 0.0;
}

/* Everything that drives the flow from outside. Handed over whole each time any of it changes. */
typedef struct ria_forcing_set {
  ria_forcing_table table;
  ria_boundary_set boundary;
  int n_sources;
  const ria_source *sources;
  /* Forcing ids of the solver's parameters of type RIA_VARYING, in the order of its table: their
   * values come from here, constant or not. Not to be read where it has none. */
  const int *varying;
  /* In the order in which they act. None where the solver does not say `relaxes`. */
  int n_relax;
  const ria_relax *relax; /* [n_relax] */
} ria_forcing_set;

#ifdef __cplusplus
}
#endif
#endif
