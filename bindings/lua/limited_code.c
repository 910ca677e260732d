/* limited_code.c - code in a limited state: it comes as text alone, and `require`, `dofile` and
 * `loadfile` read through the engine, which asks its limits (ria/limit.h). */
#include "limited_inner.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 16 << 20 };

/* --- code as text ------------------------------------------------------------------------------*/

/* A name that begins with @ is taken for a file, which is looked into for the line of a mistake. */
static void plain_name(lua_State *L, int idx) {
  const char *name = lua_type(L, idx) == LUA_TSTRING ? lua_tostring(L, idx) : NULL;
  if (!name || name[0] != '@') return;
  lua_pushfstring(L, "=%s", name + 1);
  lua_replace(L, idx);
}

/* load. Upvalue 1: Lua's. */
static int limited_load(lua_State *L) {
  const char *mode = luaL_optstring(L, 3, "t");
  if (!strchr(mode, 't')) rl_limit_refuse(L, "bytecode");
  if (lua_gettop(L) < 3) lua_settop(L, 3);
  plain_name(L, 2);
  lua_pushliteral(L, "t");
  lua_replace(L, 3);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

/* The first line of a program for a shell, and the mark of UTF-8. */
static const char *skip_head(const char *text, size_t *n) {
  const char *at = text;
  if (*n >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) at += 3;
  if (at < text + *n && *at == '#')
    while (at < text + *n && *at != '\n') at++;
  *n -= (size_t)(at - text);
  return at;
}

/* Push the function of a file, or nil and why not; a file that may not be read raises. */
static bool load_file(lua_State *L, const char *path) {
  char *text = NULL;
  size_t n;
  lua_pushfstring(L, "@%s", path);
  const ria_status s = ria_limit_read(rl_context(L), path, TEXT_MOST, &text, &n);
  if (s == RIA_ERR_LIMIT) {
    luaL_where(L, 1);
    lua_pushstring(L, ria_error(rl_context(L)));
    lua_concat(L, 2);
    rl_raise(L, s, lua_tostring(L, -1));
  }
  if (s != RIA_OK) {
    lua_pushnil(L);
    lua_pushstring(L, ria_error(rl_context(L)));
    return false;
  }
  const char *code = skip_head(text, &n);
  const int rc = luaL_loadbufferx(L, code, n, lua_tostring(L, -1), "t");
  free(text);
  if (rc == LUA_OK) return true;
  lua_pushnil(L);
  lua_insert(L, -2);
  return false;
}

static int limited_loadfile(lua_State *L) {
  const char *path = luaL_checkstring(L, 1), *mode = luaL_optstring(L, 2, "t");
  const bool env = lua_gettop(L) >= 3;
  if (!strchr(mode, 't')) rl_limit_refuse(L, "bytecode");
  if (!load_file(L, path)) return 2;
  if (env) {
    lua_pushvalue(L, 3);
    lua_setupvalue(L, -2, 1);
  }
  return 1;
}

static int limited_dofile(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  if (!load_file(L, path)) return lua_error(L);
  lua_call(L, 0, LUA_MULTRET);
  return lua_gettop(L) - 2; /* the path, and the name of the chunk */
}

/* --- modules -----------------------------------------------------------------------------------*/

static bool is_module_name(const char *name) {
  size_t n = 0;
  for (const char *c = name; *c; c++) {
    const bool dot = *c == '.';
    if (dot && (!n || !c[1])) return false;
    n = dot ? 0 : n + 1;
    if (!dot && !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", *c))
      return false;
  }
  return n > 0;
}

/* The engine's own modules look at how many arguments a function takes: with `debug`, which they
 * alone see (scripts/ria/strict.lua). Upvalue 1: their globals. */
static bool load_own(lua_State *L, const char *name) {
  const ria_lua_limits *l = rl_limits_of(L);
  const char *next = l->modules ? l->modules : "";
  while (*next) {
    const size_t n = strcspn(next, ";");
    lua_pushlstring(L, next, n);
    const char *file = luaL_gsub(L, lua_tostring(L, -1), "?", name);
    const int rc = luaL_loadfilex(L, file, "t");
    if (rc == LUA_OK) {
      lua_pushvalue(L, lua_upvalueindex(1));
      lua_setupvalue(L, -2, 1);
      return true;
    }
    if (rc != LUA_ERRFILE) lua_error(L);
    lua_pop(L, 3);
    next += n + (next[n] == ';');
  }
  return false;
}

/* The folder of the script, with a slash; "" where it has none. */
static void push_folder(lua_State *L) {
  const char *script = rl_state_of(L)->options.script;
  const char *slash = script ? strrchr(script, '/') : NULL;
  lua_pushlstring(L, slash ? script : "", slash ? (size_t)(slash - script) + 1 : 0);
}

bool rl_limit_module(lua_State *L, const char *name) {
  if (!is_module_name(name)) return false;
  const char *file = luaL_gsub(L, name, ".", "/");
  push_folder(L);
  lua_pushfstring(L, "%s%s.lua", lua_tostring(L, -1), file);
  return true;
}

static int limited_require(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  lua_settop(L, 1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, 2, name) != LUA_TNIL) return 1;
  if (!is_module_name(name) || rl_limit_is_library(name))
    rl_limit_refuse(L, lua_pushfstring(L, "the module '%s'", name));
  const char *file = luaL_gsub(L, name, ".", "/");
  if (strncmp(name, "ria.", 4) != 0 || !load_own(L, file)) {
    (void)rl_limit_module(L, name);
    if (!load_file(L, lua_tostring(L, -1)))
      return luaL_error(L, "error loading module '%s': %s", name, lua_tostring(L, -1));
  }
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    if (lua_getfield(L, 2, name) == LUA_TNIL) lua_pushboolean(L, true);
  }
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name);
  return 1;
}

/* --- the globals -------------------------------------------------------------------------------*/

/* The globals of the engine's own modules: all that scripts have, and of `debug` what tells of
 * functions. */
static void push_own_globals(lua_State *L) {
  lua_newtable(L);
  lua_createtable(L, 0, 2);
  if (lua_getglobal(L, "debug") == LUA_TTABLE) {
    lua_getfield(L, -1, "getinfo");
    lua_setfield(L, -3, "getinfo");
    lua_getfield(L, -1, "getlocal");
    lua_setfield(L, -3, "getlocal");
    lua_pop(L, 1);
    lua_setfield(L, -2, "debug");
  } else {
    lua_pop(L, 2);
  }
  lua_createtable(L, 0, 1);
  lua_pushglobaltable(L);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

void rl_limit_code(lua_State *L) {
  rl_limit_wrap(L, "load", limited_load);
  rl_limit_wrap(L, "loadfile", limited_loadfile);
  rl_limit_wrap(L, "dofile", limited_dofile);
  push_own_globals(L);
  lua_pushcclosure(L, limited_require, 1);
  lua_setfield(L, -2, "require");
}
