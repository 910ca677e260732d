/* forcing/series.h - how a series is kept, and how a run takes it over.
 *
 * A series is exactly one entry of the forcing table in ria/kernel.h with its data: it is evaluated
 * by ria_forcing_at wherever that is done, so host and device agree. It never changes once made.
 *
 * A simulation keeps no series of the caller's: it flattens each into one entry and one shared
 * buffer of doubles, the two pieces that are copied to a device. */
#ifndef RIA_FORCING_SERIES_H
#define RIA_FORCING_SERIES_H
#include "base/array.h"
#include "core/start.h"
#include <ria/kernel.h>
#include <ria/series.h>

/* One constituent as it was given. */
typedef struct ria_tide_given {
  int k;           /* which (forcing/tide.h), -1: by its speed alone */
  double speed;    /* rad/s */
  double amp, lag; /* m, rad */
} ria_tide_given;

/* What a tide was made from, until a run takes it; then what its phases mean there. */
typedef struct ria_tide_kept {
  size_t n;
  size_t by_speed;   /* of n: have no argument, so phases relative to t = 0 */
  ria_tide_given *c; /* [n]; NULL once a run has it */
  ria_phases phases;
  ria_nodal nodal;
} ria_tide_kept;

/* The unit of a column of a file. */
typedef struct ria_series_unit {
  char text[RIA_UNIT_MAX]; /* "" = not told */
  double factor;           /* by which its numbers were multiplied */
  bool scaled;             /* a header's, and the script scales the values, too */
} ria_series_unit;

struct ria_series {
  ria_forcing entry; /* first = 0 */
  double *data;      /* [n_data], NULL for a constant */
  size_t n_data;
  double t0, t1; /* the span over which it has values: -inf, inf when it holds or is harmonic */
  bool dates;    /* its times are s since 1970, */
  bool local;    /* by the clocks of the run's zone */
  ria_series_unit of_times, of_values;
  ria_tide_kept tide;
};

/* series_unit.c: the unit of a column, by its header and, where not NULL, `said` by the script.
 * RIA_ERR_ARGUMENT where these disagree. */
ria_status ria_series_unit_read(ria_context *ctx, const char *path, const ria_csv_table *t,
                                size_t column, const char *said, ria_series_unit *out);
/* The script scales what is converted: RIA_ERR_ARGUMENT. */
ria_status ria_series_unit_scaled(ria_context *ctx, const ria_series_unit *unit);

/* A series with room for n_data doubles, that has values at all times; *out is NULL on failure. */
ria_status ria_series_create(ria_context *ctx, ria_forcing entry, size_t n_data, ria_series **out);
ria_status ria_series_finite(ria_context *ctx, const char *what, double v);
ria_status ria_series_ramp(ria_context *ctx, double ramp);
/* tide.c: give a copy what the tide was made from; count its phases from the start of a run. */
ria_status ria_tide_copy(ria_context *ctx, const ria_series *from, ria_series *to);
ria_status ria_tide_settle(ria_context *ctx, ria_series *s, const ria_start *start);

/* Count its times from the start of a run, if they are dates. RIA_ERR_ARGUMENT where it has none.
 */
ria_status ria_series_settle(ria_context *ctx, ria_series *s, const ria_start *start);

/* Make *entry the table entry of a series, its data appended to `data` (entry->first is where they
 * begin). s NULL is the constant 0. data->v is not NULL afterwards, even if there is nothing in it.
 * RIA_ERR_MEMORY leaves both unchanged. */
ria_status ria_series_flatten(ria_context *ctx, const ria_series *s, ria_forcing *entry,
                              ria_doubles *data);
/* The same of a ria_value: its series if it has one, otherwise its constant, which must be finite
 * (RIA_ERR_ARGUMENT). */
ria_status ria_value_flatten(ria_context *ctx, const ria_value *value, ria_forcing *entry,
                             ria_doubles *data);

/* Is the constant, or any point of the table, below zero? A tide is not asked. */
bool ria_value_is_negative(const ria_value *value);

/* It is never more than this: of a tide the sum of all its amplitudes. */
double ria_value_most(const ria_value *value);

/* Fails with RIA_ERR_ARGUMENT unless the value is defined all the way from t0 to t1. `what` names
 * it in the message: "level of boundary 'river'". Times are told as the run of that start has them.
 */
ria_status ria_value_check_span(ria_context *ctx, const ria_start *start, const ria_value *value,
                                const char *what, double t0, double t1);

#endif
