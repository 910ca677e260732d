/* io/deflate.h - bytes into a zlib stream, by libdeflate where ria was built with it, by zlib else.
 *
 * The streams are of one format; any zlib reads both. libdeflate packs a chunk of rounded floats in
 * less than half of zlib's time, which is what keeps saving off the steps' back. */
#ifndef RIA_IO_DEFLATE_H
#define RIA_IO_DEFLATE_H
#include <stdbool.h>
#include <stddef.h>

/* Most bytes that `size` bytes can become. */
size_t ria_deflate_bound(size_t size);
/* Pack into `to` with *packed bytes of room, at a level of zlib's (1 to 9); *packed is then what
 * was used. False only when memory ran out. Thread-safe. */
bool ria_deflate(const void *from, size_t size, int level, void *to, size_t *packed);

#endif
