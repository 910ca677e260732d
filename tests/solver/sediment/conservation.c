/* Both accounts close, and the fraction stays within [0, 1], on rough floors with every kind of
 * boundary, sources, a sea that rises and coefficients that change: to rounding in double, to a few
 * parts in a million in single precision. */
#include "cases.h"

static ria_value series(ria_context *ctx, double a, double b) {
  const double t[] = {0, 300 * YEAR, 1e6 * YEAR}, v[] = {a, b, b};
  ria_series *s = NULL;
  CHECK_OK(ctx, ria_series_table(ctx, &(ria_table_desc){.t = t, .v = v, .n = 3}, &s));
  return (ria_value){.series = s};
}

static void within(basin *b) {
  const double *s = basin_get(b, "sand");
  for (size_t k = 0; k < basin_cells(b); k++)
    if (!CHECK(s[k] >= 0 && s[k] <= 1)) return;
}

static void drive(basin *b) {
  ria_value in = series(b->ctx, 4e-3, 1e-3), out = series(b->ctx, -2e-4, -6e-4);
  basin_side(b, RIA_WEST, "flux", in, (ria_value){.constant = 3e-3});
  basin_side(b, RIA_NORTH, "flux", out, out);
  basin_side(b, RIA_EAST, "open", (ria_value){0}, (ria_value){0});
  ria_series_destroy((ria_series **)&in.series);
  ria_series_destroy((ria_series **)&out.series);
  const ria_spill_desc rain[] = {
      {.tracer = "mud",
       .x = 3000,
       .y = 2000,
       .radius = 900,
       .has_flow = true,
       .flow = {.constant = 1e-3},
       .start = 10 * YEAR,
       .duration = 200 * YEAR},
      {.tracer = "sand", .x = 4000, .y = 2500, .radius = 500, .volume = 3e5, .start = 50 * YEAR}};
  for (int k = 0; k < 2; k++) CHECK_OK(b->ctx, ria_sim_spill(b->sim, &rain[k], NULL));
}

static void run(ria_real real, double most) {
  const ria_setting params[] = {{.name = "marine_alpha", .number = 0.1},
                                {.name = "marine_beta", .number = 0.3},
                                {.name = "c_mud", .number = 1.7},
                                {.name = "layer", .number = 2},
                                {0}};
  basin b = basin_make(61, 43, 150, 110, real, 2, params);
  basin_random(&b, "height", -12, 6, 1);
  basin_random(&b, "sand", 0, 1, 2);
  basin_random(&b, "alpha", 10 / YEAR, 900 / YEAR, 3);
  basin_random(&b, "beta", 0, 2000 / YEAR, 4);
  drive(&b);
  CHECK_OK(b.ctx, ria_sim_run(b.sim, 300 * YEAR));
  within(&b);
  CHECK_OK(b.ctx, ria_sim_set_constant(b.sim, "sea_level", 3));
  basin_random(&b, "alpha", 100 / YEAR, 400 / YEAR, 5);
  CHECK_OK(b.ctx, ria_sim_run(b.sim, 500 * YEAR));
  basin_random(&b, "height", -12, 6, 7); /* dug and filled by hand: a source of both */
  basin_random(&b, "sand", 0, 1, 8);
  CHECK_OK(b.ctx, ria_sim_run(b.sim, 700 * YEAR));
  within(&b);
  const double residual = basin_residual(&b);
  printf("%s: %lld steps, residual %.2g\n", real_name[real], (long long)ria_sim_steps(b.sim),
         residual);
  CHECK(residual < most);
  basin_free(&b);
}

/* What an event sets is laid down on the base that the script set before the run, also at its
 * start, and enters the accounts. */
static double hill(double x, double y) { return 0.001 * (x + 2 * y); }
static double higher(double x, double y) { return hill(x, y) + 1.5; }

static ria_status raise_all(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)sim, (void)info;
  basin_set(user, "height", higher);
  return RIA_OK;
}

static void starts_on_its_base(ria_real real, double bound) {
  basin b = basin_make(30, 20, 100, 100, real, 2, NULL);
  const double area = 30 * 20 * 1e4;
  basin_set(&b, "height", hill);
  CHECK_OK(b.ctx, ria_sim_set_constant(b.sim, "sand", 0.25));
  CHECK_OK(b.ctx, ria_sim_at(b.sim, 0, &(ria_action){.fn = raise_all, .user = &b}, NULL));
  CHECK_OK(b.ctx, ria_sim_run(b.sim, 10 * YEAR));
  const double *base = basin_get(&b, "base");
  CHECK_NEAR(base[0], hill(50, 50), bound);
  CHECK_NEAR(base[599], hill(2950, 1950), bound * 10);
  ria_budget_row rows[2];
  size_t n = 2;
  CHECK_OK(b.ctx, ria_sim_budget(b.sim, rows, &n));
  CHECK_NEAR(rows[0].sources, 0.25 * 1.5 * area, bound * area);
  CHECK_NEAR(rows[1].sources, 0.75 * 1.5 * area, bound * area);
  CHECK(basin_residual(&b) <= bound);
  double thickness = 0;
  const double *t = basin_get(&b, "thickness");
  for (size_t k = 0; k < basin_cells(&b); k++) thickness += t[k];
  CHECK_NEAR(thickness / 600, 1.5, 10 * bound);
  basin_free(&b);
}

int main(void) {
  starts_on_its_base(RIA_F64, 1e-12);
  starts_on_its_base(RIA_F32, 2e-6);
  run(RIA_F64, 1e-12);
  run(RIA_F32, 2e-5);
  return TEST_END();
}
