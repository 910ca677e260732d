/* forcing/own_value.h - a value whose series, if any, is a copy of ours. Private. */
#ifndef RIA_FORCING_OWN_VALUE_H
#define RIA_FORCING_OWN_VALUE_H
#include "core/sim.h"
#include "forcing/series.h"

/* A ria_value whose series, if any, is a copy of ours. */
typedef struct ria_own_value {
  double constant;
  ria_series *series;
} ria_own_value;

/* Dates of the series become times of the run. */
ria_status ria_own_value_set(ria_sim *sim, ria_own_value *v, const ria_value *from);
/* The same, multiplied by a factor. */
ria_status ria_own_value_scaled(ria_sim *sim, ria_own_value *v, const ria_value *from,
                                double factor);
void ria_own_value_clear(ria_own_value *v);
ria_value ria_own_value_view(const ria_own_value *v);

#endif
