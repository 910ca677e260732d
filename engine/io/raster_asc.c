/* io/raster_asc.c - reading ESRI ASCII grids.
 *
 * The file is a stream of words: keys with their values first, in any order and case, then
 * ncols * nrows numbers from the north-west corner, row by row eastwards. How words are spread over
 * lines does not matter; lines are counted for messages alone. A header ends at the first word that
 * is a number where a key could stand ("nan" and "inf" are numbers).
 *
 * No data: a number that equals NODATA_value (-9999 if the header has none, as ESRI defines it) to
 * single precision, since the two often differ in how many digits were printed; nan; and whatever
 * lies beyond 1e38, the habitual -3.4e38 in all its spellings. */
#include "io/raster_asc.h"
#include "io/number.h"
#include "io/text_file.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- words --------------------------------------------------------------------------------------
 * buf[pos, end) has been read but not used. A word is only looked at when at least WORD_ROOM bytes
 * lie behind pos, or all that the file has, so it is never cut by the end of the buffer. */

enum { BUFFER = 1 << 18, WORD_ROOM = RIA_NUMBER_MAX + 100 };

typedef struct reader {
  ria_context *ctx;
  const char *path;
  ria_text *text;
  char *buf;
  size_t pos, end;
  long line; /* of the present word */
  bool ended;
} reader;

typedef struct word {
  const char *s;
  size_t n; /* 0 at the end of the file */
} word;

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static ria_status refill(reader *r) {
  size_t kept = r->end - r->pos, got;
  memmove(r->buf, r->buf + r->pos, kept);
  RIA_TRY(ria_text_read(r->ctx, r->text, r->buf + kept, BUFFER - kept, &got));
  r->pos = 0;
  r->end = kept + got;
  r->ended = r->end < BUFFER;
  return RIA_OK;
}

static ria_status next_word(reader *r, word *w) {
  for (;;) {
    if (!r->ended && r->end - r->pos < WORD_ROOM) RIA_TRY(refill(r));
    while (r->pos < r->end && is_blank(r->buf[r->pos])) r->line += r->buf[r->pos++] == '\n';
    if (r->ended || r->end - r->pos >= WORD_ROOM) break;
  }
  size_t p = r->pos, end = r->end - p < WORD_ROOM ? r->end : p + WORD_ROOM;
  while (p < end && !is_blank(r->buf[p])) p++;
  *w = (word){r->buf + r->pos, p - r->pos};
  r->pos = p;
  return RIA_OK;
}

/* --- messages --------------------------------------------------------------------------------- */

static bool is_text(word w) {
  for (size_t i = 0; i < w.n; i++)
    if (w.s[i] < ' ' || w.s[i] > '~') return false;
  return true;
}

static ria_status not_a_number(reader *r, word w, const char *expected) {
  if (!is_text(w))
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: not an ESRI ASCII grid: %s expected, not '%s'",
                    r->path, r->line, expected, ria_text_quote(w.s, w.n).s);
  bool comma = memchr(w.s, ',', w.n) != NULL;
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: '%s' is not a number: %s expected%s", r->path,
                  r->line, ria_text_quote(w.s, w.n).s, expected,
                  comma ? " (with a decimal point, not a comma)" : "");
}

/* --- the header ------------------------------------------------------------------------------- */

enum { NCOLS, NROWS, XCORNER, YCORNER, XCENTER, YCENTER, CELLSIZE, DX, DY, NODATA, KEYS };

static const char *const key_names[KEYS] = {"ncols",     "nrows",       "xllcorner", "yllcorner",
                                            "xllcenter", "yllcenter",   "cellsize",  "dx",
                                            "dy",        "NODATA_value"};

typedef struct header {
  bool given[KEYS];
  double value[KEYS];
  word first; /* the first value of the data; n = 0 when there is none */
} header;

static bool same_word(word w, const char *name) {
  return w.n == strlen(name) && strncasecmp(w.s, name, w.n) == 0;
}

static int find_key(word w) {
  for (int k = 0; k < KEYS; k++)
    if (same_word(w, key_names[k])) return k;
  return -1;
}

static ria_status unknown_key(reader *r, word w) {
  ria_token_text name = ria_text_quote(w.s, w.n);
  for (char *c = name.s; *c; c++) *c = (char)tolower((unsigned char)*c);
  const char *near = ria_nearest(name.s, key_names, KEYS);
  if (!is_text(w)) return not_a_number(r, w, "a key such as ncols");
  return ria_fail(r->ctx, RIA_ERR_INPUT,
                  "%s:%ld: '%s' is not a key of an ESRI ASCII grid%s%s%s; keys: ncols, nrows, "
                  "xllcorner or xllcenter, yllcorner or yllcenter, cellsize (or dx, dy), "
                  "NODATA_value",
                  r->path, r->line, ria_text_quote(w.s, w.n).s, near ? "; did you mean '" : "",
                  near ? near : "", near ? "'?" : "");
}

static ria_status check_value(reader *r, int key, double v, word w) {
  const char *name = key_names[key];
  ria_token_text text = ria_text_quote(w.s, w.n);
  if (key == NCOLS || key == NROWS) {
    if (!(v >= 1.0 && v <= INT_MAX && v == floor(v)))
      return ria_fail(r->ctx, RIA_ERR_INPUT,
                      "%s:%ld: %s must be a whole number from 1 to %d, not %s", r->path, r->line,
                      name, INT_MAX, text.s);
  } else if (key == CELLSIZE || key == DX || key == DY) {
    if (!(v > 0.0 && v < INFINITY))
      return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: %s must be greater than 0, not %s", r->path,
                      r->line, name, text.s);
  } else if (key != NODATA && !isfinite(v)) {
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: %s must be finite, not %s", r->path, r->line,
                    name, text.s);
  }
  return RIA_OK;
}

static ria_status read_entry(reader *r, int key, header *h) {
  const char *name = key_names[key];
  word w;
  if (h->given[key])
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: %s is given twice", r->path, r->line, name);
  RIA_TRY(next_word(r, &w));
  if (w.n == 0)
    return ria_fail(r->ctx, RIA_ERR_INPUT,
                    "%s:%ld: the file ends where the value of %s is expected", r->path, r->line,
                    name);
  if (!ria_number_parse(w.s, w.n, &h->value[key])) {
    char expected[64] = "the value of ";
    return not_a_number(r, w, strcat(expected, name));
  }
  h->given[key] = true;
  return check_value(r, key, h->value[key], w);
}

static void skip_byte_order_mark(reader *r) {
  if (r->end - r->pos >= 3 && memcmp(r->buf + r->pos, "\xef\xbb\xbf", 3) == 0) r->pos += 3;
}

static ria_status read_header(reader *r, header *h) {
  RIA_TRY(refill(r));
  if (r->end >= 4 && (memcmp(r->buf, "II*\0", 4) == 0 || memcmp(r->buf, "MM\0*", 4) == 0))
    return ria_fail(r->ctx, RIA_ERR_INPUT,
                    "%s: a TIFF file within gzip, or one that is no regular file; gunzip or copy "
                    "it, then it is read",
                    r->path);
  skip_byte_order_mark(r);
  for (;;) {
    word w;
    double number;
    RIA_TRY(next_word(r, &w));
    h->first = w;
    if (w.n == 0 || ria_number_parse(w.s, w.n, &number)) return RIA_OK;
    int key = find_key(w);
    if (key >= 0)
      RIA_TRY(read_entry(r, key, h));
    else if (isalpha((unsigned char)w.s[0]) || !is_text(w))
      return unknown_key(r, w);
    else
      return not_a_number(r, w, "a key or the first value");
  }
}

static ria_status either(reader *r, const header *h, int a, int b) {
  if (h->given[a] != h->given[b]) return RIA_OK;
  if (h->given[a])
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: the header has both %s and %s; one is needed",
                    r->path, key_names[a], key_names[b]);
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: the header has no %s or %s", r->path, key_names[a],
                  key_names[b]);
}

static ria_status need(reader *r, const header *h, int key) {
  if (h->given[key]) return RIA_OK;
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: the header has no %s", r->path, key_names[key]);
}

static ria_status grid_of(reader *r, const header *h, ria_grid *g) {
  RIA_TRY(need(r, h, NCOLS));
  RIA_TRY(need(r, h, NROWS));
  RIA_TRY(either(r, h, XCORNER, XCENTER));
  RIA_TRY(either(r, h, YCORNER, YCENTER));
  RIA_TRY(either(r, h, CELLSIZE, DX));
  RIA_TRY(either(r, h, CELLSIZE, DY));
  const double *v = h->value;
  if (v[NCOLS] * v[NROWS] > INT_MAX)
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: %.0f x %.0f cells are more than the %d allowed",
                    r->path, v[NCOLS], v[NROWS], INT_MAX);
  g->nx = (int)v[NCOLS];
  g->ny = (int)v[NROWS];
  g->dx = h->given[CELLSIZE] ? v[CELLSIZE] : v[DX];
  g->dy = h->given[CELLSIZE] ? v[CELLSIZE] : v[DY];
  g->x0 = h->given[XCORNER] ? v[XCORNER] : v[XCENTER] - 0.5 * g->dx;
  g->y0 = h->given[YCORNER] ? v[YCORNER] : v[YCENTER] - 0.5 * g->dy;
  return RIA_OK;
}

/* --- the values ------------------------------------------------------------------------------- */

static ria_status too_few(reader *r, const ria_grid *g, size_t got) {
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: the file ends after %zu of %d x %d = %zu values",
                  r->path, r->line, got, g->nx, g->ny, (size_t)g->nx * (size_t)g->ny);
}

static ria_status wrong_value(reader *r, word w, int row, int column) {
  char expected[64];
  snprintf(expected, sizeof expected, "value %d of row %d", column + 1, row + 1);
  return not_a_number(r, w, expected);
}

static ria_status read_values(reader *r, const header *h, ria_raster *raster) {
  const ria_grid *g = &raster->grid;
  const float nodata = (float)(h->given[NODATA] ? h->value[NODATA] : -9999.0);
  word w = h->first;
  for (int row = 0; row < g->ny; row++) {
    double *line = raster->data + (size_t)(g->ny - 1 - row) * (size_t)g->nx;
    for (int i = 0; i < g->nx; i++) {
      double v;
      if (w.n == 0) return too_few(r, g, (size_t)row * (size_t)g->nx + (size_t)i);
      if (!ria_number_parse(w.s, w.n, &v)) return wrong_value(r, w, row, i);
      line[i] = (float)v == nodata || !(fabs(v) < 1e38) ? NAN : v;
      RIA_TRY(next_word(r, &w));
    }
  }
  if (w.n == 0) return RIA_OK;
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: '%s' follows the last of %d x %d values", r->path,
                  r->line, ria_text_quote(w.s, w.n).s, g->nx, g->ny);
}

/* A header may promise gigabytes that the file cannot hold: notice before asking for them. Small
 * promises are let through, because reading on gives the better message. */
static ria_status check_promise(reader *r, const ria_grid *g) {
  const double small = 1e6;
  double n = (double)g->nx * (double)g->ny;
  if (n <= small || 2.0 * n - 1.0 <= ria_text_bound(r->text)) return RIA_OK;
  return ria_fail(r->ctx, RIA_ERR_INPUT,
                  "%s: the file is too short to hold the %d x %d values its header promises",
                  r->path, g->nx, g->ny);
}

static ria_status read_all(reader *r, ria_raster **out) {
  header h = {.first = {NULL, 0}};
  ria_grid g = {0};
  RIA_TRY(read_header(r, &h));
  RIA_TRY(grid_of(r, &h, &g));
  RIA_TRY(check_promise(r, &g));
  ria_status s = ria_raster_create(r->ctx, &g, out);
  if (s == RIA_ERR_ARGUMENT) s = RIA_ERR_INPUT;
  if (s != RIA_OK) return ria_fail_more(r->ctx, s, "%s", r->path);
  s = read_values(r, &h, *out);
  if (s != RIA_OK) ria_raster_destroy(out);
  return s;
}

ria_status ria_asc_read(ria_context *ctx, const char *path, ria_raster **out) {
  reader r = {.ctx = ctx, .path = path, .line = 1};
  *out = NULL;
  RIA_TRY(ria_text_open(ctx, path, &r.text));
  r.buf = malloc(BUFFER);
  ria_status s = r.buf
                     ? read_all(&r, out)
                     : ria_fail(ctx, RIA_ERR_MEMORY, "%s: out of memory (%d bytes)", path, BUFFER);
  free(r.buf);
  ria_text_close(&r.text);
  return s;
}
