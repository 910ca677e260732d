/* outputs/trace_flow.h - the flow that a run saved, between two of its times. Private. */
#ifndef RIA_OUTPUTS_TRACE_FLOW_H
#define RIA_OUTPUTS_TRACE_FLOW_H
#include "outputs/saved.h"

typedef struct ria_trace_flow {
  ria_context *ctx;
  const ria_saved *saved;
  int source;         /* which fields it is made from */
  size_t frame;       /* the earlier of the two; n: none are held yet */
  float *plane[2][2]; /* [earlier, later][u, v] [ny][nx] m/s along the grid; NaN = dry */
  double *room[3];    /* of one plane each */
} ria_trace_flow;

/* RIA_ERR_INPUT: the store has no flow, or a single time. Close it also after a failure. */
ria_status ria_trace_flow_open(ria_context *ctx, const ria_saved *saved, ria_trace_flow *out);
void ria_trace_flow_close(ria_trace_flow *f);
/* Hold the saved times around t, which lies between the first and the last. */
ria_status ria_trace_flow_hold(ria_trace_flow *f, double t);

typedef enum ria_trace_water { RIA_TRACE_WET, RIA_TRACE_GROUND, RIA_TRACE_OUTSIDE } ria_trace_water;
/* The velocity at p, both in cells along the grid, from its corner; t within the two times. */
ria_trace_water ria_trace_flow_at(const ria_trace_flow *f, double t, const double p[2],
                                  double velocity[2]);

#endif
