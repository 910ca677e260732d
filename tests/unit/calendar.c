/* ISO-8601 times: known instants, every day of 2800 years there and back, refusals. */
#include "io/calendar.h"
#include "test.h"

static void check_time(const char *text, double expected) {
  double t = NAN;
  const char *wrong = ria_calendar_parse(text, strlen(text), &t);
  if (!CHECK_TEXT(wrong, NULL) || !CHECK_NEAR(t, expected, 0.0))
    fprintf(stderr, "  in '%s'\n", text);
}

static void check_refused(const char *text, const char *why) {
  double t = 42.0;
  const char *wrong = ria_calendar_parse(text, strlen(text), &t);
  if (!CHECK_TEXT(wrong, why) || !CHECK(t == 42.0)) fprintf(stderr, "  in '%s'\n", text);
}

static void known_instants(void) {
  check_time("1970-01-01", 0.0);
  check_time("1970-01-01 00:00:01", 1.0);
  check_time("1969-12-31 23:59:59", -1.0);
  check_time("2000-02-29", 951782400.0);
  check_time("2000-03-01", 951868800.0);
  check_time("1900-03-01 00:00:00", -2203891200.0);
  check_time("2001-09-09T01:46:40Z", 1e9);
  check_time("2026-03-01 00:00", 1772323200.0);
  check_time("2038-01-19T03:14:07", 2147483647.0);
  check_time("0001-01-01", -62135596800.0);
  check_time("0000-03-01", -62162035200.0);
  check_time("9999-12-31 23:59:59", 253402300799.0);
}

static void fractions_and_offsets(void) {
  check_time("1970-01-01 00:00:00.5", 0.5);
  check_time("1970-01-01T00:00:00.000001", 1e-6);
  check_time("1970-01-01T00:00:00.1234567899999", 0.123456789);
  check_time("1970-01-01t01:00:00z", 3600.0);
  check_time("1970-01-01T01:00:00+01:00", 0.0);
  check_time("1970-01-01T00:00+0100", -3600.0);
  check_time("1970-01-01T00:00-03", 10800.0);
  check_time("1970-01-01 05:30:00 +05:30", 0.0);
  check_time("1970-01-01 00:00:00 Z", 0.0);
}

static void refusals(void) {
  static const char date[] = "a date is YYYY-MM-DD, with hh:mm or hh:mm:ss behind it";
  static const char clock[] = "a time of day is hh:mm or hh:mm:ss";
  static const char offset[] = "an offset from UTC is +hh:mm or -hh:mm";
  static const char zone[] = "only Z or an offset like +01:00 may follow a time";
  check_refused("", date);
  check_refused("2026", date);
  check_refused("2026/03/01", date);
  check_refused("26-03-01", date);
  check_refused("2026-3-1", date);
  check_refused("-2026-03-01", date);
  check_refused("2026-13-01", "the month must be 01 to 12");
  check_refused("2026-00-01", "the month must be 01 to 12");
  check_refused("2026-02-29", "the month has no such day");
  check_refused("1900-02-29", "the month has no such day");
  check_refused("2026-04-31", "the month has no such day");
  check_refused("2026-04-00", "the month has no such day");
  check_refused("2026-03-01x", "T or a space must stand between date and time");
  check_refused("2026-03-01 ", clock);
  check_refused("2026-03-01T6:30", clock);
  check_refused("2026-03-01T06", clock);
  check_refused("2026-03-01T06:3", clock);
  check_refused("2026-03-01T06:30:", clock);
  check_refused("2026-03-01T06:30:1", clock);
  check_refused("2026-03-01T24:00", "the hour must be 00 to 23");
  check_refused("2026-03-01T23:60", "the minute must be 00 to 59");
  check_refused("2026-03-01T23:59:60", "the second must be 00 to 59");
  check_refused("2026-03-01T23:59:59.", "digits must follow the decimal point");
  check_refused("2026-03-01T23:59:59,5", zone);
  check_refused("2026-03-01T23:59 CET", zone);
  check_refused("2026-03-01T23:59+", offset);
  check_refused("2026-03-01T23:59+1", offset);
  check_refused("2026-03-01T23:59+01:", offset);
  check_refused("2026-03-01T23:59+19:00", offset);
  check_refused("2026-03-01T23:59+01:75", offset);
  check_refused("2026-03-01T23:59+01:00Z", "nothing may follow the time");
  check_refused("2026-03-01T23:59Z1", "nothing may follow the time");
}

/* Days must come one after another, each written as the text that reads as it. */
static void every_day(void) {
  const double first = -62135596800.0; /* 0001-01-01 */
  char last[40] = "", text[40];
  for (int64_t day = 0; day < 2800 * 365; day++) {
    double t = first + 86400.0 * (double)day, back = NAN;
    ria_calendar_format(t, 0, text, sizeof text);
    const char *wrong = ria_calendar_parse(text, strlen(text), &back);
    if (!CHECK_TEXT(wrong, NULL) || !CHECK_NEAR(back, t, 0.0) || !CHECK(strcmp(last, text) < 0))
      return;
    memcpy(last, text, sizeof last);
  }
}

static void check_format(double t, int decimals, const char *expected) {
  char text[40];
  ria_calendar_format(t, decimals, text, sizeof text);
  CHECK_TEXT(text, expected);
}

static void formats(void) {
  char tiny[6];
  check_format(0.0, 0, "1970-01-01 00:00:00");
  check_format(-0.25, 0, "1970-01-01 00:00:00");
  check_format(-0.75, 2, "1969-12-31 23:59:59.25");
  check_format(1772323200.0, 0, "2026-03-01 00:00:00");
  check_format(1772323199.9996, 3, "2026-03-01 00:00:00.000");
  check_format(1772323199.5, 1, "2026-02-28 23:59:59.5");
  check_format(0.000001, 6, "1970-01-01 00:00:00.000001");
  check_format(0.5, 99, "1970-01-01 00:00:00.500000");
  check_format(NAN, 0, "(no date)");
  check_format(1e300, 0, "(no date)");
  ria_calendar_format(0.0, 3, tiny, sizeof tiny);
  CHECK_TEXT(tiny, "1970-");
}

static void messages(ria_context *ctx) {
  double t;
  CHECK_OK(ctx, ria_calendar_read(ctx, "epoch", "2026-03-01", &t));
  (void)CHECK_FAILS(ctx, ria_calendar_read(ctx, "epoch", "1 March 2026", &t), RIA_ERR_ARGUMENT,
                    "epoch '1 March 2026': a date is YYYY-MM-DD, with hh:mm or hh:mm:ss behind it");
  CHECK(ria_calendar_looks_like("2026-99-99T", 11));
  CHECK(!ria_calendar_looks_like("2026-99-9", 9));
  CHECK(!ria_calendar_looks_like("-12345678.5", 11));
}

int main(void) {
  ria_context *ctx = NULL;
  CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK);
  known_instants();
  fractions_and_offsets();
  refusals();
  every_day();
  formats();
  messages(ctx);
  ria_context_destroy(&ctx);
  return TEST_END();
}
