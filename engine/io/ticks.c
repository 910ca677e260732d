/* io/ticks.c - ticks at 1-2-5 steps and the labels beside them.
 *
 * All labels of one axis are written in one way: with as many decimals as the step needs, or, when
 * the numbers are very large or small, as m x 10^e with a common e. */
#include "io/ticks.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MINUS "\u2212"
#define TIMES "\u00D7"
#define MICRO "\u00B5"
#define THIN_SPACE "\u2009"

/* --- steps -------------------------------------------------------------------------------- */

double ria_nice_step(double v) {
  double decade = pow(10.0, floor(log10(v) + 1e-9)), m = v / decade;
  double nice = m <= 1.0 + 1e-9 ? 1.0 : m <= 2.0 + 1e-9 ? 2.0 : m <= 5.0 + 1e-9 ? 5.0 : 10.0;
  return nice * decade;
}

/* --- numbers ------------------------------------------------------------------------------ */

/* Put a true minus for each hyphen that is a sign. */
static void true_minus(const char *from, char *out, size_t size) {
  out[0] = '\0';
  ria_append(out, size, "%s%s", *from == '-' ? MINUS : "", from + (*from == '-'));
}

static void append_raised(char *out, size_t size, int number) {
  static const char *const raised[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                       "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  char digits[16];
  snprintf(digits, sizeof digits, "%d", abs(number));
  if (number < 0) ria_append(out, size, "\u207B");
  for (const char *d = digits; *d; d++) ria_append(out, size, "%s", raised[*d - '0']);
}

static int exponent_of(double v) { return v != 0.0 ? (int)floor(log10(fabs(v)) + 1e-9) : 0; }

static void label_fixed(double v, int decimals, char *out, size_t size) {
  char text[64];
  ria_format(text, sizeof text, "%.*f", decimals, v);
  bool zero = strspn(text, "-0.") == strlen(text);
  true_minus(zero && *text == '-' ? text + 1 : text, out, size);
}

/* v as m x 10^e, m with `decimals` decimals; `bare`: 10^e alone where m is 1. */
static void label_power(double v, int e, int decimals, bool bare, char *out, size_t size) {
  double m = v / pow(10.0, e);
  if (v == 0.0) {
    snprintf(out, size, "0");
    return;
  }
  out[0] = '\0';
  if (!bare || decimals > 0 || fabs(m - 1.0) > 1e-6) {
    label_fixed(m, decimals, out, size);
    ria_append(out, size, TIMES);
  }
  ria_append(out, size, "10");
  append_raised(out, size, e);
}

static bool wants_power(double greatest, double step) {
  return greatest >= 1e6 || (greatest < 1e-3 && greatest > 0.0) || step < 1e-5;
}

void ria_label_number(double v, char *out, size_t size) {
  char text[32];
  if (!isfinite(v)) {
    snprintf(out, size, "%s", isnan(v) ? "nan" : v > 0.0 ? "inf" : MINUS "inf");
  } else if (fabs(v) >= 1e6 || (fabs(v) < 0.999e-4 && v != 0.0)) {
    int e = exponent_of(v), decimals = 0;
    while (decimals < 3 &&
           fabs(v / pow(10.0, e - decimals) - rint(v / pow(10.0, e - decimals))) > 1e-3)
      decimals++;
    label_power(v, e, decimals, true, out, size);
  } else {
    ria_format(text, sizeof text, "%.4g", v);
    true_minus(text, out, size);
  }
}

/* --- ticks -------------------------------------------------------------------------------- */

static void add_ticks(double lo, double hi, double step, int decimals, int e, bool power,
                      ria_ticks *out) {
  for (double k = ceil(lo / step - 1e-6); k * step <= hi + 1e-6 * step; k++) {
    if (out->n == RIA_TICKS_MAX) return;
    char *label = out->label[out->n];
    out->at[out->n++] = k * step;
    if (power)
      label_power(k * step, e, decimals, false, label, RIA_LABEL_MAX);
    else
      label_fixed(k * step, decimals, label, RIA_LABEL_MAX);
  }
}

void ria_ticks_linear(double lo, double hi, int most, ria_ticks *out) {
  out->n = 0;
  if (!(hi > lo) || !isfinite(hi - lo)) return;
  double step = ria_nice_step((hi - lo) / (most > 1 ? most : 1));
  double greatest = fmax(fabs(lo), fabs(hi));
  bool power = wants_power(greatest, step);
  int e = power ? exponent_of(greatest) : 0;
  int decimals = e - exponent_of(step);
  add_ticks(lo, hi, step, decimals > 0 ? decimals : 0, e, power, out);
}

/* A thin space between each three figures before the point, of five and more. */
static void group_figures(char *label, size_t size) {
  char plain[RIA_LABEL_MAX];
  snprintf(plain, sizeof plain, "%s", label);
  const size_t sign = strcspn(plain, "0123456789");
  const size_t figures = strspn(plain + sign, "0123456789");
  if (figures < 5) return;
  label[0] = '\0';
  ria_append(label, size, "%.*s", (int)sign, plain);
  for (size_t k = 0; k < figures; k++)
    ria_append(label, size, "%s%c", k && (figures - k) % 3 == 0 ? THIN_SPACE : "", plain[sign + k]);
  ria_append(label, size, "%s", plain + sign + figures);
}

void ria_ticks_place(double lo, double hi, int most, ria_ticks *out) {
  out->n = 0;
  if (!(hi > lo) || !isfinite(hi - lo)) return;
  double step = ria_nice_step((hi - lo) / (most > 1 ? most : 1));
  if (fmax(fabs(lo), fabs(hi)) >= 1e9 || step < 1e-3) { /* no coordinates of a map */
    ria_ticks_linear(lo, hi, most, out);
    return;
  }
  int decimals = -exponent_of(step);
  add_ticks(lo, hi, step, decimals > 0 ? decimals : 0, 0, false, out);
  for (int k = 0; k < out->n; k++) group_figures(out->label[k], RIA_LABEL_MAX);
}

void ria_ticks_log(double lo, double hi, int most, ria_ticks *out) {
  out->n = 0;
  if (!(lo > 0.0) || !(hi > lo) || !isfinite(hi)) return;
  int first = (int)floor(log10(lo) + 1e-9), last = (int)ceil(log10(hi) - 1e-9);
  double decades = log10(hi / lo);
  int every = (int)ceil((last - first + 1) / (double)(most > 1 ? most : 1)); /* decades a label */
  bool power = hi > 1.001e4 || lo < 0.999e-4;
  for (int e = first; e <= last; e++)
    for (int m = 1; m <= 9; m++) {
      double v = m * pow(10.0, e);
      if (v < lo * (1.0 - 1e-9) || v > hi * (1.0 + 1e-9)) continue;
      if (m > 1 && every > 1) continue; /* too many for minor ticks */
      if (out->n == RIA_TICKS_MAX) return;
      char *label = out->label[out->n];
      out->at[out->n++] = v;
      label[0] = '\0';
      bool labelled = m == 1 ? (last - e) % every == 0 : decades < 2.2 && (m == 2 || m == 5);
      if (!labelled) continue;
      if (power)
        label_power(v, e, 0, true, label, RIA_LABEL_MAX);
      else
        label_fixed(v, e < 0 ? -e : 0, label, RIA_LABEL_MAX);
    }
}

void ria_ticks_make(ria_scale scale, double lo, double hi, int most, ria_ticks *out) {
  if (scale == RIA_SCALE_LOG)
    ria_ticks_log(lo, hi, most, out);
  else
    ria_ticks_linear(lo, hi, most, out);
}

/* --- units, times, lengths ---------------------------------------------------------------- */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* One factor of a unit in CF's form, "m-3": what is raised, and to what power: up / down. */
typedef struct factor {
  const char *base;
  int n, up, down;
} factor;

/* Powers above 1 of lengths and times alone: "CO2" is not a square. */
static bool has_squares(const factor *f) {
  static const char *const base[] = {"m", "km", "cm", "mm", "s"};
  for (size_t k = 0; k < sizeof base / sizeof *base; k++)
    if (strlen(base[k]) == (size_t)f->n && strncmp(base[k], f->base, (size_t)f->n) == 0)
      return true;
  return false;
}

static bool read_factor(const char **text, factor *f) {
  char *end;
  const char *s = *text;
  *f = (factor){.base = s, .up = 1, .down = 1};
  while (is_letter(*s)) s++;
  f->n = (int)(s - f->base);
  if (is_digit(*s) || (*s == '-' && is_digit(s[1]))) {
    f->up = (int)strtol(s, &end, 10);
    s = end;
    if (*s == '/' && is_digit(s[1])) {
      f->down = (int)strtol(s + 1, &end, 10);
      s = end;
    }
  }
  *text = *s == ' ' ? s + 1 : s;
  return f->n > 0 && (*s == ' ' || *s == '\0') && f->up != 0 && (f->up <= 1 || has_squares(f));
}

static void append_factor(char *out, size_t size, const factor *f) {
  const int up = abs(f->up);
  ria_append(out, size, "%.*s", f->n, f->base);
  if (f->down != 1)
    ria_append(out, size, "^(%d/%d)", up, f->down);
  else if (up != 1)
    append_raised(out, size, up);
}

/* CF's form as people write it: "kg m-3" as kg/m3, "W m-2 K-1" as W/(m2 K), figures raised. False
 * for all that is not of that form. */
static bool label_cf(const char *unit, char *out, size_t size) {
  enum { MOST = 8 };
  factor f[MOST];
  int n = 0, above = 0, below = 0;
  while (*unit) {
    if (n == MOST || !read_factor(&unit, &f[n])) return false;
    if (f[n++].up < 0)
      below++;
    else
      above++;
  }
  if (!above) ria_append(out, size, "1");
  for (int pass = 0; pass < 2; pass++) {
    bool first = true;
    if (pass && below) ria_append(out, size, below > 1 ? "/(" : "/");
    for (int k = 0; k < n; k++) {
      if ((f[k].up < 0) != pass) continue;
      if (!first) ria_append(out, size, " ");
      append_factor(out, size, &f[k]);
      first = false;
    }
  }
  if (below > 1) ria_append(out, size, ")");
  return true;
}

/* "ug", "umol": with a u because keyboards lack the sign for a millionth. */
static bool is_micro(const char *at, const char *start) {
  static const char *const of[] = {"g", "m", "l", "mol", "Bq", "S"};
  if (*at != 'u' || (at > start && is_letter(at[-1]))) return false;
  size_t n = 0;
  while (is_letter(at[1 + n])) n++;
  for (size_t k = 0; k < sizeof of / sizeof *of; k++)
    if (strlen(of[k]) == n && strncmp(of[k], at + 1, n) == 0) return true;
  return false;
}

static void label_plain(const char *unit, char *out, size_t size) {
  for (const char *at = unit; *at;) {
    char *end;
    bool power = *at == '^' && at[1] && strchr("-0123456789", at[1]);
    long number = power ? strtol(at + 1, &end, 10) : 0;
    if (power && end > at + 1 && labs(number) < 100) {
      append_raised(out, size, (int)number);
      at = end;
    } else if (is_micro(at, unit)) {
      ria_append(out, size, MICRO);
      at++;
    } else {
      ria_append(out, size, "%c", *at++);
    }
  }
}

void ria_label_unit(const char *unit, char *out, size_t size) {
  out[0] = '\0';
  if (!unit || strcmp(unit, "1") == 0) return;
  char cf[96] = "";
  label_plain(label_cf(unit, cf, sizeof cf) ? cf : unit, out, size);
}

void ria_label_time(double seconds, char *out, size_t size) {
  out[0] = '\0';
  if (!isfinite(seconds)) return;
  bool negative = seconds < 0.0;
  double whole = floor(fabs(seconds) + 1e-6), rest = fabs(seconds) - whole;
  int decimals = 0; /* as many as tell, three at most */
  for (double f = 1.0; decimals < 3 && fabs(rest * f - rint(rest * f)) > 1e-3 * f; f *= 10.0)
    decimals++;
  if (whole < 60.0 && (decimals > 0 || whole > 0.0)) {
    char number[32];
    label_fixed(seconds, decimals, number, sizeof number);
    ria_append(out, size, "%s s", number);
    return;
  }
  const double year = 365.25 * 86400.0;
  if (whole >= 20.0 * year) { /* so many that their days do not matter */
    ria_append(out, size, "%s%.0f yr", negative ? MINUS : "", whole / year);
    return;
  }
  double days = floor(whole / 86400.0);
  int s = (int)(whole - 86400.0 * days);
  if (negative) ria_append(out, size, MINUS);
  if (days > 0.0) ria_append(out, size, "%.0f d ", days);
  ria_append(out, size, "%02d:%02d:", s / 3600, s / 60 % 60);
  if (decimals)
    ria_append(out, size, "%0*.*f", decimals + 3, decimals, s % 60 + rest);
  else
    ria_append(out, size, "%02d", s % 60);
}

void ria_label_length(double metres, char *out, size_t size) {
  double v = fabs(metres);
  const char *unit = v >= 1000.0 ? "km" : v >= 1.0 ? "m" : v >= 0.01 ? "cm" : "mm";
  double scale = v >= 1000.0 ? 1e-3 : v >= 1.0 ? 1.0 : v >= 0.01 ? 100.0 : 1000.0;
  char number[RIA_LABEL_MAX];
  ria_label_number(metres * scale, number, sizeof number);
  out[0] = '\0';
  ria_append(out, size, "%s %s", number, unit);
}
