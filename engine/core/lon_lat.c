/* core/lon_lat.c - places of a simulation by longitude and latitude.
 *
 * The systems are looked up when the first place is asked for: most runs have none, and a run may
 * name a system that neither ria nor PROJ knows, for its files alone. */
#include "base/context.h"
#include "core/lon_lat.h"
#include "core/sim.h"
#include "io/crs.h"
#include <ria/crs.h>

#include <math.h>

void ria_lon_lat_free(ria_sim *sim) {
  ria_crs_destroy(&sim->map);
  ria_crs_destroy(&sim->earth);
}

static ria_status look_up(ria_sim *sim) {
  if (!sim->earth) RIA_TRY(ria_crs_create(sim->ctx, "EPSG:4326", &sim->earth));
  return sim->map ? RIA_OK : ria_crs_create(sim->ctx, sim->crs, &sim->map);
}

/* Which to name: the UTM zone of the first place. */
static ria_status fail_without(ria_sim *sim, size_t n, const double *lon, const double *lat) {
  const int code = n && isfinite(lon[0]) && fabs(lat[0]) <= 84.0 ? ria_crs_utm(lon[0], lat[0]) : 0;
  if (!code)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "lon and lat: the run has no coordinate system: name it, crs = \"EPSG:...\"");
  return ria_fail(
      sim->ctx, RIA_ERR_ARGUMENT,
      "lon and lat: the run has no coordinate system: name the one that its x and y are "
      "in, such as crs = \"EPSG:%d\", the UTM zone of this place",
      code);
}

ria_status ria_sim_from_lon_lat(ria_sim *sim, size_t n, double *x, double *y) {
  if (!ria_crs_given(sim->crs)) return fail_without(sim, n, x, y);
  const double lon = n ? x[0] : 0.0, lat = n ? y[0] : 0.0;
  RIA_TRY(look_up(sim));
  RIA_TRY(ria_crs_convert(sim->earth, sim->map, n, x, y));
  if (n != 1 || !isnan(x[0])) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "lon %.10g, lat %.10g lies outside the area of %s",
                  lon, lat, ria_crs_name(sim->map));
}

ria_status ria_sim_to_lon_lat(ria_sim *sim, size_t n, double *x, double *y) {
  if (!ria_crs_given(sim->crs)) return fail_without(sim, 0, x, y);
  RIA_TRY(look_up(sim));
  return ria_crs_convert(sim->map, sim->earth, n, x, y);
}

bool ria_sim_has_lon_lat(ria_sim *sim) {
  if (!ria_crs_given(sim->crs)) return false;
  double x = sim->grid.x0, y = sim->grid.y0;
  const bool there = ria_sim_to_lon_lat(sim, 1, &x, &y) == RIA_OK;
  if (!there) ria_error_clear(sim->ctx);
  return there && isfinite(x) && isfinite(y);
}
