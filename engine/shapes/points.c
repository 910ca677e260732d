/* shapes/points.c - a CSV file of points: x and y, or lon and lat, and attributes beside them. */
#include "shapes/set.h"

#include "base/context.h"

#include <ctype.h>
#include <math.h>
#include <ria/csv.h>
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
} places;

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

static ria_status add_attributes(ria_context *ctx, const ria_csv_table *t, const places *at,
                                 size_t row, ria_shape_set *set) {
  for (size_t c = 0; c < t->columns; c++) {
    const bool is_place = (ptrdiff_t)c == at->x || (ptrdiff_t)c == at->y || (ptrdiff_t)c == at->z;
    if (is_place || !*t->name[c]) continue;
    ria_attribute_row a = {.text = RIA_NO_TEXT};
    RIA_TRY(ria_set_text(ctx, set, t->name[c], strlen(t->name[c]), &a.name));
    if (t->text[c]) {
      a.type = RIA_ATTRIBUTE_TEXT;
      RIA_TRY(ria_set_text(ctx, set, t->text[c][row], strlen(t->text[c][row]), &a.text));
    } else if (!isnan(t->value[c][row])) {
      a.type = RIA_ATTRIBUTE_NUMBER;
      a.number = t->value[c][row];
    }
    RIA_TRY(ria_set_attribute(ctx, set, &a));
  }
  return RIA_OK;
}

static ria_status add_point(ria_context *ctx, const ria_csv_table *t, const places *at, size_t row,
                            ria_shape_set *set) {
  const double x = t->value[at->x][row], y = t->value[at->y][row];
  const double z = at->z == NONE ? NAN : t->value[at->z][row];
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
  return add_attributes(ctx, t, at, row, set);
}

static ria_status read_table(ria_context *ctx, const ria_csv_table *t, ria_shape_set *set) {
  places at;
  const double *values;
  RIA_TRY(find_places(ctx, set->path, t, &at));
  RIA_TRY(ria_csv_table_column(ctx, t, t->name[at.x], &values));
  RIA_TRY(ria_csv_table_column(ctx, t, t->name[at.y], &values));
  for (size_t c = 0; c < t->columns; c++) RIA_TRY(ria_csv_table_check(ctx, t, c));
  for (size_t row = 0; row < t->rows; row++) RIA_TRY(add_point(ctx, t, &at, row, set));
  return at.degrees ? ria_set_crs(ctx, set, "OGC:CRS84") : RIA_OK;
}

ria_status ria_points_read(ria_context *ctx, const char *path, ria_shape_set **out) {
  ria_csv_table *t;
  ria_shape_set *set;
  *out = NULL;
  RIA_TRY(ria_csv_table_read(ctx, path, &t));
  ria_status s = ria_set_create(ctx, path, &set);
  if (s == RIA_OK) {
    s = read_table(ctx, t, set);
    if (s == RIA_OK)
      *out = set;
    else
      ria_set_release(set);
  }
  ria_csv_table_destroy(&t);
  return s;
}
