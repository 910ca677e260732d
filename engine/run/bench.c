/* run/bench.c - measuring a solver, with its own cases, beside a plain copy.
 *
 * A step that is limited by memory cannot be faster than the copy of the bytes it must move, so the
 * rate is set against the bandwidth that a large copy reaches on the same device or with the same
 * threads in the same run. Like the copy, the steps are measured in several turns and the fastest
 * counts: what else the machine does is not the solver's. The mean of all turns stands beside it:
 * it is what a long run gets where the device lowers its clock under load. Ranks go by the slowest
 * of them. */
#include "run/bench.h"
#include "base/clock.h"
#include "base/context.h"
#include "base/grid.h"
#include "base/ranks.h"
#include "base/text.h"
#include "core/sim.h"
#include "run/run.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double bench_seconds = 5.0; /* a GPU reaches its power limit after about one */

/* --- one case --------------------------------------------------------------------------------- */

ria_status ria_bench_step(void *sim, int64_t n) { return ria_sim_step(sim, n); }

/* All ranks have to choose alike. */
static ria_status slowest(ria_context *ctx, double *wall) {
  if (!ctx->ranks) return RIA_OK;
  const int n = ria_context_ranks(ctx);
  ria_packet mine = ria_ranks_call(RIA_MEET_BENCH, NULL, 0);
  mine.word[0] = *wall;
  RIA_TRY(ria_ranks_meet(ctx, &mine, "a time is measured"));
  for (int k = 0; k < n; k++) *wall = fmax(*wall, ctx->ranks->all[k].word[0]);
  return RIA_OK;
}

/* So many steps, and how long they took. */
static ria_status take(const ria_bench_work *work, int64_t steps, double *wall) {
  const double begin = ria_wall_clock();
  RIA_TRY(work->go(work->self, steps));
  *wall = fmax(ria_wall_clock() - begin, 1e-9);
  return slowest(work->ctx, wall);
}

/* Steps that last for so many seconds, from ever longer samples: short ones are mostly waiting for
 * the device. */
ria_status ria_bench_fit(const ria_bench_work *work, double seconds, int64_t *steps) {
  double wall = 0.0;
  int64_t n = 5;
  for (;; n *= 4) {
    RIA_TRY(take(work, n, &wall));
    if (wall > 0.05 * seconds) break;
  }
  *steps = (int64_t)fmax(5.0, seconds / wall * (double)n);
  return RIA_OK;
}

double ria_bench_seconds(const ria_bench_desc *d) {
  return d->seconds > 0.0 ? d->seconds : bench_seconds;
}

ria_status ria_bench_measure(const ria_bench_work *work, const ria_bench_desc *d,
                             ria_bench_result *r) {
  const double want = ria_bench_seconds(d);
  const int turns = d->steps ? 1 : RIA_BENCH_TURNS;
  double all = 0.0, wall = 0.0;
  RIA_TRY(work->go(work->self, 5)); /* pages, caches, threads */
  r->steps = d->steps;
  if (!d->steps) RIA_TRY(ria_bench_fit(work, want / turns, &r->steps));
  for (int k = 0; k < turns; k++) {
    RIA_TRY(take(work, r->steps, &wall));
    if (k == 0 || wall < r->wall) r->wall = wall;
    all += wall;
  }
  r->ms_sustained = r->steps ? 1e3 * all / (double)(turns * r->steps) : 0.0;
  return RIA_OK;
}

void ria_bench_rate(const ria_sim *sim, const ria_bench_case *c, double bandwidth,
                    ria_bench_result *r) {
  double cells = (double)ria_grid_cells(&sim->grid);
  r->ms_per_step = r->steps ? 1e3 * r->wall / (double)r->steps : 0.0;
  r->cell_rate = r->wall > 0.0 ? cells * (double)r->steps / r->wall : 0.0;
  r->bytes_per_cell = c->bytes_per_cell * (sim->real == RIA_F64 ? 2.0 : 1.0);
  r->bandwidth = bandwidth;
  r->fraction = bandwidth > 0.0 ? r->bytes_per_cell * r->cell_rate / bandwidth : 0.0;
}

void ria_bench_describe(const ria_sim *sim, const ria_bench_case *c, const char *more,
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
  RIA_TRY(ria_bench_make(ctx, solver, d, c, NULL, &sim));
  ria_bench_describe(sim, c, "", r);
  ria_status s = ria_bench_measure(&(ria_bench_work){ria_bench_step, sim, ctx}, d, r);
  ria_bench_rate(sim, c, bandwidth, r);
  if (s == RIA_OK) s = ria_bench_wet(sim, &r->wet);
  ria_sim_destroy(&sim);
  return s;
}

/* --- all of them ------------------------------------------------------------------------------ */

ria_status ria_bench_check(ria_context *ctx, const ria_bench_desc *d) {
  if (d->n < 0 || d->n > 32768)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "bench: n is %d: it may be 1 to 32768 (0 = the case's)",
                    d->n);
  if (d->ny < 0 || d->ny > 1 << 20)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "bench: ny is %d: it may be 1 to %d (0 = as n)", d->ny,
                    1 << 20);
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
    if (*n + 1 + d->output + d->checkpoint > room)
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "bench: there is no room for more than %zu results",
                      room);
    if (bandwidth == 0.0 && !d->alone) RIA_TRY(ria_bench_bandwidth(ctx, backend, &bandwidth));
    RIA_TRY(run_case(ctx, solver, d, c, bandwidth, &results[*n]));
    ++*n;
    if (d->output) {
      RIA_TRY(ria_bench_with_output(ctx, solver, d, c, bandwidth, &results[*n]));
      ++*n;
    }
    if (d->checkpoint) {
      RIA_TRY(ria_bench_with_checkpoint(ctx, solver, d, c, bandwidth, &results[*n]));
      ++*n;
    }
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
