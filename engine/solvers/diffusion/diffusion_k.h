/* diffusion_k.h - arithmetic of one cell of the diffusion equation.
 *
 * By gcc and by nvcc, for float and for double; no loops, no memory. A product that is added to is
 * one rounding everywhere that the machine can do so quickly, and written out: a cell has the
 * same bits in whatever tile, vector or level of a pass it is computed. */
#ifndef DIFFUSION_K_H
#define DIFFUSION_K_H
#include <ria/kernel.h>

/* Boundary kinds, in the order of the table. */
enum { DF_OPEN, DF_VALUE, DF_FLUX, DF_PERIODIC, DF_FIXED };

/* a b + c */
#if defined(__CUDA_ARCH__) || defined(__FMA__) || defined(__FP_FAST_FMA) ||                        \
    defined(__ARM_FEATURE_FMA)
RIA_KERNEL float df_fma_f32(float a, float b, float c) { return fmaf(a, b, c); }
RIA_KERNEL double df_fma_f64(double a, double b, double c) { return fma(a, b, c); }
#else
RIA_KERNEL float df_fma_f32(float a, float b, float c) { return a * b + c; }
RIA_KERNEL double df_fma_f64(double a, double b, double c) { return a * b + c; }
#endif

/* Diffusivity of the face between two cells: the harmonic mean, which is what two layers in series
 * have; 0 where either is 0. */
RIA_KERNEL double df_face(double a, double b) {
  const double sum = a + b;
  return sum > 0 ? 2 * a * b / sum : 0.0;
}

/* Added to +u (flux) or -u (value) it gives the value of the cell outside. forcing: its current
 * value; h: size of the cell across the side, m; d: diffusivity of the cell, m^2/s. */
RIA_KERNEL double df_outside(int kind, double forcing, double h, double d) {
  return kind == DF_VALUE ? 2 * forcing : kind == DF_FLUX ? forcing * h / d : 0.0;
}

#endif

#ifdef RIA_PRECISION
#define DF_R RIA_PRECISION
#define df_fma RIA_K(df_fma)

/* The value outside a side next to u, such that the mean of both is the value given, or their
 * difference the flux given, or nothing passes. outside: df_outside. Not for DF_PERIODIC. */
RIA_KERNEL DF_R df_ghost(int kind, DF_R u, DF_R outside) {
  return kind == DF_VALUE ? outside - u : u + outside;
}

/* One step of a cell with uniform diffusivity D: cx = D dt / dx^2, cy = D dt / dy^2. Differences
 * are taken before they are scaled: what is uniform stays so to the bit. */
RIA_KERNEL DF_R df_step(DF_R u, DF_R west, DF_R east, DF_R south, DF_R north, DF_R cx, DF_R cy) {
  const DF_R x = df_fma(-2, u, west + east);
  const DF_R y = df_fma(-2, u, south + north);
  return df_fma(cy, y, df_fma(cx, x, u));
}

/* The same with a conductance (1/s) for each face: its diffusivity over dx^2 or dy^2. */
RIA_KERNEL DF_R df_step_faces(DF_R u, DF_R west, DF_R east, DF_R south, DF_R north, DF_R fw,
                              DF_R fe, DF_R fs, DF_R fn, DF_R dt) {
  const DF_R x = df_fma(fw, west - u, fe * (east - u));
  const DF_R y = df_fma(fs, south - u, fn * (north - u));
  return df_fma(dt, x + y, u);
}

/* What a source (1/s) gives on top. */
RIA_KERNEL DF_R df_give(DF_R u, DF_R source, DF_R dt) { return df_fma(dt, source, u); }
#undef DF_R
#endif
