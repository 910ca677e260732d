/* run/checkpoint_behind.c - a checkpoint that is written while the run goes on.
 *
 * The state is copied in memory, a GPU's behind the steps to come, by way of a copy there; the job
 * waits for all outputs that were asked for before it (ria_writer_push_behind), so that the file
 * claims nothing that is not on disk, then writes, syncs and names the file, and removes older
 * ones. Where memory is short for a copy nothing is done: the caller writes while the run waits. */
#include "base/array.h"
#include "base/context.h"
#include "base/memory.h"
#include "base/ranks.h"
#include "io/file.h"
#include "run/checkpoints.h"
#include "run/run.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double spare = 256e6; /* bytes that a copy leaves */

enum { LARGE = 4096 }; /* bytes of an item of the solver that gets room which stays */

typedef struct copied {
  ria_state_item item; /* its ticket: the data are to come */
  bool in_room;
  char name[RIA_PIECE_NAME];
} copied;

typedef struct stored {
  ria_zarr *store; /* lives until no job is left */
  int64_t frames;
} stored;

typedef struct behind {
  ria_sim *sim;  /* for its rooms, and to await */
  void *given;   /* the room that was given last */
  copied *piece; /* [n] */
  size_t n, room;
  stored *store; /* [n_stores] */
  size_t n_stores;
  char *folder;
  int64_t number, keep;
} behind;

static ria_status await_copy(const behind *b, copied *c, char *err, size_t errsize) {
  void *ticket = c->item.ticket;
  c->item.ticket = NULL;
  return ticket ? b->sim->ops->await(b->sim->self, ticket, err, errsize) : RIA_OK;
}

/* A copy that is under way must not go on into memory that has another use. */
static void drop(void *job) {
  behind *b = job;
  char ignored[RIA_ERR_TEXT];
  ria_keeping *keeping = b->sim->keeping;
  for (size_t k = 0; k < b->n; k++) {
    (void)await_copy(b, &b->piece[k], ignored, sizeof ignored);
    if (!b->piece[k].in_room) free(b->piece[k].item.data);
  }
  for (size_t k = 0; k < keeping->n_rooms; k++) keeping->room[k].used = false;
  free(b->piece);
  free(b->store);
  free(b->folder);
  free(b);
  keeping->writes = false; /* from here on the next may be taken */
}

/* --- the job ---------------------------------------------------------------------------------- */

typedef struct writing {
  ria_pieces_out out;
  char *err;
  size_t errsize;
} writing;

static ria_status put(void *user, const ria_state_item *item) {
  writing *w = user;
  return ria_pieces_put(&w->out, item, w->err, w->errsize);
}

static ria_status put_all(const behind *b, writing *w) {
  for (size_t k = 0; k < b->n_stores; k++) {
    if (!b->store[k].store) continue;
    const ria_status s = ria_checkpoint_store(b->store[k].store, b->store[k].frames, k, put, w);
    if (s == RIA_ERR_MEMORY) return ria_error_text(s, w->err, w->errsize, "out of memory");
    RIA_TRY(s);
  }
  for (size_t k = 0; k < b->n; k++) RIA_TRY(put(w, &b->piece[k].item));
  return RIA_OK;
}

static ria_status write_file(const behind *b, char *err, size_t errsize) {
  char name[RIA_CHECKPOINT_NAME];
  writing w = {.err = err, .errsize = errsize};
  ria_checkpoint_name(b->number, name);
  char *path = ria_path_join(b->folder, name);
  if (!path) return ria_error_text(RIA_ERR_MEMORY, err, errsize, "out of memory");
  ria_status s = ria_pieces_create(&w.out, path, err, errsize);
  if (s == RIA_OK) s = put_all(b, &w);
  s = ria_pieces_close(&w.out, s, err, errsize);
  free(path);
  return s;
}

static int remove_old(void *user, int dir, const char *file) {
  const behind *b = user;
  const int64_t number = ria_checkpoint_number(file);
  if (!number || number > b->number - b->keep) return 0;
  return unlinkat(dir, file, 0) == 0 || errno == ENOENT ? 0 : errno;
}

static ria_status remove_older(behind *b, char *err, size_t errsize) {
  const int dir = ria_disk_open(b->folder);
  const int code = dir >= 0 ? ria_dir_each(dir, remove_old, b) : errno;
  if (dir >= 0) close(dir);
  return code ? ria_error_errno(code, err, errsize, "cannot remove checkpoints from", b->folder)
              : RIA_OK;
}

static ria_status run(void *job, char *err, size_t errsize) {
  behind *b = job;
  for (size_t k = 0; k < b->n; k++) RIA_TRY(await_copy(b, &b->piece[k], err, errsize));
  RIA_TRY(ria_dir_make(b->folder, err, errsize));
  RIA_TRY(write_file(b, err, errsize));
  return remove_older(b, err, errsize);
}

/* --- the copy --------------------------------------------------------------------------------- */

static bool has_memory(size_t bytes) { return ria_memory_available() >= (double)bytes + spare; }

/* One that no piece has, of so many bytes; a new one else. NULL: there is no memory for it. */
static void *find_room(ria_sim *sim, size_t bytes) {
  ria_keeping *k = sim->keeping;
  const ria_backend *backend = sim->backend;
  void *data = NULL;
  for (size_t i = 0; i < k->n_rooms; i++) {
    if (k->room[i].used || k->room[i].bytes != bytes) continue;
    k->room[i].used = true;
    return k->room[i].data;
  }
  if (!has_memory(bytes) ||
      ria_grow(NULL, "", &k->room, &k->most_rooms, k->n_rooms + 1, sizeof *k->room) != RIA_OK)
    return NULL;
  if (backend->alloc_output(sim->ctx, backend, bytes, &data) != RIA_OK) {
    ria_error_clear(sim->ctx);
    return NULL;
  }
  k->room[k->n_rooms++] = (ria_kept_room){data, bytes, true};
  return data;
}

/* Ordinary memory is quick to make. */
static void *give_room(void *user, size_t bytes) {
  behind *b = user;
  const bool stays = b->sim->backend->kind == RIA_BACKEND_CUDA && bytes >= LARGE;
  b->given = stays ? find_room(b->sim, bytes) : NULL;
  return b->given;
}

static ria_status copy_data(behind *b, copied *c, const ria_state_item *item) {
  const size_t bytes = ria_state_bytes(item);
  c->in_room = item->data && item->data == b->given;
  if (c->in_room) return RIA_OK; /* a device copies to it */
  if (!has_memory(bytes)) return RIA_ERR_MEMORY;
  const bool grows = isupper((unsigned char)c->name[0]); /* the engine's own: the record */
  c->item.data = grows ? NULL : give_room(b, bytes);
  c->in_room = c->item.data != NULL;
  if (!c->in_room) c->item.data = malloc(bytes + 1);
  if (!c->item.data) return RIA_ERR_MEMORY;
  memcpy(c->item.data, item->data, bytes);
  return RIA_OK;
}

static ria_status copy_item(void *user, const ria_state_item *item) {
  behind *b = user;
  copied c = {.item = *item};
  char ignored[RIA_ERR_TEXT];
  snprintf(c.name, sizeof c.name, "%s", item->name);
  ria_status s = strlen(item->name) < sizeof c.name ? RIA_OK : RIA_ERR_MEMORY; /* put_now says so */
  if (s == RIA_OK) s = ria_grow(NULL, "", &b->piece, &b->room, b->n + 1, sizeof *b->piece);
  if (s == RIA_OK) s = copy_data(b, &c, item);
  b->given = NULL;
  if (s == RIA_OK)
    b->piece[b->n++] = c;
  else
    (void)await_copy(b, &c, ignored, sizeof ignored);
  return s;
}

static ria_status copy_stores(ria_sim *sim, behind *b) {
  const size_t n = ria_saves_stores(sim, NULL, 0);
  ria_zarr **stores = calloc(n + 1, sizeof *stores);
  b->store = calloc(n + 1, sizeof *b->store);
  const bool have = stores && b->store;
  if (have) {
    ria_saves_stores(sim, stores, n);
    for (size_t k = 0; k < n; k++)
      b->store[k] = (stored){stores[k], stores[k] ? ria_zarr_frames(stores[k]) : 0};
    b->n_stores = n;
  }
  free(stores);
  return have ? RIA_OK : RIA_ERR_MEMORY; /* without its stores no run goes on from it */
}

static ria_status begin_copy(ria_sim *sim, int64_t number, behind *b) {
  b->number = number;
  b->keep = sim->keeping->desc.keep;
  RIA_TRY(ria_out_path(sim, RIA_CHECKPOINTS, &b->folder));
  return copy_stores(sim, b);
}

/* Of ranks the first has the copy, of the whole. */
ria_status ria_checkpoint_behind(ria_sim *sim, int64_t number, bool *copied) {
  const bool root = ria_ranks_write(sim->ctx);
  behind *b = root && !sim->record.too_large ? calloc(1, sizeof *b) : NULL;
  const ria_state_walk walk = {.visit = copy_item, .user = b, .room = give_room};
  if (b) b->sim = sim;
  ria_status s = b ? begin_copy(sim, number, b) : root ? RIA_ERR_MEMORY : RIA_OK;
  s = ria_checkpoint_copied(sim, ria_checkpoint_walk(sim, s, &walk));
  *copied = s == RIA_OK;
  if (!b) return s;
  if (s != RIA_OK) {
    drop(b);
    return s;
  }
  for (size_t k = 0; k < b->n; k++) b->piece[k].item.name = b->piece[k].name; /* none moves now */
  sim->keeping->writes = true;
  return ria_writer_push_behind(sim->outputs->writer, b, run, drop);
}
