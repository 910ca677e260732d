/* parts/state_ranks.h - items of a state between ranks. Private to this folder. */
#ifndef RIA_PARTS_STATE_RANKS_H
#define RIA_PARTS_STATE_RANKS_H
#include "parts/parts.h"
#include <ria/state.h>

/* An item of the whole grid, data [outer][whole places][inner bytes], of which this rank has the
 * places of its rows. */
typedef struct ria_spread_item {
  const char *name;
  char *data;
  size_t outer, whole, inner;
  ria_state_cut cut; /* row0, step, row */
  int ny;
} ria_spread_item;

/* Places first .. first + n - 1, which go round. */
typedef struct ria_places {
  int64_t first, n;
} ria_places;

/* All ranks do: then the item has the places `mine`, too. from: whose rows ranks have of it. */
ria_status ria_spread_places(const ria_held *from, const ria_spread_item *item, ria_places mine);
/* data[bytes] of the rank that has the row (-1: of the first) to all. */
ria_status ria_spread_alike(const ria_held *from, const char *name, void *data, size_t bytes,
                            int row);

#endif
