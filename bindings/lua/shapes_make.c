/* shapes_make.c - shapes written in a script: { { polygon = { {0, 0}, ... }, class = "wood" }, ...
 * }
 *
 * All of it is read into one userdata of numbers first, so that nothing is held when an error is
 * raised. */
#include "shapes.h"

#include <math.h>

static const char *const kind_keys[] = {
    [RIA_POINTS] = "point", [RIA_LINES] = "line", [RIA_POLYGONS] = "polygon"};

/* Counted first, then filled. */
typedef struct making {
  ria_shape *shape;
  ria_attribute *attribute;
  size_t *first;
  double *x, *y, *z;
  size_t shapes, attributes, positions;
  size_t attributes_room, positions_room;
} making;

/* A finaliser may have made a list longer since it was counted. */
static _Noreturn void fail_changed(lua_State *L, const rl_site *site, const rl_path *path) {
  rl_fail(L, site, path, "the list was changed while it was read");
}

/* Push the key that says what the shape on top of the stack is, and its value. */
static ria_shape_kind push_kind(lua_State *L, const rl_site *site, const rl_path *path) {
  int found = -1;
  const int top = lua_gettop(L);
  if (lua_type(L, top) != LUA_TTABLE)
    rl_type_error(L, site, path, top,
                  "{ polygon = {...}, ... }, { line = ... } or { point = ... }");
  for (int k = RIA_POINTS; k <= RIA_POLYGONS; k++) {
    if (lua_getfield(L, top, kind_keys[k]) == LUA_TNIL) {
      lua_pop(L, 1);
      continue;
    }
    if (found >= 0)
      rl_fail(L, site, path, "%s: %s and %s: a shape is one of them", rl_push_path(L, path),
              kind_keys[found], kind_keys[k]);
    found = k;
  }
  if (found < 0)
    rl_fail(L, site, path, "%s: a shape is a polygon, a line or a point", rl_push_path(L, path));
  return (ria_shape_kind)found;
}

static double read_coordinate(lua_State *L, int idx, lua_Integer k, const rl_site *site,
                              const rl_path *path) {
  const rl_path item = {.up = path, .index = k};
  const rl_key key = {.type = RL_NUMBER, .dim = RIA_DIM_LENGTH};
  double v = NAN;
  lua_rawgeti(L, idx, k);
  if (k <= 2 || !lua_isnil(L, -1)) rl_read(L, -1, &key, site, &item, &v);
  lua_pop(L, 1);
  return v;
}

/* The position {x, y [, z]} on top of the stack. */
static void read_position(lua_State *L, making *m, const rl_site *site, const rl_path *path) {
  const int idx = lua_gettop(L);
  if (lua_type(L, idx) != LUA_TTABLE) rl_type_error(L, site, path, idx, "a position { x, y }");
  if (m->positions == m->positions_room) fail_changed(L, site, path);
  m->x[m->positions] = read_coordinate(L, idx, 1, site, path);
  m->y[m->positions] = read_coordinate(L, idx, 2, site, path);
  m->z[m->positions] = read_coordinate(L, idx, 3, site, path);
  m->positions++;
}

/* The list of positions on top of the stack; a ring is closed where it is not. */
static void read_positions(lua_State *L, making *m, ria_shape_kind kind, const rl_site *site,
                           const rl_path *path) {
  const int idx = lua_gettop(L);
  const size_t from = m->positions;
  if (kind == RIA_POINTS) {
    read_position(L, m, site, path);
    return;
  }
  if (lua_type(L, idx) != LUA_TTABLE)
    rl_type_error(L, site, path, idx, "a list of positions { {x, y}, ... }");
  for (lua_Integer k = 1; k <= (lua_Integer)lua_rawlen(L, idx); k++) {
    const rl_path item = {.up = path, .index = k};
    lua_rawgeti(L, idx, k);
    read_position(L, m, site, &item);
    lua_pop(L, 1);
  }
  const size_t last = m->positions - 1;
  if (kind != RIA_POLYGONS || m->positions == from) return;
  if (m->x[from] == m->x[last] && m->y[from] == m->y[last]) return;
  if (m->positions == m->positions_room) fail_changed(L, site, path);
  m->x[m->positions] = m->x[from];
  m->y[m->positions] = m->y[from];
  m->z[m->positions++] = m->z[from];
}

/* A value of an attribute, on top of the stack; false for what is none. */
static bool read_attribute(lua_State *L, const char *name, ria_attribute *a) {
  *a = (ria_attribute){.name = name};
  switch (lua_type(L, -1)) {
  case LUA_TNUMBER:
    a->type = RIA_ATTRIBUTE_NUMBER;
    a->number = lua_tonumber(L, -1);
    return true;
  case LUA_TBOOLEAN:
    a->type = RIA_ATTRIBUTE_BOOL;
    a->number = lua_toboolean(L, -1);
    return true;
  case LUA_TSTRING:
    a->type = RIA_ATTRIBUTE_TEXT;
    a->text = lua_tostring(L, -1);
    return true;
  default:
    return false;
  }
}

static bool is_kind_key(const char *name) {
  for (int k = RIA_POINTS; k <= RIA_POLYGONS; k++)
    if (strcmp(name, kind_keys[k]) == 0) return true;
  return false;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(((const ria_attribute *)a)->name, ((const ria_attribute *)b)->name);
}

/* Those of the shape at idx, in the order of their names. */
static void read_attributes(lua_State *L, int idx, making *m, ria_shape *shape, const rl_site *site,
                            const rl_path *path) {
  shape->attribute = m->attribute + m->attributes;
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      rl_fail(L, site, path, "%s: an attribute without a name", rl_push_path(L, path));
    const char *name = lua_tostring(L, -2);
    const rl_path item = {.up = path, .key = name};
    if (is_kind_key(name)) continue;
    if (m->attributes == m->attributes_room) fail_changed(L, site, path);
    if (!read_attribute(L, name, &m->attribute[m->attributes++]))
      rl_type_error(L, site, &item, -1, "a number, text, true or false");
    shape->n_attributes++;
  }
  qsort(m->attribute + m->attributes - shape->n_attributes, shape->n_attributes,
        sizeof *m->attribute, compare_names);
}

static void read_shape(lua_State *L, making *m, const rl_site *site, const rl_path *path) {
  const int idx = lua_gettop(L);
  ria_shape *shape = &m->shape[m->shapes++];
  const ria_shape_kind kind = push_kind(L, site, path);
  const rl_path entry = {.up = path, .key = kind_keys[kind]};
  size_t *first = m->first;
  *shape = (ria_shape){.kind = kind, .n_parts = 1, .first = first, .x = m->x, .y = m->y, .z = m->z};
  first[0] = m->positions;
  read_positions(L, m, kind, site, &entry);
  first[1] = m->positions;
  m->first += 2;
  lua_settop(L, idx);
  read_attributes(L, idx, m, shape, site, path);
}

/* No more positions and attributes than this are in the list at index 1. */
static void count(lua_State *L, size_t n, size_t *positions, size_t *attributes) {
  for (size_t k = 1; k <= n; k++) {
    if (lua_rawgeti(L, 1, (lua_Integer)k) == LUA_TTABLE)
      for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        ++*attributes;
        if (lua_type(L, -1) == LUA_TTABLE) *positions += (size_t)lua_rawlen(L, -1) + 2;
      }
    lua_pop(L, 1);
  }
}

int rl_shapes_from_table(lua_State *L, const char *crs, const rl_site *site) {
  const size_t n = (size_t)lua_rawlen(L, 1);
  size_t positions = 2, attributes = 1;
  if (!n) rl_fail(L, site, NULL, "name a file, or write shapes: { { polygon = {...} }, ... }");
  count(L, n, &positions, &attributes);
  making m = {.shape = lua_newuserdatauv(L, n * sizeof *m.shape, 0),
              .attribute = lua_newuserdatauv(L, attributes * sizeof *m.attribute, 0),
              .first = lua_newuserdatauv(L, 2 * n * sizeof *m.first, 0),
              .x = lua_newuserdatauv(L, 3 * positions * sizeof *m.x, 0),
              .attributes_room = attributes,
              .positions_room = positions};
  m.y = m.x + positions;
  m.z = m.y + positions;
  for (size_t k = 0; k < n; k++) {
    const rl_path path = {.index = (lua_Integer)k + 1};
    lua_rawgeti(L, 1, (lua_Integer)k + 1);
    read_shape(L, &m, site, &path);
    lua_pop(L, 1);
  }
  rl_shapes *s = rl_new_shapes(L);
  const char *own = crs && strcmp(crs, "model") != 0 ? crs : NULL;
  rl_try(L, site, NULL, ria_shapes_make(rl_context(L), m.shape, n, own, &s->shapes));
  return 1;
}

const ria_shapes *rl_read_line(lua_State *L, int idx, ria_sim *sim, const rl_site *site,
                               const rl_path *path) {
  idx = lua_absindex(L, idx);
  if (rl_test_shapes(L, idx)) return rl_shapes_on(L, idx, ria_sim_crs(sim), site, path);
  if (lua_type(L, idx) != LUA_TTABLE || lua_rawlen(L, idx) == 0)
    rl_type_error(L, site, path, idx,
                  "ria.shapes \"shore.geojson\", or places: { {x, y}, {lon =, lat =}, ... }");
  const size_t n = (size_t)lua_rawlen(L, idx), first[2] = {0, n};
  double *x = lua_newuserdatauv(L, 3 * n * sizeof *x, 0), *y = x + n, *z = y + n;
  for (size_t k = 0; k < n; k++) {
    const rl_path place = {.up = path, .index = (lua_Integer)k + 1};
    double at[2];
    lua_rawgeti(L, idx, place.index);
    rl_read_point(L, -1, &(rl_map){.sim = sim}, site, &place, at);
    lua_pop(L, 1);
    x[k] = at[0];
    y[k] = at[1];
    z[k] = NAN;
  }
  const ria_shape line = {
      .kind = n > 1 ? RIA_LINES : RIA_POINTS, .n_parts = 1, .first = first, .x = x, .y = y, .z = z};
  rl_shapes *s = rl_new_shapes(L);
  rl_try(L, site, path, ria_shapes_make(rl_context(L), &line, 1, NULL, &s->shapes));
  return s->shapes;
}
