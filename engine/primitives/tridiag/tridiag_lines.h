/* tridiag_lines.h - the Thomas algorithm on the CPU for some lines side by side, so that a vector
 * holds one unknown of each. Included by lines_f32.c and lines_f64.c.
 *
 * Columns lie side by side as they are. Rows are turned piece by piece into buffers [k][line]. What
 * elimination leaves, c and d of each row, is kept as [unknown][line]. Fewer lines than
 * TRIDIAG_LINES are made up to it by repeating the last one, so that vectors are full and the
 * arithmetic of a line does not depend on its neighbours. */
#include "tridiag.h"
#include "tridiag_k.h"

#include <string.h>

#define R RIA_PRECISION
#define W TRIDIAG_LINES

/* Unknowns k0 .. k0+m-1 of the lines, [m][W]. */
static void take(const ria_tridiag_desc *d, const void *field, int first, int n, int k0, int m,
                 R *RIA_RESTRICT out) {
  const R *f = field;
  const size_t along = d->along == RIA_ALONG_X ? 1 : d->stride;
  const size_t across = d->along == RIA_ALONG_X ? d->stride : 1;
  const R *from = f + (size_t)first * across + (size_t)k0 * along;
  if (n == W && across == 1) {
    for (int k = 0; k < m; k++) memcpy(out + k * W, from + (size_t)k * along, W * sizeof *out);
    return;
  }
  for (int l = 0; l < W; l++) {
    const R *line = from + (size_t)(l < n ? l : n - 1) * across;
    for (int k = 0; k < m; k++) out[k * W + l] = line[(size_t)k * along];
  }
}

static void give(const ria_tridiag_desc *d, const R *RIA_RESTRICT x, int first, int n,
                 int unknowns) {
  R *f = d->x;
  const size_t along = d->along == RIA_ALONG_X ? 1 : d->stride;
  const size_t across = d->along == RIA_ALONG_X ? d->stride : 1;
  R *to = f + (size_t)first * across;
  if (n == W && across == 1) {
    for (int k = 0; k < unknowns; k++)
      memcpy(to + (size_t)k * along, x + (size_t)k * W, W * sizeof *x);
    return;
  }
  for (int l = 0; l < n; l++)
    for (int k = 0; k < unknowns; k++)
      to[(size_t)l * across + (size_t)k * along] = x[(size_t)k * W + (size_t)l];
}

/* A piece of m rows; c and d of the row before it are at c[-W], d[-W] unless it is the first. */
static void eliminate(const R *RIA_RESTRICT lower, const R *RIA_RESTRICT diag,
                      const R *RIA_RESTRICT upper, const R *RIA_RESTRICT rhs, int m, bool is_first,
                      R *c, R *d) {
  for (int k = 0; k < m; k++) {
    const int o = k * W;
#pragma omp simd
    for (int l = 0; l < W; l++) {
      const bool none = is_first && k == 0;
      const tri_row up = {0, none ? 0 : c[o - W + l], none ? 0 : d[o - W + l]};
      const tri_row r =
          tri_next(up, none ? 0 : lower[o + l], diag[o + l], upper[o + l], rhs[o + l]);
      c[o + l] = r.c;
      d[o + l] = r.d;
    }
  }
}

int RIA_K(tridiag_lines)(const ria_tridiag_desc *desc, int first, int n, R *room) {
  const int unknowns = desc->along == RIA_ALONG_X ? desc->nx : desc->ny;
  const size_t piece = (size_t)W * TRIDIAG_PIECE, all = (size_t)W * (size_t)unknowns;
  R *lower = room, *diag = lower + piece, *upper = diag + piece, *rhs = upper + piece;
  R *c = rhs + piece, *x = c + all;
  for (int k = 0; k < unknowns; k += TRIDIAG_PIECE) {
    const int m = unknowns - k < TRIDIAG_PIECE ? unknowns - k : TRIDIAG_PIECE;
    take(desc, desc->lower, first, n, k, m, lower);
    take(desc, desc->diag, first, n, k, m, diag);
    take(desc, desc->upper, first, n, k, m, upper);
    take(desc, desc->rhs, first, n, k, m, rhs);
    if (k + m == unknowns) memset(upper + (size_t)(m - 1) * W, 0, W * sizeof *upper);
    const size_t o = (size_t)k * W;
    eliminate(lower, diag, upper, rhs, m, k == 0, c + o, x + o);
  }
  for (int k = unknowns - 2; k >= 0; k--) {
    const size_t o = (size_t)k * W;
#pragma omp simd
    for (int l = 0; l < W; l++) x[o + (size_t)l] -= c[o + (size_t)l] * x[o + W + (size_t)l];
  }
  give(desc, x, first, n, unknowns);
  R sum[W] = {0}; /* x - x is 0 where x is finite */
  for (int k = 0; k < unknowns; k++)
    for (int l = 0; l < W; l++)
      sum[l] += x[(size_t)k * W + (size_t)l] - x[(size_t)k * W + (size_t)l];
  for (int l = 0; l < n; l++)
    if (!(sum[l] == 0)) return first + l;
  return -1;
}

#undef R
#undef W
