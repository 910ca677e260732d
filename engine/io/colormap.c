/* io/colormap.c - the colour maps by name. */
#include "base/text.h"
#include "io/data/colormaps.h"
#include "io/frame.h"
#include <ria/output.h>

#include <string.h>

static const char *const names[] = {"viridis", "deep", "matter", "balance", "speed",
                                    "topo",    "amp",  "sand",   "relief",  NULL};
static const uint8_t (*const tables[])[3] = {viridis, deep, matter, balance, speed,
                                             topo,    amp,  sand,   relief};

const char *const *ria_colormap_names(void) { return names; }

const uint8_t (*ria_colormap(const char *name))[3] {
  for (size_t k = 0; name && names[k]; k++)
    if (strcmp(name, names[k]) == 0) return tables[k];
  return NULL;
}

ria_status ria_colormap_check(ria_context *ctx, const char *name) {
  if (!name || ria_colormap(name)) return RIA_OK;
  ria_guess guess = ria_guess_start(name);
  for (size_t k = 0; names[k]; k++) ria_guess_try(&guess, names[k]);
  return ria_fail_unknown(ctx, "colour map", &guess);
}
