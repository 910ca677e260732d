/* tests/test.h - the checks that the test programs are written with.
 *
 * A test is a plain C program, silent when all is right. Checks that fail print their place and
 * the values, and the program goes on; TEST_END() ends main with the verdict.
 *
 *   int main(void) {
 *     CHECK(1 + 1 == 2);
 *     CHECK_NEAR(sqrt(2.0), 1.4142, 1e-4);
 *     CHECK_STATUS(ctx, ria_series_tide(ctx, &desc, &s), RIA_ERR_ARGUMENT);
 *     CHECK_TEXT(ria_error(ctx), "tide: unknown constituent 'M22': did you mean 'M2'?");
 *     return TEST_END();
 *   }
 *
 * Every check is also an expression: true when it held. */
#ifndef RIA_TEST_H
#define RIA_TEST_H
#include <ria/status.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static int test_failures; /* of this program: a test is one file, one process */

#define TEST_END() (test_failures != 0)

/* The condition holds. */
#define CHECK(condition) test_true(__FILE__, __LINE__, #condition, (condition))
/* A call returns RIA_OK. */
#define CHECK_OK(ctx, call) test_status(__FILE__, __LINE__, #call, (ctx), (call), RIA_OK)
/* A call returns the status that is expected. */
#define CHECK_STATUS(ctx, call, expected)                                                          \
  test_status(__FILE__, __LINE__, #call, (ctx), (call), (expected))
/* Two integers are equal. */
#define CHECK_INT(got, expected)                                                                   \
  test_int(__FILE__, __LINE__, #got, (long long)(got), (long long)(expected))
/* |got - expected| <= tolerance; NaN is near NaN alone, an infinity near itself. */
#define CHECK_NEAR(got, expected, tolerance)                                                       \
  test_near(__FILE__, __LINE__, #got, (got), (expected), (tolerance))
/* Two texts are equal; NULL equals NULL alone. */
#define CHECK_TEXT(got, expected) test_text(__FILE__, __LINE__, #got, (got), (expected), false)
/* A text holds another. */
#define CHECK_HOLDS(got, part) test_text(__FILE__, __LINE__, #got, (got), (part), true)
/* A call fails with a status and exactly this message. */
#define CHECK_FAILS(ctx, call, expected, message)                                                  \
  test_fails(__FILE__, __LINE__, #call, (ctx), (call), (expected), (message))

#define TEST_UNUSED __attribute__((unused))

TEST_UNUSED static bool test_failed(const char *file, int line) {
  test_failures++;
  fprintf(stderr, "%s:%d: ", file, line);
  return false;
}

TEST_UNUSED static bool test_true(const char *file, int line, const char *what, bool holds) {
  if (holds) return true;
  test_failed(file, line);
  fprintf(stderr, "not true: %s\n", what);
  return false;
}

TEST_UNUSED static bool test_status(const char *file, int line, const char *what,
                                    const ria_context *ctx, ria_status got, ria_status expected) {
  if (got == expected) return true;
  test_failed(file, line);
  fprintf(stderr, "%s\n  got      %s", what, ria_status_name(got));
  if (got != RIA_OK && ctx) fprintf(stderr, " (%s)", ria_error(ctx));
  fprintf(stderr, "\n  expected %s\n", ria_status_name(expected));
  return false;
}

TEST_UNUSED static bool test_int(const char *file, int line, const char *what, long long got,
                                 long long expected) {
  if (got == expected) return true;
  test_failed(file, line);
  fprintf(stderr, "%s\n  got      %lld\n  expected %lld\n", what, got, expected);
  return false;
}

TEST_UNUSED static bool test_near(const char *file, int line, const char *what, double got,
                                  double expected, double tolerance) {
  if (got == expected || fabs(got - expected) <= tolerance) return true;
  if (isnan(got) && isnan(expected)) return true;
  test_failed(file, line);
  fprintf(stderr, "%s\n  got      %.17g\n  expected %.17g (within %g, off by %g)\n", what, got,
          expected, tolerance, got - expected);
  return false;
}

TEST_UNUSED static bool test_text(const char *file, int line, const char *what, const char *got,
                                  const char *expected, bool part) {
  if (got == expected) return true;
  if (got && expected && (part ? strstr(got, expected) != NULL : strcmp(got, expected) == 0))
    return true;
  test_failed(file, line);
  fprintf(stderr, "%s\n  got      %s\n  %s %s\n", what, got ? got : "NULL",
          part ? "to hold " : "expected", expected ? expected : "NULL");
  return false;
}

TEST_UNUSED static bool test_fails(const char *file, int line, const char *what,
                                   const ria_context *ctx, ria_status got, ria_status expected,
                                   const char *message) {
  return test_status(file, line, what, ctx, got, expected) &&
         test_text(file, line, what, ria_error(ctx), message, false);
}

#endif
