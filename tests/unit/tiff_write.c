/* GeoTIFF: the writer against the reader; palettes. */
#include "files.h"
#include "io/raster_tiff.h"
#include <ria/field.h>

static ria_context *ctx;

/* --- writing ---------------------------------------------------------------------------------- */

static ria_raster *sample(int nx, int ny, double unit, const char *crs) {
  uint64_t state = 9;
  ria_raster *r = NULL;
  const ria_grid g = {.nx = nx, .ny = ny, .dx = 2.5, .dy = 0.1, .x0 = -3.7, .y0 = 4.6e6};
  CHECK_OK(ctx, ria_raster_create(ctx, &g, &r));
  for (int k = 0; k < nx * ny; k++)
    r->data[k] = k % 13 == 0 ? NAN : ((int)(files_random(&state) % 20000) - 10000) * unit;
  if (crs) r->crs = strdup(crs);
  return r;
}

static void check_same(const ria_raster *r, const char *path, const char *crs) {
  ria_raster *back = NULL;
  int wrong = 0;
  if (!CHECK_OK(ctx, ria_raster_read(ctx, path, &back))) return;
  CHECK(r->grid.nx == back->grid.nx && r->grid.ny == back->grid.ny && r->grid.dx == back->grid.dx &&
        r->grid.dy == back->grid.dy && r->grid.x0 == back->grid.x0);
  CHECK_NEAR(r->grid.y0, back->grid.y0, 1e-9); /* the corner in the file is the northern one */
  for (int k = 0; k < r->grid.nx * r->grid.ny; k++)
    wrong += !(r->data[k] == back->data[k] || (isnan(r->data[k]) && isnan(back->data[k])));
  CHECK_INT(wrong, 0);
  CHECK_TEXT(back->crs, crs);
  ria_raster_destroy(&back);
}

static void round_trip(int nx, int ny, double unit, const char *crs, const char *read) {
  ria_raster *r = sample(nx, ny, unit, crs);
  const char *path = files_path("trip.TIFF");
  if (CHECK_OK(ctx, ria_raster_write(ctx, r, path))) check_same(r, path, read ? read : crs);
  ria_buffer big = {0};
  if (CHECK_OK(ctx, ria_tiff_encode(ctx, r, NULL, path, true, &big))) {
    CHECK(memcmp(big.data, "II+", 3) == 0);
    check_same(r, files_put_bytes("big.tif", big.data, big.n), read ? read : crs);
  }
  ria_buffer_free(&big);
  ria_raster_destroy(&r);
}

static void round_trips(void) {
  round_trip(1, 1, 0.5, NULL, NULL);
  round_trip(123, 77, 0.25, "EPSG:32629", NULL);
  round_trip(123, 777, 0.1, "EPSG:3857", NULL); /* doubles, several strips */
  round_trip(300, 257, 0.1, NULL, NULL);        /* tiles, of which most are cut */
  round_trip(20000, 3, 0.1, "EPSG:4326", NULL); /* a row is more than a strip */
  round_trip(5, 4, 1.0, "PROJCS[\"a b\",UNIT[\"metre\",1]]", NULL);
  round_trip(5, 4, 1.0, "GEOGCS[\"a\"]", NULL);
  round_trip(5, 4, 1.0,
             "PROJCS[\"x\",GEOGCS[\"y\",AUTHORITY[\"EPSG\",\"4326\"]],"
             "AUTHORITY[\"EPSG\",\"27700\"]]",
             "EPSG:27700");
  round_trip(5, 4, 1.0,
             "COMPD_CS[\"x\",PROJCS[\"y\",UNIT[\"metre\",1],AUTHORITY[\"EPSG\",\"26910\"]],"
             "VERT_CS[\"NAVD88\",AUTHORITY[\"EPSG\",\"5703\"]]]",
             "EPSG:26910");
}

/* --- palettes --------------------------------------------------------------------------------- */

static void check_colours(const ria_raster_colours *c, const double value[6], const int row[6]) {
  const ria_grid g = {.nx = 3, .ny = 2, .dx = 1, .dy = 1};
  const char *path = files_path("colours.tif");
  ria_raster *r = NULL, *back = NULL;
  CHECK_OK(ctx, ria_raster_create(ctx, &g, &r));
  memcpy(r->data, value, 6 * sizeof *value);
  if (CHECK_OK(ctx, ria_raster_write_coloured(ctx, r, path, c)) &&
      CHECK_OK(ctx, ria_raster_read(ctx, path, &back)))
    for (int k = 0; k < 6; k++) CHECK(row[k] ? back->data[k] == row[k] : isnan(back->data[k]));
  ria_raster_destroy(&back);
  ria_raster_destroy(&r);
}

static void refuse_colours(const char *name, ria_raster_colours c, const char *text) {
  char expected[512];
  ria_raster *r = sample(3, 2, 1.0, NULL);
  const char *path = files_path(name);
  snprintf(expected, sizeof expected, "%s%s%s", *text == ':' ? path : "", text, "");
  (void)CHECK_FAILS(ctx, ria_raster_write_coloured(ctx, r, path, &c), RIA_ERR_ARGUMENT, expected);
  ria_raster_destroy(&r);
}

static void palettes(void) {
  const double v[6] = {-1, 0, 1, 2, 3, NAN}, w[6] = {-1, 0, 1e-9, 1e-2, 1, 100};
  const double none[6] = {NAN, NAN, NAN, NAN, NAN, NAN}, same[6] = {3, 3, 3, 3, 3, NAN};
  check_colours(&(ria_raster_colours){.min = 0, .max = 2}, v, (int[]){1, 1, 128, 255, 255, 0});
  check_colours(&(ria_raster_colours){0}, v, (int[]){1, 65, 128, 192, 255, 0});
  check_colours(&(ria_raster_colours){.scale = RIA_SCALE_LOG}, w, (int[]){0, 0, 1, 1, 128, 255});
  check_colours(&(ria_raster_colours){0}, none, (int[6]){0});
  check_colours(&(ria_raster_colours){.map = "deep"}, same, (int[]){1, 1, 1, 1, 1, 0});
  refuse_colours("x.asc", (ria_raster_colours){0}, ": colours go into GeoTIFF: name it .tif");
  refuse_colours("x.tif", (ria_raster_colours){.min = 2, .max = 1},
                 ": the range of colours from 2 to 1 must rise");
  refuse_colours("x.tif", (ria_raster_colours){.min = 0, .max = 1, .scale = RIA_SCALE_LOG},
                 ": a log scale begins above 0, and the range of colours at 0");
  refuse_colours(
      "x.tif", (ria_raster_colours){.map = "dep"},
      "unknown colour map 'dep': did you mean 'deep'? known are viridis, deep, matter, balance, "
      "speed, topo, amp, sand, relief");
}

int main(void) {
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx));
  CHECK(setenv("RIA_GDAL", "none", 1) == 0);
  files_begin();
  round_trips();
  palettes();
  files_end();
  ria_context_destroy(&ctx);
  return TEST_END();
}
