/* Dates in zones, the start of a run, and the sun over a place at one. */
#include "core/start.h"
#include "forcing/series.h"
#include "test.h"
#include "toy.h"
#include <ria/date.h>

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ria_context *ctx;

/* --- text ------------------------------------------------------------------------------------- */

/* What `date -u -d TEXT +%s` says of the same instants. */
static const struct {
  const char *text, *zone;
  double t;
  const char *back; /* by the clocks of the zone */
} instants[] = {
    {"1970-01-01", "UTC", 0, "1970-01-01T00:00:00Z"},
    {"1970-01-01", "+02:00", -7200, "1970-01-01T00:00:00+02:00"},
    {"2026-07-14 00:00", "+02:00", 1783980000, "2026-07-14T00:00:00+02:00"},
    {"2026-07-14T00:00Z", "+02:00", 1783987200, "2026-07-14T02:00:00+02:00"},
    {"2026-07-13 18:30 -03:30", "+0200", 1783980000, "2026-07-14T00:00:00+02:00"},
    {"2024-02-29 23:59:59", "-03:30", 1709263799, "2024-02-29T23:59:59-03:30"},
    {"2024-03-01", "+05:45", 1709230500, "2024-03-01T00:00:00+05:45"},
    {"2023-12-31 23:30:00Z", "+01", 1704065400, "2024-01-01T00:30:00+01:00"},
    {"2000-02-29", "Z", 951782400, "2000-02-29T00:00:00Z"},
    {"1900-03-01", "Z", -2203891200, "1900-03-01T00:00:00Z"},
    {"2100-03-01 00:00", "-12:00", 4107585600, "2100-03-01T00:00:00-12:00"},
};

static void zones(void) {
  for (size_t k = 0; k < sizeof instants / sizeof *instants; k++) {
    double zone = NAN, t = NAN;
    char text[48];
    CHECK_OK(ctx, ria_parse_zone(ctx, instants[k].zone, &zone));
    CHECK_OK(ctx, ria_parse_date(ctx, instants[k].text, zone, &t));
    CHECK_NEAR(t, instants[k].t, 0.0);
    ria_format_date(t, zone, 0, text, sizeof text);
    CHECK_TEXT(text, instants[k].back);
  }
}

/* A host that writes decimal commas changes no date. Needs such a locale. */
static void locales(void) {
  const char *const comma[] = {"de_DE.UTF-8", "es_ES.UTF-8", "fr_FR.UTF-8", "de_DE"};
  const size_t n = sizeof comma / sizeof *comma;
  double t = NAN;
  char text[48];
  size_t k = 0;
  while (k < n && !setlocale(LC_ALL, comma[k])) k++;
  if (k == n) printf("skipped: no locale with decimal commas is here\n");
  zones();
  CHECK_OK(ctx, ria_parse_date(ctx, "1970-01-01 00:00:01.25", 0.0, &t));
  CHECK_NEAR(t, 1.25, 0.0);
  ria_format_date(t, 0.0, 3, text, sizeof text);
  CHECK_TEXT(text, "1970-01-01T00:00:01.250Z");
  setlocale(LC_ALL, "C");
}

static void refuse_zone(const char *text, const char *expected) {
  double zone;
  CHECK_FAILS(ctx, ria_parse_zone(ctx, text, &zone), RIA_ERR_ARGUMENT, expected);
}

static void refusals(void) {
  double t;
  char text[48];
  refuse_zone("CEST", "zone 'CEST': a zone is an offset from UTC such as '+02:00', or 'UTC': names "
                      "and summer time are not known");
  refuse_zone("", "zone '': a zone is an offset from UTC such as '+02:00', or 'UTC': names and "
                  "summer time are not known");
  refuse_zone("+2", "zone '+2': an offset from UTC is +hh:mm or -hh:mm");
  refuse_zone("+19:00", "zone '+19:00': an offset from UTC is +hh:mm or -hh:mm");
  refuse_zone(NULL, "a zone is missing");
  CHECK_FAILS(ctx, ria_parse_date(ctx, "2023-02-29", 0.0, &t), RIA_ERR_ARGUMENT,
              "date '2023-02-29': the month has no such day");
  CHECK_FAILS(ctx, ria_parse_date(ctx, NULL, 0.0, &t), RIA_ERR_ARGUMENT, "a date is missing");
  CHECK(ria_is_date("2026-07-14 noon") && !ria_is_date("1 d") && !ria_is_date(NULL));
  CHECK(ria_date_has_zone("2026-07-14T00:00Z") && !ria_date_has_zone("2026-07-14 00:00"));
  ria_format_date(1e15, 0.0, 0, text, sizeof text);
  CHECK_TEXT(text, "");
}

/* --- the start of a run ----------------------------------------------------------------------- */

static void refuse_start(ria_sim_desc d, const char *expected) {
  ria_sim *sim = NULL;
  d.grid = (ria_grid){.nx = 2, .ny = 2, .dx = 1, .dy = 1};
  CHECK_FAILS(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim), RIA_ERR_ARGUMENT, expected);
}

static ria_sim *begins(const char *start, const char *zone) {
  ria_sim *sim = NULL;
  const ria_sim_desc d = {
      .grid = {.nx = 2, .ny = 2, .dx = 1, .dy = 1}, .start = start, .zone = zone};
  CHECK_OK(ctx, ria_sim_create_with(ctx, &toy_solver, &d, &sim));
  return sim;
}

static void starts(void) {
  double t = NAN, zone = NAN;
  char text[48];
  refuse_start((ria_sim_desc){.start = "noon"},
               "start 'noon': a date is YYYY-MM-DD, with hh:mm or hh:mm:ss behind it");
  refuse_start((ria_sim_desc){.start = "2026-07-14", .epoch = "2026-07-14"},
               "start and epoch are two names of one thing: write start alone");
  refuse_start((ria_sim_desc){.zone = "+02:00"},
               "a zone goes with a start, the date of t = 0: start = \"2026-07-14 00:00\"");
  refuse_start((ria_sim_desc){.start = "0000-01-01"},
               "start '0000-01-01': years are 0001 to 9999, in UTC and by the clocks of the zone");
  refuse_start((ria_sim_desc){.start = "0001-01-01", .zone = "+02:00"},
               "start '0001-01-01': years are 0001 to 9999, in UTC and by the clocks of the zone");
  refuse_start((ria_sim_desc){.epoch = "9999-12-31 23:00Z", .zone = "+02:00"},
               "epoch '9999-12-31 23:00Z': years are 0001 to 9999, in UTC and by the clocks of the "
               "zone");
  refuse_start((ria_sim_desc){.clock = (ria_clock)7}, "clock 7 is not one of ria_clock");
  ria_sim *sim = begins("2024-02-28 22:00", "+02:00");
  CHECK(ria_sim_start_date(sim, &t, &zone));
  CHECK_NEAR(t, 1709150400.0, 0.0); /* 2024-02-28 20:00 UTC */
  CHECK_NEAR(zone, 7200.0, 0.0);
  CHECK_OK(ctx, ria_sim_parse_time(sim, "2024-03-01", &t));
  CHECK_NEAR(t, 26.0 * 3600.0, 0.0); /* over the leap day */
  CHECK_OK(ctx, ria_sim_parse_time(sim, "2024-02-28T20:00:00.25Z", &t));
  CHECK_NEAR(t, 0.25, 0.0);
  CHECK_OK(ctx, ria_sim_parse_time(sim, "1 h 30 min", &t));
  CHECK_NEAR(t, 5400.0, 0.0);
  CHECK(ria_sim_date(sim, 7200.0, text, sizeof text));
  CHECK_TEXT(text, "2024-02-29T00:00:00+02:00");
  ria_sim_destroy(&sim);
  sim = begins(NULL, NULL);
  CHECK(!ria_sim_start_date(sim, &t, &zone) && !ria_sim_date(sim, 0.0, text, sizeof text));
  CHECK_TEXT(text, "");
  CHECK_FAILS(
      ctx, ria_sim_parse_time(sim, "2024-03-01 12:00", &t), RIA_ERR_ARGUMENT,
      "'2024-03-01 12:00' is a date, and this run has none: give it a start, the date of t = "
      "0 (start = \"2024-03-01 00:00\"), or write the time since t = 0, as in '1 d 6 h'");
  ria_sim_destroy(&sim);
}

static void check_told(const ria_start *s, double t, const char *told, const char *label) {
  char text[64] = "";
  ria_start_tell(s, t, text, sizeof text);
  CHECK_TEXT(text, told);
  CHECK(ria_start_label(s, t, text, sizeof text) == (label != NULL));
  if (label) CHECK_TEXT(text, label);
}

static void told(void) {
  const ria_start none = {0}, utc = {.known = true, .t = 1709150400.0};
  const ria_start west = {.known = true, .t = 1709150400.0, .zone = -12600.0};
  check_told(&none, 5400.0, "1 h 30 min", NULL);
  check_told(&utc, 14400.0, "2024-02-29 00:00", "2024-02-29 00:00 UTC");
  check_told(&utc, 14401.0, "2024-02-29 00:00:01", "2024-02-29 00:00:01 UTC");
  check_told(&utc, 14400.5, "2024-02-29 00:00:00.500", "2024-02-29 00:00:00.500 UTC");
  check_told(&west, 0.0, "2024-02-28 16:30", "2024-02-28 16:30 -03:30");
  check_told(&utc, 1e13, "316881 yr", NULL); /* no calendar reaches there */
}

/* --- series with dates ------------------------------------------------------------------------ */

/* From 2024-02-28 20:00 to 24:00, by UTC or by local clocks; its value an hour after a start. */
static void check_settled(double start, double zone, bool local, double expected) {
  const double t[] = {1709150400.0, 1709164800.0}, v[] = {0.0, 4.0};
  const ria_table_desc d = {.t = t, .v = v, .n = 2, .dates = true, .local = local};
  const ria_start at = {.known = true, .t = start, .zone = zone};
  ria_series *s = NULL, *copy = NULL;
  double t0, t1;
  CHECK_OK(ctx, ria_series_table(ctx, &d, &s));
  CHECK_OK(ctx, ria_series_copy(ctx, s, &copy));
  CHECK_OK(ctx, ria_series_settle(ctx, copy, &at));
  CHECK_NEAR(ria_series_at(copy, 3600.0), expected, 1e-12);
  ria_series_span(copy, &t0, &t1);
  CHECK_NEAR(t1 - t0, 14400.0, 0.0);
  CHECK(ria_series_has_dates(s) && !ria_series_has_dates(copy));
  CHECK_OK(ctx, ria_series_settle(ctx, copy, &at)); /* once is enough */
  CHECK_NEAR(ria_series_at(copy, 3600.0), expected, 1e-12);
  CHECK_FAILS(
      ctx, ria_series_settle(ctx, s, &(ria_start){0}), RIA_ERR_ARGUMENT,
      "the times of a series are dates, and the run has no start: give it the date of t = 0 "
      "(start = \"2026-07-14 00:00\")");
  ria_series_destroy(&s);
  ria_series_destroy(&copy);
}

/* --- the sun ---------------------------------------------------------------------------------- */

static void sun_at(const char *date, double lon, double lat, double elevation, double azimuth) {
  double t = 0.0, up, turn;
  CHECK_OK(ctx, ria_parse_date(ctx, date, 0.0, &t));
  ria_sun(t, lon, lat, &up, &turn);
  CHECK_NEAR(up, elevation, 0.01);
  CHECK_NEAR(turn, azimuth, 0.01);
}

static void sun(void) {
  /* the worked example of NREL/TP-560-34302 (Reda and Andreas), without refraction */
  sun_at("2003-10-17 12:30:30-07:00", -105.1786, 39.742476, 39.872046, 194.34024);
  /* Meeus, Astronomical Algorithms, example 25.a: on 1992-10-13 at 0 h the declination is -7.785
   * degrees, the elevation at the north pole */
  double t = 0.0, up;
  CHECK_OK(ctx, ria_parse_date(ctx, "1992-10-13", 0.0, &t));
  ria_sun(t, 12.0, 90.0, &up, NULL);
  CHECK_NEAR(up, -7.785, 0.01);
  /* at a solstice the elevation at the pole is the obliquity of the ecliptic, which falls: 23.4393
   * - 0.0130 degrees a century after 2000 */
  CHECK_OK(ctx, ria_parse_date(ctx, "2049-06-21", 0.0, &t));
  ria_sun(t, 12.0, 90.0, &up, NULL);
  CHECK_NEAR(up, 23.4329, 0.004);
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK);
  zones();
  locales();
  refusals();
  starts();
  told();
  check_settled(1709150400.0, 0.0, false, 1.0);
  check_settled(1709150400.0, 7200.0, false, 1.0);
  check_settled(1709143200.0, 7200.0, true, 1.0); /* 20:00 by its own clocks */
  check_settled(1709146800.0, 7200.0, true, 2.0);
  sun();
  ria_context_destroy(&ctx);
  return TEST_END();
}
