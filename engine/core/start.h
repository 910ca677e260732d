/* core/start.h - where t = 0 of a simulation lies on the calendar. Private. */
#ifndef RIA_CORE_START_H
#define RIA_CORE_START_H
#include <ria/sim.h>

typedef struct ria_start {
  bool known;   /* false: no date is known, and none is made up */
  double t;     /* of t = 0, s since 1970-01-01 00:00:00 UTC */
  double zone;  /* s that local time is ahead of UTC */
  bool elapsed; /* frames count from the start all the same */
} ria_start;

/* From start (or epoch, its other name), zone and clock. RIA_ERR_ARGUMENT names the key. */
ria_status ria_start_read(ria_context *ctx, const ria_sim_desc *desc, ria_start *out);

/* The instant of t = 0 as stores have it, in UTC: "2026-07-13 22:00:00"; "" where none is known. */
void ria_start_epoch(const ria_start *s, char *buf, size_t size);
/* A time as people read it: "2026-07-14 06:30" by the clocks of the zone, seconds where they are
 * not 0; without a start the duration since t = 0. */
void ria_start_tell(const ria_start *s, double t, char *buf, size_t size);
/* The same, but "5400 s" without a start. */
void ria_start_tell_seconds(const ria_start *s, double t, char *buf, size_t size);
/* With its zone, "2026-07-14 06:30 +02:00"; false, and nothing written, where there is no date. */
bool ria_start_label(const ria_start *s, double t, char *buf, size_t size);
/* "2026-07-14T06:30:00+02:00", a start being known. */
void ria_start_iso(const ria_start *s, double t, char *buf, size_t size);
/* "2026-07-14T06:30:00" by the clocks of the zone, for a table whose zone stands elsewhere; ""
 * where no calendar reaches. */
void ria_start_local(const ria_start *s, double t, int decimals, char *buf, size_t size);
/* From s since 1970 to the time of the run; `local`: by the clocks of the zone. Rounded to the
 * microsecond, which is what such a double holds. */
double ria_start_since(const ria_start *s, double date, bool local);

#endif
