/* diffusion_plan.c - before steps, for every backend: whether the sides agree, how long a step may
 * be, which steps are done in one pass, what lies outside the sides in each.
 *
 * On one thread, in double precision whatever the precision of the run. */
#include "diffusion.h"
#include "base/context.h"

#include <math.h>
#include <stdio.h>

static const ria_side across[RIA_SIDES] = {RIA_EAST, RIA_WEST, RIA_NORTH, RIA_SOUTH};

static int kind_at(const ria_stretch *stretch, const int32_t *const owner[RIA_SIDES], int side,
                   int k) {
  return stretch[owner[side][k]].kind;
}

/* --- periodic sides --------------------------------------------------------------------------- */

static ria_status check_pair(ria_context *ctx, const ria_grid *g, const ria_stretch *stretch,
                             const int32_t *const owner[RIA_SIDES], ria_side side, int *periodic) {
  for (int k = 0; k < ria_side_length(g, side); k++) {
    const bool here = kind_at(stretch, owner, side, k) == DF_PERIODIC;
    const bool there = kind_at(stretch, owner, across[side], k) == DF_PERIODIC;
    if (here != there)
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "the %s side is periodic at cell %d and the %s side is not: give kind "
                      "'periodic' to both, over the same cells",
                      ria_side_name(here ? side : across[side]), k,
                      ria_side_name(here ? across[side] : side));
    *periodic += here;
  }
  return RIA_OK;
}

ria_status df_check_sides(ria_context *ctx, const ria_grid *g, const ria_stretch *stretch,
                          const int32_t *const owner[RIA_SIDES], df_sides *out) {
  int x = 0, y = 0;
  RIA_TRY(check_pair(ctx, g, stretch, owner, RIA_WEST, &x));
  RIA_TRY(check_pair(ctx, g, stretch, owner, RIA_SOUTH, &y));
  *out = (df_sides){x == g->ny, y == g->nx, (x && x < g->ny) || (y && y < g->nx)};
  return RIA_OK;
}

/* --- the stable step ---------------------------------------------------------------------------
 *
 * u' is a mean of u and its neighbours with weights >= 0, and so within their range, as long as dt
 * times the sum of a cell's conductances is at most 1. A side of kind value is half a cell away and
 * counts twice. */

typedef struct search {
  ria_context *ctx;
  const ria_grid *g;
  ria_part part;
  const ria_stretch *stretch;
  const int32_t *const *owner;
  df_diffusivity_fn diffusivity;
  const void *user;
  double most; /* sum of conductances, 1/s */
  int i, j;
} search;

static double conductance(const search *find, double d, ria_side side, int i, int j, double rh2) {
  const bool x = ria_side_along_x(side);
  const int n = x ? find->g->nx : find->g->ny, at = x ? i : j, k = x ? j : i;
  const bool low = !ria_side_is_upper(side);
  const bool edge = at == (low ? 0 : n - 1);
  const int kind = edge ? kind_at(find->stretch, find->owner, side, k) : DF_PERIODIC;
  if (kind == DF_VALUE) return 2 * d * rh2;
  if (kind != DF_PERIODIC) return 0.0;
  const int next = low ? (at + n - 1) % n : (at + 1) % n;
  return df_face(d, x ? find->diffusivity(find->user, next, j)
                      : find->diffusivity(find->user, i, next)) *
         rh2;
}

static bool is_fixed(const search *find, int i, int j) {
  const ria_grid *g = find->g;
  return (i == 0 && kind_at(find->stretch, find->owner, RIA_WEST, j) == DF_FIXED) ||
         (i == g->nx - 1 && kind_at(find->stretch, find->owner, RIA_EAST, j) == DF_FIXED) ||
         (j == 0 && kind_at(find->stretch, find->owner, RIA_SOUTH, i) == DF_FIXED) ||
         (j == g->ny - 1 && kind_at(find->stretch, find->owner, RIA_NORTH, i) == DF_FIXED);
}

static void look(search *find, int i, int j) {
  const double rdx2 = 1 / (find->g->dx * find->g->dx), rdy2 = 1 / (find->g->dy * find->g->dy);
  const double d = find->diffusivity(find->user, i, j);
  double sum = 0;
  for (int side = 0; side < RIA_SIDES; side++)
    sum += conductance(find, d, (ria_side)side, i, j, side < RIA_SOUTH ? rdx2 : rdy2);
  if (sum <= find->most || is_fixed(find, i, j)) return;
  find->most = sum;
  find->i = i;
  find->j = j;
}

/* A flux must have somewhere to go. */
static int64_t stuck_flux(const search *find) {
  for (int side = 0; side < RIA_SIDES; side++)
    for (int k = 0; k < ria_side_length(find->g, (ria_side)side); k++) {
      int i, j;
      if (kind_at(find->stretch, find->owner, side, k) != DF_FLUX) continue;
      ria_side_cell(find->g, (ria_side)side, k, &i, &j);
      if (j < find->part.j0 || j >= find->part.j1) continue;
      if (!(find->diffusivity(find->user, i, j) > 0)) return ((int64_t)side << 32) + k;
    }
  return -1;
}

ria_status df_refuse_flux(ria_context *ctx, const ria_grid *g, int64_t stuck) {
  int i, j;
  if (stuck < 0) return RIA_OK;
  const ria_side side = (ria_side)(stuck >> 32);
  ria_side_cell(g, side, (int)(stuck & INT32_MAX), &i, &j);
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "the %s side has a flux at cell (%d, %d), whose diffusivity is 0",
                  ria_side_name(side), i, j);
}

/* The first of the cells of a row that has most. Where diffusivity is uniform the cells of the rim
 * and those next to it stand for all. */
static search look_along(const search *from, int j, bool uniform) {
  search find = *from;
  const int nx = find.g->nx;
  const bool whole = !uniform || j < 2 || j >= find.g->ny - 1;
  for (int i = 0; i < nx; i++) {
    if (!whole && i == 2 && nx > 3) i = nx - 1;
    look(&find, i, j);
  }
  return find;
}

ria_status df_find_limit(ria_context *ctx, const ria_grid *g, ria_part part,
                         const ria_stretch *stretch, const int32_t *const owner[RIA_SIDES],
                         bool uniform, df_diffusivity_fn diffusivity, const void *user, int threads,
                         df_limit *out) {
  const search none = {ctx, g, part, stretch, owner, diffusivity, user, 0.0, 0, part.j0};
  search best = none;
  (void)threads;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int j = part.j0; j < part.j1; j++) {
    const search find = look_along(&none, j, uniform);
#pragma omp critical
    if (find.most > best.most || (find.most == best.most && find.most > 0 && find.j < best.j))
      best = find;
  }
  *out = (df_limit){best.most > 0 ? 1 / best.most : INFINITY,
                    diffusivity(user, best.i, best.j),
                    best.i,
                    best.j,
                    best.most,
                    stuck_flux(&none)};
  return RIA_OK;
}

ria_status df_choose_dt(ria_context *ctx, const df_params *param, const df_limit *limit,
                        double *dt) {
  *dt = param->dt > 0 ? param->dt : param->safety * limit->dt;
  if (!(param->dt > limit->dt)) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "dt = %g s is unstable: it may be at most %.6g s (diffusivity %g m^2/s in cell "
                  "(%d, %d)); 0 chooses it",
                  param->dt, limit->dt, limit->diffusivity, limit->i, limit->j);
}

void df_tell_limit(ria_progress *p, const df_limit *limit, double dt, double t) {
  if (!(dt < p->dt_min)) return;
  p->dt_min = dt;
  p->dt_min_t = t;
  p->dt_min_i = limit->i;
  p->dt_min_j = limit->j;
  snprintf(p->dt_min_cause, sizeof p->dt_min_cause, "diffusivity %.3g m^2/s", limit->diffusivity);
}

/* --- passes ----------------------------------------------------------------------------------- */

df_pass df_plan(double t, double dt, const ria_span *span, int depth, int64_t most) {
  df_pass pass = {.t_end = t};
  int last = 0;
  while (pass.n < depth && pass.n < most && !last && pass.t_end < span->t_stop) {
    const double step = ria_landing_step(dt, span->t_stop - pass.t_end, &last);
    if (pass.n && step != pass.dt) break;
    if (ria_step_reaches(pass.t_end, step, last, span->t_stop, span->t_watch)) break;
    pass.dt = step;
    pass.t[pass.n++] = pass.t_end;
    pass.t_end = last ? span->t_stop : pass.t_end + step;
  }
  return pass;
}

void df_outside_at(const ria_forcing_table *table, const ria_stretch *stretch, int n_stretch,
                   const ria_grid *g, double d, const df_pass *pass, double *out) {
  for (int l = 0; l < pass->n; l++)
    for (int k = 0; k < n_stretch; k++) {
      const ria_stretch *b = &stretch[k];
      const double h = ria_side_along_x(b->side) ? g->dx : g->dy;
      const double t = pass->t[l] + (b->kind == DF_FLUX ? 0.5 * pass->dt : 0.0);
      const bool forced = b->kind == DF_VALUE || b->kind == DF_FLUX;
      out[l * n_stretch + k] =
          forced ? df_outside(b->kind, ria_forcing_at(table, b->value[0], t), h, d) : 0.0;
    }
}
