/* shallow_water.cu - the shallow-water solver on CUDA: memory, fields and totals, the table of
 * functions. host.cuh says where the rest of the host's side is, shallow_water.cuh how the state
 * lies on the device and where the kernels are. */
#include "host.cuh"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* --- what the shared planes ask --------------------------------------------------------------- */

/* Depth and the first tracer are components of vectors of four: the first and the last. */
static ria_gpu_cells quantity_cells(const void *self, int quantity) {
  const swg *s = (const swg *)self;
  const swg_view *v = &s->v;
  if (quantity > 1)
    return ria_gpu_cells_of(&s->p, (char *)v->more[s->now] +
                                       (size_t)(quantity - 2) * v->plane * s->p.real_size);
  const size_t component = quantity == 0 ? 0 : 3;
  return {(char *)v->state[s->now] + component * s->p.real_size, 4 * (size_t)v->stride, 4};
}

static int ghost_rows_of(const void *self) { return ((const swg *)self)->v.p.order; }

/* The vectors of four, then the planes of further tracers. */
static ria_gpu_array shared_of(const void *self, int k) {
  const swg *s = (const swg *)self;
  const size_t n = k == 0 ? 4 : 1, row = (size_t)s->v.stride * s->p.real_size;
  const size_t cells = (size_t)s->v.nx * s->p.real_size, plane = s->v.plane * s->p.real_size;
  char *first = (char *)s->v.state[s->now];
  if (k > 0) first = k < s->v.nt ? (char *)s->v.more[s->now] + (size_t)(k - 1) * plane : NULL;
  return {first, n * row, n * cells};
}

static cudaError_t copy_field(const void *self, const ria_gpu_wanted *w, void *dst,
                              cudaStream_t stream) {
  const swg *s = (const swg *)self;
  return s->kernel->copy(&s->v, s->now, &s->p.grid, w, dst, stream);
}

static cudaError_t sample_field(const void *self, int field, int tracer, int n, const int32_t *cell,
                                double *out, cudaStream_t stream) {
  const swg *s = (const swg *)self;
  return s->kernel->sample(&s->v, s->now, field, tracer, n, cell, out, stream);
}

static ria_status need_manning(swg *s) {
  if (s->v.manning) return RIA_OK;
  ria_loop_stale(&s->loop);
  return ria_gpu_plane_alloc(&s->p, "the roughness", (void **)&s->v.manning);
}

static ria_status set_field(void *self, int field, int tracer, double *values) {
  swg *s = (swg *)self;
  if (field == WATER_MANNING) RIA_TRY(need_manning(s));
  SWG_TRY("setting a field", s->kernel->assign(&s->v, s->now, field, tracer, values, s->p.stream));
  return RIA_OK;
}

static cudaError_t add_amounts(const void *self, int quantity, int n, const int32_t *cell,
                               const double *amount, cudaStream_t stream) {
  const swg *s = (const swg *)self;
  return s->kernel->add(&s->v, s->now, quantity, n, cell, amount, stream);
}

static cudaError_t begin_maximum(const void *self, const ria_plane_track *m, cudaStream_t stream) {
  const swg *s = (const swg *)self;
  return s->kernel->begin_maximum(&s->v, s->now, m, stream);
}

static const ria_plane_callbacks host = {
    .refuses = water_refuses, .nan_means_dry = water_nan_means_dry, .fields = water_fields};
static const ria_gpu_callbacks callbacks = {.quantity = quantity_cells,
                                            .host = &host,
                                            .ghost_rows = ghost_rows_of,
                                            .shared = shared_of,
                                            .copy = copy_field,
                                            .sample = sample_field,
                                            .set = set_field,
                                            .add = add_amounts,
                                            .begin_maximum = begin_maximum,
                                            .put = swg_put_forcing,
                                            .own_decay = true,
                                            .lists_cells = true,
                                            .rings = true,
                                            .no_ghosts = true};

/* --- life ------------------------------------------------------------------------------------- */

static void swg_destroy(void *self) {
  swg *s = (swg *)self;
  if (!s) return;
  swg_crew_free(s->crew);
  ria_gpu_planes_free(&s->p); /* waits for what is queued */
  ria_loop_stale(&s->loop);
  swg_parts_free(s);
  for (int k = 0; k < 2; k++) {
    cudaFree(s->v.state[k]);
    cudaFree(s->v.more[k]);
    cudaFree(s->v.wet[k]);
  }
  cudaFree((void *)s->v.bed);
  cudaFree((void *)s->v.manning);
  cudaFree(s->v.same);
  cudaFree(s->v.order);
  cudaFree(s->v.decayed);
  cudaFree(s->v.report);
  cudaFree(s->v.rim.share);
  cudaFree(s->v.rim.edge);
  if (s->seen) cudaFreeHost(s->seen);
  free(s->always);
  free(s->layer_cells);
  free(s);
}

void swg_set_ring(swg *s, bool ring) {
  swg_view *v = &s->v;
  const bool whole = ria_gpu_whole(&s->p);
  const int beyond = s->p.part.j1 + s->p.ghost_rows - s->p.grid.ny;
  s->p.ring = ring && !whole;
  v->ring_y = ring;
  v->reach = v->ny + (s->p.ring && beyond > 0 ? beyond : 0);
  v->below = ria_gpu_rows(&s->p);
  v->above = whole ? v->ny : 0;
  v->around = s->p.grid.ny;
}

/* share: of tiles that hold water or are beside one that does. */
static void lay_tiles(swg *s, double share) {
  swg_view *v = &s->v;
  const int ny = v->end - v->begin;
  v->held = ny <= s->at_once * SWG_ROWS_MOST;
  const int rows = v->held ? swg_rows_to_lay(s->at_once, share) : s->at_once;
  const int cuts = (s->p.ring || v->begin > 0 ? SWG_CUT_SOUTH : 0) |
                   (s->p.ring || v->end < v->ny ? SWG_CUT_NORTH : 0);
  v->tiles_y = swg_plan_bands(ny, rows > 1 ? rows : 1, cuts, v->band);
  swg_move_bands(v->band, v->begin);
}

static void lay_out(swg *s, int multiprocessors) {
  swg_view *v = &s->v;
  v->nx = s->p.grid.nx;
  v->ny = s->p.v.ny;
  v->begin = s->p.begin;
  v->end = s->p.end;
  swg_set_ring(s, false);
  v->stride = (int)s->p.v.stride;
  v->plane = s->p.size;
  v->columns = v->p.order == 2 ? SWG_COLUMNS_SECOND : SWG_COLUMNS;
  v->tiles_x = (v->nx + v->columns - 1) / v->columns;
  s->at_once = multiprocessors * s->kernel->resident(v) / v->tiles_x;
  lay_tiles(s, 0);
  s->tiles_y_most = v->tiles_y;
  v->dx = s->p.grid.dx;
  v->dy = s->p.grid.dy;
  v->area = v->dx * v->dy;
  v->pace = sw_pace_of(&v->p, &s->p.grid, v->nt, v->diffusion, 0.0);
  v->fade[0] = v->dy / (s->p.grid.nx * v->dx);
  v->fade[1] = v->dx / (s->p.grid.ny * v->dy);
  v->least = sw_forced_least(v->dx, v->dy, v->p.gravity);
  v->turn = ria_coriolis(v->p.forces.latitude);
  v->skip_dry = s->p.backend->skip_dry;
  v->short_ways = s->p.backend->short_ways;
  v->overlap = ria_cuda_is_90();
  memcpy(v->rim.first, s->p.v.first, sizeof v->rim.first);
  v->rim.crossed = s->p.v.crossed;
}

static ria_status new_array(swg *s, const char *what, size_t n, size_t size, void **out) {
  return ria_cuda_alloc(s->p.ctx, n * size, what, out);
}

static ria_status allocate(swg *s) {
  swg_view *v = &s->v;
  const size_t real = s->p.real_size, nt = (size_t)v->nt;
  const size_t rim = (size_t)v->rim.first[RIA_SIDES];
  for (int k = 0; k < 2; k++) {
    RIA_TRY(new_array(s, "the state", v->plane, 4 * real, &v->state[k]));
    if (nt > 1) RIA_TRY(new_array(s, "the tracers", v->plane * (nt - 1), real, &v->more[k]));
    RIA_TRY(new_array(s, "flags of tiles", tiles_of(s), 1, (void **)&v->wet[k]));
  }
  RIA_TRY(ria_gpu_plane_alloc(&s->p, "the bed", (void **)&v->bed));
  RIA_TRY(new_array(s, "flags of tiles", tiles_of(s), 1, (void **)&v->same));
  RIA_TRY(new_array(s, "the order of tiles", (size_t)swg_blocks_of(v), sizeof *v->order,
                    (void **)&v->order));
  if (nt)
    RIA_TRY(new_array(s, "decay", tiles_of(s) * nt, sizeof *v->decayed, (void **)&v->decayed));
  RIA_TRY(new_array(s, "the clock", 1, sizeof *v->report, (void **)&v->report));
  RIA_TRY(new_array(s, "the boundary", rim, sizeof *v->rim.share, (void **)&v->rim.share));
  RIA_TRY(new_array(s, "the boundary", rim * (4 + nt), real, &v->rim.edge));
  s->always = (uint8_t *)calloc(most_tiles_of(s), 1);
  if (!s->always) return ria_gpu_no_memory(&s->p, "flags of tiles");
  SWG_TRY("pinning the clock", cudaMallocHost((void **)&s->seen, sizeof *s->seen));
  if (!ria_gpu_whole(&s->p))
    SWG_TRY("pinning the clock", cudaHostAlloc((void **)&s->words, sizeof *s->words,
                                               cudaHostAllocPortable | cudaHostAllocMapped));
  if (s->words) memset(s->words, 0, sizeof *s->words);
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
  SWG_TRY("laying out tiles", s->kernel->survey(&s->v, s->now, s->p.stream));
  SWG_TRY("laying out tiles", ria_gpu_to_host(&s->p, s->always, s->v.wet[s->now], tiles_of(s)));
  lay_tiles(s, (double)count_active(&s->v, s->always) / (double)tiles_of(s));
  return RIA_OK;
}

/* Elements are numbers of 32 bits, up to the rows that are looked ahead at. */
static ria_status fits(const swg *s) {
  if (((double)s->p.grid.nx + 31) * ((double)ria_gpu_rows(&s->p) + 3) < (double)INT32_MAX)
    return RIA_OK;
  return ria_fail(s->p.ctx, RIA_ERR_DEVICE,
                  "a %d x %d grid is too large for one GPU: at most 2^31 cells, rows padded to a "
                  "multiple of 32 and three rows more",
                  s->p.grid.nx, s->p.v.ny);
}

static ria_status fill(swg *s, const ria_solver_setup *setup) {
  int multiprocessors = 0;
  RIA_TRY(ria_gpu_planes_init(&s->p, setup, &callbacks, 1 + setup->n_tracers));
  RIA_TRY(fits(s));
  SWG_TRY("asking the device",
          cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                                 s->p.backend->device));
  ria_loop_init(&s->loop, s->p.ctx, s->p.backend, s->p.stream, swg_queue_round, s);
  lay_out(s, multiprocessors);
  RIA_TRY(allocate(s));
  swg_report report;
  memset(&report, 0, sizeof report);
  report.clock.dt_min = DBL_MAX;
  report.clock.speed_cell = -1;
  return swg_put_report(s, &report);
}

static ria_status swg_create(const ria_solver_setup *setup, void **self) {
  *self = NULL;
  swg *s = (swg *)calloc(1, sizeof *s);
  if (!s) return ria_fail(setup->ctx, RIA_ERR_MEMORY, "out of memory for a simulation");
  s->kernel = setup->real == RIA_F32 ? &swg_kernels_f32 : &swg_kernels_f64;
  s->v.p = *(const sw_params *)setup->params;
  ria_forces_on(&s->v.p.forces, &setup->grid);
  s->v.nt = setup->n_tracers;
  for (int m = 0; m < s->v.nt; m++) {
    s->v.decay[m] = setup->tracers[m].decay;
    s->v.diffusion[m] = setup->tracers[m].diffusion;
    s->v.decays |= s->v.decay[m] > 0;
    s->v.diffuses |= s->v.diffusion[m] > 0;
  }
  s->progress.dt_min = DBL_MAX;
  const ria_status status = fill(s, setup);
  if (status != RIA_OK) {
    swg_destroy(s);
    return status;
  }
  *self = s;
  return RIA_OK;
}

/* --- fields: see ria_gpu_callbacks ------------------------------------------------------------ */

static ria_status swg_track_max(void *self, int field, int tracer) {
  swg *s = (swg *)self;
  if (s->p.n_track == SWG_TRACKS)
    return ria_fail(s->p.ctx, RIA_ERR_ARGUMENT, "at most %d maxima can be kept", SWG_TRACKS);
  RIA_TRY(ria_gpu_planes_track(s, field, tracer));
  ria_loop_stale(&s->loop);
  s->v.n_track = s->p.n_track;
  memcpy(s->v.track, s->p.track, (size_t)s->p.n_track * sizeof *s->p.track);
  return RIA_OK;
}

/* --- totals ----------------------------------------------------------------------------------- */

/* What tiles lost of each tracer, in the unit of h C. */
static ria_status sum_decayed(swg *s, double *lost) {
  const size_t n = tiles_of(s), nt = (size_t)s->v.nt;
  memset(lost, 0, RIA_MAX_TRACERS * sizeof *lost);
  if (!s->v.decays) return RIA_OK;
  double *all = (double *)malloc((n * nt + n) * sizeof *all);
  if (!all) return ria_gpu_no_memory(&s->p, "a sum");
  const cudaError_t e = ria_gpu_to_host(&s->p, all, s->v.decayed, n * nt * sizeof *all);
  for (size_t m = 0; e == cudaSuccess && m < nt; m++) {
    double *one = all + n * nt;
    for (size_t k = 0; k < n; k++) one[k] = all[k * nt + m];
    lost[m] = ria_ordered_sum(one, n);
  }
  free(all);
  SWG_TRY("reading totals", e);
  return RIA_OK;
}

static ria_status swg_totals(void *self, ria_quantity_totals *totals) {
  swg *s = (swg *)self;
  double lost[RIA_MAX_TRACERS];
  RIA_TRY(ria_gpu_planes_totals(s, totals));
  RIA_TRY(sum_decayed(s, lost));
  RIA_TRY(swg_get_clock(s));
  for (int q = 0; q <= s->v.nt; q++) {
    totals[q].sources = s->seen->added[q];
    totals[q].decayed = q > 0 ? lost[q - 1] * s->v.area : 0.0;
  }
  return RIA_OK;
}

static ria_status swg_row_totals(void *self, ria_row_totals *rows) {
  swg *s = (swg *)self;
  const size_t n = (size_t)(s->p.end - s->p.begin);
  double lost[RIA_MAX_TRACERS];
  RIA_TRY(ria_gpu_planes_row_totals(s, rows));
  RIA_TRY(sum_decayed(s, lost));
  RIA_TRY(swg_get_clock(s));
  for (size_t q = 0; q <= (size_t)s->v.nt; q++) {
    rows[q * n].sources = s->seen->added[q];
    rows[q * n].decayed = q > 0 ? lost[q - 1] * s->v.area : 0.0;
  }
  return RIA_OK;
}

/* As allocate has it: two states of four numbers, of which the last is the first tracer, and the
 * bed. */
static int swg_planes(int n_tracers) { return 9 + (n_tracers > 1 ? 2 * (n_tracers - 1) : 0); }

extern "C" {
extern const ria_solver_ops ria_shallow_water_cuda;
const ria_solver_ops ria_shallow_water_cuda = ria_gpu_planes_ops({
    .create = swg_create,
    .destroy = swg_destroy,
    .force = swg_force,
    .prepare = swg_prepare,
    .advance = swg_advance,
    .progress = swg_progress,
    .track = swg_track_max,
    .totals = swg_totals,
    .row_totals = swg_row_totals,
    .state = swg_state,
    .say = swg_say,
    .hear = swg_hear,
    .together = swg_together,
    .together_in_ranks = true,
    .planes = swg_planes,
});
}
