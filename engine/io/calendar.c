/* io/calendar.c - ISO-8601 text to seconds since 1970 and back.
 *
 * Days are counted in years that begin in March, so that the leap day is the last of its year and
 * the months before it have the fixed lengths 31 30 31 30 31 | 31 30 31 30 31 | 31: day of year =
 * (153 m + 2) / 5 for m = 0 in March. 400 years are 146097 days; flooring to whole eras of 400
 * years keeps all that follows non-negative. Seconds are added as integers, the fraction last. */
#include "io/calendar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ERA_DAYS = 146097, EPOCH_DAYS = 719468 /* 0000-03-01 to 1970-01-01 */ };

static int64_t days_of(int year, int month, int day) {
  int64_t y = month <= 2 ? year - 1 : year;
  int64_t era = (y >= 0 ? y : y - 399) / 400;
  int64_t y_of_era = y - era * 400;
  int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  int64_t day_of_era = y_of_era * 365 + y_of_era / 4 - y_of_era / 100 + day_of_year;
  return era * ERA_DAYS + day_of_era - EPOCH_DAYS;
}

static void date_of(int64_t days, int64_t *year, int *month, int *day) {
  int64_t z = days + EPOCH_DAYS;
  int64_t era = (z >= 0 ? z : z - (ERA_DAYS - 1)) / ERA_DAYS;
  int64_t doe = z - era * ERA_DAYS; /* day of the era */
  int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  int m = (int)((5 * doy + 2) / 153);
  *day = (int)(doy - (153 * m + 2) / 5) + 1;
  *month = m < 10 ? m + 3 : m - 9;
  *year = yoe + era * 400 + (*month <= 2);
}

static int days_in_month(int year, int month) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return days[month - 1] + (month == 2 && leap);
}

/* --- reading ---------------------------------------------------------------------------------- */

typedef struct cursor {
  const char *s, *end;
} cursor;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool take(cursor *c, char wanted) {
  if (c->s == c->end || *c->s != wanted) return false;
  c->s++;
  return true;
}

/* Exactly n digits. */
static bool take_int(cursor *c, int n, int *out) {
  if (c->end - c->s < n) return false;
  *out = 0;
  for (int i = 0; i < n; i++) {
    if (!is_digit(c->s[i])) return false;
    *out = 10 * *out + (c->s[i] - '0');
  }
  c->s += n;
  return true;
}

static const char *take_date(cursor *c, int64_t *days) {
  int year, month, day;
  if (!take_int(c, 4, &year) || !take(c, '-') || !take_int(c, 2, &month) || !take(c, '-') ||
      !take_int(c, 2, &day))
    return "a date is YYYY-MM-DD, with hh:mm or hh:mm:ss behind it";
  if (month < 1 || month > 12) return "the month must be 01 to 12";
  if (day < 1 || day > days_in_month(year, month)) return "the month has no such day";
  *days = days_of(year, month, day);
  return NULL;
}

/* The digits behind the point. Nine decide; more are looked at and dropped. */
static const char *take_fraction(cursor *c, double *fraction) {
  int64_t value = 0, unit = 1;
  if (c->s == c->end || !is_digit(*c->s)) return "digits must follow the decimal point";
  for (; c->s < c->end && is_digit(*c->s); c->s++)
    if (unit < 1000000000) {
      value = 10 * value + (*c->s - '0');
      unit *= 10;
    }
  *fraction = (double)value / (double)unit;
  return NULL;
}

static const char *take_clock(cursor *c, int64_t *seconds, double *fraction) {
  int hour, minute, second = 0;
  if (!take_int(c, 2, &hour) || !take(c, ':') || !take_int(c, 2, &minute))
    return "a time of day is hh:mm or hh:mm:ss";
  if (take(c, ':')) {
    if (!take_int(c, 2, &second)) return "a time of day is hh:mm or hh:mm:ss";
    if (take(c, '.')) {
      const char *wrong = take_fraction(c, fraction);
      if (wrong) return wrong;
    }
  }
  if (hour > 23) return "the hour must be 00 to 23";
  if (minute > 59) return "the minute must be 00 to 59";
  if (second > 59) return "the second must be 00 to 59";
  *seconds += hour * 3600 + minute * 60 + second;
  return NULL;
}

/* +hh:mm, +hhmm, +hh: what local time is ahead of UTC. */
static const char *take_hours(cursor *c, int *seconds) {
  int hour, minute = 0;
  bool east = *c->s == '+';
  c->s++;
  bool ok = take_int(c, 2, &hour);
  if (ok && c->s < c->end) ok = (take(c, ':'), take_int(c, 2, &minute));
  if (!ok || hour > 18 || minute > 59) return "an offset from UTC is +hh:mm or -hh:mm";
  *seconds = (east ? 1 : -1) * (hour * 3600 + minute * 60);
  return NULL;
}

static bool at_sign(const cursor *c) { return c->s < c->end && (*c->s == '+' || *c->s == '-'); }

/* Z or an offset, behind a time; nothing is neither. */
static const char *take_offset(cursor *c, int64_t *seconds, bool *zoned) {
  int ahead = 0;
  while (take(c, ' ')) continue;
  if (c->s == c->end) return NULL;
  *zoned = true;
  if (take(c, 'Z') || take(c, 'z')) return NULL;
  if (!at_sign(c)) return "only Z or an offset like +01:00 may follow a time";
  const char *wrong = take_hours(c, &ahead);
  *seconds -= ahead;
  return wrong;
}

const char *ria_calendar_parse_zoned(const char *s, size_t n, double *t, bool *zoned) {
  cursor c = {s, s + n};
  int64_t days, seconds = 0;
  double fraction = 0.0;
  *zoned = false;
  const char *wrong = take_date(&c, &days);
  if (!wrong && c.s < c.end) {
    if (take(&c, 'T') || take(&c, 't') || take(&c, ' '))
      wrong = take_clock(&c, &seconds, &fraction);
    else
      wrong = "T or a space must stand between date and time";
    if (!wrong) wrong = take_offset(&c, &seconds, zoned);
  }
  if (!wrong && c.s < c.end) wrong = "nothing may follow the time";
  if (!wrong) *t = (double)(days * 86400 + seconds) + fraction;
  return wrong;
}

const char *ria_calendar_parse(const char *s, size_t n, double *t) {
  bool zoned;
  return ria_calendar_parse_zoned(s, n, t, &zoned);
}

const char *ria_calendar_zone(const char *s, size_t n, double *zone) {
  static const char form[] = "a zone is an offset from UTC such as '+02:00', or 'UTC': names and "
                             "summer time are not known";
  cursor c = {s, s + n};
  int ahead = 0;
  if ((n == 1 && (*s == 'Z' || *s == 'z')) || (n == 3 && memcmp(s, "UTC", 3) == 0)) {
    *zone = 0.0;
    return NULL;
  }
  if (!at_sign(&c)) return form;
  const char *wrong = take_hours(&c, &ahead);
  if (!wrong && c.s < c.end) wrong = form;
  if (!wrong) *zone = ahead;
  return wrong;
}

bool ria_calendar_looks_like(const char *s, size_t n) {
  static const char shape[] = "dddd-dd-dd";
  if (n < sizeof shape - 1) return false;
  for (size_t i = 0; i < sizeof shape - 1; i++)
    if (shape[i] == 'd' ? !is_digit(s[i]) : s[i] != shape[i]) return false;
  return true;
}

bool ria_calendar_is_foreign(const char *s, size_t n) {
  cursor c = {s, s + n};
  char sign = '\0';
  for (int part = 0; part < 3; part++) {
    const char *digits = c.s;
    while (c.s < c.end && is_digit(*c.s)) c.s++;
    if (c.s == digits || c.s - digits > 4) return false;
    if (part == 2) return true;
    if (c.s == c.end || !strchr("./-", *c.s) || (sign && *c.s != sign)) return false;
    sign = *c.s++;
  }
  return false;
}

ria_status ria_calendar_read(ria_context *ctx, const char *what, const char *text, double *t) {
  const char *wrong = ria_calendar_parse(text, strlen(text), t);
  if (!wrong) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s '%.60s': %s", what, text, wrong);
}

/* --- writing ---------------------------------------------------------------------------------- */

void ria_calendar_format(double t, int decimals, char *buf, size_t size) {
  static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
  int64_t unit = powers[decimals < 0 ? 0 : decimals > 6 ? 6 : decimals];
  if (!(fabs(t) < 1e12)) { /* 30 000 years; also NaN */
    snprintf(buf, size, "(no date)");
    return;
  }
  double whole = floor(t);
  int64_t part = (int64_t)floor((t - whole) * (double)unit + 0.5); /* may be a whole second */
  int64_t seconds = (int64_t)whole + part / unit;
  int64_t days = (seconds >= 0 ? seconds : seconds - 86399) / 86400;
  int clock = (int)(seconds - days * 86400), month, day;
  int64_t year;
  date_of(days, &year, &month, &day);
  int n = snprintf(buf, size, "%04lld-%02d-%02d %02d:%02d:%02d", (long long)year, month, day,
                   clock / 3600, clock / 60 % 60, clock % 60);
  if (unit > 1 && n > 0 && (size_t)n < size)
    snprintf(buf + n, size - (size_t)n, ".%0*lld", decimals > 6 ? 6 : decimals,
             (long long)(part % unit));
}

void ria_calendar_format_zone(double zone, char *buf, size_t size) {
  const int minutes = (int)(fabs(zone) / 60.0 + 0.5);
  if (minutes == 0)
    snprintf(buf, size, "UTC");
  else
    snprintf(buf, size, "%c%02d:%02d", zone < 0.0 ? '-' : '+', minutes / 60, minutes % 60);
}
