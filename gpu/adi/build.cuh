/* gpu/adi/build.cuh - the rows of a line, eliminated as they are built, per precision: in calm
 * water by a way that gives the same rows with less than half of the arithmetic, elsewhere by all
 * of it. Included after lines.cuh. */
namespace {
#define R RIA_PRECISION

/* --- calm water ------------------------------------------------------------------------------- */

/* The order of numbers that are not negative is that of their first words, which is cheaper to find
 * the least and the largest by. What such a word says of a number, from below and from above: */
__device__ __forceinline__ int word_of(double a) { return __double2hiint(a); }
__device__ __forceinline__ int word_of(float a) { return __float_as_int(a); }
__device__ __forceinline__ int size_of(R a) { return word_of(a) & 0x7fffffff; }
__device__ __forceinline__ R at_least(int word) {
  return sizeof(R) == 4 ? (R)__int_as_float(word) : (R)__hiloint2double(word, 0);
}
__device__ __forceinline__ R at_most(int word) {
  return sizeof(R) == 4 ? (R)__int_as_float(word) : (R)__hiloint2double(word + 1, 0);
}

/* Does nothing cross the outer sides of the first and the last line, now or a step earlier? What
 * crosses is the mean of both. The lines are their own neighbours there. Asked of the cell after
 * the thread's, too, which its last face has. */
template <int M, bool RING>
__device__ __noinline__ bool rim_is_still(const adig_sweep *s, const place *p) {
  bool still = true;
  for (int k = 0; k <= M && p->i0 + k < s->n + (RING && s->closes); k++) {
    const int at = p->base + k * p->al;
    if (p->t == 0) still = still && get(s->v, at - p->ac) == 0 && get(s->v_old, at - p->ac) == 0;
    if (p->t == s->lines - 1) still = still && get(s->v, at) == 0 && get(s->v_old, at) == 0;
  }
  return still;
}

/* What the tracers need: what crosses the faces across cell k. */
__device__ __forceinline__ void keep_across(const adig_sweep &s, const place &p, int at, R lo,
                                            R hi) {
  if (p.t == 0) put(s.moved_v, at - p.ac, lo);
  put(s.moved_v, at, hi);
}

/* The cell q of what was read. */
template <typename READER>
__device__ __forceinline__ void read_calm(const READER &in, int q, adi_calm_cell *r) {
  r->z = in.z.v[q], r->s = in.h.v[q], r->h = r->s - r->z;
  r->inv = ria_inv(r->h);
  r->u = in.u.v[q], r->un = in.un.v[q], r->us = in.us.v[q];
  r->c = in.c.v[q], r->cn = in.cn.v[q], r->cs = in.cs.v[q];
  r->hn = in.hn.v[q] - in.zn.v[q], r->hs = in.hs.v[q] - in.zs.v[q];
  r->vn = in.v.v[q], r->vs = in.vs.v[q];
}
template <typename READER>
__device__ __forceinline__ void read_more(const sweep_args &a, const READER &in, int q,
                                          adi_calm_cell *r) {
  const adig_sweep &s = a.s;
  r->rough = s.manning ? in.rough.v[q] : a.rough;
  r->e = s.viscosity ? in.e.v[q] : a.eddy;
  r->en = s.viscosity ? in.en.v[q] : a.eddy, r->es = s.viscosity ? in.es.v[q] : a.eddy;
}

/* Rows and all that is known before they are solved, in calm water; false: it is not calm at all of
 * the thread's faces, and what was made is of no use. Nothing is counted. on = 0: the
 * step is none, which is asked when the first cell has been read. MORE: with eddy
 * viscosity, tracers, a plane of roughness. RING: with sides that are periodic. */
template <int M, bool ROWS, bool MORE, bool RING>
__device__ __forceinline__ bool build_calm(const sweep_args &a, const adi_way &w, const place &p,
                                           int on, piece<M> *out) {
  const adig_sweep &s = a.s;
  const bool closes = RING && s.closes, wraps = RING && s.wraps;
  reader<ROWS, MORE> in(s, p, !wraps);
  adi_calm_cell l, r;
  bool calm = true;
  int least = 0x7f7fffff, level = 0, along = 0, across = 0;
  tri_row up = {-1, 0, 0};
  l.u = get(s.u, p.base - p.al);
#pragma unroll
  for (int k = 0; k <= M; k++) {
    const int q = k < M ? k % reader<ROWS, MORE>::V : 0, i = p.i0 + k;
    in.advance(k, M);
    read_calm(in, q, &r);
    const R hi = r.vn + in.o.v[q], lo = r.vs + in.os.v[q];
    const R still = ria_fused(-w.kc, hi - lo, r.s);
    r.all = hi + lo;
    r.known = ria_fused(-w.k, r.u - l.u, still);
    r.carries = adi_calm_carries(l.u, r.u, r.inv, &w);
    if (MORE) read_more(a, in, q, &r);
    if (i < s.n + closes) {
      calm = calm && r.z < w.land;
      least = min(least, word_of(r.h - adi_keep(r.s, r.z)));
      level = max(level, max(size_of(in.hn.v[q]), size_of(in.hs.v[q])));
      along = max(along, size_of(r.carries));
    }
    if (k == 0 && !on) return false;
    if (k == 0 && i == s.n - 1) calm = calm && adi_calm_even(&r, &r); /* a cell alone */
    if (k == 0 && i == 0 && !closes)
      up = begin_line(&a, p, r.s, r.z, r.known, l.u, r.u, MORE ? r.rough : a.rough);
    if (k > 0) {
      const R rough = MORE ? (R)0.5 * (l.rough + r.rough) : a.rough;
      R an, as;
      adi_row m = adi_calm_row(&l, &r, MORE, w.g * rough * rough, &w, &an, &as);
      if (i < s.n + closes) {
        across = max(across, max(size_of(an), size_of(as)));
        calm = calm && adi_calm_even(&l, &r);
        if (closes && i == s.n) {
          lay_seam(p, up, m);
          m = next_one();
        }
      } else if (closes) {
        m = next_one();
      } else {
        m = {0, 1, 0, 0};
        if (i == s.n) end_line(&a, p, l.s, l.z, l.known, l.u, MORE ? l.rough : a.rough, &m);
      }
      out->eliminate(k - 1, up, m);
      if (k < M) up = out->row[k - 1];
    }
    if (k < M) {
      out->level[k] = still;
      if (MORE && s.moved_v && p.store && !s.is_first && i < s.n)
        keep_across(s, p, p.base + k * p.al, wraps ? w.kc * lo : (R)0, w.kc * hi);
    }
    l = r;
  }
  if (!wraps && (p.t == 0 || p.t == s.lines - 1)) calm = calm && rim_is_still<M, RING>(&s, &p);
  const R moved = out->moved = largest_moved(&a, w.kc);
  out->least = at_least(least) - 2 * moved;
  return p.i0 >= s.n || (calm && adi_calm_deep(at_least(least), at_most(level), at_most(along),
                                               at_most(across), moved, &w));
}

/* --- any water -------------------------------------------------------------------------------- */

/* A cell of the line, and what it sees on the lines beside. */
typedef struct cell {
  R h;                /* depth */
  R z, s, known, u;   /* bed, level; flux of its far face */
  R un, us, hn, hs;   /* lines beside: flux of the same face, depth */
  R c, cn, cs;        /* these three fluxes as the cross term takes them */
  R vn, vs, on, os;   /* flux across on its two sides, now and a step earlier */
  R rough, e, en, es; /* roughness; eddy viscosity here and beside */
} cell;

/* The face between l and r; um: flux of the face before, hll and hrr: depths beyond. */
__device__ __forceinline__ adi_face face_between(const cell &l, const cell &r, R um, R hll, R hrr,
                                                 R g) {
  const R quarter = (R)0.25, rough = (R)0.5 * (l.rough + r.rough);
  adi_face f;
  f.zl = l.z, f.zr = r.z, f.sl = l.s, f.sr = r.s, f.kl = l.known, f.kr = r.known;
  f.um = um, f.u = l.u, f.up = r.u, f.un = l.un, f.us = l.us;
  f.cn = l.cn, f.c = l.c, f.cs = l.cs;
  f.hll = hll, f.hrr = hrr, f.hln = l.hn, f.hrn = r.hn, f.hls = l.hs, f.hrs = r.hs;
  f.vln = l.vn, f.vrn = r.vn, f.vls = l.vs, f.vrs = r.vs;
  f.oln = l.on, f.orn = r.on, f.ols = l.os, f.ors = r.os;
  f.drag = g * rough * rough;
  f.el = l.e, f.er = r.e;
  f.en = quarter * (l.e + r.e + l.en + r.en), f.es = quarter * (l.e + r.e + l.es + r.es);
  return f;
}

/* The same rows by all of the arithmetic, a face at a time; and the account of what crosses the
 * sides across. By threads of a warp that see water which is not calm: each asks for itself, so
 * that its rows depend on the cells that they are of, and not on who shares its warp. */
template <int M, bool RING>
__device__ __noinline__ void build_any(const sweep_args *args, const place *at_, R moved,
                                       piece<M> *out) {
  const sweep_args &a = *args;
  const bool closes = RING && a.s.closes, wraps = RING && a.s.wraps;
  const adig_sweep &s = a.s;
  const place p = *at_;
  const adi_way &w = *p.way;
  const R thin = 4 * moved;
  const bool store = p.store && !s.is_first;
  const auto depth_at = [&](int at) { return adi_depth(get(s.level, at), get(s.bed, at)); };
  cell l, r;
  R um = 0, hll = 0, before = depth_at(p.base - p.al); /* before l */
  tri_row up = {-1, 0, 0};
  l.u = get(s.u, p.base - p.al);
  out->least = (R)1e30;
#pragma unroll 1
  for (int k = 0; k <= M; k++) {
    const int i = p.i0 + k, at = p.base + min(k, p.top) * p.al;
    const R sn = get(s.level, at + p.ac), zn = get(s.bed, at + p.ac);
    const R ss = get(s.level, at - p.ac), zs = get(s.bed, at - p.ac);
    r.z = get(s.bed, at), r.s = get(s.level, at), r.h = adi_depth(r.s, r.z);
    r.u = get(s.u, at), r.un = get(s.u, at + p.ac), r.us = get(s.u, at - p.ac);
    r.c = get(s.carried, at), r.cn = get(s.carried, at + p.ac);
    r.cs = get(s.carried, at - p.ac);
    r.hn = adi_depth(sn, zn), r.hs = adi_depth(ss, zs);
    r.vn = get(s.v, at), r.vs = get(s.v, at - p.ac);
    r.on = get(s.v_old, at), r.os = get(s.v_old, at - p.ac);
    r.rough = s.manning ? get(s.manning, at) : a.rough;
    r.e = s.viscosity ? get(s.viscosity, at) : a.eddy;
    r.en = s.viscosity ? get(s.viscosity, at + p.ac) : a.eddy;
    r.es = s.viscosity ? get(s.viscosity, at - p.ac) : a.eddy;
    const R has = r.h - adi_keep(r.s, r.z);
    crossing c = {w.kc * (r.vs + r.os), w.kc * (r.vn + r.on)};
    const bool deep = has >= thin &&
                      (r.hn - adi_keep(sn, zn) >= thin || (!wraps && p.t == s.lines - 1)) &&
                      (r.hs - adi_keep(ss, zs) >= thin || (!wraps && p.t == 0));
    if (!deep && !(c.lo == 0 && c.hi == 0) && i < s.n + closes)
      c = limited_across<RING>(&a, &w, i, p.t);
    r.known = adi_known(r.s, c.lo, c.hi, l.u, r.u, w.k);
    if (k == 0 && i == 0 && !closes) up = begin_line(&a, p, r.s, r.z, r.known, l.u, r.u, r.rough);
    if (k > 0) {
      adi_row m = {0, 1, 0, 0};
      if (i < s.n + closes) {
        const int beyond = closes && i == s.n ? cell_at(&s, s.apart ? s.n + 1 : 1 % s.n, p.t)
                                              : p.base + min(k + 1, p.top) * p.al;
        const adi_face f = face_between(l, r, um, hll, depth_at(beyond), w.g);
        m = adi_momentum(&f, &w);
      }
      if (closes && i >= s.n) {
        if (i == s.n) lay_seam(p, up, m);
        m = next_one();
      } else if (i == s.n) {
        end_line(&a, p, l.s, l.z, l.known, l.u, l.rough, &m);
      }
      out->eliminate(k - 1, up, m);
      if (k < M) up = out->row[k - 1];
    }
    if (k < M && i < s.n) {
      out->level[k] = r.s - (c.hi - c.lo);
      out->least = ria_min(out->least, has - adi_leaving(c.lo, c.hi));
      if (store && p.t == 0 && !wraps) count_crossed(&s, s.side[0] + i, c.lo);
      if (store && p.t == s.lines - 1 && !wraps) count_crossed(&s, s.side[1] + i, -c.hi);
      if (store && s.moved_v) keep_across(s, p, at, c.lo, c.hi);
    }
    um = l.u;
    hll = before;
    before = r.h;
    l = r;
  }
}

#undef R
} // namespace
