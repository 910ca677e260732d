/* io/date.h - dates as text, in a zone, for whoever writes them (ria/date.h is what users have). */
#ifndef RIA_IO_DATE_H
#define RIA_IO_DATE_H
#include <ria/date.h>

/* Years 1 to 9999: what readers of dates take. */
bool ria_has_date(double t);
/* As ria_parse_date; the message calls it `what` ("start"). */
ria_status ria_date_read(ria_context *ctx, const char *what, const char *text, double zone,
                         double *t);
/* "2026-07-14T06:30:00" by the clocks of the zone; "" where no calendar reaches. */
void ria_date_local(double t, double zone, int decimals, char *buf, size_t size);
/* Digits of a second that tell a date from its neighbours: 0, 3 or 6. */
int ria_date_decimals(double t);

#endif
