/* base/grid.c - the uniform Cartesian grid: sides, the cell at a point, what a grid may be. */
#include "base/grid.h"

#include <math.h>
#include <stdint.h>

size_t ria_real_size(ria_real real) { return real == RIA_F32 ? sizeof(float) : sizeof(double); }

size_t ria_grid_cells(const ria_grid *g) { return (size_t)g->nx * (size_t)g->ny; }

double ria_cell_x(const ria_grid *g, int i) { return g->x0 + (i + 0.5) * g->dx; }

double ria_cell_y(const ria_grid *g, int j) { return g->y0 + (j + 0.5) * g->dy; }

const char *ria_side_name(ria_side side) {
  static const char *const names[RIA_SIDES] = {
      [RIA_WEST] = "west", [RIA_EAST] = "east", [RIA_SOUTH] = "south", [RIA_NORTH] = "north"};
  return (unsigned)side < RIA_SIDES ? names[side] : "no side";
}

int ria_side_length(const ria_grid *g, ria_side side) {
  return side == RIA_WEST || side == RIA_EAST ? g->ny : g->nx;
}

/* The cell of one axis that holds the coordinate x; outside, the nearest one and *inside false. The
 * far edge of the last cell still belongs to it: a domain of 30 km holds its point at 30 km. */
static int locate(double x, double origin, double d, int n, bool *inside) {
  double s = (x - origin) / d;
  *inside = *inside && s >= 0.0 && s <= n; /* false for NaN */
  if (!(s >= 0.0)) return 0;
  return s < n ? (int)s : n - 1;
}

/* --- the angle ------------------------------------------------------------------------------ */

void ria_grid_axes(const ria_grid *g, double *cosine, double *sine) {
  const double pi = 3.14159265358979323846, turns = g->angle / 90.0;
  static const double exact[] = {1, 0, -1, 0};
  if (turns == floor(turns)) {
    const int k = (int)turns & 3;
    *cosine = exact[k];
    *sine = exact[(k + 3) & 3];
    return;
  }
  *cosine = cos(g->angle * pi / 180.0);
  *sine = sin(g->angle * pi / 180.0);
}

void ria_grid_from_map(const ria_grid *g, double *x, double *y) {
  double c, s;
  if (g->angle == 0.0) return;
  ria_grid_axes(g, &c, &s);
  const double u = *x - g->x0, v = *y - g->y0;
  *x = g->x0 + c * u + s * v;
  *y = g->y0 + c * v - s * u;
}

void ria_grid_to_map(const ria_grid *g, double *x, double *y) {
  double c, s;
  if (g->angle == 0.0) return;
  ria_grid_axes(g, &c, &s);
  const double u = *x - g->x0, v = *y - g->y0;
  *x = g->x0 + c * u - s * v;
  *y = g->y0 + s * u + c * v;
}

bool ria_grid_locate(const ria_grid *g, double x, double y, int *i, int *j) {
  bool inside = true;
  ria_grid_from_map(g, &x, &y);
  *i = locate(x, g->x0, g->dx, g->nx, &inside);
  *j = locate(y, g->y0, g->dy, g->ny, &inside);
  return inside;
}

static ria_status check_axis(ria_context *ctx, const char *n_name, int n, const char *d_name,
                             double d, const char *origin_name, double origin) {
  if (n < 1)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "grid: %s is %d: at least 1 cell is needed", n_name, n);
  if (!(d > 0.0) || !isfinite(d))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "grid: %s is %g m: a cell must be larger than 0", d_name,
                    d);
  if (!isfinite(origin))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "grid: %s is %g m: it must be a finite number",
                    origin_name, origin);
  if (!isfinite(origin + n * d))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "grid: %s = %d cells of %s = %g m are too many to count",
                    n_name, n, d_name, d);
  return RIA_OK;
}

ria_status ria_grid_check(ria_context *ctx, const ria_grid *g) {
  RIA_TRY(check_axis(ctx, "nx", g->nx, "dx", g->dx, "x0", g->x0));
  RIA_TRY(check_axis(ctx, "ny", g->ny, "dy", g->dy, "y0", g->y0));
  if (!(g->angle > -180.0 && g->angle <= 180.0))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "grid: angle is %g deg: it must lie above -180 and be at most 180", g->angle);
  if ((int64_t)g->nx * g->ny > INT32_MAX)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "grid: %d x %d = %lld cells are too many: at most %ld are allowed", g->nx,
                    g->ny, (long long)g->nx * g->ny, (long)INT32_MAX);
  return RIA_OK;
}

ria_part ria_part_cut(int ny, int n, int k) {
  return (ria_part){(int)((int64_t)ny * k / n), (int)((int64_t)ny * (k + 1) / n)};
}

/* So that sums of equal numbers reach their share in spite of rounding. */
static const double nearly = 1 + 1e-9;

void ria_part_cut_by(const double *work, int ny, int n, int *cut) {
  double all = 0, sum = 0;
  for (int j = 0; j < ny; j++) all += work[j];
  cut[0] = 0;
  for (int k = 1, j = 0; k < n; k++) {
    const double share = all * k / n * nearly;
    while (j < ny && sum + work[j] <= share) sum += work[j++];
    const int least = cut[k - 1] + 1, most = ny - (n - k);
    cut[k] = j < least ? least : j > most ? most : j;
  }
  cut[n] = ny;
}
