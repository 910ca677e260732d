/* A solver that fails on one rank while the others wait for what it has: all of them learn of it,
 * also where the others fail because it does not answer. And a run that fails in a cell which the
 * rank that has it knows alone: all tell of that cell. */
#include "base/context.h"
#include "base/ranks.h"
#include "run/run.h"
#include "borrowed.h"
#include "by_threads.h"
#include <ria/planes.h>
#include <ria/sim.h>
#include <ria/solver.h>

enum { NX = 12, NY = 9, CELLS = NX * NY, BAD = 1 };
/* SILENT: in totals, and all fail; IN_CELL: the run does. */
enum { IN_READ, IN_SAMPLE, IN_TOTALS, SILENT, IN_CELL, CASES };

static _Thread_local int rank;
static _Thread_local ria_context *ctx;
static int fails_in;

static ria_status fault(int where) {
  if (rank != BAD || fails_in != where) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_DEVICE, "a disk of the solver is gone");
}

static ria_status faulty_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                              ria_real real, void *dst) {
  RIA_TRY(fault(IN_READ));
  return base.read(self, field, tracer, maximum, j0, nj, real, dst);
}

static ria_status faulty_sample(void *self, int field, int tracer, int n, const int32_t *cell,
                                double *out) {
  RIA_TRY(fault(IN_SAMPLE));
  return base.sample(self, field, tracer, n, cell, out);
}

static ria_status faulty_totals(void *self, ria_row_totals *rows) {
  RIA_TRY(fault(IN_TOTALS));
  RIA_TRY(fault(SILENT));
  if (fails_in == SILENT) {
    ria_fail(ctx, RIA_ERR_DEVICE, "the others do not answer");
    ria_ranks_fail_with_others(ctx);
    return RIA_ERR_DEVICE;
  }
  return base.row_totals(self, rows);
}

static ria_status fails_in_cell(void *self, ria_progress *out) {
  RIA_TRY(base.progress(self, out));
  if (fails_in != IN_CELL) return RIA_OK;
  out->failure = RIA_ERR_NUMERICAL;
  out->fail_i = rank == BAD ? 7 : -1;
  out->fail_j = rank == BAD ? 4 : -1;
  snprintf(out->fail_what, sizeof out->fail_what, rank == BAD ? "it boils" : "it fails");
  return RIA_OK;
}

static void check_cell(ria_sim *sim) {
  ria_progress at;
  CHECK_OK(ctx, sim->ops->progress(sim->self, &at));
  CHECK(at.fail_i == 7 && at.fail_j == 4);
  CHECK_TEXT(at.fail_what, "it boils");
}

static ria_status ask(ria_sim *sim) {
  double v[CELLS];
  ria_quantity_totals t[RIA_OWN_QUANTITIES];
  if (fails_in == IN_READ) return ria_sim_get(sim, "depth", v);
  if (fails_in == IN_SAMPLE) return ria_sim_probe(sim, "depth", 5, 5, v);
  return sim->ops->totals(sim->self, t);
}

static void work(ria_comm *comm, void *user) {
  const ria_solver *faulty = user;
  const ria_context_desc desc = {.device = "cpu", .threads = 1, .writers = 1, .comm = comm};
  ria_sim *sim;
  rank = comm->rank;
  if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx))) return;
  CHECK_OK(ctx, ria_solver_register(ctx, faulty));
  const ria_sim_desc of = {.solver = faulty->name, .grid = {NX, NY, 1, 1, 0, 0, 0}};
  CHECK_OK(ctx, ria_sim_create(ctx, &of, &sim));
  if (fails_in == IN_CELL) check_cell(sim);
  const ria_status s = fails_in == IN_CELL ? RIA_OK : ask(sim);
  const bool fails = fails_in != IN_CELL && (rank == BAD || fails_in == SILENT);
  CHECK_STATUS(ctx, s, fails ? RIA_ERR_DEVICE : RIA_OK);
  const bool heard = ria_context_ended(ctx, s, ria_error(ctx));
  CHECK(heard == (fails_in != IN_CELL && !fails));
  if (fails_in != IN_CELL)
    CHECK_TEXT(ria_error(ctx), rank == BAD ? "a disk of the solver is gone"
                                           : "rank 1: a disk of the solver is gone");
  ria_sim_destroy(&sim);
  ria_context_leave(ctx, 0);
  ria_context_destroy(&ctx);
}

int main(void) {
  ria_solver faulty;
  if (!borrow("shallow_water", "faulty", &faulty)) return 0;
  own.read = faulty_read;
  own.sample = faulty_sample;
  own.row_totals = faulty_totals;
  own.progress = fails_in_cell;
  for (fails_in = 0; fails_in < CASES; fails_in++) ranks_run(3, work, &faulty);
  return TEST_END();
}
