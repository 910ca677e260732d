/* limited.c - a Lua state for scripts of others (ria_lua_options.limited).
 *
 * What reaches out of the state is taken away: `os`, `io`, `debug` and `package` are tables whose
 * every use is an error that says so, code comes as text alone, and `require`, `dofile` and
 * `loadfile` read through the engine, which asks its limits (ria/limit.h).
 *
 * What is bounded stays over once it is: a hook counts instructions and looks at the clock, and
 * from then on it raises at every instruction. It cannot be swallowed, since pcall, xpcall and
 * coroutine.resume raise it again when they return, and xpcall's handler, which Lua would call with
 * hooks off, is not called. Finalisers run without hooks too: a metatable with __gc is refused.
 *
 * A hook belongs to a thread, and a new coroutine begins with a count of its own: each is charged
 * as many instructions as it may run uncounted. */
#include "limited.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

enum { EVERY = 1000, TEXT_MOST = 16 << 20, MEMORY_TO_TELL = 1 << 20 };

static ria_lua_limits *limits_of(lua_State *L) {
  const rl_state *st = rl_state_of(L);
  return st ? st->options.limited : NULL;
}

/* --- over --------------------------------------------------------------------------------------*/

bool rl_limit_reached(const rl_state *st) {
  const ria_lua_limits *l = st->options.limited;
  if (!l || !st->ctx) return false;
  if (l->own.refused)
    (void)ria_limit_reach(st->ctx, RIA_LIMIT_MEMORY,
                          "limit of memory: the script's Lua asked for more than the %.4g MB "
                          "allowed (--limit memory=N)",
                          l->memory / 1e6);
  return *ria_limit_message(st->ctx);
}

/* Raise what was reached, if anything was. */
static void raise_reached(lua_State *L, int level) {
  const rl_state *st = rl_state_of(L);
  if (!rl_limit_reached(st)) return;
  luaL_where(L, level);
  lua_pushstring(L, ria_limit_message(st->ctx));
  lua_concat(L, 2);
  rl_raise(L, RIA_ERR_LIMIT, lua_tostring(L, -1));
}

static void count(const rl_state *st, double n) {
  ria_lua_limits *l = st->options.limited;
  l->own.instructions += n;
  if (l->instructions > 0.0 && l->own.instructions > l->instructions)
    (void)ria_limit_reach(st->ctx, RIA_LIMIT_INSTRUCTIONS,
                          "limit of instructions: more than the %g of Lua allowed (--limit "
                          "instructions=N)",
                          l->instructions);
  else
    (void)ria_limit_time(st->ctx);
}

static void hook(lua_State *L, lua_Debug *ar) {
  const rl_state *st = rl_state_of(L);
  (void)ar;
  if (!st->ctx) return;
  count(st, EVERY);
  if (!rl_limit_reached(st)) return;
  lua_sethook(L, hook, LUA_MASKCOUNT, 1);
  raise_reached(L, 0);
}

/* --- memory ------------------------------------------------------------------------------------*/

/* A block that was refused is asked for again when garbage has been collected. If that did not free
 * a tenth, the script would collect for ever: there is no memory. Then a little is left, to say so.
 */
static void *allocate(void *user, void *old, size_t old_size, size_t size) {
  ria_lua_limits *l = user;
  const double had = old ? (double)old_size : 0.0, now = l->own.used - had + (double)size;
  const bool again = size && l->own.asked == size;
  const double most = l->own.refused ? l->memory + MEMORY_TO_TELL
                      : again        ? 0.9 * l->memory
                                     : l->memory;
  if (l->memory > 0.0 && (double)size > had && now > most) {
    l->own.refused = l->own.refused || again || (double)size > l->memory;
    l->own.asked = size;
    return NULL;
  }
  void *block = l->own.allocate(l->own.user, old, old_size, size);
  if (size && !block) return NULL;
  l->own.used = now;
  if (size) l->own.asked = 0;
  return block;
}

static void meter_memory(lua_State *L, ria_lua_limits *l) {
  l->own.used = 1024.0 * lua_gc(L, LUA_GCCOUNT) + lua_gc(L, LUA_GCCOUNTB);
  l->own.allocate = lua_getallocf(L, &l->own.user);
  lua_setallocf(L, allocate, l);
}

/* --- what is not there -------------------------------------------------------------------------*/

static _Noreturn void refuse(lua_State *L, const char *what) {
  (void)ria_limit_reach(rl_context(L), RIA_LIMIT_FILES,
                        "%s is not there for a limited script (ria run without --limited, ria "
                        "check --trusted)",
                        what);
  luaL_where(L, 1);
  lua_pushstring(L, ria_error(rl_context(L)));
  lua_concat(L, 2);
  rl_raise(L, RIA_ERR_LIMIT, lua_tostring(L, -1));
}

/* Upvalue 1: its name. */
static int refused_function(lua_State *L) { refuse(L, lua_tostring(L, lua_upvalueindex(1))); }

static int refused_member(lua_State *L) {
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
  refuse(L, lua_pushfstring(L, "%s.%s", lua_tostring(L, lua_upvalueindex(1)), key));
}

static const char *const libraries[] = {"io", "os", "debug", "package", NULL};

static bool is_library(const char *name) {
  for (size_t k = 0; libraries[k]; k++)
    if (strcmp(name, libraries[k]) == 0) return true;
  return false;
}

/* A table whose every use is an error, as the global `name`; gone from `require` too. */
static void refuse_library(lua_State *L, const char *name) {
  static const char *const uses[] = {"__index", "__newindex", "__pairs", "__call", "__len"};
  lua_newtable(L);
  lua_newtable(L);
  for (size_t k = 0; k < sizeof uses / sizeof *uses; k++) {
    lua_pushstring(L, name);
    lua_pushcclosure(L, refused_member, 1);
    lua_setfield(L, -2, uses[k]);
  }
  lua_pushliteral(L, "locked");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_setglobal(L, name);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushnil(L);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

/* --- calls that catch --------------------------------------------------------------------------*/

static int caught(lua_State *L, int rc, lua_KContext before) {
  raise_reached(L, 1);
  if (rc == LUA_OK || rc == LUA_YIELD) return lua_gettop(L) - (int)before;
  lua_pushboolean(L, false);
  lua_pushvalue(L, -2);
  return 2;
}

static int limited_pcall(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, true);
  lua_insert(L, 1);
  return caught(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, caught), 0);
}

/* The handler of xpcall, upvalue 1, unless the script has come to its end. */
static int handler(lua_State *L) {
  const rl_state *st = rl_state_of(L);
  if (rl_limit_reached(st) || (st->options.stopping && *st->options.stopping)) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

static int limited_xpcall(lua_State *L) {
  const int n = lua_gettop(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, handler, 1);
  lua_replace(L, 2);
  lua_pushboolean(L, true);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2); /* f, handler, true, f, arguments */
  return caught(L, lua_pcallk(L, n - 2, LUA_MULTRET, 2, 2, caught), 2);
}

/* coroutine.resume and close. Upvalue 1: Lua's, or the host's, which this calls. */
static int limited_resume(lua_State *L) {
  raise_reached(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  raise_reached(L, 1);
  return lua_gettop(L);
}

/* coroutine.create and wrap. */
static int limited_create(lua_State *L) {
  count(rl_state_of(L), EVERY);
  return limited_resume(L);
}

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
  if (!strchr(mode, 't')) refuse(L, "bytecode");
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
  if (!strchr(mode, 't')) refuse(L, "bytecode");
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
  const ria_lua_limits *l = limits_of(L);
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

static int limited_require(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  lua_settop(L, 1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, 2, name) != LUA_TNIL) return 1;
  if (!is_module_name(name) || is_library(name))
    refuse(L, lua_pushfstring(L, "the module '%s'", name));
  const char *file = luaL_gsub(L, name, ".", "/");
  if (strncmp(name, "ria.", 4) != 0 || !load_own(L, file)) {
    push_folder(L);
    const char *path = lua_pushfstring(L, "%s%s.lua", lua_tostring(L, -1), file);
    if (!load_file(L, path))
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

/* --- others ------------------------------------------------------------------------------------*/

/* setmetatable. Upvalue 1: Lua's. */
static int limited_setmetatable(lua_State *L) {
  if (lua_istable(L, 2)) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) refuse(L, "__gc");
    lua_pop(L, 1);
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

/* collectgarbage. Upvalue 1: Lua's. */
static int limited_collect(lua_State *L) {
  static const char *const may[] = {"collect", "count", "step", "isrunning", NULL};
  const char *what = luaL_optstring(L, 1, "collect");
  for (int k = 0; may[k]; k++) {
    if (strcmp(what, may[k]) != 0) continue;
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
  }
  refuse(L, lua_pushfstring(L, "collectgarbage '%s'", what));
}

static int limited_print(lua_State *L) {
  const int n = lua_gettop(L);
  for (int k = 1; k <= n; k++) {
    size_t size;
    const char *text = luaL_tolstring(L, k, &size);
    if (ria_limit_count(rl_context(L), RIA_LIMIT_OUTPUT, (double)size + 1) != RIA_OK)
      raise_reached(L, 1);
    if (k > 1) fputc('\t', stdout);
    fwrite(text, 1, size, stdout);
    lua_pop(L, 1);
  }
  fputc('\n', stdout);
  fflush(stdout);
  return 0;
}

/* --- the state ---------------------------------------------------------------------------------*/

/* Put f in the place of a member of the table on top, with what was there as its upvalue. */
static void wrap(lua_State *L, const char *name, lua_CFunction f) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, f, 1);
  lua_setfield(L, -2, name);
}

static void wrap_coroutines(lua_State *L) {
  lua_getglobal(L, "coroutine");
  if (lua_istable(L, -1)) {
    wrap(L, "create", limited_create);
    wrap(L, "wrap", limited_create);
    wrap(L, "resume", limited_resume);
    wrap(L, "close", limited_resume);
  }
  lua_pop(L, 1);
}

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

static void wrap_globals(lua_State *L) {
  static const luaL_Reg own[] = {{"pcall", limited_pcall},
                                 {"xpcall", limited_xpcall},
                                 {"load", limited_load},
                                 {"loadfile", limited_loadfile},
                                 {"dofile", limited_dofile},
                                 {"setmetatable", limited_setmetatable},
                                 {"collectgarbage", limited_collect},
                                 {"print", limited_print},
                                 {NULL, NULL}};
  lua_pushglobaltable(L);
  for (const luaL_Reg *f = own; f->name; f++) wrap(L, f->name, f->func);
  push_own_globals(L);
  lua_pushcclosure(L, limited_require, 1);
  lua_setfield(L, -2, "require");
  lua_pushliteral(L, "warn");
  lua_pushcclosure(L, refused_function, 1);
  lua_setfield(L, -2, "warn");
  lua_pop(L, 1);
}

/* Methods of text stay; the table behind them is the script's to change, and no one else's. */
static void lock_strings(lua_State *L) {
  lua_getglobal(L, "string");
  if (lua_istable(L, -1)) {
    lua_pushliteral(L, "string.dump");
    lua_pushcclosure(L, refused_function, 1);
    lua_setfield(L, -2, "dump");
  }
  lua_pushliteral(L, "");
  if (lua_getmetatable(L, -1)) {
    lua_pushliteral(L, "locked");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
  }
  lua_pop(L, 2);
}

void rl_limit_open(lua_State *L) {
  ria_lua_limits *l = limits_of(L);
  if (!l || l->own.allocate) return;
  wrap_globals(L);
  wrap_coroutines(L);
  lock_strings(L);
  for (size_t k = 0; libraries[k]; k++) refuse_library(L, libraries[k]);
  meter_memory(L, l);
  lua_sethook(L, hook, LUA_MASKCOUNT, EVERY);
}

ria_limit ria_lua_limit(lua_State *L) {
  const rl_state *st = rl_state_of(L);
  if (!st || !st->options.limited || !st->ctx) return RIA_LIMIT_NONE;
  (void)rl_limit_reached(st);
  return ria_context_limited(st->ctx);
}

void rl_limit_context(lua_State *L) {
  rl_state *st = rl_state_of(L);
  const ria_lua_limits *l = st->options.limited;
  if (!l || ria_context_limit(st->ctx, &l->engine) == RIA_OK) return;
  luaL_error(L, "ria cannot start: %s", ria_error(st->ctx));
}
