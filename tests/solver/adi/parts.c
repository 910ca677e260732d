/* How high a level may stand depends on the water of the whole grid: on what is stored less what
 * came in over levels, before boundaries changed and since. A run that a spring ends is told of in
 * the same words where the grid is cut, and the account is the same. */
#include "cases.h"

static double hill(double x, double y) { return x > 390 && y > 230 ? 2 : 0; }

typedef struct told {
  char message[512];
  double in, out;
} told;

static void let_in(flow *f, ria_side side, double length) {
  const double end[2] = {side == RIA_WEST ? 0 : length, side == RIA_WEST ? length : 0};
  const ria_boundary_desc sea = {.kind = "level",
                                 .side = side,
                                 .stretch = true,
                                 .from = {0, 0},
                                 .to = {end[0], end[1]},
                                 .values = {{"level", {.constant = 1.2}}}};
  CHECK_OK(f->ctx, ria_boundary_add(f->sim, &sea, NULL));
}

static told run(int parts, ria_real real) {
  told t = {.in = 0};
  test_parts = parts;
  flow f = flow_make(&(flow_desc){.nx = 40,
                                  .ny = 24,
                                  .dx = 10,
                                  .real = real,
                                  .more = {{"dt", 1, NULL}, {"ceiling", 1e-6, NULL}}});
  test_parts = 0;
  flow_set(&f, "bed", hill);
  CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "level", 0.5));
  let_in(&f, RIA_WEST, 240);
  const ria_spill_desc spring = {
      .x = 305, .y = 125, .start = 30, .has_flow = true, .flow = {.constant = 4000}};
  const ria_spill_desc trickle = {.x = 205, .y = 25, .has_flow = true, .flow = {.constant = 0.01}};
  CHECK_OK(f.ctx, ria_sim_spill(f.sim, &trickle, NULL)); /* so that water may stand on the hill */
  CHECK_OK(f.ctx, ria_sim_spill(f.sim, &spring, NULL));
  CHECK_OK(f.ctx, ria_sim_step(f.sim, 15));
  let_in(&f, RIA_SOUTH, 100); /* what crossed so far is folded */
  CHECK_STATUS(f.ctx, ria_sim_run(f.sim, 1000), RIA_ERR_NUMERICAL);
  snprintf(t.message, sizeof t.message, "%s", ria_error(f.ctx));
  ria_budget_row row;
  size_t n = 1;
  CHECK_OK(f.ctx, ria_sim_budget(f.sim, &row, &n));
  t.in = row.inflow;
  t.out = row.outflow;
  flow_free(&f);
  return t;
}

int main(void) {
  if (strcmp(test_device(), "cpu") != 0) return TEST_SKIPPED; /* not cut on a GPU yet */
  for (int real = 0; real < 2; real++) {
    const told whole = run(0, (ria_real)real);
    CHECK_HOLDS(whole.message, "the level runs away: it is ");
    CHECK(whole.in > 1000);
    for (int parts = 2; parts <= 24; parts += 11) {
      const told cut = run(parts, (ria_real)real);
      CHECK_TEXT(cut.message, whole.message);
      CHECK(cut.in == whole.in);
      CHECK(cut.out == whole.out);
    }
  }
  return TEST_END();
}
