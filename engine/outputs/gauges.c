/* outputs/gauges.c - samples at points: adding gauges, their names, what they have recorded.
 *
 * Gauges of one period form a group: one event, one file, one table of columns. The cells of all
 * gauges that record a field are sampled by one call of the solver, so that a hundred thousand
 * gauges cost a hundred thousand reads and no more. A row goes to the file's job and into the
 * history, kept row by row (gauge_rows.c); a gauge's history of one field is gathered from it when
 * asked for. Gauges for whose times steps are shortened form groups of their own.
 *
 * Once a group has written its header its columns are fixed: gauges added later form another group
 * with a file of their own. A cancelled gauge keeps its column, empty from then on. */
#include "base/context.h"
#include "outputs/gauges.h"
#include "base/grid.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- groups ----------------------------------------------------------------------------------- */

static ria_gauges *gauges_of(const ria_sim *sim) { return ria_sink_state(sim, &ria_gauges_sink); }

static ria_status group_file(ria_sim *sim, ria_gauge_group *g) {
  const ria_gauges *all = gauges_of(sim);
  char text[64] = "gauges.csv";
  int same = 0;
  for (const ria_gauge_group *o = all->groups; o; o = o->next) same += o->period == g->period;
  if (all->n_groups > 0) {
    ria_format(text, sizeof text, "gauges_%gs", g->period);
    if (same) ria_append(text, sizeof text, "_%d", same + 1);
    ria_append(text, sizeof text, ".csv");
  }
  g->file = ria_strdup(text);
  return g->file ? RIA_OK : ria_fail_memory(sim->ctx, "gauges", sizeof text);
}

static void group_free(ria_gauge_group *g) {
  ria_csv_destroy(&g->csv);
  for (size_t i = 0; i < g->n; i++) {
    ria_section_free(g->gauges[i].section);
    free(g->gauges[i].name);
  }
  for (size_t f = 0; f < g->n_fields; f++) {
    free(g->fields[f].cell);
    free(g->fields[f].gauge);
    free(g->fields[f].column);
    free(g->fields[f].value);
  }
  free(g->gauges);
  free(g->fields);
  free(g->file);
  ria_doubles_free(&g->row);
  ria_doubles_free(&g->before.row);
  ria_doubles_free(&g->after.row);
  ria_doubles_free(&g->history);
  ria_doubles_free(&g->t);
  ria_doubles_free(&g->v);
  free(g);
}

static ria_status group_schedule(ria_sim *sim, ria_gauge_group *g) {
  const ria_action action = {.fn = ria_gauge_fire, .user = g, .phase = RIA_PHASE_OUTPUT};
  if (g->exact) return ria_sim_every(sim, g->period, -1.0, 0.0, &action, &g->event);
  return ria_queue_every_passing(sim, g->period, &action, &g->event);
}

static ria_status group_new(ria_sim *sim, double period, bool exact, ria_gauge_group **out) {
  ria_gauge_group *g = calloc(1, sizeof *g);
  if (!g) return ria_fail_memory(sim->ctx, "gauges", sizeof *g);
  g->period = period;
  g->exact = exact;
  g->columns = 1;
  ria_status s = group_file(sim, g);
  g->fields = calloc(sim->n_fields, sizeof *g->fields);
  if (s == RIA_OK && !g->fields) s = ria_fail_memory(sim->ctx, "gauges", sim->n_fields);
  if (s == RIA_OK) s = group_schedule(sim, g);
  if (s != RIA_OK) {
    group_free(g);
    return s;
  }
  ria_gauge_group **end = &gauges_of(sim)->groups;
  while (*end) end = &(*end)->next;
  *end = g;
  gauges_of(sim)->n_groups++;
  *out = g;
  return RIA_OK;
}

static ria_status group_find(ria_sim *sim, double period, bool exact, ria_gauge_group **out) {
  for (ria_gauge_group *g = gauges_of(sim)->groups; g; g = g->next) {
    if (g->period != period || g->exact != exact || g->begun || !g->event) continue;
    *out = g;
    return RIA_OK;
  }
  return group_new(sim, period, exact, out);
}

/* --- adding a gauge --------------------------------------------------------------------------- */

static ria_status field_reserve(ria_context *ctx, ria_gauge_field *gf) {
  const size_t n = gf->n + 1;
  size_t room[] = {gf->room, gf->room, gf->room}; /* they have as many as the last one */
  RIA_TRY(ria_grow(ctx, "gauges", &gf->cell, &room[0], n, sizeof *gf->cell));
  RIA_TRY(ria_grow(ctx, "gauges", &gf->gauge, &room[1], n, sizeof *gf->gauge));
  RIA_TRY(ria_grow(ctx, "gauges", &gf->column, &room[2], n, sizeof *gf->column));
  return ria_grow(ctx, "gauges", &gf->value, &gf->room, n, sizeof *gf->value);
}

static ria_status gauge_field_of(ria_sim *sim, ria_gauge_group *g, const ria_sim_field *f,
                                 ria_gauge_field **out) {
  size_t k = 0;
  while (k < g->n_fields && g->fields[k].field != f) k++;
  if (k == g->n_fields) g->fields[g->n_fields++] = (ria_gauge_field){.field = f};
  *out = &g->fields[k];
  return field_reserve(sim->ctx, *out);
}

/* What this gauge records: index k of the fields asked for, or of all gauge fields. */
static ria_status wanted_field(ria_sim *sim, const ria_gauge_desc *d, size_t k,
                               ria_sim_field **out) {
  *out = NULL;
  if (d->n_fields) return ria_field_find(sim, d->fields[k], out);
  if (sim->fields[k].info->flags & RIA_FIELD_GAUGE) *out = &sim->fields[k];
  return RIA_OK;
}

static size_t wanted_count(const ria_sim *sim, const ria_gauge_desc *d) {
  return d->n_fields ? d->n_fields : sim->n_fields;
}

static ria_status check_fields(ria_sim *sim, const ria_gauge_desc *d) {
  size_t found = 0;
  for (size_t k = 0; k < wanted_count(sim, d); k++) {
    ria_sim_field *f = NULL;
    RIA_TRY(wanted_field(sim, d, k, &f));
    found += f != NULL;
    for (size_t m = 0; d->n_fields && m < k; m++)
      if (strcmp(d->fields[m], f->name) == 0)
        return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "gauge '%s' names '%s' twice", d->name,
                        f->name);
  }
  if (found) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "gauge '%s' has no field to record", d->name);
}

/* Make room for the columns of one more gauge, or enter them. */
static ria_status gauge_columns(ria_sim *sim, ria_gauge_group *g, const ria_gauge_desc *d,
                                int32_t cell, bool enter) {
  for (size_t k = 0; k < wanted_count(sim, d); k++) {
    ria_sim_field *f = NULL;
    ria_gauge_field *gf = NULL;
    RIA_TRY(wanted_field(sim, d, k, &f));
    if (!f) continue;
    RIA_TRY(gauge_field_of(sim, g, f, &gf));
    if (!enter) continue;
    gf->cell[gf->n] = cell;
    gf->gauge[gf->n] = g->n;
    gf->column[gf->n++] = g->columns++;
  }
  return RIA_OK;
}

/* --- names --------------------------------------------------------------------------------------
 * Open addressing, so that the hundred thousandth gauge is checked as fast as the first. */

typedef struct ria_gauge_slot {
  ria_gauge_group *group; /* NULL: free */
  size_t gauge;
} gauge_slot;

static size_t name_hash(const char *name) {
  uint64_t h = 14695981039346656037u;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 1099511628211u;
  return (size_t)(h ^ h >> 32);
}

/* The slot of a name, or the free one where it would go; slots is a power of two, not full. */
static gauge_slot *slot_of(gauge_slot *table, size_t slots, const char *name) {
  size_t i = name_hash(name) & (slots - 1);
  while (table[i].group && strcmp(table[i].group->gauges[table[i].gauge].name, name) != 0)
    i = (i + 1) & (slots - 1);
  return &table[i];
}

static ria_status names_reserve(ria_sim *sim) {
  ria_gauges *all = gauges_of(sim);
  if (2 * (all->n + 1) <= all->slots) return RIA_OK;
  size_t slots = all->slots ? 2 * all->slots : 16;
  gauge_slot *table = calloc(slots, sizeof *table);
  if (!table) return ria_fail_memory(sim->ctx, "names of gauges", slots * sizeof *table);
  for (size_t i = 0; i < all->slots; i++) {
    const gauge_slot *from = &all->names[i];
    if (from->group) *slot_of(table, slots, from->group->gauges[from->gauge].name) = *from;
  }
  free(all->names);
  all->names = table;
  all->slots = slots;
  return RIA_OK;
}

static gauge_slot *gauge_named(const ria_sim *sim, const char *name) {
  const ria_gauges *all = gauges_of(sim);
  if (!all->slots) return NULL;
  gauge_slot *slot = slot_of(all->names, all->slots, name);
  return slot->group ? slot : NULL;
}

ria_gauge *ria_gauge_named(const ria_sim *sim, const char *name, ria_gauge_group **group) {
  const gauge_slot *slot = gauge_named(sim, name);
  if (!slot) return NULL;
  *group = slot->group;
  return &slot->group->gauges[slot->gauge];
}

static bool section_named(const ria_sim *sim, const char *name) {
  const gauge_slot *slot = gauge_named(sim, name);
  return slot && slot->group->gauges[slot->gauge].section;
}

/* --- one gauge -------------------------------------------------------------------------------- */

/* what: "gauge", "section" */
static ria_status check_name(ria_sim *sim, const char *what, const char *name, double every) {
  if (!name || !name[0]) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a %s needs a name", what);
  if (strlen(name) >= RIA_FIELD_NAME_MAX)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%s '%.40s...': its name is longer than %d", what,
                    name, RIA_FIELD_NAME_MAX - 1);
  if (!(every > 0.0) || !isfinite(every))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%s '%s': every is %g s, it must be above 0", what,
                    name, every);
  return RIA_OK;
}

static ria_status check_new(ria_sim *sim, const char *name) {
  if (!gauge_named(sim, name)) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "there is a %s named '%s' already",
                  section_named(sim, name) ? "section" : "gauge", name);
}

static ria_status check_desc(ria_sim *sim, const ria_gauge_desc *d, int32_t *cell) {
  const ria_grid *g = &sim->grid;
  char where[RIA_GRID_TEXT];
  int i, j;
  RIA_TRY(check_name(sim, "gauge", d->name, d->every));
  if (d->n_fields && !d->fields)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "gauge '%s': its fields are missing", d->name);
  if (!ria_grid_locate(g, d->x, d->y, &i, &j))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "gauge '%s': (%.10g, %.10g) lies outside the domain, %s", d->name, d->x, d->y,
                    ria_grid_tell(g, where));
  char what[RIA_FIELD_NAME_MAX + 16];
  snprintf(what, sizeof what, "gauge '%s': ", d->name);
  RIA_TRY(ria_mask_check(sim, what, d->x, d->y, i, j));
  RIA_TRY(check_new(sim, d->name));
  *cell = j * g->nx + i;
  return RIA_OK;
}

/* All that can fail before one more is entered. */
static ria_status gauge_room(ria_sim *sim, ria_gauge_group *g) {
  RIA_TRY(names_reserve(sim));
  return ria_grow(sim->ctx, "gauges", &g->gauges, &g->room, g->n + 1, sizeof *g->gauges);
}

static ria_status gauge_name(ria_sim *sim, const char *name, ria_gauge *one) {
  one->name = ria_strdup(name);
  if (!one->name) return ria_fail_memory(sim->ctx, "gauge", strlen(name) + 1);
  return ria_queue_new_handle(sim, &one->handle);
}

static void gauge_put(ria_sim *sim, ria_gauge_group *g, const ria_gauge *one, ria_handle *out) {
  ria_gauges *all = gauges_of(sim);
  *slot_of(all->names, all->slots, one->name) = (gauge_slot){.group = g, .gauge = g->n};
  g->gauges[g->n++] = *one;
  all->n++;
  if (out) *out = one->handle;
}

static ria_status gauge_enter(ria_sim *sim, ria_gauge_group *g, const ria_gauge_desc *d,
                              int32_t cell, ria_handle *out) {
  ria_gauge one = {.x = d->x, .y = d->y, .cell = cell};
  RIA_TRY(gauge_room(sim, g));
  RIA_TRY(gauge_columns(sim, g, d, cell, false));
  ria_status s = gauge_name(sim, d->name, &one);
  if (s == RIA_OK) s = gauge_columns(sim, g, d, cell, true);
  if (s != RIA_OK) {
    free(one.name);
    return s;
  }
  gauge_put(sim, g, &one, out);
  return RIA_OK;
}

ria_status ria_sim_gauge(ria_sim *sim, const ria_gauge_desc *desc, ria_handle *out) {
  ria_gauge_group *g = NULL;
  int32_t cell = 0;
  if (!desc) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a gauge needs a description");
  RIA_TRY(check_desc(sim, desc, &cell));
  RIA_TRY(check_fields(sim, desc));
  RIA_TRY(group_find(sim, desc->every, desc->exact, &g));
  return gauge_enter(sim, g, desc, cell, out);
}

static ria_status section_enter(ria_sim *sim, ria_gauge_group *g, const char *name,
                                const ria_gauge *made, ria_handle *out) {
  ria_gauge one = *made;
  ria_status s = gauge_room(sim, g);
  if (s == RIA_OK) s = gauge_name(sim, name, &one);
  if (s != RIA_OK) {
    free(one.name);
    return s;
  }
  one.section->column = g->columns;
  g->columns += 1 + (size_t)sim->n_tracers;
  gauge_put(sim, g, &one, out);
  return RIA_OK;
}

ria_status ria_sim_section(ria_sim *sim, const ria_section_desc *d, ria_handle *out) {
  ria_gauge_group *g = NULL;
  ria_gauge one = {.cell = -1};
  if (!d) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a section needs a description");
  RIA_TRY(check_name(sim, "section", d->name, d->every));
  RIA_TRY(check_new(sim, d->name));
  RIA_TRY(ria_section_make(sim, d, &one.section, &one.x, &one.y));
  ria_status s = group_find(sim, d->every, d->exact, &g);
  if (s == RIA_OK) s = section_enter(sim, g, d->name, &one, out);
  if (s != RIA_OK) ria_section_free(one.section);
  return s;
}

/* --- as one of the outputs -------------------------------------------------------------------- */

static bool cancel(ria_sim *sim, void *self, ria_handle handle) {
  const ria_gauges *all = self;
  for (ria_gauge_group *g = all->groups; g; g = g->next) {
    size_t alive = 0;
    bool found = false;
    for (size_t i = 0; i < g->n; i++) {
      if (g->gauges[i].handle == handle && !g->gauges[i].cancelled)
        found = g->gauges[i].cancelled = true;
      alive += !g->gauges[i].cancelled;
    }
    if (!found) continue;
    if (!alive) {
      ria_queue_cancel(sim, g->event);
      g->event = 0;
    }
    return true;
  }
  return false;
}

static ria_status sync_rows(ria_sim *sim, void *self) {
  const ria_gauges *all = self;
  (void)sim;
  for (const ria_gauge_group *g = all->groups; g; g = g->next)
    if (g->csv) RIA_TRY(ria_csv_sync(g->csv));
  return RIA_OK;
}

static ria_status take_up(ria_sim *sim, void *self) {
  const ria_gauges *all = self;
  (void)sim;
  for (const ria_gauge_group *g = all->groups; g; g = g->next)
    if (g->csv) RIA_TRY(ria_csv_cut(g->csv));
  return RIA_OK;
}

static int64_t rows_of(const ria_gauge_group *g) { return g->csv ? ria_csv_rows(g->csv) : 0; }

static ria_status list(ria_sim *sim, const void *self, ria_results_list *list) {
  const ria_gauges *all = self;
  for (const ria_gauge_group *g = all->groups; g; g = g->next)
    RIA_TRY(ria_sink_lists(sim, list, RIA_RESULT_GAUGES, g->file,
                           (ria_result){.count = rows_of(g), .made = g->csv != NULL}));
  return RIA_OK;
}

ria_status ria_gauge_columns(ria_sim *sim, const ria_gauge_group *g, ria_columns *out) {
  char text[2 * RIA_FIELD_NAME_MAX];
  RIA_TRY(ria_columns_make(sim, g->columns, out));
  for (size_t f = 0; f < g->n_fields; f++) {
    const ria_gauge_field *gf = &g->fields[f];
    for (size_t k = 0; k < gf->n; k++) {
      snprintf(text, sizeof text, "%s.%s", g->gauges[gf->gauge[k]].name, gf->field->name);
      ria_column_set(out, gf->column[k], text, gf->field->unit);
    }
  }
  for (size_t i = 0; i < g->n; i++) {
    const ria_section *one = g->gauges[i].section;
    for (size_t k = 0; one && k <= (size_t)sim->n_tracers; k++) {
      snprintf(text, sizeof text, "%s.%s", g->gauges[i].name, ria_section_column(sim, k));
      ria_column_set(out, one->column + k, text, one->unit[k]);
    }
  }
  return ria_columns_check(sim, out);
}

static ria_status columns(ria_sim *sim, const void *self, ria_json *j) {
  const ria_gauges *all = self;
  ria_columns c;
  for (const ria_gauge_group *g = all->groups; g; g = g->next) {
    RIA_TRY(ria_gauge_columns(sim, g, &c));
    ria_columns_write(j, g->file, &c);
  }
  return RIA_OK;
}

static void report_group(ria_sim *sim, const ria_gauge_group *g) {
  char what[96] = "";
  size_t sections = 0;
  for (size_t i = 0; i < g->n; i++) sections += g->gauges[i].section != NULL;
  const size_t points = g->n - sections;
  if (points || !sections)
    ria_format(what, sizeof what, "%zu gauge%s", points, ria_plural((int64_t)points));
  if (sections)
    ria_append(what, sizeof what, "%s%zu section%s", points ? ", " : "", sections,
               ria_plural((int64_t)sections));
  ria_log(sim->ctx, "    %s: %s, %lld row%s", g->file, what, (long long)rows_of(g),
          ria_plural(rows_of(g)));
}

static void report(ria_sim *sim, const void *self) {
  const ria_gauges *all = self;
  for (const ria_gauge_group *g = all->groups; g; g = g->next) report_group(sim, g);
}

static size_t marks(const ria_sim *sim, const void *self, ria_frame_mark *marks, size_t room) {
  const ria_gauges *all = self;
  size_t n = 0;
  (void)sim;
  for (const ria_gauge_group *g = all->groups; g; g = g->next) {
    for (size_t i = 0; i < g->n; i++) {
      if (g->gauges[i].cancelled) continue;
      if (n < room)
        marks[n] = (ria_frame_mark){.x = g->gauges[i].x,
                                    .y = g->gauges[i].y,
                                    .label = g->gauges[i].name,
                                    .kind = RIA_MARK_GAUGE};
      n++;
    }
  }
  return n;
}

static void destroy(ria_sim *sim, void *self) {
  ria_gauges *all = self;
  (void)sim;
  for (ria_gauge_group *g = all->groups, *next; g; g = next) {
    next = g->next;
    group_free(g);
  }
  free(all->names);
}

const ria_sink ria_gauges_sink = {.size = sizeof(ria_gauges),
                                  .watch = ria_gauges_watch,
                                  .look = ria_gauges_look,
                                  .pass = ria_gauges_pass,
                                  .sync = sync_rows,
                                  .take_up = take_up,
                                  .cancel = cancel,
                                  .list = list,
                                  .columns = columns,
                                  .report = report,
                                  .marks = marks,
                                  .free = destroy};
