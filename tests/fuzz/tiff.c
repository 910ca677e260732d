/* Any bytes as a TIFF file: a raster, or RIA_ERR_INPUT with a message; what was read is written and
 * read again as it is. */
#include "fuzz.h"
#include "io/raster_tiff.h"

#include <string.h>

static ria_raster *read_bytes(ria_context *ctx, const void *data, size_t n) {
  char path[64];
  int fd;
  ria_raster *r;
  const ria_status s = ria_tiff_read(ctx, fuzz_file(data, n, &fd, path), &r, NULL);
  if (s != RIA_OK && (s != RIA_ERR_INPUT || !*ria_error(ctx) || r)) abort();
  close(fd);
  return r;
}

/* Small ones: the rest takes time. */
static void write_and_read(ria_context *ctx, const ria_raster *r) {
  ria_buffer file = {0};
  const size_t n = (size_t)r->grid.nx * (size_t)r->grid.ny;
  if (n > 100000 || ria_tiff_encode(ctx, r, NULL, "fuzz.tif", n % 2, &file) != RIA_OK) {
    ria_buffer_free(&file);
    return; /* infinite values of doubles are told */
  }
  ria_raster *again = read_bytes(ctx, file.data, file.n);
  if (!again || again->grid.nx != r->grid.nx || again->grid.ny != r->grid.ny) abort();
  for (size_t k = 0; k < n; k++)
    if (r->data[k] == r->data[k] ? again->data[k] != r->data[k] : again->data[k] == again->data[k])
      abort();
  ria_raster_destroy(&again);
  ria_buffer_free(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  ria_context *ctx;
  ctx = fuzz_context(0);
  ria_raster *r = read_bytes(ctx, data, n);
  if (r) write_and_read(ctx, r);
  ria_raster_destroy(&r);
  ria_context_destroy(&ctx);
  return 0;
}
