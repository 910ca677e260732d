/* io/zarr_parts.h - the inside of a store. Private to zarr.c, zarr_make.c and zarr_parts.c. */
#ifndef RIA_IO_ZARR_PARTS_H
#define RIA_IO_ZARR_PARTS_H
#include "io/zarr_meta.h"
#include <pthread.h>

typedef struct zarr_step {
  double t;
  int64_t waiting; /* chunks that are not written yet */
  int64_t made;    /* files of chunks: those that have a value */
} zarr_step;

/* Where a worker gathers a chunk, and packs it. */
typedef struct zarr_room {
  struct zarr_room *next;
  unsigned char bytes[];
} zarr_room;

struct ria_zarr {
  ria_context *ctx;
  ria_writer *writer;
  zarr_layout layout;
  char *texts; /* every text of the layout */
  int disk;    /* that it is on: ria_disk_open */
  ria_zarr_field *fields;
  int tiles_x, tiles_y;
  size_t n_timed; /* fields that are not fixed */

  pthread_mutex_t lock;
  zarr_step *steps; /* [n_steps] */
  int64_t n_steps;
  size_t room_steps;
  int64_t pushed;   /* tiles of the last step that were handed to the writer */
  bool torn;        /* and it will never have them all */
  int64_t fixed;    /* files of chunks of fixed fields */
  int64_t shown;    /* frames that the metadata tell of */
  bool showing;     /* a worker is rewriting the metadata */
  zarr_room *rooms; /* not in use, all of one size */
};

ria_status ria_zarr_no_memory(const ria_zarr *z, char *err, size_t errsize);
/* A file of the store by its name below it, by ria_file_replace (on disk when this returns) or, of
 * a frame or a store under way, ria_file_put (synced later, with others). */
typedef ria_status (*ria_put_fn)(const char *path, const void *data, size_t n, char *err,
                                 size_t errsize);
ria_status ria_zarr_part(const ria_zarr *z, ria_put_fn put, const char *name, const void *data,
                         size_t n, char *err, size_t errsize);
/* Write the documents that describe n frames (all of them into a new store, or those that depend on
 * n), the consolidated one last. */
ria_status ria_zarr_write_metadata(const ria_zarr *z, int64_t n, bool everything, char *err,
                                   size_t errsize);

/* The chunks of the time coordinate that hold steps first .. n-1. */
ria_status ria_zarr_write_times(ria_zarr *z, int64_t first, int64_t n, char *err, size_t errsize);
/* The name below the store of a chunk; step -1: of a fixed field. */
void ria_zarr_chunk_name(const ria_zarr_field *field, int64_t step, int tj, int ti, char *name,
                         size_t room);

/* --- zarr_make.c */
/* Of a description, without anything on disk. */
ria_status ria_zarr_new(ria_context *ctx, ria_writer *w, const ria_zarr_desc *desc, ria_zarr **out);
void ria_zarr_free(ria_zarr *z);

#endif
