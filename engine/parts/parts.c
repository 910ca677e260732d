/* parts/parts.c - a solver made of parts: ria_solver_ops over instances of a solver.
 *
 * What is told of the whole grid is put together from rows and cells in the order of the whole, so
 * that no sum shows where the cuts are. */
#include "parts/inner.h"
#include "base/context.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- life ------------------------------------------------------------------------------------- */

static void parts_destroy(void *self) {
  parts *s = self;
  if (!s) return;
  for (int k = 0; s->held.part && k < s->held.count; k++)
    if (s->held.part[k].self) s->ops.destroy(s->held.part[k].self);
  ria_account_free(&s->account);
  ria_parts_post_free(&s->held);
  free(s->room);
  free(s->held.part);
  free(s->self);
  free(s->rows);
  free(s->joined);
  free(s);
}

static ria_status allocate(parts *s) {
  const size_t rows = (size_t)s->n_quantities * (size_t)s->grid.ny;
  s->held.part = calloc((size_t)s->held.count, sizeof *s->held.part);
  s->self = calloc((size_t)s->held.count, sizeof *s->self);
  s->rows = calloc(rows, sizeof *s->rows);
  s->joined = calloc(rows, sizeof *s->joined);
  if (s->held.part && s->self && s->rows && s->joined &&
      ria_account_init(&s->account, &s->grid, s->n_quantities))
    return RIA_OK;
  return ria_fail_memory(s->ctx, "the parts of a grid", 2 * rows * sizeof *s->rows);
}

/* A solver with rows to share, and words where it hears any: its own, or those of the planes that
 * it begins with. */
static bool has_rows(const ria_solver_ops *own) {
  const bool planes = !own->read || !own->sample || !own->totals || !own->fluxes || !own->track;
  const bool words = own->say || !own->hear;
  return planes || (own->shared_rows && own->row_totals && own->crossed && words);
}

static ria_status check(const ria_solver_setup *setup, const ria_solver_ops *own, int n) {
  const int ny = setup->grid.ny;
  if (!has_rows(own))
    return ria_fail(setup->ctx, RIA_ERR_ARGUMENT,
                    "this solver steps a whole grid, which cannot be cut into parts yet: take %s",
                    setup->backend->of_part ? "one GPU"
                                            : "one (--parts 1, ria_context_desc.parts)");
  if (n <= ny) return RIA_OK;
  return ria_fail(setup->ctx, RIA_ERR_ARGUMENT,
                  "%d parts of a grid of %d row%s: each has at least one, so --parts %d at most "
                  "(ria_context_desc.parts)",
                  n, ny, ny == 1 ? "" : "s", ny);
}

static ria_status make_parts(parts *s, const ria_solver_setup *setup, const int *cut) {
  const ria_backend *b = setup->backend;
  for (int k = 0; k < s->held.count; k++) {
    ria_solver_setup of = *setup;
    const int p = s->held.first + k;
    const ria_part even = ria_part_cut(s->grid.ny, s->held.n, p);
    of.part = s->held.part[k].rows = cut ? (ria_part){cut[p], cut[p + 1]} : even;
    if (b->of_part) of.backend = b->of_part(b, p, s->held.n);
    if (s->held.lanes > 1) of.threads = 1;
    RIA_TRY(s->ops.create(&of, &s->held.part[k].self));
    s->self[k] = s->held.part[k].self;
  }
  const int shared = s->ops.shared_rows(s->held.part[0].self, RIA_NORTH, 0, NULL);
  if (shared > RIA_MOST_SHARED)
    return ria_fail(
        s->ctx, RIA_ERR_ARGUMENT,
        "parts of this solver share %d rows where they meet, at most %d can be: it runs "
        "in one part (--parts 1, ria_context_desc.parts)",
        shared, RIA_MOST_SHARED);
  return RIA_OK;
}

ria_status ria_parts_create(const ria_solver_setup *setup, const ria_solver_ops *own,
                            const ria_solver_ops *ops, int n, const int *cut, int n_quantities,
                            void **self) {
  *self = NULL;
  RIA_TRY(check(setup, own, n));
  parts *s = calloc(1, sizeof *s);
  if (!s) return ria_fail_memory(setup->ctx, "the parts of a grid", sizeof *s);
  *s = (parts){setup->ctx, setup->grid, *ops, .n_quantities = n_quantities};
  s->held = (ria_held){.ctx = s->ctx, .ops = &s->ops, .n = n};
  ria_parts_share_out(&s->held);
  s->held.wall = &s->wall;
  s->held.lanes = ria_parts_lanes(setup, ops, s->held.count);
  ria_status status = allocate(s);
  if (status == RIA_OK) status = make_parts(s, setup, cut);
  if (status == RIA_OK && s->held.reach) status = ria_parts_settle_in(s, setup, cut);
  if (status != RIA_OK) {
    parts_destroy(s);
    return status;
  }
  *self = s;
  return RIA_OK;
}

static ria_status agree(const parts *s) { return ria_parts_agree(&s->held, RIA_OK); }

/* --- steps ------------------------------------------------------------------------------------ */

/* What crossed each cell of the sides since forcing was set, into the whole's account. */
static ria_status gather_account(parts *s) {
  ria_status well = RIA_OK; /* other ranks wait for what this one has, even if that is nothing */
  for (int k = 0; k < s->held.count && well == RIA_OK; k++)
    well = s->ops.crossed(s->held.part[k].self, s->account.crossed);
  if (s->held.reach) RIA_TRY(ria_parts_gather_account(s));
  return well;
}

/* With ranks: the account is whole on all of them, and folded before any part forgets. */
static ria_status force_here(parts *s, const ria_forcing_set *set) {
  RIA_TRY(ria_parts_same_forcing(s, set));
  RIA_TRY(gather_account(s));
  ria_account_fold(&s->account);
  for (int k = 0; k < s->held.count; k++) RIA_TRY(s->ops.force(s->held.part[k].self, set));
  return RIA_OK;
}

static ria_status force_all(parts *s, const ria_forcing_set *set) {
  ria_account *a = &s->account;
  for (int k = 0; k < s->held.count; k++) {
    RIA_TRY(s->ops.crossed(s->held.part[k].self, a->crossed));
    RIA_TRY(s->ops.force(s->held.part[k].self, set));
    ria_account_fold(a);
  }
  return RIA_OK;
}

/* Parts forget what crossed: it is folded here, part by part from the south, which is the order of
 * the whole in every stretch. So none is lost where memory is short in the middle; then all are
 * forced again before they step. */
static ria_status parts_force(void *self, const ria_forcing_set *set) {
  parts *s = self;
  ria_account *a = &s->account;
  if (!ria_account_grow(a, set->boundary.n))
    return ria_fail_memory(s->ctx, "the forcing", (size_t)set->boundary.n * sizeof(double));
  memset(a->crossed, 0, a->cells * (size_t)a->n_quantities * sizeof *a->crossed);
  RIA_TRY(s->held.reach ? force_here(s, set) : force_all(s, set));
  ria_boundary_owners(&set->boundary, &s->grid, a->owner);
  return agree(s);
}

static ria_status parts_prepare(void *self, double t) {
  parts *s = self;
  for (int k = 0; k < s->held.count; k++) RIA_TRY(s->ops.prepare(s->held.part[k].self, t));
  RIA_TRY(agree(s));
  return ria_parts_close_ring(&s->held);
}

/* If parts do not stand in one place the run has failed: what it has can be read, and not stepped
 * on. */
static void compare_places(parts *s, const ria_progress *one, const ria_progress *other) {
  if (one->steps == other->steps && one->t == other->t) return;
  ria_format(s->fault, sizeof s->fault,
             "parts of the grid do not agree: at step %lld one is at t = %.10g s, at step %lld "
             "another at t = %.10g s. A fault of the solver; it runs in one part (--parts 1)",
             (long long)one->steps, one->t, (long long)other->steps, other->t);
}

/* Where the parts stand. */
static ria_status arrive(parts *s, ria_progress *first) {
  RIA_TRY(s->ops.progress(s->held.part[0].self, first));
  for (int k = 1; k < s->held.count; k++) {
    ria_progress at;
    RIA_TRY(s->ops.progress(s->held.part[k].self, &at));
    compare_places(s, first, &at);
  }
  return RIA_OK;
}

static ria_status advance_one(const ria_held *h, int k, const void *span) {
  return h->ops->advance(h->part[k].self, span);
}

/* One pass of each part at a time, then its ghost rows. */
static ria_status advance_by_turns(parts *s, const ria_span *span) {
  ria_span left = *span;
  ria_progress at;
  RIA_TRY(s->ops.progress(s->held.part[0].self, &at));
  for (int64_t before = -1;
       before != at.steps && left.max_steps > 0 && at.t < span->t_stop && !s->fault[0];) {
    before = at.steps;
    RIA_TRY(ria_parts_each(&s->held, advance_one, &left));
    RIA_TRY(agree(s));
    RIA_TRY(arrive(s, &at));
    if (at.steps > before && !s->fault[0]) RIA_TRY(ria_parts_exchange(&s->held));
    left.max_steps -= at.steps - before;
  }
  return RIA_OK;
}

static ria_status parts_advance(void *self, const ria_span *span) {
  parts *s = self;
  bool queued = false;
  if (s->ops.together && (!s->held.reach || s->ops.together_in_ranks) && !s->fault[0])
    RIA_TRY(s->ops.together(s->self, s->held.count, span, &queued));
  return queued ? RIA_OK : advance_by_turns(s, span);
}

static bool owns(const ria_held_part *p, int j) { return j >= p->rows.j0 && j < p->rows.j1; }

/* A cell is told of by the part that has it. */
static ria_status progress_here(parts *s, ria_progress *out) {
  bool knows_shortest = false, knows_failure = false;
  for (int k = 0; k < s->held.count; k++) {
    ria_progress at;
    RIA_TRY(s->ops.progress(s->held.part[k].self, &at));
    if (k == 0) *out = at;
    if (at.stepped > 0) {
      s->held.part[k].stepping = at.stepped;
      s->held.part[k].waited = at.waited;
    }
    compare_places(s, out, &at);
    if (!knows_shortest && owns(&s->held.part[k], at.dt_min_j)) {
      knows_shortest = true;
      out->dt_min_i = at.dt_min_i;
      out->dt_min_j = at.dt_min_j;
      memcpy(out->dt_min_cause, at.dt_min_cause, sizeof at.dt_min_cause);
    }
    if (!knows_failure && owns(&s->held.part[k], at.fail_j)) {
      knows_failure = true;
      out->fail_i = at.fail_i;
      out->fail_j = at.fail_j;
      memcpy(out->fail_what, at.fail_what, sizeof at.fail_what);
    }
  }
  return RIA_OK;
}

static ria_status parts_progress(void *self, ria_progress *out) {
  parts *s = self;
  RIA_TRY(progress_here(s, out));
  if (s->held.reach) RIA_TRY(ria_parts_progress_of_all(s, out));
  if (!s->fault[0]) return RIA_OK;
  out->failure = RIA_ERR_NUMERICAL;
  out->fail_t = out->t;
  out->fail_i = out->fail_j = -1;
  ria_format(out->fail_what, sizeof out->fail_what, "%s", s->fault);
  return RIA_OK;
}

/* --- fields, amounts -------------------------------------------------------------------------- */

static ria_status parts_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                             ria_real real, void *dst) {
  const parts *s = self;
  if (s->held.reach) return ria_parts_read_of_all(s, field, tracer, maximum, j0, nj, real, dst);
  for (int k = 0; k < s->held.count; k++)
    RIA_TRY(s->ops.read(s->held.part[k].self, field, tracer, maximum, j0, nj, real, dst));
  return RIA_OK;
}

static ria_status parts_write(void *self, int field, int tracer, const double *src) {
  const parts *s = self;
  for (int k = 0; k < s->held.count; k++)
    RIA_TRY(s->ops.write(s->held.part[k].self, field, tracer, src));
  return RIA_OK;
}

static ria_status parts_sample(void *self, int field, int tracer, int n, const int32_t *cell,
                               double *out) {
  const parts *s = self;
  if (s->held.reach) return ria_parts_sample_of_all(s, field, tracer, n, cell, out);
  for (int k = 0; k < s->held.count; k++)
    RIA_TRY(s->ops.sample(s->held.part[k].self, field, tracer, n, cell, out));
  return RIA_OK;
}

static ria_status parts_add(void *self, int quantity, int n, const int32_t *cell,
                            const double *amount) {
  const parts *s = self;
  if (s->held.reach) ria_ranks_note(s->ctx, "a release", amount, (size_t)n * sizeof *amount);
  for (int k = 0; k < s->held.count; k++)
    RIA_TRY(s->ops.add(s->held.part[k].self, quantity, n, cell, amount));
  return RIA_OK;
}

static ria_status parts_track(void *self, int field, int tracer) {
  const parts *s = self;
  for (int k = 0; k < s->held.count; k++)
    RIA_TRY(s->ops.track(s->held.part[k].self, field, tracer));
  return RIA_OK;
}

static ria_status parts_sums(void *self, int n) {
  const parts *s = self;
  if (!s->ops.sums) return ria_fail(s->ctx, RIA_ERR_ARGUMENT, "this solver keeps no sums");
  for (int k = 0; k < s->held.count; k++) RIA_TRY(s->ops.sums(s->held.part[k].self, n));
  return RIA_OK;
}

static ria_status parts_gather(void *self, int field, int tracer, int first, int n,
                               const double *weight) {
  const parts *s = self;
  for (int k = 0; k < s->held.count; k++)
    RIA_TRY(s->ops.gather(s->held.part[k].self, field, tracer, first, n, weight));
  return RIA_OK;
}

/* --- sums ------------------------------------------------------------------------------------- */

static ria_status row_totals_here(const parts *s, ria_row_totals *rows) {
  ria_status well = RIA_OK; /* as in gather_account */
  for (int k = 0; k < s->held.count && well == RIA_OK; k++) {
    const ria_part part = s->held.part[k].rows;
    const size_t n = (size_t)(part.j1 - part.j0);
    well = s->ops.row_totals(s->held.part[k].self, s->rows);
    for (size_t q = 0; q < (size_t)s->n_quantities; q++)
      memcpy(rows + q * (size_t)s->grid.ny + (size_t)part.j0, s->rows + q * n, n * sizeof *rows);
  }
  if (s->held.reach) RIA_TRY(ria_parts_gather_totals(s, rows));
  return well;
}

static ria_status parts_row_totals(void *self, ria_row_totals *rows) {
  const parts *s = self;
  if (s->held.reach) RIA_TRY(ria_parts_meet(s, PARTS_TOTALS, NULL, 0, "amounts are summed"));
  return row_totals_here(s, rows);
}

static ria_status parts_totals(void *self, ria_quantity_totals *totals) {
  const parts *s = self;
  RIA_TRY(parts_row_totals(self, s->joined));
  for (int q = 0; q < s->n_quantities; q++)
    totals[q] = ria_sum_rows(&s->grid, s->joined + (size_t)q * (size_t)s->grid.ny, s->grid.ny);
  return RIA_OK;
}

static ria_status parts_fluxes(void *self, int n, double *in, double *out) {
  parts *s = self;
  if (s->held.reach) RIA_TRY(ria_parts_meet(s, PARTS_CROSSED, NULL, 0, "flows are summed"));
  RIA_TRY(gather_account(s));
  ria_account_read(&s->account, n, in, out);
  return RIA_OK;
}

/* --- the state -------------------------------------------------------------------------------- */

static ria_status parts_state(void *self, const ria_state_walk *walk) {
  parts *s = self;
  if (!s->ops.state) return ria_fail(s->ctx, RIA_ERR_ARGUMENT, "this solver cannot name its state");
  RIA_TRY(ria_parts_state(&s->held, &s->grid, &s->account, walk));
  return walk->restores ? agree(s) : RIA_OK;
}

/* --- how parts have fared --------------------------------------------------------------------- */

ria_status ria_parts_took(const void *self, double *took) {
  const parts *s = self;
  for (int k = 0; k < s->held.count; k++) took[s->held.first + k] = s->held.part[k].stepping;
  return s->held.reach ? ria_parts_gather_took(s, took) : RIA_OK;
}

bool ria_parts_told(const void *self, int k, double *stepped, double *waited) {
  const parts *s = self;
  if (k < s->held.first || k >= s->held.first + s->held.count) return false;
  const ria_held_part *part = &s->held.part[k - s->held.first];
  *stepped = part->stepping;
  *waited = part->waited;
  return part->waited > 0;
}

/* Devices tell by their own clocks, and then all do. */
static bool devices_tell(const parts *s) { return s->held.part[0].waited > 0; }

void ria_parts_spent(const void *self, double *wall, double *stepped) {
  const parts *s = self;
  double most = devices_tell(s) ? 0.0 : s->wall;
  for (int k = 0; k < s->held.count; k++) {
    const ria_held_part *part = &s->held.part[k];
    *stepped += part->stepping;
    if (devices_tell(s)) most = fmax(most, part->stepping + part->waited);
  }
  *wall += most;
}

int ria_parts_at_once(const void *self) {
  const parts *s = self;
  if (devices_tell(s)) return s->held.count;
  return s->held.lanes > 1 ? s->held.lanes : 1;
}

bool ria_parts_can_be_cut(const void *self) {
  const parts *s = self;
  return s->ops.state && !s->fault[0];
}

ria_status ria_parts_take_over(void *self, void *from) {
  parts *s = self, *old = from;
  RIA_TRY(ria_parts_hand_over(&old->held, &old->account, &s->held, &s->account, &s->grid));
  RIA_TRY(agree(s));
  if (!s->held.reach) return RIA_OK;
  ria_times *spent = ria_parts_post_spent(&s->held), *had = ria_parts_post_spent(&old->held);
  spent->stepping += had->stepping + old->wall;
  spent->waiting += had->waiting;
  spent->exchanging += had->exchanging;
  return RIA_OK;
}

/* --- what rank 0 asks for --------------------------------------------------------------------- */

ria_status ria_parts_serve(void *self, const ria_packet *asked) {
  parts *s = self;
  const int32_t *a = asked->arg;
  switch (asked->op) {
  case PARTS_READ:
    return ria_parts_read_served(s, a[0], a[1], a[2] != 0, a[3], a[4], (ria_real)a[5], NULL);
  case PARTS_SAMPLE:
    return ria_parts_sample_served(s, a[0], a[1], a[2], NULL, NULL);
  case PARTS_TOTALS:
    return row_totals_here(s, s->joined);
  case PARTS_CROSSED:
    return gather_account(s);
  case PARTS_TIMES:
    return ria_parts_gather_times(s, NULL);
  default:
    return ria_fail(s->ctx, RIA_ERR_ARGUMENT, "rank 0 asked for something that cannot be served");
  }
}

const ria_solver_ops ria_parts_ops = {
    .destroy = parts_destroy,
    .force = parts_force,
    .prepare = parts_prepare,
    .advance = parts_advance,
    .progress = parts_progress,
    .read = parts_read,
    .write = parts_write,
    .sample = parts_sample,
    .add = parts_add,
    .track = parts_track,
    .sums = parts_sums,
    .gather = parts_gather,
    .totals = parts_totals,
    .row_totals = parts_row_totals,
    .fluxes = parts_fluxes,
    .state = parts_state,
};
