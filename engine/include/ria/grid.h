/* ria/grid.h - the uniform Cartesian grid.
 *
 * Cell (i, j): i counts east, j counts north, row 0 is the southernmost. Its centre is at
 * x = x0 + (i + 0.5) dx, y = y0 + (j + 0.5) dy. Arrays over the grid are [ny][nx], i fastest.
 *
 * A grid with an angle is turned about its corner (x0, y0). "East" and "north" are then its own
 * axes; the formula above gives the grid's own coordinates of a centre, which run along its axes
 * and agree with the map's at the corner. Positions that go in or come out are the map's, unless a
 * function says otherwise; sides are the grid's own, and so are the components of vectors (u, v,
 * discharges). The angle is that of Delft3D, SWAN and XBeach; MIKE's orientation is the bearing of
 * the y axis: angle = -orientation. */
#ifndef RIA_GRID_H
#define RIA_GRID_H
#include <ria/status.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { RIA_CRS_MAX = 4096 };

typedef struct ria_grid {
  int nx, ny;    /* cells */
  double dx, dy; /* m */
  double x0, y0; /* south-west corner of the domain (not a cell centre), m */
  double angle;  /* from the map's x axis to the grid's, counterclockwise, degrees; 0 = none */
} ria_grid;

/* Rows j0 <= j < j1 of a grid. */
typedef struct ria_part {
  int j0, j1;
} ria_part;

typedef enum ria_side { RIA_WEST, RIA_EAST, RIA_SOUTH, RIA_NORTH, RIA_SIDES } ria_side;
/* "west", "east", "south", "north" */
RIA_API const char *ria_side_name(ria_side side);
/* Cells along a side: ny for west and east, nx for south and north. */
RIA_API int ria_side_length(const ria_grid *g, ria_side side);
/* Cosine and sine of the angle, exact for multiples of 90 degrees. */
RIA_API void ria_grid_axes(const ria_grid *g, double *cosine, double *sine);
/* A place on the map to the grid's own coordinates and back; without an angle nothing changes. */
RIA_API void ria_grid_from_map(const ria_grid *g, double *x, double *y);
RIA_API void ria_grid_to_map(const ria_grid *g, double *x, double *y);
/* The cell that holds (x, y) of the map. False when outside; *i, *j are then the nearest cell
 * inside. */
RIA_API bool ria_grid_locate(const ria_grid *g, double x, double y, int *i, int *j);
/* RIA_ERR_ARGUMENT unless nx, ny >= 1, nx*ny fits in int32, dx, dy > 0, -180 < angle <= 180
 * and all is finite. */
RIA_API ria_status ria_grid_check(ria_context *ctx, const ria_grid *g);

#ifdef __cplusplus
}
#endif
#endif
