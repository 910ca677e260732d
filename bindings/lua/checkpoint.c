/* checkpoint.c - sim:checkpoint, sim:restarted, and runs that go on from a checkpoint.
 *
 * To go on the script runs again from its beginning; the engine repeats the run up to the
 * checkpoint (ria/checkpoint.h). Nothing of Lua is saved. Each checkpoint has the script's text and
 * its parameters as notes, so that what was changed is named before the engine comes to where it
 * shows. */
#include "binding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char script_key; /* in the registry: the script's text */

/* Names of the notes in a checkpoint. */
#define SCRIPT_NOTE "script"
#define PARAMS_NOTE "parameters"
#define WALL_NOTE "wall"

/* --- what a run was made of ------------------------------------------------------------------- */

/* A pipe or a terminal is read once, by Lua. */
static FILE *open_script(const char *path, size_t *size) {
  struct stat info;
  FILE *f = path && stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
  *size = f ? (size_t)info.st_size : 0;
  return f;
}

void rl_keep_script(lua_State *L, const rl_state *st) {
  size_t size;
  struct stat info;
  if (!st->options.script || stat(st->options.script, &info) != 0) return;
  char *text = lua_newuserdatauv(L, (size_t)info.st_size + 1, 0);
  FILE *f = open_script(st->options.script, &size); /* nothing raises while it is open */
  if (size > (size_t)info.st_size) size = (size_t)info.st_size;
  const size_t n = f ? fread(text, 1, size, f) : 0;
  if (f) fclose(f);
  lua_pushlstring(L, text, n);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &script_key);
  lua_pop(L, 1);
}

static const char *push_script(lua_State *L, size_t *n) {
  *n = 0;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &script_key) != LUA_TSTRING) return "";
  return lua_tolstring(L, -1, n);
}

/* "name = value" a line, in order of name. */
static const char *push_params(lua_State *L) {
  luaL_Buffer b;
  ria_lua_param p;
  luaL_buffinit(L, &b);
  for (size_t k = 0; ria_lua_param_at(L, k, &p); k++) {
    luaL_addstring(&b, p.name);
    luaL_addstring(&b, " = ");
    luaL_addstring(&b, p.value);
    luaL_addchar(&b, '\n');
  }
  luaL_pushresult(&b);
  return lua_tostring(L, -1);
}

/* --- what differs ----------------------------------------------------------------------------- */

typedef struct line {
  const char *at;
  int n;
} line;

static line line_at(const char *text) { return (line){text, (int)strcspn(text, "\n")}; }

static bool same_line(line a, line b) { return a.n == b.n && memcmp(a.at, b.at, (size_t)a.n) == 0; }

/* The rest of both texts from the first line on that differs; its number. */
static int skip_same(const char **was, const char **is) {
  int number = 1;
  for (; **was || **is; number++) {
    const line a = line_at(*was), b = line_at(*is);
    if (!same_line(a, b) || !a.at[a.n] != !b.at[b.n]) break;
    *was += a.n + (a.at[a.n] != 0);
    *is += b.n + (b.at[b.n] != 0);
  }
  return number;
}

/* The first of its bytes that differs from the other line's; from a little before that on it is
 * shown. */
static void show_line(const char *text, const char *other, char *out, size_t size) {
  enum { BEFORE = 16 };
  const line a = line_at(text), b = line_at(other);
  int from = 0;
  while (from < a.n && from < b.n && a.at[from] == b.at[from]) from++;
  const int blanks = (int)strspn(text, " ");
  from = from - BEFORE > blanks ? from - BEFORE : blanks;
  while (from > blanks && (text[from] & 0xc0) == 0x80) from--; /* inside a character */
  const int room = (int)size - 7, n = a.n - from;
  int shown = n <= room ? n : room;
  while (shown > 0 && shown < n && (text[from + shown] & 0xc0) == 0x80) shown--;
  snprintf(out, size, "%s%.*s%s", from > blanks ? "..." : "", shown > 0 ? shown : 0, text + from,
           n > room ? "..." : "");
}

static const char *push_script_change(lua_State *L, const rl_sim *s) {
  size_t n, n_was = 0;
  const char *is = push_script(L, &n), *was = ria_sim_noted(s->sim, SCRIPT_NOTE, &n_was);
  if (!was || (n == n_was && memcmp(is, was, n) == 0)) return NULL;
  char then[60], now[60];
  const int number = skip_same(&was, &is);
  show_line(was, is, then, sizeof then);
  show_line(is, was, now, sizeof now);
  return lua_pushfstring(L, "the script was changed: its line %d was '%s' and is '%s'", number,
                         then, now);
}

static const char *push_param_change(lua_State *L, const rl_sim *s) {
  const char *is = push_params(L), *was = ria_sim_noted(s->sim, PARAMS_NOTE, NULL);
  if (!was || strcmp(was, is) == 0) return NULL;
  char then[80], now[80];
  skip_same(&was, &is);
  snprintf(then, sizeof then, "%.*s", line_at(was).n, was);
  snprintf(now, sizeof now, "%.*s", line_at(is).n, is);
  return lua_pushfstring(L, "another parameter was given: %s then, %s now", *then ? then : "none",
                         *now ? now : "none");
}

static const char *push_change(lua_State *L, const rl_sim *s) {
  const char *change = push_script_change(L, s);
  return change ? change : push_param_change(L, s);
}

/* --- going on --------------------------------------------------------------------------------- */

static bool goes_on(const rl_state *st, bool resume) {
  return st->options.mode == RIA_LUA_RUN && (resume || st->options.resume != RIA_LUA_FRESH);
}

bool rl_takes_up(lua_State *L, bool resume) { return goes_on(rl_state_of(L), resume); }

/* Where it is known to have changed, the engine's reason would only be what follows from it. */
static void refuse_change(lua_State *L, const rl_sim *s, const rl_site *site) {
  const char *change = push_change(L, s);
  if (!change || s->st->options.resume == RIA_LUA_RESUME_CHANGED) return;
  rl_try(L, site, NULL,
         ria_fail(s->st->ctx, RIA_ERR_INPUT,
                  "the run in %s cannot be continued: %s. Give what it had, or go on with "
                  "--continue-changed, which works where both do the same up to the checkpoint",
                  ria_sim_out(s->sim), change));
}

static void tell(const rl_sim *s, const char *from) {
  const char *out = ria_sim_out(s->sim);
  char when[64], date[64] = "";
  double t;
  int64_t steps;
  if (!*from) {
    ria_log(s->st->ctx,
            "%s: nothing to continue, no checkpoint is there: the run starts from its "
            "beginning",
            out);
    return;
  }
  ria_sim_continues(s->sim, &t, &steps);
  ria_format_duration(t, when, sizeof when);
  if (ria_sim_date(s->sim, t, date + 2, sizeof date - 2)) memcpy(date, ", ", 2);
  ria_log(s->st->ctx, "%s: goes on at %s%s, after %lld steps, from %s", out, when, date,
          (long long)steps, from);
}

/* Time between checkpoints by the wall clock, as the command line says, or as it said for the run
 * that goes on. */
static double wall_of(const rl_sim *s) {
  const char *was = ria_sim_noted(s->sim, WALL_NOTE, NULL);
  const double wall = s->st->options.checkpoint_every;
  return wall > 0.0 || !was ? wall : strtod(was, NULL);
}

static void note(lua_State *L, const rl_sim *s, const rl_site *site) {
  size_t n;
  char wall[32];
  const char *script = push_script(L, &n), *params = push_params(L);
  snprintf(wall, sizeof wall, "%.17g", s->wall);
  rl_try(L, site, NULL, ria_sim_note(s->sim, SCRIPT_NOTE, script, n));
  rl_try(L, site, NULL, ria_sim_note(s->sim, PARAMS_NOTE, params, strlen(params)));
  rl_try(L, site, NULL, ria_sim_note(s->sim, WALL_NOTE, wall, strlen(wall)));
}

void rl_continue_sim(lua_State *L, rl_sim *s, bool resume, const rl_site *site) {
  const int top = lua_gettop(L);
  if (!ria_sim_out(s->sim) || s->st->options.mode != RIA_LUA_RUN) return;
  const bool on = goes_on(s->st, resume);
  if (on) {
    char from[4096];
    const ria_status status = ria_sim_continue(s->sim, from, sizeof from);
    if (status == RIA_OK || status == RIA_ERR_INPUT) {
      char why[1024];
      snprintf(why, sizeof why, "%s", ria_error(s->st->ctx));
      refuse_change(L, s, site);
      if (status != RIA_OK) ria_fail(s->st->ctx, status, "%s", why);
    }
    rl_try(L, site, NULL, status);
    tell(s, from);
  }
  s->wall = wall_of(s);
  if (on || s->wall > 0.0)
    rl_try(L, site, NULL,
           ria_sim_checkpoints(s->sim, &(ria_checkpoints_desc){.wall = s->wall, .at_end = true}));
  note(L, s, site);
  lua_settop(L, top);
}

/* --- methods ---------------------------------------------------------------------------------- */

typedef struct checkpoint_args {
  double every, wall;
  bool at_end;
  int keep;
} checkpoint_args;

static const rl_key checkpoint_keys[] = {
    {"every", RL_NUMBER, RIA_DIM_TIME, offsetof(checkpoint_args, every), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "simulated time between two; no step is shortened for it. None by it if left out"},
    {"wall", RL_NUMBER, RIA_DIM_TIME, offsetof(checkpoint_args, wall), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "time by the clock between two; that of --checkpoint-every goes before it"},
    {"at_end", RL_BOOL, 0, offsetof(checkpoint_args, at_end),
     .doc = "one more where a run ends, is stopped or interrupted; true if left out"},
    {"keep", RL_INT, 0, offsetof(checkpoint_args, keep), 0, 1, 1000000,
     .doc = "how many of the newest stay; 2 if left out"},
    {0}};
const rl_table_info rl_checkpoint_info = {.keys = checkpoint_keys};

static int sim_checkpoint(lua_State *L) {
  rl_site site;
  checkpoint_args a = {.at_end = true};
  rl_here(L, "sim:checkpoint", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  if (!lua_isnoneornil(L, 2)) rl_read_table(L, 2, &rl_checkpoint_info, &site, NULL, &a);
  const ria_checkpoints_desc desc = {.every = a.every,
                                     .wall = s->wall > 0.0 ? s->wall : a.wall,
                                     .at_end = a.at_end,
                                     .keep = a.keep};
  rl_try(L, &site, NULL, ria_sim_checkpoints(s->sim, &desc));
  return 0;
}

/* What it tells is no part of the record: nil up to the checkpoint, as in the run that wrote it. */
static int sim_restarted(lua_State *L) {
  rl_site site;
  double t;
  rl_here(L, "sim:restarted", 1, &site);
  const rl_sim *s = rl_check_sim(L, &site);
  if (ria_sim_restoring(s->sim) || !ria_sim_continues(s->sim, &t, NULL)) return 0;
  lua_pushnumber(L, t);
  return 1;
}

const luaL_Reg rl_checkpoint_methods[] = {
    {"checkpoint", sim_checkpoint}, {"restarted", sim_restarted}, {NULL, NULL}};
