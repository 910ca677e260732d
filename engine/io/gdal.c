/* io/gdal.c - GDAL, where it is found at run time.
 *
 * The few functions that are called are declared here, as GDAL's C interface has had them since
 * 2.0. The library stays loaded until the process ends: its drivers are registered once in it.
 * Nothing is printed: errors are asked for. A raster is taken row by row as doubles, one band. */
#include "base/grid.h"
#include "io/access.h"
#include "io/gdal.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Types that GDAL keeps to itself, and its numbers. */
typedef struct gdal_set gdal_set;
typedef struct gdal_band gdal_band;

enum { OF_RASTER = 2, OF_VERBOSE = 0x40, READ = 0, FLOAT32 = 6, FLOAT64 = 7 };
enum { ALPHA = 6 };                            /* what a band may be for */
enum { COMPLEX_FIRST = 8, COMPLEX_LAST = 11 }; /* types of complex numbers */
/* Flags of masks that say nothing of their own: all cells count, an alpha band, values of no data.
 * Others are files or bands, whatever flags these have. */
enum { NO_MASK = 1 | 4 | 8 };

typedef struct gdal_api {
  void (*register_all)(void);
  gdal_set *(*open_ex)(const char *, unsigned, const char *const *, const char *const *,
                       const char *const *);
  int (*close)(gdal_set *); /* of no use: it returned nothing before 3.7 */
  int (*x_size)(gdal_set *);
  int (*y_size)(gdal_set *);
  int (*count)(gdal_set *);
  gdal_band *(*band)(gdal_set *, int);
  int (*transform)(gdal_set *, double *);
  const char *(*projection)(gdal_set *);
  char **(*metadata)(void *, const char *);
  double (*no_data)(gdal_band *, int *);
  double (*scale)(gdal_band *, int *);
  double (*offset)(gdal_band *, int *);
  int (*data_type)(gdal_band *);
  const char *(*unit)(gdal_band *);
  int (*colour)(gdal_band *);
  int (*mask_flags)(gdal_band *);
  gdal_band *(*mask)(gdal_band *);
  int (*raster_io)(gdal_band *, int, int, int, int, int, void *, int, int, int, int, int);
  void (*push_handler)(void (*)(int, int, const char *));
  void (*pop_handler)(void);
  void (*quiet)(int, int, const char *);
  void (*reset)(void);
  const char *(*last_error)(void);
} gdal_api;

static const struct {
  const char *name;
  size_t place;
} symbols[] = {
    {"GDALAllRegister", offsetof(gdal_api, register_all)},
    {"GDALOpenEx", offsetof(gdal_api, open_ex)},
    {"GDALClose", offsetof(gdal_api, close)},
    {"GDALGetRasterXSize", offsetof(gdal_api, x_size)},
    {"GDALGetRasterYSize", offsetof(gdal_api, y_size)},
    {"GDALGetRasterCount", offsetof(gdal_api, count)},
    {"GDALGetRasterBand", offsetof(gdal_api, band)},
    {"GDALGetGeoTransform", offsetof(gdal_api, transform)},
    {"GDALGetProjectionRef", offsetof(gdal_api, projection)},
    {"GDALGetMetadata", offsetof(gdal_api, metadata)},
    {"GDALGetRasterNoDataValue", offsetof(gdal_api, no_data)},
    {"GDALGetRasterScale", offsetof(gdal_api, scale)},
    {"GDALGetRasterOffset", offsetof(gdal_api, offset)},
    {"GDALGetRasterDataType", offsetof(gdal_api, data_type)},
    {"GDALGetRasterUnitType", offsetof(gdal_api, unit)},
    {"GDALGetRasterColorInterpretation", offsetof(gdal_api, colour)},
    {"GDALGetMaskFlags", offsetof(gdal_api, mask_flags)},
    {"GDALGetMaskBand", offsetof(gdal_api, mask)},
    {"GDALRasterIO", offsetof(gdal_api, raster_io)},
    {"CPLPushErrorHandler", offsetof(gdal_api, push_handler)},
    {"CPLPopErrorHandler", offsetof(gdal_api, pop_handler)},
    {"CPLQuietErrorHandler", offsetof(gdal_api, quiet)},
    {"CPLErrorReset", offsetof(gdal_api, reset)},
    {"CPLGetLastErrorMsg", offsetof(gdal_api, last_error)},
};

/* --- the library ------------------------------------------------------------------------------ */

enum { NEWEST = 40, OLDEST = 20 }; /* numbers of libgdal.so: 20 is GDAL 2, 32 is 3.6, 36 is 3.10 */

void *ria_gdal_load(char *why, size_t size) {
  const char *named = getenv("RIA_GDAL");
  char file[32];
  if (named && strcmp(named, "none") == 0) {
    snprintf(why, size, "RIA_GDAL is none");
    return NULL;
  }
  if (named && *named) {
    void *lib = dlopen(named, RTLD_NOW | RTLD_NODELETE);
    if (!lib) snprintf(why, size, "RIA_GDAL=%s cannot be loaded", named);
    return lib;
  }
  void *lib = dlopen("libgdal.so", RTLD_NOW | RTLD_NODELETE);
  for (int k = NEWEST; !lib && k >= OLDEST; k--) {
    snprintf(file, sizeof file, "libgdal.so.%d", k);
    lib = dlopen(file, RTLD_NOW | RTLD_NODELETE);
  }
  if (!lib) snprintf(why, size, "libgdal is not found");
  return lib;
}

static bool open_gdal(gdal_api *g, char *why, size_t size) {
  void *lib = ria_gdal_load(why, size);
  if (!lib) return false;
  for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++) {
    void *symbol = dlsym(lib, symbols[k].name);
    if (!symbol)
      snprintf(why, size, "libgdal has no %s: ria takes GDAL 2 or later", symbols[k].name);
    if (!symbol) return dlclose(lib), false;
    memcpy((char *)g + symbols[k].place, &symbol, sizeof symbol);
  }
  dlclose(lib);
  return true;
}

bool ria_gdal_there(char *why, size_t size) {
  gdal_api g;
  return open_gdal(&g, why, size);
}

/* --- what goes wrong -------------------------------------------------------------------------- */

typedef struct reader {
  gdal_api g;
  ria_context *ctx;
  const char *path;
  gdal_set *set;
  gdal_band *band, *alpha; /* alpha NULL: none */
  ria_raster *raster;
} reader;

static ria_status fail_gdal(const reader *r, const char *doing) {
  const char *told = r->g.last_error();
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: GDAL cannot %s it: %.300s", r->path, doing,
                  told && *told ? told : "it does not say why");
}

static ria_status refuse(const reader *r, const char *command, const char *why) {
  return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: %s; %s %s out.tif makes one that is read", r->path,
                  why, command, r->path);
}

/* --- which of several ------------------------------------------------------------------------- */

/* The first variables of a file, as GDAL opens them. They come as pairs:
 * SUBDATASET_1_NAME=NETCDF:"sea.nc":depth and SUBDATASET_1_DESC=... */
static int list_variables(char **list, char *names, size_t size) {
  int n = 0;
  *names = '\0';
  for (; list && *list; list++) {
    const char *equals = strchr(*list, '=');
    if (!equals || equals - *list < 5 || strncmp(equals - 5, "_NAME", 5) != 0) continue;
    const size_t used = strlen(names);
    if (n < 8) snprintf(names + used, size - used, "%s'%s'", n ? ", " : "", equals + 1);
    n++;
  }
  return n;
}

static ria_status fail_bands(const reader *r, int bands) {
  char alpha[16] = "";
  gdal_band *last = r->g.band(r->set, bands);
  if (last && r->g.colour(last) == ALPHA) snprintf(alpha, sizeof alpha, ",%d", bands);
  return ria_fail(r->ctx, RIA_ERR_INPUT,
                  "%s: it has %d bands, and one is read%s: name it, 'vrt://%s?bands=1%s'", r->path,
                  bands, *alpha ? ", with an alpha band" : "", r->path, alpha);
}

/* One band, or one with an alpha band behind it. */
static ria_status take_bands(reader *r) {
  char names[1024];
  const int bands = r->g.count(r->set);
  gdal_band *second = bands == 2 ? r->g.band(r->set, 2) : NULL;
  if (second && r->g.colour(second) == ALPHA) r->alpha = second;
  if (bands == 1 || r->alpha) return RIA_OK;
  const int variables = list_variables(r->g.metadata(r->set, "SUBDATASETS"), names, sizeof names);
  if (bands == 0 && variables)
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: it has %d rasters: read one by its name, %s",
                    r->path, variables, names);
  if (bands == 0) return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: it has no raster", r->path);
  return fail_bands(r, bands);
}

/* --- the place -------------------------------------------------------------------------------- */

static ria_status read_place(const reader *r, ria_grid *g, bool *from_south) {
  double t[6] = {0};
  if (r->g.transform(r->set, t) != 0)
    return refuse(r, "gdal_translate -a_ullr WEST NORTH EAST SOUTH",
                  "it does not say where its cells lie");
  const double nx = r->g.x_size(r->set), ny = r->g.y_size(r->set);
  if (nx * ny > INT_MAX)
    return ria_fail(r->ctx, RIA_ERR_INPUT, "%s: %.0f x %.0f cells are more than the %d allowed",
                    r->path, nx, ny, INT_MAX);
  if (ria_grid_of_affine(t, (int)nx, (int)ny, g, from_south)) return RIA_OK;
  return refuse(r, "gdalwarp -r bilinear", "its rows and columns are not at right angles");
}

static ria_status read_crs(const reader *r) {
  const char *wkt = r->g.projection(r->set);
  if (!wkt || !*wkt) return RIA_OK;
  if (strlen(wkt) >= RIA_CRS_MAX) {
    ria_log(r->ctx,
            "%s: its coordinate system is left out: its WKT has %zu characters, and up to %d are "
            "read; gdal_edit.py -a_srs EPSG:n gives it a shorter one",
            r->path, strlen(wkt), RIA_CRS_MAX - 1);
    return RIA_OK;
  }
  r->raster->crs = strdup(wkt);
  return r->raster->crs ? RIA_OK : ria_fail(r->ctx, RIA_ERR_MEMORY, "%s: out of memory", r->path);
}

/* --- values ----------------------------------------------------------------------------------- */

typedef struct meaning {
  bool narrow, has_none;
  double none, scale, offset;
} meaning;

static meaning meaning_of(const reader *r) {
  int has_none = 0, has_scale = 0, has_offset = 0;
  const int type = r->g.data_type(r->band);
  meaning m = {.narrow = type == FLOAT32, .none = r->g.no_data(r->band, &has_none)};
  m.scale = r->g.scale(r->band, &has_scale);
  m.offset = r->g.offset(r->band, &has_offset);
  m.has_none = has_none;
  if (!has_scale) m.scale = 1.0;
  if (!has_offset) m.offset = 0.0;
  return m;
}

static ria_status read_unit(const reader *r) {
  const char *unit = r->g.unit(r->band);
  if (!unit || !*unit) return RIA_OK;
  r->raster->unit = strdup(unit);
  return r->raster->unit ? RIA_OK : ria_fail(r->ctx, RIA_ERR_MEMORY, "%s: out of memory", r->path);
}

/* As for files that ria reads itself: beyond 1e38 there is the habitual -3.4e38. */
static double value_of(const meaning *m, double v) {
  if (!(fabs(v) < 1e38)) return NAN;
  if (m->has_none && (v == m->none || (m->narrow && (float)v == (float)m->none))) return NAN;
  return m->scale * v + m->offset;
}

static ria_status read_row(const reader *r, gdal_band *band, int j, double *to) {
  const int nx = r->raster->grid.nx;
  if (r->g.raster_io(band, READ, 0, j, nx, 1, to, nx, 1, FLOAT64, 0, 0) == 0) return RIA_OK;
  return fail_gdal(r, "read");
}

/* from NULL: each cell counts. Else 0 says which do not; mask: a row's room. */
static ria_status mask_row(const reader *r, gdal_band *from, int j, double *mask, double *row) {
  if (!from) return RIA_OK;
  RIA_TRY(read_row(r, from, j, mask));
  for (int i = 0; i < r->raster->grid.nx; i++)
    if (!(mask[i] > 0.0)) row[i] = NAN;
  return RIA_OK;
}

static ria_status read_rows(const reader *r, bool from_south, double *mask) {
  const ria_grid *g = &r->raster->grid;
  const meaning m = meaning_of(r);
  gdal_band *masked = r->g.mask_flags(r->band) & NO_MASK ? NULL : r->g.mask(r->band);
  for (int j = 0; j < g->ny; j++) {
    double *row = r->raster->data + (size_t)(from_south ? j : g->ny - 1 - j) * (size_t)g->nx;
    RIA_TRY(read_row(r, r->band, j, row));
    for (int i = 0; i < g->nx; i++) row[i] = value_of(&m, row[i]);
    RIA_TRY(mask_row(r, masked, j, mask, row));
    RIA_TRY(mask_row(r, r->alpha, j, mask, row));
  }
  return RIA_OK;
}

static ria_status read_values(const reader *r, bool from_south) {
  double *mask = malloc((size_t)r->raster->grid.nx * sizeof *mask);
  if (!mask) return ria_fail(r->ctx, RIA_ERR_MEMORY, "%s: out of memory", r->path);
  const ria_status s = read_rows(r, from_south, mask);
  free(mask);
  return s;
}

/* --- a file ----------------------------------------------------------------------------------- */

static ria_status read_set(reader *r) {
  ria_grid grid = {0};
  bool from_south = false;
  RIA_TRY(take_bands(r));
  RIA_TRY(read_place(r, &grid, &from_south));
  ria_status s = ria_raster_create(r->ctx, &grid, &r->raster);
  if (s == RIA_ERR_ARGUMENT) s = RIA_ERR_INPUT;
  if (s != RIA_OK) return ria_fail_more(r->ctx, s, "%s", r->path);
  r->band = r->g.band(r->set, 1);
  if (!r->band) return fail_gdal(r, "read");
  const int type = r->g.data_type(r->band);
  if (type >= COMPLEX_FIRST && type <= COMPLEX_LAST)
    return refuse(r, "gdal_translate -ot Float32", "its values are complex numbers");
  RIA_TRY(read_crs(r));
  RIA_TRY(read_unit(r));
  return read_values(r, from_south);
}

static ria_status read_file(reader *r) {
  r->g.reset();
  r->set = r->g.open_ex(r->path, OF_RASTER | OF_VERBOSE, NULL, NULL, NULL);
  if (!r->set) return fail_gdal(r, "open");
  const ria_status s = read_set(r);
  (void)r->g.close(r->set);
  return s;
}

static int stem_of(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  return dot && dot > (slash ? slash : path) ? (int)(dot - path) : (int)strlen(path);
}

/* A name of GDAL's, NETCDF:"sea.nc":depth, is quoted for a shell, and names no file beside it. */
static ria_status fail_without(const reader *r, const char *kind, const char *why) {
  const bool name = strpbrk(r->path, "\":") != NULL;
  const char *quote = name ? "'" : "";
  return ria_fail(r->ctx, RIA_ERR_INPUT,
                  "%s: %s, which GDAL reads, and %s; gdal_translate %s%s%s %.*s.tif makes one that "
                  "is read",
                  r->path, kind, why, quote, r->path, quote, name ? 3 : stem_of(r->path),
                  name ? "out" : r->path);
}

ria_status ria_gdal_read(ria_context *ctx, const char *path, const char *kind, ria_raster **out) {
  char why[256] = "";
  reader r = {.ctx = ctx, .path = path};
  *out = NULL;
  if (ria_is_limited(ctx))
    return ria_limit_refuse(ctx,
                            "'%s' may not be read: %s is for GDAL, which opens whatever a file "
                            "names; gdal_translate makes a GeoTIFF of it",
                            path, kind);
  if (!open_gdal(&r.g, why, sizeof why)) return fail_without(&r, kind, why);
  r.g.register_all();
  r.g.push_handler(r.g.quiet);
  const ria_status s = read_file(&r);
  r.g.pop_handler();
  if (s == RIA_OK)
    *out = r.raster;
  else
    ria_raster_destroy(&r.raster);
  return s;
}
