/* resident.cuh - many steps of a small plate in one kernel, for one precision.
 *
 * The plate lies in the shared memory of one cluster of blocks, two states of it: each block has a
 * band of rows and, at either end, a row of the next band. A step goes from one state to the other;
 * who works out the first or the last row of a band also writes it where the neighbour has it, and
 * at the end of the step the cluster meets. Memory is read before the first step and written after
 * the last. A thread takes V columns of some rows, which it goes through northwards. */

namespace {

/* Measured on an H200 (docs/gpu.md). */
enum {
  BAND_THREADS = 1024, /* of a block, at most */
  BAND_CELLS = 512,    /* so many a block are few enough */
  BAND_K = 4           /* rows of a thread, where one each are more than the block has threads */
};

/* Where a thread works: its vector of a row, and which K rows. */
typedef struct spot {
  int v, r;
} spot;

/* A block's band. Rows are [pitch]; row -1 and row nj belong to the neighbours. */
typedef struct band {
  int j0, nj;         /* its rows */
  int pitch, vectors; /* of a row: numbers, threads that it takes */
  spot first, step;   /* of this thread; how far the next is */
  int below_nj;       /* rows of the band in the south */
  int size;           /* numbers of a state */
  R *room;            /* [2][size]: the states, from row -1 on */
  R *below, *above;   /* what the neighbours have there; NULL: nobody */
  int32_t *rim;       /* of the cells at the west, the east [nj], the south, the north [nx]: stretch
                         and kind, where they are at a side */
} band;

__device__ __forceinline__ R *row_of(const band *b, R *room, int which, int r) {
  return room + which * b->size + (r + 1) * b->pitch;
}

__device__ __forceinline__ int band_begin(const dfg_view *a, int rank) {
  return (int)((int64_t)a->v.ny * rank / a->bands.blocks);
}

/* The room of another block of the cluster, which there may be no other of. */
__device__ __forceinline__ R *room_of(const dfg_view *a, R *room, int rank) {
  return a->bands.blocks > 1 ? cluster_room(room, rank) : room;
}

template <int V> __device__ __forceinline__ band band_of(const dfg_view *a, R *room) {
  const int rank = blockIdx.x, blocks = a->bands.blocks;
  const int below = rank > 0 ? rank - 1 : blocks - 1, above = rank < blocks - 1 ? rank + 1 : 0;
  band b;
  b.j0 = band_begin(a, rank);
  b.nj = band_begin(a, rank + 1) - b.j0;
  b.below_nj = band_begin(a, below + 1) - band_begin(a, below);
  b.vectors = (a->v.nx + V - 1) / V;
  b.pitch = b.vectors * V;
  b.first = {(int)threadIdx.x % b.vectors, (int)threadIdx.x / b.vectors};
  b.step = {(int)blockDim.x % b.vectors, (int)blockDim.x / b.vectors};
  b.size = b.pitch * (a->bands.rows + 2);
  b.room = room;
  b.below = rank > 0 || a->sides.wrap_y ? room_of(a, room, below) : NULL;
  b.above = rank < blocks - 1 || a->sides.wrap_y ? room_of(a, room, above) : NULL;
  b.rim = (int32_t *)(room + 2 * b.size);
  return b;
}

/* All blocks of the plate. */
__device__ __forceinline__ void meet(const dfg_view *a) {
  if (a->bands.blocks > 1)
    cluster_sync();
  else
    __syncthreads();
}

__device__ __forceinline__ void get_16(float *to, const float *from) {
  const float4 v = *(const float4 *)from;
  to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}
__device__ __forceinline__ void get_16(double *to, const double *from) {
  const double2 v = *(const double2 *)from;
  to[0] = v.x, to[1] = v.y;
}
/* V numbers from shared memory. */
template <int V> __device__ __forceinline__ void get_vector(R *to, const R *from) {
  constexpr int each = 16 / (int)sizeof(R);
#pragma unroll
  for (int c = 0; c < V; c += each) get_16(to + c, from + c);
}

/* V numbers, or one. */
template <int n> __device__ __forceinline__ void put_some(R *to, const R *from) {
  if constexpr (n > 1)
    store_vector<n>(to, from);
  else
    to[0] = from[0];
}

/* --- in and out ------------------------------------------------------------------------------- */

template <int V> __device__ __forceinline__ void load_band(const dfg_view *a, const band *b) {
  const int ny = a->v.ny, n = (b->nj + 2) * b->vectors;
  for (int k = threadIdx.x; k < n; k += blockDim.x) {
    const int r = k / b->vectors - 1, i = k % b->vectors * V, j = b->j0 + r;
    const int row = a->sides.wrap_y ? wrapped(j, ny) : min(max(j, 0), ny - 1);
    R v[V];
    load_vector<V>(v, (const R *)a->u + ria_gpu_at(&a->v, i, row));
    store_vector<V>(row_of(b, b->room, 0, r) + i, v);
  }
}

template <int V>
__device__ __forceinline__ void store_band(const dfg_view *a, const band *b, int which) {
  for (int k = threadIdx.x; k < b->nj * b->vectors; k += blockDim.x) {
    const int r = k / b->vectors, i = k % b->vectors * V;
    R v[V];
    get_vector<V>(v, row_of(b, b->room, which, r) + i);
    store_vector<V>((R *)a->next + ria_gpu_at(&a->v, i, b->j0 + r), v);
  }
}

/* Stretch and kind of each cell at a side. */
__device__ __forceinline__ void load_rim(const dfg_view *a, const band *b) {
  const int nx = a->v.nx, n = 2 * b->nj + 2 * nx;
  for (int k = threadIdx.x; k < n; k += blockDim.x) {
    const int side = k < b->nj            ? RIA_WEST
                     : k < 2 * b->nj      ? RIA_EAST
                     : k < 2 * b->nj + nx ? RIA_SOUTH
                                          : RIA_NORTH;
    if (side == RIA_SOUTH && b->j0 > 0) continue;
    if (side == RIA_NORTH && b->j0 + b->nj < a->v.ny) continue;
    const int cell = side == RIA_WEST   ? b->j0 + k
                     : side == RIA_EAST ? b->j0 + k - b->nj
                                        : (k - 2 * b->nj) % nx;
    const int owner = a->v.owner[a->v.first[side] + cell];
    b->rim[k] = owner << 3 | a->v.stretch[owner].kind;
  }
}

/* --- a step -------------------------------------------------------------------------------------
 *
 * First all cells as if the sides were insulated, then those at sides that are not, once more: two
 * short loops are faster than a long one. */

/* n numbers of row r of a state, also where the neighbours have it. */
template <int n>
__device__ __forceinline__ void put_row(const band *b, int which, int r, int i, const R *o) {
  put_some<n>(row_of(b, b->room, which, r) + i, o);
  if (r == 0 && b->below) put_some<n>(row_of(b, b->below, which, b->below_nj) + i, o);
  if (r == b->nj - 1 && b->above) put_some<n>(row_of(b, b->above, which, -1) + i, o);
}

/* Each thread takes K rows of V columns, as often as the band has them. Lanes that are left over go
 * along for the shuffles and write nothing. */
template <int V, int K, bool SOURCE>
__device__ __forceinline__ void step_band(const dfg_view *a, const band *b, int now, R cx, R cy) {
  const int nx = a->v.nx, last = a->v.ny - 1 - b->j0, lane = threadIdx.x % 32;
  const bool wrap_x = a->sides.wrap_x, wrap_y = a->sides.wrap_y;
  const int items = b->vectors * ((b->nj + K - 1) / K);
  int v = b->first.v, turn = b->first.r;
  for (int first = threadIdx.x - lane; first < items; first += blockDim.x) {
    const int i0 = v * V, r0 = turn * K, end = v < b->vectors - 1 ? V : nx - 1 - i0;
    const R *const below = row_of(b, b->room, now, min(r0, b->nj - 1) - 1) + i0;
    R south[V], here[V], north[V];
    get_vector<V>(south, below);
    get_vector<V>(here, below + b->pitch);
#pragma unroll
    for (int k = 0; k < K; k++) {
      const int r = min(r0 + k, b->nj - 1);
      const R *const row = row_of(b, b->room, now, r);
      get_vector<V>(north, row + b->pitch + i0);
      R west = __shfl_up_sync(0xffffffffu, here[V - 1], 1);
      R east = __shfl_down_sync(0xffffffffu, here[0], 1), give[V], o[V];
      if (v == 0)
        west = wrap_x ? row[nx - 1] : here[0];
      else if (lane == 0)
        west = row[i0 - 1];
      if (end < V)
        east = row[wrap_x ? 0 : nx - 1];
      else if (lane == 31)
        east = row[i0 + V];
      const bool at_s = r == -b->j0 && !wrap_y, at_n = r == last && !wrap_y;
      if (SOURCE) load_vector<V>(give, (const R *)a->source + ria_gpu_at(&a->v, i0, b->j0 + r));
#pragma unroll
      for (int c = 0; c < V; c++) {
        const R e = c == end || c == V - 1 ? east : here[c < V - 1 ? c + 1 : c];
        o[c] = df_step(here[c], c ? here[c - 1] : west, e, at_s ? here[c] : south[c],
                       at_n ? here[c] : north[c], cx, cy);
        if (SOURCE) o[c] = df_give(o[c], give[c], (R)a->dt);
      }
      if (r0 + k < b->nj) put_row<V>(b, 1 - now, r, i0, o);
#pragma unroll
      for (int c = 0; c < V; c++) {
        south[c] = here[c];
        here[c] = north[c];
      }
    }
    v += b->step.v;
    const bool over = v >= b->vectors;
    v -= over ? b->vectors : 0;
    turn += b->step.r + over;
  }
}

/* What lies beyond a cell; rim: what load_rim left of it. Counted. share: D dt / h^2 */
__device__ __forceinline__ R beyond(const dfg_view *a, int level, int32_t rim, int side, int k, R u,
                                    R share) {
  const int kind = rim & 7;
  const R ghost = df_ghost(kind, u, (R)a->outside[level * a->per_level + (rim >> 3)]);
  if (kind == DF_VALUE || kind == DF_FLUX)
    cross_at(a, side, k, (double)share * ((double)ghost - (double)u) * a->v.dx * a->v.dy);
  return ghost;
}

/* A fixed cell keeps its value. */
__device__ __forceinline__ R kept(const dfg_view *a, int32_t rim, int side, int k, R u, R o) {
  if ((rim & 7) != DF_FIXED) return o;
  cross_at(a, side, k, -((double)o - (double)u) * a->v.dx * a->v.dy);
  return u;
}

/* A cell at a side. */
template <bool SOURCE>
__device__ __forceinline__ void step_rim_cell(const dfg_view *a, const band *b, int level, int r,
                                              int i, R cx, R cy) {
  const int nx = a->v.nx, nj = b->nj, j = b->j0 + r, now = level & 1;
  const bool x = !a->sides.wrap_x, y = !a->sides.wrap_y;
  const bool at[RIA_SIDES] = {x && i == 0, x && i == nx - 1, y && j == 0, y && j == a->v.ny - 1};
  const int k[RIA_SIDES] = {j, j, i, i}, slot[RIA_SIDES] = {r, nj + r, 2 * nj + i, 2 * nj + nx + i};
  const R *const row = row_of(b, b->room, now, r) + i;
  const R u = row[0];
  R near[RIA_SIDES] = {i > 0 ? row[-1] : row[nx - 1], i < nx - 1 ? row[1] : row[1 - nx],
                       row[-b->pitch], row[b->pitch]};
#pragma unroll
  for (int side = 0; side < RIA_SIDES; side++)
    if (at[side])
      near[side] =
          beyond(a, level, b->rim[slot[side]], side, k[side], u, side < RIA_SOUTH ? cx : cy);
  R o = df_step(u, near[RIA_WEST], near[RIA_EAST], near[RIA_SOUTH], near[RIA_NORTH], cx, cy);
  if (SOURCE) o = df_give(o, ((const R *)a->source)[ria_gpu_at(&a->v, i, j)], (R)a->dt);
#pragma unroll
  for (int side = 0; side < RIA_SIDES; side++)
    if (at[side]) o = kept(a, b->rim[slot[side]], side, k[side], u, o);
  put_row<1>(b, 1 - now, r, i, &o);
}

/* The cells of a band at sides that are not insulated, each once. */
typedef struct rim_cells {
  int north, west, east; /* where those of a side begin; the south's are first */
  int n;
} rim_cells;

__device__ __forceinline__ rim_cells rim_of(const dfg_view *a, const band *b) {
  const bool x = !a->sides.wrap_x, y = !a->sides.wrap_y;
  const bool south = y && b->j0 == 0 && !(a->insulated >> RIA_SOUTH & 1);
  const bool north =
      y && b->j0 + b->nj == a->v.ny && !(a->insulated >> RIA_NORTH & 1) && !(south && b->nj == 1);
  rim_cells k;
  k.north = south ? a->v.nx : 0;
  k.west = k.north + (north ? a->v.nx : 0);
  k.east = k.west + (x && !(a->insulated >> RIA_WEST & 1) ? b->nj : 0);
  k.n = k.east + (x && !(a->insulated >> RIA_EAST & 1) ? b->nj : 0);
  return k;
}

template <bool SOURCE>
__device__ __forceinline__ void step_rim(const dfg_view *a, const band *b, const rim_cells *rim,
                                         int level, R cx, R cy) {
  for (int k = threadIdx.x; k < rim->n; k += blockDim.x) {
    const bool row = k < rim->west, east = k >= rim->east;
    const int r = k < rim->north ? 0 : row ? b->nj - 1 : k - (east ? rim->east : rim->west);
    const int i = k < rim->north ? k : row ? k - rim->north : east ? a->v.nx - 1 : 0;
    const bool done = (r == 0 && rim->north > 0) || (r == b->nj - 1 && rim->west > rim->north) ||
                      (east && a->v.nx == 1 && rim->east > rim->west);
    if (row || !done) step_rim_cell<SOURCE>(a, b, level, r, i, cx, cy);
  }
}

template <int V, int K, bool SOURCE>
__global__ void __launch_bounds__(BAND_THREADS)
    dfg_resident(const __grid_constant__ dfg_view a, int steps) {
  extern __shared__ __align__(16) unsigned char dfg_room[];
  const band b = band_of<V>(&a, (R *)dfg_room);
  const R cx = (R)(a.d * a.dt / (a.v.dx * a.v.dx)), cy = (R)(a.d * a.dt / (a.v.dy * a.v.dy));
  load_band<V>(&a, &b);
  load_rim(&a, &b);
  const rim_cells rim = rim_of(&a, &b);
  meet(&a);
  for (int level = 0; level < steps; level++) {
    step_band<V, K, SOURCE>(&a, &b, level & 1, cx, cy);
    if (rim.n > 0) {
      __syncthreads();
      step_rim<SOURCE>(&a, &b, &rim, level, cx, cy);
    }
    meet(&a);
  }
  store_band<V>(&a, &b, steps & 1);
}

typedef void (*resident_kernel)(const dfg_view, int);
template <int K> resident_kernel kernel_with(bool source) {
  return source ? dfg_resident<lane_columns, K, true> : dfg_resident<lane_columns, K, false>;
}
resident_kernel kernel_of(const dfg_bands *b, bool source) {
  return b->rows_each > 1 ? kernel_with<BAND_K>(source) : kernel_with<1>(source);
}

cudaLaunchConfig_t config_of(const dfg_bands *b, cudaLaunchAttribute *cluster,
                             cudaStream_t stream) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((unsigned)b->blocks);
  config.blockDim = dim3((unsigned)b->threads);
  config.dynamicSmemBytes = b->room;
  config.stream = stream;
  cluster->id = cudaLaunchAttributeClusterDimension;
  cluster->val.clusterDim.x = (unsigned)b->blocks;
  cluster->val.clusterDim.y = cluster->val.clusterDim.z = 1;
  config.attrs = cluster;
  config.numAttrs = b->blocks > 1;
  return config;
}

cudaError_t resident(const dfg_view *a, int steps, cudaStream_t stream) {
  cudaLaunchAttribute cluster = {};
  const cudaLaunchConfig_t config = config_of(&a->bands, &cluster, stream);
  return cudaLaunchKernelEx(&config, kernel_of(&a->bands, a->source != NULL), *a, steps);
}

/* A plate in bands of that many blocks. */
dfg_bands bands_of(int nx, int ny, int blocks) {
  const int vectors = (nx + lane_columns - 1) / lane_columns, rows = (ny + blocks - 1) / blocks;
  const int each = (int64_t)vectors * rows <= BAND_THREADS ? 1 : BAND_K;
  const int64_t items = (int64_t)vectors * ((rows + each - 1) / each);
  const size_t pitch = (size_t)vectors * lane_columns;
  dfg_bands b;
  b.blocks = blocks;
  b.rows = rows;
  b.rows_each = each;
  b.threads = items < BAND_THREADS ? (int)(items + 31) / 32 * 32 : BAND_THREADS;
  b.room = 2 * pitch * (size_t)(rows + 2) * sizeof(R) + (2 * (size_t)rows + 2 * (size_t)nx) * 4;
  return b;
}

/* Clusters that the device can run at once; 0 where it has no such. The kernels may then take all
 * of a block's memory, and clusters of 16, which not every device has. */
int clusters_of(const dfg_bands *b, bool source, int most_room) {
  int n = 0;
  cudaLaunchAttribute cluster = {};
  const cudaLaunchConfig_t config = config_of(b, &cluster, NULL);
  const resident_kernel kernel = kernel_of(b, source);
  cudaError_t e =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most_room);
  if (e == cudaSuccess && b->blocks > 8)
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  if (e == cudaSuccess && b->blocks == 1) return 1;
  if (e == cudaSuccess) e = cudaOccupancyMaxActiveClusters(&n, kernel, &config);
  if (e == cudaSuccess) return n;
  cudaGetLastError();
  return 0;
}

void bands(int nx, int ny, bool source, dfg_bands *out) {
  int device = 0, most_room = 0;
  *out = {0, 0, 0, 0, 0};
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&most_room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
          cudaSuccess) {
    cudaGetLastError();
    return;
  }
  for (int blocks = 1; blocks <= ria_cuda_cluster() && blocks <= ny; blocks *= 2) {
    const dfg_bands b = bands_of(nx, ny, blocks);
    if (b.room > (size_t)most_room || clusters_of(&b, source, most_room) < 1) continue;
    *out = b;
    if ((int64_t)nx * b.rows <= BAND_CELLS) return;
  }
}

} // namespace
