/* forcing/boundary_line.c - the edges of a side that lie along lines.
 *
 * Seen from a side, a line is what it has of a band `reach` wide on either side of it. Each leg is
 * clipped to the band; the edges whose middles face what is left belong to the line, so that two
 * lines that share an end share no edge. A line that only crosses the band, as a river's does,
 * hardly moves along the side: it decides on the side only where no line runs along any. */
#include "base/context.h"
#include "base/text.h"
#include "forcing/boundary_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_RUN 0.5 /* edges: a line that moves less along a side does not run along it */
#define HAIR 1e-6     /* edges: allowed for in the middles of edges */

typedef struct line_cover {
  ria_side_line side;
  double reach, rim; /* m; edges beyond the side's ends that still count as near */
  bool met;
  double run;         /* length along the side, edges */
  double away, where; /* of the place nearest to the side: how far, m, and where along it, edges */
  double begin, end;  /* where along it the lines begin and end, edges */
  int taken;
  uint8_t *takes; /* [side.n] */
} line_cover;

/* --- one leg ---------------------------------------------------------------------------------- */

/* Clip a + t (b - a), t from *t0 to *t1, to low .. high. */
static bool clip(double a, double b, double low, double high, double *t0, double *t1) {
  const double d = b - a;
  if (d == 0.0) return a >= low && a <= high;
  const double p = (low - a) / d, q = (high - a) / d;
  *t0 = fmax(*t0, fmin(p, q));
  *t1 = fmin(*t1, fmax(p, q));
  return *t0 <= *t1;
}

static double within(double v, double low, double high) { return fmin(fmax(v, low), high); }

/* From s0 to s1 along the side. */
static void take_edges(line_cover *c, double s0, double s1) {
  const double n = c->side.n, low = within(fmin(s0, s1), 0, n), high = within(fmax(s0, s1), 0, n);
  c->run += high - low;
  const double first = ceil(low - 0.5 - HAIR), last = floor(high - 0.5 + HAIR);
  for (double k = fmax(first, 0.0); k <= fmin(last, n - 1.0); k++) {
    c->taken += !c->takes[(int)k];
    c->takes[(int)k] = 1;
  }
}

static void lay_leg(line_cover *c, const double a[2], const double b[2]) {
  const ria_side_line *l = &c->side;
  const double a_s = (a[l->along] - l->origin) / l->d, b_s = (b[l->along] - l->origin) / l->d;
  const double a_off = a[1 - l->along] - l->at, b_off = b[1 - l->along] - l->at;
  double t0 = 0.0, t1 = 1.0;
  if (!clip(a_off, b_off, -c->reach, c->reach, &t0, &t1)) return;
  if (!clip(a_s, b_s, -c->rim, l->n + c->rim, &t0, &t1)) return;
  const double off0 = a_off + t0 * (b_off - a_off), off1 = a_off + t1 * (b_off - a_off);
  const bool crosses = (off0 < 0.0) != (off1 < 0.0);
  const double near = crosses ? a_off / (a_off - b_off) : fabs(off0) <= fabs(off1) ? t0 : t1;
  const double away = crosses ? 0.0 : fmin(fabs(off0), fabs(off1));
  if (!c->met || away < c->away) {
    c->away = away;
    c->where = a_s + near * (b_s - a_s);
  }
  c->met = true;
  take_edges(c, a_s + t0 * (b_s - a_s), a_s + t1 * (b_s - a_s));
}

/* --- all legs --------------------------------------------------------------------------------- */

/* Do what `leg` says with each leg of the lines, and with the line that all points make, along the
 * grid's axes. */
typedef void leg_fn(void *data, const double a[2], const double b[2]);

static void each_leg(const ria_grid *grid, const ria_shapes *s, leg_fn *leg, void *data) {
  double last[2] = {0.0, 0.0};
  bool any = false;
  for (size_t k = 0; k < ria_shapes_count(s); k++) {
    const ria_shape *p = ria_shapes_at(s, k);
    for (size_t part = 0; part < p->n_parts; part++) {
      const size_t first = p->first[part], end = p->first[part + 1];
      for (size_t c = first; c < end; c++) {
        double here[2] = {p->x[c], p->y[c]};
        ria_grid_from_map(grid, &here[0], &here[1]);
        const bool joined = p->kind == RIA_POINTS ? any : c > first;
        if (joined || p->kind == RIA_POINTS) leg(data, joined ? last : here, here);
        memcpy(last, here, sizeof last);
        any = true;
      }
    }
  }
}

static void cover_leg(void *data, const double a[2], const double b[2]) {
  line_cover *c = data;
  for (int side = 0; side < RIA_SIDES; side++)
    if (c[side].takes) lay_leg(&c[side], a, b);
}

typedef struct far_off {
  const ria_grid *grid;
  bool any;
  double first[2], last[2];
  double least; /* m */
  ria_side side;
} far_off;

static double point_to_segment(const double p[2], const double a[2], const double b[2]) {
  const double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
  const double t = square > 0.0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square : 0.0;
  const double s = within(t, 0.0, 1.0);
  return hypot(p[0] - a[0] - s * dx, p[1] - a[1] - s * dy);
}

static double leg_to_side(const ria_side_line *l, const double a[2], const double b[2]) {
  double p[2], q[2];
  p[l->along] = l->origin;
  q[l->along] = l->origin + l->n * l->d;
  p[1 - l->along] = q[1 - l->along] = l->at;
  const double a_off = a[1 - l->along] - l->at, b_off = b[1 - l->along] - l->at;
  if ((a_off < 0.0) != (b_off < 0.0)) {
    const double s = a[l->along] + a_off / (a_off - b_off) * (b[l->along] - a[l->along]);
    if (s >= p[l->along] && s <= q[l->along]) return 0.0;
  }
  return fmin(fmin(point_to_segment(a, p, q), point_to_segment(b, p, q)),
              fmin(point_to_segment(p, a, b), point_to_segment(q, a, b)));
}

static void measure_leg(void *data, const double a[2], const double b[2]) {
  far_off *f = data;
  if (!f->any) memcpy(f->first, a, sizeof f->first);
  memcpy(f->last, b, sizeof f->last);
  f->any = true;
  for (int side = 0; side < RIA_SIDES; side++) {
    const ria_side_line l = ria_side_line_of(f->grid, (ria_side)side);
    const double d = leg_to_side(&l, a, b);
    if (!(d < f->least)) continue;
    f->least = d;
    f->side = (ria_side)side;
  }
}

/* --- which side ------------------------------------------------------------------------------- */

static ria_status fail_far(ria_context *ctx, const ria_grid *grid, const ria_boundary_desc *desc,
                           far_off *f) {
  const ria_side side = desc->one_side ? desc->side : f->side;
  const ria_side_line l = ria_side_line_of(grid, side);
  const double reach = desc->reach > 0.0 ? desc->reach : l.across;
  if (desc->one_side && f->side != side)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "boundary: its line comes nowhere within %.4g m of the %s side; the nearest "
                    "side is %s, %.4g m away: name that one, or give a larger reach",
                    reach, ria_side_name(side), ria_side_name(f->side), f->least);
  ria_grid_to_map(grid, &f->first[0], &f->first[1]);
  ria_grid_to_map(grid, &f->last[0], &f->last[1]);
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "boundary: its line, from (%.10g, %.10g) to (%.10g, %.10g), is %.4g m from the "
                  "nearest side, %s, and its reach is %.4g m: boundaries lie on the grid's four "
                  "sides; give a larger reach, or is the line in other coordinates?",
                  f->first[0], f->first[1], f->last[0], f->last[1], f->least, ria_side_name(side),
                  reach);
}

static ria_status fail_corner(ria_context *ctx, const line_cover *c, bool runs, ria_side a) {
  ria_side b = a;
  do b = (ria_side)(b + 1);
  while (runs ? !(c[b].run >= LEAST_RUN) : !(c[b].met && c[b].away <= c[a].away));
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "boundary: its line %s both the %s and the %s side, and a boundary lies on one: "
                  "split it, by two boundaries with this line, one with side = \"%s\" and one with "
                  "side = \"%s\"",
                  runs ? "runs along" : "meets", ria_side_name(a), ria_side_name(b),
                  ria_side_name(a), ria_side_name(b));
}

/* The side that the lines run along, else the nearest of those that they meet. */
static ria_status choose_side(ria_context *ctx, const line_cover c[RIA_SIDES], ria_side *out) {
  int along = 0, first = RIA_SIDES, nearest = RIA_SIDES, as_near = 0;
  for (int side = RIA_SIDES; side-- > 0;) {
    if (!c[side].met) continue;
    along += c[side].run >= LEAST_RUN;
    if (c[side].run >= LEAST_RUN) first = side;
    if (nearest < RIA_SIDES && c[side].away > c[nearest].away) continue;
    as_near = nearest < RIA_SIDES && c[side].away == c[nearest].away ? as_near + 1 : 1;
    nearest = side;
  }
  if (along > 1) return fail_corner(ctx, c, true, (ria_side)first);
  if (!along && as_near > 1) return fail_corner(ctx, c, false, (ria_side)nearest);
  *out = (ria_side)(along ? first : nearest);
  return RIA_OK;
}

/* --- the place -------------------------------------------------------------------------------- */

static ria_status check_shapes(ria_context *ctx, const ria_boundary_desc *desc) {
  const ria_shapes *s = desc->line;
  char place[320];
  if (!ria_shapes_count(s))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "boundary: its line has no shapes");
  if (!(desc->reach >= 0.0 && isfinite(desc->reach)))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "boundary: reach = %g must be 0 or more", desc->reach);
  if (desc->stretch)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "boundary: either a line, or from and to");
  if (desc->one_side && (unsigned)desc->side >= RIA_SIDES)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "boundary: side %d is none of west, east, south, north",
                    (int)desc->side);
  for (size_t k = 0; k < ria_shapes_count(s); k++)
    if (ria_shapes_at(s, k)->kind == RIA_POLYGONS)
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "boundary: %s is a polygon: a boundary is named by lines or by points",
                      ria_shapes_place(s, k, place, sizeof place));
  return RIA_OK;
}

/* What is taken of the side, from the first to the last; *c gives its memory up. */
static void hand_over(line_cover *c, ria_side side, ria_place *out) {
  if (!c->taken) { /* shorter than an edge, or across the side */
    c->takes[(int)within(floor(c->where), 0.0, c->side.n - 1.0)] = 1;
    c->taken = 1;
  }
  int first = 0, last = c->side.n - 1;
  while (!c->takes[first]) first++;
  while (!c->takes[last]) last--;
  *out = (ria_place){
      .side = side, .first = first, .count = last - first + 1, .back = c->begin > c->end};
  if (c->taken == out->count) return;
  memmove(c->takes, c->takes + first, (size_t)out->count);
  out->takes = c->takes;
  c->takes = NULL;
}

ria_status ria_place_by_line(ria_context *ctx, const ria_grid *grid, const ria_boundary_desc *desc,
                             ria_place *out) {
  RIA_TRY(check_shapes(ctx, desc));
  line_cover c[RIA_SIDES] = {{.met = false}};
  far_off far = {.grid = grid, .least = INFINITY};
  ria_status s = RIA_OK;
  ria_side side = desc->side;
  each_leg(grid, desc->line, measure_leg, &far);
  for (int k = 0; k < RIA_SIDES && s == RIA_OK; k++) {
    if (desc->one_side && k != (int)desc->side) continue;
    c[k].side = ria_side_line_of(grid, (ria_side)k);
    c[k].reach = (desc->reach > 0.0 ? desc->reach : c[k].side.across) * (1.0 + 1e-9);
    c[k].rim = c[k].reach / c[k].side.d;
    c[k].begin = far.first[c[k].side.along];
    c[k].end = far.last[c[k].side.along];
    c[k].takes = calloc((size_t)c[k].side.n, 1);
    if (!c[k].takes) s = ria_fail_memory(ctx, "a boundary's edges", (size_t)c[k].side.n);
  }
  if (s == RIA_OK) each_leg(grid, desc->line, cover_leg, c);
  bool met = false;
  for (int k = 0; k < RIA_SIDES; k++) met = met || c[k].met;
  if (s == RIA_OK && !met) s = fail_far(ctx, grid, desc, &far);
  if (s == RIA_OK && !desc->one_side) s = choose_side(ctx, c, &side);
  if (s == RIA_OK) hand_over(&c[side], side, out);
  for (int k = 0; k < RIA_SIDES; k++) free(c[k].takes);
  return s;
}
