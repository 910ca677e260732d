/* backend/nccl.c - NCCL, where it is found at run time.
 *
 * The dozen functions that are called are declared here, as NCCL has had them since 2.7: its header
 * need not be there when ria is built. */
#include "backend/nccl.h"
#include "base/clock.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
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

/* To send and receive, and to reduce. */
enum { MESSAGES, NUMBERS, SORTS };

struct ria_nccl {
  nccl_api f;
  nccl_comm *comm;
  char name[32], why[RIA_NCCL_WHY];
  bool (*choose)(void *user);
  void *user;
  double patience, waited; /* s; waited in vain */
  uint64_t tried[SORTS];   /* a bit for each power of two of bytes */
  struct job *left;        /* one that took too long, and its thread: it may be in NCCL still */
  pthread_t left_thread;
};

const char *ria_nccl_name(const ria_nccl *n) { return n->name; }
const char *ria_nccl_why(const ria_nccl *n) { return n->why; }
double ria_nccl_waited(const ria_nccl *n) { return n->waited; }
void ria_nccl_set_patience(ria_nccl *n, double seconds) { n->patience = seconds; }

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

/* --- what may wait for other ranks ------------------------------------------------------------ */

/* It is done on a thread, which is left behind where it takes too long. Whoever comes second of the
 * two frees the job. Its `n` is a copy; memory of the device, the stream and the communicator are
 * not, so a job that was to queue something is waited for again when all is given up (end). */
enum { RUNS, DONE, LEFT };
typedef struct job {
  bool (*work)(struct job *j);
  void (*undo)(struct job *j); /* of one that was left; NULL: nothing */
  atomic_int state;
  bool well;
  ria_nccl n;
  /* To start. */
  nccl_id id;
  int ranks, rank;
  /* To queue. */
  bool queues;
  void *stream;
  unsigned long long *number;
  int how;
  size_t count; /* of numbers, or messages */
  ria_nccl_message message[];
} job;

static void *run(void *arg) {
  job *j = arg;
  j->well = j->work(j);
  if (atomic_exchange(&j->state, DONE) == RUNS) return NULL;
  if (j->undo) j->undo(j);
  free(j);
  return NULL;
}

static bool has_ended(job *j, double seconds) {
  const struct timespec pause = {0, 1000000};
  const double begin = ria_wall_clock();
  while (atomic_load(&j->state) == RUNS && ria_wall_clock() - begin < seconds)
    nanosleep(&pause, NULL);
  return atomic_load(&j->state) != RUNS;
}

/* False: it has ended meanwhile, and is the caller's to free. */
static bool leave_behind(job *j, pthread_t thread) {
  int runs = RUNS;
  if (!atomic_compare_exchange_strong(&j->state, &runs, LEFT)) return false;
  pthread_detach(thread);
  return true;
}

static bool say(ria_nccl *n, const char *text) {
  snprintf(n->why, sizeof n->why, "%s", text);
  return false;
}

/* A copy of what is given, with messages; NULL: there is no memory. */
static job *make_job(const job *of, const ria_nccl_message *message, size_t count) {
  const size_t bytes = count * sizeof *message;
  job *j = malloc(sizeof *j + bytes);
  if (!j) return NULL;
  *j = *of;
  if (bytes) memcpy(j->message, message, bytes);
  return j;
}

/* Takes the job. What it comes to goes to n, if it ends in time. */
static bool do_in_time(ria_nccl *n, job *j, const char *called, double seconds) {
  pthread_t thread;
  if (!j || pthread_create(&thread, NULL, run, j) != 0) {
    free(j);
    return say(n, "there is no thread for it");
  }
  if (!has_ended(j, seconds) && (j->queues || leave_behind(j, thread))) {
    if (j->queues) n->left = j, n->left_thread = thread;
    n->waited = seconds;
    snprintf(n->why, sizeof n->why, "%s: no answer from the others within %g s", called, seconds);
    return false;
  }
  pthread_join(thread, NULL);
  const bool well = j->well;
  n->comm = j->n.comm;
  memcpy(n->why, j->n.why, sizeof n->why);
  free(j);
  return well;
}

static bool choose_device(ria_nccl *n) {
  return n->choose(n->user) || say(n, "the device cannot be chosen");
}

/* --- start and end ---------------------------------------------------------------------------- */

bool ria_nccl_make_id(ria_nccl *n, void *id) {
  nccl_id made;
  memset(&made, 0, sizeof made);
  if (!well(n, "ncclGetUniqueId", n->f.make_id(&made))) return false;
  memcpy(id, &made, sizeof made);
  return true;
}

static bool start(job *j) {
  nccl_comm *comm = NULL;
  if (!choose_device(&j->n)) return false;
  if (!well(&j->n, "ncclCommInitRank", j->n.f.start(&comm, j->ranks, j->id, j->rank))) return false;
  j->n.comm = comm;
  return true;
}

static void undo_start(job *j) {
  if (j->n.comm) j->n.f.abort(j->n.comm);
}

bool ria_nccl_start(ria_nccl *n, const void *id, int ranks, int rank, bool (*choose)(void *user),
                    void *user, double seconds) {
  n->choose = choose;
  n->user = user;
  n->patience = seconds;
  job of = {.work = start, .undo = undo_start, .n = *n, .ranks = ranks, .rank = rank};
  memcpy(&of.id, id, sizeof of.id);
  return do_in_time(n, make_job(&of, NULL, 0), "ncclCommInitRank", seconds);
}

/* s: ranks of one host wait for each other to end. */
enum { ABORT_TIME = 1, DESTROY_TIME = 10 };

static bool abort_comm(job *j) {
  (void)choose_device(&j->n);
  return j->n.f.abort(j->n.comm) == SUCCESS;
}
static bool destroy_comm(job *j) {
  (void)choose_device(&j->n);
  return j->n.f.destroy(j->n.comm) == SUCCESS;
}

/* Is what was left in NCCL out of it again? */
static bool take_back(ria_nccl *n) {
  if (!n->left) return true;
  const bool stays = !has_ended(n->left, ABORT_TIME) && leave_behind(n->left, n->left_thread);
  if (!stays) {
    pthread_join(n->left_thread, NULL);
    free(n->left);
  }
  n->left = NULL;
  return !stays;
}

/* The reason that there was before stays. */
static bool end(ria_nccl *n, bool (*how)(job *j), double seconds) {
  if (!n->comm) return true;
  const ria_nccl before = *n;
  const job of = {.work = how, .n = *n};
  const bool ended = do_in_time(n, make_job(&of, NULL, 0), "", seconds);
  n->comm = NULL;
  n->waited = before.waited;
  memcpy(n->why, before.why, sizeof n->why);
  return take_back(n) && ended;
}

bool ria_nccl_abort(ria_nccl *n) { return end(n, abort_comm, ABORT_TIME); }

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
static bool pass(ria_nccl *n, const ria_nccl_message *message, size_t count, void *stream) {
  bool queued = well(n, "ncclGroupStart", n->f.group_start());
  if (!queued) return false;
  for (size_t k = 0; queued && k < count; k++) queued = queue_one(n, &message[k], stream);
  const int ended = n->f.group_end();
  return queued && well(n, "ncclGroupEnd", ended);
}

static bool reduce(ria_nccl *n, unsigned long long *number, size_t count, int how, void *stream) {
  return well(n, "ncclAllReduce",
              n->f.all_reduce(number, number, count, UINT64, how, n->comm, stream));
}

static bool pass_all(job *j) {
  return choose_device(&j->n) && pass(&j->n, j->message, j->count, j->stream);
}

static bool reduce_all(job *j) {
  return choose_device(&j->n) && reduce(&j->n, j->number, j->count, j->how, j->stream);
}

/* NCCL makes connections when it first needs them, and waits for the other ranks meanwhile, in the
 * host, without end: messages of another size may go another way, and need more of them. */
static bool is_new(ria_nccl *n, int sort, size_t bytes) {
  int power = 0;
  while (power < 63 && bytes >> (power + 1)) power++;
  const bool is = !(n->tried[sort] >> power & 1);
  n->tried[sort] |= (uint64_t)1 << power;
  return is;
}

static bool can_queue(ria_nccl *n) { return n->comm ? !n->left : say(n, "it was given up"); }

bool ria_nccl_pass(ria_nccl *n, const ria_nccl_message *message, int count, void *stream) {
  size_t most = 0;
  if (!can_queue(n)) return false;
  for (int k = 0; k < count; k++) most = message[k].bytes > most ? message[k].bytes : most;
  if (!is_new(n, MESSAGES, most)) return pass(n, message, (size_t)count, stream);
  const job of = {
      .work = pass_all, .n = *n, .queues = true, .count = (size_t)count, .stream = stream};
  return do_in_time(n, make_job(&of, message, of.count), "messages", n->patience);
}

static bool reduce_in_time(ria_nccl *n, unsigned long long *number, size_t count, int how,
                           void *stream) {
  if (!can_queue(n)) return false;
  if (!is_new(n, NUMBERS, count * sizeof *number)) return reduce(n, number, count, how, stream);
  const job of = {
      .work = reduce_all, .n = *n, .stream = stream, .number = number, .how = how, .count = count};
  return do_in_time(n, make_job(&of, NULL, 0), "ncclAllReduce", n->patience);
}

bool ria_nccl_greatest(ria_nccl *n, unsigned long long *number, size_t count, void *stream) {
  return reduce_in_time(n, number, count, MAX, stream);
}

bool ria_nccl_sum(ria_nccl *n, unsigned long long *number, size_t count, void *stream) {
  return reduce_in_time(n, number, count, SUM, stream);
}

bool ria_nccl_is_well(ria_nccl *n) {
  int error = SUCCESS;
  if (!n->comm) return say(n, "it was given up");
  if (!well(n, "ncclCommGetAsyncError", n->f.async_error(n->comm, &error))) return false;
  return error == IN_PROGRESS || well(n, "NCCL", error);
}
