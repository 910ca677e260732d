/* parts/outgoing.c - fields of a grid in parts on their way out of devices, while steps go on: each
 * part copies or packs what it has, to where it lies in the whole.
 *
 * What lies on both sides of a cut is put together here, from rows that are read at once: means at
 * coarse scale, and the rows that a tile of a store has in the next parts. A row of tiles is packed
 * by the part in which it begins. So all values, and all bytes of chunks, are those of one device
 * with the whole grid; a cut between two rows of tiles, or of means, costs nothing.
 *
 * A process that has some parts alone packs the rows of tiles that begin in them; those of its last
 * tiles that other processes have are handed to it (outputs/packed.c). */
#include "base/context.h"
#include "parts/inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 256 /* bytes of a message */ };

/* What one part has under way. */
typedef struct piece {
  void *self, *ticket;
  size_t first, tiles; /* its tiles among those of the whole */
  size_t at;           /* where it puts its table of ends and its streams */
} piece;

typedef struct outgoing {
  int n;
  unsigned char *packed; /* the whole's table of ends, its streams behind it; NULL: values */
  size_t tiles;
  piece piece[];
} outgoing;

static outgoing *begin(const parts *s) {
  const size_t bytes = sizeof(outgoing) + (size_t)s->held.count * sizeof(piece);
  outgoing *o = calloc(1, bytes);
  if (!o) (void)ria_fail_memory(s->ctx, "a field for output", bytes);
  return o;
}

/* Wait for all pieces; the first failure. */
static ria_status wait_for(const parts *s, const outgoing *o, char *err, size_t errsize) {
  ria_status status = RIA_OK;
  for (int k = 0; k < o->n; k++) {
    char other[WORDS];
    const bool first = status == RIA_OK;
    const ria_status one = s->ops.await(o->piece[k].self, o->piece[k].ticket, first ? err : other,
                                        first ? errsize : sizeof other);
    if (first) status = one;
  }
  return status;
}

/* What is queued ends here. */
static void give_up(const parts *s, outgoing *o) {
  char ignored[WORDS];
  (void)wait_for(s, o, ignored, sizeof ignored);
  free(o);
}

/* Rows of the whole, as they are now: dst[nj][nx]. */
static ria_status read_rows(const parts *s, int field, int tracer, int j0, int nj, ria_real real,
                            void *dst) {
  for (int k = 0; k < s->held.count; k++)
    RIA_TRY(s->ops.read(s->held.part[k].self, field, tracer, false, j0, nj, real, dst));
  return RIA_OK;
}

/* --- values, means ---------------------------------------------------------------------------- */

/* Of those of n columns of nj rows that have a value, as devices add them. */
static double mean_of(const double *v, size_t nx, int nj, int n) {
  double sum = 0;
  int many = 0;
  for (int j = 0; j < nj; j++)
    for (int i = 0; i < n; i++) {
      const double x = v[(size_t)j * nx + (size_t)i];
      if (isnan(x)) continue;
      sum += x;
      many++;
    }
  return many > 1 ? sum / many : many ? sum : (double)NAN;
}

/* Means of nj rows v, as the row of means `row` of dst. */
static void put_means(const ria_grid *g, const double *v, int nj, int coarse, int row,
                      ria_real real, void *dst) {
  const int width = (g->nx + coarse - 1) / coarse;
  for (int i = 0; i < width; i++) {
    const int left = g->nx - i * coarse;
    const double mean =
        mean_of(v + (size_t)i * (size_t)coarse, (size_t)g->nx, nj, left < coarse ? left : coarse);
    const size_t at = (size_t)row * (size_t)width + (size_t)i;
    if (real == RIA_F32)
      ((float *)dst)[at] = (float)mean;
    else
      ((double *)dst)[at] = mean;
  }
}

/* Rows of means that have rows of several parts. */
static ria_status put_cut_means(const parts *s, int field, int tracer, int coarse, ria_real real,
                                void *dst) {
  const ria_grid *g = &s->grid;
  const size_t bytes = (size_t)coarse * (size_t)g->nx * sizeof(double);
  double *v = malloc(bytes);
  if (!v) return ria_fail_memory(s->ctx, "a field for output", bytes);
  ria_status status = RIA_OK;
  for (int k = 0, last = -1; status == RIA_OK && k + 1 < s->held.count; k++) {
    const int cut = s->held.part[k].rows.j1, row = cut / coarse, j0 = row * coarse;
    const int nj = g->ny - j0 < coarse ? g->ny - j0 : coarse;
    if (cut == j0 || row == last) continue;
    last = row;
    status = read_rows(s, field, tracer, j0, nj, RIA_F64, v);
    if (status == RIA_OK) put_means(g, v, nj, coarse, row, real, dst);
  }
  free(v);
  return status;
}

static ria_status parts_fetch(void *self, int field, int tracer, int coarse, ria_real real,
                              void *dst, void **ticket) {
  const parts *s = self;
  outgoing *o = begin(s);
  ria_status status = RIA_OK;
  *ticket = NULL;
  if (!o) return RIA_ERR_MEMORY;
  for (int k = 0; status == RIA_OK && k < s->held.count; k++) {
    piece *p = &o->piece[o->n];
    p->self = s->held.part[k].self;
    status = s->ops.fetch(p->self, field, tracer, coarse, real, dst, &p->ticket);
    o->n += status == RIA_OK;
  }
  if (status == RIA_OK && coarse > 1) status = put_cut_means(s, field, tracer, coarse, real, dst);
  if (status == RIA_OK)
    *ticket = o;
  else
    give_up(s, o);
  return status;
}

/* --- packed ----------------------------------------------------------------------------------- */

static size_t aligned(size_t bytes) { return (bytes + 15) / 16 * 16; }
/* Rows of tiles that begin before a row. */
static int tiles_before(const ria_packing *how, int row) {
  return (row + how->tile_y - 1) / how->tile_y;
}
static size_t tiles_across(const parts *s, const ria_packing *how) {
  return (size_t)((s->grid.nx + how->tile_x - 1) / how->tile_x);
}
static size_t tiles_in(const parts *s, const ria_packing *how, ria_part rows) {
  return (size_t)(tiles_before(how, rows.j1) - tiles_before(how, rows.j0)) * tiles_across(s, how);
}
static size_t table_of(const parts *s, const ria_packing *how) {
  return aligned(tiles_in(s, how, ria_parts_here(&s->held)) * sizeof(uint64_t));
}

static size_t parts_pack_bytes(void *self, const ria_packing *how) {
  const parts *s = self;
  size_t bytes = table_of(s, how);
  for (int k = 0; k < s->held.count; k++) {
    if (!tiles_in(s, how, s->held.part[k].rows)) continue;
    const size_t one = s->ops.pack_bytes(s->held.part[k].self, how);
    if (!one) return 0;
    bytes += aligned(one);
  }
  return bytes;
}

/* Rows that the k-th part's tiles have in the next ones, those of other processes from how->beyond;
 * *rows NULL: none. The caller frees it. */
static ria_status read_beyond(const parts *s, int k, int field, int tracer, const ria_packing *how,
                              void **rows) {
  const ria_part own = s->held.part[k].rows;
  const int tiles = tiles_before(how, own.j1) * how->tile_y, ny = s->grid.ny;
  const int end = tiles < ny ? tiles : ny, nj = end - own.j1;
  const int here = ria_parts_here(&s->held).j1, of_others = end > here ? end - here : 0;
  const size_t row = (size_t)s->grid.nx * ria_real_size(how->real);
  *rows = NULL;
  if (nj <= 0) return RIA_OK;
  *rows = malloc((size_t)nj * row);
  if (!*rows) return ria_fail_memory(s->ctx, "a save", (size_t)nj * row);
  if (of_others)
    memcpy((char *)*rows + (size_t)(nj - of_others) * row, how->beyond, (size_t)of_others * row);
  return read_rows(s, field, tracer, own.j1, nj - of_others, how->real, *rows);
}

/* The k-th part's tiles, if it has any; *lacks: its device cannot now. */
static ria_status pack_piece(const parts *s, outgoing *o, int k, int field, int tracer,
                             const ria_packing *how, size_t *used, bool *lacks) {
  const ria_held_part *part = &s->held.part[k];
  piece *p = &o->piece[o->n];
  ria_packing of = *how;
  void *beyond;
  *p = (piece){part->self, NULL, o->tiles, tiles_in(s, how, part->rows), *used};
  if (!p->tiles) return RIA_OK;
  ria_status status = read_beyond(s, k, field, tracer, how, &beyond);
  of.beyond = beyond;
  if (status == RIA_OK)
    status = s->ops.pack(part->self, field, tracer, &of, o->packed + p->at, &p->ticket);
  free(beyond);
  if (status != RIA_OK) return status;
  *lacks = !p->ticket;
  if (*lacks) return RIA_OK;
  *used += aligned(s->ops.pack_bytes(part->self, how));
  o->tiles += p->tiles;
  o->n++;
  return RIA_OK;
}

static ria_status parts_pack(void *self, int field, int tracer, const ria_packing *how, void *dst,
                             void **ticket) {
  const parts *s = self;
  outgoing *o = begin(s);
  size_t used = table_of(s, how);
  bool lacks = false;
  ria_status status = RIA_OK;
  *ticket = NULL;
  if (!o) return RIA_ERR_MEMORY;
  o->packed = dst;
  for (int k = 0; status == RIA_OK && !lacks && k < s->held.count; k++)
    status = pack_piece(s, o, k, field, tracer, how, &used, &lacks);
  if (status == RIA_OK && !lacks)
    *ticket = o;
  else
    give_up(s, o);
  return status;
}

/* One table and its streams of those of the pieces, each of which lies further on. */
static void join_streams(const outgoing *o) {
  uint64_t *end = (uint64_t *)(void *)o->packed;
  unsigned char *streams = o->packed + o->tiles * sizeof *end;
  uint64_t before = 0;
  for (int k = 0; k < o->n; k++) {
    const piece *p = &o->piece[k];
    const unsigned char *from = o->packed + p->at;
    const size_t table = p->tiles * sizeof *end;
    memcpy(end + p->first, from, table);
    const uint64_t bytes = end[p->first + p->tiles - 1];
    for (size_t t = 0; t < p->tiles; t++) end[p->first + t] += before;
    memmove(streams + before, from + table, bytes);
    before += bytes;
  }
}

static ria_status parts_await(void *self, void *ticket, char *err, size_t errsize) {
  const parts *s = self;
  outgoing *o = ticket;
  const ria_status status = wait_for(s, o, err, errsize);
  if (status == RIA_OK && o->packed) join_streams(o);
  free(o);
  return status;
}

size_t ria_parts_pack_bytes_here(void *self, const ria_packing *how) {
  const parts *s = self;
  return s->ops.pack_bytes && s->ops.pack ? parts_pack_bytes(self, how) : 0;
}

ria_status ria_parts_pack_here(void *self, int field, int tracer, const ria_packing *how, void *dst,
                               bool *there) {
  const parts *s = self;
  char err[WORDS] = "";
  void *ticket;
  *there = false;
  RIA_TRY(parts_pack(self, field, tracer, how, dst, &ticket));
  if (!ticket) return RIA_OK;
  const ria_status status = parts_await(self, ticket, err, sizeof err);
  if (status != RIA_OK) return ria_fail(s->ctx, status, "%s", err);
  *there = true;
  return RIA_OK;
}

void ria_parts_let_out(const ria_solver_ops *own, ria_solver_ops *whole) {
  if (!own->fetch || !own->await) return;
  whole->fetch = parts_fetch;
  whole->await = parts_await;
  if (!own->pack || !own->pack_bytes) return;
  whole->pack = parts_pack;
  whole->pack_bytes = parts_pack_bytes;
}
