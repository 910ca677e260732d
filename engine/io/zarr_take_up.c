/* io/zarr_take_up.c - a store that a run finds when it goes on from a checkpoint: what it must have
 * is looked for, what lies beyond is removed.
 *
 * Metadata grow only when the chunks that they tell of are on disk, so a frame that an array's own
 * shows is there to the last chunk, unless somebody removed one: how many files each frame has is
 * known from the checkpoint. Cutting back goes the other way: metadata first, chunks last. */
#include "base/array.h"
#include "base/context.h"
#include "io/file.h"
#include "io/zarr_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ria_status fail_other(const ria_zarr *z, const char *what) {
  return ria_fail(z->ctx, RIA_ERR_OUTPUT,
                  "the run cannot go on with the store '%s': %s: put back what it was, or start "
                  "again (overwrite = true; ria run --overwrite)",
                  z->layout.desc.path, what);
}

static ria_status fail_missing(const ria_zarr *z, const char *name) {
  char what[RIA_NAME_MAX * 4];
  snprintf(what, sizeof what, "'%s' is missing in it", name);
  return fail_other(z, what);
}

/* --- its documents and times ------------------------------------------------------------------ */

/* A file of the store. */
static ria_status read_part(const ria_zarr *z, const char *name, ria_buffer *out) {
  char *path = ria_path_join(z->layout.desc.path, name);
  errno = ENOMEM;
  FILE *f = path ? fopen(path, "rb") : NULL;
  const bool memory = !f && errno == ENOMEM;
  char room[4096];
  size_t k;
  free(path);
  out->n = 0;
  if (memory) return ria_fail_memory(z->ctx, "a store", sizeof *f);
  if (!f) return fail_missing(z, name);
  while ((k = fread(room, 1, sizeof room, f)) > 0) ria_buffer_add(out, room, k);
  const bool whole = !ferror(f);
  fclose(f);
  if (out->failed) return ria_fail_memory(z->ctx, "a store", out->room);
  return whole ? RIA_OK : fail_missing(z, name);
}

/* The length of the first dimension of an array that grows; -1: none is told. */
static int64_t shown_in(const ria_buffer *document) {
  static const char key[] = "\"shape\": [";
  char text[512];
  const size_t n = document->n < sizeof text - 1 ? document->n : sizeof text - 1;
  memcpy(text, document->data, n);
  text[n] = '\0';
  const char *at = strstr(text, key);
  return at ? strtoll(at + sizeof key - 1, NULL, 10) : -1;
}

static bool same_bytes(const ria_buffer *a, const ria_buffer *b) {
  return a->n == b->n && memcmp(a->data, b->data, a->n) == 0;
}

typedef struct documents {
  ria_buffer key, json, there;
} documents;

/* Document k as it is: as this store has it, of n frames or more. *past: there is none. */
static ria_status check_document(const ria_zarr *z, size_t k, int64_t n, documents *d, bool *past) {
  bool grows;
  *past = !ria_zarr_meta_document(&z->layout, k, n, &d->key, &d->json, &grows);
  if (*past) return RIA_OK;
  if (d->key.failed || d->json.failed || d->there.failed)
    return ria_fail_memory(z->ctx, "a store", d->json.room);
  RIA_TRY(read_part(z, d->key.data, &d->there));
  const int64_t shown = grows ? shown_in(&d->there) : n;
  if (shown < n)
    return fail_other(z, "it shows fewer frames than were saved before the checkpoint");
  if (grows) ria_zarr_meta_document(&z->layout, k, shown, &d->key, &d->json, &grows);
  if (same_bytes(&d->json, &d->there)) return RIA_OK;
  return fail_other(z, "it holds other fields, or has them in another way, than this run");
}

static ria_status check_documents(const ria_zarr *z, int64_t n) {
  documents d = {0};
  bool past = false;
  ria_status s = RIA_OK;
  for (size_t k = 0; s == RIA_OK && !past; k++) s = check_document(z, k, n, &d, &past);
  ria_buffer_free(&d.key);
  ria_buffer_free(&d.json);
  ria_buffer_free(&d.there);
  return s;
}

static ria_status check_times(const ria_zarr *z) {
  ria_buffer there = {0};
  ria_status s = RIA_OK;
  char name[40];
  for (int64_t k = 0; s == RIA_OK && k < z->n_steps; k++) {
    const size_t at = (size_t)(k % ZARR_TIMES) * sizeof(double);
    snprintf(name, sizeof name, "time/%lld", (long long)(k / ZARR_TIMES));
    if (at == 0) s = read_part(z, name, &there);
    if (s != RIA_OK) break;
    if (there.n != ZARR_TIMES * sizeof(double) ||
        memcmp(there.data + at, &z->steps[k].t, sizeof(double)) != 0)
      s = fail_other(z, "its times are not those of this run");
  }
  ria_buffer_free(&there);
  return s;
}

/* --- its chunks ------------------------------------------------------------------------------- */

typedef struct looking {
  const ria_zarr *z;
  const ria_zarr_field *field; /* NULL: of no field */
  int64_t *made;               /* [1 + n] counts files, */
  bool removes;                /* or removes what lies beyond, and what is half-made */
} looking;

/* The frame of a chunk's file, -1 of a fixed field; false: it is no chunk of the store. */
static bool is_chunk(const looking *l, const char *file, int64_t *step) {
  long long of = -1;
  int tj, ti;
  char again[RIA_NAME_MAX * 4];
  if (!l->field) return false;
  const int n = l->field->fixed ? sscanf(file, "%d.%d", &tj, &ti) + 1
                                : sscanf(file, "%lld.%d.%d", &of, &tj, &ti);
  if (n != 3 || tj < 0 || ti < 0 || tj >= l->z->tiles_y || ti >= l->z->tiles_x) return false;
  ria_zarr_chunk_name(l->field, of, tj, ti, again, sizeof again);
  *step = of;
  return strcmp(again + strlen(l->field->name) + 1, file) == 0;
}

/* The number of a chunk of times; -1: it is none. */
static int64_t time_chunk(const looking *l, const char *file) {
  char again[32];
  const long long number = strtoll(file, NULL, 10);
  snprintf(again, sizeof again, "%lld", number);
  return !l->field && number >= 0 && strcmp(again, file) == 0 ? number : -1;
}

static bool is_beyond(const looking *l, const char *file) {
  char of[RIA_NAME_MAX * 4];
  int64_t step;
  if (ria_temp_belongs(file, of, sizeof of)) return true;
  if (is_chunk(l, file, &step)) return step >= l->z->n_steps;
  return time_chunk(l, file) * ZARR_TIMES >= l->z->n_steps && time_chunk(l, file) >= 0;
}

static int look_at(void *user, int dir, const char *file) {
  const looking *l = user;
  int64_t step;
  if (l->removes) {
    if (!is_beyond(l, file) || unlinkat(dir, file, 0) == 0 || errno == ENOENT) return 0;
    return errno;
  }
  if (is_chunk(l, file, &step) && step < l->z->n_steps) l->made[step + 1]++;
  return 0;
}

/* name: of a directory of the store; "" = itself. */
static ria_status look_into(looking *l, const char *name) {
  const ria_zarr *z = l->z;
  char err[RIA_ERR_TEXT];
  char *path = ria_path_join(z->layout.desc.path, name);
  if (!path) return ria_fail_memory(z->ctx, "a path", 0);
  const int dir = ria_disk_open(path);
  const int code = dir < 0 ? errno : ria_dir_each(dir, look_at, l);
  if (code) ria_error_errno(code, err, sizeof err, "cannot go on with", path);
  if (dir >= 0) close(dir);
  free(path);
  return code ? ria_fail(z->ctx, RIA_ERR_OUTPUT, "%s", err) : RIA_OK;
}

static ria_status look_into_fields(looking *l) {
  const ria_zarr_desc *d = &l->z->layout.desc;
  for (size_t k = 0; k < d->n_fields; k++) {
    l->field = &d->fields[k];
    RIA_TRY(look_into(l, l->field->name));
  }
  l->field = NULL;
  return RIA_OK;
}

static ria_status count_chunks(const ria_zarr *z, int64_t *made) {
  looking l = {.z = z, .made = made};
  char what[96];
  RIA_TRY(look_into_fields(&l));
  if (made[0] != z->fixed) return fail_other(z, "files of its fixed fields are missing");
  for (int64_t k = 0; k < z->n_steps; k++) {
    if (made[1 + k] == z->steps[k].made) continue;
    snprintf(what, sizeof what, "%lld of the %lld files of its frame %lld are there",
             (long long)made[1 + k], (long long)z->steps[k].made, (long long)k);
    return fail_other(z, what);
  }
  return RIA_OK;
}

static ria_status check_chunks(const ria_zarr *z) {
  int64_t *made = calloc((size_t)z->n_steps + 1, sizeof *made);
  if (!made) return ria_fail_memory(z->ctx, "a store", (size_t)z->n_steps * sizeof *made);
  const ria_status s = count_chunks(z, made);
  free(made);
  return s;
}

/* --- the whole -------------------------------------------------------------------------------- */

static ria_status take_steps(ria_zarr *z, const double *times, int64_t n, const int64_t *chunks) {
  RIA_TRY(ria_grow(z->ctx, "frames of a store", &z->steps, &z->room_steps, (size_t)n + 1,
                   sizeof *z->steps));
  for (int64_t k = 0; k < n; k++) z->steps[k] = (zarr_step){.t = times[k], .made = chunks[1 + k]};
  z->n_steps = z->shown = n;
  z->fixed = chunks[0];
  return RIA_OK;
}

static ria_status cut(ria_zarr *z) {
  char err[RIA_ERR_TEXT];
  looking l = {.z = z, .removes = true};
  const int64_t last = z->n_steps > 0 ? (z->n_steps - 1) / ZARR_TIMES * ZARR_TIMES : 0;
  ria_status s = ria_zarr_write_metadata(z, z->n_steps, false, err, sizeof err);
  if (s == RIA_OK) s = ria_zarr_write_times(z, last, z->n_steps, err, sizeof err);
  if (s != RIA_OK) return ria_fail(z->ctx, s, "%s", err);
  RIA_TRY(look_into_fields(&l));
  if (z->layout.timed) RIA_TRY(look_into(&l, "time"));
  return look_into(&l, "");
}

static ria_status take_up(ria_zarr *z, const double *times, int64_t n, const int64_t *chunks) {
  RIA_TRY(take_steps(z, times, n, chunks));
  if (!ria_file_exists(z->layout.desc.path))
    return fail_other(z, "it was begun before the checkpoint and is missing");
  RIA_TRY(check_documents(z, n));
  RIA_TRY(check_times(z));
  RIA_TRY(check_chunks(z));
  return cut(z);
}

ria_status ria_zarr_take_up(ria_context *ctx, ria_writer *w, const ria_zarr_desc *desc,
                            const double *times, int64_t n, const int64_t *chunks, ria_zarr **out) {
  ria_zarr *z;
  *out = NULL;
  RIA_TRY(ria_zarr_new(ctx, w, desc, &z));
  const ria_status s = take_up(z, times, n, chunks);
  if (s != RIA_OK) {
    ria_zarr_free(z);
    return s;
  }
  z->disk = ria_disk_open(z->layout.desc.path);
  *out = z;
  return RIA_OK;
}
