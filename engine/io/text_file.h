/* io/text_file.h - text files to read, plain or gzip, whole or as a stream of bytes.
 *
 * zlib tells a gzip file by its first bytes, so a name need not end in .gz to be one. A file that
 * cannot be opened, cannot be read or ends in the middle of a gzip stream is RIA_ERR_INPUT. */
#ifndef RIA_IO_TEXT_FILE_H
#define RIA_IO_TEXT_FILE_H
#include <ria/status.h>

typedef struct ria_text ria_text;

ria_status ria_text_open(ria_context *ctx, const char *path, ria_text **out);
/* Up to n more bytes to dst; *got < n only at the end of the file. */
ria_status ria_text_read(ria_context *ctx, ria_text *text, char *dst, size_t n, size_t *got);
/* More bytes than this cannot come out of the file (deflate packs at most 1032 to 1). */
double ria_text_bound(const ria_text *text);
void ria_text_close(ria_text **text);

/* The whole file, malloc'ed, with a NUL behind its last byte. RIA_ERR_INPUT when it is longer than
 * `most` bytes. */
ria_status ria_text_slurp(ria_context *ctx, const char *path, size_t most, char **text, size_t *n);

/* A token as it may appear in a message: cut to 40 characters, what is not printable as '?'. */
typedef struct ria_token_text {
  char s[48];
} ria_token_text;
ria_token_text ria_text_quote(const char *s, size_t n);

#endif
