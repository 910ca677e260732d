/* forcing/spill_cells.c - the cells of a release, and what each of them gets.
 *
 * A release is a disc (shapes: spill_shapes.c), or the one cell below its centre when the disc
 * holds no cell's centre. Its wet cells at the time of release share it in proportion to their
 * water, so that a tracer enters at one concentration and none is left on dry ground. (A continuous
 * release keeps its shares: where the ground falls dry later, what it brings lies there until the
 * water is back.) Where the whole disc is dry, water comes onto dry ground, each cell of the disc
 * taking its area's part; a tracer that brings no water is refused there. In a disc of which a part
 * is wet, water stays with the wet cells: it would run there anyway, and the dry ones may be high
 * walls. */
#include "base/context.h"
#include "base/grid.h"
#include "base/text.h"
#include "forcing/forcing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- the cells of a disc ---------------------------------------------------------------------- */

typedef struct cell_box {
  int i0, i1, j0, j1; /* inclusive */
} cell_box;

static int clamp_cell(double v, int n) {
  return v < 0.0 ? 0 : v > (double)(n - 1) ? n - 1 : (int)v;
}

/* x, y: along the grid's own axes. */
static cell_box disc_box(const ria_grid *g, double x, double y, double r) {
  return (cell_box){.i0 = clamp_cell(floor((x - r - g->x0) / g->dx), g->nx),
                    .i1 = clamp_cell(floor((x + r - g->x0) / g->dx), g->nx),
                    .j0 = clamp_cell(floor((y - r - g->y0) / g->dy), g->ny),
                    .j1 = clamp_cell(floor((y + r - g->y0) / g->dy), g->ny)};
}

ria_status ria_release_check_inside(ria_sim *sim, const char *name, double x, double y) {
  char what[RIA_FIELD_NAME_MAX + 16];
  int i, j;
  ria_grid_locate(&sim->grid, x, y, &i, &j);
  snprintf(what, sizeof what, "spill '%s': ", name);
  return ria_mask_check(sim, what, x, y, i, j);
}

ria_status ria_release_disc(ria_sim *sim, const ria_release *r, int32_t **cells, int *n) {
  const ria_grid *g = &sim->grid;
  if (r->area) return ria_release_shape_cells(sim, r, cells, n);
  RIA_TRY(ria_release_check_inside(sim, r->name, r->x, r->y));
  double x = r->x, y = r->y;
  ria_grid_from_map(g, &x, &y);
  cell_box b = disc_box(g, x, y, r->radius);
  size_t room = (size_t)(b.i1 - b.i0 + 1) * (size_t)(b.j1 - b.j0 + 1);
  int32_t *cell = malloc(room * sizeof *cell);
  if (!cell) return ria_fail_memory(sim->ctx, "cells of a spill", room * sizeof *cell);
  int count = 0, ci = 0, cj = 0;
  for (int j = b.j0; j <= b.j1; j++)
    for (int i = b.i0; i <= b.i1; i++)
      if (hypot(ria_cell_x(g, i) - x, ria_cell_y(g, j) - y) <= r->radius &&
          !ria_is_outside(sim, i, j))
        cell[count++] = j * g->nx + i;
  if (!count) {
    ria_grid_locate(g, r->x, r->y, &ci, &cj);
    cell[count++] = cj * g->nx + ci;
  }
  *cells = cell;
  *n = count;
  return RIA_OK;
}

ria_status ria_release_nearest(ria_sim *sim, const ria_release *r, int *wet_i, int *wet_j,
                               double *distance) {
  const ria_grid *g = &sim->grid;
  double *depth = malloc(ria_grid_cells(g) * sizeof *depth), best = INFINITY, x = r->x, y = r->y;
  if (!depth) return ria_fail_memory(sim->ctx, "depths", ria_grid_cells(g) * sizeof *depth);
  ria_status s = ria_field_read(sim, sim->roles.depth, false, RIA_F64, depth);
  ria_grid_from_map(g, &x, &y);
  for (int j = 0; s == RIA_OK && j < g->ny; j++) {
    for (int i = 0; i < g->nx; i++) {
      double d = hypot(ria_cell_x(g, i) - x, ria_cell_y(g, j) - y);
      if (!(depth[(size_t)j * (size_t)g->nx + (size_t)i] > sim->dry) || d >= best) continue;
      best = d;
      *wet_i = i;
      *wet_j = j;
    }
  }
  free(depth);
  *distance = isfinite(best) ? best : -1.0;
  return s;
}

void ria_release_place(const ria_release *r, char *text, size_t size) {
  if (r->area)
    ria_format(text, size, "in %.60s", r->place);
  else if (r->radius > 0.0)
    ria_format(text, size, "within %g m of (%.10g, %.10g)", r->radius, r->x, r->y);
  else
    ria_format(text, size, "at (%.10g, %.10g)", r->x, r->y);
}

static ria_status fail_dry(ria_sim *sim, const ria_release *r) {
  int i = 0, j = 0;
  double d = 0.0;
  char place[96];
  RIA_TRY(ria_release_nearest(sim, r, &i, &j, &d));
  ria_release_place(r, place, sizeof place);
  if (d < 0.0)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "spill '%s': no water %s at %.10g s, nor in any cell of the domain", r->name,
                    place, sim->at.t);
  const ria_spot at = ria_cell_on_map(&sim->grid, i, j);
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "spill '%s': no water %s at %.10g s; the nearest wet cell is %.4g m away at "
                  "(%.10g, %.10g)",
                  r->name, place, sim->at.t, d, at.x, at.y);
}

bool ria_release_is_own(const ria_sim *sim, const ria_release *r) {
  return r->quantity >= 0 && r->quantity < sim->n_own;
}

bool ria_release_brings_water(const ria_sim *sim, const ria_release *r) {
  return r->has_flow || ria_release_is_own(sim, r);
}

/* Cells of one size. */
static void share_by_area(const ria_release *r, const int32_t *cell, double *weight, int n) {
  double sum = 0.0;
  for (int k = 0, at = 0; k < n; k++) sum += ria_release_part(r, cell[k], &at);
  for (int k = 0, at = 0; k < n; k++) weight[k] = ria_release_part(r, cell[k], &at) / sum;
}

/* Keep the wet ones of cell[n]; weight[n] becomes their share. *n = 0: all are dry. */
static ria_status share_by_depth(ria_sim *sim, const ria_release *r, int32_t *cell, double *weight,
                                 int *n) {
  int wet = 0, at = 0;
  double sum = 0.0;
  const ria_sim_field *depth = sim->roles.depth;
  if (depth) RIA_TRY(ria_ask_sample(sim, depth->index, depth->tracer, *n, cell, weight));
  for (int k = 0; k < *n; k++) {
    double w = depth ? weight[k] : 1.0;
    if (!(w > (depth ? sim->dry : 0.0))) continue;
    w *= ria_release_part(r, cell[k], &at);
    cell[wet] = cell[k];
    weight[wet++] = w;
    sum += w;
  }
  for (int k = 0; k < wet; k++) weight[k] /= sum;
  *n = wet;
  return RIA_OK;
}

static ria_status share(ria_sim *sim, const ria_release *r, int32_t *cell, double *weight, int *n) {
  const int all = *n;
  RIA_TRY(share_by_depth(sim, r, cell, weight, n));
  if (*n > 0) return RIA_OK;
  if (!ria_release_brings_water(sim, r)) {
    sim->forcing->failed = r->handle;
    return fail_dry(sim, r);
  }
  share_by_area(r, cell, weight, *n = all); /* no cell was dropped before all were */
  return RIA_OK;
}

ria_status ria_release_cells(ria_sim *sim, const ria_release *r, int32_t **cell, double **weight,
                             int *n) {
  *cell = NULL;
  RIA_TRY(ria_release_disc(sim, r, cell, n));
  *weight = malloc((size_t)*n * sizeof **weight);
  ria_status s = *weight ? share(sim, r, *cell, *weight, n)
                         : ria_fail_memory(sim->ctx, "cells of a spill", (size_t)*n * 8);
  if (s != RIA_OK) {
    free(*cell);
    free(*weight);
    *cell = NULL;
    *weight = NULL;
  }
  return s;
}
