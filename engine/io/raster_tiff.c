/* io/raster_tiff.c - reading GeoTIFF: block by block, row by row. */
#include "io/raster_tiff.h"
#include "io/tiff.h"

#include "base/text.h"

#include <fcntl.h>
#include <limits.h>
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
  bool masks;           /* they say which cells of the raster count */
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

/* Cells without a mark for no data are 0 where a file leaves them out, as every reader has it, and
 * an alpha of 0 says that they do not count. */
static void fill_row(const reader *r, int plane, int n) {
  const ria_tiff_image *im = &r->image;
  const double value = plane == 0 && r->place.has_nodata ? r->place.nodata : 0.0;
  for (int i = 0; i < n * im->each; i++) r->row[i] = i % im->each ? 0.0 : value;
}

/* plane 1: alpha, or a mask, for values that are there. */
static void put_row(const reader *r, int plane, int row, int column, int n) {
  const ria_grid *g = &r->raster->grid;
  const int each = r->image.each, j = r->place.from_south ? row : g->ny - 1 - row;
  const double *alpha = plane ? r->row : each > 1 ? r->row + 1 : NULL;
  double *to = r->raster->data + (size_t)j * (size_t)g->nx + (size_t)column;
  for (int i = 0; plane == 0 && i < n; i++) to[i] = value_of(r, r->row[i * each]);
  for (int i = 0; alpha && i < n; i++)
    if (!(alpha[i * each] > 0.0)) to[i] = NAN;
}

static ria_status read_block(reader *r, int plane, int across, int down) {
  const ria_tiff_image *im = &r->image;
  const int block = (plane * im->down + down) * im->across + across;
  const int column = across * im->block_nx, first = down * im->block_ny;
  const int n = im->nx - column < im->block_nx ? im->nx - column : im->block_nx;
  const size_t bytes = ria_tiff_row_bytes(im);
  const int what = r->masks ? 1 : plane;
  const bool there = im->at[block] != 0 && im->packed[block] != 0;
  if (there) RIA_TRY(ria_tiff_stream_begin(r->stream, block));
  for (int row = first; row < first + im->block_ny && row < im->ny; row++) {
    if (there) {
      RIA_TRY(ria_tiff_stream_read(r->stream, r->bytes, bytes));
      ria_tiff_row(im, r->file->big_endian, r->bytes, im->block_nx, r->row);
    } else {
      fill_row(r, what, n);
    }
    put_row(r, what, row, column, n);
  }
  return RIA_OK;
}

static void free_blocks(reader *r) {
  ria_tiff_stream_free(&r->stream);
  ria_tiff_image_free(&r->image);
  free(r->bytes);
  free(r->row);
}

static ria_status read_blocks(reader *r) {
  const ria_tiff_image *im = &r->image;
  const size_t n = (size_t)im->block_nx * (size_t)im->each;
  r->bytes = malloc(ria_tiff_row_bytes(im));
  r->row = malloc(n * sizeof *r->row);
  if (!r->bytes || !r->row)
    return ria_fail(r->file->ctx, RIA_ERR_MEMORY, "%s: out of memory for a row of %zu numbers",
                    r->file->path, n);
  RIA_TRY(ria_tiff_stream_make(r->file, im, &r->stream));
  for (int plane = 0; plane < im->planes; plane++)
    for (int down = 0; down < im->down; down++)
      for (int across = 0; across < im->across; across++)
        RIA_TRY(read_block(r, plane, across, down));
  return RIA_OK;
}

/* --- masks ------------------------------------------------------------------------------------ */

/* gdalwarp keeps the cells as they are where it is told which. Not every type holds -9999. */
static ria_status refuse_mask(const reader *r) {
  const ria_grid *g = &r->place.grid;
  const bool holds = r->image.format != RIA_TIFF_UNSIGNED && r->image.bytes > 1;
  char cells[128], command[192];
  if (g->angle == 0.0)
    ria_format(cells, sizeof cells, "-te %.12g %.12g %.12g %.12g -ts %d %d", g->x0, g->y0,
               g->x0 + g->nx * g->dx, g->y0 + g->ny * g->dy, g->nx, g->ny);
  else
    ria_format(cells, sizeof cells, "-tr %.12g %.12g", g->dx, g->dy);
  ria_format(command, sizeof command, "gdalwarp %s%s -dstnodata -9999", cells,
             holds ? "" : " -ot Float64");
  return ria_tiff_refuse(r->file, command, "a mask that is not read says which of its cells count");
}

/* Its cells are those of the image, in one band. */
static ria_status read_mask_image(const reader *r, reader *m) {
  const ria_status s = ria_tiff_mask_read(m->file, &m->image);
  if (s == RIA_ERR_MEMORY) return s;
  if (s == RIA_OK && m->image.nx == r->image.nx && m->image.ny == r->image.ny && !m->image.alpha)
    return RIA_OK;
  return refuse_mask(r);
}

static ria_status take_mask(const reader *r, const ria_tiff_file *mask) {
  reader m = {.file = mask, .place = r->place, .masks = true, .raster = r->raster};
  ria_status s = read_mask_image(r, &m);
  if (s == RIA_OK) s = read_blocks(&m);
  free_blocks(&m);
  return s;
}

/* For GDAL a file without its mark is none; one that is no TIFF is not understood here. */
static ria_status take_mask_beside(const reader *r, const char *path) {
  ria_tiff_file mask;
  bool is = false;
  ria_status s = ria_tiff_open(r->file->ctx, path, &mask);
  if (s == RIA_ERR_INPUT) return refuse_mask(r);
  if (s != RIA_OK) return s;
  s = ria_tiff_is_mask(&mask, &is);
  if (s == RIA_OK && is) s = take_mask(r, &mask);
  if (s == RIA_OK && !is)
    ria_log(r->file->ctx, "%s has no INTERNAL_MASK_FLAGS_1 and so is no mask, as for GDAL", path);
  ria_tiff_close(&mask);
  return s;
}

static ria_status take_masks(const reader *r) {
  char beside[PATH_MAX];
  ria_tiff_file mask;
  bool found;
  if (ria_tiff_mask_beside(r->file->path, beside, sizeof beside))
    RIA_TRY(take_mask_beside(r, beside));
  RIA_TRY(ria_tiff_mask_within(r->file, &mask, &found));
  if (!found) return RIA_OK;
  const ria_status s = take_mask(r, &mask);
  ria_tiff_close(&mask);
  return s;
}

/* --- a file ----------------------------------------------------------------------------------- */

static ria_status read_raster(reader *r) {
  const ria_tiff_file *f = r->file;
  RIA_TRY(ria_tiff_image_read(f, &r->image));
  RIA_TRY(ria_tiff_place_read(f, &r->image, &r->place));
  ria_status s = ria_raster_create(f->ctx, &r->place.grid, &r->raster);
  if (s == RIA_ERR_ARGUMENT) s = RIA_ERR_INPUT;
  if (s != RIA_OK) return ria_fail_more(f->ctx, s, "%s", f->path);
  r->raster->crs = r->place.crs;
  r->place.crs = NULL;
  r->raster->unit = r->place.unit;
  r->place.unit = NULL;
  RIA_TRY(read_blocks(r));
  return take_masks(r);
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
  free_blocks(&r);
  ria_tiff_place_free(&r.place);
  ria_tiff_close(&f);
  return s;
}
