/* outputs/picture.c - pictures of rasters, text, and a directory for results, for hosts that have
 * no simulation at hand: what frames.c and output.c do for those that have. */
#include "base/ranks.h"
#include "base/context.h"
#include "outputs/results_dir.h"
#include "base/text.h"
#include "io/access.h"
#include "io/file.h"
#include "io/target.h"
#include "io/frame.h"
#include <ria/crs.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- pictures --------------------------------------------------------------------------------- */

static void take_range(ria_frame_input *in, const ria_picture_desc *d, size_t n) {
  if (d->min != 0.0 || d->max != 0.0) {
    in->vmin = d->min;
    in->vmax = d->max;
  } else if (!ria_frame_range(in->value, n, in->scale, in->symmetric, &in->vmin, &in->vmax)) {
    in->vmin = in->scale == RIA_SCALE_LOG ? 1e-4 : in->symmetric ? -1.0 : 0.0;
    in->vmax = 1.0;
  }
}

/* Where its pixels are on the earth; *out is the caller's. */
static ria_status find_graticule(ria_context *ctx, const ria_raster *r, const ria_picture_desc *d,
                                 ria_graticule **out) {
  if (!d->graticule) return RIA_OK;
  if (!r->crs)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "a graticule needs the coordinate system of the field: crs = \"EPSG:...\"");
  ria_graticule *g = *out = ria_graticule_nodes(&r->grid, d->graticule_step);
  if (!g) return ria_fail_memory(ctx, "a graticule", sizeof *g);
  RIA_TRY(ria_crs_convert_named(ctx, r->crs, "EPSG:4326", (size_t)g->n * (size_t)g->n, g->x, g->y));
  return ria_graticule_settle(ctx, g);
}

static ria_status draw(ria_context *ctx, const ria_raster *r, const float *values,
                       const float *phase, const ria_graticule *graticule,
                       const ria_picture_desc *d, char *err, size_t errsize) {
  const size_t n = (size_t)r->grid.nx * (size_t)r->grid.ny;
  uint8_t *png = NULL;
  size_t size = 0;
  ria_frame_input in = {.grid = r->grid,
                        .value = values,
                        .phase = phase,
                        .phase_step = d->phase_step,
                        .graticule = graticule,
                        .lines = d->lines,
                        .n_lines = d->n_lines,
                        .field = d->label ? d->label : "field",
                        .long_name = d->label,
                        .unit = d->unit,
                        .title = d->title,
                        .time_text = d->note ? d->note : "",
                        .map = d->map,
                        .scale = d->scale,
                        .symmetric = d->symmetric,
                        .width = d->width,
                        .height = d->height,
                        .no_decor = d->no_decor};
  take_range(&in, d, n);
  RIA_TRY(ria_frame_render(&in, &png, &size, err, errsize));
  const ria_status s = ria_target_write(ctx, d->path, png, size, err, errsize);
  free(png);
  return s;
}

static ria_status picture(ria_context *ctx, const ria_raster *r, const ria_picture_desc *desc) {
  char err[RIA_ERR_TEXT] = "";
  const size_t n = (size_t)r->grid.nx * (size_t)r->grid.ny;
  const ria_raster *lines = desc->phase;
  if (lines && (lines->grid.nx != r->grid.nx || lines->grid.ny != r->grid.ny))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "the phases have %d x %d cells, and the field to draw has %d x %d",
                    lines->grid.nx, lines->grid.ny, r->grid.nx, r->grid.ny);
  float *values = malloc(2 * n * sizeof *values), *phase = values + n;
  if (!values) return ria_fail_memory(ctx, "a picture", n * sizeof *values);
  for (size_t k = 0; k < n; k++) values[k] = (float)r->data[k];
  for (size_t k = 0; lines && k < n; k++) phase[k] = (float)lines->data[k];
  ria_graticule *graticule = NULL;
  ria_status s = find_graticule(ctx, r, desc, &graticule);
  if (s == RIA_OK) {
    s = draw(ctx, r, values, lines ? phase : NULL, graticule, desc, err, sizeof err);
    if (s != RIA_OK) ria_fail(ctx, s, "%s", err);
  }
  ria_graticule_free(graticule);
  free(values);
  return s;
}

ria_status ria_raster_draw(ria_context *ctx, const ria_raster *r, const ria_picture_desc *desc) {
  if (!r || !desc || !desc->path)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "a picture needs a raster and a path");
  RIA_TRY(ria_colormap_check(ctx, desc->map));
  RIA_TRY(ria_limit_count(ctx, RIA_LIMIT_FRAMES, 1));
  return ria_ranks_wrote(ctx, ria_ranks_write(ctx) ? picture(ctx, r, desc) : RIA_OK);
}

/* --- text ------------------------------------------------------------------------------------- */

ria_status ria_text_write(ria_context *ctx, const char *path, const void *text, size_t n) {
  char err[RIA_ERR_TEXT] = "";
  if (!path || (!text && n)) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a file needs a path and text");
  if (!ria_ranks_write(ctx)) return ria_ranks_wrote(ctx, RIA_OK);
  const ria_status s = ria_target_write(ctx, path, text, n, err, sizeof err);
  return ria_ranks_wrote(ctx, s == RIA_OK ? s : ria_fail(ctx, s, "%s", err));
}

/* --- a directory ------------------------------------------------------------------------------ */

static ria_status make(ria_context *ctx, const char *dir, bool overwrite) {
  char err[RIA_ERR_TEXT];
  char *run_json = ria_path_join(dir, "run.json");
  if (!run_json) return ria_fail_memory(ctx, "a path", 0);
  const ria_status may = ria_may_write(ctx, dir);
  if (may != RIA_OK) {
    free(run_json);
    return may;
  }
  const bool used = ria_file_exists(run_json);
  free(run_json);
  if (used && !overwrite && !ria_results_own(ctx, dir))
    return ria_fail(ctx, RIA_ERR_OUTPUT,
                    "directory '%s' holds the results of a simulation: choose another, or allow "
                    "overwriting (ria run --overwrite)",
                    dir);
  const ria_status s = ria_dir_make(dir, err, sizeof err);
  return s == RIA_OK ? ria_results_hold(ctx, dir) : ria_fail(ctx, s, "%s", err);
}

ria_status ria_results_make(ria_context *ctx, const char *dir, bool overwrite) {
  if (!dir || !*dir) return ria_fail(ctx, RIA_ERR_ARGUMENT, "results need a directory");
  return ria_ranks_wrote(ctx, ria_ranks_write(ctx) ? make(ctx, dir, overwrite) : RIA_OK);
}
