/* gpu/shallow_water/forcing.cu - the shallow-water solver on CUDA: what it has of a forcing beside
 * the planes (machine/planes_forcing.cu), on its way to the device.
 *
 * Lists of the cells that forcing acts on (forcing_lists.cu), and its values: constant ones are put
 * in place here; those that change in time are listed, and tick.cuh evaluates them between two
 * steps. It all goes into the allocation of the planes and is replaced with them: on failure
 * everything stays as it was, with the tiles as they lay (they are laid again before the first step
 * alone). */
#include "forcing.cuh"

#include <stdlib.h>
#include <string.h>

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

/* Quantities: water and tracers. */
static size_t width_of(const swg *s) { return 1 + (size_t)s->v.nt; }

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
  RIA_TRY(swg_list_forcing(s, q));
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
