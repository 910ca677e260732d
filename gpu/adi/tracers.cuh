/* gpu/adi/tracers.cuh - tracers of the implicit solver, per precision: carried by what crossed
 * faces in a sweep, diffusion, decay.
 *
 * The formulas are those of the CPU's loops. What depends on the length of a step reads it where
 * the clock left it. Included after rings.cuh. */
namespace {
#define R RIA_PRECISION

/* --- what flows ------------------------------------------------------------------------------- */

/* Rows beyond the ends of a ring, which a part of one has; a whole grid counts round. */
__device__ __forceinline__ int row_round(const adig_carry *c, int j) {
  return round_at(c->rings.y && !c->beyond, j, c->v.ny);
}
__device__ __forceinline__ bool is_row(const adig_carry *c, int j) {
  return j >= -c->beyond && j < c->v.ny + c->beyond;
}

/* Concentration in a cell of the state a half step began with; beyond a side what inflow brings, or
 * what lies along the side across. */
__device__ __forceinline__ R concentration(const adig_carry *c, int i, int j) {
  const ria_gpu_view *v = &c->v;
  i = round_at(c->rings.x, i, v->nx), j = row_round(c, j);
  const int side = i < 0           ? RIA_WEST
                   : i == v->nx    ? RIA_EAST
                   : !is_row(c, j) ? (j < 0 ? RIA_SOUTH : RIA_NORTH)
                                   : -1;
  if (side >= 0) {
    const int k = ria_side_along_x(side) ? j : i;
    return (R)c->inflow[v->owner[v->first[side] + k] * c->nt + c->tracer];
  }
  const size_t at = ria_gpu_at(v, i, j);
  const R h = in(c->level)[at] - in(c->bed)[at];
  return h > 0 ? in(c->load)[at] / h : (R)0;
}

__device__ __forceinline__ void count_tracer(const adig_carry *c, int side, int k, R into) {
  ria_gpu_cross(&c->v, side, k, 1 + c->tracer, (double)into * (c->v.dx * c->v.dy));
}

/* The load of a cell, from what crosses its faces; and the account of the sides. */
__device__ __forceinline__ void put_load(const adig_carry *c, int i, int j, R w, R e, R s, R n) {
  const ria_gpu_view *v = &c->v;
  const size_t at = ria_gpu_at(v, i, j);
  out(c->load_new)[at] = adi_load(in(c->load)[at], s, n, w, e);
  const bool x = !c->rings.x, y = !c->rings.y;
  if (i == 0 && x) count_tracer(c, RIA_WEST, j, w);
  if (i == v->nx - 1 && x) count_tracer(c, RIA_EAST, j, -e);
  if (j == 0 && y) count_tracer(c, RIA_SOUTH, i, s);
  if (j == v->ny - 1 && y) count_tracer(c, RIA_NORTH, i, -n);
}

/* Order 1: a cell gives what it has. */
__global__ void __launch_bounds__(EACH) carry(const __grid_constant__ adig_carry c) {
  const ria_gpu_view *v = &c.v;
  if (idle(c.bad, c.step)) return;
  FOR_EACH(cell, (int64_t)v->nx * (c.end - c.begin)) {
    const int i = (int)(cell % v->nx), j = c.begin + (int)(cell / v->nx);
    const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(v, i, j), st = (ptrdiff_t)v->stride;
    const R *fx = in(c.moved_x), *fy = in(c.moved_y);
    const R mid = concentration(&c, i, j);
    const R w = adi_carried(fx[at - 1], concentration(&c, i - 1, j), mid);
    const R e = adi_carried(fx[at], mid, concentration(&c, i + 1, j));
    const R s = adi_carried(fy[at - st], concentration(&c, i, j - 1), mid);
    const R n = adi_carried(fy[at], mid, concentration(&c, i, j + 1));
    put_load(&c, i, j, w, e, s, n);
  }
}

/* Order 2, a tile a block: what its cells and those around it give is found once. */
enum { TILE_X = 32, TILE_Y = 16 };
typedef struct tile {
  int i0, j0; /* its first cell */
  R c[TILE_Y + 4][TILE_X + 4],
      h[TILE_Y + 4][TILE_X + 4]; /* cell (i, j) at [j - j0 + 2][i - i0 + 2] */
  R west[TILE_Y + 2][TILE_X + 2], east[TILE_Y + 2][TILE_X + 2]; /* at [j - j0 + 1][i - i0 + 1] */
  R south[TILE_Y + 2][TILE_X + 2], north[TILE_Y + 2][TILE_X + 2];
} tile;

/* What lies at k, beyond an end that does not meet the other what is inside of it, or in the last
 * of so many rows `beyond`. */
__device__ __forceinline__ int inside(bool ring, int k, int n, int beyond) {
  return ring && !beyond ? (k + 2 * n) % n : min(max(k, -beyond), n - 1 + beyond);
}

/* Concentrations and depths; beyond the sides is what is inside of them, or along the side across.
 */
__device__ __forceinline__ void read_tile(const adig_carry *c, tile *t) {
  const ria_gpu_view *v = &c->v;
  for (int k = threadIdx.x; k < (TILE_X + 4) * (TILE_Y + 4); k += EACH) {
    const int x = k % (TILE_X + 4), y = k / (TILE_X + 4);
    const int i = inside(c->rings.x, t->i0 + x - 2, v->nx, 0),
              j = inside(c->rings.y, t->j0 + y - 2, v->ny, c->beyond);
    const size_t at = ria_gpu_at(v, i, j);
    t->c[y][x] = concentration(c, i, j);
    t->h[y][x] = adi_depth(in(c->level)[at], in(c->bed)[at]);
  }
}

/* What the cells of a tile and those around it give; from outside comes what inflow brings. */
__device__ __forceinline__ void give_tile(const adig_carry *c, tile *t) {
  const ria_gpu_view *v = &c->v;
  for (int k = threadIdx.x; k < (TILE_X + 2) * (TILE_Y + 2); k += EACH) {
    const int x = k % (TILE_X + 2), y = k / (TILE_X + 2);
    int i = t->i0 + x - 1, j = t->j0 + y - 1;
    if (i > v->nx || j > v->ny) continue;
    i = round_at(c->rings.x, i, v->nx), j = row_round(c, j);
    const bool beyond_x = i < 0 || i >= v->nx, beyond_y = !is_row(c, j);
    if (beyond_x && (beyond_y || j < 0 || j >= v->ny)) continue; /* a corner */
    adi_gives g;
    if (beyond_x || beyond_y) {
      g.west = g.east = g.south = g.north = concentration(c, i, j);
    } else {
      const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(v, i, j), st = (ptrdiff_t)v->stride;
      const R *fx = in(c->moved_x) + at, *fy = in(c->moved_y) + at;
      const auto around = [&](const R(*a)[TILE_X + 4]) {
        return adi_around{a[y + 1][x + 1], a[y + 1][x], a[y + 1][x + 2], a[y][x + 1],
                          a[y + 2][x + 1]};
      };
      const adi_around conc = around(t->c), depth = around(t->h);
      const adi_around moved = {0, fx[-1], fx[0], fy[-st], fy[0]};
      g = adi_going(&conc, &depth, &moved, (R)c->limiter);
    }
    t->west[y][x] = g.west, t->east[y][x] = g.east;
    t->south[y][x] = g.south, t->north[y][x] = g.north;
  }
}

__device__ __forceinline__ void carry_tile(const adig_carry *c, const tile *t) {
  const ria_gpu_view *v = &c->v;
  for (int k = threadIdx.x; k < TILE_X * TILE_Y; k += EACH) {
    const int x = k % TILE_X + 1, y = k / TILE_X + 1, i = t->i0 + x - 1, j = t->j0 + y - 1;
    if (i >= v->nx || j >= c->end) continue;
    const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(v, i, j), st = (ptrdiff_t)v->stride;
    const R *fx = in(c->moved_x) + at, *fy = in(c->moved_y) + at;
    put_load(c, i, j, adi_carried(fx[-1], t->east[y][x - 1], t->west[y][x]),
             adi_carried(fx[0], t->east[y][x], t->west[y][x + 1]),
             adi_carried(fy[-st], t->north[y - 1][x], t->south[y][x]),
             adi_carried(fy[0], t->north[y][x], t->south[y + 1][x]));
  }
}

__global__ void __launch_bounds__(EACH) carry_sharply(const __grid_constant__ adig_carry c) {
  __shared__ tile t;
  if (idle(c.bad, c.step)) return;
  if (threadIdx.x == 0) {
    const unsigned wide = (unsigned)(c.v.nx + TILE_X - 1) / TILE_X;
    t.i0 = (int)(blockIdx.x % wide) * TILE_X;
    t.j0 = c.begin + (int)(blockIdx.x / wide) * TILE_Y;
  }
  __syncthreads();
  read_tile(&c, &t);
  __syncthreads();
  give_tile(&c, &t);
  __syncthreads();
  carry_tile(&c, &t);
}

/* --- diffusion -------------------------------------------------------------------------------- */

/* A part of the explicit diffusion. */
__global__ void __launch_bounds__(EACH)
    mix(const __grid_constant__ adig_carry c, int part, double diffusion) {
  const ria_gpu_view *v = &c.v;
  if (idle(c.bad, c.step) || part >= *c.parts) return;
  const double d = diffusion * (c.step->dt / *c.parts);
  const R mix_x = (R)(d / (v->dx * v->dx)), mix_y = (R)(d / (v->dy * v->dy));
  FOR_EACH(cell, (int64_t)v->nx * (c.end - c.begin)) {
    const int i = (int)(cell % v->nx), j = c.begin + (int)(cell / v->nx);
    const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(v, i, j), st = (ptrdiff_t)v->stride;
    const R *e = in(c.level) + at, *z = in(c.bed) + at;
    const auto depth = [&](ptrdiff_t o) { return adi_depth(e[o], z[o]); };
    const R mid = concentration(&c, i, j), h = depth(0);
    const R ce = concentration(&c, i + 1, j), cw = concentration(&c, i - 1, j);
    const R cn = concentration(&c, i, j + 1), cs = concentration(&c, i, j - 1);
    out(c.load_new)[at] =
        in(c.load)[at] -
        (water_mixed(h, mid, depth(1), ce, mix_x) - water_mixed(depth(-1), cw, h, mid, mix_x)) -
        (water_mixed(h, mid, depth(st), cn, mix_y) - water_mixed(depth(-st), cs, h, mid, mix_y));
  }
}

/* After an odd number of parts the loads are where they came from. */
__global__ void __launch_bounds__(EACH) mix_home(const __grid_constant__ adig_carry c) {
  if (idle(c.bad, c.step) || *c.parts % 2 == 0) return;
  FOR_EACH(cell, (int64_t)c.v.nx * (c.end - c.begin)) {
    const size_t at = ria_gpu_at(&c.v, (int)(cell % c.v.nx), c.begin + (int)(cell / c.v.nx));
    out(c.load_new)[at] = in(c.load)[at];
  }
}

/* Implicit diffusion along an axis, a line a thread: rare, and bounded. up, rhs: planes, of the
 * face before each cell; ring: another one. */
__global__ void __launch_bounds__(EACH)
    mix_lines(const __grid_constant__ adig_carry c, int axis, double diffusion, void *up_,
              void *rhs_, void *ring) {
  const ria_gpu_view *v = &c.v;
  if (idle(c.bad, c.step) || *c.parts > 0) return;
  const double d = axis == ADI_X ? v->dx : v->dy;
  const R mix = (R)(diffusion * c.step->dt / (d * d));
  R *up = out(up_), *rhs = out(rhs_), *load = out(c.load_new);
  const int n = axis == ADI_X ? v->nx : v->ny;
  const size_t along = axis == ADI_X ? 1 : v->stride;
  FOR_EACH(line, axis == ADI_X ? c.end - c.begin : v->nx) {
    const size_t first =
        ria_gpu_at(v, axis == ADI_X ? 0 : (int)line, axis == ADI_X ? c.begin + (int)line : 0);
    R h_before = 0, c_before = 0, up_before = 0, rhs_before = 0, above = 0;
    for (int i = 0; i < n; i++) {
      const size_t at = first + (size_t)i * along;
      const R h = adi_depth(in(c.level)[at], in(c.bed)[at]);
      const R conc = adi_concentration(load[at], h);
      if (i > 0) {
        const adi_row row =
            adi_eliminate(adi_mix_row(h_before, h, c_before, conc, mix), up_before, rhs_before);
        up_before = row.up, rhs_before = row.rhs;
      }
      up[at] = up_before, rhs[at] = rhs_before;
      h_before = h, c_before = conc;
    }
    if (axis == ADI_X ? c.rings.x : c.rings.y)
      above = mix_join(c, first, along, n, mix, up, rhs, out(ring));
    for (int i = n - 1; i >= 0; i--) {
      const size_t at = first + (size_t)i * along;
      const R x = rhs[at] - up[at] * above;
      load[at] = adi_mixed(load[at], x, above);
      above = x;
    }
  }
}

/* Columns of a part of the grid, as a thread has one of them: numbers of the face behind each cell.
 * ring: of one that closes, the solution to a flux of 1 across the seam; as in mix_join. */
typedef struct mix_column {
  const adig_carry &c;
  const adig_edge &e;
  R mix;
  int i;
  R *up, *rhs, *ring;
  __device__ __forceinline__ size_t at(int j) const { return ria_gpu_at(&c.v, i, j); }
  __device__ __forceinline__ size_t edge(int what) const {
    return (size_t)what * (size_t)c.v.nx + (size_t)i;
  }
  __device__ __forceinline__ R given(int what) const {
    return e.from ? __ldcg(in(e.from) + edge(what)) : (R)0;
  }
  __device__ __forceinline__ void leave(int what, R v) const { out(e.to)[edge(what)] = v; }
} mix_column;

/* The row of the seam, with what is known of it in the north: behind the last row. */
__device__ __forceinline__ void mix_seam(const mix_column &m, R h, R conc, R first_h, R first_c) {
  const adi_row seam = adi_mix_row(h, first_h, conc, first_c, m.mix);
  const size_t last = m.at(m.c.end - 1), behind = m.at(m.c.end);
  m.ring[last] -= m.up[last];
  m.rhs[behind] = seam.rhs - seam.lo * m.rhs[last];
  m.ring[behind] = seam.di + seam.lo * m.ring[last];
  m.up[behind] = seam.up;
}

/* Eliminated northwards from the edge that the part before left. */
__device__ __forceinline__ void mix_north(const mix_column &m) {
  const adig_carry &c = m.c;
  const bool goes_on = m.e.from != NULL, ring = m.e.ring;
  const R *load = in(c.load_new);
  R h_before = m.given(EDGE_H), c_before = m.given(EDGE_C);
  R up_before = m.given(EDGE_UP), rhs_before = m.given(EDGE_RHS);
  R ring_before = goes_on ? m.given(EDGE_RING) : (R)1;
  R first_h = m.given(EDGE_FIRST_H), first_c = m.given(EDGE_FIRST_C);
  for (int j = c.begin; j < c.end; j++) {
    const size_t at = m.at(j);
    const R h = adi_depth(in(c.level)[at], in(c.bed)[at]);
    const R conc = adi_concentration(load[at], h);
    if (goes_on || j > c.begin) {
      const adi_row face = adi_mix_row(h_before, h, c_before, conc, m.mix);
      const adi_row row = adi_eliminate(face, up_before, rhs_before);
      adi_row one = face;
      one.rhs = 0;
      if (ring) ring_before = adi_eliminate(one, up_before, ring_before).rhs;
      up_before = row.up, rhs_before = row.rhs;
    } else {
      first_h = h, first_c = conc;
    }
    m.up[at] = up_before, m.rhs[at] = rhs_before;
    if (ring) m.ring[at] = ring_before;
    h_before = h, c_before = conc;
  }
  if (ring && m.e.last) mix_seam(m, h_before, c_before, first_h, first_c);
  if (!m.e.to) return;
  m.leave(EDGE_H, h_before), m.leave(EDGE_C, c_before);
  m.leave(EDGE_UP, up_before), m.leave(EDGE_RHS, rhs_before);
  m.leave(EDGE_RING, ring_before);
  m.leave(EDGE_FIRST_H, first_h), m.leave(EDGE_FIRST_C, first_c);
}

/* And substituted back southwards. */
__device__ __forceinline__ void mix_south(const mix_column &m) {
  R *load = out(m.c.load_new), above = m.given(EDGE_X);
  for (int j = m.c.end - 1; j >= m.c.begin; j--) {
    const size_t at = m.at(j);
    const R x = m.rhs[at] - m.up[at] * above;
    load[at] = adi_mixed(load[at], x, above);
    above = x;
  }
  if (m.e.to) m.leave(EDGE_X, above);
}

/* Both solutions of a column that closes; in the first part what crosses the seam follows. */
__device__ __forceinline__ void mix_ring_south(const mix_column &m) {
  const adig_carry &c = m.c;
  const size_t behind = m.at(c.end);
  R due = m.given(EDGE_DUE), by = m.given(EDGE_BY), seam_up = m.given(EDGE_SEAM_UP);
  if (m.e.last)
    due = m.rhs[behind], by = m.ring[behind], seam_up = m.up[behind];
  else
    m.rhs[behind] = m.given(EDGE_X), m.ring[behind] = m.given(EDGE_Z);
  for (int j = c.end - 1; j >= c.begin; j--) {
    const size_t at = m.at(j), ahead = m.at(j + 1);
    if (m.e.last && j == c.end - 1) continue;
    m.rhs[at] -= m.up[at] * m.rhs[ahead];
    m.ring[at] -= m.up[at] * m.ring[ahead];
  }
  if (m.e.to) {
    m.leave(EDGE_X, m.rhs[m.at(c.begin)]), m.leave(EDGE_Z, m.ring[m.at(c.begin)]);
    m.leave(EDGE_DUE, due), m.leave(EDGE_BY, by), m.leave(EDGE_SEAM_UP, seam_up);
    return;
  }
  const size_t second = m.at(c.begin + 1);
  const R crosses = ria_over(due - seam_up * m.rhs[second], by + seam_up * m.ring[second]);
  for (int k = 0; k < m.e.lanes; k++) out(m.e.all[k])[m.i] = crosses;
}

/* What crosses the seam is known. */
__device__ __forceinline__ void mix_ring_end(const mix_column &m) {
  const R crosses = m.given(0);
  R *load = out(m.c.load_new), above = crosses;
  if (!m.e.last) above = m.rhs[m.at(m.c.end)] + crosses * m.ring[m.at(m.c.end)];
  for (int j = m.c.end - 1; j >= m.c.begin; j--) {
    const size_t at = m.at(j);
    const R x = m.rhs[at] + crosses * m.ring[at];
    load[at] = adi_mixed(load[at], x, above);
    above = x;
  }
}

__global__ void __launch_bounds__(EACH)
    mix_columns(const __grid_constant__ adig_carry c, const __grid_constant__ adig_edge e,
                double diffusion, void *up, void *rhs, void *ring) {
  if (idle(c.bad, c.step) || *c.parts > 0) return;
  const R mix = (R)(diffusion * c.step->dt / (c.v.dy * c.v.dy));
  FOR_EACH(i, c.v.nx) {
    const mix_column m = {c, e, mix, (int)i, out(up), out(rhs), out(ring)};
    if (e.way == NORTHWARDS)
      mix_north(m);
    else if (e.way == AT_SEAM)
      mix_ring_end(m);
    else if (e.ring)
      mix_ring_south(m);
    else
      mix_south(m);
  }
  __threadfence_system();
}

/* --- decay ------------------------------------------------------------------------------------ */

/* A block a row at a time; lost: kg of each row so far. */
__global__ void __launch_bounds__(EACH)
    decay(const __grid_constant__ adig_carry c, double rate, double *lost) {
  __shared__ double room[EACH];
  const ria_gpu_view &v = c.v;
  if (idle(c.bad, c.step)) return;
  const R keep = (R)ria_decay_leaves(rate, c.step->dt);
  for (int j = c.begin + (int)blockIdx.x; j < c.end; j += gridDim.x) {
    double sum = 0;
    for (int i = threadIdx.x; i < v.nx; i += EACH) {
      R *load = &out(c.load_new)[ria_gpu_at(&v, i, j)];
      const R left = *load * keep;
      sum += (double)*load - (double)left;
      *load = left;
    }
    sum = block_sum(room, sum);
    if (threadIdx.x == 0) lost[j] += sum * v.dx * v.dy;
  }
}

/* --- launches --------------------------------------------------------------------------------- */

cudaError_t do_carry(const adig_carry *c, cudaStream_t st) {
  const int rows = c->end - c->begin;
  if (c->order == 1) return LAUNCH(carry, blocks_of((int64_t)c->v.nx * rows), st, *c);
  const int wide = (c->v.nx + TILE_X - 1) / TILE_X, high = (rows + TILE_Y - 1) / TILE_Y;
  return LAUNCH(carry_sharply, (unsigned)(wide * high), st, *c);
}
cudaError_t do_mix(const adig_carry *c, int part, double diffusion, cudaStream_t st) {
  return OVER_CELLS(mix, &c->v, st, *c, part, diffusion);
}
cudaError_t do_mix_home(const adig_carry *c, cudaStream_t st) {
  return OVER_CELLS(mix_home, &c->v, st, *c);
}
cudaError_t do_mix_columns(const adig_carry *c, const adig_edge *e, double diffusion, void *up,
                           void *rhs, void *ring, cudaStream_t st) {
  return LAUNCH(mix_columns, blocks_of(c->v.nx), st, *c, *e, diffusion, up, rhs, ring);
}
cudaError_t do_mix_lines(const adig_carry *c, int axis, double diffusion, void *up, void *rhs,
                         void *ring, cudaStream_t st) {
  return LAUNCH(mix_lines, blocks_of(axis == ADI_X ? c->end - c->begin : c->v.nx), st, *c, axis,
                diffusion, up, rhs, ring);
}
cudaError_t do_decay(const adig_carry *c, double rate, double *lost, cudaStream_t st) {
  return LAUNCH(decay, blocks_of((int64_t)(c->end - c->begin) * EACH), st, *c, rate, lost);
}

#undef R
} // namespace
