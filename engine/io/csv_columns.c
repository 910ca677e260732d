/* io/csv_columns.c - columns of a table asked for by name or number, and why one is not of numbers.
 */
#include "base/text.h"
#include "io/csv_table.h"
#include <ria/units.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  const csv_table *t = (const csv_table *)shown;
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

static ria_status same_names(ria_context *ctx, const ria_csv_table *shown, const char *name,
                             size_t a, size_t b) {
  const csv_table *t = (const csv_table *)shown;
  return ria_fail(ctx, RIA_ERR_INPUT,
                  "%s: columns %zu and %zu are both named '%.60s': choose by number, '#%zu'",
                  t->path, a + 1, b + 1, name, a + 1);
}

/* Is this the name, or the name before its unit? */
static bool is_named(const ria_csv_table *t, size_t c, const char *column, bool whole) {
  char unit[RIA_UNIT_MAX];
  const size_t n = strlen(column);
  if (whole) return strcmp(t->name[c], column) == 0;
  return strncmp(t->name[c], column, n) == 0 && ria_csv_table_unit(t, c, unit, sizeof unit) == n;
}

static ria_status find(ria_context *ctx, const ria_csv_table *t, const char *column, bool stems,
                       size_t *index) {
  size_t found = t->columns, number = column_number(column);
  for (int whole = 1; whole >= !stems && found == t->columns; whole--)
    for (size_t c = 0; c < t->columns && *column; c++) {
      if (!is_named(t, c, column, whole)) continue;
      if (found < t->columns) return same_names(ctx, t, column, found, c);
      found = c;
    }
  if (found == t->columns && number >= 1 && number <= t->columns) found = number - 1;
  if (found == t->columns) return no_column(ctx, t, column);
  *index = found;
  return RIA_OK;
}

ria_status ria_csv_table_find(ria_context *ctx, const ria_csv_table *t, const char *column,
                              size_t *index) {
  return find(ctx, t, column, false, index);
}

ria_status ria_csv_table_find_stem(ria_context *ctx, const ria_csv_table *t, const char *column,
                                   size_t *index) {
  return find(ctx, t, column, true, index);
}

ria_status ria_csv_table_check(ria_context *ctx, const ria_csv_table *shown, size_t index) {
  return shown->text[index] ? RIA_OK : ria_csv_table_numbers(ctx, shown, index);
}

ria_status ria_csv_table_numbers(ria_context *ctx, const ria_csv_table *shown, size_t index) {
  const csv_table *t = (const csv_table *)shown;
  const csv_blemish *b = &t->blemish[index];
  char label[80];
  if (b->line == 0) return RIA_OK;
  ria_csv_table_label(shown, index, label, sizeof label);
  return ria_fail(ctx, RIA_ERR_INPUT, "%s:%ld: '%s' in %s: %s%s", t->path, b->line, b->text.s,
                  label, b->why,
                  shown->first_row_is_words && b->line == shown->line[0]
                      ? "; if this line holds the units of the columns, write units = true"
                      : "");
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

/* Where the bracket begins that a text of n bytes ends in; n: in none. "s/m^(1/3)" has some. */
static size_t bracket_of(const char *s, size_t n) {
  const char close = n ? s[n - 1] : '\0', open = close == ']' ? '[' : '(';
  int depth = 0;
  if (close != ']' && close != ')') return n;
  for (size_t k = n; k-- > 0;) {
    depth += (s[k] == close) - (s[k] == open);
    if (depth == 0) return k;
  }
  return n;
}

size_t ria_csv_table_unit(const ria_csv_table *t, size_t index, char *unit, size_t size) {
  const char *name = t->name[index], *told = t->unit[index];
  const size_t n = strlen(name), open = bracket_of(name, n);
  size_t stem = open;
  while (stem > 0 && strchr(" \t", name[stem - 1])) stem--;
  const bool has = open < n && stem > 0; /* "(m)" alone is a name */
  if (*told)
    ria_format(unit, size, "%s", told);
  else
    ria_format(unit, size, "%.*s", has ? (int)(n - open - 2) : 0, has ? name + open + 1 : "");
  return has ? stem : n;
}
