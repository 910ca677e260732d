/* io/tiff_pack.c - the values of a raster to the packed blocks of a GeoTIFF.
 *
 * A raster that is wider and higher than a tile, or very wide, is cut into tiles, so that a part of
 * it can be looked at without the rest; a smaller one into strips of about 64 kB. Floats are packed
 * as predictor 3 wants them: the bytes of a row sorted by weight, and their differences. */
#include "io/deflate.h"
#include "io/tiff_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 256, WIDE = 1024, STRIP = 1 << 16, LEVEL = 6 };

typedef struct packer {
  const ria_raster *raster;
  const ria_raster_colours *colours;
  ria_tiff_blocks *to;
  double *row;               /* of a block */
  unsigned char *raw, *room; /* a block, and its packed bytes */
  size_t room_size;
} packer;

/* --- numbers ---------------------------------------------------------------------------------- */

static int bytes_of(const ria_raster *r) {
  const size_t n = (size_t)r->grid.nx * (size_t)r->grid.ny;
  for (size_t k = 0; k < n; k++)
    if (!isnan(r->data[k]) && (double)(float)r->data[k] != r->data[k]) return 8;
  return 4;
}

uint64_t ria_tiff_bits(double v, int bytes) {
  uint64_t bits;
  if (isnan(v)) return bytes == 4 ? UINT64_C(0x7fc00000) : UINT64_C(0x7ff8000000000000);
  if (bytes == 4) {
    const float narrow = (float)v;
    uint32_t word;
    memcpy(&word, &narrow, sizeof word);
    return word;
  }
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

static void sort_row(const double *row, size_t n, int bytes, unsigned char *to) {
  for (size_t i = 0; i < n; i++) {
    const uint64_t bits = ria_tiff_bits(row[i], bytes);
    for (int b = 0; b < bytes; b++)
      to[(size_t)b * n + i] = (unsigned char)(bits >> 8 * (bytes - 1 - b));
  }
  for (size_t k = n * (size_t)bytes - 1; k > 0; k--) to[k] = (unsigned char)(to[k] - to[k - 1]);
}

/* The row of the palette for a value: 1 .. 255, those beyond the range like its ends. On a log
 * scale what is not above 0 has none. */
static unsigned char colour_of(const ria_raster_colours *c, double v) {
  const bool log_scale = c->scale == RIA_SCALE_LOG;
  if (isnan(v) || (log_scale && v <= 0.0)) return 0;
  const double t =
      log_scale ? log(v / c->min) / log(c->max / c->min) : (v - c->min) / (c->max - c->min);
  return (unsigned char)(1 + (int)(fmin(fmax(t, 0.0), 1.0) * 254.0 + 0.5));
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* Row `row` from the north, from a column on; beyond the raster nothing is known. */
static void take_row(const packer *p, int row, int column) {
  const ria_grid *g = &p->raster->grid;
  const double *from = p->raster->data;
  const int known = row < g->ny ? g->nx : 0;
  if (known) from += (size_t)(g->ny - 1 - row) * (size_t)g->nx;
  for (int i = 0; i < p->to->nx; i++) p->row[i] = column + i < known ? from[column + i] : NAN;
}

static bool pack_block(packer *p, int across, int down) {
  ria_tiff_blocks *b = p->to;
  const size_t n = (size_t)b->nx, line = n * (size_t)b->bytes;
  const int first = down * b->ny, left = p->raster->grid.ny - first;
  const int rows = b->tiled || left > b->ny ? b->ny : left; /* the last strip may be lower */
  for (int k = 0; k < rows; k++) {
    unsigned char *to = p->raw + (size_t)k * line;
    take_row(p, first + k, across * b->nx);
    if (p->colours)
      for (size_t i = 0; i < n; i++) to[i] = colour_of(p->colours, p->row[i]);
    else
      sort_row(p->row, n, b->bytes, to);
  }
  size_t packed = p->room_size;
  if (!ria_deflate(p->raw, line * (size_t)rows, LEVEL, p->room, &packed)) return false;
  const int k = down * b->across + across;
  b->at[k] = b->data.n;
  b->packed[k] = packed;
  ria_buffer_add(&b->data, p->room, packed);
  return !b->data.failed;
}

static bool pack_blocks(packer *p) {
  for (int down = 0; down < p->to->down; down++)
    for (int across = 0; across < p->to->across; across++)
      if (!pack_block(p, across, down)) return false;
  return true;
}

static void cut(const ria_grid *g, ria_tiff_blocks *b) {
  const size_t line = (size_t)g->nx * (size_t)b->bytes;
  b->tiled = g->nx > TILE && (g->ny > TILE || g->nx > WIDE);
  b->nx = b->tiled ? TILE : g->nx;
  b->ny = b->tiled ? TILE : line >= STRIP ? 1 : (int)(STRIP / line);
  if (b->ny > g->ny) b->ny = b->tiled ? (g->ny + 15) / 16 * 16 : g->ny; /* as TIFF wants tiles */
  b->across = (g->nx - 1) / b->nx + 1;
  b->down = (g->ny - 1) / b->ny + 1;
}

bool ria_tiff_pack(const ria_raster *r, const ria_raster_colours *colours, int bytes,
                   ria_tiff_blocks *b) {
  *b = (ria_tiff_blocks){.bytes = colours ? 1 : bytes ? bytes : bytes_of(r)};
  cut(&r->grid, b);
  const size_t blocks = (size_t)b->across * (size_t)b->down;
  const size_t size = (size_t)b->nx * (size_t)b->ny * (size_t)b->bytes;
  packer p = {.raster = r, .colours = colours, .to = b, .room_size = ria_deflate_bound(size)};
  b->at = calloc(blocks, sizeof *b->at);
  b->packed = calloc(blocks, sizeof *b->packed);
  p.row = malloc((size_t)b->nx * sizeof *p.row);
  p.raw = malloc(size);
  p.room = malloc(p.room_size);
  const bool ok = b->at && b->packed && p.row && p.raw && p.room && pack_blocks(&p);
  free(p.row);
  free(p.raw);
  free(p.room);
  return ok;
}

void ria_tiff_blocks_free(ria_tiff_blocks *b) {
  free(b->at);
  free(b->packed);
  ria_buffer_free(&b->data);
}
