/* tests/fuzz/fuzz.h - bytes as a file, for readers that take a path. */
#ifndef RIA_FUZZ_H
#define RIA_FUZZ_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file in memory that holds the bytes; its path. close(*fd) removes it. */
static const char *fuzz_file(const uint8_t *data, size_t n, int *fd, char path[64]) {
  *fd = memfd_create("fuzz", MFD_CLOEXEC);
  if (*fd < 0 || write(*fd, data, n) != (ssize_t)n) abort();
  snprintf(path, 64, "/proc/self/fd/%d", *fd);
  return path;
}

#endif
