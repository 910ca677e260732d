/* io/zarr_make.c - making a store, and freeing it.
 *
 * A store is filled under a temporary name beside its place, synced and renamed: readers
 * find a whole store or none, at any moment and after a crash. */
#include "io/crs.h"
#include "io/file.h"
#include "io/zarr_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  if (!group) return ria_zarr_no_memory(z, err, errsize);
  const bool is_store = ria_file_exists(group);
  free(group);
  if (is_store) return RIA_OK;
  return ria_error_text(RIA_ERR_OUTPUT, err, errsize,
                        "'%s' exists and is not a store: it is not overwritten",
                        z->layout.desc.path);
}

static ria_status make_part(const ria_zarr *z, const char *name, char *err, size_t errsize) {
  char *path = ria_path_join(z->layout.desc.path, name);
  if (!path) return ria_zarr_no_memory(z, err, errsize);
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
  if (!x) return ria_zarr_no_memory(z, err, errsize);
  for (int k = 0; k < n; k++) x[k] = x0 + (k + 0.5) * dx;
  ria_status s = ria_zarr_part(z, ria_file_put, name, x, (size_t)n * sizeof *x, err, errsize);
  free(x);
  return s;
}

static ria_status fill_store(const ria_zarr *z, char *err, size_t errsize) {
  const ria_grid *g = &z->layout.desc.grid;
  static const int32_t nothing = 0;
  RIA_TRY(make_directories(z, err, errsize));
  const bool turned = g->angle != 0.0; /* then from the corner: no reader takes it for the map */
  RIA_TRY(write_axis(z, "x/0", g->nx, turned ? 0.0 : g->x0, g->dx, err, errsize));
  RIA_TRY(write_axis(z, "y/0", g->ny, turned ? 0.0 : g->y0, g->dy, err, errsize));
  if (ria_crs_given(z->layout.desc.crs))
    RIA_TRY(ria_zarr_part(z, ria_file_put, "crs/0", &nothing, sizeof nothing, err, errsize));
  RIA_TRY(ria_zarr_write_metadata(z, 0, true, err, errsize));
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

void ria_zarr_free(ria_zarr *z) {
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

ria_status ria_zarr_new(ria_context *ctx, ria_writer *w, const ria_zarr_desc *desc,
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
    ria_zarr_free(z);
    return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for the store '%s'", desc->path);
  }
  lay_out(z);
  *out = z;
  return RIA_OK;
}

ria_status ria_zarr_create(ria_context *ctx, ria_writer *w, const ria_zarr_desc *desc,
                           ria_zarr **out) {
  ria_zarr *z;
  char err[RIA_ERR_TEXT];
  *out = NULL;
  RIA_TRY(ria_zarr_new(ctx, w, desc, &z));
  ria_status s = write_store(z, err, sizeof err);
  if (s != RIA_OK) {
    ria_zarr_free(z);
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
  ria_zarr_free(z);
}
