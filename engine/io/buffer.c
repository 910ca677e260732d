/* io/buffer.c - bytes that grow by half each time they run out of room. */
#include "io/buffer.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 512 };

char *ria_buffer_reserve(ria_buffer *b, size_t n) {
  if (b->failed) return NULL;
  if (n <= b->room - b->n) return b->data + b->n;
  size_t room = b->room + b->room / 2 + n + 64;
  char *data = room > b->room ? realloc(b->data, room) : NULL;
  if (!data) {
    b->failed = true;
    return NULL;
  }
  b->data = data;
  b->room = room;
  return data + b->n;
}

void ria_buffer_add(ria_buffer *b, const void *data, size_t n) {
  char *end = ria_buffer_reserve(b, n);
  if (!end || n == 0) return;
  memcpy(end, data, n);
  b->n += n;
}

void ria_buffer_text(ria_buffer *b, const char *text) { ria_buffer_add(b, text, strlen(text)); }

void ria_buffer_format(ria_buffer *b, const char *fmt, ...) {
  char line[LINE_MAX_BYTES + 1];
  va_list args;
  va_start(args, fmt);
  ria_vformat(line, sizeof line, fmt, args);
  va_end(args);
  ria_buffer_text(b, line);
}

void ria_buffer_free(ria_buffer *b) {
  free(b->data);
  *b = (ria_buffer){0};
}

/* --- JSON --------------------------------------------------------------------------------- */

/* Bytes of the UTF-8 sequence at s, 0 if it is not one. */
static size_t utf8_length(const unsigned char *s) {
  size_t n = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
  if (s[0] > 0xF4) return 0;
  for (size_t k = 1; k < n; k++)
    if ((s[k] & 0xC0) != 0x80) return 0;
  if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F)) return 0;
  if ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F)) return 0;
  return n;
}

void ria_buffer_json(ria_buffer *b, const char *text) {
  ria_buffer_add(b, "\"", 1);
  for (const unsigned char *s = (const unsigned char *)text; *s;) {
    size_t n = utf8_length(s);
    if (*s == '"' || *s == '\\')
      ria_buffer_format(b, "\\%c", *s);
    else if (*s == '\n')
      ria_buffer_text(b, "\\n");
    else if (*s < 0x20 || *s == 0x7F)
      ria_buffer_format(b, "\\u%04x", (unsigned)*s);
    else if (n == 0)
      ria_buffer_text(b, "?");
    else
      ria_buffer_add(b, s, n);
    s += n ? n : 1;
  }
  ria_buffer_add(b, "\"", 1);
}
