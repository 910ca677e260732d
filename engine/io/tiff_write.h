/* io/tiff_write.h - the parts of the writer of GeoTIFF. See raster_tiff.h. */
#ifndef RIA_IO_TIFF_WRITE_H
#define RIA_IO_TIFF_WRITE_H
#include "io/buffer.h"
#include <ria/output.h>

/* The values of a raster as blocks, packed: strips of whole rows from the north, or tiles. */
typedef struct ria_tiff_blocks {
  int bytes; /* of a value; 1: the row of a palette, 0 for no data */
  bool tiled;
  int nx, ny, across, down; /* cells of a block; blocks */
  ria_buffer data;          /* the blocks, one behind the other */
  uint64_t *at, *packed;    /* [down][across] from the start of data; bytes */
} ria_tiff_blocks;

/* False: out of memory. Free it in either case. colours NULL: the values themselves, in so many
 * bytes, 0: in 4 where that loses nothing, else in 8; sorted and as differences, as predictor 3
 * wants them. */
bool ria_tiff_pack(const ria_raster *r, const ria_raster_colours *colours, int bytes,
                   ria_tiff_blocks *b);
void ria_tiff_blocks_free(ria_tiff_blocks *b);

/* The bits of a value in 4 or 8 bytes. */
uint64_t ria_tiff_bits(double v, int bytes);

#endif
