/* abreast.cuh - what a pass of a part does for those on other GPUs of its host, for one precision:
 * its strips at cuts store their rows in the neighbour's memory, and the last warp of the pass,
 * which the others have left, waits until all parts have told that theirs are stored: all, not the
 * neighbours alone, so that nothing is under way when a span ends and memory may go. What other
 * tiles do meanwhile hides the rows, and no kernel stands between two passes.
 *
 * A neighbour's strips alone use what is stored there, as its ghost rows of the state before (the
 * tile beside may load two rows ahead, and drops them), and it tells when they are through: so one
 * number a pass says that rows have come, and that those of the next pass may. Included by
 * pass.cuh.
 *
 * These are calls: they must not take registers from the march. */

enum { SENT = 4 /* rows at a time */ };

/* A lane's numbers of a row of the state after; away: where a neighbour has them. */
__device__ __forceinline__ int4 *vector_at(const dfg_view *a, int i0, int j, ptrdiff_t away) {
  return (int4 *)((R *)a->next + ria_gpu_at(&a->v, i0, j) + away);
}

/* By a warp: rows that it has written, to the neighbour on a side. The last one of the pass tells
 * that all are there. */
__device__ __noinline__ void hand_on(const dfg_view *a, const dfg_abreast *b, const place *w,
                                     int side) {
  const ptrdiff_t away = b->away[side];
  if (!away) return;
  const int first = side ? a->end - b->rows : a->begin;
  const int j0 = max(w->j0, first), j1 = min(w->j1, first + b->rows);
  for (int j = j0; w->mine && j < j1; j += SENT) {
    int4 row[SENT]; /* V numbers each, which this thread has written */
#pragma unroll
    for (int k = 0; k < SENT; k++)
      if (j + k < j1) row[k] = *vector_at(a, w->i0, j + k, 0);
#pragma unroll
    for (int k = 0; k < SENT; k++)
      if (j + k < j1) *vector_at(a, w->i0, j + k, away) = row[k];
  }
  __threadfence_system();
  __syncwarp();
  if (threadIdx.x % 32 != 0) return;
  __threadfence();
  const int strips = ((b->away[0] != 0) + (b->away[1] != 0)) * a->tiles.across;
  if (atomicAdd(&b->done[0], 1u) + 1 == (unsigned)strips) {
    __threadfence();
    post_raise(&b->post, *(volatile unsigned long long *)b->post.met + 1);
  }
}

/* By a warp whose tile is done. */
__device__ __noinline__ void leave(const dfg_view *a, const dfg_abreast *b) {
  const int lane = threadIdx.x % 32;
  unsigned before = 0;
  __syncwarp();
  if (lane == 0) {
    __threadfence(); /* the meeting that it may have told of */
    before = atomicAdd(&b->done[1], 1u);
  }
  if (__shfl_sync(0xffffffffu, before, 0) + 1 < (unsigned)a->tiles.n) return;
  __threadfence();
  post_await(&b->post, *(volatile unsigned long long *)b->post.met, lane);
  if (lane < 2) b->done[lane] = 0;
  __threadfence_system();
}
