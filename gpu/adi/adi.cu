/* gpu/adi/adi.cu - the implicit solver on CUDA: memory, graphs, and the functions the engine calls.
 * adi.cuh says where the kernels are.
 *
 * The clock is on the device (adi_clock_k.h, tick.cuh). A span is one launch of a graph whose
 * loop repeats a round of six steps, after which all buffers are in their places again, until the
 * clock says that the span is over; kernels behind the last step do nothing. There is a graph for
 * each of the six places that a span may begin at. With maxima, and with diffusion where dt = 0,
 * the host queues round by round and looks at the clock in between. A sweep that writes what is no
 * state leaves its number in `bad`, and whatever comes after it does nothing: the host, which hears
 * of all this when it asks, finds the state as it was before the step that failed. */
#include "adi.cuh"
#define RIA_PRECISION double
#include "solvers/adi/adi_k.h"
#undef RIA_PRECISION

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADIG_EACH = 2048 }; /* cells of a line that a block holds in any case */

/* Buffers of the present state, as a step finds or leaves them. */
typedef struct adig_turn {
  int level, flux[2];
} adig_turn;

/* The loop that a round is recorded in. */
typedef struct adig_loop {
  cudaGraphConditionalHandle handle;
} adig_loop;

typedef struct adig {
  ria_gpu_planes p; /* first */
  const adig_kernels *kernel;
  adi_params par;
  adi_rules rules;
  adi_given given;
  ria_progress told; /* the cell of a failure, in words */
  int nt;
  double decay[RIA_MAX_TRACERS], diffusion[RIA_MAX_TRACERS];
  void *bed, *manning, *level[3], *flux[2][2], *load[2][RIA_MAX_TRACERS], *moved[2], *viscosity;
  void *between;          /* as the CPU's solver has it */
  adig_news *news, *host; /* on the device; as they were last copied out, pinned */
  bool current;           /* `host` is what the device has, or is to get */
  void *ways;             /* [ADIG_ROUND][axis][2][ADIG_WAY] */
  adi_seen *seen_blocks;  /* [ADIG_LOOKS] */
  int look_blocks;        /* of them in use */
  int turn;               /* steps so far, of a round: what is queued at place 0 comes after them */
  int place;              /* of the step whose maxima are being kept */
  adig_turn now;
  int load_now;               /* 0 between steps */
  double *value;              /* [rim] current, on the device */
  double *inflow;             /* [n_stretch][nt]: with the forcing */
  double *decayed;            /* [nt][ny] on the device */
  unsigned *fastest;          /* [3][ADIG_SLOTS] */
  bool forced[2], carried_in; /* values at the ends of lines of an axis are needed; of inflow */
  bool driven;                /* as adi_clock */
  bool walls[RIA_SIDES];      /* nothing else on the side */
  bool water_set;             /* since the state was looked at for `given` */
  bool stepping;              /* maxima are being kept: not of a state that failed */
  bool broken;                /* the device failed while steps were queued: who knows which ran */
  int parts;                  /* of diffusion that are queued with a step */
  bool implicit;              /* implicit diffusion is */
  int most_blocks;            /* that a line takes */
  cudaGraphExec_t round[ADIG_ROUND]; /* or NULL; by the turn that it begins at */
  int wind[RIA_WIND_VALUES];         /* forcing ids */
} adig;

#define A_TRY(DOING, CALL) RIA_CUDA(s->p.ctx, DOING, CALL)

static adig_state state_of(const adig *s, int place) {
  adig_state a = {};
  a.v = s->p.v;
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
  a.bad = &s->news->bad;
  a.step = &s->news->step[place];
  a.whatever = !s->stepping;
  return a;
}

/* Where the present state is after so many steps. */
static void set_turn(adig *s, int64_t steps) {
  s->turn = (int)(steps % ADIG_ROUND);
  s->now = {2 * s->turn % 3, {s->turn % 2, s->turn % 2}};
}

static ria_status go_back(adig *s);

/* What the device has to tell. Waits for what is queued. */
static ria_status get_news(adig *s) {
  if (s->current) return RIA_OK;
  A_TRY("a time step",
        cudaMemcpyAsync(s->host, s->news, sizeof *s->host, cudaMemcpyDeviceToHost, s->p.stream));
  RIA_TRY(ria_gpu_planes_wait(&s->p));
  s->current = true;
  set_turn(s, s->host->clock.steps);
  return s->host->bad ? go_back(s) : RIA_OK;
}

/* An entry point that needs to know where the present state is. */
static ria_status enter(adig *s) {
  RIA_TRY(ria_gpu_enter(&s->p));
  return get_news(s);
}

/* --- what the shared planes ask -----------------------------------------------------------------
 */

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
  const adig_state a = state_of(s, s->place);
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
  const adig_state a = state_of(s, s->place);
  (void)quantity;
  return s->kernel->density(&a, to, stream);
}
static cudaError_t queue_add(const void *self, int quantity, int n, const int32_t *cell,
                             const double *amount, cudaStream_t stream) {
  const adig *s = (const adig *)self;
  const adig_state a = state_of(s, s->place);
  return s->kernel->add(&a, quantity, n, cell, amount, stream);
}
static void put_inflow(void *self, ria_gpu_bundle *b, const ria_forcing_set *set,
                       const ria_gpu_view *fresh) {
  adig *s = (adig *)self;
  (void)set;
  s->inflow = (double *)ria_gpu_put(b, NULL, (size_t)fresh->n_stretch * s->nt * sizeof(double));
}
static ria_status set_field(void *self, int field, int tracer, double *values);

static const ria_plane_callbacks host = {
    .refuses = water_refuses, .nan_means_dry = water_nan_means_dry, .fields = water_fields};
static const ria_gpu_callbacks callbacks = {.plane = plane_of,
                                            .derive = derive_field,
                                            .quantity = quantity_cells,
                                            .density = water,
                                            .host = &host,
                                            .set = set_field,
                                            .add = queue_add,
                                            .put = put_inflow};

/* --- life ---------------------------------------------------------------------------------------
 */

/* What kernels are given has changed. */
static void forget_rounds(adig *s) {
  for (int k = 0; k < ADIG_ROUND; k++) {
    if (s->round[k]) cudaGraphExecDestroy(s->round[k]);
    s->round[k] = NULL;
  }
}

static void adig_destroy(void *self) {
  adig *s = (adig *)self;
  if (!s) return;
  ria_gpu_planes_free(&s->p);
  cudaFree(s->bed);
  cudaFree(s->manning);
  cudaFree(s->viscosity);
  cudaFree(s->between);
  for (int b = 0; b < 3; b++) cudaFree(s->level[b]);
  for (int b = 0; b < 2; b++) {
    cudaFree(s->moved[b]);
    for (int axis = 0; axis < 2; axis++) cudaFree(s->flux[axis][b]);
    for (int m = 0; m < s->nt; m++) cudaFree(s->load[b][m]);
  }
  cudaFree(s->value);
  cudaFree(s->decayed);
  cudaFree(s->fastest);
  cudaFree(s->news);
  cudaFree(s->ways);
  cudaFree(s->seen_blocks);
  if (s->host) cudaFreeHost(s->host);
  forget_rounds(s);
  free(s);
}

static ria_status allocate(adig *s) {
  ria_gpu_planes *p = &s->p;
  const size_t rim = (size_t)p->v.first[RIA_SIDES], ny = (size_t)p->grid.ny;
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
  RIA_TRY(ria_cuda_alloc(p->ctx, rim * sizeof(double), "the sides", (void **)&s->value));
  RIA_TRY(ria_cuda_alloc(p->ctx, ny * (size_t)(s->nt ? s->nt : 1) * sizeof(double), "the sums",
                         (void **)&s->decayed));
  RIA_TRY(
      ria_cuda_alloc(p->ctx, 3 * ADIG_SLOTS * sizeof(unsigned), "the sums", (void **)&s->fastest));
  RIA_TRY(ria_cuda_alloc(p->ctx, 4 * ADIG_ROUND * ADIG_WAY * p->real_size, "the clock", &s->ways));
  RIA_TRY(
      ria_cuda_alloc(p->ctx, ADIG_LOOKS * sizeof(adi_seen), "the clock", (void **)&s->seen_blocks));
  RIA_TRY(ria_cuda_alloc(p->ctx, sizeof *s->news, "the clock", (void **)&s->news));
  A_TRY("taking memory for the clock", cudaMallocHost((void **)&s->host, sizeof *s->host));
  memset(s->host, 0, sizeof *s->host);
  s->host->clock = adi_clock_of();
  s->current = true;
  return RIA_OK;
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
  adig *s = (adig *)calloc(1, sizeof *s);
  if (!s) return ria_fail(setup->ctx, RIA_ERR_MEMORY, "out of memory for a simulation");
  s->kernel = setup->real == RIA_F32 ? &adig_kernels_f32 : &adig_kernels_f64;
  s->par = *(const adi_params *)setup->params;
  s->nt = setup->n_tracers;
  for (int m = 0; m < s->nt; m++) {
    s->decay[m] = setup->tracers[m].decay;
    s->diffusion[m] = setup->tracers[m].diffusion;
  }
  s->rules = adi_rules_of(&s->par, &setup->grid);
  s->given = adi_given_nothing(&s->par);
  s->most_blocks = blocks;
  const int64_t looks = ((int64_t)setup->grid.nx * setup->grid.ny + 1023) / 1024;
  s->look_blocks = looks < ADIG_LOOKS ? (int)looks : (int)ADIG_LOOKS;
  for (int side = 0; side < RIA_SIDES; side++) s->walls[side] = true;
  ria_status status = ria_gpu_planes_init(&s->p, setup, &callbacks, 1 + s->nt);
  if (status == RIA_OK) status = allocate(s);
  if (status != RIA_OK) {
    adig_destroy(s);
    return status;
  }
  *self = s;
  return RIA_OK;
}

/* --- forcing ------------------------------------------------------------------------------------
 */

static ria_status adig_force(void *self, const ria_forcing_set *set) {
  adig *s = (adig *)self;
  double *had = s->inflow;
  RIA_TRY(enter(s));
  const ria_status status = ria_gpu_planes_force(s, set); /* waits for what is queued */
  if (status != RIA_OK) {
    s->inflow = had;
    return status;
  }
  forget_rounds(s);
  s->forced[0] = s->forced[1] = s->carried_in = false;
  s->driven = s->host->clock.driven = adi_is_driven(set);
  memcpy(s->wind, set->varying, sizeof s->wind);
  adi_given_forcing(&s->given, &s->p.grid, set);
  for (int side = 0; side < RIA_SIDES; side++) {
    s->walls[side] = true;
    for (int k = s->p.v.first[side]; k < s->p.v.first[side + 1]; k++) {
      const int kind = s->p.stretch[s->p.owner[k]].kind;
      const int axis = side == RIA_WEST || side == RIA_EAST ? ADI_X : ADI_Y;
      if (kind == SIDE_LEVEL || kind == SIDE_DISCHARGE) s->forced[axis] = true;
      if (kind != SIDE_WALL) s->carried_in = true, s->walls[side] = false;
    }
  }
  return RIA_OK;
}

static adig_forcing forcing_of(const adig *s) {
  adig_forcing f = {};
  f.v = s->p.v;
  f.nt = s->nt;
  for (int axis = 0; axis < 2; axis++) f.forced[axis] = s->forced[axis];
  f.carried_in = s->nt && s->carried_in;
  f.gravity = s->par.gravity;
  f.land = s->par.land;
  f.drying = s->par.drying_depth;
  f.flooding = s->par.flooding_depth;
  f.bed = s->bed;
  f.manning = s->manning;
  f.level = s->level[s->now.level];
  for (int m = 0; m < s->nt; m++) f.load[m] = s->load[s->load_now][m];
  f.value = s->value;
  f.inflow = s->inflow;
  f.bad = &s->news->bad;
  return f;
}

/* --- a step -------------------------------------------------------------------------------------
 */

/* steadies: the cross term takes adi_way.lw. */
static void *way_of(const adig *s, int place, int axis, bool steadies) {
  return (char *)s->ways + (size_t)(4 * place + 2 * axis + !steadies) * ADIG_WAY * s->p.real_size;
}

static adig_sweep sweep_of(const adig *s, int axis, int place) {
  const bool x = axis == ADI_X;
  const ria_gpu_view *v = &s->p.v;
  const adi_params *par = &s->par;
  const int now = s->now.flux[axis], across = s->now.flux[1 - axis];
  const int side[2][2] = {{RIA_WEST, RIA_EAST}, {RIA_SOUTH, RIA_NORTH}};
  const double turn = ria_coriolis(par->forces.latitude);
  adig_sweep w = {};
  w.n = x ? v->nx : v->ny;
  w.lines = x ? v->ny : v->nx;
  w.along = x ? 1 : v->stride;
  w.across = x ? v->stride : 1;
  w.origin = ria_gpu_at(v, 0, 0);
  w.bed = s->bed;
  w.level = s->level[s->now.level];
  w.level_new = s->level[(s->now.level + 1) % 3];
  w.u = s->flux[axis][now];
  w.u_new = s->flux[axis][1 - now];
  w.carried = w.u;
  w.v = s->flux[1 - axis][across];
  w.v_old = s->flux[1 - axis][1 - across];
  w.manning = s->manning;
  w.viscosity = s->viscosity;
  w.moved_u = s->moved[axis];
  w.moved_v = s->moved[1 - axis];
  w.g = par->gravity;
  w.da = x ? v->dx : v->dy;
  w.dc = x ? v->dy : v->dx;
  w.drying = par->drying_depth;
  w.flooding = par->flooding_depth;
  w.land = par->land;
  w.upwind = par->upwind == ADI_UPWIND_FROUDE ? 1 : 0;
  w.turn = x ? turn : -turn;
  w.rough = par->manning;
  w.eddy = par->eddy;
  for (int k = 0; k < 2; k++) {
    w.first[k] = v->first[side[axis][k]];
    w.side[k] = v->first[side[1 - axis][k]];
    w.walls[k] = s->walls[side[axis][k]];
  }
  w.owner = v->owner;
  w.stretch = v->stretch;
  w.value = s->value;
  w.crossed = v->crossed;
  w.n_quantities = v->n_quantities;
  w.area = v->dx * v->dy;
  w.fastest = s->fastest;
  w.slot = (2 * (s->turn + place) + axis) % 3; /* sweeps before it */
  w.step = &s->news->step[place];
  w.way = way_of(s, place, axis, par->cross != ADI_CROSS_CENTRED);
  w.number = 1 + 2 * place + axis;
  w.bad = &s->news->bad;
  w.most_blocks = s->most_blocks;
  return w;
}

static adig_carry carry_of(const adig *s, int tracer, int level, int place) {
  adig_carry c = {};
  c.v = s->p.v;
  c.tracer = tracer;
  c.nt = s->nt;
  c.bed = s->bed;
  c.level = s->level[level];
  c.moved_x = s->moved[ADI_X];
  c.moved_y = s->moved[ADI_Y];
  c.load = s->load[s->load_now][tracer];
  c.load_new = s->load[1 - s->load_now][tracer];
  c.inflow = s->inflow;
  c.bad = &s->news->bad;
  c.step = &s->news->step[place];
  c.parts = &s->news->parts[place];
  return c;
}

/* The first of two solutions (adi_cross); *w becomes the second. */
static ria_status solve_first(adig *s, int axis, int place, adig_sweep *w) {
  adig_sweep first = *w;
  first.is_first = true;
  first.way = way_of(s, place, axis, true);
  first.u_new = s->between;
  w->carried = s->between;
  A_TRY("a time step", s->kernel->sweep(&first, axis, s->p.stream));
  return RIA_OK;
}

/* A sweep, and the tracers by what crossed in it. */
static ria_status sweep(adig *s, int axis, int place) {
  adig_sweep w = sweep_of(s, axis, place);
  const int before = s->now.level;
  if (s->between) RIA_TRY(solve_first(s, axis, place, &w));
  A_TRY("a time step", s->kernel->sweep(&w, axis, s->p.stream));
  s->now.level = (s->now.level + 1) % 3;
  s->now.flux[axis] = 1 - s->now.flux[axis];
  for (int m = 0; m < s->nt; m++) {
    const adig_carry c = carry_of(s, m, before, place);
    A_TRY("a time step", s->kernel->carry(&c, s->p.stream));
  }
  if (s->nt) s->load_now = 1 - s->load_now;
  return RIA_OK;
}

/* Explicit diffusion, in parts; they end where they began. */
static ria_status mix_parts(adig *s, int place) {
  for (int k = 0; k < s->parts; k++) {
    for (int m = 0; m < s->nt; m++) {
      const adig_carry c = carry_of(s, m, s->now.level, place);
      A_TRY("a time step", s->kernel->mix(&c, k, s->diffusion[m], s->p.stream));
    }
    s->load_now = 1 - s->load_now;
  }
  s->load_now = 1;
  for (int m = 0; m < s->nt && s->parts; m++) {
    const adig_carry c = carry_of(s, m, s->now.level, place);
    A_TRY("a time step", s->kernel->mix_home(&c, s->p.stream));
  }
  s->load_now = 0;
  return RIA_OK;
}

/* Implicit diffusion, in place; what crossed is not needed any more. */
static ria_status mix_lines(adig *s, int place) {
  for (int axis = ADI_X; axis <= ADI_Y; axis++)
    for (int m = 0; m < s->nt; m++) {
      if (!(s->diffusion[m] > 0)) continue;
      adig_carry c = carry_of(s, m, s->now.level, place);
      c.load_new = s->load[s->load_now][m];
      A_TRY("a time step", s->kernel->mix_lines(&c, axis, s->diffusion[m], s->moved[ADI_X],
                                                s->moved[ADI_Y], s->p.stream));
    }
  return RIA_OK;
}

/* Diffusion and decay over a step. */
static ria_status mix_and_decay(adig *s, int place) {
  if (s->parts) RIA_TRY(mix_parts(s, place));
  if (s->implicit) RIA_TRY(mix_lines(s, place));
  for (int m = 0; m < s->nt; m++) {
    if (!(s->decay[m] > 0)) continue;
    adig_carry c = carry_of(s, m, s->now.level, place);
    c.load_new = s->load[s->load_now][m];
    A_TRY("a time step",
          s->kernel->decay(&c, s->decay[m], s->decayed + (size_t)m * s->p.grid.ny, s->p.stream));
  }
  return RIA_OK;
}

/* Is the state at a place of the round to be looked at? */
static bool looks(const adig *s, int place) {
  if (!(s->rules.dt > 0) && s->driven) return true;
  return (!(s->rules.dt > 0) || s->rules.watched) && (s->turn + place) % ADIG_ROUND == 0;
}

static ria_status look(adig *s, int kind) {
  adig_look l = {};
  l.s = state_of(s, 0);
  l.flooding = s->par.flooding_depth;
  l.kind = kind;
  l.blocks = s->look_blocks;
  l.rules = s->rules;
  l.news = s->news;
  l.seen = s->seen_blocks;
  A_TRY("looking at the flow", s->kernel->look(&l, s->p.stream));
  return RIA_OK;
}

/* Steps that are chosen at a place: up to the next look; 0 = they were chosen before. */
static int chosen_at(const adig *s, int place) {
  if (place > 0 && !looks(s, place)) return 0;
  int n = 1;
  while (place + n < ADIG_ROUND && !looks(s, place + n)) n++;
  return n;
}

static ria_status tick(adig *s, int place, const adig_loop *loop) {
  adig_tick t = {};
  t.chooses = chosen_at(s, place);
  if (!t.chooses && !s->p.v.n_sources && !s->forced[ADI_X] && !(s->nt && s->carried_in))
    return RIA_OK;
  t.f = forcing_of(s);
  t.rules = s->rules;
  t.news = s->news;
  t.ways = s->ways;
  t.seen = s->seen_blocks;
  t.seen_blocks = s->look_blocks;
  t.place = place;
  t.thesis = s->par.cross == ADI_CROSS_THESIS;
  t.upwind = s->par.upwind == ADI_UPWIND_FROUDE ? 1 : 0;
  t.turn = ria_coriolis(s->par.forces.latitude);
  t.wind_drag = s->par.forces.wind_drag;
  memcpy(t.wind, s->wind, sizeof t.wind);
  for (int m = 0; m < s->nt; m++) t.most_diffusion = fmax(t.most_diffusion, s->diffusion[m]);
  t.parts = s->parts;
  t.implicit = s->implicit;
  const cudaGraphConditionalHandle none = 0;
  A_TRY("a time step", s->kernel->tick(&t, loop ? loop->handle : none, loop, s->p.stream));
  return RIA_OK;
}

static ria_status step(adig *s, int place, const adig_loop *loop) {
  if (looks(s, place)) RIA_TRY(look(s, ADIG_IF_DUE));
  RIA_TRY(tick(s, place, loop));
  if (s->viscosity) {
    const adig_state a = state_of(s, place);
    A_TRY("a time step", s->kernel->eddies(&a, s->p.stream));
  }
  RIA_TRY(sweep(s, ADI_X, place));
  if (s->forced[ADI_Y]) {
    const adig_forcing f = forcing_of(s);
    A_TRY("a time step", s->kernel->force(&f, &s->news->step[place], ADI_Y, s->p.stream));
  }
  RIA_TRY(sweep(s, ADI_Y, place));
  RIA_TRY(mix_and_decay(s, place));
  s->stepping = true;
  s->place = place;
  const ria_status status = ria_gpu_planes_keep_maxima(&s->p);
  s->stepping = false;
  s->place = 0;
  return status;
}

/* A round of steps, from the present state on. */
static ria_status queue_round(adig *s, const adig_loop *loop) {
  set_turn(s, s->host->clock.steps);
  for (int k = 0; k < ADIG_ROUND; k++) RIA_TRY(step(s, k, loop));
  return RIA_OK;
}

/* --- running ------------------------------------------------------------------------------------
 */

/* What blocks of a look saw, on the host; waits. */
static ria_status look_and_wait(adig *s, int kind, adi_seen *all) {
  adi_seen seen[ADIG_LOOKS];
  RIA_TRY(look(s, kind));
  A_TRY("looking at the flow",
        cudaMemcpyAsync(seen, s->seen_blocks, (size_t)s->look_blocks * sizeof *seen,
                        cudaMemcpyDeviceToHost, s->p.stream));
  A_TRY("looking at the flow", cudaStreamSynchronize(s->p.stream));
  *all = adi_seen_none();
  for (int k = 0; k < s->look_blocks; k++) adi_see(all, &seen[k]);
  return RIA_OK;
}

/* Nothing is known of fluxes that were set: the next two sweeps take them for as large as can be.
 */
static ria_status forget_fastest(adig *s) {
  unsigned all[3 * ADIG_SLOTS];
  const float most = 3e38f;
  for (int k = 0; k < 3 * ADIG_SLOTS; k++) memcpy(&all[k], &most, sizeof most);
  A_TRY("preparing a step",
        cudaMemcpyAsync(s->fastest, all, sizeof all, cudaMemcpyHostToDevice, s->p.stream));
  A_TRY("preparing a step", cudaStreamSynchronize(s->p.stream));
  return RIA_OK;
}

/* Water that was set is given. */
static ria_status know_water(adig *s) {
  ria_quantity_totals totals[1 + RIA_MAX_TRACERS];
  const ria_grid *g = &s->p.grid;
  adi_seen seen;
  if (s->water_set) {
    RIA_TRY(look_and_wait(s, ADIG_HEADS, &seen));
    if (seen.high_cell >= 0) s->given.head = fmax(s->given.head, seen.highest);
    s->water_set = false;
  }
  RIA_TRY(ria_gpu_planes_totals(s, totals));
  s->host->clock.ceiling = adi_ceiling(&s->given, &s->par, g,
                                       fmax(0, totals[0].stored) / (g->nx * g->dx * g->ny * g->dy));
  return RIA_OK;
}

static ria_status adig_prepare(void *self, double t) {
  adig *s = (adig *)self;
  RIA_TRY(enter(s));
  adi_clock *c = &s->host->clock;
  adi_seen seen;
  c->t = t;
  const adig_state a = state_of(s, 0);
  for (int axis = 0; axis < 2; axis++) {
    const int now = s->now.flux[axis];
    A_TRY("preparing a step",
          s->kernel->settle(&a, axis, s->flux[axis][now], s->flux[axis][1 - now], s->p.stream));
  }
  c->look_now = true;
  if (!(c->dt_full > 0)) {
    RIA_TRY(look_and_wait(s, ADIG_HEADS, &seen));
    adi_first_pace(c, &s->rules, seen.deepest);
  }
  RIA_TRY(adi_check_eddy(s->p.ctx, &s->par, &s->p.grid, c->dt_full));
  if (s->rules.watched) RIA_TRY(know_water(s));
  RIA_TRY(forget_fastest(s));
  s->p.ready = true;
  return RIA_OK;
}

/* --- queueing -----------------------------------------------------------------------------------
 */

/* How many parts of diffusion are to be queued with a step, and is it implicit perhaps? Steps of
 * the present length, or half as long again where they follow the flow. */
static void plan_diffusion(adig *s) {
  double most = 0;
  for (int m = 0; m < s->nt; m++) most = fmax(most, s->diffusion[m]);
  if (!(most > 0)) return;
  const double longest = (s->rules.dt > 0 ? 1 + 1e-6 : 1.5) * s->host->clock.dt_full;
  const int parts = adi_mix_parts(most, longest, s->p.grid.dx, s->p.grid.dy);
  const bool implicit = s->implicit || parts == 0;
  const int needed = parts == 0 ? (int)ADI_MOST_PARTS : parts;
  if (s->parts >= needed && s->implicit == implicit) return;
  s->parts = needed;
  s->implicit = implicit;
  forget_rounds(s);
}

static cudaError_t record_round(adig *s, cudaGraph_t body, const adig_loop *loop,
                                ria_status *status) {
  cudaError_t e = cudaStreamBeginCaptureToGraph(s->p.stream, body, NULL, NULL, 0,
                                                cudaStreamCaptureModeThreadLocal);
  if (e != cudaSuccess) return e;
  *status = queue_round(s, loop);
  return cudaStreamEndCapture(s->p.stream, &body);
}

static cudaError_t record_loop(adig *s, cudaGraph_t graph, cudaGraphExec_t *out,
                               ria_status *status) {
  adig_loop loop;
  cudaError_t e =
      cudaGraphConditionalHandleCreate(&loop.handle, graph, 1, cudaGraphCondAssignDefault);
  if (e != cudaSuccess) return e;
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = loop.handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t node;
#if CUDART_VERSION >= 13000
  e = cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params);
#else
  e = cudaGraphAddNode(&node, graph, NULL, 0, &params);
#endif
  if (e == cudaSuccess) e = record_round(s, params.conditional.phGraph_out[0], &loop, status);
  return e == cudaSuccess && *status == RIA_OK ? cudaGraphInstantiate(out, graph, 0) : e;
}

/* The loop of rounds that begins with the buffers as they are. */
static ria_status need_round(adig *s, cudaGraphExec_t *round) {
  cudaGraph_t graph;
  ria_status status = RIA_OK;
  if (*round) return RIA_OK;
  A_TRY("making a graph of steps", cudaGraphCreate(&graph, 0));
  const cudaError_t e = record_loop(s, graph, round, &status);
  cudaGraphDestroy(graph);
  if (e != cudaSuccess) *round = NULL;
  RIA_TRY(status);
  A_TRY("making a graph of steps", e);
  return RIA_OK;
}

/* The host's news become the device's: a span begins. */
static ria_status send_news(adig *s) {
  adig_news *n = s->host;
  n->over =
      n->clock.failure || n->clock.steps >= n->clock.steps_stop || !(n->clock.t < n->clock.t_stop);
  n->bad = n->more_parts = 0;
  A_TRY("a time step", cudaMemcpyAsync(s->news, n, sizeof *n, cudaMemcpyHostToDevice, s->p.stream));
  s->current = false;
  return RIA_OK;
}

/* Round by round: for finding faults, and where graphs cannot hold what a round takes: maxima,
 * whose memory is taken on the way; diffusion whose parts follow the flow. */
static ria_status go_by_rounds(adig *s) {
  for (;;) {
    RIA_TRY(queue_round(s, NULL));
    RIA_TRY(get_news(s));
    if (s->host->over || s->host->clock.failure) return RIA_OK;
    plan_diffusion(s);
    RIA_TRY(send_news(s));
  }
}

static ria_status go(adig *s, const ria_span *span) {
  adi_clock *c = &s->host->clock;
  const bool graphs = s->p.backend->graphs && !s->p.n_track && (s->rules.dt > 0 || !s->parts);
  cudaGraphExec_t *round = &s->round[c->steps % ADIG_ROUND];
  if (graphs) RIA_TRY(need_round(s, round));
  adi_begin_span(c, span);
  RIA_TRY(send_news(s));
  set_turn(s, c->steps);
  if (c->look_now && !(s->rules.dt > 0)) RIA_TRY(look(s, ADIG_NOW));
  if (!graphs) return go_by_rounds(s);
  A_TRY("a time step", cudaGraphLaunch(*round, s->p.stream));
  return RIA_OK;
}

static ria_status adig_advance(void *self, const ria_span *span) {
  adig *s = (adig *)self;
  RIA_TRY(ria_gpu_enter(&s->p));
  if (s->broken)
    return ria_fail(s->p.ctx, RIA_ERR_DEVICE,
                    "the GPU failed within a time step before; this simulation cannot go on");
  RIA_TRY(get_news(s));
  if (s->host->clock.failure) return RIA_OK;
  if (!s->p.ready) RIA_TRY(adig_prepare(s, s->host->clock.t));
  plan_diffusion(s);
  const ria_status status = go(s, span);
  s->broken = status != RIA_OK;
  return status;
}

/* --- failure ------------------------------------------------------------------------------------
 */

static ria_status value_at(adig *s, const void *plane, size_t at, double *out) {
  float f = 0;
  const bool single = s->p.real == RIA_F32;
  const char *from = (const char *)plane + at * s->p.real_size;
  A_TRY("finding what went wrong", cudaMemcpyAsync(single ? (void *)&f : out, from, s->p.real_size,
                                                   cudaMemcpyDeviceToHost, s->p.stream));
  RIA_TRY(ria_gpu_planes_wait(&s->p));
  if (single) *out = (double)f;
  return RIA_OK;
}

/* Name the first cell whose level or flux is none. */
static ria_status blame(adig *s, const void *level, const void *flux) {
  ria_progress *p = &s->told;
  unsigned long long cell = ~0ull;
  void *room = NULL;
  double z, q;
  snprintf(p->fail_what, sizeof p->fail_what, "not a number or out of range");
  p->fail_i = p->fail_j = -1; /* no cell's: it is on a face of the boundary */
  RIA_TRY(ria_gpu_take(&s->p, sizeof cell, &room));
  cudaError_t e = cudaMemcpyAsync(room, &cell, sizeof cell, cudaMemcpyHostToDevice, s->p.stream);
  if (e == cudaSuccess)
    e = s->kernel->find_bad(&s->p.v, level, flux, (unsigned long long *)room, s->p.stream);
  if (e == cudaSuccess)
    e = cudaMemcpyAsync(&cell, room, sizeof cell, cudaMemcpyDeviceToHost, s->p.stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(s->p.stream);
  ria_gpu_drop(&s->p, room);
  A_TRY("finding what went wrong", e);
  if (cell == ~0ull) return RIA_OK;
  p->fail_i = (int)(cell % (unsigned)s->p.grid.nx);
  p->fail_j = (int)(cell / (unsigned)s->p.grid.nx);
  const size_t at = ria_gpu_at(&s->p.v, p->fail_i, p->fail_j);
  RIA_TRY(value_at(s, level, at, &z));
  RIA_TRY(value_at(s, flux, at, &q));
  snprintf(p->fail_what, sizeof p->fail_what,
           "not a number or out of range: level %g m, discharge %g m^2/s; try a shorter dt", z, q);
  return RIA_OK;
}

/* A sweep failed: the clock goes back to the beginning of its step, where the state still is. */
static ria_status go_back(adig *s) {
  adig_news *n = s->host;
  const int place = (n->bad - 1) / 2, axis = (n->bad - 1) % 2;
  const adi_step *st = &n->step[place];
  if (n->clock.failure) return RIA_OK;
  n->clock.t = st->t;
  n->clock.dt = st->dt;
  n->clock.lead = st->lead;
  n->clock.steps = n->done[place];
  n->clock.failure = ADI_BAD;
  set_turn(s, n->clock.steps);
  s->told.failure = RIA_ERR_NUMERICAL;
  s->told.fail_t = st->t;
  RIA_TRY(blame(s, s->level[(s->now.level + 1 + axis) % 3], s->flux[axis][1 - s->now.flux[axis]]));
  const int q = s->now.flux[ADI_Y];
  if (axis == ADI_Y) /* the discharge a step earlier was overwritten */
    A_TRY("going back a step",
          cudaMemcpyAsync(s->flux[ADI_Y][1 - q], s->flux[ADI_Y][q], s->p.size * s->p.real_size,
                          cudaMemcpyDeviceToDevice, s->p.stream));
  return RIA_OK;
}

/* The last look saw a level above the ceiling: does it run away? */
static ria_status judge_level(adig *s) {
  const size_t n = (size_t)s->p.v.n_stretch * (size_t)s->p.v.n_quantities;
  ria_quantity_totals totals[1 + RIA_MAX_TRACERS];
  double *through = (double *)malloc((2 * n + 1) * sizeof *through);
  if (!through) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for a sum");
  ria_status status = ria_gpu_planes_totals(s, totals);
  if (status == RIA_OK) status = ria_gpu_planes_fluxes(s, s->p.v.n_stretch, through, through + n);
  if (status == RIA_OK)
    adi_judge(&s->host->clock, &s->given, &s->par, &s->p.grid, totals[0].stored, s->p.stretch,
              s->p.v.n_stretch, s->p.v.n_quantities, through, through + n);
  free(through);
  return status;
}

static ria_status adig_progress(void *self, ria_progress *out) {
  adig *s = (adig *)self;
  RIA_TRY(enter(s));
  const adi_clock *c = &s->host->clock;
  if (c->high && !c->failure) RIA_TRY(judge_level(s));
  *out = s->told;
  adi_tell(c, &s->rules, &s->given, &s->p.grid, out);
  return RIA_OK;
}

/* --- fields -------------------------------------------------------------------------------------
 */

static ria_status adig_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                            ria_real real, void *dst) {
  adig *s = (adig *)self;
  RIA_TRY(enter(s));
  RIA_TRY(ria_gpu_planes_read(self, field, tracer, maximum, j0, nj, real, dst));
  if (maximum && field == WATER_DEPTH)
    water_forget_films((size_t)s->p.grid.nx * (size_t)nj, real, s->par.drying_depth, dst);
  return RIA_OK;
}

static cudaError_t set_faces(adig *s, int axis, const double *cells, int factor) {
  const adig_state a = state_of(s, s->place);
  const int now = s->now.flux[axis];
  return s->kernel->set_faces(&a, axis, cells, factor, s->flux[axis][now], s->flux[axis][1 - now],
                              s->p.stream);
}

static ria_status need_manning(adig *s) {
  if (s->manning) return RIA_OK;
  RIA_TRY(ria_gpu_plane_alloc(&s->p, "the roughness", &s->manning));
  forget_rounds(s);
  return RIA_OK;
}

static ria_status set_field(void *self, int field, int tracer, double *values) {
  adig *s = (adig *)self;
  if (field == WATER_MANNING) RIA_TRY(need_manning(s));
  const adig_state a = state_of(s, s->place);
  const bool water = field == WATER_LEVEL || field == WATER_DEPTH;
  void *load = tracer >= 0 ? s->load[s->load_now][tracer] : NULL;
  cudaError_t e = s->kernel->set_cells(&a, field, load, values, s->p.stream);
  if (e == cudaSuccess && (water || field == WATER_QX || field == WATER_U))
    e = set_faces(s, ADI_X, values, water);
  if (e == cudaSuccess && (water || field == WATER_QY || field == WATER_V))
    e = set_faces(s, ADI_Y, values, water);
  A_TRY("setting a field", e);
  return RIA_OK;
}

static ria_status adig_write(void *self, int field, int tracer, const double *src) {
  adig *s = (adig *)self;
  RIA_TRY(enter(s));
  RIA_TRY(ria_gpu_planes_write(s, field, tracer, src));
  adi_given_field(&s->given, &s->par, &s->p.grid, field, src);
  s->water_set = s->water_set || adi_moves_water(field);
  return RIA_OK;
}

static ria_status adig_add(void *self, int quantity, int n, const int32_t *cell,
                           const double *amount) {
  adig *s = (adig *)self;
  RIA_TRY(enter(s));
  s->water_set = s->water_set || (n > 0 && quantity == 0);
  return ria_gpu_planes_add(s, quantity, n, cell, amount);
}

static ria_status adig_totals(void *self, ria_quantity_totals *totals) {
  adig *s = (adig *)self;
  const size_t ny = (size_t)s->p.grid.ny, n = ny * (size_t)s->nt;
  RIA_TRY(enter(s));
  RIA_TRY(ria_gpu_planes_totals(self, totals));
  if (!s->nt) return RIA_OK;
  double *lost = (double *)malloc(n * sizeof *lost);
  if (!lost) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for a sum");
  cudaError_t e =
      cudaMemcpyAsync(lost, s->decayed, n * sizeof *lost, cudaMemcpyDeviceToHost, s->p.stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(s->p.stream);
  for (int m = 0; e == cudaSuccess && m < s->nt; m++)
    totals[1 + m].decayed = ria_ordered_sum(lost + (size_t)m * ny, ny);
  free(lost);
  A_TRY("reading totals", e);
  return RIA_OK;
}

/* As allocate has it, without what parameters ask for. */
static int adig_planes(int n_tracers) { return 8 + (n_tracers > 0 ? 2 * n_tracers + 2 : 0); }

/* --- as planes have it, once it is known where the present state is -----------------------------
 */

static ria_status adig_sample(void *self, int field, int tracer, int n, const int32_t *cell,
                              double *out) {
  RIA_TRY(enter((adig *)self));
  return ria_gpu_planes_sample(self, field, tracer, n, cell, out);
}
static ria_status adig_track(void *self, int field, int tracer) {
  RIA_TRY(enter((adig *)self));
  return ria_gpu_planes_track(self, field, tracer);
}
static ria_status adig_fetch(void *self, int field, int tracer, int coarse, ria_real real,
                             void *dst, void **ticket) {
  *ticket = NULL;
  RIA_TRY(enter((adig *)self));
  return ria_gpu_planes_fetch(self, field, tracer, coarse, real, dst, ticket);
}
static ria_status adig_pack(void *self, int field, int tracer, const ria_packing *how, void *dst,
                            void **ticket) {
  *ticket = NULL;
  RIA_TRY(enter((adig *)self));
  return ria_gpu_planes_pack(self, field, tracer, how, dst, ticket);
}

static const ria_solver_ops ops = {
    .create = adig_create,
    .destroy = adig_destroy,
    .force = adig_force,
    .prepare = adig_prepare,
    .advance = adig_advance,
    .progress = adig_progress,
    .read = adig_read,
    .write = adig_write,
    .sample = adig_sample,
    .add = adig_add,
    .track = adig_track,
    .fetch = adig_fetch,
    .pack_bytes = ria_gpu_planes_pack_bytes,
    .pack = adig_pack,
    .await = ria_gpu_await,
    .totals = adig_totals,
    .fluxes = ria_gpu_planes_fluxes,
    .planes = adig_planes,
};

extern "C" {
extern const ria_solver_ops ria_adi_cuda;
const ria_solver_ops ria_adi_cuda = ops;
}
