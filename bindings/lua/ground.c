/* ground.c - spills that find no water, and gauges that can have none: told at the line that asks
 * for them.
 *
 * What sim:at, sim:every, sim:when and sim:spill are given is noted with the handle that comes
 * back: the simulation's table of spills has under it a list of { description, time }, the time
 * false for a condition's. `ria check` looks at the ground of each that is still to come; a run
 * that ends because one of them found no water says so at its line. */
#include "binding.h"

#include <stdio.h>

enum { LISTED = 20 }; /* of those on high ground; the others are counted */

/* Push the list of the handle's spills, or nil. The simulation is at index 1. */
static int push_list(lua_State *L, ria_handle handle) {
  lua_getiuservalue(L, 1, RL_SIM_SPILLS);
  const int type = lua_rawgeti(L, -1, (lua_Integer)handle);
  lua_remove(L, -2);
  return type;
}

/* A function counts where a script is checked only: there it may be what brings the water. */
static bool is_noted(lua_State *L, const rl_sim *s, int idx) {
  const rl_desc *d = luaL_testudata(L, idx, RL_DESC);
  if (d) return d->kind == RL_SPILL;
  return s->st->options.mode == RIA_LUA_CHECK && lua_type(L, idx) == LUA_TFUNCTION &&
         !rl_is_ours(L, idx) && !rl_is_stand_in(L, idx);
}

void rl_note_spill(lua_State *L, rl_sim *s, ria_handle handle, int idx, const double *time) {
  if (!is_noted(L, s, idx)) return;
  idx = lua_absindex(L, idx);
  if (push_list(L, handle) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_getiuservalue(L, 1, RL_SIM_SPILLS);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, (lua_Integer)handle);
    lua_pop(L, 1);
  }
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, idx);
  lua_rawseti(L, -2, 1);
  if (time)
    lua_pushnumber(L, *time);
  else
    lua_pushboolean(L, false);
  lua_rawseti(L, -2, 2);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
  if (handle > s->last_spill) s->last_spill = handle;
}

static void forget_gauge(lua_State *L, ria_handle handle) {
  const bool any = lua_getiuservalue(L, 1, RL_SIM_GAUGES) == LUA_TTABLE;
  for (lua_Integer k = 1; any && lua_rawgeti(L, -1, k) == LUA_TTABLE; k++) {
    lua_rawgeti(L, -1, 4);
    if (lua_tointeger(L, -1) == (lua_Integer)handle) {
      lua_pushboolean(L, true);
      lua_rawseti(L, -3, 5);
    }
    lua_pop(L, 2);
  }
  lua_pop(L, any ? 2 : 1);
}

void rl_forget_spills(lua_State *L, ria_handle handle) {
  lua_getiuservalue(L, 1, RL_SIM_SPILLS);
  lua_pushnil(L);
  lua_rawseti(L, -2, (lua_Integer)handle);
  lua_pop(L, 1);
  forget_gauge(L, handle);
}

void rl_note_gauge(lua_State *L, const rl_sim *s, ria_handle handle, const ria_gauge_desc *gauge,
                   const rl_site *site) {
  if (s->st->options.mode != RIA_LUA_CHECK) return;
  const int line = rl_find_line(site, NULL);
  lua_getiuservalue(L, 1, RL_SIM_GAUGES);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, 1, RL_SIM_GAUGES);
  }
  lua_createtable(L, 4, 0);
  lua_pushnumber(L, gauge->x);
  lua_rawseti(L, -2, 1);
  lua_pushnumber(L, gauge->y);
  lua_rawseti(L, -2, 2);
  lua_pushfstring(L, "%s:%d: %s: warning: gauge '%s'", site->chunk, line, site->fn, gauge->name);
  lua_rawseti(L, -2, 3);
  lua_pushinteger(L, (lua_Integer)handle);
  lua_rawseti(L, -2, 4);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}

/* --- before a run ----------------------------------------------------------------------------- */

/* What is found on the way; the lines of `high` are joined on the Lua stack. */
typedef struct findings {
  int high;     /* spills that can find no water */
  bool flooded; /* an event may bring water to any ground: then nothing is sure */
  int text;     /* index of the lines that tell of them, those that are listed */
} findings;

static void add_line(lua_State *L, findings *f, const char *line) {
  if (f->high++ >= LISTED) return;
  lua_pushvalue(L, f->text);
  if (f->high > 1) lua_pushliteral(L, "\n");
  lua_pushstring(L, line);
  lua_concat(L, f->high > 1 ? 3 : 2);
  lua_replace(L, f->text);
}

/* Whether the description on top of the stack says itself when it is released. */
static bool has_start(lua_State *L) {
  rl_to_desc(L, lua_gettop(L));
  const bool has = lua_getfield(L, -1, "start") != LUA_TNIL;
  lua_pop(L, 2);
  return has;
}

static double time_of(lua_State *L, const rl_sim *s, bool *timed) {
  lua_rawgeti(L, -1, 2);
  *timed = lua_type(L, -1) == LUA_TNUMBER;
  const double time = *timed ? lua_tonumber(L, -1) : ria_sim_time(s->sim);
  lua_pop(L, 1);
  return time;
}

/* Whether the entry on top of the stack is a function, or a spill that brings water. */
static void look_for_water(lua_State *L, rl_sim *s, findings *f) {
  ria_spill_desc desc;
  bool timed;
  const double time = time_of(L, s, &timed);
  if (lua_rawgeti(L, -1, 1) == LUA_TFUNCTION) {
    f->flooded = true;
    return;
  }
  rl_read_spill(L, s, lua_gettop(L), has_start(L) ? NULL : &time, &desc);
  f->flooded = f->flooded || desc.has_flow || (desc.volume > 0.0 && desc.density == 0.0);
}

/* The entry { description, time } on top of the stack. */
static void look_at(lua_State *L, rl_sim *s, findings *f) {
  char text[512], line[700];
  ria_ground ground = RIA_GROUND_WET;
  ria_spill_desc desc;
  bool timed;
  const double now = ria_sim_time(s->sim), time = time_of(L, s, &timed);
  if (timed && time <= now) return; /* it has found water, else the start has failed */
  if (lua_rawgeti(L, -1, 1) == LUA_TFUNCTION) return;
  const rl_desc *d = rl_read_spill(L, s, lua_gettop(L), has_start(L) ? NULL : &time, &desc);
  rl_try(L, &d->site, NULL, ria_sim_spill_ground(s->sim, &desc, &ground, text, sizeof text));
  const bool sure = ground == RIA_GROUND_HIGH && !f->flooded;
  snprintf(line, sizeof line, "%s:%d: %s: %s%s", d->site.chunk, rl_find_line(&d->site, NULL),
           d->site.fn, sure ? "" : "warning: ", text);
  if (sure)
    add_line(L, f, line);
  else if (ground != RIA_GROUND_WET && timed) /* a condition may wait for the water */
    ria_log(s->st->ctx, "%s", line);
}

/* Call `look` with each entry on top of the stack. */
static void each_entry(lua_State *L, rl_sim *s, findings *f,
                       void (*look)(lua_State *, rl_sim *, findings *)) {
  for (ria_handle h = 1; h <= s->last_spill; h++) {
    const int list = push_list(L, h) == LUA_TTABLE ? lua_gettop(L) : 0;
    for (lua_Integer k = 1; list && k <= (lua_Integer)lua_rawlen(L, list); k++) {
      lua_rawgeti(L, list, k);
      look(L, s, f);
      lua_settop(L, list);
    }
    lua_settop(L, f->text);
  }
}

/* Gauges that no water can reach: a run goes on, and they have nothing to tell. */
static void look_at_gauges(lua_State *L, rl_sim *s, const findings *f) {
  const bool any = lua_getiuservalue(L, 1, RL_SIM_GAUGES) == LUA_TTABLE && !f->flooded;
  for (lua_Integer k = 1; any && lua_rawgeti(L, -1, k) == LUA_TTABLE; k++) {
    char text[512];
    ria_ground ground;
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    lua_rawgeti(L, -3, 3);
    const bool gone = lua_rawgeti(L, -4, 5) != LUA_TNIL;
    const ria_status status = ria_sim_ground_at(s->sim, lua_tonumber(L, -4), lua_tonumber(L, -3),
                                                &ground, text, sizeof text);
    if (status == RIA_OK && ground == RIA_GROUND_HIGH && !gone)
      ria_log(s->st->ctx, "%s: %s", lua_tostring(L, -2), text);
    lua_pop(L, 5);
  }
  lua_settop(L, f->text);
}

void rl_check_spills(lua_State *L, rl_sim *s, const char *more) {
  findings f = {0};
  lua_pushliteral(L, "");
  f.text = lua_gettop(L);
  each_entry(L, s, &f, look_for_water);
  look_at_gauges(L, s, &f);
  if (*more) add_line(L, &f, more);
  each_entry(L, s, &f, look_at);
  if (f.high > LISTED)
    lua_pushfstring(L, "%s\nand %d more", lua_tostring(L, f.text), f.high - LISTED);
  if (f.high) rl_raise(L, RIA_ERR_ARGUMENT, lua_tostring(L, -1));
  lua_pop(L, 1);
}

/* --- in a run --------------------------------------------------------------------------------- */

void rl_blame_spill(lua_State *L, const rl_sim *s, ria_status status) {
  const ria_handle failed = ria_sim_failed_spill(s->sim);
  if (status != RIA_ERR_ARGUMENT || !failed || push_list(L, failed) != LUA_TTABLE) return;
  lua_rawgeti(L, -1, 1);
  lua_rawgeti(L, -1, 1);
  const rl_desc *d = luaL_testudata(L, -1, RL_DESC);
  rl_try(L, &d->site, NULL, status);
}
