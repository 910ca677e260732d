/* io/csv_read.c - a CSV file as a table of doubles.
 *
 * The file is held in memory and cut into lines, and each line into cells that point into it
 * (csv_split.c). The first line with anything in it is the header, unless all its cells are
 * numbers; the first row decides how many columns there are and, together with the header, which
 * separator the file uses: the first of ; , tab that the row has outside quotes (the header's word
 * counts where the row is a single cell), else runs of blanks.
 *
 * A cell that is not a number, time or gap spoils its column, not the file: a table of measurements
 * may well have a column of remarks. The first such cell of each column is kept: a request for
 * the numbers of that column fails with a message that shows it. Cells are kept as text until their
 * column has shown a number: what is kept at the end is a column of text. */
#include "base/array.h"
#include "io/calendar.h"
#include "io/csv_table.h"
#include "io/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_BYTES = 1 << 30 };

/* --- what a cell holds ------------------------------------------------------------------------ */

static bool is_gap(csv_cell c) {
  return c.n == 0 || (c.n == 3 && strncasecmp(c.s, "nan", 3) == 0) ||
         (c.n == 2 && strncasecmp(c.s, "na", 2) == 0);
}

static void spoil(csv_table *t, size_t column, long line, csv_cell c, const char *why) {
  if (t->blemish[column].line == 0)
    t->blemish[column] = (csv_blemish){line, why, ria_text_quote(c.s, c.n)};
}

/* "6:30", "06:30:00" */
static bool is_clock(csv_cell c) {
  size_t colons = 0;
  for (size_t k = 0; k < c.n; k++) {
    if (c.s[k] != ':' && (c.s[k] < '0' || c.s[k] > '9')) return false;
    colons += c.s[k] == ':';
  }
  return (colons == 1 || colons == 2) && c.n > colons + 1;
}

static const char *not_a_number(csv_cell c) {
  if (ria_calendar_is_foreign(c.s, c.n))
    return "not a number (a date is YYYY-MM-DD, with hh:mm or hh:mm:ss behind it)";
  if (is_clock(c))
    return "not a number (a date and its time of day stand in one column: 2026-07-14 06:30)";
  return memchr(c.s, ',', c.n) ? "not a number (it takes a decimal point, not a comma)"
                               : "not a number";
}

static void drop_words(csv_table *t, size_t column) {
  for (size_t k = 0; t->words && t->words[column] && k < t->shown.rows; k++)
    free(t->words[column][k]);
  if (t->words) free(t->words[column]);
  if (t->words) t->words[column] = NULL;
}

static double value_of(csv_table *t, size_t column, long line, csv_cell c) {
  static const char mixed[] = "of another kind than the rows before (numbers and dates are mixed)";
  double v = NAN;
  csv_kind kind = CSV_NUMBERS;
  if (is_gap(c)) return NAN;
  if (ria_calendar_looks_like(c.s, c.n)) {
    bool zoned;
    const char *wrong = ria_calendar_parse_zoned(c.s, c.n, &v, &zoned);
    if (wrong) spoil(t, column, line, c, wrong);
    *(zoned ? &t->is_zoned[column] : &t->is_local[column]) = true;
    kind = CSV_TIMES;
  } else if (!ria_number_parse(c.s, c.n, &v)) {
    spoil(t, column, line, c, not_a_number(c));
  } else if (!isfinite(v)) {
    spoil(t, column, line, c, "not a finite number");
    v = NAN;
  }
  if (t->kind[column] == CSV_UNDECIDED) t->kind[column] = kind;
  if (t->kind[column] != kind) spoil(t, column, line, c, mixed);
  if (!isnan(v)) drop_words(t, column);
  return v;
}

/* --- the table -------------------------------------------------------------------------------- */

static void destroy(csv_table *t) {
  for (size_t c = 0; c < t->shown.columns; c++) {
    if (t->name) free(t->name[c]);
    if (t->unit) free(t->unit[c]);
    if (t->value) free(t->value[c]);
    drop_words(t, c);
  }
  free(t->words);
  free(t->unit);
  free(t->name);
  free(t->value);
  free(t->is_time);
  free(t->is_local);
  free(t->is_zoned);
  free(t->line);
  free(t->kind);
  free(t->blemish);
  free(t->path);
  free(t->text);
  free(t);
}

static ria_status make_columns(csv_reader *r, csv_table *t, size_t n) {
  t->name = calloc(n, sizeof *t->name);
  t->unit = calloc(n, sizeof *t->unit);
  t->words = calloc(n, sizeof *t->words);
  t->value = calloc(n, sizeof *t->value);
  t->is_time = calloc(n, sizeof *t->is_time);
  t->is_local = calloc(n, sizeof *t->is_local);
  t->is_zoned = calloc(n, sizeof *t->is_zoned);
  t->kind = calloc(n, sizeof *t->kind);
  t->blemish = calloc(n, sizeof *t->blemish);
  t->shown.columns = n;
  bool ok = t->name && t->unit && t->words && t->value && t->is_time && t->is_local &&
            t->is_zoned && t->kind && t->blemish;
  return ok ? RIA_OK : ria_csv_no_memory(r->ctx, r->path);
}

/* A copy of a cell with doubled quotes made single. */
static char *copy_cell(csv_cell c) {
  char *copy = malloc(c.n + 1), *to = copy;
  if (!copy) return NULL;
  for (size_t i = 0; i < c.n; i++) {
    *to++ = c.s[i];
    if (c.quoted && c.s[i] == '"') i++;
  }
  *to = '\0';
  return copy;
}

static ria_status grow(csv_table *t) {
  const size_t n = t->shown.rows + 1;
  if (n <= t->room) return RIA_OK;
  for (size_t c = 0; c < t->shown.columns; c++) {
    size_t room[] = {t->room, t->room}; /* they have as many as the lines */
    RIA_TRY(ria_grow(NULL, "", &t->value[c], &room[0], n, sizeof(double)));
    if (!t->words[c] && t->room) continue; /* has had a number */
    RIA_TRY(ria_grow(NULL, "", &t->words[c], &room[1], n, sizeof(char *)));
  }
  return ria_grow(NULL, "", &t->line, &t->room, n, sizeof *t->line);
}

/* Keep the cells of columns that may turn out to be text. */
static bool keep_words(const csv_reader *r, csv_table *t) {
  const size_t row = t->shown.rows;
  bool kept = true;
  for (size_t c = 0; c < t->shown.columns; c++) {
    if (!t->words[c]) continue;
    t->words[c][row] = copy_cell(r->cells[c]);
    kept = kept && t->words[c][row];
  }
  return kept;
}

/* Cells without content behind the last column (a separator ends each line) are no cells. */
static void drop_empty_tail(csv_reader *r, size_t columns) {
  while (r->n > columns && r->cells[r->n - 1].n == 0 && !r->cells[r->n - 1].quoted) r->n--;
}

static ria_status add_row(csv_reader *r, csv_table *t) {
  const size_t columns = t->shown.columns, row = t->shown.rows;
  drop_empty_tail(r, columns);
  if (r->n != columns)
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: %zu cells where %zu columns are expected",
                    r->path, r->line_number, r->n, columns);
  if (grow(t) != RIA_OK) return ria_csv_no_memory(r->ctx, r->path);
  t->line[row] = r->line_number;
  for (size_t c = 0; c < columns; c++)
    t->value[c][row] = value_of(t, c, r->line_number, r->cells[c]);
  const bool kept = keep_words(r, t);
  t->shown.rows++;
  return kept ? RIA_OK : ria_csv_no_memory(r->ctx, r->path);
}

/* --- the header ------------------------------------------------------------------------------- */

/* Into name or unit, one text a column: those of the present line, or "". */
static ria_status set_texts(const csv_reader *r, size_t columns, char **to, bool given) {
  for (size_t c = 0; c < columns; c++) {
    to[c] = copy_cell(given && c < r->n ? r->cells[c] : (csv_cell){"", 0, false});
    if (!to[c]) return ria_csv_no_memory(r->ctx, r->path);
  }
  return RIA_OK;
}

static ria_status set_names(csv_reader *r, csv_table *t, bool named) {
  return set_texts(r, t->shown.columns, t->name, named);
}

/* Name the columns, of which the first row has shown there are n. */
static ria_status read_header(csv_reader *r, csv_table *t, csv_cell header, long line) {
  const size_t n = t->shown.columns;
  RIA_TRY(ria_csv_split(r, header));
  drop_empty_tail(r, n);
  if (r->n == n) return set_names(r, t, true);
  bool lenient = r->separator == ' ' || (r->separator == '\t' && !ria_csv_has(header, '\t'));
  size_t words = r->n;
  if (lenient) {
    char separator = r->separator;
    r->separator = ' ';
    RIA_TRY(ria_csv_split(r, header));
    r->separator = separator;
    words = r->n;
    if (words == n) return set_names(r, t, true);
  }
  if (lenient && words > n) {
    RIA_TRY(ria_csv_split_wide(r, header));
    return set_names(r, t, r->n == n);
  }
  return ria_fail(r->ctx, RIA_ERR_INPUT,
                  "%s:%ld: the header names %zu columns, the first row has %zu", r->path, line,
                  words, n);
}

static bool is_value(csv_cell c) {
  double v;
  return !c.quoted && (ria_calendar_looks_like(c.s, c.n) || ria_number_parse(c.s, c.n, &v));
}

/* Numbers, times and gaps, but not gaps alone. */
static bool all_numbers(const csv_reader *r) {
  size_t values = 0;
  for (size_t c = 0; c < r->n; c++) {
    const bool value = is_value(r->cells[c]);
    if (!value && !is_gap(r->cells[c])) return false;
    values += value;
  }
  return values > 0;
}

/* How many columns the first row shows. Empty cells at its end count only under a name. */
static ria_status count_columns(csv_reader *r, csv_cell header, csv_cell row, size_t *n) {
  size_t named = 1;
  if (r->separator != ' ') {
    RIA_TRY(ria_csv_split(r, header));
    drop_empty_tail(r, 1);
    named = r->n;
  }
  RIA_TRY(ria_csv_split(r, row));
  drop_empty_tail(r, named);
  *n = r->n;
  return RIA_OK;
}

static ria_status read_headed(csv_reader *r, csv_table *t, csv_cell header, long line) {
  size_t n;
  csv_cell units = {"", 0, false};
  bool more = ria_csv_next_line(r);
  if (more && r->layout->units) {
    units = ria_csv_without_comment(r->line);
    more = ria_csv_next_line(r);
  }
  if (!more) return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: no rows follow the header", r->path);
  const csv_cell row = ria_csv_without_comment(r->line);
  r->separator = ria_csv_separator(header, row);
  RIA_TRY(count_columns(r, header, row, &n));
  RIA_TRY(make_columns(r, t, n));
  RIA_TRY(ria_csv_split(r, units));
  if (r->layout->units) drop_empty_tail(r, n);
  if (r->n > n)
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: the row of units has %zu cells, the first row %zu",
                    r->path, r->n, n);
  RIA_TRY(set_texts(r, n, t->unit, true));
  return read_header(r, t, header, line);
}

/* The first line is a header or, if it is all numbers, already a row. */
static ria_status read_lines(csv_reader *r, csv_table *t) {
  RIA_TRY(ria_csv_skip(r));
  if (!ria_csv_next_line(r))
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: the file is empty%s", r->path,
                    r->layout->skip ? " after the lines that are skipped" : "");
  const csv_cell first = ria_csv_without_comment(r->line);
  r->separator = ria_csv_separator(first, first);
  RIA_TRY(ria_csv_split(r, first));
  if (r->layout->no_header || (all_numbers(r) && !r->layout->units)) {
    RIA_TRY(make_columns(r, t, r->n));
    RIA_TRY(set_names(r, t, false));
    RIA_TRY(set_texts(r, t->shown.columns, t->unit, false));
  } else {
    RIA_TRY(read_headed(r, t, r->line, r->line_number));
  }
  do {
    RIA_TRY(ria_csv_split(r, ria_csv_without_comment(r->line)));
    RIA_TRY(add_row(r, t));
  } while (ria_csv_next_line(r));
  return RIA_OK;
}

static bool has_words_below(const csv_table *t, size_t column) {
  for (size_t k = 1; t->words[column] && k < t->shown.rows; k++)
    if (t->words[column][k][0]) return true;
  return false;
}

/* The first row spoils a column and has a value in none, and no column has words further down: with
 * names of places in one, the first row is more likely such a name and a gap. */
static bool first_row_is_words(const csv_table *t) {
  bool spoils = false;
  for (size_t c = 0; c < t->shown.columns; c++) {
    if (!isnan(t->value[c][0]) || has_words_below(t, c)) return false;
    spoils = spoils || (t->blemish[c].line == t->line[0] && !t->words[c]);
  }
  return spoils;
}

static void show(csv_table *t, bool headed) {
  t->shown.first_row_is_words = headed && first_row_is_words(t);
  for (size_t c = 0; c < t->shown.columns; c++) {
    t->is_time[c] = t->kind[c] == CSV_TIMES;
    /* gaps alone are values that are missing, not text */
    if (t->blemish[c].line == 0) drop_words(t, c);
  }
  t->shown.unit = (const char *const *)t->unit;
  t->shown.text = (const char *const *const *)t->words;
  t->shown.name = (const char *const *)t->name;
  t->shown.value = (const double *const *)t->value;
  t->shown.is_time = t->is_time;
  t->shown.is_local = t->is_local;
  t->shown.is_zoned = t->is_zoned;
  t->shown.line = t->line;
}

static ria_status check_layout(ria_context *ctx, const char *path, const ria_csv_layout *l) {
  if (l->skip < 0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: skip is %d lines: it must be 0 or more", path,
                    l->skip);
  if (l->no_header && l->units)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "%s: a row of units follows the header: there is none without a header", path);
  return RIA_OK;
}

/* Text has no control characters but blanks and line ends; strcspn relies on there being no NUL. */
static ria_status check_text(ria_context *ctx, const char *path, const char *s, size_t n) {
  long line = 1;
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)s[i];
    line += c == '\n';
    if ((c < ' ' && c != '\t' && c != '\r' && c != '\n') || c == 0x7f)
      return ria_fail(ctx, RIA_ERR_INPUT, "%s:%ld: not a text file (byte 0x%02x)", path, line, c);
  }
  return RIA_OK;
}

static ria_status read_table(ria_context *ctx, const char *path, const ria_csv_layout *layout,
                             csv_table *t) {
  size_t n;
  csv_reader r = {.ctx = ctx, .path = path, .layout = layout};
  RIA_TRY(check_layout(ctx, path, layout));
  RIA_TRY(ria_text_slurp(ctx, path, MOST_BYTES, &t->text, &n));
  RIA_TRY(check_text(ctx, path, t->text, n));
  r.at = t->text;
  r.end = t->text + n;
  if (n >= 3 && memcmp(r.at, "\xef\xbb\xbf", 3) == 0) r.at += 3;
  ria_status s = read_lines(&r, t);
  free(r.cells);
  free(t->text);
  t->text = NULL;
  return s;
}

ria_status ria_csv_table_read(ria_context *ctx, const char *path, ria_csv_table **out) {
  return ria_csv_table_read_with(ctx, path, NULL, out);
}

ria_status ria_csv_table_read_with(ria_context *ctx, const char *path, const ria_csv_layout *layout,
                                   ria_csv_table **out) {
  const ria_csv_layout usual = {0};
  *out = NULL;
  if (!path)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "a table is read from a file: its path is NULL");
  csv_table *t = calloc(1, sizeof *t);
  if (t) t->path = strdup(path);
  ria_status s = t && t->path ? read_table(ctx, path, layout ? layout : &usual, t)
                              : ria_csv_no_memory(ctx, path);
  if (s == RIA_OK) {
    show(t, !layout || !(layout->no_header || layout->units));
    *out = &t->shown;
  } else if (t) {
    destroy(t);
  }
  return s;
}

void ria_csv_table_destroy(ria_csv_table **shown) {
  if (!shown || !*shown) return;
  destroy((csv_table *)*shown);
  *shown = NULL;
}
