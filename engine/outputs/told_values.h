/* outputs/told_values.h - what boundaries and spills were given. Private. */
#ifndef RIA_OUTPUTS_TOLD_VALUES_H
#define RIA_OUTPUTS_TOLD_VALUES_H
#include "forcing/forcing.h"
#include "io/json.h"

/* A constant as a number, times the factor; a series or a tide in words. */
void ria_told_value(ria_json *j, const char *key, const ria_own_value *v, double factor);
/* "given": { "level": 1.2, ... }: the values of its kind by name, and concentrations that are not 0
 * by their tracer. */
void ria_told_boundary(ria_json *j, const ria_sim *sim, const ria_bound *b);
/* "given": { "amount" or "rate", "flow" }, in the unit that the spill is told in, and per second.
 */
void ria_told_spill(ria_json *j, const ria_sim *sim, const ria_release *r);

#endif
