/* shapes/cover_edges.c - the edges of polygons, of bands around lines, of the cells of points. */
#include "shapes/cover.h"
#include "shapes/walk.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

enum { CORNERS = 64 }; /* of the discs that join the legs of a band */

void ria_edges_free(ria_edges *e) {
  free(e->edge);
  free(e->owner);
}

/* Of the polygon added last. Level edges bound no area of a row; those below or above the grid none
 * of its rows. */
static ria_status push(ria_edges *e, ria_edge a) {
  const int ny = e->grid->ny;
  if (a.v0 == a.v1 || (a.v0 <= 0.0 && a.v1 <= 0.0) || (a.v0 >= ny && a.v1 >= ny)) return RIA_OK;
  if (a.v0 > a.v1) a = (ria_edge){a.u1, a.v1, a.u0, a.v0, 0};
  a.polygon = (int)e->n_polygons - 1;
  RIA_TRY(ria_grow(e->ctx, "edges of shapes", &e->edge, &e->room, e->n + 1, sizeof *e->edge));
  e->edge[e->n++] = a;
  return RIA_OK;
}

static ria_status add_edge(ria_edges *e, double x0, double y0, double x1, double y1) {
  const ria_leg a = ria_leg_of(e->grid, x0, y0, x1, y1);
  return push(e, (ria_edge){a.u0, a.v0, a.u1, a.v1, 0});
}

static ria_status add_polygon(ria_edges *e, size_t owner) {
  RIA_TRY(ria_grow(e->ctx, "edges of shapes", &e->owner, &e->owners_room, e->n_polygons + 1,
                   sizeof *e->owner));
  e->owner[e->n_polygons++] = owner;
  return RIA_OK;
}

static ria_status add_rings(ria_edges *e, const ria_shape *s, size_t number) {
  for (size_t p = 0; p < s->n_parts; p++) {
    if (p == 0 || s->polygon[p] != s->polygon[p - 1]) RIA_TRY(add_polygon(e, number));
    for (size_t k = s->first[p]; k + 1 < s->first[p + 1]; k++)
      RIA_TRY(add_edge(e, s->x[k], s->y[k], s->x[k + 1], s->y[k + 1]));
  }
  return RIA_OK;
}

static ria_status add_closed(ria_edges *e, size_t number, const double *x, const double *y, int n) {
  RIA_TRY(add_polygon(e, number));
  for (int k = 0; k < n; k++) RIA_TRY(add_edge(e, x[k], y[k], x[(k + 1) % n], y[(k + 1) % n]));
  return RIA_OK;
}

/* The strip along one leg. */
static ria_status add_strip(ria_edges *e, size_t number, const double *x, const double *y,
                            double half) {
  const double length = hypot(x[1] - x[0], y[1] - y[0]);
  if (!(length > 0.0)) return RIA_OK;
  const double nx = half * (y[0] - y[1]) / length, ny = half * (x[1] - x[0]) / length;
  const double cx[4] = {x[0] - nx, x[1] - nx, x[1] + nx, x[0] + nx};
  const double cy[4] = {y[0] - ny, y[1] - ny, y[1] + ny, y[0] + ny};
  return add_closed(e, number, cx, cy, 4);
}

static ria_status add_disc(ria_edges *e, size_t number, double x, double y, double radius) {
  double cx[CORNERS], cy[CORNERS];
  for (int k = 0; k < CORNERS; k++) {
    const double a = 6.283185307179586 * k / CORNERS;
    cx[k] = x + radius * cos(a);
    cy[k] = y + radius * sin(a);
  }
  return add_closed(e, number, cx, cy, CORNERS);
}

/* Strips, and discs where two of them meet: the ends of a line are cut square. */
static ria_status add_bands(ria_edges *e, const ria_shape *s, size_t number, double half) {
  for (size_t p = 0; p < s->n_parts; p++) {
    const size_t first = s->first[p], last = s->first[p + 1] - 1;
    const bool closed = s->x[first] == s->x[last] && s->y[first] == s->y[last];
    for (size_t k = first; k < last; k++) {
      RIA_TRY(add_strip(e, number, &s->x[k], &s->y[k], half));
      if (k > first || closed) RIA_TRY(add_disc(e, number, s->x[k], s->y[k], half));
    }
  }
  return RIA_OK;
}

static ria_status add_cells(ria_edges *e, const ria_shape *s, size_t number) {
  const ria_grid *g = e->grid;
  for (size_t k = s->first[0]; k < s->first[s->n_parts]; k++) {
    int i, j;
    if (!ria_grid_locate(g, s->x[k], s->y[k], &i, &j)) continue;
    RIA_TRY(add_polygon(e, number));
    RIA_TRY(push(e, (ria_edge){i, j, i, j + 1, 0}));
    RIA_TRY(push(e, (ria_edge){i + 1, j, i + 1, j + 1, 0}));
  }
  return RIA_OK;
}

ria_status ria_edges_add(ria_edges *e, const ria_shape *shape, size_t number, double width) {
  switch (shape->kind) {
  case RIA_POLYGONS:
    return add_rings(e, shape, number);
  case RIA_LINES:
    return add_bands(e, shape, number, 0.5 * width);
  default:
    return add_cells(e, shape, number);
  }
}
