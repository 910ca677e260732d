/* dem.c - ria.dem: the ground of a model from rasters (ria/dem.h). */
#include "binding.h"

#include <math.h>
#include <ria/dem.h>
#include <string.h>

static const char *const resampling_names[] = {"auto", "mean", "bilinear",
                                               NULL}; /* in the order of ria_resampling */

/* What is said of one raster, or of all in the table around them. */
typedef struct raster_args {
  const char *path, *unit;
  double offset, blend;
  bool down;
} raster_args;

typedef struct dem_args {
  raster_args each;
  const char *crs;
  double dx, dy, angle, fill, smooth, least_depth, sea_level;
  int gap, resample;
} dem_args;

#define RASTER_KEYS(AT)                                                                            \
  {"path", RL_STRING, 0, (AT) + offsetof(raster_args, path),                                       \
   .doc = "GeoTIFF (.tif), ESRI ASCII (.asc, .asc.gz), or what GDAL reads"},                       \
      {"unit", RL_STRING, 0, (AT) + offsetof(raster_args, unit),                                   \
       .doc = "of its values, a length: \"ft\", \"us-ft\" (US survey foot), \"fathom\", \"cm\" "   \
              "...; m if "                                                                         \
              "left out"},                                                                         \
      {"down", RL_BOOL, 0, (AT) + offsetof(raster_args, down),                                     \
       .doc = "the file holds depths: turn the sign"},                                             \
      {"offset", RL_NUMBER, RIA_DIM_LENGTH, (AT) + offsetof(raster_args, offset),                  \
       .doc = "added to all values, after the sign: from the file's datum to the model's"},        \
      {"shift", RL_ANY, .shape = "path | field | {path | field, unit =, down =}",                  \
       .doc =                                                                                      \
           "the same by a raster, of any coordinate system: a geoid, or chart datum above mean "   \
           "sea level; down = true subtracts it"},                                                 \
  {                                                                                                \
    "blend", RL_NUMBER, RIA_DIM_LENGTH, (AT) + offsetof(raster_args, blend), 0, 0, INFINITY,       \
        .doc = "inside its edge a raster fades over this width into those below it"                \
  }

static const rl_key raster_keys[] = {RASTER_KEYS(0), {0}};
static const rl_key raster_list = {"", RL_ANY, .shape = "path | field", .doc = "the raster"};
const rl_table_info rl_dem_raster_info = {.keys = raster_keys, .list = &raster_list};

static const rl_key dem_keys[] = {
    RASTER_KEYS(offsetof(dem_args, each)),
    {"dx", RL_NUMBER, RIA_DIM_LENGTH, offsetof(dem_args, dx), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "cell size to resample to, eastward; the first raster's if left out"},
    {"dy", RL_NUMBER, RIA_DIM_LENGTH, offsetof(dem_args, dy), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "cell size to resample to, northward; dx if left out"},
    {"box", RL_TABLE, .shape = "{x0, y0, x1, y1}",
     .doc = "what to cut out, in the model's coordinates; all that the rasters cover if left out; "
            "with an angle: the corner (x0, y0), and x1 - x0 and y1 - y0 are lengths of the sides"},
    {"angle", RL_NUMBER, RIA_DIM_ANGLE, offsetof(dem_args, angle), RL_ABOVE_MIN, -180, 180,
     .doc = RL_ANGLE_DOC "; needs a box"},
    {"crs", RL_STRING, 0, offsetof(dem_args, crs),
     .doc = "the model's coordinate system, \"EPSG:n\" or WKT, in metres: rasters in others, in "
            "degrees too, are projected onto its map; the rasters' own if left out"},
    {"resample", RL_CHOICE, 0, offsetof(dem_args, resample), .choices = resampling_names,
     .doc = "onto the cells: means by shared area, or between centres; \"auto\": means where cells "
            "become larger"},
    {"gap", RL_INT, 0, offsetof(dem_args, gap), 0, 1, 10000,
     .doc = "fill holes without data up to this many cells across, from the values around them; "
            "the file's cells, with several rasters the grid's"},
    {"fill", RL_NUMBER, RIA_DIM_LENGTH, offsetof(dem_args, fill),
     .doc = "value of the cells that still have no data"},
    {"smooth", RL_NUMBER, RIA_DIM_LENGTH, offsetof(dem_args, smooth), 0, 0, INFINITY,
     .doc = "smooth by a Gaussian of this standard deviation"},
    {"least_depth", RL_NUMBER, RIA_DIM_LENGTH, offsetof(dem_args, least_depth), 0, 0, INFINITY,
     .doc = "make cells below sea_level at least this deep"},
    {"sea_level", RL_NUMBER, RIA_DIM_LENGTH, offsetof(dem_args, sea_level),
     .doc = "what least_depth counts from; 0 if left out"},
    {0}};
static const rl_key dem_list = {"", RL_ANY, .shape = "path | field | {path, ...}",
                                .doc = "the rasters, the first on top"};
const rl_table_info rl_dem_info = {.keys = dem_keys, .list = &dem_list};

static bool was_given(uint64_t given, const rl_key *keys, const char *name) {
  for (size_t k = 0; keys[k].name; k++)
    if (strcmp(keys[k].name, name) == 0) return given >> k & 1;
  return false;
}

/* --- rasters ---------------------------------------------------------------------------------- */

/* How many metres a unit is; NULL = none given. */
static double read_unit(lua_State *L, const char *unit, const rl_site *site, const rl_path *up) {
  const rl_path path = {.up = up, .key = "unit"};
  double metres = 0.0;
  if (!unit) return 0.0;
  const char *one = lua_pushfstring(L, "1 %s", unit);
  rl_try(L, site, &path, ria_parse_quantity(rl_context(L), one, RIA_DIM_LENGTH, &metres));
  return metres;
}

/* Where the values come from: the value on top of the stack. */
static bool take_source(lua_State *L, ria_dem_layer *l) {
  l->raster = rl_test_field(L, -1);
  l->path = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  return l->raster || l->path;
}

typedef struct shift_args {
  const char *unit;
  bool down;
} shift_args;

/* The key `shift` of the table at idx into *room, if it is there. What it points to lives there. */
static void read_shift(lua_State *L, int idx, const rl_site *site, const rl_path *up,
                       ria_dem_shift *room, ria_dem_layer *l) {
  static const rl_key keys[] = {
      {"unit", RL_STRING, 0, offsetof(shift_args, unit), .doc = "of its values"},
      {"down", RL_BOOL, 0, offsetof(shift_args, down), .doc = "they are subtracted"},
      {0}};
  static const rl_key list = {"", RL_ANY, .doc = "the raster"};
  const rl_path path = {.up = up, .key = "shift"};
  const int top = lua_gettop(L);
  ria_dem_layer from = {0};
  shift_args a = {0};
  if (lua_getfield(L, idx, "shift") == LUA_TTABLE) {
    rl_read_table(L, top + 1, &(rl_table_info){.keys = keys, .list = &list}, site, &path, &a);
    lua_rawgeti(L, top + 1, lua_rawlen(L, top + 1) == 1 ? 1 : 2);
  }
  if (lua_isnil(L, top + 1)) {
    lua_settop(L, top);
    return;
  }
  if (!take_source(L, &from))
    rl_type_error(L, site, &path, -1, "the path of a raster, a field, or { path, down = true }");
  *room = (ria_dem_shift){.path = from.path,
                          .raster = from.raster,
                          .unit = read_unit(L, a.unit, site, &path),
                          .down = a.down};
  l->shift = room;
  lua_settop(L, top);
}

/* An entry { path, ... } of the list, on top of the stack. */
static void read_entry(lua_State *L, const raster_args *all, const rl_site *site,
                       const rl_path *path, ria_dem_shift *shift, ria_dem_layer *l) {
  const int table = lua_gettop(L);
  raster_args a = *all;
  a.path = NULL;
  rl_read_table(L, table, &rl_dem_raster_info, site, path, &a);
  const size_t n = (size_t)lua_rawlen(L, table);
  if (n + (a.path != NULL) != 1)
    rl_fail(L, site, path, "%s: name one raster in each entry of the list", rl_push_path(L, path));
  *l = (ria_dem_layer){.path = a.path,
                       .unit = read_unit(L, a.unit, site, path),
                       .down = a.down,
                       .offset = a.offset,
                       .shift = l->shift,
                       .blend = a.blend};
  read_shift(L, table, site, path, shift, l);
  lua_rawgeti(L, table, 1);
  if (n && !take_source(L, l)) rl_type_error(L, site, path, -1, "the path of a file, or a field");
}

/* The k-th of the list. What it points to lives in the tables of the argument. */
static void read_layer(lua_State *L, lua_Integer k, const raster_args *all, const rl_site *site,
                       ria_dem_shift *shift, ria_dem_layer *l) {
  const rl_path path = {.index = k};
  const int top = lua_gettop(L);
  *l = (ria_dem_layer){.unit = read_unit(L, all->unit, site, NULL),
                       .down = all->down,
                       .offset = all->offset,
                       .blend = all->blend};
  read_shift(L, 1, site, NULL, shift, l);
  lua_rawgeti(L, 1, k);
  if (lua_type(L, -1) == LUA_TTABLE)
    read_entry(L, all, site, &path, shift, l);
  else if (!take_source(L, l))
    rl_type_error(L, site, &path, -1, "the path of a file, a field, or a table { path, ... }");
  lua_settop(L, top);
}

/* The rasters of the table at index 1, in scratch memory that is pushed. */
static ria_dem_layer *read_layers(lua_State *L, const dem_args *a, const rl_site *site, size_t *n) {
  *n = (size_t)lua_rawlen(L, 1);
  if (*n == 0 && !a->each.path) rl_fail(L, site, NULL, "name a file: ria.dem \"bay.asc\"");
  if (*n && a->each.path)
    rl_fail(L, site, &(rl_path){.key = "path"},
            "path stands beside a list of rasters: put it there");
  ria_dem_layer *layers = lua_newuserdatauv(L, (*n ? *n : 1) * sizeof *layers, 0);
  ria_dem_shift *shift = lua_newuserdatauv(L, (*n ? *n : 1) * sizeof *shift, 0);
  for (size_t k = 0; k < *n; k++)
    read_layer(L, (lua_Integer)k + 1, &a->each, site, &shift[k], &layers[k]);
  if (*n) return layers;
  *n = 1;
  layers[0] = (ria_dem_layer){.path = a->each.path,
                              .unit = read_unit(L, a->each.unit, site, NULL),
                              .down = a->each.down,
                              .offset = a->each.offset};
  read_shift(L, 1, site, NULL, shift, &layers[0]);
  return layers;
}

/* A key that would change nothing is a mistake. */
static void check_used(lua_State *L, const rl_site *site, const ria_dem_desc *d, uint64_t given) {
  bool blend = was_given(given, dem_keys, "blend");
  for (size_t k = 0; k < d->n_layers; k++) blend |= d->layers[k].blend > 0.0;
  if (blend && d->n_layers == 1)
    rl_fail(L, site, &(rl_path){.key = "blend"},
            "blend fades a raster into those below it, and there is one alone: name two or more, "
            "{ \"harbour.tif\", \"coast.tif\", blend = \"200 m\" }, or leave it out");
  if (was_given(given, dem_keys, "sea_level") && !was_given(given, dem_keys, "least_depth"))
    rl_fail(L, site, &(rl_path){.key = "sea_level"},
            "sea_level is what least_depth counts from, and there is none: give least_depth too, "
            "or leave it out");
}

/* --- the whole -------------------------------------------------------------------------------- */

bool rl_read_box(lua_State *L, const rl_site *site, double *const to[4]) {
  const rl_key number = {.type = RL_NUMBER, .dim = RIA_DIM_LENGTH};
  const rl_path path = {.key = "box"};
  if (!lua_istable(L, 1)) return false;
  lua_pushliteral(L, "box");
  if (lua_rawget(L, 1) == LUA_TNIL) return false;
  const int box = lua_gettop(L);
  if (lua_rawlen(L, box) != 4)
    rl_fail(L, site, &path, "box needs four numbers: { x0, y0, x1, y1 }");
  for (int k = 0; k < 4; k++) {
    const rl_path entry = {.up = &path, .index = k + 1};
    lua_rawgeti(L, box, k + 1);
    rl_read(L, -1, &number, site, &entry, to[k]);
  }
  lua_pushnil(L);
  for (int n = 0; lua_next(L, box); lua_pop(L, 1))
    if (++n > 4) rl_fail(L, site, &path, "box needs four numbers: { x0, y0, x1, y1 }");
  if (!(*to[2] > *to[0] && *to[3] > *to[1]))
    rl_fail(L, site, &path, "box = { x0, y0, x1, y1 } needs x0 < x1 and y0 < y1");
  return true;
}

static int module_dem(lua_State *L) {
  rl_site site;
  dem_args a = {0};
  ria_dem_desc d = {0};
  uint64_t given = 0;
  rl_here(L, "ria.dem", 1, &site);
  if (lua_type(L, 1) == LUA_TSTRING) {
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
    lua_replace(L, 1);
  }
  given = rl_read_table(L, 1, &rl_dem_info, &site, NULL, &a);
  d.layers = read_layers(L, &a, &site, &d.n_layers);
  if (a.dy > 0.0 && a.dx <= 0.0) rl_fail(L, &site, NULL, "dy needs dx beside it");
  const bool boxed = rl_read_box(L, &site, (double *const[]){&d.x0, &d.y0, &d.x1, &d.y1});
  check_used(L, &site, &d, given);
  if (a.angle != 0.0 && !boxed)
    rl_fail(L, &site, &(rl_path){.key = "angle"},
            "an angle needs a box beside it, which is turned about its corner: box = { x0, y0, "
            "x0 + length, y0 + width }");
  d.angle = a.angle;
  d.crs = a.crs;
  d.dx = a.dx, d.dy = a.dy;
  d.resampling = (ria_resampling)a.resample;
  d.gap = a.gap;
  d.has_fill = was_given(given, dem_keys, "fill");
  d.fill = a.fill, d.smooth = a.smooth;
  d.least_depth = a.least_depth, d.sea_level = a.sea_level;

  rl_field *f = rl_new_field(L);
  rl_try(L, &site, NULL, ria_dem_make(rl_context(L), &d, &f->raster));
  return 1;
}

const luaL_Reg rl_dem_functions[] = {{"dem", module_dem}, {NULL, NULL}};
