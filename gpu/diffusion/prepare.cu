/* prepare.cu - before steps of the diffusion solver on CUDA: how long they may be, by what the
 * whole grid has, what lies outside, and how passes share out the plate. */
#include "host.cuh"

#include <math.h>
#include <string.h>

static double diffusivity_at(const void *user, int i, int j) {
  const dfg *s = (const dfg *)user;
  return s->map ? s->map[(size_t)ria_gpu_place(&s->p, j) * (size_t)s->p.grid.nx + (size_t)i]
                : s->par.diffusivity;
}

/* What lies outside: does anything let something through, does it change? */
static void know_sides(dfg *s, const int32_t *const owner[RIA_SIDES]) {
  const ria_gpu_planes *p = &s->p;
  s->insulated = 0xfu;
  s->steady = true;
  for (int side = 0; side < RIA_SIDES; side++)
    for (int k = 0; k < ria_side_length(&p->grid, (ria_side)side); k++) {
      const ria_stretch *b = &p->stretch[owner[side][k]];
      const ria_forcing *f = &p->table.entry[b->value[0]];
      if (b->kind != DF_OPEN) s->insulated &= ~(1u << side);
      if ((b->kind == DF_VALUE || b->kind == DF_FLUX) &&
          (f->kind != RIA_FORCING_CONSTANT || f->ramp > 0))
        s->steady = false;
    }
}

static ria_status find_limit(dfg *s) {
  const ria_gpu_planes *p = &s->p;
  const int32_t *owner[RIA_SIDES] = {p->account.owner};
  for (int side = 1; side < RIA_SIDES; side++)
    owner[side] = owner[side - 1] + ria_side_length(&p->grid, (ria_side)(side - 1));
  if (s->limited) return RIA_OK;
  RIA_TRY(df_check_sides(p->ctx, &p->grid, p->stretch, owner, &s->sides));
  RIA_TRY(df_find_limit(p->ctx, &p->grid, p->part, p->stretch, owner, !s->map, diffusivity_at, s,
                        p->backend->base.threads, &s->limit));
  know_sides(s, owner);
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

bool dfg_is_cut(const dfg *s, int side) {
  const int ghosts = side == RIA_SOUTH ? s->p.begin : s->p.v.ny - s->p.end;
  return ghosts > 0 && ghosts == s->p.ghost_rows;
}

unsigned dfg_quiet(const dfg *s) {
  const bool cut_south = s->p.base > 0, cut_north = s->p.base + s->p.v.ny < s->p.grid.ny;
  unsigned quiet = s->insulated;
  if (s->sides.wrap_x) quiet |= 1u << RIA_WEST | 1u << RIA_EAST;
  if (s->sides.wrap_y || cut_south) quiet |= 1u << RIA_SOUTH;
  if (s->sides.wrap_y || cut_north) quiet |= 1u << RIA_NORTH;
  return quiet;
}

dfg_view dfg_view_of(const dfg *s, double dt) {
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
  a.begin = s->p.begin;
  a.end = s->p.end;
  a.there = s->p.v.ny + (dfg_is_cut(s, RIA_NORTH) ? 2 : 0);
  a.beyond = s->p.ring ? s->p.ghost_rows : 0;
  const ptrdiff_t stride = (ptrdiff_t)s->p.v.stride, last = s->p.v.ny - 1;
  a.to_south = (s->p.ring ? ria_gpu_held(&s->p, -1) : last) * stride;
  a.to_north = (s->p.ring ? 1 : -last) * stride;
  a.base = s->p.base;
  a.around = s->p.grid.ny;
  a.insulated = s->insulated;
  a.quiet = dfg_quiet(s);
  a.dt = dt;
  a.d = s->par.diffusivity;
  a.bands = s->bands;
  return a;
}

ria_status dfg_set_outside(dfg *s, const df_pass *pass) {
  const dfg_view a = dfg_view_of(s, pass->dt);
  outside_of<<<1, 256, 0, s->p.stream>>>(a, *pass, s->map ? 1.0 : s->par.diffusivity, s->outside);
  RIA_CUDA(s->p.ctx, "the boundaries", cudaGetLastError());
  return RIA_OK;
}

/* How passes share out the plate: asked of the device once, and again when there is a source or
 * other sides. */
static void arrange(dfg *s) {
  const bool source = s->source != NULL;
  const unsigned quiet = dfg_quiet(s);
  if (s->arranged && s->arranged_source == source && s->arranged_quiet == quiet) return;
  for (int k = 0; k < 2; k++) s->tiles[k] = dfg_lay_out(s, k ? 8 : 4);
  memset(&s->bands, 0, sizeof s->bands);
  if (s->p.backend->short_ways && ria_gpu_whole(&s->p))
    s->kernel->bands(s->p.grid.nx, s->p.grid.ny, source, &s->bands);
  s->arranged = true;
  s->arranged_source = source;
  s->arranged_quiet = quiet;
}

/* Of all parts the cell that conducts best limits the step. */
ria_status dfg_hear(void *self, const ria_meeting *all) {
  dfg *s = (dfg *)self;
  const double most = all->most[0];
  const int nx = s->p.grid.nx, cell = (int)all->where[0];
  const int64_t stuck = all->most[1] > 0 ? all->where[1] : -1;
  s->waits = false;
  s->limit = {most > 0 ? 1 / most : INFINITY, all->along[0], cell % nx, cell / nx, most, stuck};
  RIA_TRY(df_refuse_flux(s->p.ctx, &s->p.grid, stuck));
  RIA_TRY(df_choose_dt(s->p.ctx, &s->par, &s->limit, &s->dt));
  RIA_TRY(ria_gpu_enter(&s->p));
  if (s->map) {
    const dfg_view a = dfg_view_of(s, s->dt);
    RIA_CUDA(s->p.ctx, "conductances", s->kernel->faces(&a, s->p.stream));
  }
  if (s->steady) {
    df_pass once;
    memset(&once, 0, sizeof once);
    once.n = 1;
    once.t[0] = s->t;
    RIA_TRY(dfg_set_outside(s, &once));
  }
  arrange(s);
  df_tell_limit(&s->progress, &s->limit, s->dt, s->t);
  s->p.ready = true;
  return RIA_OK;
}

ria_status dfg_prepare(void *self, double t) {
  dfg *s = (dfg *)self;
  RIA_TRY(ria_gpu_enter(&s->p));
  s->t = t;
  RIA_TRY(find_limit(s));
  const df_limit *l = &s->limit;
  const int64_t cell = (int64_t)l->j * s->p.grid.nx + l->i;
  s->said = {{l->most, (double)(l->stuck >= 0)}, {cell, l->stuck}, {l->diffusivity}, NULL, 0};
  s->waits = !ria_gpu_whole(&s->p);
  return s->waits ? RIA_OK : dfg_hear(s, &s->said);
}

bool dfg_say(void *self, ria_meeting *m) {
  const dfg *s = (const dfg *)self;
  *m = s->said;
  return s->waits;
}
