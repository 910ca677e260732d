/* forcing/along.h - values that differ along a boundary: given at points of it. Private. */
#ifndef RIA_FORCING_ALONG_H
#define RIA_FORCING_ALONG_H
#include "forcing/boundary_map.h"
#include "forcing/own_value.h"
#include <ria/boundary.h>
#include <ria/solver.h>

typedef struct ria_along_point {
  double at; /* ria_side_point.at */
  ria_own_value value;
} ria_along_point;

/* One value of a boundary; n = 0: it is the same all along. */
typedef struct ria_side_values {
  ria_along_point *point; /* [n], `at` grows */
  size_t n;
} ria_side_values;

/* More points of a side than any model of the sea has cells are a mistake. */
enum { RIA_ALONG_MOST = 10000 };

/* The points that a description gives for the value `name`; `bound`, for messages: the boundary's
 * name. RIA_ERR_ARGUMENT where a point is far from its side, beside the boundary or at the place of
 * another, or where there are more than RIA_ALONG_MOST. *out is zero before, and can be cleared
 * after a failure. */
ria_status ria_along_take(ria_sim *sim, const char *bound, const ria_place *place,
                          const ria_boundary_desc *desc, const char *name, ria_side_values *out);
ria_status ria_along_copy(ria_sim *sim, const ria_side_values *from, ria_side_values *out);
void ria_along_clear(ria_side_values *a);

/* Where a boundary lies, or is to lie (id 0); without which of its edges it has. */
ria_status ria_along_where(ria_sim *sim, ria_boundary_id id, const ria_boundary_desc *where,
                           ria_place *out);
/* n points on the map along it, each in the middle of its share. */
void ria_along_spread(const ria_grid *grid, const ria_place *place, size_t n, double *x, double *y);

/* Where tides have the same constituents, their speeds are put into the data once. */
struct ria_forcing_build;
ria_status ria_along_build(ria_sim *sim, struct ria_forcing_build *b, const ria_side_values *a,
                           int stretch, int value);

/* Fails unless all have values from t0 to t1: ria_value_check_span. Points are told as they lie on
 * the side, from south or west. */
ria_status ria_along_covers(ria_sim *sim, ria_side side, const ria_side_values *a, const char *what,
                            double t0, double t1);
/* The time, at most `end`, to which they all have values. */
double ria_along_end(const ria_side_values *a, double end);

#endif
