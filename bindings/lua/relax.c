/* relax.c - sim:relax: layers in which the flow is drawn to a given one; ria.nest: that of a larger
 * run, for layers and for boundaries. */
#include "shapes.h"
#include <ria/relax.h>

#include <math.h>
#include <string.h>

typedef struct relax_args {
  rl_names sides;
  const char *name;
  double width, time;
} relax_args;

static const rl_key relax_keys[] = {
    {"width", RL_NUMBER, RIA_DIM_LENGTH, offsetof(relax_args, width), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "of the layer, from the side inwards or around shapes; polygons alone may do without"},
    {"time", RL_NUMBER, RIA_DIM_TIME, offsetof(relax_args, time), RL_REQUIRED | RL_ABOVE_MIN, 0,
     INFINITY,
     .doc = "in which a difference fades to 1/e at the side; it grows as 1 / (1 - d / width)^2 "
            "inwards. A wave is left with exp(-2 width / (3 c time)) of its height"},
    {"at", RL_ANY, .shape = "shapes | {{x, y}, {lon =, lat =}, ...}",
     .doc = "instead of sides: polygons, and lines, whose cells are held as those on a side are"},
    {"map", RL_ANY, .shape = "field | function(x, y)",
     .doc = "instead of sides: 0 to 1 of a cell, times 1 / time"},
    {"level", RL_ANY, .shape = "number | series", .doc = "the water level there"},
    {"u", RL_ANY, .shape = "number | series", .doc = "the velocity along x there"},
    {"v", RL_ANY, .shape = "number | series", .doc = "the velocity along y there"},
    {"tracers", RL_TABLE, .shape = "{tracer = number | series}", .doc = "concentrations there"},
    {"nest", RL_ANY, .shape = "ria.nest",
     .doc = "a larger run: what it saved of these, where they are not given here"},
    {"name", RL_STRING, 0, offsetof(relax_args, name), .doc = "for messages"},
    {0}};
static const rl_key relax_list = {"", RL_NAMES, 0, offsetof(relax_args, sides),
                                  .doc = "the sides: west, east, south, north"};
const rl_table_info rl_relax_info = {.keys = relax_keys, .list = &relax_list};

/* --- what it is drawn to ---------------------------------------------------------------------- */

static const struct {
  const char *name;
  ria_dim dim;
} flow[RIA_RELAX_FLOW] = {[RIA_RELAX_LEVEL] = {"level", RIA_DIM_LENGTH},
                          [RIA_RELAX_U] = {"u", RIA_DIM_SPEED},
                          [RIA_RELAX_V] = {"v", RIA_DIM_SPEED}};

static void read_flow(lua_State *L, const rl_site *site, ria_relax_desc *out) {
  for (int k = 0; k < RIA_RELAX_FLOW; k++) {
    const rl_path path = {.key = flow[k].name};
    if (lua_getfield(L, 2, flow[k].name) == LUA_TNIL) continue;
    const rl_key key = {.name = flow[k].name, .type = RL_VALUE, .dim = flow[k].dim};
    rl_read(L, -1, &key, site, &path, &out->flow[k]);
    out->given |= 1u << k;
  }
}

/* Shapes, or a map; false: neither is said. Pushes what keeps them. */
static bool read_area(lua_State *L, const rl_sim *s, const rl_site *site, ria_relax_desc *out) {
  const rl_path at = {.key = "at"}, map = {.key = "map"};
  const rl_key share = {.name = "map", .type = RL_NUMBER};
  if (lua_getfield(L, 2, "at") != LUA_TNIL) out->shapes = rl_read_line(L, -1, s->sim, site, &at);
  if (lua_getfield(L, 2, "map") != LUA_TNIL)
    out->map = rl_sample(L, -1, ria_sim_grid(s->sim), &share, site, &map);
  return out->shapes || out->map;
}

static void read_sides(lua_State *L, const rl_names *sides, bool width, const rl_site *site,
                       ria_relax_desc *out) {
  const char *names[RIA_SIDES];
  for (int k = 0; k < RIA_SIDES; k++) names[k] = ria_side_name((ria_side)k);
  if (!sides->n)
    rl_fail(L, site, NULL,
            "name the sides: sim:relax { \"west\", width = ..., time = ... }, or shapes (at), or a "
            "map");
  if (!width) rl_fail(L, site, NULL, "missing key 'width': of the layer, from the side inwards");
  for (size_t k = 0; k < sides->n; k++) {
    rl_check_name(L, sides->at[k], (rl_names){names, RIA_SIDES}, "side", site,
                  &(rl_path){.index = (lua_Integer)k + 1});
    for (int side = 0; side < RIA_SIDES; side++)
      if (strcmp(names[side], sides->at[k]) == 0) out->side[side] = true;
  }
}

static void read_nest(lua_State *L, const rl_site *site, ria_relax_desc *out) {
  const rl_path path = {.key = "nest"};
  if (lua_getfield(L, 2, "nest") == LUA_TNIL) return;
  const rl_desc *d = rl_to_desc(L, -1);
  if (!d || d->kind != RL_NEST)
    rl_type_error(L, site, &path, d ? -2 : -1, "a larger run: ria.nest \"out/coarse\"");
  lua_getfield(L, -1, "path");
  out->nest.path = lua_tostring(L, -1);
}

static int sim_relax(lua_State *L) {
  rl_site site;
  relax_args a = {.width = 0};
  rl_here(L, "sim:relax", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  const bool width = rl_read_table(L, 2, &rl_relax_info, &site, NULL, &a) & 1u; /* its first key */
  luaL_checkstack(L, 60, "layer");
  ria_relax_desc desc = {.name = a.name, .width = a.width, .time = a.time};
  const bool area = read_area(L, s, &site, &desc);
  if (!area || a.sides.n) read_sides(L, &a.sides, width || area, &site, &desc);
  read_flow(L, &site, &desc);
  rl_read_concentrations(L, s, 2, &site, NULL, desc.tracers, &desc.tracers_given);
  read_nest(L, &site, &desc);
  rl_try(L, &site, NULL, ria_relax_add(s->sim, &desc));
  return 0;
}

/* --- a larger run ----------------------------------------------------------------------------- */

static int module_nest(lua_State *L) {
  rl_site site;
  char text[512];
  rl_here(L, "ria.nest", 1, &site);
  const ria_nest_desc desc = {.path = rl_string(L, 1, &site, "path")};
  rl_try(L, &site, NULL, ria_nest_tell(rl_context(L), &desc, text, sizeof text));
  lua_createtable(L, 0, 2);
  lua_pushstring(L, desc.path);
  lua_setfield(L, -2, "path");
  rl_push_desc(L, RL_NEST, -1, &site);
  return 1;
}

/* --- along a boundary ------------------------------------------------------------------------- */

bool rl_is_nest(lua_State *L, int idx) {
  const rl_desc *d = luaL_testudata(L, idx, RL_DESC);
  return d && d->kind == RL_NEST;
}

static int free_line(lua_State *L) {
  ria_nest_line_free(lua_touserdata(L, 1));
  return 0;
}

/* For the collector to free; empty, pushed. */
static ria_nest_line *new_line(lua_State *L) {
  ria_nest_line *line = lua_newuserdatauv(L, sizeof *line, 0);
  *line = (ria_nest_line){0};
  if (luaL_newmetatable(L, "ria.nest_line")) {
    lua_pushcfunction(L, free_line);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return line;
}

/* Push { at = {x, y}, value = series }. */
static void push_point(lua_State *L, const ria_nest_line *line, size_t k, const rl_site *site) {
  const ria_table_desc table = {
      .t = line->t, .v = line->v + k * line->n_times, .n = line->n_times, .interp = RIA_LINEAR};
  lua_createtable(L, 0, 2);
  lua_createtable(L, 2, 0);
  lua_pushnumber(L, line->x[k]);
  lua_rawseti(L, -2, 1);
  lua_pushnumber(L, line->y[k]);
  lua_rawseti(L, -2, 2);
  lua_setfield(L, -2, "at");
  rl_series *s = rl_new_series(L);
  rl_try(L, site, NULL, ria_series_table(rl_context(L), &table, &s->series));
  lua_setfield(L, -2, "value");
}

void rl_push_nest_points(lua_State *L, int idx, ria_sim *sim, ria_boundary_id id,
                         const ria_boundary_desc *where, const char *name, const rl_site *site,
                         const rl_path *path) {
  const int top = lua_gettop(L);
  int of = 0;
  while (of < RIA_RELAX_FLOW && strcmp(flow[of].name, name) != 0) of++;
  if (of == RIA_RELAX_FLOW)
    rl_fail(L, site, path, "a larger run gives the level, u and v of a boundary: '%s' it has not",
            name);
  luaL_checkstack(L, 20, "a larger run");
  (void)rl_to_desc(L, idx);
  lua_getfield(L, -1, "path");
  const ria_nest_desc desc = {.path = lua_tostring(L, -1)};
  ria_nest_line *line = new_line(L);
  rl_try(L, site, path, ria_nest_along(sim, id, where, &desc, of, line));
  lua_createtable(L, (int)line->n, 0);
  for (size_t k = 0; k < line->n; k++) {
    push_point(L, line, k, site);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
  ria_nest_line_free(line);
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
}

const luaL_Reg rl_relax_functions[] = {{"nest", module_nest}, {NULL, NULL}};
const luaL_Reg rl_relax_methods[] = {{"relax", sim_relax}, {NULL, NULL}};
