/* tests/fuzz/lua.h - a script from memory in a Lua state of its own, in a scratch directory. */
#ifndef RIA_FUZZ_LUA_H
#define RIA_FUZZ_LUA_H
#include "fuzz.h"
#include "ria_lua.h"
#include <lauxlib.h>
#include <lualib.h>

typedef struct fuzz_script {
  const char *text;
  size_t n;
  ria_lua_options options;    /* without a context: it gets one */
  void (*look)(lua_State *L); /* NULL, or called before the state is closed */
} fuzz_script;

/* Scripts that take too long end with an error. */
static void fuzz_lua_stop(lua_State *L, lua_Debug *ar) {
  (void)ar;
  luaL_error(L, "too many instructions");
}

static int fuzz_lua_run(lua_State *L) {
  const fuzz_script *s = lua_touserdata(L, 1);
  luaL_openlibs(L);
  ria_lua_configure(L, &s->options);
  luaL_requiref(L, "ria", luaopen_ria, 0);
  lua_sethook(L, fuzz_lua_stop, LUA_MASKCOUNT, 2000000);
  if (luaL_loadbuffer(L, s->text, s->n, "=fuzz") != LUA_OK) return lua_error(L);
  lua_call(L, 0, 0);
  return 0;
}

/* True where it ends well; the message of what ends it otherwise is text. */
FUZZ_UNUSED static bool fuzz_lua(fuzz_script *s, ria_context *ctx, char *message, size_t size) {
  lua_State *L = luaL_newstate();
  if (!L) abort();
  s->options.ctx = ctx;
  lua_pushcfunction(L, fuzz_lua_run);
  lua_pushlightuserdata(L, s);
  const bool well = lua_pcall(L, 1, 0, 0) == LUA_OK;
  const char *text = well ? "" : lua_tostring(L, -1);
  FUZZ_DEMAND(text);
  snprintf(message, size, "%s", text);
  FUZZ_DEMAND(well || *message);
  lua_sethook(L, NULL, 0, 0);
  if (s->look) s->look(L);
  ria_lua_close_sims(L);
  lua_close(L);
  return well;
}

#endif
