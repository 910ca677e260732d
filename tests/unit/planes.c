/* Planes of cells: what solvers on them share, through the functions an engine calls. */
#include <ria/planes.h>
#include "base/context.h"
#include "test.h"

#include <stdlib.h>

enum { NX = 5, NY = 3, CELLS = NX * NY };
enum { HEIGHT, TWICE };

typedef struct slab {
  ria_planes p;
  void *height;
} slab;

static void *plane(const void *self, int field, int tracer) {
  (void)tracer;
  return field == HEIGHT ? ((const slab *)self)->height : NULL;
}
static double value(const void *self, int field, int tracer, int i, int j) {
  const slab *s = self;
  (void)field, (void)tracer;
  return 2 * ria_plane_get(&s->p, s->height, ria_plane_at(&s->p, i, j));
}
static const char *refuses(int field, double v) {
  return field == HEIGHT && v < 0 ? "must not be negative" : NULL;
}
static void *quantity(const void *self, int q) {
  return q == 0 ? ((const slab *)self)->height : NULL;
}
static double density(const void *self, int q, int i, int j) {
  return value(self, TWICE, -1, i, j) * q;
}
static const ria_field_info fields[] = {{.name = "height"}, {.name = "twice"}, {0}};
static const ria_plane_callbacks call = {.plane = plane,
                                         .value = value,
                                         .refuses = refuses,
                                         .quantity = quantity,
                                         .density = density,
                                         .fields = fields};

static slab make(ria_context *ctx, ria_real real) {
  slab s = {0};
  const ria_solver_setup setup = {.ctx = ctx,
                                  .backend = ria_context_backend(ctx),
                                  .threads = 2,
                                  .grid = {NX, NY, 2, 3, 0, 0, 0},
                                  .real = real};
  CHECK_OK(ctx, ria_planes_init(&s.p, &setup, &call, 2));
  CHECK_OK(ctx, ria_plane_alloc(&s.p, &s.height));
  return s;
}

static void end(slab *s) {
  ria_plane_free(&s->p, s->height);
  ria_planes_free(&s->p);
}

static void in_and_out(ria_context *ctx, ria_real real) {
  slab s = make(ctx, real);
  double v[CELLS], back[CELLS], sampled[2];
  float single[CELLS];
  for (int k = 0; k < CELLS; k++) v[k] = k;
  CHECK_OK(ctx, ria_planes_write(&s, HEIGHT, -1, v));
  CHECK_OK(ctx, ria_planes_read(&s, HEIGHT, -1, false, 0, NY, RIA_F64, back));
  CHECK_OK(ctx, ria_planes_read(&s, TWICE, -1, false, 1, 2, RIA_F32, single));
  for (int k = 0; k < CELLS; k++) CHECK(back[k] == k);
  for (int k = NX; k < CELLS; k++) CHECK(single[k - NX] == (float)(2 * k));
  CHECK_OK(ctx, ria_planes_sample(&s, TWICE, -1, 2, (int32_t[]){3, 14}, sampled));
  CHECK(sampled[0] == 6 && sampled[1] == 28);
  CHECK_OK(ctx, ria_planes_add(&s, 0, 1, (int32_t[]){7}, (double[]){6}));
  CHECK_OK(ctx, ria_planes_sample(&s, HEIGHT, -1, 1, (int32_t[]){7}, sampled));
  CHECK(sampled[0] == 8); /* 6 over 2 x 3 */
  CHECK_FAILS(ctx, ria_planes_write(&s, TWICE, -1, v), RIA_ERR_ARGUMENT,
              "twice is worked out and cannot be set");
  v[8] = -2;
  CHECK_FAILS(ctx, ria_planes_write(&s, HEIGHT, -1, v), RIA_ERR_ARGUMENT,
              "height = -2 in cell (3, 1): it must not be negative");
  v[1] = NAN;
  CHECK_STATUS(ctx, ria_planes_write(&s, HEIGHT, -1, v), RIA_ERR_ARGUMENT);
  ria_quantity_totals t[2];
  CHECK_OK(ctx, ria_planes_totals(&s, t));
  CHECK(t[0].stored == 6 * (14 * 15 / 2 + 1) && t[1].stored == 2 * t[0].stored);
  end(&s);
}

static void maxima(ria_context *ctx, ria_real real) {
  slab s = make(ctx, real);
  double v[CELLS] = {0}, most[CELLS];
  CHECK_STATUS(ctx, ria_planes_read(&s, HEIGHT, -1, true, 0, NY, RIA_F64, most), RIA_ERR_ARGUMENT);
  v[4] = 3;
  CHECK_OK(ctx, ria_planes_write(&s, HEIGHT, -1, v));
  CHECK_OK(ctx, ria_planes_track(&s, HEIGHT, -1));
  CHECK_OK(ctx, ria_planes_track(&s, TWICE, -1));
  v[4] = 1;
  v[9] = 5;
  CHECK_OK(ctx, ria_planes_write(&s, HEIGHT, -1, v));
  ria_planes_keep_maxima(&s.p);
  for (int field = HEIGHT; field <= TWICE; field++) {
    CHECK_OK(ctx, ria_planes_read(&s, field, -1, true, 0, NY, RIA_F64, most));
    CHECK(most[4] == 3 * (1 + field) && most[9] == 5 * (1 + field) && most[0] == 0);
  }
  end(&s);
}

static ria_status force(slab *s, int n, int first) {
  static const ria_forcing entry[] = {{.kind = RIA_FORCING_CONSTANT},
                                      {.kind = RIA_FORCING_CONSTANT, .base = 4}};
  static const int32_t cell[] = {2};
  static const double weight[] = {1};
  ria_stretch stretch[5] = {{0}};
  int32_t owner[NX] = {0};
  for (int k = 0; k < NX; k++) owner[k] = k == 0 ? first : 0;
  const ria_source source = {0, 1, 1.0, 2.5, 1, cell, weight};
  const ria_forcing_set set = {.table = {entry, NULL, 2, 0},
                               .boundary = {n, stretch, {owner, owner, owner, owner}, NULL, 0},
                               .n_sources = 1,
                               .sources = &source};
  return ria_planes_force(s, &set);
}

static void forcing(ria_context *ctx) {
  slab s = make(ctx, RIA_F64);
  double in[10], out[10];
  CHECK_OK(ctx, force(&s, 4, 3));
  CHECK(!s.p.ready);
  ria_planes_cross(&s.p, RIA_SOUTH, 0, 1, 2.5);
  ria_planes_cross(&s.p, RIA_SOUTH, 1, 0, -1.5);
  CHECK_OK(ctx, ria_planes_fluxes(&s, 4, in, out));
  CHECK(in[3 * 2 + 1] == 2.5 && out[0] == 1.5 && in[0] == 0 && out[3 * 2 + 1] == 0);
  CHECK_OK(ctx, force(&s, 5, 4)); /* the cell changes hands: what it counted stays with the old */
  ria_planes_cross(&s.p, RIA_SOUTH, 0, 1, 1);
  CHECK_OK(ctx, ria_planes_fluxes(&s, 5, in, out));
  CHECK(in[3 * 2 + 1] == 2.5 && in[4 * 2 + 1] == 1 && out[0] == 1.5);
  CHECK(ria_planes_given(&s.p, 0, 0.5, 1) == 2); /* runs for half of it */
  CHECK(ria_planes_given(&s.p, 0, 3, 1) == 0);
  end(&s);
}

/* Sources that share a cell, each with what is too little for it yet; stretches and where they lie
 * on their sides. */
static void rivers(ria_context *ctx) {
  enum { N = 40 };
  slab s = make(ctx, RIA_F32);
  static const ria_forcing entry[] = {
      {.kind = RIA_FORCING_CONSTANT},
      {.kind = RIA_FORCING_LINEAR, .count = 3, .base = 0, .scale = 1}};
  static const double data[] = {0, 0, 10, 1e-9, 20, 0};
  static const double weight[] = {0.5, 0.5};
  int32_t cell[N][2];
  ria_source source[N];
  ria_stretch stretch[6] = {{0}};
  int32_t west[NX + NY] = {0}, south[NX + NY] = {0};
  for (int k = 0; k < N; k++) {
    cell[k][0] = k % (NX * NY);
    cell[k][1] = (k + 1) % (NX * NY);
    source[k] = (ria_source){0, 1, 0, 20, 2, cell[k], weight};
  }
  stretch[5].side = RIA_SOUTH;
  for (int k = 0; k < NX; k++) south[k] = k == 1 || k == 3 ? 5 : RIA_SOUTH;
  const ria_forcing_set set = {.table = {entry, data, 2, 6},
                               .boundary = {6, stretch, {west, west, south, west}, NULL, 0},
                               .n_sources = N,
                               .sources = source};
  CHECK_OK(ctx, ria_planes_force(&s, &set));
  CHECK(s.p.reach[5].from == 1 && s.p.reach[5].to == 4);
  CHECK(s.p.reach[4].from == 0 && s.p.reach[4].to == 0);
  CHECK_NEAR(ria_planes_given(&s.p, 7, 4, 2), 1e-9, 1e-21);
  void *plane = NULL;
  CHECK_OK(ctx, ria_plane_alloc(&s.p, &plane));
  for (size_t at = 0; at < s.p.size; at++) ((float *)plane)[at] = 1;
  for (int k = 0; k < N; k++) CHECK(ria_planes_give(&s.p, k, 4, 2, plane, NULL));
  for (int e = 0; e < 2 * N; e++)
    CHECK_NEAR(s.p.source_owed[e], 0.5e-9 / (s.p.grid.dx * s.p.grid.dy), 1e-22);
  ria_plane_free(&s.p, plane);
  end(&s);
}

int main(void) {
  ria_context *ctx = NULL;
  int last = 0;
  CHECK_OK(NULL, ria_context_create(NULL, &ctx));
  for (int real = 0; real < 2; real++) {
    in_and_out(ctx, (ria_real)real);
    maxima(ctx, (ria_real)real);
  }
  forcing(ctx);
  rivers(ctx);
  CHECK(ria_landing_step(1, 5, &last) == 1 && !last);
  CHECK(ria_landing_step(1, 1.5, &last) == 0.75 && !last);
  CHECK(ria_landing_step(1, 0.75, &last) == 0.75 && last);
  const double v[] = {1, 1e100, 1, -1e100};
  CHECK(ria_ordered_sum(v, 4) == 2);
  ria_context_destroy(&ctx);
  return TEST_END();
}
