/* forcing/boundary_map.c - where boundaries lie: from points on the map to cells of a side.
 *
 * A stretch is given by two points near a side. Of the sides that are near to both, it lies on the
 * one that the farther point is nearest to, so that a stretch from a corner goes along the side it
 * runs on, not across. On that side only the coordinate along it counts. The geometry is in the
 * grid's own coordinates; points come, and are told, on the map. */
#include "forcing/boundary_map.h"

#include "base/context.h"
#include "base/grid.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR_CELLS = 2 }; /* a point may be this many cells off its side */

/* --- geometry of the sides -------------------------------------------------------------------- */

ria_side_line ria_side_line_of(const ria_grid *g, ria_side side) {
  double east = g->x0 + g->nx * g->dx, north = g->y0 + g->ny * g->dy;
  switch (side) {
  case RIA_WEST:
    return (ria_side_line){1, g->ny, g->y0, g->dy, g->x0, g->dx};
  case RIA_EAST:
    return (ria_side_line){1, g->ny, g->y0, g->dy, east, g->dx};
  case RIA_SOUTH:
    return (ria_side_line){0, g->nx, g->x0, g->dx, g->y0, g->dy};
  default:
    return (ria_side_line){0, g->nx, g->x0, g->dx, north, g->dy};
  }
}

/* How far a point is from the line a side lies on, and beyond the side's ends, m. */
static double off(const ria_side_line *line, const double p[2]) {
  return fabs(p[1 - line->along] - line->at);
}

static double beyond(const ria_side_line *line, const double p[2]) {
  double s = p[line->along] - line->origin, length = line->n * line->d;
  return s < 0.0 ? -s : s > length ? s - length : 0.0;
}

static bool is_near(const ria_side_line *line, const double p[2]) {
  const double reach = NEAR_CELLS * (1.0 + 1e-9);
  return off(line, p) <= reach * line->across && beyond(line, p) <= reach * line->d;
}

static ria_side nearest_side(const ria_grid *g, const double p[2], double *how_far) {
  ria_side best = RIA_WEST;
  *how_far = INFINITY;
  for (int side = 0; side < RIA_SIDES; side++) {
    ria_side_line line = ria_side_line_of(g, (ria_side)side);
    double d = hypot(off(&line, p), beyond(&line, p));
    if (!(d < *how_far)) continue;
    *how_far = d;
    best = (ria_side)side;
  }
  return best;
}

/* Of the sides that both points are near to, the one whose line the farther point is nearest to;
 * RIA_SIDES when there is none. */
static ria_side common_side(const ria_grid *g, const double a[2], const double b[2]) {
  ria_side best = RIA_SIDES;
  double least = INFINITY;
  for (int side = 0; side < RIA_SIDES; side++) {
    ria_side_line line = ria_side_line_of(g, (ria_side)side);
    double d = fmax(off(&line, a), off(&line, b));
    if (!is_near(&line, a) || !is_near(&line, b) || !(d < least)) continue;
    least = d;
    best = (ria_side)side;
  }
  return best;
}

/* The two points of a stretch, on the map and along the grid's own axes. */
typedef struct ends {
  const double *from, *to;
  double a[2], b[2];
} ends;

static ends ends_of(const ria_grid *g, const ria_boundary_desc *d) {
  ends e = {d->from, d->to, {d->from[0], d->from[1]}, {d->to[0], d->to[1]}};
  ria_grid_from_map(g, &e.a[0], &e.a[1]);
  ria_grid_from_map(g, &e.b[0], &e.b[1]);
  return e;
}

/* --- resolving a stretch ---------------------------------------------------------------------- */

static const char *const size_name[2] = {"dx", "dy"};

static ria_status check_finite(ria_context *ctx, const char *which, const double p[2]) {
  if (isfinite(p[0]) && isfinite(p[1])) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "boundary: its '%s' point (%g, %g) must have finite coordinates", which, p[0],
                  p[1]);
}

/* Each point on its own must be near some side. own: along the grid's axes. */
static ria_status check_near(ria_context *ctx, const ria_grid *g, const char *which,
                             const double p[2], const double own[2]) {
  if (common_side(g, own, own) != RIA_SIDES) return RIA_OK;
  double d;
  ria_side side = nearest_side(g, own, &d);
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "boundary: its '%s' point (%.10g, %.10g) is %.4g m from the nearest side, %s: at "
                  "most %d cells (%g m) are allowed",
                  which, p[0], p[1], d, ria_side_name(side), NEAR_CELLS,
                  NEAR_CELLS * ria_side_line_of(g, side).across);
}

static ria_status on_two_sides(ria_context *ctx, const ria_grid *g, const ends *e) {
  double d;
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "boundary: from (%.10g, %.10g) on the %s side to (%.10g, %.10g) on the %s side: "
                  "a stretch lies along one side; use two boundaries",
                  e->from[0], e->from[1], ria_side_name(nearest_side(g, e->a, &d)), e->to[0],
                  e->to[1], ria_side_name(nearest_side(g, e->b, &d)));
}

static int clamp_cell(double s, int n) { return s <= 0.0 ? 0 : s >= n - 1 ? n - 1 : (int)s; }

/* "x = 10 to 20"; of a turned grid two points. */
static void tell_cell(const ria_grid *g, const ria_side_line *line, int k, char *text,
                      size_t size) {
  double p[2][2];
  for (int e = 0; e < 2; e++) {
    p[e][line->along] = line->origin + (k + e) * line->d;
    p[e][1 - line->along] = line->at;
    ria_grid_to_map(g, &p[e][0], &p[e][1]);
  }
  if (g->angle == 0.0)
    ria_format(text, size, "%c = %.10g to %.10g", "xy"[line->along], p[0][line->along],
               p[1][line->along]);
  else
    ria_format(text, size, "(%.10g, %.10g) to (%.10g, %.10g)", p[0][0], p[0][1], p[1][0], p[1][1]);
}

static ria_status covers_no_cell(ria_context *ctx, const ria_grid *g, const ria_side_line *line,
                                 ria_side side, const ends *e, double middle) {
  char cell[128];
  tell_cell(g, line, clamp_cell(floor(middle), line->n), cell, sizeof cell);
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "boundary: from (%.10g, %.10g) to (%.10g, %.10g) covers the centre of no cell of "
                  "the %s side (%s = %g m): the nearest cell is from %s",
                  e->from[0], e->from[1], e->to[0], e->to[1], ria_side_name(side),
                  size_name[line->along], line->d, cell);
}

/* The cells of a side whose centres lie between the two points. A hair is allowed for, so that
 * points given as centres count whatever their rounding. */
static ria_status cover(ria_context *ctx, const ria_grid *g, ria_side side, const ends *e,
                        ria_place *out) {
  const double hair = 1e-6; /* cells */
  const ria_side_line of = ria_side_line_of(g, side), *const line = &of;
  double a = (e->a[line->along] - line->origin) / line->d;
  double b = (e->b[line->along] - line->origin) / line->d;
  double first = ceil(fmin(a, b) - 0.5 - hair), last = floor(fmax(a, b) - 0.5 + hair);
  if (first > last || last < 0.0 || first > line->n - 1)
    return covers_no_cell(ctx, g, line, side, e, 0.5 * (a + b));
  int i = clamp_cell(first, line->n);
  *out = (ria_place){
      .side = side, .first = i, .count = clamp_cell(last, line->n) - i + 1, .back = a > b};
  return RIA_OK;
}

ria_status ria_place_resolve(ria_context *ctx, const ria_grid *grid, const ria_boundary_desc *desc,
                             ria_place *out) {
  if (desc->line) return ria_place_by_line(ctx, grid, desc, out);
  if (!desc->stretch) {
    if ((unsigned)desc->side >= RIA_SIDES)
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "boundary: side %d is none of west, east, south, north", (int)desc->side);
    *out = (ria_place){.side = desc->side, .count = ria_side_length(grid, desc->side)};
    return RIA_OK;
  }
  RIA_TRY(check_finite(ctx, "from", desc->from));
  RIA_TRY(check_finite(ctx, "to", desc->to));
  const ends e = ends_of(grid, desc);
  RIA_TRY(check_near(ctx, grid, "from", desc->from, e.a));
  RIA_TRY(check_near(ctx, grid, "to", desc->to, e.b));
  ria_side side = common_side(grid, e.a, e.b);
  if (side == RIA_SIDES) return on_two_sides(ctx, grid, &e);
  if (desc->one_side && side != desc->side)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "boundary: from and to lie on the %s side, and it is to be on the %s one: "
                    "leave `side` out, or give points of that side",
                    ria_side_name(side), ria_side_name(desc->side));
  return cover(ctx, grid, side, &e, out);
}

double ria_along_side(const ria_grid *grid, ria_side side, const double p[2], double *how_off,
                      double *how_beyond, double *length) {
  const ria_side_line line = ria_side_line_of(grid, side);
  double own[2] = {p[0], p[1]};
  ria_grid_from_map(grid, &own[0], &own[1]);
  *how_off = off(&line, own);
  *how_beyond = beyond(&line, own);
  *length = line.n * line.d;
  return (own[line.along] - line.origin) / line.d;
}

void ria_place_clear(ria_place *place) {
  free(place->takes);
  *place = (ria_place){0};
}

/* --- the map ---------------------------------------------------------------------------------- */

static void paint(ria_boundary_map *map, const ria_place *place, int32_t stretch) {
  for (int k = place->first; k < place->first + place->count; k++) {
    if (!ria_place_has(place, k)) continue;
    int32_t *owner = &map->owner[place->side][k];
    map->cells[*owner]--;
    map->cells[stretch]++;
    *owner = stretch;
  }
}

ria_status ria_boundary_map_build(ria_context *ctx, const ria_grid *grid, const ria_place *place,
                                  size_t n, ria_boundary_map *map) {
  if (n > INT32_MAX - RIA_SIDES)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%zu boundaries are too many", n);
  size_t n_cells = 2 * ((size_t)grid->nx + (size_t)grid->ny), n_stretches = RIA_SIDES + n;
  int32_t *block = calloc(n_cells + n_stretches, sizeof *block);
  if (!block)
    return ria_fail_memory(ctx, "the boundary map", (n_cells + n_stretches) * sizeof *block);
  ria_boundary_map fresh = {.n = (int)n_stretches, .block = block, .cells = block + n_cells};
  for (int side = 0; side < RIA_SIDES; side++) {
    int length = ria_side_length(grid, (ria_side)side);
    fresh.owner[side] = block;
    fresh.cells[side] = length;
    for (int k = 0; k < length; k++) block[k] = side;
    block += length;
  }
  for (size_t i = 0; i < n; i++) paint(&fresh, &place[i], (int32_t)(RIA_SIDES + i));
  ria_boundary_map_free(map);
  *map = fresh;
  return RIA_OK;
}

size_t ria_boundary_cell(const ria_grid *grid, int side, int k) {
  const size_t nx = (size_t)grid->nx, along = (size_t)k;
  switch (side) {
  case RIA_WEST:
    return along * nx;
  case RIA_EAST:
    return along * nx + nx - 1;
  case RIA_SOUTH:
    return along;
  default:
    return ((size_t)grid->ny - 1) * nx + along;
  }
}

void ria_boundary_map_leave_out(ria_boundary_map *map, const ria_grid *grid, const uint8_t *out,
                                int32_t first) {
  for (int side = 0; side < RIA_SIDES; side++)
    for (int k = 0; k < ria_side_length(grid, (ria_side)side); k++)
      if (out[ria_boundary_cell(grid, side, k)])
        paint(map, &(ria_place){.side = (ria_side)side, .first = k, .count = 1}, first + side);
}

void ria_boundary_map_free(ria_boundary_map *map) {
  free(map->block);
  *map = (ria_boundary_map){0};
}
