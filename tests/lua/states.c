/* states.c - several Lua states in one process, each with simulations of its own, and what a host
 * learns of a failure: the message and the status behind it. */
#include "ria_lua.h"
#include "test.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>

static lua_State *open_state(const ria_lua_options *options) {
  lua_State *L = luaL_newstate();
  if (!L) abort();
  luaL_openlibs(L);
  if (options) ria_lua_configure(L, options);
  luaL_requiref(L, "ria", luaopen_ria, 1);
  lua_settop(L, 0);
  return L;
}

/* Run text as the chunk "host.lua"; the message of a failure stays on the stack. */
static bool run(lua_State *L, const char *text) {
  lua_settop(L, 0);
  return luaL_loadbuffer(L, text, strlen(text), "@host.lua") == LUA_OK &&
         lua_pcall(L, 0, 0, 0) == LUA_OK;
}

static const char make[] = "sim = ria.sim { grid = { nx = 8, ny = 8, dx = 10 }, bed = -2,"
                           " init = { level = function(x) return x / 100 end }, out = false }";

static double level_at(lua_State *L) {
  CHECK(run(L, "value = sim:probe(15, 15, 'level')"));
  lua_getglobal(L, "value");
  return lua_tonumber(L, -1);
}

/* Two states take turns; neither sees the other. */
static void two_states(void) {
  lua_State *a = open_state(NULL), *b = open_state(NULL);
  CHECK(run(a, make) && run(b, make));
  CHECK(run(a, "sim:run(10)") && run(b, "sim:run(10)"));
  CHECK(run(b, "sim:run(30)") && run(a, "sim:run(30)"));
  CHECK_NEAR(level_at(a), level_at(b), 0.0);
  lua_close(a);
  CHECK(run(b, "sim:run(40)"));
  lua_close(b);
}

static void check_failure(lua_State *L, const char *text, ria_status status, const char *message) {
  CHECK(!run(L, text));
  CHECK_TEXT(lua_tostring(L, -1), message);
  CHECK_INT(ria_lua_error_status(L, -1), status);
}

static void statuses(void) {
  lua_State *L = open_state(NULL);
  CHECK(run(L, make));
  check_failure(L, "ria.dem 'no.asc'", RIA_ERR_INPUT,
                "host.lua:1: ria.dem: cannot open no.asc: No such file or directory");
  check_failure(L, "\nria.frame { field = 'level', widht = 3 }", RIA_ERR_ARGUMENT,
                "host.lua:2: ria.frame: unknown key 'widht': did you mean 'width'?");
  check_failure(L, "sim:at(1, function() error 'enough' end) sim:run(5)", RIA_ERR_CALLBACK,
                "host.lua:1: enough");
  check_failure(L, "error 'mine'", RIA_ERR_CALLBACK, "host.lua:1: mine");
  lua_close(L);
}

typedef struct seen {
  int closed, progress;
  ria_sim *running;
} seen;

static void closing(ria_sim *sim, ria_status status, void *user) {
  seen *s = user;
  CHECK_INT(status, RIA_OK);
  CHECK(ria_sim_steps(sim) > 0);
  s->closed++;
}

static ria_status progress(ria_sim *sim, const ria_progress_info *info, void *user) {
  seen *s = user;
  (void)info;
  CHECK(s->running == sim);
  s->progress++;
  ria_sim_interrupt(s->running); /* as a signal handler would */
  return RIA_OK;
}

/* The host's options: its parameters, an end, progress, closing, interrupting. */
static void options(void) {
  seen s = {0};
  static const char *const overrides[] = {"n=12", "deep=yes"};
  ria_sim *volatile *running = (ria_sim *volatile *)&s.running;
  ria_lua_options o = {.overrides = overrides,
                       .n_overrides = 2,
                       .until = 25,
                       .closing = closing,
                       .user = &s,
                       .running = running};
  lua_State *L = open_state(&o);
  CHECK(run(L, "p = ria.params { n = 4, deep = false } assert(p.n == 12 and p.deep == true)"));
  CHECK(run(L, make) && run(L, "assert(sim:run(100) == 25)"));
  CHECK(s.running == NULL);
  CHECK_INT(ria_lua_close_sims(L), RIA_OK);
  CHECK_INT(s.closed, 1);
  lua_close(L);

  o = (ria_lua_options){.progress = progress, .interval = 1e-9, .user = &s, .running = running};
  L = open_state(&o);
  CHECK(run(L, make) && !run(L, "sim:run '100 d'"));
  CHECK_INT(ria_lua_error_status(L, -1), RIA_INTERRUPTED);
  CHECK(s.progress > 0 && s.running == NULL);
  lua_close(L);
}

static void limit(lua_State *L, lua_Debug *ar) {
  (void)ar;
  luaL_error(L, "out of time");
}

/* A host's hook ends a long run, though no line of the script is executed meanwhile. */
static void hooks(void) {
  lua_State *L = open_state(NULL);
  CHECK(run(L, make));
  CHECK(luaL_loadstring(L, "sim:run '100000 d'") == LUA_OK);
  lua_sethook(L, limit, LUA_MASKCOUNT, 1000);
  lua_sethook(L, limit, LUA_MASKCALL, 0);
  CHECK(lua_pcall(L, 0, 0, 0) != LUA_OK);
  CHECK_HOLDS(lua_tostring(L, -1), "out of time");
  lua_sethook(L, NULL, 0, 0);
  lua_close(L);
}

/* What the binding leaves in a host's state: nothing but the module. */
static void no_globals(void) {
  lua_State *L = luaL_newstate();
  if (!L) abort();
  luaL_openlibs(L);
  CHECK(run(L, "before = {} for k in pairs(_G) do before[k] = true end before.before = true"));
  luaL_requiref(L, "ria", luaopen_ria, 0);
  CHECK(run(L, "for k in pairs(_G) do assert(before[k], k) end"));
  lua_close(L);
}

/* A script pauses where it says sim:run; the host moves its simulation, and lets it go. */
static void pauses(void) {
  ria_lua_pause pause = {0};
  ria_lua_options o = {.pause = &pause};
  lua_State *L = open_state(&o);
  int n = 0;
  pause.thread = lua_newthread(L);
  luaL_ref(L, LUA_REGISTRYINDEX);
  CHECK(luaL_loadstring(
            pause.thread,
            "sim = ria.sim { grid = { nx = 8, ny = 8, dx = 10 }, bed = -2, out = false }\n"
            "local pauses = coroutine.wrap(function() sim:run(5) end)\n"
            "pauses() assert(sim:run('10 s') == 10) pcall(sim.run, sim, '20 s')") == LUA_OK);
  CHECK_INT(lua_resume(pause.thread, L, 0, &n), LUA_YIELD);
  CHECK(pause.sim && pause.solver);
  CHECK_NEAR(ria_sim_time(pause.sim), 5.0, 0.0); /* of its own coroutine: without a pause */
  CHECK_NEAR(pause.t_end, 10.0, 0.0);
  CHECK_INT(ria_sim_advance(pause.sim, 2.0), RIA_OK);
  CHECK_INT(lua_resume(pause.thread, L, 0, &n), LUA_YIELD);
  CHECK_NEAR(ria_sim_time(pause.sim), 10.0, 0.0);
  CHECK_NEAR(pause.t_end, 20.0, 0.0);
  CHECK(run(L, "sim = nil collectgarbage()")); /* the state keeps what it has told of */
  CHECK_INT(lua_resume(pause.thread, L, 0, &n), LUA_OK);
  CHECK_NEAR(ria_sim_time(pause.sim), 20.0, 0.0);
  lua_close(L);
}

int main(void) {
  two_states();
  statuses();
  pauses();
  options();
  hooks();
  no_globals();
  return TEST_END();
}
