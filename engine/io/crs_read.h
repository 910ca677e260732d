/* io/crs_read.h - a coordinate system from text, as far as it is built in. */
#ifndef RIA_IO_CRS_READ_H
#define RIA_IO_CRS_READ_H
#include "io/crs_def.h"
#include <ria/status.h>

/* The number of "EPSG:n", of a URN or of a web address of EPSG's; 0 for anything else. */
int ria_crs_code(const char *text);
/* RIA_OK and *known = false: well written, as far as one can see, but not built in (why then names
 * that: "it", "the projection 'Bonne'"; why[size]). RIA_ERR_ARGUMENT: WKT that is malformed. */
ria_status ria_crs_read(ria_context *ctx, const char *text, ria_crs_def *out, bool *known,
                        char *why, size_t size);

/* How many metres a unit of x and y is, as the WKT of a projected system says; 1 where it does not.
 */
double ria_crs_unit(const char *text);

#endif
