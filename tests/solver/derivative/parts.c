/* Fields of three dimensions in parts of whole planes: every operation, order, kind of ends and
 * precision has the bits of a field in one part, in 2 to 9 parts of it, down to parts of one plane.
 *
 * RIA_TEST_DEVICE ("cpu"): "cuda:0-1" is a field on two GPUs beside one on the first; of more parts
 * than GPUs some lie on one. */
#include "cases.h"

enum { MOST = 9 };
enum { DX, DY, DZ, GRADIENT, LAPLACIAN, DIVERGENCE, CURL, COMBINE, MULTIPLY, FILL, OPERATIONS };
static const char *const names[] = {"d/dx",       "d/dy", "d/dz",    "gradient", "laplacian",
                                    "divergence", "curl", "combine", "multiply", "fill"};

/* z: as few as orders 2 and 8 take, and more. */
static const int sizes[][3] = {
    {10, 11, 4}, {12, 10, 10}, {67, 13, 11}, {21, 18, 33}, {140, 70, 40}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static ria_context *context_of(const char *device, int parts) {
  test_parts = parts;
  return test_context(device, 0);
}

typedef struct side {
  ria_context *ctx;
  ria_field3 *v[3], *out[3];
} side;

static side open_side(ria_context *ctx, const ria_grid3 *g, ria_real real) {
  side s = {.ctx = ctx};
  make_vector(ctx, g, real, s.v);
  make_vector(ctx, g, real, s.out);
  for (int a = 0; a < 3; a++) fill_random(ctx, s.v[a], 17 + (uint64_t)a);
  for (int a = 0; a < 3; a++) CHECK_OK(ctx, ria_field3_fill(s.out[a], -7.0));
  return s;
}

static void close_side(side *s) {
  drop_vector(s->v);
  drop_vector(s->out);
}

static ria_status work(side *s, int order, int operation) {
  const ria_field3 *const in[3] = {s->v[0], s->v[1], s->v[2]};
  if (operation <= DZ) return ria_field3_derivative(in[0], (ria_axis)operation, order, s->out[0]);
  if (operation == GRADIENT) return ria_field3_gradient(in[0], order, s->out);
  if (operation == LAPLACIAN) return ria_field3_laplacian(in[0], order, s->out[0]);
  if (operation == DIVERGENCE) return ria_field3_divergence(in, order, s->out[0]);
  if (operation == CURL) return ria_field3_curl(in, order, s->out);
  if (operation == COMBINE) return ria_field3_combine(0.3, in[0], -1.7, in[1], s->out[0]);
  if (operation == MULTIPLY) return ria_field3_multiply(in[0], in[1], s->out[0]);
  return ria_field3_fill(s->out[0], 0.7);
}

static void compare_stats(const side *one, const side *two) {
  ria_stats3 a = {0}, b = {0};
  CHECK_OK(one->ctx, ria_field3_stats(one->out[0], &a));
  CHECK_OK(two->ctx, ria_field3_stats(two->out[0], &b));
  CHECK(memcmp(&a, &b, sizeof a) == 0);
}

static bool same(const side *one, const side *two) {
  bool all = true;
  const size_t bytes = points_of(ria_field3_grid(one->v[0])) * sizeof(double);
  for (int a = 0; a < 3; a++) {
    double *p = values_of(one->ctx, one->out[a]), *q = values_of(two->ctx, two->out[a]);
    all = memcmp(p, q, bytes) == 0 && all;
    free(p);
    free(q);
  }
  return all;
}

static void compare(side *one, side *two, int order, int operation, int parts) {
  const ria_grid3 *g = ria_field3_grid(one->v[0]);
  const ria_status s = work(one, order, operation);
  CHECK(work(two, order, operation) == s);
  if (!CHECK(same(one, two)))
    fprintf(stderr, "  %s of order %d on %d x %d x %d, %d%d%d, %s, in %d parts\n", names[operation],
            order, g->n[0], g->n[1], g->n[2], g->periodic[0], g->periodic[1], g->periodic[2],
            ria_field3_real(one->v[0]) == RIA_F32 ? "single" : "double", parts);
  compare_stats(one, two);
}

/* What comes out goes in again: planes of neighbours have to follow. */
static void chain(side *one, side *two) {
  side *const both[] = {one, two};
  for (int k = 0; k < 2; k++) {
    side *s = both[k];
    ria_field3_derivative(s->v[0], RIA_Z, 2, s->out[1]);
    CHECK_OK(s->ctx, ria_field3_combine(1.0, s->out[1], 0.5, s->v[2], s->out[2]));
    CHECK_OK(s->ctx, ria_field3_multiply(s->out[2], s->v[1], s->out[2]));
    ria_field3_derivative(s->out[2], RIA_Z, 2, s->out[0]);
    fill_random(s->ctx, s->v[0], 99);
    ria_field3_derivative(s->v[0], RIA_Z, 2, s->out[1]);
  }
  CHECK(same(one, two));
}

static void places(const side *one, const side *two) {
  const int *n = ria_field3_grid(one->v[0])->n;
  for (int k = 0; k < n[2]; k++) {
    double a = 0, b = 1;
    CHECK_OK(one->ctx, ria_field3_at(one->v[0], n[0] - 1, k % n[1], k, &a));
    CHECK_OK(two->ctx, ria_field3_at(two->v[0], n[0] - 1, k % n[1], k, &b));
    CHECK(a == b);
  }
  for (int axis = 0; axis < 3; axis++) {
    ria_raster *p = NULL, *q = NULL;
    CHECK_OK(one->ctx, ria_field3_slice(one->v[1], (ria_axis)axis, n[axis] / 2, &p));
    CHECK_OK(two->ctx, ria_field3_slice(two->v[1], (ria_axis)axis, n[axis] / 2, &q));
    const size_t bytes = (size_t)p->grid.nx * (size_t)p->grid.ny * sizeof *p->data;
    CHECK(memcmp(p->data, q->data, bytes) == 0);
    ria_raster_destroy(&p);
    ria_raster_destroy(&q);
  }
}

static void scene(ria_context *whole, ria_context *cut, int parts, const int n[3], int ends,
                  ria_real real) {
  ria_grid3 grid = {.d = {0.1, 0.07, 0.3}}, *g = &grid;
  for (int a = 0; a < 3; a++) {
    g->n[a] = n[a];
    g->periodic[a] = ends == 0 || ends == a + 1;
  }
  side one = open_side(whole, g, real), two = open_side(cut, g, real);
  for (int order = 2; order <= 8; order += 2)
    for (int operation = 0; operation < OPERATIONS; operation++)
      if (operation < COMBINE || order == 2) compare(&one, &two, order, operation, parts);
  places(&one, &two);
  chain(&one, &two);
  close_side(&one);
  close_side(&two);
}

/* The largest grid takes most of the time: with each number of parts, kind of ends and precision,
 * not with all at once; where time is short, one of each number of parts. */
static bool is_taken(int k, int ends, int real, int parts) {
  if (test_is_short()) return (k + ends + real + parts) % (k == SIZES - 1 ? 20 : 8) == 0;
  if (k < SIZES - 1) return true;
  return test_is_long() ? (ends + real + parts) % 4 == 0 : (2 * ends + real + 3 * parts) % 10 == 0;
}

/* The first of several GPUs. */
static const char *first_of(const char *device) {
  return strncmp(device, "cuda", 4) == 0 ? "cuda" : device;
}

int main(void) {
  const char *device = test_device();
  ria_context *whole = context_of(first_of(device), 1);
  for (int parts = 2; parts <= MOST; parts++) {
    ria_context *cut = context_of(device, parts);
    for (int k = 0; k < SIZES; k++)
      for (int ends = 0; ends < 5; ends++)
        for (int real = RIA_F64; real <= RIA_F32; real++)
          if (is_taken(k, ends, real, parts))
            scene(whole, cut, parts, sizes[k], ends, (ria_real)real);
    ria_context_destroy(&cut);
  }
  ria_context_destroy(&whole);
  return TEST_END();
}
