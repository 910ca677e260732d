/* shapes/set.h - shapes while they are read, and once they are whole. Private.
 *
 * While a set grows its arrays move: rows count by index. ria_set_close makes the views that
 * ria/shapes.h shows, after which nothing moves. Sets are counted, since those chosen from others
 * share them. */
#ifndef RIA_SHAPES_SET_H
#define RIA_SHAPES_SET_H
#include "base/array.h"
#include "io/buffer.h"
#include <ria/shapes.h>

enum { RIA_NO_TEXT = -1 };

/* Texts are offsets into set.text, RIA_NO_TEXT for none. */
typedef struct ria_shape_row {
  ria_shape_kind kind;
  size_t part, n_parts; /* in set.part */
  size_t attribute, n_attributes;
  ptrdiff_t id;
  long line;
} ria_shape_row;

typedef struct ria_attribute_row {
  ptrdiff_t name, text;
  ria_attribute_type type;
  double number;
} ria_attribute_row;

typedef struct ria_part_row {
  size_t first, n; /* positions */
  int polygon;
} ria_part_row;

typedef struct ria_shape_set {
  int users;
  char *path, *crs;
  ria_doubles x, y, z;
  ria_part_row *part;
  ria_shape_row *row;
  ria_attribute_row *given;
  size_t n_parts, parts_room, n, room, n_given, given_room;
  ria_buffer text;
  /* the views */
  size_t *first; /* [n_parts + n] */
  int *polygon;  /* [n_parts] */
  ria_shape *shape;
  ria_attribute *attribute;
} ria_shape_set;

struct ria_shapes {
  ria_shape_set *set;
  size_t n, *which;
};

ria_status ria_set_create(ria_context *ctx, const char *path, ria_shape_set **out);
void ria_set_release(ria_shape_set *set);
ria_status ria_set_crs(ria_context *ctx, ria_shape_set *set, const char *crs);
/* *at: where the copy of text[n] lies. */
ria_status ria_set_text(ria_context *ctx, ria_shape_set *set, const char *text, size_t n,
                        ptrdiff_t *at);
/* A new shape, to which parts and attributes are added until the next. */
ria_status ria_set_shape(ria_context *ctx, ria_shape_set *set, long line);
/* A new part of it, to which positions are added. */
ria_status ria_set_part(ria_context *ctx, ria_shape_set *set, int polygon);
ria_status ria_set_position(ria_context *ctx, ria_shape_set *set, double x, double y, double z);
ria_status ria_set_attribute(ria_context *ctx, ria_shape_set *set, const ria_attribute_row *row);
/* A copy of a shape, checked; number: what messages call it, from 0. */
ria_status ria_set_copy(ria_context *ctx, ria_shape_set *set, const ria_shape *from, size_t number);
/* All of it as shapes, which own the set from here on, also where this fails. */
ria_status ria_set_close(ria_context *ctx, ria_shape_set *set, ria_shapes **out);

/* The readers of files; *out is the caller's. */
/* placed: the caller has the coordinate system of a file that says none. */
ria_status ria_geojson_read(ria_context *ctx, const char *path, bool placed, ria_shape_set **out);
/* The same of a text in memory; path is what messages call it. */
ria_status ria_geojson_parse(ria_context *ctx, const char *path, const char *text, size_t n,
                             bool placed, ria_shape_set **out);
/* layout: NULL, or its crs and units. */
ria_status ria_points_read(ria_context *ctx, const char *path, const ria_shapes_layout *layout,
                           ria_shape_set **out);
/* What GDAL reads, by its name: "a Shapefile"; NULL = none of it. layer NULL = the only one. */
const char *ria_shapes_by_gdal(const char *path);
ria_status ria_ogr_read(ria_context *ctx, const char *path, const char *kind, const char *layer,
                        ria_shape_set **out);
/* Why the last part of a set cannot be of this kind; NULL: it can. */
const char *ria_part_blemish(const ria_shape_set *set, ria_shape_kind kind);

#endif
