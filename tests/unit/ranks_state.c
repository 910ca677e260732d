/* The state of a solver by ranks: what so many ranks name is what one process names, byte for byte,
 * on every rank; and any number of ranks goes on with it, to the bit, with cuts that move. */
#include "base/context.h"
#include "by_threads.h"
#include <ria/output.h>
#include "state.h"

enum { NX = 37, NY = 23, CELLS = NX * NY, STEPS = 14 };

static const char *const solvers[] = {"shallow_water", "adi", "sediment", "diffusion"};

typedef struct job {
  const char *solver;
  int parts;
  ria_cuts cuts;
  kept *from;          /* begins with it */
  kept at[RANKS_MOST]; /* the state after so many steps, of each rank */
  double *end;         /* [CELLS] after so many more, rank 0's */
} job;

static void fill(double *v, double (*of)(double x, double y)) {
  for (int c = 0; c < CELLS; c++) v[c] = of((c % NX) * 10.0, (c / NX) * 10.0);
}

static double ground(double x, double y) { return -2 + 0.004 * y + sin(0.02 * x) * cos(0.03 * y); }
static double level(double x, double y) { return 0.3 * sin(0.01 * x + 0.02 * y); }
static double height(double x, double y) { return 4 - 0.03 * x + sin(0.05 * y); }
static double half(double x, double y) { return 0.5 + 0.3 * sin(0.02 * (x + y)); }

static bool set(ria_sim *sim, const char *field, double (*of)(double x, double y)) {
  double v[CELLS];
  fill(v, of);
  return CHECK_OK(ria_sim_context(sim), ria_sim_set(sim, field, v));
}

static bool is_water(const job *j) {
  return !strcmp(j->solver, "shallow_water") || !strcmp(j->solver, "adi");
}

static const char *field_of(const job *j) {
  return is_water(j) ? "level" : !strcmp(j->solver, "sediment") ? "height" : "u";
}

/* A stretch that cuts go through, a release over them, a maximum. */
static void drive(ria_sim *sim) {
  ria_context *ctx = ria_sim_context(sim);
  const ria_boundary_desc brook = {.name = "brook",
                                   .kind = "discharge",
                                   .stretch = true,
                                   .from = {0, 30},
                                   .to = {0, 190},
                                   .values = {{.name = "q", .value = {.constant = 2}}}};
  const ria_spill_desc spill = {.name = "spill",
                                .tracer = "dye",
                                .x = 180,
                                .y = 110,
                                .radius = 60,
                                .rate = {.constant = 0.5}};
  CHECK_OK(ctx, ria_boundary_add(sim, &brook, NULL));
  CHECK_OK(ctx, ria_sim_spill(sim, &spill, NULL));
  CHECK_OK(ctx, ria_sim_track_maximum(sim, "speed"));
  static const char *const names[] = {"M2", "M4"};
  CHECK_OK(ctx,
           ria_sim_fit(sim, &(ria_fit_desc){.names = names, .n_names = 2, .every = 0.5}, NULL));
}

static ria_sim *make(const job *j, ria_context *ctx) {
  static const ria_tracer dye = {.name = "dye", .diffusion = 0.1, .decay = 1e-4};
  ria_sim *sim = NULL;
  const ria_sim_desc desc = {.solver = j->solver,
                             .grid = {NX, NY, 10, 10, 0, 0, 0},
                             .tracers = &dye,
                             .n_tracers = is_water(j)};
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) return NULL;
  if (is_water(j)) {
    set(sim, "bed", ground);
    set(sim, "level", level);
    set(sim, "dye", half);
    drive(sim);
  } else if (!strcmp(j->solver, "sediment")) {
    set(sim, "height", height);
    set(sim, "sand", half);
  } else {
    set(sim, "u", half);
  }
  return sim;
}

static void go_on(const job *j, ria_sim *sim) {
  for (int k = 0; k < 2; k++) /* between runs cuts may move */
    CHECK_OK(ria_sim_context(sim), ria_sim_step(sim, STEPS / 2));
  (void)j;
}

static void work(ria_comm *comm, void *user) {
  job *j = user;
  ria_context *ctx;
  const int rank = comm ? comm->rank : 0;
  const ria_context_desc desc = {
      .device = "cpu", .threads = 1, .writers = 1, .parts = j->parts, .comm = comm};
  double v[CELLS];
  if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx))) return;
  ctx->cuts = j->cuts;
  ria_sim *sim = make(j, ctx);
  if (sim && j->from) {
    CHECK_OK(ctx, ria_sim_step(sim, 0));
    state_put(sim, j->from);
    go_on(j, sim);
    CHECK_OK(ctx, ria_sim_get(sim, field_of(j), v));
    if (rank == 0) memcpy(j->end, v, sizeof v);
  } else if (sim) {
    go_on(j, sim);
    j->at[rank] = state_keep(sim);
    go_on(j, sim);
    CHECK_OK(ctx, ria_sim_get(sim, field_of(j), v));
    if (rank == 0) memcpy(j->end, v, sizeof v);
  }
  ria_context_ended(ctx, RIA_OK, NULL);
  ria_sim_destroy(&sim);
  ria_context_leave(ctx, 0);
  ria_context_destroy(&ctx);
}

static void by(int ranks, job *j) {
  if (ranks == 1)
    work(NULL, j);
  else
    ranks_run(ranks, work, j);
}

static void same_state(kept *a, kept *b, const job *j, int ranks) {
  CHECK_INT(a->n, b->n);
  for (int k = 0; k < a->n; k++) {
    const kept_item *other = kept_find(b, a->of[k].name);
    if (!CHECK(other) || !CHECK(item_same(&a->of[k].item, &other->item)))
      printf("  item '%s' of %s by %d ranks in %d parts\n", a->of[k].name, j->solver, ranks,
             j->parts);
  }
}

static void test(const char *solver) {
  static const int ranks[] = {2, 3, 5}, parts[] = {2, 5, 9}, on[] = {3, 1, 2};
  double end[CELLS], other[CELLS];
  job *whole = calloc(1, sizeof *whole), *cut = calloc(1, sizeof *cut);
  *whole = (job){.solver = solver, .parts = 1, .end = end};
  by(1, whole);
  for (int k = 0; k < 3; k++) {
    *cut = (job){.solver = solver,
                 .parts = parts[k],
                 .cuts = k == 1 ? RIA_CUTS_EVEN : RIA_CUTS_OFTEN,
                 .end = other};
    by(ranks[k], cut);
    CHECK(memcmp(end, other, sizeof end) == 0);
    for (int r = 0; r < ranks[k]; r++) same_state(&whole->at[0], &cut->at[r], cut, ranks[k]);
    job more = {.solver = solver,
                .parts = on[k],
                .cuts = RIA_CUTS_OFTEN,
                .from = &cut->at[0],
                .end = other};
    memset(other, 0, sizeof other);
    by(on[k], &more);
    if (!CHECK(memcmp(end, other, sizeof end) == 0))
      printf("  %s: the state of %d ranks taken over by %d\n", solver, ranks[k], on[k]);
    for (int r = 0; r < ranks[k]; r++) kept_free(&cut->at[r]);
  }
  kept_free(&whole->at[0]);
  free(whole);
  free(cut);
}

int main(void) {
  for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
    const ria_solver *found;
    if (ria_solver_find(NULL, solvers[k], &found) == RIA_OK) test(solvers[k]);
  }
  return TEST_END();
}
