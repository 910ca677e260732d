/* step.cuh - the time step on CUDA, for one precision (RIA_PRECISION).
 *
 * One kernel does a step. A warp holds 32 neighbouring columns, a lane each, and marches north over
 * the rows of its tile:
 *
 *   the row to the north   was loaded while the row before was worked on; velocities and
 *                          concentrations are derived from it once
 *   y edges                between this row and it; the one to the south is still in registers
 *   x edges                to the cell in the east, whose lane hands it over; what crosses the
 *                          edge in the west comes from that lane
 *   update                 new state, largest wave speed, validity, decay, maxima
 *
 * so a cell is read once, every edge is computed once (twice where tiles meet, from the same
 * numbers), and the new state is written once. The outer two columns of a warp belong to its
 * neighbours.
 *
 * Edges at which nothing but Roe's two waves can act (sw_calm) take a quarter of the arithmetic. A
 * warp takes the short way when all its edges may; both ways give the same bits, so that tiles
 * agree on the edges they share.
 *
 * A tile without water in it or beside it is not stepped: both states are made to hold the same
 * there, once. */
namespace {

/* --- a tile ----------------------------------------------------------------------------------- */

/* A walk north over a tile. FORCED: rotation and wind act. */
template <int NT, way WAY, bool FORCED> struct walk {
  static constexpr bool STIRS = WAY == STIRRED;
  const swg_args &a;
  ring<NT> &next;
  const int tile, lane, i; /* i: of this lane */
  const bool mine;         /* the cell is the tile's own, not a neighbour's */
  const bool ends;         /* the western or eastern side runs through the tile */
  const bool walled;       /* where the domain ends in the tile it ends in walls */
  const int highest;       /* element that may be read */
  const double dt;
  const R dtdx, dtdy, gdt;
  R drag;
  int at; /* element of the row worked on */
  stored<NT> raw;
  ready_cell<NT> here;
  crossing<NT> south;
  sight seen;
  double lost[NT > 0 ? NT : 1]; /* to decay */

  __device__ __forceinline__ walk(const swg_args &a, ring<NT> &next, int tx, int tile, int lane)
      : a(a), next(next), tile(tile), lane(lane), i(tx * SWG_COLUMNS - 1 + lane),
        mine(lane > 0 && lane <= SWG_COLUMNS && (WAY == PLAIN || i < a.v.nx)),
        ends(tx == 0 || (tx + 1) * SWG_COLUMNS >= a.v.nx),
        walled(WAY < ANY || !(a.v.always[tile] & SWG_FORCED)),
        highest((a.v.reach - 1) * a.v.stride + column()), dt(a.v.report->clock.dt),
        dtdx((R)(dt / a.v.dx)), dtdy((R)(dt / a.v.dy)), gdt((R)(a.v.p.gravity * dt)) {}

  __device__ __forceinline__ int column() const {
    return WAY == PLAIN ? i : WAY == WALLED ? min(max(i, 0), a.v.nx - 1) : column_there(a, i);
  }
  __device__ __forceinline__ int rows_on(int n) const {
    const int to = at + n * a.v.stride;
    return WAY == PLAIN ? to : WAY == WALLED ? min(to, highest) : element_there(a, to, highest);
  }

  /* The edge to the east or north of this lane's cell of row j. */
  template <bool ALONG_X> __device__ __forceinline__ stirring stir_here(int j) const {
    if constexpr (STIRS)
      return stir<ALONG_X>(a, i, j, dt);
    else
      return stirring();
  }

  __device__ __forceinline__ void begin(int j0, int j1) {
    at = j0 * a.v.stride + column();
    send_for<NT>(a, next, 1, lane, rows_on(1));
    send_for<NT>(a, next, 2, lane, rows_on(2));
    raw = load<NT>(a, at);
    here = ready<NT>(raw, a.k);
    south = crossing<NT>();
    seen = sight();
    for (int m = 0; m < NT; m++) lost[m] = 0;
    const int i0 = i - lane + 1;
    if (WAY >= ANY && !walled)
      rim_edges<NT, FORCED>(a, i0, min(i0 + SWG_COLUMNS, a.v.nx), j0, j1, lane, dtdx, dtdy);
    drag = gdt * (R)a.v.p.manning * (R)a.v.p.manning;
    const int below = WAY < ANY ? at - a.v.stride : rows_on(-1);
    if (WAY == PLAIN || j0 > 0 || (WAY >= ANY && a.v.ring_y))
      south = edge_south < NT, WAY<ANY, FORCED, STIRS>(a, ready<NT>(load<NT>(a, below), a.k), here,
                                                       dtdy, dt, stir_here<false>(j0 - 1));
    else
      south = end(RIA_SOUTH, i, mine, south);
  }

  /* The edge of the k-th cell of a side, in the lanes that are on it. */
  __device__ __forceinline__ crossing<NT> end(int side, int k, bool on,
                                              const crossing<NT> &e) const {
    return walled ? wall_edge<NT>(side, on, here, e) : end_edge<NT>(a, side, k, on, e);
  }

  /* n: of the row within the tile, or that turned round by four. */
  __device__ __forceinline__ void row(int j, int n) {
    const stored<NT> ahead = receive<NT>(next, (n + 1) & 3, lane);
    send_for<NT>(a, next, (n + 3) & 3, lane, rows_on(3));
    const maxima maxima_of_row = WAY < ANY || !a.v.n_track ? maxima() : send_for_maxima(a, at);
    const ready_cell<NT> north = ready<NT>(ahead, a.k);
    crossing<NT> xe, yn;
    edges < NT, WAY<ANY, FORCED, STIRS>(a, here, from_east<NT>(here), north, dtdx, dtdy, dt,
                                        stir_here<true>(j), stir_here<false>(j), &xe, &yn);
    crossing<NT> xw = from_west<NT>(xe);
    if (WAY == WALLED || (WAY >= ANY && ends && !a.v.ring_x)) {
      xw = end(RIA_WEST, j, mine && i == 0, xw);
      xe = end(RIA_EAST, j, mine && i == a.v.nx - 1, xe);
    }
    if (WAY != PLAIN && j == a.v.ny - 1 && !(WAY >= ANY && a.v.ring_y))
      yn = end(RIA_NORTH, i, mine, yn);
    if (WAY >= ANY && a.manning) {
      const R n = a.manning[at];
      drag = gdt * n * n;
    }
    finish_cell<NT, WAY >= ANY, FORCED>(a, at, j, raw, xw, xe, south, yn, drag, dtdx, dtdy, dt,
                                        mine, maxima_of_row, lost, &seen);
    raw = ahead;
    here = north;
    south = yn;
    at += a.v.stride;
  }
};

/* The march of swg_step at order 1. */
struct march_first {
  static constexpr int columns = SWG_COLUMNS, beside = 1, ahead = 2;
  static constexpr bool apart = false;
  template <int NT> using ring_of_warp = ring<NT>;

  /* Warps that a multiprocessor must hold at once: as many as registers allow without spilling
   * much. */
  static constexpr int warps(int nt) {
    return sizeof(R) == 8 ? (nt < 3 ? 12 : 8) : nt < 2 ? 24 : nt < 4 ? 20 : nt < 6 ? 16 : 12;
  }

  /* Step a tile. Two rows a turn spare moving what one row hands to the next; where anything may be
   * met that is not worth twice the code. Only the last tile row may have an odd number of rows. */
  template <int NT, way WAY, bool FORCED>
  static __device__ __forceinline__ sight tile(const swg_args &a, ring<NT> &next, int tx, int tile,
                                               rows_of_tile rows, int lane) {
    const int j0 = rows.begin, j1 = rows.end;
    walk<NT, WAY, FORCED> w(a, next, tx, tile, lane);
    w.begin(j0, j1);
    if (WAY >= ANY) {
#pragma unroll 1
      for (int j = j0; j < j1; j++) w.row(j, j - j0);
      if (NT > 0 && a.v.decays) enter_decay<NT>(a, w.tile, lane, w.mine, w.lost);
    } else {
#pragma unroll 1
      for (int j = j0, turn = 0; j < j1; j += 2, turn ^= 2) {
        w.row(j, turn);
        if (WAY == WALLED && j + 1 == j1) break;
        w.row(j + 1, turn + 1);
      }
    }
    return w.mine ? w.seen : sight();
  }
};

/* --- for the host ----------------------------------------------------------------------------- */

int resident(const swg_view *v) {
  return v->p.order == 2 ? RIA_K(swg_second).resident(v->nt) : march_first::warps(v->nt);
}

cudaError_t launch_step(const swg_view *v, int old, cudaGraphConditionalHandle loop, int closes,
                        cudaStream_t stream) {
  if (v->p.order == 2) return RIA_K(swg_second).step(v, old, loop, closes, stream);
  return launch_march<march_first>(v, old, loop, closes, stream);
}

} // namespace
