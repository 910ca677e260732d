/* io/pack_parse_k.h - the first phases of a run of pack_k.h: candidates, and tokens in their place.
 */
#ifndef RIA_IO_PACK_PARSE_K_H
#define RIA_IO_PACK_PARSE_K_H
#include "io/pack_room_k.h"

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
#endif
