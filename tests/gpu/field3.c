/* Fields of three dimensions on two devices: random values, every operation, order, kind of ends
 * and precision, sizes that fit nothing. The largest difference, over the largest value, is at most
 * 1e-12 in double precision and 1e-5 in single.
 *
 * RIA_TEST_DEVICE ("cuda") is compared with RIA_TEST_REFERENCE ("cpu"). */
#include "../solver/derivative/cases.h"

enum { DX, DY, DZ, GRADIENT, LAPLACIAN, DIVERGENCE, CURL, COMBINE, MULTIPLY, STATS, OPERATIONS };
static const char *const names[] = {"d/dx",       "d/dy", "d/dz",    "gradient", "laplacian",
                                    "divergence", "curl", "combine", "multiply", "stats"};

static const int sizes[][3] = {{16, 16, 16},  {10, 10, 10}, {11, 13, 10},  {129, 17, 33},
                               {256, 12, 40}, {67, 70, 18}, {130, 33, 64}, {64, 64, 64}};
enum { SIZES = sizeof sizes / sizeof *sizes, SHORT_SIZES = 4 };

/* So large that a GPU marches it along z from end to end, along y in long segments, and tiles for
 * a gradient one after the other (gpu/field3/field3.cuh). */
static const int large[] = {781, 683, 26};
/* And so large that it is marched in long segments along z too. */
static const int cube[] = {260, 210, 170};

/* And so large that threads of a GPU take several vectors each where all points are alike. */
static const int huge[] = {421, 401, 403};

/* One of the two devices, with random fields and room for results. */
typedef struct side {
  ria_context *ctx;
  ria_field3 *v[3], *out[3];
  double *values; /* of all results */
} side;

static void open_side(side *s, const ria_grid3 *g, ria_real real) {
  make_vector(s->ctx, g, real, s->v);
  make_vector(s->ctx, g, real, s->out);
  for (int a = 0; a < 3; a++) fill_random(s->ctx, s->v[a], 17 + (uint64_t)a);
  s->values = malloc(3 * points_of(g) * sizeof *s->values);
  if (!s->values) abort();
}

static void close_side(side *s) {
  drop_vector(s->v);
  drop_vector(s->out);
  free(s->values);
}

/* Work on the fields; the number of values. */
static size_t work(side *s, int order, int operation) {
  const ria_field3 *const in[3] = {s->v[0], s->v[1], s->v[2]};
  const size_t points = points_of(ria_field3_grid(s->v[0]));
  int results = 1;
  if (operation <= DZ)
    CHECK_OK(s->ctx, ria_field3_derivative(in[0], (ria_axis)operation, order, s->out[0]));
  else if (operation == GRADIENT)
    CHECK_OK(s->ctx, ria_field3_gradient(in[0], order, s->out));
  else if (operation == LAPLACIAN)
    CHECK_OK(s->ctx, ria_field3_laplacian(in[0], order, s->out[0]));
  else if (operation == DIVERGENCE)
    CHECK_OK(s->ctx, ria_field3_divergence(in, order, s->out[0]));
  else if (operation == CURL)
    CHECK_OK(s->ctx, ria_field3_curl(in, order, s->out));
  else if (operation == COMBINE)
    CHECK_OK(s->ctx, ria_field3_combine(0.3, in[0], -1.7, in[1], s->out[0]));
  else if (operation == MULTIPLY)
    CHECK_OK(s->ctx, ria_field3_multiply(in[0], in[1], s->out[0]));
  if (operation == STATS) {
    ria_stats3 t;
    CHECK_OK(s->ctx, ria_field3_stats(in[0], &t));
    const double sums[] = {t.min, t.max, t.mean, t.rms};
    memcpy(s->values, sums, sizeof sums);
    return sizeof sums / sizeof *sums;
  }
  if (operation == GRADIENT || operation == CURL) results = 3;
  for (int a = 0; a < results; a++)
    CHECK_OK(s->ctx, ria_field3_get(s->out[a], s->values + (size_t)a * points));
  return (size_t)results * points;
}

static void compare(side *one, side *two, int order, int operation) {
  const ria_grid3 *g = ria_field3_grid(one->v[0]);
  const ria_real real = ria_field3_real(one->v[0]);
  const size_t n = work(one, order, operation);
  double largest = 0, worst = 0;
  work(two, order, operation);
  for (size_t i = 0; i < n; i++) {
    largest = fmax(largest, fabs(one->values[i]));
    worst = fmax(worst, isnan(two->values[i]) ? INFINITY : fabs(one->values[i] - two->values[i]));
  }
  if (!CHECK(worst <= (real == RIA_F64 ? 1e-12 : 1e-5) * largest))
    fprintf(stderr, "  %s of order %d on %d x %d x %d, %d%d%d, %s: %.1e of %.1e\n",
            names[operation], order, g->n[0], g->n[1], g->n[2], g->periodic[0], g->periodic[1],
            g->periodic[2], real == RIA_F32 ? "single" : "double", worst, largest);
}

static bool takes_part(int operation, int order, bool is_huge) {
  if (is_huge) return operation >= COMBINE && order == 2;
  return operation <= CURL || order == 2;
}

static void scene(side *one, side *two, const int n[3], int ends, ria_real real) {
  ria_grid3 grid = {.d = {0.1, 0.07, 0.3}}, *g = &grid;
  for (int a = 0; a < 3; a++) {
    g->n[a] = n[a];
    g->periodic[a] = ends == 0 || ends == a + 1;
  }
  open_side(one, g, real);
  open_side(two, g, real);
  for (int order = 2; order <= 8; order += 2)
    for (int operation = 0; operation < OPERATIONS; operation++)
      if (takes_part(operation, order, n == huge)) compare(one, two, order, operation);
  close_side(one);
  close_side(two);
}

int main(void) {
  side one = {.ctx = test_context(test_setting("RIA_TEST_REFERENCE", "cpu"), 0)};
  side two = {.ctx = test_context(test_device(), 0)};
  for (int k = 0; k < (test_is_short() ? SHORT_SIZES : SIZES); k++)
    for (int ends = 0; ends < 4; ends++)
      for (int real = RIA_F64; real <= RIA_F32; real++)
        if (!test_is_short() || (k + ends + real) % 2)
          scene(&one, &two, sizes[k], ends, (ria_real)real);
  for (int real = RIA_F64; real <= RIA_F32 && !test_is_short(); real++)
    for (int ends = 0; ends < 2; ends++) {
      scene(&one, &two, large, ends, (ria_real)real);
      scene(&one, &two, cube, 3 * ends, (ria_real)real);
    }
  for (int real = RIA_F64; real <= RIA_F32 && !test_is_short(); real++)
    scene(&one, &two, huge, 0, (ria_real)real);
  ria_context_destroy(&one.ctx);
  ria_context_destroy(&two.ctx);
  return TEST_END();
}
