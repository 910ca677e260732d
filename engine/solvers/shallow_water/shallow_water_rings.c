/* shallow_water_rings.c - what lies beyond sides that are periodic, on the CPU.
 *
 * A row has ghost cells at both ends, a plane ghost rows. They are filled from the other side after
 * all that changes the state before a step, so the step itself knows nothing of a seam: its edges
 * are like all others, and those that both sides work out are worked out of the same numbers. Of a
 * part of a grid the rows beyond an end come from the part at the other end (ria_planes.ring). */
#include "shallow_water.h"

#include <string.h>

enum { REACH = 2 }; /* cells that a step reads beyond a side */

ria_part sw_rows_had(const sw *s) {
  const ria_planes *p = &s->planes;
  if (!s->rings.y) return ria_planes_had(p);
  return (ria_part){p->part.j0 - p->ghost_rows, p->part.j1 + p->ghost_rows};
}

static char *cell_of(const sw *s, void *plane, int i, int j) {
  return (char *)plane + sw_at(s, i, j) * s->planes.real_size;
}

/* Row j of a plane: what it stands for, then its ends. */
static void close_row(const sw *s, void *plane, int j) {
  const int nx = s->planes.grid.nx, place = ria_planes_place(&s->planes, sw_row_of(s, j));
  const size_t size = s->planes.real_size;
  if (place != j && place != INT_MIN)
    memcpy(cell_of(s, plane, 0, j), cell_of(s, plane, 0, place), (size_t)nx * size);
  for (int d = 1; s->rings.x && d <= REACH; d++) {
    memcpy(cell_of(s, plane, -d, j), cell_of(s, plane, sw_column_of(s, -d), j), size);
    memcpy(cell_of(s, plane, nx - 1 + d, j), cell_of(s, plane, sw_column_of(s, nx - 1 + d), j),
           size);
  }
}

void sw_close_rows(sw *s, int j0, int j1) {
  for (int k = 0; k < SW_STATE_C + s->nt; k++)
    for (int j = j0; j < j1; j++) close_row(s, s->state[s->now][k], j);
}

void sw_close_ground(sw *s) {
  const ria_part rows = sw_rows_had(s);
  for (int j = rows.j0; j < rows.j1; j++) {
    close_row(s, s->bed, j);
    if (s->manning) close_row(s, s->manning, j);
  }
}

/* --- dry land ----------------------------------------------------------------------------------
 */

bool sw_active_in_ring(const sw *s, const uint8_t *wet, int j, int k) {
  const int nk = s->segments;
  for (int dj = -1; dj <= 1; dj++)
    for (int dk = -1; dk <= 1; dk++) {
      const bool out_x = k + dk < 0 || k + dk >= nk;
      const bool out_y = j + dj < 0 || j + dj >= s->planes.grid.ny;
      if ((out_x && !s->rings.x) || (out_y && !s->rings.y)) continue;
      const int row = ria_planes_place(&s->planes, sw_row_of(s, j + dj));
      if (wet[sw_segment(s, row, (k + dk + nk) % nk)]) return true;
    }
  return false;
}

/* --- new forcing ------------------------------------------------------------------------------ */

/* Nothing but the cells of the grid is left in a plane. */
static void clear_ghosts(const sw *s, void *plane) {
  const ria_planes *p = &s->planes;
  const size_t row = p->stride * p->real_size, size = p->real_size;
  if (!plane) return;
  for (int j = p->part.j0 - p->ghost_rows; j < p->part.j1 + p->ghost_rows; j++) {
    if (j < 0 || j >= p->grid.ny) memset(cell_of(s, plane, -RIA_PLANE_PAD, j), 0, row);
    memset(cell_of(s, plane, -REACH, j), 0, REACH * size);
    memset(cell_of(s, plane, p->grid.nx, j), 0, REACH * size);
  }
}

void sw_set_rings(sw *s, water_rings rings) {
  const bool fewer = (s->rings.x && !rings.x) || (s->rings.y && !rings.y);
  s->rings = rings;
  s->planes.ring = rings.y;
  if (!fewer) return;
  clear_ghosts(s, s->bed);
  clear_ghosts(s, s->manning);
  for (int k = 0; k < SW_STATE_C + s->nt; k++)
    for (int b = 0; b < 2; b++) clear_ghosts(s, s->state[b][k]);
}
