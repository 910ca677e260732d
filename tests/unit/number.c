/* Decimal text to double: against strtod (in the C locale) bit by bit, and what is no number. */
#include "io/number.h"
#include "files.h"

static void check_same(const char *text) {
  double got = NAN, expected = strtod(text, NULL);
  if (!CHECK(ria_number_parse(text, strlen(text), &got)) ||
      !CHECK(memcmp(&got, &expected, sizeof got) == 0))
    fprintf(stderr, "  '%s' gave %.17g\n", text, got);
}

static void check_refused(const char *text) {
  double v = 42.0;
  if (!CHECK(!ria_number_parse(text, strlen(text), &v)) || !CHECK(v == 42.0))
    fprintf(stderr, "  '%s' gave %.17g\n", text, v);
}

static void hand_picked(void) {
  static const char *const good[] = {
      "0",
      "-0",
      "+1",
      "1.",
      ".5",
      "-.5e1",
      "007",
      "1e22",
      "1e23",
      "1e-22",
      "1e-23",
      "123456789e-9",
      "9007199254740993",
      "9007199254740992.5",
      "9007199254740993e3",
      "18446744073709551615",
      "99999999999999999999",
      "0.1",
      "0.30000000000000004",
      "1.7976931348623157e308",
      "1e309",
      "-1e400",
      "2.2250738585072014e-308",
      "2.2250738585072011e-308",
      "4.9e-324",
      "2.4e-324",
      "1e-999999999",
      "1e99999999999",
      "0e99999999999",
      "5708990770823839207320493820740630171355185151999e-3",
      "0.000000000000000000000000000000000000000000012345678901234567890123456789",
      "10000000000000000000000000000000000000000000000000000000000000000000000000000000",
      "1.00000000000000011102230246251565404236316680908203125",
      "1.00000000000000011102230246251565404236316680908203124",
      "1.00000000000000011102230246251565404236316680908203126"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) check_same(good[i]);
  double v = 0.0;
  CHECK(ria_number_parse("NaN", 3, &v) && isnan(v));
  CHECK(ria_number_parse("-nan", 4, &v) && isnan(v));
  CHECK(ria_number_parse("INF", 3, &v) && v == INFINITY);
  CHECK(ria_number_parse("-Infinity", 9, &v) && v == -INFINITY);
  CHECK(ria_number_parse("12345", 2, &v) && v == 12.0);
}

static void refusals(void) {
  static const char *const bad[] = {
      "",   "-",   "+",  ".",    "e5", "1e", "1e+",  "1.2.3", "1,5",   "0x1",  "1d0", " 1",
      "1 ", "--1", "1-", "nano", "in", "na", "1e5x", "1e.5",  "1_000", "1.5f", "#",   "infinit"};
  char longest[RIA_NUMBER_MAX + 2];
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) check_refused(bad[i]);
  memset(longest, '1', sizeof longest);
  longest[sizeof longest - 1] = '\0';
  check_refused(longest);
  check_same(longest + 1);
}

/* Random doubles printed with 1 to 19 digits, and random digits with random exponents. */
static void random_numbers(void) {
  uint64_t state = 1;
  char text[64];
  for (int k = 0; k < 200000; k++) {
    uint64_t bits = (uint64_t)files_random(&state) << 33 ^ (uint64_t)files_random(&state) << 11 ^
                    files_random(&state);
    double v;
    memcpy(&v, &bits, sizeof v);
    if (!isfinite(v)) continue;
    snprintf(text, sizeof text, "%.*e", (int)(files_random(&state) % 19), v);
    check_same(text);
    snprintf(text, sizeof text, "%llu.%ue%d",
             (unsigned long long)(bits >> files_random(&state) % 64), files_random(&state),
             (int)(files_random(&state) % 60) - 40);
    check_same(text);
    int n = ria_number_format(v, text);
    CHECK_INT(n, strlen(text));
    CHECK(strtod(text, NULL) == v);
    if (test_failures > 10) return;
  }
}

int main(void) {
  hand_picked();
  refusals();
  random_numbers();
  return TEST_END();
}
