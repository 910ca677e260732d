/* core/report.c - the summary as people read it, line by line through the context's log. */
#include "core/context.h"
#include "core/sim.h"
#include "core/text.h"
#include <math.h>
#include <stdlib.h>

static void say_what(ria_sim *sim) {
  const ria_grid *g = &sim->grid;
  ria_log(sim->ctx, "%s: %s, %d x %d cells of %g x %g m, %s precision, %s with %d thread%s",
          sim->title, sim->solver->name, g->nx, g->ny, g->dx, g->dy,
          sim->real == RIA_F32 ? "single" : "double", ria_context_device(sim->ctx),
          ria_context_threads(sim->ctx), ria_context_threads(sim->ctx) == 1 ? "" : "s");
}

static void say_times(ria_sim *sim) {
  ria_summary s;
  char time[64], wall[64], when[64];
  ria_sim_summary(sim, &s);
  ria_format_duration(s.time, time, sizeof time);
  ria_format_duration(s.wall < 10.0 ? round(s.wall * 100.0) / 100.0 : round(s.wall), wall,
                      sizeof wall);
  ria_log(sim->ctx, "  simulated %s in %lld steps, mean step %.4g s", time, (long long)s.steps,
          s.dt_mean);
  ria_log(sim->ctx, "  wall time %s, %.1f Mcell/s", wall,
          s.wall > 0.0 ? 1e-6 * s.cell_steps / s.wall : 0.0);
  if (!s.steps) return;
  ria_format_duration(s.dt_min_time, when, sizeof when);
  ria_log(sim->ctx, "  smallest step %.4g s at %s in cell (%d, %d), x %.10g, y %.10g%s%s", s.dt_min,
          when, s.dt_min_i, s.dt_min_j, ria_cell_x(&sim->grid, s.dt_min_i),
          ria_cell_y(&sim->grid, s.dt_min_j), s.dt_min_cause[0] ? ": " : "", s.dt_min_cause);
}

static ria_status say_budget(ria_sim *sim) {
  ria_budget_row rows[RIA_QUANTITIES];
  RIA_TRY(ria_budget_rows(sim, rows));
  ria_log(sim->ctx, "  %-16s %12s %12s %12s %12s %12s %12s %9s", "budget", "initial", "inflow",
          "outflow", "sources", "decayed", "stored", "residual");
  for (int q = 0; q < sim->n_quantities; q++) {
    const ria_budget_row *r = &rows[q];
    char name[64];
    ria_format(name, sizeof name, "%s [%s]", r->name, r->unit);
    ria_log(sim->ctx, "  %-16s %12.5g %12.5g %12.5g %12.5g %12.5g %12.5g %9.1e", name, r->initial,
            r->inflow, r->outflow, r->sources, r->decayed, r->stored, r->relative);
  }
  return RIA_OK;
}

static void say_files(ria_sim *sim) {
  const char *name;
  int64_t count;
  size_t gauges, maxima = 0;
  if (!sim->outputs.writer) return;
  ria_log(sim->ctx, "  written to %s/", sim->out);
  for (size_t i = 0; ria_frames_list(sim, i, &name, &count); i++)
    ria_log(sim->ctx, "    frames/%s/: %lld picture%s", name, (long long)count,
            count == 1 ? "" : "s");
  for (size_t i = 0; ria_saves_list(sim, i, &name, &count); i++)
    ria_log(sim->ctx, "    %s: %lld time%s", name, (long long)count, count == 1 ? "" : "s");
  for (size_t i = 0; ria_gauges_list(sim, i, &name, &count, &gauges); i++)
    ria_log(sim->ctx, "    %s: %zu gauge%s, %lld row%s", name, gauges, gauges == 1 ? "" : "s",
            (long long)count, count == 1 ? "" : "s");
  for (size_t k = 0; k < sim->n_fields; k++) maxima += sim->fields[k].tracked;
  if (maxima)
    ria_log(sim->ctx, "    maxima.zarr, maxima/: %zu field%s", maxima, maxima == 1 ? "" : "s");
  ria_log(sim->ctx, "    budget.csv, run.json");
}

ria_status ria_sim_report(ria_sim *sim) {
  say_what(sim);
  say_times(sim);
  RIA_TRY(say_budget(sim));
  say_files(sim);
  return RIA_OK;
}
