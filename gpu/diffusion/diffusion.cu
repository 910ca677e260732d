/* diffusion.cu - the diffusion solver on CUDA: memory, fields and forcing, passes, and the
 * functions the engine calls. host.cuh says where the rest of the host's side is, diffusion.cuh
 * where the kernels are.
 *
 * The host knows how long every step is, so a span is queued and not waited for: a kernel for 8 or
 * 4 steps at a time, single ones for the rest. */
#include "host.cuh"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* --- planes ----------------------------------------------------------------------------------- */

void *dfg_plane(const void *self, int field, int tracer) {
  const dfg *s = (const dfg *)self;
  (void)tracer;
  return field == DF_U ? s->u[s->now] : field == DF_DIFFUSIVITY ? s->diffusivity : s->source;
}

static ria_gpu_cells quantity_of(const void *self, int quantity) {
  const dfg *s = (const dfg *)self;
  (void)quantity;
  return ria_gpu_cells_of(&s->p, s->u[s->now]);
}

template <typename R> __global__ void fill(R *to, size_t n, double v) {
  for (size_t k = (size_t)blockIdx.x * 256 + threadIdx.x; k < n; k += (size_t)gridDim.x * 256)
    to[k] = (R)v;
}

/* A field that there is no plane of is the same everywhere. */
static cudaError_t derive(const void *self, int field, int tracer, void *to, cudaStream_t stream) {
  const dfg *s = (const dfg *)self;
  const double v = field == DF_DIFFUSIVITY ? s->par.diffusivity : 0.0;
  (void)tracer;
  if (s->p.real == RIA_F32)
    fill<<<1024, 256, 0, stream>>>((float *)to, s->p.size, v);
  else
    fill<<<1024, 256, 0, stream>>>((double *)to, s->p.size, v);
  return cudaGetLastError();
}

static void put_outside(void *self, ria_gpu_bundle *b, const ria_forcing_set *set,
                        const ria_gpu_view *fresh) {
  dfg *s = (dfg *)self;
  (void)set;
  s->outside = (double *)ria_gpu_put(b, NULL, sizeof(double) * DF_STEPS * (size_t)fresh->n_stretch);
}

/* As many as a pass takes steps. */
static int ghost_rows_of(const void *self) {
  const dfg *s = (const dfg *)self;
  const int wanted = s->par.steps_per_pass ? s->par.steps_per_pass : DF_DEPTH;
  if (ria_gpu_whole(&s->p)) return 0;
  for (int k = 0; s->kernel->depth[k]; k++)
    if (s->kernel->depth[k] <= wanted && s->kernel->depth[k] <= s->p.grid.ny)
      return s->kernel->depth[k];
  return 1;
}

static ria_gpu_array shared_of(const void *self, int k) {
  const dfg *s = (const dfg *)self;
  if (k > 0) return {NULL, 0, 0};
  const size_t row = (size_t)s->p.v.stride * s->p.real_size;
  return {ria_gpu_cells_of(&s->p, s->u[s->now]).first, row, (size_t)s->p.grid.nx * s->p.real_size};
}

static const ria_plane_callbacks host = {.refuses = df_refuses, .fields = df_field_table};
static const ria_gpu_callbacks callbacks = {.plane = dfg_plane,
                                            .derive = derive,
                                            .quantity = quantity_of,
                                            .host = &host,
                                            .ghost_rows = ghost_rows_of,
                                            .shared = shared_of,
                                            .put = put_outside,
                                            .rings = true};

/* --- life ------------------------------------------------------------------------------------- */

static void dfg_destroy(void *self) {
  dfg *s = (dfg *)self;
  if (!s) return;
  ria_gpu_crew_free(s->crew);
  const ria_backend *b = s->p.backend ? &s->p.backend->base : NULL;
  if (b && ria_cuda_use(b) == cudaSuccess) {
    if (s->p.stream) cudaStreamSynchronize(s->p.stream);
    for (int k = 0; k < 2; k++) {
      cudaFree(s->u[k]);
      cudaFree(s->face[k]);
    }
    cudaFree(s->diffusivity);
    cudaFree(s->source);
    cudaFree(s->done);
  }
  ria_gpu_planes_free(&s->p);
  free(s->map);
  free(s);
}

static ria_status allocate(dfg *s) {
  for (int k = 0; k < 2; k++) RIA_TRY(ria_gpu_plane_alloc(&s->p, "the state", &s->u[k]));
  RIA_CUDA(s->p.ctx, "asking the device",
           cudaDeviceGetAttribute(&s->multiprocessors, cudaDevAttrMultiProcessorCount,
                                  s->p.backend->device));
  return RIA_OK;
}

static ria_status queue_round(void *self, ria_round *round);

static ria_status dfg_create(const ria_solver_setup *setup, void **self) {
  *self = NULL;
  dfg *s = (dfg *)calloc(1, sizeof *s);
  if (!s) return ria_fail(setup->ctx, RIA_ERR_MEMORY, "out of memory for a simulation");
  s->par = *(const df_params *)setup->params;
  s->kernel = setup->real == RIA_F32 ? &dfg_kernels_f32 : &dfg_kernels_f64;
  s->progress.dt_min = DBL_MAX;
  ria_status status = ria_gpu_planes_init(&s->p, setup, &callbacks, 1);
  ria_loop_init(&s->loop, s->p.ctx, s->p.backend, s->p.stream, queue_round, s);
  if (status == RIA_OK) status = allocate(s);
  if (status != RIA_OK) {
    dfg_destroy(s);
    return status;
  }
  *self = s;
  return RIA_OK;
}

/* --- in --------------------------------------------------------------------------------------- */

/* As the plane will have it. */
static double rounded(const dfg *s, double v) {
  return s->p.real == RIA_F32 ? (double)(float)v : v;
}

/* A row of planes in what is given: see dfg_know_map. */
static const double *given_row(const dfg *s, const double *src, bool held, int row) {
  const int at = held ? row : ria_gpu_row_of_grid(&s->p, row);
  return src + (size_t)at * (size_t)s->p.grid.nx;
}

static ria_status keep_map(dfg *s, const double *src, bool held) {
  const size_t nx = (size_t)s->p.grid.nx, ny = (size_t)ria_gpu_rows(&s->p);
  if (!s->map) s->map = (double *)malloc(nx * ny * sizeof *s->map);
  if (!s->map) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for a map of diffusivity");
  for (size_t j = 0; j < ny; j++) {
    const double *from = given_row(s, src, held, (int)j);
    for (size_t i = 0; i < nx; i++) s->map[j * nx + i] = rounded(s, from[i]);
  }
  s->limited = false;
  return RIA_OK;
}

void dfg_forget_map(dfg *s) {
  free(s->map);
  s->map = NULL;
  s->limited = false;
}

/* Of the part. */
static ria_status sum_source(dfg *s, const double *src, bool held) {
  const size_t nx = (size_t)s->p.grid.nx, ny = (size_t)(s->p.end - s->p.begin);
  src = given_row(s, src, held, s->p.begin);
  double *rows = (double *)calloc(ny, sizeof *rows);
  if (!rows) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for a sum");
  for (size_t j = 0; j < ny; j++)
    for (size_t i = 0; i < nx; i++) rows[j] += rounded(s, src[j * nx + i]);
  s->source_rate = ria_ordered_sum(rows, ny) * s->p.grid.dx * s->p.grid.dy;
  free(rows);
  return RIA_OK;
}

ria_status dfg_know_map(dfg *s, int field, const double *src, bool held) {
  if (field == DF_DIFFUSIVITY) {
    for (int k = 0; k < 2; k++)
      if (!s->face[k]) RIA_TRY(ria_gpu_plane_alloc(&s->p, "conductances", &s->face[k]));
    return keep_map(s, src, held);
  }
  return field == DF_SOURCE ? sum_source(s, src, held) : RIA_OK;
}

static ria_status dfg_write(void *self, int field, int tracer, const double *src) {
  dfg *s = (dfg *)self;
  RIA_TRY(ria_gpu_enter(&s->p));
  if (field != DF_U)
    RIA_TRY(ria_planes_check(s->p.ctx, &s->p.grid, s->p.backend->base.threads, &host, field, src));
  if (field == DF_DIFFUSIVITY && !s->diffusivity)
    RIA_TRY(ria_gpu_plane_alloc(&s->p, "a map of diffusivity", &s->diffusivity));
  if (field == DF_SOURCE && !s->source)
    RIA_TRY(ria_gpu_plane_alloc(&s->p, "the source", &s->source));
  RIA_TRY(dfg_know_map(s, field, src, false));
  return ria_gpu_planes_write(self, field, tracer, src);
}

/* Is the south periodic, if only in part? Then so is the north: df_check_sides. */
static bool goes_round(const dfg *s, const ria_boundary_set *b) {
  bool ring = false;
  for (int k = 0; k < s->p.grid.nx; k++)
    ring |= b->stretch[b->owner[RIA_SOUTH][k]].kind == DF_PERIODIC;
  return ring && !ria_gpu_whole(&s->p);
}

static ria_status dfg_force(void *self, const ria_forcing_set *set) {
  dfg *s = (dfg *)self;
  double *had = s->outside;
  const bool ring = s->p.ring;
  s->p.ring = goes_round(s, &set->boundary);
  const ria_status status = ria_gpu_planes_force(self, set);
  if (status == RIA_OK) {
    s->limited = false;
  } else {
    s->outside = had;
    s->p.ring = ring;
  }
  return status;
}

/* --- running ---------------------------------------------------------------------------------- */

/* What a pass of at most n steps takes: all of them where the plate is resident, else the deepest
 * kernel there is, or 1. */
static int depth_for(const dfg *s, int n) {
  if (s->bands.blocks) return n;
  for (int k = 0; s->kernel->depth[k]; k++)
    if (s->kernel->depth[k] <= n) return s->kernel->depth[k];
  return 1;
}

/* Most steps of a pass, as diffusion.c says; only uniform diffusivity has kernels for several. */
static int most_of(const dfg *s) {
  if (!ria_gpu_whole(&s->p) && s->p.ghost_rows == 1) return 1;
  if (s->map || s->p.n_track || s->p.v.n_sources || s->sides.mixed) return 1;
  const int most = s->bands.blocks ? DF_STEPS : DF_DEPTH;
  const int wanted = s->par.steps_per_pass ? s->par.steps_per_pass : most;
  return depth_for(s, ria_gpu_whole(&s->p) || wanted < s->p.ghost_rows ? wanted : s->p.ghost_rows);
}

/* Several steps. */
static cudaError_t queue_deep(dfg *s, dfg_view *a, int n) {
  if (s->bands.blocks) return s->kernel->resident(a, n, s->p.stream);
  a->tiles = s->tiles[n > 4];
  s->went_abreast = s->goes_abreast;
  if (s->goes_abreast && s->p.backend->stalls && s->p.begin > 0) return cudaSuccess; /* a test */
  return s->kernel->pass(a, s->goes_abreast ? &s->abreast[1 - s->now] : NULL, n, s->p.stream);
}

static ria_status take_pass(dfg *s, const df_pass *pass) {
  dfg_view a = dfg_view_of(s, pass->dt);
  cudaError_t e = cudaSuccess;
  if (!s->steady) RIA_TRY(dfg_set_outside(s, pass));
  if (s->p.v.n_sources) e = s->kernel->sources(&a, pass->t[0], s->p.stream);
  if (s->p.v.n_sources && e == cudaSuccess) RIA_TRY(ria_gpu_echo_rows(&s->p, s->p.stream));
  s->went_abreast = false;
  if (e == cudaSuccess)
    e = pass->n > 1 ? queue_deep(s, &a, pass->n) : s->kernel->step(&a, s->p.stream);
  RIA_CUDA(s->p.ctx, "a time step", e);
  for (int l = 0; l < pass->n; l++) s->p.added[0] += s->source_rate * pass->dt;
  s->now = 1 - s->now;
  s->t = pass->t_end;
  s->steps += pass->n;
  s->progress.dt = pass->dt;
  return ria_gpu_planes_keep_maxima(&s->p);
}

/* The next pass of the span. The host has the clock: nothing is waited for. */
ria_status dfg_queue_pass(dfg *s, bool *over) {
  const int64_t left = s->steps_stop - s->steps;
  df_pass pass;
  pass.n = 0;
  if (left > 0 && s->t < s->span.t_stop) pass = df_plan(s->t, s->dt, &s->span, most_of(s), left);
  *over = pass.n == 0;
  if (*over) return RIA_OK;
  const int depth = depth_for(s, pass.n);
  if (depth < pass.n) { /* the rest is for the next */
    pass.t_end = pass.t[depth];
    pass.n = depth;
  }
  return take_pass(s, &pass);
}

static ria_status queue_round(void *self, ria_round *round) {
  return dfg_queue_pass((dfg *)self, &round->over);
}

void dfg_begin_span(dfg *s, const ria_span *span) {
  s->span = *span;
  s->steps_stop = s->steps + span->max_steps;
  s->goes_abreast = false;
}

/* A part takes a pass; then its ghost rows are filled. */
static ria_status dfg_advance(void *self, const ria_span *span) {
  dfg *s = (dfg *)self;
  bool over;
  RIA_TRY(ria_gpu_enter(&s->p));
  if (!s->p.ready) RIA_TRY(dfg_prepare(s, s->t));
  dfg_begin_span(s, span);
  if (!ria_gpu_whole(&s->p)) return dfg_queue_pass(s, &over);
  RIA_TRY(ria_loop_ready(&s->loop, 0, false)); /* addresses and times differ from pass to pass */
  return ria_loop_run(&s->loop);
}

static ria_status dfg_progress(void *self, ria_progress *out) {
  dfg *s = (dfg *)self;
  RIA_TRY(ria_gpu_enter(&s->p));
  RIA_TRY(ria_gpu_planes_wait(&s->p));
  if (s->crew) RIA_TRY(ria_gpu_crew_check(s->crew));
  *out = s->progress;
  out->t = s->t;
  out->steps = s->steps;
  return RIA_OK;
}

/* As allocate has it, without maps. */
static int dfg_planes(int n_tracers) {
  (void)n_tracers;
  return 2;
}

extern "C" {
extern const ria_solver_ops ria_diffusion_cuda;
const ria_solver_ops ria_diffusion_cuda = ria_gpu_planes_ops({
    .create = dfg_create,
    .destroy = dfg_destroy,
    .force = dfg_force,
    .prepare = dfg_prepare,
    .advance = dfg_advance,
    .progress = dfg_progress,
    .write = dfg_write,
    .state = dfg_state,
    .say = dfg_say,
    .hear = dfg_hear,
    .together = dfg_together,
    .together_in_ranks = true,
    .planes = dfg_planes,
});
}
