/* A radiating side (solver/radiates.h), at Courant numbers of 1 and more. */
#include "cases.h"
#include "state.h"

static double dt;
static flow stepped(const flow_desc *d) {
  flow_desc with = *d;
  with.more[0] = (ria_setting){"dt", dt, NULL};
  return flow_make(&with);
}
#define flow_make stepped
#include "solver/radiates.h"

/* Water on a smooth bed comes to the level outside, which is higher, and its waves run out. */
static double swell(double x, double y) { return 0.1 * cos(x / 30) * cos(y / 25); }
static double shoals(double x, double y) { return -10 + 3 * sin(x / 40) * cos(y / 35); }
static void fills(ria_real real, double most) {
  flow f = flow_make(&(flow_desc){.nx = 60, .ny = 50, .dx = 5, .real = real});
  flow_set(&f, "bed", shoals);
  flow_set(&f, "level", swell);
  radiate_all(&f, 0.5);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 600));
  double *level = flow_get(&f, "level"), worst = 0;
  for (int k = 0; k < 60 * 50; k++) worst = fmax(worst, fabs(level[k] - 0.5));
  const ria_budget_row b = flow_budget(&f, 0);
  printf("%s: the level is %.3g m from that outside; account %.2g\n", real_name[real], worst,
         b.relative);
  CHECK(worst < most); /* nothing but the sides damps the last of them */
  CHECK_NEAR(b.relative, 0, real == RIA_F64 ? 1e-12 : 3e-6);
  CHECK(b.inflow > 0 && b.outflow > 0);
  free(level);
  flow_free(&f);
}

/* What all cells of a side keep, the greatest of it; forget: it is 0 from now on. */
static double kept_of(flow *f, bool forget) {
  static const char *const names[] = {STATE_RADIATES};
  kept k = state_keep(f->sim);
  double most = 0;
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    kept_item *of = kept_find(&k, names[n]);
    if (!CHECK(of)) continue;
    double *v = of->item.data;
    for (size_t c = 0; c < ria_state_bytes(&of->item) / sizeof *v; c++) {
      most = fmax(most, fabs(v[c]));
      if (forget) v[c] = 0;
    }
  }
  if (forget) state_put(f->sim, &k);
  kept_free(&k);
  return most;
}

/* A side that has a wall for a while forgets what it kept: when it radiates again it does what one
 * does whose memory was emptied. Waves run along it and across it all the time. */
static double slanting(double x, double y) { return 0.2 * cos(x / 12 + y / 9); }
static void become(flow *f, const char *kind) {
  ria_boundary_desc b = {.kind = kind};
  if (strcmp(kind, "radiate") == 0) b.values[0].name = "level";
  for (int side = 0; side < RIA_SIDES; side++) {
    ria_boundary_id id;
    CHECK_OK(f->ctx, ria_boundary_find(f->sim, ria_side_name((ria_side)side), &id));
    CHECK_OK(f->ctx, ria_boundary_change(f->sim, id, &b));
  }
  CHECK_OK(f->ctx, ria_sim_step(f->sim, 5));
}
static double *forgets(ria_real real, bool emptied) {
  flow f = flow_make(&(flow_desc){.nx = 24, .ny = 20, .dx = 5, .real = real});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", slanting);
  radiate_all(&f, 0);
  CHECK_OK(f.ctx, ria_sim_step(f.sim, 10));
  CHECK(kept_of(&f, false) > 1e-3);
  become(&f, "wall");
  CHECK(kept_of(&f, emptied) == 0);
  become(&f, "radiate");
  CHECK(kept_of(&f, false) > 1e-3);
  double *level = flow_get(&f, "level");
  flow_free(&f);
  return level;
}
static void forgotten(ria_real real) {
  double *level = forgets(real, false), *emptied = forgets(real, true);
  CHECK(memcmp(level, emptied, 24 * 20 * sizeof *level) == 0);
  free(level);
  free(emptied);
}

int main(void) {
  for (int k = 0; k < 2; k++) {
    const ria_real real = (ria_real)k;
    for (int fast = 0; fast < 2; fast++) {
      dt = fast ? 1.5 : 0.5; /* Courant numbers 1, 3 */
      const double small = straight(0.01, real), large = straight(1, real);
      printf("%s, dt %g s: of straight pulses of 1 cm and 1 m are left %.4f, %.4f\n", real_name[k],
             dt, small, large);
      CHECK(small < 0.002 && large < 0.01);
    }
    dt = 1;
    for (int degrees = k ? 15 : 0; degrees <= 45; degrees += 30) {
      const double back = oblique(degrees, real);
      printf("%s: of a wave at %d degrees %.4f come back\n", real_name[k], degrees, back);
      CHECK(back < (degrees == 0 ? 0.005 : degrees <= 30 ? 0.02 : 0.035));
    }
    for (int fast = 0; fast < 2; fast++) {
      dt = fast ? 50 : 10; /* Courant numbers 1, 5 */
      tide(real, 0.01, 0.01);
    }
    dt = 0.5;
    forgotten(real);
    rest(real, k ? 1e-7 : 0);
    dt = 1;
    fills(real, 0.01);
    dt = 5; /* Courant number 10: without adi_bend's credit the sides feed on waves along them */
    fills(real, 0.07);
  }
  return TEST_END();
}
