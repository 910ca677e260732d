/* cli_await.c - a rank that waits for others to begin MPI says for whom, and ends where it is told
 * to: MPI waits for all that the launcher started, for ever where one is another program, or ends
 * without having begun it. */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const double long_wait = 10.0, longest = 1e9; /* s */

static struct {
  pthread_mutex_t lock;
  pthread_cond_t ends;
  pthread_t thread;
  bool over, watched;
  int rank;
  double most;       /* s; 0: for ever */
  const char *limit; /* RIA_MPI_WAIT */
} waiting = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Of the ranks on a host one speaks, and none ends before all have looked who is there. */
static void say(double waited, bool ends) {
  char others[512];
  if (ria_comm_others(others, sizeof others) != waiting.rank) return;
  fprintf(stderr,
          "ria: rank %d has waited %g s for the processes that were started beside it to begin "
          "MPI: %s; a process that is to run by itself (in a shell of srun --pty) needs "
          "RIA_MPI=none%s%s\n",
          waiting.rank, waited,
          *others ? others : "they are late, or one of them has ended, or has RIA_MPI=none",
          ends ? "; ended by RIA_MPI_WAIT=" : "", ends ? waiting.limit : "");
}

static bool is_over_after(double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  const double whole = floor(seconds), part = (double)until.tv_nsec + 1e9 * (seconds - whole);
  until.tv_sec += (time_t)whole + (part >= 1e9);
  until.tv_nsec = (long)(part >= 1e9 ? part - 1e9 : part);
  for (int rc = 0; !waiting.over && rc != ETIMEDOUT;)
    rc = pthread_cond_timedwait(&waiting.ends, &waiting.lock, &until);
  return waiting.over;
}

static void *watch(void *unused) {
  (void)unused;
  pthread_mutex_lock(&waiting.lock);
  const double first = waiting.most > 0.0 ? fmin(waiting.most, long_wait) : long_wait;
  bool over = is_over_after(first);
  if (!over && waiting.most != first) {
    say(first, false);
    over = is_over_after(waiting.most > 0.0 ? waiting.most - first : longest);
  }
  if (!over && waiting.most > 0.0) {
    say(waiting.most, true);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    _exit(EXIT_DEVICE);
  }
  pthread_mutex_unlock(&waiting.lock);
  return NULL;
}

/* Signals are the host thread's; a system clock that is set ends no wait. */
static void start_thread(void) {
  sigset_t all, had;
  pthread_condattr_t steady;
  pthread_condattr_init(&steady);
  pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
  pthread_cond_init(&waiting.ends, &steady);
  pthread_condattr_destroy(&steady);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &had);
  waiting.watched = pthread_create(&waiting.thread, NULL, watch, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &had, NULL);
}

ria_status cli_await_begin(int rank, char *why, size_t size) {
  const char *text = getenv("RIA_MPI_WAIT");
  waiting.rank = rank;
  waiting.limit = text;
  waiting.over = false;
  waiting.most = 0.0;
  if (text && *text &&
      (ria_parse_quantity(NULL, text, RIA_DIM_TIME, &waiting.most) != RIA_OK ||
       !(waiting.most > 0.0) || !(waiting.most < longest))) {
    snprintf(why, size,
             "RIA_MPI_WAIT=%.60s: expected how long ranks wait for each other at the "
             "start, with its unit: RIA_MPI_WAIT='2 min'",
             text);
    return RIA_ERR_ARGUMENT;
  }
  start_thread();
  return RIA_OK;
}

void cli_await_end(void) {
  if (!waiting.watched) return;
  pthread_mutex_lock(&waiting.lock);
  waiting.over = true;
  pthread_cond_signal(&waiting.ends);
  pthread_mutex_unlock(&waiting.lock);
  pthread_join(waiting.thread, NULL);
  pthread_cond_destroy(&waiting.ends);
  waiting.watched = false;
}
