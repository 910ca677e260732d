/* io/text_file.c - plain or gzip text through zlib's gzFile, which reads both. */
#include "io/text_file.h"
#include "io/access.h"
#include "io/buffer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

struct ria_text {
  gzFile file;
  char *path;
  double bound;
};

enum { ZLIB_BUFFER = 1 << 17, MOST_PER_READ = 1 << 30 };

/* The size is wanted for the bound; a pipe has none. */
static double size_bound(int fd) {
  struct stat st;
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return 1e300;
  return 1100.0 * (double)st.st_size;
}

ria_status ria_text_open(ria_context *ctx, const char *path, ria_text **out) {
  *out = NULL;
  ria_text *text = calloc(1, sizeof *text);
  char *copy = strdup(path);
  if (!text || !copy) {
    free(text);
    free(copy);
    return ria_fail(ctx, RIA_ERR_MEMORY, "%s: out of memory while opening it", path);
  }
  text->path = copy;
  int fd = -1;
  ria_status s = ria_read_must(ctx, path, 0, &fd);
  text->file = s == RIA_OK ? gzdopen(fd, "rb") : NULL;
  if (s == RIA_OK && !text->file) {
    s = ria_fail(ctx, RIA_ERR_MEMORY, "cannot open %s: out of memory", path);
    close(fd);
  }
  if (s != RIA_OK) {
    ria_text_close(&text);
    return s;
  }
  gzbuffer(text->file, ZLIB_BUFFER);
  text->bound = size_bound(fd);
  *out = text;
  return RIA_OK;
}

static ria_status read_failed(ria_context *ctx, const ria_text *text, int code, const char *why) {
  if (code == Z_ERRNO)
    return ria_fail(ctx, RIA_ERR_INPUT, "cannot read %s: %s", text->path, strerror(errno));
  if (code == Z_BUF_ERROR)
    return ria_fail(ctx, RIA_ERR_INPUT, "%s: the gzip file is cut short", text->path);
  if (code == Z_MEM_ERROR)
    return ria_fail(ctx, RIA_ERR_MEMORY, "%s: out of memory while unpacking", text->path);
  const char *colon = strstr(why, ": "); /* zlib's texts begin with the number of the file */
  return ria_fail(ctx, RIA_ERR_INPUT, "%s: the gzip file is damaged (%s)", text->path,
                  colon ? colon + 2 : why);
}

ria_status ria_text_read(ria_context *ctx, ria_text *text, char *dst, size_t n, size_t *got) {
  *got = 0;
  while (*got < n) {
    size_t want = n - *got < MOST_PER_READ ? n - *got : MOST_PER_READ;
    int r = gzread(text->file, dst + *got, (unsigned)want);
    int code;
    const char *why = gzerror(text->file, &code);
    if (r < 0 || code == Z_BUF_ERROR) return read_failed(ctx, text, code, why);
    if (r == 0) break;
    *got += (size_t)r;
  }
  return RIA_OK;
}

double ria_text_bound(const ria_text *text) {
  return gzdirect(text->file) ? text->bound / 1100.0 : text->bound;
}

void ria_text_close(ria_text **text) {
  if (!*text) return;
  if ((*text)->file) gzclose_r((*text)->file);
  free((*text)->path);
  free(*text);
  *text = NULL;
}

static ria_status slurp_open(ria_context *ctx, ria_text *file, size_t most, ria_buffer *b) {
  const size_t piece = 1 << 16;
  for (size_t got = piece; got == piece; b->n += got) {
    char *end = ria_buffer_reserve(b, piece + 1);
    if (!end)
      return ria_fail(ctx, RIA_ERR_MEMORY, "%s: out of memory (%zu bytes)", file->path,
                      b->n + piece);
    RIA_TRY(ria_text_read(ctx, file, end, piece, &got));
    if (b->n + got > most)
      return ria_fail(ctx, RIA_ERR_INPUT, "%s: longer than the %zu bytes allowed", file->path,
                      most);
  }
  b->data[b->n] = '\0';
  return RIA_OK;
}

ria_status ria_text_slurp(ria_context *ctx, const char *path, size_t most, char **text, size_t *n) {
  ria_text *file;
  ria_buffer b = {0};
  *text = NULL;
  *n = 0;
  RIA_TRY(ria_text_open(ctx, path, &file));
  ria_status s = slurp_open(ctx, file, most, &b);
  ria_text_close(&file);
  if (s != RIA_OK) {
    ria_buffer_free(&b);
    return s;
  }
  *text = b.data;
  *n = b.n;
  return RIA_OK;
}

ria_token_text ria_text_quote(const char *s, size_t n) {
  ria_token_text q;
  size_t k = n < 40 ? n : 40;
  for (size_t i = 0; i < k; i++) q.s[i] = s[i] >= ' ' && s[i] <= '~' ? s[i] : '?';
  snprintf(q.s + k, sizeof q.s - k, "%s", k < n ? "..." : "");
  return q;
}
