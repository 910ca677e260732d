/* diffusion.cu - the diffusion solver on CUDA: memory, forcing, passes, and the functions the
 * engine calls. diffusion.cuh says where the kernels are.
 *
 * The host knows how long every step is, so a span is queued and not waited for: a kernel for 8 or
 * 4 steps at a time, single ones for the rest. */
#include "diffusion.cuh"
#include "machine/state.cuh"
#include "machine/loop.cuh"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct dfg {
  ria_gpu_planes p; /* first */
  df_params par;
  const dfg_kernels *kernel;
  void *u[2];
  int now; /* u[now] is the present when all that is queued is done */
  void *diffusivity, *source, *face[2];
  double *map;  /* [ny][nx] diffusivity on the host, for the stable step; NULL: uniform */
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
  double dt, t;
  int64_t steps, steps_stop;
  ria_span span; /* under way */
  ria_loop loop;
  ria_progress progress;
} dfg;

enum { ROWS_MOST = 1024, ROWS_LOST = 4 /* what a tile costs beside its rows */ };

/* --- planes ----------------------------------------------------------------------------------- */

static void *plane_of(const void *self, int field, int tracer) {
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

static const ria_plane_callbacks host = {.refuses = df_refuses, .fields = df_field_table};
static const ria_gpu_callbacks callbacks = {.plane = plane_of,
                                            .derive = derive,
                                            .quantity = quantity_of,
                                            .host = &host,
                                            .put = put_outside};

/* --- life ------------------------------------------------------------------------------------- */

static void dfg_destroy(void *self) {
  dfg *s = (dfg *)self;
  if (!s) return;
  const ria_backend *b = s->p.backend ? &s->p.backend->base : NULL;
  if (b && ria_cuda_use(b) == cudaSuccess) {
    if (s->p.stream) cudaStreamSynchronize(s->p.stream);
    for (int k = 0; k < 2; k++) {
      cudaFree(s->u[k]);
      cudaFree(s->face[k]);
    }
    cudaFree(s->diffusivity);
    cudaFree(s->source);
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

static ria_status keep_map(dfg *s, const double *src) {
  const size_t n = (size_t)s->p.grid.nx * (size_t)s->p.grid.ny;
  if (!s->map) s->map = (double *)malloc(n * sizeof *s->map);
  if (!s->map) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for a map of diffusivity");
  for (size_t k = 0; k < n; k++) s->map[k] = rounded(s, src[k]);
  s->limited = false;
  return RIA_OK;
}

static void forget_map(dfg *s) {
  free(s->map);
  s->map = NULL;
  s->limited = false;
}

static ria_status sum_source(dfg *s, const double *src) {
  const size_t nx = (size_t)s->p.grid.nx, ny = (size_t)s->p.grid.ny;
  double *rows = (double *)calloc(ny, sizeof *rows);
  if (!rows) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for a sum");
  for (size_t j = 0; j < ny; j++)
    for (size_t i = 0; i < nx; i++) rows[j] += rounded(s, src[j * nx + i]);
  s->source_rate = ria_ordered_sum(rows, ny) * s->p.grid.dx * s->p.grid.dy;
  free(rows);
  return RIA_OK;
}

static ria_status dfg_write(void *self, int field, int tracer, const double *src) {
  dfg *s = (dfg *)self;
  RIA_TRY(ria_gpu_enter(&s->p));
  if (field != DF_U)
    RIA_TRY(ria_planes_check(s->p.ctx, &s->p.grid, s->p.backend->base.threads, &host, field, src));
  if (field == DF_DIFFUSIVITY) {
    for (int k = 0; k < 2; k++)
      if (!s->face[k]) RIA_TRY(ria_gpu_plane_alloc(&s->p, "conductances", &s->face[k]));
    if (!s->diffusivity)
      RIA_TRY(ria_gpu_plane_alloc(&s->p, "a map of diffusivity", &s->diffusivity));
    RIA_TRY(keep_map(s, src));
  }
  if (field == DF_SOURCE) {
    if (!s->source) RIA_TRY(ria_gpu_plane_alloc(&s->p, "the source", &s->source));
    RIA_TRY(sum_source(s, src));
  }
  return ria_gpu_planes_write(self, field, tracer, src);
}

static ria_status dfg_force(void *self, const ria_forcing_set *set) {
  dfg *s = (dfg *)self;
  double *had = s->outside;
  const ria_status status = ria_gpu_planes_force(self, set);
  if (status == RIA_OK)
    s->limited = false;
  else
    s->outside = had;
  return status;
}

/* --- before steps ----------------------------------------------------------------------------- */

static double diffusivity_at(const void *user, int i, int j) {
  const dfg *s = (const dfg *)user;
  return s->map ? s->map[(size_t)j * (size_t)s->p.grid.nx + (size_t)i] : s->par.diffusivity;
}

static ria_status find_limit(dfg *s) {
  const ria_gpu_planes *p = &s->p;
  const int *first = p->v.first;
  const int32_t *const all = p->account.owner;
  const int32_t *const owner[RIA_SIDES] = {all + first[0], all + first[1], all + first[2],
                                           all + first[3]};
  if (s->limited) return RIA_OK;
  const ria_part whole = {0, p->grid.ny};
  RIA_TRY(df_check_sides(p->ctx, &p->grid, p->stretch, owner, &s->sides));
  RIA_TRY(df_find_limit(p->ctx, &p->grid, whole, p->stretch, owner, !s->map, diffusivity_at, s,
                        p->backend->base.threads, &s->limit));
  RIA_TRY(df_refuse_flux(p->ctx, &p->grid, s->limit.stuck));
  s->insulated = 0xfu;
  s->steady = true;
  for (int r = 0; r < first[RIA_SIDES]; r++) {
    const int side = r < first[1] ? 0 : r < first[2] ? 1 : r < first[3] ? 2 : 3;
    const ria_stretch *b = &p->stretch[all[r]];
    const ria_forcing *f = &p->table.entry[b->value[0]];
    if (b->kind != DF_OPEN) s->insulated &= ~(1u << side);
    if ((b->kind == DF_VALUE || b->kind == DF_FLUX) &&
        (f->kind != RIA_FORCING_CONSTANT || f->ramp > 0))
      s->steady = false;
  }
  s->limited = true;
  return RIA_OK;
}

static __global__ void outside_of(const __grid_constant__ dfg_view a, df_pass pass, double d,
                                  double *out) {
  const int n = a.v.n_stretch;
  for (int k = threadIdx.x; k < pass.n * n; k += blockDim.x) {
    const ria_stretch *b = &a.v.stretch[k % n];
    const double h = ria_side_along_x(b->side) ? a.v.dx : a.v.dy;
    const double t = pass.t[k / n] + (b->kind == DF_FLUX ? 0.5 * pass.dt : 0.0);
    const bool forced = b->kind == DF_VALUE || b->kind == DF_FLUX;
    out[k] = forced ? df_outside(b->kind, ria_forcing_at(&a.v.table, b->value[0], t), h, d) : 0.0;
  }
}

static dfg_view view_of(const dfg *s, double dt) {
  dfg_view a;
  memset(&a, 0, sizeof a);
  a.v = s->p.v;
  a.u = s->u[s->now];
  a.next = s->u[1 - s->now];
  a.diffusivity = s->diffusivity;
  a.source = s->source;
  a.face[0] = s->face[0];
  a.face[1] = s->face[1];
  a.outside = s->outside;
  a.per_level = s->steady ? 0 : s->p.v.n_stretch;
  a.sides = s->sides;
  a.insulated = s->insulated;
  a.dt = dt;
  a.d = s->par.diffusivity;
  a.bands = s->bands;
  return a;
}

/* Work out what lies outside in each step of the pass. */
static ria_status set_outside(dfg *s, const df_pass *pass) {
  const dfg_view a = view_of(s, pass->dt);
  outside_of<<<1, 256, 0, s->p.stream>>>(a, *pass, s->map ? 1.0 : s->par.diffusivity, s->outside);
  RIA_CUDA(s->p.ctx, "the boundaries", cudaGetLastError());
  return RIA_OK;
}

/* Rows of a tile, even: what a pass takes is the number of times that all multiprocessors are
 * filled, each as long as a tile's rows, those beside them and a little more. */
static int rows_for(int64_t columns, int ny, int depth, int64_t room) {
  int best = 2;
  double least = DBL_MAX;
  for (int rows = 2; rows <= ROWS_MOST; rows += 2) {
    const int64_t tiles = columns * ((ny + rows - 1) / rows);
    const double cost = (double)((tiles + room - 1) / room) * (rows + 2 * depth + ROWS_LOST);
    if (cost > least) continue;
    least = cost;
    best = rows;
  }
  return best;
}

static dfg_tiles lay_out(const dfg *s, int depth) {
  const int nx = s->p.grid.nx, ny = s->p.grid.ny;
  int width = 1, warps = 1;
  s->kernel->shape(depth, &width, &warps);
  const int64_t room = (int64_t)s->multiprocessors * warps;
  dfg_tiles t;
  memset(&t, 0, sizeof t);
  t.across = (nx + width - 1) / width;
  /* Tiles in the east that reach beyond it: the last, and the one before if the last is narrow. */
  const int whole = (nx - depth) / width; /* columns of tiles whose halo ends within the plate */
  t.sides = 1 + t.across - (whole < t.across ? whole : t.across);
  const bool inner = ny >= 6 * depth && t.sides < t.across;
  if (inner) {
    t.strip = s->source ? 2 * depth : depth + 4;
    t.rows = rows_for(t.across - t.sides, ny - 2 * t.strip, depth, room);
    t.side_rows = t.rows / 4 > 4 ? t.rows / 4 : 4;
    t.inner_y = (ny - 2 * t.strip + t.rows - 1) / t.rows;
  } else {
    t.sides = t.across;
    t.rows = t.side_rows = rows_for(t.across, ny, depth, room);
  }
  t.side_y = (ny - 2 * t.strip + t.side_rows - 1) / t.side_rows;
  t.n = (t.strip ? 2 * t.across : 0) + t.sides * t.side_y + (t.across - t.sides) * t.inner_y;
  return t;
}

/* How passes share out the plate: asked of the device once, and again when there is a source. */
static void arrange(dfg *s) {
  const bool source = s->source != NULL;
  if (s->arranged && s->arranged_source == source) return;
  for (int k = 0; k < 2; k++) s->tiles[k] = lay_out(s, k ? 8 : 4);
  memset(&s->bands, 0, sizeof s->bands);
  if (s->p.backend->short_ways) s->kernel->bands(s->p.grid.nx, s->p.grid.ny, source, &s->bands);
  s->arranged = true;
  s->arranged_source = source;
}

static ria_status dfg_prepare(void *self, double t) {
  dfg *s = (dfg *)self;
  RIA_TRY(ria_gpu_enter(&s->p));
  s->t = t;
  RIA_TRY(find_limit(s));
  RIA_TRY(df_choose_dt(s->p.ctx, &s->par, &s->limit, &s->dt));
  if (s->map) {
    const dfg_view a = view_of(s, s->dt);
    RIA_CUDA(s->p.ctx, "conductances", s->kernel->faces(&a, s->p.stream));
  }
  if (s->steady) {
    df_pass once;
    memset(&once, 0, sizeof once);
    once.n = 1;
    once.t[0] = t;
    RIA_TRY(set_outside(s, &once));
  }
  arrange(s);
  df_tell_limit(&s->progress, &s->limit, s->dt, t);
  s->p.ready = true;
  return RIA_OK;
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
  if (s->map || s->p.n_track || s->p.v.n_sources || s->sides.mixed) return 1;
  const int most = s->bands.blocks ? DF_STEPS : DF_DEPTH;
  return depth_for(s, s->par.steps_per_pass ? s->par.steps_per_pass : most);
}

static ria_status take_pass(dfg *s, const df_pass *pass) {
  dfg_view a = view_of(s, pass->dt);
  cudaError_t e = cudaSuccess;
  if (!s->steady) RIA_TRY(set_outside(s, pass));
  if (s->p.v.n_sources) e = s->kernel->sources(&a, pass->t[0], s->p.stream);
  if (pass->n > 1 && s->bands.blocks) {
    if (e == cudaSuccess) e = s->kernel->resident(&a, pass->n, s->p.stream);
  } else if (pass->n > 1) {
    a.tiles = s->tiles[pass->n > 4];
    if (e == cudaSuccess) e = s->kernel->pass(&a, pass->n, s->p.stream);
  } else if (e == cudaSuccess) {
    e = s->kernel->step(&a, s->p.stream);
  }
  RIA_CUDA(s->p.ctx, "a time step", e);
  for (int l = 0; l < pass->n; l++) s->p.added[0] += s->source_rate * pass->dt;
  s->now = 1 - s->now;
  s->t = pass->t_end;
  s->steps += pass->n;
  s->progress.dt = pass->dt;
  return ria_gpu_planes_keep_maxima(&s->p);
}

/* The next pass of the span. The host has the clock: nothing is waited for. */
static ria_status queue_round(void *self, ria_round *round) {
  dfg *s = (dfg *)self;
  const int64_t left = s->steps_stop - s->steps;
  df_pass pass;
  pass.n = 0;
  if (left > 0 && s->t < s->span.t_stop) pass = df_plan(s->t, s->dt, &s->span, most_of(s), left);
  round->over = pass.n == 0;
  if (round->over) return RIA_OK;
  const int depth = depth_for(s, pass.n);
  if (depth < pass.n) { /* the rest is for the next */
    pass.t_end = pass.t[depth];
    pass.n = depth;
  }
  return take_pass(s, &pass);
}

static ria_status dfg_advance(void *self, const ria_span *span) {
  dfg *s = (dfg *)self;
  RIA_TRY(ria_gpu_enter(&s->p));
  if (!s->p.ready) RIA_TRY(dfg_prepare(s, s->t));
  s->span = *span;
  s->steps_stop = s->steps + span->max_steps;
  RIA_TRY(ria_loop_ready(&s->loop, 0, false)); /* addresses and times differ from pass to pass */
  return ria_loop_run(&s->loop);
}

static ria_status dfg_progress(void *self, ria_progress *out) {
  dfg *s = (dfg *)self;
  RIA_TRY(ria_gpu_enter(&s->p));
  RIA_TRY(ria_gpu_planes_wait(&s->p));
  *out = s->progress;
  out->t = s->t;
  out->steps = s->steps;
  return RIA_OK;
}

/* --- the state -------------------------------------------------------------------------------- */

static const ria_state_member members[] = {{"t", RIA_STATE_F64, offsetof(dfg, t), 0},
                                           {"steps", RIA_STATE_I64, offsetof(dfg, steps), 0},
                                           {"dt", RIA_STATE_F64, offsetof(dfg, progress.dt), 0},
                                           RIA_STATE_PROGRESS(dfg, progress),
                                           {}};

/* A map that is there is set as the engine sets it, so that what follows from it is there too. */
static ria_status map_state(dfg *s, const ria_state_walk *walk, const char *name, int field) {
  const bool is_source = field == DF_SOURCE;
  RIA_TRY(ria_gpu_plane_state_if(&s->p, walk, name, is_source ? &s->source : &s->diffusivity));
  if (!walk->restores) return RIA_OK;
  if (!plane_of(s, field, -1)) {
    if (is_source)
      s->source_rate = 0;
    else
      forget_map(s);
    return RIA_OK;
  }
  double *v = (double *)malloc((size_t)s->p.grid.nx * (size_t)s->p.grid.ny * sizeof *v);
  if (!v) return ria_gpu_no_memory(&s->p, "the state");
  ria_status status = ria_gpu_planes_read(s, field, -1, false, 0, s->p.grid.ny, RIA_F64, v);
  if (status == RIA_OK) status = dfg_write(s, field, -1, v);
  free(v);
  return status;
}

static ria_status dfg_state(void *self, const ria_state_walk *walk) {
  dfg *s = (dfg *)self;
  RIA_TRY(ria_gpu_planes_state(&s->p, walk, s->p.v.source_owed));
  RIA_TRY(ria_gpu_cells_state(&s->p, walk, "u", ria_gpu_cells_of(&s->p, s->u[s->now]), 0, 0));
  RIA_TRY(map_state(s, walk, "diffusivity", DF_DIFFUSIVITY));
  RIA_TRY(map_state(s, walk, "source", DF_SOURCE));
  if (walk->restores) RIA_TRY(dfg_prepare(s, 0));
  return ria_state_members(walk, members, s);
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
    .planes = dfg_planes,
});
}
