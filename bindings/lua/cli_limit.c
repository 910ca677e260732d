/* cli_limit.c - limits for scripts of others: ria run --limited; check, params and info always.
 *
 * The binding keeps the script from what it may not use and counts (limited.c), the engine asks
 * which files it may open (ria/limit.h). What neither can do is done here: memory of the whole
 * process is bounded by the system (RLIMIT_DATA), where the steps run on the CPU; and a thread ends
 * the process when the time is over and the script does not end, as a pattern that backtracks. */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { GRACE = 5 }; /* s after the end of the time, to close results */

/* --- what the command line says ----------------------------------------------------------------*/

/* A run is bounded as one on a shared machine is; a check is of a script of one's own as a rule,
 * and of large grids. */
enum { INSTRUCTIONS, MEMORY, TIME, CELLS, FRAMES, OUTPUT, N_BOUNDS };
static const struct {
  const char *name;
  double run, check;
} defaults[N_BOUNDS] = {[INSTRUCTIONS] = {"instructions", 1e11, 1e12},
                        [MEMORY] = {"memory", 4e9, 1e13},
                        [TIME] = {"time", 3600, 3600},
                        [CELLS] = {"cells", 1e8, 1e10},
                        [FRAMES] = {"frames", 1e4, 1e4},
                        [OUTPUT] = {"output", 1e10, 1e10}};

/* 2G, 500M, 1e9; of a time 10m, 2h, 90s. NAN: neither. */
static double number_of(const char *text, bool time) {
  static const char units[] = "kMGT", spans[] = "smhd";
  static const double of_unit[] = {1e3, 1e6, 1e9, 1e12}, of_span[] = {1, 60, 3600, 86400};
  char *end;
  double v = strtod(text, &end);
  const char *at = *end ? strchr(time ? spans : units, *end) : NULL;
  if (at && !end[1]) {
    v *= time ? of_span[at - spans] : of_unit[at - units];
    end++;
  }
  return end != text && !*end && v > 0.0 && isfinite(v) ? v : NAN;
}

static int take_bound(const cli_options *o, const char *word, double bounds[N_BOUNDS]) {
  const char *equals = strchr(word, '='), *names[N_BOUNDS];
  for (int k = 0; k < N_BOUNDS; k++) {
    names[k] = defaults[k].name;
    if (!equals || strlen(names[k]) != (size_t)(equals - word) ||
        strncmp(names[k], word, (size_t)(equals - word)) != 0)
      continue;
    bounds[k] = number_of(equals + 1, k == TIME);
    if (!isnan(bounds[k])) return EXIT_OK;
    cli_complain(o, "--limit %s: expected a number above 0, as in %s", word,
                 k == TIME ? "time=10m (s, m, h, d)" : "memory=2G (k, M, G, T)");
    return EXIT_USAGE;
  }
  const char *near = ria_nearest(word, names, N_BOUNDS);
  cli_complain(o,
               "--limit %s: expected %s=N, and others of instructions, memory, time, cells, "
               "frames, output, with commas between",
               word, near ? near : "memory");
  return EXIT_USAGE;
}

static int take_bounds(const cli_options *o, double bounds[N_BOUNDS]) {
  char text[512];
  struct stat st;
  const bool run = strcmp(o->command, "run") == 0;
  for (int k = 0; k < N_BOUNDS; k++) bounds[k] = run ? defaults[k].run : defaults[k].check;
  for (size_t k = 0; k < o->n_allow; k++)
    if (stat(o->allow[k], &st) != 0 || !S_ISDIR(st.st_mode)) {
      cli_complain(o, "--allow %s: %s", o->allow[k],
                   errno == ENOENT ? "there is no such directory" : "it is no directory");
      return EXIT_USAGE;
    }
  for (size_t k = 0; k < o->n_limits; k++) {
    if ((size_t)snprintf(text, sizeof text, "%s", o->limits[k]) >= sizeof text) text[0] = '\0';
    char *rest = text, *word;
    if (!*text) return take_bound(o, o->limits[k], bounds);
    while ((word = strsep(&rest, ",")) != NULL) {
      const int code = take_bound(o, word, bounds);
      if (code != EXIT_OK) return code;
    }
  }
  return EXIT_OK;
}

int cli_limit_check(const cli_options *o) {
  double bounds[N_BOUNDS];
  if (o->trusted && (o->n_limits || o->n_allow || o->limited)) {
    cli_complain(o, "--trusted takes limits away: leave out --limited, --limit and --allow");
    return EXIT_USAGE;
  }
  return take_bounds(o, bounds);
}

bool cli_is_limited(const cli_options *o) {
  static const char *const always[] = {"check", "info", "params"};
  for (size_t k = 0; k < sizeof always / sizeof *always; k++)
    if (strcmp(o->command, always[k]) == 0) return !o->trusted;
  return o->limited || o->n_limits || o->n_allow;
}

/* --- the clock ---------------------------------------------------------------------------------*/

static struct {
  pthread_mutex_t lock;
  pthread_cond_t ends; /* by the clock that nobody sets */
  bool ended;
  double time;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool make_ends(void) {
  pthread_condattr_t how;
  if (pthread_condattr_init(&how) != 0) return false;
  const bool made = pthread_condattr_setclock(&how, CLOCK_MONOTONIC) == 0 &&
                    pthread_cond_init(&watch.ends, &how) == 0;
  pthread_condattr_destroy(&how);
  return made;
}

static void *end_late(void *unused) {
  struct timespec until;
  (void)unused;
  clock_gettime(CLOCK_MONOTONIC, &until);
  const double span = fmin(watch.time + GRACE, 1e9);
  until.tv_sec += (time_t)span + 1;
  pthread_mutex_lock(&watch.lock);
  int rc = 0;
  while (!watch.ended && rc != ETIMEDOUT)
    rc = pthread_cond_timedwait(&watch.ends, &watch.lock, &until);
  if (!watch.ended) {
    static const char line[] =
        "ria: limit of time: the script does not end by itself and was ended; "
        "its results stay as they are (--limit time=T)\n";
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0) _exit(EXIT_LIMIT + RIA_LIMIT_TIME);
    _exit(EXIT_LIMIT + RIA_LIMIT_TIME);
  }
  pthread_mutex_unlock(&watch.lock);
  return NULL;
}

static void bound_process(const ria_context *ctx, double bytes) {
  struct rlimit limit;
  unsigned long kb = 0, pages = 0;
  if (strcmp(ria_context_device(ctx), "cpu") != 0) return; /* drivers map what they like */
  FILE *f = fopen("/proc/self/status", "r");
  char line[128];
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "VmData: %lu", &kb) == 1) pages = kb;
  if (f) fclose(f);
  const double threads = 16e6 * (ria_context_threads(ctx) + 32); /* their stacks */
  const double most = 1024.0 * (double)pages + bytes + threads;
  if (!pages || getrlimit(RLIMIT_DATA, &limit) != 0 || !(most < (double)limit.rlim_cur)) return;
  limit.rlim_cur = (rlim_t)most;
  (void)setrlimit(RLIMIT_DATA, &limit);
}

/* --- for cli_script.c --------------------------------------------------------------------------*/

static int add_folder(cli_limits *l, const cli_options *o) {
  const char *slash = strrchr(o->file, '/');
  const bool itself = strcmp(o->file, "-") != 0;
  l->read = calloc(o->n_allow + 2, sizeof *l->read);
  if (!l->read) return cli_complain(o, "out of memory"), EXIT_SCRIPT;
  if (itself && slash)
    snprintf(l->folder, sizeof l->folder, "%.*s", slash == o->file ? 1 : (int)(slash - o->file),
             o->file);
  else
    snprintf(l->folder, sizeof l->folder, ".");
  size_t n = 0;
  if (itself) l->read[n++] = l->folder;
  for (size_t k = 0; k < o->n_allow; k++) l->read[n++] = o->allow[k];
  l->lua.engine.n_read = n;
  l->lua.engine.read = l->read;
  return EXIT_OK;
}

const char *cli_limit_out(const char *file, char *out, size_t size) {
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
  const int n = (int)strlen(base) - (cli_ends_with(base, ".lua") ? 4 : 0);
  snprintf(out, size, "out/%.*s", n > 0 ? n : 3, n > 0 ? base : "run");
  return out;
}

int cli_limit_start(cli_limits *l, const cli_options *o, const char *out, const ria_context *ctx) {
  double bounds[N_BOUNDS];
  *l = (cli_limits){0};
  int code = take_bounds(o, bounds);
  if (code == EXIT_OK) code = add_folder(l, o);
  if (code != EXIT_OK) return code;
  l->lua.instructions = bounds[INSTRUCTIONS];
  l->lua.memory = bounds[MEMORY];
  l->lua.engine.memory = bounds[MEMORY];
  l->lua.engine.time = bounds[TIME];
  l->lua.engine.cells = bounds[CELLS];
  l->lua.engine.frames = bounds[FRAMES];
  l->lua.engine.output = bounds[OUTPUT];
  l->lua.engine.write = out;
  cli_own_path(l->modules, sizeof l->modules);
  l->lua.modules = l->modules;
  bound_process(ctx, 2.0 * bounds[MEMORY]);
  watch.time = bounds[TIME];
  watch.ended = false;
  l->watched = make_ends() && pthread_create(&l->thread, NULL, end_late, NULL) == 0;
  if (l->watched) return EXIT_OK;
  cli_complain(o, "no thread could be started that watches the time");
  return EXIT_SCRIPT;
}

void cli_limit_end(cli_limits *l) {
  if (l->watched) {
    pthread_mutex_lock(&watch.lock);
    watch.ended = true;
    pthread_cond_signal(&watch.ends);
    pthread_mutex_unlock(&watch.lock);
    pthread_join(l->thread, NULL);
    pthread_cond_destroy(&watch.ends);
  }
  free(l->read);
  *l = (cli_limits){0};
}

int cli_limit_code(const ria_context *ctx, bool limited, ria_status status) {
  ria_limit which = ria_context_limited(ctx);
  if (which == RIA_LIMIT_FILES && status != RIA_ERR_LIMIT) which = RIA_LIMIT_NONE;
  if (which == RIA_LIMIT_NONE && status == RIA_ERR_MEMORY && limited) which = RIA_LIMIT_MEMORY;
  return which == RIA_LIMIT_NONE ? cli_exit_code(status) : EXIT_LIMIT + (int)which;
}
