/* module.c - luaopen_ria: the module, and what stands behind one Lua state.
 *
 * A state of ours (rl_state) lives in the registry of each lua_State that loads the module: the
 * engine's context, the host's options, and which simulation is running. Nothing is global, so
 * several Lua states in one process do not meet. The state is the first userdata with a finaliser
 * and is therefore finalised last, after every simulation. */
#include "binding.h"
#include "limited.h"

#include <stdio.h>
#include <string.h>

static const char state_key, sims_key, message_key, thrown_key, traceback_key,
    overrides_key; /* in the registry */

/* --- the state -------------------------------------------------------------------------------- */

rl_state *rl_state_of(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  rl_state *st = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return st;
}

ria_context *rl_context(lua_State *L) { return rl_state_of(L)->ctx; }

const void *rl_last_message_key(void) { return &message_key; }
const void *rl_thrown_key(void) { return &thrown_key; }

static int state_gc(lua_State *L) {
  rl_state *st = lua_touserdata(L, 1);
  if (st->own_ctx) ria_context_destroy(&st->ctx);
  st->own_ctx = false;
  st->ctx = NULL;
  return 0;
}

static rl_state *new_state(lua_State *L) {
  rl_state *st = lua_newuserdatauv(L, sizeof *st, 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD); /* a coroutine may be gone by then */
  *st = (rl_state){.L = lua_tothread(L, -1)};
  lua_pop(L, 1);
  lua_pushboolean(L, false); /* that the key is there: to write to it needs no memory */
  lua_rawsetp(L, LUA_REGISTRYINDEX, &thrown_key);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, state_gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);

  lua_newtable(L); /* number -> simulation, weakly */
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &sims_key);
  return st;
}

void ria_lua_configure(lua_State *L, const ria_lua_options *options) {
  rl_state *st = rl_state_of(L);
  if (!st) st = new_state(L);
  st->options = *options;
  rl_limit_open(L);
}

static void print_line(void *user, const char *line) {
  (void)user;
  fputs(line, stdout);
  fputc('\n', stdout);
  fflush(stdout);
}

/* "name=value" as ria.params takes it, not any other argument of a script. */
static bool is_override(const char *text) {
  const char *equals = strchr(text, '=');
  return equals && equals > text &&
         strspn(text, "abcdefghijklmnopqrstuvwxyz"
                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == (size_t)(equals - text);
}

/* Under the standalone interpreter `arg` holds the script's name and arguments: use them as
 * `ria run` would. The table keeps the text alive. */
static void adopt_arg(lua_State *L, rl_state *st) {
  if (lua_getglobal(L, "arg") != LUA_TTABLE || lua_rawgeti(L, -1, 0) != LUA_TSTRING) {
    lua_settop(L, 0);
    return;
  }
  st->options.script = lua_tostring(L, -1);
  st->options.report = true;
  lua_Integer n = (lua_Integer)lua_rawlen(L, -2);
  const char **overrides = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *overrides, 1);
  for (lua_Integer k = 1; k <= n; k++) {
    if (lua_rawgeti(L, 1, k) == LUA_TSTRING && is_override(lua_tostring(L, -1)))
      overrides[st->options.n_overrides++] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  st->options.overrides = overrides;
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &overrides_key);
  lua_settop(L, 0);
  ria_lua_repeatable(L);
}

/* A number of the environment; 0 where it is not set. */
static int from_environment(lua_State *L, const char *name) {
  const char *text = getenv(name);
  char *end = NULL;
  const long n = text && *text ? strtol(text, &end, 10) : 0;
  if ((end && *end) || n < 0 || n > 1000000)
    luaL_error(L, "%s is '%s': expected a number such as 2", name, text);
  return (int)n;
}

static void open_context(lua_State *L, rl_state *st) {
  if (st->ctx) return;
  if (st->options.ctx) {
    st->ctx = st->options.ctx;
    return;
  }
  char why[512] = "";
  ria_context_desc desc = {.threads = from_environment(L, "RIA_THREADS"),
                           .parts = from_environment(L, "RIA_PARTS"),
                           .device = getenv("RIA_DEVICE"),
                           .log = st->options.report ? print_line : NULL,
                           .error = why,
                           .error_size = sizeof why};
  ria_status status = ria_context_create(&desc, &st->ctx);
  if (status != RIA_OK)
    luaL_error(L, "ria cannot start: %s", why[0] ? why : ria_status_name(status));
  st->own_ctx = true;
}

ria_context *ria_lua_context(lua_State *L) { return rl_context(L); }

ria_status ria_lua_error_status(lua_State *L, int idx) {
  rl_state *st = rl_state_of(L);
  if (!st) return RIA_ERR_CALLBACK;
  idx = lua_absindex(L, idx);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &message_key);
  bool ours = lua_type(L, -1) == LUA_TSTRING && lua_rawequal(L, idx, -1);
  lua_pop(L, 1);
  return ours ? st->last_status : RIA_ERR_CALLBACK;
}

const char *ria_lua_traceback(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &traceback_key);
  const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  lua_pop(L, 1); /* the registry keeps it */
  return text;
}

bool ria_lua_checked(lua_State *L) {
  const rl_state *st = rl_state_of(L);
  return st && st->checked;
}

bool ria_lua_params_listed(lua_State *L) {
  const rl_state *st = rl_state_of(L);
  return st && st->listed;
}

bool ria_lua_usage_error(lua_State *L) {
  const rl_state *st = rl_state_of(L);
  return st && st->usage_error;
}

const char *ria_lua_unused_override(lua_State *L) {
  const rl_state *st = rl_state_of(L);
  return !st || st->params_called || !st->options.n_overrides ? NULL : st->options.overrides[0];
}

const char *ria_lua_idle(lua_State *L) {
  const rl_state *st = rl_state_of(L);
  if (!st || st->ran || st->asked_out) return NULL;
  return st->sims ? "its simulation never runs: sim:run(t) is missing" : "nothing runs in it";
}

/* --- simulations of the state ----------------------------------------------------------------- */

void rl_push_sim(lua_State *L, const rl_sim *s) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &sims_key);
  lua_rawgeti(L, -1, s->number);
  lua_remove(L, -2);
}

void rl_register_sim(lua_State *L, rl_sim *s) {
  s->number = ++s->st->sims;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &sims_key);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, s->number);
  lua_pop(L, 1);
}

ria_status ria_lua_close_sims(lua_State *L) {
  rl_state *st = rl_state_of(L);
  ria_status first = RIA_OK;
  if (!st || !lua_checkstack(L, 8)) return first;
  lua_State *outer = st->L;
  st->L = L;
  for (int k = 1; k <= st->sims; k++) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &sims_key);
    lua_rawgeti(L, -1, k);
    rl_sim *s = lua_touserdata(L, -1);
    ria_status status = s ? rl_close_sim(s) : RIA_OK;
    if (first == RIA_OK) first = status;
    lua_pop(L, 2);
  }
  st->L = outer;
  return first;
}

/* --- calling Lua from the engine -------------------------------------------------------------- */

/* Message handler: text as it is, a table or userdata through its __tostring; the value itself is
 * kept for rl_try, which throws it on. The traceback is kept apart, so that the message stays one
 * line. */
static int keep_traceback(lua_State *L) {
  if (lua_type(L, 1) != LUA_TSTRING) {
    lua_pushvalue(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &thrown_key);
    rl_state_of(L)->thrown = true;
    luaL_tolstring(L, 1, NULL);
    lua_replace(L, 1);
  }
  luaL_traceback(L, L, NULL, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &traceback_key);
  return 1;
}

ria_status rl_protected(rl_state *st, lua_CFunction f, void *arg) {
  lua_State *L = st->L;
  if (!lua_checkstack(L, LUA_MINSTACK))
    return ria_fail(st->ctx, RIA_ERR_MEMORY, "the Lua stack is full");
  int top = lua_gettop(L);
  st->thrown = false;
  lua_pushcfunction(L, keep_traceback); /* light functions: pushing them needs no memory */
  lua_pushcfunction(L, f);
  lua_pushlightuserdata(L, arg);
  int rc = lua_pcall(L, 1, 0, top + 1);
  ria_status status = RIA_OK;
  if (rc != LUA_OK && rl_limit_reached(st))
    status = ria_fail(st->ctx, RIA_ERR_LIMIT, "%s", ria_limit_message(st->ctx));
  else if (rc == LUA_ERRMEM)
    status = ria_fail(st->ctx, RIA_ERR_MEMORY, "a callback ran out of memory");
  else if (rc != LUA_OK && st->options.stopping && *st->options.stopping)
    status = ria_fail(st->ctx, RIA_INTERRUPTED,
                      *st->options.stopping < 0 ? "os.exit was called" : "interrupted");
  else if (rc != LUA_OK && ria_lua_error_status(L, -1) == RIA_INTERRUPTED) /* another rank was */
    status = ria_fail(st->ctx, RIA_INTERRUPTED, "%s", lua_tostring(L, -1));
  else if (rc != LUA_OK)
    status = ria_fail(st->ctx, RIA_ERR_CALLBACK, "%s",
                      lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "error in a callback");
  lua_settop(L, top);
  return status;
}

/* --- the module ------------------------------------------------------------------------------- */

void rl_new_class(lua_State *L, const char *name, const luaL_Reg *meta, const luaL_Reg *methods) {
  luaL_newmetatable(L, name);
  rl_set_metamethods(L, meta);
  lua_newtable(L);
  if (methods) {
    const char *prefix = lua_pushfstring(L, "%s:", strchr(name, '.') + 1); /* "sim:" */
    lua_insert(L, -2);
    rl_set_functions(L, prefix, methods);
    lua_remove(L, -2);
  }
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "locked"); /* getmetatable shows this, scripts cannot take __gc away */
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}

/* __index of a strict class. Upvalues: its members, what to call it, the sign before a member. */
static int strict_index(lua_State *L) {
  enum { MAX_MEMBERS = 64 };
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  const char *names[MAX_MEMBERS], *word = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
  size_t n = 0;
  for (lua_pushnil(L); lua_next(L, lua_upvalueindex(1)); lua_pop(L, 1))
    if (n < MAX_MEMBERS && lua_type(L, -2) == LUA_TSTRING) names[n++] = lua_tostring(L, -2);
  rl_site site;
  rl_here(L, lua_tostring(L, lua_upvalueindex(2)), 1, &site);
  const char *near = ria_nearest(word, names, n), *sign = lua_tostring(L, lua_upvalueindex(3));
  if (near)
    rl_fail(L, &site, NULL, "there is no %s%s%s: did you mean %s%s%s?", site.fn, sign, word,
            site.fn, sign, near);
  rl_fail(L, &site, NULL, "there is no %s%s%s: see `ria help`", site.fn, sign, word);
}

void rl_strict_index(lua_State *L, const char *what, const char *sign) {
  lua_getfield(L, -1, "__index");
  lua_pushstring(L, what);
  lua_pushstring(L, sign);
  lua_pushcclosure(L, strict_index, 3);
  lua_setfield(L, -2, "__index");
}

void rl_index_members(lua_State *L, const char *name, const char *what, lua_CFunction index) {
  luaL_getmetatable(L, name);
  lua_getfield(L, -1, "__index"); /* upvalue 1 of index: the methods */
  lua_insert(L, -2);
  rl_strict_index(L, what, ":");
  lua_insert(L, -2);
  lua_getfield(L, -2, "__index"); /* 2: for those that there are not */
  lua_pushcclosure(L, index, 2);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}

int rl_index_method(lua_State *L) {
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_call(L, 2, 1);
  return 1;
}

static void push_names(lua_State *L, const char *const *names) {
  lua_newtable(L);
  for (lua_Integer k = 0; names[k]; k++) {
    lua_pushstring(L, names[k]);
    lua_rawseti(L, -2, k + 1);
  }
}

static void push_solvers(lua_State *L) {
  lua_newtable(L);
  for (size_t k = 0; k < ria_solver_count(); k++) {
    lua_pushstring(L, ria_solver_at(k)->name);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
}

/* ria.args: the overrides as they were given, name -> text. */
static void push_args(lua_State *L, const rl_state *st) {
  lua_newtable(L);
  for (size_t k = 0; k < st->options.n_overrides; k++) {
    const char *text = st->options.overrides[k], *equals = strchr(text, '=');
    if (!equals) continue;
    lua_pushlstring(L, text, (size_t)(equals - text));
    lua_pushstring(L, equals + 1);
    lua_rawset(L, -3);
  }
}

int luaopen_ria(lua_State *L) {
  rl_state *st = rl_state_of(L);
  if (!st) {
    st = new_state(L);
    lua_settop(L, 0);
    adopt_arg(L, st);
  }
  rl_keep_script(L, st);
  open_context(L, st);
  rl_limit_context(L);
  rl_open_field(L);
  rl_open_field3(L);
  rl_open_shapes(L);
  rl_open_crs(L);
  rl_open_series(L);
  rl_open_desc(L);
  rl_open_sim(L);
  rl_open_csv(L);
  rl_open_guard(L);
  luaL_requiref(L, "ria.noise", luaopen_ria_noise, 0);
  lua_pop(L, 1);

  lua_newtable(L);
  rl_set_functions(L, "ria.", rl_sim_functions);
  rl_set_functions(L, "ria.", rl_run_functions);
  rl_set_functions(L, "ria.", rl_date_functions);
  rl_set_functions(L, "ria.", rl_tide_functions);
  rl_set_functions(L, "ria.", rl_crs_functions);
  rl_set_functions(L, "ria.", rl_dem_functions);
  rl_set_functions(L, "ria.", rl_tides_functions);
  rl_set_functions(L, "ria.", rl_field_functions);
  rl_set_functions(L, "ria.", rl_shapes_functions);
  rl_set_functions(L, "ria.", rl_soundings_functions);
  rl_set_functions(L, "ria.", rl_relax_functions);
  rl_set_functions(L, "ria.", rl_field3_functions);
  rl_set_functions(L, "ria.", rl_vector_functions);
  rl_set_functions(L, "ria.", rl_forcing_functions);
  rl_set_functions(L, "ria.", rl_columns_functions);
  rl_set_functions(L, "ria.", rl_spill_functions);
  rl_set_functions(L, "ria.", rl_output_functions);
  rl_set_functions(L, "ria.", rl_plot_functions);
  rl_set_functions(L, "ria.", rl_param_functions);
  rl_set_functions(L, "ria.", rl_tridiag_functions);
  lua_pushstring(L, ria_version());
  lua_setfield(L, -2, "version");
  push_solvers(L);
  lua_setfield(L, -2, "solvers");
  push_names(L, ria_colormap_names());
  lua_setfield(L, -2, "maps");
  push_args(L, st);
  lua_setfield(L, -2, "args");

  lua_newtable(L); /* a metatable that knows the nearest name to a wrong one */
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "__index");
  rl_strict_index(L, "ria", ".");
  lua_setmetatable(L, -2);
  return 1;
}
