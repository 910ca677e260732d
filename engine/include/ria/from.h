/* ria/from.h - a simulation that begins where an earlier one was: a hot start.
 *
 *   ria_sim_create, ria_sim_set (bed, and what holds where the earlier run had nothing)
 *     -> ria_sim_from -> ria_boundary_add ... -> ria_sim_run
 *
 * The state comes by name from a frame that the earlier run saved (ria_save_action), on the same
 * grid or on another one: of other cells, another extent, turned. It is no continuation of that run
 * (ria/checkpoint.h is): what is not in the store, such as spills under way, is not known. */
#ifndef RIA_FROM_H
#define RIA_FROM_H
#include <ria/sim.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum ria_from_keep {
  RIA_FROM_AMOUNTS, /* the volume of water and the amounts of tracers */
  RIA_FROM_LEVEL    /* the level and the concentrations, over whatever bed there is now */
} ria_from_keep;

typedef struct ria_from_desc {
  const char *path; /* results of a run ("out/yesterday": its fields.zarr), a store, or a classic
                       netCDF file whose x and y are in metres */
  const char *at;   /* which frame: a date where the store has dates, else the time since t = 0 of
                       the earlier run ("6 h"); NULL = the last */
  ria_from_keep keep;
} ria_from_desc;

/* The date of that frame, for ria_sim_desc.start of a simulation that begins at it; "" where the
 * store has no dates. zone: that of ria_sim_desc, or NULL. 48 bytes hold any. RIA_ERR_INPUT where
 * the store cannot be read, RIA_ERR_ARGUMENT where it has no such frame. */
RIA_API ria_status ria_from_date(ria_context *ctx, const ria_from_desc *desc, const char *zone,
                                 char *buf, size_t size);

/* Set the state of a simulation that was not started yet from that frame, in the cells of which it
 * holds at least half; the others keep what they were set to.
 *
 * Of a solver of flow: depth from `depth` and `level` (one will do; `bed`, saved with either, gives
 * the other), discharges from `qx`, `qy` or `u`, `v`, tracers from their name or `<name>_load`, in
 * the same units. On the same grid and bed the values are set as they are, so of a store in double
 * precision that does not round, with `depth`, `qx`, `qy` and loads (or concentrations), all bits
 * are those of the earlier run. Else the level is taken over where it was wet and the bed of now is
 * filled up to it; with RIA_FROM_AMOUNTS all of it is then shifted by one height, so that the
 * volume is that of the cells before, and each tracer scaled by one factor to its amount. Where
 * only the depth is known it is kept cell by cell. Values come by conservative remapping with
 * limited slopes: io/regrid.h. Of other solvers: every field whose maximum may be kept
 * (ria_field_entry.can_track) and that may be set, its integral kept. A bed that was not set is
 * taken from the store, if it has it.
 *
 * What the store lacks stays as it was set. All of that is told by ria_sim_from_told.
 * RIA_ERR_INPUT: the store cannot be read, lies elsewhere, has other units or coordinates, or
 * nothing of use. RIA_ERR_ARGUMENT: no such frame, a run that has started, a bed that is missing.
 */
RIA_API ria_status ria_sim_from(ria_sim *sim, const ria_from_desc *desc);

/* What was taken, lines for people, as the summary has them; NULL: the run is from nothing. */
RIA_API const char *ria_sim_from_told(const ria_sim *sim);
/* What they should look at: lines, "" = nothing. NULL as above. */
RIA_API const char *ria_sim_from_warnings(const ria_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
