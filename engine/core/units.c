/* core/units.c - quantities written with units, read from closed tables.
 *
 * A dimension has a table of its own units, or is one dimension over another (a mass rate is any
 * mass over any time), or both (a speed in knots). A compound unit is split at its last slash and
 * its halves are looked up in turn, so "m/s/s" is a speed over a time.
 *
 * A unit is kept as a ratio mul / div of whole numbers where there is one: 90 km/h is
 * 90 * 1000 / 3600 = 25 m/s exactly, which 90 * (1000 / 3600) is not.
 *
 * "^" is optional ("m3", "m^3") and never compared; superscripts and a micro sign written in UTF-8
 * are turned into ASCII first. Everything else is as written: units are case-sensitive. */
#include "core/units.h"

#include "base/text.h"
#include "io/calendar.h"

#include <math.h>
#include <string.h>

/* --- tables ----------------------------------------------------------------------------------- */

typedef ria_factor factor;

typedef struct unit {
  const char *name; /* NULL ends a table */
  factor si;
  bool alias; /* understood, but not listed in messages */
} unit;

typedef struct dimension {
  const char *name; /* as messages call it */
  const char *unit; /* SI */
  const unit *units;
  int over, under; /* ria_dim: any unit of `over` over any unit of `under`; both 0 = not compound */
  double per_si;   /* of a compound: the SI unit of this dimension per over / under; 0 = 1 */
} dimension;

#define DEGREES_PER_RADIAN 57.295779513082320877

#define UNIT(name, mul, div)                                                                       \
  { name, {mul, div}, false }
#define ALIAS(name, mul, div)                                                                      \
  { name, {mul, div}, true }
static const unit units_none[] = {UNIT("%", 1, 100), ALIAS("1", 1, 1), {0}};
static const unit units_time[] = {UNIT("ms", 1, 1000),
                                  UNIT("s", 1, 1),
                                  ALIAS("sec", 1, 1),
                                  ALIAS("second", 1, 1),
                                  ALIAS("seconds", 1, 1),
                                  UNIT("min", 60, 1),
                                  ALIAS("minute", 60, 1),
                                  ALIAS("minutes", 60, 1),
                                  UNIT("h", 3600, 1),
                                  ALIAS("hr", 3600, 1),
                                  ALIAS("hour", 3600, 1),
                                  ALIAS("hours", 3600, 1),
                                  UNIT("d", 86400, 1),
                                  ALIAS("day", 86400, 1),
                                  ALIAS("days", 86400, 1),
                                  UNIT("week", 604800, 1),
                                  ALIAS("weeks", 604800, 1),
                                  UNIT("yr", 31557600, 1),
                                  ALIAS("year", 31557600, 1),
                                  ALIAS("years", 31557600, 1),
                                  ALIAS("kyr", 31557600e3, 1),
                                  ALIAS("Myr", 31557600e6, 1),
                                  {0}}; /* Julian years */
static const unit units_length[] = {UNIT("mm", 1, 1000),
                                    UNIT("cm", 1, 100),
                                    UNIT("m", 1, 1),
                                    UNIT("km", 1000, 1),
                                    UNIT("ft", 3048, 10000),
                                    UNIT("nmi", 1852, 1),
                                    UNIT("mi", 1609344, 1000),
                                    ALIAS("us-ft", 1200, 3937),
                                    ALIAS("ftUS", 1200, 3937),
                                    ALIAS("fathom", 18288, 10000),
                                    {0}};
static const unit units_area[] = {
    UNIT("cm^2", 1, 1e4), UNIT("m^2", 1, 1), UNIT("ha", 1e4, 1), UNIT("km^2", 1e6, 1), {0}};
static const unit units_volume[] = {UNIT("cm^3", 1, 1e6),
                                    ALIAS("ml", 1, 1e6),
                                    ALIAS("mL", 1, 1e6),
                                    ALIAS("dl", 1, 1e4),
                                    ALIAS("dL", 1, 1e4),
                                    UNIT("l", 1, 1000),
                                    ALIAS("L", 1, 1000),
                                    ALIAS("dm^3", 1, 1000),
                                    UNIT("m^3", 1, 1),
                                    UNIT("hm^3", 1e6, 1),
                                    UNIT("km^3", 1e9, 1),
                                    UNIT("bbl", 158987294928.0, 1e12),
                                    {0}};
static const unit units_mass[] = {
    ALIAS("ng", 1, 1e12),    UNIT("ug", 1, 1e9),       UNIT("mg", 1, 1e6),
    UNIT("g", 1, 1000),      UNIT("kg", 1, 1),         UNIT("t", 1000, 1),
    ALIAS("tonne", 1000, 1), ALIAS("tonnes", 1000, 1), {0}};
static const unit units_speed[] = {
    UNIT("kn", 1852, 3600), ALIAS("knots", 1852, 3600), ALIAS("kmh", 1000, 3600), {0}};
static const unit units_acceleration[] = {
    UNIT("m/s^2", 1, 1), ALIAS("cm/s^2", 1, 100), ALIAS("mm/s^2", 1, 1000), {0}};
static const unit units_angle[] = {UNIT("deg", 1, 1),
                                   ALIAS("degrees", 1, 1),
                                   ALIAS("\xC2\xB0", 1, 1),
                                   UNIT("rad", DEGREES_PER_RADIAN, 1),
                                   {0}};
static const unit units_manning[] = {UNIT("s/m^(1/3)", 1, 1),
                                     ALIAS("s/m^1/3", 1, 1),
                                     ALIAS("s m^(-1/3)", 1, 1),
                                     ALIAS("s m^-1/3", 1, 1),
                                     {0}};
static const unit units_unit_flow[] = {ALIAS("m^3/s/m", 1, 1), {0}};

static const dimension dimensions[] = {
    [RIA_DIM_NONE] = {"number", "", units_none, 0, 0, 0},
    [RIA_DIM_TIME] = {"time", "s", units_time, 0, 0, 0},
    [RIA_DIM_LENGTH] = {"length", "m", units_length, 0, 0, 0},
    [RIA_DIM_AREA] = {"area", "m^2", units_area, 0, 0, 0},
    [RIA_DIM_VOLUME] = {"volume", "m^3", units_volume, 0, 0, 0},
    [RIA_DIM_MASS] = {"mass", "kg", units_mass, 0, 0, 0},
    [RIA_DIM_MASS_RATE] = {"mass rate", "kg/s", NULL, RIA_DIM_MASS, RIA_DIM_TIME, 0},
    [RIA_DIM_FLOW] = {"flow", "m^3/s", NULL, RIA_DIM_VOLUME, RIA_DIM_TIME, 0},
    [RIA_DIM_SPEED] = {"speed", "m/s", units_speed, RIA_DIM_LENGTH, RIA_DIM_TIME, 0},
    [RIA_DIM_CONCENTRATION] = {"concentration", "kg/m^3", NULL, RIA_DIM_MASS, RIA_DIM_VOLUME, 0},
    [RIA_DIM_RATE] = {"rate", "1/s", NULL, RIA_DIM_NONE, RIA_DIM_TIME, 0},
    [RIA_DIM_DIFFUSIVITY] = {"diffusivity", "m^2/s", NULL, RIA_DIM_AREA, RIA_DIM_TIME, 0},
    [RIA_DIM_ACCELERATION] = {"acceleration", "m/s^2", units_acceleration, RIA_DIM_SPEED,
                              RIA_DIM_TIME, 0},
    [RIA_DIM_ANGLE] = {"angle", "deg", units_angle, 0, 0, 0},
    [RIA_DIM_ANGULAR_SPEED] = {"angular speed", "deg/h", NULL, RIA_DIM_ANGLE, RIA_DIM_TIME, 3600},
    [RIA_DIM_MANNING] = {"Manning coefficient", "s/m^(1/3)", units_manning, 0, 0, 0},
    [RIA_DIM_UNIT_FLOW] = {"flow per width", "m^2/s", units_unit_flow, RIA_DIM_AREA, RIA_DIM_TIME,
                           0},
    [RIA_DIM_DENSITY] = {"density", "kg/m^3", NULL, RIA_DIM_MASS, RIA_DIM_VOLUME, 0},
};

enum { N_DIMENSIONS = sizeof dimensions / sizeof *dimensions, UNIT_MAX = RIA_UNIT_MAX };

static const dimension *dimension_of(ria_dim dim) {
  return &dimensions[(unsigned)dim < N_DIMENSIONS ? dim : RIA_DIM_NONE];
}

static bool is_compound(const dimension *d) { return d->under != 0; }

const char *ria_dim_unit(ria_dim dim) { return dimension_of(dim)->unit; }
const char *ria_dim_name(ria_dim dim) { return dimension_of(dim)->name; }

/* --- looking a unit up ------------------------------------------------------------------------ */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static const char *skip_space(const char *p) {
  while (is_space(*p)) p++;
  return p;
}

/* The ASCII letter for a UTF-8 sequence that people write units with, and its length. */
static char plain_letter(const char *p, size_t *length) {
  static const struct {
    const char *utf8;
    char plain;
  } table[] = {{"\xC2\xB2", '2'}, {"\xC2\xB3", '3'}, {"\xC2\xB5", 'u'}, {"\xCE\xBC", 'u'}};
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    *length = strlen(table[k].utf8);
    if (strncmp(p, table[k].utf8, *length) == 0) return table[k].plain;
  }
  *length = 1;
  return *p;
}

bool ria_plain_unit(const char *text, size_t n, char out[UNIT_MAX]) {
  size_t m = 0;
  for (size_t k = 0, step; k < n; k += step) {
    char c = plain_letter(text + k, &step);
    bool after_mark = m > 0 && strchr("/^", out[m - 1]);
    if (is_space(c) && (m == 0 || after_mark || out[m - 1] == ' ')) continue;
    if ((c == '/' || c == '^') && m > 0 && out[m - 1] == ' ') m--;
    if (m + 1 >= UNIT_MAX) return false;
    out[m++] = is_space(c) ? ' ' : c;
  }
  if (m > 0 && out[m - 1] == ' ') m--;
  out[m] = '\0';
  return true;
}

bool ria_same_unit(const char *a, const char *b) {
  for (;; a++, b++) {
    while (*a == '^') a++;
    while (*b == '^') b++;
    if (*a != *b) return false;
    if (!*a) return true;
  }
}

/* Where a compound unit is split: its last slash, or NULL. */
static const char *last_slash(const char *text) { return strrchr(text, '/'); }

/* The factor of a unit (in plain form) of a dimension; false if it has none such. */
static bool find_unit(ria_dim dim, const char *text, factor *out) {
  const dimension *d = dimension_of(dim);
  for (const unit *u = d->units; u && u->name; u++) {
    *out = u->si;
    if (ria_same_unit(u->name, text)) return true;
  }
  *out = (factor){1, 1};
  if (dim == RIA_DIM_NONE && !*text) return true; /* the "" before "/d" */
  const char *slash = last_slash(text);
  if (!is_compound(d) || !slash) return false;
  char over[UNIT_MAX];
  factor a, b;
  ria_format(over, sizeof over, "%.*s", (int)(slash - text), text);
  if (!find_unit((ria_dim)d->over, over, &a) || !find_unit((ria_dim)d->under, slash + 1, &b))
    return false;
  *out = (factor){a.mul * b.div * (d->per_si > 0 ? d->per_si : 1), a.div * b.mul};
  return true;
}

const char *ria_find_unit(ria_dim dim, const char *text, ria_factor *out) {
  const unit *u = dimension_of(dim)->units;
  while (u && u->name && !ria_same_unit(u->name, text)) u++;
  if (!u || !u->name) return NULL;
  *out = u->si;
  return u->name;
}

const char *ria_measured_by(const char *text) {
  factor ignored;
  for (int k = 0; k < N_DIMENSIONS; k++)
    if (*text && find_unit((ria_dim)k, text, &ignored)) return dimensions[k].name;
  return NULL;
}

void ria_guess_unit(ria_dim dim, ria_guess *guess) {
  for (const unit *u = dimension_of(dim)->units; u && u->name; u++) ria_guess_try(guess, u->name);
}

/* --- saying what is wrong --------------------------------------------------------------------- */

/* "a time (ms, s, min, h, d, week, yr)", "a mass rate (kg/s, or any mass over any time)". */
void ria_dim_describe(ria_dim dim, char *buf, size_t size) {
  const dimension *d = dimension_of(dim);
  if (dim == RIA_DIM_NONE) {
    ria_format(buf, size, "a plain number or %%");
    return;
  }
  ria_format(buf, size, "%s %s (", strchr("aeiou", d->name[0]) ? "an" : "a", d->name);
  const char *comma = "";
  if (is_compound(d)) {
    ria_append(buf, size, "%s", d->unit);
    comma = ", ";
  }
  for (const unit *u = d->units; u && u->name; u++) {
    if (u->alias || (is_compound(d) && strcmp(u->name, d->unit) == 0)) continue;
    ria_append(buf, size, "%s%s", comma, u->name);
    comma = ", ";
  }
  if (is_compound(d))
    ria_append(buf, size, ", or any %s over any %s", dimension_of((ria_dim)d->over)->name,
               dimension_of((ria_dim)d->under)->name);
  ria_append(buf, size, ")");
}

/* Degrees clockwise from north of "N", "NNE", ... "NNW"; -1 for anything else. */
static double compass_point(const char *text) {
  static const char *const points[] = {"N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE",
                                       "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"};
  for (int k = 0; k < 16; k++)
    if (strcmp(points[k], text) == 0) return 22.5 * k;
  return -1.0;
}

static ria_status no_number(ria_context *ctx, const char *text, ria_dim dim) {
  char expected[160];
  if (dim == RIA_DIM_ANGLE && compass_point(text) >= 0.0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "'%s' is a point of the compass: write %g, in degrees clockwise from north",
                    text, compass_point(text));
  ria_dim_describe(dim, expected, sizeof expected);
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%s' has no number: expected %s", text, expected);
}

/* The unit (in plain form) is none of this dimension: name the half of it that is wrong, what it
 * measures if it is some other unit, or the nearest that is right. */
static ria_status wrong_unit(ria_context *ctx, const char *text, ria_dim dim, const char *name) {
  const dimension *d = dimension_of(dim);
  char expected[160], over[UNIT_MAX];
  factor ignored;
  ria_dim_describe(dim, expected, sizeof expected);
  const char *measured = ria_measured_by(name);
  if (measured)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%s' in '%s' is a unit of %s: expected %s", name, text,
                    measured, expected);
  const char *slash = last_slash(name);
  if (is_compound(d) && slash) {
    ria_format(over, sizeof over, "%.*s", (int)(slash - name), name);
    if (!find_unit((ria_dim)d->over, over, &ignored))
      return wrong_unit(ctx, text, (ria_dim)d->over, over);
    return wrong_unit(ctx, text, (ria_dim)d->under, slash + 1);
  }
  ria_guess guess = ria_guess_start(name);
  for (const unit *u = d->units; u && u->name; u++) ria_guess_try(&guess, u->name);
  if (is_compound(d)) ria_guess_try(&guess, d->unit);
  if (guess.name)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "unknown unit '%s' in '%s', did you mean '%s'? Expected %s", name, text,
                    guess.name, expected);
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "unknown unit '%s' in '%s': expected %s", name, text,
                  expected);
}

static ria_status decimal_comma(ria_context *ctx, const char *text) {
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%s' has a comma: the decimal sign is a point", text);
}

/* --- one quantity ----------------------------------------------------------------------------- */

/* Text carries its unit: whether "3" is 3 s or 3 h the reader of a script cannot know. */
static ria_status no_unit(ria_context *ctx, const char *text, ria_dim dim) {
  const char *number = skip_space(text), *si = ria_dim_unit(dim);
  int n = (int)strlen(number);
  while (n > 0 && is_space(number[n - 1])) n--;
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "'%.*s' has no unit: write '%.*s %s', or the number %.*s, which is in %s", n,
                  number, n, number, dim == RIA_DIM_TIME ? "h" : si, n, number, si);
}

/* The value of a number with n characters of unit text. Only plain numbers go without a unit. */
static ria_status apply_unit(ria_context *ctx, const char *text, ria_dim dim, double number,
                             const char *unit_text, size_t n, double *out) {
  char name[UNIT_MAX];
  factor f;
  if (!ria_plain_unit(unit_text, n, name))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%s' is too long for a quantity", text);
  if (!*name && dim != RIA_DIM_NONE) return no_unit(ctx, text, dim);
  if (!*name)
    f = (factor){1, 1};
  else if (!find_unit(dim, name, &f))
    return wrong_unit(ctx, text, dim, name);
  *out = number * f.mul / f.div;
  return RIA_OK;
}

static ria_status parse_single(ria_context *ctx, const char *text, ria_dim dim, double *out) {
  const char *p = skip_space(text);
  double number = 1.0; /* "/d" is 1/d */
  if (!ria_read_number(p, &p, &number) && !(dim == RIA_DIM_RATE && *p == '/'))
    return no_number(ctx, text, dim);
  if (*p == ',') return decimal_comma(ctx, text);
  return apply_unit(ctx, text, dim, number, p, strlen(p), out);
}

/* --- times: sums and clocks ------------------------------------------------------------------- */

static size_t count_digits(const char *p) { return strspn(p, "0123456789"); }

/* "h:mm" or "h:mm:ss[.s]" at p, to its end. */
static bool read_clock(const char *p, const char **end, double *out) {
  double hours, minutes, seconds = 0.0;
  size_t n = count_digits(p);
  if (n == 0 || p[n] != ':' || !ria_read_number(p, &p, &hours)) return false;
  n = count_digits(++p);
  if (n < 1 || n > 2 || !ria_read_number(p, end, &minutes) || *end != p + n) return false;
  p = *end;
  if (*p == ':') {
    n = count_digits(++p);
    if (n < 1 || n > 2 || !ria_read_number(p, end, &seconds)) return false;
  }
  *out = 3600.0 * hours + 60.0 * minutes + seconds;
  return minutes < 60.0 && seconds < 60.0 && !**end;
}

/* One term of a sum at *p: a number and its unit. Only a term that is all of the text may go
 * without a unit. */
static ria_status parse_term(ria_context *ctx, const char *text, const char **p, bool first,
                             double *out) {
  double number;
  const char *start = *p;
  if (!first && (*start == '-' || *start == '+'))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%s': only the whole of a sum may have a sign", text);
  if (*start == '-' || *start == '+' || !ria_read_number(start, p, &number))
    return no_number(ctx, text, RIA_DIM_TIME);
  if (**p == ',') return decimal_comma(ctx, text);
  const char *name = skip_space(*p);
  size_t n = strcspn(name, " \t\r\n0123456789.+-");
  if (n == 0 && (!first || *name))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%.*s' in '%s' has no unit: write '1 h 30 min'",
                    (int)(*p - start), start, text);
  *p = skip_space(name + n);
  return apply_unit(ctx, text, RIA_DIM_TIME, number, name, n, out);
}

/* [-] term term ... [clock]. The sign is that of the whole. */
static ria_status parse_time(ria_context *ctx, const char *text, double *out) {
  const char *p = skip_space(text);
  double sign = *p == '-' ? -1.0 : 1.0, sum = 0.0;
  if (ria_calendar_looks_like(p, strlen(p)))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "'%s' is a date: a duration is wanted, such as '1 h 30 min'", text);
  if (ria_calendar_is_foreign(p, strlen(p)))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "'%s' is not a time: a date is YYYY-MM-DD, with hh:mm or hh:mm:ss behind it",
                    text);
  if (*p == '-' || *p == '+') p++;
  bool first = true;
  do {
    double term = 0.0;
    if (p[count_digits(p)] == ':') {
      if (!read_clock(p, &p, &term))
        return ria_fail(
            ctx, RIA_ERR_ARGUMENT,
            "'%s' is not a time: expected h:mm or h:mm:ss, minutes and seconds below 60", text);
    } else {
      RIA_TRY(parse_term(ctx, text, &p, first, &term));
    }
    sum += term;
    first = false;
  } while (*p);
  *out = sign * sum;
  return RIA_OK;
}

ria_status ria_parse_quantity(ria_context *ctx, const char *text, ria_dim dim, double *out) {
  if (!text) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a quantity is missing");
  double value;
  if (dim == RIA_DIM_TIME)
    RIA_TRY(parse_time(ctx, text, &value));
  else
    RIA_TRY(parse_single(ctx, text, dim, &value));
  if (!isfinite(value)) return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%s' is too large", text);
  *out = value;
  return RIA_OK;
}

bool ria_unit_factor(ria_context *ctx, const char *unit, double *out) {
  static const ria_dim dims[] = {
      RIA_DIM_LENGTH,  RIA_DIM_TIME, RIA_DIM_AREA,         RIA_DIM_VOLUME,       RIA_DIM_MASS,
      RIA_DIM_SPEED,   RIA_DIM_FLOW, RIA_DIM_MASS_RATE,    RIA_DIM_DIFFUSIVITY,  RIA_DIM_ANGLE,
      RIA_DIM_MANNING, RIA_DIM_RATE, RIA_DIM_ACCELERATION, RIA_DIM_ANGULAR_SPEED};
  char text[RIA_UNIT_MAX + 2];
  ria_format(text, sizeof text, "1 %s", unit);
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++)
    if (ria_parse_quantity(ctx, text, dims[k], out) == RIA_OK) return true;
  ria_error_clear(ctx);
  return *out = 1.0, false;
}

/* --- durations -------------------------------------------------------------------------------- */

void ria_format_duration(double seconds, char *buf, size_t size) {
  static const struct {
    const char *name;
    double length;
  } part[] = {{"d", 86400.0}, {"h", 3600.0}, {"min", 60.0}};
  const double year = 365.25 * 86400.0;
  if (size == 0) return;
  double rest = round(fabs(seconds) * 1000.0) / 1000.0;
  if (!isfinite(seconds) || fabs(seconds) < 1.0 || rest >= 20.0 * year) {
    bool years = isfinite(seconds) && rest >= 1.0; /* so many that their days do not matter */
    ria_format(buf, size, years ? "%.6g yr" : "%.3g s",
               years ? seconds / year : seconds + 0.0 /* no "-0" */);
    return;
  }
  ria_format(buf, size, "%s", seconds < 0.0 ? "-" : "");
  const char *space = "";
  for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
    double count = floor(rest / part[k].length);
    if (count < 1.0) continue;
    ria_append(buf, size, "%s%.0f %s", space, count, part[k].name);
    rest -= count * part[k].length;
    space = " ";
  }
  rest = round(rest * 1000.0) / 1000.0; /* what the subtractions left of it */
  if (rest > 0.0) ria_append(buf, size, "%s%.10g s", space, rest);
}
