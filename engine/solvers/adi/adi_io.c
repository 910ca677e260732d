/* adi_io.c - fields in and out, amounts added; the state by name.
 *
 * Readers see cells: the discharge of a cell is the mean of its two faces, of q also over the two
 * instants beside the present, since q is half a step ahead. Sums are taken row by row, rows in
 * order, so they do not depend on the number of threads. */
#include "adi_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const void *level_plane(const adi *s) { return s->level[s->level_now]; }

static double mean_flux(const adi *s, enum adi_axis axis, int buffer, size_t at) {
  const size_t back = axis == ADI_X ? 1 : s->planes.stride;
  const void *u = s->flux[axis][buffer];
  return 0.5 * (adi_get(s, u, at - back) + adi_get(s, u, at));
}

static water_cell cell_of(const adi *s, size_t at) {
  const double q_now = mean_flux(s, ADI_Y, s->flux_now[ADI_Y], at);
  const double q_old = mean_flux(s, ADI_Y, 1 - s->flux_now[ADI_Y], at);
  return (water_cell){adi_depth_at(s, at), mean_flux(s, ADI_X, s->flux_now[ADI_X], at),
                      0.5 * (q_now + q_old), adi_get(s, s->bed, at)};
}

static double value_of(const void *self, int field, int tracer, int i, int j) {
  const adi *s = self;
  const size_t at = adi_at(s, i, j);
  if (field == WATER_MANNING) return s->param.manning;
  const water_cell here = cell_of(s, at);
  if (field == WATER_LEVEL)
    return here.h > s->param.drying_depth ? adi_get(s, level_plane(s), at) : NAN;
  const double load = tracer >= 0 ? adi_get(s, s->load[s->load_now][tracer], at) : 0.0;
  return water_value(field, here, load, s->param.gravity, s->param.drying_depth,
                     s->param.forces.axes);
}

static void *plane_of(const void *self, int field, int tracer) {
  const adi *s = self;
  if (field == WATER_BED) return s->bed;
  if (field == WATER_MANNING) return s->manning;
  return field == WATER_LOAD ? s->load[s->load_now][tracer] : NULL;
}

/* All are worked out: the water by its depth as level less bed, not cut at 0. What rounding takes
 * from one cell it gives to none. */
static double density_of(const void *self, int quantity, int i, int j) {
  const adi *s = self;
  const size_t at = adi_at(s, i, j);
  return quantity == 0 ? adi_get(s, level_plane(s), at) - adi_get(s, s->bed, at)
                       : adi_get(s, s->load[s->load_now][quantity - 1], at);
}

const ria_plane_callbacks adi_callbacks = {.plane = plane_of,
                                           .value = value_of,
                                           .density = density_of,
                                           .shared = adi_shared,
                                           .ghost_rows = adi_ghost_rows};

ria_status adi_read(void *self, int field, int tracer, bool maximum, int j0, int nj, ria_real real,
                    void *dst) {
  const adi *s = self;
  RIA_TRY(ria_planes_read(self, field, tracer, maximum, j0, nj, real, dst));
  if (!maximum || field != WATER_DEPTH) return RIA_OK;
  const size_t nx = (size_t)s->planes.grid.nx,
               each = real == RIA_F32 ? sizeof(float) : sizeof(double);
  for (int r = 0; r < nj; r++)
    if (ria_planes_own(&s->planes, j0 + r))
      water_forget_films(nx, real, s->param.drying_depth, (char *)dst + (size_t)r * nx * each);
  return RIA_OK;
}

/* --- in --------------------------------------------------------------------------------------- */

/* Set level and loads of a cell from level or depth. Returns the factor on its discharge. */
static double set_water(adi *s, int field, size_t at, double v) {
  const double z = adi_get(s, s->bed, at);
  water_cell here = {adi_depth_at(s, at), 1, 1, z};
  const double scale = water_set_flow(field, v, s->param.drying_depth, &here);
  const double level = field == WATER_LEVEL ? (here.h > 0 ? v : z) : z + here.h;
  adi_put(s, s->level[s->level_now], at, level);
  for (int m = 0; m < s->nt; m++)
    adi_put(s, s->load[s->load_now][m], at, adi_get(s, s->load[s->load_now][m], at) * scale);
  return here.qx;
}

/* The bed under water that stays as deep as it is. */
static void set_bed(adi *s, size_t at, double v) {
  const double h = adi_depth_at(s, at);
  adi_put(s, s->bed, at, v);
  adi_put(s, s->level[s->level_now], at, adi_get(s, s->bed, at) + h);
}

/* Discharges of cells, or factors on them, become discharges of the faces between: the mean. On the
 * boundary the cell's own. cells [ny][nx]; factor: multiply what is there. */
static void set_faces(adi *s, enum adi_axis axis, const double *cells, bool factor) {
  const int nx = s->planes.grid.nx, ny = s->planes.grid.ny;
  const bool x = axis == ADI_X;
  const ria_part had = ria_planes_had(&s->planes);
  const int south = !x && s->planes.part.j0 < s->planes.ghost_rows ? -1 : had.j0,
            north = !x && had.j1 < ny ? had.j1 - 1 : had.j1;
  for (int j = south; j < north; j++)
    for (int i = x ? -1 : 0; i < nx; i++) {
      const int il = i < 0 ? 0 : i, jl = j < 0 ? 0 : j;
      const int ir = x && i + 1 < nx ? i + 1 : il, jr = !x && j + 1 < ny ? j + 1 : jl;
      const double v = 0.5 * (cells[(size_t)jl * (size_t)nx + (size_t)il] +
                              cells[(size_t)jr * (size_t)nx + (size_t)ir]);
      const size_t at = adi_at(s, i, j);
      for (int b = 0; b < 2; b++)
        adi_put(s, s->flux[axis][b], at, factor ? adi_get(s, s->flux[axis][b], at) * v : v);
    }
}

static void set_cells(adi *s, int field, int tracer, const double *src, double *out) {
  const ria_part had = ria_planes_had(&s->planes);
#pragma omp parallel for num_threads(s->planes.threads) schedule(static)
  for (int j = had.j0; j < had.j1; j++)
    for (int i = 0; i < s->planes.grid.nx; i++) {
      const size_t k = (size_t)j * (size_t)s->planes.grid.nx + (size_t)i, at = adi_at(s, i, j);
      const double v = water_given(field, src[k]);
      const double h = adi_depth_at(s, at);
      if (field == WATER_BED) set_bed(s, at, v);
      if (field == WATER_MANNING) adi_put(s, s->manning, at, v);
      if (field == WATER_LEVEL || field == WATER_DEPTH) out[k] = set_water(s, field, at, v);
      if (field == WATER_QX || field == WATER_QY) out[k] = h > s->param.drying_depth ? v : 0;
      if (field == WATER_U || field == WATER_V) out[k] = h > s->param.drying_depth ? v * h : 0;
      if (field == WATER_LOAD || field == WATER_CONC)
        adi_put(s, s->load[s->load_now][tracer], at, water_set_load(field, v, h));
    }
}

ria_status adi_write(void *self, int field, int tracer, const double *src) {
  adi *s = self;
  const size_t cells = (size_t)s->planes.grid.nx * (size_t)s->planes.grid.ny;
  RIA_TRY(water_check(s->planes.ctx, &s->planes.grid, s->planes.threads, field, src));
  double *out = malloc(cells * sizeof *out);
  if (!out) return ria_planes_no_memory(&s->planes, "a field");
  if (field == WATER_MANNING && !s->manning) {
    const ria_status status = ria_plane_alloc(&s->planes, &s->manning);
    if (status != RIA_OK) {
      free(out);
      return status;
    }
  }
  set_cells(s, field, tracer, src, out);
  if (field == WATER_LEVEL || field == WATER_DEPTH) {
    set_faces(s, ADI_X, out, true);
    set_faces(s, ADI_Y, out, true);
  }
  if (field == WATER_QX || field == WATER_U) set_faces(s, ADI_X, out, false);
  if (field == WATER_QY || field == WATER_V) set_faces(s, ADI_Y, out, false);
  free(out);
  adi_given_field(&s->given, &s->param, &s->planes.grid, field, src);
  s->water_set = s->water_set || adi_moves_water(field);
  s->planes.ready = false;
  return RIA_OK;
}

bool adi_is_closed(const adi *s, size_t l, size_t r) {
  const void *level = level_plane(s);
  const double sill = fmax(adi_get(s, s->bed, l), adi_get(s, s->bed, r));
  const double top = fmax(adi_get(s, level, l), adi_get(s, level, r));
  return !(top - sill > s->param.drying_depth) || !(sill < s->param.land);
}

void adi_settle_faces(adi *s) {
  const ria_part had = ria_planes_had(&s->planes);
  for (int axis = 0; axis < 2; axis++)
    for (int j = had.j0; j < had.j1 - (axis == ADI_Y); j++)
      for (int i = 0; i < s->planes.grid.nx - (axis == ADI_X); i++) {
        const size_t at = adi_at(s, i, j);
        if (adi_is_closed(s, at, at + (axis == ADI_X ? 1 : s->planes.stride)))
          for (int b = 0; b < 2; b++) adi_put(s, s->flux[axis][b], at, 0);
      }
  for (int side = 0; side < RIA_SIDES; side++) {
    const ria_side_cells own = ria_planes_side(&s->planes, (ria_side)side);
    for (int k = own.from; k < own.to; k++) {
      int i, j;
      ria_side_cell(&s->planes.grid, side, k, &i, &j);
      const int kind =
          s->planes.stretch ? s->planes.stretch[s->planes.owner[side][k]].kind : SIDE_WALL;
      if (kind == SIDE_PERIODIC) continue;
      const bool shut = kind == SIDE_WALL || !(adi_depth_at(s, adi_at(s, i, j)) > 0);
      const size_t at = adi_at(s, side == RIA_WEST ? -1 : i, side == RIA_SOUTH ? -1 : j);
      const double sign = ria_side_is_upper((ria_side)side) ? -1 : 1;
      for (int b = 0; b < 2; b++) {
        void *flux = s->flux[ria_side_along_x(side) ? ADI_X : ADI_Y][b];
        if (shut || (kind == SIDE_RATING && sign * adi_get(s, flux, at) > 0))
          adi_put(s, flux, at, 0);
      }
    }
  }
  adi_join_seams(s);
}

ria_status adi_add(void *self, int quantity, int n, const int32_t *cell, const double *amount) {
  adi *s = self;
  if (quantity == 0)
    ria_planes_pour(&s->planes, s->level[s->level_now], s->bed, n, cell, amount);
  else
    ria_planes_pour(&s->planes, s->load[s->load_now][quantity - 1], NULL, n, cell, amount);
  s->water_set = s->water_set || quantity == 0;
  return RIA_OK;
}

ria_status adi_judge_level(adi *s) {
  const size_t n = (size_t)s->planes.n_stretch * (size_t)s->planes.n_quantities;
  ria_quantity_totals totals[1 + RIA_MAX_TRACERS];
  double *through = malloc((2 * n + 1) * sizeof *through);
  if (!through) return ria_planes_no_memory(&s->planes, "a sum");
  ria_status status = ria_planes_totals(s, totals);
  if (status == RIA_OK) status = ria_planes_fluxes(s, s->planes.n_stretch, through, through + n);
  if (status == RIA_OK)
    adi_judge(&s->clock, &s->given, &s->param, &s->planes.grid, totals[0].stored, s->planes.stretch,
              s->planes.n_stretch, s->planes.n_quantities, through, through + n);
  free(through);
  return status;
}

/* --- the state -------------------------------------------------------------------------------- */

static const ria_state_member clock_members[] = {
    {"t", RIA_STATE_F64, offsetof(adi_clock, t), 0},
    {"dt", RIA_STATE_F64, offsetof(adi_clock, dt), 0},
    {"dt_full", RIA_STATE_F64, offsetof(adi_clock, dt_full), 0},
    {"dt_wave", RIA_STATE_F64, offsetof(adi_clock, dt_wave), 0},
    {"lead", RIA_STATE_F64, offsetof(adi_clock, lead), 0},
    {"ceiling", RIA_STATE_F64, offsetof(adi_clock, ceiling), 0},
    {"dt_min", RIA_STATE_F64, offsetof(adi_clock, dt_min), 0},
    {"dt_min_t", RIA_STATE_F64, offsetof(adi_clock, dt_min_t), 0},
    {"dt_min_full", RIA_STATE_F64, offsetof(adi_clock, dt_min_full), 0},
    {"steps", RIA_STATE_I64, offsetof(adi_clock, steps), 0},
    {"dt_cell", RIA_STATE_I32, offsetof(adi_clock, dt_cell), 0},
    {"dt_forced", RIA_STATE_I32, offsetof(adi_clock, dt_forced), 0},
    {"look_now", RIA_STATE_I32, offsetof(adi_clock, look_now), 0},
    {"dt_min_cell", RIA_STATE_I32, offsetof(adi_clock, dt_min_cell), 0},
    {"dt_min_why", RIA_STATE_I32, offsetof(adi_clock, dt_min_why), 0},
    {0}};
static const ria_state_member given_members[] = {
    {"given.head", RIA_STATE_F64, offsetof(adi_given, head), 0},
    {"given.lowest", RIA_STATE_F64, offsetof(adi_given, lowest), 0},
    {"given.highest", RIA_STATE_F64, offsetof(adi_given, highest), 0},
    {"given.sides", RIA_STATE_F64, offsetof(adi_given, sides), 0},
    {"given.inflow", RIA_STATE_F64, offsetof(adi_given, inflow), 0},
    {"given.manning", RIA_STATE_F64, offsetof(adi_given, manning), 0},
    {"given.gust", RIA_STATE_F64, offsetof(adi_given, gust), 0},
    {0}};
static const ria_state_member members[] = {
    {"water_set", RIA_STATE_BOOL, offsetof(adi, water_set), 0},
    {"fastest.courant", RIA_STATE_F64, offsetof(adi, fastest.courant), 0},
    {"fastest.t", RIA_STATE_F64, offsetof(adi, fastest.t), 0},
    {"fastest.dt", RIA_STATE_F64, offsetof(adi, fastest.dt), 0},
    {"fastest.cell", RIA_STATE_I32, offsetof(adi, fastest.cell), 0},
    {0}};

ria_status adi_state_numbers(const ria_state_walk *walk, adi_clock *c, adi_given *g) {
  RIA_TRY(ria_state_members(walk, clock_members, c));
  if (walk->restores) c->failure = ADI_WELL, c->high = 0; /* of a run that is gone */
  return ria_state_members(walk, given_members, g);
}

/* Discharges of p and q on all faces, those of the western and the southern side too; of q also
 * half a step and more ago. Everything else is computed in a step. */
ria_status adi_state(void *self, const ria_state_walk *walk) {
  adi *s = self;
  ria_planes *p = &s->planes;
  const int qy = s->flux_now[ADI_Y];
  RIA_TRY(ria_planes_state(p, walk));
  RIA_TRY(ria_plane_state(p, walk, "bed", s->bed, 0, 0));
  RIA_TRY(ria_plane_state_if(p, walk, "manning", &s->manning));
  RIA_TRY(ria_plane_state(p, walk, "level", s->level[s->level_now], 0, 0));
  RIA_TRY(ria_plane_state(p, walk, "qx", s->flux[ADI_X][s->flux_now[ADI_X]], 1, 0));
  RIA_TRY(ria_plane_state(p, walk, "qy", s->flux[ADI_Y][qy], 0, 1));
  RIA_TRY(ria_plane_state(p, walk, "qy_before", s->flux[ADI_Y][1 - qy], 0, 1));
  for (int m = 0; m < s->nt; m++) {
    char name[32];
    snprintf(name, sizeof name, "load.%d", m);
    RIA_TRY(ria_plane_state(p, walk, name, s->load[s->load_now][m], 0, 0));
  }
  RIA_TRY(ria_state_members(walk, members, s));
  if (walk->restores) s->progress = (ria_progress){0}; /* the failure of a run that is gone */
  RIA_TRY(adi_state_numbers(walk, &s->clock, &s->given));
  if (walk->restores && s->apart) adi_part_restored(s);
  return RIA_OK;
}
