/* adi_rings.c - what lies beyond sides that are periodic, on the CPU.
 *
 * The face on the one side is the face on the other. Its flux is kept on both, and two columns and
 * two rows beyond the sides hold what lies along the side across, so that most of a sweep knows
 * nothing of a seam: it reads beyond it. Lines that close upon themselves are solved in
 * adi_sweep_x.h, adi_columns_ring.h and adi_mix.h. A part of the grid has whole rows, so its west
 * and east are its own; rows beyond the south and the north are those of the part at the other end
 * (ria_planes.ring). */
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

/* A row beyond the ends of the grid, from where the planes have it too: with the corners, as rows
 * are closed first. */
static void close_row(const adi *s, void *plane, int j) {
  const int place = ria_planes_place(&s->planes, adi_row_of(s, j));
  if (place == j || place == INT_MIN) return;
  memcpy(element(s, plane, -RIA_PLANE_PAD, j), element(s, plane, -RIA_PLANE_PAD, place),
         s->planes.stride * s->planes.real_size);
}

static void close_rows(const adi *s, void *plane) {
  const ria_planes *p = &s->planes;
  for (int j = p->part.j0 - p->ghost_rows; j < 0; j++) close_row(s, plane, j);
  for (int j = p->grid.ny; j < p->part.j1 + p->ghost_rows; j++) close_row(s, plane, j);
}

static void close_columns(const adi *s, void *plane) {
  const ria_planes *p = &s->planes;
  for (int j = p->part.j0 - p->ghost_rows; s->rings.x && j < p->part.j1 + p->ghost_rows; j++)
    close_ends(s, plane, j);
}

/* A part works out rows beyond the ends itself, as those beside it. */
void adi_close(const adi *s, void *plane) {
  if (!plane) return;
  close_columns(s, plane);
  if (s->rings.y && !s->apart) close_rows(s, plane);
}

/* The row south of all has the faces of the southern side. A part is told the rows beyond the ends;
 * where a low grid has a row there and inside, sources came to the latter alone. */
static void close_told(const adi *s, void *plane) {
  if (!plane) return;
  close_columns(s, plane);
  if (s->rings.y) close_rows(s, plane);
}

void adi_close_ground(const adi *s) {
  close_told(s, s->bed);
  close_told(s, s->manning);
}

void adi_close_state(const adi *s) {
  close_told(s, s->level[s->level_now]);
  for (int axis = 0; axis < 2; axis++)
    for (int b = 0; b < 2; b++) close_told(s, s->flux[axis][b]);
  for (int m = 0; m < s->nt && s->apart && s->rings.y; m++) close_rows(s, s->load[s->load_now][m]);
}

/* --- a pair becomes one, or no longer is ------------------------------------------------------ */

/* Two faces become one, between the cells l and r: its flux is the mean, none where it is closed.
 */
static double joined(const adi *s, const void *flux, double low, size_t l, size_t r) {
  return adi_is_closed(s, l, r) ? 0 : 0.5 * (low + adi_get(s, flux, l));
}

static void join(const adi *s, enum adi_axis axis, size_t low, size_t l, size_t r) {
  for (int b = 0; b < 2; b++) {
    void *flux = s->flux[axis][b];
    const double one = joined(s, flux, adi_get(s, flux, low), l, r);
    adi_put(s, flux, low, one);
    adi_put(s, flux, l, one);
  }
}

void adi_join_seams(const adi *s) {
  const int nx = s->planes.grid.nx, ny = s->planes.grid.ny;
  const ria_part had = ria_planes_had(&s->planes);
  for (int j = had.j0; s->rings.x && j < had.j1; j++)
    join(s, ADI_X, adi_at(s, -1, j), adi_at(s, nx - 1, j), adi_at(s, 0, j));
  for (int i = 0; s->rings.y && !s->apart && i < nx; i++)
    join(s, ADI_Y, adi_at(s, i, -1), adi_at(s, i, ny - 1), adi_at(s, i, 0));
}

/* Ghost rows have what lies across the seam. The part at either end has a copy of its face. */
void adi_join_apart(const adi *s, const double *const low[2]) {
  const ria_planes *p = &s->planes;
  const int south = p->part.j0 == 0 ? -1 : p->part.j1 == p->grid.ny ? p->grid.ny - 1 : INT_MIN;
  for (int b = 0; b < 2 && south != INT_MIN; b++)
    for (int i = 0; i < p->grid.nx; i++) {
      const size_t l = adi_at(s, i, south), r = adi_at(s, i, south + 1);
      adi_put(s, s->flux[ADI_Y][b], l, joined(s, s->flux[ADI_Y][b], low[b][i], l, r));
    }
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
  for (int j = p->part.j0 - p->ghost_rows; j < -keep; j++)
    memset(element(s, plane, -RIA_PLANE_PAD, j), 0, row);
  for (int j = p->grid.ny; j < p->part.j1 + p->ghost_rows; j++)
    memset(element(s, plane, -RIA_PLANE_PAD, j), 0, row);
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
  return water_check_rings(p->ctx, &p->grid, p->stretch, owner);
}

void adi_set_rings(adi *s, const ria_forcing_set *set) {
  const water_rings had = s->rings;
  s->rings = water_rings_of(&set->boundary, &s->planes.grid);
  s->planes.ring = s->rings.y;
  if ((had.x && !s->rings.x) || (had.y && !s->rings.y)) open_rings(s);
}
