/* outputs/page_earth.c - longitudes and latitudes over the domain, for the page.
 *
 * The page has no formulas of maps: between nodes of a lattice it goes straight. A map bends by the
 * square of their distance over eight radii of the earth, a thousandth of that distance where a
 * domain is 800 km wide. */
#include "base/context.h"
#include "io/frame.h"
#include "core/lon_lat.h"
#include "outputs/page.h"

#include <math.h>

enum { NODES = 17 };

/* Eight decimals are a millimetre. */
static void write_degrees(ria_json *j, const char *key, const double *v, int n) {
  const int every = (n - 1) / (NODES - 1);
  ria_json_open(j, key, '[');
  for (int q = 0; q < n; q += every)
    for (int p = 0; p < n; p += every)
      ria_json_number(j, NULL, rint(v[q * n + p] * 1e8) / 1e8 + 0.0);
  ria_json_close(j);
}

/* From the first on without a jump; false where a node has no place on the earth. */
static bool join(ria_graticule *g) {
  for (int k = 0; k < g->n * g->n; k++) {
    if (!isfinite(g->x[k]) || !isfinite(g->y[k])) return false;
    g->x[k] -= 360.0 * rint((g->x[k] - g->x[0]) / 360.0);
  }
  return true;
}

ria_status ria_page_earth(ria_sim *sim, ria_json *j) {
  if (!ria_sim_has_lon_lat(sim)) return RIA_OK;
  ria_graticule *g = ria_graticule_nodes(&sim->grid, 0.0);
  if (!g) return ria_fail_memory(sim->ctx, "the page", sizeof *g);
  const bool found =
      ria_sim_to_lon_lat(sim, (size_t)g->n * (size_t)g->n, g->x, g->y) == RIA_OK && join(g);
  ria_error_clear(sim->ctx);
  if (found) {
    ria_json_open(j, "earth", '{');
    ria_json_integer(j, "n", NODES);
    write_degrees(j, "lon", g->x, g->n);
    write_degrees(j, "lat", g->y, g->n);
    ria_json_close(j);
  }
  ria_graticule_free(g);
  return RIA_OK;
}
