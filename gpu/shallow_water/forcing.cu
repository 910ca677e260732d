/* forcing.cu - the shallow-water solver on CUDA: what it has of a forcing beside the planes
 * (machine/planes_forcing.cu), on its way to the device.
 *
 * Lists of the cells that forcing acts on, and its values: constant ones are put in place here;
 * those that change in time are listed, and tick.cuh evaluates them between two steps. It all goes
 * into the allocation of the planes and is replaced with them: on failure everything stays as it
 * was, with the tiles as they lay (they are laid again before the first step alone). */
#include "host.cuh"

#include <stdlib.h>
#include <string.h>

/* What is copied to the device, as it is made on the host. */
typedef struct swg_parts {
  const ria_forcing_set *set; /* ratings in it are levels, */
  const int *curve;           /*   [n_stretch] with the forcing id of a curve; 0: no rating */
  swg_forcing f;              /* the new one: with addresses once the planes have placed it */
  const uint8_t *kind_there;  /* the new kinds and flags, on the device */
  const uint8_t *always_there;
  uint8_t *kind;                /* [rim] */
  swg_spread *spreads;          /* [n_stretch] */
  swg_rim_cell *spread, *level; /* [rim + 64 n_stretch], [rim] */
  swg_rim_cell *radiating;      /* [rim] */
  double *value, *conc;         /* [water_values], [n_stretch][nt]: of what is constant */
  swg_varying *varying; /* [n_stretch * (WATER_ALONG + 1 + nt) + n_sources] the rest, without
                           points; sources */
  water_place *place;   /* [WATER_ALONG][rim], where there are points */
  const water_place *place_there[WATER_ALONG];
  swg_rated *rated;         /* [n_stretch] */
  swg_rim_cell *rated_cell; /* [rim] */
  int32_t *id;              /* [n_varying] of `varying` */
  int n_varying, n_rated_cells;
  int n_rated;               /* of these: on the western and the eastern side */
  bool rating_cut;           /* steps look at cells of one that has cells in other parts */
  ria_gpu_source_cell *cell; /* [f.n_source_cells] */
  size_t n_owed;             /* cells of all sources */
  ria_relax *relax;          /* [f.n_layers] with the cells that the device has, as elements */
  ria_gpu_layer *layer;      /* [f.n_layers] */
  int n_rim;                 /* of spread: on the western and the eastern side */
  bool rim_cut;              /* one of these stretches is in this part and in another */
} swg_parts;

/* Quantities: water and tracers. */
static size_t width_of(const swg *s) { return 1 + (size_t)s->v.nt; }

/* --- to the device ---------------------------------------------------------------------------- */

/* Where on the device a value in time belongs, and its data: known once the arrays lie. */
static void aim(const swg_parts *q, swg_varying *v) {
  const swg_forcing *f = &q->f;
  v->data = f->table.data + v->forcing.first;
  if (v->of == SWG_SOURCE) {
    v->value = f->source_gives + v->slot;
    v->next = q->set->sources[v->slot].quantity == 0 ? f->source_next + v->slot : NULL;
    return;
  }
  v->next = v->of == SWG_CARRIED ? NULL : f->next + v->slot;
  v->value = (v->of == SWG_CARRIED ? f->conc : f->value) + v->slot;
}

/* Tides, and the rest number beside number. */
static void put_varying(swg_parts *q, ria_gpu_bundle *b) {
  swg_forcing *f = &q->f;
  const swg_varying *rest = q->varying + f->n_tides;
  const size_t n = (size_t)(q->n_varying - f->n_tides);
  f->tide = (const swg_varying *)ria_gpu_put(b, q->varying, (size_t)f->n_tides * sizeof *f->tide);
  f->followed = ria_gpu_put_followed(b, &q->set->table, q->id + f->n_tides, (int)n);
  f->value_of = (double *const *)ria_gpu_put(b, NULL, n * sizeof *f->value_of);
  f->next_of = (double *const *)ria_gpu_put(b, NULL, n * sizeof *f->next_of);
  f->source_of = (const int32_t *)ria_gpu_put(b, NULL, n * sizeof *f->source_of);
  for (size_t k = 0; b->host && k < n; k++) {
    ((double **)ria_gpu_on_host(b, f->value_of))[k] = rest[k].value;
    ((double **)ria_gpu_on_host(b, f->next_of))[k] = rest[k].next;
    ((int32_t *)ria_gpu_on_host(b, f->source_of))[k] = rest[k].slot;
  }
}

/* The arrays of layers, then the layers with their addresses. */
static const ria_gpu_layer *put_layers(swg_parts *q, ria_gpu_bundle *b, int n_quantities) {
  for (int k = 0; k < q->f.n_layers; k++)
    q->layer[k] = ria_gpu_put_layer(b, &q->relax[k], n_quantities);
  return (const ria_gpu_layer *)ria_gpu_put(b, q->layer, (size_t)q->f.n_layers * sizeof *q->layer);
}

void swg_put_forcing(void *self, ria_gpu_bundle *b, const ria_forcing_set *set,
                     const ria_gpu_view *fresh) {
  swg *s = (swg *)self;
  swg_parts *q = s->parts;
  swg_forcing *f = &q->f;
  const size_t n = (size_t)f->n_stretch, nt = (size_t)s->v.nt, cells = (size_t)f->n_source_cells;
  const size_t spread = (size_t)f->n_spread;
  const size_t values = (size_t)water_values(f->n_stretch, set->boundary.n_points);
  const size_t sources = (size_t)f->n_sources;
  f->table = fresh->table;
  f->sources = fresh->source;
  f->points = fresh->points;
  f->value = (double *)ria_gpu_put(b, q->value, values * sizeof *f->value);
  f->next = (double *)ria_gpu_put(b, q->value, values * sizeof *f->next);
  f->conc = (double *)ria_gpu_put(b, q->conc, n * nt * sizeof *f->conc);
  f->source_gives = (double *)ria_gpu_put(b, NULL, sources * sizeof *f->source_gives);
  f->source_next = (double *)ria_gpu_put(b, NULL, sources * sizeof *f->source_next);
  for (int k = 0; b->host && k < q->n_varying; k++) aim(q, &q->varying[k]);
  put_varying(q, b);
  f->spreads = (swg_spread *)ria_gpu_put(b, q->spreads, n * sizeof *f->spreads);
  f->spread = (const swg_rim_cell *)ria_gpu_put(b, q->spread, spread * sizeof *f->spread);
  f->weight = (double *)ria_gpu_put(b, NULL, spread * sizeof *f->weight);
  f->level = (const swg_rim_cell *)ria_gpu_put(b, q->level, (size_t)f->n_levels * sizeof *f->level);
  f->radiating = (const swg_rim_cell *)ria_gpu_put(b, q->radiating,
                                                   (size_t)f->n_radiating * sizeof *f->radiating);
  f->rated = (const swg_rated *)ria_gpu_put(b, q->rated, (size_t)f->n_rated * sizeof *f->rated);
  f->rated_cell = (const swg_rim_cell *)ria_gpu_put(
      b, q->rated_cell, (size_t)q->n_rated_cells * sizeof *f->rated_cell);
  f->source_cell =
      (const ria_gpu_source_cell *)ria_gpu_put(b, q->cell, cells * sizeof *f->source_cell);
  f->source_owed = (double *)ria_gpu_put(b, NULL, q->n_owed * sizeof *f->source_owed);
  f->layer = put_layers(q, b, 1 + s->v.nt);
  q->kind_there = (const uint8_t *)ria_gpu_put(b, q->kind, rim_of(s));
  q->always_there = (const uint8_t *)ria_gpu_put(b, s->always, most_tiles_of(s));
  for (int k = 0; q->place && k < WATER_ALONG; k++)
    q->place_there[k] = (const water_place *)ria_gpu_put(b, q->place + (size_t)k * rim_of(s),
                                                         rim_of(s) * sizeof *q->place);
}

/* --- lists ------------------------------------------------------------------------------------ */

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

/* --- replacing it ----------------------------------------------------------------------------- */

/* A wind that does not change is put where it is used. */
static void set_wind(swg *s, const ria_forcing_set *set) {
  const int *wind = s->v.forcing.wind;
  ria_wind_at(&s->v.p.forces, &set->table, wind, 0.0, s->v.wind);
  s->v.forced = sw_is_forced(&s->v.p, &set->table, wind);
  s->v.gusts = 0;
  for (int k = 0; s->v.forced && k < RIA_WIND_VALUES; k++)
    s->v.gusts |= set->table.entry[wind[k]].kind != RIA_FORCING_CONSTANT;
}

/* The new forcing is on the device. */
static void take_over(swg *s, const swg_parts *q) {
  swg_view *v = &s->v;
  v->forcing = q->f;
  v->rim.kind = q->kind_there;
  v->rim.owner = s->p.v.owner;
  v->always = q->always_there;
  memcpy(v->rim.place, q->place_there, sizeof v->rim.place);
  set_wind(s, q->set);
  s->undriven = q->f.n_sources == 0 && q->f.n_layers == 0 && !v->gusts;
  v->pace.relaxed = sw_relaxed(&v->p, &s->p.grid, q->set->relax, q->set->n_relax);
  for (int k = 0; k < q->f.n_layers; k++) s->layer_cells[k] = q->relax[k].n;
  s->n_rim = ria_gpu_whole(&s->p) ? 0 : q->n_rim;
  s->rim_cut = q->rim_cut;
  s->n_rated = ria_gpu_whole(&s->p) ? 0 : q->n_rated;
  s->rating_cut = q->rating_cut;
  s->lives = false;
  for (size_t r = 0; r < rim_of(s); r++) {
    if (!water_side_is_shut(q->kind[r])) s->undriven = false;
    s->lives |= water_side_has_level(q->kind[r]) || q->kind[r] == SIDE_DISCHARGE;
  }
  v->alone = s->undriven && ria_gpu_whole(&s->p);
}

static ria_status take_parts(swg *s, swg_parts *q) {
  const size_t n = (size_t)q->f.n_stretch + 1, rim = rim_of(s) + 1;
  const size_t varying = n * (WATER_ALONG + width_of(s)) + (size_t)q->f.n_sources;
  q->kind = (uint8_t *)calloc(rim, 1);
  q->spreads = (swg_spread *)calloc(n, sizeof *q->spreads);
  q->spread = (swg_rim_cell *)calloc(rim + 64 * n, sizeof *q->spread);
  q->level = (swg_rim_cell *)calloc(rim, sizeof *q->level);
  q->radiating = (swg_rim_cell *)calloc(rim, sizeof *q->radiating);
  q->rated = (swg_rated *)calloc(n, sizeof *q->rated);
  q->rated_cell = (swg_rim_cell *)calloc(rim, sizeof *q->rated_cell);
  const int values = water_values(q->f.n_stretch, q->set->boundary.n_points);
  q->value = (double *)calloc((size_t)values + 1, sizeof *q->value);
  q->conc = (double *)calloc(n * width_of(s), sizeof *q->conc);
  q->varying = (swg_varying *)calloc(varying, sizeof *q->varying);
  q->id = (int32_t *)calloc(varying, sizeof *q->id);
  q->cell =
      (ria_gpu_source_cell *)calloc(ria_gpu_most_source_cells(&s->p, q->set) + 1, sizeof *q->cell);
  q->relax = ria_relax_copy(q->set->relax, q->f.n_layers);
  q->layer = (ria_gpu_layer *)calloc((size_t)q->f.n_layers + 1, sizeof *q->layer);
  int *grown = (int *)realloc(s->layer_cells, ((size_t)q->f.n_layers + 1) * sizeof *grown);
  if (grown) s->layer_cells = grown;
  const bool all = grown && q->relax && q->layer && q->kind && q->spreads && q->spread &&
                   q->level && q->radiating && q->value && q->conc && q->varying && q->id &&
                   q->cell && q->rated && q->rated_cell;
  return all ? RIA_OK : ria_gpu_no_memory(&s->p, "the forcing");
}

static void drop_parts(swg_parts *q) {
  free(q->kind);
  free(q->spreads);
  free(q->spread);
  free(q->level);
  free(q->radiating);
  free(q->rated);
  free(q->rated_cell);
  free(q->value);
  free(q->conc);
  free(q->varying);
  free(q->id);
  free(q->place);
  free(q->cell);
  ria_relax_free(q->relax, q->relax ? q->f.n_layers : 0);
  free(q->layer);
}

/* With the tiles laid out. */
static ria_status replace_forcing(swg *s, swg_parts *q) {
  RIA_TRY(take_parts(s, q));
  list_rim(s, q);
  list_all_values(s, q);
  RIA_TRY(lay_points(s, q));
  list_ratings(s, q);
  list_cells(s, q);
  for (int k = 0; k < q->f.n_layers; k++) ria_gpu_list_layer(&s->p, &q->relax[k], 0, s->v.stride);
  swg_tell_tiles(s, q->kind, q->cell, q->f.n_source_cells);
  s->parts = q;
  const ria_status status = ria_gpu_planes_force(s, q->set);
  s->parts = NULL;
  if (status == RIA_OK) take_over(s, q);
  return status;
}

/* The set with levels for ratings; stretch, curve: [n], to be freed. */
static ria_forcing_set with_levels(const ria_forcing_set *set, ria_stretch *stretch, int *curve) {
  ria_forcing_set levels = *set;
  for (int k = 0; k < set->boundary.n; k++) {
    stretch[k] = set->boundary.stretch[k];
    curve[k] = stretch[k].kind == SIDE_RATING ? stretch[k].value[0] : 0;
    if (curve[k]) stretch[k].kind = SIDE_LEVEL;
  }
  levels.boundary.stretch = stretch;
  return levels;
}

static ria_status force_levels(swg *s, const ria_forcing_set *set, const int *curve) {
  sw_outlets outlets;
  swg_parts q;
  memset(&q, 0, sizeof q);
  q.set = set;
  q.curve = curve;
  q.f.n_stretch = set->boundary.n;
  q.f.n_sources = set->n_sources;
  q.f.n_layers = set->n_relax;
  memcpy(q.f.wind, set->varying, sizeof q.f.wind);
  RIA_TRY(ria_gpu_enter(&s->p));
  const bool whole = ria_gpu_whole(&s->p);
  s->n_list = 0;
  RIA_TRY(sw_judge_outlets(s->p.ctx, &s->p.grid, set,
                           whole ? ria_gpu_planes_sample : swg_sample_noted, s, &outlets));
  const swg_view had = s->v;
  const water_rings rings = water_rings_of(&set->boundary, &s->p.grid);
  s->p.ready = false; /* what is known of tiles goes with how they lie */
  s->v.ring_x = rings.x;
  swg_set_ring(s, rings.y);
  ria_status status = swg_fit_tiles(s);
  if (status == RIA_OK) status = replace_forcing(s, &q);
  drop_parts(&q);
  if (status != RIA_OK) {
    swg_set_ring(s, had.ring_y);
    s->v = had;
    return status;
  }
  ria_loop_stale(&s->loop);
  if (whole)
    swg_know_outlets(s, &outlets);
  else
    swg_say_outlets(s);
  return RIA_OK;
}

ria_status swg_force(void *self, const ria_forcing_set *set) {
  swg *s = (swg *)self;
  const size_t n = (size_t)set->boundary.n + 1;
  ria_stretch *stretch = (ria_stretch *)calloc(n, sizeof *stretch);
  int *curve = (int *)calloc(n, sizeof *curve);
  ria_status status = ria_gpu_no_memory(&s->p, "the forcing");
  if (stretch && curve) {
    const ria_forcing_set levels = with_levels(set, stretch, curve);
    status = force_levels(s, &levels, curve);
  }
  free(stretch);
  free(curve);
  return status;
}

void swg_know_outlets(swg *s, const sw_outlets *outlets) {
  s->outlets = *outlets;
  if (s->progress.steps == 0)
    memcpy(s->progress.warning, s->outlets.warning, sizeof s->progress.warning);
}
