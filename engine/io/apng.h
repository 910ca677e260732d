/* io/apng.h - an animated PNG, written as its frames come.
 *
 * The chunks acTL, fcTL and fdAT of the Portable Network Graphics (PNG) Specification, Third
 * Edition (W3C). The first frame is the picture that other readers show. Later ones hold the
 * rectangle that differs from the frame before, put over it as it is. Two frames are kept, however
 * many come. */
#ifndef RIA_IO_APNG_H
#define RIA_IO_APNG_H
#include <ria/status.h>

typedef struct ria_apng ria_apng;

typedef struct ria_apng_desc {
  int fd; /* to write to; the caller's */
  int width, height;
  uint32_t frames;              /* that will come, 1 or more */
  int delay, per;               /* a frame is shown for delay / per s; each below 65536 */
  const uint8_t (*palette)[3];  /* [colors] all colours there are, or NULL: RGB */
  int colors;                   /* 1 to 256 */
  const char *title, *software; /* text chunks; NULL = none */
} ria_apng_desc;

/* All that comes before the first frame is written. Messages go to err. RIA_ERR_OUTPUT. */
ria_status ria_apng_begin(const ria_apng_desc *desc, ria_apng **out, char *err, size_t errsize);
/* rgb: [height][width][3], the caller's. A colour that is not of the palette is RIA_ERR_ARGUMENT.
 */
ria_status ria_apng_add(ria_apng *a, const uint8_t *rgb, char *err, size_t errsize);
/* The end of the file; RIA_ERR_ARGUMENT where frames are missing. */
ria_status ria_apng_end(ria_apng *a, char *err, size_t errsize);
void ria_apng_free(ria_apng **a); /* NULL is nothing */

#endif
