/* ria/date.h - calendar dates, and the sun over a place at one.
 *
 * A date is text, "2026-07-14", "2026-07-14 06:30", "2026-07-14T06:30:15.25Z", "... +02:00", or a
 * double: seconds since 1970-01-01 00:00:00 UTC in the Gregorian calendar, leap seconds left out. A
 * zone is the seconds that local time is ahead of UTC. Neither the system's zone nor its locale
 * plays a part. */
#ifndef RIA_DATE_H
#define RIA_DATE_H
#include <ria/status.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Does the text begin as a date does (dddd-dd-dd)? NULL does not. */
RIA_API bool ria_is_date(const char *text);
/* Does a date say its zone (Z or an offset)? */
RIA_API bool ria_date_has_zone(const char *text);
/* Read a date; one that says no zone itself is in `zone`. RIA_ERR_ARGUMENT tells what is wrong. */
RIA_API ria_status ria_parse_date(ria_context *ctx, const char *text, double zone, double *t);
/* Read a zone: "+02:00", "-03:30", "UTC" or "Z". Its name ("CEST") is RIA_ERR_ARGUMENT. */
RIA_API ria_status ria_parse_zone(ria_context *ctx, const char *text, double *zone);
/* Write a date in ISO 8601 as the clocks of a zone show it, "2026-07-14T06:30:00+02:00" (Z in UTC),
 * with `decimals` (0 to 6) digits of a second. buf is always terminated; 48 bytes hold any. */
RIA_API void ria_format_date(double t, double zone, int decimals, char *buf, size_t size);

/* Where the sun's centre stands at a date over a place (degrees east and north): its elevation
 * above the horizon, deg, negative by night, and its azimuth, deg clockwise from north; either may
 * be NULL. Without refraction; within 0.01 deg from 1950 to 2050. */
RIA_API void ria_sun(double t, double lon, double lat, double *elevation, double *azimuth);

#ifdef __cplusplus
}
#endif
#endif
