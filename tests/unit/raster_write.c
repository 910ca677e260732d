/* Rasters: files that are written, ESRI ASCII or GeoTIFF: round trips, the files beside them, what
 * cannot be written. tiff_write.c has the layout of a GeoTIFF. */
#include "files.h"
#include "raster.h"
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void round_trip(ria_raster *r, const char *name) {
  ria_raster *back = NULL;
  const char *path = files_path(name);
  if (!CHECK_OK(ctx, ria_raster_write(ctx, r, path)) ||
      !CHECK_OK(ctx, ria_raster_read(ctx, path, &back)))
    return;
  CHECK(memcmp(&r->grid, &back->grid, sizeof r->grid) == 0);
  CHECK_TEXT(back->crs, r->crs);
  int wrong = 0;
  for (int c = 0; c < r->grid.nx * r->grid.ny; c++) wrong += !same(r->data[c], back->data[c]);
  CHECK_INT(wrong, 0);
  ria_raster_destroy(&back);
}

static void round_trips(void) {
  uint64_t state = 7;
  ria_raster *r = make(123, 77, 0.1, 1.0 / 3.0);
  for (int c = 0; c < 123 * 77; c++) {
    const double v = files_random(&state) * 4.656612873077393e-10; /* [0, 1) */
    r->data[c] = c % 13 == 0 ? NAN : (v - 0.5) * pow(10.0, (int)(files_random(&state) % 60) - 30);
  }
  round_trip(r, "trip.asc");
  round_trip(r, "trip.asc.gz");
  r->crs = strdup("LOCAL_CS[\"bay\"]"); /* as it is */
  r->grid.dy = r->grid.dx;
  r->data[50] = -9999.0; /* a value, not a gap */
  round_trip(r, "trip_crs.asc");
  round_trip(r, "trip_crs2.ASC.GZ");
  ria_raster_destroy(&r);
}

/* The .prj beside a file that is written again tells its coordinate system, or is removed. */
static void prj_follows(void) {
  char message[1024];
  const char *wkt = "PROJCS[\"WGS 84 / UTM zone 29N\"";
  ria_raster *r = make(2, 2, 10.0, 10.0), *back = NULL;
  for (int c = 0; c < 4; c++) r->data[c] = c;
  r->crs = strdup("EPSG:28992");
  for (const char *const *name = (const char *const[]){"again.asc", "again.tif", NULL}; *name;
       name++) {
    const char *path = files_path(*name);
    CHECK_OK(ctx, ria_raster_write(ctx, r, path));
    free(r->crs);
    r->crs = strdup("EPSG:32629");
    CHECK_OK(ctx, ria_raster_write(ctx, r, path));
    if (name[1]) CHECK(strncmp(files_get(files_path("again.prj")), wkt, strlen(wkt)) == 0);
    free(r->crs);
    r->crs = NULL;
    if (!name[1]) files_put("again.prj", "EPSG:4326"); /* of a .tif that did not tell it */
    CHECK_OK(ctx, ria_raster_write(ctx, r, path));
    if (!CHECK_OK(ctx, ria_raster_read(ctx, path, &back))) break;
    CHECK(back->crs == NULL);
    ria_raster_destroy(&back);
    r->crs = strdup("EPSG:28992");
  }
  free(r->crs);
  r->crs = NULL;
  files_put("other.prj", "EPSG:4326"); /* of other.shp */
  snprintf(message, sizeof message,
           "%s: the raster has no coordinate system, and %s beside it would be read as one: write "
           "to another name, or give the raster its crs",
           files_path("other.asc"), files_path("other.prj"));
  CHECK_FAILS(ctx, ria_raster_write(ctx, r, files_path("other.asc")), RIA_ERR_ARGUMENT, message);
  CHECK_TEXT(files_get(files_path("other.prj")), "EPSG:4326");
  ria_raster_destroy(&r);
}

/* What a GIS left beside a GeoTIFF does not count for the one that replaces it. */
static void beside_goes(void) {
  ria_raster *r = make(2, 2, 10.0, 10.0), *back = NULL;
  const char *path = files_path("left.tif");
  for (int c = 0; c < 4; c++) r->data[c] = c;
  for (int there = 0; there < 2; there++) {
    files_put("left.tif.aux.xml",
              "<PAMDataset><PAMRasterBand band=\"1\"><NoDataValue>2</NoDataValue>"
              "</PAMRasterBand></PAMDataset>");
    CHECK_OK(ctx, ria_raster_write(ctx, r, path));
    if (CHECK_OK(ctx, ria_raster_read(ctx, path, &back))) CHECK(back->data[2] == 2);
    ria_raster_destroy(&back);
  }
  ria_raster_destroy(&r);
}

static void written_text(void) {
  ria_raster *r = make(2, 2, 10.0, 10.0);
  r->grid.x0 = r->grid.y0 = 0.5;
  r->data[0] = 1.0;
  r->data[1] = -0.135;
  r->data[2] = 1e-7;
  CHECK_OK(ctx, ria_raster_write(ctx, r, files_path("text.asc")));
  CHECK_TEXT(files_get(files_path("text.asc")),
             "ncols         2\nnrows         2\nxllcorner     0.5\nyllcorner     0.5\n"
             "cellsize      10\nNODATA_value  -9999\n1e-07 -9999\n1 -0.135\n");
  ria_raster_destroy(&r);
}

/* A host may have set a locale with a decimal comma. */
static void any_locale(void) {
  if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) return;
  check_plain(files_put("a.asc", plain));
  written_text();
  setlocale(LC_ALL, "C");
}

/* By the ending of its name a file is ESRI ASCII or GeoTIFF. */
static void refused_writing(const char *missing, const char *kept) {
  ria_raster *r = make(2, 2, 1.0, 1.0);
  char message[1024];
  const char *path = files_path(missing);
  snprintf(message, sizeof message, "cannot write '%s': No such file or directory", path);
  (void)CHECK_FAILS(ctx, ria_raster_write(ctx, r, path), RIA_ERR_OUTPUT, message);
  path = files_put(kept, "as it was");
  r->data[1] = INFINITY;
  snprintf(message, sizeof message,
           "%s: the value inf of cell (1, 0) is the same as the mark for no data", path);
  (void)CHECK_FAILS(ctx, ria_raster_write(ctx, r, path), RIA_ERR_ARGUMENT, message);
  CHECK_TEXT(files_get(path), "as it was");
  ria_raster_destroy(&r);
}

/* A full disk leaves what was there, and nothing beside it. */
static void full_disk(void) {
  struct rlimit limit, small;
  ria_raster *r = make(40, 40, 1.0, 1.0);
  const char *path = files_path("full/kept.asc");
  CHECK(mkdir(files_path("full"), 0777) == 0);
  files_put("full/kept.asc", "as it was");
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &limit);
  small = (struct rlimit){.rlim_cur = 100, .rlim_max = limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const ria_status s = ria_raster_write(ctx, r, path);
  setrlimit(RLIMIT_FSIZE, &limit);
  CHECK_INT(s, RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "full/kept.asc': File too large");
  CHECK_TEXT(files_get(path), "as it was");
  CHECK(unlink(path) == 0 && rmdir(files_path("full")) == 0);
  ria_raster_destroy(&r);
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) == RIA_OK);
  files_begin();
  round_trips();
  prj_follows();
  beside_goes();
  written_text();
  any_locale();
  refused_writing("nowhere/x.asc", "kept.asc");
  refused_writing("nowhere/x.tif", "kept.tif");
  full_disk();
  files_end();
  ria_context_destroy(&ctx);
  return TEST_END();
}
