/* What is set between two spans counts in the next, also where the steps were recorded before: the
 * same bits as with steps that are launched one by one (RIA_CUDA_GRAPHS=off), and not those of a
 * run in which nothing was set. */
#include "device.h"
#include "test.h"
#include <ria/ria.h>

enum { NX = 67, NY = 45, CELLS = NX * NY, STEPS = 40 };

typedef struct change {
  const char *solver, *what; /* a field is set; or one of these */
  double value;
  const char *told; /* the field that is read */
} change;

static const char SIDE[] = "a boundary", WIND[] = "wind", MAXIMA[] = "maxima",
                  SOURCE[] = "a source";

static const change changes[] = {
    {"shallow_water", SIDE, 0, "u"},         {"adi", SIDE, 0, "u"},
    {"shallow_water", WIND, 30, "u"},        {"adi", WIND, 30, "u"},
    {"shallow_water", SOURCE, 5, "level"},   {"adi", SOURCE, 5, "level"},
    {"shallow_water", MAXIMA, 0, "level"},   {"adi", MAXIMA, 0, "level"},
    {"sediment", "alpha", 5e-5, "height"},   {"sediment", "beta", 1e-5, "height"},
    {"sediment", "sea_level", 30, "height"}, {"sediment", SIDE, 0, "height"},
};
enum { CHANGES = sizeof changes / sizeof *changes };

static bool is_flow(const char *solver) {
  return strcmp(solver, "adi") == 0 || strcmp(solver, "shallow_water") == 0;
}

static void set_hump(ria_context *ctx, ria_sim *sim, const char *field, double base, double tall) {
  static double a[CELLS];
  for (int k = 0; k < CELLS; k++) {
    const double x = (k % NX - 20) / 9.0, y = (k / NX - 25) / 7.0;
    a[k] = base + tall * exp(-x * x - y * y);
  }
  CHECK_OK(ctx, ria_sim_set(sim, field, a));
}

static int order; /* of shallow_water */

static ria_sim *make(ria_context *ctx, const char *solver, ria_real real) {
  const bool adi = strcmp(solver, "adi") == 0, sediment = strcmp(solver, "sediment") == 0;
  const ria_setting param = adi        ? (ria_setting){"dt", 1, NULL}
                            : sediment ? (ria_setting){"marine_beta", 0.2, NULL}
                                       : (ria_setting){"order", order, NULL};
  const ria_sim_desc desc = {.solver = solver,
                             .grid = {NX, NY, 10, 10, 0, 0, 0},
                             .precision = real,
                             .params = &param,
                             .n_params = 1};
  ria_sim *sim = NULL;
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) exit(1);
  if (is_flow(solver)) {
    CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -2));
    set_hump(ctx, sim, "level", 0, 0.5);
  } else {
    set_hump(ctx, sim, "height", 0, 20);
  }
  return sim;
}

static void apply(ria_context *ctx, ria_sim *sim, const change *c) {
  if (c->what == SIDE) {
    const ria_boundary_desc side = {.kind = "open", .side = RIA_WEST};
    CHECK_OK(ctx, ria_boundary_add(sim, &side, NULL));
  } else if (c->what == WIND) {
    CHECK_OK(ctx, ria_sim_vary(sim, "wind_speed", &(ria_value){.constant = c->value}));
  } else if (c->what == SOURCE) {
    const ria_spill_desc pour = {.x = 300,
                                 .y = 200,
                                 .radius = 50,
                                 .start = ria_sim_time(sim),
                                 .flow = {.constant = c->value}};
    CHECK_OK(ctx, ria_sim_spill(sim, &pour, NULL));
  } else if (c->what == MAXIMA) {
    CHECK_OK(ctx, ria_sim_track_maximum(sim, c->told));
  } else {
    set_hump(ctx, sim, c->what, c->value, strcmp(c->what, "sea_level") ? 0.5 * c->value : 0);
  }
}

/* The field in the end. */
static double *run(const change *c, ria_real real, bool changed) {
  double *out = malloc(CELLS * sizeof *out);
  if (!out) abort();
  ria_context *ctx = test_context(test_setting("RIA_TEST_DEVICE", "cuda"), 1);
  ria_sim *sim = make(ctx, c->solver, real);
  for (int k = 0; k < 3; k++) { /* recorded for whatever place a span begins at */
    CHECK_OK(ctx, ria_sim_step(sim, STEPS + k));
    if (changed && k == 1) apply(ctx, sim, c);
  }
  if (changed && c->what == MAXIMA)
    CHECK_OK(ctx, ria_sim_get_maximum(sim, c->told, out));
  else
    CHECK_OK(ctx, ria_sim_get(sim, c->told, out));
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
  return out;
}

static void compare(const change *c, ria_real real) {
  const bool had = getenv("RIA_CUDA_GRAPHS");
  double *recorded = run(c, real, true), *as_was = run(c, real, false);
  if (!had) setenv("RIA_CUDA_GRAPHS", "off", 1);
  double *launched = run(c, real, true);
  if (!had) unsetenv("RIA_CUDA_GRAPHS");
  const bool same = memcmp(recorded, launched, CELLS * sizeof *recorded) == 0;
  const bool counts = memcmp(recorded, as_was, CELLS * sizeof *recorded) != 0;
  if (!CHECK(same && counts))
    fprintf(stderr, "  %s, order %d, %s: %s\n", c->solver, order, c->what,
            same ? "does not count" : "is not the same");
  free(recorded);
  free(launched);
  free(as_was);
}

int main(void) {
  for (int k = 0; k < CHANGES; k++)
    for (order = 1; order <= (strcmp(changes[k].solver, "shallow_water") ? 1 : 2); order++)
      for (int real = 0; real < 2; real++) compare(&changes[k], (ria_real)real);
  return TEST_END();
}
