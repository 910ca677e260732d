/* ria/tide_model.h - maps of a tidal model: the constituents of a side of the domain.
 *
 * A model has, for each constituent, a map of amplitude and phase (rasters of any kind that
 * ria_raster_read takes, or a netCDF file as FES has them), or all of them are in a file of OTIS
 * (TPXO and the regional models of Oregon State). Maps are read where a boundary needs them, one
 * after another, and sampled as complex amplitudes A e^(-iG): bilinear between the centres of
 * cells. A cell without data takes what the nearest one with data has, up to 20 cells away, and
 * that is told (ria_log). */
#ifndef RIA_TIDE_MODEL_H
#define RIA_TIDE_MODEL_H
#include <ria/boundary.h>
#include <ria/series.h>
#ifdef __cplusplus
extern "C" {
#endif

/* What is sampled. Of maps it changes nothing but messages: they are of whatever they are of. */
typedef enum ria_tide_of { RIA_TIDE_LEVEL, RIA_TIDE_U, RIA_TIDE_V } ria_tide_of;

typedef struct ria_tide_map {
  const char *name;      /* the constituent, "M2" */
  const char *amplitude; /* file of the raster */
  const char *phase;     /* lag behind Greenwich, degrees. NULL: `amplitude` is a netCDF file with
                            the variables amplitude and phase, and GDAL reads it */
} ria_tide_map;

typedef struct ria_tide_model {
  const ria_tide_map *map; /* [n_maps] */
  size_t n_maps;
  double unit; /* of amplitudes in maps: m, or m/s of currents; 0.01 where they are in cm; 0 = 1 */
  /* Instead of maps: a file of OTIS. Of a file of levels `of` is RIA_TIDE_LEVEL; of one of
   * transports it is u or v, m^2/s, or m/s with the model's grid file, which has its depths. */
  const char *otis;
  const char *depth;
  ria_tide_of of;
  const char *const *only; /* [n_only] constituents to take; NULL = all */
  size_t n_only;
} ria_tide_model;

/* At n places: longitudes and latitudes, degrees on WGS 84, or where `degrees` is false x and y of
 * the maps themselves. out: a point for each, with its constituents; the caller's, empty on
 * failure. RIA_ERR_INPUT: a file that is not as it must be, a place outside a map or with nothing
 * but land around it. */
RIA_API ria_status ria_tide_model_at(ria_context *ctx, const ria_tide_model *model, bool degrees,
                                     size_t n, const double *x, const double *y,
                                     ria_tide_points *out);

enum { RIA_TIDE_MODEL_POINTS = 401 };
/* Along a boundary: at the middle of each of its cells, or at RIA_TIDE_MODEL_POINTS of its length,
 * as far from each other. id: one that exists; 0: `where` says where it is to be, as
 * ria_boundary_add reads it. x and y of the points are the map's, for ria_boundary_point. Maps that
 * name no coordinate system are in degrees in a run with a crs, else in the run's own metres. */
RIA_API ria_status ria_tide_model_along(ria_sim *sim, ria_boundary_id id,
                                        const ria_boundary_desc *where, const ria_tide_model *model,
                                        ria_tide_points *out);
/* The same of currents: `east` and `north` are two models, whose components run east and north, or
 * along the axes of a map in metres; u and v get them turned onto the axes of the run's grid, by
 * its angle and by the map's convergence at each point. Both have the same constituents. u and v
 * are empty on failure. */
RIA_API ria_status ria_tide_currents_along(ria_sim *sim, ria_boundary_id id,
                                           const ria_boundary_desc *where,
                                           const ria_tide_model *east, const ria_tide_model *north,
                                           ria_tide_points *u, ria_tide_points *v);

#ifdef __cplusplus
}
#endif
#endif
