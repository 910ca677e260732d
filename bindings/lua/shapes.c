/* shapes.c - polygons, lines and points in Lua: read, made, chosen, looked at.
 *
 * A userdata around one ria_shapes. What takes shapes asks rl_shapes_on for them in the model's own
 * coordinates. A feature is a copy: changing it changes nothing else. */
#include "shapes.h"

#include <math.h>

typedef struct shapes_args {
  const char *path, *crs, *layer;
  bool units;
} shapes_args;

static const rl_key shapes_keys[] = {
    {"path", RL_STRING, 0, offsetof(shapes_args, path),
     .doc = "GeoJSON (.geojson, .json), points as .csv with columns x and y, or lon and lat; where "
            "GDAL is found .shp, .gpkg and the like"},
    {"layer", RL_STRING, 0, offsetof(shapes_args, layer), .doc = "of a file with several"},
    {"units", RL_BOOL, 0, offsetof(shapes_args, units),
     .doc = "of a .csv: the line after the header holds the units of the columns"},
    {"crs", RL_STRING, 0, offsetof(shapes_args, crs),
     .doc = "of the positions, over what the file says: \"EPSG:n\", WKT, or \"model\": the model's "
            "own. GeoJSON that says none is in degrees"},
    {0}};
static const rl_key shapes_list = {"", RL_ANY, .shape = "path | {polygon =, line = | point =, ...}",
                                   .doc = "the file, or the shapes with their attributes"};
const rl_table_info rl_shapes_info = {.keys = shapes_keys, .list = &shapes_list};

/* --- userdata --------------------------------------------------------------------------------- */

rl_shapes *rl_new_shapes(lua_State *L) {
  rl_shapes *s = lua_newuserdatauv(L, sizeof *s, 0);
  s->shapes = NULL;
  luaL_setmetatable(L, RL_SHAPES);
  return s;
}

const ria_shapes *rl_test_shapes(lua_State *L, int idx) {
  const rl_shapes *s = luaL_testudata(L, idx, RL_SHAPES);
  return s ? s->shapes : NULL;
}

const ria_shapes *rl_shapes_on(lua_State *L, int idx, const char *crs, const rl_site *site,
                               const rl_path *path) {
  const ria_shapes *s = rl_test_shapes(L, idx);
  if (!s) rl_type_error(L, site, path, idx, "shapes, such as ria.shapes \"land.geojson\"");
  if (!ria_shapes_crs(s)) return s;
  rl_shapes *own = rl_new_shapes(L);
  rl_try(L, site, path, ria_shapes_convert(rl_context(L), s, crs, &own->shapes));
  return own->shapes;
}

static const ria_shapes *check_shapes(lua_State *L, const rl_site *site) {
  const ria_shapes *s = rl_test_shapes(L, 1);
  if (!s) rl_fail(L, site, NULL, "called without shapes: write land:name(...), with a colon");
  return s;
}

static int shapes_gc(lua_State *L) {
  rl_shapes *s = luaL_checkudata(L, 1, RL_SHAPES);
  ria_shapes_destroy(&s->shapes);
  return 0;
}

static int shapes_len(lua_State *L) {
  const ria_shapes *s = rl_test_shapes(L, 1);
  lua_pushinteger(L, s ? (lua_Integer)ria_shapes_count(s) : 0);
  return 1;
}

static int shapes_tostring(lua_State *L) {
  const ria_shapes *s = rl_test_shapes(L, 1);
  if (!s) return lua_pushliteral(L, "ria.shapes (closed)"), 1;
  lua_pushfstring(L, "ria.shapes %s, %I", ria_shapes_path(s), (lua_Integer)ria_shapes_count(s));
  return 1;
}

/* --- features --------------------------------------------------------------------------------- */

void rl_push_attribute(lua_State *L, const ria_attribute *a) {
  switch (a ? a->type : RIA_ATTRIBUTE_NONE) {
  case RIA_ATTRIBUTE_NUMBER:
    if (floor(a->number) == a->number && fabs(a->number) < 1e15)
      lua_pushinteger(L, (lua_Integer)a->number);
    else
      lua_pushnumber(L, a->number);
    break;
  case RIA_ATTRIBUTE_TEXT:
    lua_pushstring(L, a->text);
    break;
  case RIA_ATTRIBUTE_BOOL:
    lua_pushboolean(L, a->number != 0.0);
    break;
  default:
    lua_pushnil(L);
  }
}

static void set_number(lua_State *L, const char *key, double v) {
  lua_pushnumber(L, v);
  lua_setfield(L, -2, key);
}

static void push_attributes(lua_State *L, const ria_shape *shape) {
  lua_newtable(L);
  for (size_t k = 0; k < shape->n_attributes; k++) {
    rl_push_attribute(L, &shape->attribute[k]);
    lua_setfield(L, -2, shape->attribute[k].name);
  }
}

static const char *const size_names[] = {
    [RIA_POINTS] = "count", [RIA_LINES] = "length", [RIA_POLYGONS] = "area"};

/* Set the size of the only one of the shapes in the feature on top. */
static void set_size(lua_State *L, const ria_shape *shape, const rl_site *site) {
  double size = 0.0;
  rl_try(L, site, NULL, ria_shape_size(rl_context(L), shape, &size));
  set_number(L, size_names[shape->kind], size);
}

/* __index of a feature whose area takes long: it is summed up once it is asked for. Upvalue: shapes
 * that have this one alone. */
static int late_area(lua_State *L) {
  rl_site site;
  const ria_shapes *own = rl_test_shapes(L, lua_upvalueindex(1));
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (!own || strcmp(key, size_names[RIA_POLYGONS]) != 0) return 0;
  rl_here(L, "shapes:each", 1, &site);
  lua_settop(L, 1);
  set_size(L, ria_shapes_at(own, 0), &site);
  lua_pushliteral(L, "area");
  lua_rawget(L, 1);
  return 1;
}

static int next_entry(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_next(L, 1)) return 2;
  lua_pushnil(L);
  return 1;
}

/* __pairs of it. */
static int late_pairs(lua_State *L) {
  lua_getfield(L, 1, size_names[RIA_POLYGONS]);
  lua_pushcfunction(L, next_entry);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

/* Give the feature on top its size: at once, but of a polygon with many corners. */
static void add_size(lua_State *L, const ria_shapes *s, size_t k, const rl_site *site) {
  enum { MANY = 256 };
  const ria_shape *shape = ria_shapes_at(s, k);
  if (shape->kind != RIA_POLYGONS || shape->first[shape->n_parts] - shape->first[0] <= MANY) {
    set_size(L, shape, site);
    return;
  }
  lua_createtable(L, 0, 2);
  rl_shapes *own = rl_new_shapes(L);
  rl_try(L, site, NULL, ria_shapes_select(rl_context(L), s, &k, 1, &own->shapes));
  lua_pushcclosure(L, late_area, 1);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, late_pairs);
  lua_setfield(L, -2, "__pairs");
  lua_setmetatable(L, -2);
}

void rl_push_feature(lua_State *L, const ria_shapes *s, size_t k, const rl_site *site) {
  const ria_shape *shape = ria_shapes_at(s, k);
  double low[2], high[2];
  ria_shape_box(shape, low, high);
  lua_newtable(L);
  lua_pushstring(L, ria_shape_kind_name(shape->kind));
  lua_setfield(L, -2, "kind");
  lua_pushstring(L, shape->id);
  lua_setfield(L, -2, "id");
  set_number(L, "x", low[0] + 0.5 * (high[0] - low[0]));
  set_number(L, "y", low[1] + 0.5 * (high[1] - low[1]));
  push_attributes(L, shape);
  lua_setfield(L, -2, "attributes");
  add_size(L, s, k, site);
}

/* Upvalues: the shapes, how many were given out. */
static int next_feature(lua_State *L) {
  rl_site site;
  rl_here(L, "shapes:each", 1, &site);
  const ria_shapes *s = rl_test_shapes(L, lua_upvalueindex(1));
  const lua_Integer k = lua_tointeger(L, lua_upvalueindex(2));
  if (!s || (size_t)k >= ria_shapes_count(s)) return 0;
  lua_pushinteger(L, k + 1);
  lua_replace(L, lua_upvalueindex(2));
  rl_push_feature(L, s, (size_t)k, &site);
  return 1;
}

static int shapes_each(lua_State *L) {
  rl_site site;
  rl_here(L, "shapes:each", 1, &site);
  check_shapes(L, &site);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_feature, 2);
  return 1;
}

/* --- attributes ------------------------------------------------------------------------------- */

rl_names rl_attribute_names(lua_State *L, const ria_shapes *s) {
  enum { MOST = 200 };
  const char **names = rl_new_names(L, MOST);
  const int array = lua_gettop(L);
  size_t n = 0;
  for (size_t k = 0; k < ria_shapes_count(s); k++) {
    const ria_shape *shape = ria_shapes_at(s, k);
    for (size_t a = 0; a < shape->n_attributes && n < MOST; a++) {
      size_t at = 0;
      while (at < n && strcmp(names[at], shape->attribute[a].name) != 0) at++;
      if (at < n) continue;
      lua_pushstring(L, shape->attribute[a].name);
      rl_set_name(L, array, n++);
    }
  }
  return (rl_names){names, n};
}

bool rl_has_attribute(const ria_shapes *s, const char *name) {
  for (size_t k = 0; k < ria_shapes_count(s); k++)
    if (ria_shape_attribute(ria_shapes_at(s, k), name)) return true;
  return false;
}

void rl_check_attribute(lua_State *L, const ria_shapes *s, const char *name, const rl_site *site,
                        const rl_path *path) {
  if (!rl_has_attribute(s, name))
    rl_check_name(L, name, rl_attribute_names(L, s), "attribute", site, path);
}

const char *rl_push_place(lua_State *L, const ria_shapes *s, size_t k) {
  char text[320];
  return lua_pushstring(L, ria_shapes_place(s, k, text, sizeof text));
}

/* shapes:values(name): those that there are, each once, in the order of the shapes. */
static int shapes_values(lua_State *L) {
  rl_site site;
  rl_here(L, "shapes:values", 1, &site);
  const ria_shapes *s = check_shapes(L, &site);
  const char *name = rl_string(L, 2, &site, "name");
  rl_check_attribute(L, s, name, &site, NULL);
  lua_newtable(L); /* the list */
  lua_newtable(L); /* value -> true */
  lua_Integer n = 0;
  for (size_t k = 0; k < ria_shapes_count(s); k++) {
    rl_push_attribute(L, ria_shape_attribute(ria_shapes_at(s, k), name));
    if (!lua_isnil(L, -1)) {
      lua_pushvalue(L, -1);
      if (lua_rawget(L, -3) == LUA_TNIL) {
        lua_pushvalue(L, -2);
        lua_rawseti(L, -5, ++n);
        lua_pushvalue(L, -2);
        lua_pushboolean(L, true);
        lua_rawset(L, -5);
      }
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return 1;
}

/* --- choosing --------------------------------------------------------------------------------- */

/* Is the attribute the value at idx, or one of the list there? */
static bool matches(lua_State *L, const ria_attribute *a, int idx) {
  rl_push_attribute(L, a);
  bool same = false;
  if (lua_type(L, idx) == LUA_TTABLE) {
    for (lua_Integer k = 1; !same && k <= (lua_Integer)lua_rawlen(L, idx); k++) {
      lua_rawgeti(L, idx, k);
      same = lua_rawequal(L, -1, -2);
      lua_pop(L, 1);
    }
  } else {
    same = lua_rawequal(L, -1, idx);
  }
  lua_pop(L, 1);
  return same;
}

/* Does any shape have the attribute, as the value at idx? */
static bool any_matches(lua_State *L, const ria_shapes *s, const char *name, int idx) {
  for (size_t k = 0; k < ria_shapes_count(s); k++)
    if (matches(L, ria_shape_attribute(ria_shapes_at(s, k), name), idx)) return true;
  return false;
}

/* The first text that any shape has as this attribute, NULL = none. */
static const char *a_text(const ria_shapes *s, const char *name) {
  for (size_t k = 0; k < ria_shapes_count(s); k++) {
    const ria_attribute *a = ria_shape_attribute(ria_shapes_at(s, k), name);
    if (a && a->type == RIA_ATTRIBUTE_TEXT) return a->text;
  }
  return NULL;
}

static _Noreturn void fail_text(lua_State *L, const ria_shapes *s, const char *name,
                                const char *word, const rl_site *site) {
  enum { MOST = 200 };
  const rl_path path = {.key = name};
  const char *seen[MOST];
  size_t n = 0;
  for (size_t k = 0; k < ria_shapes_count(s) && n < MOST; k++) {
    const ria_attribute *a = ria_shape_attribute(ria_shapes_at(s, k), name);
    if (a && a->type == RIA_ATTRIBUTE_TEXT) seen[n++] = a->text;
  }
  const char *near = ria_nearest(word, seen, n);
  if (near) rl_fail(L, site, &path, "no shape has %s = '%s': did you mean '%s'?", name, word, near);
  if (!n) rl_fail(L, site, &path, "no shape has %s = '%s': it is no text", name, word);
  rl_fail(L, site, &path, "no shape has %s = '%s'", name, word);
}

/* A value that no shape has is a slip, as a wrong name is. */
static void check_value(lua_State *L, const ria_shapes *s, const char *name, int idx,
                        const rl_site *site) {
  const rl_path path = {.key = name};
  const int type = lua_type(L, idx);
  if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN)
    rl_type_error(L, site, &path, idx, "a number, text, true or false, or a list of them");
  if (any_matches(L, s, name, idx)) return;
  if (type == LUA_TSTRING) fail_text(L, s, name, lua_tostring(L, idx), site);
  const char *text = a_text(s, name), *value = luaL_tolstring(L, idx, NULL);
  if (text)
    rl_fail(L, site, &path, "no shape has %s = %s: it is text, such as '%s'", name, value, text);
  rl_fail(L, site, &path, "no shape has %s = %s", name, value);
}

static void check_filter(lua_State *L, const ria_shapes *s, const rl_site *site) {
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      rl_fail(L, site, NULL, "a condition without a name: write { attribute = value }");
    const char *name = lua_tostring(L, -2);
    const int value = lua_gettop(L);
    rl_check_attribute(L, s, name, site, &(rl_path){.key = name});
    if (lua_type(L, value) != LUA_TTABLE) {
      check_value(L, s, name, value, site);
      continue;
    }
    if (!lua_rawlen(L, value))
      rl_fail(L, site, &(rl_path){.key = name}, "%s: an empty list of values", name);
    for (lua_Integer k = 1; k <= (lua_Integer)lua_rawlen(L, value); k++) {
      lua_rawgeti(L, value, k);
      check_value(L, s, name, value + 1, site);
      lua_pop(L, 1);
    }
  }
}

static bool passes(lua_State *L, const ria_shape *shape) {
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
    if (matches(L, ria_shape_attribute(shape, lua_tostring(L, -2)), lua_gettop(L))) continue;
    lua_pop(L, 2);
    return false;
  }
  return true;
}

static bool passes_function(lua_State *L, const ria_shapes *s, size_t k, const rl_site *site) {
  lua_pushvalue(L, 2);
  rl_push_feature(L, s, k, site);
  lua_call(L, 1, 1);
  const bool yes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return yes;
}

/* shapes:where { class = "forest" }, shapes:where(function(f) return f.area > 100 end) */
static int shapes_where(lua_State *L) {
  rl_site site;
  rl_here(L, "shapes:where", 2, &site);
  const ria_shapes *s = check_shapes(L, &site);
  const int type = lua_type(L, 2);
  if (type != LUA_TTABLE && type != LUA_TFUNCTION)
    rl_type_error(L, &site, NULL, 2, "{ attribute = value, ... } or a function (feature)");
  if (type == LUA_TTABLE) check_filter(L, s, &site);
  const size_t n = ria_shapes_count(s);
  size_t *which = lua_newuserdatauv(L, (n + 1) * sizeof *which, 0), kept = 0;
  for (size_t k = 0; k < n; k++)
    if (type == LUA_TTABLE ? passes(L, ria_shapes_at(s, k)) : passes_function(L, s, k, &site))
      which[kept++] = k;
  rl_shapes *out = rl_new_shapes(L);
  rl_try(L, &site, NULL, ria_shapes_select(rl_context(L), s, which, kept, &out->shapes));
  return 1;
}

/* --- opening ---------------------------------------------------------------------------------- */

static int module_shapes(lua_State *L) {
  rl_site site;
  shapes_args a = {0};
  rl_here(L, "ria.shapes", 1, &site);
  if (lua_type(L, 1) == LUA_TSTRING) {
    a.path = lua_tostring(L, 1);
  } else {
    rl_read_table(L, 1, &rl_shapes_info, &site, NULL, &a);
    if (lua_rawgeti(L, 1, 1) == LUA_TSTRING && !a.path && lua_rawlen(L, 1) == 1)
      a.path = lua_tostring(L, -1);
    else if (!a.path && (a.layer || a.units))
      rl_fail(L, &site, NULL, "layer and units are of a file, and there is none");
    else if (!a.path)
      return rl_shapes_from_table(L, a.crs, &site);
    else if (lua_rawlen(L, 1) > 0)
      rl_fail(L, &site, NULL, "a file or a list of shapes, not both");
  }
  rl_shapes *s = rl_new_shapes(L);
  const ria_shapes_layout layout = {.crs = a.crs, .layer = a.layer, .units = a.units};
  rl_try(L, &site, NULL, ria_shapes_read(rl_context(L), a.path, &layout, &s->shapes));
  return 1;
}

const luaL_Reg rl_shapes_functions[] = {{"shapes", module_shapes}, {NULL, NULL}};

int rl_open_shapes(lua_State *L) {
  static const luaL_Reg meta[] = {
      {"__gc", shapes_gc}, {"__len", shapes_len}, {"__tostring", shapes_tostring}, {NULL, NULL}};
  static const luaL_Reg methods[] = {{"each", shapes_each},
                                     {"values", shapes_values},
                                     {"where", shapes_where},
                                     {"share", rl_shapes_share},
                                     {NULL, NULL}};
  rl_new_class(L, RL_SHAPES, meta, methods);
  luaL_getmetatable(L, RL_SHAPES);
  rl_strict_index(L, "shapes", ":");
  lua_pop(L, 1);
  return 0;
}
