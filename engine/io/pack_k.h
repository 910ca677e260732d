/* io/pack_k.h - deflate (RFC 1951) by many threads: what a GPU packs a store's tiles by.
 *
 * A tile's bytes are cut into runs of PK_RUN bytes, and PK_THREADS threads that share a pk_room
 * make each of them blocks of deflate that begin and end on a byte: the runs of a tile, one after
 * the other between zlib's header and its check sum (RFC 1950), are one stream. Nothing here is
 * CUDA's: everything is written as phases, PK_EACH(t) { what thread t does }, which are loops on
 * the CPU and, on a GPU, the threads of a block with a barrier behind each. Counters that threads
 * share are of integers, so that the same bytes come out in whatever order they are counted.
 *
 * Numbers are packed as what they are, 4 or 8 bytes, `words` of 4 each. Where the field is smooth
 * and rounded, values repeat in three ways, and matches are looked for at these distances alone:
 *
 *   - the number before: all of it where the field is level, its upper bytes nearly everywhere;
 *   - where the same step from one value to another was made last, in earlier rows: contours lie
 *     a little beside where they lay in the row before. A table of such steps finds it;
 *   - the distance of the last match found so, or a row.
 *
 * A thread parses a segment of PK_SEGMENT bytes greedily; a match may reach back over all of the
 * run and PK_HISTORY bytes before it, but not over the end of the segment. Each run has Huffman
 * codes of its own. One that does not shrink is stored.
 *
 * Phases of a run, in pk_run:
 *   find    candidates: for each number the distance of the step's last occurrence
 *   parse   tokens into the place of the candidates, frequencies of symbols
 *   codes   Huffman codes of literals and lengths, of distances, then of their lengths
 *   size    of each segment in bits, and where it begins; check sums
 *   write   */
#ifndef RIA_IO_PACK_K_H
#define RIA_IO_PACK_K_H
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

/* --- find ------------------------------------------------------------------------------------- */

/* Where in the table the step to the number at word w belongs; -1: no step, the number before is
 * the same. */
RIA_KERNEL int pk_step(const pk_room *s, int words, int w) {
  uint32_t a = pk_at(s, w), b = pk_at(s, w - words), differs = a ^ b;
  if (words == 2) {
    const uint32_t a1 = pk_at(s, w + 1), b1 = pk_at(s, w - 1);
    differs |= a1 ^ b1;
    a += a1 * 0x9E3779B1u;
    b += b1 * 0x9E3779B1u;
  }
  if (!differs) return -1;
  uint32_t h = a * 0x9E3779B1u + b * 0x85EBCA77u;
  h = (h ^ h >> 15) * 0x9E3779B1u;
  return (int)(h >> (32 - PK_TABLE_BITS));
}

RIA_KERNEL void pk_find(pk_room *s, const pk_task *k) {
  const int words = k->words, numbers = pk_numbers(k);
  const int begin = PK_HISTORY / 4, end = begin + k->bytes / 4;
  const int first = begin - k->history / 4 + words; /* that has one before it */
  int step[PK_OWNERS][PK_GROUP / 4 / PK_THREADS];
  PK_EACH(t) for (int m = t; m < 1 << PK_TABLE_BITS; m += PK_THREADS) s->u.table[m] = 0;
  for (int g = first / (PK_GROUP / 4) * (PK_GROUP / 4); g < end; g += PK_GROUP / 4) {
    PK_EACH(t) {
      int *h = step[PK_OWN(t)];
      PK_UNROLL
      for (int m = 0; m < PK_GROUP / 4 / PK_THREADS; m += words) {
        const int w = g + t * words + m * PK_THREADS;
        h[m] = w >= first && w < end ? pk_step(s, words, w) : -1;
        if (g < begin || w >= end) continue;
        const uint32_t was = h[m] >= 0 ? s->u.table[h[m]] : 0;
        const int number = (w - begin) / words;
        s->choice[pk_choice_at(k, number / numbers) + number % numbers] =
            (uint16_t)(was ? (uint32_t)(w - (int)was) / (uint32_t)words : 0);
      }
    }
    PK_EACH(t) {
      const int *h = step[PK_OWN(t)];
      PK_UNROLL
      for (int m = 0; m < PK_GROUP / 4 / PK_THREADS; m += words)
        if (h[m] >= 0) pk_most(&s->u.table[h[m]], (uint32_t)(g + t * words + m * PK_THREADS));
    }
  }
}

/* --- symbols ---------------------------------------------------------------------------------- */

typedef struct pk_symbol {
  uint32_t symbol, extra; /* extra: bits that follow */
  int bits;               /* their number */
} pk_symbol;

/* Of a match's length, 3 .. 257. */
RIA_KERNEL pk_symbol pk_length(int length) {
  const uint32_t l = (uint32_t)length - 3;
  pk_symbol y = {257 + l, 0, 0};
  if (l < 8) return y;
  y.bits = pk_high_bit(l) - 2;
  y.symbol = 257u + 4u * ((uint32_t)y.bits + 1) + (l >> y.bits & 3);
  y.extra = l & ((1u << y.bits) - 1);
  return y;
}

/* Of a distance in bytes, counted within the table. */
RIA_KERNEL pk_symbol pk_distance(int distance) {
  const uint32_t d = (uint32_t)distance - 1;
  pk_symbol y = {PK_DIST + d, 0, 0};
  if (d < 4) return y;
  const int high = pk_high_bit(d);
  y.bits = high - 1;
  y.symbol = PK_DIST + 2u * (uint32_t)high + (d >> y.bits & 1);
  y.extra = d & ((1u << y.bits) - 1);
  return y;
}

/* --- parse --------------------------------------------------------------------------------------
 *
 * A token is literals << 8 | length - 2 (0: no match follows them) | far << 15; far: the next entry
 * is the distance in numbers, else it is 1. Tokens take the place of candidates of numbers that are
 * parsed already; where that does not suffice there is no match. */

enum { PK_FAR = 0x8000 };

typedef struct pk_parser {
  int at, end;       /* bytes */
  int begin, oldest; /* of the segment; of what a match may reach */
  int base, used;    /* of choice: where the segment's begin, and entries that are tokens by now */
  int lits;          /* not in a token yet */
  int last;          /* distance of the last far match, in words */
} pk_parser;

typedef struct pk_match {
  int length, back; /* bytes, words */
} pk_match;

/* Entries that may be written once `bytes` more are parsed. */
RIA_KERNEL int pk_free_after(const pk_parser *p, int words, int bytes) {
  return (p->at - p->begin + bytes) / (4 * words) - p->used;
}

RIA_KERNEL void pk_try_far(const pk_room *s, const pk_parser *p, int words, int back,
                           pk_match *best) {
  if (back == 0 || back > PK_FARTHEST / 4 || (p->at >> 2) - back < p->oldest >> 2) return;
  const int n = pk_equal(s, p->at, back, p->end - p->at);
  if (n < PK_FAR_LEAST || n <= best->length + (best->back == words ? PK_FAR_GAIN : 0)) return;
  if (pk_free_after(p, words, n) < 2) return;
  best->length = n;
  best->back = back;
}

RIA_KERNEL pk_match pk_best(const pk_room *s, const pk_task *k, const pk_parser *p) {
  const int words = k->words, most = p->end - p->at;
  pk_match best = {0, words};
  if ((p->at >> 2) - words >= p->oldest >> 2) best.length = pk_equal(s, p->at, words, most);
  if (best.length < 3) best.length = 0;
  if (best.length < most) {
    const int candidate = s->choice[p->base + (p->at - p->begin) / (4 * words)] * words;
    pk_try_far(s, p, words, candidate, &best);
    if (p->last != candidate) pk_try_far(s, p, words, p->last, &best);
  }
  if (best.back == words && pk_free_after(p, words, best.length) < 1) best.length = 0;
  return best;
}

RIA_KERNEL void pk_token(pk_room *s, pk_parser *p, uint32_t token) {
  s->choice[p->base + p->used++] = (uint16_t)((uint32_t)p->lits << 8 | token);
  p->lits = 0;
}

RIA_KERNEL void pk_take_literal(pk_room *s, pk_parser *p) {
  pk_add(&s->u.trees.freq[PK_LIT + pk_byte(s, p->at)], 1);
  p->at++;
  if (++p->lits == PK_LITS_MOST) pk_token(s, p, 0);
}

RIA_KERNEL void pk_take_match(pk_room *s, int words, pk_parser *p, pk_match m) {
  pk_add(&s->u.trees.freq[pk_length(m.length).symbol], 1);
  pk_add(&s->u.trees.freq[pk_distance(4 * m.back).symbol], 1);
  const bool far = m.back != words;
  pk_token(s, p, (uint32_t)(m.length - 2) | (far ? PK_FAR : 0));
  if (far) {
    s->choice[p->base + p->used++] = (uint16_t)(m.back / words);
    p->last = m.back;
  }
  p->at += m.length;
}

/* The end of thread t's segment, which may be empty. */
RIA_KERNEL int pk_segment_end(const pk_task *k, int t) {
  const int end = (t + 1) * PK_SEGMENT;
  return PK_HISTORY + (end < k->bytes ? end : k->bytes);
}

RIA_KERNEL void pk_parse(pk_room *s, const pk_task *k, int t) {
  pk_parser p;
  p.at = p.begin = PK_HISTORY + t * PK_SEGMENT;
  p.end = pk_segment_end(k, t);
  p.oldest = PK_HISTORY - k->history;
  p.base = pk_choice_at(k, t);
  p.used = p.lits = 0;
  p.last = k->row;
  while (p.at < p.end) {
    const pk_match m = pk_best(s, k, &p);
    if (m.length)
      pk_take_match(s, k->words, &p, m);
    else
      pk_take_literal(s, &p);
  }
  if (p.lits) pk_token(s, &p, 0);
}

/* --- codes --------------------------------------------------------------------------------------
 *
 * Huffman's algorithm on sorted leaves: inner nodes come to be in the order of their weights, so
 * the two lightest are at the heads of two queues. Of the tree only the number of codes of each
 * length is kept; lengths are given out in the order of frequency, codes in that of symbols. */

/* The alphabets a .. b - 1 from freq: code, used. */
RIA_KERNEL void pk_sort_leaves(pk_trees *h, int a, int b) {
  PK_EACH(t) {
    for (int m = pk_first(a) + t; m < pk_first(b - 1) + 32 && m < PK_SYMBOLS; m += PK_THREADS)
      h->code[m] = 0;
    if (t >= a && t < b) h->used[t] = 0;
    for (int m = t; m < 16 * (b - a); m += PK_THREADS) h->depths[a + m / 16][m % 16] = 0;
  }
  for (int q = a; q < b; q++) PK_EACH(t) for (int m = t; m < pk_count(q); m += PK_THREADS) {
      const uint32_t f = h->freq[pk_first(q) + m];
      if (f) h->key[pk_first(q) + (int)pk_add(&h->used[q], 1)] = f << 9 | (uint32_t)m;
    }
  for (int q = a; q < b; q++) PK_EACH(t) {
      const uint32_t *key = h->key + pk_first(q);
      const int n = (int)h->used[q];
      for (int m = t; m < n; m += PK_THREADS) {
        int rank = 0;
        for (int i = 0; i < n; i++) rank += key[i] < key[m];
        h->leaf[pk_first(q) + rank] = key[m];
      }
    }
}

/* One thread's. */
RIA_KERNEL void pk_join(pk_trees *h, int q) {
  const int n = (int)h->used[q], o = pk_first(q);
  const uint32_t none = 0xffffffffu;
  int leaf = 0, inner = 0;
  uint32_t light = n ? h->leaf[o] >> 9 : none, made = none; /* heads of the two queues */
  for (int k = 0; k < n - 1; k++) {
    uint32_t sum = 0;
    for (int child = 0; child < 2; child++)
      if (light <= made) {
        sum += light;
        h->parent[2 * o + leaf++] = (uint16_t)k;
        light = leaf < n ? h->leaf[o + leaf] >> 9 : none;
      } else {
        sum += made;
        h->parent[2 * o + n + inner++] = (uint16_t)k;
        made = inner < k ? h->weight[o + inner] : none;
      }
    h->weight[o + k] = sum;
    if (inner == k) made = sum;
  }
}

/* Leaves' depths are counted, those beyond the limit at it. */
RIA_KERNEL void pk_count_depths(pk_trees *h, int q, int t) {
  const int n = (int)h->used[q], o = 2 * pk_first(q);
  for (int m = t; m < n; m += PK_THREADS) {
    int depth = 1; /* also of a lone one */
    if (n > 1)
      for (int k = h->parent[o + m]; k != n - 2; k = h->parent[o + n + k]) depth++;
    pk_add(&h->depths[q][depth < pk_limit(q) ? depth : pk_limit(q)], 1);
  }
}

/* One thread's. Codes that the limit made too many for their lengths: one is put below another that
 * was shorter, until they fit. Then the first code of each length, and how many are no longer. */
RIA_KERNEL void pk_fit(pk_trees *h, int q) {
  uint32_t *count = h->depths[q];
  const int limit = pk_limit(q);
  uint32_t filled = 0, code = 0;
  for (int l = 1; l <= limit; l++) filled += count[l] << (limit - l);
  for (; filled > 1u << limit; filled--) {
    int l = limit - 1;
    while (!count[l]) l--;
    count[limit]--;
    count[l]--;
    count[l + 1] += 2;
  }
  count[0] = 0;
  for (int l = 1; l <= limit; l++) {
    h->begin[q][l] = code;
    code = (code + count[l]) << 1;
    count[l] += count[l - 1];
  }
}

RIA_KERNEL void pk_give_lengths(pk_trees *h, int q, int t) {
  const int n = (int)h->used[q];
  for (int m = t; m < n; m += PK_THREADS) {
    uint32_t l = 1;
    while (h->depths[q][l] <= (uint32_t)(n - 1 - m)) l++;
    h->code[pk_first(q) + (int)(h->leaf[pk_first(q) + m] & 511)] = l;
  }
}

/* Codes of one length follow each other in the order of their symbols. */
RIA_KERNEL void pk_give_codes(pk_trees *h, int q, int t) {
  const int n = (int)h->used[q];
  const uint32_t *leaf = h->leaf + pk_first(q);
  for (int m = t; m < n; m += PK_THREADS) {
    const uint32_t symbol = leaf[m] & 511;
    uint32_t *code = &h->code[pk_first(q) + (int)symbol];
    const uint32_t l = *code & 15;
    uint32_t c = h->begin[q][l];
    for (int i = n - (int)h->depths[q][l]; i < n - (int)h->depths[q][l - 1]; i++)
      c += (leaf[i] & 511) < symbol;
    *code = pk_reversed(c) >> (32 - l) << 4 | l;
  }
}

RIA_KERNEL void pk_codes(pk_trees *h, int a, int b) {
  pk_sort_leaves(h, a, b);
  PK_EACH(t) if (t % 32 == 0 && t / 32 < b - a) pk_join(h, a + t / 32);
  PK_EACH(t) for (int q = a; q < b; q++) pk_count_depths(h, q, t);
  PK_EACH(t) if (t % 32 == 0 && t / 32 < b - a) pk_fit(h, a + t / 32);
  PK_EACH(t) for (int q = a; q < b; q++) pk_give_lengths(h, q, t);
  PK_EACH(t) for (int q = a; q < b; q++) pk_give_codes(h, q, t);
}

/* --- the header of a block ----------------------------------------------------------------------
 *
 * Lengths of codes, those of literals and of distances in one row, are themselves written as
 * symbols: 0 .. 15 a length, 16 the one before 3 .. 6 times, 17 and 18 zero 3 .. 10 and 11 .. 138
 * times. run_code holds them where the lengths stand that they are for. */

RIA_KERNEL uint32_t pk_code_length(const pk_room *s, int m) {
  const pk_trees *h = &s->u.trees;
  return h->code[m < (int)s->lits ? PK_LIT + m : PK_DIST + m - (int)s->lits] & 15;
}

RIA_KERNEL void pk_put_run_code(pk_trees *h, int *at, uint32_t symbol, int extra) {
  h->run_code[(*at)++] = (uint16_t)(symbol | (uint32_t)extra << 5);
  pk_add(&h->freq[PK_LEN + (int)symbol], 1);
}

/* Equal lengths m .. end - 1. */
RIA_KERNEL void pk_name_run(pk_trees *h, uint32_t length, int m, int end) {
  int at = m, left = end - m;
  if (length) {
    pk_put_run_code(h, &at, length, 0);
    left--;
  }
  const int longest = length ? 6 : 138;
  while (left >= 3) {
    const int n = left < longest ? left : longest;
    if (length)
      pk_put_run_code(h, &at, 16, n - 3);
    else
      pk_put_run_code(h, &at, n < 11 ? 17 : 18, n < 11 ? n - 3 : n - 11);
    left -= n;
  }
  for (; left; left--) pk_put_run_code(h, &at, length, 0);
  while (at < end) h->run_code[at++] = PK_NO_CODE;
}

RIA_KERNEL void pk_name_lengths(pk_room *s) {
  pk_trees *h = &s->u.trees;
  PK_EACH(t) {
    if (t == 0) s->lits = 257, s->dists = 1, s->lens = 4;
    if (t < 19) h->freq[PK_LEN + t] = 0;
  }
  PK_EACH(t) for (int m = t; m < 316; m += PK_THREADS) {
    if (m < 286 && h->code[PK_LIT + m]) pk_most(&s->lits, (uint32_t)m + 1);
    if (m >= 286 && h->code[PK_DIST + m - 286]) pk_most(&s->dists, (uint32_t)m - 285);
  }
  PK_EACH(t) {
    const int n = (int)(s->lits + s->dists);
    for (int m = t; m < n; m += PK_THREADS) {
      const uint32_t l = pk_code_length(s, m);
      if (m && pk_code_length(s, m - 1) == l) continue;
      int end = m + 1;
      while (end < n && pk_code_length(s, end) == l) end++;
      pk_name_run(h, l, m, end);
    }
  }
}

/* Extra bits of symbol 0 .. 18. */
RIA_KERNEL int pk_run_bits(uint32_t symbol) {
  return symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
}

/* The order in which lengths of the lengths' codes are listed: 16, 17, 18, 0, 8, 7, 9, 6 .. 1, 15.
 */
RIA_KERNEL int pk_listed(int k) {
  if (k < 4) return k < 3 ? 16 + k : 0;
  return k % 2 == 0 ? 8 + (k - 4) / 2 : 7 - (k - 4) / 2;
}

enum { PK_HEADER_EACH = 3 }; /* code lengths whose symbols a thread writes */

/* --- size ------------------------------------------------------------------------------------- */

RIA_KERNEL int pk_bits(const pk_trees *h, uint32_t symbol) { return (int)(h->code[symbol] & 15); }

RIA_KERNEL uint32_t pk_header_bits(const pk_room *s, int t) {
  const int n = (int)(s->lits + s->dists);
  uint32_t bits = t == 0 ? 17 + 3 * s->lens : 0;
  for (int m = t * PK_HEADER_EACH; m < n && m < (t + 1) * PK_HEADER_EACH; m++) {
    const uint32_t code = s->u.trees.run_code[m];
    if (code == PK_NO_CODE) continue;
    bits += (uint32_t)(pk_bits(&s->u.trees, PK_LEN + (code & 31)) + pk_run_bits(code & 31));
  }
  return bits;
}

/* A segment's tokens, one after the other. */
typedef struct pk_reader {
  int at, end, choice; /* bytes; the next entry */
  int lits, length;    /* of the present token */
  int back;            /* bytes */
} pk_reader;

RIA_KERNEL pk_reader pk_read_from(const pk_task *k, int t) {
  const pk_reader r = {
      PK_HISTORY + t * PK_SEGMENT, pk_segment_end(k, t), pk_choice_at(k, t), 0, 0, 0};
  return r;
}

/* False at the segment's end. The caller moves `at`. */
RIA_KERNEL bool pk_next(const pk_room *s, const pk_task *k, pk_reader *r) {
  if (r->at >= r->end) return false;
  const uint32_t token = s->choice[r->choice++];
  r->lits = (int)(token >> 8 & 127);
  r->length = token & 255 ? (int)(token & 255) + 2 : 0;
  r->back = 4 * k->words * (token & PK_FAR ? s->choice[r->choice++] : 1);
  return true;
}

RIA_KERNEL uint32_t pk_segment_bits(const pk_room *s, const pk_task *k, int t) {
  const pk_trees *h = &s->u.trees;
  uint32_t bits = 0;
  for (pk_reader r = pk_read_from(k, t); pk_next(s, k, &r); r.at += r.length) {
    for (; r.lits; r.lits--) bits += (uint32_t)pk_bits(h, PK_LIT + pk_byte(s, r.at++));
    if (!r.length) continue;
    const pk_symbol l = pk_length(r.length), d = pk_distance(r.back);
    bits += (uint32_t)(pk_bits(h, l.symbol) + l.bits + pk_bits(h, d.symbol) + d.bits);
  }
  return bits;
}

RIA_KERNEL void pk_check_sum(pk_room *s, const pk_task *k, int t) {
  const int begin = PK_HISTORY + t * PK_SEGMENT, end = pk_segment_end(k, t);
  uint32_t sum = 0, sums = 0;
  for (int at = begin; at < end; at += 4) {
    const uint32_t v = pk_at(s, at >> 2);
    sums += 4 * sum + pk_dot(v, 0x01020304);
    sum += pk_dot(v, 0x01010101);
  }
  if (begin >= end) return;
  const uint32_t after = (uint32_t)(PK_HISTORY + k->bytes - end);
  pk_add(&s->sum, sum);
  pk_add(&s->sums, (sums + sum * after) % PK_ADLER);
}

/* --- write ------------------------------------------------------------------------------------ */

typedef struct pk_writer {
  uint32_t *out;
  uint64_t bits;
  int n;       /* bits that wait, below 32 */
  bool shared; /* the word has bits of another thread */
} pk_writer;

RIA_KERNEL pk_writer pk_write_from(uint32_t *out, uint32_t bit) {
  const pk_writer w = {out + bit / 32, 0, (int)(bit % 32), true};
  return w;
}

RIA_KERNEL void pk_put(pk_writer *w, uint32_t value, int bits) {
  w->bits |= (uint64_t)value << w->n;
  w->n += bits;
  if (w->n < 32) return;
  if (w->shared)
    pk_or(w->out, (uint32_t)w->bits);
  else
    *w->out = (uint32_t)w->bits;
  w->shared = false;
  w->out++;
  w->bits >>= 32;
  w->n -= 32;
}

RIA_KERNEL void pk_write_end(pk_writer *w) {
  if (w->n) pk_or(w->out, (uint32_t)w->bits);
}

RIA_KERNEL void pk_put_symbol(pk_writer *w, const pk_trees *h, uint32_t symbol) {
  pk_put(w, h->code[symbol] >> 4, pk_bits(h, symbol));
}

RIA_KERNEL void pk_write_header(const pk_room *s, const pk_task *k, uint32_t *out, uint32_t bit,
                                int t) {
  const pk_trees *h = &s->u.trees;
  const int n = (int)(s->lits + s->dists);
  pk_writer w = pk_write_from(out, bit);
  if (t == 0) {
    pk_put(&w, (uint32_t)k->closes | 2 << 1, 3);
    pk_put(&w, (s->lits - 257) | (s->dists - 1) << 5 | (s->lens - 4) << 10, 14);
    for (uint32_t m = 0; m < s->lens; m++) pk_put(&w, h->code[PK_LEN + pk_listed((int)m)] & 15, 3);
  }
  for (int m = t * PK_HEADER_EACH; m < n && m < (t + 1) * PK_HEADER_EACH; m++) {
    const uint32_t code = h->run_code[m];
    if (code == PK_NO_CODE) continue;
    pk_put_symbol(&w, h, PK_LEN + (code & 31));
    pk_put(&w, code >> 5, pk_run_bits(code & 31));
  }
  pk_write_end(&w);
}

RIA_KERNEL void pk_write_segment(const pk_room *s, const pk_task *k, uint32_t *out, uint32_t bit,
                                 int t) {
  const pk_trees *h = &s->u.trees;
  pk_writer w = pk_write_from(out, bit);
  for (pk_reader r = pk_read_from(k, t); pk_next(s, k, &r); r.at += r.length) {
    for (; r.lits; r.lits--) pk_put_symbol(&w, h, PK_LIT + pk_byte(s, r.at++));
    if (!r.length) continue;
    const pk_symbol l = pk_length(r.length), d = pk_distance(r.back);
    pk_put_symbol(&w, h, l.symbol);
    pk_put(&w, l.extra, l.bits);
    pk_put_symbol(&w, h, d.symbol);
    pk_put(&w, d.extra, d.bits);
  }
  pk_write_end(&w);
}

/* What ends a block: its last symbol; unless it is the stream's last, an empty stored block, which
 * brings the next one to a byte. */
RIA_KERNEL void pk_write_close(const pk_room *s, const pk_task *k, uint32_t *out, uint32_t bit) {
  pk_writer w = pk_write_from(out, bit);
  pk_put_symbol(&w, &s->u.trees, PK_LIT + PK_END);
  if (!k->closes) {
    pk_put(&w, 0, 3);
    pk_put(&w, 0, (8 - w.n % 8) % 8);
    pk_put(&w, 0, 16);
    pk_put(&w, 0xffff, 16);
  }
  pk_write_end(&w);
}

enum { PK_ZLIB = 0x0178 }; /* the two bytes that open a stream: deflate, window 32 KB, fastest */

/* Byte m of the run stored as it is. */
RIA_KERNEL uint32_t pk_stored_byte(const pk_room *s, const pk_task *k, int m) {
  const uint32_t n = (uint32_t)k->bytes;
  if (k->opens) {
    if (m < 2) return PK_ZLIB >> 8 * m & 255;
    m -= 2;
  }
  if (m == 0) return k->closes;
  if (m < 5) return (m < 3 ? n : ~n) >> 8 * ((m - 1) & 1) & 255;
  return m < 5 + k->bytes ? pk_byte(s, PK_HISTORY + m - 5) : 0;
}

RIA_KERNEL void pk_store(const pk_room *s, const pk_task *k, uint32_t *out, int bytes, int t) {
  for (int w = t; w < (bytes + 3) / 4; w += PK_THREADS) {
    uint32_t v = 0;
    for (int m = 0; m < 4; m++) v |= pk_stored_byte(s, k, 4 * w + m) << 8 * m;
    out[w] = v;
  }
}

/* --- a run ------------------------------------------------------------------------------------ */

/* Pack what is in the room into out[PK_SLOT / 4]; called by all threads. */
RIA_KERNEL pk_result pk_run(pk_room *s, const pk_task *k, uint32_t *out) {
  pk_find(s, k);
  PK_EACH(t) {
    for (int m = t; m < PK_SYMBOLS; m += PK_THREADS) s->u.trees.freq[m] = m == PK_LIT + PK_END;
    if (t == 0) s->sum = s->sums = 0;
  }
  PK_EACH(t) pk_parse(s, k, t);
  pk_codes(&s->u.trees, 0, 2);
  pk_name_lengths(s);
  pk_codes(&s->u.trees, 2, 3);
  PK_EACH(t)
  if (t < 19 && s->u.trees.code[PK_LEN + pk_listed(t)]) pk_most(&s->lens, (uint32_t)t + 1);

  PK_EACH(t) s->scan[0][t] = pk_header_bits(s, t);
  const int header = pk_sum_up(s);
  PK_EACH(t) s->begin[t] = t ? s->scan[header][t - 1] : 0;
  const uint32_t origin = k->opens ? 16 : 0, data = origin + s->scan[header][PK_THREADS - 1];
  PK_EACH(t) { pk_check_sum(s, k, t); }
  PK_EACH(t) s->scan[0][t] = pk_segment_bits(s, k, t);
  const int half = pk_sum_up(s);
  const uint32_t close = data + s->scan[half][PK_THREADS - 1];
  const uint32_t end = close + (uint32_t)pk_bits(&s->u.trees, PK_LIT + PK_END);

  const uint32_t stored = origin / 8 + 5 + (uint32_t)k->bytes;
  pk_result r = {k->closes ? (end + 7) / 8 : (end + 3 + 7) / 8 + 4, 0, 0};
  r.sum = s->sum % PK_ADLER;
  r.sums = s->sums % PK_ADLER;
  if (r.bytes >= stored) {
    r.bytes = stored;
    PK_EACH(t) pk_store(s, k, out, (int)stored, t);
    return r;
  }
  PK_EACH(t)
  for (int w = t; w < (int)(r.bytes + 3) / 4; w += PK_THREADS)
    out[w] = w == 0 && k->opens ? PK_ZLIB : 0;
  PK_EACH(t) {
    pk_write_header(s, k, out, origin + s->begin[t], t);
    pk_write_segment(s, k, out, data + (t ? s->scan[half][t - 1] : 0), t);
    if (t == 0) pk_write_close(s, k, out, close);
  }
  return r;
}

/* --- a tile ----------------------------------------------------------------------------------- */

/* Runs of so many bytes. */
RIA_KERNEL int64_t pk_runs(int64_t bytes) { return (bytes + PK_RUN - 1) / PK_RUN; }

/* Adler-32 of bytes that end in one more run; begin with 1. `at`: {a, b} of RFC 1950. */
RIA_KERNEL void pk_adler_add(uint32_t at[2], const pk_result *r, int bytes) {
  at[1] = (uint32_t)((at[1] + (uint64_t)at[0] * (uint32_t)bytes + r->sums) % PK_ADLER);
  at[0] = (at[0] + r->sum) % PK_ADLER;
}
#endif
