/* Flooding and drying: a wave runs over islands and banks and leaves ponds, with steps of many
 * Courant numbers. Water and tracer are kept to round-off, depth and load never fall below 0, a
 * uniform tracer stays uniform. Land that is declared so stays dry; a film does not move; ground is
 * flooded only by more than the flooding depth. */
#include "cases.h"

enum { N = 60 };
static double bumpy(double x, double y) {
  return -2 + 3.0 * x / 600 + 1.2 * sin(x / 37) * cos(y / 29) + 0.4 * sin(x / 7) * sin(y / 9);
}
static double heap(double x, double y) { return x + y < 500 ? 1.5 : -0.5; }
static double one(double x, double y) { return (void)x, (void)y, 1.0; }

static void account(ria_real real, double dt, double order) {
  flow f = flow_make(&(flow_desc){.nx = N,
                                  .ny = N,
                                  .dx = 10,
                                  .real = real,
                                  .tracer = "dye",
                                  .more = {{"dt", dt, NULL}, {"order", order, NULL}}});
  flow_set(&f, "bed", bumpy);
  flow_set(&f, "level", heap);
  flow_set(&f, "dye", one);
  const double water = flow_total(&f, 0), dye = flow_total(&f, 1);
  double *before = flow_get(&f, "depth"), spread = 0, least = 0, low = 0;
  int wetted = 0, dried = 0;
  for (int k = 0; k < 20; k++) {
    CHECK_OK(f.ctx, ria_sim_step(f.sim, SHORT(50, 10)));
    double *h = flow_get(&f, "depth"), *c = flow_get(&f, "dye"), *load = flow_get(&f, "dye_load");
    for (int m = 0; m < N * N; m++) {
      least = fmin(least, h[m]);
      low = fmin(low, load[m]);
      if (!isnan(c[m])) spread = fmax(spread, fabs(c[m] - 1));
      wetted += before[m] < 0.001 && h[m] > 0.05;
      dried += before[m] > 0.05 && h[m] < 0.02;
    }
    free(h);
    free(c);
    free(load);
  }
  printf(
      "%s, dt %g s, order %g: water %.1e, tracer %.1e, off uniform by %.1e; flooded %d, dried %d\n",
      real_name[real], dt, order, flow_total(&f, 0) / water - 1, flow_total(&f, 1) / dye - 1,
      spread, wetted / 20, dried / 20);
  CHECK(wetted > 200 && dried > 200);
  CHECK(least >= 0 && low >= 0);
  CHECK(spread < 3e4 * place(real));
  CHECK_NEAR(flow_total(&f, 0) / water, 1, 100 * place(real));
  CHECK_NEAR(flow_total(&f, 1) / dye, 1, 100 * place(real));
  free(before);
  flow_free(&f);
}

/* A shelf 0.5 m high beside a pool: flooded when the pool stands more than the flooding depth above
 * it, but not the half of it that is land. */
static double shelf(double x, double y) { return x < 100 ? -2 : y < 50 ? 0.5 : 0.501; }
static double shelf_flooded(double level, double flooding) {
  flow f = flow_make(&(flow_desc){.nx = 20,
                                  .ny = 10,
                                  .dx = 10,
                                  .more = {{"dt", 5, NULL},
                                           {"drying_depth", 0.01, NULL},
                                           {"flooding_depth", flooding, NULL},
                                           {"land", 0.5005, NULL}}});
  flow_set(&f, "bed", shelf);
  for (int k = 0; k < 200; k++) f.buffer[k] = k % 20 < 10 ? level : -9;
  CHECK_OK(f.ctx, ria_sim_set(f.sim, "level", f.buffer));
  CHECK_OK(f.ctx, ria_sim_step(f.sim, 200));
  for (int i = 10; i < 20; i++) CHECK(flow_at(&f, "depth", i, 7) == 0);
  const double depth = flow_at(&f, "depth", 15, 2);
  flow_free(&f);
  return depth;
}

/* Half a drying depth of water on a slope stays where it is. */
static double slope(double x, double y) { return 0.1 * x + 0.05 * y; }
static void film(void) {
  flow f = flow_make(&(flow_desc){.nx = 20, .ny = 20, .dx = 10, .more = {{"dt", 5, NULL}}});
  flow_set(&f, "bed", slope);
  for (int k = 0; k < 400; k++) f.buffer[k] = 0.005;
  CHECK_OK(f.ctx, ria_sim_set(f.sim, "depth", f.buffer));
  CHECK_OK(f.ctx, ria_sim_step(f.sim, 50));
  double *h = flow_get(&f, "depth");
  for (int k = 0; k < 400; k++) CHECK_NEAR(h[k], 0.005, 1e-14);
  free(h);
  flow_free(&f);
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    for (int order = 1; order <= 2; order++) {
      account((ria_real)real, 1, order);
      account((ria_real)real, 10, order);
      account((ria_real)real, 60, order);
    }
  }
  CHECK(shelf_flooded(0.53, 0.02) > 0.005);
  CHECK(shelf_flooded(0.53, 0.05) == 0);
  CHECK(shelf_flooded(0.40, 0.02) == 0);
  film();
  return TEST_END();
}
