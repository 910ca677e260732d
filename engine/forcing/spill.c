/* forcing/spill.c - releases of tracers, of water that may carry them, of any quantity.
 *
 * A release at once is one event that adds amounts to cells (spill_cells.c). A continuous one is a
 * ria_source from its start event to its stop event; both are events of the queue, so steps land on
 * them and never straddle an end.
 *
 * What a source has released is the integral of its rate in time. It is taken here, from the
 * series, so that it stays known after the source has left the solver's set. */
#include "base/context.h"
#include "core/sim.h"
#include "base/text.h"
#include "base/grid.h"
#include "forcing/forcing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what was released ------------------------------------------------------------------------ */

/* Integral of a value over [a, b] where it is smooth: Gauss-Legendre of three points, exact for
 * what is linear in time. */
static double integrate_smooth(const ria_value *v, double a, double b) {
  const double c = 0.5 * (a + b), h = 0.5 * (b - a), p = h * 0.77459666924148338;
  double f[3];
  const double at[3] = {c - p, c, c + p};
  for (int k = 0; k < 3; k++) f[k] = v->series ? ria_series_at(v->series, at[k]) : v->constant;
  return h * (5.0 * f[0] + 8.0 * f[1] + 5.0 * f[2]) / 9.0;
}

/* Tides and ramps are cut into this many pieces, on top of the knots of a table. */
enum { RIA_PIECES = 256 };

static double integrate_pieces(const ria_value *v, double a, double b) {
  const ria_forcing *f = &v->series->entry;
  bool linear = f->kind != RIA_FORCING_TIDE && !(f->ramp > a);
  int n = linear ? 1 : RIA_PIECES;
  double sum = 0.0;
  for (int k = 0; k < n; k++)
    sum += integrate_smooth(v, a + (b - a) * k / n, a + (b - a) * (k + 1) / n);
  return sum;
}

static double integrate(const ria_own_value *own, double a, double b) {
  ria_value v = ria_own_value_view(own);
  if (!(b > a)) return 0.0;
  if (!v.series) return v.constant * (b - a);
  const ria_forcing *f = &v.series->entry;
  double sum = 0.0, from = a;
  if (f->kind == RIA_FORCING_LINEAR || f->kind == RIA_FORCING_STEP) {
    for (int k = 0; k < f->count; k++) {
      double knot = v.series->data[2 * k];
      if (knot <= from || knot >= b) continue;
      sum += integrate_pieces(&v, from, knot);
      from = knot;
    }
  }
  return sum + integrate_pieces(&v, from, b);
}

double ria_release_so_far(const ria_sim *sim, const ria_release *r) {
  if (r->state == RIA_RELEASE_WAITS) return 0.0;
  if (r->state == RIA_RELEASE_DONE) return r->released;
  const double counted = integrate(&r->rate, r->start, fmin(sim->at.t, r->stop));
  return ria_quantity_amount(sim, r->quantity, counted);
}

/* --- events ----------------------------------------------------------------------------------- */

static void release_end(ria_sim *sim, ria_release *r) {
  r->released = ria_release_so_far(sim, r);
  r->state = RIA_RELEASE_DONE;
  r->starts = r->stops = 0;
  free(r->cell);
  free(r->weight);
  r->cell = NULL;
  r->weight = NULL;
  r->n = 0;
}

static ria_status release_at_once(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  ria_release *r = user;
  int32_t *cell = NULL;
  double *amount = NULL;
  int n = 0;
  RIA_TRY(ria_release_cells(sim, r, &cell, &amount, &n));
  const double counted = ria_quantity_counted(sim, r->quantity, r->mass);
  for (int k = 0; k < n; k++) amount[k] *= counted;
  ria_status s = ria_tell_add(sim, r->quantity, n, cell, amount);
  free(cell);
  free(amount);
  if (s != RIA_OK) return s;
  sim->edits++;
  sim->unprepared = true;
  sim->ledger.added[r->quantity] += counted;
  release_end(sim, r);
  r->released = r->mass;
  return RIA_OK;
}

static ria_status release_start(ria_sim *sim, const ria_event_info *info, void *user) {
  ria_release *r = user;
  RIA_TRY(ria_release_cells(sim, r, &r->cell, &r->weight, &r->n));
  r->start = info->t;
  r->state = RIA_RELEASE_RUNS;
  r->starts = 0;
  sim->unforced = true;
  return RIA_OK;
}

static ria_status release_stop(ria_sim *sim, const ria_event_info *info, void *user) {
  ria_release *r = user;
  r->stop = info->t;
  release_end(sim, r);
  sim->unforced = true;
  return RIA_OK;
}

bool ria_is_release_event(ria_event_fn fn) {
  return fn == release_at_once || fn == release_start || fn == release_stop;
}

static ria_status release_schedule(ria_sim *sim, ria_release *r) {
  bool once = r->stop <= r->start;
  ria_action begin = {
      .fn = once ? release_at_once : release_start, .user = r, .phase = RIA_PHASE_FORCING};
  ria_action end = {.fn = release_stop, .user = r, .phase = RIA_PHASE_FORCING};
  RIA_TRY(ria_sim_at(sim, r->start, &begin, &r->starts));
  if (once || !isfinite(r->stop)) return RIA_OK;
  ria_status s = ria_sim_at(sim, r->stop, &end, &r->stops);
  if (s != RIA_OK) ria_queue_cancel(sim, r->starts);
  return s;
}

/* --- what is asked for ------------------------------------------------------------------------ */

static const char *spill_name(const ria_spill_desc *d) {
  return d->name ? d->name : d->tracer ? d->tracer : "water";
}

static bool finite_value(const ria_value *v) { return v->series || isfinite(v->constant); }

static ria_status check_place(ria_sim *sim, const ria_spill_desc *d) {
  int i, j;
  char where[RIA_GRID_TEXT];
  const ria_grid *g = &sim->grid;
  if (!ria_grid_locate(g, d->x, d->y, &i, &j))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "spill '%s': (%.10g, %.10g) lies outside the domain, %s", spill_name(d), d->x,
                    d->y, ria_grid_tell(g, where));
  return ria_release_check_inside(sim, spill_name(d), d->x, d->y);
}

static ria_status check_numbers(ria_sim *sim, const ria_spill_desc *d) {
  const struct {
    const char *name;
    double v;
  } at_least_0[] = {{"radius", d->radius}, {"duration", d->duration}, {"mass", d->mass},
                    {"amount", d->amount}, {"volume", d->volume},     {"density", d->density}};
  for (size_t i = 0; i < sizeof at_least_0 / sizeof *at_least_0; i++)
    if (!(at_least_0[i].v >= 0.0) || !isfinite(at_least_0[i].v))
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "spill '%s': %s is %g, it must be 0 or more",
                      spill_name(d), at_least_0[i].name, at_least_0[i].v);
  if (!finite_value(&d->rate) || !finite_value(&d->flow) || !finite_value(&d->conc) ||
      !isfinite(d->start))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "spill '%s': start, rate, flow or conc is not a finite number", spill_name(d));
  if (ria_value_is_negative(&d->rate) || ria_value_is_negative(&d->conc))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "spill '%s': %s is negative: it must be 0 or more",
                    spill_name(d), ria_value_is_negative(&d->rate) ? "rate" : "conc");
  if (ria_value_is_negative(&d->flow))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "spill '%s': flow is negative: a spill adds water; take it out by a boundary "
                    "with a negative discharge",
                    spill_name(d));
  if (d->shapes && d->radius > 0.0)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "spill '%s': shapes have no radius", spill_name(d));
  return d->shapes ? RIA_OK : check_place(sim, d);
}

/* A quantity of the solver's own has no mass: a volume or a flow, without density or conc. */
static ria_status check_own_forms(ria_sim *sim, const ria_spill_desc *d) {
  bool conc = d->conc.series || d->conc.constant != 0.0;
  if (!d->has_rate && !(d->mass > 0.0) && !(d->amount > 0.0) && !(d->density > 0.0) && !conc &&
      (d->volume > 0.0) != d->has_flow)
    return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "spill '%s': of '%s' a volume or a flow is released, one of the two, and no "
                  "density or conc",
                  spill_name(d), d->tracer ? d->tracer : ria_quantity_name(sim, 0));
}

/* Without a tracer it is the solver's first quantity, clean water, in one of the same two forms. */
static ria_status check_clean(ria_sim *sim, const ria_spill_desc *d) {
  const char *wrong = NULL;
  if (sim->n_own == 0)
    wrong = "a tracer is needed: the solver has no water";
  else if (d->conc.series || d->conc.constant != 0.0)
    wrong = "conc needs a tracer";
  else if (d->density > 0.0)
    wrong = "density needs a tracer";
  else if (d->mass > 0.0 || d->amount > 0.0 || d->has_rate)
    wrong = "a tracer is needed (only volume and flow may be water alone)";
  if (!wrong) return check_own_forms(sim, d);
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "spill '%s': %s", spill_name(d), wrong);
}

static ria_status check_forms(ria_sim *sim, const ria_spill_desc *d) {
  bool conc = d->conc.series || d->conc.constant != 0.0;
  int forms = (d->mass > 0.0) + (d->amount > 0.0) + d->has_rate + (d->volume > 0.0) + d->has_flow;
  const char *wrong = NULL;
  if (forms != 1)
    wrong = forms
                ? "only one of mass, amount, rate, volume and flow may be given"
                : "one of mass, amount, rate, volume (with density) or flow (with conc) is needed";
  else if (d->volume > 0.0 && !(d->density > 0.0))
    wrong = "volume needs density";
  else if (!(d->volume > 0.0) && d->density > 0.0)
    wrong = "density goes with volume only";
  else if (conc && !d->has_flow)
    wrong = "conc goes with flow only";
  else if (d->flow.series && d->conc.series)
    wrong = "flow and conc cannot both be series: one of them must be a constant";
  if (!wrong) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "spill '%s': %s", spill_name(d), wrong);
}

/* Of what is not measured by mass no mass can be released. */
static ria_status check_mass(ria_sim *sim, const ria_release *r, const ria_spill_desc *d) {
  const char *given = d->mass > 0.0 ? "mass" : d->volume > 0.0 ? "volume with density" : NULL;
  const char *unit = ria_quantity_unit(sim, r->quantity);
  if (!given || strcmp(unit, "kg") == 0) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "spill '%s': '%s' is in %s, which has no mass: give amount, in %s, not %s",
                  spill_name(d), d->tracer, sim->tracers[r->quantity - sim->n_own].unit, unit,
                  given);
}

/* Rates of a continuous release, from whichever form it was given in, as the solver counts. */
static ria_status take_rates(ria_sim *sim, ria_release *r, const ria_spill_desc *d) {
  if (d->has_rate)
    return ria_own_value_scaled(sim, &r->rate, &d->rate,
                                ria_quantity_counted(sim, r->quantity, 1.0));
  if (!d->has_flow) {
    r->rate.constant = ria_quantity_counted(sim, r->quantity, r->mass) / d->duration;
    return RIA_OK;
  }
  if (ria_release_is_own(sim, r)) return ria_own_value_set(sim, &r->rate, &d->flow);
  RIA_TRY(ria_own_value_set(sim, &r->flow, &d->flow));
  if (d->flow.series) return ria_own_value_scaled(sim, &r->rate, &d->flow, d->conc.constant);
  return ria_own_value_scaled(sim, &r->rate, &d->conc, d->flow.constant);
}

static ria_status fail_past(const ria_sim *sim, const ria_release *r) {
  char start[64], now[64];
  ria_start_tell_seconds(&sim->start, r->start, start, sizeof start);
  ria_start_tell_seconds(&sim->start, sim->at.t, now, sizeof now);
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "spill '%s' starts at %s, before the present, %s",
                  r->name, start, now);
}

static ria_status release_fill(ria_sim *sim, ria_release *r, const ria_spill_desc *d) {
  double now = sim->at.t;
  if (d->tracer) RIA_TRY(ria_quantity_find(sim, d->tracer, &r->quantity)); /* else it is 0 */
  RIA_TRY(!d->tracer                   ? check_clean(sim, d)
          : ria_release_is_own(sim, r) ? check_own_forms(sim, d)
                                       : check_forms(sim, d));
  if (!ria_release_is_own(sim, r)) RIA_TRY(check_mass(sim, r, d));
  r->name = ria_strdup(spill_name(d));
  if (!r->name) return ria_fail_memory(sim->ctx, "spill", 0);
  r->x = d->x;
  r->y = d->y;
  r->radius = d->radius;
  if (d->shapes) RIA_TRY(ria_release_take_shapes(sim, r, d->shapes));
  r->start = d->start == 0.0 ? now : d->start;
  r->mass = ria_release_is_own(sim, r) ? d->volume
            : d->volume > 0.0          ? d->volume * d->density
            : d->amount > 0.0          ? d->amount
                                       : d->mass;
  r->has_rate = d->has_rate;
  r->has_flow = d->has_flow && !ria_release_is_own(sim, r);
  bool goes_on = d->has_rate || d->has_flow;
  r->stop = d->duration > 0.0 ? r->start + d->duration : goes_on ? INFINITY : r->start;
  if (r->start < now - ria_time_slack(now)) return fail_past(sim, r);
  return r->stop > r->start ? take_rates(sim, r, d) : RIA_OK;
}

/* A disc that is dry now and is to release a tracer now is an error now. */
static ria_status check_wet_now(ria_sim *sim, const ria_release *r) {
  if (r->start > sim->at.t) return RIA_OK;
  int32_t *cell = NULL;
  double *weight = NULL;
  int n = 0;
  RIA_TRY(ria_release_cells(sim, r, &cell, &weight, &n));
  free(cell);
  free(weight);
  return RIA_OK;
}

void ria_release_free(ria_release *r) {
  if (!r) return;
  ria_own_value_clear(&r->rate);
  ria_own_value_clear(&r->flow);
  free(r->name);
  free(r->place);
  free(r->area);
  free(r->part);
  free(r->cell);
  free(r->weight);
  free(r);
}

static bool is_given(const ria_value *v) { return v->series || v->constant != 0.0; }

ria_status ria_release_describe(ria_sim *sim, const ria_spill_desc *desc, ria_release **out) {
  *out = NULL;
  if (!desc) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a spill needs a description");
  ria_spill_desc d = *desc;
  d.has_rate = d.has_rate || is_given(&d.rate);
  d.has_flow = d.has_flow || is_given(&d.flow);
  RIA_TRY(check_numbers(sim, &d));
  ria_release *r = calloc(1, sizeof *r);
  if (!r) return ria_fail_memory(sim->ctx, "spill", sizeof *r);
  const ria_status s = release_fill(sim, r, &d);
  if (s == RIA_OK)
    *out = r;
  else
    ria_release_free(r);
  return s;
}

ria_status ria_sim_spill(ria_sim *sim, const ria_spill_desc *desc, ria_handle *out) {
  ria_forcing_state *f = sim->forcing;
  ria_release *r = NULL;
  RIA_TRY(ria_grow(sim->ctx, "spills", &f->release, &f->releases_room, f->n_releases + 1,
                   sizeof *f->release));
  RIA_TRY(ria_release_describe(sim, desc, &r));
  ria_status s = check_wet_now(sim, r);
  if (s == RIA_OK) s = ria_queue_new_handle(sim, &r->handle);
  if (s == RIA_OK) s = release_schedule(sim, r);
  if (s != RIA_OK) {
    ria_release_free(r);
    return s;
  }
  f->release[f->n_releases++] = r;
  if (out) *out = r->handle;
  return RIA_OK;
}

ria_handle ria_sim_failed_spill(const ria_sim *sim) { return sim->forcing->failed; }

static ria_release *release_of(const ria_sim *sim, ria_handle handle) {
  for (size_t i = 0; i < sim->forcing->n_releases; i++)
    if (sim->forcing->release[i]->handle == handle) return sim->forcing->release[i];
  return NULL;
}

ria_status ria_sim_spill_released(ria_sim *sim, ria_handle handle, double *amount) {
  const ria_release *r = release_of(sim, handle);
  if (!r)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "handle %lld is not that of a spill",
                    (long long)handle);
  RIA_TRY(ria_sim_settle(sim));
  *amount = ria_release_so_far(sim, r);
  return RIA_OK;
}

bool ria_release_cancel(ria_sim *sim, ria_handle handle) {
  ria_release *r = release_of(sim, handle);
  if (!r || r->state == RIA_RELEASE_DONE) return false;
  ria_queue_cancel(sim, r->starts);
  ria_queue_cancel(sim, r->stops);
  if (r->state == RIA_RELEASE_RUNS) sim->unforced = true;
  r->never = r->state == RIA_RELEASE_WAITS;
  release_end(sim, r);
  return true;
}

/* --- as sources ------------------------------------------------------------------------------- */

static ria_status build_source(ria_sim *sim, ria_forcing_build *b, const ria_release *r,
                               int quantity, const ria_own_value *rate) {
  ria_source *out = &b->source[b->n_sources];
  *out = (ria_source){.quantity = quantity,
                      .t_start = r->start,
                      .t_stop = r->stop,
                      .n = r->n,
                      .cell = r->cell,
                      .weight = r->weight};
  RIA_TRY(ria_forcing_build_value(sim, b, rate, &out->rate));
  b->n_sources++;
  return RIA_OK;
}

ria_status ria_release_build(ria_sim *sim, ria_forcing_build *b) {
  const ria_forcing_state *f = sim->forcing;
  size_t most = 2 * f->n_releases;
  if (most == 0) return RIA_OK;
  b->source = malloc(most * sizeof *b->source);
  if (!b->source) return ria_fail_memory(sim->ctx, "sources", most * sizeof *b->source);
  for (size_t i = 0; i < f->n_releases; i++) {
    const ria_release *r = f->release[i];
    if (r->state != RIA_RELEASE_RUNS) continue;
    if (r->has_flow) RIA_TRY(build_source(sim, b, r, 0, &r->flow));
    RIA_TRY(build_source(sim, b, r, r->quantity, &r->rate));
  }
  return RIA_OK;
}

void ria_releases_free(ria_sim *sim) {
  ria_forcing_state *f = sim->forcing;
  for (size_t i = 0; i < f->n_releases; i++) ria_release_free(f->release[i]);
  free(f->release);
}
