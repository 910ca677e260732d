/* run/bench.c - measuring a solver, with its own cases, beside a plain copy.
 *
 * A step that is limited by memory cannot be faster than the copy of the bytes it must move, so the
 * rate is set against the bandwidth that a large copy reaches on the same device or with the same
 * threads in the same run. Like the copy, the steps are measured in several turns and the fastest
 * counts: what else the machine does is not the solver's. The mean of all turns stands beside it:
 * it is what a long run gets where the device lowers its clock under load. The cost of output is
 * measured on one simulation by turns, without and with, and each turn ends as it began, with an
 * output in the queue, so that what is measured is the steady state. */
#include "run/bench.h"
#include "base/context.h"
#include "core/sim.h"
#include "base/text.h"
#include "io/file.h"
#include "base/grid.h"
#include "base/clock.h"
#include "outputs/output.h"
#include "run/run.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RIA_BENCH_EVERY = 50, RIA_BENCH_TURNS = 4 };
static const double bench_seconds = 5.0; /* a GPU reaches its power limit after about one */

/* --- the machine ------------------------------------------------------------------------------ */

/* Bytes of one array: several times the last cache, within reason. */
static size_t copy_size(void) {
  const size_t least = (size_t)128 << 20, most = (size_t)256 << 20;
  long cache = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
  cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
  size_t want = cache > 0 ? 4 * (size_t)cache : least;
  return want < least ? least : want > most ? most : want;
}

/* One pass over both arrays, an equal slice for each thread. */
static double copy_once(char *to, const char *from, size_t bytes, int threads) {
  double begin = ria_wall_clock();
  size_t slice = bytes / (size_t)threads;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int k = 0; k < threads; k++) memcpy(to + (size_t)k * slice, from + (size_t)k * slice, slice);
  return 2.0 * (double)(slice * (size_t)threads) / (ria_wall_clock() - begin);
}

static ria_status host_bandwidth(ria_context *ctx, const ria_backend *b, double *out) {
  size_t bytes = copy_size();
  void *from = NULL, *to = NULL;
  RIA_TRY(b->alloc(ctx, b, bytes, &from));
  ria_status s = b->alloc(ctx, b, bytes, &to);
  double best = 0.0;
  for (int pass = 0; s == RIA_OK && pass < 12; pass++)
    best = fmax(best, copy_once(to, from, bytes, ria_context_threads(ctx)));
  b->free(b, from);
  if (to) b->free(b, to);
  *out = best;
  return s;
}

ria_status ria_bench_bandwidth(ria_context *ctx, const ria_backend *b, double *out) {
  return b->bandwidth ? b->bandwidth(ctx, b, out) : host_bandwidth(ctx, b, out);
}

/* --- one case --------------------------------------------------------------------------------- */

/* v: room for a field */
static ria_status fill_field(ria_sim *sim, const ria_bench_case *c, const char *name, double *v) {
  const ria_grid *g = &sim->grid;
#pragma omp parallel for num_threads(ria_context_threads(sim->ctx)) schedule(static)
  for (int j = 0; j < g->ny; j++)
    for (int i = 0; i < g->nx; i++)
      v[(size_t)j * (size_t)g->nx + (size_t)i] =
          c->init(name, (i + 0.5) / g->nx, (j + 0.5) / g->ny);
  return ria_sim_set(sim, name, v);
}

static bool has_field(const ria_sim *sim, const char *name) {
  for (size_t k = 0; k < sim->n_fields; k++)
    if (strcmp(sim->fields[k].name, name) == 0) return true;
  return false;
}

/* Fields of tracers that were not asked for are passed over. */
static ria_status fill_fields(ria_sim *sim, const ria_bench_case *c) {
  size_t bytes = ria_grid_cells(&sim->grid) * sizeof(double);
  double *v = malloc(bytes);
  if (!v) return ria_fail_memory(sim->ctx, "a field", bytes);
  ria_status s = RIA_OK;
  for (int k = 0; s == RIA_OK && c->fields && c->fields[k]; k++)
    if (has_field(sim, c->fields[k])) s = fill_field(sim, c, c->fields[k], v);
  free(v);
  return s;
}

static ria_status fill_case(ria_sim *sim, const ria_bench_case *c) {
  RIA_TRY(fill_fields(sim, c));
  for (int side = 0; c->sides && side < RIA_SIDES; side++) {
    ria_boundary_desc d = {.kind = c->sides[side], .side = (ria_side)side};
    if (d.kind) RIA_TRY(ria_boundary_add(sim, &d, NULL));
  }
  return RIA_OK;
}

static ria_real case_real(const ria_bench_desc *d, const ria_bench_case *c) {
  return d->precision == 32 ? RIA_F32 : d->precision == 64 ? RIA_F64 : c->real;
}

static ria_status make_case(ria_context *ctx, const ria_solver *solver, const ria_bench_desc *d,
                            const ria_bench_case *c, const char *out, ria_sim **sim) {
  char names[RIA_MAX_TRACERS][RIA_NAME_MAX];
  ria_tracer tracers[RIA_MAX_TRACERS] = {0};
  int n = d->n ? d->n : c->n, count = d->set_tracers ? d->tracers : c->n_tracers;
  for (int k = 0; k < count && k < RIA_MAX_TRACERS; k++) {
    snprintf(names[k], sizeof names[k], "tracer%d", k + 1);
    tracers[k].name = names[k];
  }
  size_t n_params = 0;
  while (c->params && c->params[n_params].name) n_params++;
  const ria_sim_desc desc = {.grid = {n, n, c->dx, c->dx, 0.0, 0.0},
                             .params = c->params,
                             .n_params = n_params,
                             .precision = case_real(d, c),
                             .tracers = tracers,
                             .n_tracers = (size_t)count,
                             .title = c->name,
                             .out = out,
                             .overwrite = true};
  RIA_TRY(ria_sim_create_with(ctx, solver, &desc, sim));
  ria_status s = fill_case(*sim, c);
  if (s != RIA_OK) ria_sim_destroy(sim);
  return s;
}

typedef struct wet_count {
  int nx;
  double dry;
  size_t wet;
} wet_count;

static void count_wet(void *user, int j0, int nj, const void *rows) {
  wet_count *c = user;
  const double *depth = rows;
  (void)j0;
  for (size_t k = 0; k < (size_t)nj * (size_t)c->nx; k++) c->wet += depth[k] > c->dry;
}

static ria_status wet_part(ria_sim *sim, double *out) {
  wet_count c = {.nx = sim->grid.nx, .dry = sim->dry};
  *out = 1.0;
  if (!sim->roles.depth) return RIA_OK;
  RIA_TRY(ria_field_visit(sim, sim->roles.depth, false, RIA_F64, 1, count_wet, &c));
  *out = (double)c.wet / (double)ria_grid_cells(&sim->grid);
  return RIA_OK;
}

static ria_status step_sim(void *sim, int64_t n) { return ria_sim_step(sim, n); }

/* Steps that last for so many seconds, from ever longer samples: short ones are mostly waiting for
 * the device. */
static ria_status fit_steps(const ria_bench_work *work, double seconds, int64_t *steps) {
  double wall = 0.0;
  int64_t n = 5;
  for (;; n *= 4) {
    double begin = ria_wall_clock();
    RIA_TRY(work->go(work->self, n));
    wall = fmax(ria_wall_clock() - begin, 1e-9);
    if (wall > 0.05 * seconds) break;
  }
  *steps = (int64_t)fmax(5.0, seconds / wall * (double)n);
  return RIA_OK;
}

ria_status ria_bench_measure(const ria_bench_work *work, const ria_bench_desc *d,
                             ria_bench_result *r) {
  double want = d->seconds > 0.0 ? d->seconds : bench_seconds;
  int turns = d->steps ? 1 : RIA_BENCH_TURNS;
  double all = 0.0;
  RIA_TRY(work->go(work->self, 5)); /* pages, caches, threads */
  r->steps = d->steps;
  if (!d->steps) RIA_TRY(fit_steps(work, want / turns, &r->steps));
  for (int k = 0; k < turns; k++) {
    double begin = ria_wall_clock();
    RIA_TRY(work->go(work->self, r->steps));
    double wall = ria_wall_clock() - begin;
    if (k == 0 || wall < r->wall) r->wall = wall;
    all += wall;
  }
  r->ms_sustained = r->steps ? 1e3 * all / (double)(turns * r->steps) : 0.0;
  return RIA_OK;
}

static void rate(const ria_sim *sim, const ria_bench_case *c, double bandwidth,
                 ria_bench_result *r) {
  double cells = (double)ria_grid_cells(&sim->grid);
  r->ms_per_step = r->steps ? 1e3 * r->wall / (double)r->steps : 0.0;
  r->cell_rate = r->wall > 0.0 ? cells * (double)r->steps / r->wall : 0.0;
  r->bytes_per_cell = c->bytes_per_cell * (sim->real == RIA_F64 ? 2.0 : 1.0);
  r->bandwidth = bandwidth;
  r->fraction = bandwidth > 0.0 ? r->bytes_per_cell * r->cell_rate / bandwidth : 0.0;
}

static void describe(const ria_sim *sim, const ria_bench_case *c, const char *more,
                     ria_bench_result *r) {
  *r = (ria_bench_result){.backend = sim->backend,
                          .nx = sim->grid.nx,
                          .ny = sim->grid.ny,
                          .n_tracers = sim->n_tracers,
                          .threads = ria_context_threads(sim->ctx),
                          .precision = sim->real};
  snprintf(r->name, sizeof r->name, "%s%s", c->name, more);
  snprintf(r->doc, sizeof r->doc, "%s", c->doc ? c->doc : "");
}

static ria_status run_case(ria_context *ctx, const ria_solver *solver, const ria_bench_desc *d,
                           const ria_bench_case *c, double bandwidth, ria_bench_result *r) {
  ria_sim *sim = NULL;
  RIA_TRY(make_case(ctx, solver, d, c, NULL, &sim));
  describe(sim, c, "", r);
  ria_status s = ria_bench_measure(&(ria_bench_work){step_sim, sim}, d, r);
  rate(sim, c, bandwidth, r);
  if (s == RIA_OK) s = wet_part(sim, &r->wet);
  ria_sim_destroy(&sim);
  return s;
}

/* --- with output ------------------------------------------------------------------------------ */

typedef struct output_pair {
  ria_action frame, save;
} output_pair;

/* A frame of the last gauge field (a tracer's, if there is one), a save of the first. */
static ria_status make_outputs(ria_sim *sim, const ria_bench_desc *d, output_pair *out,
                               ria_bench_result *r) {
  const ria_sim_field *first = NULL, *last = NULL;
  for (size_t k = 0; k < sim->n_fields; k++) {
    if (!(sim->fields[k].info->flags & RIA_FIELD_GAUGE)) continue;
    if (!first) first = &sim->fields[k];
    last = &sim->fields[k];
  }
  if (!first) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "the solver has no field for outputs");
  const char *names[] = {first->name};
  RIA_TRY(ria_frame_action(sim, &(ria_frame_desc){.field = last->name}, &out->frame));
  const ria_save_desc save = {
      .fields = names, .n_fields = 1, .precision = 1e-3, .level = d->raw ? RIA_LEVEL_RAW : 0};
  RIA_TRY(ria_save_action(sim, &save, &out->save));
  snprintf(r->doc, sizeof r->doc, "a frame of '%s' and %s of '%s' (to 0.001 %s) every %d steps",
           last->name, d->raw ? "an uncompressed save" : "a save", first->name, first->unit,
           RIA_BENCH_EVERY);
  return RIA_OK;
}

static ria_status fire(ria_sim *sim, const output_pair *out) {
  const ria_event_info info = {.t = sim->at.t};
  RIA_TRY(out->save.fn(sim, &info, out->save.user));
  return out->frame.fn(sim, &info, out->frame.user);
}

/* `rounds` times 50 steps, each with the outputs before it if there are any; how long they took. */
static ria_status turn(ria_sim *sim, int64_t rounds, const output_pair *out, double *wall) {
  if (out) {
    RIA_TRY(fire(sim, out));
    RIA_TRY(ria_sim_step(sim, RIA_BENCH_EVERY));
  }
  double begin = ria_wall_clock();
  for (int64_t k = 0; k < rounds; k++) {
    if (out) RIA_TRY(fire(sim, out));
    RIA_TRY(ria_sim_step(sim, RIA_BENCH_EVERY));
  }
  *wall = ria_wall_clock() - begin;
  return out ? ria_writer_flush(sim->outputs->writer) : RIA_OK;
}

static ria_status compare(ria_sim *sim, const ria_bench_desc *d, ria_bench_result *r) {
  output_pair out;
  double plain = INFINITY, with = INFINITY, all = 0.0, wall = 0.0;
  double want = d->seconds > 0.0 ? d->seconds : bench_seconds;
  int turns = d->steps ? 1 : RIA_BENCH_TURNS;
  int64_t steps = d->steps;
  RIA_TRY(make_outputs(sim, d, &out, r));
  RIA_TRY(ria_sim_step(sim, 5));
  if (!d->steps) RIA_TRY(fit_steps(&(ria_bench_work){step_sim, sim}, want / turns, &steps));
  int64_t rounds = (steps + RIA_BENCH_EVERY - 1) / RIA_BENCH_EVERY;
  if (!d->steps && rounds < 4) rounds = 4;
  for (int k = 0; k < turns; k++) {
    RIA_TRY(turn(sim, rounds, NULL, &wall));
    plain = fmin(plain, wall);
    RIA_TRY(turn(sim, rounds, &out, &wall));
    with = fmin(with, wall);
    all += wall;
  }
  r->output = true;
  r->steps = rounds * RIA_BENCH_EVERY;
  r->wall = with;
  r->ms_sustained = 1e3 * all / (double)(turns * r->steps);
  r->output_cost = with / plain - 1.0;
  return RIA_OK;
}

static ria_status run_output_case(ria_context *ctx, const ria_solver *solver,
                                  const ria_bench_desc *d, const ria_bench_case *c,
                                  double bandwidth, ria_bench_result *r) {
  const char *tmp = getenv("TMPDIR");
  char dir[512], err[RIA_ERR_TEXT];
  ria_sim *sim = NULL;
  snprintf(dir, sizeof dir, "%s/ria-bench-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(dir)) return ria_fail(ctx, RIA_ERR_OUTPUT, "cannot make a directory '%s'", dir);
  ria_status s = make_case(ctx, solver, d, c, dir, &sim);
  if (s == RIA_OK) {
    describe(sim, c, " + output", r);
    s = compare(sim, d, r);
    rate(sim, c, bandwidth, r);
    if (s == RIA_OK) s = wet_part(sim, &r->wet);
    ria_sim_destroy(&sim);
  }
  ria_tree_remove(dir, err, sizeof err);
  return s;
}

/* --- all of them ------------------------------------------------------------------------------ */

ria_status ria_bench_check(ria_context *ctx, const ria_bench_desc *d) {
  if (d->n < 0 || d->n > 32768)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "bench: n is %d: it may be 1 to 32768 (0 = the case's)",
                    d->n);
  if (d->steps < 0 || !(d->seconds >= 0.0) || !isfinite(d->seconds))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "bench: steps and seconds must be 0 or more");
  if (d->precision != 0 && d->precision != 32 && d->precision != 64)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "bench: precision is %d: it may be 32 or 64",
                    d->precision);
  if (d->set_tracers && (d->tracers < 0 || d->tracers > RIA_MAX_TRACERS))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "bench: tracers is %d: it may be 0 to %d", d->tracers,
                    RIA_MAX_TRACERS);
  return RIA_OK;
}

static ria_status fail_case(ria_context *ctx, const ria_solver *solver, const char *name) {
  if (!solver->bench || !solver->bench[0].name)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "solver '%s' has no bench cases", solver->name);
  ria_guess guess = ria_guess_start(name);
  for (int k = 0; solver->bench[k].name; k++) ria_guess_try(&guess, solver->bench[k].name);
  return ria_fail_unknown(ctx, "bench case", &guess);
}

ria_status ria_bench_with(ria_context *ctx, const ria_solver *solver, const ria_bench_desc *d,
                          ria_bench_result *results, size_t *n) {
  size_t room = *n;
  double bandwidth = 0.0;
  const ria_backend *backend;
  const ria_solver_ops *ops;
  *n = 0;
  RIA_TRY(ria_bench_check(ctx, d));
  RIA_TRY(ria_choose_backend(ctx, solver, &backend, &ops));
  for (const ria_bench_case *c = solver->bench; c && c->name; c++) {
    if (d->name && strcmp(d->name, c->name) != 0) continue;
    if (*n + 1 + d->output > room)
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "bench: there is no room for more than %zu results",
                      room);
    if (bandwidth == 0.0) RIA_TRY(ria_bench_bandwidth(ctx, backend, &bandwidth));
    RIA_TRY(run_case(ctx, solver, d, c, bandwidth, &results[*n]));
    ++*n;
    if (!d->output) continue;
    RIA_TRY(run_output_case(ctx, solver, d, c, bandwidth, &results[*n]));
    ++*n;
  }
  return *n ? RIA_OK : fail_case(ctx, solver, d->name ? d->name : "");
}

static ria_status unknown_subject(ria_context *ctx, const char *name) {
  const char *known, *summary;
  ria_guess guess = ria_guess_start(name);
  for (size_t k = 0; (known = ria_bench_subject(k, &summary)); k++) ria_guess_try(&guess, known);
  return ria_fail_guess(ctx, &guess, ": there are ", "nothing to measure is called '%s'", name);
}

ria_status ria_bench(ria_context *ctx, const ria_bench_desc *desc, ria_bench_result *results,
                     size_t *n) {
  const ria_bench_desc none = {0};
  const ria_solver *solver = NULL;
  if (!results || !n) return ria_fail(ctx, RIA_ERR_ARGUMENT, "bench: no room for results");
  const ria_primitive *primitive = desc && desc->solver ? ria_primitive_named(desc->solver) : NULL;
  if (primitive) return ria_bench_primitive(ctx, primitive, desc, results, n);
  if (ria_solver_find(ctx, desc ? desc->solver : NULL, &solver) != RIA_OK)
    return unknown_subject(ctx, desc->solver);
  return ria_bench_with(ctx, solver, desc ? desc : &none, results, n);
}
