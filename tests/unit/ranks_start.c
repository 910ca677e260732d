/* Ranks that start, and one of them does not: it is refused a context, or fails before it asks for
 * one, or does something else than the others. None waits, and all know why. */
#include "base/ranks.h"
#include "by_threads.h"
#include <ria/comm.h>
#include <ria/status.h>

#include <stdlib.h>
#include <unistd.h>

enum { RANKS = 3, BAD = 1 };

typedef struct job {
  ria_context_desc bad; /* of one rank */
  const char *message;
} job;

static void work(ria_comm *comm, void *user) {
  const job *j = user;
  char error[256] = "";
  ria_context_desc desc = {.device = "cpu", .threads = 1};
  ria_context *ctx = NULL;
  if (comm->rank == BAD) desc = j->bad;
  desc.comm = comm;
  desc.error = error;
  desc.error_size = sizeof error;
  const ria_status s = ria_context_create(&desc, &ctx);
  CHECK_STATUS(NULL, s, comm->rank == BAD ? RIA_ERR_ARGUMENT : RIA_OK);
  CHECK_TEXT(error, comm->rank == BAD ? j->message : "");
  CHECK((ctx == NULL) == (comm->rank == BAD));
  if (ctx) CHECK_TEXT(ria_context_device_of(ctx, BAD), "");
  ria_context_destroy(&ctx);
}

/* --- a rank that comes to no context, and tells the others, wherever they are -------------------
 */

typedef struct start {
  const char *at[2];   /* where the others agree, and the bad one; NULL: they make a context */
  ria_status status;   /* of the bad one */
  bool later;          /* the others have contexts by then, and all had */
  int code;            /* for all */
  const char *said[2]; /* what the others hear, and the bad one */
} start;

static ria_status make(ria_comm *comm, char *error, size_t size, ria_context **ctx) {
  const ria_context_desc desc = {
      .device = "cpu", .threads = 1, .comm = comm, .error = error, .error_size = size};
  return ria_context_create(&desc, ctx);
}

/* What a host does whose context is not made: it tells the others. */
static void agree(ria_comm *comm, const char *at, ria_status s, const start *of, char *why,
                  size_t size) {
  CHECK_INT(ria_comm_agree(comm, at, s, s == RIA_OK ? 0 : of->code, why, size), of->code);
}

static void set_out(ria_comm *comm, void *user) {
  const start *of = user;
  const bool bad = comm->rank == BAD;
  char why[256] = "", *at = (char *)(uintptr_t)of->at[bad];
  ria_context *ctx = NULL;
  ria_status s = RIA_OK;
  if (of->later && !CHECK_OK(NULL, make(comm, why, sizeof why, &ctx))) return;
  if (bad) s = of->status;
  if (bad && s != RIA_OK) snprintf(why, sizeof why, "no memory for a script");
  if (!at && !of->later) {
    s = make(comm, why, sizeof why, &ctx);
    if (of->code) CHECK(s != RIA_OK && !ctx);
    at = (char *)(uintptr_t) "a context was made";
  }
  if (of->later && !bad) {
    CHECK_STATUS(ctx, ria_ranks_wrote(ctx, RIA_OK), of->status ? of->status : RIA_ERR_ARGUMENT);
    CHECK_TEXT(ria_error(ctx), of->said[0]);
    CHECK(!ria_context_ended(ctx, RIA_ERR_CALLBACK, of->said[0]));
    CHECK_INT(ria_context_leave(ctx, 9), of->code);
  } else {
    agree(comm, at, s, of, why, sizeof why);
    CHECK_TEXT(why, of->said[bad]);
  }
  ria_context_destroy(&ctx);
}

#define DIFFER "the ranks do not do the same: rank 0: "
#define ALIKE ": every rank makes the same calls, in the same order, with the same values"

static void test_starts(void) {
  start starts[] = {
      {.at = {"a line was read", "a line was read"}},
      {.at = {NULL, NULL}},
      {.at = {"a line was read", "a line was read"},
       .status = RIA_ERR_MEMORY,
       .code = 3,
       .said = {"rank 1: no memory for a script", "no memory for a script"}},
      {.at = {NULL, "a line was read"},
       .status = RIA_ERR_MEMORY,
       .code = 3,
       .said = {"rank 1: no memory for a script", "no memory for a script"}},
      {.at = {"a line was read", "a file was read"},
       .code = 1,
       .said = {DIFFER "a line was read; rank 1: a file was read" ALIKE,
                DIFFER "a line was read; rank 1: a file was read" ALIKE}},
      {.at = {NULL, "a line was read"},
       .code = 1,
       .said = {DIFFER "ranks tell on what cores they run; rank 1: a line was read" ALIKE,
                DIFFER "ranks tell on what cores they run; rank 1: a line was read" ALIKE}},
      {.at = {NULL, "a line was read"},
       .later = true,
       .status = RIA_ERR_MEMORY,
       .code = 3,
       .said = {"rank 1: no memory for a script", "no memory for a script"}},
      {.at = {NULL, "a line was read"},
       .later = true,
       .code = 1,
       .said = {DIFFER "a file is written; rank 1: a line was read" ALIKE,
                DIFFER "a file is written; rank 1: a line was read" ALIKE}},
  };
  for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
    if (!starts[k].said[0]) starts[k].said[0] = starts[k].said[1] = "";
    const int before = test_failures;
    ranks_run(RANKS, set_out, &starts[k]);
    if (test_failures > before) printf("  of start %zu\n", k);
  }
}

/* A launcher that names its jobs: the others have ended. One that does not: nobody can tell. */
static void others_of_a_launcher(void) {
  static const char *const marks[] = {"RIA_MPI",        "PMIX_RANK",    "OMPI_COMM_WORLD_RANK",
                                      "PMIX_NAMESPACE", "SLURM_JOB_ID", "SLURM_STEP_ID",
                                      "SLURM_PROCID"};
  char text[128] = "before";
  for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) unsetenv(marks[k]);
  setenv("PMI_RANK", "1", 1);
  setenv("PMI_SIZE", "3", 1);
  CHECK_INT(ria_comm_others(text, sizeof text), 1);
  CHECK_TEXT(text, "");
  setenv("SLURM_JOB_ID", "unit.ranks_start", 1);
  ria_comm_others(text, sizeof text);
  CHECK_TEXT(text,
             "ranks 0 to 2 have ended, or are on other hosts"); /* /proc has this one as it began */
  ria_comm_others(NULL, 0);
}

int main(void) {
  job jobs[] = {
      {{.device = "cpu", .threads = 5000},
       "threads is 5000: allowed are 1 to 4096, or 0 for the default"},
      {{.device = "cpu", .threads = -1},
       "threads is -1: allowed are 1 to 4096, or 0 for the default"},
      {{.device = "cpu", .writers = -1},
       "writers is -1: allowed are 1 to 256, or 0 for the default"},
      {{.device = "cpu", .parts = 2},
       "2 parts for 3 ranks: each rank steps at least one, so --parts 3 at least "
       "(ria_context_desc.parts), or start fewer"},
      {{.device = "gpu"}, "unknown device 'gpu': expected auto, cpu, cuda, cuda:N or cuda:N-M"},
  };
  alarm(50); /* a rank that waits for ever fails */
  for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++) ranks_run(RANKS, work, &jobs[k]);
  test_starts();
  others_of_a_launcher();
  return TEST_END();
}
