/* planes_forcing.c - what drives planes of cells from outside: the forcing, copied whole each time
 * it changes; what a source gives in a step; what crossed the sides. */
#include "solvers/shared/planes_inner.h"
#include "base/context.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- forcing ---------------------------------------------------------------------------------- */

static void *copy_of(const void *from, size_t bytes) {
  void *q = malloc(bytes ? bytes : 1);
  if (q && bytes) memcpy(q, from, bytes);
  return q;
}

bool ria_planes_copy_forcing(const ria_forcing_set *set, ria_forcing_table *table,
                             ria_stretch **stretch) {
  const ria_forcing_table *t = &set->table;
  *table = *t;
  table->entry = copy_of(t->entry, (size_t)t->n * sizeof *t->entry);
  table->data = copy_of(t->data, (size_t)t->n_data * sizeof *t->data);
  *stretch = copy_of(set->boundary.stretch, (size_t)set->boundary.n * sizeof **stretch);
  return table->entry && table->data && *stretch;
}

void ria_planes_free_forcing(ria_forcing_table *table, ria_stretch **stretch) {
  free((void *)table->entry);
  free((void *)table->data);
  free(*stretch);
  *table = (ria_forcing_table){0};
  *stretch = NULL;
}

void ria_planes_drop_forcing(ria_planes *p) {
  for (int k = 0; k < p->n_sources; k++) {
    free((void *)p->source[k].cell);
    free((void *)p->source[k].weight);
  }
  free(p->source);
  free(p->source_owed);
  free(p->source_first);
  free(p->piece);
  free(p->reach);
  ria_relax_free(p->relax, p->n_relax);
  free(p->relaxing);
  ria_planes_free_forcing(&p->table, &p->stretch);
  p->source = NULL;
  p->source_owed = NULL;
  p->source_first = NULL;
  p->piece = NULL;
  p->reach = NULL;
  p->relax = NULL;
  p->relaxing = NULL;
  p->n_sources = p->n_relax = 0;
}

static bool copy_sources(ria_planes *p, const ria_forcing_set *set) {
  size_t cells = 0;
  for (int k = 0; k < set->n_sources; k++) cells += (size_t)set->sources[k].n;
  p->source = calloc((size_t)set->n_sources + 1, sizeof *p->source);
  p->source_owed = calloc(cells + 1, sizeof *p->source_owed);
  p->source_first = calloc((size_t)set->n_sources + 2, sizeof *p->source_first);
  if (!p->source || !p->source_owed || !p->source_first) return false;
  for (int k = 0; k < set->n_sources; k++) {
    ria_source *to = &p->source[p->n_sources++];
    *to = set->sources[k];
    to->cell = copy_of(to->cell, (size_t)to->n * sizeof *to->cell);
    to->weight = copy_of(to->weight, (size_t)to->n * sizeof *to->weight);
    if (!to->cell || !to->weight) return false;
    p->source_first[k + 1] = p->source_first[k] + (size_t)to->n;
  }
  return true;
}

/* Where each stretch begins and ends on its side: whoever looks at all its cells need not pass over
 * those of hundreds of others. */
static bool find_reaches(ria_planes *p, const ria_boundary_set *b, const ria_grid *grid) {
  p->reach = calloc((size_t)b->n + 1, sizeof *p->reach);
  if (!p->reach) return false;
  for (int side = 0; side < RIA_SIDES; side++)
    for (int k = ria_side_length(grid, (ria_side)side) - 1; k >= 0; k--) {
      ria_side_cells *r = &p->reach[b->owner[side][k]];
      if (b->stretch[b->owner[side][k]].side != (ria_side)side) continue;
      if (r->to == 0) r->to = k + 1;
      r->from = k;
    }
  return true;
}

static bool copy_relax(ria_planes *p, const ria_forcing_set *set) {
  p->relax = ria_relax_copy(set->relax, set->n_relax);
  p->relaxing = calloc((size_t)set->n_relax + 1, sizeof *p->relaxing);
  p->n_relax = p->relax ? set->n_relax : 0;
  return p->relax && p->relaxing;
}

/* The new is there before any of the old goes. */
ria_status ria_planes_force(void *self, const ria_forcing_set *set) {
  ria_planes *p = self;
  ria_planes fresh = {0};
  fresh.piece = calloc((size_t)set->table.n + 1, sizeof *fresh.piece);
  if (!fresh.piece || !ria_planes_copy_forcing(set, &fresh.table, &fresh.stretch) ||
      !copy_sources(&fresh, set) || !copy_relax(&fresh, set) ||
      !find_reaches(&fresh, &set->boundary, &p->grid) ||
      !ria_account_grow(&p->account, set->boundary.n)) {
    ria_planes_drop_forcing(&fresh);
    return ria_planes_no_memory(p, "the forcing");
  }
  ria_account_fold(&p->account);
  ria_planes_drop_forcing(p);
  p->table = fresh.table;
  p->stretch = fresh.stretch;
  p->n_stretch = set->boundary.n;
  p->source = fresh.source;
  p->source_owed = fresh.source_owed;
  p->source_first = fresh.source_first;
  p->piece = fresh.piece;
  p->reach = fresh.reach;
  p->relax = fresh.relax;
  p->relaxing = fresh.relaxing;
  p->n_relax = fresh.n_relax;
  p->n_sources = fresh.n_sources;
  ria_boundary_owners(&set->boundary, &p->grid, p->account.owner);
  p->ready = false;
  return RIA_OK;
}

/* --- steps ------------------------------------------------------------------------------------ */

bool ria_planes_give(ria_planes *p, int k, double t, double dt, void *plane, const void *empty) {
  const ria_source *s = &p->source[k];
  const double area = p->grid.dx * p->grid.dy, amount = ria_planes_given(p, k, t, dt);
  if (!ria_source_runs(s->t_start, s->t_stop, t, dt)) return false;
  double *owed = p->source_owed + p->source_first[k];
  for (int e = 0; e < s->n; e++) {
    const int i = s->cell[e] % p->grid.nx, j = s->cell[e] / p->grid.nx;
    const int place = ria_planes_place(p, j);
    if (place == INT_MIN) continue;
    const size_t at = ria_plane_at(p, i, place);
    const double due = amount * s->weight[e] / area;
    const double least = empty ? ria_plane_get(p, empty, at) : 0.0;
    const double given = p->real == RIA_F32
                             ? ria_source_give_f32((float *)plane + at, due, least, &owed[e])
                             : ria_source_give_f64((double *)plane + at, due, least, &owed[e]);
    if (ria_planes_own(p, j)) *ria_planes_row(p, p->added, s->quantity, j) += given * area;
  }
  return true;
}

/* --- the account of the sides ----------------------------------------------------------------- */

ria_status ria_planes_fluxes(void *self, int n, double *in, double *out) {
  const ria_planes *p = self;
  ria_account_read(&p->account, n, in, out);
  return RIA_OK;
}

ria_status ria_planes_crossed(void *self, ria_crossed *cells) {
  const ria_planes *p = self;
  const size_t nq = (size_t)p->n_quantities;
  for (int side = 0; side < RIA_SIDES; side++) {
    const ria_side_cells own = ria_planes_side(p, (ria_side)side);
    const size_t first = (size_t)(p->crossed[side] - p->account.crossed);
    for (size_t k = (size_t)own.from * nq; k < (size_t)own.to * nq; k++) {
      cells[first + k].in = p->crossed[side][k].in;
      cells[first + k].out = p->crossed[side][k].out;
    }
  }
  return RIA_OK;
}
