/* A hump in a closed basin (section 6.7 of the thesis: dx = dy = 10 m, dt = 2 s): it spreads, comes
 * back from the walls, stays the mirror image of itself and keeps its water. */
#include "cases.h"

enum { N = 64 };
static double flat(double x, double y) { return (void)x, (void)y, -10.0; }
static double hump(double x, double y) {
  return 1.0 * exp(-(pow(x - 320, 2) + pow(y - 320, 2)) / (2 * 60 * 60));
}

static double at(const double *a, int i, int j) { return a[j * N + i]; }

/* Largest difference of a field from its mirror image in x and in y. */
static double lopsided(const double *a) {
  double worst = 0;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      worst = fmax(worst, fabs(at(a, i, j) - at(a, N - 1 - i, j)));
      worst = fmax(worst, fabs(at(a, i, j) - at(a, i, N - 1 - j)));
    }
  return worst;
}

static void basin(ria_real real) {
  flow f =
      flow_make(&(flow_desc){.nx = N, .ny = N, .dx = 10, .real = real, .more = {{"dt", 2, NULL}}});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", hump);
  const double before = flow_total(&f, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 20));
  CHECK_INT(ria_sim_steps(f.sim), 10);
  double *early = flow_get(&f, "level");
  CHECK(at(early, 32, 32) < 0.5);      /* it has fallen */
  CHECK(at(early, 32 + 18, 32) > 0.1); /* a ring runs out, at some 10 m/s */
  CHECK_NEAR(at(early, 32 + 18, 32), at(early, 32, 32 + 18), 0.02); /* the same along y */
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 140));
  double *late = flow_get(&f, "level");
  double top = -1;
  for (int k = 0; k < N * N; k++) top = fmax(top, late[k]);
  const double change = flow_total(&f, 0) / before - 1;
  printf("%s: lopsided by %.2g m after 20 s, %.2g m after 140 s; highest then %.3f m; water %.1e\n",
         real_name[real], lopsided(early), lopsided(late), top, change);
  CHECK(lopsided(late) < 2000 * place(real));
  CHECK(top > 0.05 && top < 0.6);
  CHECK(fabs(change) < 40 * place(real));
  free(early);
  free(late);
  flow_free(&f);
}

int main(void) {
  basin(RIA_F64);
  basin(RIA_F32);
  return TEST_END();
}
