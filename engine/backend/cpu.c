/* backend/cpu.c - the CPU backend: aligned memory, placed near the threads that step on it.
 *
 * An operating system gives a page its place in memory when it is first written. On a machine with
 * several memory nodes a step is fastest when each thread finds its rows in its own node, so fresh
 * memory is zeroed by the threads that will use it: thread k of n writes the k-th of n equal parts,
 * which is how a static OpenMP loop over rows shares them out. */
#include "backend/cpu.h"

#include "backend/team.h"
#include "base/context.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#include <sys/mman.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

enum {
  ALIGNMENT = 64,            /* bytes: a cache line, and the widest vectors */
  SERIAL_BYTES = 256 * 1024, /* less than this is not worth waking the threads for */
  HUGE_BYTES = 4 << 20,      /* from here on memory is asked for in huge pages */
  CORES_MAX = 8192           /* of the largest machine asked about */
};

/* --- threads ---------------------------------------------------------------------------------- */

static int cores_online(void) {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 && online <= CORES_MAX ? (int)online : 1;
}

/* Cores that this process may run on: what taskset, a batch system or a container left it. */
static int cores_allowed(void) {
#ifdef __linux__
  cpu_set_t *set = CPU_ALLOC(CORES_MAX);
  if (set) {
    size_t size = CPU_ALLOC_SIZE(CORES_MAX);
    int n = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (n > 0) return n;
  }
#endif
  return cores_online();
}

uint64_t ria_cpu_mask(void) {
  uint64_t h = 1;
#ifdef __linux__
  cpu_set_t *set = CPU_ALLOC(CORES_MAX);
  if (!set) return h;
  const size_t size = CPU_ALLOC_SIZE(CORES_MAX);
  CPU_ZERO_S(size, set);
  if (sched_getaffinity(0, size, set) == 0)
    for (int k = 0; k < CORES_MAX; k++)
      if (CPU_ISSET_S(k, size, set)) h = (h ^ (uint64_t)k) * UINT64_C(0x100000001b3);
  CPU_FREE(set);
#endif
  return h;
}

static int threads_for(int wanted) {
#ifdef _OPENMP
  int n = wanted > 0 ? wanted : cores_allowed();
  return n < RIA_THREADS_MAX ? n : RIA_THREADS_MAX;
#else
  (void)wanted;
  (void)cores_allowed;
  return 1;
#endif
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Zero the k-th of n equal parts (whole cache lines) of `lines` cache lines. */
static void zero_part(char *p, size_t lines, size_t k, size_t n) {
  size_t each = lines / n, rest = lines % n; /* the first `rest` parts are one line longer */
  size_t first = k * each + (k < rest ? k : rest);
  memset(p + first * ALIGNMENT, 0, (each + (k < rest)) * ALIGNMENT);
}

static void zero_by_threads(char *p, size_t lines, int threads) {
  if (threads == 1 || lines * ALIGNMENT < SERIAL_BYTES) {
    memset(p, 0, lines * ALIGNMENT);
    return;
  }
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
  zero_part(p, lines, (size_t)omp_get_thread_num(), (size_t)omp_get_num_threads());
#else
  zero_part(p, lines, 0, 1);
#endif
}

static size_t lines_for(size_t bytes) {
  return bytes > 0 ? (bytes + ALIGNMENT - 1) / ALIGNMENT : 1;
}

/* Huge pages for what lies in them: a step goes through several planes at once, each in pages of
 * its own, whose places a processor remembers for few. A system that has none gives what it has. */
static void ask_for_huge_pages(void *p, size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t from = ((uintptr_t)p + page - 1) / page * page;
  const uintptr_t to = ((uintptr_t)p + bytes) / page * page;
  if (bytes >= HUGE_BYTES) (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
  (void)p, (void)bytes;
#endif
}

/* Whole cache lines, as they are. */
static ria_status take_lines(ria_context *ctx, size_t bytes, const char *what, void **out) {
  *out = bytes <= SIZE_MAX / 2 ? aligned_alloc(ALIGNMENT, lines_for(bytes) * ALIGNMENT) : NULL;
  if (!*out) return ria_fail_memory(ctx, what, bytes);
  ask_for_huge_pages(*out, bytes);
  return RIA_OK;
}

static ria_status cpu_alloc(ria_context *ctx, const ria_backend *b, size_t bytes, void **out) {
  RIA_TRY(take_lines(ctx, bytes, "a field", out));
  zero_by_threads(*out, lines_for(bytes), b->threads);
  return RIA_OK;
}

static void cpu_free(const ria_backend *b, void *p) {
  (void)b;
  free(p);
}

/* Copies for outputs: written whole before they are read, by whichever thread makes them. */
static ria_status cpu_alloc_output(ria_context *ctx, const ria_backend *b, size_t bytes,
                                   void **out) {
  (void)b;
  return take_lines(ctx, bytes, "an output", out);
}

/* --- the backend ------------------------------------------------------------------------------ */

static void cpu_destroy(ria_backend *b) { free(b); }

static ria_status cpu_copy(ria_context *ctx, const ria_backend *b, void *to, const void *from,
                           size_t bytes) {
  (void)ctx, (void)b;
  memcpy(to, from, bytes);
  return RIA_OK;
}

ria_backend ria_cpu_backend(int threads) {
  return (ria_backend){.kind = RIA_BACKEND_CPU,
                       .name = "cpu",
                       .description = "the processor",
                       .threads = threads_for(threads),
                       .alloc = cpu_alloc,
                       .free = cpu_free,
                       .alloc_output = cpu_alloc_output,
                       .free_output = cpu_free,
                       .copy = cpu_copy,
                       .destroy = cpu_destroy};
}

ria_status ria_cpu_backend_create(ria_context *ctx, int threads, ria_backend **out) {
  RIA_TRY(ria_team_start(ctx, threads_for(threads)));
  ria_backend *b = malloc(sizeof *b);
  if (!b) return ria_fail_memory(ctx, "the CPU backend", sizeof *b);
  *b = ria_cpu_backend(threads);
  *out = b;
  return RIA_OK;
}
