/* outputs/run_json.c - run.json: what ran, how it went, what it left.
 *
 * Written when a run begins (status "running"), when an output is added to it, and again, whole,
 * when it ends. A program that died leaves "running" behind. The first key is "ria" with the
 * version: by it a directory is known to hold our results. "files" lists them
 * (outputs/results_list.h). */
#include "base/context.h"
#include "base/ranks.h"
#include "io/json.h"
#include "core/keeping.h"
#include "core/lon_lat.h"
#include "core/params.h"
#include "core/sim.h"
#include "outputs/tables.h"
#include "base/grid.h"
#include "forcing/forcing.h"
#include "outputs/output.h"
#include "outputs/page.h"
#include "outputs/told_values.h"
#include <ria/limit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- what ran --------------------------------------------------------------------------------- */

static void write_params(ria_json *j, const ria_sim *sim) {
  ria_json_open(j, "parameters", '{');
  for (const ria_param_info *p = sim->solver->params; p && p->name; p++) {
    double v = ria_param_value(p, sim->params);
    char map[80];
    if (ria_param_map(sim, p->name, map, sizeof map))
      ria_json_text(j, p->name, map);
    else if (ria_varying_follows(sim, p))
      ria_json_text(j, p->name, "series");
    else if (p->type == RIA_CHOICE)
      ria_json_text(j, p->name, p->choices[(int)v]);
    else if (p->type == RIA_BOOL)
      ria_json_bool(j, p->name, v != 0.0);
    else
      ria_json_number(j, p->name, v);
  }
  ria_json_close(j);
}

static void write_tracers(ria_json *j, const ria_sim *sim) {
  ria_json_open(j, "tracers", '[');
  for (int k = 0; k < sim->n_tracers; k++) {
    const ria_tracer *t = &sim->tracers[k];
    ria_json_open(j, NULL, '{');
    ria_json_text(j, "name", t->name);
    ria_json_text(j, "unit", t->unit);
    ria_json_number(j, "decay_per_s", t->decay);
    ria_json_number(j, "diffusion_m2_per_s", t->diffusion);
    ria_json_close(j);
  }
  ria_json_close(j);
}

/* map x = a[0] + a[1] i + a[2] j, map y = a[3] + a[4] i + a[5] j of the corner of cell (i, j) */
static void write_affine(ria_json *j, const ria_grid *g) {
  double c, s;
  ria_grid_axes(g, &c, &s);
  const double a[6] = {g->x0, c * g->dx, 0.0 - s * g->dy, g->y0, s * g->dx, c * g->dy};
  ria_json_open(j, "affine", '[');
  for (int k = 0; k < 6; k++) ria_json_number(j, NULL, a[k]);
  ria_json_close(j);
}

static void write_grid(ria_json *j, const ria_sim *sim) {
  const ria_grid *g = &sim->grid;
  ria_json_open(j, "grid", '{');
  ria_json_integer(j, "nx", g->nx);
  ria_json_integer(j, "ny", g->ny);
  ria_json_number(j, "dx", g->dx);
  ria_json_number(j, "dy", g->dy);
  ria_json_number(j, "x0", g->x0);
  ria_json_number(j, "y0", g->y0);
  ria_json_number(j, "angle", g->angle);
  write_affine(j, g);
  ria_json_text(j, "crs", sim->crs);
  if (sim->mask.wanted) {
    ria_json_text(j, "outside", "wall");
    ria_json_integer(j, "cells_inside", (int64_t)ria_cells_inside(sim));
  }
  ria_json_close(j);
}

/* Rows of each part at the end, from the south, and on a device that tells the s that it stepped
 * and waited for others; how often the grid was cut on the way. */
static void write_cut(ria_json *j, const ria_sim *sim) {
  ria_json_open(j, "parts", '[');
  for (int k = 0; k < sim->ctx->parts; k++) {
    const ria_part part = ria_sim_part(sim, k);
    ria_json_open(j, NULL, '{');
    ria_json_integer(j, "from_row", part.j0);
    ria_json_integer(j, "rows", part.j1 - part.j0);
    double stepped, waited;
    if (ria_sim_part_told(sim, k, &stepped, &waited)) {
      ria_json_number(j, "stepping_s", stepped);
      ria_json_number(j, "waiting_s", waited);
    }
    ria_json_close(j);
  }
  ria_json_close(j);
  ria_json_integer(j, "cuts", 1 + sim->cuts);
}

/* How many; of GPUs which rank has which. */
static void write_ranks(ria_json *j, const ria_sim *sim) {
  const ria_ranks *r = sim->ctx->ranks;
  ria_json_integer(j, "ranks", r->comm->size);
  if (sim->backend->kind == RIA_BACKEND_CPU) return;
  ria_json_open(j, "devices", '[');
  for (int k = 0; k < r->comm->size; k++) ria_json_text(j, NULL, r->place[k].name);
  ria_json_close(j);
  if (r->ways[0]) ria_json_text(j, "exchange", r->ways);
}

/* null: no date is known */
static void write_start(ria_json *j, const ria_sim *sim) {
  char text[48];
  ria_json_text(j, "epoch", sim->start.known ? sim->epoch : NULL);
  if (!ria_sim_date(sim, 0.0, text, sizeof text)) return;
  ria_json_text(j, "start", text);
  ria_json_number(j, "zone_s", sim->start.zone);
}

/* Of each rank, wall s; once rank 0 knows, when a run closes. */
static void write_times_of_ranks(ria_json *j, const ria_sim *sim) {
  if (!sim->times) return;
  ria_json_open(j, "by_rank", '[');
  for (int k = 0; k < ria_context_ranks(sim->ctx); k++) {
    ria_json_open(j, NULL, '{');
    ria_json_number(j, "stepping_s", sim->times[k].stepping);
    ria_json_number(j, "waiting_s", sim->times[k].waiting);
    ria_json_number(j, "exchanging_s", sim->times[k].exchanging);
    ria_json_close(j);
  }
  ria_json_close(j);
}

static void write_scenario(ria_json *j, ria_sim *sim) {
  ria_json_text(j, "title", sim->title);
  ria_json_text(j, "solver", sim->solver->name);
  write_params(j, sim);
  write_tracers(j, sim);
  write_grid(j, sim);
  write_start(j, sim);
  if (sim->from_told) ria_json_text(j, "from", sim->from_told);
  ria_json_text(j, "precision", sim->real == RIA_F32 ? "single" : "double");
}

static void write_what_ran(ria_json *j, ria_sim *sim) {
  write_scenario(j, sim);
  ria_json_text(j, "device", sim->backend->name);
  ria_json_integer(j, "threads", ria_context_threads(sim->ctx));
  if (ria_context_ranks(sim->ctx) > 1) write_ranks(j, sim);
  if (sim->ctx->parts > 1) write_cut(j, sim);
  write_times_of_ranks(j, sim);
}

/* --- how it went ------------------------------------------------------------------------------ */

/* wall: with those of the clock. */
static void write_times(ria_json *j, ria_sim *sim, bool wall) {
  ria_summary s;
  char date[48];
  ria_sim_summary(sim, &s);
  ria_json_number(j, "time_s", s.time);
  if (ria_sim_date(sim, s.time, date, sizeof date)) ria_json_text(j, "date", date);
  ria_json_integer(j, "steps", s.steps);
  if (wall) {
    ria_json_number(j, "wall_s", s.wall);
    ria_json_number(j, "cell_steps_per_s", s.wall > 0.0 ? s.cell_steps / s.wall : 0.0);
  }
  ria_json_number(j, "dt_mean_s", s.dt_mean);
  ria_json_open(j, "dt_min", '{');
  ria_json_number(j, "dt_s", s.dt_min);
  ria_json_number(j, "time_s", s.dt_min_time);
  if (s.dt_min_i >= 0) { /* one cell asked for it */
    ria_json_integer(j, "i", s.dt_min_i);
    ria_json_integer(j, "j", s.dt_min_j);
    const ria_spot at = ria_cell_on_map(&sim->grid, s.dt_min_i, s.dt_min_j);
    ria_json_number(j, "x", at.x);
    ria_json_number(j, "y", at.y);
  }
  ria_json_text(j, "cause", s.dt_min_cause);
  ria_json_close(j);
  if (s.warning[0]) ria_json_text(j, "warning", s.warning);
  if (s.unreached[0]) ria_json_text(j, "unreached", s.unreached);
}

static ria_status write_budget(ria_json *j, ria_sim *sim) {
  ria_budget_row rows[RIA_QUANTITIES];
  RIA_TRY(ria_budget_rows(sim, rows));
  ria_json_open(j, "budget", '[');
  for (int q = 0; q < sim->n_quantities; q++) {
    const ria_budget_row *r = &rows[q];
    ria_json_open(j, NULL, '{');
    ria_json_text(j, "name", r->name);
    ria_json_text(j, "unit", r->unit);
    ria_json_number(j, "initial", r->initial);
    ria_json_number(j, "stored", r->stored);
    ria_json_number(j, "inflow", r->inflow);
    ria_json_number(j, "outflow", r->outflow);
    ria_json_number(j, "sources", r->sources);
    ria_json_number(j, "decayed", r->decayed);
    ria_json_number(j, "residual", r->residual);
    ria_json_number(j, "relative", r->relative);
    ria_json_close(j);
  }
  ria_json_close(j);
  return RIA_OK;
}

static void write_flux(ria_json *j, const ria_sim *sim, const char *key, const double *flux) {
  ria_json_open(j, key, '{');
  for (int q = 0; q < sim->n_quantities; q++)
    ria_json_number(j, ria_quantity_name(sim, q), ria_quantity_amount(sim, q, flux[q]));
  ria_json_close(j);
}

/* Where it lies: x and y of its ends, but for one that others cover. */
static void write_ends(ria_json *j, const ria_sim *sim, size_t i) {
  double end[2][2];
  if (!sim->forcing->map.cells[i]) return;
  ria_bound_ends(sim, i, end[0], end[1]);
  for (int k = 0; k < 2; k++) {
    ria_json_open(j, k ? "to" : "from", '[');
    for (int c = 0; c < 2; c++) ria_json_number(j, NULL, end[k][c]);
    ria_json_close(j);
  }
}

static void write_boundary(ria_json *j, const ria_sim *sim, size_t i, const double *in,
                           const double *out) {
  const ria_bound *b = &sim->forcing->bound[i];
  ria_json_open(j, NULL, '{');
  ria_json_text(j, "name", b->name);
  ria_json_text(j, "kind", sim->solver->boundaries ? sim->solver->boundaries[b->kind].name : NULL);
  ria_json_text(j, "side", ria_side_name(b->side));
  ria_json_integer(j, "cells", sim->forcing->map.cells[i]);
  write_ends(j, sim, i);
  ria_told_boundary(j, sim, b);
  write_flux(j, sim, "in", in);
  write_flux(j, sim, "out", out);
  ria_json_close(j);
}

/* Stretches that others cover and that never let anything through are left out. */
static ria_status write_boundaries(ria_json *j, ria_sim *sim) {
  const size_t nq = (size_t)sim->n_quantities;
  double *all_in = NULL, *all_out = NULL;
  RIA_TRY(ria_forcing_fluxes(sim, &all_in, &all_out));
  ria_json_open(j, "boundaries", '[');
  for (size_t i = 0; i < sim->forcing->n; i++) {
    const double *in = all_in + i * nq, *out = all_out + i * nq;
    if (sim->mask.wanted && i / RIA_SIDES == 1) continue; /* cells that are left out */
    if (sim->forcing->map.cells[i] || in[0] != 0.0 || out[0] != 0.0)
      write_boundary(j, sim, i, in, out);
  }
  ria_json_close(j);
  free(all_in);
  return RIA_OK;
}

static void write_spills(ria_json *j, const ria_sim *sim) {
  static const char *const states[] = {"waiting", "running", "done"};
  ria_json_open(j, "spills", '[');
  for (size_t i = 0; i < sim->forcing->n_releases; i++) {
    const ria_release *r = sim->forcing->release[i];
    if (r->never) continue;
    ria_json_open(j, NULL, '{');
    ria_json_text(j, "name", r->name);
    ria_json_text(j, "tracer", ria_quantity_name(sim, r->quantity));
    ria_json_number(j, "x", r->x);
    ria_json_number(j, "y", r->y);
    ria_json_number(j, "radius", r->radius);
    if (r->place) ria_json_text(j, "shapes", r->place);
    ria_json_number(j, "start_s", r->start);
    ria_json_number(j, "stop_s", r->stop);
    ria_told_spill(j, sim, r);
    ria_json_text(j, "state", states[r->state]);
    const char *unit = ria_quantity_unit(sim, r->quantity);
    const bool kg = strcmp(unit, "kg") == 0;
    ria_json_number(j, kg ? "released_kg" : "released", ria_release_so_far(sim, r));
    ria_json_text(j, "unit", unit);
    ria_json_close(j);
  }
  ria_json_close(j);
}

/* Longitudes and latitudes of n marks into x[n], x[n + n]; false where the run has none. */
static bool on_earth(ria_sim *sim, const ria_frame_mark *marks, size_t n, double *x) {
  if (!ria_sim_has_lon_lat(sim)) return false;
  for (size_t k = 0; k < n; k++) {
    x[k] = marks[k].x;
    x[n + k] = marks[k].y;
  }
  const bool done = ria_sim_to_lon_lat(sim, n, x, x + n) == RIA_OK;
  if (!done) ria_error_clear(sim->ctx);
  return done;
}

/* Where gauges stand, on the map and, where the run has a system that says it, on the earth. */
static ria_status write_gauges(ria_json *j, ria_sim *sim) {
  const size_t n = ria_outputs_marks(sim, NULL, 0);
  if (!n) return RIA_OK;
  ria_frame_mark *marks = calloc(n, sizeof *marks + 2 * sizeof(double));
  if (!marks) return ria_fail_memory(sim->ctx, "places of gauges", n * sizeof *marks);
  double *x = (double *)(marks + n);
  ria_outputs_marks(sim, marks, n);
  const bool earth = on_earth(sim, marks, n, x);
  ria_json_open(j, "gauges", '[');
  for (size_t k = 0; k < n; k++) {
    ria_json_open(j, NULL, '{');
    ria_json_text(j, "name", marks[k].label);
    ria_json_number(j, "x", marks[k].x);
    ria_json_number(j, "y", marks[k].y);
    if (earth) ria_json_number(j, "lon", x[k]);
    if (earth) ria_json_number(j, "lat", x[n + k]);
    ria_json_close(j);
  }
  ria_json_close(j);
  free(marks);
  return RIA_OK;
}

/* --- what it left ----------------------------------------------------------------------------- */

static ria_status write_list(ria_json *j, ria_sim *sim) {
  ria_results_list files;
  RIA_TRY(ria_outputs_list(sim, &files));
  ria_results_list_write(j, "files", &files);
  ria_results_list_free(&files);
  return RIA_OK;
}

static ria_status write_files(ria_json *j, ria_sim *sim) {
  const ria_results_list *earlier = ria_results_earlier(sim->outputs->results);
  RIA_TRY(write_list(j, sim));
  if (earlier) ria_results_list_write(j, "earlier", earlier);
  return RIA_OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void write_now(ria_json *j) {
  char text[32];
  struct tm utc;
  time_t now = time(NULL);
  if (gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
    ria_json_text(j, "written", text);
}

static ria_status write_how_it_went(ria_json *j, ria_sim *sim, const char *end, bool wall) {
  if (!end || !sim->started) return RIA_OK;
  write_times(j, sim, wall);
  RIA_TRY(write_budget(j, sim));
  RIA_TRY(write_boundaries(j, sim));
  write_spills(j, sim);
  return RIA_OK;
}

ria_status ria_run_json_told(ria_json *j, ria_sim *sim, const char *end, const char *message) {
  ria_json_text(j, "status", end ? end : "running");
  if (message && message[0]) ria_json_text(j, "error", message);
  write_scenario(j, sim);
  RIA_TRY(write_how_it_went(j, sim, end, false));
  RIA_TRY(write_list(j, sim));
  RIA_TRY(ria_outputs_columns(sim, j));
  ria_changes_told(sim, j);
  return write_gauges(j, sim);
}

static ria_status write_all(ria_json *j, ria_sim *sim, const char *end, const char *message) {
  ria_json_open(j, NULL, '{');
  ria_json_text(j, "ria", ria_version());
  ria_json_text(j, "status", end ? end : "running");
  if (message && message[0]) ria_json_text(j, "error", message);
  write_now(j);
  write_what_ran(j, sim);
  RIA_TRY(write_how_it_went(j, sim, end, true));
  RIA_TRY(write_files(j, sim));
  RIA_TRY(ria_outputs_columns(sim, j));
  RIA_TRY(write_gauges(j, sim));
  ria_changes_told(sim, j);
  if (sim->keeping && sim->keeping->continued)
    ria_json_raw(j, "continued", sim->keeping->continued);
  if (sim->provenance) ria_json_raw(j, "run", sim->provenance);
  ria_json_close(j);
  return RIA_OK;
}

static ria_status whole(ria_sim *sim, const char *end, const char *message, ria_json *j) {
  RIA_TRY(write_all(j, sim, end, message));
  return j->out.failed ? ria_fail_memory(sim->ctx, "run.json", j->out.room) : RIA_OK;
}

/* It only looks: a run that is repeated writes none. */
ria_status ria_run_json_write(ria_sim *sim, const char *end, const char *message) {
  const bool muted = sim->record.muted;
  ria_json j = {0};
  sim->record.muted = true;
  ria_status s = whole(sim, end, message, &j);
  sim->record.muted = muted;
  if (s == RIA_OK && !end) s = ria_limit_count(sim->ctx, RIA_LIMIT_OUTPUT, (double)j.out.n);
  if (s == RIA_OK)
    s = ria_results_put_run_json(sim->outputs->results, j.out.data, j.out.n, end != NULL);
  ria_buffer_free(&j.out);
  return s;
}

ria_status ria_run_json_fail(ria_sim *sim, ria_status s) {
  char message[RIA_ERROR_MAX];
  if (s == RIA_OK) return RIA_OK;
  snprintf(message, sizeof message, "%s", ria_error(sim->ctx));
  (void)ria_run_json_write(sim, ria_status_name(s), message);
  return ria_fail(sim->ctx, s, "%s", message);
}

/* Generously: what the closing one says more, each stretch and spill in some hundred bytes. */
ria_status ria_run_json_reserve(ria_sim *sim) {
  const size_t more = 8192 + 768 * (RIA_QUANTITIES + sim->forcing->n_releases +
                                    sim->forcing->n * (1 + (size_t)sim->n_quantities / 4));
  ria_json j = {0};
  ria_status s = whole(sim, NULL, NULL, &j);
  if (s == RIA_OK) s = ria_results_reserve(sim->outputs->results, 2 * j.out.n + more);
  ria_buffer_free(&j.out);
  return s;
}
