/* sediment_io.c - fields in and out, amounts added; the state by name. */
#include "sediment.h"

#include <math.h>
#include <string.h>

static void *plane_of(const void *self, int field, int tracer) {
  const sed *s = self;
  (void)tracer;
  switch (field) {
  case SED_HEIGHT:
    return s->h[s->clock.now];
  case SED_FRACTION:
    return s->sand[s->clock.now];
  case SED_ALPHA:
    return s->alpha;
  case SED_BETA:
    return s->beta;
  case SED_BASE:
    return s->base;
  default:
    return NULL;
  }
}

static double slope_at(const sed *s, size_t at) {
  const ria_planes *p = &s->planes;
  const void *h = s->h[s->clock.now];
  return sed_slope_of(ria_plane_get(p, h, at - 1), ria_plane_get(p, h, at + 1),
                      ria_plane_get(p, h, at - p->stride), ria_plane_get(p, h, at + p->stride),
                      p->grid.dx, p->grid.dy);
}

static double value_of(const void *self, int field, int tracer, int i, int j) {
  const sed *s = self;
  const size_t at = ria_plane_at(&s->planes, i, j);
  const double h = ria_plane_get(&s->planes, s->h[s->clock.now], at);
  (void)tracer;
  switch (field) {
  case SED_SEA_LEVEL:
    return s->sea;
  case SED_DEPTH:
    return h < s->sea ? s->sea - h : NAN;
  case SED_THICKNESS:
    return h - ria_plane_get(&s->planes, s->base, at);
  default:
    return slope_at(s, at);
  }
}

const char *sed_refuses(int field, double v) {
  if (field == SED_FRACTION && !(v >= 0 && v <= 1)) return "must be from 0 to 1";
  if ((field == SED_ALPHA || field == SED_BETA) && v < 0) return "must not be negative";
  return NULL;
}

/* Of the active layer, and all that was laid down below it; what of that is sand is in `deposit`,
 * and no mud. */
static double density_of(const void *self, int quantity, int i, int j) {
  const sed *s = self;
  const size_t at = ria_plane_at(&s->planes, i, j);
  const double f = ria_plane_get(&s->planes, s->sand[s->clock.now], at);
  if (quantity == SED_SAND) return s->param.layer * f;
  return s->param.layer * (1 - f) + ria_plane_get(&s->planes, s->h[s->clock.now], at) -
         ria_plane_get(&s->planes, s->base, at);
}

static double below(const void *self, int quantity, int j) {
  const sed *s = self;
  const double sand = *ria_planes_row(&s->planes, s->deposit, 0, j);
  return quantity == SED_SAND ? sand : -sand;
}

static void *shared_of(const void *self, int k) {
  const sed *s = self;
  return k > 1 ? NULL : plane_of(s, k == 0 ? SED_HEIGHT : SED_FRACTION, -1);
}

/* The paper's second pass reads new heights beside a cell's row, and these the state beside theirs.
 */
static int ghost_rows_of(const void *self) {
  const sed *s = self;
  return s->param.scheme == SED_PAPER && !ria_planes_whole(&s->planes) ? 2 : 1;
}

const ria_plane_callbacks sed_callbacks = {.plane = plane_of,
                                           .value = value_of,
                                           .refuses = sed_refuses,
                                           .density = density_of,
                                           .beside = below,
                                           .shared = shared_of,
                                           .ghost_rows = ghost_rows_of,
                                           .fields = ria_sediment_fields};

/* --- in --------------------------------------------------------------------------------------- */

ria_status sed_one_value(ria_context *ctx, const double *src, size_t n, double *out) {
  for (size_t k = 1; k < n; k++)
    if (src[k] != src[0])
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "sea_level is one value for all cells: %g and %g were given", src[0], src[k]);
  *out = src[0];
  return RIA_OK;
}

/* Height that is set is laid down or dug away with the fraction that the cell has. */
static void note_change(sed *s, const double *src) {
  const ria_planes *p = &s->planes;
  for (int j = p->part.j0; j < p->part.j1; j++) {
    double sum = 0;
    for (int i = 0; i < p->grid.nx; i++) {
      const size_t at = ria_plane_at(p, i, j);
      const double to = src[(size_t)j * (size_t)p->grid.nx + (size_t)i];
      const double set = p->real == RIA_F32 ? (double)(float)to : to;
      sum += ria_plane_get(p, s->sand[s->clock.now], at) *
             (set - ria_plane_get(p, s->h[s->clock.now], at));
    }
    *ria_planes_row(p, s->deposit, 0, j) += sum;
  }
}

ria_status sed_write(void *self, int field, int tracer, const double *src) {
  sed *s = self;
  if (field == SED_SEA_LEVEL) {
    s->planes.ready = false;
    return sed_one_value(s->planes.ctx, src, (size_t)s->planes.grid.nx * (size_t)s->planes.grid.ny,
                         &s->sea);
  }
  RIA_TRY(ria_planes_check(s->planes.ctx, &s->planes.grid, s->planes.threads, s->planes.call, field,
                           src));
  if (field == SED_HEIGHT && s->begun) note_change(s, src);
  RIA_TRY(ria_planes_write(s, field, tracer, src));
  if (field == SED_HEIGHT && !s->begun)
    memcpy(s->base, s->h[s->clock.now], s->planes.size * s->planes.real_size);
  if (field == SED_HEIGHT) sed_wrap(s, s->clock.now);
  return RIA_OK;
}

ria_status sed_add(void *self, int quantity, int n, const int32_t *cell, const double *amount) {
  sed *s = self;
  ria_planes *p = &s->planes;
  for (int k = 0; k < n; k++) {
    const int i = cell[k] % p->grid.nx, j = cell[k] / p->grid.nx;
    double come[SED_QUANTITIES] = {0};
    if (!ria_planes_have(p, j)) continue;
    come[quantity] = amount[k] / (p->grid.dx * p->grid.dy);
    sed_change(s, s->clock.now, i, j, &come[SED_SAND], &come[SED_MUD]);
  }
  sed_wrap(s, s->clock.now);
  p->ready = false;
  return RIA_OK;
}

/* --- the state -----------------------------------------------------------------------------------
 */

const ria_state_member sed_clock_members[] = {
    {"t", RIA_STATE_F64, offsetof(sed_clock, t), 0},
    {"last", RIA_STATE_F64, offsetof(sed_clock, last), 0},
    {"pull", RIA_STATE_F64, offsetof(sed_clock, pull), 0},
    {"dt_min", RIA_STATE_F64, offsetof(sed_clock, dt_min), 0},
    {"dt_min_t", RIA_STATE_F64, offsetof(sed_clock, dt_min_t), 0},
    {"steps", RIA_STATE_I64, offsetof(sed_clock, steps), 0},
    {"by_slope", RIA_STATE_I32, offsetof(sed_clock, by_slope), 0},
    {0}};

static const ria_state_member members[] = {{"sea_level", RIA_STATE_F64, offsetof(sed, sea), 0},
                                           {0}};

ria_status sed_state(void *self, const ria_state_walk *walk) {
  sed *s = self;
  ria_planes *p = &s->planes;
  const int now = s->clock.now;
  RIA_TRY(ria_planes_state(p, walk));
  RIA_TRY(ria_plane_state(p, walk, "height", s->h[now], 0, 0));
  RIA_TRY(ria_plane_state(p, walk, "sand", s->sand[now], 0, 0));
  RIA_TRY(ria_plane_state(p, walk, "base", s->base, 0, 0));
  RIA_TRY(ria_plane_state(p, walk, "alpha", s->alpha, 0, 0));
  RIA_TRY(ria_plane_state(p, walk, "beta", s->beta, 0, 0));
  RIA_TRY(ria_planes_rows_state(p, walk, "deposit", 0, s->deposit));
  RIA_TRY(ria_state_members(walk, members, s));
  RIA_TRY(ria_state_members(walk, sed_clock_members, &s->clock));
  if (!walk->restores) return RIA_OK;
  s->begun = true;
  sed_find_ways(s);
  return RIA_OK;
}
