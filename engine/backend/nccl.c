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

enum { SUCCESS = 0, IN_PROGRESS = 7, BYTES = 1, UINT64 = 5, SUM = 0, MAX = 2 };

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

/* What waits for other ranks in NCCL is done on a thread, which is left behind where it takes too
 * long. Whoever comes second of the two frees the job. */
enum { RUNS, DONE, LEFT };
typedef struct job {
  void (*work)(struct job *j);
  void (*undo)(struct job *j); /* of one that was left; NULL: nothing */
  atomic_int state;
  nccl_api f;
  nccl_comm *comm;
  /* To start. */
  nccl_id id;
  int ranks, rank, code;
  bool (*choose)(void *user);
  void *user;
  bool chosen;
} job;

static void *run(void *arg) {
  job *j = arg;
  j->work(j);
  if (atomic_exchange(&j->state, DONE) == RUNS) return NULL;
  if (j->undo) j->undo(j);
  free(j);
  return NULL;
}

static bool await_end(job *j, double seconds) {
  const struct timespec pause = {0, 1000000};
  const double begin = ria_wall_clock();
  int runs = RUNS;
  while (atomic_load(&j->state) == RUNS && ria_wall_clock() - begin < seconds)
    nanosleep(&pause, NULL);
  return !atomic_compare_exchange_strong(&j->state, &runs, LEFT);
}

/* A copy of what is given; NULL: there is no memory. */
static job *copy_job(const job *of) {
  job *j = malloc(sizeof *j);
  if (j) *j = *of;
  return j;
}

typedef enum outcome { ENDED, TOO_LATE, NOT_BEGUN } outcome;

/* ENDED: *j is the caller's to free. */
static outcome do_in_time(job *j, double seconds) {
  pthread_t thread;
  if (!j || pthread_create(&thread, NULL, run, j) != 0) {
    free(j);
    return NOT_BEGUN;
  }
  if (!await_end(j, seconds)) {
    pthread_detach(thread);
    return TOO_LATE;
  }
  pthread_join(thread, NULL);
  return ENDED;
}

static void start(job *j) {
  j->chosen = j->choose(j->user);
  if (j->chosen) j->code = j->f.start(&j->comm, j->ranks, j->id, j->rank);
}

static void undo_start(job *j) {
  if (j->chosen && j->code == SUCCESS) j->f.abort(j->comm);
}

static bool say(ria_nccl *n, const char *text) {
  snprintf(n->why, sizeof n->why, "%s", text);
  return false;
}

static bool take_comm(ria_nccl *n, const job *j) {
  if (!j->chosen) return say(n, "the device cannot be chosen");
  if (!well(n, "ncclCommInitRank", j->code)) return false;
  n->comm = j->comm;
  return true;
}

bool ria_nccl_start(ria_nccl *n, const void *id, int ranks, int rank, bool (*choose)(void *user),
                    void *user, double seconds) {
  job of = {.work = start,
            .undo = undo_start,
            .f = n->f,
            .ranks = ranks,
            .rank = rank,
            .choose = choose,
            .user = user};
  memcpy(&of.id, id, sizeof of.id);
  job *j = copy_job(&of);
  const outcome became = do_in_time(j, seconds);
  if (became == TOO_LATE)
    snprintf(n->why, sizeof n->why, "ncclCommInitRank: no answer from the others within %g s",
             seconds);
  if (became == NOT_BEGUN) return say(n, "there is no thread for it");
  if (became == TOO_LATE) return false;
  const bool started = take_comm(n, j);
  free(j);
  return started;
}

/* s: ranks of one host wait for each other to end. */
enum { ABORT_TIME = 1, DESTROY_TIME = 10 };

static void abort_comm(job *j) { (void)j->f.abort(j->comm); }
static void destroy_comm(job *j) { (void)j->f.destroy(j->comm); }

static void end(ria_nccl *n, void (*how)(job *j), double seconds) {
  const job of = {.work = how, .f = n->f, .comm = n->comm};
  if (!n->comm) return;
  n->comm = NULL;
  job *j = copy_job(&of);
  if (do_in_time(j, seconds) == ENDED) free(j);
}

void ria_nccl_abort(ria_nccl *n) { end(n, abort_comm, ABORT_TIME); }

void ria_nccl_close(ria_nccl *n) {
  if (!n) return;
  end(n, destroy_comm, DESTROY_TIME);
  free(n);
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

static bool reduce(ria_nccl *n, unsigned long long *number, size_t count, int how, void *stream) {
  if (!n->comm) return say(n, "it was given up");
  return well(n, "ncclAllReduce",
              n->f.all_reduce(number, number, count, UINT64, how, n->comm, stream));
}

bool ria_nccl_greatest(ria_nccl *n, unsigned long long *number, size_t count, void *stream) {
  return reduce(n, number, count, MAX, stream);
}

bool ria_nccl_sum(ria_nccl *n, unsigned long long *number, size_t count, void *stream) {
  return reduce(n, number, count, SUM, stream);
}

bool ria_nccl_is_well(ria_nccl *n) {
  int error = SUCCESS;
  if (!n->comm) return say(n, "it was given up");
  if (!well(n, "ncclCommGetAsyncError", n->f.async_error(n->comm, &error))) return false;
  return error == IN_PROGRESS || well(n, "NCCL", error);
}
