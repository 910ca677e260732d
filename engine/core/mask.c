/* core/mask.c - cells that are left out of the domain (ria_sim_desc.outside).
 *
 * The engine alone knows of them. To the solver they are ground far above any water, on which there
 * is none: walls. What it is told of them is made so here, what it tells of them becomes NaN here,
 * so that no output, no sum and no picture counts them. On the rim a side's cells that are left out
 * belong to a stretch of their own, which is closed (forcing.c). */
#include "base/context.h"
#include "core/sim.h"
#include "base/grid.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double wall = 1e4; /* m above the highest ground, and above 0 */

/* --- asking ----------------------------------------------------------------------------------- */

bool ria_is_left_out(const ria_sim *sim, size_t cell) {
  return sim->mask.out && sim->mask.out[cell];
}

bool ria_is_outside(const ria_sim *sim, int i, int j) {
  return ria_is_left_out(sim, (size_t)j * (size_t)sim->grid.nx + (size_t)i);
}

size_t ria_cells_inside(const ria_sim *sim) { return ria_grid_cells(&sim->grid) - sim->mask.n_out; }

ria_status ria_mask_check(ria_sim *sim, const char *what, double x, double y, int i, int j) {
  if (!ria_is_outside(sim, i, j)) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "%s(%.10g, %.10g) lies outside the domain: the bed has no value there", what, x,
                  y);
}

/* --- life ------------------------------------------------------------------------------------- */

ria_status ria_mask_init(ria_sim *sim, ria_outside outside) {
  const ria_sim_field *bed = sim->roles.bed, *depth = sim->roles.depth;
  if (outside != RIA_OUTSIDE_ERROR && outside != RIA_OUTSIDE_WALL)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "outside is %d: it is none of ria_outside",
                    (int)outside);
  sim->mask.wanted = outside == RIA_OUTSIDE_WALL;
  if (!sim->mask.wanted) return RIA_OK;
  if (bed && (bed->info->flags & RIA_FIELD_STATIC) && depth &&
      (depth->info->flags & RIA_FIELD_INPUT))
    return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "solver '%s' cannot leave cells out of the domain: outside needs one with a bed "
                  "that stays as it is",
                  sim->solver->name);
}

void ria_mask_free(ria_sim *sim) {
  free(sim->mask.out);
  sim->mask.out = NULL;
  sim->mask.n_out = 0;
}

/* --- in --------------------------------------------------------------------------------------- */

/* Cells without a bed become the mask, and walls. */
static ria_status mask_take(ria_sim *sim, double *bed) {
  const size_t n = ria_grid_cells(&sim->grid);
  double top = 0.0;
  size_t n_out = 0;
  for (size_t c = 0; c < n; c++) {
    if (isnan(bed[c]))
      n_out++;
    else
      top = fmax(top, bed[c]);
  }
  if (n_out == n)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "'%s' has no value in any cell",
                    sim->roles.bed->name);
  uint8_t *out = n_out ? calloc(n, 1) : NULL;
  if (n_out && !out) return ria_fail_memory(sim->ctx, "the cells of the domain", n);
  for (size_t c = 0; c < n; c++) {
    if (!isnan(bed[c])) continue;
    out[c] = 1;
    bed[c] = top + wall;
  }
  free(sim->mask.out);
  sim->mask.out = out;
  sim->mask.n_out = n_out;
  return sim->mask.on_change(sim);
}

/* A value that a wall may have: of what changes in a run none, of what does not (a map of
 * roughness) any. */
static double harmless(const ria_sim *sim, const ria_sim_field *f, const double *values) {
  if (f->info->flags & RIA_FIELD_DRY_NAN) return NAN;
  if (!(f->info->flags & RIA_FIELD_STATIC)) return 0.0;
  size_t c = 0;
  while (sim->mask.out[c]) c++;
  return values[c];
}

/* Water that was there before its cells were left out. */
static ria_status dry_out(ria_sim *sim, double *room) {
  const ria_sim_field *f = sim->roles.depth;
  const size_t n = ria_grid_cells(&sim->grid);
  bool wet = false;
  RIA_TRY(sim->ops->read(sim->self, f->index, f->tracer, false, 0, sim->grid.ny, RIA_F64, room));
  for (size_t c = 0; c < n; c++) {
    if (!sim->mask.out[c]) continue;
    wet = wet || room[c] != 0.0;
    room[c] = 0.0;
  }
  return wet ? ria_tell_write(sim, f->index, f->tracer, room) : RIA_OK;
}

static ria_status mask_write(ria_sim *sim, const ria_sim_field *f, double *own) {
  const size_t n = ria_grid_cells(&sim->grid);
  const bool bed = f == sim->roles.bed;
  if (bed) RIA_TRY(mask_take(sim, own));
  const double v = sim->mask.out ? harmless(sim, f, own) : 0.0;
  for (size_t c = 0; sim->mask.out && !bed && c < n; c++)
    if (sim->mask.out[c]) own[c] = v;
  RIA_TRY(ria_tell_write(sim, f->index, f->tracer, own));
  return bed && sim->mask.out ? dry_out(sim, own) : RIA_OK;
}

ria_status ria_mask_write(ria_sim *sim, const ria_sim_field *f, const double *values) {
  const size_t bytes = ria_grid_cells(&sim->grid) * sizeof *values;
  double *own = malloc(bytes);
  if (!own) return ria_fail_memory(sim->ctx, "a field", bytes);
  memcpy(own, values, bytes);
  ria_status s = mask_write(sim, f, own);
  free(own);
  return s;
}

/* --- out -------------------------------------------------------------------------------------- */

void ria_mask_blank(const ria_sim *sim, int j0, int nj, ria_real real, void *rows) {
  if (!sim->mask.out) return;
  const size_t nx = (size_t)sim->grid.nx, n = (size_t)nj * nx;
  const uint8_t *out = sim->mask.out + (size_t)j0 * nx;
  for (size_t c = 0; c < n; c++) {
    if (!out[c]) continue;
    if (real == RIA_F32)
      ((float *)rows)[c] = NAN;
    else
      ((double *)rows)[c] = NAN;
  }
}
