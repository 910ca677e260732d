/* gpu/adi/together_step.cu - parts of a grid step together: what is queued for a step.
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
 * and substituted back southwards; where they close upon themselves a last one, in which all have
 * what crosses the seam. Decay comes behind that.
 *
 * Between two phases lanes wait for each other, where either has said something; where ranks do not
 * reach each other's memory it is handed on behind whoever says it. All buffers are in
 * their places again after six steps, so a lane has a graph for each of the six places that a span
 * may begin at. Where maxima are kept, whose memory is taken on the way, phases are launched one by
 * one. */
#include "together.cuh"

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

/* Does a place have a look? The first of a round does wherever looks may be due: fields were set
 * there perhaps. */
static bool has_look(const adig *s, int k) {
  return adig_looks(s, k) || (k == 0 && !(s->rules.dt > 0));
}
/* Of explicit diffusion an even number: the last of them reads loads where those that are sent
 * behind it do not come to. */
static int n_mixes(const adig_crew *c) { return (adig_crew_first(c)->parts + 1) / 2 * 2; }
/* Of implicit diffusion: of each tracer that spreads, northwards through all lanes and back; along
 * a ring once more, all of them. */
static int n_turns(const adig_crew *c) { return 2 * c->crew->n_lanes - 1 + c->crew->ring; }
static int n_lines(const adig_crew *c) {
  const adig *s = adig_crew_first(c);
  int n = 0;
  for (int m = 0; m < s->nt; m++) n += s->diffusion[m] > 0;
  return s->implicit ? n * n_turns(c) : 0;
}
int adig_n_phases(const adig_crew *c) { return PHASES + n_mixes(c) + n_lines(c); }

static ria_status looks(adig_crew *c, ria_gpu_lane *l, int k) {
  if (!has_look(adig_lane_first(c, l), k)) return RIA_OK;
  EACH_PART(s, p, l) RIA_TRY(adig_look_at(s, ADIG_IF_DUE));
  const adig *s = adig_lane_first(c, l);
  return adig_has_rim(s) && !(s->rules.dt > 0) ? adig_tell_rim(c, l, k, true) : RIA_OK;
}

static ria_status sees(adig_crew *c, ria_gpu_lane *l, int k) {
  const adig *s = adig_lane_first(c, l);
  if (!has_look(s, k)) return RIA_OK;
  if (adig_has_rim(s) && !(s->rules.dt > 0)) RIA_TRY(adig_wait_for_rim(c, l, k, true));
  RIA_TRY(adig_meet_seen(c, l, k, ADIG_SAYS));
  return adig_hand_on(c, l, OF_LOOK);
}

static ria_status chooses(adig_crew *c, ria_gpu_lane *l, int k, const ria_round *round) {
  if (has_look(adig_lane_first(c, l), k)) RIA_TRY(adig_meet_seen(c, l, k, ADIG_HEARS));
  EACH_PART(s, p, l) {
    adig_tick t;
    if (adig_tick_of(s, k, &t) && (t.chooses || s->p.v.n_sources)) {
      t.lost = c->crew->n_lanes > 1 ? c->crew->lost : NULL;
      A_TRY("a time step", s->kernel->tick(&t, round->handle, round->recorded, l->stream));
    }
    RIA_TRY(adig_relax(s, k));
  }
  return adig_has_rim(adig_lane_first(c, l)) ? adig_tell_rim(c, l, k, false) : RIA_OK;
}

static ria_status along_x(adig_crew *c, ria_gpu_lane *l, int k) {
  const int set = ROWS_SWEPT_X + (adig_lane_first(c, l)->turn + k) % ADIG_ROUND;
  if (adig_has_rim(adig_lane_first(c, l))) RIA_TRY(adig_wait_for_rim(c, l, k, false));
  EACH_PART(s, p, l) {
    if (s->forced[ADI_X] || (s->nt && s->carried_in)) {
      const adig_forcing f = adig_lane_forcing(c, l, s);
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
  RIA_TRY(adig_lane_send(c, l, set));
  return adig_lane_say(c, l, k, OF_X);
}

/* A solution of the columns of a lane's parts: a first one, the last one. */
static adig_sweep columns_of(adig *s, int k, bool first) {
  adig_sweep w = adig_sweep_of(s, ADI_Y, k);
  if (!s->between) return w;
  const adig_sweep one = adig_first_of(s, ADI_Y, k, &w);
  return first ? one : w;
}

static ria_status reduce(adig_crew *c, ria_gpu_lane *l, int k, bool first) {
  RIA_TRY(adig_lane_clear(c, l, OF_COLUMNS, first));
  EACH_PART(s, p, l) {
    const adig_sweep w = columns_of(s, k, first);
    const adig_joint q = adig_joint_of(c, l, s, first);
    A_TRY("a time step", s->kernel->reduce(&w, &q, l->stream));
  }
  RIA_TRY(adig_lane_unite(c, l, OF_COLUMNS, first));
  return adig_lane_say(c, l, k, OF_NOTHING);
}

static ria_status finish(adig_crew *c, ria_gpu_lane *l, int k, bool first) {
  adig *one = adig_lane_first(c, l);
  if (c->n_slots) {
    const adig_sweep w = columns_of(one, k, first);
    const adig_joint q = adig_joint_of(c, l, one, first);
    RIA_CUDA(c->ctx, "a time step", one->kernel->join(&w, &q, l->stream));
  }
  EACH_PART(s, p, l) {
    const adig_sweep w = columns_of(s, k, first);
    const adig_joint q = adig_joint_of(c, l, s, first);
    A_TRY("a time step", s->kernel->finish(&w, &q, l->stream));
    if (first) RIA_TRY(adig_wrap_plane(s, s->between));
  }
  return RIA_OK;
}

static ria_status send_loads(const adig_crew *c, ria_gpu_lane *l) {
  const adig *s = adig_lane_first(c, l);
  return s->nt ? adig_lane_send(c, l, ROWS_LOADS + s->load_now) : RIA_OK;
}

static ria_status along_y(adig_crew *c, ria_gpu_lane *l, int k) {
  RIA_TRY(
      adig_lane_hear(c, l, k, OF_X, ROWS_SWEPT_X + (adig_lane_first(c, l)->turn + k) % ADIG_ROUND));
  EACH_PART(s, p, l) {
    RIA_TRY(adig_carry_all(s, k));
    if (s->forced[ADI_Y]) {
      const adig_forcing f = adig_forcing_of(s);
      A_TRY("a time step", s->kernel->force(&f, &s->report->step[k], ADI_Y, l->stream));
    }
    RIA_TRY(adig_wrap_swept(s, ADI_X));
  }
  RIA_TRY(send_loads(c, l));
  return reduce(c, l, k, adig_lane_first(c, l)->between != NULL);
}

static ria_status again(adig_crew *c, ria_gpu_lane *l, int k) {
  const adig *s = adig_lane_first(c, l);
  if (!s->between) return RIA_OK;
  RIA_TRY(adig_lane_hear(c, l, k, OF_NOTHING, s->nt ? ROWS_LOADS + s->load_now : -1));
  RIA_TRY(finish(c, l, k, true));
  return reduce(c, l, k, false);
}

static ria_status finishes(adig_crew *c, ria_gpu_lane *l, int k) {
  const adig *s = adig_lane_first(c, l);
  RIA_TRY(
      adig_lane_hear(c, l, k, OF_NOTHING, !s->between && s->nt ? ROWS_LOADS + s->load_now : -1));
  RIA_TRY(finish(c, l, k, false));
  RIA_TRY(adig_lane_send(c, l, ROWS_ASIDE));
  return adig_lane_say(c, l, k, OF_NOTHING);
}

static ria_status closes(adig_crew *c, ria_gpu_lane *l, int k) {
  const int set = ROWS_SWEPT_Y + (adig_lane_first(c, l)->turn + k) % ADIG_ROUND;
  RIA_TRY(adig_lane_hear(c, l, k, OF_NOTHING, ROWS_ASIDE));
  EACH_PART(s, p, l) {
    const adig_sweep w = columns_of(s, k, false);
    const adig_joint q = adig_joint_of(c, l, s, false);
    A_TRY("a time step", s->kernel->close(&w, &q, l->stream));
    adig_swept(s, ADI_Y);
  }
  RIA_TRY(adig_lane_send(c, l, set));
  return adig_lane_say(c, l, k, OF_Y);
}

static ria_status tell_loads(const adig_crew *c, ria_gpu_lane *l, int k) {
  RIA_TRY(send_loads(c, l));
  return adig_lane_say(c, l, k, OF_NOTHING);
}

/* Tracers are what they are at the end of the step. */
static ria_status end_tracers(adig_crew *c, ria_gpu_lane *l, int k) {
  EACH_PART(s, p, l) RIA_TRY(adig_decay(s, k));
  return tell_loads(c, l, k);
}

static ria_status follows(adig_crew *c, ria_gpu_lane *l, int k) {
  RIA_TRY(
      adig_lane_hear(c, l, k, OF_Y, ROWS_SWEPT_Y + (adig_lane_first(c, l)->turn + k) % ADIG_ROUND));
  EACH_PART(s, p, l) {
    RIA_TRY(adig_wrap_swept(s, ADI_Y));
    RIA_TRY(adig_carry_all(s, k));
  }
  if (!adig_lane_first(c, l)->nt) return RIA_OK;
  return n_mixes(c) ? tell_loads(c, l, k) : end_tracers(c, l, k);
}

/* An explicit part of diffusion. */
static ria_status mixes(adig_crew *c, ria_gpu_lane *l, int k, int part) {
  const adig *one = adig_lane_first(c, l);
  const bool last = part + 1 == n_mixes(c);
  RIA_TRY(adig_lane_hear(c, l, k, OF_NOTHING, ROWS_LOADS + one->load_now));
  EACH_PART(s, p, l) {
    RIA_TRY(adig_mix(s, k, part));
    if (last) RIA_TRY(adig_mix_home(s, k));
  }
  if (!last) return tell_loads(c, l, k);
  return one->implicit ? adig_lane_say(c, l, k, OF_NOTHING) : end_tracers(c, l, k);
}

static enum adig_listed list_of(enum adig_way way) {
  return way == NORTHWARDS ? OF_NORTH : way == SOUTHWARDS ? OF_SOUTH : OF_SEAM;
}

/* Where a part leaves the edge of its columns for the next one, which may be another lane's. */
static void *edge_for(const adig_crew *c, const ria_gpu_lane *l, int next, enum adig_way way) {
  size_t bytes;
  const int to = next < l->first ? l->index - 1 : next < l->first + l->n ? l->index : l->index + 1;
  if (next < 0 || next >= c->n) return NULL;
  return adig_listed_at(c, adig_is_far(c) ? l : &c->crew->lane[to], list_of(way), false, &bytes);
}

static ria_status mix_part(const adig_crew *c, const ria_gpu_lane *l, int k, int p, int tracer,
                           enum adig_way way) {
  size_t bytes;
  const int next = way == NORTHWARDS ? p + 1 : p - 1, before = way == NORTHWARDS ? p - 1 : p + 1;
  adig_edge e = {};
  e.way = way;
  e.ring = c->crew->ring;
  e.last = p == c->n - 1;
  if (way == AT_SEAM || (before >= 0 && before < c->n))
    e.from = adig_listed_at(c, l, list_of(way), false, &bytes);
  if (way != AT_SEAM) e.to = edge_for(c, l, next, way);
  e.lanes = adig_n_reached(c);
  for (int to = 0; to < e.lanes; to++)
    e.all[to] = adig_listed_at(c, adig_reached(c, to), OF_SEAM, false, &bytes);
  return adig_mix_columns(c->part[p], k, tracer, &e);
}

/* A turn of the columns of a tracer: one lane has them, in the middle one both ways; in the last
 * one of a ring all have. */
static ria_status mix_turn(adig_crew *c, ria_gpu_lane *l, int k, int tracer, int turn) {
  const int end = 2 * c->crew->n_lanes - 2;
  const bool north = l->index == turn, south = l->index == end - turn, ring = c->crew->ring;
  const enum adig_listed way = turn == end ? OF_SEAM : 2 * turn < end ? OF_NORTH : OF_SOUTH;
  const bool tells = turn < end || (ring && turn == end);
  if (tells && !north && !south) RIA_TRY(adig_lane_clear(c, l, way, false));
  for (int p = l->first; north && p < l->first + l->n; p++)
    RIA_TRY(mix_part(c, l, k, p, tracer, NORTHWARDS));
  for (int p = l->first + l->n - 1; south && p >= l->first; p--)
    RIA_TRY(mix_part(c, l, k, p, tracer, SOUTHWARDS));
  for (int p = l->first; turn > end && p < l->first + l->n; p++)
    RIA_TRY(mix_part(c, l, k, p, tracer, AT_SEAM));
  return tells ? adig_lane_unite(c, l, way, false) : RIA_OK;
}

/* Implicit diffusion: along x where its first column begins; then tracer by tracer. */
static ria_status mix_lines(adig_crew *c, ria_gpu_lane *l, int k, int phase) {
  const adig *one = adig_lane_first(c, l);
  int tracer = 0;
  RIA_TRY(adig_lane_hear(c, l, k, OF_NOTHING, -1));
  for (int left = phase / n_turns(c); left > 0 || !(one->diffusion[tracer] > 0); tracer++)
    left -= one->diffusion[tracer] > 0;
  if (phase == 0) EACH_PART(s, p, l) RIA_TRY(adig_mix_lines(s, k, ADI_X));
  RIA_TRY(mix_turn(c, l, k, tracer, phase % n_turns(c)));
  return phase + 1 == n_lines(c) ? end_tracers(c, l, k) : adig_lane_say(c, l, k, OF_NOTHING);
}

/* Maxima take memory in the order of each part's own stream. */
static ria_status ends(adig_crew *c, ria_gpu_lane *l, int k) {
  adig *one = adig_lane_first(c, l);
  if (one->nt) RIA_TRY(adig_lane_hear(c, l, k, OF_NOTHING, ROWS_LOADS + one->load_now));
  if (!one->p.n_track) return RIA_OK;
  if (c->crew->nccl) RIA_TRY(ria_gpu_crew_part(c->crew)); /* nobody waits for what may not end */
  RIA_CUDA(c->ctx, "a time step", cudaStreamSynchronize(l->stream));
  EACH_PART(s, p, l) {
    RIA_TRY(adig_keep_maxima(s, k));
    A_TRY("keeping a maximum", cudaStreamSynchronize(s->p.stream));
  }
  return RIA_OK;
}

/* See ria_gpu_crew_calls. */
ria_status adig_queue_phase(void *user, ria_gpu_lane *l, int k, int phase, ria_round *round,
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
