/* Outlets with a rating: a canal comes to the level that the curve says, at Courant numbers from 1
 * to 20; what leaves is what the curve says at every moment, the same when a flood rises and when
 * it falls; a flood's peak is shallow_water's; a pond below the curve keeps still, one above it
 * drains to the curve's beginning and no lower; a dry valley draws nothing in. */
#include "cases.h"

static const double rating_q[] = {0, 20, 100, 400}, rating_level[] = {-9.5, -9.0, -8.0, -6.0};
static bool rating_along_y;
static double rating_still;

static double rating_bed(double x, double y) { return (void)x, (void)y, -10.0; }
static double rating_uneven(double x, double y) {
  return -10 + 0.3 * sin(0.02 * (x + 2 * y)) * cos(0.03 * (y - x));
}
static double rating_pond(double x, double y) { return (void)x, (void)y, rating_still; }

static ria_series *rating_table(ria_context *ctx, const double *at, const double *v, size_t n) {
  ria_series *s = NULL;
  CHECK_OK(ctx, ria_series_table(ctx, &(ria_table_desc){.t = at, .v = v, .n = n}, &s));
  return s;
}

static double rating_flow(double level) {
  int k = 0;
  while (k < 2 && level > rating_level[k + 1]) k++;
  const double part = (level - rating_level[k]) / (rating_level[k + 1] - rating_level[k]);
  return fmax(0, rating_q[k] + part * (rating_q[k + 1] - rating_q[k]));
}

/* A canal of 60 x 6 cells of 25 m, or turned by a quarter; q comes in at one end, the curve at the
 * other. */
typedef struct canal {
  ria_real real;
  ria_side side;
  double dt, level;
  shape bed;
  ria_value q;
  const char *solver; /* NULL: adi */
  const char *cross;
} canal;

static flow rating_canal(const canal *c) {
  rating_along_y = c->side == RIA_SOUTH || c->side == RIA_NORTH;
  rating_still = c->level;
  flow_desc d = {.nx = rating_along_y ? 6 : 60,
                 .ny = rating_along_y ? 60 : 6,
                 .dx = 25,
                 .real = c->real,
                 .more = {{"manning", 0.03, NULL}}};
  if (!c->solver) {
    d.more[1] = (ria_setting){"dt", c->dt, NULL};
    d.more[2] = (ria_setting){"cross", 0, c->cross ? c->cross : "centred"};
  }
  ria_setting params[12];
  flow f = flow_of(c->solver ? c->solver : "adi", &d, params, 0);
  const ria_side other[] = {[RIA_WEST] = RIA_EAST,
                            [RIA_EAST] = RIA_WEST,
                            [RIA_SOUTH] = RIA_NORTH,
                            [RIA_NORTH] = RIA_SOUTH};
  ria_series *curve = rating_table(f.ctx, rating_q, rating_level, 4);
  flow_set(&f, "bed", c->bed);
  flow_set(&f, "level", rating_pond);
  if (c->q.series || c->q.constant > 0) flow_side(&f, other[c->side], "discharge", "q", c->q, 0);
  flow_side(&f, c->side, "rating", "curve", (ria_value){.series = curve}, 0);
  ria_series_destroy(&curve);
  return f;
}

static void rating_flux(flow *f, ria_side side, double *in, double *out) {
  ria_boundary_id id;
  const char *const name[] = {
      [RIA_WEST] = "west", [RIA_EAST] = "east", [RIA_SOUTH] = "south", [RIA_NORTH] = "north"};
  CHECK_OK(f->ctx, ria_boundary_find(f->sim, name[side], &id));
  CHECK_OK(f->ctx, ria_boundary_flux(f->sim, id, "water", in, out));
}

/* The mean level of the six cells at the outlet. */
static double rating_at(flow *f, ria_side side) {
  double *h = flow_get(f, "level"), sum = 0;
  for (int k = 0; k < 6; k++)
    sum += h[side == RIA_WEST    ? 60 * k
             : side == RIA_EAST  ? 60 * k + 59
             : side == RIA_SOUTH ? k
                                 : 59 * 6 + k];
  free(h);
  return sum / 6;
}

/* Its level becomes that of the curve, also above the last row: as between the last two. */
static void rating_steady(ria_real real, ria_side side, double q, double level, double dt) {
  const canal c = {.real = real,
                   .side = side,
                   .dt = dt,
                   .level = level,
                   .bed = rating_bed,
                   .q = {.constant = q}};
  flow f = rating_canal(&c);
  double in[2], out[2];
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 10 * 3600));
  rating_flux(&f, side, &in[0], &out[0]);
  CHECK_OK(f.ctx, ria_sim_advance(f.sim, 600));
  rating_flux(&f, side, &in[1], &out[1]);
  const double off = fabs(rating_at(&f, side) - level), flux = (out[1] - out[0]) / 600 / q - 1;
  const ria_budget_row water = flow_budget(&f, 0);
  printf("%s, side %d, %g m^3/s, Courant number %.1f: level off by %.1e m, discharge by %.1e; "
         "account %.1e\n",
         real_name[real], (int)side, q, dt * sqrt(gravity * (level + 10)) / 25, off, flux,
         water.relative);
  CHECK(off < (real == RIA_F64 ? 1e-5 : 1e-4));
  CHECK(fabs(flux) < (real == RIA_F64 ? 1e-6 : 1e-4));
  CHECK(in[1] == 0);
  CHECK(fabs(water.relative) < (real == RIA_F64 ? 1e-12 : 1e-5));
  flow_free(&f);
}

/* A flood of two hours: {s, m^3/s}. */
static const double flood_t[] = {0, 3600, 7200, 10800, 40000}, flood_q[] = {30, 30, 300, 30, 30};
enum { FLOOD_EVERY = 120, FLOOD_N = 150 };

typedef struct flood {
  double level[FLOOD_N], flow[FLOOD_N]; /* at the outlet; mean of the interval before */
  double off, in;                       /* from the curve at most, m^3/s */
} flood;

static flood rating_flood(ria_side side, double dt, const char *cross, const char *solver) {
  canal c = {
      .side = side, .dt = dt, .level = -8.875, .bed = rating_bed, .solver = solver, .cross = cross};
  flood r = {.off = 0};
  double before = c.level, in = 0, out = 0;
  ria_context *ctx = test_context("cpu", 1);
  ria_series *water = rating_table(ctx, flood_t, flood_q, 5);
  c.q.series = water;
  flow f = rating_canal(&c);
  for (int k = 0; k < FLOOD_N; k++) {
    const double had = out;
    CHECK_OK(f.ctx, ria_sim_run(f.sim, (k + 1) * (double)FLOOD_EVERY));
    rating_flux(&f, side, &in, &out);
    r.level[k] = rating_at(&f, side);
    r.flow[k] = (out - had) / FLOOD_EVERY;
    if (k > 25) r.off = fmax(r.off, fabs(r.flow[k] - rating_flow(0.5 * (before + r.level[k]))));
    before = r.level[k];
  }
  r.in = in;
  flow_free(&f);
  ria_series_destroy(&water);
  ria_context_destroy(&ctx);
  return r;
}

static double rating_peak(const double *v) {
  double most = v[0];
  for (int k = 0; k < FLOOD_N; k++) most = fmax(most, v[k]);
  return most;
}

static void rating_floods(void) {
  const flood fine = rating_flood(RIA_EAST, 0, NULL, "shallow_water");
  printf("shallow_water: peak %.4f m, %.3f m^3/s; off the curve by %.2f m^3/s\n",
         rating_peak(fine.level), rating_peak(fine.flow), fine.off);
  for (int k = 0; k < 8; k++) {
    const double dt[] = {5, 10, 20, 30};
    const char *cross = k < 4 ? "centred" : "steady";
    const flood r = rating_flood(k % 2 ? RIA_NORTH : RIA_EAST, dt[k % 4], cross, NULL);
    double level = 0, flow = 0;
    for (int i = 40; i < FLOOD_N; i++) {
      level = fmax(level, fabs(r.level[i] - fine.level[i]));
      flow = fmax(flow, fabs(r.flow[i] - fine.flow[i]));
    }
    printf("%s, dt %g s: peak %.4f m, %.3f m^3/s; off shallow_water by %.4f m, %.2f m^3/s, off "
           "the curve by %.2f m^3/s; %g m^3 in\n",
           cross, dt[k % 4], rating_peak(r.level), rating_peak(r.flow), level, flow, r.off, r.in);
    CHECK(level < 0.01); /* the slope of the water over half a cell among it */
    CHECK(flow < 0.003 * rating_peak(fine.flow));
    CHECK(r.off < 0.003 * rating_peak(fine.flow)); /* rising and falling */
    CHECK(r.in == 0);
  }
}

/* Below the curve's beginning nothing moves, over uneven ground too. */
static void rating_rest(ria_real real, ria_side side, double level) {
  const canal c = {.real = real, .side = side, .dt = 30, .level = level, .bed = rating_uneven};
  flow f = rating_canal(&c);
  double in, out, most = 0;
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 3600));
  rating_flux(&f, side, &in, &out);
  double *h = flow_get(&f, "level");
  for (int k = 0; k < 360; k++)
    if (!isnan(h[k])) most = fmax(most, fabs(h[k] - level));
  printf("%s, side %d, at rest: level off by %.1e m; %.1e m^3 in, %.1e out\n", real_name[real],
         (int)side, most, in, out);
  CHECK(most < (real == RIA_F64 ? 1e-9 : 1e-4));
  CHECK(in == 0 && out == 0);
  free(h);
  flow_free(&f);
}

/* A pond above it drains to the curve's beginning. */
static void rating_drain(ria_real real, ria_side side, double dt) {
  const canal c = {.real = real, .side = side, .dt = dt, .level = -7, .bed = rating_bed};
  flow f = rating_canal(&c);
  double in, out, least = 0, most = -20;
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 12 * 3600));
  rating_flux(&f, side, &in, &out);
  double *h = flow_get(&f, "level");
  for (int k = 0; k < 360; k++) least = fmin(least, h[k]), most = fmax(most, h[k]);
  const ria_budget_row water = flow_budget(&f, 0);
  printf("%s, side %d, dt %g s: a pond drained to %.4f .. %.4f m; %.3g m^3 in, %.6g out; account "
         "%.1e\n",
         real_name[real], (int)side, dt, least, most, in, out, water.relative);
  CHECK(least > -9.51 && most < -9.45);
  CHECK(in == 0);
  CHECK(fabs(water.relative) < (real == RIA_F64 ? 1e-12 : 1e-5));
  free(h);
  flow_free(&f);
}

/* A dry valley whose curve begins above the bed of its banks: a trickle runs out of its deepest
 * cell, and that lets none in over the others. */
static double rating_valley_bed(double x, double y) { return 0.01 * x + fabs(y - 105) * 0.015; }
static void rating_valley(ria_real real, ria_side side, double dt) {
  flow f = flow_make(&(flow_desc){.nx = 30,
                                  .ny = 21,
                                  .dx = 10,
                                  .real = real,
                                  .more = {{"dt", dt, NULL}, {"manning", 0.03, NULL}}});
  const double q[] = {0, 20, 80}, level[] = {0.6, 1.1, 1.6};
  const double t[] = {0, 600, 4000, 8000}, flows[] = {0, 0.02, 3, 0};
  ria_series *curve = rating_table(f.ctx, q, level, 3), *water = rating_table(f.ctx, t, flows, 4);
  double in, out;
  flow_set(&f, "bed", rating_valley_bed);
  flow_side(&f, side, "rating", "curve", (ria_value){.series = curve}, 0);
  const ria_spill_desc spill = {.name = "spring",
                                .x = 250,
                                .y = 105,
                                .radius = 12,
                                .flow = {.series = water},
                                .duration = 7000};
  CHECK_OK(f.ctx, ria_sim_spill(f.sim, &spill, NULL));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 9000));
  rating_flux(&f, side, &in, &out);
  double *h = flow_get(&f, "depth"), least = 0;
  for (int k = 0; k < 630; k++) least = fmin(least, h[k]);
  const ria_budget_row budget = flow_budget(&f, 0);
  printf("%s, a valley, dt %g: %.3g m^3 in, %.6g out; least depth %g m; account %.1e\n",
         real_name[real], dt, in, out, least, budget.relative);
  CHECK(out > 1e3);
  CHECK(in == 0);
  CHECK(least >= 0);
  CHECK(fabs(budget.relative) < (real == RIA_F64 ? 1e-12 : 1e-5));
  free(h);
  ria_series_destroy(&curve);
  ria_series_destroy(&water);
  flow_free(&f);
}

/* A curve that rises 20 times as steeply as waves carry water away (Q' / width against sqrt(g h)),
 * and little that leaves: at every moment half of the waves are below its beginning. Explicit, or
 * with the flux as an unknown of its own, it fed them until the canal was empty. */
static void rating_steep(ria_real real, ria_side side, double q, const char *cross) {
  const double flows[] = {0, 2000}, level[] = {-6, -5.9};
  rating_along_y = side == RIA_SOUTH || side == RIA_NORTH;
  rating_still = -6;
  flow f = flow_make(
      &(flow_desc){.nx = rating_along_y ? 6 : 60,
                   .ny = rating_along_y ? 60 : 6,
                   .dx = 25,
                   .real = real,
                   .more = {{"manning", 0.03, NULL}, {"dt", 24, NULL}, {"cross", 0, cross}}});
  ria_series *curve = rating_table(f.ctx, flows, level, 2);
  double in[2], out[2];
  flow_set(&f, "bed", rating_bed);
  flow_set(&f, "level", rating_pond);
  flow_side(&f, (ria_side)((int)side ^ 1), "discharge", "q", (ria_value){.constant = q}, 0);
  flow_side(&f, side, "rating", "curve", (ria_value){.series = curve}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 24 * 3600));
  rating_flux(&f, side, &in[0], &out[0]);
  CHECK_OK(f.ctx, ria_sim_step(f.sim, 10));
  rating_flux(&f, side, &in[1], &out[1]);
  const double off = fabs(rating_at(&f, side) - (-6 + q / 2e4)), flux = (out[1] - out[0]) / 240;
  printf("%s, side %d, steep, %s, %g m^3/s: level off by %.1e m, discharge by %.1e\n",
         real_name[real], (int)side, cross, q, off, flux / q - 1);
  CHECK(off < 1e-5);
  CHECK(fabs(flux / q - 1) < 1e-3);
  CHECK(in[1] == 0);
  ria_series_destroy(&curve);
  flow_free(&f);
}

int main(void) {
  rating_steep(RIA_F64, RIA_EAST, 5, "steady");
  rating_steep(RIA_F64, RIA_WEST, 60, "centred");
  rating_steep(RIA_F64, RIA_NORTH, 300, "centred");
  rating_steep(RIA_F32, RIA_SOUTH, 60, "steady");
  for (int real = 0; real < 2; real++) {
    for (int side = 0; side < RIA_SIDES; side++) rating_rest((ria_real)real, (ria_side)side, -9.6);
    rating_drain((ria_real)real, RIA_EAST, 10);
    rating_drain((ria_real)real, RIA_SOUTH, 60);
    rating_valley((ria_real)real, RIA_WEST, 2);
    rating_valley((ria_real)real, RIA_WEST, 0);
  }
  for (int k = 0; k < 8; k++) {
    const double q[] = {60, 200, 430}, level[] = {-8.5, -10 + 8.0 / 3, -5.8},
                 courant[] = {1, 3, 6, 7.5};
    const double dt = courant[k % 4] * 25 / sqrt(gravity * (level[k % 3] + 10));
    rating_steady((ria_real)(k / 4), (ria_side)((k + k / 4) % 4), q[k % 3], level[k % 3], dt);
  }
  rating_floods();
  return TEST_END();
}
