/* io/json.h - writing JSON: a buffer, with commas and indentation looked after. Private.
 *
 *   ria_json j = {0};
 *   ria_json_open(&j, NULL, '{');
 *   ria_json_text(&j, "solver", name);
 *   ria_json_close(&j);
 *   if (j.out.failed) ... out of memory
 *   ria_buffer_free(&j.out); */
#ifndef RIA_IO_JSON_H
#define RIA_IO_JSON_H
#include "io/buffer.h"

enum { RIA_JSON_DEPTH = 16 };

typedef struct ria_json {
  ria_buffer out; /* failed: memory is out, the text is not to be used */
  int depth;
  char close[RIA_JSON_DEPTH];
  bool some[RIA_JSON_DEPTH + 1]; /* this level has an element already */
} ria_json;

/* key: NULL inside an array and at the top. bracket: '{' or '['. */
void ria_json_open(ria_json *j, const char *key, char bracket);
void ria_json_close(ria_json *j);
void ria_json_text(ria_json *j, const char *key, const char *value); /* NULL: null */
void ria_json_number(ria_json *j, const char *key, double value);    /* not finite: null */
void ria_json_integer(ria_json *j, const char *key, int64_t value);
void ria_json_bool(ria_json *j, const char *key, bool value);
/* Text that is JSON already. */
void ria_json_raw(ria_json *j, const char *key, const char *json);

#endif
