/* cpu_loops.h - the loops of 3-D fields on the CPU, in one precision (RIA_PRECISION).
 *
 * A row of points along x is the unit of work: the values beside it, along whichever axis, come
 * from rows too, so the innermost loop is always the same and vectorises. Rows are shared out to
 * threads in tiles. A derivative along z, and a gradient, march through a tile that is a few rows
 * thick, so that the nine planes in reach stay in the caches and memory is read once. Rows that
 * follow each other in memory are taken as one where nothing tells them apart.
 *
 * Results larger than the caches bypass them on the way out: a store that is not read first is half
 * the traffic. What is in the caches anyway, or small, is stored plainly. */
#include "base/turn.h"
#include "primitives/field3/derivative_k.h"

#define R RIA_PRECISION

/* The turns of a loop do not depend on each other. (`omp simd` would keep the small arrays in its
 * body as memory.) */
#ifdef __clang__
#define FD_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define FD_INDEPENDENT _Pragma("GCC ivdep")
#endif

enum { CHUNK = 2048, LANES = 8 }; /* points of a row at a time; partial sums of a row */

typedef struct pass {
  const field3_shape *s;
  const fd_stencil *stencil;
  fd_weights w;
  ria_axis axis;
  bool add, stream;
} pass;

/* --- one row ---------------------------------------------------------------------------------- */

/* out[i] (+)= the stencil over v[-half][i] .. v[half][i] */
RIA_KERNEL void across(int half, bool even, bool add, R *RIA_RESTRICT out, const R *const *rows,
                       int n, const R *weights) {
  R c[FD_HALF_MAX + 1];
  const R *p[FD_SPAN_MAX + 1];
  FD_UNROLL
  for (int m = 0; m <= half; m++) c[m] = weights[m];
  FD_UNROLL
  for (int m = 0; m <= 2 * half; m++) p[m] = rows[m - half];
  FD_INDEPENDENT
  for (int i = 0; i < n; i++) {
    R v[FD_SPAN_MAX + 1];
    FD_UNROLL
    for (int m = 0; m <= 2 * half; m++) v[m] = p[m][i];
    const R d = even ? fd_even(half, c, v + half) : fd_odd(half, c, v + half);
    out[i] = add ? out[i] + d : d;
  }
}

RIA_KERNEL void derive_row(int half, const pass *p, R *RIA_RESTRICT out, const R *const *rows,
                           int n) {
  if (p->stencil->even && p->add)
    across(half, true, true, out, rows, n, p->w.c);
  else if (p->stencil->even)
    across(half, true, false, out, rows, n, p->w.c);
  else if (p->add)
    across(half, false, true, out, rows, n, p->w.c);
  else
    across(half, false, false, out, rows, n, p->w.c);
}

/* The 2 half points at the ends of a whole row of a periodic field are neighbours round the end. */
RIA_KERNEL void round_row(int half, const pass *p, const R *f, R *out) {
  const size_t size = (size_t)half * sizeof *f;
  R *const high = out + p->s->n[RIA_X] - half;
  R near[4 * FD_HALF_MAX], ends[2 * FD_HALF_MAX];
  const R *rows[FD_SPAN_MAX + 1];
  memcpy(near, f + p->s->n[RIA_X] - 2 * half, 2 * size);
  memcpy(near + 2 * half, f, 2 * size);
  memcpy(ends, high, size);
  memcpy(ends + half, out, size);
  for (int m = 0; m <= 2 * half; m++) rows[m] = near + m;
  derive_row(half, p, ends, rows + half, 2 * half);
  memcpy(high, ends, size);
  memcpy(out, ends + half, size);
}

/* By order, so that the loops over the stencil are unrolled. */
static void row_of_order(const pass *p, R *RIA_RESTRICT out, const R *const *rows, int n) {
  switch (p->stencil->half) {
  case 1:
    derive_row(1, p, out, rows, n);
    return;
  case 2:
    derive_row(2, p, out, rows, n);
    return;
  case 3:
    derive_row(3, p, out, rows, n);
    return;
  default:
    derive_row(4, p, out, rows, n);
    return;
  }
}
static void round_of_order(const pass *p, const R *f, R *out) {
  switch (p->stencil->half) {
  case 1:
    round_row(1, p, f, out);
    return;
  case 2:
    round_row(2, p, f, out);
    return;
  case 3:
    round_row(3, p, f, out);
    return;
  default:
    round_row(4, p, f, out);
    return;
  }
}

/* The row of an end: point j from it; f: the row at the end; stride leads inwards. */
static void end_row(R *RIA_RESTRICT out, const R *f, ptrdiff_t stride, int n, int j, bool high,
                    const pass *p) {
  const R sign = high && !p->stencil->even ? -1 : 1;
  const R *w = p->w.end[j];
  const int width = p->stencil->width;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const R d = sign * fd_end(width, w, f + i, stride);
    out[i] = p->add ? out[i] + d : d;
  }
}

/* --- along y and z: rows beside the row ------------------------------------------------------- */

/* at: of the row along the axis. f: the row at `at` 0, from the chunk's first point on. */
static void row_across(const pass *p, const R *f, int at, int n, R *out) {
  const int half = p->stencil->half, count = p->s->n[p->axis];
  const ptrdiff_t stride = (ptrdiff_t)p->s->stride[p->axis];
  const R *rows[FD_SPAN_MAX + 1];
  if (!p->s->periodic[p->axis] && (at < half || at >= count - half)) {
    const bool high = at >= half;
    const R *first = high ? f + (count - 1) * stride : f;
    end_row(out, first, high ? -stride : stride, n, high ? count - 1 - at : at, high, p);
    return;
  }
  for (int m = -half; m <= half; m++) {
    const int k = at + m < 0 ? at + m + count : at + m >= count ? at + m - count : at + m;
    rows[m + half] = f + k * stride;
  }
  row_of_order(p, out, rows + half, n);
}

/* --- along x: the row itself, shifted --------------------------------------------------------- */

/* The `half` points at an end of a row that is periodic: of 3 half values round the end. */
static void round_end(const pass *p, const R *f, bool high, R *out) {
  const int half = p->stencil->half, count = p->s->n[RIA_X];
  const size_t size = (size_t)half * sizeof *f;
  R near[3 * FD_HALF_MAX];
  const R *rows[FD_SPAN_MAX + 1];
  memcpy(near, high ? f + count - 2 * half : f + count - half, high ? 2 * size : size);
  memcpy(near + (high ? 2 * half : half), f, high ? size : 2 * size);
  for (int m = 0; m <= 2 * half; m++) rows[m] = near + m;
  row_of_order(p, out, rows + half, half);
}

/* The same where the axis is closed. */
static void lean_end(const pass *p, const R *f, bool high, R *out) {
  const int half = p->stencil->half, count = p->s->n[RIA_X];
  for (int j = 0; j < half; j++)
    end_row(out + (high ? half - 1 - j : j), high ? f + count - 1 : f, high ? -1 : 1, 1, j, high,
            p);
}

/* The ends of a row that fall into its points i0 .. i0 + n - 1, which out holds. */
static void both_ends(const pass *p, const R *f, int i0, int n, R *out) {
  const int half = p->stencil->half, count = p->s->n[RIA_X];
  for (int high = 0; high < 2; high++) {
    const int first = high ? count - half : 0; /* a chunk may split them */
    R ends[FD_HALF_MAX] = {0};
    if (first + half <= i0 || first >= i0 + n) continue;
    for (int j = 0; j < half; j++)
      if (first + j >= i0 && first + j < i0 + n) ends[j] = out[first + j - i0];
    if (p->s->periodic[RIA_X])
      round_end(p, f, high, ends);
    else
      lean_end(p, f, high, ends);
    for (int j = 0; j < half; j++)
      if (first + j >= i0 && first + j < i0 + n) out[first + j - i0] = ends[j];
  }
}

/* Points i0 .. i0 + n - 1 of `rows` rows, the first at f. */
static void rows_along(const pass *p, const R *f, int rows, int i0, int n, R *out) {
  const int half = p->stencil->half, count = p->s->n[RIA_X];
  const size_t stride = p->s->stride[RIA_Y];
  const R *shifted[FD_SPAN_MAX + 1];
  R *here = out;
  for (int r = 0; r < rows; r++, here += stride) {
    const int from = i0 > half ? i0 : half, to = i0 + n < count - half ? i0 + n : count - half;
    for (int m = -half; m <= half; m++) shifted[m + half] = f + (size_t)r * stride + from + m;
    if (to > from) row_of_order(p, here + from - i0, shifted + half, to - from);
    if (n == count && p->s->periodic[RIA_X])
      round_of_order(p, f + (size_t)r * stride, here);
    else
      both_ends(p, f + (size_t)r * stride, i0, n, here);
  }
}

/* --- tiles of rows ---------------------------------------------------------------------------- */

/* Some rows from (j, k) on, by one pass. They follow each other in memory, so along y and z they
 * are one long row. */
static void some_rows(const pass *p, const R *f, R *out, int j, int rows, int k, R *buffer) {
  const field3_shape *s = p->s;
  const int stride = (int)s->stride[RIA_Y];
  const size_t row = (size_t)j * s->stride[RIA_Y] + (size_t)k * s->stride[RIA_Z];
  const int whole = rows > 1 ? (rows - 1) * stride + s->n[RIA_X] : s->n[RIA_X];
  for (int i0 = 0; i0 < whole; i0 += CHUNK) {
    const int n = whole - i0 < CHUNK ? whole - i0 : CHUNK;
    R *to = out + row + i0, *here = p->stream ? buffer : to;
    if (p->axis == RIA_X)
      rows_along(p, f + row, rows, i0, rows > 1 ? s->n[RIA_X] : n, here);
    else if (p->axis == RIA_Y)
      row_across(p, f + (size_t)k * s->stride[RIA_Z] + i0, j, n, here);
    else
      row_across(p, f + (size_t)j * s->stride[RIA_Y] + i0, k, n, here);
    const size_t bytes = (size_t)n * sizeof *to; /* the last line is written whole: padding */
    if (p->stream) ria_stream(to, buffer, (bytes + RIA_LINE - 1) / RIA_LINE * RIA_LINE);
  }
}

static pass pass_of(const field3_shape *s, ria_axis axis, const fd_stencil *st, bool add) {
  return (pass){.s = s,
                .stencil = st,
                .w = fd_round(st),
                .axis = axis,
                .add = add,
                .stream = !add && s->bytes >= FIELD3_STREAM_BYTES};
}

/* How many rows from j on are done at once: one near an end of y, where a derivative along y is
 * special, else as many as there are and fit. */
static int rows_at(const pass *p, int j, int j1, int group) {
  const int half = p->stencil->half, last = p->s->n[RIA_Y] - half;
  const int end = j1 < last ? j1 : last;
  if (j < half || j >= end) return 1;
  return end - j < group ? end - j : group;
}

/* A block of points that is gone through as a whole. */
typedef struct tile {
  int j0, j1, k0, k1;
} tile;

/* n passes over the rows of a tile: a row is read once for all of them. */
static void run_tile(const pass *p, int n, const R *f, R *const *out, tile t, int group) {
  _Alignas(64) R buffer[CHUNK] = {0};
  for (int k = t.k0; k < t.k1; k++)
    for (int j = t.j0, rows; j < t.j1; j += rows) {
      rows = rows_at(p, j, t.j1, group);
      for (int q = 0; q < n; q++) some_rows(&p[q], f, out[q], j, rows, k, buffer);
    }
  ria_stream_end();
}

static void run(const pass *p, int n, const R *f, R *const *out, int threads) {
  const field3_shape *s = p->s;
  const bool march = n > 1 || p->axis == RIA_Z;
  const int nj = s->n[RIA_Y], nk = s->last - s->first;
  const int tj = march ? field3_tile_rows(s, threads) : 64, tk = march ? nk : 1;
  const int fit = (int)(CHUNK / s->stride[RIA_Y]), group = fit > 1 ? fit : 1;
  const int tiles_j = (nj + tj - 1) / tj, tiles_k = (nk + tk - 1) / tk;
  int next = 0;
#pragma omp parallel num_threads(threads)
  for (int at; (at = ria_take_turn(&next)) < tiles_j * tiles_k;) {
    const int j = at % tiles_j * tj, k = at / tiles_j * tk;
    const tile t = {.j0 = j,
                    .j1 = j + tj < nj ? j + tj : nj,
                    .k0 = s->first + k,
                    .k1 = s->first + (k + tk < nk ? k + tk : nk)};
    run_tile(p, n, f, out, t, group);
  }
}

static void derive(const field3_derive *job, int threads) {
  const pass p = pass_of(job->shape, job->axis, job->stencil, job->add);
  R *const out[] = {job->out};
  run(&p, 1, job->f, out, threads);
}

static void gradient(const field3_shape *s, const fd_stencil *st, const void *f, void *const *out,
                     int threads) {
  pass p[RIA_AXES];
  R *const to[] = {out[0], out[1], out[2]};
  for (int a = 0; a < RIA_AXES; a++) p[a] = pass_of(s, (ria_axis)a, &st[a], false);
  run(p, RIA_AXES, f, to, threads);
}

/* --- point by point --------------------------------------------------------------------------- */

static void combine(const field3_shape *s, double a, const void *f, double b, const void *g,
                    void *out, int threads) {
  const R ra = (R)a, rb = (R)b, *pf = f, *pg = g;
  R *po = out;
  const size_t n = s->stride[RIA_Z] * (size_t)s->n[RIA_Z];
  if (!g) {
#pragma omp parallel for simd num_threads(threads) schedule(static)
    for (size_t i = 0; i < n; i++) po[i] = ra * pf[i];
    return;
  }
#pragma omp parallel for simd num_threads(threads) schedule(static)
  for (size_t i = 0; i < n; i++) po[i] = ra * pf[i] + rb * pg[i];
}

static void multiply(const field3_shape *s, const void *f, const void *g, void *out, int threads) {
  const R *pf = f, *pg = g;
  R *po = out;
  const size_t n = s->stride[RIA_Z] * (size_t)s->n[RIA_Z];
#pragma omp parallel for simd num_threads(threads) schedule(static)
  for (size_t i = 0; i < n; i++) po[i] = pf[i] * pg[i];
}

static void fill(const field3_shape *s, void *data, double value, int threads) {
  R *p = data;
  const size_t n = s->stride[RIA_Z] * (size_t)s->n[RIA_Z];
#pragma omp parallel for simd num_threads(threads) schedule(static)
  for (size_t i = 0; i < n; i++) p[i] = (R)value;
}

/* --- sums ------------------------------------------------------------------------------------- */

/* Adds a row. Lane l takes points l, l + LANES, ...: the order depends on nothing else. */
static void row_sums(const R *f, int n, field3_sums *to) {
  double sum[LANES] = {0}, squares[LANES] = {0}, min[LANES], max[LANES];
  for (int l = 0; l < LANES; l++) min[l] = INFINITY, max[l] = -INFINITY;
  for (int i0 = 0; i0 < n; i0 += LANES) {
    const int count = n - i0 < LANES ? n - i0 : LANES;
    for (int l = 0; l < count; l++) {
      const double v = (double)f[i0 + l];
      sum[l] += v;
      squares[l] += v * v;
      min[l] = v < min[l] ? v : min[l];
      max[l] = v > max[l] ? v : max[l];
    }
  }
  for (int l = 0; l < LANES; l++)
    field3_sums_add(to, &(field3_sums){min[l], max[l], sum[l], squares[l]});
}

static void plane_sums(const field3_shape *s, const void *data, field3_sums *planes, int threads) {
  const R *f = data;
  (void)threads; /* without OpenMP */
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int k = s->first; k < s->last; k++) {
    field3_sums *to = &planes[k - s->first];
    *to = FIELD3_NO_SUMS;
    for (int j = 0; j < s->n[RIA_Y]; j++)
      row_sums(f + (size_t)j * s->stride[RIA_Y] + (size_t)k * s->stride[RIA_Z], s->n[RIA_X], to);
  }
}

const field3_loops RIA_K(field3_loops) = {derive, gradient, combine, multiply, fill, plane_sums};
