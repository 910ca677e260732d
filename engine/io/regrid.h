/* io/regrid.h - values of one grid's cells on the cells of another: finer, coarser, turned.
 * Private.
 *
 * Each cell of `from` has a plane through its value, with limited slopes; a cell of `to` takes the
 * integral over what it shares with each (conservative remapping of second order: Dukowicz and
 * Kodis, SIAM J. Sci. Stat. Comput. 8, 1987, 305-321; P. W. Jones, Mon. Weather Rev. 127, 1999,
 * 2204-2210). So integrals are kept, and no value leaves the range of its neighbours. */
#ifndef RIA_IO_REGRID_H
#define RIA_IO_REGRID_H
#include <ria/grid.h>

typedef struct ria_regrid {
  ria_grid from, to;
  bool same;           /* cell for cell */
  double at[2];        /* the corner of `to`, in cells of `from` */
  double di[2], dj[2]; /* the way on from one cell of `to` to the next, in cells of `from` */
  double cosine, sine; /* of the angle from the axes of `from` to those of `to` */
} ria_regrid;

void ria_regrid_init(ria_regrid *r, const ria_grid *from, const ria_grid *to);
/* Of each cell of `to` the mean of v over the part of it that has values: v[from], NaN: none;
 * weight[from] > 0, NULL: 1; others do not count. out[to], NaN where nothing counts. share[to] (may
 * be NULL): the part of the cell that has values, 0 to 1. The same grid: v itself. */
void ria_regrid_mean(const ria_regrid *r, const double *v, const double *weight, double *out,
                     double *share);
/* A vector along the axes of `from`, in place, becomes one along those of `to`. */
void ria_regrid_turn(const ria_regrid *r, double *x, double *y);

#endif
