/* parts/meeting.c - how parts of one process reach each other: words that they agree by, rows that
 * they share.
 *
 * Parts of other processes or on devices need the same two, carried otherwise. */
#include "parts/parts.h"

#include <string.h>

enum { MOST_SHARED = 64 }; /* rows of a side: planes times ghost rows */

/* --- words ------------------------------------------------------------------------------------ */

/* Each number from the part that has it, to all. */
static void join_lists(const ria_held_part *part, int n) {
  for (int k = 0; k < part[0].said.n_list; k++) {
    double v = part[0].said.list[k];
    for (int p = 1; p < n && v != v; p++) v = part[p].said.list[k];
    for (int p = 0; p < n; p++) part[p].said.list[k] = v;
  }
}

static bool all_say(const ria_solver_ops *ops, ria_held_part *part, int n) {
  bool waits = false;
  for (int p = 0; p < n; p++) waits = ops->say(part[p].self, &part[p].said);
  return waits;
}

ria_status ria_parts_agree(const ria_solver_ops *ops, ria_held_part *part, int n) {
  while (ops->hear && all_say(ops, part, n)) {
    ria_meeting all = part[0].said;
    for (int p = 1; p < n; p++) ria_meeting_join(&all, &part[p].said);
    join_lists(part, n);
    for (int p = 0; p < n; p++) {
      all.list = part[p].said.list;
      RIA_TRY(ops->hear(part[p].self, &all));
    }
  }
  return RIA_OK;
}

/* --- rows ------------------------------------------------------------------------------------- */

static ria_status pass_on(ria_context *ctx, const ria_solver_ops *ops, const ria_held_part *south,
                          const ria_held_part *north, bool northwards) {
  ria_shared_row s[MOST_SHARED], r[MOST_SHARED];
  const int n = ops->shared_rows(south->self, RIA_NORTH, MOST_SHARED, s);
  const int m = ops->shared_rows(north->self, RIA_SOUTH, MOST_SHARED, r);
  if (n != m || n > MOST_SHARED)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "parts share %d and %d rows: at most %d, the same", n, m,
                    MOST_SHARED);
  for (int k = 0; k < n; k++)
    memcpy(northwards ? r[k].ghost : s[k].ghost, northwards ? s[k].own : r[k].own, s[k].bytes);
  return RIA_OK;
}

ria_status ria_parts_exchange(ria_context *ctx, const ria_solver_ops *ops,
                              const ria_held_part *part, int n) {
  for (int p = 0; p + 1 < n; p++) RIA_TRY(pass_on(ctx, ops, &part[p], &part[p + 1], true));
  for (int p = n - 1; p > 0; p--) RIA_TRY(pass_on(ctx, ops, &part[p - 1], &part[p], false));
  return RIA_OK;
}
