/* Tridiagonal systems against LAPACK's dgtsv, which pivots: dominant, random, nearly singular and
 * stiff ones, of many lengths, along rows and columns, in both precisions. Exit status 77 where
 * LAPACK was not found. */
#include "device.h"

#include <ria/ria.h>

#ifndef RIA_HAVE_LAPACK
int main(void) {
  printf("skipped: LAPACK was not found (Debian: liblapack-dev)\n");
  return TEST_SKIPPED;
}
#else

void dgtsv_(const int *n, const int *nrhs, double *dl, double *d, double *du, double *b,
            const int *ldb, int *info);

typedef enum matter { DOMINANT, RANDOM, NEARLY_SINGULAR, STIFF, MATTERS } matter;
static const char *const matter_name[] = {"dominant", "random", "nearly singular", "stiff"};

enum { LOWER, DIAG, UPPER, RHS, FIELDS };

static uint64_t seed = 88172645463325252u;
static double uniform(void) { /* -1 .. 1 */
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (double)(seed >> 11) * 0x1p-52 - 1;
}

static void make_row(matter m, bool first, bool last, double *row) {
  double a = uniform(), c = uniform(), scale = 1;
  row[DIAG] = fabs(a) + fabs(c);
  if (m == DOMINANT) row[DIAG] += 0.1 + fabs(uniform());
  if (m == NEARLY_SINGULAR) { /* a chain that is held at its first unknown, and barely */
    a = c = -1;
    row[DIAG] = (first ? 0 : 1) + (last ? 0 : 1) + (first ? 1e-4 : 0);
  }
  if (m == STIFF) scale = pow(10, 6 * uniform()), row[DIAG] *= 1 + 1e-9 * fabs(uniform());
  if (uniform() < 0 && m == DOMINANT) row[DIAG] = -row[DIAG];
  if (m == RANDOM) row[DIAG] = 2 * uniform();
  row[LOWER] = a * scale;
  row[DIAG] *= scale;
  row[UPPER] = c * scale;
  row[RHS] = uniform() * scale;
}

typedef struct systems {
  int n, lines;
  ria_along along;
  ria_real real;
  size_t stride, size; /* elements of a row; of a field */
  double *f[FIELDS];   /* as they are solved: rounded to `real` */
  void *in[FIELDS], *x;
} systems;

static size_t at(const systems *s, int line, int k) {
  return s->along == RIA_ALONG_X ? (size_t)line * s->stride + (size_t)k
                                 : (size_t)k * s->stride + (size_t)line;
}

static void *room(size_t bytes) {
  void *p = calloc(1, bytes);
  if (!p) abort();
  return p;
}

static void put(ria_real real, void *field, size_t k, double v) {
  if (real == RIA_F32)
    ((float *)field)[k] = (float)v;
  else
    ((double *)field)[k] = v;
}
static double get(ria_real real, const void *field, size_t k) {
  return real == RIA_F32 ? (double)((const float *)field)[k] : ((const double *)field)[k];
}

static systems systems_of(matter m, int n, int lines, ria_along along, ria_real real) {
  systems s = {.n = n, .lines = lines, .along = along, .real = real};
  s.stride = (size_t)(along == RIA_ALONG_X ? n : lines) + 3;
  s.size = s.stride * (size_t)(along == RIA_ALONG_X ? lines : n);
  for (int f = 0; f < FIELDS; f++) s.f[f] = room(s.size * 8), s.in[f] = room(s.size * 8);
  s.x = room(s.size * 8);
  for (int l = 0; l < lines; l++)
    for (int k = 0; k < n; k++) {
      double row[FIELDS];
      make_row(m, k == 0, k == n - 1, row);
      for (int f = 0; f < FIELDS; f++) {
        put(real, s.in[f], at(&s, l, k), row[f]);
        s.f[f][at(&s, l, k)] = get(real, s.in[f], at(&s, l, k));
      }
    }
  return s;
}

static void systems_free(systems *s) {
  for (int f = 0; f < FIELDS; f++) free(s->f[f]), free(s->in[f]);
  free(s->x);
}

static ria_tridiag_desc desc_of(const systems *s, void *x) {
  const bool rows = s->along == RIA_ALONG_X;
  const ria_tridiag_desc d = {.nx = rows ? s->n : s->lines,
                              .ny = rows ? s->lines : s->n,
                              .stride = s->stride,
                              .along = s->along,
                              .real = s->real,
                              .lower = s->in[LOWER],
                              .diag = s->in[DIAG],
                              .upper = s->in[UPPER],
                              .rhs = s->in[RHS],
                              .x = x};
  return d;
}

/* The largest |x - LAPACK's| / max |x| of the lines, and the largest backward error, |A x - b| over
 * |A| |x| + |b|. */
static void judge_line(const systems *s, int l, double *forward, double *backward) {
  const int n = s->n, one = 1;
  double *dl = room((size_t)n * 8), *d = room((size_t)n * 8), *du = room((size_t)n * 8);
  double *b = room((size_t)n * 8);
  for (int k = 0; k < n; k++) {
    d[k] = s->f[DIAG][at(s, l, k)], b[k] = s->f[RHS][at(s, l, k)];
    if (k > 0) dl[k - 1] = s->f[LOWER][at(s, l, k)];
    if (k < n - 1) du[k] = s->f[UPPER][at(s, l, k)];
  }
  int info = 0;
  dgtsv_(&n, &one, dl, d, du, b, &n, &info);
  CHECK_INT(info, 0);
  double most = 0, apart = 0;
  for (int k = 0; k < n; k++) {
    const double x = get(s->real, s->x, at(s, l, k));
    most = fmax(most, fabs(b[k]));
    if (!(fabs(x - b[k]) <= apart)) apart = isfinite(x) ? fabs(x - b[k]) : INFINITY;
    double sum = -s->f[RHS][at(s, l, k)], size = fabs(sum);
    for (int o = -1; o <= 1; o++) {
      if (k + o < 0 || k + o >= n) continue;
      const double term = s->f[DIAG + o][at(s, l, k)] * get(s->real, s->x, at(s, l, k + o));
      sum += term, size += fabs(term);
    }
    if (!(fabs(sum) <= *backward * size)) *backward = isfinite(sum) ? fabs(sum) / size : INFINITY;
  }
  *forward = fmax(*forward, apart / most);
  free(dl), free(d), free(du), free(b);
}

/* What may be off: forward and backward, in units of the last place. Random systems have small
 * pivots that cost digits. The chain's condition is 4 n / 1e-4, and a stiff row is dominant by 1e-9
 * of itself at most: so many digits of the solution are not known. */
static double forward_bound(matter m, int n) {
  const double room[MATTERS] = {
      [DOMINANT] = 100, [RANDOM] = 1e9, [NEARLY_SINGULAR] = 2e5, [STIFF] = 1e9};
  return m == NEARLY_SINGULAR ? room[m] * n : room[m];
}
static double backward_bound(matter m, int n) {
  (void)n;
  return m == RANDOM ? 1e8 : 200;
}

static void one_case(ria_context *ctx, matter m, int n, int lines, ria_along along, ria_real real) {
  systems s = systems_of(m, n, lines, along, real);
  const ria_tridiag_desc d = desc_of(&s, s.x);
  double forward = 0, backward = 0;
  CHECK_OK(ctx, ria_tridiag_solve(ctx, &d));
  for (int l = 0; l < lines; l++) judge_line(&s, l, &forward, &backward);
  const double eps = real == RIA_F32 ? 0x1p-24 : 0x1p-53;
  if (real == RIA_F64 || m == DOMINANT) /* in single the rest has no digits to compare */
    if (!CHECK(forward <= forward_bound(m, n) * eps) ||
        !CHECK(backward <= backward_bound(m, n) * eps))
      fprintf(stderr, "  %s, %d unknowns, %d lines, along %s, %s: off by %g, %g units\n",
              matter_name[m], n, lines, along == RIA_ALONG_X ? "x" : "y",
              real == RIA_F32 ? "single" : "double", forward / eps, backward / eps);
  systems_free(&s);
}

int main(void) {
  static const int lengths[] = {1,  2,   3,   5,   8,   9,   17,  31,   32,   33,  64,
                                65, 127, 128, 129, 255, 256, 257, 1000, 1025, 2050};
  ria_context *ctx = test_context(test_device(), 2);
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
    for (int c = 0; c < 4 * MATTERS; c++)
      one_case(ctx, (matter)(c / 4), lengths[k], lengths[k] % 2 ? 37 : 5,
               c % 2 ? RIA_ALONG_Y : RIA_ALONG_X, c / 2 % 2 ? RIA_F32 : RIA_F64);
  for (int c = 0; c < 4; c++) /* beyond what a GPU keeps on its chip */
    one_case(ctx, DOMINANT, test_is_short() ? 3000 : 70000, 3, c % 2 ? RIA_ALONG_Y : RIA_ALONG_X,
             c / 2 ? RIA_F32 : RIA_F64);
  ria_context_destroy(&ctx);
  return TEST_END();
}
#endif
