/* shallow_water_io.c - fields in and out, amounts added; the state by name.
 *
 * The state is h, qx, qy and hC per tracer; everything else is worked out here when it is asked
 * for. */
#include "shallow_water.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double depth_at(const sw *s, size_t at) { return sw_get(s, s->state[s->now][SW_H], at); }

static double value_of(const void *self, int field, int tracer, int i, int j) {
  const sw *s = self;
  const size_t at = sw_at(s, i, j);
  void *const *state = s->state[s->now];
  if (field == WATER_MANNING) return s->manning ? sw_get(s, s->manning, at) : s->param.manning;
  const water_cell here = {depth_at(s, at), sw_get(s, state[SW_STATE_QX], at),
                           sw_get(s, state[SW_STATE_QY], at), sw_get(s, s->bed, at)};
  const double load = tracer >= 0 ? sw_get(s, state[SW_STATE_C + tracer], at) : 0.0;
  return water_value(field, here, load, s->param.gravity, s->param.dry_depth, s->param.forces.axes);
}

static void *plane_of(const void *self, int field, int tracer) {
  const sw *s = self;
  void *const *state = s->state[s->now];
  switch (field) {
  case WATER_BED:
    return s->bed;
  case WATER_MANNING:
    return s->manning;
  case WATER_DEPTH:
    return state[SW_H];
  case WATER_QX:
    return state[SW_STATE_QX];
  case WATER_QY:
    return state[SW_STATE_QY];
  case WATER_LOAD:
    return state[SW_STATE_C + tracer];
  default:
    return NULL;
  }
}

static void *quantity_of(const void *self, int quantity) {
  const sw *s = self;
  return s->state[s->now][quantity == 0 ? SW_H : SW_STATE_C + quantity - 1];
}

/* Beyond the ends of a ring parts have the ground from each other too: `write` does not reach it.
 */
static void *shared_of(const void *self, int k) {
  const sw *s = self;
  const int n = SW_STATE_C + s->nt;
  if (k < n) return s->state[s->now][k];
  if (!s->rings.y) return NULL;
  return k == n ? s->bed : k == n + 1 ? s->manning : NULL;
}

/* Half a step ahead a cell needs its neighbours, and the row beside it that cell. */
static int ghost_rows_of(const void *self) { return ((const sw *)self)->param.order; }

static bool derived_row(const void *self, int field, int tracer, int j, void *dst) {
  const sw *s = self;
  return s->planes.real == RIA_F32 ? sw_derived_row_f32(s, field, tracer, j, dst)
                                   : sw_derived_row_f64(s, field, tracer, j, dst);
}

const ria_plane_callbacks sw_callbacks = {.plane = plane_of,
                                          .value = value_of,
                                          .row = derived_row,
                                          .refuses = water_refuses,
                                          .nan_means_dry = water_nan_means_dry,
                                          .quantity = quantity_of,
                                          .shared = shared_of,
                                          .ghost_rows = ghost_rows_of,
                                          .fields = water_fields};

ria_status sw_read(void *self, int field, int tracer, bool maximum, int j0, int nj, ria_real real,
                   void *dst) {
  const sw *s = self;
  RIA_TRY(ria_planes_read(self, field, tracer, maximum, j0, nj, real, dst));
  const ria_part part = s->planes.part;
  const size_t row = (size_t)s->planes.grid.nx, size = real == RIA_F32 ? 4 : 8;
  const int from = j0 > part.j0 ? j0 : part.j0, to = j0 + nj < part.j1 ? j0 + nj : part.j1;
  if (maximum && field == WATER_DEPTH && to > from)
    water_forget_films(row * (size_t)(to - from), real, s->param.dry_depth,
                       (char *)dst + row * (size_t)(from - j0) * size);
  return RIA_OK;
}

/* --- in --------------------------------------------------------------------------------------- */

/* Set one cell of the state from a field's value. */
static void set_cell(sw *s, int field, int tracer, size_t at, double v) {
  void *const *state = s->state[s->now];
  if (field == WATER_BED) sw_put(s, s->bed, at, v);
  if (field == WATER_MANNING) sw_put(s, s->manning, at, v);
  if (field == WATER_BED || field == WATER_MANNING) return;
  water_cell here = {depth_at(s, at), sw_get(s, state[SW_STATE_QX], at),
                     sw_get(s, state[SW_STATE_QY], at), sw_get(s, s->bed, at)};
  if (field == WATER_CONC || field == WATER_LOAD) {
    sw_put(s, state[SW_STATE_C + tracer], at, water_set_load(field, v, here.h));
    return;
  }
  const double scale = water_set_flow(field, v, s->param.dry_depth, &here);
  sw_put(s, state[SW_H], at, here.h);
  sw_put(s, state[SW_STATE_QX], at, here.qx);
  sw_put(s, state[SW_STATE_QY], at, here.qy);
  for (int m = 0; m < s->nt; m++)
    sw_put(s, state[SW_STATE_C + m], at, sw_get(s, state[SW_STATE_C + m], at) * scale);
}

ria_status sw_write(void *self, int field, int tracer, const double *src) {
  sw *s = self;
  const int nx = s->planes.grid.nx;
  const ria_part rows = ria_planes_had(&s->planes);
  RIA_TRY(water_check(s->planes.ctx, &s->planes.grid, s->planes.threads, field, src));
  if (field == WATER_MANNING && !s->manning) RIA_TRY(ria_plane_alloc(&s->planes, &s->manning));
#pragma omp parallel for num_threads(s->planes.threads) schedule(static)
  for (int j = rows.j0; j < rows.j1; j++)
    for (int i = 0; i < nx; i++) {
      const double v = water_given(field, src[(size_t)j * (size_t)nx + (size_t)i]);
      set_cell(s, field, tracer, sw_at(s, i, j), v);
    }
  s->planes.ready = false;
  return RIA_OK;
}

ria_status sw_add(void *self, int quantity, int n, const int32_t *cell, const double *amount) {
  sw *s = self;
  ria_planes_pour(&s->planes, quantity_of(s, quantity), NULL, n, cell, amount);
  return RIA_OK;
}

/* --- the state -------------------------------------------------------------------------------- */

const ria_state_member sw_clock_members[] = {
    {"t", RIA_STATE_F64, offsetof(sw_clock, t), 0},
    {"dt", RIA_STATE_F64, offsetof(sw_clock, dt), 0},
    {"steps", RIA_STATE_I64, offsetof(sw_clock, steps), 0},
    {"speed", RIA_STATE_F64, offsetof(sw_clock, speed), 0},
    {"eddy", RIA_STATE_F64, offsetof(sw_clock, eddy), 0},
    {"speed_cell", RIA_STATE_I32, offsetof(sw_clock, speed_cell), 0},
    {0}};

static const ria_state_member members[] = {
    {"refusal", RIA_STATE_TEXT, offsetof(sw, outlets.refusal), sizeof((sw *)0)->outlets.refusal},
    RIA_STATE_PROGRESS(sw, progress),
    {0}};

const char *sw_state_name(int k, char name[32]) {
  static const char *const flow[] = {[SW_H] = "depth", [SW_STATE_QX] = "qx", [SW_STATE_QY] = "qy"};
  if (k >= SW_STATE_C)
    snprintf(name, 32, "load.%d", k - SW_STATE_C);
  else
    snprintf(name, 32, "%s", flow[k]);
  return name;
}

/* Which segments are wet follows from the depths. So does the speed, but not to the bit: a step
 * works it out otherwise than a survey. */
ria_status sw_state(void *self, const ria_state_walk *walk) {
  sw *s = self;
  void *const *state = s->state[s->now];
  RIA_TRY(ria_planes_state(&s->planes, walk));
  RIA_TRY(ria_plane_state(&s->planes, walk, "bed", s->bed, 0, 0));
  RIA_TRY(ria_plane_state_if(&s->planes, walk, "manning", &s->manning));
  for (int k = 0; k < SW_STATE_C + s->nt; k++) {
    char name[32];
    RIA_TRY(ria_plane_state(&s->planes, walk, sw_state_name(k, name), state[k], 0, 0));
  }
  if (walk->restores) RIA_TRY(sw_survey(s));
  RIA_TRY(ria_state_members(walk, sw_clock_members, &s->clock));
  RIA_TRY(ria_state_members(walk, members, s));
  s->clock.dt_min = s->progress.dt_min;
  s->planes.said.most[SW_SPEED] = s->clock.speed; /* where the others wait for it */
  s->planes.said.where[SW_SPEED] = s->clock.speed_cell;
  return RIA_OK;
}
