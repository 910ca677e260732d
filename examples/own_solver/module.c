/* module.c - `require "waves"`: the solver `waves` for ria.sim of this Lua state.
 *
 * The program that loads the module has the engine and Lua in it; the module links neither. It
 * stays loaded when Lua closes (nodelete in CMakeLists.txt): the context of a host outlives the
 * state, and what is registered with it is not copied. */
#include "waves.h"
#include <lauxlib.h>
#include <ria_lua.h>

__attribute__((visibility("default"))) int luaopen_waves(lua_State *L) {
  ria_context *ctx = ria_lua_context(L);
  if (ria_solver_register(ctx, &waves_solver) != RIA_OK) return luaL_error(L, "%s", ria_error(ctx));
  lua_pushboolean(L, 1);
  return 1;
}
