/* sediment_step.h - one pass over the cells on the CPU, for the precision RIA_PRECISION.
 *
 * Rows are shared out among threads in bands. A thread goes over its band in blocks of columns, and
 * in a block from row to row: first the faces of the row into small arrays that stay in cache, its
 * faces in the north to be those in the south of the next row, then the cells. So a face is worked
 * out once and both its cells see the same bits, and mirror images stay so. The new state goes to
 * the other planes: nothing is lost when the step is found to have been too long. Where the caches
 * do not hold all planes it goes past them. */
#include "sediment.h"

#include "backend/stream.h"
#include "sediment_k.h"

#include <string.h>

typedef RIA_PRECISION R;
typedef sed_face face;
typedef sed_const constants;

enum { BLOCK = 2048 }; /* measured: shorter runs of memory are slower */

/* Faces as arrays: loops over them are loops over vectors. */
typedef struct faces {
  R sand[BLOCK + 1], mud[BLOCK + 1], pull[BLOCK + 1];
} faces;

typedef struct scratch {
  faces x, y[2];
  R a[2][BLOCK + 16], b[2][BLOCK + 16]; /* coefficients of two rows, from column -1 */
  bool streams;                         /* new values go past the caches, by way of these: */
  _Alignas(RIA_LINE) R h[BLOCK], s[BLOCK];
} scratch;

/* A row of a state from column i0 on; [-1] and [n] may be read. */
typedef struct line {
  const R *RIA_RESTRICT h, *RIA_RESTRICT s, *RIA_RESTRICT a, *RIA_RESTRICT b;
} line;

static inline line line_at(const sed *s, int i0, int j) {
  const size_t at = ria_plane_at(&s->planes, i0, j);
  return (line){(const R *)s->h[s->clock.now] + at, (const R *)s->sand[s->clock.now] + at,
                (const R *)s->alpha + at, (const R *)s->beta + at};
}

#define EACH static inline __attribute__((always_inline)) void

/* Coefficients of the row into scratch, less where the sea covers it. */
EACH drown(line *l, R *RIA_RESTRICT a, R *RIA_RESTRICT b, int n, const constants *k,
           const bool uniform) {
  for (int i = 0; i < n + 2; i++) {
    const R w = sed_drowned(l->h[i - 1], k);
    a[i] = sed_under(uniform ? k->a : l->a[i - 1], k->less_a, w);
    b[i] = sed_under(uniform ? k->b : l->b[i - 1], k->less_b, w);
  }
  l->a = a + 1;
  l->b = b + 1;
}

static inline __attribute__((always_inline)) sed_side
side_of(const line *l, int i, const constants *k, const bool uniform) {
  return (sed_side){l->h[i], l->s[i], uniform ? k->a : l->a[i], uniform ? k->b : l->b[i]};
}

/* Faces between l[i + from] and m[i + to]. */
EACH cross(const line *l, const line *m, int from, int to, int n, const constants *k,
           const bool uniform, const bool paper, faces *RIA_RESTRICT f) {
  for (int i = 0; i < n; i++) {
    const sed_side p = side_of(l, i + from, k, uniform), q = side_of(m, i + to, k, uniform);
    const face x = paper ? sed_across_paper(p, q, k) : sed_across(p, q, k);
    f->sand[i] = x.sand;
    f->mud[i] = x.mud;
    f->pull[i] = x.pull;
  }
}

/* The faces of a row or a column of cells, each array by itself: what a compiler makes vectors of.
 */
typedef struct run {
  const R *RIA_RESTRICT sand, *RIA_RESTRICT mud, *RIA_RESTRICT pull;
} run;

static inline run run_of(const faces *f) { return (run){f->sand, f->mud, f->pull}; }
static inline face face_of(const run *f, int i) {
  return (face){f->sand[i], f->mud[i], f->pull[i]};
}

/* The cells of a row; x[i] and x[i + 1] are the faces of cell i. */
static void update(const line *l, const faces *x, const faces *below, const faces *above, int n,
                   const constants *k, R *RIA_RESTRICT h, R *RIA_RESTRICT s, sed_row *found) {
  const run across = run_of(x), south = run_of(below), north = run_of(above);
  const line here = *l;
  const constants c0 = *k;
  R pull = 0, strata = 0, junk = 0;
#pragma omp simd reduction(max : pull) reduction(+ : strata, junk)
  for (int i = 0; i < n; i++) {
    const sed_next c = sed_step(here.h[i], here.s[i], face_of(&across, i), face_of(&across, i + 1),
                                face_of(&south, i), face_of(&north, i), &c0);
    h[i] = c.h;
    s[i] = c.s;
    pull = c.pull > pull ? c.pull : pull;
    strata += c.strata;
    junk += (c.h + c.s) * 0; /* NaN where either is NaN or infinite */
  }
  if ((double)pull > found->pull) found->pull = (double)pull;
  found->strata += (double)strata;
  if (!(junk == 0)) found->bad = 1;
}

/* Ghost cells beside and beyond what was just written. */
static void mirror(const sed *s, R *plane, int i0, int n, int j) {
  const int nx = s->planes.grid.nx, ny = s->planes.grid.ny;
  R *row = plane + ria_plane_at(&s->planes, 0, j);
  if (i0 == 0) row[-1] = row[0];
  if (i0 + n == nx) row[nx] = row[nx - 1];
  const size_t bytes = (size_t)n * sizeof *row;
  if (j == 0) memcpy(plane + ria_plane_at(&s->planes, i0, -1), row + i0, bytes);
  if (j == ny - 1) memcpy(plane + ria_plane_at(&s->planes, i0, ny), row + i0, bytes);
}

static inline __attribute__((always_inline)) line row_of(const sed *s, scratch *w, int i0, int n,
                                                         int j, const constants *k,
                                                         const bool uniform, const bool marine) {
  line l = line_at(s, i0, j);
  if (marine) drown(&l, w->a[j & 1], w->b[j & 1], n, k, uniform);
  return l;
}

EACH block(sed *s, scratch *w, int i0, int n, int j0, int j1, const constants *k,
           const bool uniform, const bool marine, const bool paper) {
  R *const h = s->h[1 - s->clock.now], *const sand = s->sand[1 - s->clock.now];
  const bool plain = uniform && !marine;
  line here = row_of(s, w, i0, n, j0, k, uniform, marine);
  line south = row_of(s, w, i0, n, j0 - 1, k, uniform, marine);
  cross(&south, &here, 0, 0, n, k, plain, paper, &w->y[j0 & 1]);
  for (int j = j0; j < j1; j++) {
    const line north = row_of(s, w, i0, n, j + 1, k, uniform, marine);
    const size_t at = ria_plane_at(&s->planes, i0, j);
    cross(&here, &here, -1, 0, n + 1, k, plain, paper, &w->x);
    cross(&here, &north, 0, 0, n, k, plain, paper, &w->y[(j + 1) & 1]);
    update(&here, &w->x, &w->y[j & 1], &w->y[(j + 1) & 1], n, k, w->streams ? w->h : h + at,
           w->streams ? w->s : sand + at, sed_found(s, j));
    if (w->streams) {
      ria_stream(h + at, w->h, (size_t)n * sizeof *h);
      ria_stream(sand + at, w->s, (size_t)n * sizeof *sand);
    }
    mirror(s, h, i0, n, j);
    here = north;
  }
}

static void band(sed *s, scratch *w, int j0, int j1, const constants *k) {
  const sed_ways y = s->ways;
  for (int i0 = 0; i0 < s->planes.grid.nx; i0 += BLOCK) {
    const int left = s->planes.grid.nx - i0, n = left < BLOCK ? left : BLOCK;
    if (y.paper)
      block(s, w, i0, n, j0, j1, k, false, true, true);
    else if (y.marine && y.uniform)
      block(s, w, i0, n, j0, j1, k, true, true, false);
    else if (y.marine)
      block(s, w, i0, n, j0, j1, k, false, true, false);
    else if (y.uniform)
      block(s, w, i0, n, j0, j1, k, true, false, false);
    else
      block(s, w, i0, n, j0, j1, k, false, false, false);
  }
}

/* --- the second pass of the paper's scheme: (4) with the new heights -------------------------- */

static inline R coefficient(const sed *s, size_t at, const constants *k) {
  const R w = sed_drowned(((const R *)s->h[s->clock.now])[at], k);
  return sed_under(((const R *)s->alpha)[at], k->less_a, w);
}

static void paper_row(sed *s, int j, const constants *k) {
  const R *h0 = s->h[s->clock.now], *h = s->h[1 - s->clock.now], *f0 = s->sand[s->clock.now];
  R *f = s->sand[1 - s->clock.now];
  const ptrdiff_t up = (ptrdiff_t)s->planes.stride;
  double strata = 0;
  int bad = 0;
  for (int i = 0; i < s->planes.grid.nx; i++) {
    const size_t at = ria_plane_at(&s->planes, i, j);
    const ptrdiff_t near[5] = {0, -1, 1, -up, up};
    R as[5];
    for (int m = 0; m < 5; m++) {
      const size_t there = at + (size_t)near[m];
      as[m] = coefficient(s, there, k) * f0[there];
    }
    const R grow = h[at] - h0[at];
    f[at] = sed_paper_sand(f0[at], grow, sed_carry(as[1], as[0], as[2], h[at - 1], h[at + 1]),
                           sed_carry(as[3], as[0], as[4], h[at + near[3]], h[at + near[4]]), k);
    strata += (double)(f[at] * grow);
    if (!((f[at] + h[at]) * 0 == 0)) bad = 1;
  }
  sed_found(s, j)->strata = strata;
  if (bad) sed_found(s, j)->bad = 1;
}

static constants constants_of(const sed *s, double dt) {
  const sed_params *param = &s->param;
  constants k = sed_constants(dt, param->c_sand, param->c_mud, param->layer, s->planes.grid.dx,
                              s->planes.grid.dy);
  k.sea = (R)s->sea;
  k.per_base = (R)(1 / param->wave_base);
  k.less_a = (R)(1 - param->marine_alpha);
  k.less_b = (R)(1 - param->marine_beta);
  k.a = ((const R *)s->alpha)[ria_plane_at(&s->planes, 0, s->planes.part.j0)];
  k.b = ((const R *)s->beta)[ria_plane_at(&s->planes, 0, s->planes.part.j0)];
  return k;
}

/* The rows that the first pass goes over. The paper's second one reads new heights on either side,
 * of neighbours too: a part works these out for itself. */
static ria_part rows_of_pass(const sed *s) {
  const ria_part part = s->planes.part, had = ria_planes_had(&s->planes);
  if (!s->ways.paper) return part;
  return (ria_part){part.j0 > had.j0 ? part.j0 - 1 : part.j0,
                    part.j1 < had.j1 ? part.j1 + 1 : part.j1};
}

void RIA_K(sed_pass)(sed *s, double dt) {
  const int threads = s->planes.threads;
  const ria_part own = s->planes.part, part = rows_of_pass(s);
  const int64_t rows = part.j1 - part.j0;
  const constants k = constants_of(s, dt);
  if (rows > own.j1 - own.j0) sed_wrap(s, s->clock.now); /* rows that came from neighbours */
#pragma omp parallel num_threads(threads)
  {
    scratch w;
    /* h, s, alpha and beta, the new h and s; the paper's second pass reads these again */
    w.streams = !s->ways.paper && 6 * s->planes.size * sizeof(R) > RIA_STREAM_BYTES;
#pragma omp for schedule(static)
    for (int b = 0; b < threads; b++) {
      const int j0 = part.j0 + (int)(rows * b / threads);
      const int j1 = part.j0 + (int)(rows * (b + 1) / threads);
      for (int j = j0; j < j1; j++) *sed_found(s, j) = (sed_row){0};
      band(s, &w, j0, j1, &k);
    }
    if (w.streams) ria_stream_end();
    if (s->ways.paper) {
#pragma omp for schedule(static)
      for (int j = own.j0; j < own.j1; j++) paper_row(s, j, &k);
    }
  }
  if (s->ways.paper) sed_wrap(s, 1 - s->clock.now);
}
