/* forcing.h - what the tests of boundaries and spills share: the toy solver, series, budgets that
 * close. */
#ifndef UNIT_FORCING_H
#define UNIT_FORCING_H
#include "toy.h"

static ria_series *table(ria_context *ctx, double t0, double v0, double t1, double v1, bool hold) {
  ria_series *s = NULL;
  CHECK_OK(ctx, ria_series_table(
                    ctx,
                    &(ria_table_desc){
                        .t = (double[]){t0, t1}, .v = (double[]){v0, v1}, .n = 2, .hold = hold},
                    &s));
  return s;
}

static void closes(ria_sim *sim) {
  ria_budget_row r[3];
  size_t n = 3;
  CHECK_OK(ria_sim_context(sim), ria_sim_budget(sim, r, &n));
  for (int q = 0; q < 3; q++)
    if (!CHECK(fabs(r[q].relative) < 1e-13)) fprintf(stderr, "%s: %g\n", r[q].name, r[q].relative);
}

#endif
