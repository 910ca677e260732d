/* shallow_water.h - private to the solver: its parameters, its memory, what its files share.
 *
 *   shallow_water_k.h      arithmetic per cell and edge
 *   shallow_water_rim_k.h  arithmetic per edge of the boundary
 *   shallow_water_forcing_k.h  arithmetic between two steps: forcing, sources, the next dt
 *   shallow_water.c        tables, memory, the functions the engine calls
 *   shallow_water_forcing.c  boundaries and sources
 *   shallow_water_outlets.c  are outlets where they can work?
 *   shallow_water_clock.c  between two steps: dt, failures
 *   shallow_water_io.c     reading and writing fields, amounts, totals
 *   shallow_water_step.h   the time step for one precision, compiled by step_f32.c and step_f64.c
 */
#ifndef SHALLOW_WATER_H
#define SHALLOW_WATER_H

#include "shallow_water_forcing_k.h"
#include "solvers/common/forces.h"
#include <ria/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_params {
  double gravity, manning, cfl, dry_depth, dt_max, dt_min;
  ria_forces forces;
  double wind_depth;
} sw_params;

/* Index into the field table of shallow_water.c, in its order. */
enum sw_field {
  SW_BED,
  SW_MANNING,
  SW_DEPTH,
  SW_LEVEL_FIELD,
  SW_QX,
  SW_QY,
  SW_U,
  SW_V,
  SW_SPEED,
  SW_FROUDE,
  SW_CONC,
  SW_LOAD,
  SW_FIELDS
};

/* --- one cell of the state, in double: what fields are of it, and what setting one does ---------
 */

typedef struct sw_here {
  double h, qx, qy, z;
} sw_here;

/* Value of a field other than `manning`; NaN where it has no meaning. load: h C of the tracer. */
RIA_KERNEL double sw_value_of(int field, sw_here c, double load, double g, double dry) {
  switch (field) {
  case SW_BED:
    return c.z;
  case SW_DEPTH:
    return c.h;
  case SW_QX:
    return c.qx;
  case SW_QY:
    return c.qy;
  case SW_LOAD:
    return load;
  default:
    break;
  }
  if (!(c.h > dry)) return NAN;
  if (field == SW_LEVEL_FIELD) return c.h + c.z;
  if (field == SW_CONC) return load / c.h;
  const double u = c.qx / c.h, v = c.qy / c.h;
  switch (field) {
  case SW_U:
    return u;
  case SW_V:
    return v;
  case SW_SPEED:
    return sqrt(u * u + v * v);
  case SW_FROUDE:
    return sqrt((u * u + v * v) / (g * c.h));
  default:
    return NAN;
  }
}

/* Set depth, level, discharge or velocity. Velocities and concentrations stay when the depth
 * changes, and refer to the depth that is there when they are set. Returns the factor on the loads
 * of all tracers. A level of NaN is dry. */
RIA_KERNEL double sw_set_flow(int field, double v, double dry, sw_here *c) {
  if (field == SW_LEVEL_FIELD || field == SW_DEPTH) {
    double h = field == SW_LEVEL_FIELD ? v - c->z : v;
    if (!(h > 0)) h = 0;
    const double scale = c->h > 0 ? h / c->h : 1.0, moves = c->h > dry && h > dry ? scale : 0.0;
    c->h = h;
    c->qx *= moves;
    c->qy *= moves;
    return scale;
  }
  if (isnan(v)) v = 0;
  const double q = c->h > dry ? (field == SW_U || field == SW_V ? v * c->h : v) : 0.0;
  if (field == SW_QX || field == SW_U) c->qx = q;
  if (field == SW_QY || field == SW_V) c->qy = q;
  return 1.0;
}

enum {
  SW_H,
  SW_STATE_QX,
  SW_STATE_QY,
  SW_STATE_C, /* h C of the first tracer */
  SW_STATES = SW_STATE_C + RIA_MAX_TRACERS,
  SW_BLOCK = 2048,            /* columns worked on at a time: their scratch stays in cache */
  SW_SEGMENT = 32,            /* columns that are skipped together while dry; divides SW_BLOCK */
  SW_CELLS_PER_THREAD = 8192, /* fewer are not worth another thread */
  SW_PAD = 16, /* elements left of column 0: column 0 is aligned, the ghost cell is in the pad */
  SW_QUANTITIES = 1 + RIA_MAX_TRACERS
};

/* What one thread finds in one step. */
typedef struct sw_found {
  double speed;   /* max of (|u|+c)/dx + (|v|+c)/dy, 1/s */
  int row, block; /* where */
  int bad;        /* a NaN, an infinity or a negative depth was written */
  char pad[64];   /* a cache line to itself */
} sw_found;

typedef struct sw_track {
  int field, tracer;
  void *max; /* like a state plane */
} sw_track;

/* A boundary cell's account: what crossed its edge since the last time it was folded. */
typedef struct sw_crossed {
  double in, out;
  double owed; /* an inflow too small yet for the last place of the cell, as depth or h C */
} sw_crossed;

typedef struct sw_source {
  ria_source s;
  int32_t *cell;
  double *weight;
  double *owed; /* [n] given next time: less than the last place of the cell */
} sw_source;

/* What is wrong with outlets, or what the reader should know of them; "" = nothing. */
typedef struct sw_outlets {
  char refusal[200]; /* a run may not begin, or go on, with them */
  char warning[160];
  double standing; /* m: how deep the water is that the warning tells of */
} sw_outlets;

typedef struct sw {
  ria_context *ctx;
  const ria_backend *backend;
  int threads;
  ria_grid grid;
  ria_real real;
  sw_params p;
  int nt; /* tracers */
  double decay[RIA_MAX_TRACERS], diffusion[RIA_MAX_TRACERS];

  /* Planes [ny + 2][stride] of the run's precision; cell (i, j) is at (j + 1) * stride + SW_PAD +
   * i. Ghost cells exist so that row loops need no special ends; their depth stays 0 and the edges
   * to them are replaced by sw_boundary. */
  size_t stride, plane, real_size;
  void *bed;     /* m */
  void *manning; /* s/m^(1/3); NULL = p.manning everywhere */
  void *state[2][SW_STATES];
  int now; /* state[now] is the present */
  sw_track *track;
  int n_track;

  int blocks, segments;        /* per row */
  uint8_t *wet[2];             /* [ny][segments] some cell deeper than dry_depth, of each state */
  uint8_t *same;               /* [ny][segments] both states hold the same there */
  uint8_t *always;             /* [ny][segments] forcing can wet it: never skipped */
  struct ria_barrier *barrier; /* where the threads of a step meet */
  void **scratch;              /* [threads] */
  sw_found *found;             /* [threads] */
  double *row_sums;            /* [ny] for totals */
  double *decayed;             /* [nt][ny] kg lost so far */

  /* Forcing: a private copy of what the engine handed over. */
  ria_forcing *entries;
  double *data;
  ria_forcing_table table;
  ria_stretch *stretch;
  int n_stretch;
  int32_t *owner[RIA_SIDES];
  sw_crossed *crossed[RIA_SIDES];   /* [side length][1 + nt] */
  double *stretch_in, *stretch_out; /* [n_stretch][1 + nt], folded */
  double *value_now;                /* [n_stretch] level or total discharge at this step */
  double *tracer_now;               /* [n_stretch][nt] */
  double *share[RIA_SIDES];         /* discharge per width at each boundary cell, m^2/s */
  sw_source *sources;
  int n_sources;
  double added[SW_QUANTITIES]; /* by sources */
  int wind[RIA_WIND_VALUES];   /* forcing ids */
  double stress[2];            /* of the wind over density at this step, m^2/s^2 */
  bool forced;                 /* rotation or wind acts on the water */
  sw_outlets outlets;          /* as they were when forcing was told */

  /* The clock and what is known of the state. */
  double t;
  int64_t steps;
  double dt, speed; /* of the present state, 1/s */
  int speed_row, speed_block;
  int forced_cell;       /* whose boundary or source sets the step; -1 = the flow itself does */
  bool ready;            /* speed and wet flags describe the present state */
  ria_progress progress; /* dt_min and failure are kept here */
} sw;

/* Set speed, wet flags and places of the present state from scratch. */
void sw_survey_f32(sw *s);
void sw_survey_f64(sw *s);
/* Run to the span's end, or to a failure recorded in s->progress. */
void sw_advance_f32(sw *s, const ria_span *span);
void sw_advance_f64(sw *s, const ria_span *span);

/* Keep the larger speed; of equal ones the place that comes first, so that threads do not matter.
 */
static inline void sw_note(sw_found *found, double speed, int j, int b) {
  if (speed > found->speed || (speed == found->speed && speed > 0 &&
                               (j < found->row || (j == found->row && b < found->block)))) {
    found->speed = speed;
    found->row = j;
    found->block = b;
  }
}

/* Take over what the threads found of the present state. */
void sw_gather(sw *s);
/* Take over the step just done, or record why it failed. */
void sw_settle(sw *s);
/* Choose dt; 0 = the span is over or the run has failed. *last: it lands on the span's end. */
double sw_choose_dt(sw *s, const ria_span *span, bool *last);

ria_status sw_no_memory(const sw *s, const char *what);
ria_status sw_force(void *self, const ria_forcing_set *set);
void sw_free_forcing(sw *s);
/* Move what boundary cells counted into their stretches' totals. */
void sw_fold_crossed(sw *s);
/* Do rotation or wind act on the water? wind: forcing ids. */
bool sw_is_forced(const sw_params *p, const ria_forcing_table *table, const int *wind);
/* Values of boundaries and wind, and shares of discharges, at time t. */
void sw_force_at(sw *s, double t);
/* The largest wave speed (1/s) that boundaries and sources ask for, given a step of at most dt. */
double sw_forcing_speed(sw *s, double dt);
/* Add what the sources give in [t, t + dt] to the present state. */
void sw_apply_sources(sw *s, double t, double dt);

static inline size_t sw_at(const sw *s, int i, int j) {
  return (size_t)(j + 1) * s->stride + SW_PAD + (size_t)i;
}
static inline double sw_get(const sw *s, const void *plane, size_t at) {
  return s->real == RIA_F32 ? (double)((const float *)plane)[at] : ((const double *)plane)[at];
}
static inline void sw_put(const sw *s, void *plane, size_t at, double v) {
  if (s->real == RIA_F32)
    ((float *)plane)[at] = (float)v;
  else
    ((double *)plane)[at] = v;
}
/* Cell at position k of a side. */
static inline void sw_side_cell(const sw *s, ria_side side, int k, int *i, int *j) {
  *i = side == RIA_WEST ? 0 : side == RIA_EAST ? s->grid.nx - 1 : k;
  *j = side == RIA_SOUTH ? 0 : side == RIA_NORTH ? s->grid.ny - 1 : k;
}

/* Element of the cell that a cell on a side has behind it; the cell's own where there is none. */
static inline size_t sw_inner(const sw *s, ria_side side, size_t at) {
  if (side == RIA_WEST || side == RIA_EAST)
    return s->grid.nx == 1 ? at : side == RIA_WEST ? at + 1 : at - 1;
  return s->grid.ny == 1 ? at : side == RIA_SOUTH ? at + s->stride : at - s->stride;
}

/* --- shared with other backends: words, ranges -------------------------------------------------
 */

typedef enum sw_limit { SW_LIMIT_FLOW, SW_LIMIT_FORCING, SW_LIMIT_OTHER } sw_limit;
/* Why dt is as short as it is; the cell and the step are the caller's to set. */
void sw_tell_cause(ria_progress *p, sw_limit limit, double speed, double celerity, double depth);
/* The run fails because dt < dt_min, at the cell of p->dt_min. */
void sw_tell_too_short(ria_progress *p, double t, double dt, double dt_min);
/* Is this no state? Then say what is wrong. load[nt]. */
bool sw_tell_wrong(double h, double qx, double qy, const double *load, int nt, char *what,
                   size_t size);
sw_pace sw_pace_of(const sw_params *p, const ria_grid *grid, int nt, const double *diffusion);
/* RIA_ERR_ARGUMENT where a value [ny][nx] is none that the field can have. */
ria_status sw_check_values(ria_context *ctx, const ria_grid *grid, int threads, int field,
                           const double *src);

typedef ria_status (*sw_sampler)(void *self, int field, int tracer, int n, const int32_t *cell,
                                 double *out);
/* Look at the outlets of a set of forcing; `sample` is that of ria_solver_ops. The bed counts, and
 * for the warning the present state: it means what it says before the first step alone. */
ria_status sw_judge_outlets(ria_context *ctx, const ria_grid *grid, const ria_forcing_set *set,
                            sw_sampler sample, void *self, sw_outlets *out);
/* RIA_ERR_ARGUMENT where there is a refusal. */
ria_status sw_refuse_outlets(ria_context *ctx, const sw_outlets *o);

/* The functions of ria_solver_ops that live in shallow_water_io.c. */
ria_status sw_read(void *self, int field, int tracer, bool maximum, int j0, int nj, ria_real real,
                   void *dst);
ria_status sw_write(void *self, int field, int tracer, const double *src);
ria_status sw_sample(void *self, int field, int tracer, int n, const int32_t *cell, double *out);
ria_status sw_add(void *self, int quantity, int n, const int32_t *cell, const double *amount);
ria_status sw_totals(void *self, ria_quantity_totals *totals);
ria_status sw_fluxes(void *self, int n, double *in, double *out);
/* A field's name in the table. */
const char *sw_field_name(int field);
/* Value of a field in one cell of the present state; NaN where it has no meaning. */
double sw_value(const sw *s, int field, int tracer, int i, int j);

#ifdef __cplusplus
}
#endif
#endif
