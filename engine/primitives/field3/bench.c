/* bench.c - what `ria bench derivative` measures: eighth-order derivatives of a periodic field. */
#include "primitives/field3/calls.h"
#include "primitives/primitive.h"

#include "base/context.h"

#include <math.h>
#include <stdlib.h>

static const ria_primitive_case cases[] = {
    {"x", "d/dx, 8th order", 3, 256, RIA_F32, 8.0},
    {"y", "d/dy, 8th order", 3, 256, RIA_F32, 8.0},
    {"z", "d/dz, 8th order", 3, 256, RIA_F32, 8.0},
    {"gradient", "all three in one pass, 8th order", 3, 256, RIA_F32, 16.0},
    {"laplacian", "second derivatives, a pass for each axis, 8th order", 3, 256, RIA_F32, 8.0},
    {0}};
enum { CASE_GRADIENT = RIA_AXES, CASE_LAPLACIAN };

typedef struct bench {
  int what; /* an axis, or one of the above */
  ria_field3 *f, *out[RIA_AXES];
} bench;

static void bench_close(void *self) {
  bench *b = self;
  if (!b) return;
  ria_field3_destroy(&b->f);
  for (int a = 0; a < RIA_AXES; a++) ria_field3_destroy(&b->out[a]);
  free(b);
}

/* Not a constant: zeros are faster on some devices. */
static double ripple(void *user, double x, double y, double z) {
  (void)user;
  const double v = x + 2.3 * y + 5.1 * z;
  return v - floor(v);
}

static ria_status fill(ria_context *ctx, bench *b, int n, ria_real real) {
  ria_grid3 g = {{n, n, n}, {1.0, 1.0, 1.0}, {0}, {true, true, true}};
  for (int a = 0; a < RIA_AXES; a++) g.d[a] = 1.0 / n;
  RIA_TRY(ria_field3_create(ctx, &g, real, &b->f));
  for (int a = 0; a < (b->what == CASE_GRADIENT ? RIA_AXES : 1); a++)
    RIA_TRY(ria_field3_create(ctx, &g, real, &b->out[a]));
  return ria_field3_set_function(b->f, ripple, NULL);
}

static ria_status bench_open(ria_context *ctx, const ria_primitive_case *c, int n, ria_real real,
                             void **self) {
  bench *b = calloc(1, sizeof *b);
  if (!b) return ria_fail_memory(ctx, "a bench", sizeof *b);
  b->what = (int)(c - cases);
  const ria_status s = fill(ctx, b, n, real);
  if (s != RIA_OK) {
    bench_close(b);
    return s;
  }
  *self = b;
  return RIA_OK;
}

static ria_status once(bench *b) {
  if (b->what == CASE_GRADIENT) return ria_field3_gradient(b->f, 8, b->out);
  if (b->what == CASE_LAPLACIAN) return ria_field3_laplacian(b->f, 8, b->out[0]);
  return ria_field3_derivative(b->f, (ria_axis)b->what, 8, b->out[0]);
}

static ria_status bench_run(void *self, int64_t times) {
  bench *b = self;
  for (int64_t k = 0; k < times; k++) RIA_TRY(once(b));
  return b->f->ops->wait(b->f->ctx, &b->f->shape, b->f->data);
}

const ria_primitive ria_derivative_primitive = {
    .name = "derivative",
    .summary = "finite differences on fields of three dimensions (ria.field3)",
    .bench = cases,
    .open = bench_open,
    .run = bench_run,
    .close = bench_close};
