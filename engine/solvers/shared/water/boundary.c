/* boundary.c - present values of the boundaries of a solver of flow. */
#include "solvers/shared/water/boundary.h"
#include "solvers/shared/water/boundary_k.h"

#include <stdlib.h>
#include <string.h>

ria_status water_forcing_init(water_forcing *f, const ria_planes *p) {
  for (int side = 0; side < RIA_SIDES; side++) {
    const size_t n = (size_t)ria_side_length(&p->grid, (ria_side)side);
    f->share[side] = calloc(n, sizeof *f->share[side]);
    if (!f->share[side]) return ria_planes_no_memory(p, "the sides");
  }
  return RIA_OK;
}

void water_forcing_free(water_forcing *f) {
  free(f->value);
  free(f->tracer);
  for (int side = 0; side < RIA_SIDES; side++) free(f->share[side]);
  *f = (water_forcing){0};
}

ria_status water_force(water_forcing *f, ria_planes *p, const ria_forcing_set *set) {
  const size_t n = (size_t)set->boundary.n;
  double *value = calloc(n + 1, sizeof *value);
  double *tracer = calloc(n * RIA_MAX_TRACERS + 1, sizeof *tracer);
  ria_status status =
      value && tracer ? ria_planes_force(p, set) : ria_planes_no_memory(p, "the forcing");
  if (status != RIA_OK) {
    free(value);
    free(tracer);
    return status;
  }
  free(f->value);
  free(f->tracer);
  f->value = value;
  f->tracer = tracer;
  memcpy(f->wind, set->varying, sizeof f->wind);
  return RIA_OK;
}

void water_inflow_at(water_forcing *f, const ria_planes *p, int tracers, double t) {
  for (int k = 0; k < p->n_stretch; k++)
    for (int m = 0; m < tracers; m++)
      f->tracer[(size_t)k * (size_t)tracers + (size_t)m] =
          ria_planes_value(p, p->stretch[k].tracer[m], t);
}

void water_spread(water_forcing *f, const ria_planes *p, int stretch) {
  const ria_side side = p->stretch[stretch].side;
  const ria_side_cells all = p->reach[stretch];
  const double length = ria_side_along_x(side) ? p->grid.dy : p->grid.dx;
  double *share = f->share[side], sum = 0;
  for (int k = all.from; k < all.to; k++)
    if (p->owner[side][k] == stretch) sum += share[k];
  for (int k = all.from; k < all.to; k++)
    if (p->owner[side][k] == stretch)
      share[k] = water_share(f->value[stretch], share[k], sum, length);
}
