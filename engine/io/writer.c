/* io/writer.c - a few threads and one list of jobs.
 *
 * Jobs wait in the order of their pushes. A worker takes the first one whose key is not being
 * worked on by another worker (key 0 always qualifies), so that jobs of one key run one at a time
 * and in order while all others overtake freely. The scan is short: the bound on bytes keeps the
 * list to a few dozen jobs. A job in parts stays at its place until the last of them is taken. A
 * job that goes behind all before it is taken when it is the first and no worker has another; until
 * then none after it is.
 *
 * Invariants, all under the one mutex:
 *   held     = the sum of bytes of the jobs waiting and running. A push waits until held is 0 or
 *              held + bytes <= max_bytes, so one job always fits and nothing waits for ever.
 *   failure  is set once. From then on waiting jobs are dropped unrun (by the workers, which keep
 *              emptying the list), so pushes and flushes never block on work that will not happen.
 *   active   = the jobs and parts that workers hold. Idle means: no job waits and active is 0.
 *   A job is dropped and freed by the worker that does the last of its parts.
 *
 * run and drop are called without the mutex held. */
#include "io/writer.h"
#include "base/limit.h"
#include "io/file.h"

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer_job writer_job;
struct writer_job {
  writer_job *next;
  void *data;
  size_t bytes;
  uint64_t key;
  ria_job_fn run;       /* the whole, or */
  ria_part_fn run_part; /* one of its parts */
  void (*drop)(void *data);
  int parts, taken, done;
  bool behind; /* all before it */
};

typedef struct writer_worker {
  ria_writer *owner;
  pthread_t thread;
  uint64_t key; /* of the job it runs; 0 = none or any */
} writer_worker;

struct ria_writer {
  ria_context *ctx;
  pthread_mutex_t lock;
  pthread_cond_t work;  /* a job may have become ready, or the end has come */
  pthread_cond_t space; /* a job is done */
  writer_job *first, *last;
  size_t held, max_bytes;
  ria_meter *meter; /* of the context's output; NULL: not limited */
  int active;
  bool ending;
  ria_status failure;
  char message[RIA_ERR_TEXT];
  uint64_t last_key;
  int threads; /* that run */
  writer_worker worker[];
};

/* --- workers ------------------------------------------------------------------------------ */

static bool key_is_busy(const ria_writer *w, uint64_t key) {
  if (key == 0) return false;
  for (int k = 0; k < w->threads; k++)
    if (w->worker[k].key == key) return true;
  return false;
}

static bool may_run(const ria_writer *w, const writer_job *job) {
  return job->behind ? job == w->first && w->active == 0 : !key_is_busy(w, job->key);
}

/* The first job that may run now; NULL if none. Off the list when *part is its last. */
static writer_job *take_ready(ria_writer *w, int *part) {
  writer_job *before = NULL, *job = w->first;
  while (job && !may_run(w, job)) {
    if (job->behind) return NULL;
    before = job;
    job = job->next;
  }
  if (!job) return NULL;
  if (job->behind) pthread_cond_broadcast(&w->work); /* those after it may go */
  *part = job->taken++;
  if (job->taken < job->parts) return job;
  if (before)
    before->next = job->next;
  else
    w->first = job->next;
  if (w->last == job) w->last = before;
  return job;
}

static void drop_data(void *data, void (*drop)(void *)) {
  if (drop) drop(data);
}

static void keep_first_failure(ria_writer *w, ria_status s, const char *message) {
  if (s == RIA_OK || w->failure != RIA_OK) return;
  w->failure = s;
  snprintf(w->message, sizeof w->message, "%s", message);
}

static ria_status run_job(const writer_job *job, int part, char *err, size_t errsize) {
  return job->run ? job->run(job->data, err, errsize)
                  : job->run_part(job->data, part, err, errsize);
}

/* Called and left with the mutex held. */
static void do_job(ria_writer *w, writer_worker *self, writer_job *job, int part) {
  char message[RIA_ERR_TEXT] = "";
  ria_status s = RIA_OK;
  bool wanted = w->failure == RIA_OK;
  self->key = job->key;
  w->active++;
  pthread_mutex_unlock(&w->lock);

  ria_meter_of_thread(w->meter);
  if (wanted) s = run_job(job, part, message, sizeof message);
  ria_meter_of_thread(NULL);

  pthread_mutex_lock(&w->lock);
  keep_first_failure(w, s, message[0] ? message : "an output job failed without saying why");
  if (++job->done < job->parts) {
    w->active--;
    return;
  }
  pthread_mutex_unlock(&w->lock);

  drop_data(job->data, job->drop);

  pthread_mutex_lock(&w->lock);
  self->key = 0;
  w->active--;
  w->held -= job->bytes;
  pthread_cond_broadcast(&w->space);
  if (job->key) pthread_cond_broadcast(&w->work); /* the next of this key may go */
  free(job);
}

/* Steps go first. Where there are no cores to spare, a worker that takes one from a stepping thread
 * holds up all of them; at a lower priority it works when they wait, at the latest when the queue
 * is full and the host waits for it. Where threads have no priority of their own, nothing is lost
 * but that. */
static void step_aside(void) {
#ifdef __linux__
  (void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10);
#endif
}

static void *worker_main(void *arg) {
  writer_worker *self = arg;
  ria_writer *w = self->owner;
  step_aside();
  pthread_mutex_lock(&w->lock);
  for (;;) {
    int part = 0;
    writer_job *job = take_ready(w, &part);
    if (job)
      do_job(w, self, job, part);
    else if (w->ending && !w->first)
      break;
    else
      pthread_cond_wait(&w->work, &w->lock);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

/* --- the host's side ---------------------------------------------------------------------- */

ria_status ria_writer_create(ria_context *ctx, int threads, size_t max_bytes, ria_writer **out) {
  *out = NULL;
  if (threads < 1) threads = 1;
  size_t size = sizeof(ria_writer) + (size_t)threads * sizeof(writer_worker);
  ria_writer *w = calloc(1, size);
  if (!w) return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for the output writer");
  w->ctx = ctx;
  w->max_bytes = max_bytes;
  w->meter = ria_limit_meter(ctx);
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->work, NULL);
  pthread_cond_init(&w->space, NULL);

  /* Held while threads start: they scan worker[0 .. threads). */
  pthread_mutex_lock(&w->lock);
  while (w->threads < threads) {
    writer_worker *worker = &w->worker[w->threads];
    worker->owner = w;
    if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0) break;
    w->threads++;
  }
  pthread_mutex_unlock(&w->lock);
  if (w->threads == 0) { /* fewer than asked for is slower, none is an error */
    ria_writer_destroy(&w);
    return ria_fail(ctx, RIA_ERR_MEMORY,
                    "out of memory or of threads: the output writer cannot start one");
  }
  *out = w;
  return RIA_OK;
}

static ria_status report(ria_writer *w, ria_status s, const char *message) {
  if (s == RIA_OK) return s;
  const ria_status limited = ria_limit_output(w->ctx); /* then that is why */
  return limited != RIA_OK ? limited : ria_fail(w->ctx, s, "%s", message);
}

static void append(ria_writer *w, writer_job *job) {
  if (w->last)
    w->last->next = job;
  else
    w->first = job;
  w->last = job;
  w->held += job->bytes;
}

static bool has_room(const ria_writer *w, size_t bytes) {
  return w->held == 0 || (w->held <= w->max_bytes && bytes <= w->max_bytes - w->held);
}

static ria_status push(ria_writer *w, const writer_job *wanted) {
  writer_job *job = malloc(sizeof *job);
  if (!job) {
    drop_data(wanted->data, wanted->drop);
    return ria_fail(w->ctx, RIA_ERR_MEMORY, "out of memory for an output job");
  }
  *job = *wanted;

  pthread_mutex_lock(&w->lock);
  while (w->failure == RIA_OK && !has_room(w, job->bytes)) pthread_cond_wait(&w->space, &w->lock);
  ria_status s = w->failure;
  if (s == RIA_OK) {
    append(w, job);
    if (job->parts > 1)
      pthread_cond_broadcast(&w->work);
    else
      pthread_cond_signal(&w->work);
  }
  pthread_mutex_unlock(&w->lock);

  if (s == RIA_OK) return RIA_OK;
  drop_data(job->data, job->drop);
  free(job);
  return report(w, s, w->message); /* written once, before failure was seen set */
}

ria_status ria_writer_push_ordered(ria_writer *w, uint64_t key, void *data, size_t bytes,
                                   ria_job_fn run, void (*drop)(void *)) {
  const writer_job job = {
      .data = data, .bytes = bytes, .key = key, .run = run, .drop = drop, .parts = 1};
  return push(w, &job);
}

ria_status ria_writer_push(ria_writer *w, void *data, size_t bytes, ria_job_fn run,
                           void (*drop)(void *)) {
  return ria_writer_push_ordered(w, 0, data, bytes, run, drop);
}

ria_status ria_writer_push_parts(ria_writer *w, void *data, size_t bytes, int parts,
                                 ria_part_fn run, void (*drop)(void *)) {
  const writer_job job = {
      .data = data, .bytes = bytes, .run_part = run, .drop = drop, .parts = parts};
  return push(w, &job);
}

ria_status ria_writer_push_behind(ria_writer *w, void *data, ria_job_fn run, void (*drop)(void *)) {
  const writer_job job = {.data = data, .run = run, .drop = drop, .parts = 1, .behind = true};
  return push(w, &job);
}

uint64_t ria_writer_key(ria_writer *w) {
  pthread_mutex_lock(&w->lock);
  uint64_t key = ++w->last_key;
  pthread_mutex_unlock(&w->lock);
  return key;
}

static void wait_idle(ria_writer *w) {
  while (w->first || w->active > 0) pthread_cond_wait(&w->space, &w->lock);
}

ria_status ria_writer_flush(ria_writer *w) {
  pthread_mutex_lock(&w->lock);
  wait_idle(w);
  ria_status s = w->failure;
  pthread_mutex_unlock(&w->lock);
  return report(w, s, w->message);
}

void ria_writer_destroy(ria_writer **writer) {
  ria_writer *w = *writer;
  if (!w) return;
  *writer = NULL;
  pthread_mutex_lock(&w->lock);
  w->ending = true;
  pthread_cond_broadcast(&w->work);
  pthread_mutex_unlock(&w->lock);
  for (int k = 0; k < w->threads; k++) pthread_join(w->worker[k].thread, NULL);
  pthread_cond_destroy(&w->space);
  pthread_cond_destroy(&w->work);
  pthread_mutex_destroy(&w->lock);
  free(w);
}
