/* ria_lua.h - for hosts that put ria into a Lua state of their own.
 *
 *   ria_lua_configure(L, &(ria_lua_options){ .script = "bay.lua" });   (optional)
 *   luaL_requiref(L, "ria", luaopen_ria, 0);
 *   ... run scripts by protected calls ...
 *   ria_lua_close_sims(L);                                             (optional: see errors)
 *   lua_close(L);
 *
 * Several Lua states live side by side, each with a context of its own or the host's. The binding
 * touches no global of the state, never ends the process and calls Lua on the host's thread only.
 */
#ifndef RIA_LUA_H
#define RIA_LUA_H
#include <lua.h>
#include <ria/ria.h>
#include <signal.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum ria_lua_mode {
  RIA_LUA_RUN,   /* everything */
  RIA_LUA_CHECK, /* stop at the first step: everything before is checked, nothing is left behind */
  RIA_LUA_PARAMS /* stop at ria.params: the parameters to override are then known */
} ria_lua_mode;

/* Does a run go on from the newest checkpoint of its results directory (ria/checkpoint.h)? */
typedef enum ria_lua_resume {
  RIA_LUA_FRESH,         /* no, unless the script says so (`resume`) */
  RIA_LUA_RESUME,        /* yes; what the script or its parameters were changed in is an error */
  RIA_LUA_RESUME_CHANGED /* yes, so far as the changed script does the same up to there */
} ria_lua_resume;

/* For scripts of others (docs/limited.md). Zero is no bound. The struct is the host's, one for each
 * state, and outlives it. */
typedef struct ria_lua_limits {
  ria_limits engine;   /* of the context, which gets them from luaopen_ria (ria/limit.h) */
  double instructions; /* of Lua */
  double memory;       /* bytes of Lua */
  /* Where `require` finds the engine's own modules: "/usr/share/lua/5.4/?.lua;..."; NULL: nowhere.
   * All others are found below the folder of `script`, if it may be read. */
  const char *modules;
  struct { /* the binding's */
    lua_Alloc allocate;
    void *user;
    double used, instructions;
    size_t asked;
    bool refused;
  } own;
} ria_lua_limits;

/* For a host that steps what a script has made. It runs the script in a coroutine of its own
 * (lua_newthread, lua_resume), and sim:run yields to it, without values, before the simulation
 * moves. The host may then do with it all that a host may: set fields, spill, run it up to t_end by
 * ria_sim_advance or ria_sim_step. Once resumed the run goes on to its end, and the script behind
 * it. sim:run goes to its end at once where a script cannot yield to the host: in a coroutine of
 * its own, while a module is loaded, in a function that C calls back (table.sort).
 * The struct is the host's and outlives the state. A simulation that was told of stays until
 * ria_lua_close_sims, or until the script closes it: `closing` tells. */
typedef struct ria_lua_pause {
  lua_State *thread; /* the host's coroutine */
  ria_sim *sim;      /* which is about to run, and its solver; set by the binding */
  const ria_solver *solver;
  double t_end; /* how far, s */
} ria_lua_pause;

/* All text stays the caller's and must outlive the state. Zero means default everywhere. */
typedef struct ria_lua_options {
  ria_context *ctx; /* NULL = the state makes its own and frees it */
  ria_lua_mode mode;
  const char *script;           /* its name gives the default title and output directory */
  const char *out;              /* where results go; wins over the script's `out` */
  bool overwrite;               /* allow a directory that holds results already */
  ria_lua_resume resume;        /* of every simulation with results */
  double checkpoint_every;      /* wall s between checkpoints; 0 = as the script says */
  const char *const *overrides; /* "name=value" for ria.params */
  size_t n_overrides;
  double until;             /* s; > 0: no run goes beyond */
  const char *until_date;   /* the same as a date, for runs with a start; NULL = none */
  double interval;          /* wall s between calls of progress */
  ria_progress_fn progress; /* NULL = none */
  void *user;               /* of progress, closing and first_frame */
  bool report;              /* print summary and budget when a simulation that ran is closed */
  /* Called with each simulation that ran (or was checked) just before it is destroyed; status is
   * that of writing its last outputs. NULL = not. */
  void (*closing)(ria_sim *sim, ria_status status, void *user);
  /* RIA_LUA_CHECK: after closing, of a script that was checked to its first step: the end of the
   * run that it asked for, INFINITY where it goes on step by step. NULL = not. */
  void (*checked)(ria_sim *sim, double t_end, void *user);
  /* Called once for each simulation, as soon as a first frame of it is on disk, at the latest when
   * it is closed. NULL = not. */
  void (*first_frame)(const char *path, void *user);
  /* Changes of an earlier run (changes.lua), made again when the first simulation first runs; NULL
   * = none. */
  const char *changes;
  const char *provenance; /* JSON object for run.json */
  const char *text;       /* of the script, for the page of a run; NULL = not shown */
  /* Where to keep the simulation that runs at the moment (NULL while none does), so that a signal
   * handler can call ria_sim_interrupt on it. */
  ria_sim *volatile *running;
  /* Set by a signal handler that also makes Lua raise (a hook): then the error with which a
   * script's function ends counts as an interrupt, not as a failure of the script. NULL = never. */
  const volatile sig_atomic_t *stopping;
  /* Scripts get no os, io, debug and package of Lua's, code as text alone, and these limits; NULL =
   * all that the host has put into the state. The libraries are open, and coroutines of the host's
   * own in place, before ria_lua_configure, which changes the globals; the script comes after
   * luaopen_ria, and luaL_loadfilex takes it with mode "t". What no hook can end (a pattern that
   * backtracks) the host ends: it keeps such scripts in a process of their own, with a clock. */
  ria_lua_limits *limited;
  ria_lua_pause *pause; /* NULL = sim:run goes to its end */
} ria_lua_options;

/* Before luaopen_ria. Without it a state has all defaults; under the standalone interpreter the
 * script's name is taken from `arg[0]` and results are reported. May raise (out of memory): call it
 * protected. */
void ria_lua_configure(lua_State *L, const ria_lua_options *options);

RIA_API int luaopen_ria(lua_State *L);
/* Have the scripts of this state do the same whenever they are run, as `ria run` does: math.random
 * begins with seed 1, and pairs goes through names in order. Sets the global `pairs`; after
 * luaL_openlibs. May raise. */
RIA_API void ria_lua_repeatable(lua_State *L);
/* The module ria.noise, which scripts/ria/synth.lua needs. luaopen_ria opens it too; by itself it
 * asks for no context. */
RIA_API int luaopen_ria_noise(lua_State *L);

/* From the host's progress callback: run a line of Lua over `sim` and `ria`, such as
 * "sim:at(3600, ria.spill { ... })", and enter it into the run's log of changes. The status and
 * message of what it raised: then it is not in the log. */
ria_status ria_lua_change(lua_State *L, ria_sim *sim, const char *line);

/* Close every simulation of the state in the order they were made, reporting where asked.
 * The first error's status; its message is in ria_lua_context. */
ria_status ria_lua_close_sims(lua_State *L);
/* The status behind an error message that a protected call left at index `idx`: what the engine
 * said if the message is the one it raised last, RIA_ERR_CALLBACK for any other error. */
ria_status ria_lua_error_status(lua_State *L, int idx);
/* The context of the state: for modules of your own, say to register a solver. */
RIA_API ria_context *ria_lua_context(lua_State *L);
/* The traceback of the last error in a callback, or NULL; the state owns it. */
const char *ria_lua_traceback(lua_State *L);

/* How a script ended that was stopped on purpose. */
bool ria_lua_checked(lua_State *L); /* RIA_LUA_CHECK: everything up to the first step is right */
/* RIA_LUA_CHECK: errors after which the check went on, a line of each, and the status of the first;
 * NULL: none. The state owns the text. */
const char *ria_lua_found(lua_State *L, ria_status *status);
bool ria_lua_params_listed(lua_State *L); /* RIA_LUA_PARAMS: ria.params was reached */
bool ria_lua_usage_error(lua_State *L);   /* an override was wrong, not the script */
/* An override that no ria.params has looked at, or NULL. */
const char *ria_lua_unused_override(lua_State *L);
/* Why a script that ended well has done nothing, as users are told: it made no simulation, or ran
 * none. NULL if one has run, or if the script asked where results of its own go (ria.out). */
const char *ria_lua_idle(lua_State *L);

/* Of a limited state: the bound that was reached, RIA_LIMIT_FILES if the last error was a file or
 * what is not there, or RIA_LIMIT_NONE. */
ria_limit ria_lua_limit(lua_State *L);

/* What ria.params declared, in order of name. Text is owned by the state. */
typedef struct ria_lua_param {
  const char *name, *type, *unit, *help;
  const char *def, *value, *range; /* as text; "" where there is none */
} ria_lua_param;
bool ria_lua_param_at(lua_State *L, size_t i, ria_lua_param *out);

#ifdef __cplusplus
}
#endif
#endif
