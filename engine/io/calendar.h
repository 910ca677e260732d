/* io/calendar.h - calendar times as seconds since 1970-01-01 00:00:00 UTC.
 *
 * The proleptic Gregorian calendar without leap seconds, as CF's "standard" calendar has it for
 * all dates since 1582. A double resolves better than a microsecond for the dates of this era. */
#ifndef RIA_IO_CALENDAR_H
#define RIA_IO_CALENDAR_H
#include <ria/status.h>

/* Parse the n characters at s: "2026-03-01", "2026-03-01 06:30", "2026-03-01T06:30:15.25Z",
 * "... +01:00" (also +0100 and +01); UTC unless an offset says otherwise. Returns NULL and sets *t,
 * or returns what is wrong as a phrase ("the month must be 01 to 12"). */
const char *ria_calendar_parse(const char *s, size_t n, double *t);
/* The same; *zoned tells whether the text says its zone (Z or an offset) itself. */
const char *ria_calendar_parse_zoned(const char *s, size_t n, double *t, bool *zoned);
/* The seconds that local time is ahead of UTC: "+02:00" (also +0200 and +02), "-03:30", "Z", "UTC".
 * Returns NULL, or what is wrong as a phrase. */
const char *ria_calendar_zone(const char *s, size_t n, double *zone);

/* Does the text start like a date (dddd-dd-dd)? */
bool ria_calendar_looks_like(const char *s, size_t n);

/* Is it a date in another order or with other signs (14.07.2026, 2026/7/14)? Two of the same sign
 * between digits, which no number has. */
bool ria_calendar_is_foreign(const char *s, size_t n);

/* The same with a message in the context that names `what` ("epoch"): RIA_ERR_ARGUMENT. */
ria_status ria_calendar_read(ria_context *ctx, const char *what, const char *text, double *t);

/* "2026-03-01 06:30:15", with `decimals` (0 to 6) digits of a second behind it, rounded. buf is
 * always terminated; 40 characters hold any date. */
void ria_calendar_format(double t, int decimals, char *buf, size_t size);
/* "UTC" or "+02:00" of a zone; 16 characters hold it. */
void ria_calendar_format_zone(double zone, char *buf, size_t size);

#endif
