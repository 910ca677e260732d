/* A copy between ranks that fails on one of them (a GPU is gone), or a block of a relay: the others
 * do not wait for what it has, and all learn of it. */
#include "base/context.h"
#include "base/ranks.h"
#include "run/run.h"
#include "borrowed.h"
#include "by_threads.h"
#include <ria/sim.h>
#include <ria/solver.h>

#include <unistd.h>

enum { RANKS = 3, BAD = 1, NX = 12, STEPS = 20 };

typedef struct job {
  const char *solver;
  int ny;    /* fewer rows a part than are shared: messages go one after another */
  int after; /* copies of the bad rank that go well */
} job;

static ria_status (*real_copy)(ria_context *, const ria_backend *, void *, const void *, size_t);
static _Thread_local int rank, copies, most;

static ria_status bad_copy(ria_context *ctx, const ria_backend *b, void *to, const void *from,
                           size_t bytes) {
  if (rank == BAD && ++copies > most) return ria_fail(ctx, RIA_ERR_DEVICE, "the device is gone");
  return real_copy(ctx, b, to, from, bytes);
}

/* The backend of a context is its own. */
static void let_copies_fail(const ria_context *ctx) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  ria_backend *b = (ria_backend *)(uintptr_t)ctx->backend;
  pthread_mutex_lock(&lock);
  if (b->copy != bad_copy) real_copy = b->copy;
  pthread_mutex_unlock(&lock);
  b->copy = bad_copy;
}

static ria_status step(ria_sim *sim, const job *j) {
  static const double flat[NX * 64];
  if (strcmp(j->solver, "diffusion") != 0) RIA_TRY(ria_sim_set(sim, "bed", flat));
  return ria_sim_step(sim, STEPS);
}

static void work(ria_comm *comm, void *user) {
  const job *j = user;
  const ria_context_desc desc = {
      .device = "cpu", .threads = 1, .writers = 1, .parts = 2 * RANKS, .comm = comm};
  ria_context *ctx;
  ria_sim *sim;
  rank = comm->rank;
  copies = 0;
  most = j->after;
  if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx))) return;
  let_copies_fail(ctx);
  const ria_sim_desc of = {.solver = j->solver, .grid = {NX, j->ny, 1, 1, 0, 0, 0}};
  CHECK_OK(ctx, ria_sim_create(ctx, &of, &sim));
  const ria_status s = step(sim, j);
  CHECK_STATUS(ctx, s, RIA_ERR_DEVICE);
  if (!CHECK_TEXT(ria_error(ctx),
                  rank == BAD ? "the device is gone" : "rank 1: the device is gone"))
    printf("  %s of %d rows, after %d copies\n", j->solver, j->ny, j->after);
  ria_context_ended(ctx, s, ria_error(ctx));
  ria_sim_destroy(&sim);
  ria_context_leave(ctx, 0);
  ria_context_destroy(&ctx);
}

/* --- relays: lines of adi run through all ranks */

static _Thread_local ria_context *relays_of;

static ria_status bad_relay(void *self, int block, const void *in, const void **out) {
  if (rank == BAD && ++copies > most)
    return ria_fail(relays_of, RIA_ERR_DEVICE, "the device is gone");
  return base.relay(self, block, in, out);
}

static void work_relay(ria_comm *comm, void *user) {
  const ria_solver *faulty = user;
  const ria_context_desc desc = {.device = "cpu", .threads = 1, .writers = 1, .comm = comm};
  const job j = {faulty->name, 24, 5};
  ria_context *ctx;
  ria_sim *sim;
  rank = comm->rank;
  copies = 0;
  most = j.after;
  if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx))) return;
  relays_of = ctx;
  CHECK_OK(ctx, ria_solver_register(ctx, faulty));
  const ria_sim_desc of = {.solver = faulty->name, .grid = {NX, j.ny, 1, 1, 0, 0, 0}};
  CHECK_OK(ctx, ria_sim_create(ctx, &of, &sim));
  const ria_status s = step(sim, &j);
  CHECK_STATUS(ctx, s, RIA_ERR_DEVICE);
  CHECK_TEXT(ria_error(ctx), rank == BAD ? "the device is gone" : "rank 1: the device is gone");
  ria_context_ended(ctx, s, ria_error(ctx));
  ria_sim_destroy(&sim);
  ria_context_leave(ctx, 0);
  ria_context_destroy(&ctx);
}

static void test_relay(void) {
  ria_solver faulty;
  if (!borrow("adi", "faulty", &faulty)) return;
  own.relay = bad_relay;
  ranks_run(RANKS, work_relay, &faulty);
}

/* --- copies: at every place of an exchange: rows that go out, that pass between parts here, that
 * come in */
static void test_copies(void) {
  static const char *const solvers[] = {"diffusion", "shallow_water"};
  for (int k = 0; k < 2; k++) {
    const ria_solver *found;
    if (ria_solver_find(NULL, solvers[k], &found) != RIA_OK) continue;
    for (int low = 0; low < 2; low++)
      for (int after = 0; after < 40; after += 1 + after / 8) {
        job j = {solvers[k], low ? 7 : 24, after};
        ranks_run(RANKS, work, &j);
      }
  }
}

/* --- where there is no way on: the reason is printed before all end */

static int aborted;

static void abort_here(ria_comm *c, int code) {
  (void)c;
  aborted += code;
}

static void test_give_up(void) {
  const char *path = "ranks_copy.txt";
  char said[128] = "";
  ria_comm comm = {.rank = 1, .size = 2, .abort = abort_here};
  ria_context ctx = {0};
  if (!CHECK_OK(&ctx, ria_ranks_make(&ctx, &comm))) return;
  const int kept = dup(STDERR_FILENO);
  fflush(stderr);
  if (!CHECK(freopen(path, "w", stderr))) return;
  const ria_status s = ria_fail(&ctx, RIA_ERR_MEMORY, "not enough memory for rows");
  CHECK_INT(ria_ranks_give_up(&ctx, s), RIA_ERR_MEMORY);
  CHECK_INT(ria_ranks_give_up(&ctx, s), RIA_ERR_MEMORY);
  dup2(kept, STDERR_FILENO);
  close(kept);
  CHECK_INT(aborted, 1);
  FILE *f = fopen(path, "r");
  if (CHECK(f)) {
    CHECK(fgets(said, sizeof said, f));
    CHECK_TEXT(said, "ria: rank 1: not enough memory for rows\n");
    CHECK(!fgets(said, sizeof said, f));
    fclose(f);
  }
  remove(path);
  ria_ranks_free(&ctx);
}

int main(void) {
  alarm(50); /* a rank that waits for ever fails */
  test_give_up();
  test_copies();
  test_relay();
  return TEST_END();
}
