/* adi_forcing.c - what drives the flow from outside: boundaries and sources.
 *
 * As in shallow_water: the engine's flat set is copied, values of the moment are worked out once
 * per stretch, what crosses is counted per boundary cell and folded into totals per stretch when
 * asked. */
#include "adi.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

ria_status adi_no_memory(const adi *s, const char *what) {
  return ria_fail(s->ctx, RIA_ERR_MEMORY, "out of memory for %s of a %d x %d grid", what,
                  s->grid.nx, s->grid.ny);
}

void adi_free_forcing(adi *s) {
  for (int k = 0; k < s->n_sources; k++) {
    free(s->sources[k].cell);
    free(s->sources[k].weight);
    free(s->sources[k].owed);
  }
  void **all[] = {(void **)&s->sources, (void **)&s->entries,   (void **)&s->data,
                  (void **)&s->stretch, (void **)&s->value_now, (void **)&s->tracer_now};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    free(*all[k]);
    *all[k] = NULL;
  }
  s->n_sources = 0;
}

void adi_fold_crossed(adi *s) {
  const size_t width = 1 + (size_t)s->nt;
  for (int side = 0; side < RIA_SIDES; side++)
    for (int k = 0; k < ria_side_length(&s->grid, side); k++)
      for (size_t m = 0; m < width; m++) {
        sw_crossed *c = &s->crossed[side][(size_t)k * width + m];
        const size_t to = (size_t)s->owner[side][k] * width + m;
        if (s->owner[side][k] < s->n_stretch) {
          s->stretch_in[to] += c->in;
          s->stretch_out[to] += c->out;
        }
        c->in = c->out = 0;
      }
}

static void *copy_of(const void *p, size_t bytes) {
  void *q = malloc(bytes ? bytes : 1);
  if (q && bytes) memcpy(q, p, bytes);
  return q;
}

/* Totals by stretch keep their values; new stretches start at zero. */
static bool grow_totals(adi *s, int n) {
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

static bool copy_sources(adi *s, const ria_forcing_set *set) {
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

ria_status adi_force(void *self, const ria_forcing_set *set) {
  adi *s = self;
  adi_fold_crossed(s);
  if (!grow_totals(s, set->boundary.n)) return adi_no_memory(s, "the boundaries");
  adi_free_forcing(s);
  s->n_stretch = set->boundary.n;
  s->entries = copy_of(set->table.entry, (size_t)set->table.n * sizeof *s->entries);
  s->data = copy_of(set->table.data, (size_t)set->table.n_data * sizeof *s->data);
  s->stretch = copy_of(set->boundary.stretch, (size_t)s->n_stretch * sizeof *s->stretch);
  s->value_now = calloc((size_t)s->n_stretch + 1, sizeof *s->value_now);
  s->tracer_now = calloc((size_t)s->n_stretch * RIA_MAX_TRACERS + 1, sizeof *s->tracer_now);
  if (!s->entries || !s->data || !s->stretch || !s->value_now || !s->tracer_now ||
      !copy_sources(s, set))
    return adi_no_memory(s, "the forcing");
  s->table = (ria_forcing_table){s->entries, s->data, set->table.n, set->table.n_data};
  memcpy(s->wind, set->varying, sizeof s->wind);
  for (int side = 0; side < RIA_SIDES; side++)
    memcpy(s->owner[side], set->boundary.owner[side],
           (size_t)ria_side_length(&s->grid, side) * sizeof *s->owner[side]);
  s->ready = false;
  return RIA_OK;
}

/* --- values of the moment -----------------------------------------------------------------------
 */

static double lowest_bed(const adi *s, int stretch, int *cells) {
  const ria_side side = s->stretch[stretch].side;
  double lowest = DBL_MAX;
  *cells = 0;
  for (int k = 0; k < ria_side_length(&s->grid, side); k++) {
    if (s->owner[side][k] != stretch) continue;
    int i, j;
    adi_side_cell(s, side, k, &i, &j);
    const double z = adi_get(s, s->bed, adi_at(s, i, j));
    if (z < lowest) lowest = z;
    ++*cells;
  }
  return lowest;
}

static double conveyance(const adi *s, ria_side side, int k, double filled_to) {
  int i, j;
  adi_side_cell(s, side, k, &i, &j);
  const size_t at = adi_at(s, i, j);
  if (!(adi_get(s, s->bed, at) < s->p.land)) return 0;
  return sw_conveyance(adi_depth_at(s, at), adi_get(s, s->bed, at),
                       s->manning ? adi_get(s, s->manning, at) : 1.0, filled_to);
}

/* Spread a total discharge over its stretch in proportion to conveyance. */
static void spread_discharge(adi *s, int stretch) {
  const ria_side side = s->stretch[stretch].side;
  const int n = ria_side_length(&s->grid, side);
  const double length = side == RIA_WEST || side == RIA_EAST ? s->grid.dy : s->grid.dx;
  const double q = s->value_now[stretch];
  int cells;
  const double lowest = lowest_bed(s, stretch, &cells);
  if (cells == 0) return;
  const double water = sw_filled_to(q, cells * length, lowest, s->p.gravity);
  double sum = 0;
  for (int k = 0; k < n; k++)
    if (s->owner[side][k] == stretch) sum += s->share[side][k] = conveyance(s, side, k, water);
  for (int k = 0; k < n; k++)
    if (s->owner[side][k] == stretch)
      s->share[side][k] = sum > 0 ? q * s->share[side][k] / (sum * length) : 0.0;
}

void adi_force_at(adi *s, enum adi_axis axis, double t_level, double t_flux) {
  for (int k = 0; k < s->n_stretch; k++) {
    const ria_stretch *b = &s->stretch[k];
    if ((b->side == RIA_WEST || b->side == RIA_EAST) != (axis == ADI_X)) continue;
    if (b->kind == SW_LEVEL) s->value_now[k] = ria_forcing_at(&s->table, b->value[0], t_level);
    if (b->kind != SW_DISCHARGE) continue;
    s->value_now[k] = ria_forcing_at(&s->table, b->value[0], t_flux);
    spread_discharge(s, k);
  }
}

double adi_wind_at(const adi *s, enum adi_axis axis, double t) {
  double stress[2];
  ria_wind_at(&s->p.forces, &s->table, s->wind, t, stress);
  return stress[axis];
}

void adi_inflow_at(adi *s, double t) {
  for (int k = 0; k < s->n_stretch; k++)
    for (int m = 0; m < s->nt; m++)
      s->tracer_now[(size_t)k * (size_t)s->nt + (size_t)m] =
          ria_forcing_at(&s->table, s->stretch[k].tracer[m], t);
}

/* --- sources ------------------------------------------------------------------------------------
 */

void adi_apply_sources(adi *s, double t, double dt) {
  const double area = s->grid.dx * s->grid.dy;
  for (int m = 0; m < s->n_sources; m++) {
    const ria_source *q = &s->sources[m].s;
    const double from = t > q->t_start ? t : q->t_start,
                 to = t + dt < q->t_stop ? t + dt : q->t_stop;
    if (to <= from) continue;
    void *plane = q->quantity == 0 ? s->level[s->level_now] : s->load[s->load_now][q->quantity - 1];
    const double amount = ria_forcing_at(&s->table, q->rate, 0.5 * (from + to)) * (to - from);
    for (int e = 0; e < q->n; e++) {
      const size_t at = adi_at(s, q->cell[e] % s->grid.nx, q->cell[e] / s->grid.nx);
      const double had = adi_get(s, plane, at);
      const double empty = q->quantity == 0 ? adi_get(s, s->bed, at) : 0.0;
      const double due = amount * q->weight[e] / area + s->sources[m].owed[e];
      adi_put(s, plane, at, had + due > empty ? had + due : had < empty ? had : empty);
      const double given = adi_get(s, plane, at) - had;
      s->sources[m].owed[e] = due > 0 ? due - given : 0;
      s->added[q->quantity] += given * area;
    }
  }
}
