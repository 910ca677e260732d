/* gpu/machine/post.cuh - words of parts of a grid between GPUs of one process, from kernel to
 * kernel: what a kernel between two steps is given, and how it waits.
 *
 * The parts on one GPU step in one stream, a lane: among them order is enough. Of other lanes a
 * kernel has to wait: they write into its memory what they say, fence, and raise the number of the
 * meeting at their place. All lanes hold the same meetings, so a number is enough, and what was
 * said is kept twice: nobody says the next but one before all have heard.
 *
 * A kernel that waits is one block, behind all that its lane sends; it gives up after `patience` or
 * when another has. */
#ifndef RIA_GPU_POST_CUH
#define RIA_GPU_POST_CUH
#include <ria/solver.h>

#include <stddef.h>

enum { RIA_GPU_LANES = 16 };
/* In `lost`: the host could not queue what others wait for. */
enum { RIA_GPU_BROKEN = -1 };

typedef struct ria_gpu_post {
  int lanes, me;
  unsigned long long *met;                   /* this lane's meetings so far */
  unsigned long long *flag;                  /* [lanes] meetings of each, as they told this one */
  unsigned long long *theirs[RIA_GPU_LANES]; /* this lane's place among their flags */
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

/* By one thread of the last kernel of a lane that says: all that its lane sent is there. number: of
 * the meeting, one more than *met. */
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
    if (post_clock() - begin > p->patience && !*(volatile int *)p->lost)
      *(volatile int *)p->lost = 1 + lane;
    gives_up = *(volatile int *)p->lost != 0;
    there = gives_up;
  }
  const bool all = !__any_sync(0xffffffffu, gives_up);
  __syncwarp(); /* each acquired one flag: what it told of is there for all */
  return all;
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
