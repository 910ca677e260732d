/* ria/shapes.h - polygons, lines and points: read, chosen by attributes, laid onto a grid.
 *
 * Shapes come from GeoJSON, from a CSV file of points, or from a program. They never change; those
 * that are chosen from others share their memory. A polygon's area is counted by the even-odd rule,
 * so that neither the direction of a ring nor the order of rings matters: holes are what lies in
 * two rings of one polygon. Polygons of one shape are joined. Where shapes lie on each other, the
 * later one is on top. */
#ifndef RIA_SHAPES_H
#define RIA_SHAPES_H
#include <ria/grid.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ria_shapes ria_shapes;

typedef enum ria_shape_kind { RIA_POINTS, RIA_LINES, RIA_POLYGONS } ria_shape_kind;
/* "points", "lines", "polygons" */
RIA_API const char *ria_shape_kind_name(ria_shape_kind kind);

typedef enum ria_attribute_type {
  RIA_ATTRIBUTE_NONE, /* null, or a list */
  RIA_ATTRIBUTE_NUMBER,
  RIA_ATTRIBUTE_TEXT,
  RIA_ATTRIBUTE_BOOL
} ria_attribute_type;

typedef struct ria_attribute {
  const char *name;
  ria_attribute_type type;
  double number;    /* of a bool 0 or 1 */
  const char *text; /* NULL unless it is one */
} ria_attribute;

typedef struct ria_shape {
  ria_shape_kind kind;
  const char *id; /* as the file has it, NULL = none */
  size_t n_parts; /* points, each a part of its own; lines; rings */
  /* [n_parts + 1] part k has the positions first[k] .. first[k + 1] - 1 of x, y and z. The last
   * position of a ring is its first. */
  const size_t *first;
  const int *polygon;      /* [n_parts] which polygon of the shape a ring is of, from 0 */
  const double *x, *y, *z; /* z: NaN where the file has none */
  size_t n_attributes;
  const ria_attribute *attribute; /* [n_attributes] */
  long line;                      /* in the file; 0 = none */
} ria_shape;

/* How a file is to be read; all zero will do. */
typedef struct ria_shapes_layout {
  const char *crs;   /* of the positions, over what the file says (see ria_shapes_crs); "model" =
                        the model's own */
  const char *layer; /* of a file with several, read by GDAL; NULL = its only one */
  bool units;        /* of a CSV file: the line after the header holds the units of the columns */
} ria_shapes_layout;

/* Read GeoJSON (RFC 7946, plain or gzipped: a FeatureCollection, a Feature or a geometry; what is
 * of one kind in a GeometryCollection is one shape: polygons, then lines, then points), or a CSV
 * file of points with the columns x and y, or lon and lat; its other columns are attributes.
 * Units in brackets behind a column's name ("x [km]") or in a row of units are converted: positions
 * to m or degrees, attributes to those of ria/units.h under the name without the unit; a number in
 * a tracer's unit becomes text, "20 mg/l". What ends in .csv, .txt or .csv.gz is taken for CSV;
 * .shp, .gpkg, .fgb, .kml and others are read by GDAL where it is found at run time. A shape
 * without a geometry is left out. RIA_ERR_INPUT names the file, the line and the place. */
RIA_API ria_status ria_shapes_read(ria_context *ctx, const char *path,
                                   const ria_shapes_layout *layout, ria_shapes **out);
/* Shapes from those described, which are checked and copied: rings have four positions or more and
 * end where they begin, lines have two or more. crs: NULL = the model's own. */
RIA_API ria_status ria_shapes_make(ria_context *ctx, const ria_shape *shape, size_t n,
                                   const char *crs, ria_shapes **out);
/* Those with the numbers which[n], from 0, in this order. RIA_ERR_ARGUMENT: there is no such shape.
 */
RIA_API ria_status ria_shapes_select(ria_context *ctx, const ria_shapes *from, const size_t *which,
                                     size_t n, ria_shapes **out);
/* The same in the coordinate system `crs` (ria/crs.h; NULL or "" = the model has none); only
 * corners are converted, so that what is straight stays so. Shapes whose positions are the model's
 * own stay as they are. RIA_ERR_INPUT: a position has no place in that system, or it is not known
 * how to get there. */
RIA_API ria_status ria_shapes_convert(ria_context *ctx, const ria_shapes *s, const char *crs,
                                      ria_shapes **out);
RIA_API void ria_shapes_destroy(ria_shapes **shapes);

RIA_API size_t ria_shapes_count(const ria_shapes *s);
/* The k-th; valid as long as any shapes that were chosen from the same file. */
RIA_API const ria_shape *ria_shapes_at(const ria_shapes *s, size_t k);
/* What the file is called; "shapes" for those of a program. */
RIA_API const char *ria_shapes_path(const ria_shapes *s);
/* Where the k-th stands, for messages: "land.geojson:12", or "shape 7" of those without a line, by
 * its number in the whole list, from 1. Returns text. */
RIA_API const char *ria_shapes_place(const ria_shapes *s, size_t k, char *text, size_t size);
/* Of the positions: what the caller or the file's `crs` says; "OGC:CRS84" for degrees of longitude
 * and latitude, as GeoJSON without a `crs` has them; NULL = the model's own. */
RIA_API const char *ria_shapes_crs(const ria_shapes *s);
/* The attribute of a shape by its name, NULL if it has none of it. */
RIA_API const ria_attribute *ria_shape_attribute(const ria_shape *shape, const char *name);

/* Area of the polygons (each by the even-odd rule, m^2), length of the lines (m), or the number of
 * points; in degrees where the positions are. */
RIA_API ria_status ria_shape_size(ria_context *ctx, const ria_shape *shape, double *size);
/* The box around it. */
RIA_API void ria_shape_box(const ria_shape *shape, double low[2], double high[2]);

/* Shares of cells under shapes, exact to round-off: share[ny][nx] is the part (0 to 1) of each cell
 * that lies in any polygon, or within width / 2 of a line; a point counts as its whole cell.
 * value[n] (NULL: none) is a value for each shape, NaN leaves it out; then mean[ny][nx] is the mean
 * value over that part, the later shape being on top, and NaN where the share is 0. Lines need a
 * width > 0: RIA_ERR_ARGUMENT. */
RIA_API ria_status ria_shapes_cover(ria_context *ctx, const ria_shapes *s, const ria_grid *grid,
                                    double width, const double *value, double *share, double *mean);

/* Which cells a shape takes. */
typedef enum ria_shape_cells {
  RIA_CELLS_CENTRE,  /* whole cells: those whose centre lies in a polygon or within width / 2 of a
                        line; and all that a line touches, a chain without a gap of cells that share
                        a side */
  RIA_CELLS_TOUCHED, /* whole cells: those and all that the border of a polygon touches */
  RIA_CELLS_SHARE    /* by the share of each cell */
} ria_shape_cells;

typedef enum ria_lay_how {
  RIA_LAY_SET,   /* to the value */
  RIA_LAY_ADD,   /* the value is added */
  RIA_LAY_RAISE, /* to the value where it is lower */
  RIA_LAY_LOWER  /* to the value where it is higher */
} ria_lay_how;

typedef struct ria_lay {
  ria_lay_how how;
  ria_shape_cells cells;
  double width;        /* of lines, m; 0 = the cells that they touch (not with RIA_CELLS_SHARE) */
  const double *value; /* [n] for each shape; NaN leaves it out */
  bool by_z;           /* lines: the z of their positions, linear between them, is added to value */
} ria_lay;

/* Lay shapes onto data[ny][nx] of a grid, one after the other. Cells without data (NaN) stay so,
 * but where they are set and at least half of the cell lies in shapes. *changed (may be NULL):
 * cells that were changed. RIA_ERR_ARGUMENT: by_z of shapes without z, or with shares; lines
 * without a width with shares. */
RIA_API ria_status ria_shapes_lay(ria_context *ctx, const ria_shapes *s, const ria_grid *grid,
                                  const ria_lay *lay, double *data, long *changed);

/* Does any of them meet the grid, with width / 2 around it? The box around a shape counts.
 * RIA_ERR_ARGUMENT: none does, and the message has both extents; or there are no shapes. */
RIA_API ria_status ria_shapes_meet(ria_context *ctx, const ria_shapes *s, const ria_grid *grid,
                                   double width);

/* What each cell has of the shapes, for a release spread over them: weight[ny][nx] is the share of
 * the cell in polygons, the length of line in it [m], or the number of points. All are of one kind,
 * or it is RIA_ERR_ARGUMENT. */
RIA_API ria_status ria_shapes_weigh(ria_context *ctx, const ria_shapes *s, const ria_grid *grid,
                                    double *weight);

/* How far the centre of each cell is from the nearest shape: 0 within a polygon, INFINITY where it
 * is more than `width`. distance[ny][nx], m. */
RIA_API ria_status ria_shapes_near(ria_context *ctx, const ria_shapes *s, const ria_grid *grid,
                                   double width, double *distance);

#ifdef __cplusplus
}
#endif
#endif
