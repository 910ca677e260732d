/* cli_picture.c - ria info --picture: a raster, or the bed of a scenario, as a PNG. */
#include "cli.h"
#include <ria/boundary.h>
#include <ria/crs.h>
#include <ria/output.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where there is water and land colours turn at 0; else they follow the values. */
static const char *map_of(const ria_raster *r) {
  bool above = false, below = false;
  const size_t n = (size_t)r->grid.nx * (size_t)r->grid.ny;
  for (size_t k = 0; k < n; k++) {
    above = above || r->data[k] > 0.0;
    below = below || r->data[k] < 0.0;
  }
  return above && below ? "topo" : "viridis";
}

/* Longitudes and latitudes go over what says where it lies. */
static bool has_place(ria_context *ctx, const ria_raster *r) {
  ria_crs *crs = NULL;
  if (!r->crs || ria_crs_create(ctx, r->crs, &crs) != RIA_OK) return false;
  const bool metres = !ria_crs_in_degrees(crs) && ria_crs_built_in(crs);
  ria_crs_destroy(&crs);
  return metres;
}

static int draw(const cli_options *o, ria_context *ctx, const ria_raster *r, const char *label,
                const ria_picture_line *lines, size_t n_lines) {
  const char *map = map_of(r), *slash = strrchr(o->file, '/');
  const ria_picture_desc desc = {.path = o->picture,
                                 .title = slash ? slash + 1 : o->file,
                                 .label = label,
                                 .unit = "m",
                                 .map = map,
                                 .graticule = has_place(ctx, r),
                                 .lines = lines,
                                 .n_lines = n_lines,
                                 .symmetric = strcmp(map, "topo") == 0};
  const ria_status s = ria_raster_draw(ctx, r, &desc);
  if (s == RIA_OK)
    printf("  picture   %s\n", o->picture);
  else
    cli_complain(o, "%s", ria_error(ctx));
  return cli_exit_code(s);
}

int cli_draw_raster(const cli_options *o, ria_context *ctx, const ria_raster *r,
                    const char *label) {
  return draw(o, ctx, r, label, NULL, 0);
}

/* Where each boundary lies, for the caller to free; false: no memory. */
static bool list_boundaries(const ria_sim *sim, ria_picture_line **out, size_t *n) {
  ria_boundary_entry b;
  size_t count = 0;
  while (ria_boundary_list(sim, count, &b)) count++;
  *n = count;
  *out = calloc(count + 1, sizeof **out);
  for (size_t k = 0; *out && k < count && ria_boundary_list(sim, k, &b); k++)
    (*out)[k] = (ria_picture_line){
        .from = {b.from[0], b.from[1]}, .to = {b.to[0], b.to[1]}, .name = b.name};
  return *out != NULL;
}

/* The field that a run cannot set any more once it has started: the first of these is its bed. */
static bool find_bed(const ria_sim *sim, ria_field_entry *f) {
  for (size_t i = 0; ria_sim_field_list(sim, i, f); i++)
    if (f->fixed) return true;
  return false;
}

int cli_draw_bed(const cli_options *o, ria_sim *sim) {
  ria_context *ctx = ria_sim_context(sim);
  ria_field_entry f;
  ria_raster *r = NULL;
  if (!find_bed(sim, &f)) {
    cli_complain(o, "no picture: the scenario has no bed that stays");
    return EXIT_SCRIPT;
  }
  ria_status s = ria_raster_create(ctx, ria_sim_grid(sim), &r);
  if (s == RIA_OK) s = ria_sim_get(sim, f.name, r->data);
  if (s == RIA_OK && ria_sim_crs(sim) && !(r->crs = strdup(ria_sim_crs(sim)))) s = RIA_ERR_MEMORY;
  ria_picture_line *lines = NULL;
  size_t n = 0;
  if (s == RIA_OK && !list_boundaries(sim, &lines, &n)) s = RIA_ERR_MEMORY;
  if (s != RIA_OK) cli_complain(o, "%s", ria_error(ctx));
  ria_context *own = NULL; /* limits are for the script: the picture is the user's */
  int code = s == RIA_OK ? cli_make_context(o, NULL, NULL, &own) : cli_exit_code(s);
  if (code == EXIT_OK) code = draw(o, own, r, f.name, lines, n);
  ria_context_destroy(&own);
  free(lines);
  ria_raster_destroy(&r);
  return code;
}
