/* shallow_water_rim.h - edges on the boundary of the domain, on the CPU, in the run's precision:
 * what stands beyond them, and their place among those of a row. Included by shallow_water_step.h;
 * the formulas are in shallow_water_rim_k.h. */

/* What the k-th edge of a side is: of a rating a level or closed. */
static int kind_at(const sw *s, ria_side side, int k) {
  const int owner = s->planes.owner[side][k];
  const bool closed = s->forcing.curve[owner] && !(s->forcing.share[side][k] > 0);
  return closed ? SIDE_RATING : s->planes.stretch[owner].kind;
}

/* A current outside at the k-th edge of a side, m/s. which: WATER_OUT_U or WATER_OUT_V. */
static R current_at(const sw *s, ria_side side, int k, int which) {
  const int owner = s->planes.owner[side][k];
  return (R)water_side_value(&s->forcing, &s->planes, which, (int)side, k, owner);
}

/* How much faster than the current outside the k-th cell of a side, `at`, runs along it; *wet: if
 * it runs at all. like: the cell whose stretch counts. */
static R slips(const step_args *st, ria_side side, int k, int like, size_t at, int *wet) {
  const sw *s = st->s;
  const bool along_x = ria_side_along_x(side);
  const bool same = s->planes.owner[side][k] == s->planes.owner[side][like];
  const sw_flow f =
      sw_flow_of(st->old[SW_H][at], st->old[SW_STATE_QX][at], st->old[SW_STATE_QY][at], &st->k);
  *wet = f.h > 0;
  return (along_x ? f.v : f.u) - current_at(s, side, same ? k : like, water_current_along(along_x));
}

/* What a radiating side is told of the outside, and of the water beside its cell. */
static void radiates(const step_args *st, ria_side side, int k, sw_beyond *b) {
  const sw *s = st->s;
  const ria_grid *g = &s->planes.grid;
  const bool along_x = ria_side_along_x(side);
  const int n = ria_side_length(g, side);
  const double across = along_x ? g->dx : g->dy, along = along_x ? g->dy : g->dx;
  int i, j, wet, before = 0, after = 0;
  ria_side_cell(g, side, k, &i, &j);
  const size_t at = sw_at(s, i, j), next = along_x ? s->planes.stride : 1;
  const bool ring = along_x ? s->rings.y : s->rings.x; /* the side has no ends */
  const R lo = k > 0 || ring ? slips(st, side, (k > 0 ? k : n) - 1, k, at - next, &before) : (R)0;
  const R hi = k + 1 < n || ring ? slips(st, side, (k + 1) % n, k, at + next, &after) : (R)0;
  const R here = slips(st, side, k, k, at, &wet),
          u = current_at(s, side, k, water_current_across(along_x));
  b->out = ria_side_is_upper(side) ? u : -u;
  b->along = current_at(s, side, k, water_current_along(along_x));
  b->parting = sw_parting(lo, here, hi, before, after, (R)(across / along));
  b->fade = (R)(across / (n * along));
}

/* What stands beyond the k-th edge of a side. h, ut: depth of its cell, velocity along the side. */
static sw_beyond beyond(const step_args *st, ria_side side, int k, R h, R ut) {
  const sw *s = st->s;
  const int owner = s->planes.owner[side][k], kind = kind_at(s, side, k);
  const bool along_x = ria_side_along_x(side);
  const R sign = ria_side_is_upper(side) ? (R)1 : (R)-1;
  sw_beyond b = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  b.value = kind == SIDE_DISCHARGE
                ? (R)s->forcing.share[side][k]
                : (R)water_side_value(&s->forcing, &s->planes, 0, (int)side, k, owner);
  b.tilt = st->forced ? sign * sw_rim_tilt(along_x, h, ut, &st->forces) : (R)0;
  if (kind == SIDE_RADIATE) radiates(st, side, k, &b);
  if (!water_side_falls(kind)) return b;
  int i, j;
  ria_side_cell(&s->planes.grid, side, k, &i, &j);
  const size_t at = sw_at(s, i, j);
  const size_t in = at + (size_t)ria_side_inwards(s->planes.grid.nx, s->planes.grid.ny,
                                                  (int)s->planes.stride, (int)side);
  const R d = (R)(along_x ? s->planes.grid.dx : s->planes.grid.dy);
  b.fall = sw_rim_fall(b.value, st->bed[in], st->bed[at], d);
  if (kind == SIDE_NORMAL)
    b.ease = sw_ease(b.fall, d, s->manning ? st->manning[at] : st->manning_one, &st->k);
  return b;
}

/* Replace edge [e] of x (or y) by one on the boundary; in: its interior cell, which is [cell] of
 * `row`; leaving: concentrations of what leaves it. */
static void boundary_edge(const step_args *st, ria_side side, int k, sw_at_rim in, sw_beyond b,
                          const cell_rows *row, R *const *leaving, int cell, edge_rows *out,
                          int e) {
  const sw *s = st->s;
  const int owner = s->planes.owner[side][k], kind = kind_at(s, side, k);
  const double area = s->planes.grid.dx * s->planes.grid.dy;
  ria_crossed *account = s->planes.crossed[side] + (size_t)k * (size_t)(1 + s->nt);
  const bool along_x = ria_side_along_x(side);
  const R h = row->h[cell];
  const sw_across a =
      sw_cross(kind, side, in, b, along_x ? st->dtdx : st->dtdy, area, account, &st->k);
  out->h[e] = a.h;
  out->left[e] = out->right[e] = a.push;
  out->side[e] = a.side;
  const double *conc = s->forcing.tracer + (size_t)owner * (size_t)s->nt;
  for (int m = 0; m < s->nt; m++)
    out->c[m][e] = sw_cross_load(kind, side, h * row->c[m][cell], leaving[m][cell], a.h, conc[m],
                                 area, &account[m + 1]);
}
/* The same at first order: the cell is as it is, and bounded by its own edge. */
static void boundary_edge_of(const step_args *st, ria_side side, int k, R z, const cell_rows *row,
                             int cell, edge_rows *out, int e) {
  const R h = row->h[cell];
  const sw_at_rim in = {h, row->u[cell], row->v[cell], z, h, (R)1e30, 0};
  const sw_beyond b = beyond(st, side, k, h, ria_side_along_x(side) ? row->v[cell] : row->u[cell]);
  boundary_edge(st, side, k, in, b, row, row->c, cell, out, e);
}
