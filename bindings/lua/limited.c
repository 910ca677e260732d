/* limited.c - a Lua state for scripts of others (ria_lua_options.limited).
 *
 * What reaches out of the state is taken away: `os`, `io`, `debug` and `package` are tables whose
 * every use is an error that says so, and code is read through the engine (limited_code.c).
 *
 * What is bounded stays over once it is: a hook counts instructions and looks at the clock, and
 * from then on it raises at every instruction. It cannot be swallowed, since pcall, xpcall and
 * coroutine.resume raise it again when they return, and xpcall's handler, which Lua would call with
 * hooks off, is not called. Finalisers run without hooks too: a metatable with __gc is refused.
 *
 * A hook belongs to a thread, and a new coroutine begins with a count of its own: each is charged
 * as many instructions as it may run uncounted. */
#include "limited_inner.h"

#include <stdio.h>

enum { EVERY = 1000, MEMORY_TO_TELL = 1 << 20 };

ria_lua_limits *rl_limits_of(lua_State *L) {
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

_Noreturn void rl_limit_refuse(lua_State *L, const char *what) {
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
static int refused_function(lua_State *L) {
  rl_limit_refuse(L, lua_tostring(L, lua_upvalueindex(1)));
}

static int refused_member(lua_State *L) {
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
  rl_limit_refuse(L, lua_pushfstring(L, "%s.%s", lua_tostring(L, lua_upvalueindex(1)), key));
}

static const char *const libraries[] = {"io", "os", "debug", "package", NULL};

bool rl_limit_is_library(const char *name) {
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

/* coroutine.create. */
static int limited_create(lua_State *L) {
  count(rl_state_of(L), EVERY);
  return limited_resume(L);
}

/* What coroutine.wrap gives. Upvalues: the coroutine; resume and close, Lua's or the host's. Lua's
 * own closes a coroutine that a hook has ended with hooks off, and what is closed there may never
 * end: this one raises before. */
static int limited_wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_rotate(L, 1, 2);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  raise_reached(L, 1);
  if (lua_toboolean(L, 1)) return lua_gettop(L) - 1;
  const int status = lua_status(co);
  if (status > LUA_YIELD) { /* it failed: close what it has left open */
    lua_settop(L, 0);
    lua_pushvalue(L, lua_upvalueindex(3));
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_call(L, 1, 2);
    raise_reached(L, 1);
  }
  if (lua_type(L, -1) == LUA_TSTRING && status != LUA_ERRMEM) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

/* coroutine.wrap. Upvalues: create, as the script has it, and resume and close. */
static int limited_wrap(lua_State *L) {
  raise_reached(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushvalue(L, lua_upvalueindex(3));
  lua_pushcclosure(L, limited_wrapped, 3);
  return 1;
}

/* --- others ------------------------------------------------------------------------------------*/

/* setmetatable. Upvalue 1: Lua's. */
static int limited_setmetatable(lua_State *L) {
  if (lua_istable(L, 2)) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) rl_limit_refuse(L, "__gc");
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
  rl_limit_refuse(L, lua_pushfstring(L, "collectgarbage '%s'", what));
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

void rl_limit_wrap(lua_State *L, const char *name, lua_CFunction f) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, f, 1);
  lua_setfield(L, -2, name);
}

static void wrap_coroutines(lua_State *L) {
  lua_getglobal(L, "coroutine");
  if (lua_istable(L, -1)) {
    rl_limit_wrap(L, "create", limited_create);
    lua_getfield(L, -1, "create");
    lua_getfield(L, -2, "resume");
    lua_getfield(L, -3, "close");
    lua_pushcclosure(L, limited_wrap, 3);
    lua_setfield(L, -2, "wrap");
    rl_limit_wrap(L, "resume", limited_resume);
    rl_limit_wrap(L, "close", limited_resume);
  }
  lua_pop(L, 1);
}

static void wrap_globals(lua_State *L) {
  static const luaL_Reg own[] = {{"pcall", limited_pcall},
                                 {"xpcall", limited_xpcall},
                                 {"setmetatable", limited_setmetatable},
                                 {"collectgarbage", limited_collect},
                                 {"print", limited_print},
                                 {NULL, NULL}};
  lua_pushglobaltable(L);
  for (const luaL_Reg *f = own; f->name; f++) rl_limit_wrap(L, f->name, f->func);
  rl_limit_code(L);
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
  ria_lua_limits *l = rl_limits_of(L);
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
