/* ria/series.h - values that change in time: constants, tables, harmonic tides.
 *
 * A series is made once and evaluated in C or on the device without calling back into a script.
 * Simulations copy the series they are given; the caller destroys its own. */
#ifndef RIA_SERIES_H
#define RIA_SERIES_H
#include <ria/csv.h>
#include <ria/status.h>
#include <ria/units.h>
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

/* A harmonic tide eta(t) = z0 + sum_k f_k A_k cos(w_k t + V_k + u_k - G_k).
 * Constituents by name ("M2", "S2", ...: 38 standard ones) or by raw speed. In a run with a start V
 * is the astronomical argument at t = 0 and G the phase at Greenwich, as tide tables have it; f and
 * u are those of the moon's node. Without a start V = u = 0, f = 1: G is relative to t = 0. So is
 * that of a constituent given by its speed alone, always. */
typedef enum ria_phases {
  RIA_PHASES_AUTO,      /* Greenwich in a run with a start, else relative */
  RIA_PHASES_GREENWICH, /* behind the argument at Greenwich, time UTC */
  RIA_PHASES_LOCAL,     /* the same with time by the clocks of the run's zone */
  RIA_PHASES_RELATIVE   /* to t = 0 of the run */
} ria_phases;
typedef enum ria_nodal {
  RIA_NODAL_DAILY, /* f and u go on with the date */
  RIA_NODAL_MID,   /* those of the middle of the year (UTC) that the run starts in, all along */
  RIA_NODAL_NONE   /* f = 1, u = 0 */
} ria_nodal;

typedef struct ria_constituent {
  const char *name; /* NULL when speed is given */
  double speed;     /* deg/h; 0 = by name */
  double amplitude; /* m, >= 0 */
  double phase;     /* G, deg */
} ria_constituent;

typedef struct ria_tide_desc {
  const ria_constituent *constituents;
  size_t n;
  double z0;   /* mean level, m */
  double ramp; /* s; the harmonic part grows from 0 by (1 - cos(pi t / ramp)) / 2; z0 does not */
  ria_phases phases;
  ria_nodal nodal;
} ria_tide_desc;

RIA_API ria_status ria_series_tide(ria_context *ctx, const ria_tide_desc *desc, ria_series **out);
/* Constituents of points along a boundary, from a file: astronomic components of Delft3D (.bca), or
 * a CSV with the columns constituent, amplitude (m), phase (deg) and point, x and y, or all three.
 * Row A0 (or Z0) is the mean. All points have the same constituents. */
typedef struct ria_tide_point {
  char *name;  /* of a CSV without names "x, y" */
  bool placed; /* x, y are known: never from a .bca */
  bool has_mean;
  double x, y, z0;
  ria_constituent *constituents; /* [n] names are not to be freed */
  size_t n;
} ria_tide_point;
typedef struct ria_tide_points {
  ria_tide_point *point; /* [n] in the order of the file; at most 10 000 */
  size_t n;
} ria_tide_points;
/* only: constituents to take, [n_only]; NULL = all, of which each must be known. RIA_ERR_INPUT with
 * the line. *out is the caller's, empty on failure. */
RIA_API ria_status ria_tide_points_read(ria_context *ctx, const char *path, const char *const *only,
                                        size_t n_only, ria_tide_points *out);
RIA_API void ria_tide_points_free(ria_tide_points *points);

/* Where a constituent stands at a date (ria/date.h). */
typedef struct ria_tide_state {
  double speed; /* deg/h */
  double v;     /* astronomical argument, deg, 0 to 360 */
  double f, u;  /* nodal factor, and angle in deg */
} ria_tide_state;
/* False, and nothing set, for a name that is not known. */
RIA_API bool ria_tide_argument(const char *name, double date, ria_tide_state *out);

/* Levels at dates (s since 1970, [n]) into level[n], m: as a run that starts at the first of them
 * has the tide. zone: of local phases, s. */
RIA_API ria_status ria_tide_predict(ria_context *ctx, const ria_tide_desc *desc, double zone,
                                    const double *date, size_t n, double *level);

/* Harmonic analysis of a record by least squares. */
typedef struct ria_tide_fit_desc {
  const double *date;  /* [n] s since 1970-01-01 00:00:00 UTC, in any order */
  const double *value; /* [n] m; NaN: a gap */
  size_t n;
  const char *const
      *names; /* [n_names]; NULL = of 37 (all but NO1) those that the record tells apart */
  size_t n_names;
  double rayleigh; /* cycles by which two must part over the record; 0 = 1 (Rayleigh) */
  ria_nodal nodal; /* RIA_NODAL_MID: of the middle of each sample's year */
} ria_tide_fit_desc;

typedef struct ria_tide_fitted {
  const char *name;
  double speed;            /* deg/h */
  double amplitude, phase; /* m; deg at Greenwich, 0 to 360 */
  double amplitude_error;  /* standard error, of residuals that are independent */
  double phase_error;      /* the same, at most 180 */
  double share;            /* mean square of it at the samples over the variance of the record */
} ria_tide_fitted;

typedef struct ria_tide_fit {
  double z0, z0_error; /* mean level, m */
  double residual;     /* root of the mean square, m */
  double explained;    /* share of the variance, 0 to 1 */
  size_t used;         /* samples with a value */
  size_t n;
  ria_tide_fitted c[37]; /* [n] */
} ria_tide_fit;
/* RIA_ERR_ARGUMENT where the record is too short, or does not tell named constituents apart. */
RIA_API ria_status ria_tide_analyse(ria_context *ctx, const ria_tide_fit_desc *desc,
                                    ria_tide_fit *out);

/* Speed of a constituent in deg/h, or 0 if unknown. Also by other names ("LAMBDA2" is "LAM2"), in
 * capitals or not. */
RIA_API double ria_tide_speed(const char *name);
/* Are both known, and names of one constituent? */
RIA_API bool ria_tide_same(const char *a, const char *b);
/* All names known, for suggestions and help. *n receives their number. */
RIA_API const char *const *ria_tide_names(size_t *n);

/* Read a CSV: header line, first column time (numbers, or ISO 8601 dates), separators , ; tab or
 * space, # comments. `column` by header name, NULL = the first column behind the time that holds no
 * dates. A gap (empty or nan) is an error unless fill_gaps. Dates become times of the run when a
 * simulation with a start takes the series; with an `epoch` here at once, t = date - epoch.
 * Units of the header count: times become s (the first column of a curve what it is over, in SI),
 * values SI before scale and offset. Those in a tracer's unit, and in one that is not known, stay
 * as they are until ria_series_take. A remark in round brackets is no unit. */
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
  /* Of the values, "m3/h"; NULL = what the header says ("flow [m3/h]", or the row of units), else
   * SI. Another than the header's is RIA_ERR_ARGUMENT, unless that one is no unit known. */
  const char *unit;
  /* The file, where it was read already (with this layout): a series of each of hundreds of columns
   * need not read it again. NULL = read `path`, which names it in messages in any case. */
  const ria_csv_table *table;
} ria_csv_desc;
RIA_API ria_status ria_series_csv(ria_context *ctx, const ria_csv_desc *desc, ria_series **out);

/* What a series is taken for. */
typedef struct ria_series_use {
  ria_dim times;        /* RIA_DIM_TIME, or what a curve is over */
  ria_dim dim;          /* of the values, */
  ria_measure measure;  /* but for those of a tracer */
  const ria_unit *unit; /* the tracer's; NULL = not known yet, any unit of a tracer will do */
} ria_series_use;
/* Check the units that a series brought from its file. *out is NULL where its values are right as
 * they are, else the caller's copy with values in the unit wanted: a tracer's. RIA_ERR_ARGUMENT
 * names the unit and what is expected. */
RIA_API ria_status ria_series_take(ria_context *ctx, const ria_series *s, const ria_series_use *use,
                                   ria_series **out);

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
/* The phases that a tide was made with; RIA_PHASES_RELATIVE of what is no tide. Only a run gives
 * those at Greenwich and local ones their date: ria_series_at takes all as relative to t = 0. */
RIA_API ria_phases ria_series_phases(const ria_series *s);

/* A constant or a series: zero-initialised it is the constant 0. The series stays the caller's. */
typedef struct ria_value {
  double constant;
  const ria_series *series;
} ria_value;

#ifdef __cplusplus
}
#endif
#endif
