/* parts/state_ranks.c - an item of a state between ranks: each gets the places that it needs from
 * the ranks that have them.
 *
 * Two meetings go before the messages of an item: in the first all learn which places each needs,
 * in the second that all have room. */
#include "parts/state_ranks.h"
#include "base/context.h"
#include "base/ranks.h"

#include <stdlib.h>
#include <string.h>

enum { STATE_NEEDS = RIA_MEET_STATE, STATE_ROOM, STATE_ALIKE };

/* What the two meetings of an item are for. */
typedef struct spread {
  const ria_held *from;
  const ria_spread_item *item;
  int ranks, rank;
  ria_places *need; /* [ranks] */
  char *out, *in;
} spread;

static int row_of(const ria_spread_item *item, size_t place) {
  const ria_state_cut *c = &item->cut;
  const int64_t row = c->row ? c->row[place] : c->row0 + (int64_t)place * c->step;
  return row < 0 ? 0 : row >= item->ny ? item->ny - 1 : (int)row;
}

static bool is_needed(const ria_places *need, size_t place, size_t whole) {
  const int64_t n = (int64_t)whole, from = (need->first % n + n) % n;
  return (uint64_t)(((int64_t)place - from + n) % n) < (uint64_t)need->n;
}

/* Bytes of the places that `had` has and `to` needs; they are copied out of the whole, or into it,
 * where `packed` is not NULL. */
static size_t carry(const spread *s, int had, int to, char *packed, bool out) {
  const ria_spread_item *item = s->item;
  const ria_part rows = ria_parts_of_rank(s->from, had);
  size_t bytes = 0;
  for (size_t place = 0; place < item->whole; place++) {
    const int row = row_of(item, place);
    if (row < rows.j0 || row >= rows.j1 || !is_needed(&s->need[to], place, item->whole)) continue;
    for (size_t o = 0; o < item->outer; o++, bytes += item->inner) {
      char *there = item->data + (o * item->whole + place) * item->inner;
      if (packed) memcpy(out ? packed + bytes : there, out ? there : packed + bytes, item->inner);
    }
  }
  return bytes;
}

/* Also that they have come to the same item. */
static ria_status learn_needs(spread *s, ria_places mine) {
  const ria_ranks *r = s->from->ctx->ranks;
  ria_packet p = ria_ranks_call(STATE_NEEDS, s->item->name, strlen(s->item->name));
  p.where[0] = mine.first;
  p.where[1] = mine.n;
  RIA_TRY(ria_ranks_meet(s->from->ctx, &p, "a state is handed over"));
  for (int k = 0; s->need && k < s->ranks; k++)
    s->need[k] = (ria_places){r->all[k].where[0], r->all[k].where[1]};
  return RIA_OK;
}

static ria_status make_room(spread *s) {
  size_t out = 0, in = 0;
  for (int k = 0; s->need && k < s->ranks; k++) {
    const size_t goes = carry(s, s->rank, k, NULL, true), comes = carry(s, k, s->rank, NULL, true);
    out = k != s->rank && goes > out ? goes : out;
    in = k != s->rank && comes > in ? comes : in;
  }
  s->out = malloc(out + 1);
  s->in = malloc(in + 1);
  ria_packet p = ria_ranks_call(STATE_ROOM, NULL, 0);
  if (!s->need || !s->out || !s->in)
    p.status = (int32_t)ria_fail_memory(s->from->ctx, "the state", out + in);
  return ria_ranks_meet(s->from->ctx, &p, "a state is handed over");
}

/* In each of ranks - 1 turns everyone sends to one and gets from another. */
static ria_status exchange(const spread *s) {
  for (int turn = 1; turn < s->ranks; turn++) {
    const int to = (s->rank + turn) % s->ranks, from = (s->rank + s->ranks - turn) % s->ranks;
    const size_t goes = carry(s, s->rank, to, s->out, true);
    const size_t comes = carry(s, from, s->rank, NULL, true);
    RIA_TRY(ria_ranks_swap(s->from->ctx, to, s->out, goes, from, s->in, comes));
    carry(s, from, s->rank, s->in, false);
  }
  return RIA_OK;
}

ria_status ria_spread_places(const ria_held *from, const ria_spread_item *item, ria_places mine) {
  spread s = {.from = from,
              .item = item,
              .ranks = ria_context_ranks(from->ctx),
              .rank = ria_context_rank(from->ctx)};
  s.need = calloc((size_t)s.ranks, sizeof *s.need);
  ria_status status = learn_needs(&s, mine);
  if (status == RIA_OK) status = make_room(&s);
  if (status == RIA_OK) status = exchange(&s);
  free(s.need);
  free(s.out);
  free(s.in);
  return status;
}

ria_status ria_spread_alike(const ria_held *from, const char *name, void *data, size_t bytes,
                            int row) {
  ria_context *ctx = from->ctx;
  const int ranks = ria_context_ranks(ctx);
  const int teller = row >= 0 ? ria_parts_rank_of(from, row) : 0;
  ria_packet p = ria_ranks_call(STATE_ALIKE, name, strlen(name));
  p.hash = ria_hash(p.hash, &bytes, sizeof bytes);
  p.hash = ria_hash(p.hash, &teller, sizeof teller);
  size_t *offset = calloc((size_t)ranks + 1, sizeof *offset);
  if (!offset) p.status = (int32_t)ria_fail_memory(ctx, "the state", bytes);
  for (int k = 0; offset && k <= ranks; k++) offset[k] = k > teller ? bytes : 0;
  ria_status status = ria_ranks_meet(ctx, &p, "a state is handed over");
  if (status == RIA_OK) status = ria_ranks_gather(ctx, data, data, offset);
  free(offset);
  return status;
}
