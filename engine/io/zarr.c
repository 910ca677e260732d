/* io/zarr.c - a Zarr v2 store that grows frame by frame while workers compress it.
 *
 * A frame becomes one job per field with a part for each tile. It gathers its tile (padded with NaN
 * to the full chunk, rounded on the way), compresses it and writes the chunk as a whole file; a
 * chunk without a value is left out, which reads as NaN. Jobs overtake each other, so frames may be
 * finished out of order. The store therefore counts the chunks each frame still waits for, and
 * shows frames up to the first unfinished one: the thread that finishes a chunk checks whether more
 * can be shown and, if no other thread does so, syncs the chunks to disk and rewrites first the
 * times, then the arrays' shapes and last the consolidated metadata. A reader at any moment sees a
 * whole store.
 *
 * Chunks of a small frame are synced one by one: syncing the whole file system, which is quicker
 * for many, would wait for everything else that is being written to it.
 *
 * Memory for chunks under way is kept from one to the next, since fresh pages are not free.
 *
 * The lock guards steps, shown, showing and rooms. Files are written without it. */
#include "base/array.h"
#include "io/file.h"
#include "io/zarr_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SYNCED_ONE_BY_ONE = 64 }; /* chunks of a frame */

/* One field of one frame. */
typedef struct zarr_block {
  ria_zarr *z;
  const ria_zarr_field *field;
  int64_t step; /* -1: fixed */
  void *buffer; /* passed in: see desc.open */
  int first, n; /* tiles */
  bool streams; /* the buffer has their ends and streams (ria_zarr_streams) */
} zarr_block;

typedef struct zarr_tile {
  const zarr_block *block;
  ria_zarr_content content;
  int part;   /* of the block */
  int ti, tj; /* tile column and row */
} zarr_tile;

static size_t real_size(const ria_zarr *z) {
  return z->layout.desc.real == RIA_F32 ? sizeof(float) : sizeof(double);
}

static ria_zarr_how how_of(const ria_zarr *z, const ria_zarr_field *field) {
  const zarr_layout *l = &z->layout;
  return (ria_zarr_how){.nx = l->desc.grid.nx,
                        .ny = l->desc.grid.ny,
                        .tile_x = l->tile_x,
                        .tile_y = l->tile_y,
                        .real = l->desc.real,
                        .precision = field->precision,
                        .level = l->desc.level};
}

void ria_zarr_chunk_name(const ria_zarr_field *field, int64_t step, int tj, int ti, char *name,
                         size_t room) {
  if (step < 0)
    snprintf(name, room, "%s/%d.%d", field->name, tj, ti);
  else
    snprintf(name, room, "%s/%lld.%d.%d", field->name, (long long)step, tj, ti);
}

/* --- showing frames ----------------------------------------------------------------------- */

ria_status ria_zarr_write_times(ria_zarr *z, int64_t first, int64_t n, char *err, size_t errsize) {
  for (int64_t chunk = first / ZARR_TIMES; chunk * ZARR_TIMES < n; chunk++) {
    double t[ZARR_TIMES] = {0};
    pthread_mutex_lock(&z->lock); /* the array may move while the host adds to it */
    for (int64_t k = 0; k < ZARR_TIMES && chunk * ZARR_TIMES + k < n; k++)
      t[k] = z->steps[chunk * ZARR_TIMES + k].t;
    pthread_mutex_unlock(&z->lock);
    char name[40];
    snprintf(name, sizeof name, "time/%lld", (long long)chunk);
    RIA_TRY(ria_zarr_part(z, ria_file_replace, name, t, sizeof t, err, errsize));
  }
  return RIA_OK;
}

/* A chunk without a value was left out. */
static ria_status sync_chunk(const ria_zarr *z, const char *name, char *err, size_t errsize) {
  char *path = ria_path_join(z->layout.desc.path, name);
  if (!path) return ria_zarr_no_memory(z, err, errsize);
  const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  int code = fd >= 0 ? ria_fd_sync(fd) : errno == ENOENT ? 0 : errno;
  if (fd >= 0) close(fd);
  ria_status s = code ? ria_error_errno(code, err, errsize, "cannot write", path) : RIA_OK;
  free(path);
  return s;
}

static ria_status sync_field(const ria_zarr *z, const ria_zarr_field *field, int64_t first,
                             int64_t n, char *err, size_t errsize) {
  char name[RIA_NAME_MAX * 4];
  for (int64_t step = first; step < n; step++) {
    for (int tj = 0; tj < z->tiles_y; tj++) {
      for (int ti = 0; ti < z->tiles_x; ti++) {
        ria_zarr_chunk_name(field, step, tj, ti, name, sizeof name);
        RIA_TRY(sync_chunk(z, name, err, errsize));
      }
    }
  }
  return sync_chunk(z, field->name, err, errsize); /* the names of its chunks */
}

/* Chunks of frames first .. n-1 are on disk when this returns. */
static ria_status sync_chunks(const ria_zarr *z, int64_t first, int64_t n, char *err,
                              size_t errsize) {
  const int64_t chunks = (int64_t)z->n_timed * z->tiles_x * z->tiles_y;
  if ((n - first) * chunks > SYNCED_ONE_BY_ONE)
    return ria_disk_sync(z->disk, z->layout.desc.path, err, errsize);
  for (size_t k = 0; k < z->layout.desc.n_fields; k++)
    if (!z->layout.desc.fields[k].fixed)
      RIA_TRY(sync_field(z, &z->layout.desc.fields[k], first, n, err, errsize));
  return RIA_OK;
}

/* Frames from the first on that are whole. Under the lock. */
static int64_t count_whole(const ria_zarr *z) {
  int64_t n = z->shown;
  while (n < z->n_steps && z->steps[n].waiting == 0) n++;
  return n;
}

/* A chunk of the step is written. Show what can be shown. */
static ria_status chunk_done(ria_zarr *z, int64_t step, char *err, size_t errsize) {
  ria_status s = RIA_OK;
  pthread_mutex_lock(&z->lock);
  z->steps[step].waiting--;
  if (!z->showing) {
    z->showing = true;
    int64_t n;
    while (s == RIA_OK && (n = count_whole(z)) > z->shown) {
      int64_t first = z->shown;
      pthread_mutex_unlock(&z->lock);
      s = sync_chunks(z, first, n, err, errsize);
      if (s == RIA_OK) s = ria_zarr_write_times(z, first, n, err, errsize);
      if (s == RIA_OK) s = ria_zarr_write_metadata(z, n, false, err, errsize);
      pthread_mutex_lock(&z->lock);
      if (s == RIA_OK) z->shown = n;
    }
    z->showing = false;
  }
  pthread_mutex_unlock(&z->lock);
  return s;
}

/* --- chunks ------------------------------------------------------------------------------- */

static zarr_room *take_room(ria_zarr *z, size_t bytes) {
  pthread_mutex_lock(&z->lock);
  zarr_room *room = z->rooms;
  if (room) z->rooms = room->next;
  pthread_mutex_unlock(&z->lock);
  return room ? room : malloc(sizeof *room + bytes);
}

static void leave_room(ria_zarr *z, zarr_room *room) {
  pthread_mutex_lock(&z->lock);
  room->next = z->rooms;
  z->rooms = room;
  pthread_mutex_unlock(&z->lock);
}

/* An earlier version may have had values here. */
static void remove_fixed(const ria_zarr *z, const char *name) {
  char *path = ria_path_join(z->layout.desc.path, name);
  if (path) unlink(path);
  free(path);
}

static void count_chunk(ria_zarr *z, int64_t step) {
  pthread_mutex_lock(&z->lock);
  ++*(step < 0 ? &z->fixed : &z->steps[step].made);
  pthread_mutex_unlock(&z->lock);
}

/* The tile's chunk; n = 0: it has no value. */
static ria_status put_chunk(const zarr_tile *tile, const char *name, const void *chunk, size_t n,
                            char *err, size_t errsize) {
  ria_zarr *z = tile->block->z;
  const bool fixed = tile->block->step < 0;
  if (n) count_chunk(z, tile->block->step);
  if (n)
    return ria_zarr_part(z, fixed ? ria_file_replace : ria_file_put, name, chunk, n, err, errsize);
  if (fixed) remove_fixed(z, name);
  return RIA_OK;
}

static ria_status put_stream(const zarr_tile *tile, const char *name, char *err, size_t errsize) {
  const ria_zarr_content *c = &tile->content;
  const int k = tile->part;
  const uint64_t begin = k ? c->end[k - 1] : 0;
  return put_chunk(tile, name, c->streams + begin, (size_t)(c->end[k] - begin), err, errsize);
}

static ria_status write_chunk(const zarr_tile *tile, const char *name, char *err, size_t errsize) {
  ria_zarr *z = tile->block->z;
  if (!tile->content.values) return put_stream(tile, name, err, errsize);
  const ria_zarr_how how = how_of(z, tile->block->field);
  zarr_room *taken = take_room(z, ria_zarr_pack_room(&how));
  if (!taken) return ria_zarr_no_memory(z, err, errsize);
  const unsigned char *chunk;
  size_t n;
  const ria_status s =
      ria_zarr_pack(&how, tile->content.values, 0, tile->ti, tile->tj, taken->bytes, &chunk, &n)
          ? put_chunk(tile, name, chunk, n, err, errsize)
          : ria_zarr_no_memory(z, err, errsize);
  leave_room(z, taken);
  return s;
}

static ria_status open_tile(zarr_block *block, int part, zarr_tile *tile, char *err,
                            size_t errsize) {
  const ria_zarr *z = block->z;
  const int k = block->first + part;
  *tile = (zarr_tile){block, {.values = block->buffer}, part, k % z->tiles_x, k / z->tiles_x};
  if (block->streams) {
    const uint64_t *end = block->buffer;
    tile->content =
        (ria_zarr_content){.end = end, .streams = (const unsigned char *)(end + block->n)};
    return RIA_OK;
  }
  if (!z->layout.desc.open) return RIA_OK;
  return z->layout.desc.open(block->buffer, &tile->content, err, errsize);
}

static ria_status block_run(void *job, int part, char *err, size_t errsize) {
  zarr_block *block = job;
  zarr_tile tile;
  char name[RIA_NAME_MAX * 4];
  RIA_TRY(open_tile(block, part, &tile, err, errsize));
  ria_zarr_chunk_name(block->field, block->step, tile.tj, tile.ti, name, sizeof name);
  RIA_TRY(write_chunk(&tile, name, err, errsize));
  return block->step < 0 ? RIA_OK : chunk_done(block->z, block->step, err, errsize);
}

static void give_back(const ria_zarr *z, bool streams, void *buffer) {
  if (z->layout.desc.release && !streams)
    z->layout.desc.release(buffer);
  else
    free(buffer);
}

static void block_drop(void *job) {
  zarr_block *block = job;
  give_back(block->z, block->streams, block->buffer);
  free(block);
}

/* Takes the buffer. bytes: that it holds. */
static ria_status push(const zarr_block *of, size_t bytes) {
  ria_zarr *z = of->z;
  zarr_block *block = malloc(sizeof *block);
  if (!block) {
    give_back(z, of->streams, of->buffer);
    return ria_fail(z->ctx, RIA_ERR_MEMORY, "out of memory for a frame of '%s'",
                    z->layout.desc.path);
  }
  *block = *of;
  RIA_TRY(ria_writer_push_parts(z->writer, block, bytes, of->n, block_run, block_drop));
  if (of->step >= 0) z->pushed += of->n;
  return RIA_OK;
}

static ria_status push_block(ria_zarr *z, const ria_zarr_field *field, int64_t step, void *buffer) {
  const size_t bytes =
      (size_t)z->layout.desc.grid.nx * (size_t)z->layout.desc.grid.ny * real_size(z);
  return push(
      &(zarr_block){
          .z = z, .field = field, .step = step, .buffer = buffer, .n = z->tiles_x * z->tiles_y},
      bytes);
}

/* --- adding frames and fixed fields ------------------------------------------------------- */

static bool add_step(ria_zarr *z, double t) {
  pthread_mutex_lock(&z->lock);
  const bool ok = ria_grow(NULL, "", &z->steps, &z->room_steps, (size_t)z->n_steps + 1,
                           sizeof *z->steps) == RIA_OK;
  if (ok) {
    int64_t chunks = (int64_t)z->n_timed * z->tiles_x * z->tiles_y;
    z->steps[z->n_steps++] = (zarr_step){.t = t, .waiting = chunks};
  }
  pthread_mutex_unlock(&z->lock);
  return ok;
}

ria_status ria_zarr_begin(ria_zarr *z, double t) {
  if (z->n_timed == 0)
    return ria_fail(z->ctx, RIA_ERR_ARGUMENT, "the store '%s' has fixed fields only",
                    z->layout.desc.path);
  if (z->torn)
    return ria_fail(z->ctx, RIA_ERR_OUTPUT,
                    "the store '%s' takes no more frames: that of t = %.10g s failed half way",
                    z->layout.desc.path, z->steps[z->n_steps - 1].t);
  if (!add_step(z, t))
    return ria_fail(z->ctx, RIA_ERR_MEMORY, "out of memory for a frame of '%s'",
                    z->layout.desc.path);
  z->pushed = 0;
  return RIA_OK;
}

void ria_zarr_drop(ria_zarr *z) {
  pthread_mutex_lock(&z->lock);
  z->torn = z->pushed > 0; /* its chunks may be on disk under its number */
  if (!z->torn) z->n_steps--;
  pthread_mutex_unlock(&z->lock);
}

ria_status ria_zarr_append(ria_zarr *z, double t, void *const *values) {
  const ria_status begun = ria_zarr_begin(z, t);
  const int64_t step = z->n_steps - 1;
  ria_status s = begun;
  for (size_t f = 0; f < z->layout.desc.n_fields; f++) {
    const ria_zarr_field *field = &z->layout.desc.fields[f];
    if (field->fixed) continue;
    if (s == RIA_OK)
      s = push_block(z, field, step, values[f]);
    else
      give_back(z, false, values[f]);
  }
  if (begun == RIA_OK && s != RIA_OK) ria_zarr_drop(z);
  return s;
}

ria_status ria_zarr_put(ria_zarr *z, size_t field, void *values) {
  if (field < z->layout.desc.n_fields && z->layout.desc.fields[field].fixed)
    return push_block(z, &z->layout.desc.fields[field], -1, values);
  give_back(z, false, values);
  return ria_fail(z->ctx, RIA_ERR_ARGUMENT, "field %zu of the store '%s' is not a fixed one", field,
                  z->layout.desc.path);
}

ria_zarr_how ria_zarr_packing(const ria_zarr *z, size_t field) {
  return how_of(z, &z->layout.desc.fields[field]);
}

ria_status ria_zarr_streams(ria_zarr *z, size_t field, int first, int n, void *streams,
                            size_t bytes) {
  const ria_zarr_field *f = &z->layout.desc.fields[field];
  return push(&(zarr_block){.z = z,
                            .field = f,
                            .step = f->fixed ? -1 : z->n_steps - 1,
                            .buffer = streams,
                            .first = first,
                            .n = n,
                            .streams = true},
              bytes);
}

bool ria_zarr_how_takes_streams(const ria_zarr_how *how) { return how->level == 1; }

bool ria_zarr_takes_streams(const ria_zarr *z, int *tile_x, int *tile_y) {
  *tile_x = z->layout.tile_x;
  *tile_y = z->layout.tile_y;
  return z->layout.desc.level == 1;
}

int64_t ria_zarr_frames(const ria_zarr *z) { return z->n_steps; }

int64_t ria_zarr_shown(ria_zarr *z) {
  pthread_mutex_lock(&z->lock);
  const int64_t shown = z->shown;
  pthread_mutex_unlock(&z->lock);
  return shown;
}

void ria_zarr_count(ria_zarr *z, int64_t n, int64_t *chunks) {
  pthread_mutex_lock(&z->lock);
  chunks[0] = z->fixed;
  for (int64_t k = 0; k < n; k++) chunks[1 + k] = z->steps[k].made;
  pthread_mutex_unlock(&z->lock);
}
