/* shallow_water_parts.c - what parts of a grid say to each other (ria_solver_ops.say).
 *
 * A step of a part: what forcing asks for, of all parts together, then the step, then what all
 * found in their new states: how fast the next step may be, or that one is bad and no part goes on.
 * A discharge is spread over its stretch by what all cells of it hold, so parts know depth, bed and
 * roughness of each. Outlets are judged by the whole of their stretches. */
#include "shallow_water.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RIM = 4 }; /* numbers that are known of a cell of a discharge or a rating */

static ria_status room_for(sw *s, int n) {
  if (n <= s->list_room) return RIA_OK;
  double *list = realloc(s->list, (size_t)n * sizeof *list);
  if (!list) return ria_planes_no_memory(&s->planes, "the sides");
  s->list = list;
  s->list_room = n;
  return RIA_OK;
}

/* --- discharges ------------------------------------------------------------------------------- */

ria_status sw_rim_of(sw *s, const ria_boundary_set *b) {
  const int ny = s->planes.grid.ny;
  if (!s->rim) s->rim = malloc(2 * (size_t)ny * sizeof *s->rim);
  if (!s->rim) return ria_planes_no_memory(&s->planes, "the sides");
  s->n_rim = 0;
  for (int side = RIA_WEST; side <= RIA_EAST; side++)
    for (int k = 0; k < ny; k++) {
      const int kind = b->stretch[b->owner[side][k]].kind;
      const bool is = kind == SIDE_DISCHARGE || kind == SIDE_RATING;
      s->rim[side * ny + k] = is ? s->n_rim++ : -1;
    }
  return room_for(s, RIM * s->n_rim);
}

sw_rim_cell sw_rim_at(const sw *s, ria_side side, int k) {
  const double *v = s->list + RIM * s->rim[(int)side * s->planes.grid.ny + k];
  return (sw_rim_cell){v[0], v[1], v[2], v[3]};
}

/* Those that the part has, in one of the states; NaN for the others. */
static void note_rim(sw *s, int state) {
  const ria_planes *p = &s->planes;
  for (int side = RIA_WEST; side <= RIA_EAST; side++)
    for (int j = 0; j < p->grid.ny; j++) {
      const int place = s->rim[side * p->grid.ny + j];
      if (place < 0) continue;
      double *v = s->list + RIM * place;
      v[0] = v[1] = v[2] = v[3] = NAN;
      if (!ria_planes_own(p, j)) continue;
      const size_t at = sw_at(s, side == RIA_WEST ? 0 : p->grid.nx - 1, j);
      v[0] = sw_get(s, s->state[state][SW_H], at);
      v[1] = sw_get(s, s->bed, at);
      v[2] = s->manning ? sw_get(s, s->manning, at) : 1.0;
      v[3] = sw_get(s, s->state[state][SW_STATE_QX], at);
    }
}

/* --- outlets ---------------------------------------------------------------------------------- */

ria_status sw_sample_noted(void *self, int field, int tracer, int n, const int32_t *cell,
                           double *out) {
  sw *s = self;
  RIA_TRY(room_for(s, s->n_list + n));
  RIA_TRY(ria_planes_sample(s, field, tracer, n, cell, out));
  memcpy(s->list + s->n_list, out, (size_t)n * sizeof *out);
  s->n_list += n;
  return RIA_OK;
}

/* The next n of a list that was noted, where all parts have said theirs; self: const double **. */
static ria_status sample_again(void *self, int field, int tracer, int n, const int32_t *cell,
                               double *out) {
  const double **next = self;
  (void)field, (void)tracer, (void)cell;
  memcpy(out, *next, (size_t)n * sizeof *out);
  *next += n;
  return RIA_OK;
}

static ria_status judge_outlets(sw *s) {
  const ria_planes *p = &s->planes;
  const ria_forcing_set set = {
      .table = p->table,
      .boundary = {
          p->n_stretch, p->stretch, {p->owner[0], p->owner[1], p->owner[2], p->owner[3]}, NULL, 0}};
  const double *next = s->list;
  sw_outlets outlets;
  RIA_TRY(sw_judge_outlets(p->ctx, &p->grid, &set, sample_again, &next, &outlets));
  sw_know_outlets(s, &outlets);
  return RIA_OK;
}

/* --- meeting ---------------------------------------------------------------------------------- */

ria_status sw_meet(sw *s, int why, ria_meeting m) {
  s->planes.waits = why;
  if (ria_planes_whole(&s->planes)) return sw_hear(s, &m);
  if (why == SW_STATE || why == SW_STEP) {
    if (s->n_rim) note_rim(s, why == SW_STEP ? 1 - s->now : s->now);
    s->n_list = RIM * s->n_rim;
  }
  m.list = s->list;
  m.n_list = why == SW_FORCING ? 0 : s->n_list;
  s->planes.said = m;
  return RIA_OK;
}

ria_status sw_hear(void *self, const ria_meeting *all) {
  sw *s = self;
  const int why = s->planes.waits;
  s->planes.waits = 0;
  switch (why) {
  case SW_OUTLETS:
    return judge_outlets(s);
  case SW_STATE:
    sw_know(&s->clock, all->most[SW_SPEED], (int32_t)all->where[SW_SPEED]);
    return RIA_OK;
  case SW_FORCING:
    sw_choose_step(s, all);
    if (s->clock.done) return RIA_OK;
    sw_run(s);
    return sw_meet(s, SW_STEP, sw_gather(s));
  case SW_STEP:
    sw_take_over(s, all);
    return RIA_OK;
  default:
    return RIA_OK;
  }
}
