/* base/memory.c - how much memory this process may still take.
 *
 * The least of three accounts: what the system calls available plus free swap (/proc/meminfo), what
 * the address space may still grow by (RLIMIT_AS), and what is left to the control group (version
 * 2, where its files are at the usual place). Each is left out where it cannot be read. */
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The number after `key` at the start of a line, in kB; NAN when there is none. */
static double meminfo(const char *key) {
  char line[256];
  double value = NAN;
  const size_t n = strlen(key);
  FILE *f = fopen("/proc/meminfo", "re");
  while (f && fgets(line, sizeof line, f)) {
    unsigned long long kb;
    if (strncmp(line, key, n) == 0 && sscanf(line + n, " %llu", &kb) == 1) value = (double)kb;
  }
  if (f) fclose(f);
  return value;
}

static double of_system(void) {
  const double there = meminfo("MemAvailable:"), swap = meminfo("SwapFree:");
  if (isnan(there)) return INFINITY;
  return 1024.0 * (there + (isnan(swap) ? 0.0 : swap));
}

/* The first number of a file; INFINITY for "max" or when it cannot be read. */
static double number_in(const char *path) {
  unsigned long long v;
  FILE *f = fopen(path, "re");
  const int read = f ? fscanf(f, "%llu", &v) : 0;
  if (f) fclose(f);
  return read == 1 ? (double)v : INFINITY;
}

static double of_address_space(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return INFINITY;
  const double pages = number_in("/proc/self/statm");
  const double taken = isfinite(pages) ? pages * (double)sysconf(_SC_PAGESIZE) : 0.0;
  return fmax((double)limit.rlim_cur - taken, 0.0);
}

static double of_group(void) {
  const double most = number_in("/sys/fs/cgroup/memory.max");
  const double taken = number_in("/sys/fs/cgroup/memory.current");
  return isfinite(most) && isfinite(taken) ? fmax(most - taken, 0.0) : INFINITY;
}

double ria_memory_available(void) {
  return fmin(of_system(), fmin(of_address_space(), of_group()));
}
