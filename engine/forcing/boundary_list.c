/* forcing/boundary_list.c - which boundaries there are, where they lie, and what passed them. */
#include "base/context.h"
#include "forcing/forcing.h"
#include <stdlib.h>

void ria_bound_ends(const ria_sim *sim, size_t i, double from[2], double to[2]) {
  const int32_t stretch = (int32_t)i;
  const ria_side side = sim->forcing->bound[i].side;
  const ria_side_line line = ria_side_line_of(&sim->grid, side);
  const int32_t *owner = sim->forcing->map.owner[side];
  int first = 0, last = line.n - 1;
  while (first < last && owner[first] != stretch) first++;
  while (last > first && owner[last] != stretch) last--;
  from[line.along] = line.origin + first * line.d;
  to[line.along] = line.origin + (last + 1) * line.d;
  from[1 - line.along] = to[1 - line.along] = line.at;
  ria_grid_to_map(&sim->grid, &from[0], &from[1]);
  ria_grid_to_map(&sim->grid, &to[0], &to[1]);
}

bool ria_boundary_list(const ria_sim *sim, size_t i, ria_boundary_entry *out) {
  const ria_forcing_state *f = sim->forcing;
  for (size_t k = sim->mask.wanted ? 2 * RIA_SIDES : RIA_SIDES; k < f->n; k++) {
    const ria_bound *b = &f->bound[k];
    if (!f->map.cells[k]) continue;
    if (i-- > 0) continue;
    *out = (ria_boundary_entry){.name = b->name,
                                .kind = sim->solver->boundaries[b->kind].name,
                                .side = b->side,
                                .edges = f->map.cells[k]};
    ria_bound_ends(sim, k, out->from, out->to);
    return true;
  }
  return false;
}

ria_status ria_forcing_fluxes(ria_sim *sim, double **in, double **out) {
  RIA_TRY(ria_sim_settle(sim));
  const size_t n = sim->forcing->n * (size_t)sim->n_quantities;
  double *flux = calloc(2 * n + 1, sizeof *flux);
  if (!flux) return ria_fail_memory(sim->ctx, "boundary fluxes", 2 * n * sizeof *flux);
  const ria_status s = ria_ask_fluxes(sim, (int)sim->forcing->n, flux, flux + n);
  if (s != RIA_OK) {
    free(flux);
    return s;
  }
  *in = flux;
  *out = flux + n;
  return RIA_OK;
}
