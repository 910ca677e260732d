/* core/start.c - where t = 0 of a simulation lies on the calendar. */
#include "core/start.h"
#include "base/context.h"
#include "base/text.h"
#include "io/calendar.h"
#include "io/date.h"
#include <ria/units.h>

#include <math.h>
#include <string.h>

/* --- a run's start ---------------------------------------------------------------------------- */

ria_status ria_start_read(ria_context *ctx, const ria_sim_desc *desc, ria_start *out) {
  const char *text = desc->start ? desc->start : desc->epoch;
  *out = (ria_start){.known = text != NULL, .elapsed = desc->clock == RIA_CLOCK_ELAPSED};
  if (desc->start && desc->epoch)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "start and epoch are two names of one thing: write start alone");
  if (desc->zone && !text)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "a zone goes with a start, the date of t = 0: start = \"2026-07-14 00:00\"");
  if (desc->clock != RIA_CLOCK_DATE && desc->clock != RIA_CLOCK_ELAPSED)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "clock %d is not one of ria_clock", (int)desc->clock);
  if (desc->zone) RIA_TRY(ria_parse_zone(ctx, desc->zone, &out->zone));
  if (!text) return RIA_OK;
  const char *name = desc->start ? "start" : "epoch";
  RIA_TRY(ria_date_read(ctx, name, text, out->zone, &out->t));
  if (ria_has_date(out->t) && ria_has_date(out->t + out->zone)) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "%s '%.60s': years are 0001 to 9999, in UTC and by the clocks of the zone", name,
                  text);
}

void ria_start_epoch(const ria_start *s, char *buf, size_t size) {
  if (size) buf[0] = '\0';
  if (s->known) ria_calendar_format(s->t, ria_date_decimals(s->t), buf, size);
}

/* "2026-07-14 06:30", with seconds where they are not 0. */
static bool tell_date(const ria_start *s, double t, char *buf, size_t size) {
  const double date = s->t + t;
  char text[48];
  if (!s->known || !ria_has_date(date + s->zone)) return false;
  ria_calendar_format(date + s->zone, ria_date_decimals(date), text, sizeof text);
  char *seconds = text + strlen("2026-07-14 06:30");
  if (strcmp(seconds, ":00") == 0) *seconds = '\0';
  ria_format(buf, size, "%s", text);
  return true;
}

void ria_start_tell(const ria_start *s, double t, char *buf, size_t size) {
  if (!tell_date(s, t, buf, size)) ria_format_duration(t, buf, size);
}

void ria_start_tell_seconds(const ria_start *s, double t, char *buf, size_t size) {
  if (!tell_date(s, t, buf, size)) ria_format(buf, size, "%.10g s", t);
}

bool ria_start_label(const ria_start *s, double t, char *buf, size_t size) {
  char name[16];
  if (!tell_date(s, t, buf, size)) return false;
  ria_calendar_format_zone(s->zone, name, sizeof name);
  ria_append(buf, size, " %s", name);
  return true;
}

void ria_start_iso(const ria_start *s, double t, char *buf, size_t size) {
  ria_format_date(s->t + t, s->zone, ria_date_decimals(s->t + t), buf, size);
}

void ria_start_local(const ria_start *s, double t, int decimals, char *buf, size_t size) {
  ria_date_local(s->t + t, s->zone, decimals, buf, size);
}

double ria_start_since(const ria_start *s, double date, bool local) {
  return round((date - (local ? s->zone : 0.0) - s->t) * 1e6) / 1e6;
}
