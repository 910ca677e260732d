/* Outputs that fail in part: what a reader finds then. */
#include "base/context.h"
#include "run/run.h"
#include "io/file.h"
#include "borrowed.h"
#include "by_threads.h"
#include <ria/event.h>
#include <ria/output.h>
#include <ria/planes.h>
#include <ria/sim.h>
#include <ria/solver.h>

enum { NX = 12, NY = 9, CELLS = NX * NY, BAD = 1 };

static _Thread_local int rank, reads, fails_at;
static _Thread_local ria_context *ctx;
static char dir[64] = "/tmp/ria-saves-XXXXXX", out[80];

static ria_status faulty_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                              ria_real real, void *dst) {
  if (rank == BAD && ++reads == fails_at)
    return ria_fail(ctx, RIA_ERR_DEVICE, "a disk of the solver is gone");
  return base.read(self, field, tracer, maximum, j0, nj, real, dst);
}

static ria_sim *begin(ria_comm *comm, const ria_solver *faulty, size_t n_fields) {
  static const char *const fields[] = {"depth", "level"};
  static const double bed[CELLS];
  const ria_context_desc desc = {.device = "cpu", .threads = 1, .writers = 1, .comm = comm};
  ria_sim *sim = NULL;
  ria_action save;
  ria_handle every;
  rank = comm->rank;
  reads = fails_at = 0;
  CHECK_OK(NULL, ria_context_create(&desc, &ctx));
  CHECK_OK(ctx, ria_solver_register(ctx, faulty));
  const ria_sim_desc of = {
      .solver = faulty->name, .grid = {NX, NY, 1, 1, 0, 0, 0}, .out = out, .overwrite = true};
  CHECK_OK(ctx, ria_sim_create(ctx, &of, &sim));
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  CHECK_OK(ctx,
           ria_save_action(sim, &(ria_save_desc){.fields = fields, .n_fields = n_fields}, &save));
  CHECK_OK(ctx, ria_sim_every(sim, 1, 0, INFINITY, &save, &every));
  return sim;
}

/* A field that is saved, the second of two at most, cannot be read at t = 2. */
static ria_sim *fail_once(ria_comm *comm, const ria_solver *faulty, size_t n_fields) {
  ria_sim *sim = begin(comm, faulty, n_fields);
  CHECK_OK(ctx, ria_sim_run(sim, 1.5));
  reads = 0;
  fails_at = (int)n_fields;
  CHECK_STATUS(ctx, ria_sim_run(sim, 2.5), RIA_ERR_DEVICE);
  CHECK_TEXT(ria_error(ctx),
             rank == BAD ? "a disk of the solver is gone" : "rank 1: a disk of the solver is gone");
  return sim;
}

static void end(ria_sim *sim) {
  ria_sim_destroy(&sim);
  ria_context_leave(ctx, 0);
  ria_context_destroy(&ctx);
}

/* The frame that has nothing is forgotten: those behind it show. */
static void one_field(ria_comm *comm, void *faulty) {
  ria_sim *sim = fail_once(comm, faulty, 1);
  CHECK_OK(ctx, ria_sim_run(sim, 4.5));
  end(sim);
}

/* Half a frame cannot be taken back: the store says that it takes no more. */
static void two_fields(ria_comm *comm, void *faulty) {
  char text[256];
  ria_sim *sim = fail_once(comm, faulty, 2);
  snprintf(text, sizeof text,
           "%sthe store '%s/fields.zarr' takes no more frames: that of t = 2 s failed half way",
           rank == 0 ? "" : "rank 0: ", out);
  CHECK_STATUS(ctx, ria_sim_run(sim, 4.5), RIA_ERR_OUTPUT);
  CHECK_TEXT(ria_error(ctx), text);
  end(sim);
}

static ria_status no_times(const void *self, ria_times *times) {
  (void)self;
  (void)times;
  return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for the times of ranks");
}

/* What closes a run is written even where how ranks fared cannot be told. */
static void times_fail(ria_comm *comm, void *faulty) {
  ria_sim *sim = begin(comm, faulty, 1);
  ria_by_ranks without = *sim->by_ranks;
  without.times = no_times;
  sim->by_ranks = &without;
  CHECK_STATUS(ctx, ria_sim_run(sim, 1.5), RIA_ERR_MEMORY);
  CHECK_HOLDS(ria_error(ctx), "out of memory for the times of ranks");
  end(sim);
}

static void read_out(const char *name, char *text, size_t size) {
  char path[128];
  memset(text, 0, size);
  snprintf(path, sizeof path, "%s/%s", out, name);
  FILE *f = fopen(path, "r");
  if (!CHECK(f != NULL)) return;
  CHECK(fread(text, 1, size - 1, f) > 0);
  fclose(f);
}

/* How many frames the store shows. */
static int64_t frames(void) {
  char text[4096];
  read_out("fields.zarr/time/.zarray", text, sizeof text);
  const char *shape = strstr(text, "\"shape\"");
  return CHECK(shape != NULL) ? atoll(shape + strcspn(shape, "0123456789")) : -1;
}

static void run_says(const char *status) {
  char text[16384];
  read_out("run.json", text, sizeof text);
  CHECK_HOLDS(text, status);
}

int main(void) {
  ria_solver faulty;
  if (!borrow("shallow_water", "faulty", &faulty)) return 0;
  own.read = faulty_read;
  if (!CHECK(mkdtemp(dir) != NULL)) return TEST_END();
  snprintf(out, sizeof out, "%s/out", dir);
  ranks_run(3, one_field, &faulty);
  CHECK_INT(frames(), 4); /* t = 0, 1, 3, 4 */
  ranks_run(3, two_fields, &faulty);
  CHECK_INT(frames(), 2); /* t = 0, 1 */
  ranks_run(3, times_fail, &faulty);
  run_says("\"status\": \"memory\"");
  char err[256];
  CHECK_INT(ria_tree_remove(dir, err, sizeof err), RIA_OK);
  return TEST_END();
}
