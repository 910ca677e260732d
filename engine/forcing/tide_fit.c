/* forcing/tide_fit.c - harmonic analysis of a record by least squares, and prediction.
 *
 * The record is z0 + sum f (a cos(V + u) + b sin(V + u)) with f, V and u of each sample's date; a
 * and b of each constituent and z0 come from the normal equations, by Cholesky. Errors are those of
 * residuals that know nothing of each other; where they do (weather), they are too small. */
#include "base/context.h"
#include "base/text.h"
#include "forcing/normal.h"
#include "forcing/series.h"
#include "forcing/tide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
static const double rad = PI / 180.0;

enum { MOST = RIA_TIDE_MOST, UNKNOWNS = RIA_UNKNOWNS };

/* The greater in most seas first: of two that a record cannot tell apart the first is taken. */
static const char *const by_size[] = {
    "M2",  "K1",  "O1",  "S2", "N2", "P1", "K2",  "Q1",   "M4",   "MS4", "MN4", "NU2",  "MU2",
    "L2",  "2N2", "J1",  "M1", "MF", "MM", "MSF", "SSA",  "SA",   "OO1", "T2",  "LAM2", "RHO",
    "2Q1", "M6",  "MK3", "M3", "S4", "S1", "R2",  "2MK3", "2SM2", "S6",  "M8"};

typedef struct fit {
  ria_context *ctx;
  const ria_tide_fit_desc *desc;
  size_t used;        /* samples with a value */
  double first, last; /* of their dates */
  double step;        /* between samples, s; 0: not the same */
  double rayleigh;    /* cycles */
  int k[MOST], n;     /* constituents */
  double middle;      /* the mean value: sums are about it */
  ria_normal normal;  /* unknowns: z0, then a and b of each */
  double b[UNKNOWNS], total;
  double power[MOST][3]; /* of each constituent: its three sums of a, which the factor takes over */
} fit;

/* --- which constituents ----------------------------------------------------------------------- */

static double span(const fit *f) { return f->last - f->first; }

/* Do two speeds (deg/h) part by enough cycles over the record? */
static bool parted(const fit *f, double one, double other) {
  return fabs(one - other) / 360.0 * span(f) / 3600.0 >= f->rayleigh * (1.0 - 1e-9);
}

static ria_status fail_near(const fit *f, const char *one, const char *other, double apart) {
  char has[64], needs[64];
  if (apart == 0.0)
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                    "%s and %s have one speed, so no record tells them apart: leave one of them "
                    "out",
                    one, other);
  ria_format_duration(60.0 * round(span(f) / 60.0), has, sizeof has);
  ria_format_duration(3600.0 * ceil(f->rayleigh * 360.0 / apart), needs, sizeof needs);
  return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                  "%s and %s cannot be told apart in a record of %s: that takes %s (rayleigh = "
                  "%.3g): leave one of them out",
                  one, other, has, needs, f->rayleigh);
}

/* The speed at which samples at even steps show a constituent: 0 is that of the mean. */
static double shown(const fit *f, double speed) {
  const double sampled = f->step > 0.0 ? 360.0 * 3600.0 / f->step : INFINITY;
  return speed <= sampled / 2.0 ? speed : fabs(speed - sampled * round(speed / sampled));
}

static ria_status fail_aliased(const fit *f, const char *one, const char *other) {
  char has[64], step[64];
  ria_format_duration(60.0 * round(span(f) / 60.0), has, sizeof has);
  ria_format_duration(f->step, step, sizeof step);
  return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                  "%s and %s cannot be told apart by samples every %s in a record of %s: sample "
                  "more often, or leave one of them out",
                  one, other, step, has);
}

/* Do two speeds part, as they are and as the samples show them? */
static ria_status check_pair(const fit *f, const char *one, double a, const char *other, double b) {
  if (!parted(f, a, b)) return fail_near(f, one, other, fabs(a - b));
  if (!parted(f, shown(f, a), shown(f, b))) return fail_aliased(f, one, other);
  return RIA_OK;
}

/* The constituents that the caller names. */
static ria_status take_named(fit *f) {
  const ria_tide_fit_desc *d = f->desc;
  if (d->n_names > MOST)
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT, "%zu constituents are too many: at most %d",
                    d->n_names, MOST);
  for (size_t i = 0; i < d->n_names; i++) {
    const int k = ria_tide_find(d->names[i]);
    if (k < 0) return ria_tide_unknown_name(f->ctx, d->names[i]);
    const double speed = ria_tide_speed_of(k);
    RIA_TRY(check_pair(f, d->names[i], speed, "the mean", 0.0));
    for (size_t j = 0; j < i; j++) {
      if (f->k[j] == k)
        return ria_fail(f->ctx, RIA_ERR_ARGUMENT, "constituent '%s' is given twice", d->names[i]);
      RIA_TRY(check_pair(f, d->names[j], ria_tide_speed_of(f->k[j]), d->names[i], speed));
    }
    f->k[f->n++] = k;
  }
  return RIA_OK;
}

/* Those that the record parts from the mean and from each greater one, and samples often enough. */
static void choose(fit *f) {
  const double most = 180.0 / (span(f) / 3600.0 / (double)(f->used - 1)); /* deg/h */
  for (int i = 0; i < MOST; i++) {
    const int k = ria_tide_find(by_size[i]);
    const double speed = ria_tide_speed_of(k);
    bool apart = parted(f, speed, 0.0) && speed < most;
    for (int j = 0; apart && j < f->n; j++) apart = parted(f, speed, ria_tide_speed_of(f->k[j]));
    if (apart) f->k[f->n++] = k;
  }
}

ria_status ria_tide_check_parted(ria_context *ctx, const char *const *names, size_t n, double span,
                                 double step, double rayleigh) {
  const ria_tide_fit_desc desc = {.names = names, .n_names = n};
  fit *f = calloc(1, sizeof *f);
  if (!f) return ria_fail_memory(ctx, "an analysis", sizeof *f);
  f->ctx = ctx;
  f->desc = &desc;
  f->last = span;
  f->step = step;
  f->rayleigh = rayleigh;
  const ria_status s = take_named(f);
  free(f);
  return s;
}

/* --- the normal equations --------------------------------------------------------------------- */

double complex ria_tide_phasor(int k, double date, ria_nodal nodal) {
  const ria_tide_moon moon = ria_tide_moon_at(date);
  const double complex z = nodal == RIA_NODAL_NONE  ? 1.0
                           : nodal == RIA_NODAL_MID ? ria_tide_nodal_of_year(k, date)
                                                    : ria_tide_nodal(k, moon.node, moon.perigee);
  return z * cexp(I * rad * ria_tide_v0(k, date));
}

static void take_sample(fit *f, double date, double value) {
  double row[UNKNOWNS] = {1.0};
  for (int i = 0; i < f->n; i++) {
    const double complex z = ria_tide_phasor(f->k[i], date, f->desc->nodal);
    row[1 + 2 * i] = creal(z);
    row[2 + 2 * i] = cimag(z);
  }
  const double v = value - f->middle;
  ria_normal_add(&f->normal, row);
  for (int i = 0; i < f->normal.m; i++) f->b[i] += row[i] * v;
  f->total += v * v;
}

/* --- the answer ------------------------------------------------------------------------------- */

static void keep_power(fit *f) {
  for (int i = 0; i < f->n; i++) {
    const int p = 1 + 2 * i, q = p + 1;
    f->power[i][0] = f->normal.a[p][p];
    f->power[i][1] = f->normal.a[q][p];
    f->power[i][2] = f->normal.a[q][q];
  }
}

/* The sum of the squares of a constituent at the samples. */
static double power_of(const fit *f, int i, double a, double b) {
  return a * a * f->power[i][0] + 2.0 * a * b * f->power[i][1] + b * b * f->power[i][2];
}

/* Amplitude and phase of a cos + b sin, with their errors from the covariance of a and b; `about`:
 * the sum of squares about the mean. */
static void tell(const fit *f, int i, const double x[UNKNOWNS], double variance, double about,
                 ria_tide_fitted *out) {
  const int p = 1 + 2 * i, q = p + 1;
  double cp[UNKNOWNS] = {0}, cq[UNKNOWNS] = {0};
  cp[p] = cq[q] = 1.0;
  ria_normal_solve(&f->normal, cp);
  ria_normal_solve(&f->normal, cq);
  const double a = x[p], b = x[q], amp = hypot(a, b), square = amp > 0.0 ? amp * amp : 1.0;
  const double along = (a * a * cp[p] + b * b * cq[q] + 2.0 * a * b * cp[q]) / square;
  const double across = (b * b * cp[p] + a * a * cq[q] - 2.0 * a * b * cp[q]) / square;
  const double phase = atan2(b, a) / rad;
  size_t n;
  *out = (ria_tide_fitted){
      .name = ria_tide_names(&n)[f->k[i]],
      .speed = ria_tide_speed_of(f->k[i]),
      .amplitude = amp,
      .phase = phase < 0.0 ? phase + 360.0 : phase,
      .amplitude_error = sqrt(fmax(variance * along, 0.0)),
      .phase_error =
          amp > 0.0 ? fmin(sqrt(fmax(variance * across, 0.0)) / amp / rad, 180.0) : 180.0,
      .share = about > 0.0 ? power_of(f, i, a, b) / about : 0.0};
}

static ria_status solve_and_tell(fit *f, ria_tide_fit *out) {
  double x[UNKNOWNS], unit[UNKNOWNS] = {1.0}, left = f->total, mean = f->b[0];
  const double about = f->total - mean * mean / (double)f->used;
  keep_power(f);
  if (!ria_normal_factorise(&f->normal))
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                    "the samples do not tell the constituents apart: give fewer names, or a longer "
                    "record, or sample more often");
  memcpy(x, f->b, sizeof x);
  ria_normal_solve(&f->normal, x);
  ria_normal_solve(&f->normal, unit);
  for (int i = 0; i < f->normal.m; i++) left -= x[i] * f->b[i];
  left = fmax(left, 0.0);
  const double freedom = (double)f->used - f->normal.m,
               variance = freedom > 0.0 ? left / freedom : NAN;
  *out = (ria_tide_fit){.z0 = f->middle + x[0],
                        .z0_error = sqrt(variance * unit[0]),
                        .residual = sqrt(left / (double)f->used),
                        .explained = about > 0.0 ? 1.0 - left / about : 1.0,
                        .used = f->used,
                        .n = (size_t)f->n};
  for (int i = 0; i < f->n; i++) tell(f, i, x, variance, about, &out->c[i]);
  return RIA_OK;
}

/* --- the record ------------------------------------------------------------------------------- */

static ria_status look_at(fit *f) {
  const ria_tide_fit_desc *d = f->desc;
  f->first = INFINITY, f->last = -INFINITY;
  for (size_t i = 0; i < d->n; i++) {
    if (isnan(d->value[i])) continue;
    if (!isfinite(d->value[i]) || !isfinite(d->date[i]))
      return ria_fail(f->ctx, RIA_ERR_ARGUMENT, "sample %zu is not a finite number", i + 1);
    f->first = fmin(f->first, d->date[i]);
    f->last = fmax(f->last, d->date[i]);
    f->middle += d->value[i];
    f->used++;
  }
  if (f->used < 3 || !(f->last > f->first))
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                    "a record of %zu samples is too short for an analysis", f->used);
  f->middle /= (double)f->used;
  return RIA_OK;
}

/* The step between samples where it is the same all along, within a second. */
static void look_at_steps(fit *f) {
  const ria_tide_fit_desc *d = f->desc;
  const double step = d->date[1] - d->date[0];
  for (size_t i = 2; i < d->n; i++)
    if (!(fabs(d->date[i] - d->date[i - 1] - step) <= 1.0)) return;
  f->step = fmax(step, 0.0);
}

static ria_status analyse(fit *f, ria_tide_fit *out) {
  const ria_tide_fit_desc *d = f->desc;
  RIA_TRY(look_at(f));
  look_at_steps(f);
  if (d->names) RIA_TRY(take_named(f));
  if (!d->names) choose(f);
  f->normal.m = 1 + 2 * f->n;
  if (!f->n)
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                    "the record is too short for any constituent: a day shows M2 or K1");
  if (f->used <= (size_t)f->normal.m)
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT, "%zu samples are too few for %d constituents",
                    f->used, f->n);
  for (size_t i = 0; i < d->n; i++)
    if (!isnan(d->value[i])) take_sample(f, d->date[i], d->value[i]);
  return solve_and_tell(f, out);
}

ria_status ria_tide_analyse(ria_context *ctx, const ria_tide_fit_desc *desc, ria_tide_fit *out) {
  if (!desc || !desc->date || !desc->value)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "an analysis needs dates and values");
  if (!(desc->rayleigh >= 0.0) || !isfinite(desc->rayleigh))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "rayleigh is %g: it must be above 0", desc->rayleigh);
  fit *f = calloc(1, sizeof *f);
  if (!f) return ria_fail_memory(ctx, "an analysis", sizeof *f);
  f->ctx = ctx;
  f->desc = desc;
  f->rayleigh = desc->rayleigh > 0.0 ? desc->rayleigh : 1.0;
  const ria_status s = analyse(f, out);
  free(f);
  return s;
}

/* --- prediction ------------------------------------------------------------------------------- */

ria_status ria_tide_predict(ria_context *ctx, const ria_tide_desc *desc, double zone,
                            const double *date, size_t n, double *level) {
  const ria_start start = {.known = true, .t = n ? date[0] : 0.0, .zone = zone};
  ria_series *s = NULL;
  RIA_TRY(ria_series_tide(ctx, desc, &s));
  const ria_status status = ria_series_settle(ctx, s, &start);
  for (size_t i = 0; status == RIA_OK && i < n; i++) level[i] = ria_series_at(s, date[i] - start.t);
  ria_series_destroy(&s);
  return status;
}
