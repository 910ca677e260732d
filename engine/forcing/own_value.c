/* forcing/own_value.c - values that are our own. */
#include "forcing/own_value.h"

void ria_own_value_clear(ria_own_value *v) {
  ria_series_destroy(&v->series);
  v->constant = 0.0;
}

ria_value ria_own_value_view(const ria_own_value *v) {
  return (ria_value){.constant = v->constant, .series = v->series};
}

ria_status ria_own_value_scaled(ria_sim *sim, ria_own_value *v, const ria_value *from,
                                double factor) {
  ria_series *copy = NULL;
  if (from->series) {
    RIA_TRY(ria_series_copy(sim->ctx, from->series, &copy));
    const ria_status s = ria_series_settle(sim->ctx, copy, &sim->start);
    if (s != RIA_OK) {
      ria_series_destroy(&copy);
      return s;
    }
    copy->entry.base *= factor;
    copy->entry.scale *= factor;
  }
  ria_own_value_clear(v);
  v->constant = from->constant * factor;
  v->series = copy;
  return RIA_OK;
}

ria_status ria_own_value_set(ria_sim *sim, ria_own_value *v, const ria_value *from) {
  return ria_own_value_scaled(sim, v, from, 1.0);
}
