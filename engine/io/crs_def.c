/* io/crs_def.c - coordinate systems that are built in, by their EPSG codes; names of them. */
#include "io/crs_def.h"
#include "base/text.h"
#include "io/crs_grids.h"

#include <math.h>
#include <stdio.h>

void ria_crs_def_on(ria_crs_def *def, const ria_datum *datum) {
  def->datum = datum;
  def->near = datum->near;
  def->a = datum->a;
  def->inverse_flattening = datum->inverse_flattening;
}

/* The system of a row's code, `step` behind its first. */
static void take_row(const ria_crs_grids *g, int step, ria_crs_def *out) {
  *out = (ria_crs_def){.kind = RIA_TRANSVERSE_MERCATOR,
                       .epsg = g->code + step,
                       .lat0 = g->lat0,
                       .lon0 = remainder(g->lon0 + step * g->lon_step, 360.0),
                       .k0 = g->k0,
                       .east = g->east + step * g->east_step,
                       .north = g->north};
  ria_crs_def_on(out, ria_datum_of(g->datum));
}

static bool grid_of(int epsg, ria_crs_def *out) {
  const ria_crs_grids *g;
  for (size_t k = 0; (g = ria_crs_grids_at(k)); k++)
    if (epsg >= g->code && epsg < g->code + g->n) return take_row(g, epsg - g->code, out), true;
  return false;
}

static bool same_map(const ria_crs_def *a, const ria_crs_def *b) {
  return fabs(a->lat0 - b->lat0) < 1e-9 && fabs(a->lon0 - b->lon0) < 1e-9 &&
         fabs(a->k0 - b->k0) < 1e-11 && fabs(a->east - b->east) < 1e-4 &&
         fabs(a->north - b->north) < 1e-4;
}

/* Of two codes for one map the one that is in use: 25829, where 3041 has the axes turned. UTM zones
 * and their like have codes of five digits, from here on. */
enum { OWN_BLOCKS = 25000 };

int ria_crs_code_of(const ria_crs_def *d) {
  const ria_crs_grids *g;
  if (!d->datum || d->kind != RIA_TRANSVERSE_MERCATOR)
    return d->datum && d->kind == RIA_LON_LAT ? d->datum->code : 0;
  int code = 0;
  for (size_t k = 0; code < OWN_BLOCKS && (g = ria_crs_grids_at(k)); k++) {
    if (g->datum != d->datum->code) continue;
    for (int step = 0; step < g->n; step++) {
      ria_crs_def o;
      take_row(g, step, &o);
      if (same_map(&o, d) && (!code || o.epsg >= OWN_BLOCKS)) code = o.epsg;
      if (code >= OWN_BLOCKS) break;
    }
  }
  return code;
}

bool ria_crs_def_of(int epsg, ria_crs_def *out) {
  const ria_datum *datum = ria_datum_of(epsg == 3857 ? 4326 : epsg);
  if (!datum) return grid_of(epsg, out);
  *out = (ria_crs_def){.kind = epsg == 3857 ? RIA_WEB_MERCATOR : RIA_LON_LAT, .epsg = epsg};
  ria_crs_def_on(out, datum);
  return true;
}

int ria_crs_code_at(size_t k) {
  const ria_crs_grids *g;
  for (size_t row = 0; (g = ria_crs_grids_at(row)); row++) {
    if (k < (size_t)g->n) return g->code + (int)k;
    k -= (size_t)g->n;
  }
  return 0;
}

/* The zone of a UTM, negative in the south; 0: it is none. */
static int utm_zone(const ria_crs_def *d) {
  const double zone = (d->lon0 + 183.0) / 6.0;
  if (d->lat0 != 0.0 || d->k0 != 0.9996 || d->east != 500000.0 || zone != rint(zone)) return 0;
  if (d->north != 0.0 && d->north != 10000000.0) return 0;
  return d->north == 0.0 ? (int)zone : -(int)zone;
}

void ria_crs_def_name(const ria_crs_def *d, char *buf, size_t size) {
  const char *datum = d->datum ? d->datum->name : "unknown datum";
  const int zone = d->kind == RIA_TRANSVERSE_MERCATOR ? utm_zone(d) : 0;
  if (d->kind == RIA_LON_LAT)
    snprintf(buf, size, "%s", datum);
  else if (d->kind == RIA_WEB_MERCATOR)
    snprintf(buf, size, "%s / Pseudo-Mercator", datum);
  else if (zone)
    snprintf(buf, size, "%s / UTM zone %d%c", datum, zone < 0 ? -zone : zone, zone < 0 ? 'S' : 'N');
  else
    ria_format(buf, size, "%s / transverse Mercator %.7g%c", datum, fabs(d->lon0),
               d->lon0 < 0.0 ? 'W' : 'E');
}
