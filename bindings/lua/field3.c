/* field3.c - fields of three dimensions in Lua: where they live, their values, their slices.
 *
 * A field is a userdata around one ria_field3, whose values stay on the device. The collector sees
 * a small object, so each field adds its size to what the collector believes was allocated, and
 * when memory runs out everything unreachable is collected before a second try. */
#include "field3.h"

#include <math.h>

const char *const rl_axis_names[] = {"x", "y", "z", NULL};
static const char *const real_names[] = {
    [RIA_F64] = "double", [RIA_F32] = "single", [RIA_F32 + 1] = NULL};

typedef struct field3_args {
  int n[RIA_AXES];
  double d[RIA_AXES], length[RIA_AXES], origin[RIA_AXES];
  int precision;
} field3_args;

#define AT(member, axis) offsetof(field3_args, member[axis])
static const rl_key field3_keys[] = {
    {"nx", RL_INT, 0, AT(n, 0), RL_REQUIRED, 1, 1e6, .doc = "points along x"},
    {"ny", RL_INT, 0, AT(n, 1), RL_REQUIRED, 1, 1e6, .doc = "points along y"},
    {"nz", RL_INT, 0, AT(n, 2), RL_REQUIRED, 1, 1e6, .doc = "points along z"},
    {"dx", RL_NUMBER, RIA_DIM_LENGTH, AT(d, 0), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "between points along x; or give lx"},
    {"dy", RL_NUMBER, RIA_DIM_LENGTH, AT(d, 1), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "between points along y; dx if left out"},
    {"dz", RL_NUMBER, RIA_DIM_LENGTH, AT(d, 2), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "between points along z; dx if left out"},
    {"lx", RL_NUMBER, RIA_DIM_LENGTH, AT(length, 0), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "length of the domain along x: nx dx"},
    {"ly", RL_NUMBER, RIA_DIM_LENGTH, AT(length, 1), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "length along y"},
    {"lz", RL_NUMBER, RIA_DIM_LENGTH, AT(length, 2), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "length along z"},
    {"x0", RL_NUMBER, RIA_DIM_LENGTH, AT(origin, 0),
     .doc = "where the domain begins; the first point is half a distance further"},
    {"y0", RL_NUMBER, RIA_DIM_LENGTH, AT(origin, 1), .doc = "the same along y"},
    {"z0", RL_NUMBER, RIA_DIM_LENGTH, AT(origin, 2), .doc = "the same along z"},
    {"periodic", RL_ANY, .shape = "true | false | {x = true, ...}",
     .doc = "axes that close on themselves; those not named are closed by ends"},
    {"precision", RL_CHOICE, 0, offsetof(field3_args, precision), .choices = real_names,
     .doc = "of the numbers"},
    {"init", RL_ANY, .shape = "number | function(x, y, z)", .doc = "the values; 0 if left out"},
    {0}};
#undef AT
const rl_table_info rl_field3_info = {.keys = field3_keys};

typedef struct axes_args {
  bool on[RIA_AXES];
} axes_args;

static const rl_key axes_keys[] = {{"x", RL_BOOL, 0, offsetof(axes_args, on[0]), .doc = "along x"},
                                   {"y", RL_BOOL, 0, offsetof(axes_args, on[1]), .doc = "along y"},
                                   {"z", RL_BOOL, 0, offsetof(axes_args, on[2]), .doc = "along z"},
                                   {0}};
static const rl_table_info axes_info = {.keys = axes_keys};

typedef struct slice_args {
  double at[RIA_AXES];
} slice_args;

static const rl_key slice_keys[] = {
    {"x", RL_NUMBER, RIA_DIM_LENGTH, offsetof(slice_args, at[0]),
     .doc = "the plane of points nearest to this x; the slice has y and z"},
    {"y", RL_NUMBER, RIA_DIM_LENGTH, offsetof(slice_args, at[1]),
     .doc = "the same across y; the slice has x and z"},
    {"z", RL_NUMBER, RIA_DIM_LENGTH, offsetof(slice_args, at[2]),
     .doc = "the same across z; the slice has x and y"},
    {0}};
const rl_table_info rl_slice_info = {.keys = slice_keys};

/* --- userdata --------------------------------------------------------------------------------- */

static double bytes_of(const ria_grid3 *g, ria_real real) {
  return (double)g->n[0] * g->n[1] * g->n[2] * (real == RIA_F32 ? 4.0 : 8.0);
}

static ria_field3 *new_field3(lua_State *L, const ria_grid3 *g, ria_real real,
                              const rl_site *site) {
  ria_context *ctx = rl_context(L);
  rl_field3 *f = lua_newuserdatauv(L, sizeof *f, 0);
  *f = (rl_field3){0};
  luaL_setmetatable(L, RL_FIELD3);
  lua_gc(L, LUA_GCSTEP, (int)fmin(bytes_of(g, real) / 1024.0, 1e9));
  ria_status s = ria_field3_create(ctx, g, real, &f->field);
  if (s == RIA_ERR_MEMORY) {
    lua_gc(L, LUA_GCCOLLECT);
    s = ria_field3_create(ctx, g, real, &f->field);
  }
  rl_try(L, site, NULL, s);
  return f->field;
}

ria_field3 *rl_field3_like(lua_State *L, const ria_field3 *f, const rl_site *site) {
  return new_field3(L, ria_field3_grid(f), ria_field3_real(f), site);
}

ria_field3 *rl_test_field3(lua_State *L, int idx) {
  rl_field3 *f = luaL_testudata(L, idx, RL_FIELD3);
  if (f) rl_hold(rl_state_of(L), &f->held);
  return f ? f->field : NULL;
}

ria_field3 *rl_check_field3(lua_State *L, const rl_site *site) {
  ria_field3 *f = rl_test_field3(L, 1);
  if (f) return f;
  if (luaL_testudata(L, 1, RL_FIELD3)) rl_fail(L, site, NULL, "the field was freed");
  rl_fail(L, site, NULL, "called without a field: write f:name(...), with a colon");
}

static int field3_gc(lua_State *L) {
  rl_field3 *f = luaL_checkudata(L, 1, RL_FIELD3);
  ria_field3_destroy(&f->field);
  return 0;
}

/* field3:free, also twice, and __close. */
static int field3_free(lua_State *L) {
  rl_site site;
  rl_here(L, "field3:free", 1, &site);
  rl_field3 *f = luaL_testudata(L, 1, RL_FIELD3);
  if (!f) rl_fail(L, &site, NULL, "called without a field: write f:name(...), with a colon");
  const char *by = rl_held_by(rl_state_of(L), f->held);
  if (by) rl_fail(L, &site, NULL, "the field cannot be freed while %s is at work", by);
  ria_field3_destroy(&f->field);
  return 0;
}

static int field3_tostring(lua_State *L) {
  const ria_field3 *f = rl_test_field3(L, 1);
  if (!f) return lua_pushliteral(L, "ria.field3 (freed)"), 1;
  const ria_grid3 *g = ria_field3_grid(f);
  lua_pushfstring(L, "ria.field3 %d x %d x %d points, %s precision", g->n[0], g->n[1], g->n[2],
                  real_names[ria_field3_real(f)]);
  return 1;
}

/* f.nx, f.dy, f.z0: a letter or two, and the axis. */
static bool push_member(lua_State *L, const ria_grid3 *g, const char *name) {
  if (strlen(name) != 2) return false;
  const int lead = name[1] == '0' ? 'o' : name[0],
            axis = (name[1] == '0' ? name[0] : name[1]) - 'x';
  if (axis < 0 || axis >= RIA_AXES) return false;
  if (lead == 'n')
    lua_pushinteger(L, g->n[axis]);
  else if (lead == 'd')
    lua_pushnumber(L, g->d[axis]);
  else if (lead == 'l')
    lua_pushnumber(L, g->n[axis] * g->d[axis]);
  else if (lead == 'o')
    lua_pushnumber(L, g->origin[axis]);
  else
    return false;
  return true;
}

/* Not guarded, so it holds nothing: it only looks. */
static int field3_index(lua_State *L) {
  const rl_field3 *self = luaL_testudata(L, 1, RL_FIELD3);
  const ria_field3 *f = self ? self->field : NULL;
  if (f && lua_type(L, 2) == LUA_TSTRING && push_member(L, ria_field3_grid(f), lua_tostring(L, 2)))
    return 1;
  return rl_index_method(L);
}

/* --- values in -------------------------------------------------------------------------------- */

/* The values at the points by a Lua function (x, y, z), or (value, x, y, z) where old values are
 * given, in an array that is pushed. */
static double *call_for_points(lua_State *L, int fn, const ria_grid3 *g, const double *old,
                               const rl_site *site, const char *name) {
  size_t p = 0, n = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
  double *values = lua_newuserdatauv(L, n * sizeof *values, 0);
  for (int k = 0; k < g->n[2]; k++)
    for (int j = 0; j < g->n[1]; j++)
      for (int i = 0; i < g->n[0]; i++, p++) {
        const int at[] = {i, j, k};
        lua_pushvalue(L, fn);
        if (old) lua_pushnumber(L, old[p]);
        for (int a = 0; a < RIA_AXES; a++)
          lua_pushnumber(L, g->origin[a] + (at[a] + 0.5) * g->d[a]);
        lua_call(L, old ? 4 : 3, 1);
        if (lua_type(L, -1) != LUA_TNUMBER)
          rl_fail(L, site, &(rl_path){.key = name},
                  "%s gave %s at point (%d, %d, %d): a number is needed", name,
                  luaL_typename(L, -1), i, j, k);
        values[p] = lua_tonumber(L, -1);
        if (!isfinite(values[p]))
          rl_fail(L, site, &(rl_path){.key = name},
                  "%s gave %s at point (%d, %d, %d): a finite number is needed", name,
                  rl_not_finite(values[p]), i, j, k);
        lua_pop(L, 1);
      }
  return values;
}

/* Set the field at self from the value at idx: a number, a function, or a field. */
static void set_from(lua_State *L, int self, int idx, const rl_site *site, const char *name) {
  ria_field3 *f = rl_test_field3(L, self);
  const ria_field3 *other = rl_test_field3(L, idx);
  self = lua_absindex(L, self);
  idx = lua_absindex(L, idx);
  if (other) {
    rl_try(L, site, NULL, ria_field3_combine(1.0, other, 0.0, other, f));
  } else if (lua_type(L, idx) == LUA_TNUMBER) {
    rl_try(L, site, NULL, ria_field3_fill(f, lua_tonumber(L, idx)));
  } else if (lua_type(L, idx) == LUA_TFUNCTION) {
    const ria_grid3 grid = *ria_field3_grid(f);
    const double *values = call_for_points(L, idx, &grid, NULL, site, name);
    rl_try(L, site, NULL, ria_field3_set(f, values));
    lua_pop(L, 1);
  } else {
    rl_type_error(L, site, &(rl_path){.key = name}, idx,
                  "a number, a function (x, y, z) or a field of three dimensions");
  }
}

static void read_periodic(lua_State *L, const rl_site *site, bool out[RIA_AXES]) {
  const rl_path path = {.key = "periodic"};
  axes_args a = {0};
  lua_getfield(L, 1, "periodic");
  if (lua_type(L, -1) == LUA_TBOOLEAN)
    for (int k = 0; k < RIA_AXES; k++) a.on[k] = lua_toboolean(L, -1);
  else if (lua_type(L, -1) == LUA_TTABLE)
    rl_read_table(L, -1, &axes_info, site, &path, &a);
  else if (!lua_isnil(L, -1))
    rl_type_error(L, site, &path, -1, "true, false or a table such as { x = true }");
  memcpy(out, a.on, sizeof a.on);
}

/* The distance between points: given, or from a length, or that along x. */
static double spacing(lua_State *L, const field3_args *a, int axis, const rl_site *site) {
  const char *name = rl_axis_names[axis];
  if (a->d[axis] > 0.0 && a->length[axis] > 0.0)
    rl_fail(L, site, NULL, "d%s and l%s are both given: one is enough", name, name);
  if (a->d[axis] > 0.0) return a->d[axis];
  if (a->length[axis] > 0.0) return a->length[axis] / a->n[axis];
  if (axis == RIA_X) rl_fail(L, site, NULL, "give dx, the distance between points, or lx");
  return spacing(L, a, RIA_X, site);
}

static int module_field3(lua_State *L) {
  rl_site site;
  field3_args a = {0};
  ria_grid3 g;
  rl_here(L, "ria.field3", 1, &site);
  rl_read_table(L, 1, &rl_field3_info, &site, NULL, &a);
  for (int k = 0; k < RIA_AXES; k++) {
    g.n[k] = a.n[k];
    g.d[k] = spacing(L, &a, k, &site);
    g.origin[k] = a.origin[k];
  }
  read_periodic(L, &site, g.periodic);
  lua_getfield(L, 1, "init");
  const int init = lua_gettop(L);
  new_field3(L, &g, (ria_real)a.precision, &site);
  if (!lua_isnil(L, init)) set_from(L, init + 1, init, &site, "init");
  lua_settop(L, init + 1);
  return 1;
}

static int field3_set(lua_State *L) {
  rl_site site;
  rl_here(L, "field3:set", 1, &site);
  rl_check_field3(L, &site);
  set_from(L, 1, 2, &site, "value");
  lua_settop(L, 1);
  return 1;
}

/* --- values out ------------------------------------------------------------------------------- */

static int field3_get(lua_State *L) {
  rl_site site;
  int at[RIA_AXES];
  double value;
  static const char *const names[] = {"i", "j", "k"};
  rl_here(L, "field3:get", 1, &site);
  const ria_field3 *f = rl_check_field3(L, &site);
  for (int a = 0; a < RIA_AXES; a++)
    rl_read(L, 2 + a, &(rl_key){.type = RL_INT}, &site, &(rl_path){.key = names[a]}, &at[a]);
  rl_try(L, &site, NULL, ria_field3_at(f, at[0], at[1], at[2], &value));
  lua_pushnumber(L, value);
  return 1;
}

static int field3_stats(lua_State *L) {
  rl_site site;
  ria_stats3 s;
  rl_here(L, "field3:stats", 1, &site);
  rl_try(L, &site, NULL, ria_field3_stats(rl_check_field3(L, &site), &s));
  lua_createtable(L, 0, 6);
  const struct {
    const char *name;
    double value;
  } entry[] = {{"min", s.min}, {"max", s.max}, {"sum", s.sum}, {"mean", s.mean}, {"rms", s.rms}};
  for (size_t k = 0; k < sizeof entry / sizeof *entry; k++) {
    lua_pushnumber(L, entry[k].value);
    lua_setfield(L, -2, entry[k].name);
  }
  lua_pushinteger(L, s.n);
  lua_setfield(L, -2, "n");
  return 1;
}

/* f:min() and so on: one of the table of f:stats(). */
static int push_stat(lua_State *L, const char *name) {
  lua_settop(L, 1);
  field3_stats(L);
  lua_getfield(L, -1, name);
  return 1;
}

static int field3_min(lua_State *L) { return push_stat(L, "min"); }
static int field3_max(lua_State *L) { return push_stat(L, "max"); }
static int field3_sum(lua_State *L) { return push_stat(L, "sum"); }
static int field3_mean(lua_State *L) { return push_stat(L, "mean"); }
static int field3_rms(lua_State *L) { return push_stat(L, "rms"); }

static int field3_copy(lua_State *L) {
  rl_site site;
  rl_here(L, "field3:copy", 1, &site);
  const ria_field3 *f = rl_check_field3(L, &site);
  ria_field3 *out = rl_field3_like(L, f, &site);
  rl_try(L, &site, NULL, ria_field3_combine(1.0, f, 0.0, f, out));
  return 1;
}

static int field3_map(lua_State *L) {
  rl_site site;
  rl_here(L, "field3:map", 1, &site);
  const ria_field3 *f = rl_check_field3(L, &site);
  const ria_grid3 g = *ria_field3_grid(f);
  if (lua_type(L, 2) != LUA_TFUNCTION)
    rl_type_error(L, &site, &(rl_path){.key = "map"}, 2, "a function (value, x, y, z)");
  const size_t n = (size_t)g.n[0] * (size_t)g.n[1] * (size_t)g.n[2];
  double *old = lua_newuserdatauv(L, n * sizeof *old, 0);
  rl_try(L, &site, NULL, ria_field3_get(f, old));
  const double *values = call_for_points(L, 2, &g, old, &site, "map");
  rl_try(L, &site, NULL, ria_field3_set(rl_field3_like(L, f, &site), values));
  return 1;
}

static int field3_slice(lua_State *L) {
  rl_site site;
  slice_args a;
  int axis = -1;
  rl_here(L, "field3:slice", 2, &site);
  const ria_field3 *f = rl_check_field3(L, &site);
  const ria_grid3 *g = ria_field3_grid(f);
  const uint64_t given = rl_read_table(L, 2, &rl_slice_info, &site, NULL, &a);
  for (int k = 0; k < RIA_AXES; k++)
    if (given >> k & 1) axis = axis < 0 ? k : RIA_AXES;
  if (axis < 0 || axis == RIA_AXES) rl_fail(L, &site, NULL, "name one plane: f:slice { z = 0.5 }");
  const double along = (a.at[axis] - g->origin[axis]) / g->d[axis];
  if (!(along >= 0.0 && along <= g->n[axis]))
    rl_fail(L, &site, &(rl_path){.key = rl_axis_names[axis]},
            "%s = %g lies outside of the field: %g .. %g m", rl_axis_names[axis], a.at[axis],
            g->origin[axis], g->origin[axis] + g->n[axis] * g->d[axis]);
  const int index = (int)fmin(floor(along), g->n[axis] - 1);
  rl_field *out = rl_new_field(L);
  rl_try(L, &site, NULL, ria_field3_slice(f, (ria_axis)axis, index, &out->raster));
  return 1;
}

const luaL_Reg rl_field3_functions[] = {{"field3", module_field3}, {NULL, NULL}};

int rl_open_field3(lua_State *L) {
  static const luaL_Reg meta[] = {
      {"__gc", field3_gc}, {"__close", field3_free}, {"__tostring", field3_tostring}, {NULL, NULL}};
  static const luaL_Reg methods[] = {
      {"get", field3_get},   {"set", field3_set},   {"stats", field3_stats},
      {"copy", field3_copy}, {"map", field3_map},   {"slice", field3_slice},

      {"free", field3_free}, {"min", field3_min},   {"max", field3_max},
      {"sum", field3_sum},   {"mean", field3_mean}, {"rms", field3_rms},
      {NULL, NULL}};
  rl_new_class(L, RL_FIELD3, meta, methods);
  luaL_getmetatable(L, RL_FIELD3);
  rl_set_metamethods(L, rl_field3_operators);
  lua_getfield(L, -1, "__index");
  rl_set_functions(L, "field3:", rl_field3_derivatives);
  lua_pop(L, 2);
  rl_index_members(L, RL_FIELD3, "field3", field3_index);
  return 0;
}
