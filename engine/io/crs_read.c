/* io/crs_read.c - a coordinate system from text, as far as it is built in.
 *
 * A code is looked up. WKT with the code of a system that is built in is that system; other WKT is
 * read by its parameters, and whatever in it ria does not know by name (a projection, a unit, a
 * meridian other than Greenwich) leaves it to PROJ. */
#include "io/crs_read.h"
#include "base/text.h"
#include "io/wkt.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- codes ------------------------------------------------------------------------------------ */

/* The word that follows a key in the lines of an old .prj, "Datum  NAD83"; "" = none. */
static const char *word_after(const char *text, const char *key) {
  const char *at = strcasestr(text, key);
  if (!at) return "";
  at += strlen(key);
  return at + strspn(at, " \t");
}

/* Longitude and latitude in the lines that Arc/Info wrote: "Projection GEOGRAPHIC". Seconds of arc
 * (Units DS) are no degrees. */
static int code_of_words(const char *text) {
  if (strncasecmp(text, "Projection", 10) != 0 ||
      strncasecmp(word_after(text, "Projection"), "GEOGRAPHIC", 10) != 0 ||
      strncasecmp(word_after(text, "Units"), "DS", 2) == 0)
    return 0;
  const char *datum = word_after(text, "Datum");
  if (strncasecmp(datum, "NAD83", 5) == 0) return 4269;
  return strncasecmp(datum, "NAD27", 5) == 0 ? 4267 : 4326;
}

int ria_crs_code(const char *text) {
  static const char *const before[] = {
      "EPSG:", "urn:ogc:def:crs:EPSG:", "http://www.opengis.net/def/crs/EPSG/",
      "https://www.opengis.net/def/crs/EPSG/"};
  for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
    const size_t n = strlen(before[k]);
    if (strncasecmp(text, before[k], n) != 0) continue;
    const char *at = text + n;
    /* the version of the data set: none, 0, 9.9.1 */
    const char *code = k > 0 ? strrchr(at, k == 1 ? ':' : '/') : at;
    char *end;
    if (!code) return 0;
    if (k > 0) code++;
    const long number = isdigit((unsigned char)*code) ? strtol(code, &end, 10) : 0;
    return number > 0 && number < 1000000 && *end == '\0' ? (int)number : 0;
  }
  return code_of_words(text);
}

/* --- WKT -------------------------------------------------------------------------------------- */

#define PROJECTED "PROJCS|PROJCRS|PROJECTEDCRS"
#define LOCAL "LOCAL_CS|ENGCRS|ENGINEERINGCRS"
#define GEOGRAPHIC "GEOGCS|GEOGCRS|GEOGRAPHICCRS|GEODCRS|GEODETICCRS|BASEGEOGCRS|BASEGEODCRS"

typedef struct wkt_job {
  const ria_wkt *w;
  ria_crs_def *def;
  char *why;
  size_t size;
} wkt_job;

static bool left_out(const wkt_job *j, const char *what, const char *which) {
  ria_format(j->why, j->size, "%s '%.60s'", what, which);
  return false;
}

static int code_at(const ria_wkt *w, int node) {
  const int id = ria_wkt_child(w, node, "AUTHORITY|ID");
  if (id < 0 || strcasecmp(w->node[id].text, "EPSG") != 0) return 0;
  const ria_wkt_node *at = &w->node[id];
  return at->numbers > 0 ? (int)fmin(fmax(at->number[0], 0.0), 1e6) : atoi(at->second);
}

static const double degree = 0.017453292519943295;

/* Degrees and metres alone. ESRI writes the first with 16 digits, GDAL with 15. */
static bool units_known(const wkt_job *j) {
  for (int k = 1; k < j->w->n; k++) {
    const ria_wkt_node *u = &j->w->node[k];
    const double factor = u->numbers > 0 ? u->number[0] : NAN;
    const bool angle = fabs(factor - degree) < 1e-12, metre = factor == 1.0;
    if (ria_wkt_is(j->w, k, "UNIT") && !angle && !metre) return left_out(j, "the unit", u->text);
    if (ria_wkt_is(j->w, k, "ANGLEUNIT") && !angle) return left_out(j, "the unit", u->text);
    if (ria_wkt_is(j->w, k, "LENGTHUNIT") && !metre) return left_out(j, "the unit", u->text);
    if (ria_wkt_is(j->w, k, "PRIMEM|PRIMEMERIDIAN") && u->numbers > 0 && u->number[0] != 0.0)
      return left_out(j, "the prime meridian", u->text);
  }
  return true;
}

static bool same_ellipsoid(const ria_datum *d, const ria_crs_def *def) {
  return d && fabs(d->a - def->a) < 1e-2 &&
         fabs(d->inverse_flattening - def->inverse_flattening) < 1e-5;
}

/* TOWGS84[0,0,0,...]: the WKT itself says that there is no shift. */
static bool no_shift(const ria_wkt *w, int datum) {
  const int to = ria_wkt_child(w, datum, "TOWGS84");
  for (int k = 0; to >= 0 && k < w->node[to].numbers; k++)
    if (w->node[to].number[k] != 0.0) return false;
  return to >= 0 && w->node[to].numbers >= 3;
}

static bool read_datum(const wkt_job *j, int geographic) {
  const ria_wkt *w = j->w;
  const int datum =
      ria_wkt_child(w, geographic, "DATUM|GEODETICDATUM|TRF|GEODETICREFERENCEFRAME|ENSEMBLE");
  const int ball = ria_wkt_child(w, datum, "SPHEROID|ELLIPSOID");
  if (ball < 0 || w->node[ball].numbers < 2) return left_out(j, "a system without", "SPHEROID");
  j->def->a = w->node[ball].number[0];
  j->def->inverse_flattening = w->node[ball].number[1];
  if (!(j->def->a > 6e6 && j->def->a < 7e6 && j->def->inverse_flattening > 200.0 &&
        j->def->inverse_flattening < 400.0))
    return left_out(j, "the ellipsoid", w->node[ball].text);
  const ria_datum *by_code = ria_datum_of(code_at(w, geographic));
  const ria_datum *d = by_code ? by_code : ria_datum_named(w->node[datum].text);
  if (same_ellipsoid(d, j->def)) ria_crs_def_on(j->def, d);
  j->def->near = j->def->near || no_shift(w, datum);
  return true;
}

/* Letters alone, small: "False_Easting" is "falseeasting". */
static void plain(const char *name, char *out, size_t size) {
  size_t n = 0;
  for (; *name && n + 1 < size; name++)
    if (isalpha((unsigned char)*name)) out[n++] = (char)tolower((unsigned char)*name);
  out[n] = '\0';
}

static bool read_parameters(const wkt_job *j, int in) {
  static const char *const names[][2] = {{"latitudeoforigin", "latitudeofnaturalorigin"},
                                         {"centralmeridian", "longitudeofnaturalorigin"},
                                         {"scalefactor", "scalefactoratnaturalorigin"},
                                         {"falseeasting", "falseeasting"},
                                         {"falsenorthing", "falsenorthing"}};
  ria_crs_def *d = j->def;
  double *const to[] = {&d->lat0, &d->lon0, &d->k0, &d->east, &d->north};
  for (int k = in + 1; k < j->w->n; k++) {
    const ria_wkt_node *p = &j->w->node[k];
    char name[64];
    size_t which = 0;
    if (p->parent != in || !ria_wkt_is(j->w, k, "PARAMETER") || p->numbers < 1) continue;
    plain(p->text, name, sizeof name);
    while (which < 5 && strcmp(name, names[which][0]) != 0 && strcmp(name, names[which][1]) != 0)
      which++;
    if (which == 5) return left_out(j, "the parameter", p->text);
    *to[which] = p->number[0];
  }
  return true;
}

static bool read_projection(const wkt_job *j, int root) {
  const ria_wkt *w = j->w;
  const int conversion = ria_wkt_child(w, root, "CONVERSION");
  const int method = conversion >= 0 ? ria_wkt_child(w, conversion, "METHOD|PROJECTION")
                                     : ria_wkt_child(w, root, "PROJECTION");
  const char *called = method >= 0 ? w->node[method].text : "";
  char name[64];
  plain(called, name, sizeof name);
  j->def->k0 = 1.0;
  if (strcmp(name, "transversemercator") != 0 && strcmp(name, "gausskruger") != 0)
    return left_out(j, "the projection", called);
  j->def->kind = RIA_TRANSVERSE_MERCATOR;
  return read_parameters(j, conversion >= 0 ? conversion : root) && j->def->k0 > 0.0 &&
         fabs(j->def->lat0) <= 90.0;
}

/* The system of x and y within one with heights, or with a way to another datum; -1: none. */
static int horizontal(const ria_wkt *w) {
  int at = 0;
  while (at >= 0 && ria_wkt_is(w, at, "COMPD_CS|COMPOUNDCRS|BOUNDCRS|SOURCECRS"))
    at = ria_wkt_child(w, at, "SOURCECRS|COMPOUNDCRS|BOUNDCRS|" PROJECTED "|" GEOGRAPHIC "|" LOCAL);
  return at;
}

static bool read_tree(const wkt_job *j) {
  const ria_wkt *w = j->w;
  const int root = horizontal(w);
  const bool projected = root >= 0 && ria_wkt_is(w, root, PROJECTED);
  if (!projected && !(root >= 0 && ria_wkt_is(w, root, GEOGRAPHIC)))
    return left_out(j, "the keyword", w->node[0].keyword);
  if (ria_crs_def_of(code_at(w, root), j->def)) return true;
  *j->def = (ria_crs_def){.kind = RIA_LON_LAT};
  if (projected && strcmp(w->node[root].text, "WGS_1984_Web_Mercator_Auxiliary_Sphere") == 0)
    return ria_crs_def_of(3857, j->def);
  if (!units_known(j)) return false;
  if (!read_datum(j, projected ? ria_wkt_child(w, root, GEOGRAPHIC) : root)) return false;
  if (projected && !read_projection(j, root)) return false;
  j->def->epsg = ria_crs_code_of(j->def);
  return true;
}

static ria_status read_wkt(ria_context *ctx, const char *text, ria_crs_def *out, bool *known,
                           char *why, size_t size) {
  ria_wkt *w = malloc(sizeof *w);
  if (!w) return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for a coordinate system");
  const char *wrong = ria_wkt_parse(text, w);
  const wkt_job job = {.w = w, .def = out, .why = why, .size = size};
  *known = !wrong && read_tree(&job);
  free(w);
  if (!wrong) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "crs '%.40s...' is no good WKT: %s", text, wrong);
}

/* --- any text --------------------------------------------------------------------------------- */

static bool is_crs84(const char *text) {
  return strcasecmp(text, "CRS84") == 0 || strcasecmp(text, "OGC:CRS84") == 0 ||
         strcasecmp(text, "urn:ogc:def:crs:OGC:1.3:CRS84") == 0;
}

ria_status ria_crs_read(ria_context *ctx, const char *text, ria_crs_def *out, bool *known,
                        char *why, size_t size) {
  const int code = ria_crs_code(text);
  if (strpbrk(text, "[(") && isalpha((unsigned char)text[strspn(text, " \t\r\n")]))
    return read_wkt(ctx, text, out, known, why, size);
  ria_format(why, size, "it");
  if (is_crs84(text))
    *known = ria_crs_def_of(4326, out);
  else
    *known = code && ria_crs_def_of(code, out);
  return RIA_OK;
}

/* --- what x and y count in -------------------------------------------------------------------- */

/* WKT as a tree, malloc'ed; NULL: it is none, or out of memory. */
static ria_wkt *parsed(const char *text) {
  ria_wkt *w = strpbrk(text, "[(") ? malloc(sizeof *w) : NULL;
  if (!w || !ria_wkt_parse(text, w)) return w;
  free(w);
  return NULL;
}

/* The unit stands behind the axes, or in each of them. */
static double unit_at(const ria_wkt *w, int node) {
  int unit = ria_wkt_child(w, node, "UNIT|LENGTHUNIT");
  if (unit < 0) unit = ria_wkt_child(w, ria_wkt_child(w, node, "AXIS"), "UNIT|LENGTHUNIT");
  return unit >= 0 && w->node[unit].numbers > 0 ? w->node[unit].number[0] : 1.0;
}

int ria_crs_code_within(const char *wkt) {
  ria_wkt *w = parsed(wkt);
  const int root = w ? horizontal(w) : -1, code = root >= 0 ? code_at(w, root) : 0;
  free(w);
  return code;
}

ria_crs_axes ria_crs_axes_of(const char *text, double *unit) {
  ria_crs_def d;
  *unit = 1.0;
  if (!text) return RIA_CRS_UNTOLD;
  const int code = ria_crs_code(text);
  if (is_crs84(text)) return RIA_CRS_DEGREES;
  if (code && ria_crs_def_of(code, &d))
    return d.kind == RIA_LON_LAT ? RIA_CRS_DEGREES : RIA_CRS_METRES;
  const double length = ria_crs_unit_of(code);
  if (length > 0.0) return *unit = length, RIA_CRS_OTHERS;
  ria_wkt *w = parsed(text);
  const int root = w ? horizontal(w) : -1;
  ria_crs_axes axes = RIA_CRS_UNTOLD;
  if (root >= 0 && ria_wkt_is(w, root, GEOGRAPHIC)) axes = RIA_CRS_DEGREES;
  if (root >= 0 && ria_wkt_is(w, root, PROJECTED "|" LOCAL)) {
    *unit = unit_at(w, root);
    axes = *unit == 1.0 ? RIA_CRS_METRES : RIA_CRS_OTHERS;
  }
  free(w);
  return axes;
}
