/* io/zarr_read.c - a store of fields read back.
 *
 * Of Zarr v2 what io/zarr_meta.c writes: numbers of 4 or 8 bytes in this machine's order, chunks
 * plain or as zlib streams, names joined by dots. Anything else is refused by name. */
#include "io/store.h"
#include "base/context.h"
#include "base/text.h"
#include "io/access.h"
#include "io/crs.h"
#include "io/file.h"
#include "io/json_read.h"
#include "io/text_file.h"
#include "io/zarr_meta.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { META_MOST = 1 << 20, CHUNK_MOST = 1 << 30 };

/* --- files of a store ------------------------------------------------------------------------- */

/* path/<name>/<file>, malloc'ed. */
static char *path_to(const ria_store *s, const char *name, const char *file) {
  char *of = ria_path_join(s->path, name), *full = of ? ria_path_join(of, file) : NULL;
  free(of);
  return full;
}

static bool is_file(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The text of path/<name>/<file>; *text NULL: it is not there. */
static ria_status slurp(ria_context *ctx, const ria_store *s, const char *name, const char *file,
                        char **text, size_t *n) {
  char *path = path_to(s, name, file);
  *text = NULL;
  if (!path) return ria_fail_memory(ctx, "a store", 1);
  const ria_status status = is_file(path) ? ria_text_slurp(ctx, path, META_MOST, text, n) : RIA_OK;
  free(path);
  return status;
}

/* --- metadata --------------------------------------------------------------------------------- */

/* *there false: there is no such array. */
static ria_status array_of(ria_context *ctx, const ria_store *s, const char *name,
                           ria_zarr_array *a, bool *there) {
  char *text;
  size_t n;
  ria_json_reader r;
  memset(a, 0, sizeof *a);
  RIA_TRY(slurp(ctx, s, name, ".zarray", &text, &n));
  *there = text != NULL;
  if (!text) return RIA_OK;
  const char *why =
      ria_json_begin(&r, text, n) ? ria_zarr_array_read(&r, a) : "its .zarray is not JSON";
  free(text);
  return why ? ria_store_fail(ctx, s, name, why) : RIA_OK;
}

static bool is_number(const char *type) {
  return strcmp(type, ZARR_ENDIAN "f8") == 0 || strcmp(type, ZARR_ENDIAN "f4") == 0;
}

ria_status ria_store_text(ria_context *ctx, const ria_store *s, const char *name, const char *key,
                          char *out, size_t size) {
  char *text, at[64];
  size_t n;
  ria_json_reader r;
  *out = '\0';
  RIA_TRY(slurp(ctx, s, name, ".zattrs", &text, &n));
  if (!text) return RIA_OK;
  bool more = ria_json_begin(&r, text, n) && ria_json_enter(&r, '{');
  while (more && (more = ria_json_key(&r, at, sizeof at)))
    if (strcmp(at, key) == 0 && ria_json_peek(&r) == '"')
      ria_json_get_text(&r, out, size);
    else
      ria_json_skip(&r);
  free(text);
  return RIA_OK;
}

ria_status ria_store_attributes(ria_context *ctx, const ria_store *s, const char *name, char **json,
                                size_t *n) {
  return slurp(ctx, s, name, ".zattrs", json, n);
}

/* --- chunks ----------------------------------------------------------------------------------- */

/* The bytes of a chunk, `size` of them; *there false: it is left out. */
static ria_status chunk_of(ria_context *ctx, const ria_store *s, const char *name,
                           const char *chunk, bool packed, size_t size, unsigned char *out,
                           bool *there) {
  char *path = path_to(s, name, chunk), err[RIA_ERR_TEXT] = "";
  if (!path) return ria_fail_memory(ctx, "a store", 1);
  int fd;
  const ria_status may = ria_read_open(ctx, path, 0, &fd);
  FILE *f = fd >= 0 ? fdopen(fd, "rb") : NULL;
  *there = f != NULL;
  const int code = !f && errno != ENOENT ? errno : 0;
  if (code) ria_error_errno(code, err, sizeof err, "cannot read", path);
  if (!f && fd >= 0) close(fd);
  free(path);
  RIA_TRY(may);
  if (code) return ria_fail(ctx, code == ENOMEM ? RIA_ERR_MEMORY : RIA_ERR_INPUT, "%s", err);
  if (!f) return RIA_OK;
  const size_t room = packed ? compressBound((uLong)size) + 1024 : size + 1;
  unsigned char *raw = malloc(room);
  const size_t n = raw ? fread(raw, 1, room, f) : 0;
  fclose(f);
  if (!raw) return ria_fail_memory(ctx, "a chunk", room);
  uLongf got = (uLongf)size;
  const int unpacked = packed ? uncompress(out, &got, raw, (uLong)n) : Z_OK;
  const bool well = packed ? unpacked == Z_OK && got == size : n == size && memcpy(out, raw, size);
  free(raw);
  if (unpacked == Z_MEM_ERROR) return ria_fail_memory(ctx, "a chunk", size);
  char what[RIA_STORE_NAME + 64];
  snprintf(what, sizeof what, "%s/%s", name, chunk);
  return well ? RIA_OK : ria_store_fail(ctx, s, what, "the chunk is damaged, or of another size");
}

/* Bytes of a number of a line; 0: of no kind that is read. */
static size_t size_of(const char *type) {
  static const char *const known[] = {ZARR_ENDIAN "f8", ZARR_ENDIAN "f4", ZARR_ENDIAN "i8",
                                      ZARR_ENDIAN "i4"};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (strcmp(type, known[k]) == 0) return (size_t)(type[2] - '0');
  return 0;
}

static double number_at(const char *raw, size_t k, const char *type) {
  double d;
  float f;
  int64_t l;
  int32_t i;
  if (strcmp(type + 1, "f8") == 0) return memcpy(&d, raw + 8 * k, 8), d;
  if (strcmp(type + 1, "f4") == 0) return memcpy(&f, raw + 4 * k, 4), (double)f;
  if (strcmp(type + 1, "i8") == 0) return memcpy(&l, raw + 8 * k, 8), (double)l;
  return memcpy(&i, raw + 4 * k, 4), (double)i;
}

/* n numbers become doubles where they are, from the last on. */
static void widen(double *v, size_t n, const char *type) {
  for (size_t k = n; k-- > 0;) v[k] = number_at((const char *)v, k, type);
}

ria_status ria_store_line(ria_context *ctx, const ria_store *s, const char *name, double **out,
                          size_t *n) {
  ria_zarr_array a;
  bool there;
  RIA_TRY(array_of(ctx, s, name, &a, &there));
  if (!there) return ria_store_fail(ctx, s, name, "there is no such array");
  const size_t size = size_of(a.type);
  if (a.dims != 1 || !size) return ria_store_fail(ctx, s, name, "it is not a line of numbers");
  if (a.chunk[0] * (int64_t)size > CHUNK_MOST)
    return ria_store_fail(ctx, s, name, "its chunks are larger than any that ria writes");
  const size_t all = (size_t)a.shape[0], each = (size_t)a.chunk[0],
               chunks = (all + each - 1) / each;
  double *v = malloc((chunks * each + 1) * sizeof *v);
  if (!v) return ria_fail_memory(ctx, "a store", chunks * each * sizeof *v);
  ria_status status = RIA_OK;
  for (size_t k = 0; k < chunks && status == RIA_OK; k++) {
    char chunk[32];
    snprintf(chunk, sizeof chunk, "%zu", k);
    status = chunk_of(ctx, s, name, chunk, a.packed, each * size, (unsigned char *)(v + k * each),
                      &there);
    if (status == RIA_OK && !there)
      status = ria_store_fail(ctx, s, name, "a chunk of it is missing");
    if (status == RIA_OK) widen(v + k * each, each, a.type);
  }
  for (size_t k = 0; k < all && status == RIA_OK; k++)
    if (!isfinite(v[k]))
      status = ria_store_fail(ctx, s, name, "it has a value that is not a number");
  if (status != RIA_OK) {
    free(v);
    return status;
  }
  *out = v;
  *n = all;
  return RIA_OK;
}

/* --- opening ---------------------------------------------------------------------------------- */

static ria_status read_axis(ria_context *ctx, ria_store *s, const char *name, int axis) {
  double *v;
  size_t n;
  char unit[32];
  RIA_TRY(ria_store_text(ctx, s, name, "units", unit, sizeof unit));
  if (strcmp(unit, "m") != 0) return ria_store_fail(ctx, s, name, "it is not in m");
  RIA_TRY(ria_store_line(ctx, s, name, &v, &n));
  const ria_status status = ria_store_axis(ctx, s, name, axis, v, n, 0.0);
  free(v);
  return status;
}

static ria_status read_times(ria_context *ctx, ria_store *s) {
  char unit[96];
  ria_zarr_array a;
  bool there = true;
  if (s->how.timeless) RIA_TRY(array_of(ctx, s, "time", &a, &there));
  if (!there) return RIA_OK;
  RIA_TRY(ria_store_text(ctx, s, "time", "units", unit, sizeof unit));
  RIA_TRY(ria_store_line(ctx, s, "time", &s->time, &s->n_times));
  return ria_store_dates(ctx, s, "time", unit);
}

/* One that stays has y and x alone: as of one time. */
static void add_time(ria_zarr_array *a) {
  for (int k = 2; k > 0; k--) a->shape[k] = a->shape[k - 1], a->chunk[k] = a->chunk[k - 1];
  a->shape[0] = INT32_MAX;
  a->chunk[0] = 1;
}

static ria_status take_field(ria_context *ctx, ria_store *s, const char *name) {
  ria_zarr_array a;
  bool there;
  RIA_TRY(array_of(ctx, s, name, &a, &there));
  if (!there || (a.dims != 3 && a.dims != 2)) return RIA_OK;
  if (a.dims == 3 && !s->n_times)
    return ria_store_fail(ctx, s, name, "the store has no times for it");
  if (a.dims == 2) add_time(&a);
  if (a.shape[0] < (int64_t)s->n_times || a.shape[1] != s->grid.ny || a.shape[2] != s->grid.nx)
    return ria_store_fail(ctx, s, name, "its shape is not that of time, y and x");
  if (a.chunk[0] != 1 || !is_number(a.type) ||
      (double)a.chunk[1] * (double)a.chunk[2] * 8.0 > (double)CHUNK_MOST)
    return ria_store_fail(ctx, s, name,
                          "its chunks are not tiles of one time, of floats or doubles");
  ria_stored_field *f;
  RIA_TRY(ria_store_add(ctx, s, name, a.dims == 2, &f));
  f->array = a;
  return RIA_OK;
}

static ria_status read_fields(ria_context *ctx, ria_store *s) {
  int fd;
  RIA_TRY(ria_read_open(ctx, s->path, O_DIRECTORY, &fd));
  DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
  const bool memory = !dir && errno == ENOMEM;
  if (!dir && fd >= 0) close(fd);
  ria_status status = RIA_OK;
  if (memory) return ria_fail_memory(ctx, "a store", 1);
  if (!dir) return ria_store_fail(ctx, s, ".", "the directory cannot be read");
  for (const struct dirent *e; status == RIA_OK && (e = readdir(dir));)
    if (e->d_name[0] != '.' && strlen(e->d_name) < RIA_STORE_NAME)
      status = take_field(ctx, s, e->d_name);
  closedir(dir);
  return status;
}

/* The numbers of an array, n of them. */
static bool read_list(ria_json_reader *r, double *to, int n) {
  int k = 0;
  if (!ria_json_enter(r, '[')) return false;
  while (ria_json_element(r)) {
    double v;
    if (!ria_json_get_number(r, &v)) return false;
    if (k < n) to[k] = v;
    k++;
  }
  return k == n;
}

/* A grid with an angle: its axes begin at the corner, which the group tells. */
static ria_status read_turn(ria_context *ctx, ria_store *s) {
  char *text, key[40];
  size_t n;
  ria_json_reader r;
  double angle = 0.0, map[6] = {0};
  bool well = true;
  RIA_TRY(slurp(ctx, s, ".", ".zattrs", &text, &n));
  if (!text) return RIA_OK;
  bool more = ria_json_begin(&r, text, n) && ria_json_enter(&r, '{');
  while (more && (more = ria_json_key(&r, key, sizeof key)))
    if (strcmp(key, "grid_angle") == 0)
      well = ria_json_get_number(&r, &angle) && well;
    else if (strcmp(key, "affine") == 0)
      well = read_list(&r, map, 6) && well;
    else
      ria_json_skip(&r);
  free(text);
  if (!well || r.failed || fabs(angle) > 180.0)
    return ria_store_fail(ctx, s, ".", "its grid_angle and affine cannot be read");
  if (angle == 0.0) return RIA_OK;
  s->grid.angle = angle;
  s->grid.x0 += map[0];
  s->grid.y0 += map[3];
  return RIA_OK;
}

static ria_status open_at(ria_context *ctx, ria_store *s) {
  RIA_TRY(read_axis(ctx, s, "x", 0));
  RIA_TRY(read_axis(ctx, s, "y", 1));
  RIA_TRY(read_turn(ctx, s));
  RIA_TRY(read_times(ctx, s));
  RIA_TRY(ria_store_check(ctx, s));
  return read_fields(ctx, s);
}

/* --- what it has ------------------------------------------------------------------------------ */

static bool other_crs(const ria_store *s, const char *crs) {
  ria_buffer ours = {0};
  char *theirs = NULL;
  size_t n = 0;
  bool other = false;
  ria_crs_attributes(crs, &ours);
  ria_buffer_add(&ours, "", 1);
  if (!ours.failed && slurp(NULL, s, "crs", ".zattrs", &theirs, &n) == RIA_OK && theirs)
    other = strstr(theirs, ours.data) == NULL;
  free(theirs);
  ria_buffer_free(&ours);
  return other;
}

static ria_status unit_of(ria_context *ctx, const ria_store *s, const ria_stored_field *f,
                          char *unit, size_t size) {
  return ria_store_text(ctx, s, f->name, "units", unit, size);
}

void ria_store_tile(const ria_store *s, const char *field, int *wide, int *high, int *bytes) {
  const ria_zarr_array *a = &ria_store_find(s, field)->array;
  *wide = (int)a->chunk[2];
  *high = (int)a->chunk[1];
  *bytes = a->type[2] - '0';
}

/* --- values ----------------------------------------------------------------------------------- */

/* What a tile has of the window. tile: its numbers, NULL: it is left out. */
static void take_tile(const ria_zarr_array *a, const ria_window *w, int ti, int tj,
                      const unsigned char *tile, double *out) {
  const int wide = (int)a->chunk[2], high = (int)a->chunk[1], width = w->i1 - w->i0;
  const int i0 = ti * wide > w->i0 ? ti * wide : w->i0, j0 = tj * high > w->j0 ? tj * high : w->j0;
  const bool doubles = a->type[2] == '8';
  for (int j = j0; j < w->j1 && j < (tj + 1) * high; j++)
    for (int i = i0; i < w->i1 && i < (ti + 1) * wide; i++) {
      const size_t at = (size_t)(j - tj * high) * (size_t)wide + (size_t)(i - ti * wide);
      double *to = &out[(size_t)(j - w->j0) * (size_t)width + (size_t)(i - w->i0)];
      *to = !tile     ? (double)NAN
            : doubles ? ((const double *)(const void *)tile)[at]
                      : (double)((const float *)(const void *)tile)[at];
      if (*to == a->fill || (!doubles && *to == (double)(float)a->fill)) *to = (double)NAN;
    }
}

static ria_status read_field(ria_context *ctx, const ria_store *s, const ria_stored_field *f,
                             size_t k, const ria_window *w, double *out) {
  const ria_zarr_array *a = &f->array;
  const size_t size = (size_t)a->chunk[1] * (size_t)a->chunk[2] *
                      (a->type[2] == '8' ? sizeof(double) : sizeof(float));
  unsigned char *tile = malloc(size);
  if (!tile) return ria_fail_memory(ctx, "a chunk", size);
  ria_status status = RIA_OK;
  for (int tj = w->j0 / (int)a->chunk[1]; tj * a->chunk[1] < w->j1; tj++)
    for (int ti = w->i0 / (int)a->chunk[2]; ti * a->chunk[2] < w->i1 && status == RIA_OK; ti++) {
      char chunk[64];
      bool there = false;
      if (a->dims == 2)
        snprintf(chunk, sizeof chunk, "%d.%d", tj, ti);
      else
        snprintf(chunk, sizeof chunk, "%zu.%d.%d", k, tj, ti);
      status = chunk_of(ctx, s, f->name, chunk, a->packed, size, tile, &there);
      if (status == RIA_OK) take_tile(a, w, ti, tj, there ? tile : NULL, out);
    }
  free(tile);
  return status;
}

const ria_store_kind ria_zarr_kind = {
    .open = open_at, .unit = unit_of, .other_crs = other_crs, .read = read_field};
