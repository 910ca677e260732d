/* ria/crs.h - coordinate systems: longitude and latitude to metres on a map, and back.
 *
 * A system is named by text: "EPSG:32632", "EPSG:4326", a URN or web address of EPSG's, "CRS84", or
 * the WKT of a .prj file (as GDAL and ESRI write it, WKT 1 or 2). Built in are longitude and
 * latitude, UTM and national grids of the transverse Mercator kind on some hundred datums, and web
 * Mercator (EPSG:3857), each within 0.1 mm. All others, and changes of datum that shift a place by
 * more than 2 m, are PROJ's, which is loaded where the system has it (libproj 6.1 or later;
 * RIA_PROJ names its file, or "none").
 *
 * x is east and y north whatever order a system's definition has: degrees of longitude and latitude
 * in a geographic system, else metres. Systems in other units are refused. */
#ifndef RIA_CRS_H
#define RIA_CRS_H
#include <ria/status.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ria_crs ria_crs;

/* Read a system; the text is copied. RIA_ERR_ARGUMENT tells what is not understood, and which
 * command converts the data where neither ria nor PROJ knows the system. The caller destroys it,
 * before its context. */
RIA_API ria_status ria_crs_create(ria_context *ctx, const char *text, ria_crs **out);
/* Sets *crs to NULL; NULL is allowed. */
RIA_API void ria_crs_destroy(ria_crs **crs);

/* RIA_ERR_ARGUMENT: text that can be no system, since "EPSG:" is not followed by a number (or two,
 * "EPSG:25832+5783"). Whether the number is known is not asked. */
RIA_API ria_status ria_crs_check(ria_context *ctx, const char *text);

/* "ETRS89 / UTM zone 32N". Owned by the system. */
RIA_API const char *ria_crs_name(const ria_crs *crs);
/* EPSG's code, 0 where it is not known. */
RIA_API int ria_crs_epsg(const ria_crs *crs);
/* Degrees of longitude and latitude, not metres. */
RIA_API bool ria_crs_in_degrees(const ria_crs *crs);
/* Is it built in, or PROJ's? */
RIA_API bool ria_crs_built_in(const ria_crs *crs);

/* Do x and y mean the same place in both, whatever text they were given as? */
RIA_API bool ria_crs_same(const ria_crs *a, const ria_crs *b);

/* How ria_crs_convert goes from one datum to another. */
typedef enum ria_crs_way {
  RIA_CRS_EXACT, /* one datum: exact within 0.1 mm */
  RIA_CRS_NEAR,  /* two datums that agree within about 2 m (ETRS89, NAD83, WGS 84 ...), taken as one
                  */
  RIA_CRS_BY_PROJ /* PROJ chooses the transformation, by what it finds installed */
} ria_crs_way;
RIA_API ria_crs_way ria_crs_way_between(const ria_crs *from, const ria_crs *to);

/* Take n points from one system to the other, in place: x[n] and y[n], degrees or metres. Points
 * that the other system does not reach (a pole in web Mercator, 70 degrees from a central meridian,
 * latitudes beyond 90 degrees) become NaN. RIA_ERR_ARGUMENT: it takes PROJ, and there is none; the
 * message has the command that converts a raster. Then x and y are as they were. */
RIA_API ria_status ria_crs_convert(const ria_crs *from, const ria_crs *to, size_t n, double *x,
                                   double *y);

/* The same between systems that are given as text. */
RIA_API ria_status ria_crs_convert_named(ria_context *ctx, const char *from, const char *to,
                                         size_t n, double *x, double *y);

/* EPSG's code of the UTM zone of WGS 84 that a place lies in, degrees. */
RIA_API int ria_crs_utm(double lon, double lat);
/* A longitude (or latitude) in degrees from text as charts write it: "-8.75", "8.75 W", "8°45'W",
 * "8 45 00 W", "8.75 deg". RIA_ERR_ARGUMENT: it is none. No range is checked. */
RIA_API ria_status ria_parse_degrees(ria_context *ctx, const char *text, bool latitude,
                                     double *out);

#ifdef __cplusplus
}
#endif
#endif
