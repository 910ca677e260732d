/* ria/tridiag.h - many tridiagonal systems at once, one a row or one a column of fields.
 *
 *   lower[k] x[k-1] + diag[k] x[k] + upper[k] x[k+1] = rhs[k],   k along the line
 *
 * Elimination without pivoting: the CPU by the Thomas algorithm, its vectors across lines; a GPU by
 * partition (each thread a segment of a line), engine/primitives/tridiag/README.md. That is as
 * accurate as pivoting where |diag| >= |lower| + |upper| on every row (rows or columns), for
 * symmetric positive definite systems and for M-matrices: every implicit scheme of diffusion or
 * waves. Elsewhere a pivot may vanish although the system can be solved, or nearly vanish and cost
 * digits; which pivots there are differs between CPU and GPU. */
#ifndef RIA_TRIDIAG_H
#define RIA_TRIDIAG_H
#include <ria/field.h>
#include <ria/sim.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum ria_along {
  RIA_ALONG_X, /* each row is a system of nx unknowns */
  RIA_ALONG_Y  /* each column is a system of ny unknowns */
} ria_along;

/* Fields are [ny][stride] of `real`, in the memory of the host or, in a context on a GPU, all in
 * that of the GPU: then the call is as fast as the GPU, else as the copies. What lower says of the
 * first and upper of the last unknown of a line is not read. */
typedef struct ria_tridiag_desc {
  int nx, ny;
  size_t stride; /* elements from a row to the next; 0 = nx */
  ria_along along;
  ria_real real;
  const void *lower, *diag, *upper, *rhs;
  void *x; /* may be any of the four: that is overwritten */
} ria_tridiag_desc;

/* Solve them all; returns when x is there. RIA_ERR_ARGUMENT: sizes or a NULL. RIA_ERR_NUMERICAL:
 * some lines have no finite solution by elimination without pivoting; the message names the first
 * one, which and those like it hold NaN or infinities, the others their solution. The same bits
 * every time, on any number of threads. */
RIA_API ria_status ria_tridiag_solve(ria_context *ctx, const ria_tridiag_desc *desc);

/* The same for rasters on one grid: *out is a new one. */
RIA_API ria_status ria_tridiag_rasters(ria_context *ctx, ria_along along, const ria_raster *lower,
                                       const ria_raster *diag, const ria_raster *upper,
                                       const ria_raster *rhs, ria_raster **out);

#ifdef __cplusplus
}
#endif
#endif
