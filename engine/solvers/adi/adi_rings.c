/* adi_rings.c - what lies beyond sides that are periodic, on the CPU.
 *
 * The face on the one side is the face on the other. Its flux is kept on both, and two columns and
 * two rows beyond the sides hold what lies along the side across, so that most of a sweep knows
 * nothing of a seam: it reads beyond it. Lines that close upon themselves are solved by adi_sweep.h
 * and adi_mix.h. A part of the grid has whole rows, so its west and east are its own; columns that
 * run through all parts and back to the first one are not solved. */
#include "adi_parts.h"

#include <string.h>

enum { REACH = 2 }; /* cells that a step reads beyond a side */

static char *element(const adi *s, void *plane, int i, int j) {
  return (char *)plane + adi_at(s, i, j) * s->planes.real_size;
}

static void close_ends(const adi *s, void *plane, int j) {
  const int nx = s->planes.grid.nx;
  const size_t size = s->planes.real_size;
  for (int d = 0; d < REACH; d++) {
    memcpy(element(s, plane, -1 - d, j), element(s, plane, nx - 1 - d % nx, j), size);
    memcpy(element(s, plane, nx + d, j), element(s, plane, d % nx, j), size);
  }
}

/* With the corners: rows are closed first. */
static void close_rows(const adi *s, void *plane) {
  const int ny = s->planes.grid.ny;
  const size_t row = s->planes.stride * s->planes.real_size;
  for (int d = 0; d < REACH; d++) {
    memcpy(element(s, plane, -RIA_PLANE_PAD, -1 - d),
           element(s, plane, -RIA_PLANE_PAD, ny - 1 - d % ny), row);
    memcpy(element(s, plane, -RIA_PLANE_PAD, ny + d), element(s, plane, -RIA_PLANE_PAD, d % ny),
           row);
  }
}

/* The row south of all has the faces of the southern side. */
void adi_close(const adi *s, void *plane) {
  const ria_planes *p = &s->planes;
  if (!plane) return;
  for (int j = p->part.j0 - p->ghost_rows; s->rings.x && j < p->part.j1 + p->ghost_rows; j++)
    close_ends(s, plane, j);
  if (s->rings.y) close_rows(s, plane);
}

void adi_close_ground(const adi *s) {
  adi_close(s, s->bed);
  adi_close(s, s->manning);
}

void adi_close_state(const adi *s) {
  adi_close(s, s->level[s->level_now]);
  for (int axis = 0; axis < 2; axis++)
    for (int b = 0; b < 2; b++) adi_close(s, s->flux[axis][b]);
}

/* --- a pair becomes one, or no longer is ------------------------------------------------------ */

/* Two faces become one, between the cells l and r: its flux is the mean, none where it is closed.
 */
static void join(const adi *s, enum adi_axis axis, size_t low, size_t l, size_t r) {
  const bool closed = adi_is_closed(s, l, r);
  for (int b = 0; b < 2; b++) {
    void *flux = s->flux[axis][b];
    const double mean = 0.5 * (adi_get(s, flux, low) + adi_get(s, flux, l));
    adi_put(s, flux, low, closed ? 0 : mean);
    adi_put(s, flux, l, closed ? 0 : mean);
  }
}

void adi_join_seams(const adi *s) {
  const int nx = s->planes.grid.nx, ny = s->planes.grid.ny;
  const ria_part had = ria_planes_had(&s->planes);
  for (int j = had.j0; s->rings.x && j < had.j1; j++)
    join(s, ADI_X, adi_at(s, -1, j), adi_at(s, nx - 1, j), adi_at(s, 0, j));
  for (int i = 0; s->rings.y && i < nx; i++)
    join(s, ADI_Y, adi_at(s, i, -1), adi_at(s, i, ny - 1), adi_at(s, i, 0));
}

/* Nothing but the cells of the grid is left in a plane; of fluxes also the faces on the western and
 * the southern side (keep). */
static void clear_ghosts(const adi *s, void *plane, int keep) {
  const ria_planes *p = &s->planes;
  const size_t row = p->stride * p->real_size, size = p->real_size;
  if (!plane) return;
  for (int j = p->part.j0 - p->ghost_rows; j < p->part.j1 + p->ghost_rows; j++) {
    memset(element(s, plane, -REACH, j), 0, (size_t)(REACH - keep) * size);
    memset(element(s, plane, p->grid.nx, j), 0, REACH * size);
  }
  for (int d = 1; d <= p->ghost_rows && ria_planes_whole(p); d++) {
    memset(element(s, plane, -RIA_PLANE_PAD, p->grid.ny - 1 + d), 0, row);
    if (d > keep) memset(element(s, plane, -RIA_PLANE_PAD, -d), 0, row);
  }
}

static void open_rings(const adi *s) {
  void *const planes[] = {s->bed,      s->manning, s->level[0], s->level[1],
                          s->level[2], s->between, s->viscosity};
  for (size_t k = 0; k < sizeof planes / sizeof *planes; k++) clear_ghosts(s, planes[k], 0);
  for (int axis = 0; axis < 2; axis++)
    for (int b = 0; b < 2; b++) clear_ghosts(s, s->flux[axis][b], 1);
}

ria_status adi_check_rings(const adi *s) {
  const ria_planes *p = &s->planes;
  const int32_t *const owner[RIA_SIDES] = {p->owner[0], p->owner[1], p->owner[2], p->owner[3]};
  if (!p->stretch) return RIA_OK;
  RIA_TRY(water_check_rings(p->ctx, &p->grid, p->stretch, owner));
  if (ria_planes_whole(p) || p->stretch[p->owner[RIA_SOUTH][0]].kind != SIDE_PERIODIC)
    return RIA_OK;
  return ria_fail(p->ctx, RIA_ERR_ARGUMENT,
                  "adi steps a grid whose south and north are periodic in one piece: run it "
                  "without --parts and in one process, or make the west and the east the pair");
}

void adi_set_rings(adi *s, const ria_forcing_set *set) {
  const water_rings had = s->rings;
  s->rings = water_rings_of(&set->boundary, &s->planes.grid);
  s->rings.y = s->rings.y && ria_planes_whole(&s->planes); /* else adi_check_rings refuses it */
  if ((had.x && !s->rings.x) || (had.y && !s->rings.y)) open_rings(s);
}
