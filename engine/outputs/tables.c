/* outputs/tables.c - the tables (CSV) that a run writes: their columns, with units. */
#include "outputs/tables.h"
#include "base/context.h"
#include "base/text.h"
#include "outputs/output.h"
#include <stdio.h>
#include <stdlib.h>

/* --- columns ------------------------------------------------------------------------------------
 */

void ria_columns_free(ria_columns *c) {
  for (size_t k = 0; c->name && k < c->n; k++) free(c->name[k]);
  free(c->name);
  free(c->unit);
  *c = (ria_columns){0};
}

/* n columns without names, but for the first. */
static ria_status columns_make(ria_sim *sim, size_t n, ria_columns *out) {
  *out = (ria_columns){
      .n = n, .name = calloc(n, sizeof *out->name), .unit = calloc(n, sizeof *out->unit)};
  if (!out->name || !out->unit) {
    ria_columns_free(out);
    return ria_fail_memory(sim->ctx, "names of columns", n * sizeof *out->name);
  }
  out->name[0] = ria_strdup("time_s");
  out->unit[0] = "s";
  return RIA_OK;
}

static void set_column(ria_columns *c, size_t k, const char *name, const char *unit) {
  c->name[k] = ria_strdup(name);
  c->unit[k] = unit ? unit : "";
}

static ria_status all_named(ria_sim *sim, ria_columns *c) {
  size_t k = 0;
  while (k < c->n && c->name[k]) k++;
  if (k == c->n) return RIA_OK;
  ria_columns_free(c);
  return ria_fail_memory(sim->ctx, "names of columns", 2 * RIA_FIELD_NAME_MAX);
}

ria_status ria_gauge_columns(ria_sim *sim, const ria_gauge_group *g, ria_columns *out) {
  char text[2 * RIA_FIELD_NAME_MAX];
  RIA_TRY(columns_make(sim, g->columns, out));
  for (size_t f = 0; f < g->n_fields; f++) {
    const ria_gauge_field *gf = &g->fields[f];
    for (size_t k = 0; k < gf->n; k++) {
      snprintf(text, sizeof text, "%s.%s", g->gauges[gf->gauge[k]].name, gf->field->name);
      set_column(out, gf->column[k], text, gf->field->unit);
    }
  }
  return all_named(sim, out);
}

ria_status ria_budget_columns(ria_sim *sim, ria_columns *out) {
  static const char *const parts[RIA_BUDGET_COLUMNS] = {"stored",  "inflow",  "outflow",
                                                        "sources", "decayed", "residual"};
  char text[RIA_NAME_MAX + 16];
  RIA_TRY(columns_make(sim, 1 + (size_t)sim->n_quantities * RIA_BUDGET_COLUMNS, out));
  for (int q = 0; q < sim->n_quantities; q++) {
    for (int k = 0; k < RIA_BUDGET_COLUMNS; k++) {
      snprintf(text, sizeof text, "%s_%s", ria_quantity_name(sim, q), parts[k]);
      set_column(out, 1 + (size_t)(q * RIA_BUDGET_COLUMNS + k), text, ria_quantity_unit(sim, q));
    }
  }
  return all_named(sim, out);
}

/* --- files --------------------------------------------------------------------------------------
 */

ria_status ria_table_create(ria_sim *sim, const char *file, const ria_columns *c, ria_csv **out) {
  char *path = NULL;
  RIA_TRY(ria_out_path(sim, file, &path));
  const ria_status s =
      ria_csv_create(sim->ctx, sim->outputs->writer, path, (const char *const *)c->name,
                     sim->units_row ? c->unit : NULL, c->n, out);
  free(path);
  return s;
}

/* --- run.json -----------------------------------------------------------------------------------
 */

static void write_columns(ria_json *j, const char *file, ria_columns *c) {
  ria_json_open(j, file, '{');
  for (size_t k = 0; k < c->n; k++) ria_json_text(j, c->name[k], c->unit[k]);
  ria_json_close(j);
  ria_columns_free(c);
}

ria_status ria_tables_write(ria_json *j, ria_sim *sim) {
  ria_columns c;
  ria_json_open(j, "tables", '{');
  for (const ria_gauge_group *g = sim->outputs->gauges; g; g = g->next) {
    RIA_TRY(ria_gauge_columns(sim, g, &c));
    write_columns(j, g->file, &c);
  }
  RIA_TRY(ria_budget_columns(sim, &c));
  write_columns(j, RIA_BUDGET_FILE, &c);
  ria_json_close(j);
  return RIA_OK;
}
