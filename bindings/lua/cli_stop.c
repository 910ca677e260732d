/* cli_stop.c - how a script is ended before its end: by a signal, or by os.exit.
 *
 * Both unwind the script instead of ending the process, so that simulations are closed: queued
 * frames are written, run.json says how the run ended. The simulation that runs is asked to end
 * after its step, and from then on Lua raises at every instruction. It goes on raising, so that no
 * pcall of the script survives it, until the program's own protected call has it.
 *
 * A hook belongs to one Lua thread. The program's coroutine.resume, wrap and close keep note of the
 * running thread and move the hook to the next one that runs.
 *
 * What ria itself works on for long is told, too, and fails. Lua cannot be ended inside any other
 * function in C (string.find that backtracks) nor inside a finaliser,
 * where hooks do not run, and a step is finished first: for these a second SIGINT or SIGTERM ends
 * the process at once, and its outputs stay as they are. After a second of waiting a line says so.
 */
#include "cli.h"

#include <errno.h>
#include <lauxlib.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { BY_OS_EXIT = -1 };

ria_sim *volatile cli_running_sim;
volatile sig_atomic_t cli_stopping;
static lua_State *volatile running_lua;
static ria_context *volatile running_context;
static pthread_t main_thread;
static int exit_code; /* of os.exit */

/* --- raising ---------------------------------------------------------------------------------- */

static void stop_hook(lua_State *L, lua_Debug *ar) {
  (void)ar;
  luaL_where(L, 0);
  lua_pushliteral(L, "interrupted");
  lua_concat(L, 2);
  lua_error(L);
}

static void raise_in(lua_State *L) { lua_sethook(L, stop_hook, LUA_MASKCOUNT, 1); }

/* --- signals ---------------------------------------------------------------------------------- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Someone insists: a second SIGINT or SIGTERM. timeout(1) sends each signal twice at once, and a
 * terminal that closes may send SIGHUP more than once: neither counts. */
static bool insists(int sig) {
  static double first;
  static volatile sig_atomic_t asked;
  if (sig != SIGINT && sig != SIGTERM) return false;
  if (!asked) first = now();
  const bool again = asked && now() - first > 0.5;
  asked = 1;
  return again;
}

/* A second after the first signal. Only calls that a signal handler may make. */
static void say_what_is_awaited(int sig) {
  static const char line[] = "ria: the present step or call is finished first, then results are "
                             "closed; Ctrl-C again ends at once and leaves them as they are\n";
  const int kept = errno;
  (void)sig;
  if (!cli_speaks()) return;
  if (write(STDERR_FILENO, line, sizeof line - 1) < 0) errno = 0;
  errno = kept;
}

static void on_signal(int sig) {
  const int kept = errno;
  if (!pthread_equal(pthread_self(), main_thread)) {
    pthread_kill(main_thread, sig); /* hooks are set by the thread that Lua is on */
  } else if (insists(sig)) {
    _exit(128 + sig);
  } else {
    if (!cli_stopping) alarm(1);
    if (!cli_stopping) cli_stopping = sig;
    if (running_context) ria_context_interrupt(running_context, true);
    if (cli_running_sim) ria_sim_interrupt(cli_running_sim);
    if (running_lua) raise_in(running_lua);
  }
  errno = kept;
}

static void watch(int sig, bool though_ignored) {
  struct sigaction action = {.sa_handler = on_signal}, had; /* a read ends: io.read() too */
  sigemptyset(&action.sa_mask);
  /* nohup and others ignore signals on our behalf; shells do so with SIGINT for what they start in
   * the background, which is not meant */
  if (!though_ignored && sigaction(sig, NULL, &had) == 0 && had.sa_handler == SIG_IGN) return;
  sigaction(sig, &action, NULL);
}

/* --- coroutines ------------------------------------------------------------------------------- */

/* Call the function that is upvalue 1 with what is on the stack, noting that Lua runs on `co`. It
 * does not raise. */
static int call_on(lua_State *L, lua_State *co) {
  lua_State *outer = running_lua;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  running_lua = co;
  if (cli_stopping) raise_in(co);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  running_lua = outer;
  if (cli_stopping) raise_in(L);
  return lua_gettop(L);
}

/* coroutine.resume, with Lua's own as upvalue 1. */
static int co_resume(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "coroutine");
  return call_on(L, co);
}

/* coroutine.close: runs what the coroutine has yet to close. Lua's own raises for one that runs. */
static int co_close(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "coroutine");
  return call_on(L, lua_status(co) == LUA_OK ? L : co);
}

/* What coroutine.wrap gives. Upvalues: Lua's resume, Lua's close, the coroutine. */
static int co_wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(3));
  lua_pushvalue(L, lua_upvalueindex(3));
  lua_insert(L, 1);
  const int n = call_on(L, co);
  if (lua_toboolean(L, 1)) return n - 1;
  /* it failed: close what it has left open; where a hook ended it that would run without hooks */
  if (lua_status(co) > LUA_YIELD && !cli_stopping) {
    lua_settop(L, 0);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_pushvalue(L, lua_upvalueindex(3));
    lua_call(L, 1, 2);
  }
  if (lua_type(L, -1) == LUA_TSTRING && lua_status(co) != LUA_ERRMEM) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int co_wrap(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  lua_pushcclosure(L, co_wrapped, 3);
  return 1;
}

static void follow_coroutines(lua_State *L) {
  lua_getglobal(L, "coroutine");
  lua_getfield(L, -1, "resume");
  lua_getfield(L, -2, "close");
  lua_pushvalue(L, -2);
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, co_wrap, 2);
  lua_setfield(L, -4, "wrap");
  lua_pushcclosure(L, co_close, 1);
  lua_setfield(L, -3, "close");
  lua_pushcclosure(L, co_resume, 1);
  lua_setfield(L, -2, "resume");
  lua_pop(L, 1);
}

/* --- os.exit ---------------------------------------------------------------------------------- */

static int os_exit(lua_State *L) {
  if (lua_isboolean(L, 1))
    exit_code = lua_toboolean(L, 1) ? EXIT_OK : EXIT_SCRIPT;
  else
    exit_code = (int)(luaL_optinteger(L, 1, EXIT_OK) & 0xff);
  if (!cli_stopping) cli_stopping = BY_OS_EXIT;
  raise_in(L);
  return luaL_error(L, "os.exit");
}

/* --- for the program -------------------------------------------------------------------------- */

void cli_stop_open(lua_State *L) {
  follow_coroutines(L);
  lua_getglobal(L, "os");
  lua_pushcfunction(L, os_exit);
  lua_setfield(L, -2, "exit");
  lua_pop(L, 1);
}

void cli_stop_watch(lua_State *L, ria_context *ctx) {
  struct sigaction alarm_action = {.sa_handler = say_what_is_awaited, .sa_flags = SA_RESTART};
  sigemptyset(&alarm_action.sa_mask);
  sigaction(SIGALRM, &alarm_action, NULL);
  main_thread = pthread_self();
  running_lua = L;
  running_context = ctx;
  watch(SIGINT, true);
  watch(SIGTERM, true);
  watch(SIGHUP, false);
  watch(SIGPIPE, false);
  watch(SIGXFSZ, false);
}

bool cli_stop_end(lua_State *L, int *code) {
  alarm(0);
  running_lua = NULL;
  running_context = NULL;
  lua_sethook(L, NULL, 0, 0);
  if (!cli_stopping) return false;
  *code = cli_stopping == BY_OS_EXIT ? exit_code : 128 + (int)cli_stopping;
  return true;
}
