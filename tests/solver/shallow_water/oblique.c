/* An oblique wall made of cells reflects as a smooth wall does. Such a wall is a flight of steps,
 * and each throws back what runs against its face; together they must give the momentum that a
 * slip wall gives. Three flows:
 *
 *   stream   all water moves the same way, against the wall: a bore leaves it, parallel to it, and
 *            behind the bore the water runs along the wall as fast as before (exact)
 *   regular  a bore meets a steep wall: a second bore, straight, starts where it touches (exact)
 *   Mach     a bore meets a flat wall: the two meet above it, and a third, the stem, stands on it.
 *            Held against the same flow along the domain's own wall, which has no steps, and
 *            against the theory of three shocks (von Neumann's, with a straight stem)
 *
 * Two errors, both to fall with the cells' size: of the depth, which measures the momentum normal
 * to the wall, and of the velocity along the wall, which measures the drag of the steps. The first
 * falls as errors do where there are bores; the second like the square root, as the thickness of
 * the layer that the steps slow.
 *
 * Places: (x, y) of the flow, with the bore, or the stream, along x and the wall through the
 * origin; (s, n) along the wall and off it. A grid has its axes along (x, y) where the wall is of
 * cells, along (s, n) where the wall is its southern side. */
#include "bores.h"

static const double still = 1, behind = 2; /* depth before a bore and behind it, m */
static const double time = 1;              /* s */

typedef struct setup {
  double angle; /* of the wall, to x */
  double u;     /* velocity of what moves, m/s */
  bool stream;  /* everything moves, in depth `still`; else what has x < 0, in depth `behind` */
  bool cells;   /* the wall is of cells */
  double west, east, south, north; /* the grid's sides, from the origin, along its own axes, m */
} setup;
static setup now;

static double along(double x, double y) { return x * cos(now.angle) + y * sin(now.angle); }
static double off(double x, double y) { return y * cos(now.angle) - x * sin(now.angle); }

static bool solid(double x, double y) { return now.cells && off(x + now.west, y + now.south) < 0; }
static bool moves(double x, double y) {
  const double a = x + now.west, b = y + now.south;
  if (solid(x, y)) return false;
  return now.stream || (now.cells ? a : a * cos(now.angle) - b * sin(now.angle)) < 0;
}
static double bed(double x, double y) { return solid(x, y) ? 50 : 0; }
static double depth(double x, double y) {
  if (solid(x, y)) return 0;
  return moves(x, y) && !now.stream ? behind : still;
}
static double east_velocity(double x, double y) {
  return moves(x, y) ? now.u * (now.cells ? 1 : cos(now.angle)) : 0;
}
static double north_velocity(double x, double y) {
  return moves(x, y) ? now.u * (now.cells ? 0 : -sin(now.angle)) : 0;
}

static flow run(double dx, ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = (int)lround((now.east - now.west) / dx),
                                  .ny = (int)lround((now.north - now.south) / dx),
                                  .dx = dx,
                                  .real = real});
  flow_set(&f, "bed", bed);
  flow_set(&f, "depth", depth);
  flow_set(&f, "u", east_velocity);
  flow_set(&f, "v", north_velocity);
  if (!now.stream) /* what follows the bore keeps coming */
    flow_side(&f, RIA_WEST, "level", "level", (ria_value){.constant = behind}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, time));
  return f;
}

/* --- what should be --------------------------------------------------------------------------- */

typedef struct state {
  double h, u; /* depth, m; velocity along the wall, m/s */
} state;
typedef state (*solution)(double s, double n);

static state of_stream(double s, double n) {
  (void)s;
  const double across = now.u * sin(now.angle), h = bore_depth(still, across);
  const bool thrown = n * (h - still) < across * still * time;
  return (state){thrown ? h : still, now.u * cos(now.angle)};
}

static struct {
  double point; /* how fast the bores' common point moves along the wall, m/s */
  double slope; /* of the second bore, to the wall */
  state last;   /* behind both */
} two;

/* In the frame of the point where the bores meet on the wall the flow is steady: the first turns it
 * towards the wall, the second back. Of two such bores the weaker is the one that comes about. */
static void meet_on_the_wall(void) {
  two.point = now.u * behind / (behind - still) / cos(now.angle);
  const double to_wall = now.u * sin(now.angle), past = two.point - now.u * cos(now.angle);
  const double w = hypot(to_wall, past), f = w / sqrt(gravity * behind),
               turn = atan(to_wall / past);
  double lo = asin(1 / f), hi = lo;
  while (jump_turns(f, hi) < turn && hi < acos(0)) hi += 1e-3;
  CHECK(hi < acos(0));
  for (int k = 0; k < 100; k++) {
    const double b = 0.5 * (lo + hi);
    if (jump_turns(f, b) < turn)
      lo = b;
    else
      hi = b;
  }
  two.slope = tan(lo - turn);
  two.last = (state){behind * jump_ratio(f, lo), two.point - w * cos(lo) / cos(lo - turn)};
}

static state of_two_bores(double s, double n) {
  const double ahead = two.point * time - s; /* from here to the point */
  if (ahead > 0 && n < ahead * two.slope) return two.last;
  const bool reached = n * sin(now.angle) > -ahead * cos(now.angle);
  return reached ? (state){behind, now.u * cos(now.angle)} : (state){still, 0};
}

/* --- how far from it -------------------------------------------------------------------------- */

/* Mean errors, as parts of the greatest depth and of the velocity that came. */
typedef struct errors {
  double depth, slip;
} errors;

typedef struct window {
  double from, to, high; /* s from and to, n up to, m */
} window;

static errors measure(flow *f, window w, solution exact) {
  double *h = flow_get(f, "depth"), *u = flow_get(f, "u"), *v = flow_get(f, "v");
  double deepest = 0, cells = 0;
  errors e = {0};
  for (int j = 0; j < f->grid.ny; j++)
    for (int i = 0; i < f->grid.nx; i++) {
      const int k = j * f->grid.nx + i;
      const double x = (i + 0.5) * f->grid.dx + now.west, y = (j + 0.5) * f->grid.dx + now.south;
      const double s = along(x, y), n = off(x, y);
      if (!(n > 0 && n < w.high && s > w.from && s < w.to)) continue;
      const state is = exact(s, n);
      e.depth += fabs(h[k] - is.h);
      e.slip += fabs(along(u[k], v[k]) - is.u);
      deepest = fmax(deepest, is.h);
      cells++;
    }
  free(h);
  free(u);
  free(v);
  return (errors){e.depth / cells / deepest, e.slip / cells / now.u};
}

/* Three resolutions: errors[2], of the finest, is below `last`, and both fall at the rates given.
 */
static void judge(const char *name, ria_real real, const errors e[3], errors last, errors rates) {
  printf("%s, %s: depth %.4f %.4f %.4f, rates %.2f %.2f; slip %.4f %.4f %.4f, rates %.2f %.2f\n",
         name, real_name[real], e[0].depth, e[1].depth, e[2].depth, rate(e[0].depth, e[1].depth),
         rate(e[1].depth, e[2].depth), e[0].slip, e[1].slip, e[2].slip, rate(e[0].slip, e[1].slip),
         rate(e[1].slip, e[2].slip));
  for (int k = 0; k < 2; k++) {
    CHECK(rate(e[k].depth, e[k + 1].depth) > rates.depth);
    CHECK(rate(e[k].slip, e[k + 1].slip) > rates.slip);
  }
  CHECK(e[2].depth < SHORT(1, 2) * last.depth);
  CHECK(e[2].slip < SHORT(1, 1.5) * last.slip);
}

static void converges(const char *name, double dx, ria_real real, window w, solution exact,
                      errors last, errors rates) {
  errors e[3];
  for (int k = 0; k < 3; k++) {
    flow f = run(dx / (1 << k), real);
    e[k] = measure(&f, w, exact);
    flow_free(&f);
  }
  judge(name, real, e, last, rates);
}

/* --- the flows -------------------------------------------------------------------------------- */

/* The margins are so wide that nothing from the grid's sides comes into the window in time. */
static void stream(double froude, double slope, ria_real real, errors last) {
  const double c = sqrt(gravity * still), u = froude * c, angle = atan(slope), half = 1.5;
  const double across = u * sin(angle), h = bore_depth(still, across);
  const double high = 1.5 * across * still / (h - still) * time;
  const double upwind = (u + c) * time + half * cos(angle) + high * sin(angle) + 0.5;
  const double back = fmax(sqrt(gravity * h) - u * cos(angle), 0) * time;
  const double top = fmax(half * sin(angle) + high * cos(angle), (half + back) * sin(angle)) + 0.5;
  now = (setup){.angle = angle,
                .u = u,
                .stream = true,
                .cells = true,
                .west = -ceil(upwind),
                .east = ceil(top / slope),
                .south = -ceil(ceil(upwind) * slope),
                .north = ceil(top)};
  char name[64];
  snprintf(name, sizeof name, "stream of Froude number %g, slope %g", froude, slope);
  converges(name, SHORT(0.2, 0.4), real, (window){-half, half, high}, of_stream, last,
            (errors){0.55, 0.38});
}

static void regular(ria_real real, errors last) {
  now = (setup){.angle = atan(2),
                .u = bore_velocity(still, behind),
                .cells = true,
                .west = -1,
                .east = 7,
                .south = -2,
                .north = 14};
  meet_on_the_wall();
  const double point = two.point * time; /* what starts from the origin is slower: 0.66 of it */
  converges("regular reflection", SHORT(0.1, 0.2), real,
            (window){0.75 * point, 1.05 * point, 0.2 * point}, of_two_bores, last,
            (errors){0.7, 0.5});
}

static struct {
  setup is;
  ria_grid grid;
  double *h, *u;
} smooth; /* the flow along the domain's wall */

static double between(const double *a, double s, double n) {
  const ria_grid *g = &smooth.grid;
  const double x = (s - smooth.is.west) / g->dx - 0.5, y = fmax(n / g->dx - 0.5, 0);
  const int i = (int)x, j = (int)y, k = j * g->nx + i;
  const double p = x - i, q = y - j;
  return (1 - q) * ((1 - p) * a[k] + p * a[k + 1]) +
         q * ((1 - p) * a[k + g->nx] + p * a[k + g->nx + 1]);
}

static state of_smooth(double s, double n) {
  return (state){between(smooth.h, s, n), between(smooth.u, s, n)};
}

/* How far along the wall the stem stands, by the theory of three shocks: in the frame of the point
 * where they meet, which leaves the wall at an angle x, what went through two bores and what went
 * through the stem has one depth and one direction. Both are known for each x: the stem is normal
 * to the wall. Returns how far the two directions are apart. */
static double disagreement(double x, double *foot) {
  const double right = acos(0), up = now.angle + x; /* the way of the point, to x */
  const double speed = now.u * behind / (behind - still) / cos(up);
  const double f = speed / sqrt(gravity * still);
  const double first = right - up, turn = jump_turns(f, first);
  const double w = speed * cos(first) / cos(first - turn), f1 = w / sqrt(gravity * behind);
  const double h = still * jump_ratio(f, right - x), r = h / behind;
  *foot = speed * cos(x) * time;
  return turn - jump_turns(f1, asin(fmin(sqrt(r * (r + 1) / 2) / f1, 1))) -
         jump_turns(f, right - x);
}

static double three_shocks(void) {
  double at = 0;
  double lo = 0.132, hi = 0.15; /* around the one of this test */
  CHECK(disagreement(lo, &at) * disagreement(hi, &at) < 0);
  for (int k = 0; k < 60; k++) {
    const double x = 0.5 * (lo + hi);
    if (disagreement(lo, &at) * disagreement(x, &at) > 0)
      lo = x;
    else
      hi = x;
  }
  return at;
}

/* Where the stem stands, in a flow along the domain's wall or not. */
static double stem_foot(const double *h, const ria_grid *g, double from) {
  const double n = 0.3, middle = 2;
  for (double s = from; s > 0; s -= 0.1 * g->dx) {
    const double x = s * cos(now.angle) - n * sin(now.angle),
                 y = s * sin(now.angle) + n * cos(now.angle);
    const int i = (int)((x - now.west) / g->dx), j = (int)((y - now.south) / g->dx);
    if ((now.cells ? h[j * g->nx + i] : between(h, s, n)) > middle) return s;
  }
  return 0;
}

static void mach(ria_real real, errors last) {
  const setup cells = {.angle = atan(0.75),
                       .u = bore_velocity(still, behind),
                       .cells = true,
                       .west = -2,
                       .east = 9,
                       .south = -1.5,
                       .north = 9};
  smooth.is = (setup){.angle = cells.angle, .u = cells.u, .west = -2.4, .east = 11.2, .north = 8.8};
  now = cells;
  const double theory = three_shocks();
  const window w = {0.8 * theory, 1.1 * theory, 0.25 * theory};
  double lag = theory;
  errors e[3];
  for (int k = 0; k < 3; k++) {
    const double dx = SHORT(0.1, 0.2) / (1 << k);
    now = smooth.is;
    flow f = run(dx, real);
    smooth.grid = f.grid;
    smooth.h = flow_get(&f, "depth");
    smooth.u = flow_get(&f, "u");
    flow_free(&f);
    const double along_wall = stem_foot(smooth.h, &smooth.grid, 1.2 * theory);
    now = cells;
    f = run(dx, real);
    e[k] = measure(&f, w, of_smooth);
    double *h = flow_get(&f, "depth");
    const double along_cells = stem_foot(h, &f.grid, 1.2 * theory);
    printf("%s, cells of %g m: foot of the stem at %.2f m, along the domain's wall at %.2f m, by "
           "theory at %.2f m\n",
           real_name[real], dx, along_cells, along_wall, theory);
    CHECK(fabs(along_wall / theory - 1) < 0.05);
    CHECK(fabs(along_wall - along_cells) < 0.93 * lag);
    lag = fabs(along_wall - along_cells);
    free(h);
    free(smooth.h);
    free(smooth.u);
    flow_free(&f);
  }
  judge("Mach reflection", real, e, last, (errors){0.2, 0.15});
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    const ria_real r = (ria_real)real;
    stream(0.5, 2, r, (errors){0.0050, 0.022});
    if (!test_is_short()) stream(0.5, 0.5, r, (errors){0.0070, 0.039});
    stream(2, 2, r, (errors){0.0060, 0.033});
    stream(2, 0.5, r, (errors){0.0120, 0.058});
    regular(r, (errors){0.0090, 0.028});
    mach(r, (errors){0.05, 0.14});
  }
  return TEST_END();
}
