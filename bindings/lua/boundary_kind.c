/* boundary_kind.c - which kind of boundary an entry of a scenario is, and which keys it may have.
 *
 * Where the kind is not named it is the first of the solver's whose required values are exactly
 * those given; a series alone stands for the first kind that requires one value. */
#include "boundary.h"

#include <string.h>

enum { MAX_NAMES = 32 };

/* Keys an entry may have whatever its kind. */
static const char *const common_keys[] = {"kind", "from", "to", "side", "line", "reach", "tracers"};
enum { N_COMMON = sizeof common_keys / sizeof *common_keys };

int rl_kind_requires(const ria_boundary_kind *kind) {
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

const ria_boundary_kind *rl_kind_by_name(lua_State *L, const ria_solver *solver, const char *name,
                                         const rl_site *site, const rl_path *path) {
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
    if (rl_kind_requires(kind) == 1) return kind;
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

static bool is_among(const char *name, const char *const names[], size_t n) {
  for (size_t k = 0; k < n; k++)
    if (strcmp(names[k], name) == 0) return true;
  return false;
}

/* Add the names of a kind's values to names[n..], each once; returns how many there are then. */
static size_t add_value_names(const ria_boundary_kind *kind, const char *names[], size_t n) {
  for (int k = 0; k < RIA_BOUNDARY_VALUES && kind->values[k].name && n < MAX_NAMES; k++)
    if (!is_among(kind->values[k].name, names, n)) names[n++] = kind->values[k].name;
  return n;
}

static const ria_boundary_kind *kind_with_value(const ria_solver *solver, const char *value) {
  for (const ria_boundary_kind *kind = solver->boundaries; kind->name; kind++)
    if (rl_kind_has_value(kind, value)) return kind;
  return NULL;
}

/* "discharge = 30" says the kind in the place of its value. */
static void check_is_kind(lua_State *L, const ria_solver *solver, const char *name,
                          const rl_site *site, const rl_path *path) {
  for (const ria_boundary_kind *kind = solver->boundaries; kind->name; kind++)
    if (strcmp(kind->name, name) == 0 && rl_kind_requires(kind))
      rl_fail(L, site, path,
              "unknown key '%s': '%s' is a kind, and its value is `%s` [%s]: write "
              "%s = ...",
              rl_push_path(L, path), name, kind->values[0].name, kind->values[0].unit,
              kind->values[0].name);
}

void rl_check_boundary_keys(lua_State *L, int idx, const ria_solver *solver,
                            const ria_boundary_kind *kind, const rl_site *site,
                            const rl_path *path) {
  const char *names[MAX_NAMES];
  size_t n = 0;
  for (; n < N_COMMON; n++) names[n] = common_keys[n];
  if (kind) n = add_value_names(kind, names, n);
  for (const ria_boundary_kind *any = solver->boundaries; !kind && any->name; any++)
    n = add_value_names(any, names, n);
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
    const char *name = rl_entry_name(L, site, path, "key = value");
    if (is_among(name, names, n)) continue;
    rl_path entry = {.up = path, .key = name};
    const ria_boundary_kind *other = kind ? kind_with_value(solver, name) : NULL;
    if (other)
      rl_fail(L, site, &entry,
              "unknown key '%s': a '%s' boundary has no such value (a '%s' one has)",
              rl_push_path(L, &entry), kind->name, other->name);
    check_is_kind(L, solver, name, site, &entry);
    if (kind && !ria_nearest(name, names, n))
      rl_fail(L, site, &entry, "unknown key '%s': a '%s' boundary has no such value",
              rl_push_path(L, &entry), kind->name);
    rl_unknown(L, site, &entry, "key", rl_push_path(L, &entry), names, n);
  }
}

const ria_boundary_kind *rl_settle_kind(lua_State *L, const rl_sim *s, int idx, bool change,
                                        const rl_site *site, const rl_path *path) {
  lua_getfield(L, idx, "kind");
  if (!lua_isnil(L, -1)) {
    rl_path entry = {.up = path, .key = "kind"};
    if (lua_type(L, -1) != LUA_TSTRING) rl_type_error(L, site, &entry, -1, "the name of a kind");
    return rl_kind_by_name(L, s->solver, lua_tostring(L, -1), site, &entry);
  }
  lua_pop(L, 1);
  rl_check_boundary_keys(L, idx, s->solver, NULL, site, path);
  if (change) return NULL;
  for (const ria_boundary_kind *kind = s->solver->boundaries; kind->name; kind++)
    if (kind_fits(L, idx, kind)) return kind;
  rl_fail(L, site, path, "%s%sneeds a kind, or the values of one: see `ria help %s`",
          rl_push_path(L, path), path ? " " : "", s->solver->name);
}

const ria_boundary_kind *rl_kind_of_series(lua_State *L, const rl_sim *s, const rl_site *site,
                                           const rl_path *path) {
  const ria_boundary_kind *kind = kind_of_one_value(s->solver);
  if (!kind)
    rl_fail(L, site, path, "no kind of boundary of '%s' is a single value", s->solver->name);
  return kind;
}

bool rl_kind_has_value(const ria_boundary_kind *kind, const char *name) {
  for (int k = 0; k < RIA_BOUNDARY_VALUES && kind->values[k].name; k++)
    if (strcmp(kind->values[k].name, name) == 0) return true;
  return false;
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

const ria_boundary_kind *rl_kind_with_most_values(lua_State *L, int idx, const ria_solver *solver) {
  const ria_boundary_kind *best = NULL;
  int most = 0;
  for (const ria_boundary_kind *kind = solver->boundaries; kind->name; kind++) {
    const int n = values_given(L, idx, kind);
    if (n > most) best = kind;
    if (n > most) most = n;
  }
  return best;
}
