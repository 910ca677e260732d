/* parts/meeting.c - how parts reach each other: words that they agree by, rows that they share,
 * numbers that are relayed from part to part.
 *
 * Between parts of one process these are copies, or nothing. What parts of other processes say,
 * share and relay comes by the table of ria_reach, which is asked at the same places. */
#include "parts/parts.h"

/* --- words ------------------------------------------------------------------------------------ */

/* Each number from the part that has it, to the first one's list. */
static void join_lists(const ria_held *h) {
  const ria_held_part *part = h->part;
  for (int k = 0; k < part[0].said.n_list; k++) {
    double v = part[0].said.list[k];
    for (int p = 1; p < h->count && v != v; p++) v = part[p].said.list[k];
    part[0].said.list[k] = v;
  }
}

static void spread_list(const ria_held *h) {
  const ria_held_part *part = h->part;
  for (int p = 1; p < h->count; p++)
    for (int k = 0; k < part[0].said.n_list; k++) part[p].said.list[k] = part[0].said.list[k];
}

/* How many parts wait. */
static int all_say(const ria_held *h) {
  int waiting = 0;
  for (int p = 0; p < h->count; p++) waiting += h->ops->say(h->part[p].self, &h->part[p].said);
  return waiting;
}

static ria_status hear_one(const ria_held *h, int k, const void *joined) {
  const ria_held_part *p = &h->part[k];
  ria_meeting all = *(const ria_meeting *)joined;
  all.list = p->said.list;
  all.n_list = p->said.n_list;
  return h->ops->hear(p->self, &all);
}

static ria_meeting join_here(const ria_held *h) {
  ria_meeting all = h->part[0].said;
  for (int p = 1; p < h->count; p++) ria_meeting_join(&all, &h->part[p].said);
  return all;
}

/* What all say; *waiting: of this process's parts, then of all. */
static ria_status join(const ria_held *h, ria_meeting *all, int *waiting, ria_status here) {
  if (!h->reach) return here;
  if (here != RIA_OK || *waiting == 0) *all = (ria_meeting){0};
  return h->reach->join(h, all, waiting, here);
}

static ria_status join_all_lists(const ria_held *h) {
  join_lists(h);
  if (h->reach && h->part[0].said.n_list > 0)
    RIA_TRY(h->reach->join_list(h, h->part[0].said.list, h->part[0].said.n_list));
  spread_list(h);
  return RIA_OK;
}

/* --- rows ------------------------------------------------------------------------------------- */

static ria_status pass_on(const ria_held *h, const ria_held_part *south, const ria_held_part *north,
                          bool northwards) {
  ria_shared_row s[RIA_MOST_SHARED], r[RIA_MOST_SHARED];
  const int n = h->ops->shared_rows(south->self, RIA_NORTH, RIA_MOST_SHARED, s);
  const int m = h->ops->shared_rows(north->self, RIA_SOUTH, RIA_MOST_SHARED, r);
  if (n != m || n > RIA_MOST_SHARED)
    return ria_fail(h->ctx, RIA_ERR_ARGUMENT,
                    "parts of the grid share %d and %d rows: at most %d, the same. A fault of the "
                    "solver; it runs in one part (--parts 1)",
                    n, m, RIA_MOST_SHARED);
  const ria_backend *b = ria_context_backend(h->ctx);
  for (int k = 0; k < n; k++)
    RIA_TRY(b->copy(h->ctx, b, northwards ? r[k].ghost : s[k].ghost,
                    northwards ? s[k].own : r[k].own, s[k].bytes));
  return RIA_OK;
}

/* Between the parts here, from the one that may have to pass on what it gets. */
static ria_status pass_all(const ria_held *h, bool northwards) {
  for (int k = 0; k + 1 < h->count; k++) {
    const int p = northwards ? k : h->count - 2 - k;
    RIA_TRY(pass_on(h, &h->part[p], &h->part[p + 1], northwards));
  }
  return RIA_OK;
}

/* Rows that the first part shares with the last one, where the sides are periodic. */
static int shared_by_ends(const ria_held *h) {
  return h->ops->shared_rows(h->part[0].self, RIA_SOUTH, 0, NULL);
}

/* Has a part fewer rows than it shares? Then it passes on what it gets. */
static bool has_low_part(const ria_held *h, int shared) {
  for (int p = 0; p < h->count; p++)
    if (h->part[p].rows.j1 - h->part[p].rows.j0 < shared) return true;
  return false;
}

/* Once round, the last part and the first one at the end. What low parts pass on there is all from
 * this round, as no side shares more rows than the grid has; what they passed on before came from
 * beyond the ends, and goes round again. */
static ria_status pass_round(const ria_held *h, bool northwards) {
  const int shared = shared_by_ends(h);
  RIA_TRY(pass_all(h, northwards));
  if (shared == 0) return RIA_OK;
  RIA_TRY(pass_on(h, &h->part[h->count - 1], &h->part[0], northwards));
  return has_low_part(h, shared) ? pass_all(h, northwards) : RIA_OK;
}

ria_status ria_parts_exchange(const ria_held *h) {
  if (h->reach) return h->reach->exchange(h, pass_all);
  RIA_TRY(pass_round(h, true));
  return pass_round(h, false);
}

ria_status ria_parts_close_ring(const ria_held *h) {
  return !h->reach && shared_by_ends(h) == 0 ? RIA_OK : ria_parts_exchange(h);
}

/* --- relays ----------------------------------------------------------------------------------- */

/* A block through the parts here. */
static ria_status relay_here(const ria_held *h, const ria_relay *r, int block, const void *in,
                             const void **out) {
  *out = in;
  for (int k = 0; k < h->count; k++)
    RIA_TRY(h->ops->relay(h->part[r->southwards ? h->count - 1 - k : k].self, block, *out, out));
  return RIA_OK;
}

static ria_status relay(const ria_held *h, const ria_relay *r) {
  const void *out;
  if (h->reach && !h->reach->relay)
    return ria_fail(h->ctx, RIA_ERR_ARGUMENT,
                    "lines of this solver run through all parts of the grid, which cannot be in "
                    "several processes yet: run one");
  if (h->reach) return h->reach->relay(h, r, relay_here);
  for (int block = 0; block < r->blocks; block++) RIA_TRY(relay_here(h, r, block, NULL, &out));
  return RIA_OK;
}

/* --- until none waits ------------------------------------------------------------------------- */

/* What the parts that wait asked for beside words. */
static ria_status pass_what_is_due(const ria_held *h) {
  const ria_meeting *m = &h->part[0].said;
  if (m->rows) RIA_TRY(ria_parts_exchange(h));
  return m->relay.blocks > 0 ? relay(h, &m->relay) : RIA_OK;
}

ria_status ria_parts_agree(const ria_held *h, ria_status here) {
  for (;;) {
    int waiting = here == RIA_OK && h->ops->hear ? all_say(h) : 0;
    ria_meeting all = waiting ? join_here(h) : (ria_meeting){0};
    RIA_TRY(join(h, &all, &waiting, here));
    if (waiting == 0) return RIA_OK;
    if (waiting < h->n)
      return ria_fail(
          h->ctx, RIA_ERR_ARGUMENT,
          "%d of %d parts of the grid wait for the others, which do not: a fault of the "
          "solver; it runs in one part (--parts 1)",
          waiting, h->n);
    RIA_TRY(join_all_lists(h));
    RIA_TRY(pass_what_is_due(h));
    here = ria_parts_each(h, hear_one, &all); /* all hear: none is left waiting */
  }
}

/* --- who has what ----------------------------------------------------------------------------- */

ria_part ria_parts_here(const ria_held *h) {
  return (ria_part){h->part[0].rows.j0, h->part[h->count - 1].rows.j1};
}
