/* gauge.c - points whose values are recorded while a simulation runs, and their record. */
#include "binding.h"
#include "shapes.h"

#include <math.h>
#include <string.h>

typedef struct gauge_args {
  const char *name;
  rl_place at;
  double every;
  rl_names fields;
  bool exact;
} gauge_args;

static const rl_key gauge_keys[] = {
    {"name", RL_STRING, 0, offsetof(gauge_args, name), RL_REQUIRED,
     .doc = "heads its columns; with `at` the attribute that names each"},
    RL_PLACE_KEYS(gauge_args, at, "where it stands"),
    {"every", RL_NUMBER, RIA_DIM_TIME, offsetof(gauge_args, every), RL_REQUIRED | RL_ABOVE_MIN, 0,
     INFINITY, .doc = "time between samples"},
    {"fields", RL_NAMES, 0, offsetof(gauge_args, fields),
     .doc = "fields to record; the solver's gauge fields if left out"},
    {"exact", RL_BOOL, 0, offsetof(gauge_args, exact),
     .doc = "shorten steps to land on every sample; else samples between two steps are linear in "
            "time between them, and the run is the same as without the gauge"},
    {"at", RL_ANY, .shape = "shapes", .doc = "or points: a gauge at each; gives their handles"},
    {0}};
enum { GAUGE_X = 1, GAUGE_AT = 8 }; /* their places in the table */
const rl_table_info rl_gauge_info = {.keys = gauge_keys};

static ria_handle add_gauge(lua_State *L, rl_sim *s, const gauge_args *a, const rl_site *site) {
  const ria_gauge_desc desc = {.name = a->name,
                               .x = a->at.x,
                               .y = a->at.y,
                               .every = a->every,
                               .fields = a->fields.n ? a->fields.at : NULL,
                               .n_fields = a->fields.n,
                               .exact = a->exact};
  ria_handle handle = 0;
  rl_try(L, site, NULL, ria_sim_gauge(s->sim, &desc, &handle));
  rl_note_gauge(L, s, handle, &desc, site);
  return handle;
}

/* Push the name of a gauge at a point: the attribute that `name` is, or, of one point without
 * any, itself. */
static const char *push_gauge_name(lua_State *L, const ria_shapes *points, size_t k,
                                   const char *name, const rl_site *site) {
  const rl_path path = {.key = "name"};
  const ria_shape *shape = ria_shapes_at(points, k);
  const ria_attribute *a = ria_shape_attribute(shape, name);
  if (!shape->n_attributes && ria_shapes_count(points) == 1) return lua_pushstring(L, name);
  if (!a) rl_check_attribute(L, points, name, site, &path);
  rl_push_attribute(L, a);
  if (lua_isnil(L, -1))
    rl_fail(L, site, &path, "%s: a point without %s", rl_push_place(L, points, k), name);
  return luaL_tolstring(L, -1, NULL);
}

/* A gauge at each of the points on top of the stack: their handles, pushed. */
static void add_gauges(lua_State *L, rl_sim *s, gauge_args *a, const rl_site *site) {
  const rl_path path = {.key = "at"};
  const char *name = a->name;
  const ria_shapes *points = rl_shapes_on(L, lua_gettop(L), ria_sim_crs(s->sim), site, &path);
  if (!ria_shapes_count(points))
    rl_fail(L, site, &path, "%s: none of its shapes are chosen", ria_shapes_path(points));
  lua_newtable(L);
  const int list = lua_gettop(L);
  for (size_t k = 0; k < ria_shapes_count(points); k++) {
    const ria_shape *shape = ria_shapes_at(points, k);
    if (shape->kind != RIA_POINTS || shape->n_parts != 1)
      rl_fail(L, site, &path, "%s: a gauge stands at one point", rl_push_place(L, points, k));
    a->name = push_gauge_name(L, points, k, name, site);
    a->at.x = shape->x[shape->first[0]];
    a->at.y = shape->y[shape->first[0]];
    lua_pushinteger(L, add_gauge(L, s, a, site));
    lua_rawseti(L, list, (lua_Integer)k + 1);
    lua_settop(L, list);
  }
}

int rl_sim_gauge(lua_State *L) {
  rl_site site;
  gauge_args a = {0};
  rl_here(L, "sim:gauge", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  const uint64_t given = rl_read_table(L, 2, &rl_gauge_info, &site, NULL, &a);
  const bool shapes = given >> GAUGE_AT & 1;
  if (shapes && given >> GAUGE_X & 15)
    rl_fail(L, &site, &(rl_path){.key = "at"}, "at goes without x and y, lon and lat");
  if (!shapes)
    rl_settle_place(L, &(rl_map){.sim = s->sim}, &gauge_keys[GAUGE_X], given >> GAUGE_X, &site,
                    NULL, &a.at);
  for (size_t k = 0; k < a.fields.n; k++)
    rl_check_name(L, a.fields.at[k], rl_field_names(L, s, rl_any_field), "field", &site,
                  &(rl_path){.up = &(rl_path){.key = "fields"}, .index = (lua_Integer)k + 1});
  lua_getfield(L, 2, "at");
  if (shapes)
    add_gauges(L, s, &a, &site);
  else
    lua_pushinteger(L, add_gauge(L, s, &a, &site));
  return 1;
}

/* sim:history(gauge, field): two lists, the times and the values so far. */
int rl_sim_history(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:history", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  const char *gauge = rl_string(L, 2, &site, "gauge"), *field = rl_string(L, 3, &site, "field");
  const double *t, *v;
  size_t n, now;
  rl_try(L, &site, NULL, ria_sim_gauge_history(s->sim, gauge, field, &t, &v, &n));
  double *copy = lua_newuserdatauv(L, 2 * (n + 1) * sizeof *copy, 0);
  /* that may have run a finaliser, which may have run the simulation, which moves its history */
  rl_try(L, &site, NULL, ria_sim_gauge_history(s->sim, gauge, field, &t, &v, &now));
  if (now < n) n = now;
  memcpy(copy, t, n * sizeof *t);
  memcpy(copy + n, v, n * sizeof *v);
  rl_push_numbers(L, copy, n);
  rl_push_numbers(L, copy + n, n);
  return 2;
}
