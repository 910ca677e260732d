/* gpu/sediment/meet.cuh - between two passes of parts of a grid that step together, for
 * RIA_PRECISION: what tick.cuh does, by what all parts found. One block. Included after tick.cuh.
 *
 * Parts have one meeting a pass: each says what it found, rows of the new state having gone to the
 * neighbours before. Then each goes on by its own clock, so a step that was too long for one of
 * them is done again by all. What comes from sides and sources to rows of neighbours is brought
 * here too, once these rows have come. For that the state before is looked at, whose rows a
 * neighbour fills in the next pass: so lanes tell when they are done, and rows are sent after that
 * alone. Where passes send them the meeting ends when all are done, or at once where nothing comes
 * from sides and sources. */
namespace {

typedef struct meeting_room {
  sed_clock clock;
  ria_meeting heard[32];
  double sums[SEDG_TICK / 32];
  bool lost; /* another lane does not answer */
} meeting_room;

/* By a warp. Returns the number of the meeting. */
__device__ __forceinline__ unsigned long long say(const sedg_args &a, const sedg_meeting &m,
                                                  unsigned long long met) {
  const sedg_report *report = a.report;
  const int lane = threadIdx.x;
  ria_meeting says = {};
  says.most[0] = __longlong_as_double((long long)report->pull);
  says.most[1] = report->bad != 0;
  if (lane < m.n_said) post_write(m.said[lane], &says);
  __threadfence_system();
  __syncwarp();
  if (!m.last) return met;
  if (lane == 0) post_raise(&m.post, met + 1);
  return met + 1;
}

/* By one thread: the clock goes on by what all found. Without the words of one the span ends. */
__device__ __forceinline__ void settle(const sedg_args &a, bool there, double pull, bool bad,
                                       meeting_room *room) {
  sed_clock *clock = &room->clock;
  *clock = a.report->clock;
  room->lost = !there;
  if (there) {
    tick(a, clock, pull, bad);
    return;
  }
  clock->over = 1;
  clock->done_dt = 0;
  a.report->clock = *clock;
}

/* By the first warp: the words of all. */
__device__ __forceinline__ void hear(const sedg_args &a, const sedg_meeting &m,
                                     unsigned long long met, meeting_room *room) {
  const bool there = post_await(&m.post, met, threadIdx.x);
  post_join(m.heard, m.parts, room->heard, threadIdx.x);
  if (threadIdx.x == 0) settle(a, there, room->heard->most[0], room->heard->most[1] > 0, room);
}

/* By the first warp of a part that has a lane of its own: both by notes (machine/post.cuh). A pull
 * is no less than 0, so its bits are in the order of pulls. */
__device__ __forceinline__ unsigned long long
swap_notes(const sedg_args &a, const sedg_meeting &m, unsigned long long met, meeting_room *room) {
  unsigned long long most[2] = {a.report->pull, a.report->bad != 0};
  post_tell<2>(&m.post, met + 1, most, threadIdx.x);
  const bool there = post_hear<2, false>(&m.post, met + 1, most, threadIdx.x);
  if (threadIdx.x != 0) return met + 1;
  *m.post.met = met + 1;
  settle(a, there, __longlong_as_double((long long)most[0]), most[1] > 0, room);
  return met + 1;
}

__global__ void __launch_bounds__(SEDG_TICK)
    sedg_meet(const __grid_constant__ sedg_args a, const __grid_constant__ sedg_meeting m,
              cudaGraphConditionalHandle loop, int closes) {
  __shared__ meeting_room room;
  const bool first = threadIdx.x < 32, keeper = threadIdx.x == 0;
  wait_for_kernel_before_alone();
  if (a.report->clock.over) {
    if (keeper && closes) cudaGraphSetConditional(loop, 0);
    return;
  }
  unsigned long long met = m.post.lanes > 1 ? *(volatile unsigned long long *)m.post.met : 0;
  __syncthreads(); /* all have read these */
  if (first && m.what == SEDG_SWAPS) met = swap_notes(a, m, met, &room);
  if (first && (m.what & SEDG_SAYS)) met = say(a, m, met);
  if (first && m.what == SEDG_AWAITS) post_await(&m.post, met, threadIdx.x);
  if (!(m.what & (SEDG_HEARS | SEDG_SWAPS))) return;
  if (first && m.what != SEDG_SWAPS) hear(a, m, met, &room);
  __syncthreads();
  bring(a, room.clock, room.sums);
  __syncthreads(); /* the state before is done with */
  if (keeper && m.done && m.last && !room.lost) post_raise(&m.post, met + 1);
  if (first && m.done == SEDG_HEARD && !room.lost) {
    __syncwarp();
    post_await(&m.post, met + 1, threadIdx.x);
  }
  __syncthreads();
  let_next_begin();
  if (keeper && closes) cudaGraphSetConditional(loop, !room.clock.over);
}

cudaError_t queue_meet(const sedg_args *a, const sedg_meeting *m, cudaGraphConditionalHandle loop,
                       int closes, cudaStream_t stream) {
  return launch_early(a, 1, SEDG_TICK, stream, sedg_meet, *a, *m, loop, closes);
}

} // namespace
