/* outputs/graticule.h - longitudes and latitudes over the domain, for frames. Private. */
#ifndef RIA_OUTPUTS_GRATICULE_H
#define RIA_OUTPUTS_GRATICULE_H
#include "core/sim.h"
#include "io/frame.h"

/* Those of the graticule that the frames ask for. They are found here, for frames are drawn on
 * other threads and PROJ may have to be asked. *out is the caller's, where this fails too. */
ria_status ria_graticule_of(ria_sim *sim, const ria_frame_desc *desc, ria_graticule **out);

#endif
