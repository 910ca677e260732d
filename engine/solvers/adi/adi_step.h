/* adi_step.h - the two sweeps of a step on the CPU, for one precision (RIA_PRECISION).
 *
 * Lines are worked on in groups: an x-sweep takes as many rows as a vector has lanes, a y-sweep
 * ADI_COLUMNS columns. Of a group, in scratch that stays in cache:
 *
 *   across    what crosses the faces across, limited by what the cells beside have
 *   build     the rows of the tridiagonal systems, along the rows of the grid in either sweep
 *   solve     Thomas' algorithm, all lines of the group side by side: [face][lane], so that its
 *             recurrences vectorise. An x-sweep turns its rows into that order and back
 *   finish    what crosses the faces along, limited; new flux and level
 *
 * Each group reads the old planes and writes new ones, so groups need not wait for each other, and
 * faces across on the rim of two groups are worked out by both, by the same loop from the same
 * numbers. All results are the same for any number of threads. */
#include "adi.h"
#include "adi_k.h"
#include "backend/barrier.h"

#ifdef _OPENMP
#include <omp.h>
#else /* one thread, the pragmas unseen */
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#endif
#include <string.h>

#define R RIA_PRECISION
/* A loop over a row stands alone: inlined, gcc forgets which arrays do not overlap. */
#define ADI_LOOP __attribute__((noinline))
enum {
  RIA_K(ADI_LANES) = 64 / sizeof(R),    /* rows of an x-sweep solved side by side */
  RIA_K(ADI_COLUMNS) = 128 / sizeof(R), /* columns of a y-sweep: wider, and L2 does not hold them */
  RIA_K(ADI_CHUNK) = 64                 /* columns of an x-sweep built together */
};
#define LANES RIA_K(ADI_LANES)
#define COLUMNS RIA_K(ADI_COLUMNS)
#define CHUNK RIA_K(ADI_CHUNK)

/* What does not change within a sweep. */
typedef struct RIA_K(sweep) {
  const adi *s;
  enum adi_axis axis;
  size_t along, across; /* strides */
  RIA_K(adi_way) way;
  const R *bed, *level, *u, *v, *v_old, *manning, *viscosity;
  const R *u_old; /* = u; the new flux replaces the older buffer */
  R *u_new, *level_new;
  R *moved_along, *moved_across; /* planes, NULL without tracers */
  R manning_one, viscosity_one;
} RIA_K(sweep);

/* --- loops over a row ---------------------------------------------------------------------------
 */

/* Factors on what leaves n cells from `at` on through their faces across. Where no cell of the row
 * runs short, which is nearly everywhere, nothing is divided. */
ADI_LOOP static void RIA_K(shares_across)(const RIA_K(sweep) * w, size_t at, int n,
                                          R *RIA_RESTRICT out) {
  const size_t c = w->across;
  const R *RIA_RESTRICT z = w->bed + at, *RIA_RESTRICT e = w->level + at, *lo = w->v + at - c,
                        *hi = w->v + at, *olo = w->v_old + at - c, *ohi = w->v_old + at;
  const R k = w->way.kc;
  int few = 0;
#define LOW (k * (lo[i] + olo[i]))
#define HIGH (k * (hi[i] + ohi[i]))
#pragma omp simd reduction(| : few)
  for (int i = 0; i < n; i++) {
    out[i] = 1;
    few |= RIA_K(adi_short)(RIA_K(adi_leaving)(LOW, HIGH), RIA_K(adi_has_across)(e[i], z[i]));
  }
  if (!few) return;
#pragma omp simd
  for (int i = 0; i < n; i++) out[i] = RIA_K(adi_share_across)(e[i], z[i], LOW, HIGH);
#undef HIGH
#undef LOW
}

/* What crosses n faces across, those on the high side of the cells from `at` on. */
ADI_LOOP static void RIA_K(cross)(const RIA_K(sweep) * w, size_t at, int n, const R *share_lo,
                                  const R *share_hi, R *RIA_RESTRICT out) {
  const R *v = w->v + at, *o = w->v_old + at, k = w->way.kc;
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = RIA_K(adi_donor)(k * (v[i] + o[i]), share_lo[i], share_hi[i]);
}

/* Known part of the level of n cells; lo, hi: what crosses their faces across. */
ADI_LOOP static void RIA_K(known)(const RIA_K(sweep) * w, size_t at, int n, const R *lo,
                                  const R *hi, R *RIA_RESTRICT out) {
  const R *e = w->level + at, *u_lo = w->u + at - w->along, *u_hi = w->u + at, k = w->way.k;
#pragma omp simd
  for (int i = 0; i < n; i++) out[i] = RIA_K(adi_known)(e[i], lo[i], hi[i], u_lo[i], u_hi[i], k);
}

/* Rows of the systems of n faces, those on the high side of the cells from `at` on. */
ADI_LOOP static void RIA_K(build)(const RIA_K(sweep) * w, size_t at, int n, const R *kl,
                                  const R *kr, R *RIA_RESTRICT lo, R *RIA_RESTRICT di,
                                  R *RIA_RESTRICT up, R *RIA_RESTRICT rhs) {
  const ptrdiff_t a = (ptrdiff_t)w->along, c = (ptrdiff_t)w->across;
  const R *z = w->bed + at, *e = w->level + at, *u = w->u + at, *v = w->v + at, *o = w->v_old + at;
  const bool rough = w->manning != &w->manning_one, eddies = w->viscosity != &w->viscosity_one;
  const R *manning = w->manning + (rough ? at : 0), *eddy = w->viscosity + (eddies ? at : 0);
  const RIA_K(adi_way) way = w->way;
#define DEPTH(K) RIA_K(adi_depth)(e[i + (K)], z[i + (K)])
#define FACE(MOMENTUM, N, EL, ER, EN, ES)                                                          \
  const R rough_here = (R)0.5 * (N);                                                               \
  const RIA_K(adi_face) f = {.zl = z[i],                                                           \
                             .zr = z[i + a],                                                       \
                             .sl = e[i],                                                           \
                             .sr = e[i + a],                                                       \
                             .kl = kl[i],                                                          \
                             .kr = kr[i],                                                          \
                             .um = u[i - a],                                                       \
                             .u = u[i],                                                            \
                             .up = u[i + a],                                                       \
                             .un = u[i + c],                                                       \
                             .us = u[i - c],                                                       \
                             .hll = DEPTH(-a),                                                     \
                             .hrr = DEPTH(2 * a),                                                  \
                             .hln = DEPTH(c),                                                      \
                             .hrn = DEPTH(a + c),                                                  \
                             .hls = DEPTH(-c),                                                     \
                             .hrs = DEPTH(a - c),                                                  \
                             .vln = v[i],                                                          \
                             .vrn = v[i + a],                                                      \
                             .vls = v[i - c],                                                      \
                             .vrs = v[i + a - c],                                                  \
                             .oln = o[i],                                                          \
                             .orn = o[i + a],                                                      \
                             .ols = o[i - c],                                                      \
                             .ors = o[i + a - c],                                                  \
                             .drag = way.g * rough_here * rough_here,                              \
                             .el = EL,                                                             \
                             .er = ER,                                                             \
                             .en = EN,                                                             \
                             .es = ES};                                                            \
  const RIA_K(adi_row) row = RIA_K(MOMENTUM)(&f, &way);                                            \
  lo[i] = row.lo;                                                                                  \
  di[i] = row.di;                                                                                  \
  up[i] = row.up;                                                                                  \
  rhs[i] = row.rhs;
#define CORNER(K) (R)0.25 * (eddy[i] + eddy[i + a] + eddy[i + (K)] + eddy[i + a + (K)])
  if (!rough && !eddies && !(*eddy > 0)) {
    const R twice = 2 * *manning, none = 0;
#pragma omp simd
    for (int i = 0; i < n; i++) {
      FACE(adi_momentum_plain, twice, none, none, none, none)
    }
  } else if (!rough && !eddies) {
    const R twice = 2 * *manning, same = *eddy;
#pragma omp simd
    for (int i = 0; i < n; i++) {
      FACE(adi_momentum, twice, same, same, same, same)
    }
  } else if (!eddies) {
    const R same = *eddy;
#pragma omp simd
    for (int i = 0; i < n; i++) {
      FACE(adi_momentum, manning[i] + manning[i + a], same, same, same, same)
    }
  } else {
    const int m = rough; /* 0: the one value */
#pragma omp simd
    for (int i = 0; i < n; i++) {
      FACE(adi_momentum, manning[m * i] + manning[m * (i + a)], eddy[i], eddy[i + a], CORNER(c),
           CORNER(-c))
    }
  }
#undef CORNER
#undef FACE
#undef DEPTH
}

/* Factors along of n cells from `at` on: lo, hi what crosses their faces across. */
ADI_LOOP static void RIA_K(shares_along)(const RIA_K(sweep) * w, size_t at, int n, const R *lo,
                                         const R *hi, R *RIA_RESTRICT out) {
  const size_t a = w->along;
  const R *z = w->bed + at, *e = w->level + at, *u_lo = w->u + at - a, *u_hi = w->u + at,
          *n_lo = w->u_new + at - a, *n_hi = w->u_new + at, k = w->way.k;
  int few = 0;
#define GONE RIA_K(adi_leaving)(lo[i], hi[i])
#define LOW (k * (n_lo[i] + u_lo[i]))
#define HIGH (k * (n_hi[i] + u_hi[i]))
#pragma omp simd reduction(| : few)
  for (int i = 0; i < n; i++) {
    out[i] = 1;
    few |= RIA_K(adi_short)(RIA_K(adi_leaving)(LOW, HIGH), RIA_K(adi_has_along)(e[i], z[i], GONE));
  }
  if (!few) return;
#pragma omp simd
  for (int i = 0; i < n; i++) out[i] = RIA_K(adi_share_along)(e[i], z[i], GONE, LOW, HIGH);
#undef HIGH
#undef LOW
#undef GONE
}

/* What crosses n faces along, and their flux where water runs short. */
ADI_LOOP static void RIA_K(settle)(const RIA_K(sweep) * w, size_t at, int n, const R *share_lo,
                                   const R *share_hi, R *RIA_RESTRICT out) {
  const R *u = w->u + at, k = w->way.k;
  R *u_new = w->u_new + at;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const R moved = k * (u_new[i] + u[i]);
    out[i] = RIA_K(adi_donor)(moved, share_lo[i], share_hi[i]);
    u_new[i] *= moved > 0 ? share_lo[i] : share_hi[i];
  }
}

/* New level of n cells; returns whether any is none. */
ADI_LOOP static int RIA_K(raise)(const RIA_K(sweep) * w, size_t at, int n, const R *lo, const R *hi,
                                 const R *a_lo, const R *a_hi) {
  const R *RIA_RESTRICT e = w->level + at, *RIA_RESTRICT u = w->u_new + at, big = (R)1e30;
  R *RIA_RESTRICT out = w->level_new + at;
  int bad = 0;
#pragma omp simd reduction(| : bad)
  for (int i = 0; i < n; i++) {
    out[i] = RIA_K(adi_level)(e[i], lo[i], hi[i], a_lo[i], a_hi[i]);
    bad |= !(RIA_K(ria_abs)(out[i]) + RIA_K(ria_abs)(u[i]) < big);
  }
  return bad;
}

/* --- boundaries ---------------------------------------------------------------------------------
 */

static R RIA_K(drag)(const RIA_K(sweep) * w, size_t at) {
  const R n = w->manning[w->manning != &w->manning_one ? at : 0];
  return w->way.g * n * n;
}

/* The row of a boundary face of the sweep's axis; at: the cell inside. */
static RIA_K(adi_row)
    RIA_K(boundary_row)(const RIA_K(sweep) * w, ria_side side, int k, size_t at, R known) {
  const adi *s = w->s;
  const int owner = s->owner[side][k], kind = s->stretch[owner].kind;
  const bool first = side == RIA_WEST || side == RIA_SOUTH;
  const R value = kind == SW_DISCHARGE ? (R)s->share[side][k] : (R)s->value_now[owner];
  const R u = w->u[first ? at - w->along : at], u_in = w->u[first ? at : at - w->along];
  return RIA_K(adi_boundary)(kind, first ? (R)1 : (R)-1, w->level[at], w->bed[at], known, u, u_in,
                             RIA_K(drag)(w, at), value, &w->way);
}

/* Count what crossed a boundary face. moved > 0 along the axis. */
static void RIA_K(count)(const adi *s, ria_side side, int k, int quantity, double moved) {
  sw_crossed *c = &s->crossed[side][(size_t)k * (size_t)(1 + s->nt) + (size_t)quantity];
  const bool first = side == RIA_WEST || side == RIA_SOUTH;
  const double in = (first ? moved : -moved) * (s->grid.dx * s->grid.dy);
  if (in > 0)
    c->in += in;
  else
    c->out -= in;
}

/* --- an x-sweep: LANES rows ---------------------------------------------------------------------
 *
 * Worked on eastwards in chunks of CHUNK columns, whose scratch stays in the nearest cache: across,
 * build, turn into the order of the lanes, eliminate.
 */

typedef struct RIA_K(rows) {
  size_t stride;
  R *across;                 /* [LANES + 1][stride], the faces south of row j0 + k; cell i at [i] */
  R *line;                   /* two rows of [stride], cell i at [i + SW_PAD] */
  R *up, *rhs;               /* [face][LANES], face m is west of cell m; eliminated */
  R share[LANES + 2][CHUNK]; /* across, of rows j0 - 1.. */
  R known[CHUNK + 1];
  R row[4][CHUNK + 1];              /* lo, di, up, rhs of the faces of a chunk */
  R turned[4][(CHUNK + 1) * LANES]; /* the same, of all lanes */
  R u[LANES], b[LANES];             /* where the elimination stands */
} RIA_K(rows);

static void RIA_K(fill)(R *a, int n, R v) {
  for (int i = 0; i < n; i++) a[i] = v;
}

static void RIA_K(rows_carve)(const adi *s, R *p, RIA_K(rows) * r) {
  r->stride = s->stride;
  r->across = p, p += (LANES + 1) * r->stride;
  r->line = p, p += 2 * r->stride;
  r->up = p, p += r->stride * LANES;
  r->rhs = p;
  RIA_K(fill)(r->u, LANES, 0);
  RIA_K(fill)(r->b, LANES, 0);
}

static R *RIA_K(across_row)(const RIA_K(rows) * r, int k) { /* k = 0..LANES */
  return r->across + (size_t)k * r->stride;
}

/* Ask for the next chunk: each row of each plane goes on elsewhere, which no processor foresees for
 * so many. */
static void RIA_K(x_ahead)(const RIA_K(sweep) * w, int j0, int rows, int c0) {
  const R *const planes[] = {w->level, w->bed, w->v, w->v_old, w->u};
  const int n = w->s->grid.nx - c0 < CHUNK ? w->s->grid.nx - c0 : CHUNK;
  for (int k = -1; k <= rows; k++)
    for (int m = 0; m < 5; m++) {
      const R *p = planes[m] + adi_at(w->s, c0, j0 + k < w->s->grid.ny ? j0 + k : j0);
      for (int i = 0; i < n; i += LANES) __builtin_prefetch(p + i);
    }
}

/* What crosses the faces south and north of the cells c0..c0+n-1 of `rows` rows from j0 on. */
static void RIA_K(x_across)(const RIA_K(sweep) * w, RIA_K(rows) * r, int j0, int rows, int c0,
                            int n) {
  const adi *s = w->s;
  for (int k = -1; k <= rows; k++) {
    const int j = j0 + k;
    if (j >= 0 && j < s->grid.ny)
      RIA_K(shares_across)(w, adi_at(s, c0, j), n, r->share[k + 1]);
    else
      RIA_K(fill)(r->share[k + 1], n, 1);
  }
  for (int k = 0; k <= rows; k++) RIA_K(cross)
  (w, adi_at(s, c0, j0 + k - 1), n, r->share[k], r->share[k + 1], RIA_K(across_row)(r, k) + c0);
}

/* The account of the sides in the south and north, and the plane of what crossed for the tracers.
 */
static void RIA_K(x_record)(const RIA_K(sweep) * w, const RIA_K(rows) * r, int j0, int rows) {
  const adi *s = w->s;
  const int nx = s->grid.nx;
  for (int k = 0; k <= rows && w->moved_across; k++)
    if (k > 0 || j0 == 0)
      memcpy(w->moved_across + adi_at(s, 0, j0 + k - 1), RIA_K(across_row)(r, k),
             (size_t)nx * sizeof(R));
  for (int i = 0; i < nx && j0 == 0; i++)
    RIA_K(count)(s, RIA_SOUTH, i, 0, (double)RIA_K(across_row)(r, 0)[i]);
  for (int i = 0; i < nx && j0 + rows == s->grid.ny; i++)
    RIA_K(count)(s, RIA_NORTH, i, 0, (double)RIA_K(across_row)(r, rows)[i]);
}

static void RIA_K(put_row)(RIA_K(rows) * r, int at, RIA_K(adi_row) row) {
  r->row[0][at] = row.lo;
  r->row[1][at] = row.di;
  r->row[2][at] = row.up;
  r->row[3][at] = row.rhs;
}

/* The faces west of the cells c0..c0+n-1 of row j, and the last one of the row, into lane `lane`.
 */
static void RIA_K(x_build)(const RIA_K(sweep) * w, RIA_K(rows) * r, int j, int lane, int c0,
                           int n) {
  const adi *s = w->s;
  const int nx = s->grid.nx, first = c0 > 0 ? c0 - 1 : 0, last = c0 + n == nx, skip = c0 == 0;
  const size_t at = adi_at(s, first, j);
  RIA_K(known)
  (w, at, c0 + n - first, RIA_K(across_row)(r, lane) + first,
   RIA_K(across_row)(r, lane + 1) + first, r->known);
  RIA_K(build)
  (w, at, n - skip, r->known, r->known + 1, r->row[0] + skip, r->row[1] + skip, r->row[2] + skip,
   r->row[3] + skip);
  if (skip) RIA_K(put_row)(r, 0, RIA_K(boundary_row)(w, RIA_WEST, j, at, r->known[0]));
  if (last) RIA_K(put_row)
  (r, n, RIA_K(boundary_row)(w, RIA_EAST, j, adi_at(s, nx - 1, j), r->known[nx - 1 - first]));
  for (int m = 0; m < 4; m++) {
    const R *RIA_RESTRICT from = r->row[m];
    R *RIA_RESTRICT to = r->turned[m] + lane;
    for (int i = 0; i < n + last; i++) to[(size_t)i * LANES] = from[i];
  }
}

/* Eliminate n faces from c0 on in all lanes. */
ADI_LOOP static void RIA_K(x_eliminate)(RIA_K(rows) * r, int c0, int n) {
  const R *RIA_RESTRICT lo = r->turned[0], *RIA_RESTRICT di = r->turned[1],
                        *RIA_RESTRICT up = r->turned[2], *RIA_RESTRICT rhs = r->turned[3];
  R *RIA_RESTRICT up_to = r->up + (size_t)c0 * LANES,
                  *RIA_RESTRICT rhs_to = r->rhs + (size_t)c0 * LANES;
  R u[LANES], b[LANES];
  memcpy(u, r->u, sizeof u);
  memcpy(b, r->b, sizeof b);
  for (int i = 0; i < n; i++) {
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
      const size_t at = (size_t)i * LANES + (size_t)l;
      const RIA_K(adi_row) row = {lo[at], di[at], up[at], rhs[at]};
      const RIA_K(adi_row) done = RIA_K(adi_eliminate)(row, u[l], b[l]);
      up_to[at] = u[l] = done.up;
      rhs_to[at] = b[l] = done.rhs;
    }
  }
  memcpy(r->u, u, sizeof u);
  memcpy(r->b, b, sizeof b);
}

/* Substitute back through n faces; the solutions are left in rhs. */
ADI_LOOP static void RIA_K(x_back)(RIA_K(rows) * r, int n) {
  const R *RIA_RESTRICT up = r->up;
  R *RIA_RESTRICT rhs = r->rhs;
  R x[LANES] = {0};
  for (int i = n - 1; i >= 0; i--) {
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
      const size_t at = (size_t)i * LANES + (size_t)l;
      rhs[at] = x[l] = rhs[at] - up[at] * x[l];
    }
  }
}

/* The solutions, back in the order of the rows. */
static void RIA_K(x_return)(const RIA_K(sweep) * w, const RIA_K(rows) * r, int j0, int rows) {
  const int faces = w->s->grid.nx + 1;
  for (int c0 = 0; c0 < faces; c0 += CHUNK) {
    const int n = faces - c0 < CHUNK ? faces - c0 : CHUNK;
    for (int k = 0; k < rows; k++) {
      const R *RIA_RESTRICT from = r->rhs + (size_t)c0 * LANES + (size_t)k;
      R *RIA_RESTRICT to = w->u_new + adi_at(w->s, c0 - 1, j0 + k);
      for (int i = 0; i < n; i++) to[i] = from[(size_t)i * LANES];
    }
  }
}

/* Row j once it is solved: water, new flux, new level. */
static int RIA_K(x_finish)(const RIA_K(sweep) * w, const RIA_K(rows) * r, int j, int lane) {
  const adi *s = w->s;
  const int nx = s->grid.nx;
  const size_t at = adi_at(s, 0, j);
  const R *below = RIA_K(across_row)(r, lane), *above = RIA_K(across_row)(r, lane + 1);
  R *share = r->line + SW_PAD, *moved = r->line + r->stride + SW_PAD;
  RIA_K(shares_along)(w, at, nx, below, above, share);
  share[-1] = share[nx] = 1;
  RIA_K(settle)(w, at - 1, nx + 1, share - 1, share, moved - 1);
  if (w->moved_along) memcpy(w->moved_along + at - 1, moved - 1, ((size_t)nx + 1) * sizeof(R));
  RIA_K(count)(s, RIA_WEST, j, 0, (double)moved[-1]);
  RIA_K(count)(s, RIA_EAST, j, 0, (double)moved[nx - 1]);
  return RIA_K(raise)(w, at, nx, below, above, moved - 1, moved);
}

static int RIA_K(x_group)(const RIA_K(sweep) * w, R *scratch, int j0) {
  const adi *s = w->s;
  const int nx = s->grid.nx, left = s->grid.ny - j0, rows = left < LANES ? left : LANES;
  RIA_K(rows) r;
  RIA_K(rows_carve)(s, scratch, &r);
  for (int m = 0; m < 4; m++) /* lanes without a row */
    RIA_K(fill)(r.turned[m], (CHUNK + 1) * LANES, m == 1 ? (R)1 : (R)0);
  for (int c0 = 0; c0 < nx; c0 += CHUNK) {
    const int n = nx - c0 < CHUNK ? nx - c0 : CHUNK;
    RIA_K(x_ahead)(w, j0, rows, c0 + n);
    RIA_K(x_across)(w, &r, j0, rows, c0, n);
    for (int k = 0; k < rows; k++) RIA_K(x_build)(w, &r, j0 + k, k, c0, n);
    RIA_K(x_eliminate)(&r, c0, n + (c0 + n == nx));
  }
  RIA_K(x_record)(w, &r, j0, rows);
  RIA_K(x_back)(&r, nx + 1);
  RIA_K(x_return)(w, &r, j0, rows);
  int bad = 0;
  for (int k = 0; k < rows; k++) bad |= RIA_K(x_finish)(w, &r, j0 + k, k);
  return bad;
}

/* --- a y-sweep: COLUMNS columns -----------------------------------------------------------------
 */

enum { RIA_K(ADI_WIDE) = RIA_K(ADI_COLUMNS) + 16 }; /* columns -1..COLUMNS at [i + 8] */
#define WIDE RIA_K(ADI_WIDE)

typedef struct RIA_K(columns) {
  R *up, *rhs;         /* [ny + 1][COLUMNS]: row j + 1 is the face north of row j */
  R share[WIDE];       /* across, of columns -1..n */
  R across[2][WIDE];   /* faces east of columns -1..n-1, of two rows */
  R known[2][COLUMNS]; /* of two rows */
  R lo[COLUMNS], di[COLUMNS], u[COLUMNS], b[COLUMNS];
  R give[2][COLUMNS], moved[2][COLUMNS];
} RIA_K(columns);

/* What crosses the faces west and east of n cells of row j; [-1] is the face west of the first. */
static R *RIA_K(y_across)(const RIA_K(sweep) * w, RIA_K(columns) * c, int i0, int j, int n,
                          int which) {
  const adi *s = w->s;
  const int from = i0 > 0 ? -1 : 0, to = i0 + n < s->grid.nx ? n + 1 : n;
  R *share = c->share + 8, *out = c->across[which] + 8;
  share[-1] = share[n] = 1;
  const size_t at = adi_at(s, i0, j);
  RIA_K(shares_across)(w, at + (size_t)(ptrdiff_t)from, to - from, share + from);
  RIA_K(cross)(w, at - 1, n + 1, share - 1, share, out - 1);
  return out;
}

/* Ask for the parts of a row some rows ahead: they lie a whole row apart, which no processor
 * foresees. */
static void RIA_K(y_ahead)(const RIA_K(sweep) * w, int i0, int j, int n) {
  const int row = j + 6 < w->s->grid.ny ? j + 6 : w->s->grid.ny - 1;
  const size_t at = adi_at(w->s, i0, row);
  const R *const planes[] = {w->level, w->bed, w->v, w->v_old, w->u};
  for (int k = 0; k < 5; k++)
    for (int i = 0; i < n; i += LANES) __builtin_prefetch(planes[k] + at + i);
}

static void RIA_K(y_eliminate)(RIA_K(columns) * c, int face, int n, const R *lo, const R *di,
                               R *RIA_RESTRICT up, R *RIA_RESTRICT rhs) {
  const R *up_before = face > 0 ? up - COLUMNS : c->u, *b_before = face > 0 ? rhs - COLUMNS : c->b;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const RIA_K(adi_row) row = {lo[i], di[i], up[i], rhs[i]};
    const RIA_K(adi_row) done = RIA_K(adi_eliminate)(row, up_before[i], b_before[i]);
    up[i] = done.up;
    rhs[i] = done.rhs;
  }
}

/* Boundary faces of n columns: side SOUTH or NORTH. */
static void RIA_K(y_rim)(const RIA_K(sweep) * w, RIA_K(columns) * c, ria_side side, int i0, int n,
                         const R *known, R *up, R *rhs) {
  const adi *s = w->s;
  for (int i = 0; i < n; i++) {
    const size_t at = adi_at(s, i0 + i, side == RIA_SOUTH ? 0 : s->grid.ny - 1);
    const RIA_K(adi_row) row = RIA_K(boundary_row)(w, side, i0 + i, at, known[i]);
    c->lo[i] = row.lo;
    c->di[i] = row.di;
    up[i] = row.up;
    rhs[i] = row.rhs;
  }
}

/* Build and eliminate, northwards. */
static void RIA_K(y_forward)(const RIA_K(sweep) * w, RIA_K(columns) * c, int i0, int n) {
  const adi *s = w->s;
  const int ny = s->grid.ny;
  memset(c->u, 0, sizeof c->u);
  memset(c->b, 0, sizeof c->b);
  for (int face = 0; face <= ny; face++) { /* the face south of row `face` */
    R *up = c->up + (size_t)face * COLUMNS, *rhs = c->rhs + (size_t)face * COLUMNS;
    R *here = c->known[face & 1], *before = c->known[~face & 1];
    if (face < ny) {
      RIA_K(y_ahead)(w, i0, face, n);
      const R *east = RIA_K(y_across)(w, c, i0, face, n, 0);
      RIA_K(known)(w, adi_at(s, i0, face), n, east - 1, east, here);
    }
    if (face == 0)
      RIA_K(y_rim)(w, c, RIA_SOUTH, i0, n, here, up, rhs);
    else if (face == ny)
      RIA_K(y_rim)(w, c, RIA_NORTH, i0, n, before, up, rhs);
    else
      RIA_K(build)(w, adi_at(s, i0, face - 1), n, before, here, c->lo, c->di, up, rhs);
    RIA_K(y_eliminate)(c, face, n, c->lo, c->di, up, rhs);
  }
}

/* Substitute back, southwards, into the plane of new fluxes. */
ADI_LOOP static void RIA_K(y_back)(const RIA_K(sweep) * w, const RIA_K(columns) * c, int i0,
                                   int n) {
  const adi *s = w->s;
  R x[COLUMNS] = {0};
  for (int face = s->grid.ny; face >= 0; face--) {
    const R *RIA_RESTRICT up = c->up + (size_t)face * COLUMNS,
                          *RIA_RESTRICT rhs = c->rhs + (size_t)face * COLUMNS;
    R *RIA_RESTRICT out = w->u_new + adi_at(s, i0, face - 1);
#pragma omp simd
    for (int i = 0; i < n; i++) out[i] = x[i] = rhs[i] - up[i] * x[i];
  }
}

/* What crosses, new flux and level, northwards: row j needs the shares of row j + 1. */
static int RIA_K(y_finish)(const RIA_K(sweep) * w, RIA_K(columns) * c, int i0, int n) {
  const adi *s = w->s;
  const int ny = s->grid.ny;
  int bad = 0;
  RIA_K(fill)(c->give[1], n, 1);
  for (int face = 0; face <= ny; face++) { /* north of row face - 1 */
    R *give = c->give[face & 1], *give_before = c->give[~face & 1];
    R *moved = c->moved[face & 1], *moved_before = c->moved[~face & 1];
    if (face < ny) {
      const size_t at = adi_at(s, i0, face);
      RIA_K(y_ahead)(w, i0, face, n);
      const R *east = RIA_K(y_across)(w, c, i0, face, n, face & 1);
      RIA_K(shares_along)(w, at, n, east - 1, east, give);
      if (i0 == 0) RIA_K(count)(s, RIA_WEST, face, 0, (double)east[-1]);
      if (i0 + n == s->grid.nx) RIA_K(count)(s, RIA_EAST, face, 0, (double)east[n - 1]);
      if (w->moved_across) {
        const int from = i0 > 0 ? 0 : -1;
        memcpy(w->moved_across + at + from, east + from, (size_t)(n - from) * sizeof(R));
      }
    } else {
      RIA_K(fill)(give, n, 1);
    }
    const size_t below = adi_at(s, i0, face - 1);
    RIA_K(settle)(w, below, n, give_before, give, moved);
    if (w->moved_along) memcpy(w->moved_along + below, moved, (size_t)n * sizeof(R));
    for (int i = 0; i < n && (face == 0 || face == ny); i++)
      RIA_K(count)(s, face ? RIA_NORTH : RIA_SOUTH, i0 + i, 0, (double)moved[i]);
    if (face > 0) {
      const R *east = c->across[~face & 1] + 8;
      bad |= RIA_K(raise)(w, below, n, east - 1, east, moved_before, moved);
    }
  }
  return bad;
}

static int RIA_K(y_group)(const RIA_K(sweep) * w, R *scratch, int i0) {
  const adi *s = w->s;
  const int left = s->grid.nx - i0, n = left < COLUMNS ? left : COLUMNS;
  RIA_K(columns) c;
  c.up = scratch;
  c.rhs = scratch + ((size_t)s->grid.ny + 1) * COLUMNS;
  RIA_K(y_forward)(w, &c, i0, n);
  RIA_K(y_back)(w, &c, i0, n);
  return RIA_K(y_finish)(w, &c, i0, n);
}

/* --- what follows a sweep, row by row -----------------------------------------------------------
 */

/* Concentrations of row j, -1..nx, in out; outside the domain what inflow brings. j may be -1 or
 * ny. */
static void RIA_K(concentrations)(const adi *s, const R *level, const R *load, int m, int j,
                                  R *out) {
  const int nx = s->grid.nx, ny = s->grid.ny;
  const size_t nt = (size_t)s->nt;
  if (j < 0 || j == ny) {
    const int32_t *owner = s->owner[j < 0 ? RIA_SOUTH : RIA_NORTH];
    for (int i = 0; i < nx; i++) out[i] = (R)s->tracer_now[(size_t)owner[i] * nt + (size_t)m];
    return;
  }
  const size_t at = adi_at(s, 0, j);
  const R *RIA_RESTRICT e = level + at, *RIA_RESTRICT z = (const R *)s->bed + at,
                        *RIA_RESTRICT c = load + at;
#pragma omp simd
  for (int i = 0; i < nx; i++) {
    const R h = e[i] - z[i];
    out[i] = h > 0 ? c[i] / (h > 0 ? h : (R)1) : (R)0;
  }
  out[-1] = (R)s->tracer_now[(size_t)s->owner[RIA_WEST][j] * nt + (size_t)m];
  out[nx] = (R)s->tracer_now[(size_t)s->owner[RIA_EAST][j] * nt + (size_t)m];
}

/* Loads of a row after what crossed; fx, fy: at the row's first cell; c: concentrations of the row.
 */
ADI_LOOP static void RIA_K(carry_row)(int n, size_t stride, const R *fx, const R *fy,
                                      const R *south, const R *c, const R *north,
                                      const R *RIA_RESTRICT load, R *RIA_RESTRICT out) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = RIA_K(adi_load)(
        load[i], RIA_K(adi_carried)(fy[(ptrdiff_t)i - (ptrdiff_t)stride], south[i], c[i]),
        RIA_K(adi_carried)(fy[i], c[i], north[i]), RIA_K(adi_carried)(fx[i - 1], c[i - 1], c[i]),
        RIA_K(adi_carried)(fx[i], c[i], c[i + 1]));
}

/* Diffusion on a row, with the lesser depth of two cells. h: depths, 0 outside the domain. */
ADI_LOOP static void RIA_K(mix_row)(int n, const R *hs, const R *h, const R *hn, const R *south,
                                    const R *c, const R *north, R mix_x, R mix_y,
                                    const R *RIA_RESTRICT load, R *RIA_RESTRICT out) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = load[i] -
             (RIA_K(sw_mixed)(h[i], c[i], h[i + 1], c[i + 1], mix_x) -
              RIA_K(sw_mixed)(h[i - 1], c[i - 1], h[i], c[i], mix_x)) -
             (RIA_K(sw_mixed)(h[i], c[i], hn[i], north[i], mix_y) -
              RIA_K(sw_mixed)(hs[i], south[i], h[i], c[i], mix_y));
}

static void RIA_K(depths)(const adi *s, const R *level, int j, R *out) {
  const R *e = level + adi_at(s, 0, j), *z = (const R *)s->bed + adi_at(s, 0, j);
  for (int i = -1; i <= s->grid.nx; i++) out[i] = RIA_K(adi_depth)(e[i], z[i]);
}

static void RIA_K(count_tracer)(const adi *s, int m, int j, const R *fx, const R *fy,
                                const R *south, const R *c, const R *north) {
  const int nx = s->grid.nx;
  const ptrdiff_t st = (ptrdiff_t)s->stride;
#define COUNT(SIDE, K, F, A, B) RIA_K(count)(s, SIDE, K, 1 + m, (double)RIA_K(adi_carried)(F, A, B))
  COUNT(RIA_WEST, j, fx[-1], c[-1], c[0]);
  COUNT(RIA_EAST, j, fx[nx - 1], c[nx - 1], c[nx]);
  for (int i = 0; i < nx && j == 0; i++) COUNT(RIA_SOUTH, i, fy[i - st], south[i], c[i]);
  for (int i = 0; i < nx && j == s->grid.ny - 1; i++) COUNT(RIA_NORTH, i, fy[i], c[i], north[i]);
#undef COUNT
}

/* What is done to the tracers of rows j0..j1-1: carried by what crossed from the state with `level`
 * (mix = 0), or mixed by diffusion over dt. Rows of concentrations are kept as the march goes on.
 */
static void RIA_K(tracers)(const adi *s, R *scratch, const R *level, int j0, int j1,
                           double mix_dt) {
  const size_t st = s->stride;
  const double dx = s->grid.dx, dy = s->grid.dy;
  for (int m = 0; m < s->nt; m++) {
    const R *load = (const R *)s->load[s->load_now][m];
    R *out = (R *)s->load[1 - s->load_now][m];
    R *c[3], *h[3];
    for (int k = 0; k < 3; k++) {
      c[k] = scratch + (size_t)k * st + SW_PAD;
      h[k] = scratch + (size_t)(3 + k) * st + SW_PAD;
    }
    const R mix_x = (R)(s->diffusion[m] * mix_dt / (dx * dx)),
            mix_y = (R)(s->diffusion[m] * mix_dt / (dy * dy));
    for (int j = j0 - 1; j <= j1; j++) {
      const int k = (j + 3) % 3, mid = (j + 2) % 3, low = (j + 1) % 3;
      RIA_K(concentrations)(s, level, load, m, j, c[k]);
      if (mix_dt > 0) RIA_K(depths)(s, level, j, h[k]);
      if (j <= j0) continue;
      const size_t at = adi_at(s, 0, j - 1);
      if (mix_dt > 0) {
        RIA_K(mix_row)
        (s->grid.nx, h[low], h[mid], h[k], c[low], c[mid], c[k], mix_x, mix_y, load + at, out + at);
        continue;
      }
      const R *fx = (const R *)s->moved[ADI_X] + at, *fy = (const R *)s->moved[ADI_Y] + at;
      RIA_K(carry_row)(s->grid.nx, st, fx, fy, c[low], c[mid], c[k], load + at, out + at);
      RIA_K(count_tracer)(s, m, j - 1, fx, fy, c[low], c[mid], c[k]);
    }
  }
}

/* Decay over a step, of the loads in buffer `now`. */
static void RIA_K(decay)(const adi *s, int j0, int j1, double dt) {
  for (int m = 0; m < s->nt; m++) {
    if (!(s->decay[m] > 0)) continue;
    const R keep = (R)exp(-s->decay[m] * dt);
    for (int j = j0; j < j1; j++) {
      R *load = (R *)s->load[s->load_now][m] + adi_at(s, 0, j);
      double lost = 0;
      for (int i = 0; i < s->grid.nx; i++) {
        const R left = load[i] * keep;
        lost += (double)load[i] - (double)left;
        load[i] = left;
      }
      s->decayed[m * s->grid.ny + j] += lost * s->grid.dx * s->grid.dy;
    }
  }
}

static void RIA_K(keep_maxima)(const adi *s, int j) {
  const size_t at = adi_at(s, 0, j), st = s->stride;
  const R *e = (const R *)s->level[s->level_now] + at, *z = (const R *)s->bed + at;
  const R *p = (const R *)s->flux[ADI_X][s->flux_now[ADI_X]] + at;
  const R *q = (const R *)s->flux[ADI_Y][s->flux_now[ADI_Y]] + at;
  const R *o = (const R *)s->flux[ADI_Y][1 - s->flux_now[ADI_Y]] + at;
  const R dry = (R)s->p.drying_depth, none = (R)-1e30;
  for (int m = 0; m < s->n_track; m++) {
    R *max = (R *)s->track[m].max + at;
    const int field = s->track[m].field;
    const R *load = field == SW_CONC ? (const R *)s->load[s->load_now][s->track[m].tracer] + at : e;
#define KEEP(VALUE)                                                                                \
  _Pragma("omp simd") for (int i = 0; i < s->grid.nx; i++) {                                       \
    const R h = e[i] - z[i], d = h > dry ? h : (R)1;                                               \
    R v = VALUE;                                                                                   \
    v = h > dry ? v : none;                                                                        \
    (void)d;                                                                                       \
    max[i] = v > max[i] ? v : max[i];                                                              \
  }
    if (field == SW_DEPTH) {
      KEEP(h)
    } else if (field == SW_LEVEL_FIELD) {
      KEEP(e[i])
    } else if (field == SW_CONC) {
      KEEP(load[i] / d)
    } else {
      const R *qs = q - st, *os = o - st;
#define QX ((R)0.5 * (p[i - 1] + p[i]))
#define QY ((R)0.25 * (q[i] + qs[i] + o[i] + os[i]))
      KEEP(RIA_K(ria_root)(QX * QX + QY * QY) / d)
#undef QX
#undef QY
    }
#undef KEEP
  }
}

/* --- eddy viscosity -----------------------------------------------------------------------------
 */

/* Rows j0..j1-1 of the plane of Smagorinsky's viscosity, from the present state. Velocities beside
 * are those of the cell itself where there is no water. */
static void RIA_K(eddies)(const adi *s, int j0, int j1, double dt) {
  const ptrdiff_t st = (ptrdiff_t)s->stride;
  const R *level = (const R *)s->level[s->level_now], *bed = (const R *)s->bed,
          *p = (const R *)s->flux[ADI_X][s->flux_now[ADI_X]],
          *q = (const R *)s->flux[ADI_Y][s->flux_now[ADI_Y]], dry = (R)s->p.drying_depth;
  const double dx = s->grid.dx, dy = s->grid.dy, cell = dx < dy ? dx : dy;
  const R cs2 = (R)(s->p.smagorinsky * s->p.smagorinsky * dx * dy), rdx = (R)(1 / dx),
          rdy = (R)(1 / dy), most = (R)(0.25 * cell * cell / dt), add = (R)s->p.eddy;
  for (int j = j0; j < j1; j++) {
    const size_t at = adi_at(s, 0, j);
    R *out = (R *)s->viscosity + at;
    const R *e = level + at, *z = bed + at, *pp = p + at, *qq = q + at;
#define H(K) (e[i + (K)] - z[i + (K)])
#define U(K, D) ((R)0.5 * (pp[i + (K)] + pp[i + (K)-1]) / (D))
#define V(K, D) ((R)0.5 * (qq[i + (K)] + qq[i + (K)-st]) / (D))
#define BESIDE(F, K, OWN) (H(K) > dry ? F(K, H(K) > dry ? H(K) : (R)1) : (OWN))
#pragma omp simd
    for (int i = 0; i < s->grid.nx; i++) {
      const R h = H(0) > dry ? H(0) : (R)1, u = U(0, h), v = V(0, h);
      const R ux = (pp[i] - pp[i - 1]) / h * rdx, vy = (qq[i] - qq[i - st]) / h * rdy;
      const R uy = (R)0.5 * rdy * (BESIDE(U, st, u) - BESIDE(U, -st, u));
      const R vx = (R)0.5 * rdx * (BESIDE(V, 1, v) - BESIDE(V, -1, v));
      const R mine = RIA_K(adi_smagorinsky)(ux, uy, vx, vy, cs2, most - add);
      out[i] = H(0) > dry ? add + mine : (R)0;
    }
#undef BESIDE
#undef V
#undef U
#undef H
  }
}

/* --- the loop over steps ------------------------------------------------------------------------
 */

/* A step under way; level indices: before, between the sweeps, after. */
typedef struct RIA_K(step) {
  RIA_K(sweep) sweep;
  double dt, dt_across;
  int64_t todo;
  bool go, stepped, last;
  int from, half, after, load_before, mixes;
} RIA_K(step);

static void RIA_K(begin_sweep)(adi *s, enum adi_axis axis, RIA_K(step) * st) {
  RIA_K(sweep) *w = &st->sweep;
  const bool x = axis == ADI_X;
  const adi_params *p = &s->p;
  memset(w, 0, sizeof *w);
  w->s = s;
  w->axis = axis;
  w->along = x ? 1 : s->stride;
  w->across = x ? s->stride : 1;
  const double da = x ? s->grid.dx : s->grid.dy, dc = x ? s->grid.dy : s->grid.dx;
  const double dt_u = x ? st->dt : st->dt_across, from = p->wind_from * (acos(-1.0) / 180);
  w->way = RIA_K(adi_way_of)(p->gravity, da, dc, st->dt, dt_u, p->drying_depth, p->flooding_depth,
                             p->land);
  w->way.lw = p->cross == ADI_CROSS_STEADY ? (R)(dt_u / dc) : (R)0;
  w->way.upwind = p->upwind == ADI_UPWIND_FROUDE ? (R)1 : (R)0;
  w->way.turn = (R)(x ? adi_coriolis(p->latitude) : -adi_coriolis(p->latitude));
  w->way.wind = (R)(-adi_wind_stress(p->wind_speed, p->wind_drag) * (x ? sin(from) : cos(from)));

  const int now = s->flux_now[axis], v = s->flux_now[!axis];
  w->bed = (const R *)s->bed;
  w->level = (const R *)s->level[x ? st->from : st->half];
  w->level_new = (R *)s->level[x ? st->half : st->after];
  w->u = (const R *)s->flux[axis][now];
  w->u_new = (R *)s->flux[axis][1 - now];
  w->v = (const R *)s->flux[!axis][v];
  w->v_old = (const R *)s->flux[!axis][1 - v];
  w->manning_one = (R)p->manning;
  w->manning = s->manning ? (const R *)s->manning : &w->manning_one;
  w->viscosity_one = (R)p->eddy;
  w->viscosity = s->viscosity ? (const R *)s->viscosity : &w->viscosity_one;
  w->moved_along = s->nt ? (R *)s->moved[axis] : NULL;
  w->moved_across = s->nt ? (R *)s->moved[!axis] : NULL;
}

/* Between two steps, on one thread: choose the next and set up its x-sweep. */
static void RIA_K(next_step)(adi *s, const ria_span *span, RIA_K(step) * st) {
  st->go = false;
  if (st->stepped) {
    s->steps++;
    s->t = st->last ? span->t_stop : s->t + s->dt;
  }
  st->stepped = false;
  if (s->progress.failure != RIA_OK || st->todo == 0) return;
  const double dt = adi_choose_dt(s, span, &st->last);
  if (!(dt > 0)) return;
  st->todo--;
  st->go = true;
  s->dt = st->dt = dt;
  st->dt_across = adi_step_across(dt, s->lead);
  st->from = s->level_now;
  st->half = (s->level_now + 1) % 3;
  st->after = (s->level_now + 2) % 3;
  st->load_before = s->load_now;
  adi_apply_sources(s, s->t, dt);
  adi_inflow_at(s, s->t + 0.5 * dt);
  adi_force_at(s, ADI_X, s->t + 0.5 * dt, s->t + dt);
  RIA_K(begin_sweep)(s, ADI_X, st);
}

/* After a sweep, on one thread. A bad one does not count: the state before the step is the present
 * one still. */
static void RIA_K(end_sweep)(adi *s, RIA_K(step) * st) {
  const enum adi_axis axis = st->sweep.axis;
  if (adi_anything_bad(s)) {
    adi_blame(s, st->sweep.level_new, st->sweep.u_new);
    if (axis == ADI_Y) s->flux_now[ADI_X] = 1 - s->flux_now[ADI_X];
    s->level_now = st->from;
    s->load_now = st->load_before;
    memcpy(s->flux[ADI_Y][1 - s->flux_now[ADI_Y]], s->flux[ADI_Y][s->flux_now[ADI_Y]],
           axis == ADI_Y ? s->plane * s->real_size : 0);
    st->go = false;
    return;
  }
  s->flux_now[axis] = 1 - s->flux_now[axis];
  s->level_now = axis == ADI_X ? st->half : st->after;
}

static void RIA_K(begin_y)(adi *s, RIA_K(step) * st) {
  if (s->nt) s->load_now = 1 - s->load_now;
  adi_force_at(s, ADI_Y, s->t + st->dt, s->t + 1.5 * st->dt);
  RIA_K(begin_sweep)(s, ADI_Y, st);
}

static void RIA_K(end_y)(adi *s, RIA_K(step) * st) {
  if (s->nt) s->load_now = 1 - s->load_now;
  s->lead += st->dt_across - st->dt;
  st->stepped = true;
  double most = 0;
  for (int m = 0; m < s->nt; m++) most = fmax(most, s->diffusion[m]);
  const double dx = s->grid.dx, dy = s->grid.dy;
  st->mixes = (int)ceil(2 * most * st->dt * (1 / (dx * dx) + 1 / (dy * dy)) / 0.9);
}

/* The groups of a sweep that are a thread's. */
static void RIA_K(sweep_part)(adi *s, const RIA_K(sweep) * w, int thread, int threads) {
  const int each = w->axis == ADI_X ? (int)LANES : (int)COLUMNS;
  const int lines = w->axis == ADI_X ? s->grid.ny : s->grid.nx, groups = (lines + each - 1) / each;
  const int g0 = (int)((int64_t)groups * thread / threads);
  const int g1 = (int)((int64_t)groups * (thread + 1) / threads);
  R *scratch = (R *)s->scratch[thread];
  int bad = 0;
  for (int g = g0; g < g1; g++)
    bad |= w->axis == ADI_X ? RIA_K(x_group)(w, scratch, g * each)
                            : RIA_K(y_group)(w, scratch, g * each);
  s->found[thread].bad = bad;
}

/* All threads do one thing each on their rows, then one thread does another, alone. */
#define MEET(ALONE)                                                                                \
  do {                                                                                             \
    ria_barrier_wait(s->barrier);                                                                  \
    if (thread == 0) {                                                                             \
      ALONE;                                                                                       \
    }                                                                                              \
    ria_barrier_wait(s->barrier);                                                                  \
  } while (0)

/* One step, by all threads together. */
static void RIA_K(take_step)(adi *s, RIA_K(step) * st, int thread, int threads) {
  const int ny = s->grid.ny;
  const int j0 = (int)((int64_t)ny * thread / threads);
  const int j1 = (int)((int64_t)ny * (thread + 1) / threads);
  R *scratch = (R *)s->scratch[thread];
  if (s->viscosity) {
    RIA_K(eddies)(s, j0, j1, st->dt);
    MEET((void)0);
  }
  RIA_K(sweep_part)(s, &st->sweep, thread, threads);
  MEET(RIA_K(end_sweep)(s, st));
  if (!st->go) return;
  if (s->nt) RIA_K(tracers)(s, scratch, (const R *)s->level[st->from], j0, j1, 0);
  MEET(RIA_K(begin_y)(s, st));
  RIA_K(sweep_part)(s, &st->sweep, thread, threads);
  MEET(RIA_K(end_sweep)(s, st));
  if (!st->go) return;
  if (s->nt) RIA_K(tracers)(s, scratch, (const R *)s->level[st->half], j0, j1, 0);
  MEET(RIA_K(end_y)(s, st));
  for (int k = 0; k < st->mixes; k++) {
    RIA_K(tracers)(s, scratch, (const R *)s->level[st->after], j0, j1, st->dt / st->mixes);
    MEET(s->load_now = 1 - s->load_now);
  }
  RIA_K(decay)(s, j0, j1, st->dt);
  for (int j = j0; j < j1 && s->n_track; j++) RIA_K(keep_maxima)(s, j);
}

void RIA_K(adi_advance)(adi *s, const ria_span *span) {
  RIA_K(step) st = {.todo = span->max_steps};
#pragma omp parallel num_threads(s->threads)
  {
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
#pragma omp single
    s->barrier->threads = threads; /* as many as there are, not as were asked for */
    for (;;) {
      MEET(RIA_K(next_step)(s, span, &st));
      if (!st.go) break;
      RIA_K(take_step)(s, &st, thread, threads);
    }
  }
}

#undef MEET
#undef WIDE
#undef COLUMNS
#undef CHUNK
#undef LANES
#undef ADI_LOOP
#undef R
