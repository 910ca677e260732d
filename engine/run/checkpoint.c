/* run/checkpoint.c - checkpoints (ria/checkpoint.h): the solver's state and the record of the run
 * (core/record.h) in a file of pieces (io/pieces.h). */
#include "base/context.h"
#include "base/ranks.h"
#include "base/text.h"
#include "core/params.h"
#include "core/sim.h"
#include "forcing/forcing.h"
#include "io/access.h"
#include "io/file.h"
#include "io/pieces.h"
#include "outputs/output.h"
#include "run/checkpoints.h"
#include "run/run.h"
#include <ria/checkpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What both runs must agree in before the first field is set. */
typedef struct identity {
  char solver[RIA_NAME_MAX];
  double grid[5];
  int32_t sizes[3]; /* nx, ny, precision */
  uint64_t params, tracers;
} identity;

/* Those that may vary in time are part of the forcing, which is compared by itself. */
static uint64_t sum_of_params(const ria_sim *sim) {
  uint64_t sum = 0;
  double v;
  for (const ria_param_info *p = sim->solver->params; p && p->name; p++)
    if (p->type != RIA_VARYING && ria_sim_param((ria_sim *)sim, p->name, &v) == RIA_OK)
      sum = ria_record_sum(sum, &v, sizeof v);
  return sum;
}

static uint64_t sum_of_tracers(const ria_sim *sim) {
  uint64_t sum = (uint64_t)sim->n_tracers;
  for (int k = 0; k < sim->n_tracers; k++) {
    const ria_tracer *t = &sim->tracers[k];
    const double v[] = {t->decay, t->diffusion};
    sum = ria_record_sum(sum, t->name, strlen(t->name));
    sum = ria_record_sum(sum, t->unit, strlen(t->unit));
    sum = ria_record_sum(sum, v, sizeof v);
  }
  return sum;
}

static identity identity_of(const ria_sim *sim) {
  const ria_grid *g = &sim->grid;
  identity id;
  memset(&id, 0, sizeof id);
  strncpy(id.solver, sim->solver->name, sizeof id.solver - 1);
  memcpy(id.grid, (double[]){g->x0, g->y0, g->dx, g->dy, g->angle}, sizeof id.grid);
  memcpy(id.sizes, (int32_t[]){g->nx, g->ny, sim->real}, sizeof id.sizes);
  id.params = sum_of_params(sim);
  id.tracers = sum_of_tracers(sim);
  return id;
}

static const char *first_difference(const identity *a, const identity *b) {
  if (strcmp(a->solver, b->solver) != 0) return "another solver";
  if (memcmp(a->grid, b->grid, sizeof a->grid) != 0 ||
      memcmp(a->sizes, b->sizes, 2 * sizeof a->sizes[0]) != 0)
    return "another grid";
  if (a->sizes[2] != b->sizes[2]) return "another precision";
  if (a->params != b->params) return "other parameters";
  return a->tracers != b->tracers ? "other tracers" : NULL;
}

ria_status ria_sim_record(ria_sim *sim) {
  if (sim->started)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "the record of a run begins before it is started");
  sim->record.wanted = true;
  return RIA_OK;
}

/* --- taking one ------------------------------------------------------------------------------- */

typedef struct saving {
  ria_pieces_out out;
  ria_sim *sim;
} saving;

static ria_status save_item(void *user, const ria_state_item *item) {
  saving *s = user;
  char err[RIA_ERR_TEXT];
  const ria_status status = ria_pieces_put(&s->out, item, err, sizeof err);
  return status == RIA_OK ? status : ria_fail(s->sim->ctx, status, "checkpoint: %s", err);
}

ria_status ria_checkpoint_store(ria_zarr *store, int64_t frames, size_t k, ria_item_fn visit,
                                void *user) {
  const size_t n = 1 + (size_t)frames;
  char name[RIA_PIECE_NAME];
  int64_t *chunks = malloc(n * sizeof *chunks);
  if (!chunks) return RIA_ERR_MEMORY;
  ria_zarr_count(store, frames, chunks);
  snprintf(name, sizeof name, "Store.%zu", k);
  const ria_status status =
      visit(user, &(ria_state_item){name, RIA_STATE_I64, .rank = 1, .shape = {n}, chunks});
  free(chunks);
  return status;
}

static ria_status save_stores(saving *s) {
  const size_t n = ria_saves_stores(s->sim, NULL, 0);
  ria_zarr **stores = calloc(n + 1, sizeof *stores);
  if (!stores) return ria_fail_memory(s->sim->ctx, "a checkpoint", n * sizeof *stores);
  ria_saves_stores(s->sim, stores, n);
  ria_status status = RIA_OK;
  for (size_t k = 0; status == RIA_OK && k < n; k++)
    if (stores[k])
      status = ria_checkpoint_store(stores[k], ria_zarr_frames(stores[k]), k, save_item, s);
  free(stores);
  return status == RIA_ERR_MEMORY ? ria_fail_memory(s->sim->ctx, "a checkpoint", n) : status;
}

/* Names of the engine's own pieces begin with a capital, which those of a state do not. */
ria_status ria_checkpoint_visit(ria_sim *sim, const ria_state_walk *walk) {
  identity id = identity_of(sim);
  RIA_TRY(walk->visit(walk->user, &(ria_state_item){"Identity", RIA_STATE_TEXT, .rank = 1,
                                                    .shape = {sizeof id}, &id}));
  RIA_TRY(walk->visit(walk->user, &(ria_state_item){"Record", RIA_STATE_TEXT, .rank = 1,
                                                    .shape = {sim->record.n}, sim->record.v}));
  RIA_TRY(ria_notes_save(sim, walk));
  return ria_sim_state(sim, walk);
}

ria_status ria_checkpoint_can(ria_sim *sim) {
  ria_context *ctx = sim->ctx;
  if (sim->started ? !sim->record.on : !sim->record.wanted)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "a checkpoint needs the record of the run: ask for it before the run starts "
                    "(ria_sim_record)");
  if (ctx->ranks && sim->record.rooted)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "a run in ranks takes no checkpoint while progress is told, which is on rank 0 "
                    "alone: take it in an event, or ask for some by wall time");
  if (sim->record.too_large)
    return ria_fail(
        ctx, RIA_ERR_ARGUMENT,
        "no checkpoint can be taken: the run has read whole fields so often that its "
        "record would be larger than %d MiB (ask for statistics or single cells instead)",
        RIA_RECORD_MOST >> 20);
  if (!sim->ops->state)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "solver '%s' cannot name its state", sim->solver->name);
  if (sim->started && !sim->failed) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "a run that %s has no state to save",
                  sim->failed ? "failed" : "was not started");
}

static ria_status begin_file(saving *s, const char *path) {
  char err[RIA_ERR_TEXT];
  RIA_TRY(ria_may_write(s->sim->ctx, path));
  const ria_status status = ria_pieces_create(&s->out, path, err, sizeof err);
  if (status != RIA_OK) return ria_fail(s->sim->ctx, status, "checkpoint: %s", err);
  return save_stores(s);
}

static ria_status end_file(saving *s, ria_status status) {
  char err[RIA_ERR_TEXT];
  const bool told = status != RIA_OK;
  status = ria_pieces_close(&s->out, status, err, sizeof err);
  return status == RIA_OK || told ? status : ria_fail(s->sim->ctx, status, "checkpoint: %s", err);
}

ria_status ria_checkpoint_put(ria_sim *sim, ria_status s, const char *path) {
  saving to = {.sim = sim};
  if (s == RIA_OK && ria_ranks_write(sim->ctx)) s = begin_file(&to, path);
  s = ria_checkpoint_walk(sim, s, &(ria_state_walk){.visit = save_item, .user = &to});
  return ria_ranks_wrote(sim->ctx, end_file(&to, s));
}

ria_status ria_sim_checkpoint(ria_sim *sim, const char *path) {
  bool done = false;
  if (!path) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a checkpoint needs the name of a file");
  const ria_status can = ria_checkpoint_can(sim); /* rank 0 has the record */
  RIA_TRY(sim->record.rooted ? can : ria_ranks_wrote(sim->ctx, can));
  RIA_TRY(ria_sim_settle(sim));
  RIA_TRY(ria_forcing_sync(sim)); /* as ria_sim_state does: now, so that it is in the record */
  RIA_TRY(ria_record_saved(sim, &done));
  if (done) return RIA_OK;
  ria_status s = ria_outputs_settle(sim); /* it must not claim what is not on disk */
  s = ria_checkpoint_put(sim, s, path);
  if (s != RIA_OK) ria_record_unsave(sim);
  return s;
}

/* --- going on --------------------------------------------------------------------------------- */

typedef struct restoring {
  ria_pieces_in in;
  ria_sim *sim;
} restoring;

/* A byte that is neither is no bool, to look at it even is undefined: it becomes false. */
static bool are_bools(unsigned char *v, size_t n) {
  bool are = true;
  for (size_t k = 0; k < n; k++) {
    if (v[k] <= 1) continue;
    v[k] = 0;
    are = false;
  }
  return are;
}

static ria_status read_item(restoring *r, const ria_state_item *item) {
  char err[RIA_ERR_TEXT];
  ria_piece p;
  ria_status s = ria_pieces_find(&r->in, item->name, &p, err, sizeof err);
  if (s == RIA_OK && (p.type != (uint32_t)item->type || p.bytes != ria_state_bytes(item)))
    return ria_fail(r->sim->ctx, RIA_ERR_INPUT,
                    "checkpoint '%s': '%s' has %llu bytes, and this run %zu: it is of another run",
                    r->in.path, item->name, (unsigned long long)p.bytes, ria_state_bytes(item));
  if (s == RIA_OK) s = ria_pieces_read(&r->in, &p, item->data, err, sizeof err);
  if (s == RIA_OK && item->type == RIA_STATE_BOOL && !are_bools(item->data, (size_t)p.bytes))
    return ria_fail(r->sim->ctx, RIA_ERR_INPUT, "checkpoint '%s': '%s' is neither true nor false",
                    r->in.path, item->name);
  return s == RIA_OK ? s : ria_fail(r->sim->ctx, s, "checkpoint: %s", err);
}

static ria_status restore_item(void *user, const ria_state_item *item) {
  restoring *r = user;
  const ria_status s = r->in.file ? read_item(r, item) : RIA_OK;
  return ria_checkpoint_share_item(r->sim, s, item);
}

/* The record is at its end: the solver, which took no step, gets the forcing that holds now and its
 * state. That is no part of the record. */
static ria_status resume(ria_sim *sim, void *user) {
  restoring *r = user;
  const bool on = sim->record.on;
  const uint64_t edits = sim->edits; /* which state gauges have sampled: this one */
  const ria_progress at = sim->at;
  const ria_state_walk walk = {.restores = true, .visit = restore_item, .user = r};
  sim->record.on = false;
  sim->unforced = true;
  const ria_status s = ria_sim_state(sim, &walk);
  sim->record.on = on;
  sim->edits = edits;
  ria_pieces_shut(&r->in);
  if (s != RIA_OK) return s;
  if (sim->at.steps == at.steps && sim->at.t == at.t) return ria_checkpoints_resume(sim);
  return ria_fail(sim->ctx, RIA_ERR_INPUT,
                  "the checkpoint's state is of step %lld, and its record of step %lld",
                  (long long)sim->at.steps, (long long)at.steps);
}

static ria_status read_own(restoring *r, const char *name, void **data, size_t *n) {
  char err[RIA_ERR_TEXT];
  ria_piece p;
  ria_status s = ria_pieces_find(&r->in, name, &p, err, sizeof err);
  if (s != RIA_OK) return ria_fail(r->sim->ctx, s, "checkpoint: %s", err);
  *n = (size_t)p.bytes;
  *data = malloc(*n + 1);
  if (!*data) return ria_fail_memory(r->sim->ctx, "a checkpoint", *n);
  s = ria_pieces_read(&r->in, &p, *data, err, sizeof err);
  return s == RIA_OK ? s : ria_fail(r->sim->ctx, s, "checkpoint: %s", err);
}

/* *data is to be freed in any case. */
static ria_status read_piece(restoring *r, const char *name, void **data, size_t *n) {
  const ria_status s = r->in.file ? read_own(r, name, data, n) : RIA_OK;
  return ria_checkpoint_share(r->sim, s, data, n);
}

static ria_status check_identity(restoring *r) {
  const identity own = identity_of(r->sim);
  void *data = NULL;
  size_t n = 0;
  ria_status s = read_piece(r, "Identity", &data, &n);
  identity was;
  const char *what = "another version of ria";
  if (s == RIA_OK && n == sizeof was) {
    memcpy(&was, data, sizeof was);
    what = first_difference(&was, &own);
  }
  free(data);
  if (s != RIA_OK || !what) return s;
  return ria_fail(r->sim->ctx, RIA_ERR_INPUT,
                  "checkpoint '%s' is of a run with %s: start this one from its beginning "
                  "(overwrite = true; ria run --overwrite)",
                  r->sim->keeping->from, what);
}

static ria_status take_record(restoring *r) {
  ria_record *record = &r->sim->record;
  void *data = NULL;
  size_t n = 0;
  RIA_TRY(check_identity(r));
  const ria_status s = read_piece(r, "Record", &data, &n);
  if (s != RIA_OK) {
    free(data);
    return s;
  }
  if (n < record->n || (record->n && memcmp(data, record->v, record->n) != 0)) {
    free(data);
    return ria_fail(r->sim->ctx, RIA_ERR_INPUT,
                    "checkpoint '%s' is of a run that was set up otherwise: a field or a boundary "
                    "differs: put back what it was, or start again (overwrite = true; ria run "
                    "--overwrite)",
                    r->sim->keeping->from);
  }
  free(record->v);
  *record = (ria_record){.on = true,
                         .wanted = true,
                         .replays = true,
                         .passes = !ria_ranks_write(r->sim->ctx),
                         .steps = -1,
                         .at = record->n,
                         .v = data,
                         .n = n,
                         .room = n + 1,
                         .resume = resume,
                         .user = r};
  return RIA_OK;
}

static ria_status check_unstarted(ria_sim *sim) {
  if (!sim->started && !sim->record.replays) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "a simulation goes on from a checkpoint before it was started");
}

static ria_status keep_name(ria_sim *sim, const char *path) {
  free(sim->keeping->from);
  sim->keeping->from = ria_strdup(path);
  return sim->keeping->from ? RIA_OK : ria_fail_memory(sim->ctx, "a path", strlen(path));
}

/* Rank 0 reads the file for all. */
static ria_status open_file(restoring *r, const char *path) {
  char err[RIA_ERR_TEXT];
  if (!ria_ranks_write(r->sim->ctx)) return RIA_OK;
  const ria_status s = ria_pieces_open(&r->in, r->sim->ctx, path, err, sizeof err);
  if (s != RIA_OK) return ria_fail(r->sim->ctx, s, "checkpoint: %s", err);
  return ria_notes_read(r->sim, &r->in);
}

static ria_status share_notes(ria_sim *sim, ria_status s) {
  void *all = NULL;
  size_t n = 0;
  if (!sim->ctx->ranks) return s;
  if (s == RIA_OK && ria_ranks_write(sim->ctx)) s = ria_notes_pack(sim, &all, &n);
  s = ria_checkpoint_share(sim, s, &all, &n);
  if (s == RIA_OK && !ria_ranks_write(sim->ctx)) s = ria_notes_take(sim, all, n);
  free(all);
  return s;
}

ria_status ria_sim_restore(ria_sim *sim, const char *path) {
  RIA_TRY(check_unstarted(sim));
  if (!path) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a checkpoint needs the name of a file");
  restoring *r = calloc(1, sizeof *r);
  if (!r) return ria_fail_memory(sim->ctx, "a checkpoint", sizeof *r);
  r->sim = sim;
  ria_status s = share_notes(sim, open_file(r, path));
  if (s == RIA_OK) s = keep_name(sim, path);
  if (s == RIA_OK) s = take_record(r);
  if (s == RIA_OK) {
    ria_keeping *k = sim->keeping; /* made for the notes */
    k->continues = ria_record_last(&sim->record, &k->from_t, &k->from_steps);
    return RIA_OK;
  }
  ria_pieces_shut(&r->in);
  free(r);
  return s;
}

bool ria_sim_continues(const ria_sim *sim, double *t, int64_t *steps) {
  const ria_keeping *k = sim->keeping;
  if (!k || !k->continues) return false;
  if (t) *t = k->from_t;
  if (steps) *steps = k->from_steps;
  return true;
}

bool ria_sim_restoring(const ria_sim *sim) { return sim->record.replays; }

/* The file stays open while a run is repeated. */
void ria_checkpoint_free(ria_sim *sim) {
  restoring *r = sim->record.user;
  if (r) ria_pieces_shut(&r->in);
  free(r);
  ria_record_free(sim);
}
