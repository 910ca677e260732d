/* ria/kernel.h - the basis of a <name>_k.h: functions that gcc vectorises and nvcc compiles.
 *
 * Kernel functions are pure arithmetic per cell or per edge: no loops over cells, no memory, no
 * branches where a select will do. They are written once and compiled for float and for double and
 * for each backend. A kernel header that depends on the precision is included with RIA_PRECISION
 * set to `float` or `double`.
 *
 * Names are plain. A suffix is needed only where both precisions meet: RIA_K(name) gives name_f32
 * or name_f64.
 *
 *   - External functions and tables: RIA_K(name) at the definition.
 *   - A header that one translation unit includes at both precisions begins with a list of
 *     `#define name RIA_K(name)`. `name` is then that of the RIA_PRECISION in force where it is
 *     used, and name_f64 can also be called from single precision.
 *   - Types that depend on the precision are listed in any case: C++ allows one type of a name. */
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

#define RIA_K_CAT2(name, suffix) name##_##suffix
#define RIA_K_CAT(name, suffix) RIA_K_CAT2(name, suffix)
#define RIA_K_float f32
#define RIA_K_double f64
#define RIA_K_OF2(real) RIA_K_##real
#define RIA_K_OF(real) RIA_K_OF2(real)
#define RIA_K(name) RIA_K_CAT(name, RIA_K_OF(RIA_PRECISION))

/* --- roots and quotients ------------------------------------------------------------------------
 *
 * The CPU's are exact to the last place and vectorise. A GPU has approximations in hardware and
 * correctly rounded ones in software that cost ten times as much: here its approximations are
 * polished just far enough, to about two units in the last place. Roots and quotients are rounded
 * before anything is added to them, as products of ria_product are.
 *
 *   ria_root(a)        sqrt(a), a >= 0
 *   ria_inv_root(a)    1 / sqrt(a), a > 0
 *   ria_inv(a)         1 / a
 *   ria_over(a, b)     a / b
 *   ria_ratio(a, b, r) a / b where r = 1 / b is known, rounded as a division is, except a few in a
 *                      million: b / b is 1. r = 0: 0, whatever b
 *   ria_min, ria_max, ria_abs   of a and NaN: either, so that a machine may choose
 *   ria_product(a, b)  a b, rounded before anything is added to it: the same wherever it is written
 *   ria_fused(a, b, c) a b + c, rounded once on a GPU: the same wherever it is written
 */
#ifdef __CUDA_ARCH__
RIA_KERNEL float ria_inv_root_f32(float a) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
  return y;
}
RIA_KERNEL float ria_inv_f32(float a) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
  return y;
}
RIA_KERNEL float ria_root_f32(float a) {
  float y;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
  return y;
}
/* Third-order steps from 20 bits or more: the remaining error is below the last place. */
RIA_KERNEL double ria_inv_root_f64(double a) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
  const double e = fma(-a * y, y, 1.0);
  return fma(y * e, fma(0.375, e, 0.5), y);
}
RIA_KERNEL double ria_inv_f64(double a) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
  const double e = fma(-a, y, 1.0);
  return fma(y, fma(e, e, e), y);
}
RIA_KERNEL double ria_root_f64(double a) {
  return __dmul_rn(a, ria_inv_root_f64(a > 1e-290 ? a : 1e-290));
}
RIA_KERNEL float ria_over_f32(float a, float b) { return __fmul_rn(a, ria_inv_f32(b)); }
RIA_KERNEL double ria_over_f64(double a, double b) { return __dmul_rn(a, ria_inv_f64(b)); }
RIA_KERNEL float ria_ratio_f32(float a, float b, float r) {
  const float q = a * r;
  return fmaf(r, fmaf(-q, b, a), q);
}
RIA_KERNEL double ria_ratio_f64(double a, double b, double r) {
  const double q = a * r;
  return fma(r, fma(-q, b, a), q);
}
RIA_KERNEL float ria_product_f32(float a, float b) { return __fmul_rn(a, b); }
RIA_KERNEL double ria_product_f64(double a, double b) { return __dmul_rn(a, b); }
RIA_KERNEL float ria_fused_f32(float a, float b, float c) { return __fmaf_rn(a, b, c); }
RIA_KERNEL double ria_fused_f64(double a, double b, double c) { return __fma_rn(a, b, c); }
RIA_KERNEL float ria_min_f32(float a, float b) { return fminf(a, b); }
RIA_KERNEL float ria_max_f32(float a, float b) { return fmaxf(a, b); }
RIA_KERNEL float ria_abs_f32(float a) { return fabsf(a); }
RIA_KERNEL double ria_abs_f64(double a) { return fabs(a); }
#else
RIA_KERNEL float ria_root_f32(float a) { return sqrtf(a); }
RIA_KERNEL float ria_inv_root_f32(float a) { return 1 / sqrtf(a); }
RIA_KERNEL float ria_inv_f32(float a) { return 1 / a; }
RIA_KERNEL double ria_inv_root_f64(double a) { return 1 / sqrt(a); }
RIA_KERNEL double ria_inv_f64(double a) { return 1 / a; }
RIA_KERNEL double ria_root_f64(double a) { return sqrt(a); }
RIA_KERNEL float ria_over_f32(float a, float b) { return a / b; }
RIA_KERNEL double ria_over_f64(double a, double b) { return a / b; }
RIA_KERNEL float ria_ratio_f32(float a, float b, float r) {
  const float q = a / (r > 0 ? b : 1);
  return r > 0 ? q : 0;
}
RIA_KERNEL double ria_ratio_f64(double a, double b, double r) {
  const double q = a / (r > 0 ? b : 1);
  return r > 0 ? q : 0;
}
RIA_KERNEL float ria_product_f32(float a, float b) { return a * b; } /* each edge is one place */
RIA_KERNEL double ria_product_f64(double a, double b) { return a * b; }
RIA_KERNEL float ria_fused_f32(float a, float b, float c) { return a * b + c; }
RIA_KERNEL double ria_fused_f64(double a, double b, double c) { return a * b + c; }
RIA_KERNEL float ria_min_f32(float a, float b) { return a < b ? a : b; }
RIA_KERNEL float ria_max_f32(float a, float b) { return a > b ? a : b; }
RIA_KERNEL float ria_abs_f32(float a) { return a < 0 ? -a : a; }
RIA_KERNEL double ria_abs_f64(double a) { return a < 0 ? -a : a; }
#endif
RIA_KERNEL double ria_min_f64(double a, double b) { return a < b ? a : b; }
RIA_KERNEL double ria_max_f64(double a, double b) { return a > b ? a : b; }

#define ria_root RIA_K(ria_root)
#define ria_inv_root RIA_K(ria_inv_root)
#define ria_inv RIA_K(ria_inv)
#define ria_over RIA_K(ria_over)
#define ria_ratio RIA_K(ria_ratio)
#define ria_min RIA_K(ria_min)
#define ria_max RIA_K(ria_max)
#define ria_abs RIA_K(ria_abs)
#define ria_product RIA_K(ria_product)
#define ria_fused RIA_K(ria_fused)
#define ria_source_give RIA_K(ria_source_give)

/* --- the end of a step ------------------------------------------------------------------------ */

/* A span is over before the step that would take the time to t_watch or beyond (ria_span): would
 * this one, of dt from t on? landing: it is to end at t_stop exactly. The step is only put off: the
 * next span finds the same state and chooses the same dt, to the bit. */
RIA_KERNEL int ria_step_reaches(double t, double dt, int landing, double t_stop, double t_watch) {
  return (landing ? t_stop : t + dt) >= t_watch;
}

/* The step to take with `left` to go until a time that must be met: the last is shortened to land
 * on it, the one before shares the remainder so that none is tiny. */
RIA_KERNEL double ria_landing_step(double dt, double left, int *landing) {
  *landing = dt >= left;
  return dt >= left ? left : 2 * dt > left ? 0.5 * left : dt;
}

/* The part of an amount that first-order decay (rate, 1/s) leaves after dt. */
RIA_KERNEL double ria_decay_leaves(double rate, double dt) { return exp(-rate * dt); }

/* --- values in time, evaluated where the steps run -------------------------------------------- */

typedef enum ria_forcing_kind {
  RIA_FORCING_CONSTANT,
  RIA_FORCING_LINEAR, /* data: count pairs (t, v) */
  RIA_FORCING_STEP,   /* data: count pairs (t, v); v holds from its t on */
  RIA_FORCING_TIDE,   /* data: count triples (w rad/s, amplitude, phase rad) */
  /* Tides at several points, whose speeds are the same. data: where the count speeds w (rad/s) are
   * in the data of the table, shared by all of them; then count pairs (A cos G, A sin G). */
  RIA_FORCING_TIDES
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

/* The parts of ria_forcing_at, for threads that share its work. d: the data of f. */
RIA_KERNEL double ria_partial_tide(const double *d, int k, double t) {
  return d[3 * k + 1] * cos(d[3 * k] * t - d[3 * k + 2]);
}
/* How far a constituent has turned at time t: what tides at several points share. */
typedef struct ria_turned {
  double c, s;
} ria_turned;
RIA_KERNEL ria_turned ria_turned_at(double w, double t) {
  const ria_turned r = {cos(w * t), sin(w * t)};
  return r;
}
/* Of tides that share their speeds: these, and the k-th partial tide. d: the data of f. */
RIA_KERNEL const double *ria_shared_speeds(const ria_forcing_table *table, const double *d) {
  return table->data + (int)d[0];
}
RIA_KERNEL double ria_shared_tide(const double *d, int k, ria_turned r) {
  return d[1 + 2 * k] * r.c + d[2 + 2 * k] * r.s;
}
/* A series; lo: the last knot at or before t, or the first. */
RIA_KERNEL double ria_series_after(const ria_forcing *f, const double *d, int lo, double t) {
  const double v = d[2 * lo + 1];
  if (f->kind != RIA_FORCING_LINEAR || lo + 1 >= f->count || !(t > d[2 * lo])) return v;
  return v + (t - d[2 * lo]) / (d[2 * lo + 2] - d[2 * lo]) * (d[2 * lo + 3] - v);
}
/* v: the sum of the partial tides, or the series. */
RIA_KERNEL double ria_forcing_of(const ria_forcing *f, double v, double t) {
  if (f->ramp > 0.0 && t < f->ramp)
    v *= t <= 0.0 ? 0.0 : 0.5 * (1.0 - cos(3.14159265358979323846 * t / f->ramp));
  return f->base + f->scale * v;
}

/* The last knot at or before t, or the first. */
RIA_KERNEL int ria_series_knot(const ria_forcing *f, const double *d, double t) {
  int lo = 0, hi = f->count - 1;
  while (lo < hi) {
    int mid = (lo + hi + 1) / 2;
    if (d[2 * mid] <= t)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

RIA_KERNEL double ria_forcing_at(const ria_forcing_table *table, int id, double t) {
  const ria_forcing f = table->entry[id];
  const double *d = table->data + f.first;
  double v = 0.0;
  if (f.kind == RIA_FORCING_TIDE) {
    for (int k = 0; k < f.count; k++) v += ria_partial_tide(d, k, t);
  } else if (f.kind == RIA_FORCING_TIDES) {
    const double *w = ria_shared_speeds(table, d);
    for (int k = 0; k < f.count; k++) v += ria_shared_tide(d, k, ria_turned_at(w[k], t));
  } else if (f.kind != RIA_FORCING_CONSTANT) {
    v = ria_series_after(&f, d, ria_series_knot(&f, d, t), t);
  }
  return ria_forcing_of(&f, v, t);
}

/* The knots that a series was found between: from <= t < to, behind knot lo. Zeros: none yet. */
typedef struct ria_forcing_piece {
  double from, to;
  int lo;
} ria_forcing_piece;

/* ria_forcing_at, to the bit. Time goes on, and hundreds of long series are asked at every step:
 * the piece that each was in is remembered, and most often nothing needs to be looked for. */
RIA_KERNEL double ria_forcing_near(const ria_forcing_table *table, int id, double t,
                                   ria_forcing_piece *piece) {
  const ria_forcing *f = &table->entry[id];
  const double *d = table->data + f->first;
  if (f->kind != RIA_FORCING_LINEAR && f->kind != RIA_FORCING_STEP)
    return ria_forcing_at(table, id, t);
  if (!(t >= piece->from && t < piece->to)) {
    const int lo = ria_series_knot(f, d, t);
    piece->lo = lo;
    piece->from = lo > 0 ? d[2 * lo] : -HUGE_VAL;
    piece->to = lo + 1 < f->count ? d[2 * lo + 2] : HUGE_VAL;
  }
  return ria_forcing_of(f, ria_series_after(f, d, piece->lo, t), t);
}

/* --- sources ---------------------------------------------------------------------------------- */

/* The part of [t, t + dt] in which a source runs that runs from start to stop; to <= from: none. */
typedef struct ria_running {
  double from, to;
} ria_running;
RIA_KERNEL ria_running ria_source_running(double start, double stop, double t, double dt) {
  const ria_running r = {t > start ? t : start, t + dt < stop ? t + dt : stop};
  return r;
}
RIA_KERNEL int ria_source_runs(double start, double stop, double t, double dt) {
  const ria_running r = ria_source_running(start, stop, t, dt);
  return r.to > r.from;
}
/* It gives, all its cells together, its rate in the middle of that part times the part. */
RIA_KERNEL double ria_running_middle(ria_running r) { return 0.5 * (r.from + r.to); }
RIA_KERNEL double ria_running_gives(ria_running r, double rate) { return rate * (r.to - r.from); }
/* The same. rate: forcing id. */
RIA_KERNEL double ria_source_amount(const ria_forcing_table *table, int rate, double start,
                                    double stop, double t, double dt) {
  const ria_running r = ria_source_running(start, stop, t, dt);
  if (!(r.to > r.from)) return 0.0;
  return ria_running_gives(r, ria_forcing_at(table, rate, ria_running_middle(r)));
}

/* A cell of a source that gives or takes `amount`, and holds no less than `empty`. The sum is
 * rounded where it is stored: the part of an inflow that was less than the cell's last place is
 * owed and due with the next step. Returns what the cell has taken. */
RIA_KERNEL double ria_source_fill(double had, double due, double empty) {
  return had + due > empty ? had + due : had < empty ? had : empty;
}
RIA_KERNEL double ria_source_give_f32(float *cell, double amount, double empty, double *owed) {
  const double had = (double)*cell, due = amount + *owed;
  *cell = (float)ria_source_fill(had, due, empty);
  const double taken = (double)*cell - had;
  *owed = due > 0 ? due - taken : 0.0;
  return taken;
}
RIA_KERNEL double ria_source_give_f64(double *cell, double amount, double empty, double *owed) {
  const double had = *cell, due = amount + *owed;
  *cell = ria_source_fill(had, due, empty);
  const double taken = *cell - had;
  *owed = due > 0 ? due - taken : 0.0;
  return taken;
}

#endif
