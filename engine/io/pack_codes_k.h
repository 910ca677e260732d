/* io/pack_codes_k.h - Huffman codes of a run of pack_k.h, and how a block's header lists them. */
#ifndef RIA_IO_PACK_CODES_K_H
#define RIA_IO_PACK_CODES_K_H
#include "io/pack_room_k.h"

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
#endif
