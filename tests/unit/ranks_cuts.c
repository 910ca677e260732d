/* A grid is cut again by how long its parts stepped since the last look, in ranks and on threads:
 * times are set here, and the cuts are those that follow from them. */
#include "base/context.h"
#include "base/grid.h"
#include "parts/inner.h"
#include "run/run.h"
#include "by_threads.h"
#include <ria/sim.h>

enum { NX = 12, NY = 30, RANKS = 3 };

static ria_sim *lake(ria_context *ctx) {
  static const double bed[NX * NY];
  double levels[NX * NY];
  ria_sim *sim = NULL;
  for (int c = 0; c < NX * NY; c++) levels[c] = 1;
  const ria_sim_desc of = {.solver = "shallow_water", .grid = {NX, NY, 1, 1, 0, 0, 0}};
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &of, &sim))) return NULL;
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  CHECK_OK(ctx, ria_sim_set(sim, "level", levels));
  return sim;
}

/* The k-th of all parts stepped for so long. */
static void stepped(ria_sim *sim, const double *seconds) {
  parts *p = sim->self;
  double most = 0;
  for (int k = 0; k < p->held.count; k++) {
    const double s = seconds[p->held.first + k];
    p->held.part[k].stepping += s;
    most = s > most ? s : most;
  }
  p->wall += most;
}

static void step(ria_sim *sim, bool look) {
  if (look) sim->look_from = 0;
  CHECK_OK(ria_sim_context(sim), ria_sim_step(sim, 1));
}

static void is_cut(const ria_sim *sim, const int *cut) {
  for (int k = 0; k < sim->ctx->parts; k++) CHECK_INT(ria_sim_part(sim, k).j0, cut[k]);
}

/* Even parts whose rows weigh what each took. */
static void cut_by(const double *seconds, int n, int *cut) {
  double work[NY];
  for (int j = 0; j < NY; j++) work[j] = seconds[j * n / NY];
  ria_part_cut_by(work, NY, n, cut);
}

static void by_ranks(ria_comm *comm, void *unused) {
  static const double alike[] = {100, 100, 100}, apart[] = {50, 100, 50}, even[] = {1, 1, 1};
  ria_context *ctx;
  int want[RANKS + 1], evenly[RANKS + 1];
  const ria_context_desc desc = {.device = "cpu", .threads = 1, .writers = 1, .comm = comm};
  (void)unused;
  if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx))) return;
  ria_sim *sim = lake(ctx);
  cut_by(even, RANKS, evenly);
  cut_by(apart, RANKS, want);
  step(sim, true);
  is_cut(sim, evenly);
  stepped(sim, alike); /* nobody waits, and this is forgotten then */
  step(sim, true);
  is_cut(sim, evenly);
  stepped(sim, apart);
  sim->look_from = INFINITY;
  step(sim, false); /* not yet */
  is_cut(sim, evenly);
  step(sim, true);
  is_cut(sim, want);
  CHECK_INT(sim->cuts, 1);
  ria_context_ended(ctx, RIA_OK, NULL);
  ria_sim_destroy(&sim);
  ria_context_leave(ctx, 0);
  ria_context_destroy(&ctx);
}

static void on_threads(void) {
  static const double alike[] = {100, 100}, apart[] = {100, 50}, even[] = {1, 1};
  ria_context *ctx;
  int want[3], evenly[3];
  const ria_context_desc desc = {.device = "cpu", .threads = 2, .parts = 2};
  if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx))) return;
  ria_sim *sim = lake(ctx);
  cut_by(even, 2, evenly);
  cut_by(apart, 2, want);
  step(sim, false);
  if (ria_parts_at_once(sim->self) == 2) {
    stepped(sim, alike);
    step(sim, false);
    is_cut(sim, evenly);
    stepped(sim, apart);
    step(sim, false);
    is_cut(sim, want);
  }
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
}

/* A span without an event: the grid is cut between its batches, the longest of which has four times
 * the steps of the one before it. */
static void within_a_span(ria_comm *comm, void *unused) {
  ria_context *ctx;
  const ria_context_desc desc = {.device = "cpu", .threads = 1, .writers = 1, .comm = comm};
  (void)unused;
  if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx))) return;
  ctx->cuts = RIA_CUTS_OFTEN;
  ria_sim *sim = lake(ctx);
  CHECK_OK(ctx, ria_sim_start(sim));
  const int before = sim->cuts;
  CHECK_OK(ctx, ria_sim_step(sim, 100));
  CHECK(sim->cuts >= before + 2);
  ria_context_ended(ctx, RIA_OK, NULL);
  ria_sim_destroy(&sim);
  ria_context_leave(ctx, 0);
  ria_context_destroy(&ctx);
}

int main(void) {
  const ria_solver *found;
  if (ria_solver_find(NULL, "shallow_water", &found) != RIA_OK) return 0;
  ranks_run(RANKS, by_ranks, NULL);
  on_threads();
  ranks_run(RANKS, within_a_span, NULL);
  return TEST_END();
}
