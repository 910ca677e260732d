/* stencil.c - weights of finite differences.
 *
 * Fornberg (1988) gives the weights of a derivative at a place from any points around it, by
 * building up the derivatives of the interpolating polynomial a point at a time. A polynomial
 * through n points is exact up to degree n - 1: a d-th derivative by n points is of order n - d at
 * least, and one order better where the points lie symmetric about the place and d is even. Hence
 * order + 1 points for first derivatives anywhere and for second ones in the middle, order + 2 for
 * second ones at an end. */
#include "primitives/field3/field3.h"

#include <string.h>

enum { POINTS_MAX = 16, DERIVATIVES = 3 };

void fd_fornberg(double at, const double *x, int n, int derivative, double *w) {
  double c[POINTS_MAX][DERIVATIVES] = {{1.0}};
  double above = 1.0, here = x[0] - at;
  for (int i = 1; i < n; i++) {
    const int most = i < derivative ? i : derivative;
    const double before = here;
    double below = 1.0;
    here = x[i] - at;
    for (int j = 0; j < i; j++) {
      const double gap = x[i] - x[j];
      below *= gap;
      if (j == i - 1) {
        for (int k = most; k > 0; k--)
          c[i][k] = above * (k * c[i - 1][k - 1] - before * c[i - 1][k]) / below;
        c[i][0] = -above * before * c[i - 1][0] / below;
      }
      for (int k = most; k > 0; k--) c[j][k] = (here * c[j][k] - k * c[j][k - 1]) / gap;
      c[j][0] = here * c[j][0] / gap;
    }
    above = below;
  }
  for (int i = 0; i < n; i++) w[i] = c[i][derivative];
}

void fd_stencil_make(int derivative, int order, fd_stencil *out) {
  double x[FD_WIDTH_MAX], w[FD_WIDTH_MAX];
  memset(out, 0, sizeof *out);
  out->even = derivative == 2;
  out->half = order / 2;
  out->width = order + derivative;
  for (int i = 0; i < FD_WIDTH_MAX; i++) x[i] = i;
  fd_fornberg(out->half, x, order + 1, derivative, w);
  for (int m = out->even ? 0 : 1; m <= out->half; m++) out->c[m] = w[out->half + m];
  for (int j = 0; j < out->half; j++) fd_fornberg(j, x, out->width, derivative, out->end[j]);
}

fd_stencil fd_stencil_times(const fd_stencil *s, double factor) {
  fd_stencil t = *s;
  for (int m = 0; m <= s->half; m++) t.c[m] *= factor;
  for (int j = 0; j < s->half; j++)
    for (int m = 0; m < s->width; m++) t.end[j][m] *= factor;
  return t;
}
