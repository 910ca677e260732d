/* clock.cuh - the clock of the shallow-water solver on the device, for one precision:
 * how warps tell what they found, what a step leaves to the clock, how the next dt follows.
 *
 * When nothing but the flow drives it, with walls alone around and no sources, the next step
 * follows from the largest speed, and the last warp of a step sees to it (tick_alone); else
 * tick.cuh does. */

namespace {

/* --- found by warps ----------------------------------------------------------------------------
 */

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

/* --- from step to step ---------------------------------------------------------------------------
 */

/* The speed that forcing asks for, and the cell it does so in; -1 = none. */
typedef struct fastest {
  double speed;
  int32_t cell;
} fastest;

/* The step just done counts, unless it is bad. */
__device__ __forceinline__ void settle(swg_beat *b, int bad) {
  b->failure = bad ? 1 : b->failure;
  b->done |= bad;
  if (bad) return;
  b->steps++;
  b->todo--;
  b->t = b->last ? b->t_stop : b->t + b->dt;
}

__device__ __forceinline__ void know(swg_beat *b, unsigned long long speed,
                                     unsigned long long where) {
  b->speed = __longlong_as_double((long long)speed);
  b->speed_cell = where ? (int32_t)(0xffffffffu - (unsigned)where) : -1;
}

__device__ __forceinline__ bool is_over(const swg_beat *b) {
  return b->done || b->todo <= 0 || !(b->t_stop > b->t);
}

/* Why the shortest stable step so far is so short. */
__device__ __forceinline__ void explain(const swg_view *v, const vec4 *present, swg_beat b,
                                        fastest forced) {
  swg_clock *c = v->clock;
  const bool by_forcing = forced.speed > b.speed && forced.cell >= 0;
  const int32_t cell = by_forcing ? forced.cell : b.speed_cell;
  c->dt_min_t = b.t;
  c->dt_min_cell = cell < 0 ? 0 : cell;
  c->limit = by_forcing ? SW_LIMIT_FORCING : cell < 0 ? SW_LIMIT_OTHER : SW_LIMIT_FLOW;
  if (c->limit != SW_LIMIT_FLOW) return;
  const volatile vec4 *s = present + (cell / v->nx * v->stride + cell % v->nx);
  const double h = (double)s->h;
  c->min_depth = h;
  c->min_speed = h > 0 ? hypot((double)s->qx, (double)s->qy) / h : 0.0;
  c->min_celerity = sqrt(v->p.gravity * h);
}

/* The next step, where dt is stable; done: it is not to be taken now. Is that the shortest so far?
 * Then it is to be explained. */
__device__ __forceinline__ bool take_dt(const swg_view *v, swg_beat *b, double dt) {
  const bool shortest = dt < b->dt_min;
  if (shortest) b->dt_min = dt;
  if (!(dt >= v->p.dt_min) || !(dt > 0)) {
    b->failure = 2;
    v->clock->short_dt = dt;
    b->done = 1;
    return shortest;
  }
  b->dt = ria_landing_step(dt, b->t_stop - b->t, &b->last);
  b->done |= ria_step_reaches(b->t, b->dt, b->last, b->t_stop, b->t_watch);
  return shortest;
}

/* By a warp: what a step of dt leaves of tracers that decay. */
__device__ __forceinline__ void keep_by(const swg_view *v, double dt, int lane) {
  if (v->decays && lane < v->nt)
    v->clock->keep[lane] = v->decay[lane] > 0 ? ria_decay_leaves(v->decay[lane], dt) : 1.0;
}

/* --- alone --------------------------------------------------------------------------------------
 */

/* One warp, after a step to `present`; lane 0 learns whether the span goes on. */
__device__ __forceinline__ bool tick_alone(const swg_view *v, const vec4 *present, int lane) {
  swg_clock *c = v->clock;
  swg_beat b = c->beat; /* as it was before the step: nobody else writes it */
  const int bad = __ldcg(&c->bad);
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
  speed = most_of_warp(speed);
  where = most_of_warp(where);
  if (lane == 0) {
    c->slots = 0;
    know(&b, speed, where);
    settle(&b, bad);
    b.done = is_over(&b);
    if (!b.done && take_dt(v, &b, sw_stable_step(&v->pace, b.speed, b.t_stop - b.t)))
      explain(v, present, b, fastest{0.0, -1});
    c->beat = b;
  }
  keep_by(v, __shfl_sync(ALL, b.dt, 0), lane);
  return !b.done;
}

/* All lanes: is this the last warp of the step? What the others wrote is there to be read then.
 * Warps of a large grid count by slots first: at one place they would queue. */
__device__ __forceinline__ bool last_warp(swg_clock *c, int tile, int tiles, int lane) {
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
