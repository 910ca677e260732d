/* ria/traces.h - paths of particles that go with the flow that a run saved.
 *
 * A particle moves with the velocity of the water around it: bilinear between centres of cells,
 * linear between saved times, so that the paths are those of the unsteady flow. Between a saved
 * time and the next they know no more than these two: save a tide each hour at least. Steps (Runge
 * and Kutta's fourth order) are at most a quarter of a cell long and end at saved times. Dry cells
 * have no part in the mean; a particle that would get into one ends at its edge, and so it does at
 * the edge of the domain.
 *
 * The flow is taken from u and v, else from u_east and v_north, else from the discharges qx and qy
 * over the depth: `depth`, or `level` over `bed`. */
#ifndef RIA_TRACES_H
#define RIA_TRACES_H
#include <ria/status.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ria_traces ria_traces;

typedef struct ria_traces_desc {
  const char *from;    /* results of a run (its fields.zarr), or a store; two times or more */
  const double *x, *y; /* [n] where particles set out, of the map, m */
  size_t n;            /* those that are not in water then have no path */
  const char *start;   /* when: "6 h" since t = 0, a date where the store has dates, "first",
                          "last"; also between saved times; NULL = the first */
  const char *end;     /* the same; NULL = the last */
} ria_traces_desc;

typedef enum ria_trace_fate {
  RIA_TRACE_AFLOAT,  /* until the end */
  RIA_TRACE_DRY,     /* it got to dry ground, or the ground under it fell dry */
  RIA_TRACE_LEFT,    /* the domain */
  RIA_TRACE_NO_WATER /* where it should have set out: it has no positions */
} ria_trace_fate;

typedef struct ria_trace {
  const double *x, *y; /* [n] of the map, m */
  const double *t;     /* [n] s since t = 0 */
  size_t n;            /* of a path longer than some 1000 cells fewer, further apart */
  ria_trace_fate fate;
} ria_trace;

/* RIA_ERR_ARGUMENT: times that are not in order, or that the run did not save over; RIA_ERR_INPUT:
 * the store has no flow, or cannot be read. */
RIA_API ria_status ria_traces_make(ria_context *ctx, const ria_traces_desc *desc, ria_traces **out);
RIA_API void ria_traces_destroy(ria_traces **traces);
RIA_API size_t ria_traces_count(const ria_traces *t);
/* The k-th, valid as long as the traces. */
RIA_API const ria_trace *ria_traces_at(const ria_traces *t, size_t k);

#ifdef __cplusplus
}
#endif
#endif
