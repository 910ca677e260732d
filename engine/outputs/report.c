/* outputs/report.c - the summary as people read it, line by line through the context's log. */
#include "base/context.h"
#include "base/ranks.h"
#include "core/sim.h"
#include "base/text.h"
#include "base/grid.h"
#include "base/clock.h"
#include "forcing/forcing.h"
#include "outputs/output.h"
#include "outputs/sink.h"
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* --- the summary ------------------------------------------------------------------------------ */

ria_status ria_sim_summary(ria_sim *sim, ria_summary *out) {
  const ria_progress *at = &sim->at;
  RIA_TRY(ria_sim_settle(sim));
  *out = (ria_summary){
      .steps = at->steps,
      .time = at->t,
      .wall = sim->wall + (sim->busy ? ria_wall_clock() - sim->wall_from : 0.0),
      .cell_steps = (double)at->steps * (double)ria_cells_inside(sim),
      .dt_min = at->steps && at->dt_min < DBL_MAX ? at->dt_min : 0.0, /* 0: nothing asked for one */
      .dt_min_time = at->dt_min_t,
      .dt_min_i = at->dt_min_i,
      .dt_min_j = at->dt_min_j,
      .dt_mean = at->steps ? at->t / (double)at->steps : 0.0,
      .device = sim->backend->name,
      .threads = ria_context_threads(sim->ctx),
  };
  for (size_t k = 0; k + 1 < sizeof out->dt_min_cause && at->dt_min_cause[k]; k++)
    out->dt_min_cause[k] = at->dt_min_cause[k];
  for (size_t k = 0; k + 1 < sizeof out->warning && at->warning[k]; k++)
    out->warning[k] = at->warning[k];
  ria_tell_unreached(sim, out->unreached, sizeof out->unreached);
  return RIA_OK;
}

/* --- as people read it ------------------------------------------------------------------------ */

/* Of wall time, which is never the same twice, more than three digits mean nothing. */
static void format_wall(double t, char *buf, size_t size) {
  const double digits = t < 10.0 ? 100.0 : t < 60.0 ? 10.0 : 1.0;
  ria_format_duration(round(digits * t) / digits, buf, size);
}

/* "cpu with 8 threads", "cuda:0 (NVIDIA H200, ...)" */
static void describe_device(const ria_backend *b, char *buf, size_t size) {
  if (b->kind == RIA_BACKEND_CPU)
    ria_format(buf, size, "%s with %d thread%s", b->name, b->threads, b->threads == 1 ? "" : "s");
  else
    ria_format(buf, size, "%s (%s)", b->name, b->description);
}

/* ", order 2", where the solver lets one choose. */
static void describe_scheme(ria_sim *sim, char *buf, size_t size) {
  double order;
  const char *name = sim->solver->roles.order;
  if (name && ria_sim_param(sim, name, &order) == RIA_OK)
    ria_format(buf, size, ", order %.0f", order);
}

static void say_what(ria_sim *sim) {
  const ria_grid *g = &sim->grid;
  char cell[64], device[256], scheme[32] = "", inside[64] = "";
  describe_device(sim->backend, device, sizeof device);
  describe_scheme(sim, scheme, sizeof scheme);
  ria_format(cell, sizeof cell, "%g m", g->dx);
  if (g->dy != g->dx) ria_format(cell, sizeof cell, "%g x %g m", g->dx, g->dy);
  if (g->angle != 0.0) ria_append(cell, sizeof cell, " turned by %.6g deg", g->angle);
  if (sim->mask.out)
    ria_format(inside, sizeof inside, " (%zu of %zu inside)", ria_cells_inside(sim),
               ria_grid_cells(g));
  ria_log(sim->ctx, "%s: %s%s, %d x %d cells of %s%s, %s precision, %s", sim->title,
          sim->solver->name, scheme, g->nx, g->ny, cell, inside,
          sim->real == RIA_F32 ? "single" : "double", device);
}

/* Of the parameters those that a map stands for: each cell has its own. */
static void say_maps(ria_sim *sim) {
  char map[80];
  for (const ria_param_info *p = sim->solver->params; p && p->name; p++)
    if (ria_param_map(sim, p->name, map, sizeof map))
      ria_log(sim->ctx, "  %-14s %s%s%s", p->name, map, p->unit && *p->unit ? " " : "",
              p->unit ? p->unit : "");
}

/* A text of lines: the head beside the first, or beside each. */
static void say_lines(ria_sim *sim, const char *head, bool each, const char *line) {
  while (line && *line) {
    const int n = (int)strcspn(line, "\n");
    ria_log(sim->ctx, "  %-14s %.*s", head, n, line);
    if (!each) head = "";
    line += n;
    line += *line == '\n';
  }
}

/* How the ground came about, and where the run began. */
static void say_origin(ria_sim *sim) {
  say_lines(sim, "ground", false, sim->ground);
  say_lines(sim, "from", false, sim->from_told);
}

static void say_warnings(ria_sim *sim, const ria_summary *s) {
  say_lines(sim, "warning", true, sim->from_warned);
  if (s->warning[0]) ria_log(sim->ctx, "  warning        %s", s->warning);
  if (s->unreached[0]) ria_log(sim->ctx, "  warning        %s", s->unreached);
}

/* From when to when by the clocks of the run's zone. */
static void say_dates(ria_sim *sim, double t) {
  char from[64], to[64];
  if (!sim->start.known) return;
  ria_start_tell(&sim->start, 0.0, from, sizeof from);
  if (ria_start_label(&sim->start, t, to, sizeof to))
    ria_log(sim->ctx, "  dates          %s to %s", from, to);
}

static void say_times(ria_sim *sim) {
  ria_summary s;
  char time[64], wall[64], when[64];
  ria_sim_summary(sim, &s);
  ria_format_duration(s.time, time, sizeof time);
  format_wall(s.wall, wall, sizeof wall);
  ria_format_duration(s.dt_min_time, when, sizeof when);
  ria_log(sim->ctx, "  simulated      %s in %lld steps of %.4g s on average", time,
          (long long)s.steps, s.dt_mean);
  say_dates(sim, s.time);
  ria_log(sim->ctx, "  wall time      %s, %.1f Mcell/s", wall,
          s.wall > 0.0 ? 1e-6 * s.cell_steps / s.wall : 0.0);
  const ria_spot at = ria_cell_on_map(&sim->grid, s.dt_min_i, s.dt_min_j);
  if (!s.steps || s.dt_min <= 0.0)
    ;
  else if (s.dt_min_i < 0)
    ria_log(sim->ctx, "  smallest step  %.4g s after %s", s.dt_min, when);
  else
    ria_log(sim->ctx, "  smallest step  %.4g s after %s, in cell (%d, %d) at (%.10g, %.10g)",
            s.dt_min, when, s.dt_min_i, s.dt_min_j, at.x, at.y);
  if (s.steps && s.dt_min > 0.0 && s.dt_min_cause[0])
    ria_log(sim->ctx, "                 %s", s.dt_min_cause);
  say_warnings(sim, &s);
}

/* A step loses what it changes by less than half a last place of what a cell holds; where that adds
 * up the account shows it, and the reader should not have to look for the exponent. */
static void warn_of_account(ria_sim *sim, const ria_budget_row *r) {
  const bool single = sim->real == RIA_F32;
  if (fabs(r->relative) <= (single ? 1e-4 : 1e-9)) return;
  if (fabs(r->relative) <= 1e-4)
    ria_log(sim->ctx,
            "    the account of %s closes only to %.1e of it: changes smaller than rounding of a "
            "cell's value are lost",
            r->name, fabs(r->relative));
  else
    ria_log(sim->ctx, "    the account of %s does not close: %s", r->name,
            single ? "small changes are lost in single precision, run it in double"
                   : "do not trust this run");
}

/* ", 2 at once: stepping 3.1 s, waiting 0.2 s" of the threads or devices that step parts, in the
 * mean; not all devices tell. */
static void say_sharing(ria_sim *sim, char *buf, size_t size) {
  double wall, stepped;
  const int lanes = ria_sim_sharing(sim, &wall, &stepped);
  char at_once[64] = "one after another", steps[64], waits[64];
  if (wall == 0.0) return;
  format_wall(stepped / lanes, steps, sizeof steps);
  format_wall(fmax(wall - stepped / lanes, 0.0), waits, sizeof waits);
  if (lanes > 1) ria_format(at_once, sizeof at_once, "%d at once", lanes);
  ria_format(buf, size, ", %s: stepping %s, waiting %s", at_once, steps, waits);
}

static void say_parts(ria_sim *sim) {
  const int n = sim->ctx->parts;
  int least = sim->grid.ny, most = 0;
  char cuts[64] = "", sharing[192] = "";
  if (n == 1) return;
  for (int k = 0; k < n; k++) {
    const ria_part part = ria_sim_part(sim, k);
    const int rows = part.j1 - part.j0;
    least = rows < least ? rows : least;
    most = rows > most ? rows : most;
  }
  if (sim->cuts) ria_format(cuts, sizeof cuts, ", cut %d times", 1 + sim->cuts);
  if (!sim->by_ranks) say_sharing(sim, sharing, sizeof sharing);
  ria_log(sim->ctx, "  parts          %d of %d to %d rows%s%s", n, least, most, cuts, sharing);
}

/* Of ranks on GPUs: "2, on cuda:0, cuda:1; by memory that they share". */
static void say_ranks(ria_sim *sim) {
  char text[512];
  const ria_ranks *r = sim->ctx->ranks;
  if (!r || sim->backend->kind == RIA_BACKEND_CPU) return;
  ria_format(text, sizeof text, "%d, on ", r->comm->size);
  for (int k = 0; k < r->comm->size; k++)
    ria_append(text, sizeof text, "%s%s", k ? ", " : "", r->place[k].name);
  ria_log(sim->ctx, "  ranks          %s%s%s", text, r->ways[0] ? "; " : "", r->ways);
}

/* "stepping 1.2 to 1.4 s": the least and the most of all ranks; `at`: where in ria_times. */
static void say_range(const ria_sim *sim, const char *what, size_t at, char *buf, size_t size) {
  double least = INFINITY, most = 0.0;
  char a[64], b[64];
  for (int k = 0; k < ria_context_ranks(sim->ctx); k++) {
    const double t = *(const double *)((const char *)&sim->times[k] + at);
    least = fmin(least, t);
    most = fmax(most, t);
  }
  format_wall(least, a, sizeof a);
  format_wall(most, b, sizeof b);
  ria_format(buf, size, "%s %s to %s", what, a, b);
}

/* How evenly ranks share: one that steps for longer than others makes them wait. On devices the
 * host's times do not tell. */
static ria_status say_rank_times(ria_sim *sim) {
  char stepping[96], waiting[96], exchanging[96];
  if (!sim->by_ranks || sim->backend->kind != RIA_BACKEND_CPU) return RIA_OK;
  RIA_TRY(ria_rooted_times(sim));
  say_range(sim, "stepping", offsetof(ria_times, stepping), stepping, sizeof stepping);
  say_range(sim, "waiting", offsetof(ria_times, waiting), waiting, sizeof waiting);
  say_range(sim, "exchanging", offsetof(ria_times, exchanging), exchanging, sizeof exchanging);
  ria_log(sim->ctx, "  ranks          %d: %s, %s, %s", ria_context_ranks(sim->ctx), stepping,
          waiting, exchanging);
  return RIA_OK;
}

static ria_status say_budget(ria_sim *sim) {
  ria_budget_row rows[RIA_QUANTITIES];
  if (!sim->n_quantities) return RIA_OK;
  RIA_TRY(ria_budget_rows(sim, rows));
  ria_log(sim->ctx, "  %-18s %11s %11s %11s %11s %11s %11s %9s", "budget", "initial", "inflow",
          "outflow", "sources", "decayed", "stored", "rel.error");
  for (int q = 0; q < sim->n_quantities; q++) {
    const ria_budget_row *r = &rows[q];
    char name[64];
    ria_format(name, sizeof name, "%s [%s]", r->name, r->unit);
    ria_log(sim->ctx, "    %-16s %11.5g %11.5g %11.5g %11.5g %11.5g %11.5g %9.1e", name, r->initial,
            r->inflow, r->outflow, r->sources, r->decayed, r->stored, r->relative);
    warn_of_account(sim, r);
  }
  return RIA_OK;
}

/* What went through one boundary, a line for each of the solver's quantities that did: the only one
 * needs no name. Returns the lines written. */
static int say_boundary(ria_sim *sim, const ria_bound *b, const double *in, const double *out,
                        bool head) {
  int lines = 0;
  for (int q = 0; q < sim->n_own; q++) {
    if (in[q] == 0.0 && out[q] == 0.0) continue;
    if (!head && !lines)
      ria_log(sim->ctx, "  %-18s %11s %11s %11s", "boundaries", "kind", "inflow", "outflow");
    ria_log(sim->ctx, "    %-16s %11s %11.5g %11.5g%s%s", lines ? "" : b->name,
            lines ? "" : sim->solver->boundaries[b->kind].name, in[q], out[q],
            sim->n_own > 1 ? "  " : "", sim->n_own > 1 ? ria_quantity_name(sim, q) : "");
    lines++;
  }
  return lines;
}

/* What went through each boundary; those that let nothing through are left out. */
static ria_status say_boundaries(ria_sim *sim) {
  const size_t nq = (size_t)sim->n_quantities;
  double *in = NULL, *out = NULL;
  bool head = false;
  if (!nq) return RIA_OK;
  RIA_TRY(ria_forcing_fluxes(sim, &in, &out));
  for (size_t i = 0; i < sim->forcing->n; i++)
    if (say_boundary(sim, &sim->forcing->bound[i], in + i * nq, out + i * nq, head)) head = true;
  free(in);
  return RIA_OK;
}

static bool same_spill(const ria_release *a, const ria_release *b) {
  return a->quantity == b->quantity && strcmp(a->name, b->name) == 0;
}

/* All releases of one name and quantity from the i-th on, in one line; run.json lists each. Those
 * that never begin have a warning of their own. */
static void say_spill(ria_sim *sim, size_t i) {
  const ria_release *first = sim->forcing->release[i];
  double sum = 0.0;
  char count[64] = "";
  int n = 0, waiting = 0;
  for (size_t k = i; k < sim->forcing->n_releases; k++) {
    const ria_release *r = sim->forcing->release[k];
    if (r->never || !same_spill(first, r)) continue;
    sum += ria_release_so_far(sim, r);
    n++;
    waiting += r->state == RIA_RELEASE_WAITS;
  }
  if (n > 1 && waiting)
    ria_format(count, sizeof count, " by %d of %d spills", n - waiting, n);
  else if (n > 1)
    ria_format(count, sizeof count, " by %d spills", n);
  ria_log(sim->ctx, "    %-16s %11.5g %s of %s released%s", first->name, sum,
          ria_quantity_unit(sim, first->quantity), ria_quantity_name(sim, first->quantity), count);
}

static bool said_before(const ria_sim *sim, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (!sim->forcing->release[k]->never &&
        same_spill(sim->forcing->release[k], sim->forcing->release[i]))
      return true;
  return false;
}

/* Constituents by their speed in a tide whose others have dates: "; 1 by its speed, ...". */
static void tell_by_speed(size_t n, char *text, size_t size) {
  if (n)
    ria_format(text, size, "; %zu by %s speed, relative to t = 0", n, n == 1 ? "its" : "their");
}

/* What the phases of a tide are counted from, as its run took it. `name`: of the boundary, spill or
 * parameter that follows it; `what`: which of its values, or NULL. */
static void say_tide(ria_sim *sim, const char *name, const char *what, const ria_own_value *v) {
  static const char *const nodal[] = {", nodal factors by the date",
                                      ", nodal factors of the middle of the year",
                                      ", no nodal factors"};
  const ria_series *s = v->series;
  if (!s || !s->tide.n) return;
  const size_t dated = s->tide.phases == RIA_PHASES_RELATIVE ? 0 : s->tide.n - s->tide.by_speed;
  const size_t told = dated ? dated : s->tide.n;
  const char *phases = !dated                               ? "relative to t = 0"
                       : s->tide.phases == RIA_PHASES_LOCAL ? "by the clocks of the run"
                                                            : "at Greenwich";
  char rest[64] = "";
  if (dated) tell_by_speed(s->tide.by_speed, rest, sizeof rest);
  ria_log(sim->ctx, "  tide           %s%s%s: %zu constituent%s, phases %s%s%s", name,
          what ? ", " : "", what ? what : "", told, ria_plural((int64_t)told), phases,
          dated ? nodal[s->tide.nodal] : "", rest);
}

/* The rate of a tracer in a flow is made of flow and concentration: what was given is told. */
static void say_tide_of_spill(ria_sim *sim, const ria_release *r) {
  const char *rate = ria_release_is_own(sim, r) ? "flow" : r->has_rate ? "rate" : "conc";
  say_tide(sim, r->name, "flow", &r->flow);
  if (!r->flow.series) say_tide(sim, r->name, rate, &r->rate);
}

/* Of tides at points along a boundary the first stands for all: constituents are the same. */
static void say_tide_along(ria_sim *sim, const char *name, const char *what,
                           const ria_side_values *a) {
  char where[80];
  ria_format(where, sizeof where, "%s%s%zu point%s along it", what ? what : "", what ? " at " : "",
             a->n, ria_plural((int64_t)a->n));
  if (a->n) say_tide(sim, name, where, &a->point[0].value);
}

static void say_tides(ria_sim *sim) {
  const ria_forcing_state *f = sim->forcing;
  for (size_t i = 0; i < f->n; i++) {
    const ria_bound *b = &f->bound[i];
    if (f->map.cells[i] == 0) continue;
    const ria_boundary_value_info *value = sim->solver->boundaries[b->kind].values;
    for (int k = 0; k < RIA_BOUNDARY_VALUES && value[k].name; k++) {
      const char *what =
          value[1].name ? value[k].name : NULL; /* a kind's only value needs no name */
      say_tide(sim, b->name, what, &b->value[k]);
      say_tide_along(sim, b->name, what, &b->along[k]);
    }
    for (int k = 0; k < sim->n_tracers; k++)
      say_tide(sim, b->name, sim->tracers[k].name, &b->tracer[k]);
  }
  for (int k = 0; k < f->n_varying; k++)
    say_tide(sim, f->varying[k].info->name, NULL, &f->varying[k].value);
  for (size_t i = 0; i < f->n_releases; i++)
    if (!f->release[i]->never && !said_before(sim, i)) say_tide_of_spill(sim, f->release[i]);
}

static void say_layers(ria_sim *sim) {
  char text[512];
  for (size_t k = 0; ria_relax_tell(sim, k, text, sizeof text); k++)
    ria_log(sim->ctx, "  layer          %s", text);
}

static void say_spills(ria_sim *sim) {
  bool head = false;
  for (size_t i = 0; i < sim->forcing->n_releases; i++) {
    if (sim->forcing->release[i]->never || said_before(sim, i)) continue;
    if (!head) ria_log(sim->ctx, "  spills");
    head = true;
    say_spill(sim, i);
  }
}

/* What exists: a run that failed may not have come to all that was asked for. */
static void say_files(ria_sim *sim) {
  if (!sim->outputs->writer) return;
  ria_log(sim->ctx, "  written to %s/", sim->out);
  ria_outputs_report(sim);
  ria_log(sim->ctx, "    %srun.json", ria_budget_has_table(sim) ? "budget.csv, " : "");
}

static ria_status report(ria_sim *sim, void *unused) {
  (void)unused;
  say_what(sim);
  say_maps(sim);
  say_origin(sim);
  say_times(sim);
  say_parts(sim);
  say_ranks(sim);
  RIA_TRY(say_rank_times(sim));
  RIA_TRY(say_budget(sim));
  RIA_TRY(say_boundaries(sim));
  say_tides(sim);
  say_layers(sim);
  say_spills(sim);
  say_files(sim);
  return RIA_OK;
}

ria_status ria_sim_report(ria_sim *sim) {
  return ria_rooted(sim, report, NULL, "the summary is told");
}
