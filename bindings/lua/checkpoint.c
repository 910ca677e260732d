/* checkpoint.c - sim:checkpoint, sim:restarted, and runs that go on from a checkpoint.
 *
 * To go on the script runs again from its beginning; the engine repeats the run up to the
 * checkpoint (ria/checkpoint.h). Nothing of Lua is saved. What the script is made of is noted in
 * each checkpoint (changed.c). */
#include "binding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WALL_NOTE "wall"

/* --- going on --------------------------------------------------------------------------------- */

static bool goes_on(const rl_state *st, bool resume) {
  return st->options.mode == RIA_LUA_RUN && (resume || st->options.resume != RIA_LUA_FRESH);
}

bool rl_takes_up(lua_State *L, bool resume) { return goes_on(rl_state_of(L), resume); }

/* Where it is known to have changed, the engine's reason would only be what follows from it. */
static void refuse_change(lua_State *L, const rl_sim *s, const char *title, const rl_site *site) {
  const char *change = rl_push_change(L, s, title);
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

static void note_wall(lua_State *L, const rl_sim *s, const rl_site *site) {
  char wall[32];
  snprintf(wall, sizeof wall, "%.17g", s->wall);
  rl_try(L, site, NULL, ria_sim_note(s->sim, WALL_NOTE, wall, strlen(wall)));
}

void rl_continue_sim(lua_State *L, rl_sim *s, bool resume, const char *title, const rl_site *site) {
  const int top = lua_gettop(L);
  if (!ria_sim_out(s->sim) || s->st->options.mode != RIA_LUA_RUN) return;
  const bool on = goes_on(s->st, resume);
  if (on) {
    char from[4096];
    const ria_status status = ria_sim_continue(s->sim, from, sizeof from);
    if (status == RIA_OK || status == RIA_ERR_INPUT) {
      char why[1024];
      snprintf(why, sizeof why, "%s", ria_error(s->st->ctx));
      refuse_change(L, s, title, site);
      if (status != RIA_OK) ria_fail(s->st->ctx, status, "%s", why);
    }
    rl_try(L, site, NULL, status);
    tell(s, from);
  }
  s->wall = wall_of(s);
  if (on || s->wall > 0.0)
    rl_try(L, site, NULL,
           ria_sim_checkpoints(s->sim, &(ria_checkpoints_desc){.wall = s->wall, .at_end = true}));
  rl_note_made(L, s, title, site);
  note_wall(L, s, site);
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
