/* cli_bench.c - ria bench: how fast a solver or a primitive is here, beside the machine itself. */
#include "cli.h"
#include <ria/bench.h>
#include <ria/solver.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_RESULTS = 64 };

/* --- settings --------------------------------------------------------------------------------- */

static const char *const setting_names[] = {"case",      "n",       "steps",  "seconds",
                                            "precision", "tracers", "output", "checkpoint"};
enum { CASE, N, STEPS, SECONDS, PRECISION, TRACERS, OUTPUT, CHECKPOINT, SETTINGS };

static bool set_number(ria_bench_desc *desc, int setting, double v) {
  switch (setting) {
  case N:
    desc->n = (int)v;
    return v >= 8 && v <= 32768;
  case STEPS:
    desc->steps = (int64_t)v;
    return v >= 1 && v <= 1e9;
  case SECONDS:
    desc->seconds = v;
    return v > 0.0 && v <= 3600.0;
  case PRECISION:
    desc->precision = (int)v;
    return v == 32.0 || v == 64.0;
  case TRACERS:
    desc->tracers = (int)v;
    desc->set_tracers = true;
    return v >= 0.0 && v <= RIA_MAX_TRACERS;
  default:
    return false;
  }
}

/* One "name=value" of the command line; false with the reason on stderr. */
static bool set(const cli_options *o, ria_bench_desc *desc, const char *text) {
  const char *value = strchr(text, '=') + 1;
  char word[64], *end;
  snprintf(word, sizeof word, "%.*s", (int)(value - 1 - text), text);
  int setting = 0;
  while (setting < SETTINGS && strcmp(setting_names[setting], word) != 0) setting++;
  if (setting == SETTINGS) {
    const char *near = ria_nearest(word, setting_names, SETTINGS);
    cli_complain(o,
                 near ? "unknown setting '%s': did you mean '%s'?"
                      : "unknown setting '%s': one of case, n, steps, seconds, precision, "
                        "tracers, output, checkpoint",
                 word, near);
    return false;
  }
  if (setting == CASE) return desc->name = value, true;
  if (setting == OUTPUT) {
    desc->raw = strcmp(value, "raw") == 0;
    desc->output = desc->raw || strcmp(value, "yes") == 0;
    if (desc->output || strcmp(value, "no") == 0) return true;
  }
  if (setting == CHECKPOINT) {
    desc->checkpoint = strcmp(value, "yes") == 0;
    if (desc->checkpoint || strcmp(value, "no") == 0) return true;
  }
  double v = strtod(value, &end);
  if (end != value && !*end && set_number(desc, setting, v)) return true;
  cli_complain(o, "%s: the value is not allowed (see `ria help bench`)", text);
  return false;
}

/* --- results ---------------------------------------------------------------------------------- */

static void print_head(const ria_bench_result *r) {
  const ria_backend *b = r->backend;
  if (b->kind == RIA_BACKEND_CPU)
    printf("%s, %d threads", b->name, r->threads);
  else
    printf("%s, %s", b->name, b->description);
  printf("; a large copy moves %.1f GB/s\n\n", r->bandwidth / 1e9);
  printf("  %-18s %-13s %4s %7s %10s %10s %14s %6s %8s\n", "case", "cells", "bits", "tracers",
         "a step", "sustained", "rate", "wet", "of copy");
}

/* Four digits or so, in the unit that suits. */
static void time_text(double ms, char *text, size_t size) {
  if (ms < 1.0)
    snprintf(text, size, "%.2f us", 1e3 * ms);
  else
    snprintf(text, size, "%.3f ms", ms);
}

static void rate_text(double cells, char *text, size_t size) {
  if (cells >= 1e10)
    snprintf(text, size, "%.2f Gcell/s", cells / 1e9);
  else
    snprintf(text, size, "%.1f Mcell/s", cells / 1e6);
}

static void print_row(const ria_bench_result *r) {
  char cells[64], step[32], sustained[32], rate[32];
  snprintf(cells, sizeof cells, r->nz ? "%d x %d x %d" : "%d x %d", r->nx, r->ny, r->nz);
  time_text(r->ms_per_step, step, sizeof step);
  time_text(r->ms_sustained, sustained, sizeof sustained);
  rate_text(r->cell_rate, rate, sizeof rate);
  printf("  %-18s %-13s %4d %7d %10s %10s %14s %5.0f%% %7.0f%%  %s\n", r->name, cells,
         r->precision == RIA_F32 ? 32 : 64, r->n_tracers, step, sustained, rate, 100.0 * r->wet,
         100.0 * r->fraction, r->doc);
  if (r->output)
    printf("  %-18s a frame and a save every 50 steps: %+.1f %% wall time\n", "",
           100.0 * r->output_cost);
  if (r->checkpoint)
    printf("  %-18s a checkpoint every %lld steps: %+.1f %% wall time; %.2f GB, on disk after %.2f "
           "s\n",
           "", (long long)r->steps, 100.0 * r->checkpoint_cost, r->checkpoint_bytes / 1e9,
           r->checkpoint_wall);
}

static void json_row(cli_json *j, const ria_bench_result *r) {
  const ria_backend *b = r->backend;
  json_open(j, NULL, '{');
  json_text(j, "case", r->name);
  json_text(j, "device", b->name);
  json_text(j, "description", b->description);
  json_number(j, "nx", r->nx);
  json_number(j, "ny", r->ny);
  if (r->nz) json_number(j, "nz", r->nz);
  json_number(j, "tracers", r->n_tracers);
  json_number(j, "threads", r->threads);
  json_number(j, "bits", r->precision == RIA_F32 ? 32 : 64);
  json_number(j, "steps", (double)r->steps);
  json_number(j, "wall", r->wall);
  json_number(j, "ms_per_step", r->ms_per_step);
  json_number(j, "ms_sustained", r->ms_sustained);
  json_number(j, "cells_per_second", r->cell_rate);
  json_number(j, "wet", r->wet);
  json_number(j, "bytes_per_cell", r->bytes_per_cell);
  json_number(j, "bandwidth", r->bandwidth);
  json_number(j, "fraction", r->fraction);
  if (r->output) json_number(j, "output_cost", r->output_cost);
  if (r->checkpoint) {
    json_number(j, "checkpoint_cost", r->checkpoint_cost);
    json_number(j, "checkpoint_bytes", r->checkpoint_bytes);
    json_number(j, "checkpoint_wall", r->checkpoint_wall);
  }
  json_close(j, '}');
}

static void print_results(const cli_options *o, const ria_bench_result results[], size_t n) {
  if (o->json) {
    cli_json j = {stdout, true};
    json_open(&j, NULL, '[');
    for (size_t k = 0; k < n; k++) json_row(&j, &results[k]);
    json_close(&j, ']');
    printf("\n");
    return;
  }
  if (n) print_head(&results[0]);
  for (size_t k = 0; k < n; k++) print_row(&results[k]);
}

/* Error against seconds is a script of the engine's own: it reads the settings itself. */
static int bench_accuracy(const cli_options *o) {
  char path[4096];
  cli_options run = *o;
  cli_own_script("accuracy", path, sizeof path);
  run.file = path;
  run.quiet = true;
  return cli_run(&run);
}

int cli_bench(const cli_options *o) {
  if (o->file && strcmp(o->file, "accuracy") == 0) return bench_accuracy(o);
  if (o->file && strcmp(o->file, "scaling") == 0) return cli_scaling(o);
  ria_bench_desc desc = {.solver = o->file};
  ria_context *ctx = NULL;
  for (size_t k = 0; k < o->n_overrides; k++)
    if (!set(o, &desc, o->overrides[k])) return EXIT_USAGE;
  int code = cli_make_context(o, NULL, NULL, &ctx);
  if (code != EXIT_OK) return code;
  static const size_t room = MAX_RESULTS;
  ria_bench_result *results = calloc(room, sizeof *results);
  size_t n = room;
  ria_status status =
      results ? ria_bench(ctx, &desc, results, &n) : ria_fail(ctx, RIA_ERR_MEMORY, "out of memory");
  if (status == RIA_OK)
    print_results(o, results, n);
  else
    cli_complain(o, "%s", ria_error(ctx));
  free(results);
  ria_context_destroy(&ctx);
  return status == RIA_ERR_ARGUMENT ? EXIT_USAGE : cli_exit_code(status);
}
