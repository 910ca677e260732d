/* ria/relax.h - layers in which the flow is drawn to a given one: sponges that let waves out, and
 * nesting in the results of a larger model.
 *
 * In the cells of a layer level, velocities and concentrations follow d phi/dt = -K (phi - target),
 * with K = (1 - d / width)^2 / time at the distance d from the side; cells on the side itself are
 * held at the target, whatever kind of boundary is behind them. Of a layer at shapes d is the
 * distance from the nearest of them, 0 within polygons, and cells that a line touches are held: so
 * an edge of the domain that runs anywhere has its sponge. Of one by a map K is the map's value
 * over `time`. This is flow relaxation (Davies, Q.
 * J. R. Meteorol. Soc. 102, 1976, 405-418; Martinsen and Engedahl, Coastal Engineering 11, 1987,
 * 603-627). A long wave of speed c = sqrt(g h) that goes in and comes back is left with exp(-2
 * width / (3 c time)) of its height where level and velocities have targets both. Dry cells are
 * left alone, and a level below the bed drains a cell. What a layer gives and takes is in the
 * budget's column `sources`. What a larger model saved may drive a boundary's level and current,
 * too (ria_nest_along). */
#ifndef RIA_RELAX_H
#define RIA_RELAX_H
#include <ria/boundary.h>
#ifdef __cplusplus
extern "C" {
#endif

/* What is saved of a larger model: a store of ria's (ria/output.h) whose grid is around the layer,
 * or a classic netCDF file (CDF-1, CDF-2, CDF-5) of variables of (time,) y, x; there x and y may be
 * longitude and latitude, degrees, which takes a crs of the simulation, and level, u, v may be
 * known by their CF standard names; currents are then those to the true east and north. Its fields
 * are taken by name: level [m], u, v [m/s], and the tracers of this simulation, in the same units;
 * of what it lacks nothing is taken. Times are those of the run; where either run has dates the
 * other must have some, and they count. Between frames values are linear in time, between cells
 * bilinear, of those that are wet. Two frames at a time are in memory. */
typedef struct ria_nest_desc {
  const char *path; /* results of a run ("out/coarse": its fields.zarr), a store, or a .nc; NULL:
                       none */
} ria_nest_desc;

enum { RIA_RELAX_LEVEL, RIA_RELAX_U, RIA_RELAX_V, RIA_RELAX_FLOW };

typedef struct ria_relax_desc {
  const char *name; /* for messages; NULL = "layer 1" ... */
  bool side[4];     /* by ria_side: along which sides; where two meet the stronger K holds */
  /* Or, where not NULL (both are read while it is added, not kept): around shapes, in the model's
   * coordinates; or cell by cell, [ny][nx], 0 to 1, NaN as 0. */
  const ria_shapes *shapes;
  const double *map;
  double width; /* m, > 0; 0 with polygons: within them alone; 0 with a map */
  double time;  /* s, > 0: 1 / K towards the side */
  /* Targets: bit k of `given` says that flow[k] counts, bit k of tracers_given that tracers[k]
   * does. Without one a velocity or a concentration stays as it is when the level is drawn. */
  ria_value flow[RIA_RELAX_FLOW];
  unsigned given;
  ria_value tracers[RIA_MAX_TRACERS]; /* in the tracer's unit, >= 0 */
  unsigned tracers_given;
  ria_nest_desc nest; /* gives those of the others that it has */
} ria_relax_desc;

/* Add a layer, for good, before the run or from an event. Where layers overlap they act one after
 * another. RIA_ERR_ARGUMENT where the solver has no layers or nothing is given; RIA_ERR_INPUT where
 * a store cannot be read, is of another place, or does not hold the present time. Everything is
 * copied; a store is read on as the run goes on. */
RIA_API ria_status ria_relax_add(ria_sim *sim, const ria_relax_desc *desc);

/* What a store holds, in a line: "level, u, v, oil: 37 frames, 0 s to 36 h, 160 x 160 cells of
 * 131.25 m". RIA_ERR_INPUT where it cannot be read. */
RIA_API ria_status ria_nest_tell(ria_context *ctx, const ria_nest_desc *desc, char *text,
                                 size_t size);

/* A level or a current of a larger model along a boundary: a table in time at each of its points,
 * for ria_series_table and ria_boundary_point. */
typedef struct ria_nest_line {
  size_t n, n_times;
  double *x, *y; /* [n] on the map, on the side itself */
  double *t;     /* [n_times] s of the run */
  double *v;     /* [n][n_times] */
} ria_nest_line;

enum { RIA_NEST_POINTS = 401 };
/* At the middle of each edge of the boundary, or at RIA_NEST_POINTS of its length, as far from each
 * other; from the frame at or before the present to the last one. of: RIA_RELAX_LEVEL, and
 * RIA_RELAX_U or RIA_RELAX_V along the axes of the grid. Where the larger model is dry in a frame
 * the value lies on the line between those of the nearest wet points on either side along the
 * boundary. id and where: as of ria_tide_model_along. RIA_ERR_INPUT as of ria_relax_add, where the
 * store has no such field, or has a frame that is dry all along; *out is empty on failure. */
RIA_API ria_status ria_nest_along(ria_sim *sim, ria_boundary_id id, const ria_boundary_desc *where,
                                  const ria_nest_desc *desc, int of, ria_nest_line *out);
RIA_API void ria_nest_line_free(ria_nest_line *line);

#ifdef __cplusplus
}
#endif
#endif
