/* shapes/cells.h - the whole cells that a shape takes. Private. */
#ifndef RIA_SHAPES_CELLS_H
#define RIA_SHAPES_CELLS_H
#include <ria/shapes.h>

/* Called for each cell, some more than once. z: of the line at its place nearest to the centre of
 * the cell, NaN for other kinds. */
typedef void (*ria_cell_fn)(void *user, int i, int j, double z);

/* RIA_CELLS_CENTRE or RIA_CELLS_TOUCHED. */
ria_status ria_shape_each_cell(ria_context *ctx, const ria_shape *shape, const ria_grid *grid,
                               ria_shape_cells cells, double width, ria_cell_fn fn, void *user);

#endif
