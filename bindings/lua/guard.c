/* guard.c - the one entry from Lua into C: an object that is in use cannot be freed.
 *
 * While a function of ours works, Lua may run at almost any point: a function of the script, a
 * metamethod, a finaliser (any allocation may start the collector), a coroutine that one of these
 * resumes. None of it may free the simulation or the field that the function works on. So every
 * function and method that scripts can reach is called through rl_guarded (by the gate of
 * arguments.c; metamethods from here), which leaves a note of the call on the C stack, and whatever
 * takes the pointer out of a userdata first holds the userdata for that call. To close or to free
 * what a call holds is an error that names the call.
 *
 * Nothing has to be released. A call has a number that is never used again, and what it holds
 * carries this number: it is held as long as the call is in the chain of those at work. The calls
 * nest as C functions do, since Lua cannot yield across one, and each leaves the chain when it
 * returns, by an error too: it is made by a protected call, which passes the error on.
 *
 * The collector's own calls (__gc) are not guarded: they come for what nobody can reach. The one
 * exception is a state that closes while a call is at work (os.exit(code, true) in an event); see
 * sim_gc. */
#include "binding.h"

int rl_guarded(lua_State *L, lua_CFunction f) {
  rl_state *st = rl_state_of(L);
  if (!st->ctx) return luaL_error(L, "ria has ended: the Lua state is being closed");
  rl_call call = {.up = st->call, .id = ++st->calls};
  lua_State *outer = st->L;
  lua_pushcfunction(L, f);
  lua_insert(L, 1);
  st->call = &call;
  st->L = L;
  const int rc = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
  st->call = call.up;
  st->L = outer;
  if (rc == LUA_OK) return lua_gettop(L);
  return rc == LUA_ERRRUN ? rl_go_on(L, call.fn) : lua_error(L);
}

/* Upvalue 1: the function itself. */
static int metamethod(lua_State *L) {
  return rl_guarded(L, lua_tocfunction(L, lua_upvalueindex(1)));
}

void rl_set_metamethods(lua_State *L, const luaL_Reg *functions) {
  for (; functions->name; functions++) {
    lua_pushcfunction(L, functions->func);
    if (strcmp(functions->name, "__gc") != 0) lua_pushcclosure(L, metamethod, 1);
    lua_setfield(L, -2, functions->name);
  }
}

static const rl_call *call_by_id(const rl_state *st, uint64_t id) {
  const rl_call *call = id ? st->call : NULL;
  while (call && call->id != id) call = call->up;
  return call;
}

void rl_hold(const rl_state *st, uint64_t *held) {
  if (st->call && !call_by_id(st, *held)) *held = st->call->id;
}

const char *rl_held_by(const rl_state *st, uint64_t held) {
  const rl_call *call = call_by_id(st, held);
  if (!call) return NULL;
  return call->fn ? call->fn : "a function of ria";
}
