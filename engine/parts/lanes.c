/* parts/lanes.c - parts of a process step at once: each thread of the context has some of them.
 *
 * Only where every thread has equally many, and rows enough: otherwise parts step one after
 * another, each on all threads. Neither shows in the results. */
#include "parts/parts.h"

#include "base/clock.h"
#include "base/context.h"

enum { CELLS_PER_LANE = 8192 }; /* fewer are not worth a thread */

int ria_parts_lanes(const ria_solver_setup *setup, const ria_solver_ops *ops, int count) {
  const int64_t cells = (int64_t)setup->grid.nx * setup->grid.ny;
  const int threads = setup->threads;
  const bool fits = threads > 1 && count % threads == 0 && cells / CELLS_PER_LANE >= threads;
  const bool relays = ops->relay != NULL; /* from part to part, each with all threads */
  return fits && !relays && setup->backend->kind == RIA_BACKEND_CPU ? threads : 1;
}

static ria_status timed(const ria_held *h, int k, ria_each_part_fn go, const void *user) {
  const double begin = ria_wall_clock();
  const ria_status s = go(h, k, user);
  h->part[k].stepping += ria_wall_clock() - begin;
  return s;
}

ria_status ria_parts_each(const ria_held *h, ria_each_part_fn go, const void *user) {
  const double begin = ria_wall_clock();
  const int lanes = h->lanes > 1 ? h->lanes : 1;
  ria_status first = RIA_OK;
  int at = h->count;
  (void)lanes;
#pragma omp parallel for num_threads(lanes) schedule(static) if (lanes > 1)
  for (int k = 0; k < h->count; k++) {
    const ria_status s = timed(h, k, go, user);
#pragma omp critical
    if (s != RIA_OK && k < at) {
      first = s;
      at = k;
    }
  }
  if (h->wall) *h->wall += ria_wall_clock() - begin;
  return first;
}
