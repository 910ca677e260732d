/* cli_picture.c - ria info --picture: a raster, or the bed of a scenario, as a PNG. */
#include "cli.h"
#include <ria/output.h>

#include <math.h>
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

int cli_draw_raster(const cli_options *o, ria_context *ctx, const ria_raster *r,
                    const char *label) {
  const char *map = map_of(r), *slash = strrchr(o->file, '/');
  const ria_picture_desc desc = {.path = o->picture,
                                 .title = slash ? slash + 1 : o->file,
                                 .label = label,
                                 .unit = "m",
                                 .map = map,
                                 .symmetric = strcmp(map, "topo") == 0};
  const ria_status s = ria_raster_draw(ctx, r, &desc);
  if (s == RIA_OK)
    printf("  picture   %s\n", o->picture);
  else
    cli_complain(o, "%s", ria_error(ctx));
  return cli_exit_code(s);
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
  if (s != RIA_OK) {
    cli_complain(o, "%s", ria_error(ctx));
    ria_raster_destroy(&r);
    return cli_exit_code(s);
  }
  ria_context *own; /* limits are for the script: the picture is the user's */
  int code = cli_make_context(o, NULL, NULL, &own);
  if (code == EXIT_OK) code = cli_draw_raster(o, own, r, f.name);
  ria_context_destroy(&own);
  ria_raster_destroy(&r);
  return code;
}
