/* Making a context: devices, threads, where the message of a failure goes; the CPU backend. */
#include "core/context.h"
#include "test.h"

#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#include <sched.h>
#endif

/* Creating with this device fails with a status and a message. */
static void fails(const char *device, ria_status expected, const char *message) {
  char error[256] = "left over";
  ria_context *ctx = (ria_context *)error; /* anything but NULL */
  ria_context_desc desc = {.device = device, .error = error, .error_size = sizeof error};
  CHECK_STATUS(NULL, ria_context_create(&desc, &ctx), expected);
  CHECK(ctx == NULL);
  CHECK_TEXT(error, message);
}

static void test_devices(void) {
  static const char *const good[] = {NULL, "auto", "cpu"};
  for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
    char error[16] = "left over";
    ria_context_desc desc = {.device = good[k], .error = error, .error_size = sizeof error};
    ria_context *ctx;
    if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx))) continue;
    CHECK_TEXT(ria_context_device(ctx), "cpu");
    CHECK_TEXT(ria_context_backend(ctx)->name, "cpu");
    CHECK_TEXT(error, "");
    ria_context_destroy(&ctx);
    CHECK(ctx == NULL);
    ria_context_destroy(&ctx);
  }
  ria_context_destroy(NULL);
  fails("gpu", RIA_ERR_ARGUMENT, "unknown device 'gpu': expected auto, cpu, cuda or cuda:N");
  fails("", RIA_ERR_ARGUMENT, "unknown device '': expected auto, cpu, cuda or cuda:N");
  fails("cudas", RIA_ERR_ARGUMENT, "unknown device 'cudas': expected auto, cpu, cuda or cuda:N");
  fails("cuda:", RIA_ERR_ARGUMENT, "device 'cuda:': the number after 'cuda:' must be 0, 1, 2, ...");
  fails("cuda:-1", RIA_ERR_ARGUMENT,
        "device 'cuda:-1': the number after 'cuda:' must be 0, 1, 2, ...");
}

static void test_no_cuda(void) {
  fails("cuda", RIA_ERR_DEVICE,
        "device 'cuda' is not there: ria was built without CUDA; use the device 'cpu'");
  fails("cuda:1", RIA_ERR_DEVICE,
        "device 'cuda:1' is not there: ria was built without CUDA; use the device 'cpu'");
  ria_context *ctx;
  CHECK_STATUS(NULL, ria_context_create(&(ria_context_desc){.device = "cuda"}, &ctx),
               RIA_ERR_DEVICE); /* no buffer for the message */
  char tiny[8];
  ria_context_desc desc = {.device = "gpu", .error = tiny, .error_size = sizeof tiny};
  CHECK_STATUS(NULL, ria_context_create(&desc, &ctx), RIA_ERR_ARGUMENT);
  CHECK_TEXT(tiny, "unknown");
}

static int threads_of(int wanted) {
  ria_context *ctx;
  if (!CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.threads = wanted}, &ctx))) return -1;
  int n = ria_context_threads(ctx);
  CHECK_INT(n, ria_context_backend(ctx)->threads);
  ria_context_destroy(&ctx);
  return n;
}

static void test_threads(void) {
#ifdef _OPENMP
  CHECK_INT(threads_of(3), 3);
#endif
  CHECK(threads_of(0) >= 1);
#if defined(__linux__) && defined(_OPENMP)
  /* "The cores it may use": less than the machine has, once we may use one only. */
  cpu_set_t all, one;
  if (sched_getaffinity(0, sizeof all, &all) == 0) {
    CHECK_INT(threads_of(0), CPU_COUNT(&all));
    int first = 0;
    while (!CPU_ISSET(first, &all)) first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    if (sched_setaffinity(0, sizeof one, &one) == 0) CHECK_INT(threads_of(0), 1);
    sched_setaffinity(0, sizeof all, &all);
  }
#endif
  char error[128];
  ria_context *ctx;
  ria_context_desc desc = {.threads = -1, .error = error, .error_size = sizeof error};
  CHECK_STATUS(NULL, ria_context_create(&desc, &ctx), RIA_ERR_ARGUMENT);
  CHECK_TEXT(error, "threads is -1: allowed are 1 to 4096, or 0 for the default");
  desc.threads = 0;
  desc.writers = 1000;
  CHECK_STATUS(NULL, ria_context_create(&desc, &ctx), RIA_ERR_ARGUMENT);
  CHECK_TEXT(error, "writers is 1000: allowed are 1 to 256, or 0 for the default");
}

static bool all_zero(const unsigned char *p, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (p[k]) return false;
  return true;
}

/* Aligned and zero, also where the threads' parts meet. */
static void test_memory(void) {
  static const size_t sizes[] = {0, 1, 63, 64, 65, 4096, 262143, 262144, 262145, 1000003};
  ria_context *ctx;
  if (!CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.threads = 3}, &ctx))) return;
  const ria_backend *b = ria_context_backend(ctx);
  for (int round = 0; round < 2; round++) { /* the second finds memory that was used before */
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      void *p = NULL;
      if (!CHECK_OK(ctx, b->alloc(ctx, b, sizes[k], &p))) continue;
      CHECK(p != NULL && (uintptr_t)p % 64 == 0);
      CHECK(all_zero(p, sizes[k]));
      memset(p, 0xAB, sizes[k]);
      b->free(b, p);
    }
  }
  b->free(b, NULL);
  void *p = ctx;
  CHECK_FAILS(ctx, b->alloc(ctx, b, (size_t)1 << 60, &p), RIA_ERR_MEMORY,
              "out of memory: a field needs 1.15 EB");
  CHECK(p == NULL);
  CHECK_STATUS(ctx, b->alloc(ctx, b, SIZE_MAX, &p), RIA_ERR_MEMORY);
  ria_context_destroy(&ctx);
}

/* Two contexts share nothing. */
static void test_two(void) {
  ria_context *a, *b;
  CHECK_OK(NULL, ria_context_create(NULL, &a));
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.writers = 5}, &b));
  ria_fail(a, RIA_ERR_INPUT, "only here");
  CHECK_TEXT(ria_error(b), "");
  CHECK_INT(a->writers, RIA_WRITERS_DEFAULT);
  CHECK_INT(b->writers, 5);
  ria_context_destroy(&a);
  ria_context_destroy(&b);
}

int main(void) {
  test_devices();
  test_no_cuda();
  test_threads();
  test_memory();
  test_two();
  return TEST_END();
}
