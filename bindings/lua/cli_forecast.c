/* cli_forecast.c - what `ria check` tells of the run: how long, how much memory and disk. */
#include "cli.h"

#include <math.h>
#include <ria/forecast.h>
#include <string.h>

static const double seconds_measured = 1.0, day = 86400.0;

/* --- as people read it ------------------------------------------------------------------------ */

static double rounded(double v, double digits) {
  const double unit = v > 0.0 ? pow(10.0, floor(log10(v)) + 1.0 - digits) : 1.0;
  return unit * round(v / unit);
}

/* A forecast has no more than two. */
static double about(double v) { return rounded(v, 2.0); }

static void put_duration(char *text, size_t size, double s) {
  if (s < 1.0)
    snprintf(text, size, "less than a second");
  else if (s < 100.0 * 60.0)
    ria_format_duration(s < 60.0 ? round(s) : 60.0 * round(s / 60.0), text, size);
  else if (s < 2.0 * day)
    snprintf(text, size, "%.2g h", s / 3600.0);
  else
    snprintf(text, size, "%.3g d", about(s / day));
}

static void put_bytes(char *text, size_t size, double bytes) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  size_t k = 0;
  for (bytes = about(bytes); bytes >= 1000.0 && k + 1 < sizeof units / sizeof *units; k++)
    bytes /= 1000.0;
  snprintf(text, size, "%.3g %s", bytes, units[k]);
}

/* "3 min to 6 min", or one where both read the same. */
static void put_range(char *text, size_t size, ria_range r,
                      void (*put)(char *text, size_t size, double value)) {
  char low[40], high[40];
  put(low, sizeof low, r.low);
  put(high, sizeof high, r.high);
  const bool same = strcmp(low, high) == 0;
  snprintf(text, size, "%s%s%s", low, same ? "" : " to ", same ? "" : high);
}

static void tell_time(const ria_forecast *f, double t_end) {
  char text[96], span[64];
  if (!f->steps) return;
  ria_format_duration(rounded(f->time, 4.0), span, sizeof span);
  if (isfinite(t_end)) {
    put_range(text, sizeof text, f->run_wall, put_duration);
    const double low = f->run_steps.low, high = f->run_steps.high;
    printf("  time       %s: ", text);
    if (low == high) printf("%.0f steps on %s", low, f->device);
    if (low != high) printf("about %.9g to %.9g steps on %s", about(low), about(high), f->device);
  } else {
    put_duration(text, sizeof text, f->seconds_an_hour);
    printf("  time       %s an hour of the flow on %s: it goes on step by step, to no known end",
           text, f->device);
  }
  printf("\n  measured   %lld steps from the start, %s%s\n", (long long)f->steps, span,
         isfinite(t_end) && f->run_steps.low == f->run_steps.high
             ? ", which is all of it"
             : "; the upper figure is for shorter steps that take twice as long in all");
}

static void tell_memory(const ria_forecast *f) {
  char arrays[40], outputs[40] = "", left[40] = "not known";
  put_bytes(arrays, sizeof arrays, f->arrays);
  put_bytes(outputs, sizeof outputs, f->outputs);
  if (isfinite(f->memory_free)) put_bytes(left, sizeof left, f->memory_free);
  if (f->arrays > 0.0)
    printf("  memory     %s of arrays, up to %s for outputs; free beside the arrays: %s\n", arrays,
           outputs, left);
}

static void tell_disk(const ria_forecast *f) {
  char text[96], left[40] = "not known";
  put_range(text, sizeof text, f->disk, put_bytes);
  if (isfinite(f->disk_free)) put_bytes(left, sizeof left, f->disk_free);
  printf("  disk       %s: %.15g frame%s, %.15g save%s; free: %s; what functions of the script "
         "ask for is not in it\n",
         text, f->frames, f->frames == 1.0 ? "" : "s", f->saves, f->saves == 1.0 ? "" : "s", left);
}

/* --- what is wrong with it -------------------------------------------------------------------- */

typedef void (*warn_fn)(void *to, const char *text);

static void warn_of_all(const ria_forecast *f, warn_fn warn, void *to) {
  char need[96], left[40], text[256];
  if (f->run_wall.low > day)
    warn(to, "the run takes more than a day: fewer and larger cells, a shorter run, or a GPU "
             "(--device cuda), with precision = \"single\" where it is fast in that");
  if (f->disk.high > f->disk_free) {
    put_range(need, sizeof need, f->disk, put_bytes);
    put_bytes(left, sizeof left, f->disk_free);
    snprintf(text, sizeof text,
             "the disk is short: %s of results, %s free: save less often, fewer fields, or with a "
             "precision",
             need, left);
    warn(to, text);
  }
  if (f->outputs > f->memory_free) {
    put_bytes(need, sizeof need, f->outputs);
    put_bytes(left, sizeof left, f->memory_free);
    snprintf(text, sizeof text,
             "memory is short: %s for outputs on their way to the disk, %s free: larger cells, or "
             "fewer fields at one time",
             need, left);
    warn(to, text);
  }
}

static void print_warning(void *to, const char *text) {
  (void)to;
  printf("  warning    %s\n", text);
}

static void json_warning(void *to, const char *text) { json_text(to, NULL, text); }

/* --- as JSON ---------------------------------------------------------------------------------- */

static void json_range(cli_json *j, const char *key, ria_range r) {
  json_open(j, key, '[');
  json_number(j, NULL, r.low);
  json_number(j, NULL, r.high);
  json_close(j, ']');
}

static void json_forecast(cli_json *j, const ria_forecast *f, double t_end) {
  json_open(j, NULL, '{');
  json_text(j, "device", f->device);
  json_number(j, "threads", f->threads);
  json_number(j, "t_end", t_end);
  json_number(j, "measured_steps", (double)f->steps);
  json_number(j, "measured_time", f->time);
  json_number(j, "measured_wall", f->wall);
  json_number(j, "wall_per_hour", f->seconds_an_hour);
  if (isfinite(t_end)) {
    json_range(j, "wall", f->run_wall);
    json_range(j, "steps", f->run_steps);
    json_range(j, "disk", f->disk);
    json_number(j, "frames", f->frames);
    json_number(j, "saves", f->saves);
  }
  json_number(j, "memory_arrays", f->arrays);
  json_number(j, "memory_outputs", f->outputs);
  json_number(j, "memory_free", f->memory_free);
  json_number(j, "disk_free", f->disk_free);
  json_open(j, "warnings", '[');
  warn_of_all(f, json_warning, j);
  json_close(j, ']');
  json_close(j, '}');
}

void cli_forecast(const cli_options *o, ria_sim *sim, double t_end, cli_json *json) {
  ria_forecast f;
  if (o->no_forecast || (o->quiet && !json)) return;
  if (ria_sim_forecast(sim, t_end, seconds_measured, ".", &f) != RIA_OK) {
    if (!json) printf("  warning    no forecast: %s\n", ria_error(ria_sim_context(sim)));
    return;
  }
  if (json) {
    json_forecast(json, &f, t_end);
    return;
  }
  tell_time(&f, t_end);
  tell_memory(&f);
  if (isfinite(t_end)) tell_disk(&f);
  warn_of_all(&f, print_warning, NULL);
}
