/* base/grid.h - cells of a grid: how many, where, how large a value is. Private. */
#ifndef RIA_BASE_GRID_H
#define RIA_BASE_GRID_H
#include <ria/solver.h>

size_t ria_real_size(ria_real real);
size_t ria_grid_cells(const ria_grid *g);
/* The centre of a cell along the grid's own axes, and on the map. Without an angle the same. */
double ria_cell_x(const ria_grid *g, int i);
double ria_cell_y(const ria_grid *g, int j);
typedef struct ria_spot {
  double x, y;
} ria_spot;
ria_spot ria_cell_on_map(const ria_grid *g, int i, int j);
/* A point given in cells from the corner: (0, 0) is the corner, (nx, ny) the opposite one. */
ria_spot ria_grid_spot(const ria_grid *g, double i, double j);
/* The grid of a raster of nx x ny cells whose first row has its corner at (t[0], t[3]), the next
 * cell (t[1], t[4]) further on, the next row (t[2], t[5]): numbers of files, in which rotations are
 * rounded. *from_south: the first row is the southernmost, as the grid counts them. False where
 * rows and columns are not at right angles. */
bool ria_grid_of_affine(const double t[6], int nx, int ny, ria_grid *out, bool *from_south);
/* Where a grid lies: "x 0 to 100, y 0 to 50"; of a turned one its corners, in turn. */
enum { RIA_GRID_TEXT = 256 };
const char *ria_grid_tell(const ria_grid *g, char text[RIA_GRID_TEXT]);
/* The k-th of n parts of ny rows, from the south: as many rows each as can be. */
ria_part ria_part_cut(int ny, int n, int k);
/* Part k of n gets the rows cut[k] .. cut[k + 1] - 1: at least one, and of work[ny], each >= 0, as
 * equal a share as rows allow. Of equal work each: as ria_part_cut. cut[n + 1] */
void ria_part_cut_by(const double *work, int ny, int n, int *cut);

#endif
