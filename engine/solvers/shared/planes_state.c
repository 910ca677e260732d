/* planes_state.c - the part of a solver's state that planes hold (ria/state.h). */
#include <ria/planes.h>
#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ria_state_type ria_state_type_of(ria_real real) {
  return real == RIA_F32 ? RIA_STATE_F32 : RIA_STATE_F64;
}

/* --- planes ----------------------------------------------------------------------------------- */

/* The rows of a plane that carry something, with `south` ghost rows beyond the grid. */
static ria_part rows_of(const ria_planes *p, int south) {
  const ria_part had = ria_planes_had(p);
  if (p->ring && !ria_planes_whole(p))
    return (ria_part){p->part.j0 - p->ghost_rows, p->part.j1 + p->ghost_rows};
  return (ria_part){p->part.j0 > 0 ? had.j0 : -south, had.j1};
}

static void copy_cells(const ria_planes *p, char *plane, int west, int south, char *cells,
                       bool in) {
  const size_t row = (size_t)(p->grid.nx + west) * p->real_size;
  const ria_part rows = rows_of(p, south);
  for (int j = rows.j0; j < rows.j1; j++, cells += row) {
    char *at = plane + ria_plane_at(p, -west, j) * p->real_size;
    memcpy(in ? at : cells, in ? cells : at, row);
  }
}

ria_status ria_plane_state(ria_planes *p, const ria_state_walk *walk, const char *name, void *plane,
                           int west, int south) {
  const ria_part rows = rows_of(p, south);
  const size_t nx = (size_t)(p->grid.nx + west), ny = (size_t)(rows.j1 - rows.j0);
  char *cells = malloc(nx * ny * p->real_size);
  if (!cells) return ria_fail_memory(p->ctx, "the state", nx * ny * p->real_size);
  copy_cells(p, plane, west, south, cells, false);
  const ria_state_item item = {.name = name,
                               .type = ria_state_type_of(p->real),
                               .rank = 2,
                               .shape = {ny, nx},
                               .data = cells,
                               .cut = {.whole = (size_t)(p->grid.ny + south),
                                       .first = rows.j0 + south,
                                       .row0 = -south,
                                       .step = 1}};
  const ria_status s = walk->visit(walk->user, &item);
  if (s == RIA_OK && walk->restores) copy_cells(p, plane, west, south, cells, true);
  free(cells);
  return s;
}

ria_status ria_plane_state_if(ria_planes *p, const ria_state_walk *walk, const char *name,
                              void **plane) {
  char has[64];
  bool there = *plane != NULL;
  snprintf(has, sizeof has, "%s.is_map", name);
  RIA_TRY(walk->visit(walk->user, &(ria_state_item){has, RIA_STATE_BOOL, .data = &there}));
  if (!there) {
    ria_plane_free(p, *plane);
    *plane = NULL;
    return RIA_OK;
  }
  if (!*plane) RIA_TRY(ria_plane_alloc(p, plane));
  return ria_plane_state(p, walk, name, *plane, 0, 0);
}

ria_status ria_planes_rows_state(ria_planes *p, const ria_state_walk *walk, const char *name,
                                 size_t n, double *data) {
  const ria_state_item item = {
      .name = name,
      .type = RIA_STATE_F64,
      .rank = n ? 2 : 1,
      .shape = {n ? n : (size_t)ria_planes_rows(p), (size_t)ria_planes_rows(p)},
      .data = data,
      .cut = {
          .dim = n > 0, .whole = (size_t)p->grid.ny, .first = p->part.j0, .row0 = 0, .step = 1}};
  return walk->visit(walk->user, &item);
}

/* --- the account ------------------------------------------------------------------------------ */

void ria_maximum_name(int field, int tracer, char name[32]) {
  snprintf(name, 32, tracer < 0 ? "maximum.%d" : "maximum.%d.%d", field, tracer);
}

/* What cells of sources are owed, of each by the part that has it. */
static ria_status owed_state(ria_planes *p, const ria_state_walk *walk) {
  size_t n = 0, at = 0;
  for (int k = 0; k < p->n_sources; k++) n += (size_t)p->source[k].n;
  int32_t *row = malloc((n + 1) * sizeof *row);
  if (!row) return ria_fail_memory(p->ctx, "the state", n * sizeof *row);
  for (int k = 0; k < p->n_sources; k++)
    for (int c = 0; c < p->source[k].n; c++) row[at++] = p->source[k].cell[c] / p->grid.nx;
  const ria_state_item item = {.name = "source_owed",
                               .type = RIA_STATE_F64,
                               .rank = 1,
                               .shape = {n},
                               .data = p->source_owed,
                               .cut = {.whole = n, .row = row}};
  const ria_status status = walk->visit(walk->user, &item);
  free(row);
  return status;
}

/* Of each sum its rows. */
static ria_status sums_state(ria_planes *p, const ria_state_walk *walk) {
  for (int k = 0; k < p->n_sums; k++) {
    char name[32];
    snprintf(name, sizeof name, "sum.%d", k);
    const ria_state_item item = {
        .name = name,
        .type = RIA_STATE_F64,
        .rank = 2,
        .shape = {(size_t)ria_planes_rows(p), (size_t)p->grid.nx},
        .data = p->sum[k],
        .cut = {.whole = (size_t)p->grid.ny, .first = p->part.j0, .row0 = 0, .step = 1}};
    RIA_TRY(walk->visit(walk->user, &item));
  }
  return RIA_OK;
}

ria_status ria_planes_state(ria_planes *p, const ria_state_walk *walk) {
  const size_t nq = (size_t)p->n_quantities;
  char name[32];
  RIA_TRY(ria_account_state(p->ctx, &p->grid, walk, &p->account));
  RIA_TRY(owed_state(p, walk));
  RIA_TRY(ria_planes_rows_state(p, walk, "added.rows", nq, p->added));
  RIA_TRY(ria_planes_rows_state(p, walk, "decayed", nq, p->decayed));
  for (int k = 0; k < p->n_track; k++) {
    ria_maximum_name(p->track[k].field, p->track[k].tracer, name);
    RIA_TRY(ria_plane_state(p, walk, name, p->track[k].max, 0, 0));
  }
  RIA_TRY(sums_state(p, walk));
  if (walk->restores) p->ready = true;
  return RIA_OK;
}
