/* io/zarr.h - compressed raw fields: a Zarr v2 store that xarray, QGIS and GDAL open as CF data.
 *
 * A store holds fields over one grid: frames in time [time][y][x], or fixed ones [y][x] (bed,
 * maxima), or both. Chunks (one frame of one tile) are compressed and written by the writer's
 * workers, each as a whole file. Only when every chunk of a frame, and of those before it, is on
 * disk does the metadata grow to show it: a store can be opened at any moment, also after a
 * crash, and never shows a frame that is not there. */
#ifndef RIA_IO_ZARR_H
#define RIA_IO_ZARR_H
#include "io/writer.h"
#include <ria/grid.h>
#include <ria/sim.h>

typedef struct ria_zarr ria_zarr;

/* What a buffer holds: values [ny][nx] of the store's real or, where `values` is NULL, the streams
 * of its tiles as they go into the chunks, row by row of tiles from the south-west on: tile k is
 * streams[end[k - 1]] (the first: from 0) up to streams[end[k]]; none = left out. */
typedef struct ria_zarr_content {
  const void *values;
  const uint64_t *end; /* [tiles] */
  const unsigned char *streams;
} ria_zarr_content;

typedef struct ria_zarr_field {
  const char *name, *unit, *long_name;
  const char
      *measured_in; /* the unit as people write it where readers know it by another; or NULL */
  const char *standard_name; /* CF, or NULL */
  const char *cell_methods;  /* NULL = "area: mean time: point" ("area: mean" when fixed) */
  double precision;          /* values may be off by at most this; 0 = bit-exact */
  bool fixed;                /* [y][x], written once by ria_zarr_put */
} ria_zarr_field;

/* Everything is copied. */
typedef struct ria_zarr_desc {
  const char *path; /* directory of the store; its parent must exist */
  const char *title;
  const char *history; /* NULL = none (a store is then the same each time it is made) */
  const char *epoch;   /* "2026-03-01 00:00:00", the calendar time of t = 0; NULL = none: `time`
                          counts plain seconds */
  const char *crs;     /* "EPSG:n" or WKT; NULL or "" = local metres, no crs written */
  ria_grid grid;
  ria_real real; /* of the store: RIA_F32 or RIA_F64 */
  const ria_zarr_field *fields;
  size_t n_fields;
  int tile;       /* chunk edge in cells; 0 = 512; cut to the grid */
  int level;      /* zlib 1..9; 0 = 1; -1 = chunks are not compressed */
  bool overwrite; /* an existing store at path is removed; false: it is RIA_ERR_OUTPUT */
  /* For buffers that are not plain memory, which is what NULL means. `open` gives the content of
   * one and may wait for it; it is called on workers, more than once. `release` gives a buffer
   * back, on any thread, NULL = free. Contents are only read until then. */
  ria_status (*open)(void *buffer, ria_zarr_content *content, char *err, size_t errsize);
  void (*release)(void *buffer);
} ria_zarr_desc;

/* Make the store with its coordinates and no frame: it appears whole. The writer must outlive it.
 */
ria_status ria_zarr_create(ria_context *ctx, ria_writer *w, const ria_zarr_desc *desc,
                           ria_zarr **out);

/* Take up a store that is there, with its first n frames, at these times, and chunks[1 + n] files
 * of chunks: of fixed fields, and of each frame (ria_zarr_count). Frames beyond, and what a killed
 * run left half-made, are removed. RIA_ERR_OUTPUT, and nothing has changed, where it is missing,
 * has another layout, or lacks any of that. */
ria_status ria_zarr_take_up(ria_context *ctx, ria_writer *w, const ria_zarr_desc *desc,
                            const double *times, int64_t n, const int64_t *chunks, ria_zarr **out);

/* Whether streams may stand for values: compressed at the default level; if so, cells of a tile. */
bool ria_zarr_takes_streams(const ria_zarr *z, int *tile_x, int *tile_y);

/* Add a frame at time t [s]. values[n_fields]: for each field [ny][nx] of the store's real (float
 * or double), row 0 in the south, made for `open` and `release`; the entries of fixed fields are
 * not looked at. Blocks while the writer's queue is full. Ownership of every buffer passes to the
 * store in every case; the array itself stays the caller's. A frame that fails is dropped. */
ria_status ria_zarr_append(ria_zarr *z, double t, void *const *values);
/* Write a fixed field, the index counting in the table of fields. Ownership of `values` passes. */
ria_status ria_zarr_put(ria_zarr *z, size_t field, void *values);

/* --- in pieces, packed by whoever has the values ------------------------------------------------
 */

/* How a store wants a field: the grid, cut into tiles from the south-west on; values are rounded to
 * within the precision, and chunks compressed as `level` of ria_zarr_desc says. */
typedef struct ria_zarr_how {
  int nx, ny, tile_x, tile_y;
  ria_real real;
  double precision;
  int level;
} ria_zarr_how;
ria_zarr_how ria_zarr_packing(const ria_zarr *z, size_t field);
/* Whether a device may make the chunks: as ria_zarr_takes_streams. */
bool ria_zarr_how_takes_streams(const ria_zarr_how *how);
/* Bytes of room that ria_zarr_pack needs. */
size_t ria_zarr_pack_room(const ria_zarr_how *how);
/* The chunk of a tile, in room[]: *n bytes at *chunk, 0 where the tile has no value but NaN.
 * rows: of the grid from row j0 on, those of the tile among them. False: no memory. On any thread.
 */
bool ria_zarr_pack(const ria_zarr_how *how, const void *rows, int j0, int ti, int tj,
                   unsigned char *room, const unsigned char **chunk, size_t *n);

/* A frame at time t whose fields come in pieces. RIA_ERR_OUTPUT: one before it failed half way. */
ria_status ria_zarr_begin(ria_zarr *z, double t);
/* The frame that was begun last will not have all its pieces. It is forgotten if it has none; else
 * the store stays as it is, with the frames before it, and takes no more: those behind a frame that
 * is never whole would never show. */
void ria_zarr_drop(ria_zarr *z);
/* Chunks of the n tiles from `first` on, n > 0, of the frame that was begun last, or of a fixed
 * field: memory of malloc with uint64_t end[n], where each ends (as in ria_zarr_content), and the
 * streams; it passes to the store in every case. Every tile of each field comes once. Blocks while
 * the writer's queue is full. */
ria_status ria_zarr_streams(ria_zarr *z, size_t field, int first, int n, void *streams,
                            size_t bytes);

/* chunks[1 + n]: files of chunks of fixed fields, and of each of the first n frames, that were
 * written. A chunk without a value has none. On any thread. */
void ria_zarr_count(ria_zarr *z, int64_t n, int64_t *chunks);
/* Frames asked for so far. */
int64_t ria_zarr_frames(const ria_zarr *z);
/* Frames that a reader finds. On any thread. */
int64_t ria_zarr_shown(ria_zarr *z);
/* Waits for the writer, then frees; *z becomes NULL; NULL is allowed. Errors are the writer's. */
void ria_zarr_destroy(ria_zarr **z);

#endif
