/* Any bytes as a file that is packed, or that says so: an ESRI ASCII grid, a table, soundings. The
 * first byte says how it is damaged and who reads it. */
#include "fuzz.h"
#include <ria/csv.h>
#include <ria/field.h>
#include <ria/soundings.h>
#include <zlib.h>

static uint8_t *pack(const uint8_t *data, size_t n, size_t *packed) {
  z_stream z = {0};
  const size_t room = n + 1024;
  uint8_t *out = malloc(room);
  if (!out || deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) abort();
  z.next_in = (Bytef *)data;
  z.avail_in = (uInt)n;
  z.next_out = out;
  z.avail_out = (uInt)room;
  if (deflate(&z, Z_FINISH) != Z_STREAM_END) abort();
  *packed = z.total_out;
  deflateEnd(&z);
  return out;
}

static void read_with(ria_context *ctx, unsigned who, const char *path) {
  ria_raster *r = NULL;
  ria_csv_table *t = NULL;
  ria_status s;
  if (who == 0)
    s = ria_raster_read(ctx, path, &r);
  else if (who == 1)
    s = ria_csv_table_read(ctx, path, &t);
  else
    s = ria_raster_from_soundings(
        ctx, &(ria_soundings_desc){.paths = &path, .n_paths = 1, .dx = 1, .x1 = 8, .y1 = 8}, &r);
  fuzz_status(ctx, s, FUZZ_INPUT);
  FUZZ_DEMAND((s == RIA_OK) == (r || t));
  ria_raster_destroy(&r);
  ria_csv_table_destroy(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  static const char *const names[] = {"a.asc.gz", "a.csv.gz", "a.xyz.gz"};
  char dir[64], path[96];
  if (n < 3) return 0;
  const unsigned how = data[0] % 4, who = data[1] % 3, where = data[2];
  size_t packed;
  uint8_t *file = pack(data + 3, n - 3, &packed);
  if (how == 1) packed = packed * where / 256;                /* cut off */
  if (how == 2) file[packed * where / 256] ^= (uint8_t)where; /* damaged */
  fuzz_dir(dir);
  if (how == 3) /* not packed, whatever its name says */
    fuzz_put(dir, names[who], data + 3, n - 3);
  else
    fuzz_put(dir, names[who], file, packed);
  snprintf(path, sizeof path, "%s/%s", dir, names[who]);
  ria_context *ctx = fuzz_context(0);
  read_with(ctx, who, path);
  ria_context_destroy(&ctx);
  fuzz_dir_remove(dir);
  free(file);
  return 0;
}
