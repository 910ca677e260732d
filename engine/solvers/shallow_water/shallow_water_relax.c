/* shallow_water_relax.c - layers in which the flow is drawn to a given one (water/relax_k.h),
 * before the flow's own step.
 *
 * Cells of a layer need nothing of each other: threads take rows, and a part does to its ghost rows
 * what the neighbour does to its own. */
#include "shallow_water.h"
#include "solvers/shared/water/relax_k.h"

double sw_relaxed(const sw_params *p, const ria_grid *grid, const ria_relax *relax, int n) {
  double most = 0;
  for (int k = 0; k < n; k++)
    most = fmax(most, water_relax_speed(&relax[k], p->gravity, 1.0 / grid->dx, 1.0 / grid->dy));
  return most;
}

/* What a row of a layer gains, per area of a cell: water, then loads. */
typedef struct gains {
  double of[SW_QUANTITIES];
} gains;

static void put(const sw *s, int k, size_t at, double was, double is, double *gain) {
  sw_put(s, s->state[s->now][k], at, is);
  *gain += sw_get(s, s->state[s->now][k], at) - was;
}

static void relax_cell(const sw *s, const ria_relax *r, const ria_relaxing *now, int k, double dt,
                       size_t at, gains *gain) {
  void *const *state = s->state[s->now];
  const water_cell c = {sw_get(s, state[SW_H], at), sw_get(s, state[SW_STATE_QX], at),
                        sw_get(s, state[SW_STATE_QY], at), sw_get(s, s->bed, at)};
  if (!(c.h > s->param.dry_depth)) return;
  const double share = water_relax_share(r->rate[k], dt);
  double aim[RIA_TARGETS];
  for (int q = 0; q < RIA_TARGETS; q++)
    aim[q] = water_target(&r->flow[q], now->value[q], now->part, k);
  const water_cell to =
      water_relax_flow(share, aim[RIA_TARGET_LEVEL], aim[RIA_TARGET_U], aim[RIA_TARGET_V], c);
  put(s, SW_H, at, c.h, to.h, &gain->of[0]);
  sw_put(s, state[SW_STATE_QX], at, to.qx);
  sw_put(s, state[SW_STATE_QY], at, to.qy);
  for (int m = 0; m < s->nt; m++) {
    const double load = sw_get(s, state[SW_STATE_C + m], at);
    const double conc = water_target(&r->tracer[m], now->value[RIA_TARGETS + m], now->part, k);
    put(s, SW_STATE_C + m, at, load, water_relax_load(share, conc, load, c.h, to.h),
        &gain->of[1 + m]);
  }
}

/* place: where the row lies. */
static void relax_row(sw *s, const ria_relax *r, const ria_relaxing *now, double dt, int j,
                      int place) {
  const ria_planes *p = &s->planes;
  const int64_t first = (int64_t)j * p->grid.nx;
  gains gain = {{0}};
  for (int k = ria_relax_first(r, first); k < r->n && r->cell[k] < first + p->grid.nx; k++)
    relax_cell(s, r, now, k, dt, sw_at(s, (int)(r->cell[k] - first), place), &gain);
  if (!ria_planes_own(p, place)) return;
  for (int q = 0; q < 1 + s->nt; q++)
    *ria_planes_row(p, p->added, q, j) += gain.of[q] * (p->grid.dx * p->grid.dy);
}

void sw_relax_rows(sw *s, double dt, int j0, int j1) {
  for (int k = 0; k < s->planes.n_relax; k++)
    for (int j = j0; j < j1; j++) {
      const int row = sw_row_of(s, j);
      if (ria_planes_place(&s->planes, row) != j) continue;
      relax_row(s, &s->planes.relax[k], &s->planes.relaxing[k], dt, row, j);
    }
}
