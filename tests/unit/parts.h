/* parts.h - what unit.parts runs: scenes of every solver that steps parts of a grid, with springs,
 * tracers, boundaries on all sides and on two stretches, maps and maxima. */
#ifndef TEST_PARTS_H
#define TEST_PARTS_H
#include <ria/planes.h>
#include "../../examples/own_solver/waves.c"
#include "solvers/sediment/sediment.h"
#include "solvers/shared/water/boundary_k.h"
#include "solvers/shared/water/fields.h"
#include "solvers/diffusion/diffusion_k.h"
#include "test.h"

#include <stdlib.h>

enum { STRETCHES = 6, SOURCES = 3 };

/* --- scenes ----------------------------------------------------------------------------------- */

/* A field that is set at the start: its value at x, y from 0 to 1. */
typedef struct given {
  int field, tracer;
  double (*at)(double x, double y);
} given;

/* A boundary: kind, forcing ids. Four sides, then the rows 3 to 9 of the west and the columns 20 to
 * 50 of the north. */
typedef struct scene {
  const char *what, *name;
  const ria_solver *solver; /* NULL: of that name */
  ria_setting settings[8];
  int n_tracers;
  ria_tracer tracers[3];
  given given[10]; /* up to the first without a function */
  int kind[STRETCHES], value[STRETCHES][2];
  int varying[4];
  int quantity[SOURCES]; /* of sources; -1: none */
  int rate[SOURCES];
  double dt;
  int steps; /* of the solver's own that are taken at a time; 0: one of dt, and maxima are kept */
  int set_later, set_later_tracer; /* a field that is set again halfway; -1: none */
  int shared;       /* rows that pass where two parts meet; on a GPU they lie otherwise */
  bool bare;        /* no maxima are kept */
  int some_columns; /* kind of the columns 20 to 50 of the south: a seventh boundary; 0: none */
} scene;

enum { ZERO, ONE, SMALL, TIDE, SERIES, WIND, INFLOW, TRICKLE, NONE, ENTRIES };
static const double data[] = {0.3, 0.4, 0.1, 1.1, 0.2, 2.0, /* tide */
                              0,   0.5, 4,   1.5, 9,   0.2 /* series */};
static const ria_forcing entry[ENTRIES] = {[ZERO] = {.kind = RIA_FORCING_CONSTANT},
                                           [ONE] = {.kind = RIA_FORCING_CONSTANT, .base = 1},
                                           [SMALL] = {.kind = RIA_FORCING_CONSTANT, .base = 0.01},
                                           [TIDE] = {RIA_FORCING_TIDE, 0, 2, 0, 1, 0},
                                           [SERIES] = {RIA_FORCING_LINEAR, 6, 3, 0, 1, 0},
                                           [WIND] = {.kind = RIA_FORCING_CONSTANT, .base = 12},
                                           [INFLOW] = {.kind = RIA_FORCING_CONSTANT, .base = 40},
                                           [TRICKLE] = {.kind = RIA_FORCING_CONSTANT, .base = 1e-4},
                                           [NONE] = {.kind = RIA_FORCING_CONSTANT, .base = NAN}};

static double hills(double x, double y) { return sin(9 * x + 5 * y) + cos(17 * y - 3 * x); }
static double bumps(double x, double y) { return 1 + 0.5 * sin(23 * x) * cos(31 * y); }
static double basin(double x, double y) { return -4 + 3.9 * sin(5 * x + 1) * sin(7 * y + 2); }
static double beach(double x, double y) { return -2 + 3 * x + 0.5 * sin(11 * y); }
static double floor_of_dam(double x, double y) { return 0.01 * sin(7 * x + 3 * y); }
static double dam(double x, double y) { return (void)x, y < 0.35 ? 2 : -1; }
static double level(double x, double y) { return 0.3 * sin(6 * x + 8 * y); }
static double stream(double x, double y) { return 0.2 * cos(4 * x) * sin(9 * y); }
static double rough(double x, double y) { return 0.03 + 0.01 * sin(13 * x + 15 * y); }
static double part_of_one(double x, double y) { return 0.5 + 0.4 * sin(19 * x) * sin(14 * y); }
static double steep(double x, double y) { return -8 * x + 3 * sin(11 * y) * cos(17 * x); }
static double halves(double x, double y) { return y < 0.5 ? 3e-5 : 3e-5 * (1 + 0.5 * sin(9 * x)); }

static scene scenes[] = {
    {.what = "diffusion",
     .name = "diffusion",
     .given = {{0, -1, hills}},
     .kind = {DF_VALUE, DF_OPEN, DF_FLUX, DF_FIXED, DF_FLUX, DF_VALUE},
     .value = {{TIDE}, {ZERO}, {SMALL}, {ZERO}, {SERIES}, {ONE}},
     .quantity = {0, 0, 0},
     .rate = {SERIES, ONE, SMALL},
     .dt = 0.4,
     .set_later = 0,
     .set_later_tracer = -1,
     .shared = 8},
    {.what = "diffusion, maps",
     .name = "diffusion",
     .given = {{0, -1, hills}, {1, -1, bumps}, {2, -1, stream}},
     .kind = {DF_FLUX, DF_VALUE, DF_VALUE, DF_FLUX, DF_FIXED, DF_OPEN},
     .value = {{SMALL}, {TIDE}, {SERIES}, {ONE}, {ZERO}, {ZERO}},
     .quantity = {0, 0, -1},
     .rate = {SERIES, ONE},
     .dt = 0.3,
     .set_later = 2,
     .set_later_tracer = -1,
     .shared = 8},
    {.what = "diffusion, periodic in the west and in the east",
     .name = "diffusion",
     .given = {{0, -1, hills}, {2, -1, stream}},
     .kind = {DF_PERIODIC, DF_PERIODIC, DF_VALUE, DF_VALUE, DF_PERIODIC, DF_FLUX},
     .value = {{ZERO}, {ZERO}, {ONE}, {TIDE}, {ZERO}, {SMALL}},
     .quantity = {0, -1, -1},
     .rate = {SERIES, ONE, SMALL},
     .dt = 0.4,
     .set_later = -1,
     .shared = 8},
    {.what = "diffusion, steps in a pass",
     .name = "diffusion",
     .settings = {{"dt", 0.4, NULL}, {"steps_per_pass", 5, NULL}},
     .given = {{0, -1, hills}, {2, -1, stream}},
     .kind = {DF_VALUE, DF_FIXED, DF_FLUX, DF_VALUE, DF_FLUX, DF_OPEN},
     .value = {{TIDE}, {ZERO}, {SMALL}, {SERIES}, {SERIES}, {ZERO}},
     .quantity = {-1, -1, -1},
     .dt = 0.4,
     .steps = 4,
     .set_later = 0,
     .set_later_tracer = -1,
     .shared = 5},
    {.what = "diffusion, steps in a pass, maps",
     .name = "diffusion",
     .settings = {{"dt", 0.3, NULL}, {"steps_per_pass", 3, NULL}},
     .given = {{0, -1, hills}, {1, -1, bumps}, {2, -1, stream}},
     .kind = {DF_PERIODIC, DF_PERIODIC, DF_VALUE, DF_FLUX, DF_PERIODIC, DF_FIXED},
     .value = {{ZERO}, {ZERO}, {SERIES}, {ONE}, {ZERO}, {ZERO}},
     .quantity = {-1, -1, -1},
     .dt = 0.3,
     .steps = 3,
     .set_later = 1,
     .set_later_tracer = -1,
     .shared = 3},
    {.what = "diffusion, periodic in the south and in the north",
     .name = "diffusion",
     .settings = {{"dt", 0.4, NULL}, {"steps_per_pass", 5, NULL}},
     .given = {{0, -1, hills}, {2, -1, stream}},
     .kind = {DF_VALUE, DF_FLUX, DF_PERIODIC, DF_PERIODIC, DF_FIXED, DF_PERIODIC},
     .value = {{TIDE}, {SMALL}, {ZERO}, {ZERO}, {ZERO}, {ZERO}},
     .quantity = {-1, -1, -1},
     .dt = 0.4,
     .steps = 4,
     .set_later = 0,
     .set_later_tracer = -1,
     .shared = 5},
    {.what = "diffusion, periodic, maps, as many steps in a pass as rows",
     .name = "diffusion",
     .settings = {{"dt", 0.3, NULL}, {"steps_per_pass", 13, NULL}},
     .given = {{0, -1, hills}, {1, -1, bumps}, {2, -1, stream}},
     .kind = {DF_FLUX, DF_VALUE, DF_PERIODIC, DF_PERIODIC, DF_FLUX, DF_PERIODIC},
     .value = {{SMALL}, {TIDE}, {ZERO}, {ZERO}, {ONE}, {ZERO}},
     .quantity = {-1, -1, -1},
     .dt = 0.3,
     .steps = 13,
     .set_later = 1,
     .set_later_tracer = -1,
     .shared = 13},
    {.what = "diffusion, periodic in the south and in the north, springs",
     .name = "diffusion",
     .given = {{0, -1, hills}, {1, -1, bumps}},
     .kind = {DF_VALUE, DF_FLUX, DF_PERIODIC, DF_PERIODIC, DF_FIXED, DF_PERIODIC},
     .value = {{TIDE}, {SMALL}, {ZERO}, {ZERO}, {ZERO}, {ZERO}},
     .quantity = {0, 0, 0},
     .rate = {SERIES, ONE, SMALL},
     .dt = 0.3,
     .set_later = 0,
     .set_later_tracer = -1,
     .shared = 8},
    {.what = "diffusion, periodic in some columns",
     .name = "diffusion",
     .given = {{0, -1, hills}, {1, -1, bumps}, {2, -1, stream}},
     .kind = {DF_VALUE, DF_VALUE, DF_VALUE, DF_FLUX, DF_OPEN, DF_PERIODIC},
     .value = {{TIDE}, {ONE}, {SERIES}, {ONE}, {ZERO}, {ZERO}},
     .quantity = {0, -1, -1},
     .rate = {SERIES},
     .dt = 0.3,
     .set_later = 1,
     .set_later_tracer = -1,
     .shared = 8,
     .some_columns = DF_PERIODIC},
    {.what = "sediment as printed",
     .name = "sediment",
     .settings = {{"layer", 0.5, NULL}, {"dt_min", 0, NULL}, {"scheme", 0, "paper"}},
     .given = {{SED_HEIGHT, -1, steep}, {SED_FRACTION, -1, part_of_one}, {SED_ALPHA, -1, halves}},
     .kind = {SED_FLUX, SED_OPEN, SED_FLUX, SED_OPEN, SED_OPEN, SED_FLUX},
     .value = {{TRICKLE, SMALL}, {ZERO}, {TRICKLE, ZERO}, {ZERO}, {ZERO}, {SMALL, TRICKLE}},
     .quantity = {SED_SAND, SED_MUD, SED_SAND},
     .rate = {TRICKLE, TRICKLE, TRICKLE},
     .dt = 500,
     .set_later = SED_HEIGHT,
     .set_later_tracer = -1,
     .shared = 4},
    {.what = "sediment",
     .name = "sediment",
     .settings = {{"layer", 0.5, NULL}, {"dt_min", 0, NULL}},
     .given = {{SED_HEIGHT, -1, steep}, {SED_FRACTION, -1, part_of_one}, {SED_ALPHA, -1, halves}},
     .kind = {SED_FLUX, SED_OPEN, SED_FLUX, SED_OPEN, SED_OPEN, SED_FLUX},
     .value = {{TRICKLE, SMALL}, {ZERO}, {TRICKLE, ZERO}, {ZERO}, {ZERO}, {SMALL, TRICKLE}},
     .quantity = {SED_SAND, SED_MUD, SED_SAND},
     .rate = {TRICKLE, TRICKLE, TRICKLE},
     .dt = 500,
     .set_later = SED_HEIGHT,
     .set_later_tracer = -1,
     .shared = 2},
    {.what = "sediment under the sea",
     .name = "sediment",
     .settings = {{"layer", 0.5, NULL},
                  {"dt_min", 0, NULL},
                  {"sea_level", -3, NULL},
                  {"marine_alpha", 0.1, NULL},
                  {"marine_beta", 0.4, NULL}},
     .given = {{SED_HEIGHT, -1, steep}, {SED_FRACTION, -1, part_of_one}},
     .kind = {SED_OPEN, SED_CLOSED, SED_OPEN, SED_FLUX, SED_FLUX, SED_CLOSED},
     .value = {{ZERO}, {ZERO}, {ZERO}, {TRICKLE, TRICKLE}, {SMALL, ZERO}, {ZERO}},
     .quantity = {SED_MUD, SED_SAND, -1},
     .rate = {TRICKLE, TRICKLE, TRICKLE},
     .dt = 500,
     .set_later = SED_FRACTION,
     .set_later_tracer = -1,
     .shared = 2},
    {.what = "shallow_water",
     .name = "shallow_water",
     .settings = {{"latitude", 50, NULL}, {"manning", 0.02, NULL}},
     .n_tracers = 2,
     .tracers = {{.name = "a", .decay = 0.01, .diffusion = 0.2}, {.name = "b", .decay = 0.02}},
     .given = {{WATER_BED, -1, basin},
               {WATER_MANNING, -1, rough},
               {WATER_LEVEL, -1, level},
               {WATER_QX, -1, stream},
               {WATER_CONC, 0, bumps},
               {WATER_CONC, 1, part_of_one}},
     .kind = {SIDE_LEVEL, SIDE_OPEN, SIDE_DISCHARGE, SIDE_FREE, SIDE_OPEN, SIDE_LEVEL},
     .value = {{TIDE}, {NONE}, {INFLOW}, {ZERO}, {NONE}, {SERIES}},
     .varying = {WIND, INFLOW},
     .quantity = {0, 1, 2},
     .rate = {SERIES, SMALL, SMALL},
     .dt = 0.05,
     .set_later = WATER_CONC,
     .set_later_tracer = 1,
     .shared = 5},
    {.what = "shallow_water on a dry beach",
     .name = "shallow_water",
     .n_tracers = 1,
     .tracers = {{.name = "a", .diffusion = 0.1}},
     .given = {{WATER_BED, -1, beach}, {WATER_LEVEL, -1, level}, {WATER_CONC, 0, bumps}},
     .kind = {SIDE_WALL, SIDE_FREE, SIDE_WALL, SIDE_DISCHARGE, SIDE_LEVEL, SIDE_NORMAL},
     .value = {{ZERO}, {ZERO}, {ZERO}, {INFLOW}, {TIDE}, {SMALL}},
     .varying = {ZERO, ZERO},
     .quantity = {0, 0, 1},
     .rate = {ONE, SERIES, SMALL},
     .dt = 0.05,
     .set_later = WATER_BED,
     .set_later_tracer = -1,
     .shared = 4},
    {.what = "shallow_water, a dam that breaks northwards",
     .name = "shallow_water",
     .n_tracers = 1,
     .tracers = {{.name = "a"}},
     .given = {{WATER_BED, -1, floor_of_dam}, {WATER_LEVEL, -1, dam}, {WATER_CONC, 0, bumps}},
     .kind = {SIDE_FREE, SIDE_WALL, SIDE_WALL, SIDE_WALL, SIDE_FREE, SIDE_WALL},
     .varying = {ZERO, ZERO},
     .quantity = {0, -1, -1},
     .rate = {ONE},
     .dt = 0.08,
     .set_later = -1,
     .shared = 4},
    {.what = "shallow_water, a dam and nothing that is rare",
     .name = "shallow_water",
     .n_tracers = 1,
     .tracers = {{.name = "a"}},
     .given = {{WATER_BED, -1, floor_of_dam}, {WATER_LEVEL, -1, dam}, {WATER_CONC, 0, bumps}},
     .kind = {SIDE_WALL, SIDE_WALL, SIDE_WALL, SIDE_WALL, SIDE_LEVEL, SIDE_WALL},
     .value = {[4] = {ONE}},
     .varying = {ZERO, ZERO},
     .quantity = {0, -1, -1},
     .rate = {ONE},
     .dt = 0.08,
     .set_later = -1,
     .shared = 4,
     .bare = true},
    {.what = "shallow_water, rivers that come in and go out over cuts",
     .name = "shallow_water",
     .settings = {{"manning", 0.02, NULL}},
     .n_tracers = 1,
     .tracers = {{.name = "a"}},
     .given = {{WATER_BED, -1, basin},
               {WATER_MANNING, -1, rough},
               {WATER_LEVEL, -1, level},
               {WATER_CONC, 0, bumps}},
     .kind = {SIDE_DISCHARGE, SIDE_DISCHARGE, SIDE_DISCHARGE, SIDE_WALL, SIDE_DISCHARGE, SIDE_FREE},
     .value = {{SERIES}, {INFLOW}, {SMALL}, {ZERO}, {INFLOW}, {ZERO}},
     .varying = {ZERO, ZERO},
     .quantity = {-1, -1, -1},
     .dt = 0.05,
     .set_later = WATER_LEVEL,
     .set_later_tracer = -1,
     .shared = 4},
    {.what = "shallow_water without tracers",
     .name = "shallow_water",
     .settings = {{"latitude", -40, NULL}, {"manning", 0.02, NULL}},
     .given = {{WATER_BED, -1, basin}, {WATER_LEVEL, -1, level}, {WATER_QX, -1, stream}},
     .kind = {SIDE_OPEN, SIDE_LEVEL, SIDE_FREE, SIDE_DISCHARGE, SIDE_LEVEL, SIDE_OPEN},
     .value = {{NONE}, {TIDE}, {ZERO}, {INFLOW}, {SERIES}, {NONE}},
     .varying = {WIND, INFLOW},
     .quantity = {0, 0, 0},
     .rate = {SERIES, SMALL, ONE},
     .dt = 0.05,
     .set_later = WATER_LEVEL,
     .set_later_tracer = -1,
     .shared = 3},
    {.what = "shallow_water with three tracers",
     .name = "shallow_water",
     .n_tracers = 3,
     .tracers = {{.name = "a", .diffusion = 0.1}, {.name = "b"}, {.name = "c", .decay = 0.01}},
     .given = {{WATER_BED, -1, beach},
               {WATER_LEVEL, -1, level},
               {WATER_CONC, 0, bumps},
               {WATER_CONC, 1, part_of_one},
               {WATER_CONC, 2, bumps}},
     .kind = {SIDE_LEVEL, SIDE_WALL, SIDE_WALL, SIDE_LEVEL, SIDE_WALL, SIDE_FREE},
     .value = {{TIDE}, {ZERO}, {ZERO}, {SERIES}, {ZERO}, {ZERO}},
     .varying = {ZERO, ZERO},
     .quantity = {3, 2, 0},
     .rate = {SMALL, SERIES, ONE},
     .dt = 0.05,
     .set_later = WATER_CONC,
     .set_later_tracer = 2,
     .shared = 6},
    {.what = "shallow_water with eddies",
     .name = "shallow_water",
     .settings = {{"eddy", 0.3, NULL}, {"smagorinsky", 1, NULL}},
     .n_tracers = 1,
     .tracers = {{.name = "a", .diffusion = 0.1}},
     .given = {{WATER_BED, -1, basin},
               {WATER_LEVEL, -1, level},
               {WATER_QX, -1, stream},
               {WATER_CONC, 0, bumps}},
     .kind = {SIDE_LEVEL, SIDE_OPEN, SIDE_WALL, SIDE_WALL, SIDE_WALL, SIDE_WALL},
     .value = {{TIDE}, {NONE}},
     .varying = {ZERO, ZERO},
     .quantity = {1, -1, -1},
     .rate = {SMALL},
     .dt = 0.05,
     .set_later = -1,
     .shared = 4},
    {.what = "waves",
     .solver = &waves_solver,
     .given = {{BED, -1, basin}, {LEVEL, -1, level}},
     .kind = {OUTSIDE, WALL, OUTSIDE, OUTSIDE, WALL, WALL},
     .value = {{TIDE}, {ZERO}, {SERIES}, {ZERO}, {ZERO}, {ZERO}},
     .quantity = {0, 0, -1},
     .rate = {SERIES, ONE},
     .dt = 0.1,
     .set_later = LEVEL,
     .set_later_tracer = -1,
     .shared = 1},
};

/* How many scenes there are. */
static size_t find_solvers(ria_context *ctx) {
  const size_t n = sizeof scenes / sizeof *scenes;
  for (size_t k = 0; k < n; k++)
    if (!scenes[k].solver) CHECK_OK(ctx, ria_solver_find(ctx, scenes[k].name, &scenes[k].solver));
  return n;
}

#endif
