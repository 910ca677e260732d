/* run/balance.c - a grid in parts is cut by work, and cut again when the work has moved.
 *
 * The work of a row is its wet cells and a share of its dry ones, times how long the part that has
 * it took for its work of late. A grid is cut before the first step by what is wet then. Later on
 * it is cut again where threads wait for each other and other cuts would spare a tenth of that:
 * new parts are made, the state is handed over to them (ria/state.h), and the old parts are freed.
 * The cuts show in no bit of the results. */
#include "base/context.h"
#include "base/grid.h"
#include "core/sim.h"
#include "forcing/forcing.h"
#include "parts/parts.h"
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

static const double dry_share = 0.1;    /* of the work of a wet cell, that of a dry one */
static const double look_seconds = 1.0; /* of stepping, between two looks */
static const double waits_much = 0.1;   /* of the time, what makes another cut worth looking for */

/* --- the state, in memory --------------------------------------------------------------------- */

typedef struct kept_data {
  size_t bytes;
  void *data;
} kept_data;

typedef struct kept_state {
  ria_context *ctx;
  int n, room, next; /* next: to be taken over */
  kept_data *item;   /* [n] in the order of the walk */
} kept_state;

static void free_state(kept_state *k) {
  for (int i = 0; i < k->n; i++) free(k->item[i].data);
  free(k->item);
}

static ria_status keep(void *user, const ria_state_item *item) {
  kept_state *k = user;
  if (k->n == k->room) {
    const int room = 2 * k->room + 32;
    kept_data *grown = realloc(k->item, (size_t)room * sizeof *grown);
    if (!grown) return ria_fail_memory(k->ctx, "the state", (size_t)room * sizeof *grown);
    k->item = grown;
    k->room = room;
  }
  const size_t bytes = ria_state_bytes(item);
  void *data = malloc(bytes + 1);
  if (!data) return ria_fail_memory(k->ctx, "the state", bytes);
  if (bytes) memcpy(data, item->data, bytes);
  k->item[k->n++] = (kept_data){bytes, data};
  return RIA_OK;
}

static ria_status put(void *user, const ria_state_item *item) {
  kept_state *k = user;
  const size_t bytes = ria_state_bytes(item);
  if (k->next == k->n || k->item[k->next].bytes != bytes)
    return ria_fail(k->ctx, RIA_ERR_ARGUMENT, "item '%s' of the state is none that was saved",
                    item->name);
  if (bytes) memcpy(item->data, k->item[k->next].data, bytes);
  k->next++;
  return RIA_OK;
}

/* --- other cuts ------------------------------------------------------------------------------- */

/* New parts that go on where the old ones are. */
static ria_status take_over(ria_sim *sim, kept_state *state) {
  RIA_TRY(ria_sim_make_state(sim));
  sim->unforced = true;
  RIA_TRY(ria_forcing_sync(sim));
  for (size_t k = 0; k < sim->n_fields; k++)
    if (sim->fields[k].tracked)
      RIA_TRY(sim->ops->track(sim->self, sim->fields[k].index, sim->fields[k].tracer));
  RIA_TRY(sim->ops->state(sim->self, &(ria_state_walk){true, put, state}));
  sim->unprepared = false; /* as the old ones were: to prepare again is not the same to the bit */
  return RIA_OK;
}

/* Where memory is short the old parts go on. cut[parts + 1] is the simulation's then. */
static ria_status cut_again(ria_sim *sim, int *cut) {
  kept_state state = {.ctx = sim->ctx};
  void *const old = sim->self;
  int *const old_cut = sim->cut;
  const double waited = sim->at_once, stepped = sim->stepped;
  ria_parts_spent(old, &sim->at_once, &sim->stepped);
  ria_status s = sim->ops->state(old, &(ria_state_walk){false, keep, &state});
  if (s == RIA_OK) {
    sim->cut = cut;
    s = take_over(sim, &state);
  }
  free_state(&state);
  void *const gone = s == RIA_OK ? old : sim->self != old ? sim->self : NULL;
  if (gone) sim->ops->destroy(gone);
  if (s == RIA_OK) {
    free(old_cut);
    sim->cuts++;
    return RIA_OK;
  }
  sim->self = old;
  sim->cut = old_cut;
  sim->at_once = waited;
  sim->stepped = stepped;
  sim->unforced = sim->unprepared = false;
  free(cut);
  if (s != RIA_ERR_MEMORY) return s;
  ria_error_clear(sim->ctx);
  return RIA_OK;
}

/* --- work ------------------------------------------------------------------------------------- */

typedef struct row_work {
  int nx;
  double dry, *work; /* [ny] */
} row_work;

static void count_row(void *user, int j0, int nj, const void *rows) {
  const row_work *w = user;
  const double *depth = rows;
  for (int r = 0; r < nj; r++) {
    int wet = 0;
    for (int i = 0; i < w->nx; i++) wet += depth[(size_t)r * (size_t)w->nx + (size_t)i] > w->dry;
    w->work[j0 + r] = wet + dry_share * (w->nx - wet);
  }
}

/* Rows of a part that took long for its work count for more. */
static void weigh(const ria_sim *sim, double *work) {
  for (int k = 0; k < sim->ctx->parts; k++) {
    const ria_part rows = ria_sim_part(sim, k);
    const double took = ria_parts_stepped(sim->self, k);
    double sum = 0;
    for (int j = rows.j0; j < rows.j1; j++) sum += work[j];
    for (int j = rows.j0; j < rows.j1 && took > 0; j++) work[j] *= took / sum;
  }
}

static ria_status work_of(ria_sim *sim, double **work) {
  row_work w = {sim->grid.nx, sim->dry, malloc((size_t)sim->grid.ny * sizeof *w.work)};
  *work = w.work;
  if (!w.work) return RIA_ERR_MEMORY;
  return ria_field_visit(sim, sim->roles.depth, false, RIA_F64, 1, count_row, &w);
}

/* The most work of a thread, of all work: parts lie one after another on equally many threads. */
static double most_of(const ria_sim *sim, const double *work, const int *cut, int lanes) {
  const int parts = sim->ctx->parts;
  double most = 0, all = 0;
  for (int lane = 0; lane < lanes; lane++) {
    double sum = 0;
    for (int j = cut[parts / lanes * lane]; j < cut[parts / lanes * (lane + 1)]; j++)
      sum += work[j];
    most = sum > most ? sum : most;
    all += sum;
  }
  return all > 0 ? most / all : 0;
}

/* As they are now. */
static void present_cut(const ria_sim *sim, int *cut) {
  const int parts = sim->ctx->parts;
  for (int k = 0; k < parts; k++) cut[k] = ria_sim_part(sim, k).j0;
  cut[parts] = sim->grid.ny;
}

/* By chance: tests ask for it, as no result may depend on cuts. */
static void cut_at_random(ria_sim *sim, double *work) {
  uint32_t seed = 2654435761u * (uint32_t)(sim->cuts + 1);
  for (int j = 0; j < sim->grid.ny; j++) {
    seed = seed * 1664525u + 1013904223u;
    work[j] = (seed >> 16) % 7 ? 1e-3 : 1.0;
  }
}

/* Is another cut worth it? */
static bool is_better(const ria_sim *sim, const double *work, const int *cut, const int *now) {
  const size_t bytes = ((size_t)sim->ctx->parts + 1) * sizeof *cut;
  const int lanes = ria_parts_at_once(sim->self);
  if (memcmp(cut, now, bytes) == 0) return false;
  if (sim->at.steps == 0 || sim->ctx->cuts == RIA_CUTS_OFTEN) return true;
  return most_of(sim, work, cut, lanes) < (1 - waits_much) * most_of(sim, work, now, lanes);
}

/* Is it time to look? Where parts step one after another nobody waits. */
static bool is_due(ria_sim *sim) {
  double wall = sim->at_once, stepped = sim->stepped;
  ria_parts_spent(sim->self, &wall, &stepped);
  if (sim->ctx->cuts == RIA_CUTS_OFTEN || sim->at.steps == 0) return true;
  const double since = wall - sim->looked_at_once, worked = stepped - sim->looked_stepped;
  const int lanes = ria_parts_at_once(sim->self);
  if (lanes == 1 || since < look_seconds) return false;
  sim->looked_at_once = wall;
  sim->looked_stepped = stepped;
  return worked < (1 - waits_much) * since * lanes;
}

static bool can(const ria_sim *sim) {
  return sim->ctx->parts > 1 && sim->ctx->cuts != RIA_CUTS_EVEN && sim->roles.depth &&
         sim->backend->kind == RIA_BACKEND_CPU && ria_parts_can_be_cut(sim->self);
}

ria_status ria_sim_balance(ria_sim *sim) {
  const size_t n = (size_t)sim->ctx->parts + 1;
  if (!can(sim) || !is_due(sim)) return RIA_OK;
  RIA_TRY(ria_batch_ready(sim)); /* the state is that of the present forcing */
  double *work = NULL;
  int *cut = malloc(2 * n * sizeof *cut);
  ria_status s = cut ? work_of(sim, &work) : RIA_ERR_MEMORY;
  bool better = false;
  if (s == RIA_OK) {
    present_cut(sim, cut + n);
    if (sim->at.steps > 0 && ria_parts_at_once(sim->self) > 1) weigh(sim, work);
    if (sim->ctx->cuts == RIA_CUTS_OFTEN) cut_at_random(sim, work);
    ria_part_cut_by(work, sim->grid.ny, sim->ctx->parts, cut);
    better = is_better(sim, work, cut, cut + n);
  }
  free(work);
  if (better) return cut_again(sim, cut);
  free(cut);
  if (s != RIA_ERR_MEMORY) return s;
  ria_error_clear(sim->ctx);
  return RIA_OK; /* goes on as it is */
}

int ria_sim_sharing(const ria_sim *sim, double *wall, double *stepped) {
  *wall = sim->at_once;
  *stepped = sim->stepped;
  ria_parts_spent(sim->self, wall, stepped);
  return ria_parts_at_once(sim->self);
}
