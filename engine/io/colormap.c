/* io/colormap.c - the colour maps by name. */
#include "io/data/colormaps.h"
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
