/* run/bench_machine.c - how fast the machine copies: what a step is set against. */
#include "base/clock.h"
#include "base/context.h"
#include "run/bench.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes of one array: several times the last cache, within reason. */
static size_t copy_size(void) {
  const size_t least = (size_t)128 << 20, most = (size_t)256 << 20;
  long cache = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
  cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
  size_t want = cache > 0 ? 4 * (size_t)cache : least;
  return want < least ? least : want > most ? most : want;
}

/* One pass over both arrays, an equal slice for each thread. */
static double copy_once(char *to, const char *from, size_t bytes, int threads) {
  double begin = ria_wall_clock();
  size_t slice = bytes / (size_t)threads;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int k = 0; k < threads; k++) memcpy(to + (size_t)k * slice, from + (size_t)k * slice, slice);
  return 2.0 * (double)(slice * (size_t)threads) / (ria_wall_clock() - begin);
}

static ria_status host_bandwidth(ria_context *ctx, const ria_backend *b, double *out) {
  size_t bytes = copy_size();
  void *from = NULL, *to = NULL;
  RIA_TRY(b->alloc(ctx, b, bytes, &from));
  ria_status s = b->alloc(ctx, b, bytes, &to);
  double best = 0.0;
  for (int pass = 0; s == RIA_OK && pass < 12; pass++)
    best = fmax(best, copy_once(to, from, bytes, ria_context_threads(ctx)));
  b->free(b, from);
  if (to) b->free(b, to);
  *out = best;
  return s;
}

ria_status ria_bench_bandwidth(ria_context *ctx, const ria_backend *b, double *out) {
  return b->bandwidth ? b->bandwidth(ctx, b, out) : host_bandwidth(ctx, b, out);
}
