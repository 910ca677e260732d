/* along.c - values that differ along a boundary: lists of { at =, value = }, and tides at points.
 *
 * A tide at several points is read here into such a list, so that a boundary knows one form only.
 */
#include "binding.h"

#include <string.h>

/* --- a list of { at =, value = } -------------------------------------------------------------- */

bool rl_is_along(lua_State *L, int idx) {
  idx = lua_absindex(L, idx);
  if (lua_type(L, idx) != LUA_TTABLE || lua_rawlen(L, idx) == 0) return false;
  const int top = lua_gettop(L);
  const bool is = lua_rawgeti(L, idx, 1) == LUA_TTABLE && lua_getfield(L, -1, "at") != LUA_TNIL;
  lua_settop(L, top);
  return is;
}

typedef struct point_args {
  ria_value value;
} point_args;

/* A share of the boundary, or a point. */
static void read_at(lua_State *L, int idx, const rl_map *map, const rl_site *site,
                    const rl_path *path, ria_boundary_point *out) {
  const rl_path entry = {.up = path, .key = "at"};
  double xy[2];
  lua_getfield(L, idx, "at");
  const int type = lua_type(L, -1);
  if (type == LUA_TNUMBER) {
    out->by_share = true;
    out->share = lua_tonumber(L, -1);
    if (!(out->share >= 0.0 && out->share <= 1.0))
      rl_fail(L, site, &entry,
              "%s = %g is out of range: 0 .. 1, the share of the boundary's length",
              rl_push_path(L, &entry), out->share);
  } else if (type == LUA_TTABLE) {
    rl_read_point(L, -1, map, site, &entry, xy);
    out->x = xy[0];
    out->y = xy[1];
  } else {
    rl_type_error(L, site, &entry, -1, "a point {x, y}, or a share of the boundary from 0 to 1");
  }
  lua_pop(L, 1);
}

/* A list that is not one of points is a series. Where it is neither, say what either looks like. */
void rl_check_listed(lua_State *L, int idx, const rl_site *site, const rl_path *path) {
  static const char forms[] = "{t, value} of a series, or { at = {x, y}, value = ... } along the "
                              "boundary";
  idx = lua_absindex(L, idx);
  if (lua_type(L, idx) != LUA_TTABLE) return;
  const size_t n = (size_t)lua_rawlen(L, idx);
  if (!n)
    rl_fail(L, site, path, "%s holds no list: expected a number, text with a unit, or a list of %s",
            rl_push_path(L, path), forms);
  for (size_t k = 0; k < n; k++) {
    const rl_path point = {.up = path, .index = (lua_Integer)k + 1};
    lua_rawgeti(L, idx, point.index);
    const bool pair = lua_type(L, -1) == LUA_TTABLE && lua_rawlen(L, -1) > 0;
    if (!pair) rl_type_error(L, site, &point, lua_gettop(L), forms);
    lua_pop(L, 1);
  }
}

/* What its value points to is kept by the table at `kept`. */
static void read_point(lua_State *L, int idx, const rl_map *map, const rl_key *key, int kept,
                       const rl_site *site, const rl_path *path, ria_boundary_point *out) {
  if (lua_type(L, idx) != LUA_TTABLE)
    rl_type_error(L, site, path, idx, "a point { at = {x, y}, value = ... }");
  const bool lacks = lua_getfield(L, idx, "at") == LUA_TNIL;
  lua_pop(L, 1);
  if (lacks)
    rl_fail(L, site, path,
            "%s has no `at`: each of a list of points along a boundary is { at = {x, y}, value = "
            "... }",
            rl_push_path(L, path));
  const rl_key keys[] = {{.name = "at", .type = RL_ANY, .flags = RL_REQUIRED, .doc = "where it is"},
                         {.name = "value",
                          .type = RL_VALUE,
                          .dim = key->dim,
                          .offset = offsetof(point_args, value),
                          .flags = RL_REQUIRED,
                          .doc = "what it is there"},
                         {.name = NULL}};
  point_args a = {{0}};
  const int top = lua_gettop(L);
  read_at(L, idx, map, site, path, out);
  rl_read_table(L, idx, &(rl_table_info){.keys = keys}, site, path, &a);
  while (lua_gettop(L) > top) lua_rawseti(L, kept, (lua_Integer)lua_rawlen(L, kept) + 1);
  out->name = key->name;
  out->value = a.value;
}

void rl_read_along(lua_State *L, int idx, const rl_map *map, const rl_key *key, const rl_site *site,
                   const rl_path *path, ria_boundary_desc *out) {
  idx = lua_absindex(L, idx);
  const size_t n = (size_t)lua_rawlen(L, idx), had = out->n_points;
  ria_boundary_point *points = lua_newuserdatauv(L, (had + n) * sizeof *points, 0);
  if (had) memcpy(points, out->points, had * sizeof *points);
  lua_newtable(L);
  const int kept = lua_gettop(L);
  for (size_t k = 0; k < n; k++) {
    const rl_path point = {.up = path, .index = (lua_Integer)k + 1};
    points[had + k] = (ria_boundary_point){0};
    lua_rawgeti(L, idx, point.index);
    read_point(L, lua_gettop(L), map, key, kept, site, &point, &points[had + k]);
    lua_settop(L, kept);
  }
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING) {
      const rl_path entry = {.up = path, .key = lua_tostring(L, -2)};
      rl_fail(L, site, &entry, "unknown key '%s': a value at points is a list { at =, value = }",
              rl_push_path(L, &entry));
    }
  out->points = points;
  out->n_points = had + n;
}

/* --- a tide at points ------------------------------------------------------------------------- */

static bool has(const ria_tide_desc *tide, const ria_constituent *c) {
  for (size_t k = 0; k < tide->n; k++) {
    const ria_constituent *other = &tide->constituents[k];
    if (c->name && other->name ? ria_tide_same(c->name, other->name)
                               : !c->name && !other->name && c->speed == other->speed)
      return true;
  }
  return false;
}

/* A constituent that a point lacks would fade out towards it. */
static void check_same(lua_State *L, const ria_tide_desc *tide, size_t which,
                       const ria_tide_desc *other, size_t where, const rl_site *site,
                       const rl_path *path) {
  for (size_t k = 0; k < tide->n; k++) {
    const ria_constituent *c = &tide->constituents[k];
    char speed[48];
    if (has(other, c)) continue;
    snprintf(speed, sizeof speed, "constituent of %g deg/h", c->speed);
    rl_fail(
        L, site, path,
        "point %zu has no %s, which point %zu has: give it there too, with the amplitude 0 if it "
        "has none",
        where + 1, c->name ? c->name : speed, which + 1);
  }
}

/* Beside a list stands what is said once for all points. */
static void check_beside(lua_State *L, const rl_site *site) {
  static const char *const once[] = {"z0", "ramp", "phases", "nodal"};
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    bool known = lua_type(L, -2) != LUA_TSTRING;
    for (size_t k = 0; !known && k < 4; k++) known = strcmp(lua_tostring(L, -2), once[k]) == 0;
    if (known) continue;
    const rl_path path = {.key = lua_tostring(L, -2)};
    rl_fail(L, site, &path,
            "unknown key '%s' beside a list of points: constituents are given at each point, and "
            "z0, ramp, phases and nodal once for all",
            path.key);
  }
}

/* A mean level that a point lacks is not 0 unless it is said: once for all points, or of none. */
static void check_means(lua_State *L, size_t n, const rl_site *site) {
  size_t with = 0, without = 0;
  if (lua_getfield(L, 1, "z0") != LUA_TNIL) n = 0;
  lua_pop(L, 1);
  for (size_t k = 1; k <= n; k++) {
    lua_rawgeti(L, 1, (lua_Integer)k);
    size_t *of = lua_getfield(L, -1, "z0") == LUA_TNIL ? &without : &with;
    if (!*of) *of = k;
    lua_pop(L, 2);
  }
  if (with && without)
    rl_fail(L, site, &(rl_path){.index = (lua_Integer)without},
            "point %d has no mean level (z0, A0 in a file), which point %d has: give it there too, "
            "or once beside the points",
            (int)without, (int)with);
}

int rl_push_tides(lua_State *L, const rl_site *site) {
  const size_t n = (size_t)lua_rawlen(L, 1);
  check_beside(L, site);
  ria_tide_desc *tide = lua_newuserdatauv(L, n * sizeof *tide, 0);
  lua_createtable(L, (int)n, 0);
  const int list = lua_gettop(L);
  lua_newtable(L); /* what the constituents are in */
  for (size_t k = 0; k < n; k++) {
    const rl_path point = {.index = (lua_Integer)k + 1};
    const int top = lua_gettop(L);
    ria_boundary_point at = {0};
    if (lua_rawgeti(L, 1, point.index) != LUA_TTABLE)
      rl_type_error(L, site, &point, -1, "a point { at = {x, y}, M2 = {amplitude, phase}, ... }");
    read_at(L, top + 1, NULL, site, &point, &at);
    lua_createtable(L, 0, 2);
    lua_getfield(L, top + 1, "at");
    lua_setfield(L, -2, "at");
    rl_push_tide_of(L, top + 1, site, &point, &tide[k]);
    lua_setfield(L, top + 2, "value"); /* beneath it lie the constituents */
    while (lua_gettop(L) > top + 2) lua_rawseti(L, top, (lua_Integer)lua_rawlen(L, top) + 1);
    lua_rawseti(L, list, point.index);
    lua_settop(L, top);
    if (!k) continue;
    check_same(L, &tide[0], 0, &tide[k], k, site, &point);
    check_same(L, &tide[k], k, &tide[0], 0, site, &(rl_path){.index = 1});
  }
  check_means(L, n, site);
  lua_settop(L, list);
  return 1;
}
