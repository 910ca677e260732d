/* ria/boundary.h - what happens at the sides of the domain.
 *
 * Every side is the solver's first kind (a wall, for flow) until a boundary is added. A boundary
 * covers a side or a stretch of one; a later one replaces earlier ones where they overlap, which is
 * told (ria_log) unless the earlier one is a whole side. One that is left without edges when the
 * run starts is an error (ria_boundary_check_edges). Kinds, their values and units come from the
 * solver's table: see `ria help <solver>`. */
#ifndef RIA_BOUNDARY_H
#define RIA_BOUNDARY_H
#include <ria/shapes.h>
#include <ria/sim.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { RIA_BOUNDARY_VALUES = 4 };

typedef struct ria_boundary_value {
  const char *name; /* "level", "q", ... as the kind names it */
  ria_value value;
} ria_boundary_value;

/* A value at a point along the boundary: what counts of x, y is where along the side they are. At
 * faces between two points the value lies on the line between theirs, beyond the first and the last
 * it is theirs. Between tides that interpolates the complex amplitudes of their constituents. */
typedef struct ria_boundary_point {
  const char *name; /* of the value, "level" */
  double x, y;      /* m; no farther from the side, or beyond its ends, than the side is long */
  bool by_share;    /* instead of x, y: */
  double share;     /* 0 at the boundary's `from` (of a whole side: in the south or west) to 1 */
  ria_value value;
} ria_boundary_point;

typedef struct ria_boundary_desc {
  const char *name; /* for reports and ria_boundary_find; NULL = side name or "side:n" */
  const char *kind; /* "wall", "open", "level", "discharge", ... */
  /* Where: a whole side, or the stretch of the side from one point to another. Points are snapped
   * to the nearest side; both must be nearest to the same one, within two cells of it. */
  ria_side side;
  bool stretch;
  double from[2], to[2]; /* x, y in m; used when stretch is true */
  /* Or, where not NULL, the edges of one side along lines (in the model's coordinates; read while
   * it is added, not kept): those where the straight line across the side through the middle of the
   * edge meets the lines no farther than `reach` from the side, on either side of it; at least one,
   * the nearest. Points are joined to one line in their order. It is the side that the lines run
   * along; one that they only meet where they run along none. RIA_ERR_ARGUMENT where they run along
   * several (`one_side`: only `side` is asked), or no side is within reach. A stretch that lies on
   * another side than `one_side` says is one, too. */
  const ria_shapes *line;
  double reach; /* m; 0 = the size of a cell across the side */
  bool one_side;
  ria_boundary_value values[RIA_BOUNDARY_VALUES];
  ria_value tracers[RIA_MAX_TRACERS]; /* concentration of what flows in, by tracer index, in
                                         its unit, >= 0 */
  /* For ria_boundary_change, which keeps everything not given (kind NULL, values without a name,
   * the constant 0 as a concentration): bit k says that tracers[k] is meant even if it is 0. */
  unsigned tracers_given;
  /* Values that differ along the boundary, in any order; those of `values` do not. Of a discharge
   * [m^3/s] each point gives that of a piece of the boundary, nearer to it than to the others: they
   * become boundaries of their own, "name.1", "name.2" ... from the south or west, of which
   * ria_boundary_add gives the first. */
  const ria_boundary_point *points; /* [n_points] */
  size_t n_points;
} ria_boundary_desc;

typedef int64_t ria_boundary_id;

/* Add (or, during a run, add at the present time) a boundary. */
RIA_API ria_status ria_boundary_add(ria_sim *sim, const ria_boundary_desc *desc,
                                    ria_boundary_id *id);
/* Change the kind or the values of one that exists, in place. Where it lies cannot change: a line,
 * a stretch or, with one_side, a side that is not its own is RIA_ERR_ARGUMENT. Allowed during a
 * run, from events. */
RIA_API ria_status ria_boundary_change(ria_sim *sim, ria_boundary_id id,
                                       const ria_boundary_desc *desc);
/* One boundary as it lies. */
typedef struct ria_boundary_entry {
  const char *name, *kind;
  ria_side side;
  int edges;             /* that it has: others may cover some of it */
  double from[2], to[2]; /* x, y of its ends in the south or west and in the north or east, m */
} ria_boundary_entry;
/* The i-th of those that were added and have edges, in their order; false beyond the last. Pointers
 * hold until the next change. */
RIA_API bool ria_boundary_list(const ria_sim *sim, size_t i, ria_boundary_entry *out);
/* Once all are added: RIA_ERR_ARGUMENT, with what covers it, where the boundary of that name, or a
 * piece of it (NULL: any boundary), has lost all its edges to later ones and so lets nothing
 * through. A side under its own name may lie under stretches, unless it has a discharge, and may be
 * given again. The start of a run (ria_sim_start, or the first call that runs) asks it of all,
 * before the events at t = 0; what is added later, by events or between steps, may cover others
 * wholly. */
RIA_API ria_status ria_boundary_check_edges(ria_sim *sim, const char *name);
/* By name. RIA_ERR_ARGUMENT with the nearest. */
RIA_API ria_status ria_boundary_find(ria_sim *sim, const char *name, ria_boundary_id *id);
/* What went through since the start, in and out, both >= 0: volume [m^3], or the amount of a tracer
 * in the unit of its amounts [kg, cfu ...]. Of a side that lies in pieces: through all of them.
 * quantity: one of the solver's own ("water") or a tracer; NULL = the first. */
RIA_API ria_status ria_boundary_flux(ria_sim *sim, ria_boundary_id id, const char *quantity,
                                     double *in, double *out);

#ifdef __cplusplus
}
#endif
#endif
