/* cli_script.c - a Lua state with the module in it, one script, and what became of it.
 *
 * Everything that touches Lua happens inside protected calls: running the script, telling what
 * became of it, and closing its simulations. How a signal or os.exit ends it is in cli_stop.c. */
#include "cli_script.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

/* This rank ends because a signal, or os.exit, ended another one, whose code becomes that of all:
 * codes of signals are greater. */
enum { ANOTHERS = 128 };

/* --- telling ---------------------------------------------------------------------------------- */

void cli_script_log(void *user, const char *line) {
  cli_host *h = user;
  cli_wipe_progress(&h->progress);
  if (h->log.to) json_text(&h->log, NULL, line);
  if (h->o->quiet || h->o->json) return;
  printf("%s\n", line);
  fflush(stdout);
}

/* A script of others may raise as much text as it has memory, and what it prints is bounded. */
static void tell_error(cli_host *h, const char *message, const char *traceback) {
  enum { MOST = 100000 };
  const size_t n = strlen(message);
  const bool cut = h->limited && n > MOST;
  free(h->error);
  h->error = strndup(message, cut ? MOST : n);
  h->told = true;
  if (!cli_speaks()) return;
  (void)fwrite(message, 1, cut ? MOST : n, stderr);
  fputs(cut ? " ...\n" : "\n", stderr);
  if (h->o->verbose && traceback) fprintf(stderr, "%s\n", traceback);
}

static void closing(ria_sim *sim, ria_status status, void *user) {
  (void)status;
  cli_host *h = user;
  cli_wipe_progress(&h->progress);
  if (h->o->json)
    cli_json_simulation(&h->json, sim);
  else if (h->mode == RIA_LUA_CHECK && h->describe)
    h->described = h->describe(h->o, sim);
  fflush(stdout);
}

/* Of a check that found nothing wrong. */
static void checked(ria_sim *sim, double t_end, void *user) {
  cli_host *h = user;
  if (h->code != EXIT_OK || h->describe) return;
  cli_forecast(h->o, sim, t_end, h->forecast.to ? &h->forecast : NULL);
  fflush(stdout);
}

/* --- the Lua state ---------------------------------------------------------------------------- */

static ria_status on_progress(ria_sim *sim, const ria_progress_info *info, void *user) {
  cli_host *h = user;
  if (!h->o->quiet && !h->o->json) RIA_TRY(cli_show_progress(sim, info, user));
  return h->live ? cli_live_tell(h->live, h->L, sim, info) : RIA_OK;
}

static void configure(lua_State *L, cli_host *h) {
  const cli_options *o = h->o;
  const bool progress = h->mode == RIA_LUA_RUN && !o->quiet && !o->json;
  h->L = L;
  ria_lua_configure(L, &(ria_lua_options){.ctx = h->ctx,
                                          .mode = h->mode,
                                          .script = o->file,
                                          .out = h->out,
                                          .overwrite = o->overwrite,
                                          .resume = o->resume,
                                          .checkpoint_every = o->checkpoint_every,
                                          .overrides = o->overrides,
                                          .n_overrides = o->n_overrides,
                                          .until = o->until,
                                          .until_date = o->until_date,
                                          .interval = 0.5,
                                          .progress = progress || h->live ? on_progress : NULL,
                                          .first_frame = progress ? cli_show_first_frame : NULL,
                                          .user = h,
                                          .report = h->mode == RIA_LUA_RUN,
                                          .closing = closing,
                                          .checked = checked,
                                          .changes = o->changes,
                                          .provenance = h->provenance,
                                          .text = h->text,
                                          .running = &cli_running_sim,
                                          .stopping = &cli_stopping,
                                          .limited = h->limited ? &h->limits.lua : NULL});
}

/* The global `arg`, as the standalone interpreter has it. */
static void set_arg(lua_State *L, const cli_options *o) {
  lua_newtable(L);
  lua_pushstring(L, o->file);
  lua_rawseti(L, -2, 0);
  for (size_t k = 0; k < o->n_overrides; k++) {
    lua_pushstring(L, o->overrides[k]);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
  lua_setglobal(L, "arg");
}

static const char host_key; /* in the registry */

/* Set the state up and run the script: one protected call. */
static int run_all(lua_State *L) {
  cli_host *h = lua_touserdata(L, 1);
  lua_pushvalue(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &host_key);
  const char *file = h->o->file;
  luaL_openlibs(L);
  ria_lua_repeatable(L);
  cli_open_modules(L, file);
  cli_stop_open(L);
  cli_ranks_open(L);
  set_arg(L, h->o);
  configure(L, h);
  luaL_requiref(L, "ria", luaopen_ria, 0);
  lua_getfield(L, -1, "params");
  lua_setglobal(L, "params");
  lua_settop(L, 0);
  int rc = luaL_loadfilex(L, strcmp(file, "-") == 0 ? NULL : file, "t");
  h->unreadable = rc == LUA_ERRFILE && errno != ENOMEM;
  if (rc != LUA_OK) lua_error(L);
  lua_call(L, 0, 0);
  return 0;
}

/* --- what became of it ------------------------------------------------------------------------ */

static const char traceback_key;

/* What an error that is no text shows as text, at index 1; a table alone has an address to show. */
static void make_text(lua_State *L) {
  const int type = lua_type(L, 1);
  const bool told = type == LUA_TNUMBER || type == LUA_TBOOLEAN ||
                    luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &host_key);
  const cli_host *h = lua_touserdata(L, -1);
  if (told)
    luaL_tolstring(L, 1, NULL);
  else
    lua_pushfstring(L, "%s: an error that is a %s, not text (with -v ria run tells where)",
                    h->o->file, lua_typename(L, type));
  lua_replace(L, 1);
  lua_settop(L, 1);
}

/* Keep the message one line; the traceback goes beside it. */
static int keep_traceback(lua_State *L) {
  if (lua_type(L, 1) != LUA_TSTRING && !lua_isnil(L, 1)) make_text(L);
  luaL_traceback(L, L, NULL, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &traceback_key);
  return 1;
}

/* Tell of an error, its message on top of the stack: "... : Lua asked for 24 bytes". */
static void tell_failure(lua_State *L, cli_host *h, ria_status status) {
  char text[1200];
  const char *message = lua_tostring(L, -1);
  const bool lua_has_none =
      h->no_memory || (status == RIA_ERR_MEMORY && message && strstr(message, "a callback ran"));
  /* to raise the engine's message needs memory too: where this failed, the message is still there
   */
  const char *engine = h->no_memory && h->ctx ? ria_error(h->ctx) : "", *told = text;
  if (h->limited && h->no_memory)
    snprintf(text, sizeof text, "%s: %s", h->o->file,
             ria_lua_limit(L) != RIA_LIMIT_NONE
                 ? ria_limit_message(h->ctx)
                 : "limit of memory: Lua asked for more than is allowed (--limit memory=N)");
  else if (strstr(engine, "out of memory"))
    snprintf(text, sizeof text, "%s: %s", h->o->file, engine);
  else if (lua_has_none && h->refused && message)
    snprintf(text, sizeof text, "%s%s%s: Lua asked for %zu bytes", h->no_memory ? h->o->file : "",
             h->no_memory ? ": " : "", message, h->refused);
  else if (message)
    told = message;
  else
    snprintf(text, sizeof text, "%s: an error without a message (with -v ria run tells where)",
             h->o->file);
  char more[1300];
  if (h->limited && h->mode == RIA_LUA_RUN && status == RIA_ERR_MEMORY &&
      strstr(told, "out of memory")) {
    snprintf(more, sizeof more, "%.1200s (of a limited run: --limit memory=N allows more)", told);
    told = more;
  }
  ria_status first;
  const char *found = h->no_memory ? NULL : ria_lua_found(L, &first);
  if (found) told = lua_pushfstring(L, "%s\n%s", found, told);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &traceback_key);
  const char *inner = ria_lua_traceback(L), *outer = lua_tostring(L, -1);
  tell_error(h, told, inner ? inner : outer);
}

/* What a check found on its way to the end. */
static int tell_found(lua_State *L, cli_host *h) {
  ria_status first = RIA_OK;
  const char *found = ria_lua_found(L, &first);
  if (!found) return EXIT_OK;
  tell_error(h, found, NULL);
  return cli_limit_code(h->ctx, h->limited, first);
}

/* What the failed call's message, on top of the stack, means for the exit code; tells the user. */
static int judge(lua_State *L, cli_host *h) {
  const ria_status status = ria_lua_error_status(L, -1);
  if (status == RIA_INTERRUPTED &&
      (ria_lua_checked(L) || ria_lua_params_listed(L) || h->mode == RIA_LUA_PARAMS))
    return tell_found(L, h);
  const char *message = lua_tostring(L, -1); /* a buffer of Lua's says so by a plain error */
  if (h->limited && message && strstr(message, "not enough memory")) h->no_memory = true;
  tell_failure(L, h, status);
  if (ria_lua_usage_error(L)) return EXIT_USAGE;
  if (h->unreadable) return EXIT_INPUT;
  if (status == RIA_INTERRUPTED && cli_comm()) return ANOTHERS; /* this one's is settled before */
  (void)ria_lua_limit(L);                                       /* notes it */
  return cli_limit_code(h->ctx, h->limited, h->no_memory ? RIA_ERR_MEMORY : status);
}

/* An override that no ria.params took. */
static int judge_overrides(lua_State *L, const cli_host *h) {
  const char *unused = h->mode == RIA_LUA_PARAMS ? NULL : ria_lua_unused_override(L);
  if (!unused) return EXIT_OK;
  cli_complain(h->o, "'%s' was given, but %s declares no parameters (ria.params)", unused,
               h->o->file);
  return EXIT_USAGE;
}

/* Under a protected call, with the host and the message of the script's, if it failed: h->code. */
static int settle(lua_State *L) {
  cli_host *h = lua_touserdata(L, 1);
  int stopped = EXIT_OK;
  if (cli_stop_end(L, &stopped)) {
    const char *message = h->failed ? lua_tostring(L, -1) : NULL;
    if (cli_stopping > 0) tell_error(h, message ? message : "interrupted", NULL);
    h->code = stopped;
    return 0;
  }
  h->code = h->failed ? judge(L, h) : tell_found(L, h);
  if (h->code == EXIT_OK && !h->failed) h->code = judge_overrides(L, h);
  if (h->code == EXIT_OK && h->after) h->code = h->after(L, h);
  return 0;
}

/* The first error is the one to tell: a disk that is full ends the run, and its closing too. */
static int close_all(lua_State *L) {
  cli_host *h = lua_touserdata(L, 1);
  const ria_status status = ria_lua_close_sims(L);
  if (status == RIA_OK) return 0;
  if (!h->told) tell_error(h, ria_error(h->ctx), NULL);
  if (h->code == EXIT_OK) h->code = cli_limit_code(h->ctx, h->limited, status);
  return 0;
}

/* Call f(host [, what is on top]) protected: out of memory, it has done what it could. */
static void call_protected(lua_State *L, cli_host *h, lua_CFunction f) {
  lua_settop(L, 1);
  lua_pushcfunction(L, f);
  lua_insert(L, 1);
  lua_pushlightuserdata(L, h);
  lua_insert(L, 2);
  if (lua_pcall(L, 2, 0, 0) == LUA_OK) return;
  const char *message = lua_tostring(L, -1);
  tell_error(h, message ? message : "an error without a message", NULL);
  if (h->code == EXIT_OK) h->code = EXIT_SCRIPT;
}

/* Lua's memory is the C library's; what could not be had is noted. */
static void *allocate(void *user, void *old, size_t old_size, size_t size) {
  cli_host *h = user;
  (void)old_size;
  if (size == 0) {
    free(old);
    return NULL;
  }
  void *block = realloc(old, size);
  if (!block) h->refused = size;
  return block;
}

/* An error of one rank is told by the first. */
static void meet_others(cli_host *h) {
  const bool well = h->code == EXIT_OK;
  const ria_status status = well ? RIA_OK : RIA_ERR_CALLBACK;
  char ended[64];
  snprintf(ended, sizeof ended, "the script ended with exit code %d", h->code);
  if (!ria_context_ended(h->ctx, status, h->error ? h->error : ended)) return;
  if (!h->told) tell_error(h, ria_error(h->ctx), NULL);
  h->code = EXIT_SCRIPT; /* the other's, when all leave */
}

static int leave(cli_host *h) {
  const int code = cli_ranks_leave(h->ctx, h->code);
  return code == ANOTHERS ? EXIT_SCRIPT : code;
}

static int fail_state(cli_host *h) {
  tell_error(h, "ria: out of memory: a Lua state cannot be made", NULL);
  h->code = EXIT_SCRIPT;
  meet_others(h);
  return leave(h);
}

int cli_script_run(cli_host *h) {
  lua_State *L = luaL_newstate();
  if (!L) return fail_state(h);
  lua_setallocf(L, allocate, h);
  cli_stop_watch(L, h->ctx);
  lua_pushcfunction(L, keep_traceback);
  lua_pushcfunction(L, run_all);
  lua_pushlightuserdata(L, h);
  const int rc = lua_pcall(L, 1, 0, 1);
  h->failed = rc != LUA_OK;
  h->no_memory = rc == LUA_ERRMEM;
  if (h->failed) lua_replace(L, 1);
  cli_wipe_progress(&h->progress);
  call_protected(L, h, settle);
  meet_others(h);
  call_protected(L, h, close_all);
  lua_close(L);
  return leave(h);
}
