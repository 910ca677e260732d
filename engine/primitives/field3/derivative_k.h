/* derivative_k.h - the formulas of finite differences, for the CPU and the GPU alike.
 *
 * Weights hold the spacing already. A sum begins with its farthest pair, so that small terms are
 * added first, and is written as one chain of products and sums: contracted or not, it is the same
 * chain wherever it is compiled, and a derivative has the same bits alone and in a gradient. */
#include <ria/kernel.h>

#ifndef RIA_DERIVATIVE_K_H
#define RIA_DERIVATIVE_K_H
#include <stdbool.h>
#include <stddef.h>

#if defined(__CUDA_ARCH__) || (defined(__clang__) && !defined(__CUDACC__))
#define FD_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define FD_UNROLL /* what nvcc hands to the host's compiler is not run */
#else
#define FD_UNROLL _Pragma("GCC unroll 16")
#endif

enum {
  FD_HALF_MAX = 4,               /* points on either side, order 8 */
  FD_SPAN_MAX = 2 * FD_HALF_MAX, /* points beside the middle */
  FD_WIDTH_MAX = FD_SPAN_MAX + 2 /* points of a stencil at a closed end */
};

/* A derivative along one axis, in double precision; 1 / spacing is in the weights. */
typedef struct fd_stencil {
  bool even;                             /* a second derivative, else a first */
  int half;                              /* points on either side: order / 2 */
  int width;                             /* points at a closed end */
  double c[FD_HALF_MAX + 1];             /* c[0]: the middle; c[m]: the m-th pair */
  double end[FD_HALF_MAX][FD_WIDTH_MAX]; /* at point j from the low end; at the high end mirrored,
                                            and the sign turned where odd */
} fd_stencil;
#endif

#ifdef RIA_PRECISION
#define fd_weights RIA_K(fd_weights)

/* The weights of one axis, rounded to the precision that they are used in. */
typedef struct fd_weights {
  RIA_PRECISION c[FD_HALF_MAX + 1];             /* of the middle, of the pairs */
  RIA_PRECISION end[FD_HALF_MAX][FD_WIDTH_MAX]; /* at point j from a closed end, of the points
                                                   from that end on */
} fd_weights;

static inline fd_weights fd_round(const fd_stencil *s) {
  fd_weights w;
  for (int m = 0; m <= FD_HALF_MAX; m++) w.c[m] = (RIA_PRECISION)s->c[m];
  for (int j = 0; j < FD_HALF_MAX; j++)
    for (int m = 0; m < FD_WIDTH_MAX; m++) w.end[j][m] = (RIA_PRECISION)s->end[j][m];
  return w;
}

/* Odd: sum of c[m] (v[m] - v[-m]). v points to the middle one of 2 half + 1 values. */
RIA_KERNEL RIA_PRECISION fd_odd(int half, const RIA_PRECISION *c, const RIA_PRECISION *v) {
  RIA_PRECISION sum = c[half] * (v[half] - v[-half]);
  FD_UNROLL
  for (int m = half - 1; m > 0; m--) sum += c[m] * (v[m] - v[-m]);
  return sum;
}

/* Even: c[0] v[0] + sum of c[m] (v[m] + v[-m]). */
RIA_KERNEL RIA_PRECISION fd_even(int half, const RIA_PRECISION *c, const RIA_PRECISION *v) {
  RIA_PRECISION sum = c[half] * (v[half] + v[-half]);
  FD_UNROLL
  for (int m = half - 1; m > 0; m--) sum += c[m] * (v[m] + v[-m]);
  return sum + c[0] * v[0];
}

/* Near a closed end: sum of w[m] f[m stride] over the points from the end on. At the high end the
 * stride is negative. */
RIA_KERNEL RIA_PRECISION fd_end(int width, const RIA_PRECISION *w, const RIA_PRECISION *f,
                                ptrdiff_t stride) {
  RIA_PRECISION sum = w[0] * f[0];
  for (int m = 1; m < width; m++) sum += w[m] * f[m * stride];
  return sum;
}
#endif
