/* tide_model.c - ria.tide { model = ... }: constituents of a side from maps of a tidal model.
 *
 * Where the side lies is known once a boundary takes it. Until then the table is kept as it was
 * written, with a metatable of its own; then its maps are read and it becomes the list of points
 * { at =, value = } that along.c reads. */
#include "binding.h"

#include <string.h>

#define TIDE_MODEL "ria.tide_model"

typedef struct model_args {
  double z0, ramp;
  int phases, nodal, unit, component;
  const char *depth;
  rl_names only;
} model_args;

static const char *const unit_names[] = {"m", "cm", "mm", NULL};
static const double unit_sizes[] = {1, 0.01, 0.001};
static const char *const component_names[] = {"level", "u", "v", NULL}; /* of ria_tide_of */

bool rl_is_tide_model(lua_State *L, int idx) {
  const bool has = lua_type(L, idx) == LUA_TTABLE && lua_getmetatable(L, idx);
  if (!has) return false;
  luaL_getmetatable(L, TIDE_MODEL);
  const bool is = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return is;
}

/* Its own keys: those of a tide that are said once, and those of models. */
static void read_args(lua_State *L, int idx, const rl_site *site, model_args *out) {
  static const rl_key own[] = {
      {"model", RL_ANY, .doc = "maps"},
      {"unit", RL_CHOICE, 0, offsetof(model_args, unit), .choices = unit_names, .doc = "of maps"},
      {"component", RL_CHOICE, 0, offsetof(model_args, component), .choices = component_names,
       .doc = "of transports"},
      {"depth", RL_STRING, 0, offsetof(model_args, depth), .doc = "grid file"},
      {"only", RL_NAMES, 0, offsetof(model_args, only), .doc = "constituents"},
      {"z0", RL_NUMBER, RIA_DIM_LENGTH, offsetof(model_args, z0), .doc = "mean level"},
      {"ramp", RL_NUMBER, RIA_DIM_TIME, offsetof(model_args, ramp), 0, 0, INFINITY,
       .doc = "growth"},
      {"phases", RL_CHOICE, 0, offsetof(model_args, phases), .choices = rl_phase_names,
       .doc = "origin"},
      {"nodal", RL_CHOICE, 0, offsetof(model_args, nodal), .choices = rl_nodal_names,
       .doc = "node"},
      {0}};
  *out = (model_args){.unit = -1};
  rl_read_table(L, idx, &(rl_table_info){.keys = own}, site, NULL, out);
}

/* --- its maps --------------------------------------------------------------------------------- */

static void fail_map(lua_State *L, int idx, const rl_site *site, const rl_path *path) {
  rl_type_error(L, site, path, idx,
                "{ \"amplitude.tif\", \"phase.tif\" }, or the name of a netCDF file with amplitude "
                "and phase");
}

static const char *file_at(lua_State *L, int idx, lua_Integer k, const rl_site *site,
                           const rl_path *path) {
  if (lua_rawgeti(L, idx, k) != LUA_TSTRING) fail_map(L, idx, site, path);
  const char *file = lua_tostring(L, -1);
  lua_pop(L, 1); /* the table keeps it */
  return file;
}

/* The entry on top of the stack, which is popped. */
static ria_tide_map read_map(lua_State *L, const rl_site *site, const rl_path *path) {
  ria_tide_map map = {.name = path->key};
  const int idx = lua_gettop(L);
  if (lua_type(L, idx) == LUA_TSTRING) {
    map.amplitude = lua_tostring(L, idx);
  } else {
    if (lua_type(L, idx) != LUA_TTABLE || lua_rawlen(L, idx) != 2) fail_map(L, idx, site, path);
    map.amplitude = file_at(L, idx, 1, site, path);
    map.phase = file_at(L, idx, 2, site, path);
  }
  lua_settop(L, idx - 1);
  return map;
}

static int order_of(const char *name) {
  size_t n;
  const char *const *names = ria_tide_names(&n);
  for (size_t k = 0; k < n; k++)
    if (ria_tide_same(names[k], name)) return (int)k;
  return -1;
}

/* Of the table at idx, in the order of the engine's names: the same sum every time. Pushes the
 * array. */
static void read_maps(lua_State *L, int idx, const rl_site *site, ria_tide_model *out) {
  const rl_path up = {.key = "model"};
  size_t known;
  const char *const *names = ria_tide_names(&known);
  ria_tide_map *all = lua_newuserdatauv(L, (known + 1) * sizeof *all, 0);
  for (size_t k = 0; k < known; k++) all[k] = (ria_tide_map){0};
  for (lua_pushnil(L); lua_next(L, idx);) {
    const rl_path path = {.up = &up, .key = rl_entry_name(L, site, &up, "M2 = { ... }")};
    const int at = order_of(path.key);
    if (at < 0) rl_unknown(L, site, &path, "constituent", path.key, names, known);
    const char *other = all[at].name;
    if (other) { /* in their order, whatever that of the table is */
      const bool swap = strcmp(other, path.key) > 0;
      rl_fail(L, site, &path, "%s and %s are one constituent", swap ? path.key : other,
              swap ? other : path.key);
    }
    all[at] = read_map(L, site, &path);
  }
  for (size_t k = 0; k < known; k++)
    if (all[k].name) all[out->n_maps++] = all[k];
  if (!out->n_maps)
    rl_fail(L, site, &up,
            "model names no constituent: { M2 = { \"amplitude.tif\", \"phase.tif\" } }");
  out->map = all;
}

/* The table at idx; what it points to is pushed. */
static ria_tide_model read_model(lua_State *L, int idx, const rl_site *site, model_args *a) {
  read_args(L, idx, site, a);
  ria_tide_model m = {.of = (ria_tide_of)a->component,
                      .depth = a->depth,
                      .only = a->only.n ? a->only.at : NULL,
                      .n_only = a->only.n};
  const rl_path path = {.key = "model"};
  const int type = lua_getfield(L, idx, "model"), top = lua_gettop(L);
  if (type == LUA_TSTRING) {
    m.otis = lua_tostring(L, -1);
    if (a->unit >= 0) rl_fail(L, site, &path, "a file of OTIS has its unit: m; `unit` is for maps");
  } else if (type == LUA_TTABLE) {
    read_maps(L, top, site, &m);
    if (a->unit < 0)
      rl_fail(L, site, &path,
              "missing key 'unit': of the amplitudes in the maps, \"m\" or \"cm\" (FES)");
    m.unit = unit_sizes[a->unit];
  } else {
    rl_type_error(L, site, &path, top,
                  "a table { M2 = { \"amplitude.tif\", \"phase.tif\" }, ... }, or a file of OTIS");
  }
  return m;
}

bool rl_push_tide_model(lua_State *L, const rl_site *site) {
  model_args a;
  if (lua_type(L, 1) != LUA_TTABLE) return false;
  const bool is = lua_getfield(L, 1, "model") != LUA_TNIL;
  lua_pop(L, 1);
  if (!is) return false;
  (void)read_model(L, 1, site, &a);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, -5);
  }
  luaL_newmetatable(L, TIDE_MODEL);
  lua_setmetatable(L, -2);
  return true;
}

/* --- along a boundary ------------------------------------------------------------------------- */

/* Push { at = {x, y}, value = series }. */
static void push_point(lua_State *L, const ria_tide_point *p, const model_args *a,
                       const rl_site *site) {
  const ria_tide_desc tide = {.constituents = p->constituents,
                              .n = p->n,
                              .z0 = a->z0,
                              .ramp = a->ramp,
                              .phases = (ria_phases)a->phases,
                              .nodal = (ria_nodal)a->nodal};
  lua_createtable(L, 0, 2);
  lua_createtable(L, 2, 0);
  lua_pushnumber(L, p->x);
  lua_rawseti(L, -2, 1);
  lua_pushnumber(L, p->y);
  lua_rawseti(L, -2, 2);
  lua_setfield(L, -2, "at");
  rl_series *s = rl_new_series(L);
  rl_try(L, site, NULL, ria_series_tide(rl_context(L), &tide, &s->series));
  lua_setfield(L, -2, "value");
}

/* Push the list of them. */
static void push_list(lua_State *L, const ria_tide_points *all, const model_args *a,
                      const rl_site *site) {
  lua_createtable(L, (int)all->n, 0);
  for (size_t k = 0; k < all->n; k++) {
    push_point(L, &all->point[k], a, site);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
}

void rl_push_model_points(lua_State *L, int idx, ria_sim *sim, ria_boundary_id id,
                          const ria_boundary_desc *where, const rl_site *site) {
  model_args a;
  idx = lua_absindex(L, idx);
  const int top = lua_gettop(L);
  luaL_checkstack(L, 20, "a tidal model");
  const ria_tide_model m = read_model(L, idx, site, &a);
  ria_tide_points *all = rl_new_tide_points(L);
  rl_try(L, site, NULL, ria_tide_model_along(sim, id, where, &m, all));
  push_list(L, all, &a, site);
  ria_tide_points_free(all);
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
}

void rl_push_model_currents(lua_State *L, int u, int v, ria_sim *sim, ria_boundary_id id,
                            const ria_boundary_desc *where, const rl_site *site) {
  model_args a, b;
  u = lua_absindex(L, u);
  v = lua_absindex(L, v);
  const int top = lua_gettop(L);
  luaL_checkstack(L, 40, "a tidal model");
  const ria_tide_model east = read_model(L, u, site, &a), north = read_model(L, v, site, &b);
  if (a.ramp != b.ramp || a.phases != b.phases || a.nodal != b.nodal)
    rl_fail(L, site, NULL,
            "u and v of a tidal model are turned to the grid together: give both the same ramp, "
            "phases and nodal");
  if (a.z0 != 0.0 || b.z0 != 0.0)
    rl_fail(L, site, NULL, "z0 is a mean level: currents of a tidal model have none");
  ria_tide_points *along_x = rl_new_tide_points(L), *along_y = rl_new_tide_points(L);
  rl_try(L, site, NULL, ria_tide_currents_along(sim, id, where, &east, &north, along_x, along_y));
  push_list(L, along_x, &a, site);
  push_list(L, along_y, &a, site);
  ria_tide_points_free(along_x);
  ria_tide_points_free(along_y);
  lua_replace(L, top + 2);
  lua_replace(L, top + 1);
  lua_settop(L, top + 2);
}
