/* Constants, tables and tides: values, spans, errors, and flattened for a run. */
#include "forcing/series.h"
#include "test.h"

#define PI 3.14159265358979323846

static ria_context *ctx;

/* The value of a series at t, there and after it was copied and flattened behind other data. */
static void at(const ria_series *s, double t, double expected) {
  ria_series *copy;
  ria_forcing entry[2];
  ria_doubles data = {0};
  CHECK_NEAR(ria_series_at(s, t), expected, 1e-12);
  if (!CHECK_OK(ctx, ria_series_copy(ctx, s, &copy))) return;
  CHECK_NEAR(ria_series_at(copy, t), expected, 1e-12);
  CHECK_OK(ctx, ria_doubles_append(ctx, &data, NULL, 5));
  CHECK_OK(ctx, ria_series_flatten(ctx, NULL, &entry[0], &data));
  CHECK_OK(ctx,
           ria_value_flatten(ctx, &(ria_value){.constant = 9, .series = copy}, &entry[1], &data));
  ria_series_destroy(&copy);
  CHECK(copy == NULL);
  ria_forcing_table table = {entry, data.v, 2, (int)data.n};
  CHECK(ria_forcing_at(&table, 0, t) == 0.0);
  CHECK(ria_forcing_at(&table, 1, t) == ria_series_at(s, t)); /* the same bits */
  ria_forcing_piece piece = {0};
  for (int k = 0; k < 60; k++) { /* forwards and backwards, wherever it was last */
    const double when = t + (k * 7 % 60 - 30) * 0.9;
    CHECK(ria_forcing_near(&table, 1, when, &piece) == ria_forcing_at(&table, 1, when));
  }
  ria_doubles_free(&data);
  CHECK(data.v == NULL && data.n == 0);
}

static void span(const ria_series *s, double t0, double t1) {
  double a, b;
  ria_series_span(s, &a, &b);
  CHECK_NEAR(a, t0, 0);
  CHECK_NEAR(b, t1, 0);
}

static ria_series *table(ria_table_desc desc) {
  ria_series *s = NULL;
  CHECK_OK(ctx, ria_series_table(ctx, &desc, &s));
  return s;
}

static void test_constant(void) {
  ria_series *s;
  if (!CHECK_OK(ctx, ria_series_constant(ctx, 3.5, &s))) return;
  at(s, -1e9, 3.5);
  at(s, 1e9, 3.5);
  span(s, -INFINITY, INFINITY);
  ria_series_destroy(&s);
  ria_series_destroy(&s);
  ria_series_destroy(NULL);
  CHECK_FAILS(ctx, ria_series_constant(ctx, NAN, &s), RIA_ERR_ARGUMENT,
              "series: the constant is nan: it must be a finite number");
  CHECK(s == NULL);
}

static const double ts[] = {0, 10, 30, 40}, vs[] = {1, 3, -1, -1};

static void test_linear(void) {
  ria_series *s = table((ria_table_desc){.t = ts, .v = vs, .n = 4, .hold = true});
  if (!s) return;
  at(s, -5, 1);
  at(s, 0, 1);
  at(s, 5, 2);
  at(s, 10, 3);
  at(s, 20, 1);
  at(s, 30, -1);
  at(s, 35, -1);
  at(s, 40, -1);
  at(s, 1e6, -1);
  span(s, -INFINITY, INFINITY);
  ria_series_destroy(&s);
}

static void test_step(void) {
  ria_series *s = table((ria_table_desc){.t = ts, .v = vs, .n = 4, .interp = RIA_STEP});
  if (!s) return;
  at(s, 0, 1);
  at(s, 9.999, 1);
  at(s, 10, 3);
  at(s, 29.999, 3);
  at(s, 30, -1);
  span(s, 0, 40);
  ria_series_destroy(&s);
}

/* offset + scale * value * ramp: the offset does not ramp. */
static void test_scale_and_ramp(void) {
  ria_series *s = table((ria_table_desc){
      .t = ts, .v = vs, .n = 4, .hold = true, .scale = 2, .offset = 100, .ramp = 20});
  if (!s) return;
  at(s, -1, 100);
  at(s, 0, 100);
  at(s, 10, 100 + 2 * 3 * 0.5);
  at(s, 5, 100 + 2 * 2 * 0.5 * (1 - cos(PI / 4)));
  at(s, 20, 102);
  at(s, 30, 98);
  ria_series_destroy(&s);
  s = table((ria_table_desc){.t = ts, .v = vs, .n = 1});
  if (!s) return;
  at(s, 0, 1); /* one row is a series too */
  span(s, 0, 0);
  ria_series_destroy(&s);
}

static void test_many_rows(void) {
  double t[1000], v[1000];
  for (int k = 0; k < 1000; k++) {
    t[k] = 0.5 * k * (k + 1); /* uneven */
    v[k] = sin(k);
  }
  ria_series *s = table((ria_table_desc){.t = t, .v = v, .n = 1000});
  if (!s) return;
  for (int k = 0; k < 999; k++) {
    CHECK_NEAR(ria_series_at(s, t[k]), v[k], 1e-12);
    CHECK_NEAR(ria_series_at(s, 0.75 * t[k] + 0.25 * t[k + 1]), 0.75 * v[k] + 0.25 * v[k + 1],
               1e-9);
  }
  ria_series_destroy(&s);
}

static void bad_table(ria_table_desc desc, const char *message) {
  ria_series *s = (ria_series *)&desc;
  CHECK_FAILS(ctx, ria_series_table(ctx, &desc, &s), RIA_ERR_ARGUMENT, message);
  CHECK(s == NULL);
}

static void test_table_errors(void) {
  static const double same[] = {0, 10, 10}, back[] = {0, 3600, 1800.5}, gap[] = {0, NAN, 2},
                      big[] = {0, 1, INFINITY};
  bad_table((ria_table_desc){.t = ts, .v = vs},
            "series: the table has no rows: at least 1 is needed");
  bad_table((ria_table_desc){.t = same, .v = vs, .n = 3},
            "series: row 3: the time 10 s is not after that of the row before, 10 s");
  bad_table((ria_table_desc){.t = back, .v = vs, .n = 3},
            "series: row 3: the time 1800.5 s is not after that of the row before, 3600 s");
  bad_table((ria_table_desc){.t = ts, .v = gap, .n = 3},
            "series: row 2: the value is nan: it must be a finite number");
  bad_table((ria_table_desc){.t = big, .v = gap, .n = 1, .offset = NAN},
            "series: offset is nan: it must be a finite number");
  bad_table((ria_table_desc){.t = big, .v = vs, .n = 3},
            "series: row 3: the time is inf: it must be a finite number");
  bad_table((ria_table_desc){.t = gap, .v = vs, .n = 2},
            "series: row 2: the time is nan: it must be a finite number");
  bad_table((ria_table_desc){.t = ts, .v = vs, .n = 4, .ramp = -1},
            "series: ramp is -1 s: it must be 0 (none) or longer");
  bad_table((ria_table_desc){.t = ts, .v = vs, .n = 4, .scale = INFINITY},
            "series: scale is inf: it must be a finite number");
  bad_table((ria_table_desc){.t = ts, .v = vs, .n = (size_t)1 << 40},
            "series: 1099511627776 rows are too many: at most 268435456 are allowed");
}

/* --- tides ------------------------------------------------------------------------------------ */

/* Each speed again, as multiples of the rates (deg/h) of mean solar time, the mean longitudes of
 * moon and sun, the moon's perigee, and the sun's. */
static void test_speeds(void) {
  static const double rate[5] = {15.0, 0.54901652195, 0.04106863935, 0.00464183365, 0.00000196125};
  static const struct {
    const char *name;
    signed char n[5];
  } all[] = {{"M2", {2, -2, 2, 0, 0}},   {"S2", {2, 0, 0, 0, 0}},    {"N2", {2, -3, 2, 1, 0}},
             {"K1", {1, 0, 1, 0, 0}},    {"M4", {4, -4, 4, 0, 0}},   {"O1", {1, -2, 1, 0, 0}},
             {"M6", {6, -6, 6, 0, 0}},   {"MK3", {3, -2, 3, 0, 0}},  {"S4", {4, 0, 0, 0, 0}},
             {"MN4", {4, -5, 4, 1, 0}},  {"NU2", {2, -3, 4, -1, 0}}, {"S6", {6, 0, 0, 0, 0}},
             {"MU2", {2, -4, 4, 0, 0}},  {"2N2", {2, -4, 2, 2, 0}},  {"OO1", {1, 2, 1, 0, 0}},
             {"LAM2", {2, -1, 0, 1, 0}}, {"S1", {1, 0, 0, 0, 0}},    {"M1", {1, -1, 1, 1, 0}},
             {"J1", {1, 1, 1, -1, 0}},   {"MM", {0, 1, 0, -1, 0}},   {"SSA", {0, 0, 2, 0, 0}},
             {"SA", {0, 0, 1, 0, 0}},    {"MSF", {0, 2, -2, 0, 0}},  {"MF", {0, 2, 0, 0, 0}},
             {"RHO", {1, -3, 3, -1, 0}}, {"Q1", {1, -3, 1, 1, 0}},   {"T2", {2, 0, -1, 0, 1}},
             {"R2", {2, 0, 1, 0, -1}},   {"2Q1", {1, -4, 1, 2, 0}},  {"P1", {1, 0, -1, 0, 0}},
             {"2SM2", {2, 2, -2, 0, 0}}, {"M3", {3, -3, 3, 0, 0}},   {"L2", {2, -1, 2, -1, 0}},
             {"2MK3", {3, -4, 3, 0, 0}}, {"K2", {2, 0, 2, 0, 0}},    {"M8", {8, -8, 8, 0, 0}},
             {"MS4", {4, -2, 2, 0, 0}},  {"NO1", {1, -1, 1, 1, 0}}};
  size_t n;
  const char *const *names = ria_tide_names(&n);
  CHECK_INT(n, 38);
  CHECK_INT(sizeof all / sizeof *all, 38);
  CHECK(names[n] == NULL);
  for (size_t k = 0; k < n; k++) {
    double speed = 0;
    for (int r = 0; r < 5; r++) speed += all[k].n[r] * rate[r];
    if (!CHECK_NEAR(ria_tide_speed(all[k].name), speed, 2e-7))
      fprintf(stderr, "  of %s\n", all[k].name);
    CHECK_TEXT(names[k], all[k].name);
  }
  CHECK_NEAR(ria_tide_speed("lam2"), 29.4556253, 0);
  CHECK_NEAR(ria_tide_speed("M22"), 0, 0);
  CHECK_NEAR(ria_tide_speed("M"), 0, 0);
  CHECK_NEAR(ria_tide_speed(NULL), 0, 0);
  CHECK(ria_tide_names(NULL) == names);
}

static void test_tide(void) {
  const ria_constituent c[] = {{.name = "m2", .amplitude = 1.12, .phase = 78},
                               {.name = "S2", .amplitude = 0.39, .phase = -107},
                               {.speed = 12.5, .amplitude = 0.1, .phase = 400}};
  const double rad = PI / 180;
  ria_series *s;
  if (!CHECK_OK(ctx,
                ria_series_tide(ctx, &(ria_tide_desc){.constituents = c, .n = 3, .z0 = 0.2}, &s)))
    return;
  for (double h = -10; h < 800; h += 7.3)
    CHECK_NEAR(ria_series_at(s, 3600 * h),
               0.2 + 1.12 * cos((28.9841042 * h - 78) * rad) + 0.39 * cos((30 * h + 107) * rad) +
                   0.1 * cos((12.5 * h - 400) * rad),
               1e-11);
  at(s, 0, 0.2 + 1.12 * cos(78 * rad) + 0.39 * cos(107 * rad) + 0.1 * cos(40 * rad));
  span(s, -INFINITY, INFINITY);
  ria_series_destroy(&s);
  /* z0 does not ramp, the tide does. */
  CHECK_OK(ctx,
           ria_series_tide(
               ctx, &(ria_tide_desc){.constituents = c + 1, .n = 1, .z0 = 5, .ramp = 7200}, &s));
  at(s, 0, 5);
  at(s, 3600, 5 + 0.5 * 0.39 * cos(137 * rad));
  at(s, 7200, 5 + 0.39 * cos(167 * rad));
  ria_series_destroy(&s);
  CHECK_OK(ctx, ria_series_tide(ctx, &(ria_tide_desc){.z0 = 7}, &s)); /* no constituents */
  at(s, 100, 7);
  ria_series_destroy(&s);
}

static void bad_tide(const ria_constituent *c, size_t n, const char *message) {
  ria_series *s = (ria_series *)&n;
  CHECK_FAILS(ctx, ria_series_tide(ctx, &(ria_tide_desc){.constituents = c, .n = n}, &s),
              RIA_ERR_ARGUMENT, message);
  CHECK(s == NULL);
}

static void test_tide_errors(void) {
  ria_constituent c[2] = {{.name = "M2", .amplitude = 1}, {.name = "M22", .amplitude = 1}};
  bad_tide(c, 2, "tide: unknown constituent 'M22': did you mean 'M2'?");
  c[1].name = "xyzzy";
  bad_tide(c, 2,
           "tide: unknown constituent 'xyzzy': there are M2, S2, N2, K1, O1 and 33 more, or give "
           "its speed in deg/h");
  c[1].name = NULL;
  bad_tide(c, 2, "tide: constituent 2 has neither a name nor a speed");
  c[1].speed = -3;
  bad_tide(c, 2, "tide: constituent 2: speed is -3 deg/h: it must be larger than 0");
  c[1].speed = NAN;
  bad_tide(c, 2, "tide: constituent 2: speed is nan deg/h: it must be larger than 0");
  c[1] = (ria_constituent){.name = "m2", .amplitude = 1};
  bad_tide(c, 2, "tide: constituent 'm2' is given twice");
  c[1] = (ria_constituent){.name = "S2", .amplitude = -1};
  bad_tide(c, 2, "tide: constituent 'S2': amplitude is -1 m: it must be 0 or more");
  c[1] = (ria_constituent){.name = "S2", .amplitude = NAN};
  bad_tide(c, 2, "tide: constituent 'S2': amplitude is nan m: it must be 0 or more");
  c[1] = (ria_constituent){.speed = 30, .phase = INFINITY};
  bad_tide(c, 2, "tide: constituent 2: phase is inf deg: it must be a finite number");
  ria_series *s;
  CHECK_FAILS(ctx, ria_series_tide(ctx, &(ria_tide_desc){.z0 = NAN}, &s), RIA_ERR_ARGUMENT,
              "series: z0 is nan: it must be a finite number");
  CHECK_FAILS(ctx, ria_series_tide(ctx, &(ria_tide_desc){.ramp = INFINITY}, &s), RIA_ERR_ARGUMENT,
              "series: ramp is inf s: it must be 0 (none) or longer");
}

/* --- handing over to a run -------------------------------------------------------------------- */

static void test_values(void) {
  ria_doubles data = {0};
  ria_forcing entry;
  CHECK_OK(ctx, ria_value_flatten(ctx, &(ria_value){.constant = -2}, &entry, &data));
  ria_forcing_table flat = {&entry, data.v, 1, 0};
  CHECK(ria_forcing_at(&flat, 0, 12) == -2);
  CHECK_INT(data.n, 0);
  CHECK_FAILS(ctx, ria_value_flatten(ctx, &(ria_value){.constant = NAN}, &entry, &data),
              RIA_ERR_ARGUMENT, "a value is nan: it must be a finite number");
  for (int k = 0; k < 1000; k++) CHECK_OK(ctx, ria_doubles_append(ctx, &data, &(double){k}, 1));
  CHECK_OK(ctx, ria_doubles_append(ctx, &data, NULL, 3));
  CHECK_INT(data.n, 1003);
  CHECK(data.v[0] == 0 && data.v[500] == 500 && data.v[999] == 999 && data.v[1002] == 0);
  CHECK_STATUS(ctx, ria_doubles_append(ctx, &data, NULL, SIZE_MAX / 8), RIA_ERR_MEMORY);
  CHECK_INT(data.n, 1003);
  ria_doubles_free(&data);
}

static void test_spans(void) {
  ria_value v = {.constant = 1};
  CHECK_OK(ctx, ria_value_check_span(ctx, &(ria_start){0}, &v, "level", -1e9, 1e9));
  ria_series *s = table((ria_table_desc){.t = ts, .v = vs, .n = 4});
  v.series = s;
  CHECK_OK(ctx, ria_value_check_span(ctx, &(ria_start){0}, &v, "level", 0, 40));
  CHECK_OK(ctx, ria_value_check_span(ctx, &(ria_start){0}, &v, "level", 0, 40 * (1 + 1e-15)));
  CHECK_FAILS(ctx, ria_value_check_span(ctx, &(ria_start){0}, &v, "level of 'sea'", 0, 3600),
              RIA_ERR_ARGUMENT,
              "level of 'sea': its series has values from 0 s to 40 s, and the run needs them from "
              "0 s to 3600 s: extend it, or let it hold its end values");
  const ria_start dated = {.known = true, .t = 1783980000, .zone = 7200};
  CHECK_FAILS(ctx, ria_value_check_span(ctx, &dated, &v, "level of 'sea'", 0, 3600),
              RIA_ERR_ARGUMENT,
              "level of 'sea': its series has values from 2026-07-14 00:00 to 2026-07-14 00:00:40, "
              "and the run needs them from 2026-07-14 00:00 to 2026-07-14 01:00: extend it, or let "
              "it hold its end values");
  CHECK_STATUS(ctx, ria_value_check_span(ctx, &(ria_start){0}, &v, "level", -1, 20),
               RIA_ERR_ARGUMENT);
  ria_series_destroy(&s);
}

int main(void) {
  if (!CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx)))
    return TEST_END();
  test_constant();
  test_linear();
  test_step();
  test_scale_and_ramp();
  test_many_rows();
  test_table_errors();
  test_speeds();
  test_tide();
  test_tide_errors();
  test_values();
  test_spans();
  ria_context_destroy(&ctx);
  return TEST_END();
}
