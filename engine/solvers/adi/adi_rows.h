/* adi_rows.h - loops over a part of a row, for one precision: what crosses, the rows of the
 * systems, new levels; the faces on the boundary.
 *
 * In a sweep along x and along y alike: only the strides differ. Included by adi_sweep.h. */
#include "adi.h"
#include "adi_k.h"
#include "adi_edge_k.h"
#include "adi_tracer_k.h"

#define R RIA_PRECISION
/* A loop over a row stands alone: inlined, gcc forgets which arrays do not overlap. */
#define ADI_LOOP __attribute__((noinline))
enum {
  LANES = 64 / sizeof(R),    /* rows of an x-sweep solved side by side */
  COLUMNS = 128 / sizeof(R), /* columns of a y-sweep: wider, and L2 does not hold them */
  CHUNK = 64                 /* columns of an x-sweep built together */
};

/* What does not change within a sweep. */
typedef struct sweep_args {
  const adi *s;
  enum adi_axis axis;
  size_t along, across; /* strides */
  adi_way way;
  const R *bed, *level, *u, *v, *v_old, *manning, *viscosity;
  const R *carried; /* u as the cross term takes it */
  R *between;       /* in a first solution: what the second one takes. All else stays as it is */
  R *u_new, *level_new;
  R *moved_along, *moved_across; /* planes, NULL without tracers */
  R manning_one, viscosity_one;
} sweep_args;

/* The row of a face whose flux is known: x. */
RIA_KERNEL adi_row face_of(R x) { return (adi_row){0, 1, 0, x}; }

/* A line that closes upon itself, of n faces: of what comes of nothing crossing the seam (y), and
 * of 1 crossing it and nothing else driving (z), at its first and last inner face, what crosses.
 * seam: the row of the face there. */
RIA_KERNEL R seam_flux(adi_row seam, R y_first, R y_last, R z_first, R z_last) {
  return (seam.rhs - seam.lo * y_last - seam.up * y_first) /
         (seam.di + seam.lo * z_last + seam.up * z_first);
}

static void fill(R *a, int n, R v) {
  for (int i = 0; i < n; i++) a[i] = v;
}

/* --- loops over a row ------------------------------------------------------------------------- */

/* Factors on what leaves n cells from `at` on through their faces across. Where no cell of the row
 * runs short, which is nearly everywhere, nothing is divided. */
ADI_LOOP static void shares_across(const sweep_args *w, size_t at, int n, R *RIA_RESTRICT out) {
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
    few |= adi_short(adi_leaving(LOW, HIGH), adi_has_across(e[i], z[i]));
  }
  if (!few) return;
#pragma omp simd
  for (int i = 0; i < n; i++) out[i] = adi_share_across(e[i], z[i], LOW, HIGH);
#undef HIGH
#undef LOW
}

/* What crosses n faces across, those on the high side of the cells from `at` on. */
ADI_LOOP static void cross(const sweep_args *w, size_t at, int n, const R *share_lo,
                           const R *share_hi, R *RIA_RESTRICT out) {
  const R *v = w->v + at, *o = w->v_old + at, k = w->way.kc;
#pragma omp simd
  for (int i = 0; i < n; i++) out[i] = adi_donor(k * (v[i] + o[i]), share_lo[i], share_hi[i]);
}

/* Known part of the level of n cells; lo, hi: what crosses their faces across. */
ADI_LOOP static void known(const sweep_args *w, size_t at, int n, const R *lo, const R *hi,
                           R *RIA_RESTRICT out) {
  const R *e = w->level + at, *u_lo = w->u + at - w->along, *u_hi = w->u + at, k = w->way.k;
#pragma omp simd
  for (int i = 0; i < n; i++) out[i] = adi_known(e[i], lo[i], hi[i], u_lo[i], u_hi[i], k);
}

/* The arrays around a row of faces: cell i, and the face on its high side, at [i]. */
typedef struct face_row {
  const R *z, *e, *kl, *kr; /* bed, level; known levels of the cells on either side of face i */
  const R *u, *v, *o, *m;   /* flux along, across, across a step earlier; u of the cross term */
  const R *manning, *eddy;  /* rows, or one value */
  ptrdiff_t a, c;           /* strides along, across */
} face_row;

RIA_KERNEL R depth_at(const face_row *f, ptrdiff_t i) { return adi_depth(f->e[i], f->z[i]); }

/* Eddy viscosity at the corner of face i towards the line that is k away. */
RIA_KERNEL R corner_eddy(const face_row *f, ptrdiff_t i, ptrdiff_t k) {
  const R *eddy = f->eddy;
  return (R)0.25 * (eddy[i] + eddy[i + f->a] + eddy[i + k] + eddy[i + f->a + k]);
}

/* Face i. rough, eddies: 1 where Manning's n and the viscosity are rows, 0 for one value. */
RIA_KERNEL adi_face face_at(const face_row *f, int i, int rough, int eddies, R g) {
  const ptrdiff_t a = f->a, c = f->c;
  const R n = (R)0.5 * (f->manning[rough * i] + f->manning[rough * (i + a)]);
  const R one = *f->eddy;
  return (adi_face){.zl = f->z[i],
                    .zr = f->z[i + a],
                    .sl = f->e[i],
                    .sr = f->e[i + a],
                    .kl = f->kl[i],
                    .kr = f->kr[i],
                    .um = f->u[i - a],
                    .u = f->u[i],
                    .up = f->u[i + a],
                    .un = f->u[i + c],
                    .us = f->u[i - c],
                    .cn = f->m[i + c],
                    .c = f->m[i],
                    .cs = f->m[i - c],
                    .hll = depth_at(f, i - a),
                    .hrr = depth_at(f, i + 2 * a),
                    .hln = depth_at(f, i + c),
                    .hrn = depth_at(f, i + a + c),
                    .hls = depth_at(f, i - c),
                    .hrs = depth_at(f, i + a - c),
                    .vln = f->v[i],
                    .vrn = f->v[i + a],
                    .vls = f->v[i - c],
                    .vrs = f->v[i + a - c],
                    .oln = f->o[i],
                    .orn = f->o[i + a],
                    .ols = f->o[i - c],
                    .ors = f->o[i + a - c],
                    .drag = g * n * n,
                    .el = eddies ? f->eddy[i] : one,
                    .er = eddies ? f->eddy[i + a] : one,
                    .en = eddies ? corner_eddy(f, i, c) : one,
                    .es = eddies ? corner_eddy(f, i, -c) : one};
}

/* The loop of build, inlined for each case: rough, eddies of face_at; plain: no viscosity. */
RIA_KERNEL void build_faces(const face_row *f, const adi_way *way, int n, int rough, int eddies,
                            int plain, R *RIA_RESTRICT lo, R *RIA_RESTRICT di, R *RIA_RESTRICT up,
                            R *RIA_RESTRICT rhs) {
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const adi_face face = face_at(f, i, rough, eddies, way->g);
    const adi_row row = plain ? adi_momentum_plain(&face, way) : adi_momentum(&face, way);
    lo[i] = row.lo;
    di[i] = row.di;
    up[i] = row.up;
    rhs[i] = row.rhs;
  }
}

/* Rows of the systems of n faces, those on the high side of the cells from `at` on. */
ADI_LOOP static void build(const sweep_args *w, size_t at, int n, const R *kl, const R *kr,
                           R *RIA_RESTRICT lo, R *RIA_RESTRICT di, R *RIA_RESTRICT up,
                           R *RIA_RESTRICT rhs) {
  const bool rough = w->manning != &w->manning_one, eddies = w->viscosity != &w->viscosity_one;
  const face_row f = {.z = w->bed + at,
                      .e = w->level + at,
                      .kl = kl,
                      .kr = kr,
                      .u = w->u + at,
                      .v = w->v + at,
                      .o = w->v_old + at,
                      .m = w->carried + at,
                      .manning = w->manning + (rough ? at : 0),
                      .eddy = w->viscosity + (eddies ? at : 0),
                      .a = (ptrdiff_t)w->along,
                      .c = (ptrdiff_t)w->across};
  const adi_way way = w->way;
  if (eddies)
    build_faces(&f, &way, n, rough, 1, 0, lo, di, up, rhs);
  else if (rough)
    build_faces(&f, &way, n, 1, 0, 0, lo, di, up, rhs);
  else if (*f.eddy > 0)
    build_faces(&f, &way, n, 0, 0, 0, lo, di, up, rhs);
  else
    build_faces(&f, &way, n, 0, 0, 1, lo, di, up, rhs);
}

/* Factors along of n cells from `at` on: lo, hi what crosses their faces across. */
ADI_LOOP static void shares_along(const sweep_args *w, size_t at, int n, const R *lo, const R *hi,
                                  R *RIA_RESTRICT out) {
  const size_t a = w->along;
  const R *z = w->bed + at, *e = w->level + at, *u_lo = w->u + at - a, *u_hi = w->u + at,
          *n_lo = w->u_new + at - a, *n_hi = w->u_new + at, k = w->way.k;
  int few = 0;
#define GONE adi_leaving(lo[i], hi[i])
#define LOW (k * (n_lo[i] + u_lo[i]))
#define HIGH (k * (n_hi[i] + u_hi[i]))
#pragma omp simd reduction(| : few)
  for (int i = 0; i < n; i++) {
    out[i] = 1;
    few |= adi_short(adi_leaving(LOW, HIGH), adi_has_along(e[i], z[i], GONE));
  }
  if (!few) return;
#pragma omp simd
  for (int i = 0; i < n; i++) out[i] = adi_share_along(e[i], z[i], GONE, LOW, HIGH);
#undef HIGH
#undef LOW
#undef GONE
}

/* What crosses n faces along, and their flux where water runs short. */
ADI_LOOP static void settle(const sweep_args *w, size_t at, int n, const R *share_lo,
                            const R *share_hi, R *RIA_RESTRICT out) {
  const R *u = w->u + at, k = w->way.k;
  R *u_new = w->u_new + at;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const R moved = k * (u_new[i] + u[i]);
    out[i] = adi_donor(moved, share_lo[i], share_hi[i]);
    u_new[i] *= moved > 0 ? share_lo[i] : share_hi[i];
  }
}

/* The Courant number |u| dt / d of the flow along through a cell: what crosses its two faces in
 * half a step, over its depth. Films do not count: a front that wets them always is that fast. */
#define COURANT(I) (ria_abs(a_lo[I] + a_hi[I]))
#define DEPTH(I) (e[I] - z[I])

/* Of n cells enter the one with the largest Courant number above `most`; of equals the first. */
static void note_fast(const sweep_args *w, size_t at, int n, const R *a_lo, const R *a_hi, R least,
                      adi_found *found) {
  const adi *s = w->s;
  const R *e = w->level + at, *z = w->bed + at, most = (R)s->fastest.courant;
  const int row = (int)(at / s->planes.stride), j = row - s->planes.ghost_rows + s->planes.part.j0;
  const int first = j * s->planes.grid.nx + (int)(at % s->planes.stride) - RIA_PLANE_PAD;
  for (int i = 0; i < n; i++) {
    if (!(DEPTH(i) > least && COURANT(i) > most * DEPTH(i))) continue;
    const double courant = (double)(COURANT(i) / DEPTH(i));
    if (courant < found->courant || (courant == found->courant && first + i > found->cell))
      continue;
    found->courant = courant;
    found->cell = first + i;
  }
}

/* New level of n cells. Notes in `found` if any is none, and flow that is faster than before. */
ADI_LOOP static void new_levels(const sweep_args *w, size_t at, int n, const R *lo, const R *hi,
                                const R *a_lo, const R *a_hi, adi_found *found) {
  const R *RIA_RESTRICT e = w->level + at, *RIA_RESTRICT u = w->u_new + at, big = (R)1e30;
  const R *RIA_RESTRICT z = w->bed + at, most = (R)w->s->fastest.courant;
  const R least = 5 * w->way.flooding;
  R *RIA_RESTRICT out = w->level_new + at;
  int bad = 0, fast = 0;
#pragma omp simd reduction(| : bad, fast)
  for (int i = 0; i < n; i++) {
    out[i] = adi_level(e[i], lo[i], hi[i], a_lo[i], a_hi[i]);
    bad |= !(ria_abs(out[i]) + ria_abs(u[i]) < big);
    fast |= (DEPTH(i) > least) & (COURANT(i) > most * DEPTH(i));
  }
  found->bad |= bad;
  if (fast) note_fast(w, at, n, a_lo, a_hi, least, found);
}
#undef DEPTH
#undef COURANT

/* --- boundaries ------------------------------------------------------------------------------- */

static R drag(const sweep_args *w, size_t at) {
  const R n = w->manning[w->manning != &w->manning_one ? at : 0];
  return w->way.g * n * n;
}

static bool is_rated(const sweep_args *w, ria_side side, int k) {
  const ria_planes *p = &w->s->planes;
  return p->stretch[p->owner[side][k]].kind == SIDE_RATING;
}

/* face, in: the face on the boundary and the next one inside. */
static adi_row rated_row(const sweep_args *w, ria_side side, int k, size_t at, size_t face,
                         size_t in, R known) {
  const water_forcing *f = &w->s->forcing;
  const int owner = w->s->planes.owner[side][k];
  const double share = f->share[side][k];
  const R sign = ria_side_is_upper(side) ? (R)-1 : (R)1;
  const int second = w->carried != w->u;
  const R guess = adi_rated_level(sign, known, w->u[face], w->u[in], second, w->carried[face],
                                  w->carried[in], &w->way);
  return adi_rated(sign, w->level[at], w->bed[at], known, guess, second, w->u[face],
                   (R)(share * f->value[owner]), (R)(share * f->slope[owner]), &w->way);
}

/* The row of a boundary face of the sweep's axis; at: the cell inside. */
static adi_row boundary_row(const sweep_args *w, ria_side side, int k, size_t at, R known) {
  const adi *s = w->s;
  const int owner = s->planes.owner[side][k], kind = s->planes.stretch[owner].kind;
  const bool first = !ria_side_is_upper(side);
  const size_t face = first ? at - w->along : at, in = first ? at : at - w->along;
  if (kind == SIDE_RATING) return rated_row(w, side, k, at, face, in, known);
  const R value = kind == SIDE_DISCHARGE
                      ? (R)s->forcing.share[side][k]
                      : (R)water_side_value(&s->forcing, &s->planes, 0, (int)side, k, owner);
  R out = 0;
  if (kind == SIDE_RADIATE) {
    const int across = water_current_across(ria_side_along_x(side));
    out = (R)water_side_value(&s->forcing, &s->planes, across, (int)side, k, owner);
    out = (first ? -out : out) + (R)adi_crossed(s, side, k)->kept[0];
  }
  return adi_boundary(kind, first ? (R)1 : (R)-1, w->level[at], w->bed[at], known, w->u[face],
                      w->u[in], drag(w, at), value, out, &w->way);
}

/* Of the k-th cell of a side, its flux in `at`: the line is solved. */
static void let_out(const sweep_args *w, ria_side side, int k, size_t at) {
  const R u = w->u[at], sign = ria_side_is_upper(side) ? (R)-1 : (R)1;
  if (is_rated(w, side, k) && adi_let_out(sign, w->u_new[at] + u, u) == 0) w->u_new[at] = -u;
}

/* It is settled: moved crossed. */
static void keep_rated(const sweep_args *w, ria_side side, int k, size_t at, R moved) {
  if (is_rated(w, side, k)) w->u_new[at] = adi_rated_flux(moved, &w->way);
}

/* Count what crossed a boundary face. moved > 0 along the axis. */
static void count(const adi *s, ria_side side, int k, int quantity, double moved) {
  if (ria_side_along_x(side) ? s->rings.x : s->rings.y) return; /* it stays inside */
  ria_crossed *c = adi_crossed(s, side, k) + quantity;
  const bool first = !ria_side_is_upper(side);
  ria_enter(c, (first ? moved : -moved) * (s->planes.grid.dx * s->planes.grid.dy));
}
