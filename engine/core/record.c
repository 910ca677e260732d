/* core/record.c - keeping a record and answering from it: see record.h. */
#include "core/record.h"
#include "base/array.h"
#include "base/context.h"
#include "base/ranks.h"
#include "core/sim.h"
#include "io/deflate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct entry {
  uint32_t kind;
  uint32_t mark; /* a state: ria_span_end; a checkpoint: when it was taken; else BY_ROOT or 0 */
  uint64_t sum, bytes; /* of what was asked or told; of what follows */
} entry;

/* A checkpoint that was taken by the clock: before the events of its state, or where a run ended.
 */
enum { BETWEEN_STEPS = 1, AFTER_EVENTS = 2 };

/* A question of rank 0 alone, which the others come by without one (ria_rooted). A process that is
 * alone marks it too, so that ranks can go on from its record. */
enum { BY_ROOT = 1 };

typedef struct state {
  double t, dt;
} state;

/* Of ria_progress what shows in a run and is not in `state`; its texts follow, each with its end.
 */
typedef struct told {
  double dt_min, dt_min_t;
  int32_t dt_min_i, dt_min_j;
} told;

static size_t padded(uint64_t bytes) { return (size_t)((bytes + 7) & ~(uint64_t)7); }

uint64_t ria_record_sum(uint64_t seed, const void *data, size_t bytes) {
  const unsigned char *p = data;
  uint64_t h = seed ^ (bytes * 0x9e3779b97f4a7c15u), word;
  for (; bytes >= sizeof word; bytes -= sizeof word, p += sizeof word) {
    memcpy(&word, p, sizeof word);
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  word = 0;
  memcpy(&word, p, bytes);
  h = (h ^ word) * 0xbf58476d1ce4e5b9u;
  return h ^ h >> 32;
}

/* --- keeping ---------------------------------------------------------------------------------- */

static void forget(ria_record *r) {
  free(r->v);
  r->v = NULL;
  r->n = r->room = r->at = 0;
}

/* Rank 0 writes the files: once the run is started it keeps the record of all. */
static bool keeps_none(const ria_sim *sim) {
  return sim->record.too_large || (sim->started && !ria_ranks_root(sim->ctx->ranks));
}

/* What is too large is no reason to end a run: a checkpoint will say so. */
static ria_status append(ria_sim *sim, entry e, const void *data) {
  ria_record *r = &sim->record;
  const size_t bytes = padded(e.bytes);
  if (keeps_none(sim)) return RIA_OK;
  if (r->n + sizeof e + bytes > RIA_RECORD_MOST) {
    r->too_large = true;
    forget(r);
    return RIA_OK;
  }
  RIA_TRY(ria_grow(sim->ctx, "the record of a run", &r->v, &r->room, r->n + sizeof e + bytes, 1));
  memcpy(r->v + r->n, &e, sizeof e);
  memset(r->v + r->n + sizeof e, 0, bytes);
  if (e.bytes) memcpy(r->v + r->n + sizeof e, data, (size_t)e.bytes);
  r->n += sizeof e + bytes;
  return RIA_OK;
}

static bool keeps(const ria_sim *sim) {
  return sim->record.on && !sim->record.replays && !sim->record.muted;
}

/* Rarely another: a smallest step, a warning. */
static ria_status keep_told(ria_sim *sim) {
  ria_progress *was = &sim->record.told;
  const ria_progress *is = &sim->at;
  if (was->dt_min == is->dt_min && was->dt_min_t == is->dt_min_t && was->dt_min_i == is->dt_min_i &&
      was->dt_min_j == is->dt_min_j && strcmp(was->dt_min_cause, is->dt_min_cause) == 0 &&
      strcmp(was->warning, is->warning) == 0)
    return RIA_OK;
  *was = *is;
  const told head = {is->dt_min, is->dt_min_t, is->dt_min_i, is->dt_min_j};
  char room[sizeof head + sizeof is->dt_min_cause + sizeof is->warning];
  const size_t cause = strlen(is->dt_min_cause) + 1, warning = strlen(is->warning) + 1;
  memcpy(room, &head, sizeof head);
  memcpy(room + sizeof head, is->dt_min_cause, cause);
  memcpy(room + sizeof head + cause, is->warning, warning);
  return append(sim, (entry){RIA_RECORD_TOLD, 0, 0, sizeof head + cause + warning}, room);
}

/* What keep_told kept. */
static bool take_told(ria_progress *at, const unsigned char *v, size_t bytes) {
  told head;
  if (bytes < sizeof head + 2 || v[bytes - 1] != '\0') return false;
  memcpy(&head, v, sizeof head);
  const char *text = (const char *)v + sizeof head;
  const size_t room = bytes - sizeof head, cause = strlen(text) + 1;
  if (cause > sizeof at->dt_min_cause || cause >= room || room - cause > sizeof at->warning)
    return false;
  at->dt_min = head.dt_min;
  at->dt_min_t = head.dt_min_t;
  at->dt_min_i = head.dt_min_i;
  at->dt_min_j = head.dt_min_j;
  memcpy(at->dt_min_cause, text, cause);
  snprintf(at->warning, sizeof at->warning, "%s", text + cause);
  return true;
}

static ria_status keep_state(ria_sim *sim, ria_span_end ended) {
  ria_record *r = &sim->record;
  if (r->steps == sim->at.steps && ended != RIA_SPAN_EARLY) return RIA_OK;
  r->steps = sim->at.steps;
  const state at = {sim->at.t, sim->at.dt};
  RIA_TRY(append(sim, (entry){RIA_RECORD_STATE, ended, (uint64_t)sim->at.steps, sizeof at}, &at));
  return keep_told(sim);
}

void ria_record_start(ria_sim *sim) {
  ria_record *r = &sim->record;
  if (!r->wanted) ria_record_free(sim);
}

ria_status ria_record_keep(ria_sim *sim, ria_record_kind kind, uint64_t asked, const void *answer,
                           size_t bytes) {
  if (!keeps(sim) || !sim->started) return RIA_OK;
  RIA_TRY(keep_state(sim, RIA_SPAN_PAUSED));
  return append(sim, (entry){kind, sim->record.rooted ? BY_ROOT : 0, asked, bytes}, answer);
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool entry_at(const ria_record *r, entry *e) {
  if (r->at + sizeof *e > r->n) return false;
  memcpy(e, r->v + r->at, sizeof *e);
  return e->bytes <= r->n - r->at - sizeof *e;
}

static void step_over(ria_record *r, const entry *e) { r->at += sizeof *e + padded(e->bytes); }

static bool is_of_root(const entry *e) {
  return e->mark == BY_ROOT && e->kind != RIA_RECORD_STATE && e->kind != RIA_RECORD_SAVED;
}

/* Other ranks than 0 come by what only rank 0 asked. */
static bool next_entry(ria_record *r, entry *e) {
  while (entry_at(r, e)) {
    if (!r->passes || !is_of_root(e)) return true;
    step_over(r, e);
  }
  return false;
}

static const char *kind_name(uint32_t kind) {
  static const char *const names[] = {[RIA_RECORD_STATE] = "steps",
                                      [RIA_RECORD_SAVED] = "a checkpoint",
                                      [RIA_RECORD_SAMPLE] = "values in cells",
                                      [RIA_RECORD_TOTALS] = "the budget",
                                      [RIA_RECORD_FLUXES] = "the flux through boundaries",
                                      [RIA_RECORD_STATS] = "statistics of a field",
                                      [RIA_RECORD_FIELD] = "a whole field",
                                      [RIA_RECORD_RANGE] = "the range of a frame",
                                      [RIA_RECORD_WRITE] = "a field that is set",
                                      [RIA_RECORD_ADD] = "a release",
                                      [RIA_RECORD_GATHER] = "a sample of a fit",
                                      [RIA_RECORD_FORCE] = "boundaries and sources"};
  return kind < sizeof names / sizeof *names && names[kind] ? names[kind] : "nothing";
}

/* Something was done otherwise than in the run that wrote the checkpoint. */
static ria_status fail_other(ria_sim *sim, ria_record_kind kind, const entry *was) {
  static const char rest[] =
      "its script, parameters or files have changed: put them back, or start "
      "again (overwrite = true; ria run --overwrite)";
  char now[64];
  ria_start_tell_seconds(&sim->start, sim->at.t, now, sizeof now);
  if (was->kind == (uint32_t)kind)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "the run cannot be continued: at %s it differs from the run that wrote the "
                    "checkpoint, in %s: %s",
                    now, kind_name(kind), rest);
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "the run cannot be continued: at %s it comes to %s, where the run that wrote the "
                  "checkpoint came to %s: %s",
                  now, kind_name(kind), kind_name(was->kind), rest);
}

/* The next entry, past the state where the run stands; but not past a span that ended there. */
static bool next_past(ria_sim *sim, entry *e) {
  ria_record *r = &sim->record;
  while (next_entry(r, e)) {
    const bool here = e->kind == RIA_RECORD_STATE && e->mark != RIA_SPAN_EARLY &&
                      e->sum == (uint64_t)sim->at.steps;
    if (!here && e->kind != RIA_RECORD_TOLD) return true;
    step_over(r, e);
  }
  return false;
}

static ria_status expect(ria_sim *sim, ria_record_kind kind, uint64_t sum, size_t bytes, entry *e) {
  *e = (entry){0};
  const bool there = next_past(sim, e);
  if (!there || e->kind != (uint32_t)kind || e->sum != sum || e->bytes != bytes)
    return fail_other(sim, kind, e);
  return RIA_OK;
}

ria_status ria_record_answer(ria_sim *sim, ria_record_kind kind, uint64_t asked, void *out,
                             size_t bytes, bool *known) {
  ria_record *r = &sim->record;
  entry e;
  *known = r->replays && sim->started;
  if (!*known) return RIA_OK;
  RIA_TRY(expect(sim, kind, asked, bytes, &e));
  memcpy(out, r->v + r->at + sizeof e, bytes);
  step_over(r, &e);
  return RIA_OK;
}

/* --- whole fields: packed, a plane of bytes after the other, the most significant last ----------
 */

/* The k-th bytes of all values follow one another: neighbours have the same sign and exponent, and
 * values in single precision end in zeros. */
static void to_planes(const double *v, size_t n, unsigned char *planes) {
  for (size_t i = 0; i < n; i++) {
    uint64_t word;
    memcpy(&word, v + i, sizeof word);
    for (size_t k = 0; k < sizeof word; k++) planes[k * n + i] = (unsigned char)(word >> 8 * k);
  }
}

static void from_planes(const unsigned char *planes, size_t n, double *v) {
  for (size_t i = 0; i < n; i++) {
    uint64_t word = 0;
    for (size_t k = 0; k < sizeof word; k++) word |= (uint64_t)planes[k * n + i] << 8 * k;
    memcpy(v + i, &word, sizeof word);
  }
}

ria_status ria_record_keep_field(ria_sim *sim, uint64_t asked, const double *answer, size_t n) {
  const size_t bytes = n * sizeof *answer;
  size_t packed = ria_deflate_bound(bytes);
  if (!keeps(sim) || !sim->started || keeps_none(sim)) return RIA_OK;
  unsigned char *room = malloc(bytes + packed);
  if (!room) return ria_fail_memory(sim->ctx, "a field that is kept", bytes + packed);
  to_planes(answer, n, room);
  ria_status s = ria_deflate(room, bytes, 1, room + bytes, &packed)
                     ? RIA_OK
                     : ria_fail_memory(sim->ctx, "a field that is kept", packed);
  if (s == RIA_OK && packed < bytes)
    s = ria_record_keep(sim, RIA_RECORD_FIELD, asked, room + bytes, packed);
  else if (s == RIA_OK) /* as it is: that is how it is known */
    s = ria_record_keep(sim, RIA_RECORD_FIELD, asked, answer, bytes);
  free(room);
  return s;
}

static ria_status unpack(ria_sim *sim, const unsigned char *packed, size_t size, double *out,
                         size_t n) {
  const size_t bytes = n * sizeof *out;
  uLongf got = (uLongf)bytes;
  uLong used = (uLong)size;
  unsigned char *planes = malloc(bytes);
  if (!planes) return ria_fail_memory(sim->ctx, "a field that was kept", bytes);
  const int code = uncompress2(planes, &got, packed, &used);
  const bool whole = code == Z_OK && got == bytes && used == size;
  if (whole) from_planes(planes, n, out);
  free(planes);
  if (code == Z_MEM_ERROR) return ria_fail_memory(sim->ctx, "a field that was kept", bytes);
  return whole ? RIA_OK : fail_other(sim, RIA_RECORD_FIELD, &(entry){.kind = RIA_RECORD_FIELD});
}

ria_status ria_record_answer_field(ria_sim *sim, uint64_t asked, double *out, size_t n,
                                   bool *known) {
  ria_record *r = &sim->record;
  const size_t bytes = n * sizeof *out;
  entry e = {0};
  *known = r->replays && sim->started;
  if (!*known) return RIA_OK;
  if (!next_past(sim, &e) || e.kind != RIA_RECORD_FIELD || e.sum != asked || e.bytes > bytes)
    return fail_other(sim, RIA_RECORD_FIELD, &e);
  const unsigned char *data = r->v + r->at + sizeof e;
  if (e.bytes == bytes)
    memcpy(out, data, bytes);
  else
    RIA_TRY(unpack(sim, data, (size_t)e.bytes, out, n));
  step_over(r, &e);
  return RIA_OK;
}

/* Before the start nothing is left out: the solver was just made and knows none of it. */
ria_status ria_record_tell(ria_sim *sim, ria_record_kind kind, uint64_t told, bool *done) {
  entry e;
  *done = false;
  if (!sim->record.replays) {
    if (!sim->record.on) return RIA_OK;
    if (sim->started) RIA_TRY(keep_state(sim, RIA_SPAN_PAUSED));
    return append(sim, (entry){kind, 0, told, 0}, NULL);
  }
  RIA_TRY(expect(sim, kind, told, 0, &e));
  step_over(&sim->record, &e);
  *done = sim->started;
  return RIA_OK;
}

ria_status ria_record_stand(ria_sim *sim, ria_span_end ended) {
  return keeps(sim) && sim->started ? keep_state(sim, ended) : RIA_OK;
}

ria_status ria_record_advance(ria_sim *sim, bool *done) {
  ria_record *r = &sim->record;
  entry e;
  *done = r->replays;
  if (!*done) return RIA_OK;
  state at;
  e = (entry){0};
  if (!next_past(sim, &e) || e.kind != RIA_RECORD_STATE || e.bytes != sizeof at)
    return fail_other(sim, RIA_RECORD_STATE, &e);
  const int64_t steps = (int64_t)e.sum;
  memcpy(&at, r->v + r->at + sizeof e, sizeof at);
  r->ended = (ria_span_end)e.mark;
  step_over(r, &e);
  if (next_entry(r, &e) && e.kind == RIA_RECORD_TOLD &&
      take_told(&sim->at, r->v + r->at + sizeof e, (size_t)e.bytes))
    step_over(r, &e);
  sim->at.t = at.t;
  sim->at.dt = at.dt;
  sim->at.steps = steps;
  return RIA_OK;
}

bool ria_record_last(const ria_record *record, double *t, int64_t *steps) {
  ria_record r = *record;
  entry e;
  bool any = false;
  for (; next_entry(&r, &e); step_over(&r, &e)) {
    if (e.kind != RIA_RECORD_STATE || e.bytes != sizeof(state)) continue;
    state at;
    memcpy(&at, r.v + r.at + sizeof e, sizeof at);
    *t = at.t;
    *steps = (int64_t)e.sum;
    any = true;
  }
  return any;
}

/* The mark of a checkpoint that was taken here by the clock, with or without forcing that was
 * handed over for it; 0: there is none. */
static uint32_t mark_here(const ria_sim *sim) {
  ria_record r = sim->record;
  entry e;
  if (!r.replays || !next_entry(&r, &e)) return 0;
  if (e.kind == RIA_RECORD_FORCE && sim->unforced) {
    step_over(&r, &e);
    if (!next_entry(&r, &e)) return 0;
  }
  return e.kind == RIA_RECORD_SAVED ? e.mark : 0;
}

bool ria_record_is_saved_here(const ria_sim *sim) {
  const uint32_t mark = mark_here(sim);
  return mark == BETWEEN_STEPS || (mark == AFTER_EVENTS && sim->run.over);
}

bool ria_record_is_ended_here(const ria_sim *sim) { return mark_here(sim) == AFTER_EVENTS; }

ria_status ria_record_saved(ria_sim *sim, bool *done) {
  ria_record *r = &sim->record;
  entry e;
  *done = r->replays;
  if (!*done) {
    RIA_TRY(keep_state(sim, RIA_SPAN_PAUSED));
    const uint32_t clock = sim->run.over ? AFTER_EVENTS : BETWEEN_STEPS;
    return append(sim, (entry){RIA_RECORD_SAVED, r->muted ? clock : 0, 0, 0}, NULL);
  }
  RIA_TRY(expect(sim, RIA_RECORD_SAVED, 0, 0, &e));
  step_over(r, &e);
  if (next_entry(r, &e)) return RIA_OK;
  r->replays = false;
  r->steps = sim->at.steps;
  if (r->passes) forget(r); /* rank 0 has it */
  return r->resume(sim, r->user);
}

void ria_record_unsave(ria_sim *sim) {
  if (!keeps_none(sim)) sim->record.n -= sizeof(entry);
}

void ria_record_free(ria_sim *sim) {
  free(sim->record.v);
  sim->record = (ria_record){.steps = -1};
}
