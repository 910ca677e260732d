/* io/proj.h - PROJ, where it is found at run time: coordinate systems that are not built in.
 *
 * libria does not link libproj: it is loaded when it is needed. RIA_PROJ names the file of another
 * one, or "none". */
#ifndef RIA_IO_PROJ_H
#define RIA_IO_PROJ_H
#include <ria/status.h>

enum { RIA_PROJ_NAME = 128 };

/* Can it be used? If not, why tells: "libproj is not found". */
bool ria_proj_there(char *why, size_t size);
/* PROJ opens the grids and tables of parameters that a text names: within limits it gets codes
 * alone. */
ria_status ria_proj_check_limited(ria_context *ctx, const char *crs);
/* A system's name and whether it counts in degrees of longitude and latitude. RIA_ERR_ARGUMENT: it
 * is unknown to PROJ, or counts neither in degrees nor in metres. *unit: in m or radians, also of
 * what is refused; 0 where it is not known. */
ria_status ria_proj_look(ria_context *ctx, const char *crs, bool *degrees, double *unit,
                         char name[RIA_PROJ_NAME]);
/* x[n], y[n] from one system to another, in place; NaN where there is no way. */
ria_status ria_proj_convert(ria_context *ctx, const char *from, const char *to, size_t n, double *x,
                            double *y);

#endif
