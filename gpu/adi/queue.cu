/* gpu/adi/queue.cu - a round of steps of the implicit solver on CUDA: which kernels are queued, and
 * what they are given. Six steps, after which all buffers are in their places again. */
#include "host.cuh"
#define RIA_PRECISION double
#include "solvers/adi/adi_k.h"
#undef RIA_PRECISION

#include <math.h>
#include <string.h>

adig_forcing adig_forcing_of(const adig *s) {
  adig_forcing f = {};
  f.v = s->p.v;
  f.begin = s->p.begin;
  f.end = s->p.end;
  f.base = s->p.base;
  f.rows = s->p.grid.ny;
  f.goes_on = s->p.ring;
  for (int side = 0; side < RIA_SIDES; side++) {
    const ria_side_cells own = ria_gpu_side(&s->p, side);
    f.side_from[side] = own.from;
    f.side_to[side] = own.to;
  }
  f.nt = s->nt;
  for (int axis = 0; axis < 2; axis++) {
    f.forced[axis] = s->forced[axis];
    f.flux[axis] = s->flux[axis][s->now.flux[axis]];
    f.flux_old[axis] = s->flux[axis][1 - s->now.flux[axis]];
  }
  f.rated[ADI_X] = s->rated[RIA_WEST] || s->rated[RIA_EAST];
  f.rated[ADI_Y] = s->rated[RIA_SOUTH] || s->rated[RIA_NORTH];
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
  f.current = s->value + s->p.v.first[RIA_SIDES];
  f.slope = s->slope;
  f.inflow = s->beside.inflow;
  f.given = s->beside.given;
  memcpy(f.place, s->beside.place, sizeof f.place);
  f.rivers = s->beside.rivers;
  f.n_layers = s->beside.n_layers;
  f.layer = s->beside.layer;
  f.faces = s->beside.faces;
  f.deepest_layer = s->beside.deepest_layer;
  f.bad = &s->report->bad;
  return f;
}

/* --- a sweep ---------------------------------------------------------------------------------- */

/* steadies: the cross term takes adi_way.lw. */
static void *way_of(const adig *s, int place, int axis, bool steadies) {
  return (char *)s->ways + (size_t)(4 * place + 2 * axis + !steadies) * ADIG_WAY * s->p.real_size;
}

adig_sweep adig_sweep_of(const adig *s, int axis, int place) {
  const bool x = axis == ADI_X;
  const ria_gpu_view *v = &s->p.v;
  const adi_params *par = &s->par;
  const int now = s->now.flux[axis], across = s->now.flux[1 - axis];
  const int side[2][2] = {{RIA_WEST, RIA_EAST}, {RIA_SOUTH, RIA_NORTH}};
  const double turn = ria_coriolis(par->forces.latitude);
  adig_sweep w = {};
  w.n = x ? v->nx : s->p.grid.ny;
  w.lines = x ? v->ny : v->nx;
  w.all_lines = x ? s->p.grid.ny : v->nx;
  w.line_from = x ? s->p.begin : 0;
  w.line_end = x ? s->p.end : v->nx;
  w.along = x ? 1 : v->stride;
  w.across = x ? v->stride : 1;
  w.origin = ria_gpu_at(v, 0, 0) - (x ? 0 : (size_t)s->p.base * v->stride); /* of the grid's rows */
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
    w.side[k] = v->first[side[1 - axis][k]] - (x ? 0 : s->p.base);
    w.walls[k] = s->walls[side[axis][k]];
    w.rated[k] = s->rated[side[axis][k]];
  }
  w.owner = v->owner;
  w.stretch = v->stretch;
  w.value = s->value;
  w.current = s->value + s->p.v.first[RIA_SIDES];
  w.slope = s->slope;
  w.crossed = v->crossed;
  w.n_quantities = v->n_quantities;
  w.area = v->dx * v->dy;
  w.fastest = s->fastest;
  w.slot = (2 * (s->turn + place) + axis) % 3; /* sweeps before it */
  w.step = &s->report->step[place];
  w.way = way_of(s, place, axis, par->cross != ADI_CROSS_CENTRED);
  w.number = 1 + 2 * place + axis;
  w.bad = &s->report->bad;
  w.aside = s->aside;
  w.most_blocks = s->most_blocks;
  w.closes = x ? s->rings.x : s->rings.y;
  w.wraps = x ? s->rings.y : s->rings.x;
  w.goes_on = x && s->p.ring;
  w.apart = !x && !ria_gpu_whole(&s->p);
  w.base = x ? s->p.base : 0;
  return w;
}

static adig_carry carry_of(const adig *s, int tracer, int level, int place) {
  adig_carry c = {};
  c.v = s->p.v;
  c.rings = s->rings;
  c.beyond = adig_beyond(s);
  c.begin = s->p.begin;
  c.end = s->p.end;
  c.tracer = tracer;
  c.nt = s->nt;
  c.order = s->par.order;
  c.limiter = s->par.limiter;
  c.bed = s->bed;
  c.level = s->level[level];
  c.moved_x = s->moved[ADI_X];
  c.moved_y = s->moved[ADI_Y];
  c.load = s->load[s->load_now][tracer];
  c.load_new = s->load[1 - s->load_now][tracer];
  c.inflow = s->beside.inflow;
  c.bad = &s->report->bad;
  c.step = &s->report->step[place];
  c.parts = &s->report->parts[place];
  return c;
}

/* The first of two solutions (adi_cross); *w becomes the second, which takes of a first one what
 * lies on the lines beside, too. */
adig_sweep adig_first_of(adig *s, int axis, int place, adig_sweep *w) {
  adig_sweep first = *w;
  first.is_first = true;
  first.way = way_of(s, place, axis, true);
  first.u_new = s->between;
  if (axis == ADI_X && (w->line_from > 0 || w->goes_on)) first.line_from--;
  if (axis == ADI_X && (w->line_end < w->lines || w->goes_on)) first.line_end++;
  w->carried = s->between;
  return first;
}

void adig_swept(adig *s, int axis) {
  s->now.level = (s->now.level + 1) % 3;
  s->now.flux[axis] = 1 - s->now.flux[axis];
}

ria_status adig_carry_all(adig *s, int place) {
  for (int m = 0; m < s->nt; m++) {
    const adig_carry c = carry_of(s, m, (s->now.level + 2) % 3, place); /* the state before */
    A_TRY("a time step", s->kernel->carry(&c, s->on));
  }
  if (s->nt) s->load_now = 1 - s->load_now;
  return RIA_OK;
}

/* A sweep, and the tracers by what crossed in it. */
static ria_status sweep(adig *s, int axis, int place) {
  adig_sweep w = adig_sweep_of(s, axis, place);
  if (s->between) {
    const adig_sweep first = adig_first_of(s, axis, place, &w);
    A_TRY("a time step", s->kernel->sweep(&first, axis, s->on));
    RIA_TRY(adig_wrap_plane(s, s->between));
  }
  A_TRY("a time step", s->kernel->sweep(&w, axis, s->on));
  adig_swept(s, axis);
  return adig_carry_all(s, place);
}

ria_status adig_mix(adig *s, int place, int part) {
  for (int m = 0; m < s->nt && part < s->parts; m++) {
    const adig_carry c = carry_of(s, m, s->now.level, place);
    A_TRY("a time step", s->kernel->mix(&c, part, s->diffusion[m], s->on));
  }
  s->load_now = 1 - s->load_now;
  return RIA_OK;
}

ria_status adig_mix_home(adig *s, int place) {
  s->load_now = 1;
  for (int m = 0; m < s->nt; m++) {
    const adig_carry c = carry_of(s, m, s->now.level, place);
    A_TRY("a time step", s->kernel->mix_home(&c, s->on));
  }
  s->load_now = 0;
  return RIA_OK;
}

/* What a tracer becomes is put where it is. */
static adig_carry in_place(const adig *s, int tracer, int place) {
  adig_carry c = carry_of(s, tracer, s->now.level, place);
  c.load_new = s->load[s->load_now][tracer];
  return c;
}

ria_status adig_mix_lines(adig *s, int place, int axis) {
  for (int m = 0; m < s->nt; m++) {
    if (!(s->diffusion[m] > 0)) continue;
    const adig_carry c = in_place(s, m, place);
    A_TRY("a time step", s->kernel->mix_lines(&c, axis, s->diffusion[m], s->moved[ADI_X],
                                              s->moved[ADI_Y], s->load[1 - s->load_now][m], s->on));
  }
  return RIA_OK;
}

ria_status adig_mix_columns(adig *s, int place, int tracer, const adig_edge *e) {
  const adig_carry c = in_place(s, tracer, place);
  A_TRY("a time step",
        s->kernel->mix_columns(&c, e, s->diffusion[tracer], s->moved[ADI_X], s->moved[ADI_Y],
                               s->load[1 - s->load_now][tracer], s->on));
  return RIA_OK;
}

static ria_status mix(adig *s, int place) {
  for (int k = 0; k < s->parts; k++) RIA_TRY(adig_mix(s, place, k));
  if (s->parts) RIA_TRY(adig_mix_home(s, place));
  for (int axis = ADI_X; s->implicit && axis <= ADI_Y; axis++)
    RIA_TRY(adig_mix_lines(s, place, axis));
  return RIA_OK;
}

ria_status adig_decay(adig *s, int place) {
  for (int m = 0; m < s->nt; m++) {
    if (!(s->decay[m] > 0)) continue;
    const adig_carry c = in_place(s, m, place);
    A_TRY("a time step",
          s->kernel->decay(&c, s->decay[m], s->p.decayed + (size_t)(1 + m) * s->p.v.ny, s->on));
  }
  return RIA_OK;
}

/* --- a step ----------------------------------------------------------------------------------- */

/* Is the state at a place of the round to be looked at? */
bool adig_looks(const adig *s, int place) {
  if (!(s->rules.dt > 0) && s->driven) return true;
  return (!(s->rules.dt > 0) || s->rules.watched) && (s->turn + place) % ADIG_ROUND == 0;
}

ria_status adig_look_at(adig *s, int kind) {
  adig_look l = {};
  l.s = adig_state_of(s, 0);
  l.flooding = s->par.flooding_depth;
  l.kind = kind;
  l.blocks = s->look_blocks;
  l.rules = s->rules;
  l.report = s->report;
  l.seen = s->seen_blocks;
  A_TRY("looking at the flow", s->kernel->look(&l, s->on));
  return RIA_OK;
}

/* Steps that are chosen at a place: up to the next look; 0 = they were chosen before. */
static int chosen_at(const adig *s, int place) {
  if (place > 0 && !adig_looks(s, place)) return 0;
  int n = 1;
  while (place + n < ADIG_ROUND && !adig_looks(s, place + n)) n++;
  return n;
}

bool adig_tick_of(const adig *s, int place, adig_tick *out) {
  adig_tick t = {};
  t.chooses = chosen_at(s, place);
  if (!t.chooses && !s->p.v.n_sources && !s->forced[ADI_X] && !(s->nt && s->carried_in))
    return false;
  t.f = adig_forcing_of(s);
  t.rules = s->rules;
  t.report = s->report;
  t.ways = s->ways;
  t.seen = s->seen_blocks;
  t.seen_blocks = s->look_blocks;
  t.place = place;
  t.thesis = s->par.cross == ADI_CROSS_THESIS;
  t.upwind = s->par.upwind == ADI_UPWIND_FROUDE ? 1 : 0;
  t.turn = ria_coriolis(s->par.forces.latitude);
  t.wind_drag = s->par.forces.wind_drag;
  memcpy(t.axes, s->par.forces.axes, sizeof t.axes);
  memcpy(t.wind, s->wind, sizeof t.wind);
  for (int m = 0; m < s->nt; m++) t.most_diffusion = fmax(t.most_diffusion, s->diffusion[m]);
  t.parts = s->parts;
  t.implicit = s->implicit;
  t.rows = s->p.grid.ny;
  t.apart = !ria_gpu_whole(&s->p);
  t.forces = !t.apart && !adig_has_layers(s);
  *out = t;
  return true;
}

static ria_status tick(adig *s, int place, const ria_round *round) {
  adig_tick t;
  if (!adig_tick_of(s, place, &t)) return RIA_OK;
  A_TRY("a time step", s->kernel->tick(&t, round->handle, round->recorded, s->on));
  return RIA_OK;
}

ria_status adig_relax(adig *s, int place) {
  adig_forcing f = adig_forcing_of(s);
  f.fastest = s->fastest + (2 * (s->turn + place)) % 3 * ADIG_SLOTS; /* as in adig_sweep_of */
  const unsigned blocks = ria_gpu_layer_blocks(s->beside.layer_cells);
  for (int k = 0; k < f.n_layers; k++)
    A_TRY("a layer", s->kernel->relax(&f, &s->report->step[place], k, blocks, s->on));
  return RIA_OK;
}

/* Sides of x where the tick leaves them to us. */
static ria_status force_behind_layers(adig *s, int place) {
  if (!adig_has_layers(s)) return RIA_OK;
  RIA_TRY(adig_relax(s, place));
  if (!s->forced[ADI_X] && !(s->nt && s->carried_in)) return RIA_OK;
  const adig_forcing f = adig_forcing_of(s);
  A_TRY("a time step", s->kernel->force(&f, &s->report->step[place], ADI_X, s->on));
  return RIA_OK;
}

ria_status adig_eddies(adig *s, int place) {
  if (!s->viscosity) return RIA_OK;
  const adig_state a = adig_state_of(s, place);
  A_TRY("a time step", s->kernel->eddies(&a, s->on));
  return adig_wrap_plane(s, s->viscosity);
}

ria_status adig_keep_maxima(adig *s, int place) {
  s->stepping = true;
  s->place = place;
  const ria_status status = ria_gpu_planes_keep_maxima(&s->p);
  s->stepping = false;
  s->place = 0;
  return status;
}

static ria_status step(adig *s, int place, const ria_round *round) {
  if (adig_looks(s, place)) RIA_TRY(adig_look_at(s, ADIG_IF_DUE));
  RIA_TRY(tick(s, place, round));
  RIA_TRY(force_behind_layers(s, place));
  RIA_TRY(adig_wrap_given(s));
  RIA_TRY(adig_eddies(s, place));
  RIA_TRY(sweep(s, ADI_X, place));
  if (s->forced[ADI_Y]) {
    const adig_forcing f = adig_forcing_of(s);
    A_TRY("a time step", s->kernel->force(&f, &s->report->step[place], ADI_Y, s->on));
  }
  RIA_TRY(adig_wrap_swept(s, ADI_X));
  RIA_TRY(sweep(s, ADI_Y, place));
  RIA_TRY(adig_wrap_swept(s, ADI_Y));
  RIA_TRY(mix(s, place));
  RIA_TRY(adig_decay(s, place));
  return adig_keep_maxima(s, place);
}

ria_status adig_queue_steps(adig *s, const ria_round *round) {
  ria_status status = RIA_OK;
  adig_set_turn(s, s->host->clock.steps);
  for (int k = 0; status == RIA_OK && k < ADIG_ROUND; k++) status = step(s, k, round);
  if (status == RIA_OK) return RIA_OK;
  adig_set_turn(s, s->host->clock.steps); /* buffers are where they were */
  s->load_now = 0;
  return status;
}
