/* tick.cuh - between two steps, on the device, by one block: take over the step just
 * done, work out the present forcing, choose dt, apply what sources give.
 *
 * The clock is that of shallow_water_clock_k.h, and so are the formulas. Nothing else runs
 * meanwhile, and each part is a few look-ups that wait for each other; so parts that do not need
 * each other are done side by side, by different warps. The block meets between one phase and the
 * next:
 *
 *   survey    the last warp takes over the step: time, the flow's speed; some weigh the cells of
 *             discharges; two rehearse; the others ask levels for their speeds, in single
 *             precision, a little too high
 *   -- is the span over? --
 *   speeds    the last warp: the stable step at the flow's speed; discharges are shared out and the
 *             speeds that follow asked for; exact speeds of levels that may be faster than the
 *             flow, and of sources of water
 *   choice    the last warp: dt
 *   values    what boundaries and sources give through the step about to begin, and what the moment
 *             at its end needs, a tide by a warp, a series by a thread; wind; decay
 *   weights   where discharges change: their cells weighed for the step
 *   sources   these discharges shared out; what sources give, a thread each cell
 *
 * Levels and discharges of the survey are those of the end of the step just done, which were
 * worked out before it (`next`): the survey waits for nobody. At the end of a span the survey is
 * discarded; the next span does its own.
 *
 * What forcing does in them is in tick_forcing.cuh, with the rules of shared memory, and in
 * tick_sources.cuh. */

namespace {

/* --- the clock -------------------------------------------------------------------------------- */

/* Boundaries act: the domain may be wetted. */
__device__ __forceinline__ bool lives(const swg_forcing *f) {
  return f->n_levels + f->n_radiating + f->n_spread + f->n_rated > 0;
}

/* A speed, and the stable step at it. */
typedef struct paced {
  double speed, dt;
} paced;

/* The largest of what the warps of a step left in their slots, which are emptied. */
__device__ __forceinline__ unsigned long long take_slots(unsigned long long *slots, int lane) {
  static_assert(SWG_SLOTS == 64, "two a lane");
  const unsigned long long one = slots[lane], other = slots[lane + 32];
  slots[lane] = slots[lane + 32] = 0;
  return most_of_warp(max(one, other));
}

/* By the clock's warp: take over what the step (or the survey) found. After a step that did
 * nothing, the span being over, it finds nothing. */
__device__ __forceinline__ void take_over(const swg_view *v, int mode, scratch *room) {
  const int lane = threadIdx.x % 32;
  swg_report *c = v->report;
  sw_clock b = mode == SWG_AFTER_STEP ? c->clock : room->clock;
  const int bad = c->bad;
  const unsigned long long speed = take_slots(c->found, lane), where = take_slots(c->where, lane);
  const bool counts = !b.done;
  if (mode != SWG_BEGIN && !b.done) know(&b, speed, where);
  if (mode == SWG_AFTER_STEP && !b.done) sw_settle(&b, bad);
  b.done = sw_is_over(&b);
  __syncwarp(); /* all have read */
  if (lane == 0) {
    if (v->pace.stirs && mode == SWG_AFTER_STEP && counts) know_eddies(c, &b);
    room->clock = b;
  }
}

/* Of a step that was chosen: the speed that forcing asks for; is it the shortest so far? */
typedef struct chosen {
  sw_fastest forced;
  bool shortest;
} chosen;

/* By the clock's warp, while others still ask for speeds: the stable step at the least speed that
 * there can be. The largest speed often is that one, and then nobody waits for the division. */
__device__ __forceinline__ paced pace_at_least(const swg_view *v, const sw_clock *b) {
  const double speed = lives(&v->forcing) ? fmax(b->speed, v->least) : b->speed;
  return {speed, sw_stable_step(b, &v->pace, speed)};
}

/* By the clock's warp: the step that follows from all speeds. live: does forcing act, so that the
 * domain may be wetted? known: see pace_at_least. Returned on its first lane is who asks for more
 * than the flow, if that is to be explained. */
__device__ __forceinline__ chosen choose_by(const swg_view *v, scratch *room, bool live,
                                            paced known) {
  const leader lead = warp_leader(room->lead[threadIdx.x % 32]);
  chosen c = {{0, -1}, false};
  if (threadIdx.x % 32 != 0) return c;
  sw_clock *b = &room->clock;
  c.forced = sw_forced(__longlong_as_double((long long)lead.speed),
                       (int32_t)(lead.who & 0xffffffffu) - 1, live, v->least);
  const double most = sw_decisive(b, c.forced);
  c.shortest = take_dt(v, b, most == known.speed ? known.dt : sw_stable_step(b, &v->pace, most));
  return c;
}

/* --- the tick --------------------------------------------------------------------------------- */

/* What ticks within a span find done by the tick before. */
__device__ __forceinline__ void begin_span(const swg_args *a, int mode, const scratch *room) {
  const double t = room->clock.t;
  evaluate(&a->v, t, 0.0, t);
  if (mode == SWG_BEGIN_SURVEYED) find_lowest(a);
  __syncthreads();
}

/* Work out for nothing, while others wait for memory, what later phases work out: code that has not
 * run since the last tick takes several times as long. By two warps, each one function. */
__device__ __forceinline__ void rehearse(const tick_args *t, int part, scratch *room) {
  const swg_forcing *f = &t->a.v.forcing;
  double result = 0;
  if (part == 0 && f->n_tides > 0) result = forcing_at(&f->tide[0].forcing, f->tide[0].data, 1.0);
  if (part == 1) {
    rim_state r = {};
    r.c.kind = SIDE_DISCHARGE;
    r.s.h = 1;
    result = rim_speed(t, &r, 1.0, 0.0);
  }
  if (threadIdx.x % 32 == 0) *(volatile double *)&room->rehearsed[part] = result;
}

/* The first warp that works out levels; those before it have discharges. */
__device__ __forceinline__ int first_for_levels(const swg_forcing *f) {
  return min(f->n_spread / 32, f->n_levels > 0 ? REHEARSAL / 2 : (int)REHEARSAL);
}

/* From the step just done (or the beginning of a span) to the next dt, or the end of the span. The
 * present state is a.old. */
__device__ __forceinline__ void choose_step(const tick_args *t, int mode, scratch *room) {
  const swg_args *a = &t->a;
  const swg_forcing *f = &a->v.forcing;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = first_for_levels(f);
  const groups discharges = {warp, first};
  const turns levels = {(warp - first) * 32 + lane, (REHEARSAL - first) * 32};
  sw_clock *b = &room->clock;

  float at_most = 0;
  if (warp == CLOCK)
    take_over(&a->v, mode, room);
  else if (warp < first)
    weigh(t, rim_here{}, discharges, f->next, weights(f, room));
  else if (warp < REHEARSAL)
    at_most = levels_at_most(t, levels);
  else
    rehearse(t, warp - REHEARSAL, room);
  __syncthreads();
  if (b->done) return;

  int live = lives(f);
  leader lead = {0, 0};
  paced known = {0, 0};
  if (warp == CLOCK)
    known = pace_at_least(&a->v, b);
  else if (warp < first)
    share_out(t, rim_here{}, discharges, f->next, weights(f, room), &lead);
  else if (warp < REHEARSAL && at_most > (float)b->speed)
    level_speeds(t, levels, &lead);
  if (f->n_radiating > 0 && warp != CLOCK) radiating_speeds(t, &lead);
  if (f->n_water > 0) {
    const double dt = sw_longest_step(b, &a->v.pace);
    source_speeds(t, b->t, dt, b->speed, &lead);
    live |= water_runs(f, b->t, dt);
  }
  if (__any_sync(ALL, lead.who != 0)) lead = warp_leader(lead);
  if (lane == 0) room->lead[warp] = lead;
  live = __syncthreads_or(live);

  chosen c = {{0, -1}, false};
  if (warp == CLOCK) c = choose_by(&a->v, room, live, known);
  __syncthreads();
  if (c.shortest) explain(&a->v, a->old, *b, c.forced); /* the others need not wait */
}

/* What acts in the step that was chosen. rim: where cells of discharges and ratings are looked up.
 */
template <class RIM>
__device__ __forceinline__ void prepare_step(const tick_args *t, scratch *room, const RIM &rim) {
  const swg_view *v = &t->a.v;
  const swg_forcing *f = &v->forcing;
  const sw_clock b = room->clock;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const groups all = {warp, TICK_WARPS};
  if (warp == CLOCK) keep_by(v, b.dt, lane);
  if (warp == WIND && v->gusts) set_wind(v, b.t + 0.5 * b.dt);
  evaluate(v, b.t, b.dt, sw_step_end(&b));
  if (f->n_rated > 0) find_ratings(t, rim);
  __syncthreads();
  if (f->discharges_vary) {
    weigh(t, rim, all, f->value, weights(f, room));
    __syncthreads();
    share_out(t, rim, all, f->value, weights(f, room), NULL);
  }
  if (f->n_sources > 0) apply_sources(&t->a, b.t, b.dt, room);
}

__global__ void __launch_bounds__(SWG_TICK)
    swg_tick(const __grid_constant__ tick_args t, int mode, const __grid_constant__ ria_span span,
             cudaGraphConditionalHandle loop, int closes) {
  __shared__ scratch room;
  swg_report *report = t.a.v.report;
  const bool keeper = threadIdx.x == 32 * CLOCK; /* reads and writes the clock */
  if (mode != SWG_AFTER_STEP) {
    if (keeper) {
      room.clock = report->clock;
      sw_begin_span(&room.clock, &span);
    }
    __syncthreads();
    begin_span(&t.a, mode, &room);
  }
  choose_step(&t, mode, &room);
  if (keeper) {
    report->clock = room.clock;
    if (closes) cudaGraphSetConditional(loop, !room.clock.done);
  }
  if (!room.clock.done) prepare_step(&t, &room, rim_here{});
}

cudaError_t launch_tick(const swg_view *v, int now, int mode, const ria_span *span,
                        cudaGraphConditionalHandle loop, int closes, cudaStream_t stream) {
  const tick_args t = {swg_args_of(v, now), 1.0 / v->dx, 1.0 / v->dy,
                       sw_constants_f32(v->p.gravity, v->p.dry_depth, v->dx, v->dy)};
  const ria_span none = {};
  swg_tick<<<1, SWG_TICK, 0, stream>>>(t, mode, span ? *span : none, loop, closes);
  return cudaGetLastError();
}

} // namespace
