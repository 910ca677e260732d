/* findings.c - all that is wrong with a script at once.
 *
 * `ria check` goes on after the error of a call whose answer the script hardly needs: one that asks
 * for an event, a gauge, a boundary's change, or that describes a frame. The message is noted and
 * told with the others at the end. Not so where the script itself would catch the error, by pcall
 * or in a coroutine: it may mean to. Errors of other kinds (memory, limits, signals) end the check.
 */
#include "binding.h"

#include <string.h>

enum { LISTED = 20 }; /* the others are counted */

static const char lines_key; /* in the registry: the messages */
static const char status_key;

static int stand_in(lua_State *L) { return (void)L, 0; }

bool rl_is_stand_in(lua_State *L, int idx) { return lua_tocfunction(L, idx) == stand_in; }

/* Of these an action is expected back. */
static bool describes(const char *fn) {
  static const char *const names[] = {"ria.frame", "ria.save", "ria.spill"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(names[k], fn) == 0) return true;
  return false;
}

static bool asks(const char *fn) {
  static const char *const names[] = {"sim:at",         "sim:every",   "sim:when", "sim:spill",
                                      "sim:gauge",      "sim:section", "sim:fit",  "sim:boundary",
                                      "sim:relax",      "sim:vary",    "sim:set",  "sim:cancel",
                                      "sim:checkpoint", "sim:film"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(names[k], fn) == 0) return true;
  return false;
}

/* Is there nothing but functions of the script between the call and the host? */
static bool is_uncaught(lua_State *L) {
  lua_Debug ar;
  const bool main_thread = lua_pushthread(L);
  int level = 1;
  lua_pop(L, 1);
  for (; main_thread && lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "S", &ar);
    if (*ar.what == 'C') break;
  }
  return main_thread && !lua_getstack(L, level + 1, &ar);
}

/* Note the message on top of the stack. */
static void note(lua_State *L, rl_state *st, ria_status status) {
  if (st->found++ >= LISTED) return;
  const bool first = lua_rawgetp(L, LUA_REGISTRYINDEX, &lines_key) == LUA_TNIL;
  if (first) {
    lua_pushinteger(L, (lua_Integer)status);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &status_key);
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
  } else {
    lua_pushliteral(L, "\n");
    lua_pushvalue(L, -3);
    lua_concat(L, 3);
  }
  lua_rawsetp(L, LUA_REGISTRYINDEX, &lines_key);
}

int rl_go_on(lua_State *L, const char *fn) {
  rl_state *st = rl_state_of(L);
  const ria_status status = ria_lua_error_status(L, -1);
  const bool of_script = status == RIA_ERR_ARGUMENT || status == RIA_ERR_INPUT;
  const bool known = fn && (describes(fn) || asks(fn));
  if (st->options.mode != RIA_LUA_CHECK || !of_script || !known || !is_uncaught(L))
    return lua_error(L);
  /* a handle that is missing is what came of an error that was told */
  if (!st->found || strcmp(fn, "sim:cancel") != 0) note(L, st, status);
  lua_settop(L, 0);
  if (!describes(fn)) return 0;
  lua_pushcfunction(L, stand_in);
  return 1;
}

const char *ria_lua_found(lua_State *L, ria_status *status) {
  const rl_state *st = rl_state_of(L);
  if (!st || !st->found) return NULL;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &status_key);
  *status = (ria_status)lua_tointeger(L, -1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &lines_key);
  if (st->found > LISTED) {
    lua_pushfstring(L, "%s\nand %d more", lua_tostring(L, -1), st->found - LISTED);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &lines_key); /* keeps it; asked for once */
    lua_remove(L, -2);
  }
  const char *lines = lua_tostring(L, -1);
  lua_pop(L, 2);
  return lines;
}
