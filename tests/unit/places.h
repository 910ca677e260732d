/* tests/unit/places.h - memory is refused once at each place of the program that asks for some.
 *
 *   static ria_status work(void *user) { ... }      it fails, or comes through, and leaves nothing
 *   places_refuse(ctx, "name", work, user, 10);     every 10th place; a third at least say so
 *
 * A place is the innermost calls that lead to a request. The work is done once to learn its places,
 * then once for each of them, whose first request is refused. It has to end with RIA_ERR_MEMORY and
 * a message that says so, or with RIA_OK. Of the places every `stride`th has its turn, all of them
 * with RIA_MEMORY_PLACES=all. Stands in front of malloc: in_front.h. */
#ifndef RIA_TEST_PLACES_H
#define RIA_TEST_PLACES_H
#include "test.h"

#include <execinfo.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { PLACES_CALLS = 4, PLACES_MOST = 4096 };
static atomic_int places_watch; /* 0: not at all; 1: they are learned; 2: one is refused */
/* The work may set these: what comes, from any thread or from the present one, is not looked at. */
static atomic_bool places_rest;
static _Thread_local bool places_rest_here;
static _Atomic uint64_t places_of[PLACES_MOST];
static atomic_int places_n;
static _Atomic uint64_t places_refused; /* 0: it was */

static void *places_stack[PLACES_CALLS]; /* of the request that was refused, for addr2line */
static int places_depth;

/* Without places_no and what is in front of malloc. */
static uint64_t places_of_stack(void *const *stack, int n) {
  uint64_t place = 1469598103934665603u;
  for (int k = 2; k < n; k++) place = (place ^ (uintptr_t)stack[k]) * 1099511628211u;
  return place ? place : 1;
}

/* Of two threads at a new place both may add it: it is refused twice then. */
static void places_learn(uint64_t place) {
  const int n = atomic_load(&places_n);
  for (int k = 0; k < n && k < PLACES_MOST; k++)
    if (atomic_load(&places_of[k]) == place) return;
  const int k = atomic_fetch_add(&places_n, 1);
  if (k < PLACES_MOST) atomic_store(&places_of[k], place);
}

__attribute__((noinline)) static bool places_no(void) {
  const int watch = atomic_load(&places_watch);
  if (!watch || places_rest_here || atomic_load(&places_rest)) return false;
  void *stack[PLACES_CALLS + 2];
  const int n = backtrace(stack, PLACES_CALLS + 2);
  uint64_t place = places_of_stack(stack, n);
  if (watch == 1) return places_learn(place), false;
  if (!atomic_compare_exchange_strong(&places_refused, &place, 0)) return false;
  places_depth = n - 2;
  memcpy(places_stack, stack + 2, (size_t)places_depth * sizeof *stack);
  return true;
}

#define REFUSES places_no
#include "in_front.h"

typedef ria_status (*places_work)(void *user);

/* How it ended with a place refused: did it say so? */
static bool places_told(ria_context *ctx, const char *name, int k, ria_status s) {
  const bool met = atomic_load(&places_refused) == 0;
  if (s == RIA_OK) return false;
  const bool right = met && s == RIA_ERR_MEMORY && strstr(ria_error(ctx), "memory");
  if (CHECK(right)) return true;
  fprintf(stderr, "  %s, place %d: %s: %s\n", name, k, ria_status_name(s), ria_error(ctx));
  backtrace_symbols_fd(places_stack, places_depth, 2);
  return false;
}

/* One place in the program from which the work is called: it is on the stack of short ones. */
__attribute__((noinline)) static ria_status places_run(places_work work, void *user, int watch) {
  atomic_store(&places_watch, watch);
  const ria_status s = work(user);
  atomic_store(&places_watch, 0);
  return s;
}

TEST_UNUSED static void places_refuse(ria_context *ctx, const char *name, places_work work,
                                      void *user, int stride) {
  void *stack[4];
  (void)backtrace(stack, 4); /* it takes memory itself, the first time */
  const char *which = getenv("RIA_MEMORY_PLACES");
  int told = 0, tried = 0;
  if (which && strcmp(which, "all") == 0) stride = 1;
  atomic_store(&places_n, 0);
  if (!CHECK_OK(ctx, places_run(work, user, 1))) return;
  const int n = atomic_load(&places_n);
  if (!CHECK(n < PLACES_MOST)) return;
  for (int k = 0; k < n; k += stride, tried++) {
    ria_error_clear(ctx);
    atomic_store(&places_refused, atomic_load(&places_of[k]));
    told += places_told(ctx, name, k, places_run(work, user, 2));
  }
  ria_error_clear(ctx);
  if (!CHECK(3 * told > tried)) fprintf(stderr, "  %s: %d of %d places told\n", name, told, tried);
}

#endif
