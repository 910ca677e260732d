/* ranks.c - scripts that several ranks run: all make the same calls.
 *
 * Each call of a function of ours is noted with its line and a number made of its arguments, so
 * that ranks whose scripts part (a random number, a clock, the name of the host) are told of the
 * lines at which they did. The engine compares when the ranks meet next. */
#include "binding.h"
#include <ria/comm.h>

#include <stdio.h>

enum { DEEPEST = 4 };

static uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 29;
}

static uint64_t hash_text(const char *text, size_t n) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t k = 0; k < n; k++) h = (h ^ (unsigned char)text[k]) * UINT64_C(0x100000001b3);
  return h;
}

static uint64_t hash_value(lua_State *L, int idx, int depth);

/* Whatever the order in which Lua goes through it, which is not the same in two processes. */
static uint64_t hash_table(lua_State *L, int idx, int depth) {
  uint64_t sum = 1;
  if (depth == DEEPEST || !lua_checkstack(L, 4)) return sum;
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1))
    sum +=
        mix(hash_value(L, lua_gettop(L) - 1, depth + 1), hash_value(L, lua_gettop(L), depth + 1));
  return sum;
}

/* Of what has no value of its own (functions, simulations) the type alone. */
static uint64_t hash_value(lua_State *L, int idx, int depth) {
  const int type = lua_type(L, idx);
  uint64_t v = 0;
  if (type == LUA_TNUMBER) {
    const lua_Number n = lua_tonumber(L, idx);
    memcpy(&v, &n, sizeof v);
  } else if (type == LUA_TSTRING) {
    size_t n;
    const char *text = lua_tolstring(L, idx, &n);
    v = hash_text(text, n);
  } else if (type == LUA_TBOOLEAN) {
    v = (uint64_t)lua_toboolean(L, idx);
  } else if (type == LUA_TTABLE) {
    v = hash_table(L, idx, depth);
  }
  return mix((uint64_t)type + 1, v);
}

/* Rasters of a script are its own affair: what becomes of them is seen when they are used. Of a 3-D
 * field ("field3:sum") each rank has a part. */
static bool concerns_all(const char *fn) { return strncmp(fn, "field:", 6) != 0; }

void rl_tell_ranks(lua_State *L, const char *fn) {
  rl_state *st = rl_state_of(L);
  char text[160];
  if (!st->ctx || ria_context_ranks(st->ctx) == 1 || !concerns_all(fn)) return;
  uint64_t h = hash_text(fn, strlen(fn));
  for (int k = 1, n = lua_gettop(L); k <= n; k++) h = mix(h, hash_value(L, k, 0));
  luaL_where(L, 1);
  snprintf(text, sizeof text, "%s%s", lua_tostring(L, -1), fn);
  lua_pop(L, 1);
  const ria_status s = ria_context_calls(st->ctx, text, h);
  if (s == RIA_OK) return;
  rl_site site;
  rl_here(L, fn, 1, &site);
  rl_try(L, &site, NULL, s);
}

/* --- simulations that a script has let go of -----------------------------------------------------
 *
 * To close one all ranks are needed, and Lua's collector comes to each at another time. So ranks
 * keep all of them, in a table, and let the collector have them where they make the next one: what
 * can be reached then is the same on all. */

static char kept_sims; /* its address is the key */

static bool several(lua_State *L) {
  const rl_state *st = rl_state_of(L);
  return st->ctx && ria_context_ranks(st->ctx) > 1;
}

static void push_kept(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_sims) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kept_sims);
}

/* t[1 .. n], with gaps where they were collected, becomes the table of those kept. */
static void keep_rest(lua_State *L, int t, lua_Integer n) {
  push_kept(L);
  for (lua_Integer k = 1, at = 1; k <= n; k++) {
    if (lua_rawgeti(L, t, k) == LUA_TUSERDATA)
      lua_rawseti(L, -2, at++);
    else
      lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void rl_collect_sims(lua_State *L) {
  if (!several(L)) return;
  push_kept(L);
  const int t = lua_gettop(L);
  const lua_Integer n = (lua_Integer)lua_rawlen(L, t);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kept_sims);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, t);
  lua_gc(L, LUA_GCCOLLECT);
  keep_rest(L, t, n);
  lua_pop(L, 1);
}

void rl_keep_sim(lua_State *L) {
  if (!several(L)) return;
  push_kept(L);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}
