/* cli_tide.c - ria tide: harmonic analysis of a record of levels, and prediction. */
#include "cli_tide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- prediction ------------------------------------------------------------------------------- */

/* The calendar year (UTC) of a date. */
static int year_of(double date) {
  char text[48];
  ria_format_date(date, 0.0, 0, text, sizeof text);
  return atoi(text);
}

/* Factors of the middle of a year are those of the year that a prediction begins in: so each year
 * begins its own. */
static size_t same_year(const tide_job *j, const double *date, size_t n) {
  size_t k = 1;
  if (j->nodal != RIA_NODAL_MID) return n;
  while (k < n && year_of(date[k]) == year_of(date[0])) k++;
  return k;
}

ria_status cli_tide_levels(const tide_job *j, const double *date, size_t n, double *level) {
  ria_constituent c[sizeof j->fit.c / sizeof *j->fit.c];
  for (size_t k = 0; k < j->fit.n; k++)
    c[k] = (ria_constituent){
        .name = j->fit.c[k].name, .amplitude = j->fit.c[k].amplitude, .phase = j->fit.c[k].phase};
  const ria_tide_desc desc = {.constituents = c,
                              .n = j->fit.n,
                              .z0 = j->fit.z0,
                              .phases = RIA_PHASES_GREENWICH,
                              .nodal = j->nodal};
  for (size_t k = 0, m; k < n; k += m) {
    m = same_year(j, date + k, n - k);
    const ria_status status = ria_tide_predict(j->ctx, &desc, 0.0, date + k, m, level + k);
    if (status != RIA_OK) return status;
  }
  return RIA_OK;
}

static int usage(const tide_job *j, const char *text) {
  cli_complain(j->o, "%s", text);
  return EXIT_USAGE;
}

/* Dates of --predict: from, step and number. */
static int take_span(const tide_job *j, double *from, double *step, size_t *n) {
  const cli_tide_options *t = &j->o->tide;
  double to;
  *step = 600.0;
  if (!t->to) return usage(j, "--predict needs FROM and TO, two dates");
  if (ria_parse_date(j->ctx, t->from, j->zone, from) != RIA_OK ||
      ria_parse_date(j->ctx, t->to, j->zone, &to) != RIA_OK) {
    cli_complain(j->o, "--predict: %s", ria_error(j->ctx));
    return EXIT_USAGE;
  }
  if (t->every && ria_parse_quantity(j->ctx, t->every, RIA_DIM_TIME, step) != RIA_OK) {
    cli_complain(j->o, "--every: %s", ria_error(j->ctx));
    return EXIT_USAGE;
  }
  if (!(to >= *from)) return usage(j, "--predict: FROM is after TO");
  if (!(*step > 0.0)) return usage(j, "--every: expected a time after 0");
  const double rows = floor((to - *from) / *step + 1e-9) + 1.0;
  if (rows > 1e7) return usage(j, "--predict: more than 10 million levels: make --every longer");
  *n = (size_t)rows;
  return EXIT_OK;
}

/* date,level: what ria.series and ria tide read. */
static int predict(const tide_job *j) {
  double from, step;
  size_t n;
  char text[48];
  const int code = take_span(j, &from, &step, &n);
  if (code != EXIT_OK) return code;
  double *date = calloc(2 * n, sizeof *date), *level = date + n;
  if (!date) return cli_complain(j->o, "out of memory for %zu levels", n), EXIT_SCRIPT;
  for (size_t k = 0; k < n; k++) date[k] = from + (double)k * step;
  const ria_status status = cli_tide_levels(j, date, n, level);
  const int decimals = fmod(step, 1.0) == 0.0 && fmod(from, 1.0) == 0.0 ? 0 : 3;
  if (status == RIA_OK) printf("date,level\n");
  for (size_t k = 0; status == RIA_OK && k < n; k++) {
    ria_format_date(date[k], j->zone, decimals, text, sizeof text);
    printf("%s,%.4f\n", text, level[k]);
  }
  free(date);
  return status == RIA_OK ? EXIT_OK : cli_tide_fail(j, status);
}

/* --- the table -------------------------------------------------------------------------------- */

static int by_amplitude(const void *a, const void *b) {
  const double x = ((const ria_tide_fitted *)a)->amplitude,
               y = ((const ria_tide_fitted *)b)->amplitude;
  return (x < y) - (x > y);
}

static void print_record(const tide_job *j) {
  char first[48], last[48], step[64] = "uneven times";
  ria_format_date(j->date[0], j->zone, 0, first, sizeof first);
  ria_format_date(j->date[j->rows - 1], j->zone, 0, last, sizeof last);
  if (j->step > 0.0) {
    memcpy(step, "each ", 5);
    ria_format_duration(j->step, step + 5, sizeof step - 5);
  }
  cli_put_text(stdout, j->o->file, strlen(j->o->file));
  fputs(": column ", stdout);
  cli_put_text(stdout, j->column, strlen(j->column));
  printf("\n  %zu samples, %s, %s to %s", j->rows, step, first, last);
  printf(j->rows > j->fit.used ? ", of which %zu gaps\n\n" : "\n\n", j->rows - j->fit.used);
}

/* Those that no name asked for and the record does not part. No record
 * tells NO1 from M1, which has its speed. */
static void print_left_out(const tide_job *j) {
  size_t n, said = 0;
  const char *const *names = ria_tide_names(&n);
  if (j->o->tide.constituents) return;
  for (size_t k = 0; k < n; k++) {
    bool used = false;
    for (size_t i = 0; i < j->fit.n && !used; i++)
      used = j->fit.c[i].speed == ria_tide_speed(names[k]);
    if (!used)
      printf("%s%s", said++ ? ", " : "left out, as the record does not part them: ", names[k]);
  }
  if (said) printf("\n");
}

static void print_residual(const tide_job *j) {
  char at[48];
  double most = 0.0;
  size_t when = 0;
  for (size_t i = 0; i < j->rows; i++)
    if (fabs(j->level[i] - j->fitted[i]) > most) {
      most = fabs(j->level[i] - j->fitted[i]);
      when = i;
    }
  ria_format_date(j->date[when], j->zone, 0, at, sizeof at);
  printf("residual  %.4f m RMS, at most %.3f m, %s; %.2f %% of the variance explained\n",
         j->fit.residual, most, at, 100.0 * j->fit.explained);
}

static void print_table(const tide_job *j) {
  bool weak = false;
  print_record(j);
  printf("  name    speed deg/h  amplitude m    error  phase deg  error    share\n");
  printf("  %-6s %12s %12.4f %8.4f\n", "Z0", "", j->fit.z0, j->fit.z0_error);
  for (size_t k = 0; k < j->fit.n; k++) {
    const ria_tide_fitted *c = &j->fit.c[k];
    const bool faint = c->amplitude < 2.0 * c->amplitude_error;
    printf("  %-6s %12.7f %12.4f %8.4f %10.2f %6.2f %7.3f %%%s\n", c->name, c->speed, c->amplitude,
           c->amplitude_error, c->phase, c->phase_error, 100.0 * c->share, faint ? " weak" : "");
    weak |= faint;
  }
  printf("\n");
  print_residual(j);
  print_left_out(j);
  if (weak) printf("weak: less than twice its error\n");
  printf("phases at Greenwich, time UTC; nodal factors: %s\n", cli_nodal_names[j->nodal]);
}

/* --- the analysis ----------------------------------------------------------------------------- */

static int take_rayleigh(const tide_job *j, double *out) {
  const char *text = j->o->tide.rayleigh;
  char *end;
  *out = 1.0;
  if (!text) return EXIT_OK;
  *out = strtod(text, &end);
  if (end != text && !*end && *out > 0.0 && *out <= 10.0) return EXIT_OK;
  cli_complain(j->o, "--rayleigh %s: expected cycles above 0, at most 10", text);
  return EXIT_USAGE;
}

/* The words of a list, in `copy`; one more than fit is counted. */
static size_t split(char *copy, const char *names[], size_t most) {
  size_t n = 0;
  for (char *word = strtok(copy, ", "); word && n < most; word = strtok(NULL, ", "))
    names[n++] = word;
  return n;
}

static int analyse(tide_job *j) {
  enum { MOST = 64 };
  const char *names[MOST], *list = j->o->tide.constituents;
  char copy[1024];
  double rayleigh;
  const int code = take_rayleigh(j, &rayleigh);
  if (code != EXIT_OK) return code;
  snprintf(copy, sizeof copy, "%s", list ? list : "");
  const ria_tide_fit_desc desc = {.date = j->date,
                                  .value = j->level,
                                  .n = j->rows,
                                  .n_names = split(copy, names, MOST),
                                  .names = list ? names : NULL,
                                  .rayleigh = rayleigh,
                                  .nodal = j->nodal};
  if (list && !desc.n_names) return usage(j, "--constituents: expected names, M2,S2");
  ria_status status = ria_tide_analyse(j->ctx, &desc, &j->fit);
  if (status != RIA_OK) {
    cli_complain(j->o, "%s: %s", j->o->file, ria_error(j->ctx));
    return list ? EXIT_USAGE : EXIT_INPUT;
  }
  qsort(j->fit.c, j->fit.n, sizeof *j->fit.c, by_amplitude);
  status = cli_tide_levels(j, j->date, j->rows, j->fitted);
  return status == RIA_OK ? EXIT_OK : cli_tide_fail(j, status);
}

static int work(tide_job *j) {
  int code = cli_tide_read(j);
  if (code == EXIT_OK && !j->stored) code = analyse(j);
  if (code == EXIT_OK) code = cli_tide_write(j);
  if (code != EXIT_OK) return code;
  if (j->o->tide.from) return predict(j);
  if (j->o->json)
    cli_tide_json(j);
  else
    print_table(j);
  return EXIT_OK;
}

/* Options that belong to the other of both: the table of the analysis, and levels predicted. */
static int check_mode(const cli_options *o) {
  const cli_tide_options *t = &o->tide;
  if (t->every && !t->from)
    return cli_complain(o, "--every goes with --predict FROM TO"), EXIT_USAGE;
  if (t->from && o->json)
    return cli_complain(o, "--predict prints CSV: leave --json out"), EXIT_USAGE;
  return EXIT_OK;
}

int cli_tide(const cli_options *o) {
  const int usable = check_mode(o);
  if (usable != EXIT_OK) return usable;
  tide_job *j = calloc(1, sizeof *j);
  if (!j) return cli_complain(o, "out of memory"), EXIT_SCRIPT;
  j->o = o;
  int code = cli_make_context(o, NULL, NULL, &j->ctx);
  if (code == EXIT_OK) code = work(j);
  ria_csv_table_destroy(&j->table);
  free(j->date);
  free(j->level);
  free(j->fitted);
  ria_context_destroy(&j->ctx);
  free(j);
  return code;
}
