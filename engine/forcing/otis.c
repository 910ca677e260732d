/* forcing/otis.c - files of OTIS: see otis.h. */
#include "forcing/otis.h"

#include "base/context.h"
#include "io/access.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORD = 4, HEADER = 7 * WORD, GRID_HEADER = 8 * WORD };

typedef struct reader {
  ria_context *ctx;
  const char *path;
  FILE *file;
  double left; /* bytes of the file behind where it is read */
} reader;

/* --- records ---------------------------------------------------------------------------------- */

static uint32_t word_at(const unsigned char *b) {
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}
static int32_t int_at(const unsigned char *b) { return (int32_t)word_at(b); }
static double float_at(const unsigned char *b) {
  const uint32_t w = word_at(b);
  float v;
  memcpy(&v, &w, sizeof v);
  return (double)v;
}

static ria_status refuse(const reader *r, const char *what) {
  return ria_fail(r->ctx, RIA_ERR_INPUT,
                  "%s: %s: expected a file of OTIS, big-endian, as OSU's models come; other models "
                  "are read as rasters of amplitude and phase",
                  r->path, what);
}

static ria_status take(reader *r, void *to, size_t n) {
  if (fread(to, 1, n, r->file) == n) {
    r->left -= (double)n;
    return RIA_OK;
  }
  if (ferror(r->file))
    return ria_fail(r->ctx, RIA_ERR_INPUT, "cannot read %s: %s", r->path, strerror(errno));
  return refuse(r, "it ends in the middle of a record");
}

/* A record of n bytes; n = 0: of how many it has, at most `room`. Its size goes to *size. */
static ria_status take_record(reader *r, unsigned char *to, size_t n, size_t room, size_t *size) {
  unsigned char count[WORD];
  RIA_TRY(take(r, count, WORD));
  const size_t has = word_at(count);
  if (n ? has != n : has > room) {
    char what[128];
    snprintf(what, sizeof what, "a record of %zu bytes where %zu are due%s", has, n ? n : room,
             n ? "" : " at most");
    return refuse(r, what);
  }
  RIA_TRY(take(r, to, has));
  RIA_TRY(take(r, count, WORD));
  if (size) *size = has;
  return word_at(count) == has ? RIA_OK : refuse(r, "a record that does not end where it says");
}

static ria_status open_file(reader *r, ria_context *ctx, const char *path) {
  int fd;
  *r = (reader){.ctx = ctx, .path = path};
  RIA_TRY(ria_read_must(ctx, path, 0, &fd));
  r->file = fdopen(fd, "rb");
  if (!r->file) {
    close(fd);
    return ria_fail(ctx, RIA_ERR_MEMORY, "cannot open %s: out of memory", path);
  }
  if (fseek(r->file, 0, SEEK_END) != 0 || (r->left = (double)ftell(r->file)) < 0 ||
      fseek(r->file, 0, SEEK_SET) != 0)
    return ria_fail(ctx, RIA_ERR_INPUT, "cannot read %s: %s", path, strerror(errno));
  return RIA_OK;
}

/* --- headers ---------------------------------------------------------------------------------- */

/* n, m; limits: two latitudes, two longitudes. */
static ria_status grid_of(const reader *r, const unsigned char *counts, const unsigned char *limits,
                          ria_grid *out) {
  const int32_t nx = int_at(counts), ny = int_at(counts + WORD);
  const double south = float_at(limits), north = float_at(limits + WORD),
               west = float_at(limits + 2 * WORD), east = float_at(limits + 3 * WORD);
  char what[160];
  if (nx < 2 || ny < 2 || (double)nx * ny > 1e9) {
    snprintf(what, sizeof what, "a grid of %d x %d cells", nx, ny);
    return refuse(r, what);
  }
  if (!(south >= -90.01 && north <= 90.01 && north > south && west >= -360.01 && east <= 720.01 &&
        east > west && east - west <= 361)) {
    snprintf(what, sizeof what, "cells from %g to %g and %g to %g, no latitudes and longitudes",
             south, north, west, east);
    return refuse(r, what);
  }
  *out = (ria_grid){.nx = nx,
                    .ny = ny,
                    .dx = (east - west) / nx,
                    .dy = (north - south) / ny,
                    .x0 = west,
                    .y0 = south};
  return RIA_OK;
}

static void take_names(const unsigned char *from, ria_otis *out) {
  for (int k = 0; k < out->n; k++) {
    memcpy(out->name[k], from + k * WORD, WORD);
    for (int c = WORD - 1; c >= 0 && (out->name[k][c] == ' ' || !out->name[k][c]); c--)
      out->name[k][c] = '\0';
  }
}

static ria_status read_header(reader *r, ria_otis *out) {
  unsigned char head[HEADER + RIA_OTIS_MOST * WORD];
  size_t size;
  RIA_TRY(take_record(r, head, 0, sizeof head, &size));
  if (size < HEADER + WORD) return refuse(r, "its first record is too short");
  const int32_t n = int_at(head + 2 * WORD);
  if (n < 1 || n > RIA_OTIS_MOST || size != HEADER + (size_t)n * WORD)
    return refuse(r, "its first record has other names than it counts");
  out->n = n;
  take_names(head + HEADER, out);
  RIA_TRY(grid_of(r, head, head + 3 * WORD, &out->grid));
  const double numbers = (r->left / n - 2 * WORD) / WORD / ((double)out->grid.nx * out->grid.ny);
  out->numbers = numbers == 2 ? 2 : numbers == 4 ? 4 : 0;
  if (!out->numbers)
    return refuse(r, "it is not as long as its constituents on its grid, of levels or transports");
  return RIA_OK;
}

ria_status ria_otis_open(ria_context *ctx, const char *path, ria_otis *out) {
  reader r;
  *out = (ria_otis){.path = path};
  ria_status status = open_file(&r, ctx, path);
  out->file = r.file;
  if (status == RIA_OK) status = read_header(&r, out);
  if (status == RIA_OK) out->first = ftell(r.file);
  return status;
}

void ria_otis_close(ria_otis *f) {
  if (f->file) (void)fclose(f->file);
  f->file = NULL;
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* n floats of the device that reads, from those of the file in their place. */
static void turn_floats(float *v, size_t n) {
  for (size_t k = 0; k < n; k++) v[k] = (float)float_at((const unsigned char *)&v[k]);
}

static ria_status take_floats(reader *r, float *to, size_t n) {
  RIA_TRY(take_record(r, (unsigned char *)to, n * sizeof *to, 0, NULL));
  turn_floats(to, n);
  return RIA_OK;
}

ria_status ria_otis_read(ria_context *ctx, const ria_otis *f, int k, float *out) {
  reader r = {.ctx = ctx, .path = f->path, .file = f->file};
  const size_t n = (size_t)f->grid.nx * (size_t)f->grid.ny * (size_t)f->numbers;
  const double at = (double)f->first + k * (double)(n * sizeof *out + 2 * WORD);
  if (at > (double)LONG_MAX || fseek(f->file, (long)at, SEEK_SET) != 0)
    return ria_fail(ctx, RIA_ERR_INPUT, "cannot read %s: %s", f->path, strerror(errno));
  return take_floats(&r, out, n);
}

static ria_status read_depth(reader *r, ria_grid *grid, float **depth) {
  unsigned char head[GRID_HEADER], count[WORD];
  RIA_TRY(take_record(r, head, GRID_HEADER, 0, NULL));
  RIA_TRY(grid_of(r, head, head + 2 * WORD, grid));
  RIA_TRY(take(r, count, WORD)); /* open boundaries: not needed */
  const size_t skip = word_at(count), n = (size_t)grid->nx * (size_t)grid->ny;
  if ((double)skip > r->left || fseek(r->file, (long)skip + WORD, SEEK_CUR) != 0)
    return refuse(r, "it ends in the middle of a record");
  *depth = malloc(n * sizeof **depth);
  if (!*depth) return ria_fail_memory(r->ctx, "depths of a tidal model", n * sizeof **depth);
  return take_floats(r, *depth, n);
}

ria_status ria_otis_depth(ria_context *ctx, const char *path, ria_grid *grid, float **depth) {
  reader r;
  *depth = NULL;
  ria_status status = open_file(&r, ctx, path);
  if (status == RIA_OK) status = read_depth(&r, grid, depth);
  if (r.file) (void)fclose(r.file);
  if (status == RIA_OK) return RIA_OK;
  free(*depth);
  *depth = NULL;
  return status;
}
