/* run/bench_output.c - what output costs: steps without and with a frame and a save, by turns on
 * one simulation. */
#include "base/clock.h"
#include "base/context.h"
#include "base/text.h"
#include "core/sim.h"
#include "io/file.h"
#include "outputs/output.h"
#include "run/bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RIA_BENCH_EVERY = 50 };

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

static ria_status compare(ria_sim *sim, const ria_bench_desc *d, const char *dir,
                          ria_bench_result *r) {
  output_pair out;
  double plain = INFINITY, with = INFINITY, all = 0.0, wall = 0.0;
  const double want = ria_bench_seconds(d);
  int turns = d->steps ? 1 : RIA_BENCH_TURNS;
  int64_t steps = d->steps;
  (void)dir;
  RIA_TRY(make_outputs(sim, d, &out, r));
  RIA_TRY(ria_sim_step(sim, 5));
  if (!d->steps)
    RIA_TRY(ria_bench_fit(&(ria_bench_work){ria_bench_step, sim, sim->ctx}, want / turns, &steps));
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

static ria_status run_there(ria_context *ctx, const ria_bench_written *w, const char *dir) {
  ria_sim *sim = NULL;
  RIA_TRY(ria_bench_make(ctx, w->solver, w->desc, w->c, dir, &sim));
  ria_bench_describe(sim, w->c, w->more, w->result);
  ria_status s = w->compare(sim, w->desc, dir, w->result);
  ria_bench_rate(sim, w->c, w->bandwidth, w->result);
  if (s == RIA_OK) s = ria_bench_wet(sim, &w->result->wet);
  ria_sim_destroy(&sim);
  return s;
}

ria_status ria_bench_in_scratch(ria_context *ctx, const ria_bench_written *w) {
  const char *tmp = getenv("TMPDIR");
  char dir[512], err[RIA_ERR_TEXT];
  snprintf(dir, sizeof dir, "%s/ria-bench-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(dir)) return ria_fail(ctx, RIA_ERR_OUTPUT, "cannot make a directory '%s'", dir);
  const ria_status s = run_there(ctx, w, dir);
  ria_tree_remove(dir, err, sizeof err);
  return s;
}

ria_status ria_bench_with_output(ria_context *ctx, const ria_solver *solver,
                                 const ria_bench_desc *d, const ria_bench_case *c, double bandwidth,
                                 ria_bench_result *r) {
  return ria_bench_in_scratch(
      ctx, &(ria_bench_written){solver, d, c, " + output", bandwidth, compare, r});
}
