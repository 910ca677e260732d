/* along.h - values that differ along a side, for the solvers of flow: given at points, they act as
 * if every cell of the side had a boundary of its own with the value in between. Included after the
 * solver's cases.h. */
#ifndef ALONG_H
#define ALONG_H
#include "forcing/series.h"
#include <complex.h>
#include <ria/date.h>

/* A tide of three constituents at three points of a side of 40 cells of 250 m. The first stands at
 * the end of the side, the last beyond it: behind it there is nothing. The phase of K1 turns past
 * 360 deg from the first to the second. */
enum { ALONG_POINTS = 3, ALONG_WAVES = 3, ALONG_CELLS = 40 };
static const char *const along_wave[ALONG_WAVES] = {"M2", "S2", "K1"};
static const double along_at[ALONG_POINTS] = {0, 3400, 8120}; /* m */
static const double along_amp[ALONG_POINTS][ALONG_WAVES] = {
    {1.2, 0.4, 0.1}, {1.3, 0.42, 0.12}, {0.9, 0.3, 0.2}};
static const double along_phase[ALONG_POINTS][ALONG_WAVES] = {
    {80, 110, 350}, {95, 128, 20}, {130, 170, 60}};

static ria_series *along_tide(flow *f, const double *amp, const double *phase) {
  ria_constituent c[ALONG_WAVES] = {{0}};
  ria_series *s = NULL;
  for (int k = 0; k < ALONG_WAVES; k++)
    c[k] = (ria_constituent){.name = along_wave[k], .amplitude = amp[k], .phase = phase[k]};
  const ria_tide_desc tide = {
      .constituents = c, .n = ALONG_WAVES, .z0 = 0.2, .ramp = 600, .nodal = RIA_NODAL_DAILY};
  CHECK_OK(f->ctx, ria_series_tide(f->ctx, &tide, &s));
  return s;
}

/* The tide at s metres: its complex amplitudes lie on the line between those of the points beside.
 */
static ria_series *along_between(flow *f, double s) {
  double amp[ALONG_WAVES], phase[ALONG_WAVES];
  const double rad = acos(-1.0) / 180;
  int k = 0;
  while (k + 1 < ALONG_POINTS && along_at[k + 1] <= s) k++;
  const bool last = k + 1 == ALONG_POINTS || s <= along_at[k];
  const double part = last ? 0 : (s - along_at[k]) / (along_at[k + 1] - along_at[k]);
  for (int c = 0; c < ALONG_WAVES; c++) {
    const int next = last ? k : k + 1;
    const double complex z = (1 - part) * along_amp[k][c] * cexp(I * along_phase[k][c] * rad) +
                             part * along_amp[next][c] * cexp(I * along_phase[next][c] * rad);
    amp[c] = cabs(z);
    phase[c] = carg(z) / rad;
  }
  return along_tide(f, amp, phase);
}

static double along_bed(double x, double y) { return -12 + 2 * sin(x / 900) * cos(y / 700); }
static double along_still(double x, double y) { return (void)x, (void)y, 0.2; }

/* Whether the side lies along y: the west, or the south. */
static flow along_flow(ria_side side, ria_real real, const ria_setting *more) {
  const bool upright = side == RIA_WEST;
  flow_desc d = {.nx = upright ? 24 : ALONG_CELLS,
                 .ny = upright ? ALONG_CELLS : 24,
                 .dx = 250,
                 .real = real,
                 .manning = 0.03};
  for (int k = 0; more[k].name; k++) d.more[k] = more[k];
  flow f = flow_make(&d);
  flow_set(&f, "bed", along_bed);
  flow_set(&f, "level", along_still);
  return f;
}

/* By points. as_share: the first by its share of the side, not where it is. */
static void along_give_points(flow *f, ria_side side, const char *kind, bool as_share) {
  ria_boundary_point p[ALONG_POINTS] = {{0}};
  ria_series *tide[ALONG_POINTS];
  for (int k = 0; k < ALONG_POINTS; k++) {
    tide[k] = along_tide(f, along_amp[k], along_phase[k]);
    p[ALONG_POINTS - 1 - k] = (ria_boundary_point){.name = "level",
                                                   .x = side == RIA_WEST ? -300 : along_at[k],
                                                   .y = side == RIA_WEST ? along_at[k] : -300,
                                                   .by_share = as_share && k == 0,
                                                   .value = {0, tide[k]}};
  }
  const ria_boundary_desc b = {.kind = kind, .side = side, .points = p, .n_points = ALONG_POINTS};
  CHECK_OK(f->ctx, ria_boundary_add(f->sim, &b, NULL));
  for (int k = 0; k < ALONG_POINTS; k++) ria_series_destroy(&tide[k]);
}

/* By a boundary for each cell. */
static void along_give_cells(flow *f, ria_side side, const char *kind) {
  for (int k = 0; k < ALONG_CELLS; k++) {
    ria_series *tide = along_between(f, 250 * (k + 0.5));
    ria_boundary_desc b = {.kind = kind, .stretch = true};
    b.from[side == RIA_WEST] = 250 * k;
    b.to[side == RIA_WEST] = 250 * (k + 1);
    b.values[0] = (ria_boundary_value){"level", {0, tide}};
    CHECK_OK(f->ctx, ria_boundary_add(f->sim, &b, NULL));
    ria_series_destroy(&tide);
  }
}

/* Both for some hours; levels differ by no more than `off`. */
static void along_as_cells(ria_side side, const char *kind, ria_real real, const ria_setting *more,
                           double off) {
  flow f[3];
  double *level[3], worst = 0, range = 0;
  for (int k = 0; k < 3; k++) {
    f[k] = along_flow(side, real, more);
    if (k == 2)
      along_give_cells(&f[k], side, kind);
    else
      along_give_points(&f[k], side, kind, k == 1);
    CHECK_OK(f[k].ctx, ria_sim_run(f[k].sim, SHORT(4, 1) * 3600));
    level[k] = flow_get(&f[k], "level");
  }
  for (int k = 0; k < 24 * ALONG_CELLS; k++) {
    CHECK(level[0][k] == level[1][k]);
    worst = fmax(worst, fabs(level[0][k] - level[2][k]));
    range = fmax(range, fabs(level[0][k] - level[0][24 * ALONG_CELLS / 2]));
  }
  printf("%s, %s side: a tide at points differs by %.1e m from one of each cell, range %.2f m\n",
         real_name[real], ria_side_name(side), worst, range);
  CHECK(worst < off);
  CHECK(range > 0.05);
  for (int k = 0; k < 3; k++) {
    flow_free(&f[k]);
    free(level[k]);
  }
}

/* Points of tables and constants, and what is given anew while the run goes on. */
static void along_changes(const ria_setting *more) {
  flow f = along_flow(RIA_WEST, RIA_F64, more);
  ria_boundary_id id = 0;
  ria_boundary_point p[2] = {{.name = "level", .by_share = true, .value = {.constant = 0.1}},
                             {.name = "level", .by_share = true, .share = 1, .value = {0.5, NULL}}};
  ria_boundary_desc b = {.kind = "level", .side = RIA_WEST, .points = p, .n_points = 2};
  CHECK_OK(f.ctx, ria_boundary_add(f.sim, &b, &id));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 3600));
  double *slanted = flow_get(&f, "level"), slope = 0, flat = 0;
  CHECK_OK(f.ctx, ria_boundary_change(f.sim, id, &(ria_boundary_desc){.tracers_given = 0}));
  CHECK_OK(f.ctx, ria_boundary_change(
                      f.sim, id, &(ria_boundary_desc){.values = {{"level", {.constant = 0.3}}}}));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 40 * 3600));
  double *level = flow_get(&f, "level");
  slope = slanted[39 * 24] - slanted[0];
  flat = level[39 * 24] - level[0];
  printf("levels of 0.1 and 0.5 m at the ends: %.3f m apart, then %.1e m\n", slope, flat);
  CHECK_NEAR(slope, 0.36, 0.05);
  CHECK_NEAR(flat, 0, 0.02);
  free(slanted);
  free(level);
  flow_free(&f);
}

static void along_refuses(const ria_setting *more) {
  flow f = along_flow(RIA_WEST, RIA_F64, more);
  ria_boundary_point p[2] = {{.name = "level", .y = 100, .value = {.constant = 1}},
                             {.name = "level", .y = 900, .value = {.constant = 2}}};
  ria_boundary_desc b = {
      .name = "sea", .kind = "level", .side = RIA_WEST, .points = p, .n_points = 2};
#define REFUSES(text) CHECK_FAILS(f.ctx, ria_boundary_add(f.sim, &b, NULL), RIA_ERR_ARGUMENT, text)
  p[1].y = 100;
  REFUSES("boundary 'sea': two points of 'level' are at one place of the west side, "
          "100 m from its south end");
  p[1].y = 4e6;
  REFUSES("boundary 'sea': the point (0, 4000000) of 'level' is 3.99e+06 m from the west side, "
          "which is 1e+04 m long: is it given in other coordinates?");
  p[1] = (ria_boundary_point){.name = "level", .by_share = true, .share = 1.5};
  REFUSES("boundary 'sea': a point of 'level' is at 1.5 of the way along it: it must be 0 to 1");
  p[1] = (ria_boundary_point){.name = "level", .y = 900, .value = {.constant = NAN}};
  REFUSES("boundary 'sea': level of the point (0, 900) is not a finite number");
  p[1] = (ria_boundary_point){.name = "levle", .y = 900};
  REFUSES(
      "boundary 'sea': kind 'level' has no value 'levle': did you mean 'level'?; it takes level "
      "[m]");
  p[1] = (ria_boundary_point){.name = "level", .y = 900};
  b.values[0] = (ria_boundary_value){"level", {.constant = 1}};
  REFUSES("boundary 'sea': 'level' is given twice");
  b.values[0].name = NULL;
  b.kind = "rating";
  p[0].name = p[1].name = "curve";
  REFUSES(
      "boundary 'sea': 'curve' of kind 'rating' is one for the whole boundary: it cannot differ "
      "along it; give each piece of the side a boundary of its own, with `from` and `to`");
  b.kind = "discharge";
  p[0].name = p[1].name = "q";
  p[1].y = 101;
  REFUSES("boundary 'sea': no edge is nearer to point 1 of 2 (from south or west) than to the "
          "others: leave it out, or take smaller cells");
  ria_boundary_entry entry;
  CHECK(!ria_boundary_list(f.sim, 0, &entry)); /* nor is the second there */
#undef REFUSES
  p[1].y = 7900; /* the pieces meet half way */
  CHECK_OK(f.ctx, ria_boundary_add(f.sim, &b, NULL));
  if (CHECK(ria_boundary_list(f.sim, 0, &entry)))
    CHECK(strcmp(entry.name, "sea.1") == 0 && entry.from[1] == 0.0 && entry.to[1] == 4000.0);
  if (CHECK(ria_boundary_list(f.sim, 1, &entry)))
    CHECK(strcmp(entry.name, "sea.2") == 0 && entry.from[1] == 4000.0 && entry.to[1] == 1e4);
  flow_free(&f);
}

#endif
