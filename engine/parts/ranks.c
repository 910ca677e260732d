/* parts/ranks.c - how the parts of a rank reach those of other ranks: ria_reach by a ria_comm.
 *
 * Words travel with the packets of a meeting, so that a step costs one. Rows go to the two
 * neighbours and come from them at once, each side's in one message, while parts of this process
 * pass on theirs. Only where parts have fewer rows than they share do the messages go one after
 * another, as the copies of meeting.c do, since such parts pass on rows that they get. */
#include "base/clock.h"
#include "base/context.h"
#include "base/ranks.h"
#include "parts/inner.h"

#include <stdlib.h>
#include <string.h>

typedef ria_status (*between_fn)(const ria_held *h, bool northwards);

enum { LIST_PIECE = RIA_POST / sizeof(double) };

typedef struct side_post {
  char *out, *in;
  void *sent, *awaited; /* requests */
} side_post;

typedef struct post {
  char *told;        /* [ranks][RIA_POST] */
  size_t *offset;    /* [ranks + 1] */
  int *first;        /* [ranks + 1] rows */
  int least;         /* rows of the lowest part of the grid */
  size_t room;       /* of a side's `out` and `in` */
  size_t relayed;    /* bytes of `on` */
  ria_times spent;   /* `stepping`: of parts that were here before */
  char *on;          /* a block that is relayed */
  side_post side[2]; /* RIA_SOUTH, RIA_NORTH */
} post;

static side_post *post_of(const ria_held *h, ria_side side) {
  return &((post *)h->post)->side[side == RIA_NORTH];
}

/* --- which parts, and room -------------------------------------------------------------------- */

static int first_part(int n, int ranks, int rank) { return (int)((int64_t)n * rank / ranks); }

void ria_parts_share_out(ria_held *h) {
  const int ranks = ria_context_ranks(h->ctx), rank = ria_context_rank(h->ctx);
  h->first = first_part(h->n, ranks, rank);
  h->count = first_part(h->n, ranks, rank + 1) - h->first;
  h->reach = ranks > 1 ? &ria_parts_ranks : NULL;
}

int ria_parts_rank_of(const ria_held *h, int row) {
  const post *p = h->post;
  int rank = 0;
  while (row >= p->first[rank + 1]) rank++;
  return rank;
}

ria_part ria_parts_of_rank(const ria_held *h, int rank) {
  const post *p = h->post;
  return (ria_part){p->first[rank], p->first[rank + 1]};
}

static const ria_held_part *edge(const ria_held *h, ria_side side) {
  return &h->part[side == RIA_SOUTH ? 0 : h->count - 1];
}

static int rows_at(const ria_held *h, const ria_held_part *part, ria_side side,
                   ria_shared_row *rows) {
  const int n = h->ops->shared_rows(part->self, side, RIA_MOST_SHARED, rows);
  return n < RIA_MOST_SHARED ? n : RIA_MOST_SHARED;
}

/* All sides within the grid share as much. */
static size_t bytes_at(const ria_held *h, ria_side side, int *n) {
  ria_shared_row rows[RIA_MOST_SHARED];
  size_t bytes = 0;
  *n = rows_at(h, edge(h, side), side, rows);
  for (int k = 0; k < *n; k++) bytes += rows[k].bytes;
  return bytes;
}

/* The rows of a side go in one message. */
static ria_status fail_long(const ria_held *h, size_t bytes) {
  return ria_fail(h->ctx, RIA_ERR_ARGUMENT,
                  "the rows that two ranks share have %zu bytes, and a message has %d at most: "
                  "make the grid narrower, or start one process",
                  bytes, RIA_COMM_MOST);
}

static void measure_sides(ria_held *h) {
  int south, north;
  const size_t a = bytes_at(h, RIA_SOUTH, &south), b = bytes_at(h, RIA_NORTH, &north);
  ((post *)h->post)->room = a > b ? a : b;
}

/* Memory that rows are copied to from a device at full speed. The old one is gone, or still there.
 */
static ria_status renew(const ria_held *h, char **memory, size_t bytes) {
  const ria_backend *b = ria_context_backend(h->ctx);
  void *fresh;
  RIA_TRY(b->alloc_output(h->ctx, b, bytes, &fresh));
  if (*memory) b->free_output(b, *memory);
  *memory = fresh;
  return RIA_OK;
}

static ria_status make_sides(const ria_held *h, size_t bytes) {
  post *p = h->post;
  for (int k = 0; k < 2; k++) {
    RIA_TRY(renew(h, &p->side[k].out, bytes + 1));
    RIA_TRY(renew(h, &p->side[k].in, bytes + 1));
  }
  p->room = bytes;
  return RIA_OK;
}

static void take_cut(const ria_held *h, int ny, const int *cut) {
  post *p = h->post;
  const int ranks = ria_context_ranks(h->ctx);
  p->least = ny;
  for (int k = 0; k < h->n; k++) {
    const ria_part even = ria_part_cut(ny, h->n, k);
    const int rows = cut ? cut[k + 1] - cut[k] : even.j1 - even.j0;
    p->least = rows < p->least ? rows : p->least;
  }
  for (int k = 0; k < ranks; k++) {
    const int part = first_part(h->n, ranks, k);
    p->first[k] = cut ? cut[part] : ria_part_cut(ny, h->n, part).j0;
  }
  p->first[ranks] = ny;
}

ria_status ria_parts_post_make(ria_held *h, int ny, const int *cut) {
  if (!h->reach) return RIA_OK;
  const int ranks = ria_context_ranks(h->ctx);
  post *p = calloc(1, sizeof *p);
  h->post = p;
  if (p) {
    p->told = malloc((size_t)ranks * RIA_POST);
    p->offset = calloc((size_t)ranks + 1, sizeof *p->offset);
    p->first = calloc((size_t)ranks + 1, sizeof *p->first);
  }
  if (p) measure_sides(h);
  if (p && p->room > RIA_COMM_MOST) return fail_long(h, p->room);
  if (!p || !p->told || !p->offset || !p->first)
    return ria_fail_memory(h->ctx, "rows between ranks", (size_t)ranks * RIA_POST);
  RIA_TRY(make_sides(h, p->room));
  take_cut(h, ny, cut);
  return RIA_OK;
}

void ria_parts_post_free(ria_held *h) {
  post *p = h->post;
  if (!p) return;
  const ria_backend *b = ria_context_backend(h->ctx);
  for (int k = 0; k < 2; k++) {
    if (p->side[k].out) b->free_output(b, p->side[k].out);
    if (p->side[k].in) b->free_output(b, p->side[k].in);
  }
  free(p->on);
  free(p->told);
  free(p->offset);
  free(p->first);
  free(p);
  h->post = NULL;
}

ria_times *ria_parts_post_spent(const ria_held *h) { return &((post *)h->post)->spent; }

/* --- words ------------------------------------------------------------------------------------ */

ria_status ria_parts_tell_all(const ria_held *h, const void *mine, size_t bytes, void **all) {
  *all = ((post *)h->post)->told;
  return ria_ranks_allgather(h->ctx, mine, *all, bytes);
}

static ria_packet packet_of(const ria_meeting *m, int waiting, ria_status here) {
  ria_packet p = ria_ranks_call(PARTS_JOIN, NULL, 0);
  p.status = (int32_t)here;
  p.waiting = waiting;
  memcpy(p.word, m->most, sizeof p.word);
  memcpy(p.along, m->along, sizeof p.along);
  memcpy(p.where, m->where, sizeof p.where);
  return p;
}

static ria_meeting meeting_of(const ria_packet *p) {
  ria_meeting m = {.list = NULL};
  memcpy(m.most, p->word, sizeof p->word);
  memcpy(m.along, p->along, sizeof p->along);
  memcpy(m.where, p->where, sizeof p->where);
  return m;
}

/* Ranks none of whose parts wait have nothing to say. */
static ria_status join(const ria_held *h, ria_meeting *all, int *waiting, ria_status here) {
  ria_packet mine = packet_of(all, *waiting, here);
  const double begin = ria_wall_clock();
  const ria_status s = ria_ranks_meet(h->ctx, &mine, "a step");
  ((post *)h->post)->spent.waiting += ria_wall_clock() - begin;
  RIA_TRY(s);
  const ria_ranks *r = h->ctx->ranks;
  bool any = false;
  *waiting = 0;
  for (int k = 0; k < r->comm->size; k++) {
    if (r->all[k].waiting == 0) continue;
    const ria_meeting one = meeting_of(&r->all[k]);
    *waiting += r->all[k].waiting;
    if (any)
      ria_meeting_join(all, &one);
    else
      *all = one;
    any = true;
  }
  return RIA_OK;
}

static ria_status join_list(const ria_held *h, double *list, int n) {
  const int ranks = ria_context_ranks(h->ctx);
  for (int at = 0; at < n; at += LIST_PIECE) {
    const int m = n - at < LIST_PIECE ? n - at : LIST_PIECE;
    void *told;
    RIA_TRY(ria_parts_tell_all(h, list + at, (size_t)m * sizeof *list, &told));
    const double *v = told;
    for (int k = 0; k < m; k++)
      for (int p = 0; p < ranks; p++) {
        const double here = v[(size_t)p * (size_t)m + (size_t)k];
        if (here != here) continue;
        list[at + k] = here;
        break;
      }
  }
  return RIA_OK;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Rows of a side of this rank, and the rank beyond: where sides are periodic the first and the last
 * are neighbours. How many; 0 where the grid ends. */
static int rows_to(const ria_held *h, ria_side side, ria_shared_row *rows, int *peer) {
  const int ranks = ria_context_ranks(h->ctx), rank = ria_context_rank(h->ctx);
  *peer = (rank + (side == RIA_SOUTH ? ranks - 1 : 1)) % ranks;
  return rows_at(h, edge(h, side), side, rows);
}

/* Without memory in the middle of an exchange no rank can go on. */
static ria_status grow(const ria_held *h, char **memory, size_t bytes) {
  char *grown = realloc(*memory, bytes);
  if (!grown)
    return ria_ranks_give_up(h->ctx, ria_fail_memory(h->ctx, "rows between ranks", bytes));
  *memory = grown;
  return RIA_OK;
}

/* More may pass within a step than after it. Sides within the grid share as much, and each rank has
 * one: rows too long for a message fail on all. */
static ria_status check_room(const ria_held *h, const ria_shared_row *rows, int n, size_t *bytes) {
  post *p = h->post;
  *bytes = 0;
  for (int k = 0; k < n; k++) *bytes += rows[k].bytes;
  if (*bytes <= p->room) return RIA_OK;
  if (*bytes > RIA_COMM_MOST) return fail_long(h, *bytes);
  const ria_status made = make_sides(h, *bytes);
  return made == RIA_OK ? RIA_OK : ria_ranks_give_up(h->ctx, made);
}

/* In an exchange and in a relay a copy of a device may fail on one rank while the others wait for
 * its messages. So it sends them nevertheless, whatever is in them, and takes in all that come:
 * *well keeps the first failure, which the next meeting tells. What is returned says whether
 * messages go at all. */

static ria_status receive(const ria_held *h, ria_side side) {
  side_post *p = post_of(h, side);
  ria_comm *c = h->ctx->ranks->comm;
  ria_shared_row rows[RIA_MOST_SHARED];
  size_t bytes;
  int peer;
  const int n = rows_to(h, side, rows, &peer);
  if (n == 0) return RIA_OK;
  RIA_TRY(check_room(h, rows, n, &bytes));
  return c->receive(c, peer, p->in, bytes, &p->awaited) == 0 ? RIA_OK : ria_ranks_lost(h->ctx);
}

static ria_status send(const ria_held *h, ria_side side, ria_status *well) {
  side_post *p = post_of(h, side);
  ria_comm *c = h->ctx->ranks->comm;
  const ria_backend *b = ria_context_backend(h->ctx);
  ria_shared_row rows[RIA_MOST_SHARED];
  size_t bytes;
  int peer;
  const int n = rows_to(h, side, rows, &peer);
  if (n == 0) return RIA_OK;
  RIA_TRY(check_room(h, rows, n, &bytes));
  char *to = p->out;
  for (int k = 0; k < n && *well == RIA_OK; to += rows[k++].bytes)
    *well = b->copy(h->ctx, b, to, rows[k].own, rows[k].bytes);
  return c->send(c, peer, p->out, bytes, &p->sent) == 0 ? RIA_OK : ria_ranks_lost(h->ctx);
}

/* What was received is in the ghost rows. */
static ria_status take_in(const ria_held *h, ria_side side, ria_status *well) {
  side_post *p = post_of(h, side);
  ria_comm *c = h->ctx->ranks->comm;
  const ria_backend *b = ria_context_backend(h->ctx);
  ria_shared_row rows[RIA_MOST_SHARED];
  int peer;
  if (!p->awaited) return RIA_OK;
  if (c->wait(c, &p->awaited) != 0) return ria_ranks_lost(h->ctx);
  const int n = rows_to(h, side, rows, &peer);
  const char *from = p->in;
  for (int k = 0; k < n && *well == RIA_OK; from += rows[k++].bytes)
    *well = b->copy(h->ctx, b, rows[k].ghost, from, rows[k].bytes);
  return RIA_OK;
}

static ria_status sent(const ria_held *h, ria_side side) {
  ria_comm *c = h->ctx->ranks->comm;
  return c->wait(c, &post_of(h, side)->sent) == 0 ? RIA_OK : ria_ranks_lost(h->ctx);
}

/* All at once: none passes on what it gets. Two ranks that are neighbours on both sides tell the
 * messages apart by their order. */
static ria_status exchange_at_once(const ria_held *h, between_fn between, ria_status *well) {
  RIA_TRY(receive(h, RIA_SOUTH));
  RIA_TRY(receive(h, RIA_NORTH));
  RIA_TRY(send(h, RIA_NORTH, well));
  RIA_TRY(send(h, RIA_SOUTH, well));
  if (*well == RIA_OK) *well = between(h, true);
  if (*well == RIA_OK) *well = between(h, false);
  RIA_TRY(take_in(h, RIA_SOUTH, well));
  RIA_TRY(take_in(h, RIA_NORTH, well));
  RIA_TRY(sent(h, RIA_SOUTH));
  return sent(h, RIA_NORTH);
}

/* Are the first part and the last neighbours? They alone know. */
static ria_status ends_meet(const ria_held *h, bool *ring) {
  ria_shared_row rows[RIA_MOST_SHARED];
  int peer;
  void *told;
  const int32_t mine = rows_to(h, RIA_SOUTH, rows, &peer);
  RIA_TRY(ria_parts_tell_all(h, &mine, sizeof mine, &told));
  *ring = *(const int32_t *)told > 0;
  return RIA_OK;
}

/* In one direction, from rank to rank; where the ends are neighbours, round to the first one, and
 * through all once more. */
static ria_status exchange_in_turn(const ria_held *h, between_fn between, bool ring,
                                   bool northwards, ria_status *well) {
  const ria_side from = northwards ? RIA_SOUTH : RIA_NORTH, to = northwards ? RIA_NORTH : RIA_SOUTH;
  const int ranks = ria_context_ranks(h->ctx), rank = ria_context_rank(h->ctx);
  const bool first = rank == (northwards ? 0 : ranks - 1);
  const bool last = rank == (northwards ? ranks - 1 : 0);
  const int turns = ring ? 2 : 1;
  for (int turn = 0; turn < turns; turn++) {
    if (!first || turn > 0) RIA_TRY(receive(h, from));
    RIA_TRY(take_in(h, from, well));
    if (*well == RIA_OK) *well = between(h, northwards);
    if (!last || turn + 1 < turns) RIA_TRY(send(h, to, well));
    RIA_TRY(sent(h, to));
  }
  return RIA_OK;
}

/* Has a part of the grid fewer rows than it shares? Known alike to all: sides within the grid share
 * as much. */
static bool has_low_part(const ria_held *h) {
  const post *p = h->post;
  const int south = h->ops->shared_rows(edge(h, RIA_SOUTH)->self, RIA_SOUTH, 0, NULL);
  const int north = h->ops->shared_rows(edge(h, RIA_NORTH)->self, RIA_NORTH, 0, NULL);
  return p->least < (south > north ? south : north);
}

static ria_status exchange_rows(const ria_held *h, between_fn between, ria_status *well) {
  static const ria_side sides[] = {RIA_SOUTH, RIA_NORTH};
  ria_shared_row rows[RIA_MOST_SHARED];
  bool ring = false;
  size_t bytes;
  int peer;
  for (int k = 0; k < 2; k++) { /* before any message has it */
    const int n = rows_to(h, sides[k], rows, &peer);
    RIA_TRY(check_room(h, rows, n, &bytes));
  }
  if (!has_low_part(h)) return exchange_at_once(h, between, well);
  RIA_TRY(ends_meet(h, &ring));
  RIA_TRY(exchange_in_turn(h, between, ring, true, well));
  return exchange_in_turn(h, between, ring, false, well);
}

static ria_status exchange(const ria_held *h, between_fn between) {
  const double begin = ria_wall_clock();
  ria_status well = RIA_OK;
  const ria_status s = exchange_rows(h, between, &well);
  ((post *)h->post)->spent.exchanging += ria_wall_clock() - begin;
  return s == RIA_OK ? well : s;
}

/* --- relays ----------------------------------------------------------------------------------- */

static ria_status pass_block(const ria_held *h, int peer, bool sends, void *block, size_t bytes) {
  const double begin = ria_wall_clock();
  const ria_status s = ria_ranks_pass(h->ctx, peer, sends, block, bytes);
  ((post *)h->post)->spent.exchanging += ria_wall_clock() - begin;
  return s;
}

/* While a rank has one block the next has the one before it. */
static ria_status relay(const ria_held *h, const ria_relay *r,
                        ria_status (*through)(const ria_held *h, const ria_relay *r, int block,
                                              const void *in, const void **out)) {
  post *p = h->post;
  const int ranks = ria_context_ranks(h->ctx), rank = ria_context_rank(h->ctx);
  const int step = r->southwards ? -1 : 1, from = rank - step, to = rank + step;
  if (r->bytes > p->relayed) RIA_TRY(grow(h, &p->on, r->bytes));
  if (r->bytes > p->relayed) p->relayed = r->bytes;
  ria_status well = RIA_OK;
  for (int block = 0; block < r->blocks; block++) {
    const bool begins = from < 0 || from >= ranks, ends = to < 0 || to >= ranks;
    const void *out = p->on;
    if (!begins) RIA_TRY(pass_block(h, from, false, p->on, r->bytes));
    if (well == RIA_OK) well = through(h, r, block, begins ? NULL : p->on, &out);
    if (well != RIA_OK) out = p->on;
    if (!ends) RIA_TRY(pass_block(h, to, true, (void *)(uintptr_t)out, r->bytes));
  }
  return well;
}

/* --- values of the whole grid ----------------------------------------------------------------- */

static ria_status gather(const ria_held *h, const void *mine, void *all, size_t bytes, int j0,
                         int nj) {
  const post *p = h->post;
  const int ranks = ria_context_ranks(h->ctx);
  for (int k = 0; k <= ranks; k++) {
    const int row = p->first[k] - j0;
    p->offset[k] = (size_t)(row < 0 ? 0 : row > nj ? nj : row) * bytes;
  }
  return ria_ranks_gather(h->ctx, mine, all, p->offset);
}

const ria_reach ria_parts_ranks = {join, join_list, exchange, relay, gather};
