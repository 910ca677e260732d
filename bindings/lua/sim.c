/* sim.c - ria.sim { ... }: from one declarative table to a simulation ready to run.
 *
 * All of the table is read and checked first; then the userdata is made, closed; then the engine
 * makes the simulation, which the userdata owns from there on, and bed, initial state, maxima and
 * boundaries follow. Functions of (x, y) are sampled here, once; nothing of Lua is left in what the
 * steps use. */
#include "binding.h"

#include <math.h>
#include <string.h>

static const char *const precision_names[] = {
    [RIA_F64] = "double", [RIA_F32] = "single", [RIA_F32 + 1] = NULL};

static const char *const clock_names[] = {"date", "elapsed", NULL}; /* in the order of ria_clock */

static const char *const outside_names[] = {"error", "wall",
                                            NULL}; /* in the order of ria_outside */

typedef struct sim_args {
  const char *solver, *title, *start, *zone, *epoch, *crs;
  int precision, outside, clock;
  bool overwrite, units_row, resume, page;
  double budget, page_fields;
  rl_names maxima;
} sim_args;

static const rl_key sim_keys[] = {
    {"solver", RL_STRING, 0, offsetof(sim_args, solver), .doc = "which equations; see ria.solvers"},
    {"grid", RL_ANY, .flags = RL_REQUIRED, .shape = "{nx =, ny =, dx =, ...} | field",
     .doc = "the cells, or a raster whose cells they are"},
    {"bed", RL_ANY, .shape = "number | function(x, y) | field",
     .doc = "elevation of the bed; a raster given as grid if left out"},
    {"outside", RL_CHOICE, 0, offsetof(sim_args, outside), .choices = outside_names,
     .doc = "cells whose bed has no value: an error, or left out of the domain, which ends at "
            "walls there"},
    {"params", RL_TABLE, .shape = "{name = value | series}", .doc = "parameters of the solver"},
    {"precision", RL_CHOICE, 0, offsetof(sim_args, precision), .choices = precision_names,
     .doc = "of the numbers"},
    {"tracers", RL_TABLE, .shape = "{name = {decay =, diffusion =, unit =}} | {{name =, ...}}",
     .doc = "substances in the water"},
    {"init", RL_TABLE, .shape = "{field = number | function(x, y) | field}",
     .doc = "initial values of any field that may be set"},
    {"from", RL_ANY, .shape = "text | {path, at =, keep =}",
     .doc = "begin where an earlier run was: its results, or its store. The fields it saved are "
            "taken by name, in cells that it covers, onto this grid; init holds elsewhere. Without "
            "a start the run then starts at the date of the frame"},
    {"boundary", RL_ANY,
     .shape = "{side = kind | series | ria.nest | {kind =, ...}, name = ria.inflow {...}}",
     .doc = "kinds of the sides, and of stretches of a side"},
    {"title", RL_STRING, 0, offsetof(sim_args, title), .doc = "for frames and files"},
    {"start", RL_STRING, 0, offsetof(sim_args, start),
     .doc = "date of t = 0: \"2026-07-14 00:00\"; times may then be dates, and files carry them"},
    {"zone", RL_STRING, 0, offsetof(sim_args, zone),
     .doc = "of dates that say none, and of those shown: \"+02:00\"; UTC if left out"},
    {"clock", RL_CHOICE, 0, offsetof(sim_args, clock), .choices = clock_names,
     .doc = "what frames of a run with a start show: the date, or the time since the start"},
    {"epoch", RL_STRING, 0, offsetof(sim_args, epoch), .doc = "another name of start"},
    {"crs", RL_STRING, 0, offsetof(sim_args, crs),
     .doc = "\"EPSG:n\" or WKT; that of the grid's raster if left out"},
    {"out", RL_ANY, .shape = "text | false", .doc = "directory of the results; false = none"},
    {"overwrite", RL_BOOL, 0, offsetof(sim_args, overwrite),
     .doc = "allow a directory that holds results already"},
    {"resume", RL_BOOL, 0, offsetof(sim_args, resume),
     .doc = "go on from the newest checkpoint in the directory of the results, if there is one, as "
            "ria run --continue; see ria help checkpoints"},
    {"maxima", RL_NAMES, 0, offsetof(sim_args, maxima), .doc = "fields whose maximum is kept"},
    {"budget", RL_NUMBER, RIA_DIM_TIME, offsetof(sim_args, budget), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "time between rows of budget.csv"},
    {"units_row", RL_BOOL, 0, offsetof(sim_args, units_row),
     .doc =
         "a row of units below the header of gauges.csv and budget.csv, for ria.csv(path, { units "
         "= true }); run.json has the units in any case"},
    {"page", RL_BOOL, 0, offsetof(sim_args, page),
     .doc = "index.html among the results, to look at them in a browser; true if left out"},
    {"page_fields", RL_NUMBER, 0, offsetof(sim_args, page_fields), 0, 0, 500,
     .doc =
         "MB of saved fields that the page may have from the disk (fields.js), where it can read "
         "no other files: more are thinned out, in space and then in time; 0 = none, 100 if left "
         "out"},
    {0}};
static const char *place_of_key(const char *key);
const rl_table_info rl_sim_info = {.keys = sim_keys, .belongs = place_of_key};

/* Where a key of ria.sim belongs that was written one level too high. */
static const char *place_of_key(const char *key) {
  for (const rl_key *k = rl_grid_info.keys; k->name; k++)
    if (strcmp(k->name, key) == 0) return "grid";
  for (size_t s = 0; s < ria_solver_count(); s++)
    for (const ria_param_info *p = ria_solver_at(s)->params; p && p->name; p++)
      if (strcmp(p->name, key) == 0) return "params";
  for (size_t s = 0; s < ria_solver_count(); s++)
    for (const ria_field_info *f = ria_solver_at(s)->fields; f->name; f++)
      if ((f->flags & RIA_FIELD_INPUT) && *f->name && strcmp(f->name, key) == 0) return "init";
  return NULL;
}

/* --- where results go ------------------------------------------------------------------------- */

/* The script's name without directories and ".lua", pushed; "run" for one without a name. */
static const char *push_script_name(lua_State *L, const rl_state *st) {
  const char *script = st->options.script ? st->options.script : "run";
  const char *slash = strrchr(script, '/');
  const char *base = slash ? slash + 1 : script;
  size_t n = strlen(base);
  if (n > 4 && strcmp(base + n - 4, ".lua") == 0) n -= 4;
  return n ? lua_pushlstring(L, base, n) : lua_pushliteral(L, "run");
}

const char *rl_push_results(lua_State *L, const rl_state *st) {
  if (st->options.out) return lua_pushstring(L, st->options.out);
  return lua_pushfstring(L, "out/%s", push_script_name(L, st));
}

/* The host's directory, else the script's own, else out/<script>; the second and later simulations
 * of a script get a number where theirs would be the same. Pushed. */
static const char *push_out(lua_State *L, const rl_state *st, int table, const rl_site *site) {
  const char *out = st->options.out, *name = push_script_name(L, st);
  lua_getfield(L, table, "out");
  bool none = lua_type(L, -1) == LUA_TBOOLEAN && !lua_toboolean(L, -1);
  if (!none && !lua_isnil(L, -1) && lua_type(L, -1) != LUA_TSTRING)
    rl_type_error(L, site, &(rl_path){.key = "out"}, -1, "a directory, or false for no results");
  if (none && !(out && st->options.mode == RIA_LUA_RUN)) return NULL;
  if (!out && lua_type(L, -1) == LUA_TSTRING) return lua_tostring(L, -1);
  if (!out) out = lua_pushfstring(L, "out/%s", name);
  if (!st->sims) return out; /* a limited script writes below `out` alone */
  return lua_pushfstring(L, st->options.limited ? "%s/%d" : "%s-%d", out, st->sims + 1);
}

/* --- the simulation --------------------------------------------------------------------------- */

static rl_sim *new_sim(lua_State *L, const ria_solver *solver, const ria_sim_desc *desc) {
  rl_sim *s = lua_newuserdatauv(L, sizeof *s, RL_SIM_VALUES);
  *s = (rl_sim){.st = rl_state_of(L), .solver = solver, .n_tracers = (int)desc->n_tracers};
  luaL_setmetatable(L, RL_SIM);
  lua_newtable(L);
  lua_setiuservalue(L, -2, RL_SIM_CALLBACKS);
  lua_newtable(L);
  lua_setiuservalue(L, -2, RL_SIM_SPILLS);
  for (int k = 0; k < s->n_tracers; k++)
    strncpy(s->tracer[k], desc->tracers[k].name, RIA_NAME_MAX - 1);
  return s;
}

static bool settable(const ria_field_entry *entry) { return entry->can_set; }

/* Bed first, then the other inputs and states in the order of the solver's table. */
static void set_fields(lua_State *L, rl_sim *s, int table, const rl_site *site) {
  const char *bed = s->solver->roles.bed;
  int top = lua_gettop(L);
  lua_getfield(L, table, "bed");
  if (!bed && !lua_isnil(L, -1))
    rl_fail(L, site, &(rl_path){.key = "bed"}, "the solver '%s' has no bed", s->solver->name);
  if (bed && lua_isnil(L, -1)) {
    lua_getfield(L, table, "grid");
    if (!rl_test_field(L, -1)) bed = NULL;
  }
  if (bed) rl_set_field(L, s, bed, lua_gettop(L), site, &(rl_path){.key = "bed"});
  lua_settop(L, top);

  lua_getfield(L, table, "init");
  int init = lua_gettop(L);
  if (lua_isnil(L, init)) return;
  rl_path group = {.key = "init"};
  rl_names known = rl_field_names(L, s, settable);
  for (lua_pushnil(L); lua_next(L, init); lua_pop(L, 1)) {
    rl_path path = {.up = &group, .key = rl_entry_name(L, site, &group, "field = value")};
    rl_check_name(L, path.key, known, "field", site, &path);
  }
  for (size_t k = 0; k < known.n; k++) {
    rl_path path = {.up = &group, .key = known.at[k]};
    lua_getfield(L, init, known.at[k]);
    if (!lua_isnil(L, -1)) rl_set_field(L, s, known.at[k], lua_gettop(L), site, &path);
    lua_settop(L, init + 1);
  }
}

static bool trackable(const ria_field_entry *entry) { return entry->can_track; }

static void track_maxima(lua_State *L, rl_sim *s, rl_names fields, const rl_site *site) {
  rl_path group = {.key = "maxima"};
  rl_names known = rl_field_names(L, s, trackable);
  for (size_t k = 0; k < fields.n; k++) {
    rl_path path = {.up = &group, .index = (lua_Integer)k + 1};
    rl_check_name(L, fields.at[k], known, "field for maxima", site, &path);
    rl_try(L, site, &path, ria_sim_track_maximum(s->sim, fields.at[k]));
  }
}

/* The overrides and settings that hold for every simulation of a host. */
static void apply_options(lua_State *L, rl_sim *s, const rl_site *site) {
  const char *provenance = rl_push_provenance(L);
  if (*provenance) rl_try(L, site, NULL, ria_sim_set_provenance(s->sim, provenance));
  const ria_lua_options *o = &rl_state_of(L)->options;
  const ria_script script = {o->script, o->text, o->overrides, o->n_overrides};
  rl_try(L, site, NULL, ria_sim_set_script(s->sim, &script));
  rl_try(L, site, NULL, rl_watch_progress(s));
}

/* At the lines where they stand; the engine looks at them together. */
static void check_dates(lua_State *L, const sim_args *a, const rl_site *site) {
  ria_context *ctx = rl_context(L);
  double t;
  if (a->zone) rl_try(L, site, &(rl_path){.key = "zone"}, ria_parse_zone(ctx, a->zone, &t));
  if (a->start) rl_try(L, site, &(rl_path){.key = "start"}, ria_parse_date(ctx, a->start, 0.0, &t));
}

/* How its ground came about, if it is a raster that knows: the bed's, else the grid's. The text is
 * the raster's, which the table at index 1 holds. */
static const char *ground_of(lua_State *L) {
  const int top = lua_gettop(L);
  if (lua_getfield(L, 1, "bed") == LUA_TNIL) lua_getfield(L, 1, "grid");
  const ria_raster *r = rl_test_field(L, -1);
  lua_settop(L, top);
  return r ? r->about : NULL;
}

static int module_sim(lua_State *L) {
  rl_site site;
  sim_args a = {.page = true, .page_fields = 100.0};
  ria_tracer tracers[RIA_MAX_TRACERS];
  rl_state *st = rl_state_of(L);
  const ria_solver *solver = NULL;
  ria_from_desc from;
  rl_here(L, "ria.sim", 1, &site);
  rl_check_overrides(L);
  if (st->options.mode == RIA_LUA_PARAMS) rl_raise(L, RIA_INTERRUPTED, "no parameters before here");

  rl_collect_sims(L);
  rl_read_table(L, 1, &rl_sim_info, &site, NULL, &a);
  rl_try(L, &site, &(rl_path){.key = "solver"}, ria_solver_find(st->ctx, a.solver, &solver));
  ria_sim_desc desc = {.solver = solver->name,
                       .precision = (ria_real)a.precision,
                       .title = a.title ? a.title : push_script_name(L, st),
                       .epoch = a.epoch,
                       .start = a.start,
                       .zone = a.zone,
                       .clock = (ria_clock)a.clock,
                       .crs = a.crs,
                       .ground = ground_of(L),
                       .overwrite = a.overwrite || st->options.overwrite,
                       .keep = rl_takes_up(L, a.resume),
                       .outside = (ria_outside)a.outside,
                       .units_row = a.units_row,
                       .no_page = !a.page,
                       .page_fields = a.page_fields > 0.0 ? a.page_fields : -1.0};
  check_dates(L, &a, &site);
  const bool hot = rl_read_from(L, 1, &site, &from);
  if (hot && !a.start && !a.epoch) desc.start = rl_push_from_start(L, &from, a.zone, &site);
  rl_read_grid(L, 1, &site, &desc);
  rl_read_params(L, 1, solver, &site, &desc);
  rl_read_tracers(L, 1, solver, &site, tracers, &desc);
  desc.out = push_out(L, st, 1, &site);

  rl_sim *s = new_sim(L, solver, &desc);
  int self = lua_gettop(L);
  rl_try(L, &site, NULL, ria_sim_create(st->ctx, &desc, &s->sim));
  rl_keep_sim(L);
  rl_register_sim(L, s);
  apply_options(L, s, &site);
  rl_continue_sim(L, s, a.resume, desc.title, &site);
  rl_vary_params(L, s, 1, &site);
  set_fields(L, s, 1, &site);
  if (hot) rl_try(L, &site, &(rl_path){.key = "from"}, ria_sim_from(s->sim, &from));
  track_maxima(L, s, a.maxima, &site);
  if (a.budget > 0.0) rl_try(L, &site, NULL, ria_sim_budget_every(s->sim, a.budget));
  lua_getfield(L, 1, "boundary");
  if (!lua_isnil(L, -1))
    rl_add_boundaries(L, s, lua_gettop(L), &site, &(rl_path){.key = "boundary"});
  lua_pushvalue(L, self);
  return 1;
}

/* --- the userdata ----------------------------------------------------------------------------- */

static rl_sim *open_sim(lua_State *L, const rl_site *site) {
  rl_sim *s = luaL_testudata(L, 1, RL_SIM);
  if (!s) rl_fail(L, site, NULL, "called without a simulation: write sim:name(...), with a colon");
  if (!s->sim) rl_fail(L, site, NULL, "the simulation is closed");
  return s;
}

rl_sim *rl_check_sim(lua_State *L, const rl_site *site) {
  rl_sim *s = open_sim(L, site);
  rl_hold(s->st, &s->held);
  return s;
}

static ria_status fail_held(const rl_sim *s, const char *by) {
  return ria_fail(s->st->ctx, RIA_ERR_ARGUMENT,
                  "the simulation cannot be closed while %s is at work", by);
}

ria_status rl_close_sim(rl_sim *s) {
  const ria_lua_options *o = &s->st->options;
  ria_status status = RIA_OK;
  const char *by = rl_held_by(s->st, s->held);
  if (!s->sim || s->closing) return status;
  if (by) return fail_held(s, by);
  s->closing = true; /* reports of its end may call Lua again */
  if (s->ran && !s->st->checked) {
    status = ria_sim_finish(s->sim);
    rl_tell_first_frame(s);
    if (o->report && !s->reported && ria_sim_steps(s->sim) > 0) ria_sim_report(s->sim);
  }
  if (s->ran && o->closing) o->closing(s->sim, status, o->user);
  if (s->ran && s->st->checked && o->checked) o->checked(s->sim, s->t_end, o->user);
  ria_sim_destroy(&s->sim);
  s->closing = false;
  return status;
}

/* For the collector: raises no error. A running simulation is on some stack and not collected,
 * unless the whole state is closed from inside a callback (os.exit(code, true)): then the running
 * call never returns, and only the outputs can still be written. */
static int sim_gc(lua_State *L) {
  rl_sim *s = luaL_checkudata(L, 1, RL_SIM);
  lua_State *outer = s->st->L;
  s->st->L = L;
  if (s->sim && rl_held_by(s->st, s->held))
    ria_sim_abandon(s->sim);
  else if (rl_close_sim(s) != RIA_OK)
    ria_log(s->st->ctx, "ria: %s", ria_error(s->st->ctx));
  s->st->L = outer;
  return 0;
}

static int sim_close(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:close", 1, &site);
  rl_try(L, &site, NULL, rl_close_sim(open_sim(L, &site)));
  return 0;
}

/* At the end of the scope of `local sim <close>`: it may be closed by then. */
static int sim_leave(lua_State *L) {
  rl_site site;
  rl_sim *s = luaL_checkudata(L, 1, RL_SIM);
  rl_here(L, "sim:close", 1, &site);
  rl_try(L, &site, NULL, rl_close_sim(s));
  return 0;
}

static int sim_tostring(lua_State *L) {
  rl_sim *s = luaL_checkudata(L, 1, RL_SIM);
  rl_hold(s->st, &s->held);
  if (!s->sim) return lua_pushliteral(L, "ria.sim (closed)"), 1;
  const ria_grid *g = ria_sim_grid(s->sim);
  lua_pushfstring(L, "ria.sim %s, %d x %d cells, t = %f s", s->solver->name, g->nx, g->ny,
                  ria_sim_time(s->sim));
  return 1;
}

const luaL_Reg rl_sim_functions[] = {{"sim", module_sim}, {NULL, NULL}};

int rl_open_sim(lua_State *L) {
  static const luaL_Reg meta[] = {
      {"__gc", sim_gc}, {"__close", sim_leave}, {"__tostring", sim_tostring}, {NULL, NULL}};
  static const luaL_Reg methods[] = {{"close", sim_close}, {"vary", rl_sim_vary}, {NULL, NULL}};
  static const luaL_Reg *const more[] = {
      rl_run_methods,    rl_schedule_methods,  rl_read_methods,  rl_boundary_methods,
      rl_output_methods, rl_date_methods,      rl_place_methods, rl_fit_methods,
      rl_relax_methods,  rl_checkpoint_methods};
  rl_new_class(L, RL_SIM, meta, methods);
  luaL_getmetatable(L, RL_SIM);
  lua_getfield(L, -1, "__index");
  for (size_t k = 0; k < sizeof more / sizeof *more; k++) rl_set_functions(L, "sim:", more[k]);
  lua_pop(L, 1);
  rl_strict_index(L, "sim", ":");
  lua_pop(L, 1);
  return 0;
}
