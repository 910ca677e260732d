/* plot.c - ria.plot { ... }: line charts as PNG, for measured against computed; field:draw { ... }:
 * a raster as a picture; ria.out: where a script without a simulation writes them. */
#include "binding.h"

#include <math.h>

typedef struct plot_args {
  const char *path, *title;
  int width, height;
} plot_args;

static const rl_key plot_keys[] = {
    {"path", RL_STRING, 0, offsetof(plot_args, path), RL_REQUIRED, .doc = "the PNG file to write"},
    {"title", RL_STRING, 0, offsetof(plot_args, title), .doc = "above all"},
    {"width", RL_INT, 0, offsetof(plot_args, width), 0, 64, 16384, .doc = "pixels"},
    {"height", RL_INT, 0, offsetof(plot_args, height), 0, 64, 16384, .doc = "pixels"},
    {0}};
static const rl_key plot_list = {"", RL_ANY, .shape = "{title =, xlabel =, ..., {x =, y =}, ...}",
                                 .doc = "panels, one below the other"};
const rl_table_info rl_plot_info = {.keys = plot_keys, .list = &plot_list};

typedef struct panel_args {
  const char *title, *xlabel, *ylabel;
  double xrange[2], yrange[2];
} panel_args;

static const rl_key panel_keys[] = {
    {"title", RL_STRING, 0, offsetof(panel_args, title), .doc = "above the panel"},
    {"xlabel", RL_STRING, 0, offsetof(panel_args, xlabel), .doc = "below it"},
    {"ylabel", RL_STRING, 0, offsetof(panel_args, ylabel), .doc = "beside it"},
    {"xrange", RL_PAIR, 0, offsetof(panel_args, xrange), .doc = "from the data if left out"},
    {"yrange", RL_PAIR, 0, offsetof(panel_args, yrange), .doc = "from the data if left out"},
    {0}};
static const rl_key panel_list = {"", RL_ANY, .shape = "{x =, y =, label =}", .doc = "lines"};
const rl_table_info rl_panel_info = {.keys = panel_keys, .list = &panel_list};

typedef struct line_args {
  const char *label, *color;
  bool points;
} line_args;

static const rl_key line_keys[] = {
    {"label", RL_STRING, 0, offsetof(line_args, label), .doc = "in the legend"},
    {"x", RL_TABLE, .flags = RL_REQUIRED, .shape = "{number, ...}", .doc = "positions"},
    {"y", RL_TABLE, .flags = RL_REQUIRED, .shape = "{number, ...}",
     .doc = "values; nan breaks the line"},
    {"points", RL_BOOL, 0, offsetof(line_args, points), .doc = "marks rather than a line"},
    {"color", RL_STRING, 0, offsetof(line_args, color), .doc = "\"#rrggbb\"; the next of the set"},
    {0}};
const rl_table_info rl_line_info = {.keys = line_keys};

/* The numbers of the list at idx; the array is pushed. */
static const double *read_numbers(lua_State *L, int idx, const rl_site *site, const rl_path *path,
                                  size_t *n) {
  *n = (size_t)lua_rawlen(L, idx);
  double *v = lua_newuserdatauv(L, (*n + 1) * sizeof *v, 0);
  for (size_t k = 0; k < *n; k++) {
    rl_path item = {.up = path, .index = (lua_Integer)k + 1};
    if (lua_rawgeti(L, idx, (lua_Integer)k + 1) != LUA_TNUMBER)
      rl_type_error(L, site, &item, -1, "a number");
    v[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return v;
}

static void read_color(lua_State *L, const char *text, const rl_site *site, const rl_path *path,
                       uint8_t out[3]) {
  unsigned long rgb = 0;
  char *end = NULL;
  if (!text) return;
  if (*text == '#') rgb = strtoul(text + 1, &end, 16);
  if (!end || *end || strlen(text) != 7)
    rl_fail(L, site, path, "color = '%s': expected \"#rrggbb\"", text);
  for (int c = 0; c < 3; c++) out[c] = (uint8_t)(rgb >> (16 - 8 * c));
  if (!rgb) out[2] = 1; /* all zero would mean: choose one */
}

static void read_line(lua_State *L, int idx, const rl_site *site, const rl_path *path,
                      ria_plot_line *out) {
  line_args a = {0};
  size_t nx, ny;
  rl_read_table(L, idx, &rl_line_info, site, path, &a);
  *out = (ria_plot_line){.label = a.label, .points = a.points};
  rl_path x = {.up = path, .key = "x"}, y = {.up = path, .key = "y"};
  lua_getfield(L, idx, "x");
  out->x = read_numbers(L, lua_gettop(L), site, &x, &nx);
  lua_getfield(L, idx, "y");
  out->y = read_numbers(L, lua_gettop(L), site, &y, &ny);
  if (nx != ny) rl_fail(L, site, path, "x has %zu numbers and y has %zu", nx, ny);
  out->n = nx;
  read_color(L, a.color, site, path, out->color);
}

/* The panel at idx. Its arrays stay on the stack; they are kept in the table at `keep`. */
static void read_panel(lua_State *L, int idx, const rl_site *site, const rl_path *path,
                       ria_plot_panel *out) {
  panel_args a = {0};
  rl_read_table(L, idx, &rl_panel_info, site, path, &a);
  size_t n = (size_t)lua_rawlen(L, idx);
  ria_plot_line *lines = lua_newuserdatauv(L, (n + 1) * sizeof *lines, 0);
  luaL_checkstack(L, (int)n * 10, "too many lines");
  for (size_t k = 0; k < n; k++) {
    rl_path line = {.up = path, .index = (lua_Integer)k + 1};
    lua_rawgeti(L, idx, (lua_Integer)k + 1);
    read_line(L, lua_gettop(L), site, &line, &lines[k]);
  }
  *out = (ria_plot_panel){a.title,     a.xlabel,    a.ylabel,    lines,      n,
                          a.xrange[0], a.xrange[1], a.yrange[0], a.yrange[1]};
}

static int module_plot(lua_State *L) {
  rl_site site;
  plot_args a = {0};
  rl_here(L, "ria.plot", 1, &site);
  rl_read_table(L, 1, &rl_plot_info, &site, NULL, &a);
  size_t n = (size_t)lua_rawlen(L, 1);
  if (!n) rl_fail(L, &site, NULL, "nothing to draw: give panels, each a list of lines");
  ria_plot_panel *panels = lua_newuserdatauv(L, n * sizeof *panels, 0);
  for (size_t k = 0; k < n; k++) {
    rl_path path = {.index = (lua_Integer)k + 1};
    lua_rawgeti(L, 1, (lua_Integer)k + 1);
    read_panel(L, lua_gettop(L), &site, &path, &panels[k]);
  }
  ria_plot_desc desc = {a.path, a.title, panels, n, a.width, a.height};
  rl_try(L, &site, NULL, ria_plot(rl_context(L), &desc));
  return 0;
}

/* --- pictures of rasters ---------------------------------------------------------------------- */

typedef struct draw_args {
  const char *path, *title, *label, *unit, *note, *map;
  int scale, width, height;
  bool plain;
  double phase_step;
} draw_args;

static const char *const scale_names[] = {
    [RIA_SCALE_LINEAR] = "linear", [RIA_SCALE_LOG] = "log", [RIA_SCALE_LOG + 1] = NULL};

static const rl_key draw_keys[] = {
    {"path", RL_STRING, 0, offsetof(draw_args, path), RL_REQUIRED, .doc = "the PNG file to write"},
    {"title", RL_STRING, 0, offsetof(draw_args, title), .doc = "above the map"},
    {"label", RL_STRING, 0, offsetof(draw_args, label), .doc = "of the colour bar"},
    {"unit", RL_STRING, 0, offsetof(draw_args, unit), .doc = "of the values"},
    {"note", RL_STRING, 0, offsetof(draw_args, note), .doc = "beside the label: \"z = 0.5 m\""},
    {"map", RL_STRING, 0, offsetof(draw_args, map), .doc = "colour map; viridis if left out"},
    {"scale", RL_CHOICE, 0, offsetof(draw_args, scale), .choices = scale_names,
     .doc = "of the colours"},
    {"range", RL_ANY, .shape = "{lo, hi} | \"symmetric\"",
     .doc = "of the colours; from the values if left out, about 0 if \"symmetric\""},
    {"width", RL_INT, 0, offsetof(draw_args, width), 0, 64, 16384, .doc = "pixels of the picture"},
    {"height", RL_INT, 0, offsetof(draw_args, height), 0, 64, 16384,
     .doc = "pixels; as the raster needs if left out"},
    {"plain", RL_BOOL, 0, offsetof(draw_args, plain), .doc = "only the map: no title, no bar"},
    {"phase", RL_ANY, .shape = "ria.Field",
     .doc = "phases of a tide in the same cells, deg: lines of equal phase over the map"},
    {"phase_step", RL_NUMBER, RIA_DIM_ANGLE, offsetof(draw_args, phase_step), RL_ABOVE_MIN, 0, 180,
     .doc = "between these lines; 30 if left out"},
    {"graticule", RL_ANY, .shape = "true | \"10'\" | degrees",
     .doc = "lines of longitude and latitude of a field with a crs, as of ria.frame"},
    {0}};
const rl_table_info rl_draw_info = {.keys = draw_keys};

/* The key `phase` of the table at 2, which stays on the stack. */
static const ria_raster *read_phase(lua_State *L, const rl_site *site) {
  if (lua_getfield(L, 2, "phase") == LUA_TNIL) return NULL;
  const ria_raster *phase = rl_test_field(L, lua_gettop(L));
  if (!phase) rl_type_error(L, site, &(rl_path){.key = "phase"}, -1, "a field");
  return phase;
}

int rl_field_draw(lua_State *L) {
  rl_site site;
  draw_args a = {0};
  rl_here(L, "field:draw", 2, &site);
  const ria_raster *r = rl_test_field(L, 1);
  if (!r) rl_fail(L, &site, NULL, "called without a field: write f:draw { ... }, with a colon");
  rl_read_table(L, 2, &rl_draw_info, &site, NULL, &a);
  ria_picture_desc desc = {.path = a.path,
                           .title = a.title,
                           .label = a.label,
                           .unit = a.unit,
                           .note = a.note,
                           .map = a.map,
                           .scale = (ria_scale)a.scale,
                           .width = a.width,
                           .height = a.height,
                           .no_decor = a.plain,
                           .phase = read_phase(L, &site),
                           .phase_step = a.phase_step};
  desc.graticule = rl_read_graticule(L, 2, &site, &desc.graticule_step);
  desc.symmetric = rl_read_range(L, 2, "symmetric", &site, &desc.min, &desc.max);
  rl_try(L, &site, a.map ? &(rl_path){.key = "map"} : NULL,
         ria_raster_draw(rl_context(L), r, &desc));
  return 0;
}

/* ria.out(): the directory that `ria run` was told, or out/<script>; made if it is not there, and
 * locked until the context is destroyed: by `ria run` at the script's end, by a host that gave the
 * state a context of its own when it likes. */
static int module_out(lua_State *L) {
  rl_site site;
  rl_here(L, "ria.out", 1, &site);
  rl_state *st = rl_state_of(L);
  const char *out = rl_push_results(L, st);
  st->asked_out = true;
  rl_try(L, &site, NULL, ria_results_make(rl_context(L), out, st->options.overwrite));
  return 1;
}

const luaL_Reg rl_plot_functions[] = {{"plot", module_plot}, {"out", module_out}, {NULL, NULL}};
