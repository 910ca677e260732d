/* run.c - methods of a simulation that move it on.
 *
 * Callbacks run on the Lua thread that asked for the run (st->L, see guard.c). The host's hooks
 * get their chance now and then through the progress callback, so that Ctrl-C under the standalone
 * interpreter, or a host's limit, ends a long run. */
#include "binding.h"

#include <string.h>

#include <math.h>

/* --- watching --------------------------------------------------------------------------------- */

static int nothing(lua_State *L) {
  (void)L;
  return 0;
}

void rl_tell_first_frame(rl_sim *s) {
  const ria_lua_options *o = &s->st->options;
  char path[4096];
  if (!o->first_frame || s->pictured || !s->sim) return;
  s->pictured = ria_sim_first_frame(s->sim, path, sizeof path);
  if (s->pictured) o->first_frame(path, o->user);
}

static ria_status on_progress(ria_sim *sim, const ria_progress_info *info, void *user) {
  rl_sim *s = user;
  const ria_lua_options *o = &s->st->options;
  RIA_TRY(rl_protected(s->st, nothing, NULL)); /* a call: hooks of the state run here */
  rl_tell_first_frame(s);
  return o->progress ? o->progress(sim, info, o->user) : RIA_OK;
}

ria_status rl_watch_progress(rl_sim *s) {
  const ria_lua_options *o = &s->st->options;
  double interval = o->progress && o->interval > 0.0 ? o->interval : 0.25;
  return ria_sim_on_progress(s->sim, interval, on_progress, s);
}

/* --- running ---------------------------------------------------------------------------------- */

/* Returns what was running when we came in: a callback of one simulation may run another. */
static ria_sim *enter(rl_sim *s) {
  ria_sim *before = s->st->running;
  s->st->running = s->sim;
  if (s->st->options.running) *s->st->options.running = s->sim;
  s->ran = s->st->ran = true;
  return before;
}

static void leave(rl_sim *s, ria_sim *before) {
  s->st->running = before;
  if (s->st->options.running) *s->st->options.running = before;
  rl_tell_first_frame(s); /* a script may step in calls too short for progress */
}

/* What a run to t_end does not reach, told where a script is only checked. */
static void warn_of_unreached(const rl_sim *s, double t_end, const rl_site *site) {
  char which[200], end[64];
  const size_t n = ria_sim_unreached(s->sim, t_end, which, sizeof which);
  if (!isfinite(t_end) || !ria_sim_date(s->sim, t_end, end, sizeof end))
    ria_format_duration(t_end, end, sizeof end);
  if (n)
    ria_log(s->st->ctx,
            "%s:%d: %s: warning: %zu event%s after the end of this run, %s, cannot happen unless "
            "another follows: %s",
            site->chunk, site->line, site->fn, n, n == 1 ? "" : "s", end, which);
}

/* What the solver says of the start, which a run says in its summary. */
static void warn_of_start(const rl_sim *s, const rl_site *site) {
  ria_summary sum;
  if (ria_sim_summary(s->sim, &sum) == RIA_OK && sum.warning[0])
    ria_log(s->st->ctx, "%s:%d: %s: warning: %s", site->chunk, site->line, site->fn, sum.warning);
  for (const char *line = ria_sim_from_warnings(s->sim); line && *line; line++) {
    const int n = (int)strcspn(line, "\n");
    ria_log(s->st->ctx, "%s:%d: from: warning: %.*s", site->chunk, site->line, n, line);
    line += n;
  }
}

/* Series that end before the run does: a line of each, as the run would fail. Pushed. */
static const char *push_uncovered(lua_State *L, rl_sim *s, double t_end, const rl_site *site) {
  char text[4096];
  size_t n;
  const ria_status status = ria_sim_uncovered(s->sim, t_end, text, sizeof text, &n);
  rl_try(L, site, NULL, status);
  lua_pushliteral(L, "");
  for (const char *line = text; n && *line; line += *line == '\n') {
    const size_t length = strcspn(line, "\n");
    lua_pushfstring(L, "%s%s:%d: %s: %s", line == text ? "" : "\n", site->chunk, site->line,
                    site->fn, lua_pushlstring(L, line, length));
    lua_remove(L, -2);
    lua_concat(L, 2);
    line += length;
  }
  return lua_tostring(L, -1);
}

/* What `ria check` looks at: the start. t_end: of the run that is asked for; INFINITY where it may
 * be one of many. */
static void check_start(lua_State *L, rl_sim *s, double t_end, const rl_site *site) {
  ria_sim *before = enter(s);
  ria_status status = ria_sim_start(s->sim);
  leave(s, before);
  rl_try(L, site, NULL, status);
  s->t_end = t_end;
  warn_of_start(s, site);
  warn_of_unreached(s, t_end, site);
  rl_check_spills(L, s, push_uncovered(L, s, t_end, site));
  lua_pop(L, 1);
}

static void end_check(lua_State *L, rl_state *st) {
  st->checked = true;
  rl_raise(L, RIA_INTERRUPTED, "checked");
}

/* In check mode the first step is where the script ends: start, and unwind. */
static void stop_if_checking(lua_State *L, rl_sim *s, double t_end, const rl_site *site) {
  if (s->st->options.mode != RIA_LUA_CHECK) return;
  check_start(L, s, t_end, site);
  end_check(L, s->st);
}

/* The end of a method that moved the simulation on: its time, or an error. */
static int moved(lua_State *L, rl_sim *s, ria_sim *before, ria_status status, const rl_site *site) {
  leave(s, before);
  rl_blame_spill(L, s, status);
  rl_try(L, site, NULL, status);
  lua_pushnumber(L, ria_sim_time(s->sim));
  return 1;
}

/* The end that the host has set; INFINITY: none. */
static double host_end(lua_State *L, const rl_sim *s, const rl_site *site) {
  const ria_lua_options *o = &s->st->options;
  double t = o->until;
  if (o->until_date && ria_sim_parse_time(s->sim, o->until_date, &t) != RIA_OK)
    rl_fail(L, site, NULL, "--until: %s", ria_error(s->st->ctx));
  char start[48];
  if (o->until_date && t <= 0.0 && ria_sim_date(s->sim, 0.0, start, sizeof start))
    rl_fail(L, site, NULL, "--until: '%s' is not after the start of the run, %s", o->until_date,
            start);
  return t > 0.0 ? t : INFINITY;
}

/* sim:run as far as the host must know before it: which simulation, and until when. */
static int tell_host(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:run", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  ria_lua_pause *pause = s->st->options.pause;
  const double t_end = fmin(rl_time(L, s, 2, &site, "t"), host_end(L, s, &site));
  if (!s->told) {
    lua_pushvalue(L, 1);
    luaL_ref(L, LUA_REGISTRYINDEX);
    s->told = true;
  }
  s->ran = s->st->ran = true;
  pause->sim = s->sim;
  pause->solver = s->solver;
  pause->t_end = t_end;
  return 0;
}

static int tell_host_guarded(lua_State *L) { return rl_guarded(L, tell_host); }

bool rl_pauses(lua_State *L, const char *function) {
  const ria_lua_options *o = &rl_state_of(L)->options;
  if (!o->pause || o->pause->thread != L || strcmp(function, "sim:run") != 0) return false;
  if (o->mode != RIA_LUA_RUN || !lua_isyieldable(L)) return false;
  const int top = lua_gettop(L);
  for (int k = 1; k <= top; k++) lua_pushvalue(L, k);
  lua_pushcfunction(L, tell_host_guarded);
  lua_insert(L, top + 1);
  lua_call(L, top, 0);
  return true;
}

static int sim_run(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:run", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  const double t_end = rl_time(L, s, 2, &site, "t");
  stop_if_checking(L, s, t_end, &site);
  const double end = fmin(t_end, host_end(L, s, &site));
  rl_repeat_changes(L, s, &site);
  ria_sim *before = enter(s);
  const ria_status status = ria_sim_run(s->sim, end);
  return moved(L, s, before, status, &site);
}

static int sim_advance(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:advance", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  double dt = rl_quantity(L, 2, RIA_DIM_TIME, &site, "dt");
  stop_if_checking(L, s, INFINITY, &site);
  const double end = host_end(L, s, &site);
  if (isfinite(end)) dt = fmax(0.0, fmin(dt, end - ria_sim_time(s->sim)));
  rl_repeat_changes(L, s, &site);
  ria_sim *before = enter(s);
  const ria_status status = ria_sim_advance(s->sim, dt);
  return moved(L, s, before, status, &site);
}

static int sim_step(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:step", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  int n = 1;
  rl_path path = {.key = "n"};
  if (!lua_isnoneornil(L, 2))
    rl_read(L, 2, &(rl_key){.type = RL_INT, .min = 0, .max = 2e9}, &site, &path, &n);
  stop_if_checking(L, s, INFINITY, &site);
  rl_repeat_changes(L, s, &site);
  ria_sim *before = enter(s);
  const ria_status status = ria_sim_step(s->sim, n);
  return moved(L, s, before, status, &site);
}

static int sim_start(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:start", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  stop_if_checking(L, s, INFINITY, &site);
  rl_repeat_changes(L, s, &site);
  ria_sim *before = enter(s);
  ria_status status = ria_sim_start(s->sim);
  leave(s, before);
  rl_blame_spill(L, s, status);
  rl_try(L, &site, NULL, status);
  return 0;
}

static int sim_stop(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:stop", 1, &site);
  ria_sim_stop(rl_check_sim(L, &site)->sim);
  return 0;
}

static int sim_finish(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:finish", 1, &site);
  rl_try(L, &site, NULL, ria_sim_finish(rl_check_sim(L, &site)->sim));
  return 0;
}

static int sim_report(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:report", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  rl_try(L, &site, NULL, ria_sim_report(s->sim));
  s->reported = true;
  return 0;
}

/* --- several at once -------------------------------------------------------------------------- */

typedef struct turn {
  rl_sim *s;
  bool over, queued;
  double t_end; /* a date is another time for runs that start at others */
  double next;  /* when a function of its is called next */
} turn;

/* The simulations of the list at index 1. They stay in a list of ours on the stack: events may
 * change that of the script. */
static turn *read_sims(lua_State *L, const rl_site *site, size_t *n) {
  if (lua_type(L, 1) != LUA_TTABLE || lua_rawlen(L, 1) == 0)
    rl_type_error(L, site, &(rl_path){.key = "sims"}, 1, "a list of simulations { a, b, ... }");
  *n = (size_t)lua_rawlen(L, 1);
  turn *turns = lua_newuserdatauv(L, *n * sizeof *turns, 0);
  lua_createtable(L, (int)*n, 0);
  for (size_t k = 0; k < *n; k++) {
    const rl_path path = {.up = &(rl_path){.key = "sims"}, .index = (lua_Integer)k + 1};
    lua_rawgeti(L, 1, path.index);
    rl_sim *s = luaL_testudata(L, -1, RL_SIM);
    if (!s) rl_type_error(L, site, &path, -1, "a simulation");
    if (!s->sim) rl_fail(L, site, &path, "%s is closed", rl_push_path(L, &path));
    for (size_t m = 0; m < k; m++)
      if (turns[m].s == s) rl_fail(L, site, &path, "%s is there twice", rl_push_path(L, &path));
    rl_hold(s->st, &s->held);
    turns[k] = (turn){.s = s};
    lua_rawseti(L, -2, path.index);
  }
  return turns;
}

/* What is due of each that is not over; *t: when a function of one is called next. A function may
 * give another simulation one: so all are asked again until none has another answer. NULL, or the
 * one that failed. */
static turn *run_due(turn *turns, size_t n, double *t, ria_status *status) {
  for (turn *of = turns; of < turns + n; of++) of->next = NAN;
  for (bool settled = false; !settled;) {
    settled = true;
    *t = INFINITY;
    for (turn *of = turns; of < turns + n; of++) {
      const double before = of->next;
      if (of->over) continue;
      ria_sim *active = enter(of->s);
      *status = ria_sim_due(of->s->sim, of->t_end, &of->next);
      leave(of->s, active);
      if (*status != RIA_OK) return of;
      settled &= of->next == before;
      *t = fmin(*t, of->next);
    }
  }
  return NULL;
}

/* One half of a turn of each that is not over and does not stand before time t: steps are queued,
 * or waited for. */
static turn *half_turn(turn *turns, size_t n, double t, bool waits, ria_status *status) {
  for (turn *of = turns; of < turns + n; of++) {
    if (!waits) of->queued = !of->over && !ria_sim_met(of->s->sim, t);
    if (!of->queued) continue;
    ria_sim *before = enter(of->s);
    *status = waits ? ria_sim_wait(of->s->sim, &of->over)
                    : ria_sim_queue_before(of->s->sim, of->t_end, t);
    leave(of->s, before);
    if (*status != RIA_OK) return of;
  }
  return NULL;
}

static bool any_queued(const turn *turns, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (turns[k].queued) return true;
  return false;
}

/* To the next time at which a function of one is called: it may look at the others, so where they
 * stand then is the same in every run. */
static turn *meet(turn *turns, size_t n, ria_status *status) {
  double t;
  turn *failed = run_due(turns, n, &t, status);
  for (bool some = true; !failed && some;) {
    failed = half_turn(turns, n, t, false, status);
    some = any_queued(turns, n);
    if (!failed) failed = half_turn(turns, n, t, true, status);
  }
  return failed;
}

static bool all_over(const turn *turns, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (!turns[k].over) return false;
  return true;
}

/* One failed: the others end where they are, with their closing outputs, which name it. So does its
 * message; what it threw stays. */
static void end_others(turn *turns, size_t n, const turn *failed, ria_status status) {
  rl_state *st = failed->s->st;
  const bool thrown = st->thrown;
  const int which = (int)(failed - turns) + 1;
  const char *out = ria_sim_out(failed->s->sim);
  char message[1024], why[1088];
  snprintf(message, sizeof message, "%s", ria_error(st->ctx));
  snprintf(why, sizeof why, "ended with sims[%d] of the same ria.run_all: %s", which, message);
  for (turn *t = turns; t < turns + n; t++)
    if (t != failed && !t->over) ria_sim_break_off(t->s->sim, why);
  ria_fail(st->ctx, status, "sims[%d]%s%s%s: %s", which, out ? " (" : "", out ? out : "",
           out ? ")" : "", message);
  st->thrown = thrown;
}

/* ria.run_all(sims, t): as sim:run of each, but by turns. */
static int module_run_all(lua_State *L) {
  rl_site site;
  size_t n;
  ria_status status = RIA_OK;
  turn *failed = NULL;
  rl_here(L, "ria.run_all", 1, &site);
  turn *turns = read_sims(L, &site, &n);
  for (size_t k = 0; k < n; k++) turns[k].t_end = rl_time(L, turns[k].s, 2, &site, "t");
  if (turns[0].s->st->options.mode == RIA_LUA_CHECK) {
    for (size_t k = 0; k < n; k++) check_start(L, turns[k].s, turns[k].t_end, &site);
    end_check(L, turns[0].s->st);
  }
  for (size_t k = 0; k < n; k++)
    turns[k].t_end = fmin(turns[k].t_end, host_end(L, turns[k].s, &site));
  for (size_t k = 0; k < n; k++) rl_repeat_changes(L, turns[k].s, &site);
  while (!failed && !all_over(turns, n)) failed = meet(turns, n, &status);
  if (!failed) return 0;
  end_others(turns, n, failed, status);
  rl_blame_spill(L, failed->s, status);
  rl_try(L, &site, NULL, status);
  return 0;
}

const luaL_Reg rl_run_functions[] = {{"run_all", module_run_all}, {NULL, NULL}};

const luaL_Reg rl_run_methods[] = {
    {"run", sim_run},   {"advance", sim_advance}, {"step", sim_step},     {"start", sim_start},
    {"stop", sim_stop}, {"finish", sim_finish},   {"report", sim_report}, {NULL, NULL}};
