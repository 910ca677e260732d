/* gpu/sediment/tick.cuh - between two passes, for RIA_PRECISION: the clock, what boundaries and
 * sources bring, releases. One block. Included after pass.cuh. */
namespace {

__device__ __forceinline__ sed_cell cell_at(const sedg_args &a, int state, size_t at) {
  const sed_cell c = {(double)((const R *)a.h[state])[at], (double)((const R *)a.s[state])[at]};
  return c;
}

/* Change a cell by what comes; sand and mud become what came. before: the state that the step began
 * with. Returns by how much more went down. */
__device__ double take(const sedg_args &a, int now, int before, int i, int j, double *sand,
                       double *mud) {
  const size_t at = ria_gpu_at(&a.v, i, j);
  const sed_cell had = cell_at(a, now, at), old = cell_at(a, before, at);
  sed_cell c = had;
  sed_take(&old, &c, a.pace.layer, sand, mud);
  put(a.v, (R *)a.h[now], i, j, (R)c.h);
  put(a.v, (R *)a.s[now], i, j, (R)c.s);
  if (j < a.begin || j >= a.end) return 0; /* the neighbour's to tell */
  return (double)(R)c.s * ((double)(R)c.h - old.h) - had.s * (had.h - old.h);
}

__device__ void leave(const sedg_args &a, int now, int which, int i, int j, double dt, double *sand,
                      double *mud) {
  const ria_gpu_view &v = a.v;
  const size_t at = ria_gpu_at(&v, i, j);
  const sed_cell c = cell_at(a, 1 - now, at);
  const int inwards = ria_side_inwards(v.nx, v.ny, (int)v.stride, which);
  const double inner = (double)((const R *)a.h[1 - now])[(ptrdiff_t)at + inwards];
  const double below = (a.sea - c.h) * a.per_base;
  const double al = (double)((const R *)a.alpha)[at] * sed_above_water(below, a.less_a);
  const double be = (double)((const R *)a.beta)[at] * sed_above_water(below, a.less_b);
  sed_over_open_side(&c, inner, al / a.c_sand, be / a.c_mud, ria_side_along_x(which) ? v.dx : v.dy,
                     dt, sand, mud);
}

/* All cells of a side, by all threads; returns what went down. */
__device__ double bring_side(const sedg_args &a, int now, int which, double t, double dt) {
  const ria_gpu_view &v = a.v;
  const int n = a.side[which];
  const double area = v.dx * v.dy;
  double strata = 0;
  for (int k = threadIdx.x; k < n; k += SEDG_TICK) {
    const int owner = v.owner[v.first[which] + k];
    const ria_stretch *b = &v.stretch[owner];
    if (b->kind == SED_CLOSED) continue;
    int i, j;
    ria_side_cell_of(v.nx, v.ny, which, k, &i, &j);
    double amount[SED_QUANTITIES];
    if (b->kind == SED_OPEN)
      leave(a, now, which, i, j, dt, &amount[SED_SAND], &amount[SED_MUD]);
    else
      for (int q = 0; q < SED_QUANTITIES; q++)
        amount[q] =
            ria_forcing_at(&v.table, b->value[q], t + 0.5 * dt) * dt / (area * a.cells_of[owner]);
    strata += take(a, now, 1 - now, i, j, &amount[SED_SAND], &amount[SED_MUD]);
    for (int q = 0; q < SED_QUANTITIES; q++) ria_gpu_cross(&v, which, k, q, amount[q] * area);
  }
  return strata;
}

/* All cells of a source. Its own amounts are summed by the block's sum, always alike. */
__device__ double bring_source(const sedg_args &a, int now, const ria_gpu_source *q, double t,
                               double dt, double *room) {
  const ria_gpu_view &v = a.v;
  const double area = v.dx * v.dy;
  const double all = ria_source_amount(&v.table, q->rate, q->t_start, q->t_stop, t, dt) / area;
  double strata = 0, came = 0;
  for (int k = threadIdx.x; k < q->n; k += SEDG_TICK) {
    const int cell = v.source_cell[q->first + k];
    if (cell < 0) continue; /* another part's */
    const int row = cell / v.nx;
    double amount[SED_QUANTITIES] = {0, 0};
    amount[q->quantity] = all * v.source_weight[q->first + k];
    strata += take(a, now, 1 - now, cell % v.nx, row, &amount[SED_SAND], &amount[SED_MUD]);
    if (row >= a.begin && row < a.end) came += amount[q->quantity] * area;
  }
  came = sum_block(came, room);
  if (threadIdx.x == 0) v.added[q->quantity] += came;
  return strata;
}

/* By one thread: the clock goes on by what a pass found. */
__device__ __forceinline__ void tick(const sedg_args &a, sed_clock *clock, double pull, int bad) {
  sedg_report *report = a.report;
  sed_tick(clock, &a.pace, pull, bad);
  report->clock = *clock;
  report->held = clock->done_dt > 0;
  report->pull = 0;
  report->bad = 0;
}

/* What sides and sources brought in the step that was done, if one was. */
__device__ __forceinline__ void bring(const sedg_args &a, const sed_clock &clock, double *room) {
  if (!(clock.done_dt > 0) || !a.forced) return;
  const double t = clock.done_t, dt = clock.done_dt;
  double strata = 0;
  for (int which = 0; which < RIA_SIDES; which++) {
    strata += bring_side(a, clock.now, which, t, dt);
    __syncthreads(); /* corners have two sides */
  }
  for (int k = 0; k < a.v.n_sources; k++)
    strata += bring_source(a, clock.now, &a.v.source[k], t, dt, room);
  strata = sum_block(strata, room);
  if (threadIdx.x == 0) a.report->strata += strata;
}

__global__ void __launch_bounds__(SEDG_TICK)
    sedg_tick(const __grid_constant__ sedg_args a, cudaGraphConditionalHandle loop, int closes) {
  __shared__ sed_clock clock;
  __shared__ double room[SEDG_TICK / 32];
  sedg_report *report = a.report;
  wait_for_kernel_before();
  if (threadIdx.x == 0) {
    clock = report->clock;
    if (!clock.over)
      tick(a, &clock, __longlong_as_double((long long)report->pull), report->bad);
    else
      clock.done_dt = 0;
    if (closes) cudaGraphSetConditional(loop, !clock.over);
  }
  __syncthreads();
  bring(a, clock, room);
}

/* One block: the cells of a release are few. */
__global__ void __launch_bounds__(SEDG_TICK)
    add_cells(const __grid_constant__ sedg_args a, int now, int quantity, int n,
              const int32_t *cell, const double *amount) {
  __shared__ double room[SEDG_TICK / 32];
  double strata = 0;
  for (int k = threadIdx.x; k < n; k += SEDG_TICK) {
    double come[SED_QUANTITIES] = {0, 0};
    come[quantity] = amount[k] / (a.v.dx * a.v.dy);
    strata +=
        take(a, now, now, cell[k] % a.v.nx, cell[k] / a.v.nx, &come[SED_SAND], &come[SED_MUD]);
  }
  strata = sum_block(strata, room);
  if (threadIdx.x == 0) a.report->strata += strata;
}

/* --- queueing --------------------------------------------------------------------------------- */

cudaError_t queue_tick(const sedg_args *a, cudaGraphConditionalHandle loop, int closes,
                       cudaStream_t stream) {
  return launch_early(a, 1, SEDG_TICK, stream, sedg_tick, *a, loop, closes);
}

cudaError_t queue_add(const sedg_args *a, int now, int quantity, int n, const int32_t *cell,
                      const double *amount, cudaStream_t stream) {
  add_cells<<<1, SEDG_TICK, 0, stream>>>(*a, now, quantity, n, cell, amount);
  return cudaGetLastError();
}

} // namespace
