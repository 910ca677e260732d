/* Saves of ranks whose device packs, with a device that stands in for GPUs: the chunks are those of
 * one process with the whole grid, byte for byte, wherever ranks and parts are cut; where a device
 * lacks memory the host packs what it has; what fails on one rank is told to all. */
#include "base/context.h"
#include "run/run.h"
#include "io/file.h"
#include "borrowed.h"
#include "by_threads.h"
#include <ria/event.h>
#include <ria/output.h>
#include <ria/planes.h>
#include <ria/sim.h>
#include <ria/solver.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 11, NY = 23, TILE = 6, BAD = 1, FRAMES = 2 };

typedef struct job {
  const ria_solver *solver;
  const char *out;
  int parts;
  double precision;
  bool single;
  bool lacks, fails; /* the device of rank BAD lacks memory; cannot copy */
} job;

static _Thread_local const job *doing;
static _Thread_local int rank;
static _Thread_local ria_context *ctx;
static char dir[64] = "/tmp/ria-packed-XXXXXX";
static int packed; /* fields of parts, by the device */

/* --- a device --------------------------------------------------------------------------------- */

static int before(const ria_packing *how, int row) { return (row + how->tile_y - 1) / how->tile_y; }
static int across(const ria_packing *how) { return (NX + how->tile_x - 1) / how->tile_x; }
static size_t size_of(const ria_packing *how) { return how->real == RIA_F32 ? 4 : 8; }
static ria_part rows_of(void *self) { return ((const ria_planes *)self)->part; }

static size_t pack_bytes(void *self, const ria_packing *how) {
  const ria_part rows = rows_of(self);
  const size_t tile = 1 + (size_t)(how->tile_x * how->tile_y) * size_of(how);
  const int tiles = (before(how, rows.j1) - before(how, rows.j0)) * across(how);
  return (size_t)tiles * (sizeof(uint64_t) + tile);
}

/* A byte that no host packs, and the tile's values as they are. */
static size_t pack_tile(const char *rows, int nj, const ria_packing *how, int ti, int tj,
                        unsigned char *to) {
  const size_t size = size_of(how);
  const int i0 = ti * how->tile_x, n = NX - i0 < how->tile_x ? NX - i0 : how->tile_x;
  size_t at = 0;
  to[at++] = (unsigned char)(7 + (how->precision > 0));
  for (int j = tj * how->tile_y; j < (tj + 1) * how->tile_y && j < nj; j++, at += (size_t)n * size)
    memcpy(to + at, rows + ((size_t)j * NX + (size_t)i0) * size, (size_t)n * size);
  return at;
}

static ria_status pack(void *self, int field, int tracer, const ria_packing *how, void *dst,
                       void **ticket) {
  const ria_part rows = rows_of(self);
  const int first = before(how, rows.j0), last = before(how, rows.j1);
  const int j0 = first * how->tile_y, end = last * how->tile_y < NY ? last * how->tile_y : NY;
  const int tiles = (last - first) * across(how);
  const size_t row = NX * size_of(how);
  uint64_t *ends = dst, at = 0;
  *ticket = NULL;
  if (rank == BAD && doing->lacks) return RIA_OK;
  char *v = malloc((size_t)(end - j0) * row);
  const int mine = (end < rows.j1 ? end : rows.j1) - j0;
  RIA_TRY(base.read(self, field, tracer, false, j0, mine, how->real, v));
  if (end > rows.j1) {
    CHECK(how->beyond);
    memcpy(v + (size_t)mine * row, how->beyond, (size_t)(end - rows.j1) * row);
  }
  for (int k = 0; k < tiles; k++)
    ends[k] = at += pack_tile(v, end - j0, how, k % across(how), k / across(how),
                              (unsigned char *)(ends + tiles) + at);
  free(v);
  __atomic_add_fetch(&packed, 1, __ATOMIC_RELAXED);
  *ticket = malloc(1);
  return RIA_OK;
}

static ria_status fetch(void *self, int field, int tracer, int coarse, ria_real real, void *dst,
                        void **ticket) {
  CHECK_INT(coarse, 1);
  *ticket = malloc(1);
  return base.read(self, field, tracer, false, 0, NY, real, dst);
}

static ria_status await_one(void *self, void *ticket, char *err, size_t errsize) {
  (void)self;
  free(ticket);
  if (rank != BAD || !doing->fails) return RIA_OK;
  snprintf(err, errsize, "the copy was lost on its way");
  return RIA_ERR_DEVICE;
}

/* --- runs ------------------------------------------------------------------------------------- */

static ria_sim *begin(ria_comm *comm, const job *j) {
  static const char *const fields[] = {"level", "bed", "u"};
  const ria_context_desc desc = {
      .device = "cpu", .threads = 1, .writers = 1, .parts = j->parts, .comm = comm};
  double bed[NX * NY], level[NX * NY];
  ria_sim *sim = NULL;
  ria_action save;
  ria_handle every;
  doing = j;
  rank = comm ? comm->rank : 0;
  for (int k = 0; k < NX * NY; k++) {
    bed[k] = -2 + sin(0.1 * k);
    level[k] = 0.3 * cos(0.07 * k);
  }
  CHECK_OK(NULL, ria_context_create(&desc, &ctx));
  CHECK_OK(ctx, ria_solver_register(ctx, j->solver));
  const ria_sim_desc of = {.solver = j->solver->name,
                           .grid = {NX, NY, 1, 1, 0, 0, 0},
                           .precision = j->single ? RIA_F32 : RIA_F64,
                           .out = j->out,
                           .overwrite = true,
                           .no_page = true}; /* it reads chunks, which these bytes are not */
  CHECK_OK(ctx, ria_sim_create(ctx, &of, &sim));
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  CHECK_OK(ctx, ria_sim_set(sim, "level", level));
  const ria_save_desc what = {
      .fields = fields, .n_fields = 3, .tile = TILE, .precision = j->precision};
  CHECK_OK(ctx, ria_save_action(sim, &what, &save));
  CHECK_OK(ctx, ria_sim_every(sim, 1, 0, INFINITY, &save, &every));
  CHECK_OK(ctx, ria_sim_track_maximum(sim, "level"));
  return sim;
}

static void end(ria_sim *sim) {
  ria_sim_destroy(&sim);
  ria_context_leave(ctx, 0);
  ria_context_destroy(&ctx);
}

static void runs(ria_comm *comm, void *user) {
  ria_sim *sim = begin(comm, user);
  CHECK_OK(ctx, ria_sim_run(sim, FRAMES - 0.5));
  end(sim);
}

static void breaks(ria_comm *comm, void *user) {
  ria_sim *sim = begin(comm, user);
  CHECK_STATUS(ctx, ria_sim_run(sim, FRAMES - 0.5), RIA_ERR_DEVICE);
  CHECK_TEXT(ria_error(ctx),
             rank == BAD ? "the copy was lost on its way" : "rank 1: the copy was lost on its way");
  end(sim);
}

/* --- what they leave -------------------------------------------------------------------------- */

static size_t read_chunk(const char *out, const char *name, char *data, size_t most) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", out, name);
  FILE *f = fopen(path, "rb");
  if (!f) return 0;
  const size_t n = fread(data, 1, most, f);
  fclose(f);
  return n;
}

static int same(const char *a, const char *b, const char *name) {
  char x[4096], y[4096];
  const size_t n = read_chunk(a, name, x, sizeof x), m = read_chunk(b, name, y, sizeof y);
  if (n == m && memcmp(x, y, n) == 0) return n > 0;
  printf("%s/%s has %zu bytes that are not the %zu bytes of %s\n", b, name, m, n, a);
  CHECK(false);
  return 0;
}

static int compare(const char *a, const char *b) {
  char name[64];
  int chunks = 0;
  for (int tj = 0; tj <= NY / TILE; tj++)
    for (int ti = 0; ti <= NX / TILE; ti++) {
      for (int k = 0; k < FRAMES; k++) {
        snprintf(name, sizeof name, "fields.zarr/level/%d.%d.%d", k, tj, ti);
        chunks += same(a, b, name);
        snprintf(name, sizeof name, "fields.zarr/u/%d.%d.%d", k, tj, ti);
        chunks += same(a, b, name);
      }
      snprintf(name, sizeof name, "fields.zarr/bed/%d.%d", tj, ti);
      chunks += same(a, b, name);
      snprintf(name, sizeof name, "maxima.zarr/level/%d.%d", tj, ti);
      same(a, b, name);
    }
  return chunks;
}

/* cuts[n]: ranks, and parts of each. */
static void ranks_as_one(const ria_solver *solver, bool single, double precision, int n,
                         const int (*cuts)[2]) {
  const int tiles = (NX + TILE - 1) / TILE * ((NY + TILE - 1) / TILE);
  char one[80], many[80];
  snprintf(one, sizeof one, "%s/one", dir);
  snprintf(many, sizeof many, "%s/many", dir);
  job j = {.solver = solver, .out = one, .parts = 1, .precision = precision, .single = single};
  runs(NULL, &j);
  CHECK(packed > 0);
  for (int k = 0; k < n; k++) {
    j.out = many;
    j.parts = cuts[k][0] * cuts[k][1];
    packed = 0;
    ranks_run(cuts[k][0], runs, &j);
    CHECK(packed > 0);
    CHECK_INT(compare(one, many), (2 * FRAMES + 1) * tiles);
  }
}

/* The rank that lacks memory packs on the host: its chunks are those of a run without a device. */
static void one_lacks(const ria_solver *solver, const ria_solver *plain) {
  char by_host[80], many[80];
  snprintf(by_host, sizeof by_host, "%s/host", dir);
  snprintf(many, sizeof many, "%s/lacks", dir);
  job j = {.solver = plain, .out = by_host, .parts = 1};
  runs(NULL, &j);
  j = (job){.solver = solver, .out = many, .parts = 4, .lacks = true};
  ranks_run(2, runs, &j); /* rows 12 on are rank 1's */
  CHECK_INT(same(by_host, many, "fields.zarr/level/1.3.0"), 1);
  CHECK_INT(same(by_host, many, "fields.zarr/u/1.3.1"), 1);
}

static void one_fails(const ria_solver *solver) {
  char out[80];
  snprintf(out, sizeof out, "%s/fails", dir);
  job j = {.solver = solver, .out = out, .parts = 3, .fails = true};
  ranks_run(3, breaks, &j);
}

int main(void) {
  ria_solver packing;
  if (!borrow("shallow_water", "packing", &packing)) return 0;
  own.fetch = fetch;
  own.pack_bytes = pack_bytes;
  own.pack = pack;
  own.await = await_one;
  if (!CHECK(mkdtemp(dir) != NULL)) return TEST_END();
  ranks_as_one(&packing, false, 0, 4, (const int[][2]){{2, 1}, {3, 2}, {4, 3}, {7, 1}});
  ranks_as_one(&packing, true, 1e-3, 1, (const int[][2]){{3, 2}});
  const ria_solver *found;
  ria_solver plain = packing;
  if (!CHECK_OK(NULL, ria_solver_find(NULL, "shallow_water", &found))) return TEST_END();
  plain.name = "plain";
  plain.cpu = found->cpu;
  one_lacks(&packing, &plain);
  one_fails(&packing);
  char err[256];
  CHECK_INT(ria_tree_remove(dir, err, sizeof err), RIA_OK);
  return TEST_END();
}
