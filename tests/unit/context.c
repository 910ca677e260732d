/* Making a context: devices, threads, where the message of a failure goes; the CPU backend.
 *
 * Right with CUDA built in or not, and where it is, with a GPU or without. */
#include "base/context.h"
#include "backend/cuda.h"
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

/* What making a context with this device gives. */
static void gives(const char *device, const char *name) {
  char error[256] = "left over";
  ria_context_desc desc = {.device = device, .error = error, .error_size = sizeof error};
  ria_context *ctx;
  if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx))) return;
  const ria_backend *b = ria_context_backend(ctx);
  CHECK_TEXT(error, "");
  CHECK_TEXT(ria_context_device(ctx), name);
  CHECK_TEXT(b->name, name);
  CHECK(b->description && *b->description);
  CHECK(b->kind == (strcmp(name, "cpu") == 0 ? RIA_BACKEND_CPU : RIA_BACKEND_CUDA));
  ria_context_destroy(&ctx);
  CHECK(ctx == NULL);
  ria_context_destroy(&ctx);
}

static void test_devices(void) {
  const char *best = ria_cuda_device_count() > 0 ? "cuda:0" : "cpu";
  gives(NULL, best);
  gives("auto", best);
  gives("cpu", "cpu");
  ria_context_destroy(NULL);
  fails("gpu", RIA_ERR_ARGUMENT,
        "unknown device 'gpu': expected auto, cpu, cuda, cuda:N or cuda:N-M");
  fails("", RIA_ERR_ARGUMENT, "unknown device '': expected auto, cpu, cuda, cuda:N or cuda:N-M");
  fails("cudas", RIA_ERR_ARGUMENT,
        "unknown device 'cudas': expected auto, cpu, cuda, cuda:N or cuda:N-M");
  static const char *const odd[] = {"cuda:",    "cuda:-1",  "cuda:x",  "cuda:0,",   "cuda:0-",
                                    "cuda:2-1", "cuda:0 1", "cuda:,1", "cuda:12345"};
  for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
    char message[160];
    snprintf(message, sizeof message,
             "device '%s': after 'cuda:' come numbers, 0, 1, 2, ..., as in cuda:1, cuda:0,2 or "
             "cuda:0-3",
             odd[k]);
    fails(odd[k], RIA_ERR_ARGUMENT, message);
  }
  fails(
      "cuda:0,1,0", RIA_ERR_ARGUMENT,
      "device 'cuda:0,1,0': GPU 0 is named twice; several parts of a grid on one GPU are asked for "
      "by their number (--parts 2, ria_context_desc.parts)");
  fails(
      "cuda:1-2,2", RIA_ERR_ARGUMENT,
      "device 'cuda:1-2,2': GPU 2 is named twice; several parts of a grid on one GPU are asked for "
      "by their number (--parts 2, ria_context_desc.parts)");
  fails("cuda:0-99", RIA_ERR_ARGUMENT, "device 'cuda:0-99': at most 16 GPUs");
}

/* "cuda" and "cuda:0" are the first GPU; where there is none the message tells the reason. */
static void test_cuda(void) {
  int n = ria_cuda_device_count();
  char why[256], expected[512];
  ria_cuda_why_none(why, sizeof why);
  CHECK((n == 0) == (why[0] != '\0'));
#ifndef RIA_HAVE_CUDA
  CHECK_TEXT(why, "ria was built without CUDA");
#endif
  if (n > 0) {
    gives("cuda", "cuda:0");
    gives("cuda:0", "cuda:0");
    snprintf(expected, sizeof expected, "device 'cuda:9999' cannot be used: there %s",
             n == 1 ? "is one GPU, cuda:0" : "are ");
    char error[512];
    ria_context *ctx;
    ria_context_desc desc = {.device = "cuda:9999", .error = error, .error_size = sizeof error};
    CHECK_STATUS(NULL, ria_context_create(&desc, &ctx), RIA_ERR_DEVICE);
    CHECK(strncmp(error, expected, strlen(expected)) == 0);
    return;
  }
  snprintf(expected, sizeof expected, "device 'cuda' cannot be used: %s; use the device 'cpu'",
           why);
  fails("cuda", RIA_ERR_DEVICE, expected);
  snprintf(expected, sizeof expected, "device 'cuda:1' cannot be used: %s; use the device 'cpu'",
           why);
  fails("cuda:1", RIA_ERR_DEVICE, expected);
  ria_context *ctx;
  CHECK_STATUS(NULL, ria_context_create(&(ria_context_desc){.device = "cuda"}, &ctx),
               RIA_ERR_DEVICE); /* no buffer for the message */
}

static void test_short_buffer(void) {
  char tiny[8];
  ria_context *ctx;
  ria_context_desc desc = {.device = "gpu", .error = tiny, .error_size = sizeof tiny};
  CHECK_STATUS(NULL, ria_context_create(&desc, &ctx), RIA_ERR_ARGUMENT);
  CHECK_TEXT(tiny, "unknown");
}

/* The CPU is there; GPUs are by their numbers, or one entry says why there is none. */
static void test_list(void) {
  int n = ria_cuda_device_count();
  ria_device_info d;
  CHECK(ria_device_list(0, &d) && d.there);
  CHECK_TEXT(d.name, "cpu");
  CHECK_HOLDS(d.description, "core");
  for (int k = 0; k < (n ? n : 1); k++) {
    char name[16];
    snprintf(name, sizeof name, n ? "cuda:%d" : "cuda", k);
    CHECK(ria_device_list(1 + (size_t)k, &d) && d.there == (n > 0));
    CHECK_TEXT(d.name, name);
    CHECK(d.description[0] != '\0');
  }
  CHECK(!ria_device_list(1 + (size_t)(n ? n : 1), &d));
  CHECK_STATUS(NULL, ria_cuda_device_describe(-1, d.description, sizeof d.description),
               RIA_ERR_DEVICE);
  CHECK_STATUS(NULL, ria_cuda_device_describe(n, d.description, sizeof d.description),
               RIA_ERR_DEVICE);
  CHECK_TEXT(d.description, "");
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

/* Memory for outputs: aligned, writable to its end, refused in words; freed on any thread. */
static void test_output_memory(void) {
  static const size_t sizes[] = {0, 1, 65, 1000003};
  ria_context *ctx;
  if (!CHECK_OK(NULL, ria_context_create(NULL, &ctx))) return;
  const ria_backend *b = ria_context_backend(ctx);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    void *p = NULL;
    if (!CHECK_OK(ctx, b->alloc_output(ctx, b, sizes[k], &p))) continue;
    CHECK(p != NULL && (uintptr_t)p % 64 == 0);
    memset(p, 0xAB, sizes[k]);
    if (sizes[k] > 1) {
      CHECK_OK(ctx, b->copy(ctx, b, (char *)p + sizes[k] / 2, "row", 4));
      CHECK(memcmp((char *)p + sizes[k] / 2, "row", 4) == 0);
    }
    b->free_output(b, p);
  }
  b->free_output(b, NULL);
  void *p = ctx;
  CHECK_STATUS(ctx, b->alloc_output(ctx, b, (size_t)1 << 60, &p), RIA_ERR_MEMORY);
  CHECK_HOLDS(ria_error(ctx), "out of memory: an output");
  CHECK(p == NULL);
  ria_context_destroy(&ctx);
}

/* Two contexts share nothing. */
static void test_two(void) {
  ria_context *a, *b;
  CHECK_OK(NULL, ria_context_create(NULL, &a));
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.writers = 5}, &b));
  ria_fail(a, RIA_ERR_INPUT, "only here");
  CHECK_TEXT(ria_error(b), "");
  CHECK_INT(a->writers, ria_writers_default(a->backend));
  CHECK_INT(b->writers, 5);
  ria_context_destroy(&a);
  ria_context_destroy(&b);
}

int main(void) {
  test_devices();
  test_cuda();
  test_short_buffer();
  test_list();
  test_threads();
  test_memory();
  test_output_memory();
  test_two();
  return TEST_END();
}
