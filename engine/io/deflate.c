/* io/deflate.c - one zlib stream from memory to memory. See deflate.h. */
#include "io/deflate.h"

#ifdef RIA_HAVE_LIBDEFLATE
#include <libdeflate.h>

size_t ria_deflate_bound(size_t size) { return libdeflate_zlib_compress_bound(NULL, size); }

bool ria_deflate(const void *from, size_t size, int level, void *to, size_t *packed) {
  struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);
  if (!c) return false;
  *packed = libdeflate_zlib_compress(c, from, size, to, *packed);
  libdeflate_free_compressor(c);
  return *packed > 0; /* 0: no room, which the bound excludes */
}

#else
#include <zlib.h>

size_t ria_deflate_bound(size_t size) { return compressBound((uLong)size); }

bool ria_deflate(const void *from, size_t size, int level, void *to, size_t *packed) {
  uLongf used = (uLongf)*packed;
  const int code = compress2(to, &used, from, (uLong)size, level);
  *packed = (size_t)used;
  return code == Z_OK; /* no room is excluded by the bound */
}

#endif
