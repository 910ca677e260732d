/* forcing/tide_moon.c - where the constituents stand at a date: V, f and u.
 *
 * Mean longitudes of moon, sun, perigees and node: Meeus, Astronomical Algorithms, chapters 22, 25
 * and 47. The factors f and angles u are those of Schureman, Manual of Harmonic Analysis and
 * Prediction of Tides (1958), formulas 73 to 78, 149, 207, 215, 227 and 235, in which the moon's
 * path makes the angle I with the equator. The terms in its perigee of L2 and M1 are finite sums of
 * lines; the others depend on the node alone. */
#include "forcing/tide.h"
#include "io/calendar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
static const double rad = PI / 180.0;

/* --- longitudes ------------------------------------------------------------------------------- */

enum { S, H, P, N, P1, LONGITUDES };

/* deg = a + b T + c T^2, T in centuries of 36525 days from 2000-01-01 12:00 */
static const double longitude[LONGITUDES][3] = {
    [S] = {218.3164477, 481267.88123421, -0.0015786}, /* the moon's mean longitude */
    [H] = {280.46646, 36000.76983, 0.0003032},        /* the sun's */
    [P] = {83.3532465, 4069.0137287, -0.0103200},     /* the moon's perigee */
    [N] = {125.04452, -1934.136261, 0.0020708},       /* its ascending node */
    [P1] = {282.93735, 1.71946, 0.00046},             /* the sun's perigee */
};

/* The longitudes are by atomic time, which is ahead of the earth's turn by some 69 s about now. */
static double centuries(double date) { return ((date + 69.0) / 86400.0 - 10957.5) / 36525.0; }

static double longitude_at(int which, double date) {
  const double t = centuries(date), *c = longitude[which];
  return c[0] + t * (c[1] + t * c[2]);
}

static double rate_at(int which, double date) {
  const double *c = longitude[which];
  return (c[1] + 2.0 * centuries(date) * c[2]) * rad / (36525.0 * 86400.0);
}

ria_tide_moon ria_tide_moon_at(double date) {
  return (ria_tide_moon){longitude_at(N, date) * rad, longitude_at(P, date) * rad, rate_at(N, date),
                         rate_at(P, date)};
}

/* --- nodal factors of single constituents ----------------------------------------------------- */

/* The moon's path: its inclination to the equator, the arcs nu and xi to where they meet. */
typedef struct path {
  double i, nu, xi, perigee; /* rad */
} path;

static path path_at(double node, double perigee) {
  /* 5.145 and 23.452 deg are the inclinations of the moon's path and the equator to the ecliptic */
  const double w = 23.452 * rad, i = 5.145 * rad;
  const double turn = floor(node / (2.0 * PI) + 0.5), half = 0.5 * (node - 2.0 * PI * turn);
  const double a = atan2(cos(0.5 * (w - i)) * sin(half), cos(0.5 * (w + i)) * cos(half));
  const double b = atan2(sin(0.5 * (w - i)) * sin(half), sin(0.5 * (w + i)) * cos(half));
  return (path){.i = acos(cos(w) * cos(i) - sin(w) * sin(i) * cos(node)),
                .nu = a - b,
                .xi = 2.0 * half - a - b,
                .perigee = perigee};
}

static double complex polar(double f, double u) { return f * cexp(I * u); }

static double complex of_k1(const path *m) {
  const double s = sin(2.0 * m->i), c = cos(m->nu);
  return polar(sqrt(0.8965 * s * s + 0.6001 * s * c + 0.1006),
               -atan2(s * sin(m->nu), s * c + 0.3347));
}

static double complex of_k2(const path *m) {
  const double s = sin(m->i) * sin(m->i), c = cos(2.0 * m->nu);
  return polar(sqrt(19.0444 * s * s + 2.7702 * s * c + 0.0981),
               -atan2(s * sin(2.0 * m->nu), s * c + 0.0727));
}

static double complex of_m2(const path *m) {
  return polar(pow(cos(0.5 * m->i), 4.0) / 0.9154, 2.0 * (m->xi - m->nu));
}

static double complex of_o1(const path *m) {
  const double c = cos(0.5 * m->i);
  return polar(sin(m->i) * c * c / 0.3800, 2.0 * m->xi - m->nu);
}

/* Its own line and one turned by the perigee. */
static double complex of_l2(const path *m) {
  const double t = tan(0.5 * m->i), p = m->perigee - m->xi;
  return of_m2(m) * (1.0 - 6.0 * t * t * cexp(2.0 * I * p));
}

static double complex of_m1(const path *m) {
  const double c = cos(0.5 * m->i), p = m->perigee - m->xi;
  const double a = sqrt(2.310 + 1.435), b = sqrt(2.310 - 1.435);
  return polar(sin(m->i) * c * c / 0.3800, -m->nu - p) * (a * cos(p) + I * b * sin(p));
}

typedef enum base { NONE, B_MM, B_MF, B_O1, B_J1, B_OO1, B_M2, B_M3, B_K1, B_K2, B_L2, B_M1 } base;

static double complex factor_of(base b, const path *m) {
  const double s = sin(m->i), half = sin(0.5 * m->i);
  switch (b) {
  case B_MM:
    return (2.0 / 3.0 - s * s) / 0.5021;
  case B_MF:
    return polar(s * s / 0.1578, -2.0 * m->xi);
  case B_O1:
    return of_o1(m);
  case B_J1:
    return polar(sin(2.0 * m->i) / 0.7214, -m->nu);
  case B_OO1:
    return polar(s * half * half / 0.0164, -2.0 * m->xi - m->nu);
  case B_M2:
    return of_m2(m);
  case B_M3:
    return polar(pow(cos(0.5 * m->i), 6.0) / 0.8758, 3.0 * (m->xi - m->nu));
  case B_K1:
    return of_k1(m);
  case B_K2:
    return of_k2(m);
  case B_L2:
    return of_l2(m);
  case B_M1:
    return of_m1(m);
  default:
    return 1.0;
  }
}

/* --- the constituents ------------------------------------------------------------------------- */

/* V = 15 deg x hours UTC x `solar` + s, h, p, p1 times `n` + `more`; f and u are products of those
 * of others, -1: with u turned round. */
typedef struct constituent {
  const char *name, *also; /* also: other names, each ended by a blank */
  double speed;            /* deg/h */
  int solar, n[4], more;
  struct {
    base of;
    int times;
  } nodal[2];
} constituent;

static const constituent table[] = {
    {"M2", "", 28.9841042, 2, {-2, 2, 0, 0}, 0, {{B_M2, 1}}},
    {"S2", "", 30.0, 2, {0, 0, 0, 0}, 0, {{NONE, 0}}},
    {"N2", "", 28.4397295, 2, {-3, 2, 1, 0}, 0, {{B_M2, 1}}},
    {"K1", "", 15.0410686, 1, {0, 1, 0, 0}, 90, {{B_K1, 1}}},
    {"M4", "", 57.9682084, 4, {-4, 4, 0, 0}, 0, {{B_M2, 2}}},
    {"O1", "", 13.9430356, 1, {-2, 1, 0, 0}, 270, {{B_O1, 1}}},
    {"M6", "", 86.9523127, 6, {-6, 6, 0, 0}, 0, {{B_M2, 3}}},
    {"MK3", "", 44.0251729, 3, {-2, 3, 0, 0}, 90, {{B_M2, 1}, {B_K1, 1}}},
    {"S4", "", 60.0, 4, {0, 0, 0, 0}, 0, {{NONE, 0}}},
    {"MN4", "", 57.4238337, 4, {-5, 4, 1, 0}, 0, {{B_M2, 2}}},
    {"NU2", "", 28.5125831, 2, {-3, 4, -1, 0}, 0, {{B_M2, 1}}},
    {"S6", "", 90.0, 6, {0, 0, 0, 0}, 0, {{NONE, 0}}},
    {"MU2", "", 27.9682084, 2, {-4, 4, 0, 0}, 0, {{B_M2, 1}}},
    {"2N2", "", 27.8953548, 2, {-4, 2, 2, 0}, 0, {{B_M2, 1}}},
    {"OO1", "", 16.1391017, 1, {2, 1, 0, 0}, 90, {{B_OO1, 1}}},
    {"LAM2", "LAMBDA2 LABDA2 LDA2 LA2 ", 29.4556253, 2, {-1, 0, 1, 0}, 180, {{B_M2, 1}}},
    {"S1", "", 15.0, 1, {0, 0, 0, 0}, 180, {{NONE, 0}}},
    {"M1", "", 14.4966939, 1, {-1, 1, 1, 0}, 90, {{B_M1, 1}}},
    {"J1", "", 15.5854433, 1, {1, 1, -1, 0}, 90, {{B_J1, 1}}},
    {"MM", "", 0.5443747, 0, {1, 0, -1, 0}, 0, {{B_MM, 1}}},
    {"SSA", "", 0.0821373, 0, {0, 2, 0, 0}, 0, {{NONE, 0}}},
    {"SA", "", 0.0410686, 0, {0, 1, 0, 0}, 0, {{NONE, 0}}},
    {"MSF", "", 1.0158958, 0, {2, -2, 0, 0}, 0, {{B_M2, -1}}},
    {"MF", "", 1.0980331, 0, {2, 0, 0, 0}, 0, {{B_MF, 1}}},
    {"RHO", "RHO1 RO1 ", 13.4715145, 1, {-3, 3, -1, 0}, 270, {{B_O1, 1}}},
    {"Q1", "", 13.3986609, 1, {-3, 1, 1, 0}, 270, {{B_O1, 1}}},
    {"T2", "", 29.9589333, 2, {0, -1, 0, 1}, 0, {{NONE, 0}}},
    {"R2", "", 30.0410667, 2, {0, 1, 0, -1}, 180, {{NONE, 0}}},
    {"2Q1", "", 12.8542862, 1, {-4, 1, 2, 0}, 270, {{B_O1, 1}}},
    {"P1", "", 14.9589314, 1, {0, -1, 0, 0}, 270, {{NONE, 0}}},
    {"2SM2", "", 31.0158958, 2, {2, -2, 0, 0}, 0, {{B_M2, -1}}},
    {"M3", "", 43.4761563, 3, {-3, 3, 0, 0}, 180, {{B_M3, 1}}},
    {"L2", "", 29.5284789, 2, {-1, 2, -1, 0}, 180, {{B_L2, 1}}},
    {"2MK3", "", 42.9271398, 3, {-4, 3, 0, 0}, 270, {{B_M2, 2}, {B_K1, -1}}},
    {"K2", "", 30.0821373, 2, {0, 2, 0, 0}, 0, {{B_K2, 1}}},
    {"M8", "", 115.9364169, 8, {-8, 8, 0, 0}, 0, {{B_M2, 4}}},
    {"MS4", "", 58.9841042, 4, {-2, 2, 0, 0}, 0, {{B_M2, 1}}},
    /* at the speed of M1, with the factors of N2 over O1: half or twice those of M1 */
    {"NO1", "", 14.4966939, 1, {-1, 1, 1, 0}, 90, {{B_M2, 1}, {B_O1, -1}}},
};
enum { N_CONSTITUENTS = sizeof table / sizeof *table };

double ria_tide_v0(int k, double date) {
  static const int which[4] = {S, H, P, P1};
  const constituent *c = &table[k];
  double v = 15.0 * c->solar * (date - 86400.0 * floor(date / 86400.0)) / 3600.0 + c->more;
  for (int i = 0; i < 4; i++) v += c->n[i] * longitude_at(which[i], date);
  return v - 360.0 * floor(v / 360.0);
}

double complex ria_tide_nodal(int k, double node, double perigee) {
  const path m = path_at(node, perigee);
  double complex z = 1.0;
  for (int i = 0; i < 2; i++) {
    const int times = table[k].nodal[i].times;
    const double complex one = factor_of(table[k].nodal[i].of, &m);
    for (int n = 0; n < (times < 0 ? -times : times); n++) z *= times < 0 ? conj(one) : one;
  }
  return z;
}

double complex ria_tide_nodal_of_year(int k, double date) {
  char text[40], end[40];
  double first = date, last = date;
  ria_calendar_format(date, 0, text, sizeof text);
  const int year =
      (text[0] - '0') * 1000 + (text[1] - '0') * 100 + (text[2] - '0') * 10 + text[3] - '0';
  snprintf(text, sizeof text, "%04d-01-01", year);
  snprintf(end, sizeof end, "%04d-01-01", year + 1);
  if (!ria_calendar_parse(text, 10, &first) && !ria_calendar_parse(end, 10, &last))
    date = 0.5 * (first + last);
  const ria_tide_moon m = ria_tide_moon_at(date);
  return ria_tide_nodal(k, m.node, m.perigee);
}

/* --- as lines --------------------------------------------------------------------------------- */

enum { NODES = 64, PERIGEES = 8, MOST_J = 12, MOST_M = 2 }; /* angles at which f e^(iu) is taken */

/* wheel[k] = e^(i 2 pi k / n) */
static void make_wheel(int n, double complex *wheel) {
  for (int k = 0; k < n; k++) wheel[k] = cexp(2.0 * PI * I * k / n);
}

static bool has_perigee(int k) {
  const base of = table[k].nodal[0].of;
  return of == B_L2 || of == B_M1;
}

int ria_tide_lines(int k, ria_tide_line out[RIA_TIDE_LINES]) {
  const int perigees = has_perigee(k) ? PERIGEES : 1, most = has_perigee(k) ? MOST_M : 0;
  double complex z[PERIGEES][NODES], turn[NODES], wheel[PERIGEES];
  int n = 0;
  make_wheel(NODES, turn);
  make_wheel(perigees, wheel);
  for (int b = 0; b < perigees; b++)
    for (int a = 0; a < NODES; a++)
      z[b][a] = ria_tide_nodal(k, 2.0 * PI * a / NODES, 2.0 * PI * b / perigees);
  for (int m = -most; m <= most; m++)
    for (int j = -MOST_J; j <= MOST_J; j++) {
      double complex c = 0.0;
      for (int b = 0; b < perigees; b++)
        for (int a = 0; a < NODES; a++)
          c += z[b][a] * wheel[(perigees - m) * b % perigees] * turn[(NODES - j) * a % NODES];
      c /= perigees * NODES;
      if (cabs(c) >= 1e-5 && n < RIA_TIDE_LINES) out[n++] = (ria_tide_line){j, m, c};
    }
  return n;
}

/* --- names ------------------------------------------------------------------------------------ */

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

/* Is it the word of n letters? */
static bool same(const char *name, const char *word, size_t n) {
  size_t i = 0;
  while (i < n && name[i] && upper(name[i]) == upper(word[i])) i++;
  return i == n && !name[i];
}

static bool is_named(const constituent *c, const char *name) {
  if (same(name, c->name, strlen(c->name))) return true;
  for (const char *w = c->also; *w; w += strcspn(w, " ") + 1)
    if (same(name, w, strcspn(w, " "))) return true;
  return false;
}

int ria_tide_find(const char *name) {
  for (int k = 0; name && k < N_CONSTITUENTS; k++)
    if (is_named(&table[k], name)) return k;
  return -1;
}

bool ria_tide_same(const char *a, const char *b) {
  const int k = ria_tide_find(a);
  return k >= 0 && k == ria_tide_find(b);
}

double ria_tide_speed_of(int k) { return table[k].speed; }

double ria_tide_speed(const char *name) {
  const int k = ria_tide_find(name);
  return k < 0 ? 0.0 : table[k].speed;
}

const char *const *ria_tide_names(size_t *n) {
  static const char *const names[] = {
      "M2",  "S2",  "N2",   "K1", "M4",   "O1", "M6", "MK3",  "S4", "MN4", "NU2", "S6",  "MU2",
      "2N2", "OO1", "LAM2", "S1", "M1",   "J1", "MM", "SSA",  "SA", "MSF", "MF",  "RHO", "Q1",
      "T2",  "R2",  "2Q1",  "P1", "2SM2", "M3", "L2", "2MK3", "K2", "M8",  "MS4", "NO1", NULL};
  if (n) *n = N_CONSTITUENTS;
  return names;
}
