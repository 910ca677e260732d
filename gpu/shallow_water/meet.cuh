/* meet.cuh - between two steps of a part of a grid on the device, by one block: what tick.cuh does,
 * with what parts agree on in between (swg_meeting; shallow_water_parts.c is the CPU's).
 *
 * Where nothing but speeds of cells is asked for, a step has one meeting: a part says what it found
 * and what its levels ask for, then hears, settles and chooses. The level of a rating over a cut
 * follows from what stands in cells of several parts, but asks for no speed: parts list them in the
 * same meeting. Sources of water ask by the clock, and a discharge over a cut is shared out by what
 * stands in cells of several parts: then parts meet twice, first about the step, then about
 * forcing.
 *
 * The clock is each part's own; by the same words all go the same way. Cells in it, and in the
 * reason of the shortest step, are those of the grid. */

namespace {

/* Discharges and ratings over cuts: their cells may lie in other parts, and the list tells what
 * stands there. Without a list none is cut: those of other parts are worked out there. */
struct rim_of_all {
  const double *list;
  int n, n_rated;
  __device__ __forceinline__ rim_water water(const swg_args *a, const rim_state &r, int e) const {
    if (e >= n) return {r.s.h, r.z, a->manning && r.c.at >= 0 ? a->manning[r.c.at] : (R)1};
    const volatile double *v = list + SWG_LISTED * e;
    return {(R)v[0], (R)v[1], (R)v[2]};
  }
  __device__ __forceinline__ water_leaving leaving(const swg_args *a, int k) const {
    if (k >= n_rated) return rim_here{}.leaving(a, k);
    const volatile double *v = list + SWG_LISTED * (n + k);
    return leaving_by(a, a->v.forcing.rated_cell[k].side, v[0], v[2], v[1]);
  }
  __device__ __forceinline__ rim_state state(const swg_args *a, const swg_rim_cell *cell) const {
    if (cell->at >= 0) return look_up(a, cell);
    rim_state r = {};
    r.c = *cell;
    return r;
  }
  __device__ __forceinline__ bool has(const rim_state &r) const {
    return r.c.rim >= 0 && r.c.at >= 0;
  }
};

typedef struct meeting_room {
  scratch tick;
  ria_meeting heard[32], says;
  unsigned long long met; /* meetings of this lane so far */
} meeting_room;

/* --- saying ----------------------------------------------------------------------------------- */

/* By the clock's warp: what the step (or the survey) found. */
__device__ __forceinline__ void tell_found(const swg_view *v, const swg_meeting *m,
                                           ria_meeting *says) {
  const int lane = threadIdx.x % 32;
  swg_report *c = v->report;
  const unsigned long long speed = take_slots(c->found, lane), where = take_slots(c->where, lane);
  if (lane != 0) return;
  const double most = __longlong_as_double((long long)speed);
  says->most[SWG_SAYS_SPEED] = c->bad ? __longlong_as_double(-1) : most;
  says->most[SWG_SAYS_PLACE] = where ? (double)__uint_as_float((unsigned)(where >> 32)) : -1.0;
  says->where[SWG_SAYS_PLACE] =
      where ? (int64_t)(0xffffffffu - (unsigned)where) + m->first_cell : -1;
  if (v->pace.stirs) {
    says->most[SWG_SAYS_EDDY] = __longlong_as_double((long long)c->eddy);
    c->eddy = 0;
  }
}

/* What stands at discharges and ratings, of cells of this part. */
__device__ __forceinline__ void tell_rim(const swg_args *a, const swg_meeting *m, int n_said) {
  const swg_forcing *f = &a->v.forcing;
  for (int e = threadIdx.x; e < m->n_rim + m->n_rated; e += SWG_TICK) {
    const bool rated = e >= m->n_rim;
    const swg_rim_cell c = rated ? f->rated_cell[e - m->n_rim] : f->spread[e];
    double h = NAN, z = NAN, third = NAN;
    if (c.at >= 0) {
      const vec4 s = load4(a->old + c.at);
      h = (double)s.h;
      z = (double)a->bed[c.at];
      third = rated ? along_normal(c.side, s) : a->manning ? (double)a->manning[c.at] : 1.0;
    } else if (!m->others_are_nan) {
      continue;
    }
    for (int k = 0; k < n_said; k++) {
      volatile double *to = m->listed[k] + SWG_LISTED * e;
      to[0] = h;
      to[1] = z;
      to[2] = third;
    }
  }
}

__device__ __forceinline__ rim_of_all rim_listed(const swg_meeting *m) {
  return {m->list, m->n_rim, m->n_rated};
}

/* Which warps ask discharges, and which levels. */
typedef struct asking {
  groups discharges;
  turns levels;
  int first; /* of the latter */
} asking;

__device__ __forceinline__ asking who_asks(const swg_forcing *f) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = first_for_levels(f);
  return {{warp, first}, {(warp - first) * 32 + lane, (REHEARSAL - first) * 32}, first};
}

/* Before forcing is asked, by all warps but the clock's: discharges are weighed; returned is what
 * levels ask for at most. The others go through code that comes later. */
__device__ __forceinline__ float look_ahead(const tick_args *t, const swg_meeting *m,
                                            meeting_room *room) {
  const swg_forcing *f = &t->a.v.forcing;
  const asking w = who_asks(f);
  const int warp = threadIdx.x / 32;
  if (f->n_levels + f->n_spread == 0 || warp == CLOCK) return 0;
  if (warp >= REHEARSAL)
    rehearse(t, warp - REHEARSAL, &room->tick);
  else if (warp >= w.first)
    return levels_at_most(t, w.levels);
  else
    weigh(t, rim_listed(m), w.discharges, f->next, weights(f, &room->tick));
  return 0;
}

/* Ask forcing for speeds. What is asked of a state that is no faster does not count, and need not
 * be exact: `speed` is this part's, or all parts'. at_most: of look_ahead. */
__device__ __forceinline__ void ask(const tick_args *t, const swg_meeting *m, double speed,
                                    float at_most, meeting_room *room) {
  const swg_args *a = &t->a;
  const swg_forcing *f = &a->v.forcing;
  const rim_of_all rim = rim_listed(m);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const asking w = who_asks(f);
  const sw_clock *b = &room->tick.clock;
  double *weight = weights(f, &room->tick);
  if (f->n_levels + f->n_radiating + f->n_spread + f->n_water == 0) {
    if (threadIdx.x == 32 * CLOCK) room->says.along[SWG_SAYS_ASKED] = -1;
    return;
  }
  leader lead = {0, 0};
  if (warp < w.first)
    share_out(t, rim, w.discharges, f->next, weight, &lead);
  else if (warp < REHEARSAL && at_most > (float)speed)
    level_speeds(t, w.levels, &lead);
  if (f->n_radiating > 0 && warp != CLOCK) radiating_speeds(t, &lead);
  if (f->n_water > 0) source_speeds(t, b->t, sw_longest_step(b, &a->v.pace), speed, &lead);
  if (__any_sync(ALL, lead.who != 0)) lead = warp_leader(lead);
  if (lane == 0) room->tick.lead[warp] = lead;
  __syncthreads();
  if (warp != CLOCK) return;
  lead = warp_leader(room->tick.lead[lane]);
  if (lane != 0) return;
  ria_meeting *says = &room->says;
  says->most[SWG_SAYS_ASKED] = __longlong_as_double((long long)lead.speed);
  says->where[SWG_SAYS_ASKED] = 0x7fffffff - (int64_t)(lead.who >> 32);
  says->along[SWG_SAYS_ASKED] =
      lead.who ? (double)((int64_t)(lead.who & 0xffffffffu) - 1 + m->first_cell) : -1.0;
}

/* --- hearing ---------------------------------------------------------------------------------- */

/* By one thread: the step just done, as all parts found it. */
__device__ __forceinline__ void settle(const swg_view *v, const ria_meeting *all, sw_clock *b) {
  if (!b->done) {
    const double speed = all->most[SWG_SAYS_SPEED];
    const bool bad = speed != speed;
    if (!bad) sw_know(b, speed, (int32_t)all->where[SWG_SAYS_PLACE]);
    if (v->pace.stirs) b->eddy = all->most[SWG_SAYS_EDDY];
    sw_settle(b, bad);
  }
  b->done = sw_is_over(b);
}

/* Of the list, as find_lowest. */
__device__ __forceinline__ void find_lowest_of_all(const swg_args *a, const swg_meeting *m) {
  const swg_forcing *f = &a->v.forcing;
  const rim_of_all rim = rim_listed(m);
  for (int k = threadIdx.x; k < f->n_stretch; k += SWG_TICK) {
    swg_spread *s = &f->spreads[k];
    double lowest = 1e300;
    for (int e = s->first; e < s->first + s->n; e++)
      lowest = fmin(lowest, (double)rim.water(a, rim.state(a, &f->spread[e]), e).z);
    s->lowest = lowest;
  }
}

/* By all threads: does a source of water run in the step to come? */
__device__ __forceinline__ bool water_comes(const swg_view *v, const sw_clock *b) {
  return __syncthreads_or(water_runs(&v->forcing, b->t, sw_longest_step(b, &v->pace)));
}

/* By one thread. */
__device__ __forceinline__ void choose(const swg_args *a, const swg_meeting *m,
                                       const ria_meeting *all, bool live, sw_clock *b) {
  const swg_view *v = &a->v;
  const sw_fastest forced =
      sw_forced(all->most[SWG_SAYS_ASKED], (int32_t)all->along[SWG_SAYS_ASKED], live, v->least);
  const double dt = sw_stable_step(b, &v->pace, sw_decisive(b, forced));
  if (take_dt(v, b, dt)) explain_here(v, a->old, m->first_cell, b, forced);
}

/* --- notes ------------------------------------------------------------------------------------ */

/* What a part says as the numbers of a note (post.cuh): the greatest is that of ria_meeting_join.
 * The numbers: the speed and its place, eddies, the speed that forcing asks for and the place of
 * that. */
enum { SWG_NOTED = 5 };

__device__ __forceinline__ unsigned long long bits_of_number(double v) {
  return v != v ? ~0ull : (unsigned long long)__double_as_longlong(v);
}

__device__ __forceinline__ void note_of(const ria_meeting *m, unsigned long long (&v)[SWG_NOTED]) {
  const double place = m->most[SWG_SAYS_PLACE], who = m->along[SWG_SAYS_ASKED];
  const unsigned cell = 0xffffffffu - (unsigned)m->where[SWG_SAYS_PLACE];
  const unsigned long long order = (unsigned)(0x7fffffff - m->where[SWG_SAYS_ASKED]);
  v[0] = bits_of_number(m->most[SWG_SAYS_SPEED]);
  v[1] = place < 0 ? 0 : (unsigned long long)__float_as_uint((float)place) << 32 | cell;
  v[2] = bits_of_number(m->most[SWG_SAYS_EDDY]);
  v[3] = bits_of_number(m->most[SWG_SAYS_ASKED]);
  v[4] = who < 0 ? 0 : order << 32 | (unsigned)(0x7fffffff - (int64_t)who);
}

__device__ __forceinline__ void read_note(const unsigned long long (&v)[SWG_NOTED],
                                          ria_meeting *m) {
  m->most[SWG_SAYS_SPEED] = __longlong_as_double((long long)v[0]);
  m->where[SWG_SAYS_PLACE] = v[1] ? (int64_t)(0xffffffffu - (unsigned)v[1]) : -1;
  m->most[SWG_SAYS_EDDY] = __longlong_as_double((long long)v[2]);
  m->most[SWG_SAYS_ASKED] = __longlong_as_double((long long)v[3]);
  m->along[SWG_SAYS_ASKED] = v[4] ? (double)(0x7fffffff - (int64_t)(unsigned)v[4]) : -1.0;
}

/* By the clock's warp. */
__device__ __forceinline__ void tell_by_note(const swg_meeting *m, meeting_room *room) {
  const int lane = threadIdx.x % 32;
  const unsigned long long number = room->met + 1;
  unsigned long long v[SWG_NOTED];
  note_of(&room->says, v);
  post_tell<SWG_NOTED>(&m->post, number, v, lane);
  __syncwarp();
  if (lane == 0) *m->post.met = room->met = number;
  __syncwarp();
}

/* By the clock's warp: what all said, into room->heard[0]. */
__device__ __forceinline__ bool hear_notes(const swg_meeting *m, meeting_room *room) {
  unsigned long long v[SWG_NOTED];
  const bool all = post_hear<SWG_NOTED, true>(&m->post, room->met, v, threadIdx.x % 32);
  if (threadIdx.x % 32 == 0) read_note(v, &room->heard[0]);
  return all;
}

/* --- a meeting -------------------------------------------------------------------------------- */

/* By the clock's warp: wait for the others, and hear. False: a part is lost, and the run ends. */
__device__ __forceinline__ void hear(const swg_view *v, const swg_meeting *m, const swg_turn *turn,
                                     meeting_room *room) {
  const int lane = threadIdx.x % 32;
  sw_clock *b = &room->tick.clock;
  const unsigned long long begin = post_clock();
  bool all;
  if (m->notes) {
    all = hear_notes(m, room);
  } else {
    all = post_await(&m->post, room->met, lane);
    post_join(turn->heard, m->parts, room->heard, lane);
  }
  if (lane != 0) return;
  if (m->notes) count_wait(v->report, begin);
  if (turn->what & SWG_KNOWS)
    sw_know(b, room->heard->most[SWG_SAYS_SPEED], (int32_t)room->heard->where[SWG_SAYS_PLACE]);
  if (all && (turn->what & SWG_SETTLES)) settle(v, room->heard, b);
  b->done |= !all;
}

/* By the clock's warp; the others have said theirs. */
__device__ __forceinline__ void say(const swg_meeting *m, const swg_turn *turn,
                                    meeting_room *room) {
  if (m->notes) tell_by_note(m, room);
  if (m->notes || threadIdx.x != 32 * CLOCK) return;
  for (int k = 0; k < turn->n_said; k++) post_write(turn->said[k], &room->says);
  if (m->last)
    post_raise(&m->post, ++room->met);
  else
    __threadfence_system();
}

__device__ __forceinline__ void take_turn(const tick_args *t, const swg_meeting *m,
                                          const swg_turn *turn, const ria_span *span,
                                          meeting_room *room) {
  const swg_view *v = &t->a.v;
  sw_clock *b = &room->tick.clock;
  const int what = turn->what;
  const bool keeper = threadIdx.x == 32 * CLOCK, clock = threadIdx.x / 32 == CLOCK;
  if (keeper) {
    room->says = ria_meeting{};
    if (what & SWG_BEGINS) {
      sw_begin_span(b, span);
      v->report->since = post_clock();
      b->done = sw_is_over(b);
    }
  }
  __syncthreads();
  if ((what & SWG_WAITS) && clock) hear(v, m, turn, room);
  if (what & SWG_BEGINS) evaluate(v, b->t, 0.0, b->t);
  const bool at_once = (what & SWG_ASKS) && (what & SWG_TELLS); /* nothing is waited for */
  float at_most = at_once ? look_ahead(t, m, room) : 0;
  if ((what & SWG_TELLS) && clock) tell_found(v, m, &room->says);
  if ((what & SWG_LISTS) && !((what & SWG_STEPPED) && b->done)) tell_rim(&t->a, m, turn->n_said);
  __syncthreads();
  const bool done = b->done;
  __syncthreads(); /* all have read it: `choose` writes it */
  if (what & SWG_KNOWS) find_lowest_of_all(&t->a, m);
  if ((what & SWG_ASKS) && !done) {
    if (!at_once) {
      at_most = look_ahead(t, m, room);
      __syncthreads();
    }
    ask(t, m, at_once ? room->says.most[SWG_SAYS_SPEED] : b->speed, at_most, room);
  }
  if ((what & SWG_CHOOSES) && !done) {
    const bool live = m->lives || (v->forcing.n_water > 0 && water_comes(v, b));
    if (keeper) choose(&t->a, m, room->heard, live, b);
  }
  if (what & SWG_LISTS) __threadfence_system(); /* each thread what it told */
  __syncthreads();
  if (clock && turn->n_said > 0) say(m, turn, room);
}

__global__ void __launch_bounds__(SWG_TICK)
    swg_meet(const __grid_constant__ tick_args t, const __grid_constant__ swg_meeting m,
             const __grid_constant__ ria_span span, cudaGraphConditionalHandle loop, int closes) {
  __shared__ meeting_room room;
  const swg_view *v = &t.a.v;
  const sw_clock *b = &room.tick.clock;
  const bool keeper = threadIdx.x == 32 * CLOCK;
  wait_for_kernel_before_alone();
  if (keeper) {
    room.tick.clock = v->report->clock;
    room.met = m.post.lanes > 1 ? *m.post.met : 0;
  }
  int what = 0;
#pragma unroll 1
  for (int k = 0; k < m.n_turns; k++) {
    take_turn(&t, &m, &m.turn[k], &span, &room);
    what = m.turn[k].what;
  }
  __syncthreads();
  let_next_begin();
  if (keeper) {
    v->report->clock = *b;
    if (m.over) *(volatile int *)m.over = b->done;
    if (closes) cudaGraphSetConditional(loop, !b->done);
  }
  if ((what & SWG_CHOOSES) && !b->done) prepare_step(&t, &room.tick, rim_listed(&m));
}

cudaError_t launch_meet(const swg_view *v, int now, const swg_meeting *m, const ria_span *span,
                        cudaGraphConditionalHandle loop, int closes, cudaStream_t stream) {
  const tick_args t = {swg_args_of(v, now), 1.0 / v->dx, 1.0 / v->dy,
                       sw_constants_f32(v->p.gravity, v->p.dry_depth, v->dx, v->dy)};
  const ria_span none = {};
  cudaLaunchAttribute early = early_launch();
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(SWG_TICK);
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = v->overlap ? 1 : 0;
  return cudaLaunchKernelEx(&config, swg_meet, t, *m, span ? *span : none, loop, closes);
}

} // namespace
