/* The shorter arithmetic of a calm face (adi_calm_row) gives the row of adi_momentum wherever it
 * says that it may be used, which is often in deep water and sometimes in any. */
#include "test.h"

#define RIA_PRECISION double
#include "solvers/adi/adi_k.h"

static uint64_t state = 7;
static double roll(double lo, double hi) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}

static adi_way any_way(void) {
  const double dt = pow(10, roll(-1, 2));
  adi_way w = adi_way_of(9.81, roll(1, 50), roll(1, 50), dt, dt, 0.01, 0.02, 1.0);
  w.lw = roll(0, 1) < 0.5 ? 0 : dt * w.rc;
  w.upwind = roll(0, 1) < 0.5;
  w.turn = roll(-1e-4, 1e-4);
  w.wind = roll(-1e-3, 1e-3);
  return w;
}

/* What a face sees, and the same as two cells tell it. */
typedef struct face {
  adi_face full;
  adi_calm_cell l, r;
  double least, level, along, moved; /* for adi_calm_deep */
} face;

typedef struct bed_and_level {
  double z, s, h;
} bed_and_level;

/* Depth about `deep` on a bed that is rough by as much as it may be calm or not. */
static bed_and_level any_cell(double deep, double rough) {
  bed_and_level c = {-deep * (1 + rough * roll(-1, 1)), roll(-0.2, 0.2) * deep, 0};
  c.h = adi_depth(c.s, c.z);
  return c;
}

static double has(bed_and_level c) { return c.h - adi_keep(c.s, c.z); }

static adi_calm_cell calm_cell(bed_and_level c, bed_and_level n, bed_and_level s, double u_lo,
                               double u_hi, const adi_way *w) {
  adi_calm_cell cell = {.z = c.z, .s = c.s, .h = c.h, .inv = 1 / c.h, .u = u_hi};
  cell.hn = n.h, cell.hs = s.h;
  cell.carries = adi_calm_carries(u_lo, u_hi, cell.inv, w);
  return cell;
}

static face any_face(double deep, double rough, double fast, const adi_way *w) {
  face a;
  adi_face *f = &a.full;
  double *v = (double *)f, eddy[6];
  for (size_t k = 0; k < sizeof *f / sizeof *v; k++) v[k] = roll(-fast, fast);
  bed_and_level l = any_cell(deep, rough), r = any_cell(deep, rough), beside[4];
  for (int k = 0; k < 4; k++) beside[k] = any_cell(deep, rough);
  if (roll(0, 1) < 0.3) beside[0] = l, beside[1] = r, f->un = f->u, f->cn = f->c; /* a rim */
  if (roll(0, 1) < 0.3) f->vln = f->vrn = f->oln = f->orn = 0;
  a.l = calm_cell(l, beside[0], beside[2], f->um, f->u, w);
  a.r = calm_cell(r, beside[1], beside[3], f->u, f->up, w);
  f->zl = l.z, f->zr = r.z, f->sl = l.s, f->sr = r.s;
  a.l.known = f->kl = f->sl + roll(-0.1, 0.1) * deep;
  a.r.known = f->kr = f->sr + roll(-0.1, 0.1) * deep;
  f->hln = beside[0].h, f->hrn = beside[1].h, f->hls = beside[2].h, f->hrs = beside[3].h;
  f->hll = roll(0, 2) * deep, f->hrr = roll(0, 2) * deep;
  a.l.un = f->un, a.l.us = f->us;
  a.l.cn = f->cn, a.l.c = f->c, a.l.cs = f->cs;
  a.l.vn = f->vln, a.l.vs = f->vls, a.l.all = f->vln + f->vls + f->oln + f->ols;
  a.r.vn = f->vrn, a.r.vs = f->vrs, a.r.all = f->vrn + f->vrs + f->orn + f->ors;
  f->drag = roll(0, 0.1);
  for (int k = 0; k < 6; k++) eddy[k] = roll(0, 1);
  a.l.e = f->el = eddy[0], a.l.en = eddy[1], a.l.es = eddy[2];
  a.r.e = f->er = eddy[3], a.r.en = eddy[4], a.r.es = eddy[5];
  f->en = 0.25 * (eddy[0] + eddy[1] + eddy[3] + eddy[4]);
  f->es = 0.25 * (eddy[0] + eddy[2] + eddy[3] + eddy[5]);
  a.least = fmin(has(l), has(r));
  a.level = 0;
  for (int k = 0; k < 4; k++) a.level = fmax(a.level, fabs(beside[k].s));
  a.along = fmax(fabs(a.l.carries), fabs(a.r.carries));
  a.moved = 0;
  const double moved[] = {f->vln + f->oln, f->vrn + f->orn, f->vls + f->ols, f->vrs + f->ors};
  for (int k = 0; k < 4; k++) a.moved = fmax(a.moved, w->kc * fabs(moved[k]));
  /* no cell runs short across */
  if (adi_calm_even(&a.l, &a.r) && adi_calm_deep(a.least, a.level, 0, 0, a.moved, w)) {
    CHECK(adi_share_across(l.s, l.z, -a.moved, a.moved) == 1);
    for (int k = 0; k < 4; k++)
      CHECK(adi_share_across(beside[k].s, beside[k].z, -a.moved, a.moved) == 1);
  }
  return a;
}

int main(void) {
  int calm = 0, faces = 0;
  double worst = 0;
  for (; faces < 200000; faces++) {
    const double deep = pow(10, roll(-2, 2)), rough = roll(0, 1);
    const adi_way w = any_way();
    const face a = any_face(deep, rough, deep * roll(0, 1) * sqrt(9.81 * deep), &w);
    const adi_face f = a.full;
    double north, south;
    const adi_row row = adi_calm_row(&a.l, &a.r, true, f.drag, &w, &north, &south);
    if (!adi_calm_even(&a.l, &a.r)) continue;
    if (!adi_calm_deep(a.least, a.level, a.along, fmax(fabs(north), fabs(south)), a.moved, &w))
      continue;
    const adi_row full = adi_momentum(&f, &w);
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
  CHECK(calm > faces / 100);
  CHECK(worst < 1e-14);
  return TEST_END();
}
