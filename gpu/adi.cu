/* gpu/adi.cu - the implicit solver on CUDA: memory, the clock, and the functions the engine calls.
 * adi.cuh says where the kernels are.
 *
 * Steps have a length that the host knows, so it queues a whole span and returns; values of
 * boundaries and sources are worked out by kernels of one block, queued only where there are any.
 * A sweep that writes what is no state leaves its number in `bad`, and whatever comes after it does
 * nothing: progress() finds the state as it was before the step that failed. */
#include "adi.cuh"
#define RIA_PRECISION double
#include "solvers/adi/adi_k.h"
#undef RIA_PRECISION

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADIG_EACH = 2048 }; /* cells of a line that a block holds in any case */

/* Buffers of the present state, as a step finds or leaves them. */
typedef struct adig_turn {
  int level, load, flux[2];
} adig_turn;

/* After so many steps of one length all buffers are in the places where they were: they are
 * replayed by a graph. */
enum { ADIG_ROUND = 6 };
typedef struct adig_round {
  cudaGraphExec_t exec; /* or NULL */
  adig_turn now;        /* that it begins with */
  double dt;
} adig_round;

/* Where a batch of steps began. */
typedef struct adig_batch {
  ria_span span;
  adig_turn now;
  double t, lead;
  int64_t steps;
  int sweeps;
} adig_batch;

typedef struct adig {
  ria_gpu_planes p; /* first */
  const adig_kernels *kernel;
  adi host; /* the clock of the CPU's solver: t, dt_full, progress; no memory */
  adi_params par;
  int nt;
  double decay[RIA_MAX_TRACERS], diffusion[RIA_MAX_TRACERS];
  void *bed, *manning, *level[3], *flux[2][2], *load[2][RIA_MAX_TRACERS], *moved[2], *viscosity;
  void *between; /* as the CPU's solver has it */
  adig_turn now;
  double *value;                /* [rim] current, on the device */
  double *inflow, *owed;        /* [n_stretch][nt]; by cell of a source: renewed with the forcing */
  double *decayed;              /* [nt][ny] on the device */
  unsigned *fastest;            /* [3][ADIG_SLOTS] */
  int *bad;                     /* on the device */
  bool forced[2], carried_in;   /* values at the ends of lines of an axis are needed; of inflow */
  bool walls[RIA_SIDES];        /* nothing else on the side */
  bool stepping;                /* maxima are being kept: not of a state that failed */
  bool broken;                  /* the device failed while steps were queued: who knows which ran */
  int most_blocks;              /* that a line takes */
  int sweeps;                   /* queued so far */
  int *number;                  /* [3] the same on the device */
  adig_round round[ADIG_ROUND]; /* by the steps it begins after */
  ria_forcing wind[RIA_WIND_VALUES]; /* its data: one after another in wind_data */
  double *wind_data;
  adig_batch batch; /* the last one queued */
} adig;

#define A_TRY(DOING, CALL) RIA_CUDA(s->p.ctx, DOING, CALL)

static adig_state state_of(const adig *s) {
  adig_state a = {};
  a.v = s->p.v;
  a.bed = s->bed;
  a.manning = s->manning;
  a.level = s->level[s->now.level];
  a.p = s->flux[ADI_X][s->now.flux[ADI_X]];
  a.q = s->flux[ADI_Y][s->now.flux[ADI_Y]];
  a.q_old = s->flux[ADI_Y][1 - s->now.flux[ADI_Y]];
  a.viscosity = s->viscosity;
  for (int m = 0; m < s->nt; m++) a.load[m] = s->load[s->now.load][m];
  a.nt = s->nt;
  a.dry = s->par.drying_depth;
  a.land = s->par.land;
  a.gravity = s->par.gravity;
  a.eddy = s->par.eddy;
  a.smagorinsky = s->par.smagorinsky;
  a.manning_one = s->par.manning;
  a.bad = s->stepping ? s->bad : NULL;
  return a;
}

/* --- what the shared planes ask -----------------------------------------------------------------
 */

static void *plane_of(const void *self, int field, int tracer) {
  const adig *s = (const adig *)self;
  if (field == SW_BED) return s->bed;
  if (field == SW_MANNING) return s->manning;
  if (field == SW_LOAD) return s->load[s->now.load][tracer];
  return NULL;
}
static cudaError_t derive_field(const void *self, int field, int tracer, void *to,
                                cudaStream_t stream) {
  const adig *s = (const adig *)self;
  const adig_state a = state_of(s);
  return s->kernel->derive(&a, field, tracer >= 0 ? s->load[s->now.load][tracer] : NULL, to,
                           stream);
}
static void *quantity_plane(const void *self, int quantity) {
  const adig *s = (const adig *)self;
  return quantity == 0 ? NULL : s->load[s->now.load][quantity - 1];
}
static cudaError_t water(const void *self, int quantity, void *to, cudaStream_t stream) {
  const adig *s = (const adig *)self;
  const adig_state a = state_of(s);
  (void)quantity;
  return s->kernel->density(&a, to, stream);
}
static const ria_gpu_callbacks callbacks = {plane_of, derive_field, quantity_plane, water, NULL};

/* --- life ---------------------------------------------------------------------------------------
 */

/* What kernels are given has changed. */
static void forget_rounds(adig *s) {
  for (int k = 0; k < ADIG_ROUND; k++) {
    if (s->round[k].exec) cudaGraphExecDestroy(s->round[k].exec);
    s->round[k].exec = NULL;
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
  cudaFree(s->inflow);
  cudaFree(s->owed);
  cudaFree(s->decayed);
  cudaFree(s->fastest);
  cudaFree(s->bad);
  cudaFree(s->number);
  forget_rounds(s);
  free(s->wind_data);
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
  RIA_TRY(ria_cuda_alloc(p->ctx, 3 * sizeof(int), "the sums", (void **)&s->number));
  return ria_cuda_alloc(p->ctx, sizeof(int), "the sums", (void **)&s->bad);
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
  s->host.p = s->par;
  s->host.planes.grid = setup->grid;
  s->most_blocks = blocks;
  s->host.progress.dt_min = DBL_MAX;
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

static size_t data_of(const ria_forcing *f) {
  const size_t each = f->kind == RIA_FORCING_CONSTANT ? 0 : f->kind == RIA_FORCING_TIDE ? 3 : 2;
  return each * (size_t)f->count;
}

/* The wind is evaluated on the host, which knows the times of steps: a copy of its two values. */
static ria_status copy_wind(adig *s, const ria_forcing_set *set) {
  size_t n = 0;
  for (int k = 0; k < RIA_WIND_VALUES; k++) n += data_of(&set->table.entry[set->varying[k]]);
  double *data = (double *)malloc((n + 1) * sizeof *data);
  if (!data) return ria_fail(s->p.ctx, RIA_ERR_MEMORY, "out of memory for the forcing");
  free(s->wind_data);
  s->wind_data = data;
  n = 0;
  for (int k = 0; k < RIA_WIND_VALUES; k++) {
    ria_forcing *f = &s->wind[k];
    *f = set->table.entry[set->varying[k]];
    memcpy(data + n, set->table.data + f->first, data_of(f) * sizeof *data);
    f->first = (int)n;
    n += data_of(f);
  }
  return RIA_OK;
}

static double wind_at(const adig *s, int axis, double t) {
  static const int id[RIA_WIND_VALUES] = {RIA_WIND_SPEED, RIA_WIND_FROM};
  const ria_forcing_table table = {s->wind, s->wind_data, RIA_WIND_VALUES, 0};
  double stress[2];
  ria_wind_at(&s->par.forces, &table, id, t, stress);
  return stress[axis];
}

static bool wind_changes(const adig *s) {
  for (int k = 0; k < RIA_WIND_VALUES; k++)
    if (s->wind[k].kind != RIA_FORCING_CONSTANT || s->wind[k].ramp > 0) return true;
  return false;
}

static ria_status adig_force(void *self, const ria_forcing_set *set) {
  adig *s = (adig *)self;
  void *inflow = NULL, *owed = NULL;
  size_t cells = 1;
  for (int k = 0; k < set->n_sources; k++) cells += (size_t)set->sources[k].n;
  RIA_TRY(ria_gpu_enter(&s->p));
  RIA_TRY(copy_wind(s, set));
  RIA_TRY(ria_cuda_alloc(s->p.ctx, ((size_t)set->boundary.n * s->nt + 1) * sizeof(double),
                         "the forcing", &inflow));
  ria_status status = ria_cuda_alloc(s->p.ctx, cells * sizeof(double), "the forcing", &owed);
  if (status == RIA_OK) status = ria_gpu_planes_force(s, set); /* waits for what is queued */
  if (status != RIA_OK) {
    cudaFree(inflow);
    cudaFree(owed);
    return status;
  }
  forget_rounds(s);
  cudaFree(s->inflow);
  cudaFree(s->owed);
  s->inflow = (double *)inflow;
  s->owed = (double *)owed;
  s->forced[0] = s->forced[1] = s->carried_in = false;
  s->host.driven = adi_is_driven(set);
  for (int side = 0; side < RIA_SIDES; side++) {
    s->walls[side] = true;
    for (int k = s->p.v.first[side]; k < s->p.v.first[side + 1]; k++) {
      const int kind = s->p.stretch[s->p.owner[k]].kind;
      const int axis = side == RIA_WEST || side == RIA_EAST ? ADI_X : ADI_Y;
      if (kind == SW_LEVEL || kind == SW_DISCHARGE) s->forced[axis] = true;
      if (kind != SW_WALL) s->carried_in = true, s->walls[side] = false;
    }
  }
  return RIA_OK;
}

static ria_status force_at(adig *s, int axis, double t_level, double t_flux) {
  const bool carries = axis == ADI_X && s->nt && s->carried_in;
  if (!s->forced[axis] && !carries) return RIA_OK;
  adig_ends f = {};
  f.v = s->p.v;
  f.axis = axis;
  f.nt = s->nt;
  f.t_level = t_level;
  f.t_flux = t_flux;
  f.gravity = s->par.gravity;
  f.land = s->par.land;
  f.drying = s->par.drying_depth;
  f.bed = s->bed;
  f.level = s->level[s->now.level];
  f.manning = s->manning;
  f.value = s->value;
  f.inflow = s->inflow;
  f.bad = s->bad;
  A_TRY("a time step", s->kernel->force(&f, s->p.stream));
  return RIA_OK;
}

static ria_status apply_sources(adig *s, double t, double dt) {
  bool any = false;
  for (int k = 0; k < s->p.v.n_sources; k++)
    any = any || (s->p.source[k].t_start < t + dt && s->p.source[k].t_stop > t);
  if (!any) return RIA_OK;
  adig_sources f = {};
  f.v = s->p.v;
  f.t = t;
  f.dt = dt;
  f.bed = s->bed;
  f.level = s->level[s->now.level];
  for (int m = 0; m < s->nt; m++) f.load[m] = s->load[s->now.load][m];
  f.owed = s->owed;
  f.bad = s->bad;
  A_TRY("a time step", s->kernel->sources(&f, s->p.stream));
  return RIA_OK;
}

/* --- a step -------------------------------------------------------------------------------------
 */

static adig_sweep sweep_of(adig *s, int axis, double t, double dt, double dt_u) {
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
  w.dt = dt;
  w.dt_u = dt_u;
  w.drying = par->drying_depth;
  w.flooding = par->flooding_depth;
  w.land = par->land;
  w.lw = par->cross == ADI_CROSS_THESIS ? 0 : dt_u / w.dc;
  w.upwind = par->upwind == ADI_UPWIND_FROUDE ? 1 : 0;
  w.turn = x ? turn : -turn;
  w.wind = wind_at(s, axis, t + (x ? 0.5 : 1.0) * dt); /* the middle of the flux's step */
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
  w.slot = s->sweeps % 3;
  w.number = s->number;
  w.bad = s->bad;
  w.most_blocks = s->most_blocks;
  return w;
}

static adig_carry carry_of(const adig *s, int tracer, int level) {
  adig_carry c = {};
  c.v = s->p.v;
  c.tracer = tracer;
  c.nt = s->nt;
  c.bed = s->bed;
  c.level = s->level[level];
  c.moved_x = s->moved[ADI_X];
  c.moved_y = s->moved[ADI_Y];
  c.load = s->load[s->now.load][tracer];
  c.load_new = s->load[1 - s->now.load][tracer];
  c.inflow = s->inflow;
  c.bad = s->bad;
  return c;
}

/* The first of two solutions (adi_cross); *w becomes the second. */
static ria_status solve_first(adig *s, int axis, adig_sweep *w) {
  adig_sweep first = *w;
  first.is_first = true;
  first.u_new = s->between;
  w->carried = s->between;
  w->lw = 0;
  A_TRY("a time step", s->kernel->sweep(&first, axis, s->p.stream));
  return RIA_OK;
}

/* A sweep of the step from t on, and the tracers by what crossed in it. */
static ria_status sweep(adig *s, int axis, double t, double dt, double dt_u) {
  adig_sweep w = sweep_of(s, axis, t, dt, dt_u);
  const int before = s->now.level;
  if (s->between) RIA_TRY(solve_first(s, axis, &w));
  A_TRY("a time step", s->kernel->sweep(&w, axis, s->p.stream));
  s->sweeps++;
  s->now.level = (s->now.level + 1) % 3;
  s->now.flux[axis] = 1 - s->now.flux[axis];
  for (int m = 0; m < s->nt; m++) {
    const adig_carry c = carry_of(s, m, before);
    A_TRY("a time step", s->kernel->carry(&c, s->p.stream));
  }
  if (s->nt) s->now.load = 1 - s->now.load;
  return RIA_OK;
}

/* Parts that diffusion takes a step in, to be stable; 0 = none, or implicit. */
static int mixes_of(const adig *s, double dt) {
  const double dx = s->p.grid.dx, dy = s->p.grid.dy;
  double most = 0;
  for (int m = 0; m < s->nt; m++) most = fmax(most, s->diffusion[m]);
  return adi_mix_parts(most, dt, dx, dy);
}

/* Implicit diffusion, in place; what crossed is not needed any more. */
static ria_status mix_lines(adig *s, double dt) {
  const double d[2] = {s->p.grid.dx, s->p.grid.dy};
  for (int axis = ADI_X; axis <= ADI_Y; axis++)
    for (int m = 0; m < s->nt; m++) {
      if (!(s->diffusion[m] > 0)) continue;
      adig_carry c = carry_of(s, m, s->now.level);
      c.load_new = s->load[s->now.load][m];
      const double mix = s->diffusion[m] * dt / (d[axis] * d[axis]);
      A_TRY("a time step",
            s->kernel->mix_lines(&c, axis, mix, s->moved[ADI_X], s->moved[ADI_Y], s->p.stream));
    }
  return RIA_OK;
}

/* Diffusion and decay over a step. */
static ria_status mix_and_decay(adig *s, double dt) {
  const double dx = s->p.grid.dx, dy = s->p.grid.dy;
  const int mixes = mixes_of(s, dt);
  for (int k = 0; k < mixes; k++) {
    for (int m = 0; m < s->nt; m++) {
      const adig_carry c = carry_of(s, m, s->now.level);
      const double d = s->diffusion[m] * (dt / mixes);
      A_TRY("a time step", s->kernel->mix(&c, d / (dx * dx), d / (dy * dy), s->p.stream));
    }
    s->now.load = 1 - s->now.load;
  }
  if (mixes == 0) RIA_TRY(mix_lines(s, dt));
  for (int m = 0; m < s->nt; m++)
    if (s->decay[m] > 0)
      A_TRY("a time step",
            s->kernel->decay(&s->p.v, s->load[s->now.load][m], exp(-s->decay[m] * dt),
                             s->decayed + (size_t)m * s->p.grid.ny, s->bad, s->p.stream));
  return RIA_OK;
}

static ria_status step(adig *s, double t, double dt) {
  const double across = adi_step_across(dt, s->host.lead);
  RIA_TRY(apply_sources(s, t, dt));
  RIA_TRY(force_at(s, ADI_X, t + 0.5 * dt, t + dt));
  if (s->viscosity) {
    const adig_state a = state_of(s);
    A_TRY("a time step", s->kernel->eddies(&a, dt, s->p.stream));
  }
  RIA_TRY(sweep(s, ADI_X, t, dt, dt));
  RIA_TRY(force_at(s, ADI_Y, t + dt, t + 1.5 * dt));
  RIA_TRY(sweep(s, ADI_Y, t, dt, across));
  s->host.lead += across - dt;
  RIA_TRY(mix_and_decay(s, dt));
  s->stepping = true;
  const ria_status status = ria_gpu_planes_keep_maxima(&s->p);
  s->stepping = false;
  return status;
}

/* --- running ------------------------------------------------------------------------------------
 */

/* What the sides and the sources are about to bring, at t and after dt. */
static ria_status look_at_forcing(adig *s, adig_look *l) {
  adi *h = &s->host;
  for (int later = 0; later < 2; later++)
    for (l->axis = ADI_X; l->axis <= ADI_Y; l->axis++) {
      if (!s->forced[l->axis]) continue;
      const double t = h->t + later * l->dt;
      RIA_TRY(force_at(s, l->axis, t, t));
      A_TRY("looking at the flow", s->kernel->look_sides(l, s->p.stream));
    }
  if (s->p.v.n_sources) A_TRY("looking at the flow", s->kernel->look_sources(l, s->p.stream));
  return RIA_OK;
}

static double seen_value(unsigned long long bits) {
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}
static int seen_cell(unsigned long long key) { return (int)(0x7fffffffu - (unsigned)key); }

/* The present state, and with `forced` what is about to come in. Waits for it. */
static ria_status look(adig *s, bool forced, adi_seen *seen) {
  const adi *h = &s->host;
  unsigned long long out[ADIG_SEEN] = {};
  void *room = NULL;
  RIA_TRY(ria_gpu_take(&s->p, sizeof out, &room));
  adig_look l = {};
  l.s = state_of(s);
  l.flooding = s->par.flooding_depth;
  l.t = h->t;
  l.dt = h->dt_full;
  l.value = s->value;
  l.out = (unsigned long long *)room;
  cudaError_t e = cudaMemsetAsync(room, 0, sizeof out, s->p.stream);
  if (e == cudaSuccess) e = s->kernel->look(&l, s->p.stream);
  const ria_status status = e == cudaSuccess && forced ? look_at_forcing(s, &l) : RIA_OK;
  if (e == cudaSuccess)
    e = cudaMemcpyAsync(out, room, sizeof out, cudaMemcpyDeviceToHost, s->p.stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(s->p.stream);
  ria_gpu_drop(&s->p, room);
  RIA_TRY(status);
  A_TRY("looking at the flow", e);
  *seen = {};
  seen->deepest = seen_value(out[ADIG_DEEPEST]);
  seen->flow = seen_value(out[ADIG_FLOW]);
  seen->flow_cell = seen_cell(out[ADIG_FLOW_AT]);
  seen->rate = seen_value(out[ADIG_RATE]);
  seen->cell = seen_cell(out[ADIG_RATE_AT]);
  adi_seen outside = {};
  outside.rate = seen_value(out[ADIG_FORCED]);
  outside.cell = seen_cell(out[ADIG_FORCED_AT]);
  outside.forced = true;
  adi_see(seen, &outside);
  return RIA_OK;
}

static ria_status choose_first(adig *s) {
  adi_seen seen;
  RIA_TRY(look(s, false, &seen));
  adi_first_pace(&s->host, seen.deepest);
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

static ria_status adig_prepare(void *self, double t) {
  adig *s = (adig *)self;
  RIA_TRY(ria_gpu_enter(&s->p));
  s->host.t = t;
  const adig_state a = state_of(s);
  for (int axis = 0; axis < 2; axis++) {
    const int now = s->now.flux[axis];
    A_TRY("preparing a step",
          s->kernel->settle(&a, axis, s->flux[axis][now], s->flux[axis][1 - now], s->p.stream));
  }
  s->host.look_now = true;
  if (!(s->host.dt_full > 0)) RIA_TRY(choose_first(s));
  RIA_TRY(adi_check_eddy(s->p.ctx, &s->par, &s->p.grid, s->host.dt_full));
  RIA_TRY(forget_fastest(s));
  s->p.ready = true;
  return RIA_OK;
}

/* One step of the clock. false: the span is over. */
static bool next_step(adi *h, const ria_span *span, double *dt, bool *last) {
  *dt = adi_choose_dt(h, span, last);
  return *dt > 0;
}
static void clock_on(adi *h, const ria_span *span, double dt, bool last) {
  h->dt = dt;
  h->t = last ? span->t_stop : h->t + dt;
  h->steps++;
}

/* Is a step of this length one of many alike? Nothing is asked of the clock, and no maxima are
 * kept.
 */
static bool repeats(const adig *s, double dt) {
  return s->p.backend->graphs && !s->forced[0] && !s->forced[1] && !(s->nt && s->carried_in) &&
         !s->p.v.n_sources && !s->p.n_track && !wind_changes(s) &&
         adi_step_across(dt, s->host.lead) == dt;
}

static ria_status record(adig *s, adig_round *r, double dt) {
  ria_status status = RIA_OK;
  cudaGraph_t graph = NULL;
  if (r->exec) cudaGraphExecDestroy(r->exec);
  *r = {NULL, s->now, dt};
  A_TRY("preparing a step", cudaStreamBeginCapture(s->p.stream, cudaStreamCaptureModeThreadLocal));
  for (int k = 0; k < ADIG_ROUND && status == RIA_OK; k++) status = step(s, s->host.t, dt);
  cudaError_t e = cudaStreamEndCapture(s->p.stream, &graph);
  if (e == cudaSuccess && status == RIA_OK) e = cudaGraphInstantiate(&r->exec, graph, 0);
  if (graph) cudaGraphDestroy(graph);
  RIA_TRY(status);
  A_TRY("preparing a step", e);
  return RIA_OK;
}

/* Queue a round of steps. */
static ria_status replay(adig *s, double dt) {
  adig_round *r = &s->round[s->sweeps / 2 % ADIG_ROUND];
  if (r->exec && r->dt == dt && memcmp(&r->now, &s->now, sizeof s->now) == 0)
    s->sweeps += 2 * ADIG_ROUND;
  else
    RIA_TRY(record(s, r, dt));
  A_TRY("a time step", cudaGraphLaunch(r->exec, s->p.stream));
  return RIA_OK;
}

/* Queue the steps that wait, at most a round. */
static ria_status take(adig *s, int *waiting, double dt) {
  const int n = *waiting;
  *waiting = 0;
  if (n == ADIG_ROUND) return replay(s, dt);
  for (int k = 0; k < n; k++) RIA_TRY(step(s, s->host.t, dt));
  return RIA_OK;
}

static ria_status look_for_failure(adig *s);

/* Nothing is queued: a batch begins here. Sweeps are counted by an int, on the device too; long
 * before it overflows the count goes back by what no slot and no round can tell. */
static ria_status begin_batch(adig *s, const ria_span *span) {
  enum { FAR = 1 << 30, BACK = FAR / (2 * ADIG_ROUND) * (2 * ADIG_ROUND) };
  if (s->sweeps > FAR) {
    s->sweeps -= BACK;
    A_TRY("a time step", cudaMemcpyAsync(s->number + s->sweeps % 3, &s->sweeps, sizeof s->sweeps,
                                         cudaMemcpyHostToDevice, s->p.stream));
    RIA_TRY(ria_gpu_planes_wait(&s->p));
  }
  const adi *h = &s->host;
  s->batch = {*span, s->now, h->t, h->lead, h->steps, s->sweeps};
  return RIA_OK;
}

/* The automatic step is due: look, which begins a batch, for go_back goes by one length. */
static ria_status choose_pace(adig *s, const ria_span *rest) {
  adi_seen seen;
  RIA_TRY(look_for_failure(s));
  if (s->host.progress.failure != RIA_OK) return RIA_OK;
  RIA_TRY(look(s, s->host.driven, &seen));
  adi_pace(&s->host, &seen);
  return begin_batch(s, rest);
}

static ria_status queue_steps(adig *s, const ria_span *span) {
  enum { MOST = 1 << 28 }; /* steps of a batch */
  adi *h = &s->host;
  ria_span rest = *span;
  double dt;
  bool last;
  RIA_TRY(begin_batch(s, span));
  int waiting = 0; /* steps of `length` that repeat */
  double length = 0;
  for (int64_t k = 0; k < span->max_steps && h->t < span->t_stop; k++) {
    const bool due = adi_look_due(h, h->steps);
    rest.max_steps = span->max_steps - k;
    if (due || (k > 0 && k % MOST == 0)) RIA_TRY(take(s, &waiting, length));
    if (due) {
      RIA_TRY(choose_pace(s, &rest));
    } else if (k > 0 && k % MOST == 0) {
      RIA_TRY(look_for_failure(s));
      if (h->progress.failure == RIA_OK) RIA_TRY(begin_batch(s, &rest));
    }
    if (h->progress.failure != RIA_OK) return RIA_OK;
    if (!next_step(h, span, &dt, &last)) break;
    const bool again = repeats(s, dt);
    if (waiting && !(again && dt == length)) RIA_TRY(take(s, &waiting, length));
    length = dt;
    if (again)
      waiting++;
    else
      RIA_TRY(step(s, h->t, dt));
    if (waiting == ADIG_ROUND) RIA_TRY(take(s, &waiting, length));
    clock_on(h, span, dt, last);
  }
  return take(s, &waiting, length);
}

static ria_status adig_advance(void *self, const ria_span *span) {
  adig *s = (adig *)self;
  RIA_TRY(ria_gpu_enter(&s->p));
  if (s->broken)
    return ria_fail(s->p.ctx, RIA_ERR_DEVICE,
                    "the GPU failed within a time step before; this simulation cannot go on");
  RIA_TRY(look_for_failure(s));
  if (s->host.progress.failure != RIA_OK) return RIA_OK;
  if (!s->p.ready) RIA_TRY(adig_prepare(s, s->host.t));
  const ria_status status = queue_steps(s, span);
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
  ria_progress *p = &s->host.progress;
  unsigned long long cell = ~0ull;
  void *room = NULL;
  double z, q;
  snprintf(p->fail_what, sizeof p->fail_what, "not a number or out of range");
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

/* Sweep `number` failed: clock and buffers go back to the beginning of its step. */
static ria_status go_back(adig *s, int number) {
  adi *h = &s->host;
  const int sweeps = number - 1 - s->batch.sweeps; /* of the batch before it */
  double dt = 0;
  bool last = false;
  s->now = s->batch.now;
  h->t = s->batch.t;
  h->lead = s->batch.lead;
  h->steps = s->batch.steps;
  for (int k = 0; k <= sweeps / 2 && next_step(h, &s->batch.span, &dt, &last); k++) {
    h->dt = dt;
    if (k == sweeps / 2) break;
    clock_on(h, &s->batch.span, dt, last);
    s->now.level = (s->now.level + 2) % 3;
    for (int axis = 0; axis < 2; axis++) s->now.flux[axis] = 1 - s->now.flux[axis];
    s->now.load = (s->now.load + mixes_of(s, dt)) % 2;
  }
  const int axis = sweeps % 2 ? ADI_Y : ADI_X, q = s->now.flux[ADI_Y];
  h->progress.failure = RIA_ERR_NUMERICAL;
  h->progress.fail_t = h->t;
  RIA_TRY(blame(s, s->level[(s->now.level + 1 + axis) % 3], s->flux[axis][1 - s->now.flux[axis]]));
  if (axis == ADI_Y) /* the discharge a step earlier was overwritten */
    A_TRY("going back a step",
          cudaMemcpyAsync(s->flux[ADI_Y][1 - q], s->flux[ADI_Y][q], s->p.size * s->p.real_size,
                          cudaMemcpyDeviceToDevice, s->p.stream));
  return RIA_OK;
}

/* Wait for what is queued. */
static ria_status look_for_failure(adig *s) {
  int bad = 0;
  A_TRY("a time step",
        cudaMemcpyAsync(&bad, s->bad, sizeof bad, cudaMemcpyDeviceToHost, s->p.stream));
  RIA_TRY(ria_gpu_planes_wait(&s->p));
  return bad && s->host.progress.failure == RIA_OK ? go_back(s, bad) : RIA_OK;
}

static ria_status adig_progress(void *self, ria_progress *out) {
  adig *s = (adig *)self;
  RIA_TRY(ria_gpu_enter(&s->p));
  RIA_TRY(look_for_failure(s));
  *out = s->host.progress;
  out->t = s->host.t;
  out->steps = s->host.steps;
  out->dt = s->host.dt;
  return RIA_OK;
}

/* --- fields -------------------------------------------------------------------------------------
 */

/* Where water never was deeper than dry, the largest depth is 0, as on the CPU. */
static void forget_films(const adig *s, size_t n, ria_real real, void *dst) {
  for (size_t k = 0; k < n; k++) {
    if (real == RIA_F32) {
      float *h = (float *)dst + k;
      *h = (double)*h > s->par.drying_depth ? *h : 0.0f;
    } else {
      double *h = (double *)dst + k;
      *h = *h > s->par.drying_depth ? *h : 0.0;
    }
  }
}

static ria_status adig_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                            ria_real real, void *dst) {
  adig *s = (adig *)self;
  RIA_TRY(ria_gpu_planes_read(self, field, tracer, maximum, j0, nj, real, dst));
  if (maximum && field == SW_DEPTH) forget_films(s, (size_t)s->p.grid.nx * (size_t)nj, real, dst);
  return RIA_OK;
}

static cudaError_t set_faces(adig *s, int axis, const double *cells, int factor) {
  const adig_state a = state_of(s);
  const int now = s->now.flux[axis];
  return s->kernel->set_faces(&a, axis, cells, factor, s->flux[axis][now], s->flux[axis][1 - now],
                              s->p.stream);
}

static ria_status adig_write(void *self, int field, int tracer, const double *src) {
  adig *s = (adig *)self;
  const ria_grid *g = &s->p.grid;
  const size_t bytes = (size_t)g->nx * (size_t)g->ny * sizeof *src;
  void *cells = NULL;
  RIA_TRY(ria_gpu_enter(&s->p));
  RIA_TRY(sw_check_values(s->p.ctx, g, s->p.backend->base.threads, field, src));
  RIA_TRY(ria_cuda_alloc(s->p.ctx, bytes, "a field on its way in", &cells));
  if (field == SW_MANNING && !s->manning) {
    const ria_status status = ria_gpu_plane_alloc(&s->p, "the roughness", &s->manning);
    if (status != RIA_OK) {
      cudaFree(cells);
      return status;
    }
    forget_rounds(s);
  }
  const adig_state a = state_of(s);
  void *load = tracer >= 0 ? s->load[s->now.load][tracer] : NULL;
  cudaError_t e = cudaMemcpyAsync(cells, src, bytes, cudaMemcpyHostToDevice, s->p.stream);
  if (e == cudaSuccess) e = s->kernel->set_cells(&a, field, load, (double *)cells, s->p.stream);
  const bool water = field == SW_LEVEL_FIELD || field == SW_DEPTH;
  if (e == cudaSuccess && (water || field == SW_QX || field == SW_U))
    e = set_faces(s, ADI_X, (const double *)cells, water);
  if (e == cudaSuccess && (water || field == SW_QY || field == SW_V))
    e = set_faces(s, ADI_Y, (const double *)cells, water);
  if (e == cudaSuccess) e = cudaStreamSynchronize(s->p.stream);
  cudaFree(cells);
  s->p.ready = false;
  A_TRY("setting a field", e);
  return RIA_OK;
}

static ria_status adig_add(void *self, int quantity, int n, const int32_t *cell,
                           const double *amount) {
  adig *s = (adig *)self;
  void *room = NULL;
  RIA_TRY(ria_gpu_enter(&s->p));
  if (n < 1) return RIA_OK;
  const adig_state a = state_of(s);
  const size_t cells = ((size_t)n * sizeof *cell + 15) / 16 * 16;
  RIA_TRY(ria_gpu_take(&s->p, cells + (size_t)n * sizeof *amount, &room));
  double *values = (double *)((char *)room + cells);
  cudaError_t e =
      cudaMemcpyAsync(room, cell, (size_t)n * sizeof *cell, cudaMemcpyHostToDevice, s->p.stream);
  if (e == cudaSuccess)
    e = cudaMemcpyAsync(values, amount, (size_t)n * sizeof *amount, cudaMemcpyHostToDevice,
                        s->p.stream);
  if (e == cudaSuccess)
    e = s->kernel->add(&a, quantity, n, (const int32_t *)room, values, s->p.stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(s->p.stream);
  ria_gpu_drop(&s->p, room);
  s->p.ready = false;
  A_TRY("adding to cells", e);
  return RIA_OK;
}

static ria_status adig_totals(void *self, ria_quantity_totals *totals) {
  adig *s = (adig *)self;
  const size_t ny = (size_t)s->p.grid.ny, n = ny * (size_t)s->nt;
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

static const ria_solver_ops ops = {
    adig_create,
    adig_destroy,
    adig_force,
    adig_prepare,
    adig_advance,
    adig_progress,
    adig_read,
    adig_write,
    ria_gpu_planes_sample,
    adig_add,
    ria_gpu_planes_track,
    ria_gpu_planes_fetch,
    ria_gpu_planes_pack_bytes,
    ria_gpu_planes_pack,
    ria_gpu_await,
    adig_totals,
    ria_gpu_planes_fluxes,
    adig_planes,
};

extern "C" {
extern const ria_solver_ops ria_adi_cuda;
const ria_solver_ops ria_adi_cuda = ops;
}
