/* Shapes from files: what GeoJSON and tables of points may hold, and what is refused in which
 * words. */
#include "files.h"
#include "shapes/set.h"
#include <ria/shapes.h>

static ria_context *ctx;

static ria_shapes *read_text(const char *name, const char *text, const ria_shapes_layout *layout) {
  ria_shapes *s = NULL;
  CHECK_OK(ctx, ria_shapes_read(ctx, files_put(name, text), layout, &s));
  return s;
}

static void collection(void) {
  ria_shapes *s =
      read_text("a.geojson",
                "\xef\xbb\xbf{ \"type\": \"FeatureCollection\", \"name\": \"land\",\n"
                "  \"crs\": {\"type\": \"name\", \"properties\": {\"name\": "
                "\"urn:ogc:def:crs:EPSG::25832\"}},\n"
                "  \"features\": [\n"
                "    {\"type\": \"Feature\", \"id\": 17, \"properties\": {\"class\": "
                "\"for\\u00eat\", \"n\": 1.5e-1,\n"
                "      \"wet\": true, \"no\": null, \"list\": [1, {\"a\": 2}], \"face\": "
                "\"\\ud83d\\ude00\"},\n"
                "     \"geometry\": {\"coordinates\": [[[0,0,7],[4,0],[4,4],[0,0]], "
                "[[1,0.5],[2,1],[2,0.5],[1,0.5]]],\n"
                "                  \"type\": \"Polygon\"}},\n"
                "    {\"geometry\": null, \"type\": \"Feature\", \"properties\": null},\n"
                "    {\"type\": \"Feature\", \"properties\": {}, \"id\": \"b\", \"geometry\":\n"
                "      {\"type\": \"MultiLineString\", \"coordinates\": [[[1,2],[3,4]], "
                "[[5,6],[7,8],[9,-1e1]]]}}\n"
                "  ] }\n",
                NULL);
  if (!s) return;
  CHECK_INT(ria_shapes_count(s), 2);
  CHECK_TEXT(ria_shapes_crs(s), "urn:ogc:def:crs:EPSG::25832");
  const ria_shape *a = ria_shapes_at(s, 0), *b = ria_shapes_at(s, 1);
  CHECK(a->kind == RIA_POLYGONS && a->n_parts == 2 && a->line == 4);
  CHECK_TEXT(a->id, "17");
  CHECK(a->first[0] == 0 && a->first[1] == 4 && a->first[2] == 8);
  CHECK(a->polygon[0] == 0 && a->polygon[1] == 0 && a->z[0] == 7 && isnan(a->z[1]));
  CHECK_TEXT(ria_shape_attribute(a, "class")->text, "for\xc3\xaat");
  CHECK_TEXT(ria_shape_attribute(a, "face")->text, "\xf0\x9f\x98\x80");
  CHECK_NEAR(ria_shape_attribute(a, "n")->number, 0.15, 0);
  CHECK(ria_shape_attribute(a, "wet")->type == RIA_ATTRIBUTE_BOOL &&
        ria_shape_attribute(a, "wet")->number == 1);
  CHECK(ria_shape_attribute(a, "no")->type == RIA_ATTRIBUTE_NONE && !ria_shape_attribute(a, "yes"));
  double size = 0;
  CHECK_OK(ctx, ria_shape_size(ctx, a, &size));
  CHECK_NEAR(size, 8 - 0.25, 1e-14);
  CHECK(b->kind == RIA_LINES && b->n_parts == 2 && b->first[2] - b->first[1] == 3);
  CHECK_TEXT(b->id, "b");
  CHECK_NEAR(b->y[b->first[2] - 1], -10, 0);
  ria_shapes_destroy(&s);
}

/* One geometry or one Feature alone; degrees unless said otherwise, or none. */
static void alone(void) {
  ria_shapes *s = read_text("a.json", "{\"type\":\"Point\",\"coordinates\":[8.5,54]}", NULL);
  CHECK(ria_shapes_at(s, 0)->kind == RIA_POINTS && ria_shapes_at(s, 0)->n_parts == 1);
  CHECK_TEXT(ria_shapes_crs(s), "OGC:CRS84");
  ria_shapes_destroy(&s);
  s = read_text("a.json", "{\"type\":\"MultiPoint\",\"coordinates\":[[190,54],[-179,2]]}", NULL);
  CHECK(ria_shapes_at(s, 0)->n_parts == 2);
  CHECK_TEXT(ria_shapes_crs(s), "OGC:CRS84");
  ria_shapes_destroy(&s);
  s = read_text(
      "a.json",
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"MultiPolygon\",\"coordinates\":"
      "[[[[0,0],[1,0],[1,1],[0,0]]],[[[2,0],[3,0],[3,1],[2,0]],[[2,0],[3,0],[3,1],[2,0]]]]"
      "},\"properties\":{\"a\":1}}",
      &(ria_shapes_layout){.crs = "model"});
  const ria_shape *a = ria_shapes_at(s, 0);
  CHECK(a->n_parts == 3 && a->polygon[1] == 1 && a->polygon[2] == 1 && !ria_shapes_crs(s));
  ria_shapes_destroy(&s);
  s = read_text("a.json", "{\"type\":\"Polygon\",\"coordinates\":[]}",
                &(ria_shapes_layout){.crs = "EPSG:4326"});
  CHECK(ria_shapes_count(s) == 0);
  CHECK_TEXT(ria_shapes_crs(s), "EPSG:4326");
  ria_shapes_destroy(&s);
}

/* A shape is of one kind: the members of a collection are joined by kind, areas first, and each has
 * the attributes of the feature. */
static void collected(void) {
  ria_shapes *s = read_text(
      "a.json",
      "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"id\":5,\n"
      "\"properties\":{\"crest\":3},\"geometry\":{\"type\":\"GeometryCollection\",\"geometries\":["
      "\n"
      "{\"type\":\"Point\",\"coordinates\":[7,8]},\n"
      "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[4,0],[4,4],[0,0]],[[2,1],[3,1],[3,2],[2,1]]]}"
      ",\n"
      "{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"MultiLineString\","
      "\"coordinates\":[[[0,0],[3,4]],[[0,0],[0,1]]]},\n"
      "{\"coordinates\":[[[[9,0],[10,0],[10,1],[9,0]]],[[[9,5],[10,5],[10,6],[9,5]]]],"
      "\"type\":\"MultiPolygon\"}]},\n"
      "{\"type\":\"Polygon\",\"coordinates\":[[[0,9],[1,9],[1,10],[0,9]]]}]}},\n"
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"GeometryCollection\",\"geometries\":[]}},\n"
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}]}",
      NULL);
  if (!s) return;
  static const double sizes[] = {8 - 0.5 + 3 * 0.5, 5 + 1, 1};
  static const int numbers[] = {0, 0, 1, 2, 3}; /* of the polygons: a hole has that of its own */
  CHECK_INT(ria_shapes_count(s), 4);
  for (size_t k = 0; k < 3 && ria_shapes_count(s) == 4; k++) {
    const ria_shape *a = ria_shapes_at(s, k);
    double size = 0;
    CHECK_INT(a->kind, RIA_POLYGONS - (int)k);
    CHECK_OK(ctx, ria_shape_size(ctx, a, &size));
    CHECK_NEAR(size, sizes[k], 1e-14);
    CHECK_TEXT(a->id, "5");
    CHECK_NEAR(ria_shape_attribute(a, "crest")->number, 3, 0);
    CHECK_INT(a->line, 1);
  }
  const ria_shape *areas = ria_shapes_at(s, 0);
  CHECK_INT(areas->n_parts, 5);
  for (int k = 0; k < 5; k++) CHECK_INT(areas->polygon[k], numbers[k]);
  ria_shapes_destroy(&s);
  s = read_text(
      "a.json",
      "{\"geometries\":[{\"type\":\"Point\",\"coordinates\":[8.5,54]},{\"type\":\"Point\","
      "\"coordinates\":[9,54]}],\"type\":\"GeometryCollection\"}",
      NULL);
  CHECK(ria_shapes_count(s) == 1 && ria_shapes_at(s, 0)->n_parts == 2);
  CHECK_TEXT(ria_shapes_crs(s), "OGC:CRS84");
  ria_shapes_destroy(&s);
}

static void table(void) {
  ria_shapes *s = read_text(
      "a.csv", "station,X [m],Y [m],z,depth\nQuay,10,20,1,5\n\"Old, pier\",30,40,2,\n", NULL);
  if (!s) return;
  CHECK_INT(ria_shapes_count(s), 2);
  const ria_shape *a = ria_shapes_at(s, 1);
  CHECK(a->kind == RIA_POINTS && a->x[a->first[0]] == 30 && a->z[a->first[0]] == 2 && a->line == 3);
  CHECK_TEXT(ria_shape_attribute(a, "station")->text, "Old, pier");
  CHECK(ria_shape_attribute(a, "depth")->type == RIA_ATTRIBUTE_NONE &&
        !ria_shape_attribute(a, "z"));
  CHECK(ria_shapes_crs(s) == NULL);
  ria_shapes_destroy(&s);
  s = read_text("a.csv", "lat;lon\n54;8\n", NULL);
  CHECK(ria_shapes_at(s, 0)->x[0] == 8);
  CHECK_TEXT(ria_shapes_crs(s), "OGC:CRS84");
  ria_shapes_destroy(&s);
}

#define RING "{\"type\":\"Polygon\",\"coordinates\":"
#define FEATURES "{\"type\":\"FeatureCollection\",\"features\":\n"

static const struct bad {
  const char *text, *message; /* behind the path */
} bad[] = {
    {"", ": the file is empty"},
    {"{\"type\":\"Point\",\n\"coordinates\":[1,2]", ":2: not JSON: the file ends too early"},
    {"{\"type\":\"Point\",\n\"coordinates\":[1,,2]}", ":2: not JSON: ',2]}' was not expected"},
    {"{\"type\":\"Point\",\"coordinates\":[1,2]} x", ":1: not JSON: 'x' was not expected"},
    {"{\"type\":\"Point\",\"coordinates\":[1,nan]}", ":1: not JSON: 'nan]}' was not expected"},
    {"{\"type\":\"Point\",\"coordinates\":[01,2]}", ":1: not JSON: '1,2]}' was not expected"},
    {"[1, 2]", ":1: an object of GeoJSON expected, not '[1, 2]'"},
    {"{\"coordinates\":[1,2]}", ":1: an object without \"type\""},
    {"{\"type\":3}", ":1: the name of a type expected, not '3}'"},
    {"{\"type\":\"Pont\",\"coordinates\":[1,2]}", ":1: unknown type 'Pont': did you mean 'Point'?"},
    {"{\"type\":\"Topology\"}", ":1: unknown type 'Topology': it is none of GeoJSON's"},
    {"{\"type\":\"GeometryCollection\"}", ":1: a GeometryCollection without \"geometries\""},
    {"{\"type\":\"GeometryCollection\",\"geometries\":{}}",
     ":1: \"geometries\": a list expected, not '{}}'"},
    {"{\"type\":\"GeometryCollection\",\"geometries\":[\n7]}",
     ":2: a geometry expected, not '7]}'"},
    {"{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Feature\"}]}",
     ":1: a Feature is no geometry"},
    {"{\"type\":\"GeometryCollection\",\"geometries\":[\n{\"type\":\"LineString\","
     "\"coordinates\":[[1,2]]}]}",
     ":2: a line needs at least 2 positions"},
    {"{\"type\":\"Point\"}", ":1: a Point without \"coordinates\""},
    {"{\"type\":\"Point\",\"type\":\"Point\"}", ":1: \"type\" stands twice in an object"},
    {"{\"type\":\"Point\",\"coordinates\":[1]}", ":1: a position needs 2 numbers, x and y"},
    {"{\"type\":\"Point\",\"coordinates\":[1,\"2\"]}", ":1: a number expected, not '\"2\"]}'"},
    {"{\"type\":\"Feature\",\"properties\":{\"a\":1e999},\"geometry\":{\"type\":\"Point\","
     "\"coordinates\":[1,2]}}",
     ":1: '1e999},\"geometry\":{\"type\":\"Point\",\"coord...' is too large a number"},
    {"{\"type\":\"Point\",\"coordinates\":[1,1e999]}", ":1: '1e999]}' is too large a number"},
    {"{\"type\":\"Point\",\"coordinates\":[1,1e13]}", ":1: a position farther away than 1e12"},
    {"{\"type\":\"MultiPoint\",\"coordinates\":[[1,2],\n[400,54],[1,91]]}",
     ":2: 400, 54 cannot be degrees, in which a file without \"crs\" is: read it with crs = "
     "\"EPSG:n\", or crs = \"model\" if its numbers are the model's own"},
    {"{\"type\":\"LineString\",\"coordinates\":[[1,2]]}", ":1: a line needs at least 2 positions"},
    {"{\"type\":\"LineString\",\"coordinates\":[1,2]}",
     ":1: a position [x, y] expected, not '1,2]}'"},
    {"{\"type\":\"MultiLineString\",\"coordinates\":[{}]}",
     ":1: a list of positions expected, not '{}]}'"},
    {RING "[[[0,0],[1,0],[1,1]]]}",
     ":1: a ring needs at least 4 positions, the last of them the first again"},
    {RING "[[[0,0],[1,0],[1,1],[0,1]]]}", ":1: a ring must end where it begins"},
    {RING "{}}", ":1: a list expected, not '{}}'"},
    {FEATURES "{}}", ":2: \"features\": a list expected, not '{}}'"},
    {"{\"type\":\"FeatureCollection\"}", ":1: a FeatureCollection without \"features\""},
    {FEATURES "[{\"type\":\"Point\",\"coordinates\":[1,2]}]}",
     ":2: feature 1: a Feature expected, not a 'Point'"},
    {FEATURES "[{\"type\":\"Feature\"}]}", ":2: feature 1: a Feature without \"geometry\""},
    {FEATURES "[{\"type\":\"Feature\",\"geometry\":null},\n7]}",
     ":3: feature 2: a Feature expected, not '7]}'"},
    {FEATURES "[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]},\n"
              "\"properties\":[]}]}",
     ":3: feature 1: \"properties\": an object or null expected, not '[]}]}'"},
    {FEATURES "[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]},\n"
              "\"properties\":{\"a\":\"\\u0000\"}}]}",
     ":3: feature 1: '\"\\u0000\"}}]}': a text with a character that is none"},
    {"{\"type\":\"Point\",\"coordinates\":[1,2],\"crs\":{}}",
     ":1: a \"crs\" without \"properties\""},
    {"{\"type\":\"Point\",\"coordinates\":[1,2],\"crs\":{\"properties\":{}}}",
     ":1: a \"crs\" without a \"name\""},
};

static void refused(void) {
  char message[400];
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    ria_shapes *s = NULL;
    const char *path = files_put("bad.geojson", bad[k].text);
    snprintf(message, sizeof message, "%s%s", path, bad[k].message);
    CHECK_FAILS(ctx, ria_shapes_read(ctx, path, NULL, &s), RIA_ERR_INPUT, message);
    CHECK(s == NULL);
  }
}

static const struct bad bad_table[] = {
    {"name,y\na,1\n", ": points need columns x and y, or lon and lat, named in the first line"},
    {"x,y\n1,2\n3,\n", ":3: a point without a position"},
    {"lon,lat\n8,54\n8,91\n", ":3: longitude 8, latitude 91: there is no such place"},
    {"x,y\n1,2\n1e13,2\n", ":3: a position farther away than 1e12"},
};

static void refused_tables(void) {
  char message[400];
  for (size_t k = 0; k < sizeof bad_table / sizeof *bad_table; k++) {
    ria_shapes *s = NULL;
    const char *path = files_put("bad.csv", bad_table[k].text);
    snprintf(message, sizeof message, "%s%s", path, bad_table[k].message);
    CHECK_FAILS(ctx, ria_shapes_read(ctx, path, NULL, &s), RIA_ERR_INPUT, message);
    CHECK(s == NULL);
  }
}

/* Lists in lists without end. */
static void too_deep(void) {
  char text[400] = "{\"type\":\"Polygon\",\"coordinates\":";
  const size_t n = strlen(text);
  memset(text + n, '[', 100);
  memset(text + n + 100, ']', 100);
  strcpy(text + n + 200, "}");
  ria_shapes *s = NULL;
  CHECK_STATUS(ctx, ria_shapes_read(ctx, files_put("deep.json", text), NULL, &s), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(ctx), "not JSON: '[[[[");
}

/* Every beginning of a good file, and every byte of it replaced: shapes or an error, no more. */
static void damaged(void) {
  static const char good[] =
      "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"id\":1,\"properties\":"
      "{\"a\":\"b\",\"c\":[1]},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":"
      "[[[0,0],[1,0],[1,1],[0,0]]]}}]}";
  static const char others[] = "\"{}[],:0-e\\ tn\n\xc3";
  char text[sizeof good];
  for (size_t k = 0; k < sizeof good - 1; k++)
    for (size_t o = 0; o < sizeof others; o++) {
      ria_shape_set *set = NULL;
      memcpy(text, good, sizeof good);
      text[k] = others[o]; /* the last one is the end of the text */
      const ria_status status = ria_geojson_parse(ctx, "a", text, strlen(text), true, &set);
      CHECK(status == RIA_OK ? set != NULL : status == RIA_ERR_INPUT && *ria_error(ctx) && !set);
      ria_set_release(set);
    }
}

int main(void) {
  if (ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) != RIA_OK)
    return 1;
  files_begin();
  collection();
  alone();
  collected();
  table();
  refused();
  refused_tables();
  too_deep();
  damaged();
  files_end();
  ria_context_destroy(&ctx);
  return TEST_END();
}
