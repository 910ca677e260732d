/* tests/unit/sim.c - making, setting, reading and running simulations of a solver of the test's. */
#include "base/context.h"
#include "toy.h"
#include "core/from.h"
#include <time.h>

static void creating(ria_context *ctx) {
  ria_sim *sim = NULL;
  ria_sim_desc d = {.grid = {6, 4, 10.0, 10.0, 0.0, 0.0, 0}};
  const ria_setting typo = {.name = "stpe", .number = 2.0};
  const ria_tracer bad_word = {.name = "crude oil"}, taken = {.name = "depth"},
                   twice[] = {{.name = "a"}, {.name = "a"}}, four[4] = {{.name = "a"}},
                   negative = {.name = "a", .decay = -1.0}, itself = {.name = "stuff"};
  d.params = &typo;
  d.n_params = 1;
  CHECK_STATUS(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "step");
  CHECK(sim == NULL);
  d.n_params = 0;
  d.n_tracers = 1;
  d.tracers = &bad_word;
  CHECK_FAILS(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim), RIA_ERR_ARGUMENT,
              "tracer 'crude oil': a name is a word of letters, digits and _, shorter than 32");
  d.tracers = &taken;
  CHECK_FAILS(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim), RIA_ERR_ARGUMENT,
              "tracer 'depth' gives a field 'depth', a name that is taken: give the tracer another "
              "name");
  d.tracers = &negative;
  CHECK_FAILS(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim), RIA_ERR_ARGUMENT,
              "tracer 'a': decay is -1 1/s, it must be 0 or more");
  d.tracers = &itself;
  CHECK_FAILS(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim), RIA_ERR_ARGUMENT,
              "a tracer cannot be called 'stuff'");
  d.tracers = twice;
  d.n_tracers = 2;
  CHECK_FAILS(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim), RIA_ERR_ARGUMENT,
              "there are two tracers named 'a'");
  d.tracers = four;
  d.n_tracers = 4;
  CHECK_FAILS(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim), RIA_ERR_ARGUMENT,
              "4 tracers: solver 'toy' carries up to 3");
  d.n_tracers = 0;
  d.grid.dy = 0.0; /* square cells */
  CHECK_OK(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim));
  CHECK_NEAR(ria_sim_grid(sim)->dy, 10.0, 0.0);
  ria_sim_destroy(&sim);
  d.grid.dy = -1.0;
  CHECK_FAILS(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim), RIA_ERR_ARGUMENT,
              "grid: dy is -1 m: a cell must be larger than 0");
  d.grid.nx = 0;
  CHECK_STATUS(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_create_with(ctx, &toy_solver, NULL, &sim), RIA_ERR_ARGUMENT);
  d = (ria_sim_desc){.grid = {.nx = 2, .ny = 2, .dx = 1, .dy = 1}, .epoch = "yesterday"};
  CHECK_FAILS(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim), RIA_ERR_ARGUMENT,
              "epoch 'yesterday': a date is YYYY-MM-DD, with hh:mm or hh:mm:ss behind it");
  ria_sim_destroy(&sim);
  ria_sim_destroy(NULL);
}

static void field_table(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  const char *names[] = {"bed", "depth", "level", "oil", "salt", "oil_load", "salt_load"};
  const char *units[] = {"m", "m", "m", "kg/m^3", "kg/m^3", "kg/m^2", "kg/m^2"};
  ria_field_entry e;
  for (size_t k = 0; k < 7; k++) {
    CHECK(ria_sim_field_list(sim, k, &e));
    CHECK_TEXT(e.name, names[k]);
    CHECK_TEXT(e.unit, units[k]);
  }
  CHECK(e.tracer == 1 && !e.can_set && !e.can_track);
  CHECK(!ria_sim_field_list(sim, 7, &e));
  CHECK(ria_sim_field_list(sim, 0, &e) && e.can_set && e.fixed); /* the bed */
  CHECK(ria_sim_field_list(sim, 2, &e) && e.can_set && !e.fixed);
  double v = 0.0;
  CHECK_FAILS(
      ctx, ria_sim_probe(sim, "levle", 105.0, 205.0, &v), RIA_ERR_ARGUMENT,
      "unknown field 'levle': did you mean 'level'? known are bed, depth, level, oil, salt, "
      "oil_load, salt_load");
  CHECK_OK(ctx, ria_sim_param(sim, "dry", &v));
  CHECK(v == 0.01);
  CHECK_STATUS(ctx, ria_sim_param(sim, "wet", &v), RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);
}

/* A hot start fills water: a bed, a depth, a level and discharges that can be set, and velocities.
 * Whoever keeps another kind of discharge, or none that can be set, has his fields taken as they
 * are. */
static void is_water(ria_context *ctx) {
  ria_field_info fields[10] = {{0}};
  ria_solver solver = toy_solver;
  const ria_sim_desc d = {.grid = {6, 4, 10.0, 10.0, 0.0, 0.0, 0}};
  memcpy(fields, toy_field_table, 5 * sizeof *fields);
  for (int k = 0; k < 4; k++)
    fields[5 + k] = (ria_field_info){(const char *[]){"u", "v", "qx", "qy"}[k],
                                     "m/s",
                                     "flow",
                                     NULL,
                                     k < 2 ? 0u : RIA_FIELD_INPUT,
                                     "speed",
                                     "in x or y"};
  solver.fields = fields;
  solver.roles.u = "u", solver.roles.v = "v";
  for (int k = 0; k < 4; k++) {
    ria_sim *sim = NULL;
    if (k == 1) fields[7].flags = 0;
    if (k == 2) fields[7].name = "px";
    if (k == 3) fields[7].name = "qx", fields[7].flags = RIA_FIELD_INPUT, solver.roles.v = NULL;
    if (!CHECK_OK(ctx, ria_sim_create_with(ctx, &solver, &d, &sim))) return;
    CHECK(ria_from_is_water(sim) == (k == 0));
    ria_sim_destroy(&sim);
  }
}

static void setting_and_reading(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  double v[24], p = 0.0;
  CHECK_OK(ctx, ria_sim_get(sim, "depth", v));
  CHECK(v[0] == 2.0 && v[4] == 2.0 && v[5] == 0.0);
  CHECK_OK(ctx, ria_sim_get(sim, "level", v));
  CHECK(v[0] == 0.0 && isnan(v[5]));
  CHECK_OK(ctx, ria_sim_set(sim, "level", v)); /* what was read may be set: NaN is dry */
  v[7] = INFINITY;
  CHECK_FAILS(ctx, ria_sim_set(sim, "level", v), RIA_ERR_ARGUMENT,
              "'level' has no finite value in cell (1, 1) at (115, 215)");
  v[7] = NAN;
  CHECK_STATUS(ctx, ria_sim_set(sim, "depth", v), RIA_ERR_ARGUMENT);
  CHECK_FAILS(ctx, ria_sim_set_constant(sim, "oil_load", 1.0), RIA_ERR_ARGUMENT,
              "'oil_load' follows from other fields: it cannot be set");
  CHECK_STATUS(ctx, ria_sim_set_constant(sim, "depth", NAN), RIA_ERR_ARGUMENT);

  double salt[24];
  for (int c = 0; c < 24; c++) salt[c] = 0.5 * c;
  CHECK_OK(ctx, ria_sim_set(sim, "salt", salt));
  CHECK_OK(ctx, ria_sim_probe(sim, "salt", 119.0, 231.0, &p));
  CHECK_NEAR(p, 0.5 * 19, 1e-12);
  CHECK_FAILS(ctx, ria_sim_probe(sim, "salt", 99.0, 231.0, &p), RIA_ERR_ARGUMENT,
              "(99, 231) lies outside the domain, x 100 to 160, y 200 to 240");
  ria_stats s;
  CHECK_OK(ctx, ria_sim_stats(sim, "salt", &s));
  CHECK(s.n == 20 && s.min == 0.0 && s.min_i == 0 && s.min_j == 0 && s.max_i == 4 && s.max_j == 3);
  CHECK_NEAR(s.max, 11.0, 1e-12);
  CHECK_NEAR(s.mean, 5.5, 1e-12);
  CHECK_NEAR(s.sum, 110.0 * 100.0, 1e-9);
  CHECK_OK(ctx, ria_sim_set_constant(sim, "depth", 0.0));
  CHECK_OK(ctx, ria_sim_stats(sim, "salt", &s)); /* of no cell */
  CHECK(s.n == 0 && isnan(s.min) && isnan(s.max) && isnan(s.mean) && isnan(s.sum));
  CHECK(s.min_i == -1 && s.min_j == -1 && s.max_i == -1 && s.max_j == -1);
  CHECK_OK(ctx, ria_sim_run(sim, 1.0));
  CHECK_FAILS(ctx, ria_sim_set_constant(sim, "bed", 0.0), RIA_ERR_ARGUMENT,
              "'bed' cannot change once the run has started");
  ria_sim_destroy(&sim);
}

static void maxima(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  double v[24];
  CHECK_FAILS(ctx, ria_sim_track_maximum(sim, "bed"), RIA_ERR_ARGUMENT,
              "solver 'toy' keeps no maximum of 'bed'");
  CHECK_FAILS(ctx, ria_sim_get_maximum(sim, "oil", v), RIA_ERR_ARGUMENT,
              "no maximum of 'oil' is kept: ask for it before the run");
  CHECK_OK(ctx, ria_sim_set_constant(sim, "oil", 7.0));
  CHECK_OK(ctx, ria_sim_track_maximum(sim, "oil"));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "oil", 3.0)); /* the run begins with this */
  CHECK_OK(ctx, ria_sim_run(sim, 100.0));
  CHECK_OK(ctx, ria_sim_get_maximum(sim, "oil", v));
  CHECK_NEAR(v[0], 3.0, 1e-12);
  CHECK_OK(ctx, ria_sim_get(sim, "oil", v));
  CHECK_NEAR(v[0], 3.0 * exp(-0.1), 1e-12);
  ria_sim_destroy(&sim);
}

/* The engine's clock (the linker puts this in front of it, see tests/CMakeLists.txt): batches are
 * sized by it, and a machine that is busy must not show. While a toy sets the pace its steps take
 * 1 us each and a batch 1 us more. */
static const toy *pace;

int __real_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t);

int __wrap_clock_gettime(clockid_t id, struct timespec *t) {
  if (!pace) return __real_clock_gettime(id, t);
  const int64_t us = pace->at.steps + pace->advanced;
  *t = (struct timespec){.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
  return 0;
}

static void running(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  CHECK_OK(ctx, ria_sim_start(sim));
  CHECK(ria_sim_steps(sim) == 0 && ria_sim_time(sim) == 0.0);
  CHECK_OK(ctx, ria_sim_step(sim, 3));
  CHECK(ria_sim_steps(sim) == 3 && ria_sim_time(sim) == 3.0);
  CHECK_OK(ctx, ria_sim_advance(sim, 2.5));
  CHECK(ria_sim_steps(sim) == 6 && ria_sim_time(sim) == 5.5);
  CHECK_OK(ctx, ria_sim_run(sim, 5.5));
  CHECK_OK(ctx, ria_sim_step(sim, 0));
  CHECK_INT(ria_sim_steps(sim), 6);
  CHECK_FAILS(ctx, ria_sim_run(sim, 5.0), RIA_ERR_ARGUMENT,
              "a run to t = 5 s: it must be at or after the present, 5.5 s");
  CHECK_STATUS(ctx, ria_sim_run(sim, INFINITY), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_advance(sim, -1.0), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_step(sim, -1), RIA_ERR_ARGUMENT);
  pace = toy_state(sim);
  int64_t before = pace->advanced;
  CHECK_OK(ctx, ria_sim_run(sim, 1e5)); /* many steps, few batches: 1, 4, 16, ... */
  CHECK(pace->advanced - before < 12 && pace->prepared == 1);
  before = pace->advanced;
  CHECK_OK(ctx, ria_sim_step(sim, 100000)); /* at the speed that is known, not from 1 step on */
  CHECK_INT(pace->advanced - before, 1);
  before = pace->advanced;
  CHECK_OK(ctx, ria_sim_step(sim, 1200000)); /* 1.2 s in batches of 0.12 s */
  CHECK(pace->advanced - before > 8 && pace->advanced - before < 12);
  pace = NULL;
  ria_summary s;
  CHECK_OK(ctx, ria_sim_summary(sim, &s));
  CHECK(s.steps == ria_sim_steps(sim) && s.time == 1.4e6 && s.dt_min == 1.0);
  CHECK(s.cell_steps == 24.0 * (double)s.steps && s.wall > 0.0 && s.dt_min_i == 1);
  CHECK_TEXT(s.dt_min_cause, "the parameter step");
  ria_sim_destroy(&sim);
  CHECK(sim == NULL);
}

static void breaking_down(ria_context *ctx) {
  const ria_setting fail = {.name = "fail_at", .number = 4.5};
  ria_sim *sim = toy_sim(ctx, &fail, 1, NULL);
  double v[24];
  const char *text = "depth is NaN in cell (2, 1) at (125, 215), t = 5 s";
  CHECK_FAILS(ctx, ria_sim_run(sim, 10.0), RIA_ERR_NUMERICAL, text);
  CHECK(ria_sim_time(sim) == 5.0);
  CHECK_FAILS(ctx, ria_sim_run(sim, 10.0), RIA_ERR_NUMERICAL,
              "the simulation failed at t = 5 s: it can be read, not run on");
  CHECK_STATUS(ctx, ria_sim_set_constant(sim, "depth", 1.0), RIA_ERR_NUMERICAL);
  CHECK_OK(ctx, ria_sim_get(sim, "depth", v));
  ria_sim_destroy(&sim);
}

/* --- progress and interrupts --- */

static ria_status count_progress(ria_sim *sim, const ria_progress_info *info, void *user) {
  (void)sim;
  (void)info;
  ++*(int *)user;
  return RIA_OK;
}

/* The interval counts from one run to the next: many short ones are told of, too. */
static void progress_of_short_runs(ria_context *ctx) {
  int told = 0;
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  CHECK_OK(ctx, ria_sim_on_progress(sim, 0.05, count_progress, &told));
  for (int k = 0; k < 1000 && !told; k++) {
    CHECK_OK(ctx, ria_sim_step(sim, 1));
    nanosleep(&(struct timespec){.tv_nsec = 5 * 1000 * 1000}, NULL);
  }
  CHECK(told == 1);
  ria_sim_destroy(&sim);
}

typedef struct watch {
  int calls;
  ria_status answer;
  bool interrupt, stop;
  double last;
} watch;

static ria_status on_progress(ria_sim *sim, const ria_progress_info *info, void *user) {
  watch *w = user;
  w->calls++;
  CHECK(info->t > w->last && info->t_end == 1e7 && info->wall > 0.0 && info->eta >= 0.0);
  CHECK(info->dt == 1.0 && info->rate > 0.0 && fabs(info->mass_error) < 1e-12);
  CHECK_STATUS(ria_sim_context(sim), ria_sim_run(sim, 1.0), RIA_ERR_ARGUMENT);
  w->last = info->t;
  if (w->interrupt) ria_sim_interrupt(sim);
  if (w->stop) ria_sim_stop(sim);
  return w->answer ? ria_fail(ria_sim_context(sim), w->answer, "enough") : RIA_OK;
}

static void watching(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  watch w = {.interrupt = true};
  CHECK_OK(ctx, ria_sim_on_progress(sim, 0.001, on_progress, &w));
  CHECK_STATUS(ctx, ria_sim_run(sim, 1e7), RIA_INTERRUPTED);
  CHECK_HOLDS(ria_error(ctx), "interrupted at t = ");
  CHECK(w.calls == 1 && ria_sim_time(sim) < 1e7);
  w = (watch){.stop = true, .last = w.last};
  CHECK_OK(ctx, ria_sim_run(sim, 1e7));
  CHECK(w.calls == 1 && ria_sim_time(sim) < 1e7);
  w = (watch){.answer = RIA_ERR_CALLBACK, .last = w.last};
  CHECK_FAILS(ctx, ria_sim_run(sim, 1e7), RIA_ERR_CALLBACK, "enough");
  CHECK_INT(w.calls, 1);
  ria_sim_interrupt(sim); /* before a run: it ends at once, and the next one does not */
  double t = ria_sim_time(sim);
  CHECK_STATUS(ctx, ria_sim_run(sim, 1e7), RIA_INTERRUPTED);
  CHECK(ria_sim_time(sim) == t);
  CHECK_OK(ctx, ria_sim_on_progress(sim, 0.0, NULL, NULL));
  CHECK_OK(ctx, ria_sim_advance(sim, 10.0));
  CHECK_STATUS(ctx, ria_sim_on_progress(sim, -1.0, NULL, NULL), RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);
}

/* --- budget --- */

static void budget(ria_context *ctx) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  ria_budget_row r[3];
  size_t n = 2;
  CHECK_STATUS(ctx, ria_sim_budget(sim, r, &n), RIA_ERR_ARGUMENT);
  CHECK_INT(n, 3);
  CHECK_OK(ctx, ria_sim_set_constant(sim, "oil", 1.0));
  CHECK_OK(ctx, ria_sim_budget(sim, r, &n)); /* before the start: what is there now */
  CHECK(r[0].initial == 20 * 200.0 && r[1].initial == 20 * 200.0 && r[1].sources == 0.0);
  CHECK_OK(ctx, ria_sim_run(sim, 50.0));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "salt", 0.25)); /* during the run: a source */
  CHECK_OK(ctx, ria_sim_run(sim, 100.0));
  CHECK_OK(ctx, ria_sim_budget(sim, r, &n));
  CHECK_TEXT(r[0].name, "stuff");
  CHECK_TEXT(r[0].unit, "m^3");
  CHECK_TEXT(r[1].name, "oil");
  CHECK_TEXT(r[1].unit, "kg");
  CHECK_NEAR(r[1].decayed, 4000.0 * (1.0 - exp(-0.1)), 1e-8);
  CHECK_NEAR(r[2].sources, 1000.0, 1e-9);
  for (int q = 0; q < 3; q++) CHECK_NEAR(r[q].relative, 0.0, 1e-14);
  ria_sim_destroy(&sim);
}

/* --- two in one process --- */

static void interleaved(ria_context *ctx) {
  ria_sim *a = toy_sim(ctx, NULL, 0, NULL), *b = toy_sim(ctx, NULL, 0, NULL), *alone = NULL;
  ria_context *other = NULL;
  double va[24], vb[24], vc[24];
  CHECK_OK(ctx, ria_context_create(&(ria_context_desc){.device = "cpu"}, &other));
  alone = toy_sim(other, NULL, 0, NULL);
  ria_sim *all[] = {a, b, alone};
  for (int k = 0; k < 3; k++) CHECK_OK(ctx, ria_sim_set_constant(all[k], "oil", 2.0));
  for (int k = 0; k < 10; k++) {
    CHECK_OK(ctx, ria_sim_advance(a, 7.25));
    CHECK_OK(ctx, ria_sim_step(b, 3));
    CHECK_STATUS(ctx, ria_sim_advance(b, -1.0), RIA_ERR_ARGUMENT);
  }
  CHECK_TEXT(ria_error(other), "");
  for (int k = 0; k < 10; k++) CHECK_OK(other, ria_sim_advance(alone, 7.25));
  CHECK_OK(ctx, ria_sim_get(a, "oil", va));
  CHECK_OK(ctx, ria_sim_get(b, "oil", vb));
  CHECK_OK(other, ria_sim_get(alone, "oil", vc));
  CHECK(ria_sim_time(a) == 72.5 && ria_sim_time(b) == 30.0);
  CHECK(memcmp(&va[0], &vc[0], sizeof va[0]) == 0 && vb[0] > va[0]);
  ria_sim_destroy(&b);
  CHECK_OK(ctx, ria_sim_advance(a, 1.0));
  ria_sim_destroy(&a);
  ria_sim_destroy(&alone);
  ria_context_destroy(&other);
}

/* A GPU, taken for granted here, that the solver has no loops for: an error where it was asked for
 * by name, the CPU where it was not. */
static void without_loops(void) {
  ria_context *ctx = NULL;
  ria_sim *sim = NULL;
  ria_summary sum;
  const ria_sim_desc d = {.grid = {6, 4, 10.0, 10.0, 0.0, 0.0, 0}};
  CHECK_OK(ctx, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  CHECK(!ctx->automatic);
  ctx->backend->kind = RIA_BACKEND_CUDA;
  ctx->backend->name = "cuda:0";
  CHECK_FAILS(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim), RIA_ERR_DEVICE,
              "solver 'toy' has no loops for device 'cuda:0': use the device 'cpu'");
  CHECK(sim == NULL && ctx->host == NULL);
  ctx->automatic = true;
  CHECK_OK(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim));
  CHECK(sim && sim->backend == ctx->host && sim->backend->kind == RIA_BACKEND_CPU);
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", 0));
  CHECK_OK(ctx, ria_sim_run(sim, 10));
  ria_sim_summary(sim, &sum);
  CHECK_TEXT(sum.device, "cpu");
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
  CHECK_OK(ctx, ria_context_create(&(ria_context_desc){0}, &ctx));
  CHECK(ctx->automatic);
  ria_context_destroy(&ctx);
}

int main(void) {
  ria_context *ctx = NULL;
  CHECK_OK(ctx, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  creating(ctx);
  field_table(ctx);
  is_water(ctx);
  setting_and_reading(ctx);
  maxima(ctx);
  running(ctx);
  breaking_down(ctx);
  watching(ctx);
  progress_of_short_runs(ctx);
  budget(ctx);
  interleaved(ctx);
  without_loops();
  ria_context_destroy(&ctx);
  return TEST_END();
}
