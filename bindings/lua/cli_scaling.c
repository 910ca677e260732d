/* cli_scaling.c - ria bench scaling: how much faster several devices are than one, in one call.
 *
 * What is measured is the solvers' to say (ria_solver.scaling). A device is a GPU, a thread of a
 * CPU with a part of its own, or a rank. Each measurement has a context of its own; with ranks, the
 * first is that of rank 0 alone, and the others wait for it. */
#include "cli_scaling.h"
#include <ria/bench.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WAYS = 32, MAX_SIZES = 8 };

/* On what a grid is stepped. */
typedef struct way {
  char on[48], device[128];
  int devices, threads, parts;
  bool ranks; /* all of them, else rank 0 */
  bool plain; /* threads without parts: beside the others, no point of the model */
} way;

typedef struct scaling {
  const cli_options *o;
  const char *only; /* case */
  int size[MAX_SIZES], n_sizes, each;
  double seconds;
  bool gpus, headed;
  way way[MAX_WAYS];
  int n_ways;
  scaling_point *point;
  size_t n, room;
  cli_json json;
} scaling;

/* --- what is measured ------------------------------------------------------------------------- */

bool scaling_named(const char *name, const ria_solver **solver, const ria_bench_scaling **out) {
  for (size_t k = 0; k < ria_solver_count(); k++) {
    *solver = ria_solver_at(k);
    const size_t n = strlen((*solver)->name);
    if (strncmp((*solver)->name, name, n) != 0 || name[n] != '/') continue;
    for (*out = (*solver)->scaling; *out && (*out)->name; ++*out)
      if (strcmp((*out)->name, name + n + 1) == 0) return true;
  }
  return false;
}

/* "shallow_water", "second" and "shallow_water/second". */
static bool wanted(const scaling *s, const ria_solver *solver, const ria_bench_scaling *c) {
  char name[64];
  snprintf(name, sizeof name, "%s/%s", solver->name, c->name);
  return !s->only || strcmp(s->only, name) == 0 || strcmp(s->only, solver->name) == 0 ||
         strcmp(s->only, c->name) == 0;
}

static bool any_wanted(const scaling *s) {
  for (size_t k = 0; k < ria_solver_count(); k++)
    for (const ria_bench_scaling *c = ria_solver_at(k)->scaling; c && c->name; c++)
      if (wanted(s, ria_solver_at(k), c)) return true;
  return false;
}

static void complain_case(const scaling *s) {
  char known[512] = "";
  size_t at = 0;
  for (size_t k = 0; k < ria_solver_count(); k++)
    for (const ria_bench_scaling *c = ria_solver_at(k)->scaling; c && c->name; c++)
      if (at < sizeof known)
        at += (size_t)snprintf(known + at, sizeof known - at, "%s%s/%s", at ? ", " : "",
                               ria_solver_at(k)->name, c->name);
  cli_complain(s->o, "bench scaling: unknown case '%s': known are %s", s->only, known);
}

/* --- settings --------------------------------------------------------------------------------- */

static bool read_edge(const char *text, char **end, int *out) {
  const long n = strtol(text, end, 10);
  *out = (int)n;
  return *end != text && n >= 8 && n <= 32768;
}

static bool read_sizes(scaling *s, const char *text) {
  char *end = (char *)(uintptr_t)text;
  for (s->n_sizes = 0; s->n_sizes < MAX_SIZES; text = end + 1) {
    if (!read_edge(text, &end, &s->size[s->n_sizes])) return false;
    s->n_sizes++;
    if (*end != ',') return *end == '\0';
  }
  return false;
}

static bool set(scaling *s, const char *text, const char **points) {
  static const char *const names[] = {"case", "size", "each", "seconds", "points"};
  const char *value = strchr(text, '=') + 1;
  char word[64], *end = NULL;
  bool good = true;
  snprintf(word, sizeof word, "%.*s", (int)(value - 1 - text), text);
  if (strcmp(word, "case") == 0) {
    s->only = value;
  } else if (strcmp(word, "size") == 0) {
    good = read_sizes(s, value);
  } else if (strcmp(word, "each") == 0) {
    good = strcmp(value, "no") == 0 ? (s->each = 0, true) : read_edge(value, &end, &s->each);
  } else if (strcmp(word, "seconds") == 0) {
    s->seconds = strtod(value, &end);
    good = end != value && !*end && s->seconds > 0.0 && s->seconds <= 3600.0;
  } else if (strcmp(word, "points") == 0) {
    *points = value;
  } else {
    const char *near = ria_nearest(word, names, sizeof names / sizeof *names);
    cli_complain(s->o,
                 near ? "unknown setting '%s': did you mean '%s'?"
                      : "unknown setting '%s': one of case, size, each, seconds, points",
                 word, near);
    return false;
  }
  if (!good) cli_complain(s->o, "%s: the value is not allowed (see `ria help bench`)", text);
  return good;
}

/* --- devices ---------------------------------------------------------------------------------- */

static way *add_way(scaling *s, int devices, const char *what) {
  way *w = &s->way[s->n_ways++];
  *w = (way){.devices = devices, .threads = s->o->threads};
  snprintf(w->on, sizeof w->on, "%d %s%s", devices, what, devices == 1 ? "" : "s");
  return w;
}

/* 1, 2, 4, ... up to n, and n. 0: that was the last. */
static int next_count(int k, int n) { return k == n ? 0 : 2 * k < n ? 2 * k : n; }

/* Numbers of the GPUs of "cuda:0-1,3"; other words are the engine's to refuse. */
static int list_gpus(const char *device, int *number, int most) {
  int n = 0;
  if (strncmp(device, "cuda:", 5) != 0) return 0;
  for (char *at = (char *)(uintptr_t)device + 4; (*at == ':' || *at == ',') && n < most;) {
    const long first = strtol(at + 1, &at, 10);
    const long last = *at == '-' ? strtol(at + 1, &at, 10) : first;
    for (long k = first; k <= last && n < most; k++) number[n++] = (int)k;
  }
  return n;
}

static void add_gpus(scaling *s, const int *number, int n) {
  for (int k = 1; k > 0 && s->n_ways < MAX_WAYS; k = next_count(k, n)) {
    way *w = add_way(s, k, "GPU");
    size_t at = (size_t)snprintf(w->device, sizeof w->device, "cuda");
    for (int j = 0; j < k && at < sizeof w->device; j++)
      at +=
          (size_t)snprintf(w->device + at, sizeof w->device - at, "%c%d", j ? ',' : ':', number[j]);
  }
  s->gpus = true;
}

/* A part a thread, and beside it as many threads on one part. */
static void add_threads(scaling *s, int n) {
  for (int k = 1; k > 0 && s->n_ways + 1 < MAX_WAYS; k = next_count(k, n)) {
    way *w = add_way(s, k, "thread");
    snprintf(w->device, sizeof w->device, "cpu");
    w->threads = w->parts = k;
    if (k == 1) continue;
    way *plain = add_way(s, k, "thread");
    *plain = *w;
    plain->parts = 1;
    plain->plain = true;
    snprintf(plain->on, sizeof plain->on, "%d threads, one part", k);
  }
}

/* Threads of a rank in a run of all. comm NULL: of this process by itself, one for each core that
 * it may run on. */
static int threads_in_run(const scaling *s, const char *device, ria_comm *comm) {
  ria_context *ctx = NULL;
  char why[1024] = "";
  const ria_context_desc of = {.threads = comm ? s->o->threads : 0,
                               .comm = comm,
                               .device = device,
                               .error = why,
                               .error_size = sizeof why};
  int code = cli_exit_code(ria_context_create(&of, &ctx));
  if (comm) code = cli_ranks_same_code("threads were counted", code, why, sizeof why);
  const int threads = code == EXIT_OK ? ria_context_threads(ctx) : 1;
  if (comm && code == EXIT_OK) ria_context_leave(ctx, code);
  ria_context_destroy(&ctx);
  return threads;
}

/* All ranks' threads in one process: where they are of one host, and all may run on its cores. */
static bool fit_in_one(const scaling *s, int n, int threads) {
  char why[8] = "";
  const bool fit = cli_comm()->local_size == n && n * threads <= threads_in_run(s, "cpu", NULL);
  return cli_ranks_same_code("cores were counted", fit ? EXIT_OK : EXIT_SCRIPT, why, sizeof why) ==
         EXIT_OK;
}

/* A rank alone has as many threads as each of all. */
static void add_ranks(scaling *s, int n) {
  const char *device = s->o->device ? s->o->device : "cpu";
  const int threads = threads_in_run(s, device, cli_comm());
  for (int k = 1; k > 0; k = k == 1 ? n : 0) {
    way *w = add_way(s, k, "rank");
    snprintf(w->device, sizeof w->device, "%s", device);
    w->threads = threads;
    w->ranks = k > 1;
  }
  s->gpus = strncmp(device, "cuda", 4) == 0;
  if (s->gpus || !fit_in_one(s, n, threads)) return;
  way *plain = add_way(s, n, "");
  snprintf(plain->device, sizeof plain->device, "%s", device);
  snprintf(plain->on, sizeof plain->on, "1 rank, %d threads", n * threads);
  plain->threads = n * threads;
  plain->plain = true;
}

static void choose_ways(scaling *s) {
  const char *device = s->o->device;
  int number[64], n = 0;
  ria_device_info d;
  if (cli_comm() && cli_comm()->size > 1) {
    add_ranks(s, cli_comm()->size);
    return;
  }
  if (!device || strcmp(device, "auto") == 0)
    for (size_t k = 1; n < 64 && ria_device_list(k, &d); k++)
      if (d.there) number[n++] = (int)k - 1;
  if (device && strncmp(device, "cuda", 4) == 0) {
    n = list_gpus(device, number, 64);
    if (n == 0) {
      snprintf(add_way(s, 1, "GPU")->device, sizeof s->way->device, "%s", device);
      s->gpus = true;
      return;
    }
  }
  if (n > 0)
    add_gpus(s, number, n);
  else
    add_threads(s, s->o->threads ? s->o->threads : threads_in_run(s, "cpu", NULL));
}

/* --- one measurement -------------------------------------------------------------------------- */

static int code_of(ria_status s) { return s == RIA_ERR_ARGUMENT ? EXIT_USAGE : cli_exit_code(s); }

/* On the ranks that take part. why: of a failure. */
static int bench(const way *w, const ria_bench_desc *desc, ria_bench_result *r, char *why,
                 size_t size) {
  ria_context *ctx = NULL;
  size_t n = 1;
  const ria_context_desc of = {.threads = w->threads,
                               .parts = w->parts,
                               .comm = w->ranks ? cli_comm() : NULL,
                               .device = w->device,
                               .error = why,
                               .error_size = size};
  ria_status status = ria_context_create(&of, &ctx);
  int code = code_of(status);
  if (w->ranks) code = cli_ranks_same_code("a context was made", code, why, size);
  if (code != EXIT_OK) {
    ria_context_destroy(&ctx);
    return code;
  }
  status = ria_bench(ctx, desc, r, &n);
  snprintf(why, size, "%s", status == RIA_OK ? "" : ria_error(ctx));
  if (ria_context_ended(ctx, status, why)) snprintf(why, size, "%s", ria_error(ctx));
  code = ria_context_leave(ctx, code_of(status));
  ria_context_destroy(&ctx);
  return code;
}

/* The same on all ranks: those that have no part in it wait. */
static int measure(const way *w, const ria_bench_desc *desc, ria_bench_result *r, char *why,
                   size_t size) {
  const bool takes_part = w->ranks || cli_speaks();
  const int code = takes_part ? bench(w, desc, r, why, size) : EXIT_OK;
  return cli_ranks_same_code("a case was measured", code, why, size);
}

/* --- rows of the table ------------------------------------------------------------------------ */

static void time_text(double us, char *text, size_t size) {
  snprintf(text, size, us < 1000.0 ? "%.2f us" : "%.3f ms", us < 1000.0 ? us : us / 1000.0);
}

static void print_head(scaling *s) {
  if (s->headed) return;
  s->headed = true;
  printf("  %-22s %4s %-15s %-20s %10s %10s %6s %8s\n", "case", "bits", "cells", "on", "a step",
         "sustained", "times", "of ideal");
}

typedef struct row {
  const char *name;
  int nx, ny, bits;
  double one; /* cells a us of one device; 0: not known */
} row;

static void json_row(scaling *s, const row *w, const way *on, const ria_bench_result *r,
                     double times, const char *why) {
  json_open(&s->json, NULL, '{');
  json_text(&s->json, "case", w->name);
  json_text(&s->json, "on", on->on);
  json_number(&s->json, "devices", on->devices);
  json_number(&s->json, "nx", w->nx);
  json_number(&s->json, "ny", w->ny);
  if (*why) {
    json_text(&s->json, "error", why);
  } else {
    json_number(&s->json, "bits", w->bits);
    json_number(&s->json, "ms_per_step", r->ms_per_step);
    json_number(&s->json, "ms_sustained", r->ms_sustained);
    json_number(&s->json, "times", times);
  }
  json_close(&s->json, '}');
}

static void print_row(scaling *s, const row *w, const way *on, const ria_bench_result *r,
                      const char *why) {
  char cells[32], step[32], sustained[32];
  const double rate = *why ? 0.0 : 1e-3 * (double)w->nx * w->ny / r->ms_per_step;
  const double times = w->one > 0.0 ? rate / w->one : 0.0;
  if (s->o->json) {
    json_row(s, w, on, r, times, why);
    return;
  }
  print_head(s);
  snprintf(cells, sizeof cells, "%d x %d", w->nx, w->ny);
  printf("  %-22s %4d %-15s %-20s", w->name, w->bits, cells, on->on);
  if (*why) {
    printf(" %s\n", why);
    return;
  }
  time_text(1e3 * r->ms_per_step, step, sizeof step);
  time_text(1e3 * r->ms_sustained, sustained, sizeof sustained);
  printf(" %10s %10s", step, sustained);
  if (on->devices > 1)
    printf(" %6.2f %6.0f %%\n", times, 100.0 * times / on->devices);
  else
    printf("\n");
  fflush(stdout);
}

static bool keep(scaling *s, const row *w, const way *on, double us) {
  if (s->n == s->room) {
    scaling_point *more = realloc(s->point, (s->room = 2 * s->room + 64) * sizeof *more);
    if (!more) return false;
    s->point = more;
  }
  scaling_point *p = &s->point[s->n++];
  *p = (scaling_point){.nx = w->nx, .ny = w->ny, .devices = on->devices, .us = us};
  snprintf(p->name, sizeof p->name, "%s", w->name);
  return true;
}

/* All ranks know what was measured, and leave out the same; those that had no part in it do not
 * know how long it took. */
static bool keep_on_all(scaling *s, const row *w, const way *on, const ria_bench_result *r) {
  char why[64] = "out of memory";
  const bool kept = keep(s, w, on, r->ms_per_step > 0.0 ? 1e3 * r->ms_per_step : 1.0);
  const int code = kept ? EXIT_OK : EXIT_SCRIPT;
  if (cli_ranks_same_code("a case was kept", code, why, sizeof why) == EXIT_OK) return true;
  cli_complain(s->o, "bench scaling: %s", why);
  return false;
}

/* Cells a us of one device, if that was measured. */
static double of_one(const scaling *s, const row *w) {
  for (size_t k = 0; k < s->n; k++)
    if (s->point[k].devices == 1 && s->point[k].nx == w->nx && s->point[k].ny == w->ny &&
        strcmp(s->point[k].name, w->name) == 0)
      return (double)w->nx * w->ny / s->point[k].us;
  return 0.0;
}

/* A case at one size on all devices, or a square for each of them. */
static int measure_size(scaling *s, const ria_solver *solver, const ria_bench_scaling *c, row *w,
                        bool each) {
  const int n = w->nx;
  char why[1024] = "";
  for (int k = 0; k < s->n_ways; k++) {
    const way *on = &s->way[k];
    ria_bench_result r = {0};
    w->ny = each ? n * on->devices : n;
    if (on->devices == 1 && (w->one = of_one(s, w)) > 0.0) continue;
    const ria_bench_desc desc = {.solver = solver->name,
                                 .name = c->name,
                                 .n = n,
                                 .ny = w->ny,
                                 .seconds = s->seconds,
                                 .alone = true};
    const int code = measure(on, &desc, &r, why, sizeof why);
    if (code != EXIT_OK && on->devices == 1) {
      cli_complain(s->o, "%s: %s", w->name, why);
      return code;
    }
    if (code == EXIT_OK) why[0] = '\0';
    if (code == EXIT_OK && !on->plain && !keep_on_all(s, w, on, &r)) return EXIT_SCRIPT;
    if (on->devices == 1) w->one = of_one(s, w);
    if (cli_speaks()) print_row(s, w, on, &r, why);
  }
  return EXIT_OK;
}

static int measure_case(scaling *s, const ria_solver *solver, const ria_bench_scaling *c) {
  char name[64];
  const int part = s->gpus ? 1 : 8, each = s->each < 0 ? c->each / part : s->each;
  row w = {.name = name};
  snprintf(name, sizeof name, "%s/%s", solver->name, c->name);
  for (const ria_bench_case *b = solver->bench; b && b->name; b++)
    if (strcmp(b->name, c->name) == 0) w.bits = b->real == RIA_F32 ? 32 : 64;
  for (int k = 0; s->n_sizes ? k < s->n_sizes : k < 6 && c->n[k] > 0; k++) {
    w.nx = s->n_sizes ? s->size[k] : c->n[k] / part;
    const int code = measure_size(s, solver, c, &w, false);
    if (code != EXIT_OK) return code;
  }
  if (each == 0 || s->way[s->n_ways - 1].devices == 1) return EXIT_OK;
  w.nx = each;
  return measure_size(s, solver, c, &w, true);
}

static int measure_cases(scaling *s) {
  for (size_t k = 0; k < ria_solver_count(); k++) {
    const ria_solver *solver = ria_solver_at(k);
    for (const ria_bench_scaling *c = solver->scaling; c && c->name; c++) {
      const int code = wanted(s, solver, c) ? measure_case(s, solver, c) : EXIT_OK;
      if (code != EXIT_OK) return code;
    }
  }
  return EXIT_OK;
}

/* What was measured before a case failed is still a list. */
static int measure_all(scaling *s) {
  choose_ways(s);
  if (s->o->json) json_open(&s->json, NULL, '[');
  const int code = measure_cases(s);
  if (s->o->json) {
    json_close(&s->json, ']');
    printf("\n");
  }
  return code;
}

/* --- the command ------------------------------------------------------------------------------ */

int cli_scaling(const cli_options *o) {
  scaling s = {.o = o, .each = -1, .seconds = 1.0, .json = {stdout, true}};
  const char *points = NULL;
  for (size_t k = 0; k < o->n_overrides; k++)
    if (!set(&s, o->overrides[k], &points)) return EXIT_USAGE;
  if (o->parts) {
    cli_complain(o, "bench scaling cuts the grid itself: it takes no --parts");
    return EXIT_USAGE;
  }
  if (!any_wanted(&s)) {
    complain_case(&s);
    return EXIT_USAGE;
  }
  int code = EXIT_OK;
  if (points) {
    s.gpus = true;
    char why[512] = "the points cannot be read";
    if (!scaling_read(o, points, &s.point, &s.n)) code = EXIT_INPUT;
    const int all = cli_ranks_same_code("points were read", code, why, sizeof why);
    if (code == EXIT_OK && all != EXIT_OK) cli_complain(o, "bench scaling: %s", why);
    code = all;
  } else {
    code = measure_all(&s);
  }
  if (code == EXIT_OK && cli_speaks() && !o->json) scaling_model(s.point, s.n, s.gpus);
  free(s.point);
  return code;
}
