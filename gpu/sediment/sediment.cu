/* gpu/sediment/sediment.cu - the two-sediment solver on CUDA: memory, graphs, the functions the
 * engine calls.
 *
 * A span is one launch of a graph whose loop repeats a few steps, each a pass and a tick, until the
 * clock on the device says that the span is over; what comes after its end does nothing. The host
 * hears of it when it asks. Which state is the present is the clock's to know, so there is one
 * graph; it holds addresses and numbers, and is made again when one of them has changed. */
#include "sediment.cuh"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

namespace {

enum { ROUND = 16, ROWS_LEAST = 4, ROWS_MOST = 256 };

struct sedg {
  ria_gpu_planes p; /* first */
  const sedg_kernels *kernel;
  sed_params q;
  sedg_args a, recorded; /* of the next passes; of the graph */
  int *cells_of;         /* of a forcing that is on its way to the device */
  cudaGraphExec_t graph;
  sedg_news *seen; /* pinned: the news as they were last copied out */
  bool fresh;      /* the clock is to begin anew, at t */
  bool current;    /* `seen` is what the device has */
  bool begun;      /* the run: height that is set is laid down or dug away */
  double t;
};

ria_status get_news(sedg *s) {
  if (s->current) return RIA_OK;
  RIA_CUDA(
      s->p.ctx, "a time step",
      cudaMemcpyAsync(s->seen, s->a.news, sizeof *s->seen, cudaMemcpyDeviceToHost, s->p.stream));
  RIA_CUDA(s->p.ctx, "a time step", cudaStreamSynchronize(s->p.stream));
  s->current = true;
  return RIA_OK;
}

/* An entry point that needs to know which state is the present. */
ria_status enter(sedg *s) {
  RIA_TRY(ria_gpu_enter(&s->p));
  return get_news(s);
}

int now_of(const sedg *s) { return s->seen->clock.now; }

/* --- fields -------------------------------------------------------------------------------------
 */

void *plane_of(const void *self, int field, int tracer) {
  const sedg *s = (const sedg *)self;
  (void)tracer;
  switch (field) {
  case SED_HEIGHT:
    return s->a.h[now_of(s)];
  case SED_FRACTION:
    return s->a.s[now_of(s)];
  case SED_ALPHA:
    return s->a.alpha;
  case SED_BETA:
    return s->a.beta;
  case SED_BASE:
    return s->a.base;
  default:
    return NULL;
  }
}

cudaError_t derive(const void *self, int field, int tracer, void *to, cudaStream_t stream) {
  const sedg *s = (const sedg *)self;
  (void)tracer;
  return s->kernel->derive(&s->a, now_of(s), field, to, stream);
}

ria_gpu_cells no_cells(const void *self, int quantity) {
  (void)self;
  (void)quantity;
  return {NULL, 0, 0};
}

cudaError_t density(const void *self, int quantity, void *to, cudaStream_t stream) {
  const sedg *s = (const sedg *)self;
  return s->kernel->density(&s->a, now_of(s), quantity, to, stream);
}

const ria_plane_callbacks host = {.refuses = sed_refuses, .fields = ria_sediment_fields};
cudaError_t queue_add(const void *self, int quantity, int n, const int32_t *cell,
                      const double *amount, cudaStream_t stream) {
  const sedg *s = (const sedg *)self;
  return s->kernel->add(&s->a, now_of(s), quantity, n, cell, amount, stream);
}

/* How many cells each stretch has. */
void put_counts(void *self, ria_gpu_bundle *b, const ria_forcing_set *set,
                const ria_gpu_view *fresh) {
  sedg *s = (sedg *)self;
  s->cells_of = (int *)ria_gpu_put(b, NULL, (size_t)fresh->n_stretch * sizeof *s->cells_of);
  if (!b->host) return;
  int *n = (int *)ria_gpu_on_host(b, s->cells_of);
  for (int side = 0; side < RIA_SIDES; side++)
    for (int k = 0; k < ria_side_length(&s->p.grid, (ria_side)side); k++)
      n[set->boundary.owner[side][k]]++;
}

const ria_gpu_callbacks callbacks = {.plane = plane_of,
                                     .derive = derive,
                                     .quantity = no_cells,
                                     .density = density,
                                     .host = &host,
                                     .add = queue_add,
                                     .put = put_counts};

/* --- life ---------------------------------------------------------------------------------------
 */

void drop_graph(sedg *s) {
  if (s->graph) cudaGraphExecDestroy(s->graph);
  s->graph = NULL;
}

void destroy(void *self) {
  sedg *s = (sedg *)self;
  if (!s) return;
  if (s->p.backend && ria_cuda_use(&s->p.backend->base) == cudaSuccess) {
    if (s->p.stream) cudaStreamSynchronize(s->p.stream);
    drop_graph(s);
    void *of_device[] = {s->a.h[0],  s->a.h[1], s->a.s[0],  s->a.s[1],    s->a.base,
                         s->a.alpha, s->a.beta, s->a.found, s->a.deposit, s->a.news};
    for (size_t k = 0; k < sizeof of_device / sizeof *of_device; k++) cudaFree(of_device[k]);
    if (s->seen) cudaFreeHost(s->seen);
  }
  ria_gpu_planes_free(&s->p);
  free(s);
}

/* Rows of a tile: as many as make all tiles resident at once, or whole rounds of them. */
void lay_tiles(sedg *s, int resident) {
  sedg_args *a = &s->a;
  int sm = 1;
  cudaDeviceGetAttribute(&sm, cudaDevAttrMultiProcessorCount, s->p.backend->device);
  a->tiles_x = (a->v.nx + SEDG_WIDE - 1) / SEDG_WIDE;
  const int64_t at_once = (int64_t)sm * (resident > 0 ? resident : 1);
  int rows = ROWS_MOST;
  for (int rounds = 1; rounds < 64; rounds++) {
    const int64_t high = at_once * rounds / a->tiles_x; /* tiles one above the other */
    if (high < 1) continue;
    rows = (int)((a->v.ny + high - 1) / high);
    if (rows <= ROWS_MOST) break;
  }
  a->rows = rows < ROWS_LEAST ? ROWS_LEAST : rows > ROWS_MOST ? ROWS_MOST : rows;
  a->tiles_y = (a->v.ny + a->rows - 1) / a->rows;
}

ria_status allocate(sedg *s) {
  sedg_args *a = &s->a;
  void **planes[] = {&a->h[0], &a->h[1], &a->s[0], &a->s[1], &a->base, &a->alpha, &a->beta};
  for (size_t k = 0; k < sizeof planes / sizeof *planes; k++)
    RIA_TRY(ria_gpu_plane_alloc(&s->p, "the state", planes[k]));
  int resident = 1;
  const sed_ways mapped = {false, false, false};
  RIA_CUDA(s->p.ctx, "asking for the size of a kernel", s->kernel->resident(&mapped, &resident));
  lay_tiles(s, resident);
  const size_t tiles = (size_t)a->tiles_x * (size_t)a->tiles_y * sizeof(double);
  RIA_TRY(ria_cuda_alloc(s->p.ctx, tiles, "the sums", (void **)&a->found));
  RIA_TRY(ria_cuda_alloc(s->p.ctx, tiles, "the sums", (void **)&a->deposit));
  RIA_TRY(ria_cuda_alloc(s->p.ctx, sizeof *a->news, "the clock", (void **)&a->news));
  RIA_CUDA(s->p.ctx, "taking memory for the clock",
           cudaMallocHost((void **)&s->seen, sizeof *s->seen));
  memset(s->seen, 0, sizeof *s->seen);
  s->seen->clock.dt_min = DBL_MAX;
  s->seen->clock.pull = -1;
  RIA_CUDA(s->p.ctx, "setting the clock",
           cudaMemcpyAsync(a->news, s->seen, sizeof *s->seen, cudaMemcpyHostToDevice, s->p.stream));
  RIA_CUDA(s->p.ctx, "setting the clock", cudaStreamSynchronize(s->p.stream));
  s->current = true;
  RIA_CUDA(s->p.ctx, "setting a field", s->kernel->fill(a, a->alpha, s->q.alpha, s->p.stream));
  RIA_CUDA(s->p.ctx, "setting a field", s->kernel->fill(a, a->beta, s->q.beta, s->p.stream));
  return RIA_OK;
}

ria_status create(const ria_solver_setup *setup, void **self) {
  *self = NULL;
  sedg *s = (sedg *)calloc(1, sizeof *s);
  if (!s) return ria_fail(setup->ctx, RIA_ERR_MEMORY, "out of memory for a simulation");
  s->kernel = setup->real == RIA_F32 ? &sedg_f32 : &sedg_f64;
  s->q = *(const sed_params *)setup->params;
  ria_status status = ria_gpu_planes_init(&s->p, setup, &callbacks, SED_QUANTITIES);
  s->a.v = s->p.v;
  s->a.sea = s->q.sea_level;
  s->a.pace.layer = s->q.layer;
  if (status == RIA_OK) status = allocate(s);
  if (status != RIA_OK) {
    destroy(s);
    return status;
  }
  *self = s;
  return RIA_OK;
}

/* --- setting ------------------------------------------------------------------------------------
 */

ria_status sum_plane(sedg *s, const void *plane, double *out) {
  const size_t ny = (size_t)s->p.grid.ny, bytes = ny * sizeof(double);
  double *sums = (double *)malloc(bytes);
  void *room = NULL;
  if (!sums) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for a sum");
  ria_status status = ria_gpu_take(&s->p, bytes, &room);
  if (status == RIA_OK) {
    cudaError_t e = s->kernel->sum_rows(&s->a, plane, (double *)room, s->p.stream);
    if (e == cudaSuccess)
      e = cudaMemcpyAsync(sums, room, bytes, cudaMemcpyDeviceToHost, s->p.stream);
    if (e == cudaSuccess) e = cudaStreamSynchronize(s->p.stream);
    ria_gpu_drop(&s->p, room);
    if (e != cudaSuccess) status = ria_cuda_fail(s->p.ctx, e, "reading totals");
  }
  *out = status == RIA_OK ? ria_ordered_sum(sums, ny) : 0;
  free(sums);
  return status;
}

/* Sand below the active layer changes by `by` (m). */
ria_status add_strata(sedg *s, double by) {
  s->seen->strata += by;
  RIA_CUDA(s->p.ctx, "setting the account",
           cudaMemcpyAsync(&s->a.news->strata, &s->seen->strata, sizeof by, cudaMemcpyHostToDevice,
                           s->p.stream));
  RIA_CUDA(s->p.ctx, "setting the account", cudaStreamSynchronize(s->p.stream));
  return RIA_OK;
}

cudaError_t copy_plane(const sedg *s, void *to, const void *from) {
  return cudaMemcpyAsync(to, from, s->p.size * s->p.real_size, cudaMemcpyDeviceToDevice,
                         s->p.stream);
}

/* Height that is set is laid down or dug away with the fraction that the cell has. */
ria_status write_height(sedg *s, const double *src) {
  const int now = now_of(s);
  if (!s->begun) {
    RIA_TRY(ria_gpu_planes_write(s, SED_HEIGHT, -1, src));
    RIA_CUDA(s->p.ctx, "setting a field", copy_plane(s, s->a.base, s->a.h[now]));
    return RIA_OK;
  }
  void *had = NULL;
  double strata = 0;
  RIA_TRY(ria_gpu_take(&s->p, s->p.size * s->p.real_size, &had));
  cudaError_t e = copy_plane(s, had, s->a.h[now]);
  ria_status status = e == cudaSuccess ? ria_gpu_planes_write(s, SED_HEIGHT, -1, src)
                                       : ria_cuda_fail(s->p.ctx, e, "setting a field");
  if (status == RIA_OK) {
    e = s->kernel->change(&s->a, now, had, s->a.h[1 - now], s->p.stream); /* free for the moment */
    status = e == cudaSuccess ? sum_plane(s, s->a.h[1 - now], &strata)
                              : ria_cuda_fail(s->p.ctx, e, "setting a field");
  }
  ria_gpu_drop(&s->p, had);
  return status == RIA_OK ? add_strata(s, strata) : status;
}

ria_status write(void *self, int field, int tracer, const double *src) {
  sedg *s = (sedg *)self;
  RIA_TRY(enter(s));
  if (field == SED_SEA_LEVEL) {
    s->p.ready = false;
    return sed_one_value(s->p.ctx, src, (size_t)s->p.grid.nx * (size_t)s->p.grid.ny, &s->a.sea);
  }
  if (field == SED_HEIGHT)
    RIA_TRY(write_height(s, src));
  else
    RIA_TRY(ria_gpu_planes_write(s, field, tracer, src));
  void *plane = plane_of(s, field, tracer);
  RIA_CUDA(s->p.ctx, "setting a field", s->kernel->wrap(&s->a, plane, s->p.stream));
  return RIA_OK;
}

ria_status add(void *self, int quantity, int n, const int32_t *cell, const double *amount) {
  sedg *s = (sedg *)self;
  RIA_TRY(enter(s));
  s->current = false; /* the account is on the device */
  return ria_gpu_planes_add(s, quantity, n, cell, amount);
}

ria_status force(void *self, const ria_forcing_set *set) {
  sedg *s = (sedg *)self;
  RIA_TRY(ria_gpu_planes_force(s, set));
  s->a.v = s->p.v;
  s->a.cells_of = s->cells_of;
  s->a.forced = set->n_sources > 0;
  for (int k = 0; k < s->p.v.first[RIA_SIDES]; k++)
    if (s->p.stretch[s->p.owner[k]].kind != SED_CLOSED) s->a.forced = 1;
  return RIA_OK;
}

/* --- running ------------------------------------------------------------------------------------
 */

ria_status spread_of(sedg *s, const void *plane, double *least, double *most) {
  unsigned long long bits[2] = {~0ull, 0};
  void *room = NULL;
  RIA_TRY(ria_gpu_take(&s->p, sizeof bits, &room));
  cudaError_t e = cudaMemcpyAsync(room, bits, sizeof bits, cudaMemcpyHostToDevice, s->p.stream);
  if (e == cudaSuccess)
    e = s->kernel->spread(&s->a, plane, (unsigned long long *)room, s->p.stream);
  if (e == cudaSuccess)
    e = cudaMemcpyAsync(bits, room, sizeof bits, cudaMemcpyDeviceToHost, s->p.stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(s->p.stream);
  ria_gpu_drop(&s->p, room);
  RIA_CUDA(s->p.ctx, "preparing a step", e);
  memcpy(least, &bits[0], sizeof *least);
  memcpy(most, &bits[1], sizeof *most);
  return RIA_OK;
}

ria_status prepare(void *self, double t) {
  sedg *s = (sedg *)self;
  sedg_args *a = &s->a;
  double a_least, a_most, b_least, b_most;
  RIA_TRY(enter(s));
  RIA_TRY(spread_of(s, a->alpha, &a_least, &a_most));
  RIA_TRY(spread_of(s, a->beta, &b_least, &b_most));
  a->ways.uniform = a_least == a_most && b_least == b_most;
  a->ways.marine = s->q.marine_alpha < 1 || s->q.marine_beta < 1;
  a->ways.paper = s->q.scheme == SED_PAPER;
  a->a = a_most;
  a->b = b_most;
  const double sand = a_most / s->q.c_sand, mud = b_most / s->q.c_mud;
  a->pace = sed_pace_of(&s->q, &s->p.grid, sand > mud ? sand : mud);
  a->c_sand = s->q.c_sand;
  a->c_mud = s->q.c_mud;
  a->per_base = 1 / s->q.wave_base;
  a->less_a = 1 - s->q.marine_alpha;
  a->less_b = 1 - s->q.marine_beta;
  void *planes[] = {a->h[now_of(s)], a->s[now_of(s)], a->alpha, a->beta};
  for (size_t k = 0; k < sizeof planes / sizeof *planes; k++)
    RIA_CUDA(s->p.ctx, "preparing a step", s->kernel->wrap(a, planes[k], s->p.stream));
  s->t = t;
  s->fresh = s->p.ready = true;
  s->begun = true; /* before the events of the start */
  return RIA_OK;
}

cudaError_t queue_step(sedg *s, cudaGraphConditionalHandle loop, int closes) {
  const cudaError_t e = s->kernel->pass(&s->a, s->p.stream);
  return e == cudaSuccess ? s->kernel->tick(&s->a, loop, closes, s->p.stream) : e;
}

cudaError_t record_round(sedg *s, cudaGraph_t body, cudaGraphConditionalHandle loop) {
  cudaError_t e = cudaStreamBeginCaptureToGraph(s->p.stream, body, NULL, NULL, 0,
                                                cudaStreamCaptureModeThreadLocal);
  if (e != cudaSuccess) return e;
  for (int k = 0; e == cudaSuccess && k < ROUND; k++) e = queue_step(s, loop, k == ROUND - 1);
  const cudaError_t ended = cudaStreamEndCapture(s->p.stream, &body);
  return e != cudaSuccess ? e : ended;
}

cudaError_t record_loop(sedg *s, cudaGraph_t graph, cudaGraphExec_t *out) {
  cudaGraphConditionalHandle loop;
  cudaError_t e = cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault);
  if (e != cudaSuccess) return e;
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = loop;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t node;
#if CUDART_VERSION >= 13000
  e = cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params);
#else
  e = cudaGraphAddNode(&node, graph, NULL, 0, &params);
#endif
  if (e == cudaSuccess) e = record_round(s, params.conditional.phGraph_out[0], loop);
  return e == cudaSuccess ? cudaGraphInstantiate(out, graph, 0) : e;
}

ria_status need_graph(sedg *s) {
  if (s->graph && memcmp(&s->recorded, &s->a, sizeof s->a) == 0) return RIA_OK;
  cudaGraph_t graph;
  drop_graph(s);
  RIA_CUDA(s->p.ctx, "making a graph of steps", cudaGraphCreate(&graph, 0));
  const cudaError_t e = record_loop(s, graph, &s->graph);
  cudaGraphDestroy(graph);
  if (e != cudaSuccess) s->graph = NULL;
  RIA_CUDA(s->p.ctx, "making a graph of steps", e);
  memcpy(&s->recorded, &s->a, sizeof s->a);
  return RIA_OK;
}

/* One by one: for finding faults, and where a maximum is kept of every state. */
ria_status step_by_step(sedg *s) {
  do {
    RIA_CUDA(s->p.ctx, "a time step", queue_step(s, (cudaGraphConditionalHandle)0, 0));
    s->current = false;
    RIA_TRY(get_news(s));
    if (s->seen->clock.done_dt > 0) RIA_TRY(ria_gpu_planes_keep_maxima(&s->p));
  } while (!s->seen->clock.over);
  return RIA_OK;
}

ria_status advance(void *self, const ria_span *span) {
  sedg *s = (sedg *)self;
  RIA_TRY(ria_gpu_enter(&s->p));
  if (!s->p.ready) RIA_TRY(prepare(s, s->seen->clock.t));
  const bool graphs = s->p.backend->graphs && s->p.n_track == 0;
  if (graphs) RIA_TRY(need_graph(s));
  RIA_CUDA(s->p.ctx, "a time step", sedg_begin(&s->a, s->t, s->fresh, span, s->p.stream));
  s->fresh = s->current = false;
  if (!graphs) return step_by_step(s);
  RIA_CUDA(s->p.ctx, "a time step", cudaGraphLaunch(s->graph, s->p.stream));
  return RIA_OK;
}

/* A cell whose new state is no number: in the state that did not become the present. */
ria_status find_bad(sedg *s, ria_progress *out) {
  const int now = now_of(s);
  const size_t nx = (size_t)s->p.grid.nx, n = nx * (size_t)s->p.grid.ny;
  double *v = (double *)malloc(n * sizeof *v);
  if (!v) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for a field");
  ria_status status = RIA_OK;
  size_t bad = n;
  s->seen->clock.now = 1 - now;
  for (int field = SED_HEIGHT; status == RIA_OK && bad == n && field <= SED_FRACTION; field++) {
    status = ria_gpu_planes_read(s, field, -1, false, 0, s->p.grid.ny, RIA_F64, v);
    for (size_t k = 0; status == RIA_OK && bad == n && k < n; k++)
      if (!isfinite(v[k])) bad = k;
  }
  s->seen->clock.now = now;
  free(v);
  if (bad < n) {
    out->fail_i = (int)(bad % nx);
    out->fail_j = (int)(bad / nx);
  }
  return status;
}

ria_status progress(void *self, ria_progress *out) {
  sedg *s = (sedg *)self;
  memset(out, 0, sizeof *out);
  RIA_TRY(enter(s));
  sed_tell(&s->seen->clock, &s->q, &s->a.pace, out);
  return s->seen->clock.failure == SED_BAD ? find_bad(s, out) : RIA_OK;
}

/* --- the rest: as planes have it, once it is known which state is the present ------------------
 */

ria_status read(void *self, int field, int tracer, bool maximum, int j0, int nj, ria_real real,
                void *dst) {
  RIA_TRY(enter((sedg *)self));
  return ria_gpu_planes_read(self, field, tracer, maximum, j0, nj, real, dst);
}
ria_status sample(void *self, int field, int tracer, int n, const int32_t *cell, double *out) {
  RIA_TRY(enter((sedg *)self));
  return ria_gpu_planes_sample(self, field, tracer, n, cell, out);
}
ria_status track(void *self, int field, int tracer) {
  RIA_TRY(enter((sedg *)self));
  return ria_gpu_planes_track(self, field, tracer);
}
ria_status fetch(void *self, int field, int tracer, int coarse, ria_real real, void *dst,
                 void **ticket) {
  *ticket = NULL;
  RIA_TRY(enter((sedg *)self));
  return ria_gpu_planes_fetch(self, field, tracer, coarse, real, dst, ticket);
}
ria_status pack(void *self, int field, int tracer, const ria_packing *how, void *dst,
                void **ticket) {
  *ticket = NULL;
  RIA_TRY(enter((sedg *)self));
  return ria_gpu_planes_pack(self, field, tracer, how, dst, ticket);
}

/* Sand below the active layer, in m of all cells together. */
ria_status deposit_of(sedg *s, double *out) {
  const size_t tiles = (size_t)s->a.tiles_x * (size_t)s->a.tiles_y;
  double *sum = (double *)malloc(2 * tiles * sizeof *sum);
  if (!sum) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for a sum");
  cudaError_t e =
      cudaMemcpyAsync(sum, s->a.deposit, tiles * sizeof *sum, cudaMemcpyDeviceToHost, s->p.stream);
  if (e == cudaSuccess)
    e = cudaMemcpyAsync(sum + tiles, s->a.found, tiles * sizeof *sum, cudaMemcpyDeviceToHost,
                        s->p.stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(s->p.stream);
  *out = e != cudaSuccess ? 0 : ria_ordered_sum(sum, s->seen->held ? 2 * tiles : tiles);
  free(sum);
  RIA_CUDA(s->p.ctx, "reading totals", e);
  *out += s->seen->strata;
  return RIA_OK;
}

ria_status totals(void *self, ria_quantity_totals *out) {
  sedg *s = (sedg *)self;
  double below = 0;
  RIA_TRY(enter(s));
  RIA_TRY(ria_gpu_planes_totals(s, out));
  RIA_TRY(deposit_of(s, &below));
  below *= s->p.grid.dx * s->p.grid.dy;
  out[SED_SAND].stored += below;
  out[SED_MUD].stored -= below;
  return RIA_OK;
}

/* As allocate has it. */
int planes_held(int n_tracers) {
  (void)n_tracers;
  return 7;
}

__global__ void begin_span(const __grid_constant__ sedg_args a, double t, int fresh,
                           const __grid_constant__ ria_span span) {
  sed_clock *c = &a.news->clock;
  if (fresh) {
    c->t = t;
    c->pull = -1; /* not known: the first pass only looks */
  }
  c->t_stop = span.t_stop;
  c->t_watch = span.t_watch;
  c->steps_stop = c->steps + span.max_steps;
  sed_begin(c, &a.pace);
}

} // namespace

cudaError_t sedg_begin(const sedg_args *a, double t, int fresh, const ria_span *span,
                       cudaStream_t stream) {
  begin_span<<<1, 1, 0, stream>>>(*a, t, fresh, *span);
  return cudaGetLastError();
}

extern "C" {
extern const ria_solver_ops ria_sediment_cuda;
const ria_solver_ops ria_sediment_cuda = {
    .create = create,
    .destroy = destroy,
    .force = force,
    .prepare = prepare,
    .advance = advance,
    .progress = progress,
    .read = read,
    .write = write,
    .sample = sample,
    .add = add,
    .track = track,
    .fetch = fetch,
    .pack_bytes = ria_gpu_planes_pack_bytes,
    .pack = pack,
    .await = ria_gpu_await,
    .totals = totals,
    .fluxes = ria_gpu_planes_fluxes,
    .planes = planes_held,
};
}
