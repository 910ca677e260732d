/* A radiating side (solver/radiates.h); over dry ground, or behind water that runs away, it brings
 * in what a dam that breaks does, and a stream faster than waves passes it as it comes, both ways.
 */
#include "cases.h"
#include "solver/radiates.h"

/* Waves in a basin on a rugged bed run out of it on all sides: what is left is the level outside;
 * so it is where the outside rises. */
static double noise(double x, double y) {
  return 0.2 * sin(0.3 * x + 0.1 * y) * cos(0.21 * y) + 0.1 * sin(0.9 * x * y);
}
static void settles(double outside, ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 60, .ny = 50, .dx = 2, .real = real, .tracer = "dye"});
  flow_set(&f, "bed", rugged);
  flow_set(&f, "level", noise);
  radiate_all(&f, outside);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, LENGTH(3000, 1000, 600)));
  double *level = flow_get(&f, "level"), *h = flow_get(&f, "depth"), worst = 0;
  for (int k = 0; k < 60 * 50; k++) {
    const double z = level[k] - h[k];
    if (h[k] > 0.01 && z < outside - 1) worst = fmax(worst, fabs(level[k] - outside));
  }
  const ria_budget_row b = flow_budget(&f, 0);
  printf("%s: waves run out, the level is %.3g m from that outside; account %.2g\n",
         real_name[real], worst, b.relative);
  CHECK(worst < 1e-3);
  CHECK_NEAR(b.relative, 0, real == RIA_F64 ? 1e-12 : 3e-6);
  CHECK(b.inflow > 0 && b.outflow > 0);
  free(level);
  free(h);
  flow_free(&f);
}
/* Where depths are exact a lake with dry banks is at rest to the bit at order 1, since the level
 * outside less the bed is the depth of the cell; at order 2 the slopes of depths round, between
 * walls too, and the side adds no more to that. */
static double stepped(double x, double y) { return floor(1024 * rugged(x, y)) / 1024; }
static double exact(double x, double y) { return (void)x, (void)y, 0.375; }
static double stirs(ria_real real, bool radiates) {
  flow f = flow_make(&(flow_desc){.nx = 60, .ny = 50, .dx = 2, .real = real});
  flow_set(&f, "bed", stepped);
  flow_set(&f, "level", exact);
  if (radiates) radiate_all(&f, 0.375);
  CHECK_OK(f.ctx, ria_sim_step(f.sim, 30));
  double *speed = flow_get(&f, "speed");
  const double most = highest(speed, NULL, 60 * 50);
  free(speed);
  flow_free(&f);
  return most;
}
static void rests_as_between_walls(ria_real real) {
  const double most = stirs(real, true), walls = stirs(real, false);
  printf("%s: a lake stirs by %.3g m/s, between walls by %.3g\n", real_name[real], most, walls);
  CHECK(most <= by_order(0, 2 * walls));
}
/* Ritter: 8/27 sqrt(g) h^(3/2) come in over a dry bed, and behind a film that runs away faster than
 * their front. */
static double dry(double x, double y) { return (void)x, (void)y, 0; }
static double none(double x, double y) { return (void)x, (void)y, -1; }
static double film(double x, double y) { return (void)x, (void)y, 0.01; }
static double away(double x, double y) { return (void)x, (void)y, 10; }
static void breaks_in(ria_real real, bool flees) {
  flow f = flow_make(&(flow_desc){.nx = 200, .ny = 2, .dx = 1, .real = real});
  flow_set(&f, "bed", dry);
  flow_set(&f, "level", flees ? film : none);
  flow_set(&f, "u", flees ? away : dry);
  flow_side(&f, RIA_WEST, "radiate", "level", (ria_value){.constant = 1}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 20));
  const double q = flow_budget(&f, 0).inflow / (20 * 2), exact = 8.0 / 27 * sqrt(gravity);
  printf("%s: %.4f m^2/s come in %s, exact %.4f\n", real_name[real], q,
         flees ? "behind a film" : "over dry ground", exact);
  CHECK_NEAR(q / exact, 1, 0.002);
  flow_free(&f);
}

/* A current faster than waves, from outside and through: it stays as it is. */
static double thin(double x, double y) { return (void)x, (void)y, 0.5; }
static double fast(double x, double y) { return (void)x, (void)y, -6; }
static double aside(double x, double y) { return (void)x, (void)y, 2; }
static void supercritical(ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 40, .ny = 30, .dx = 5, .real = real});
  flow_set(&f, "bed", dry);
  flow_set(&f, "level", thin);
  flow_set(&f, "u", fast);
  flow_set(&f, "v", aside);
  for (int side = 0; side < RIA_SIDES; side++) /* the west takes no notice of what it is given */
    radiate(&f, (ria_side)side, (ria_value){.constant = side == RIA_WEST ? 1 : 0.5},
            (ria_value){.constant = -6}, (ria_value){.constant = 2});
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 60));
  double *h = flow_get(&f, "depth"), *u = flow_get(&f, "u"), *v = flow_get(&f, "v");
  for (int k = 0; k < 40 * 30; k++) h[k] -= 0.5, u[k] += 6, v[k] -= 2;
  CHECK_NEAR(highest(h, NULL, 1200), 0, 1e-5);
  CHECK_NEAR(highest(u, NULL, 1200), 0, 1e-4);
  CHECK_NEAR(highest(v, NULL, 1200), 0, 1e-4);
  free(h);
  free(u);
  free(v);
  flow_free(&f);
}

int main(void) {
  for (int k = 0; k < 2; k++) {
    const ria_real real = (ria_real)k;
    const double small = straight(0.01, real), large = straight(1, real);
    printf("%s: of straight pulses of 1 cm and 1 m are left %.4f, %.4f\n", real_name[k], small,
           large);
    CHECK(small < 2e-3 && large < 2e-3);
    const double back = oblique(30, real);
    printf("%s: of a wave at 30 degrees %.4f come back\n", real_name[k], back);
    CHECK(back < 0.02);
    tide(real, by_order(0.06, 0.005), 0.01);
    rest(real, k ? 3e-6 : 3e-15);
    rests_as_between_walls(real);
    settles(0.0, real);
    settles(0.5, real);
    breaks_in(real, false);
    breaks_in(real, true);
    supercritical(real);
  }
  return TEST_END();
}
