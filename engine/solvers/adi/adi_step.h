/* adi_step.h - a step on the CPU, for one precision (RIA_PRECISION): sweeps, tracers, and the
 * threads that take them together.
 *
 *   adi_sweep.h      the two sweeps
 *   adi_tracers.h    tracers after a sweep
 *   adi_mix.h        implicit diffusion
 *   adi_follow.h     what follows a step
 *   adi_part_step.h  the same of a part of the grid */
#include "adi_sweep.h"
#include "adi_tracers.h"
#include "adi_follow.h"
#include "adi_mix.h"
#include "backend/barrier.h"

/* --- the loop over steps ---------------------------------------------------------------------- */

/* A step under way; level indices: before, between the sweeps, after. */
typedef struct stepping {
  sweep_args sweep;
  adi_step now;
  bool go, stepped, looked;
  bool mixes_lines; /* diffusion is implicit: mixes = 0 */
  int from, half, after, load_before, mixes;
} stepping;

static void begin_sweep(adi *s, enum adi_axis axis, stepping *st) {
  sweep_args *w = &st->sweep;
  const bool x = axis == ADI_X;
  const adi_params *p = &s->param;
  memset(w, 0, sizeof *w);
  w->s = s;
  w->axis = axis;
  w->along = x ? 1 : s->planes.stride;
  w->across = x ? s->planes.stride : 1;
  const double da = x ? s->planes.grid.dx : s->planes.grid.dy,
               dc = x ? s->planes.grid.dy : s->planes.grid.dx;
  const double dt_u = x ? st->now.dt : st->now.across, turn = ria_coriolis(p->forces.latitude);
  w->way =
      adi_way_of(p->gravity, da, dc, st->now.dt, dt_u, p->drying_depth, p->flooding_depth, p->land);
  w->way.lw = p->cross == ADI_CROSS_THESIS ? (R)0 : (R)(dt_u / dc);
  w->way.upwind = p->upwind == ADI_UPWIND_FROUDE ? (R)1 : (R)0;
  w->way.turn = (R)(x ? turn : -turn);
  /* at the middle of the step of the flux that is solved for */
  w->way.wind = (R)adi_wind_at(s, axis, st->now.t + (x ? 0.5 : 1.0) * st->now.dt);

  const int now = s->flux_now[axis], v = s->flux_now[!axis];
  w->bed = (const R *)s->bed;
  w->level = (const R *)s->level[x ? st->from : st->half];
  w->level_new = (R *)s->level[x ? st->half : st->after];
  w->u = (const R *)s->flux[axis][now];
  w->u_new = (R *)s->flux[axis][1 - now];
  w->v = (const R *)s->flux[!axis][v];
  w->v_old = (const R *)s->flux[!axis][1 - v];
  w->manning_one = (R)p->manning;
  w->manning = s->manning ? (const R *)s->manning : &w->manning_one;
  w->viscosity_one = (R)p->eddy;
  w->viscosity = s->viscosity ? (const R *)s->viscosity : &w->viscosity_one;
  w->carried = w->u;
  w->between = (R *)s->between;
  w->moved_along = s->nt ? (R *)s->moved[axis] : NULL;
  w->moved_across = s->nt ? (R *)s->moved[!axis] : NULL;
}

/* The first solution of a sweep is there: set up the second. */
static void second_solution(stepping *st) {
  sweep_args *w = &st->sweep;
  adi_close(w->s, w->between);
  w->carried = w->between;
  w->between = NULL;
  w->way.lw = 0;
}

/* Combine what all threads found in the current state with the inflow that is about to begin, where
 * dt depends on it. */
static void take_look(adi *s) {
  adi_seen all = adi_seen_none();
  for (int k = 0; k < s->barrier->threads; k++) adi_see(&all, &s->seen[k]);
  if (!(s->rules.dt > 0)) adi_see_forcing(s, s->clock.dt_full, &all);
  adi_look_at(&s->clock, &s->rules, &all);
  if (s->clock.high && s->clock.failure == ADI_WELL) s->status = adi_judge_level(s);
}

/* Between two steps, on one thread: choose the next and set up its x-sweep. */
static void next_step(adi *s, stepping *st) {
  adi_clock *c = &s->clock;
  st->go = false;
  if (st->stepped) adi_end_step(c, &st->now);
  st->stepped = false;
  if (c->failure != ADI_WELL || c->steps >= c->steps_stop || !(c->t < c->t_stop)) return;
  if (st->looked) take_look(s);
  if (s->status != RIA_OK) return;
  adi_choose(c, &s->rules, &st->now);
  if (!st->now.on) return;
  adi_begin_step(c, &st->now);
  st->go = true;
  st->from = s->level_now;
  st->half = (s->level_now + 1) % 3;
  st->after = (s->level_now + 2) % 3;
  st->load_before = s->load_now;
  const double t = st->now.t, dt = st->now.dt;
  adi_even_rated(s, ADI_Y);
  adi_apply_sources(s, t, dt);
  water_inflow_at(&s->forcing, &s->planes, s->nt, t + 0.5 * dt);
  adi_force_at(s, ADI_X, t + 0.5 * dt, t + dt);
  adi_close_state(s);
  begin_sweep(s, ADI_X, st);
}

/* After a sweep, on one thread. A bad one does not count: the state before the step is the present
 * one still. */
static void end_sweep(adi *s, stepping *st) {
  const enum adi_axis axis = st->sweep.axis;
  if (adi_anything_bad(s)) {
    adi_blame(s, st->sweep.level_new, st->sweep.u_new);
    adi_undo(s, axis, st->from, st->load_before);
    st->go = false;
    return;
  }
  for (int k = 0; k < s->planes.threads; k++)
    adi_know_fast(s, s->found[k].courant, s->found[k].cell);
  s->flux_now[axis] = 1 - s->flux_now[axis];
  s->level_now = axis == ADI_X ? st->half : st->after;
}

static void begin_y(adi *s, stepping *st) {
  if (s->nt) s->load_now = 1 - s->load_now;
  const double t = st->now.t, dt = st->now.dt;
  adi_even_rated(s, ADI_X);
  adi_bend_sides(s, ADI_X, dt);
  adi_force_at(s, ADI_Y, t + dt, t + 1.5 * dt);
  adi_bend_sides(s, ADI_Y, dt);
  adi_close_state(s);
  begin_sweep(s, ADI_Y, st);
}

static void end_y(adi *s, stepping *st) {
  if (s->nt) s->load_now = 1 - s->load_now;
  adi_close_state(s);
  st->stepped = true;
  st->mixes = adi_mixes(s, st->now.dt, &st->mixes_lines);
}

/* The groups of a sweep that are a thread's. */
static void sweep_part(adi *s, const sweep_args *w, int thread, int threads) {
  const int each = w->axis == ADI_X ? (int)LANES : (int)COLUMNS;
  const int lines = w->axis == ADI_X ? s->planes.grid.ny : s->planes.grid.nx,
            groups = (lines + each - 1) / each;
  const int g0 = (int)((int64_t)groups * thread / threads);
  const int g1 = (int)((int64_t)groups * (thread + 1) / threads);
  R *scratch = (R *)s->scratch[thread];
  adi_found found = {0};
  for (int g = g0; g < g1; g++)
    if (w->axis == ADI_X)
      x_group(w, scratch, g * each, lines, &found);
    else
      y_group(w, scratch, g * each, &found);
  s->found[thread] = found;
}

/* All threads have done their rows: one thread runs the statement ALONE, the others wait. A macro
 * because C has no other way to hand over a statement. */
#define MEET(ALONE)                                                                                \
  do {                                                                                             \
    ria_barrier_wait(s->barrier);                                                                  \
    if (thread == 0) {                                                                             \
      ALONE;                                                                                       \
    }                                                                                              \
    ria_barrier_wait(s->barrier);                                                                  \
  } while (0)

/* A sweep, by all threads together: one solution of its lines, or two (adi_cross). */
static void sweep_lines(adi *s, stepping *st, int thread, int threads) {
  if (s->between) {
    sweep_part(s, &st->sweep, thread, threads);
    MEET(second_solution(st));
  }
  sweep_part(s, &st->sweep, thread, threads);
  MEET(end_sweep(s, st));
}

/* One step, by all threads together. */
static void take_step(adi *s, stepping *st, int thread, int threads) {
  const int ny = s->planes.grid.ny;
  const int j0 = (int)((int64_t)ny * thread / threads);
  const int j1 = (int)((int64_t)ny * (thread + 1) / threads);
  R *scratch = (R *)s->scratch[thread];
  if (s->viscosity) {
    eddies(s, j0, j1, st->now.dt);
    MEET(adi_close(s, s->viscosity));
  }
  sweep_lines(s, st, thread, threads);
  if (!st->go) return;
  if (s->nt) carry(s, scratch, (const R *)s->level[st->from], j0, j1);
  MEET(begin_y(s, st));
  sweep_lines(s, st, thread, threads);
  if (!st->go) return;
  if (s->nt) carry(s, scratch, (const R *)s->level[st->half], j0, j1);
  MEET(end_y(s, st));
  for (int k = 0; k < st->mixes; k++) {
    mix_part(s, scratch, (const R *)s->level[st->after], j0, j1, st->now.dt / st->mixes);
    MEET(s->load_now = 1 - s->load_now);
  }
  if (st->mixes_lines)
    for (int axis = ADI_X; axis <= ADI_Y; axis++) {
      mix(s, scratch, (const R *)s->level[st->after], (enum adi_axis)axis, st->now.dt, thread,
          threads);
      ria_barrier_wait(s->barrier);
    }
  decay(s, j0, j1, st->now.dt);
  for (int j = j0; j < j1 && s->planes.n_track; j++) keep_maxima(s, j);
}

void RIA_K(adi_advance)(adi *s) {
  stepping st = {.go = false};
#pragma omp parallel num_threads(s->planes.threads)
  {
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
#pragma omp single
    s->barrier->threads = threads; /* as many as there are, not as were asked for */
    const int j0 = (int)((int64_t)s->planes.grid.ny * thread / threads);
    const int j1 = (int)((int64_t)s->planes.grid.ny * (thread + 1) / threads);
    for (;;) {
      const bool look = adi_look_due(&s->clock, &s->rules, s->clock.steps + st.stepped);
      if (look) s->seen[thread] = look_at_rows(s, j0, j1);
      MEET(st.looked = look; next_step(s, &st));
      if (!st.go) break;
      take_step(s, &st, thread, threads);
    }
  }
}

#undef MEET

#include "adi_part_step.h"

#undef ADI_LOOP
#undef R
