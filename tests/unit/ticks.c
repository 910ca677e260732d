/* unit.ticks: 1-2-5 steps and how numbers, units, times and lengths are written. */
#include "io/ticks.h"
#include "test.h"

#include <locale.h>

/* The labels one behind the other, minor ticks as '.'. */
static const char *joined(const ria_ticks *t) {
  static char text[1024];
  text[0] = '\0';
  for (int k = 0; k < t->n; k++) {
    if (k && t->label[k][0] && t->label[k - 1][0]) strcat(text, " ");
    strcat(text, t->label[k][0] ? t->label[k] : ".");
  }
  return text;
}

static void linear(double lo, double hi, int most, const char *expected) {
  ria_ticks t;
  ria_ticks_linear(lo, hi, most, &t);
  CHECK_TEXT(joined(&t), expected);
}

/* Places keep every figure. */
static void place(double lo, double hi, int most, const char *expected) {
  ria_ticks t;
  ria_ticks_place(lo, hi, most, &t);
  CHECK_TEXT(joined(&t), expected);
}

static void logarithmic(double lo, double hi, int most, const char *expected) {
  ria_ticks t;
  ria_ticks_log(lo, hi, most, &t);
  CHECK_TEXT(joined(&t), expected);
}

static void ticks(void) {
  linear(0, 10, 5, "0 2 4 6 8 10");
  linear(-1.2, 1.2, 5, "\u22121.0 \u22120.5 0.0 0.5 1.0");
  linear(0.013, 0.047, 4, "0.02 0.03 0.04");
  linear(4690, 4710, 5, "4690 4695 4700 4705 4710");
  linear(0, 3e7, 3, "0 1\u00d710\u2077 2\u00d710\u2077 3\u00d710\u2077");
  linear(0, 2e-5, 2, "0 1\u00d710\u207b\u2075 2\u00d710\u207b\u2075");
  linear(1, 1, 5, "");
  place(4690123, 4690153, 3, "4\u2009690\u2009130 4\u2009690\u2009140 4\u2009690\u2009150");
  place(512340, 512380, 4, "512\u2009340 512\u2009350 512\u2009360 512\u2009370 512\u2009380");
  place(512340.12, 512340.17, 3, "512\u2009340.12 512\u2009340.14 512\u2009340.16");
  place(-20000, 20000, 2, "\u221220\u2009000 0 20\u2009000");
  place(4690, 4710, 2, "4690 4700 4710");
  place(0, 0.05, 2, "0.00 0.05");
  place(0, 3e10, 3, "0 1\u00d710\u00b9\u2070 2\u00d710\u00b9\u2070 3\u00d710\u00b9\u2070");
  place(0, INFINITY, 5, "");
  linear(0, INFINITY, 5, "");
  logarithmic(1e-4, 1, 6, "0.0001........0.001........0.01........0.1........1");
  logarithmic(1e-6, 1e-4, 6,
              "10\u207b\u2076 2\u00d710\u207b\u2076..5\u00d710\u207b\u2076....10\u207b\u2075 "
              "2\u00d710\u207b\u2075..5\u00d710\u207b\u2075....10\u207b\u2074");
  logarithmic(1, 1e12, 4, "10\u2070...10\u2074...10\u2078...10\u00b9\u00b2");
  logarithmic(0, 1, 4, "");
  ria_ticks t;
  ria_ticks_make(RIA_SCALE_LOG, 1e-300, 1e300, 8, &t);
  CHECK(t.n > 0 && t.n <= RIA_TICKS_MAX);
  CHECK_NEAR(ria_nice_step(3.0), 5.0, 1e-12);
  CHECK_NEAR(ria_nice_step(0.02), 0.02, 1e-12);
  CHECK_NEAR(ria_nice_step(7e8), 1e9, 1.0);
}

static void unit(const char *from, const char *expected) {
  char text[64];
  ria_label_unit(from, text, sizeof text);
  CHECK_TEXT(text, expected);
}

static void number(double v, const char *expected) {
  char text[64];
  ria_label_number(v, text, sizeof text);
  CHECK_TEXT(text, expected);
}

static void at(double s, const char *expected) {
  char text[64];
  ria_label_time(s, text, sizeof text);
  CHECK_TEXT(text, expected);
}

static void length(double m, const char *expected) {
  char text[64];
  ria_label_length(m, text, sizeof text);
  CHECK_TEXT(text, expected);
}

static void labels(void) {
  unit("kg/m^3", "kg/m\u00b3");
  unit("m^2/s", "m\u00b2/s");
  unit("s^-1", "s\u207b\u00b9");
  unit("s/m^(1/3)", "s/m^(1/3)");
  unit("m^", "m^");
  unit("m s-1", "m/s");
  unit("m2 s-1", "m\u00b2/s");
  unit("kg m-3", "kg/m\u00b3");
  unit("s m-1/3", "s/m^(1/3)");
  unit("s-1", "1/s");
  unit("W m-2 K-1", "W/(m\u00b2 K)");
  unit("m3", "m\u00b3");
  unit("m", "m");
  unit("K m^3", "K m\u00b3");
  unit("ug/l", "\u00b5g/l");
  unit("ug l-1", "\u00b5g/l");
  unit("mg CO2", "mg CO2");
  unit("PM10", "PM10");
  unit("cfu/100 ml", "cfu/100 ml");
  unit("count(ug)/l", "count(\u00b5g)/l");
  unit("mug", "mug");
  unit("degree_C", "degree_C");
  unit("1", "");
  unit(NULL, "");
  number(0, "0");
  number(-0.5, "\u22120.5");
  number(0.02, "0.02");
  number(1234.5678, "1235");
  number(1e-4, "0.0001");
  number(1e-5, "10\u207b\u2075");
  number(-3e-7, "\u22123\u00d710\u207b\u2077");
  number(2.5e9, "2.5\u00d710\u2079");
  number(NAN, "nan");
  at(0, "00:00:00");
  at(12.25, "12.25 s");
  at(59.9999999, "00:01:00");
  at(60.5, "00:01:00.5");
  at(2 * 86400 + 6.5 * 3600, "2 d 06:30:00");
  at(86400, "1 d 00:00:00");
  at(-3600, "\u221201:00:00");
  at(1e5 * 365.25 * 86400, "100000 yr");
  at(NAN, "");
  length(5000, "5 km");
  length(200, "200 m");
  length(0.5, "50 cm");
  length(0.002, "2 mm");
}

int main(void) {
  ticks();
  labels();
  if (setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8")) labels();
  return TEST_END();
}
