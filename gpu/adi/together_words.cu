/* gpu/adi/together_words.cu - parts of a grid step together: what they say to each other in a step,
 * and where it lies. */
#include "together.cuh"

#include <string.h>

enum { RIM_BYTES = 3 * sizeof(double) }; /* of a cell: see adig_meeting */

/* What is said of a first solution has room of its own: others may still read it when the second
 * one is said. */
adig_joint adig_joint_of(const adig_crew *c, const ria_gpu_lane *l, const adig *s, bool first) {
  adig_joint q = {};
  const int block = c->m * c->segments;
  q.columns = s->p.grid.nx;
  q.row_from = s->p.part.j0;
  q.row_end = s->p.part.j1;
  q.block_from = q.row_from / block;
  q.n_blocks = (q.row_end - 1) / block - q.block_from + 1;
  memcpy(q.slot, c->slot, sizeof q.slot);
  memcpy(q.block_of, c->block_of, sizeof q.block_of);
  q.n_slots = c->n_slots;
  q.lanes = adig_n_reached(c);
  q.me = l->index - c->crew->from;
  for (int to = 0; to < q.lanes; to++) {
    char *list = (char *)ria_gpu_crew_list(adig_reached(c, to), first);
    q.ends[to] = list + c->ends_at;
    q.pieces[to] = list + c->pieces_at;
    q.seam[to] = list + c->seam_at;
  }
  q.kept_a = s->kept_a;
  q.kept_c = s->kept_c;
  q.note = s->note;
  return q;
}

static int state_of(enum adig_words words) { return words == OF_X; }
static int kind_of(enum adig_words words) { return words == OF_LOOK; }

/* Of part p, the k-th step of a round; about the sweep with that number. */
static adig_meeting meeting_of(const adig_crew *c, const ria_gpu_lane *l, int p, int k, int what,
                               enum adig_words words) {
  adig *s = c->part[p];
  const int axis = words == OF_Y ? ADI_Y : ADI_X, state = state_of(words), kind = kind_of(words);
  adig_meeting m = {};
  m.post = l->post;
  m.what = what;
  m.last = p + 1 == l->first + l->n;
  m.n_said = adig_n_reached(c);
  m.parts = c->n;
  m.heard = ria_gpu_crew_box(l, state, kind, 0);
  for (int to = 0; to < m.n_said; to++) {
    m.said[to] = ria_gpu_crew_box(adig_reached(c, to), state, kind, p);
    m.rim[to] = ria_gpu_crew_list(adig_reached(c, to), 0);
  }
  m.report = s->report;
  m.step = &s->report->step[k];
  m.number = 2 * k + (words == OF_X ? 1 : 2); /* what belongs to no sweep along x is behind it */
  if (words == OF_X || words == OF_Y)
    m.fastest = s->fastest + (2 * (s->turn + k) + axis + 1) % 3 * ADIG_SLOTS;
  return m;
}

/* --- meetings --------------------------------------------------------------------------------- */

/* All parts of a lane. */
static ria_status meet(const adig_crew *c, const ria_gpu_lane *l, int k, int what,
                       enum adig_words words) {
  if (words == OF_NOTHING && adig_n_reached(c) == 1) return RIA_OK; /* order is enough */
  EACH_PART(s, p, l) {
    const bool last = p + 1 == l->first + l->n;
    if (words == OF_NOTHING && !last) continue;
    const adig_meeting m = meeting_of(c, l, p, k, what, words);
    A_TRY("a time step", s->kernel->meet(&m, l->stream));
  }
  return RIA_OK;
}

ria_status adig_hand_on(const adig_crew *c, ria_gpu_lane *l, enum adig_words words) {
  if (!adig_is_far(c) || words == OF_NOTHING) return RIA_OK;
  return ria_gpu_crew_pass(l, state_of(words), kind_of(words), RIA_GPU_PASS_WORDS);
}
ria_status adig_lane_say(const adig_crew *c, ria_gpu_lane *l, int k, enum adig_words words) {
  RIA_TRY(meet(c, l, k, ADIG_SAYS, words));
  return adig_hand_on(c, l, words);
}
/* And what came with it is fetched: rows of a set, or -1. */
ria_status adig_lane_hear(const adig_crew *c, ria_gpu_lane *l, int k, enum adig_words words,
                          int rows) {
  RIA_TRY(meet(c, l, k, ADIG_HEARS, words));
  return rows >= 0 && !adig_is_far(c) ? ria_gpu_crew_receive(l, rows) : RIA_OK;
}
/* Handed on, rows are fetched at once. */
ria_status adig_lane_send(const adig_crew *c, ria_gpu_lane *l, int rows) {
  RIA_TRY(ria_gpu_crew_send(l, rows));
  return adig_is_far(c) ? ria_gpu_crew_pass(l, rows, 0, RIA_GPU_PASS_ROWS) : RIA_OK;
}

/* --- what is handed on ------------------------------------------------------------------------ */

static size_t edge_bytes(const adig_crew *c) {
  const adig *s = adig_crew_first(c);
  return (size_t)s->p.grid.nx * s->p.real_size;
}
unsigned long long *adig_listed_at(const adig_crew *c, const ria_gpu_lane *l, enum adig_listed what,
                                   bool first, size_t *bytes) {
  const size_t rim = (size_t)RIM_BYTES * (size_t)adig_crew_first(c)->beside.rivers.first[1],
               edge = edge_bytes(c), forward = adig_up_to_8(EDGE_FORWARD * edge),
               back = adig_up_to_8(EDGE_BACK * edge), south = c->edges_at + forward;
  const struct {
    size_t at, bytes;
  } of[] = {{0, rim},
            {c->ends_at, c->edges_at - c->ends_at},
            {c->edges_at, forward},
            {south, back},
            {south + back, adig_up_to_8(edge)}};
  *bytes = of[what].bytes;
  return (unsigned long long *)((char *)ria_gpu_crew_list(l, first) + of[what].at);
}
ria_status adig_lane_clear(const adig_crew *c, const ria_gpu_lane *l, enum adig_listed what,
                           bool first) {
  size_t bytes;
  void *list = adig_listed_at(c, l, what, first, &bytes);
  if (adig_is_far(c)) RIA_CUDA(c->ctx, "a time step", cudaMemsetAsync(list, 0, bytes, l->stream));
  return RIA_OK;
}
ria_status adig_lane_unite(const adig_crew *c, ria_gpu_lane *l, enum adig_listed what, bool first) {
  size_t bytes;
  unsigned long long *list = adig_listed_at(c, l, what, first, &bytes);
  return adig_is_far(c) ? ria_gpu_crew_unite(l, list, bytes / sizeof *list) : RIA_OK;
}

/* --- cells of discharges; looks --------------------------------------------------------------- */

adig_forcing adig_lane_forcing(const adig_crew *c, const ria_gpu_lane *l, const adig *s) {
  adig_forcing f = adig_forcing_of(s);
  if (adig_has_rim(s)) f.rim = ria_gpu_crew_list(&c->crew->lane[l->index], 0);
  return f;
}

ria_status adig_tell_rim(const adig_crew *c, ria_gpu_lane *l, int k, bool due) {
  RIA_TRY(adig_lane_clear(c, l, OF_RIM, false));
  EACH_PART(s, p, l) {
    const adig_forcing f = adig_forcing_of(s);
    adig_meeting m = meeting_of(c, l, p, k, ADIG_SAYS, OF_NOTHING);
    m.number = 2 * k + 1;
    A_TRY("a time step", s->kernel->tell_rim(&f, &m, due, &s->rules, l->stream));
  }
  return adig_lane_unite(c, l, OF_RIM, false);
}

ria_status adig_wait_for_rim(const adig_crew *c, const ria_gpu_lane *l, int k, bool due) {
  if (adig_n_reached(c) == 1) return RIA_OK;
  const adig *s = adig_lane_first(c, l);
  adig_meeting m = meeting_of(c, l, l->first, k, ADIG_HEARS, OF_NOTHING);
  m.number = 2 * k + 1;
  if (!due) {
    A_TRY("a time step", s->kernel->meet(&m, l->stream));
    return RIA_OK;
  }
  adig_tick t = {};
  t.rules = s->rules;
  t.report = s->report;
  m.what = 0; /* it waits, and neither says nor hears */
  A_TRY("a time step", s->kernel->meet_seen(&t, &m, l->stream));
  return RIA_OK;
}

ria_status adig_meet_seen(const adig_crew *c, const ria_gpu_lane *l, int k, int what) {
  EACH_PART(s, p, l) {
    adig_tick t = {};
    t.f = adig_lane_forcing(c, l, s);
    t.rules = s->rules;
    t.report = s->report;
    t.seen = s->seen_blocks;
    t.seen_blocks = s->look_blocks;
    t.rows = s->p.grid.ny;
    const adig_meeting m = meeting_of(c, l, p, k, what, OF_LOOK);
    A_TRY("a time step", s->kernel->meet_seen(&t, &m, l->stream));
  }
  return RIA_OK;
}
