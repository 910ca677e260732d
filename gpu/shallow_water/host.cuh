/* host.cuh - the shallow-water solver on CUDA as the host holds it: for shallow_water.cu (life,
 * fields), steps.cu (spans, failures), forcing.cu and wakes.cu (boundaries, sources), parts.cu and
 * together.cu (parts of a grid) and state.cu (the state by name). Memory for output, forcing, the
 * account of the rim and totals are those of machine/planes.cuh. */
#ifndef RIA_GPU_SHALLOW_WATER_HOST_CUH
#define RIA_GPU_SHALLOW_WATER_HOST_CUH

#include "machine/loop.cuh"
#include "shallow_water.cuh"

struct swg_parts; /* of a forcing on its way to the device: forcing.cuh */
struct swg_crew;  /* parts that step together: together.cu */

/* Words of a part by way of the host: pinned, and written by kernels. */
typedef struct swg_words {
  ria_meeting said, all; /* by this part; by all, joined */
  int over;              /* the span is over */
} swg_words;

typedef struct swg {
  ria_gpu_planes p; /* first. `ready`: wet flags and speed describe the present state */
  const swg_kernels *kernel;
  int now; /* state[now] is the present, when nothing is queued */
  swg_view v;
  ria_loop loop;    /* graphs by the present state at their beginning */
  swg_report *seen; /* pinned: the report as it was last copied out */
  bool surveyed;    /* `ready`, and the report does not say so yet */
  ria_progress progress;
  sw_outlets outlets;      /* as they were when forcing was handed over */
  struct swg_parts *parts; /* while a forcing is replaced */
  uint8_t *always;         /* [tiles] scratch of the host */
  int at_once;             /* tile rows that the multiprocessors hold at once */
  int tiles_y_most;        /* of all layouts: arrays are for these */
  int *layer_cells;        /* [v.forcing.n_layers] that the device has */

  /* Of a part of a grid. */
  int waits; /* for words of the others: SWG_OUTLETS ...; 0: it does not */
  swg_words *words;
  double *list; /* [n_list] pinned: ria_meeting.list */
  int n_list, list_room;
  int n_rim;             /* cells of discharges on the western and the eastern side, of all parts */
  bool rim_cut;          /* one of these discharges is in this part and in another */
  int n_rated;           /* cells of ratings on these sides, of all parts */
  bool rating_cut;       /* one of these ratings needs cells of other parts */
  bool lives;            /* boundaries act, here or in another part */
  bool undriven;         /* nothing but the flow drives what this part has */
  struct swg_crew *crew; /* of the southernmost part: all of them; NULL: not met yet */
  bool crew_parted;      /* they cannot step together */
} swg;

#define SWG_TRY(DOING, CALL) RIA_CUDA(s->p.ctx, DOING, CALL)

static inline size_t tiles_of(const swg *s) { return (size_t)s->v.tiles_x * (size_t)s->v.tiles_y; }
/* For which arrays are, however tiles are laid. */
static inline size_t most_tiles_of(const swg *s) {
  return (size_t)s->v.tiles_x * (size_t)s->tiles_y_most;
}

/* The south and the north are periodic, or not. */
void swg_set_ring(swg *s, bool ring);
/* Heights of tiles by where the water is; before the first step, and before swg_force tells tiles
 * what acts there. */
ria_status swg_fit_tiles(swg *s);

/* Of ria_solver_ops: state.cu. */
ria_status swg_state(void *self, const ria_state_walk *walk);

/* --- steps.cu ------------------------------------------------------------------ */

ria_status swg_put_report(swg *s, const swg_report *c);
/* Into s->seen. Waits for what is queued. */
ria_status swg_get_clock(swg *s);
/* For the loop. */
ria_status swg_queue_round(void *self, ria_round *round);
/* Of ria_solver_ops. */
ria_status swg_prepare(void *self, double t);
ria_status swg_advance(void *self, const ria_span *span);
ria_status swg_progress(void *self, ria_progress *out);

/* What comes before a step from state[now], where the clock has chosen one: layers. */
ria_status swg_queue_layers(swg *s, int now);

/* --- parts.cu ------------------------------------------------------------------ */

/* Why a part waits: for words of outlets, of the present state, of forcing, of the step taken. */
enum { SWG_OUTLETS = 1, SWG_STATE, SWG_FORCING, SWG_STEP };

/* For parts.cu and together.cu: a meeting that says nothing to nobody. */
swg_meeting swg_meeting_of(const swg *s);
/* Numbers that parts list. */
static inline int swg_listed(const swg *s) { return SWG_LISTED * (s->n_rim + s->n_rated); }
/* As ria_gpu_planes_sample, noted in `list`. */
ria_status swg_sample_noted(void *self, int field, int tracer, int n, const int32_t *cell,
                            double *out);
void swg_say_outlets(swg *s);
/* Queue what tells of the present state; with known, what the clock knows of it is told. */
ria_status swg_say_state(swg *s, const sw_clock *known);
/* Begin a step: queue what asks forcing. */
ria_status swg_say_forcing(swg *s, const ria_span *span);
/* Queue, behind what sources and layers give to a state: see ria_gpu_echo_rows. */
ria_status swg_queue_echo(swg *s, int state, cudaStream_t stream);
/* Of ria_solver_ops. */
bool swg_say(void *self, ria_meeting *m);
ria_status swg_hear(void *self, const ria_meeting *all);
void swg_parts_free(swg *s);

/* --- together.cu --------------------------------------------------------------- */

ria_status swg_together(void *const *part, int n, const ria_span *span, bool *queued);
/* Waits for what is queued. */
void swg_crew_free(struct swg_crew *crew);
/* RIA_ERR_DEVICE where a part of it did not answer; of NULL too. When nothing is queued. */
ria_status swg_crew_check(const struct swg_crew *crew);

/* --- wakes.cu ------------------------------------------------------------------ */

/* Cells of the rim. */
static inline size_t rim_of(const swg *s) { return (size_t)s->p.v.first[RIA_SIDES]; }
/* By tile: whether anything acts there, into `always`, and the tiles of the n cells of sources.
 * kind: [rim]. */
void swg_tell_tiles(swg *s, const uint8_t *kind, ria_gpu_source_cell *cell, int n);
/* Tiles were laid otherwise: tell them what acts there. */
ria_status swg_move_forcing(swg *s);

/* --- forcing.cu ---------------------------------------------------------------- */

void swg_know_outlets(swg *s, const sw_outlets *outlets);

ria_status swg_force(void *self, const ria_forcing_set *set);
/* For ria_gpu_callbacks. */
void swg_put_forcing(void *self, ria_gpu_bundle *b, const ria_forcing_set *set,
                     const ria_gpu_view *fresh);

#endif
