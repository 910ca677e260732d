/* core/fields.c - the fields of a simulation by name: reading, writing, statistics, maxima.
 *
 * The solver's table names fields; those marked per-tracer stand once for each tracer, an empty
 * name for the tracer's own, another for "<tracer>_<name>". The expanded table is made once, and
 * every name a user gives goes through ria_field_find, which knows the nearest one. */
#include "base/context.h"
#include "core/params.h"
#include "core/sim.h"
#include "base/text.h"
#include "base/grid.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the table -------------------------------------------------------------------------------- */

static void field_name(ria_sim_field *f, const ria_tracer *tracer, const ria_unit *unit) {
  const char *name = f->info->name, *text = f->info->long_name ? f->info->long_name : name;
  f->unit = f->cf = f->info->unit ? f->info->unit : "1";
  if (!tracer) {
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(f->long_name, sizeof f->long_name, "%s", text);
    return;
  }
  bool own = !name[0];
  snprintf(f->name, sizeof f->name, "%s%s%s", tracer->name, own ? "" : "_", name);
  snprintf(f->long_name, sizeof f->long_name, "%s %s", tracer->name, text);
  if (own || !f->info->unit) f->unit = unit->name, f->cf = unit->cf;
  if (f->info->flags & RIA_FIELD_LOAD) f->unit = unit->load, f->cf = unit->cf_load;
}

static ria_status check_distinct(ria_sim *sim) {
  for (size_t i = 0; i < sim->n_fields; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(sim->fields[i].name, sim->fields[k].name) == 0)
        return ria_fail(
            sim->ctx, RIA_ERR_ARGUMENT,
            "tracer '%s' gives a field '%s', a name that is taken: give the tracer "
            "another name",
            sim->tracers[sim->fields[i].tracer < 0 ? sim->fields[k].tracer : sim->fields[i].tracer]
                .name,
            sim->fields[i].name);
  return RIA_OK;
}

static const ria_sim_field *role(const ria_sim *sim, const char *name) {
  for (size_t i = 0; name && i < sim->n_fields; i++)
    if (sim->fields[i].tracer < 0 && strcmp(sim->fields[i].name, name) == 0) return &sim->fields[i];
  return NULL;
}

ria_status ria_fields_build(ria_sim *sim) {
  const ria_field_info *table = sim->solver->fields;
  size_t n = 0, room = 0;
  while (table[room].name) room++;
  room *= 1 + RIA_MAX_TRACERS;
  sim->fields = calloc(room ? room : 1, sizeof *sim->fields);
  if (!sim->fields) return ria_fail_memory(sim->ctx, "field table", room * sizeof *sim->fields);
  for (int k = 0; table[k].name; k++) {
    bool each = table[k].flags & RIA_FIELD_PER_TRACER;
    for (int t = 0; t < (each ? sim->n_tracers : 1); t++) {
      ria_sim_field *f = &sim->fields[n++];
      *f = (ria_sim_field){.info = &table[k], .index = k, .tracer = each ? t : -1};
      field_name(f, each ? &sim->tracers[t] : NULL, each ? &sim->units[t] : NULL);
    }
  }
  sim->n_fields = n;
  const ria_field_roles *r = &sim->solver->roles;
  sim->roles = (ria_sim_roles){role(sim, r->bed), role(sim, r->depth), role(sim, r->u),
                               role(sim, r->v), role(sim, r->shore)};
  return check_distinct(sim);
}

ria_status ria_field_find(ria_sim *sim, const char *name, ria_sim_field **out) {
  if (!name) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a field needs a name");
  ria_guess guess = ria_guess_start(name);
  for (size_t i = 0; i < sim->n_fields; i++) {
    if (strcmp(sim->fields[i].name, name) == 0) {
      *out = &sim->fields[i];
      return RIA_OK;
    }
    ria_guess_try(&guess, sim->fields[i].name);
  }
  return ria_fail_unknown(sim->ctx, "field", &guess);
}

ria_status ria_field_or_map(ria_sim *sim, const char *name, const ria_sim_field **out) {
  if (!name) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a field needs a name");
  ria_guess guess = ria_guess_start(name);
  for (const ria_sim_field *f = sim->maps; f; f = f->next) {
    if (strcmp(f->name, name) == 0) {
      *out = f;
      return RIA_OK;
    }
    ria_guess_try(&guess, f->name);
  }
  for (size_t i = 0; i < sim->n_fields; i++) {
    if (strcmp(sim->fields[i].name, name) == 0) {
      *out = &sim->fields[i];
      return RIA_OK;
    }
    ria_guess_try(&guess, sim->fields[i].name);
  }
  return ria_fail_unknown(sim->ctx, "field", &guess);
}

bool ria_sim_field_list(const ria_sim *sim, size_t i, ria_field_entry *out) {
  if (i >= sim->n_fields) return false;
  const ria_sim_field *f = &sim->fields[i];
  *out = (ria_field_entry){.name = f->name,
                           .unit = f->unit,
                           .doc = f->info->doc,
                           .can_set = f->info->flags & RIA_FIELD_INPUT,
                           .can_track = f->info->flags & RIA_FIELD_TRACK,
                           .tracer = f->tracer,
                           .fixed = f->info->flags & RIA_FIELD_STATIC};
  return true;
}

/* --- reading ---------------------------------------------------------------------------------- */

static ria_status read_rows(ria_sim *sim, const ria_sim_field *f, bool maximum, int j0, int nj,
                            ria_real real, void *dst) {
  if (f->rows)
    RIA_TRY(f->rows(sim, f, j0, nj, real, dst));
  else
    RIA_TRY(sim->ops->read(sim->self, f->index, f->tracer, maximum, j0, nj, real, dst));
  ria_mask_blank(sim, j0, nj, real, dst);
  return RIA_OK;
}

/* Before the start the present state is all that a maximum can be of. */
ria_status ria_field_read(ria_sim *sim, const ria_sim_field *f, bool maximum, ria_real real,
                          void *dst) {
  maximum = maximum && sim->started;
  RIA_TRY(ria_sim_settle(sim));
  return read_rows(sim, f, maximum, 0, sim->grid.ny, real, dst);
}

/* Rows of a piece: few enough to stay in the caches, many enough to be worth a trip to a device. */
static int rows_of_piece(const ria_grid *g, ria_real real, int multiple) {
  const size_t piece_bytes = (size_t)4 << 20;
  size_t rows = piece_bytes / ((size_t)g->nx * ria_real_size(real)) / (size_t)multiple;
  rows = (rows ? rows : 1) * (size_t)multiple;
  return rows < (size_t)g->ny ? (int)rows : g->ny;
}

ria_status ria_field_visit(ria_sim *sim, const ria_sim_field *f, bool maximum, ria_real real,
                           int multiple, ria_rows_fn visit, void *user) {
  RIA_TRY(ria_sim_settle(sim));
  const int ny = sim->grid.ny, most = rows_of_piece(&sim->grid, real, multiple);
  size_t bytes = (size_t)most * (size_t)sim->grid.nx * ria_real_size(real);
  void *rows = malloc(bytes);
  if (!rows) return ria_fail_memory(sim->ctx, "rows of cells", bytes);
  ria_status s = RIA_OK;
  maximum = maximum && sim->started;
  for (int j = 0; s == RIA_OK && j < ny; j += most) {
    int n = ny - j < most ? ny - j : most;
    s = read_rows(sim, f, maximum, j, n, real, rows);
    if (s == RIA_OK) visit(user, j, n, rows);
  }
  free(rows);
  return s;
}

/* What the host sees is recorded. */
static ria_status read_for_host(ria_sim *sim, const ria_sim_field *f, bool maximum,
                                double *values) {
  const size_t n = ria_grid_cells(&sim->grid);
  const uint64_t asked = 2 * (uint64_t)(f - sim->fields) + maximum;
  bool known;
  RIA_TRY(ria_sim_settle(sim));
  RIA_TRY(ria_record_answer_field(sim, asked, values, n, &known));
  if (known) return RIA_OK;
  RIA_TRY(ria_field_read(sim, f, maximum, RIA_F64, values));
  return ria_record_keep_field(sim, asked, values, n);
}

ria_status ria_sim_get(ria_sim *sim, const char *field, double *values) {
  ria_sim_field *f = NULL;
  RIA_TRY(ria_field_find(sim, field, &f));
  return read_for_host(sim, f, false, values);
}

ria_status ria_sim_track_maximum(ria_sim *sim, const char *field) {
  ria_sim_field *f = NULL;
  RIA_TRY(ria_field_find(sim, field, &f));
  if (!(f->info->flags & RIA_FIELD_TRACK))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "solver '%s' keeps no maximum of '%s'",
                    sim->solver->name, f->name);
  if (f->tracked) return RIA_OK;
  RIA_TRY(ria_sim_settle(sim));
  if (sim->started) RIA_TRY(sim->ops->track(sim->self, f->index, f->tracer));
  f->tracked = true;
  return RIA_OK;
}

ria_status ria_maxima_begin(ria_sim *sim) {
  for (size_t k = 0; k < sim->n_fields; k++) {
    const ria_sim_field *f = &sim->fields[k];
    if (f->tracked) RIA_TRY(sim->ops->track(sim->self, f->index, f->tracer));
  }
  return RIA_OK;
}

ria_status ria_sim_get_maximum(ria_sim *sim, const char *field, double *values) {
  ria_sim_field *f = NULL;
  RIA_TRY(ria_field_find(sim, field, &f));
  if (!f->tracked)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "no maximum of '%s' is kept: ask for it before the run", f->name);
  return read_for_host(sim, f, true, values);
}

ria_status ria_sim_probe(ria_sim *sim, const char *field, double x, double y, double *out) {
  const ria_grid *g = &sim->grid;
  ria_sim_field *f = NULL;
  char where[RIA_GRID_TEXT];
  int i, j;
  RIA_TRY(ria_field_find(sim, field, &f));
  if (!ria_grid_locate(g, x, y, &i, &j))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "(%.10g, %.10g) lies outside the domain, %s", x, y,
                    ria_grid_tell(g, where));
  RIA_TRY(ria_mask_check(sim, "", x, y, i, j));
  RIA_TRY(ria_sim_settle(sim));
  int32_t cell = j * g->nx + i;
  return ria_ask_sample(sim, f->index, f->tracer, 1, &cell, out);
}

/* --- statistics ------------------------------------------------------------------------------- */

/* One row into the whole. Sums are taken row by row, in a fixed order. */
static void stats_row(ria_stats *s, const double *row, int nx, int j) {
  double sum = 0.0;
  for (int i = 0; i < nx; i++) {
    double v = row[i];
    if (isnan(v)) continue;
    sum += v;
    if (s->n == 0 || v < s->min) s->min = v, s->min_i = i, s->min_j = j;
    if (s->n == 0 || v > s->max) s->max = v, s->max_i = i, s->max_j = j;
    s->n++;
  }
  s->sum += sum;
}

typedef struct stats_visit {
  ria_stats stats;
  int nx;
} stats_visit;

static void stats_rows(void *user, int j0, int nj, const void *rows) {
  stats_visit *v = user;
  for (int j = 0; j < nj; j++)
    stats_row(&v->stats, (const double *)rows + (size_t)j * (size_t)v->nx, v->nx, j0 + j);
}

ria_status ria_sim_stats(ria_sim *sim, const char *field, ria_stats *out) {
  const ria_grid *g = &sim->grid;
  ria_sim_field *f = NULL;
  RIA_TRY(ria_field_find(sim, field, &f));
  stats_visit v = {
      .nx = g->nx,
      .stats = {
          .min = NAN, .max = NAN, .mean = NAN, .min_i = -1, .min_j = -1, .max_i = -1, .max_j = -1}};
  const uint64_t asked = (uint64_t)(f - sim->fields);
  bool known;
  RIA_TRY(ria_sim_settle(sim));
  RIA_TRY(ria_record_answer(sim, RIA_RECORD_STATS, asked, out, sizeof *out, &known));
  if (known) return RIA_OK;
  RIA_TRY(ria_field_visit(sim, f, false, RIA_F64, 1, stats_rows, &v));
  ria_stats s = v.stats;
  if (s.n) s.mean = s.sum / (double)s.n;
  s.sum = s.n ? s.sum * g->dx * g->dy : NAN;
  *out = s;
  return ria_record_keep(sim, RIA_RECORD_STATS, asked, out, sizeof *out);
}

/* --- writing ---------------------------------------------------------------------------------- */

/* A number that the precision of the run can hold. */
static bool fits(const ria_sim *sim, double v) {
  return sim->real == RIA_F32 ? fabs(v) <= FLT_MAX : isfinite(v);
}

/* The bed is a file more often than not: say how much of it is missing, and what mends it. */
static ria_status fail_no_data(ria_sim *sim, const ria_sim_field *f, const double *v, int i,
                               int j) {
  const size_t cells = ria_grid_cells(&sim->grid);
  const ria_spot at = ria_cell_on_map(&sim->grid, i, j);
  size_t missing = 0;
  for (size_t c = 0; c < cells; c++) missing += isnan(v[c]);
  return ria_fail(
      sim->ctx, RIA_ERR_ARGUMENT,
      "'%s' has no data in %zu of %zu cells, the first (%d, %d) at (%.10g, %.10g): leave "
      "them out of the domain (outside = \"wall\"), or give them a height (ria.dem: gap = 20 "
      "closes holes up to 20 cells across, fill = 10 puts 10 m into the rest)",
      f->name, missing, cells, i, j, at.x, at.y);
}

/* A map of a parameter, such as Manning's coefficient, is at most what the parameter may be. */
static ria_status check_range(ria_sim *sim, const ria_sim_field *f, const double *v) {
  const ria_param_info *p = ria_param_find(sim->solver->params, f->name);
  if (!p || p->min == p->max) return RIA_OK;
  for (size_t c = 0; c < ria_grid_cells(&sim->grid); c++) {
    if (!(v[c] > p->max)) continue; /* the least value is the solver's to judge: a map may be 0 */
    const int i = (int)(c % (size_t)sim->grid.nx), j = (int)(c / (size_t)sim->grid.nx);
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "'%s' is %g in cell (%d, %d), out of range: %g .. %g %s", f->name, v[c], i, j,
                    p->min, p->max, p->unit);
  }
  return RIA_OK;
}

/* NaN may stand for "dry" in fields that have no meaning there, and for "outside" where cells may
 * be left out of the domain; nothing else may be missing. */
static ria_status check_values(ria_sim *sim, const ria_sim_field *f, const double *v) {
  if (!v)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "'%s' is set from values: they are NULL", f->name);
  const ria_grid *g = &sim->grid;
  bool may_miss = f->info->flags & RIA_FIELD_DRY_NAN;
  for (size_t c = 0; c < ria_grid_cells(g); c++) {
    if (fits(sim, v[c]) || (may_miss && isnan(v[c]))) continue;
    int i = (int)(c % (size_t)g->nx), j = (int)(c / (size_t)g->nx);
    if (isnan(v[c]) && (f == sim->roles.bed ? sim->mask.wanted : ria_is_outside(sim, i, j)))
      continue;
    if (isfinite(v[c]))
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                      "'%s' is %g in cell (%d, %d): too large for single precision", f->name, v[c],
                      i, j);
    if (isnan(v[c]) && f == sim->roles.bed) return fail_no_data(sim, f, v, i, j);
    const ria_spot at = ria_cell_on_map(g, i, j);
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "'%s' has no finite value in cell (%d, %d) at (%.10g, %.10g)", f->name, i, j,
                    at.x, at.y);
  }
  return check_range(sim, f, v);
}

static ria_status may_set(ria_sim *sim, const ria_sim_field *f) {
  if (sim->run.queued)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "'%s' cannot be set while steps are under way: wait for them first "
                    "(ria_sim_wait)",
                    f->name);
  if (sim->failed)
    return ria_fail(sim->ctx, RIA_ERR_NUMERICAL,
                    "the simulation failed at %.10g s: it can be read, not changed", sim->at.t);
  if (!(f->info->flags & RIA_FIELD_INPUT))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "'%s' follows from other fields: it cannot be set",
                    f->name);
  if (sim->started && (f->info->flags & RIA_FIELD_STATIC))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "'%s' cannot change once the run has started",
                    f->name);
  return RIA_OK;
}

/* manning = 0 and a map of it: what is told of the run is the map. */
static void note_map(const ria_sim *sim, ria_sim_field *f, const double *values) {
  if (f->tracer >= 0 || !ria_param_find(sim->solver->params, f->name)) return;
  f->is_map = true;
  f->map_min = INFINITY;
  f->map_max = -INFINITY;
  for (size_t c = 0; c < ria_grid_cells(&sim->grid); c++) {
    f->map_min = fmin(f->map_min, values[c]);
    f->map_max = fmax(f->map_max, values[c]);
  }
}

bool ria_param_map(const ria_sim *sim, const char *param, char *text, size_t size) {
  for (size_t k = 0; k < sim->n_fields; k++) {
    const ria_sim_field *f = &sim->fields[k];
    if (!f->is_map || strcmp(f->name, param) != 0) continue;
    ria_format(text, size, "map, %g to %g", f->map_min, f->map_max);
    return true;
  }
  return false;
}

static ria_status field_write(ria_sim *sim, ria_sim_field *f, const double *values) {
  double before[RIA_QUANTITIES];
  if (sim->started) RIA_TRY(ria_ledger_stored(sim, before));
  if (sim->mask.wanted)
    RIA_TRY(ria_mask_write(sim, f, values));
  else
    RIA_TRY(ria_tell_write(sim, f->index, f->tracer, values));
  const bool is_bed = f == sim->roles.bed;
  if (is_bed) sim->has_bed = true, sim->beds++;
  note_map(sim, f, values);
  sim->edits++;
  sim->unprepared = true;
  /* a solver may lay itself out by the state that it begins with when it is told the forcing; how
   * deep layers make the water goes by the bed */
  if (sim->at.steps == 0 || is_bed) sim->unforced = true;
  return sim->started ? ria_ledger_enter_change(sim, before) : RIA_OK;
}

ria_status ria_sim_set(ria_sim *sim, const char *field, const double *values) {
  ria_sim_field *f = NULL;
  RIA_TRY(ria_field_find(sim, field, &f));
  RIA_TRY(may_set(sim, f));
  RIA_TRY(check_values(sim, f, values));
  return field_write(sim, f, values);
}

ria_status ria_sim_set_constant(ria_sim *sim, const char *field, double value) {
  ria_sim_field *f = NULL;
  RIA_TRY(ria_field_find(sim, field, &f));
  RIA_TRY(may_set(sim, f));
  if (!fits(sim, value))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "'%s' cannot be set to %g", f->name, value);
  size_t n = ria_grid_cells(&sim->grid);
  double *values = malloc(n * sizeof *values);
  if (!values) return ria_fail_memory(sim->ctx, "a field", n * sizeof *values);
  for (size_t c = 0; c < n; c++) values[c] = value;
  ria_status s = check_range(sim, f, values);
  if (s == RIA_OK) s = field_write(sim, f, values);
  free(values);
  return s;
}
