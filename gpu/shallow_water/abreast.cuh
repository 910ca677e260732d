/* abreast.cuh - what a step of a part tells those on other GPUs of its host, for one precision:
 * tiles at a cut store their rows in the neighbour's memory, and where nothing but the flow drives
 * the water (`alone`) the last warp of the step meets those of the other parts. So a step is one
 * kernel, as on a single GPU, and what other warps still do hides the rows.
 *
 * The next step may begin only when that warp has heard. If it began early all of its blocks could
 * be there before, and then nothing else finds room that others may wait for.
 *
 * These are calls: they must not take registers from the march. */

#include "machine/follow.cuh"

namespace {

/* By a warp: the rows that neighbours need of its tile, which it has written. */
__device__ __noinline__ void send_rows_of_tile(const swg_args *a, int tx, int begin, int end,
                                               int lane) {
  const swg_view *v = &a->v;
  const swg_abreast *w = v->abreast;
  const int i = tx * v->columns + lane, state = a->now == (const vec4 *)v->state[1];
  __syncwarp(); /* a lane may send what another has written */
#pragma unroll 1
  for (int side = 0; side < 2; side++) {
    const swg_beside *b = &w->beside[side];
    vec4 *to = (vec4 *)b->state[state];
    const int first = side == 0 ? v->begin : v->end - w->rows;
    const int j1 = min(end, first + w->rows);
    if (!to || lane >= v->columns || i >= v->nx) continue;
#pragma unroll 1
    for (int j = max(begin, first); j < j1; j++) {
      const size_t at = (size_t)j * v->stride + i, there = at + b->shift;
      store4(to + there, load4(a->now + at));
#pragma unroll 1
      for (int m = 1; m < v->nt; m++)
        ((R *)b->more[state])[(m - 1) * b->plane + there] = a->new_more[(m - 1) * v->plane + at];
    }
  }
  __threadfence_system();
}

/* As explain (clock.cuh), of a cell that may be another part's: that one tells of the flow there.
 * `present` begins with the grid's cell first_cell. */
__device__ __forceinline__ void explain_here(const swg_view *v, const vec4 *present,
                                             int32_t first_cell, const sw_clock *b,
                                             sw_fastest forced) {
  sw_reason *why = &v->report->why;
  sw_why(b, &v->pace, forced, why);
  const int64_t cell = (int64_t)why->cell - first_cell, j = cell / v->nx;
  if (why->limit != SW_LIMIT_FLOW || cell < 0 || j >= v->ny) return;
  const volatile vec4 *s = present + (j * v->stride + cell % v->nx);
  sw_flow_there(why, (double)s->h, (double)s->qx, (double)s->qy, v->p.gravity);
}

/* By one thread: it has waited since `begin`. */
__device__ __forceinline__ void count_wait(swg_report *c, unsigned long long begin) {
  const unsigned long long now = post_clock();
  c->waited += now - begin;
  c->spent += now - c->since;
  c->since = now;
}

/* By one thread: the step just done, by the greatest of what all parts found. */
__device__ __forceinline__ void settle_by(const swg_view *v, const unsigned long long *most,
                                          sw_clock *b) {
  const double speed = __longlong_as_double((long long)most[0]);
  const bool bad = speed != speed;
  if (!bad) know(b, most[0], most[1]);
  if (v->pace.stirs) b->eddy = __longlong_as_double((long long)most[2]);
  sw_settle(b, bad);
  b->done = sw_is_over(b);
}

/* As tick_alone, of all parts: by the last warp of the step, which the others of this GPU have
 * left. Of a cell that is told, the grid's number. */
__device__ __noinline__ bool tick_abreast(const swg_args *a, int lane) {
  const swg_view *v = &a->v;
  const swg_abreast *w = v->abreast;
  swg_report *c = v->report;
  sw_clock b = c->clock;
  const unsigned long long met = *w->post.met + 1;
  unsigned long long most[3]; /* the speed, its place (clock.cuh), eddies */
  const int bad = __ldcg(&c->bad);
  most[2] = v->pace.stirs ? __ldcg(&c->eddy) : 0;
  take_found(c, lane, &most[0], &most[1]);
  if (bad) most[0] = ~0ull; /* no number, and greater than all */
  if (most[1]) most[1] -= (unsigned long long)w->first_cell;
  const unsigned long long begin = post_clock();
  post_tell<3>(&w->post, met, most, lane);
  const bool all = post_hear<3, false>(&w->post, met, most, lane);
  let_next_begin();
  if (lane == 0) {
    *w->post.met = met;
    count_wait(c, begin);
    c->eddy = 0;
    if (all) settle_by(v, most, &b);
    b.done |= !all;
    if (!b.done && take_dt(v, &b, sw_stable_step(&b, &v->pace, b.speed)))
      explain_here(v, a->now, w->first_cell, &b, sw_fastest{0.0, -1});
    c->clock = b;
  }
  keep_by(v, __shfl_sync(ALL, b.dt, 0), lane);
  return !b.done;
}

} // namespace
