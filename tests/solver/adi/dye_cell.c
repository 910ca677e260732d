/* What a cell gives of a tracer at order 2 (adi_going), for any concentrations, depths and flow: no
 * more and no less than what is around it, so that what it keeps lies between these as well,
 * however much of its water leaves; a uniform concentration to the bit; beside dry ground what it
 * has. A line in a steady flow is carried exactly. */
#include "test.h"

#define RIA_PRECISION double
#include "solvers/adi/adi_k.h"
#include "solvers/adi/adi_tracer_k.h"

static uint64_t state = 11;
static double roll(double lo, double hi) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}
static bool chance(double part) { return roll(0, 1) < part; }

static adi_around any(double lo, double hi) {
  return (adi_around){roll(lo, hi), roll(lo, hi), roll(lo, hi), roll(lo, hi), roll(lo, hi)};
}

static double leaves(const adi_around *f) {
  return adi_leaving(f->west, f->east) + adi_leaving(f->south, f->north);
}

/* Flow through a cell of depth h from which the part `gone` of its water leaves. */
static adi_around any_flow(double h, double gone) {
  adi_around f = any(-1, 1);
  if (chance(0.3)) f.east = f.west = roll(0.5, 1), f.north = f.south = roll(-1, 1);
  const double scale = leaves(&f) > 0 ? gone * h / leaves(&f) : 0;
  f.west *= scale, f.east *= scale, f.south *= scale, f.north *= scale;
  return f;
}

/* What a cell keeps, per depth, once it has given. */
static double keeps(const adi_around *c, double h, const adi_around *f, const adi_gives *g) {
  const double gone = leaves(f);
  const double load = adi_leaving(f->west * g->west, f->east * g->east) +
                      adi_leaving(f->south * g->south, f->north * g->north);
  return (h * c->mid - load) / (h - gone);
}

static void stays_between(double theta) {
  double worst = 0, sharp = 0;
  for (int k = 0; k < 200000; k++) {
    const double deep = chance(0.3) ? 5 : 1.3;
    const adi_around c = any(1, 2), h = any(1, deep);
    const double gone = chance(0.3) ? roll(0.9, 0.999) : roll(0, 0.999);
    const adi_around f = any_flow(h.mid, gone);
    const adi_gives g = adi_going(&c, &h, &f, theta);
    const double lo = adi_least(&c), hi = adi_most(&c), kept = keeps(&c, h.mid, &f, &g);
    const double v[] = {g.west, g.east, g.south, g.north, kept};
    for (int m = 0; m < 5; m++) worst = fmax(worst, fmax(lo - v[m], v[m] - hi));
    sharp += fabs(g.east - c.mid) / 200000;
  }
  printf("theta %g: outside of what is around by %.1e; east, other than the cell's by %.3f\n",
         theta, worst, sharp);
  CHECK(worst < 1e-12);
  CHECK(sharp > 0.02);
}

static void stays_uniform(void) {
  for (int k = 0; k < 1000; k++) {
    const double v = roll(0, 10);
    const adi_around c = {v, v, v, v, v}, h = any(0, 3);
    const adi_around f = any_flow(h.mid, roll(0, 1));
    const adi_gives g = adi_going(&c, &h, &f, 1.3);
    if (!CHECK(g.west == v && g.east == v && g.south == v && g.north == v)) return;
  }
}

static void fronts(void) {
  adi_around c = {2, 1, 3, 2, 2}, h = {1, 1, 1, 0.1, 1}, f = {0, 0.2, 0.2, 0, 0};
  CHECK(adi_going(&c, &h, &f, 1.3).east == 2);
  h.south = 0;
  CHECK(adi_going(&c, &h, &f, 1.3).east == 2);
  h.south = 0.2;
  CHECK_NEAR(adi_going(&c, &h, &f, 1.3).east, 2 + 0.5 * 0.4, 1e-15);
  h.south = 0.3;
  CHECK_NEAR(adi_going(&c, &h, &f, 1.3).east, 2 + 0.4, 1e-15);
}

/* Half of what the slope is over the cell. */
static void slopes(void) {
  CHECK_NEAR(water_slope(1, 1, 1.3, 1), 0.5, 1e-15);
  CHECK_NEAR(water_slope(1, 1.5, 1.3, 1), 0.625, 1e-15);
  CHECK_NEAR(water_slope(1, 9, 1.3, 1), 0.65, 1e-15);
  CHECK_NEAR(water_slope(-9, -1, 1.3, 1), -0.65, 1e-15);
  CHECK_NEAR(water_slope(1, 9, 2, 1), 1, 1e-15);
  CHECK(water_slope(-1, 1, 2, 1) == 0 && water_slope(0, 1, 2, 1) == 0 &&
        water_slope(1, 1, 0, 1) == 0);
}

/* A linear concentration in steady flow, diagonal to the cells: what crosses a face in a half step
 * is its mean over what crosses, which is exact. */
static void line(void) {
  const double x = 0.3, y = -0.2; /* Courant numbers */
  const adi_around c = {2, 2 - 0.5, 2 + 0.5, 2 - 0.3, 2 + 0.3}, h = {1, 1, 1, 1, 1};
  const adi_around f = {0, x, x, y, y};
  const adi_gives g = adi_going(&c, &h, &f, 1.3);
  CHECK_NEAR(g.east, 2 + 0.5 * (0.5 - x * 0.5 - y * 0.3), 1e-15);
  CHECK_NEAR(g.south, 2 + 0.5 * (-0.3 - x * 0.5 - y * 0.3), 1e-15);
}

int main(void) {
  stays_between(1.3);
  stays_between(2);
  stays_uniform();
  fronts();
  slopes();
  line();
  return TEST_END();
}
