/* io/crs_convert.c - coordinate systems and the way from one to another (ria/crs.h).
 *
 * What is built in goes by longitude and latitude: back from one map, onto the other. PROJ takes
 * the rest, both ends of it. */
#include "base/text.h"
#include "io/crs_read.h"
#include "io/proj.h"
#include "io/transverse.h"
#include <ria/crs.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct ria_crs {
  ria_context *ctx;
  char *text; /* as it was given */
  char name[RIA_PROJ_NAME];
  bool built_in, degrees;
  ria_crs_def def; /* if it is built in */
  ria_transverse transverse;
};

static const double pi = 3.14159265358979323846;

/* --- one system ------------------------------------------------------------------------------- */

static ria_status look_outside(ria_crs *c, const char *reason) {
  char why[256] = "";
  double unit;
  if (ria_proj_there(why, sizeof why))
    return ria_proj_look(c->ctx, c->text, &c->degrees, &unit, c->name);
  RIA_TRY(ria_proj_check_limited(c->ctx, c->text)); /* also where PROJ is not there */
  return ria_fail(
      c->ctx, RIA_ERR_ARGUMENT,
      "crs '%.60s': %s is not built in, and PROJ, which knows more, cannot be used: %s. "
      "Install it (libproj), or project the data, for instance to the UTM zone of the "
      "place: gdalwarp -t_srs EPSG:32632 IN.tif OUT.tif",
      c->text, reason, why);
}

static ria_status fill(ria_crs *c) {
  char why[128] = "";
  RIA_TRY(ria_crs_read(c->ctx, c->text, &c->def, &c->built_in, why, sizeof why));
  if (!c->built_in) return look_outside(c, why);
  c->degrees = c->def.kind == RIA_LON_LAT;
  ria_crs_def_name(&c->def, c->name, sizeof c->name);
  if (c->def.kind == RIA_TRANSVERSE_MERCATOR) ria_transverse_set(&c->transverse, &c->def);
  return RIA_OK;
}

ria_status ria_crs_create(ria_context *ctx, const char *text, ria_crs **out) {
  *out = NULL;
  if (!text || !*text) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a crs is missing");
  ria_crs *c = calloc(1, sizeof *c);
  char code[16] = "";
  if (strncasecmp(text, "Projection", 10) == 0 && ria_crs_code(text)) /* words; PROJ has none */
    ria_format(code, sizeof code, "EPSG:%d", ria_crs_code(text));
  if (c) c->text = ria_strdup(*code ? code : text);
  if (!c || !c->text) {
    free(c);
    return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for a coordinate system");
  }
  c->ctx = ctx;
  const ria_status s = fill(c);
  if (s != RIA_OK) ria_crs_destroy(&c);
  *out = c;
  return s;
}

ria_status ria_crs_check(ria_context *ctx, const char *text) {
  if (!text || strncasecmp(text, "EPSG:", 5) != 0) return RIA_OK;
  const char *code = text + 5;
  const size_t n = strspn(code, "0123456789"), more = code[n] == '+' ? n + 1 : n;
  const size_t heights = strspn(code + more, "0123456789");
  if (n && n < 9 && !code[more + heights] && (more == n || heights)) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "crs '%.60s': a number was expected behind EPSG:, as in \"EPSG:25829\"", text);
}

void ria_crs_destroy(ria_crs **crs) {
  if (*crs) free((*crs)->text);
  free(*crs);
  *crs = NULL;
}

const char *ria_crs_name(const ria_crs *crs) { return crs->name; }
int ria_crs_epsg(const ria_crs *crs) {
  return crs->built_in ? crs->def.epsg : ria_crs_code(crs->text);
}
bool ria_crs_in_degrees(const ria_crs *crs) { return crs->degrees; }
bool ria_crs_built_in(const ria_crs *crs) { return crs->built_in; }

bool ria_crs_same(const ria_crs *a, const ria_crs *b) {
  if (strcmp(a->text, b->text) == 0) return true;
  if (!a->built_in || !b->built_in) return ria_crs_epsg(a) && ria_crs_epsg(a) == ria_crs_epsg(b);
  const int code = ria_crs_code_of(&a->def);
  return code && code == ria_crs_code_of(&b->def) && a->def.kind == b->def.kind;
}

ria_crs_axes ria_crs_counts_in(ria_context *ctx, const char *text, double *unit) {
  char name[RIA_PROJ_NAME], why[256] = "";
  bool degrees = false;
  const ria_crs_axes told = ria_crs_axes_of(text, unit);
  if (told != RIA_CRS_UNTOLD || !text || !ria_proj_there(why, sizeof why)) return told;
  if (ria_proj_look(ctx, text, &degrees, unit, name) != RIA_OK) ria_error_clear(ctx);
  if (*unit == 0.0) return *unit = 1.0, RIA_CRS_UNTOLD;
  const bool grads = fabs(*unit - pi / 200.0) < 1e-12;
  return degrees || grads ? RIA_CRS_DEGREES : *unit == 1.0 ? RIA_CRS_METRES : RIA_CRS_OTHERS;
}

ria_status ria_crs_check_metres(ria_context *ctx, const char *text) {
  double unit;
  RIA_TRY(ria_crs_check(ctx, text));
  const ria_crs_axes axes = ria_crs_counts_in(ctx, text, &unit);
  if (axes == RIA_CRS_DEGREES)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "crs '%.60s' is in degrees, and ria computes in metres: name a system in "
                    "metres, such as the UTM zone of the place, \"EPSG:32629\"",
                    text);
  if (axes == RIA_CRS_OTHERS)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "crs '%.60s' counts x and y in units of %.10g m, and ria computes in metres: "
                    "name a system in metres, such as the UTM zone of the place, \"EPSG:32618\"",
                    text, unit);
  return RIA_OK;
}

int ria_crs_utm(double lon, double lat) {
  const double turned = fmod(lon + 540.0, 360.0); /* 0 at 180 degrees west */
  const int zone = (int)(turned / 6.0) + 1;
  return (lat < 0.0 ? 32700 : 32600) + (zone > 60 ? 60 : zone);
}

/* --- points ----------------------------------------------------------------------------------- */

/* A sphere's, on the longer axis of the ellipsoid. */
static void web_forward(const ria_crs_def *d, double *x, double *y) {
  const double lat = fabs(*y) < 90.0 ? *y * pi / 180.0 : NAN;
  *x = d->a * remainder(*x, 360.0) * pi / 180.0;
  *y = d->a * asinh(tan(lat));
}

static void web_inverse(const ria_crs_def *d, double *x, double *y) {
  *x = remainder(*x / d->a * 180.0 / pi, 360.0);
  *y = atan(sinh(*y / d->a)) * 180.0 / pi;
}

static void to_degrees(const ria_crs *c, double *x, double *y) {
  if (c->def.kind == RIA_TRANSVERSE_MERCATOR) ria_transverse_inverse(&c->transverse, *x, *y, x, y);
  if (c->def.kind == RIA_WEB_MERCATOR) web_inverse(&c->def, x, y);
}

static void from_degrees(const ria_crs *c, double *x, double *y) {
  if (c->def.kind == RIA_TRANSVERSE_MERCATOR) ria_transverse_forward(&c->transverse, *x, *y, x, y);
  if (c->def.kind == RIA_WEB_MERCATOR) web_forward(&c->def, x, y);
}

static bool same_datum(const ria_crs_def *a, const ria_crs_def *b) {
  if (a->datum || b->datum) return a->datum == b->datum;
  return false; /* of two datums without a name nobody knows */
}

ria_crs_way ria_crs_way_between(const ria_crs *from, const ria_crs *to) {
  if (strcmp(from->text, to->text) == 0) return RIA_CRS_EXACT;
  if (!from->built_in || !to->built_in) return RIA_CRS_BY_PROJ;
  if (same_datum(&from->def, &to->def)) return RIA_CRS_EXACT;
  return from->def.near && to->def.near ? RIA_CRS_NEAR : RIA_CRS_BY_PROJ;
}

static ria_status by_proj(const ria_crs *from, const ria_crs *to, size_t n, double *x, double *y) {
  char why[256] = "";
  if (ria_proj_there(why, sizeof why))
    return ria_proj_convert(from->ctx, from->text, to->text, n, x, y);
  char ends[2][32];
  const ria_crs *const end[] = {from, to};
  for (int k = 0; k < 2; k++) {
    const int code = ria_crs_epsg(end[k]);
    if (code)
      ria_format(ends[k], sizeof ends[k], "EPSG:%d", code);
    else
      ria_format(ends[k], sizeof ends[k], "%s", k ? "TO.prj" : "FROM.prj");
  }
  return ria_fail(
      from->ctx, RIA_ERR_ARGUMENT,
      "%.60s and %.60s are on two datums, tens of metres apart as a rule; to convert "
      "takes PROJ, which cannot be used: %s. Install it (libproj), or convert the data: "
      "gdalwarp -s_srs %s -t_srs %s IN.tif OUT.tif",
      from->name, to->name, why, ends[0], ends[1]);
}

ria_status ria_crs_convert(const ria_crs *from, const ria_crs *to, size_t n, double *x, double *y) {
  if (strcmp(from->text, to->text) == 0) return RIA_OK;
  if (ria_crs_way_between(from, to) == RIA_CRS_BY_PROJ) return by_proj(from, to, n, x, y);
  for (size_t k = 0; k < n; k++) {
    to_degrees(from, &x[k], &y[k]);
    from_degrees(to, &x[k], &y[k]);
    if (!isfinite(x[k]) || !isfinite(y[k]) || (to->degrees && fabs(y[k]) > 90.0)) x[k] = y[k] = NAN;
  }
  return RIA_OK;
}

ria_status ria_crs_convert_named(ria_context *ctx, const char *from, const char *to, size_t n,
                                 double *x, double *y) {
  ria_crs *a = NULL, *b = NULL;
  ria_status s = ria_crs_create(ctx, from, &a);
  if (s == RIA_OK) s = ria_crs_create(ctx, to, &b);
  if (s == RIA_OK) s = ria_crs_convert(a, b, n, x, y);
  ria_crs_destroy(&a);
  ria_crs_destroy(&b);
  return s;
}
