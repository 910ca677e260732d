/* output.c - what leaves a simulation: frames, stores, films. */
#include "binding.h"

#include <math.h>
#include <string.h>

/* --- frames ----------------------------------------------------------------------------------- */

static const char *const scale_names[] = {
    [RIA_SCALE_LINEAR] = "linear", [RIA_SCALE_LOG] = "log", [RIA_SCALE_LOG + 1] = NULL};

typedef struct frame_args {
  const char *field, *name, *map, *title;
  int scale, width, height;
  const char *phase;
  double threshold, thinnest, phase_step;
  bool plain, world_file, arrows;
} frame_args;

static const rl_key frame_keys[] = {
    {"field", RL_STRING, 0, offsetof(frame_args, field), RL_REQUIRED,
     .doc = "the field to draw, or a map of a sim:fit before: \"level_M2_amplitude\""},
    {"name", RL_STRING, 0, offsetof(frame_args, name),
     .doc = "directory and file name; the field's if left out"},
    {"map", RL_STRING, 0, offsetof(frame_args, map),
     .doc = "colour map; the field's own if left out"},
    {"scale", RL_CHOICE, 0, offsetof(frame_args, scale), .choices = scale_names,
     .doc = "of the colours"},
    {"range", RL_ANY, .shape = "{lo, hi} | \"auto\"",
     .doc = "of the colours; from the first frame if left out, each frame's own if \"auto\""},
    {"threshold", RL_NUMBER, 0, offsetof(frame_args, threshold), 0, 0, INFINITY,
     .doc = "values below it are transparent"},
    {"width", RL_INT, 0, offsetof(frame_args, width), 0, 64, 16384, .doc = "pixels of the picture"},
    {"height", RL_INT, 0, offsetof(frame_args, height), 0, 64, 16384,
     .doc = "pixels; as the domain needs if left out"},
    {"title", RL_STRING, 0, offsetof(frame_args, title), .doc = "the simulation's if left out"},
    {"plain", RL_BOOL, 0, offsetof(frame_args, plain), .doc = "only the map: no title, bar, marks"},
    {"world_file", RL_BOOL, 0, offsetof(frame_args, world_file),
     .doc = "with plain: a .pgw beside each picture, so that a GIS places it, and with a crs .prj "
            "and .png.aux.xml; true if left out"},
    {"arrows", RL_BOOL, 0, offsetof(frame_args, arrows), .doc = "velocity arrows"},
    {"graticule", RL_ANY, .shape = "true | \"10'\" | degrees",
     .doc = "lines of longitude and latitude, labelled in place of the axes, in a run with a crs; "
            "\"2°\", \"10'\" or \"30\\\"\" from one to the next, as fits if true"},
    {"phase", RL_STRING, 0, offsetof(frame_args, phase),
     .doc = "lines of equal phase: a map of a sim:fit before, \"level_M2_phase\""},
    {"phase_step", RL_NUMBER, RIA_DIM_ANGLE, offsetof(frame_args, phase_step), RL_ABOVE_MIN, 0, 180,
     .doc = "between these lines; 30 if left out"},
    {"thinnest", RL_NUMBER, RIA_DIM_LENGTH, offsetof(frame_args, thinnest), 0, 0, INFINITY,
     .doc =
         "shallower water is drawn as land; 0 = none; 2 cm if left out, or 1/200 of the greatest "
         "depth where that is less"},
    {0}};
const rl_table_info rl_frame_info = {.keys = frame_keys};

static void check_map(lua_State *L, const char *map, const rl_site *site) {
  rl_names known = {ria_colormap_names(), 0};
  if (!map) return;
  while (known.at[known.n]) known.n++;
  rl_check_name(L, map, known, "colour map", site, &(rl_path){.key = "map"});
}

bool rl_read_range(lua_State *L, int idx, const char *word, const rl_site *site, double *min,
                   double *max) {
  const rl_path path = {.key = "range"};
  double range[2];
  lua_getfield(L, idx, "range");
  const bool said = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), word) == 0;
  if (!said && !lua_isnil(L, -1)) {
    rl_read(L, -1, &(rl_key){.type = RL_PAIR}, site, &path, range);
    if (range[0] >= range[1])
      rl_fail(L, site, &path, "range = {%g, %g}: the first must be below the second", range[0],
              range[1]);
    *min = range[0];
    *max = range[1];
  }
  lua_pop(L, 1);
  return said;
}

/* Refused when asked for explicitly where there cannot be one. */
static bool check_world_file(lua_State *L, int idx, const frame_args *a, const rl_site *site) {
  const bool asked = lua_getfield(L, idx, "world_file") != LUA_TNIL && a->world_file;
  lua_pop(L, 1);
  if (asked && !a->plain)
    rl_fail(L, site, &(rl_path){.key = "world_file"},
            "world_file goes with plain = true: the pixels of other pictures are not all map");
  return asked;
}

static void read_frame(lua_State *L, int idx, const rl_site *site, ria_frame_desc *out) {
  frame_args a = {.thinnest = NAN, .world_file = true};
  idx = lua_absindex(L, idx);
  rl_read_table(L, idx, &rl_frame_info, site, NULL, &a);
  check_map(L, a.map, site);
  const bool asked = check_world_file(L, idx, &a, site);
  *out = (ria_frame_desc){.field = a.field,
                          .name = a.name,
                          .map = a.map,
                          .scale = (ria_scale)a.scale,
                          .threshold = a.threshold,
                          .width = a.width,
                          .height = a.height,
                          .title = a.title,
                          .no_decor = a.plain,
                          .world_file = asked,
                          .no_world_file = !a.world_file,
                          .arrows = a.arrows,
                          .phase = a.phase,
                          .phase_step = a.phase_step,
                          .thinnest = a.thinnest > 0.0    ? a.thinnest
                                      : a.thinnest == 0.0 ? -1.0
                                                          : 0.0};
  out->graticule = rl_read_graticule(L, idx, site, &out->graticule_step);
  out->auto_range = rl_read_range(L, idx, "auto", site, &out->min, &out->max);
}

/* ria.frame "level" is short for ria.frame { field = "level" }. */
static int module_frame(lua_State *L) {
  rl_site site;
  ria_frame_desc desc;
  rl_here(L, "ria.frame", 1, &site);
  if (lua_type(L, 1) == LUA_TSTRING) {
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "field");
    lua_replace(L, 1);
  }
  read_frame(L, 1, &site, &desc);
  rl_push_desc(L, RL_FRAME, 1, &site);
  return 1;
}

/* --- stores ----------------------------------------------------------------------------------- */

typedef struct save_args {
  rl_names fields;
  const char *name;
  double precision;
  int level, tile;
} save_args;

static const rl_key save_keys[] = {
    {"name", RL_STRING, 0, offsetof(save_args, name),
     .doc = "of the store; \"fields\" if left out"},
    {"precision", RL_NUMBER, 0, offsetof(save_args, precision), 0, 0, INFINITY,
     .doc = "values are rounded to within this, in the field's unit; 0 = bit-exact"},
    {"level", RL_INT, 0, offsetof(save_args, level), 0, 0, 9,
     .doc = "effort of the compression, 1 to 9; 0 = none; 1 if left out"},
    {"tile", RL_INT, 0, offsetof(save_args, tile), 0, 16, 8192, .doc = "edge of a chunk in cells"},
    {0}};
static const rl_key save_list = {"", RL_NAMES, 0, offsetof(save_args, fields), .doc = "the fields"};
const rl_table_info rl_save_info = {.keys = save_keys, .list = &save_list};

static void read_save(lua_State *L, int idx, const rl_site *site, ria_save_desc *out) {
  save_args a = {.level = 1};
  rl_read_table(L, idx, &rl_save_info, site, NULL, &a);
  if (!a.fields.n) rl_fail(L, site, NULL, "name the fields: ria.save { \"level\", \"depth\" }");
  const int level = a.level ? a.level : RIA_LEVEL_RAW;
  *out = (ria_save_desc){a.fields.at, a.fields.n, a.name, a.precision, level, a.tile};
}

static int module_save(lua_State *L) {
  rl_site site;
  ria_save_desc desc;
  rl_here(L, "ria.save", 1, &site);
  if (lua_type(L, 1) == LUA_TSTRING) {
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
    lua_replace(L, 1);
  }
  read_save(L, 1, &site, &desc);
  rl_push_desc(L, RL_SAVE, 1, &site);
  return 1;
}

/* --- both as actions -------------------------------------------------------------------------- */

/* A field, or a map of a fit. */
static void check_drawn(lua_State *L, const rl_sim *s, const char *name, const rl_site *site,
                        const rl_path *path) {
  if (!rl_is_fit_map(L, s, name, site, path))
    rl_check_name(L, name, rl_field_names(L, s, rl_any_field), "field", site, path);
}

void rl_make_action(lua_State *L, rl_sim *s, int idx, ria_action *out) {
  const rl_desc *d = rl_to_desc(L, idx);
  int table = lua_gettop(L);
  if (d->kind == RL_FRAME) {
    ria_frame_desc frame;
    read_frame(L, table, &d->site, &frame);
    check_drawn(L, s, frame.field, &d->site, &(rl_path){.key = "field"});
    if (frame.phase) check_drawn(L, s, frame.phase, &d->site, &(rl_path){.key = "phase"});
    rl_try(L, &d->site, NULL, ria_frame_action(s->sim, &frame, out));
  } else {
    ria_save_desc save;
    read_save(L, table, &d->site, &save);
    for (size_t k = 0; k < save.n_fields; k++)
      check_drawn(L, s, save.fields[k], &d->site, &(rl_path){.index = (lua_Integer)k + 1});
    rl_try(L, &d->site, NULL, ria_save_action(s->sim, &save, out));
  }
}

/* --- films ------------------------------------------------------------------------------------ */

typedef struct film_args {
  rl_names series;
  const char *name, *title;
  double fps;
} film_args;

static const rl_key film_keys[] = {
    {"name", RL_STRING, 0, offsetof(film_args, name),
     .doc = "file in the directory of the results: .mp4 or .webm (by ffmpeg), .png or .apng "
            "(animated, without it); the first series' .mp4, .png without ffmpeg, if left out"},
    {"fps", RL_NUMBER, 0, offsetof(film_args, fps), 0, 0.1, 120,
     .doc = "frames a second; 12 if left out"},
    {"size", RL_ANY, .shape = "height | {width, height}",
     .doc = "pixels that the pictures are fitted into; as the frames are if left out"},
    {"title", RL_STRING, 0, offsetof(film_args, title),
     .doc = "in a band above the pictures; none if left out"},
    {0}};
static const rl_key film_list = {"", RL_NAMES, 0, offsetof(film_args, series),
                                 .doc = "names of frames; several stand side by side"};
const rl_table_info rl_film_info = {.keys = film_keys, .list = &film_list};

static void read_size(lua_State *L, int idx, const rl_site *site, ria_film_desc *d) {
  const rl_path path = {.key = "size"};
  const rl_key edge = {.type = RL_INT, .min = 2, .max = 16384};
  if (lua_getfield(L, idx, "size") == LUA_TNUMBER) {
    rl_read(L, -1, &edge, site, &path, &d->height);
  } else if (!lua_isnil(L, -1)) {
    if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
      rl_type_error(L, site, &path, -1, "a height, or a pair {width, height}");
    for (int k = 0; k < 2; k++) {
      lua_rawgeti(L, -1, k + 1);
      rl_read(L, -1, &edge, site, &(rl_path){.up = &path, .index = k + 1},
              k ? &d->height : &d->width);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

/* sim:film { "oil", "level", fps = 12 }; sim:film "oil"; sim:film() is of the first series. */
static int sim_film(lua_State *L) {
  rl_site site;
  film_args a = {0};
  rl_here(L, "sim:film", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  if (lua_isnoneornil(L, 2) || lua_type(L, 2) == LUA_TSTRING) {
    lua_settop(L, 2);
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, 2);
    lua_rawseti(L, 3, 1);
    lua_replace(L, 2);
  }
  rl_read_table(L, 2, &rl_film_info, &site, NULL, &a);
  if (a.series.n > RIA_FILM_SERIES)
    rl_fail(L, &site, NULL, "%zu series side by side: at most %d", a.series.n, RIA_FILM_SERIES);
  ria_film_desc desc = {.series = a.series.at,
                        .n_series = a.series.n,
                        .fps = a.fps,
                        .title = a.title,
                        .path = a.name};
  read_size(L, 2, &site, &desc);
  rl_try(L, &site, NULL, ria_sim_film(s->sim, &desc));
  return 0;
}

/* --- colours --------------------------------------------------------------------------------- */

/* ria.colormap(name): 256 rows {r, g, b}, 0 .. 255. */
static int module_colormap(lua_State *L) {
  rl_site site;
  rl_here(L, "ria.colormap", 1, &site);
  const char *name = rl_string(L, 1, &site, "map");
  check_map(L, name, &site);
  const uint8_t(*rgb)[3] = ria_colormap(name);
  lua_createtable(L, 256, 0);
  for (int k = 0; k < 256; k++) {
    lua_createtable(L, 3, 0);
    for (int c = 0; c < 3; c++) {
      lua_pushinteger(L, rgb[k][c]);
      lua_rawseti(L, -2, c + 1);
    }
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

const luaL_Reg rl_output_functions[] = {{"frame", module_frame},
                                        {"save", module_save},
                                        {"csv", rl_module_csv},
                                        {"colormap", module_colormap},
                                        {NULL, NULL}};
const luaL_Reg rl_output_methods[] = {{"gauge", rl_sim_gauge},
                                      {"film", sim_film},
                                      {"section", rl_sim_section},
                                      {"history", rl_sim_history},
                                      {NULL, NULL}};
