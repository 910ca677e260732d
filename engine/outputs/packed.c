/* outputs/packed.c - fields packed by the ranks that have them. See packed.h.
 *
 * Tiles of a store do not end where ranks do. A row of tiles is packed by the rank that has the
 * first of its rows; ranks further north hand it theirs, at most a tile's height less one. So a cut
 * on a row of tiles spares that, and none is needed.
 *
 * Rank 0 asks in three turns, so that what can fail on one rank fails between two meetings, or is
 * told where they meet: READ (room; each reads its rows), PACK (rows are handed on, tiles packed,
 * and all learn how long they are), TAKE (the chunks of one rank go to rank 0, which has room for
 * them, and hands them to its writer before it takes the next).
 *
 * Tiles are packed where a single process packs them, so that chunks have its bytes: on the devices
 * where it would be there (snapshot.c), else on the host. A rank whose device packs reads the rows
 * alone that it hands on. */
#include "outputs/packed.h"
#include "base/context.h"
#include "base/grid.h"
#include "base/ranks.h"
#include "base/turn.h"
#include "outputs/output.h"

#include <stdlib.h>
#include <string.h>

enum { PACKED_READ = RIA_MEET_PACKED, PACKED_PACK, PACKED_TAKE };

typedef struct packed_tile {
  unsigned char *chunk;
  size_t n;
} packed_tile;

typedef struct ria_packed ria_packed;
struct ria_packed {
  ria_zarr_how how;
  const ria_sim_field *field;
  bool maximum;
  ria_part own;    /* rows of this rank */
  int first, last; /* its rows of tiles: first .. last - 1 */
  int head;        /* rows of its own before them, which others pack */
  void *rows;      /* [its own, or the head alone; those that are handed to it][nx] */
  void *beyond;    /* where in `rows` those lie */
  packed_tile *tile;
  uint64_t *end;  /* [tiles] where the chunk of each ends */
  int64_t *bytes; /* [ranks] of chunks and ends */
  bool by_device; /* packs into `streams`, */
  bool lie_there; /* and all chunks lie in it */
  void *streams;  /* [room] of backend->alloc_output: kept from save to save */
  size_t room;
};

/* --- who packs what --------------------------------------------------------------------------- */

static int rank_of(const ria_sim *sim, int row) {
  int rank = 0;
  while (row >= sim->by_ranks->rows(sim->self, rank).j1) rank++;
  return rank;
}

static int first_tiles(const ria_zarr_how *how, int row) {
  return (row + how->tile_y - 1) / how->tile_y;
}

static int tile_columns(const ria_zarr_how *how) {
  return (how->nx + how->tile_x - 1) / how->tile_x;
}

/* Rows that a rank's tiles have, from its own first row on. */
static int rows_end(const ria_zarr_how *how, ria_part own) {
  const int last = first_tiles(how, own.j1), end = last * how->tile_y;
  if (last == first_tiles(how, own.j0)) return own.j1;
  return end < how->ny ? end : how->ny;
}

static size_t row_bytes(const ria_zarr_how *how) {
  return (size_t)how->nx * ria_real_size(how->real);
}

static int tiles_of(const ria_packed *p) { return (p->last - p->first) * tile_columns(&p->how); }

static int tiles_of_rank(const ria_sim *sim, int rank) {
  const ria_packed *p = sim->packed;
  const ria_part of = sim->by_ranks->rows(sim->self, rank);
  return (first_tiles(&p->how, of.j1) - first_tiles(&p->how, of.j0)) * tile_columns(&p->how);
}

static void let_go(const ria_packed *p, packed_tile *t) {
  if (!p->lie_there) free(t->chunk);
  t->chunk = NULL;
}

/* All but the room for streams. */
static void forget(ria_packed *p) {
  for (int k = 0; p->tile && k < tiles_of(p); k++) let_go(p, &p->tile[k]);
  free(p->tile);
  free(p->end);
  free(p->rows);
  free(p->bytes);
  *p = (ria_packed){.streams = p->streams, .room = p->room};
}

void ria_packed_free(ria_sim *sim) {
  ria_packed *p = sim->packed;
  if (!p) return;
  forget(p);
  if (p->streams) sim->backend->free_output(sim->backend, p->streams);
  free(p);
  sim->packed = NULL;
}

static ria_status begin(ria_sim *sim, ria_packed **out) {
  if (sim->packed)
    forget(sim->packed);
  else
    sim->packed = calloc(1, sizeof **out);
  *out = sim->packed;
  return *out ? RIA_OK : ria_fail_memory(sim->ctx, "a save", sizeof **out);
}

/* --- read ------------------------------------------------------------------------------------- */

static ria_packet asks_to_read(const ria_zarr_how *how, int field, bool maximum) {
  const int32_t a[] = {field, maximum, (int32_t)how->real, how->tile_x, how->tile_y, how->level};
  ria_packet p = ria_ranks_call(PACKED_READ, a, sizeof a);
  memcpy(p.arg, a, sizeof a);
  p.word[0] = how->precision;
  return p;
}

/* What is asked for, and what this rank has of it. */
static void share_of(ria_sim *sim, ria_packed *p, const ria_packet *asked) {
  const int32_t *a = asked->arg;
  p->how = (ria_zarr_how){.nx = sim->grid.nx,
                          .ny = sim->grid.ny,
                          .tile_x = a[3],
                          .tile_y = a[4],
                          .real = (ria_real)a[2],
                          .precision = asked->word[0],
                          .level = a[5]};
  p->field = &sim->fields[a[0]];
  p->maximum = a[1] != 0;
  p->own = sim->by_ranks->rows(sim->self, ria_context_rank(sim->ctx));
  p->first = first_tiles(&p->how, p->own.j0);
  p->last = first_tiles(&p->how, p->own.j1);
  const int below = p->first * p->how.tile_y;
  p->head = (below < p->own.j1 ? below : p->own.j1) - p->own.j0;
}

static ria_packing packing_of(const ria_packed *p) {
  return (ria_packing){.tile_x = p->how.tile_x,
                       .tile_y = p->how.tile_y,
                       .real = p->how.real,
                       .precision = p->how.precision,
                       .beyond = p->beyond};
}

/* By the rules of ria_snapshot_take_packed; devices have no packed maxima. */
static ria_status choose_device(ria_sim *sim, ria_packed *p) {
  const ria_packing how = packing_of(p);
  const ria_backend *b = sim->backend;
  if (p->maximum || sim->mask.out || !ria_zarr_how_takes_streams(&p->how)) return RIA_OK;
  const size_t bytes = sim->by_ranks->pack_bytes_here(sim->self, &how);
  if (bytes > p->room) {
    if (p->streams) b->free_output(b, p->streams);
    p->streams = NULL;
    p->room = 0;
    RIA_TRY(b->alloc_output(sim->ctx, b, bytes, &p->streams));
    p->room = bytes;
  }
  p->by_device = bytes > 0;
  return RIA_OK;
}

/* Room for n of its own rows and those that are handed to it. */
static ria_status make_rows(ria_sim *sim, ria_packed *p, int n) {
  const int beyond = rows_end(&p->how, p->own) - p->own.j1;
  const size_t bytes = (size_t)(n + beyond) * row_bytes(&p->how) + 1;
  p->rows = malloc(bytes);
  if (!p->rows) return ria_fail_memory(sim->ctx, "a save", bytes);
  p->beyond = (char *)p->rows + (size_t)n * row_bytes(&p->how);
  return RIA_OK;
}

static ria_status read_own(ria_sim *sim, ria_packed *p, int n) {
  const ria_sim_field *f = p->field;
  RIA_TRY(sim->by_ranks->read_here(sim->self, f->index, f->tracer, p->maximum, p->own.j0, n,
                                   p->how.real, p->rows));
  ria_mask_blank(sim, p->own.j0, n, p->how.real, p->rows);
  return RIA_OK;
}

static ria_status read_rows(ria_sim *sim, const ria_packet *asked) {
  const size_t ranks = (size_t)ria_context_ranks(sim->ctx);
  ria_packed *p;
  RIA_TRY(begin(sim, &p));
  share_of(sim, p, asked);
  RIA_TRY(choose_device(sim, p));
  const size_t tiles = (size_t)tiles_of(p) + 1;
  const int rows = p->by_device ? p->head : p->own.j1 - p->own.j0;
  p->tile = calloc(tiles, sizeof *p->tile);
  p->end = calloc(tiles, sizeof *p->end);
  p->bytes = calloc(ranks, sizeof *p->bytes);
  if (!p->tile || !p->end || !p->bytes)
    return ria_fail_memory(sim->ctx, "a save", tiles * sizeof *p->tile);
  RIA_TRY(make_rows(sim, p, rows));
  return read_own(sim, p, rows);
}

/* --- pack ------------------------------------------------------------------------------------- */

/* The rows below the first row of tiles of its own, to the rank that has the first of theirs. Each
 * rank hands on before it takes, so the southernmost never waits for one that waits. */
static ria_status hand_on(ria_sim *sim) {
  ria_packed *p = sim->packed;
  const size_t bytes = row_bytes(&p->how);
  const int tile = p->how.tile_y, end = rows_end(&p->how, p->own);
  if (p->head > 0)
    RIA_TRY(ria_ranks_pass(sim->ctx, rank_of(sim, p->own.j0 / tile * tile), true, p->rows,
                           (size_t)p->head * bytes));
  for (int row = p->own.j1; row < end;) {
    const int rank = rank_of(sim, row), stop = sim->by_ranks->rows(sim->self, rank).j1;
    const int to = stop < end ? stop : end;
    RIA_TRY(ria_ranks_pass(sim->ctx, rank, false,
                           (char *)p->beyond + (size_t)(row - p->own.j1) * bytes,
                           (size_t)(to - row) * bytes));
    row = to;
  }
  return RIA_OK;
}

/* *there false: the device lacks memory now. */
static ria_status pack_by_device(ria_sim *sim, ria_packed *p, bool *there) {
  const ria_packing how = packing_of(p);
  RIA_TRY(sim->by_ranks->pack_here(sim->self, p->field->index, p->field->tracer, &how, p->streams,
                                   there));
  if (!*there) return RIA_OK;
  const size_t tiles = (size_t)tiles_of(p);
  memcpy(p->end, p->streams, tiles * sizeof *p->end);
  unsigned char *streams = (unsigned char *)p->streams + tiles * sizeof *p->end;
  p->lie_there = true;
  for (size_t k = 0; k < tiles; k++) {
    const uint64_t from = k ? p->end[k - 1] : 0;
    p->tile[k] = (packed_tile){streams + from, (size_t)(p->end[k] - from)};
  }
  return RIA_OK;
}

/* All rows, where those that are handed on alone were read. */
static ria_status read_rest(ria_sim *sim, ria_packed *p) {
  void *few = p->rows;
  const void *handed = p->beyond;
  const int beyond = rows_end(&p->how, p->own) - p->own.j1, own = p->own.j1 - p->own.j0;
  ria_status s = make_rows(sim, p, own);
  if (s == RIA_OK) memcpy(p->beyond, handed, (size_t)beyond * row_bytes(&p->how));
  free(few);
  return s == RIA_OK ? read_own(sim, p, own) : s;
}

static bool pack_tile(ria_packed *p, int k) {
  const int columns = tile_columns(&p->how);
  unsigned char *room = malloc(ria_zarr_pack_room(&p->how));
  const unsigned char *chunk;
  packed_tile *to = &p->tile[k];
  size_t n;
  bool well = room && ria_zarr_pack(&p->how, p->rows, p->own.j0, k % columns,
                                    p->first + k / columns, room, &chunk, &n);
  if (well && n > 0) {
    to->chunk = malloc(n);
    well = to->chunk != NULL;
    if (well) memcpy(to->chunk, chunk, n);
    to->n = n;
  }
  free(room);
  return well;
}

/* On all threads of the rank. */
static ria_status pack_tiles(ria_sim *sim) {
  ria_packed *p = sim->packed;
  const int n = tiles_of(p), threads = ria_context_threads(sim->ctx);
  uint64_t at = 0;
  int bad = 0, next = 0;
  (void)threads;
#pragma omp parallel num_threads(threads) reduction(+ : bad)
  for (int k; (k = ria_take_turn(&next)) < n;) bad += !pack_tile(p, k);
  if (bad) return ria_fail_memory(sim->ctx, "a save", ria_zarr_pack_room(&p->how));
  for (int k = 0; k < n; k++) p->end[k] = at += p->tile[k].n;
  return RIA_OK;
}

static ria_status pack_here(ria_sim *sim) {
  ria_packed *p = sim->packed;
  bool there = false;
  if (p->by_device) RIA_TRY(pack_by_device(sim, p, &there));
  if (there) return RIA_OK;
  if (p->by_device) RIA_TRY(read_rest(sim, p));
  return pack_tiles(sim);
}

/* Others learn at the next meeting of what failed here. */
static ria_status pack(ria_sim *sim) {
  ria_packed *p = sim->packed;
  RIA_TRY(hand_on(sim));
  const ria_status s = pack_here(sim);
  const int n = tiles_of(p);
  const int64_t mine = n ? (int64_t)((size_t)n * sizeof *p->end + p->end[n - 1]) : 0;
  free(p->rows);
  p->rows = p->beyond = NULL;
  RIA_TRY(ria_ranks_allgather(sim->ctx, &mine, p->bytes, sizeof mine));
  return s;
}

/* --- take ------------------------------------------------------------------------------------- */

/* The chunks of this rank as ria_zarr_streams has them. */
static void join_chunks(ria_packed *p, void *out) {
  const int n = tiles_of(p);
  unsigned char *streams = (unsigned char *)out + (size_t)n * sizeof *p->end;
  memcpy(out, p->end, (size_t)n * sizeof *p->end);
  for (int k = 0; k < n; k++) {
    packed_tile *t = &p->tile[k];
    if (t->n) memcpy(streams + p->end[k] - t->n, t->chunk, t->n);
    let_go(p, t);
  }
}

/* To rank 0, tile by tile: none is joined here. */
static ria_status send_chunks(ria_sim *sim) {
  ria_packed *p = sim->packed;
  const int n = tiles_of(p);
  RIA_TRY(ria_ranks_pass(sim->ctx, 0, true, p->end, (size_t)n * sizeof *p->end));
  for (int k = 0; k < n; k++) {
    RIA_TRY(ria_ranks_pass(sim->ctx, 0, true, p->tile[k].chunk, p->tile[k].n));
    let_go(p, &p->tile[k]);
  }
  return RIA_OK;
}

static ria_status take_chunks(ria_sim *sim, int rank, void *out) {
  const int n = tiles_of_rank(sim, rank);
  uint64_t *end = out;
  unsigned char *streams = (unsigned char *)(end + n);
  RIA_TRY(ria_ranks_pass(sim->ctx, rank, false, end, (size_t)n * sizeof *end));
  for (int k = 0; k < n; k++) {
    const uint64_t from = k ? end[k - 1] : 0;
    RIA_TRY(ria_ranks_pass(sim->ctx, rank, false, streams + from, (size_t)(end[k] - from)));
  }
  return RIA_OK;
}

static ria_status meet(ria_sim *sim, ria_packet p) {
  return ria_ranks_meet(sim->ctx, &p, "a field is packed");
}

static ria_status take_of(ria_sim *sim, int rank, void **out) {
  ria_packed *p = sim->packed;
  const size_t bytes = (size_t)p->bytes[rank];
  const int32_t of = rank;
  ria_packet ask = ria_ranks_call(PACKED_TAKE, &of, sizeof of);
  ask.arg[0] = of;
  *out = malloc(bytes + 1);
  if (!*out) return ria_fail_memory(sim->ctx, "a save", bytes);
  ria_status s = RIA_OK;
  if (rank == 0)
    join_chunks(p, *out);
  else
    s = meet(sim, ask);
  if (s == RIA_OK && rank > 0) s = take_chunks(sim, rank, *out);
  if (s == RIA_OK) return RIA_OK;
  free(*out);
  return s;
}

/* Each rank's tiles lie one after another: ranks are in the order of rows. */
static ria_status take_all(ria_sim *sim, ria_zarr *store, size_t k) {
  const int ranks = ria_context_ranks(sim->ctx);
  int first = 0;
  for (int rank = 0; rank < ranks; rank++) {
    const int n = tiles_of_rank(sim, rank);
    void *streams;
    if (n == 0) continue;
    RIA_TRY(take_of(sim, rank, &streams));
    RIA_TRY(ria_zarr_streams(store, k, first, n, streams, (size_t)sim->packed->bytes[rank]));
    first += n;
  }
  return RIA_OK;
}

static ria_status put(ria_sim *sim, ria_zarr *store, size_t k, const ria_packet *ask) {
  RIA_TRY(meet(sim, *ask));
  RIA_TRY(read_rows(sim, ask));
  RIA_TRY(meet(sim, ria_ranks_call(PACKED_PACK, NULL, 0)));
  RIA_TRY(pack(sim));
  RIA_TRY(meet(sim, ria_ranks_call(PACKED_TAKE, NULL, 0))); /* all have packed */
  return take_all(sim, store, k);
}

/* --- what rank 0 makes alone ------------------------------------------------------------------ */

/* The chunks of n tiles as ria_zarr_streams has them, into streams[room], where a tile takes at
 * most `most`; bytes that they take, 0: no memory. */
static size_t join_made(const ria_zarr_how *how, const void *values, int n, size_t most,
                        void *streams) {
  const int columns = tile_columns(how);
  uint64_t *end = streams, at = 0;
  unsigned char *room = malloc(most), *to = (unsigned char *)(end + n);
  bool well = room != NULL;
  for (int k = 0; well && k < n; k++) {
    const unsigned char *chunk;
    size_t bytes;
    well = ria_zarr_pack(how, values, 0, k % columns, k / columns, room, &chunk, &bytes);
    if (well && bytes) memcpy(to + at, chunk, bytes);
    if (well) end[k] = at += bytes;
  }
  free(room);
  return well ? (size_t)n * sizeof *end + (size_t)at : 0;
}

/* A map: its sums come from all ranks, its values are made here. */
static ria_status put_made(ria_sim *sim, ria_zarr *store, size_t k, const ria_sim_field *f) {
  const ria_zarr_how how = ria_zarr_packing(store, k);
  const int n = first_tiles(&how, how.ny) * tile_columns(&how);
  const size_t cells = ria_grid_cells(&sim->grid) * ria_real_size(how.real);
  const size_t most = ria_zarr_pack_room(&how), bytes = (size_t)n * (sizeof(uint64_t) + most);
  void *values = malloc(cells), *streams = malloc(bytes);
  ria_status s = values && streams ? RIA_OK : ria_fail_memory(sim->ctx, "a map", cells + bytes);
  if (s == RIA_OK) s = ria_field_read(sim, f, false, how.real, values);
  const size_t used = s == RIA_OK ? join_made(&how, values, n, most, streams) : 0;
  if (s == RIA_OK && !used) s = ria_fail_memory(sim->ctx, "a map", most);
  free(values);
  if (s == RIA_OK) return ria_zarr_streams(store, k, 0, n, streams, used);
  free(streams);
  return s;
}

ria_status ria_packed_put(ria_sim *sim, ria_zarr *store, size_t k, const ria_sim_field *f,
                          bool maximum) {
  if (f->rows) return put_made(sim, store, k, f);
  const ria_zarr_how how = ria_zarr_packing(store, k);
  const ria_packet ask = asks_to_read(&how, (int)(f - sim->fields), maximum && sim->started);
  RIA_TRY(ria_sim_settle(sim));
  const ria_status s = put(sim, store, k, &ask);
  if (sim->packed) forget(sim->packed);
  return s;
}

bool ria_packed_is(const ria_packet *asked) {
  return asked->op >= PACKED_READ && asked->op <= PACKED_TAKE;
}

ria_status ria_packed_serve(ria_sim *sim, const ria_packet *asked) {
  switch (asked->op) {
  case PACKED_READ:
    return read_rows(sim, asked);
  case PACKED_PACK:
    return pack(sim);
  default:
    return asked->arg[0] == ria_context_rank(sim->ctx) ? send_chunks(sim) : RIA_OK;
  }
}
