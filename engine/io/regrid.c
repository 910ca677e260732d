/* io/regrid.c - values of one grid's cells on the cells of another. */
#include "io/regrid.h"
#include "base/grid.h"

#include <math.h>
#include <string.h>

/* --- where one lies in the other -------------------------------------------------------------- */

/* Sides that were meant to coincide do, whatever the files rounded. */
static double snapped(double v) { return fabs(v - round(v)) < 1e-7 ? round(v) : v; }

static bool is_upright(const ria_regrid *r) { return r->sine == 0.0 && r->cosine == 1.0; }

static void snap_axis(double *at, double *step, int n) {
  const double end = snapped(*at + n * *step);
  *at = snapped(*at);
  *step = (end - *at) / n;
}

void ria_regrid_init(ria_regrid *r, const ria_grid *from, const ria_grid *to) {
  double a[2], b[2], x = to->x0, y = to->y0;
  *r = (ria_regrid){.from = *from, .to = *to};
  ria_grid_axes(from, &a[0], &a[1]);
  ria_grid_axes(to, &b[0], &b[1]);
  const bool alike = from->angle == to->angle;
  r->cosine = alike ? 1.0 : a[0] * b[0] + a[1] * b[1];
  r->sine = alike ? 0.0 : a[0] * b[1] - a[1] * b[0];
  ria_grid_from_map(from, &x, &y);
  r->at[0] = (x - from->x0) / from->dx;
  r->at[1] = (y - from->y0) / from->dy;
  r->di[0] = r->cosine * to->dx / from->dx;
  r->di[1] = r->sine * to->dx / from->dy;
  r->dj[0] = -r->sine * to->dy / from->dx;
  r->dj[1] = r->cosine * to->dy / from->dy;
  if (!is_upright(r)) return;
  snap_axis(&r->at[0], &r->di[0], to->nx);
  snap_axis(&r->at[1], &r->dj[1], to->ny);
  r->same = from->nx == to->nx && from->ny == to->ny && r->at[0] == 0.0 && r->at[1] == 0.0 &&
            r->di[0] == 1.0 && r->dj[1] == 1.0;
}

void ria_regrid_turn(const ria_regrid *r, double *x, double *y) {
  const double east = *x, north = *y;
  *x = r->cosine * east + r->sine * north;
  *y = r->cosine * north - r->sine * east;
}

/* --- what two cells share --------------------------------------------------------------------- */

/* Of a cell of `to`: the part that it shares with one of `from`, and the way from the centre of
 * that one to the centre of what is shared, in its cells. */
typedef struct overlap {
  double part, x, y;
} overlap;

typedef struct polygon {
  double x[12], y[12];
  int n;
} polygon;

/* What lies on the side of x = at (axis 0), or y = at, where sign * (x - at) >= 0. */
static void clip(polygon *p, int axis, double at, double sign) {
  polygon q = {.n = 0};
  for (int k = 0; k < p->n; k++) {
    const int next = k + 1 < p->n ? k + 1 : 0;
    const double a = sign * ((axis ? p->y[k] : p->x[k]) - at);
    const double b = sign * ((axis ? p->y[next] : p->x[next]) - at);
    if (a >= 0.0) q.x[q.n] = p->x[k], q.y[q.n++] = p->y[k];
    if ((a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0)) {
      const double t = a / (a - b);
      q.x[q.n] = p->x[k] + t * (p->x[next] - p->x[k]);
      q.y[q.n++] = p->y[k] + t * (p->y[next] - p->y[k]);
    }
  }
  *p = q;
}

static overlap clipped(const polygon *cell, double whole, int i, int j) {
  polygon p = *cell;
  clip(&p, 0, i, 1.0);
  clip(&p, 0, i + 1.0, -1.0);
  clip(&p, 1, j, 1.0);
  clip(&p, 1, j + 1.0, -1.0);
  double area = 0.0, mx = 0.0, my = 0.0; /* about the first corner, twice and six times */
  for (int k = 1; k + 1 < p.n; k++) {
    const double ax = p.x[k] - p.x[0], ay = p.y[k] - p.y[0];
    const double bx = p.x[k + 1] - p.x[0], by = p.y[k + 1] - p.y[0];
    const double cross = ax * by - ay * bx;
    area += cross;
    mx += cross * (ax + bx);
    my += cross * (ay + by);
  }
  if (!(area > 1e-14 * whole)) return (overlap){0};
  return (overlap){0.5 * area / whole, p.x[0] + mx / (3.0 * area) - (i + 0.5),
                   p.y[0] + my / (3.0 * area) - (j + 0.5)};
}

static overlap shared_upright(const double lo[2], const double hi[2], int i, int j) {
  const double x0 = fmax(lo[0], i), x1 = fmin(hi[0], i + 1.0);
  const double y0 = fmax(lo[1], j), y1 = fmin(hi[1], j + 1.0);
  if (!(x1 > x0) || !(y1 > y0)) return (overlap){0};
  const double part = (x1 - x0) / (hi[0] - lo[0]) * ((y1 - y0) / (hi[1] - lo[1]));
  return (overlap){part, 0.5 * (x0 + x1) - (i + 0.5), 0.5 * (y0 + y1) - (j + 0.5)};
}

/* --- means ------------------------------------------------------------------------------------ */

typedef struct values {
  const double *v, *weight;
  int nx, ny;
} values;

static bool counts(const values *f, size_t c) {
  return !isnan(f->v[c]) && (!f->weight || f->weight[c] > 0.0);
}

static double minmod(double a, double b) { return a * b <= 0.0 ? 0.0 : fabs(a) < fabs(b) ? a : b; }

/* By cell; 0 where a neighbour has no value. */
static double slope(const values *f, size_t c, int k, int n, size_t step) {
  if (k == 0 || k + 1 >= n || !counts(f, c - step) || !counts(f, c + step)) return 0.0;
  return minmod(f->v[c] - f->v[c - step], f->v[c + step] - f->v[c]);
}

static double value_at(const values *f, int i, int j, const overlap *o) {
  const size_t c = (size_t)j * (size_t)f->nx + (size_t)i;
  double v = f->v[c];
  if (o->x != 0.0) v += o->x * slope(f, c, i, f->nx, 1);
  if (o->y != 0.0) v += o->y * slope(f, c, j, f->ny, (size_t)f->nx);
  return v;
}

static int clamped(double v, int n) { return v < 0.0 ? 0 : v > n ? n : (int)v; }

static void mean_of_cell(const ria_regrid *r, const values *f, int i, int j, double *out,
                         double *share) {
  polygon cell = {.n = 4};
  double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
  for (int k = 0; k < 4; k++) {
    const double a = i + (k == 1 || k == 2), b = j + (k >= 2);
    cell.x[k] = r->at[0] + a * r->di[0] + b * r->dj[0];
    cell.y[k] = r->at[1] + a * r->di[1] + b * r->dj[1];
    lo[0] = fmin(lo[0], cell.x[k]), hi[0] = fmax(hi[0], cell.x[k]);
    lo[1] = fmin(lo[1], cell.y[k]), hi[1] = fmax(hi[1], cell.y[k]);
  }
  const bool upright = is_upright(r);
  const double whole = r->di[0] * r->dj[1] - r->di[1] * r->dj[0];
  double sum = 0.0, all = 0.0, area = 0.0;
  for (int q = clamped(floor(lo[1]), f->ny); q < clamped(ceil(hi[1]), f->ny); q++)
    for (int p = clamped(floor(lo[0]), f->nx); p < clamped(ceil(hi[0]), f->nx); p++) {
      const size_t c = (size_t)q * (size_t)f->nx + (size_t)p;
      if (!counts(f, c)) continue;
      const overlap o = upright ? shared_upright(lo, hi, p, q) : clipped(&cell, whole, p, q);
      if (!(o.part > 0.0)) continue;
      const double w = f->weight ? o.part * f->weight[c] : o.part;
      sum += w * value_at(f, p, q, &o);
      all += w;
      area += o.part;
    }
  *out = all > 0.0 ? sum / all : (double)NAN;
  *share = fmin(area, 1.0);
}

void ria_regrid_mean(const ria_regrid *r, const double *v, const double *weight, double *out,
                     double *share) {
  const values f = {v, weight, r->from.nx, r->from.ny};
  for (int j = 0; j < r->to.ny; j++)
    for (int i = 0; i < r->to.nx; i++) {
      const size_t c = (size_t)j * (size_t)r->to.nx + (size_t)i;
      double part = counts(&f, r->same ? c : 0) ? 1.0 : 0.0;
      if (r->same)
        out[c] = part > 0.0 ? v[c] : (double)NAN;
      else
        mean_of_cell(r, &f, i, j, &out[c], &part);
      if (share) share[c] = part;
    }
}
