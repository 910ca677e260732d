/* shapes/ogr.c - Shapefiles, GeoPackages and the like through GDAL, where it is found at run time.
 *
 * GDAL writes the layer as GeoJSON into its own memory, with as many digits as the numbers have,
 * and geojson.c reads that: so whatever GDAL reads obeys the same rules. The functions that are
 * called are declared here, as GDAL's C interface has had them since 2.1. */
#include "shapes/set.h"

#include "base/context.h"
#include "io/access.h"
#include "io/gdal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Types that GDAL keeps to itself. */
typedef struct ogr_set ogr_set;
typedef struct ogr_layer ogr_layer;
typedef struct ogr_options ogr_options;

enum { OF_VECTOR = 4, OF_VERBOSE = 0x40 };

typedef struct ogr_api {
  void (*register_all)(void);
  ogr_set *(*open_ex)(const char *, unsigned, const char *const *, const char *const *,
                      const char *const *);
  int (*close)(ogr_set *); /* of no use: it returned nothing before 3.7 */
  int (*layers)(ogr_set *);
  ogr_layer *(*layer)(ogr_set *, int);
  const char *(*name)(ogr_layer *);
  void *(*system)(ogr_layer *);
  int (*wkt)(void *, char **);
  ogr_options *(*options)(char **, void *);
  void (*free_options)(ogr_options *);
  ogr_set *(*translate)(const char *, ogr_set *, int, ogr_set **, const ogr_options *, int *);
  unsigned char *(*memory)(const char *, unsigned long long *, int);
  int (*unlink)(const char *);
  void (*free)(void *);
  void (*push_handler)(void (*)(int, int, const char *));
  void (*pop_handler)(void);
  void (*quiet)(int, int, const char *);
  void (*reset)(void);
  const char *(*last_error)(void);
} ogr_api;

static const struct {
  const char *name;
  size_t place;
} symbols[] = {
    {"GDALAllRegister", offsetof(ogr_api, register_all)},
    {"GDALOpenEx", offsetof(ogr_api, open_ex)},
    {"GDALClose", offsetof(ogr_api, close)},
    {"GDALDatasetGetLayerCount", offsetof(ogr_api, layers)},
    {"GDALDatasetGetLayer", offsetof(ogr_api, layer)},
    {"OGR_L_GetName", offsetof(ogr_api, name)},
    {"OGR_L_GetSpatialRef", offsetof(ogr_api, system)},
    {"OSRExportToWkt", offsetof(ogr_api, wkt)},
    {"GDALVectorTranslateOptionsNew", offsetof(ogr_api, options)},
    {"GDALVectorTranslateOptionsFree", offsetof(ogr_api, free_options)},
    {"GDALVectorTranslate", offsetof(ogr_api, translate)},
    {"VSIGetMemFileBuffer", offsetof(ogr_api, memory)},
    {"VSIUnlink", offsetof(ogr_api, unlink)},
    {"VSIFree", offsetof(ogr_api, free)},
    {"CPLPushErrorHandler", offsetof(ogr_api, push_handler)},
    {"CPLPopErrorHandler", offsetof(ogr_api, pop_handler)},
    {"CPLQuietErrorHandler", offsetof(ogr_api, quiet)},
    {"CPLErrorReset", offsetof(ogr_api, reset)},
    {"CPLGetLastErrorMsg", offsetof(ogr_api, last_error)},
};

static const struct {
  const char *end, *kind;
} ends[] = {
    {".shp", "a Shapefile"},    {".shz", "a Shapefile"},          {".gpkg", "a GeoPackage"},
    {".fgb", "a FlatGeobuf"},   {".kml", "a KML file"},           {".kmz", "a KML file"},
    {".gml", "a GML file"},     {".gpx", "a GPX file"},           {".tab", "a MapInfo file"},
    {".mif", "a MapInfo file"}, {".dxf", "a DXF file"},           {".sqlite", "a SQLite file"},
    {".gdb", "a geodatabase"},  {".parquet", "a GeoParquet file"}};

const char *ria_shapes_by_gdal(const char *path) {
  const size_t n = strlen(path);
  if (strncmp(path, "/vsizip/", 8) == 0) return "a name of GDAL's";
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    const size_t m = strlen(ends[k].end);
    if (n > m && strcasecmp(path + n - m, ends[k].end) == 0) return ends[k].kind;
  }
  return NULL;
}

/* --- the library ------------------------------------------------------------------------------ */

typedef struct ogr {
  ogr_api g;
  ria_context *ctx;
  const char *path, *layer;
  ogr_set *set;
} ogr;

static bool open_api(ogr_api *g, char *why, size_t size) {
  void *lib = ria_gdal_load(why, size);
  if (!lib) return false;
  for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++) {
    void *symbol = dlsym(lib, symbols[k].name);
    if (!symbol)
      snprintf(why, size, "libgdal has no %s: ria takes GDAL 2.1 or later", symbols[k].name);
    if (!symbol) return dlclose(lib), false;
    memcpy((char *)g + symbols[k].place, &symbol, sizeof symbol);
  }
  dlclose(lib); /* it stays: RTLD_NODELETE */
  return true;
}

static ria_status fail_gdal(const ogr *r, const char *doing) {
  const char *told = r->g.last_error();
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: GDAL cannot %s it: %.300s", r->path, doing,
                  told && *told ? told : "it does not say why");
}

/* --- a layer ---------------------------------------------------------------------------------- */

/* The layer by its name, or the only one. */
static ria_status find_layer(ogr *r, ogr_layer **out) {
  char names[512] = "";
  const int n = r->g.layers(r->set);
  *out = NULL;
  for (int k = 0; k < n; k++) {
    ogr_layer *layer = r->g.layer(r->set, k);
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s'%s'", k ? ", " : "", r->g.name(layer));
    if (r->layer ? strcmp(r->g.name(layer), r->layer) == 0 : n == 1) *out = layer;
  }
  if (*out) return RIA_OK;
  if (n == 0) return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: it has no layer of shapes", r->path);
  if (r->layer)
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: there is no layer '%.60s': it has %s", r->path,
                    r->layer, names);
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: it has %d layers: name one, layer = ...: %s", r->path,
                  n, names);
}

/* Its coordinate system, which GeoJSON has no place for unless it has a code. */
static ria_status take_crs(const ogr *r, ogr_layer *layer, ria_shape_set *set) {
  char *wkt = NULL;
  void *system = r->g.system(layer);
  free(set->crs);
  set->crs = NULL;
  if (!system) return RIA_OK;
  if (r->g.wkt(system, &wkt) != 0 || !wkt) return fail_gdal(r, "tell the coordinate system of");
  const ria_status s = ria_set_crs(r->ctx, set, wkt);
  r->g.free(wkt);
  return s;
}

static ria_status translate(ogr *r, ogr_layer *layer, const char *name, ria_shape_set **out) {
  char *args[] = {"-f",
                  "GeoJSON",
                  "-lco",
                  "RFC7946=NO",
                  "-lco",
                  "COORDINATE_PRECISION=15",
                  "-lco",
                  "SIGNIFICANT_FIGURES=17",
                  (char *)r->g.name(layer),
                  NULL};
  int wrong = 0;
  unsigned long long n = 0;
  ogr_options *options = r->g.options(args, NULL);
  ogr_set *made = options ? r->g.translate(name, NULL, 1, &r->set, options, &wrong) : NULL;
  if (options) r->g.free_options(options);
  if (!made) return fail_gdal(r, "read");
  (void)r->g.close(made);
  const unsigned char *text = r->g.memory(name, &n, 0);
  ria_status s = text ? ria_geojson_parse(r->ctx, r->path, (const char *)text, (size_t)n, true, out)
                      : fail_gdal(r, "read");
  if (s == RIA_OK) s = take_crs(r, layer, *out);
  return s;
}

static ria_status read_file(ogr *r, ria_shape_set **out) {
  char name[64];
  ogr_layer *layer;
  snprintf(name, sizeof name, "/vsimem/ria-%p.geojson", (void *)r);
  r->g.reset();
  r->set = r->g.open_ex(r->path, OF_VECTOR | OF_VERBOSE, NULL, NULL, NULL);
  if (!r->set) return fail_gdal(r, "open");
  ria_status s = find_layer(r, &layer);
  if (s == RIA_OK) s = translate(r, layer, name, out);
  (void)r->g.unlink(name);
  (void)r->g.close(r->set);
  return s;
}

static int stem_of(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  return dot && dot > (slash ? slash : path) ? (int)(dot - path) : (int)strlen(path);
}

ria_status ria_ogr_read(ria_context *ctx, const char *path, const char *kind, const char *layer,
                        ria_shape_set **out) {
  char why[256] = "";
  ogr r = {.ctx = ctx, .path = path, .layer = layer};
  *out = NULL;
  if (ria_is_limited(ctx))
    return ria_limit_refuse(ctx,
                            "'%s' may not be read: %s is for GDAL, which opens whatever a file "
                            "names; ogr2ogr makes GeoJSON of it",
                            path, kind);
  if (!open_api(&r.g, why, sizeof why))
    return ria_fail(ctx, RIA_ERR_INPUT,
                    "%s: %s, which GDAL reads, and %s; ogr2ogr %.*s.geojson %s makes one that is "
                    "read",
                    path, kind, why, stem_of(path), path, path);
  r.g.register_all();
  r.g.push_handler(r.g.quiet);
  ria_status s = read_file(&r, out);
  r.g.pop_handler();
  if (s != RIA_OK && *out) {
    ria_set_release(*out);
    *out = NULL;
  }
  return s;
}
