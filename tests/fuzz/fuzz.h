/* tests/fuzz/fuzz.h - what the targets share: a context, bytes as a file, a scratch directory. */
#ifndef RIA_FUZZ_H
#define RIA_FUZZ_H
#include <fcntl.h>
#include <ftw.h>
#include <ria/status.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FUZZ_UNUSED __attribute__((unused))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A demand that does not hold ends the program, which keeps the input. */
#define FUZZ_DEMAND(condition)                                                                     \
  do {                                                                                             \
    if (!(condition)) fuzz_end(__FILE__, __LINE__, #condition, NULL);                              \
  } while (0)

FUZZ_UNUSED _Noreturn static void fuzz_end(const char *file, int line, const char *what,
                                           const ria_context *ctx) {
  fprintf(stderr, "%s:%d: not true: %s", file, line, what);
  if (ctx) fprintf(stderr, " (%s)", ria_error(ctx));
  fprintf(stderr, "\n");
  abort();
}

/* A CPU with one thread. GDAL and PROJ are left out: they have fuzzers of their own. */
FUZZ_UNUSED static ria_context *fuzz_context(int parts) {
  ria_context *ctx = NULL;
  setenv("RIA_GDAL", "none", 1);
  setenv("RIA_PROJ", "none", 1);
  const ria_context_desc desc = {.threads = 1, .writers = 1, .device = "cpu", .parts = parts};
  if (ria_context_create(&desc, &ctx) != RIA_OK) abort();
  return ctx;
}

/* OK, or one of the errors allowed (bit k: the status k), with a message. */
FUZZ_UNUSED static ria_status fuzz_status(const ria_context *ctx, ria_status s, unsigned allowed) {
  if (s != RIA_OK && (!(allowed >> s & 1) || !*ria_error(ctx)))
    fuzz_end(ria_status_name(s), (int)s, "a status that is expected, with a message", ctx);
  return s;
}
enum { FUZZ_INPUT = 1u << RIA_ERR_INPUT, FUZZ_ARGUMENT = 1u << RIA_ERR_ARGUMENT };

/* A file in memory that holds the bytes; its path. close(*fd) removes it. */
FUZZ_UNUSED static const char *fuzz_file(const uint8_t *data, size_t n, int *fd, char path[64]) {
  *fd = memfd_create("fuzz", MFD_CLOEXEC);
  if (*fd < 0 || write(*fd, data, n) != (ssize_t)n) abort();
  snprintf(path, 64, "/proc/self/fd/%d", *fd);
  return path;
}

/* --- a scratch directory, in memory where that is mounted ------------------------------------- */

FUZZ_UNUSED static const char *fuzz_dir(char path[64]) {
  snprintf(path, 64, "%s/ria_fuzz_XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  if (!mkdtemp(path)) abort();
  return path;
}

static int fuzz_remove(const char *path, const struct stat *st, int type, struct FTW *at) {
  (void)st;
  (void)type;
  (void)at;
  return remove(path);
}

FUZZ_UNUSED static void fuzz_dir_remove(const char *path) {
  nftw(path, fuzz_remove, 8, FTW_DEPTH | FTW_PHYS);
}

/* dir/name with these bytes; folders of it are made. */
FUZZ_UNUSED static void fuzz_put(const char *dir, const char *name, const void *data, size_t n) {
  char path[256];
  const int length = snprintf(path, sizeof path, "%s/", dir);
  for (const char *c = name; (c = strchr(c, '/')); c++) {
    snprintf(path + length, sizeof path - (size_t)length, "%.*s", (int)(c - name), name);
    mkdir(path, 0777);
  }
  snprintf(path + length, sizeof path - (size_t)length, "%s", name);
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0 || write(fd, data, n) != (ssize_t)n) abort();
  close(fd);
}

#endif
