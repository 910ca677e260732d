/* gpu/machine/post.cuh - words of parts of a grid between GPUs of one host, from kernel to kernel:
 * what a kernel between two steps is given, and how it waits.
 *
 * The parts on one GPU step in one stream, a lane: among them order is enough. Of other lanes a
 * kernel has to wait: they write into its memory what they say, fence, and raise the number of the
 * meeting at their place. All lanes hold the same meetings, so a number is enough, and what was
 * said is kept twice: nobody says the next but one before all have heard.
 *
 * A kernel that waits is one block, behind all that its lane sends; or it is the last warp of a
 * step, whose other warps have ended. It gives up after `patience` or when another has.
 *
 * A note is short: some maxima, without a flag. Each of its words of 8 bytes carries half a number
 * and the number of the meeting, so who finds that has the half number too. */
#ifndef RIA_GPU_POST_CUH
#define RIA_GPU_POST_CUH
#include <ria/solver.h>

#include <stddef.h>

enum { RIA_GPU_LANES = 16 };
/* Words before the notes to a lane: flags, and the one that says that a process gave up. */
enum { RIA_GPU_FLAGS = 2 * RIA_GPU_LANES };
enum { RIA_GPU_NOTE = 16 }; /* words of a note: two for each number */
/* In `lost`: the host could not queue what others wait for; that of another process could not. */
enum { RIA_GPU_BROKEN = -1, RIA_GPU_BROKEN_THERE = -2 };

typedef struct ria_gpu_post {
  int lanes, me;
  unsigned long long *met; /* this lane's meetings so far */
  /* [lanes] meetings of each, as they told this one; behind [RIA_GPU_LANES]: a process gave up */
  unsigned long long *flag;
  unsigned long long *theirs[RIA_GPU_LANES]; /* this lane's place among their flags */
  /* [2][RIA_GPU_LANES][RIA_GPU_NOTE] notes by the parity of the meeting: to this one; theirs, from
   * this lane's place on. */
  unsigned long long *note, *their_note[RIA_GPU_LANES];
  int *lost;                   /* of the host: 1 + the lane that did not answer; 0: all do */
  unsigned long long patience; /* ns */
} ria_gpu_post;

#ifdef __CUDACC__

/* What other GPUs or the host have written. */
static __device__ __forceinline__ unsigned long long post_look(const unsigned long long *flag) {
  unsigned long long v;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(v) : "l"(flag) : "memory");
  return v;
}

static __device__ __forceinline__ unsigned long long post_clock() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

/* By one thread, behind fences of all who stored what the meeting tells of. number: of the meeting,
 * one more than *met. */
static __device__ __forceinline__ void post_raise(const ria_gpu_post *p,
                                                  unsigned long long number) {
  if (p->lanes < 2) return;
  *p->met = number;
  __threadfence_system();
  for (int k = 0; k < p->lanes; k++)
    if (k != p->me)
      asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(p->theirs[k]), "l"(number)
                   : "memory");
}

/* One that waits since `begin` for a lane: has it, or another one, given up? */
static __device__ __forceinline__ bool post_gives_up(const ria_gpu_post *p,
                                                     unsigned long long begin, int lane) {
  volatile int *lost = p->lost;
  if (post_look(&p->flag[RIA_GPU_LANES]) && !*lost) *lost = RIA_GPU_BROKEN_THERE;
  if (post_clock() - begin > p->patience && !*lost) *lost = 1 + lane;
  return *lost != 0;
}

/* By a warp: until all lanes have told of the meeting that this one has told of, *met. False: one
 * does not. */
static __device__ __forceinline__ bool post_await(const ria_gpu_post *p, unsigned long long number,
                                                  int lane) {
  if (p->lanes < 2) return true;
  const unsigned long long begin = post_clock();
  bool there = lane >= p->lanes || lane == p->me, gives_up = false;
  for (int turn = 0; !__all_sync(0xffffffffu, there); turn++) {
    if (!there) there = post_look(&p->flag[lane]) >= number;
    if (there || turn % 64 != 63) continue;
    there = gives_up = post_gives_up(p, begin, lane);
  }
  const bool all = !__any_sync(0xffffffffu, gives_up);
  __syncwarp(); /* each acquired one flag: what it told of is there for all */
  return all;
}

/* Where the words of a note are, by the parity of its meeting. */
static __device__ __forceinline__ size_t post_note_at(unsigned long long number, int word) {
  return number % 2 * RIA_GPU_LANES * RIA_GPU_NOTE + (size_t)word;
}

/* A note of N numbers without sign goes out to all lanes, this one too, by a warp whose lanes have
 * the same. A peer that has read the note also finds all that this lane wrote and fenced before. */
template <int N>
static __device__ __forceinline__ void post_tell(const ria_gpu_post *p, unsigned long long number,
                                                 const unsigned long long (&v)[N], int lane) {
  static_assert(2 * N <= RIA_GPU_NOTE, "the numbers of a note");
  const int word = lane % RIA_GPU_NOTE, sides = 32 / RIA_GPU_NOTE;
  unsigned long long own = v[0];
#pragma unroll
  for (int k = 1; k < N; k++) own = word / 2 == k ? v[k] : own;
  const unsigned half = word % 2 ? (unsigned)(own >> 32) : (unsigned)own;
  asm volatile("fence.acq_rel.sys;" ::: "memory");
  for (int k = lane / RIA_GPU_NOTE; k < p->lanes; k += sides)
    if (word < 2 * N)
      asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(p->their_note[k] +
                                                               post_note_at(number, word)),
                   "l"(number << 32 | half)
                   : "memory");
}

/* By a warp: the greatest that a lane told, number by number; PAIRED: of the last two the first
 * decides, the second among equals. False: a lane does not answer. */
template <int N, bool PAIRED>
static __device__ __forceinline__ bool post_hear(const ria_gpu_post *p, unsigned long long number,
                                                 unsigned long long (&v)[N], int lane) {
  const int word = lane % RIA_GPU_NOTE, sides = 32 / RIA_GPU_NOTE;
  const unsigned long long begin = post_clock();
  bool gives_up = false;
#pragma unroll
  for (int m = 0; m < N; m++) v[m] = 0;
  for (int first = 0; first < p->lanes; first += sides) {
    const int from = first + lane / RIA_GPU_NOTE;
    const bool waits = from < p->lanes && word < 2 * N;
    unsigned long long w = 0;
    for (int turn = 0; waits && !gives_up; turn++) {
      w = post_look(p->note + post_note_at(number, word) + (size_t)from * RIA_GPU_NOTE);
      if ((unsigned)(w >> 32) == (unsigned)number) break;
      gives_up = turn % 64 == 63 && post_gives_up(p, begin, from);
    }
    __syncwarp();
    const unsigned half = (unsigned)w;
    for (int k = first; k < first + sides && k < p->lanes; k++) {
      unsigned long long one[N];
#pragma unroll
      for (int m = 0; m < N; m++) {
        const int at = (k - first) * RIA_GPU_NOTE + 2 * m;
        const unsigned low = __shfl_sync(0xffffffffu, half, at);
        one[m] = (unsigned long long)__shfl_sync(0xffffffffu, half, at + 1) << 32 | low;
      }
      const int pair = PAIRED ? N - 2 : N;
#pragma unroll
      for (int m = 0; m < pair; m++) v[m] = one[m] > v[m] ? one[m] : v[m];
      if (!PAIRED) continue;
      const bool wins = one[N - 2] > v[N - 2] || (one[N - 2] == v[N - 2] && one[N - 1] > v[N - 1]);
      v[N - 2] = wins ? one[N - 2] : v[N - 2];
      v[N - 1] = wins ? one[N - 1] : v[N - 1];
    }
  }
  return !__any_sync(0xffffffffu, gives_up); /* each acquired what a lane told of */
}

/* What travels of a ria_meeting: its words. */
enum { POST_WORDS = offsetof(ria_meeting, list) / 8 };

/* What one part said, wherever it lies. */
static __device__ __forceinline__ ria_meeting post_read(const ria_meeting *from) {
  union {
    unsigned long long word[POST_WORDS];
    ria_meeting m;
  } u;
  u.m = ria_meeting{};
  const volatile unsigned long long *w = (const volatile unsigned long long *)from;
#pragma unroll
  for (int k = 0; k < POST_WORDS; k++) u.word[k] = w[k];
  return u.m;
}

static __device__ __forceinline__ void post_write(ria_meeting *to, const ria_meeting *m) {
  const unsigned long long *from = (const unsigned long long *)m;
  volatile unsigned long long *w = (volatile unsigned long long *)to;
#pragma unroll
  for (int k = 0; k < POST_WORDS; k++) w[k] = from[k];
}

/* By a warp: what n parts said, joined, in room[0]; room[32], shared. */
static __device__ __forceinline__ void post_join(const ria_meeting *said, int n, ria_meeting *room,
                                                 int lane) {
  if (lane < n) {
    ria_meeting m = post_read(said + lane);
    for (int k = lane + 32; k < n; k += 32) {
      const ria_meeting one = post_read(said + k);
      ria_meeting_join(&m, &one);
    }
    room[lane] = m;
  }
  __syncwarp();
  for (int k = 1; lane == 0 && k < n && k < 32; k++) ria_meeting_join(&room[0], &room[k]);
  __syncwarp();
}

#endif
#endif
