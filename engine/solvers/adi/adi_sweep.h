/* adi_sweep.h - the two sweeps of a step on the CPU, for one precision (RIA_PRECISION):
 *
 *   adi_rows.h          loops over a part of a row, which both call
 *   adi_sweep_x.h       along x: rows
 *   adi_columns.h       lines along y: built and solved
 *   adi_columns_ring.h  those that close upon themselves
 *   adi_sweep_y.h       along y: columns
 *
 * Lines are worked on in groups: an x-sweep takes as many rows as a vector has lanes, a y-sweep
 * COLUMNS columns. Of a group, in scratch that stays in cache:
 *
 *   across    what crosses the faces across, limited by what the cells beside have
 *   build     the rows of the tridiagonal systems, along the rows of the grid in either sweep
 *   solve     Thomas' algorithm, all lines of the group side by side: [face][lane], so that its
 *             recurrences vectorise. An x-sweep turns its rows into that order and back
 *   finish    what crosses the faces along, limited; new flux and level
 *
 * Between periodic sides a line closes upon itself. It is cut at the seam: solved once with nothing
 * crossing there and once for 1 that crosses, of which the row of the seam makes what does
 * (seam_flux). Columns that do so take what lies beyond their ends from the ghost rows.
 *
 * Each group reads the old planes and writes new ones, so groups need not wait for each other, and
 * faces between two groups are computed by both, by the same loop from the same
 * numbers. All results are the same for any number of threads. */
#include "adi_rows.h"
#include <string.h>

#include "adi_sweep_x.h"
#include "adi_columns.h"
#include "adi_columns_ring.h"
#include "adi_sweep_y.h"
