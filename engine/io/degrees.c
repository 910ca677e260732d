/* io/degrees.c - longitudes and latitudes as charts write them.
 *
 * Read: a sign or a letter of the side, degrees, then minutes and seconds in any of the usual
 * marks, or only spaces or colons between them. The last of the numbers alone may have decimals. */
#include "io/degrees.h"
#include "base/context.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* --- reading ---------------------------------------------------------------------------------- */

/* Marks behind degrees, minutes and seconds; the longest of those that begin alike first. */
static const char *const marks[3][6] = {{"\u00b0", "\u00ba", "degrees", "deg", "d"},
                                        {"\u2032", "\u2019", "'", "min", "m"},
                                        {"\u2033", "\u201d", "''", "\"", "sec", "s"}};

static void skip_blanks(const char **at) { *at += strspn(*at, " \t"); }

/* Pass a mark of the k-th number, or what may stand in its place. */
static void skip_mark(const char **at, int k) {
  skip_blanks(at);
  for (int m = 0; m < 6 && marks[k][m]; m++) {
    const size_t n = strlen(marks[k][m]);
    if (strncmp(*at, marks[k][m], n) != 0) continue;
    *at += n;
    break;
  }
  if (**at == ':') ++*at;
  skip_blanks(at);
}

/* +1 or -1 of a letter of the side, which is passed; 0: there is none. */
static int side_of(const char **at, bool latitude) {
  static const char plus[] = "EN", minus[] = "WS";
  const char letter = (char)toupper((unsigned char)**at);
  const int sign = letter == plus[latitude] ? 1 : letter == minus[latitude] ? -1 : 0;
  if (sign) ++*at;
  return sign;
}

/* False: it is none. */
static bool read_degrees(const char *at, bool latitude, double *out) {
  double sum = 0.0;
  skip_blanks(&at);
  int side = side_of(&at, latitude), n = 0;
  skip_blanks(&at);
  const bool negative = *at == '-', sign = negative || *at == '+';
  at += sign;
  for (bool whole = true; n < 3 && whole; n++) {
    double v;
    const char *end;
    if (!isdigit((unsigned char)*at) || !ria_read_number(at, &end, &v)) break;
    whole = v == floor(v);
    if (n && v >= 60.0) return false;
    sum += v / (n == 0 ? 1.0 : n == 1 ? 60.0 : 3600.0);
    at = end;
    skip_mark(&at, n);
  }
  if (!n) return false;
  if (!side)
    side = side_of(&at, latitude);
  else if (sign)
    return false;
  skip_blanks(&at);
  if (*at || (side && sign)) return false;
  *out = negative || side < 0 ? -sum : sum;
  return true;
}

ria_status ria_parse_degrees(ria_context *ctx, const char *text, bool latitude, double *out) {
  double v = 0.0;
  if (!text)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "a %s is missing", latitude ? "latitude" : "longitude");
  if (!read_degrees(text, latitude, &v))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%.60s' is no %s: write %s", text,
                    latitude ? "latitude" : "longitude",
                    latitude ? "42.25, \"42.25 N\", \"42°15'N\" or \"42 15 00 N\""
                             : "-8.75, \"8.75 W\", \"8°45'W\" or \"8 45 00 W\"");
  *out = v;
  return RIA_OK;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Is step a multiple of a part of a degree, 1 / parts? */
static bool is_multiple(double step, double parts) {
  const double n = step * parts;
  return n >= 0.999 && fabs(n - rint(n)) < 1e-6 * n;
}

void ria_degrees_label(double degrees, bool latitude, double step, char buf[RIA_DEGREES_MAX]) {
  const double v = latitude ? degrees : remainder(degrees, 360.0);
  const int parts = is_multiple(step, 1.0) ? 1 : is_multiple(step, 60.0) ? 60 : 3600;
  const long n = lrint(fabs(v) * parts);
  const char *side = n == 0 || (!latitude && n == 180L * parts) ? ""
                     : latitude                                 ? v > 0.0 ? "N" : "S"
                     : v > 0.0                                  ? "E"
                                                                : "W";
  ria_format(buf, RIA_DEGREES_MAX, "%ld\u00b0", n / parts);
  if (parts >= 60) ria_append(buf, RIA_DEGREES_MAX, "%02ld'", n / (parts / 60) % 60);
  if (parts > 60) ria_append(buf, RIA_DEGREES_MAX, "%02ld\"", n % 60);
  ria_append(buf, RIA_DEGREES_MAX, "%s", side);
}
