/* Contexts of several ranks, of which one is refused: it has its own message, and the others, which
 * exchange words with it as they start, do not wait. */
#include "by_threads.h"
#include <ria/status.h>

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
  return TEST_END();
}
