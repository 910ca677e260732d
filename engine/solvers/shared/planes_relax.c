/* planes_relax.c - layers in which cells are drawn to given values: the host's copy of them, and
 * their values in a step. What happens in a cell is the solver's (water/relax_k.h). */
#include <ria/planes.h>

#include <stdlib.h>
#include <string.h>

static void *copy_of(const void *from, size_t n) {
  void *to = malloc(n ? n : 1);
  if (to && n) memcpy(to, from, n);
  return to;
}

void ria_relax_free(ria_relax *relax, int n) {
  for (int k = 0; k < n; k++) {
    free((void *)relax[k].cell);
    free((void *)relax[k].rate);
    for (int q = 0; q < RIA_RELAXED; q++)
      for (int later = 0; later < 2; later++) free((void *)ria_relaxed_of(&relax[k], q)->at[later]);
  }
  free(relax);
}

static bool copy_target(ria_relaxed *q, size_t n) {
  const double *from[2] = {q->at[0], q->at[1]};
  bool well = true;
  q->at[0] = q->at[1] = NULL;
  for (int later = 0; later < 2 && from[0]; later++) {
    q->at[later] = copy_of(from[later], n * sizeof *from[later]);
    well = well && q->at[later];
  }
  return well;
}

ria_relax *ria_relax_copy(const ria_relax *from, int n) {
  ria_relax *to = calloc((size_t)n + 1, sizeof *to);
  bool well = to != NULL;
  for (int k = 0; to && k < n; k++) {
    const size_t cells = (size_t)from[k].n;
    to[k] = from[k];
    to[k].cell = copy_of(from[k].cell, cells * sizeof *to[k].cell);
    to[k].rate = copy_of(from[k].rate, cells * sizeof *to[k].rate);
    well = well && to[k].cell && to[k].rate;
    for (int q = 0; q < RIA_RELAXED; q++)
      well = copy_target(ria_relaxed_of(&to[k], q), cells) && well;
  }
  if (well) return to;
  if (to) ria_relax_free(to, n);
  return NULL;
}

void ria_planes_relax_at(ria_planes *p, double t) {
  for (int k = 0; k < p->n_relax; k++) {
    const ria_relax *r = &p->relax[k];
    p->relaxing[k].part = ria_relax_part(r->t0, r->t1, t);
    for (int q = 0; q < RIA_RELAXED; q++) {
      const int id = ria_relaxed_of((ria_relax *)r, q)->id;
      p->relaxing[k].value[q] = id >= 0 ? ria_planes_value(p, id, t) : (double)NAN;
    }
  }
}

int ria_relax_first(const ria_relax *r, int64_t cell) {
  int lo = 0, hi = r->n;
  while (lo < hi) {
    const int mid = lo + (hi - lo) / 2;
    if (r->cell[mid] < cell)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}
