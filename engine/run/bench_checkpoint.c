/* run/bench_checkpoint.c - what a checkpoint costs the steps behind it: turns of steps without one,
 * and with one before the first, while it is being written.
 *
 * The file is awaited between turns. A GPU that has rested so long steps faster than one at work
 * (by a quarter for a second, on an H200): each turn begins behind one that is not counted. */
#include "base/clock.h"
#include "base/context.h"
#include "core/sim.h"
#include "io/file.h"
#include "run/bench.h"
#include "run/checkpoints.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { LEAST_STEPS = 1000, TURNS = 5 };

static ria_status turn(ria_sim *sim, int64_t steps, bool with, double *wall) {
  RIA_TRY(ria_writer_flush(sim->outputs->writer));
  RIA_TRY(ria_sim_step(sim, steps));
  const double begin = ria_wall_clock();
  if (with) RIA_TRY(ria_checkpoint_now(sim));
  RIA_TRY(ria_sim_step(sim, steps));
  *wall = ria_wall_clock() - begin;
  return RIA_OK;
}

static double size_of_last(const ria_sim *sim, const char *dir) {
  char path[1024], name[RIA_CHECKPOINT_NAME];
  struct stat info;
  ria_checkpoint_name(sim->keeping->number, name);
  snprintf(path, sizeof path, "%s/" RIA_CHECKPOINTS "/%s", dir, name);
  return stat(path, &info) == 0 ? (double)info.st_size : NAN;
}

/* The first checkpoint makes memory that stays. */
static ria_status compare(ria_sim *sim, const ria_bench_desc *d, const char *dir,
                          ria_bench_result *r) {
  double plain = INFINITY, with = INFINITY, all = 0.0, wall = 0.0;
  const int64_t steps = d->steps > 0 ? d->steps : LEAST_STEPS;
  RIA_TRY(ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.at_end = true, .keep = 1}));
  RIA_TRY(ria_sim_step(sim, 5));
  RIA_TRY(turn(sim, 5, true, &wall));
  for (int k = 0; k < TURNS; k++) {
    RIA_TRY(turn(sim, steps, false, &wall));
    plain = fmin(plain, wall);
    RIA_TRY(turn(sim, steps, true, &wall));
    with = fmin(with, wall);
    all += wall;
    const double begin = ria_wall_clock() - wall;
    RIA_TRY(ria_writer_flush(sim->outputs->writer));
    r->checkpoint_wall = ria_wall_clock() - begin;
  }
  r->checkpoint = true;
  r->steps = steps;
  r->wall = with;
  r->ms_sustained = 1e3 * all / (double)(TURNS * steps);
  r->checkpoint_cost = with / plain - 1.0;
  r->checkpoint_bytes = size_of_last(sim, dir);
  return RIA_OK;
}

ria_status ria_bench_with_checkpoint(ria_context *ctx, const ria_solver *solver,
                                     const ria_bench_desc *d, const ria_bench_case *c,
                                     double bandwidth, ria_bench_result *r) {
  return ria_bench_in_scratch(
      ctx, &(ria_bench_written){solver, d, c, " + checkpoint", bandwidth, compare, r});
}
