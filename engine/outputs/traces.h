/* outputs/traces.h - paths of particles in an opened run. Private. */
#ifndef RIA_OUTPUTS_TRACES_H
#define RIA_OUTPUTS_TRACES_H
#include "outputs/trace_flow.h"
#include <ria/traces.h>

/* As ria_traces_make, in times of the store. */
ria_status ria_traces_follow(ria_trace_flow *flow, const double *x, const double *y, size_t n,
                             double start, double end, ria_traces **out);
/* RIA_ERR_ARGUMENT: they are not in order, or the run did not save over them. */
ria_status ria_traces_check_times(ria_context *ctx, const ria_saved *s, double start, double end);

#endif
