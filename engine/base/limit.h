/* base/limit.h - the limits of a context. Private. */
#ifndef RIA_BASE_LIMIT_H
#define RIA_BASE_LIMIT_H
#include <ria/limit.h>
#include <stdatomic.h>

/* Bytes that were written, by workers too. */
typedef struct ria_meter {
  _Atomic uint64_t written;
  double most; /* INFINITY: no bound */
  _Atomic bool full;
} ria_meter;

/* A directory. */
typedef struct ria_root {
  char *path, *real; /* from /; as it was given, and behind links. real: "" while it is not there */
  int fd;            /* -1: not there yet */
} ria_root;

typedef struct ria_limiter {
  double memory, cells, frames; /* INFINITY: no bound */
  double time, until;           /* s; and by the wall clock */
  double n_frames;
  ria_meter meter;
  ria_root *read, write; /* write.path NULL: nothing */
  size_t n_read;
  ria_limit reached;
  bool refused; /* a file, by the last call that failed with RIA_ERR_LIMIT */
  char text[256];
} ria_limiter;

/* Cells of a grid or a raster; bytes that are about to be asked for. */
ria_status ria_limit_cells(ria_context *ctx, double nx, double ny);
ria_status ria_limit_memory(ria_context *ctx, const char *what, double bytes);
/* A file may not be used: RIA_ERR_LIMIT. */
ria_status ria_limit_refuse(ria_context *ctx, const char *fmt, ...) RIA_PRINTF(2, 3);
/* Where the meter is full: RIA_ERR_LIMIT, else RIA_OK. */
ria_status ria_limit_output(ria_context *ctx);
/* The meter of a context, NULL where it has none. */
ria_meter *ria_limit_meter(ria_context *ctx);

/* Count n bytes; false: they are too many. */
bool ria_meter_add(ria_meter *m, size_t n);
/* What this thread writes counts for the meter from now on (NULL: for none). A worker's job, which
 * touches no context, is metered so (io/file.c). */
void ria_meter_of_thread(ria_meter *m);
ria_meter *ria_meter_here(void);

#endif
