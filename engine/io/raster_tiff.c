/* io/raster_tiff.c - reading GeoTIFF: block by block, row by row. */
#include "io/raster_tiff.h"
#include "io/tiff.h"

#include "base/text.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- is it one? ------------------------------------------------------------------------------- */

bool ria_tiff_is_named(const char *path) {
  return ria_ends_with(path, ".tif") || ria_ends_with(path, ".tiff");
}

bool ria_tiff_is(const char *path) {
  struct stat st;
  char head[4] = "";
  if (ria_tiff_is_named(path)) return true;
  if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return false;
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const bool read4 = fd >= 0 && read(fd, head, 4) == 4;
  if (fd >= 0) close(fd);
  return read4 && (memcmp(head, "II*\0", 4) == 0 || memcmp(head, "MM\0*", 4) == 0 ||
                   memcmp(head, "II+\0", 4) == 0 || memcmp(head, "MM\0+", 4) == 0);
}

/* --- values ----------------------------------------------------------------------------------- */

typedef struct reader {
  const ria_tiff_file *file;
  ria_tiff_image image;
  ria_tiff_place place;
  ria_tiff_stream *stream;
  unsigned char *bytes; /* a row of a block, as in the file */
  double *row;          /* and as numbers */
  ria_raster *raster;
} reader;

/* Floats beyond 1e38 are the habitual -3.4e38, whatever its last digits. */
static double value_of(const reader *r, double v) {
  const bool is_float = r->image.format == RIA_TIFF_FLOAT;
  if (is_float && !(fabs(v) < 1e38)) return NAN;
  if (r->place.has_nodata) {
    if (v == r->place.nodata) return NAN;
    if (is_float && r->image.bytes < 8 && (float)v == (float)r->place.nodata) return NAN;
  }
  return r->place.scale * v + r->place.offset;
}

/* Cells without a mark for no data are 0 where a file leaves them out, as every reader has it. */
static void fill_row(const reader *r, int n) {
  for (int i = 0; i < n; i++) r->row[i] = r->place.has_nodata ? r->place.nodata : 0.0;
}

static void put_row(const reader *r, int row, int column, int n) {
  const ria_grid *g = &r->raster->grid;
  const int j = r->place.from_south ? row : g->ny - 1 - row;
  double *to = r->raster->data + (size_t)j * (size_t)g->nx + (size_t)column;
  for (int i = 0; i < n; i++) to[i] = value_of(r, r->row[i]);
}

static ria_status read_block(reader *r, int across, int down) {
  const ria_tiff_image *im = &r->image;
  const int block = down * im->across + across;
  const int column = across * im->block_nx, first = down * im->block_ny;
  const int n = im->nx - column < im->block_nx ? im->nx - column : im->block_nx;
  const bool there = im->at[block] != 0 && im->packed[block] != 0;
  if (there) RIA_TRY(ria_tiff_stream_begin(r->stream, block));
  for (int row = first; row < first + im->block_ny && row < im->ny; row++) {
    if (there) {
      RIA_TRY(ria_tiff_stream_read(r->stream, r->bytes, (size_t)im->block_nx * (size_t)im->bytes));
      ria_tiff_row(im, r->file->big_endian, r->bytes, im->block_nx, r->row);
    } else {
      fill_row(r, n);
    }
    put_row(r, row, column, n);
  }
  return RIA_OK;
}

static ria_status read_blocks(reader *r) {
  const size_t n = (size_t)r->image.block_nx;
  r->bytes = malloc(n * (size_t)r->image.bytes);
  r->row = malloc(n * sizeof *r->row);
  if (!r->bytes || !r->row)
    return ria_fail(r->file->ctx, RIA_ERR_MEMORY, "%s: out of memory for a row of %zu cells",
                    r->file->path, n);
  RIA_TRY(ria_tiff_stream_make(r->file, &r->image, &r->stream));
  for (int down = 0; down < r->image.down; down++)
    for (int across = 0; across < r->image.across; across++) RIA_TRY(read_block(r, across, down));
  return RIA_OK;
}

/* --- a file ----------------------------------------------------------------------------------- */

/* Cells that a mask takes out are not to become heights. The command keeps the cells as they are.
 */
static ria_status check_mask(const ria_tiff_file *f, const ria_grid *g) {
  char command[96];
  bool masked;
  RIA_TRY(ria_tiff_find_mask(f, &masked));
  if (!masked) return RIA_OK;
  ria_format(command, sizeof command, "gdalwarp -tr %.10g %.10g -dstnodata -9999", g->dx, g->dy);
  return ria_tiff_refuse(f, command, "a mask says which of its cells count");
}

static ria_status read_raster(reader *r) {
  const ria_tiff_file *f = r->file;
  RIA_TRY(ria_tiff_image_read(f, &r->image));
  RIA_TRY(ria_tiff_place_read(f, &r->image, &r->place));
  RIA_TRY(check_mask(f, &r->place.grid));
  ria_status s = ria_raster_create(f->ctx, &r->place.grid, &r->raster);
  if (s == RIA_ERR_ARGUMENT) s = RIA_ERR_INPUT;
  if (s != RIA_OK) return ria_fail_more(f->ctx, s, "%s", f->path);
  r->raster->crs = r->place.crs;
  r->place.crs = NULL;
  r->raster->unit = r->place.unit;
  r->place.unit = NULL;
  return read_blocks(r);
}

ria_status ria_tiff_read(ria_context *ctx, const char *path, ria_raster **out, bool *refused) {
  ria_tiff_file f;
  *out = NULL;
  if (refused) *refused = false;
  RIA_TRY(ria_tiff_open(ctx, path, &f));
  f.refused = refused;
  reader r = {.file = &f};
  const ria_status s = read_raster(&r);
  if (s == RIA_OK)
    *out = r.raster;
  else
    ria_raster_destroy(&r.raster);
  ria_tiff_stream_free(&r.stream);
  ria_tiff_image_free(&r.image);
  ria_tiff_place_free(&r.place);
  free(r.bytes);
  free(r.row);
  ria_tiff_close(&f);
  return s;
}
