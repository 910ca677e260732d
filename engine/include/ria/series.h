/* ria/series.h - values that change in time: constants, tables, harmonic tides.
 *
 * A series is made once and evaluated in C or on the device without calling back into a script.
 * Simulations copy the series they are given; the caller destroys its own. */
#ifndef RIA_SERIES_H
#define RIA_SERIES_H
#include <ria/csv.h>
#include <ria/status.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ria_series ria_series;

typedef enum ria_interp { RIA_LINEAR, RIA_STEP } ria_interp;

typedef struct ria_table_desc {
  const double *t; /* [n] s from the start of the run, strictly increasing */
  const double *v; /* [n] */
  size_t n;
  ria_interp interp;
  bool hold;    /* before the first and after the last knot: true = hold the end value;
                   false = the run may not leave the table: an error when the simulation starts or
                   is extended past it */
  double ramp;  /* s; > 0 multiplies by (1 - cos(pi t / ramp)) / 2 while t < ramp */
  double scale; /* 0 means 1 */
  double offset;
  bool dates; /* t is s since 1970-01-01 00:00:00 (ria/date.h) instead, by UTC or, with `local`, by
                 the clocks of the run's zone. Such a series belongs to a simulation with a start */
  bool local;
} ria_table_desc;

RIA_API ria_status ria_series_table(ria_context *ctx, const ria_table_desc *desc, ria_series **out);
RIA_API ria_status ria_series_constant(ria_context *ctx, double v, ria_series **out);

/* A harmonic tide eta(t) = z0 + sum_k A_k cos(w_k t - G_k).
 * Constituents by name ("M2", "S2", ...: 37 standard ones with their astronomical speeds) or by raw
 * speed. Phases G are relative to t = 0 of the run: no date, V0 or nodal factor enters yet; those
 * get their place in ria_tide_desc when dated tides come. */
typedef struct ria_constituent {
  const char *name; /* NULL when speed is given */
  double speed;     /* deg/h; 0 = by name */
  double amplitude; /* m, >= 0 */
  double phase;     /* deg */
} ria_constituent;

typedef struct ria_tide_desc {
  const ria_constituent *constituents;
  size_t n;
  double z0;   /* mean level, m */
  double ramp; /* s; the harmonic part grows from 0 by (1 - cos(pi t / ramp)) / 2; z0 does not */
} ria_tide_desc;

RIA_API ria_status ria_series_tide(ria_context *ctx, const ria_tide_desc *desc, ria_series **out);
/* Speed of a constituent in deg/h, or 0 if unknown. */
RIA_API double ria_tide_speed(const char *name);
/* All names known, for suggestions and help. *n receives their number. */
RIA_API const char *const *ria_tide_names(size_t *n);

/* Read a CSV: header line, first column time (numbers, or ISO 8601 dates), separators , ; tab or
 * space, # comments. `column` by header name, NULL = the first column behind the time that holds no
 * dates. A gap (empty or nan) is an error unless fill_gaps. Dates become times of the run when a
 * simulation with a start takes the series; with an `epoch` here at once, t = date - epoch. */
typedef struct ria_csv_desc {
  const char *path;
  const char *column; /* name, or "#n": the n-th column, time being #1. Where blanks separate and
                         the header has more words than the rows have cells, columns may have no
                         names and go by number only: see ria/csv.h */
  const char *epoch;  /* "2026-03-01 00:00:00"; NULL = the start of the simulation that takes it */
  bool fill_gaps;
  double time_unit; /* s per unit of the time column; 0 means 1 */
  ria_interp interp;
  bool hold;
  double ramp, scale, offset;
  ria_csv_layout layout; /* lines to skip, no header, a row of units: ria/csv.h */
  const char *zone;      /* of dates that say none, "+02:00"; NULL = the run's, with an epoch UTC */
} ria_csv_desc;
RIA_API ria_status ria_series_csv(ria_context *ctx, const ria_csv_desc *desc, ria_series **out);

RIA_API ria_status ria_series_copy(ria_context *ctx, const ria_series *s, ria_series **out);
RIA_API void ria_series_destroy(ria_series **s);
/* At a time of the run; of a series with dates that no simulation has taken yet, at a date, s since
 * 1970-01-01 00:00:00 (by local clocks where the dates say no zone). */
RIA_API double ria_series_at(const ria_series *s, double t);
/* The span of time over which the series has values (-inf, inf when it holds or is harmonic). */
RIA_API void ria_series_span(const ria_series *s, double *t0, double *t1);
/* Are its times dates? */
RIA_API bool ria_series_has_dates(const ria_series *s);
/* Dates by the clocks of a zone that only the run tells? */
RIA_API bool ria_series_is_local(const ria_series *s);

/* A constant or a series: zero-initialised it is the constant 0. The series stays the caller's. */
typedef struct ria_value {
  double constant;
  const ria_series *series;
} ria_value;

#ifdef __cplusplus
}
#endif
#endif
