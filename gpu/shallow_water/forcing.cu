/* forcing.cu - the shallow-water solver on CUDA: boundaries and sources on their way
 * to the device, and the account of what crossed the rim.
 *
 * The engine hands over all forcing whenever any of it changes. All of the new is on the device, in
 * two allocations, before any of the old goes. If the tile layout changes (only before the first
 * step) the old forcing no longer fits: after a failure no step runs until the engine calls force
 * again. Constant values are put in place here; those that change in time are listed, and tick.cuh
 * evaluates them between two steps. */
#include "host.cuh"

#include <stdlib.h>
#include <string.h>

/* Several arrays in one allocation on the device: measured first, then filled in the same order. */
typedef struct pack {
  char *host, *device; /* NULL while measuring */
  size_t used;
} pack;

static void *packed(pack *p, const void *from, size_t bytes) {
  const size_t at = p->used;
  p->used += (bytes + 15) / 16 * 16;
  if (!p->host) return NULL;
  if (from && bytes) memcpy(p->host + at, from, bytes);
  return p->device + at;
}

/* Fill twice: to measure, then for good. *device is fresh memory. */
static ria_status pack_arrays(swg *s, const char *what, void (*put)(pack *, void *), void *user,
                              void **device) {
  pack p = {NULL, NULL, 0};
  put(&p, user);
  void *fresh = NULL;
  RIA_TRY(ria_cuda_alloc(s->ctx, p.used ? p.used : 16, what, &fresh));
  pack full = {(char *)calloc(p.used ? p.used : 16, 1), (char *)fresh, 0};
  if (!full.host) {
    cudaFree(fresh);
    return swg_no_memory(s, what);
  }
  put(&full, user);
  cudaError_t e = copy_in(s, fresh, full.host, full.used);
  if (e == cudaSuccess) e = cudaStreamSynchronize(s->stream);
  free(full.host);
  if (e != cudaSuccess) {
    cudaFree(fresh);
    return ria_cuda_fail(s->ctx, e, "copying the forcing");
  }
  *device = fresh;
  return RIA_OK;
}

/* Where on the device a value in time belongs, and its data: known once the arrays lie. */
static void aim(const swg_forcing *f, swg_varying *v, int nt) {
  v->data = f->table.data + v->forcing.first;
  v->next = v->tracer < 0 ? f->next + v->stretch : NULL;
  v->value = v->tracer < 0 ? f->value + v->stretch : f->conc + v->stretch * nt + v->tracer;
}

/* What is copied to the device, as it is made on the host. */
typedef struct forcing_parts {
  swg *s;
  const ria_forcing_set *set;
  swg_forcing *f;
  swg_rim rim;
  int32_t *owner;               /* [n_rim] */
  uint8_t *kind;                /* [n_rim] */
  swg_spread *spreads;          /* [n_stretch] */
  swg_rim_cell *spread, *level; /* [n_rim + 32 n_stretch], [n_rim] */
  double *value, *conc;         /* [n_stretch], [n_stretch][nt]: of what is constant */
  swg_varying *varying;         /* [n_stretch * (1 + nt)] the rest */
  swg_source *sources;          /* [n_sources] */
  swg_source_cell *cell;        /* of all sources, one after another */
  int n_cells;
} forcing_parts;

static void put_forcing(pack *p, void *user) {
  forcing_parts *q = (forcing_parts *)user;
  const ria_forcing_set *set = q->set;
  swg_forcing *f = q->f;
  const size_t n = (size_t)f->n_stretch, nt = (size_t)q->s->v.nt;
  const size_t cells = (size_t)q->n_cells, varying = (size_t)f->n_varying;
  f->table.entry = (const ria_forcing *)packed(p, set->table.entry,
                                               (size_t)set->table.n * sizeof *set->table.entry);
  f->table.data =
      (const double *)packed(p, set->table.data, (size_t)set->table.n_data * sizeof(double));
  f->value = (double *)packed(p, q->value, n * sizeof(double));
  f->next = (double *)packed(p, q->value, n * sizeof(double));
  f->conc = (double *)packed(p, q->conc, n * nt * sizeof(double));
  for (size_t k = 0; k < varying; k++) aim(f, &q->varying[k], (int)nt);
  f->varying = (const swg_varying *)packed(p, q->varying, varying * sizeof *f->varying);
  f->spreads = (swg_spread *)packed(p, q->spreads, n * sizeof *f->spreads);
  f->spread = (const swg_rim_cell *)packed(p, q->spread, (size_t)f->n_spread * sizeof *f->spread);
  f->weight = (double *)packed(p, NULL, (size_t)f->n_spread * sizeof *f->weight);
  f->level = (const swg_rim_cell *)packed(p, q->level, (size_t)f->n_levels * sizeof *f->level);
  f->sources = (const swg_source *)packed(p, q->sources, (size_t)f->n_sources * sizeof *f->sources);
  f->source_cell = (const swg_source_cell *)packed(p, q->cell, cells * sizeof *f->source_cell);
  f->source_owed = (double *)packed(p, NULL, cells * sizeof *f->source_owed);
  f->source_next = (double *)packed(p, NULL, (size_t)f->n_sources * sizeof *f->source_next);
}

static void put_rim(pack *p, void *user) {
  forcing_parts *q = (forcing_parts *)user;
  swg *s = q->s;
  q->rim.kind = (const uint8_t *)packed(p, q->kind, s->n_rim);
  q->rim.owner = (const int32_t *)packed(p, q->owner, s->n_rim * sizeof *q->owner);
  q->rim.share = (double *)packed(p, NULL, s->n_rim * sizeof(double));
  q->rim.edge = packed(p, NULL, s->n_rim * (4 + (size_t)s->v.nt) * (size_t)s->kernel->real_size);
}

static int tile_of(const swg *s, int i, int j) {
  return swg_tile_row(s->v.band, j) * s->v.tiles_x + i / SWG_COLUMNS;
}

/* The k-th cell of a side. */
static swg_rim_cell rim_cell(const swg *s, const ria_boundary_set *b, int side, int k) {
  const int i = side == RIA_WEST ? 0 : side == RIA_EAST ? s->grid.nx - 1 : k;
  const int j = side == RIA_SOUTH ? 0 : side == RIA_NORTH ? s->grid.ny - 1 : k;
  const int owner = b->owner[side][k];
  return {s->v.rim.first[side] + k, j * s->v.stride + i,
          j * s->grid.nx + i,       owner,
          b->stretch[owner].kind,   side};
}

/* List the cells of one stretch with a discharge, and fill up the last group of 32. */
static void list_spread(swg *s, forcing_parts *q, int stretch) {
  const ria_boundary_set *b = &q->set->boundary;
  const int side = b->stretch[stretch].side;
  swg_spread *to = &q->spreads[stretch];
  int *end = &q->f->n_spread;
  to->first = *end;
  for (int k = 0; k < ria_side_length(&s->grid, (ria_side)side); k++)
    if (b->owner[side][k] == stretch) q->spread[(*end)++] = rim_cell(s, b, side, k);
  to->n = *end - to->first;
  to->length = side == RIA_WEST || side == RIA_EAST ? s->grid.dy : s->grid.dx;
  to->width = to->n * to->length;
  for (; *end % 32 != 0; (*end)++) {
    q->spread[*end] = q->spread[to->first];
    q->spread[*end].rim = -1;
  }
}

static void list_rim(swg *s, forcing_parts *q) {
  const ria_boundary_set *b = &q->set->boundary;
  for (int side = 0; side < RIA_SIDES; side++)
    for (int k = 0; k < ria_side_length(&s->grid, (ria_side)side); k++) {
      const swg_rim_cell c = rim_cell(s, b, side, k);
      q->owner[c.rim] = c.owner;
      q->kind[c.rim] = (uint8_t)c.kind;
      if (c.kind == SIDE_LEVEL) q->level[q->f->n_levels++] = c;
      if (c.kind != SIDE_WALL) s->always[tile_of(s, c.cell % s->grid.nx, c.cell / s->grid.nx)] = 1;
    }
  for (int k = 0; k < b->n; k++)
    if (b->stretch[k].kind == SIDE_DISCHARGE) list_spread(s, q, k);
}

static void list_sources(swg *s, forcing_parts *q) {
  for (int k = 0; k < q->set->n_sources; k++) {
    const ria_source *from = &q->set->sources[k];
    q->sources[k] = {from->quantity, from->rate, q->n_cells, from->n, from->t_start, from->t_stop};
    q->f->n_water += from->quantity == 0;
    for (int e = 0; e < from->n; e++) {
      const int i = from->cell[e] % s->grid.nx, j = from->cell[e] / s->grid.nx;
      q->cell[q->n_cells++] = {j * s->v.stride + i, tile_of(s, i, j), from->weight[e]};
      s->always[tile_of(s, i, j)] = 1;
    }
  }
}

/* One value of a stretch: now if it is constant, else among those that are evaluated. */
static void list_value(forcing_parts *q, int stretch, int tracer, int id, double *constant) {
  const ria_forcing f = q->set->table.entry[id];
  if (f.kind == RIA_FORCING_CONSTANT)
    *constant = ria_forcing_at(&q->set->table, id, 0.0);
  else
    q->varying[q->f->n_varying++] = {f, NULL, NULL, NULL, stretch, tracer};
}

static void list_values(swg *s, forcing_parts *q) {
  const int nt = s->v.nt;
  for (int k = 0; k < q->set->boundary.n; k++) {
    const ria_stretch *b = &q->set->boundary.stretch[k];
    q->value[k] = NAN;
    if (water_side_has_value(b->kind)) list_value(q, k, -1, b->value[0], &q->value[k]);
    if (b->kind == SIDE_DISCHARGE)
      q->f->discharges_vary |= q->set->table.entry[b->value[0]].kind != RIA_FORCING_CONSTANT;
    for (int m = 0; b->kind != SIDE_WALL && m < nt; m++)
      list_value(q, k, m, b->tracer[m], &q->conc[k * nt + m]);
  }
}

/* Totals by stretch keep their values; new stretches start at zero. */
static ria_status grow_totals(swg *s, int n) {
  const size_t had = (size_t)s->n_stretch * width_of(s), want = (size_t)n * width_of(s);
  double **both[] = {&s->stretch_in, &s->stretch_out};
  for (int k = 0; k < 2; k++) {
    double *p = (double *)realloc(*both[k], (want ? want : 1) * sizeof *p);
    if (!p) return swg_no_memory(s, "the boundaries");
    for (size_t m = had; m < want; m++) p[m] = 0;
    *both[k] = p;
  }
  s->n_stretch = n;
  return RIA_OK;
}

ria_status swg_get_crossed(swg *s) {
  SWG_TRY("reading the boundary",
          copy_out(s, s->crossed, s->v.rim.crossed, s->n_rim * width_of(s) * sizeof *s->crossed));
  return RIA_OK;
}

/* Enter what rim cells counted into totals of the stretches that there are. */
void swg_add_crossed(const swg *s, int n, double *in, double *out) {
  const size_t width = width_of(s);
  for (size_t r = 0; r < s->n_rim; r++)
    for (size_t m = 0; m < width && s->owner[r] < n; m++) {
      in[(size_t)s->owner[r] * width + m] += s->crossed[r * width + m].in;
      out[(size_t)s->owner[r] * width + m] += s->crossed[r * width + m].out;
    }
}

static ria_status fold_crossed(swg *s) {
  if (s->n_stretch == 0) return RIA_OK;
  RIA_TRY(swg_get_crossed(s));
  swg_add_crossed(s, s->n_stretch, s->stretch_in, s->stretch_out);
  for (size_t k = 0; k < s->n_rim * width_of(s); k++) s->crossed[k].in = s->crossed[k].out = 0;
  SWG_TRY("setting the boundary",
          copy_in(s, s->v.rim.crossed, s->crossed, s->n_rim * width_of(s) * sizeof *s->crossed));
  SWG_TRY("setting the boundary", cudaStreamSynchronize(s->stream));
  return RIA_OK;
}

/* A wind that does not change is put where it is used. */
static void set_wind(swg *s, forcing_parts *q) {
  const ria_forcing_set *set = q->set;
  memcpy(q->f->wind, set->varying, sizeof q->f->wind);
  ria_wind_at(&s->v.p.forces, &set->table, q->f->wind, 0.0, s->v.wind);
  s->v.forced = sw_is_forced(&s->v.p, &set->table, q->f->wind);
  s->v.gusts = 0;
  for (int k = 0; s->v.forced && k < RIA_WIND_VALUES; k++)
    s->v.gusts |= set->table.entry[q->f->wind[k]].kind != RIA_FORCING_CONSTANT;
}

/* All of the new forcing is on the device before any of the old goes. */
static ria_status replace_forcing(swg *s, forcing_parts *q) {
  void *rim = NULL, *forcing = NULL;
  memset(s->always, 0, tiles_of(s));
  list_rim(s, q);
  list_values(s, q);
  list_sources(s, q);
  ria_status status = pack_arrays(s, "the boundary", put_rim, q, &rim);
  if (status == RIA_OK) status = pack_arrays(s, "the forcing", put_forcing, q, &forcing);
  cudaError_t e = cudaSuccess;
  if (status == RIA_OK) e = copy_in(s, (void *)s->v.always, s->always, tiles_of(s));
  if (status == RIA_OK && e == cudaSuccess) e = cudaStreamSynchronize(s->stream);
  if (e != cudaSuccess) status = ria_cuda_fail(s->ctx, e, "setting the boundary");
  if (status != RIA_OK) {
    cudaFree(rim);
    cudaFree(forcing);
    return status;
  }
  cudaFree(s->rim);
  cudaFree(s->forcing);
  s->rim = rim;
  s->forcing = forcing;
  s->v.rim = q->rim;
  set_wind(s, q);
  s->v.forcing = *q->f;
  memcpy(s->owner, q->owner, s->n_rim * sizeof *s->owner);
  s->v.alone = q->f->n_sources == 0 && !s->v.gusts;
  for (size_t r = 0; r < s->n_rim; r++)
    if (q->kind[r] != SIDE_WALL) s->v.alone = 0;
  return RIA_OK;
}

static ria_status take_parts(swg *s, forcing_parts *q) {
  const size_t n = (size_t)q->f->n_stretch + 1, rim = s->n_rim + 1;
  size_t cells = 1;
  for (int k = 0; k < q->f->n_sources; k++) cells += (size_t)q->set->sources[k].n;
  q->owner = (int32_t *)calloc(rim, sizeof *q->owner);
  q->kind = (uint8_t *)calloc(rim, 1);
  q->spreads = (swg_spread *)calloc(n, sizeof *q->spreads);
  q->spread = (swg_rim_cell *)calloc(rim + 32 * n, sizeof *q->spread);
  q->level = (swg_rim_cell *)calloc(rim, sizeof *q->level);
  q->value = (double *)calloc(n, sizeof *q->value);
  q->conc = (double *)calloc(n * width_of(s), sizeof *q->conc);
  q->varying = (swg_varying *)calloc(n * width_of(s), sizeof *q->varying);
  q->sources = (swg_source *)calloc((size_t)q->f->n_sources + 1, sizeof *q->sources);
  q->cell = (swg_source_cell *)calloc(cells, sizeof *q->cell);
  const bool all = q->owner && q->kind && q->spreads && q->spread && q->level && q->value &&
                   q->conc && q->varying && q->sources && q->cell;
  return all ? RIA_OK : swg_no_memory(s, "the forcing");
}

static void drop_parts(forcing_parts *q) {
  free(q->owner);
  free(q->kind);
  free(q->spreads);
  free(q->spread);
  free(q->level);
  free(q->value);
  free(q->conc);
  free(q->varying);
  free(q->sources);
  free(q->cell);
}

ria_status swg_force(void *self, const ria_forcing_set *set) {
  swg *s = (swg *)self;
  RIA_TRY(enter(s));
  RIA_TRY(fold_crossed(s));
  RIA_TRY(grow_totals(s, set->boundary.n));
  swg_drop_graphs(s);
  s->ready = false;
  RIA_TRY(swg_fit_tiles(s));
  swg_forcing f;
  memset(&f, 0, sizeof f);
  f.n_stretch = set->boundary.n;
  f.n_sources = set->n_sources;
  f.table.n = set->table.n;
  f.table.n_data = set->table.n_data;
  forcing_parts q;
  memset(&q, 0, sizeof q);
  q.s = s;
  q.rim = s->v.rim;
  q.set = set;
  q.f = &f;
  ria_status status = take_parts(s, &q);
  if (status == RIA_OK) status = replace_forcing(s, &q);
  drop_parts(&q);
  if (status == RIA_OK)
    status = sw_judge_outlets(s->ctx, &s->grid, set, swg_sample, s, &s->outlets);
  if (status == RIA_OK && s->progress.steps == 0)
    memcpy(s->progress.warning, s->outlets.warning, sizeof s->progress.warning);
  return status;
}
