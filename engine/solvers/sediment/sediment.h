/* sediment.h - private to the solver: its parameters, its memory, what its files share.
 *
 *   sediment_k.h           arithmetic: faces and cells
 *   sediment_forcing_k.h   arithmetic: what comes from outside, the clock
 *   sediment.c             tables, memory, the functions the engine calls
 *   sediment_io.c          fields in and out, amounts added; the state by name
 *   sediment_forcing.c     between two passes: boundaries and sources
 *   sediment_step.h        one pass over the cells for one precision: step_f32.c and step_f64.c
 */
#ifndef SEDIMENT_H
#define SEDIMENT_H
#include <ria/planes.h>
#include "sediment_forcing_k.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sed_params {
  double alpha, beta, c_sand, c_mud, layer;
  double sea_level, marine_alpha, marine_beta, wave_base;
  double cfl, dt, dt_max, dt_min;
  int scheme;
} sed_params;

/* Index into the field table of sediment.c, in its order. */
enum sed_field {
  SED_HEIGHT,
  SED_FRACTION,
  SED_ALPHA,
  SED_BETA,
  SED_SEA_LEVEL,
  SED_BASE,
  SED_DEPTH,
  SED_THICKNESS,
  SED_SLOPE,
  SED_FIELDS
};

/* How the coefficients of a run are found; loops are compiled for each. */
typedef struct sed_ways {
  bool uniform; /* alpha and beta have one value each */
  bool marine;  /* they are less below sea level */
  bool paper;   /* as printed */
} sed_ways;

typedef struct sed_row {
  double pull;
  double strata; /* sand that this pass takes below the active layer, m, summed over the row */
  int bad;
} sed_row;

typedef struct sed {
  ria_planes planes; /* first */
  sed_params param;
  void *h[2], *sand[2]; /* two states: [clock.now] is the present */
  void *base;           /* height at the start: as it was when the run began */
  bool begun;           /* it has: height that is set is laid down or dug away */
  void *alpha, *beta;
  double sea; /* level now */
  sed_ways ways;
  double most; /* of alpha / c_sand and beta / c_mud */
  sed_pace pace;
  sed_clock clock;
  sed_row *row;    /* [1 + rows of the part + 1] what the pass under way finds: sed_found */
  double *deposit; /* [rows of the part] sand below the active layer since the start, m */
  int *cells_of;   /* [n_stretch] cells that it owns */
} sed;

/* Of row j of the part or the one beside it. */
static inline sed_row *sed_found(const sed *s, int j) { return &s->row[j - s->planes.part.j0 + 1]; }

/* One pass over all rows: from state now to the other; results in s->row. */
void sed_pass_f32(sed *s, double dt);
void sed_pass_f64(sed *s, double dt);
/* Ghost cells of a state: heights as their neighbours', so that nothing crosses the sides. */
void sed_wrap(sed *s, int state);
/* Change a cell of the present state by sand and mud (m), which become what came; `before`: the
 * state that the step began with, or the present for a change at once. */
void sed_change(sed *s, int before, int i, int j, double *sand, double *mud);
/* What sides and sources brought in [t, t + dt], into the present state. */
void sed_bring(sed *s, double t, double dt);
/* What follows from the coefficients, of a part once the others have said theirs; ghost cells of
 * all that is read. */
void sed_find_ways(sed *s);
ria_status sed_force(void *self, const ria_forcing_set *set);
extern const ria_plane_callbacks sed_callbacks;
ria_status sed_write(void *self, int field, int tracer, const double *src);
ria_status sed_add(void *self, int quantity, int n, const int32_t *cell, const double *amount);
ria_status sed_state(void *self, const ria_state_walk *walk);

/* --- shared with other backends --- */

/* Of sed_clock, what is state. */
extern const ria_state_member sed_clock_members[];

extern const ria_field_info ria_sediment_fields[];
/* Value of a derived field. h, s, of the cell; e..n: heights of its neighbours. */
RIA_KERNEL double sed_slope_of(double w, double e, double s, double n, double dx, double dy) {
  const double x = (e - w) / (2 * dx), y = (n - s) / (2 * dy);
  return sqrt(x * x + y * y);
}
const char *sed_refuses(int field, double v);
sed_pace sed_pace_of(const sed_params *param, const ria_grid *grid, double most);
/* What the clock knows, as the engine wants it. Nothing looks for the cell of dt_min. */
void sed_tell(const sed_clock *c, const sed_params *param, const sed_pace *pace, ria_progress *out);
/* A field that is one number: the value of src[n], or RIA_ERR_ARGUMENT. */
ria_status sed_one_value(ria_context *ctx, const double *src, size_t n, double *out);

#ifdef __cplusplus
}
#endif
#endif
