/* The budget closes with every kind of boundary, a spill of each sort, decay and a moving shoreline
 * at once: what is stored is what came in less what went out, to round-off. */
#include "cases.h"

static double bed(double x, double y) { return -6 + 0.01 * x + 1.5 * sin(y / 90) * cos(x / 70); }
static double level(double x, double y) { return (void)x, (void)y, 0.0; }
static double dye(double x, double y) { return 0.5 + 0.3 * sin(x / 50) * sin(y / 40); }

static void closes(ria_real real, double bound) {
  flow f = flow_make(&(flow_desc){.nx = 80,
                                  .ny = 60,
                                  .dx = 10,
                                  .dy = 12,
                                  .real = real,
                                  .manning = 0.025,
                                  .tracer = "dye",
                                  .decay = 1e-4,
                                  .diffusion = 0.5});
  flow_set(&f, "bed", bed);
  flow_set(&f, "level", level);
  flow_set(&f, "dye", dye);
  ria_series *tide = NULL;
  const ria_constituent m2 = {"M2", 0, 1.0, 30};
  CHECK_OK(f.ctx, ria_series_tide(f.ctx, &(ria_tide_desc){.constituents = &m2, .n = 1, .ramp = 600},
                                  &tide));
  flow_side(&f, RIA_WEST, "level", "level", (ria_value){0, tide}, 0.2);
  flow_side(&f, RIA_NORTH, "open", NULL, (ria_value){0}, 0.4);
  ria_boundary_desc river = {.name = "river",
                             .kind = "discharge",
                             .stretch = true,
                             .from = {800, 200},
                             .to = {800, 320},
                             .values = {{"q", {25, NULL}}}};
  river.tracers[0].constant = 2.0;
  CHECK_OK(f.ctx, ria_boundary_add(f.sim, &river, NULL));
  ria_boundary_desc intake = {.name = "intake",
                              .kind = "discharge",
                              .stretch = true,
                              .from = {100, 0},
                              .to = {200, 0},
                              .values = {{"q", {-5, NULL}}}};
  CHECK_OK(f.ctx, ria_boundary_add(f.sim, &intake, NULL));
  const ria_spill_desc spills[] = {
      {.tracer = "dye", .x = 300, .y = 300, .radius = 50, .start = 100, .mass = 1000},
      {.tracer = "dye", .x = 200, .y = 500, .start = 50, .duration = 333, .mass = 500},
      {.tracer = "dye", .x = 250, .y = 100, .radius = 30, .has_rate = true, .rate = {1.5, NULL}},
      {.tracer = "dye",
       .x = 100,
       .y = 300,
       .start = 70,
       .has_flow = true,
       .flow = {3, NULL},
       .conc = {0.8, NULL},
       .duration = 900},
  };
  for (size_t k = 0; k < 4; k++) CHECK_OK(f.ctx, ria_sim_spill(f.sim, &spills[k], NULL));
  CHECK_OK(f.ctx, ria_sim_run(f.sim, 3600));

  ria_budget_row rows[2];
  size_t n = 2;
  CHECK_OK(f.ctx, ria_sim_budget(f.sim, rows, &n));
  for (size_t k = 0; k < n; k++) {
    printf("%s %s: in %.6g out %.6g sources %.6g decayed %.6g residual %.3g (%.3g)\n",
           real_name[real], rows[k].name, rows[k].inflow, rows[k].outflow, rows[k].sources,
           rows[k].decayed, rows[k].residual, rows[k].relative);
    CHECK(rows[k].inflow > 0 && rows[k].outflow > 0 && rows[k].sources > 0);
    CHECK(fabs(rows[k].relative) < bound);
  }
  CHECK_NEAR(rows[0].sources, 3 * 900, 1e-3 * 2700);
  CHECK_NEAR(rows[1].sources, 1000 + 500 + 1.5 * 3600 + 3 * 0.8 * 900, 1.0);
  CHECK(rows[1].decayed > 0);
  ria_boundary_id id;
  double in = 0, out = 0;
  CHECK_OK(f.ctx, ria_boundary_find(f.sim, "river", &id));
  CHECK_OK(f.ctx, ria_boundary_flux(f.sim, id, "water", &in, &out));
  CHECK_NEAR(in, 25.0 * 3600, 25.0 * 3600 * 1e-5); /* exactly what was asked for */
  CHECK_OK(f.ctx, ria_boundary_flux(f.sim, id, "dye", &in, &out));
  CHECK_NEAR(in, 2.0 * 25.0 * 3600, 2.0 * 25.0 * 3600 * 1e-5);
  ria_series_destroy(&tide);
  flow_free(&f);
}

/* An inflow of a tracer too thin for single precision is kept until it counts. Once the side is a
 * wall, nothing of it may come in, not even where so little is left in the cell that it would
 * count.
 */
static void owes_nothing_through_a_wall(void) {
  flow f = flow_make(&(flow_desc){.nx = 20, .ny = 10, .dx = 10, .real = RIA_F32, .tracer = "dye"});
  CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "bed", -10));
  CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "level", 0));
  CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "dye", 100));
  flow_side(&f, RIA_WEST, "discharge", "q", (ria_value){1, NULL}, 1e-3);
  for (int k = 0; k < 5; k++) CHECK_OK(f.ctx, ria_sim_step(f.sim, 1));
  CHECK_OK(f.ctx, ria_sim_set_constant(f.sim, "dye", 1e-6));
  ria_boundary_id west;
  double before = 0, after = 0, out = 0;
  CHECK_OK(f.ctx, ria_boundary_find(f.sim, "west", &west));
  CHECK_OK(f.ctx, ria_boundary_flux(f.sim, west, "dye", &before, &out));
  CHECK_OK(f.ctx, ria_boundary_change(f.sim, west, &(ria_boundary_desc){.kind = "wall"}));
  for (int k = 0; k < 5; k++) CHECK_OK(f.ctx, ria_sim_step(f.sim, 1));
  CHECK_OK(f.ctx, ria_boundary_flux(f.sim, west, "dye", &after, &out));
  CHECK(after == before && out == 0);
  flow_free(&f);
}

int main(void) {
  owes_nothing_through_a_wall();
  closes(RIA_F64, 1e-12);
  closes(RIA_F32, 1e-7);
  return TEST_END();
}
