/* lua_host.c - a program of its own that lets scenarios be scripts: Lua and ria inside, and a
 * function of the host's that scripts may call.
 *
 *   lua_host harbour.lua
 *
 * The host decides where results go and what the script may override; it enters Lua by protected
 * calls only and gets failures as a message and a status. */
#include "ria_lua.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

/* What the host knows and the script asks for. */
typedef struct harbour {
  double ships_draught; /* m */
  int alarms;
} harbour;

/* host.alarm(t, level): the script calls it when the water is too low for the ships. */
static int host_alarm(lua_State *L) {
  harbour *h = lua_touserdata(L, lua_upvalueindex(1));
  double t = luaL_checknumber(L, 1), level = luaL_checknumber(L, 2);
  h->alarms++;
  printf("alarm: %.2f m of water at %.0f s, the ships need %.2f m\n", level, t, h->ships_draught);
  return 0;
}

static int host_draught(lua_State *L) {
  const harbour *h = lua_touserdata(L, lua_upvalueindex(1));
  lua_pushnumber(L, h->ships_draught);
  return 1;
}

/* Set the state up and run the script; called protected, so that any error lands in main. */
static int run_script(lua_State *L) {
  const char *script = lua_touserdata(L, 1);
  harbour *h = lua_touserdata(L, 2);
  static const luaL_Reg host[] = {{"alarm", host_alarm}, {"draught", host_draught}, {NULL, NULL}};
  static const char *const overrides[] = {"n=40"};
  luaL_openlibs(L);
  ria_lua_configure(L,
                    &(ria_lua_options){.script = script, .overrides = overrides, .n_overrides = 1});
  luaL_requiref(L, "ria", luaopen_ria, 0);
  luaL_newlibtable(L, host);
  lua_pushlightuserdata(L, h);
  luaL_setfuncs(L, host, 1);
  lua_setglobal(L, "host");
  if (luaL_loadfile(L, script) != LUA_OK) return lua_error(L);
  lua_call(L, 0, 0);
  return 0;
}

int main(int argc, char **argv) {
  harbour h = {.ships_draught = 9.2};
  lua_State *L = argc == 2 ? luaL_newstate() : NULL;
  if (!L) {
    fprintf(stderr, "usage: lua_host SCRIPT\n");
    return 2;
  }
  lua_pushcfunction(L, run_script);
  lua_pushlightuserdata(L, argv[1]);
  lua_pushlightuserdata(L, &h);
  int failed = lua_pcall(L, 2, 0, 0) != LUA_OK;
  if (failed)
    fprintf(stderr, "%s: %s\n", ria_status_name(ria_lua_error_status(L, -1)), lua_tostring(L, -1));
  else
    printf("%d alarms\n", h.alarms);
  lua_close(L);
  return failed;
}
