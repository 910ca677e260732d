/* Parameters and floors over many orders of magnitude, and fractions down to the least number there
 * is: the fraction stays in [0, 1] to the last bit, and an account that rounding has spoiled is
 * named in the summary. */
#include "cases.h"

static double scale(uint64_t *state, double least, double most) {
  return pow(10, least + (most - least) * dice(state));
}

static double pick(uint64_t *state, const double *of, int n) { return of[(int)(dice(state) * n)]; }

static void side(basin *b, ria_side s, uint64_t *state) {
  static const char *const kinds[] = {"closed", "open", "flux"};
  static const double sand[] = {0, 1e6, -1e3}, mud[] = {0, 1, 1e3};
  const char *kind = kinds[(int)(3 * dice(state))];
  basin_side(b, s, kind, (ria_value){.constant = pick(state, sand, 3)},
             (ria_value){.constant = pick(state, mud, 3)});
}

static void within(basin *b, int seed) {
  const double *s = basin_get(b, "sand");
  for (size_t k = 0; k < basin_cells(b); k++) {
    if (s[k] >= 0 && s[k] <= 1) continue;
    CHECK(s[k] >= 0 && s[k] <= 1);
    fprintf(stderr, "  seed %d, cell %zu: %.17g\n", seed, k, s[k]);
    return;
  }
}

static void fractions(basin *b, uint64_t *state) {
  const double tiny = b->sim && dice(state) < 0.5 ? 5e-324 : 1e-44;
  const double values[] = {0, 1, dice(state), 0.5, tiny, 1 - 0x1p-53};
  for (size_t k = 0; k < basin_cells(b); k++) b->buffer[k] = pick(state, values, 6);
  CHECK_OK(b->ctx, ria_sim_set(b->sim, "sand", b->buffer));
}

/* A run may end with a numerical failure: then its last good state is looked at. */
static void scene(int seed, ria_real real) {
  static const int sizes[] = {1, 2, 3, 5, 17, 40};
  static const double density[] = {1, 0.001, 1000};
  uint64_t state = (uint64_t)seed * 977 + 5;
  for (int k = 0; k < 8; k++) dice(&state);
  const double rough = scale(&state, -3, 4), dx = scale(&state, -3, 5);
  const ria_setting params[] = {{.name = "alpha", .number = scale(&state, -9, 6)},
                                {.name = "beta", .number = scale(&state, -9, 6)},
                                {.name = "c_sand", .number = pick(&state, density, 3)},
                                {.name = "layer", .number = scale(&state, -6, 4)},
                                {.name = "dt_min", .number = 0},
                                {.name = "wave_base", .number = scale(&state, -3, 5)},
                                {.name = "marine_alpha", .number = dice(&state)},
                                {0}};
  const int nx = sizes[(int)(6 * dice(&state))], ny = sizes[(int)(6 * dice(&state))];
  basin b = basin_make(nx, ny, dx, dx * scale(&state, -1, 1), real, 1, params);
  basin_random(&b, "height", -rough, rough, (uint64_t)seed);
  fractions(&b, &state);
  for (int s = 0; s < RIA_SIDES; s++) side(&b, (ria_side)s, &state);
  for (int k = 0; k < SHORT(20, 8); k++) {
    ria_status s = ria_sim_step(b.sim, 25);
    within(&b, seed);
    if (s == RIA_OK) continue;
    CHECK(s == RIA_ERR_NUMERICAL);
    break;
  }
  basin_free(&b);
}

/* --- what the summary says -------------------------------------------------------------------- */

static char said[8192];

static void listen(void *user, const char *line) {
  (void)user;
  const size_t n = strlen(said);
  snprintf(said + n, sizeof said - n, "%s\n", line);
}

/* Half a metre of sand comes over a film of mud: what the mud changes by in a step is lost in the
 * last place of the height. */
static void spoiled_account(void) {
  const ria_context_desc desc = {.device = test_device(), .threads = 1, .log = listen};
  ria_context *ctx = NULL;
  ria_sim *sim = NULL;
  if (!CHECK_OK(ctx, ria_context_create(&desc, &ctx))) return;
  const ria_setting params[] = {{.name = "dt_max", .number = YEAR}};
  const ria_sim_desc d = {.solver = "sediment",
                          .grid = {.nx = 40, .ny = 7, .dx = 1e5},
                          .params = params,
                          .n_params = 1,
                          .title = "sand over mud"};
  CHECK_OK(ctx, ria_sim_create(ctx, &d, &sim));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "height", 1e4));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "sand", 1.0 - 1e-6));
  const ria_boundary_desc river = {
      .side = RIA_NORTH, .kind = "flux", .values = {{"sand", {.constant = 1e6}}}};
  CHECK_OK(ctx, ria_boundary_add(sim, &river, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 200 * YEAR));
  said[0] = '\0';
  CHECK_OK(ctx, ria_sim_report(sim));
  ria_budget_row rows[2];
  size_t n = 2;
  CHECK_OK(ctx, ria_sim_budget(sim, rows, &n));
  CHECK(fabs(rows[1].relative) > 1e-9);
  CHECK_HOLDS(said, "the account of mud");
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
}

int main(void) {
  for (int seed = 1; seed <= SHORT(160, 60); seed++) {
    scene(seed, RIA_F64);
    scene(seed, RIA_F32);
  }
  spoiled_account();
  return TEST_END();
}
