/* scene.h - simulations drawn from a seed: a bed, a state, boundaries, sources, tracers, and what
 * happens on the way. The same scene makes the same simulation in any context, so that two of them
 * can be compared: between devices, between runs, between ways to cut a run into batches.
 *
 *   scene s = scene_of(7);
 *   ria_sim *sim = scene_make(ctx, &s);
 *   scene_run(sim, &s, 0);
 *   outcome all = outcome_take(sim, &s);       fields, account, maxima, clock: everything told
 *
 * SCENE_SOLVER, defined before, is the solver: "shallow_water" or "adi", whose fields and
 * boundaries are the same. SCENE_HALVES, SCENE_LARGES, SCENE_SIZES: which scenes it is taken
 * through. RIA_TEST_ORDER: 1 or 2, the order of all of them.
 */
#ifndef SCENE_H
#define SCENE_H
#include "device.h"
#include "test.h"
#include <ria/ria.h>
#include <stdlib.h>

#ifndef SCENE_SOLVER
#define SCENE_SOLVER "shallow_water"
#endif
#ifndef SCENE_HALVES
#define SCENE_HALVES 2 /* 1: all that is rare in each; 2: and as many with nothing of it */
#endif
#ifndef SCENE_LARGES
#define SCENE_LARGES 14 /* large scenes */
#endif
#ifndef SCENE_SIZES
#define SCENE_SIZES 1203, 701, 16901, 501 /* of theirs: each twice, then again */
#endif
#ifndef SCENE_SINGLE
/* To which the account closes in single precision. adi: 1e-5, for each of 100 steps may lose half a
 * last place (6e-8) of a level, and where the grid is one cell nothing averages that out. */
#define SCENE_SINGLE 5e-7
#endif

#ifndef SCENE_RING_SEEDS
#define SCENE_RING_SEEDS 42 /* small scenes with periodic sides */
#endif
#ifndef SCENE_RATED_SEEDS
#define SCENE_RATED_SEEDS 30 /* with ratings; 0: the other scenes have them */
#endif
#ifndef SCENE_LARGE_RINGS
#define SCENE_LARGE_RINGS SCENE_LARGES /* from this one on they have periodic sides */
#endif

typedef enum land { BASIN, ISLANDS, DAM, CRAGS, PLAIN, LANDS } land;
static const char *const land_name[LANDS] = {
    [BASIN] = "basin",     /* deep and smooth: nothing ever falls dry */
    [ISLANDS] = "islands", /* rough, with shoals and dry land */
    [DAM] = "dam",         /* deep water beside a film or dry land, both fast */
    [CRAGS] = "crags",     /* steps of the bed taller than the water */
    [PLAIN] = "plain",     /* dry until boundaries fill it */
};

typedef struct scene {
  uint64_t seed;
  land land;
  int nx, ny;
  ria_real real;
  int n_tracers;
  bool usual;    /* nothing rare: no maxima, decay, diffusion, map of roughness */
  bool closed;   /* walls alone, no source: nothing but the flow drives it */
  bool many;     /* of knots, partial tides, sources: more than a device takes in one go */
  bool sprung;   /* water comes onto dry ground */
  bool rivers;   /* hundreds: rivers.h */
  bool rated;    /* what is a wall or open in others has a rating */
  bool gauged;   /* gauges that shorten no step, three periods of them: the rest is the same */
  bool watched;  /* a maximum is kept that nothing asks for: the rest is the same */
  bool unforced; /* neither wind nor rotation, whatever is drawn */
  bool ring[2];  /* the west and the east are periodic; the south and the north */
  int order;
  double limiter; /* of order 2 */
  int steps;
  double nudge; /* relative change of gravity: to see how far a rounding error grows */
} scene;

/* Seeds from here on make scenes as large as a GPU has other ways for: tiles of two heights; more
 * of them than it holds at once, in three; so many that they count by slots (single precision, up
 * to one tracer); more cells than are read at once. From the fifth on they have nothing rare, from
 * the ninth to the twelfth walls alone (but for the plain); then half of each is dry, and tiles of
 * a grid that is held at once are lower. The others are small, and have tiles of four rows. */
enum { SCENE_LARGE = 1000000, SCENE_HALF_DRY = SCENE_LARGE + 12 };

/* Seeds from here on make scenes with springs on their dry land, half of them with nothing else
 * that is rare: what a source alone wets must be stepped. */
enum { SCENE_SPRUNG = 504000, SCENES_SPRUNG = 42 };

/* Seeds from here on make scenes with hundreds of rivers, half of them with nothing else that is
 * rare. */
enum { SCENE_RIVERS = 756000, SCENES_RIVERS = 42 };

/* Seeds from here on make scenes with periodic sides: one pair in a third of them each, both in the
 * others; of large ones both, or the west and the east. Half of them have nothing else that is
 * rare, and some of those walls alone on their other sides. */
enum { SCENE_RINGS = 882000, SCENES_RINGS = SCENE_RING_SEEDS };

/* Seeds from here on make scenes with ratings, of a solver whose outlets are otherwise of other
 * kinds: on most sides, and over cuts where the grid is cut. */
enum { SCENE_RATED = 945000, SCENES_RATED = SCENE_RATED_SEEDS };

/* Scenes of the first half have all that is rare, maxima in each; those of the second nothing of
 * it, and often walls alone: devices go other ways then, and many runs are like that. */
enum { SCENE_HALF = 126, SCENES = SCENE_HALVES * SCENE_HALF };

/* --- numbers from a seed (splitmix64) --------------------------------------------------------- */

typedef struct dice {
  uint64_t state;
} dice;

static double roll(dice *d, double lo, double hi) {
  uint64_t z = d->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return lo + (hi - lo) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static int pick(dice *d, int n) { return (int)roll(d, 0, n); }
static bool chance(dice *d, double part) { return roll(d, 0, 1) < part; }

/* Each subject has dice of its own: to draw more of one leaves the others as they were. */
static dice dice_for(const scene *s, const char *subject) {
  dice d = {s->seed * 0x2545f4914f6cdd1du};
  for (; *subject; subject++) d.state = (d.state ^ (unsigned char)*subject) * 0x100000001b3u;
  return d;
}

/* Land, precision, tracers and size go round with the seed at periods that share no factor: any 630
 * in a row are all combinations, any 126 all of the last three. No size is a multiple of anything.
 * The rest is drawn, so that it may meet any of them; among the closed ones of the second half are
 * all numbers of tracers in both precisions. */
static scene scene_of(uint64_t seed) {
  static const int size[7][2] = {{1, 1},     {31, 33}, {1, 7},   {97, 61},
                                 {257, 130}, {67, 2},  {700, 45}};
  static const int large[] = {SCENE_SIZES}; /* nx, ny */
  const bool is_large = seed >= SCENE_LARGE, extra = seed >= SCENE_SPRUNG && !is_large,
             rings = is_large ? seed >= SCENE_LARGE + SCENE_LARGE_RINGS
                              : seed >= SCENE_RINGS && seed < SCENE_RATED,
             rated = seed >= SCENE_RATED && !is_large;
  const uint64_t k = is_large ? seed - SCENE_LARGE : 0, sizes = sizeof large / sizeof *large / 2;
  const int *n = is_large ? &large[k / 2 % sizes * 2] : size[seed % 7];
  const bool usual = is_large ? k / 4 > 0 : extra ? seed / 2 % 2 : (seed - 1) / SCENE_HALF % 2;
  scene s = {.seed = seed,
             .land = seed >= SCENE_HALF_DRY ? DAM : (land)(seed % LANDS),
             .nx = n[0],
             .ny = n[1],
             .real = seed % 2 ? RIA_F32 : RIA_F64,
             .n_tracers = (int)(is_large ? (k + 1 + k / 8) % 3 : seed % 9),
             .usual = usual,
             .sprung = extra && (seed < SCENE_RIVERS || seed >= SCENE_RINGS),
             .rated = rated,
             .rivers = extra && seed >= SCENE_RIVERS && seed < SCENE_RINGS,
             .ring = {rings && (is_large || seed / 2 % 3 != 1),
                      rings && (is_large ? k % 2 == 0 : seed / 2 % 3 != 0)},
             .steps = is_large || test_is_short() ? 20 : 100};
  dice d = dice_for(&s, "closed");
  s.closed = usual && (!extra || rings) && !rated && s.land != PLAIN &&
             (is_large ? k / 4 == 2 : chance(&d, 0.5));
  d = dice_for(&s, "many");
  s.many = !s.closed && chance(&d, 0.2);
  s.sprung &= !s.closed;
  d = dice_for(&s, "order");
  s.order = chance(&d, 0.4) ? 1 : 2;
  s.order = atoi(test_setting("RIA_TEST_ORDER", s.order == 1 ? "1" : "2"));
  s.limiter = chance(&d, 0.6) ? 1.3 : roll(&d, 0, 2);
  return s;
}

/* --- fields ----------------------------------------------------------------------------------- */

/* A few waves of random length and direction, of amplitude 1 in sum. */
typedef struct swell {
  double kx[3], ky[3], phase[3];
} swell;

static swell swell_of(dice *d, const scene *s) {
  swell w;
  const double longest = 2 * fmax(8, fmax(s->nx, s->ny));
  for (int k = 0; k < 3; k++) {
    const double angle = roll(d, 0, 6.28), length = roll(d, 8, longest);
    w.kx[k] = 6.28 / length * cos(angle);
    w.ky[k] = 6.28 / length * sin(angle);
    w.phase[k] = roll(d, 0, 6.28);
  }
  return w;
}
static double swell_at(const swell *w, int i, int j) {
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += sin(w->kx[k] * i + w->ky[k] * j + w->phase[k]) / 3;
  return sum;
}

/* base + tall * swell + rough * noise */
static void fill(double *a, const scene *s, dice *d, double base, double tall, double rough) {
  const swell w = swell_of(d, s);
  for (int j = 0; j < s->ny; j++)
    for (int i = 0; i < s->nx; i++)
      a[j * s->nx + i] = base + tall * swell_at(&w, i, j) + roll(d, -rough, rough);
}

static void fill_bed(double *a, const scene *s) {
  dice d = dice_for(s, "bed");
  static const double of[LANDS][3] = {
      [BASIN] = {-20, 6, 0},    [ISLANDS] = {-2, 5, 0.4}, [DAM] = {-1, 0.5, 0.05},
      [CRAGS] = {-0.5, 1, 2.5}, [PLAIN] = {1, 1, 0.1},
  };
  fill(a, s, &d, of[s->land][0], of[s->land][1], of[s->land][2]);
}

static void fill_level(double *a, const scene *s, const double *bed) {
  dice d = dice_for(s, "level");
  const double film = chance(&d, 0.5) || s->seed >= SCENE_HALF_DRY ? 0 : 0.05;
  const bool across = chance(&d, 0.5);
  fill(a, s, &d, s->land == PLAIN ? -100 : 0, s->land == PLAIN ? 0 : 0.6, 0);
  for (int j = 0; s->land == DAM && j < s->ny; j++)
    for (int i = 0; i < s->nx; i++)
      if (across ? 2 * j > s->ny : 2 * i > s->nx)
        a[j * s->nx + i] = bed[j * s->nx + i] + film;
      else
        a[j * s->nx + i] += 3;
}

/* --- the simulation --------------------------------------------------------------------------- */

static const char *const tracer_name[RIA_MAX_TRACERS] = {"ta", "tb", "tc", "td",
                                                         "te", "tf", "tg", "th"};

static ria_grid scene_grid(const scene *s) {
  dice d = dice_for(s, "grid");
  static const double sizes[] = {0.5, 2, 10, 37.5, 150}, ratios[] = {1, 1, 0.7, 1.9};
  const double dx = sizes[pick(&d, 5)], dy = dx * ratios[pick(&d, 4)];
  const double x0 = roll(&d, -1e4, 1e4), y0 = roll(&d, -1e4, 1e4);
  dice t = dice_for(s, "angle");
  return (ria_grid){s->nx, s->ny, dx, dy, x0, y0, chance(&t, 0.3) ? roll(&t, -180, 180) : 0};
}

/* About one step, s: the unit of time of all that happens in a scene. */
static double scene_tick(const scene *s) {
  static const double depth[LANDS] = {24, 6, 5, 3, 1};
  const ria_grid g = scene_grid(s);
  return 0.9 / ((1 + sqrt(9.81 * depth[s->land])) * (1 / g.dx + 1 / g.dy));
}

enum { SETTINGS = 20 };

static int flow_settings(const scene *s, dice *d, ria_setting *p) {
  static const double dry[] = {1e-6, 1e-6, 1e-9, 1e-12, 1e-3, 0.1};
  int n = 0;
  p[n++] = (ria_setting){"gravity", 9.81 * (1 + s->nudge), NULL};
  p[n++] = (ria_setting){"manning", chance(d, 0.6) ? roll(d, 0.005, 0.1) : 0, NULL};
  p[n++] = (ria_setting){"cfl", chance(d, 0.7) ? 0.9 : roll(d, 0.2, 0.95), NULL};
  p[n++] = (ria_setting){"dry_depth", dry[pick(d, 6)], NULL};
  p[n++] = (ria_setting){"dt_max", chance(d, 0.2) ? 0.8 * scene_tick(s) : 0, NULL};
  p[n++] = (ria_setting){"dt_min", 0, NULL};
  dice f = dice_for(s, "forces");
  const int unforced = n;
  if (chance(&f, 0.4)) p[n++] = (ria_setting){"latitude", roll(&f, -80, 80), NULL};
  if (chance(&f, 0.4)) p[n++] = (ria_setting){"wind_speed", roll(&f, 1, 50), NULL};
  if (s->unforced) n = unforced;
  p[n++] = (ria_setting){"wind_from", roll(&f, -360, 360), NULL};
  if (chance(&f, 0.3)) p[n++] = (ria_setting){"wind_drag", roll(&f, 0.001, 0.01), NULL};
  if (chance(&f, 0.5)) p[n++] = (ria_setting){"wind_depth", roll(&f, 0.001, 2), NULL};
  p[n++] = (ria_setting){"order", s->order, NULL};
  p[n++] = (ria_setting){"limiter", s->limiter, NULL};
  dice e = dice_for(s, "eddies");
  const bool stirred = !s->usual && chance(&e, 0.2);
  const double part = roll(&e, 0, 0.1) * pow(scene_grid(s).dx, 2) / scene_tick(s);
  if (stirred && chance(&e, 0.6)) p[n++] = (ria_setting){"eddy", part, NULL};
  if (stirred && chance(&e, 0.7)) p[n++] = (ria_setting){"smagorinsky", roll(&e, 0.2, 1), NULL};
  if (stirred && chance(&e, 0.3)) p[n++] = (ria_setting){"schmidt", roll(&e, 0.3, 3), NULL};
  return n;
}

/* Courant numbers from 1/2 to 6, and each of the terms that can be switched. */
static int implicit_settings(const scene *s, dice *d, ria_setting *p) {
  const double dt = scene_tick(s) * roll(d, 0.5, 4), drying = chance(d, 0.5) ? 0.01 : 0.001;
  const bool follows = s->rivers && s->seed % 3; /* the flow says how long a step is */
  const double cell = scene_grid(s).dx;
  int n = 0;
  p[n++] = (ria_setting){"gravity", 9.81 * (1 + s->nudge), NULL};
  p[n++] = (ria_setting){"manning", chance(d, 0.8) ? roll(d, 0.01, 0.1) : 0, NULL};
  p[n++] = (ria_setting){"dt", follows ? 0 : dt, NULL};
  p[n++] = (ria_setting){"drying_depth", drying, NULL};
  p[n++] = (ria_setting){"flooding_depth", 2 * drying, NULL};
  p[n++] = (ria_setting){"land", chance(d, 0.3) ? 1 : 1e9, NULL};
  p[n++] = (ria_setting){"latitude", chance(d, 0.4) ? roll(d, -80, 80) : 0, NULL};
  p[n++] = (ria_setting){"wind_speed", chance(d, 0.4) ? roll(d, 1, 30) : 0, NULL};
  p[n++] = (ria_setting){"wind_from", roll(d, 0, 360), NULL};
  p[n++] = (ria_setting){"eddy", chance(d, 0.3) ? roll(d, 0, 0.05) * cell * cell / dt : 0, NULL};
  if (follows) p[n - 1].number = 0;
  p[n++] = (ria_setting){"smagorinsky", chance(d, 0.3) ? roll(d, 0.2, 0.8) : 0, NULL};
  p[n++] = (ria_setting){"upwind", 0, chance(d, 0.7) ? "froude" : "off"};
  p[n++] = (ria_setting){"cross", 0, chance(d, 0.7) ? "steady" : "thesis"};
  p[n++] = (ria_setting){"order", s->order, NULL};
  p[n++] = (ria_setting){"limiter", s->limiter, NULL};
  return n;
}

/* Some GPUs refuse the implicit solver on lines that others take; says so. */
TEST_UNUSED static bool scene_is_taken(ria_context *ctx, const scene *s) {
  ria_sim *sim = NULL;
  const ria_setting dt = {"dt", 1, NULL};
  const bool implicit = strcmp(SCENE_SOLVER, "adi") == 0;
  const ria_sim_desc desc = {.solver = SCENE_SOLVER,
                             .grid = scene_grid(s),
                             .precision = s->real,
                             .params = &dt,
                             .n_params = implicit ? 1 : 0};
  if (s->seed < SCENE_LARGE || ria_sim_create(ctx, &desc, &sim) == RIA_OK) {
    ria_sim_destroy(&sim);
    return true;
  }
  if (!CHECK(strstr(ria_error(ctx), "cells a side on this GPU"))) exit(1);
  printf("seed %llu not run: %s\n", (unsigned long long)s->seed, ria_error(ctx));
  return false;
}

static ria_sim *make_bare(ria_context *ctx, const scene *s) {
  dice d = dice_for(s, "parameters");
  const ria_grid g = scene_grid(s);
  ria_setting params[SETTINGS];
  const bool implicit = strcmp(SCENE_SOLVER, "adi") == 0;
  const int n_params = implicit ? implicit_settings(s, &d, params) : flow_settings(s, &d, params);
  ria_tracer tracers[RIA_MAX_TRACERS] = {{0}};
  for (int k = 0; k < s->n_tracers; k++) {
    tracers[k].name = tracer_name[k];
    if (s->usual) continue;
    if (chance(&d, 0.5)) tracers[k].decay = roll(&d, 0, 0.005) / scene_tick(s);
    if (chance(&d, 0.4)) tracers[k].diffusion = roll(&d, 0, 0.03) * g.dx * g.dx / scene_tick(s);
  }
  const ria_sim_desc desc = {.solver = SCENE_SOLVER,
                             .grid = g,
                             .precision = s->real,
                             .params = params,
                             .n_params = (size_t)n_params,
                             .tracers = tracers,
                             .n_tracers = (size_t)s->n_tracers};
  ria_sim *sim = NULL;
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) exit(1);
  return sim;
}

static double *array_for(const scene *s) {
  double *a = malloc((size_t)s->nx * (size_t)s->ny * sizeof *a);
  if (!a) abort();
  return a;
}

/* Returns the deepest cell, -1 if there is no water to speak of. */
static int set_fields(ria_sim *sim, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  dice d = dice_for(s, "state");
  double *bed = array_for(s), *a = array_for(s);
  fill_bed(bed, s);
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  fill_level(a, s, bed);
  CHECK_OK(ctx, ria_sim_set(sim, "level", a));
  int deepest = 0;
  for (int k = 0; k < s->nx * s->ny; k++)
    if (a[k] - bed[k] > a[deepest] - bed[deepest]) deepest = k;
  if (a[deepest] - bed[deepest] < 0.2) deepest = -1;
  const double fast = s->land == DAM ? 4 : 0.6;
  fill(a, s, &d, 0, fast, s->land == BASIN ? 0 : 0.3 * fast);
  CHECK_OK(ctx, ria_sim_set(sim, "u", a));
  fill(a, s, &d, 0, fast, s->land == BASIN ? 0 : 0.3 * fast);
  CHECK_OK(ctx, ria_sim_set(sim, "v", a));
  for (int k = 0; k < s->n_tracers; k++) {
    fill(a, s, &d, 2, 1, 0.9);
    if (!chance(&d, 0.15)) CHECK_OK(ctx, ria_sim_set(sim, tracer_name[k], a));
  }
  if (!s->usual && chance(&d, 0.4)) {
    fill(a, s, &d, 0.04, 0.02, 0.015);
    CHECK_OK(ctx, ria_sim_set(sim, "manning", a));
  }
  free(bed);
  free(a);
  return deepest;
}

/* --- values in time --------------------------------------------------------------------------- */

static ria_series *long_tide(ria_context *ctx, dice *d, const scene *s, double base, double swing,
                             double ramp) {
  enum { PARTS = 45 };
  ria_constituent part[PARTS];
  ria_series *series = NULL;
  for (int k = 0; k < PARTS; k++)
    part[k] = (ria_constituent){NULL, 360 / (roll(d, 30, 120) * scene_tick(s) / 3600),
                                swing * roll(d, 0, 0.1), roll(d, 0, 360)};
  CHECK_OK(ctx,
           ria_series_tide(
               ctx, &(ria_tide_desc){.constituents = part, .n = PARTS, .z0 = base, .ramp = ramp},
               &series));
  return series;
}

/* Smooth, and few steps where it goes by steps: else the last place of the clock would show. */
static ria_series *long_table(ria_context *ctx, dice *d, const scene *s, double base, double swing,
                              double ramp) {
  enum { KNOTS = 1500 };
  static double t[KNOTS], v[KNOTS];
  const double tick = scene_tick(s), wave = roll(d, 30, 120) * tick;
  const bool steps = chance(d, 0.3);
  const double apart = steps ? 2.3 : 0.15;
  const int n = steps ? 100 : KNOTS;
  ria_series *series = NULL;
  for (int k = 0; k < n; k++) {
    t[k] = apart * (k - 3 + roll(d, 0, 0.7)) * tick;
    v[k] = swing * sin(6.28 * t[k] / wave);
  }
  const ria_table_desc table = {.t = t,
                                .v = v,
                                .n = (size_t)n,
                                .interp = steps ? RIA_STEP : RIA_LINEAR,
                                .hold = true,
                                .ramp = ramp,
                                .offset = base};
  CHECK_OK(ctx, ria_series_table(ctx, &table, &series));
  return series;
}

/* About base, changing by up to `swing`: a constant, a tide or a table. *series is the caller's. */
static ria_value value_of(ria_context *ctx, dice *d, const scene *s, double base, double swing,
                          ria_series **series) {
  const double tick = scene_tick(s), ramp = chance(d, 0.5) ? roll(d, 5, 60) * tick : 0;
  const int kind = pick(d, 4);
  *series = NULL;
  if (s->many && kind < 2) {
    *series = (kind == 0 ? long_tide : long_table)(ctx, d, s, base, swing, ramp);
  } else if (kind == 0) {
    const double per_hour = 360 / (roll(d, 30, 120) * tick / 3600); /* deg */
    const ria_constituent parts[] = {{NULL, per_hour, swing, roll(d, 0, 360)},
                                     {NULL, 2.1 * per_hour, 0.3 * swing, roll(d, 0, 360)},
                                     {"M2", 0, 0.3 * swing, roll(d, 0, 360)}};
    CHECK_OK(ctx,
             ria_series_tide(
                 ctx, &(ria_tide_desc){.constituents = parts, .n = 3, .z0 = base, .ramp = ramp},
                 series));
  } else if (kind == 1) {
    double t[12], v[12];
    for (int k = 0; k < 12; k++) {
      t[k] = (k - 1 + roll(d, 0, 0.9)) * 13 * tick;
      v[k] = roll(d, -swing, swing);
    }
    const ria_table_desc table = {.t = t,
                                  .v = v,
                                  .n = 12,
                                  .interp = chance(d, 0.5) ? RIA_LINEAR : RIA_STEP,
                                  .hold = true,
                                  .ramp = ramp,
                                  .offset = base};
    CHECK_OK(ctx, ria_series_table(ctx, &table, series));
  }
  return (ria_value){.constant = base + roll(d, -swing, swing), .series = *series};
}

/* A wind that changes, in some scenes. */
static void add_gusts(ria_sim *sim, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  dice d = dice_for(s, "gusts");
  ria_series *series[2] = {NULL, NULL};
  if (s->closed || s->unforced) return;
  if (chance(&d, 0.3)) {
    const ria_value speed = value_of(ctx, &d, s, 12, 10, &series[0]);
    CHECK_OK(ctx, ria_sim_vary(sim, "wind_speed", &speed));
  }
  if (chance(&d, 0.3)) {
    const ria_value from = value_of(ctx, &d, s, 0, 350, &series[1]);
    CHECK_OK(ctx, ria_sim_vary(sim, "wind_from", &from));
  }
  for (int k = 0; k < 2; k++) ria_series_destroy(&series[k]);
}

/* --- boundaries ------------------------------------------------------------------------------- */

enum { MOST_STRETCHES = 5, MOST_BOUNDARIES = RIA_SIDES + MOST_STRETCHES };
static const char *const boundary_name[MOST_BOUNDARIES] = {"b0", "b1", "b2", "b3", "b4",
                                                           "b5", "b6", "b7", "b8"};

/* Is the solver one that has slopes of `open`, `normal`, `free`? Else `rating` is drawn. */
static bool has_outlets(void) { return strcmp(SCENE_SOLVER, "shallow_water") == 0; }

/* A curve for an outlet `width` m wide; its first level may be under water or above it. */
static ria_series *draw_curve(ria_context *ctx, dice *d, const scene *s, double width) {
  const double deep = s->land == BASIN ? 20 : 1;
  double q[4] = {0}, level[4] = {roll(d, -1, 0.3)};
  ria_series *series = NULL;
  for (int k = 1; k < 4; k++) {
    q[k] = q[k - 1] + deep * roll(d, 0.05, 0.5) * width;
    level[k] = level[k - 1] + roll(d, 0.02, 0.8);
  }
  CHECK_OK(ctx, ria_series_table(ctx, &(ria_table_desc){.t = q, .v = level, .n = 4}, &series));
  return series;
}

/* An open boundary becomes one of the outlets that there are. Dice of its own: what else is drawn
 * does not depend on it. series: of its slope, or curve. */
static void draw_outlet(ria_context *ctx, const scene *s, double width, ria_boundary_desc *b,
                        ria_series **series) {
  static const char *const kinds[][4] = {{"open", "open", "normal", "free"},
                                         {"open", "open", "rating", "rating"}};
  dice d = dice_for(s, b->name);
  const int kind = pick(&d, 4);
  b->kind = s->rated ? "rating" : kinds[!has_outlets()][kind];
  if (!s->rated && has_outlets() && (kind == 1 || kind == 2))
    b->values[0] = (ria_boundary_value){"slope", value_of(ctx, &d, s, 0.02, 0.015, series)};
  if (strcmp(b->kind, "rating") != 0) return;
  *series = draw_curve(ctx, &d, s, width);
  b->values[0] = (ria_boundary_value){"curve", {0, *series}};
}

/* Does water only leave? */
static bool lets_out(const char *kind) {
  return !strcmp(kind, "normal") || !strcmp(kind, "free") || !strcmp(kind, "rating");
}

enum { MOST_POINTS = 5, BOUND_SERIES = 3 + RIA_MAX_TRACERS + 2 * MOST_POINTS };

/* A tide of n constituents, 1.5 times as fast from one to the next. */
static ria_series *tide_at(ria_context *ctx, dice *d, int n, double first, double base,
                           double swing, double ramp) {
  ria_constituent part[40];
  ria_series *series = NULL;
  for (int k = 0; k < n; k++)
    part[k] = (ria_constituent){NULL, first * (1 + 0.5 * k), swing * roll(d, 0, 1.0 / n),
                                roll(d, 0, 360)};
  const ria_tide_desc tide = {.constituents = part, .n = (size_t)n, .z0 = base, .ramp = ramp};
  CHECK_OK(ctx, ria_series_tide(ctx, &tide, &series));
  return series;
}

/* Some levels are given at points: tides that share their constituents, or any values. Dice of
 * their own, as for outlets. series: [MOST_POINTS] */
static void draw_points(ria_context *ctx, const scene *s, ria_boundary_desc *b, double base,
                        ria_series *series[]) {
  static ria_boundary_point point[2 * MOST_POINTS];
  char subject[32];
  snprintf(subject, sizeof subject, "%s along", b->name);
  dice d = dice_for(s, subject);
  const int n = 1 + pick(&d, MOST_POINTS), parts = s->many ? 40 : 1 + pick(&d, 6);
  const bool tides = chance(&d, 0.5);
  const double first = 360 / (roll(&d, 60, 120) * scene_tick(s) / 3600), /* deg/h */
      ramp = chance(&d, 0.3) ? roll(&d, 5, 60) * scene_tick(s) : 0;
  if (!chance(&d, 0.4)) return;
  for (int k = 0; k < n; k++) {
    point[k] = (ria_boundary_point){
        .name = "level", .by_share = true, .share = (k + roll(&d, 0.1, 0.9)) / n};
    if (tides)
      point[k].value.series = series[k] = tide_at(ctx, &d, parts, first, base, 0.5, ramp);
    else
      point[k].value = value_of(ctx, &d, s, base, 0.5, &series[k]);
  }
  b->values[0].name = NULL;
  b->points = point;
  b->n_points = (size_t)n;
}

/* A sea with a level may radiate, and have a current, also at points. series: of the current. */
static void draw_sea(ria_context *ctx, const scene *s, ria_boundary_desc *b, ria_series *series[]) {
  char subject[32];
  snprintf(subject, sizeof subject, "%s radiates", b->name);
  dice d = dice_for(s, subject);
  if (!chance(&d, 0.5)) return;
  b->kind = "radiate";
  if (chance(&d, 0.7))
    b->values[2] = (ria_boundary_value){"v", value_of(ctx, &d, s, 0.1, 0.3, &series[0])};
  if (b->n_points == 0 || chance(&d, 0.5)) {
    b->values[1] = (ria_boundary_value){"u", value_of(ctx, &d, s, 0.1, 0.3, &series[1])};
    return;
  }
  const size_t n = b->n_points;
  ria_boundary_point *point = (ria_boundary_point *)b->points; /* draw_points has room for both */
  for (size_t k = 0; k < n; k++) {
    point[n + k] = point[k];
    point[n + k].name = "u";
    point[n + k].value = value_of(ctx, &d, s, 0.1, 0.3, &series[2 + k]);
  }
  b->n_points = 2 * n;
}

/* Kind, values and concentrations of a boundary `width` m wide, into b. series: [BOUND_SERIES] */
static void draw_kind(ria_context *ctx, dice *d, const scene *s, double width, ria_boundary_desc *b,
                      ria_series *series[]) {
  static const char *const kinds[] = {"wall", "open", "level", "discharge"};
  const int drawn = s->closed ? 0 : s->land == PLAIN ? 2 + pick(d, 2) : pick(d, 4);
  const int kind = s->rated && drawn == 0 ? 1 : drawn;
  b->kind = kinds[kind];
  if (kind == 1) draw_outlet(ctx, s, width, b, &series[0]);
  if (kind == 2) {
    const double base = s->land == PLAIN ? 1.5 : 0.2;
    b->values[0] = (ria_boundary_value){"level", value_of(ctx, d, s, base, 0.5, &series[0])};
    draw_points(ctx, s, b, base, series + 1 + RIA_MAX_TRACERS);
    draw_sea(ctx, s, b, series + 1 + RIA_MAX_TRACERS + MOST_POINTS);
  }
  if (kind == 3) {
    const double deep = s->land == BASIN ? 20 : 1, way = chance(d, 0.3) ? -0.3 : 1;
    const double q = way * deep * roll(d, 0.1, 1) * width;
    b->values[0] = (ria_boundary_value){"q", value_of(ctx, d, s, q, 0.3 * fabs(q), &series[0])};
  }
  for (int k = 0; kind > 0 && k < s->n_tracers; k++)
    if (chance(d, 0.7)) b->tracers[k] = value_of(ctx, d, s, 1.5, 0.5, &series[1 + k]);
  if (lets_out(b->kind)) memset(b->tracers, 0, sizeof b->tracers); /* they bring nothing */
}

/* Is a side periodic? */
static bool is_ring(const scene *s, ria_side side) { return s->ring[side / 2]; }
/* Of either axis the low side comes first. */
_Static_assert(RIA_WEST / 2 == RIA_EAST / 2 && RIA_SOUTH / 2 == RIA_NORTH / 2, "pairs of sides");

static void add_boundary(ria_sim *sim, dice *d, const scene *s, int index, bool stretch) {
  const ria_grid g = scene_grid(s);
  ria_context *ctx = ria_sim_context(sim);
  ria_series *series[BOUND_SERIES] = {NULL};
  int of = stretch ? pick(d, RIA_SIDES) : index;
  if (stretch && is_ring(s, (ria_side)of)) of = (of + 2) % RIA_SIDES; /* it is whole */
  const ria_side side = (ria_side)of;
  ria_boundary_desc b = {.name = boundary_name[index], .side = side, .stretch = stretch};
  const bool upright = side == RIA_WEST || side == RIA_EAST;
  const int n = ria_side_length(&g, side), first = stretch ? pick(d, n) : 0;
  const int cells = stretch ? 1 + pick(d, n - first) : n;
  const double across = side == RIA_EAST    ? g.x0 + g.nx * g.dx
                        : side == RIA_WEST  ? g.x0
                        : side == RIA_NORTH ? g.y0 + g.ny * g.dy
                                            : g.y0;
  const double along = upright ? g.dy : g.dx, origin = upright ? g.y0 : g.x0;
  b.from[upright] = origin + (first + 0.25) * along;
  b.to[upright] = origin + (first + cells - 0.25) * along;
  b.from[!upright] = b.to[!upright] = across;
  ria_grid_to_map(&g, &b.from[0], &b.from[1]);
  ria_grid_to_map(&g, &b.to[0], &b.to[1]);
  if (is_ring(s, side))
    b.kind = "periodic";
  else
    draw_kind(ctx, d, s, cells * along, &b, series);
  CHECK_OK(ctx, ria_boundary_add(sim, &b, NULL));
  for (int k = 0; k < BOUND_SERIES; k++) ria_series_destroy(&series[k]);
}

static int scene_stretches(const scene *s) {
  dice d = dice_for(s, "stretches");
  return s->closed || (s->ring[0] && s->ring[1]) ? 0 : pick(&d, MOST_STRETCHES + 1);
}

static void add_boundaries(ria_sim *sim, const scene *s) {
  dice d = dice_for(s, "boundaries");
  for (int k = 0; k < RIA_SIDES; k++) add_boundary(sim, &d, s, k, false);
  for (int k = 0; k < scene_stretches(s); k++) add_boundary(sim, &d, s, RIA_SIDES + k, true);
}

/* --- sources ---------------------------------------------------------------------------------- */

/* A release over some cells about (x, y), of one of the forms there are, starting at t. */
static void add_spill(ria_sim *sim, dice *d, const scene *s, double x, double y, double t) {
  ria_context *ctx = ria_sim_context(sim);
  const ria_grid g = scene_grid(s);
  const double tick = scene_tick(s), area = g.dx * g.dy;
  ria_series *series[2] = {NULL, NULL};
  ria_spill_desc p = {.x = x, .y = y, .start = t, .radius = roll(d, 0, 4) * g.dx};
  p.tracer = s->n_tracers ? tracer_name[pick(d, s->n_tracers)] : NULL;
  switch (p.tracer ? pick(d, 4) : 3) {
  case 0:
    p.mass = roll(d, 0.1, 5) * area;
    break;
  case 1:
    p.mass = roll(d, 0.1, 5) * area;
    p.duration = roll(d, 3, 40) * tick;
    break;
  case 2:
    p.has_rate = true; /* as little as a trickle that no single step can hold */
    p.rate = value_of(ctx, d, s, pow(10, roll(d, -9, -1)) * area / tick, 0, &series[0]);
    break;
  default:
    p.has_flow = true;
    p.flow = value_of(ctx, d, s, 0.05 * area / tick, 0.02 * area / tick, &series[0]);
    p.conc.constant = p.tracer ? 3 : 0;
    p.duration = chance(d, 0.5) ? roll(d, 10, 200) * tick : 0;
  }
  CHECK_OK(ctx, ria_sim_spill(sim, &p, NULL));
  for (int k = 0; k < 2; k++) ria_series_destroy(&series[k]);
}

/* So many that run at once, over each other's cells. */
static void add_trickles(ria_sim *sim, const scene *s, double x, double y) {
  enum { TRICKLES = 70 };
  ria_context *ctx = ria_sim_context(sim);
  dice d = dice_for(s, "trickles");
  const ria_grid g = scene_grid(s);
  const double tick = scene_tick(s), area = g.dx * g.dy;
  for (int k = 0; k < TRICKLES; k++) {
    ria_series *series = NULL;
    ria_spill_desc p = {.x = x, .y = y, .start = roll(&d, 0, 30) * tick};
    /* one of more cells than a block has threads */
    p.radius = (k == 0 ? 25 : roll(&d, 0, 6)) * g.dx;
    p.duration = roll(&d, 10, 100) * tick;
    p.tracer = s->n_tracers ? tracer_name[pick(&d, s->n_tracers)] : NULL;
    const double most = 0.05 * area / tick / TRICKLES;
    const ria_value amount = value_of(ctx, &d, s, most, 0.5 * most, &series);
    p.has_rate = p.tracer && chance(&d, 0.5);
    p.has_flow = !p.has_rate;
    *(p.has_rate ? &p.rate : &p.flow) = amount;
    p.conc.constant = p.tracer && p.has_flow ? 2 : 0;
    CHECK_OK(ctx, ria_sim_spill(sim, &p, NULL));
    ria_series_destroy(&series);
  }
}

static void add_spills(ria_sim *sim, const scene *s, int deepest) {
  dice d = dice_for(s, "spills");
  const ria_grid g = scene_grid(s);
  double x = g.x0 + (deepest % s->nx + 0.5) * g.dx, y = g.y0 + (deepest / s->nx + 0.5) * g.dy;
  ria_grid_to_map(&g, &x, &y);
  const int n = deepest < 0 || s->closed ? 0 : pick(&d, 4);
  for (int k = 0; k < n; k++)
    add_spill(sim, &d, s, x, y, chance(&d, 0.5) ? 0 : roll(&d, 0, 12) * scene_tick(s));
  if (s->many && deepest >= 0) add_trickles(sim, s, x, y);
}

/* A cell without water; -1 if none was met. */
static int dry_cell(const scene *s, dice *d, const double *depth) {
  for (int k = 0; k < 200; k++) {
    const int cell = pick(d, s->nx * s->ny);
    if (!(depth[cell] > 0)) return cell;
  }
  return -1;
}

/* Springs, burst mains and sewers where no water is, from the first step on or later. */
static void add_springs(ria_sim *sim, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  dice d = dice_for(s, "springs");
  const ria_grid g = scene_grid(s);
  const double tick = scene_tick(s), area = g.dx * g.dy;
  double *depth = array_for(s);
  CHECK_OK(ctx, ria_sim_get(sim, "depth", depth));
  for (int k = 0; k < 3; k++) {
    const int cell = dry_cell(s, &d, depth);
    if (cell < 0) break;
    ria_series *series = NULL;
    ria_spill_desc p = {.x = g.x0 + (cell % s->nx + 0.5) * g.dx,
                        .y = g.y0 + (cell / s->nx + 0.5) * g.dy,
                        .radius = roll(&d, 0, 4) * g.dx,
                        .start = chance(&d, 0.5) ? 0 : roll(&d, 0, 12) * tick};
    ria_grid_to_map(&g, &p.x, &p.y);
    if (k == 2) {
      p.volume = roll(&d, 0.1, 2) * area;
      p.duration = chance(&d, 0.5) ? roll(&d, 3, 40) * tick : 0;
    } else {
      p.has_flow = true;
      p.flow = value_of(ctx, &d, s, 0.05 * area / tick, 0.02 * area / tick, &series);
      p.tracer = s->n_tracers && k == 1 ? tracer_name[pick(&d, s->n_tracers)] : NULL;
      p.conc.constant = p.tracer ? 3 : 0;
      p.duration = chance(&d, 0.5) ? roll(&d, 10, 200) * tick : 0;
    }
    CHECK_OK(ctx, ria_sim_spill(sim, &p, NULL));
    ria_series_destroy(&series);
  }
  free(depth);
}

#include "rivers.h"
/* --- layers ----------------------------------------------------------------------------------- */

/* A disc of some cells, by a map; NULL: the layer lies along sides. */
static double *layer_map(const scene *s) {
  const ria_grid g = scene_grid(s);
  dice d = dice_for(s, "layer's map");
  if (!chance(&d, 0.3)) return NULL;
  double *map = malloc((size_t)g.nx * (size_t)g.ny * sizeof *map);
  const double x = roll(&d, 0, g.nx), y = roll(&d, 0, g.ny), r = roll(&d, 1, 0.5 * (g.nx + g.ny));
  CHECK(map);
  for (int j = 0; j < g.ny; j++)
    for (int i = 0; i < g.nx; i++)
      map[(size_t)j * (size_t)g.nx + (size_t)i] = fmax(0, 1 - hypot(i - x, j - y) / r);
  return map;
}

/* Layers that draw the flow, in some scenes: one, or two that overlap. */
static void add_layer(ria_sim *sim, dice *d, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  const ria_grid g = scene_grid(s);
  const double fast = s->land == DAM ? 2 : 0.5;
  ria_series *series[1 + RIA_MAX_TRACERS] = {NULL};
  ria_relax_desc r = {.width = roll(d, 1, 20) * fmax(g.dx, g.dy),
                      .time = roll(d, 1, 60) * scene_tick(s),
                      .given = 1u + (unsigned)pick(d, 7)};
  double *map = layer_map(s);
  r.map = map;
  r.side[pick(d, RIA_SIDES)] = r.side[pick(d, RIA_SIDES)] = !map;
  if (map) r.width = 0;
  r.flow[RIA_RELAX_LEVEL] = value_of(ctx, d, s, s->land == PLAIN ? 1.5 : 0.2, 0.5, &series[0]);
  r.flow[RIA_RELAX_U].constant = roll(d, -fast, fast);
  r.flow[RIA_RELAX_V].constant = roll(d, -fast, fast);
  for (int k = 0; k < s->n_tracers; k++) {
    if (chance(d, 0.5)) continue;
    r.tracers[k] = value_of(ctx, d, s, 1.5, 0.5, &series[1 + k]);
    r.tracers_given |= 1u << k;
  }
  CHECK_OK(ctx, ria_relax_add(sim, &r));
  free(map);
  for (int k = 0; k < 1 + RIA_MAX_TRACERS; k++) ria_series_destroy(&series[k]);
}

static int scene_n_layers(const scene *s, dice *d) {
  *d = dice_for(s, "layers");
  const int n = pick(d, 6) - 3; /* in a third of the scenes */
  return s->closed || n < 0 ? 0 : n;
}

static void add_layers(ria_sim *sim, const scene *s) {
  dice d;
  const int n = scene_n_layers(s, &d);
  for (int k = 0; k < n; k++) add_layer(sim, &d, s);
}

/* --- what is looked at ------------------------------------------------------------------------ */

static void scene_point(const scene *s, int k, double *x, double *y) {
  const ria_grid g = scene_grid(s);
  dice d = dice_for(s, "points");
  for (; k >= 0; k--) {
    *x = g.x0 + roll(&d, 0.01, 0.99) * g.nx * g.dx;
    *y = g.y0 + roll(&d, 0.01, 0.99) * g.ny * g.dy;
  }
  ria_grid_to_map(&g, x, y);
}

/* A gauge that is exact shortens steps to land on its times: not every scene has one. Where there
 * is one, another beside it is read between steps. */
static double gauge_period(const scene *s) {
  dice d = dice_for(s, "gauge");
  return chance(&d, 0.3) ? roll(&d, 2, 9) * scene_tick(s) : 0;
}

static const char *const tracked[] = {"depth", "level", "speed", "ta", "tb", "tc"};
static int n_tracked(const scene *s) {
  return s->usual ? 0 : 3 + (s->n_tracers < 3 ? s->n_tracers : 3);
}

static void add_gauges(ria_sim *sim, const scene *s) {
  static const char *const name[] = {"gauge", "between", "often", "now_and_then", "at_times"};
  static const double every[] = {1, 0.37, 0.3, 2.6, 5.2}; /* of the period; of a usual step */
  for (int k = 0; k < 5; k++) {
    ria_gauge_desc gauge = {.name = name[k], .exact = k == 0};
    gauge.every = every[k] * (k < 2 ? gauge_period(s) : s->gauged ? scene_tick(s) : 0);
    scene_point(s, k, &gauge.x, &gauge.y);
    if (gauge.every > 0) CHECK_OK(ria_sim_context(sim), ria_sim_gauge(sim, &gauge, NULL));
  }
}

static ria_sim *scene_make(ria_context *ctx, const scene *s) {
  ria_sim *sim = make_bare(ctx, s);
  const int deepest = set_fields(sim, s);
  add_boundaries(sim, s);
  add_gusts(sim, s);
  add_layers(sim, s);
  add_spills(sim, s, deepest);
  if (s->sprung) add_springs(sim, s);
  if (s->rivers) add_rivers(sim, s);
  for (int k = 0; k < n_tracked(s); k++) CHECK_OK(ctx, ria_sim_track_maximum(sim, tracked[k]));
  if (s->watched && s->usual) CHECK_OK(ctx, ria_sim_track_maximum(sim, tracked[0]));
  add_gauges(sim, s);
  return sim;
}

/* --- running ---------------------------------------------------------------------------------- */

/* Called between calls, where it is set. */
TEST_UNUSED static void (*scene_between)(ria_sim *sim);

/* batch > 0: at most so many steps a call, and look at a field between calls. */
static void take_steps(ria_sim *sim, const scene *s, int64_t n, int batch) {
  ria_context *ctx = ria_sim_context(sim);
  double *seen = batch ? array_for(s) : NULL;
  while (n > 0) {
    const int64_t now = batch && batch < n ? batch : n;
    if (!CHECK_OK(ctx, ria_sim_step(sim, now))) break;
    if (seen) CHECK_OK(ctx, ria_sim_get(sim, n % 2 ? "depth" : "speed", seen));
    if (scene_between) scene_between(sim);
    n -= now;
  }
  free(seen);
}

/* A side becomes of any kind, half of them open. */
static void change_side(ria_sim *sim, const scene *s, int side) {
  ria_context *ctx = ria_sim_context(sim);
  dice d = dice_for(s, "changed");
  const ria_grid g = scene_grid(s);
  const double along = side == RIA_WEST || side == RIA_EAST ? g.dy : g.dx;
  ria_boundary_id id;
  ria_boundary_desc b = {.name = "changed", .kind = "open"};
  ria_series *series[BOUND_SERIES] = {NULL};
  CHECK_OK(ctx, ria_boundary_find(sim, boundary_name[side], &id));
  const double width = ria_side_length(&g, (ria_side)side) * along;
  if (chance(&d, 0.5))
    draw_outlet(ctx, s, width, &b, &series[0]);
  else
    draw_kind(ctx, &d, s, width, &b, series);
  CHECK_OK(ctx, ria_boundary_change(sim, id, &b));
  for (int k = 0; k < BOUND_SERIES; k++) ria_series_destroy(&series[k]);
}

/* From outside, between two steps: a release at once, another boundary, another concentration. */
static void interfere(ria_sim *sim, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  dice d = dice_for(s, "between");
  ria_stats depth;
  CHECK_OK(ctx, ria_sim_stats(sim, "depth", &depth));
  const ria_grid g = scene_grid(s);
  double x = g.x0 + (depth.max_i + 0.5) * g.dx, y = g.y0 + (depth.max_j + 0.5) * g.dy;
  ria_grid_to_map(&g, &x, &y);
  if (s->n_tracers && depth.max > 0.2) {
    const ria_spill_desc p = {.tracer = tracer_name[pick(&d, s->n_tracers)],
                              .x = x,
                              .y = y,
                              .radius = 3 * g.dx,
                              .mass = roll(&d, 0.1, 5) * g.dx * g.dy};
    CHECK_OK(ctx, ria_sim_spill(sim, &p, NULL));
  }
  if (chance(&d, 0.5)) {
    const int side = pick(&d, RIA_SIDES);
    change_side(sim, s, side);
    if (is_ring(s, (ria_side)side)) change_side(sim, s, side ^ 1); /* no half of a pair is left */
  }
  if (s->n_tracers && chance(&d, 0.3))
    CHECK_OK(ctx, ria_sim_set_constant(sim, tracer_name[0], roll(&d, 0, 2)));
  if (!s->unforced && chance(&d, 0.2))
    CHECK_OK(ctx, ria_sim_vary(sim, "wind_speed", &(ria_value){.constant = roll(&d, 0, 20)}));
}

/* A third of the steps, something from outside, a span of time to land on, the rest. */
static void scene_run(ria_sim *sim, const scene *s, int batch) {
  take_steps(sim, s, s->steps / 3, batch);
  interfere(sim, s);
  CHECK_OK(ria_sim_context(sim), ria_sim_advance(sim, 0.17 * s->steps * scene_tick(s)));
  take_steps(sim, s, s->steps - ria_sim_steps(sim), batch);
}

/* --- what came of it -------------------------------------------------------------------------- */

/* What a part is decides how closely it is compared. */
typedef enum aspect { FIELD, MAXIMUM, POINT, ACCOUNT, CLOCK, COUNT, ASPECTS } aspect;
static const char *const aspect_name[ASPECTS] = {"fields",  "maxima", "points",
                                                 "account", "clock",  "counts"};

typedef struct part {
  char name[48];
  aspect aspect;
  size_t n;
  double *v;
  double scale;  /* what differences are measured against */
  size_t strays; /* so many values may be off: in a film that passes, q / h is mostly rounding */
} part;

enum { MOST_PARTS = 96 };
typedef struct outcome {
  int n;
  part part[MOST_PARTS];
} outcome;

static double *add_part(outcome *o, aspect a, size_t n, const char *name, const char *more) {
  if (o->n == MOST_PARTS) abort();
  part *p = &o->part[o->n++];
  snprintf(p->name, sizeof p->name, "%s%s%s", name, *more ? " " : "", more);
  p->aspect = a;
  p->n = n;
  p->v = calloc(n ? n : 1, sizeof *p->v);
  p->scale = 0;
  p->strays = 0;
  if (!p->v) abort();
  return p->v;
}

static double largest(const double *v, size_t n) {
  double most = 0;
  for (size_t k = 0; k < n; k++)
    if (fabs(v[k]) > most) most = fabs(v[k]);
  return most;
}

static void take_fields(outcome *o, ria_sim *sim, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  static const char *const water[] = {"depth", "qx", "qy"};
  const size_t cells = (size_t)s->nx * (size_t)s->ny;
  for (int k = 0; k < 3 + s->n_tracers; k++) {
    char load[16];
    snprintf(load, sizeof load, "%s_load", k < 3 ? "" : tracer_name[k - 3]);
    const char *name = k < 3 ? water[k] : load;
    CHECK_OK(ctx, ria_sim_get(sim, name, add_part(o, FIELD, cells, name, "")));
    o->part[o->n - 1].scale = largest(o->part[o->n - 1].v, cells);
  }
  /* one vector: a component that is nearly nothing is not held to its own size */
  part *q = &o->part[o->n - s->n_tracers - 2];
  q[0].scale = q[1].scale = fmax(q[0].scale, q[1].scale);
  for (int k = 0; k < n_tracked(s); k++) {
    double *v = add_part(o, MAXIMUM, cells, "max", tracked[k]);
    CHECK_OK(ctx, ria_sim_get_maximum(sim, tracked[k], v));
    o->part[o->n - 1].scale = largest(v, cells);
    o->part[o->n - 1].strays = k > 0 ? cells / 100 : 0;
  }
}

static void take_history(outcome *o, ria_sim *sim, const char *gauge, const char *field) {
  const double *t, *history;
  size_t n = 0;
  CHECK_OK(ria_sim_context(sim), ria_sim_gauge_history(sim, gauge, field, &t, &history, &n));
  memcpy(add_part(o, CLOCK, n, gauge, "times"), t, n * sizeof *t);
  o->part[o->n - 1].scale = largest(t, n);
  memcpy(add_part(o, POINT, n, gauge, field), history, n * sizeof *history);
  o->part[o->n - 1].scale = fmax(largest(history, n), 1);
}

static void take_points(outcome *o, ria_sim *sim, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  static const char *const fields[] = {"level", "speed"};
  for (int f = 0; f < 2; f++) {
    double *v = add_part(o, POINT, 4, "probe", fields[f]), x, y;
    for (int k = 0; k < 4; k++) {
      scene_point(s, k, &x, &y);
      CHECK_OK(ctx, ria_sim_probe(sim, fields[f], x, y, &v[k]));
    }
    o->part[o->n - 1].scale = fmax(largest(v, 4), 1);
    if (gauge_period(s) <= 0) continue;
    take_history(o, sim, "gauge", fields[f]);
    take_history(o, sim, "between", fields[f]);
  }
}

static void take_mouths(outcome *o, ria_sim *sim, const scene *s, const char *quantity,
                        double scale) {
  const int n = scene_mouths(NULL, s);
  double *flux = n ? add_part(o, ACCOUNT, 2 * (size_t)n, "rivers", quantity) : NULL;
  if (n) o->part[o->n - 1].scale = scale;
  for (int k = 0; k < n; k++) {
    char name[16];
    ria_boundary_id id;
    snprintf(name, sizeof name, "r%d", k);
    CHECK_OK(ria_sim_context(sim), ria_boundary_find(sim, name, &id));
    CHECK_OK(ria_sim_context(sim),
             ria_boundary_flux(sim, id, quantity, &flux[2 * k], &flux[2 * k + 1]));
  }
}

static void take_account(outcome *o, ria_sim *sim, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  ria_budget_row rows[1 + RIA_MAX_TRACERS];
  size_t n = 1 + RIA_MAX_TRACERS;
  CHECK_OK(ctx, ria_sim_budget(sim, rows, &n));
  for (size_t m = 0; m < n; m++) {
    const ria_budget_row *r = &rows[m];
    const double scale = fmax(fmax(r->initial, r->stored), r->inflow + r->sources);
    const double v[] = {r->initial, r->stored, r->inflow, r->outflow, r->sources, r->decayed};
    memcpy(add_part(o, ACCOUNT, 6, "budget", r->name), v, sizeof v);
    o->part[o->n - 1].scale = scale;
    double *flux = add_part(o, ACCOUNT, 2 * MOST_BOUNDARIES, "flux", r->name);
    o->part[o->n - 1].scale = scale;
    for (int k = 0; k < RIA_SIDES + scene_stretches(s); k++) {
      ria_boundary_id id;
      CHECK_OK(ctx, ria_boundary_find(sim, boundary_name[k], &id));
      CHECK_OK(ctx, ria_boundary_flux(sim, id, r->name, &flux[2 * k], &flux[2 * k + 1]));
    }
    take_mouths(o, sim, s, r->name, scale);
    CHECK_NEAR(r->relative, 0, s->real == RIA_F64 ? 1e-12 : SCENE_SINGLE); /* it closes */
  }
}

static void take_clock(outcome *o, ria_sim *sim) {
  ria_summary sum;
  CHECK_OK(ria_sim_context(sim), ria_sim_summary(sim, &sum));
  const double clock[] = {sum.time, sum.dt_min_time}, dt[] = {sum.dt_min};
  memcpy(add_part(o, CLOCK, 2, "time", ""), clock, sizeof clock);
  o->part[o->n - 1].scale = sum.time;
  memcpy(add_part(o, CLOCK, 1, "smallest", "step"), dt, sizeof dt);
  o->part[o->n - 1].scale = sum.dt_min;
  const double counts[] = {(double)sum.steps, sum.dt_min_i, sum.dt_min_j};
  memcpy(add_part(o, COUNT, 3, "steps, cell of", "the smallest"), counts, sizeof counts);
  o->part[o->n - 1].scale = 1;
}

static outcome outcome_take(ria_sim *sim, const scene *s) {
  outcome o = {0};
  take_fields(&o, sim, s);
  take_points(&o, sim, s);
  take_account(&o, sim, s);
  take_clock(&o, sim);
  return o;
}

TEST_UNUSED static void outcome_free(outcome *o) {
  for (int k = 0; k < o->n; k++) free(o->part[k].v);
  o->n = 0;
}

/* A scene from beginning to end. */
TEST_UNUSED static outcome scene_outcome(ria_context *ctx, const scene *s, int batch) {
  ria_sim *sim = scene_make(ctx, s);
  scene_run(sim, s, batch);
  outcome o = outcome_take(sim, s);
  ria_sim_destroy(&sim);
  return o;
}

/* "islands 31x33 double, order 1, 2 tracers, seed 7" */
TEST_UNUSED static const char *scene_name(const scene *s, char *text, size_t size) {
  snprintf(text, size, "%s %dx%d %s, order %d, %d tracers, seed %llu", land_name[s->land], s->nx,
           s->ny, s->real == RIA_F64 ? "double" : "single", s->order, s->n_tracers,
           (unsigned long long)s->seed);
  return text;
}

/* Of n parts, how many a device takes: GPUs of adi those with whole segments of columns. 0: the
 * scene is refused. */
TEST_UNUSED static int scene_parts(const scene *s, int n, bool on_gpu) {
  const bool implicit = strcmp(SCENE_SOLVER, "adi") == 0;
  if (!on_gpu || !implicit) return n;
  const int rows = s->nx * s->ny > 512 * 512 ? 16 : 4, most = s->ny / rows;
  if (most < 2) return 0;
  return n < most ? n : most;
}

/* The same to the bit; says where not. */
TEST_UNUSED static bool outcome_same(const outcome *a, const outcome *b, const char *what) {
  int differ = a->n != b->n;
  for (int k = 0; !differ && k < a->n; k++) {
    const part *p = &a->part[k], *q = &b->part[k];
    if (p->n == q->n && memcmp(p->v, q->v, p->n * sizeof *p->v) == 0) continue;
    fprintf(stderr, "%s: %s differs\n", what, p->name);
    differ = 1;
  }
  return CHECK(!differ);
}

#endif
