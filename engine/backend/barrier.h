/* backend/barrier.h - where the threads of a step meet.
 *
 * Steps are short (tens of microseconds on small grids) and meet twice each, so a barrier must be
 * quick; but the cores are shared with the threads that write outputs and with whatever else the
 * machine does, so a thread that waits long must give its core away. OpenMP's barriers do the one
 * or the other by an environment variable. This one spins for some microseconds, then sleeps. */
#ifndef RIA_BACKEND_BARRIER_H
#define RIA_BACKEND_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#else /* one thread; pragmas are ignored */
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#endif

typedef struct ria_barrier {
  int threads;
  atomic_int waiting, sleeping;
  atomic_uint round; /* changes when all have come */
  pthread_mutex_t lock;
  pthread_cond_t wake;
} ria_barrier;

/* For so many threads; NULL where memory is short. */
static inline ria_barrier *ria_barrier_new(int threads) {
  ria_barrier *b = malloc(sizeof *b);
  if (!b) return NULL;
  b->threads = threads;
  atomic_init(&b->waiting, 0);
  atomic_init(&b->sleeping, 0);
  atomic_init(&b->round, 0);
  if (pthread_mutex_init(&b->lock, NULL) == 0) {
    if (pthread_cond_init(&b->wake, NULL) == 0) return b;
    pthread_mutex_destroy(&b->lock);
  }
  free(b);
  return NULL;
}

static inline void ria_barrier_free(ria_barrier *b) {
  if (!b) return;
  pthread_cond_destroy(&b->wake);
  pthread_mutex_destroy(&b->lock);
  free(b);
}

static inline void ria_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* Everything written by any thread before it is seen by all after it. */
static inline void ria_barrier_wait(ria_barrier *b) {
  const unsigned round = atomic_load(&b->round);
  if (atomic_fetch_add(&b->waiting, 1) + 1 == b->threads) {
    atomic_store(&b->waiting, 0);
    atomic_fetch_add(&b->round, 1);
    if (atomic_load(&b->sleeping) > 0) {
      pthread_mutex_lock(&b->lock);
      pthread_cond_broadcast(&b->wake);
      pthread_mutex_unlock(&b->lock);
    }
    return;
  }
  for (int spin = 0; spin < 1000; spin++) {
    if (atomic_load(&b->round) != round) return;
    ria_pause();
  }
  /* sleeping is raised before the last look at round: the thread that advances it then sees a
   * sleeper */
  pthread_mutex_lock(&b->lock);
  atomic_fetch_add(&b->sleeping, 1);
  while (atomic_load(&b->round) == round) pthread_cond_wait(&b->wake, &b->lock);
  atomic_fetch_sub(&b->sleeping, 1);
  pthread_mutex_unlock(&b->lock);
}

#endif
