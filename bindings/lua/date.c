/* date.c - dates: wherever a time of the run goes, and what there is beside.
 *
 * A time of the run is a number, text with a unit or, of a simulation with a start, a date. Where
 * the simulation is not known yet (ria.spill) a date is only checked; it is read again with it. */
#include "binding.h"

#include <math.h>

bool rl_is_date(lua_State *L, int idx) {
  return lua_type(L, idx) == LUA_TSTRING && ria_is_date(lua_tostring(L, idx));
}

/* s from the start of the site's simulation. */
static double since_start(lua_State *L, const char *text, const rl_key *key, const rl_site *site,
                          const rl_path *path) {
  ria_context *ctx = rl_context(L);
  double t = 0.0;
  char start[48];
  if (ria_sim_parse_time(site->sim, text, &t) != RIA_OK)
    rl_fail(L, site, path, "%s: %s", rl_push_path(L, path), ria_error(ctx));
  if (key->min == key->max || t >= key->min) return t;
  ria_sim_date(site->sim, 0.0, start, sizeof start);
  rl_fail(L, site, path, "%s = '%s' is before the start of the run, %s", rl_push_path(L, path),
          text, start);
}

double rl_read_date(lua_State *L, int idx, const rl_key *key, const rl_site *site,
                    const rl_path *path) {
  const char *text = lua_tostring(L, idx);
  double t;
  if (site->sim) return since_start(L, text, key, site, path);
  if (ria_parse_date(rl_context(L), text, 0.0, &t) != RIA_OK)
    rl_fail(L, site, path, "%s: %s", rl_push_path(L, path), ria_error(rl_context(L)));
  return key->flags & RL_ABOVE_MIN ? key->min + 1.0 : key->min;
}

double rl_time(lua_State *L, const rl_sim *s, int idx, const rl_site *site, const char *name) {
  double t = 0.0;
  if (!rl_is_date(L, idx)) return rl_quantity(L, idx, RIA_DIM_TIME, site, name);
  rl_try(L, site, &(rl_path){.key = name}, ria_sim_parse_time(s->sim, lua_tostring(L, idx), &t));
  return t;
}

double rl_date_at(lua_State *L, int idx, const rl_site *site, const char *name) {
  const rl_path path = {.key = name};
  double t = 0.0;
  if (lua_type(L, idx) == LUA_TNUMBER)
    t = lua_tonumber(L, idx);
  else if (lua_type(L, idx) == LUA_TSTRING)
    rl_try(L, site, NULL, ria_parse_date(rl_context(L), lua_tostring(L, idx), 0.0, &t));
  else
    rl_type_error(L, site, &path, idx, "a date, or seconds since 1970");
  if (!isfinite(t)) rl_type_error(L, site, &path, idx, "a finite number");
  return t;
}

static _Noreturn void fail_no_start(lua_State *L, const rl_site *site) {
  rl_fail(L, site, NULL,
          "the run has no start: give ria.sim the date of t = 0, such as start = \"2026-07-14 "
          "00:00\"");
}

/* The time at idx, or the present. */
static double time_or_now(lua_State *L, const rl_sim *s, int idx, const rl_site *site) {
  return lua_isnoneornil(L, idx) ? ria_sim_time(s->sim) : rl_time(L, s, idx, site, "t");
}

/* sim:time([date]): the present time, or that of a date, s. */
static int sim_time(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:time", 1, &site);
  const rl_sim *s = rl_check_sim(L, &site);
  lua_pushnumber(L, time_or_now(L, s, 2, &site));
  return 1;
}

/* sim:date([t]): the date of the present, or of a time. */
static int sim_date(lua_State *L) {
  rl_site site;
  char text[48];
  rl_here(L, "sim:date", 1, &site);
  const rl_sim *s = rl_check_sim(L, &site);
  if (!ria_sim_date(s->sim, time_or_now(L, s, 2, &site), text, sizeof text))
    fail_no_start(L, &site);
  lua_pushstring(L, text);
  return 1;
}

/* --- the sun ---------------------------------------------------------------------------------- */

static double degrees(lua_State *L, int idx, const rl_site *site, const char *name, double most) {
  const rl_key key = {
      .name = name, .type = RL_NUMBER, .dim = RIA_DIM_ANGLE, .min = -most, .max = most};
  double v = 0.0;
  rl_read(L, idx, &key, site, &(rl_path){.key = name}, &v);
  return v;
}

/* Elevation and azimuth at a date over the place at idx and idx + 1. */
static int push_sun(lua_State *L, double date, int idx, const rl_site *site) {
  double elevation, azimuth;
  const double lon = degrees(L, idx, site, "lon", 360.0),
               lat = degrees(L, idx + 1, site, "lat", 90.0);
  ria_sun(date, lon, lat, &elevation, &azimuth);
  lua_pushnumber(L, elevation);
  lua_pushnumber(L, azimuth);
  return 2;
}

/* ria.sun(date, lon, lat) */
static int module_sun(lua_State *L) {
  rl_site site;
  rl_here(L, "ria.sun", 1, &site);
  return push_sun(L, rl_date_at(L, 1, &site, "date"), 2, &site);
}

/* sim:sun(lon, lat [, t]) */
static int sim_sun(lua_State *L) {
  rl_site site;
  double start;
  rl_here(L, "sim:sun", 1, &site);
  const rl_sim *s = rl_check_sim(L, &site);
  if (!ria_sim_start_date(s->sim, &start, NULL)) fail_no_start(L, &site);
  return push_sun(L, start + time_or_now(L, s, 4, &site), 2, &site);
}

const luaL_Reg rl_date_functions[] = {{"sun", module_sun}, {NULL, NULL}};
const luaL_Reg rl_date_methods[] = {
    {"time", sim_time}, {"date", sim_date}, {"sun", sim_sun}, {NULL, NULL}};
