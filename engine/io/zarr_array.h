/* io/zarr_array.h - what .zarray says of an array of a store. Private to io/zarr_read.c. */
#ifndef RIA_IO_ZARR_ARRAY_H
#define RIA_IO_ZARR_ARRAY_H
#include "io/json_read.h"

typedef struct ria_zarr_array {
  int dims;
  int64_t shape[3], chunk[3];
  char type[8]; /* "<f8" */
  bool packed;  /* zlib */
  double fill;  /* a number that stands for no value; NaN: there is none */
} ria_zarr_array;

/* NULL, or what is wrong with it. A separator that is not named is the dot, as Zarr has it. */
const char *ria_zarr_array_read(ria_json_reader *r, ria_zarr_array *a);

#endif
