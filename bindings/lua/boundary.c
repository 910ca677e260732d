/* boundary.c - from what a scenario says of a side to a boundary of the engine.
 *
 * One rule serves every solver: an entry is a kind by name ("open"), a table of values, or a
 * series. Where the kind is not named it is the first of the solver's whose required values are
 * exactly those given; a series alone stands for the first kind that requires one value. Which
 * kinds there are, and the names and units of their values, is read from the solver's table. */
#include "shapes.h"

#include <math.h>
#include <string.h>

enum { MAX_NAMES = 32 };

/* Keys an entry may have whatever its kind. */
static const char *const common_keys[] = {"kind", "from", "to", "side", "line", "reach", "tracers"};
enum { N_COMMON = sizeof common_keys / sizeof *common_keys };

static const char *const side_names[] = {[RIA_WEST] = "west",
                                         [RIA_EAST] = "east",
                                         [RIA_SOUTH] = "south",
                                         [RIA_NORTH] = "north",
                                         [RIA_SIDES] = NULL};

/* --- the solver's kinds ----------------------------------------------------------------------- */

static int required_values(const ria_boundary_kind *kind) {
  int n = 0;
  for (int k = 0; k < RIA_BOUNDARY_VALUES && kind->values[k].name; k++)
    n += kind->values[k].required;
  return n;
}

/* Another solver's kind is no slip of the pen. */
static void check_elsewhere(lua_State *L, const ria_solver *solver, const char *name,
                            const rl_site *site, const rl_path *path) {
  for (size_t k = 0; k < ria_solver_count(); k++) {
    const ria_solver *other = ria_solver_at(k);
    for (const ria_boundary_kind *kind = other->boundaries; kind && kind->name; kind++)
      if (strcmp(kind->name, name) == 0)
        rl_fail(L, site, path,
                "solver '%s' has no boundaries of the kind '%s', which are of '%s': see `ria help "
                "%s`",
                solver->name, name, other->name, solver->name);
  }
}

static const ria_boundary_kind *kind_by_name(lua_State *L, const ria_solver *solver,
                                             const char *name, const rl_site *site,
                                             const rl_path *path) {
  const char *names[MAX_NAMES];
  size_t n = 0;
  for (const ria_boundary_kind *kind = solver->boundaries; kind->name; kind++) {
    if (strcmp(kind->name, name) == 0) return kind;
    if (n < MAX_NAMES) names[n++] = kind->name;
  }
  check_elsewhere(L, solver, name, site, path);
  rl_unknown(L, site, path, "kind of boundary", name, names, n);
}

static const ria_boundary_kind *kind_of_one_value(const ria_solver *solver) {
  for (const ria_boundary_kind *kind = solver->boundaries; kind->name; kind++)
    if (required_values(kind) == 1) return kind;
  return NULL;
}

/* All values of a kind that the table at idx gives are its own, and none it requires is missing. */
static bool kind_fits(lua_State *L, int idx, const ria_boundary_kind *kind) {
  int values = 0;
  for (int k = 0; k < RIA_BOUNDARY_VALUES && kind->values[k].name; k++) {
    lua_getfield(L, idx, kind->values[k].name);
    bool given = !lua_isnil(L, -1);
    lua_pop(L, 1);
    if (kind->values[k].required && !given) return false;
    values += given;
  }
  return values > 0;
}

/* Add the names of a kind's values to names[n..]; returns how many there are then. */
static size_t add_value_names(const ria_boundary_kind *kind, const char *names[], size_t n) {
  for (int k = 0; k < RIA_BOUNDARY_VALUES && kind->values[k].name && n < MAX_NAMES; k++)
    names[n++] = kind->values[k].name;
  return n;
}

/* Every key is a common one or a value of the kind (of any kind where none is settled). */
static void check_keys(lua_State *L, int idx, const ria_solver *solver,
                       const ria_boundary_kind *kind, const rl_site *site, const rl_path *path) {
  const char *names[MAX_NAMES];
  size_t n = 0;
  for (; n < N_COMMON; n++) names[n] = common_keys[n];
  if (kind) n = add_value_names(kind, names, n);
  for (const ria_boundary_kind *any = solver->boundaries; !kind && any->name; any++)
    n = add_value_names(any, names, n);
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      rl_fail(L, site, path, "%s: an entry without a name: write key = value",
              rl_push_path(L, path));
    const char *name = lua_tostring(L, -2);
    bool known = false;
    for (size_t k = 0; k < n && !known; k++) known = strcmp(names[k], name) == 0;
    if (known) continue;
    rl_path entry = {.up = path, .key = name};
    if (kind && !ria_nearest(name, names, n))
      rl_fail(L, site, &entry, "unknown key '%s': a '%s' boundary has no such value",
              rl_push_path(L, &entry), kind->name);
    rl_unknown(L, site, &entry, "key", name, names, n);
  }
}

/* The kind of the table at idx; NULL when it is left open and may be (`change`). */
static const ria_boundary_kind *settle_kind(lua_State *L, const rl_sim *s, int idx, bool change,
                                            const rl_site *site, const rl_path *path) {
  lua_getfield(L, idx, "kind");
  if (!lua_isnil(L, -1)) {
    rl_path entry = {.up = path, .key = "kind"};
    if (lua_type(L, -1) != LUA_TSTRING) rl_type_error(L, site, &entry, -1, "the name of a kind");
    return kind_by_name(L, s->solver, lua_tostring(L, -1), site, &entry);
  }
  lua_pop(L, 1);
  check_keys(L, idx, s->solver, NULL, site, path);
  if (change) return NULL;
  for (const ria_boundary_kind *kind = s->solver->boundaries; kind->name; kind++)
    if (kind_fits(L, idx, kind)) return kind;
  rl_fail(L, site, path, "%s%sneeds a kind, or the values of one: see `ria help %s`",
          rl_push_path(L, path), path ? " " : "", s->solver->name);
}

/* --- one entry -------------------------------------------------------------------------------- */

static void read_place(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                       const rl_path *path, ria_boundary_desc *out);

/* Where the boundary of the table at `entry` (0: its name alone) lies; one that changes has an id.
 */
static ria_boundary_id find_where(lua_State *L, const rl_sim *s, int entry, bool change,
                                  const rl_site *site, const rl_path *path,
                                  ria_boundary_desc *where) {
  ria_boundary_id id = 0;
  if (change)
    rl_try(L, site, path, ria_boundary_find(s->sim, where->name, &id));
  else
    read_place(L, s, entry, site, path, where);
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

static bool has_value(const ria_boundary_kind *kind, const char *name) {
  for (int k = 0; k < RIA_BOUNDARY_VALUES && kind->values[k].name; k++)
    if (strcmp(kind->values[k].name, name) == 0) return true;
  return false;
}

/* Currents of a tidal model run east and north, those of a boundary along the grid's axes. Pushes
 * the lists of u and v where both are given so; returns where, 0: neither is, or the axes are the
 * same. */
static int push_currents(lua_State *L, const rl_sim *s, int idx, const ria_boundary_kind *kind,
                         bool change, const rl_site *site, const rl_path *path,
                         const ria_boundary_desc *desc) {
  if (!has_value(kind, "u") || !has_value(kind, "v")) return 0;
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
    out->values[n].name = info->name;
    rl_read(L, -1,
            &(rl_key){.name = info->name, .type = RL_VALUE, .dim = info->dim, .curve = info->curve},
            site, &entry, &out->values[n++].value);
  }
}

/* How many of its values the table at idx gives. */
static int values_given(lua_State *L, int idx, const ria_boundary_kind *kind) {
  int n = 0;
  for (int k = 0; k < RIA_BOUNDARY_VALUES && kind->values[k].name; k++) {
    n += lua_getfield(L, idx, kind->values[k].name) != LUA_TNIL;
    lua_pop(L, 1);
  }
  return n;
}

/* Change without a kind: the values belong to whichever kind has them, the engine knows whether
 * that is the boundary's; one that it requires may stay as it was. */
static void read_loose_values(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                              const rl_path *path, ria_boundary_desc *out) {
  const ria_boundary_kind *best = NULL;
  int most = 0;
  for (const ria_boundary_kind *kind = s->solver->boundaries; kind->name; kind++) {
    const int n = values_given(L, idx, kind);
    if (n > most) best = kind;
    if (n > most) most = n;
  }
  if (best) read_values(L, s, idx, best, true, site, path, out);
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
    rl_path entry = {.up = &group,
                     .key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : ""};
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

/* Returns whether the end is given. */
static bool read_end(lua_State *L, const rl_sim *s, int idx, const char *name, const rl_site *site,
                     const rl_path *path, double out[2]) {
  rl_path entry = {.up = path, .key = name};
  lua_getfield(L, idx, name);
  bool given = !lua_isnil(L, -1);
  if (given) rl_read_point(L, -1, &(rl_map){.sim = s->sim}, site, &entry, out);
  lua_pop(L, 1);
  return given;
}

static int side_by_name(const char *name) {
  for (int k = 0; k < RIA_SIDES; k++)
    if (strcmp(side_names[k], name) == 0) return k;
  return -1;
}

/* The line of the table at idx and what belongs to it. Pushes what keeps it. */
static void read_line(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                      const rl_path *path, ria_boundary_desc *out) {
  const rl_path line = {.up = path, .key = "line"}, reach = {.up = path, .key = "reach"};
  lua_getfield(L, idx, "reach");
  const bool has_reach = !lua_isnil(L, -1);
  if (has_reach)
    rl_read(L, -1,
            &(rl_key){.name = "reach",
                      .type = RL_NUMBER,
                      .dim = RIA_DIM_LENGTH,
                      .flags = RL_ABOVE_MIN,
                      .max = INFINITY},
            site, &reach, &out->reach);
  lua_getfield(L, idx, "line");
  if (!lua_isnil(L, -1))
    out->line = rl_read_line(L, -1, s->sim, site, &line);
  else if (has_reach)
    rl_fail(L, site, &reach, "reach belongs to a line: line = ria.shapes \"shore.geojson\"");
  if (out->line && out->stretch)
    rl_fail(L, site, &line, "a boundary lies along a line, or from a point to another: not both");
}

/* The keys of the table at idx that say where it lies; *side: where it says that. */
static void read_where(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                       const rl_path *path, int *side, ria_boundary_desc *out) {
  const rl_path entry = {.up = path, .key = "side"};
  const bool from = read_end(L, s, idx, "from", site, path, out->from);
  const bool to = read_end(L, s, idx, "to", site, path, out->to);
  if (from != to) rl_fail(L, site, path, "from and to go together: one end is missing");
  out->stretch = from;
  const bool said = lua_getfield(L, idx, "side") != LUA_TNIL;
  if (said)
    rl_read(L, -1, &(rl_key){.name = "side", .type = RL_CHOICE, .choices = side_names}, site,
            &entry, side);
  lua_pop(L, 1);
  read_line(L, s, idx, site, path, out);
  out->one_side = out->line ? *side >= 0 : said;
}

/* What a change says of where the boundary lies: the engine refuses what is not so. */
static void read_same_place(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                            const rl_path *path, ria_boundary_desc *out) {
  int side = 0;
  read_where(L, s, idx, site, path, &side, out);
  out->side = (ria_side)side;
}

/* Where the entry lies: from and to, or a line; else `side`, else the side that it is named after.
 * idx 0: an entry that is no table. */
static void read_place(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                       const rl_path *path, ria_boundary_desc *out) {
  int side = side_by_name(out->name);
  if (idx) read_where(L, s, idx, site, path, &side, out);
  if (side >= 0) out->side = (ria_side)side;
  if (side >= 0 || out->stretch || out->line) return;
  const char *near = ria_nearest(out->name, side_names, RIA_SIDES);
  if (near) rl_fail(L, site, path, "unknown side '%s': did you mean '%s'?", out->name, near);
  rl_fail(L, site, path,
          "boundary '%s' is not a side: name one of west, east, south, north, or give from and "
          "to, or a line",
          out->name);
}

/* The kind that a series alone stands for. */
static const ria_boundary_kind *kind_for_series(lua_State *L, const rl_sim *s, const rl_site *site,
                                                const rl_path *path) {
  const ria_boundary_kind *kind = kind_of_one_value(s->solver);
  if (!kind)
    rl_fail(L, site, path, "no kind of boundary of '%s' is a single value", s->solver->name);
  return kind;
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
    kind = kind_by_name(L, s->solver, lua_tostring(L, idx), site, path);
    if (required_values(kind))
      rl_fail(L, site, path, "'%s' needs values: { kind = \"%s\", %s = ... }", kind->name,
              kind->name, kind->values[0].name);
  } else if (luaL_testudata(L, idx, RL_SERIES)) {
    kind = kind_for_series(L, s, site, path);
    out->values[0].name = kind->values[0].name;
    out->values[0].value.series = rl_to_series(
        L, idx, &(rl_key){.dim = kind->values[0].dim, .curve = kind->values[0].curve}, site, path);
  } else if (nest || rl_is_tide_model(L, idx) || rl_is_along(L, idx)) {
    kind = kind_for_series(L, s, site, path);
    const ria_boundary_value_info *info = &kind->values[0];
    lua_pushvalue(L, idx);
    (void)is_along(L, s, 0, info->name, change, site, path, out);
    rl_read_along(L, -1, &(rl_map){.sim = s->sim}, &(rl_key){.name = info->name, .dim = info->dim},
                  site, path, out);
  } else if (lua_type(L, idx) == LUA_TTABLE) {
    kind = settle_kind(L, s, idx, change, site, path);
    check_keys(L, idx, s->solver, kind, site, path);
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
  if (change && lua_type(L, idx) == LUA_TTABLE) read_same_place(L, s, idx, site, path, out);
  if (!change) read_place(L, s, lua_type(L, idx) == LUA_TTABLE ? idx : 0, site, path, out);
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

/* Has it edges that no other boundary covers? */
static bool has_edges(const rl_sim *s, const char *name) {
  ria_boundary_entry entry;
  for (size_t k = 0; ria_boundary_list(s->sim, k, &entry); k++)
    if (strcmp(entry.name, name) == 0) return true;
  return false;
}

/* A stretch that others cover was meant to be there. */
static void check_edges(lua_State *L, const rl_sim *s, const char *name, const rl_site *site,
                        const rl_path *path) {
  const rl_path entry = {.up = path, .key = name};
  if (side_by_name(name) >= 0 || has_edges(s, name)) return;
  rl_fail(L, site, &entry,
          "%s: other boundaries cover all of its edges: of two that overlap the one whose name "
          "comes later has them",
          rl_push_path(L, &entry));
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
    if (lua_type(L, -2) != LUA_TSTRING)
      rl_fail(L, site, path, "boundary: an entry without a name: write south = ... or river = ...");
    lua_pushvalue(L, -2);
    rl_set_name(L, array, n++);
  }
  lua_settop(L, array);
  /* whole sides first, then what lies on stretches of them, each by name */
  qsort(names, n, sizeof *names, compare_names);
  for (int stretches = 0; stretches < 2; stretches++)
    for (size_t k = 0; k < n; k++)
      if ((side_by_name(names[k]) < 0) == stretches) add_entry(L, s, idx, names[k], site, path);
  for (size_t k = 0; k < n; k++) check_edges(L, s, names[k], site, path);
  lua_pop(L, 1);
}

/* sim:boundary(name, entry): change a boundary from now on. */
static int sim_boundary(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:boundary", 2, &site);
  rl_sim *s = rl_check_sim(L, &site);
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
