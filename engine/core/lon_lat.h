/* core/lon_lat.h - places of a simulation by longitude and latitude: its own side of ria/sim.h. */
#ifndef RIA_CORE_LON_LAT_H
#define RIA_CORE_LON_LAT_H
#include <ria/sim.h>

void ria_lon_lat_free(ria_sim *sim);
/* Whether its places have a longitude and latitude: it names a coordinate system that ria or PROJ
 * can convert. No error is left. */
bool ria_sim_has_lon_lat(ria_sim *sim);

#endif
