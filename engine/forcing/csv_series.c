/* forcing/csv_series.c - a series from two columns of a CSV file.
 *
 * Times are the first column: numbers, in units of time_unit, or dates, as seconds after the epoch
 * or, without one, left as they are for the simulation that takes the series.
 * A difference of dates is rounded to the microsecond, which is what a double of seconds since 1970
 * can hold: "00:00:00.1" is then 0.1 s after midnight to the last bit. */
#include "forcing/series.h"
#include "io/csv_read.h"
#include "io/date.h"

#include <math.h>
#include <stdlib.h>

typedef struct source {
  ria_context *ctx;
  const ria_csv_desc *desc;
  const ria_csv_table *table;
  const double *time, *value; /* [rows] */
  double epoch, unit, zone;   /* zone: to take off dates that say none */
  bool dated, local;          /* local: the run's zone is to be taken off */
  ria_series_unit of_times, of_values;
  char label[80]; /* of the column of values */
} source;

/* What dates without a zone mean. */
static ria_status check_zone(source *s) {
  const ria_csv_desc *d = s->desc;
  if (d->zone) RIA_TRY(ria_parse_zone(s->ctx, d->zone, &s->zone));
  s->local = !d->zone && !d->epoch && s->table->is_local[0];
  if ((s->zone == 0.0 && !s->local) || !s->table->is_zoned[0] || !s->table->is_local[0])
    return RIA_OK;
  return ria_fail(s->ctx, RIA_ERR_INPUT,
                  "%s: some of its dates say their zone and others do not: write it for all%s",
                  d->path, d->zone ? "" : ", or zone = \"UTC\" if that is meant");
}

/* Of times that are no dates, or of what a curve is over. */
static ria_status read_time_unit(source *s) {
  const ria_csv_desc *d = s->desc;
  const bool told = d->time_unit != 0.0;
  double factor;
  s->unit = told ? d->time_unit : 1.0;
  if (s->dated) return RIA_OK;
  RIA_TRY(ria_series_unit_read(s->ctx, d->path, s->table, 0, NULL, &s->of_times));
  const char *unit = s->of_times.text, *name = s->table->name[0];
  if (*unit && !ria_unit_factor(s->ctx, unit, &factor))
    return told ? (s->of_times.text[0] = '\0', RIA_OK)
                : ria_fail(s->ctx, RIA_ERR_INPUT,
                           "%s: column '%s' is in %s: expected s, or another time", d->path, name,
                           unit);
  if (*unit && told && s->of_times.factor != s->unit)
    return ria_fail(s->ctx, RIA_ERR_ARGUMENT,
                    "%s: column '%s' is in %s, and time_unit = %g s says otherwise", d->path, name,
                    unit, s->unit);
  if (*unit) s->unit = s->of_times.factor;
  return RIA_OK;
}

static ria_status read_value_unit(source *s, size_t column) {
  const ria_csv_desc *d = s->desc;
  ria_series_unit *u = &s->of_values;
  RIA_TRY(ria_series_unit_read(s->ctx, d->path, s->table, column, d->unit, u));
  u->scaled = !d->unit && d->scale != 0.0 && d->scale != 1.0;
  if (!u->scaled || u->factor == 1.0) return RIA_OK;
  return ria_fail_more(s->ctx, ria_series_unit_scaled(s->ctx, u), "%s: %s", d->path, s->label);
}

static ria_status check_time_column(source *s) {
  const ria_csv_desc *d = s->desc;
  s->dated = s->table->is_time[0];
  RIA_TRY(read_time_unit(s));
  if (!(s->unit > 0.0 && s->unit < INFINITY))
    return ria_fail(s->ctx, RIA_ERR_ARGUMENT, "%s: time_unit must be greater than 0 s, not %g",
                    d->path, s->unit);
  if (s->dated && d->time_unit != 0.0 && d->time_unit != 1.0)
    return ria_fail(s->ctx, RIA_ERR_ARGUMENT,
                    "%s: its times are dates: time_unit does not apply to them", d->path);
  if (!s->dated && d->zone)
    return ria_fail(s->ctx, RIA_ERR_ARGUMENT, "%s: its times are no dates: zone does not apply",
                    d->path);
  if (s->dated) RIA_TRY(check_zone(s));
  return d->epoch ? ria_date_read(s->ctx, "epoch", d->epoch, s->zone, &s->epoch) : RIA_OK;
}

static ria_status choose_columns(source *s) {
  const ria_csv_table *t = s->table;
  size_t column = 1;
  if (t->columns < 2)
    return ria_fail(s->ctx, RIA_ERR_INPUT,
                    "%s: it has one column; a time and a value are needed, separated by , ; tab or "
                    "blanks",
                    s->desc->path);
  while (t->is_time[column] && column + 1 < t->columns) column++;
  if (s->desc->column) RIA_TRY(ria_csv_table_find_stem(s->ctx, t, s->desc->column, &column));
  RIA_TRY(ria_csv_table_numbers(s->ctx, t, 0));
  RIA_TRY(ria_csv_table_numbers(s->ctx, t, column));
  if (t->is_time[column])
    return ria_fail(s->ctx, RIA_ERR_INPUT, "%s: the column of values holds dates", s->desc->path);
  s->time = t->value[0];
  s->value = t->value[column];
  ria_csv_table_label(t, column, s->label, sizeof s->label);
  RIA_TRY(read_value_unit(s, column));
  return check_time_column(s);
}

static double seconds(const source *s, size_t row) {
  if (!s->dated) return s->time[row] * s->unit;
  const double date = s->time[row] - (s->table->is_local[0] ? s->zone : 0.0);
  return round((date - s->epoch) * 1e6) / 1e6;
}

static ria_status check_row(const source *s, size_t row) {
  const char *path = s->desc->path;
  const long *line = s->table->line;
  if (isnan(s->time[row]))
    return ria_fail(s->ctx, RIA_ERR_INPUT, "%s:%ld: the time is missing", path, line[row]);
  if (row > 0 && !(seconds(s, row) > seconds(s, row - 1)))
    return ria_fail(s->ctx, RIA_ERR_INPUT,
                    "%s:%ld: the time is %s that of line %ld; times must increase", path, line[row],
                    s->time[row] == s->time[row - 1] ? "the same as" : "before", line[row - 1]);
  if (isnan(s->value[row]) && !s->desc->fill_gaps)
    return ria_fail(s->ctx, RIA_ERR_INPUT,
                    "%s:%ld: gap in %s (fill_gaps = true bridges gaps from the values around them)",
                    path, line[row], s->label);
  return RIA_OK;
}

/* The rows with a value, as knots t[*n], v[*n]. */
static ria_status collect(const source *s, double *t, double *v, size_t *n) {
  *n = 0;
  for (size_t row = 0; row < s->table->rows; row++) {
    RIA_TRY(check_row(s, row));
    if (isnan(s->value[row])) continue;
    t[*n] = seconds(s, row);
    v[(*n)++] = s->value[row] * s->of_values.factor;
  }
  if (*n > 0) return RIA_OK;
  return ria_fail(s->ctx, RIA_ERR_INPUT, "%s: %s has no values, only gaps", s->desc->path,
                  s->label);
}

static ria_status make_series(const source *s, ria_series **out) {
  const ria_csv_desc *d = s->desc;
  size_t rows = s->table->rows, n;
  double *t = malloc(rows * sizeof *t), *v = malloc(rows * sizeof *v);
  ria_status status = t && v ? collect(s, t, v, &n)
                             : ria_fail(s->ctx, RIA_ERR_MEMORY, "%s: out of memory", d->path);
  if (status == RIA_OK) {
    status = ria_series_table(s->ctx,
                              &(ria_table_desc){.t = t,
                                                .v = v,
                                                .n = n,
                                                .interp = d->interp,
                                                .hold = d->hold,
                                                .ramp = d->ramp,
                                                .scale = d->scale,
                                                .offset = d->offset,
                                                .dates = s->dated && !d->epoch,
                                                .local = s->local},
                              out);
    if (status != RIA_OK) {
      ria_fail_more(s->ctx, status, "%s", d->path);
    } else {
      (*out)->of_times = s->of_times;
      (*out)->of_values = s->of_values;
    }
  }
  free(t);
  free(v);
  return status;
}

ria_status ria_series_csv(ria_context *ctx, const ria_csv_desc *desc, ria_series **out) {
  ria_csv_table *table = NULL;
  *out = NULL;
  if (!desc->path)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "a series from CSV needs the file's path");
  if (!desc->table) RIA_TRY(ria_csv_table_read_with(ctx, desc->path, &desc->layout, &table));
  source s = {.ctx = ctx, .desc = desc, .table = desc->table ? desc->table : table};
  ria_status status = choose_columns(&s);
  if (status == RIA_OK) status = make_series(&s, out);
  ria_csv_table_destroy(&table);
  return status;
}
