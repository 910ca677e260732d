/* forcing/tide_points.c - constituents of several points from a file: astronomic components as
 * Delft3D has them (.bca), or a CSV table.
 *
 * A .bca has a line with the name of a point, then a line for each of its constituents: name,
 * amplitude, phase; A0, the mean, has no phase. Then comes the next point. Whatever is wrong is
 * told with its line; what is left out at one point and there at another is told too, for it would
 * fade out between them. */
#include "base/context.h"
#include "base/text.h"
#include "forcing/tide.h"
#include "io/csv_read.h"
#include "io/number.h"
#include "io/text_file.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20, WORDS = 4, NAME = 64, MOST_POINTS = 10000 };

typedef struct reader {
  ria_context *ctx;
  const char *path;
  const char *const *only; /* [n_only] or NULL: all */
  size_t n_only;
  ria_tide_points *out;
  size_t room;
} reader;

/* --- what is collected ------------------------------------------------------------------------ */

void ria_tide_points_free(ria_tide_points *p) {
  for (size_t k = 0; k < p->n; k++) {
    free(p->point[k].name);
    free(p->point[k].constituents);
  }
  free(p->point);
  *p = (ria_tide_points){0};
}

static ria_tide_point *find(const reader *r, const char *name) {
  for (size_t k = 0; k < r->out->n; k++)
    if (strcmp(r->out->point[k].name, name) == 0) return &r->out->point[k];
  return NULL;
}

/* A new one, the last. */
static ria_status add_point(reader *r, const char *name, ria_tide_point **out) {
  if (r->out->n == MOST_POINTS)
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: it has more points than the %d that are read",
                    r->path, MOST_POINTS);
  if (r->out->n == r->room) {
    const size_t room = r->room ? 2 * r->room : 8;
    ria_tide_point *grown = realloc(r->out->point, room * sizeof *grown);
    if (!grown) return ria_fail_memory(r->ctx, "points of a tide", room * sizeof *grown);
    r->out->point = grown;
    r->room = room;
  }
  ria_tide_point *p = &r->out->point[r->out->n];
  *p = (ria_tide_point){.name = ria_strdup(name), .x = NAN, .y = NAN};
  if (!p->name) return ria_fail_memory(r->ctx, "points of a tide", strlen(name) + 1);
  r->out->n++;
  *out = p;
  return RIA_OK;
}

static bool wanted(const reader *r, const char *name) {
  for (size_t k = 0; r->only && k < r->n_only; k++)
    if (strcmp(r->only[k], name) == 0 || ria_tide_same(r->only[k], name)) return true;
  return !r->only;
}

static ria_status unknown(const reader *r, const ria_tide_point *p, long line, const char *name) {
  size_t n;
  const char *const *names = ria_tide_names(&n), *near = ria_nearest(name, names, n);
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: point '%s': unknown constituent '%s'%s%s%s",
                  r->path, line, p->name, name,
                  near ? ": did you mean '" : ": `only` names those to take", near ? near : "",
                  near ? "'?" : "");
}

/* The mean (A0 or Z0) or a constituent of a point. */
static ria_status add_constituent(reader *r, ria_tide_point *p, long line, const char *name,
                                  double amplitude, double phase) {
  if (strcmp(name, "A0") == 0 || strcmp(name, "Z0") == 0) {
    if (p->has_mean)
      return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: point '%s' has %s twice", r->path, line,
                      p->name, name);
    p->has_mean = true;
    p->z0 = amplitude;
    return RIA_OK;
  }
  const int k = ria_tide_find(name);
  if (!wanted(r, name)) return RIA_OK;
  if (k < 0) return unknown(r, p, line, name);
  if (amplitude < 0.0)
    return ria_fail(r->ctx, RIA_ERR_INPUT,
                    "%s:%ld: point '%s': the amplitude of %s is %g: it must be 0 or more", r->path,
                    line, p->name, name, amplitude);
  for (size_t i = 0; i < p->n; i++)
    if (ria_tide_same(p->constituents[i].name, name))
      return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: point '%s' has %s twice", r->path, line,
                      p->name, name);
  size_t all;
  const char *const *names = ria_tide_names(&all);
  if (!p->constituents) p->constituents = calloc(all, sizeof *p->constituents);
  if (!p->constituents) return ria_fail_memory(r->ctx, "a tide", all * sizeof *p->constituents);
  p->constituents[p->n++] =
      (ria_constituent){.name = names[k], .amplitude = amplitude, .phase = phase};
  return RIA_OK;
}

/* All points have the constituents of the first, and no others. */
static ria_status check_same(const reader *r) {
  const ria_tide_points *all = r->out;
  if (!all->n) return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: it has no points", r->path);
  for (size_t k = 0; k < 2 * all->n; k++) {
    const ria_tide_point *a = &all->point[k % 2 ? k / 2 : 0], *b = &all->point[k % 2 ? 0 : k / 2];
    for (size_t i = 0; i < a->n; i++) {
      bool there = false;
      for (size_t j = 0; j < b->n; j++)
        there = there || strcmp(a->constituents[i].name, b->constituents[j].name) == 0;
      if (!there)
        return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: point '%s' has no %s, which point '%s' has",
                        r->path, b->name, a->constituents[i].name, a->name);
    }
    if (!a->n)
      return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: point '%s' has no constituents", r->path,
                      a->name);
  }
  for (size_t k = 0; r->only && k < r->n_only; k++) {
    bool there = false;
    for (size_t i = 0; i < all->point[0].n; i++)
      there = there || ria_tide_same(r->only[k], all->point[0].constituents[i].name);
    if (!there)
      return ria_fail(r->ctx, RIA_ERR_INPUT,
                      "%s: `only` names '%s', which its points, '%s' to begin with, do not have",
                      r->path, r->only[k], all->point[0].name);
  }
  return RIA_OK;
}

/* --- .bca ------------------------------------------------------------------------------------- */

typedef struct word {
  const char *s;
  size_t n;
} word;

/* Up to WORDS words of the line from s to end; more count as WORDS + 1. */
static int split(const char *s, const char *end, word out[WORDS]) {
  int n = 0;
  while (s < end) {
    while (s < end && isspace((unsigned char)*s)) s++;
    const char *from = s;
    while (s < end && !isspace((unsigned char)*s)) s++;
    if (s == from) break;
    if (n == WORDS) return WORDS + 1;
    out[n++] = (word){from, (size_t)(s - from)};
  }
  return n;
}

static ria_status number_of(const reader *r, long line, word w, const char *what, double *out) {
  if (ria_number_parse(w.s, w.n, out) && isfinite(*out)) return RIA_OK;
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: expected %s, a number, not '%s'", r->path, line,
                  what, ria_text_quote(w.s, w.n).s);
}

static ria_status name_of(const reader *r, long line, word w, char out[NAME]) {
  if (w.n >= NAME)
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: a name is longer than %d characters: '%s'",
                    r->path, line, NAME - 1, ria_text_quote(w.s, w.n).s);
  memcpy(out, w.s, w.n);
  out[w.n] = '\0';
  return RIA_OK;
}

static ria_status bca_line(reader *r, long line, const word *w, int n, ria_tide_point **at) {
  char name[NAME];
  double amplitude = 0.0, phase = 0.0;
  RIA_TRY(name_of(r, line, w[0], name));
  if (n == 1) {
    if (find(r, name))
      return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: point '%s' is there twice", r->path, line,
                      name);
    return add_point(r, name, at);
  }
  const bool mean = strcmp(name, "A0") == 0;
  if (!*at)
    return ria_fail(r->ctx, RIA_ERR_INPUT,
                    "%s:%ld: expected the name of a point before its constituents", r->path, line);
  if (n != 3 && !(mean && n == 2))
    return ria_fail(r->ctx, RIA_ERR_INPUT,
                    "%s:%ld: expected a constituent, its amplitude and its phase, or the name of a "
                    "point",
                    r->path, line);
  RIA_TRY(number_of(r, line, w[1], mean ? "the mean level" : "the amplitude", &amplitude));
  if (n == 3) RIA_TRY(number_of(r, line, w[2], "the phase", &phase));
  return add_constituent(r, *at, line, name, amplitude, phase);
}

static ria_status read_bca(reader *r) {
  char *text = NULL;
  size_t size = 0;
  ria_tide_point *at = NULL;
  RIA_TRY(ria_text_slurp(r->ctx, r->path, MOST_BYTES, &text, &size));
  const char *s = text, *end = text + size;
  ria_status status = RIA_OK;
  for (long line = 1; status == RIA_OK && s < end; line++) {
    const char *stop = memchr(s, '\n', (size_t)(end - s));
    word w[WORDS];
    const int n = split(s, stop ? stop : end, w);
    s = stop ? stop + 1 : end;
    if (n > 0 && *w[0].s != '#' && *w[0].s != '*') status = bca_line(r, line, w, n, &at);
  }
  free(text);
  return status;
}

/* --- CSV -------------------------------------------------------------------------------------- */

typedef struct columns {
  const char *const *point, *const *constituent;
  const double *x, *y, *amplitude, *phase;
} columns;

static ria_status text_column(const reader *r, const ria_csv_table *t, const char *name,
                              const char *const **out) {
  size_t k;
  RIA_TRY(ria_csv_table_find(r->ctx, t, name, &k));
  *out = t->text[k];
  if (*out) return RIA_OK;
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: column '%s' holds numbers: expected names", r->path,
                  name);
}

static bool has_column(const ria_csv_table *t, const char *name) {
  for (size_t k = 0; k < t->columns; k++)
    if (strcmp(t->name[k], name) == 0) return true;
  return false;
}

static ria_status find_columns(const reader *r, const ria_csv_table *t, columns *c) {
  const bool placed = has_column(t, "x") || has_column(t, "y");
  if (has_column(t, "point")) RIA_TRY(text_column(r, t, "point", &c->point));
  if (placed || !c->point) {
    RIA_TRY(ria_csv_table_column(r->ctx, t, "x", &c->x));
    RIA_TRY(ria_csv_table_column(r->ctx, t, "y", &c->y));
  }
  RIA_TRY(text_column(r, t, "constituent", &c->constituent));
  RIA_TRY(ria_csv_table_column(r->ctx, t, "amplitude", &c->amplitude));
  return ria_csv_table_column(r->ctx, t, "phase", &c->phase);
}

/* The point of a row: by its name, or where it has none by where it is. */
static ria_status point_of(reader *r, const columns *c, size_t k, long line, ria_tide_point **out) {
  char place[NAME];
  if (!c->point) ria_format(place, sizeof place, "%.10g, %.10g", c->x[k], c->y[k]);
  const char *name = c->point ? c->point[k] : place;
  if (c->x && !(isfinite(c->x[k]) && isfinite(c->y[k])))
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: expected x and y", r->path, line);
  if (!*name)
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: expected the name of a point", r->path, line);
  *out = find(r, name);
  if (!*out) {
    RIA_TRY(add_point(r, name, out));
    if (c->x) (*out)->placed = true, (*out)->x = c->x[k], (*out)->y = c->y[k];
  } else if (c->x && ((*out)->x != c->x[k] || (*out)->y != c->y[k])) {
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: point '%s' was at (%.10g, %.10g) before",
                    r->path, line, name, (*out)->x, (*out)->y);
  }
  return RIA_OK;
}

static ria_status csv_row(reader *r, const columns *c, size_t k, long line) {
  ria_tide_point *p = NULL;
  const bool mean = strcmp(c->constituent[k], "A0") == 0 || strcmp(c->constituent[k], "Z0") == 0;
  RIA_TRY(point_of(r, c, k, line, &p));
  if (!isfinite(c->amplitude[k]) || !(mean || isfinite(c->phase[k])))
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s:%ld: point '%s': %s of %s is missing", r->path, line,
                    p->name, isfinite(c->amplitude[k]) ? "the phase" : "the amplitude",
                    c->constituent[k]);
  return add_constituent(r, p, line, c->constituent[k], c->amplitude[k], c->phase[k]);
}

static ria_status read_csv(reader *r) {
  ria_csv_table *t = NULL;
  columns c = {0};
  RIA_TRY(ria_csv_table_read(r->ctx, r->path, &t));
  ria_status status = find_columns(r, t, &c);
  for (size_t k = 0; status == RIA_OK && k < t->rows; k++) status = csv_row(r, &c, k, t->line[k]);
  ria_csv_table_destroy(&t);
  return status;
}

/* --- either ----------------------------------------------------------------------------------- */

static bool is_bca(const char *path) {
  const size_t n = strlen(path);
  const char *end = n > 3 && strcmp(path + n - 3, ".gz") == 0 ? path + n - 3 : path + n;
  return end - path > 4 && end[-4] == '.' && tolower((unsigned char)end[-3]) == 'b' &&
         tolower((unsigned char)end[-2]) == 'c' && tolower((unsigned char)end[-1]) == 'a';
}

ria_status ria_tide_points_read(ria_context *ctx, const char *path, const char *const *only,
                                size_t n_only, ria_tide_points *out) {
  *out = (ria_tide_points){0};
  reader r = {.ctx = ctx, .path = path, .only = only, .n_only = n_only, .out = out};
  ria_status status = is_bca(path) ? read_bca(&r) : read_csv(&r);
  if (status == RIA_OK) status = check_same(&r);
  if (status != RIA_OK) ria_tide_points_free(out);
  return status;
}
