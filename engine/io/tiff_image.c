/* io/tiff_image.c - size, bands, type and packing of the first image of a TIFF file, its blocks.
 *
 * A block is a strip of whole rows or a tile. A block whose place or length is 0 is left out of the
 * file (GDAL's SPARSE_OK): its cells have no data. */
#include "base/text.h"
#include "io/tiff.h"

#include <limits.h>
#include <stdlib.h>

/* --- what is refused, and what to type -------------------------------------------------------- */

static const char *packing_name(uint64_t code) {
  static const struct {
    uint64_t code;
    const char *name;
  } known[] = {{2, "CCITT"},    {3, "CCITT fax 3"},   {4, "CCITT fax 4"}, {6, "old JPEG"},
               {7, "JPEG"},     {34712, "JPEG 2000"}, {34887, "LERC"},    {34925, "LZMA"},
               {50000, "ZSTD"}, {50001, "WebP"},      {50002, "JPEG XL"}, {52546, "JPEG XL"}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (known[k].code == code) return known[k].name;
  return "a method that is not known";
}

static ria_status read_packing(const ria_tiff_file *f, ria_tiff_image *im) {
  uint64_t code, predictor;
  RIA_TRY(ria_tiff_whole(f, RIA_TIFF_COMPRESSION, 1, &code));
  if (code == 32946) code = RIA_TIFF_DEFLATE; /* its number before it had one of its own */
  if (code != RIA_TIFF_PLAIN && code != RIA_TIFF_LZW && code != RIA_TIFF_DEFLATE &&
      code != RIA_TIFF_PACKBITS)
    return ria_tiff_refuse(f, "gdal_translate -co COMPRESS=DEFLATE",
                           "packed by %s (Compression %.0f); deflate, LZW, PackBits and none are "
                           "read",
                           packing_name(code), (double)code);
  im->packing = (ria_tiff_packing)code;
  im->predictor = 1;
  if (code != RIA_TIFF_LZW && code != RIA_TIFF_DEFLATE) return RIA_OK; /* they have none */
  RIA_TRY(ria_tiff_whole(f, RIA_TIFF_PREDICTOR, 1, &predictor));
  if (predictor < 1 || predictor > 3)
    return ria_tiff_fail(f, "Predictor must be 1, 2 or 3, not %.0f", (double)predictor);
  im->predictor = (int)predictor;
  if (predictor > 1 && im->bits == 1)
    return ria_tiff_fail(f, "Predictor %.0f is not for single bits", (double)predictor);
  if (predictor == 3 && im->format != RIA_TIFF_FLOAT)
    return ria_tiff_fail(f, "Predictor 3 is for floats, and the values are whole numbers");
  return RIA_OK;
}

/* The number that is the same for all bands. */
static ria_status read_of_bands(const ria_tiff_file *f, const ria_tiff_image *im, int tag,
                                uint64_t *out) {
  uint64_t *all;
  size_t n;
  if (!im->alpha || !ria_tiff_has(f, tag)) return ria_tiff_whole(f, tag, 1, out);
  RIA_TRY(ria_tiff_wholes(f, tag, &all, &n));
  *out = all[0];
  const bool same = n == 1 || (n == 2 && all[1] == all[0]);
  free(all);
  if (same) return RIA_OK;
  return ria_tiff_fail(f, "%s must be the same for both bands", ria_tiff_tag_name(tag));
}

/* masks: single bits are read, too. */
static ria_status read_type(const ria_tiff_file *f, bool masks, ria_tiff_image *im) {
  uint64_t bits, format;
  RIA_TRY(read_of_bands(f, im, RIA_TIFF_BITS, &bits));
  RIA_TRY(read_of_bands(f, im, RIA_TIFF_SAMPLE_FORMAT, &format));
  if (format == 5 || format == 6)
    return ria_tiff_refuse(f, "gdal_translate -ot Float32", "its values are complex numbers");
  if (format == 4) format = RIA_TIFF_UNSIGNED; /* "undefined" */
  if (format < 1 || format > 3)
    return ria_tiff_fail(f, "SampleFormat must be from 1 to 6, not %.0f", (double)format);
  const bool taken =
      bits == 8 || bits == 16 || bits == 32 || bits == 64 || (masks && bits == 1 && format == 1);
  if (!taken || (format == RIA_TIFF_FLOAT && bits == 8))
    return ria_tiff_refuse(f, "gdal_translate -ot Float32", "its values have %.0f bits",
                           (double)bits);
  im->format = (ria_tiff_format)format;
  im->bits = (int)bits;
  im->bytes = bits == 1 ? 1 : (int)bits / 8;
  return RIA_OK;
}

enum { MULTIPLIED = 1, ALPHA = 2, APART = 2 }; /* of ExtraSamples; of PlanarConfiguration */

/* What the last band is for; 0: for nothing that shows which cells count. */
static ria_status read_last_band(const ria_tiff_file *f, uint64_t *kind) {
  uint64_t *all;
  size_t n;
  *kind = 0;
  if (!ria_tiff_has(f, RIA_TIFF_MORE_BANDS)) return RIA_OK;
  RIA_TRY(ria_tiff_wholes(f, RIA_TIFF_MORE_BANDS, &all, &n));
  *kind = all[n - 1];
  free(all);
  return RIA_OK;
}

/* Values alone, or with an alpha band behind them: between values or in blocks of its own. */
static ria_status read_bands(const ria_tiff_file *f, ria_tiff_image *im) {
  uint64_t bands, last = 0, planar;
  RIA_TRY(ria_tiff_whole(f, RIA_TIFF_BANDS, 1, &bands));
  RIA_TRY(ria_tiff_whole(f, RIA_TIFF_PLANAR, 1, &planar));
  if (bands > 1) RIA_TRY(read_last_band(f, &last));
  im->alpha = bands == 2 && last == ALPHA;
  im->planes = im->alpha && planar == APART ? 2 : 1;
  im->each = im->alpha && planar != APART ? 2 : 1;
  if (bands == 1 || im->alpha) return RIA_OK;
  if (bands == 2 && last == MULTIPLIED)
    return ria_tiff_fail(f, "its values are multiplied by its alpha band (ExtraSamples 1)");
  if (last == ALPHA && bands < UINT16_MAX) {
    char command[64];
    ria_format(command, sizeof command, "gdal_translate -b 1 -b %d", (int)bands);
    return ria_tiff_refuse(f, command, "it has %.0f bands, and one is read, with an alpha band",
                           (double)bands);
  }
  return ria_tiff_refuse(f, "gdal_translate -b 1", "it has %.0f bands, and one is read",
                         (double)bands);
}

static ria_status check_look(const ria_tiff_file *f) {
  uint64_t colours, order, turned;
  RIA_TRY(ria_tiff_whole(f, RIA_TIFF_PHOTOMETRIC, 1, &colours));
  RIA_TRY(ria_tiff_whole(f, RIA_TIFF_FILL_ORDER, 1, &order));
  RIA_TRY(ria_tiff_whole(f, RIA_TIFF_ORIENTATION, 1, &turned));
  if (colours != 0 && colours != 1 && colours != 3 && colours != 4)
    return ria_tiff_fail(f, "PhotometricInterpretation %.0f is a picture, not values",
                         (double)colours);
  if (order != 1) return ria_tiff_refuse(f, "gdal_translate", "FillOrder is %.0f", (double)order);
  if (turned != 1)
    return ria_tiff_refuse(f, "gdal_translate",
                           "Orientation is %.0f, and rows from north to south "
                           "are read",
                           (double)turned);
  return RIA_OK;
}

/* --- size and blocks -------------------------------------------------------------------------- */

static ria_status read_size(const ria_tiff_file *f, ria_tiff_image *im) {
  uint64_t nx, ny;
  RIA_TRY(ria_tiff_whole(f, RIA_TIFF_WIDTH, 0, &nx));
  RIA_TRY(ria_tiff_whole(f, RIA_TIFF_HEIGHT, 0, &ny));
  if (nx == 0 || ny == 0)
    return ria_tiff_fail(f, "ImageWidth and ImageLength must be 1 or more, not %.0f and %.0f",
                         (double)nx, (double)ny);
  if (nx > INT_MAX || ny > INT_MAX || nx * ny > INT_MAX)
    return ria_tiff_fail(f, "%.0f x %.0f cells are more than the %d allowed", (double)nx,
                         (double)ny, INT_MAX);
  im->nx = (int)nx;
  im->ny = (int)ny;
  return RIA_OK;
}

/* Tiles may be larger than the image, but not without bounds. */
enum { TILE_MOST = 1 << 16 };

static ria_status read_block_size(const ria_tiff_file *f, ria_tiff_image *im) {
  uint64_t w = (uint64_t)im->nx, h;
  im->tiled = ria_tiff_has(f, RIA_TIFF_TILE_WIDTH) || ria_tiff_has(f, RIA_TIFF_TILE_OFFSETS);
  if (im->tiled) {
    RIA_TRY(ria_tiff_whole(f, RIA_TIFF_TILE_WIDTH, 0, &w));
    RIA_TRY(ria_tiff_whole(f, RIA_TIFF_TILE_HEIGHT, 0, &h));
    if (w == 0 || h == 0 || w > TILE_MOST || h > TILE_MOST)
      return ria_tiff_fail(f, "TileWidth and TileLength must be from 1 to %d, not %.0f and %.0f",
                           TILE_MOST, (double)w, (double)h);
  } else {
    RIA_TRY(ria_tiff_whole(f, RIA_TIFF_ROWS_PER_STRIP, (uint64_t)im->ny, &h));
    if (h == 0) return ria_tiff_fail(f, "RowsPerStrip must be 1 or more");
    if (h > (uint64_t)im->ny) h = (uint64_t)im->ny;
  }
  im->block_nx = (int)w;
  im->block_ny = (int)h;
  im->across = (im->nx - 1) / im->block_nx + 1;
  im->down = (im->ny - 1) / im->block_ny + 1;
  return RIA_OK;
}

static ria_status read_table(const ria_tiff_file *f, const ria_tiff_image *im, int tag,
                             uint64_t **out) {
  const size_t blocks = (size_t)im->across * (size_t)im->down * (size_t)im->planes;
  size_t n;
  RIA_TRY(ria_tiff_wholes(f, tag, out, &n));
  if (n == blocks && n <= INT_MAX) return RIA_OK;
  return ria_tiff_fail(f, "%s has %zu numbers, and the image has %zu %s", ria_tiff_tag_name(tag), n,
                       blocks, im->tiled ? "tiles" : "strips");
}

int ria_tiff_block_rows(const ria_tiff_image *im, int row) {
  const int left = im->ny - row * im->block_ny;
  return im->tiled || left > im->block_ny ? im->block_ny : left;
}

/* Bytes that come out of one packed byte, at most. Deflate: 258 from 2 bits. LZW: 3839 from 12
 * bits, once the table is full. PackBits: 128 from 2 bytes. */
static uint64_t most_per_byte(ria_tiff_packing packing) {
  return packing == RIA_TIFF_PLAIN      ? 1
         : packing == RIA_TIFF_DEFLATE  ? 1032
         : packing == RIA_TIFF_PACKBITS ? 64
                                        : 2560;
}

size_t ria_tiff_row_bytes(const ria_tiff_image *im) {
  const size_t n = (size_t)im->block_nx * (size_t)im->each;
  return im->bits == 1 ? (n + 7) / 8 : n * (size_t)im->bytes;
}

/* Block k of so many rows lies within the file, among *left bytes that no block before it has
 * taken. Blocks that
 * share their bytes would let a few kilobytes ask for any memory. */
static ria_status check_block(const ria_tiff_file *f, const ria_tiff_image *im, int k,
                              uint64_t rows, uint64_t *left) {
  const char *kind = im->tiled ? "tile" : "strip";
  if (im->at[k] > f->size || im->packed[k] > f->size - im->at[k])
    return ria_tiff_fail(f, "%s %d lies outside the file: is it cut short?", kind, k);
  if (rows * ria_tiff_row_bytes(im) / most_per_byte(im->packing) > im->packed[k])
    return ria_tiff_fail(f, "%s %d has %.0f bytes, too few for its %.0f cells", kind, k,
                         (double)im->packed[k], (double)rows * im->block_nx);
  if (im->packed[k] > *left)
    return ria_tiff_fail(f,
                         "the %ss up to %d have more bytes together than the file (%.0f): they "
                         "share them; if you trust it, gdal_translate %s out.tif makes one where "
                         "each has its own",
                         kind, k, (double)f->size, f->path);
  *left -= im->packed[k];
  return RIA_OK;
}

/* Cells that may be left out of any file; more, if a full file of its size could hold them. */
enum { LEFT_OUT_MOST = 1 << 24, LEFT_OUT_RATIO = 64 };

static ria_status check_left_out(const ria_tiff_file *f, const ria_tiff_image *im,
                                 uint64_t left_out) {
  const uint64_t packing = most_per_byte(im->packing);
  const uint64_t most = packing > LEFT_OUT_RATIO ? packing : LEFT_OUT_RATIO;
  if (left_out <= LEFT_OUT_MOST || left_out * (uint64_t)im->bytes / most <= f->size) return RIA_OK;
  return ria_tiff_refuse(f, "gdal_translate -co SPARSE_OK=FALSE",
                         "%.0f cells are left out of it, and the file has %.0f bytes",
                         (double)left_out, (double)f->size);
}

static ria_status check_blocks(const ria_tiff_file *f, const ria_tiff_image *im) {
  uint64_t left = f->size, left_out = 0;
  for (int row = 0, k = 0; row < im->planes * im->down; row++)
    for (int column = 0; column < im->across; column++, k++) {
      const uint64_t rows = (uint64_t)ria_tiff_block_rows(im, row % im->down);
      if (im->at[k] == 0 || im->packed[k] == 0)
        left_out += rows * (uint64_t)im->block_nx * (uint64_t)im->each;
      else
        RIA_TRY(check_block(f, im, k, rows, &left));
    }
  return check_left_out(f, im, left_out);
}

static ria_status read_image(const ria_tiff_file *f, bool masks, ria_tiff_image *im) {
  *im = (ria_tiff_image){0};
  RIA_TRY(read_size(f, im));
  RIA_TRY(read_bands(f, im));
  RIA_TRY(check_look(f));
  RIA_TRY(read_type(f, masks, im));
  RIA_TRY(read_packing(f, im));
  RIA_TRY(read_block_size(f, im));
  ria_status s =
      read_table(f, im, im->tiled ? RIA_TIFF_TILE_OFFSETS : RIA_TIFF_STRIP_OFFSETS, &im->at);
  if (s == RIA_OK)
    s = read_table(f, im, im->tiled ? RIA_TIFF_TILE_BYTES : RIA_TIFF_STRIP_BYTES, &im->packed);
  if (s == RIA_OK) s = check_blocks(f, im);
  if (s != RIA_OK) ria_tiff_image_free(im);
  return s;
}

ria_status ria_tiff_image_read(const ria_tiff_file *f, ria_tiff_image *im) {
  return read_image(f, false, im);
}

ria_status ria_tiff_mask_read(const ria_tiff_file *f, ria_tiff_image *im) {
  return read_image(f, true, im);
}

void ria_tiff_image_free(ria_tiff_image *im) {
  free(im->at);
  free(im->packed);
  im->at = im->packed = NULL;
}
