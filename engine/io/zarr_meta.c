/* io/zarr_meta.c - the JSON of a Zarr v2 store.
 *
 * Document 0 is the group, 1 its attributes; then two for each array, .zarray and .zattrs, in the
 * order time, y, x, crs, fields. What the readers insist on (each was tried against xarray, GDAL
 * and QGIS): coordinates and crs uncompressed, fill_value "NaN" as a string for fields and null for
 * the rest, _ARRAY_DIMENSIONS on every array, _CRS on every field.
 *
 * Readers place a store by x and y alone, which cannot say that a grid is turned: there x and y are
 * distances along its axes from its corner, fields have no _CRS, so that none puts them in a wrong
 * place, and the group says how x and y become the map's. */
#include "io/zarr_meta.h"
#include "io/crs.h"

#include <stdio.h>
#include <string.h>

typedef enum array_kind { ARRAY_TIME, ARRAY_Y, ARRAY_X, ARRAY_CRS, ARRAY_FIELD } array_kind;

/* One array of the store: what, and which field. */
typedef struct array_ref {
  array_kind kind;
  const ria_zarr_field *field;
} array_ref;

static bool find_array(const zarr_layout *layout, size_t a, array_ref *out) {
  array_kind head[4];
  size_t n = 0;
  if (layout->timed) head[n++] = ARRAY_TIME;
  head[n++] = ARRAY_Y;
  head[n++] = ARRAY_X;
  if (ria_crs_given(layout->desc.crs)) head[n++] = ARRAY_CRS;
  if (a < n) {
    *out = (array_ref){.kind = head[a]};
    return true;
  }
  if (a - n >= layout->desc.n_fields) return false;
  *out = (array_ref){.kind = ARRAY_FIELD, .field = &layout->desc.fields[a - n]};
  return true;
}

static const char *array_name(const array_ref *a) {
  static const char *const name[] = {"time", "y", "x", "crs"};
  return a->kind == ARRAY_FIELD ? a->field->name : name[a->kind];
}

/* --- attributes --------------------------------------------------------------------------- */

/* ,\n  "name": "text"; nothing when text is NULL. */
static void add_text(ria_buffer *json, const char *name, const char *text) {
  if (!text) return;
  if (json->n && json->data[json->n - 1] != '{') ria_buffer_text(json, ",");
  ria_buffer_text(json, "\n  ");
  ria_buffer_json(json, name);
  ria_buffer_text(json, ": ");
  ria_buffer_json(json, text);
}

/* map x = a[0] + a[1] x + a[2] y, map y = a[3] + a[4] x + a[5] y */
static void add_turn(const ria_grid *g, ria_buffer *json) {
  double c, s;
  ria_grid_axes(g, &c, &s);
  const double a[6] = {g->x0, c, 0.0 - s, g->y0, s, c};
  ria_buffer_format(json, ",\n  \"grid_angle\": %.17g,\n  \"affine\": [", g->angle);
  for (int k = 0; k < 6; k++) ria_buffer_format(json, "%s%.17g", k ? ", " : "", a[k]);
  ria_buffer_text(json, "]");
}

static void group_attributes(const zarr_layout *layout, ria_buffer *json) {
  ria_buffer source = {0};
  ria_buffer_format(&source, "ria %s", ria_version());
  ria_buffer_add(&source, "", 1);
  if (source.failed) json->failed = true;
  ria_buffer_text(json, "{");
  add_text(json, "Conventions", "CF-1.10");
  add_text(json, "title", layout->desc.title);
  add_text(json, "source", source.data ? source.data : "ria");
  add_text(json, "history", layout->desc.history);
  if (layout->desc.grid.angle != 0.0) add_turn(&layout->desc.grid, json);
  ria_buffer_text(json, "\n}\n");
  ria_buffer_free(&source);
}

/* Without an epoch there is no date, and none is made up: "s", not "seconds", which xarray takes
 * for lengths of time. GDAL knows the axis of time by its standard name. */
static void time_attributes(const zarr_layout *layout, ria_buffer *json) {
  const char *epoch = layout->desc.epoch;
  char units[96];
  const char since[] = "seconds since ";
  memcpy(units, since, sizeof since);
  if (epoch) strncat(units, epoch, sizeof units - sizeof since);
  add_text(json, "standard_name", "time");
  add_text(json, "long_name", epoch ? "time" : "time since the start");
  add_text(json, "units", epoch ? units : "s");
  if (epoch) add_text(json, "calendar", "standard");
  add_text(json, "axis", "T");
}

static void axis_attributes(const zarr_layout *layout, bool is_x, ria_buffer *json) {
  bool degrees = ria_crs_geographic(layout->desc.crs);
  if (layout->desc.grid.angle != 0.0) {
    add_text(json, "long_name",
             is_x ? "distance along the grid's x axis from its corner"
                  : "distance along the grid's y axis from its corner");
    add_text(json, "units", degrees ? "degree" : "m");
  } else if (degrees) {
    add_text(json, "standard_name", is_x ? "longitude" : "latitude");
    add_text(json, "long_name", is_x ? "longitude" : "latitude");
    add_text(json, "units", is_x ? "degrees_east" : "degrees_north");
  } else {
    add_text(json, "standard_name", is_x ? "projection_x_coordinate" : "projection_y_coordinate");
    add_text(json, "long_name", is_x ? "x coordinate of projection" : "y coordinate of projection");
    add_text(json, "units", "m");
  }
  add_text(json, "axis", is_x ? "X" : "Y");
}

static void field_attributes(const zarr_layout *layout, const ria_zarr_field *f, ria_buffer *json) {
  const char *methods = f->fixed ? "area: mean" : "area: mean time: point";
  add_text(json, "standard_name", f->standard_name);
  add_text(json, "long_name", f->long_name ? f->long_name : f->name);
  add_text(json, "units", f->unit && *f->unit ? f->unit : "1");
  add_text(json, "measured_in", f->measured_in);
  add_text(json, "cell_methods", f->cell_methods ? f->cell_methods : methods);
  if (f->precision > 0.0) ria_buffer_format(json, ",\n  \"rounded_within\": %.9g", f->precision);
  if (!ria_crs_given(layout->desc.crs) || layout->desc.grid.angle != 0.0) return;
  add_text(json, "grid_mapping", "crs");
  ria_buffer_text(json, ",\n  \"_CRS\": ");
  ria_crs_gdal(layout->desc.crs, json);
}

static const char *dimensions(const array_ref *a) {
  switch (a->kind) {
  case ARRAY_TIME:
    return "[\"time\"]";
  case ARRAY_Y:
    return "[\"y\"]";
  case ARRAY_X:
    return "[\"x\"]";
  case ARRAY_CRS:
    return "[]";
  case ARRAY_FIELD:
    break;
  }
  return a->field->fixed ? "[\"y\", \"x\"]" : "[\"time\", \"y\", \"x\"]";
}

static void array_attributes(const zarr_layout *layout, const array_ref *a, ria_buffer *json) {
  ria_buffer_format(json, "{\n  \"_ARRAY_DIMENSIONS\": %s", dimensions(a));
  switch (a->kind) {
  case ARRAY_TIME:
    time_attributes(layout, json);
    break;
  case ARRAY_Y:
  case ARRAY_X:
    axis_attributes(layout, a->kind == ARRAY_X, json);
    break;
  case ARRAY_CRS:
    ria_buffer_text(json, ",\n  ");
    ria_crs_attributes(layout->desc.crs, json);
    break;
  case ARRAY_FIELD:
    field_attributes(layout, a->field, json);
    break;
  }
  ria_buffer_text(json, "\n}\n");
}

/* --- arrays ------------------------------------------------------------------------------- */

static void add_plain_array(ria_buffer *json, const char *shape, const char *chunks,
                            const char *dtype) {
  ria_buffer_format(json,
                    "{\n  \"zarr_format\": 2,\n  \"shape\": %s,\n  \"chunks\": %s,\n"
                    "  \"dtype\": \"" ZARR_ENDIAN "%s\",\n  \"compressor\": null,\n"
                    "  \"fill_value\": null,\n  \"order\": \"C\",\n  \"filters\": null,\n"
                    "  \"dimension_separator\": \".\"\n}\n",
                    shape, chunks, dtype);
}

static void add_coordinate(ria_buffer *json, int64_t n, int64_t chunk) {
  char shape[32], chunks[32];
  snprintf(shape, sizeof shape, "[%lld]", (long long)n);
  snprintf(chunks, sizeof chunks, "[%lld]", (long long)chunk);
  add_plain_array(json, shape, chunks, "f8");
}

static void add_field(ria_buffer *json, const zarr_layout *layout, const ria_zarr_field *f,
                      int64_t n) {
  char time_shape[32] = "", time_chunk[8] = "";
  if (!f->fixed) {
    snprintf(time_shape, sizeof time_shape, "%lld, ", (long long)n);
    snprintf(time_chunk, sizeof time_chunk, "1, ");
  }
  const ria_grid *g = &layout->desc.grid;
  char compressor[48] = "null";
  if (layout->desc.level > 0)
    snprintf(compressor, sizeof compressor, "{\"id\": \"zlib\", \"level\": %d}",
             layout->desc.level);
  ria_buffer_format(json,
                    "{\n  \"zarr_format\": 2,\n  \"shape\": [%s%d, %d],\n"
                    "  \"chunks\": [%s%d, %d],\n  \"dtype\": \"" ZARR_ENDIAN "%s\",\n"
                    "  \"compressor\": %s,\n"
                    "  \"fill_value\": \"NaN\",\n  \"order\": \"C\",\n  \"filters\": null,\n"
                    "  \"dimension_separator\": \".\"\n}\n",
                    time_shape, g->ny, g->nx, time_chunk, layout->tile_y, layout->tile_x,
                    layout->desc.real == RIA_F32 ? "f4" : "f8", compressor);
}

static void add_array(const zarr_layout *layout, const array_ref *a, int64_t n, ria_buffer *json) {
  const ria_grid *g = &layout->desc.grid;
  switch (a->kind) {
  case ARRAY_TIME:
    add_coordinate(json, n, ZARR_TIMES);
    break;
  case ARRAY_Y:
    add_coordinate(json, g->ny, g->ny);
    break;
  case ARRAY_X:
    add_coordinate(json, g->nx, g->nx);
    break;
  case ARRAY_CRS:
    add_plain_array(json, "[]", "[]", "i4");
    break;
  case ARRAY_FIELD:
    add_field(json, layout, a->field, n);
    break;
  }
}

bool ria_zarr_meta_document(const zarr_layout *layout, size_t k, int64_t n, ria_buffer *key,
                            ria_buffer *json, bool *grows) {
  key->n = json->n = 0;
  *grows = false;
  if (k == 0) {
    ria_buffer_text(key, ".zgroup");
    ria_buffer_text(json, "{\n  \"zarr_format\": 2\n}\n");
  } else if (k == 1) {
    ria_buffer_text(key, ".zattrs");
    group_attributes(layout, json);
  } else {
    array_ref a;
    if (!find_array(layout, k / 2 - 1, &a)) return false;
    bool shape = k % 2 == 0;
    ria_buffer_text(key, array_name(&a));
    ria_buffer_text(key, shape ? "/.zarray" : "/.zattrs");
    if (shape)
      add_array(layout, &a, n, json);
    else
      array_attributes(layout, &a, json);
    *grows = shape && (a.kind == ARRAY_TIME || (a.kind == ARRAY_FIELD && !a.field->fixed));
  }
  ria_buffer_add(key, "", 1);
  return true;
}
