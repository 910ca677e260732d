/* forcing/relax.c - layers in which the flow is drawn to a given one.
 *
 * A layer is a list of cells, each with a rate. What is saved of a larger model comes frame by
 * frame: two are in memory, and an event at the later one's time has the next read in its place and
 * all forcing handed over anew. Between these events steps need nothing of the host. */
#include "base/context.h"
#include "base/grid.h"
#include "base/text.h"
#include "core/sim.h"
#include "forcing/forcing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const flow_names[RIA_TARGETS] = {"level", "u", "v"};

static const char *name_of(const ria_sim *sim, int q) {
  return q < RIA_TARGETS ? flow_names[q] : sim->tracers[q - RIA_TARGETS].name;
}

static void layer_free(ria_layer *l) {
  if (!l) return;
  for (int q = 0; q < RIA_RELAXED; q++) {
    ria_own_value_clear(&l->value[q]);
    free(l->at[q][0]);
    free(l->at[q][1]);
  }
  ria_nest_close(&l->nest);
  free(l->name);
  free(l->cell);
  free(l->rate);
  free(l->bed);
  free(l);
}

void ria_relax_layers_free(ria_sim *sim) {
  ria_forcing_state *f = sim->forcing;
  for (size_t k = 0; k < f->n_layers; k++) layer_free(f->layer[k]);
  free(f->layer);
  f->layer = NULL;
  f->n_layers = f->layers_room = 0;
}

/* --- what is asked for ------------------------------------------------------------------------ */

/* K of a cell, 1/s; 0 beyond the layer. Cells on the side are held: what goes on inwards is fed
 * from there. */
static double rate_at(const ria_grid *g, const ria_relax_desc *d, int i, int j) {
  const double off[RIA_SIDES] = {[RIA_WEST] = (i + 0.5) * g->dx,
                                 [RIA_EAST] = (g->nx - i - 0.5) * g->dx,
                                 [RIA_SOUTH] = (j + 0.5) * g->dy,
                                 [RIA_NORTH] = (g->ny - j - 0.5) * g->dy};
  const double first[RIA_SIDES] = {g->dx, g->dx, g->dy, g->dy};
  double near = 0.0;
  for (int side = 0; side < RIA_SIDES; side++) {
    if (!d->side[side]) continue;
    if (off[side] < first[side]) return HUGE_VAL;
    near = fmax(near, 1.0 - off[side] / d->width);
  }
  return near * near / d->time;
}

/* [cells] K of each. */
static ria_status rates_of_sides(ria_sim *sim, const ria_relax_desc *d, double *rate) {
  const ria_grid *g = &sim->grid;
  for (int j = 0; j < g->ny; j++)
    for (int i = 0; i < g->nx; i++) *rate++ = rate_at(g, d, i, j);
  return RIA_OK;
}

/* Cells that a line touches are held, as those on a side: touched[cells] receives 1 there. */
static ria_status touch_lines(ria_sim *sim, const ria_shapes *s, double *touched) {
  const size_t n = ria_shapes_count(s), cells = ria_grid_cells(&sim->grid);
  double *value = malloc(n * sizeof *value);
  if (!value) return ria_fail_memory(sim->ctx, "a layer", n * sizeof *value);
  for (size_t k = 0; k < n; k++)
    value[k] = ria_shapes_at(s, k)->kind == RIA_LINES ? 1.0 : (double)NAN;
  for (size_t c = 0; c < cells; c++) touched[c] = 0.0;
  const ria_lay lay = {.how = RIA_LAY_SET, .cells = RIA_CELLS_CENTRE, .value = value};
  const ria_status status = ria_shapes_lay(sim->ctx, s, &sim->grid, &lay, touched, NULL);
  free(value);
  return status;
}

static ria_status rates_of_shapes(ria_sim *sim, const ria_relax_desc *d, double *rate) {
  const size_t cells = ria_grid_cells(&sim->grid);
  RIA_TRY(ria_shapes_near(sim->ctx, d->shapes, &sim->grid, d->width, rate));
  double *touched = malloc(cells * sizeof *touched);
  if (!touched) return ria_fail_memory(sim->ctx, "a layer", cells * sizeof *touched);
  const ria_status status = touch_lines(sim, d->shapes, touched);
  for (size_t c = 0; c < cells && status == RIA_OK; c++) {
    const double off = rate[c], near = off > 0.0 ? 1.0 - off / d->width : 1.0;
    rate[c] = off <= d->width ? near * near / d->time : 0.0;
    if (touched[c] > 0.0) rate[c] = HUGE_VAL;
  }
  free(touched);
  return status;
}

static ria_status rates_of_map(ria_sim *sim, const ria_relax_desc *d, const char *name,
                               double *rate) {
  const ria_grid *g = &sim->grid;
  for (size_t c = 0; c < ria_grid_cells(g); c++) {
    const double share = isnan(d->map[c]) ? 0.0 : d->map[c];
    if (!(share >= 0.0 && share <= 1.0))
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                      "%s: its map is %g in cell (%zu, %zu): it must be 0 to 1", name, share,
                      c % (size_t)g->nx, c / (size_t)g->nx);
    rate[c] = share / d->time;
  }
  return RIA_OK;
}

static ria_status take_rates(ria_sim *sim, ria_layer *l, const double *rate) {
  const size_t cells = ria_grid_cells(&sim->grid);
  size_t n = 0;
  for (size_t c = 0; c < cells; c++) n += rate[c] > 0.0;
  l->cell = malloc((n + 1) * sizeof *l->cell);
  l->rate = malloc((n + 1) * sizeof *l->rate);
  if (!l->cell || !l->rate) return ria_fail_memory(sim->ctx, l->name, n * sizeof *l->rate);
  for (size_t c = 0; c < cells; c++) {
    if (!(rate[c] > 0.0)) continue;
    l->cell[l->n] = (int32_t)c;
    l->rate[l->n++] = rate[c];
  }
  return RIA_OK;
}

static ria_status lay_cells(ria_sim *sim, const ria_relax_desc *d, ria_layer *l) {
  const size_t bytes = ria_grid_cells(&sim->grid) * sizeof(double);
  double *rate = malloc(bytes);
  if (!rate) return ria_fail_memory(sim->ctx, l->name, bytes);
  ria_status status = d->map      ? rates_of_map(sim, d, l->name, rate)
                      : d->shapes ? rates_of_shapes(sim, d, rate)
                                  : rates_of_sides(sim, d, rate);
  if (status == RIA_OK) status = take_rates(sim, l, rate);
  free(rate);
  if (status != RIA_OK || l->n > 0) return status;
  if (d->map) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%s: its map is 0 in all cells", l->name);
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "%s: a width of %.6g m holds the centre of no cell: cells are %.6g m wide",
                  l->name, d->width, sim->grid.dx);
}

static bool all_polygons(const ria_shapes *s) {
  for (size_t k = 0; k < ria_shapes_count(s); k++)
    if (ria_shapes_at(s, k)->kind != RIA_POLYGONS) return false;
  return true;
}

/* Along sides, around shapes or by a map: one of them. */
static ria_status check_where(ria_sim *sim, const ria_relax_desc *d, const ria_layer *l) {
  bool some = false;
  for (int side = 0; side < RIA_SIDES; side++) some |= d->side[side];
  if (some + !!d->shapes + !!d->map > 1)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "%s lies along sides, at shapes or by a map: one of them", l->name);
  if (!some && !d->shapes && !d->map)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%s lies along no side", l->name);
  if (d->map && d->width != 0.0)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%s: a layer by a map has no width", l->name);
  const bool inside = d->map || (d->shapes && d->width == 0.0 && all_polygons(d->shapes));
  if (!inside && !(d->width > 0.0 && isfinite(d->width)))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%s: its width must be more than 0%s", l->name,
                    d->shapes ? " (within polygons alone it may be left out)" : "");
  return RIA_OK;
}

static ria_status check_numbers(ria_sim *sim, const ria_relax_desc *d, const ria_layer *l) {
  if (!sim->solver->relaxes)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "solver '%s' has no layers that draw its flow",
                    sim->solver->name);
  if (!(d->time > 0.0) || !isfinite(d->time))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%s: its time must be more than 0", l->name);
  return check_where(sim, d, l);
}

static ria_status take_value(ria_sim *sim, ria_layer *l, int q, const ria_value *v) {
  if (!v->series && !isfinite(v->constant))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%s: %s is not a finite number", l->name,
                    name_of(sim, q));
  if (q >= RIA_TARGETS && ria_value_is_negative(v))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "%s: the concentration of '%s' is negative: it must be 0 or more", l->name,
                    name_of(sim, q));
  l->given[q] = true;
  return ria_own_value_set(sim, &l->value[q], v);
}

static ria_status take_values(ria_sim *sim, ria_layer *l, const ria_relax_desc *d) {
  for (int q = 0; q < RIA_TARGETS; q++)
    if (d->given >> q & 1u) RIA_TRY(take_value(sim, l, q, &d->flow[q]));
  for (int m = 0; m < RIA_MAX_TRACERS; m++) {
    if (!(d->tracers_given >> m & 1u)) continue;
    if (m >= sim->n_tracers)
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%s: a concentration of tracer %d of %d", l->name,
                      m + 1, sim->n_tracers);
    RIA_TRY(take_value(sim, l, RIA_TARGETS + m, &d->tracers[m]));
  }
  return RIA_OK;
}

static bool from_nest(const ria_layer *l, int q) {
  return l->nest && !l->given[q] && ria_nest_has(l->nest, q);
}

static ria_status nest_covers(ria_sim *sim, const ria_layer *l, double t0, double t1) {
  double from, to;
  char need[64], have[2][64];
  if (!l->nest) return RIA_OK;
  ria_nest_span(l->nest, &from, &to);
  const bool early = t0<from - ria_time_slack(from), late = t1> to + ria_time_slack(to);
  if (!early && !late) return RIA_OK;
  ria_start_tell_seconds(&sim->start, early ? t0 : t1, need, sizeof need);
  ria_start_tell_seconds(&sim->start, from, have[0], sizeof have[0]);
  ria_start_tell_seconds(&sim->start, to, have[1], sizeof have[1]);
  return ria_fail(sim->ctx, RIA_ERR_INPUT,
                  "%s: store %s has frames from %s to %s, and the run needs "
                  "them at %s",
                  l->name, ria_nest_path(l->nest), have[0], have[1], need);
}

static ria_status take_nest(ria_sim *sim, ria_layer *l, const ria_nest_desc *d) {
  if (!d->path) return RIA_OK;
  RIA_TRY(ria_nest_open(sim, d, l->name, l->n, l->cell, &l->nest));
  for (int q = 0; q < RIA_RELAXED; q++)
    for (int later = 0; later < 2 && from_nest(l, q); later++) {
      l->at[q][later] = malloc(((size_t)l->n + 1) * sizeof *l->at[q][later]);
      if (!l->at[q][later])
        return ria_fail_memory(sim->ctx, l->name, (size_t)l->n * sizeof *l->at[q][later]);
    }
  return nest_covers(sim, l, sim->at.t, sim->at.t);
}

/* --- frames of a nest ------------------------------------------------------------------------- */

static ria_status next_frame(ria_sim *sim, const ria_event_info *info, void *user);

/* An event where the pair of frames of the present ends. It is asked for before steps are, not when
 * forcing is made flat: the end of a span is known by then. */
static ria_status await_frame(ria_sim *sim, ria_layer *l) {
  double t0, t1;
  const double end = ria_nest_time(l->nest, ria_nest_pair(l->nest, sim->at.t) + 1);
  ria_nest_span(l->nest, &t0, &t1);
  if (!(end < t1)) return RIA_OK;
  const ria_action action = {.fn = next_frame, .user = l, .phase = RIA_PHASE_FORCING};
  return ria_sim_at(sim, end, &action, &l->next);
}

static ria_status next_frame(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  sim->unforced = true;
  return await_frame(sim, user);
}

bool ria_is_frame_event(ria_event_fn fn) { return fn == next_frame; }

static ria_status load(ria_sim *sim, ria_layer *l, size_t pair) {
  double *to[2][RIA_RELAXED];
  const bool goes_on = l->loaded && pair == l->pair + 1;
  l->loaded = false;
  for (int q = 0; q < RIA_RELAXED; q++) {
    if (goes_on) { /* the later frame is the earlier one now */
      double *old = l->at[q][0];
      l->at[q][0] = l->at[q][1];
      l->at[q][1] = old;
    }
    for (int later = 0; later < 2; later++) to[later][q] = l->at[q][later];
  }
  if (!goes_on) RIA_TRY(ria_nest_read(sim, l->nest, pair, to[0]));
  RIA_TRY(ria_nest_read(sim, l->nest, pair + 1, to[1]));
  l->pair = pair;
  l->loaded = true;
  return RIA_OK;
}

/* The pair of frames that the present lies in. */
static ria_status follow_nest(ria_sim *sim, ria_layer *l) {
  const size_t pair = ria_nest_pair(l->nest, sim->at.t);
  return l->loaded && pair == l->pair ? RIA_OK : load(sim, l, pair);
}

static ria_status describe(ria_sim *sim, const ria_relax_desc *d, ria_layer *l) {
  bool some = false;
  char name[RIA_NAME_MAX + 16];
  if (d->name)
    snprintf(name, sizeof name, "layer '%s'", d->name);
  else
    snprintf(name, sizeof name, "layer %zu", sim->forcing->n_layers + 1);
  l->name = ria_strdup(name);
  if (!l->name) return ria_fail_memory(sim->ctx, "a layer", strlen(name) + 1);
  RIA_TRY(check_numbers(sim, d, l));
  RIA_TRY(take_values(sim, l, d));
  RIA_TRY(lay_cells(sim, d, l));
  RIA_TRY(take_nest(sim, l, &d->nest));
  for (int q = 0; q < RIA_RELAXED; q++) some |= l->given[q] || from_nest(l, q);
  if (some) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "%s draws nothing: give it a level, u, v, tracers or a nest", l->name);
}

ria_status ria_relax_add(ria_sim *sim, const ria_relax_desc *desc) {
  ria_forcing_state *f = sim->forcing;
  if (!desc) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a layer needs a description");
  RIA_TRY(ria_grow(sim->ctx, "layers", &f->layer, &f->layers_room, f->n_layers + 1,
                   sizeof(ria_layer *)));
  ria_layer *l = calloc(1, sizeof *l);
  if (!l) return ria_fail_memory(sim->ctx, "a layer", sizeof *l);
  ria_status status = describe(sim, desc, l);
  if (status == RIA_OK && l->nest) status = await_frame(sim, l);
  if (status != RIA_OK) {
    layer_free(l);
    return status;
  }
  f->layer[f->n_layers++] = l;
  sim->unforced = true;
  return RIA_OK;
}

/* --- made flat -------------------------------------------------------------------------------- */

/* The most that |value| can be. */
static ria_status most_of(ria_sim *sim, const ria_own_value *v, double *most) {
  ria_own_value turned = {0};
  const ria_value view = ria_own_value_view(v);
  RIA_TRY(ria_own_value_scaled(sim, &turned, &view, -1.0));
  const ria_value back = ria_own_value_view(&turned);
  *most = fmax(ria_value_most(&view), ria_value_most(&back));
  ria_own_value_clear(&turned);
  return RIA_OK;
}

static ria_status most_speed(ria_sim *sim, const ria_layer *l, int q, double *most) {
  *most = 0.0;
  if (l->given[q]) return most_of(sim, &l->value[q], most);
  for (int later = 0; later < 2 && from_nest(l, q); later++)
    for (int k = 0; k < l->n; k++) *most = fmax(*most, fabs(l->at[q][later][k])); /* not NaN */
  return RIA_OK;
}

/* The bed of the cells. A solver that is about to take another one's state over is told the forcing
 * first and knows no bed yet. The bed of the cells is kept until somebody sets it again. */
static ria_status know_bed(ria_sim *sim, ria_layer *l) {
  const ria_sim_field *bed = sim->roles.bed;
  if (l->bed && l->beds == sim->beds) return RIA_OK;
  double *z = malloc(((size_t)l->n + 1) * sizeof *z);
  if (!z) return ria_fail_memory(sim->ctx, l->name, (size_t)l->n * sizeof *z);
  const ria_status s = ria_ask_sample(sim, bed->index, bed->tracer, l->n, l->cell, z);
  if (s != RIA_OK) {
    free(z);
    return s;
  }
  free(l->bed);
  l->bed = z;
  l->beds = sim->beds;
  return RIA_OK;
}

/* The highest level, and the deepest that it makes a cell. */
static ria_status most_depth(ria_sim *sim, ria_layer *l, double *level, double *most) {
  const bool mapped = from_nest(l, RIA_TARGET_LEVEL);
  *level = -HUGE_VAL;
  *most = 0.0;
  if (!sim->roles.bed || (!mapped && !l->given[RIA_TARGET_LEVEL])) return RIA_OK;
  RIA_TRY(know_bed(sim, l));
  const ria_value view = ria_own_value_view(&l->value[RIA_TARGET_LEVEL]);
  const double high = mapped ? 0.0 : ria_value_most(&view);
  for (int k = 0; k < l->n; k++)
    for (int later = 0; later < 2; later++) {
      const double aim = mapped ? l->at[RIA_TARGET_LEVEL][later][k] : high;
      *level = fmax(*level, aim);
      *most = fmax(*most, aim - l->bed[k]);
    }
  return RIA_OK;
}

static ria_status build_target(ria_sim *sim, ria_forcing_build *b, const ria_layer *l, int q,
                               ria_relaxed *to) {
  *to = (ria_relaxed){.id = -1};
  for (int later = 0; later < 2 && from_nest(l, q); later++) to->at[later] = l->at[q][later];
  return l->given[q] ? ria_forcing_build_value(sim, b, &l->value[q], &to->id) : RIA_OK;
}

static ria_status build_layer(ria_sim *sim, ria_forcing_build *b, ria_layer *l, ria_relax *out) {
  if (l->nest) RIA_TRY(follow_nest(sim, l));
  *out = (ria_relax){.n = l->n, .cell = l->cell, .rate = l->rate, .t0 = 0.0, .t1 = 1.0};
  if (l->nest) {
    out->t0 = ria_nest_time(l->nest, l->pair);
    out->t1 = ria_nest_time(l->nest, l->pair + 1);
  }
  for (int q = 0; q < RIA_RELAXED; q++) RIA_TRY(build_target(sim, b, l, q, ria_relaxed_of(out, q)));
  RIA_TRY(most_speed(sim, l, RIA_TARGET_U, &out->u));
  RIA_TRY(most_speed(sim, l, RIA_TARGET_V, &out->v));
  return most_depth(sim, l, &out->level, &out->depth);
}

ria_status ria_relax_build(ria_sim *sim, ria_forcing_build *b) {
  const ria_forcing_state *f = sim->forcing;
  b->relax = calloc(f->n_layers + 1, sizeof *b->relax);
  if (!b->relax) return ria_fail_memory(sim->ctx, "layers", f->n_layers * sizeof *b->relax);
  for (; b->n_relax < f->n_layers; b->n_relax++)
    RIA_TRY(build_layer(sim, b, f->layer[b->n_relax], &b->relax[b->n_relax]));
  return RIA_OK;
}

/* --- the time they cover ---------------------------------------------------------------------- */

static ria_status layer_covers(ria_sim *sim, const ria_layer *l, double t0, double t1) {
  char what[2 * RIA_NAME_MAX + 40];
  for (int q = 0; q < RIA_TARGETS + sim->n_tracers; q++) {
    const ria_value v = ria_own_value_view(&l->value[q]);
    snprintf(what, sizeof what, "%s of %s", name_of(sim, q), l->name);
    RIA_TRY(ria_value_check_span(sim->ctx, &sim->start, &v, what, t0, t1));
  }
  return nest_covers(sim, l, t0, t1);
}

ria_status ria_relax_covers(ria_sim *sim, double t0, double t1) {
  for (size_t k = 0; k < sim->forcing->n_layers; k++)
    RIA_TRY(layer_covers(sim, sim->forcing->layer[k], t0, t1));
  return RIA_OK;
}

double ria_relax_cover_end(const ria_sim *sim) {
  double end = INFINITY, from, to;
  for (size_t k = 0; k < sim->forcing->n_layers; k++) {
    const ria_layer *l = sim->forcing->layer[k];
    for (int q = 0; q < RIA_RELAXED; q++)
      if (l->value[q].series) end = fmin(end, l->value[q].series->t1);
    if (!l->nest) continue;
    ria_nest_span(l->nest, &from, &to);
    end = fmin(end, to);
  }
  return end;
}

/* --- in words --------------------------------------------------------------------------------- */

/* "level, u": the quantities that are given, or those that the nest gives. */
static bool name_quantities(const ria_sim *sim, const ria_layer *l, bool given, char *text,
                            size_t size) {
  bool some = false;
  for (int q = 0; q < RIA_TARGETS + sim->n_tracers; q++) {
    if (given ? !l->given[q] : l->given[q] || !l->nest || !ria_nest_has(l->nest, q)) continue;
    ria_append(text, size, "%s%s", some ? ", " : "", name_of(sim, q));
    some = true;
  }
  return some;
}

bool ria_relax_tell(const ria_sim *sim, size_t k, char *text, size_t size) {
  const ria_forcing_state *f = sim->forcing;
  if (k >= f->n_layers) return false;
  const ria_layer *l = f->layer[k];
  ria_format(text, size, "%s: %d cells, drawn to ", l->name, l->n);
  const bool some = name_quantities(sim, l, true, text, size);
  if (some) ria_append(text, size, " as given");
  if (!l->nest) return true;
  if (some) ria_append(text, size, ", and to ");
  if (name_quantities(sim, l, false, text, size))
    ria_append(text, size, " of %s", ria_nest_path(l->nest));
  return true;
}
