/* io/raster_tiff_write.c - writing GeoTIFF.
 *
 * The file is put together in memory: header, directories with the values of their tags, then the
 * blocks of tiff_pack.c. A large raster has overviews of half the cells each way, a quarter, and so
 * on, laid out as a cloud-optimized GeoTIFF: all directories in front, the largest first, then the
 * blocks of the smallest, so what a viewer needs first comes first. */
#include "io/crs.h"
#include "io/crs_read.h"
#include "io/file.h"
#include "io/raster_tiff.h"
#include "io/target.h"
#include "io/tiff.h"
#include "io/tiff_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- tags ------------------------------------------------------------------------------------- */

enum { TAGS_MOST = 24, COLOURS = 256 };
/* Cells each way of what has no overviews, and of the last overview; how many there may be. */
enum { PLAIN = 512, SMALLEST = 256, LEVELS = 24 };
enum { SHORT = 3, LONG = 4, TEXT = 2, DOUBLE = 12, LONG8 = 16 };

typedef struct tag {
  int tag, type;
  size_t count;
  uint64_t at; /* of its values within `values` of the directory */
} tag;

typedef struct directory {
  bool big;
  tag tag[TAGS_MOST];
  int n;
  ria_buffer values; /* of all tags, little-endian; each begins at a multiple of 8 */
} directory;

static void put_word(ria_buffer *b, uint64_t v, int bytes) {
  unsigned char s[8];
  for (int k = 0; k < bytes; k++) s[k] = (unsigned char)(v >> 8 * k);
  ria_buffer_add(b, s, (size_t)bytes);
}

static int size_of(int type) { return type == SHORT ? 2 : type == LONG ? 4 : type == TEXT ? 1 : 8; }

static void begin(directory *d, int number, int type, size_t count) {
  while (!d->values.failed && d->values.n % 8) put_word(&d->values, 0, 1);
  d->tag[d->n++] = (tag){number, type, count, d->values.n};
}

static void put_whole(directory *d, int number, int type, uint64_t v) {
  begin(d, number, type, 1);
  put_word(&d->values, v, size_of(type));
}

static void put_doubles(directory *d, int number, const double *v, size_t n) {
  begin(d, number, DOUBLE, n);
  for (size_t k = 0; k < n; k++) put_word(&d->values, ria_tiff_bits(v[k], 8), 8);
}

static void put_text(directory *d, int number, const char *text) {
  begin(d, number, TEXT, strlen(text) + 1);
  ria_buffer_add(&d->values, text, strlen(text) + 1);
}

static void put_table(directory *d, int number, const uint64_t *v, int n) {
  const int type = d->big ? LONG8 : LONG;
  begin(d, number, type, (size_t)n);
  for (int k = 0; k < n; k++) put_word(&d->values, v[k], size_of(type));
}

enum { NO_CODE = 32767 };

/* --- the coordinate reference system ---------------------------------------------------------- */

static bool within_degrees(const ria_grid *g) {
  return g->x0 >= -360.0 && g->x0 + g->nx * g->dx <= 360.0 && g->y0 >= -90.1 &&
         g->y0 + g->ny * g->dy <= 90.1;
}

/* Most codes from 4001 to 4999 that are not built in are of systems in degrees, but not all: the
 * place decides. */
static bool is_geographic(const char *crs, int code, const ria_grid *g) {
  if (ria_crs_geographic(crs)) return true;
  return ria_crs_code(crs) && code > 4000 && code < 5000 && within_degrees(g);
}

/* What has no code goes in as WKT, where GDAL and Esri look for it. */
static void put_keys(directory *d, const ria_raster *r) {
  const char *crs = ria_crs_given(r->crs) ? r->crs : "";
  const bool by_code = ria_crs_code(crs) != 0;
  int code = by_code ? ria_crs_code(crs) : ria_crs_code_within(crs);
  if (code >= NO_CODE) code = 0;
  const bool degrees = is_geographic(crs, code, &r->grid);
  char text[RIA_CRS_MAX + 32] = "";
  if (*crs && !code && !by_code) snprintf(text, sizeof text, "ESRI PE String = %s|", crs);
  const bool wkt = *text != '\0';
  const size_t n = wkt ? 4 : *crs && code ? 3 : 1;
  const uint64_t word[5][4] = {{1, 1, 0, n},
                               {1024, 0, 1,
                                wkt       ? 32767
                                : degrees ? 2
                                          : 1},
                               {1025, 0, 1, 1},
                               {degrees && !wkt ? 2048 : 3072, 0, 1, code ? (uint64_t)code : 32767},
                               {3073, 34737, strlen(text), 0}};
  begin(d, RIA_TIFF_KEYS, SHORT, 4 * (n + 1));
  for (size_t k = 0; k <= n; k++)
    for (int q = 0; q < 4; q++) put_word(&d->values, word[n == 1 && k ? 2 : k][q], 2);
  if (*text) put_text(d, RIA_TIFF_KEY_TEXTS, text);
}

/* --- the file --------------------------------------------------------------------------------- */

/* Row 0 stands for no data; the others are spread over the colour map. Colours have 16 bits here.
 */
static void put_palette(directory *d, const char *map) {
  const uint8_t(*rgb)[3] = ria_colormap(map);
  begin(d, RIA_TIFF_COLOURS, SHORT, 3 * COLOURS);
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < COLOURS; k++)
      put_word(&d->values, k ? 257u * rgb[((k - 1) * 255 + 127) / 254][c] : 0xffff, 2);
}

static void put_blocks(directory *d, const ria_tiff_blocks *b, const uint64_t *at) {
  const int n = b->across * b->down;
  put_whole(d, RIA_TIFF_TILE_WIDTH, LONG, (uint64_t)b->nx);
  put_whole(d, RIA_TIFF_TILE_HEIGHT, LONG, (uint64_t)b->ny);
  put_table(d, RIA_TIFF_TILE_OFFSETS, at, n);
  put_table(d, RIA_TIFF_TILE_BYTES, b->packed, n);
}

/* What the rows of a palette stand for, in words that GDAL shows. */
static void put_range(directory *d, const ria_raster_colours *c) {
  ria_buffer text = {0};
  ria_buffer_format(&text,
                    "<GDALMetadata><Item name=\"ria:range\">%.9g %.9g %s</Item></GDALMetadata>",
                    c->min, c->max, c->scale == RIA_SCALE_LOG ? "log" : "linear");
  ria_buffer_add(&text, "", 1);
  if (text.failed)
    d->values.failed = true;
  else
    put_text(d, RIA_TIFF_METADATA, text.data);
  ria_buffer_free(&text);
}

/* A scale and the north-western corner; a matrix where the grid is turned about the south-western.
 */
static void put_place(directory *d, const ria_grid *g) {
  double c, s, height = g->ny * g->dy;
  if (g->angle == 0.0) {
    put_doubles(d, RIA_TIFF_PIXEL_SCALE, (double[]){g->dx, g->dy, 0.0}, 3);
    put_doubles(d, RIA_TIFF_TIE_POINT, (double[]){0, 0, 0, g->x0, g->y0 + height, 0.0}, 6);
    return;
  }
  ria_grid_axes(g, &c, &s);
  const double m[16] = {c * g->dx, s * g->dy,  0.0, g->x0 - s * height,
                        s * g->dx, -c * g->dy, 0.0, g->y0 + c * height,
                        0.0,       0.0,        0.0, 0.0,
                        0.0,       0.0,        0.0, 1.0};
  put_doubles(d, RIA_TIFF_MATRIX, m, 16);
}

/* By rising numbers, as TIFF wants them. An overview has its place from the raster. */
static void put_tags(directory *d, const ria_raster *r, const ria_raster_colours *colours,
                     const ria_tiff_blocks *b, const uint64_t *at, bool overview) {
  const ria_grid *g = &r->grid;
  if (overview) put_whole(d, RIA_TIFF_SUBFILE, LONG, 1); /* a smaller version of another */
  put_whole(d, RIA_TIFF_WIDTH, LONG, (uint64_t)g->nx);
  put_whole(d, RIA_TIFF_HEIGHT, LONG, (uint64_t)g->ny);
  put_whole(d, RIA_TIFF_BITS, SHORT, 8 * (uint64_t)b->bytes);
  put_whole(d, RIA_TIFF_COMPRESSION, SHORT, RIA_TIFF_DEFLATE);
  put_whole(d, RIA_TIFF_PHOTOMETRIC, SHORT, colours ? 3 : 1);
  if (!b->tiled) put_table(d, RIA_TIFF_STRIP_OFFSETS, at, b->down);
  put_whole(d, RIA_TIFF_BANDS, SHORT, 1);
  if (!b->tiled) put_whole(d, RIA_TIFF_ROWS_PER_STRIP, LONG, (uint64_t)b->ny);
  if (!b->tiled) put_table(d, RIA_TIFF_STRIP_BYTES, b->packed, b->down);
  put_whole(d, RIA_TIFF_PLANAR, SHORT, 1);
  put_whole(d, RIA_TIFF_PREDICTOR, SHORT, colours ? 1 : 3);
  if (colours) put_palette(d, colours->map);
  if (b->tiled) put_blocks(d, b, at);
  put_whole(d, RIA_TIFF_SAMPLE_FORMAT, SHORT, colours ? RIA_TIFF_UNSIGNED : RIA_TIFF_FLOAT);
  if (!overview) {
    put_place(d, g);
    put_keys(d, r);
    if (colours) put_range(d, colours);
  }
  put_text(d, RIA_TIFF_NODATA, colours ? "0" : "nan");
}

static size_t whole_words(size_t n) { return (n + 7) / 8 * 8; }
static size_t header_size(bool big) { return big ? 16 : 8; }

/* The bytes of a directory before the values of its tags. */
static size_t directory_size(const directory *d) {
  const size_t n = (size_t)d->n;
  return whole_words(d->big ? 8 + 20 * n + 8 : 2 + 12 * n + 4);
}

static void put_entry(const directory *d, const tag *t, size_t values, ria_buffer *out) {
  const int word = d->big ? 8 : 4;
  const size_t bytes = t->count * (size_t)size_of(t->type);
  put_word(out, (uint64_t)t->tag, 2);
  put_word(out, (uint64_t)t->type, 2);
  put_word(out, t->count, word);
  if (bytes > (size_t)word) {
    put_word(out, values + t->at, word);
    return;
  }
  ria_buffer_add(out, d->values.data + t->at, bytes);
  for (size_t k = bytes; k < (size_t)word; k++) put_word(out, 0, 1);
}

static void pad(ria_buffer *out, size_t n) {
  while (!out->failed && out->n < n) put_word(out, 0, 1);
}

/* next: where the directory of the next image begins, 0 = there is none. */
static void put_directory(const directory *d, size_t next, ria_buffer *out) {
  const size_t values = out->n + directory_size(d);
  put_word(out, (uint64_t)d->n, d->big ? 8 : 2);
  for (int k = 0; k < d->n; k++) put_entry(d, &d->tag[k], values, out);
  put_word(out, next, d->big ? 8 : 4);
  pad(out, values);
  ria_buffer_add(out, d->values.data, d->values.n);
  pad(out, whole_words(out->n));
}

/* --- the raster, and smaller ones ----------------------------------------------------------------
 */

typedef struct image {
  const ria_raster *raster;
  ria_raster *own; /* of an overview */
  ria_tiff_blocks blocks;
  directory head;
  size_t start, data; /* of its directory and of its blocks in the file */
} image;

typedef struct pyramid {
  image image[LEVELS];
  int n;
} pyramid;

/* The mean of those of 2 x 2 cells that have a value; pairs of rows from the north, of columns from
 * the west. */
static double mean_of(const ria_raster *r, int column, int row) {
  const ria_grid *g = &r->grid;
  double sum = 0.0;
  int n = 0;
  for (int k = 0; k < 4; k++) {
    const int i = 2 * column + (k & 1), down = 2 * row + (k >> 1);
    if (i >= g->nx || down >= g->ny) continue;
    const double v = r->data[(size_t)(g->ny - 1 - down) * (size_t)g->nx + (size_t)i];
    if (isnan(v)) continue;
    sum += v;
    n++;
  }
  return n ? sum / n : NAN;
}

static ria_status halve(ria_context *ctx, const ria_raster *r, ria_raster **out) {
  ria_grid g = r->grid;
  g.nx = (g.nx + 1) / 2;
  g.ny = (g.ny + 1) / 2;
  RIA_TRY(ria_raster_create(ctx, &g, out));
  for (int row = 0; row < g.ny; row++)
    for (int column = 0; column < g.nx; column++)
      (*out)->data[(size_t)(g.ny - 1 - row) * (size_t)g.nx + (size_t)column] =
          mean_of(r, column, row);
  return RIA_OK;
}

static ria_status make_images(ria_context *ctx, const ria_raster *r, pyramid *p) {
  const bool large = r->grid.nx > PLAIN || r->grid.ny > PLAIN;
  p->image[p->n++].raster = r;
  while (large && p->n < LEVELS) {
    const ria_raster *last = p->image[p->n - 1].raster;
    if (last->grid.nx <= SMALLEST && last->grid.ny <= SMALLEST) break;
    image *next = &p->image[p->n];
    RIA_TRY(halve(ctx, last, &next->own));
    next->raster = next->own;
    p->n++;
  }
  return RIA_OK;
}

/* All in numbers of one size. */
static bool pack_images(pyramid *p, const ria_raster_colours *colours) {
  for (int k = 0; k < p->n; k++)
    if (!ria_tiff_pack(p->image[k].raster, colours, p->image[0].blocks.bytes, &p->image[k].blocks))
      return false;
  return true;
}

static void pyramid_free(pyramid *p) {
  for (int k = 0; k < p->n; k++) {
    ria_tiff_blocks_free(&p->image[k].blocks);
    ria_buffer_free(&p->image[k].head.values);
    if (p->image[k].own) ria_raster_destroy(&p->image[k].own);
  }
}

/* Its head, with blocks from `data` of the file on. */
static bool make_head(image *m, const ria_raster_colours *colours, bool big, bool overview) {
  const int n = m->blocks.across * m->blocks.down;
  uint64_t *at = calloc((size_t)n, sizeof *at);
  if (!at) return false;
  for (int k = 0; k < n; k++) at[k] = m->data + m->blocks.at[k];
  ria_buffer_free(&m->head.values);
  m->head = (directory){.big = big};
  put_tags(&m->head, m->raster, colours, &m->blocks, at, overview);
  free(at);
  return !m->head.values.failed;
}

static bool make_heads(pyramid *p, const ria_raster_colours *colours, bool big) {
  for (int k = 0; k < p->n; k++)
    if (!make_head(&p->image[k], colours, big, k > 0)) return false;
  return true;
}

static void place(pyramid *p, bool big) {
  size_t at = header_size(big);
  for (int k = 0; k < p->n; k++) {
    p->image[k].start = at;
    at += directory_size(&p->image[k].head) + whole_words(p->image[k].head.values.n);
  }
  for (int k = p->n; k-- > 0;) {
    p->image[k].data = at;
    at += p->image[k].blocks.data.n;
  }
}

/* Twice: where the blocks lie is known only when all heads have their size. */
static bool assemble(pyramid *p, const ria_raster_colours *colours, bool big, ria_buffer *out) {
  if (!make_heads(p, colours, big)) return false;
  place(p, big);
  if (!make_heads(p, colours, big)) return false;
  ria_buffer_add(out, "II", 2);
  put_word(out, big ? 43 : 42, 2);
  if (big) put_word(out, 8, 4); /* the size of an offset, and 0 */
  put_word(out, header_size(big), big ? 8 : 4);
  for (int k = 0; k < p->n; k++)
    put_directory(&p->image[k].head, k + 1 < p->n ? p->image[k + 1].start : 0, out);
  for (int k = p->n; k-- > 0;)
    ria_buffer_add(out, p->image[k].blocks.data.data, p->image[k].blocks.data.n);
  return !out->failed;
}

static double bytes_of(const pyramid *p) {
  double bytes = 0.0;
  for (int k = 0; k < p->n; k++) {
    const ria_tiff_blocks *b = &p->image[k].blocks;
    bytes += (double)b->data.n + 8.0 * b->across * b->down;
  }
  return bytes;
}

static ria_status check_values(ria_context *ctx, const ria_raster *r, const char *path) {
  const size_t nx = (size_t)r->grid.nx, n = nx * (size_t)r->grid.ny;
  for (size_t c = 0; c < n; c++)
    if (fabs(r->data[c]) >= 1e38)
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "%s: the value %g of cell (%zu, %zu) is the same as the mark for no data",
                      path, r->data[c], c % nx, c / nx);
  return RIA_OK;
}

ria_status ria_tiff_encode(ria_context *ctx, const ria_raster *r, const ria_raster_colours *colours,
                           const char *path, bool always_big, ria_buffer *out) {
  const double most = 4e9; /* of offsets in 32 bits; tags and tables fit into the rest */
  pyramid p = {0};
  RIA_TRY(check_values(ctx, r, path));
  if (r->crs && ria_crs_code(r->crs) >= NO_CODE)
    ria_log(ctx, "%s: it is written without %s: GeoTIFF has codes up to 32766", path, r->crs);
  ria_status s = make_images(ctx, r, &p);
  const bool ok = s == RIA_OK && pack_images(&p, colours) &&
                  assemble(&p, colours, always_big || bytes_of(&p) > most, out);
  pyramid_free(&p);
  return ok ? RIA_OK : ria_fail(ctx, RIA_ERR_MEMORY, "%s: out of memory", path);
}

ria_status ria_tiff_write(ria_context *ctx, const ria_raster *r, const ria_raster_colours *colours,
                          const char *path) {
  char err[RIA_ERR_TEXT] = "";
  ria_buffer file = {0};
  ria_status s = ria_tiff_encode(ctx, r, colours, path, false, &file);
  if (s == RIA_OK) {
    s = ria_target_write(ctx, path, file.data, file.n, err, sizeof err);
    if (s != RIA_OK) (void)ria_fail(ctx, s, "%s", err);
  }
  ria_buffer_free(&file);
  return s;
}
