/* io/xyz_read.c - points from text: x, y, z a line. */
#include "io/number.h"
#include "io/xyz.h"
#include "io/text_file.h"

#include "base/context.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE_MOST = 1 << 16, WORDS = 3 };

typedef struct reader {
  ria_context *ctx;
  const char *path;
  const double *nodata;
  bool cells; /* of a raster: points without a height are kept, as NaN */
  ria_xyz *to;
  ria_text *text;
  long line;
  bool begun; /* the header, if there is one, is behind */
  size_t first;
  char buf[LINE_MOST + 1];
} reader;

ria_status ria_xyz_add(ria_context *ctx, ria_xyz *p, double x, double y, double z) {
  if (p->n == p->room) {
    const size_t room = p->room ? 2 * p->room : 1024, bytes = room * sizeof(double);
    double **const lists[] = {&p->x, &p->y, &p->z};
    for (int k = 0; k < 3; k++) {
      double *more = realloc(*lists[k], bytes);
      if (!more) return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for %zu points", room);
      *lists[k] = more;
    }
    p->room = room;
  }
  p->x[p->n] = x;
  p->y[p->n] = y;
  p->z[p->n++] = z;
  return RIA_OK;
}

void ria_xyz_free(ria_xyz *p) {
  free(p->x);
  free(p->y);
  free(p->z);
  *p = (ria_xyz){0};
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool separates(char c) { return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r'; }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The next word of a line from *at on; its length, 0 at the end. */
static size_t next_word(const char *s, size_t n, size_t *at, const char **word) {
  while (*at < n && separates(s[*at])) ++*at;
  const size_t start = *at;
  while (*at < n && !separates(s[*at])) ++*at;
  *word = s + start;
  return *at - start;
}

static ria_status wrong_line(const reader *r, const char *s, size_t n) {
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: expected x, y and z, not '%s'", r->path, r->line,
                  ria_text_quote(s, n).s);
}

/* The words of a line between semicolons, if it has any, else between tabs or blanks, without the
 * blanks around them. How many of the first three there are. */
static int outer_words(const char *s, size_t n, const char *word[WORDS], size_t length[WORDS]) {
  const char hard = memchr(s, ';', n) ? ';' : memchr(s, '\t', n) ? '\t' : ' ';
  const char *end = s + n;
  int k = 0;
  while (k < WORDS) {
    while (s < end && (*s == hard || is_blank(*s))) s++;
    const char *start = s;
    while (s < end && *s != hard) s++;
    const char *last = s;
    while (last > start && is_blank(last[-1])) last--;
    if (last == start) return k;
    word[k] = start;
    length[k++] = (size_t)(last - start);
  }
  return k;
}

/* "431000,5" as "431000.5". */
static bool is_decimal_comma(const char *word, size_t n, char *point) {
  const char *comma = memchr(word, ',', n);
  double v;
  if (!comma || n > RIA_NUMBER_MAX || comma == word || comma + 1 == word + n) return false;
  if (!isdigit((unsigned char)comma[-1]) || !isdigit((unsigned char)comma[1])) return false;
  memcpy(point, word, n);
  point[comma - word] = '.';
  point[n] = '\0';
  return ria_number_parse(point, n, &v);
}

/* Three words that are numbers, but for a comma in some where the point should be: to read them as
 * two columns each would place points anywhere. "1, 2, 3" is something else. */
static ria_status check_commas(const reader *r, const char *s, size_t n) {
  const char *word[WORDS];
  size_t length[WORDS];
  char point[RIA_NUMBER_MAX + 1];
  int first = -1;
  double v;
  if (!memchr(s, ',', n) || outer_words(s, n, word, length) < WORDS) return RIA_OK;
  for (int k = WORDS - 1; k >= 0; k--) {
    if (is_decimal_comma(word[k], length[k], point))
      first = k;
    else if (!ria_number_parse(word[k], length[k], &v))
      return RIA_OK;
  }
  if (first < 0) return RIA_OK;
  (void)is_decimal_comma(word[first], length[first], point);
  return ria_fail(r->ctx, RIA_ERR_INPUT,
                  "%s:%ld: '%s' has a decimal comma: write %s (tr , . changes all of them)",
                  r->path, r->line, ria_text_quote(word[first], length[first]).s,
                  ria_text_quote(point, length[first]).s);
}

/* Cells have no data as those of ESRI ASCII have: the format has no place to say it. */
static bool is_none(const reader *r, double z) {
  return !(fabs(z) < 1e38) || (r->nodata && z == *r->nodata) || (r->cells && (float)z == -9999.0f);
}

static ria_status read_line(reader *r, const char *s, size_t n) {
  const char *word;
  size_t at = 0;
  double v[3];
  RIA_TRY(check_commas(r, s, n));
  for (int k = 0; k < 3; k++) {
    const size_t length = next_word(s, n, &at, &word);
    if (k == 0 && (length == 0 || *word == '#')) return RIA_OK;
    const bool number = length && ria_number_parse(word, length, &v[k]);
    if (!number && k == 0 && !r->begun) {
      r->begun = true; /* the names of the columns */
      return RIA_OK;
    }
    if (!number || (k < 2 && !isfinite(v[k]))) return wrong_line(r, s, n);
  }
  r->begun = true;
  if (is_none(r, v[2])) {
    if (!r->cells) return RIA_OK;
    v[2] = NAN;
  }
  return ria_xyz_add(r->ctx, r->to, v[0], v[1], v[2]);
}

/* The whole lines of buf[0, n); the rest is moved to the front, and is *left bytes. */
static ria_status read_lines(reader *r, size_t n, size_t *left) {
  size_t start = 0;
  for (char *end; (end = memchr(r->buf + start, '\n', n - start)) != NULL;) {
    r->line++;
    RIA_TRY(read_line(r, r->buf + start, (size_t)(end - r->buf) - start));
    start = (size_t)(end - r->buf) + 1;
  }
  *left = n - start;
  memmove(r->buf, r->buf + start, *left);
  return RIA_OK;
}

static ria_status read_all(reader *r) {
  size_t left = 0, got;
  do {
    RIA_TRY(ria_go_on(r->ctx));
    RIA_TRY(ria_text_read(r->ctx, r->text, r->buf + left, LINE_MOST - left, &got));
    size_t n = left + got, skip = 0;
    const bool whole = got == LINE_MOST - left;
    if (r->line == 0 && n >= 3 && memcmp(r->buf, "\xef\xbb\xbf", 3) == 0) skip = 3;
    memmove(r->buf, r->buf + skip, n -= skip);
    if (!whole && n > 0 && r->buf[n - 1] != '\n') r->buf[n++] = '\n'; /* the last line */
    RIA_TRY(read_lines(r, n, &left));
    if (left == LINE_MOST)
      return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: a line of more than %d bytes", r->path,
                      r->line + 1, LINE_MOST);
    if (!whole) return RIA_OK;
  } while (true);
}

static ria_status read_points(ria_context *ctx, const char *path, const double *nodata, bool cells,
                              ria_xyz *to) {
  reader *r = calloc(1, sizeof *r);
  if (!r) return ria_fail(ctx, RIA_ERR_MEMORY, "%s: out of memory", path);
  *r = (reader){
      .ctx = ctx, .path = path, .nodata = nodata, .cells = cells, .to = to, .first = to->n};
  ria_status s = ria_text_open(ctx, path, &r->text);
  if (s == RIA_OK) s = read_all(r);
  if (s == RIA_OK && to->n == r->first)
    s = ria_fail(ctx, RIA_ERR_INPUT, "%s: no points are in it", path);
  ria_text_close(&r->text);
  free(r);
  return s;
}

ria_status ria_xyz_read(ria_context *ctx, const char *path, const double *nodata, ria_xyz *to) {
  return read_points(ctx, path, nodata, false, to);
}

/* --- rasters written as points ---------------------------------------------------------------- */

bool ria_xyz_is_named(const char *path) {
  const size_t n = strlen(path);
  return (n > 4 && strcasecmp(path + n - 4, ".xyz") == 0) ||
         (n > 7 && strcasecmp(path + n - 7, ".xyz.gz") == 0);
}

static int by_value(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* Values at equal steps, as far as their digits say: the first, the step, how many places. On a
 * lattice the widest gap between neighbours is the step, but for rows that are left out. */
static bool equal_steps(double *sorted, size_t n, double *first, double *step, int *places) {
  double gap = 0.0;
  qsort(sorted, n, sizeof *sorted, by_value);
  for (size_t k = 1; k < n; k++) gap = fmax(gap, sorted[k] - sorted[k - 1]);
  const double extent = sorted[n - 1] - sorted[0], steps = gap > 0.0 ? rint(extent / gap) : 0.0;
  bool ok = steps >= 1.0 && steps < 1e9;
  *first = sorted[0];
  *step = ok ? extent / steps : 0.0;
  *places = ok ? (int)steps + 1 : 0;
  for (size_t k = 0; ok && k < n; k++) {
    const double at = (sorted[k] - *first) / *step;
    ok = fabs(at - rint(at)) < 0.01;
  }
  return ok;
}

/* The steps of the lattice, from copies of the positions, which are sorted. */
static bool lattice_of(const ria_xyz *p, double *sorted, ria_grid *g, double *x0, double *y0) {
  const size_t bytes = p->n * sizeof *sorted;
  memcpy(sorted, p->x, bytes);
  if (!equal_steps(sorted, p->n, x0, &g->dx, &g->nx)) return false;
  memcpy(sorted, p->y, bytes);
  if (!equal_steps(sorted, p->n, y0, &g->dy, &g->ny)) return false;
  const double cells = (double)g->nx * g->ny, n = (double)p->n;
  return n <= cells && cells <= 64.0 * n && cells <= INT32_MAX;
}

ria_status ria_xyz_lattice(ria_context *ctx, const ria_xyz *p, ria_grid *g) {
  double x0, y0, *sorted = p->n > 1 ? malloc(p->n * sizeof *sorted) : NULL;
  *g = (ria_grid){0};
  if (p->n < 2) return RIA_OK;
  if (!sorted) return ria_fail_memory(ctx, "points", p->n * sizeof *sorted);
  ria_grid of = {0};
  const bool steps = lattice_of(p, sorted, &of, &x0, &y0);
  free(sorted);
  if (!steps) return RIA_OK;
  const size_t cells = (size_t)of.nx * (size_t)of.ny;
  unsigned char *taken = calloc(cells, 1);
  if (!taken) return ria_fail_memory(ctx, "points", cells);
  bool once = true;
  for (size_t k = 0; once && k < p->n; k++) {
    const size_t i = (size_t)rint((p->x[k] - x0) / of.dx), j = (size_t)rint((p->y[k] - y0) / of.dy);
    once = taken[j * (size_t)of.nx + i]++ == 0;
  }
  free(taken);
  of.x0 = x0 - 0.5 * of.dx;
  of.y0 = y0 - 0.5 * of.dy;
  if (once) *g = of;
  return RIA_OK;
}

static ria_status take_lattice(ria_context *ctx, const char *path, const ria_xyz *p,
                               ria_raster **out) {
  ria_grid g;
  RIA_TRY(ria_xyz_lattice(ctx, p, &g));
  if (!g.nx)
    return ria_fail(ctx, RIA_ERR_INPUT,
                    "%s: its %zu points are not the cells of a raster; ria.soundings { \"%s\", dx "
                    "= ... } makes cells of them",
                    path, p->n, path);
  RIA_TRY(ria_raster_create(ctx, &g, out));
  for (size_t k = 0; k < p->n; k++) {
    const size_t i = (size_t)((p->x[k] - g.x0) / g.dx), j = (size_t)((p->y[k] - g.y0) / g.dy);
    (*out)->data[j * (size_t)g.nx + i] = p->z[k];
  }
  return RIA_OK;
}

ria_status ria_xyz_read_raster(ria_context *ctx, const char *path, ria_raster **out) {
  ria_xyz p = {0};
  *out = NULL;
  ria_status s = read_points(ctx, path, NULL, true, &p);
  if (s == RIA_OK) s = take_lattice(ctx, path, &p, out);
  ria_xyz_free(&p);
  return s;
}
