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
    const ria_spot at = ria_cell_on_map(g, c % g->nx, c / g->nx);
    x += weight[c] * at.x;
    y += weight[c] * at.y;
  }
  r->x = x / sum;
  r->y = y / sum;
  return RIA_OK;
}

/* Points beside the grid are refused, as gauges there are: what they bring would go to the others.
 */
static ria_status check_points(ria_sim *sim, const ria_release *r, const ria_shapes *s) {
  const ria_grid *g = &sim->grid;
  char place[320], where[RIA_GRID_TEXT];
  int i, j;
  for (size_t k = 0; k < ria_shapes_count(s); k++) {
    const ria_shape *p = ria_shapes_at(s, k);
    if (p->kind != RIA_POINTS) continue;
    for (size_t c = p->first[0]; c < p->first[p->n_parts]; c++)
      if (!ria_grid_locate(g, p->x[c], p->y[c], &i, &j))
        return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                        "spill '%s': %s: (%.10g, %.10g) lies outside the domain, %s", r->name,
                        ria_shapes_place(s, k, place, sizeof place), p->x[c], p->y[c],
                        ria_grid_tell(g, where));
  }
  return RIA_OK;
}

/* Area that shapes cover together: their share of the box around them. */
static ria_status whole_area(ria_context *ctx, const ria_shapes *s, double *area) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, share;
  *area = 0.0;
  for (size_t k = 0; k < ria_shapes_count(s); k++) {
    double a[2], b[2];
    ria_shape_box(ria_shapes_at(s, k), a, b);
    for (int d = 0; d < 2; d++) {
      low[d] = fmin(low[d], a[d]);
      high[d] = fmax(high[d], b[d]);
    }
  }
  const ria_grid box = {1, 1, high[0] - low[0], high[1] - low[1], low[0], low[1], 0};
  if (!(box.dx > 0.0 && box.dy > 0.0)) return RIA_OK;
  RIA_TRY(ria_shapes_cover(ctx, s, &box, 0.0, NULL, &share, NULL));
  *area = share * box.dx * box.dy;
  return RIA_OK;
}

static ria_status whole_length(ria_context *ctx, const ria_shapes *s, double *length) {
  *length = 0.0;
  for (size_t k = 0; k < ria_shapes_count(s); k++) {
    double one;
    RIA_TRY(ria_shape_size(ctx, ria_shapes_at(s, k), &one));
    *length += one;
  }
  return RIA_OK;
}

/* All goes into what lies on the grid; how much does not is told. */
static ria_status tell_cut(ria_sim *sim, const ria_release *r, const ria_shapes *s) {
  const ria_shape_kind kind = ria_shapes_at(s, 0)->kind;
  const bool lines = kind == RIA_LINES;
  double whole, inside = 0.0;
  if (kind == RIA_POINTS) return RIA_OK;
  RIA_TRY(lines ? whole_length(sim->ctx, s, &whole) : whole_area(sim->ctx, s, &whole));
  const char *size = lines ? "length" : "area";
  if (!(whole > 0.0))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "spill '%s': %s has no %s", r->name, r->place,
                    size);
  for (int k = 0; k < r->n_area; k++) inside += r->part[k];
  if (!lines) inside *= sim->grid.dx * sim->grid.dy;
  if (r->n_area > 0 && inside < whole * (1.0 - 1e-9))
    ria_log(sim->ctx,
            "spill '%s': %.3g %% of the %s of %s lies outside of the grid: the rest takes "
            "all",
            r->name, 100.0 * (1.0 - inside / whole), size, r->place);
  return RIA_OK;
}

ria_status ria_release_take_shapes(ria_sim *sim, ria_release *r, const ria_shapes *shapes) {
  const size_t cells = ria_grid_cells(&sim->grid);
  r->place = ria_strdup(ria_shapes_path(shapes));
  double *weight = malloc(cells * sizeof *weight);
  ria_status s = r->place && weight ? RIA_OK : ria_fail_memory(sim->ctx, "spill", cells * 8);
  if (s == RIA_OK) s = check_points(sim, r, shapes);
  if (s == RIA_OK) s = ria_shapes_meet(sim->ctx, shapes, &sim->grid, 0.0);
  if (s == RIA_OK) s = ria_shapes_weigh(sim->ctx, shapes, &sim->grid, weight);
  if (s == RIA_OK) s = take_cells(sim, r, weight);
  if (s == RIA_OK) s = tell_cut(sim, r, shapes);
  free(weight);
  if (s != RIA_OK || r->n_area > 0) return s;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "spill '%s': no cell has a share of %s", r->name,
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
