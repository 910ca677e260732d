/* repeat.c - a script does the same whenever it is run: that of a run that is continued must, and
 * so must those of ranks.
 *
 * Two things of Lua differ from process to process by themselves: math.random, whose seed is of the
 * clock, and the order in which pairs goes through names, which is of addresses in memory. */
#include "binding.h"

#include <lualib.h>

/* pairs in the order of the alphabet, behind a list's numbers in theirs. */
static const char in_order[] =
    "local native, next, type, sort, metatable = pairs, next, type, table.sort, "
    "debug.getmetatable\n"
    "local rawget, rawlen, math_type = rawget, rawlen, math.type\n"
    "local function before(a, b)\n"
    "  local s, t = type(a), type(b)\n"
    "  if s ~= t then return s < t end\n"
    "  return (s == 'number' or s == 'string') and a < b\n"
    "end\n"
    "function pairs(t)\n"
    "  local of = metatable(t)\n"
    "  if type(t) ~= 'table' or of and of.__pairs then return native(t) end\n"
    "  local keys, n, list = {}, 0, rawlen(t)\n"
    "  for k in next, t do\n"
    "    if not (math_type(k) == 'integer' and k >= 1 and k <= list) then n = n + 1 keys[n] = k "
    "end\n"
    "  end\n"
    "  sort(keys, before)\n"
    "  local at = 0\n"
    "  return function()\n"
    "    while at < list + n do\n"
    "      at = at + 1\n"
    "      local k = at\n"
    "      if at > list then k = keys[at - list] end\n"
    "      local v = rawget(t, k)\n"
    "      if v ~= nil then return k, v end\n"
    "    end\n"
    "  end, t, nil\n"
    "end\n";

/* The same numbers every time, unless the script seeds them. */
static void seed_random(lua_State *L) {
  lua_getglobal(L, "math");
  lua_getfield(L, -1, "randomseed");
  lua_pushinteger(L, 1);
  lua_call(L, 1, 0);
  lua_pop(L, 1);
}

void ria_lua_repeatable(lua_State *L) {
  seed_random(L);
  if (luaL_loadbufferx(L, in_order, sizeof in_order - 1, "=ria", "t") != LUA_OK) lua_error(L);
  lua_call(L, 0, 0);
}
