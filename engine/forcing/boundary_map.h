/* forcing/boundary_map.h - where boundaries lie: from points on the map to cells of a side.
 *
 * Two steps. A boundary's description is resolved once into a place: a run of cells along one side.
 * Then all places, in the order in which they were added, are painted over each other into the
 * owner arrays of ria_boundary_set: the last one painted owns the cell.
 *
 * Stretches 0..3 are the sides as a whole, in the order of ria_side; the i-th place is stretch
 * 4 + i, for good. A side that a whole-side place covers keeps its stretch 0..3 with no cells. */
#ifndef RIA_FORCING_BOUNDARY_MAP_H
#define RIA_FORCING_BOUNDARY_MAP_H
#include <ria/boundary.h>
#include <ria/grid.h>

typedef struct ria_place {
  ria_side side;
  int first, count; /* cells along the side, counted from south or west; count >= 1 */
  bool back;        /* described from its north or east: shares of its length count from there */
  uint8_t *takes;   /* [count] which of these it has; NULL = all. ria_place_clear frees it */
} ria_place;

void ria_place_clear(ria_place *place);
/* Is the k-th cell of its side among them? */
static inline bool ria_place_has(const ria_place *place, int k) {
  return k >= place->first && k - place->first < place->count &&
         (!place->takes || place->takes[k - place->first]);
}

/* One side as a line: cells of size d along it from `origin`, at a fixed other coordinate. */
typedef struct ria_side_line {
  int along;     /* index of the coordinate along it: 0 = x, 1 = y */
  int n;         /* cells */
  double origin; /* where its first cell begins, m */
  double d;      /* cell size along it, m */
  double at;     /* the fixed coordinate, m */
  double across; /* cell size across it, m */
} ria_side_line;
ria_side_line ria_side_line_of(const ria_grid *grid, ria_side side);

/* Resolve the geometry of a description (side, stretch, from, to, line, reach, one_side; nothing
 * else is read).
 *
 * A stretch lies on the side that both its points are near to: within two cells off it (of the size
 * across it) and at most two cells beyond its ends. Near a corner the side that the farther point
 * is nearest to counts. It covers the cells whose centres lie between the points; RIA_ERR_ARGUMENT
 * when there is none, when a point is too far, or when the points lie on different sides, with the
 * point, the side and the distance. A line: see ria_place_by_line. *out is the caller's to clear.
 */
ria_status ria_place_resolve(ria_context *ctx, const ria_grid *grid, const ria_boundary_desc *desc,
                             ria_place *out);

/* boundary_line.c: the same for a line, as ria/boundary.h says: the edges of a side whose middles
 * face the line. RIA_ERR_ARGUMENT: polygons, no side within reach, or several sides. */
ria_status ria_place_by_line(ria_context *ctx, const ria_grid *grid, const ria_boundary_desc *desc,
                             ria_place *out);

/* Where a point is along a side, in cells from south or west; *off and *beyond: how far it is from
 * the line that the side lies on, and beyond the side's ends; *length: of the side; m. */
double ria_along_side(const ria_grid *grid, ria_side side, const double p[2], double *off,
                      double *beyond, double *length);

typedef struct ria_boundary_map {
  int n;                     /* stretches: RIA_SIDES + places */
  int32_t *owner[RIA_SIDES]; /* [ria_side_length] stretch of each cell of a side */
  int32_t *cells;            /* [n] cells that a stretch owns; 0 = covered by later ones */
  int32_t *block;            /* the one allocation that owner and cells point into */
} ria_boundary_map;

/* Build the map of n places. *map must be zero or built before; it is replaced, or left as it was
 * when this fails. */
ria_status ria_boundary_map_build(ria_context *ctx, const ria_grid *grid, const ria_place *place,
                                  size_t n, ria_boundary_map *map);
/* The cells of the sides that out[ny][nx] marks go to stretches of their own: that of the first
 * side is `first`, the others' follow it. */
void ria_boundary_map_leave_out(ria_boundary_map *map, const ria_grid *grid, const uint8_t *out,
                                int32_t first);
/* The k-th cell of a side, from south or west: j * nx + i. */
size_t ria_boundary_cell(const ria_grid *grid, int side, int k);
void ria_boundary_map_free(ria_boundary_map *map);

#endif
