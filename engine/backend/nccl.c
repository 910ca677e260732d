/* backend/nccl.c - NCCL, where it is found at run time.
 *
 * The dozen functions that are called are declared here, as NCCL has had them since 2.7: its header
 * need not be there when ria is built. */
#include "backend/nccl.h"
#include "base/clock.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Types that NCCL keeps to itself, and its numbers. */
typedef struct nccl_comm nccl_comm;
typedef struct nccl_id {
  char internal[RIA_NCCL_ID];
} nccl_id;

enum { SUCCESS = 0, IN_PROGRESS = 7, BYTES = 1, UINT64 = 5, MAX = 2 };

typedef struct nccl_api {
  int (*version)(int *);
  int (*make_id)(nccl_id *);
  int (*start)(nccl_comm **, int, nccl_id, int);
  int (*destroy)(nccl_comm *);
  int (*abort)(nccl_comm *);
  int (*async_error)(nccl_comm *, int *);
  const char *(*error)(int);
  int (*group_start)(void);
  int (*group_end)(void);
  int (*send)(const void *, size_t, int, int, nccl_comm *, void *);
  int (*receive)(void *, size_t, int, int, nccl_comm *, void *);
  int (*all_reduce)(const void *, void *, size_t, int, int, nccl_comm *, void *);
} nccl_api;

static const struct {
  const char *name;
  size_t place;
} symbols[] = {
    {"ncclGetVersion", offsetof(nccl_api, version)},
    {"ncclGetUniqueId", offsetof(nccl_api, make_id)},
    {"ncclCommInitRank", offsetof(nccl_api, start)},
    {"ncclCommDestroy", offsetof(nccl_api, destroy)},
    {"ncclCommAbort", offsetof(nccl_api, abort)},
    {"ncclCommGetAsyncError", offsetof(nccl_api, async_error)},
    {"ncclGetErrorString", offsetof(nccl_api, error)},
    {"ncclGroupStart", offsetof(nccl_api, group_start)},
    {"ncclGroupEnd", offsetof(nccl_api, group_end)},
    {"ncclSend", offsetof(nccl_api, send)},
    {"ncclRecv", offsetof(nccl_api, receive)},
    {"ncclAllReduce", offsetof(nccl_api, all_reduce)},
};

struct ria_nccl {
  nccl_api f;
  nccl_comm *comm;
  char name[32], why[RIA_NCCL_WHY];
};

const char *ria_nccl_name(const ria_nccl *n) { return n->name; }
const char *ria_nccl_why(const ria_nccl *n) { return n->why; }

/* --- the library ------------------------------------------------------------------------------ */

static void *load(char *why, size_t size) {
  const char *named = getenv("RIA_NCCL");
  if (named && strcmp(named, "none") == 0) {
    snprintf(why, size, "RIA_NCCL is none");
    return NULL;
  }
  if (named && *named) {
    void *lib = dlopen(named, RTLD_NOW | RTLD_NODELETE);
    if (!lib) snprintf(why, size, "RIA_NCCL=%s cannot be loaded", named);
    return lib;
  }
  void *lib = dlopen("libnccl.so.2", RTLD_NOW | RTLD_NODELETE);
  if (!lib) snprintf(why, size, "libnccl.so.2 is not found");
  return lib;
}

static bool find_symbols(nccl_api *f, void *lib, char *why, size_t size) {
  for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++) {
    void *symbol = dlsym(lib, symbols[k].name);
    if (!symbol)
      snprintf(why, size, "libnccl has no %s: ria takes NCCL 2.7 or later", symbols[k].name);
    if (!symbol) return false;
    memcpy((char *)f + symbols[k].place, &symbol, sizeof symbol);
  }
  return true;
}

static bool well(ria_nccl *n, const char *called, int code) {
  if (code == SUCCESS) return true;
  const char *text = n->f.error(code);
  snprintf(n->why, sizeof n->why, "%s: %s", called, text ? text : "it does not say why");
  return false;
}

/* 2.28.3 is 22803; before 2.9 it was 2708 for 2.7.8. */
static bool take_version(ria_nccl *n) {
  int v = 0;
  if (!well(n, "ncclGetVersion", n->f.version(&v))) return false;
  const int major = v < 10000 ? v / 1000 : v / 10000, rest = v < 10000 ? v % 1000 : v % 10000;
  snprintf(n->name, sizeof n->name, "NCCL %d.%d.%d", major, rest / 100, rest % 100);
  return true;
}

static ria_nccl *fail_load(ria_nccl *n, char *why, size_t size) {
  if (n) snprintf(why, size, "%s", n->why);
  free(n);
  return NULL;
}

ria_nccl *ria_nccl_load(char *why, size_t size) {
  /* Messages alone are asked for: multicast takes memory, and is not allowed everywhere. */
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  void *lib = load(why, size);
  if (!lib) return NULL;
  ria_nccl *n = calloc(1, sizeof *n);
  if (!n) snprintf(why, size, "there is no memory for it");
  const bool found = n && find_symbols(&n->f, lib, n->why, sizeof n->why);
  dlclose(lib); /* RTLD_NODELETE: it stays */
  return found && take_version(n) ? n : fail_load(n, why, size);
}

/* --- start and end ---------------------------------------------------------------------------- */

bool ria_nccl_make_id(ria_nccl *n, void *id) {
  nccl_id made;
  memset(&made, 0, sizeof made);
  if (!well(n, "ncclGetUniqueId", n->f.make_id(&made))) return false;
  memcpy(id, &made, sizeof made);
  return true;
}

/* What the thread that starts has. Whoever comes second of the two frees it. */
enum { STARTS, STARTED, LEFT };
typedef struct starter {
  nccl_api f;
  nccl_id id;
  int ranks, rank, code;
  nccl_comm *comm;
  bool (*choose)(void *user);
  void *user;
  bool chosen;
  atomic_int state;
} starter;

static void *start(void *arg) {
  starter *s = arg;
  s->chosen = s->choose(s->user);
  if (s->chosen) s->code = s->f.start(&s->comm, s->ranks, s->id, s->rank);
  if (atomic_exchange(&s->state, STARTED) == STARTS) return NULL;
  if (s->chosen && s->code == SUCCESS) s->f.abort(s->comm);
  free(s);
  return NULL;
}

/* False: it is left to the thread. */
static bool await_start(starter *s, double seconds) {
  const struct timespec pause = {0, 1000000};
  const double begin = ria_wall_clock();
  int starts = STARTS;
  while (atomic_load(&s->state) == STARTS && ria_wall_clock() - begin < seconds)
    nanosleep(&pause, NULL);
  return !atomic_compare_exchange_strong(&s->state, &starts, LEFT);
}

static bool say(ria_nccl *n, const char *text) {
  snprintf(n->why, sizeof n->why, "%s", text);
  return false;
}

static bool take_comm(ria_nccl *n, const starter *s) {
  if (!s->chosen) return say(n, "the device cannot be chosen");
  if (!well(n, "ncclCommInitRank", s->code)) return false;
  n->comm = s->comm;
  return true;
}

bool ria_nccl_start(ria_nccl *n, const void *id, int ranks, int rank, bool (*choose)(void *user),
                    void *user, double seconds) {
  pthread_t thread;
  starter *s = calloc(1, sizeof *s);
  if (!s) return say(n, "there is no memory for it");
  s->f = n->f;
  s->ranks = ranks;
  s->rank = rank;
  s->choose = choose;
  s->user = user;
  memcpy(&s->id, id, sizeof s->id);
  if (pthread_create(&thread, NULL, start, s) != 0) {
    free(s);
    return say(n, "there is no thread for it");
  }
  if (!await_start(s, seconds)) {
    pthread_detach(thread);
    snprintf(n->why, sizeof n->why, "ncclCommInitRank: no answer from the others within %g s",
             seconds);
    return false;
  }
  pthread_join(thread, NULL);
  const bool started = take_comm(n, s);
  free(s);
  return started;
}

/* --- messages --------------------------------------------------------------------------------- */

static bool queue_one(ria_nccl *n, const ria_nccl_message *m, void *stream) {
  if (m->sends)
    return well(n, "ncclSend", n->f.send(m->data, m->bytes, BYTES, m->peer, n->comm, stream));
  return well(n, "ncclRecv", n->f.receive(m->data, m->bytes, BYTES, m->peer, n->comm, stream));
}

/* A group that was begun is ended, whatever is in it. */
bool ria_nccl_pass(ria_nccl *n, const ria_nccl_message *message, int count, void *stream) {
  if (!n->comm) return say(n, "it was given up");
  bool queued = well(n, "ncclGroupStart", n->f.group_start());
  if (!queued) return false;
  for (int k = 0; queued && k < count; k++) queued = queue_one(n, &message[k], stream);
  const int ended = n->f.group_end();
  return queued && well(n, "ncclGroupEnd", ended);
}

bool ria_nccl_greatest(ria_nccl *n, unsigned long long *number, size_t count, void *stream) {
  if (!n->comm) return say(n, "it was given up");
  return well(n, "ncclAllReduce",
              n->f.all_reduce(number, number, count, UINT64, MAX, n->comm, stream));
}

bool ria_nccl_is_well(ria_nccl *n) {
  int error = SUCCESS;
  if (!n->comm) return say(n, "it was given up");
  if (!well(n, "ncclCommGetAsyncError", n->f.async_error(n->comm, &error))) return false;
  return error == IN_PROGRESS || well(n, "NCCL", error);
}

void ria_nccl_abort(ria_nccl *n) {
  if (n->comm) n->f.abort(n->comm);
  n->comm = NULL;
}

void ria_nccl_close(ria_nccl *n) {
  if (!n) return;
  if (n->comm) n->f.destroy(n->comm);
  free(n);
}
