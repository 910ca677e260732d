/* Any bytes as a netCDF file: a store that can be read to its end (but for infinite values), or
 * RIA_ERR_INPUT with a message. */
#include "fuzz.h"
#include "io/zarr_read.h"
#include <ria/relax.h>

#include <math.h>
#include <string.h>

static void read_all(ria_context *ctx, const ria_store *s) {
  const ria_grid *g = ria_store_grid(s);
  size_t n;
  bool dated;
  char text[256];
  const char *name;
  const double *t = ria_store_times(s, &n, &dated);
  FUZZ_DEMAND(n >= 1);
  for (size_t k = 0; k < n; k++) FUZZ_DEMAND(isfinite(t[k]) && (k == 0 || t[k] > t[k - 1]));
  FUZZ_DEMAND(ria_grid_check(ctx, g) == RIA_OK);
  (void)ria_store_other_crs(s, "EPSG:25829");
  if ((double)g->nx * g->ny > 1e5) return;
  double *v = malloc((size_t)g->nx * (size_t)g->ny * sizeof *v);
  const ria_window whole = {0, g->nx, 0, g->ny};
  if (!v) abort();
  for (size_t f = 0; f < 8 && (name = ria_store_field(s, f)); f++)
    for (size_t k = 0; k < n && k < 4; k++) {
      if (fuzz_status(ctx, ria_store_read(ctx, s, name, k, &whole, v), FUZZ_INPUT) != RIA_OK)
        FUZZ_DEMAND(strstr(ria_error(ctx), "infinite values"));
      fuzz_status(ctx, ria_store_unit(ctx, s, name, text, sizeof text), 0);
    }
  free(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  ria_context *ctx = fuzz_context(0);
  ria_store *store;
  char path[64], text[256];
  int fd;
  (void)fuzz_file(data, n, &fd, path);
  const ria_status s = fuzz_status(ctx, ria_store_open(ctx, path, &store), FUZZ_INPUT);
  FUZZ_DEMAND((s == RIA_OK) == (store != NULL));
  if (store) read_all(ctx, store);
  ria_store_close(&store);
  const ria_nest_desc nest = {.path = path};
  FUZZ_DEMAND(fuzz_status(ctx, ria_nest_tell(ctx, &nest, text, sizeof text), FUZZ_INPUT) == s);
  close(fd);
  ria_context_destroy(&ctx);
  return 0;
}
