/* Heights in feet, as the keys of a GeoTIFF say, become metres; a unit that the script gives comes
 * first; one that is not known is refused with what to write. */
#include "files.h"
#include "tiff_make.h"
#include <math.h>
#include <ria/dem.h>

static ria_context *ctx;
static const double us_foot = 1200.0 / 3937.0;

#define ITEM(unit)                                                                                 \
  "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">" unit                     \
  "</Item></GDALMetadata>"

static const char *put(const made_tag *more) {
  static const double six[] = {1, 2, 3, 4, 5, 6};
  static made_file file;
  const made m = {.nx = 3, .ny = 2, .bytes = 4, .format = 3, .value = six, .more = more};
  made_build(&m, &file);
  return files_put_bytes("heights.tif", file.byte, file.n);
}

/* One of its values is this many metres; `about` tells so, NULL: that nothing was done. */
static void counts(const made_tag *more, double unit, double metres, const char *about) {
  const ria_dem_layer layer = {.path = put(more), .unit = unit};
  ria_raster *r = NULL;
  if (!CHECK_OK(ctx, ria_dem_make(ctx, &(ria_dem_desc){.layers = &layer, .n_layers = 1}, &r)))
    return;
  CHECK_NEAR(r->data[0], 4 * metres, 1e-12);
  CHECK_NEAR(r->data[5], 3 * metres, 1e-12);
  CHECK(r->unit == NULL);
  if (about)
    CHECK_HOLDS(r->about, about);
  else
    CHECK(strstr(r->about, "times") == NULL);
  ria_raster_destroy(&r);
}

static void test_units(void) {
  const made_tag foot[] = {KEYS(2, 4096, 0, 1, 5703, 4099, 0, 1, 9002), {0}};
  const made_tag survey[] = {KEYS(1, 4099, 0, 1, 9003), {0}};
  const made_tag navd88[] = {KEYS(1, 4096, 0, 1, 6360), {0}};
  const made_tag metre[] = {KEYS(1, 4099, 0, 1, 9001), {0}};
  const made_tag ft[] = {TEXT_TAG(42112, ITEM("ft")), {0}};
  const made_tag us[] = {TEXT_TAG(42112, ITEM("US survey foot")), {0}};
  const made_tag cm[] = {TEXT_TAG(42112, ITEM("cm")), {0}};
  const made_tag nothing[] = {{0}};
  counts(foot, 0, 0.3048, ", times 0.3048 (in EPSG:9002, as the file says)");
  counts(survey, 0, us_foot, ", times 0.3048006096 (in EPSG:9003, as the file says)");
  counts(navd88, 0, us_foot, "EPSG:9003");
  counts(metre, 0, 1, NULL);
  counts(ft, 0, 0.3048, ", times 0.3048 (in ft, as the file says)");
  counts(us, 0, us_foot, "(in US survey foot, as the file says)");
  counts(cm, 0, 0.01, ", times 0.01 (in cm, as the file says)");
  counts(nothing, 0, 1, NULL);
  counts(ft, 1.8288, 1.8288, ", times 1.8288"); /* fathoms, says the script */
  counts(ft, 1, 1, NULL);
}

static void test_unknown(void) {
  const made_tag chain[] = {TEXT_TAG(42112, ITEM("chains")), {0}};
  const ria_dem_layer layer = {.path = put(chain)}, told = {.path = layer.path, .unit = 20.1168};
  ria_raster *r = NULL;
  char expected[512];
  snprintf(expected, sizeof expected,
           "%s: its values are in 'chains', as the file says, not a known unit of length: "
           "give theirs, unit = \"ft\", or \"m\" to take them as they are",
           layer.path);
  CHECK_FAILS(ctx, ria_dem_make(ctx, &(ria_dem_desc){.layers = &layer, .n_layers = 1}, &r),
              RIA_ERR_INPUT, expected);
  if (CHECK_OK(ctx, ria_dem_make(ctx, &(ria_dem_desc){.layers = &told, .n_layers = 1}, &r)))
    CHECK_NEAR(r->data[0], 4 * 20.1168, 1e-12);
  ria_raster_destroy(&r);
}

/* What is read by itself keeps the file's numbers, and tells the unit. */
static void test_raster(void) {
  const made_tag ft[] = {TEXT_TAG(42112, ITEM("ft")), {0}};
  ria_raster *r = NULL;
  if (CHECK_OK(ctx, ria_raster_read(ctx, put(ft), &r)))
    CHECK(r->data[0] == 4 && strcmp(r->unit, "ft") == 0);
  ria_raster_destroy(&r);
}

int main(void) {
  if (!CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx)))
    return TEST_END();
  test_units();
  test_unknown();
  test_raster();
  ria_context_destroy(&ctx);
  return TEST_END();
}
