/* outputs/page_fields.c - fields.js: the fields that a run saved, for its page from file://, where
 * a page may read no files beside it but run a script.
 *
 * One call, ria_fields({...}): of each store its times and, of each field and time, the values as
 * floats, deflated, in base64. As many bytes as the user allows: what is more is left out by taking
 * every n-th cell of both directions, up to COARSEST, and every n-th time. How much that must be is
 * found by packing: where the room is full the part that was packed tells the rest. Stores are read
 * back from the disk, so the bytes follow from theirs. */
#include "base/context.h"
#include "io/deflate.h"
#include "io/zarr_read.h"
#include "outputs/page.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COARSEST = 4 }; /* unless a single time is too much */

typedef struct packing {
  ria_sim *sim;
  ria_json j;
  size_t most;        /* bytes of the file */
  int step;           /* every n-th cell of both directions */
  size_t every;       /* and time */
  size_t times;       /* of the store that has most */
  double took, would; /* values packed so far, and all of them at this step and every */
} packing;

static bool is_full(const packing *p) { return p->j.out.n > p->most; }

static int thinned(int n, int step) { return (n + step - 1) / step; }

/* --- values ----------------------------------------------------------------------------------- */

static char *base64(const unsigned char *from, size_t n) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *text = malloc((n + 2) / 3 * 4 + 3), *to = text;
  if (!text) return NULL;
  *to++ = '"';
  for (size_t k = 0; k < n; k += 3) {
    const unsigned b = k + 1 < n ? from[k + 1] : 0, c = k + 2 < n ? from[k + 2] : 0;
    const unsigned v = (unsigned)from[k] << 16 | b << 8 | c;
    *to++ = digit[v >> 18];
    *to++ = digit[v >> 12 & 63];
    *to++ = k + 1 < n ? digit[v >> 6 & 63] : '=';
    *to++ = k + 2 < n ? digit[v & 63] : '=';
  }
  *to++ = '"';
  *to = '\0';
  return text;
}

/* The floats as an element of the list that is open. */
static ria_status put_floats(packing *p, const float *values, size_t n) {
  const size_t bytes = n * sizeof *values;
  size_t packed = ria_deflate_bound(bytes);
  unsigned char *room = malloc(packed);
  char *text = NULL;
  if (room && ria_deflate(values, bytes, 1, room, &packed)) text = base64(room, packed);
  free(room);
  if (!text) return ria_fail_memory(p->sim->ctx, "the page", packed);
  ria_json_raw(&p->j, NULL, text);
  free(text);
  p->took += (double)n;
  return RIA_OK;
}

/* By bands of whole tiles, each of which is unpacked once. */
static ria_status read_thinned(packing *p, const ria_store *s, const char *field, size_t k,
                               double *band, int high, float *out) {
  const ria_grid *g = ria_store_grid(s);
  for (int j0 = 0; j0 < g->ny; j0 += high) {
    const int j1 = j0 + high < g->ny ? j0 + high : g->ny;
    const ria_window w = {.i1 = g->nx, .j0 = j0, .j1 = j1};
    RIA_TRY(ria_store_read(p->sim->ctx, s, field, k, &w, band));
    for (int j = thinned(j0, p->step) * p->step; j < j1; j += p->step)
      for (int i = 0; i < g->nx; i += p->step)
        *out++ = (float)band[(size_t)(j - j0) * (size_t)g->nx + (size_t)i];
  }
  return RIA_OK;
}

static ria_status put_frame(packing *p, const ria_store *s, const char *field, size_t k) {
  const ria_grid *g = ria_store_grid(s);
  const size_t n = (size_t)thinned(g->nx, p->step) * (size_t)thinned(g->ny, p->step);
  int wide, high, bytes;
  ria_store_tile(s, field, &wide, &high, &bytes);
  double *band = malloc((size_t)high * (size_t)g->nx * sizeof *band);
  float *values = malloc(n * sizeof *values);
  ria_status status = band && values ? RIA_OK : ria_fail_memory(p->sim->ctx, "the page", n * 8);
  if (status == RIA_OK) status = read_thinned(p, s, field, k, band, high, values);
  if (status == RIA_OK) status = put_floats(p, values, n);
  free(band);
  free(values);
  return status;
}

static ria_status put_field(packing *p, const ria_store *s, const char *field, size_t n_times) {
  const bool fixed = ria_store_has_fixed(s, field);
  char *about;
  size_t n;
  ria_json_open(&p->j, NULL, '{');
  ria_json_text(&p->j, "name", field);
  ria_json_bool(&p->j, "timed", !fixed);
  RIA_TRY(ria_store_attributes(p->sim->ctx, s, field, &about, &n));
  if (about) ria_json_raw(&p->j, "about", about);
  free(about);
  ria_json_open(&p->j, "values", '[');
  for (size_t k = 0; k < (fixed ? 1 : n_times) && !is_full(p); k += p->every)
    RIA_TRY(put_frame(p, s, field, k));
  ria_json_close(&p->j);
  ria_json_close(&p->j);
  return RIA_OK;
}

/* --- stores ----------------------------------------------------------------------------------- */

/* As the store has them: seconds since t = 0. */
static ria_status put_times(packing *p, const ria_store *s, size_t n_times) {
  double *t = NULL;
  size_t n = 0;
  if (n_times) RIA_TRY(ria_store_line(p->sim->ctx, s, "time", &t, &n));
  ria_json_open(&p->j, "times_s", '[');
  for (size_t k = 0; k < n; k += p->every) ria_json_number(&p->j, NULL, t[k]);
  ria_json_close(&p->j);
  free(t);
  return RIA_OK;
}

static ria_status put_store(packing *p, const ria_store *s, const char *name) {
  const ria_grid *g = ria_store_grid(s);
  const double cells = (double)thinned(g->nx, p->step) * thinned(g->ny, p->step);
  const char *field;
  size_t n_times;
  bool dated;
  (void)ria_store_times(s, &n_times, &dated);
  if (n_times > p->times) p->times = n_times;
  for (size_t k = 0; (field = ria_store_field(s, k)); k++)
    p->would +=
        cells *
        (ria_store_has_fixed(s, field) ? 1.0 : (double)((n_times + p->every - 1) / p->every));
  ria_json_open(&p->j, NULL, '{');
  ria_json_text(&p->j, "name", name);
  ria_json_integer(&p->j, "nx", g->nx);
  ria_json_integer(&p->j, "ny", g->ny);
  RIA_TRY(put_times(p, s, n_times));
  ria_json_open(&p->j, "fields", '[');
  for (size_t k = 0; (field = ria_store_field(s, k)) && !is_full(p); k++)
    RIA_TRY(put_field(p, s, field, n_times));
  ria_json_close(&p->j);
  ria_json_close(&p->j);
  return RIA_OK;
}

static ria_status put_one(packing *p, const char *name) {
  ria_store *s = NULL;
  char *path;
  RIA_TRY(ria_out_path(p->sim, name, &path));
  const ria_grid *g = &p->sim->grid;
  ria_status status = ria_store_open_as(
      p->sim->ctx, path, &(ria_store_how){.dx = g->dx, .dy = g->dy, .timeless = true, .zarr = true},
      &s);
  free(path);
  if (status == RIA_OK) status = put_store(p, s, name);
  ria_store_close(&s);
  return status;
}

static bool is_readable(const ria_result *r) { return r->kind == RIA_RESULT_STORE && r->made; }

static ria_status put_all(packing *p, const ria_results_list *list) {
  p->took = p->would = 0.0;
  ria_buffer_text(&p->j.out, "ria_fields(");
  ria_json_open(&p->j, NULL, '{');
  ria_json_integer(&p->j, "step", p->step);
  ria_json_integer(&p->j, "every", (int64_t)p->every);
  ria_json_open(&p->j, "stores", '[');
  for (size_t i = 0; i < list->n; i++)
    if (is_readable(&list->item[i])) RIA_TRY(put_one(p, list->item[i].name));
  ria_json_close(&p->j);
  ria_json_close(&p->j);
  if (!p->j.out.failed) p->j.out.n--; /* the end of the line */
  ria_buffer_text(&p->j.out, ");\n");
  return p->j.out.failed ? ria_fail_memory(p->sim->ctx, "the page", p->j.out.room) : RIA_OK;
}

/* --- how much --------------------------------------------------------------------------------- */

/* What was packed until the room was full tells how many times over the whole is. Cells first, then
 * times; where a single time is still too much, cells again. False: nothing is left to leave out.
 */
static bool thin_out(packing *p) {
  double over = 1.05 * fmax(1.0, p->would / fmax(p->took, 1.0));
  if (p->step < COARSEST) {
    const int before = p->step, want = (int)fmin(COARSEST, ceil(before * sqrt(over)));
    p->step = want > before ? want : before + 1;
    over *= (double)before * before / ((double)p->step * p->step);
  }
  if (over > 1.0 && p->every < p->times)
    p->every = (size_t)fmin((double)p->times, ceil((double)p->every * over));
  else if (over > 1.0)
    p->step *= 2;
  return p->step < 2 * p->sim->grid.nx || p->step < 2 * p->sim->grid.ny;
}

static ria_status pack(packing *p, const ria_results_list *list) {
  do {
    ria_buffer_free(&p->j.out);
    p->j = (ria_json){0};
    RIA_TRY(put_all(p, list));
    if (!is_full(p)) return RIA_OK;
  } while (thin_out(p));
  ria_buffer_free(&p->j.out);
  return RIA_OK;
}

static bool has_any(const ria_results_list *list) {
  size_t i = 0;
  while (i < list->n && !is_readable(&list->item[i])) i++;
  return i < list->n;
}

ria_status ria_page_fields(ria_sim *sim, double most, ria_buffer *out) {
  packing p = {.sim = sim, .most = (size_t)most, .step = 1, .every = 1};
  ria_results_list list;
  RIA_TRY(ria_outputs_list(sim, &list));
  const ria_status s = has_any(&list) ? pack(&p, &list) : RIA_OK;
  ria_results_list_free(&list);
  if (s != RIA_OK) ria_buffer_free(&p.j.out);
  *out = p.j.out;
  return s;
}
