/* forcing/tide.c - the harmonic constituents that tide tables name, and their speeds.
 *
 * The 37 standard constituents of the United States' tide stations. Each speed is a sum of whole
 * multiples of six astronomical rates (mean solar time, the moon's and the sun's mean longitude and
 * their perigees, the lunar node); tests/unit/series.c derives them again from those. */
#include <ria/series.h>

/* name, speed in deg/h */
#define CONSTITUENTS(X)                                                                            \
  X("M2", 28.9841042)                                                                              \
  X("S2", 30.0)                                                                                    \
  X("N2", 28.4397295)                                                                              \
  X("K1", 15.0410686)                                                                              \
  X("M4", 57.9682084)                                                                              \
  X("O1", 13.9430356)                                                                              \
  X("M6", 86.9523127)                                                                              \
  X("MK3", 44.0251729)                                                                             \
  X("S4", 60.0)                                                                                    \
  X("MN4", 57.4238337)                                                                             \
  X("NU2", 28.5125831)                                                                             \
  X("S6", 90.0)                                                                                    \
  X("MU2", 27.9682084)                                                                             \
  X("2N2", 27.8953548)                                                                             \
  X("OO1", 16.1391017)                                                                             \
  X("LAM2", 29.4556253)                                                                            \
  X("S1", 15.0)                                                                                    \
  X("M1", 14.4966939)                                                                              \
  X("J1", 15.5854433)                                                                              \
  X("MM", 0.5443747)                                                                               \
  X("SSA", 0.0821373)                                                                              \
  X("SA", 0.0410686)                                                                               \
  X("MSF", 1.0158958)                                                                              \
  X("MF", 1.0980331)                                                                               \
  X("RHO", 13.4715145)                                                                             \
  X("Q1", 13.3986609)                                                                              \
  X("T2", 29.9589333)                                                                              \
  X("R2", 30.0410667)                                                                              \
  X("2Q1", 12.8542862)                                                                             \
  X("P1", 14.9589314)                                                                              \
  X("2SM2", 31.0158958)                                                                            \
  X("M3", 43.4761563)                                                                              \
  X("L2", 29.5284789)                                                                              \
  X("2MK3", 42.9271398)                                                                            \
  X("K2", 30.0821373)                                                                              \
  X("M8", 115.9364169)                                                                             \
  X("MS4", 58.9841042)

#define NAME(name, speed) name,
#define SPEED(name, speed) speed,
static const char *const names[] = {CONSTITUENTS(NAME) NULL};
static const double speeds[] = {CONSTITUENTS(SPEED)};

enum { N_CONSTITUENTS = sizeof speeds / sizeof *speeds };

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

static bool same_name(const char *a, const char *b) {
  for (; *a && upper(*a) == upper(*b); a++, b++) {
  }
  return upper(*a) == upper(*b);
}

double ria_tide_speed(const char *name) {
  for (size_t k = 0; name && k < N_CONSTITUENTS; k++)
    if (same_name(name, names[k])) return speeds[k];
  return 0.0;
}

const char *const *ria_tide_names(size_t *n) {
  if (n) *n = N_CONSTITUENTS;
  return names;
}
