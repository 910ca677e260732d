/* forcing/tide_model.h - maps of a tidal model at places. Private. */
#ifndef RIA_FORCING_TIDE_MODEL_H
#define RIA_FORCING_TIDE_MODEL_H
#include <ria/tide_model.h>

/* As ria_tide_model_at: in a run with the crs `run` at longitudes and latitudes, NULL: at x and y
 * of the maps. axis[n] (NULL: not asked) gets the direction of the maps' x axis on the run's, east
 * of a map in degrees: counterclockwise from the run's x axis, radians. */
ria_status ria_tide_model_sample(ria_context *ctx, const ria_tide_model *model, const char *run,
                                 size_t n, const double *x, const double *y, double *axis,
                                 ria_tide_points *out);

#endif
