/* diffusion.h - private to the solver: its parameters, its state, what its files share.
 *
 *   diffusion_k.h        arithmetic of a cell
 *   diffusion.c          tables, the functions the engine calls
 *   diffusion_plan.c     what both backends do before steps: checks, the stable step, which steps
 * go into one pass, the forcing of each diffusion_step.h     passes of one precision, compiled by
 * step_f32.c and step_f64.c */
#ifndef DIFFUSION_H
#define DIFFUSION_H
#include <ria/planes.h>
#include "diffusion_k.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DF_U, DF_DIFFUSIVITY, DF_SOURCE, DF_FIELDS }; /* in the order of the field table */
enum {
  DF_DEPTH = 16, /* most steps of a pass over memory */
  DF_STEPS = 64  /*   of one over a plate that stays where it is worked on */
};

typedef struct df_params {
  double diffusivity, dt, safety;
  int steps_per_pass;
} df_params;

/* What holds of the boundaries as a whole. */
typedef struct df_sides {
  bool wrap_x, wrap_y; /* all of both sides is periodic */
  bool mixed;          /* some of a pair is periodic and some is not */
} df_sides;

/* The stable step: 1 / the sum of conductances of the cell where it is greatest. */
typedef struct df_limit {
  double dt; /* s; INFINITY where nothing diffuses */
  double diffusivity;
  int i, j;
  double most;   /* that sum, 1/s */
  int64_t stuck; /* the first flux that enters a cell without diffusivity: its side, of 32 bits its
                    place there; -1: none does */
} df_limit;

/* Some steps of equal length, done in one pass over memory. */
typedef struct df_pass {
  int n;
  double dt;
  double t[DF_STEPS]; /* when each begins */
  double t_end;       /* after the last */
} df_pass;

typedef struct df {
  ria_planes planes; /* first */
  df_params param;
  void *u[2];
  int now;           /* u[now] is the present */
  void *diffusivity; /* m^2/s; NULL = par.diffusivity everywhere */
  void *source;      /* 1/s; NULL = none */
  void *face[2];     /* conductance of the west and of the south face of each cell, 1/s, of ghost
                        cells in the east and north too; NULL where diffusivity is uniform */
  void **scratch;    /* [threads] rows under way */
  struct ria_barrier *barrier; /* where the threads of a pass meet */
  bool limited; /* `limit` and `sides` are of the present diffusivity and boundaries */
  df_limit limit;
  df_sides sides;
  double *outside; /* [DF_DEPTH][n_stretch] df_outside, without the diffusivity where it varies */
  double *given;   /* [rows of the part] sum of the source of a row times area; NULL: none */
  double dt;       /* s, of a step that nothing shortens */
  int64_t steps;
  double t;
  ria_progress progress;
} df;

/* --- diffusion_plan.c: for every backend ------------------------------------------------------ */

/* RIA_ERR_ARGUMENT where a side is periodic and the cell across is not. owner[side][k]. */
ria_status df_check_sides(ria_context *ctx, const ria_grid *g, const ria_stretch *stretch,
                          const int32_t *const owner[RIA_SIDES], df_sides *out);
/* The stable step of a part. diffusivity(user, i, j) of a cell; uniform: everywhere the same. */
typedef double (*df_diffusivity_fn)(const void *user, int i, int j);
ria_status df_find_limit(ria_context *ctx, const ria_grid *g, ria_part part,
                         const ria_stretch *stretch, const int32_t *const owner[RIA_SIDES],
                         bool uniform, df_diffusivity_fn diffusivity, const void *user, int threads,
                         df_limit *out);
/* RIA_ERR_ARGUMENT where a flux is to enter a cell that does not diffuse. */
ria_status df_refuse_flux(ria_context *ctx, const ria_grid *g, int64_t stuck);
/* The step to take, from the limit and the parameters. RIA_ERR_ARGUMENT where the one given is
 * unstable. */
ria_status df_choose_dt(ria_context *ctx, const df_params *param, const df_limit *limit,
                        double *dt);
void df_tell_limit(ria_progress *p, const df_limit *limit, double dt, double t);
/* The next steps, at most `depth` and `most`: as many as are equally long and lie before the span's
 * t_watch. None: the span is over. */
df_pass df_plan(double t, double dt, const ria_span *span, int depth, int64_t most);
/* What lies outside each stretch in each step of a pass: out[n][n_stretch]. d: the uniform
 * diffusivity, or 1. A value is taken when a step begins, a flux in its middle. */
void df_outside_at(const ria_forcing_table *table, const ria_stretch *stretch, int n_stretch,
                   const ria_grid *g, double d, const df_pass *pass, double *out);
/* Why a field cannot have a value, or NULL. */
const char *df_refuses(int field, double v);
extern const ria_field_info df_field_table[];

/* --- the passes of one precision --- */

/* Passes until the span is over; `end` steps are done by then at most. */
void df_run_f32(df *s, const ria_span *span, int64_t end);
void df_run_f64(df *s, const ria_span *span, int64_t end);
/* Take over the pass just done (none where it has no steps) and plan the next; false: all is done.
 * Called by one thread while the others wait. */
bool df_next_pass(df *s, const ria_span *span, int64_t end, df_pass *pass);
/* Numbers of scratch that a thread needs for passes of `depth`. */
size_t df_scratch(const df *s, int depth);

#ifdef __cplusplus
}
#endif
#endif
