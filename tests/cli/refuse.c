/* refuse.c - a library to preload: memory runs out. From the moment that main starts, the
 * REFUSE_AT-th request for memory is refused, and with it every later one unless REFUSE_ONE is set.
 * REFUSE_COUNT names a file that gets the number of requests when the process ends. Everything it
 * needs itself was there before. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

typedef int main_fn(int argc, char **argv, char **env);
typedef int start_fn(main_fn *fn, int argc, char **argv, void (*init)(void), void (*fini)(void),
                     void (*rtld_fini)(void), void *stack_end);

static main_fn *real_main;
static atomic_bool armed;
static atomic_long requests;
static long refuse_at = -1;
static bool only_one;

static bool refused(void) {
  if (!atomic_load(&armed)) return false;
  const long k = atomic_fetch_add(&requests, 1);
  const bool no = refuse_at >= 0 && (only_one ? k == refuse_at : k >= refuse_at);
  if (no) errno = ENOMEM;
  return no;
}

void *malloc(size_t size) { return refused() ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return refused() ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t size) { return refused() ? NULL : __libc_realloc(p, size); }
void *memalign(size_t alignment, size_t size) {
  return refused() ? NULL : __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  return refused() ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void **p, size_t alignment, size_t size) {
  void *block = refused() ? NULL : __libc_memalign(alignment, size);
  if (!block) return ENOMEM;
  *p = block;
  return 0;
}

static void tell(const char *path) {
  char text[32];
  const int n = snprintf(text, sizeof text, "%ld\n", atomic_load(&requests));
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd < 0 || write(fd, text, (size_t)n) != n) _exit(99);
  close(fd);
}

static int counted_main(int argc, char **argv, char **env) {
  const char *at = getenv("REFUSE_AT"), *count = getenv("REFUSE_COUNT");
  refuse_at = at ? atol(at) : -1;
  only_one = getenv("REFUSE_ONE") != NULL;
  atomic_store(&armed, true);
  const int code = real_main(argc, argv, env);
  atomic_store(&armed, false);
  if (count) tell(count);
  return code;
}

int __libc_start_main(main_fn *fn, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  start_fn *start;
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = fn;
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
