/* shallow_water_forcing.c - what drives the flow from outside: boundaries and sources.
 *
 * The engine hands over all forcing as one flat set (ria_forcing_set), which is copied. Before each
 * step the values of the moment are worked out here, once per stretch; the loops over edges only
 * look them up. What crosses a boundary is counted per boundary cell, so that threads never meet,
 * and folded into totals per stretch when asked. */
#include "shallow_water.h"
#define RIA_PRECISION double
#include "shallow_water_forcing_k.h"
#include "shallow_water_k.h"
#include "shallow_water_rim_k.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

ria_status sw_no_memory(const sw *s, const char *what) {
  return ria_fail(s->ctx, RIA_ERR_MEMORY, "out of memory for %s of a %d x %d grid", what,
                  s->grid.nx, s->grid.ny);
}

void sw_free_forcing(sw *s) {
  for (int k = 0; k < s->n_sources; k++) {
    free(s->sources[k].cell);
    free(s->sources[k].weight);
    free(s->sources[k].owed);
  }
  free(s->sources);
  free(s->entries);
  free(s->data);
  free(s->stretch);
  free(s->value_now);
  free(s->tracer_now);
  s->sources = NULL;
  s->entries = NULL;
  s->data = NULL;
  s->stretch = NULL;
  s->value_now = s->tracer_now = NULL;
  s->n_sources = 0;
}

void sw_fold_crossed(sw *s) {
  const size_t width = 1 + (size_t)s->nt;
  for (int side = 0; side < RIA_SIDES; side++) {
    const int n = ria_side_length(&s->grid, side);
    for (int k = 0; k < n; k++)
      for (size_t m = 0; m < width; m++) {
        sw_crossed *c = &s->crossed[side][(size_t)k * width + m];
        if (s->n_stretch > s->owner[side][k]) {
          s->stretch_in[(size_t)s->owner[side][k] * width + m] += c->in;
          s->stretch_out[(size_t)s->owner[side][k] * width + m] += c->out;
        }
        c->in = c->out = 0;
      }
  }
}

static void *copy_of(const void *p, size_t bytes) {
  void *q = malloc(bytes ? bytes : 1);
  if (q && bytes) memcpy(q, p, bytes);
  return q;
}

/* Totals by stretch keep their values; new stretches start at zero. */
static bool grow_totals(sw *s, int n) {
  const size_t width = 1 + (size_t)s->nt, had = (size_t)s->n_stretch * width,
               want = (size_t)n * width;
  double **both[] = {&s->stretch_in, &s->stretch_out};
  for (int k = 0; k < 2; k++) {
    double *p = realloc(*both[k], want * sizeof *p);
    if (!p) return false;
    for (size_t m = had; m < want; m++) p[m] = 0;
    *both[k] = p;
  }
  return true;
}

static bool copy_sources(sw *s, const ria_forcing_set *set) {
  s->sources = calloc((size_t)set->n_sources + 1, sizeof *s->sources);
  if (!s->sources) return false;
  for (int k = 0; k < set->n_sources; k++) {
    sw_source *to = &s->sources[s->n_sources++];
    to->s = set->sources[k];
    to->cell = copy_of(to->s.cell, (size_t)to->s.n * sizeof *to->cell);
    to->weight = copy_of(to->s.weight, (size_t)to->s.n * sizeof *to->weight);
    to->s.cell = to->cell;
    to->s.weight = to->weight;
    to->owed = calloc((size_t)to->s.n + 1, sizeof *to->owed);
    if (!to->cell || !to->weight || !to->owed) return false;
  }
  return true;
}

/* Blocks that forcing may wet are stepped even while dry. */
static void mark_always(sw *s) {
  memset(s->always, 0, (size_t)s->grid.ny * (size_t)s->segments);
  for (int side = 0; side < RIA_SIDES; side++)
    for (int k = 0; k < ria_side_length(&s->grid, side); k++) {
      int i, j;
      sw_side_cell(s, side, k, &i, &j);
      if (s->stretch[s->owner[side][k]].kind != SW_WALL)
        s->always[j * s->segments + i / SW_SEGMENT] = 1;
    }
  for (int k = 0; k < s->n_sources; k++)
    for (int m = 0; m < s->sources[k].s.n; m++) {
      int j = s->sources[k].cell[m] / s->grid.nx, i = s->sources[k].cell[m] % s->grid.nx;
      s->always[j * s->segments + i / SW_SEGMENT] = 1;
    }
}

ria_status sw_force(void *self, const ria_forcing_set *set) {
  sw *s = self;
  sw_fold_crossed(s);
  if (!grow_totals(s, set->boundary.n)) return sw_no_memory(s, "the boundaries");
  sw_free_forcing(s);
  s->n_stretch = set->boundary.n;
  s->entries = copy_of(set->table.entry, (size_t)set->table.n * sizeof *s->entries);
  s->data = copy_of(set->table.data, (size_t)set->table.n_data * sizeof *s->data);
  s->stretch = copy_of(set->boundary.stretch, (size_t)s->n_stretch * sizeof *s->stretch);
  s->value_now = calloc((size_t)s->n_stretch + 1, sizeof *s->value_now);
  s->tracer_now = calloc((size_t)s->n_stretch * RIA_MAX_TRACERS + 1, sizeof *s->tracer_now);
  if (!s->entries || !s->data || !s->stretch || !s->value_now || !s->tracer_now ||
      !copy_sources(s, set))
    return sw_no_memory(s, "the forcing");
  s->table = (ria_forcing_table){s->entries, s->data, set->table.n, set->table.n_data};
  memcpy(s->wind, set->varying, sizeof s->wind);
  s->forced = sw_is_forced(&s->p, &s->table, s->wind);
  for (int side = 0; side < RIA_SIDES; side++)
    memcpy(s->owner[side], set->boundary.owner[side],
           (size_t)ria_side_length(&s->grid, side) * sizeof *s->owner[side]);
  mark_always(s);
  s->ready = false;
  RIA_TRY(sw_judge_outlets(s->ctx, &s->grid, set, sw_sample, s, &s->outlets));
  if (s->steps == 0) memcpy(s->progress.warning, s->outlets.warning, sizeof s->progress.warning);
  return RIA_OK;
}

static double conveyance(const sw *s, int i, int j, double filled_to) {
  const size_t at = sw_at(s, i, j);
  return sw_conveyance(sw_get(s, s->state[s->now][SW_H], at), sw_get(s, s->bed, at),
                       s->manning ? sw_get(s, s->manning, at) : 1.0, filled_to);
}

/* Spread a total discharge over its stretch in proportion to conveyance. */
static void spread_discharge(sw *s, int stretch) {
  const ria_side side = s->stretch[stretch].side;
  const int n = ria_side_length(&s->grid, side);
  const double length = side == RIA_WEST || side == RIA_EAST ? s->grid.dy : s->grid.dx;
  const double q = s->value_now[stretch];
  double lowest = DBL_MAX, sum = 0;
  int cells = 0;
  for (int k = 0; k < n; k++) {
    if (s->owner[side][k] != stretch) continue;
    int i, j;
    sw_side_cell(s, side, k, &i, &j);
    double z = sw_get(s, s->bed, sw_at(s, i, j));
    if (z < lowest) lowest = z;
    cells++;
  }
  if (cells == 0) return;
  const double water = sw_filled_to(q, cells * length, lowest, s->p.gravity);
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < n; k++) {
      if (s->owner[side][k] != stretch) continue;
      int i, j;
      sw_side_cell(s, side, k, &i, &j);
      double w = conveyance(s, i, j, water);
      if (pass == 0)
        sum += w;
      else
        s->share[side][k] = sum > 0 ? q * w / (sum * length) : 0.0;
    }
}

bool sw_is_forced(const sw_params *p, const ria_forcing_table *table, const int *wind) {
  return p->forces.latitude != 0 || ria_wind_blows(table, wind);
}

void sw_force_at(sw *s, double t) {
  if (s->forced) ria_wind_at(&s->p.forces, &s->table, s->wind, t, s->stress);
  for (int k = 0; k < s->n_stretch; k++) {
    const ria_stretch *b = &s->stretch[k];
    for (int m = 0; m < s->nt; m++)
      s->tracer_now[(size_t)k * (size_t)s->nt + (size_t)m] =
          ria_forcing_at(&s->table, b->tracer[m], t);
    s->value_now[k] =
        sw_has_value(b->kind) ? ria_forcing_at(&s->table, b->value[0], t) : (double)NAN;
    if (b->kind == SW_DISCHARGE) spread_discharge(s, k);
  }
}

static double source_depth_rate(const sw *s, const ria_source *q, double t, int m) {
  return ria_forcing_at(&s->table, q->rate, t) * q->weight[m] / (s->grid.dx * s->grid.dy);
}

double sw_forcing_speed(sw *s, double dt) {
  const double rdx = 1.0 / s->grid.dx, rdy = 1.0 / s->grid.dy, g = s->p.gravity;
  const sw_const_f64 k = sw_constants_f64(g, s->p.dry_depth, s->grid.dx, s->grid.dy);
  double most = 0;
  bool live = false;
  s->forced_cell = -1;
  for (int side = 0; side < RIA_SIDES; side++) {
    const bool x = side == RIA_WEST || side == RIA_EAST;
    const double sign = side == RIA_EAST || side == RIA_NORTH ? 1.0 : -1.0;
    const int n = ria_side_length(&s->grid, side);
    for (int e = 0; e < n; e++) {
      const int owner = s->owner[side][e], kind = s->stretch[owner].kind;
      if (kind != SW_LEVEL && kind != SW_DISCHARGE) continue;
      live = true;
      int i, j;
      sw_side_cell(s, side, e, &i, &j);
      size_t at = sw_at(s, i, j);
      double h = sw_get(s, s->state[s->now][SW_H], at);
      double q = sw_get(s, s->state[s->now][x ? SW_STATE_QX : SW_STATE_QY], at);
      double un = h > s->p.dry_depth ? sign * q / h : 0.0;
      double value = kind == SW_DISCHARGE ? s->share[side][e] : s->value_now[owner];
      double a = sw_boundary_speed_f64(kind, h > s->p.dry_depth ? h : 0.0, un,
                                       sw_get(s, s->bed, at), value, &k);
      double c = sqrt(g * h), sp = a * (x ? rdx : rdy) + c * (x ? rdy : rdx);
      if (sp > most) most = sp, s->forced_cell = j * s->grid.nx + i;
    }
  }
  for (int m = 0; m < s->n_sources; m++) {
    const ria_source *q = &s->sources[m].s;
    if (q->quantity != 0 || s->t >= q->t_stop || s->t + dt <= q->t_start) continue;
    live = true;
    for (int e = 0; e < q->n; e++) {
      size_t at = sw_at(s, q->cell[e] % s->grid.nx, q->cell[e] / s->grid.nx);
      double rate = source_depth_rate(s, q, s->t, e);
      if (rate <= 0) continue;
      double sp = sw_source_speed(sw_get(s, s->state[s->now][SW_H], at),
                                  sw_get(s, s->state[s->now][SW_STATE_QX], at),
                                  sw_get(s, s->state[s->now][SW_STATE_QY], at), rate, dt, g,
                                  s->p.dry_depth, s->p.cfl, rdx, rdy);
      if (sp > most) most = sp, s->forced_cell = q->cell[e];
    }
  }
  if (live) {
    const double least = sw_forced_least(s->grid.dx, s->grid.dy, g);
    if (least > most) most = least;
  }
  return most;
}

void sw_apply_sources(sw *s, double t, double dt) {
  const double area = s->grid.dx * s->grid.dy;
  for (int m = 0; m < s->n_sources; m++) {
    const ria_source *q = &s->sources[m].s;
    const double from = t > q->t_start ? t : q->t_start,
                 to = t + dt < q->t_stop ? t + dt : q->t_stop;
    if (to <= from) continue;
    void *plane = s->state[s->now][q->quantity == 0 ? SW_H : SW_STATE_C + q->quantity - 1];
    const double amount = ria_forcing_at(&s->table, q->rate, 0.5 * (from + to)) * (to - from);
    for (int e = 0; e < q->n; e++) {
      const int i = q->cell[e] % s->grid.nx, j = q->cell[e] / s->grid.nx;
      size_t at = sw_at(s, i, j);
      const double had = sw_get(s, plane, at);
      const double due = amount * q->weight[e] / area + s->sources[m].owed[e];
      sw_put(s, plane, at, had + due > 0 ? had + due : 0);
      const double given = sw_get(s, plane, at) - had;
      s->sources[m].owed[e] = due > 0 ? due - given : 0;
      s->added[q->quantity] += given * area;
      if (sw_get(s, s->state[s->now][SW_H], at) > s->p.dry_depth)
        s->wet[s->now][j * s->segments + i / SW_SEGMENT] = 1;
      s->same[j * s->segments + i / SW_SEGMENT] = 0;
    }
  }
}
