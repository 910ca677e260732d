/* gpu/adi/together.cu - parts of a grid on the GPUs of one process step together
 * (machine/crew.cuh): what is queued for a step.
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
 * Between two phases lanes wait for each other, where either has said something. All buffers are in
 * their places again after six steps, so a lane has a graph for each of the six places that a span
 * may begin at. Where maxima are kept, whose memory is taken on the way, phases are launched one by
 * one. */
#include "host.cuh"
#include "machine/crew.cuh"

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
  adig **part; /* [n] */
  int n;
  int m, segments, blocks; /* of a column */
  int8_t slot[ADIG_BLOCKS], block_of[ADIG_BLOCKS];
  int n_slots;
  /* Where each lane's list has what; bytes. */
  size_t rim_cells, ends_at, pieces_at, list_bytes;
} adig_crew;

/* --- what a lane has -------------------------------------------------------------------------- */

static adig *first_of(const adig_crew *c, const ria_gpu_lane *l) { return c->part[l->first]; }

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
  q.lanes = c->crew->n_lanes;
  q.me = l->index;
  for (int to = 0; to < q.lanes; to++) {
    char *list = (char *)ria_gpu_crew_list(&c->crew->lane[to], first);
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

/* Of part p, the k-th step of a round; about the sweep with that number. */
static adig_meeting meeting_of(const adig_crew *c, const ria_gpu_lane *l, int p, int k, int what,
                               enum words words) {
  adig *s = c->part[p];
  const int axis = words == OF_Y ? ADI_Y : ADI_X, state = words == OF_X, kind = words == OF_LOOK;
  adig_meeting m = {};
  m.post = l->post;
  m.what = what;
  m.last = p + 1 == l->first + l->n;
  m.n_said = c->crew->n_lanes;
  m.parts = c->n;
  m.heard = ria_gpu_crew_box(l, state, kind, 0);
  for (int to = 0; to < m.n_said; to++) {
    m.said[to] = ria_gpu_crew_box(&c->crew->lane[to], state, kind, p);
    m.rim[to] = ria_gpu_crew_list(&c->crew->lane[to], 0);
  }
  m.report = s->report;
  m.step = &s->report->step[k];
  m.number = 2 * k + (words == OF_X ? 1 : 2); /* what belongs to no sweep along x is behind it */
  if (words == OF_X || words == OF_Y)
    m.fastest = s->fastest + (2 * (s->turn + k) + axis + 1) % 3 * ADIG_SLOTS;
  return m;
}

/* --- meetings --------------------------------------------------------------------------------- */

#define EACH_PART(S, P, L)                                                                         \
  for (int P = (L)->first; P < (L)->first + (L)->n; P++)                                           \
    if (adig *S = c->part[P])

/* All parts of a lane. */
static ria_status meet(const adig_crew *c, const ria_gpu_lane *l, int k, int what,
                       enum words words) {
  if (words == OF_NOTHING && c->crew->n_lanes == 1) return RIA_OK; /* order is enough */
  EACH_PART(s, p, l) {
    const bool last = p + 1 == l->first + l->n;
    if (words == OF_NOTHING && !last) continue;
    const adig_meeting m = meeting_of(c, l, p, k, what, words);
    A_TRY("a time step", s->kernel->meet(&m, l->stream));
  }
  return RIA_OK;
}

static ria_status say(const adig_crew *c, const ria_gpu_lane *l, int k, enum words words) {
  return meet(c, l, k, ADIG_SAYS, words);
}
/* And what came with it is fetched: rows of a set, or -1. */
static ria_status hear(const adig_crew *c, ria_gpu_lane *l, int k, enum words words, int rows) {
  RIA_TRY(meet(c, l, k, ADIG_HEARS, words));
  return rows >= 0 ? ria_gpu_crew_receive(l, rows) : RIA_OK;
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

static ria_status tell_rim(const adig_crew *c, const ria_gpu_lane *l, int k, bool due) {
  EACH_PART(s, p, l) {
    const adig_forcing f = adig_forcing_of(s);
    adig_meeting m = meeting_of(c, l, p, k, ADIG_SAYS, OF_NOTHING);
    m.number = 2 * k + 1;
    A_TRY("a time step", s->kernel->tell_rim(&f, &m, due, &s->rules, l->stream));
  }
  return RIA_OK;
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
  return meet_seen(c, l, k, ADIG_SAYS);
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
  RIA_TRY(ria_gpu_crew_send(l, set));
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
  EACH_PART(s, p, l) {
    const adig_sweep w = columns_of(s, k, first);
    const adig_joint q = joint_of(c, l, s, first);
    A_TRY("a time step", s->kernel->reduce(&w, &q, l->stream));
  }
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
  return s->nt ? ria_gpu_crew_send(l, ROWS_LOADS + s->load_now) : RIA_OK;
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
  RIA_TRY(ria_gpu_crew_send(l, ROWS_ASIDE));
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
  RIA_TRY(ria_gpu_crew_send(l, set));
  return say(c, l, k, OF_Y);
}

static ria_status follows(adig_crew *c, ria_gpu_lane *l, int k) {
  RIA_TRY(hear(c, l, k, OF_Y, ROWS_SWEPT_Y + (first_of(c, l)->turn + k) % ADIG_ROUND));
  EACH_PART(s, p, l) {
    RIA_TRY(adig_wrap_swept(s, ADI_Y));
    RIA_TRY(adig_carry_all(s, k));
    RIA_TRY(adig_mix_and_decay(s, k));
  }
  if (!first_of(c, l)->nt) return RIA_OK;
  RIA_TRY(send_loads(c, l));
  return say(c, l, k, OF_NOTHING);
}

/* Maxima take memory in the order of each part's own stream. */
static ria_status ends(adig_crew *c, ria_gpu_lane *l, int k) {
  adig *one = first_of(c, l);
  if (one->nt) RIA_TRY(hear(c, l, k, OF_NOTHING, ROWS_LOADS + one->load_now));
  if (!one->p.n_track) return RIA_OK;
  RIA_CUDA(c->ctx, "a time step", cudaStreamSynchronize(l->stream));
  EACH_PART(s, p, l) {
    RIA_TRY(adig_keep_maxima(s, k));
    A_TRY("keeping a maximum", cudaStreamSynchronize(s->p.stream));
  }
  return RIA_OK;
}

static ria_status wait_for_rim(const adig_crew *c, const ria_gpu_lane *l, int k, bool due) {
  if (c->crew->n_lanes == 1) return RIA_OK;
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
  default:
    return ends(c, l, k);
  }
}

static void show(ria_gpu_planes *p, int set) { ((adig *)p)->shows = set; }

/* Without graphs: a round was launched. */
static ria_status over(void *user, bool *is) {
  adig_crew *c = (adig_crew *)user;
  *is = false;
  RIA_TRY(ria_gpu_crew_part(c->crew));
  for (int k = 0; k < c->n; k++) {
    adig *s = c->part[k];
    s->current = false;
    RIA_TRY(adig_enter(s));
    *is |= s->host->over || s->host->clock.failure;
  }
  RIA_TRY(ria_gpu_crew_check(c->crew));
  return ria_gpu_crew_gather(c->crew);
}

static const ria_gpu_crew_calls calls = {
    .show = show, .queue = queue, .over = over, .steps = ADIG_ROUND, .sets = ADIG_ROWS};

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
  if (s->crew && s->crew->part[0] == s) free_crew(s->crew);
}

/* Which blocks of a column lie in several parts. */
static void find_slots(adig_crew *c) {
  const int block = c->m * c->segments, ny = c->part[0]->p.grid.ny;
  for (int b = 0; b < c->blocks; b++) {
    const int from = b * block, to = from + block < ny ? from + block : ny;
    bool cut = false;
    for (int k = 1; k < c->n; k++)
      cut |= c->part[k]->p.part.j0 > from && c->part[k]->p.part.j0 < to;
    c->slot[b] = -1;
    if (!cut) continue;
    c->slot[b] = (int8_t)c->n_slots;
    c->block_of[c->n_slots++] = (int8_t)b;
  }
}

/* What is said of columns lies behind what cells of discharges hold. */
static void lay_out(adig_crew *c) {
  const size_t nx = (size_t)c->part[0]->p.grid.nx, real = c->part[0]->p.real_size;
  const size_t cells = (size_t)c->part[0]->beside.rivers.first[1];
  if (cells > c->rim_cells) c->rim_cells = 2 * cells;
  c->ends_at = 3 * c->rim_cells * sizeof(double);
  c->pieces_at = c->ends_at + 6 * (size_t)c->blocks * nx * real;
  c->list_bytes = c->pieces_at + 7 * (size_t)c->n_slots * (size_t)c->segments * nx * real;
}

static ria_status shape(adig_crew *c) {
  for (int k = 0; k < c->n; k++) {
    const adig *s = c->part[k];
    int m, segments, blocks;
    s->kernel->layout(s->p.grid.ny, s->p.grid.nx, s->most_blocks, &m, &segments, &blocks);
    if (k > 0 && (m != c->m || segments != c->segments || blocks != c->blocks))
      return ria_fail(c->ctx, RIA_ERR_ARGUMENT,
                      "parts of adi on GPUs of different kinds, before and after compute "
                      "capability 9.0: take those of one kind");
    c->m = m, c->segments = segments, c->blocks = blocks;
  }
  if (c->blocks > ADIG_BLOCKS)
    return ria_fail(c->ctx, RIA_ERR_ARGUMENT,
                    "a grid of %d rows is too high for parts of adi on GPUs: take one part "
                    "(--parts 1)",
                    c->part[0]->p.grid.ny);
  find_slots(c);
  return RIA_OK;
}

static ria_status make_crew(void *const *part, int n) {
  adig *one = (adig *)part[0];
  adig_crew *c = (adig_crew *)calloc(1, sizeof *c);
  if (!c) return ria_gpu_no_memory(&one->p, "the parts");
  c->ctx = one->p.ctx;
  c->n = n;
  c->part = (adig **)calloc((size_t)n, sizeof *c->part);
  ria_status status = c->part ? RIA_OK : ria_gpu_no_memory(&one->p, "the parts");
  for (int k = 0; status == RIA_OK && k < n; k++) c->part[k] = (adig *)part[k];
  if (status == RIA_OK) status = shape(c);
  if (status == RIA_OK)
    status = ria_gpu_crew_make((ria_gpu_planes *const *)part, n, &calls, c, &c->crew);
  if (status == RIA_OK && !c->crew)
    status = ria_fail(c->ctx, RIA_ERR_ARGUMENT,
                      "adi cannot step parts of this grid together as they lie: take fewer "
                      "(--parts), or --device cpu");
  if (status != RIA_OK) {
    free_crew(c);
    return status;
  }
  c->crew->phases = PHASES;
  for (int k = 0; k < n; k++) c->part[k]->crew = c;
  return RIA_OK;
}

/* --- a span ----------------------------------------------------------------------------------- */

/* Nothing is queued. */
static ria_status make_ready(adig_crew *c) {
  bool stale = false, tracks = false;
  for (int k = 0; k < c->n; k++) {
    stale |= c->part[k]->stale;
    tracks |= c->part[k]->p.n_track > 0;
    c->part[k]->stale = false;
  }
  lay_out(c);
  if (stale) ria_gpu_crew_stale(c->crew);
  RIA_TRY(ria_gpu_crew_lists(c->crew, c->list_bytes / sizeof(double) + 1));
  c->crew->by_phases = tracks;
  return ria_gpu_crew_ready(c->crew, (int)(c->part[0]->host->clock.steps % ADIG_ROUND));
}

static ria_status launch(adig_crew *c) {
  for (int k = 0; k < c->n; k++) {
    adig *s = c->part[k];
    RIA_TRY(ria_gpu_enter(&s->p));
    s->on = s->p.stream;
    RIA_TRY(adig_wrap_ground(s));
    RIA_TRY(adig_wrap_state(s));
    RIA_TRY(adig_send_report(s));
  }
  RIA_TRY(ria_gpu_crew_gather(c->crew));
  return ria_gpu_crew_run(c->crew);
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

/* What all rows store; what went through stretches, through[2][n] of parts one after another. */
static ria_status sum_up(adig_crew *c, ria_row_totals *rows, double *through, size_t n) {
  const ria_gpu_planes *p = &c->part[0]->p;
  ria_row_totals *of = rows + p->grid.ny;
  memset(through, 0, 2 * n * sizeof *through);
  double *one = through + 2 * n;
  for (int k = 0; k < c->n; k++) {
    adig *s = c->part[k];
    RIA_TRY(ria_gpu_planes_row_totals(s, of));
    for (int j = 0; j < s->p.end - s->p.begin; j++) rows[s->p.part.j0 + j] = of[j];
    RIA_TRY(ria_gpu_planes_fluxes(s, s->p.v.n_stretch, one, one + n));
    for (size_t q = 0; q < 2 * n; q++) through[q] += one[q];
  }
  return RIA_OK;
}

static ria_status judge_all(adig_crew *c) {
  const ria_gpu_planes *p = &c->part[0]->p;
  const size_t n = (size_t)p->v.n_stretch * (size_t)p->v.n_quantities;
  const size_t ny = (size_t)p->grid.ny, nq = (size_t)p->v.n_quantities;
  double *through = (double *)malloc((4 * n + 1) * sizeof *through);
  ria_row_totals *rows = (ria_row_totals *)calloc((1 + nq) * ny, sizeof *rows);
  ria_status status = through && rows ? RIA_OK : ria_gpu_no_memory(p, "a sum");
  if (status == RIA_OK) status = sum_up(c, rows, through, n);
  if (status == RIA_OK) {
    const double stored = ria_sum_rows(&p->grid, rows, p->grid.ny).stored;
    for (int k = 0; k < c->n; k++) adig_judge_by(c->part[k], stored, through, through + n);
  }
  free(through);
  free(rows);
  return status;
}

ria_status adig_settle(adig_crew *c) {
  const adi_clock *clock = &c->part[0]->host->clock;
  RIA_TRY(enter_all((void *const *)c->part, c->n));
  while (clock->high && !clock->failure) {
    RIA_TRY(judge_all(c));
    if (clock->failure) break;
    RIA_TRY(make_ready(c));
    RIA_TRY(go(c));
    RIA_TRY(enter_all((void *const *)c->part, c->n));
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
  for (int k = 0; k < n; k++)
    if (!c->part[k]->p.ready)
      return ria_fail(c->ctx, RIA_ERR_DEVICE, "parts of adi on GPUs were not prepared");
  RIA_TRY(make_ready(c));
  for (int k = 0; k < n; k++) adi_begin_span(&c->part[k]->host->clock, span);
  return go(c);
}
