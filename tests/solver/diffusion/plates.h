/* plates.h - random plates with every kind of side, values in time, sources, maps, maxima. */
#ifndef DIFFUSION_PLATES_H
#define DIFFUSION_PLATES_H
#include "plate.h"

static const char *const kinds[] = {"open", "value", "flux", "fixed"};

/* What a plate has. Each is drawn for itself, so that any may meet any other. */
typedef struct traits {
  unsigned seed;
  ria_real real;
  int nx, ny, steps_per_pass;
  bool map, source, maximum, release;
} traits;

static unsigned draw(unsigned seed, unsigned what, unsigned n) {
  return (unsigned)(plate_mix((seed * 32 + what) * 0x9e3779b97f4a7c15u) % n);
}

/* Seeds from SPECIAL on: what a GPU does otherwise, in both precisions. Of more than 2^22 cells it
 * takes the first and the last row apart in a single step, a kernel for each of four kinds, and of
 * 2^23 more than it reads at once; passes; a release; plates in rows of which each thread takes
 * some, and more than one turn; more rows than blocks. */
static const traits special[] = {{.nx = 4201, .ny = 2003, .steps_per_pass = 1},
                                 {.nx = 2101, .ny = 1999, .steps_per_pass = 1, .map = true},
                                 {.nx = 2101, .ny = 1999, .steps_per_pass = 1, .source = true},
                                 {.nx = 2101, .ny = 1999, .map = true, .source = true},
                                 {.nx = 2101, .ny = 1999},
                                 {.nx = 2101, .ny = 1999, .source = true},
                                 {.nx = 2101, .ny = 1999, .release = true},
                                 {.nx = 500, .ny = 333},
                                 {.nx = 500, .ny = 333, .source = true},
                                 {.nx = 260, .ny = 261},
                                 {.nx = 33, .ny = 4201, .map = true}};
enum { SPECIAL = 1000, SPECIALS = 2 * sizeof special / sizeof *special };

static traits special_traits(unsigned seed) {
  traits w = special[(seed - SPECIAL) / 2];
  w.seed = seed;
  w.real = seed % 2 ? RIA_F32 : RIA_F64;
  return w;
}

static traits traits_of(unsigned seed) {
  static const int size[][2] = {{257, 130}, {1, 9}, {40, 1}, {120, 64}, {500, 333}, {33, 700}};
  static const int depth[] = {0, 1, 3, 8};
  if (seed >= SPECIAL) return special_traits(seed);
  const int *n = size[draw(seed, 0, 6)];
  return (traits){.seed = seed,
                  .real = draw(seed, 1, 2) ? RIA_F32 : RIA_F64,
                  .nx = n[0],
                  .ny = n[1],
                  .steps_per_pass = depth[draw(seed, 6, 4)],
                  .map = draw(seed, 2, 3) == 0,
                  .source = draw(seed, 3, 3) == 0,
                  .maximum = draw(seed, 4, 5) == 0,
                  .release = draw(seed, 5, 4) == 0};
}

/* A value and a flux in time, each on a part of its side. */
static void force_in_time(plate *p, double right, double top) {
  static const double t[] = {0, 0.013, 0.04}, v[] = {-1, 1.2, 0.3};
  ria_series *series = NULL;
  const ria_table_desc table = {.t = t, .v = v, .n = 3, .hold = true};
  CHECK_OK(p->ctx, ria_series_table(p->ctx, &table, &series));
  const ria_boundary_desc value = {.kind = "value",
                                   .stretch = true,
                                   .from = {0, 0.1 * top},
                                   .to = {0, 0.8 * top},
                                   .values = {{"u", {.series = series}}}};
  const ria_boundary_desc flux = {.kind = "flux",
                                  .stretch = true,
                                  .from = {0.2 * right, 0},
                                  .to = {0.9 * right, 0},
                                  .values = {{"q", {.series = series}}}};
  CHECK_OK(p->ctx, ria_boundary_add(p->sim, &value, NULL));
  CHECK_OK(p->ctx, ria_boundary_add(p->sim, &flux, NULL));
  ria_series_destroy(&series);
}

/* The side in the south and that in the north are periodic. */
static bool wraps_rows(unsigned seed) { return draw(seed, 8, 7) == 2; }

static void plate_force(plate *p, unsigned seed) {
  const bool wrap_x = draw(seed, 7, 5) == 1, wrap_y = wraps_rows(seed);
  const unsigned first = draw(seed, 9, 4), by = draw(seed, 10, 3) + 1;
  const bool part_differs = draw(seed, 11, 2), in_time = draw(seed, 12, 2);
  for (unsigned side = 0; side < RIA_SIDES; side++) {
    const bool wrap = side < RIA_SOUTH ? wrap_x : wrap_y;
    plate_side(p, (ria_side)side, wrap ? "periodic" : kinds[(first + side * by) % 4],
               0.3 * side - 0.4);
  }
  const double top = p->grid.ny * p->grid.dy, right = p->grid.nx * p->grid.dx;
  if (!wrap_x && !wrap_y && in_time) force_in_time(p, right, top);
  ria_boundary_desc part = {.kind = "value",
                            .stretch = true,
                            .from = {right, 0.3 * top},
                            .to = {right, 0.7 * top},
                            .values = {{"u", {.constant = 1.5}}}};
  if (!wrap_x && part_differs) CHECK_OK(p->ctx, ria_boundary_add(p->sim, &part, NULL));
  /* periodic but for a part: then steps are single, which is not what special plates are for */
  if (wrap_y && part_differs && seed < SPECIAL) {
    part.kind = "open";
    part.values[0] = (ria_boundary_value){0};
    for (int side = 0; side < 2; side++) {
      part.from[0] = 0.3 * right, part.to[0] = 0.6 * right;
      part.from[1] = part.to[1] = side ? top : 0;
      CHECK_OK(p->ctx, ria_boundary_add(p->sim, &part, NULL));
    }
  }
}

static plate plates_make(const char *device, const traits *w) {
  const unsigned seed = w->seed;
  const int nx = w->nx, ny = w->ny;
  plate p = plate_make(&(plate_desc){.nx = nx,
                                     .ny = ny,
                                     .dx = 0.1,
                                     .dy = draw(seed, 14, 3) ? 0.1 : 0.17,
                                     .real = w->real,
                                     .steps_per_pass = w->steps_per_pass,
                                     .device = device});
  plate_scatter(&p, "u", -1, 1, seed);
  if (w->map) plate_scatter(&p, "diffusivity", 0.1, 3, seed + 1);
  if (w->source) plate_scatter(&p, "source", -3, 3, seed + 2);
  plate_force(&p, seed);
  if (w->maximum) CHECK_OK(p.ctx, ria_sim_track_maximum(p.sim, "u"));
  const ria_spill_desc release = {.x = 0.5 * nx * 0.1,
                                  .y = 0.05,
                                  .radius = draw(seed, 13, 2) ? 0.3 : 1.7,
                                  .has_flow = true,
                                  .flow = {.constant = 0.5},
                                  .start = 0.01,
                                  .duration = 0.02};
  if (w->release) CHECK_OK(p.ctx, ria_sim_spill(p.sim, &release, NULL));
  return p;
}

#endif
