/* io/zarr.c - a Zarr v2 store that grows frame by frame while workers compress it.
 *
 * A frame becomes one job per field with a part for each tile. It gathers its tile (padded with NaN
 * to the full chunk, rounded on the way), compresses it and writes the chunk as a whole file; a
 * chunk without a value is left out, which reads as NaN. Jobs overtake each other, so frames may be
 * finished out of order. The store therefore counts the chunks each frame still waits for, and
 * shows frames up to the first unfinished one: whoever finishes a chunk looks whether more can be
 * shown and, if no one else is at it, has the disk take the chunks in and rewrites first the times,
 * then the arrays' shapes and last the consolidated metadata. A reader at any moment sees a whole
 * store.
 *
 * Chunks of a small frame are synced one by one: syncing the whole file system, which is quicker
 * for many, would wait for whatever else is being written to it.
 *
 * Memory for chunks under way is kept from one to the next, since fresh pages are not free.
 *
 * The lock guards steps, shown, showing and rooms. Files are written without it. */
#include "io/deflate.h"
#include "io/zarr.h"
#include "io/crs.h"
#include "io/file.h"
#include "io/round.h"
#include "io/zarr_meta.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SYNCED_ONE_BY_ONE = 64 }; /* chunks of a frame */

typedef struct zarr_step {
  double t;
  int64_t waiting; /* chunks that are not written yet */
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
  int64_t n_steps, room_steps;
  int64_t shown;    /* frames that the metadata tell of */
  bool showing;     /* a worker is rewriting the metadata */
  zarr_room *rooms; /* not in use, all of one size */
};

/* One field of one frame. */
typedef struct zarr_block {
  ria_zarr *z;
  const ria_zarr_field *field;
  int64_t step; /* -1: fixed */
  void *buffer; /* what was handed in: see desc.open */
} zarr_block;

typedef struct zarr_tile {
  const zarr_block *block;
  ria_zarr_content content;
  int ti, tj; /* tile column and row */
} zarr_tile;

static size_t real_size(const ria_zarr *z) {
  return z->layout.desc.real == RIA_F32 ? sizeof(float) : sizeof(double);
}

static void chunk_name(const ria_zarr_field *field, int64_t step, int tj, int ti, char *name,
                       size_t room) {
  if (step < 0)
    snprintf(name, room, "%s/%d.%d", field->name, tj, ti);
  else
    snprintf(name, room, "%s/%lld.%d.%d", field->name, (long long)step, tj, ti);
}

/* --- files of the store ------------------------------------------------------------------- */

static ria_status out_of_memory(const ria_zarr *z, char *err, size_t errsize) {
  return ria_error_text(RIA_ERR_MEMORY, err, errsize, "out of memory while writing '%s'",
                        z->layout.desc.path);
}

static ria_status write_part(const ria_zarr *z, const char *name, const void *data, size_t n,
                             char *err, size_t errsize) {
  char *path = ria_path_join(z->layout.desc.path, name);
  if (!path) return out_of_memory(z, err, errsize);
  ria_status s = ria_file_replace(path, data, n, err, errsize);
  free(path);
  return s;
}

/* A chunk of a frame, or a file of a store under way: synced later, with others. */
static ria_status put_part(const ria_zarr *z, const char *name, const void *data, size_t n,
                           char *err, size_t errsize) {
  char *path = ria_path_join(z->layout.desc.path, name);
  if (!path) return out_of_memory(z, err, errsize);
  ria_status s = ria_file_put(path, data, n, err, errsize);
  free(path);
  return s;
}

/* The document below its key in the consolidated one. */
static void add_consolidated(ria_buffer *all, const ria_buffer *key, const ria_buffer *json) {
  if (all->n == 0)
    ria_buffer_text(all, "{\n\"zarr_consolidated_format\": 1,\n\"metadata\": {\n");
  else
    ria_buffer_text(all, ",\n");
  ria_buffer_json(all, key->data);
  ria_buffer_text(all, ": ");
  ria_buffer_add(all, json->data, json->n - 1); /* without its last newline */
}

/* A file of a store that is read already: its bytes are on disk before it takes the place of the
 * last one. */
static ria_status swap_part(const ria_zarr *z, const char *name, const void *data, size_t n,
                            char *err, size_t errsize) {
  char *path = ria_path_join(z->layout.desc.path, name);
  if (!path) return out_of_memory(z, err, errsize);
  ria_status s = ria_file_put_bytes(path, data, n, err, errsize);
  free(path);
  return s;
}

/* Write the documents that tell of n frames (all of them into a new store, or those that depend on
 * n), the consolidated one last. */
static ria_status write_metadata(const ria_zarr *z, int64_t n, bool everything, char *err,
                                 size_t errsize) {
  ria_buffer key = {0}, json = {0}, all = {0};
  ria_status s = RIA_OK;
  bool grows;
  for (size_t k = 0; s == RIA_OK && ria_zarr_meta_document(&z->layout, k, n, &key, &json, &grows);
       k++) {
    if (key.failed || json.failed) {
      s = out_of_memory(z, err, errsize);
      break;
    }
    if (everything || grows)
      s = (everything ? put_part : swap_part)(z, key.data, json.data, json.n, err, errsize);
    add_consolidated(&all, &key, &json);
  }
  ria_buffer_text(&all, "\n}\n}\n");
  if (s == RIA_OK)
    s = all.failed
            ? out_of_memory(z, err, errsize)
            : (everything ? put_part : write_part)(z, ".zmetadata", all.data, all.n, err, errsize);
  ria_buffer_free(&key);
  ria_buffer_free(&json);
  ria_buffer_free(&all);
  return s;
}

/* --- showing frames ----------------------------------------------------------------------- */

/* Chunks of the time coordinate that hold steps first .. n-1. */
static ria_status write_times(ria_zarr *z, int64_t first, int64_t n, char *err, size_t errsize) {
  for (int64_t chunk = first / ZARR_TIMES; chunk * ZARR_TIMES < n; chunk++) {
    double t[ZARR_TIMES] = {0};
    pthread_mutex_lock(&z->lock); /* the array may move while the host adds to it */
    for (int64_t k = 0; k < ZARR_TIMES && chunk * ZARR_TIMES + k < n; k++)
      t[k] = z->steps[chunk * ZARR_TIMES + k].t;
    pthread_mutex_unlock(&z->lock);
    char name[40];
    snprintf(name, sizeof name, "time/%lld", (long long)chunk);
    RIA_TRY(write_part(z, name, t, sizeof t, err, errsize));
  }
  return RIA_OK;
}

/* A chunk without a value was left out. */
static ria_status sync_chunk(const ria_zarr *z, const char *name, char *err, size_t errsize) {
  char *path = ria_path_join(z->layout.desc.path, name);
  if (!path) return out_of_memory(z, err, errsize);
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
        chunk_name(field, step, tj, ti, name, sizeof name);
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
      if (s == RIA_OK) s = write_times(z, first, n, err, errsize);
      if (s == RIA_OK) s = write_metadata(z, n, false, err, errsize);
      pthread_mutex_lock(&z->lock);
      if (s == RIA_OK) z->shown = n;
    }
    z->showing = false;
  }
  pthread_mutex_unlock(&z->lock);
  return s;
}

/* --- chunks ------------------------------------------------------------------------------- */

/* The tile's values, padded with NaN to a full chunk. False when there is none but NaN. */
static bool gather(const zarr_tile *tile, void *chunk) {
  const zarr_block *block = tile->block;
  const zarr_layout *layout = &block->z->layout;
  const ria_grid *g = &layout->desc.grid;
  int width = layout->tile_x, i0 = tile->ti * width, j0 = tile->tj * layout->tile_y;
  int columns = g->nx - i0 < width ? g->nx - i0 : width;
  bool some = false;
  for (int row = 0; row < layout->tile_y; row++) {
    int filled = j0 + row < g->ny ? columns : 0;
    size_t from = filled ? (size_t)(j0 + row) * (size_t)g->nx + (size_t)i0 : 0;
    size_t to = (size_t)row * (size_t)width;
    if (layout->desc.real == RIA_F32) {
      float *dst = (float *)chunk + to;
      const float *src = (const float *)tile->content.values + from;
      some |= ria_round_f32(dst, src, (size_t)filled, block->field->precision);
      for (int k = filled; k < width; k++) dst[k] = NAN;
    } else {
      double *dst = (double *)chunk + to;
      const double *src = (const double *)tile->content.values + from;
      some |= ria_round_f64(dst, src, (size_t)filled, block->field->precision);
      for (int k = filled; k < width; k++) dst[k] = (double)NAN;
    }
  }
  return some;
}

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

/* The tile's chunk; n = 0: it has no value. */
static ria_status put_chunk(const zarr_tile *tile, const char *name, const void *chunk, size_t n,
                            char *err, size_t errsize) {
  const ria_zarr *z = tile->block->z;
  const bool fixed = tile->block->step < 0;
  if (n) return (fixed ? write_part : put_part)(z, name, chunk, n, err, errsize);
  if (fixed) remove_fixed(z, name);
  return RIA_OK;
}

static ria_status put_stream(const zarr_tile *tile, const char *name, char *err, size_t errsize) {
  const ria_zarr_content *c = &tile->content;
  const size_t k = (size_t)tile->tj * (size_t)tile->block->z->tiles_x + (size_t)tile->ti;
  const uint64_t begin = k ? c->end[k - 1] : 0;
  return put_chunk(tile, name, c->streams + begin, (size_t)(c->end[k] - begin), err, errsize);
}

static ria_status write_chunk(const zarr_tile *tile, const char *name, char *err, size_t errsize) {
  ria_zarr *z = tile->block->z;
  if (!tile->content.values) return put_stream(tile, name, err, errsize);
  const size_t size = (size_t)z->layout.tile_x * (size_t)z->layout.tile_y * real_size(z);
  const bool raw = z->layout.desc.level < 0;
  size_t packed = raw ? 0 : ria_deflate_bound(size);
  zarr_room *taken = take_room(z, size + packed);
  if (!taken) return out_of_memory(z, err, errsize);
  unsigned char *room = taken->bytes;
  ria_status s = RIA_OK;
  if (!gather(tile, room))
    s = put_chunk(tile, name, NULL, 0, err, errsize);
  else if (raw)
    s = put_chunk(tile, name, room, size, err, errsize);
  else if (ria_deflate(room, size, z->layout.desc.level, room + size, &packed))
    s = put_chunk(tile, name, room + size, packed, err, errsize);
  else
    s = out_of_memory(z, err, errsize);
  leave_room(z, taken);
  return s;
}

static ria_status open_tile(zarr_block *block, int part, zarr_tile *tile, char *err,
                            size_t errsize) {
  const ria_zarr *z = block->z;
  *tile = (zarr_tile){block, {.values = block->buffer}, part % z->tiles_x, part / z->tiles_x};
  if (!z->layout.desc.open) return RIA_OK;
  return z->layout.desc.open(block->buffer, &tile->content, err, errsize);
}

static ria_status block_run(void *job, int part, char *err, size_t errsize) {
  zarr_block *block = job;
  zarr_tile tile;
  char name[RIA_NAME_MAX * 4];
  RIA_TRY(open_tile(block, part, &tile, err, errsize));
  chunk_name(block->field, block->step, tile.tj, tile.ti, name, sizeof name);
  RIA_TRY(write_chunk(&tile, name, err, errsize));
  return block->step < 0 ? RIA_OK : chunk_done(block->z, block->step, err, errsize);
}

static void give_back(const ria_zarr *z, void *buffer) {
  if (z->layout.desc.release)
    z->layout.desc.release(buffer);
  else
    free(buffer);
}

static void block_drop(void *job) {
  zarr_block *block = job;
  give_back(block->z, block->buffer);
  free(block);
}

/* Takes the buffer. */
static ria_status push_block(ria_zarr *z, const ria_zarr_field *field, int64_t step, void *buffer) {
  size_t bytes = (size_t)z->layout.desc.grid.nx * (size_t)z->layout.desc.grid.ny * real_size(z);
  zarr_block *block = malloc(sizeof *block);
  if (!block) {
    give_back(z, buffer);
    return ria_fail(z->ctx, RIA_ERR_MEMORY, "out of memory for a frame of '%s'",
                    z->layout.desc.path);
  }
  *block = (zarr_block){.z = z, .field = field, .step = step, .buffer = buffer};
  return ria_writer_push_parts(z->writer, block, bytes, z->tiles_x * z->tiles_y, block_run,
                               block_drop);
}

/* --- adding frames and fixed fields ------------------------------------------------------- */

static bool add_step(ria_zarr *z, double t) {
  bool ok = true;
  pthread_mutex_lock(&z->lock);
  if (z->n_steps == z->room_steps) {
    int64_t room = z->room_steps ? 2 * z->room_steps : 256;
    zarr_step *steps = realloc(z->steps, (size_t)room * sizeof *steps);
    ok = steps != NULL;
    if (ok) {
      z->steps = steps;
      z->room_steps = room;
    }
  }
  if (ok) {
    int64_t chunks = (int64_t)z->n_timed * z->tiles_x * z->tiles_y;
    z->steps[z->n_steps++] = (zarr_step){.t = t, .waiting = chunks};
  }
  pthread_mutex_unlock(&z->lock);
  return ok;
}

ria_status ria_zarr_append(ria_zarr *z, double t, void *const *values) {
  ria_status s = RIA_OK;
  if (z->n_timed == 0)
    s = ria_fail(z->ctx, RIA_ERR_ARGUMENT, "the store '%s' has fixed fields only",
                 z->layout.desc.path);
  else if (!add_step(z, t))
    s = ria_fail(z->ctx, RIA_ERR_MEMORY, "out of memory for a frame of '%s'", z->layout.desc.path);
  int64_t step = z->n_steps - 1;
  for (size_t f = 0; f < z->layout.desc.n_fields; f++) {
    const ria_zarr_field *field = &z->layout.desc.fields[f];
    if (field->fixed) continue;
    if (s == RIA_OK)
      s = push_block(z, field, step, values[f]);
    else
      give_back(z, values[f]);
  }
  return s;
}

ria_status ria_zarr_put(ria_zarr *z, size_t field, void *values) {
  if (field < z->layout.desc.n_fields && z->layout.desc.fields[field].fixed)
    return push_block(z, &z->layout.desc.fields[field], -1, values);
  give_back(z, values);
  return ria_fail(z->ctx, RIA_ERR_ARGUMENT, "field %zu of the store '%s' is not a fixed one", field,
                  z->layout.desc.path);
}

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

/* --- making ------------------------------------------------------------------------------- */

/* The texts of a description, one after the other in one block. */
typedef struct text_block {
  char *at;
  size_t n; /* bytes so far; with at == NULL only counted */
} text_block;

static const char *take_text(text_block *texts, const char *text) {
  if (!text) return NULL;
  size_t n = strlen(text) + 1;
  char *copy = texts->at ? memcpy(texts->at + texts->n, text, n) : NULL;
  texts->n += n;
  return copy;
}

static void take_texts(text_block *texts, ria_zarr_desc *to, ria_zarr_field *fields,
                       const ria_zarr_desc *from) {
  to->path = take_text(texts, from->path);
  to->title = take_text(texts, from->title);
  to->history = take_text(texts, from->history);
  to->epoch = take_text(texts, from->epoch);
  to->crs = take_text(texts, from->crs);
  for (size_t k = 0; k < from->n_fields; k++) {
    const ria_zarr_field *f = &from->fields[k];
    fields[k] = *f;
    fields[k].name = take_text(texts, f->name);
    fields[k].unit = take_text(texts, f->unit);
    fields[k].measured_in = take_text(texts, f->measured_in);
    fields[k].long_name = take_text(texts, f->long_name);
    fields[k].standard_name = take_text(texts, f->standard_name);
    fields[k].cell_methods = take_text(texts, f->cell_methods);
  }
}

static bool copy_desc(ria_zarr *z, const ria_zarr_desc *from) {
  ria_zarr_desc *to = &z->layout.desc;
  text_block texts = {0};
  *to = *from;
  z->fields = calloc(from->n_fields, sizeof *z->fields);
  if (!z->fields) return false;
  take_texts(&texts, to, z->fields, from); /* counts */
  texts.at = z->texts = malloc(texts.n);
  texts.n = 0;
  if (!z->texts) return false;
  take_texts(&texts, to, z->fields, from);
  to->fields = z->fields;
  return true;
}

static ria_status check_desc(ria_context *ctx, const ria_zarr_desc *d) {
  RIA_TRY(ria_grid_check(ctx, &d->grid));
  if (d->n_fields == 0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "the store '%s' has no fields", d->path);
  if (d->tile < 0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "tile is %d cells, but must be 0 (512) or more",
                    d->tile);
  if (d->level < -1 || d->level > 9)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "level is %d, but must be 0 (the default, 1) to 9, or -1 for no compression",
                    d->level);
  for (size_t k = 0; k < d->n_fields; k++)
    if (!(d->fields[k].precision >= 0.0 && d->fields[k].precision < INFINITY))
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "precision of '%s' must be 0 (exact) or more",
                      d->fields[k].name);
  return RIA_OK;
}

static int at_most(int a, int b) { return a < b ? a : b; }

static void lay_out(ria_zarr *z) {
  zarr_layout *layout = &z->layout;
  const ria_grid *g = &layout->desc.grid;
  if (layout->desc.level == 0) layout->desc.level = 1;
  int tile = layout->desc.tile ? layout->desc.tile : 512;
  layout->tile_x = at_most(tile, g->nx);
  layout->tile_y = at_most(tile, g->ny);
  z->tiles_x = (g->nx + layout->tile_x - 1) / layout->tile_x;
  z->tiles_y = (g->ny + layout->tile_y - 1) / layout->tile_y;
  for (size_t k = 0; k < layout->desc.n_fields; k++) z->n_timed += !layout->desc.fields[k].fixed;
  layout->timed = z->n_timed > 0;
}

/* What is at the path already: nothing, a store that may go, or a reason to stop. */
static ria_status check_path(const ria_zarr *z, char *err, size_t errsize) {
  if (!ria_file_exists(z->layout.desc.path)) return RIA_OK;
  if (!z->layout.desc.overwrite)
    return ria_error_text(RIA_ERR_OUTPUT, err, errsize, "the store '%s' exists already",
                          z->layout.desc.path);
  char *group = ria_path_join(z->layout.desc.path, ".zgroup");
  bool is_store = group && ria_file_exists(group);
  free(group);
  if (is_store) return RIA_OK;
  return ria_error_text(RIA_ERR_OUTPUT, err, errsize,
                        "'%s' exists and is not a store: it is not overwritten",
                        z->layout.desc.path);
}

static ria_status make_part(const ria_zarr *z, const char *name, char *err, size_t errsize) {
  char *path = ria_path_join(z->layout.desc.path, name);
  if (!path) return out_of_memory(z, err, errsize);
  ria_status s = ria_dir_make(path, err, errsize);
  free(path);
  return s;
}

static ria_status make_directories(const ria_zarr *z, char *err, size_t errsize) {
  const zarr_layout *layout = &z->layout;
  RIA_TRY(ria_dir_make(z->layout.desc.path, err, errsize));
  RIA_TRY(make_part(z, "x", err, errsize));
  RIA_TRY(make_part(z, "y", err, errsize));
  if (layout->timed) RIA_TRY(make_part(z, "time", err, errsize));
  if (ria_crs_given(layout->desc.crs)) RIA_TRY(make_part(z, "crs", err, errsize));
  for (size_t k = 0; k < layout->desc.n_fields; k++)
    RIA_TRY(make_part(z, layout->desc.fields[k].name, err, errsize));
  return RIA_OK;
}

static ria_status write_axis(const ria_zarr *z, const char *name, int n, double x0, double dx,
                             char *err, size_t errsize) {
  double *x = malloc((size_t)n * sizeof *x);
  if (!x) return out_of_memory(z, err, errsize);
  for (int k = 0; k < n; k++) x[k] = x0 + (k + 0.5) * dx;
  ria_status s = put_part(z, name, x, (size_t)n * sizeof *x, err, errsize);
  free(x);
  return s;
}

static ria_status fill_store(const ria_zarr *z, char *err, size_t errsize) {
  const ria_grid *g = &z->layout.desc.grid;
  static const int32_t nothing = 0;
  RIA_TRY(make_directories(z, err, errsize));
  RIA_TRY(write_axis(z, "x/0", g->nx, g->x0, g->dx, err, errsize));
  RIA_TRY(write_axis(z, "y/0", g->ny, g->y0, g->dy, err, errsize));
  if (ria_crs_given(z->layout.desc.crs))
    RIA_TRY(put_part(z, "crs/0", &nothing, sizeof nothing, err, errsize));
  RIA_TRY(write_metadata(z, 0, true, err, errsize));
  return ria_tree_sync(z->layout.desc.path, err, errsize);
}

/* A store that is whole takes its name. */
static ria_status name_store(const ria_zarr *z, const char *temp, char *err, size_t errsize) {
  const char *path = z->layout.desc.path;
  if (z->layout.desc.overwrite) RIA_TRY(ria_tree_remove(path, err, errsize));
  if (rename(temp, path) != 0)
    return ria_error_errno(errno, err, errsize, "cannot make the store", path);
  ria_parent_sync(path);
  return RIA_OK;
}

/* A message tells of the store, not of the name that it has while it is made. */
static void tell_path(char *err, const char *temp, const char *path) {
  char *at = strstr(err, temp);
  if (!at) return;
  const size_t n = strlen(temp), m = strlen(path);
  memcpy(at, path, m);
  memmove(at + m, at + n, strlen(at + n) + 1);
}

/* A store is made whole, beside its place, or not at all. */
static ria_status write_store(ria_zarr *z, char *err, size_t errsize) {
  const char *path = z->layout.desc.path;
  char *temp, ignored[RIA_ERR_TEXT];
  RIA_TRY(check_path(z, err, errsize));
  RIA_TRY(ria_temp_dir(path, &temp, err, errsize));
  z->layout.desc.path = temp;
  ria_status s = fill_store(z, err, errsize);
  z->layout.desc.path = path;
  if (s != RIA_OK) tell_path(err, temp, path);
  if (s == RIA_OK) s = name_store(z, temp, err, errsize);
  if (s != RIA_OK) (void)ria_tree_remove(temp, ignored, sizeof ignored);
  free(temp);
  return s;
}

static void free_store(ria_zarr *z) {
  pthread_mutex_destroy(&z->lock);
  if (z->disk >= 0) close(z->disk);
  for (zarr_room *r = z->rooms, *next; r; r = next) {
    next = r->next;
    free(r);
  }
  free(z->steps);
  free(z->fields);
  free(z->texts);
  free(z);
}

ria_status ria_zarr_create(ria_context *ctx, ria_writer *w, const ria_zarr_desc *desc,
                           ria_zarr **out) {
  *out = NULL;
  RIA_TRY(check_desc(ctx, desc));
  ria_zarr *z = calloc(1, sizeof *z);
  if (!z) return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for the store '%s'", desc->path);
  z->ctx = ctx;
  z->writer = w;
  z->disk = -1;
  pthread_mutex_init(&z->lock, NULL);
  if (!copy_desc(z, desc)) {
    free_store(z);
    return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for the store '%s'", desc->path);
  }
  lay_out(z);
  char err[RIA_ERR_TEXT];
  ria_status s = write_store(z, err, sizeof err);
  if (s != RIA_OK) {
    free_store(z);
    return ria_fail(ctx, s, "%s", err);
  }
  z->disk = ria_disk_open(z->layout.desc.path);
  *out = z;
  return RIA_OK;
}

void ria_zarr_destroy(ria_zarr **zarr) {
  ria_zarr *z = *zarr;
  if (!z) return;
  *zarr = NULL;
  (void)ria_writer_flush(z->writer);
  free_store(z);
}
