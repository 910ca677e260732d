/* io/tiff_stream.c - the bytes of one block after another, unpacked as they are asked for.
 *
 * Only what is asked for is made, so a strip of the whole image costs no more memory than one of a
 * row. A block may hold more than its cells need; the rest is not looked at. */
#include "io/tiff.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PIECE = 1 << 16 };

struct ria_tiff_stream {
  const ria_tiff_file *file;
  const ria_tiff_image *image;
  int block;
  uint64_t at, left; /* of the block: not yet in buf */
  size_t pos, end;   /* buf[pos, end) is not yet used */
  ria_status failed; /* of reading the file */
  z_stream z;
  bool z_made;
  int literal, repeated; /* PackBits: bytes to copy, or to repeat */
  unsigned char value;
  ria_tiff_lzw lzw;
  unsigned char buf[PIECE];
};

static ria_status damaged(ria_tiff_stream *s, const char *why) {
  if (s->failed != RIA_OK) return s->failed;
  return ria_tiff_fail(s->file, "%s %d is damaged: %s", s->image->tiled ? "tile" : "strip",
                       s->block, why);
}

static ria_status out_of_memory(ria_tiff_stream *s) {
  return ria_fail(s->file->ctx, RIA_ERR_MEMORY, "%s: out of memory while unpacking", s->file->path);
}

/* More packed bytes to an empty buf; false at the end of the block. */
static bool refill(ria_tiff_stream *s) {
  const size_t n = s->left < PIECE ? (size_t)s->left : PIECE;
  s->pos = s->end = 0;
  if (n == 0 || s->failed != RIA_OK) return false;
  s->failed = ria_tiff_bytes(s->file, s->at, s->buf, n, "a block");
  if (s->failed != RIA_OK) return false;
  s->at += n;
  s->left -= n;
  s->end = n;
  return true;
}

int ria_tiff_stream_byte(ria_tiff_stream *s) {
  if (s->pos == s->end && !refill(s)) return -1;
  return s->buf[s->pos++];
}

/* --- each packing ----------------------------------------------------------------------------- */

static ria_status read_plain(ria_tiff_stream *s, unsigned char *to, size_t n) {
  while (n > 0) {
    if (s->pos == s->end && !refill(s)) return damaged(s, "it ends too early");
    const size_t piece = s->end - s->pos < n ? s->end - s->pos : n;
    memcpy(to, s->buf + s->pos, piece);
    s->pos += piece;
    to += piece;
    n -= piece;
  }
  return RIA_OK;
}

static ria_status read_packbits(ria_tiff_stream *s, unsigned char *to, size_t n) {
  for (size_t k = 0; k < n;) {
    if (s->repeated > 0) {
      to[k++] = s->value;
      s->repeated--;
      continue;
    }
    const int byte = ria_tiff_stream_byte(s);
    if (byte < 0) return damaged(s, "it ends too early");
    if (s->literal > 0) {
      to[k++] = (unsigned char)byte;
      s->literal--;
    } else if (byte < 128) {
      s->literal = byte + 1;
    } else if (byte > 128) { /* 128 says nothing */
      const int value = ria_tiff_stream_byte(s);
      if (value < 0) return damaged(s, "it ends too early");
      s->repeated = 257 - byte;
      s->value = (unsigned char)value;
    }
  }
  return RIA_OK;
}

static ria_status read_deflate(ria_tiff_stream *s, unsigned char *to, size_t n) {
  for (size_t k = 0; k < n;) {
    const size_t want = n - k < PIECE ? n - k : PIECE;
    if (s->pos == s->end) (void)refill(s);
    s->z.next_in = s->buf + s->pos;
    s->z.avail_in = (uInt)(s->end - s->pos);
    s->z.next_out = to + k;
    s->z.avail_out = (uInt)want;
    const int code = inflate(&s->z, Z_NO_FLUSH);
    s->pos = s->end - s->z.avail_in;
    k += want - s->z.avail_out;
    if (code == Z_MEM_ERROR) return out_of_memory(s);
    if (code == Z_BUF_ERROR || (code == Z_STREAM_END && k < n))
      return damaged(s, "it ends too early");
    if (code != Z_OK && code != Z_STREAM_END)
      return damaged(s, s->z.msg ? s->z.msg : "no deflate stream");
  }
  return RIA_OK;
}

/* --- blocks ----------------------------------------------------------------------------------- */

ria_status ria_tiff_stream_make(const ria_tiff_file *f, const ria_tiff_image *image,
                                ria_tiff_stream **out) {
  ria_tiff_stream *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s) return ria_fail(f->ctx, RIA_ERR_MEMORY, "%s: out of memory", f->path);
  s->file = f;
  s->image = image;
  if (image->packing == RIA_TIFF_DEFLATE) {
    if (inflateInit(&s->z) != Z_OK) {
      const ria_status failed = out_of_memory(s);
      free(s);
      return failed;
    }
    s->z_made = true;
  }
  *out = s;
  return RIA_OK;
}

void ria_tiff_stream_free(ria_tiff_stream **s) {
  if (!*s) return;
  if ((*s)->z_made) inflateEnd(&(*s)->z);
  free(*s);
  *s = NULL;
}

/* Before 1988 codes had their last bit first: the first code, 256, then reads as 0 and an odd byte.
 */
static ria_status begin_lzw(ria_tiff_stream *s) {
  ria_tiff_lzw_begin(&s->lzw);
  if (!refill(s)) return damaged(s, "it ends too early");
  if (s->end < 2 || s->buf[0] != 0 || !(s->buf[1] & 1)) return RIA_OK;
  return ria_tiff_refuse(s->file, "gdal_translate -co COMPRESS=DEFLATE",
                         "packed by LZW of the kind before TIFF 5");
}

ria_status ria_tiff_stream_begin(ria_tiff_stream *s, int block) {
  s->block = block;
  s->at = s->image->at[block];
  s->left = s->image->packed[block];
  s->pos = s->end = 0;
  s->literal = s->repeated = 0;
  if (s->image->packing == RIA_TIFF_LZW) return begin_lzw(s);
  if (s->z_made && inflateReset(&s->z) != Z_OK) return out_of_memory(s);
  return RIA_OK;
}

ria_status ria_tiff_stream_read(ria_tiff_stream *s, unsigned char *to, size_t n) {
  const char *why;
  switch (s->image->packing) {
  case RIA_TIFF_DEFLATE:
    return read_deflate(s, to, n);
  case RIA_TIFF_PACKBITS:
    return read_packbits(s, to, n);
  case RIA_TIFF_LZW:
    why = ria_tiff_lzw_read(&s->lzw, s, to, n);
    return why ? damaged(s, why) : RIA_OK;
  default:
    return read_plain(s, to, n);
  }
}
