/* water_k.h - arithmetic per cell and edge that solvers of flow share.
 *
 * Included once per precision (RIA_PRECISION), by gcc and by nvcc. No loops over cells, no memory.
 */
#include <ria/kernel.h>

#define water_mixed RIA_K(water_mixed)
#define water_smagorinsky RIA_K(water_smagorinsky)
#define water_inv_cbrt RIA_K(water_inv_cbrt)

#define R RIA_PRECISION

/* What an edge carries of a tracer by diffusion, with the smaller depth: no tracer diffuses onto
 * dry land. mix = D dt / dx^2. */
RIA_KERNEL R water_mixed(R hl, R cl, R hr, R cr, R mix) {
  return -mix * ria_min(hl, hr) * (cr - cl);
}

/* h^(-1/3) without a library call: a guess, then Newton on y^-3 = h. The CPU guesses from the
 * exponent, a GPU's logarithm in hardware saves two steps. */
RIA_KERNEL R water_inv_cbrt(R h) {
  const R third = (R)(1.0 / 3.0);
#ifdef __CUDA_ARCH__
  const int steps = sizeof(R) == 4 ? 1 : 2;
  R y = (R)exp2f(-(1.0f / 3.0f) * __log2f(fminf(fmaxf((float)h, 1e-37f), 3e38f)));
#else
  const int steps = sizeof(R) == 4 ? 3 : 4;
  union {
    float f;
    uint32_t i;
  } guess;
  guess.f = (float)h;
  guess.i = 0x54a2fa8cu - guess.i / 3u;
  R y = (R)guess.f;
#endif
  for (int k = 0; k < steps; k++) y = y * ria_fused(-(h * y * y), y, (R)4) * third;
  return y;
}

/* Eddy viscosity after Smagorinsky, m^2/s, of the slopes of the velocities:
 * (C d)^2 sqrt(ux^2 + (uy + vx)^2 / 2 + vy^2), with d^2 = dx dy; cs2 = C^2 dx dy. */
RIA_KERNEL R water_smagorinsky(R ux, R uy, R vx, R vy, R cs2) {
  const R shear = uy + vx;
  return cs2 * ria_root(ux * ux + (R)0.5 * shear * shear + vy * vy);
}

#undef R
