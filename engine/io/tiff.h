/* io/tiff.h - the parts of the reader of GeoTIFF. See raster_tiff.h.
 *
 *   tiff_file.c    the header, the directory, the values of tags: each range checked
 *   tiff_image.c   what the tags say about size, type, packing and blocks
 *   tiff_geo.c     the place: scale and tie point, keys, no data, scale and offset of values
 *   tiff_world.c   the place by a world file beside it
 *   tiff_beside.c  what GDAL keeps in an .aux.xml beside it
 *   tiff_stream.c  the bytes of a block, unpacked as they are asked for; tiff_lzw.c
 *   tiff_sample.c  predictors; bytes to numbers
 *
 * Errors are RIA_ERR_INPUT and name the file. */
#ifndef RIA_IO_TIFF_H
#define RIA_IO_TIFF_H
#include <ria/field.h>

/* --- tiff_file.c ------------------------------------------------------------------------------ */

enum {
  RIA_TIFF_SUBFILE = 254,
  RIA_TIFF_WIDTH = 256,
  RIA_TIFF_HEIGHT = 257,
  RIA_TIFF_BITS = 258,
  RIA_TIFF_COMPRESSION = 259,
  RIA_TIFF_PHOTOMETRIC = 262,
  RIA_TIFF_FILL_ORDER = 266,
  RIA_TIFF_STRIP_OFFSETS = 273,
  RIA_TIFF_ORIENTATION = 274,
  RIA_TIFF_BANDS = 277,
  RIA_TIFF_ROWS_PER_STRIP = 278,
  RIA_TIFF_STRIP_BYTES = 279,
  RIA_TIFF_PLANAR = 284,
  RIA_TIFF_PREDICTOR = 317,
  RIA_TIFF_COLOURS = 320,
  RIA_TIFF_TILE_WIDTH = 322,
  RIA_TIFF_TILE_HEIGHT = 323,
  RIA_TIFF_TILE_OFFSETS = 324,
  RIA_TIFF_TILE_BYTES = 325,
  RIA_TIFF_MORE_BANDS = 338,
  RIA_TIFF_SAMPLE_FORMAT = 339,
  RIA_TIFF_PIXEL_SCALE = 33550,
  RIA_TIFF_TIE_POINT = 33922,
  RIA_TIFF_MATRIX = 34264,
  RIA_TIFF_KEYS = 34735,
  RIA_TIFF_KEY_DOUBLES = 34736,
  RIA_TIFF_KEY_TEXTS = 34737,
  RIA_TIFF_METADATA = 42112,
  RIA_TIFF_NODATA = 42113
};

typedef struct ria_tiff_entry {
  uint16_t tag, type;
  uint64_t count, at; /* values; where they lie in the file */
} ria_tiff_entry;

typedef struct ria_tiff_file {
  ria_context *ctx;
  const char *path;
  int fd;
  uint64_t size;
  bool big_endian, big; /* the order of bytes; BigTIFF */
  ria_tiff_entry *entry;
  size_t entries;
  uint64_t next; /* where the directory of the next image lies; 0: this is the last */
  bool *refused; /* set where another program can make a file of it that is read; may be NULL */
} ria_tiff_file;

/* On failure there is nothing to close. */
ria_status ria_tiff_open(ria_context *ctx, const char *path, ria_tiff_file *f);
void ria_tiff_close(ria_tiff_file *f);

/* n bytes at `at`, which must lie within the file; what: for messages. */
ria_status ria_tiff_bytes(const ria_tiff_file *f, uint64_t at, void *to, size_t n,
                          const char *what);
/* A word of 1, 2, 4 or 8 bytes. */
uint64_t ria_tiff_word(const unsigned char *s, int bytes, bool big_endian);

/* A later image that says which cells of the first have a value; to be closed if *found. */
ria_status ria_tiff_mask_within(const ria_tiff_file *f, ria_tiff_file *mask, bool *found);
/* The path of a file that does, bay.tif.msk; false: there is none. */
bool ria_tiff_mask_beside(const char *path, char *beside, size_t size);
/* Is that file a mask for GDAL? For others it says nothing. */
ria_status ria_tiff_is_mask(const ria_tiff_file *f, bool *is);

bool ria_tiff_has(const ria_tiff_file *f, int tag);
/* The one whole number of a tag; `fallback` where the file has no such tag. */
ria_status ria_tiff_whole(const ria_tiff_file *f, int tag, uint64_t fallback, uint64_t *out);
/* All whole numbers of a tag, malloc'ed; *n of them. */
ria_status ria_tiff_wholes(const ria_tiff_file *f, int tag, uint64_t **out, size_t *n);
/* Up to `most` doubles; more are an error. *n = 0 where the file has no such tag. */
ria_status ria_tiff_doubles(const ria_tiff_file *f, int tag, size_t most, double *out, size_t *n);
/* A text of at most `most` bytes with a NUL behind it, malloc'ed; NULL where there is none. */
ria_status ria_tiff_text(const ria_tiff_file *f, int tag, size_t most, char **out);

const char *ria_tiff_tag_name(int tag);
ria_status ria_tiff_fail(const ria_tiff_file *f, const char *fmt, ...) RIA_PRINTF(2, 3);
/* "bay.tif: WHY; gdal_translate OPTIONS bay.tif out.tif makes one that is read". */
ria_status ria_tiff_refuse(const ria_tiff_file *f, const char *command, const char *why_fmt, ...)
    RIA_PRINTF(3, 4);

/* --- tiff_image.c ----------------------------------------------------------------------------- */

typedef enum ria_tiff_packing {
  RIA_TIFF_PLAIN = 1,
  RIA_TIFF_LZW = 5,
  RIA_TIFF_DEFLATE = 8,
  RIA_TIFF_PACKBITS = 32773
} ria_tiff_packing;

typedef enum ria_tiff_format {
  RIA_TIFF_UNSIGNED = 1,
  RIA_TIFF_SIGNED = 2,
  RIA_TIFF_FLOAT = 3
} ria_tiff_format;

typedef struct ria_tiff_image {
  int nx, ny;
  ria_tiff_format format;
  int bytes, bits;  /* of a value: 1, 2, 4, 8; but for bits = 1, of a mask, 8 times as many */
  bool alpha;       /* a second band says which cells count: 0, no data */
  int each, planes; /* numbers of a cell in a block; blocks for a place: 1 and 2, or 2 and 1 */
  ria_tiff_packing packing;
  int predictor; /* 1, 2, 3 */
  bool tiled;
  int block_nx, block_ny, across, down; /* cells of a block; blocks */
  uint64_t *at, *packed;                /* [planes][down][across] where a block lies, its bytes */
} ria_tiff_image;

/* Checked: the blocks that are there lie within the file and can hold their cells. */
ria_status ria_tiff_image_read(const ria_tiff_file *f, ria_tiff_image *image);
/* The same of a mask, whose numbers may be single bits. */
ria_status ria_tiff_mask_read(const ria_tiff_file *f, ria_tiff_image *image);
/* Bytes of a row of a block. */
size_t ria_tiff_row_bytes(const ria_tiff_image *image);
void ria_tiff_image_free(ria_tiff_image *image);
/* Rows of a block that are in the file: the last strip may be lower, tiles are whole. */
int ria_tiff_block_rows(const ria_tiff_image *image, int row);

/* --- tiff_geo.c ------------------------------------------------------------------------------- */

typedef struct ria_tiff_place {
  ria_grid grid;
  bool from_south; /* the rows of the file */
  char *crs;       /* malloc'ed; NULL: none that is understood */
  char *unit;      /* of values: text, or "EPSG:n"; malloc'ed; NULL: it says none */
  bool has_nodata;
  double nodata;        /* before scale and offset */
  bool scaled;          /* the file itself has one of these: */
  double scale, offset; /* value = scale * number + offset */
} ria_tiff_place;

ria_status ria_tiff_place_read(const ria_tiff_file *f, const ria_tiff_image *image,
                               ria_tiff_place *place);
void ria_tiff_place_free(ria_tiff_place *place);

/* --- tiff_world.c ----------------------------------------------------------------------------- */

/* Is there a world file (.tfw, .tifw, .wld) beside the file? t: as ria_grid_of_affine has it. */
ria_status ria_tiff_world_read(const ria_tiff_file *f, double t[6], bool *found);

/* --- tiff_beside.c ---------------------------------------------------------------------------- */

typedef struct ria_tiff_beside {
  bool placed;
  double t[6];      /* where it is placed: as ria_grid_of_affine has it */
  char *crs, *unit; /* malloc'ed; NULL: it says none */
  bool has_nodata, has_scale, has_offset;
  double nodata, scale, offset;
} ria_tiff_beside;

/* All zero where there is no such file. */
ria_status ria_tiff_beside_read(const ria_tiff_file *f, ria_tiff_beside *b);
void ria_tiff_beside_free(ria_tiff_beside *b);

/* --- tiff_stream.c, tiff_lzw.c ---------------------------------------------------------------- */

typedef struct ria_tiff_stream ria_tiff_stream;

/* One for all blocks of a file, which must outlive it. */
ria_status ria_tiff_stream_make(const ria_tiff_file *f, const ria_tiff_image *image,
                                ria_tiff_stream **out);
void ria_tiff_stream_free(ria_tiff_stream **s);
ria_status ria_tiff_stream_begin(ria_tiff_stream *s, int block);
/* The next n bytes of the block. */
ria_status ria_tiff_stream_read(ria_tiff_stream *s, unsigned char *to, size_t n);
/* The next packed byte; -1 at the end of the block, or when the file cannot be read. */
int ria_tiff_stream_byte(ria_tiff_stream *s);

enum { RIA_TIFF_LZW_CODES = 4096 };

typedef struct ria_tiff_lzw {
  uint16_t prefix[RIA_TIFF_LZW_CODES], length[RIA_TIFF_LZW_CODES];
  unsigned char first[RIA_TIFF_LZW_CODES], last[RIA_TIFF_LZW_CODES];
  int next, width, before; /* code to be made; bits of a code; the code before, -1: none */
  uint32_t bits;
  int have;                               /* bits that are valid in `bits` */
  unsigned char text[RIA_TIFF_LZW_CODES]; /* of the present code */
  size_t pos, end;
} ria_tiff_lzw;

void ria_tiff_lzw_begin(ria_tiff_lzw *z);
/* n bytes; NULL, or why not. */
const char *ria_tiff_lzw_read(ria_tiff_lzw *z, ria_tiff_stream *s, unsigned char *to, size_t n);

/* --- tiff_sample.c ---------------------------------------------------------------------------- */

/* A row of n cells of a block, as they are in the file, to numbers: `each` a cell. The row is used
 * up. */
void ria_tiff_row(const ria_tiff_image *image, bool big_endian, unsigned char *row, int n,
                  double *to);

#endif
