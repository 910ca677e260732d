/* core/names.c - names of tracers and quantities, the units that their amounts are counted in. */
#include "base/text.h"
#include "core/sim.h"
#include <string.h>

/* --- quantities ------------------------------------------------------------------------------- */

const char *ria_quantity_name(const ria_sim *sim, int quantity) {
  if (quantity >= sim->n_own) return sim->tracers[quantity - sim->n_own].name;
  return sim->solver->quantities[quantity].name;
}

/* NULL for one of the solver's own. */
static const ria_unit *tracer_unit(const ria_sim *sim, int quantity) {
  return quantity >= sim->n_own ? &sim->units[quantity - sim->n_own] : NULL;
}

const char *ria_quantity_unit(const ria_sim *sim, int quantity) {
  const ria_unit *u = tracer_unit(sim, quantity);
  return u ? u->amount : sim->solver->quantities[quantity].unit;
}

double ria_quantity_amount(const ria_sim *sim, int quantity, double counted) {
  const ria_unit *u = tracer_unit(sim, quantity);
  return u ? counted * u->mul / u->div : counted;
}

double ria_quantity_counted(const ria_sim *sim, int quantity, double amount) {
  const ria_unit *u = tracer_unit(sim, quantity);
  return u ? amount * u->div / u->mul : amount;
}

/* --- by name ---------------------------------------------------------------------------------- */

static ria_status unknown_tracer(ria_sim *sim, const char *name) {
  ria_guess guess = ria_guess_start(name);
  for (int k = 0; k < sim->n_tracers; k++) ria_guess_try(&guess, sim->tracers[k].name);
  return ria_fail_guess(sim->ctx, &guess, sim->n_tracers ? NULL : ": the simulation has none",
                        "unknown tracer '%s'", name);
}

ria_status ria_quantity_find(ria_sim *sim, const char *name, int *out) {
  ria_guess guess = ria_guess_start(name);
  for (int q = 0; q < sim->n_own + sim->n_tracers; q++) {
    *out = q;
    if (strcmp(ria_quantity_name(sim, q), name) == 0) return RIA_OK;
    if (q < sim->n_own) ria_guess_try(&guess, ria_quantity_name(sim, q));
  }
  if (sim->n_tracers || !guess.name) return unknown_tracer(sim, name);
  return ria_fail_guess(sim->ctx, &guess, NULL, "unknown quantity '%s'", name);
}
