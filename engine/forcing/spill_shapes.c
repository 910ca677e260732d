/* forcing/spill_shapes.c - the cells of a release over shapes, and what each has of them.
 *
 * They are taken when the release is described, on the whole grid, so that parts and ranks share
 * it alike; which of them are of the domain and wet is seen when it begins. */
#include "base/context.h"
#include "base/grid.h"
#include "base/text.h"
#include "forcing/forcing.h"
#include <math.h>
#include <stdlib.h>

/* Cells with a weight, in the order of cells; the centre is theirs. */
static ria_status take_cells(ria_sim *sim, ria_release *r, const double *weight) {
  const ria_grid *g = &sim->grid;
  const int32_t cells = (int32_t)ria_grid_cells(g);
  double sum = 0.0, x = 0.0, y = 0.0;
  for (int32_t c = 0; c < cells; c++) r->n_area += weight[c] > 0.0;
  r->area = malloc((size_t)(r->n_area + 1) * sizeof *r->area);
  r->part = malloc((size_t)(r->n_area + 1) * sizeof *r->part);
  if (!r->area || !r->part)
    return ria_fail_memory(sim->ctx, "cells of a spill", (size_t)r->n_area * 12);
  for (int32_t c = 0, k = 0; c < cells; c++) {
    if (!(weight[c] > 0.0)) continue;
    r->area[k] = c;
    r->part[k++] = weight[c];
    sum += weight[c];
    x += weight[c] * ria_cell_x(g, c % g->nx);
    y += weight[c] * ria_cell_y(g, c / g->nx);
  }
  r->x = x / sum;
  r->y = y / sum;
  return RIA_OK;
}

ria_status ria_release_take_shapes(ria_sim *sim, ria_release *r, const ria_shapes *shapes) {
  const size_t cells = ria_grid_cells(&sim->grid);
  r->place = ria_strdup(ria_shapes_path(shapes));
  double *weight = malloc(cells * sizeof *weight);
  ria_status s = r->place && weight ? RIA_OK : ria_fail_memory(sim->ctx, "spill", cells * 8);
  if (s == RIA_OK) s = ria_shapes_weigh(sim->ctx, shapes, &sim->grid, weight);
  if (s == RIA_OK) s = take_cells(sim, r, weight);
  free(weight);
  if (s != RIA_OK || r->n_area > 0) return s;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "spill '%s': %s is outside of the grid", r->name,
                  r->place);
}

ria_status ria_release_shape_cells(ria_sim *sim, const ria_release *r, int32_t **cells, int *n) {
  const int nx = sim->grid.nx;
  int32_t *cell = malloc((size_t)r->n_area * sizeof *cell);
  int count = 0;
  if (!cell) return ria_fail_memory(sim->ctx, "cells of a spill", (size_t)r->n_area * sizeof *cell);
  for (int k = 0; k < r->n_area; k++)
    if (!ria_is_outside(sim, r->area[k] % nx, r->area[k] / nx)) cell[count++] = r->area[k];
  if (!count) {
    free(cell);
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "spill '%s': no cell of the domain lies in %s",
                    r->name, r->place);
  }
  *cells = cell;
  *n = count;
  return RIA_OK;
}

double ria_release_part(const ria_release *r, int32_t cell, int *at) {
  if (!r->area) return 1.0;
  while (r->area[*at] != cell) ++*at;
  return r->part[*at];
}
