/* gpu/machine/source_cells.cu - the cells of sources in the order in which threads take them
 * (ria_gpu_source_cell). */
#include "planes.cuh"

#include <stdlib.h>

enum { GROUP = 32 }; /* of threads that have one quantity */

size_t ria_gpu_most_source_cells(const ria_gpu_planes *p, const ria_forcing_set *set) {
  size_t n = (size_t)p->v.n_quantities * GROUP;
  for (int m = 0; m < set->n_sources; m++) n += (size_t)set->sources[m].n;
  return n;
}

static int by_cell(const void *one, const void *other) {
  const ria_gpu_source_cell *a = (const ria_gpu_source_cell *)one,
                            *b = (const ria_gpu_source_cell *)other;
  return a->at != b->at ? (a->at < b->at ? -1 : 1) : (a->place > b->place) - (a->place < b->place);
}

/* Of one quantity, as they come; how many. */
static int take_cells(const ria_gpu_planes *p, const ria_forcing_set *set, int quantity,
                      ria_gpu_source_cell *out) {
  int n = 0;
  int32_t place = 0;
  for (int m = 0; m < set->n_sources; place += set->sources[m++].n) {
    const ria_source *s = &set->sources[m];
    for (int e = 0; s->quantity == quantity && e < s->n; e++) {
      const int nx = p->grid.nx, row = ria_gpu_place(p, s->cell[e] / nx);
      if (row >= 0)
        out[n++] = {row * nx + s->cell[e] % nx, -1, m, place + e, 0, quantity, s->weight[e]};
    }
  }
  return n;
}

static bool lie_by_cell(const ria_gpu_source_cell *cell, int n) {
  for (int k = 1; k < n; k++)
    if (by_cell(&cell[k - 1], &cell[k]) > 0) return false;
  return true;
}

/* The first of several that are one cell knows how many follow. */
static void chain(ria_gpu_source_cell *cell, int n) {
  for (int k = n - 2; k >= 0; k--) {
    if (cell[k].at != cell[k + 1].at) continue;
    cell[k].more = cell[k + 1].more + 1;
    cell[k + 1].more = -1;
  }
}

int ria_gpu_list_source_cells(const ria_gpu_planes *p, const ria_forcing_set *set,
                              ria_gpu_source_cell *out) {
  int end = 0;
  for (int quantity = 0; quantity < p->v.n_quantities; quantity++) {
    ria_gpu_source_cell *first = out + end;
    const int n = take_cells(p, set, quantity, first);
    if (!lie_by_cell(first, n)) qsort(first, (size_t)n, sizeof *first, by_cell);
    chain(first, n);
    for (end += n; end % GROUP != 0; end++) out[end] = {-1, -1, 0, 0, -1, quantity, 0.0};
  }
  return end;
}
