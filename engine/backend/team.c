/* backend/team.c - OpenMP's threads, started early.
 *
 * libgomp ends the process when it cannot start a thread or gets no memory for a team: a host would
 * die with it. So everything it will need is allocated once when a context is made, where failure
 * can be reported. First the same is tried without it: as many threads at a time, and more memory
 * than a team takes, which is given back. What was there a moment ago is then there for libgomp as
 * well, unless another thread of the host takes it in between. libgomp keeps its threads, and the
 * team of the last size, for as long as the host's thread lives; a thread that did not make a
 * context but steps one has threads of its own, which start when it first steps.
 *
 * A team of one is another matter: libgomp takes memory for it at each parallel region and gives it
 * back. Regions of one thread need no team, so they are called directly: libria, the Lua module and
 * the program are linked with --wrap=GOMP_parallel (CMakeLists.txt), and only their own regions
 * come here. Where libria.a is linked without it they go to libgomp as ever. */
#include "backend/team.h"

#include "base/context.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>

/* --- trying ----------------------------------------------------------------------------------- */

/* A gate that holds the threads until all are there. */
typedef struct gate {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  bool open;
} gate;

static void *wait_at(void *arg) {
  gate *g = arg;
  pthread_mutex_lock(&g->lock);
  while (!g->open) pthread_cond_wait(&g->opened, &g->lock);
  pthread_mutex_unlock(&g->lock);
  return NULL;
}

static void open_and_join(gate *g, pthread_t *thread, int n) {
  pthread_mutex_lock(&g->lock);
  g->open = true;
  pthread_cond_broadcast(&g->opened);
  pthread_mutex_unlock(&g->lock);
  for (int k = 0; k < n; k++) pthread_join(thread[k], NULL);
}

static ria_status try_threads(ria_context *ctx, int n) {
  gate g = {.lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER};
  pthread_t *thread = malloc((size_t)n * sizeof *thread);
  if (!thread) return ria_fail_memory(ctx, "the threads", (size_t)n * sizeof *thread);
  int started = 0, failed = 0;
  while (started < n && !failed) {
    failed = pthread_create(&thread[started], NULL, wait_at, &g);
    if (!failed) started++;
  }
  open_and_join(&g, thread, started);
  free(thread);
  if (!failed) return RIA_OK;
  return ria_fail(
      ctx, RIA_ERR_MEMORY,
      "%d threads cannot be started, only %d (%s: of memory, or a limit of processes): ask "
      "for fewer threads",
      n + 1, started + 1, strerror(failed));
}

/* What a team of n takes, and more. */
static size_t team_bytes(int n) { return 16384 + 1024 * (size_t)n; }

static ria_status try_memory(ria_context *ctx, int n) {
  char *p = malloc(team_bytes(n));
  if (!p) return ria_fail_memory(ctx, "the threads", team_bytes(n));
  *(volatile char *)p = 0;
  free(p);
  return RIA_OK;
}

ria_status ria_team_start(ria_context *ctx, int threads) {
  if (threads < 2) return RIA_OK;
  RIA_TRY(try_threads(ctx, threads - 1));
  RIA_TRY(try_memory(ctx, threads));
  int there = 0;
#pragma omp parallel num_threads(threads) reduction(+ : there)
  there++;
  (void)there;
  return RIA_OK;
}

/* --- regions of one thread -------------------------------------------------------------------- */

#if defined(__GNUC__) && !defined(__clang__)
/* Weak: there is none where nothing is wrapped. */
extern void __real_GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
    __attribute__((weak));
void __wrap_GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);

/* Inside a region of the host's own the numbers of threads are the host's: there it must be a team.
 * By OMP_THREAD_LIMIT=1 all regions are of one thread. */
void __wrap_GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags) {
  if ((threads == 1 || omp_get_thread_limit() == 1) && omp_get_level() == 0)
    fn(data);
  else
    __real_GOMP_parallel(fn, data, threads, flags);
}
#endif

#else

ria_status ria_team_start(ria_context *ctx, int threads) {
  (void)ctx;
  (void)threads;
  return RIA_OK;
}

#endif
