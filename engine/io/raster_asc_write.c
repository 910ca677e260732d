/* io/raster_asc_write.c - writing ESRI ASCII grids, plain or gzip by the name.
 *
 * Values get as many digits as it takes to read the same double back. The text is streamed through
 * zlib (which also writes plain files) into a file beside the target that takes its name at the
 * end, so what bears the name is always whole; io/target.h says what may be at the path. */
#include "io/number.h"
#include "io/raster_asc.h"
#include "io/file.h"
#include "io/target.h"

#include <errno.h>
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
                      "%s: the value %g of cell (%zu, %zu) is the same as the mark for no data",
                      path, v, c % (size_t)g->nx, c / (size_t)g->nx);
    if (!isnan(v) && (float)v == -9999.0F) *nodata = -3.4028234663852886e38;
  }
  return RIA_OK;
}

static bool is_gzip_name(const char *path) {
  size_t n = strlen(path);
  return n > 3 && strcasecmp(path + n - 3, ".gz") == 0;
}

/* gzclose closes the descriptor, so it gets a copy: the file is to be synced after it. 0, or errno.
 */
static int write_text(int fd, const ria_raster *r, bool gzip, double nodata, sink *out) {
  int copy = dup(fd);
  if (copy < 0) return errno;
  out->file = gzdopen(copy, gzip ? "wb6" : "wbT");
  if (!out->file) {
    close(copy);
    return ENOMEM;
  }
  put_header(out, &r->grid, nodata);
  put_values(out, r, nodata);
  flush(out);
  int code = out->failed ? errno : 0;
  if (gzclose_w(out->file) != Z_OK && !code) code = errno;
  return code || !out->failed ? code : EIO;
}

static ria_status write_target(ria_context *ctx, const ria_raster *r, const char *path,
                               double nodata, sink *out, char *err, size_t errsize) {
  ria_target t;
  char ignored[RIA_ERR_TEXT];
  RIA_TRY(ria_target_open(ctx, path, &t, err, errsize));
  const int code = write_text(t.fd, r, is_gzip_name(path), nodata, out);
  if (!code) return ria_target_close(&t, true, err, errsize);
  (void)ria_target_close(&t, false, ignored, sizeof ignored);
  return ria_error_errno(code, err, errsize, "cannot write", path);
}

ria_status ria_asc_write(ria_context *ctx, const ria_raster *r, const char *path) {
  double nodata;
  char err[RIA_ERR_TEXT] = "";
  RIA_TRY(choose_nodata(ctx, r, path, &nodata));
  sink *out = malloc(sizeof *out);
  if (!out) return ria_fail(ctx, RIA_ERR_MEMORY, "%s: out of memory", path);
  out->used = 0;
  out->failed = false;
  const ria_status s = write_target(ctx, r, path, nodata, out, err, sizeof err);
  free(out);
  return s == RIA_OK ? s : ria_fail(ctx, s, "%s", err);
}
