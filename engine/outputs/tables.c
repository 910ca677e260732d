/* outputs/tables.c - the tables (CSV) that a run writes: their columns, with units. */
#include "outputs/tables.h"
#include "base/context.h"
#include "base/text.h"
#include "io/calendar.h"
#include "io/date.h"
#include "outputs/output.h"
#include <stdio.h>
#include <stdlib.h>

/* --- columns ---------------------------------------------------------------------------------- */

void ria_columns_free(ria_columns *c) {
  for (size_t k = 0; c->name && k < c->n; k++) free(c->name[k]);
  free(c->name);
  free(c->unit);
  *c = (ria_columns){0};
}

/* n columns without names, but for the first. */
ria_status ria_columns_make(ria_sim *sim, size_t n, ria_columns *out) {
  *out = (ria_columns){
      .n = n, .name = calloc(n, sizeof *out->name), .unit = calloc(n, sizeof *out->unit)};
  if (!out->name || !out->unit) {
    ria_columns_free(out);
    return ria_fail_memory(sim->ctx, "names of columns", n * sizeof *out->name);
  }
  out->name[0] = ria_strdup("time_s");
  out->unit[0] = "s";
  out->dated = sim->start.known;
  ria_calendar_format_zone(sim->start.zone, out->zone, sizeof out->zone);
  return RIA_OK;
}

void ria_column_set(ria_columns *c, size_t k, const char *name, const char *unit) {
  c->name[k] = ria_strdup(name);
  c->unit[k] = unit ? unit : "";
}

ria_status ria_columns_check(ria_sim *sim, ria_columns *c) {
  size_t k = 0;
  while (k < c->n && c->name[k]) k++;
  if (k == c->n) return RIA_OK;
  ria_columns_free(c);
  return ria_fail_memory(sim->ctx, "names of columns", 2 * RIA_FIELD_NAME_MAX);
}

/* --- files ------------------------------------------------------------------------------------ */

/* All rows have as many digits as the finest: milliseconds at least if some are at no fixed times.
 */
static int decimals_of(const ria_sim *sim, double period, bool fixed) {
  const int start = ria_date_decimals(sim->start.t), each = ria_date_decimals(period);
  const int most = start > each ? start : each;
  return fixed || most > 3 ? most : 3;
}

ria_status ria_table_create(ria_sim *sim, const char *file, const ria_columns *c, double period,
                            bool fixed, ria_csv **out) {
  const ria_csv_dates dates = {sim->start.t, sim->start.zone, decimals_of(sim, period, fixed)};
  char *path = NULL;
  RIA_TRY(ria_out_path(sim, file, &path));
  const ria_status s = (sim->outputs->taking_up ? ria_csv_take_up : ria_csv_create)(
      sim->ctx, sim->outputs->writer, path, (const char *const *)c->name,
      sim->units_row ? c->unit : NULL, c->n, c->dated ? &dates : NULL, out);
  free(path);
  return s;
}

/* --- run.json --------------------------------------------------------------------------------- */

void ria_columns_write(ria_json *j, const char *file, ria_columns *c) {
  ria_json_open(j, file, '{');
  for (size_t k = 0; k < c->n; k++) {
    ria_json_text(j, c->name[k], c->unit[k]);
    if (!k && c->dated) ria_json_text(j, "date", c->zone);
  }
  ria_json_close(j);
  ria_columns_free(c);
}
