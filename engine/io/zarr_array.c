/* io/zarr_array.c - .zarray of an array of a store, as far as it is understood. */
#include "io/zarr_array.h"

#include <math.h>
#include <string.h>

/* Up to three whole numbers > 0 (0 too where it may be). */
static int read_numbers(ria_json_reader *r, int64_t to[3], int64_t least) {
  int n = 0;
  if (!ria_json_enter(r, '[')) return -1;
  while (ria_json_element(r)) {
    int64_t v = 0;
    if (!ria_json_get_integer(r, &v) || n == 3 || v < least || v > INT32_MAX) return -1;
    to[n++] = v;
  }
  return n;
}

static bool read_compressor(ria_json_reader *r, bool *packed) {
  char key[32], id[32] = "";
  if (ria_json_peek(r) == 'n') return ria_json_skip(r), true;
  if (!ria_json_enter(r, '{')) return false;
  while (ria_json_key(r, key, sizeof key))
    if (strcmp(key, "id") == 0)
      ria_json_get_text(r, id, sizeof id);
    else
      ria_json_skip(r);
  *packed = true;
  return strcmp(id, "zlib") == 0;
}

/* A number that stands for no value; "NaN" and null are none, and 0 is a value as any other, which
 * is what writers have who name none. */
static void read_fill(ria_json_reader *r, double *fill) {
  double v;
  const char next = ria_json_peek(r);
  if (next != '-' && (next < '0' || next > '9'))
    ria_json_skip(r);
  else if (ria_json_get_number(r, &v) && v != 0.0)
    *fill = v;
}

const char *ria_zarr_array_read(ria_json_reader *r, ria_zarr_array *a) {
  char key[40], text[8];
  int chunks = -1;
  int64_t version = 0;
  bool compressor = true, filters = true, order = true, dots = true;
  if (!ria_json_enter(r, '{')) return "it is no object";
  a->dims = -1;
  a->fill = (double)NAN;
  while (ria_json_key(r, key, sizeof key)) {
    if (strcmp(key, "zarr_format") == 0)
      ria_json_get_integer(r, &version);
    else if (strcmp(key, "shape") == 0)
      a->dims = read_numbers(r, a->shape, 0);
    else if (strcmp(key, "chunks") == 0)
      chunks = read_numbers(r, a->chunk, 1);
    else if (strcmp(key, "dtype") == 0)
      ria_json_get_text(r, a->type, sizeof a->type);
    else if (strcmp(key, "fill_value") == 0)
      read_fill(r, &a->fill);
    else if (strcmp(key, "compressor") == 0)
      compressor = read_compressor(r, &a->packed);
    else if (strcmp(key, "filters") == 0)
      filters = ria_json_peek(r) == 'n', ria_json_skip(r);
    else if (strcmp(key, "order") == 0)
      order = ria_json_get_text(r, text, sizeof text) && strcmp(text, "C") == 0;
    else if (strcmp(key, "dimension_separator") == 0)
      dots = ria_json_get_text(r, text, sizeof text) && strcmp(text, ".") == 0;
    else
      ria_json_skip(r);
  }
  if (r->failed || a->dims < 0) return "its shape cannot be read";
  if (version != 2) return "it is not of Zarr version 2";
  if (chunks != a->dims) return "its chunks do not belong to its shape";
  if (!compressor) return "its chunks are packed otherwise than by zlib";
  if (!filters || !order || (!dots && a->dims > 1))
    return "it has filters, another order, or chunks in folders";
  return NULL;
}
