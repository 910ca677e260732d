/* Any bytes as a coordinate system: one that takes places to degrees and back, or RIA_ERR_ARGUMENT
 * with a message. PROJ is left out: it has fuzzers of its own. */
#include <math.h>
#include <ria/crs.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void use(ria_context *ctx, const char *text, const ria_crs *c) {
  double x[2] = {3.0, 5e5}, y[2] = {52.0, 5e6};
  if (!ria_crs_name(c) || !ria_crs_built_in(c)) abort();
  if (ria_crs_check(ctx, text) != RIA_OK || !ria_crs_same(c, c)) abort();
  (void)ria_crs_convert_named(ctx, "EPSG:4326", text, 1, x, y);
  (void)ria_crs_convert_named(ctx, text, "EPSG:4326", 1, x + 1, y + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  ria_context *ctx;
  ria_crs *c = NULL;
  char *text = malloc(n + 1);
  setenv("RIA_PROJ", "none", 1);
  if (!text ||
      ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) != RIA_OK)
    abort();
  memcpy(text, data, n);
  text[n] = '\0';
  const ria_status s = ria_crs_create(ctx, text, &c);
  if (s != RIA_OK && (s != RIA_ERR_ARGUMENT || !*ria_error(ctx) || c)) abort();
  if (s == RIA_OK) use(ctx, text, c);
  ria_crs_destroy(&c);
  ria_context_destroy(&ctx);
  free(text);
  return 0;
}
