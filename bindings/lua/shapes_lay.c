/* shapes_lay.c - shapes laid onto rasters and fields: raised, dug, painted, masked.
 *
 * What a shape brings is a number for all, an attribute, a class looked up in a table, or a
 * function's; each way ends in one value a shape, NaN for those that are left out. */
#include "shapes.h"

#include <math.h>
#include <stdio.h>

/* In the order of ria_shape_cells. */
static const char *const cells_names[] = {"centre", "touched", "share", NULL};
static const char *const keep_names[] = {"inside", "outside", NULL};

typedef struct lay_args {
  const char *by;
  double width, fallback;
  int cells, keep;
} lay_args;

#define VALUE_SHAPE "number | attribute | function(feature)"
#define LAY_KEYS                                                                                   \
  {"width", RL_NUMBER, RIA_DIM_LENGTH, offsetof(lay_args, width),                                  \
   0,       0,         INFINITY,       .doc = "of lines; 0 = the cells that they touch"},          \
      {"cells",                                                                                    \
       RL_CHOICE,                                                                                  \
       0,                                                                                          \
       offsetof(lay_args, cells),                                                                  \
       .choices = cells_names,                                                                     \
       .doc = "whole cells by their centres (and all that a line touches), those and all that a "  \
              "border touches, or each cell by its share; share unless a level is given or lines " \
              "have no width"},                                                                    \
  {                                                                                                \
    "default", RL_ANY, .shape = "number | text with a unit",                                       \
                       .doc = "for shapes without the attribute; an error if left out"             \
  }
/* their places in the tables, behind two others */
enum { FIRST, SECOND, WIDTH, CELLS, DEFAULT };

static const rl_key raise_keys[] = {
    {"crest", RL_ANY, .shape = VALUE_SHAPE,
     .doc = "raise to it what is lower; \"z\": along a line, by the heights of its positions"},
    {"by", RL_ANY, .shape = VALUE_SHAPE, .doc = "or raise by so much"},
    LAY_KEYS,
    {0}};
static const rl_key dig_keys[] = {
    {"bed", RL_ANY, .shape = VALUE_SHAPE,
     .doc = "lower to it what is higher; \"z\" as for a crest"},
    {"by", RL_ANY, .shape = VALUE_SHAPE, .doc = "or lower by so much"},
    LAY_KEYS,
    {0}};
static const rl_key paint_keys[] = {
    {"value", RL_ANY, .shape = VALUE_SHAPE, .doc = "the value, in the cells of the shapes"},
    {"by", RL_STRING, 0, offsetof(lay_args, by),
     .doc = "or the attribute that is looked up in the table"},
    LAY_KEYS,
    {"table", RL_TABLE, .shape = "{class = value}",
     .doc = "values of the classes; of a raster, of the numbers in it"},
    {0}};
static const rl_key mask_keys[] = {
    {"keep", RL_CHOICE, 0, offsetof(lay_args, keep), .choices = keep_names,
     .doc = "what keeps its values: cells with their centres inside of the shapes, or the others"},
    {0}};
static const rl_key share_keys[] = {{"width", RL_NUMBER, RIA_DIM_LENGTH, offsetof(lay_args, width),
                                     0, 0, INFINITY, .doc = "of lines"},
                                    {0}};
const rl_table_info rl_raise_info = {.keys = raise_keys}, rl_dig_info = {.keys = dig_keys},
                    rl_paint_info = {.keys = paint_keys}, rl_mask_info = {.keys = mask_keys},
                    rl_share_info = {.keys = share_keys};

static bool has(uint64_t given, int key) { return given >> key & 1; }

/* The fallback of the table at idx, as its values read. */
static void read_default(lua_State *L, int idx, uint64_t given, const rl_key *unit,
                         const rl_site *site, lay_args *a) {
  if (!has(given, DEFAULT)) return;
  const rl_path path = {.key = "default"};
  lua_getfield(L, idx, path.key);
  rl_read(L, -1, unit, site, &path, &a->fallback);
  lua_pop(L, 1);
}

/* --- one value a shape ------------------------------------------------------------------------ */

typedef struct valuing {
  const ria_shapes *s;
  const rl_key *unit; /* how quantities read */
  const rl_site *site;
  const rl_path *path;
  const double *fallback; /* NULL = none */
  double *value;          /* [n] */
} valuing;

static bool parses(lua_State *L, const rl_key *unit, const char *text, double *out) {
  ria_context *ctx = rl_context(L);
  const ria_status s = unit->measure == RIA_OF_DIM
                           ? ria_parse_quantity(ctx, text, (ria_dim)unit->dim, out)
                           : ria_unit_parse(ctx, unit->unit, unit->measure, text, out);
  ria_error_clear(ctx);
  return s == RIA_OK;
}

/* The fallback, or an error that names the shape. */
static double missing(lua_State *L, const valuing *v, size_t k, const char *name) {
  if (v->fallback) return *v->fallback;
  rl_fail(L, v->site, v->path, "%s: no %s there: give a default, or choose shapes that have it",
          rl_push_place(L, v->s, k), name);
}

/* Why the text is not of the unit wanted. */
static _Noreturn void fail_text(lua_State *L, const valuing *v, size_t k, const char *name,
                                const char *text) {
  ria_context *ctx = rl_context(L);
  const size_t digits = strcspn(text, "0123456789"), n = strlen(text);
  if (digits == n)
    rl_fail(L, v->site, v->path, "%s: %s = '%s' is not a number", rl_push_place(L, v->s, k), name,
            text);
  double ignored;
  if (v->unit->measure == RIA_OF_DIM)
    (void)ria_parse_quantity(ctx, text, (ria_dim)v->unit->dim, &ignored);
  else
    (void)ria_unit_parse(ctx, v->unit->unit, v->unit->measure, text, &ignored);
  const char *why = lua_pushstring(L, ria_error(ctx));
  rl_fail(L, v->site, v->path, "%s: %s: %s", rl_push_place(L, v->s, k), name, why);
}

static void by_attribute(lua_State *L, const valuing *v, const char *name) {
  for (size_t k = 0; k < ria_shapes_count(v->s); k++) {
    const ria_attribute *a = ria_shape_attribute(ria_shapes_at(v->s, k), name);
    if (!a || a->type == RIA_ATTRIBUTE_NONE) {
      v->value[k] = missing(L, v, k, name);
    } else if (a->type == RIA_ATTRIBUTE_TEXT) {
      if (!parses(L, v->unit, a->text, &v->value[k])) fail_text(L, v, k, name, a->text);
    } else {
      v->value[k] = a->number;
    }
  }
}

static void by_function(lua_State *L, const valuing *v, int idx) {
  for (size_t k = 0; k < ria_shapes_count(v->s); k++) {
    lua_pushvalue(L, idx);
    rl_push_feature(L, v->s, k, v->site);
    lua_call(L, 1, 1);
    if (lua_isnil(L, -1))
      v->value[k] = NAN;
    else
      rl_read(L, -1, v->unit, v->site, v->path, &v->value[k]);
    lua_pop(L, 1);
  }
}

/* What stands at idx: returns true where it is the z of positions. Text is an attribute where any
 * shape has it, else a quantity. */
static bool by_value(lua_State *L, const valuing *v, int idx, bool z_may_be) {
  double value = 0.0;
  const char *text = lua_type(L, idx) == LUA_TSTRING ? lua_tostring(L, idx) : NULL;
  const bool attribute = text && rl_has_attribute(v->s, text);
  if (v->fallback && !attribute)
    rl_fail(L, v->site, &(rl_path){.key = "default"},
            "default is for shapes without the attribute, and %s is none", v->path->key);
  if (lua_type(L, idx) == LUA_TFUNCTION) {
    by_function(L, v, idx);
    return false;
  }
  if (attribute) {
    by_attribute(L, v, text);
    return false;
  }
  const bool z = text && z_may_be && strcmp(text, "z") == 0;
  if (text && !z && !parses(L, v->unit, text, &value))
    rl_check_name(L, text, rl_attribute_names(L, v->s), "attribute", v->site, v->path);
  if (!z) rl_read(L, idx, v->unit, v->site, v->path, &value);
  for (size_t k = 0; k < ria_shapes_count(v->s); k++) v->value[k] = value;
  return z;
}

/* The value of the class on top of the stack, which is popped; false: it is not in the table. */
static bool look_up(lua_State *L, int table, const rl_key *unit, const rl_site *site,
                    const rl_path *path, double *out) {
  char name[80];
  const bool none = lua_isnil(L, -1);
  snprintf(name, sizeof name, "%s", none ? "" : luaL_tolstring(L, -1, NULL));
  if (!none) lua_pop(L, 1);
  const rl_path entry = {.up = path, .key = name};
  if (none || lua_rawget(L, table) == LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  rl_read(L, -1, unit, site, &entry, out);
  lua_pop(L, 1);
  return true;
}

static _Noreturn void no_class(lua_State *L, const valuing *v, int table, size_t k,
                               const char *text) {
  enum { MOST = 200 };
  const char *names[MOST];
  size_t n = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING && n < MOST) names[n++] = lua_tostring(L, -2);
  const char *near = ria_nearest(text, names, n);
  if (near)
    rl_fail(L, v->site, v->path, "%s: class '%s' is not in the table: did you mean '%s'?",
            rl_push_place(L, v->s, k), text, near);
  rl_fail(L, v->site, v->path, "%s: class '%s' is not in the table: add it, or give a default",
          rl_push_place(L, v->s, k), text);
}

static void by_class(lua_State *L, const valuing *v, const char *name, int table) {
  const rl_path path = {.key = "table"};
  rl_check_attribute(L, v->s, name, v->site, v->path);
  for (size_t k = 0; k < ria_shapes_count(v->s); k++) {
    rl_push_attribute(L, ria_shape_attribute(ria_shapes_at(v->s, k), name));
    lua_pushvalue(L, -1);
    if (!look_up(L, table, v->unit, v->site, &path, &v->value[k])) {
      if (!v->fallback && !lua_isnil(L, -1)) no_class(L, v, table, k, luaL_tolstring(L, -1, NULL));
      v->value[k] = missing(L, v, k, name);
    }
    lua_pop(L, 1);
  }
}

/* --- laying ----------------------------------------------------------------------------------- */

static void check_width(lua_State *L, const ria_shapes *s, double width, const rl_site *site) {
  bool lines = !(width > 0.0);
  for (size_t k = 0; !lines && k < ria_shapes_count(s); k++)
    lines = ria_shapes_at(s, k)->kind == RIA_LINES;
  if (!lines)
    rl_fail(L, site, &(rl_path){.key = "width"}, "width is that of lines, and no shape is one");
}

/* By shares unless said otherwise, where they can be told and no level is asked for. */
static ria_shape_cells cells_of(const ria_shapes *s, const lay_args *a, uint64_t given,
                                bool level) {
  if (has(given, CELLS)) return (ria_shape_cells)a->cells;
  for (size_t k = 0; k < ria_shapes_count(s); k++)
    if (ria_shapes_at(s, k)->kind == RIA_LINES && !(a->width > 0.0)) return RIA_CELLS_CENTRE;
  return level ? RIA_CELLS_CENTRE : RIA_CELLS_SHARE;
}

static double *new_values(lua_State *L, const ria_shapes *s) {
  return lua_newuserdatauv(L, (ria_shapes_count(s) + 1) * sizeof(double), 0);
}

static ria_raster *check_field(lua_State *L, const rl_site *site) {
  const rl_field *f = luaL_testudata(L, 1, RL_FIELD);
  if (!f || !f->raster)
    rl_fail(L, site, NULL, "called without a field: write f:name(...), with a colon");
  return f->raster;
}

/* field:raise and field:dig: to a level (the first key) or by an amount (the second). */
static int change_height(lua_State *L, const char *fn, const rl_table_info *info, double sign) {
  static const rl_key unit = {.type = RL_NUMBER, .dim = RIA_DIM_LENGTH};
  rl_site site;
  lay_args a = {0};
  lua_settop(L, 3);
  rl_here(L, fn, 3, &site);
  ria_raster *r = check_field(L, &site);
  const ria_shapes *s = rl_shapes_on(L, 2, r->crs, &site, NULL);
  const uint64_t given = rl_read_table(L, 3, info, &site, NULL, &a);
  read_default(L, 3, given, &unit, &site, &a);
  rl_try(L, &site, NULL, ria_shapes_meet(rl_context(L), s, &r->grid, a.width));
  const bool level = has(given, FIRST);
  const rl_path path = {.key = info->keys[level ? FIRST : SECOND].name};
  if (level == has(given, SECOND))
    rl_fail(L, &site, NULL, "%s of %s and %s is needed", level ? "only one" : "one",
            info->keys[FIRST].name, info->keys[SECOND].name);
  check_width(L, s, a.width, &site);
  double *value = new_values(L, s);
  const valuing v = {s, &unit, &site, &path, has(given, DEFAULT) ? &a.fallback : NULL, value};
  lua_getfield(L, 3, path.key);
  ria_lay lay = {.how = level ? (sign > 0.0 ? RIA_LAY_RAISE : RIA_LAY_LOWER) : RIA_LAY_ADD,
                 .cells = cells_of(s, &a, given, level),
                 .width = a.width,
                 .value = value};
  lay.by_z = by_value(L, &v, lua_gettop(L), level);
  for (size_t k = 0; !level && k < ria_shapes_count(s); k++) value[k] *= sign;
  long changed = 0;
  rl_try(L, &site, NULL, ria_shapes_lay(rl_context(L), s, &r->grid, &lay, r->data, &changed));
  lua_pushinteger(L, changed);
  return 1;
}

int rl_field_raise(lua_State *L) { return change_height(L, "field:raise", &rl_raise_info, 1.0); }
int rl_field_dig(lua_State *L) { return change_height(L, "field:dig", &rl_dig_info, -1.0); }

void rl_paint(lua_State *L, int idx, const ria_grid *grid, const char *crs, const rl_key *unit,
              const rl_site *site, double *data) {
  lay_args a = {0};
  const ria_shapes *s = rl_shapes_on(L, idx, crs, site, NULL);
  const uint64_t given = rl_read_table(L, idx + 1, &rl_paint_info, site, NULL, &a);
  check_width(L, s, a.width, site);
  read_default(L, idx + 1, given, unit, site, &a);
  rl_try(L, site, NULL, ria_shapes_meet(rl_context(L), s, grid, a.width));
  const bool value_given = has(given, FIRST);
  if (value_given == has(given, SECOND))
    rl_fail(L, site, NULL, "%s of value, and by with a table, is needed",
            value_given ? "only one" : "one");
  lua_getfield(L, idx + 1, "table");
  const int table = lua_gettop(L);
  if (value_given != lua_isnil(L, table))
    rl_fail(L, site, NULL, value_given ? "table goes with by" : "by needs a table beside it");
  double *value = new_values(L, s);
  const rl_path path = {.key = value_given ? "value" : "by"};
  const valuing v = {s, unit, site, &path, has(given, DEFAULT) ? &a.fallback : NULL, value};
  lua_getfield(L, idx + 1, path.key);
  if (value_given)
    by_value(L, &v, lua_gettop(L), false);
  else
    by_class(L, &v, a.by, table);
  const ria_lay lay = {.cells = cells_of(s, &a, given, false), .width = a.width, .value = value};
  rl_try(L, site, NULL, ria_shapes_lay(rl_context(L), s, grid, &lay, data, NULL));
}

int rl_field_paint(lua_State *L) {
  static const rl_key unit = {.type = RL_NUMBER, .dim = RIA_DIM_NONE};
  rl_site site;
  lua_settop(L, 3);
  rl_here(L, "field:paint", 3, &site);
  ria_raster *r = check_field(L, &site);
  rl_paint(L, 2, &r->grid, r->crs, &unit, &site, r->data);
  return 0;
}

int rl_field_mask(lua_State *L) {
  rl_site site;
  lay_args a = {0};
  lua_settop(L, 3);
  rl_here(L, "field:mask", 3, &site);
  ria_raster *r = check_field(L, &site);
  const ria_shapes *s = rl_shapes_on(L, 2, r->crs, &site, NULL);
  if (!lua_isnoneornil(L, 3)) rl_read_table(L, 3, &rl_mask_info, &site, NULL, &a);
  rl_try(L, &site, NULL, ria_shapes_meet(rl_context(L), s, &r->grid, 0.0));
  const size_t cells = (size_t)r->grid.nx * (size_t)r->grid.ny;
  double *value = new_values(L, s), *inside = lua_newuserdatauv(L, cells * sizeof *inside, 0);
  for (size_t k = 0; k < ria_shapes_count(s); k++) value[k] = 1.0;
  for (size_t k = 0; k < cells; k++) inside[k] = 0.0;
  const ria_lay lay = {.value = value};
  rl_try(L, &site, NULL, ria_shapes_lay(rl_context(L), s, &r->grid, &lay, inside, NULL));
  for (size_t k = 0; k < cells; k++)
    if ((inside[k] == 0.0) == (a.keep == 0)) r->data[k] = NAN;
  return 0;
}

/* --- shares, classes -------------------------------------------------------------------------- */

/* shapes:share(field [, {...}]): a field of the same grid. */
int rl_shapes_share(lua_State *L) {
  rl_site site;
  lay_args a = {0};
  lua_settop(L, 3);
  rl_here(L, "shapes:share", 3, &site);
  const ria_raster *r = rl_test_field(L, 2);
  if (!rl_test_shapes(L, 1))
    rl_fail(L, &site, NULL, "called without shapes: write land:name(...), with a colon");
  if (!r) rl_type_error(L, &site, NULL, 2, "a field, on whose grid the shares are wanted");
  const ria_shapes *s = rl_shapes_on(L, 1, r->crs, &site, NULL);
  if (!lua_isnoneornil(L, 3)) rl_read_table(L, 3, &rl_share_info, &site, NULL, &a);
  check_width(L, s, a.width, &site);
  rl_field *f = rl_new_field(L);
  rl_try(L, &site, NULL, ria_raster_create(rl_context(L), &r->grid, &f->raster));
  rl_try(L, &site, NULL,
         ria_shapes_cover(rl_context(L), s, &r->grid, a.width, NULL, f->raster->data, NULL));
  return 1;
}

void rl_push_classes(lua_State *L, int idx, const rl_key *unit, const rl_site *site) {
  lay_args a = {0};
  const ria_raster *r = rl_test_field(L, idx);
  const rl_path path = {.key = "table"};
  const uint64_t given = rl_read_table(L, idx + 1, &rl_paint_info, site, NULL, &a);
  if (given & ~(UINT64_C(1) << DEFAULT | UINT64_C(1) << (DEFAULT + 1)))
    rl_fail(L, site, NULL, "a raster of classes takes table and default alone");
  if (lua_getfield(L, idx + 1, "table") != LUA_TTABLE)
    rl_fail(L, site, NULL, "missing key 'table': %s", paint_keys[DEFAULT + 1].doc);
  const int table = lua_gettop(L);
  read_default(L, idx + 1, given, unit, site, &a);
  rl_field *f = rl_new_field(L);
  rl_try(L, site, NULL, ria_raster_create(rl_context(L), &r->grid, &f->raster));
  for (int k = 0; k < r->grid.nx * r->grid.ny; k++) {
    const double class = r->data[k];
    double *out = &f->raster->data[k];
    if (isnan(class) && !has(given, DEFAULT)) continue;
    rl_push_attribute(
        L, &(ria_attribute){.type = isnan(class) ? RIA_ATTRIBUTE_NONE : RIA_ATTRIBUTE_NUMBER,
                            .number = class});
    if (look_up(L, table, unit, site, &path, out)) continue;
    if (!has(given, DEFAULT))
      rl_fail(L, site, &path,
              "class %g of cell (%d, %d) is not in the table: add it, or give a default", class,
              k % r->grid.nx, k / r->grid.nx);
    *out = a.fallback;
  }
}
