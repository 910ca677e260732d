/* unit/nccl/libnccl.c - a library in NCCL's place: it notes what is called, and fails or waits
 * where the environment says so. FAKE_NCCL_FAILS=ncclSend: that one fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct id {
  char internal[128];
} id;

char fake_nccl_calls[4096]; /* for the test: their names and arguments, one a line */

static int called(const char *name, const char *arguments) {
  const char *fails = getenv("FAKE_NCCL_FAILS");
  const size_t n = strlen(fake_nccl_calls);
  snprintf(fake_nccl_calls + n, sizeof fake_nccl_calls - n, "%s%s\n", name, arguments);
  return fails && strcmp(fails, name) == 0 ? 5 : 0;
}

int ncclGetVersion(int *version) {
  const char *value = getenv("FAKE_NCCL_VERSION");
  *version = value ? atoi(value) : 22803;
  return called("ncclGetVersion", "");
}

int ncclGetUniqueId(id *made) {
  memset(made->internal, 'i', sizeof made->internal);
  return called("ncclGetUniqueId", "");
}

int ncclCommInitRank(void **comm, int ranks, id given, int rank) {
  char text[64];
  snprintf(text, sizeof text, " %d of %d, %c", rank, ranks, given.internal[127]);
  *comm = fake_nccl_calls;
  const char *waits = getenv("FAKE_NCCL_WAITS");
  if (waits) usleep(1000 * (unsigned)atoi(waits));
  return called("ncclCommInitRank", text);
}

int ncclCommDestroy(void *comm) { return (void)comm, called("ncclCommDestroy", ""); }

int ncclCommAbort(void *comm) {
  const char *waits = getenv("FAKE_NCCL_ABORT_WAITS");
  (void)comm;
  if (waits) usleep(1000 * (unsigned)atoi(waits));
  return called("ncclCommAbort", "");
}

int ncclCommGetAsyncError(void *comm, int *error) {
  const char *value = getenv("FAKE_NCCL_ASYNC");
  (void)comm;
  *error = value ? atoi(value) : 0;
  return called("ncclCommGetAsyncError", "");
}

const char *ncclGetErrorString(int code) { return code == 6 ? "remote error" : "invalid usage"; }
int ncclGroupStart(void) { return called("ncclGroupStart", ""); }

/* As long as connections to other ranks take. */
static void connect(void) {
  const char *waits = getenv("FAKE_NCCL_CONNECTS");
  if (waits) usleep(1000 * (unsigned)atoi(waits));
}

int ncclGroupEnd(void) {
  connect();
  return called("ncclGroupEnd", "");
}

int ncclSend(const char *data, size_t n, int type, int peer, void *comm, const char *stream) {
  char text[64];
  (void)comm;
  snprintf(text, sizeof text, " %s %zu of %d to %d on %s", data, n, type, peer, stream);
  return called("ncclSend", text);
}

int ncclRecv(const char *data, size_t n, int type, int peer, void *comm, const char *stream) {
  char text[64];
  (void)comm;
  snprintf(text, sizeof text, " %s %zu of %d from %d on %s", data, n, type, peer, stream);
  return called("ncclRecv", text);
}

#ifndef WITHOUT_ALL_REDUCE
int ncclAllReduce(const void *from, void *to, size_t n, int type, int how, void *comm,
                  const char *stream) {
  char text[64];
  (void)comm;
  connect();
  snprintf(text, sizeof text, " %zu of %d by %d on %s%s", n, type, how, stream,
           from == to ? "" : ", elsewhere");
  return called("ncclAllReduce", text);
}
#endif
