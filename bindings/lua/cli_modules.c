/* cli_modules.c - where `require` finds modules under the program.
 *
 * The engine's own modules, ria.*, come first, whatever lies beside the script: a file
 * ria/synth.lua there must not take the place of the engine's. All others are looked for beside the
 * script, then where the engine's are, then where Lua itself would look. */
#include "cli.h"

#include <lauxlib.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The folder of the program. */
static const char *own_folder(char exe[PATH_MAX]) {
  ssize_t n = readlink("/proc/self/exe", exe, PATH_MAX - 1);
  exe[n > 0 ? n : 0] = '\0';
  return dirname(exe);
}

/* Where the engine's modules are: installed, else in the source tree. Pushed. */
static const char *push_own_path(lua_State *L) {
  char exe[PATH_MAX];
  return lua_pushfstring(L, "%s/%s/?.lua;%s/?.lua", own_folder(exe), RIA_INSTALL_SCRIPTS,
                         RIA_SOURCE_SCRIPTS);
}

void cli_own_path(char *path, size_t size) {
  char exe[PATH_MAX];
  snprintf(path, size, "%s/%s/?.lua;%s/?.lua", own_folder(exe), RIA_INSTALL_SCRIPTS,
           RIA_SOURCE_SCRIPTS);
}

void cli_own_script(const char *name, char *path, size_t size) {
  char exe[PATH_MAX];
  snprintf(path, size, "%s/%s/ria/%s.lua", own_folder(exe), RIA_INSTALL_SCRIPTS, name);
  if (access(path, R_OK) != 0) snprintf(path, size, "%s/ria/%s.lua", RIA_SOURCE_SCRIPTS, name);
}

void cli_own_scenarios(char *path, size_t size) {
  char exe[PATH_MAX];
  snprintf(path, size, "%s/%s", own_folder(exe), RIA_INSTALL_SCENARIOS);
  if (access(path, R_OK) != 0) snprintf(path, size, "%s", RIA_SOURCE_SCENARIOS);
}

/* A searcher (Lua manual, package.searchers) for ria.*. Upvalue 1: where they are. */
static int find_own(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  if (strncmp(name, "ria.", 4) != 0) return lua_pushliteral(L, ""), 1;
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "searchpath");
  lua_pushvalue(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_call(L, 2, 2);
  if (lua_isnil(L, -2)) return 1; /* why not: `require` puts it into its message */
  const char *file = lua_tostring(L, -2);
  if (luaL_loadfile(L, file) != LUA_OK)
    return luaL_error(L, "error loading module '%s' from file '%s':\n\t%s", name, file,
                      lua_tostring(L, -1));
  lua_pushstring(L, file);
  return 2;
}

void cli_open_modules(lua_State *L, const char *script) {
  char copy[PATH_MAX];
  snprintf(copy, sizeof copy, "%s", script);
  lua_getglobal(L, "package");
  const int package = lua_gettop(L);
  const char *own = push_own_path(L);
  lua_getfield(L, package, "path");
  lua_pushfstring(L, "%s/?.lua;%s;%s", dirname(copy), own, lua_tostring(L, -1));
  lua_setfield(L, package, "path");

  lua_getfield(L, package, "searchers");
  const int searchers = lua_gettop(L);
  for (lua_Integer k = (lua_Integer)lua_rawlen(L, searchers); k >= 2; k--) {
    lua_rawgeti(L, searchers, k); /* make room for the second, behind package.preload */
    lua_rawseti(L, searchers, k + 1);
  }
  lua_pushvalue(L, package + 1);
  lua_pushcclosure(L, find_own, 1);
  lua_rawseti(L, searchers, 2);
  lua_settop(L, package - 1);
}
