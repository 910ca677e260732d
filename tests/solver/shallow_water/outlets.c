/* Outlets: a stream leaves a slope at normal depth through `open` and `normal`, from dry, from a
 * pond and after a wave; through `free` at critical depth, below the backwater curve that an
 * integration of dH/dx = -S_f gives; through all of them as it is where it runs faster than waves.
 * What they have in common: nothing comes in, a pond does not stay, waves of the size of the flow
 * leave, kinds may change, and an outlet that cannot work is refused. */
#include "cases.h"

static double slope, roughness, pond, across = 1;

static double incline(double x, double y) { return (void)y, -slope * x; }
static double southward(double x, double y) { return (void)x, slope * y; }
static double standing(double x, double y) { return (void)x, (void)y, pond; }

static double normal_depth(double q) { return pow(roughness * q / sqrt(slope), 0.6); }
static double critical_depth(double q) { return cbrt(q * q / gravity); }

/* A slope that falls eastwards (or southwards: the same turned by a quarter), q m^2/s from above.
 */
typedef struct stream {
  double q, slope, n, pond, dx;
  int cells;
  bool southwards;
  ria_real real;
  const char *kind;
  double given; /* slope of the outlet; 0 = none */
} stream;

static flow stream_make(const stream *s) {
  slope = s->slope;
  roughness = s->n;
  pond = s->pond;
  flow f = flow_make(&(flow_desc){.nx = s->southwards ? 2 : s->cells,
                                  .ny = s->southwards ? s->cells : 2,
                                  .dx = s->dx,
                                  .real = s->real,
                                  .manning = s->n,
                                  .tracer = "dye"});
  flow_set(&f, "bed", s->southwards ? southward : incline);
  flow_set(&f, "depth", standing);
  flow_side(&f, s->southwards ? RIA_NORTH : RIA_WEST, "discharge", "q",
            (ria_value){.constant = 2 * s->dx * s->q}, 1);
  flow_side(&f, s->southwards ? RIA_SOUTH : RIA_EAST, s->kind, s->given > 0 ? "slope" : NULL,
            (ria_value){.constant = s->given}, 0);
  return f;
}

/* A field from the inflow to the outlet, the caller's. */
static double *along(flow *f, const stream *s, const char *field) {
  double *all = flow_get(f, field), *line = malloc((size_t)s->cells * sizeof *line);
  if (!line) abort();
  for (int k = 0; k < s->cells; k++)
    line[k] = s->southwards ? -all[2 * (s->cells - 1 - k)] : all[k];
  for (int k = 0; s->southwards && k < s->cells; k++)
    if (strcmp(field, "qy") != 0) line[k] = -line[k];
  free(all);
  return line;
}

static double flux(flow *f, const char *side, bool inwards) {
  ria_boundary_id id;
  double in = 0, out = 0;
  CHECK_OK(f->ctx, ria_boundary_find(f->sim, side, &id));
  CHECK_OK(f->ctx, ria_boundary_flux(f->sim, id, "water", &in, &out));
  return inwards ? in : out;
}

static void closes(flow *f, ria_real real) {
  ria_budget_row row[2];
  size_t n = 2;
  CHECK_OK(f->ctx, ria_sim_budget(f->sim, row, &n));
  for (size_t k = 0; k < n; k++) CHECK(fabs(row[k].relative) < (real == RIA_F64 ? 1e-12 : 1e-6));
}

/* --- normal depth ----------------------------------------------------------------------------- */

/* After t: the same depth all along the lower half, Manning's for the discharge of each cell and
 * for the one that was poured in: at second order to rounding, where the flow has become steady, at
 * first within `bound` (what crosses an edge on a slope is more than the cells' own discharge by
 * c S dx / 2, so that depths are too small by a part of S dx / h). */
static void is_normal(const char *what, const stream *s, double t, double bound) {
  flow f = stream_make(s);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, t));
  double *h = along(&f, s, "depth"), *q = along(&f, s, s->southwards ? "qy" : "qx");
  const double last = h[s->cells - 1], small = s->real == RIA_F64 ? 1e-6 : 5e-5;
  double uneven = 0, manning = 0;
  for (int k = s->cells / 2; k < s->cells; k++) {
    uneven = fmax(uneven, fabs(h[k] / last - 1));
    manning = fmax(manning, fabs(h[k] / normal_depth(q[k]) - 1));
  }
  const double off = last / normal_depth(s->q) - 1;
  printf("%s %s, %s, S = %g, dx = %g: %.5f m, off by %.2g; uneven by %.1g, from Manning %.1g\n",
         real_name[s->real], s->kind, what, s->slope, s->dx, last, off, uneven, manning);
  CHECK(fabs(off) < by_order(bound, s->real == RIA_F64 && s->dx > 1 ? 1e-12 : small));
  CHECK(uneven < small);
  CHECK(manning < small);
  CHECK(flux(&f, s->southwards ? "south" : "east", true) == 0);
  closes(&f, s->real);
  free(h);
  free(q);
  flow_free(&f);
}

static void normal_depths(ria_real real) {
  static const char *const kinds[] = {"open", "normal"};
  for (int k = 0; k < 2; k++) {
    stream s = {
        .q = 0.2, .slope = 0.002, .n = 0.03, .dx = 5, .cells = 60, .real = real, .kind = kinds[k]};
    is_normal("from dry", &s, 3 * 3600, 0.03);
    s.southwards = true;
    is_normal("from dry, southwards", &s, 3 * 3600, 0.03);
    s.southwards = false;
    s.pond = 1.4;
    is_normal("from a pond", &s, 3 * 3600, 0.03);
    s.slope = 0.01;
    is_normal("from a pond", &s, 3600, 0.01);
    s.pond = 0;
    is_normal("from dry", &s, 3600, 0.01);
    /* so fine that the stream is known to a thousandth */
    s.dx = 0.1;
    s.cells = 40;
    s.slope = 0.002;
    s.pond = 0.5;
    is_normal("fine", &s, 1200, 1e-3);
    s.slope = 0.01;
    s.dx = 0.04;
    is_normal("fine", &s, 150, 1e-3);
    /* a given slope that is the bed's is the bed's */
    s.given = 0.01;
    is_normal("given", &s, 150, 1e-3);
  }
}

/* The slope that is given counts, not the bed's: a flat bed ends at the normal depth of the slope,
 * at half a cell from the last centre. Below it the level falls with the friction. */
static void given_slope(ria_real real) {
  const double q = 0.2, s0 = 0.002;
  double off[2];
  for (int k = 0; k < 2; k++) {
    slope = s0;
    roughness = 0.03;
    pond = 0.2;
    const int n = 50 << k;
    flow f = flow_make(
        &(flow_desc){.nx = n, .ny = 1, .dx = 50.0 / n, .real = real, .manning = roughness});
    CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "bed", 1.0));
    flow_set(&f, "depth", standing);
    flow_side(&f, RIA_WEST, "discharge", "q", (ria_value){.constant = q * 50.0 / n}, 0);
    flow_side(&f, RIA_EAST, "normal", "slope", (ria_value){.constant = s0}, 0);
    CHECK_OK(f.ctx, ria_sim_run(f.sim, 1800));
    double *h = flow_get(&f, "depth");
    off[k] = h[n - 1] / normal_depth(q) - 1;
    CHECK(h[0] > h[n - 1]);
    free(h);
    flow_free(&f);
  }
  printf("%s: a given slope on a flat bed: the last cell is off by %.3g, %.3g\n", real_name[real],
         off[0], off[1]);
  CHECK(fabs(off[0]) < 0.01 && fabs(off[1]) < 0.6 * fabs(off[0]));
}

/* Ten times the discharge for ten minutes, and back: the depth at the outlet is what it was. */
static void after_a_wave(ria_real real, const char *kind) {
  const stream s = {
      .q = 0.2, .slope = 0.002, .n = 0.03, .dx = 5, .cells = 60, .real = real, .kind = kind};
  flow f = stream_make(&s);
  double before = 0, crest = 0, after = 0;
  ria_boundary_id id;
  CHECK_OK(f.ctx, ria_boundary_find(f.sim, "west", &id));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 5400));
  CHECK_OK(f.ctx, ria_sim_probe(f.sim, "depth", 297, 2, &before));
  const ria_boundary_desc flood = {.values = {{"q", {20, NULL}}}},
                          ebb = {.values = {{"q", {2, NULL}}}};
  CHECK_OK(f.ctx, ria_boundary_change(f.sim, id, &flood));
  CHECK_OK(f.ctx, ria_sim_advance(f.sim, 600));
  CHECK_OK(f.ctx, ria_sim_probe(f.sim, "depth", 297, 2, &crest));
  CHECK_OK(f.ctx, ria_boundary_change(f.sim, id, &ebb));
  CHECK_OK(f.ctx, ria_sim_advance(f.sim, 7200));
  CHECK_OK(f.ctx, ria_sim_probe(f.sim, "depth", 297, 2, &after));
  printf("%s %s: %.6f m before a wave, %.4f at its crest, %.6f after\n", real_name[real], kind,
         before, crest, after);
  CHECK_NEAR(crest, normal_depth(2.0), 0.02 * crest);
  CHECK_NEAR(after / before, 1, real == RIA_F64 ? 1e-8 : 2e-5);
  flow_free(&f);
}

/* --- critical depth --------------------------------------------------------------------------- */

/* Depth at a distance x above a brink on a slope: dh/dx' = (S_f - S) / (1 - Fr^2) upstream, from a
 * hair above critical depth, in small steps of the depth (Heun). */
static double drawdown(double q, double x) {
  const double hc = critical_depth(q), top = normal_depth(q);
  double h = hc, at = 0;
  const double dh = 1e-6 * (top - hc);
  while (at < x && h < top - 2 * dh) {
    double d[2];
    for (int k = 0; k < 2; k++) {
      const double z = h + k * dh, sf = roughness * roughness * q * q * pow(z, -10.0 / 3.0);
      d[k] = (1 - q * q / (gravity * z * z * z)) / (sf - slope);
    }
    const double step = 0.5 * (d[0] + d[1]) * dh;
    at += step;
    h += dh;
  }
  return h;
}

/* The mean error of the drawdown over the last ten metres before a brink. */
static double over_a_brink(int cells, ria_real real) {
  stream s = {.q = 0.2,
              .slope = 0.002,
              .n = 0.03,
              .dx = 20.0 / cells,
              .pond = 0.3,
              .cells = cells,
              .real = real,
              .kind = "free"};
  flow f = stream_make(&s);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 300));
  double *h = along(&f, &s, "depth"), error = 0;
  for (int k = cells / 2; k < cells; k++)
    error += fabs(h[k] - drawdown(s.q, (cells - k - 0.5) * s.dx)) / (0.5 * cells);
  CHECK(h[cells - 1] > critical_depth(s.q) && h[cells - 1] < normal_depth(s.q));
  CHECK(flux(&f, "east", true) == 0);
  closes(&f, real);
  free(h);
  flow_free(&f);
  return error;
}

static void brinks(ria_real real) {
  double e[3];
  for (int k = 0; k < 3; k++) e[k] = over_a_brink(50 << k, real);
  printf("%s: drawdown to a brink: errors %.3g %.3g %.3g m, rates %.2f %.2f\n", real_name[real],
         e[0], e[1], e[2], rate(e[0], e[1]), rate(e[1], e[2]));
  CHECK(rate(e[0], e[1]) > 0.6 && rate(e[1], e[2]) > 0.6);
  CHECK(e[2] < 0.002);
}

/* A pool before a weir, without friction: the energy in it is 3/2 of the critical depth above the
 * sill, Poleni's law with its full head. */
static double sill(double x, double y) {
  const double s = x < 20 ? 0 : x > 30 ? 1 : (x - 20) / 10;
  return (void)y, 0.5 * s * s * (3 - 2 * s);
}
static void over_a_weir(ria_real real) {
  const double q = 0.5, head = 0.5 + 1.5 * critical_depth(q);
  double h = 0;
  flow f = flow_make(&(flow_desc){.nx = 200, .ny = 1, .dx = 0.25, .real = real});
  flow_set(&f, "bed", sill);
  CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "level", 0.8));
  flow_side(&f, RIA_WEST, "discharge", "q", (ria_value){.constant = q * 0.25}, 0);
  flow_side(&f, RIA_EAST, "free", NULL, (ria_value){0}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 600));
  CHECK_OK(f.ctx, ria_sim_probe(f.sim, "depth", 10, 0, &h));
  const double energy = h + q * q / (2 * gravity * h * h);
  printf("%s: energy before a weir %.5f m, 3/2 critical %.5f m\n", real_name[real], energy, head);
  CHECK_NEAR(energy / head, 1, 2e-3);
  flow_free(&f);
}

/* --- faster than waves ------------------------------------------------------------------------ */

/* A steep slope: uniform to the last cell, whatever the kind. */
static void steep(ria_real real) {
  static const char *const kinds[] = {"open", "normal", "free"};
  for (int k = 0; k < 3; k++) {
    const stream s = {
        .q = 2, .slope = 0.05, .n = 0.03, .dx = 2, .cells = 240, .real = real, .kind = kinds[k]};
    is_normal("steep", &s, 600, 1e-5);
  }
}

/* --- nothing comes in ------------------------------------------------------------------------- */

static double rough(double x, double y) {
  return 0.01 * x + 0.6 * sin(0.9 * x) * cos(1.3 * y) - 0.5 * cos(0.05 * y);
}
static double sloshing(double x, double y) { return 0.8 + 0.5 * sin(x / 17) * cos(y / 13); }
static double gyre(double x, double y) { return 1.5 * sin(y / 20) * cos(x / 30); }

/* Waves and currents of the size of the depth between four outlets, with a wind that blows inwards:
 * no drop comes in, none is made, depth is never negative, the tracer stays within its bounds. */
static void nothing_comes_in(ria_real real, const char *kind, double given) {
  flow f = flow_make(&(flow_desc){.nx = 45,
                                  .ny = 37,
                                  .dx = 4,
                                  .real = real,
                                  .manning = 0.02,
                                  .tracer = "dye",
                                  .more = {{"wind_speed", 25, NULL}, {"latitude", 50, NULL}}});
  flow_set(&f, "bed", rough);
  flow_set(&f, "level", sloshing);
  flow_set(&f, "u", gyre);
  CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "dye", 1));
  for (int side = 0; side < RIA_SIDES; side++)
    flow_side(&f, (ria_side)side, kind, given > 0 ? "slope" : NULL, (ria_value){.constant = given},
              0);
  double last = flow_total(&f, 0);
  for (int k = 0; k < 20; k++) {
    CHECK_OK(f.ctx, ria_sim_advance(f.sim, SHORT(300, 60)));
    const double now = flow_total(&f, 0);
    CHECK(now <= last);
    last = now;
  }
  static const char *const sides[] = {"west", "east", "south", "north"};
  for (int side = 0; side < RIA_SIDES; side++) CHECK(flux(&f, sides[side], true) == 0);
  double *h = flow_get(&f, "depth"), *dye = flow_get(&f, "dye"), worst = 0;
  for (int k = 0; k < 45 * 37; k++) {
    CHECK(h[k] >= 0);
    if (h[k] > 1e-6) worst = fmax(worst, fabs(dye[k] - 1));
  }
  printf("%s %s: %.4g of the water is left, the tracer is off by %.2g\n", real_name[real], kind,
         last / (flux(&f, "west", false) + flux(&f, "east", false) + flux(&f, "south", false) +
                 flux(&f, "north", false) + last),
         worst);
  CHECK(worst == 0);
  closes(&f, real);
  free(h);
  free(dye);
  flow_free(&f);
}

/* A lake: it stays where the bed is level at the outlet, or is said to be; it runs out where the
 * bed falls, down to what friction holds. */
static double basin(double x, double y) { return (void)y, across * 0.01 * fabs(x - 50); }
static void lake(ria_real real) {
  for (int k = 0; k < 3; k++) {
    across = k == 2 ? -1 : 1; /* a hollow between two rims; a ridge between two shores */
    flow f = flow_make(&(flow_desc){.nx = 50, .ny = 2, .dx = 2, .real = real, .manning = 0.03});
    flow_set(&f, "bed", basin);
    CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "level", 1));
    flow_side(&f, RIA_WEST, "open", k == 1 ? "slope" : NULL, (ria_value){0}, 0);
    flow_side(&f, RIA_EAST, "open", k == 1 ? "slope" : NULL, (ria_value){0}, 0);
    const double before = flow_total(&f, 0);
    CHECK_OK(f.ctx, ria_sim_run(f.sim, 1200));
    const double left = flow_total(&f, 0) / before;
    printf("%s: of a lake %.8g is left\n", real_name[real], left);
    if (k < 2)
      /* A current through open ends has nothing against it, not even one of rounding's making. At
       * first order those are less than the last place of what an edge moves. */
      CHECK_NEAR(left, 1, real == RIA_F64 ? 1e-14 : by_order(1e-7, 1e-5));
    else
      CHECK(left < 0.02);
    flow_free(&f);
  }
}

/* --- waves ------------------------------------------------------------------------------------ */

static double flat(double x, double y) { return (void)x, (void)y, -2.0; }
static double pulse(double x, double y) { return (void)y, 0.01 * exp(-pow((x - 500) / 40, 2)); }

/* What is left of a pulse over a level bed, or one that rises outwards, after it passed an end. */
static void waves_leave(ria_real real, double rise) {
  flow f = flow_make(&(flow_desc){.nx = 200, .ny = 2, .dx = 5, .real = real});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", pulse);
  flow_side(&f, RIA_WEST, "open", NULL, (ria_value){0}, 0);
  flow_side(&f, RIA_EAST, "open", rise != 0 ? "slope" : NULL, (ria_value){.constant = rise}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 400));
  double *eta = flow_get(&f, "level"), worst = 0;
  for (int i = 0; i < 200; i++) worst = fmax(worst, fabs(eta[i]));
  printf("%s: %.3g m of a pulse of 0.01 m are left, slope %g\n", real_name[real], worst, rise);
  CHECK(worst < 1e-4);
  free(eta);
  flow_free(&f);
}

/* --- changes, words --------------------------------------------------------------------------- */

/* From kind to kind during a run: each comes to its own depth, and back to the bit of the first. */
static void changes(ria_real real) {
  static const char *const kinds[] = {"normal", "free", "open", "wall", "normal"};
  const stream s = {
      .q = 0.2, .slope = 0.002, .n = 0.03, .dx = 2, .cells = 40, .real = real, .kind = "open"};
  flow f = stream_make(&s);
  ria_boundary_id id;
  double depth[5];
  CHECK_OK(f.ctx, ria_boundary_find(f.sim, "east", &id));
  for (int k = 0; k < 5; k++) {
    const ria_boundary_desc to = {.kind = kinds[k]};
    CHECK_OK(f.ctx, ria_boundary_change(f.sim, id, &to));
    CHECK_OK(f.ctx, ria_sim_advance(f.sim, k == 3 ? 60 : 1800));
    CHECK_OK(f.ctx, ria_sim_probe(f.sim, "depth", 79, 1, &depth[k]));
  }
  printf("%s: %.4f normal, %.4f free, %.4f open, %.4f before a wall, %.4f normal\n",
         real_name[real], depth[0], depth[1], depth[2], depth[3], depth[4]);
  CHECK(depth[1] < 0.75 * depth[0] && depth[3] > 1.2 * depth[0]);
  CHECK_NEAR(depth[2] / depth[0], 1, 1e-5);
  CHECK_NEAR(depth[4] / depth[0], 1, 1e-5);
  closes(&f, real);
  flow_free(&f);
}

static void refuses(void) {
  flow f = flow_make(&(flow_desc){.nx = 4, .ny = 4, .dx = 10});
  flow_set(&f, "bed", flat);
  flow_side(&f, RIA_EAST, "normal", NULL, (ria_value){0}, 0);
  CHECK_FAILS(f.ctx, ria_sim_run(f.sim, 1), RIA_ERR_ARGUMENT,
              "a 'normal' outlet on the east side: the bed does not fall towards it, so there is "
              "no normal depth; give the slope, as in { kind = \"normal\", slope = 0.001 }");
  ria_boundary_id id;
  CHECK_OK(f.ctx, ria_boundary_find(f.sim, "east", &id));
  const ria_boundary_desc rising = {.values = {{"slope", {-0.01, NULL}}}};
  CHECK_OK(f.ctx, ria_boundary_change(f.sim, id, &rising));
  CHECK_FAILS(f.ctx, ria_sim_run(f.sim, 1), RIA_ERR_ARGUMENT,
              "a 'normal' outlet on the east side has a slope of -0.01: it must be above 0");
  const ria_boundary_desc falling = {.values = {{"slope", {0.01, NULL}}}};
  CHECK_OK(f.ctx, ria_boundary_change(f.sim, id, &falling));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 1));
  flow_free(&f);

  f = flow_make(&(flow_desc){.nx = 4, .ny = 4, .dx = 10, .tracer = "dye"});
  ria_boundary_desc brings = {.kind = "free", .side = RIA_NORTH};
  brings.tracers[0].constant = 1;
  CHECK_FAILS(
      f.ctx, ria_boundary_add(f.sim, &brings, NULL), RIA_ERR_ARGUMENT,
      "boundary 'north': nothing flows in through kind 'free', so it takes no concentration "
      "of 'dye'");
  flow_free(&f);
}

/* A sea before an open side that falls outwards is told of; a stream is not, nor a slope of 0. */
static void warns(void) {
  for (int k = 0; k < 3; k++) {
    slope = 0.01;
    roughness = 0.03;
    flow f = flow_make(&(flow_desc){.nx = 20, .ny = 3, .dx = 10, .manning = roughness});
    ria_summary sum;
    flow_set(&f, "bed", incline);
    if (k == 2) {
      CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "depth", normal_depth(1)));
      CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "qx", 1));
    } else {
      CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "level", 2));
    }
    flow_side(&f, RIA_EAST, "open", k == 1 ? "slope" : NULL, (ria_value){0}, 0);
    for (int run = 0; run < 2; run++) { /* a start alone is enough */
      CHECK_OK(f.ctx, run ? ria_sim_run(f.sim, 1) : ria_sim_start(f.sim));
      CHECK_OK(f.ctx, ria_sim_summary(f.sim, &sum));
      CHECK_TEXT(
          sum.warning,
          k == 0 ? "3.95 m of water stand where the open east side falls outwards at the start, "
                   "and run out: where the sea lies beyond, give slope = 0, or a level"
                 : "");
    }
    flow_free(&f);
  }
}

int main(void) {
  for (int real = 0; real < 2; real++) {
    const ria_real r = (ria_real)real;
    normal_depths(r);
    given_slope(r);
    after_a_wave(r, "open");
    after_a_wave(r, "normal");
    brinks(r);
    over_a_weir(r);
    steep(r);
    nothing_comes_in(r, "free", 0);
    nothing_comes_in(r, "normal", 0);
    nothing_comes_in(r, "normal", 0.01);
    lake(r);
    waves_leave(r, 0);
    waves_leave(r, -0.01);
    changes(r);
  }
  refuses();
  warns();
  return TEST_END();
}
