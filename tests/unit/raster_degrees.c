/* Rasters whose cells do not count in metres, by their coordinate system or their extent: refused
 * with the line that projects them. */
#include "raster.h"
#include <stdlib.h>

/* Elevation in degrees is refused; a flume, whose cells are as small, is not, nor a map without
 * heights. */
static ria_raster *raster_at(double x0, double y0, double cell, double high, const char *crs) {
  ria_raster *r = make(4, 3, 1.0, 1.0);
  r->grid = (ria_grid){.nx = 4, .ny = 3, .dx = cell, .dy = cell, .x0 = x0, .y0 = y0};
  for (int k = 0; k < 12; k++) r->data[k] = k == 7 ? NAN : high * k / 11;
  free(r->crs);
  r->crs = NULL;
  if (crs && !(r->crs = malloc(strlen(crs) + 1))) abort();
  if (crs) strcpy(r->crs, crs);
  return r;
}

static void degrees(void) {
  static const char *const project = "project it: gdalwarp ";
  const struct {
    double x0, y0, cell, high;
    const char *crs, *path, *text; /* NULL: accepted */
  } row[] = {
      {-8.9, 42.1, 1.0 / 3600, 120, NULL, "bay.asc",
       "bay.asc is in degrees (cells of 0.0002778 x 0.0002778, by its extent and heights), and ria "
       "computes in metres: name the model's system, crs = \"EPSG:32629\" (of ria.dem), or project "
       "it: gdalwarp -s_srs EPSG:4326 -t_srs EPSG:32629 -tr 31 31 -r "
       "bilinear -dstnodata -9999 bay.asc utm.tif"},
      {-8.9, 42.1, 0.01, 120, "EPSG:4326", "bay.tif",
       "bay.tif is in degrees (cells of 0.01 x 0.01, as its coordinate system says), and ria "
       "computes in metres: name the model's system, crs = \"EPSG:32629\" (of ria.dem), or project "
       "it: gdalwarp -t_srs EPSG:32629 -tr 1100 1100 -r bilinear "
       "-dstnodata -9999 bay.tif utm.tif"},
      {174.7, -41.3, 1.0 / 240, 0, "GEOGCS[\"GCS_WGS_1984\"]", "nz.asc.gz",
       "nz.asc.gz is in degrees (cells of 0.004167 x 0.004167, as its .prj says), and ria computes "
       "in metres: name the model's system, crs = \"EPSG:32760\" (of ria.dem), or project it: "
       "gdalwarp -t_srs EPSG:32760 -tr 460 460 -r bilinear "
       "-dstnodata -9999 /vsigzip/nz.asc.gz utm.tif"},
      {5, 5, 1, 0, "Projection    GEOGRAPHIC\nDatum WGS84", "x.asc", project},
      {5, 5, 1, 0, "CRS84", "x.asc", project},
      {5, 5, 1, 0, "EPSG:4289", "x.tif", project}, /* Amersfoort, which is not built in */
      {5, 5, 1, 0, "COMPD_CS[\"a\",GEOGCS[\"b\"],VERT_CS[\"c\"]]", "x.vrt", project},
      {5, 5, 1, 0, "GEODCRS[\"a\"]", "x.vrt", project},
      {5, 5, 1, 0, "GEOGRAPHICCRS[\"a\"]", "x.vrt", project},
      {5, 5, 1, 0, "BOUNDCRS[SOURCECRS[GEOGCRS[\"a\"]],TARGETCRS[GEOGCRS[\"b\"]]]", "x.vrt",
       project},
      {3, 5, 1, 0, "EPSG:4326", NULL,
       "a field is in degrees (cells of 1 x 1, as its coordinate system says), and ria computes in "
       "metres: name the model's system, crs = \"EPSG:32631\" (of ria.dem)"},
      {6e5, 2e6, 100, 0,
       "COMPOUNDCRS[\"a\",PROJCRS[\"ny\",AXIS[\"(E)\",east,LENGTHUNIT[\"US survey foot\","
       "0.304800609601219]]],VERTCRS[\"b\"]]",
       NULL,
       "a field counts x and y in units of 0.3048006096 m (as its coordinate system says), and ria "
       "in metres; take it to a system in metres"},
      {6e5, 2e6, 100, 0,
       "PROJCS[\"ny\",GEOGCS[\"a\",UNIT[\"Degree\",0.017453]],UNIT[\"Foot_US\","
       "0.3048006096012192]]",
       "ny.asc",
       "ny.asc counts x and y in units of 0.3048006096 m (as its coordinate system says), and ria "
       "in "
       "metres; take it to a system in metres, such as the UTM zone of the place: gdalwarp -t_srs "
       "EPSG:32618 ny.asc utm.tif"},
      {6e5, 2e6, 100, 0, "PROJCS[\"ny\",UNIT[\"Meter\",1.0]]", "m.asc", NULL},
      {0, 0, 0.014, 0.05, NULL, "monai.asc", NULL},            /* a flume */
      {-8.9, 42.1, 0.001, 0.003, NULL, "manning.asc", NULL},   /* no heights, and no .prj */
      {500000, 4.6e6, 0.05, 120, NULL, "cliff.asc", NULL},     /* metres */
      {-8.9, 42.1, 0.01, 120, "PROJCS[\"x\"]", "y.asc", NULL}, /* said to be projected */
      {0, 0, 50, 120, NULL, "z.asc", NULL},
  };
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    ria_raster *r = raster_at(row[k].x0, row[k].y0, row[k].cell, row[k].high, row[k].crs);
    const ria_status s = ria_raster_check_metres(ctx, r, row[k].path);
    CHECK_INT(s, row[k].text ? RIA_ERR_INPUT : RIA_OK);
    if (row[k].text && row[k].text != project) CHECK_TEXT(ria_error(ctx), row[k].text);
    ria_raster_destroy(&r);
  }
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) == RIA_OK);
  degrees();
  ria_context_destroy(&ctx);
  return TEST_END();
}
