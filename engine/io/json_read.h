/* io/json_read.h - reading JSON, strictly: what we wrote ourselves, and GeoJSON. Private.
 *
 *   ria_json_reader r;
 *   if (!ria_json_begin(&r, text, n)) ... not JSON
 *   if (ria_json_enter(&r, '{'))
 *     while (ria_json_key(&r, key, sizeof key))
 *       if (strcmp(key, "count") == 0) ria_json_get_integer(&r, &count);
 *       else ria_json_skip(&r);
 *   if (r.failed) ... unexpected content
 *
 * ria_json_begin looks at the whole text, so that nothing is taken from half a file; what comes
 * after fails only where the text holds something else than was asked for. Nothing is allocated. */
#ifndef RIA_IO_JSON_READ_H
#define RIA_IO_JSON_READ_H
#include <ria/status.h>

typedef struct ria_json_reader {
  const char *at, *end;
  bool first;        /* nothing was read yet in the object or array that was entered last */
  bool failed;       /* stays so: from then on nothing is found */
  const char *where; /* in the text: what could not be read; NULL until it has failed */
} ria_json_reader;

/* Is the text one JSON value, and nothing else? The reader then stands before it. */
bool ria_json_begin(ria_json_reader *r, const char *text, size_t n);
/* Is the value an object '{', an array '['? Then the reader stands before its first element;
 * otherwise the value is passed over. */
bool ria_json_enter(ria_json_reader *r, char bracket);
/* The next key of the object that was entered; false at its end, which is passed. A key that is
 * longer than fits is returned as "". */
bool ria_json_key(ria_json_reader *r, char *key, size_t room);
/* Is there another element in the array that was entered? False at its end, which is passed. */
bool ria_json_element(ria_json_reader *r);
/* The value, which must be one of these: else failed is set. A text must fit with its NUL and hold
 * no NUL of its own. */
bool ria_json_get_text(ria_json_reader *r, char *text, size_t room);
bool ria_json_get_integer(ria_json_reader *r, int64_t *value);
/* Any number that is finite as a double. */
bool ria_json_get_number(ria_json_reader *r, double *value);
bool ria_json_get_bool(ria_json_reader *r, bool *value);
/* The first character of the value: { [ " t f n, else that of a number; NUL at the end. */
char ria_json_peek(ria_json_reader *r);
/* Any value. */
void ria_json_skip(ria_json_reader *r);

#endif
