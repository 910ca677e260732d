/* tests/unit/bench.c - the measuring itself, small: results that make sense, nothing left behind.
 */
#include "run/bench.h"
#include "base/context.h"
#include "toy.h"

static double ramp(const char *field, double x, double y) {
  if (strcmp(field, "bed") == 0) return x < 0.5 ? -2.0 : 1.0;
  return strcmp(field, "level") == 0 ? 0.0 : y;
}

static const char *const fields[] = {"bed", "level", "tracer1", "tracer2", NULL};
static const char *const sides[RIA_SIDES] = {NULL, "drain", NULL, "closed"};
static const ria_setting settings[] = {{.name = "dry", .number = 0.25}, {.name = NULL}};
static const ria_bench_case cases[] = {
    {"half", "half of it dry", 32, 1, RIA_F64, fields, ramp, 5.0, sides, NULL, 10.0},
    {"single", "the same", 16, 2, RIA_F32, fields, ramp, 5.0, NULL, settings, 10.0},
    {0}};

static void measuring(ria_context *ctx, const ria_solver *solver) {
  ria_bench_result r[4];
  size_t n = 4;
  CHECK_OK(ctx, ria_bench_with(ctx, solver, &(ria_bench_desc){.seconds = 0.01}, r, &n));
  CHECK_INT(n, 2);
  CHECK_TEXT(r[0].name, "half");
  CHECK(r[0].nx == 32 && r[0].n_tracers == 1 && r[0].precision == RIA_F64 && r[0].steps > 0);
  CHECK(r[0].wall > 0 && r[0].bandwidth > 0 && r[0].wet == 0.5 && !r[0].output);
  CHECK(r[0].ms_per_step > 0 && r[0].ms_sustained >= r[0].ms_per_step);
  CHECK_NEAR(r[0].cell_rate, 1024.0 * (double)r[0].steps / r[0].wall, 1.0);
  CHECK_NEAR(r[0].fraction, 20.0 * r[0].cell_rate / r[0].bandwidth, 1e-9);
  CHECK(r[1].nx == 16 && r[1].n_tracers == 2 && r[1].precision == RIA_F32);
  CHECK(r[1].bytes_per_cell == 10.0);

  n = 4;
  CHECK_OK(ctx, ria_bench_with(ctx, solver,
                               &(ria_bench_desc){.name = "half",
                                                 .n = 8,
                                                 .steps = 60,
                                                 .precision = 32,
                                                 .set_tracers = true,
                                                 .output = true},
                               r, &n));
  CHECK_INT(n, 2);
  CHECK(r[0].steps == 60 && r[0].nx == 8 && r[0].n_tracers == 0 && r[0].precision == RIA_F32);
  CHECK_TEXT(r[1].name, "half + output");
  CHECK(r[1].output && r[1].steps == 100 && isfinite(r[1].output_cost));
  CHECK_NEAR(r[0].ms_sustained, r[0].ms_per_step, 1e-12); /* one turn */
  CHECK_NEAR(r[1].ms_sustained, r[1].ms_per_step, 1e-12);

  const ria_bench_desc saved = {.name = "half", .n = 8, .steps = 20, .checkpoint = true};
  n = 2;
  CHECK_STATUS(ctx, ria_bench_with(ctx, solver, &saved, r, &n), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "cannot name its state");

  n = 1;
  CHECK_OK(ctx, ria_bench_with(
                    ctx, solver,
                    &(ria_bench_desc){.name = "half", .n = 8, .ny = 24, .steps = 4, .alone = true},
                    r, &n));
  CHECK(r[0].nx == 8 && r[0].ny == 24 && r[0].bandwidth == 0.0 && r[0].fraction == 0.0);
  CHECK_NEAR(r[0].cell_rate * r[0].wall, 4.0 * 8 * 24, 1e-6);
}

/* A device knows its own bandwidth; a case whose parameters are wrong says so. */
static ria_status device_bandwidth(ria_context *ctx, const ria_backend *b, double *out) {
  (void)ctx;
  (void)b;
  *out = 123e9;
  return RIA_OK;
}

static void devices(ria_context *ctx, ria_solver solver) {
  const ria_setting wrong[] = {{.name = "dyr", .number = 0.25}, {.name = NULL}};
  const ria_bench_case odd[] = {
      {.name = "odd", .n = 8, .real = RIA_F32, .dx = 1.0, .params = wrong}, {.name = NULL}};
  ria_bench_result r[2];
  size_t n = 2;
  ctx->backend->bandwidth = device_bandwidth;
  CHECK_OK(ctx,
           ria_bench_with(ctx, &solver, &(ria_bench_desc){.name = "single", .steps = 3}, r, &n));
  CHECK(r[0].bandwidth == 123e9 && r[0].steps == 3 && r[0].wall < 1.0);
  solver.bench = odd;
  n = 2;
  CHECK_STATUS(ctx, ria_bench_with(ctx, &solver, &(ria_bench_desc){.steps = 1}, r, &n),
               RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "did you mean 'dry'?");
  ctx->backend->bandwidth = NULL;
}

/* A primitive: two turns of what it does, counted. */
typedef struct counter {
  int64_t times;
} counter;
static counter counted;

static ria_status counter_open(ria_context *ctx, const ria_primitive_case *c, int n, ria_real real,
                               void **self) {
  if (c->n == 7) return ria_fail(ctx, RIA_ERR_ARGUMENT, "%d %d", n, (int)real);
  counted.times = 0;
  *self = &counted;
  return RIA_OK;
}

static ria_status counter_run(void *self, int64_t times) {
  ((counter *)self)->times += times;
  return RIA_OK;
}

static void counter_close(void *self) { CHECK(self == &counted); }

static void primitives(ria_context *ctx) {
  static const ria_primitive_case some[] = {{"plain", "nothing", 3, 10, RIA_F32, 8.0},
                                            {"odd", "refuses", 2, 7, RIA_F64, 8.0},
                                            {.name = NULL}};
  const ria_primitive p = {"toy", "counts", some, counter_open, counter_run, counter_close};
  ria_bench_result r[2];
  const char *summary;
  size_t n = 2;
  CHECK_OK(ctx,
           ria_bench_primitive(ctx, &p, &(ria_bench_desc){.name = "plain", .steps = 6}, r, &n));
  CHECK(n == 1 && counted.times == 11 && r[0].steps == 6 && r[0].bytes_per_cell == 8.0);
  CHECK(r[0].nx == 10 && r[0].nz == 10 && r[0].precision == RIA_F32 && r[0].n_tracers == 0);
  CHECK_NEAR(r[0].cell_rate * r[0].wall, 6000.0, 1e-6);
  CHECK_NEAR(r[0].ms_sustained, r[0].ms_per_step, 1e-12);
  n = 2;
  CHECK_FAILS(ctx, ria_bench_primitive(ctx, &p, &(ria_bench_desc){.steps = 1}, r, &n),
              RIA_ERR_ARGUMENT, "7 0");
  n = 2;
  CHECK_FAILS(ctx, ria_bench_primitive(ctx, &p, &(ria_bench_desc){.name = "plan"}, r, &n),
              RIA_ERR_ARGUMENT,
              "unknown bench case 'plan': did you mean 'plain'? known are plain, odd");
  CHECK_FAILS(
      ctx,
      ria_bench_primitive(ctx, &p, &(ria_bench_desc){.set_tracers = true, .tracers = 1}, r, &n),
      RIA_ERR_ARGUMENT, "bench: 'toy' carries no tracers");
  n = 2;
  CHECK_FAILS(ctx, ria_bench(ctx, &(ria_bench_desc){.solver = "derivatife"}, r, &n),
              RIA_ERR_ARGUMENT,
              "nothing to measure is called 'derivatife': did you mean 'derivative'?");
  n = 1;
  CHECK_OK(ctx, ria_bench(ctx,
                          &(ria_bench_desc){
                              .solver = "derivative", .name = "gradient", .n = 12, .steps = 1},
                          r, &n));
  CHECK(n == 1 && r[0].nz == 12 && r[0].bytes_per_cell == 16.0);
  size_t k = 0;
  bool found = false;
  for (const char *name; (name = ria_bench_subject(k, &summary)); k++)
    found = found || (strcmp(name, "derivative") == 0 && *summary);
  CHECK(found && k >= 2);
}

static void refusing(ria_context *ctx, const ria_solver *solver) {
  ria_bench_result r[1];
  size_t n = 1;
  CHECK_FAILS(ctx, ria_bench_with(ctx, solver, &(ria_bench_desc){.name = "haff"}, r, &n),
              RIA_ERR_ARGUMENT,
              "unknown bench case 'haff': did you mean 'half'? known are half, single");
  n = 1;
  CHECK_FAILS(ctx, ria_bench_with(ctx, solver, &(ria_bench_desc){.n = -1}, r, &n), RIA_ERR_ARGUMENT,
              "bench: n is -1: it may be 1 to 32768 (0 = the case's)");
  n = 1;
  CHECK_FAILS(ctx, ria_bench_with(ctx, solver, &(ria_bench_desc){.ny = -1}, r, &n),
              RIA_ERR_ARGUMENT, "bench: ny is -1: it may be 1 to 1048576 (0 = as n)");
  n = 1;
  CHECK_FAILS(ctx, ria_bench_with(ctx, solver, &(ria_bench_desc){.precision = 16}, r, &n),
              RIA_ERR_ARGUMENT, "bench: precision is 16: it may be 32 or 64");
  n = 0;
  CHECK_STATUS(ctx, ria_bench_with(ctx, solver, &(ria_bench_desc){.name = "half"}, r, &n),
               RIA_ERR_ARGUMENT);
  n = 1;
  CHECK_FAILS(ctx, ria_bench_with(ctx, &toy_solver, &(ria_bench_desc){0}, r, &n), RIA_ERR_ARGUMENT,
              "solver 'toy' has no bench cases");
  CHECK_STATUS(ctx, ria_bench(ctx, NULL, NULL, &n), RIA_ERR_ARGUMENT);
}

int main(void) {
  ria_context *ctx = NULL;
  ria_solver solver = toy_solver;
  solver.bench = cases;
  CHECK_OK(ctx, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  measuring(ctx, &solver);
  devices(ctx, solver);
  primitives(ctx);
  refusing(ctx, &solver);
  ria_context_destroy(&ctx);
  return TEST_END();
}
