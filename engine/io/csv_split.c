/* io/csv_split.c - lines of a CSV file, and the cells of a line, which point into it. */
#include "base/array.h"
#include "io/calendar.h"
#include "io/csv_table.h"

#include <stdlib.h>
#include <string.h>

/* --- lines ------------------------------------------------------------------------------------ */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static csv_cell trimmed(const char *s, const char *end) {
  while (s < end && is_blank(*s)) s++;
  while (end > s && is_blank(end[-1])) end--;
  return (csv_cell){s, (size_t)(end - s), false};
}

bool ria_csv_next_line(csv_reader *r) {
  while (r->at < r->end) {
    char *s = r->at;
    size_t n = strcspn(s, "\r\n");
    r->at = s + n;
    if (r->at < r->end && *r->at++ == '\r' && r->at < r->end && *r->at == '\n') r->at++;
    r->line_number++;
    r->line = (csv_cell){s, n, false};
    csv_cell inner = trimmed(s, s + n);
    if (inner.n > 0 && *inner.s != '#') return true;
  }
  return false;
}

ria_status ria_csv_skip(csv_reader *r) {
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

/* --- cells ------------------------------------------------------------------------------------ */

ria_status ria_csv_no_memory(ria_context *ctx, const char *path) {
  return ria_fail(ctx, RIA_ERR_MEMORY, "%s: out of memory while reading it", path);
}

static ria_status add_cell(csv_reader *r, csv_cell c) {
  if (ria_grow(NULL, "", &r->cells, &r->room, r->n + 1, sizeof *r->cells) != RIA_OK)
    return ria_csv_no_memory(r->ctx, r->path);
  r->cells[r->n++] = c;
  return RIA_OK;
}

/* A quoted cell starts at s; *after is behind its closing quote. Its inside still holds doubled
 * quotes as they are. */
static ria_status quoted_cell(csv_reader *r, const char *s, const char *end, const char **after) {
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
  return add_cell(r, (csv_cell){s + 1, (size_t)(p - s - 1), true});
}

static ria_status after_quote(csv_reader *r, const char *p) {
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: '%s' follows a closing quote", r->path,
                  r->line_number, ria_text_quote(p, 1).s);
}

static ria_status split_separated(csv_reader *r, const char *s, const char *end) {
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

static ria_status split_blanks(csv_reader *r, const char *s, const char *end) {
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
      RIA_TRY(add_cell(r, (csv_cell){s, (size_t)(p - s), false}));
    }
    s = p;
  }
}

ria_status ria_csv_split(csv_reader *r, csv_cell line) {
  r->n = 0;
  return r->separator == ' ' ? split_blanks(r, line.s, line.s + line.n)
                             : split_separated(r, line.s, line.s + line.n);
}

csv_cell ria_csv_without_comment(csv_cell line) {
  bool quoted = false;
  for (size_t i = 0; i < line.n; i++) {
    if (line.s[i] == '"') quoted = !quoted;
    if (line.s[i] == '#' && !quoted) return (csv_cell){line.s, i, false};
  }
  return line;
}

bool ria_csv_has(csv_cell line, char wanted) {
  bool quoted = false;
  for (size_t i = 0; i < line.n; i++) {
    if (line.s[i] == '"') quoted = !quoted;
    if (line.s[i] == wanted && !quoted) return true;
  }
  return false;
}

char ria_csv_separator(csv_cell header, csv_cell row) {
  static const char choices[] = {';', ',', '\t'};
  csv_cell inner = trimmed(row.s, row.s + row.n);
  for (size_t k = 0; k < sizeof choices; k++)
    if (ria_csv_has(inner, choices[k])) return choices[k];
  if (ria_csv_has(inner, ' ')) return ' ';
  for (size_t k = 0; k < sizeof choices; k++)
    if (ria_csv_has(header, choices[k])) return choices[k];
  return ' ';
}

ria_status ria_csv_split_wide(csv_reader *r, csv_cell line) {
  const char *s = line.s, *end = line.s + line.n;
  r->n = 0;
  while (s < end) {
    const char *p = s;
    while (p < end && *p != '\t' && !(*p == ' ' && p + 1 < end && is_blank(p[1]))) p++;
    csv_cell name = trimmed(s, p);
    if (name.n > 0) RIA_TRY(add_cell(r, name));
    s = p < end ? p + 1 : p;
  }
  return RIA_OK;
}
