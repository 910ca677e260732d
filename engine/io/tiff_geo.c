/* io/tiff_geo.c - where the cells of a GeoTIFF lie, and what their numbers stand for.
 *
 * The place is a scale and one tie point, or a matrix, which may turn it. Keys say whether it is
 * that of a cell's corner or centre, and name the coordinate reference system: by its EPSG code, or
 * (as GDAL and Esri write what has none) by a text that holds WKT. */
#include "base/grid.h"
#include "base/text.h"
#include "io/crs.h"
#include "io/crs_def.h"
#include "io/crs_read.h"
#include "io/number.h"
#include "io/tiff.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- keys ------------------------------------------------------------------------------------- */

enum {
  MODEL_TYPE = 1024,
  RASTER_TYPE = 1025,
  GEOGRAPHIC = 2048,
  GEOGRAPHIC_TEXT = 2049,
  PROJECTED = 3072,
  PROJECTED_TEXT = 3073,
  METHOD = 3075,
  LINEAR_UNITS = 3076,
  ORIGIN_LON = 3080,
  ORIGIN_LAT = 3081,
  FALSE_EAST = 3082,
  FALSE_NORTH = 3083,
  ORIGIN_SCALE = 3092,
  VERTICAL = 4096,
  VERTICAL_UNITS = 4099,
  USER_DEFINED = 32767,
  TRANSVERSE = 1, /* of METHOD */
  DOUBLES_MOST = 256,
  TEXTS_MOST = 1 << 16
};

typedef struct keys {
  uint64_t *word; /* four a key: its number, where it lies, values, value */
  size_t n;       /* keys */
  char *texts;
  double number[DOUBLES_MOST];
  size_t numbers;
} keys;

static ria_status read_keys(const ria_tiff_file *f, keys *k) {
  size_t n;
  *k = (keys){0};
  if (!ria_tiff_has(f, RIA_TIFF_KEYS)) return RIA_OK;
  RIA_TRY(ria_tiff_wholes(f, RIA_TIFF_KEYS, &k->word, &n));
  if (n < 4 || k->word[0] != 1)
    return ria_tiff_fail(f, "GeoKeyDirectory is damaged: its first number must be 1");
  if (k->word[3] > n / 4 - 1)
    return ria_tiff_fail(f, "GeoKeyDirectory promises %.0f keys and has %zu", (double)k->word[3],
                         n / 4 - 1);
  k->n = (size_t)k->word[3];
  RIA_TRY(ria_tiff_doubles(f, RIA_TIFF_KEY_DOUBLES, DOUBLES_MOST, k->number, &k->numbers));
  return ria_tiff_text(f, RIA_TIFF_KEY_TEXTS, TEXTS_MOST, &k->texts);
}

static void free_keys(keys *k) {
  free(k->word);
  free(k->texts);
}

/* The number that a key has within the directory; 0: there is no such key. */
static int key_number(const keys *k, uint64_t key) {
  for (size_t i = 1; i <= k->n; i++)
    if (k->word[4 * i] == key && k->word[4 * i + 1] == 0) return (int)k->word[4 * i + 3];
  return 0;
}

/* The double of a key. */
static double key_double(const keys *k, uint64_t key, double fallback) {
  for (size_t i = 1; i <= k->n; i++) {
    const uint64_t *w = k->word + 4 * i;
    if (w[0] == key && w[1] == RIA_TIFF_KEY_DOUBLES && w[3] < k->numbers) return k->number[w[3]];
  }
  return fallback;
}

/* Of a text that is there: a copy, malloc'ed. *lost: there is no memory for it. */
static char *copied(const char *text, size_t n, bool *lost) {
  char *copy = strndup(text, n);
  if (!copy) *lost = true;
  return copy;
}

/* The text of a key, malloc'ed; NULL: none. */
static char *key_text(const keys *k, uint64_t key, bool *lost) {
  const size_t all = k->texts ? strlen(k->texts) : 0;
  for (size_t i = 1; i <= k->n; i++) {
    const uint64_t *w = k->word + 4 * i;
    if (w[0] != key || w[1] != RIA_TIFF_KEY_TEXTS || w[3] >= all) continue;
    size_t n = w[2] < all - w[3] ? (size_t)w[2] : all - (size_t)w[3];
    if (n > 0 && k->texts[w[3] + n - 1] == '|') n--;
    return copied(k->texts + w[3], n, lost);
  }
  return NULL;
}

/* --- the coordinate reference system ---------------------------------------------------------- */

static const char *wkt_in(const char *text) {
  static const char *const mark = "ESRI PE String = ";
  const char *at = text ? strstr(text, mark) : NULL;
  return at ? at + strlen(mark) : NULL;
}

/* "EPSG:n", or what says that it is in degrees. */
static char *geographic_crs(int code, const char *name, bool *lost) {
  char text[256], plain[128];
  size_t n = 0;
  if (code && code != USER_DEFINED) {
    snprintf(text, sizeof text, "EPSG:%d", code);
    return copied(text, sizeof text, lost);
  }
  for (const char *c = name ? name : "unknown"; *c && *c != '|' && n + 1 < sizeof plain; c++)
    if (*c != '"') plain[n++] = *c;
  plain[n] = '\0';
  snprintf(text, sizeof text, "GEOGCS[\"%s\"]", plain);
  return copied(text, sizeof text, lost);
}

/* A transverse Mercator grid by its parameters: one of the tables, or WKT; NULL: on an unknown
 * datum. */
static char *transverse_mercator(const keys *k, bool *lost) {
  const ria_datum *on = ria_datum_of(key_number(k, GEOGRAPHIC));
  ria_crs_def d = {.kind = RIA_TRANSVERSE_MERCATOR,
                   .lat0 = key_double(k, ORIGIN_LAT, 0.0),
                   .lon0 = key_double(k, ORIGIN_LON, 0.0),
                   .k0 = key_double(k, ORIGIN_SCALE, 1.0),
                   .east = key_double(k, FALSE_EAST, 0.0),
                   .north = key_double(k, FALSE_NORTH, 0.0)};
  char text[1024];
  if (!on) return NULL;
  ria_crs_def_on(&d, on);
  const int code = ria_crs_code_of(&d);
  if (code)
    snprintf(text, sizeof text, "EPSG:%d", code);
  else
    ria_format(text, sizeof text,
               "PROJCS[\"unnamed\",GEOGCS[\"%s\",DATUM[\"%s\",SPHEROID[\"%s\",%.12g,%.15g]],"
               "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433],"
               "AUTHORITY[\"EPSG\",\"%d\"]],PROJECTION[\"Transverse_Mercator\"],"
               "PARAMETER[\"latitude_of_origin\",%.15g],PARAMETER[\"central_meridian\",%.15g],"
               "PARAMETER[\"scale_factor\",%.15g],PARAMETER[\"false_easting\",%.15g],"
               "PARAMETER[\"false_northing\",%.15g],UNIT[\"metre\",1]]",
               on->name, on->datum, on->ellipsoid, on->a, on->inverse_flattening, on->code, d.lat0,
               d.lon0, d.k0, d.east, d.north);
  return copied(text, sizeof text, lost);
}

static ria_status check_model(const ria_tiff_file *f, const keys *k, int model) {
  const int unit = key_number(k, LINEAR_UNITS);
  if (model == 3) return ria_tiff_fail(f, "its coordinates are geocentric, not those of a map");
  if (model != 2 && unit != 0 && unit != 9001 && unit != USER_DEFINED)
    return ria_tiff_refuse(f, "gdalwarp -r bilinear -t_srs EPSG:n (of a system in metres)",
                           "its coordinates are not in metres (unit EPSG:%d)", unit);
  return RIA_OK;
}

/* A system without a code is in the text of the projected key, also one in degrees. */
static char *crs_of(const keys *k, int model, bool *lost) {
  const int code = key_number(k, PROJECTED);
  char *text = key_text(k, PROJECTED_TEXT, lost), *crs = NULL;
  const char *wkt = wkt_in(text);
  if (model == 1 && code && code != USER_DEFINED) {
    char epsg[32];
    snprintf(epsg, sizeof epsg, "EPSG:%d", code);
    crs = copied(epsg, sizeof epsg, lost);
  } else if (wkt && *wkt && strlen(wkt) < RIA_CRS_MAX) {
    crs = copied(wkt, RIA_CRS_MAX, lost);
  } else if (model == 1 && key_number(k, METHOD) == TRANSVERSE) {
    crs = transverse_mercator(k, lost);
  } else if (model == 2) {
    char *name = key_text(k, GEOGRAPHIC_TEXT, lost);
    crs = geographic_crs(key_number(k, GEOGRAPHIC), name, lost);
    free(name);
  }
  free(text);
  return crs;
}

/* beside: what a file beside it says, NULL: nothing. */
static ria_status read_crs(const ria_tiff_file *f, const keys *k, const char *beside, char **crs) {
  const int model = key_number(k, MODEL_TYPE);
  bool lost = false;
  RIA_TRY(check_model(f, k, model));
  *crs = model ? crs_of(k, model, &lost) : NULL;
  if (lost) return ria_fail(f->ctx, RIA_ERR_MEMORY, "%s: out of memory", f->path);
  if (model && !*crs && !beside)
    ria_log(f->ctx,
            "%s: its coordinate system has no EPSG code and is left out; gdalsrsinfo -o wkt1 "
            "tells it, to be put beside it as .prj",
            f->path);
  return RIA_OK;
}

/* --- the place -------------------------------------------------------------------------------- */

static ria_status not_placed(const ria_tiff_file *f) {
  return ria_tiff_refuse(
      f, "gdal_translate -a_ullr WEST NORTH EAST SOUTH",
      "it does not say where its cells lie (no ModelPixelScale with one "
      "ModelTiepoint, no ModelTransformation, and no world file .tfw beside it)");
}

/* t: as ria_grid_of_affine has it. */
static ria_status read_matrix(const ria_tiff_file *f, double t[6]) {
  double m[16];
  size_t n;
  RIA_TRY(ria_tiff_doubles(f, RIA_TIFF_MATRIX, 16, m, &n));
  if (n != 16) return ria_tiff_fail(f, "ModelTransformation must be 16 numbers, not %zu", n);
  const double affine[6] = {m[3], m[0], m[1], m[7], m[4], m[5]};
  memcpy(t, affine, sizeof affine);
  return RIA_OK;
}

/* *by_corner: of a file beside it, so that no key says what it counts from. */
static ria_status read_affine(const ria_tiff_file *f, const ria_tiff_beside *beside, double t[6],
                              bool *by_corner) {
  double scale[3], tie[6];
  size_t n, ties;
  *by_corner = beside->placed;
  if (beside->placed) {
    memcpy(t, beside->t, sizeof beside->t);
    return RIA_OK;
  }
  if (ria_tiff_has(f, RIA_TIFF_MATRIX) && !ria_tiff_has(f, RIA_TIFF_PIXEL_SCALE))
    return read_matrix(f, t);
  RIA_TRY(ria_tiff_doubles(f, RIA_TIFF_PIXEL_SCALE, 3, scale, &n));
  if (n < 2 || !ria_tiff_has(f, RIA_TIFF_TIE_POINT)) {
    RIA_TRY(ria_tiff_world_read(f, t, by_corner));
    return *by_corner ? RIA_OK : not_placed(f);
  }
  RIA_TRY(ria_tiff_doubles(f, RIA_TIFF_TIE_POINT, 6, tie, &ties));
  if (ties != 6) return ria_tiff_fail(f, "ModelTiepoint must be 6 numbers, not %zu", ties);
  const double affine[6] = {tie[3] - tie[0] * scale[0], scale[0], 0.0,
                            tie[4] + tie[1] * scale[1], 0.0,      -scale[1]};
  memcpy(t, affine, sizeof affine);
  return RIA_OK;
}

static bool makes_cells(const double t[6]) {
  for (int k = 0; k < 6; k++)
    if (!isfinite(t[k])) return false;
  return hypot(t[1], t[4]) > 0.0 && hypot(t[2], t[5]) > 0.0;
}

static ria_status read_grid(const ria_tiff_file *f, const ria_tiff_image *im, const keys *k,
                            const ria_tiff_beside *beside, ria_tiff_place *p) {
  double t[6] = {0};
  bool by_corner;
  RIA_TRY(read_affine(f, beside, t, &by_corner));
  if (!makes_cells(t))
    return ria_tiff_fail(f, "its cells of %g x %g at %g, %g make no grid", t[1], -t[5], t[0], t[3]);
  const double half = !by_corner && key_number(k, RASTER_TYPE) == 2 ? 0.5 : 0.0; /* centres */
  t[0] -= half * (t[1] + t[2]);
  t[3] -= half * (t[4] + t[5]);
  if (ria_grid_of_affine(t, im->nx, im->ny, &p->grid, &p->from_south)) return RIA_OK;
  return ria_tiff_refuse(f, "gdalwarp -r bilinear", "its rows and columns are not at right angles");
}

/* --- values ----------------------------------------------------------------------------------- */

static bool parse(const char *s, const char *end, double *out) {
  while (s < end && isspace((unsigned char)*s)) s++;
  while (end > s && isspace((unsigned char)end[-1])) end--;
  return ria_number_parse(s, (size_t)(end - s), out);
}

static ria_status read_nodata(const ria_tiff_file *f, ria_tiff_place *p) {
  char *text;
  RIA_TRY(ria_tiff_text(f, RIA_TIFF_NODATA, 256, &text));
  if (!text) return RIA_OK;
  const bool empty = strspn(text, " ") == strlen(text);
  p->has_nodata = !empty && parse(text, text + strlen(text), &p->nodata);
  free(text);
  if (empty || p->has_nodata) return RIA_OK;
  return ria_tiff_refuse(f, "gdal_translate -a_nodata NUMBER", "GDAL_NODATA is not a number");
}

/* <Item name="SCALE" sample="0" role="scale">0.01</Item> */
static ria_status read_item(const ria_tiff_file *f, const char *xml, const char *role,
                            double *value) {
  const char *at = xml ? strstr(xml, role) : NULL;
  if (!at) return RIA_OK;
  const char *open = strchr(at, '>'), *close = open ? strchr(open, '<') : NULL;
  if (close && parse(open + 1, close, value) && isfinite(*value)) return RIA_OK;
  return ria_tiff_refuse(f, "gdal_translate -unscale", "the %s in GDAL_METADATA is not a number",
                         role);
}

/* The unit of heights of the vertical systems that count in feet; 0: of none of these. */
static int vertical_unit(int system) {
  switch (system) {
  case 5702: /* NGVD29 */
  case 6360: /* NAVD88 */
    return 9003;
  case 8228: /* NAVD88 */
    return 9002;
  default:
    return 0;
  }
}

/* GDAL's text for the band before the keys of the vertical system. */
static ria_status read_unit(const ria_tiff_file *f, const keys *k, const char *xml,
                            ria_tiff_place *p) {
  const char *at = xml ? strstr(xml, "role=\"unittype\"") : NULL,
             *open = at ? strchr(at, '>') : NULL;
  const char *close = open ? strchr(open, '<') : NULL;
  const int said = key_number(k, VERTICAL_UNITS);
  const int code = said && said != USER_DEFINED ? said : vertical_unit(key_number(k, VERTICAL));
  char epsg[32] = "";
  if (code) snprintf(epsg, sizeof epsg, "EPSG:%d", code);
  if (close && close > open + 1)
    p->unit = strndup(open + 1, (size_t)(close - open - 1));
  else if (code)
    p->unit = strdup(epsg);
  else
    return RIA_OK;
  return p->unit ? RIA_OK : ria_fail(f->ctx, RIA_ERR_MEMORY, "%s: out of memory", f->path);
}

static ria_status read_values(const ria_tiff_file *f, const keys *k, ria_tiff_place *p) {
  char *xml;
  RIA_TRY(ria_tiff_text(f, RIA_TIFF_METADATA, 1 << 20, &xml));
  ria_status s = read_item(f, xml, "role=\"scale\"", &p->scale);
  if (s == RIA_OK) s = read_item(f, xml, "role=\"offset\"", &p->offset);
  p->scaled = xml && (strstr(xml, "role=\"scale\"") || strstr(xml, "role=\"offset\""));
  if (s == RIA_OK) s = read_unit(f, k, xml, p);
  free(xml);
  return s == RIA_OK ? read_nodata(f, p) : s;
}

/* EPSG's number of a system; 0: none. */
static int code_of(const char *crs) {
  const int code = crs ? ria_crs_code(crs) : 0;
  return code || !crs ? code : ria_crs_code_within(crs);
}

/* For GDAL the system beside the file comes first. Where that has no code it may be the file's own
 * in other words, which name it worse. */
static bool is_other_system(const ria_tiff_beside *b, const ria_tiff_place *p) {
  const int code = code_of(b->crs);
  if (!b->crs || !p->crs || b->placed) return b->crs != NULL;
  return code && code != code_of(p->crs);
}

/* As for GDAL: no data, place and system beside the file come before its own. Its own scale, offset
 * and name of the unit come before those beside it, but not the unit of its vertical system. */
static void take_beside(ria_tiff_beside *b, ria_tiff_place *p) {
  if (b->has_nodata) {
    p->has_nodata = true;
    p->nodata = b->nodata;
  }
  if (b->has_scale && !p->scaled) p->scale = b->scale;
  if (b->has_offset && !p->scaled) p->offset = b->offset;
  if (b->unit && (!p->unit || strncmp(p->unit, "EPSG:", 5) == 0)) {
    free(p->unit);
    p->unit = b->unit;
    b->unit = NULL;
  }
  if (is_other_system(b, p)) {
    free(p->crs);
    p->crs = b->crs;
    b->crs = NULL;
  }
}

static ria_status read_place(const ria_tiff_file *f, const ria_tiff_image *image, const keys *k,
                             ria_tiff_place *p) {
  ria_tiff_beside beside;
  RIA_TRY(ria_tiff_beside_read(f, &beside));
  ria_status s = read_grid(f, image, k, &beside, p);
  if (s == RIA_OK) s = read_values(f, k, p);
  if (s == RIA_OK) s = read_crs(f, k, beside.crs, &p->crs);
  if (s == RIA_OK) take_beside(&beside, p);
  ria_tiff_beside_free(&beside);
  return s;
}

ria_status ria_tiff_place_read(const ria_tiff_file *f, const ria_tiff_image *image,
                               ria_tiff_place *p) {
  keys k;
  *p = (ria_tiff_place){.scale = 1.0};
  ria_status s = read_keys(f, &k);
  if (s == RIA_OK) s = read_place(f, image, &k, p);
  free_keys(&k);
  if (s != RIA_OK) ria_tiff_place_free(p);
  return s;
}

void ria_tiff_place_free(ria_tiff_place *p) {
  free(p->crs);
  free(p->unit);
  p->crs = p->unit = NULL;
}
