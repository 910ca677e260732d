/* shallow_water_step.h - the time step on the CPU, for one precision (RIA_PRECISION).
 *
 * Rows are dealt to threads in contiguous strips. A strip is marched northwards, one block of
 * SW_BLOCK columns at a time; per row of a block:
 *
 *   prepare   velocities and concentrations of the row to the north, once per cell
 *   x edges   fluxes between the columns of this row
 *   y edges   fluxes to the row in the north; those to the south are the last row's, kept
 *   update    new state, friction, decay; largest wave speed and validity on the way
 *
 * so every edge is computed once (twice where blocks or strips meet, from the same numbers by the
 * same loop), and everything between the old state and the new stays in cache. The new state goes
 * to the other buffer. Dry land costs nothing: segments of SW_SEGMENT columns with no water in or
 * beside them are skipped at both ends of a row's block, and hold the same in both buffers.
 *
 * The next dt comes from the new state, so one pass over memory does a step. All results are the
 * same for any number of threads: maxima do not depend on order and no sum crosses a row. */
#include "shallow_water.h"
#include "backend/barrier.h"
#include "shallow_water_k.h"
#include "shallow_water_rim_k.h"
#include "shallow_water_slopes_k.h"
#include "shallow_water_eddies_k.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define R RIA_PRECISION
/* A loop over a row stands alone: inlined, gcc 12 forgets which arrays do not overlap and a step
 * runs at half the speed (measured). */
#define SW_LOOP __attribute__((noinline))
#define ROW (SW_BLOCK + 2 * RIA_PLANE_PAD) /* elements of a scratch row */

#include "shallow_water_rows.h"

/* A span under way. */
typedef struct march_state {
  step_args step;
  bool stepped; /* a step was taken and is not settled */
} march_state;

#include "shallow_water_rim.h"
#include "shallow_water_fields.h"
#include "shallow_water_eddies.h"
#include "shallow_water_second.h"

/* --- a row of a block ------------------------------------------------------------------------- */

static bool active(const sw *s, const uint8_t *wet, int j, int k) {
  const int nk = s->segments, at = sw_segment(s, j, k);
  const int south = j > 0 ? -nk : 0, north = j + 1 < s->planes.grid.ny ? nk : 0;
  const int west = k > 0 ? -1 : 0, east = k + 1 < nk ? 1 : 0;
  if (s->always[at]) return true;
  if (sw_has_rings(s) && !(south && north && west && east)) return sw_active_in_ring(s, wet, j, k);
  for (int row = south; row <= north; row += nk)
    for (int d = west; d <= east; d++)
      if (wet[at + row + d]) return true;
  return false;
}

/* Edges between row j and the one north of it (j = -1: the southern boundary), n cells from i0. */
static void y_edges(const step_args *st, int j, int i0, int n, const cell_rows *here,
                    const cell_rows *north, edge_rows *out, R *apparent) {
  const sw *s = st->s;
  if (s->rings.y || (j >= 0 && j < s->planes.grid.ny - 1)) {
    size_t at = sw_at(s, i0, j);
    const R *bed = st->bed + at + s->planes.stride;
    const sw_forces *f = &st->forces;
    if (st->forced) {
      apparent_bed(n, here->h + 1, here->u + 1, north->h + 1, north->u + 1, bed, -f->turn,
                   f->wind_y, f->shoal, f->dy_g, apparent);
      bed = apparent;
    }
    edges_between(st, n, here->h + 1, here->v + 1, here->w + 1, st->bed + at, north->h + 1,
                  north->v + 1, north->w + 1, bed, st->dtdy, out);
    carry_along(n, out->h, here->u + 1, north->u + 1, out->side);
    for (int m = 0; m < st->plain; m++)
      carry(n, out->h, here->h + 1, here->c[m] + 1, north->h + 1, north->c[m] + 1, st->mix_y[m],
            out->c[m]);
  } else {
    const ria_side side = j < 0 ? RIA_SOUTH : RIA_NORTH;
    const cell_rows *in = j < 0 ? north : here;
    const R *bed = st->bed + sw_at(s, i0, j < 0 ? 0 : j);
    for (int i = 0; i < n; i++) boundary_edge_of(st, side, i0 + i, bed[i], in, i + 1, out, i);
  }
}

static void x_edges(const step_args *st, int j, int i0, int n, const cell_rows *row, edge_rows *out,
                    R *apparent) {
  const sw *s = st->s;
  const R *bed = st->bed + sw_at(s, i0 - 1, j), *east = bed + 1;
  const sw_forces *f = &st->forces;
  if (st->forced) {
    apparent_bed(n + 1, row->h, row->v, row->h + 1, row->v + 1, east, f->turn, f->wind_x, f->shoal,
                 f->dx_g, apparent);
    east = apparent;
  }
  edges_between(st, n + 1, row->h, row->u, row->w, bed, row->h + 1, row->u + 1, row->w + 1, east,
                st->dtdx, out);
  carry_along(n + 1, out->h, row->v, row->v + 1, out->side);
  for (int m = 0; m < st->plain; m++)
    carry(n + 1, out->h, row->h, row->c[m], row->h + 1, row->c[m] + 1, st->mix_x[m], out->c[m]);
  if (s->rings.x) return;
  if (i0 == 0) boundary_edge_of(st, RIA_WEST, j, bed[1], row, 1, out, 0);
  if (i0 + n == s->planes.grid.nx) boundary_edge_of(st, RIA_EAST, j, bed[n], row, n, out, n);
}

/* A segment that stays dry: make both buffers agree, once. */
static void skip(const step_args *st, int j, int k) {
  const sw *s = st->s;
  const int segment = sw_segment(s, j, k);
  uint8_t *same = &s->same[segment];
  st->wet_new[segment] = 0;
  if (*same) return;
  const int i0 = k * SW_SEGMENT;
  const int n = s->planes.grid.nx - i0 < SW_SEGMENT ? s->planes.grid.nx - i0 : SW_SEGMENT;
  size_t at = sw_at(s, i0, j);
  for (int m = 0; m < SW_STATE_C + s->nt; m++)
    memcpy(st->new[m] + at, st->old[m] + at, (size_t)n * sizeof(R));
  *same = 1;
}

/* Wet flags of the segments [k0, k1) of a row just written. A wet one shows in its first cells. */
static void flag(const step_args *st, int j, int k0, int k1) {
  const sw *s = st->s;
  const R dry = st->k.dry, *h = st->new[SW_H] + sw_at(s, 0, j);
  const int row = sw_segment(s, j, 0);
  for (int k = k0; k < k1; k++) {
    const int end =
        (k + 1) * SW_SEGMENT < s->planes.grid.nx ? (k + 1) * SW_SEGMENT : s->planes.grid.nx;
    int wet = 0;
    for (int i = k * SW_SEGMENT; i < end && !wet; i += 16)
      for (int m = i; m < i + 16 && m < end; m++) wet |= h[m] > dry;
    st->wet_new[row + k] = (uint8_t)wet;
    s->same[row + k] = 0;
  }
}

/* --- a strip of rows -------------------------------------------------------------------------- */

/* Segments [*k0, *k1) of a block that must be stepped in row j: from the first active one to the
 * last. Those outside are skipped. */
static void reach(const step_args *st, int j, int b, int *k0, int *k1) {
  const sw *s = st->s;
  const int first = b * (SW_BLOCK / SW_SEGMENT);
  int last = first + SW_BLOCK / SW_SEGMENT;
  if (last > s->segments) last = s->segments;
  int lo = first, hi = last;
  while (lo < hi && !active(s, st->wet_old, j, lo)) skip(st, j, lo++);
  while (hi > lo && !active(s, st->wet_old, j, hi - 1)) skip(st, j, --hi);
  *k0 = lo;
  *k1 = hi;
}

/* The edges at the ends of a row that is a ring are one: a loop may have rounded its last otherwise
 * than its first. */
static void close_ring(const step_args *st, int i0, int n, edge_rows *x) {
  if (!st->s->rings.x || i0 > 0 || n < st->s->planes.grid.nx) return;
  x->h[n] = x->h[0];
  x->left[n] = x->left[0];
  x->right[n] = x->right[0];
  x->side[n] = x->side[0];
  for (int m = 0; m < st->s->nt; m++) x->c[m][n] = x->c[m][0];
}

/* The new state of n cells of row j, from what crossed their edges. */
static void finish_row(const step_args *st, int j, int i0, int n, const edge_rows *x,
                       const edge_rows *below, const edge_rows *above, sw_found *found) {
  const sw *s = st->s;
  const size_t at = sw_at(s, i0, j);
  int bad = 0;
  const double speed = (double)update(st, at, n, x, below, above, &bad);
  for (int m = 0; m < s->nt; m++) {
    bad |= update_tracer(st, m, at, n, x->c[m], below->c[m], above->c[m]);
    if (s->decay[m] > 0)
      *ria_planes_row(&s->planes, s->planes.decayed, 1 + m, j) +=
          decay(st, m, at, n) * s->planes.grid.dx * s->planes.grid.dy;
  }
  if (s->planes.n_track) keep_maxima(st, j, i0, n);
  found->bad |= bad;
  sw_note(found, speed, j, i0 / SW_BLOCK);
}

/* Step n cells of row j from column i0, o columns into the block. `kept`: row[0] and y[0] hold this
 * row's cells and the edges to its south; on return they hold what the row to the north needs. */
static void step_row(const step_args *st, scratch *w, int j, int i0, int o, int n, bool kept,
                     sw_found *found) {
  const sw *s = st->s;
  const int nt = s->nt;
  cell_rows here = cells_from(&w->row[0], nt, o);
  cell_rows north = cells_from(&w->row[1], nt, o);
  edge_rows below = edges_from(&w->y[0], nt, o);
  edge_rows above = edges_from(&w->y[1], nt, o);
  edge_rows x = edges_from(&w->x, nt, o);
  if (!kept) {
    prepare(st, sw_at(s, i0 - 1, j), n + 2, &here);
    if (j > 0 || s->rings.y) /* borrowed: the south */
      prepare(st, sw_at(s, i0 - 1, j - 1), n + 2, &north);
    y_edges(st, j - 1, i0, n, &north, &here, &below, w->apparent);
    if (st->stirs) {
      stir_y(st, w, j - 1, o, n, &w->row[1], stirred_as_is(&w->row[1]), &w->row[0],
             stirred_as_is(&w->row[0]), &below, found);
      keep_south(w, &w->row[1], o, n + 2);
    }
  }
  if (j + 1 < s->planes.grid.ny || s->rings.y) prepare(st, sw_at(s, i0 - 1, j + 1), n + 2, &north);
  x_edges(st, j, i0, n, &here, &x, w->apparent);
  y_edges(st, j, i0, n, &here, &north, &above, w->apparent);
  if (st->stirs) {
    const stirred first = stirred_as_is(&w->row[0]), next = stirred_as_is(&w->row[1]);
    stir_x(st, w, j, i0, o, n, first, &x, found);
    stir_y(st, w, j, o, n, &w->row[0], first, &w->row[1], next, &above, found);
    keep_south(w, &w->row[0], o, n + 2);
  }
  close_ring(st, i0, n, &x);
  finish_row(st, j, i0, n, &x, &below, &above, found);

  cell_rows c = w->row[0];
  w->row[0] = w->row[1];
  w->row[1] = c;
  edge_rows e = w->y[0];
  w->y[0] = w->y[1];
  w->y[1] = e;
}

/* The same at second order. kept: row[0], row[1], ahead[0] and y[0] hold what they should. */
static void step_row_second(const step_args *st, scratch *w, int j, int i0, int o, int n, bool kept,
                            sw_found *found) {
  const int nt = st->s->nt;
  if (!kept) begin_second(st, w, j, i0, o, n, found);
  ready_row(st, j + 2, i0, o, n, &w->row[2]);
  ahead_of(st, w, j + 1, i0, o, n);
  edge_rows below = edges_from(&w->y[0], nt, o);
  edge_rows above = edges_from(&w->y[1], nt, o);
  edge_rows x = edges_from(&w->x, nt, o);
  x_edges_second(st, w, j, i0, o, n, &x);
  y_edges_second(st, w, j, i0, o, n, &above);
  if (st->stirs) {
    const ahead_rows *a = w->ahead;
    stir_x(st, w, j, i0, o, n, stirred_ahead(&a[0], true), &x, found);
    stir_y(st, w, j, o, n, &w->row[0], stirred_ahead(&a[0], false), &w->row[1],
           stirred_ahead(&a[1], false), &above, found);
    keep_south(w, &w->row[0], o, n + 2);
  }
  close_ring(st, i0, n, &x);
  finish_row(st, j, i0, n, &x, &below, &above, found);

  turn(w);
  edge_rows e = w->y[0];
  w->y[0] = w->y[1];
  w->y[1] = e;
}

/* March block b over rows j0 <= j < j1. */
static void march(const step_args *st, scratch *w, int b, int j0, int j1, sw_found *found) {
  const sw *s = st->s;
  int kept0 = 0, kept1 = 0; /* segments for which the row before left its scratch */
  for (int j = j0; j < j1; j++) {
    int k0, k1;
    reach(st, j, b, &k0, &k1);
    if (k0 < k1) {
      const int i0 = k0 * SW_SEGMENT;
      const int n =
          (k1 * SW_SEGMENT < s->planes.grid.nx ? k1 * SW_SEGMENT : s->planes.grid.nx) - i0;
      const bool kept = kept0 <= k0 && k1 <= kept1;
      if (s->param.order == 2)
        step_row_second(st, w, j, i0, i0 - b * SW_BLOCK, n, kept, found);
      else
        step_row(st, w, j, i0, i0 - b * SW_BLOCK, n, kept, found);
      flag(st, j, k0, k1);
    }
    kept0 = k0;
    kept1 = k1;
  }
}

/* --- the loop over steps ---------------------------------------------------------------------- */

static void begin(sw *s, double dt, step_args *st) {
  memset(st, 0, sizeof *st);
  st->s = s;
  const double g = s->param.gravity;
  st->k = sw_constants(g, s->param.dry_depth, s->planes.grid.dx, s->planes.grid.dy);
  st->bed = (const R *)s->bed;
  for (int k = 0; k < SW_STATE_C + s->nt; k++) {
    st->old[k] = (const R *)s->state[s->now][k];
    st->new[k] = (R *)s->state[1 - s->now][k];
  }
  st->wet_old = s->wet[s->now];
  st->wet_new = s->wet[1 - s->now];
  st->dt = dt;
  st->dtdx = (R)(dt / s->planes.grid.dx);
  st->dtdy = (R)(dt / s->planes.grid.dy);
  st->manning_one = (R)s->param.manning;
  st->manning = s->manning ? (const R *)s->manning : &st->manning_one;
  st->gdt = (R)(g * dt);
  st->second = sw_second_of(s->param.limiter);
  const sw_pace pace = sw_pace_of(&s->param, &s->planes.grid, s->nt, s->diffusion, s->relaxed);
  st->stirs = pace.stirs;
  st->plain = pace.stirs ? 0 : s->nt;
  st->eddies = sw_eddies_of(&pace, s->param.smagorinsky, s->planes.grid.dx, s->planes.grid.dy, dt);
  st->forced = s->forced;
  st->forces = sw_forces_of(ria_coriolis(s->param.forces.latitude), s->stress, s->param.wind_depth,
                            s->planes.grid.dx, s->planes.grid.dy, g);
  st->eddy_x = (R)(pace.eddy * dt / (s->planes.grid.dx * s->planes.grid.dx));
  st->eddy_y = (R)(pace.eddy * dt / (s->planes.grid.dy * s->planes.grid.dy));
  for (int m = 0; m < s->nt; m++) {
    st->mix_x[m] = (R)(s->diffusion[m] * dt / (s->planes.grid.dx * s->planes.grid.dx));
    st->mix_y[m] = (R)(s->diffusion[m] * dt / (s->planes.grid.dy * s->planes.grid.dy));
    const double known = s->diffusion[m] + pace.eddy / pace.schmidt;
    st->known_x[m] = (R)(known * dt / (s->planes.grid.dx * s->planes.grid.dx));
    st->known_y[m] = (R)(known * dt / (s->planes.grid.dy * s->planes.grid.dy));
    st->keep[m] = (R)ria_decay_leaves(s->decay[m], dt);
  }
}

/* Between two steps, on one thread. False = the span is over. */
static bool next_step(sw *s, march_state *m) {
  const sw_clock *c = &s->clock;
  if (!sw_next(s, m->stepped)) return false;
  m->stepped = true;
  sw_force_at(s, c->t + 0.5 * c->dt);
  sw_apply_sources(s, c->t, c->dt);
  ria_planes_relax_at(&s->planes, sw_step_end(c));
  begin(s, c->dt, &m->step);
  return true;
}

/* Speed and wet flag of one segment of the present state. */
static double survey_segment(sw *s, const sw_const *c, int j, int k) {
  const R *h = (const R *)s->state[s->now][SW_H], *qx = (const R *)s->state[s->now][SW_STATE_QX],
          *qy = (const R *)s->state[s->now][SW_STATE_QY];
  const int end =
      (k + 1) * SW_SEGMENT < s->planes.grid.nx ? (k + 1) * SW_SEGMENT : s->planes.grid.nx;
  R speed = 0;
  bool wet = false;
  for (int i = k * SW_SEGMENT; i < end; i++) {
    const size_t at = sw_at(s, i, j);
    const R sp = sw_wave_speed(h[at], qx[at], qy[at], c);
    if (sp > speed) speed = sp;
    wet |= h[at] > c->dry;
  }
  const int at = sw_segment(s, j, k);
  s->wet[0][at] = s->wet[1][at] = wet;
  s->same[at] = 0;
  return (double)speed;
}

/* Which ghost rows of a part are wet: what lies in them may have come since the last step. */
static void survey_ghosts(sw *s) {
  const sw_const c =
      sw_constants(s->param.gravity, s->param.dry_depth, s->planes.grid.dx, s->planes.grid.dy);
  const ria_part rows = sw_rows_had(s);
  for (int j = rows.j0; j < rows.j1; j++)
    for (int k = 0; !ria_planes_own(&s->planes, j) && k < s->segments; k++)
      survey_segment(s, &c, j, k);
}

void RIA_K(sw_run)(sw *s) {
  march_state m = {.stepped = false};
  const ria_part part = s->planes.part;
  if (!ria_planes_whole(&s->planes)) survey_ghosts(s);
  if (sw_has_rings(s)) sw_close_ground(s);
  bool go = false;
#pragma omp parallel num_threads(s->planes.threads)
  {
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    const int64_t rows = part.j1 - part.j0;
    const int j0 = part.j0 + (int)(rows * thread / threads);
    const int j1 = part.j0 + (int)(rows * (thread + 1) / threads);
    const ria_part all = sw_rows_had(s); /* the first and the last thread take ghost rows too */
    const ria_part had = {thread == 0 ? all.j0 : j0, thread + 1 == threads ? all.j1 : j1};
#pragma omp single
    s->barrier->threads = threads; /* as many as there are, not as were asked for */
    scratch work;
    carve(s, thread, &work);
    for (;;) {
      if (thread == 0) go = next_step(s, &m);
      ria_barrier_wait(s->barrier);
      if (!go) break;
      if (s->planes.n_relax > 0) {
        sw_relax_rows(s, s->clock.dt, had.j0, had.j1);
        ria_barrier_wait(s->barrier);
      }
      if (sw_has_rings(s)) {
        sw_close_rows(s, had.j0, had.j1);
        ria_barrier_wait(s->barrier);
      }
      sw_found found = {0};
      for (int b = 0; b < s->blocks; b++) march(&m.step, &work, b, j0, j1, &found);
      s->found[thread] = found;
      ria_barrier_wait(s->barrier);
    }
  }
}

void RIA_K(sw_survey)(sw *s) {
  const sw_const c =
      sw_constants(s->param.gravity, s->param.dry_depth, s->planes.grid.dx, s->planes.grid.dy);
  memset(s->found, 0, (size_t)s->planes.threads * sizeof *s->found);
#pragma omp parallel for num_threads(s->planes.threads) schedule(static)
  for (int j = s->planes.part.j0; j < s->planes.part.j1; j++)
    for (int k = 0; k < s->segments; k++)
      sw_note(&s->found[omp_get_thread_num()], survey_segment(s, &c, j, k), j,
              k * SW_SEGMENT / SW_BLOCK);
}

#undef R
#undef ROW
#undef SW_LOOP
