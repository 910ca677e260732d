/* several.h - for scenes with the grid whole and cut into parts: where parts are, how many, and
 * what both must tell alike. */
#ifndef GPU_SEVERAL_H
#define GPU_SEVERAL_H
#include "device.h"
#include "test.h"
#include <ria/ria.h>
#include <stdlib.h>

/* RIA_TEST_SEVERAL: "cuda:0-1", or "cuda:0,0", which deals parts out to one GPU twice. */
static const char *several_device(void) { return test_setting("RIA_TEST_SEVERAL", test_device()); }

/* A GPU has at least one. */
static int several_fewest(void) {
  for (int n = 1; n < 64; n++) {
    ria_context *ctx = NULL;
    const ria_context_desc desc = {.device = several_device(), .parts = n};
    const ria_status status = ria_context_create(&desc, &ctx);
    ria_context_destroy(&ctx);
    if (status != RIA_ERR_ARGUMENT) return n;
  }
  return 64;
}

/* 2 to 9, as many as the grid has rows at most; 0: it has too few. */
static int several_parts(uint64_t seed, int ny, int fewest) {
  const int drawn = 2 + (int)(seed * 5 % 8), n = drawn > fewest ? drawn : fewest;
  const int parts = n < ny ? n : ny;
  return parts < fewest || parts < 2 ? 0 : parts;
}

/* What sources gave, what decayed and what of sediment went down is summed by tile and by part on a
 * GPU; else to the bit. */
static bool several_same_budget(const ria_budget_row *a, const ria_budget_row *b, double scale) {
  const double p[] = {a->initial, a->inflow, a->outflow, a->stored, a->sources, a->decayed};
  const double q[] = {b->initial, b->inflow, b->outflow, b->stored, b->sources, b->decayed};
  const bool on_gpu = strncmp(several_device(), "cuda", 4) == 0;
  bool same = true;
  for (int k = 0; k < 6; k++)
    same &= p[k] == q[k] || (on_gpu && k >= 3 && fabs(p[k] - q[k]) <= 1e-12 * scale);
  return same;
}

#endif
