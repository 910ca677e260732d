/* outputs/fits.c - harmonic analysis of a field in every cell, while a run goes on.
 *
 * After the first step that reaches a time of the fit the field enters weighted sums on the device:
 * of 1 and of the cosine and sine of each constituent at that time (ria_solver_ops.gather). The
 * matrix of the normal equations is made of the same times and so is one for all cells. It holds
 * where every sample counts: a cell that was dry at one has no constituents, as half a curve has
 * none that its other half would keep to. A fit shortens no step and changes no bit of a run.
 *
 * Frames and saves take the maps while the run goes on (fit_maps.c); when it closes they go into
 * tides.zarr. */
#include "base/context.h"
#include "base/grid.h"
#include "base/text.h"
#include "forcing/tide.h"
#include "outputs/fits.h"
#include "outputs/sink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORE "tides.zarr"
static const double rad = 3.14159265358979323846 / 180.0;

typedef struct fits {
  ria_fit_run **of; /* [n] */
  size_t n;
  bool made; /* the store, or begun */
} fits;

static fits *fits_of(const ria_sim *sim) { return ria_sink_state(sim, &ria_fits_sink); }

/* --- asking for one --------------------------------------------------------------------------- */

static ria_status take_names(ria_sim *sim, const ria_fit_desc *d, ria_fit_run *f) {
  size_t known;
  const char *const *names = ria_tide_names(&known);
  if (!d->n_names || d->n_names > RIA_FIT_MOST)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a fit takes 1 to %d constituents, not %zu",
                    RIA_FIT_MOST, d->n_names);
  for (size_t i = 0; i < d->n_names; i++) {
    const int k = ria_tide_find(d->names[i]);
    if (k < 0) return ria_tide_unknown_name(sim->ctx, d->names[i]);
    for (int j = 0; j < f->n; j++)
      if (f->k[j] == k)
        return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "constituent '%s' is given twice", d->names[i]);
    f->name[f->n] = names[k];
    f->k[f->n++] = k;
  }
  return RIA_OK;
}

/* A fit whose times are all over would wait for a sample that never comes. */
static ria_status check_ahead(const ria_sim *sim, const ria_fit_desc *d, const ria_fit_run *f,
                              double now) {
  if (d->from > 0.0 && d->from < now - ria_time_slack(now))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "a fit from %g s: the run is at %g s already (leave `from` out to begin now)",
                    d->from, now);
  if (f->next <= f->to + ria_time_slack(f->to)) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "a fit to %g s has no times: its first sample would be at %g s", f->to, f->next);
}

static ria_status take_times(ria_sim *sim, const ria_fit_desc *d, ria_fit_run *f) {
  f->period = d->every > 0.0 ? d->every : 600.0;
  f->to = d->to > 0.0 ? d->to : INFINITY;
  f->rayleigh = d->rayleigh > 0.0 ? d->rayleigh : 1.0;
  f->nodal = d->nodal;
  if (!(d->every >= 0.0) || !(d->from >= 0.0) || !isfinite(d->from) || !(f->to > d->from))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a fit from %g s to %g s has no times", d->from,
                    f->to);
  if (f->nodal != RIA_NODAL_DAILY && !sim->start.known)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "nodal factors belong to dates, and the run has no start");
  const double now = sim->started ? sim->at.t : 0.0;
  f->next = fmax(d->from, f->period * (floor(now / f->period + 1e-9) + 1.0));
  return check_ahead(sim, d, f, now);
}

static ria_status check_field(ria_sim *sim, const ria_fit_desc *d, ria_fit_run *f) {
  ria_sim_field *field = NULL;
  RIA_TRY(ria_field_find(sim, d->field ? d->field : "level", &field));
  f->field = field;
  for (size_t k = 0; k < fits_of(sim)->n; k++)
    if (fits_of(sim)->of[k]->field == field)
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "there is a fit of '%s' already", field->name);
  if (sim->ops->sums && sim->ops->gather) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "solver '%s' keeps no sums of its fields here",
                  sim->solver->name);
}

static ria_status make(ria_sim *sim, const ria_fit_desc *d, ria_fit_run *f) {
  fits *all = fits_of(sim);
  RIA_TRY(check_field(sim, d, f));
  RIA_TRY(take_names(sim, d, f));
  RIA_TRY(take_times(sim, d, f));
  RIA_TRY(ria_queue_new_handle(sim, &f->handle));
  ria_fit_run **grown = realloc(all->of, (all->n + 1) * sizeof *grown);
  if (!grown) return ria_fail_memory(sim->ctx, "a fit", sizeof *grown);
  all->of = grown;
  RIA_TRY(ria_fit_maps_make(sim, f));
  RIA_TRY(ria_sim_settle(sim));
  RIA_TRY(sim->ops->sums(sim->self, ria_fit_unknowns(f)));
  f->first = sim->n_sums;
  f->normal.m = ria_fit_unknowns(f);
  sim->n_sums += ria_fit_unknowns(f);
  all->of[all->n++] = f;
  ria_fit_maps_show(sim, f);
  return RIA_OK;
}

static void forget(ria_fit_run *f) {
  free(f->map);
  free(f);
}

ria_status ria_sim_fit(ria_sim *sim, const ria_fit_desc *desc, ria_handle *out) {
  if (!desc || !desc->names)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a fit needs constituents");
  ria_fit_run *f = calloc(1, sizeof *f);
  if (!f) return ria_fail_memory(sim->ctx, "a fit", sizeof *f);
  const ria_status s = make(sim, desc, f);
  if (s != RIA_OK) forget(f);
  if (s == RIA_OK && out) *out = f->handle;
  return s;
}

/* --- in a run --------------------------------------------------------------------------------- */

/* 1, then cosine and sine of each, f and u in them. */
static void row_at(const ria_sim *sim, const ria_fit_run *f, double t, double *row) {
  row[0] = 1.0;
  for (int i = 0; i < f->n; i++) {
    const double complex z =
        sim->start.known ? ria_tide_phasor(f->k[i], sim->start.t + t, f->nodal)
                         : cexp(I * rad * fmod(ria_tide_speed_of(f->k[i]) * t / 3600.0, 360.0));
    row[1 + 2 * i] = creal(z);
    row[2 + 2 * i] = cimag(z);
  }
}

static ria_status take_sample(ria_sim *sim, ria_fit_run *f) {
  double row[RIA_UNKNOWNS];
  const double t = sim->at.t;
  row_at(sim, f, t, row);
  RIA_TRY(
      ria_tell_gather(sim, f->field->index, f->field->tracer, f->first, ria_fit_unknowns(f), row));
  ria_normal_add(&f->normal, row);
  if (!f->samples++) f->began = t;
  f->reached = t;
  return RIA_OK;
}

static void watch(const ria_sim *sim, const void *self, ria_span *span) {
  const fits *all = self;
  (void)sim;
  for (size_t k = 0; k < all->n; k++)
    if (all->of[k]->waits)
      span->max_steps = 1;
    else
      span->t_watch = fmin(span->t_watch, all->of[k]->next);
}

static ria_status look(ria_sim *sim, void *self, double t) {
  fits *all = self;
  (void)sim;
  for (size_t k = 0; k < all->n; k++) all->of[k]->waits |= all->of[k]->next <= t;
  return RIA_OK;
}

/* A step longer than the period is one sample. */
static ria_status pass(ria_sim *sim, void *self, bool landed) {
  fits *all = self;
  const double now = sim->at.t + ria_time_slack(sim->at.t);
  (void)landed;
  for (size_t k = 0; k < all->n; k++) {
    ria_fit_run *f = all->of[k];
    f->waits = false;
    if (!(f->next <= now)) continue;
    RIA_TRY(take_sample(sim, f));
    f->next = f->period * (floor(now / f->period) + 1.0);
    if (f->next > f->to + ria_time_slack(f->to)) f->next = INFINITY;
    f->waits = f->next <= sim->at.t + sim->at.dt; /* a guess, as of gauges */
  }
  return RIA_OK;
}

static bool cancel(ria_sim *sim, void *self, ria_handle handle) {
  fits *all = self;
  (void)sim;
  for (size_t k = 0; k < all->n; k++) {
    if (all->of[k]->handle != handle || all->of[k]->next == INFINITY) continue;
    all->of[k]->next = INFINITY;
    all->of[k]->waits = false;
    return true;
  }
  return false;
}

/* --- maps for the host ------------------------------------------------------------------------ */

bool ria_sim_fit_list(const ria_sim *sim, size_t k, char name[RIA_MAP_NAME], const char **unit) {
  const fits *all = fits_of(sim);
  for (size_t f = 0; f < all->n; f++) {
    const size_t maps = (size_t)ria_fit_unknowns(all->of[f]);
    if (k < maps) {
      const ria_sim_field *map = &all->of[f]->map[k].field;
      snprintf(name, RIA_MAP_NAME, "%s", map->name);
      *unit = map->unit;
      return true;
    }
    k -= maps;
  }
  return false;
}

/* What the host sees is recorded. */
static ria_status read_for_host(ria_sim *sim, const ria_fit_map *m, double *values) {
  const size_t n = ria_grid_cells(&sim->grid);
  const uint64_t asked =
      (uint64_t)m->fit->handle * 1024 + 4 * (uint64_t)(m->i + 1) + m->kind + (1ull << 40);
  bool known;
  RIA_TRY(ria_sim_settle(sim));
  RIA_TRY(ria_record_answer_field(sim, asked, values, n, &known));
  if (known) return RIA_OK;
  RIA_TRY(ria_fit_ready(sim, m->fit));
  RIA_TRY(ria_field_read(sim, &m->field, false, RIA_F64, values));
  return ria_record_keep_field(sim, asked, values, n);
}

ria_status ria_sim_get_fit(ria_sim *sim, const char *map, double *values) {
  const fits *all = fits_of(sim);
  if (!map) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a map of a fit needs a name");
  ria_guess guess = ria_guess_start(map);
  for (size_t f = 0; f < all->n; f++)
    for (int k = 0; k < ria_fit_unknowns(all->of[f]); k++) {
      const ria_fit_map *m = &all->of[f]->map[k];
      ria_guess_try(&guess, m->field.name);
      if (strcmp(m->field.name, map) == 0) return read_for_host(sim, m, values);
    }
  return ria_fail_guess(sim->ctx, &guess, NULL, "no map of a fit is named '%s'", map);
}

/* --- the store -------------------------------------------------------------------------------- */

/* Maps of fits that tell their constituents apart; of others the log says why. */
static size_t list_maps(ria_sim *sim, const fits *all, const ria_sim_field **maps) {
  size_t n = 0;
  for (size_t f = 0; f < all->n; f++) {
    if (!ria_fit_tells(sim, all->of[f], true)) continue;
    for (int k = 0; k < ria_fit_unknowns(all->of[f]); k++) maps[n++] = &all->of[f]->map[k].field;
  }
  return n;
}

static ria_status write_maps(ria_sim *sim, fits *all, const ria_sim_field *const *maps, size_t n) {
  RIA_TRY(ria_outputs_claim(sim, RIA_RESULT_STORE, STORE));
  all->made = true;
  return ria_still_store(sim, STORE, maps, n, false);
}

static ria_status finish(ria_sim *sim, void *self) {
  fits *all = self;
  size_t most = 0;
  if (sim->record.replays) return RIA_OK; /* they were written then */
  for (size_t f = 0; f < all->n; f++) most += (size_t)ria_fit_unknowns(all->of[f]);
  if (!most) return RIA_OK;
  const ria_sim_field **maps = calloc(most, sizeof *maps);
  if (!maps) return ria_fail_memory(sim->ctx, "maps", most * sizeof *maps);
  const size_t n = list_maps(sim, all, maps);
  const ria_status s = n ? write_maps(sim, all, maps, n) : RIA_OK;
  free(maps);
  return s;
}

/* --- as one of the outputs -------------------------------------------------------------------- */

static ria_status list(ria_sim *sim, const void *self, ria_results_list *list) {
  const fits *all = self;
  if (!all->n) return RIA_OK;
  return ria_sink_lists(sim, list, RIA_RESULT_STORE, STORE, (ria_result){.made = all->made});
}

static void report(ria_sim *sim, const void *self) {
  const fits *all = self;
  for (size_t k = 0; all->made && k < all->n; k++)
    ria_log(sim->ctx, "    " STORE ": %d constituent%s of %s from %lld samples", all->of[k]->n,
            ria_plural(all->of[k]->n), all->of[k]->field->name, (long long)all->of[k]->samples);
}

static void destroy(ria_sim *sim, void *self) {
  fits *all = self;
  for (size_t k = 0; k < all->n; k++) forget(all->of[k]);
  sim->maps = NULL;
  free(all->of);
}

const ria_sink ria_fits_sink = {.size = sizeof(fits),
                                .watch = watch,
                                .look = look,
                                .pass = pass,
                                .finish = finish,
                                .cancel = cancel,
                                .list = list,
                                .report = report,
                                .free = destroy};
