/* io/crs_def.h - coordinate systems that are built in: their numbers, by EPSG code.
 *
 * Longitude and latitude on a datum, transverse Mercator on one (UTM and national grids of that
 * kind), web Mercator. Axes are east and north whatever order EPSG names them in. */
#ifndef RIA_IO_CRS_DEF_H
#define RIA_IO_CRS_DEF_H
#include <stdbool.h>
#include <stddef.h>

typedef struct ria_datum {
  int code;          /* EPSG's of its longitude and latitude */
  const char *name;  /* "ETRS89" */
  const char *datum; /* as WKT 1 has it: "European_Terrestrial_Reference_System_1989" */
  const char *esri;  /* as a .prj has it, without D_: "ETRS_1989" */
  const char *ellipsoid;
  double a, inverse_flattening; /* of the ellipsoid: m, 1 */
  bool near; /* within about 2 m of WGS 84: EPSG has a null transformation for it */
} ria_datum;

typedef enum ria_projection {
  RIA_LON_LAT,
  RIA_TRANSVERSE_MERCATOR,
  RIA_WEB_MERCATOR
} ria_projection;

typedef struct ria_crs_def {
  ria_projection kind;
  int epsg;               /* 0: none */
  const ria_datum *datum; /* NULL: one that is not in the table, on the ellipsoid below */
  bool near;              /* as in ria_datum */
  double a, inverse_flattening;
  double lat0, lon0;  /* origin, deg */
  double k0;          /* scale on the central meridian */
  double east, north; /* false easting and northing, m */
} ria_crs_def;

/* The system of an EPSG code; false: not built in. */
bool ria_crs_def_of(int epsg, ria_crs_def *out);
/* The k-th datum; NULL past the last one. */
const ria_datum *ria_datum_at(size_t k);
/* The datum whose longitude and latitude have an EPSG code, or that a WKT calls so; or NULL. */
const ria_datum *ria_datum_of(int epsg);
const ria_datum *ria_datum_named(const char *name);
/* The code of the system in the tables that has these parameters; 0: none has. */
int ria_crs_code_of(const ria_crs_def *def);
/* Take a datum's name and ellipsoid into a definition. */
void ria_crs_def_on(ria_crs_def *def, const ria_datum *datum);
/* "ETRS89 / UTM zone 32N", "OSGB36 / transverse Mercator 2W", "WGS 84". 96 bytes hold any. */
void ria_crs_def_name(const ria_crs_def *def, char *buf, size_t size);
/* crs_units.c: what x and y of a projected system count in, m, by its code, where that is not
 * metres; 0: metres, or not known. */
double ria_crs_unit_of(int code);
/* The k-th code of a projected system that is built in; 0 past the last one. For tests. */
int ria_crs_code_at(size_t k);

#endif
