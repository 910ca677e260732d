/* gpu/adi/meet.cuh - what parts of a grid say to each other between two steps and within one, per
 * precision, each by one block. Included after apart.cuh.
 *
 * All lanes hold the same meetings: whether a step is one, and whether a sweep before has failed,
 * is the same for all of them. What a sweep found is told to all: how large the fluxes across may
 * be, and whether it wrote what is no state. */
namespace {
#define R RIA_PRECISION

enum { SAID_LARGEST, SAID_BAD };                           /* of a sweep */
enum { SAID_DEEPEST, SAID_FLOW, SAID_RATE, SAID_HIGHEST }; /* of a look */
static_assert((int)RIA_MEETING >= 4, "the words of a look");

/* By a warp: words go out. */
__device__ __forceinline__ void say_to_all(const adig_meeting &m, const ria_meeting *says) {
  const int lane = threadIdx.x;
  if (says && lane < m.n_said) post_write(m.said[lane], says);
  __threadfence_system();
  __syncwarp();
  if (m.last && lane == 0) post_raise(&m.post, *(volatile unsigned long long *)m.post.met + 1);
  __syncwarp();
}

/* By a warp: until all have said. False: one does not. */
__device__ __forceinline__ bool wait_for_all(const adig_meeting &m) {
  if (m.post.lanes < 2) return true;
  return post_await(&m.post, *(volatile unsigned long long *)m.post.met, threadIdx.x);
}

/* What a sweep found in this part. */
__device__ __forceinline__ ria_meeting found_by_sweep(const adig_meeting &m) {
  ria_meeting says = {};
  const unsigned bits = most_of_lanes(m.fastest[threadIdx.x]);
  says.most[SAID_LARGEST] = (double)__uint_as_float(bits);
  says.most[SAID_BAD] = m.report->bad != 0;
  return says;
}

/* A meeting in a step: of all that was sent, and of what a sweep found. */
__global__ void __launch_bounds__(32) meet(const __grid_constant__ adig_meeting m) {
  __shared__ ria_meeting room[32];
  const int bad = *(volatile int *)&m.report->bad;
  if (!m.step->on || (bad && bad < m.number)) return;
  if (m.what & ADIG_SAYS) {
    const ria_meeting says = m.fastest ? found_by_sweep(m) : ria_meeting{};
    say_to_all(m, m.fastest ? &says : NULL);
  }
  if (!(m.what & ADIG_HEARS) || !wait_for_all(m) || !m.fastest) return;
  post_join(m.heard, m.parts, room, threadIdx.x);
  if (threadIdx.x != 0) return;
  m.fastest[0] = __float_as_uint((float)room->most[SAID_LARGEST]);
  if (room->most[SAID_BAD] > 0) m.report->bad = m.number;
}

/* --- looks ------------------------------------------------------------------------------------ */

/* Is the state to be looked at? As the look itself has it. */
__device__ __forceinline__ bool looked(const adig_report *report, const adi_rules *rules) {
  return !(report->over || report->bad || report->more_parts || report->judged) &&
         adi_look_due(&report->clock, rules, report->clock.steps);
}

/* What the part sees, in the words of all: of equals the first one counts as a whole grid meets
 * them, cells in their order, then what is forced. All threads of a block; on thread 0. */
__device__ ria_meeting seen_here(const adig_tick &t, most_of *room) {
  const ria_gpu_view *v = &t.f.v;
  const adi_clock *c = &t.report->clock;
  const int64_t cells = (int64_t)v->nx * t.rows, nowhere = INT64_MAX;
  const adi_seen seen = see_state(&t, room);
  ria_meeting m = {};
  m.most[SAID_DEEPEST] = seen.deepest;
  m.most[SAID_FLOW] = seen.flow;
  m.most[SAID_RATE] = seen.rate;
  m.most[SAID_HIGHEST] = seen.highest;
  m.where[SAID_FLOW] = seen.flow_cell < 0 ? nowhere : seen.flow_cell;
  m.where[SAID_RATE] = seen.cell < 0 ? nowhere : seen.cell;
  m.where[SAID_HIGHEST] = seen.high_cell < 0 ? nowhere : seen.high_cell;
  m.along[SAID_RATE] = seen.cell;
  if (t.rules.dt > 0) return m;
  const sight outside = look_outside(&t.f, c->t, c->dt_full);
  const most_of rate = most_of_block(room, outside.most[SEES_RATE]);
  const most_of deepest = most_of_block(room, outside.most[SEES_DEEPEST]);
  if (deepest.v > m.most[SAID_DEEPEST]) m.most[SAID_DEEPEST] = deepest.v;
  if (rate.v > m.most[SAID_RATE]) {
    m.most[SAID_RATE] = rate.v;
    m.where[SAID_RATE] = cells + rate.order;
    m.along[SAID_RATE] = rate.cell;
  }
  return m;
}

__device__ __forceinline__ int cell_where(int64_t where) {
  return where == INT64_MAX ? -1 : (int)where;
}

/* What all see, as a look of the whole grid leaves it. */
__device__ __forceinline__ adi_seen seen_by_all(const ria_meeting &all, int64_t cells) {
  adi_seen seen = adi_seen_none();
  seen.deepest = all.most[SAID_DEEPEST];
  seen.flow = all.most[SAID_FLOW];
  seen.flow_cell = cell_where(all.where[SAID_FLOW]);
  seen.rate = all.most[SAID_RATE];
  seen.cell = (int)all.along[SAID_RATE];
  seen.forced = all.where[SAID_RATE] != INT64_MAX && all.where[SAID_RATE] >= cells;
  seen.highest = all.most[SAID_HIGHEST];
  seen.high_cell = cell_where(all.where[SAID_HIGHEST]);
  return seen;
}

/* A meeting about what a look saw: says, or waits, and hearing leaves what all saw in the place of
 * the first block. */
__global__ void __launch_bounds__(TICK, 1)
    meet_seen(const __grid_constant__ adig_tick t, const __grid_constant__ adig_meeting m) {
  __shared__ most_of room[TICK / 32];
  __shared__ ria_meeting words[32];
  if (!looked(t.report, &t.rules)) return;
  if (m.what & ADIG_SAYS) {
    const ria_meeting says = seen_here(t, room);
    if (threadIdx.x == 0) words[0] = says;
    __syncthreads();
    if (threadIdx.x < 32) say_to_all(m, words);
  }
  if ((m.what & ADIG_SAYS) || threadIdx.x >= 32) return;
  if (!wait_for_all(m) || !(m.what & ADIG_HEARS)) return;
  post_join(m.heard, m.parts, words, threadIdx.x);
  if (threadIdx.x == 0) *(adi_seen *)t.seen = seen_by_all(words[0], (int64_t)t.f.v.nx * t.rows);
}

/* --- discharges over cuts --------------------------------------------------------------------- */

/* What the part's cells of discharges hold goes to all lanes. due: before a look; else before the
 * step. */
__global__ void __launch_bounds__(TICK, 1)
    tell_rim(const __grid_constant__ adig_forcing f, const __grid_constant__ adig_meeting m,
             bool due, const __grid_constant__ adi_rules rules) {
  const int bad = m.report->bad;
  if (due ? !looked(m.report, &rules) : !m.step->on || (bad && bad < m.number)) return;
  const adig_rivers *r = &f.rivers;
  for (int e = r->first[ADI_X] + threadIdx.x; e < r->first[ADI_X + 1]; e += TICK) {
    const size_t at = r->cell[e].at;
    if (at == SIZE_MAX || row_of(&f.v, at) < f.begin || row_of(&f.v, at) >= f.end) continue;
    const double level = number(f.level, at), bed = number(f.bed, at),
                 rough = f.manning ? number(f.manning, at) : 1.0;
    for (int to = 0; to < m.n_said; to++) {
      volatile double *v = m.rim[to] + RIM * e;
      v[RIM_LEVEL] = level, v[RIM_BED] = bed, v[RIM_MANNING] = rough;
    }
  }
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x < 32) say_to_all(m, NULL);
}

/* --- launches --------------------------------------------------------------------------------- */

cudaError_t do_meet(const adig_meeting *m, cudaStream_t st) {
  meet<<<1, 32, 0, st>>>(*m);
  return cudaGetLastError();
}
cudaError_t do_meet_seen(const adig_tick *t, const adig_meeting *m, cudaStream_t st) {
  meet_seen<<<1, TICK, 0, st>>>(*t, *m);
  return cudaGetLastError();
}
cudaError_t do_load() { return ria_cuda_load((const void *)meet_seen); }
cudaError_t do_tell_rim(const adig_forcing *f, const adig_meeting *m, bool due,
                        const adi_rules *rules, cudaStream_t st) {
  tell_rim<<<1, TICK, 0, st>>>(*f, *m, due, *rules);
  return cudaGetLastError();
}

#undef R
} // namespace
