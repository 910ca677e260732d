/* tests/device.h - the device that a test runs on, and how much of the test.
 *
 *   RIA_TEST_DEVICE   "cpu" (default), "cuda", "cuda:N". A CUDA device that cannot be opened ends
 *                     the program with "skipped: why" and exit status 77.
 *   RIA_TEST_PARTS    parts that the grids of tests of solvers are cut into
 *   RIA_TEST_SHORT    set: smaller sizes and fewer steps, as under AddressSanitizer; "trace": so
 * few that a tool which looks at every access to shared memory gets to the end.
 *   RIA_TEST_LONG     set: the sizes and steps that take a CPU too long for every run of the tests;
 * a GPU, which is fast, takes them always. */
#ifndef RIA_TEST_DEVICE_H
#define RIA_TEST_DEVICE_H
#include "test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { TEST_SKIPPED = 77 };

TEST_UNUSED static const char *test_setting(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value && *value ? value : otherwise;
}

TEST_UNUSED static const char *test_device(void) { return test_setting("RIA_TEST_DEVICE", "cpu"); }

TEST_UNUSED static bool test_is_short(void) {
  return SANITIZED || test_setting("RIA_TEST_SHORT", NULL) != NULL;
}

TEST_UNUSED static bool test_is_long(void) {
  return !test_is_short() &&
         (test_setting("RIA_TEST_LONG", NULL) != NULL || strcmp(test_device(), "cpu") != 0);
}

TEST_UNUSED static bool test_is_traced(void) {
  return strcmp(test_setting("RIA_TEST_SHORT", ""), "trace") == 0;
}

/* Parts that grids of test_context are cut into; 0: none. */
TEST_UNUSED static int test_parts;
/* As RIA_TEST_PARTS asks, where a grid has so many rows. */
TEST_UNUSED static void test_cut(int ny) {
  const int parts = atoi(test_setting("RIA_TEST_PARTS", "0"));
  if (parts > 0) test_parts = parts < ny ? parts : ny;
}

/* A context on a device by name. A program cannot go on without it. */
TEST_UNUSED static ria_context *test_context(const char *device, int threads) {
  char why[1024] = "";
  ria_context *ctx = NULL;
  const ria_context_desc desc = {.threads = threads,
                                 .device = device,
                                 .error = why,
                                 .error_size = sizeof why,
                                 .parts = test_parts};
  const ria_status status = ria_context_create(&desc, &ctx);
  if (status == RIA_OK) return ctx;
  const bool skip = status == RIA_ERR_DEVICE && strncmp(device, "cuda", 4) == 0;
  fprintf(skip ? stdout : stderr, "%s: %s\n", skip ? "skipped" : "no context", why);
  exit(skip && test_failures == 0 ? TEST_SKIPPED : 1);
}

/* Are two messages of different devices alike, but for the last digits of numbers? */
TEST_UNUSED static bool test_alike(const char *a, const char *b) {
  while (*a && *b) {
    char *end_a, *end_b;
    const double x = strtod(a, &end_a), y = strtod(b, &end_b);
    if (end_a > a && end_b > b) {
      if (fabs(x - y) > 2e-3 * fmax(fabs(x), fabs(y)) && isfinite(x)) return false;
      a = end_a;
      b = end_b;
    } else if (*a++ != *b++) {
      return false;
    }
  }
  return *a == *b;
}

#endif
