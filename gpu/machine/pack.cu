/* gpu/machine/pack.cu - see pack.cuh.
 *
 * pack_runs packs each run of each tile, a block a run, into a slot that holds it at its worst;
 * pack_layout adds up where streams lie; pack_join puts the slots' bytes there, one behind the
 * other. The plane is read by the first and has become the result after the last. */
#include "pack.cuh"
#include "io/pack_k.h"
#include "io/round_k.h"
extern "C" {
#include "io/round.h"
}

namespace {

enum { LEAST = 4096 /* bytes of a tile */, JOIN = 256, LAYOUT = 1024 /* threads */ };
const size_t SMALL = (size_t)64 << 20; /* bytes that nobody minds */

/* A run's result, and whether it has a value that is not NaN. */
typedef struct __align__(16) packed_run {
  pk_result r;
  uint32_t some;
}
packed_run;

__device__ __forceinline__ float rounded(float v, const ria_gpu_packing *p) {
  return ria_round_to_f32(v, (float)p->quantum, (float)p->inverse);
}
__device__ __forceinline__ double rounded(double v, const ria_gpu_packing *p) {
  return ria_round_to_f64(v, p->quantum, p->inverse);
}
__device__ __forceinline__ void put(pk_room *s, int number, float v) {
  pk_put_word(s, number, __float_as_uint(v));
}
__device__ __forceinline__ void put(pk_room *s, int number, double v) {
  pk_put_word(s, 2 * number, (uint32_t)__double2loint(v));
  pk_put_word(s, 2 * number + 1, (uint32_t)__double2hiint(v));
}
__device__ __forceinline__ float no_value(float) { return __uint_as_float(0x7fc00000u); }
__device__ __forceinline__ double no_value(double) {
  return __longlong_as_double(0x7ff8000000000000ll);
}

/* The run of a tile and what is before it into the room. Returns whether this thread saw a value of
 * the run. */
template <typename R>
__device__ __forceinline__ int load(pk_room *s, const ria_gpu_packing *p, const R *plane,
                                    int64_t tile, int64_t run, const pk_task *k) {
  const int size = (int)sizeof(R), before = k->history / size, n = before + k->bytes / size;
  const int i0 = (int)(tile % p->tiles_x) * p->tile_x, j0 = (int)(tile / p->tiles_x) * p->tile_y;
  const int64_t first = run * (PK_RUN / size) - before + (int)threadIdx.x;
  const int down = PK_THREADS / p->tile_x, right = PK_THREADS % p->tile_x;
  int row = (int)(first / p->tile_x), column = (int)(first % p->tile_x), some = 0;
#pragma unroll 8
  for (int m = threadIdx.x; m < n; m += PK_THREADS) {
    const int i = i0 + column, j = j0 + row;
    R v = no_value(R());
    if (i < p->nx && j < p->ny) v = rounded(plane[(size_t)j * p->nx + i], p);
    some |= m >= before && v == v;
    put(s, PK_HISTORY / size - before + m, v);
    row += down;
    column += right;
    if (column >= p->tile_x) {
      column -= p->tile_x;
      row++;
    }
  }
  return some;
}

template <typename R>
__global__ void __launch_bounds__(PK_THREADS, 3)
    pack_runs(const __grid_constant__ ria_gpu_packing p, const R *plane, char *slots,
              packed_run *results) {
  extern __shared__ uint4 shared[];
  pk_room *s = (pk_room *)shared;
  const int64_t tile = blockIdx.x / p.runs, run = blockIdx.x % p.runs;
  const int64_t from = run * PK_RUN, left = p.tile_bytes - from;
  pk_task k;
  k.bytes = (int)(left < PK_RUN ? left : PK_RUN);
  k.words = (int)sizeof(R) / 4;
  k.history = (int)(from < PK_HISTORY ? from : PK_HISTORY);
  k.row = p.tile_x * k.words;
  k.opens = run == 0;
  k.closes = run == p.runs - 1;
  const int some = __syncthreads_or(load(s, &p, plane, tile, run, &k));
  const pk_result r = pk_run(s, &k, (uint32_t *)(slots + (size_t)blockIdx.x * p.slot));
  if (threadIdx.x == 0) {
    packed_run done;
    done.r = r;
    done.some = some != 0;
    results[blockIdx.x] = done;
  }
}

/* Bytes of a tile's stream, 0 when it has no value, and its check sum. */
__device__ __forceinline__ uint64_t stream_of(const ria_gpu_packing *p, const packed_run *results,
                                              int64_t tile, uint32_t *check) {
  uint32_t adler[2] = {1, 0}, some = 0;
  uint64_t bytes = 4;
#pragma unroll 4
  for (int64_t k = 0; k < p->runs; k++) {
    const packed_run run = results[tile * p->runs + k];
    const int64_t left = p->tile_bytes - k * PK_RUN;
    pk_adler_add(adler, &run.r, (int)(left < PK_RUN ? left : PK_RUN));
    bytes += run.r.bytes;
    some |= run.some;
  }
  *check = adler[1] << 16 | adler[0];
  return some ? bytes : 0;
}

/* One block: where each stream ends, and its last four bytes' value. */
__global__ void __launch_bounds__(LAYOUT)
    pack_layout(const __grid_constant__ ria_gpu_packing p, const packed_run *results, uint64_t *end,
                uint32_t *checks) {
  __shared__ uint64_t sum[2][LAYOUT];
  const int t = threadIdx.x;
  uint64_t so_far = 0;
  for (int64_t k = 0; k < p.tiles; k += LAYOUT) {
    const int64_t tile = k + t;
    uint32_t check = 0;
    int from = 0;
    sum[0][t] = tile < p.tiles ? stream_of(&p, results, tile, &check) : 0;
    __syncthreads();
    for (int d = 1; d < LAYOUT; d *= 2, from = 1 - from) {
      sum[1 - from][t] = sum[from][t] + (t >= d ? sum[from][t - d] : 0);
      __syncthreads();
    }
    if (tile < p.tiles) {
      end[tile] = so_far + sum[from][t];
      checks[tile] = check;
    }
    so_far += sum[from][LAYOUT - 1];
    __syncthreads();
  }
}

/* Bytes to a place that begins anywhere from one that begins on a word, by one block. */
__device__ __forceinline__ void copy_bytes(unsigned char *to, const uint32_t *from, int n) {
  const unsigned char *bytes = (const unsigned char *)from;
  const int head = min(n, (int)(-(uintptr_t)to & 3)), words = (n - head) / 4;
  for (int w = threadIdx.x; w < words; w += JOIN) {
    const uint32_t low = from[w], high = head ? from[w + 1] : 0;
    ((uint32_t *)(to + head))[w] = __funnelshift_r(low, high, 8 * head);
  }
  const int edges = n - 4 * words, m = threadIdx.x;
  if (m < edges) {
    const int at = m < head ? m : m + 4 * words;
    to[at] = bytes[at];
  }
}

__global__ void __launch_bounds__(JOIN)
    pack_join(const __grid_constant__ ria_gpu_packing p, const packed_run *results,
              const char *slots, const uint64_t *end, const uint32_t *checks,
              unsigned char *streams) {
  const int64_t tile = blockIdx.x / p.runs, run = blockIdx.x % p.runs;
  const uint64_t begin = tile ? end[tile - 1] : 0;
  if (end[tile] == begin) return;
  __shared__ unsigned long long before;
  if (threadIdx.x == 0) before = 0;
  __syncthreads();
  unsigned long long sum = 0;
  for (int64_t k = threadIdx.x; k < run; k += JOIN) sum += results[tile * p.runs + k].r.bytes;
  if (sum) atomicAdd(&before, sum);
  __syncthreads();
  copy_bytes(streams + begin + before, (const uint32_t *)(slots + (size_t)blockIdx.x * p.slot),
             (int)results[blockIdx.x].r.bytes);
  if (run == p.runs - 1 && threadIdx.x < 4)
    streams[end[tile] - 4 + threadIdx.x] = (unsigned char)(checks[tile] >> (24 - 8 * threadIdx.x));
}

size_t whole(size_t bytes) { return (bytes + 255) / 256 * 256; }

template <typename R>
cudaError_t queue_runs(const ria_gpu_packing *p, const void *plane, char *slots,
                       packed_run *results, cudaStream_t stream) {
  const int shared = (int)sizeof(pk_room);
  const cudaError_t e =
      cudaFuncSetAttribute(pack_runs<R>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  if (e != cudaSuccess) return e;
  pack_runs<R><<<(unsigned)(p->tiles * p->runs), PK_THREADS, shared, stream>>>(*p, (const R *)plane,
                                                                               slots, results);
  return cudaGetLastError();
}

} // namespace

bool ria_gpu_packing_of(const ria_grid *grid, const ria_packing *how, ria_gpu_packing *p) {
  const size_t size = how->real == RIA_F32 ? sizeof(float) : sizeof(double);
  p->nx = grid->nx;
  p->ny = grid->ny;
  p->tile_x = how->tile_x;
  p->tile_y = how->tile_y;
  p->real = how->real;
  p->quantum = ria_round_quantum(how->precision, how->real);
  p->inverse = p->quantum > 0 ? 1 / p->quantum : 0;
  p->tiles_x = (p->nx + p->tile_x - 1) / p->tile_x;
  p->tiles = (int64_t)p->tiles_x * ((p->ny + p->tile_y - 1) / p->tile_y);
  p->tile_bytes = (int64_t)p->tile_x * p->tile_y * (int64_t)size;
  p->runs = pk_runs(p->tile_bytes);
  const size_t most = (size_t)p->tile_bytes + 5 * (size_t)p->runs + 6; /* all stored */
  p->slot = p->runs > 1 ? (size_t)PK_SLOT : (most + 15) / 16 * 16;
  p->table = (size_t)p->tiles * sizeof(uint64_t);
  p->bound = p->table + (size_t)p->tiles * most;
  /* tiles that reach far beyond the grid cost memory for nothing */
  const size_t plane = (size_t)p->nx * (size_t)p->ny * size;
  if (p->bound > SMALL && p->bound / 2 > plane) return false;
  return p->tile_bytes >= LEAST && p->tiles * p->runs < INT32_MAX;
}

size_t ria_gpu_pack_plane(const ria_gpu_packing *p) {
  const size_t plane =
      (size_t)p->nx * (size_t)p->ny * (p->real == RIA_F32 ? sizeof(float) : sizeof(double));
  return plane > p->bound ? plane : p->bound;
}

size_t ria_gpu_pack_room(const ria_gpu_packing *p) {
  const size_t runs = (size_t)(p->tiles * p->runs);
  return whole(runs * sizeof(packed_run)) + whole((size_t)p->tiles * sizeof(uint32_t)) +
         runs * p->slot;
}

cudaError_t ria_gpu_pack(const ria_gpu_packing *p, void *plane, void *room, cudaStream_t stream) {
  const size_t runs = (size_t)(p->tiles * p->runs);
  packed_run *results = (packed_run *)room;
  uint32_t *checks = (uint32_t *)((char *)room + whole(runs * sizeof *results));
  char *slots = (char *)checks + whole((size_t)p->tiles * sizeof *checks);
  uint64_t *end = (uint64_t *)plane;
  cudaError_t e = p->real == RIA_F32 ? queue_runs<float>(p, plane, slots, results, stream)
                                     : queue_runs<double>(p, plane, slots, results, stream);
  if (e != cudaSuccess) return e;
  pack_layout<<<1, LAYOUT, 0, stream>>>(*p, results, end, checks);
  e = cudaGetLastError();
  if (e != cudaSuccess) return e;
  pack_join<<<(unsigned)runs, JOIN, 0, stream>>>(*p, results, slots, end, checks,
                                                 (unsigned char *)plane + p->table);
  return cudaGetLastError();
}
