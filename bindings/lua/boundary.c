/* boundary.c - from what a scenario says of a side to a boundary of the engine.
 *
 * One rule serves every solver: an entry is a kind by name ("open"), a table of values, or a
 * series. Which kinds there are, and the names and units of their values, is read from the solver's
 * table. */
#include "boundary.h"

#include <string.h>

/* --- one entry -------------------------------------------------------------------------------- */

/* Where the boundary of the table at `entry` (0: its name alone) lies; one that changes has an id.
 */
static ria_boundary_id find_where(lua_State *L, const rl_sim *s, int entry, bool change,
                                  const rl_site *site, const rl_path *path,
                                  ria_boundary_desc *where) {
  ria_boundary_id id = 0;
  if (change)
    rl_try(L, site, path, ria_boundary_find(s->sim, where->name, &id));
  else
    rl_read_boundary_place(L, s, entry, site, path, where);
  return id;
}

/* Is the value `name` on top of the stack given at points? The tide of a model and what a larger
 * run saved become such a list there: they need to know where the boundary lies, which the table at
 * `entry` says (0: its name alone). */
static bool is_along(lua_State *L, const rl_sim *s, int entry, const char *name, bool change,
                     const rl_site *site, const rl_path *path, const ria_boundary_desc *desc) {
  const bool nest = rl_is_nest(L, -1);
  if (!nest && !rl_is_tide_model(L, -1)) return rl_is_along(L, -1);
  const int value = lua_gettop(L);
  const rl_path given = {.up = path, .key = name};
  ria_boundary_desc where = *desc;
  const ria_boundary_id id = find_where(L, s, entry, change, site, path, &where);
  if (nest)
    rl_push_nest_points(L, value, s->sim, id, &where, name, site, entry ? &given : path);
  else
    rl_push_model_points(L, value, s->sim, id, &where, site);
  lua_replace(L, value);
  lua_settop(L, value); /* without the line that told where */
  return true;
}

/* Currents of a tidal model run east and north, those of a boundary along the grid's axes. Pushes
 * the lists of u and v where both are given so; returns where, 0: neither is, or the axes are the
 * same. */
static int push_currents(lua_State *L, const rl_sim *s, int idx, const ria_boundary_kind *kind,
                         bool change, const rl_site *site, const rl_path *path,
                         const ria_boundary_desc *desc) {
  if (!rl_kind_has_value(kind, "u") || !rl_kind_has_value(kind, "v")) return 0;
  const int top = lua_gettop(L);
  lua_getfield(L, idx, "u");
  lua_getfield(L, idx, "v");
  const bool u = rl_is_tide_model(L, top + 1), v = rl_is_tide_model(L, top + 2);
  const bool turned = ria_sim_crs(s->sim) || ria_sim_grid(s->sim)->angle != 0.0;
  if (u != v && turned)
    rl_fail(L, site, &(rl_path){.up = path, .key = u ? "u" : "v"},
            "currents of a tidal model run east and north, and are turned to the grid's axes: give "
            "%s by the model too",
            u ? "v" : "u");
  if (!u || !v || !turned) {
    lua_settop(L, top);
    return 0;
  }
  ria_boundary_desc where = *desc;
  const ria_boundary_id id = find_where(L, s, idx, change, site, path, &where);
  rl_push_model_currents(L, top + 1, top + 2, s->sim, id, &where, site);
  lua_replace(L, top + 2);
  lua_replace(L, top + 1);
  lua_settop(L, top + 2); /* without the line that told where */
  return top + 1;
}

static void read_values(lua_State *L, const rl_sim *s, int idx, const ria_boundary_kind *kind,
                        bool change, const rl_site *site, const rl_path *path,
                        ria_boundary_desc *out) {
  const int currents = push_currents(L, s, idx, kind, change, site, path, out);
  int n = 0;
  for (int k = 0; k < RIA_BOUNDARY_VALUES && kind->values[k].name; k++) {
    const ria_boundary_value_info *info = &kind->values[k];
    rl_path entry = {.up = path, .key = info->name};
    if (currents && (strcmp(info->name, "u") == 0 || strcmp(info->name, "v") == 0))
      lua_pushvalue(L, currents + (info->name[0] == 'v'));
    else
      lua_getfield(L, idx, info->name);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      if (info->required && !change)
        rl_fail(L, site, path, "missing key '%s': a '%s' boundary needs it (%s)",
                rl_push_path(L, &entry), kind->name, info->unit);
      continue;
    }
    if (is_along(L, s, idx, info->name, change, site, path, out)) {
      rl_read_along(L, -1, &(rl_map){.sim = s->sim},
                    &(rl_key){.name = info->name, .dim = info->dim}, site, &entry, out);
      continue;
    }
    if (!info->curve) rl_check_listed(L, -1, site, &entry);
    out->values[n].name = info->name;
    rl_read(L, -1,
            &(rl_key){.name = info->name, .type = RL_VALUE, .dim = info->dim, .curve = info->curve},
            site, &entry, &out->values[n++].value);
  }
}

/* Change without a kind: the values belong to whichever kind has them, the engine knows whether
 * that is the boundary's; one that it requires may stay as it was. */
static void read_loose_values(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                              const rl_path *path, ria_boundary_desc *out) {
  const ria_boundary_kind *kind = rl_kind_with_most_values(L, idx, s->solver);
  if (kind) read_values(L, s, idx, kind, true, site, path, out);
}

void rl_read_concentrations(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                            const rl_path *path, ria_value out[RIA_MAX_TRACERS], unsigned *given) {
  lua_getfield(L, idx, "tracers");
  if (lua_isnil(L, -1)) return;
  rl_path group = {.up = path, .key = "tracers"};
  int table = lua_gettop(L);
  if (lua_type(L, table) != LUA_TTABLE)
    rl_type_error(L, site, &group, table, "a table { tracer = concentration }");
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    rl_path entry = {.up = &group, .key = rl_entry_name(L, site, &group, "tracer = concentration")};
    const char *names[RIA_MAX_TRACERS];
    int found = 0;
    for (int k = 0; k < s->n_tracers; k++) {
      names[k] = s->tracer[k];
      if (strcmp(entry.key, names[k]) == 0) found = k;
    }
    rl_check_name(L, entry.key, (rl_names){names, (size_t)s->n_tracers}, "tracer", site, &entry);
    *given |= 1u << found;
  }
  for (int k = 0; k < s->n_tracers; k++) {
    if (!(*given & 1u << k)) continue;
    rl_path entry = {.up = &group, .key = s->tracer[k]};
    lua_getfield(L, table, s->tracer[k]);
    const rl_key key = {
        .type = RL_VALUE, .measure = RIA_CONCENTRATION, .unit = ria_sim_unit(s->sim, k)};
    rl_read(L, -1, &key, site, &entry, &out[k]);
  }
}

/* Read the entry at idx into *out, whose name is set. Pushes what its values point to. */
static void read_entry(lua_State *L, const rl_sim *s, int idx, bool change, const rl_site *site,
                       const rl_path *path, ria_boundary_desc *out) {
  luaL_checkstack(L, 60, "boundary");
  idx = lua_absindex(L, idx);
  const bool nest = rl_is_nest(L, idx);
  const rl_desc *d = nest ? NULL : rl_to_desc(L, idx);
  if (d && d->kind != RL_INFLOW) rl_type_error(L, site, path, idx, "a boundary");
  if (d) { /* its table is written elsewhere: blame that place */
    idx = lua_gettop(L);
    site = &d->site;
    path = NULL;
  }
  const ria_boundary_kind *kind = NULL;
  if (lua_type(L, idx) == LUA_TSTRING) {
    kind = rl_kind_by_name(L, s->solver, lua_tostring(L, idx), site, path);
    if (rl_kind_requires(kind))
      rl_fail(L, site, path, "'%s' needs values: { kind = \"%s\", %s = ... }", kind->name,
              kind->name, kind->values[0].name);
  } else if (luaL_testudata(L, idx, RL_SERIES)) {
    kind = rl_kind_of_series(L, s, site, path);
    out->values[0].name = kind->values[0].name;
    out->values[0].value.series = rl_to_series(
        L, idx, &(rl_key){.dim = kind->values[0].dim, .curve = kind->values[0].curve}, site, path);
  } else if (nest || rl_is_tide_model(L, idx) || rl_is_along(L, idx)) {
    kind = rl_kind_of_series(L, s, site, path);
    const ria_boundary_value_info *info = &kind->values[0];
    lua_pushvalue(L, idx);
    (void)is_along(L, s, 0, info->name, change, site, path, out);
    rl_read_along(L, -1, &(rl_map){.sim = s->sim}, &(rl_key){.name = info->name, .dim = info->dim},
                  site, path, out);
  } else if (lua_type(L, idx) == LUA_TTABLE) {
    kind = rl_settle_kind(L, s, idx, change, site, path);
    rl_check_boundary_keys(L, idx, s->solver, kind, site, path);
    if (kind)
      read_values(L, s, idx, kind, change, site, path, out);
    else
      read_loose_values(L, s, idx, site, path, out);
    rl_read_concentrations(L, s, idx, site, path, out->tracers, &out->tracers_given);
  } else {
    rl_type_error(
        L, site, path, idx,
        "the name of a kind, a table { kind = ... }, a ria.tide, a ria.series, a ria.nest or a "
        "ria.inflow");
  }
  out->kind = kind ? kind->name : NULL;
  if (change && lua_type(L, idx) == LUA_TTABLE) rl_read_same_place(L, s, idx, site, path, out);
  if (!change)
    rl_read_boundary_place(L, s, lua_type(L, idx) == LUA_TTABLE ? idx : 0, site, path, out);
}

/* --- all of them ------------------------------------------------------------------------------ */

static void add_entry(lua_State *L, rl_sim *s, int table, const char *name, const rl_site *site,
                      const rl_path *path) {
  int top = lua_gettop(L);
  rl_path entry = {.up = path, .key = name};
  ria_boundary_desc desc = {.name = name};
  ria_boundary_id id;
  lua_getfield(L, table, name);
  const rl_desc *written = luaL_testudata(L, -1, RL_DESC);
  read_entry(L, s, top + 1, false, site, &entry, &desc);
  rl_try(L, written ? &written->site : site, written ? NULL : &entry,
         ria_boundary_add(s->sim, &desc, &id));
  lua_settop(L, top);
}

/* One that others cover was meant to be there. */
static void check_edges(lua_State *L, rl_sim *s, int table, const char *name, const rl_site *site) {
  lua_getfield(L, table, name);
  const rl_desc *written = luaL_testudata(L, -1, RL_DESC);
  rl_try(L, written ? &written->site : site, NULL, ria_boundary_check_edges(s->sim, name));
  lua_pop(L, 1);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void rl_add_boundaries(lua_State *L, rl_sim *s, int idx, const rl_site *site, const rl_path *path) {
  idx = lua_absindex(L, idx);
  if (lua_type(L, idx) != LUA_TTABLE)
    rl_type_error(L, site, path, idx, "a table { south = ..., north = ... }");
  size_t n = 0;
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) n++;
  const char **names = rl_new_names(L, n);
  const int array = lua_gettop(L);
  const size_t most = n;
  n = 0;
  for (lua_pushnil(L); n < most && lua_next(L, idx); lua_pop(L, 1)) {
    rl_entry_name(L, site, path, "south = ... or river = ...");
    lua_pushvalue(L, -2);
    rl_set_name(L, array, n++);
  }
  lua_settop(L, array);
  /* whole sides first, then what lies on stretches of them, each by name */
  qsort(names, n, sizeof *names, compare_names);
  for (int stretches = 0; stretches < 2; stretches++)
    for (size_t k = 0; k < n; k++)
      if ((rl_side_by_name(names[k]) < 0) == stretches) add_entry(L, s, idx, names[k], site, path);
  for (size_t k = 0; k < n; k++) check_edges(L, s, idx, names[k], site);
  lua_pop(L, 1);
}

/* sim:boundary(name, entry): change a boundary from now on. */
static int sim_boundary(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:boundary", 2, &site);
  rl_sim *s = rl_check_sim(L, &site);
  if (lua_type(L, 2) == LUA_TTABLE)
    rl_fail(L, &site, NULL, "the name comes first: sim:boundary(\"west\", { ... })");
  const char *name = rl_string(L, 2, &site, "name");
  ria_boundary_id id;
  ria_boundary_desc desc = {.name = name};
  rl_try(L, &site, NULL, ria_boundary_find(s->sim, name, &id));
  read_entry(L, s, 3, true, &site, NULL, &desc);
  rl_try(L, &site, NULL, ria_boundary_change(s->sim, id, &desc));
  return 0;
}

/* sim:flux(name [, quantity]): inflow and outflow through a boundary since the start. */
static int sim_flux(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:flux", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  const char *name = rl_string(L, 2, &site, "name");
  const char *quantity = lua_isnoneornil(L, 3) ? NULL : rl_string(L, 3, &site, "quantity");
  ria_boundary_id id;
  double in, out;
  rl_try(L, &site, NULL, ria_boundary_find(s->sim, name, &id));
  rl_try(L, &site, NULL, ria_boundary_flux(s->sim, id, quantity, &in, &out));
  lua_pushnumber(L, in);
  lua_pushnumber(L, out);
  return 2;
}

const luaL_Reg rl_boundary_methods[] = {
    {"boundary", sim_boundary}, {"flux", sim_flux}, {NULL, NULL}};
