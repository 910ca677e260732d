/* cli_tide_record.c - what ria tide works on: a record of levels by dates, or a table of
 * constituents that it has written before. */
#include "cli_tide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const cli_nodal_names[] = {"daily", "mid", "none", NULL};

int cli_tide_fail(const tide_job *j, ria_status status) {
  cli_complain(j->o, "%s", ria_error(j->ctx));
  return cli_exit_code(status);
}

/* An error of the command line. */
static int refuse(const tide_job *j, const char *option) {
  cli_complain(j->o, "%s: %s", option, ria_error(j->ctx));
  return EXIT_USAGE;
}

/* --- options ---------------------------------------------------------------------------------- */

static int take_zone(tide_job *j) {
  const char *text = j->o->tide.zone;
  if (!text || ria_parse_zone(j->ctx, text, &j->zone) == RIA_OK) return EXIT_OK;
  return refuse(j, "--zone");
}

/* The number of a kind of nodal factors; -1 of no such word. */
static int nodal_by_name(const char *name) {
  for (int k = 0; cli_nodal_names[k]; k++)
    if (strcmp(cli_nodal_names[k], name) == 0) return k;
  return -1;
}

static int take_nodal(tide_job *j) {
  const char *text = j->o->tide.nodal;
  if (!text) return EXIT_OK;
  const int k = nodal_by_name(text);
  if (k >= 0) return j->nodal = (ria_nodal)k, EXIT_OK;
  cli_complain(j->o, "--nodal %s: one of daily, mid, none", text);
  return EXIT_USAGE;
}

static int take_layout(const tide_job *j, ria_csv_layout *out) {
  const char *text = j->o->tide.skip;
  char *end;
  if (!text) return EXIT_OK;
  const long n = strtol(text, &end, 10);
  if (end == text || *end || n < 0 || n > 1000000000) {
    cli_complain(j->o, "--skip %s: expected a number of lines", text);
    return EXIT_USAGE;
  }
  out->skip = (int)n;
  return EXIT_OK;
}

static int take_missing(const tide_job *j, double *out) {
  const char *text = j->o->tide.missing;
  char *end;
  *out = NAN;
  if (!text) return EXIT_OK;
  *out = strtod(text, &end);
  if (end != text && !*end) return EXIT_OK;
  cli_complain(j->o, "--missing %s: expected the number that stands for a gap", text);
  return EXIT_USAGE;
}

/* How long one unit of the levels is, m. */
static int take_unit(const tide_job *j, size_t column, double *out) {
  const char *told = j->o->tide.unit;
  char unit[RIA_UNIT_MAX], text[RIA_UNIT_MAX + 2];
  ria_csv_table_unit(j->table, column, unit, sizeof unit);
  if (told) snprintf(unit, sizeof unit, "%s", told);
  if (!*unit) return *out = 1.0, EXIT_OK;
  snprintf(text, sizeof text, "1 %s", unit);
  if (ria_parse_quantity(j->ctx, text, RIA_DIM_LENGTH, out) == RIA_OK) return EXIT_OK;
  if (told) return refuse(j, "--unit");
  cli_complain(j->o, "%s: column '%s' is in %s, no length: say --unit, or another --column",
               j->o->file, j->table->name[column], unit);
  return EXIT_INPUT;
}

/* How long one unit of times without dates is, s. */
static int take_time_unit(const tide_job *j, size_t column, double *out) {
  char unit[RIA_UNIT_MAX], text[RIA_UNIT_MAX + 2];
  *out = 1.0;
  if (j->table->is_time[column]) return EXIT_OK;
  ria_csv_table_unit(j->table, column, unit, sizeof unit);
  if (!*unit) return EXIT_OK;
  snprintf(text, sizeof text, "1 %s", unit);
  if (ria_parse_quantity(j->ctx, text, RIA_DIM_TIME, out) == RIA_OK) return EXIT_OK;
  cli_complain(j->o, "%s: column '%s' is in %s: expected s, or another time", j->o->file,
               j->table->name[column], unit);
  return EXIT_INPUT;
}

/* --- columns ---------------------------------------------------------------------------------- */

/* The first column of dates; with --start the first of all. */
static int find_dates(const tide_job *j, size_t *column) {
  const ria_csv_table *t = j->table;
  if (j->o->tide.start && !t->is_time[0]) return *column = 0, EXIT_OK;
  for (*column = 0; !j->o->tide.start && *column < t->columns; ++*column)
    if (t->is_time[*column]) return EXIT_OK;
  cli_complain(j->o,
               j->o->tide.start
                   ? "%s has a column of dates: leave --start out"
                   : "%s has no column of dates: give --start, the date of its second 0",
               j->o->file);
  return EXIT_INPUT;
}

static int find_levels(const tide_job *j, size_t dates, size_t *column) {
  const ria_csv_table *t = j->table;
  const double *values;
  if (j->o->tide.column) {
    const ria_status status = ria_csv_table_column(j->ctx, t, j->o->tide.column, &values);
    if (status != RIA_OK) return cli_tide_fail(j, status);
    for (*column = 0; t->value[*column] != values;) ++*column;
    if (!t->is_time[*column]) return EXIT_OK;
    cli_complain(j->o, "%s: column '%s' has dates, no levels", j->o->file, t->name[*column]);
    return EXIT_INPUT;
  }
  for (*column = dates + 1; *column < t->columns; ++*column)
    if (!t->text[*column] && !t->is_time[*column]) {
      const ria_status status = ria_csv_table_check(j->ctx, t, *column);
      return status == RIA_OK ? EXIT_OK : cli_tide_fail(j, status);
    }
  cli_complain(j->o, "%s has no column of levels behind its dates", j->o->file);
  return EXIT_INPUT;
}

static int check_zones(const tide_job *j, size_t column) {
  if (!j->table->is_local[column] || !j->table->is_zoned[column] || j->zone == 0.0) return EXIT_OK;
  cli_complain(j->o, "%s: some of its dates say their zone and others do not: write it for all",
               j->o->file);
  return EXIT_INPUT;
}

static int read_dates(tide_job *j, size_t column) {
  double start = 0.0, unit = 1.0;
  int code = check_zones(j, column);
  if (code == EXIT_OK) code = take_time_unit(j, column, &unit);
  if (code != EXIT_OK) return code;
  const char *text = j->o->tide.start;
  if (text && ria_parse_date(j->ctx, text, j->zone, &start) != RIA_OK) return refuse(j, "--start");
  const double behind = j->table->is_local[column] ? j->zone : 0.0;
  for (size_t i = 0; i < j->rows; i++) {
    j->date[i] = start + unit * j->table->value[column][i] - behind;
    if (isfinite(j->date[i])) continue;
    cli_complain(j->o, "%s:%ld: the time is missing", j->o->file, j->table->line[i]);
    return EXIT_INPUT;
  }
  j->step = j->rows > 1 ? j->date[1] - j->date[0] : 0.0;
  for (size_t i = 1; i < j->rows; i++) {
    const double step = j->date[i] - j->date[i - 1];
    if (!(step > 0.0)) {
      cli_complain(j->o, "%s:%ld: the time is not after that of the row before", j->o->file,
                   j->table->line[i]);
      return EXIT_INPUT;
    }
    if (fabs(step - j->step) > 1.0) j->step = 0.0;
  }
  return EXIT_OK;
}

static int read_levels(tide_job *j, size_t column) {
  double missing = NAN, unit = 1.0;
  int code = take_missing(j, &missing);
  if (code == EXIT_OK) code = take_unit(j, column, &unit);
  if (code != EXIT_OK) return code;
  j->column = j->table->name[column];
  for (size_t i = 0; i < j->rows; i++) {
    const double v = j->table->value[column][i];
    j->level[i] = v == missing ? NAN : unit * v;
  }
  return EXIT_OK;
}

static int read_record(tide_job *j) {
  size_t dates = 0, levels = 0;
  int code = find_dates(j, &dates);
  if (code == EXIT_OK) code = find_levels(j, dates, &levels);
  if (code != EXIT_OK) return code;
  j->rows = j->table->rows;
  j->date = calloc(j->rows + 1, sizeof *j->date);
  j->level = calloc(j->rows + 1, sizeof *j->level);
  j->fitted = calloc(j->rows + 1, sizeof *j->fitted);
  if (!j->date || !j->level || !j->fitted) {
    cli_complain(j->o, "out of memory for a record of %zu levels", j->rows);
    return EXIT_SCRIPT;
  }
  code = read_dates(j, dates);
  return code == EXIT_OK ? read_levels(j, levels) : code;
}

/* --- a table of constituents ------------------------------------------------------------------ */

static int read_constituent(tide_job *j, size_t row, const double *amplitude, const double *phase) {
  const char *name = j->table->text[0][row];
  if (strcmp(name, "Z0") == 0) return j->fit.z0 = amplitude[row], EXIT_OK;
  size_t n;
  const char *const *names = ria_tide_names(&n), *known = NULL;
  for (size_t k = 0; k < n && !known; k++)
    if (ria_tide_same(names[k], name)) known = names[k];
  if (!known || j->fit.n == sizeof j->fit.c / sizeof *j->fit.c || !(amplitude[row] >= 0.0) ||
      !isfinite(phase[row])) {
    cli_complain(j->o,
                 known ? "%s:%ld: '%s' needs an amplitude >= 0 and a phase"
                       : "%s:%ld: unknown constituent '%s'",
                 j->o->file, j->table->line[row], name);
    return EXIT_INPUT;
  }
  j->fit.c[j->fit.n++] = (ria_tide_fitted){.name = known,
                                           .speed = ria_tide_speed(known),
                                           .amplitude = amplitude[row],
                                           .phase = phase[row]};
  return EXIT_OK;
}

/* Row by row: one kind, and a word for it. */
static int read_nodal_rows(tide_job *j, size_t column) {
  const ria_csv_table *t = j->table;
  for (size_t row = 0; row < t->rows; row++) {
    const char *word = t->text[column] ? t->text[column][row] : "a number";
    const int k = nodal_by_name(word);
    if (k < 0 || (row && k != (int)j->nodal)) {
      cli_complain(j->o, "%s:%ld: nodal is %s%s%s: %s", j->o->file, t->line[row],
                   *word ? word : "missing", k < 0 ? "" : ", and in the rows before ",
                   k < 0 ? "" : cli_nodal_names[j->nodal],
                   k < 0 ? "one of daily, mid, none" : "all have the same, or say --nodal");
      return EXIT_INPUT;
    }
    j->nodal = (ria_nodal)k;
  }
  return EXIT_OK;
}

/* The kind of nodal factors that the table was made with; --nodal says another. */
static int read_nodal(tide_job *j) {
  if (j->o->tide.nodal) return EXIT_OK;
  for (size_t c = 0; c < j->table->columns; c++)
    if (strcmp(j->table->name[c], "nodal") == 0) return read_nodal_rows(j, c);
  return EXIT_OK;
}

/* What goes with a record alone. */
static int check_stored(const tide_job *j) {
  const cli_tide_options *t = &j->o->tide;
  const struct {
    const char *name, *given;
  } of_record[] = {{"--column", t->column},     {"--constituents", t->constituents},
                   {"--rayleigh", t->rayleigh}, {"--start", t->start},
                   {"--unit", t->unit},         {"--missing", t->missing}};
  for (size_t k = 0; k < sizeof of_record / sizeof *of_record; k++)
    if (of_record[k].given) {
      cli_complain(j->o, "%s is a table of constituents: %s goes with a record of levels",
                   j->o->file, of_record[k].name);
      return EXIT_USAGE;
    }
  return EXIT_OK;
}

static int read_stored(tide_job *j) {
  const double *amplitude, *phase;
  ria_status status = ria_csv_table_column(j->ctx, j->table, "amplitude", &amplitude);
  if (status == RIA_OK) status = ria_csv_table_column(j->ctx, j->table, "phase", &phase);
  if (status != RIA_OK) return cli_tide_fail(j, status);
  j->stored = true;
  if (!j->o->tide.from) {
    cli_complain(j->o, "%s is a table of constituents: --predict FROM TO gives levels of it",
                 j->o->file);
    return EXIT_USAGE;
  }
  int code = check_stored(j);
  if (code == EXIT_OK) code = read_nodal(j);
  for (size_t row = 0; code == EXIT_OK && row < j->table->rows; row++)
    code = read_constituent(j, row, amplitude, phase);
  return code;
}

int cli_tide_read(tide_job *j) {
  ria_csv_layout layout = {0};
  int code = take_zone(j);
  if (code == EXIT_OK) code = take_nodal(j);
  if (code == EXIT_OK) code = take_layout(j, &layout);
  if (code != EXIT_OK) return code;
  ria_status status = ria_csv_table_read_with(j->ctx, j->o->file, &layout, &j->table);
  if (status == RIA_OK && j->table->first_row_is_words) { /* those of units_row = true */
    layout.units = true;
    ria_csv_table_destroy(&j->table);
    status = ria_csv_table_read_with(j->ctx, j->o->file, &layout, &j->table);
  }
  if (status != RIA_OK) return cli_tide_fail(j, status);
  const ria_csv_table *t = j->table;
  const bool stored = t->columns && strcmp(t->name[0], "constituent") == 0 && t->text[0];
  return stored ? read_stored(j) : read_record(j);
}
