/* A failure of one rank that a host catches: the simulation stays usable, and every later call gets
 * its own answer on all ranks. */
#include "base/context.h"
#include "core/sim.h"
#include "run/run.h"
#include "borrowed.h"
#include "by_threads.h"
#include <ria/planes.h>
#include <ria/sim.h>
#include <ria/solver.h>

#include <unistd.h>

enum { RANKS = 3, BAD = 1, NX = 12, NY = 9, CELLS = NX * NY };

static _Thread_local int rank;
static _Thread_local ria_context *ctx;
static _Thread_local bool well;

static ria_status faulty_totals(void *self, ria_row_totals *rows) {
  if (rank == BAD && !well) return ria_fail(ctx, RIA_ERR_MEMORY, "no memory for the rows");
  return base.row_totals(self, rows);
}

static void levels(double x, double y, double *out) { *out = 0.1 * x + y; }

static void set(ria_sim *sim) {
  double v[CELLS], bed[CELLS];
  for (int c = 0; c < CELLS; c++) {
    bed[c] = -20;
    levels(c % NX, c / NX, &v[c]);
  }
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  CHECK_OK(ctx, ria_sim_set(sim, "level", v));
}

/* Rank 0 told of the run while the others served it: what failed there. */
static void fail_once(ria_sim *sim) {
  well = false;
  CHECK_STATUS(ctx, ria_sim_report(sim), RIA_ERR_MEMORY);
  CHECK_TEXT(ria_error(ctx),
             rank == BAD ? "no memory for the rows" : "rank 1: no memory for the rows");
  well = true;
}

/* What rank 0 does for all does not come to a good end where the others could not serve it, even if
 * it takes no notice. */
static ria_status takes_no_notice(ria_sim *sim, void *user) {
  (void)user;
  (void)ria_sim_report(sim);
  return RIA_OK;
}
static void fail_unnoticed(ria_sim *sim) {
  well = false;
  CHECK_STATUS(ctx, ria_rooted(sim, takes_no_notice, NULL, "a test"), RIA_ERR_MEMORY);
  well = true;
}

static void go_on(ria_sim *sim) {
  double v[CELLS], at = 0.0, expected;
  CHECK_OK(ctx, ria_sim_get(sim, "level", v));
  levels(11, 8, &expected);
  CHECK_NEAR(v[CELLS - 1], expected, 1e-5);
  CHECK_OK(ctx, ria_sim_probe(sim, "level", 5.5, 5.5, &at));
  levels(5, 5, &expected);
  CHECK_NEAR(at, expected, 1e-5);
}

static void work(ria_comm *comm, void *user) {
  const ria_solver *faulty = user;
  const ria_context_desc desc = {.device = "cpu", .threads = 1, .writers = 1, .comm = comm};
  ria_sim *sim;
  rank = comm->rank;
  well = true;
  if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx))) return;
  CHECK_OK(ctx, ria_solver_register(ctx, faulty));
  const ria_sim_desc of = {.solver = faulty->name, .grid = {NX, NY, 1, 1, 0, 0, 0}};
  CHECK_OK(ctx, ria_sim_create(ctx, &of, &sim));
  set(sim);
  for (int k = 0; k < 3; k++) {
    fail_once(sim);
    go_on(sim);
  }
  fail_unnoticed(sim);
  go_on(sim);
  CHECK_OK(ctx, ria_sim_report(sim));
  CHECK_OK(ctx, ria_sim_run(sim, 0.1));
  CHECK_NEAR(ria_sim_time(sim), 0.1, 1e-9);
  CHECK(!ria_context_ended(ctx, RIA_OK, ""));
  ria_sim_destroy(&sim);
  CHECK_INT(ria_context_leave(ctx, 0), 0);
  ria_context_destroy(&ctx);
}

int main(void) {
  ria_solver faulty;
  if (!borrow("shallow_water", "faulty", &faulty)) return 0;
  own.row_totals = faulty_totals;
  alarm(50); /* a rank that waits for ever fails */
  ranks_run(RANKS, work, &faulty);
  return TEST_END();
}
