/* Any bytes as points, the first of them saying what is done with these: a raster, or RIA_ERR_INPUT
 * with a message. */
#include "fuzz.h"
#include <ria/ria.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  ria_context *ctx;
  ria_raster *r = NULL;
  char text[64];
  int fd;
  if (n == 0) return 0;
  ctx = fuzz_context(0);
  const char *path = fuzz_file(data + 1, n - 1, &fd, text);
  const ria_soundings_desc d = {.paths = &path,
                                .n_paths = 1,
                                .dx = *data & 1 ? 1.0 : 0.0,
                                .x1 = *data & 1 ? 40.0 : 0.0,
                                .y1 = *data & 1 ? 30.0 : 0.0,
                                .reach = *data & 2 ? 9.0 : 0.0,
                                .gridding = (ria_gridding)((*data >> 2 & 3) % 3)};
  const ria_status s = ria_raster_from_soundings(ctx, &d, &r);
  if (s != RIA_OK && (s != RIA_ERR_INPUT || !*ria_error(ctx) || r)) abort();
  if (s == RIA_OK && !r) abort();
  ria_raster_destroy(&r);
  ria_context_destroy(&ctx);
  close(fd);
  return 0;
}
