/* adi.h - private to the solver: its parameters, its memory, what its files share.
 *
 *   adi_k.h        arithmetic per cell and face
 *   adi_rates_k.h  how fast water moves, for the automatic step
 *   adi.c          tables, memory, the functions the engine calls
 *   adi_clock_k.h  the clock: how long the next step is
 *   adi_clock.c    what the clock says in words; failures
 *   adi_ceiling.c  how high a level may stand
 *   adi_forcing.c  boundaries and sources
 *   adi_rings.c    what lies beyond periodic sides
 *   adi_relax.c    layers in which the flow is drawn to a given one
 *   adi_io.c       fields in and out, amounts; the state by name
 *   adi_tracer_k.h how tracers move, per cell and face
 *   adi_step.h     a step for one precision, compiled by step_f32.c and step_f64.c; it includes
 *                  adi_sweep.h, adi_tracers.h, adi_mix.h, adi_follow.h, adi_part_step.h
 *   adi_parts.c, adi_part_step.h
 *                  a step of a part of the grid, from one place where parts meet to the next
 *
 * Memory, maxima, forcing and the account are those of ria/planes.h, fields and boundary
 * kinds those of solvers/shared/water, so that a scenario runs with this or with shallow_water. */
#ifndef ADI_H
#define ADI_H

#include "solvers/adi/adi_clock_k.h"
#include "solvers/shared/water/boundary.h"
#include "solvers/shared/water/boundary_k.h"
#include "solvers/shared/water/fields.h"
#include <ria/planes.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct adi_params {
  double gravity, manning, dt, courant, ceiling;
  double drying_depth, flooding_depth, land;
  ria_forces forces;
  double eddy, smagorinsky;
  int upwind, cross; /* adi_upwind, adi_cross_term */
  int order;         /* of the scheme that carries tracers */
  double limiter;    /* theta of its slopes */
} adi_params;

enum adi_upwind { ADI_UPWIND_FROUDE, ADI_UPWIND_OFF };
enum adi_cross_term { ADI_CROSS_CENTRED, ADI_CROSS_STEADY, ADI_CROSS_THESIS };
enum adi_axis { ADI_X, ADI_Y };

/* What one thread finds in one sweep: a number that is none; flow that is faster than all before.
 * On a cache line of its own. */
typedef struct adi_found {
  int bad, cell;
  double courant; /* in that cell; 0 = none was faster */
  char pad[48];
} adi_found;

/* The highest level of the water given to a run, and the other sources of a level
 * (adi_ceiling.c). */
typedef struct adi_given {
  double head;            /* m: of water that was set, level and v^2 / 2 g */
  double lowest, highest; /* m: of the bed where it can be flooded */
  double sides;           /* m: the highest level of a boundary so far */
  double inflow;          /* m^2/s: the largest of discharges and sources so far; 0 = none */
  double manning;         /* s/m^(1/3): the largest */
  double gust;            /* m/s: the strongest wind */
  double top;             /* m: nothing given stands higher; with the ceiling */
} adi_given;

/* Does setting a field change the water or the bed under it? */
static inline bool adi_moves_water(int field) {
  return field != WATER_MANNING && field != WATER_CONC && field != WATER_LOAD;
}

/* The fastest flow of a run, as its Courant number |u| dt / dx, where that is above 1. */
typedef struct adi_fastest {
  double courant; /* 1 where it never was */
  double t, dt;
  int cell; /* j * nx + i */
} adi_fastest;

typedef struct adi {
  ria_planes planes; /* first; around the domain level and bed are 0, so depth is */
  adi_params param;
  int nt; /* tracers */
  double decay[RIA_MAX_TRACERS], diffusion[RIA_MAX_TRACERS];

  void *bed;     /* m */
  void *manning; /* s/m^(1/3); NULL = p.manning everywhere */
  void *level[3];
  void *flux[2][2]; /* [axis][buffer], m^2/s on the face east or north of its cell */
  void *load[2][RIA_MAX_TRACERS];
  void *moved[2];  /* [axis] what crossed in the last half step, m; NULL without tracers */
  void *between;   /* flux of a first solution and the old one, m^2/s; NULL where there is none */
  void *viscosity; /* m^2/s, of cells; NULL without Smagorinsky */
  int level_now, load_now;
  int flux_now[2]; /* the other buffer holds the flux a step earlier */

  struct ria_barrier *barrier; /* where the threads of a step meet */
  void **scratch;              /* [threads] */
  adi_found *found;            /* [threads] */
  adi_seen *seen;              /* [threads] */
  water_forcing forcing;       /* values in this sweep */
  bool rated[2];               /* [axis] ratings are at the ends of its lines */
  water_rings rings;           /* pairs of sides that are periodic */

  adi_rules rules;
  adi_clock clock;
  adi_given given;
  bool water_set;    /* since the state was looked at for `given` */
  ria_status status; /* of the span: no memory to judge a level ends it */
  adi_fastest fastest;
  ria_progress progress;  /* the cell of a failure, as text */
  struct adi_part *apart; /* of one that steps a part of the grid (adi_parts.h); else NULL */
} adi;
typedef struct adi_part adi_part;

void adi_advance_f32(adi *s);
void adi_advance_f64(adi *s);

static inline size_t adi_at(const adi *s, int i, int j) { return ria_plane_at(&s->planes, i, j); }
/* The row of the grid that planes have as row j: beyond the ends, those of the other end. */
static inline int adi_row_of(const adi *s, int j) {
  const int ny = s->planes.grid.ny;
  return (j % ny + ny) % ny;
}
static inline double adi_get(const adi *s, const void *plane, size_t at) {
  return ria_plane_get(&s->planes, plane, at);
}
static inline void adi_put(const adi *s, void *plane, size_t at, double v) {
  ria_plane_put(&s->planes, plane, at, v);
}
static inline double adi_depth_at(const adi *s, size_t at) {
  const double h = adi_get(s, s->level[s->level_now], at) - adi_get(s, s->bed, at);
  return h > 0 ? h : 0;
}
/* The account of the k-th cell of a side: of water, then of each tracer. */
static inline ria_crossed *adi_crossed(const adi *s, ria_side side, int k) {
  return &s->planes.crossed[side][(size_t)k * (size_t)(1 + s->nt)];
}

/* What all parts of a ring say of its ends: what radiating sides keep in the first and the last
 * row, whose neighbours work these out, too. */
enum { ADI_KEPT = 8 };
/* The k-th of these numbers: its side and its row of a grid of ny. */
static inline ria_side adi_kept_side(int k) { return k < 4 ? RIA_WEST : RIA_EAST; }
static inline int adi_kept_row(int k, int ny) { return k / 2 % 2 ? ny - 1 : 0; }

/* --- adi.c */

/* Of the part: the deepest water; the highest of level and v^2 / 2 g. */
double adi_deepest(const adi *s);
double adi_highest_head(const adi *s);
/* The end of `prepare`, from what the whole grid has. head: looked at where water was set. */
ria_status adi_know_state(adi *s, double deepest, double head, double stored);
/* A sweep was bad, along an axis, of a step that began with these: that is the present state. */
void adi_undo(adi *s, enum adi_axis axis, int level, int load);
/* In how many parts tracers diffuse over dt; 0: not explicitly, but line by line where *lines. */
int adi_mixes(const adi *s, double dt, bool *lines);
/* RIA_ERR_ARGUMENT where the constant eddy viscosity is more than steps of dt bear. */
ria_status adi_check_eddy(ria_context *ctx, const adi_params *p, const ria_grid *grid, double dt);

/* --- adi_clock.c */

adi_rules adi_rules_of(const adi_params *p, const ria_grid *grid);
/* The clock of a run that begins. */
adi_clock adi_clock_of(void);
/* A span begins: the clock goes on. */
void adi_begin_span(adi_clock *c, const ria_span *span);
/* The clock as the engine reports it. The caller describes a failure of kind ADI_BAD. */
void adi_tell(const adi_clock *c, const adi_rules *r, const adi_given *given, const ria_grid *grid,
              ria_progress *out);
/* adi_judge by the present account. RIA_ERR_MEMORY: nothing was judged. */
ria_status adi_judge_level(adi *s);
/* Describe a failure of kind ADI_BAD. cell: -1 where it is no cell's: it is on a face of the
 * boundary; else with its level and flux. */
void adi_tell_bad(ria_progress *p, const ria_grid *grid, double t, int64_t cell, double level,
                  double flux);
/* Say which cell the sweep just done went wrong in. level: what it wrote. */
void adi_blame(adi *s, const void *level, const void *flux);
/* The first cell of the part that is bad; -1: none. */
int adi_bad_cell(const adi *s, const void *level, const void *flux);
/* The same, of a cell of the whole grid, or -1. */
void adi_blame_cell(adi *s, const void *level, const void *flux, int cell);
bool adi_anything_bad(const adi *s);
/* Take over what the sweep just done found of fast flow; courant 0: none. */
void adi_know_fast(adi *s, double courant, int cell);
/* A warning where flow was too fast for dt. */
void adi_warn(const adi *s, ria_progress *p);

/* --- adi_ceiling.c */

adi_given adi_given_nothing(const adi_params *p);
/* A bed or a roughness was set: src[ny][nx]. */
void adi_given_field(adi_given *g, const adi_params *p, const ria_grid *grid, int field,
                     const double *src);
void adi_given_forcing(adi_given *g, const ria_grid *grid, const ria_forcing_set *set);
/* No level is higher in a run that does not run away. depth: of all water that was given, spread
 * over the domain. Sets g->top. */
double adi_ceiling(adi_given *g, const adi_params *p, const ria_grid *grid, double depth);
/* The last look saw a level above the ceiling: make it a failure, or raise the ceiling because of
 * what has come in meanwhile. stored: m^3; in, out: through each of n stretches, of nq quantities
 * each, m^3. */
void adi_judge(adi_clock *c, adi_given *g, const adi_params *p, const ria_grid *grid, double stored,
               const ria_stretch *stretch, int n, int nq, const double *in, const double *out);

/* --- adi_forcing.c */

ria_status adi_force(void *self, const ria_forcing_set *set);
/* Do boundaries or sources of water drive the flow? */
bool adi_is_driven(const ria_forcing_set *set);
/* What radiating sides keep (adi_bend) goes with their kind: when one radiates again it begins with
 * nothing. stretch: the new ones, as owners of the account have them. True: there was any. */
bool adi_forget(ria_account *account, const ria_stretch *stretch);
/* Values of the boundaries at the ends of lines along an axis: levels at t_level, discharges at
 * t_flux. */
void adi_force_at(adi *s, enum adi_axis axis, double t_level, double t_flux);
/* Lines along an axis are solved: the old flux over ratings at their ends becomes the new one,
 * which is the mean of both. So in the sweep across as much leaves as in the one along. */
void adi_even_rated(adi *s, enum adi_axis axis);
/* What radiating sides keep at the ends of lines along an axis, a step of the flux, dt, later. Of
 * both axes before the sweep along y: there the fluxes before and after the last step of either are
 * known, and the values outside are those of its adi_force_at. */
void adi_bend_sides(adi *s, enum adi_axis axis, double dt);
/* What the wind does along an axis at time t: stress over density, m^2/s^2. */
double adi_wind_at(const adi *s, enum adi_axis axis, double t);
/* What boundaries and sources are about to bring, at t and after dt. */
void adi_see_forcing(adi *s, double dt, adi_seen *seen);
/* Add what the sources give in [t, t + dt] to the present state; draw layers to their targets. */
void adi_apply_sources(adi *s, double t, double dt);

/* --- adi_rings.c */

/* Before the first step: RIA_ERR_ARGUMENT where periodic sides are no pairs. */
ria_status adi_check_rings(const adi *s);
/* New forcing. */
void adi_set_rings(adi *s, const ria_forcing_set *set);
/* Before the first step: the two faces of a seam are one. In parts the seam between the north and
 * the south waits until its cells have met: low[nx] of either buffer is what the southern side had.
 */
void adi_join_seams(const adi *s);
void adi_join_apart(const adi *s, const double *const low[2]);
/* Cells beyond periodic sides get what lies along the side across: of a plane (NULL: none), of bed
 * and roughness, of the present level and all fluxes. Without such sides nothing is done. In parts
 * ghost rows beyond the south and the north come from the part at the other end. */
void adi_close(const adi *s, void *plane);
void adi_close_ground(const adi *s);
void adi_close_state(const adi *s);

/* --- adi_relax.c: layers, in a step of dt from t on */
void adi_relax(adi *s, double t, double dt);

/* --- adi_io.c */

ria_status adi_read(void *self, int field, int tracer, bool maximum, int j0, int nj, ria_real real,
                    void *dst);
ria_status adi_write(void *self, int field, int tracer, const double *src);
ria_status adi_add(void *self, int quantity, int n, const int32_t *cell, const double *amount);
ria_status adi_state(void *self, const ria_state_walk *walk);
/* What every backend has beside planes: the clock, what was given. */
ria_status adi_state_numbers(const ria_state_walk *walk, adi_clock *c, adi_given *g);
extern const ria_plane_callbacks adi_callbacks;
/* Faces that are closed, and those of walls, carry nothing. */
void adi_settle_faces(adi *s);
/* Is the face between cells l and r closed? */
bool adi_is_closed(const adi *s, size_t l, size_t r);

/* --- adi_parts.c: ria_solver_ops and callbacks of planes */

ria_status adi_hear(void *self, const ria_meeting *all);
ria_status adi_relay(void *self, int block, const void *in, const void **out);
int adi_shared_rows(void *self, ria_side side, int most, ria_shared_row *rows);
void *adi_shared(const void *self, int k);
int adi_ghost_rows(const void *self);

#ifdef __cplusplus
}
#endif
#endif
