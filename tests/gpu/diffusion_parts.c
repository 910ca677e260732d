/* The diffusion solver with its plate whole and cut into 2 to 9 parts, on random plates with every
 * kind of side, values in time, sources, maps, maxima: the same bits of all that it tells.
 *
 *   gpu.diffusion_parts [-v] [FIRST LAST]
 *
 * RIA_TEST_DEVICE names the device of the whole, RIA_TEST_SEVERAL where parts are. */
#include "../solver/diffusion/plates.h"
#include "several.h"

typedef struct outcome {
  double *u, *most;
  ria_budget_row budget;
  int64_t steps;
  double t, point;
} outcome;

static outcome run(const traits *w, const char *device, int parts) {
  outcome o = {0};
  test_parts = parts;
  plate p = plates_make(device, w);
  test_parts = 0;
  CHECK_OK(p.ctx, ria_sim_run(p.sim, 0.0613));
  CHECK_OK(p.ctx, ria_sim_step(p.sim, 27));
  const size_t bytes = plate_cells(&p) * sizeof(double);
  o.u = malloc(bytes);
  o.most = calloc(1, bytes);
  if (!o.u || !o.most) abort();
  memcpy(o.u, plate_get(&p), bytes);
  if (w->maximum) CHECK_OK(p.ctx, ria_sim_get_maximum(p.sim, "u", o.most));
  CHECK_OK(p.ctx, ria_sim_probe(p.sim, "u", 0.5 * w->nx * 0.1, 0.05, &o.point));
  o.budget = plate_budget(&p);
  o.steps = ria_sim_steps(p.sim);
  o.t = ria_sim_time(p.sim);
  plate_free(&p);
  return o;
}

static void compare(unsigned seed, int parts, bool verbose) {
  const traits w = traits_of(seed);
  const size_t bytes = (size_t)w.nx * (size_t)w.ny * sizeof(double);
  outcome a = run(&w, test_device(), 0), b = run(&w, several_device(), parts);
  const double scale = fabs(a.budget.stored) + a.budget.inflow + a.budget.outflow +
                       fabs(a.budget.sources) + fabs(a.budget.initial);
  const bool same = a.steps == b.steps && a.t == b.t && a.point == b.point &&
                    memcmp(a.u, b.u, bytes) == 0 && memcmp(a.most, b.most, bytes) == 0 &&
                    several_same_budget(&a.budget, &b.budget, scale);
  if (!CHECK(same) || verbose)
    fprintf(stderr, "  seed %u, %d x %d, %s, %d a pass, %d parts%s\n", seed, w.nx, w.ny,
            real_name[w.real], w.steps_per_pass, parts, wraps_rows(seed) ? ", a ring" : "");
  free(a.u), free(a.most), free(b.u), free(b.most);
}

/* In some parts; and where there are several GPUs with one on each, which pass abreast. */
static void compare_all(unsigned seed, int fewest, bool verbose) {
  const int ny = traits_of(seed).ny, parts = several_parts(seed, ny, fewest);
  if (parts) compare(seed, parts, verbose);
  if (parts && fewest > 1 && parts != fewest) compare(seed, fewest, verbose);
}

/* A part that takes no pass: the other says so, in time. Those that wait by events never do. */
static void stalls(void) {
  if (strcmp(test_setting("RIA_CUDA_PEERS", "on"), "off") == 0) return;
  setenv("RIA_CUDA_TWICE", "on", 1);
  setenv("RIA_CUDA_STALLS", "0.5", 1);
  plate p = plate_make(&(plate_desc){.nx = 600, .ny = 400, .dx = 1, .device = "cuda:0,0"});
  CHECK_FAILS(p.ctx, ria_sim_step(p.sim, 80), RIA_ERR_DEVICE,
              "part 2 of the grid (from row 200, on cuda:0) did not answer within 0.5 s");
  plate_free(&p);
}

int main(int argc, char **argv) {
  const bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  argc -= verbose, argv += verbose;
  const unsigned first = argc > 2 ? (unsigned)atoi(argv[1]) : 0;
  const unsigned end = argc > 2 ? (unsigned)atoi(argv[2]) + 1 : (unsigned)SHORT(120, 24);
  ria_context *ctx = test_context(test_device(), 1); /* or this test is skipped */
  ria_context_destroy(&ctx);
  const int fewest = several_fewest();
  for (unsigned seed = first; seed < end; seed++) compare_all(seed, fewest, verbose);
  for (unsigned seed = SPECIAL; seed < SPECIAL + SPECIALS && argc <= 2 && !test_is_short(); seed++)
    compare_all(seed, fewest, verbose);
  if (strncmp(test_device(), "cuda", 4) == 0) stalls();
  return TEST_END();
}
