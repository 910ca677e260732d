/* order.cuh - in which order the blocks of a step begin on the device, for one
 * precision: chosen once a span, by where the water is. */

namespace {

/* Threads; loads of a block: so many tiles, and those that are not to be begun last. */
enum { SWG_ARRANGE = 1024, SWG_FIRST = SWG_WARPS + 1, SWG_LOADS };

/* How many tiles from `tile` on will be stepped: forcing acts there, or they or one beside them
 * hold water. */
__device__ __forceinline__ int count_active(const swg_args &a, int tile, int end) {
  int n = 0;
  for (; tile < end; tile++) {
    const int tx = tile % a.v.tiles_x, ty = tile / a.v.tiles_x;
    bool active = a.v.always[tile];
    for (int y = max(ty - 1, 0); y <= min(ty + 1, a.v.tiles_y - 1); y++)
      for (int x = max(tx - 1, 0); x <= min(tx + 1, a.v.tiles_x - 1); x++)
        active |= a.wet_old[y * a.v.tiles_x + x];
    n += active;
  }
  return n;
}

/* Blocks with active tiles in front, those of equal load in the order in which they lie (neighbours
 * find in the cache what they share); dry ones fill in at the end. Where all that
 * are active begin at once, those with more active tiles come before those with fewer: they are
 * dealt out to the multiprocessors as they come, and each gets as many. Where they begin one after
 * another that would leave tall tiles for the end, as long as any; there come before all others
 * those in the north whose rows another part waits for. By one block; a thread places a run of
 * blocks of the step. */
__global__ void __launch_bounds__(SWG_ARRANGE) swg_arrange(const __grid_constant__ swg_args a) {
  __shared__ int of_warp[SWG_LOADS][SWG_ARRANGE / 32];
  const int tiles = a.v.tiles_x * a.v.tiles_y, blocks = (tiles + SWG_WARPS - 1) / SWG_WARPS;
  const int each = (blocks + SWG_ARRANGE - 1) / SWG_ARRANGE;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int begin = min((int)threadIdx.x * each, blocks), end = min(begin + each, blocks);
  const auto load_of_block = [&](int b) {
    const int n = count_active(a, b * SWG_WARPS, min((b + 1) * SWG_WARPS, tiles));
    if (a.v.held || n == 0) return n;
    const bool cut = a.v.end < a.v.ny || a.v.reach > a.v.ny;
    const bool sends = cut && (b + 1) * SWG_WARPS > tiles - a.v.tiles_x;
    return sends ? (int)SWG_FIRST : (int)SWG_WARPS;
  };
  int n[SWG_LOADS] = {}, at[SWG_LOADS];
  for (int b = begin; b < end; b++) {
    const int load = load_of_block(b);
#pragma unroll
    for (int k = 0; k < SWG_LOADS; k++) n[k] += load == k;
  }
#pragma unroll
  for (int k = 0; k < SWG_LOADS; k++) {
    int sum = n[k]; /* of the warp's threads up to this one */
    for (int d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(ALL, sum, d);
      if (lane >= d) sum += other;
    }
    if (lane == 31) of_warp[k][warp] = sum;
    at[k] = sum - n[k];
  }
  __syncthreads();
  int front = 0; /* blocks of more load */
#pragma unroll
  for (int k = SWG_LOADS - 1; k >= 0; k--) {
    at[k] += front;
    for (int w = 0; w < SWG_ARRANGE / 32; w++) {
      at[k] += w < warp ? of_warp[k][w] : 0;
      front += of_warp[k][w];
    }
  }
  for (int b = begin; b < end; b++) {
    const int load = load_of_block(b);
#pragma unroll
    for (int k = 0; k < SWG_LOADS; k++)
      if (load == k) a.v.order[at[k]++] = b;
  }
}

cudaError_t arrange(const swg_view *v, int now, cudaStream_t stream) {
  swg_arrange<<<1, SWG_ARRANGE, 0, stream>>>(swg_args_of(v, now));
  return cudaGetLastError();
}

} // namespace
