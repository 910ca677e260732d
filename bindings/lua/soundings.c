/* soundings.c - ria.soundings: scattered points as a raster. */
#include "binding.h"

#include <math.h>

typedef struct soundings_args {
  rl_names list;
  const char *path, *crs, *to;
  double dx, dy, reach, nodata, offset;
  int gridding, least;
  bool down;
} soundings_args;

static const char *const gridding_names[] = {[RIA_GRIDDING_AUTO] = "auto",
                                             [RIA_GRIDDING_MEANS] = "means",
                                             [RIA_GRIDDING_TRIANGLES] = "triangles",
                                             [RIA_GRIDDING_TRIANGLES + 1] = NULL};

static const rl_key soundings_keys[] = {
    {"path", RL_STRING, 0, offsetof(soundings_args, path),
     .doc = "a file of x, y, z a line: .xyz, .csv, .txt, also gzipped"},
    {"dx", RL_NUMBER, RIA_DIM_LENGTH, offsetof(soundings_args, dx), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "cell size, eastward; left out, the points must be the cells of a raster"},
    {"dy", RL_NUMBER, RIA_DIM_LENGTH, offsetof(soundings_args, dy), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "cell size, northward; dx if left out"},
    {"box", RL_TABLE, .shape = "{x0, y0, x1, y1}",
     .doc = "the edges of the raster; multiples of dx, dy around the points if left out"},
    {"gridding", RL_CHOICE, 0, offsetof(soundings_args, gridding), .choices = gridding_names,
     .doc = "means of the points in a cell, linear between them in Delaunay triangles, or by the "
            "number of points: means where there are `least`"},
    {"least", RL_INT, 0, offsetof(soundings_args, least), 0, 1, 1000000,
     .doc = "points in a cell for a mean, with gridding = \"auto\"; 3 if left out"},
    {"reach", RL_NUMBER, RIA_DIM_LENGTH, offsetof(soundings_args, reach), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "triangles with a longer side count for nothing; all count if left out"},
    {"nodata", RL_NUMBER, 0, offsetof(soundings_args, nodata),
     .doc = "points of this height are left out"},
    {"down", RL_BOOL, 0, offsetof(soundings_args, down), .doc = "they are depths: turn the sign"},
    {"offset", RL_NUMBER, RIA_DIM_LENGTH, offsetof(soundings_args, offset),
     .doc = "added to all heights, after the sign: from the file's datum to the model's"},
    {"crs", RL_STRING, 0, offsetof(soundings_args, crs),
     .doc = "coordinate system of the points; that of the .prj beside each file if left out"},
    {"to", RL_STRING, 0, offsetof(soundings_args, to),
     .doc = "coordinate system that the points are taken to, and the raster is in"},
    {0}};
static const rl_key soundings_list = {"", RL_NAMES, 0, offsetof(soundings_args, list),
                                      .doc = "the files"};
const rl_table_info rl_soundings_info = {.keys = soundings_keys, .list = &soundings_list};

static void check_args(lua_State *L, const soundings_args *a, const rl_site *site) {
  if ((a->list.n == 0) == !a->path)
    rl_fail(L, site, NULL, "name the files: ria.soundings { \"survey.xyz\", dx = 10 }");
  if (a->dy > 0.0 && a->dx <= 0.0) rl_fail(L, site, NULL, "dy needs dx beside it");
}

static int module_soundings(lua_State *L) {
  rl_site site;
  soundings_args a = {.nodata = NAN};
  rl_here(L, "ria.soundings", 1, &site);
  if (lua_type(L, 1) == LUA_TSTRING)
    a.path = lua_tostring(L, 1);
  else
    rl_read_table(L, 1, &rl_soundings_info, &site, NULL, &a);
  check_args(L, &a, &site);
  ria_soundings_desc d = {.paths = a.path ? &a.path : a.list.at,
                          .n_paths = a.path ? 1 : a.list.n,
                          .dx = a.dx,
                          .dy = a.dy,
                          .gridding = (ria_gridding)a.gridding,
                          .least = a.least,
                          .reach = a.reach,
                          .has_nodata = !isnan(a.nodata),
                          .nodata = a.nodata,
                          .down = a.down,
                          .offset = a.offset,
                          .crs = a.crs,
                          .to = a.to};
  if (rl_read_box(L, &site, (double *const[]){&d.x0, &d.y0, &d.x1, &d.y1}) && !(d.dx > 0.0))
    rl_fail(L, &site, &(rl_path){.key = "box"}, "box needs dx beside it");
  rl_field *f = rl_new_field(L);
  rl_try(L, &site, NULL, ria_raster_from_soundings(rl_context(L), &d, &f->raster));
  return 1;
}

const luaL_Reg rl_soundings_functions[] = {{"soundings", module_soundings}, {NULL, NULL}};
