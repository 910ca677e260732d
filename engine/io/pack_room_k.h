/* io/pack_room_k.h - what the threads of a run of pack_k.h share: sizes, the room, how phases are
 * written for both devices, bytes. */
#ifndef RIA_IO_PACK_ROOM_K_H
#define RIA_IO_PACK_ROOM_K_H
#include <ria/kernel.h>
#include <stdbool.h>
#include <stddef.h>

enum {
  PK_THREADS = 128,
  PK_SEGMENT = 256,                     /* bytes, of a thread */
  PK_RUN = PK_THREADS * PK_SEGMENT,     /* bytes */
  PK_HISTORY = 4096,                    /* bytes before a run that its matches may reach */
  PK_FARTHEST = 32768,                  /* bytes back: deflate's window */
  PK_SLOT = PK_RUN + 32,                /* bytes that a run may become, with the stream's header */
  PK_WORDS = (PK_RUN + PK_HISTORY) / 4, /* of 4 bytes */
  PK_GROUP = 2048,                      /* bytes whose steps enter the table at once */
  PK_TABLE_BITS = 12,
  PK_FAR_LEAST = 6, /* bytes: shorter matches at a far distance cost more than they save */
  PK_FAR_GAIN = 3,  /* bytes by which it must be longer than one at the distance of a number */
  PK_LITS_MOST = 127,

  /* Alphabets: where their symbols lie in the tables, and how many they are. */
  PK_LIT = 0,
  PK_DIST = 288,
  PK_LEN = 320, /* of code lengths */
  PK_SYMBOLS = 340,
  PK_ALPHABETS = 3,
  PK_END = 256 /* the symbol that ends a block */
};

/* What each alphabet is: [alphabet] */
RIA_KERNEL int pk_first(int a) { return a == 0 ? PK_LIT : a == 1 ? PK_DIST : PK_LEN; }
RIA_KERNEL int pk_count(int a) { return a == 0 ? 286 : a == 1 ? 30 : 19; }
RIA_KERNEL int pk_limit(int a) { return a == 2 ? 7 : 15; }

/* A run that is to be packed. */
typedef struct pk_task {
  int bytes;   /* 1 .. PK_RUN, whole numbers */
  int words;   /* of a number: 1 or 2 */
  int history; /* bytes before it that are there: 0 .. PK_HISTORY */
  int row;     /* words of a row of the tile: a distance that often fits */
  bool opens;  /* the tile's first: zlib's header goes before it */
  bool closes; /* the tile's last */
} pk_task;

/* What became of it. */
typedef struct pk_result {
  uint32_t bytes;
  uint32_t sum, sums; /* Adler-32 without its ones: of bytes; of bytes, each times the number of
                         those from it to the run's end; modulo PK_ADLER */
} pk_result;
#define PK_ADLER 65521u

/* Huffman codes in the making; see pk_codes. */
typedef struct pk_trees {
  uint32_t freq[PK_SYMBOLS];
  uint32_t code[PK_SYMBOLS];       /* bits of the code, the first one lowest, << 4 | its length */
  uint32_t key[PK_SYMBOLS];        /* freq << 9 | symbol, of those that occur, in any order */
  uint32_t leaf[PK_SYMBOLS];       /* the same from rare to frequent */
  uint32_t weight[PK_SYMBOLS];     /* of inner nodes, in the order of their making */
  uint16_t parent[2 * PK_SYMBOLS]; /* leaves, then from +n on inner nodes: number of an inner one */
  uint32_t used[PK_ALPHABETS];     /* symbols that occur */
  uint32_t depths[PK_ALPHABETS][16]; /* codes of each length; then up to that length */
  uint32_t begin[PK_ALPHABETS][16];  /* the first code of each length */
  uint16_t run_code[320]; /* of the lengths' own code: symbol | extra << 5; PK_NO_CODE: none */
} pk_trees;
#define PK_NO_CODE 0xffffu

/* What the threads of a run share. `word` holds PK_HISTORY bytes, of which the last task.history
 * count, then the run; fill it by pk_put_word. */
typedef struct pk_room {
  uint32_t word[PK_WORDS + PK_WORDS / 64]; /* a word is left out after each segment: pk_at */
  /* Of segment t from t * (numbers + 2) on: candidates, in numbers, 0 = none; then tokens. */
  uint16_t choice[PK_THREADS * (PK_SEGMENT / 4 + 2)];
  union {
    uint32_t table[1 << PK_TABLE_BITS];
    pk_trees trees;
  } u;
  uint32_t scan[2][PK_THREADS], begin[PK_THREADS];
  uint32_t sum, sums;
  uint32_t lits, dists, lens; /* codes that the header lists */
} pk_room;

/* --- threads ---------------------------------------------------------------------------------- */

#if defined(__CUDA_ARCH__)
#define PK_UNROLL _Pragma("unroll")
#else
#define PK_UNROLL
#endif

#ifdef __CUDA_ARCH__
#define PK_EACH(T)                                                                                 \
  for (int T = (int)threadIdx.x, pk_once_ = 1; pk_once_; pk_once_ = 0, __syncthreads())
#define PK_OWN(T) 0 /* what a thread keeps from one phase to the next: x[PK_OWNERS][..] */
#define PK_OWNERS 1
RIA_KERNEL uint32_t pk_add(uint32_t *p, uint32_t v) { return atomicAdd(p, v); }
RIA_KERNEL void pk_most(uint32_t *p, uint32_t v) { atomicMax(p, v); }
RIA_KERNEL void pk_or(uint32_t *p, uint32_t v) { atomicOr(p, v); }
RIA_KERNEL int pk_low_zeros(uint32_t x) { return __ffs((int)x) - 1; }
RIA_KERNEL int pk_high_bit(uint32_t x) { return 31 - __clz((int)x); }
RIA_KERNEL uint32_t pk_reversed(uint32_t x) { return __brev(x); }
RIA_KERNEL uint32_t pk_dot(uint32_t a, uint32_t b) { return __dp4a(a, b, 0u); } /* of four bytes */
#else
#define PK_EACH(T) for (int T = 0; T < PK_THREADS; T++)
#define PK_OWN(T) (T)
#define PK_OWNERS PK_THREADS
RIA_KERNEL uint32_t pk_add(uint32_t *p, uint32_t v) {
  const uint32_t was = *p;
  *p += v;
  return was;
}
RIA_KERNEL void pk_most(uint32_t *p, uint32_t v) {
  if (v > *p) *p = v;
}
RIA_KERNEL void pk_or(uint32_t *p, uint32_t v) { *p |= v; }
RIA_KERNEL int pk_low_zeros(uint32_t x) { return __builtin_ctz(x); }
RIA_KERNEL int pk_high_bit(uint32_t x) { return 31 - __builtin_clz(x); }
RIA_KERNEL uint32_t pk_reversed(uint32_t x) {
  uint32_t r = 0;
  for (int k = 0; k < 32; k++) r |= (x >> k & 1) << (31 - k);
  return r;
}
RIA_KERNEL uint32_t pk_dot(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (int k = 0; k < 32; k += 8) sum += (a >> k & 255) * (b >> k & 255);
  return sum;
}
#endif

/* scan[.][t] becomes the sum of scan[0][0 .. t]; returns which half holds it. */
RIA_KERNEL int pk_sum_up(pk_room *s) {
  int from = 0;
  for (int d = 1; d < PK_THREADS; d *= 2, from = 1 - from)
    PK_EACH(t) s->scan[1 - from][t] = s->scan[from][t] + (t >= d ? s->scan[from][t - d] : 0);
  return from;
}

/* --- bytes --------------------------------------------------------------------------------------
 *
 * Positions are of bytes or words in the room: the run begins at byte PK_HISTORY. */

/* Segments begin in banks of their own. */
RIA_KERNEL uint32_t pk_at(const pk_room *s, int w) { return s->word[w + (w >> 6)]; }
RIA_KERNEL void pk_put_word(pk_room *s, int w, uint32_t v) { s->word[w + (w >> 6)] = v; }
RIA_KERNEL uint32_t pk_byte(const pk_room *s, int at) {
  return pk_at(s, at >> 2) >> 8 * (at & 3) & 255;
}

RIA_KERNEL int pk_numbers(const pk_task *k) { return PK_SEGMENT / 4 / k->words; }
RIA_KERNEL int pk_choice_at(const pk_task *k, int segment) { return segment * (pk_numbers(k) + 2); }

/* Number of bytes from `at` on that equal those `back` words before; at most `most`. */
RIA_KERNEL int pk_equal(const pk_room *s, int at, int back, int most) {
  int w = at >> 2, n = 4 - (at & 3);
  uint32_t x = (pk_at(s, w) ^ pk_at(s, w - back)) >> 8 * (at & 3);
  if (x) {
    n = pk_low_zeros(x) >> 3;
    return n < most ? n : most;
  }
  while (n < most) {
    w++;
    x = pk_at(s, w) ^ pk_at(s, w - back);
    if (x) {
      n += pk_low_zeros(x) >> 3;
      break;
    }
    n += 4;
  }
  return n < most ? n : most;
}
#endif
