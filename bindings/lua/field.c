/* field.c - rasters in Lua: copies of results, maps made by functions; files are read in dem.c.
 *
 * A field is a userdata around one ria_raster. Cells count from 0 as everywhere in ria: cell (0, 0)
 * lies in the south-west, i goes east, j north. Reading a simulation gives copies: changing one
 * changes nothing else. */
#include "binding.h"
#include "shapes.h"

#include <math.h>
#include <string.h>

typedef struct field_args {
  rl_grid_args grid; /* first: its keys count from here */
  const char *crs;
} field_args;

static const rl_key field_keys[] = {RL_GRID_KEYS,
                                    {"crs", RL_STRING, 0, offsetof(field_args, crs),
                                     .doc = "the system that x and y are in, \"EPSG:n\" or WKT: "
                                            "degrees where it is in degrees"},
                                    {"value", RL_ANY, .flags = RL_REQUIRED,
                                     .shape = "number | function(x, y) | field",
                                     .doc = "the values, at the cell centres"},
                                    {0}};
const rl_table_info rl_field_info = {.keys = field_keys};

typedef struct write_args {
  rl_names list;
  const char *path, *map;
  int scale;
} write_args;

static const char *const scale_names[] = {
    [RIA_SCALE_LINEAR] = "linear", [RIA_SCALE_LOG] = "log", [RIA_SCALE_LOG + 1] = NULL};

static const rl_key write_keys[] = {
    {"path", RL_STRING, 0, offsetof(write_args, path),
     .doc = "the file: GeoTIFF (.tif), or ESRI ASCII (.asc, .asc.gz)"},
    {"map", RL_STRING, 0, offsetof(write_args, map),
     .doc = "colour map: a GeoTIFF with a palette, as a GIS shows it; the values if left out"},
    {"scale", RL_CHOICE, 0, offsetof(write_args, scale), .choices = scale_names,
     .doc = "of the colours"},
    {"range", RL_ANY, .shape = "{lo, hi}", .doc = "of the colours; from the values if left out"},
    {0}};
static const rl_key write_list = {"", RL_NAMES, 0, offsetof(write_args, list), .doc = "the file"};
const rl_table_info rl_write_info = {.keys = write_keys, .list = &write_list};

typedef struct at_args {
  bool interpolate;
} at_args;

static const rl_key at_keys[] = {
    {"interpolate", RL_BOOL, 0, offsetof(at_args, interpolate),
     .doc = "between the centres of cells: nan beside a cell without a value"},
    {0}};
const rl_table_info rl_at_info = {.keys = at_keys};

/* --- userdata --------------------------------------------------------------------------------- */

rl_field *rl_new_field(lua_State *L) {
  rl_field *f = lua_newuserdatauv(L, sizeof *f, 0);
  f->raster = NULL;
  luaL_setmetatable(L, RL_FIELD);
  return f;
}

const ria_raster *rl_test_field(lua_State *L, int idx) {
  const rl_field *f = luaL_testudata(L, idx, RL_FIELD);
  return f ? f->raster : NULL;
}

static const ria_raster *check_field(lua_State *L, const rl_site *site) {
  const ria_raster *r = rl_test_field(L, 1);
  if (!r) rl_fail(L, site, NULL, "called without a field: write f:name(...), with a colon");
  return r;
}

static int field_gc(lua_State *L) {
  rl_field *f = luaL_checkudata(L, 1, RL_FIELD);
  ria_raster_destroy(&f->raster);
  return 0;
}

static int field_tostring(lua_State *L) {
  const ria_raster *r = rl_test_field(L, 1);
  if (!r) return lua_pushliteral(L, "ria.field (closed)"), 1;
  lua_pushfstring(L, "ria.field %d x %d cells of %f x %f m", r->grid.nx, r->grid.ny, r->grid.dx,
                  r->grid.dy);
  if (r->grid.angle != 0.0) {
    lua_pushfstring(L, " turned by %f deg", r->grid.angle);
    lua_concat(L, 2);
  }
  return 1;
}

static bool push_grid_member(lua_State *L, const ria_grid *g, const char *name) {
  if (strcmp(name, "nx") == 0)
    lua_pushinteger(L, g->nx);
  else if (strcmp(name, "ny") == 0)
    lua_pushinteger(L, g->ny);
  else if (strcmp(name, "dx") == 0)
    lua_pushnumber(L, g->dx);
  else if (strcmp(name, "dy") == 0)
    lua_pushnumber(L, g->dy);
  else if (strcmp(name, "x0") == 0)
    lua_pushnumber(L, g->x0);
  else if (strcmp(name, "y0") == 0)
    lua_pushnumber(L, g->y0);
  else if (strcmp(name, "angle") == 0)
    lua_pushnumber(L, g->angle);
  else
    return false;
  return true;
}

/* f.nx, f.dx, f.crs, or a method. */
static int field_index(lua_State *L) {
  const ria_raster *r = rl_test_field(L, 1);
  const char *name = luaL_checkstring(L, 2);
  if (r && push_grid_member(L, &r->grid, name)) return 1;
  if (r && strcmp(name, "crs") == 0) return lua_pushstring(L, r->crs), 1;
  if (r && strcmp(name, "about") == 0) return lua_pushstring(L, r->about), 1;
  return rl_index_method(L);
}

/* --- methods ---------------------------------------------------------------------------------- */

static int check_cell(lua_State *L, int idx, int n, const char *name, const rl_site *site) {
  rl_key key = {.name = name, .type = RL_INT, .min = -1, .max = n, .flags = 0};
  rl_path path = {.key = name};
  int k = 0;
  rl_read(L, idx, &key, site, &path, &k);
  if (k < 0 || k >= n)
    rl_fail(L, site, NULL, "%s = %d is out of range: 0 .. %d (cells count from 0)", name, k, n - 1);
  return k;
}

static double *cell_of(lua_State *L, const ria_raster *r, const rl_site *site) {
  int i = check_cell(L, 2, r->grid.nx, "i", site), j = check_cell(L, 3, r->grid.ny, "j", site);
  return &r->data[(size_t)j * (size_t)r->grid.nx + (size_t)i];
}

static int field_get(lua_State *L) {
  rl_site site;
  rl_here(L, "field:get", 1, &site);
  lua_pushnumber(L, *cell_of(L, check_field(L, &site), &site));
  return 1;
}

static int field_set(lua_State *L) {
  rl_site site;
  rl_here(L, "field:set", 1, &site);
  double *cell = cell_of(L, check_field(L, &site), &site);
  if (lua_type(L, 4) != LUA_TNUMBER)
    rl_type_error(L, &site, &(rl_path){.key = "value"}, 4, "a number");
  *cell = lua_tonumber(L, 4);
  return 0;
}

/* The cell that holds the point, as a gauge takes it, so that a high-water mark beside dry ground
 * has a value; nan outside. */
static double cell_value(const ria_raster *r, double x, double y) {
  int i, j;
  if (!ria_grid_locate(&r->grid, x, y, &i, &j)) return NAN;
  return r->data[(size_t)j * (size_t)r->grid.nx + (size_t)i];
}

static int field_at(lua_State *L) {
  rl_site site;
  at_args a = {0};
  rl_here(L, "field:at", 3, &site);
  const ria_raster *r = check_field(L, &site);
  double p[2];
  const int keys = rl_read_xy(L, 2, &(rl_map){.raster = r}, &site, p);
  site.arg = keys;
  if (!lua_isnoneornil(L, keys)) rl_read_table(L, keys, &rl_at_info, &site, NULL, &a);
  lua_pushnumber(L, a.interpolate ? ria_raster_sample(r, p[0], p[1]) : cell_value(r, p[0], p[1]));
  return 1;
}

static size_t cells(const ria_grid *g) { return (size_t)g->nx * (size_t)g->ny; }

/* The extreme value in the direction of sign and its cell: v, i, j; nil when there is no data. */
static int push_extreme(lua_State *L, const char *fn, double sign) {
  rl_site site;
  rl_here(L, fn, 1, &site);
  const ria_raster *r = check_field(L, &site);
  size_t best = 0;
  bool found = false;
  for (size_t k = 0; k < cells(&r->grid); k++) {
    if (isnan(r->data[k]) || (found && sign * r->data[k] <= sign * r->data[best])) continue;
    best = k;
    found = true;
  }
  if (!found) return 0;
  lua_pushnumber(L, r->data[best]);
  lua_pushinteger(L, (lua_Integer)(best % (size_t)r->grid.nx));
  lua_pushinteger(L, (lua_Integer)(best / (size_t)r->grid.nx));
  return 3;
}

static int field_min(lua_State *L) { return push_extreme(L, "field:min", -1.0); }
static int field_max(lua_State *L) { return push_extreme(L, "field:max", 1.0); }

static double sum_of(const ria_raster *r, lua_Integer *n) {
  double sum = 0.0;
  *n = 0;
  for (size_t k = 0; k < cells(&r->grid); k++) {
    if (isnan(r->data[k])) continue;
    sum += r->data[k];
    ++*n;
  }
  return sum;
}

static int field_sum(lua_State *L) {
  rl_site site;
  lua_Integer n;
  rl_here(L, "field:sum", 1, &site);
  lua_pushnumber(L, sum_of(check_field(L, &site), &n));
  return 1;
}

static int field_mean(lua_State *L) {
  rl_site site;
  lua_Integer n;
  rl_here(L, "field:mean", 1, &site);
  double sum = sum_of(check_field(L, &site), &n);
  lua_pushnumber(L, n ? sum / (double)n : NAN);
  return 1;
}

static int field_count(lua_State *L) {
  rl_site site;
  lua_Integer n;
  rl_here(L, "field:count", 1, &site);
  sum_of(check_field(L, &site), &n);
  lua_pushinteger(L, n);
  return 1;
}

static int field_integral(lua_State *L) {
  rl_site site;
  lua_Integer n;
  rl_here(L, "field:integral", 1, &site);
  const ria_raster *r = check_field(L, &site);
  lua_pushnumber(L, sum_of(r, &n) * r->grid.dx * r->grid.dy);
  return 1;
}

static int field_size(lua_State *L) {
  rl_site site;
  rl_here(L, "field:size", 1, &site);
  const ria_raster *r = check_field(L, &site);
  lua_pushinteger(L, r->grid.nx);
  lua_pushinteger(L, r->grid.ny);
  return 2;
}

static const char *write_path(lua_State *L, const write_args *a, const rl_site *site) {
  if (a->list.n == 1 && !a->path) return a->list.at[0];
  if (!a->path || a->list.n) rl_fail(L, site, NULL, "name one file: f:write \"x.tif\"");
  return a->path;
}

/* Colours without a map have no meaning: said rather than left out. */
static void read_colours(lua_State *L, const write_args *a, const rl_site *site,
                         ria_raster_colours *c) {
  static const char *const need[] = {"scale", "range"};
  for (size_t k = 0; !a->map && k < 2; k++) {
    if (lua_getfield(L, 2, need[k]) != LUA_TNIL)
      rl_fail(L, site, &(rl_path){.key = need[k]}, "%s is of colours, and needs map beside it",
              need[k]);
    lua_pop(L, 1);
  }
  *c = (ria_raster_colours){.map = a->map, .scale = (ria_scale)a->scale};
  (void)rl_read_range(L, 2, "", site, &c->min, &c->max);
}

static int field_write(lua_State *L) {
  rl_site site;
  write_args a = {0};
  ria_raster_colours colours = {0};
  rl_here(L, "field:write", 2, &site);
  const ria_raster *r = check_field(L, &site);
  if (lua_istable(L, 2)) {
    rl_read_table(L, 2, &rl_write_info, &site, NULL, &a);
    read_colours(L, &a, &site, &colours);
    a.path = write_path(L, &a, &site);
  } else {
    a.path = rl_string(L, 2, &site, "path");
  }
  rl_try(L, &site, NULL,
         a.map ? ria_raster_write_coloured(rl_context(L), r, a.path, &colours)
               : ria_raster_write(rl_context(L), r, a.path));
  return 0;
}

/* --- values for a grid ------------------------------------------------------------------------ */

ria_dim rl_dim_of_unit(const char *unit) {
  for (int dim = RIA_DIM_TIME; unit && *unit && dim <= RIA_DIM_DENSITY; dim++)
    if (strcmp(ria_dim_unit((ria_dim)dim), unit) == 0) return (ria_dim)dim;
  return RIA_DIM_NONE;
}

static bool same_grid(const ria_grid *a, const ria_grid *b) {
  return a->nx == b->nx && a->ny == b->ny && a->dx == b->dx && a->dy == b->dy && a->x0 == b->x0 &&
         a->y0 == b->y0 && a->angle == b->angle;
}

/* The middle of a cell on the map. */
static void centre_of(const ria_grid *g, int i, int j, double *x, double *y) {
  *x = g->x0 + (i + 0.5) * g->dx;
  *y = g->y0 + (j + 0.5) * g->dy;
  ria_grid_to_map(g, x, y);
}

static _Noreturn void gave_no_number(lua_State *L, double x, double y, const rl_site *site,
                                     const rl_path *path) {
  const char *type = luaL_typename(L, -1);
  rl_fail(L, site, path, "%s(%g, %g) gave %s: a number is needed", rl_push_path(L, path), x, y,
          type);
}

static _Noreturn void gave_not_finite(lua_State *L, double value, int i, int j, double x, double y,
                                      const rl_site *site, const rl_path *path) {
  rl_fail(L, site, path, "%s(%g, %g) gave %s in cell (%d, %d): a finite number is needed",
          rl_push_path(L, path), x, y, rl_not_finite(value), i, j);
}

/* Nothing is allocated here but by the function itself. */
static void sample_function(lua_State *L, int idx, const ria_grid *g, double *values,
                            const rl_site *site, const rl_path *path) {
  for (int j = 0; j < g->ny; j++)
    for (int i = 0; i < g->nx; i++) {
      double x, y;
      centre_of(g, i, j, &x, &y);
      lua_pushvalue(L, idx);
      lua_pushnumber(L, x);
      lua_pushnumber(L, y);
      lua_call(L, 2, 1);
      if (lua_type(L, -1) != LUA_TNUMBER) gave_no_number(L, x, y, site, path);
      double value = lua_tonumber(L, -1);
      if (!isfinite(value)) gave_not_finite(L, value, i, j, x, y, site, path);
      values[(size_t)j * (size_t)g->nx + (size_t)i] = value;
      lua_pop(L, 1);
    }
}

/* What a function of f:map has left on top of the stack: nil and nan stand for no data. */
static double mapped_value(lua_State *L, const ria_grid *g, int i, int j, const rl_site *site) {
  const rl_path path = {.key = "map"};
  double x, y;
  centre_of(g, i, j, &x, &y);
  if (lua_isnil(L, -1)) return NAN;
  if (lua_type(L, -1) != LUA_TNUMBER) gave_no_number(L, x, y, site, &path);
  const double value = lua_tonumber(L, -1);
  if (isinf(value)) gave_not_finite(L, value, i, j, x, y, site, &path);
  return value;
}

static void copy_crs(lua_State *L, const ria_raster *from, ria_raster *to, const rl_site *site) {
  if (from->crs && !(to->crs = strdup(from->crs)))
    rl_try(L, site, NULL, ria_fail(rl_context(L), RIA_ERR_MEMORY, "out of memory for a field"));
}

/* f:map(function(v, x, y) ... end): a new field. */
static int field_map(lua_State *L) {
  rl_site site;
  rl_here(L, "field:map", 1, &site);
  const ria_raster *r = check_field(L, &site);
  const ria_grid *g = &r->grid;
  if (lua_type(L, 2) != LUA_TFUNCTION)
    rl_type_error(L, &site, &(rl_path){.key = "map"}, 2, "a function (value, x, y)");
  rl_field *f = rl_new_field(L);
  rl_try(L, &site, NULL, ria_raster_create(rl_context(L), g, &f->raster));
  copy_crs(L, r, f->raster, &site);
  for (int j = 0; j < g->ny; j++)
    for (int i = 0; i < g->nx; i++) {
      size_t k = (size_t)j * (size_t)g->nx + (size_t)i;
      double x, y;
      centre_of(g, i, j, &x, &y);
      lua_pushvalue(L, 2);
      lua_pushnumber(L, r->data[k]);
      lua_pushnumber(L, x);
      lua_pushnumber(L, y);
      lua_call(L, 3, 1);
      f->raster->data[k] = mapped_value(L, g, i, j, &site);
      lua_pop(L, 1);
    }
  return 1;
}

const double *rl_sample(lua_State *L, int idx, const ria_grid *grid, const rl_key *key,
                        const rl_site *site, const rl_path *path) {
  idx = lua_absindex(L, idx);
  const ria_raster *r = rl_test_field(L, idx);
  if (r && same_grid(&r->grid, grid)) {
    lua_pushvalue(L, idx);
    return r->data;
  }
  if (r) {
    rl_field *f = rl_new_field(L);
    rl_try(L, site, path, ria_raster_resample(rl_context(L), r, grid, &f->raster));
    return f->raster->data;
  }
  int type = lua_type(L, idx);
  if (type != LUA_TFUNCTION && type != LUA_TNUMBER && type != LUA_TSTRING)
    rl_type_error(
        L, site, path, idx,
        "a number, text with a unit, a function (x, y), or a field such as ria.dem \"...\"");
  double *values = lua_newuserdatauv(L, cells(grid) * sizeof *values, 0);
  if (type == LUA_TFUNCTION) {
    sample_function(L, idx, grid, values, site, path);
    return values;
  }
  double value = 0.0;
  rl_read(L, idx, key, site, path, &value);
  for (size_t k = 0; k < cells(grid); k++) values[k] = value;
  return values;
}

/* --- functions of the module ------------------------------------------------------------------ */

/* The corner of a grid about its middle. */
static void set_corner(ria_grid *g, const double middle[2]) {
  double c, s;
  ria_grid_axes(g, &c, &s);
  const double u = 0.5 * g->nx * g->dx, v = 0.5 * g->ny * g->dy;
  g->x0 = middle[0] - (c * u - s * v);
  g->y0 = middle[1] - (s * u + c * v);
}

ria_grid rl_grid_of(lua_State *L, const rl_grid_args *a, uint64_t given, const rl_site *site,
                    const rl_path *path) {
  enum { X0 = 1 << 4, Y0 = 1 << 5, CENTRE = 1 << 7 }; /* in the order of RL_GRID_KEYS */
  ria_grid g = {a->nx, a->ny, a->dx, a->dy > 0.0 ? a->dy : a->dx, a->x0, a->y0, a->angle};
  if (!(given & CENTRE)) return g;
  if (given & (X0 | Y0))
    rl_fail(L, site, &(rl_path){.up = path, .key = "centre"},
            "a grid lies by its corner or its middle: %s and centre do not go together",
            given & X0 ? "x0" : "y0");
  set_corner(&g, a->centre);
  return g;
}

static int module_field(lua_State *L) {
  rl_site site;
  field_args a = {0};
  rl_here(L, "ria.field", 1, &site);
  const uint64_t given = rl_read_table(L, 1, &rl_field_info, &site, NULL, &a);
  const ria_grid g = rl_grid_of(L, &a.grid, given, &site, NULL);
  rl_try(L, &site, NULL, ria_grid_check(rl_context(L), &g));
  lua_getfield(L, 1, "value");
  const rl_key number = {.type = RL_NUMBER, .dim = RIA_DIM_NONE};
  const double *values = rl_sample(L, -1, &g, &number, &site, &(rl_path){.key = "value"});
  rl_field *f = rl_new_field(L);
  rl_try(L, &site, NULL, ria_raster_create(rl_context(L), &g, &f->raster));
  memcpy(f->raster->data, values, cells(&g) * sizeof *values);
  rl_try(L, &site, &(rl_path){.key = "crs"}, ria_crs_check(rl_context(L), a.crs));
  if (a.crs && !(f->raster->crs = strdup(a.crs)))
    rl_try(L, &site, NULL, ria_fail(rl_context(L), RIA_ERR_MEMORY, "out of memory for a field"));
  return 1;
}

const luaL_Reg rl_field_functions[] = {{"field", module_field}, {NULL, NULL}};

int rl_open_field(lua_State *L) {
  static const luaL_Reg meta[] = {{"__gc", field_gc}, {"__tostring", field_tostring}, {NULL, NULL}};
  static const luaL_Reg methods[] = {
      {"get", field_get},        {"set", field_set},        {"at", field_at},
      {"min", field_min},        {"max", field_max},        {"sum", field_sum},
      {"mean", field_mean},      {"count", field_count},    {"integral", field_integral},
      {"size", field_size},      {"write", field_write},    {"map", field_map},
      {"draw", rl_field_draw},   {"raise", rl_field_raise}, {"dig", rl_field_dig},
      {"paint", rl_field_paint}, {"mask", rl_field_mask},   {NULL, NULL}};
  rl_new_class(L, RL_FIELD, meta, methods);
  rl_index_members(L, RL_FIELD, "field", field_index);
  return 0;
}
