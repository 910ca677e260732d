/* Quantities with units: every unit of every table, sums and clocks, the exact text of errors. */
#include <ria/units.h>

#include "base/text.h"
#include "test.h"

#include <locale.h>

static ria_context *ctx;

static void good(const char *text, ria_dim dim, double expected) {
  double v = -1.0;
  if (CHECK_OK(ctx, ria_parse_quantity(ctx, text, dim, &v)) && v != expected &&
      !CHECK_NEAR(v, expected, 2e-16 * fabs(expected)))
    fprintf(stderr, "  of '%s'\n", text);
}

static void bad(const char *text, ria_dim dim, const char *message) {
  double v = 42.0;
  CHECK_FAILS(ctx, ria_parse_quantity(ctx, text, dim, &v), RIA_ERR_ARGUMENT, message);
  CHECK(v == 42.0); /* untouched */
}

static void test_simple(void) {
  good("3", RIA_DIM_NONE, 3);
  good("30 %", RIA_DIM_NONE, 0.3);
  good("-1.5e3", RIA_DIM_NONE, -1500);
  good("+.5", RIA_DIM_NONE, 0.5);
  good("5. m", RIA_DIM_LENGTH, 5);
  good("  7\tm\n", RIA_DIM_LENGTH, 7);
  good("3 mm", RIA_DIM_LENGTH, 0.003);
  good("3mm", RIA_DIM_LENGTH, 0.003);
  good("7 cm", RIA_DIM_LENGTH, 0.07);
  good("1.5 km", RIA_DIM_LENGTH, 1500);
  good("1 ft", RIA_DIM_LENGTH, 0.3048);
  good("2 nmi", RIA_DIM_LENGTH, 3704);
  good("1 mi", RIA_DIM_LENGTH, 1609.344);
  good("3 ha", RIA_DIM_AREA, 30000);
  good("3 km2", RIA_DIM_AREA, 3e6);
  good("3 km^2", RIA_DIM_AREA, 3e6);
  good("3 m\xC2\xB2", RIA_DIM_AREA, 3);
  good("3 cm^2", RIA_DIM_AREA, 3e-4);
  good("9 l", RIA_DIM_VOLUME, 0.009);
  good("9 L", RIA_DIM_VOLUME, 0.009);
  good("9 m\xC2\xB3", RIA_DIM_VOLUME, 9);
  good("9 m ^ 3", RIA_DIM_VOLUME, 9);
  good("2 hm3", RIA_DIM_VOLUME, 2e6);
  good("1 bbl", RIA_DIM_VOLUME, 0.158987294928);
  good("5 mg", RIA_DIM_MASS, 5e-6);
  good("5 \xC2\xB5g", RIA_DIM_MASS, 5e-9);
  good("5 g", RIA_DIM_MASS, 0.005);
  good("12 t", RIA_DIM_MASS, 12000);
  good("90 deg", RIA_DIM_ANGLE, 90);
  good("90\xC2\xB0", RIA_DIM_ANGLE, 90);
  good("1 rad", RIA_DIM_ANGLE, 57.295779513082323);
}

static void test_compound(void) {
  good("0.5 kg/s", RIA_DIM_MASS_RATE, 0.5);
  good("3.6 t/h", RIA_DIM_MASS_RATE, 1);
  good("86.4 t / d", RIA_DIM_MASS_RATE, 1);
  good("20 m3/s", RIA_DIM_FLOW, 20);
  good("500 l/s", RIA_DIM_FLOW, 0.5);
  good("90 km/h", RIA_DIM_SPEED, 25);
  good("90 kmh", RIA_DIM_SPEED, 25);
  good("36 kn", RIA_DIM_SPEED, 18.52);
  good("100 mg/l", RIA_DIM_CONCENTRATION, 0.1);
  good("35 kg/m^3", RIA_DIM_CONCENTRATION, 35);
  good("1.03 g/cm3", RIA_DIM_DENSITY, 1030);
  good("1/d", RIA_DIM_RATE, 1.0 / 86400);
  good("/d", RIA_DIM_RATE, 1.0 / 86400);
  good("0.3 1/d", RIA_DIM_RATE, 0.3 / 86400);
  good("0.3/h", RIA_DIM_RATE, 0.3 / 3600);
  good("5 %/h", RIA_DIM_RATE, 5.0 / 360000);
  good("50 m^2/s", RIA_DIM_DIFFUSIVITY, 50);
  good("1 km2/d", RIA_DIM_DIFFUSIVITY, 1e6 / 86400);
  good("9.81 m/s^2", RIA_DIM_ACCELERATION, 9.81);
  good("9.81 m/s/s", RIA_DIM_ACCELERATION, 9.81);
  good("36 km/h/s", RIA_DIM_ACCELERATION, 10);
  good("28.98 deg/h", RIA_DIM_ANGULAR_SPEED, 28.98);
  good("1 deg/s", RIA_DIM_ANGULAR_SPEED, 3600);
  good("1 rad/s", RIA_DIM_ANGULAR_SPEED, 206264.80624709636);
  good("0.025 s/m^(1/3)", RIA_DIM_MANNING, 0.025);
  good("0.025 s m^-1/3", RIA_DIM_MANNING, 0.025);
  good("4 m^2/s", RIA_DIM_UNIT_FLOW, 4);
  good("4 m^3/s/m", RIA_DIM_UNIT_FLOW, 4);
}

static void test_times(void) {
  good("90 s", RIA_DIM_TIME, 90);
  good("-90 s", RIA_DIM_TIME, -90);
  good("250 ms", RIA_DIM_TIME, 0.25);
  good("30 min", RIA_DIM_TIME, 1800);
  good("30min", RIA_DIM_TIME, 1800);
  good("2 minutes", RIA_DIM_TIME, 120);
  good("1.5 h", RIA_DIM_TIME, 5400);
  good("7 d", RIA_DIM_TIME, 604800);
  good("1 week", RIA_DIM_TIME, 604800);
  good("2 yr", RIA_DIM_TIME, 2 * 365.25 * 86400);
  good("0.1 Myr", RIA_DIM_TIME, 1e5 * 365.25 * 86400);
  good("100 m2/yr", RIA_DIM_DIFFUSIVITY, 100 / (365.25 * 86400));
  good("1 d 6 h", RIA_DIM_TIME, 108000);
  good("1d6h", RIA_DIM_TIME, 108000);
  good("1 h 30 min 0.5 s", RIA_DIM_TIME, 5400.5);
  good("-1 h 30 min", RIA_DIM_TIME, -5400);
  good("1:30:00", RIA_DIM_TIME, 5400);
  good("12:30", RIA_DIM_TIME, 45000);
  good("0:00:07.25", RIA_DIM_TIME, 7.25);
  good("-0:01", RIA_DIM_TIME, -60);
  good("120:00", RIA_DIM_TIME, 432000);
  good("1 d 12:30", RIA_DIM_TIME, 131400);
}

#define TIMES "a time (ms, s, min, h, d, week, yr)"
#define MASSES "a mass (ug, mg, g, kg, t)"
#define CLOCK "' is not a time: expected h:mm or h:mm:ss, minutes and seconds below 60"

static void test_errors(void) {
  bad(NULL, RIA_DIM_MASS, "a quantity is missing");
  /* text carries its unit */
  bad("3", RIA_DIM_TIME, "'3' has no unit: write '3 h', or the number 3, which is in s");
  bad(" -90 ", RIA_DIM_TIME, "'-90' has no unit: write '-90 h', or the number -90, which is in s");
  bad("0", RIA_DIM_TIME, "'0' has no unit: write '0 h', or the number 0, which is in s");
  bad("1e3", RIA_DIM_LENGTH, "'1e3' has no unit: write '1e3 m', or the number 1e3, which is in m");
  bad("0.025", RIA_DIM_MANNING,
      "'0.025' has no unit: write '0.025 s/m^(1/3)', or the number 0.025, which is in s/m^(1/3)");
  bad("5", RIA_DIM_RATE, "'5' has no unit: write '5 1/s', or the number 5, which is in 1/s");
  bad("", RIA_DIM_MASS, "'' has no number: expected " MASSES);
  bad("kg", RIA_DIM_MASS, "'kg' has no number: expected " MASSES);
  bad("inf", RIA_DIM_NONE, "'inf' has no number: expected a plain number or %");
  bad("nan", RIA_DIM_NONE, "'nan' has no number: expected a plain number or %");
  bad("- 3 m", RIA_DIM_LENGTH,
      "'- 3 m' has no number: expected a length (mm, cm, m, km, ft, nmi, mi)");
  bad("5 kgs", RIA_DIM_MASS, "unknown unit 'kgs' in '5 kgs', did you mean 'kg'? Expected " MASSES);
  bad("5 KG", RIA_DIM_MASS, "unknown unit 'KG' in '5 KG', did you mean 'kg'? Expected " MASSES);
  bad("5 stone", RIA_DIM_MASS, "unknown unit 'stone' in '5 stone': expected " MASSES);
  bad("5 kg kg", RIA_DIM_MASS, "unknown unit 'kg kg' in '5 kg kg': expected " MASSES);
  bad("5 km", RIA_DIM_TIME, "'km' in '5 km' is a unit of length: expected " TIMES);
  bad("5 kg", RIA_DIM_NONE, "'kg' in '5 kg' is a unit of mass: expected a plain number or %");
  bad("5 d", RIA_DIM_RATE,
      "'d' in '5 d' is a unit of time: expected a rate (1/s, or any number over any time)");
  bad("5 kg", RIA_DIM_MASS_RATE,
      "'kg' in '5 kg' is a unit of mass: expected a mass rate (kg/s, or any mass over any time)");
  bad("5 kg/sek", RIA_DIM_MASS_RATE,
      "unknown unit 'sek' in '5 kg/sek', did you mean 'sec'? Expected " TIMES);
  bad("5 kgg/s", RIA_DIM_MASS_RATE,
      "unknown unit 'kgg' in '5 kgg/s', did you mean 'kg'? Expected " MASSES);
  bad("5 kg/m", RIA_DIM_MASS_RATE, "'m' in '5 kg/m' is a unit of length: expected " TIMES);
  bad("5 kg/", RIA_DIM_MASS_RATE, "unknown unit '' in '5 kg/': expected " TIMES);
  bad("4 knot", RIA_DIM_SPEED,
      "unknown unit 'knot' in '4 knot', did you mean 'knots'? Expected a speed (m/s, kn, or any "
      "length over any time)");
  bad("0.02 s/m", RIA_DIM_MANNING,
      "unknown unit 's/m' in '0.02 s/m': expected a Manning coefficient (s/m^(1/3))");
  bad("0,5 m", RIA_DIM_LENGTH, "'0,5 m' has a comma: the decimal sign is a point");
  bad("1,5 h", RIA_DIM_TIME, "'1,5 h' has a comma: the decimal sign is a point");
  bad("1e999 m", RIA_DIM_LENGTH, "'1e999 m' is too large");
  bad("0x10 m", RIA_DIM_LENGTH,
      "unknown unit 'x10 m' in '0x10 m': expected a length (mm, cm, m, "
      "km, ft, nmi, mi)");
  bad("1 mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm", RIA_DIM_LENGTH,
      "'1 mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm' is too long for a "
      "quantity");
}

static void test_time_errors(void) {
  bad("soon", RIA_DIM_TIME, "'soon' has no number: expected " TIMES);
  bad("", RIA_DIM_TIME, "'' has no number: expected " TIMES);
  bad("--5 s", RIA_DIM_TIME, "'--5 s' has no number: expected " TIMES);
  bad("2026-07-15", RIA_DIM_TIME,
      "'2026-07-15' is a date: a duration is wanted, such as '1 h 30 min'");
  static const char *const foreign[] = {"14.07.2026 06:30", "2026/07/14", "7/14/2026", "2026-7-14"};
  for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++) {
    char said[120];
    snprintf(said, sizeof said,
             "'%s' is not a time: a date is YYYY-MM-DD, with hh:mm or hh:mm:ss behind it",
             foreign[k]);
    bad(foreign[k], RIA_DIM_TIME, said);
  }
  bad("1 h 30", RIA_DIM_TIME, "'30' in '1 h 30' has no unit: write '1 h 30 min'");
  bad("1 2 h", RIA_DIM_TIME, "'1' in '1 2 h' has no unit: write '1 h 30 min'");
  bad("1 h -5 min", RIA_DIM_TIME, "'1 h -5 min': only the whole of a sum may have a sign");
  bad("5 sec.", RIA_DIM_TIME, "'5 sec.' has no number: expected " TIMES);
  bad("3 hoors", RIA_DIM_TIME,
      "unknown unit 'hoors' in '3 hoors', did you mean 'hours'? Expected " TIMES);
  bad("1:75", RIA_DIM_TIME, "'1:75" CLOCK);
  bad("1:00:60", RIA_DIM_TIME, "'1:00:60" CLOCK);
  bad("1:2:3:4", RIA_DIM_TIME, "'1:2:3:4" CLOCK);
  bad("12:", RIA_DIM_TIME, "'12:" CLOCK);
  bad("12:30 pm", RIA_DIM_TIME, "'12:30 pm" CLOCK);
  bad("12:3e1", RIA_DIM_TIME, "'12:3e1" CLOCK);
  bad(":30", RIA_DIM_TIME, "':30" CLOCK);
}

static void test_dimensions(void) {
  for (int d = RIA_DIM_NONE; d <= RIA_DIM_DENSITY; d++) {
    char text[64];
    snprintf(text, sizeof text, "1 %s", ria_dim_unit((ria_dim)d));
    if (d == RIA_DIM_NONE) CHECK_TEXT(ria_dim_unit((ria_dim)d), "");
    good(text, (ria_dim)d, 1.0); /* the SI unit of each is understood, and is 1 */
    CHECK(*ria_dim_name((ria_dim)d) != '\0');
  }
  CHECK_TEXT(ria_dim_name(RIA_DIM_MASS_RATE), "mass rate");
  CHECK_TEXT(ria_dim_unit(RIA_DIM_MANNING), "s/m^(1/3)");
  CHECK_TEXT(ria_dim_name((ria_dim)1000), "number");
}

static void duration(double seconds, const char *expected) {
  char text[64];
  ria_format_duration(seconds, text, sizeof text);
  if (!CHECK_TEXT(text, expected)) return;
  double back;
  if (isfinite(seconds) && CHECK_OK(ctx, ria_parse_quantity(ctx, text, RIA_DIM_TIME, &back)))
    CHECK_NEAR(back, seconds, 5e-4 + 1e-5 * fabs(seconds)); /* what is written can be read */
}

static void test_durations(void) {
  duration(0, "0 s");
  duration(-0.0, "0 s");
  duration(45, "45 s");
  duration(0.25, "0.25 s");
  duration(0.00123, "0.00123 s");
  duration(12.5, "12.5 s");
  duration(60, "1 min");
  duration(59.9996, "1 min");
  duration(90.125, "1 min 30.125 s");
  duration(5400, "1 h 30 min");
  duration(604800, "7 d");
  duration(90061, "1 d 1 h 1 min 1 s");
  duration(-5400, "-1 h 30 min");
  duration(1e18, "3.16881e+10 yr");
  duration(1e5 * 365.25 * 86400, "100000 yr");
  duration(INFINITY, "inf s");
  char tiny[4];
  ria_format_duration(90061, tiny, sizeof tiny);
  CHECK_TEXT(tiny, "1 d");
  ria_format_duration(90061, tiny, 1); /* room for the end alone */
  CHECK_TEXT(tiny, "");
  ria_format_duration(1, tiny, 0); /* no room at all: nothing written */
}

/* A host that writes decimal commas changes nothing, and is left as it was. Needs such a locale;
 * where there is none nothing is tested. */
static void test_locale(void) {
  static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "de_DE"};
  const char *set = NULL;
  for (size_t k = 0; !set && k < sizeof names / sizeof *names; k++)
    set = setlocale(LC_ALL, names[k]);
  if (!set) return;
  char text[64];
  good("0.5 m", RIA_DIM_LENGTH, 0.5);
  bad("0,5 m", RIA_DIM_LENGTH, "'0,5 m' has a comma: the decimal sign is a point");
  duration(12.5, "12.5 s");
  ria_fail(ctx, RIA_ERR_ARGUMENT, "%g", 0.5);
  CHECK_TEXT(ria_error(ctx), "0.5");
  snprintf(text, sizeof text, "%g", 0.5);
  CHECK_TEXT(text, "0,5");
  setlocale(LC_ALL, "C");
}

static void test_numbers(void) {
  static const struct {
    const char *text;
    double value;
    int used; /* 0: not a number */
  } cases[] = {{"12", 12, 2},      {"-12.5x", -12.5, 5}, {"1e5", 1e5, 3}, {"1e", 1, 1},
               {"1e+", 1, 1},      {".5", 0.5, 2},       {"5.", 5, 2},    {".", 0, 0},
               {"", 0, 0},         {"-", 0, 0},          {"+-1", 0, 0},   {" 1", 0, 0},
               {"infinity", 0, 0}, {"0x1p3", 0, 1},      {"-0X1", 0, 2},  {"1e400", INFINITY, 5},
               {"0e0", 0, 3},      {"1.2.3", 1.2, 3}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const char *end = cases[k].text;
    double v = 0;
    CHECK_INT(ria_read_number(cases[k].text, &end, &v), cases[k].used > 0);
    CHECK_INT(end - cases[k].text, cases[k].used);
    CHECK_NEAR(v, cases[k].value, 0);
  }
}

static void bytes(size_t n, const char *expected) {
  char text[32];
  ria_format_bytes(n, text, sizeof text);
  CHECK_TEXT(text, expected);
}

/* A unit alone, of each dimension that there is. */
static void test_factors(void) {
  const struct {
    const char *unit;
    double si;
  } of[] = {{"km", 1000},      {"min", 60},   {"ha", 1e4},   {"l", 1e-3},  {"t", 1000},
            {"km/h", 1 / 3.6}, {"l/s", 1e-3}, {"g/s", 1e-3}, {"m^2/s", 1}, {"1/h", 1 / 3600.0}};
  double v;
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    CHECK(ria_unit_factor(ctx, of[k].unit, &v));
    CHECK_NEAR(v, of[k].si, 1e-15 * of[k].si);
  }
  CHECK(!ria_unit_factor(ctx, "parsec", &v) && v == 1);
  CHECK_TEXT(ria_error(ctx), "");
}

int main(void) {
  if (!CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx)))
    return TEST_END();
  test_simple();
  test_compound();
  test_times();
  test_errors();
  test_time_errors();
  test_dimensions();
  test_durations();
  test_numbers();
  bytes(0, "0 B");
  bytes(999, "999 B");
  bytes(1000, "1 kB");
  bytes(999999, "1 MB");
  bytes(12345678, "12.3 MB");
  test_locale();
  test_factors();
  ria_context_destroy(&ctx);
  return TEST_END();
}
