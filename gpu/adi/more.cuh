/* gpu/adi/more.cuh - what the implicit solver does beside its sweeps, per precision: eddy
 * viscosity, tracers, fields in and out.
 *
 * The formulas are those of the CPU's loops. What depends on the length of a step reads it where
 * the clock left it. Included after rings.cuh. */
namespace {
#define R RIA_PRECISION

/* --- eddy viscosity --------------------------------------------------------------------------- */

__global__ void __launch_bounds__(EACH) eddies(const __grid_constant__ adig_state s) {
  const ria_gpu_view *g = &s.v;
  if (idle(s.bad, s.step)) return;
  const double dt = s.step->dt;
  const ptrdiff_t st = (ptrdiff_t)g->stride;
  const double cell = g->dx < g->dy ? g->dx : g->dy;
  const R cs2 = (R)(s.smagorinsky * s.smagorinsky * g->dx * g->dy), rdx = (R)(1 / g->dx),
          rdy = (R)(1 / g->dy), most = (R)(0.25 * cell * cell / dt), add = (R)s.eddy,
          dry = (R)s.dry;
  FOR_EACH(k, (int64_t)g->nx * g->ny) {
    const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(g, (int)(k % g->nx), (int)(k / g->nx));
    const R *e = in(s.level) + at, *z = in(s.bed) + at, *p = in(s.p) + at, *q = in(s.q) + at;
    const auto depth = [&](ptrdiff_t o) { return e[o] - z[o]; };
    const auto u_at = [&](ptrdiff_t o, R h) { return (R)0.5 * (p[o] + p[o - 1]) / h; };
    const auto v_at = [&](ptrdiff_t o, R h) { return (R)0.5 * (q[o] + q[o - st]) / h; };
    const R h = depth(0) > dry ? depth(0) : (R)1, u = u_at(0, h), v = v_at(0, h);
    const R ux = (p[0] - p[-1]) / h * rdx, vy = (q[0] - q[-st]) / h * rdy;
    const R un = depth(st) > dry ? u_at(st, depth(st)) : u;
    const R us = depth(-st) > dry ? u_at(-st, depth(-st)) : u;
    const R ve = depth(1) > dry ? v_at(1, depth(1)) : v;
    const R vw = depth(-1) > dry ? v_at(-1, depth(-1)) : v;
    const R mine =
        ria_min(water_smagorinsky(ux, (R)0.5 * rdy * (un - us), (R)0.5 * rdx * (ve - vw), vy, cs2),
                most - add);
    out(s.viscosity)[at] = depth(0) > dry ? add + mine : (R)0;
  }
}

/* --- tracers ---------------------------------------------------------------------------------- */

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

/* --- fields ----------------------------------------------------------------------------------- */

__device__ __forceinline__ double depth_at(const adig_state *s, ptrdiff_t at) {
  const double h = (double)in(s->level)[at] - (double)in(s->bed)[at];
  return h > 0 ? h : 0;
}

__device__ __forceinline__ double field_at(const adig_state *s, int field, const void *load,
                                           ptrdiff_t at) {
  const ptrdiff_t st = (ptrdiff_t)s->v.stride;
  const R *p = in(s->p) + at, *q = in(s->q) + at, *o = in(s->q_old) + at;
  const double q_now = 0.5 * ((double)q[-st] + (double)q[0]);
  const double q_old = 0.5 * ((double)o[-st] + (double)o[0]);
  const water_cell here = {depth_at(s, at), 0.5 * ((double)p[-1] + (double)p[0]),
                           0.5 * (q_now + q_old), (double)in(s->bed)[at]};
  if (field == WATER_LEVEL) return here.h > s->dry ? (double)in(s->level)[at] : (double)NAN;
  return water_value(field, here, load ? (double)in(load)[at] : 0.0, s->gravity, s->dry, s->axes);
}

__global__ void __launch_bounds__(EACH)
    derive(const __grid_constant__ adig_state s, int field, const void *load, void *to) {
  FOR_EACH(k, (int64_t)s.v.nx * s.v.ny) {
    const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(&s.v, (int)(k % s.v.nx), (int)(k / s.v.nx));
    if (!s.whatever && idle(s.bad, s.step)) { /* a maximum must not see it */
      out(to)[at] = (R)NAN;
      continue;
    }
    out(to)[at] = (R)(field == WATER_MANNING ? s.manning_one : field_at(&s, field, load, at));
  }
}

/* Level less bed, not cut at 0. */
__global__ void __launch_bounds__(EACH) density(const __grid_constant__ adig_state s, void *to) {
  FOR_EACH(k, (int64_t)s.v.nx * s.v.ny) {
    const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(&s.v, (int)(k % s.v.nx), (int)(k / s.v.nx));
    out(to)[at] = in(s.level)[at] - in(s.bed)[at];
  }
}

/* A value into each cell; what it makes of the cell's discharge is left in cells. */
__global__ void __launch_bounds__(EACH)
    set_cells(const __grid_constant__ adig_state s, int field, void *load, double *cells) {
  FOR_EACH(k, (int64_t)s.v.nx * s.v.ny) {
    const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(&s.v, (int)(k % s.v.nx), (int)(k / s.v.nx));
    const double v = water_given(field, cells[k]);
    const double h = depth_at(&s, at), z = (double)in(s.bed)[at];
    if (field == WATER_BED) {
      out(s.bed)[at] = (R)v;
      out(s.level)[at] = (R)((double)in(s.bed)[at] + h);
    }
    if (field == WATER_MANNING) out(s.manning)[at] = (R)v;
    if (field == WATER_LEVEL || field == WATER_DEPTH) {
      water_cell here = {h, 1, 1, z};
      const double scale = water_set_flow(field, v, s.dry, &here);
      out(s.level)[at] = (R)(field == WATER_LEVEL ? (here.h > 0 ? v : z) : z + here.h);
      for (int m = 0; m < s.nt; m++) out(s.load[m])[at] = (R)((double)in(s.load[m])[at] * scale);
      cells[k] = here.qx;
    }
    if (field == WATER_QX || field == WATER_QY) cells[k] = h > s.dry ? v : 0;
    if (field == WATER_U || field == WATER_V) cells[k] = h > s.dry ? v * h : 0;
    if (field == WATER_LOAD || field == WATER_CONC) out(load)[at] = (R)water_set_load(field, v, h);
  }
}

/* Discharges of cells, or factors on them, for the faces along an axis of both buffers. */
__global__ void __launch_bounds__(EACH)
    set_faces(const __grid_constant__ adig_state s, int axis, const double *cells, int factor,
              void *now, void *old) {
  const int nx = s.v.nx, ny = s.v.ny, x = axis == ADI_X;
  const int wide = nx + x, high = ny + !x;
  FOR_EACH(k, (int64_t)wide * high) {
    const int i = (int)(k % wide) - x, j = (int)(k / wide) - !x;
    const int il = i < 0 ? 0 : i, jl = j < 0 ? 0 : j;
    const int ir = x && i + 1 < nx ? i + 1 : il, jr = !x && j + 1 < ny ? j + 1 : jl;
    const double v = 0.5 * (cells[(int64_t)jl * nx + il] + cells[(int64_t)jr * nx + ir]);
    const size_t at = ria_gpu_at(&s.v, i, j);
    out(now)[at] = (R)(factor ? (double)in(now)[at] * v : v);
    out(old)[at] = (R)(factor ? (double)in(old)[at] * v : v);
  }
}

/* Faces that are closed, and those of walls, carry nothing; those of periodic sides are one. */
__global__ void __launch_bounds__(EACH)
    settle_faces(const __grid_constant__ adig_state s, int axis, void *now, void *old) {
  const int nx = s.v.nx, ny = s.v.ny, x = axis == ADI_X;
  const int wide = nx + x, high = ny + !x;
  FOR_EACH(k, (int64_t)wide * high) {
    const int i = (int)(k % wide) - x, j = (int)(k / wide) - !x;
    const int first = x ? i < 0 : j < 0, last = x ? i == nx - 1 : j == ny - 1;
    const ptrdiff_t at = (ptrdiff_t)ria_gpu_at(&s.v, i, j), to = x ? 1 : (ptrdiff_t)s.v.stride;
    bool shut = false, outlet = false;
    if ((first || last) && (x ? s.rings.x : s.rings.y)) {
      if (first) join_faces(s, at, ria_gpu_at(&s.v, x ? nx - 1 : i, x ? j : ny - 1), to, now, old);
      continue;
    }
    if (first || last) {
      const int side = x ? (first ? RIA_WEST : RIA_EAST) : (first ? RIA_SOUTH : RIA_NORTH);
      const int rim = s.v.first[side] + (x ? j : i);
      const int kind = s.v.stretch ? s.v.stretch[s.v.owner[rim]].kind : SIDE_WALL;
      outlet = kind == SIDE_RATING;
      shut = kind == SIDE_WALL || !(depth_at(&s, first ? at + to : at) > 0);
    } else {
      shut = is_closed(s, at, at + to);
    }
    for (R *u : {&out(now)[at], &out(old)[at]})
      if (shut || (outlet && (first ? *u > 0 : *u < 0))) *u = 0;
  }
}

__global__ void __launch_bounds__(EACH)
    add_cells(const __grid_constant__ adig_state s, int quantity, int n, const int32_t *cell,
              const double *amount) {
  R *plane = out(quantity == 0 ? s.level : s.load[quantity - 1]);
  FOR_EACH(k, n) {
    const size_t at = ria_gpu_at(&s.v, cell[k] % s.v.nx, cell[k] / s.v.nx);
    const double empty = quantity == 0 ? (double)in(s.bed)[at] : 0.0;
    const double v = (double)plane[at] + amount[k] / (s.v.dx * s.v.dy);
    plane[at] = (R)(v > empty ? v : empty);
  }
}

__global__ void __launch_bounds__(EACH)
    find_bad(const __grid_constant__ adig_state s, const void *level, const void *flux,
             unsigned long long *cell) {
  const ria_gpu_view &v = s.v;
  const int64_t before = (int64_t)(s.base + s.begin) * v.nx;
  FOR_EACH(k, (int64_t)v.nx * (s.end - s.begin)) {
    const size_t at = ria_gpu_at(&v, (int)(k % v.nx), s.begin + (int)(k / v.nx));
    if (!(fabs((double)in(level)[at]) < 1e30 && fabs((double)in(flux)[at]) < 1e30))
      atomicMin(cell, (unsigned long long)(before + k));
  }
}

/* --- launches --------------------------------------------------------------------------------- */

cudaError_t do_eddies(const adig_state *s, cudaStream_t st) {
  return OVER_CELLS(eddies, &s->v, st, *s);
}
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
cudaError_t do_derive(const adig_state *s, int field, const void *load, void *to, cudaStream_t st) {
  return OVER_CELLS(derive, &s->v, st, *s, field, load, to);
}
cudaError_t do_density(const adig_state *s, void *to, cudaStream_t st) {
  return OVER_CELLS(density, &s->v, st, *s, to);
}
cudaError_t do_set_cells(const adig_state *s, int field, void *load, double *cells,
                         cudaStream_t st) {
  return OVER_CELLS(set_cells, &s->v, st, *s, field, load, cells);
}
cudaError_t do_set_faces(const adig_state *s, int axis, const double *cells, int factor, void *now,
                         void *old, cudaStream_t st) {
  return OVER_CELLS(set_faces, &s->v, st, *s, axis, cells, factor, now, old);
}
cudaError_t do_settle(const adig_state *s, int axis, void *now, void *old, cudaStream_t st) {
  return OVER_CELLS(settle_faces, &s->v, st, *s, axis, now, old);
}
cudaError_t do_add(const adig_state *s, int quantity, int n, const int32_t *cell,
                   const double *amount, cudaStream_t st) {
  return LAUNCH(add_cells, blocks_of(n), st, *s, quantity, n, cell, amount);
}
cudaError_t do_find_bad(const adig_state *s, const void *level, const void *flux,
                        unsigned long long *cell, cudaStream_t st) {
  return OVER_CELLS(find_bad, &s->v, st, *s, level, flux, cell);
}

#undef R
} // namespace

extern const adig_kernels RIA_K(adig_kernels);
const adig_kernels RIA_K(adig_kernels) = {
    do_sweep,     do_force,       do_relax,  do_eddies, do_carry,    do_mix,       do_mix_lines,
    do_mix_home,  do_mix_columns, do_decay,  do_derive, do_density,  do_look,      do_tick,
    do_set_cells, do_set_faces,   do_settle, do_add,    do_find_bad, do_wrap,      do_layout,
    do_reduce,    do_join_pieces, do_finish, do_close,  do_meet,     do_meet_seen, do_tell_rim,
};
