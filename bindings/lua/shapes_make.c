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
  int *polygon; /* all 0: of a shape with holes */
  size_t shapes, attributes, positions, firsts;
  size_t attributes_room, positions_room, firsts_room;
  size_t by_lon; /* positions in degrees */
} making;

/* A finaliser may have made a list longer since it was counted. */
static _Noreturn void fail_changed(lua_State *L, const rl_site *site, const rl_path *path) {
  rl_fail(L, site, path, "the list was changed while it was read");
}

/* No kind: is any key with a table one that is misspelt? */
static _Noreturn void fail_kind(lua_State *L, int idx, const rl_site *site, const rl_path *path) {
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TTABLE) continue;
    const char *word = lua_tostring(L, -2);
    const char *near = ria_nearest(word, kind_keys, RIA_POLYGONS + 1);
    if (near)
      rl_fail(L, site, &(rl_path){.up = path, .key = word},
              "%s: unknown key '%s': did you mean '%s'?", rl_push_path(L, path), word, near);
  }
  rl_fail(L, site, path, "%s: a shape is a polygon, a line or a point", rl_push_path(L, path));
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
  if (found < 0) fail_kind(L, top, site, path);
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

typedef struct place_args {
  rl_place at;
  double z;
} place_args;
static const rl_key place_keys[] = {
    RL_PLACE_KEYS(place_args, at, "of the position"),
    {"z", RL_NUMBER, RIA_DIM_LENGTH, offsetof(place_args, z), .doc = "height"},
    {0}};
static const rl_table_info place_info = {.keys = place_keys};

/* The position { lon =, lat = } or { x =, y = } at idx, which has names. */
static void read_named(lua_State *L, int idx, making *m, const rl_site *site, const rl_path *path) {
  place_args p = {.z = NAN};
  enum { LON = 4 };
  const uint64_t given = rl_read_table(L, idx, &place_info, site, path, &p);
  rl_settle_place(L, NULL, place_keys, given, site, path, &p.at);
  const bool by_lon = given & LON;
  m->by_lon += by_lon;
  m->x[m->positions] = by_lon ? p.at.lon : p.at.x;
  m->y[m->positions] = by_lon ? p.at.lat : p.at.y;
  m->z[m->positions] = p.z;
}

static bool has_names(lua_State *L, int idx) {
  bool has = false;
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) has = has || lua_type(L, -2) == LUA_TSTRING;
  return has;
}

/* The position {x, y [, z]} or { lon =, lat = } on top of the stack. */
static void read_position(lua_State *L, making *m, const rl_site *site, const rl_path *path) {
  const int idx = lua_gettop(L);
  if (lua_type(L, idx) != LUA_TTABLE) rl_type_error(L, site, path, idx, "a position { x, y }");
  if (m->positions == m->positions_room) fail_changed(L, site, path);
  if (has_names(L, idx)) {
    read_named(L, idx, m, site, path);
  } else {
    m->x[m->positions] = read_coordinate(L, idx, 1, site, path);
    m->y[m->positions] = read_coordinate(L, idx, 2, site, path);
    m->z[m->positions] = read_coordinate(L, idx, 3, site, path);
  }
  m->positions++;
  if (m->by_lon && m->by_lon != m->positions)
    rl_fail(L, site, path, "%s: some positions are by lon and lat, and others by x and y",
            rl_push_path(L, path));
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
    if (is_kind_key(name) || (strcmp(name, "holes") == 0 && lua_istable(L, -1))) continue;
    if (m->attributes == m->attributes_room) fail_changed(L, site, path);
    if (!read_attribute(L, name, &m->attribute[m->attributes++]))
      rl_type_error(L, site, &item, -1, "a number, text, true or false");
    shape->n_attributes++;
  }
  qsort(m->attribute + m->attributes - shape->n_attributes, shape->n_attributes,
        sizeof *m->attribute, compare_names);
}

static void begin_part(lua_State *L, making *m, const rl_site *site, const rl_path *path) {
  if (m->firsts == m->firsts_room) fail_changed(L, site, path);
  m->first[m->firsts++] = m->positions;
}

/* Does part k of a shape lie in the box around its first? By the even-odd rule what lies beside it
 * would be land, not a hole. */
static bool is_within(const ria_shape *s, const making *m, size_t from) {
  double low[2], high[2];
  ria_shape_box(s, low, high);
  for (size_t k = from; k < m->positions; k++)
    if (m->x[k] < low[0] || m->x[k] > high[0] || m->y[k] < low[1] || m->y[k] > high[1])
      return false;
  return true;
}

/* The list of rings on top of the stack. */
static void read_holes(lua_State *L, making *m, ria_shape *shape, const rl_site *site,
                       const rl_path *path) {
  const int list = lua_gettop(L);
  if (shape->kind != RIA_POLYGONS)
    rl_fail(L, site, path, "%s: only a polygon has holes", rl_push_path(L, path));
  for (lua_Integer k = 1; k <= (lua_Integer)lua_rawlen(L, list); k++) {
    const rl_path item = {.up = path, .index = k};
    const size_t from = m->positions;
    lua_rawgeti(L, list, k);
    read_positions(L, m, RIA_POLYGONS, site, &item);
    lua_pop(L, 1);
    if (!is_within(shape, m, from))
      rl_fail(L, site, &item, "%s: the hole does not lie in the polygon", rl_push_path(L, &item));
    begin_part(L, m, site, path);
  }
  shape->n_parts += (size_t)lua_rawlen(L, list);
}

static void read_shape(lua_State *L, making *m, const rl_site *site, const rl_path *path) {
  const int idx = lua_gettop(L);
  ria_shape *shape = &m->shape[m->shapes++];
  const ria_shape_kind kind = push_kind(L, site, path);
  const rl_path entry = {.up = path, .key = kind_keys[kind]};
  *shape = (ria_shape){.kind = kind,
                       .n_parts = 1,
                       .first = m->first + m->firsts,
                       .polygon = m->polygon,
                       .x = m->x,
                       .y = m->y,
                       .z = m->z};
  begin_part(L, m, site, path);
  read_positions(L, m, kind, site, &entry);
  begin_part(L, m, site, path);
  if (lua_getfield(L, idx, "holes") == LUA_TTABLE)
    read_holes(L, m, shape, site, &(rl_path){.up = path, .key = "holes"});
  lua_settop(L, idx);
  read_attributes(L, idx, m, shape, site, path);
}

/* Positions of the list on top, with one to close a ring. */
static size_t count_list(lua_State *L) {
  return lua_type(L, -1) == LUA_TTABLE ? (size_t)lua_rawlen(L, -1) + 2 : 0;
}

/* Room for no more than this is needed by the shape on top of the stack. */
static void count_shape(lua_State *L, making *m) {
  const int idx = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
    m->attributes_room++;
    m->positions_room += count_list(L);
  }
  m->firsts_room += 2;
  if (lua_getfield(L, idx, "holes") == LUA_TTABLE)
    for (lua_Integer k = 1; k <= (lua_Integer)lua_rawlen(L, idx + 1); k++) {
      m->firsts_room++;
      lua_rawgeti(L, idx + 1, k);
      m->positions_room += count_list(L);
      lua_pop(L, 1);
    }
  lua_settop(L, idx);
}

/* What the list of n shapes at index 1 needs is counted, and there. */
static making begin(lua_State *L, size_t n) {
  making m = {.positions_room = 2, .attributes_room = 1};
  for (size_t k = 1; k <= n; k++) {
    if (lua_rawgeti(L, 1, (lua_Integer)k) == LUA_TTABLE) count_shape(L, &m);
    lua_pop(L, 1);
  }
  m.firsts_room += 2 * n; /* of what is no table, which is refused */
  m.shape = lua_newuserdatauv(L, n * sizeof *m.shape, 0);
  m.attribute = lua_newuserdatauv(L, m.attributes_room * sizeof *m.attribute, 0);
  m.first = lua_newuserdatauv(L, m.firsts_room * sizeof *m.first, 0);
  m.polygon = lua_newuserdatauv(L, m.firsts_room * sizeof *m.polygon, 0);
  m.x = lua_newuserdatauv(L, 3 * m.positions_room * sizeof *m.x, 0);
  m.y = m.x + m.positions_room;
  m.z = m.y + m.positions_room;
  for (size_t k = 0; k < m.firsts_room; k++) m.polygon[k] = 0;
  return m;
}

int rl_shapes_from_table(lua_State *L, const char *crs, const rl_site *site) {
  const size_t n = (size_t)lua_rawlen(L, 1);
  if (!n) rl_fail(L, site, NULL, "name a file, or write shapes: { { polygon = {...} }, ... }");
  making m = begin(L, n);
  for (size_t k = 0; k < n; k++) {
    const rl_path path = {.index = (lua_Integer)k + 1};
    lua_rawgeti(L, 1, (lua_Integer)k + 1);
    read_shape(L, &m, site, &path);
    lua_pop(L, 1);
  }
  rl_shapes *s = rl_new_shapes(L);
  const char *own = crs && strcmp(crs, "model") != 0 ? crs : NULL;
  if (m.by_lon && crs)
    rl_fail(L, site, &(rl_path){.key = "crs"},
            "positions by lon and lat are in degrees (WGS 84): leave crs = \"%s\" out", crs);
  if (m.by_lon) own = "OGC:CRS84";
  rl_try(L, site, NULL, ria_shapes_make(rl_context(L), m.shape, n, own, &s->shapes));
  return 1;
}
