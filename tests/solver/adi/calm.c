/* The shorter arithmetic of a calm face (adi_calm) gives the row of adi_momentum wherever it says
 * that it may be used, which is often in deep water and sometimes in any. */
#include "test.h"

#define RIA_PRECISION double
#include "solvers/adi/adi_k.h"

static uint64_t state = 7;
static double roll(double lo, double hi) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}

static adi_way_f64 any_way(void) {
  const double dt = pow(10, roll(-1, 2));
  adi_way_f64 w = adi_way_of_f64(9.81, roll(1, 50), roll(1, 50), dt, dt, 0.01, 0.02, 1.0);
  w.lw = roll(0, 1) < 0.5 ? 0 : dt * w.rc;
  w.upwind = roll(0, 1) < 0.5;
  w.turn = roll(-1e-4, 1e-4);
  w.wind = roll(-1e-3, 1e-3);
  return w;
}

/* Depths about `deep` on a bed that is rough by as much as it may be calm or not. */
static adi_face_f64 any_face(double deep, double rough, double fast) {
  adi_face_f64 f;
  double *v = (double *)&f;
  for (size_t k = 0; k < sizeof f / sizeof *v; k++) v[k] = roll(-fast, fast);
  double *depth[] = {&f.hll, &f.hrr, &f.hln, &f.hrn, &f.hls, &f.hrs};
  for (int k = 0; k < 6; k++) *depth[k] = fmax(0, deep * (1 + rough * roll(-1, 1)));
  f.zl = -deep * (1 + rough * roll(-1, 1)), f.zr = -deep * (1 + rough * roll(-1, 1));
  f.sl = roll(-0.2, 0.2) * deep, f.sr = roll(-0.2, 0.2) * deep;
  f.kl = f.sl + roll(-0.1, 0.1) * deep, f.kr = f.sr + roll(-0.1, 0.1) * deep;
  if (roll(0, 1) < 0.3) f.hln = f.hrn = f.vln = f.vrn = 0; /* a wall */
  if (roll(0, 1) < 0.3) f.hls = 0, f.vrs = -f.vls;
  f.drag = roll(0, 0.1);
  double *eddy[] = {&f.el, &f.er, &f.en, &f.es};
  for (int k = 0; k < 4; k++) *eddy[k] = roll(0, 1);
  return f;
}

int main(void) {
  int calm = 0, faces = 0;
  double worst = 0;
  for (; faces < 200000; faces++) {
    const double deep = pow(10, roll(-2, 2)), rough = roll(0, 1);
    const adi_way_f64 w = any_way();
    const adi_face_f64 f = any_face(deep, rough, deep * roll(0, 1) * sqrt(9.81 * deep));
    const double hl = adi_depth_f64(f.sl, f.zl), hr = adi_depth_f64(f.sr, f.zr);
    adi_row_f64 row;
    if (!adi_calm_f64(&f, hl, hr, ria_inv_f64(hl), ria_inv_f64(hr), &w, &row)) continue;
    const adi_row_f64 full = adi_momentum_f64(&f, &w);
    const double size = fabs(full.di) + fabs(full.lo) + fabs(full.up);
    const double carried =
        w.rc * deep * 9.81 * deep + w.rc * w.rc * (fabs(f.u) + fabs(f.un) + fabs(f.us));
    const double terms =
        fabs(f.u * w.rdt) + w.gd * deep * (fabs(f.kl) + fabs(f.kr)) + 8 * carried + 1e-3;
    worst = fmax(worst, fabs(row.lo - full.lo) / size);
    worst = fmax(worst, fabs(row.up - full.up) / size);
    worst = fmax(worst, fabs(row.di - full.di) / size);
    worst = fmax(worst, fabs(row.rhs - full.rhs) / terms);
    calm++;
  }
  printf("calm: %d of %d faces, rows differ by %.2g at most\n", calm, faces, worst);
  CHECK(calm > faces / 50);
  CHECK(worst < 1e-14);
  return TEST_END();
}
