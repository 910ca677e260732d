/* shapes/points.c - a CSV file of points: x and y, or lon and lat, and attributes beside them.
 *
 * A column's unit stands in brackets behind its name, or in a row of units. Positions are converted
 * to m or degrees, attributes to the units of ria/units.h; those of tracers become text, "20 mg/l",
 * since a number is in the tracer's unit. */
#include "shapes/set.h"

#include "base/context.h"
#include "base/text.h"
#include "io/csv.h"

#include <ctype.h>
#include <math.h>
#include <ria/csv.h>
#include <ria/units.h>
#include <stdlib.h>
#include <string.h>

/* Names of columns that hold positions, in the order in which they are looked for. */
static const struct pair {
  const char *x, *y;
  bool degrees;
} pairs[] = {{"x", "y", false},
             {"easting", "northing", false},
             {"lon", "lat", true},
             {"longitude", "latitude", true}};
enum { N_PAIRS = sizeof pairs / sizeof *pairs, NONE = -1 };

/* Is a column called so, whatever its case and the unit behind it: "X [m]" is "x"? */
static bool is_called(const char *column, const char *name) {
  const size_t n = strlen(name);
  for (size_t k = 0; k < n; k++)
    if (tolower((unsigned char)column[k]) != name[k]) return false;
  return column[n] == '\0' || strchr(" ([", column[n]);
}

static ptrdiff_t find(const ria_csv_table *t, const char *name) {
  for (size_t c = 0; c < t->columns; c++)
    if (is_called(t->name[c], name)) return (ptrdiff_t)c;
  return NONE;
}

typedef struct places {
  ptrdiff_t x, y, z;
  bool degrees;
  double to_x, to_y, to_z; /* how much of m or degrees one of its unit is */
} places;

/* What an attribute's column holds: numbers by a factor, or quantities in a tracer's unit. */
typedef struct holds {
  size_t name; /* bytes of it, without the unit */
  double factor;
  char unit[RIA_UNIT_MAX]; /* "": a number */
} holds;

static ria_status find_places(ria_context *ctx, const char *path, const ria_csv_table *t,
                              places *out) {
  out->z = find(t, "z");
  for (int k = 0; k < N_PAIRS; k++) {
    out->x = find(t, pairs[k].x);
    out->y = find(t, pairs[k].y);
    out->degrees = pairs[k].degrees;
    if (out->x != NONE && out->y != NONE) return RIA_OK;
  }
  return ria_fail(ctx, RIA_ERR_INPUT,
                  "%s: points need columns x and y, or lon and lat, named in the first line", path);
}

/* --- units ------------------------------------------------------------------------------------ */

static bool is_one(ria_context *ctx, const char *unit, ria_dim dim, double *out) {
  char text[RIA_UNIT_MAX + 2];
  ria_format(text, sizeof text, "1 %s", unit);
  if (ria_parse_quantity(ctx, text, dim, out) == RIA_OK) return true;
  ria_error_clear(ctx);
  return false;
}

/* In degrees, as people write them; else as ria/units.h has angles. */
static bool is_angle(ria_context *ctx, const char *unit, double *out) {
  static const char *const degrees[] = {
      "degree", "degrees", "degrees_east", "degrees_north", "decimal degrees", "dd", "\xc2\xb0"};
  *out = 1.0;
  for (size_t k = 0; k < sizeof degrees / sizeof *degrees; k++)
    if (strcmp(unit, degrees[k]) == 0) return true;
  return is_one(ctx, unit, RIA_DIM_ANGLE, out);
}

static ria_status read_place_unit(ria_context *ctx, const char *path, const ria_csv_table *t,
                                  ptrdiff_t column, bool degrees, double *out) {
  char unit[RIA_UNIT_MAX];
  *out = 1.0;
  if (column == NONE) return RIA_OK;
  ria_csv_table_unit(t, (size_t)column, unit, sizeof unit);
  if (!*unit) return RIA_OK;
  if (degrees ? is_angle(ctx, unit, out) : is_one(ctx, unit, RIA_DIM_LENGTH, out)) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_INPUT, "%s: column '%s' is in '%s': expected %s", path,
                  t->name[column], unit, degrees ? "degrees" : "m, or another length");
}

/* Positions in a coordinate system are in its own unit, which a header does not change. */
static ria_status read_place_units(ria_context *ctx, const char *path, const ria_csv_table *t,
                                   const char *crs, places *at) {
  const bool own = !crs || strcmp(crs, "model") == 0;
  RIA_TRY(read_place_unit(ctx, path, t, at->x, at->degrees, &at->to_x));
  RIA_TRY(read_place_unit(ctx, path, t, at->y, at->degrees, &at->to_y));
  RIA_TRY(read_place_unit(ctx, path, t, at->z, false, &at->to_z));
  if (own || at->degrees || (at->to_x == 1.0 && at->to_y == 1.0)) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_INPUT,
                  "%s: columns '%s' and '%s' name a unit, and crs = \"%s\" has its own: take the "
                  "unit out of the header if that is it",
                  path, t->name[at->x], t->name[at->y], crs);
}

/* A remark in round brackets is part of the name; [cm] is always a unit. */
static ria_status read_attribute_unit(ria_context *ctx, const char *path, const ria_csv_table *t,
                                      size_t column, holds *out) {
  const char *name = t->name[column];
  const size_t n = strlen(name);
  char unit[RIA_UNIT_MAX];
  ria_unit known;
  *out = (holds){.name = n, .factor = 1.0};
  if (t->text[column] || t->is_time[column]) return RIA_OK;
  const size_t stem = ria_csv_table_unit(t, column, unit, sizeof unit);
  if (!*unit) return RIA_OK;
  out->name = stem;
  if (ria_unit_factor(ctx, unit, &out->factor)) return RIA_OK;
  if (ria_unit_read(ctx, unit, &known) == RIA_OK)
    return memcpy(out->unit, unit, sizeof unit), RIA_OK;
  ria_error_clear(ctx);
  *out = (holds){.name = n, .factor = 1.0};
  if (!*t->unit[column] && name[n - 1] == ')') return RIA_OK;
  return ria_fail(ctx, RIA_ERR_INPUT,
                  "%s: column '%s' is in '%s', an unknown unit: take it out of the %s", path, name,
                  unit, *t->unit[column] ? "row of units" : "header");
}

/* --- rows ------------------------------------------------------------------------------------- */

static ria_status set_number(ria_context *ctx, ria_shape_set *set, const holds *h, double value,
                             ria_attribute_row *a) {
  char text[32 + RIA_UNIT_MAX];
  a->type = RIA_ATTRIBUTE_NUMBER;
  a->number = value * h->factor;
  if (!*h->unit) return RIA_OK;
  a->type = RIA_ATTRIBUTE_TEXT;
  const size_t n = (size_t)ria_format_double(value, text);
  ria_format(text + n, sizeof text - n, " %s", h->unit);
  return ria_set_text(ctx, set, text, strlen(text), &a->text);
}

static ria_status add_attributes(ria_context *ctx, const ria_csv_table *t, const places *at,
                                 const holds *held, size_t row, ria_shape_set *set) {
  for (size_t c = 0; c < t->columns; c++) {
    const bool is_place = (ptrdiff_t)c == at->x || (ptrdiff_t)c == at->y || (ptrdiff_t)c == at->z;
    if (is_place || !*t->name[c]) continue;
    ria_attribute_row a = {.text = RIA_NO_TEXT};
    RIA_TRY(ria_set_text(ctx, set, t->name[c], held[c].name, &a.name));
    if (t->text[c]) {
      a.type = RIA_ATTRIBUTE_TEXT;
      RIA_TRY(ria_set_text(ctx, set, t->text[c][row], strlen(t->text[c][row]), &a.text));
    } else if (!isnan(t->value[c][row])) {
      RIA_TRY(set_number(ctx, set, &held[c], t->value[c][row], &a));
    }
    RIA_TRY(ria_set_attribute(ctx, set, &a));
  }
  return RIA_OK;
}

static ria_status add_point(ria_context *ctx, const ria_csv_table *t, const places *at,
                            const holds *held, size_t row, ria_shape_set *set) {
  const double x = t->value[at->x][row] * at->to_x, y = t->value[at->y][row] * at->to_y;
  const double z = at->z == NONE ? NAN : t->value[at->z][row] * at->to_z;
  if (!isfinite(x) || !isfinite(y))
    return ria_fail(ctx, RIA_ERR_INPUT, "%s:%ld: a point without a position", set->path,
                    t->line[row]);
  if (at->degrees && (fabs(x) > 360.0 || fabs(y) > 90.0))
    return ria_fail(ctx, RIA_ERR_INPUT,
                    "%s:%ld: longitude %.10g, latitude %.10g: there is no such place", set->path,
                    t->line[row], x, y);
  RIA_TRY(ria_set_shape(ctx, set, t->line[row]));
  RIA_TRY(ria_set_part(ctx, set, 0));
  RIA_TRY(ria_set_position(ctx, set, x, y, z));
  const char *blemish = ria_part_blemish(set, RIA_POINTS);
  if (blemish) return ria_fail(ctx, RIA_ERR_INPUT, "%s:%ld: %s", set->path, t->line[row], blemish);
  return add_attributes(ctx, t, at, held, row, set);
}

static ria_status read_units(ria_context *ctx, const ria_csv_table *t, const char *path,
                             const places *at, holds *held) {
  for (size_t c = 0; c < t->columns; c++) {
    const ptrdiff_t k = (ptrdiff_t)c;
    held[c] = (holds){.name = strlen(t->name[c]), .factor = 1.0};
    if (k == at->x || k == at->y || k == at->z || !*t->name[c]) continue;
    RIA_TRY(read_attribute_unit(ctx, path, t, c, &held[c]));
    for (size_t b = 0; b < c; b++)
      if (held[b].name == held[c].name && !strncmp(t->name[b], t->name[c], held[c].name) &&
          (t->name[b][held[b].name] || t->name[c][held[c].name]))
        return ria_fail(ctx, RIA_ERR_INPUT, "%s: columns '%s' and '%s' are both '%.*s'", path,
                        t->name[b], t->name[c], (int)held[c].name, t->name[c]);
  }
  return RIA_OK;
}

static ria_status read_rows(ria_context *ctx, const ria_csv_table *t, const char *crs, holds *held,
                            ria_shape_set *set) {
  places at;
  const double *values;
  RIA_TRY(find_places(ctx, set->path, t, &at));
  RIA_TRY(ria_csv_table_column(ctx, t, t->name[at.x], &values));
  RIA_TRY(ria_csv_table_column(ctx, t, t->name[at.y], &values));
  for (size_t c = 0; c < t->columns; c++) RIA_TRY(ria_csv_table_check(ctx, t, c));
  RIA_TRY(read_place_units(ctx, set->path, t, crs, &at));
  RIA_TRY(read_units(ctx, t, set->path, &at, held));
  for (size_t row = 0; row < t->rows; row++) RIA_TRY(add_point(ctx, t, &at, held, row, set));
  return at.degrees ? ria_set_crs(ctx, set, "OGC:CRS84") : RIA_OK;
}

static ria_status read_table(ria_context *ctx, const ria_csv_table *t, const char *crs,
                             ria_shape_set *set) {
  holds *held = calloc(t->columns + 1, sizeof *held);
  if (!held) return ria_fail_memory(ctx, "columns", t->columns * sizeof *held);
  const ria_status s = read_rows(ctx, t, crs, held, set);
  free(held);
  return s;
}

/* Is the row of units that of x and y? */
static bool units_fit(ria_context *ctx, const char *path, const ria_csv_table *t, places *at) {
  if (find_places(ctx, path, t, at) == RIA_OK && *t->unit[at->x] && *t->unit[at->y] &&
      read_place_unit(ctx, path, t, at->x, at->degrees, &at->to_x) == RIA_OK &&
      read_place_unit(ctx, path, t, at->y, at->degrees, &at->to_y) == RIA_OK)
    return true;
  ria_error_clear(ctx);
  return false;
}

/* A first row without a position is read again as one of units, if that is what it holds. */
static ria_status take_units_row(ria_context *ctx, const char *path, ria_csv_table **t) {
  ria_csv_table *again = NULL;
  places at;
  const ria_status found = (*t)->rows > 0 ? find_places(ctx, path, *t, &at) : RIA_ERR_INPUT;
  if (found == RIA_ERR_MEMORY) return found;
  const bool lacks = found == RIA_OK && isnan((*t)->value[at.x][0]) && isnan((*t)->value[at.y][0]);
  const ria_status s =
      lacks ? ria_csv_table_read_with(ctx, path, &(ria_csv_layout){.units = true}, &again) : RIA_OK;
  if (s == RIA_ERR_MEMORY) return s;
  if (again && units_fit(ctx, path, again, &at)) {
    ria_csv_table *first = *t;
    *t = again;
    again = first;
  }
  ria_error_clear(ctx);
  ria_csv_table_destroy(&again);
  return RIA_OK;
}

ria_status ria_points_read(ria_context *ctx, const char *path, const ria_shapes_layout *layout,
                           ria_shape_set **out) {
  const ria_csv_layout rows = {.units = layout && layout->units};
  ria_csv_table *t;
  ria_shape_set *set;
  *out = NULL;
  RIA_TRY(ria_csv_table_read_with(ctx, path, &rows, &t));
  ria_status s = rows.units ? RIA_OK : take_units_row(ctx, path, &t);
  if (s == RIA_OK) s = ria_set_create(ctx, path, &set);
  if (s == RIA_OK) {
    s = read_table(ctx, t, layout ? layout->crs : NULL, set);
    if (s == RIA_OK)
      *out = set;
    else
      ria_set_release(set);
  }
  ria_csv_table_destroy(&t);
  return s;
}
