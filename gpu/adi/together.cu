/* gpu/adi/together.cu - parts of a grid step together, on the GPUs of one process or of several
 * ranks (machine/crew.cuh): what is queued for a step.
 *
 *   LOOKS     a look, where one is due, and what cells of discharges hold
 *   SEES      what the part sees is said
 *   CHOOSES   what all see is heard; the steps up to the next look are chosen, sources given
 *   ALONG_X   boundaries, eddies, the sweep along x; rows of what it made, and what it found
 *   ALONG_Y   that is heard; tracers; columns are reduced, and said
 *   AGAIN     of two solutions the first is finished, columns are reduced again
 *   FINISHES  columns are finished; what cells at cuts give
 *   CLOSES    cells at cuts are finished; rows, and what the sweep found
 *   FOLLOWS   that is heard; tracers, decay; loads
 *   ENDS      loads are there; maxima
 *
 * Where tracers spread their diffusion lies between the last two: a phase for each explicit part;
 * where it may be implicit the columns of each tracer are eliminated northwards, a phase a lane,
 * and substituted back southwards. Decay comes behind that.
 *
 * Between two phases lanes wait for each other, where either has said something; where ranks do not
 * reach each other's memory it is handed on behind whoever says it. All buffers are in
 * their places again after six steps, so a lane has a graph for each of the six places that a span
 * may begin at. Where maxima are kept, whose memory is taken on the way, phases are launched one by
 * one. */
#include "host.cuh"
#include "machine/crew.cuh"
#include "machine/ranks.cuh"

#include <stdlib.h>
#include <string.h>

enum phase {
  LOOKS,
  SEES,
  CHOOSES,
  ALONG_X,
  ALONG_Y,
  AGAIN,
  FINISHES,
  CLOSES,
  FOLLOWS,
  ENDS,
  PHASES
};

static_assert((int)ADIG_ROWS <= (int)RIA_GPU_SETS, "sets of rows");

typedef struct adig_crew {
  ria_gpu_crew *crew;
  ria_context *ctx;
  adig **part;             /* [n]; NULL: another rank's */
  int n;                   /* of all ranks */
  int m, segments, blocks; /* of a column */
  int8_t slot[ADIG_BLOCKS], block_of[ADIG_BLOCKS];
  int n_slots;
  /* Where each lane's list has what; bytes. */
  size_t rim_cells, ends_at, pieces_at, edges_at, list_bytes;
} adig_crew;

/* --- what a lane has -------------------------------------------------------------------------- */

static adig *first_of(const adig_crew *c, const ria_gpu_lane *l) { return c->part[l->first]; }
static adig *first_here(const adig_crew *c) { return c->part[c->crew->first]; }

/* Lanes whose memory a lane stores in: all, or its own alone; and its place among them. */
static int n_reached(const adig_crew *c) { return c->crew->to - c->crew->from; }
static const ria_gpu_lane *reached(const adig_crew *c, int k) {
  return &c->crew->lane[c->crew->from + k];
}
static bool is_far(const adig_crew *c) { return ria_gpu_crew_is_far(c->crew); }

/* What is said of a first solution has room of its own: others may still read it when the second
 * one is said. */
static adig_joint joint_of(const adig_crew *c, const ria_gpu_lane *l, const adig *s, bool first) {
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
  q.lanes = n_reached(c);
  q.me = l->index - c->crew->from;
  for (int to = 0; to < q.lanes; to++) {
    char *list = (char *)ria_gpu_crew_list(reached(c, to), first);
    q.ends[to] = list + c->ends_at;
    q.pieces[to] = list + c->pieces_at;
  }
  q.kept_a = s->kept_a;
  q.kept_c = s->kept_c;
  q.note = s->note;
  return q;
}

/* Words of consecutive meetings lie in different boxes; these of a look, whose meeting follows that
 * of a sweep along y, in a third one. */
enum words { OF_NOTHING, OF_LOOK, OF_X, OF_Y };
static int state_of(enum words words) { return words == OF_X; }
static int kind_of(enum words words) { return words == OF_LOOK; }

/* Of part p, the k-th step of a round; about the sweep with that number. */
static adig_meeting meeting_of(const adig_crew *c, const ria_gpu_lane *l, int p, int k, int what,
                               enum words words) {
  adig *s = c->part[p];
  const int axis = words == OF_Y ? ADI_Y : ADI_X, state = state_of(words), kind = kind_of(words);
  adig_meeting m = {};
  m.post = l->post;
  m.what = what;
  m.last = p + 1 == l->first + l->n;
  m.n_said = n_reached(c);
  m.parts = c->n;
  m.heard = ria_gpu_crew_box(l, state, kind, 0);
  for (int to = 0; to < m.n_said; to++) {
    m.said[to] = ria_gpu_crew_box(reached(c, to), state, kind, p);
    m.rim[to] = ria_gpu_crew_list(reached(c, to), 0);
  }
  m.report = s->report;
  m.step = &s->report->step[k];
  m.number = 2 * k + (words == OF_X ? 1 : 2); /* what belongs to no sweep along x is behind it */
  if (words == OF_X || words == OF_Y)
    m.fastest = s->fastest + (2 * (s->turn + k) + axis + 1) % 3 * ADIG_SLOTS;
  return m;
}

/* --- meetings --------------------------------------------------------------------------------- */

enum { RIM_BYTES = 3 * sizeof(double) }; /* of a cell: see adig_meeting */
static size_t up_to_8(size_t bytes) { return (bytes + 7) / 8 * 8; }

#define EACH_HERE(S, C)                                                                            \
  for (int here_ = (C)->crew->first; here_ < (C)->crew->first + (C)->crew->count; here_++)         \
    if (adig *S = (C)->part[here_])
#define EACH_PART(S, P, L)                                                                         \
  for (int P = (L)->first; P < (L)->first + (L)->n; P++)                                           \
    if (adig *S = c->part[P])

/* All parts of a lane. */
static ria_status meet(const adig_crew *c, const ria_gpu_lane *l, int k, int what,
                       enum words words) {
  if (words == OF_NOTHING && n_reached(c) == 1) return RIA_OK; /* order is enough */
  EACH_PART(s, p, l) {
    const bool last = p + 1 == l->first + l->n;
    if (words == OF_NOTHING && !last) continue;
    const adig_meeting m = meeting_of(c, l, p, k, what, words);
    A_TRY("a time step", s->kernel->meet(&m, l->stream));
  }
  return RIA_OK;
}

static ria_status hand_on(const adig_crew *c, ria_gpu_lane *l, enum words words) {
  if (!is_far(c) || words == OF_NOTHING) return RIA_OK;
  return ria_gpu_crew_pass(l, state_of(words), kind_of(words), RIA_GPU_PASS_WORDS);
}
static ria_status say(const adig_crew *c, ria_gpu_lane *l, int k, enum words words) {
  RIA_TRY(meet(c, l, k, ADIG_SAYS, words));
  return hand_on(c, l, words);
}
/* And what came with it is fetched: rows of a set, or -1. */
static ria_status hear(const adig_crew *c, ria_gpu_lane *l, int k, enum words words, int rows) {
  RIA_TRY(meet(c, l, k, ADIG_HEARS, words));
  return rows >= 0 && !is_far(c) ? ria_gpu_crew_receive(l, rows) : RIA_OK;
}
/* Handed on, rows are fetched at once. */
static ria_status send(const adig_crew *c, ria_gpu_lane *l, int rows) {
  RIA_TRY(ria_gpu_crew_send(l, rows));
  return is_far(c) ? ria_gpu_crew_pass(l, rows, 0, RIA_GPU_PASS_ROWS) : RIA_OK;
}

/* What is handed on of a lane's list is cleared before this lane says its share, and united behind
 * that: of discharges' cells, of columns, of edges of those that spread. */
enum listed { OF_RIM, OF_COLUMNS, NORTHWARDS, SOUTHWARDS };
static size_t edge_bytes(const adig_crew *c) {
  const adig *s = first_here(c);
  return (size_t)s->p.grid.nx * s->p.real_size;
}
static unsigned long long *listed_at(const adig_crew *c, const ria_gpu_lane *l, enum listed what,
                                     bool first, size_t *bytes) {
  const size_t rim = (size_t)RIM_BYTES * (size_t)first_here(c)->beside.rivers.first[1],
               edge = edge_bytes(c), south = c->edges_at + EDGE_FORWARD * edge;
  const struct {
    size_t at, bytes;
  } of[] = {{0, rim},
            {c->ends_at, c->edges_at - c->ends_at},
            {c->edges_at, EDGE_FORWARD * edge},
            {south, up_to_8(edge)}};
  *bytes = of[what].bytes;
  return (unsigned long long *)((char *)ria_gpu_crew_list(l, first) + of[what].at);
}
static ria_status clear(const adig_crew *c, const ria_gpu_lane *l, enum listed what, bool first) {
  size_t bytes;
  void *list = listed_at(c, l, what, first, &bytes);
  if (is_far(c)) RIA_CUDA(c->ctx, "a time step", cudaMemsetAsync(list, 0, bytes, l->stream));
  return RIA_OK;
}
static ria_status unite(const adig_crew *c, ria_gpu_lane *l, enum listed what, bool first) {
  size_t bytes;
  unsigned long long *list = listed_at(c, l, what, first, &bytes);
  return is_far(c) ? ria_gpu_crew_unite(l, list, bytes / sizeof *list) : RIA_OK;
}

/* Does a place have a look? The first of a round does wherever looks may be due: fields were set
 * there perhaps. */
static bool has_look(const adig *s, int k) {
  return adig_looks(s, k) || (k == 0 && !(s->rules.dt > 0));
}
/* Are there discharges or ratings whose cells may lie in several parts? */
static bool has_rim(const adig *s) { return s->beside.rivers.first[1] > 0; }

static adig_forcing forcing_of(const adig_crew *c, const ria_gpu_lane *l, const adig *s) {
  adig_forcing f = adig_forcing_of(s);
  if (has_rim(s)) f.rim = ria_gpu_crew_list(&c->crew->lane[l->index], 0);
  return f;
}

static ria_status tell_rim(const adig_crew *c, ria_gpu_lane *l, int k, bool due) {
  RIA_TRY(clear(c, l, OF_RIM, false));
  EACH_PART(s, p, l) {
    const adig_forcing f = adig_forcing_of(s);
    adig_meeting m = meeting_of(c, l, p, k, ADIG_SAYS, OF_NOTHING);
    m.number = 2 * k + 1;
    A_TRY("a time step", s->kernel->tell_rim(&f, &m, due, &s->rules, l->stream));
  }
  return unite(c, l, OF_RIM, false);
}

static ria_status meet_seen(const adig_crew *c, const ria_gpu_lane *l, int k, int what) {
  EACH_PART(s, p, l) {
    adig_tick t = {};
    t.f = forcing_of(c, l, s);
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

/* --- phases ----------------------------------------------------------------------------------- */

/* Of explicit diffusion an even number: the last of them reads loads where those that are sent
 * behind it do not come to. */
static int n_mixes(const adig_crew *c) { return (first_here(c)->parts + 1) / 2 * 2; }
/* Of implicit diffusion: of each tracer that spreads, northwards through all lanes and back. */
static int n_turns(const adig_crew *c) { return 2 * c->crew->n_lanes - 1; }
static int n_lines(const adig_crew *c) {
  const adig *s = first_here(c);
  int n = 0;
  for (int m = 0; m < s->nt; m++) n += s->diffusion[m] > 0;
  return s->implicit ? n * n_turns(c) : 0;
}
static int n_phases(const adig_crew *c) { return PHASES + n_mixes(c) + n_lines(c); }

static ria_status wait_for_rim(const adig_crew *c, const ria_gpu_lane *l, int k, bool due);

static ria_status looks(adig_crew *c, ria_gpu_lane *l, int k) {
  if (!has_look(first_of(c, l), k)) return RIA_OK;
  EACH_PART(s, p, l) RIA_TRY(adig_look_at(s, ADIG_IF_DUE));
  const adig *s = first_of(c, l);
  return has_rim(s) && !(s->rules.dt > 0) ? tell_rim(c, l, k, true) : RIA_OK;
}

static ria_status sees(adig_crew *c, ria_gpu_lane *l, int k) {
  const adig *s = first_of(c, l);
  if (!has_look(s, k)) return RIA_OK;
  if (has_rim(s) && !(s->rules.dt > 0)) RIA_TRY(wait_for_rim(c, l, k, true));
  RIA_TRY(meet_seen(c, l, k, ADIG_SAYS));
  return hand_on(c, l, OF_LOOK);
}

static ria_status chooses(adig_crew *c, ria_gpu_lane *l, int k, const ria_round *round) {
  if (has_look(first_of(c, l), k)) RIA_TRY(meet_seen(c, l, k, ADIG_HEARS));
  EACH_PART(s, p, l) {
    adig_tick t;
    if (adig_tick_of(s, k, &t) && (t.chooses || s->p.v.n_sources)) {
      t.lost = c->crew->n_lanes > 1 ? c->crew->lost : NULL;
      A_TRY("a time step", s->kernel->tick(&t, round->handle, round->recorded, l->stream));
    }
    RIA_TRY(adig_relax(s, k));
  }
  return has_rim(first_of(c, l)) ? tell_rim(c, l, k, false) : RIA_OK;
}

static ria_status along_x(adig_crew *c, ria_gpu_lane *l, int k) {
  const int set = ROWS_SWEPT_X + (first_of(c, l)->turn + k) % ADIG_ROUND;
  if (has_rim(first_of(c, l))) RIA_TRY(wait_for_rim(c, l, k, false));
  EACH_PART(s, p, l) {
    if (s->forced[ADI_X] || (s->nt && s->carried_in)) {
      const adig_forcing f = forcing_of(c, l, s);
      A_TRY("a time step", s->kernel->force(&f, &s->report->step[k], ADI_X, l->stream));
    }
    RIA_TRY(adig_wrap_given(s));
    RIA_TRY(adig_eddies(s, k));
    adig_sweep w = adig_sweep_of(s, ADI_X, k);
    if (s->between) {
      const adig_sweep first = adig_first_of(s, ADI_X, k, &w);
      A_TRY("a time step", s->kernel->sweep(&first, ADI_X, l->stream));
      RIA_TRY(adig_wrap_plane(s, s->between));
    }
    A_TRY("a time step", s->kernel->sweep(&w, ADI_X, l->stream));
    adig_swept(s, ADI_X);
  }
  RIA_TRY(send(c, l, set));
  return say(c, l, k, OF_X);
}

/* A solution of the columns of a lane's parts: a first one, the last one. */
static adig_sweep columns_of(adig *s, int k, bool first) {
  adig_sweep w = adig_sweep_of(s, ADI_Y, k);
  if (!s->between) return w;
  const adig_sweep one = adig_first_of(s, ADI_Y, k, &w);
  return first ? one : w;
}

static ria_status reduce(adig_crew *c, ria_gpu_lane *l, int k, bool first) {
  RIA_TRY(clear(c, l, OF_COLUMNS, first));
  EACH_PART(s, p, l) {
    const adig_sweep w = columns_of(s, k, first);
    const adig_joint q = joint_of(c, l, s, first);
    A_TRY("a time step", s->kernel->reduce(&w, &q, l->stream));
  }
  RIA_TRY(unite(c, l, OF_COLUMNS, first));
  return say(c, l, k, OF_NOTHING);
}

static ria_status finish(adig_crew *c, ria_gpu_lane *l, int k, bool first) {
  adig *one = first_of(c, l);
  if (c->n_slots) {
    const adig_sweep w = columns_of(one, k, first);
    const adig_joint q = joint_of(c, l, one, first);
    RIA_CUDA(c->ctx, "a time step", one->kernel->join(&w, &q, l->stream));
  }
  EACH_PART(s, p, l) {
    const adig_sweep w = columns_of(s, k, first);
    const adig_joint q = joint_of(c, l, s, first);
    A_TRY("a time step", s->kernel->finish(&w, &q, l->stream));
    if (first) RIA_TRY(adig_wrap_plane(s, s->between));
  }
  return RIA_OK;
}

static ria_status send_loads(const adig_crew *c, ria_gpu_lane *l) {
  const adig *s = first_of(c, l);
  return s->nt ? send(c, l, ROWS_LOADS + s->load_now) : RIA_OK;
}

static ria_status along_y(adig_crew *c, ria_gpu_lane *l, int k) {
  RIA_TRY(hear(c, l, k, OF_X, ROWS_SWEPT_X + (first_of(c, l)->turn + k) % ADIG_ROUND));
  EACH_PART(s, p, l) {
    RIA_TRY(adig_carry_all(s, k));
    if (s->forced[ADI_Y]) {
      const adig_forcing f = adig_forcing_of(s);
      A_TRY("a time step", s->kernel->force(&f, &s->report->step[k], ADI_Y, l->stream));
    }
    RIA_TRY(adig_wrap_swept(s, ADI_X));
  }
  RIA_TRY(send_loads(c, l));
  return reduce(c, l, k, first_of(c, l)->between != NULL);
}

static ria_status again(adig_crew *c, ria_gpu_lane *l, int k) {
  const adig *s = first_of(c, l);
  if (!s->between) return RIA_OK;
  RIA_TRY(hear(c, l, k, OF_NOTHING, s->nt ? ROWS_LOADS + s->load_now : -1));
  RIA_TRY(finish(c, l, k, true));
  return reduce(c, l, k, false);
}

static ria_status finishes(adig_crew *c, ria_gpu_lane *l, int k) {
  const adig *s = first_of(c, l);
  RIA_TRY(hear(c, l, k, OF_NOTHING, !s->between && s->nt ? ROWS_LOADS + s->load_now : -1));
  RIA_TRY(finish(c, l, k, false));
  RIA_TRY(send(c, l, ROWS_ASIDE));
  return say(c, l, k, OF_NOTHING);
}

static ria_status closes(adig_crew *c, ria_gpu_lane *l, int k) {
  const int set = ROWS_SWEPT_Y + (first_of(c, l)->turn + k) % ADIG_ROUND;
  RIA_TRY(hear(c, l, k, OF_NOTHING, ROWS_ASIDE));
  EACH_PART(s, p, l) {
    const adig_sweep w = columns_of(s, k, false);
    const adig_joint q = joint_of(c, l, s, false);
    A_TRY("a time step", s->kernel->close(&w, &q, l->stream));
    adig_swept(s, ADI_Y);
  }
  RIA_TRY(send(c, l, set));
  return say(c, l, k, OF_Y);
}

static ria_status tell_loads(const adig_crew *c, ria_gpu_lane *l, int k) {
  RIA_TRY(send_loads(c, l));
  return say(c, l, k, OF_NOTHING);
}

/* Tracers are what they are at the end of the step. */
static ria_status end_tracers(adig_crew *c, ria_gpu_lane *l, int k) {
  EACH_PART(s, p, l) RIA_TRY(adig_decay(s, k));
  return tell_loads(c, l, k);
}

static ria_status follows(adig_crew *c, ria_gpu_lane *l, int k) {
  RIA_TRY(hear(c, l, k, OF_Y, ROWS_SWEPT_Y + (first_of(c, l)->turn + k) % ADIG_ROUND));
  EACH_PART(s, p, l) {
    RIA_TRY(adig_wrap_swept(s, ADI_Y));
    RIA_TRY(adig_carry_all(s, k));
  }
  if (!first_of(c, l)->nt) return RIA_OK;
  return n_mixes(c) ? tell_loads(c, l, k) : end_tracers(c, l, k);
}

/* An explicit part of diffusion. */
static ria_status mixes(adig_crew *c, ria_gpu_lane *l, int k, int part) {
  const adig *one = first_of(c, l);
  const bool last = part + 1 == n_mixes(c);
  RIA_TRY(hear(c, l, k, OF_NOTHING, ROWS_LOADS + one->load_now));
  EACH_PART(s, p, l) {
    RIA_TRY(adig_mix(s, k, part));
    if (last) RIA_TRY(adig_mix_home(s, k));
  }
  if (!last) return tell_loads(c, l, k);
  return one->implicit ? say(c, l, k, OF_NOTHING) : end_tracers(c, l, k);
}

/* Where a part leaves the edge of its columns for the next one, which may be another lane's. */
static void *edge_for(const adig_crew *c, const ria_gpu_lane *l, int next, enum listed way) {
  size_t bytes;
  const int to = next < l->first ? l->index - 1 : next < l->first + l->n ? l->index : l->index + 1;
  if (next < 0 || next >= c->n) return NULL;
  return listed_at(c, is_far(c) ? l : &c->crew->lane[to], way, false, &bytes);
}

static ria_status mix_part(const adig_crew *c, const ria_gpu_lane *l, int k, int p, int tracer,
                           enum listed way) {
  size_t bytes;
  const int next = way == NORTHWARDS ? p + 1 : p - 1, before = way == NORTHWARDS ? p - 1 : p + 1;
  adig_edge e = {};
  e.northwards = way == NORTHWARDS;
  if (before >= 0 && before < c->n) e.from = listed_at(c, l, way, false, &bytes);
  e.to = edge_for(c, l, next, way);
  return adig_mix_columns(c->part[p], k, tracer, &e);
}

/* A turn of the columns of a tracer: one lane has them, in the middle one both ways. */
static ria_status mix_turn(adig_crew *c, ria_gpu_lane *l, int k, int tracer, int turn) {
  const int end = n_turns(c) - 1;
  const bool north = l->index == turn, south = l->index == end - turn;
  const enum listed way = 2 * turn < end ? NORTHWARDS : SOUTHWARDS;
  if (!north && !south) RIA_TRY(clear(c, l, way, false));
  for (int p = l->first; north && p < l->first + l->n; p++)
    RIA_TRY(mix_part(c, l, k, p, tracer, NORTHWARDS));
  for (int p = l->first + l->n - 1; south && p >= l->first; p--)
    RIA_TRY(mix_part(c, l, k, p, tracer, SOUTHWARDS));
  return turn < end ? unite(c, l, way, false) : RIA_OK;
}

/* Implicit diffusion: along x where its first column begins; then tracer by tracer. */
static ria_status mix_lines(adig_crew *c, ria_gpu_lane *l, int k, int phase) {
  const adig *one = first_of(c, l);
  int tracer = 0;
  RIA_TRY(hear(c, l, k, OF_NOTHING, -1));
  for (int left = phase / n_turns(c); left > 0 || !(one->diffusion[tracer] > 0); tracer++)
    left -= one->diffusion[tracer] > 0;
  if (phase == 0) EACH_PART(s, p, l) RIA_TRY(adig_mix_lines(s, k, ADI_X));
  RIA_TRY(mix_turn(c, l, k, tracer, phase % n_turns(c)));
  return phase + 1 == n_lines(c) ? end_tracers(c, l, k) : say(c, l, k, OF_NOTHING);
}

/* Maxima take memory in the order of each part's own stream. */
static ria_status ends(adig_crew *c, ria_gpu_lane *l, int k) {
  adig *one = first_of(c, l);
  if (one->nt) RIA_TRY(hear(c, l, k, OF_NOTHING, ROWS_LOADS + one->load_now));
  if (!one->p.n_track) return RIA_OK;
  if (c->crew->nccl) RIA_TRY(ria_gpu_crew_part(c->crew)); /* nobody waits for what may not end */
  RIA_CUDA(c->ctx, "a time step", cudaStreamSynchronize(l->stream));
  EACH_PART(s, p, l) {
    RIA_TRY(adig_keep_maxima(s, k));
    A_TRY("keeping a maximum", cudaStreamSynchronize(s->p.stream));
  }
  return RIA_OK;
}

static ria_status wait_for_rim(const adig_crew *c, const ria_gpu_lane *l, int k, bool due) {
  if (n_reached(c) == 1) return RIA_OK;
  const adig *s = first_of(c, l);
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

/* See ria_gpu_crew_calls. */
static ria_status queue(void *user, ria_gpu_lane *l, int k, int phase, ria_round *round,
                        bool closes_round) {
  adig_crew *c = (adig_crew *)user;
  (void)closes_round; /* a tick does, which chose the steps */
  EACH_PART(s, p, l) {
    s->on = l->stream;
    if (phase == 0 && k == 0) {
      adig_set_turn(s, s->host->clock.steps);
      s->load_now = 0;
    }
  }
  switch (phase) {
  case LOOKS:
    return looks(c, l, k);
  case SEES:
    return sees(c, l, k);
  case CHOOSES:
    return chooses(c, l, k, round);
  case ALONG_X:
    return along_x(c, l, k);
  case ALONG_Y:
    return along_y(c, l, k);
  case AGAIN:
    return again(c, l, k);
  case FINISHES:
    return finishes(c, l, k);
  case CLOSES:
    return closes(c, l, k);
  case FOLLOWS:
    return follows(c, l, k);
  }
  const int of_mixes = phase - ENDS, of_lines = of_mixes - n_mixes(c);
  if (of_lines < 0) return mixes(c, l, k, of_mixes);
  return of_lines < n_lines(c) ? mix_lines(c, l, k, of_lines) : ends(c, l, k);
}

static void show(ria_gpu_planes *p, int set) { ((adig *)p)->shows = set; }

/* Where dt follows the flow the next round may need more parts of diffusion. */
static ria_status plan_round(adig_crew *c) {
  EACH_HERE(s, c) {
    RIA_TRY(ria_gpu_enter(&s->p));
    adig_plan_diffusion(s);
    if (s->parts) RIA_TRY(adig_send_report(s));
  }
  c->crew->phases = n_phases(c);
  return ria_gpu_crew_gather(c->crew);
}

/* Without graphs: a round was launched. */
static ria_status over(void *user, bool *is) {
  adig_crew *c = (adig_crew *)user;
  *is = false;
  RIA_TRY(ria_gpu_crew_part(c->crew));
  EACH_HERE(s, c) {
    s->current = false;
    RIA_TRY(adig_enter(s));
    *is |= s->host->over || s->host->clock.failure;
  }
  RIA_TRY(ria_gpu_crew_check(c->crew));
  return *is ? RIA_OK : plan_round(c);
}

static const int *done(void *user) {
  return &first_here((const adig_crew *)user)->report->stops; /* an address of the device */
}

static const ria_gpu_crew_calls calls = {.show = show,
                                         .queue = queue,
                                         .over = over,
                                         .steps = ADIG_ROUND,
                                         .sets = ADIG_ROWS,
                                         .whole = true,
                                         .by_host = true,
                                         .done = done};

/* --- life ------------------------------------------------------------------------------------- */

static void free_crew(adig_crew *c) {
  if (!c) return;
  for (int k = 0; c->part && k < c->n; k++) {
    if (!c->part[k]) continue;
    c->part[k]->on = c->part[k]->p.stream;
    c->part[k]->crew = NULL;
  }
  ria_gpu_crew_free(c->crew);
  free(c->part);
  free(c);
}

void adig_crew_free(adig *s) {
  if (s->crew && first_here(s->crew) == s) free_crew(s->crew);
}

/* How columns lie on threads of this process' GPUs, and in which blocks parts begin. */
typedef struct card {
  int32_t m, segments, blocks;
  uint32_t begins;
} card;
static_assert((int)ADIG_BLOCKS <= 32, "a bit for each block");

static bool is_alike(const card *a, const card *b) {
  return a->m == b->m && a->segments == b->segments && a->blocks == b->blocks;
}

static ria_status fail_alike(const adig_crew *c) {
  return ria_fail(c->ctx, RIA_ERR_ARGUMENT,
                  "parts of adi on GPUs of different kinds, before and after compute capability "
                  "9.0: take those of one kind");
}

static ria_status measure(const adig_crew *c, card *mine) {
  const adig *first = first_here(c);
  *mine = {};
  EACH_HERE(s, c) {
    card of = {};
    s->kernel->layout(s->p.grid.ny, s->p.grid.nx, s->most_blocks, &of.m, &of.segments, &of.blocks);
    if (s != first && !is_alike(&of, mine)) return fail_alike(c);
    if (of.blocks > ADIG_BLOCKS)
      return ria_fail(c->ctx, RIA_ERR_ARGUMENT,
                      "a grid of %d rows is too high for parts of adi on GPUs: take one part "
                      "(--parts 1)",
                      s->p.grid.ny);
    const int block = of.m * of.segments, at = s->p.part.j0;
    of.begins = mine->begins | (at % block ? 1u << at / block : 0);
    *mine = of;
  }
  return RIA_OK;
}

/* Which blocks of a column lie in several parts. */
static void find_slots(adig_crew *c, uint32_t begins) {
  for (int b = 0; b < c->blocks; b++) {
    c->slot[b] = -1;
    if (!(begins >> b & 1)) continue;
    c->slot[b] = (int8_t)c->n_slots;
    c->block_of[c->n_slots++] = (int8_t)b;
  }
}

/* What is said of columns lies behind what cells of discharges hold. */
static void lay_out(adig_crew *c) {
  const adig *s = first_here(c);
  const size_t nx = (size_t)s->p.grid.nx, real = s->p.real_size;
  const size_t cells = (size_t)s->beside.rivers.first[1];
  if (cells > c->rim_cells) c->rim_cells = 2 * cells;
  c->ends_at = 3 * c->rim_cells * sizeof(double);
  c->pieces_at = c->ends_at + 6 * (size_t)c->blocks * nx * real;
  const size_t pieces = 7 * (size_t)c->n_slots * (size_t)c->segments * nx * real;
  c->edges_at = up_to_8(c->pieces_at + pieces);
  c->list_bytes = c->edges_at + EDGE_FORWARD * nx * real + up_to_8(nx * real);
}

/* Of the parts of all ranks. */
static ria_status shape(adig_crew *c, ria_status here) {
  card all[RIA_GPU_LANES];
  const int n = c->crew->ranks ? c->crew->n_lanes : 1;
  bool can = true;
  if (here == RIA_OK) here = measure(c, &all[0]);
  RIA_TRY(ria_gpu_crew_agree(c->ctx, here, &can));
  const card mine = all[0];
  if (c->crew->ranks) RIA_TRY(ria_gpu_ranks_tell(c->ctx, &mine, all, sizeof mine));
  uint32_t begins = 0;
  for (int k = 0; k < n; k++) {
    if (!is_alike(&all[k], &all[0])) return fail_alike(c);
    begins |= all[k].begins;
  }
  c->m = mine.m, c->segments = mine.segments, c->blocks = mine.blocks;
  find_slots(c, begins);
  return RIA_OK;
}

static ria_status take_parts(adig_crew *c, void *const *part, int n) {
  c->n = c->crew->n;
  c->part = (adig **)calloc((size_t)c->n, sizeof *c->part);
  if (!c->part) return ria_gpu_no_memory((const ria_gpu_planes *)part[0], "the parts");
  for (int k = 0; k < n; k++) c->part[c->crew->first + k] = (adig *)part[k];
  return RIA_OK;
}

static ria_status make_crew(void *const *part, int n) {
  adig *one = (adig *)part[0];
  adig_crew *c = (adig_crew *)calloc(1, sizeof *c);
  if (!c) return ria_gpu_no_memory(&one->p, "the parts");
  c->ctx = one->p.ctx;
  ria_status status = ria_gpu_crew_make((ria_gpu_planes *const *)part, n, &calls, c, &c->crew);
  if (status == RIA_OK && !c->crew)
    status = ria_fail(c->ctx, RIA_ERR_ARGUMENT,
                      "adi cannot step parts of this grid together as they lie: take fewer "
                      "(--parts), or --device cpu");
  if (status == RIA_OK) status = shape(c, take_parts(c, part, n));
  if (status != RIA_OK) {
    free_crew(c);
    return status;
  }
  EACH_HERE(s, c) s->crew = c;
  return RIA_OK;
}

/* --- a span ----------------------------------------------------------------------------------- */

/* Nothing is queued, and all ranks can go on. */
static ria_status make_ready(adig_crew *c) {
  const adig *first = first_here(c);
  bool stale = false, tracks = false, can = true;
  EACH_HERE(s, c) {
    adig_plan_diffusion(s);
    stale |= s->stale;
    tracks |= s->p.n_track > 0;
    s->stale = false;
  }
  lay_out(c);
  if (stale) ria_gpu_crew_stale(c->crew);
  RIA_TRY(ria_gpu_crew_lists(c->crew, c->list_bytes / sizeof(double) + 1));
  c->crew->phases = n_phases(c);
  c->crew->by_phases = tracks || (first->parts && !(first->rules.dt > 0));
  const int turn = (int)(first->host->clock.steps % ADIG_ROUND);
  return ria_gpu_crew_agree(c->ctx, ria_gpu_crew_ready(c->crew, turn), &can);
}

/* By NCCL rounds stop for more parts of diffusion too. */
static ria_status run(adig_crew *c) {
  const bool stalls = c->crew->begin > 0 && first_here(c)->p.backend->stalls; /* a test */
  bool is_over = true;
  do {
    RIA_TRY(ria_gpu_crew_run(c->crew));
    if (stalls) break;
    if (c->crew->nccl && first_here(c)->parts) RIA_TRY(over(c, &is_over));
  } while (!is_over);
  return RIA_OK;
}

static ria_status launch(adig_crew *c) {
  EACH_HERE(s, c) {
    RIA_TRY(ria_gpu_enter(&s->p));
    s->on = s->p.stream;
    RIA_TRY(adig_wrap_ground(s));
    RIA_TRY(adig_wrap_state(s));
    RIA_TRY(adig_send_report(s));
  }
  RIA_TRY(ria_gpu_crew_gather(c->crew));
  return run(c);
}

/* Go on with the span that the hosts' clocks have. */
static ria_status go(adig_crew *c) {
  const ria_status status = launch(c);
  if (status != RIA_OK) ria_gpu_crew_break(c->crew, status);
  RIA_TRY(status);
  return ria_gpu_crew_part(c->crew);
}

ria_status adig_crew_check(const adig_crew *c) { return c ? ria_gpu_crew_check(c->crew) : RIA_OK; }

static ria_status enter_all(void *const *part, int n) {
  for (int k = 0; k < n; k++) RIA_TRY(adig_enter((adig *)part[k]));
  return RIA_OK;
}

/* --- a level that runs away ------------------------------------------------------------------- */

/* What rows of parts here store, and what went through stretches, through[parts of all][n]. */
static ria_status sum_up(const adig_crew *c, ria_row_totals *rows, double *through, size_t n) {
  ria_row_totals *of = rows + first_here(c)->p.grid.ny;
  EACH_HERE(s, c) {
    double *in = through + (size_t)here_ * n;
    RIA_TRY(ria_gpu_planes_row_totals(s, of));
    for (int j = 0; j < s->p.end - s->p.begin; j++) rows[s->p.part.j0 + j] = of[j];
    RIA_TRY(ria_gpu_planes_fluxes(s, s->p.v.n_stretch, in, in + n / 2));
  }
  return RIA_OK;
}

/* And those of other ranks. */
static ria_status gather_sums(const adig_crew *c, ria_row_totals *rows, double *through, size_t n) {
  const ria_gpu_crew *w = c->crew;
  size_t row[(int)RIA_GPU_LANES + 1], part[(int)RIA_GPU_LANES + 1];
  for (int k = 0; k < w->n_lanes; k++) {
    row[k] = (size_t)w->lane[k].row * sizeof *rows;
    part[k] = (size_t)w->lane[k].first * n * sizeof *through;
  }
  row[w->n_lanes] = (size_t)first_here(c)->p.grid.ny * sizeof *rows;
  part[w->n_lanes] = (size_t)c->n * n * sizeof *through;
  RIA_TRY(ria_gpu_ranks_gather(c->ctx, rows, row));
  return ria_gpu_ranks_gather(c->ctx, through, part);
}

static ria_status judge_by_sums(const adig_crew *c, ria_row_totals *rows, double *through, size_t n,
                                ria_status here) {
  const ria_grid *g = &first_here(c)->p.grid;
  bool can = true;
  if (here == RIA_OK) here = sum_up(c, rows, through, n);
  RIA_TRY(ria_gpu_crew_agree(c->ctx, here, &can));
  if (c->crew->ranks) RIA_TRY(gather_sums(c, rows, through, n));
  for (int k = 1; k < c->n; k++) /* part by part */
    for (size_t q = 0; q < n; q++) through[q] += through[(size_t)k * n + q];
  const double stored = ria_sum_rows(g, rows, g->ny).stored;
  EACH_HERE(s, c) adig_judge_by(s, stored, through, through + n / 2);
  return RIA_OK;
}

static ria_status judge_all(const adig_crew *c) {
  const ria_gpu_planes *p = &first_here(c)->p;
  const size_t ny = (size_t)p->grid.ny, nq = (size_t)p->v.n_quantities;
  const size_t n = 2 * (size_t)p->v.n_stretch * nq; /* in and out */
  double *through = (double *)malloc(((size_t)c->n * n + 1) * sizeof *through);
  ria_row_totals *rows = (ria_row_totals *)calloc((1 + nq) * ny, sizeof *rows);
  const ria_status status =
      judge_by_sums(c, rows, through, n, through && rows ? RIA_OK : ria_gpu_no_memory(p, "a sum"));
  free(through);
  free(rows);
  return status;
}

static ria_status enter_crew(const adig_crew *c) {
  EACH_HERE(s, c) RIA_TRY(adig_enter(s));
  return RIA_OK;
}

ria_status adig_settle(adig_crew *c) {
  const adi_clock *clock = &first_here(c)->host->clock;
  RIA_TRY(enter_crew(c));
  while (clock->high && !clock->failure) {
    RIA_TRY(judge_all(c));
    if (clock->failure) break;
    RIA_TRY(make_ready(c));
    RIA_TRY(go(c));
    RIA_TRY(enter_crew(c));
    RIA_TRY(ria_gpu_crew_check(c->crew));
  }
  return RIA_OK;
}

/* --- of ria_solver_ops ------------------------------------------------------------------------ */

ria_status adig_together(void *const *part, int n, const ria_span *span, bool *queued) {
  adig *one = (adig *)part[0];
  *queued = false;
  RIA_TRY(adig_crew_check(one->crew));
  RIA_TRY(enter_all(part, n));
  if (one->crew) RIA_TRY(adig_settle(one->crew)); /* memory ran out the last time */
  *queued = true;
  if (one->host->clock.failure) return RIA_OK;
  if (!one->crew) RIA_TRY(make_crew(part, n));
  adig_crew *c = one->crew;
  EACH_HERE(s, c) {
    if (s->p.ready) continue;
    return ria_fail(c->ctx, RIA_ERR_DEVICE, "parts of adi on GPUs were not prepared");
  }
  RIA_TRY(make_ready(c));
  EACH_HERE(s, c) adi_begin_span(&s->host->clock, span);
  return go(c);
}
