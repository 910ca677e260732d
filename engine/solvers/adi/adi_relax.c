/* adi_relax.c - layers in which the flow is drawn to a given one (water/relax_k.h), before a step.
 *
 * Levels and loads are those of cells. A flux is drawn where both cells of its face are in the
 * layer, with the mean of their rates and targets. Ghost rows of a part get what the neighbour does
 * to its own, those beyond an end of the grid what the other end does. */
#include "adi.h"
#include "solvers/shared/water/relax_k.h"

static double target_at(const ria_relax *r, const ria_relaxing *now, int q, int k) {
  return water_target(ria_relaxed_of((ria_relax *)r, q), now->value[q], now->part, k);
}

/* Returns what the plane of the cell gains. */
static double put(const adi *s, void *plane, size_t at, double v) {
  const double was = adi_get(s, plane, at);
  adi_put(s, plane, at, v);
  return adi_get(s, plane, at) - was;
}

static void count(adi *s, int quantity, int j, double gain) {
  const ria_planes *p = &s->planes;
  if (ria_planes_own(p, j))
    *ria_planes_row(p, p->added, quantity, j) += gain * (p->grid.dx * p->grid.dy);
}

static void relax_cell(adi *s, const ria_relax *r, const ria_relaxing *now, int k, double dt,
                       size_t at, int j) {
  const double level = adi_get(s, s->level[s->level_now], at), z = adi_get(s, s->bed, at);
  if (!(level - z > s->param.drying_depth)) return;
  const double share = water_relax_share(r->rate[k], dt), h0 = level - z;
  const double aim = target_at(r, now, RIA_TARGET_LEVEL, k);
  if (aim == aim)
    count(s, 0, j, put(s, s->level[s->level_now], at, level + share * (fmax(aim, z) - level)));
  const double h = adi_depth_at(s, at);
  for (int m = 0; m < s->nt; m++) {
    void *plane = s->load[s->load_now][m];
    const double load = adi_get(s, plane, at), conc = target_at(r, now, RIA_TARGETS + m, k);
    count(s, 1 + m, j, put(s, plane, at, water_relax_load(share, conc, load, h0, h)));
  }
}

/* The face between cells k and l of the layer, at elements `at` and `next`. */
static void relax_face(adi *s, const ria_relax *r, const ria_relaxing *now, enum adi_axis axis,
                       int k, int l, double dt, size_t at, size_t next) {
  const int q = axis == ADI_X ? RIA_TARGET_U : RIA_TARGET_V;
  const double u = 0.5 * (target_at(r, now, q, k) + target_at(r, now, q, l));
  const double here = adi_depth_at(s, at), there = adi_depth_at(s, next);
  if (!(u == u) || !(fmin(here, there) > s->param.flooding_depth)) return;
  void *flux = s->flux[axis][s->flux_now[axis]];
  const double share = water_relax_share(0.5 * (r->rate[k] + r->rate[l]), dt);
  const double h = 0.5 * (here + there), was = adi_get(s, flux, at);
  adi_put(s, flux, at, was + share * (u * h - was));
}

/* The column, the row beyond a face; -1: there is none. */
static int east_of(const adi *s, int i) {
  return i + 1 < s->planes.grid.nx ? i + 1 : s->rings.x ? 0 : -1;
}
static int north_of(const adi *s, int j) {
  return j + 1 < s->planes.grid.ny ? j + 1 : s->rings.y ? 0 : -1;
}

/* The face between cell k of the layer, at element `at`, and (i, j), where that is in the layer. */
static void relax_between(adi *s, const ria_relax *r, const ria_relaxing *now, enum adi_axis axis,
                          int k, int i, int j, double dt, size_t at) {
  const int64_t cell = (int64_t)j * s->planes.grid.nx + i;
  const int l = ria_relax_first(r, cell), row = ria_planes_place(&s->planes, j);
  if (l < r->n && r->cell[l] == cell && row != INT_MIN)
    relax_face(s, r, now, axis, k, l, dt, at, adi_at(s, i, row));
}

static void relax_faces(adi *s, const ria_relax *r, const ria_relaxing *now, double dt, int k,
                        size_t at) {
  const int nx = s->planes.grid.nx, i = r->cell[k] % nx, j = r->cell[k] / nx;
  const int east = east_of(s, i), north = north_of(s, j);
  if (east >= 0) relax_between(s, r, now, ADI_X, k, east, j, dt, at);
  if (north >= 0) relax_between(s, r, now, ADI_Y, k, i, north, dt, at);
}

/* Cells of the layer, or faces between them, in rows j0 .. j1 - 1 of the grid, which planes may
 * have beyond its ends. */
static void relax_rows(adi *s, int m, double dt, int j0, int j1, bool faces) {
  const ria_relax *r = &s->planes.relax[m];
  const ria_relaxing *now = &s->planes.relaxing[m];
  const int64_t nx = s->planes.grid.nx;
  const int end = j0 < j1 ? ria_relax_first(r, j1 * nx) : 0;
  for (int k = ria_relax_first(r, j0 * nx); k < end; k++) {
    const int i = (int)(r->cell[k] % nx), j = (int)(r->cell[k] / nx);
    const size_t at = adi_at(s, i, ria_planes_place(&s->planes, j));
    if (faces)
      relax_faces(s, r, now, dt, k, at);
    else
      relax_cell(s, r, now, k, dt, at, j);
  }
}

void adi_relax(adi *s, double t, double dt) {
  const ria_planes *p = &s->planes;
  const ria_part had = ria_planes_had(p);
  const int ny = p->grid.ny, beyond = p->ring && !ria_planes_whole(p) ? p->ghost_rows : 0;
  int low = p->part.j1 + beyond - ny, high = p->part.j0 - beyond + ny; /* rows of the other end */
  low = low < had.j0 ? low : had.j0;
  high = high > had.j1 ? high : had.j1;
  ria_planes_relax_at(&s->planes, t + dt);
  for (int m = 0; m < p->n_relax; m++)
    for (int faces = 0; faces < 2; faces++) {
      relax_rows(s, m, dt, 0, beyond ? low : 0, faces);
      relax_rows(s, m, dt, had.j0, had.j1, faces);
      relax_rows(s, m, dt, high, beyond ? ny : high, faces);
    }
}
