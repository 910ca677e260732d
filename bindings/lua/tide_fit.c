/* tide_fit.c - ria.tide_predict, ria.tide_fit: levels at dates from constituents, and constituents
 * from a record. scripts/ria/tides.lua has them as tides.predict and tides.fit. */
#include "binding.h"

#include <math.h>

/* The dates of the list at idx, text or s since 1970, as an array that is pushed. Numbers and text
 * that says no zone are by the clocks of `zone`: ria.csv reads dates without one as if in UTC. */
static double *read_dates(lua_State *L, int idx, double zone, size_t *n, const rl_site *site,
                          const rl_path *path) {
  *n = (size_t)lua_rawlen(L, idx);
  double *date = lua_newuserdatauv(L, (*n + 1) * sizeof *date, 0);
  for (size_t k = 0; k < *n; k++) {
    const rl_path item = {.up = path, .index = (lua_Integer)k + 1};
    const int type = lua_rawgeti(L, idx, item.index);
    if (type == LUA_TNUMBER)
      date[k] = lua_tonumber(L, -1) - zone;
    else if (rl_is_date(L, -1))
      rl_try(L, site, &item, ria_parse_date(rl_context(L), lua_tostring(L, -1), zone, &date[k]));
    else
      rl_type_error(L, site, &item, -1, "a date, or seconds since 1970");
    if (!isfinite(date[k])) rl_type_error(L, site, &item, -1, "a finite number");
    lua_pop(L, 1);
  }
  return date;
}

/* s east of UTC; 0 for NULL. */
static double read_zone(lua_State *L, const char *text, const rl_site *site) {
  double zone = 0.0;
  if (text) rl_try(L, site, &(rl_path){.key = "zone"}, ria_parse_zone(rl_context(L), text, &zone));
  return zone;
}

typedef struct predict_args {
  const char *zone;
} predict_args;

static const rl_key predict_keys[] = {
    {"zone", RL_STRING, 0, offsetof(predict_args, zone),
     .doc = "of dates that say none, numbers too, and of local phases: \"+02:00\"; UTC if left "
            "out"},
    {0}};
const rl_table_info rl_tide_predict_info = {.keys = predict_keys};

/* ria.tide_predict(set, dates [, { zone = }]) */
static int module_tide_predict(lua_State *L) {
  rl_site site;
  ria_tide_desc desc;
  predict_args a = {0};
  size_t n;
  lua_settop(L, 3);
  rl_here(L, "ria.tide_predict", 1, &site);
  if (!lua_isnil(L, 3)) rl_read_table(L, 3, &rl_tide_predict_info, &site, NULL, &a);
  const double zone = read_zone(L, a.zone, &site);
  rl_read_tide(L, &site, &desc);
  if (desc.phases == RIA_PHASES_LOCAL && !a.zone)
    rl_fail(L, &site, &(rl_path){.key = "zone"},
            "the phases of the set are local: say by which clocks: { zone = \"+02:00\" }");
  const rl_path path = {.key = "dates"};
  if (lua_type(L, 2) != LUA_TTABLE) rl_type_error(L, &site, &path, 2, "a list of dates");
  double *date = read_dates(L, 2, zone, &n, &site, &path);
  double *level = lua_newuserdatauv(L, (n + 1) * sizeof *level, 0);
  rl_try(L, &site, NULL, ria_tide_predict(rl_context(L), &desc, zone, date, n, level));
  lua_createtable(L, (int)n, 0);
  for (size_t k = 0; k < n; k++) {
    lua_pushnumber(L, level[k]);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
  return 1;
}

/* --- analysis --------------------------------------------------------------------------------- */

typedef struct fit_args {
  const char *zone;
  rl_names names;
  double rayleigh;
  int nodal;
} fit_args;

static const char *const nodal_names[] = {"daily", "mid", "none", NULL}; /* of ria_nodal */

static const rl_key fit_keys[] = {
    {"dates", RL_TABLE, .flags = RL_REQUIRED, .shape = "{date, ...}",
     .doc = "of the samples: text, or seconds since 1970 as ria.csv gives them"},
    {"values", RL_TABLE, .flags = RL_REQUIRED, .shape = "{number, ...}",
     .doc = "levels; nan: a gap"},
    {"names", RL_NAMES, 0, offsetof(fit_args, names),
     .doc = "constituents; those that the record tells apart if left out"},
    {"rayleigh", RL_NUMBER, 0, offsetof(fit_args, rayleigh), RL_ABOVE_MIN, 0, 10,
     .doc = "cycles by which two must part over the record; 1 if left out"},
    {"nodal", RL_CHOICE, 0, offsetof(fit_args, nodal), .choices = nodal_names,
     .doc = "factors of the moon's node: of each date, of the middle of its year, or none"},
    {"zone", RL_STRING, 0, offsetof(fit_args, zone),
     .doc = "of dates that say none, numbers too (of a gauges.csv that of its run): \"+02:00\"; "
            "UTC if left out"},
    {0}};
const rl_table_info rl_tide_fit_info = {.keys = fit_keys};

static double *read_values(lua_State *L, int idx, size_t n, const rl_site *site) {
  const rl_path path = {.key = "values"};
  if (lua_rawlen(L, idx) != n)
    rl_fail(L, site, &path, "there are %d values and %d dates", (int)lua_rawlen(L, idx), (int)n);
  double *value = lua_newuserdatauv(L, (n + 1) * sizeof *value, 0);
  for (size_t k = 0; k < n; k++) {
    const rl_path item = {.up = &path, .index = (lua_Integer)k + 1};
    if (lua_rawgeti(L, idx, item.index) != LUA_TNUMBER)
      rl_type_error(L, site, &item, -1, "a number");
    value[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return value;
}

static void set_number(lua_State *L, const char *key, double v) {
  lua_pushnumber(L, v);
  lua_setfield(L, -2, key);
}

static void set_pair(lua_State *L, const char *key, double a, double b) {
  lua_createtable(L, 2, 0);
  lua_pushnumber(L, a), lua_rawseti(L, -2, 1);
  lua_pushnumber(L, b), lua_rawseti(L, -2, 2);
  lua_setfield(L, -2, key);
}

/* The set { M2 = {amplitude, phase}, ..., z0 = }, and how good it is. */
static int push_fit(lua_State *L, const ria_tide_fit *f, int nodal) {
  lua_createtable(L, 0, (int)f->n + 2);
  for (size_t k = 0; k < f->n; k++) set_pair(L, f->c[k].name, f->c[k].amplitude, f->c[k].phase);
  set_number(L, "z0", f->z0);
  lua_pushliteral(L, "greenwich"), lua_setfield(L, -2, "phases");
  lua_pushstring(L, nodal_names[nodal]), lua_setfield(L, -2, "nodal");
  lua_createtable(L, 0, 6);
  set_number(L, "residual", f->residual);
  set_number(L, "explained", f->explained);
  set_number(L, "n", (double)f->used);
  lua_createtable(L, 0, (int)f->n + 1);
  for (size_t k = 0; k < f->n; k++)
    set_pair(L, f->c[k].name, f->c[k].amplitude_error, f->c[k].phase_error);
  set_number(L, "z0", f->z0_error);
  lua_setfield(L, -2, "errors");
  lua_createtable(L, 0, (int)f->n);
  for (size_t k = 0; k < f->n; k++) set_number(L, f->c[k].name, f->c[k].share);
  lua_setfield(L, -2, "shares");
  lua_createtable(L, (int)f->n, 0);
  for (size_t k = 0; k < f->n; k++) {
    lua_pushstring(L, f->c[k].name);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
  lua_setfield(L, -2, "names");
  return 2;
}

/* ria.tide_fit { dates =, values = } */
static int module_tide_fit(lua_State *L) {
  rl_site site;
  fit_args a = {0};
  size_t n;
  rl_here(L, "ria.tide_fit", 1, &site);
  rl_read_table(L, 1, &rl_tide_fit_info, &site, NULL, &a);
  const double zone = read_zone(L, a.zone, &site);
  lua_getfield(L, 1, "dates");
  double *date = read_dates(L, lua_gettop(L), zone, &n, &site, &(rl_path){.key = "dates"});
  lua_getfield(L, 1, "values");
  const ria_tide_fit_desc desc = {.date = date,
                                  .value = read_values(L, lua_gettop(L), n, &site),
                                  .n = n,
                                  .names = a.names.n ? a.names.at : NULL,
                                  .n_names = a.names.n,
                                  .rayleigh = a.rayleigh,
                                  .nodal = (ria_nodal)a.nodal};
  ria_tide_fit *f = lua_newuserdatauv(L, sizeof *f, 0);
  rl_try(L, &site, NULL, ria_tide_analyse(rl_context(L), &desc, f));
  return push_fit(L, f, a.nodal);
}

const luaL_Reg rl_tide_functions[] = {
    {"tide_predict", module_tide_predict}, {"tide_fit", module_tide_fit}, {NULL, NULL}};
