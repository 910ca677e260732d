/* run/balance.c - a grid in parts is cut by work, and cut again when the work has moved.
 *
 * The work of a row is its wet cells and a share of its dry ones, times how long the part that has
 * it took for its work since the last look. A grid is cut before the first step by what is wet
 * then. Later on it is looked at between batches, once a second at most, and cut again where
 * threads or ranks wait for each other and other cuts would spare a tenth of that: new parts are
 * made, the state is handed over to them (ria/state.h), and the old parts are freed. The cuts show
 * in no bit of the results. */
#include "base/clock.h"
#include "base/context.h"
#include "base/grid.h"
#include <ria/comm.h>
#include "core/sim.h"
#include "forcing/forcing.h"
#include "parts/parts.h"
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

static const double dry_share = 0.1;    /* of the work of a wet cell, that of a dry one */
static const double look_seconds = 1.0; /* of stepping, between two looks */
static const double waits_much = 0.1;   /* of the time, what makes another cut worth looking for */

/* --- other cuts ------------------------------------------------------------------------------- */

/* The forcing of the old parts. When cuts move is the clock's to say: the record has no trace of
 * it. */
static ria_status force_again(ria_sim *sim) {
  const bool on = sim->record.on;
  sim->unforced = true;
  sim->record.on = false;
  const ria_status s = ria_forcing_sync(sim);
  sim->record.on = on;
  return s;
}

/* New parts that go on where the old ones are. */
static ria_status take_over(ria_sim *sim, void *old) {
  RIA_TRY(ria_sim_make_state(sim));
  RIA_TRY(force_again(sim));
  for (size_t k = 0; k < sim->n_fields; k++)
    if (sim->fields[k].tracked)
      RIA_TRY(sim->ops->track(sim->self, sim->fields[k].index, sim->fields[k].tracer));
  if (sim->n_sums) RIA_TRY(sim->ops->sums(sim->self, sim->n_sums));
  RIA_TRY(ria_parts_take_over(sim->self, old));
  sim->unprepared = false; /* as the old ones were: to prepare again is not the same to the bit */
  return RIA_OK;
}

/* Where memory is short the old parts go on; ranks cannot be sure of each other then, and end.
 * cut[parts + 1] is the simulation's then. */
static ria_status cut_again(ria_sim *sim, int *cut) {
  void *const old = sim->self;
  int *const old_cut = sim->cut;
  const double waited = sim->at_once, stepped = sim->stepped;
  ria_parts_spent(old, &sim->at_once, &sim->stepped);
  sim->cut = cut;
  const ria_status s = take_over(sim, old);
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
  if (s != RIA_ERR_MEMORY || sim->ctx->ranks) return s;
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

/* Wall s that a part stepped since the last look. */
static double took_of_late(const ria_sim *sim, int k) {
  return sim->took[k] - sim->took[sim->ctx->parts + k];
}

/* Rows of a part that took long for its work count for more. */
static void weigh(const ria_sim *sim, double *work) {
  for (int k = 0; k < sim->ctx->parts; k++) {
    const ria_part rows = ria_sim_part(sim, k);
    const double took = took_of_late(sim, k);
    double sum = 0;
    for (int j = rows.j0; j < rows.j1; j++) sum += work[j];
    for (int j = rows.j0; j < rows.j1 && took > 0; j++) work[j] *= took / sum;
  }
}

static ria_status work_of(ria_sim *sim, double **work) {
  row_work w = {sim->grid.nx, sim->dry, malloc((size_t)sim->grid.ny * sizeof *w.work)};
  *work = w.work;
  if (!w.work) return ria_fail_memory(sim->ctx, "rows", (size_t)sim->grid.ny * sizeof *w.work);
  return ria_field_visit(sim, sim->roles.depth, false, RIA_F64, 1, count_row, &w);
}

/* How many step at once: ranks, or threads of this one. Parts lie one after another on them, and
 * this is the first part of the k-th. */
static int at_once(const ria_sim *sim) {
  const int ranks = ria_context_ranks(sim->ctx);
  return ranks > 1 ? ranks : ria_parts_at_once(sim->self);
}

static int first_of(const ria_sim *sim, int k) {
  return (int)((int64_t)sim->ctx->parts * k / at_once(sim));
}

/* The most work of one of them, of all work. */
static double most_of(const ria_sim *sim, const double *work, const int *cut) {
  double most = 0, all = 0;
  for (int k = 0; k < at_once(sim); k++) {
    double sum = 0;
    for (int j = cut[first_of(sim, k)]; j < cut[first_of(sim, k + 1)]; j++) sum += work[j];
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
  if (memcmp(cut, now, bytes) == 0) return false;
  if (sim->at.steps == 0 || sim->ctx->cuts == RIA_CUTS_OFTEN) return true;
  return most_of(sim, work, cut) < (1 - waits_much) * most_of(sim, work, now);
}

/* Of threads of this process since the last look: the wall s that passed, and did they wait for
 * each other? */
static double threads_wait(const ria_sim *sim, bool *wait) {
  double wall = sim->at_once, stepped = sim->stepped;
  ria_parts_spent(sim->self, &wall, &stepped);
  const double since = wall - sim->looked_at_once, worked = stepped - sim->looked_stepped;
  const int lanes = ria_parts_at_once(sim->self);
  *wait = worked < (1 - waits_much) * since * lanes;
  return lanes > 1 ? since : 0;
}

/* The same of ranks. All have the same numbers, and come to the same answer. */
static double ranks_wait(const ria_sim *sim, bool *wait) {
  const int ranks = at_once(sim);
  double most = 0, all = 0;
  for (int rank = 0; rank < ranks; rank++) {
    double sum = 0;
    for (int k = first_of(sim, rank); k < first_of(sim, rank + 1); k++) sum += took_of_late(sim, k);
    most = sum > most ? sum : most;
    all += sum;
  }
  *wait = all < (1 - waits_much) * most * ranks;
  return most;
}

/* What later looks count from. */
static void note_look(ria_sim *sim) {
  const size_t parts = (size_t)sim->ctx->parts;
  memcpy(sim->took + parts, sim->took, parts * sizeof *sim->took);
  sim->looked_at_once = sim->at_once;
  sim->looked_stepped = sim->stepped;
  ria_parts_spent(sim->self, &sim->looked_at_once, &sim->looked_stepped);
}

/* Is another cut to be sought? Where parts step one after another nobody waits. */
static bool is_due(ria_sim *sim) {
  bool wait = false;
  if (sim->ctx->cuts == RIA_CUTS_OFTEN || sim->at.steps == 0) return true;
  const double since = sim->ctx->ranks ? ranks_wait(sim, &wait) : threads_wait(sim, &wait);
  if (since < look_seconds) return false;
  if (!wait) note_look(sim);
  return wait;
}

/* May it be time for that? Ranks go by the clock of the first, and need not ask each other. */
static bool may_be_due(ria_sim *sim) {
  if (sim->ctx->cuts == RIA_CUTS_OFTEN || sim->at.steps == 0 || !sim->ctx->ranks) return true;
  if (!sim->run.looks) return false;
  sim->look_from = ria_wall_clock() + look_seconds;
  return true;
}

static ria_status take_times(ria_sim *sim) {
  const size_t n = (size_t)sim->ctx->parts;
  if (!sim->took) sim->took = calloc(2 * n, sizeof *sim->took);
  if (!sim->took) return ria_fail_memory(sim->ctx, "parts", 2 * n * sizeof *sim->took);
  return ria_parts_took(sim->self, sim->took);
}

static bool can(const ria_sim *sim) {
  return sim->ctx->parts > 1 && sim->ctx->cuts != RIA_CUTS_EVEN && sim->roles.depth &&
         sim->backend->kind == RIA_BACKEND_CPU && ria_parts_can_be_cut(sim->self);
}

/* cut[0 .. parts]: where work asks for cuts; cut[parts + 1 ..]: as they are. */
static ria_status find_cut(ria_sim *sim, int *cut, bool *better) {
  const int parts = sim->ctx->parts;
  double *work = NULL;
  ria_status s = work_of(sim, &work);
  if (s == RIA_OK) {
    present_cut(sim, cut + parts + 1);
    if (sim->at.steps > 0 && at_once(sim) > 1) weigh(sim, work);
    if (sim->ctx->cuts == RIA_CUTS_OFTEN) cut_at_random(sim, work);
    ria_part_cut_by(work, sim->grid.ny, parts, cut);
    *better = is_better(sim, work, cut, cut + parts + 1);
  }
  free(work);
  return s;
}

static ria_status balance(ria_sim *sim) {
  if (!may_be_due(sim)) return RIA_OK;
  RIA_TRY(take_times(sim));
  if (!is_due(sim)) return RIA_OK;
  RIA_TRY(ria_batch_ready(sim)); /* the state is that of the present forcing */
  const size_t n = (size_t)sim->ctx->parts + 1;
  int *cut = malloc(2 * n * sizeof *cut);
  bool better = false;
  ria_status s =
      cut ? find_cut(sim, cut, &better) : ria_fail_memory(sim->ctx, "parts", 2 * n * sizeof *cut);
  note_look(sim);
  if (s == RIA_OK && better) {
    memset(sim->took, 0, 2 * (n - 1) * sizeof *sim->took);
    return cut_again(sim, cut);
  }
  free(cut);
  return s;
}

/* A process that is short of memory goes on as it is; ranks do not know that of each other. */
ria_status ria_sim_balance(ria_sim *sim) {
  if (sim->record.replays || !can(sim)) return RIA_OK;
  const ria_status s = balance(sim);
  if (s != RIA_ERR_MEMORY || sim->ctx->ranks) return s;
  ria_error_clear(sim->ctx);
  return RIA_OK;
}

bool ria_sim_part_told(const ria_sim *sim, int k, double *stepped, double *waited) {
  return ria_parts_told(sim->self, k, stepped, waited);
}

int ria_sim_sharing(const ria_sim *sim, double *wall, double *stepped) {
  *wall = sim->at_once;
  *stepped = sim->stepped;
  ria_parts_spent(sim->self, wall, stepped);
  return ria_parts_at_once(sim->self);
}
