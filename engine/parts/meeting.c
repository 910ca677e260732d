/* parts/meeting.c - how parts of one process reach each other: words that they agree by, rows that
 * they share.
 *
 * Parts of other processes or on devices need the same two, carried otherwise. */
#include "parts/parts.h"

/* --- words ------------------------------------------------------------------------------------ */

/* Each number from the part that has it, to all. */
static void join_lists(const ria_held_part *part, int n) {
  for (int k = 0; k < part[0].said.n_list; k++) {
    double v = part[0].said.list[k];
    for (int p = 1; p < n && v != v; p++) v = part[p].said.list[k];
    for (int p = 0; p < n; p++) part[p].said.list[k] = v;
  }
}

/* How many parts wait. */
static int all_say(const ria_solver_ops *ops, ria_held_part *part, int n) {
  int waiting = 0;
  for (int p = 0; p < n; p++) waiting += ops->say(part[p].self, &part[p].said);
  return waiting;
}

/* All parts hear, even if one fails: none is left waiting. Returns the first failure. */
static ria_status all_hear(const ria_solver_ops *ops, ria_held_part *part, int n) {
  ria_meeting all = part[0].said;
  for (int p = 1; p < n; p++) ria_meeting_join(&all, &part[p].said);
  join_lists(part, n);
  ria_status first = RIA_OK;
  for (int p = 0; p < n; p++) {
    all.list = part[p].said.list;
    const ria_status s = ops->hear(part[p].self, &all);
    if (first == RIA_OK) first = s;
  }
  return first;
}

ria_status ria_parts_agree(ria_context *ctx, const ria_solver_ops *ops, ria_held_part *part,
                           int n) {
  int waiting;
  while (ops->hear && (waiting = all_say(ops, part, n)) > 0) {
    if (waiting < n)
      return ria_fail(
          ctx, RIA_ERR_ARGUMENT,
          "%d of %d parts of the grid wait for the others, which do not: a fault of the "
          "solver; it runs in one part (--parts 1)",
          waiting, n);
    RIA_TRY(all_hear(ops, part, n));
  }
  return RIA_OK;
}

/* --- rows ------------------------------------------------------------------------------------- */

static ria_status pass_on(ria_context *ctx, const ria_solver_ops *ops, const ria_held_part *south,
                          const ria_held_part *north, bool northwards) {
  ria_shared_row s[RIA_MOST_SHARED], r[RIA_MOST_SHARED];
  const int n = ops->shared_rows(south->self, RIA_NORTH, RIA_MOST_SHARED, s);
  const int m = ops->shared_rows(north->self, RIA_SOUTH, RIA_MOST_SHARED, r);
  if (n != m || n > RIA_MOST_SHARED)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "parts of the grid share %d and %d rows: at most %d, the same. A fault of the "
                    "solver; it runs in one part (--parts 1)",
                    n, m, RIA_MOST_SHARED);
  const ria_backend *b = ria_context_backend(ctx);
  for (int k = 0; k < n; k++)
    RIA_TRY(b->copy(ctx, b, northwards ? r[k].ghost : s[k].ghost, northwards ? s[k].own : r[k].own,
                    s[k].bytes));
  return RIA_OK;
}

ria_status ria_parts_exchange(ria_context *ctx, const ria_solver_ops *ops,
                              const ria_held_part *part, int n) {
  for (int p = 0; p + 1 < n; p++) RIA_TRY(pass_on(ctx, ops, &part[p], &part[p + 1], true));
  for (int p = n - 1; p > 0; p--) RIA_TRY(pass_on(ctx, ops, &part[p - 1], &part[p], false));
  return RIA_OK;
}
