/* forcing/forcing.h - boundaries, spills and the flat forcing handed to a solver. Private.
 *
 * The descriptions are kept as they were given, with copies of their series. Whenever one changes
 * (or, before the first step, a field), `sim->unforced` is set; before the next step everything is
 * flattened into one ria_forcing_set and handed over whole by ops->force. */
#ifndef RIA_FORCING_FORCING_H
#define RIA_FORCING_FORCING_H
#include "core/sim.h"
#include "forcing/along.h"
#include "forcing/boundary_map.h"
#include "forcing/own_value.h"
#include "forcing/relax.h"
#include <ria/event.h>
#include <ria/shapes.h>
#include <ria/solver.h>

/* One stretch as described. The first RIA_SIDES are the sides as a whole. */
typedef struct ria_bound {
  char *name;
  int kind;
  ria_side side;
  size_t stem; /* of a piece: the length of the name that all of them were given; else 0 */
  ria_boundary_id whole; /* of the side that it is a piece of; 0: of none */
  ria_own_value value[RIA_BOUNDARY_VALUES];
  ria_side_values along[RIA_BOUNDARY_VALUES]; /* in place of those that differ along it */
  ria_own_value tracer[RIA_MAX_TRACERS];
} ria_bound;

typedef enum ria_release_state {
  RIA_RELEASE_WAITS,
  RIA_RELEASE_RUNS,
  RIA_RELEASE_DONE
} ria_release_state;

/* A spill as described and, once it has begun, the cells that share it. */
typedef struct ria_release {
  ria_handle handle;
  char *name;
  int quantity; /* what `mass` and `rate` are of */
  double x, y, radius;
  /* Over shapes: what they are called, their cells [n_area] and what each has of them; else NULL.
   */
  char *place;
  int32_t *area;
  double *part;
  int n_area;
  double start, stop; /* stop: INFINITY = the end of the run; start = stop: at once */
  double mass;        /* kg (or in the quantity's unit), of a release at once */
  bool has_rate, has_flow;
  ria_own_value rate, flow; /* of the quantity (kg/s of a tracer, m^3/s of water); m^3/s of the
                               water that the tracer comes in */
  ria_release_state state;
  bool never;               /* cancelled before it began: told nowhere */
  ria_handle starts, stops; /* events; 0 when there is none (any more) */
  double released;          /* as mass, once it is done */
  int n;
  int32_t *cell;  /* [n] */
  double *weight; /* [n] */
} ria_release;

/* A parameter that may change in time. */
typedef struct ria_varying {
  const ria_param_info *info;
  ria_own_value value;
} ria_varying;

typedef struct ria_forcing_state {
  ria_bound *bound; /* [n] stretches */
  ria_place *place; /* [n - RIA_SIDES] */
  size_t n, room;
  ria_boundary_map map;
  ria_release **release; /* [n_releases] */
  size_t n_releases, releases_room;
  ria_varying *varying; /* [n_varying] in the order of the solver's table */
  int n_varying;
  ria_layer **layer; /* [n_layers] */
  size_t n_layers, layers_room;
  ria_handle failed; /* the spill that last found no water; 0 = none did */
} ria_forcing_state;

/* forcing.c */
ria_status ria_forcing_init(ria_sim *sim);
void ria_forcing_free(ria_sim *sim);
/* Where a boundary that exists lies. */
ria_status ria_forcing_place(ria_sim *sim, ria_boundary_id id, ria_place *out);
/* Fails where a boundary has no cell of the domain. */
ria_status ria_forcing_check_inside(ria_sim *sim);
/* The solver's kind of that name, its index; the index of a kind's value, -1: it has none. */
ria_status ria_kind_find(ria_sim *sim, const char *name, int *out);
int ria_kind_value(const ria_boundary_kind *kind, const char *name);
/* Take what a description names: values of the kind, and concentrations. Others keep what `keep`
 * has, or the default (keep NULL). */
ria_status ria_bound_take_values(ria_sim *sim, ria_bound *b, const ria_bound *keep,
                                 const ria_place *place, const ria_boundary_desc *desc);
ria_status ria_bound_take_tracers(ria_sim *sim, ria_bound *b, const ria_bound *keep,
                                  const ria_boundary_desc *desc);
/* What a boundary there is to be called, malloc'ed. RIA_ERR_ARGUMENT where the name is taken. */
ria_status ria_bound_name(ria_sim *sim, const ria_boundary_desc *desc, ria_side side, char **out);
/* Add one boundary, at `at` (which it takes over) or, where that has no cells, as desc says. whole:
 * the side that it is a piece of, or 0. */
ria_status ria_boundary_add_at(ria_sim *sim, const ria_boundary_desc *desc, ria_place at,
                               ria_boundary_id whole, ria_boundary_id *id);
/* Keep the first n boundaries alone. */
ria_status ria_boundary_take_back(ria_sim *sim, size_t n);

/* boundary_pieces.c */
/* The value of which each point has a piece of the boundary; NULL: there is none. */
const char *ria_pieces_value(const ria_sim *sim, const ria_boundary_desc *desc);
ria_status ria_boundary_add_pieces(ria_sim *sim, const ria_boundary_desc *desc, const char *value,
                                   ria_boundary_id *id);
/* Fails where the side lies in pieces, which change one by one. */
ria_status ria_pieces_check_none(ria_sim *sim, ria_boundary_id id);
/* Is it one of the pieces of what was given this name? */
bool ria_is_piece_of(const ria_bound *b, const char *name);
/* boundary_overlap.c */
/* Tell which boundaries lose edges to a new one, but whole sides. */
ria_status ria_boundary_overlaps(ria_sim *sim, const char *name, const ria_place *place);
/* boundary_list.c */
/* The ends of the cells that the stretch owns, from the first to the last, x and y; it owns some.
 */
void ria_bound_ends(const ria_sim *sim, size_t i, double from[2], double to[2]);
/* What passed each stretch since the start, as the solver counts it, [n][n_quantities] each. One
 * piece of memory: the caller frees *in. */
ria_status ria_forcing_fluxes(ria_sim *sim, double **in, double **out);
/* Hand over what changed; the solver is then up to date. */
ria_status ria_forcing_sync(ria_sim *sim);
/* covers.c: fails unless every series in use has values from t0 to t1, naming the one that has not.
 */
ria_status ria_forcing_covers(ria_sim *sim, double t0, double t1);
/* The time to which they all have values. */
double ria_forcing_cover_end(const ria_sim *sim);

/* spill.c */
/* Append the sources that run now, with their forcing, to the arrays being built. */
typedef struct ria_forcing_build {
  ria_forcing *entry;
  size_t n, room;
  ria_doubles data;
  ria_source *source;
  size_t n_sources;
  ria_side_point *point;
  size_t n_points, points_room;
  ria_relax *relax;
  size_t n_relax;
} ria_forcing_build;
ria_status ria_forcing_build_value(ria_sim *sim, ria_forcing_build *b, const ria_own_value *v,
                                   int *id);
ria_status ria_release_build(ria_sim *sim, ria_forcing_build *b);
/* A release as described, checked but not asked for: ria_release_free ends it. */
ria_status ria_release_describe(ria_sim *sim, const ria_spill_desc *desc, ria_release **out);
void ria_release_free(ria_release *r);
/* That a point is of the domain, whose cells the bed says; it may come after the spill was told. */
ria_status ria_release_check_inside(ria_sim *sim, const char *name, double x, double y);
/* Which cells share the release at the present time; the arrays are the caller's. */
ria_status ria_release_cells(ria_sim *sim, const ria_release *r, int32_t **cell, double **weight,
                             int *n);
/* Cells of the disc or the shapes; the array is the caller's. */
ria_status ria_release_disc(ria_sim *sim, const ria_release *r, int32_t **cells, int *n);
/* spill_shapes.c */
/* Its cells are those of the shapes, and its centre is theirs. */
ria_status ria_release_take_shapes(ria_sim *sim, ria_release *r, const ria_shapes *shapes);
/* Those of the domain; the array is the caller's. */
ria_status ria_release_shape_cells(ria_sim *sim, const ria_release *r, int32_t **cells, int *n);
/* What a cell has of the shapes, 1 for a disc. Cells in their order, *at = 0 before the first. */
double ria_release_part(const ria_release *r, int32_t cell, int *at);
/* "at (3, 4)", "in basin.geojson", "within 5 m of (3, 4)" */
void ria_release_place(const ria_release *r, char *text, size_t size);
/* The wet cell next to its centre, and how far that is; *distance < 0: no cell is wet. */
ria_status ria_release_nearest(ria_sim *sim, const ria_release *r, int *wet_i, int *wet_j,
                               double *distance);
/* Of a quantity of the solver's own, as water is. */
bool ria_release_is_own(const ria_sim *sim, const ria_release *r);
/* Whether it comes with water of its own, by itself or with a tracer in it. */
bool ria_release_brings_water(const ria_sim *sim, const ria_release *r);
/* Whether an action is that of a release: its beginning or its end. */
bool ria_is_release_event(ria_event_fn fn);
double ria_release_so_far(const ria_sim *sim, const ria_release *r);
/* False when the handle is not that of a spill still to come or under way. */
bool ria_release_cancel(ria_sim *sim, ria_handle handle);
void ria_releases_free(ria_sim *sim);

/* varying.c */
ria_status ria_varying_init(ria_sim *sim);
void ria_varying_free(ria_sim *sim);
/* Append their values; id[n_varying] receives the forcing ids. */
ria_status ria_varying_build(ria_sim *sim, ria_forcing_build *b, int *id);
/* As ria_forcing_covers and ria_forcing_cover_end, of these alone. */
ria_status ria_varying_covers(ria_sim *sim, double t0, double t1);
double ria_varying_cover_end(const ria_sim *sim);
/* Value at the present time of any parameter; does it follow a series? */
double ria_varying_now(const ria_sim *sim, const ria_param_info *info);
bool ria_varying_follows(const ria_sim *sim, const ria_param_info *info);

/* unreached.c */
/* "2 events after the end of the run never happened: ..."; "" where none is left, or where the run
 * did not come to its end. */
void ria_tell_unreached(const ria_sim *sim, char *text, size_t size);

#endif
