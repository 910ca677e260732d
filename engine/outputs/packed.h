/* outputs/packed.h - fields of a grid in ranks, packed by the ranks that have them. Private.
 *
 * Rank 0 writes a store without ever having a field: each rank compresses the tiles of its rows,
 * and hands over their chunks. */
#ifndef RIA_OUTPUTS_PACKED_H
#define RIA_OUTPUTS_PACKED_H
#include "core/sim.h"
#include "io/zarr.h"

/* On rank 0 while the others serve: the field k of the store, or its running maximum, as it is now,
 * all tiles of it into the store. */
ria_status ria_packed_put(ria_sim *sim, ria_zarr *store, size_t k, const ria_sim_field *f,
                          bool maximum);
/* On the other ranks. */
bool ria_packed_is(const struct ria_packet *asked);
ria_status ria_packed_serve(ria_sim *sim, const struct ria_packet *asked);
/* What a save that failed left behind. */
void ria_packed_free(ria_sim *sim);

#endif
