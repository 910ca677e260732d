/* io/ticks.h - where the ticks of an axis go and how numbers, units and times are written beside
 * it. Texts are UTF-8 and independent of the locale. */
#ifndef RIA_IO_TICKS_H
#define RIA_IO_TICKS_H
#include <ria/output.h>

enum { RIA_TICKS_MAX = 96, RIA_LABEL_MAX = 32 };

typedef struct ria_ticks {
  int n;
  double at[RIA_TICKS_MAX];
  char label[RIA_TICKS_MAX][RIA_LABEL_MAX]; /* "" = a minor tick */
} ria_ticks;

/* About `most` labelled ticks at multiples of 1, 2 or 5 times a power of ten within [lo, hi]. */
void ria_ticks_linear(double lo, double hi, int most, ria_ticks *out);
/* The same for coordinates of places: every figure is written, 4 690 125, with thin spaces. */
void ria_ticks_place(double lo, double hi, int most, ria_ticks *out);
/* The same on a logarithmic scale, 0 < lo < hi: decades, and 2 and 5 when there are few. */
void ria_ticks_log(double lo, double hi, int most, ria_ticks *out);
void ria_ticks_make(ria_scale scale, double lo, double hi, int most, ria_ticks *out);

/* The least of 1, 2, 5 times a power of ten that is >= v > 0. */
double ria_nice_step(double v);

/* A unit as people write it: "kg/m^3" and CF's "kg m-3" as "kg/m" with a raised 3, "m s-1" as
 * "m/s", "ug/l" with a true micro sign; "" for NULL, "" and "1". */
void ria_label_unit(const char *unit, char *out, size_t size);
/* A number with few digits: 1.5, 0.02, 3 x 10^-7 with raised figures and a true minus. */
void ria_label_number(double v, char *out, size_t size);
/* Seconds as "2 d 06:30:00"; less than a minute and fractions: "12.5 s", "00:01:12.5". */
void ria_label_time(double seconds, char *out, size_t size);
/* Metres as "250 m", "5 km", "2 cm". */
void ria_label_length(double metres, char *out, size_t size);

#endif
