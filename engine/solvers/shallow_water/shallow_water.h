/* shallow_water.h - private to the solver: its parameters, its memory, what its files share.
 *
 *   shallow_water_k.h      arithmetic per cell and edge
 *   shallow_water_rim_k.h  arithmetic per edge of the boundary
 *   shallow_water_slopes_k.h  slopes, half a step ahead, edges between faces: order 2
 *   shallow_water_names.h  the names of these formulas that both precisions have
 *   shallow_water_eddies_k.h  eddy viscosity, per edge
 *   shallow_water_clock_k.h  the clock: speeds that forcing asks for, the next dt, failures
 *   shallow_water.c        tables, memory, the functions the engine calls
 *   shallow_water_forcing.c  boundaries and sources
 *   shallow_water_relax.c  layers in which the flow is drawn to a given one
 *   shallow_water_rings.c  what lies beyond sides that are periodic
 *   shallow_water_outlets.c  are outlets where they can work?
 *   shallow_water_parts.c  what parts of a grid say to each other
 *   shallow_water_clock.c  between two steps: what the clock asks for, and says in words
 *   shallow_water_io.c     fields in and out, amounts; the state by name
 *   shallow_water_step.h   the time step for one precision, compiled by step_f32.c and step_f64.c
 *   shallow_water_second.h, shallow_water_eddies.h, shallow_water_rim.h, shallow_water_fields.h
 *                          parts of it
 *
 * Memory, maxima, forcing and the account are those of ria/planes.h; fields and boundary
 * kinds those of solvers/shared/water. */
#ifndef SHALLOW_WATER_H
#define SHALLOW_WATER_H

#include "shallow_water_clock_k.h"
#include "solvers/shared/water/boundary.h"
#include "solvers/shared/water/fields.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_params {
  double gravity, manning, cfl, dry_depth, dt_max, dt_min;
  ria_forces forces;
  double wind_depth;
  int order;      /* 1 or 2, in space and time */
  double limiter; /* theta, of order 2 */
  double eddy, smagorinsky, schmidt;
} sw_params;

enum {
  SW_H,
  SW_STATE_QX,
  SW_STATE_QY,
  SW_STATE_C, /* h C of the first tracer */
  SW_STATES = SW_STATE_C + RIA_MAX_TRACERS,
  SW_BLOCK = 2048, /* columns worked on at a time: their scratch stays in cache */
  SW_SEGMENT = 32, /* columns that are skipped together while dry; divides SW_BLOCK */
  SW_QUANTITIES = 1 + RIA_MAX_TRACERS,
  SW_EDDY_ROWS = 4, /* rows of scratch for eddies */
  SW_AHEAD = 13 /* rows of scratch per row of cells half a step ahead, and 5 per tracer: order 2 */
};

/* What one thread finds in one step. */
typedef struct sw_found {
  double speed;   /* max of (|u|+c)/dx + (|v|+c)/dy, 1/s */
  int row, block; /* where */
  double eddy;    /* the greatest that Smagorinsky's formula asks for, m^2/s */
  int bad;        /* a NaN, an infinity or a negative depth was written */
  char pad[64];   /* a cache line to itself */
} sw_found;

/* An error or a warning about outlets; "" = none. */
typedef struct sw_outlets {
  char refusal[200]; /* a run may not begin, or go on, with them */
  char warning[160];
  double standing; /* m: how deep the water is that the warning tells of */
} sw_outlets;

typedef struct sw {
  /* First. Ghost cells exist so that row loops need no special ends; their depth stays 0 and the
   * edges to them are replaced by sw_boundary, but where sides are periodic: there each step begins
   * with filling them from the other side. `ready`: speed and wet flags describe the present
   * state. */
  ria_planes planes;
  sw_params param;
  int nt; /* tracers */
  double decay[RIA_MAX_TRACERS], diffusion[RIA_MAX_TRACERS];

  void *bed;     /* m */
  void *manning; /* s/m^(1/3); NULL = p.manning everywhere */
  void *state[2][SW_STATES];
  int now; /* state[now] is the present */

  int blocks, segments; /* per row */
  /* [sw_flags] of the segments of all rows that planes have, by sw_segment: */
  uint8_t *wet[2];             /* some cell is deeper than dry_depth, of each state */
  uint8_t *same;               /* both states hold the same there */
  uint8_t *always;             /* forcing can wet it: never skipped */
  struct ria_barrier *barrier; /* where the threads of a step meet */
  void **scratch;              /* [threads] */
  sw_found *found;             /* [threads] */

  water_forcing forcing; /* values at this step */
  double stress[2];      /* of the wind over density at this step, m^2/s^2 */
  bool forced;           /* rotation or wind acts on the water */
  water_rings rings;
  double relaxed;     /* the fastest wave that layers may bring, 1/s */
  sw_outlets outlets; /* when forcing was last set */

  /* Of a part: rim[RIA_SIDES / 2][ny] is the place in `list` of each cell of the west and the east
   * side that a discharge comes in by, -1 of others; NULL: there are none. */
  int32_t *rim;
  int n_rim;
  double *list; /* [n_list] what all parts know of these cells, or of outlets: ria_meeting.list */
  int n_list, list_room;

  sw_clock clock;
  ria_progress progress; /* words: of dt_min, of a failure */
} sw;

/* Set speed, wet flags and places of the present state from scratch. */
ria_status sw_survey(sw *s);
void sw_survey_f32(sw *s);
void sw_survey_f64(sw *s);
/* Run to the span's end, or to a failure recorded in s->progress; in a part the step that was
 * chosen.
 */
void sw_run(sw *s);
void sw_run_f32(sw *s);
void sw_run_f64(sw *s);

/* A row of a field that is not a plane of the state; false: not of this one. */
bool sw_derived_row_f32(const sw *s, int field, int tracer, int j, void *row);
bool sw_derived_row_f64(const sw *s, int field, int tracer, int j, void *row);

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

/* What parts say to each other, of ria_meeting. */
enum {
  SW_SPEED = 0, /* of a state: the greatest wave speed, and the first cell of its block, */
  SW_EDDY,      /*   the greatest eddy viscosity, */
  SW_FAULT,     /*   1 where it is bad, and the first bad cell */
  SW_ASKED = 0, /* of forcing: the speed that it asks for, and sw_asked.place, */
  SW_LIVE       /*   1 where it may wet the domain */
};
/* Why a part waits for the others: for words of outlets, of the present state, of forcing; of the
 * step that it has taken. */
enum { SW_OUTLETS = 1, SW_STATE, SW_FORCING, SW_STEP };

/* What the threads found in a state. */
ria_meeting sw_gather(const sw *s);
/* Take over the step just done, or record why it failed. */
void sw_take_over(sw *s, const ria_meeting *all);
/* What forcing asks for of the next step. False: the span is over, or the run has failed. */
bool sw_ask(sw *s, ria_meeting *m);
/* Choose it; clock.done: there is none. */
void sw_choose_step(sw *s, const ria_meeting *all);
/* Between two steps: settle the last, if one was taken, and choose the next. False: there is none.
 */
bool sw_next(sw *s, bool stepped);

ria_status sw_force(void *self, const ria_forcing_set *set);
/* Do rotation or wind act on the water? wind: forcing ids. */
bool sw_is_forced(const sw_params *p, const ria_forcing_table *table, const int *wind);
/* Values of boundaries and wind, and shares of discharges, at time t. */
void sw_force_at(sw *s, double t);
/* The largest wave speed that boundaries and sources of the part ask for, given a step of at most
 * dt. place: of equal speeds that of the smallest counts; its lower 31 bits are the cell; -1: none.
 */
typedef struct sw_asked {
  double speed;
  int64_t place;
  int live; /* they may wet the domain */
} sw_asked;
sw_asked sw_forcing_speed(const sw *s, double dt);
/* Add what the sources give in [t, t + dt] to the present state. */
void sw_apply_sources(sw *s, double t, double dt);

/* --- shallow_water_relax.c */

/* Draw rows j0 <= j < j1 of the present state to the targets of `planes.relaxing`, over dt: rows of
 * the grid and those beyond its ends that stand for others. */
void sw_relax_rows(sw *s, double dt, int j0, int j1);

/* --- shallow_water_rings.c */

static inline bool sw_has_rings(const sw *s) { return s->rings.x || s->rings.y; }
/* Rows that the planes have, with those beyond the ends of the grid where these are neighbours. */
ria_part sw_rows_had(const sw *s);
/* New forcing. Ghost cells beyond sides that are not periodic any more hold nothing again. */
void sw_set_rings(sw *s, water_rings rings);
/* Cells beyond periodic sides get what the other side has: of bed and roughness, all rows; of the
 * present state, of rows j0 <= j < j1. */
void sw_close_ground(sw *s);
void sw_close_rows(sw *s, int j0, int j1);
/* Is there water, by these flags, in segment k of row j or beside it, where some of that lies
 * beyond a seam? */
bool sw_active_in_ring(const sw *s, const uint8_t *wet, int j, int k);
/* Row j as the grid counts it: beyond an end of a ring those of the other end. */
static inline int sw_row_of(const sw *s, int j) {
  const int ny = s->planes.grid.ny;
  return j < 0 || j >= ny ? (j + 2 * ny) % ny : j;
}
static inline int sw_column_of(const sw *s, int i) {
  const int nx = s->planes.grid.nx;
  return i < 0 || i >= nx ? (i + 2 * nx) % nx : i;
}

static inline int sw_segment(const sw *s, int j, int k) {
  return (j - s->planes.part.j0 + s->planes.ghost_rows) * s->segments + k;
}
static inline size_t sw_flags(const sw *s) {
  return s->planes.size / s->planes.stride * (size_t)s->segments;
}
static inline size_t sw_at(const sw *s, int i, int j) { return ria_plane_at(&s->planes, i, j); }
static inline double sw_get(const sw *s, const void *plane, size_t at) {
  return ria_plane_get(&s->planes, plane, at);
}
static inline void sw_put(const sw *s, void *plane, size_t at, double v) {
  ria_plane_put(&s->planes, plane, at, v);
}

/* --- shared with other backends: words, ranges ------------------------------------------------ */

/* Name of a plane of the state (SW_H ...) among its items. */
const char *sw_state_name(int k, char name[32]);
/* Of sw_clock, what is state. */
extern const ria_state_member sw_clock_members[];
/* The shortest stable step so far, and why. nx: of the grid. */
void sw_tell_shortest(ria_progress *p, double dt_min, const sw_reason *why, int nx);
/* The run fails because dt < dt_min, at the cell of p->dt_min. */
void sw_tell_too_short(ria_progress *p, double t, double dt, double dt_min);
/* Is this state invalid (NaN, infinite, negative depth)? Then `what` says why. load[nt]. */
bool sw_tell_wrong(double h, double qx, double qy, const double *load, int nt, char *what,
                   size_t size);
static inline bool sw_stirs(const sw_params *p) { return p->eddy > 0 || p->smagorinsky > 0; }
/* relaxed: the fastest wave that layers may bring, 1/s (sw_relaxed). */
sw_pace sw_pace_of(const sw_params *p, const ria_grid *grid, int nt, const double *diffusion,
                   double relaxed);
double sw_relaxed(const sw_params *p, const ria_grid *grid, const ria_relax *relax, int n);
typedef ria_status (*sw_sampler)(void *self, int field, int tracer, int n, const int32_t *cell,
                                 double *out);
/* Check the outlets of a set of forcing; `sample` as in ria_solver_ops. The error depends on the
 * bed, the warning on the current state: it is meaningful only before the first step. */
ria_status sw_judge_outlets(ria_context *ctx, const ria_grid *grid, const ria_forcing_set *set,
                            sw_sampler sample, void *self, sw_outlets *out);
/* RIA_ERR_ARGUMENT where there is a refusal. */
ria_status sw_refuse_outlets(ria_context *ctx, const sw_outlets *o);
void sw_know_outlets(sw *s, const sw_outlets *outlets);

/* --- shallow_water_parts.c */

/* Depth, bed, roughness and discharge per width along x of the k-th cell of the west or the east
 * side, in whichever part. */
typedef struct sw_rim_cell {
  double h, z, manning, q;
} sw_rim_cell;
sw_rim_cell sw_rim_at(const sw *s, ria_side side, int k);
/* New forcing: which cells of sides parts must tell each other of. */
ria_status sw_rim_of(sw *s, const ria_boundary_set *b);
/* As ria_planes_sample, noted in `list`. */
ria_status sw_sample_noted(void *self, int field, int tracer, int n, const int32_t *cell,
                           double *out);
/* The part waits for the others, and what it says. A whole hears itself. */
ria_status sw_meet(sw *s, int why, ria_meeting m);
ria_status sw_hear(void *self, const ria_meeting *all);

/* --- shallow_water_io.c */

ria_status sw_read(void *self, int field, int tracer, bool maximum, int j0, int nj, ria_real real,
                   void *dst);
ria_status sw_write(void *self, int field, int tracer, const double *src);
ria_status sw_add(void *self, int quantity, int n, const int32_t *cell, const double *amount);
ria_status sw_state(void *self, const ria_state_walk *walk);
extern const ria_plane_callbacks sw_callbacks;

#ifdef __cplusplus
}
#endif
#endif
