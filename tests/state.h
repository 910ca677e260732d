/* state.h - the state of a simulation's solver by name (ria/state.h): kept, compared, and handed
 * over to a solver that was just made.
 *
 * state_test: runs that are handed over again and again on their way tell the same, to the bit, as
 * runs that are not; and each item is needed: left out, it shows in some scene. */
#ifndef TEST_STATE_H
#define TEST_STATE_H
#include "base/context.h"
#include "forcing/forcing.h"
#include "run/run.h"
#include "device.h"
#include "test.h"
#include <ria/checkpoint.h>
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What planes keep at the cells of the sides: for radiating ones, and for solvers of flow. */
#define STATE_KEPT(side) "crossed." side ".kept", "crossed." side ".kept2"
#define STATE_RADIATES                                                                             \
  STATE_KEPT("west"), STATE_KEPT("east"), STATE_KEPT("south"), STATE_KEPT("north")
#define STATE_RIM                                                                                  \
  STATE_RADIATES, "crossed.west.owed", "crossed.east.owed", "crossed.south.owed",                  \
      "crossed.north.owed"

enum { KEPT_MOST = 640 };
typedef struct kept_item {
  char name[64];
  ria_state_item item; /* data is its own */
} kept_item;

typedef struct kept {
  int n;
  kept_item of[KEPT_MOST];
  const char *without; /* restoring leaves this one as it is */
} kept;

TEST_UNUSED static void kept_free(kept *k) {
  for (int i = 0; i < k->n; i++) free(k->of[i].item.data);
  k->n = 0;
}

static kept_item *kept_find(kept *k, const char *name) {
  for (int i = 0; i < k->n; i++)
    if (strcmp(k->of[i].name, name) == 0) return &k->of[i];
  return NULL;
}

static bool is_name(const char *name) {
  size_t n = strlen(name);
  for (size_t k = 0; k < n; k++)
    if (!islower((unsigned char)name[k]) && !isdigit((unsigned char)name[k]) &&
        !strchr("_.", name[k]))
      return false;
  return n > 0 && n < sizeof((kept_item *)0)->name;
}

static ria_status keep_item(void *user, const ria_state_item *item) {
  kept *k = user;
  CHECK(is_name(item->name));
  CHECK(!kept_find(k, item->name)); /* each once */
  CHECK(item->rank >= 0 && item->rank <= RIA_STATE_RANK);
  if (k->n == KEPT_MOST) abort();
  kept_item *to = &k->of[k->n++];
  snprintf(to->name, sizeof to->name, "%s", item->name);
  to->item = *item;
  to->item.name = to->name;
  const size_t bytes = ria_state_bytes(item);
  to->item.data = malloc(bytes + 1);
  if (!to->item.data) abort();
  if (bytes) memcpy(to->item.data, item->data, bytes);
  return RIA_OK;
}

static ria_status put_item(void *user, const ria_state_item *item) {
  kept *k = user;
  const kept_item *from = kept_find(k, item->name);
  if (!CHECK(from)) return RIA_ERR_ARGUMENT;
  CHECK_INT(item->type, from->item.type);
  CHECK_INT(item->rank, from->item.rank);
  if (!CHECK_INT(ria_state_bytes(item), ria_state_bytes(&from->item))) return RIA_ERR_ARGUMENT;
  if (k->without && strcmp(k->without, item->name) == 0) return RIA_OK;
  if (ria_state_bytes(item)) memcpy(item->data, from->item.data, ria_state_bytes(item));
  return RIA_OK;
}

TEST_UNUSED static kept state_keep(ria_sim *sim) {
  kept k = {0};
  CHECK_OK(
      ria_sim_context(sim),
      ria_sim_state(sim, &(ria_state_walk){.restores = false, .visit = keep_item, .user = &k}));
  return k;
}

TEST_UNUSED static bool state_put(ria_sim *sim, kept *k) {
  return CHECK_OK(
      ria_sim_context(sim),
      ria_sim_state(sim, &(ria_state_walk){.restores = true, .visit = put_item, .user = k}));
}

static bool item_same(const ria_state_item *a, const ria_state_item *b) {
  if (a->type != b->type || a->rank != b->rank) return false;
  for (int k = 0; k < a->rank; k++)
    if (a->shape[k] != b->shape[k]) return false;
  if (a->type == RIA_STATE_TEXT) return strcmp(a->data, b->data) == 0;
  return memcmp(a->data, b->data, ria_state_bytes(a)) == 0;
}

/* The same items with the same bits; says where not. */
static bool state_same_but(kept *a, kept *b, const char *what, const char *const *but) {
  bool same = CHECK_INT(a->n, b->n);
  for (int k = 0; k < a->n; k++) {
    const kept_item *other = kept_find(b, a->of[k].name);
    bool may_differ = false;
    for (int m = 0; but && but[m]; m++) may_differ |= strcmp(but[m], a->of[k].name) == 0;
    if (other && (may_differ ? ria_state_bytes(&a->of[k].item) == ria_state_bytes(&other->item)
                             : item_same(&a->of[k].item, &other->item)))
      continue;
    fprintf(stderr, "%s: item %s of the state differs\n", what, a->of[k].name);
    same = false;
  }
  return CHECK(same);
}
TEST_UNUSED static bool state_same(kept *a, kept *b, const char *what) {
  return state_same_but(a, b, what, NULL);
}

/* Where parts of a grid are: RIA_TEST_SEVERAL names two GPUs, or "cuda:0,0". */
TEST_UNUSED static const char *state_device(void) {
  return test_setting("RIA_TEST_SEVERAL", test_setting("RIA_TEST_DEVICE", "cpu"));
}
static bool state_on_gpu(void) { return strncmp(state_device(), "cuda", 4) == 0; }

/* On a GPU what is counted by tile or by part lies where tiles and parts begin. */
static const char *const *state_by_cut(void) {
  static const char *const items[] = {"tiles.rows",    "decayed.tiles", "added",  "added.by_host",
                                      "deposit.tiles", "deposit.last",  "strata", NULL};
  return state_on_gpu() ? items : NULL;
}

/* The grid of a new state is cut into another number of parts each time: 1 to 7, each GPU has one.
 */
static bool state_recuts;
static void state_recut(ria_sim *sim) {
  const int most = sim->grid.ny < 7 ? sim->grid.ny : 7;
  const int fewest = sim->backend->of_part ? 2 : 1;
  const bool cuda = sim->backend->kind == RIA_BACKEND_CUDA;
  sim->ctx->parts = fewest + (sim->ctx->parts + 2) % (most - fewest + 1);
  free(sim->cut); /* of other parts */
  free(sim->took);
  sim->cut = NULL;
  sim->took = NULL;
  sim->whole_ops =
      ria_solver_ops_whole(cuda ? sim->solver->cuda : sim->solver->cpu, sim->backend->kind);
}

/* In place of the solver's state a new one, which knows nothing yet. */
static bool state_forget(ria_sim *sim) {
  ria_context *ctx = ria_sim_context(sim);
  sim->ops->destroy(sim->self);
  sim->self = NULL;
  if (state_recuts) state_recut(sim);
  if (!CHECK_OK(ctx, ria_sim_make_state(sim))) return false;
  sim->unforced = true;
  if (!CHECK_OK(ctx, ria_forcing_sync(sim))) return false;
  for (size_t k = 0; k < sim->n_fields; k++)
    if (sim->fields[k].tracked)
      CHECK_OK(ctx, sim->ops->track(sim->self, sim->fields[k].index, sim->fields[k].tracer));
  if (sim->n_sums) CHECK_OK(ctx, sim->ops->sums(sim->self, sim->n_sums));
  return true;
}

/* Hand the state over to a new solver, but for the item `without` (NULL: all of it). */
TEST_UNUSED static void state_swap(ria_sim *sim, const char *without) {
  kept before = state_keep(sim);
  before.without = without;
  if (!state_forget(sim)) exit(1);
  const bool held = state_put(sim, &before);
  before.without = NULL;
  if (!held && !(without && state_forget(sim) && state_put(sim, &before))) exit(1);
  if (!without) {
    kept after = state_keep(sim);
    state_same_but(&before, &after, "handed over", state_recuts ? state_by_cut() : NULL);
    kept_free(&after);
  }
  kept_free(&before);
}

/* --- runs that are handed over ---------------------------------------------------------------- */

/* All that a simulation tells, in a row. */
typedef struct told {
  int ny;
  size_t n, totals, sums; /* numbers; where totals begin, and how many quantities have them */
  double *v;
  ria_progress at;
} told;

static double *told_more(told *t, size_t n) {
  t->v = realloc(t->v, (t->n + n + 1) * sizeof *t->v);
  if (!t->v) abort();
  t->n += n;
  return t->v + t->n - n;
}

static told told_take(ria_sim *sim) {
  ria_context *ctx = ria_sim_context(sim);
  const size_t cells = (size_t)sim->grid.nx * (size_t)sim->grid.ny;
  const size_t nq = (size_t)sim->n_quantities, flux = sim->forcing->n * nq;
  told t = {.ny = sim->grid.ny, .at = sim->at};
  for (size_t k = 0; k < sim->n_fields; k++)
    for (int max = 0; max <= sim->fields[k].tracked; max++)
      CHECK_OK(ctx, ria_field_read(sim, &sim->fields[k], max, RIA_F64, told_more(&t, cells)));
  for (int k = 0; k < sim->n_sums; k++)
    CHECK_OK(ctx, sim->ops->read(sim->self, -1 - k, -1, false, 0, sim->grid.ny, RIA_F64,
                                 told_more(&t, cells)));
  ria_quantity_totals totals[RIA_QUANTITIES];
  t.totals = t.n;
  t.sums = nq;
  CHECK_OK(ctx, sim->ops->totals(sim->self, totals));
  memcpy(told_more(&t, 3 * nq), totals, 3 * nq * sizeof *t.v);
  double *in = told_more(&t, 2 * flux);
  CHECK_OK(ctx, sim->ops->fluxes(sim->self, (int)sim->forcing->n, in, in + flux));
  return t;
}

static bool same_progress(const ria_progress *a, const ria_progress *b) {
  return a->t == b->t && a->steps == b->steps && a->dt == b->dt && a->dt_min == b->dt_min &&
         a->dt_min_t == b->dt_min_t && a->dt_min_i == b->dt_min_i && a->dt_min_j == b->dt_min_j &&
         !strcmp(a->dt_min_cause, b->dt_min_cause) && !strcmp(a->warning, b->warning);
}

static bool told_same(const told *a, const told *b) {
  return a->n == b->n && memcmp(a->v, b->v, a->n * sizeof *a->v) == 0 &&
         same_progress(&a->at, &b->at);
}

/* On a GPU what sources gave, what decayed and what went down is counted by tile and by part: it is
 * summed in another order where cuts lie otherwise. Those of b become a's if they are that near. */
static void take_sums(const told *a, told *b) {
  double most = 0;
  for (size_t k = a->totals; k < a->totals + 3 * a->sums; k++) most = fmax(most, fabs(a->v[k]));
  for (size_t k = a->totals; k < a->totals + 3 * a->sums && k < b->n; k++)
    if (fabs(a->v[k] - b->v[k]) <= 1e-12 * most) b->v[k] = a->v[k];
}

/* Scenes by number. between: called every so many steps of `run`. */
typedef struct state_scenes {
  ria_sim *(*make)(uint64_t seed);
  void (*run)(ria_sim *sim, uint64_t seed, int apart, void (*between)(ria_sim *sim));
  void (*end)(ria_sim *sim);
  int n;                   /* of the list below */
  uint64_t (*seed)(int k); /* k-th number */
  /* Parts that the grid is cut into as well, at most, on state_device; 0 = none. NULL: no scene's
   * is. */
  int (*parts)(uint64_t seed);
} state_scenes;

/* n steps; `between` after every `apart` of them. */
TEST_UNUSED static void state_steps(ria_sim *sim, int64_t n, int apart,
                                    void (*between)(ria_sim *sim)) {
  for (int64_t now = 0; n > 0; n -= now) {
    now = apart < n ? apart : n;
    if (!CHECK_OK(ria_sim_context(sim), ria_sim_step(sim, now))) return;
    between(sim);
  }
}

typedef struct ending {
  told told;
  kept state;
} ending;

static void ending_free(ending *e) {
  free(e->told.v);
  kept_free(&e->state);
}

static const char *state_left_out;
static void state_hand_over(ria_sim *sim) { state_swap(sim, state_left_out); }

static void state_keep_on(ria_sim *sim) { (void)sim; }

static ending state_run(const state_scenes *scenes, uint64_t seed, int apart, bool hands_over) {
  ria_sim *sim = scenes->make(seed);
  scenes->run(sim, seed, apart, hands_over ? state_hand_over : state_keep_on);
  const ending e = {told_take(sim), state_keep(sim)};
  scenes->end(sim);
  return e;
}

/* So has one whose grid is cut, once into as many parts, and once handed over to other numbers of
 * them and to none: its state is that of the whole, byte for byte; on a GPU but for what is counted
 * by tile. */
static void cut_check(const state_scenes *scenes, uint64_t seed, ending *whole) {
  const int most = scenes->parts ? scenes->parts(seed) : 0;
  const int parts = most < whole->told.ny ? most : whole->told.ny;
  char name[64];
  snprintf(name, sizeof name, "seed %llu in %d parts", (unsigned long long)seed, parts);
  for (int hands_over = 0; hands_over < 2 && parts > 1; hands_over++) {
    test_parts = parts;
    state_recuts = hands_over;
    ending e = state_run(scenes, seed, 1 + (int)(seed % 3), hands_over);
    test_parts = 0;
    state_recuts = false;
    if (state_on_gpu()) take_sums(&whole->told, &e.told);
    if (!CHECK(told_same(&whole->told, &e.told))) fprintf(stderr, "  %s\n", name);
    state_same_but(&whole->state, &e.state, name, state_by_cut());
    ending_free(&e);
  }
}

/* --- runs that go on from a checkpoint ---------------------------------------------------------
 */

static const char *checkpoint_file;
static int checkpoint_wait; /* calls until one is taken */

static void checkpoint_take(ria_sim *sim) {
  if (checkpoint_wait-- == 0)
    CHECK_OK(ria_sim_context(sim), ria_sim_checkpoint(sim, checkpoint_file));
}

static ending checkpoint_run(const state_scenes *scenes, uint64_t seed, int apart, bool goes_on) {
  checkpoint_wait = (int)(seed % 5);
  ria_sim *sim = scenes->make(seed);
  ria_context *ctx = ria_sim_context(sim);
  CHECK_OK(ctx, goes_on ? ria_sim_restore(sim, checkpoint_file) : ria_sim_record(sim));
  scenes->run(sim, seed, apart, checkpoint_take);
  CHECK(checkpoint_wait >= 0 || !ria_sim_restoring(sim));
  const ending e = {told_take(sim), state_keep(sim)};
  scenes->end(sim);
  return e;
}

/* One that takes a checkpoint is as one that takes none, and so is one that goes on from it. */
static void checkpoint_check(const state_scenes *scenes, uint64_t seed, ending *whole) {
  char path[64], name[64];
  const int apart = 1 + (int)(seed % 4);
  snprintf(path, sizeof path, "/tmp/ria-test-%ld.ckpt", (long)getpid());
  checkpoint_file = path;
  for (int goes_on = 0; goes_on < 2; goes_on++) {
    snprintf(name, sizeof name, "seed %llu %s a checkpoint", (unsigned long long)seed,
             goes_on ? "from" : "with");
    ending e = checkpoint_run(scenes, seed, apart, goes_on);
    if (!CHECK(told_same(&whole->told, &e.told))) fprintf(stderr, "  %s\n", name);
    state_same(&whole->state, &e.state, name);
    ending_free(&e);
    if (checkpoint_wait >= 0) break; /* the run was too short for one */
  }
  unlink(path);
}

/* A run that is handed over to new solvers on its way has the same bits in all that it tells, and
 * in all items, as one that is not. */
static void state_check(const state_scenes *scenes, uint64_t seed) {
  char name[48];
  snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
  const int apart = 1 + (int)(seed % 4);
  ending a = state_run(scenes, seed, apart, false), b = state_run(scenes, seed, apart, true);
  if (!CHECK(told_same(&a.told, &b.told))) fprintf(stderr, "  %s\n", name);
  state_same(&a.state, &b.state, name);
  cut_check(scenes, seed, &a);
  checkpoint_check(scenes, seed, &a);
  ending_free(&a);
  ending_free(&b);
}

/* --- each item is needed ---------------------------------------------------------------------- */

typedef struct state_items {
  int n;
  char name[KEPT_MOST][64];
  bool needed[KEPT_MOST];
} state_items;

static int items_add(state_items *l, const char *name) {
  for (int k = 0; k < l->n; k++)
    if (strcmp(l->name[k], name) == 0) return k;
  snprintf(l->name[l->n], sizeof l->name[0], "%s", name);
  return l->n++;
}

/* Does it show that an item is left out? Failures of such a run are none of the test, and are not
 * told. */
static bool state_shows(const state_scenes *scenes, uint64_t seed, const told *whole,
                        const char *name) {
  const int failures = test_failures, out = dup(2), nowhere = open("/dev/null", O_WRONLY);
  if (out < 0 || nowhere < 0 || dup2(nowhere, 2) < 0) abort();
  state_left_out = name;
  ending e = state_run(scenes, seed, 5, true);
  state_left_out = NULL;
  dup2(out, 2);
  close(out);
  close(nowhere);
  const bool shows = test_failures > failures || !told_same(whole, &e.told);
  test_failures = failures;
  ending_free(&e);
  return shows;
}

static bool is_listed(const char *const *names, const char *name) {
  for (; names && *names; names++)
    if (strcmp(*names, name) == 0) return true;
  return false;
}

static void state_leave_out(const state_scenes *scenes, uint64_t seed, state_items *l,
                            const char *const *rare, bool verbose) {
  ending whole = state_run(scenes, seed, 5, false);
  for (int k = 0; k < whole.state.n; k++) {
    const int at = items_add(l, whole.state.of[k].name);
    if (l->needed[at] || is_listed(rare, l->name[at]) ||
        !state_shows(scenes, seed, &whole.told, l->name[at]))
      continue;
    l->needed[at] = true;
    if (verbose) printf("%s: seed %llu\n", l->name[at], (unsigned long long)seed);
  }
  ending_free(&whole);
}

/* The arguments of a program: [-v] [FIRST [LAST]], seeds; else all there are. Items are left out
 * where the test is not short, or with -v, which prints the seed that needs each: on a GPU those
 * too that a CPU does not have. rare: items that need not show, up to NULL. */
TEST_UNUSED static void state_test(const state_scenes *scenes, const char *const *rare, int argc,
                                   char **argv) {
  static state_items items;
  const bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  const int given = argc - 1 - verbose;
  const uint64_t first = given > 0 ? strtoull(argv[1 + verbose], NULL, 10) : 0;
  const uint64_t last = given > 1 ? strtoull(argv[2 + verbose], NULL, 10) : first;
  const int n = given > 0 ? (int)(last - first) + 1 : scenes->n;
  for (int k = 0; k < n; k++)
    state_check(scenes, given > 0 ? first + (uint64_t)k : scenes->seed(k));
  if (!verbose && test_is_short()) return;
  for (int k = 0; k < n; k++)
    state_leave_out(scenes, given > 0 ? first + (uint64_t)k : scenes->seed(k), &items, rare,
                    verbose);
  for (int k = 0; k < items.n && given <= 0; k++)
    if (!is_listed(rare, items.name[k]) && !CHECK(items.needed[k]))
      fprintf(stderr, "  no scene needs item %s\n", items.name[k]);
}

#endif
