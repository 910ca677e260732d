/* scene.h - simulations drawn from a seed: a bed, a state, boundaries, sources, tracers, and what
 * happens on the way. The same scene makes the same simulation in any context, so that two of them
 * can be compared: between devices, between runs, between ways to cut a run into batches.
 *
 *   scene s = scene_of(7);
 *   ria_sim *sim = scene_make(ctx, &s);
 *   scene_run(sim, &s, 0);
 *   outcome all = outcome_take(sim, &s);       fields, account, maxima, clock: everything told
 *
 * The folder scene has what is drawn, a subject a file: fields, settings of the solver, values in
 * time, boundaries, sources, rivers, layers; and the outcome. They are parts of this file, included
 * where it needs them.
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
  bool rivers;   /* hundreds: scene/rivers.h */
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

static double *array_for(const scene *s) {
  double *a = malloc((size_t)s->nx * (size_t)s->ny * sizeof *a);
  if (!a) abort();
  return a;
}

#include "scene/fields.h"
#include "scene/settings.h"
#include "scene/values.h"
#include "scene/boundaries.h"
#include "scene/sources.h"
#include "scene/rivers.h"
#include "scene/layers.h"

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

typedef struct stretches {
  scene s;
  dice d;
} stretches;

static ria_status lay_stretches(ria_sim *sim, const ria_event_info *info, void *user) {
  const stretches *all = user;
  (void)info;
  add_stretches(sim, &all->s, all->d);
  if (all->s.rivers) add_rivers(sim, &all->s);
  return RIA_OK;
}

static void lay_stretches_at_start(ria_sim *sim, const stretches *all) {
  stretches *own = malloc(sizeof *own);
  if (!own) exit(1);
  *own = *all;
  const ria_action lay = {.fn = lay_stretches, .user = own, .drop = free};
  CHECK_OK(ria_sim_context(sim), ria_sim_at(sim, 0, &lay, NULL));
}

/* by_event: stretches are laid on the sides when the run has started. */
static ria_sim *scene_lay(ria_context *ctx, const scene *s, bool by_event) {
  ria_sim *sim = make_bare(ctx, s);
  const int deepest = set_fields(sim, s);
  const stretches all = {*s, add_sides(sim, s)};
  add_gusts(sim, s);
  add_layers(sim, s);
  add_spills(sim, s, deepest);
  if (s->sprung) add_springs(sim, s);
  for (int k = 0; k < n_tracked(s); k++) CHECK_OK(ctx, ria_sim_track_maximum(sim, tracked[k]));
  if (s->watched && s->usual) CHECK_OK(ctx, ria_sim_track_maximum(sim, tracked[0]));
  add_gauges(sim, s);
  if (by_event)
    lay_stretches_at_start(sim, &all);
  else
    lay_stretches(sim, NULL, (void *)&all);
  return sim;
}

/* Only a run that has started may have boundaries that others cover wholly. */
static ria_sim *scene_make(ria_context *ctx, const scene *s) {
  ria_sim *sim = scene_lay(ctx, s, false);
  if (ria_boundary_check_edges(sim, NULL) == RIA_OK) return sim;
  ria_sim_destroy(&sim);
  return scene_lay(ctx, s, true);
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

#include "scene/outcome.h"

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

#endif
