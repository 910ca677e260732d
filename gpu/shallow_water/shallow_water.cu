/* shallow_water.cu - the shallow-water solver on CUDA: memory, forcing, graphs, and the functions
 * the engine calls. shallow_water.cuh says how the state lies on the device and where the kernels
 * are.
 *
 * The clock is on the device. A span is one launch of a graph whose loop repeats a few steps (each
 * a step and a tick) until the clock says that the span is over; steps past its end do nothing. The
 * host hears of it when it asks (progress).
 *
 * A step writes the state that the next one reads, so the loop holds an even number of steps and
 * there is a graph for either beginning. Graphs hold the addresses of everything: what moves an
 * address makes them stale. */
#include "host.cuh"
#include <ria/planes.h> /* ria_ordered_sum */
#include "machine/output.cuh"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SWG_ROUND = 16 /* steps in the loop of a graph; even */
};
static const size_t swg_chunk = (size_t)64 << 20; /* bytes read at a time */

/* --- life ---------------------------------------------------------------------------------------
 */

void swg_drop_graphs(swg *s) {
  for (int k = 0; k < 2; k++) {
    if (s->graph[k]) cudaGraphExecDestroy(s->graph[k]);
    s->graph[k] = NULL;
  }
}

static void swg_destroy(void *self) {
  swg *s = (swg *)self;
  if (!s) return;
  cudaSetDevice(s->backend->device);
  if (s->stream) cudaStreamSynchronize(s->stream);
  if (s->copies) cudaStreamSynchronize(s->copies);
  swg_drop_graphs(s);
  for (int k = 0; k < 2; k++) {
    cudaFree(s->v.state[k]);
    cudaFree(s->v.more[k]);
    cudaFree(s->v.wet[k]);
  }
  cudaFree((void *)s->v.bed);
  cudaFree((void *)s->v.manning);
  cudaFree(s->v.same);
  cudaFree((void *)s->v.always);
  cudaFree(s->v.order);
  cudaFree(s->v.decayed);
  cudaFree(s->v.clock);
  cudaFree(s->v.rim.crossed);
  for (int k = 0; k < s->v.n_track; k++) cudaFree(s->v.track[k].max);
  cudaFree(s->rim);
  cudaFree(s->forcing);
  if (s->pool) cudaMemPoolDestroy(s->pool);
  if (s->seen) cudaFreeHost(s->seen);
  if (s->copies) cudaStreamDestroy(s->copies);
  if (s->stream) cudaStreamDestroy(s->stream);
  free(s->owner);
  free(s->crossed);
  free(s->stretch_in);
  free(s->stretch_out);
  free(s->always);
  free(s);
}

/* share: of tiles that hold water or are beside one that does. */
static void lay_tiles(swg *s, double share) {
  swg_view *v = &s->v;
  v->held = v->ny <= s->at_once * SWG_ROWS_MOST;
  const int rows = v->held ? swg_rows_to_lay(s->at_once, share) : s->at_once;
  v->tiles_y = swg_plan_bands(v->ny, rows > 1 ? rows : 1, v->band);
}

static void lay_out(swg *s, int multiprocessors) {
  swg_view *v = &s->v;
  v->nx = s->grid.nx;
  v->ny = s->grid.ny;
  v->stride = (v->nx + 31) / 32 * 32;
  v->plane = (size_t)v->stride * (size_t)v->ny;
  v->tiles_x = (v->nx + SWG_COLUMNS - 1) / SWG_COLUMNS;
  s->at_once = multiprocessors * s->kernel->resident(v->nt) / v->tiles_x;
  lay_tiles(s, 0); /* as many as there may be: arrays are for these */
  v->dx = s->grid.dx;
  v->dy = s->grid.dy;
  v->area = v->dx * v->dy;
  v->pace = sw_pace_of(&v->p, &s->grid, v->nt, v->diffusion);
  v->least = sw_forced_least(v->dx, v->dy, v->p.gravity);
  v->turn = ria_coriolis(v->p.forces.latitude);
  v->skip_dry = s->backend->skip_dry;
  v->short_ways = s->backend->short_ways;
  v->overlap = ria_cuda_is_90();
  for (int side = 0; side < RIA_SIDES; side++)
    v->rim.first[side + 1] = v->rim.first[side] + ria_side_length(&s->grid, (ria_side)side);
  s->n_rim = (size_t)v->rim.first[RIA_SIDES];
}

static ria_status allocate(swg *s) {
  swg_view *v = &s->v;
  const size_t real = (size_t)s->kernel->real_size, nt = (size_t)v->nt;
  for (int k = 0; k < 2; k++) {
    RIA_TRY(new_array(s, "the state", v->plane, 4 * real, &v->state[k]));
    if (nt > 1) RIA_TRY(new_array(s, "the tracers", v->plane * (nt - 1), real, &v->more[k]));
    RIA_TRY(new_array(s, "flags of tiles", tiles_of(s), 1, (void **)&v->wet[k]));
  }
  RIA_TRY(new_array(s, "the bed", v->plane, real, (void **)&v->bed));
  RIA_TRY(new_array(s, "flags of tiles", tiles_of(s), 1, (void **)&v->same));
  RIA_TRY(new_array(s, "flags of tiles", tiles_of(s), 1, (void **)&v->always));
  RIA_TRY(new_array(s, "the order of tiles", (size_t)swg_blocks_of(v), sizeof *v->order,
                    (void **)&v->order));
  if (nt)
    RIA_TRY(new_array(s, "decay", tiles_of(s) * nt, sizeof *v->decayed, (void **)&v->decayed));
  RIA_TRY(new_array(s, "the clock", 1, sizeof *v->clock, (void **)&v->clock));
  RIA_TRY(new_array(s, "the boundary", s->n_rim * width_of(s), sizeof *v->rim.crossed,
                    (void **)&v->rim.crossed));
  s->owner = (int32_t *)calloc(s->n_rim, sizeof *s->owner);
  s->crossed = (ria_crossed *)calloc(s->n_rim * width_of(s), sizeof *s->crossed);
  s->always = (uint8_t *)calloc(tiles_of(s), 1);
  if (!s->owner || !s->crossed || !s->always) return swg_no_memory(s, "the boundary");
  SWG_TRY("pinning the clock", cudaMallocHost((void **)&s->seen, sizeof *s->seen));
  return RIA_OK;
}

/* Tiles that hold water or are beside one that does (where forcing acts is not known yet); wet:
 * [tiles] on the host. */
static size_t count_active(const swg_view *v, const uint8_t *wet) {
  size_t n = 0;
  for (int ty = 0; ty < v->tiles_y; ty++)
    for (int tx = 0; tx < v->tiles_x; tx++) {
      uint8_t active = 0;
      for (int y = ty > 0 ? ty - 1 : 0; y <= ty + 1 && y < v->tiles_y; y++)
        for (int x = tx > 0 ? tx - 1 : 0; x <= tx + 1 && x < v->tiles_x; x++)
          active |= wet[(size_t)y * v->tiles_x + x];
      n += active;
    }
  return n;
}

ria_status swg_fit_tiles(swg *s) {
  /* what decay took is kept by tile */
  if (s->progress.steps > 0 || s->progress.failure != RIA_OK) return RIA_OK;
  lay_tiles(s, 1);
  if (!s->v.held) return RIA_OK;
  SWG_TRY("laying out tiles", s->kernel->survey(&s->v, s->now, s->stream));
  SWG_TRY("laying out tiles", copy_out(s, s->always, s->v.wet[s->now], tiles_of(s)));
  lay_tiles(s, (double)count_active(&s->v, s->always) / (double)tiles_of(s));
  return RIA_OK;
}

static ria_status put_clock(swg *s, const swg_clock *c) {
  *s->seen = *c;
  SWG_TRY("setting the clock", copy_in(s, s->v.clock, s->seen, sizeof *s->seen));
  SWG_TRY("setting the clock", cudaStreamSynchronize(s->stream));
  return RIA_OK;
}

static ria_status get_clock(swg *s) {
  SWG_TRY("a time step", copy_out(s, s->seen, s->v.clock, sizeof *s->seen));
  return RIA_OK;
}

static ria_status fill(swg *s) {
  int multiprocessors = 0;
  RIA_TRY(enter(s));
  SWG_TRY(
      "asking the device",
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, s->backend->device));
  lay_out(s, multiprocessors);
  RIA_TRY(ria_gpu_open_streams(s->ctx, s->backend, &s->stream, &s->copies, &s->pool));
  RIA_TRY(allocate(s));
  swg_clock clock;
  memset(&clock, 0, sizeof clock);
  clock.beat.dt_min = DBL_MAX;
  clock.beat.speed_cell = -1;
  return put_clock(s, &clock);
}

static ria_status swg_create(const ria_solver_setup *setup, void **self) {
  *self = NULL;
  swg *s = (swg *)calloc(1, sizeof *s);
  if (!s) return ria_fail(setup->ctx, RIA_ERR_MEMORY, "out of memory for a simulation");
  s->ctx = setup->ctx;
  s->backend = (const ria_cuda_backend *)setup->backend;
  s->kernel = setup->real == RIA_F32 ? &swg_kernels_f32 : &swg_kernels_f64;
  s->grid = setup->grid;
  s->v.p = *(const sw_params *)setup->params;
  s->v.nt = setup->n_tracers;
  for (int m = 0; m < s->v.nt; m++) {
    s->v.decay[m] = setup->tracers[m].decay;
    s->v.diffusion[m] = setup->tracers[m].diffusion;
    s->v.decays |= s->v.decay[m] > 0;
    s->v.diffuses |= s->v.diffusion[m] > 0;
  }
  s->progress.dt_min = DBL_MAX;
  const double padded =
      ((double)s->grid.nx + 31) * ((double)s->grid.ny + 3); /* rows looked ahead */
  const ria_status status =
      padded < (double)INT32_MAX
          ? fill(s)
          : ria_fail(s->ctx, RIA_ERR_DEVICE,
                     "a %d x %d grid is too large for one GPU: at most 2^31 cells, rows padded to "
                     "a multiple of 32 and three rows more",
                     s->grid.nx, s->grid.ny);
  if (status != RIA_OK) {
    swg_destroy(s);
    return status;
  }
  *self = s;
  return RIA_OK;
}

/* --- running ------------------------------------------------------------------------------------
 */

static ria_status swg_prepare(void *self, double t) {
  swg *s = (swg *)self;
  RIA_TRY(sw_refuse_outlets(s->ctx, &s->outlets));
  RIA_TRY(enter(s));
  RIA_TRY(get_clock(s));
  swg_clock c = *s->seen;
  c.beat.t = t;
  memset(c.found, 0, sizeof c.found);
  memset(c.where, 0, sizeof c.where);
  RIA_TRY(put_clock(s, &c));
  SWG_TRY("preparing a step", s->kernel->survey(&s->v, s->now, s->stream));
  s->ready = s->surveyed = true;
  return RIA_OK;
}

/* A few steps, recorded into the body of the loop. */
static cudaError_t record_round(swg *s, cudaGraph_t body, cudaGraphConditionalHandle loop) {
  cudaError_t e = cudaStreamBeginCaptureToGraph(s->stream, body, NULL, NULL, 0,
                                                cudaStreamCaptureModeThreadLocal);
  if (e != cudaSuccess) return e;
  for (int k = 0; e == cudaSuccess && k < SWG_ROUND; k++) {
    const int old = (s->now + k) % 2;
    const int closes = k == SWG_ROUND - 1;
    e = s->kernel->step(&s->v, old, loop, closes, s->stream);
    if (e == cudaSuccess && !s->v.alone)
      e = s->kernel->tick(&s->v, 1 - old, SWG_AFTER_STEP, NULL, loop, closes, s->stream);
  }
  const cudaError_t ended = cudaStreamEndCapture(s->stream, &body);
  return e != cudaSuccess ? e : ended;
}

static cudaError_t record_loop(swg *s, cudaGraph_t graph, cudaGraphExec_t *out) {
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

static ria_status need_graph(swg *s) {
  if (s->graph[s->now]) return RIA_OK;
  cudaGraph_t graph;
  SWG_TRY("making a graph of steps", cudaGraphCreate(&graph, 0));
  const cudaError_t e = record_loop(s, graph, &s->graph[s->now]);
  cudaGraphDestroy(graph);
  if (e != cudaSuccess) s->graph[s->now] = NULL;
  SWG_TRY("making a graph of steps", e);
  return RIA_OK;
}

/* Without graphs, for finding faults: rounds of steps until the clock says that the span is over.
 */
static ria_status run_rounds(swg *s, int old) {
  const cudaGraphConditionalHandle none = 0;
  do {
    for (int k = 0; k < SWG_ROUND; k++, old = 1 - old) {
      SWG_TRY("a time step", s->kernel->step(&s->v, old, none, 0, s->stream));
      if (s->v.alone) continue;
      SWG_TRY("a time step",
              s->kernel->tick(&s->v, 1 - old, SWG_AFTER_STEP, NULL, none, 0, s->stream));
    }
    RIA_TRY(get_clock(s));
  } while (!s->seen->beat.done);
  return RIA_OK;
}

static ria_status swg_advance(void *self, const ria_span *span) {
  swg *s = (swg *)self;
  RIA_TRY(enter(s));
  if (!s->ready) RIA_TRY(swg_prepare(s, s->progress.t));
  if (s->backend->graphs) RIA_TRY(need_graph(s)); /* first: the tick gives what sources owe */
  SWG_TRY("a time step",
          s->kernel->tick(&s->v, s->now, s->surveyed ? SWG_BEGIN_SURVEYED : SWG_BEGIN, span,
                          (cudaGraphConditionalHandle)0, 0, s->stream));
  s->surveyed = false;
  if (s->v.skip_dry)
    SWG_TRY("putting tiles in order", s->kernel->arrange(&s->v, s->now, s->stream));
  if (!s->backend->graphs) return run_rounds(s, s->now);
  SWG_TRY("a time step", cudaGraphLaunch(s->graph[s->now], s->stream));
  return RIA_OK;
}

/* The failure that the clock tells of, in words. */
static ria_status explain_failure(swg *s) {
  ria_progress *p = &s->progress;
  const swg_clock *c = s->seen;
  if (c->beat.failure == 2) {
    sw_tell_too_short(p, c->beat.t, c->short_dt, s->v.p.dt_min);
    return RIA_OK;
  }
  unsigned long long cell = UINT64_MAX;
  double value[SW_STATES] = {0};
  void *first = NULL;
  p->failure = RIA_ERR_NUMERICAL;
  p->fail_t = c->beat.t;
  RIA_TRY(take_room(s, sizeof cell, &first));
  const int bad = 1 - s->now;
  cudaError_t e = copy_in(s, first, &cell, sizeof cell);
  if (e == cudaSuccess) e = s->kernel->find_bad(&s->v, bad, (unsigned long long *)first, s->stream);
  if (e == cudaSuccess) e = copy_out(s, &cell, first, sizeof cell);
  drop_room(s, first);
  SWG_TRY("finding what went wrong", e);
  if (cell == UINT64_MAX) return RIA_OK;
  const int32_t at = (int32_t)cell;
  p->fail_i = at % s->grid.nx;
  p->fail_j = at / s->grid.nx;
  s->now = bad; /* look at the state that failed */
  ria_status status = swg_sample(s, WATER_DEPTH, -1, 1, &at, &value[SW_H]);
  if (status == RIA_OK) status = swg_sample(s, WATER_QX, -1, 1, &at, &value[SW_STATE_QX]);
  if (status == RIA_OK) status = swg_sample(s, WATER_QY, -1, 1, &at, &value[SW_STATE_QY]);
  for (int m = 0; status == RIA_OK && m < s->v.nt; m++)
    status = swg_sample(s, WATER_LOAD, m, 1, &at, &value[SW_STATE_C + m]);
  s->now = 1 - bad;
  if (!sw_tell_wrong(value[SW_H], value[SW_STATE_QX], value[SW_STATE_QY], value + SW_STATE_C,
                     s->v.nt, p->fail_what, sizeof p->fail_what))
    snprintf(p->fail_what, sizeof p->fail_what,
             "out of range together: depth %g m, discharge %g m^2/s and loads", value[SW_H],
             hypot(value[SW_STATE_QX], value[SW_STATE_QY]));
  return status;
}

static ria_status swg_progress(void *self, ria_progress *out) {
  swg *s = (swg *)self;
  ria_progress *p = &s->progress;
  RIA_TRY(enter(s));
  RIA_TRY(get_clock(s));
  const swg_clock *c = s->seen;
  s->now = (int)((s->now + (c->beat.steps - p->steps)) % 2);
  p->t = c->beat.t;
  p->steps = c->beat.steps;
  p->dt = c->beat.dt;
  if (c->beat.dt_min < p->dt_min) {
    p->dt_min = c->beat.dt_min;
    p->dt_min_t = c->dt_min_t;
    p->dt_min_i = c->dt_min_cell % s->grid.nx;
    p->dt_min_j = c->dt_min_cell / s->grid.nx;
    sw_tell_cause(p, (sw_limit)c->limit, c->min_speed, c->min_celerity, c->min_depth);
  }
  if (c->beat.failure && p->failure == RIA_OK) RIA_TRY(explain_failure(s));
  *out = *p;
  return RIA_OK;
}

/* --- out ----------------------------------------------------------------------------------------
 */

static size_t size_of(ria_real real) { return real == RIA_F32 ? sizeof(float) : sizeof(double); }

/* Index of a maximum, or -1. */
static int track_of(const swg *s, int field, int tracer) {
  for (int k = 0; k < s->v.n_track; k++)
    if (s->v.track[k].field == field && s->v.track[k].tracer == tracer) return k;
  return -1;
}

static ria_status swg_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                           ria_real real, void *dst) {
  swg *s = (swg *)self;
  RIA_TRY(enter(s));
  const int track = maximum ? track_of(s, field, tracer) : -1;
  if (maximum && track < 0)
    return ria_fail(s->ctx, RIA_ERR_ARGUMENT, "no maximum of this field was asked for");
  const size_t row = (size_t)s->grid.nx * size_of(real);
  int rows = (int)(swg_chunk / row);
  if (rows < 1) rows = 1;
  if (rows > nj) rows = nj;
  void *part = NULL;
  RIA_TRY(take_room(s, (size_t)rows * row, &part));
  cudaError_t e = cudaSuccess;
  for (int j = 0; e == cudaSuccess && j < nj; j += rows) {
    const int n = nj - j < rows ? nj - j : rows;
    e = s->kernel->derive(&s->v, s->now, field, tracer, track, 1, j0 + j, n, real == RIA_F32, part,
                          s->stream);
    if (e == cudaSuccess) e = copy_out(s, (char *)dst + (size_t)j * row, part, (size_t)n * row);
  }
  drop_room(s, part);
  SWG_TRY("reading a field", e);
  return RIA_OK;
}

ria_status swg_sample(void *self, int field, int tracer, int n, const int32_t *cell, double *out) {
  swg *s = (swg *)self;
  RIA_TRY(enter(s));
  if (n < 1) return RIA_OK;
  void *room = NULL;
  const size_t cells = ((size_t)n * sizeof *cell + 15) / 16 * 16;
  RIA_TRY(take_room(s, cells + (size_t)n * sizeof *out, &room));
  double *values = (double *)((char *)room + cells);
  cudaError_t e = copy_in(s, room, cell, (size_t)n * sizeof *cell);
  if (e == cudaSuccess)
    e = s->kernel->sample(&s->v, s->now, field, tracer, n, (const int32_t *)room, values,
                          s->stream);
  if (e == cudaSuccess) e = copy_out(s, out, values, (size_t)n * sizeof *out);
  drop_room(s, room);
  SWG_TRY("reading cells", e);
  return RIA_OK;
}

static ria_status derive(void *self, int field, int tracer, int coarse, ria_real real, void *dst) {
  swg *s = (swg *)self;
  const int ny = (s->grid.ny + coarse - 1) / coarse;
  SWG_TRY("copying a field for output", s->kernel->derive(&s->v, s->now, field, tracer, -1, coarse,
                                                          0, ny, real == RIA_F32, dst, s->stream));
  return RIA_OK;
}

static ria_gpu_output output_of(swg *s) {
  const ria_gpu_output o = {s->ctx, s->backend, s->grid, s->stream, s->copies, s->pool, s, derive};
  return o;
}

static ria_status swg_fetch(void *self, int field, int tracer, int coarse, ria_real real, void *dst,
                            void **ticket) {
  const ria_gpu_output o = output_of((swg *)self);
  RIA_TRY(enter((swg *)self));
  return ria_gpu_fetch(&o, field, tracer, coarse, real, dst, ticket);
}

static size_t swg_pack_bytes(void *self, const ria_packing *how) {
  const ria_gpu_output o = output_of((swg *)self);
  return ria_gpu_pack_bytes(&o, how);
}

static ria_status swg_pack(void *self, int field, int tracer, const ria_packing *how, void *dst,
                           void **ticket) {
  const ria_gpu_output o = output_of((swg *)self);
  RIA_TRY(enter((swg *)self));
  return ria_gpu_pack_field(&o, field, tracer, how, dst, ticket);
}

/* --- in -----------------------------------------------------------------------------------------
 */

static ria_status need_manning(swg *s) {
  if (s->v.manning) return RIA_OK;
  swg_drop_graphs(s);
  return new_array(s, "the roughness", s->v.plane, (size_t)s->kernel->real_size,
                   (void **)&s->v.manning);
}

static ria_status swg_write(void *self, int field, int tracer, const double *src) {
  swg *s = (swg *)self;
  RIA_TRY(enter(s));
  RIA_TRY(water_check(s->ctx, &s->grid, s->backend->base.threads, field, src));
  const size_t bytes = (size_t)s->grid.nx * (size_t)s->grid.ny * sizeof *src;
  void *room = NULL;
  RIA_TRY(ria_cuda_alloc(s->ctx, bytes, "a field on its way in", &room));
  const ria_status status = field == WATER_MANNING ? need_manning(s) : RIA_OK;
  if (status != RIA_OK) {
    cudaFree(room);
    return status;
  }
  cudaError_t e = copy_in(s, room, src, bytes);
  if (e == cudaSuccess)
    e = s->kernel->assign(&s->v, s->now, field, tracer, (const double *)room, s->stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(s->stream);
  cudaFree(room);
  s->ready = false;
  SWG_TRY("setting a field", e);
  return RIA_OK;
}

static ria_status swg_add(void *self, int quantity, int n, const int32_t *cell,
                          const double *amount) {
  swg *s = (swg *)self;
  RIA_TRY(enter(s));
  if (n < 1) return RIA_OK;
  void *room = NULL;
  const size_t cells = ((size_t)n * sizeof *cell + 15) / 16 * 16;
  RIA_TRY(take_room(s, cells + (size_t)n * sizeof *amount, &room));
  double *values = (double *)((char *)room + cells);
  cudaError_t e = copy_in(s, room, cell, (size_t)n * sizeof *cell);
  if (e == cudaSuccess) e = copy_in(s, values, amount, (size_t)n * sizeof *amount);
  if (e == cudaSuccess)
    e = s->kernel->add(&s->v, s->now, quantity, n, (const int32_t *)room, values, s->stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(s->stream);
  drop_room(s, room);
  s->ready = false;
  SWG_TRY("adding to cells", e);
  return RIA_OK;
}

static ria_status swg_track_max(void *self, int field, int tracer) {
  swg *s = (swg *)self;
  RIA_TRY(enter(s));
  if (s->v.n_track == SWG_TRACKS)
    return ria_fail(s->ctx, RIA_ERR_ARGUMENT, "at most %d maxima can be kept", SWG_TRACKS);
  swg_track t = {field, tracer, NULL};
  RIA_TRY(new_array(s, "a maximum", s->v.plane, (size_t)s->kernel->real_size, &t.max));
  swg_drop_graphs(s);
  s->v.track[s->v.n_track++] = t;
  const cudaError_t e = s->kernel->begin_track(&s->v, s->now, s->v.n_track - 1, s->stream);
  if (e == cudaSuccess) return RIA_OK;
  s->v.n_track--;
  cudaFree(t.max);
  return ria_cuda_fail(s->ctx, e, "beginning a maximum");
}

/* --- totals -------------------------------------------------------------------------------------
 */

/* What tiles lost of each tracer, in the unit of h C. */
static ria_status sum_decayed(swg *s, double *lost) {
  const size_t n = tiles_of(s), nt = (size_t)s->v.nt;
  memset(lost, 0, RIA_MAX_TRACERS * sizeof *lost);
  if (!s->v.decays) return RIA_OK;
  double *all = (double *)malloc((n * nt + n) * sizeof *all);
  if (!all) return swg_no_memory(s, "a sum");
  const cudaError_t e = copy_out(s, all, s->v.decayed, n * nt * sizeof *all);
  for (size_t m = 0; e == cudaSuccess && m < nt; m++) {
    double *one = all + n * nt;
    for (size_t k = 0; k < n; k++) one[k] = all[k * nt + m];
    lost[m] = ria_ordered_sum(one, n);
  }
  free(all);
  SWG_TRY("reading totals", e);
  return RIA_OK;
}

static ria_status sum_stored(swg *s, double *stored) {
  const size_t ny = (size_t)s->grid.ny, n = ny * width_of(s);
  void *sums = NULL;
  RIA_TRY(take_room(s, n * sizeof(double), &sums));
  double *host = (double *)malloc(n * sizeof *host);
  if (!host) {
    drop_room(s, sums);
    return swg_no_memory(s, "a sum");
  }
  cudaError_t e = cudaSuccess;
  for (size_t q = 0; e == cudaSuccess && q < width_of(s); q++)
    e = s->kernel->row_sums(&s->v, s->now, (int)q, (double *)sums + q * ny, s->stream);
  if (e == cudaSuccess) e = copy_out(s, host, sums, n * sizeof *host);
  for (size_t q = 0; e == cudaSuccess && q < width_of(s); q++)
    stored[q] = ria_ordered_sum(host + q * ny, ny);
  drop_room(s, sums);
  free(host);
  SWG_TRY("reading totals", e);
  return RIA_OK;
}

static ria_status swg_totals(void *self, ria_quantity_totals *totals) {
  swg *s = (swg *)self;
  double stored[SW_QUANTITIES], lost[RIA_MAX_TRACERS];
  RIA_TRY(enter(s));
  RIA_TRY(sum_stored(s, stored));
  RIA_TRY(sum_decayed(s, lost));
  RIA_TRY(get_clock(s));
  for (int q = 0; q <= s->v.nt; q++)
    totals[q] = {stored[q] * s->v.area, s->seen->added[q], q > 0 ? lost[q - 1] * s->v.area : 0.0};
  return RIA_OK;
}

/* Reading does not fold: when totals are asked for must not show in their last digits. */
static ria_status swg_fluxes(void *self, int n, double *in, double *out) {
  swg *s = (swg *)self;
  RIA_TRY(enter(s));
  const size_t width = width_of(s);
  const int have = n < s->n_stretch ? n : s->n_stretch;
  for (size_t k = 0; k < (size_t)n * width; k++) {
    in[k] = k < (size_t)have * width ? s->stretch_in[k] : 0;
    out[k] = k < (size_t)have * width ? s->stretch_out[k] : 0;
  }
  if (have == 0) return RIA_OK; /* nothing was forced yet, and there is no rim */
  RIA_TRY(swg_get_crossed(s));
  swg_add_crossed(s, have, in, out);
  return RIA_OK;
}

/* As allocate has it: two states of four numbers, of which the last is the first tracer, and the
 * bed. */
static int swg_planes(int n_tracers) { return 9 + (n_tracers > 1 ? 2 * (n_tracers - 1) : 0); }

static const ria_solver_ops ops = {
    .create = swg_create,
    .destroy = swg_destroy,
    .force = swg_force,
    .prepare = swg_prepare,
    .advance = swg_advance,
    .progress = swg_progress,
    .read = swg_read,
    .write = swg_write,
    .sample = swg_sample,
    .add = swg_add,
    .track = swg_track_max,
    .fetch = swg_fetch,
    .pack_bytes = swg_pack_bytes,
    .pack = swg_pack,
    .await = ria_gpu_await,
    .totals = swg_totals,
    .fluxes = swg_fluxes,
    .planes = swg_planes,
};

extern "C" {
extern const ria_solver_ops ria_shallow_water_cuda;
const ria_solver_ops ria_shallow_water_cuda = ops;
}
