/* shallow_water_outlets.c - can the outlets and discharges work where they are? For every backend,
 * when forcing is set.
 *
 * `normal` without a slope uses the slope of the bed, which must fall outwards. `open` uses it too,
 * so that a stream leaves without a change of slope. Standing water before such a side drains as
 * well: a warning says so once. */
#include "shallow_water.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Values of the cells along a side and of those behind them, NaN in another part of the grid. */
typedef struct row {
  int n;
  int32_t *cell;                            /* [2 n]: the side's, then the inner ones */
  double *bed, *depth, *speed, *manning, d; /* [2 n], [n], [n], [n]; m across the side */
} row;

static void row_free(row *r) {
  free(r->cell);
  free(r->bed);
}

static ria_status row_make(ria_context *ctx, const ria_grid *g, ria_side side, row *r) {
  const bool upright = ria_side_along_x(side);
  const int n = ria_side_length(g, side), across = upright ? g->nx : g->ny;
  r->n = n;
  r->d = upright ? g->dx : g->dy;
  r->cell = malloc(2 * (size_t)n * sizeof *r->cell);
  r->bed = malloc(5 * (size_t)n * sizeof *r->bed);
  if (!r->cell || !r->bed)
    return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for a side of %d cells", n);
  for (int k = 0; k < 5 * n; k++) r->bed[k] = NAN;
  r->depth = r->bed + 2 * n;
  r->speed = r->depth + n;
  r->manning = r->speed + n;
  for (int k = 0; k < 2 * n; k++) {
    const int in = k >= n && across > 1, low = in, high = across - 1 - in, along = k % n;
    const int at = ria_side_is_upper(side) ? high : low;
    r->cell[k] = upright ? along * g->nx + at : at * g->nx + along;
  }
  return RIA_OK;
}

static ria_status row_read(row *r, sw_sampler sample, void *self) {
  RIA_TRY(sample(self, WATER_BED, -1, 2 * r->n, r->cell, r->bed));
  RIA_TRY(sample(self, WATER_DEPTH, -1, r->n, r->cell, r->depth));
  RIA_TRY(sample(self, WATER_SPEED, -1, r->n, r->cell, r->speed));
  return sample(self, WATER_MANNING, -1, r->n, r->cell, r->manning);
}

/* Of the bed towards the k-th cell of the side. */
static double row_slope(const row *r, int k) { return (r->bed[r->n + k] - r->bed[k]) / r->d; }

/* The constant slope of a stretch, NaN where none was given; infinite where it changes in time. */
static double given_slope(const ria_forcing_set *set, const ria_stretch *b) {
  const ria_forcing *f = &set->table.entry[b->value[0]];
  return f->kind == RIA_FORCING_CONSTANT ? f->base : INFINITY;
}

/* Say why nothing could leave through stretch `owner`, which is normal and lies on this side.
 * Nothing is said of one that is not known whole. */
static void judge_normal(const row *r, const int32_t *owners, int owner, ria_side side,
                         double given, sw_outlets *out) {
  int cells = 0, falling = 0;
  for (int k = 0; k < r->n; k++) {
    if (owners[k] != owner) continue;
    if (isnan(row_slope(r, k))) return;
    cells++;
    falling += (isnan(given) ? row_slope(r, k) : given) > 0;
  }
  if (!cells || falling || out->refusal[0]) return;
  if (isnan(given))
    snprintf(out->refusal, sizeof out->refusal,
             "a 'normal' outlet on the %s side: the bed does not fall towards it, so there is no "
             "normal depth; give the slope, as in { kind = \"normal\", slope = 0.001 }",
             ria_side_name(side));
  else
    snprintf(out->refusal, sizeof out->refusal,
             "a 'normal' outlet on the %s side has a slope of %g: it must be above 0",
             ria_side_name(side), given);
}

/* Water that stands where an open side falls outwards, deeper than any so far. A stream does not
 * stand: its friction holds at least a hundredth of the slope. */
static void judge_open(const row *r, const int32_t *owners, int owner, ria_side side,
                       sw_outlets *out) {
  for (int k = 0; k < r->n; k++) {
    const double h = r->depth[k], slope = row_slope(r, k);
    if (owners[k] != owner || !(slope > 0) || !(h > out->standing)) continue;
    const double nu = r->manning[k] * r->speed[k];
    if (nu * nu > 0.01 * slope * pow(h, 4.0 / 3.0)) continue;
    out->standing = h;
    snprintf(out->warning, sizeof out->warning,
             "%.3g m of water stand where the open %s side falls outwards at the start, and run "
             "out: where the sea lies beyond, give slope = 0, or a level",
             h, ria_side_name(side));
  }
}

static ria_status judge_side(ria_context *ctx, const ria_grid *grid, const ria_forcing_set *set,
                             ria_side side, sw_sampler sample, void *self, sw_outlets *out) {
  row r = {0};
  ria_status s = row_make(ctx, grid, side, &r);
  if (s == RIA_OK) s = row_read(&r, sample, self);
  for (int k = 0; s == RIA_OK && k < set->boundary.n; k++) {
    const ria_stretch *b = &set->boundary.stretch[k];
    if (b->side != side || (b->kind != SIDE_NORMAL && b->kind != SIDE_OPEN)) continue;
    const double given = given_slope(set, b);
    const int32_t *owners = set->boundary.owner[side];
    if (b->kind == SIDE_NORMAL)
      judge_normal(&r, owners, k, side, given, out);
    else if (isnan(given))
      judge_open(&r, owners, k, side, out);
  }
  row_free(&r);
  return s;
}

ria_status sw_judge_outlets(ria_context *ctx, const ria_grid *grid, const ria_forcing_set *set,
                            sw_sampler sample, void *self, sw_outlets *out) {
  *out = (sw_outlets){.standing = 0.05};
  for (int side = 0; side < RIA_SIDES; side++) {
    bool any = false;
    for (int k = 0; k < set->boundary.n && !any; k++) {
      const ria_stretch *b = &set->boundary.stretch[k];
      any = b->side == (ria_side)side && (b->kind == SIDE_NORMAL || b->kind == SIDE_OPEN);
    }
    if (any) RIA_TRY(judge_side(ctx, grid, set, (ria_side)side, sample, self, out));
  }
  return RIA_OK;
}

ria_status sw_refuse_outlets(ria_context *ctx, const sw_outlets *o) {
  return o->refusal[0] ? ria_fail(ctx, RIA_ERR_ARGUMENT, "%s", o->refusal) : RIA_OK;
}
