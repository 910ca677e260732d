/* tests/unit/toy_late.h - the solver of toy.h with the optional fetch and await of a device: what
 * is fetched comes late, from a thread of its own, into memory that holds rubbish until then. With
 * toy_packing_ops it packs too, as the host does. */
#ifndef RIA_TEST_TOY_LATE_H
#define RIA_TEST_TOY_LATE_H
#include "io/deflate.h"
#include "io/round.h"
#include "toy.h"
#include <pthread.h>
#include <time.h>

typedef struct toy_ticket {
  toy *owner;
  pthread_t thread;
  void *dst, *values;
  size_t bytes;
  bool fails;
} toy_ticket;

static void *toy_arrive(void *user) {
  toy_ticket *t = user;
  nanosleep(&(struct timespec){.tv_nsec = t->owner->late * 1000}, NULL);
  if (!t->fails) memcpy(t->dst, t->values, t->bytes);
  return NULL;
}

/* The mean of those of a block of cells that have a value. */
static double toy_mean(const toy *s, int field, int tracer, int i0, int j0, int coarse) {
  double sum = 0.0;
  int n = 0;
  for (int j = j0; j < j0 + coarse && j < s->grid.ny; j++)
    for (int i = i0; i < i0 + coarse && i < s->grid.nx; i++) {
      double v = toy_value(s, field, tracer, (size_t)j * (size_t)s->grid.nx + (size_t)i);
      if (isnan(v)) continue;
      sum += v;
      n++;
    }
  return n ? sum / n : NAN;
}

static ria_status toy_fetch(void *self, int field, int tracer, int coarse, ria_real real, void *dst,
                            void **ticket) {
  toy *s = self;
  toy_ticket *t = calloc(1, sizeof *t);
  int nx = (s->grid.nx + coarse - 1) / coarse, ny = (s->grid.ny + coarse - 1) / coarse;
  t->owner = s;
  t->dst = dst;
  t->bytes = (size_t)nx * (size_t)ny * ria_real_size(real);
  t->values = malloc(t->bytes);
  for (int k = 0; k < nx * ny; k++) {
    double v = toy_mean(s, field, tracer, k % nx * coarse, k / nx * coarse, coarse);
    if (real == RIA_F32)
      ((float *)t->values)[k] = (float)v;
    else
      ((double *)t->values)[k] = v;
  }
  memset(dst, 0x5A, t->bytes);
  s->fetched++;
  s->coarse = coarse;
  t->fails = s->fail_from && s->fetched >= s->fail_from;
  atomic_fetch_add(&s->at_it, 1);
  CHECK(pthread_create(&t->thread, NULL, toy_arrive, t) == 0);
  *ticket = t;
  return RIA_OK;
}

static int toy_parts(int n, int tile) { return (n + tile - 1) / tile; }

static size_t toy_pack_bytes(void *self, const ria_packing *how) {
  const toy *s = self;
  const size_t size = (size_t)how->tile_x * (size_t)how->tile_y * ria_real_size(how->real);
  const int tiles = toy_parts(s->grid.nx, how->tile_x) * toy_parts(s->grid.ny, how->tile_y);
  return (size_t)tiles * (sizeof(uint64_t) + ria_deflate_bound(size));
}

/* The stream of a tile of doubles; its bytes, 0 when it has no value. */
static size_t toy_pack_tile(const toy *s, int field, int tracer, const ria_packing *how, int tile,
                            unsigned char *to) {
  const int across = toy_parts(s->grid.nx, how->tile_x), n = how->tile_x * how->tile_y;
  double *v = malloc((size_t)n * sizeof *v);
  size_t bytes = ria_deflate_bound((size_t)n * sizeof *v);
  for (int k = 0; k < n; k++) {
    const int i = tile % across * how->tile_x + k % how->tile_x;
    const int j = tile / across * how->tile_y + k / how->tile_x;
    const size_t at = (size_t)j * (size_t)s->grid.nx + (size_t)i;
    v[k] = i < s->grid.nx && j < s->grid.ny ? toy_value(s, field, tracer, at) : (double)NAN;
  }
  const bool some = ria_round_f64(v, v, (size_t)n, how->precision);
  CHECK(ria_deflate(v, (size_t)n * sizeof *v, 1, to, &bytes));
  free(v);
  return some ? bytes : 0;
}

static ria_status toy_pack(void *self, int field, int tracer, const ria_packing *how, void *dst,
                           void **ticket) {
  toy *s = self;
  *ticket = NULL;
  if (++s->packed <= s->refuse) return RIA_OK;
  CHECK_INT(how->real, RIA_F64);
  toy_ticket *t = calloc(1, sizeof *t);
  const int tiles = toy_parts(s->grid.nx, how->tile_x) * toy_parts(s->grid.ny, how->tile_y);
  *t = (toy_ticket){.owner = s, .dst = dst, .bytes = toy_pack_bytes(s, how)};
  uint64_t *end = t->values = calloc(1, t->bytes), at = 0;
  for (int k = 0; k < tiles; k++)
    end[k] = at += toy_pack_tile(s, field, tracer, how, k, (unsigned char *)(end + tiles) + at);
  t->fails = s->fail_from && s->packed >= s->fail_from;
  memset(dst, 0x5A, t->bytes);
  atomic_fetch_add(&s->at_it, 1);
  CHECK(pthread_create(&t->thread, NULL, toy_arrive, t) == 0);
  *ticket = t;
  return RIA_OK;
}

static ria_status toy_await(void *self, void *ticket, char *err, size_t errsize) {
  toy *s = self;
  toy_ticket *t = ticket;
  pthread_join(t->thread, NULL);
  ria_status status = t->fails ? RIA_ERR_DEVICE : RIA_OK;
  if (t->fails) snprintf(err, errsize, "the copy was lost on its way");
  free(t->values);
  free(t);
  atomic_fetch_add(&s->waited, 1);
  atomic_fetch_sub(&s->at_it, 1);
  return status;
}

TEST_UNUSED static const ria_solver_ops toy_late_ops = {TOY_OPS, .fetch = toy_fetch,
                                                        .await = toy_await};

TEST_UNUSED static const ria_solver_ops toy_packing_ops = {TOY_OPS, .fetch = toy_fetch,
                                                           .pack_bytes = toy_pack_bytes,
                                                           .pack = toy_pack, .await = toy_await};

/* The same solver, fetching. */
TEST_UNUSED static ria_solver toy_late(void) {
  ria_solver late = toy_solver;
  late.cpu = &toy_late_ops;
  return late;
}

#endif
