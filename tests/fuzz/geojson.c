/* Any bytes as GeoJSON: shapes that can be measured and laid onto a grid, or RIA_ERR_INPUT with a
 * message. */
#include "shapes/set.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void use(ria_context *ctx, const ria_shapes *s) {
  const ria_grid g = {7, 5, 0.5, 1.0, -1.0, -1.0, 0};
  double share[35];
  if (ria_shapes_cover(ctx, s, &g, 0.3, NULL, share, NULL) != RIA_OK) abort();
  for (int k = 0; k < 35; k++)
    if (!(share[k] >= 0.0 && share[k] <= 1.0)) abort();
  for (size_t k = 0; k < ria_shapes_count(s); k++) {
    double size = -1.0, zero = 0.0, data[35] = {0};
    const size_t which = k;
    ria_shapes *one;
    if (ria_shape_size(ctx, ria_shapes_at(s, k), &size) != RIA_OK || !(size >= 0.0)) abort();
    if (ria_shapes_select(ctx, s, &which, 1, &one) != RIA_OK) abort();
    const ria_lay lay = {.how = RIA_LAY_ADD, .cells = RIA_CELLS_TOUCHED, .value = &zero};
    if (ria_shapes_lay(ctx, one, &g, &lay, data, NULL) != RIA_OK) abort();
    ria_shapes_destroy(&one);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  ria_context *ctx;
  ria_shape_set *set;
  ria_shapes *s = NULL;
  if (ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) != RIA_OK)
    abort();
  ria_status status = ria_geojson_parse(ctx, "fuzz", (const char *)data, n, true, &set);
  if (status != RIA_OK && (status != RIA_ERR_INPUT || !*ria_error(ctx) || set)) abort();
  if (status == RIA_OK && ria_set_close(ctx, set, &s) != RIA_OK) abort();
  if (s) use(ctx, s);
  ria_shapes_destroy(&s);
  ria_context_destroy(&ctx);
  return 0;
}
