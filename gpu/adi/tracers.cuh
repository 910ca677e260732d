/* gpu/adi/tracers.cuh - tracers of the implicit solver, per precision: carried by what crossed
 * faces in a sweep, diffusion, decay.
 *
 * The formulas are those of the CPU's loops. What depends on the length of a step reads it where
 * the clock left it. Included after rings.cuh. */
namespace {
#define R RIA_PRECISION

/* --- what flows ------------------------------------------------------------------------------- */

/* Concentration in a cell of the state a half step began with; beyond a side what inflow brings, or
 * what lies along the side across. */
__device__ __forceinline__ R concentration(const adig_carry *c, int i, int j) {
  const ria_gpu_view *v = &c->v;
  i = round_at(c->rings.x, i, v->nx), j = round_at(c->rings.y, j, v->ny);
  const int side = i < 0        ? RIA_WEST
                   : i == v->nx ? RIA_EAST
                   : j < 0      ? RIA_SOUTH
                   : j == v->ny ? RIA_NORTH
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

/* What lies at k, beyond an end that does not meet the other what is inside of it. */
__device__ __forceinline__ int inside(bool ring, int k, int n) {
  return ring ? (k + 2 * n) % n : min(max(k, 0), n - 1);
}

/* Concentrations and depths; beyond the sides is what is inside of them, or along the side across.
 */
__device__ __forceinline__ void read_tile(const adig_carry *c, tile *t) {
  const ria_gpu_view *v = &c->v;
  for (int k = threadIdx.x; k < (TILE_X + 4) * (TILE_Y + 4); k += EACH) {
    const int x = k % (TILE_X + 4), y = k / (TILE_X + 4);
    const int i = inside(c->rings.x, t->i0 + x - 2, v->nx),
              j = inside(c->rings.y, t->j0 + y - 2, v->ny);
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
    i = round_at(c->rings.x, i, v->nx), j = round_at(c->rings.y, j, v->ny);
    const bool beyond_x = i < 0 || i >= v->nx, beyond_y = j < 0 || j >= v->ny;
    if (beyond_x && beyond_y) continue;
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

/* Columns of a part of the grid, eliminated northwards from the edge that the part before left. */
__device__ __forceinline__ void mix_north(const adig_carry &c, const adig_edge &e, R mix, int i,
                                          R *up, R *rhs) {
  const ria_gpu_view *v = &c.v;
  const R *from = in(e.from), *load = in(c.load_new);
  const auto edge = [&](int what) { return (size_t)what * (size_t)v->nx + (size_t)i; };
  const auto given = [&](int what) { return from ? __ldcg(from + edge(what)) : (R)0; };
  R h_before = given(EDGE_H), c_before = given(EDGE_C);
  R up_before = given(EDGE_UP), rhs_before = given(EDGE_RHS);
  for (int j = c.begin; j < c.end; j++) {
    const size_t at = ria_gpu_at(v, i, j);
    const R h = adi_depth(in(c.level)[at], in(c.bed)[at]);
    const R conc = adi_concentration(load[at], h);
    if (from || j > c.begin) {
      const adi_row row =
          adi_eliminate(adi_mix_row(h_before, h, c_before, conc, mix), up_before, rhs_before);
      up_before = row.up, rhs_before = row.rhs;
    }
    up[at] = up_before, rhs[at] = rhs_before;
    h_before = h, c_before = conc;
  }
  if (!e.to) return;
  R *to = out(e.to);
  to[edge(EDGE_H)] = h_before, to[edge(EDGE_C)] = c_before;
  to[edge(EDGE_UP)] = up_before, to[edge(EDGE_RHS)] = rhs_before;
}

/* And substituted back southwards. */
__device__ __forceinline__ void mix_south(const adig_carry &c, const adig_edge &e, int i,
                                          const R *up, const R *rhs) {
  R *load = out(c.load_new), above = e.from ? __ldcg(in(e.from) + i) : (R)0;
  for (int j = c.end - 1; j >= c.begin; j--) {
    const size_t at = ria_gpu_at(&c.v, i, j);
    const R x = rhs[at] - up[at] * above;
    load[at] = adi_mixed(load[at], x, above);
    above = x;
  }
  if (e.to) out(e.to)[i] = above;
}

__global__ void __launch_bounds__(EACH)
    mix_columns(const __grid_constant__ adig_carry c, const __grid_constant__ adig_edge e,
                double diffusion, void *up, void *rhs) {
  if (idle(c.bad, c.step) || *c.parts > 0) return;
  const R mix = (R)(diffusion * c.step->dt / (c.v.dy * c.v.dy));
  FOR_EACH(i, c.v.nx) {
    if (e.northwards)
      mix_north(c, e, mix, (int)i, out(up), out(rhs));
    else
      mix_south(c, e, (int)i, in(up), in(rhs));
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
                           void *rhs, cudaStream_t st) {
  return LAUNCH(mix_columns, blocks_of(c->v.nx), st, *c, *e, diffusion, up, rhs);
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
