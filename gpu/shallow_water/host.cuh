/* host.cuh - the shallow-water solver on CUDA as the host holds it: for shallow_water.cu (life,
 * fields), steps.cu (spans, failures), forcing.cu (boundaries, sources) and state.cu (the state by
 * name). Memory for output,
 * forcing, the account of the rim and totals are those of machine/planes.cuh. */
#ifndef RIA_GPU_SHALLOW_WATER_HOST_CUH
#define RIA_GPU_SHALLOW_WATER_HOST_CUH

#include "machine/loop.cuh"
#include "shallow_water.cuh"

struct swg_parts; /* of a forcing on its way to the device: forcing.cu */

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
  int n_source_cells;      /* in v.forcing.source_cell */
} swg;

#define SWG_TRY(DOING, CALL) RIA_CUDA(s->p.ctx, DOING, CALL)

static inline size_t tiles_of(const swg *s) { return (size_t)s->v.tiles_x * (size_t)s->v.tiles_y; }
/* For which arrays are, however tiles are laid. */
static inline size_t most_tiles_of(const swg *s) {
  return (size_t)s->v.tiles_x * (size_t)s->tiles_y_most;
}

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

/* --- forcing.cu ---------------------------------------------------------------- */

ria_status swg_force(void *self, const ria_forcing_set *set);
/* Tiles were laid otherwise: tell them what acts there. */
ria_status swg_move_forcing(swg *s);
/* For ria_gpu_callbacks. */
void swg_put_forcing(void *self, ria_gpu_bundle *b, const ria_forcing_set *set,
                     const ria_gpu_view *fresh);

#endif
