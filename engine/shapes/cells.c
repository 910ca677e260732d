/* shapes/cells.c - the whole cells that a shape takes: by their centres, or touched. */
#include "shapes/cells.h"
#include "shapes/walk.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

typedef struct taker {
  ria_context *ctx;
  const ria_grid *grid;
  const ria_shape *shape;
  ria_cell_fn fn;
  void *user;
  ria_leg leg; /* that is being walked, and z at its ends */
  double z0, z1;
} taker;

static int clamp(double v, int n) { return v < 0.0 ? 0 : v > n ? n : (int)v; }

/* --- polygons: centres between two crossings of their row ---------------------------------------
 */

typedef struct crossing {
  int row;
  double u;
} crossing;

typedef struct crossings {
  crossing *at;
  size_t n, room;
} crossings;

static int compare_crossings(const void *a, const void *b) {
  const crossing *p = a, *q = b;
  if (p->row != q->row) return p->row < q->row ? -1 : 1;
  return (p->u > q->u) - (p->u < q->u);
}

/* Where an edge crosses the middles of rows; its upper end is not of it, so that a corner counts
 * once. */
static ria_status cross_rows(const taker *t, size_t k, crossings *c) {
  const ria_shape *s = t->shape;
  ria_leg a = ria_leg_of(t->grid, s->x[k], s->y[k], s->x[k + 1], s->y[k + 1]);
  if (a.v0 > a.v1) a = (ria_leg){a.u1, a.v1, a.u0, a.v0};
  const int first = clamp(ceil(a.v0 - 0.5), t->grid->ny);
  const int end = clamp(ceil(a.v1 - 0.5), t->grid->ny);
  for (int row = first; row < end; row++) {
    RIA_TRY(ria_grow(t->ctx, "cells of a shape", &c->at, &c->room, c->n + 1, sizeof *c->at));
    const double part = (row + 0.5 - a.v0) / (a.v1 - a.v0);
    c->at[c->n++] = (crossing){row, a.u0 + part * (a.u1 - a.u0)};
  }
  return RIA_OK;
}

static void fill_rows(const taker *t, crossings *c) {
  if (c->n) qsort(c->at, c->n, sizeof *c->at, compare_crossings);
  for (size_t k = 0; k + 1 < c->n; k += 2) {
    const int first = clamp(ceil(c->at[k].u - 0.5), t->grid->nx);
    const int end = clamp(ceil(c->at[k + 1].u - 0.5), t->grid->nx);
    for (int i = first; i < end; i++) t->fn(t->user, i, c->at[k].row, NAN);
  }
  c->n = 0;
}

static ria_status take_polygons(const taker *t) {
  const ria_shape *s = t->shape;
  crossings c = {0};
  ria_status status = RIA_OK;
  for (size_t p = 0; p < s->n_parts && status == RIA_OK; p++) {
    if (p > 0 && s->polygon[p] != s->polygon[p - 1]) fill_rows(t, &c);
    for (size_t k = s->first[p]; k + 1 < s->first[p + 1] && status == RIA_OK; k++)
      status = cross_rows(t, k, &c);
  }
  if (status == RIA_OK) fill_rows(t, &c);
  free(c.at);
  return status;
}

/* --- lines ------------------------------------------------------------------------------------ */

static ria_status touch(void *user, int i, int j, double t0, double t1) {
  const taker *t = user;
  double distance;
  const double at = ria_leg_nearest(t->grid, &t->leg, i + 0.5, j + 0.5, &distance);
  const double here = fmin(fmax(at, t0), t1); /* within the cell */
  t->fn(t->user, i, j, t->z0 + here * (t->z1 - t->z0));
  return RIA_OK;
}

/* Cells whose centre is within `half` of the leg. */
static void take_near(const taker *t, double half) {
  const ria_grid *g = t->grid;
  const double a = half / g->dx + 0.5, b = half / g->dy + 0.5;
  const int i0 = clamp(floor(fmin(t->leg.u0, t->leg.u1) - a), g->nx);
  const int i1 = clamp(ceil(fmax(t->leg.u0, t->leg.u1) + a), g->nx);
  const int j0 = clamp(floor(fmin(t->leg.v0, t->leg.v1) - b), g->ny);
  const int j1 = clamp(ceil(fmax(t->leg.v0, t->leg.v1) + b), g->ny);
  for (int j = j0; j < j1; j++)
    for (int i = i0; i < i1; i++) {
      double distance;
      const double at = ria_leg_nearest(g, &t->leg, i + 0.5, j + 0.5, &distance);
      if (distance <= half) t->fn(t->user, i, j, t->z0 + at * (t->z1 - t->z0));
    }
}

static ria_status take_lines(taker *t, double width) {
  const ria_shape *s = t->shape;
  for (size_t p = 0; p < s->n_parts; p++) {
    for (size_t k = s->first[p]; k + 1 < s->first[p + 1]; k++) {
      t->leg = ria_leg_of(t->grid, s->x[k], s->y[k], s->x[k + 1], s->y[k + 1]);
      t->z0 = s->z[k];
      t->z1 = s->z[k + 1];
      if (width > 0.0) take_near(t, 0.5 * width);
      RIA_TRY(ria_walk(t->grid, &t->leg, touch, t));
    }
  }
  return RIA_OK;
}

static void take_points(const taker *t) {
  const ria_shape *s = t->shape;
  int i, j;
  for (size_t k = s->first[0]; k < s->first[s->n_parts]; k++)
    if (ria_grid_locate(t->grid, s->x[k], s->y[k], &i, &j)) t->fn(t->user, i, j, s->z[k]);
}

ria_status ria_shape_each_cell(ria_context *ctx, const ria_shape *shape, const ria_grid *grid,
                               ria_shape_cells cells, double width, ria_cell_fn fn, void *user) {
  taker t = {.ctx = ctx, .grid = grid, .shape = shape, .fn = fn, .user = user};
  if (shape->kind == RIA_LINES) return take_lines(&t, width);
  if (shape->kind == RIA_POLYGONS) {
    RIA_TRY(take_polygons(&t));
    return cells == RIA_CELLS_TOUCHED ? take_lines(&t, 0.0) : RIA_OK;
  }
  take_points(&t);
  return RIA_OK;
}
