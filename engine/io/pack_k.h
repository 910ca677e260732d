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
#include "io/pack_codes_k.h"
#include "io/pack_parse_k.h"

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
