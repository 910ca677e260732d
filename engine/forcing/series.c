/* forcing/series.c - values in time: constants and tables; harmonic tides are made in tide.c.
 *
 * Each is checked once, when it is made, and turned into the entry and data that ria_forcing_at of
 * ria/kernel.h evaluates. After that it never changes, so evaluating it checks nothing. */
#include "forcing/series.h"

#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 1 << 28 }; /* of a table: their indices still fit the int of ria_forcing */

/* --- making ----------------------------------------------------------------------------------- */

ria_status ria_series_create(ria_context *ctx, ria_forcing entry, size_t n_data, ria_series **out) {
  *out = NULL;
  ria_series *s = malloc(sizeof *s);
  if (!s) return ria_fail_memory(ctx, "a series", sizeof *s);
  *s = (ria_series){.entry = entry, .n_data = n_data, .t0 = -INFINITY, .t1 = INFINITY};
  if (n_data > 0) {
    s->data = malloc(n_data * sizeof *s->data);
    if (!s->data) {
      free(s);
      return ria_fail_memory(ctx, "a series", n_data * sizeof(double));
    }
  }
  *out = s;
  return RIA_OK;
}

ria_status ria_series_finite(ria_context *ctx, const char *what, double v) {
  if (isfinite(v)) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "series: %s is %g: it must be a finite number", what, v);
}

ria_status ria_series_ramp(ria_context *ctx, double ramp) {
  if (ramp >= 0.0 && isfinite(ramp)) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "series: ramp is %g s: it must be 0 (none) or longer",
                  ramp);
}

ria_status ria_series_constant(ria_context *ctx, double v, ria_series **out) {
  *out = NULL;
  RIA_TRY(ria_series_finite(ctx, "the constant", v));
  return ria_series_create(
      ctx, (ria_forcing){.kind = RIA_FORCING_CONSTANT, .base = v, .scale = 1.0}, 0, out);
}

/* Rows are counted from 1 in messages, as people count the lines of a table. */
static ria_status check_rows(ria_context *ctx, const ria_table_desc *desc) {
  if (desc->n == 0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "series: the table has no rows: at least 1 is needed");
  if (desc->n > ROWS_MAX)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "series: %zu rows are too many: at most %d are allowed",
                    desc->n, ROWS_MAX);
  for (size_t k = 0; k < desc->n; k++) {
    if (!isfinite(desc->t[k]) || !isfinite(desc->v[k]))
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "series: row %zu: %s is %g: it must be a finite number", k + 1,
                      isfinite(desc->t[k]) ? "the value" : "the time",
                      isfinite(desc->t[k]) ? desc->v[k] : desc->t[k]);
    if (k > 0 && desc->t[k] <= desc->t[k - 1])
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "series: row %zu: the time %.10g s is not after that of the row before, "
                      "%.10g s",
                      k + 1, desc->t[k], desc->t[k - 1]);
  }
  return RIA_OK;
}

ria_status ria_series_table(ria_context *ctx, const ria_table_desc *desc, ria_series **out) {
  *out = NULL;
  if (!desc) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a series needs its description: it is NULL");
  RIA_TRY(check_rows(ctx, desc));
  RIA_TRY(ria_series_ramp(ctx, desc->ramp));
  RIA_TRY(ria_series_finite(ctx, "scale", desc->scale));
  RIA_TRY(ria_series_finite(ctx, "offset", desc->offset));
  ria_forcing entry = {.kind = desc->interp == RIA_STEP ? RIA_FORCING_STEP : RIA_FORCING_LINEAR,
                       .count = (int)desc->n,
                       .base = desc->offset,
                       .scale = desc->scale != 0.0 ? desc->scale : 1.0,
                       .ramp = desc->ramp};
  RIA_TRY(ria_series_create(ctx, entry, 2 * desc->n, out));
  ria_series *s = *out;
  for (size_t k = 0; k < desc->n; k++) {
    s->data[2 * k] = desc->t[k];
    s->data[2 * k + 1] = desc->v[k];
  }
  if (!desc->hold) {
    s->t0 = desc->t[0];
    s->t1 = desc->t[desc->n - 1];
  }
  s->dates = desc->dates;
  s->local = desc->dates && desc->local;
  return RIA_OK;
}

/* --- using ------------------------------------------------------------------------------------ */

ria_status ria_series_copy(ria_context *ctx, const ria_series *s, ria_series **out) {
  RIA_TRY(ria_series_create(ctx, s->entry, s->n_data, out));
  if (s->n_data > 0) memcpy((*out)->data, s->data, s->n_data * sizeof *s->data);
  (*out)->t0 = s->t0;
  (*out)->t1 = s->t1;
  (*out)->dates = s->dates;
  (*out)->local = s->local;
  (*out)->of_times = s->of_times;
  (*out)->of_values = s->of_values;
  const ria_status status = ria_tide_copy(ctx, s, *out);
  if (status != RIA_OK) ria_series_destroy(out);
  return status;
}

/* -inf and inf stay what they are. */
static double since(const ria_series *s, const ria_start *start, double date) {
  return isfinite(date) ? ria_start_since(start, date, s->local) : date;
}

ria_status ria_series_settle(ria_context *ctx, ria_series *s, const ria_start *start) {
  if (s->tide.n) return ria_tide_settle(ctx, s, start);
  if (!s->dates) return RIA_OK;
  if (!start->known)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "the times of a series are dates, and the run has no start: give it the date "
                    "of t = 0 (start = \"2026-07-14 00:00\")");
  for (int k = 0; k < s->entry.count; k++) s->data[2 * k] = since(s, start, s->data[2 * k]);
  s->t0 = since(s, start, s->t0);
  s->t1 = since(s, start, s->t1);
  s->dates = false;
  return RIA_OK;
}

void ria_series_destroy(ria_series **s) {
  if (!s || !*s) return;
  free((*s)->data);
  free((*s)->tide.c);
  free(*s);
  *s = NULL;
}

double ria_series_at(const ria_series *s, double t) {
  static const double none[1];
  const ria_forcing_table table = {
      .entry = &s->entry, .data = s->data ? s->data : none, .n = 1, .n_data = (int)s->n_data};
  return ria_forcing_at(&table, 0, t);
}

void ria_series_span(const ria_series *s, double *t0, double *t1) {
  *t0 = s->t0;
  *t1 = s->t1;
}

bool ria_series_has_dates(const ria_series *s) { return s->dates; }
bool ria_series_is_local(const ria_series *s) { return s->local; }

ria_phases ria_series_phases(const ria_series *s) {
  return s->tide.n ? s->tide.phases : RIA_PHASES_RELATIVE;
}

/* --- handing over to a run -------------------------------------------------------------------- */

ria_status ria_series_flatten(ria_context *ctx, const ria_series *s, ria_forcing *entry,
                              ria_doubles *data) {
  RIA_TRY(ria_doubles_reserve(ctx, data,
                              1)); /* data->v + entry->first is then a place, even for a constant */
  if (!s) {
    *entry = (ria_forcing){.kind = RIA_FORCING_CONSTANT, .scale = 1.0};
    return RIA_OK;
  }
  size_t first = data->n;
  if (first + s->n_data > INT32_MAX)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "all series of a run together have too many rows");
  RIA_TRY(ria_doubles_append(ctx, data, s->data, s->n_data));
  *entry = s->entry;
  entry->first = (int)first;
  return RIA_OK;
}

ria_status ria_value_flatten(ria_context *ctx, const ria_value *value, ria_forcing *entry,
                             ria_doubles *data) {
  if (!value->series && !isfinite(value->constant))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "a value is %g: it must be a finite number",
                    value->constant);
  RIA_TRY(ria_series_flatten(ctx, value->series, entry, data));
  if (!value->series) entry->base = value->constant;
  return RIA_OK;
}

bool ria_value_is_negative(const ria_value *value) {
  if (!value->series) return value->constant < 0.0;
  const ria_forcing *f = &value->series->entry;
  if (f->kind == RIA_FORCING_CONSTANT) return f->base < 0.0;
  if (f->kind != RIA_FORCING_LINEAR && f->kind != RIA_FORCING_STEP) return false;
  for (int k = 0; k < f->count; k++)
    if (f->base + f->scale * value->series->data[2 * k + 1] < 0.0) return true;
  return false;
}

double ria_value_most(const ria_value *value) {
  if (!value->series) return value->constant;
  const ria_forcing *f = &value->series->entry;
  const double *d = value->series->data;
  if (f->kind == RIA_FORCING_CONSTANT) return f->base;
  double most = f->kind == RIA_FORCING_TIDE || f->ramp > 0.0 ? 0.0 : -INFINITY;
  for (int k = 0; k < f->count; k++)
    most = f->kind == RIA_FORCING_TIDE ? most + fabs(f->scale * d[3 * k + 1])
                                       : fmax(most, f->scale * d[2 * k + 1]);
  return f->base + most;
}

ria_status ria_value_check_span(ria_context *ctx, const ria_start *start, const ria_value *value,
                                const char *what, double t0, double t1) {
  if (!value->series) return RIA_OK;
  double first, last;
  ria_series_span(value->series, &first, &last);
  double slack = 1e-9 * fmax(fabs(t0), fabs(t1)); /* of times that were summed up */
  if (t0 >= first - slack && t1 <= last + slack) return RIA_OK;
  char told[4][64];
  const double t[] = {first, last, t0, t1};
  for (int k = 0; k < 4; k++) ria_start_tell_seconds(start, t[k], told[k], sizeof told[k]);
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "%s: its series has values from %s to %s, and the run needs them from %s to %s: "
                  "extend it, or let it hold its end values",
                  what, told[0], told[1], told[2], told[3]);
}
