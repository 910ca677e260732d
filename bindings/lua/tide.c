/* tide.c - ria.tide: harmonic tides from their constituents, at one place or at points along a
 * boundary; where a constituent stands at a date. */
#include "binding.h"

#include <math.h>
#include <string.h>

const char *const rl_phase_names[] = {"auto", "greenwich", "local", "relative",
                                      NULL}; /* in the order of ria_phases */
const char *const rl_nodal_names[] = {"daily", "mid", "none", NULL}; /* of ria_nodal */

typedef struct tide_args {
  double z0, ramp;
  int phases, nodal;
  const char *path;
  rl_names only;
} tide_args;

static const rl_key tide_keys[] = {
    {"z0", RL_NUMBER, RIA_DIM_LENGTH, offsetof(tide_args, z0), .doc = "mean level"},
    {"ramp", RL_NUMBER, RIA_DIM_TIME, offsetof(tide_args, ramp), 0, 0, INFINITY,
     .doc = "the tide grows from nothing over this time; z0 does not"},
    {"phases", RL_CHOICE, 0, offsetof(tide_args, phases), .choices = rl_phase_names,
     .doc = "what phases are counted from: the argument at Greenwich (UTC) or by the run's clocks, "
            "or t = 0; auto: Greenwich in a run with a start, else t = 0"},
    {"nodal", RL_CHOICE, 0, offsetof(tide_args, nodal), .choices = rl_nodal_names,
     .doc = "factors of the moon's node: they go on with the date, are those of the middle of the "
            "year that the run starts in, or are left out; phases relative to t = 0 have none. "
            "XTide's M1 is 20.3 deg ahead: docs/lua.md, Tides"},
    {"path", RL_STRING, 0, offsetof(tide_args, path),
     .doc = "file with the constituents of points along a boundary: astronomic components of "
            "Delft3D (.bca), or a CSV with constituent, amplitude, phase and point, x and y"},
    {"at", RL_TABLE, .shape = "{name = {x, y} | share}",
     .doc = "where the file's points are, for files that do not say it: points not named are left "
            "out"},
    {"only", RL_NAMES, 0, offsetof(tide_args, only),
     .doc = "constituents of the file or the model to take; all if left out"},
    {"model", RL_TABLE, .shape = "{M2 = {amplitude.tif, phase.tif} | FILE.nc} | OTIS file",
     .doc = "maps of a tidal model, sampled along the boundary: rasters of amplitude and of phase "
            "at Greenwich in degrees, a netCDF file with both (FES) for each constituent, or a "
            "file of OTIS with all"},
    {"unit", RL_STRING, .shape = "m | cm | mm", .doc = "of the amplitudes in a model's maps"},
    {"component", RL_STRING, .shape = "u | v",
     .doc = "which of the transports in a file of OTIS, m^2/s; u and v of a boundary are turned to "
            "the "
            "grid together"},
    {"depth", RL_STRING, .doc = "the grid file of OTIS: transports are taken over its depths, m/s"},
    {0}};
static const rl_key tide_list = {
    "", RL_ANY, .shape = "{speed =, amp =, phase =}",
    .doc = "constituents by their speed, in deg/h; phases relative to t = 0. Or points along a "
           "boundary, {at = {x, y}, M2 = {amplitude, phase}, ...}"};
const rl_table_info rl_tide_info = {.keys = tide_keys, .list = &tide_list};

typedef struct constituent_args {
  double speed, amp, phase;
} constituent_args;

static const rl_key constituent_keys[] = {
    {"speed", RL_NUMBER, RIA_DIM_ANGULAR_SPEED, offsetof(constituent_args, speed), RL_ABOVE_MIN, 0,
     INFINITY, .doc = "deg/h"},
    {"amp", RL_NUMBER, RIA_DIM_LENGTH, offsetof(constituent_args, amp), RL_REQUIRED, 0, INFINITY,
     .doc = "amplitude"},
    {"phase", RL_NUMBER, RIA_DIM_ANGLE, offsetof(constituent_args, phase), .doc = "phase"},
    {0}};
static const rl_table_info constituent_info = {.keys = constituent_keys};

/* {amplitude, phase} or {amp =, phase =} at idx. */
static void read_harmonic(lua_State *L, int idx, const rl_site *site, const rl_path *path,
                          ria_constituent *out) {
  constituent_args a = {0};
  if (lua_type(L, idx) != LUA_TTABLE)
    rl_type_error(L, site, path, idx, "{amplitude in m, phase in deg}");
  if (lua_rawlen(L, idx) == 1) rl_type_error(L, site, path, idx, "{amplitude in m, phase in deg}");
  if (lua_rawlen(L, idx) == 2) {
    a.amp = rl_read_item(L, idx, 1, &(rl_key){.dim = RIA_DIM_LENGTH}, site, path);
    a.phase = rl_read_item(L, idx, 2, &(rl_key){.dim = RIA_DIM_ANGLE}, site, path);
    if (a.amp < 0.0)
      rl_fail(L, site, path, "%s: amplitude = %g is out of range: >= 0 m", rl_push_path(L, path),
              a.amp);
  } else {
    rl_read_table(L, idx, &constituent_info, site, path, &a);
  }
  out->amplitude = a.amp;
  out->phase = a.phase;
  out->speed = a.speed;
}

/* Those of a tide, and of a point of one. */
static bool is_tide_key(const char *name, bool of_point) {
  for (const rl_key *key = tide_keys; !of_point && key->name; key++)
    if (strcmp(name, key->name) == 0) return true;
  if (of_point && (strcmp(name, "at") == 0 || strcmp(name, "z0") == 0)) return true;
  return ria_tide_speed(name) > 0.0;
}

static void check_tide_keys(lua_State *L, int idx, const rl_site *site, const rl_path *up) {
  enum { MAX_NAMES = 96 };
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || is_tide_key(lua_tostring(L, -2), up)) continue;
    const char *all[MAX_NAMES];
    size_t known, n = 0;
    for (const rl_key *key = tide_keys; key->name; key++)
      if (is_tide_key(key->name, up)) all[n++] = key->name;
    const char *const *tides = ria_tide_names(&known);
    for (size_t k = 0; k < known && n < MAX_NAMES; k++) all[n++] = tides[k];
    rl_path path = {.up = up, .key = lua_tostring(L, -2)};
    rl_unknown(L, site, &path, "constituent", path.key, all, n);
  }
}

/* Push the value of a constituent of the table at idx, which may go by another of its names, or
 * nil; path->key: the one that stands there. Two are an error. */
static void push_named(lua_State *L, int idx, rl_path *path, const rl_site *site) {
  const char *found = NULL;
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || !ria_tide_same(lua_tostring(L, -2), path->key)) continue;
    const char *first = found;
    found = lua_tostring(L, -2);
    if (!first) continue;
    const bool swap = strcmp(first, found) > 0;
    rl_fail(L, site, &(rl_path){.up = path->up, .key = found}, "%s and %s are one constituent",
            swap ? found : first, swap ? first : found);
  }
  if (found) path->key = found;
  lua_getfield(L, idx, path->key);
}

/* Constituents in the order of the engine's names, then those given by speed: the same sum every
 * time. The array is pushed. */
static ria_constituent *read_constituents(lua_State *L, int idx, const rl_site *site,
                                          const rl_path *up, size_t *n) {
  size_t known;
  const char *const *names = ria_tide_names(&known);
  size_t listed = (size_t)lua_rawlen(L, idx);
  ria_constituent *c = lua_newuserdatauv(L, (known + listed + 1) * sizeof *c, 0);
  *n = 0;
  for (size_t k = 0; k < known + listed; k++) {
    bool named = k < known;
    rl_path path = {
        .up = up, .key = named ? names[k] : NULL, .index = (lua_Integer)(k - known) + 1};
    int top = lua_gettop(L);
    if (named)
      push_named(L, idx, &path, site);
    else
      lua_rawgeti(L, idx, path.index);
    if (!lua_isnil(L, -1)) {
      ria_constituent *one = &c[(*n)++];
      *one = (ria_constituent){.name = path.key};
      read_harmonic(L, top + 1, site, &path, one);
      if (named && one->speed > 0.0) rl_fail(L, site, &path, "%s has its own speed", path.key);
      if (!named && one->speed <= 0.0)
        rl_fail(L, site, &path,
                "constituent %lld needs a speed in deg/h: {speed =, amp =, phase =}",
                (long long)path.index);
    }
    lua_settop(L, top);
  }
  return c;
}

/* What a tide has beside its constituents, from the table at index 1. */
static ria_tide_desc read_tide_keys(lua_State *L, const rl_site *site) {
  tide_args a = {0};
  for (size_t k = 0; tide_keys[k].name; k++) {
    const rl_key *key = &tide_keys[k];
    lua_getfield(L, 1, key->name);
    if (!lua_isnil(L, -1))
      rl_read(L, -1, key, site, &(rl_path){.key = key->name}, (char *)&a + key->offset);
  }
  if (a.path) rl_fail(L, site, &(rl_path){.key = "path"}, "ria.tide reads files");
  return (ria_tide_desc){
      .z0 = a.z0, .ramp = a.ramp, .phases = (ria_phases)a.phases, .nodal = (ria_nodal)a.nodal};
}

void rl_read_tide(lua_State *L, const rl_site *site, ria_tide_desc *out) {
  if (lua_type(L, 1) != LUA_TTABLE)
    rl_type_error(L, site, &(rl_path){.key = "tide"}, 1,
                  "a table such as { M2 = {1.12, 78} }, or { path = \"bay.bca\" }");
  check_tide_keys(L, 1, site, NULL);
  *out = read_tide_keys(L, site);
  out->constituents = read_constituents(L, 1, site, NULL, &out->n);
  lua_getfield(L, 1, "z0");
  const bool still = !out->n && lua_isnil(L, -1);
  lua_pop(L, 1);
  if (still)
    rl_fail(
        L, site, NULL,
        "a tide without constituents: write ria.tide { M2 = { amplitude in m, phase in deg } }, "
        "or a number for a level that does not change");
}

void rl_push_tide_of(lua_State *L, int idx, const rl_site *site, const rl_path *path,
                     ria_tide_desc *out) {
  check_tide_keys(L, idx, site, path);
  *out = read_tide_keys(L, site);
  lua_getfield(L, idx, "z0");
  if (!lua_isnil(L, -1)) rl_read(L, -1, &tide_keys[0], site, path, &out->z0);
  out->constituents = read_constituents(L, idx, site, path, &out->n);
  rl_series *s = rl_new_series(L);
  rl_try(L, site, path, ria_series_tide(rl_context(L), out, &s->series));
}

static int module_tide(lua_State *L) {
  rl_site site;
  ria_tide_desc desc;
  rl_here(L, "ria.tide", 1, &site);
  if (rl_push_tide_model(L, &site)) return 1;
  rl_load_tide(L, &site);
  if (rl_is_along(L, 1)) return rl_push_tides(L, &site);
  rl_read_tide(L, &site, &desc);
  rl_series *s = rl_new_series(L);
  rl_try(L, &site, NULL, ria_series_tide(rl_context(L), &desc, &s->series));
  return 1;
}

/* ria.tide_state(name, date) */
static int module_tide_state(lua_State *L) {
  rl_site site;
  ria_tide_state now;
  size_t n;
  const char *const *names = ria_tide_names(&n);
  rl_here(L, "ria.tide_state", 1, &site);
  const char *name = rl_string(L, 1, &site, "name");
  if (!ria_tide_argument(name, rl_date_at(L, 2, &site, "date"), &now))
    rl_unknown(L, &site, NULL, "constituent", name, names, n);
  lua_createtable(L, 0, 4);
  lua_pushnumber(L, now.speed), lua_setfield(L, -2, "speed");
  lua_pushnumber(L, now.v), lua_setfield(L, -2, "v");
  lua_pushnumber(L, now.f), lua_setfield(L, -2, "f");
  lua_pushnumber(L, now.u), lua_setfield(L, -2, "u");
  return 1;
}

const luaL_Reg rl_tides_functions[] = {
    {"tide", module_tide}, {"tide_state", module_tide_state}, {NULL, NULL}};
