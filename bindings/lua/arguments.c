/* arguments.c - an argument that a function does not take is an error, as a misspelt key is.
 *
 * Every function and method of the language is registered here, behind one gate. The gate counts
 * arguments before the function looks at any: how many it takes is read from its signature in the
 * table of the language, so that help, stubs and the gate cannot disagree. Trailing nils are
 * allowed: scripts pass on variables that may be nil. Then it calls the function through guard.c,
 * so that what this works on cannot be freed meanwhile. */
#include "binding.h"

#include <stdio.h>

/* Arguments that a signature names: "()" 0, "{...}" or "path | {...}" 1, "(t, action)" 2. Commas
 * inside braces and inner parentheses part no arguments. */
static int most_arguments(const char *signature) {
  if (*signature != '(') return 1;
  if (signature[1] == ')') return 0;
  int n = 1, depth = 0;
  for (const char *p = signature; *p; p++) {
    depth += *p == '(' || *p == '{';
    depth -= *p == ')' || *p == '}';
    n += *p == ',' && depth == 1;
  }
  return n;
}

static bool is_method(const rl_function *f) { return strchr(f->name, ':') != NULL; }

/* The least name among the keys of the table at idx, so that a message is the same every time; NULL
 * if it has none. */
static const char *first_key(lua_State *L, int idx) {
  const char *least = NULL;
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    const char *name = lua_tostring(L, -2);
    if (!least || strcmp(name, least) < 0) least = name;
  }
  return least;
}

/* ria.dem("x.asc", { dx = 2 }) and ria.series(points, { hold = true }): how to write what was
 * meant. False where nothing was. Pushes the text. */
static bool push_one_table(lua_State *L, const rl_function *f, int surplus) {
  const char *bar = strstr(f->signature, " | {");
  const char *key = lua_type(L, surplus) == LUA_TTABLE ? first_key(L, surplus) : NULL;
  if (!bar || !key || is_method(f)) return false;
  if (lua_type(L, 1) == LUA_TSTRING)
    lua_pushfstring(L, "write %s { %s = \"%s\", %s = ... }", f->name,
                    lua_pushlstring(L, f->signature, (size_t)(bar - f->signature)),
                    lua_tostring(L, 1), key);
  else
    lua_pushfstring(L, "its keys go into the first table: %s { ..., %s = ... }", f->name, key);
  return true;
}

static _Noreturn void refuse_surplus(lua_State *L, const rl_function *f, int surplus) {
  rl_site site;
  rl_here(L, f->name, 1, &site);
  const int number = surplus - is_method(f);
  const char *shown = rl_push_shown(L, surplus);
  if (push_one_table(L, f, surplus))
    rl_fail(L, &site, NULL, "argument %d is too many (%s): %s", number, shown, lua_tostring(L, -1));
  const bool none = strcmp(f->signature, "()") == 0;
  rl_fail(L, &site, NULL, "argument %d is too many (%s): it takes %s", number, shown,
          none ? "none" : f->signature);
}

/* The engine takes text up to its first zero byte: a path would end before what the script shows.
 */
static void refuse_zero_byte(lua_State *L, const rl_function *f, int idx) {
  if (lua_type(L, idx) != LUA_TSTRING || strlen(lua_tostring(L, idx)) == lua_rawlen(L, idx)) return;
  rl_site site;
  rl_here(L, f->name, 1, &site);
  rl_fail(L, &site, NULL, "argument %d is text with a zero byte, behind '%s'", idx - is_method(f),
          lua_tostring(L, idx));
}

static int gate(lua_State *L);

/* ria:dem(...) passes the module: it is written with a point. */
static void check_colon(lua_State *L, const rl_function *f) {
  if (is_method(f) || lua_type(L, 1) != LUA_TTABLE) return;
  lua_pushstring(L, strchr(f->name, '.') + 1);
  lua_rawget(L, 1);
  const bool is_module = lua_tocfunction(L, -1) == gate;
  lua_pop(L, 1);
  if (!is_module) return;
  rl_site site;
  rl_here(L, f->name, 1, &site);
  rl_fail(L, &site, NULL, "called with a colon: write %s(...), with a point", f->name);
}

/* Behind the gate: the function itself. Also where a run goes on that the host had paused. */
static int call_function(lua_State *L, int status, lua_KContext context) {
  (void)status;
  (void)context;
  return rl_guarded(L, lua_tocfunction(L, lua_upvalueindex(2)));
}

/* Upvalues: the entry of the language, the function itself. */
static int gate(lua_State *L) {
  const rl_function *f = lua_touserdata(L, lua_upvalueindex(1));
  const int most = most_arguments(f->signature) + is_method(f), given = lua_gettop(L);
  check_colon(L, f);
  for (int k = most + 1; k <= given; k++)
    if (!lua_isnil(L, k)) refuse_surplus(L, f, k);
  if (given > most) lua_settop(L, most);
  for (int k = 1; k <= lua_gettop(L); k++) refuse_zero_byte(L, f, k);
  rl_tell_ranks(L, f->name);
  if (rl_pauses(L, f->name)) return lua_yieldk(L, 0, 0, call_function);
  return call_function(L, LUA_OK, 0);
}

bool rl_is_ours(lua_State *L, int idx) { return lua_tocfunction(L, idx) == gate; }

static const rl_function *find_function(const char *name) {
  for (const rl_function *f = rl_language(); f->name; f++)
    if (strcmp(f->name, name) == 0) return f;
  return NULL;
}

void rl_set_functions(lua_State *L, const char *prefix, const luaL_Reg *functions) {
  for (; functions->name; functions++) {
    char name[96];
    snprintf(name, sizeof name, "%s%s", prefix, functions->name);
    const rl_function *f = find_function(name);
    if (!f) luaL_error(L, "%s is not in the table of the language", name);
    lua_pushlightuserdata(L, (void *)f);
    lua_pushcfunction(L, functions->func);
    lua_pushcclosure(L, gate, 2);
    lua_setfield(L, -2, functions->name);
  }
}
