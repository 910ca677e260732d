/* outputs/saves.c - stores of fields as the run goes on.
 *
 * One plan is one store, opened when its action first runs; actions that ask for the same store
 * share it. Fields are read in the precision of the run, so that a store without rounding is
 * bit-exact; rounding, tiles, compression and files are the store's (io/zarr.h). Static fields
 * are written once. */
#include "base/context.h"
#include "base/grid.h"
#include "base/array.h"
#include "core/keeping.h"
#include "base/text.h"
#include "outputs/packed.h"
#include "outputs/sink.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ria_save_plan ria_save_plan;
struct ria_save_plan {
  ria_save_plan *next;
  char *name, *file, *path;     /* "fields", "fields.zarr", <out>/fields.zarr */
  const ria_sim_field **fields; /* [n] */
  size_t n;
  bool changes; /* not all of them are static */
  double precision;
  int level, tile;
  ria_zarr *store; /* NULL until the first frame */
  double last;     /* time of the last frame */
  bool passed;     /* repeating: the store was begun; */
  double *times;   /*   [n_times] of its frames */
  size_t n_times, room_times;
};

typedef struct saves_state {
  ria_save_plan *plans; /* in the order of asking */
} saves_state;

static bool is_static(const ria_sim_field *f) { return f->info->flags & RIA_FIELD_STATIC; }

/* Velocities along the axes of a turned grid go neither east nor north. */
static const char *standard_name(const ria_sim *sim, const ria_sim_field *f) {
  if (sim->grid.angle != 0.0 && f == sim->roles.u) return "sea_water_x_velocity";
  if (sim->grid.angle != 0.0 && f == sim->roles.v) return "sea_water_y_velocity";
  return f->info->standard_name;
}

void ria_field_for_store(const ria_sim *sim, const ria_sim_field *f, ria_zarr_field *out) {
  *out = (ria_zarr_field){.name = f->name,
                          .unit = f->cf,
                          .measured_in = strcmp(f->cf, f->unit) == 0 ? NULL : f->unit,
                          .long_name = f->long_name,
                          .standard_name = standard_name(sim, f),
                          .fixed = is_static(f)};
}

/* --- writing ---------------------------------------------------------------------------------- */

/* The store's buffers are snapshots. */
static ria_status buffer_open(void *buffer, ria_zarr_content *content, char *err, size_t errsize) {
  return ria_snapshot_content(buffer, content, err, errsize);
}

static void buffer_release(void *buffer) { ria_snapshot_release(buffer); }

static ria_status take(ria_sim *sim, const ria_save_plan *plan, const ria_sim_field *f,
                       void **buffer) {
  ria_packing packing = {.real = sim->real, .precision = plan->precision};
  ria_snapshot *snap = NULL;
  if (ria_zarr_takes_streams(plan->store, &packing.tile_x, &packing.tile_y))
    RIA_TRY(ria_snapshot_take_packed(sim, f, &packing, &snap));
  else
    RIA_TRY(ria_snapshot_take(sim, f, sim->real, 1, &snap));
  *buffer = snap;
  return RIA_OK;
}

static ria_status put_static(ria_sim *sim, ria_save_plan *plan) {
  for (size_t k = 0; k < plan->n; k++) {
    void *buffer = NULL;
    if (!is_static(plan->fields[k])) continue;
    if (sim->by_ranks) {
      RIA_TRY(ria_packed_put(sim, plan->store, k, plan->fields[k], false));
      continue;
    }
    RIA_TRY(take(sim, plan, plan->fields[k], &buffer));
    RIA_TRY(ria_zarr_put(plan->store, k, buffer));
  }
  return RIA_OK;
}

static void describe(const ria_sim *sim, const ria_save_plan *plan, ria_zarr_field *fields,
                     ria_zarr_desc *out) {
  for (size_t k = 0; k < plan->n; k++) {
    ria_field_for_store(sim, plan->fields[k], &fields[k]);
    fields[k].precision = plan->precision;
  }
  *out = (ria_zarr_desc){.path = plan->path,
                         .title = sim->title,
                         .epoch = sim->start.known ? sim->epoch : NULL,
                         .crs = sim->crs,
                         .grid = sim->grid,
                         .real = sim->real,
                         .fields = fields,
                         .n_fields = plan->n,
                         .tile = plan->tile,
                         .level = plan->level,
                         .open = buffer_open,
                         .release = buffer_release};
}

static ria_status store_open(ria_sim *sim, ria_save_plan *plan) {
  ria_zarr_desc desc;
  RIA_TRY(ria_outputs_claim(sim, RIA_RESULT_STORE, plan->file));
  ria_zarr_field *fields = calloc(plan->n, sizeof *fields);
  if (!fields) return ria_fail_memory(sim->ctx, "a store", plan->n * sizeof *fields);
  describe(sim, plan, fields, &desc);
  ria_status s = ria_zarr_create(sim->ctx, sim->outputs->writer, &desc, &plan->store);
  free(fields);
  return s == RIA_OK ? put_static(sim, plan) : s;
}

static ria_status append(ria_sim *sim, ria_save_plan *plan, void **buffers) {
  ria_status s = RIA_OK;
  for (size_t k = 0; s == RIA_OK && k < plan->n; k++)
    if (!is_static(plan->fields[k])) s = take(sim, plan, plan->fields[k], &buffers[k]);
  if (s == RIA_OK) return ria_zarr_append(plan->store, sim->at.t, buffers);
  for (size_t k = 0; k < plan->n; k++) buffer_release(buffers[k]);
  return s;
}

static ria_status append_by_ranks(ria_sim *sim, ria_save_plan *plan) {
  RIA_TRY(ria_zarr_begin(plan->store, sim->at.t));
  ria_status s = RIA_OK;
  for (size_t k = 0; s == RIA_OK && k < plan->n; k++)
    if (!is_static(plan->fields[k]))
      s = ria_packed_put(sim, plan->store, k, plan->fields[k], false);
  if (s != RIA_OK) ria_zarr_drop(plan->store);
  return s;
}

static ria_status append_here(ria_sim *sim, ria_save_plan *plan) {
  void **buffers = calloc(plan->n, sizeof *buffers);
  if (!buffers) return ria_fail_memory(sim->ctx, "a save", plan->n * sizeof *buffers);
  const ria_status s = append(sim, plan, buffers);
  free(buffers);
  return s;
}

/* A run is repeated: what was saved is in the store. */
static ria_status save_pass(ria_sim *sim, ria_save_plan *plan) {
  if (!sim->outputs->taking_up)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "a run that saves fields goes on in its own results directory alone (`keep` of "
                    "ria_sim_desc): '%s'",
                    plan->file);
  plan->passed = true;
  if (!plan->changes || (plan->n_times && plan->last == sim->at.t)) return RIA_OK;
  RIA_TRY(ria_grow(sim->ctx, "times of a store", &plan->times, &plan->room_times, plan->n_times + 1,
                   sizeof *plan->times));
  plan->times[plan->n_times++] = plan->last = sim->at.t;
  return ria_budget_row_due(sim);
}

static ria_status save(ria_sim *sim, void *user) {
  ria_save_plan *plan = user;
  if (sim->record.replays) return save_pass(sim, plan);
  if (!plan->store) RIA_TRY(store_open(sim, plan));
  if (!plan->changes) return RIA_OK;
  if (ria_zarr_frames(plan->store) > 0 && plan->last == sim->at.t) return RIA_OK;
  RIA_TRY(sim->by_ranks ? append_by_ranks(sim, plan) : append_here(sim, plan));
  plan->last = sim->at.t;
  return ria_budget_row_due(sim);
}

static ria_status save_fire(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  return ria_rooted(sim, save, user, "fields are saved");
}

/* --- asking ----------------------------------------------------------------------------------- */

static ria_status check_desc(ria_sim *sim, const ria_save_desc *d) {
  ria_context *ctx = sim->ctx;
  if (!d->fields || d->n_fields == 0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "a save needs at least one field");
  if (!(d->precision >= 0.0) || !isfinite(d->precision))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "precision of a save is %g: it must be 0 or more",
                    d->precision);
  if (d->level < RIA_LEVEL_RAW || d->level > 9)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "level of a save is %d: it may be 1 to 9 (0 = 1), or %d for no compression",
                    d->level, RIA_LEVEL_RAW);
  if (d->tile < 0 || d->tile > 65536)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "tile of a save is %d cells: it may be 1 to 65536 (0 = 512)", d->tile);
  return RIA_OK;
}

static void plan_free(ria_save_plan *p) {
  ria_zarr_destroy(&p->store);
  free(p->name);
  free(p->file);
  free(p->path);
  free(p->fields);
  free(p->times);
  free(p);
}

static ria_status plan_fields(ria_sim *sim, ria_save_plan *p, const ria_save_desc *d) {
  p->fields = calloc(d->n_fields, sizeof *p->fields);
  if (!p->fields)
    return ria_fail_memory(sim->ctx, "fields of a save", d->n_fields * sizeof *p->fields);
  for (size_t k = 0; k < d->n_fields; k++) {
    const ria_sim_field *f = NULL;
    RIA_TRY(ria_field_or_map(sim, d->fields[k], &f));
    for (size_t m = 0; m < p->n; m++)
      if (p->fields[m] == f)
        return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a save names '%s' twice", f->name);
    p->fields[p->n++] = f;
    p->changes = p->changes || !is_static(f);
  }
  return RIA_OK;
}

static ria_status plan_names(ria_sim *sim, ria_save_plan *p, const char *name) {
  char file[RIA_FIELD_NAME_MAX + 8] = "";
  RIA_TRY(ria_check_file_name(sim, "a save", name));
  if (strcmp(name, "maxima") == 0)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "a save cannot be called 'maxima': that store "
                    "holds the maxima of the run");
  ria_append(file, sizeof file, "%s.zarr", name);
  p->name = ria_strdup(name);
  p->file = ria_strdup(file);
  if (!p->name || !p->file) return ria_fail_memory(sim->ctx, "a save", sizeof file);
  return ria_out_path(sim, file, &p->path);
}

static ria_status plan_new(ria_sim *sim, const ria_save_desc *d, ria_save_plan **out) {
  ria_save_plan *p = calloc(1, sizeof *p);
  if (!p) return ria_fail_memory(sim->ctx, "a save", sizeof *p);
  p->precision = d->precision;
  p->level = d->level;
  p->tile = d->tile;
  ria_status s = plan_names(sim, p, d->name ? d->name : "fields");
  if (s == RIA_OK) s = plan_fields(sim, p, d);
  if (s != RIA_OK) {
    plan_free(p);
    return s;
  }
  *out = p;
  return RIA_OK;
}

static bool same_plan(const ria_save_plan *a, const ria_save_plan *b) {
  return a->n == b->n && memcmp(a->fields, b->fields, a->n * sizeof *a->fields) == 0 &&
         a->precision == b->precision && a->level == b->level && a->tile == b->tile;
}

/* The plan itself, or the earlier one of that name if it asks for the same. */
static ria_status plan_enter(ria_sim *sim, ria_save_plan *p, ria_save_plan **out) {
  saves_state *state = ria_sink_state(sim, &ria_saves_sink);
  for (ria_save_plan *q = state->plans; q; q = q->next) {
    if (strcmp(q->name, p->name) != 0) continue;
    *out = q;
    if (same_plan(p, q)) {
      plan_free(p);
      return RIA_OK;
    }
    ria_status s = ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                            "a save named '%s' holds other fields or another precision: give this "
                            "one another name",
                            p->name);
    plan_free(p);
    return s;
  }
  ria_save_plan **end = &state->plans;
  while (*end) end = &(*end)->next;
  *end = p;
  *out = p;
  return RIA_OK;
}

ria_status ria_save_action(ria_sim *sim, const ria_save_desc *desc, ria_action *out) {
  ria_save_plan *plan = NULL;
  if (!desc) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a save needs a description");
  RIA_TRY(ria_out_needed(sim, "saves"));
  RIA_TRY(check_desc(sim, desc));
  RIA_TRY(plan_new(sim, desc, &plan));
  RIA_TRY(plan_enter(sim, plan, &plan));
  *out = (ria_action){.fn = save_fire, .user = plan, .phase = RIA_PHASE_OUTPUT};
  return RIA_OK;
}

/* --- as one of the outputs -------------------------------------------------------------------- */

static int64_t times_of(const ria_save_plan *p) {
  return p->store ? ria_zarr_shown(p->store) : (int64_t)p->n_times;
}

/* Counts are of the times that a reader finds. */
static ria_status list(ria_sim *sim, const void *self, ria_results_list *list) {
  const saves_state *state = self;
  for (const ria_save_plan *p = state->plans; p; p = p->next)
    RIA_TRY(ria_sink_lists(sim, list, RIA_RESULT_STORE, p->file,
                           (ria_result){.count = times_of(p), .made = p->store || p->passed}));
  return RIA_OK;
}

/* What the checkpoint says of the k-th store: files of chunks, of fixed fields and of each frame.
 */
static const int64_t *chunks_of(const ria_sim *sim, const ria_save_plan *p, size_t k) {
  char piece[RIA_PIECE_NAME];
  size_t bytes;
  snprintf(piece, sizeof piece, "Store.%zu", k);
  const void *chunks = ria_noted_piece(sim, piece, &bytes);
  return bytes == (1 + p->n_times) * sizeof(int64_t) ? chunks : NULL;
}

static ria_status take_up_store(ria_sim *sim, ria_save_plan *p, size_t k) {
  ria_zarr_desc desc;
  const int64_t *chunks = chunks_of(sim, p, k);
  if (!chunks)
    return ria_fail(sim->ctx, RIA_ERR_INPUT, "the checkpoint knows of other frames of '%s'",
                    p->file);
  ria_zarr_field *fields = calloc(p->n, sizeof *fields);
  if (!fields) return ria_fail_memory(sim->ctx, "a store", p->n * sizeof *fields);
  describe(sim, p, fields, &desc);
  const ria_status s = ria_zarr_take_up(sim->ctx, sim->outputs->writer, &desc, p->times,
                                        (int64_t)p->n_times, chunks, &p->store);
  free(fields);
  return s;
}

static ria_status take_up(ria_sim *sim, void *self) {
  const saves_state *state = self;
  size_t k = 0;
  for (ria_save_plan *p = state->plans; p; p = p->next, k++)
    if (p->passed) RIA_TRY(take_up_store(sim, p, k));
  return RIA_OK;
}

size_t ria_saves_stores(const ria_sim *sim, ria_zarr **stores, size_t most) {
  const saves_state *state = ria_sink_state(sim, &ria_saves_sink);
  size_t k = 0;
  for (const ria_save_plan *p = state->plans; p; p = p->next, k++)
    if (k < most) stores[k] = p->store;
  return k;
}

static bool cost(const ria_sim *sim, const ria_action *action, ria_output_cost *cost) {
  if (action->fn != save_fire) return false;
  const ria_save_plan *p = action->user;
  size_t changing = 0;
  for (size_t k = 0; k < p->n; k++) changing += !is_static(p->fields[k]);
  const double numbers = (double)changing * (double)ria_grid_cells(&sim->grid);
  *cost = (ria_output_cost){false, numbers * (double)ria_real_size(sim->real)};
  return true;
}

static void report(ria_sim *sim, const void *self) {
  const saves_state *state = self;
  for (const ria_save_plan *p = state->plans; p; p = p->next)
    ria_log(sim->ctx, "    %s: %lld time%s", p->file, (long long)times_of(p),
            ria_plural(times_of(p)));
}

static void destroy(ria_sim *sim, void *self) {
  saves_state *state = self;
  (void)sim;
  for (ria_save_plan *p = state->plans, *next; p; p = next) {
    next = p->next;
    plan_free(p);
  }
}

const ria_sink ria_saves_sink = {.size = sizeof(saves_state),
                                 .take_up = take_up,
                                 .cost = cost,
                                 .list = list,
                                 .report = report,
                                 .free = destroy};
