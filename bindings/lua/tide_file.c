/* tide_file.c - ria.tide { path = ... }: constituents of points from a .bca of Delft3D or a CSV.
 *
 * The file becomes the table that a user would write: a list of points { at =, M2 = ... }, or, of a
 * single point without a place, { M2 = ... }. The rest is tide.c's. */
#include "binding.h"

#include <string.h>

#define TIDE_POINTS "ria.tide_points"

static int points_gc(lua_State *L) {
  ria_tide_points_free(luaL_checkudata(L, 1, TIDE_POINTS));
  return 0;
}

ria_tide_points *rl_new_tide_points(lua_State *L) {
  ria_tide_points *p = lua_newuserdatauv(L, sizeof *p, 0);
  *p = (ria_tide_points){0};
  if (luaL_newmetatable(L, TIDE_POINTS)) {
    lua_pushcfunction(L, points_gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return p;
}

static const ria_tide_point *find(const ria_tide_points *all, const char *name) {
  for (size_t k = 0; k < all->n; k++)
    if (strcmp(all->point[k].name, name) == 0) return &all->point[k];
  return NULL;
}

/* Every name in the table at idx is that of a point. */
static void check_names(lua_State *L, int idx, const ria_tide_points *all, const rl_site *site) {
  const rl_path at = {.key = "at"};
  const char **names = rl_new_names(L, all->n);
  for (size_t k = 0; k < all->n; k++) names[k] = all->point[k].name;
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
    const rl_path entry = {.up = &at, .key = rl_entry_name(L, site, &at, "name = {x, y}")};
    if (!find(all, entry.key)) rl_unknown(L, site, &entry, "point", entry.key, names, all->n);
  }
  lua_pop(L, 1);
}

/* Push what a point says, with its place on top of the stack, which is popped: nil is none. */
static void push_point(lua_State *L, const ria_tide_point *p) {
  lua_createtable(L, 0, (int)p->n + 2);
  lua_insert(L, -2);
  lua_setfield(L, -2, "at");
  for (size_t k = 0; k < p->n; k++) {
    lua_createtable(L, 2, 0);
    lua_pushnumber(L, p->constituents[k].amplitude);
    lua_rawseti(L, -2, 1);
    lua_pushnumber(L, p->constituents[k].phase);
    lua_rawseti(L, -2, 2);
    lua_setfield(L, -2, p->constituents[k].name);
  }
  if (!p->has_mean) return;
  lua_pushnumber(L, p->z0);
  lua_setfield(L, -2, "z0");
}

/* Push the place of a point: from the table at `at` (0: there is none), or from the file. */
static void push_place(lua_State *L, int at, const ria_tide_point *p) {
  if (at) {
    lua_getfield(L, at, p->name);
  } else if (p->placed) {
    lua_createtable(L, 2, 0);
    lua_pushnumber(L, p->x);
    lua_rawseti(L, -2, 1);
    lua_pushnumber(L, p->y);
    lua_rawseti(L, -2, 2);
  } else {
    lua_pushnil(L);
  }
}

static void fail_unplaced(lua_State *L, const ria_tide_points *all, const char *path,
                          const rl_site *site) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (size_t k = 0; k < all->n && k < 12; k++) {
    luaL_addstring(&b, k ? ", " : "");
    luaL_addstring(&b, all->point[k].name);
  }
  if (all->n > 12) luaL_addstring(&b, ", ...");
  luaL_pushresult(&b);
  rl_fail(L, site, NULL,
          "%s has %d points (%s) and does not say where they are: at = { %s = {x, y}, ... }, or "
          "shares of the boundary from 0 to 1",
          path, (int)all->n, lua_tostring(L, -1), all->point[0].name);
}

/* Push the list of points, or the one tide. */
static void push_set(lua_State *L, const ria_tide_points *all, int at, const char *path,
                     const rl_site *site) {
  if (!at && all->n == 1 && !all->point[0].placed) {
    lua_pushnil(L);
    push_point(L, &all->point[0]);
    return;
  }
  if (!at && !all->point[0].placed) fail_unplaced(L, all, path, site);
  lua_newtable(L);
  const int list = lua_gettop(L);
  for (size_t k = 0; k < all->n; k++) {
    push_place(L, at, &all->point[k]);
    if (lua_isnil(L, -1)) { /* not asked for */
      lua_pop(L, 1);
      continue;
    }
    push_point(L, &all->point[k]);
    lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
  }
  if (!lua_rawlen(L, list))
    rl_fail(L, site, &(rl_path){.key = "at"}, "at names no point of %s", path);
}

void rl_load_tide(lua_State *L, const rl_site *site) {
  static const char *const own[] = {"path", "at", "only", "z0", "ramp", "phases", "nodal"};
  rl_names only = {0};
  if (lua_type(L, 1) != LUA_TTABLE || lua_getfield(L, 1, "path") == LUA_TNIL) return;
  const rl_path names = {.key = "only"}, where = {.key = "at"};
  const char *path = NULL;
  rl_read(L, -1, &(rl_key){.type = RL_STRING}, site, &(rl_path){.key = "path"}, &path);
  if (lua_getfield(L, 1, "only") != LUA_TNIL)
    rl_read(L, -1, &(rl_key){.type = RL_NAMES}, site, &names, &only);
  const int type = lua_getfield(L, 1, "at"), at = type == LUA_TNIL ? 0 : lua_gettop(L);
  if (at && type != LUA_TTABLE)
    rl_type_error(L, site, &where, at, "a table { name = {x, y}, ... }");
  ria_tide_points *all = rl_new_tide_points(L);
  rl_try(L, site, &(rl_path){.key = "path"},
         ria_tide_points_read(rl_context(L), path, only.n ? only.at : NULL, only.n, all));
  if (at) check_names(L, at, all, site);
  push_set(L, all, at, path, site);
  const int set = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) { /* what is said once for all */
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    size_t k = 0;
    while (key && k < 7 && strcmp(key, own[k]) != 0) k++;
    if (key && k == 7)
      rl_fail(L, site, &(rl_path){.key = key},
              "unknown key '%s' beside a path: the file has the constituents; at, only, z0, ramp, "
              "phases and nodal may stand there",
              key);
    if (!key || k < 3) continue;
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, set);
  }
  if (lua_rawlen(L, 1)) rl_fail(L, site, NULL, "needs either a path or constituents, not both");
  lua_replace(L, 1);
}
