/* io/delaunay.c - the Delaunay triangulation of points in the plane, one point after the other.
 *
 * Places are put on a lattice of 2^30 steps (0.1 mm of 100 km), where both questions, on which side
 * of a line a point lies and whether it lies in a circle, have whole numbers as answers: 64 and 128
 * bits hold them. So nothing depends on rounding, and points on lines, lattices and circles do no
 * harm.
 *
 * The plane is closed by triangles between the hull and a corner at infinity (GHOST); each edge
 * then has two sides. A new point takes away the triangles whose circles hold it, of the outer ones
 * those whose edge it sees, and is joined to the rim of the hole. Points come in rounds, each twice
 * as large as the one before and along a Hilbert curve: the walk to the next is short, and no order
 * in the file makes many triangles for nothing. */
#include "io/delaunay.h"

#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

enum { GHOST = -1, NONE = -1, BITS = 30, CURVE_BITS = 16, ROUNDS = 24 };

typedef struct place {
  int64_t x, y;
} place;

typedef struct triangle {
  int32_t corner[3], beside[3]; /* counterclockwise; beside[k] lies opposite corner[k] */
} triangle;

typedef struct rim_edge {
  int32_t from, to, beyond; /* the hole on its left */
} rim_edge;

typedef struct mesh {
  const place *at; /* [points] */
  triangle *t;
  uint32_t *seen; /* [triangles] the turn at which it was looked at */
  uint32_t turn;
  size_t n; /* triangles */
  int32_t last;
  int32_t *starts; /* [points + 1] the new triangle whose rim edge begins at a corner (GHOST: 0) */
  int32_t *hole;   /* a stack, then the triangles of the hole */
  rim_edge *rim;
  size_t room; /* of hole, rim */
} mesh;

/* --- exact answers ---------------------------------------------------------------------------- */

/* Above 0: c lies to the left of the line from a to b. */
static int64_t side(place a, place b, place c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Does p lie within the circle through a, b, c (counterclockwise)? On it: no. */
static bool in_circle(place a, place b, place c, place p) {
  const int64_t ax = a.x - p.x, ay = a.y - p.y, bx = b.x - p.x, by = b.y - p.y;
  const int64_t cx = c.x - p.x, cy = c.y - p.y;
  const wide d = (wide)(ax * ax + ay * ay) * (bx * cy - by * cx) +
                 (wide)(bx * bx + by * by) * (cx * ay - cy * ax) +
                 (wide)(cx * cx + cy * cy) * (ax * by - ay * bx);
  return d > 0;
}

static bool between(place a, place b, place p) {
  const int64_t along = (p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y);
  const int64_t all = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
  return along > 0 && along < all;
}

static int ghost_of(const triangle *t) {
  for (int k = 0; k < 3; k++)
    if (t->corner[k] == GHOST) return k;
  return NONE;
}

/* Must the triangle go when p comes? */
static bool conflicts(const mesh *m, int32_t tri, place p) {
  const triangle *t = &m->t[tri];
  const int g = ghost_of(t);
  if (g == NONE) return in_circle(m->at[t->corner[0]], m->at[t->corner[1]], m->at[t->corner[2]], p);
  const place a = m->at[t->corner[(g + 1) % 3]], b = m->at[t->corner[(g + 2) % 3]];
  const int64_t s = side(a, b, p);
  return s > 0 || (s == 0 && between(a, b, p));
}

/* --- one point -------------------------------------------------------------------------------- */

/* A triangle that p lies in, or an outer one whose edge p sees. */
static int32_t locate(const mesh *m, place p) {
  int32_t tri = m->last;
  for (;;) {
    const triangle *t = &m->t[tri];
    if (ghost_of(t) != NONE) return tri;
    int k = 0;
    while (k < 3 && side(m->at[t->corner[(k + 1) % 3]], m->at[t->corner[(k + 2) % 3]], p) >= 0) k++;
    if (k == 3) return tri;
    tri = t->beside[k];
  }
}

static bool grow(mesh *m, size_t need) {
  if (need <= m->room) return true;
  const size_t room = 2 * need;
  int32_t *hole = realloc(m->hole, room * sizeof *hole);
  if (hole) m->hole = hole;
  rim_edge *rim = hole ? realloc(m->rim, room * sizeof *rim) : NULL;
  if (!rim) return false;
  m->rim = rim;
  m->room = room;
  return true;
}

/* The triangles that go, hole[0, n), and the edges around them, one more than twice. -1: memory. */
static int64_t dig(mesh *m, place p, int32_t first, size_t *edges) {
  size_t n = 1;
  *edges = 0;
  m->turn++;
  m->hole[0] = first;
  m->seen[first] = m->turn;
  for (size_t k = 0; k < n; k++) {
    const triangle *t = &m->t[m->hole[k]];
    if (!grow(m, n + *edges + 8)) return -1;
    for (int e = 0; e < 3; e++) {
      const int32_t other = t->beside[e];
      if (m->seen[other] == m->turn) continue;
      if (conflicts(m, other, p)) {
        m->seen[other] = m->turn;
        m->hole[n++] = other;
      } else {
        m->rim[(*edges)++] = (rim_edge){t->corner[(e + 1) % 3], t->corner[(e + 2) % 3], other};
      }
    }
  }
  return (int64_t)n;
}

/* The triangle beyond an edge of the rim learns that `tri` lies there now. */
static void meet(mesh *m, const rim_edge *e, int32_t tri) {
  triangle *o = &m->t[e->beyond];
  for (int k = 0; k < 3; k++)
    if (o->corner[(k + 1) % 3] == e->to && o->corner[(k + 2) % 3] == e->from) o->beside[k] = tri;
}

/* Triangles from p to each edge of the rim: in the slots of those that went, and two more. */
static void fill(mesh *m, int32_t p, size_t gone, size_t edges) {
  for (size_t k = 0; k < edges; k++) {
    const rim_edge *e = &m->rim[k];
    const int32_t tri = k < gone ? m->hole[k] : (int32_t)m->n++;
    m->t[tri] = (triangle){{p, e->from, e->to}, {e->beyond, NONE, NONE}};
    m->seen[tri] = 0;
    meet(m, e, tri);
    m->starts[e->from + 1] = tri;
    if (e->from != GHOST && e->to != GHOST) m->last = tri;
  }
  for (size_t k = 0; k < edges; k++) {
    const int32_t tri = m->starts[m->rim[k].from + 1], next = m->starts[m->rim[k].to + 1];
    m->t[tri].beside[1] = next;
    m->t[next].beside[2] = tri;
  }
}

static bool insert(mesh *m, int32_t p) {
  size_t edges;
  const int64_t gone = dig(m, m->at[p], locate(m, m->at[p]), &edges);
  if (gone < 0) return false;
  fill(m, p, (size_t)gone, edges);
  return true;
}

/* One triangle and the three between it and infinity. */
static void begin(mesh *m, int32_t a, int32_t b, int32_t c) {
  m->t[0] = (triangle){{a, b, c}, {1, 2, 3}};
  m->t[1] = (triangle){{GHOST, c, b}, {0, 3, 2}};
  m->t[2] = (triangle){{GHOST, a, c}, {0, 1, 3}};
  m->t[3] = (triangle){{GHOST, b, a}, {0, 2, 1}};
  m->n = 4;
  m->last = 0;
}

/* --- the order of points ---------------------------------------------------------------------- */

/* How far along a Hilbert curve a place lies. */
static uint64_t along_curve(uint32_t x, uint32_t y) {
  uint64_t d = 0;
  for (uint32_t s = 1u << (CURVE_BITS - 1); s > 0; s >>= 1) {
    const uint32_t rx = (x & s) != 0, ry = (y & s) != 0;
    d = d << 2 | ((3 * rx) ^ ry);
    if (!ry) {
      if (rx) x = ~x, y = ~y;
      const uint32_t swap = x;
      x = y;
      y = swap;
    }
  }
  return d;
}

/* 0 for half of the points, which come last, 1 for a quarter, and so on. */
static uint64_t round_of(uint64_t k) {
  uint64_t h = (k + 1) * UINT64_C(0x9e3779b97f4a7c15), round = 0;
  h ^= h >> 29;
  h *= UINT64_C(0xbf58476d1ce4e5b9);
  h ^= h >> 32;
  for (; round < ROUNDS && !(h & 1); h >>= 1) round++;
  return round;
}

typedef struct ordered {
  uint64_t key;
  int32_t point;
} ordered;

static int by_key(const void *a, const void *b) {
  const ordered *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return (p->point > q->point) - (p->point < q->point);
}

static void find_same(const place *at, size_t n, ordered *order, int32_t *same) {
  for (size_t k = 0; k < n; k++)
    order[k] = (ordered){(uint64_t)at[k].x << 32 | (uint64_t)at[k].y, (int32_t)k};
  qsort(order, n, sizeof *order, by_key);
  for (size_t k = 0; k < n; k++)
    same[order[k].point] =
        k && order[k].key == order[k - 1].key ? same[order[k - 1].point] : order[k].point;
}

/* The points that stand for themselves, in the order in which they come; how many. */
static size_t put_in_order(const place *at, size_t n, const int32_t *same, ordered *order) {
  size_t count = 0;
  for (size_t k = 0; k < n; k++) {
    if (same[k] != (int32_t)k) continue;
    const uint64_t curve = along_curve((uint32_t)(at[k].x >> (BITS - CURVE_BITS)),
                                       (uint32_t)(at[k].y >> (BITS - CURVE_BITS)));
    order[count++] = (ordered){(ROUNDS - round_of(k)) << 40 | curve, (int32_t)k};
  }
  qsort(order, count, sizeof *order, by_key);
  return count;
}

static void put_on_lattice(const double *x, const double *y, size_t n, place *at) {
  double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
  for (size_t k = 0; k < n; k++) {
    x0 = fmin(x0, x[k]), x1 = fmax(x1, x[k]);
    y0 = fmin(y0, y[k]), y1 = fmax(y1, y[k]);
  }
  const double extent = fmax(x1 - x0, y1 - y0), most = (double)((1 << BITS) - 1);
  const double steps = extent > 0.0 ? most / extent : 0.0;
  for (size_t k = 0; k < n; k++)
    at[k] = (place){(int64_t)((x[k] - x0) * steps + 0.5), (int64_t)((y[k] - y0) * steps + 0.5)};
}

/* --- all points ------------------------------------------------------------------------------- */

/* Three points not on one line to the front, counterclockwise; false: there are none. */
static bool first_three(const place *at, ordered *order, size_t n) {
  for (size_t k = 2; k < n; k++) {
    const int64_t s = side(at[order[0].point], at[order[1].point], at[order[k].point]);
    if (s == 0) continue;
    const ordered third = order[k];
    memmove(order + 3, order + 2, (k - 2) * sizeof *order);
    order[2] = third;
    if (s > 0) return true;
    order[2] = order[1];
    order[1] = third;
    return true;
  }
  return false;
}

/* False: out of memory, or interrupted. */
static bool make_mesh(ria_context *ctx, mesh *m, const ordered *order, size_t n, size_t points) {
  const size_t triangles = 2 * n + 2;
  m->t = malloc(triangles * sizeof *m->t);
  m->seen = calloc(triangles, sizeof *m->seen);
  m->starts = malloc((points + 1) * sizeof *m->starts);
  if (!m->t || !m->seen || !m->starts || !grow(m, 64)) return false;
  begin(m, order[0].point, order[1].point, order[2].point);
  for (size_t k = 3; k < n; k++)
    if ((k % 1024 == 0 && ria_go_on(ctx) != RIA_OK) || !insert(m, order[k].point)) return false;
  return true;
}

static bool take_triangles(const mesh *m, ria_delaunay *out) {
  out->corner = malloc(m->n * sizeof *out->corner);
  for (size_t k = 0; out->corner && k < m->n; k++)
    if (ghost_of(&m->t[k]) == NONE)
      memcpy(out->corner[out->n++], m->t[k].corner, sizeof *out->corner);
  return out->corner;
}

static bool make(ria_context *ctx, const double *x, const double *y, size_t n, ria_delaunay *out) {
  place *at = malloc(n * sizeof *at);
  ordered *order = malloc(n * sizeof *order);
  mesh m = {.at = at};
  out->same = malloc(n * sizeof *out->same);
  bool ok = at && order && out->same;
  if (ok) {
    put_on_lattice(x, y, n, at);
    find_same(at, n, order, out->same);
    const size_t count = put_in_order(at, n, out->same, order);
    if (first_three(at, order, count))
      ok = make_mesh(ctx, &m, order, count, n) && take_triangles(&m, out);
  }
  free(m.t);
  free(m.seen);
  free(m.starts);
  free(m.hole);
  free(m.rim);
  free(at);
  free(order);
  return ok;
}

ria_status ria_delaunay_make(ria_context *ctx, const double *x, const double *y, size_t n,
                             ria_delaunay *out) {
  *out = (ria_delaunay){0};
  if (n == 0) return RIA_OK;
  if (n <= INT32_MAX / 2 - 2 && make(ctx, x, y, n, out)) return RIA_OK;
  ria_delaunay_free(out);
  RIA_TRY(ria_go_on(ctx));
  return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for triangles between %zu points", n);
}

void ria_delaunay_free(ria_delaunay *d) {
  free(d->corner);
  free(d->same);
  *d = (ria_delaunay){0};
}
