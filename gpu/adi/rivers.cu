/* gpu/adi/rivers.cu - boundaries and sources of the implicit solver as threads share them
 * (adig_rivers), on their way to the device: they go with the forcing, and are replaced with it. */
#include "host.cuh"

#include <stdlib.h>

typedef struct adig_lists {
  const ria_forcing_set *set;
  adig_rivers to; /* with addresses once the planes have placed it */
  adig_spread_cell *cell;
  adig_spread *spread;         /* [n_stretch] */
  ria_gpu_source_cell *source; /* [to.n_source_cells] */
  size_t n_owed;               /* cells of all sources */
  int32_t *id;                 /* [n_ids] of what is followed */
  int n_ids;
} adig_lists;

/* Fill up with what has no cell, but the stretch of the last one. */
static int fill_up(adig_spread_cell *cell, int end, int lanes) {
  for (; end % lanes != 0; end++) {
    cell[end] = cell[end - 1];
    cell[end].rim = -1;
  }
  return end;
}

/* The cells of a stretch, from `end` of the list on; returns its new end. */
static int list_stretch(const adig *s, adig_lists *q, int stretch, int end) {
  const ria_boundary_set *b = &q->set->boundary;
  const ria_gpu_view *v = &s->p.v;
  const int side = b->stretch[stretch].side, length = ria_side_length(&s->p.grid, (ria_side)side);
  const bool x = ria_side_along_x(side);
  adig_spread *to = &q->spread[stretch];
  if (!x && ria_gpu_side(&s->p, side).to == 0) return end; /* another part's */
  for (int k = 0; k < length; k++) to->n += b->owner[side][k] == stretch;
  to->lanes = ria_gpu_lanes_of(to->n);
  to->length = ria_side_along_x(side) ? v->dy : v->dx;
  if (to->n == 0) return end;
  end = to->first = fill_up(q->cell, end, to->lanes);
  for (int k = 0; k < length; k++) {
    int i, j;
    if (b->owner[side][k] != stretch) continue;
    ria_side_cell_of(v->nx, s->p.grid.ny, side, k, &i, &j);
    const int held = ria_gpu_place(&s->p, j);
    const ptrdiff_t row = held < 0 ? held : ria_gpu_row_in_memory(&s->p, held);
    const bool here = held >= 0 && row >= -1; /* of rows beyond a ring's ends the first ones */
    const size_t at = here ? ria_gpu_at(v, i, (int)row) : SIZE_MAX;
    q->cell[end++] = {v->first[side] - (x ? s->p.base : 0) + k, stretch, at};
  }
  return fill_up(q->cell, end, to->lanes);
}

static void list_sides(const adig *s, adig_lists *q) {
  const ria_boundary_set *b = &q->set->boundary;
  int end = 0;
  for (int axis = ADI_X; axis <= ADI_Y; axis++) {
    q->to.first[axis] = end;
    for (int k = 0; k < b->n; k++) {
      if (ria_side_along_x(b->stretch[k].side) != (axis == ADI_X)) continue;
      q->to.levels[axis] |= water_side_has_level(b->stretch[k].kind);
      q->to.radiates[axis] |= b->stretch[k].kind == SIDE_RADIATE;
      if (b->stretch[k].kind == SIDE_DISCHARGE || b->stretch[k].kind == SIDE_RATING)
        end = list_stretch(s, q, k, end);
    }
    end = fill_up(q->cell, end, 32);
  }
  q->to.first[2] = end;
}

static void list_sources(const adig *s, adig_lists *q) {
  adig_rivers *to = &q->to;
  for (int m = 0; m < q->set->n_sources; m++) q->n_owed += (size_t)q->set->sources[m].n;
  to->n_source_cells = ria_gpu_list_source_cells(&s->p, q->set, q->source);
  for (int k = 0; k < to->n_source_cells; k++) to->n_water_cells += q->source[k].quantity == 0;
}

/* In the order of adig_rivers.followed. A stretch without a value has none that is asked for. */
static void list_values(const adig *s, adig_lists *q) {
  const ria_forcing_set *set = q->set;
  for (int k = 0; k < set->boundary.n; k++) {
    const ria_stretch *b = &set->boundary.stretch[k];
    q->id[q->n_ids++] =
        water_side_has_level(b->kind) || b->kind == SIDE_DISCHARGE ? b->value[0] : 0;
  }
  for (int k = 0; k < set->boundary.n; k++)
    for (int m = 0; m < s->nt; m++) q->id[q->n_ids++] = set->boundary.stretch[k].tracer[m];
  for (int k = 0; k < set->n_sources; k++) q->id[q->n_ids++] = set->sources[k].rate;
}

void adig_put_rivers(adig *s, ria_gpu_bundle *b, const ria_gpu_view *fresh) {
  const adig_lists *q = s->lists;
  adig_rivers *r = &s->beside.rivers;
  const size_t cells = (size_t)q->to.first[2], n = (size_t)fresh->n_stretch,
               sources = (size_t)fresh->n_sources;
  *r = q->to;
  r->cell = (const adig_spread_cell *)ria_gpu_put(b, q->cell, cells * sizeof *r->cell);
  r->spread = (const adig_spread *)ria_gpu_put(b, q->spread, n * sizeof *r->spread);
  for (int k = 0; k < ADIG_SHARED; k++)
    r->shared[k] = (double *)ria_gpu_put(b, NULL, cells * sizeof *r->shared[k]);
  r->now = (double *)ria_gpu_put(b, NULL, n * sizeof *r->now);
  r->followed = ria_gpu_put_followed(b, &q->set->table, q->id, q->n_ids);
  r->source_cell = (const ria_gpu_source_cell *)ria_gpu_put(
      b, q->source, (size_t)r->n_source_cells * sizeof *r->source_cell);
  r->source_owed = (double *)ria_gpu_put(b, NULL, q->n_owed * sizeof *r->source_owed);
  r->source_gives = (double *)ria_gpu_put(b, NULL, sources * sizeof *r->source_gives);
}

ria_status adig_force_rivers(adig *s, const ria_forcing_set *set) {
  const size_t rim = (size_t)s->p.v.first[RIA_SIDES], n = (size_t)set->boundary.n;
  adig_lists q = {};
  q.set = set;
  q.cell = (adig_spread_cell *)calloc(rim + 64 * (n + 1), sizeof *q.cell);
  q.spread = (adig_spread *)calloc(n + 1, sizeof *q.spread);
  q.source =
      (ria_gpu_source_cell *)calloc(ria_gpu_most_source_cells(&s->p, set) + 1, sizeof *q.source);
  ria_status status = ria_gpu_no_memory(&s->p, "the forcing");
  const size_t ids = n * (1 + (size_t)s->nt) + (size_t)set->n_sources;
  q.id = (int32_t *)calloc(ids + 1, sizeof *q.id);
  if (q.cell && q.spread && q.source && q.id) {
    list_sides(s, &q);
    list_sources(s, &q);
    list_values(s, &q);
    s->lists = &q;
    status = ria_gpu_planes_force(s, set);
    s->lists = NULL;
  }
  free(q.cell);
  free(q.spread);
  free(q.source);
  free(q.id);
  return status;
}
