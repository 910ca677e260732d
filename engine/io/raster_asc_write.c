/* io/raster_asc_write.c - writing ESRI ASCII grids, plain or gzip by the name.
 *
 * Values get as many digits as it takes to read the same double back. The text is streamed through
 * zlib (which also writes plain files) into a file beside the target that takes its name at the
 * end, so what bears the name is always whole. */
#include "io/number.h"
#include "io/raster_asc.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK = 1 << 16, NUMBER = 32 };

typedef struct sink {
  gzFile file;
  size_t used;
  bool failed;
  char block[BLOCK];
} sink;

static void flush(sink *out) {
  if (out->used > 0 && gzwrite(out->file, out->block, (unsigned)out->used) <= 0) out->failed = true;
  out->used = 0;
}

static void put(sink *out, const char *s, size_t n) {
  if (out->used + n > BLOCK) flush(out);
  memcpy(out->block + out->used, s, n);
  out->used += n;
}

static void put_entry(sink *out, const char *key, double v) {
  char line[64], number[NUMBER];
  ria_number_format(v, number);
  int n = snprintf(line, sizeof line, "%-13s %s\n", key, number);
  put(out, line, (size_t)n);
}

static void put_header(sink *out, const ria_grid *g, double nodata) {
  put_entry(out, "ncols", g->nx);
  put_entry(out, "nrows", g->ny);
  put_entry(out, "xllcorner", g->x0);
  put_entry(out, "yllcorner", g->y0);
  if (g->dx == g->dy) {
    put_entry(out, "cellsize", g->dx);
  } else {
    put_entry(out, "dx", g->dx);
    put_entry(out, "dy", g->dy);
  }
  put_entry(out, "NODATA_value", nodata);
}

static void put_values(sink *out, const ria_raster *r, double nodata) {
  const ria_grid *g = &r->grid;
  for (int j = g->ny - 1; j >= 0 && !out->failed; j--) {
    const double *row = r->data + (size_t)j * (size_t)g->nx;
    for (int i = 0; i < g->nx; i++) {
      char number[NUMBER];
      int n = ria_number_format(isnan(row[i]) ? nodata : row[i], number);
      number[n++] = i + 1 < g->nx ? ' ' : '\n';
      put(out, number, (size_t)n);
    }
  }
}

/* The usual mark, unless it is the value of a cell. Values that every reader takes for no data
 * cannot be written. */
static ria_status choose_nodata(ria_context *ctx, const ria_raster *r, const char *path,
                                double *nodata) {
  const ria_grid *g = &r->grid;
  size_t n = (size_t)g->nx * (size_t)g->ny;
  *nodata = -9999.0;
  for (size_t c = 0; c < n; c++) {
    double v = r->data[c];
    if (fabs(v) >= 1e38)
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "%s: the value %g of cell (%zu, %zu) cannot be told from no data", path, v,
                      c % (size_t)g->nx, c / (size_t)g->nx);
    if (!isnan(v) && (float)v == -9999.0F) *nodata = -3.4028234663852886e38;
  }
  return RIA_OK;
}

static bool is_gzip_name(const char *path) {
  size_t n = strlen(path);
  return n > 3 && strcasecmp(path + n - 3, ".gz") == 0;
}

/* gzclose closes the descriptor, so it gets a copy: the file is to be synced after it. */
static bool write_file(int fd, const ria_raster *r, bool gzip, double nodata, sink *out) {
  int copy = dup(fd);
  if (copy < 0) return false;
  out->file = gzdopen(copy, gzip ? "wb6" : "wbT");
  if (!out->file) {
    close(copy);
    errno = ENOMEM;
    return false;
  }
  put_header(out, &r->grid, nodata);
  put_values(out, r, nodata);
  flush(out);
  int seen = errno;
  bool ok = gzclose_w(out->file) == Z_OK && !out->failed;
  if (out->failed) errno = seen;
  return ok && fsync(fd) == 0;
}

static ria_status write_beside(ria_context *ctx, const ria_raster *r, const char *path,
                               const char *part, double nodata) {
  sink *out = malloc(sizeof *out);
  if (!out) return ria_fail(ctx, RIA_ERR_MEMORY, "%s: out of memory", path);
  out->used = 0;
  out->failed = false;
  int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool ok = fd >= 0 && write_file(fd, r, is_gzip_name(path), nodata, out);
  int why = errno;
  if (fd >= 0 && close(fd) != 0 && ok) {
    ok = false;
    why = errno;
  }
  free(out);
  if (ok && rename(part, path) != 0) {
    ok = false;
    why = errno;
  }
  if (ok) return RIA_OK;
  if (fd >= 0) unlink(part);
  return ria_fail(ctx, RIA_ERR_OUTPUT, "cannot write %s: %s", path, strerror(why));
}

ria_status ria_asc_write(ria_context *ctx, const ria_raster *r, const char *path) {
  double nodata;
  RIA_TRY(choose_nodata(ctx, r, path, &nodata));
  size_t room = strlen(path) + 40;
  char *part = malloc(room);
  if (!part) return ria_fail(ctx, RIA_ERR_MEMORY, "%s: out of memory", path);
  snprintf(part, room, "%s.%ld.part", path, (long)getpid());
  ria_status s = write_beside(ctx, r, path, part, nodata);
  free(part);
  return s;
}
