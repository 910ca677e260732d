/* io/zarr_store.h - what the parts of a store that is read back share: zarr_read.c opens it and
 * reads values, zarr_about.c tells what it has. Private to them. */
#ifndef RIA_IO_ZARR_STORE_H
#define RIA_IO_ZARR_STORE_H
#include "io/zarr_array.h"
#include "io/zarr_read.h"

enum { RIA_STORE_NAME = 256 };

typedef struct ria_stored_field {
  char name[RIA_STORE_NAME];
  ria_zarr_array array;
} ria_stored_field;

struct ria_store {
  char *path;
  ria_grid grid;
  double *time; /* [n_times] */
  size_t n_times;
  bool dated;
  ria_stored_field *field; /* [n] those with frames, and those that stay */
  size_t n, room;
};

/* The text of path/<name>/<file>, malloc'ed; *text NULL: it is not there. */
ria_status ria_store_slurp(ria_context *ctx, const ria_store *s, const char *name, const char *file,
                           char **text, size_t *n);
const ria_stored_field *ria_store_find(const ria_store *s, const char *name); /* NULL: none */

#endif
