/* binding.h - what the files of the binding share: the state behind one lua_State, and our
 * userdata.
 *
 * Two rings, so that a Lua error (a longjmp) never leaks what C holds. Outer: a function reads and
 * checks all its arguments; anything may raise there because nothing has been made. Inner: it makes
 * a userdata that is closed (a null pointer), calls the engine, and opens the userdata with what
 * came back; from then on the collector owns it. Every __gc may run twice and on a closed userdata.
 *
 * The engine calls back into Lua only through rl_protected, so that no error crosses a C frame of
 * the engine. */
#ifndef RIA_LUA_BINDING_H
#define RIA_LUA_BINDING_H
#include "check.h"
#include "ria_lua.h"
#include <ria/checkpoint.h>
#include <ria/csv.h>
#include <ria/from.h>
#include <ria/solver.h>
#include <stdlib.h>
#include <string.h>

/* --- module.c: the state ---------------------------------------------------------------------- */

/* A function of ours that is at work, on the C stack; see guard.c. */
typedef struct rl_call {
  struct rl_call *up; /* whose callback called this one; NULL = none */
  uint64_t id;        /* never used again */
  const char *fn;     /* as users write it: "sim:set" */
} rl_call;

typedef struct rl_state {
  ria_context *ctx; /* NULL: the Lua state is being closed */
  bool own_ctx;
  ria_lua_options options;
  lua_State *L;           /* the thread on which the innermost of our functions works */
  rl_call *call;          /* the innermost of our functions at work; NULL = none */
  uint64_t calls;         /* made so far */
  bool thrown;            /* the last callback that failed raised a value that is not text */
  ria_sim *running;       /* the simulation inside run, advance or step; NULL = none */
  int sims;               /* made so far */
  ria_status last_status; /* of the message raised last */
  bool checked, listed, usage_error;
  int found;      /* errors after which `ria check` went on */
  bool ran;       /* a simulation has been started */
  bool asked_out; /* ria.out was called */
  bool params_called;
  bool changed; /* options.changes were made */
} rl_state;

/* NULL before luaopen_ria or ria_lua_configure. */
rl_state *rl_state_of(lua_State *L);
ria_context *rl_context(lua_State *L);
const void *rl_last_message_key(void);
/* Make a metatable with a name, methods and metamethods, all guarded but __gc. Leaves nothing on
 * the stack. */
void rl_new_class(lua_State *L, const char *name, const luaL_Reg *meta, const luaL_Reg *methods);

/* arguments.c: add the functions to the table on top of the stack, `prefix` and their names being
 * their entries in the language ("ria.", "sim:"). Each refuses arguments that its entry does not
 * name. */
void rl_set_functions(lua_State *L, const char *prefix, const luaL_Reg *functions);
/* Whether a function of the language is at idx. */
bool rl_is_ours(lua_State *L, int idx);

/* Make unknown members of the class whose metatable is on top an error that names the nearest:
 * "there is no sim:evry: did you mean sim:every?". */
void rl_strict_index(lua_State *L, const char *what, const char *sign);

/* Look members of the class up by `index`, which ends with rl_index_method, before its methods. */
void rl_index_members(lua_State *L, const char *name, const char *what, lua_CFunction index);
/* Push the method that the key at index 2 names; an unknown one is an error. */
int rl_index_method(lua_State *L);

/* Call f(arg) with Lua errors caught: their message, with a traceback, goes into the context and
 * RIA_ERR_CALLBACK comes back. f gets arg as a light userdata at index 1. Raises nothing. */
ria_status rl_protected(rl_state *st, lua_CFunction f, void *arg);

/* Where the value is kept that a callback threw; a key of the registry. */
const void *rl_thrown_key(void);

/* --- ranks.c: a function of ours is called with what is on the stack; an error where other ranks
 * call something else. */
void rl_tell_ranks(lua_State *L, const char *fn);
/* With ranks: before another simulation is made, those that no one can reach are closed, on all
 * ranks alike; the one on the stack is kept until then. */
void rl_collect_sims(lua_State *L);
void rl_keep_sim(lua_State *L);

/* --- guard.c: objects in use cannot be freed -------------------------------------------------- */

/* Call f with what is on the stack, in the chain of calls while it works; returns what it returns.
 */
int rl_guarded(lua_State *L, lua_CFunction f);
/* As luaL_setfuncs without upvalues: metamethods into the table on top, each guarded but __gc. */
void rl_set_metamethods(lua_State *L, const luaL_Reg *functions);
/* The call at work needs what `held` belongs to: it may not be freed before the call ends. */
void rl_hold(const rl_state *st, uint64_t *held);
/* The outermost call that needs it, as users write it; NULL = none, it may be freed. */
const char *rl_held_by(const rl_state *st, uint64_t held);

/* --- field.c: rasters ------------------------------------------------------------------------- */

#define RL_FIELD "ria.field"
typedef struct rl_field {
  ria_raster *raster; /* NULL = closed */
} rl_field;

/* A closed one, pushed. */
rl_field *rl_new_field(lua_State *L);
/* The raster at idx, or NULL if something else is there. */
const ria_raster *rl_test_field(lua_State *L, int idx);
/* Values [ny][nx] on the grid from what is at idx: a number, text with a unit as `key` says, a
 * function (x, y) or a raster (resampled). Pushes the scratch memory that holds them. */
const double *rl_sample(lua_State *L, int idx, const ria_grid *grid, const rl_key *key,
                        const rl_site *site, const rl_path *path);
/* A grid as users write it; dy = 0: as dx. */
typedef struct rl_grid_args {
  int nx, ny;
  double dx, dy, x0, y0, angle, centre[2];
} rl_grid_args;
/* given: which of its keys were, as rl_read_table tells; they are the first of their table. */
ria_grid rl_grid_of(lua_State *L, const rl_grid_args *a, uint64_t given, const rl_site *site,
                    const rl_path *path);
/* Its keys. */
#define RL_GRID_KEYS                                                                                \
  {"nx", RL_INT, 0, offsetof(rl_grid_args, nx), RL_REQUIRED, 1, 1e6, .doc = "cells eastward"},      \
      {"ny", RL_INT, 0, offsetof(rl_grid_args, ny), RL_REQUIRED, 1, 1e6, .doc = "cells northward"}, \
      {"dx",                                                                                        \
       RL_NUMBER,                                                                                   \
       RIA_DIM_LENGTH,                                                                              \
       offsetof(rl_grid_args, dx),                                                                  \
       RL_REQUIRED | RL_ABOVE_MIN,                                                                  \
       0,                                                                                           \
       INFINITY,                                                                                    \
       .doc = "cell size eastward"},                                                                \
      {"dy",         RL_NUMBER, RIA_DIM_LENGTH, offsetof(rl_grid_args, dy),                         \
       RL_ABOVE_MIN, 0,         INFINITY,       .doc = "cell size northward; dx if left out"},      \
      {"x0", RL_NUMBER, RIA_DIM_LENGTH, offsetof(rl_grid_args, x0),                                 \
       .doc = "x of the west side; of a turned grid, of its south-west corner"},                    \
      {"y0", RL_NUMBER, RIA_DIM_LENGTH, offsetof(rl_grid_args, y0),                                 \
       .doc = "y of the south side; of a turned grid, of its south-west corner"},                   \
      {"angle",      RL_NUMBER, RIA_DIM_ANGLE, offsetof(rl_grid_args, angle),                       \
       RL_ABOVE_MIN, -180,      180,           .doc = RL_ANGLE_DOC},                                \
  {                                                                                                 \
    "centre", RL_PAIR, RIA_DIM_LENGTH, offsetof(rl_grid_args, centre),                              \
        .doc = "x and y of the grid's middle, instead of x0 and y0"                                 \
  }
#define RL_ANGLE_DOC                                                                               \
  "from the map's x axis to the grid's, counter-clockwise about its south-west corner; 0 if left " \
  "out"
/* output.c: the colour range of the table at idx: a pair goes into *min and *max; true = it is the
 * word. */
bool rl_read_range(lua_State *L, int idx, const char *word, const rl_site *site, double *min,
                   double *max);
/* graticule.c: the key `graticule` of the table at idx; *step: its degrees, as it was where it says
 * none. */
bool rl_read_graticule(lua_State *L, int idx, const rl_site *site, double *step);
/* plot.c: the method field:draw. */
int rl_field_draw(lua_State *L);
/* The dimension whose SI unit reads `unit`; RIA_DIM_NONE if there is none. */
ria_dim rl_dim_of_unit(const char *unit);

/* --- place.c: where something is -------------------------------------------------------------- */

/* Part of a struct that a table is read into, in this order. */
typedef struct rl_place {
  double x, y, lon, lat;
} rl_place;
/* Its keys, of a struct whose place begins with `x`. In that table they follow each other. */
#define RL_PLACE_KEYS(type, x, what)                                                               \
  {"x", RL_NUMBER, RIA_DIM_LENGTH, offsetof(type, x), .doc = what},                                \
      {"y", RL_NUMBER, RIA_DIM_LENGTH, offsetof(type, x) + sizeof(double), .doc = what},           \
      {"lon",         RL_NUMBER,                                                                   \
       RIA_DIM_ANGLE, offsetof(type, x) + 2 * sizeof(double),                                      \
       RL_LON,        -180,                                                                        \
       360,           .doc = "longitude, instead of x, in a run with a crs: -8.75, \"8°45'W\""},   \
  {                                                                                                \
    "lat", RL_NUMBER, RIA_DIM_ANGLE, offsetof(type, x) + 3 * sizeof(double), RL_LAT, -90, 90,      \
        .doc = "latitude, instead of y"                                                            \
  }
/* On whose map a place is to be found. */
typedef struct rl_map {
  ria_sim *sim;
  const ria_raster *raster; /* where sim is NULL */
} rl_map;
/* Which of the four were given (bits 0 to 3, in their order) is checked; lon and lat are converted
 * into x and y. keys: that of x in the caller's table. map NULL: not known yet, nothing is
 * converted. */
void rl_settle_place(lua_State *L, const rl_map *map, const rl_key *keys, uint64_t given,
                     const rl_site *site, const rl_path *path, rl_place *p);
/* A place at idx as a value: {x, y}, {x =, y =} or {lon =, lat =}. */
void rl_read_point(lua_State *L, int idx, const rl_map *map, const rl_site *site,
                   const rl_path *path, double out[2]);
/* Arguments x, y from idx on, or one that is such a table; returns the index of the next one. */
int rl_read_xy(lua_State *L, int idx, const rl_map *map, rl_site *site, double out[2]);
/* A longitude or latitude as an argument. */
double rl_read_degrees(lua_State *L, int idx, bool latitude, const rl_site *site);

/* --- forcing.c: series, tides, boundaries, spills --------------------------------------------- */

#define RL_SERIES "ria.series"
typedef struct rl_series {
  ria_series *series; /* NULL = closed */
} rl_series;

/* A closed one, pushed. */
rl_series *rl_new_series(lua_State *L);
/* Item k of the pair at index `pair`, a number as `key` says: its unit alone counts, not its range.
 */
double rl_read_item(lua_State *L, int pair, int k, const rl_key *key, const rl_site *site,
                    const rl_path *path);

/* The series at idx; one made from a table {{t, v}, ...}, whose values are read as `key` says, is
 * pushed; NULL if it is neither. */
const ria_series *rl_to_series(lua_State *L, int idx, const rl_key *key, const rl_site *site,
                               const rl_path *path);

/* csv.c: what holds a file that was read while Lua tables are made of it, in a userdata so that
 * an error frees it. */
#define RL_CSV "ria.csv"
typedef struct rl_csv {
  ria_csv_table *table; /* NULL = closed */
} rl_csv;
rl_csv *rl_new_csv(lua_State *L); /* a closed one, pushed */
int rl_module_csv(lua_State *L);
/* Push a list of numbers. */
void rl_push_numbers(lua_State *L, const double *v, size_t n);

/* What ria.columns is given at index 1, and a series pushed that is made of it. */
ria_csv_desc rl_read_columns(lua_State *L, const rl_site *site);
void rl_push_csv_series(lua_State *L, const ria_csv_desc *desc, const rl_site *site);
/* along.c: is a list of points { at =, ... } at idx? */
bool rl_is_along(lua_State *L, int idx);
/* A table at idx that is none must be a series: else the error says what either looks like. */
void rl_check_listed(lua_State *L, int idx, const rl_site *site, const rl_path *path);
/* The list { at =, value = } at idx into the points of *out, for the value that `key` names. Pushes
 * what they point to. */
void rl_read_along(lua_State *L, int idx, const rl_map *map, const rl_key *key, const rl_site *site,
                   const rl_path *path, ria_boundary_desc *out);
/* Push such a list, made of the points { at =, M2 = ... } at index 1. */
int rl_push_tides(lua_State *L, const rl_site *site);
/* Push the series of the tide at one of those points, the table at idx, above what *out points to.
 */
void rl_push_tide_of(lua_State *L, int idx, const rl_site *site, const rl_path *path,
                     ria_tide_desc *out);

/* tide_file.c: put what the file of the table at index 1 says, if it names one, in its place. */
void rl_load_tide(lua_State *L, const rl_site *site);

/* Points of a tide for the collector to free; empty, pushed. */
ria_tide_points *rl_new_tide_points(lua_State *L);

/* section.c, gauge.c: methods. */
int rl_sim_section(lua_State *L);
int rl_sim_gauge(lua_State *L);
int rl_sim_history(lua_State *L);
/* tide_model.c: push the tide of a model if the table at index 1 is of one. */
bool rl_push_tide_model(lua_State *L, const rl_site *site);
bool rl_is_tide_model(lua_State *L, int idx);
/* Push the list of points { at =, value = } of the one at idx, along a boundary that exists or,
 * with id 0, along the place of *where. */
void rl_push_model_points(lua_State *L, int idx, ria_sim *sim, ria_boundary_id id,
                          const ria_boundary_desc *where, const rl_site *site);
/* The same of the models of u and v at two indices, on the axes of the grid: pushes both lists. */
void rl_push_model_currents(lua_State *L, int u, int v, ria_sim *sim, ria_boundary_id id,
                            const ria_boundary_desc *where, const rl_site *site);
/* relax.c: is a ria.nest at idx? */
bool rl_is_nest(lua_State *L, int idx);
/* Push the list of points { at =, value = } of what it has for the value `name` of a boundary; id
 * and where as above. */
void rl_push_nest_points(lua_State *L, int idx, ria_sim *sim, ria_boundary_id id,
                         const ria_boundary_desc *where, const char *name, const rl_site *site,
                         const rl_path *path);
/* tide.c: names of ria_phases and ria_nodal. */
extern const char *const rl_phase_names[], *const rl_nodal_names[];

/* The tide of the table at index 1; what it points to is pushed. */
void rl_read_tide(lua_State *L, const rl_site *site, ria_tide_desc *out);

/* --- describe.c: descriptions -------------------------------------------------------------------
 * ria.frame {...}, ria.save {...}, ria.spill {...}, ria.inflow {...} are a table that was checked,
 * with the place where it was written, to be used later: a name that only the simulation can judge
 * is then still blamed on the user's own line. */

#define RL_DESC "ria.description"
typedef enum rl_desc_kind { RL_FRAME, RL_SAVE, RL_SPILL, RL_INFLOW, RL_NEST } rl_desc_kind;
typedef struct rl_desc {
  rl_desc_kind kind;
  rl_site site;
} rl_desc;

/* Push a description of the table at idx. */
void rl_push_desc(lua_State *L, rl_desc_kind kind, int idx, const rl_site *site);
/* The description at idx, or NULL; its table is pushed if there is one. */
const rl_desc *rl_to_desc(lua_State *L, int idx);

/* --- sim.c, run.c, schedule.c, boundary.c ----------------------------------------------------- */

#define RL_SIM "ria.sim"
typedef struct rl_sim {
  ria_sim *sim; /* NULL = closed */
  rl_state *st;
  const ria_solver *solver;
  int number;                            /* 1 = the first of the state */
  bool ran, reported, closing, pictured; /* pictured: its first frame was told of */
  bool told;                             /* the host was, when it paused; then it is kept */
  uint64_t held;                         /* guard.c */
  int n_tracers;
  char tracer[RIA_MAX_TRACERS][RIA_NAME_MAX];
  double t_end;          /* of the run that was checked; INFINITY: not known */
  lua_Integer next_slot; /* of its callbacks */
  ria_handle last_spill; /* of those in its table of spills */
  double wall; /* s between its checkpoints by the clock, as the command line says; 0 = none */
} rl_sim;

/* user values: slot -> function or description; handle -> spills, list of gauges, see ground.c */
enum { RL_SIM_CALLBACKS = 1, RL_SIM_SPILLS, RL_SIM_GAUGES, RL_SIM_VALUES = 3 };

/* The open simulation at index 1 of a method. */
rl_sim *rl_check_sim(lua_State *L, const rl_site *site);
/* --- date.c: a time of the run, at idx; it may be a date */
double rl_time(lua_State *L, const rl_sim *s, int idx, const rl_site *site, const char *name);
/* The date at idx: text, or a number of seconds since 1970. */
double rl_date_at(lua_State *L, int idx, const rl_site *site, const char *name);
/* Is it the name of a map of a fit of the simulation? An error where it nearly is, and no field's.
 */
bool rl_is_fit_map(lua_State *L, const rl_sim *s, const char *name, const rl_site *site,
                   const rl_path *path);
bool rl_is_date(lua_State *L, int idx);
/* The date at idx for a key with RL_DATE: a time of the site's simulation; without one the least
 * that the key allows. */
double rl_read_date(lua_State *L, int idx, const rl_key *key, const rl_site *site,
                    const rl_path *path);
/* Give a new simulation, on top of the stack, its number. */
void rl_register_sim(lua_State *L, rl_sim *s);
/* Push the userdata of a simulation, or nil once it is being collected. */
void rl_push_sim(lua_State *L, const rl_sim *s);
/* change.c: what options.changes asks for, before the first simulation first runs. */
void rl_repeat_changes(lua_State *L, rl_sim *s, const rl_site *site);
/* In what these are not the changes that its results tell of, pushed; or NULL. */
const char *rl_push_other_changes(lua_State *L, const rl_sim *s);
/* Finish, report if asked, destroy; an error while a call is at work on it. Raises nothing. */
ria_status rl_close_sim(rl_sim *s);
/* sim_parts.c: entries of the table of ria.sim, at the index, into *desc; what it points to is
 * pushed. */
void rl_read_grid(lua_State *L, int table, const rl_site *site, ria_sim_desc *desc);
void rl_read_params(lua_State *L, int table, const ria_solver *solver, const rl_site *site,
                    ria_sim_desc *desc);
void rl_read_tracers(lua_State *L, int table, const ria_solver *solver, const rl_site *site,
                     ria_tracer out[RIA_MAX_TRACERS], ria_sim_desc *desc);
/* Let the parameters that are given as series follow them. */
void rl_vary_params(lua_State *L, rl_sim *s, int table, const rl_site *site);
/* sim:vary(name, value): from now on the parameter is this number or follows this series. */
int rl_sim_vary(lua_State *L);
/* Does this call yield to the host first (ria_lua_pause)? Then the host's struct is filled in. */
bool rl_pauses(lua_State *L, const char *function);
/* Have the engine look in now and then while it runs. */
ria_status rl_watch_progress(rl_sim *s);
/* Tell the host of the first frame, once, if there is one. */
void rl_tell_first_frame(rl_sim *s);
/* Set a field from the value at idx. */
void rl_set_field(lua_State *L, rl_sim *s, const char *name, int idx, const rl_site *site,
                  const rl_path *path);
/* Where results go that no simulation writes: the host's directory, else out/<script>. Pushed. */
const char *rl_push_results(lua_State *L, const rl_state *st);
/* Names of the simulation's fields that pass a filter, as a userdata array that is pushed. */
typedef bool (*rl_field_filter)(const ria_field_entry *entry);
bool rl_any_field(const ria_field_entry *entry);
rl_names rl_field_names(lua_State *L, const rl_sim *s, rl_field_filter filter);

/* Add the boundaries of the table at idx, sides first, then stretches by name. */
void rl_add_boundaries(lua_State *L, rl_sim *s, int idx, const rl_site *site, const rl_path *path);
/* `tracers` of the table at idx: concentrations by tracer, and which were given. Pushes what they
 * point to. */
void rl_read_concentrations(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                            const rl_path *path, ria_value out[RIA_MAX_TRACERS], unsigned *given);
/* Make an engine action of the description at idx (a frame or a save). */
void rl_make_action(lua_State *L, rl_sim *s, int idx, ria_action *out);
/* Read the spill description at idx for a simulation, pushing what its texts live in; it is
 * released at *start, NULL: when it says itself. */
const rl_desc *rl_read_spill(lua_State *L, rl_sim *s, int idx, const double *start,
                             ria_spill_desc *out);
/* Release what it says. */
ria_handle rl_start_spill(lua_State *L, rl_sim *s, int idx, const double *start);

/* --- ground.c: spills that find no water --------------------------------------------------------
 * The simulation is at index 1. */

/* What is at idx was asked for and has got this handle: nothing to do unless it is a spill. time:
 * when it first happens; NULL: on a condition. */
void rl_note_spill(lua_State *L, rl_sim *s, ria_handle handle, int idx, const double *time);
void rl_forget_spills(lua_State *L, ria_handle handle);
/* Look at the ground of all that are still to come: warn where it is dry, raise an error that lists
 * those to which no water can come. `more`: lines of errors to tell before these. */
void rl_check_spills(lua_State *L, rl_sim *s, const char *more);
/* findings.c: a call of the script failed, with its message on top of the stack. Where `ria check`
 * may go on, the message is noted, and what the call returns instead is pushed; else it is raised.
 */
int rl_go_on(lua_State *L, const char *fn);
/* Does that stand for a description that was wrong? */
bool rl_is_stand_in(lua_State *L, int idx);
/* A gauge of the simulation at index 1, asked for at `site`; for `ria check` alone. */
void rl_note_gauge(lua_State *L, const rl_sim *s, ria_handle handle, const ria_gauge_desc *gauge,
                   const rl_site *site);
/* Raise the error of a run at the line of the spill that found no water, if that is what ended it.
 */
void rl_blame_spill(lua_State *L, const rl_sim *s, ria_status status);

/* --- checkpoint.c: runs that go on --------------------------------------------------------------
 */

/* Is a simulation to take up its results directory? resume: its script says so. */
bool rl_takes_up(lua_State *L, bool resume);
/* A simulation that was just made goes on from its newest checkpoint, if it is to; its checkpoints
 * have what the script is made of. */
void rl_continue_sim(lua_State *L, rl_sim *s, bool resume, const char *title, const rl_site *site);

/* --- changed.c: what a run was made of ----------------------------------------------------------
 */

/* Keep the text of the script, before it may be changed. */
void rl_keep_script(lua_State *L, const rl_state *st);
/* Its checkpoints have the script, its modules, its parameters and its title. */
void rl_note_made(lua_State *L, const rl_sim *s, const char *title, const rl_site *site);
/* What of these is not as in the checkpoint that it goes on from, pushed; or NULL. */
const char *rl_push_change(lua_State *L, const rl_sim *s, const char *title);

/* --- params.c --------------------------------------------------------------------------------- */

/* Called when a simulation is made: overrides that nothing has declared are an error. */
void rl_check_overrides(lua_State *L);
/* The host's provenance with the values of the parameters added: a JSON object, or "". Pushed. */
const char *rl_push_provenance(lua_State *L);

/* --- tables of the language, for the reader, `ria help` and the stubs ------------------------- */

typedef struct rl_function {
  const char *name;           /* "ria.frame", "sim:every" */
  const char *signature;      /* "{...}" or "(t, action)" */
  const char *returns;        /* "ria.field" or NULL */
  const rl_table_info *table; /* keys of its table, or NULL */
  const char *doc;
} rl_function;

/* Up to the first without a name. */
const rl_function *rl_language(void);

extern const rl_table_info rl_sim_info, rl_grid_info, rl_tracer_info, rl_dem_info, rl_field_info,
    rl_tide_info, rl_series_info, rl_inflow_info, rl_spill_info, rl_frame_info, rl_save_info,
    rl_fit_info, rl_film_info, rl_gauge_info, rl_section_info, rl_every_info, rl_when_info,
    rl_plot_info, rl_panel_info, rl_line_info, rl_param_entry_info, rl_draw_info, rl_field3_info,
    rl_derive_info, rl_slice_info, rl_tridiag_info, rl_at_info, rl_csv_info, rl_tide_fit_info,
    rl_tide_predict_info, rl_columns_info, rl_write_info, rl_soundings_info, rl_relax_info,
    rl_checkpoint_info, rl_from_info;
extern const rl_table_info rl_dem_raster_info;

int rl_open_field(lua_State *L);
int rl_open_field3(lua_State *L);
int rl_open_shapes(lua_State *L);
int rl_open_crs(lua_State *L);
int rl_open_series(lua_State *L);
int rl_open_desc(lua_State *L);
int rl_open_sim(lua_State *L);
int rl_open_csv(lua_State *L);
int rl_open_guard(lua_State *L);

/* Functions of the module, by file. */
extern const luaL_Reg rl_field_functions[], rl_field3_functions[], rl_forcing_functions[],
    rl_spill_functions[], rl_output_functions[], rl_plot_functions[], rl_sim_functions[],
    rl_param_functions[], rl_tridiag_functions[], rl_vector_functions[], rl_run_functions[],
    rl_date_functions[], rl_tide_functions[], rl_tides_functions[], rl_shapes_functions[],
    rl_columns_functions[], rl_crs_functions[], rl_soundings_functions[], rl_relax_functions[];
extern const luaL_Reg rl_dem_functions[];
/* `from` of the table of ria.sim; false where it has none. What it points to is on the stack. */
bool rl_read_from(lua_State *L, int table, const rl_site *site, ria_from_desc *out);
/* The date of its frame, pushed; NULL, and nothing pushed, where it has none. */
const char *rl_push_from_start(lua_State *L, const ria_from_desc *from, const char *zone,
                               const rl_site *site);
/* box = { x0, y0, x1, y1 } of the table at index 1, m; false where it has none: then *to stay.
 * Leaves values on the stack. */
bool rl_read_box(lua_State *L, const rl_site *site, double *const to[4]);
extern const luaL_Reg rl_run_methods[], rl_schedule_methods[], rl_read_methods[],
    rl_boundary_methods[], rl_output_methods[], rl_date_methods[], rl_place_methods[],
    rl_fit_methods[], rl_relax_methods[], rl_checkpoint_methods[];

#endif
