/* refuse.c - a library to preload: memory runs out. From the moment that main starts, the
 * REFUSE_AT-th request for memory is refused, and with it every later one unless REFUSE_ONE is set.
 * REFUSE_COUNT names a file that gets the number of requests when the process ends. Everything it
 * needs itself was there before.
 *
 * Most requests of a script are Lua's, from few places. So requests can be told by their place, the
 * innermost calls in the program that lead to them: REFUSE_PLACES names a file that gets each place
 * of the run, a number a line; REFUSE_PLACE=number refuses the first request from there, alone. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PLACES: a power of 2, several times as many as a run has. */
enum { CALLS = 4, STACK = 24, PLACES = 1 << 16 };

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

static uintptr_t program_begin, program_end;
static _Atomic uint64_t places[PLACES]; /* by hash; 0: free */
static uint64_t refuse_place;
static bool by_place;
static atomic_flag place_was_met = ATOMIC_FLAG_INIT;

static int find_program(struct dl_phdr_info *info, size_t size, void *user) {
  (void)size, (void)user;
  program_begin = info->dlpi_addr;
  for (int k = 0; k < info->dlpi_phnum; k++) {
    const uintptr_t end = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr + info->dlpi_phdr[k].p_memsz;
    if (info->dlpi_phdr[k].p_type == PT_LOAD && end > program_end) program_end = end;
  }
  return 1; /* the program is the first */
}

/* Of the calls in the program alone, relative to where it was loaded: the same in each run. */
static uint64_t place_of_call(void) {
  void *stack[STACK];
  uint64_t place = 1469598103934665603u;
  for (int k = 0, n = backtrace(stack, STACK), calls = 0; k < n && calls < CALLS; k++) {
    const uintptr_t at = (uintptr_t)stack[k];
    if (at < program_begin || at >= program_end) continue;
    place = (place ^ (at - program_begin)) * 1099511628211u;
    calls++;
  }
  return place ? place : 1;
}

static void remember(uint64_t place) {
  for (size_t k = 0; k < PLACES; k++) {
    _Atomic uint64_t *entry = &places[(place + k) & (PLACES - 1)];
    uint64_t there = 0;
    if (atomic_compare_exchange_strong(entry, &there, place) || there == place) return;
  }
}

static bool refused_here(void) {
  const uint64_t place = place_of_call();
  if (!refuse_place) remember(place);
  const bool no = place == refuse_place && !atomic_flag_test_and_set(&place_was_met);
  if (no) errno = ENOMEM;
  return no;
}

static bool refused(void) {
  if (!atomic_load(&armed)) return false;
  if (by_place) return refused_here();
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

static void tell_places(const char *path) {
  FILE *f = fopen(path, "w");
  if (!f) _exit(99);
  for (size_t k = 0; k < PLACES; k++)
    if (atomic_load(&places[k])) fprintf(f, "%llu\n", (unsigned long long)atomic_load(&places[k]));
  if (fclose(f)) _exit(99);
}

/* The first call of backtrace loads what it needs. */
static void begin_places(const char *list, const char *place) {
  by_place = list || place;
  if (!by_place) return;
  void *stack[STACK];
  backtrace(stack, STACK);
  dl_iterate_phdr(find_program, NULL);
  if (place) refuse_place = strtoull(place, NULL, 10);
}

static int counted_main(int argc, char **argv, char **env) {
  const char *at = getenv("REFUSE_AT"), *count = getenv("REFUSE_COUNT");
  const char *list = getenv("REFUSE_PLACES");
  begin_places(list, getenv("REFUSE_PLACE"));
  refuse_at = at ? atol(at) : -1;
  only_one = getenv("REFUSE_ONE") != NULL;
  atomic_store(&armed, true);
  const int code = real_main(argc, argv, env);
  atomic_store(&armed, false);
  if (count) tell(count);
  if (list) tell_places(list);
  return code;
}

int __libc_start_main(main_fn *fn, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  start_fn *start;
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = fn;
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
