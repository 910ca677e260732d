/* base/grid.h - cells of a grid: how many, where, how large a value is. Private. */
#ifndef RIA_BASE_GRID_H
#define RIA_BASE_GRID_H
#include <ria/solver.h>

size_t ria_real_size(ria_real real);
size_t ria_grid_cells(const ria_grid *g);
double ria_cell_x(const ria_grid *g, int i);
double ria_cell_y(const ria_grid *g, int j);
/* The k-th of n parts of ny rows, from the south: as many rows each as can be. */
ria_part ria_part_cut(int ny, int n, int k);
/* Part k of n gets the rows cut[k] .. cut[k + 1] - 1: at least one, and of work[ny], each >= 0, as
 * equal a share as rows allow. Of equal work each: as ria_part_cut. cut[n + 1] */
void ria_part_cut_by(const double *work, int ny, int n, int *cut);

#endif
