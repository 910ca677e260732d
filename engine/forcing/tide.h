/* forcing/tide.h - harmonic constituents: what they are made of, and where they stand at a date.
 *
 * A constituent is A f cos(V + u - G): V is its astronomical argument, G its phase behind that at
 * Greenwich, f and u what the slow turn of the moon's orbit (18.6 years; for L2 and M1 also of its
 * perigee, 8.85 years) makes of it. Private. */
#ifndef RIA_FORCING_TIDE_H
#define RIA_FORCING_TIDE_H
#include <complex.h>
#include <ria/series.h>

/* Index of a constituent by its name, or another name that is used for it, in any case of letters;
 * -1 if it is not known. */
int ria_tide_find(const char *name);
/* RIA_ERR_ARGUMENT with the nearest name, or that a speed may be given. */
ria_status ria_tide_unknown(ria_context *ctx, const char *name);
/* The same for a fit, which takes names alone and has the mean (Z0, A0) without being asked. */
ria_status ria_tide_unknown_name(ria_context *ctx, const char *name);
/* deg/h */
double ria_tide_speed_of(int k);

/* The moon's slow angles at a date (s since 1970, UTC), rad, and their rates, rad/s. */
typedef struct ria_tide_moon {
  double node, perigee;
  double node_rate, perigee_rate;
} ria_tide_moon;
ria_tide_moon ria_tide_moon_at(double date);

/* V of the k-th constituent at a date, deg, 0 to 360. */
double ria_tide_v0(int k, double date);
/* f e^(iu) with the node and the perigee at these angles, rad. */
double complex ria_tide_nodal(int k, double node, double perigee);
/* The same in the middle of the year (UTC) that a date lies in, as tables of tides have it. */
double complex ria_tide_nodal_of_year(int k, double date);

/* Lines of fixed speed whose sum is the constituent with f and u that go on with time: c_j
 * e^(i (j node + m perigee)). Those below 1e-5 of it are left out. */
typedef struct ria_tide_line {
  int j, m;
  double complex c;
} ria_tide_line;
enum { RIA_TIDE_LINES = 32 };
int ria_tide_lines(int k, ria_tide_line out[RIA_TIDE_LINES]);

/* f e^(i (V + u)) of the k-th constituent at a date. */
double complex ria_tide_phasor(int k, double date, ria_nodal nodal);
/* RIA_ERR_ARGUMENT where samples each `step` s (0: uneven) over `span` s do not part the named
 * constituents, each from the others and from the mean, by `rayleigh` cycles. */
ria_status ria_tide_check_parted(ria_context *ctx, const char *const *names, size_t n, double span,
                                 double step, double rayleigh);

#endif
