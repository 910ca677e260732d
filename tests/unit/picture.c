/* tests/unit/picture.c - rasters as pictures, and a directory for results. */
#include "files.h"
#include <ria/output.h>
#include <unistd.h>

static void pictures(ria_context *ctx, const char *dir) {
  const ria_grid g = {20, 10, 1, 1, 0, 0, 0};
  ria_raster *r = NULL;
  char path[512];
  snprintf(path, sizeof path, "%s/a.png", dir);
  CHECK_OK(ctx, ria_raster_create(ctx, &g, &r));
  for (int k = 0; k < 200; k++) r->data[k] = k % 20;
  CHECK_OK(ctx, ria_raster_draw(ctx, r,
                                &(ria_picture_desc){.path = path,
                                                    .title = "Ramp",
                                                    .label = "value",
                                                    .unit = "m",
                                                    .note = "z = 1 m",
                                                    .width = 400}));
  CHECK(access(path, R_OK) == 0);
  /* all the same: there is no range to find; drawn all the same */
  for (int k = 0; k < 200; k++) r->data[k] = 3;
  CHECK_OK(ctx, ria_raster_draw(ctx, r, &(ria_picture_desc){.path = path, .symmetric = true}));
  CHECK_FAILS(ctx, ria_raster_draw(ctx, r, &(ria_picture_desc){.path = path, .map = "viridus"}),
              RIA_ERR_ARGUMENT,
              "unknown colour map 'viridus': did you mean 'viridis'? known are viridis, deep, "
              "matter, balance, speed, topo, amp, sand, relief");
  CHECK_STATUS(ctx, ria_raster_draw(ctx, r, &(ria_picture_desc){.path = path, .min = 2, .max = 1}),
               RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_raster_draw(ctx, r, &(ria_picture_desc){.path = "/no/such/place.png"}),
               RIA_ERR_OUTPUT);
  CHECK_STATUS(ctx, ria_raster_draw(ctx, r, NULL), RIA_ERR_ARGUMENT);
  ria_raster_destroy(&r);
}

static void directories(ria_context *ctx, const char *dir) {
  char path[512], file[600];
  snprintf(path, sizeof path, "%s/one/two", dir);
  snprintf(file, sizeof file, "%s/run.json", path);
  CHECK_OK(ctx, ria_results_make(ctx, path, false));
  CHECK_OK(ctx, ria_results_make(ctx, path, false));
  FILE *f = fopen(file, "w");
  CHECK(f && fclose(f) == 0);
  CHECK_STATUS(ctx, ria_results_make(ctx, path, false), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "holds the results of a simulation");
  CHECK_OK(ctx, ria_results_make(ctx, path, true));
  CHECK_STATUS(ctx, ria_results_make(ctx, "", true), RIA_ERR_ARGUMENT);
}

int main(void) {
  ria_context *ctx = NULL;
  files_begin();
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  pictures(ctx, files_dir);
  directories(ctx, files_dir);
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
