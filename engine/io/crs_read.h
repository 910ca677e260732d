/* io/crs_read.h - a coordinate system from text, as far as it is built in. */
#ifndef RIA_IO_CRS_READ_H
#define RIA_IO_CRS_READ_H
#include "io/crs_def.h"
#include <ria/status.h>

/* The number of "EPSG:n", of a URN or of a web address of EPSG's, or that the words of an old .prj
 * ("Projection GEOGRAPHIC") stand for; 0 for anything else. */
int ria_crs_code(const char *text);
/* RIA_OK and *known = false: well written, as far as one can see, but not built in (why then names
 * that: "it", "the projection 'Bonne'"; why[size]). RIA_ERR_ARGUMENT: WKT that is malformed. */
ria_status ria_crs_read(ria_context *ctx, const char *text, ria_crs_def *out, bool *known,
                        char *why, size_t size);

/* EPSG's number of the system of x and y within WKT, not of that of the heights beside it; 0: none.
 */
int ria_crs_code_within(const char *wkt);

typedef enum ria_crs_axes {
  RIA_CRS_UNTOLD, /* a code that is not built in, words, nothing */
  RIA_CRS_METRES,
  RIA_CRS_DEGREES, /* or another angle */
  RIA_CRS_OTHERS   /* another length */
} ria_crs_axes;
/* What x and y count in, as the tables and the text itself tell. *unit: of a length, m. */
ria_crs_axes ria_crs_axes_of(const char *text, double *unit);
/* The same, and PROJ is asked where these do not tell (crs_convert.c). */
ria_crs_axes ria_crs_counts_in(ria_context *ctx, const char *text, double *unit);
/* RIA_ERR_ARGUMENT: a model's system that counts in degrees or feet. One that nobody can tell of
 * passes. */
ria_status ria_crs_check_metres(ria_context *ctx, const char *text);

#endif
