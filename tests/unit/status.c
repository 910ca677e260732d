/* The message of a context, status names, the log, the nearest name. */
#include "base/context.h"
#include "base/text.h"
#include "test.h"

#include <stdlib.h>

static void test_names(void) {
  static const char *const expected[] = {"ok",     "argument", "memory",
                                         "input",  "output",   "numerical",
                                         "device", "callback", "interrupted"};
  for (int s = RIA_OK; s <= RIA_INTERRUPTED; s++)
    CHECK_TEXT(ria_status_name((ria_status)s), expected[s]);
  CHECK_TEXT(ria_status_name((ria_status)99), "unknown");
  int major, minor, patch;
  CHECK_INT(sscanf(ria_version(), "%d.%d.%d", &major, &minor, &patch), 3);
}

static void test_messages(ria_context *ctx) {
  CHECK_TEXT(ria_error(ctx), "");
  CHECK_FAILS(ctx, ria_fail(ctx, RIA_ERR_INPUT, "line %d: %s", 7, "no"), RIA_ERR_INPUT,
              "line 7: no");
  CHECK_FAILS(ctx, ria_fail_more(ctx, RIA_ERR_INPUT, "file '%s'", "a.asc"), RIA_ERR_INPUT,
              "file 'a.asc': line 7: no");
  ria_fail(ctx, RIA_ERR_INPUT, "again: %s", ria_error(ctx)); /* an argument is what it replaces */
  CHECK_TEXT(ria_error(ctx), "again: file 'a.asc': line 7: no");
  ria_error_clear(ctx);
  CHECK_TEXT(ria_error(ctx), "");
  ria_fail_more(ctx, RIA_ERR_INPUT, "outer"); /* of nothing: no colon */
  CHECK_TEXT(ria_error(ctx), "outer");
  CHECK_FAILS(ctx, ria_fail_memory(ctx, "a field", 1500000000), RIA_ERR_MEMORY,
              "out of memory: a field needs 1.5 GB");
}

static void test_long_messages(ria_context *ctx) {
  char word[3000];
  memset(word, 'x', sizeof word);
  word[sizeof word - 1] = '\0';
  ria_fail(ctx, RIA_ERR_INPUT, "%s", word);
  CHECK_INT(strlen(ria_error(ctx)), RIA_ERROR_MAX - 1);
  CHECK_TEXT(ria_error(ctx) + RIA_ERROR_MAX - 5, "x...");
  ria_fail_more(ctx, RIA_ERR_INPUT, "more");
  CHECK_INT(strlen(ria_error(ctx)), RIA_ERROR_MAX - 1);
  CHECK(strncmp(ria_error(ctx), "more: xxx", 9) == 0);
  /* Two-byte letters are not cut in half, whichever byte the cut falls on. */
  for (int shift = 0; shift < 2; shift++) {
    for (int k = 0; k < 1400; k++) memcpy(word + 2 * k, "\xC3\xA9", 3);
    ria_fail(ctx, RIA_ERR_INPUT, "%s%s", shift ? "a" : "", word);
    size_t n = strlen(ria_error(ctx));
    CHECK_TEXT(ria_error(ctx) + n - 3, "...");
    CHECK((unsigned char)ria_error(ctx)[n - 4] == 0xA9);
  }
}

/* No context: the status passes through and nothing is touched. */
static void test_without_context(void) {
  CHECK_STATUS(NULL, ria_fail(NULL, RIA_ERR_OUTPUT, "x"), RIA_ERR_OUTPUT);
  CHECK_STATUS(NULL, ria_fail_more(NULL, RIA_ERR_OUTPUT, "x"), RIA_ERR_OUTPUT);
  CHECK_STATUS(NULL, ria_fail_memory(NULL, "x", 1), RIA_ERR_MEMORY);
  CHECK_TEXT(ria_error(NULL), "");
  ria_error_clear(NULL);
  ria_log(NULL, "x");
}

static void keep_line(void *user, const char *line) { snprintf(user, 64, "%s", line); }

static void test_log(void) {
  char line[64] = "";
  ria_context *ctx;
  CHECK_OK(NULL,
           ria_context_create(
               &(ria_context_desc){.device = "cpu", .log = keep_line, .log_user = line}, &ctx));
  ria_log(ctx, "step %d of %s", 3, "seven");
  CHECK_TEXT(line, "step 3 of seven");
  ria_context_destroy(&ctx);
}

static void test_nearest(void) {
  static const char *const names[] = {"manning", "cfl", NULL, "dry", "dt_max", "kg", "m", "h"};
  const size_t n = sizeof names / sizeof *names;
  CHECK_TEXT(ria_nearest("manninh", names, n), "manning");
  CHECK_TEXT(ria_nearest("MANING", names, n), "manning");
  CHECK_TEXT(ria_nearest("mnanign", names, n), "manning"); /* two swaps */
  CHECK_TEXT(ria_nearest("clf", names, n), "cfl");         /* one swap, in a short word */
  CHECK_TEXT(ria_nearest("kgs", names, n), "kg");
  CHECK_TEXT(ria_nearest("gk", names, n), "kg"); /* one letter may be wrong in the shortest words */
  CHECK_TEXT(ria_nearest("CFL", names, n), "cfl");
  CHECK_TEXT(ria_nearest("dtmax", names, n), "dt_max");
  CHECK_TEXT(ria_nearest("wind", names, n), NULL);
  CHECK_TEXT(ria_nearest("mxxxing", names, n), NULL); /* three wrong of seven */
  CHECK_TEXT(ria_nearest("x", names, n), NULL);       /* nothing of the word would be left */
  CHECK_TEXT(ria_nearest("M", names, n), "m");
  CHECK_TEXT(ria_nearest("", names, n), NULL);
  CHECK_TEXT(ria_nearest("cfl", NULL, 0), NULL);
  CHECK_TEXT(ria_nearest(NULL, names, n), NULL);
  char longest[200];
  memset(longest, 'm', sizeof longest);
  longest[sizeof longest - 1] = '\0';
  CHECK_TEXT(ria_nearest(longest, names, n), NULL);
  longest[63] = '\0'; /* the longest that is compared */
  CHECK_TEXT(ria_nearest(longest, (const char *const[]){longest + 1}, 1), longest + 1);
}

int main(void) {
  ria_context *ctx;
  if (!CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx)))
    return TEST_END();
  test_names();
  test_messages(ctx);
  test_long_messages(ctx);
  test_without_context();
  test_log();
  test_nearest();
  ria_context_destroy(&ctx);
  return TEST_END();
}
