/* radiates.h - a radiating side, of each solver of flow: lets waves out, straight and at an angle;
 * takes a tide in, with what runs out on top of it; keeps a lake with dry banks at rest; comes to
 * the level outside and stays there; is counted. Included behind the solver's cases.h. */
#ifndef RADIATES_H
#define RADIATES_H

static const double depth = 10;
static double flat(double x, double y) { return (void)x, (void)y, -depth; }
static double celerity(void) { return sqrt(gravity * depth); }

static void radiate(flow *f, ria_side side, ria_value level, ria_value u, ria_value v) {
  const ria_boundary_desc b = {
      .kind = "radiate", .side = side, .values = {{"level", level}, {"u", u}, {"v", v}}};
  CHECK_OK(f->ctx, ria_boundary_add(f->sim, &b, NULL));
}
static void radiate_all(flow *f, double level) {
  for (int side = 0; side < RIA_SIDES; side++)
    flow_side(f, (ria_side)side, "radiate", "level", (ria_value){.constant = level}, 0);
}
static double highest(const double *v, const double *w, int n) {
  double most = 0;
  for (int k = 0; k < n; k++)
    if (v[k] == v[k]) most = fmax(most, fabs(v[k] - (w ? w[k] : 0)));
  return most;
}

/* --- straight --------------------------------------------------------------------------------- */

static double height, angle;
static double pulse(double x, double y) { return (void)y, height * exp(-pow((x - 500) / 50, 2)); }

/* What is left of a pulse that ran out at both ends, of half its height. Rows for three parts of
 * adi on GPUs. */
enum { CHANNEL = 12 };
static double straight(double a, ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = 200, .ny = CHANNEL, .dx = 5, .real = real});
  height = a;
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", pulse);
  for (int side = RIA_WEST; side <= RIA_EAST; side++)
    flow_side(&f, (ria_side)side, "radiate", "level", (ria_value){0}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 85)); /* it passes the ends after 50 s */
  double *level = flow_get(&f, "level");
  const double left = highest(level, NULL, 200 * CHANNEL) / (0.5 * a);
  free(level);
  flow_free(&f);
  return left;
}

/* --- at an angle ------------------------------------------------------------------------------ */

/* A wave that runs at an angle to the northern side. */
static double packet(double x, double y) {
  const double a = (y - 700) * cos(angle) + (x - 1600) * sin(angle);
  const double b = (x - 1600) * cos(angle) - (y - 700) * sin(angle);
  return height * exp(-pow(a / 70, 2) - pow(b / 600, 2));
}
static double packet_u(double x, double y) {
  return sqrt(gravity / depth) * packet(x, y) * sin(angle);
}
static double packet_v(double x, double y) {
  return sqrt(gravity / depth) * packet(x, y) * cos(angle);
}
/* The level in the lower half of a domain twice as high, or where that half is all. */
enum { WIDE = 400, HIGH = 100 };
static double *after_packet(bool twice, ria_real real) {
  flow f = flow_make(&(flow_desc){.nx = WIDE, .ny = (1 + twice) * HIGH, .dx = 10, .real = real});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", packet);
  flow_set(&f, "u", packet_u);
  flow_set(&f, "v", packet_v);
  flow_side(&f, RIA_NORTH, "radiate", "level", (ria_value){0}, 0);
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 70));
  double *level = flow_get(&f, "level");
  flow_free(&f);
  return level;
}
/* What the side throws back of it, of its height. */
static double oblique(double degrees, ria_real real) {
  angle = degrees * acos(-1.0) / 180;
  height = 0.01;
  double *with = after_packet(false, real), *without = after_packet(true, real);
  const double worst = highest(with, without, WIDE * HIGH) / height;
  free(with);
  free(without);
  return worst;
}

/* --- a tide that comes in --------------------------------------------------------------------- */

enum { LONG = 200 };
static const double channel = 20e3, period = 3000;
static double wave_number(void) { return 2 * acos(-1.0) / (period * celerity()); }
static double amplitude;
static double tide_level(double x, double y) { return (void)y, amplitude * cos(wave_number() * x); }
static double tide_u(double x, double y) { return sqrt(gravity / depth) * tide_level(x, y); }
static double running_out(double x, double y) {
  return tide_level(x, y) + 0.5 * amplitude * exp(-pow((x - 8e3) / 1500, 2));
}
static double running_out_u(double x, double y) {
  return tide_u(x, y) - sqrt(gravity / depth) * (running_out(x, y) - tide_level(x, y));
}
static ria_series *constituent(ria_context *ctx, double size) {
  ria_series *series = NULL;
  const ria_constituent c = {NULL, 360.0 / (period / 3600.0), size, 0};
  CHECK_OK(ctx, ria_series_tide(ctx, &(ria_tide_desc){.constituents = &c, .n = 1}, &series));
  return series;
}
/* Level and current at the end of a period in which a progressive wave comes in, in the west or in
 * the south, and leaves at the other end. */
static void progressive(bool out, ria_real real, double *level, double *u) {
  flow f = flow_make(&(flow_desc){.nx = LONG, .ny = 1, .dx = channel / LONG, .real = real});
  flow_set(&f, "bed", flat);
  flow_set(&f, "level", out ? running_out : tide_level);
  flow_set(&f, "u", out ? running_out_u : tide_u);
  ria_series *high = constituent(f.ctx, amplitude),
             *fast = constituent(f.ctx, amplitude * sqrt(gravity / depth));
  radiate(&f, RIA_WEST, (ria_value){.series = high}, (ria_value){.series = fast}, (ria_value){0});
  radiate(&f, RIA_EAST, (ria_value){0}, (ria_value){0}, (ria_value){0});
  CHECK_OK(f.ctx, ria_sim_run(f.sim, period));
  CHECK_OK(f.ctx, ria_sim_get(f.sim, "level", level));
  CHECK_OK(f.ctx, ria_sim_get(f.sim, "u", u));
  ria_series_destroy(&high);
  ria_series_destroy(&fast);
  flow_free(&f);
}
static void tide(ria_real real, double error, double left) {
  double level[LONG], u[LONG], with[LONG], with_u[LONG], off = 0, off_u = 0;
  amplitude = 0.01;
  progressive(false, real, level, u);
  progressive(true, real, with, with_u);
  for (int i = 0; i < LONG; i++) {
    const double x = (i + 0.5) * channel / LONG;
    off = fmax(off, fabs(level[i] - tide_level(x, 0)) / amplitude);
    off_u = fmax(off_u, fabs(u[i] - tide_u(x, 0)) / (sqrt(gravity / depth) * amplitude));
  }
  const double back = highest(with, level, LONG) / (0.5 * amplitude);
  printf("%s: a tide comes in, errors %.4f of its level, %.4f of its current; %.4f are left of a "
         "wave that ran out\n",
         real_name[real], off, off_u, back);
  CHECK(off < error && off_u < error);
  CHECK(back < left);
}

/* --- rest, and a level that comes in ---------------------------------------------------------- */

static double rugged(double x, double y) {
  return -3 + 4 * sin(0.11 * x) * cos(0.17 * y) + 0.5 * sin(1.9 * x + 0.7 * y);
}
static double still(double x, double y) { return (void)x, (void)y, 0.37; }
static double one(double x, double y) { return (void)x, (void)y, 1.0; }

static void rest(ria_real real, double bound) {
  flow f = flow_make(&(flow_desc){.nx = 60, .ny = 50, .dx = 2, .real = real, .tracer = "dye"});
  flow_set(&f, "bed", rugged);
  flow_set(&f, "level", still);
  flow_set(&f, "dye", one);
  for (int side = 0; side < RIA_SIDES; side++)
    flow_side(&f, (ria_side)side, "radiate", "level", (ria_value){.constant = 0.37}, 1);
  CHECK_OK(f.ctx, ria_sim_step(f.sim, test_is_traced() ? 30 : LENGTH(4000, 1000, 500)));
  double *level = flow_get(&f, "level"), *speed = flow_get(&f, "speed"), worst = 0;
  int dry = 0;
  for (int k = 0; k < 60 * 50; k++) {
    dry += isnan(level[k]);
    if (!isnan(level[k])) worst = fmax(worst, fabs(level[k] - 0.37));
  }
  printf("%s: a lake is off by %.3g m, speed %.3g m/s, %d dry cells\n", real_name[real], worst,
         highest(speed, NULL, 60 * 50), dry);
  CHECK(dry > 100 && dry < 2000);
  CHECK(worst <= bound && highest(speed, NULL, 60 * 50) <= 100 * bound);
  free(level);
  free(speed);
  flow_free(&f);
}

#endif
