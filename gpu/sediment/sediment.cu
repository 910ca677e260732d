/* gpu/sediment/sediment.cu - the two-sediment solver on CUDA: memory, fields and totals, the table
 * of functions. host.cuh says where the rest is. */
#include "host.cuh"

#include <float.h>
#include <stdlib.h>
#include <string.h>

ria_status sedg_get_report(void *self) {
  sedg *s = (sedg *)self;
  if (s->current) return RIA_OK;
  RIA_CUDA(s->p.ctx, "a time step", ria_gpu_to_host(&s->p, s->seen, s->a.report, sizeof *s->seen));
  s->current = true;
  return RIA_OK;
}

ria_status sedg_enter(sedg *s) {
  RIA_TRY(ria_gpu_enter(&s->p));
  return sedg_get_report(s);
}

/* --- fields ----------------------------------------------------------------------------------- */

void *sedg_plane(const void *self, int field, int tracer) {
  const sedg *s = (const sedg *)self;
  (void)tracer;
  switch (field) {
  case SED_HEIGHT:
    return s->a.h[sedg_now(s)];
  case SED_FRACTION:
    return s->a.s[sedg_now(s)];
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

namespace {

enum { ROWS_LEAST = 4, ROWS_MOST = 256 };

cudaError_t derive(const void *self, int field, int tracer, void *to, cudaStream_t stream) {
  const sedg *s = (const sedg *)self;
  (void)tracer;
  return s->kernel->derive(&s->a, sedg_now(s), field, to, stream);
}

ria_gpu_cells no_cells(const void *self, int quantity) {
  (void)self;
  (void)quantity;
  return {NULL, 0, 0};
}

cudaError_t density(const void *self, int quantity, void *to, cudaStream_t stream) {
  const sedg *s = (const sedg *)self;
  return s->kernel->density(&s->a, sedg_now(s), quantity, to, stream);
}

cudaError_t queue_add(const void *self, int quantity, int n, const int32_t *cell,
                      const double *amount, cudaStream_t stream) {
  const sedg *s = (const sedg *)self;
  return s->kernel->add(&s->a, sedg_now(s), quantity, n, cell, amount, stream);
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

/* The scheme as printed looks two rows on. */
int ghost_rows_of(const void *self) { return ((const sedg *)self)->q.scheme == SED_PAPER ? 2 : 1; }

/* Heights and fractions, with the ghost cells in the west and in the east. */
ria_gpu_array shared_of(const void *self, int k) {
  const sedg *s = (const sedg *)self;
  const int now = sedg_now(s);
  if (k > 1) return {NULL, 0, 0};
  const size_t row = s->p.v.stride * s->p.real_size;
  const size_t cells = (size_t)(RIA_GPU_PAD + s->p.grid.nx + 1);
  return {(char *)(k == 0 ? s->a.h[now] : s->a.s[now]) + row, row, cells * s->p.real_size};
}

const ria_plane_callbacks host = {.refuses = sed_refuses, .fields = ria_sediment_fields};
const ria_gpu_callbacks callbacks = {.plane = sedg_plane,
                                     .derive = derive,
                                     .quantity = no_cells,
                                     .density = density,
                                     .host = &host,
                                     .find_present = sedg_get_report,
                                     .ghost_rows = ghost_rows_of,
                                     .shared = shared_of,
                                     .add = queue_add,
                                     .put = put_counts};

/* --- life ------------------------------------------------------------------------------------- */

void destroy(void *self) {
  sedg *s = (sedg *)self;
  if (!s) return;
  sedg_crew_free(s->crew);
  if (s->p.backend && ria_cuda_use(&s->p.backend->base) == cudaSuccess) {
    if (s->p.stream) cudaStreamSynchronize(s->p.stream);
    ria_loop_stale(&s->loop);
    void *of_device[] = {s->a.h[0],  s->a.h[1], s->a.s[0],  s->a.s[1],    s->a.base,
                         s->a.alpha, s->a.beta, s->a.found, s->a.deposit, s->a.report};
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
    rows = (int)((a->to - a->from + high - 1) / high);
    if (rows <= ROWS_MOST) break;
  }
  a->rows = rows < ROWS_LEAST ? ROWS_LEAST : rows > ROWS_MOST ? ROWS_MOST : rows;
  a->tiles_y = (a->to - a->from + a->rows - 1) / a->rows;
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
  a->early = ria_cuda_is_90();
  const size_t tiles = (size_t)a->tiles_x * (size_t)a->tiles_y * sizeof(double);
  RIA_TRY(ria_cuda_alloc(s->p.ctx, tiles, "the sums", (void **)&a->found));
  RIA_TRY(ria_cuda_alloc(s->p.ctx, tiles, "the sums", (void **)&a->deposit));
  RIA_TRY(ria_cuda_alloc(s->p.ctx, sizeof *a->report, "the clock", (void **)&a->report));
  RIA_CUDA(s->p.ctx, "taking memory for the clock",
           cudaMallocHost((void **)&s->seen, sizeof *s->seen));
  memset(s->seen, 0, sizeof *s->seen);
  s->seen->clock.dt_min = DBL_MAX;
  s->seen->clock.pull = -1;
  RIA_CUDA(s->p.ctx, "setting the clock",
           ria_gpu_to_device(&s->p, a->report, s->seen, sizeof *s->seen));
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
  ria_loop_init(&s->loop, s->p.ctx, s->p.backend, s->p.stream, sedg_queue_round, s);
  s->a.v = s->p.v;
  s->a.begin = s->a.from = s->p.begin;
  s->a.end = s->a.to = s->p.end;
  if (s->q.scheme == SED_PAPER) {
    s->a.from -= s->a.begin > 0;
    s->a.to += s->a.end < s->p.v.ny;
  }
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

/* --- totals ----------------------------------------------------------------------------------- */

/* Sand below the active layer, in m of all cells together. */
ria_status deposit_of(sedg *s, double *out) {
  const size_t tiles = (size_t)s->a.tiles_x * (size_t)s->a.tiles_y;
  double *sum = (double *)malloc(2 * tiles * sizeof *sum);
  if (!sum) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for a sum");
  cudaError_t e = ria_gpu_to_host(&s->p, sum, s->a.deposit, tiles * sizeof *sum);
  if (e == cudaSuccess) e = ria_gpu_to_host(&s->p, sum + tiles, s->a.found, tiles * sizeof *sum);
  *out = e != cudaSuccess ? 0 : ria_ordered_sum(sum, s->seen->held ? 2 * tiles : tiles);
  free(sum);
  RIA_CUDA(s->p.ctx, "reading totals", e);
  *out += s->seen->strata;
  return RIA_OK;
}

ria_status totals(void *self, ria_quantity_totals *out) {
  sedg *s = (sedg *)self;
  double below = 0;
  RIA_TRY(sedg_enter(s));
  RIA_TRY(ria_gpu_planes_totals(s, out));
  RIA_TRY(deposit_of(s, &below));
  below *= s->p.grid.dx * s->p.grid.dy;
  out[SED_SAND].stored += below;
  out[SED_MUD].stored -= below;
  return RIA_OK;
}

/* What went below is told with the part's first row. */
ria_status row_totals(void *self, ria_row_totals *rows) {
  sedg *s = (sedg *)self;
  double below = 0;
  RIA_TRY(sedg_enter(s));
  RIA_TRY(ria_gpu_planes_row_totals(s, rows));
  RIA_TRY(deposit_of(s, &below));
  const int n = s->p.end - s->p.begin;
  rows[SED_SAND * n].stored += below;
  rows[SED_MUD * n].stored -= below;
  return RIA_OK;
}

/* As allocate has it. */
int planes_held(int n_tracers) {
  (void)n_tracers;
  return 7;
}

} // namespace

extern "C" {
extern const ria_solver_ops ria_sediment_cuda;
const ria_solver_ops ria_sediment_cuda = ria_gpu_planes_ops({
    .create = create,
    .destroy = destroy,
    .force = sedg_force,
    .prepare = sedg_prepare,
    .advance = sedg_advance,
    .progress = sedg_progress,
    .write = sedg_write,
    .add = sedg_add,
    .totals = totals,
    .row_totals = row_totals,
    .state = sedg_state,
    .say = sedg_say,
    .hear = sedg_hear,
    .together = sedg_together,
    .planes = planes_held,
});
}
