/* io/tiff_file.c - the header of a TIFF file, its first directory, the values of tags.
 *
 * Numbers of a file are never trusted: a range is compared with the file's size, by subtraction so
 * that nothing overflows, before a byte of it is read or room is made for it. */
#include "base/text.h"
#include "io/access.h"
#include "io/tiff.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- messages --------------------------------------------------------------------------------- */

ria_status ria_tiff_fail(const ria_tiff_file *f, const char *fmt, ...) {
  char text[512];
  va_list args;
  va_start(args, fmt);
  ria_vformat(text, sizeof text, fmt, args);
  va_end(args);
  return ria_fail(f->ctx, RIA_ERR_INPUT, "%s: %s", f->path, text);
}

ria_status ria_tiff_refuse(const ria_tiff_file *f, const char *command, const char *why_fmt, ...) {
  char text[512];
  va_list args;
  va_start(args, why_fmt);
  ria_vformat(text, sizeof text, why_fmt, args);
  va_end(args);
  if (f->refused) *f->refused = true;
  return ria_fail(f->ctx, RIA_ERR_INPUT, "%s: %s; %s %s out.tif makes one that is read", f->path,
                  text, command, f->path);
}

static const struct {
  int tag;
  const char *name;
} tag_names[] = {{RIA_TIFF_SUBFILE, "NewSubfileType"},
                 {RIA_TIFF_WIDTH, "ImageWidth"},
                 {RIA_TIFF_HEIGHT, "ImageLength"},
                 {RIA_TIFF_BITS, "BitsPerSample"},
                 {RIA_TIFF_COMPRESSION, "Compression"},
                 {RIA_TIFF_PHOTOMETRIC, "PhotometricInterpretation"},
                 {RIA_TIFF_FILL_ORDER, "FillOrder"},
                 {RIA_TIFF_STRIP_OFFSETS, "StripOffsets"},
                 {RIA_TIFF_ORIENTATION, "Orientation"},
                 {RIA_TIFF_BANDS, "SamplesPerPixel"},
                 {RIA_TIFF_ROWS_PER_STRIP, "RowsPerStrip"},
                 {RIA_TIFF_STRIP_BYTES, "StripByteCounts"},
                 {RIA_TIFF_PLANAR, "PlanarConfiguration"},
                 {RIA_TIFF_PREDICTOR, "Predictor"},
                 {RIA_TIFF_COLOURS, "ColorMap"},
                 {RIA_TIFF_TILE_WIDTH, "TileWidth"},
                 {RIA_TIFF_TILE_HEIGHT, "TileLength"},
                 {RIA_TIFF_TILE_OFFSETS, "TileOffsets"},
                 {RIA_TIFF_TILE_BYTES, "TileByteCounts"},
                 {RIA_TIFF_MORE_BANDS, "ExtraSamples"},
                 {RIA_TIFF_SAMPLE_FORMAT, "SampleFormat"},
                 {RIA_TIFF_PIXEL_SCALE, "ModelPixelScale"},
                 {RIA_TIFF_TIE_POINT, "ModelTiepoint"},
                 {RIA_TIFF_MATRIX, "ModelTransformation"},
                 {RIA_TIFF_KEYS, "GeoKeyDirectory"},
                 {RIA_TIFF_KEY_DOUBLES, "GeoDoubleParams"},
                 {RIA_TIFF_KEY_TEXTS, "GeoAsciiParams"},
                 {RIA_TIFF_METADATA, "GDAL_METADATA"},
                 {RIA_TIFF_NODATA, "GDAL_NODATA"}};

const char *ria_tiff_tag_name(int tag) {
  for (size_t k = 0; k < sizeof tag_names / sizeof *tag_names; k++)
    if (tag_names[k].tag == tag) return tag_names[k].name;
  return "tag";
}

/* --- bytes ------------------------------------------------------------------------------------ */

static bool within(const ria_tiff_file *f, uint64_t at, uint64_t n) {
  return at <= f->size && n <= f->size - at;
}

ria_status ria_tiff_bytes(const ria_tiff_file *f, uint64_t at, void *to, size_t n,
                          const char *what) {
  if (!within(f, at, n))
    return ria_tiff_fail(f, "%s lies outside the file: is it cut short?", what);
  for (size_t done = 0; done < n;) {
    const ssize_t got = pread(f->fd, (char *)to + done, n - done, (off_t)(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return ria_fail(f->ctx, RIA_ERR_INPUT, "cannot read %s: %s", f->path, strerror(errno));
    if (got == 0) return ria_tiff_fail(f, "the file became shorter while it was read");
    done += (size_t)got;
  }
  return RIA_OK;
}

uint64_t ria_tiff_word(const unsigned char *s, int bytes, bool big_endian) {
  uint64_t v = 0;
  for (int k = 0; k < bytes; k++) v = v << 8 | s[big_endian ? k : bytes - 1 - k];
  return v;
}

/* --- the directory ---------------------------------------------------------------------------- */

/* Bytes of a value of a type; 0: no type of TIFF. */
static int type_size(int type) {
  static const unsigned char size[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
  return type >= 0 && (size_t)type < sizeof size ? size[type] : 0;
}

static ria_status read_header(ria_tiff_file *f, uint64_t *directory) {
  unsigned char head[16] = {0};
  RIA_TRY(ria_tiff_bytes(f, 0, head, f->size < 16 ? (size_t)f->size : 16, "the header"));
  const bool little = memcmp(head, "II", 2) == 0;
  f->big_endian = memcmp(head, "MM", 2) == 0;
  const uint64_t version = ria_tiff_word(head + 2, 2, f->big_endian);
  f->big = version == 43;
  if ((!little && !f->big_endian) || (version != 42 && version != 43))
    return ria_tiff_fail(f, "not a TIFF file, by its first bytes");
  if (f->size < (f->big ? 16u : 8u)) return ria_tiff_fail(f, "the file ends within its header");
  if (f->big && (ria_tiff_word(head + 4, 2, f->big_endian) != 8 ||
                 ria_tiff_word(head + 6, 2, f->big_endian) != 0))
    return ria_tiff_fail(f, "the header of the BigTIFF file is damaged");
  *directory = f->big ? ria_tiff_word(head + 8, 8, f->big_endian)
                      : ria_tiff_word(head + 4, 4, f->big_endian);
  return RIA_OK;
}

static ria_tiff_entry parse_entry(const ria_tiff_file *f, const unsigned char *s, uint64_t at) {
  const int word = f->big ? 8 : 4;
  ria_tiff_entry e = {.tag = (uint16_t)ria_tiff_word(s, 2, f->big_endian),
                      .type = (uint16_t)ria_tiff_word(s + 2, 2, f->big_endian),
                      .count = ria_tiff_word(s + 4, word, f->big_endian),
                      .at = at + 4 + (uint64_t)word};
  const uint64_t size = (uint64_t)type_size(e.type);
  if (size && e.count > (uint64_t)word / size)
    e.at = ria_tiff_word(s + 4 + word, word, f->big_endian);
  return e;
}

/* Tags should rise, and some programs write them as they come: `find` does not mind. */
static void parse_entries(ria_tiff_file *f, const unsigned char *s, size_t n, uint64_t at) {
  const size_t size = f->big ? 20 : 12;
  for (size_t k = 0; k < n; k++) f->entry[k] = parse_entry(f, s + k * size, at + k * size);
  f->entries = n;
}

static ria_status read_directory(ria_tiff_file *f, uint64_t at) {
  const int head = f->big ? 8 : 2;
  const size_t size = f->big ? 20 : 12;
  unsigned char count[8];
  RIA_TRY(ria_tiff_bytes(f, at, count, (size_t)head, "the directory of tags"));
  const uint64_t n = ria_tiff_word(count, head, f->big_endian);
  at += (uint64_t)head;
  if (n == 0 || n > UINT16_MAX || !within(f, at, n * size))
    return ria_tiff_fail(f, "the directory of tags is damaged or cut short");
  unsigned char *raw = malloc((size_t)n * size);
  f->entry = malloc((size_t)n * sizeof *f->entry);
  ria_status s = raw && f->entry ? ria_tiff_bytes(f, at, raw, (size_t)n * size, "the directory")
                                 : ria_fail(f->ctx, RIA_ERR_MEMORY, "%s: out of memory", f->path);
  if (s == RIA_OK) parse_entries(f, raw, (size_t)n, at);
  free(raw);
  return s;
}

/* Where the next directory lies, behind the n entries at `at`. Some programs end the file there. */
static ria_status read_next(ria_tiff_file *f, uint64_t at, uint64_t n) {
  const int word = f->big ? 8 : 4;
  const uint64_t end = at + (f->big ? 8 + 20 * n : 2 + 12 * n);
  unsigned char raw[8];
  f->next = 0;
  if (!within(f, end, (uint64_t)word)) return RIA_OK;
  RIA_TRY(ria_tiff_bytes(f, end, raw, (size_t)word, "the directory of tags"));
  f->next = ria_tiff_word(raw, word, f->big_endian);
  return RIA_OK;
}

static ria_status open_file(ria_tiff_file *f) {
  struct stat st;
  RIA_TRY(ria_read_open(f->ctx, f->path, O_NONBLOCK, &f->fd));
  if (f->fd < 0 || fstat(f->fd, &st) != 0)
    return ria_fail(f->ctx, RIA_ERR_INPUT, "cannot open %s: %s", f->path, strerror(errno));
  if (!S_ISREG(st.st_mode)) return ria_tiff_fail(f, "a TIFF is read from a regular file");
  f->size = (uint64_t)st.st_size;
  return RIA_OK;
}

ria_status ria_tiff_open(ria_context *ctx, const char *path, ria_tiff_file *f) {
  uint64_t directory = 0;
  *f = (ria_tiff_file){.ctx = ctx, .path = path, .fd = -1};
  ria_status s = open_file(f);
  if (s == RIA_OK) s = read_header(f, &directory);
  if (s == RIA_OK) s = read_directory(f, directory);
  if (s == RIA_OK) s = read_next(f, directory, f->entries);
  if (s != RIA_OK) ria_tiff_close(f);
  return s;
}

void ria_tiff_close(ria_tiff_file *f) {
  if (f->fd >= 0) close(f->fd);
  free(f->entry);
  f->entry = NULL;
  f->entries = 0;
  f->fd = -1;
}

/* --- masks ------------------------------------------------------------------------------------ */

enum { IMAGES_MOST = 64 }; /* that are looked at: a first one, smaller ones of it, their masks */
enum { SMALLER = 1, MASK = 4 }; /* of NewSubfileType */

/* The kind of the image whose directory is next; *image goes on to it. */
static ria_status read_kind(ria_tiff_file *image, uint64_t *kind) {
  const uint64_t at = image->next;
  image->entry = NULL;
  image->entries = 0;
  RIA_TRY(read_directory(image, at));
  RIA_TRY(read_next(image, at, image->entries));
  return ria_tiff_whole(image, RIA_TIFF_SUBFILE, 0, kind);
}

static ria_status keep_image(ria_tiff_file *image, ria_tiff_file *out, bool *found) {
  image->fd = fcntl(image->fd, F_DUPFD_CLOEXEC, 0);
  if (image->fd < 0)
    return ria_fail(image->ctx, RIA_ERR_INPUT, "cannot open %s: %s", image->path, strerror(errno));
  *out = *image;
  *found = true;
  return RIA_OK;
}

/* A later image that cannot be read takes nothing from the first, for GDAL neither. It is told: it
 * may have been a mask. */
static ria_status pass_over(const ria_tiff_file *f) {
  ria_error_clear(f->ctx);
  ria_log(f->ctx, "%s: an image behind the first cannot be read and is left out", f->path);
  return RIA_OK;
}

ria_status ria_tiff_mask_within(const ria_tiff_file *f, ria_tiff_file *mask, bool *found) {
  ria_tiff_file image = *f;
  uint64_t kind = 0;
  *found = false;
  image.refused = NULL;
  for (int k = 0; image.next && k < IMAGES_MOST; k++) {
    ria_status s = read_kind(&image, &kind);
    const bool is = s == RIA_OK && (kind & (SMALLER | MASK)) == MASK;
    if (is) s = keep_image(&image, mask, found);
    if (*found) return RIA_OK;
    free(image.entry);
    if (s == RIA_ERR_MEMORY || is) return s;
    if (s != RIA_OK) return pass_over(f);
  }
  return RIA_OK;
}

bool ria_tiff_mask_beside(const char *path, char *beside, size_t size) {
  static const char *const endings[] = {"msk", "MSK"};
  for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
    if ((size_t)snprintf(beside, size, "%s.%s", path, endings[k]) < size &&
        access(beside, F_OK) == 0)
      return true;
  return false;
}

ria_status ria_tiff_is_mask(const ria_tiff_file *f, bool *is) {
  char *xml;
  RIA_TRY(ria_tiff_text(f, RIA_TIFF_METADATA, 1 << 20, &xml));
  *is = xml && strstr(xml, "INTERNAL_MASK_FLAGS_1");
  free(xml);
  return RIA_OK;
}

/* --- values of tags --------------------------------------------------------------------------- */

/* Of a tag that is there twice the first counts, as for libtiff. */
static const ria_tiff_entry *find(const ria_tiff_file *f, int tag) {
  for (size_t k = 0; k < f->entries; k++)
    if (f->entry[k].tag == tag) return &f->entry[k];
  return NULL;
}

bool ria_tiff_has(const ria_tiff_file *f, int tag) { return find(f, tag) != NULL; }

/* The bytes of all values of an entry, malloc'ed: no more than the file has. */
static ria_status values_of(const ria_tiff_file *f, const ria_tiff_entry *e, unsigned char **out) {
  const char *name = ria_tiff_tag_name(e->tag);
  const uint64_t size = (uint64_t)type_size(e->type);
  *out = NULL;
  if (size == 0) return ria_tiff_fail(f, "%s is of the unknown type %d", name, e->type);
  if (e->count == 0) return ria_tiff_fail(f, "%s has no values", name);
  if (e->count > f->size / size || !within(f, e->at, e->count * size))
    return ria_tiff_fail(f, "%s lies outside the file: is it cut short?", name);
  const size_t n = (size_t)(e->count * size);
  unsigned char *raw = malloc(n);
  if (!raw) return ria_fail(f->ctx, RIA_ERR_MEMORY, "%s: out of memory (%zu bytes)", f->path, n);
  const ria_status s = ria_tiff_bytes(f, e->at, raw, n, name);
  if (s == RIA_OK)
    *out = raw;
  else
    free(raw);
  return s;
}

static bool is_whole(int type) {
  return type == 1 || type == 3 || type == 4 || type == 13 || type == 16 || type == 18;
}

ria_status ria_tiff_wholes(const ria_tiff_file *f, int tag, uint64_t **out, size_t *n) {
  const ria_tiff_entry *e = find(f, tag);
  unsigned char *raw;
  *out = NULL;
  *n = 0;
  if (!e) return ria_tiff_fail(f, "the file has no %s", ria_tiff_tag_name(tag));
  if (!is_whole(e->type))
    return ria_tiff_fail(f, "%s must be whole numbers (it is of type %d)", ria_tiff_tag_name(tag),
                         e->type);
  RIA_TRY(values_of(f, e, &raw));
  const int size = type_size(e->type);
  const size_t count = (size_t)e->count;
  *out = count <= SIZE_MAX / sizeof **out ? malloc(count * sizeof **out) : NULL;
  for (size_t k = 0; *out && k < count; k++)
    (*out)[k] = ria_tiff_word(raw + k * (size_t)size, size, f->big_endian);
  free(raw);
  if (!*out) return ria_fail(f->ctx, RIA_ERR_MEMORY, "%s: out of memory", f->path);
  *n = count;
  return RIA_OK;
}

ria_status ria_tiff_whole(const ria_tiff_file *f, int tag, uint64_t fallback, uint64_t *out) {
  const ria_tiff_entry *e = find(f, tag);
  uint64_t *all;
  size_t n;
  *out = fallback;
  if (!e) return RIA_OK;
  if (e->count != 1)
    return ria_tiff_fail(f, "%s must be one number, not %.0f", ria_tiff_tag_name(tag),
                         (double)e->count);
  RIA_TRY(ria_tiff_wholes(f, tag, &all, &n));
  *out = all[0];
  free(all);
  return RIA_OK;
}

ria_status ria_tiff_doubles(const ria_tiff_file *f, int tag, size_t most, double *out, size_t *n) {
  const ria_tiff_entry *e = find(f, tag);
  unsigned char *raw;
  *n = 0;
  if (!e) return RIA_OK;
  if (e->type != 12 || e->count > most)
    return ria_tiff_fail(f, "%s must be at most %zu numbers of type 12, not %.0f of type %d",
                         ria_tiff_tag_name(tag), most, (double)e->count, e->type);
  RIA_TRY(values_of(f, e, &raw));
  for (size_t k = 0; k < (size_t)e->count; k++) {
    const uint64_t bits = ria_tiff_word(raw + 8 * k, 8, f->big_endian);
    memcpy(&out[k], &bits, sizeof bits);
  }
  free(raw);
  *n = (size_t)e->count;
  return RIA_OK;
}

ria_status ria_tiff_text(const ria_tiff_file *f, int tag, size_t most, char **out) {
  const ria_tiff_entry *e = find(f, tag);
  unsigned char *raw;
  *out = NULL;
  if (!e) return RIA_OK;
  if (e->type != 2 || e->count > most)
    return ria_tiff_fail(f, "%s must be a text of at most %zu bytes", ria_tiff_tag_name(tag), most);
  RIA_TRY(values_of(f, e, &raw));
  const size_t n = (size_t)e->count;
  char *text = malloc(n + 1);
  if (text) {
    memcpy(text, raw, n);
    text[n] = '\0';
  }
  free(raw);
  *out = text;
  return text ? RIA_OK : ria_fail(f->ctx, RIA_ERR_MEMORY, "%s: out of memory", f->path);
}
