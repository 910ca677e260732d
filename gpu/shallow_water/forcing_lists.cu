/* gpu/shallow_water/forcing_lists.cu - the shallow-water solver on CUDA: lists of the cells that
 * forcing acts on, and of its values that change in time. */
#include "forcing.cuh"

#include <math.h>
#include <stdlib.h>

/* --- cells ------------------------------------------------------------------------------------ */

/* From how cells of a side are counted on the device to how they are in the grid: more. */
static int side_base(const swg *s, int side) { return ria_side_along_x(side) ? s->p.base : 0; }

/* The k-th cell of a side, as the device counts them; at = -1: it is another part's. */
static swg_rim_cell rim_cell(const swg *s, const ria_boundary_set *b, int side, int k) {
  int i, j;
  ria_side_cell_of(s->v.nx, s->v.ny, side, k, &i, &j);
  const int owner = b->owner[side][k + side_base(s, side)];
  const bool own = j >= s->v.begin && j < s->v.end;
  return {s->v.rim.first[side] + k, own ? j * s->v.stride + i : -1,
          j * s->p.grid.nx + i,     owner,
          b->stretch[owner].kind,   side};
}

/* The cells of a side that a discharge is spread over: of the western and the eastern those of all
 * parts, as the device counts them. */
static ria_side_cells spread_cells(const swg *s, int side) {
  const ria_side_cells all = {-s->p.base, s->p.grid.ny - s->p.base};
  return ria_side_along_x(side) ? all : ria_gpu_side(&s->p, side);
}

/* Fill up with what has no cell, but the stretch of the last one. */
static void fill_spread(swg_parts *q, int lanes) {
  for (int *end = &q->f.n_spread; *end % lanes != 0; (*end)++) {
    q->spread[*end] = q->spread[*end - 1];
    q->spread[*end].rim = -1;
  }
}

/* List the cells of one stretch with a discharge. */
static void list_spread(swg *s, swg_parts *q, int stretch) {
  const ria_boundary_set *b = &q->set->boundary;
  const int side = b->stretch[stretch].side;
  swg_spread *to = &q->spreads[stretch];
  int *end = &q->f.n_spread;
  const ria_side_cells here = spread_cells(s, side);
  int n = 0, own = 0;
  for (int k = here.from; k < here.to; k++) n += b->owner[side][k + side_base(s, side)] == stretch;
  to->n = n;
  to->lanes = ria_gpu_lanes_of(n);
  to->length = ria_side_along_x(side) ? s->p.grid.dy : s->p.grid.dx;
  to->width = n * to->length;
  if (n > 0) fill_spread(q, to->lanes);
  to->first = *end;
  for (int k = here.from; k < here.to; k++)
    if (b->owner[side][k + side_base(s, side)] == stretch)
      q->spread[(*end)++] = rim_cell(s, b, side, k);
  for (int e = to->first; e < *end; e++) own += q->spread[e].at >= 0;
  q->rim_cut |= own > 0 && own < n;
  if (n > 0) fill_spread(q, to->lanes);
}

/* As rim_cell, but that the cell may lie in a ghost row. */
static swg_rim_cell rated_cell(const swg *s, const ria_boundary_set *b, int side, int k) {
  swg_rim_cell c = rim_cell(s, b, side, k);
  if (!ria_side_along_x(side)) c.at = c.cell / s->v.nx * s->v.stride + c.cell % s->v.nx;
  return c;
}

/* Do steps look at the k-th cell of a side? It is the part's own, or in its ghost rows. */
static bool looks_at(const swg *s, int side, int k) {
  const int north = s->p.grid.ny - 1;
  const int j = ria_side_along_x(side) ? k + s->p.base : side == RIA_SOUTH ? 0 : north;
  return ria_gpu_place(&s->p, j) >= 0;
}

/* List the cells of a rating: its level follows from them all, of other parts too. Where none is
 * looked at here there is nothing to work out. */
static void list_rating(swg *s, swg_parts *q, int stretch) {
  const ria_boundary_set *b = &q->set->boundary;
  const int side = b->stretch[stretch].side, first = q->n_rated_cells;
  const bool upright = ria_side_along_x(side);
  const ria_side_cells along = spread_cells(s, side), across = {0, s->p.grid.nx};
  const ria_side_cells all = upright ? along : across;
  int here = 0, seen = 0;
  for (int k = all.from; k < all.to; k++) {
    if (b->owner[side][k + side_base(s, side)] != stretch) continue;
    const bool sees = looks_at(s, side, k);
    if (!upright && !sees) return;
    const swg_rim_cell c = rated_cell(s, b, side, k);
    here += c.at >= 0;
    seen += sees;
    q->rated_cell[q->n_rated_cells++] = c;
  }
  const int n = q->n_rated_cells - first;
  q->rating_cut |= seen > 0 && here < n;
  const double length = upright ? s->p.grid.dy : s->p.grid.dx;
  if (seen > 0)
    q->rated[q->f.n_rated++] = {q->set->table.entry[q->curve[stretch]], length, first, n, stretch};
}

static void list_rim(swg *s, swg_parts *q) {
  const ria_boundary_set *b = &q->set->boundary;
  size_t rim = 0;
  for (int side = 0; side < RIA_SIDES; side++) {
    const ria_side_cells here = ria_gpu_side(&s->p, side);
    for (int k = 0; k < ria_side_length(&s->p.grid, (ria_side)side); k++)
      q->kind[rim++] = (uint8_t)b->stretch[b->owner[side][k]].kind;
    for (int k = here.from; k < here.to; k++) {
      const swg_rim_cell c = rim_cell(s, b, side, k);
      if (c.kind == SIDE_LEVEL && !q->curve[c.owner]) q->level[q->f.n_levels++] = c;
      if (c.kind == SIDE_RADIATE) q->radiating[q->f.n_radiating++] = c;
    }
  }
  for (int along_x = 1; along_x >= 0; along_x--) {
    for (int k = 0; k < b->n; k++)
      if (b->stretch[k].kind == SIDE_DISCHARGE && ria_side_along_x(b->stretch[k].side) == along_x)
        list_spread(s, q, k);
    if (along_x) q->n_rim = q->f.n_spread; /* parts tell each other of these */
  }
  if (q->f.n_spread > 0) fill_spread(q, 32);
}

static void list_ratings(swg *s, swg_parts *q) {
  const ria_boundary_set *b = &q->set->boundary;
  for (int along_x = 1; along_x >= 0; along_x--) {
    for (int k = 0; k < b->n; k++)
      if (q->curve[k] && ria_side_along_x(b->stretch[k].side) == along_x) list_rating(s, q, k);
    if (along_x) q->n_rated = q->n_rated_cells; /* parts tell each other of these */
  }
}

static void list_cells(swg *s, swg_parts *q) {
  swg_forcing *f = &q->f;
  for (int k = 0; k < f->n_sources; k++) {
    f->n_water += q->set->sources[k].quantity == 0;
    q->n_owed += (size_t)q->set->sources[k].n;
  }
  f->n_source_cells = ria_gpu_list_source_cells(&s->p, q->set, q->cell);
  for (int k = 0; k < f->n_source_cells; k++) {
    ria_gpu_source_cell *c = &q->cell[k];
    f->n_water_cells += c->quantity == 0;
    if (c->at >= 0) c->at = c->at / s->v.nx * s->v.stride + c->at % s->v.nx;
  }
}

/* --- values ----------------------------------------------------------------------------------- */

/* Among those that are evaluated: tides first, then (tides false) the rest. */
static void list_varying(swg_parts *q, bool tides, int id, double t_start, double t_stop, swg_of of,
                         int slot) {
  const ria_forcing f = q->set->table.entry[id];
  if (tides != (f.kind == RIA_FORCING_TIDE)) return;
  q->varying[q->n_varying] = {f, NULL, NULL, NULL, t_start, t_stop, slot, of};
  q->id[q->n_varying++] = id;
}

/* One value of a stretch, or a concentration: now if it is constant. */
static void list_value(swg_parts *q, bool tides, int id, double *constant, swg_of of, int slot) {
  if (q->set->table.entry[id].kind == RIA_FORCING_CONSTANT)
    constant[slot] = ria_forcing_at(&q->set->table, id, 0.0);
  else
    list_varying(q, tides, id, 0, 0, of, slot);
}

/* Values at points are the planes' (ria_gpu_points); here is where cells find them. */
static ria_status lay_points(swg *s, swg_parts *q) {
  const size_t rim = rim_of(s);
  if (q->set->boundary.n_points == 0) return RIA_OK;
  q->place = (water_place *)malloc(WATER_ALONG * rim * sizeof *q->place);
  if (!q->place) return ria_gpu_no_memory(&s->p, "the forcing");
  for (int k = 0; k < WATER_ALONG; k++)
    water_lay_places(&q->set->boundary, &s->p.grid, k, q->place + (size_t)k * rim);
  return RIA_OK;
}

/* Is a value of a stretch given at points? */
static bool at_points(const ria_boundary_set *b, int stretch, int value) {
  for (int k = 0; k < b->n_points; k++)
    if (b->point[k].stretch == stretch && b->point[k].value == value) return true;
  return false;
}

/* Values of a stretch that may differ along it. */
static void list_outside(swg_parts *q, int stretch, bool tides) {
  const ria_boundary_set *b = &q->set->boundary;
  const ria_stretch *of = &b->stretch[stretch];
  const int values = of->kind == SIDE_RADIATE ? (int)WATER_ALONG : 1;
  for (int k = 0; k < values; k++)
    if (!at_points(b, stretch, k))
      list_value(q, tides, of->value[k], q->value, SWG_STRETCH, k * b->n + stretch);
}

static void list_values(swg *s, swg_parts *q, bool tides) {
  const int nt = s->v.nt;
  for (int k = 0; k < q->set->boundary.n; k++) {
    const ria_stretch *b = &q->set->boundary.stretch[k];
    q->value[k] = NAN;
    if (water_side_has_value(b->kind) && !q->curve[k]) list_outside(q, k, tides);
    if (b->kind == SIDE_DISCHARGE)
      q->f.discharges_vary |= q->set->table.entry[b->value[0]].kind != RIA_FORCING_CONSTANT;
    for (int m = 0; b->kind != SIDE_WALL && m < nt; m++)
      list_value(q, tides, b->tracer[m], q->conc, SWG_CARRIED, k * nt + m);
  }
}

static void list_rates(swg_parts *q, bool tides) {
  for (int k = 0; k < q->f.n_sources; k++) {
    const ria_source *from = &q->set->sources[k];
    list_varying(q, tides, from->rate, from->t_start, from->t_stop, SWG_SOURCE, k);
  }
}

static void list_all_values(swg *s, swg_parts *q) {
  list_values(s, q, true);
  list_rates(q, true);
  q->f.n_tides = q->n_varying;
  list_values(s, q, false);
  q->f.first_source = q->n_varying - q->f.n_tides;
  list_rates(q, false);
}

/* --- all -------------------------------------------------------------------------------------- */

ria_status swg_list_forcing(swg *s, swg_parts *q) {
  list_rim(s, q);
  list_all_values(s, q);
  RIA_TRY(lay_points(s, q));
  list_ratings(s, q);
  list_cells(s, q);
  return RIA_OK;
}
