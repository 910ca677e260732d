/* io/date.c - dates as text, in a zone; the calendar itself is in io/calendar.c. */
#include "io/date.h"
#include "base/context.h"
#include "base/text.h"
#include "io/calendar.h"

#include <math.h>
#include <string.h>

/* Beyond these years no reader of dates follows. */
bool ria_has_date(double t) { return t >= -62135596800.0 && t < 253402300800.0; }

bool ria_is_date(const char *text) { return text && ria_calendar_looks_like(text, strlen(text)); }

bool ria_date_has_zone(const char *text) {
  double t;
  bool zoned = false;
  if (text) (void)ria_calendar_parse_zoned(text, strlen(text), &t, &zoned);
  return zoned;
}

ria_status ria_date_read(ria_context *ctx, const char *what, const char *text, double zone,
                         double *t) {
  bool zoned;
  const char *wrong = ria_calendar_parse_zoned(text, strlen(text), t, &zoned);
  if (wrong) return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s '%.60s': %s", what, text, wrong);
  if (!zoned) *t -= zone;
  return RIA_OK;
}

ria_status ria_parse_date(ria_context *ctx, const char *text, double zone, double *t) {
  if (!text) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a date is missing");
  return ria_date_read(ctx, "date", text, zone, t);
}

ria_status ria_parse_zone(ria_context *ctx, const char *text, double *zone) {
  if (!text) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a zone is missing");
  const char *wrong = ria_calendar_zone(text, strlen(text), zone);
  return wrong ? ria_fail(ctx, RIA_ERR_ARGUMENT, "zone '%.40s': %s", text, wrong) : RIA_OK;
}

void ria_date_local(double t, double zone, int decimals, char *buf, size_t size) {
  if (size) buf[0] = '\0';
  if (!ria_has_date(t + zone)) return;
  ria_calendar_format(t + zone, decimals, buf, size);
  if (size > 11 && strlen(buf) > 10) buf[10] = 'T';
}

void ria_format_date(double t, double zone, int decimals, char *buf, size_t size) {
  char name[16];
  ria_date_local(t, zone, decimals, buf, size);
  if (!size || !buf[0]) return;
  ria_calendar_format_zone(zone, name, sizeof name);
  ria_append(buf, size, "%s", strcmp(name, "UTC") == 0 ? "Z" : name);
}

int ria_date_decimals(double t) {
  if (fabs(t - rint(t)) < 5e-7) return 0;
  return fabs(t * 1e3 - rint(t * 1e3)) < 5e-4 ? 3 : 6;
}
