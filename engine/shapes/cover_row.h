/* shapes/cover_row.h - what each cell of one row has of shapes. Private to cover.c.
 *
 * A row is put together from trapezoids between a left and a right edge. What lies right of an edge
 * is added for the one and taken away for the other: the cells that the edge passes get their part,
 * all cells further right the whole height, which is noted once and summed up at the end. So the
 * work goes with the edges, not with the cells between them. Sums of what was added and taken away
 * leave round-off; whole numbers, summed in the same way, tell which cells no shape touches and
 * which have only one value, so that these are exact. */
#ifndef RIA_SHAPES_COVER_ROW_H
#define RIA_SHAPES_COVER_ROW_H
#include <ria/status.h>

typedef struct ria_cover_cell {
  double part, whole;         /* area: of this cell alone; of this and all to the right */
  double part_sum, whole_sum; /* the same times the value */
  int64_t touching, number;   /* trapezoids that touch it, and their values' numbers */
  uint64_t mark;              /* and marks of these numbers, which tell one from several */
} ria_cover_cell;

typedef struct ria_cover_row {
  int nx;
  ria_cover_cell *cell; /* [nx + 1]: as differences to the cell on the left */
} ria_cover_row;

/* An edge across the slab: u at its lower and at its upper end. */
typedef struct ria_cover_side {
  double low, high;
} ria_cover_side;

/* A trapezoid of a height (at most 1) with one value, whose number is >= 0. */
void ria_cover_add(ria_cover_row *row, const ria_cover_side *left, const ria_cover_side *right,
                   double height, int64_t number, double value);
/* The row done: share[nx] and, unless NULL, mean[nx]; value[number]. The row is empty again. */
void ria_cover_finish(ria_cover_row *row, const double *value, double *share, double *mean);

#endif
