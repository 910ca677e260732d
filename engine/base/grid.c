/* base/grid.c - the uniform Cartesian grid: sides, the cell at a point, what a grid may be. */
#include "base/grid.h"
#include "base/limit.h"
#include "base/text.h"

#include <math.h>
#include <stdint.h>

size_t ria_real_size(ria_real real) { return real == RIA_F32 ? sizeof(float) : sizeof(double); }

size_t ria_grid_cells(const ria_grid *g) { return (size_t)g->nx * (size_t)g->ny; }

double ria_cell_x(const ria_grid *g, int i) { return g->x0 + (i + 0.5) * g->dx; }

double ria_cell_y(const ria_grid *g, int j) { return g->y0 + (j + 0.5) * g->dy; }

ria_spot ria_grid_spot(const ria_grid *g, double i, double j) {
  ria_spot p = {g->x0 + i * g->dx, g->y0 + j * g->dy};
  ria_grid_to_map(g, &p.x, &p.y);
  return p;
}

ria_spot ria_cell_on_map(const ria_grid *g, int i, int j) {
  return ria_grid_spot(g, i + 0.5, j + 0.5);
}

const char *ria_grid_tell(const ria_grid *g, char text[RIA_GRID_TEXT]) {
  if (g->angle == 0.0) {
    ria_format(text, RIA_GRID_TEXT, "x %.10g to %.10g, y %.10g to %.10g", g->x0,
               g->x0 + g->nx * g->dx, g->y0, g->y0 + g->ny * g->dy);
    return text;
  }
  const ria_spot a = ria_grid_spot(g, g->nx, 0), b = ria_grid_spot(g, g->nx, g->ny),
                 c = ria_grid_spot(g, 0, g->ny);
  ria_format(text, RIA_GRID_TEXT,
             "turned by %.6g deg, corners (%.10g, %.10g), (%.10g, %.10g), (%.10g, %.10g), "
             "(%.10g, %.10g)",
             g->angle, g->x0, g->y0, a.x, a.y, b.x, b.y, c.x, c.y);
  return text;
}

const char *ria_side_name(ria_side side) {
  static const char *const names[RIA_SIDES] = {
      [RIA_WEST] = "west", [RIA_EAST] = "east", [RIA_SOUTH] = "south", [RIA_NORTH] = "north"};
  return (unsigned)side < RIA_SIDES ? names[side] : "no side";
}

int ria_side_length(const ria_grid *g, ria_side side) {
  return side == RIA_WEST || side == RIA_EAST ? g->ny : g->nx;
}

/* The cell of one axis that holds the coordinate x; outside, the nearest one and *inside false. The
 * far edge of the last cell still belongs to it: a domain of 30 km holds its point at 30 km. hair:
 * cells that a point may lie off by what turning it has rounded. */
static int locate(double x, double origin, double d, int n, double hair, bool *inside) {
  double s = (x - origin) / d;
  *inside = *inside && s >= -hair && s <= n + hair; /* false for NaN */
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
  const double hair = g->angle == 0.0 ? 0.0 : 1e-6;
  *i = locate(x, g->x0, g->dx, g->nx, hair, &inside);
  *j = locate(y, g->y0, g->dy, g->ny, hair, &inside);
  return inside;
}

/* --- from files ------------------------------------------------------------------------------- */

/* The number with fewer digits that one stands for which rounding has put off by up to `by`. */
static double tidy(double v, double by) {
  char text[40];
  const char *end;
  double w;
  ria_format(text, sizeof text, "%.13g", v);
  if (!ria_read_number(text, &end, &w)) return v;
  return fabs(w - v) <= by ? w : v;
}

bool ria_grid_of_affine(const double t[6], int nx, int ny, ria_grid *out, bool *from_south) {
  const double dx = hypot(t[1], t[4]), dy = hypot(t[2], t[5]), pi = 3.14159265358979323846;
  const double along = t[1] * t[2] + t[4] * t[5], area = t[1] * t[5] - t[2] * t[4];
  const bool straight = t[2] == 0.0 && t[4] == 0.0; /* its numbers are its own */
  *out = (ria_grid){.nx = nx, .ny = ny, .dx = dx, .dy = dy, .x0 = t[0], .y0 = t[3]};
  *from_south = area > 0.0;
  if (!(dx > 0.0 && dy > 0.0) || fabs(along) > 1e-9 * dx * dy) return false;
  if (!*from_south) {
    out->x0 += ny * t[2];
    out->y0 += ny * t[5];
  }
  if (straight && t[1] > 0.0) return true;
  if (straight && !*from_south && t[1] < 0.0) return out->angle = 180.0, true;
  const double far = fmax(fmax(fabs(t[0]), fabs(t[3])), ny * dy);
  out->dx = tidy(dx, 4e-15 * dx);
  out->dy = tidy(dy, 4e-15 * dy);
  out->x0 = tidy(out->x0, 4e-15 * far);
  out->y0 = tidy(out->y0, 4e-15 * far);
  out->angle = tidy(atan2(t[4], t[1]) * 180.0 / pi, 1e-12);
  if (out->angle <= -180.0) out->angle = 180.0;
  return true;
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
  return ria_limit_cells(ctx, g->nx, g->ny);
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
