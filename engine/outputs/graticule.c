/* outputs/graticule.c - longitudes and latitudes over the domain, for frames. */
#include "outputs/graticule.h"
#include "base/context.h"
#include "io/crs.h"

ria_status ria_graticule_of(ria_sim *sim, const ria_frame_desc *d, ria_graticule **out) {
  if (!(d->graticule_step >= 0.0) || d->graticule_step > 90.0)
    return ria_fail(
        sim->ctx, RIA_ERR_ARGUMENT,
        "frames of '%s': the graticule's step is %g degrees, it must be 0 (chosen) to 90", d->field,
        d->graticule_step);
  if (!ria_crs_given(sim->crs))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "frames of '%s': a graticule needs the run's coordinate system: crs = "
                    "\"EPSG:...\"",
                    d->field);
  ria_graticule *g = *out = ria_graticule_nodes(&sim->grid, d->graticule_step);
  if (!g) return ria_fail_memory(sim->ctx, "a graticule", sizeof *g);
  RIA_TRY(ria_sim_to_lon_lat(sim, (size_t)g->n * (size_t)g->n, g->x, g->y));
  return ria_graticule_settle(sim->ctx, g);
}
