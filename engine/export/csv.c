/* export/csv.c - tables: the cells of a frame, the history of a cell, the values along a line.
 *
 * Values are those of cells as they are stored, nothing is interpolated; an empty cell stands for
 * none. Numbers read back as they are (ria_format_double). */
#include "base/context.h"
#include "base/text.h"
#include "export/job.h"
#include "io/csv.h"
#include "io/date.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- rows ------------------------------------------------------------------------------------- */

static void put_number(ria_export_file *f, double v, char after) {
  char text[34];
  const int n = ria_format_double(v, text);
  text[n] = after;
  ria_export_bytes(f, text, (size_t)n + 1);
}

/* Names that hold , or " are quoted. */
static void put_names(ria_export_file *f, const ria_export_job *job, const char *first) {
  ria_export_text(f, "%s", first);
  for (size_t k = 0; k < job->n_fields; k++) {
    const bool quoted = strpbrk(job->field[k], ",\"\n\r") != NULL;
    ria_export_text(f, quoted ? ",\"" : ",");
    for (const char *c = job->field[k]; *c; c++)
      ria_export_text(f, quoted && *c == '"' ? "\"\"" : "%c", *c);
    if (quoted) ria_export_text(f, "\"");
  }
  ria_export_text(f, "\n");
}

/* time_s, and the date by the clocks of the run. */
static void put_time(ria_export_file *f, const ria_export_job *job, size_t frame) {
  char date[48];
  put_number(f, ria_export_time(job, frame), ',');
  if (!job->dated) return;
  ria_format_date(job->date[frame], job->zone, ria_date_decimals(job->date[frame]), date,
                  sizeof date);
  ria_export_text(f, "%s,", date);
}

/* v[n_fields], apart by `step`. */
static void put_values(ria_export_file *f, const ria_export_job *job, const double *v,
                       size_t step) {
  for (size_t k = 0; k < job->n_fields; k++)
    put_number(f, v[k * step], k + 1 < job->n_fields ? ',' : '\n');
}

static size_t frame_of(const ria_export_job *job, size_t field, size_t frame) {
  return ria_store_has(job->store, job->field[field]) ? frame : 0;
}

/* Frames in turn; of fields without time alone one, without a time. */
static size_t turns(const ria_export_job *job) { return job->timed ? job->n_frames : 1; }
static size_t turn(const ria_export_job *job, size_t t) { return job->timed ? job->frame[t] : 0; }

/* --- all cells of a frame --------------------------------------------------------------------- */

static void put_row(ria_export_file *f, const ria_export_job *job, const double *v, size_t step,
                    int j) {
  const ria_grid *g = job->grid;
  for (int i = 0; i < g->nx; i++) {
    double x = g->x0 + (i + 0.5) * g->dx, y = g->y0 + (j + 0.5) * g->dy;
    bool some = false;
    for (size_t k = 0; k < job->n_fields && !some; k++) some = !isnan(v[k * step + (size_t)i]);
    if (!some) continue;
    ria_grid_to_map(g, &x, &y);
    put_number(f, x, ',');
    put_number(f, y, ',');
    put_values(f, job, v + i, step);
  }
}

/* Rows that chunks of all fields hold together. */
static int rows_of(const ria_export_job *job) {
  int most = 1;
  for (size_t k = 0; k < job->n_fields; k++) {
    int wide, high, bytes;
    ria_store_tile(job->store, job->field[k], &wide, &high, &bytes);
    most = high > most ? high : most;
  }
  return most < job->grid->ny ? most : job->grid->ny;
}

static ria_status put_cells(ria_export_job *job, ria_export_file *f, double *v, int rows) {
  const ria_grid *g = job->grid;
  const size_t frame = job->timed ? job->frame[0] : 0, step = (size_t)rows * (size_t)g->nx;
  put_names(f, job, "x,y");
  for (int j0 = 0; j0 < g->ny; j0 += rows) {
    const int j1 = rows < g->ny - j0 ? j0 + rows : g->ny;
    RIA_TRY(ria_go_on(job->ctx));
    for (size_t k = 0; k < job->n_fields; k++)
      RIA_TRY(ria_store_read(job->ctx, job->store, job->field[k], frame_of(job, k, frame),
                             &(ria_window){0, g->nx, j0, j1}, v + k * step));
    for (int j = j0; j < j1; j++) put_row(f, job, v + (size_t)(j - j0) * (size_t)g->nx, step, j);
  }
  return RIA_OK;
}

ria_status ria_export_csv(ria_export_job *job) {
  const int rows = rows_of(job);
  const size_t n = job->n_fields * (size_t)rows * (size_t)job->grid->nx;
  ria_export_file f;
  if (job->n_frames > 1)
    return ria_fail(job->ctx, RIA_ERR_ARGUMENT,
                    "a table of cells is of one time: name one, not %zu; for all times take a "
                    "place, a line, or another format",
                    job->n_frames);
  double *v = malloc(n * sizeof *v);
  if (!v) return ria_fail_memory(job->ctx, "rows of all fields", n * sizeof *v);
  ria_status status = ria_export_open(job, job->path, &f);
  if (status == RIA_OK) status = ria_export_close(&f, put_cells(job, &f, v, rows));
  free(v);
  return status;
}

/* --- the history of a cell -------------------------------------------------------------------- */

static ria_status fail_outside(const ria_export_job *job, const char *what) {
  const ria_grid *g = job->grid;
  double x[4] = {g->x0, g->x0 + g->nx * g->dx, g->x0, g->x0 + g->nx * g->dx},
         y[4] = {g->y0, g->y0, g->y0 + g->ny * g->dy, g->y0 + g->ny * g->dy};
  for (int k = 0; k < 4; k++) ria_grid_to_map(g, &x[k], &y[k]);
  const double x0 = fmin(fmin(x[0], x[1]), fmin(x[2], x[3])),
               x1 = fmax(fmax(x[0], x[1]), fmax(x[2], x[3])),
               y0 = fmin(fmin(y[0], y[1]), fmin(y[2], y[3])),
               y1 = fmax(fmax(y[0], y[1]), fmax(y[2], y[3]));
  return ria_fail(job->ctx, RIA_ERR_ARGUMENT,
                  "%s outside the grid of %s: x from %.10g to %.10g, y from %.10g to %.10g", what,
                  ria_store_path(job->store), x0, x1, y0, y1);
}

static ria_status put_history(ria_export_job *job, ria_export_file *f, int i, int j, double *v) {
  put_names(f, job, job->dated && job->timed ? "time_s,date" : "time_s");
  for (size_t t = 0; t < turns(job); t++) {
    RIA_TRY(ria_go_on(job->ctx));
    for (size_t k = 0; k < job->n_fields; k++)
      RIA_TRY(ria_store_read(job->ctx, job->store, job->field[k], frame_of(job, k, turn(job, t)),
                             &(ria_window){i, i + 1, j, j + 1}, &v[k]));
    if (job->timed)
      put_time(f, job, job->frame[t]);
    else
      put_number(f, (double)NAN, ',');
    put_values(f, job, v, 1);
  }
  return RIA_OK;
}

ria_status ria_export_history(ria_export_job *job) {
  const double *at = job->desc->at;
  char what[80];
  int i, j;
  ria_export_file f;
  ria_format(what, sizeof what, "(%.10g, %.10g) is", at[0], at[1]);
  if (!ria_grid_locate(job->grid, at[0], at[1], &i, &j)) return fail_outside(job, what);
  double *v = malloc(job->n_fields * sizeof *v);
  if (!v) return ria_fail_memory(job->ctx, "a row", job->n_fields * sizeof *v);
  ria_status status = ria_export_open(job, job->path, &f);
  if (status == RIA_OK) status = ria_export_close(&f, put_history(job, &f, i, j, v));
  free(v);
  return status;
}

/* --- along a line ----------------------------------------------------------------------------- */

typedef struct line_point {
  double x, y, along; /* m */
  int i, j;           /* its cell; i < 0: outside */
} line_point;

typedef struct line {
  line_point *p; /* [n] */
  size_t n;
  double *v; /* [n_fields][n] */
} line;

/* From end to end in even steps no longer than a cell. */
static ria_status lay_line(const ria_export_job *job, line *l) {
  const double *at = job->desc->line;
  const ria_grid *g = job->grid;
  const double length = hypot(at[2] - at[0], at[3] - at[1]),
               steps = ceil(length / fmin(g->dx, g->dy));
  bool inside = false;
  if (!(length > 0.0) || !(steps < 1e7))
    return ria_fail(job->ctx, RIA_ERR_ARGUMENT,
                    "a line of %g m: it needs some length, and less than 10 million cells", length);
  l->n = (size_t)steps + 1;
  l->p = malloc(l->n * sizeof *l->p);
  l->v = malloc(l->n * job->n_fields * sizeof *l->v);
  if (!l->p || !l->v) return ria_fail_memory(job->ctx, "a line", l->n * sizeof *l->p);
  for (size_t k = 0; k < l->n; k++) {
    const double part = (double)k / steps;
    line_point *p = &l->p[k];
    *p = (line_point){.x = at[0] + part * (at[2] - at[0]),
                      .y = at[1] + part * (at[3] - at[1]),
                      .along = part * length};
    if (!ria_grid_locate(g, p->x, p->y, &p->i, &p->j)) p->i = -1;
    inside = inside || p->i >= 0;
  }
  return inside ? RIA_OK : fail_outside(job, "no point of the line is inside: all lie");
}

/* Points from k on in the same chunk as the first, or all outside; the box of their cells. */
static size_t run_of(const line *l, size_t k, int wide, int high, ria_window *w) {
  const line_point *a = &l->p[k];
  size_t end = k;
  *w = (ria_window){a->i, a->i + 1, a->j, a->j + 1};
  for (; end < l->n; end++) {
    const line_point *p = &l->p[end];
    if ((p->i < 0) != (a->i < 0)) break;
    if (p->i >= 0 && (p->i / wide != a->i / wide || p->j / high != a->j / high)) break;
    w->i0 = p->i < w->i0 ? p->i : w->i0;
    w->i1 = p->i >= w->i1 ? p->i + 1 : w->i1;
    w->j0 = p->j < w->j0 ? p->j : w->j0;
    w->j1 = p->j >= w->j1 ? p->j + 1 : w->j1;
  }
  return end;
}

/* Values of a field in a frame at all points, a chunk at a time. box: room for one. */
static ria_status read_line(ria_export_job *job, const line *l, const char *field, size_t frame,
                            double *box, double *v) {
  int wide, high, bytes;
  ria_window w;
  ria_store_tile(job->store, field, &wide, &high, &bytes);
  for (size_t k = 0; k < l->n;) {
    const size_t end = run_of(l, k, wide, high, &w);
    const bool inside = l->p[k].i >= 0;
    if (inside) RIA_TRY(ria_store_read(job->ctx, job->store, field, frame, &w, box));
    for (; k < end; k++)
      v[k] =
          inside
              ? box[(size_t)(l->p[k].j - w.j0) * (size_t)(w.i1 - w.i0) + (size_t)(l->p[k].i - w.i0)]
              : (double)NAN;
  }
  return RIA_OK;
}

static ria_status put_line(ria_export_job *job, ria_export_file *f, const line *l) {
  put_names(f, job, job->dated && job->timed ? "time_s,date,distance,x,y" : "time_s,distance,x,y");
  for (size_t t = 0; t < turns(job); t++) {
    RIA_TRY(ria_go_on(job->ctx));
    for (size_t k = 0; k < job->n_fields; k++)
      RIA_TRY(read_line(job, l, job->field[k], frame_of(job, k, turn(job, t)), job->band,
                        l->v + k * l->n));
    for (size_t k = 0; k < l->n; k++) {
      if (job->timed)
        put_time(f, job, job->frame[t]);
      else
        put_number(f, (double)NAN, ',');
      put_number(f, l->p[k].along, ',');
      put_number(f, l->p[k].x, ',');
      put_number(f, l->p[k].y, ',');
      put_values(f, job, l->v + k, l->n);
    }
  }
  return RIA_OK;
}

ria_status ria_export_profile(ria_export_job *job) {
  line l = {0};
  ria_export_file f;
  ria_status status = lay_line(job, &l);
  if (status == RIA_OK) status = ria_export_open(job, job->path, &f);
  if (status == RIA_OK) status = ria_export_close(&f, put_line(job, &f, &l));
  free(l.p);
  free(l.v);
  return status;
}
