/* io/zarr_meta.h - the JSON of a Zarr v2 store, as a list of small documents. Private to zarr.c. */
#ifndef RIA_IO_ZARR_META_H
#define RIA_IO_ZARR_META_H
#include "io/buffer.h"
#include "io/zarr.h"

enum { ZARR_TIMES = 1024 }; /* times in a chunk of the time coordinate */

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ZARR_ENDIAN ">"
#else
#define ZARR_ENDIAN "<"
#endif

/* What the documents are made from: a description with its defaults filled in. */
typedef struct zarr_layout {
  ria_zarr_desc desc;
  int tile_x, tile_y; /* cells of a chunk */
  bool timed;         /* has a time coordinate: some field is not fixed */
} zarr_layout;

/* Document k of the store when it shows n frames. key ("level/.zarray") and json receive it, both
 * emptied first; *grows says whether it depends on n. False past the last. */
bool ria_zarr_meta_document(const zarr_layout *layout, size_t k, int64_t n, ria_buffer *key,
                            ria_buffer *json, bool *grows);

#endif
