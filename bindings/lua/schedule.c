/* schedule.c - sim:at, sim:every, sim:when, sim:spill, sim:cancel.
 *
 * An action is a Lua function, a description (ria.frame, ria.save, ria.spill) or a list of these.
 * Frames and saves are actions of the engine. A function is kept in a table that belongs to the
 * simulation's userdata, under a slot number; the engine holds a small C struct with that number.
 * So a callback that refers to its simulation is a cycle the collector can see. */
#include "binding.h"

#include <float.h>
#include <math.h>

typedef struct every_args {
  double start, stop, from, to;
} every_args;

static const rl_key every_keys[] = {
    {"start", RL_NUMBER, RIA_DIM_TIME, offsetof(every_args, start), RL_DATE, 0, INFINITY,
     .doc = "first time; the next multiple of the period if left out"},
    {"stop", RL_NUMBER, RIA_DIM_TIME, offsetof(every_args, stop), RL_ABOVE_MIN | RL_DATE, 0,
     INFINITY, .doc = "no time after this one; without end if left out"},
    {"from", RL_NUMBER, RIA_DIM_TIME, offsetof(every_args, from), RL_DATE, 0, INFINITY,
     .doc = "another name of start"},
    {"to", RL_NUMBER, RIA_DIM_TIME, offsetof(every_args, to), RL_ABOVE_MIN | RL_DATE, 0, INFINITY,
     .doc = "another name of stop"},
    {0}};
const rl_table_info rl_every_info = {.keys = every_keys};

typedef struct when_args {
  double every;
  bool repeat;
} when_args;

static const rl_key when_keys[] = {
    {"every", RL_NUMBER, RIA_DIM_TIME, offsetof(when_args, every), RL_REQUIRED | RL_ABOVE_MIN, 0,
     INFINITY, .doc = "time between checks of the condition"},
    {"repeat", RL_BOOL, 0, offsetof(when_args, repeat),
     .doc = "act each time the condition becomes true, not only the first time"},
    {0}};
const rl_table_info rl_when_info = {.keys = when_keys};

/* --- callbacks -------------------------------------------------------------------------------- */

/* What the engine holds for us; `user` of an action. */
typedef struct callback {
  rl_sim *s;
  lua_Integer test; /* slot of the condition, 0 = none */
  int n;            /* parts, done in order */
  struct part {
    lua_Integer slot; /* of a function or spill; 0 = an action of the engine */
    ria_action action;
  } part[];
} callback;

/* What travels through rl_protected. */
typedef struct call {
  callback *cb;
  lua_Integer slot;
  const ria_event_info *info;
  bool yes;
} call;

static void push_info(lua_State *L, const ria_sim *sim, const ria_event_info *info) {
  char date[48];
  lua_createtable(L, 0, 4);
  if (ria_sim_date(sim, info->t, date, sizeof date))
    lua_pushstring(L, date), lua_setfield(L, -2, "date");
  lua_pushnumber(L, info->t);
  lua_setfield(L, -2, "t");
  lua_pushinteger(L, (lua_Integer)info->k);
  lua_setfield(L, -2, "k");
  lua_pushinteger(L, (lua_Integer)info->handle);
  lua_setfield(L, -2, "handle");
}

/* Run what is in a slot: a function (sim, info), whose answer is kept, or a spill, released now. */
static int run_slot(lua_State *L) {
  call *c = lua_touserdata(L, 1);
  rl_push_sim(L, c->cb->s);
  lua_getiuservalue(L, 2, RL_SIM_CALLBACKS);
  lua_rawgeti(L, 3, c->slot);
  if (luaL_testudata(L, 4, RL_DESC)) {
    const double now = ria_sim_time(c->cb->s->sim);
    rl_start_spill(L, c->cb->s, 4, &now);
    return 0;
  }
  lua_pushvalue(L, 2);
  const bool ours = rl_is_ours(L, 4); /* sim:at(60, sim.stop): it takes no info */
  if (!ours) push_info(L, c->cb->s->sim, c->info);
  lua_call(L, ours ? 1 : 2, 1);
  c->yes = lua_toboolean(L, -1);
  return 0;
}

static ria_status on_event(ria_sim *sim, const ria_event_info *info, void *user) {
  callback *cb = user;
  for (int k = 0; k < cb->n; k++) {
    const struct part *p = &cb->part[k];
    call c = {cb, p->slot, info, false};
    RIA_TRY(p->slot ? rl_protected(cb->s->st, run_slot, &c)
                    : p->action.fn(sim, info, p->action.user));
  }
  return RIA_OK;
}

static ria_status on_test(ria_sim *sim, const ria_event_info *info, void *user, bool *yes) {
  (void)sim;
  callback *cb = user;
  call c = {cb, cb->test, info, false};
  RIA_TRY(rl_protected(cb->s->st, run_slot, &c));
  *yes = c.yes;
  return RIA_OK;
}

/* Empty the slots; on a Lua stack that may be anyone's, without needing memory. The simulation's
 * userdata is gone from our table when it is being collected: then so are its callbacks. */
static void clear_slots(const callback *cb) {
  lua_State *L = cb->s->st->L;
  if (!lua_checkstack(L, 6)) return;
  int top = lua_gettop(L);
  rl_push_sim(L, cb->s);
  if (lua_type(L, -1) == LUA_TUSERDATA) {
    lua_getiuservalue(L, -1, RL_SIM_CALLBACKS);
    for (int k = -1; k < cb->n; k++) {
      lua_Integer slot = k < 0 ? cb->test : cb->part[k].slot;
      if (!slot) continue;
      lua_pushnil(L);
      lua_rawseti(L, -2, slot); /* the key is there: nothing is allocated */
    }
  }
  lua_settop(L, top);
}

static void drop_callback(void *user) {
  callback *cb = user;
  clear_slots(cb);
  for (int k = 0; k < cb->n; k++)
    if (!cb->part[k].slot && cb->part[k].action.drop)
      cb->part[k].action.drop(cb->part[k].action.user);
  free(cb);
}

/* Keep what is at idx in a new slot. The simulation is at index 1. */
static lua_Integer new_slot(lua_State *L, rl_sim *s, int idx) {
  idx = lua_absindex(L, idx);
  lua_getiuservalue(L, 1, RL_SIM_CALLBACKS);
  lua_pushvalue(L, idx);
  lua_rawseti(L, -2, ++s->next_slot);
  lua_pop(L, 1);
  return s->next_slot;
}

/* --- a callback while it is being made -------------------------------------------------------- */

#define RL_GUARD "ria.guard"

/* Owns a callback until the engine does, so that an error on the way frees it. */
typedef struct guard {
  callback *cb;
} guard;

static int guard_gc(lua_State *L) {
  guard *g = luaL_checkudata(L, 1, RL_GUARD);
  callback *cb = g->cb;
  g->cb = NULL;
  if (!cb) return 0;
  lua_State *outer = cb->s->st->L;
  rl_state *st = cb->s->st;
  st->L = L;
  drop_callback(cb);
  st->L = outer;
  return 0;
}

static guard *new_guard(lua_State *L, rl_sim *s, int room, const rl_site *site) {
  guard *g = lua_newuserdatauv(L, sizeof *g, 1);
  g->cb = NULL;
  luaL_setmetatable(L, RL_GUARD);
  lua_pushvalue(L, 1); /* the simulation outlives the guard */
  lua_setiuservalue(L, -2, 1);
  g->cb = calloc(1, sizeof *g->cb + (size_t)room * sizeof g->cb->part[0]);
  if (!g->cb)
    rl_try(L, site, NULL, ria_fail(s->st->ctx, RIA_ERR_MEMORY, "out of memory for an event"));
  g->cb->s = s;
  return g;
}

/* --- actions ---------------------------------------------------------------------------------- */

static bool is_output(const rl_desc *d) { return d && (d->kind == RL_FRAME || d->kind == RL_SAVE); }

static void check_action(lua_State *L, int idx, const rl_site *site, const rl_path *path) {
  const rl_desc *d = luaL_testudata(L, idx, RL_DESC);
  if (lua_type(L, idx) == LUA_TFUNCTION || (d && d->kind != RL_INFLOW)) return;
  rl_type_error(L, site, path, idx,
                "a function, ria.frame, ria.save, ria.spill or a list of these");
}

/* Add what is at idx to the callback. */
static void add_part(lua_State *L, rl_sim *s, callback *cb, int idx) {
  struct part *p = &cb->part[cb->n];
  if (is_output(luaL_testudata(L, idx, RL_DESC)))
    rl_make_action(L, s, idx, &p->action);
  else
    p->slot = new_slot(L, s, idx);
  cb->n++;
}

/* When and how often, for the engine. */
typedef struct timing {
  bool repeats;
  double t; /* at */
  double period, start, stop;
} timing;

static ria_status schedule(rl_sim *s, const timing *when, const ria_action *action,
                           ria_handle *handle) {
  return when->repeats
             ? ria_sim_every(s->sim, when->period, when->start, when->stop, action, handle)
             : ria_sim_at(s->sim, when->t, action, handle);
}

/* Schedule the one action at idx. */
static ria_handle schedule_one(lua_State *L, rl_sim *s, int idx, const timing *when,
                               const rl_site *site) {
  const rl_desc *d = luaL_testudata(L, idx, RL_DESC);
  ria_handle handle = 0;
  if (is_output(d)) {
    ria_action action;
    rl_make_action(L, s, idx, &action);
    ria_status status = schedule(s, when, &action, &handle);
    if (status != RIA_OK && action.drop) action.drop(action.user);
    rl_try(L, site, NULL, status);
    return handle;
  }
  if (d && !when->repeats) return rl_start_spill(L, s, idx, &when->t);
  guard *g = new_guard(L, s, 1, site);
  add_part(L, s, g->cb, idx);
  ria_action action = {on_event, g->cb, drop_callback, d ? RIA_PHASE_FORCING : RIA_PHASE_CALLBACK};
  ria_status status = schedule(s, when, &action, &handle);
  if (status == RIA_OK) g->cb = NULL; /* the engine's now */
  rl_try(L, site, NULL, status);
  const double first = when->repeats ? fmax(when->start, 0.0) : when->t;
  rl_note_spill(L, s, handle, idx, &first);
  return handle;
}

/* A list on its way into the queue. */
typedef struct listing {
  rl_sim *s;
  const timing *when;
  const rl_site *site;
} listing;

/* Called protected: the simulation, the list, the list of handles, a listing. */
static int schedule_items(lua_State *L) {
  const listing *l = lua_touserdata(L, 4);
  for (lua_Integer k = 1; k <= (lua_Integer)lua_rawlen(L, 2); k++) {
    lua_rawgeti(L, 2, k);
    lua_pushinteger(L, (lua_Integer)schedule_one(L, l->s, lua_gettop(L), l->when, l->site));
    lua_rawseti(L, 3, k);
    lua_settop(L, 4);
  }
  return 0;
}

/* All of the list at idx or nothing of it. */
static void schedule_list(lua_State *L, rl_sim *s, int idx, int handles, const timing *when,
                          const rl_site *site) {
  listing l = {s, when, site};
  lua_pushcfunction(L, schedule_items);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, idx);
  lua_pushvalue(L, handles);
  lua_pushlightuserdata(L, &l);
  if (lua_pcall(L, 4, 0, 0) == LUA_OK) return;
  for (lua_Integer k = 1; lua_rawgeti(L, handles, k) == LUA_TNUMBER; k++) {
    const ria_handle handle = (ria_handle)lua_tointeger(L, -1);
    ria_sim_cancel(s->sim, handle);
    rl_forget_spills(L, handle);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  lua_error(L); /* the message that the refused one left */
}

/* Schedule the action or list of actions at idx; push the handle or a list of them. */
static int schedule_all(lua_State *L, rl_sim *s, int idx, const timing *when, const rl_site *site) {
  rl_path path = {.key = "action"};
  if (lua_type(L, idx) != LUA_TTABLE) {
    check_action(L, idx, site, &path);
    lua_pushinteger(L, (lua_Integer)schedule_one(L, s, idx, when, site));
    return 1;
  }
  lua_Integer n = (lua_Integer)lua_rawlen(L, idx);
  if (n == 0) rl_type_error(L, site, &path, idx, "a function, a description or a list of these");
  lua_createtable(L, (int)n, 0);
  int handles = lua_gettop(L);
  for (lua_Integer k = 1; k <= n; k++) {
    rl_path item = {.up = &path, .index = k};
    lua_rawgeti(L, idx, k);
    check_action(L, lua_gettop(L), site, &item);
    lua_settop(L, handles);
  }
  schedule_list(L, s, idx, handles, when, site);
  return 1;
}

/* --- methods ---------------------------------------------------------------------------------- */

/* As the engine says it of events; a spill would say it otherwise, or begin now. */
static void check_time(lua_State *L, const rl_sim *s, double t, const rl_site *site) {
  const double now = ria_sim_time(s->sim);
  char when[48], present[48];
  if (t >= now - 4.0 * DBL_EPSILON * now) return;
  ria_sim_date(s->sim, now, present, sizeof present);
  if (ria_sim_date(s->sim, t, when, sizeof when))
    rl_fail(L, site, NULL, "an event at %s: it must be at or after the present, %s", when, present);
  else
    rl_fail(L, site, NULL, "an event at %.10g s: it must be at or after the present, %.10g s", t,
            now);
}

static int sim_at(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:at", 3, &site);
  rl_sim *s = rl_check_sim(L, &site);
  lua_settop(L, 3);
  timing when = {.t = rl_time(L, s, 2, &site, "time")};
  check_time(L, s, when.t, &site);
  return schedule_all(L, s, 3, &when, &site);
}

static int sim_every(lua_State *L) {
  rl_site site;
  every_args a = {.start = -1.0, .from = -1.0};
  rl_here(L, "sim:every", 3, &site);
  rl_sim *s = rl_check_sim(L, &site);
  lua_settop(L, 4);
  timing when = {.repeats = true, .period = rl_quantity(L, 2, RIA_DIM_TIME, &site, "period")};
  site.sim = s->sim;
  if (!lua_isnil(L, 4)) rl_read_table(L, 4, &rl_every_info, &site, NULL, &a);
  lua_settop(L, 4);
  if ((a.start >= 0.0 && a.from >= 0.0) || (a.stop > 0.0 && a.to > 0.0))
    rl_fail(L, &site, NULL, "from and to are other names of start and stop: write one of each");
  when.start = fmax(a.start, a.from);
  when.stop = fmax(a.stop, a.to);
  return schedule_all(L, s, 3, &when, &site);
}

static int sim_when(lua_State *L) {
  rl_site site;
  when_args a = {0};
  rl_here(L, "sim:when", 3, &site);
  rl_sim *s = rl_check_sim(L, &site);
  lua_settop(L, 4);
  rl_path path = {.key = "action"};
  if (lua_type(L, 2) != LUA_TFUNCTION)
    rl_type_error(L, &site, &(rl_path){.key = "condition"}, 2,
                  "a function (sim) that answers yes or no");
  if (lua_isnil(L, 4)) rl_fail(L, &site, NULL, "missing { every = ... }: how often to look");
  rl_read_table(L, 4, &rl_when_info, &site, NULL, &a);
  lua_settop(L, 4);
  bool list = lua_type(L, 3) == LUA_TTABLE;
  int n = list ? (int)lua_rawlen(L, 3) : 1;
  guard *g = new_guard(L, s, n, &site);
  g->cb->test = new_slot(L, s, 2);
  for (int k = 1; k <= n; k++) {
    rl_path item = {.up = &path, .index = k};
    if (list)
      lua_rawgeti(L, 3, k);
    else
      lua_pushvalue(L, 3);
    check_action(L, lua_gettop(L), &site, list ? &item : &path);
    add_part(L, s, g->cb, lua_gettop(L));
  }
  ria_action action = {on_event, g->cb, drop_callback, RIA_PHASE_CALLBACK};
  ria_handle handle = 0;
  ria_status status = ria_sim_when(s->sim, on_test, a.every, a.repeat, &action, &handle);
  if (status == RIA_OK) g->cb = NULL;
  rl_try(L, &site, NULL, status);
  for (int k = 1; k <= n; k++) {
    if (list)
      lua_rawgeti(L, 3, k);
    else
      lua_pushvalue(L, 3);
    rl_note_spill(L, s, handle, lua_gettop(L), NULL);
    lua_pop(L, 1);
  }
  lua_pushinteger(L, (lua_Integer)handle);
  return 1;
}

/* sim:spill { ... } or sim:spill(ria.spill { ... }). */
static int sim_spill(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:spill", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  const rl_desc *d = luaL_testudata(L, 2, RL_DESC);
  if (rl_is_stand_in(L, 2)) return 0;
  if (d && d->kind != RL_SPILL)
    rl_type_error(L, &site, &(rl_path){.key = "spill"}, 2, "a table or a ria.spill");
  if (!d) {
    if (lua_type(L, 2) != LUA_TTABLE)
      rl_type_error(L, &site, &(rl_path){.key = "spill"}, 2, "a table or a ria.spill");
    rl_push_desc(L, RL_SPILL, 2, &site);
    lua_replace(L, 2);
  }
  lua_pushinteger(L, (lua_Integer)rl_start_spill(L, s, 2, NULL));
  return 1;
}

static ria_handle check_handle(lua_State *L, int idx, const rl_site *site) {
  if (!lua_isinteger(L, idx))
    rl_type_error(L, site, &(rl_path){.key = "handle"}, idx,
                  "what sim:at, sim:every, sim:when, sim:spill or sim:gauge returned");
  return (ria_handle)lua_tointeger(L, idx);
}

static void cancel(lua_State *L, const rl_sim *s, int idx, const rl_site *site) {
  const ria_handle handle = check_handle(L, idx, site);
  rl_try(L, site, NULL, ria_sim_cancel(s->sim, handle));
  rl_forget_spills(L, handle);
}

static int sim_cancel(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:cancel", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  if (lua_type(L, 2) != LUA_TTABLE) {
    cancel(L, s, 2, &site);
    return 0;
  }
  for (lua_Integer k = 1; k <= (lua_Integer)lua_rawlen(L, 2); k++) {
    lua_rawgeti(L, 2, k);
    cancel(L, s, -1, &site);
    lua_pop(L, 1);
  }
  return 0;
}

/* sim:released(handle): what a spill has let go so far, kg of a tracer, m^3 of water. */
static int sim_released(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:released", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  double kg = 0.0;
  rl_try(L, &site, NULL, ria_sim_spill_released(s->sim, check_handle(L, 2, &site), &kg));
  lua_pushnumber(L, kg);
  return 1;
}

int rl_open_guard(lua_State *L) {
  static const luaL_Reg meta[] = {{"__gc", guard_gc}, {NULL, NULL}};
  rl_new_class(L, RL_GUARD, meta, NULL);
  return 0;
}

const luaL_Reg rl_schedule_methods[] = {
    {"at", sim_at},         {"every", sim_every},       {"when", sim_when}, {"spill", sim_spill},
    {"cancel", sim_cancel}, {"released", sim_released}, {NULL, NULL}};
