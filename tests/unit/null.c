/* What is needed and NULL is an error with a message, not a crash. */
#include "test.h"
#include <ria/ria.h>
#include <ria/solver.h>

int main(void) {
  ria_context *ctx = NULL;
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  ria_raster *raster = NULL;
  ria_csv_table *table = NULL;
  ria_series *series = NULL;
  ria_sim *sim = NULL;
  double degrees;
  CHECK_FAILS(ctx, ria_parse_degrees(ctx, NULL, true, &degrees), RIA_ERR_ARGUMENT,
              "a latitude is missing");
  CHECK_STATUS(ctx, ria_raster_read(ctx, NULL, &raster), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_csv_table_read(ctx, NULL, &table), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_series_table(ctx, NULL, &series), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_series_tide(ctx, NULL, &series), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_plot(ctx, NULL), RIA_ERR_ARGUMENT);
  ria_sim_desc desc = {.solver = "shallow_water", .grid = {4, 4, 1, 1, 0, 0, 0}, .n_tracers = 1};
  CHECK_STATUS(ctx, ria_sim_create(ctx, &desc, &sim), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "their list is NULL");
  desc.n_tracers = 0;
  CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim));
  CHECK_STATUS(ctx, ria_sim_set(sim, "bed", NULL), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_run(sim, 1), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "no bed was given: set 'bed'");
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -1));
  CHECK_OK(ctx, ria_sim_run(sim, 1));
  const ria_spill_desc spill = {.x = 2, .y = 2, .start = 9, .volume = 1};
  CHECK_OK(ctx, ria_sim_spill(sim, &spill, NULL));
  CHECK_INT(ria_sim_unreached(sim, 5, NULL, 0), 1); /* as its header says */
  ria_sim_destroy(&sim);
  CHECK_FAILS(ctx, ria_solver_register(ctx, NULL), RIA_ERR_ARGUMENT, "a solver is needed");
  CHECK_STATUS(ctx, ria_solver_register(NULL, NULL), RIA_ERR_ARGUMENT);
  ria_context_destroy(&ctx);
  return TEST_END();
}
