/* shapes/geojson.c - GeoJSON (RFC 7946) as shapes.
 *
 * json_read checks the grammar of the whole text first, so that nothing is taken from half a file.
 * Members of an object come in any order: each object is passed over once to note where its members
 * stand, and these are then read in the order that is needed. Every error names the line; within a
 * collection the feature too, since programs write files of one line. */
#include "shapes/set.h"

#include "base/context.h"
#include "io/json_read.h"
#include "io/text_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 256, FILE_MAX_BYTES = 2000000000 };

typedef struct geo {
  ria_context *ctx;
  const char *path, *text;
  ria_shape_set *set;
  long feature;       /* that is being read, from 1; 0 = none */
  long located;       /* features that have a geometry */
  long unlocated;     /* and that have none */
  bool placed;        /* the caller has the coordinate system */
  const char *beyond; /* the first position that cannot be longitude and latitude; NULL = none */
  long beyond_feature;
  double x, y;         /* of it */
  const char *counted; /* the line of this place is known */
  long line;
  ria_json_reader r;
} geo;

/* Places are mostly asked for in their order in the text. */
static long line_of(geo *g, const char *at) {
  if (at < g->counted) {
    g->counted = g->text;
    g->line = 1;
  }
  for (; g->counted < at; g->counted++) g->line += *g->counted == '\n';
  return g->line;
}

static ria_status fail_at(geo *g, const char *at, const char *fmt, ...) RIA_PRINTF(3, 4);

static ria_status fail_at(geo *g, const char *at, const char *fmt, ...) {
  char message[300], which[32] = "";
  va_list args;
  va_start(args, fmt);
  vsnprintf(message, sizeof message, fmt, args);
  va_end(args);
  if (g->feature) snprintf(which, sizeof which, "feature %ld: ", g->feature);
  return ria_fail(g->ctx, RIA_ERR_INPUT, "%s:%ld: %s%s", g->path, line_of(g, at), which, message);
}

/* The value at the reader, as a message shows it: to the end of its line. */
static ria_token_text shown(const char *at, const char *end) {
  size_t n = 0;
  while (at + n < end && n < 60 && at[n] != '\n' && at[n] != '\r') n++;
  return ria_text_quote(at, n);
}

static const char *value_of(geo *g) {
  (void)ria_json_peek(&g->r);
  return g->r.at;
}

static ria_status fail_value(geo *g, const char *at, const char *expected) {
  return fail_at(g, at, "%s expected, not '%s'", expected, shown(at, g->r.end).s);
}

/* --- objects ---------------------------------------------------------------------------------- */

enum { TYPE, FEATURES, GEOMETRY, GEOMETRIES, PROPERTIES, COORDINATES, ID, CRS, NAME, N_MEMBERS };
static const char *const member_names[N_MEMBERS] = {
    "type", "features", "geometry", "geometries", "properties", "coordinates", "id", "crs", "name"};

/* Where the members of an object stand. */
typedef struct members {
  bool has[N_MEMBERS];
  ria_json_reader at[N_MEMBERS];
} members;

static ria_status read_members(geo *g, const char *what, members *m) {
  char key[NAME_MAX_BYTES];
  const char *from = value_of(g);
  *m = (members){.has = {false}};
  if (*from != '{') return fail_value(g, from, what);
  (void)ria_json_enter(&g->r, '{');
  while (ria_json_key(&g->r, key, sizeof key)) {
    int k = 0;
    while (k < N_MEMBERS && strcmp(key, member_names[k]) != 0) k++;
    if (k < N_MEMBERS && m->has[k])
      return fail_at(g, g->r.at, "\"%s\" stands twice in an object", key);
    if (k < N_MEMBERS) {
      m->has[k] = true;
      m->at[k] = g->r;
    }
    ria_json_skip(&g->r);
  }
  return RIA_OK;
}

/* A text that is short, as names of types are. */
static ria_status read_word(geo *g, const char *what, char *word, size_t size) {
  const char *from = value_of(g);
  if (*from != '"') return fail_value(g, from, what);
  if (!ria_json_get_text(&g->r, word, size)) return fail_value(g, from, what);
  return RIA_OK;
}

static ria_status read_type(geo *g, const members *m, const char *object, char *word, size_t size) {
  if (!m->has[TYPE]) return fail_at(g, object, "an object without \"type\"");
  g->r = m->at[TYPE];
  return read_word(g, "the name of a type", word, size);
}

/* --- positions -------------------------------------------------------------------------------- */

/* Longitudes may end at 360, and a box over the antimeridian goes beyond 180. */
static void note_beyond(geo *g, const char *at, const double v[2]) {
  g->beyond = at;
  g->beyond_feature = g->feature;
  g->x = v[0];
  g->y = v[1];
}

static ria_status read_position(geo *g) {
  double v[3] = {NAN, NAN, NAN}, beyond;
  int n = 0;
  const char *from = value_of(g);
  if (*from != '[') return fail_value(g, from, "a position [x, y]");
  (void)ria_json_enter(&g->r, '[');
  for (; ria_json_element(&g->r); n++) {
    const char *at = value_of(g);
    if (strchr("{[\"tfn", *at)) return fail_value(g, at, "a number");
    if (!ria_json_get_number(&g->r, n < 3 ? &v[n] : &beyond))
      return fail_at(g, at, "'%s' is too large a number", shown(at, g->r.end).s);
  }
  if (n < 2) return fail_at(g, from, "a position needs 2 numbers, x and y");
  if (!g->beyond && !(fabs(v[0]) <= 360.0 && fabs(v[1]) <= 90.0)) note_beyond(g, from, v);
  return ria_set_position(g->ctx, g->set, v[0], v[1], v[2]);
}

static ria_status read_positions(geo *g) {
  (void)ria_json_enter(&g->r, '[');
  while (ria_json_element(&g->r)) RIA_TRY(read_position(g));
  return RIA_OK;
}

/* One point, line or ring. */
static ria_status read_part(geo *g, ria_shape_kind kind, int polygon) {
  const char *from = value_of(g), *blemish;
  RIA_TRY(ria_set_part(g->ctx, g->set, polygon));
  if (kind != RIA_POINTS && *from != '[') return fail_value(g, from, "a list of positions");
  if (kind == RIA_POINTS)
    RIA_TRY(read_position(g));
  else
    RIA_TRY(read_positions(g));
  blemish = ria_part_blemish(g->set, kind);
  return blemish ? fail_at(g, from, "%s", blemish) : RIA_OK;
}

/* Lists in lists, `deep` of them above the parts. */
static ria_status read_parts(geo *g, ria_shape_kind kind, int deep, int *polygon) {
  const char *from = value_of(g);
  if (deep == 0) return read_part(g, kind, *polygon);
  if (*from != '[') return fail_value(g, from, "a list");
  (void)ria_json_enter(&g->r, '[');
  while (ria_json_element(&g->r)) {
    RIA_TRY(read_parts(g, kind, deep - 1, polygon));
    if (deep == 2) ++*polygon;
  }
  return RIA_OK;
}

/* --- geometries ------------------------------------------------------------------------------- */

static const struct geometry {
  const char *name;
  ria_shape_kind kind;
  int deep;
} geometries[] = {{"Point", RIA_POINTS, 0},     {"MultiPoint", RIA_POINTS, 1},
                  {"LineString", RIA_LINES, 0}, {"MultiLineString", RIA_LINES, 1},
                  {"Polygon", RIA_POLYGONS, 1}, {"MultiPolygon", RIA_POLYGONS, 2}};
enum { N_GEOMETRIES = sizeof geometries / sizeof *geometries };

static const struct geometry *find_geometry(const char *name) {
  for (int k = 0; k < N_GEOMETRIES; k++)
    if (strcmp(geometries[k].name, name) == 0) return &geometries[k];
  return NULL;
}

static ria_status fail_type(geo *g, const char *at, const char *type) {
  static const char *const names[] = {"FeatureCollection", "Feature",      "Point",
                                      "MultiPoint",        "LineString",   "MultiLineString",
                                      "Polygon",           "MultiPolygon", "GeometryCollection"};
  const char *near = ria_nearest(type, names, sizeof names / sizeof *names);
  if (near && strcmp(near, type) == 0) return fail_at(g, at, "a %s is no geometry", type);
  if (near) return fail_at(g, at, "unknown type '%.60s': did you mean '%s'?", type, near);
  return fail_at(g, at, "unknown type '%.60s': it is none of GeoJSON's", type);
}

static bool is_empty_list(ria_json_reader r) {
  return ria_json_enter(&r, '[') && !ria_json_element(&r);
}

/* A geometry becomes parts of the last shape; *polygon: the number of its next polygon. */
static ria_status read_geometry(geo *g, const members *m, const char *object,
                                const struct geometry *geometry, int *polygon) {
  if (!m->has[COORDINATES])
    return fail_at(g, object, "a %s without \"coordinates\"", geometry->name);
  g->r = m->at[COORDINATES];
  g->set->row[g->set->n - 1].kind = geometry->kind;
  if (is_empty_list(g->r)) return RIA_OK;
  RIA_TRY(read_parts(g, geometry->kind, geometry->deep, polygon));
  if (geometry->kind == RIA_POLYGONS && geometry->deep == 1) ++*polygon; /* others count theirs */
  return RIA_OK;
}

static bool is_collection(const char *type) { return strcmp(type, "GeometryCollection") == 0; }

static ria_status read_collection(geo *g, const members *m, const char *object, ria_shape_kind kind,
                                  int *polygon);

/* A member of a collection, if it is of this kind or a collection itself. */
static ria_status read_member(geo *g, ria_shape_kind kind, int *polygon) {
  members m;
  char type[NAME_MAX_BYTES];
  const char *object = value_of(g);
  RIA_TRY(read_members(g, "a geometry", &m));
  RIA_TRY(read_type(g, &m, object, type, sizeof type));
  if (is_collection(type)) return read_collection(g, &m, object, kind, polygon);
  const struct geometry *geometry = find_geometry(type);
  if (!geometry) return fail_type(g, object, type);
  return geometry->kind == kind ? read_geometry(g, &m, object, geometry, polygon) : RIA_OK;
}

/* All of one kind in a GeometryCollection become parts of the last shape. */
static ria_status read_collection(geo *g, const members *m, const char *object, ria_shape_kind kind,
                                  int *polygon) {
  if (!m->has[GEOMETRIES]) return fail_at(g, object, "a GeometryCollection without \"geometries\"");
  g->r = m->at[GEOMETRIES];
  const char *from = value_of(g);
  if (*from != '[') return fail_value(g, from, "\"geometries\": a list");
  (void)ria_json_enter(&g->r, '[');
  while (ria_json_element(&g->r)) {
    ria_json_reader after = g->r;
    ria_json_skip(&after);
    RIA_TRY(read_member(g, kind, polygon));
    g->r = after;
    g->r.first = false;
  }
  return RIA_OK;
}

/* --- attributes ------------------------------------------------------------------------------- */

/* Any text, into the set's texts. */
static ria_status read_text(geo *g, ptrdiff_t *out) {
  const char *from = value_of(g);
  ria_json_reader end = g->r;
  ria_json_skip(&end);
  const size_t room = (size_t)(end.at - from) + 1;
  char *text = ria_buffer_reserve(&g->set->text, room);
  if (!text) return ria_fail_memory(g->ctx, "attributes of shapes", room);
  if (!ria_json_get_text(&g->r, text, room))
    return fail_at(g, from, "'%s': a text with a character that is none", shown(from, end.end).s);
  *out = (ptrdiff_t)g->set->text.n;
  g->set->text.n += strlen(text) + 1;
  return RIA_OK;
}

static ria_status read_value(geo *g, ria_attribute_row *row) {
  const char *at = value_of(g);
  bool yes;
  switch (*at) {
  case '"':
    row->type = RIA_ATTRIBUTE_TEXT;
    return read_text(g, &row->text);
  case 't':
  case 'f':
    (void)ria_json_get_bool(&g->r, &yes);
    row->type = RIA_ATTRIBUTE_BOOL;
    row->number = yes;
    return RIA_OK;
  case 'n':
  case '{':
  case '[':
    ria_json_skip(&g->r);
    return RIA_OK;
  default:
    row->type = RIA_ATTRIBUTE_NUMBER;
    if (ria_json_get_number(&g->r, &row->number)) return RIA_OK;
    return fail_at(g, at, "'%s' is too large a number", shown(at, g->r.end).s);
  }
}

static ria_status read_properties(geo *g) {
  char key[NAME_MAX_BYTES];
  const char *from = value_of(g);
  if (*from == 'n') return RIA_OK;
  if (*from != '{') return fail_value(g, from, "\"properties\": an object or null");
  (void)ria_json_enter(&g->r, '{');
  while (ria_json_key(&g->r, key, sizeof key)) {
    ria_attribute_row row = {.text = RIA_NO_TEXT};
    if (!*key)
      return fail_at(g, g->r.at, "an attribute without a name, or with one of more than %d bytes",
                     NAME_MAX_BYTES - 1);
    RIA_TRY(ria_set_text(g->ctx, g->set, key, strlen(key), &row.name));
    RIA_TRY(read_value(g, &row));
    RIA_TRY(ria_set_attribute(g->ctx, g->set, &row));
  }
  return RIA_OK;
}

/* A text, or a number as it is written. */
static ria_status read_id(geo *g) {
  const char *from = value_of(g);
  ptrdiff_t *id = &g->set->row[g->set->n - 1].id;
  if (*from == '"') return read_text(g, id);
  if (*from == 'n') return RIA_OK;
  if (strchr("{[tf", *from)) return fail_value(g, from, "\"id\": text or a number");
  ria_json_skip(&g->r);
  return ria_set_text(g->ctx, g->set, from, (size_t)(g->r.at - from), id);
}

/* --- features --------------------------------------------------------------------------------- */

/* The id and the attributes of the last shape. */
static ria_status read_about(geo *g, const members *feature) {
  if (feature->has[ID]) {
    g->r = feature->at[ID];
    RIA_TRY(read_id(g));
  }
  if (!feature->has[PROPERTIES]) return RIA_OK;
  g->r = feature->at[PROPERTIES];
  return read_properties(g);
}

/* A geometry as a shape, if it has a position. Of a collection: what is of this kind in it.
 * feature NULL: it stands alone. */
static ria_status read_shape(geo *g, const members *m, const char *object, const char *type,
                             ria_shape_kind kind, const members *feature, long line) {
  const struct geometry *geometry = find_geometry(type);
  int polygon = 0;
  if (!geometry && !is_collection(type)) return fail_type(g, object, type);
  RIA_TRY(ria_set_shape(g->ctx, g->set, line));
  g->set->row[g->set->n - 1].kind = kind;
  RIA_TRY(geometry ? read_geometry(g, m, object, geometry, &polygon)
                   : read_collection(g, m, object, kind, &polygon));
  if (g->set->row[g->set->n - 1].n_parts) return feature ? read_about(g, feature) : RIA_OK;
  g->set->n--;
  return RIA_OK;
}

/* A shape is of one kind: a collection becomes one for each kind in it, areas first, so that lines
 * and points come to lie on top of them. */
static ria_status read_shapes(geo *g, const members *feature, long line) {
  static const ria_shape_kind kinds[] = {RIA_POLYGONS, RIA_LINES, RIA_POINTS};
  members m;
  char type[NAME_MAX_BYTES];
  const size_t before = g->set->n;
  const char *object = value_of(g);
  RIA_TRY(read_members(g, "\"geometry\": an object or null", &m));
  RIA_TRY(read_type(g, &m, object, type, sizeof type));
  const size_t n = is_collection(type) ? sizeof kinds / sizeof *kinds : 1;
  for (size_t k = 0; k < n; k++) RIA_TRY(read_shape(g, &m, object, type, kinds[k], feature, line));
  ++*(g->set->n > before ? &g->located : &g->unlocated);
  return RIA_OK;
}

static ria_status read_feature(geo *g, const members *m, const char *object) {
  if (!m->has[GEOMETRY]) return fail_at(g, object, "a Feature without \"geometry\"");
  g->r = m->at[GEOMETRY];
  if (*value_of(g) != 'n') return read_shapes(g, m, line_of(g, object));
  g->unlocated++;
  return RIA_OK;
}

static ria_status read_features(geo *g) {
  members m;
  char type[NAME_MAX_BYTES];
  const char *from = value_of(g);
  if (*from != '[') return fail_value(g, from, "\"features\": a list");
  (void)ria_json_enter(&g->r, '[');
  while (ria_json_element(&g->r)) {
    const char *object = value_of(g);
    ria_json_reader after = g->r;
    ria_json_skip(&after);
    g->feature++;
    RIA_TRY(read_members(g, "a Feature", &m));
    RIA_TRY(read_type(g, &m, object, type, sizeof type));
    if (strcmp(type, "Feature") != 0)
      return fail_at(g, object, "a Feature expected, not a '%.60s'", type);
    RIA_TRY(read_feature(g, &m, object));
    g->r = after;
    g->r.first = false;
  }
  g->feature = 0;
  return RIA_OK;
}

/* --- the file --------------------------------------------------------------------------------- */

/* A file without a "crs" is in degrees. */
static ria_status take_degrees(geo *g) {
  if (g->placed || !g->set->x.n) return RIA_OK;
  if (!g->beyond) return ria_set_crs(g->ctx, g->set, "OGC:CRS84");
  g->feature = g->beyond_feature;
  return fail_at(g, g->beyond,
                 "%.10g, %.10g cannot be degrees, in which a file without \"crs\" is: read it "
                 "with crs = \"EPSG:n\", or crs = \"model\" if its numbers are the model's own",
                 g->x, g->y);
}

/* The "crs" that GeoJSON had before RFC 7946, and that GDAL and others still write for what is not
 * in degrees: { "type": "name", "properties": { "name": "urn:ogc:def:crs:EPSG::25832" } }. */
static ria_status read_crs(geo *g, const members *root) {
  members m, inner;
  char name[NAME_MAX_BYTES];
  if (!root->has[CRS]) return take_degrees(g);
  g->r = root->at[CRS];
  const char *from = value_of(g);
  if (*from == 'n') return RIA_OK;
  RIA_TRY(read_members(g, "\"crs\": an object or null", &m));
  if (!m.has[PROPERTIES]) return fail_at(g, from, "a \"crs\" without \"properties\"");
  g->r = m.at[PROPERTIES];
  RIA_TRY(read_members(g, "\"properties\" of the \"crs\": an object", &inner));
  if (!inner.has[NAME]) return fail_at(g, from, "a \"crs\" without a \"name\"");
  g->r = inner.at[NAME];
  RIA_TRY(read_word(g, "the \"name\" of the \"crs\"", name, sizeof name));
  return ria_set_crs(g->ctx, g->set, name);
}

static ria_status read_root(geo *g) {
  members m;
  char type[NAME_MAX_BYTES];
  const char *object = value_of(g);
  const ria_json_reader whole = g->r;
  RIA_TRY(read_members(g, "an object of GeoJSON", &m));
  RIA_TRY(read_type(g, &m, object, type, sizeof type));
  if (strcmp(type, "FeatureCollection") == 0) {
    if (!m.has[FEATURES]) return fail_at(g, object, "a FeatureCollection without \"features\"");
    g->r = m.at[FEATURES];
    RIA_TRY(read_features(g));
  } else if (strcmp(type, "Feature") == 0) {
    RIA_TRY(read_feature(g, &m, object));
  } else {
    g->r = whole;
    RIA_TRY(read_shapes(g, NULL, line_of(g, object)));
  }
  return read_crs(g, &m);
}

static ria_status fail_json(geo *g) {
  const char *at = g->r.where;
  while (at < g->r.end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) at++;
  if (at == g->r.end) return fail_at(g, at, "not JSON: the file ends too early");
  return fail_at(g, at, "not JSON: '%s' was not expected", shown(at, g->r.end).s);
}

static ria_status read_text_of(geo *g, size_t n) {
  const size_t bom = n >= 3 && memcmp(g->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  if (n == bom) return ria_fail(g->ctx, RIA_ERR_INPUT, "%s: the file is empty", g->path);
  if (!ria_json_begin(&g->r, g->text + bom, n - bom)) return fail_json(g);
  RIA_TRY(read_root(g));
  if (g->unlocated)
    ria_log(g->ctx, "%s: %ld of %ld features have no geometry and are left out", g->path,
            g->unlocated, g->unlocated + g->located);
  return RIA_OK;
}

ria_status ria_geojson_parse(ria_context *ctx, const char *path, const char *text, size_t n,
                             bool placed, ria_shape_set **out) {
  geo g = {.ctx = ctx, .path = path, .text = text, .placed = placed, .counted = text, .line = 1};
  *out = NULL;
  RIA_TRY(ria_set_create(ctx, path, &g.set));
  const ria_status s = read_text_of(&g, n);
  if (s == RIA_OK)
    *out = g.set;
  else
    ria_set_release(g.set);
  return s;
}

ria_status ria_geojson_read(ria_context *ctx, const char *path, bool placed, ria_shape_set **out) {
  char *text;
  size_t n;
  *out = NULL;
  RIA_TRY(ria_text_slurp(ctx, path, FILE_MAX_BYTES, &text, &n));
  const ria_status s = ria_geojson_parse(ctx, path, text, n, placed, out);
  free(text);
  return s;
}
