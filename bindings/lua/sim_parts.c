/* sim_parts.c - parts of the table of ria.sim: the grid, parameters and tracers; and sim:vary. */
#include "binding.h"

#include <math.h>
#include <string.h>

static const rl_key grid_keys[] = {RL_GRID_KEYS, {0}};
const rl_table_info rl_grid_info = {.keys = grid_keys};

static const rl_key tracer_keys[] = {
    {"name", RL_STRING, 0, offsetof(ria_tracer, name), .doc = "in the list form"},
    {"unit", RL_STRING, 0, offsetof(ria_tracer, unit),
     .doc = "of its concentration: mg/l, cfu/100 ml, count(algae)/l, Bq/l, K, psu ...; kg/m^3 if "
            "left out"},
    {"decay", RL_NUMBER, RIA_DIM_RATE, offsetof(ria_tracer, decay), 0, 0, INFINITY,
     .doc = "first-order rate of decay"},
    {"diffusion", RL_NUMBER, RIA_DIM_DIFFUSIVITY, offsetof(ria_tracer, diffusion), 0, 0, INFINITY,
     .doc = "of its spreading"},
    {0}};
const rl_table_info rl_tracer_info = {.keys = tracer_keys};

void rl_read_grid(lua_State *L, int table, const rl_site *site, ria_sim_desc *desc) {
  rl_path path = {.key = "grid"};
  lua_getfield(L, table, "grid");
  const ria_raster *raster = rl_test_field(L, -1);
  if (raster) {
    desc->grid = raster->grid;
    if (!desc->crs) desc->crs = raster->crs;
  } else {
    rl_grid_args a = {0};
    if (lua_type(L, -1) != LUA_TTABLE)
      rl_type_error(L, site, &path, -1, "{ nx =, ny =, dx = } or a ria.dem \"file.asc\"");
    const uint64_t given = rl_read_table(L, -1, &rl_grid_info, site, &path, &a);
    desc->grid = rl_grid_of(L, &a, given, site, &path);
  }
  rl_try(L, site, &path, ria_grid_check(rl_context(L), &desc->grid));
}

static const ria_param_info *find_param(lua_State *L, const ria_solver *solver, const char *name,
                                        const rl_site *site, const rl_path *path) {
  enum { MAX_PARAMS = 64 };
  const char *names[MAX_PARAMS];
  size_t n = 0;
  for (const ria_param_info *p = solver->params; p->name; p++) {
    if (strcmp(p->name, name) == 0) return p;
    if (n < MAX_PARAMS) names[n++] = p->name;
  }
  rl_unknown(L, site, path, "parameter", name, names, n);
}

/* A value of a parameter that may follow a series. Pushes what it points to. */
static ria_value read_varying(lua_State *L, int idx, const ria_param_info *p, const rl_site *site,
                              const rl_path *path) {
  const rl_key key = {
      .name = p->name, .type = RL_VALUE, .dim = p->dim, .min = p->min, .max = p->max};
  ria_value value = {0};
  if (lua_type(L, idx) == LUA_TFUNCTION)
    rl_fail(L, site, path,
            "%s is not a function: make it a series with series.sample of require \"ria.series\"",
            rl_push_path(L, path));
  rl_read(L, idx, &key, site, path, &value);
  return value;
}

/* One parameter, on top of the stack, as the solver's table has it. A series comes later, when
 * there is a simulation that can follow it: here it is the default. */
static ria_setting read_param(lua_State *L, const ria_param_info *p, const rl_site *site,
                              const rl_path *path) {
  ria_setting setting = {.name = p->name};
  rl_key key = {
      .name = p->name, .dim = p->dim, .min = p->min, .max = p->max, .choices = p->choices};
  int choice = 0, whole = 0;
  bool yes = false;
  switch (p->type) {
  case RIA_REAL:
    if (lua_type(L, -1) == LUA_TFUNCTION || rl_test_field(L, -1))
      rl_fail(L, site, path, "%s is one number: a map goes into init", rl_push_path(L, path));
    key.type = RL_NUMBER;
    rl_read(L, -1, &key, site, path, &setting.number);
    break;
  case RIA_VARYING: {
    const ria_value value = read_varying(L, lua_gettop(L), p, site, path);
    setting.number = value.series ? p->def : value.constant;
    break;
  }
  case RIA_INT:
    key.type = RL_INT;
    rl_read(L, -1, &key, site, path, &whole);
    setting.number = whole;
    break;
  case RIA_BOOL:
    key.type = RL_BOOL;
    rl_read(L, -1, &key, site, path, &yes);
    setting.number = yes;
    break;
  case RIA_CHOICE:
    key.type = RL_CHOICE;
    rl_read(L, -1, &key, site, path, &choice);
    setting.number = choice;
    setting.text = p->choices[choice];
    break;
  }
  return setting;
}

/* The array of settings is pushed. */
void rl_read_params(lua_State *L, int table, const ria_solver *solver, const rl_site *site,
                    ria_sim_desc *desc) {
  rl_path group = {.key = "params"};
  size_t n = 0;
  lua_getfield(L, table, "params");
  int params = lua_gettop(L);
  if (lua_isnil(L, params)) return;
  for (lua_pushnil(L); lua_next(L, params); lua_pop(L, 1)) n++;
  ria_setting *settings = lua_newuserdatauv(L, (n + 1) * sizeof *settings, 0);
  n = 0;
  for (lua_pushnil(L); lua_next(L, params); lua_settop(L, params + 2)) {
    rl_path path = {.up = &group, .key = rl_entry_name(L, site, &group, "name = value")};
    const ria_param_info *p = find_param(L, solver, path.key, site, &path);
    settings[n++] = read_param(L, p, site, &path);
  }
  desc->params = settings;
  desc->n_params = n;
}

void rl_vary_params(lua_State *L, rl_sim *s, int table, const rl_site *site) {
  rl_path group = {.key = "params"};
  lua_getfield(L, table, "params");
  int params = lua_gettop(L);
  if (lua_isnil(L, params)) return;
  for (const ria_param_info *p = s->solver->params; p->name; p++) {
    rl_path path = {.up = &group, .key = p->name};
    if (p->type != RIA_VARYING || lua_getfield(L, params, p->name) == LUA_TNIL) continue;
    const ria_value value = read_varying(L, lua_gettop(L), p, site, &path);
    if (value.series) rl_try(L, site, &path, ria_sim_vary(s->sim, p->name, &value));
  }
  lua_settop(L, params - 1);
}

int rl_sim_vary(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:vary", 2, &site);
  rl_sim *s = rl_check_sim(L, &site);
  const char *name = rl_string(L, 2, &site, "name");
  const rl_path path = {.key = name};
  const ria_param_info *p = find_param(L, s->solver, name, &site, &path);
  ria_value value = {0};
  if (p->type == RIA_VARYING) value = read_varying(L, 3, p, &site, &path);
  rl_try(L, &site, NULL, ria_sim_vary(s->sim, name, &value));
  return 0;
}

static int compare_tracers(const void *a, const void *b) {
  return strcmp(((const ria_tracer *)a)->name, ((const ria_tracer *)b)->name);
}

/* The tracer on top of the stack. What its texts belong to stays there. */
static void read_tracer(lua_State *L, const char *name, const rl_site *site, const rl_path *path,
                        ria_tracer *out) {
  *out = (ria_tracer){0};
  int top = lua_gettop(L);
  if (lua_type(L, top) == LUA_TSTRING && !name)
    out->name = lua_tostring(L, top);
  else
    rl_read_table(L, top, &rl_tracer_info, site, path, out);
  ria_unit unit;
  rl_path entry = {.up = path, .key = "unit"};
  if (ria_unit_read(rl_context(L), out->unit, &unit) != RIA_OK)
    rl_fail(L, site, &entry, "%s: %s", rl_push_path(L, &entry), ria_error(rl_context(L)));
  if (name && out->name)
    rl_fail(L, site, path, "%s has its name already: leave `name` out", rl_push_path(L, path));
  if (name) out->name = name;
  if (!out->name) rl_fail(L, site, path, "%s needs a name", rl_push_path(L, path));
}

/* Tracers: those of the list part in its order, then those by name in the order of names. */
void rl_read_tracers(lua_State *L, int table, const ria_solver *solver, const rl_site *site,
                     ria_tracer out[RIA_MAX_TRACERS], ria_sim_desc *desc) {
  rl_path group = {.key = "tracers"};
  size_t n = 0, listed;
  lua_getfield(L, table, "tracers");
  int tracers = lua_gettop(L);
  if (lua_isnil(L, tracers)) return;
  int most = solver->max_tracers < RIA_MAX_TRACERS ? solver->max_tracers : RIA_MAX_TRACERS;
  for (lua_pushnil(L); lua_next(L, tracers); lua_pop(L, 1))
    if (++n > (size_t)most)
      rl_fail(L, site, &group, "too many tracers: '%s' takes at most %d", solver->name, most);
  listed = (size_t)lua_rawlen(L, tracers);
  for (n = 0; n < listed; n++) {
    rl_path path = {.up = &group, .index = (lua_Integer)n + 1};
    luaL_checkstack(L, 40, "tracers");
    lua_rawgeti(L, tracers, (lua_Integer)n + 1);
    read_tracer(L, NULL, site, &path, &out[n]);
  }
  for (lua_pushnil(L); n < RIA_MAX_TRACERS && lua_next(L, tracers);) {
    luaL_checkstack(L, 40, "tracers");
    lua_pushvalue(L, -2); /* the key: for the next one, above what this one leaves */
    if (lua_type(L, -1) == LUA_TSTRING) {
      rl_path path = {.up = &group, .key = lua_tostring(L, -1)};
      lua_pushvalue(L, -2);
      int key = lua_gettop(L) - 1;
      read_tracer(L, path.key, site, &path, &out[n++]);
      lua_pushvalue(L, key);
    }
  }
  qsort(out + listed, n - listed, sizeof *out, compare_tracers);
  desc->tracers = out;
  desc->n_tracers = n;
}
