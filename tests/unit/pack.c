/* unit.pack: what io/pack_k.h makes of numbers, any zlib reads; by its loops for the CPU. */
#include "io/pack_k.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A tile of `words` * 4 * count bytes in rows of `row` numbers, packed as a device does it: returns
 * the stream. */
static unsigned char *pack_tile(const uint32_t *tile, int words, int count, int row, size_t *size) {
  const int bytes = 4 * words * count, runs = (int)pk_runs(bytes);
  unsigned char *stream = malloc((size_t)runs * PK_SLOT + 4);
  pk_room *room = malloc(sizeof *room);
  uint32_t *out = malloc(PK_SLOT), adler[2] = {1, 0};
  if (!stream || !room || !out) abort();
  memset(room, 0xA5, sizeof *room);
  memset(out, 0x5A, PK_SLOT);
  *size = 0;
  for (int r = 0; r < runs; r++) {
    const int from = r * PK_RUN, left = bytes - from;
    const pk_task task = {.bytes = left < PK_RUN ? left : PK_RUN,
                          .words = words,
                          .history = from < PK_HISTORY ? from : PK_HISTORY,
                          .row = row * words,
                          .opens = r == 0,
                          .closes = r == runs - 1};
    for (int w = -task.history / 4; w < task.bytes / 4; w++)
      pk_put_word(room, PK_HISTORY / 4 + w, tile[from / 4 + w]);
    const pk_result done = pk_run(room, &task, out);
    CHECK(done.bytes <= PK_SLOT);
    memcpy(stream + *size, out, done.bytes);
    *size += done.bytes;
    pk_adler_add(adler, &done, task.bytes);
  }
  const uint32_t sum = adler[1] << 16 | adler[0];
  for (int m = 0; m < 4; m++) stream[(*size)++] = (unsigned char)(sum >> (24 - 8 * m));
  free(out);
  free(room);
  return stream;
}

static uLong streams; /* a check sum of all so far */

/* The stream holds the tile, and no more. Returns how often it goes into the tile. */
static double round_trip(const char *what, const uint32_t *tile, int words, int count, int row) {
  size_t size = 0;
  const size_t bytes = 4 * (size_t)words * (size_t)count;
  unsigned char *stream = pack_tile(tile, words, count, row, &size), *back = malloc(bytes + 1);
  if (!back) abort();
  streams = crc32(streams, stream, (uInt)size);
  uLongf got = bytes + 1;
  uLong used = size;
  const int code = uncompress2(back, &got, stream, &used);
  if (!CHECK(code == Z_OK && got == bytes && used == size && memcmp(back, tile, bytes) == 0))
    fprintf(stderr, "  %s: %d numbers of %d bytes, rows of %d: zlib says %d, %lu bytes\n", what,
            count, 4 * words, row, code, (unsigned long)got);
  free(back);
  free(stream);
  return (double)bytes / (double)size;
}

/* --- numbers ---------------------------------------------------------------------------------- */

static uint64_t state = 1;
static uint32_t any(void) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 32);
}

enum kind { RANDOM, ZERO, NONE, SMOOTH, STEPS, FEW, RARE, HALF, KINDS };
static const char *const kind_name[] = {"random", "zero",      "no value",           "smooth",
                                        "steps",  "16 values", "few frequent bytes", "half land"};

/* Waves, rounded as a store does it. */
static double wave(int i, int j) {
  return round((3.0 * sin(0.01 * i + 0.004 * j) + cos(0.017 * j)) * 512) / 512;
}

static double value_of(enum kind kind, int i, int j) {
  switch (kind) {
  case NONE:
    return (double)NAN;
  case SMOOTH:
    return wave(i, j);
  case STEPS:
    return floor(4 * wave(2 * i + 3 * j, j));
  case FEW:
    return any() % 16;
  case HALF:
    return i + 2 * j > 700 ? (double)NAN : wave(i, j);
  default:
    return 0;
  }
}

/* Bytes whose counts grow about like Fibonacci's numbers: codes of very different lengths. */
static uint32_t rare_word(void) {
  uint32_t word = 0;
  for (int k = 0; k < 4; k++) {
    uint32_t byte = 3, draw = any();
    while (draw % 1000 < 618 && byte < 200) byte += 7, draw = any();
    word = word << 8 | (byte ^ 0x55);
  }
  return word;
}

static void fill(uint32_t *tile, enum kind kind, int words, int count, int row) {
  for (int k = 0; k < count; k++) {
    const double v = value_of(kind, k % row, k / row);
    const float f = (float)v;
    if (words == 1)
      memcpy(tile + k, &f, sizeof f);
    else
      memcpy(tile + 2 * k, &v, sizeof v);
  }
  for (int w = 0; w < words * count; w++) {
    if (kind == RANDOM) tile[w] = any();
    if (kind == RARE) tile[w] = rare_word();
  }
}

/* Every kind, in tiles of less than a segment up to several runs, with rows that a match can reach
 * back to and such that are too long. */
static void all_kinds(void) {
  static const int sizes[][2] = {/* row, rows */ {1, 1},
                                 {1, 3},
                                 {63, 1},
                                 {64, 1},
                                 {65, 1},
                                 {129, 63},
                                 {8192, 1},
                                 {8193, 1},
                                 {100, 100},
                                 {512, 40},
                                 {20000, 2},
                                 {3, 9000}};
  uint32_t *tile = malloc(2 * 40000 * sizeof *tile);
  if (!tile) abort();
  for (int kind = 0; kind < KINDS; kind++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      for (int words = 1; words <= 2; words++) {
        const int row = sizes[k][0], count = row * sizes[k][1];
        fill(tile, (enum kind)kind, words, count, row);
        round_trip(kind_name[kind], tile, words, count, row);
      }
  free(tile);
}

/* Numbers one of which is changed at random, and pieces of which are repeated: matches of every
 * length at every distance. They are whole, the same on every machine, so the streams are too: a
 * choice that is made otherwise shows even where any reader gets the same numbers. Who makes the
 * packer choose otherwise on purpose looks at ratios() and puts the new sum here. */
static void mixtures(void) {
  enum { MOST = 30000 };
  state = 1;
  streams = crc32(0, NULL, 0);
  uint32_t *tile = malloc(MOST * sizeof *tile);
  if (!tile) abort();
  for (int turn = 0; turn < 60; turn++) {
    const int words = 1 + turn % 2, numbers = (int)(1 + any() % (MOST / 2)), n = numbers * words;
    for (int w = 0; w < n;) {
      int piece = (int)(1 + any() % 300), back = (int)(1 + any() % 12000);
      const uint32_t how = any() % 4, mask = 0xffffffffu >> any() % 32;
      for (; piece && w < n; piece--, w++)
        tile[w] =
            how == 0 || back > w ? any() & mask : tile[w - back] + (how == 1 && any() % 9 == 0);
    }
    round_trip("mixture", tile, words, numbers, (int)(1 + any() % 3000));
  }
  CHECK_INT(streams, 3856936722);
  free(tile);
}

/* --- codes ------------------------------------------------------------------------------------ */

/* Frequencies that are Fibonacci's numbers make the deepest tree that there is: without a limit the
 * rarest of 22 symbols would have 21 bits. Codes must not be longer than the limit, fill the
 * lengths that there are, begin with no other code, and be no shorter for what is rarer. */
static void deep_trees(void) {
  pk_room *room = calloc(1, sizeof *room);
  if (!room) abort();
  pk_trees *h = &room->u.trees;
  const int symbols[PK_ALPHABETS] = {22, 22, 18};
  const uint32_t most_bits[PK_ALPHABETS] = {121433, 121433, 19301};
  for (int q = 0; q < PK_ALPHABETS; q++) {
    uint32_t last = 0, next = 1;
    for (int k = 0; k < symbols[q]; k++) {
      h->freq[pk_first(q) + (7 * k + 3) % pk_count(q)] = next;
      next += last;
      last = next - last;
    }
  }
  pk_codes(h, 0, 2);
  pk_codes(h, 2, 3);
  for (int q = 0; q < PK_ALPHABETS; q++) {
    const int limit = pk_limit(q);
    uint32_t filled = 0, last = 16, bits = 0;
    for (int k = 0; k < symbols[q]; k++) {
      const uint32_t code = h->code[pk_first(q) + (7 * k + 3) % pk_count(q)], l = code & 15;
      CHECK(l >= 1 && (int)l <= limit && l <= last);
      last = l;
      bits += l * h->freq[pk_first(q) + (7 * k + 3) % pk_count(q)];
      filled += 1u << ((uint32_t)limit - l);
      for (int i = 0; i < k; i++) {
        const uint32_t other = h->code[pk_first(q) + (7 * i + 3) % pk_count(q)];
        CHECK(((code ^ other) >> 4 & ((1u << l) - 1)) != 0); /* the other is no shorter */
      }
    }
    CHECK_INT((int)filled, 1 << limit);
    CHECK_INT((int)last, 1);
    CHECK(bits <= most_bits[q]);
  }
  free(room);
}

/* --- sizes ------------------------------------------------------------------------------------ */

static double ratio_of(enum kind kind, int words) {
  enum { EDGE = 512 };
  uint32_t *tile = malloc(2 * EDGE * EDGE * sizeof *tile);
  if (!tile) abort();
  fill(tile, kind, words, EDGE * EDGE, EDGE);
  const double ratio = round_trip(kind_name[kind], tile, words, EDGE * EDGE, EDGE);
  free(tile);
  return ratio;
}

/* What cannot be packed hardly grows; what can is packed well: zlib's level 1 reaches 6.3 with
 * these waves in single precision and 8.4 in double. */
static void ratios(void) {
  CHECK(ratio_of(RANDOM, 1) > 0.9998);
  CHECK(ratio_of(ZERO, 1) > 200 && ratio_of(NONE, 2) > 200);
  CHECK(ratio_of(SMOOTH, 1) > 2.2);
  CHECK(ratio_of(SMOOTH, 2) > 4.4);
  CHECK(ratio_of(STEPS, 1) > 15);
}

/* Rows alike, and nothing else that repeats: found as long as a row is within deflate's window, in
 * what a run has before it. */
static void alike_rows(void) {
  enum { ROWS = 8, MOST = 8200 };
  static uint32_t tile[ROWS * MOST];
  const struct {
    int row;
    double least;
  } of[] = {{6600, 1.3}, {8100, 1.1}, {MOST, 0.999}};
  for (int k = 0; k < 3; k++) {
    const int row = of[k].row;
    for (int w = 0; w < ROWS * row; w++) tile[w] = w < row ? any() : tile[w - row];
    CHECK(round_trip("alike", tile, 1, ROWS * row, row) > of[k].least);
  }
}

/* The check sum is put together from those of runs. */
static void wrong_bytes_show(void) {
  enum { N = 20000 };
  uint32_t *tile = malloc(N * sizeof *tile), *back = malloc(N * sizeof *tile);
  if (!tile || !back) abort();
  fill(tile, SMOOTH, 1, N, 100);
  size_t size = 0;
  unsigned char *stream = pack_tile(tile, 1, N, 100, &size);
  stream[size - 1] ^= 1;
  uLongf got = N * sizeof *tile;
  CHECK_INT(uncompress((unsigned char *)back, &got, stream, size), Z_DATA_ERROR);
  free(stream);
  free(back);
  free(tile);
}

int main(void) {
  all_kinds();
  mixtures();
  deep_trees();
  ratios();
  alike_rows();
  wrong_bytes_show();
  return TEST_END();
}
