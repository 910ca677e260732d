/* clock.cuh - the clock of the shallow-water solver on the device, for one precision:
 * how warps tell what they found, what a step leaves to the clock, how the next dt follows.
 *
 * When nothing but the flow drives it, with walls alone around and no sources, the next step
 * follows from the largest speed, and the last warp of a step works it out (tick_alone);
 * else tick.cuh does. */

namespace {

/* --- found by warps --------------------------------------------------------------------------- */

/* The order of speeds, with the first cell of equals in front. */
__device__ __forceinline__ unsigned long long place(R speed, int cell) {
  return (unsigned long long)__float_as_uint(__double2float_rz((double)speed)) << 32 |
         (0xffffffffu - (unsigned)cell);
}
__device__ __forceinline__ unsigned long long bits_of(R speed) {
  return (unsigned long long)__double_as_longlong((double)speed);
}

/* The largest of a warp: the upper halves decide, then the lower ones. */
__device__ __forceinline__ unsigned long long most_of_warp(unsigned long long v) {
  const unsigned upper = (unsigned)(v >> 32), most = __reduce_max_sync(ALL, upper);
  const unsigned lower = __reduce_max_sync(ALL, upper == most ? (unsigned)v : 0);
  return (unsigned long long)most << 32 | lower;
}

/* --- from step to step ------------------------------------------------------------------------ */

/* What warps found: the bits of the largest speed, and its place. */
__device__ __forceinline__ void know(sw_clock *b, unsigned long long speed,
                                     unsigned long long where) {
  sw_know(b, __longlong_as_double((long long)speed),
          where ? (int32_t)(0xffffffffu - (unsigned)where) : -1);
}

/* How strong eddies were in the step; by one thread. */
__device__ __forceinline__ void know_eddies(swg_report *c, sw_clock *b) {
  b->eddy = __longlong_as_double((long long)__ldcg(&c->eddy));
  c->eddy = 0;
}

/* Why the shortest stable step so far is so short. */
__device__ __forceinline__ void explain(const swg_view *v, const vec4 *present, sw_clock b,
                                        sw_fastest forced) {
  sw_reason *why = &v->report->why;
  sw_why(&b, &v->pace, forced, why);
  if (why->limit != SW_LIMIT_FLOW) return;
  const volatile vec4 *s = present + (why->cell / v->nx * v->stride + why->cell % v->nx);
  sw_flow_there(why, (double)s->h, (double)s->qx, (double)s->qy, v->p.gravity);
}

/* The next step, where dt is stable. Is that the shortest so far? Then it is to be explained. */
__device__ __forceinline__ bool take_dt(const swg_view *v, sw_clock *b, double dt) {
  const bool shortest = sw_take_dt(b, &v->pace, dt);
  if (b->failure == SW_SHORT) v->report->short_dt = dt;
  return shortest;
}

/* By a warp: what a step of dt leaves of tracers that decay. */
__device__ __forceinline__ void keep_by(const swg_view *v, double dt, int lane) {
  if (v->decays && lane < v->nt)
    v->report->keep[lane] = v->decay[lane] > 0 ? ria_decay_leaves(v->decay[lane], dt) : 1.0;
}

/* --- alone ------------------------------------------------------------------------------------ */

/* By a warp: what the warps of the step found. Their slots are emptied. */
__device__ __forceinline__ void take_found(swg_report *c, int lane, unsigned long long *most_speed,
                                           unsigned long long *most_where) {
  unsigned long long speed = 0, where = 0;
#pragma unroll
  for (int k = 0; k < SWG_SLOTS; k += 32) {
    const unsigned long long s = __ldcg(&c->found[k + lane]), w = __ldcg(&c->where[k + lane]);
    speed = s > speed ? s : speed;
    where = w > where ? w : where;
  }
#pragma unroll
  for (int k = 0; k < SWG_SLOTS; k += 32) {
    c->found[k + lane] = c->where[k + lane] = 0;
    c->arrived[k + lane] = 0;
  }
  if (lane == 0) c->slots = 0;
  *most_speed = most_of_warp(speed);
  *most_where = most_of_warp(where);
}

/* One warp, after a step to `present`; lane 0 learns whether the span goes on. */
__device__ __forceinline__ bool tick_alone(const swg_view *v, const vec4 *present, int lane) {
  swg_report *c = v->report;
  sw_clock b = c->clock; /* as it was before the step: nobody else writes it */
  const int bad = __ldcg(&c->bad);
  unsigned long long speed, where;
  take_found(c, lane, &speed, &where);
  if (lane == 0) {
    know(&b, speed, where);
    if (v->pace.stirs) know_eddies(c, &b);
    sw_settle(&b, bad);
    b.done = sw_is_over(&b);
    if (!b.done && take_dt(v, &b, sw_stable_step(&b, &v->pace, b.speed)))
      explain(v, present, b, sw_fastest{0.0, -1});
    c->clock = b;
  }
  keep_by(v, __shfl_sync(ALL, b.dt, 0), lane);
  return !b.done;
}

/* All lanes: is this the last warp of the step? What the others wrote is there to be read then.
 * Warps of a large grid count by slots first: at one place they would queue. */
__device__ __forceinline__ bool last_warp(swg_report *c, int tile, int tiles, int lane) {
  int last = 0;
  __syncwarp(); /* what all lanes wrote comes before lane 0's fence */
  if (lane == 0) {
    const int slots = tiles < SWG_FEW ? 1 : SWG_SLOTS, slot = tile % slots;
    const int members = tiles / slots + (slot < tiles % slots);
    __threadfence();
    last = atomicAdd(&c->arrived[slot], 1) == members - 1;
    if (last && slots > 1) {
      __threadfence();
      last = atomicAdd(&c->slots, 1) == slots - 1;
    }
    if (last) __threadfence();
  }
  __syncwarp();
  return __shfl_sync(ALL, last, 0);
}

} // namespace
