/* gpu/diffusion/host.cuh - the diffusion solver on CUDA as the host holds it: for diffusion.cu
 * (life, what is set, passes), prepare.cu (before steps), together.cu (parts that step together)
 * and state.cu (the state by name). */
#ifndef RIA_GPU_DIFFUSION_HOST_CUH
#define RIA_GPU_DIFFUSION_HOST_CUH
#include "diffusion.cuh"
#include "machine/crew.cuh"

typedef struct dfg {
  ria_gpu_planes p; /* first */
  df_params par;
  const dfg_kernels *kernel;
  void *u[2];
  int now; /* u[now] is the present when all that is queued is done */
  void *diffusivity, *source, *face[2];
  /* [ria_gpu_rows][nx] diffusivity on the host, of all rows of planes, for the stable step; NULL:
   * uniform */
  double *map;
  bool limited; /* `limit` is of the present diffusivity and sides */
  df_limit limit;
  df_sides sides;
  unsigned insulated;
  bool steady;        /* what lies outside does not change in time */
  double *outside;    /* of the device, [DF_STEPS][n_stretch]: with the forcing */
  double source_rate; /* sum of the source times area */
  int multiprocessors;
  dfg_tiles tiles[2]; /* of passes of 4 and of 8 steps */
  dfg_bands bands;
  bool arranged, arranged_source; /* they are; for a plate with a source */
  unsigned arranged_quiet;        /* and with such sides quiet */
  double dt, t;
  int64_t steps, steps_stop;
  ria_span span; /* under way */
  ria_loop loop;
  ria_progress progress;
  ria_meeting said; /* of a part, when it waits */
  bool waits;
  ria_gpu_crew *crew;              /* of the southernmost part: all of them; NULL: not met yet */
  bool crew_parted;                /* they cannot step together */
  bool may_abreast;                /* in a crew passes of several steps can go abreast, */
  bool goes_abreast, went_abreast; /* in the span do so, has done so */
  dfg_abreast abreast[2];          /* that which writes state 0, 1 */
  unsigned *done;                  /* of the device: abreast.done */
} dfg;

/* The plane that a field is kept in, or NULL. */
void *dfg_plane(const void *self, int field, int tracer);
/* What is known of a map beside its plane. src: of the grid, or (held) of all rows of planes. */
ria_status dfg_know_map(dfg *s, int field, const double *src, bool held);
void dfg_forget_map(dfg *s);
/* A span, by way of the host unless goes_abreast is set then; and its next pass; over: there is
 * none. went_abreast: the pass has handed on its rows. */
void dfg_begin_span(dfg *s, const ria_span *span);
ria_status dfg_queue_pass(dfg *s, bool *over);

/* Does a part lie beyond the south or the north, with as many rows as pass? Not so at the ends of a
 * ring. Planes have two rows more there, at least, which tiles may load. */
bool dfg_is_cut(const dfg *s, int side);
/* Bits of the sides that are quiet (diffusion.cuh). */
unsigned dfg_quiet(const dfg *s);
/* Tiles of passes of so many steps. */
dfg_tiles dfg_lay_out(const dfg *s, int depth);

/* What kernels are given of the present state. */
dfg_view dfg_view_of(const dfg *s, double dt);
/* Queue: what lies outside in each step of the pass. */
ria_status dfg_set_outside(dfg *s, const df_pass *pass);

/* Of ria_solver_ops. */
ria_status dfg_prepare(void *self, double t);
bool dfg_say(void *self, ria_meeting *m);
ria_status dfg_hear(void *self, const ria_meeting *all);
ria_status dfg_together(void *const *part, int n, const ria_span *span, bool *queued);
ria_status dfg_state(void *self, const ria_state_walk *walk);

#endif
