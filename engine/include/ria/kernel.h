/* ria/kernel.h - what a <name>_k.h needs: functions that gcc vectorises and nvcc compiles.
 *
 * Kernel functions are pure arithmetic per cell or per edge: no loops over cells, no memory, no
 * branches where a select will do. They are written once and compiled for float and for double and
 * for each backend. A kernel header that depends on the precision is included with RIA_PRECISION
 * set to `float` or `double`; RIA_K(name) then gives name_f32 or name_f64. */
#ifndef RIA_KERNEL_H
#define RIA_KERNEL_H

#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define RIA_KERNEL static __host__ __device__ __forceinline__
#define RIA_RESTRICT __restrict__
#else
#define RIA_KERNEL static inline __attribute__((always_inline, unused))
#define RIA_RESTRICT restrict
#endif

/* --- values in time, evaluated where the steps run ----------------------------------------------
 */

typedef enum ria_forcing_kind {
  RIA_FORCING_CONSTANT,
  RIA_FORCING_LINEAR, /* data: count pairs (t, v) */
  RIA_FORCING_STEP,   /* data: count pairs (t, v); v holds from its t on */
  RIA_FORCING_TIDE    /* data: count triples (w rad/s, amplitude, phase rad) */
} ria_forcing_kind;

typedef struct ria_forcing {
  int kind, first, count; /* first: index into data */
  double base;            /* constant, or offset added to the rest */
  double scale;
  double ramp; /* s; 0 = none: factor (1 - cos(pi t / ramp)) / 2 on the part other than base */
} ria_forcing;

/* All the forcing of a run, flat, so that it copies to a device in two pieces. */
typedef struct ria_forcing_table {
  const ria_forcing *entry; /* [n] */
  const double *data;       /* [n_data] */
  int n, n_data;
} ria_forcing_table;

RIA_KERNEL double ria_forcing_at(const ria_forcing_table *table, int id, double t) {
  const ria_forcing f = table->entry[id];
  const double *d = table->data + f.first;
  double v = 0.0;
  if (f.kind == RIA_FORCING_TIDE) {
    for (int k = 0; k < f.count; k++) v += d[3 * k + 1] * cos(d[3 * k] * t - d[3 * k + 2]);
  } else if (f.kind != RIA_FORCING_CONSTANT) {
    int lo = 0, hi = f.count - 1; /* the last knot at or before t */
    while (lo < hi) {
      int mid = (lo + hi + 1) / 2;
      if (d[2 * mid] <= t)
        lo = mid;
      else
        hi = mid - 1;
    }
    v = d[2 * lo + 1];
    if (f.kind == RIA_FORCING_LINEAR && lo + 1 < f.count && t > d[2 * lo]) {
      double w = (t - d[2 * lo]) / (d[2 * lo + 2] - d[2 * lo]);
      v += w * (d[2 * lo + 3] - v);
    }
  }
  if (f.ramp > 0.0 && t < f.ramp)
    v *= t <= 0.0 ? 0.0 : 0.5 * (1.0 - cos(3.14159265358979323846 * t / f.ramp));
  return f.base + f.scale * v;
}

#endif

/* --- per precision (no include guard: included once for each) -----------------------------------
 */
#ifdef RIA_PRECISION
#ifndef RIA_K
#define RIA_K_CAT2(name, suffix) name##_##suffix
#define RIA_K_CAT(name, suffix) RIA_K_CAT2(name, suffix)
#define RIA_K_float f32
#define RIA_K_double f64
#define RIA_K_OF2(real) RIA_K_##real
#define RIA_K_OF(real) RIA_K_OF2(real)
#define RIA_K(name) RIA_K_CAT(name, RIA_K_OF(RIA_PRECISION))
#endif
#endif
