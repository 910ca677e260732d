/* io/buffer.h - bytes that grow: text and files put together in memory.
 *
 * Zero-initialised it is empty. Adding never fails on the spot: when memory runs out the buffer
 * remembers (`failed`), adds nothing more, and the one check comes at the end. */
#ifndef RIA_IO_BUFFER_H
#define RIA_IO_BUFFER_H
#include <ria/status.h>

typedef struct ria_buffer {
  char *data;
  size_t n, room;
  bool failed;
} ria_buffer;

/* Room for n more bytes behind the end; NULL when memory is out. n counts only once added. */
char *ria_buffer_reserve(ria_buffer *b, size_t n);
void ria_buffer_add(ria_buffer *b, const void *data, size_t n);
void ria_buffer_text(ria_buffer *b, const char *text);
/* As printf, with a decimal point whatever the locale; at most 512 bytes. */
void ria_buffer_format(ria_buffer *b, const char *fmt, ...) RIA_PRINTF(2, 3);
/* text as a JSON string with its quotes; bytes that are not UTF-8 become '?'. */
void ria_buffer_json(ria_buffer *b, const char *text);
void ria_buffer_free(ria_buffer *b);

#endif
