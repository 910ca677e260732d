/* read.c - methods of a simulation that look at it (copies, all of them), and sim:set. */
#include "binding.h"
#include "shapes.h"

#include <math.h>

/* --- names of fields -------------------------------------------------------------------------- */

rl_names rl_field_names(lua_State *L, const rl_sim *s, rl_field_filter filter) {
  ria_field_entry entry;
  size_t n = 0, k = 0;
  while (ria_sim_field_list(s->sim, n, &entry)) n++;
  const char **names = lua_newuserdatauv(L, (n + 1) * sizeof *names, 0);
  for (size_t i = 0; i < n; i++)
    if (ria_sim_field_list(s->sim, i, &entry) && filter(&entry)) names[k++] = entry.name;
  return (rl_names){names, k};
}

static bool field_by_name(const rl_sim *s, const char *name, ria_field_entry *out) {
  for (size_t i = 0; ria_sim_field_list(s->sim, i, out); i++)
    if (strcmp(out->name, name) == 0) return true;
  return false;
}

bool rl_any_field(const ria_field_entry *entry) {
  (void)entry;
  return true;
}

/* The name at idx, which must be that of a field. */
static const char *check_field(lua_State *L, const rl_sim *s, int idx, const rl_site *site) {
  const char *name = rl_string(L, idx, site, "field");
  rl_check_name(L, name, rl_field_names(L, s, rl_any_field), "field", site, NULL);
  return name;
}

/* --- setting ---------------------------------------------------------------------------------- */

/* How a value of a field reads: a tracer's own in the tracer's unit. */
static rl_key key_of_field(const rl_sim *s, const char *name) {
  rl_key key = {.type = RL_NUMBER, .dim = RIA_DIM_NONE};
  ria_field_entry entry;
  if (!field_by_name(s, name, &entry)) return key;
  const ria_unit *unit = ria_sim_unit(s->sim, entry.tracer);
  if (unit && strcmp(entry.unit, unit->name) == 0)
    key.measure = RIA_CONCENTRATION, key.unit = unit;
  else
    key.dim = rl_dim_of_unit(entry.unit);
  return key;
}

void rl_set_field(lua_State *L, rl_sim *s, const char *name, int idx, const rl_site *site,
                  const rl_path *path) {
  const ria_grid *g = ria_sim_grid(s->sim);
  const rl_key key = key_of_field(s, name);
  int type = lua_type(L, idx);
  if (type == LUA_TNUMBER || type == LUA_TSTRING) {
    double value = 0.0;
    rl_read(L, idx, &key, site, path, &value);
    rl_try(L, site, path, ria_sim_set_constant(s->sim, name, value));
    return;
  }
  const double *values = rl_sample(L, idx, g, &key, site, path);
  rl_try(L, site, path, ria_sim_set(s->sim, name, values));
}

/* The shapes at index 3, onto what the field has now. */
static void set_shapes(lua_State *L, rl_sim *s, const char *name, const rl_site *site) {
  const ria_grid *g = ria_sim_grid(s->sim);
  const rl_key key = key_of_field(s, name);
  rl_field *f = rl_new_field(L);
  rl_try(L, site, NULL, ria_raster_create(s->st->ctx, g, &f->raster));
  rl_try(L, site, NULL, ria_sim_get(s->sim, name, f->raster->data));
  rl_paint(L, 3, g, ria_sim_crs(s->sim), &key, site, f->raster->data);
  rl_try(L, site, NULL, ria_sim_set(s->sim, name, f->raster->data));
}

static int sim_set(lua_State *L) {
  rl_site site;
  lua_settop(L, 4);
  rl_here(L, "sim:set", 4, &site);
  rl_sim *s = rl_check_sim(L, &site);
  const char *name = check_field(L, s, 2, &site);
  if (rl_test_shapes(L, 3)) {
    set_shapes(L, s, name, &site);
    return 0;
  }
  int value = 3;
  if (!lua_isnoneornil(L, 4)) {
    const rl_key key = key_of_field(s, name);
    if (!rl_test_field(L, 3))
      rl_fail(L, &site, NULL, "a table of keys goes with shapes, or with a raster of classes");
    rl_push_classes(L, 3, &key, &site);
    value = lua_gettop(L);
  }
  rl_set_field(L, s, name, value, &site, &(rl_path){.key = name});
  return 0;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* A copy of a field; maximum: of its running maximum. */
static int push_copy(lua_State *L, const char *fn, bool maximum) {
  rl_site site;
  rl_here(L, fn, 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  const bool fit = !maximum && lua_type(L, 2) == LUA_TSTRING &&
                   rl_is_fit_map(L, s, lua_tostring(L, 2), &site, NULL);
  const char *name = fit ? lua_tostring(L, 2) : check_field(L, s, 2, &site);
  rl_field *f = rl_new_field(L);
  rl_try(L, &site, NULL, ria_raster_create(s->st->ctx, ria_sim_grid(s->sim), &f->raster));
  const char *crs = ria_sim_crs(s->sim);
  if (crs && !(f->raster->crs = strdup(crs)))
    rl_try(L, &site, NULL, ria_fail(s->st->ctx, RIA_ERR_MEMORY, "out of memory for a field"));
  if (fit) {
    rl_try(L, &site, NULL, ria_sim_get_fit(s->sim, name, f->raster->data));
    return 1;
  }
  rl_try(L, &site, NULL,
         maximum ? ria_sim_get_maximum(s->sim, name, f->raster->data)
                 : ria_sim_get(s->sim, name, f->raster->data));
  return 1;
}

static int sim_field(lua_State *L) { return push_copy(L, "sim:field", false); }
static int sim_maximum(lua_State *L) { return push_copy(L, "sim:maximum", true); }

static void probe_into(lua_State *L, rl_sim *s, const char *field, double x, double y,
                       const rl_site *site) {
  double value = NAN;
  rl_try(L, site, NULL, ria_sim_probe(s->sim, field, x, y, &value));
  lua_pushnumber(L, value);
}

/* The solver's gauge fields at a point: { level = ..., speed = ..., oil = ... }. */
static void push_gauge_fields(lua_State *L, rl_sim *s, double x, double y, const rl_site *site) {
  lua_newtable(L);
  for (const ria_field_info *f = s->solver->fields; f->name; f++) {
    bool each = f->flags & RIA_FIELD_PER_TRACER;
    if (!(f->flags & RIA_FIELD_GAUGE)) continue;
    for (int k = 0; k < (each ? s->n_tracers : 1); k++) {
      const char *name = !each       ? f->name
                         : !*f->name ? s->tracer[k]
                                     : lua_pushfstring(L, "%s_%s", s->tracer[k], f->name);
      probe_into(L, s, name, x, y, site);
      if (each && *f->name) lua_remove(L, -2);
      lua_setfield(L, -2, name);
    }
  }
}

static int sim_probe(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:probe", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  double at[2];
  const int field = rl_read_xy(L, 2, &(rl_map){.sim = s->sim}, &site, at);
  if (lua_isnoneornil(L, field))
    push_gauge_fields(L, s, at[0], at[1], &site);
  else
    probe_into(L, s, check_field(L, s, field, &site), at[0], at[1], &site);
  return 1;
}

static void set_number(lua_State *L, const char *name, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

static void set_integer(lua_State *L, const char *name, int64_t value) {
  lua_pushinteger(L, (lua_Integer)value);
  lua_setfield(L, -2, name);
}

static int sim_stats(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:stats", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  ria_stats st;
  rl_try(L, &site, NULL, ria_sim_stats(s->sim, check_field(L, s, 2, &site), &st));
  lua_createtable(L, 0, 9);
  set_number(L, "min", st.min);
  set_number(L, "max", st.max);
  set_number(L, "sum", st.sum);
  set_number(L, "mean", st.mean);
  set_integer(L, "n", st.n);
  set_integer(L, "min_i", st.min_i);
  set_integer(L, "min_j", st.min_j);
  set_integer(L, "max_i", st.max_i);
  set_integer(L, "max_j", st.max_j);
  return 1;
}

static void push_budget_row(lua_State *L, const ria_budget_row *row) {
  lua_createtable(L, 0, 9);
  lua_pushstring(L, row->unit);
  lua_setfield(L, -2, "unit");
  set_number(L, "initial", row->initial);
  set_number(L, "stored", row->stored);
  set_number(L, "inflow", row->inflow);
  set_number(L, "outflow", row->outflow);
  set_number(L, "sources", row->sources);
  set_number(L, "decayed", row->decayed);
  set_number(L, "residual", row->residual);
  set_number(L, "relative", row->relative);
}

/* sim:totals(): the budget, a row by name: totals.water.stored, totals.oil.outflow. */
static int sim_totals(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:totals", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  ria_budget_row rows[1 + RIA_MAX_TRACERS];
  size_t n = sizeof rows / sizeof *rows;
  rl_try(L, &site, NULL, ria_sim_budget(s->sim, rows, &n));
  lua_createtable(L, 0, (int)n);
  for (size_t k = 0; k < n; k++) {
    push_budget_row(L, &rows[k]);
    lua_setfield(L, -2, rows[k].name);
  }
  return 1;
}

static int sim_summary(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:summary", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  ria_summary sum;
  char date[48];
  rl_try(L, &site, NULL, ria_sim_summary(s->sim, &sum));
  lua_createtable(L, 0, 14);
  set_integer(L, "steps", sum.steps);
  set_number(L, "time", sum.time);
  if (ria_sim_date(s->sim, sum.time, date, sizeof date))
    lua_pushstring(L, date), lua_setfield(L, -2, "date");
  set_number(L, "wall", sum.wall);
  set_number(L, "cell_steps", sum.cell_steps);
  set_number(L, "dt_min", sum.dt_min);
  set_number(L, "dt_min_time", sum.dt_min_time);
  set_number(L, "dt_mean", sum.dt_mean);
  set_integer(L, "dt_min_i", sum.dt_min_i);
  set_integer(L, "dt_min_j", sum.dt_min_j);
  set_integer(L, "threads", sum.threads);
  lua_pushstring(L, sum.dt_min_cause);
  lua_setfield(L, -2, "dt_min_cause");
  if (sum.warning[0]) lua_pushstring(L, sum.warning), lua_setfield(L, -2, "warning");
  if (sum.unreached[0]) lua_pushstring(L, sum.unreached), lua_setfield(L, -2, "unreached");
  lua_pushstring(L, sum.device);
  lua_setfield(L, -2, "device");
  return 1;
}

static int sim_steps(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:steps", 1, &site);
  lua_pushinteger(L, (lua_Integer)ria_sim_steps(rl_check_sim(L, &site)->sim));
  return 1;
}

/* sim:out(): the directory of the results, nil if there is none. */
static int sim_out(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:out", 1, &site);
  lua_pushstring(L, ria_sim_out(rl_check_sim(L, &site)->sim));
  return 1;
}

static int sim_grid(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:grid", 1, &site);
  const ria_grid *g = ria_sim_grid(rl_check_sim(L, &site)->sim);
  lua_createtable(L, 0, 7);
  set_integer(L, "nx", g->nx);
  set_integer(L, "ny", g->ny);
  set_number(L, "dx", g->dx);
  set_number(L, "dy", g->dy);
  set_number(L, "x0", g->x0);
  set_number(L, "y0", g->y0);
  set_number(L, "angle", g->angle);
  return 1;
}

/* sim:fields(): the names of all fields, in the solver's order. */
static int sim_fields(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:fields", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  ria_field_entry entry;
  lua_newtable(L);
  for (size_t i = 0; ria_sim_field_list(s->sim, i, &entry); i++) {
    lua_pushstring(L, entry.name);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

static int sim_param(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:param", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  double value = 0.0;
  rl_try(L, &site, NULL, ria_sim_param(s->sim, rl_string(L, 2, &site, "name"), &value));
  lua_pushnumber(L, value);
  return 1;
}

const luaL_Reg rl_read_methods[] = {
    {"set", sim_set},     {"field", sim_field},   {"maximum", sim_maximum}, {"probe", sim_probe},
    {"stats", sim_stats}, {"totals", sim_totals}, {"summary", sim_summary}, {"steps", sim_steps},
    {"out", sim_out},     {"grid", sim_grid},     {"fields", sim_fields},   {"param", sim_param},
    {NULL, NULL}};
