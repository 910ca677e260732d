/* shapes/cover.h - polygons as edges that a sweep passes. Private to cover*.c. */
#ifndef RIA_SHAPES_COVER_H
#define RIA_SHAPES_COVER_H
#include <ria/shapes.h>

/* In units of cells, v0 < v1. */
typedef struct ria_edge {
  double u0, v0, u1, v1;
  int polygon;
} ria_edge;

typedef struct ria_edges {
  ria_context *ctx;
  const ria_grid *grid;
  ria_edge *edge;
  size_t n, room;
  size_t *owner; /* [n_polygons] the shape that a polygon is of */
  size_t n_polygons, owners_room;
} ria_edges;

/* Those of a shape, by its number: its polygons, or a band around its lines, or the cells of its
 * points. */
ria_status ria_edges_add(ria_edges *e, const ria_shape *shape, size_t number, double width);
void ria_edges_free(ria_edges *e);

#endif
