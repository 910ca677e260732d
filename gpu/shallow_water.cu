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
#include "shallow_water.cuh"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SWG_ROUND = 16,     /* steps in the loop of a graph; even */
  SWG_ROWS_LEAST = 4, /* of a tile */
  SWG_ROWS_MOST = 80,
  SWG_ROWS_LOST = 2 /* what a tile costs beside its rows */
};
static const size_t swg_chunk = (size_t)64 << 20; /* bytes read at a time */

typedef struct swg {
  ria_context *ctx;
  const ria_cuda_backend *backend;
  const swg_kernels *kernel;
  ria_grid grid;
  int now; /* state[now] is the present, when nothing is queued */
  swg_view v;
  cudaStream_t stream, copies; /* steps; fields on their way out */
  cudaMemPool_t pool;          /* of fields on their way out */
  cudaGraphExec_t graph[2];    /* by the present state at their beginning */
  swg_clock *seen;             /* pinned: the clock as it was last copied out */
  bool ready;                  /* wet flags and speed describe the present state */
  bool surveyed;               /* ... and the clock has not heard */
  ria_progress progress;

  /* The rim as the host knows it. */
  size_t n_rim;
  int32_t *owner;      /* [n_rim] */
  sw_crossed *crossed; /* [n_rim][1 + nt] scratch */
  int n_stretch;
  double *stretch_in, *stretch_out; /* [n_stretch][1 + nt], folded */
  void *rim;                        /* kinds, owners, shares: one allocation on the device */
  void *forcing;                    /* swg_forcing's arrays: one allocation on the device */
  uint8_t *always;                  /* [tiles] scratch of the host */
} swg;

#define SWG_TRY(DOING, CALL) RIA_CUDA(s->ctx, DOING, CALL)

static ria_status enter(const swg *s) {
  SWG_TRY("choosing the device", ria_cuda_use(&s->backend->base));
  return RIA_OK;
}

/* --- copies, in the order of the steps ----------------------------------------------------------
 */

static cudaError_t copy_in(const swg *s, void *device, const void *host, size_t bytes) {
  return cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, s->stream);
}
/* Waits for what is queued, and for the copy. */
static cudaError_t copy_out(const swg *s, void *host, const void *device, size_t bytes) {
  const cudaError_t e = cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, s->stream);
  return e == cudaSuccess ? cudaStreamSynchronize(s->stream) : e;
}
/* Memory for a moment, from the pool; ended with drop_room. */
static ria_status take_room(const swg *s, size_t bytes, void **out) {
  *out = NULL;
  SWG_TRY("taking memory of the GPU for a moment",
          cudaMallocFromPoolAsync(out, bytes, s->pool, s->stream));
  return RIA_OK;
}
static void drop_room(const swg *s, void *room) { cudaFreeAsync(room, s->stream); }

static ria_status swg_no_memory(const swg *s, const char *what) {
  return ria_fail(s->ctx, RIA_ERR_MEMORY, "out of memory for %s of a %d x %d grid", what,
                  s->grid.nx, s->grid.ny);
}

static size_t width_of(const swg *s) { return 1 + (size_t)s->v.nt; }
static size_t tiles_of(const swg *s) { return (size_t)s->v.tiles_x * (size_t)s->v.tiles_y; }

/* --- life ---------------------------------------------------------------------------------------
 */

static void drop_graphs(swg *s) {
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
  drop_graphs(s);
  for (int k = 0; k < 2; k++) {
    cudaFree(s->v.state[k]);
    cudaFree(s->v.more[k]);
    cudaFree(s->v.wet[k]);
  }
  cudaFree((void *)s->v.bed);
  cudaFree((void *)s->v.manning);
  cudaFree(s->v.same);
  cudaFree((void *)s->v.always);
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

/* Rows of a tile, even. A multiprocessor holds so many warps at once; what a step takes is the
 * number of times that all of them are filled, each as long as a tile's rows and a little more.
 * Small grids fill them once with few rows. */
static int rows_for(int nx, int ny, int64_t warps) {
  const int64_t across = (nx + SWG_COLUMNS - 1) / SWG_COLUMNS;
  int best = SWG_ROWS_LEAST;
  double least = DBL_MAX;
  for (int rows = SWG_ROWS_LEAST; rows <= SWG_ROWS_MOST; rows += 2) {
    const int64_t tiles = across * ((ny + rows - 1) / rows);
    const double cost = (double)((tiles + warps - 1) / warps) * (rows + SWG_ROWS_LOST);
    if (cost > least) continue;
    least = cost;
    best = rows;
  }
  return best;
}

static void lay_out(swg *s, int multiprocessors) {
  swg_view *v = &s->v;
  v->nx = s->grid.nx;
  v->ny = s->grid.ny;
  v->stride = (v->nx + 31) / 32 * 32;
  v->plane = (size_t)v->stride * (size_t)v->ny;
  v->rows = rows_for(v->nx, v->ny, (int64_t)multiprocessors * s->kernel->resident(v->nt));
  v->tiles_x = (v->nx + SWG_COLUMNS - 1) / SWG_COLUMNS;
  v->tiles_y = (v->ny + v->rows - 1) / v->rows;
  v->dx = s->grid.dx;
  v->dy = s->grid.dy;
  v->area = v->dx * v->dy;
  v->pace = sw_pace_of(&v->p, &s->grid, v->nt, v->diffusion);
  v->skip_dry = s->backend->skip_dry;
  for (int side = 0; side < RIA_SIDES; side++)
    v->rim.first[side + 1] = v->rim.first[side] + ria_side_length(&s->grid, (ria_side)side);
  s->n_rim = (size_t)v->rim.first[RIA_SIDES];
}

static ria_status new_array(swg *s, const char *what, size_t n, size_t size, void **out) {
  return ria_cuda_alloc(s->ctx, n * size, what, out);
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
  if (nt)
    RIA_TRY(new_array(s, "decay", tiles_of(s) * nt, sizeof *v->decayed, (void **)&v->decayed));
  RIA_TRY(new_array(s, "the clock", 1, sizeof *v->clock, (void **)&v->clock));
  RIA_TRY(new_array(s, "the boundary", s->n_rim * width_of(s), sizeof *v->rim.crossed,
                    (void **)&v->rim.crossed));
  s->owner = (int32_t *)calloc(s->n_rim, sizeof *s->owner);
  s->crossed = (sw_crossed *)calloc(s->n_rim * width_of(s), sizeof *s->crossed);
  s->always = (uint8_t *)calloc(tiles_of(s), 1);
  if (!s->owner || !s->crossed || !s->always) return swg_no_memory(s, "the boundary");
  SWG_TRY("pinning the clock", cudaMallocHost((void **)&s->seen, sizeof *s->seen));
  return RIA_OK;
}

static ria_status open_streams(swg *s) {
  cudaMemPoolProps props;
  memset(&props, 0, sizeof props);
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = s->backend->device;
  uint64_t keep = UINT64_MAX;
  SWG_TRY("making a stream", cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking));
  SWG_TRY("making a stream", cudaStreamCreateWithFlags(&s->copies, cudaStreamNonBlocking));
  SWG_TRY("making a memory pool", cudaMemPoolCreate(&s->pool, &props));
  SWG_TRY("making a memory pool",
          cudaMemPoolSetAttribute(s->pool, cudaMemPoolAttrReleaseThreshold, &keep));
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
  RIA_TRY(open_streams(s));
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

/* --- forcing ------------------------------------------------------------------------------------
 */

/* Several arrays in one allocation on the device: measured first, then filled in the same order. */
typedef struct pack {
  char *host, *device; /* NULL while measuring */
  size_t used;
} pack;

static void *packed(pack *p, const void *from, size_t bytes) {
  const size_t at = p->used;
  p->used += (bytes + 15) / 16 * 16;
  if (!p->host) return NULL;
  if (from && bytes) memcpy(p->host + at, from, bytes);
  return p->device + at;
}

/* Fill twice: to measure, then for good. *device is fresh memory. */
static ria_status pack_arrays(swg *s, const char *what, void (*put)(pack *, void *), void *user,
                              void **device) {
  pack p = {NULL, NULL, 0};
  put(&p, user);
  void *fresh = NULL;
  RIA_TRY(ria_cuda_alloc(s->ctx, p.used ? p.used : 16, what, &fresh));
  pack full = {(char *)calloc(p.used ? p.used : 16, 1), (char *)fresh, 0};
  if (!full.host) {
    cudaFree(fresh);
    return swg_no_memory(s, what);
  }
  put(&full, user);
  cudaError_t e = copy_in(s, fresh, full.host, full.used);
  if (e == cudaSuccess) e = cudaStreamSynchronize(s->stream);
  free(full.host);
  if (e != cudaSuccess) {
    cudaFree(fresh);
    return ria_cuda_fail(s->ctx, e, "copying the forcing");
  }
  *device = fresh;
  return RIA_OK;
}

typedef struct forcing_parts {
  swg *s;
  const ria_forcing_set *set;
  swg_forcing *f;
  swg_rim rim;
  int32_t *owner;
  swg_spread *spreads; /* room for all stretches */
  swg_rim_cell *spread, *forced;
  uint8_t *kind;
  int n_spread, n_cells;
  swg_source *sources;
  int32_t *cell; /* of all sources, one after another */
  double *weight;
} forcing_parts;

static void put_forcing(pack *p, void *user) {
  forcing_parts *q = (forcing_parts *)user;
  const ria_forcing_set *set = q->set;
  swg_forcing *f = q->f;
  const size_t n = (size_t)f->n_stretch, nt = (size_t)q->s->v.nt;
  f->table.entry = (const ria_forcing *)packed(p, set->table.entry,
                                               (size_t)set->table.n * sizeof *set->table.entry);
  f->table.data =
      (const double *)packed(p, set->table.data, (size_t)set->table.n_data * sizeof(double));
  f->stretch = (const ria_stretch *)packed(p, set->boundary.stretch, n * sizeof(ria_stretch));
  f->value = (double *)packed(p, NULL, n * sizeof(double));
  f->conc = (double *)packed(p, NULL, n * nt * sizeof(double));
  f->spreads = (swg_spread *)packed(p, q->spreads, (size_t)f->n_spreads * sizeof *f->spreads);
  f->spread = (const swg_rim_cell *)packed(p, q->spread, (size_t)q->n_spread * sizeof *f->spread);
  f->forced = (const swg_rim_cell *)packed(p, q->forced, (size_t)f->n_forced * sizeof *f->forced);
  f->sources = (const swg_source *)packed(p, q->sources, (size_t)f->n_sources * sizeof *f->sources);
  const size_t cells = (size_t)q->n_cells;
  f->source_cell = (const int32_t *)packed(p, q->cell, cells * sizeof *f->source_cell);
  f->source_weight = (const double *)packed(p, q->weight, cells * sizeof *f->source_weight);
  f->source_owed = (double *)packed(p, NULL, cells * sizeof *f->source_owed);
}

static void put_rim(pack *p, void *user) {
  forcing_parts *q = (forcing_parts *)user;
  swg *s = q->s;
  q->rim.kind = (const uint8_t *)packed(p, q->kind, s->n_rim);
  q->rim.owner = (const int32_t *)packed(p, q->owner, s->n_rim * sizeof *q->owner);
  q->rim.share = (double *)packed(p, NULL, s->n_rim * sizeof(double));
  q->rim.edge = packed(p, NULL, s->n_rim * (4 + (size_t)s->v.nt) * (size_t)s->kernel->real_size);
}

static void mark_always(swg *s, int i, int j) {
  s->always[(size_t)(j / s->v.rows) * (size_t)s->v.tiles_x + (size_t)(i / SWG_COLUMNS)] = 1;
}

/* The k-th cell of a side. */
static swg_rim_cell rim_cell(const swg *s, const ria_boundary_set *b, int side, int k) {
  const int i = side == RIA_WEST ? 0 : side == RIA_EAST ? s->grid.nx - 1 : k;
  const int j = side == RIA_SOUTH ? 0 : side == RIA_NORTH ? s->grid.ny - 1 : k;
  const int owner = b->owner[side][k];
  return {s->v.rim.first[side] + k, j * s->v.stride + i,
          j * s->grid.nx + i,       owner,
          b->stretch[owner].kind,   side};
}

/* List the cells of one stretch with a discharge. */
static void list_spread(swg *s, forcing_parts *q, int stretch) {
  const ria_boundary_set *b = &q->set->boundary;
  const int side = b->stretch[stretch].side;
  const double each = side == RIA_WEST || side == RIA_EAST ? s->grid.dy : s->grid.dx;
  swg_spread *to = &q->spreads[q->f->n_spreads];
  *to = {stretch, q->n_spread, 0, 0.0, 0.0};
  for (int k = 0; k < ria_side_length(&s->grid, (ria_side)side); k++) {
    if (b->owner[side][k] != stretch) continue;
    q->spread[q->n_spread++] = rim_cell(s, b, side, k);
    to->n++;
    to->width = to->n * each;
  }
  if (to->n) q->f->n_spreads++;
}

static void list_rim(swg *s, forcing_parts *q) {
  const ria_boundary_set *b = &q->set->boundary;
  for (int side = 0; side < RIA_SIDES; side++)
    for (int k = 0; k < ria_side_length(&s->grid, (ria_side)side); k++) {
      const swg_rim_cell c = rim_cell(s, b, side, k);
      q->owner[c.rim] = c.owner;
      q->kind[c.rim] = (uint8_t)c.kind;
      if (c.kind == SW_LEVEL || c.kind == SW_DISCHARGE) q->forced[q->f->n_forced++] = c;
      if (c.kind != SW_WALL) mark_always(s, c.cell % s->grid.nx, c.cell / s->grid.nx);
    }
  for (int k = 0; k < b->n; k++)
    if (b->stretch[k].kind == SW_DISCHARGE) list_spread(s, q, k);
}

static void list_sources(swg *s, forcing_parts *q) {
  for (int k = 0; k < q->set->n_sources; k++) {
    const ria_source *from = &q->set->sources[k];
    q->sources[k] = {from->quantity, from->rate, q->n_cells, from->n, from->t_start, from->t_stop};
    for (int e = 0; e < from->n; e++) {
      q->cell[q->n_cells] = from->cell[e];
      q->weight[q->n_cells++] = from->weight[e];
      mark_always(s, from->cell[e] % s->grid.nx, from->cell[e] / s->grid.nx);
    }
  }
}

/* Totals by stretch keep their values; new stretches start at zero. */
static ria_status grow_totals(swg *s, int n) {
  const size_t had = (size_t)s->n_stretch * width_of(s), want = (size_t)n * width_of(s);
  double **both[] = {&s->stretch_in, &s->stretch_out};
  for (int k = 0; k < 2; k++) {
    double *p = (double *)realloc(*both[k], (want ? want : 1) * sizeof *p);
    if (!p) return swg_no_memory(s, "the boundaries");
    for (size_t m = had; m < want; m++) p[m] = 0;
    *both[k] = p;
  }
  s->n_stretch = n;
  return RIA_OK;
}

static ria_status get_crossed(swg *s) {
  SWG_TRY("reading the boundary",
          copy_out(s, s->crossed, s->v.rim.crossed, s->n_rim * width_of(s) * sizeof *s->crossed));
  return RIA_OK;
}

/* Enter what rim cells counted into totals of the stretches that there are. */
static void add_crossed(const swg *s, int n, double *in, double *out) {
  const size_t width = width_of(s);
  for (size_t r = 0; r < s->n_rim; r++)
    for (size_t m = 0; m < width && s->owner[r] < n; m++) {
      in[(size_t)s->owner[r] * width + m] += s->crossed[r * width + m].in;
      out[(size_t)s->owner[r] * width + m] += s->crossed[r * width + m].out;
    }
}

static ria_status fold_crossed(swg *s) {
  if (s->n_stretch == 0) return RIA_OK;
  RIA_TRY(get_crossed(s));
  add_crossed(s, s->n_stretch, s->stretch_in, s->stretch_out);
  for (size_t k = 0; k < s->n_rim * width_of(s); k++) s->crossed[k].in = s->crossed[k].out = 0;
  SWG_TRY("setting the boundary",
          copy_in(s, s->v.rim.crossed, s->crossed, s->n_rim * width_of(s) * sizeof *s->crossed));
  SWG_TRY("setting the boundary", cudaStreamSynchronize(s->stream));
  return RIA_OK;
}

/* All of the new forcing is on the device before any of the old goes. */
static ria_status replace_forcing(swg *s, forcing_parts *q) {
  void *rim = NULL, *forcing = NULL;
  memset(s->always, 0, tiles_of(s));
  list_rim(s, q);
  list_sources(s, q);
  ria_status status = pack_arrays(s, "the boundary", put_rim, q, &rim);
  if (status == RIA_OK) status = pack_arrays(s, "the forcing", put_forcing, q, &forcing);
  cudaError_t e = cudaSuccess;
  if (status == RIA_OK) e = copy_in(s, (void *)s->v.always, s->always, tiles_of(s));
  if (status == RIA_OK && e == cudaSuccess) e = cudaStreamSynchronize(s->stream);
  if (e != cudaSuccess) status = ria_cuda_fail(s->ctx, e, "setting the boundary");
  if (status != RIA_OK) {
    cudaFree(rim);
    cudaFree(forcing);
    return status;
  }
  cudaFree(s->rim);
  cudaFree(s->forcing);
  s->rim = rim;
  s->forcing = forcing;
  s->v.rim = q->rim;
  s->v.forcing = *q->f;
  memcpy(s->owner, q->owner, s->n_rim * sizeof *s->owner);
  s->v.alone = q->f->n_sources == 0;
  for (size_t r = 0; r < s->n_rim; r++)
    if (q->kind[r] != SW_WALL) s->v.alone = 0;
  return RIA_OK;
}

static ria_status swg_force(void *self, const ria_forcing_set *set) {
  swg *s = (swg *)self;
  RIA_TRY(enter(s));
  RIA_TRY(fold_crossed(s));
  RIA_TRY(grow_totals(s, set->boundary.n));
  drop_graphs(s);
  s->ready = false;
  swg_forcing f;
  memset(&f, 0, sizeof f);
  f.n_stretch = set->boundary.n;
  f.n_sources = set->n_sources;
  f.table.n = set->table.n;
  f.table.n_data = set->table.n_data;
  size_t cells = 1;
  for (int k = 0; k < f.n_sources; k++) cells += (size_t)set->sources[k].n;
  forcing_parts q;
  memset(&q, 0, sizeof q);
  q.s = s;
  q.rim = s->v.rim;
  q.owner = (int32_t *)calloc(s->n_rim + 1, sizeof *q.owner);
  q.set = set;
  q.f = &f;
  q.spreads = (swg_spread *)calloc((size_t)f.n_stretch + 1, sizeof *q.spreads);
  q.spread = (swg_rim_cell *)calloc(s->n_rim + 1, sizeof *q.spread);
  q.forced = (swg_rim_cell *)calloc(s->n_rim + 1, sizeof *q.forced);
  q.kind = (uint8_t *)calloc(s->n_rim + 1, 1);
  q.sources = (swg_source *)calloc((size_t)f.n_sources + 1, sizeof *q.sources);
  q.cell = (int32_t *)calloc(cells, sizeof *q.cell);
  q.weight = (double *)calloc(cells, sizeof *q.weight);
  const bool room =
      q.owner && q.spreads && q.spread && q.forced && q.kind && q.sources && q.cell && q.weight;
  const ria_status status = room ? replace_forcing(s, &q) : swg_no_memory(s, "the forcing");
  free(q.owner);
  free(q.spreads);
  free(q.spread);
  free(q.forced);
  free(q.kind);
  free(q.sources);
  free(q.cell);
  free(q.weight);
  return status;
}

/* --- running ------------------------------------------------------------------------------------
 */

static ria_status swg_prepare(void *self, double t) {
  swg *s = (swg *)self;
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
      e = s->kernel->tick(&s->v, 1 - old, SWG_AFTER_STEP, 0.0, 0, loop, closes, s->stream);
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
              s->kernel->tick(&s->v, 1 - old, SWG_AFTER_STEP, 0.0, 0, none, 0, s->stream));
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
          s->kernel->tick(&s->v, s->now, s->surveyed ? SWG_BEGIN_SURVEYED : SWG_BEGIN, span->t_stop,
                          span->max_steps, (cudaGraphConditionalHandle)0, 0, s->stream));
  s->surveyed = false;
  if (!s->backend->graphs) return run_rounds(s, s->now);
  SWG_TRY("a time step", cudaGraphLaunch(s->graph[s->now], s->stream));
  return RIA_OK;
}

static ria_status swg_sample(void *self, int field, int tracer, int n, const int32_t *cell,
                             double *out);

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
  ria_status status = swg_sample(s, SW_DEPTH, -1, 1, &at, &value[SW_H]);
  if (status == RIA_OK) status = swg_sample(s, SW_QX, -1, 1, &at, &value[SW_STATE_QX]);
  if (status == RIA_OK) status = swg_sample(s, SW_QY, -1, 1, &at, &value[SW_STATE_QY]);
  for (int m = 0; status == RIA_OK && m < s->v.nt; m++)
    status = swg_sample(s, SW_LOAD, m, 1, &at, &value[SW_STATE_C + m]);
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

static ria_status swg_sample(void *self, int field, int tracer, int n, const int32_t *cell,
                             double *out) {
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

/* A copy under way. */
typedef struct swg_ticket {
  cudaEvent_t there;
  int device;
} swg_ticket;

/* derive on the stream of the steps, copy on the other; the memory between them is the pool's. */
static cudaError_t queue_fetch(swg *s, int field, int tracer, int coarse, ria_real real, void *dst,
                               cudaEvent_t there) {
  const int nx = (s->grid.nx + coarse - 1) / coarse, ny = (s->grid.ny + coarse - 1) / coarse;
  const size_t bytes = (size_t)nx * (size_t)ny * size_of(real);
  void *part = NULL;
  cudaError_t e = cudaMallocFromPoolAsync(&part, bytes, s->pool, s->stream);
  if (e != cudaSuccess) return e;
  e = s->kernel->derive(&s->v, s->now, field, tracer, -1, coarse, 0, ny, real == RIA_F32, part,
                        s->stream);
  if (e == cudaSuccess) e = cudaEventRecord(there, s->stream);
  if (e == cudaSuccess) e = cudaStreamWaitEvent(s->copies, there, 0);
  if (e == cudaSuccess) e = cudaMemcpyAsync(dst, part, bytes, cudaMemcpyDeviceToHost, s->copies);
  if (e != cudaSuccess) {
    cudaFreeAsync(part, s->stream);
    return e;
  }
  e = cudaFreeAsync(part, s->copies);
  if (e == cudaSuccess) e = cudaEventRecord(there, s->copies);
  if (e != cudaSuccess) cudaStreamSynchronize(s->copies); /* dst is the caller's again */
  return e;
}

static ria_status swg_fetch(void *self, int field, int tracer, int coarse, ria_real real, void *dst,
                            void **ticket) {
  swg *s = (swg *)self;
  *ticket = NULL;
  RIA_TRY(enter(s));
  swg_ticket *t = (swg_ticket *)malloc(sizeof *t);
  if (!t) return swg_no_memory(s, "an output");
  t->device = s->backend->device;
  cudaError_t e =
      cudaEventCreateWithFlags(&t->there, cudaEventBlockingSync | cudaEventDisableTiming);
  if (e == cudaSuccess) {
    e = queue_fetch(s, field, tracer, coarse, real, dst, t->there);
    if (e != cudaSuccess) cudaEventDestroy(t->there);
  }
  if (e != cudaSuccess) {
    free(t);
    return ria_cuda_fail(s->ctx, e, "copying a field for output");
  }
  *ticket = t;
  return RIA_OK;
}

static ria_status swg_await(void *self, void *ticket, char *err, size_t errsize) {
  (void)self;
  swg_ticket *t = (swg_ticket *)ticket;
  cudaError_t e = cudaSetDevice(t->device);
  if (e == cudaSuccess) e = cudaEventSynchronize(t->there);
  cudaEventDestroy(t->there);
  free(t);
  return e == cudaSuccess ? RIA_OK
                          : ria_cuda_fail_text(err, errsize, e, "copying a field for output");
}

/* --- in -----------------------------------------------------------------------------------------
 */

static ria_status need_manning(swg *s) {
  if (s->v.manning) return RIA_OK;
  drop_graphs(s);
  return new_array(s, "the roughness", s->v.plane, (size_t)s->kernel->real_size,
                   (void **)&s->v.manning);
}

static ria_status swg_write(void *self, int field, int tracer, const double *src) {
  swg *s = (swg *)self;
  RIA_TRY(enter(s));
  RIA_TRY(sw_check_values(s->ctx, &s->grid, s->backend->base.threads, field, src));
  const size_t bytes = (size_t)s->grid.nx * (size_t)s->grid.ny * sizeof *src;
  void *room = NULL;
  RIA_TRY(ria_cuda_alloc(s->ctx, bytes, "a field on its way in", &room));
  const ria_status status = field == SW_MANNING ? need_manning(s) : RIA_OK;
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
  drop_graphs(s);
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
    lost[m] = sw_ordered_sum(one, n);
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
    stored[q] = sw_ordered_sum(host + q * ny, ny);
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
  RIA_TRY(get_crossed(s));
  add_crossed(s, have, in, out);
  return RIA_OK;
}

static const ria_solver_ops ops = {
    swg_create,    swg_destroy, swg_force, swg_prepare, swg_advance,
    swg_progress,  swg_read,    swg_write, swg_sample,  swg_add,
    swg_track_max, swg_fetch,   swg_await, swg_totals,  swg_fluxes,
};

extern "C" {
extern const ria_solver_ops ria_shallow_water_cuda;
const ria_solver_ops ria_shallow_water_cuda = ops;
}
