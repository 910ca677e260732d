/* crs.c - coordinate systems in Lua: ria.crs "EPSG:25829", what it is, and places on its map. */
#include "binding.h"

#include <math.h>

#define RL_CRS "ria.crs"
typedef struct rl_crs {
  ria_crs *crs, *earth; /* NULL = closed; WGS 84 */
} rl_crs;

static rl_crs *check_crs(lua_State *L, const rl_site *site) {
  rl_crs *c = luaL_testudata(L, 1, RL_CRS);
  if (!c || !c->crs)
    rl_fail(L, site, NULL, "called without a crs: write c:name(...), with a colon");
  return c;
}

static int module_crs(lua_State *L) {
  rl_site site;
  rl_here(L, "ria.crs", 1, &site);
  const char *text = rl_string(L, 1, &site, "crs");
  rl_crs *c = lua_newuserdatauv(L, sizeof *c, 0);
  *c = (rl_crs){0};
  luaL_setmetatable(L, RL_CRS);
  rl_try(L, &site, NULL, ria_crs_create(rl_context(L), "EPSG:4326", &c->earth));
  rl_try(L, &site, NULL, ria_crs_create(rl_context(L), text, &c->crs));
  return 1;
}

static int crs_gc(lua_State *L) {
  rl_crs *c = luaL_checkudata(L, 1, RL_CRS);
  ria_crs_destroy(&c->crs);
  ria_crs_destroy(&c->earth);
  return 0;
}

static int crs_tostring(lua_State *L) {
  const rl_crs *c = luaL_checkudata(L, 1, RL_CRS);
  if (!c->crs) return lua_pushliteral(L, "ria.crs (closed)"), 1;
  lua_pushfstring(L, "ria.crs %s", ria_crs_name(c->crs));
  return 1;
}

/* c.name, c.epsg, c.unit, c.built_in, c.wkt, or a method. */
static int crs_index(lua_State *L) {
  const rl_crs *c = luaL_testudata(L, 1, RL_CRS);
  const char *name = luaL_checkstring(L, 2);
  if (!c || !c->crs) return rl_index_method(L);
  if (strcmp(name, "name") == 0) return lua_pushstring(L, ria_crs_name(c->crs)), 1;
  if (strcmp(name, "built_in") == 0) return lua_pushboolean(L, ria_crs_built_in(c->crs)), 1;
  if (strcmp(name, "unit") == 0)
    return lua_pushstring(L, ria_crs_in_degrees(c->crs) ? "deg" : "m"), 1;
  if (strcmp(name, "epsg") != 0) return rl_index_method(L);
  if (ria_crs_epsg(c->crs))
    lua_pushinteger(L, ria_crs_epsg(c->crs));
  else
    lua_pushnil(L);
  return 1;
}

/* --- places ----------------------------------------------------------------------------------- */

/* Numbers of the list at idx into out[n]. */
static void read_list(lua_State *L, int idx, const char *name, const rl_site *site, size_t n,
                      double *out) {
  const rl_path path = {.key = name};
  for (size_t k = 0; k < n; k++) {
    const rl_path item = {.up = &path, .index = (lua_Integer)k + 1};
    lua_rawgeti(L, idx, (lua_Integer)k + 1);
    if (lua_type(L, -1) != LUA_TNUMBER) rl_type_error(L, site, &item, -1, "a number");
    out[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
}

static void push_list(lua_State *L, size_t n, const double *v) {
  lua_createtable(L, (int)n, 0);
  for (size_t k = 0; k < n; k++) {
    lua_pushnumber(L, v[k]);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
}

/* Two lists of equal length at 2 and 3, to two lists. */
static int convert_lists(lua_State *L, const ria_crs *from, const ria_crs *to,
                         const char *const names[2], const rl_site *site) {
  const size_t n = (size_t)lua_rawlen(L, 2);
  if (lua_type(L, 3) != LUA_TTABLE)
    rl_type_error(L, site, &(rl_path){.key = names[1]}, 3, "a list, as the first is");
  if ((size_t)lua_rawlen(L, 3) != n)
    rl_fail(L, site, NULL, "%s has %d numbers and %s %d", names[0], (int)n, names[1],
            (int)lua_rawlen(L, 3));
  double *x = lua_newuserdatauv(L, (2 * n + 1) * sizeof *x, 0);
  read_list(L, 2, names[0], site, n, x);
  read_list(L, 3, names[1], site, n, x + n);
  rl_try(L, site, NULL, ria_crs_convert(from, to, n, x, x + n));
  push_list(L, n, x);
  push_list(L, n, x + n);
  return 2;
}

/* Numbers, or lists of them. What lies off the map is an error of one place, nan in a list. */
static int convert(lua_State *L, const ria_crs *from, const ria_crs *to, double x, double y,
                   const rl_site *site) {
  double u = x, v = y;
  rl_try(L, site, NULL, ria_crs_convert(from, to, 1, &u, &v));
  if (isnan(u) || isnan(v))
    rl_fail(L, site, NULL, "%.10g, %.10g lies outside the area of %s", x, y,
            ria_crs_name(ria_crs_in_degrees(from) ? to : from));
  lua_pushnumber(L, u);
  lua_pushnumber(L, v);
  return 2;
}

/* c:forward(lon, lat): to x and y of its map. */
static int crs_forward(lua_State *L) {
  static const char *const names[2] = {"lon", "lat"};
  rl_site site;
  rl_here(L, "crs:forward", 1, &site);
  const rl_crs *c = check_crs(L, &site);
  if (lua_type(L, 2) == LUA_TTABLE) return convert_lists(L, c->earth, c->crs, names, &site);
  const double lon = rl_read_degrees(L, 2, false, &site), lat = rl_read_degrees(L, 3, true, &site);
  return convert(L, c->earth, c->crs, lon, lat, &site);
}

/* c:inverse(x, y): to longitude and latitude. */
static int crs_inverse(lua_State *L) {
  static const char *const names[2] = {"x", "y"};
  rl_site site;
  rl_here(L, "crs:inverse", 1, &site);
  const rl_crs *c = check_crs(L, &site);
  if (lua_type(L, 2) == LUA_TTABLE) return convert_lists(L, c->crs, c->earth, names, &site);
  const ria_dim dim = ria_crs_in_degrees(c->crs) ? RIA_DIM_ANGLE : RIA_DIM_LENGTH;
  const double x = rl_quantity(L, 2, dim, &site, "x"), y = rl_quantity(L, 3, dim, &site, "y");
  return convert(L, c->crs, c->earth, x, y, &site);
}

const luaL_Reg rl_crs_functions[] = {{"crs", module_crs}, {NULL, NULL}};

int rl_open_crs(lua_State *L) {
  static const luaL_Reg meta[] = {{"__gc", crs_gc}, {"__tostring", crs_tostring}, {NULL, NULL}};
  static const luaL_Reg methods[] = {
      {"forward", crs_forward}, {"inverse", crs_inverse}, {NULL, NULL}};
  rl_new_class(L, RL_CRS, meta, methods);
  rl_index_members(L, RL_CRS, "crs", crs_index);
  return 0;
}
