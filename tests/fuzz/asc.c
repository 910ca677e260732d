/* Any bytes as an ESRI ASCII grid (plain or gzip): a raster, or RIA_ERR_INPUT with a message. */
#include "fuzz.h"
#include <ria/field.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  ria_context *ctx;
  ria_raster *r;
  char path[64];
  int fd;
  ctx = fuzz_context(0);
  ria_status s = ria_raster_read(ctx, fuzz_file(data, n, &fd, path), &r);
  if (s != RIA_OK && (s != RIA_ERR_INPUT || !*ria_error(ctx) || r)) abort();
  if (s == RIA_OK && ria_raster_fill(ctx, r, 5, 0.0, NULL) != RIA_OK) abort();
  ria_raster_destroy(&r);
  ria_context_destroy(&ctx);
  close(fd);
  return 0;
}
