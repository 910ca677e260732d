/* gpu/adi/adi.cu - the implicit solver on CUDA: memory, fields, the table of functions.
 * host.cuh says where the rest of the host's side is, adi.cuh where the kernels are. */
#include "host.cuh"

#include <stdlib.h>
#include <string.h>

enum { ADIG_EACH = 2048 }; /* cells of a line that a block holds in any case */

adig_state adig_state_of(const adig *s, int place) {
  adig_state a = {};
  a.v = s->p.v;
  a.begin = s->p.begin;
  a.end = s->p.end;
  a.base = s->p.base;
  a.bed = s->bed;
  a.manning = s->manning;
  a.level = s->level[s->now.level];
  a.p = s->flux[ADI_X][s->now.flux[ADI_X]];
  a.q = s->flux[ADI_Y][s->now.flux[ADI_Y]];
  a.q_old = s->flux[ADI_Y][1 - s->now.flux[ADI_Y]];
  a.viscosity = s->viscosity;
  for (int m = 0; m < s->nt; m++) a.load[m] = s->load[s->load_now][m];
  a.nt = s->nt;
  a.dry = s->par.drying_depth;
  a.land = s->par.land;
  a.gravity = s->par.gravity;
  a.eddy = s->par.eddy;
  a.smagorinsky = s->par.smagorinsky;
  a.manning_one = s->par.manning;
  memcpy(a.axes, s->par.forces.axes, sizeof a.axes);
  a.rings = s->rings;
  a.beyond = adig_beyond(s);
  a.bad = &s->report->bad;
  a.step = &s->report->step[place];
  a.whatever = !s->stepping;
  return a;
}

void adig_set_turn(adig *s, int64_t steps) {
  s->turn = (int)(steps % ADIG_ROUND);
  s->now = {2 * s->turn % 3, {s->turn % 2, s->turn % 2}};
}

ria_status adig_get_report(void *self) {
  adig *s = (adig *)self;
  if (s->current) return RIA_OK;
  A_TRY("a time step", ria_gpu_to_host(&s->p, s->host, s->report, sizeof *s->host));
  s->current = true;
  adig_set_turn(s, s->host->clock.steps);
  return s->host->bad ? adig_go_back(s) : RIA_OK;
}

ria_status adig_enter(adig *s) {
  RIA_TRY(ria_gpu_enter(&s->p));
  return adig_get_report(s);
}

/* --- what the shared planes ask --------------------------------------------------------------- */

static void *plane_of(const void *self, int field, int tracer) {
  const adig *s = (const adig *)self;
  if (field == WATER_BED) return s->bed;
  if (field == WATER_MANNING) return s->manning;
  if (field == WATER_LOAD) return s->load[s->load_now][tracer];
  return NULL;
}
static cudaError_t derive_field(const void *self, int field, int tracer, void *to,
                                cudaStream_t stream) {
  const adig *s = (const adig *)self;
  const adig_state a = adig_state_of(s, s->place);
  return s->kernel->derive(&a, field, tracer >= 0 ? s->load[s->load_now][tracer] : NULL, to,
                           stream);
}
static ria_gpu_cells quantity_cells(const void *self, int quantity) {
  const adig *s = (const adig *)self;
  if (quantity == 0) return {NULL, 0, 0};
  return ria_gpu_cells_of(&s->p, s->load[s->load_now][quantity - 1]);
}
static cudaError_t water(const void *self, int quantity, void *to, cudaStream_t stream) {
  const adig *s = (const adig *)self;
  const adig_state a = adig_state_of(s, s->place);
  (void)quantity;
  return s->kernel->density(&a, to, stream);
}
static cudaError_t queue_add(const void *self, int quantity, int n, const int32_t *cell,
                             const double *amount, cudaStream_t stream) {
  const adig *s = (const adig *)self;
  const adig_state a = adig_state_of(s, s->place);
  return s->kernel->add(&a, quantity, n, cell, amount, stream);
}
/* Where cells find values that differ along a side. The host fills it in place. */
static void put_places(adig *s, ria_gpu_bundle *b, const ria_forcing_set *set) {
  const size_t rim = (size_t)s->p.v.first[RIA_SIDES];
  const int n = set->boundary.n_points, values = water_values(set->boundary.n, n);
  s->beside.given = NULL;
  for (int k = 0; k < WATER_ALONG; k++) {
    s->beside.place[k] = NULL;
    if (n == 0) continue;
    void *to = ria_gpu_put(b, NULL, rim * sizeof(water_place));
    s->beside.place[k] = (const water_place *)to;
    if (b->host)
      water_lay_places(&set->boundary, &s->p.grid, k, (water_place *)ria_gpu_on_host(b, to));
  }
  if (n > 0)
    s->beside.given = (double *)ria_gpu_put(b, NULL, (size_t)values * sizeof *s->beside.given);
}
static void put_beside(void *self, ria_gpu_bundle *b, const ria_forcing_set *set,
                       const ria_gpu_view *fresh) {
  adig *s = (adig *)self;
  s->beside.inflow =
      (double *)ria_gpu_put(b, NULL, (size_t)fresh->n_stretch * s->nt * sizeof(double));
  put_places(s, b, set);
  adig_put_rivers(s, b, fresh);
  adig_put_layers(s, b);
}
static const ria_plane_callbacks host = {
    .refuses = water_refuses, .nan_means_dry = water_nan_means_dry, .fields = water_fields};
static const ria_gpu_callbacks callbacks = {.plane = plane_of,
                                            .derive = derive_field,
                                            .quantity = quantity_cells,
                                            .density = water,
                                            .host = &host,
                                            .find_present = adig_get_report,
                                            .ghost_rows = adig_ghost_rows,
                                            .shared = adig_shared,
                                            .set = adig_set_field,
                                            .add = queue_add,
                                            .put = put_beside,
                                            .lists_cells = true,
                                            .rows_in_order = true};

/* --- life ------------------------------------------------------------------------------------- */

/* Waits for the steps that are queued. */
static void free_planes(adig *s) {
  ria_gpu_planes *p = &s->p;
  if (!p->backend || ria_cuda_use(&p->backend->base) != cudaSuccess) return;
  void *const planes[] = {s->bed, s->manning, s->viscosity, s->between};
  adig_free_part(s);
  for (void *plane : planes) ria_gpu_plane_free(p, plane);
  for (void *plane : s->level) ria_gpu_plane_free(p, plane);
  for (int b = 0; b < 2; b++) {
    ria_gpu_plane_free(p, s->moved[b]);
    for (int axis = 0; axis < 2; axis++) ria_gpu_plane_free(p, s->flux[axis][b]);
    for (int m = 0; m < s->nt; m++) ria_gpu_plane_free(p, s->load[b][m]);
  }
}

static void adig_destroy(void *self) {
  adig *s = (adig *)self;
  if (!s) return;
  adig_crew_free(s);
  free_planes(s);
  ria_gpu_planes_free(&s->p);
  cudaFree(s->value);
  cudaFree(s->fastest);
  cudaFree(s->report);
  cudaFree(s->ways);
  cudaFree(s->seen_blocks);
  if (s->host) cudaFreeHost(s->host);
  ria_loop_stale(&s->loop);
  free(s);
}

static ria_status allocate(adig *s) {
  ria_gpu_planes *p = &s->p;
  const size_t rim = (size_t)p->v.first[RIA_SIDES];
  RIA_TRY(ria_gpu_plane_alloc(p, "the bed", &s->bed));
  for (int b = 0; b < 3; b++) RIA_TRY(ria_gpu_plane_alloc(p, "the state", &s->level[b]));
  for (int b = 0; b < 2; b++) {
    for (int axis = 0; axis < 2; axis++)
      RIA_TRY(ria_gpu_plane_alloc(p, "the state", &s->flux[axis][b]));
    for (int m = 0; m < s->nt; m++) RIA_TRY(ria_gpu_plane_alloc(p, "the tracers", &s->load[b][m]));
    if (s->nt) RIA_TRY(ria_gpu_plane_alloc(p, "the tracers", &s->moved[b]));
  }
  if (s->par.cross == ADI_CROSS_CENTRED) RIA_TRY(ria_gpu_plane_alloc(p, "the state", &s->between));
  if (s->par.smagorinsky > 0) RIA_TRY(ria_gpu_plane_alloc(p, "eddy viscosity", &s->viscosity));
  RIA_TRY(ria_cuda_alloc(p->ctx, 3 * rim * sizeof(double), "the sides", (void **)&s->value));
  s->slope = s->value + 2 * rim;
  RIA_TRY(
      ria_cuda_alloc(p->ctx, 3 * ADIG_SLOTS * sizeof(unsigned), "the sums", (void **)&s->fastest));
  RIA_TRY(ria_cuda_alloc(p->ctx, 4 * ADIG_ROUND * ADIG_WAY * p->real_size, "the clock", &s->ways));
  RIA_TRY(
      ria_cuda_alloc(p->ctx, ADIG_LOOKS * sizeof(adi_seen), "the clock", (void **)&s->seen_blocks));
  RIA_TRY(ria_cuda_alloc(p->ctx, sizeof *s->report, "the clock", (void **)&s->report));
  A_TRY("taking memory for the clock", cudaMallocHost((void **)&s->host, sizeof *s->host));
  memset(s->host, 0, sizeof *s->host);
  s->host->clock = adi_clock_of();
  s->current = true;
  return ria_gpu_whole(p) ? RIA_OK : adig_allocate_part(s);
}

static ria_status adig_create(const ria_solver_setup *setup, void **self) {
  *self = NULL;
  RIA_CUDA(setup->ctx, "choosing the device", ria_cuda_use(setup->backend));
  const int blocks = ria_cuda_cluster(), most = blocks * ADIG_EACH;
  if (setup->grid.nx > most || setup->grid.ny > most)
    return ria_fail(setup->ctx, RIA_ERR_ARGUMENT,
                    "grid %d x %d: adi takes at most %d cells a side on this GPU (device = \"cpu\" "
                    "takes more)",
                    setup->grid.nx, setup->grid.ny, most);
  RIA_TRY(adig_check_part(setup));
  adig *s = (adig *)calloc(1, sizeof *s);
  if (!s) return ria_fail(setup->ctx, RIA_ERR_MEMORY, "out of memory for a simulation");
  s->kernel = setup->real == RIA_F32 ? &adig_kernels_f32 : &adig_kernels_f64;
  s->par = *(const adi_params *)setup->params;
  ria_forces_on(&s->par.forces, &setup->grid);
  s->nt = setup->n_tracers;
  for (int m = 0; m < s->nt; m++) {
    s->decay[m] = setup->tracers[m].decay;
    s->diffusion[m] = setup->tracers[m].diffusion;
  }
  s->rules = adi_rules_of(&s->par, &setup->grid);
  s->given = adi_given_nothing(&s->par);
  s->most_blocks = blocks;
  const ria_part rows = ria_part_of(setup);
  const int64_t looks = ((int64_t)setup->grid.nx * (rows.j1 - rows.j0) + 1023) / 1024;
  s->look_blocks = looks < ADIG_LOOKS ? (int)looks : (int)ADIG_LOOKS;
  for (int side = 0; side < RIA_SIDES; side++) s->walls[side] = true;
  ria_status status = ria_gpu_planes_init(&s->p, setup, &callbacks, 1 + s->nt);
  s->on = s->p.stream;
  ria_loop_init(&s->loop, s->p.ctx, s->p.backend, s->p.stream, adig_queue_round, s);
  if (status == RIA_OK) status = allocate(s);
  if (status != RIA_OK) {
    adig_destroy(s);
    return status;
  }
  *self = s;
  return RIA_OK;
}

/* --- fields ----------------------------------------------------------------------------------- */

static ria_status adig_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                            ria_real real, void *dst) {
  adig *s = (adig *)self;
  RIA_TRY(ria_gpu_planes_read(self, field, tracer, maximum, j0, nj, real, dst));
  if (maximum && field == WATER_DEPTH)
    water_forget_films((size_t)s->p.grid.nx * (size_t)nj, real, s->par.drying_depth, dst);
  return RIA_OK;
}

/* As allocate has it, without what parameters ask for. */
static int adig_planes(int n_tracers) { return 8 + (n_tracers > 0 ? 2 * n_tracers + 2 : 0); }

extern "C" {
extern const ria_solver_ops ria_adi_cuda;
const ria_solver_ops ria_adi_cuda = ria_gpu_planes_ops({
    .create = adig_create,
    .destroy = adig_destroy,
    .force = adig_force,
    .prepare = adig_prepare,
    .advance = adig_advance,
    .progress = adig_progress,
    .read = adig_read,
    .write = adig_write,
    .add = adig_add,
    .state = adig_name_state,
    .say = adig_say,
    .hear = adig_hear,
    .together = adig_together,
    .together_in_ranks = true,
    .cut = adig_cut,
    .planes = adig_planes,
});
}
