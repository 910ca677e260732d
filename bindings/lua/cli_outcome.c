/* cli_outcome.c - what became of a simulation, for --json. */
#include "cli.h"

static void json_budget(cli_json *j, ria_sim *sim) {
  ria_budget_row rows[1 + RIA_MAX_TRACERS];
  size_t n = sizeof rows / sizeof *rows;
  if (ria_sim_budget(sim, rows, &n) != RIA_OK) return;
  json_open(j, "budget", '{');
  for (size_t k = 0; k < n; k++) {
    json_open(j, rows[k].name, '{');
    json_text(j, "unit", rows[k].unit);
    json_number(j, "initial", rows[k].initial);
    json_number(j, "stored", rows[k].stored);
    json_number(j, "inflow", rows[k].inflow);
    json_number(j, "outflow", rows[k].outflow);
    json_number(j, "sources", rows[k].sources);
    json_number(j, "decayed", rows[k].decayed);
    json_number(j, "residual", rows[k].residual);
    json_number(j, "relative", rows[k].relative);
    json_close(j, '}');
  }
  json_close(j, '}');
}

void cli_json_simulation(cli_json *j, ria_sim *sim) {
  ria_summary s;
  const ria_grid *g = ria_sim_grid(sim);
  json_open(j, NULL, '{');
  json_number(j, "nx", g->nx);
  json_number(j, "ny", g->ny);
  if (ria_sim_out(sim)) json_text(j, "out", ria_sim_out(sim));
  if (ria_sim_summary(sim, &s) == RIA_OK) {
    json_number(j, "steps", (double)s.steps);
    json_number(j, "time", s.time);
    json_number(j, "wall", s.wall);
    json_number(j, "cells_per_second", s.wall > 0.0 ? s.cell_steps / s.wall : 0.0);
    json_number(j, "dt_min", s.dt_min);
    json_number(j, "dt_mean", s.dt_mean);
    json_text(j, "dt_min_cause", s.dt_min_cause);
    if (s.warning[0]) json_text(j, "warning", s.warning);
    if (s.unreached[0]) json_text(j, "unreached", s.unreached);
    json_text(j, "device", s.device);
    json_number(j, "threads", s.threads);
  }
  json_budget(j, sim);
  json_close(j, '}');
}
