/* Runs that break down end with an error that says why, names the cell where there is one, and
 * leaves what was reached. */
#include "cases.h"
#include "solvers/sediment/sediment_forcing_k.h"
#define RIA_PRECISION double
#include "solvers/sediment/sediment_k.h"

static void breaks(const char *scheme, ria_real real, double rough, const char *why) {
  basin b =
      basin_make(30, 20, 50, 50, real, 2, (ria_setting[]){{.name = "scheme", .text = scheme}, {0}});
  basin_random(&b, "height", -rough, rough, 1);
  basin_random(&b, "sand", 0, 1, 2);
  CHECK_STATUS(b.ctx, ria_sim_run(b.sim, 1e6 * YEAR), RIA_ERR_NUMERICAL);
  CHECK_HOLDS(ria_error(b.ctx), why);
  const double *s = basin_get(&b, "sand");
  for (size_t k = 0; k < basin_cells(&b); k++) CHECK(isfinite(s[k]));
  basin_free(&b);
}

/* A step that is given fails where diffusion forbids it, and one that is done again where it would
 * carry off all of a layer. */
static int given(double dt, double flat, double pull, int again) {
  const sed_pace p = {.layer = 2, .cfl = 0.5, .flat = flat, .dt_given = dt};
  sed_clock c = {
      .t_stop = 1000, .t_watch = HUGE_VAL, .steps_stop = 10, .dt_min = HUGE_VAL, .pull = pull};
  sed_choose(&c, &p, again);
  CHECK(c.dt == (c.failure ? 0 : dt));
  CHECK(c.dt_min == 0.5 * fmin(flat > 0 ? flat : HUGE_VAL, 2 / pull));
  return c.failure;
}
static void chooses(void) {
  CHECK_INT(given(10, 0, 0.1, 1), SED_WELL);
  CHECK_INT(given(10, 10, 0.1, 1), SED_WELL);
  CHECK_INT(given(10, 9, 0.1, 0), SED_LONG);
  CHECK_INT(given(10, 9, 0.1, 1), SED_LONG);
  CHECK_INT(given(10, 0, 0.195, 1), SED_WELL); /* 0.98 of a layer is the most */
  CHECK_INT(given(10, 0, 0.197, 1), SED_LONG);
  CHECK_INT(given(10, 0, 0.197, 0), SED_WELL); /* the first time it finds that out */
}

/* A run begins with a step where the pull is known, none at all too; else with a look. */
static void begins(void) {
  const sed_pace p = {.layer = 2, .cfl = 0.5, .flat = 10};
  const struct { double pull, dt; } of[] = {{-1, 0}, {0, 5}, {0.4, 2.5}};
  for (int n = 0; n < 3; n++) {
    sed_clock c = {.t_stop = 1000,
                   .t_watch = HUGE_VAL,
                   .steps_stop = 10,
                   .dt_min = HUGE_VAL,
                   .pull = of[n].pull};
    sed_begin(&c, &p);
    CHECK(c.dt == of[n].dt && !c.over && !c.failure);
  }
}

/* What a cell is made of after a step: its layer holds what was there and what came, and what is
 * above the layer then is below it. 0.4 m of sand and 0.2 m of mud come from the west, 0.2 m and
 * 0.3 m go to the north. */
static void mixes(void) {
  const sed_const k = {
      .sand_x = 1, .sand_y = 2, .mud_x = 0.5, .mud_y = 1, .rdx2 = 3, .rdy2 = 4, .layer = 2};
  const sed_face none = {0}, west = {-0.4, -0.4, -3}, north = {-0.1, -0.3, -5};
  const sed_next n = sed_step(10, 0.25, west, none, none, north, &k);
  CHECK_NEAR(n.h, 10.1, 1e-14);
  CHECK_NEAR(n.s * 2 + n.strata, 0.25 * 2 + 0.2, 1e-14); /* no sand is lost */
  CHECK_NEAR(n.strata, 0.1 * n.s, 1e-14);
  CHECK_NEAR(n.pull, 4 * 5, 1e-14);
  const sed_next other = sed_step(10, 0.25, none, west, north, none, &k);
  CHECK_NEAR(other.h, 9.9, 1e-14);
  CHECK_NEAR(other.s * 2 + other.strata, 0.25 * 2 - 0.2, 1e-14);
  CHECK_NEAR(other.pull, 3 * 3, 1e-14);
  CHECK(sed_step(10, 0.9, (sed_face){-9, 0, 0}, none, none, none, &k).s <= 1);
}

/* What crosses a face: as steep as it is, of the mix uphill; as printed, of the means. */
static void crosses(void) {
  const sed_const k = {.pull_sand = 3, .pull_mud = 5};
  const sed_side low = {1, 0.25, 2, 1}, high = {3, 0.75, 4, 7};
  const sed_face f = sed_across(low, high, &k), back = sed_across(high, low, &k);
  CHECK(f.sand == 2 * 6 * 0.75 && f.mud == 2 * 8 * 0.25 && f.pull == 2 * 8 * 5);
  CHECK(back.sand == -f.sand && back.mud == -f.mud && back.pull == -f.pull);
  const sed_face p = sed_across_paper(low, high, &k);
  CHECK(p.sand == 2 * (2 * 0.25 + 4 * 0.75) && p.mud == 2 * (0.75 + 7 * 0.25) &&
        p.pull == 2 * 8 * 5);
  /* the pull of whichever would go faster: sand, where it does */
  const sed_const sandy = {.pull_sand = 9, .pull_mud = 5};
  CHECK(sed_across(low, high, &sandy).pull == 2 * 6 * 9);
  CHECK(sed_across_paper(low, high, &sandy).pull == 2 * 6 * 9);
  CHECK(sed_carry(1, 3, 7, 5, 2) == 2 * -3 && sed_carry(1, 3, 7, 2, 5) == 4 * 3);
  const sed_const c = {.layer = 2, .sand_x = 0.5, .sand_y = 0.25};
  CHECK_NEAR(sed_paper_sand(0.5, 0.5, 3, -4, &c), (1 + 1.5 - 1) / 2.5, 1e-15);
  const sed_const wet = {.sea = 2, .per_base = 0.25};
  CHECK(sed_drowned(3, &wet) == 0 && sed_drowned(1, &wet) == 0.25 && sed_drowned(-9, &wet) == 1);
  CHECK(sed_under(8, 0.5, 0.25) == 7 && sed_under(8, 0.5, 0) == 8);
  CHECK(sed_part(-0.5) == 0 && sed_part(1.5) == 1 && sed_part(0.5) == 0.5 && isnan(sed_part(NAN)));
}

int main(void) {
  chooses();
  begins();
  crosses();
  mixes();
  breaks("conservative", RIA_F32, 3e38, "not a number or out of range in cell (");
  breaks("conservative", RIA_F64, 1e12, "the stable time step fell below dt_min = 1 s: erosion");
  return TEST_END();
}
