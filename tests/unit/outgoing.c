/* Fields of a grid in parts on their way out: copied, as means and packed, by a device that stands
 * in for GPUs. What the whole tells is what one with the whole grid does, byte for byte, wherever
 * cuts lie; what fails on the way leaves nothing under way. */
#include "base/context.h"
#include "device.h"
#include "parts/parts.h"
#include "test.h"
#include <ria/solver.h>

#include <stdlib.h>
#include <string.h>

enum { NX = 11, MOST_NY = 29, MOST = NX * MOST_NY };

static double field[MOST];
static ria_grid grid;
static int under_way;          /* tickets */
static int fails_at, lacks_at; /* rows of the part that does; -1: none */

/* --- a device --------------------------------------------------------------------------------- */

typedef struct device {
  ria_context *ctx;
  ria_part rows;
} device;

static ria_status create(const ria_solver_setup *setup, void **self) {
  device *d = malloc(sizeof *d);
  if (!d) return RIA_ERR_MEMORY;
  *d = (device){setup->ctx, setup->part.j1 ? setup->part : (ria_part){0, setup->grid.ny}};
  *self = d;
  return RIA_OK;
}

static int shared_rows(void *self, ria_side side, int most, ria_shared_row *rows) {
  (void)self, (void)side, (void)most, (void)rows;
  return 0;
}

static void put(ria_real real, void *dst, size_t at, double v) {
  if (real == RIA_F32)
    ((float *)dst)[at] = (float)v;
  else
    ((double *)dst)[at] = v;
}

static ria_status read_field(void *self, int f, int tracer, bool maximum, int j0, int nj,
                             ria_real real, void *dst) {
  const device *d = self;
  CHECK(f == 3 && tracer == -1 && !maximum);
  for (int j = j0; j < j0 + nj; j++)
    for (int i = 0; i < NX && j >= d->rows.j0 && j < d->rows.j1; i++)
      put(real, dst, (size_t)(j - j0) * NX + (size_t)i, field[j * NX + i]);
  return RIA_OK;
}

static double mean_of(int coarse, int ci, int cj) {
  double sum = 0;
  int n = 0;
  for (int j = cj * coarse; j < (cj + 1) * coarse && j < grid.ny; j++)
    for (int i = ci * coarse; i < (ci + 1) * coarse && i < NX; i++) {
      const double v = field[j * NX + i];
      if (!isnan(v)) sum += v, n++;
    }
  return n > 1 ? sum / n : n ? sum : (double)NAN;
}

static ria_status take_ticket(const device *d, void **ticket) {
  if (d->rows.j0 == fails_at) return ria_fail(d->ctx, RIA_ERR_DEVICE, "no more");
  *ticket = malloc(1);
  if (!*ticket) return RIA_ERR_MEMORY;
  under_way++;
  return RIA_OK;
}

/* Of means those alone of which it has all cells. */
static ria_status fetch(void *self, int f, int tracer, int coarse, ria_real real, void *dst,
                        void **ticket) {
  const device *d = self;
  const int width = (NX + coarse - 1) / coarse;
  CHECK(f == 3 && tracer == -1);
  for (int j = (d->rows.j0 + coarse - 1) / coarse; j * coarse < d->rows.j1; j++)
    for (int i = 0; i < width && ((j + 1) * coarse <= d->rows.j1 || d->rows.j1 == grid.ny); i++)
      put(real, dst, (size_t)j * (size_t)width + (size_t)i,
          coarse > 1 ? mean_of(coarse, i, j) : field[j * NX + i]);
  return take_ticket(d, ticket);
}

/* Rows of tiles that begin before a row. */
static int before(const ria_packing *how, int row) { return (row + how->tile_y - 1) / how->tile_y; }

static size_t pack_bytes(void *self, const ria_packing *how) {
  const device *d = self;
  const size_t across = (size_t)((NX + how->tile_x - 1) / how->tile_x);
  const size_t tiles = (size_t)(before(how, d->rows.j1) - before(how, d->rows.j0)) * across;
  if (how->precision > 0) return 0;
  return tiles * (sizeof(uint64_t) + 1 + (size_t)(how->tile_x * how->tile_y) * sizeof(double));
}

/* A value of the part, or one handed to it. */
static double value_at(const device *d, const ria_packing *how, int i, int j) {
  if (j < d->rows.j1) return field[j * NX + i];
  const size_t at = (size_t)(j - d->rows.j1) * NX + (size_t)i;
  if (!CHECK(how->beyond)) return 0;
  return how->real == RIA_F32 ? (double)((const float *)how->beyond)[at]
                              : ((const double *)how->beyond)[at];
}

/* A byte for each tile with a value, and its values as `real`. */
static size_t pack_tile(const device *d, const ria_packing *how, int ti, int tj,
                        unsigned char *out) {
  size_t n = 0;
  bool some = false;
  out[n++] = (unsigned char)(3 * ti + 5 * tj);
  for (int j = tj * how->tile_y; j < (tj + 1) * how->tile_y && j < grid.ny; j++)
    for (int i = ti * how->tile_x; i < (ti + 1) * how->tile_x && i < NX; i++) {
      const double v = value_at(d, how, i, j);
      const size_t size = how->real == RIA_F32 ? sizeof(float) : sizeof v;
      double as;
      put(how->real, &as, 0, v);
      some |= !isnan(v);
      memcpy(out + n, &as, size);
      n += size;
    }
  return some ? n : 0;
}

static ria_status pack(void *self, int f, int tracer, const ria_packing *how, void *dst,
                       void **ticket) {
  const device *d = self;
  const int across = (NX + how->tile_x - 1) / how->tile_x;
  const int first = before(how, d->rows.j0), last = before(how, d->rows.j1);
  uint64_t *end = dst, n = 0;
  unsigned char *streams = (unsigned char *)(end + (last - first) * across);
  CHECK(f == 3 && tracer == -1);
  *ticket = NULL;
  if (d->rows.j0 == lacks_at) return RIA_OK;
  for (int k = 0; k < (last - first) * across; k++) {
    n += pack_tile(d, how, k % across, first + k / across, streams + n);
    end[k] = n;
  }
  return take_ticket(d, ticket);
}

static ria_status await_one(void *self, void *ticket, char *err, size_t errsize) {
  (void)self, (void)err, (void)errsize;
  free(ticket);
  under_way--;
  return RIA_OK;
}

static const ria_solver_ops ops = {.create = create,
                                   .destroy = free,
                                   .read = read_field,
                                   .fetch = fetch,
                                   .pack_bytes = pack_bytes,
                                   .pack = pack,
                                   .await = await_one,
                                   .shared_rows = shared_rows};

/* --- the whole beside parts ------------------------------------------------------------------- */

static ria_solver_ops whole_ops(void) {
  ria_solver_ops all = ria_parts_ops;
  CHECK(!all.fetch && !all.pack && !all.pack_bytes && !all.await);
  ria_parts_let_out(&ops, &all);
  return all;
}

static void await_all(const ria_solver_ops *all, void *self, void *ticket) {
  char err[64];
  CHECK_INT(all->await(self, ticket, err, sizeof err), RIA_OK);
  CHECK_INT(under_way, 0);
}

static void compare_fetched(ria_context *ctx, const ria_solver_ops *all, void *self, void *one,
                            int coarse, ria_real real) {
  double a[MOST], b[MOST];
  void *ticket = NULL;
  memset(a, 7, sizeof a);
  memset(b, 7, sizeof b);
  CHECK_OK(ctx, ops.fetch(one, 3, -1, coarse, real, a, &ticket));
  await_all(&ops, one, ticket);
  CHECK_OK(ctx, all->fetch(self, 3, -1, coarse, real, b, &ticket));
  await_all(all, self, ticket);
  CHECK(memcmp(a, b, sizeof a) == 0);
}

static void compare_packed(ria_context *ctx, const ria_solver_ops *all, void *self, void *one,
                           int tile, ria_real real) {
  const ria_packing how = {.tile_x = tile < NX ? tile : NX, .tile_y = tile, .real = real};
  const size_t bytes = all->pack_bytes(self, &how), own = ops.pack_bytes(one, &how);
  const size_t tiles = (size_t)((NX + how.tile_x - 1) / how.tile_x * before(&how, grid.ny));
  uint64_t *a = malloc(own), *b = malloc(bytes);
  void *ticket = NULL;
  if (!a || !b) exit(1);
  CHECK_OK(ctx, ops.pack(one, 3, -1, &how, a, &ticket));
  await_all(&ops, one, ticket);
  CHECK_OK(ctx, all->pack(self, 3, -1, &how, b, &ticket));
  await_all(all, self, ticket);
  CHECK(memcmp(a, b, tiles * sizeof *a + a[tiles - 1]) == 0);
  free(a);
  free(b);
}

static void fill(int ny, uint64_t seed) {
  for (int k = 0; k < NX * ny; k++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const bool land = (k / NX) / 6 % 2 && seed >> 62;
    field[k] = land ? (double)NAN : (double)(seed >> 40) * 1e-3;
  }
}

static void compare(ria_context *ctx, int ny, int n) {
  grid = (ria_grid){NX, ny, 1, 1, 0, 0, 0};
  const ria_solver_setup setup = {
      .ctx = ctx, .backend = ria_context_backend(ctx), .threads = 1, .grid = grid};
  const ria_solver_ops all = whole_ops();
  void *self = NULL, *one = NULL;
  fill(ny, (uint64_t)(ny * 16 + n));
  CHECK_OK(ctx, ria_parts_create(&setup, &ops, &ops, n, NULL, 1, &self));
  CHECK_OK(ctx, ops.create(&setup, &one));
  for (int real = 0; real < 2; real++) {
    for (int coarse = 1; coarse < 9; coarse++)
      compare_fetched(ctx, &all, self, one, coarse, (ria_real)real);
    for (int tile = 1; tile < 33; tile += tile < 8 ? 1 : 6)
      compare_packed(ctx, &all, self, one, tile, (ria_real)real);
  }
  const ria_packing rounded = {.tile_x = 4, .tile_y = 4, .precision = 0.1};
  CHECK_INT((int)all.pack_bytes(self, &rounded), 0); /* a part cannot */
  ops.destroy(one);
  all.destroy(self);
}

/* The second part of three. */
static void fails(ria_context *ctx) {
  grid = (ria_grid){NX, 12, 1, 1, 0, 0, 0};
  const ria_solver_setup setup = {
      .ctx = ctx, .backend = ria_context_backend(ctx), .threads = 1, .grid = grid};
  const ria_solver_ops all = whole_ops();
  const ria_packing how = {.tile_x = 4, .tile_y = 3};
  void *self = NULL, *ticket = NULL;
  double room[4 * MOST];
  CHECK_OK(ctx, ria_parts_create(&setup, &ops, &ops, 3, NULL, 1, &self));
  fails_at = 4;
  CHECK_FAILS(ctx, all.fetch(self, 3, -1, 5, RIA_F64, room, &ticket), RIA_ERR_DEVICE, "no more");
  CHECK(!ticket && under_way == 0);
  CHECK_FAILS(ctx, all.pack(self, 3, -1, &how, room, &ticket), RIA_ERR_DEVICE, "no more");
  CHECK(!ticket && under_way == 0);
  fails_at = -1;
  lacks_at = 8;
  CHECK_OK(ctx, all.pack(self, 3, -1, &how, room, &ticket));
  CHECK(!ticket && under_way == 0);
  lacks_at = -1;
  all.destroy(self);
}

int main(void) {
  ria_context *ctx = test_context("cpu", 1);
  fails_at = lacks_at = -1;
  for (int ny = 2; ny <= MOST_NY; ny += ny < 6 ? 1 : 4)
    for (int n = 2; n <= 7 && n <= ny; n++) compare(ctx, ny, n);
  fails(ctx);
  ria_context_destroy(&ctx);
  return TEST_END();
}
