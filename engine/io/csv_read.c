/* io/csv_read.c - a CSV file as a table of doubles.
 *
 * The file is held in memory and cut into lines, and each line into cells that point into it. The
 * first line with anything in it is the header, unless all its cells are numbers; the first row
 * decides how many columns there are and, together with the header, which separator the file uses:
 * the first of ; , tab that the row has outside quotes (the header's word counts where the row is a
 * single cell), else runs of blanks.
 *
 * A cell that is no number, time or gap spoils its column, not the file: a table of measurements
 * may well have a column of remarks. The first such cell of each column is kept for the message
 * that the caller gets who asks for the column's numbers. Cells are kept as text until their column
 * has shown a number: what is kept at the end is a column of text. */
#include "io/csv_read.h"
#include "io/calendar.h"
#include "io/number.h"
#include "io/text_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_BYTES = 1 << 30, FIRST_ROOM = 64 };

typedef struct cell {
  const char *s;
  size_t n;
  bool quoted;
} cell;

/* Why a column is not one of values. */
typedef struct blemish {
  long line; /* 0 = none */
  const char *why;
  ria_token_text text;
} blemish;

typedef enum column_kind { UNDECIDED, NUMBERS, TIMES } column_kind;

typedef struct table {
  ria_csv_table shown; /* first, so that a pointer to it is one to the table */
  char *path, *text;
  char **name, **unit;
  double **value;
  char ***words; /* [columns]: NULL once the column has had a number, else [rows] cells */
  bool *is_time;
  long *line;
  column_kind *kind;
  blemish *blemish;
  size_t room; /* rows there is memory for */
} table;

typedef struct reader {
  ria_context *ctx;
  const char *path;
  const ria_csv_layout *layout;
  char *at, *end;
  long line_number;
  cell line;      /* the present one, without its end */
  char separator; /* ' ' = runs of blanks */
  cell *cells;    /* [n] of the present line */
  size_t n, room;
} reader;

/* --- lines --------------------------------------------------------------------------------------
 */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static cell trimmed(const char *s, const char *end) {
  while (s < end && is_blank(*s)) s++;
  while (end > s && is_blank(end[-1])) end--;
  return (cell){s, (size_t)(end - s), false};
}

/* The next line that is neither empty nor a comment; false at the end. CR, LF and CR LF end one. */
static bool next_line(reader *r) {
  while (r->at < r->end) {
    char *s = r->at;
    size_t n = strcspn(s, "\r\n");
    r->at = s + n;
    if (r->at < r->end && *r->at++ == '\r' && r->at < r->end && *r->at == '\n') r->at++;
    r->line_number++;
    r->line = (cell){s, n, false};
    cell inner = trimmed(s, s + n);
    if (inner.n > 0 && *inner.s != '#') return true;
  }
  return false;
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

/* --- cells --------------------------------------------------------------------------------------
 */

static ria_status no_memory(ria_context *ctx, const char *path) {
  return ria_fail(ctx, RIA_ERR_MEMORY, "%s: out of memory while reading it", path);
}

static ria_status add_cell(reader *r, cell c) {
  if (r->n == r->room) {
    size_t room = r->room ? 2 * r->room : FIRST_ROOM;
    cell *grown = realloc(r->cells, room * sizeof *grown);
    if (!grown) return no_memory(r->ctx, r->path);
    r->cells = grown;
    r->room = room;
  }
  r->cells[r->n++] = c;
  return RIA_OK;
}

/* A quoted cell starts at s; *after is behind its closing quote. Its inside still holds doubled
 * quotes as they are. */
static ria_status quoted_cell(reader *r, const char *s, const char *end, const char **after) {
  const char *p = s + 1;
  for (; p < end; p++)
    if (*p == '"') {
      if (p + 1 == end || p[1] != '"') break;
      p++;
    }
  if (p >= end)
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: a quoted cell is not closed", r->path,
                    r->line_number);
  *after = p + 1;
  return add_cell(r, (cell){s + 1, (size_t)(p - s - 1), true});
}

static ria_status after_quote(reader *r, const char *p) {
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: '%s' follows a closing quote", r->path,
                  r->line_number, ria_text_quote(p, 1).s);
}

static ria_status split_separated(reader *r, const char *s, const char *end) {
  for (;;) {
    while (s < end && is_blank(*s) && *s != r->separator) s++;
    const char *p = s;
    if (s < end && *s == '"') {
      RIA_TRY(quoted_cell(r, s, end, &p));
      while (p < end && is_blank(*p) && *p != r->separator) p++;
      if (p < end && *p != r->separator) return after_quote(r, p);
    } else {
      while (p < end && *p != r->separator) p++;
      RIA_TRY(add_cell(r, trimmed(s, p)));
    }
    if (p == end) return RIA_OK;
    s = p + 1;
  }
}

/* "2026-03-01 06:30:00" is one cell also where blanks separate. */
static const char *take_clock_too(const char *s, const char *p, const char *end) {
  if (p - s != 10 || !ria_calendar_looks_like(s, 10)) return p;
  const char *q = p;
  while (q < end && *q == ' ') q++;
  if (q - p != 1 || end - q < 3 || q[2] != ':') return p;
  while (q < end && !is_blank(*q)) q++;
  return q;
}

static ria_status split_blanks(reader *r, const char *s, const char *end) {
  for (;;) {
    while (s < end && is_blank(*s)) s++;
    if (s == end) return RIA_OK;
    const char *p = s;
    if (*s == '"') {
      RIA_TRY(quoted_cell(r, s, end, &p));
      if (p < end && !is_blank(*p)) return after_quote(r, p);
    } else {
      while (p < end && !is_blank(*p)) p++;
      p = take_clock_too(s, p, end);
      RIA_TRY(add_cell(r, (cell){s, (size_t)(p - s), false}));
    }
    s = p;
  }
}

static ria_status split_line(reader *r, cell line) {
  r->n = 0;
  return r->separator == ' ' ? split_blanks(r, line.s, line.s + line.n)
                             : split_separated(r, line.s, line.s + line.n);
}

/* The line up to a # outside quotes. */
static cell without_comment(cell line) {
  bool quoted = false;
  for (size_t i = 0; i < line.n; i++) {
    if (line.s[i] == '"') quoted = !quoted;
    if (line.s[i] == '#' && !quoted) return (cell){line.s, i, false};
  }
  return line;
}

static bool has(cell line, char wanted) {
  bool quoted = false;
  for (size_t i = 0; i < line.n; i++) {
    if (line.s[i] == '"') quoted = !quoted;
    if (line.s[i] == wanted && !quoted) return true;
  }
  return false;
}

static char separator_of(cell header, cell row) {
  static const char choices[] = {';', ',', '\t'};
  cell inner = trimmed(row.s, row.s + row.n);
  for (size_t k = 0; k < sizeof choices; k++)
    if (has(inner, choices[k])) return choices[k];
  if (has(inner, ' ')) return ' ';
  for (size_t k = 0; k < sizeof choices; k++)
    if (has(header, choices[k])) return choices[k];
  return ' ';
}

/* --- what a cell holds --------------------------------------------------------------------------
 */

static bool is_gap(cell c) {
  return c.n == 0 || (c.n == 3 && strncasecmp(c.s, "nan", 3) == 0) ||
         (c.n == 2 && strncasecmp(c.s, "na", 2) == 0);
}

static void spoil(table *t, size_t column, long line, cell c, const char *why) {
  if (t->blemish[column].line == 0)
    t->blemish[column] = (blemish){line, why, ria_text_quote(c.s, c.n)};
}

static const char *not_a_number(cell c) {
  return memchr(c.s, ',', c.n) ? "not a number (it takes a decimal point, not a comma)"
                               : "not a number";
}

static void drop_words(table *t, size_t column) {
  for (size_t k = 0; t->words && t->words[column] && k < t->shown.rows; k++)
    free(t->words[column][k]);
  if (t->words) free(t->words[column]);
  if (t->words) t->words[column] = NULL;
}

static double value_of(table *t, size_t column, long line, cell c) {
  static const char mixed[] = "of another kind than the rows before (numbers and dates are mixed)";
  double v = NAN;
  column_kind kind = NUMBERS;
  if (is_gap(c)) return NAN;
  if (ria_calendar_looks_like(c.s, c.n)) {
    const char *wrong = ria_calendar_parse(c.s, c.n, &v);
    if (wrong) spoil(t, column, line, c, wrong);
    kind = TIMES;
  } else if (!ria_number_parse(c.s, c.n, &v)) {
    spoil(t, column, line, c, not_a_number(c));
  } else if (!isfinite(v)) {
    spoil(t, column, line, c, "not a finite number");
    v = NAN;
  }
  if (t->kind[column] == UNDECIDED) t->kind[column] = kind;
  if (t->kind[column] != kind) spoil(t, column, line, c, mixed);
  if (!isnan(v)) drop_words(t, column);
  return v;
}

/* --- the table ----------------------------------------------------------------------------------
 */

static void destroy(table *t) {
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
  free(t->line);
  free(t->kind);
  free(t->blemish);
  free(t->path);
  free(t->text);
  free(t);
}

static ria_status make_columns(reader *r, table *t, size_t n) {
  t->name = calloc(n, sizeof *t->name);
  t->unit = calloc(n, sizeof *t->unit);
  t->words = calloc(n, sizeof *t->words);
  t->value = calloc(n, sizeof *t->value);
  t->is_time = calloc(n, sizeof *t->is_time);
  t->kind = calloc(n, sizeof *t->kind);
  t->blemish = calloc(n, sizeof *t->blemish);
  t->shown.columns = n;
  bool ok = t->name && t->unit && t->words && t->value && t->is_time && t->kind && t->blemish;
  return ok ? RIA_OK : no_memory(r->ctx, r->path);
}

/* A copy of a cell with doubled quotes made single. */
static char *copy_cell(cell c) {
  char *copy = malloc(c.n + 1), *to = copy;
  if (!copy) return NULL;
  for (size_t i = 0; i < c.n; i++) {
    *to++ = c.s[i];
    if (c.quoted && c.s[i] == '"') i++;
  }
  *to = '\0';
  return copy;
}

static bool grow(table *t) {
  size_t room = t->room ? 2 * t->room : FIRST_ROOM;
  long *line = realloc(t->line, room * sizeof *line);
  if (!line) return false;
  t->line = line;
  for (size_t c = 0; c < t->shown.columns; c++) {
    double *value = realloc(t->value[c], room * sizeof *value);
    if (!value) return false;
    t->value[c] = value;
    if (!t->words[c] && t->room) continue; /* has had a number */
    char **words = realloc(t->words[c], room * sizeof *words);
    if (!words) return false;
    t->words[c] = words;
  }
  t->room = room;
  return true;
}

/* Keep the cells of columns that may turn out to be text. */
static bool keep_words(const reader *r, table *t) {
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
static void drop_empty_tail(reader *r, size_t columns) {
  while (r->n > columns && r->cells[r->n - 1].n == 0 && !r->cells[r->n - 1].quoted) r->n--;
}

static ria_status add_row(reader *r, table *t) {
  const size_t columns = t->shown.columns, row = t->shown.rows;
  drop_empty_tail(r, columns);
  if (r->n != columns)
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: %zu cells where %zu columns are expected",
                    r->path, r->line_number, r->n, columns);
  if (row == t->room && !grow(t)) return no_memory(r->ctx, r->path);
  t->line[row] = r->line_number;
  for (size_t c = 0; c < columns; c++)
    t->value[c][row] = value_of(t, c, r->line_number, r->cells[c]);
  const bool kept = keep_words(r, t);
  t->shown.rows++;
  return kept ? RIA_OK : no_memory(r->ctx, r->path);
}

/* --- the header ---------------------------------------------------------------------------------
 */

/* Into name or unit, one text a column: those of the present line, or "". */
static ria_status set_texts(const reader *r, size_t columns, char **to, bool given) {
  for (size_t c = 0; c < columns; c++) {
    to[c] = copy_cell(given && c < r->n ? r->cells[c] : (cell){"", 0, false});
    if (!to[c]) return no_memory(r->ctx, r->path);
  }
  return RIA_OK;
}

static ria_status set_names(reader *r, table *t, bool named) {
  return set_texts(r, t->shown.columns, t->name, named);
}

/* Split a header at tabs and at runs of two or more blanks. */
static ria_status split_wide(reader *r, cell line) {
  const char *s = line.s, *end = line.s + line.n;
  r->n = 0;
  while (s < end) {
    const char *p = s;
    while (p < end && *p != '\t' && !(*p == ' ' && p + 1 < end && is_blank(p[1]))) p++;
    cell name = trimmed(s, p);
    if (name.n > 0) RIA_TRY(add_cell(r, name));
    s = p < end ? p + 1 : p;
  }
  return RIA_OK;
}

/* Name the columns, of which the first row has shown there are n. */
static ria_status read_header(reader *r, table *t, cell header, long line) {
  const size_t n = t->shown.columns;
  RIA_TRY(split_line(r, header));
  drop_empty_tail(r, n);
  if (r->n == n) return set_names(r, t, true);
  bool lenient = r->separator == ' ' || (r->separator == '\t' && !has(header, '\t'));
  size_t words = r->n;
  if (lenient) {
    char separator = r->separator;
    r->separator = ' ';
    RIA_TRY(split_line(r, header));
    r->separator = separator;
    words = r->n;
    if (words == n) return set_names(r, t, true);
  }
  if (lenient && words > n) {
    RIA_TRY(split_wide(r, header));
    return set_names(r, t, r->n == n);
  }
  return ria_fail(r->ctx, RIA_ERR_INPUT,
                  "%s:%ld: the header names %zu columns, the first row has %zu", r->path, line,
                  words, n);
}

static bool is_value(cell c) {
  double v;
  return !c.quoted && (ria_calendar_looks_like(c.s, c.n) || ria_number_parse(c.s, c.n, &v));
}

/* Numbers, times and gaps, but not gaps alone. */
static bool all_numbers(const reader *r) {
  size_t values = 0;
  for (size_t c = 0; c < r->n; c++) {
    const bool value = is_value(r->cells[c]);
    if (!value && !is_gap(r->cells[c])) return false;
    values += value;
  }
  return values > 0;
}

/* How many columns the first row shows. Empty cells at its end count only under a name. */
static ria_status count_columns(reader *r, cell header, cell row, size_t *n) {
  size_t named = 1;
  if (r->separator != ' ') {
    RIA_TRY(split_line(r, header));
    drop_empty_tail(r, 1);
    named = r->n;
  }
  RIA_TRY(split_line(r, row));
  drop_empty_tail(r, named);
  *n = r->n;
  return RIA_OK;
}

static ria_status read_headed(reader *r, table *t, cell header, long line) {
  size_t n;
  cell units = {"", 0, false};
  bool more = next_line(r);
  if (more && r->layout->units) {
    units = without_comment(r->line);
    more = next_line(r);
  }
  if (!more) return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: no rows follow the header", r->path);
  const cell row = without_comment(r->line);
  r->separator = separator_of(header, row);
  RIA_TRY(count_columns(r, header, row, &n));
  RIA_TRY(make_columns(r, t, n));
  RIA_TRY(split_line(r, units));
  if (r->layout->units) drop_empty_tail(r, n);
  if (r->n > n)
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: the row of units has %zu cells, the first row %zu",
                    r->path, r->n, n);
  RIA_TRY(set_texts(r, n, t->unit, true));
  return read_header(r, t, header, line);
}

/* Lines at the top that the caller knows to be something else. */
static ria_status skip_lines(reader *r) {
  for (int k = 0; k < r->layout->skip; k++) {
    if (r->at >= r->end)
      return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: it has %d lines, skip is %d", r->path, k,
                      r->layout->skip);
    r->at += strcspn(r->at, "\r\n");
    if (r->at < r->end && *r->at++ == '\r' && r->at < r->end && *r->at == '\n') r->at++;
    r->line_number++;
  }
  return RIA_OK;
}

/* The first line is a header or, if it is all numbers, already a row. */
static ria_status read_lines(reader *r, table *t) {
  RIA_TRY(skip_lines(r));
  if (!next_line(r))
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: the file is empty%s", r->path,
                    r->layout->skip ? " after the lines that are skipped" : "");
  const cell first = without_comment(r->line);
  r->separator = separator_of(first, first);
  RIA_TRY(split_line(r, first));
  if (r->layout->no_header || (all_numbers(r) && !r->layout->units)) {
    RIA_TRY(make_columns(r, t, r->n));
    RIA_TRY(set_names(r, t, false));
    RIA_TRY(set_texts(r, t->shown.columns, t->unit, false));
  } else {
    RIA_TRY(read_headed(r, t, r->line, r->line_number));
  }
  do {
    RIA_TRY(split_line(r, without_comment(r->line)));
    RIA_TRY(add_row(r, t));
  } while (next_line(r));
  return RIA_OK;
}

static void show(table *t) {
  for (size_t c = 0; c < t->shown.columns; c++) {
    t->is_time[c] = t->kind[c] == TIMES;
    /* gaps alone are values that are missing, not text */
    if (t->blemish[c].line == 0) drop_words(t, c);
  }
  t->shown.unit = (const char *const *)t->unit;
  t->shown.text = (const char *const *const *)t->words;
  t->shown.name = (const char *const *)t->name;
  t->shown.value = (const double *const *)t->value;
  t->shown.is_time = t->is_time;
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

static ria_status read_table(ria_context *ctx, const char *path, const ria_csv_layout *layout,
                             table *t) {
  size_t n;
  reader r = {.ctx = ctx, .path = path, .layout = layout};
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
  table *t = calloc(1, sizeof *t);
  if (t) t->path = strdup(path);
  ria_status s =
      t && t->path ? read_table(ctx, path, layout ? layout : &usual, t) : no_memory(ctx, path);
  if (s == RIA_OK) {
    show(t);
    *out = &t->shown;
  } else if (t) {
    destroy(t);
  }
  return s;
}

void ria_csv_table_destroy(ria_csv_table **shown) {
  if (!shown || !*shown) return;
  destroy((table *)*shown);
  *shown = NULL;
}

/* --- columns ------------------------------------------------------------------------------------
 */

static void list_names(const ria_csv_table *t, char *buf, size_t size) {
  size_t used = 0;
  buf[0] = '\0';
  for (size_t c = 0; c < t->columns && used < size; c++) {
    int n = t->name[c][0] ? snprintf(buf + used, size - used, "%s%s", c ? ", " : "", t->name[c])
                          : snprintf(buf + used, size - used, "%s#%zu", c ? ", " : "", c + 1);
    used += n > 0 ? (size_t)n : 0;
  }
  if (used >= size) memcpy(buf + size - 4, "...", 4);
}

static ria_status no_column(ria_context *ctx, const ria_csv_table *shown, const char *column) {
  const table *t = (const table *)shown;
  const char *near = ria_nearest(column, shown->name, shown->columns);
  char names[300];
  list_names(shown, names, sizeof names);
  if (near && !*near) near = NULL;
  return ria_fail(ctx, RIA_ERR_INPUT, "%s: there is no column '%.60s'%s%s%s; columns: %s", t->path,
                  column, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "",
                  names);
}

/* n of "#n", 0 if it is anything else. */
static size_t column_number(const char *column) {
  size_t digits = column[0] == '#' ? strspn(column + 1, "0123456789") : 0;
  if (digits == 0 || digits > 8 || column[1 + digits] != '\0') return 0;
  return (size_t)strtoul(column + 1, NULL, 10);
}

static ria_status same_names(ria_context *ctx, const ria_csv_table *shown, size_t a, size_t b) {
  const table *t = (const table *)shown;
  return ria_fail(ctx, RIA_ERR_INPUT,
                  "%s: columns %zu and %zu are both named '%.60s': choose by number, '#%zu'",
                  t->path, a + 1, b + 1, shown->name[a], a + 1);
}

ria_status ria_csv_table_find(ria_context *ctx, const ria_csv_table *t, const char *column,
                              size_t *index) {
  size_t found = t->columns, number = column_number(column);
  for (size_t c = 0; c < t->columns && *column; c++) {
    if (strcmp(t->name[c], column) != 0) continue;
    if (found < t->columns) return same_names(ctx, t, found, c);
    found = c;
  }
  if (found == t->columns && number >= 1 && number <= t->columns) found = number - 1;
  if (found == t->columns) return no_column(ctx, t, column);
  *index = found;
  return RIA_OK;
}

ria_status ria_csv_table_check(ria_context *ctx, const ria_csv_table *shown, size_t index) {
  return shown->text[index] ? RIA_OK : ria_csv_table_numbers(ctx, shown, index);
}

ria_status ria_csv_table_numbers(ria_context *ctx, const ria_csv_table *shown, size_t index) {
  const table *t = (const table *)shown;
  const blemish *b = &t->blemish[index];
  char label[80];
  if (b->line == 0) return RIA_OK;
  ria_csv_table_label(shown, index, label, sizeof label);
  return ria_fail(ctx, RIA_ERR_INPUT, "%s:%ld: '%s' in %s: %s", t->path, b->line, b->text.s, label,
                  b->why);
}

void ria_csv_table_label(const ria_csv_table *t, size_t index, char *buf, size_t size) {
  if (t->name[index][0])
    snprintf(buf, size, "column '%.60s'", t->name[index]);
  else
    snprintf(buf, size, "column %zu", index + 1);
}

ria_status ria_csv_table_column(ria_context *ctx, const ria_csv_table *t, const char *column,
                                const double **values) {
  size_t index;
  RIA_TRY(ria_csv_table_find(ctx, t, column, &index));
  RIA_TRY(ria_csv_table_numbers(ctx, t, index));
  *values = t->value[index];
  return RIA_OK;
}
