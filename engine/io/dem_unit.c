/* io/dem_unit.c - what the heights of a raster count in: as the script says, else as its file does.
 */
#include "base/context.h"
#include "base/text.h"
#include "io/dem.h"
#include <ria/units.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static const double us_foot = 1200.0 / 3937.0;

/* As GDAL, EPSG and people write what ria/units.h has under one name, or not at all. */
static double known_unit(const char *text) {
  static const char *const metres[] = {"m",      "metre",     "metres",    "meter",
                                       "meters", "EPSG:9001", "metre_unit"};
  static const char *const feet[] = {"ft", "foot", "feet", "international foot", "EPSG:9002"};
  static const char *const us[] = {"US survey foot", "US survey feet", "ftUS",     "us-ft",
                                   "US ft",          "foot_us",        "EPSG:9003"};
  for (size_t k = 0; k < sizeof metres / sizeof *metres; k++)
    if (strcasecmp(text, metres[k]) == 0) return 1.0;
  for (size_t k = 0; k < sizeof feet / sizeof *feet; k++)
    if (strcasecmp(text, feet[k]) == 0) return 0.3048;
  for (size_t k = 0; k < sizeof us / sizeof *us; k++)
    if (strcasecmp(text, us[k]) == 0) return us_foot;
  return 0.0;
}

ria_status ria_dem_unit_of(ria_context *ctx, const char *name, double given, const char *said,
                           double *unit, char *text, size_t size) {
  char one[64];
  *text = '\0';
  *unit = given > 0.0 ? given : 1.0;
  if (given > 0.0 || !said) return RIA_OK;
  *unit = known_unit(said);
  ria_format(one, sizeof one, "1 %.60s", said);
  if (!(*unit > 0.0) && ria_parse_quantity(ctx, one, RIA_DIM_LENGTH, unit) != RIA_OK)
    return ria_fail(ctx, RIA_ERR_INPUT,
                    "%s: its values are in '%.60s', as the file says, not a known unit of "
                    "length: give theirs, unit = \"ft\", or \"m\" to take them as "
                    "they are",
                    name, said);
  ria_format(text, size, "%s", said);
  return RIA_OK;
}

ria_status ria_dem_unit(ria_dem *m, size_t k) {
  const ria_dem_layer *l = &m->desc->layers[k];
  ria_dem_part *p = &m->part[k];
  return ria_dem_unit_of(m->ctx, ria_dem_name(l), l->unit, m->layer[k]->unit, &p->unit, p->said,
                         sizeof p->said);
}
