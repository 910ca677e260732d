/* tests/unit/json_read.c - reading JSON: the whole grammar and nothing beside it. */
#include "io/json_read.h"
#include "test.h"

static bool is_json(const char *text) {
  ria_json_reader r;
  return ria_json_begin(&r, text, strlen(text));
}

static void grammar(void) {
  static const char *const good[] = {"{}",
                                     "[]",
                                     " [ ] \n",
                                     "0",
                                     "-0.5e+10",
                                     "1E3",
                                     "\"\"",
                                     "\"\\u00e9\\n\\\"\"",
                                     "true",
                                     "false",
                                     "null",
                                     "[1, {\"a\": [null]}, \"x\"]",
                                     "{\"a\":1,\"a\":2}",
                                     "\"\\ud83d\\ude00\""};
  static const char *const bad[] = {
      "",          " ",        "{",         "}",          "[1,]",   "[1 2]",
      "{\"a\" 1}", "{\"a\":}", "{a:1}",     "{\"a\":1,}", "01",     "1.",
      ".5",        "+1",       "-",         "1e",         "\"",     "\"\\x\"",
      "\"\\u12\"", "\"\t\"",   "tru",       "truex",      "nan",    "{} {}",
      "[1]]",      "[\"a]",    "{\"a\":1]", "'a'",        "[1,,2]", "{\"a\":1 \"b\":2}"};
  for (size_t k = 0; k < sizeof good / sizeof *good; k++)
    if (!CHECK(is_json(good[k]))) fprintf(stderr, "  %s\n", good[k]);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    if (!CHECK(!is_json(bad[k]))) fprintf(stderr, "  %s\n", bad[k]);
  ria_json_reader r;
  CHECK(!ria_json_begin(&r, "[1]\0", 4)); /* a NUL is no space */
}

static void depth(void) {
  char text[201];
  memset(text, '[', 100);
  memset(text + 100, ']', 100);
  text[200] = '\0';
  CHECK(!is_json(text));
  CHECK(is_json(text + 100 - 60) == false);
  text[160] = '\0';
  CHECK(is_json(text + 40)); /* 60 deep */
}

static void values(void) {
  const char *text = "{\"name\": \"a\\u00e9\\n\", \"list\": [1, -20, {\"deep\": [1]}], \"yes\": "
                     "true, \"x\": {\"y\": 0}}";
  ria_json_reader r;
  char key[8], name[8];
  int64_t a = 0, b = 0;
  bool yes = false;
  CHECK(ria_json_begin(&r, text, strlen(text)));
  CHECK(ria_json_enter(&r, '{'));
  CHECK(ria_json_key(&r, key, sizeof key) && ria_json_get_text(&r, name, sizeof name));
  CHECK_TEXT(key, "name");
  CHECK_TEXT(name, "a\xc3\xa9\n");
  CHECK(ria_json_key(&r, key, sizeof key) && ria_json_enter(&r, '['));
  CHECK(ria_json_element(&r) && ria_json_get_integer(&r, &a));
  CHECK(ria_json_element(&r) && ria_json_get_integer(&r, &b));
  CHECK(a == 1 && b == -20 && ria_json_element(&r));
  ria_json_skip(&r);
  CHECK(!ria_json_element(&r));
  CHECK(ria_json_key(&r, key, sizeof key) && ria_json_get_bool(&r, &yes) && yes);
  CHECK(ria_json_key(&r, key, sizeof key) && !ria_json_enter(&r, '[')); /* passed over */
  CHECK(!ria_json_key(&r, key, sizeof key) && !r.failed);
}

static void other_values(void) {
  static const char *const integers[] = {"1.5", "1e3", "\"1\"", "null", "99999999999999999999"};
  ria_json_reader r;
  int64_t v = 7;
  char text[4];
  for (size_t k = 0; k < sizeof integers / sizeof *integers; k++) {
    CHECK(ria_json_begin(&r, integers[k], strlen(integers[k])));
    CHECK(!ria_json_get_integer(&r, &v) && r.failed && v == 7);
  }
  static const char *const texts[] = {"\"long\"", "\"a\\u0000\"", "1", "\"\\ud83d\\ude00\""};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    CHECK(ria_json_begin(&r, texts[k], strlen(texts[k])));
    CHECK(!ria_json_get_text(&r, text, sizeof text) && r.failed);
  }
  char key[4];
  CHECK(ria_json_begin(&r, "{\"a long key\": 1}", 17) && ria_json_enter(&r, '{'));
  CHECK(ria_json_key(&r, key, sizeof key) && key[0] == '\0'); /* is none that is asked for */
}

int main(void) {
  grammar();
  depth();
  values();
  other_values();
  return TEST_END();
}
