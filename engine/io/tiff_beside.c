/* io/tiff_beside.c - what GDAL and ArcGIS keep in bay.tif.aux.xml for a bay.tif that has no room
 * for it, or that was not to be changed: its place and system, what its numbers stand for.
 *
 * The XML is as GDAL writes it: elements of one name within that of the first band, or before that
 * of any. Statistics and pictures, which most such files hold, are passed over. */
#include "io/number.h"
#include "io/text_file.h"
#include "io/tiff.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LONGEST = 1 << 26 }; /* bytes; some hold tables of attributes, of a few MB */

typedef struct text {
  const char *at, *end;
} text;

static const char *find(text t, const char *word) {
  return t.at ? memmem(t.at, (size_t)(t.end - t.at), word, strlen(word)) : NULL;
}

/* What stands in the first element of a name, without the blanks around it; at NULL: there is none.
 */
static text within(text t, const char *name) {
  char open[32], close[32];
  snprintf(open, sizeof open, "<%s", name);
  snprintf(close, sizeof close, "</%s>", name);
  for (const char *at; (at = find(t, open)) != NULL; t.at = at + 1) {
    text in = {at + strlen(open), t.end};
    if (in.at < in.end && *in.at != '>' && !isspace((unsigned char)*in.at)) continue;
    in.at = find(in, ">");
    in.end = find(in, close);
    if (!in.end) return (text){0};
    in.at++;
    while (in.at < in.end && isspace((unsigned char)*in.at)) in.at++;
    while (in.end > in.at && isspace((unsigned char)in.end[-1])) in.end--;
    return in;
  }
  return (text){0};
}

static ria_status fail(const ria_tiff_file *f, const char *name, const char *expected) {
  return ria_fail(f->ctx, RIA_ERR_INPUT, "%s.aux.xml: %s must be %s", f->path, name, expected);
}

static ria_status read_number(const ria_tiff_file *f, text band, const char *name, bool *has,
                              double *to) {
  const text in = within(band, name);
  *has = in.at != NULL;
  if (!in.at || ria_number_parse(in.at, (size_t)(in.end - in.at), to)) return RIA_OK;
  return fail(f, name, "a number");
}

/* value = scale * number + offset */
static ria_status read_line(const ria_tiff_file *f, text band, ria_tiff_beside *b) {
  RIA_TRY(read_number(f, band, "Scale", &b->has_scale, &b->scale));
  RIA_TRY(read_number(f, band, "Offset", &b->has_offset, &b->offset));
  if (!isfinite(b->scale)) return fail(f, "Scale", "finite");
  return isfinite(b->offset) ? RIA_OK : fail(f, "Offset", "finite");
}

/* Six numbers between commas. */
static ria_status read_place(const ria_tiff_file *f, text whole, ria_tiff_beside *b) {
  text in = within(whole, "GeoTransform");
  b->placed = in.at != NULL;
  for (int k = 0; b->placed && k < 6; k++) {
    while (in.at < in.end && isspace((unsigned char)*in.at)) in.at++;
    const char *comma = find(in, ","), *end = k < 5 ? comma : in.end;
    if (!end || !ria_number_parse(in.at, (size_t)(end - in.at), &b->t[k]) || !isfinite(b->t[k]))
      return fail(f, "GeoTransform", "six numbers");
    in.at = end + 1;
  }
  return RIA_OK;
}

/* "&quot;" to '"'; in place, it becomes no longer. */
static void unescape(char *s) {
  static const struct {
    const char *code;
    char c;
  } codes[] = {{"&quot;", '"'}, {"&apos;", '\''}, {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}};
  char *to = s;
  while (*s) {
    char c = *s;
    size_t n = 1;
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
      if (strncmp(s, codes[k].code, strlen(codes[k].code)) == 0) {
        c = codes[k].c;
        n = strlen(codes[k].code);
      }
    *to++ = c;
    s += n;
  }
  *to = '\0';
}

static ria_status copy(const ria_tiff_file *f, text in, char **to) {
  if (!in.at || in.at == in.end || in.end - in.at >= RIA_CRS_MAX) return RIA_OK;
  *to = strndup(in.at, (size_t)(in.end - in.at));
  if (!*to) return ria_fail(f->ctx, RIA_ERR_MEMORY, "%s: out of memory", f->path);
  unescape(*to);
  return RIA_OK;
}

static ria_status parse(const ria_tiff_file *f, text whole, ria_tiff_beside *b) {
  text band = {find(whole, "<PAMRasterBand band=\"1\""), whole.end};
  const char *bands = find(whole, "<PAMRasterBand"), *end = find(band, "</PAMRasterBand>");
  if (bands) whole.end = bands;
  if (end) band.end = end;
  RIA_TRY(read_place(f, whole, b));
  RIA_TRY(copy(f, within(whole, "SRS"), &b->crs));
  RIA_TRY(read_number(f, band, "NoDataValue", &b->has_nodata, &b->nodata));
  RIA_TRY(read_line(f, band, b));
  return copy(f, within(band, "UnitType"), &b->unit);
}

/* Not passed over: no data or a scale may stand in it, and other numbers would count in silence. */
static ria_status fail_long(const ria_tiff_file *f) {
  return ria_fail(f->ctx, RIA_ERR_INPUT,
                  "%s.aux.xml: longer than 64 MB, which place, no data and units never are: leave "
                  "out what fills it (a table of attributes: gdal_translate -norat %s new.tif)",
                  f->path, f->path);
}

ria_status ria_tiff_beside_read(const ria_tiff_file *f, ria_tiff_beside *b) {
  char path[PATH_MAX], *xml;
  struct stat st;
  size_t n;
  *b = (ria_tiff_beside){0};
  if ((size_t)snprintf(path, sizeof path, "%s.aux.xml", f->path) >= sizeof path) return RIA_OK;
  if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return RIA_OK;
  if (st.st_size > LONGEST) return fail_long(f);
  RIA_TRY(ria_text_slurp(f->ctx, path, LONGEST, &xml, &n));
  const ria_status s = parse(f, (text){xml, xml + n}, b);
  free(xml);
  if (s != RIA_OK) ria_tiff_beside_free(b);
  return s;
}

void ria_tiff_beside_free(ria_tiff_beside *b) {
  free(b->crs);
  free(b->unit);
  b->crs = b->unit = NULL;
}
