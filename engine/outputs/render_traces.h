/* outputs/render_traces.h - traces over a picture: where particles set out, when, and how that is
 * told. Private. */
#ifndef RIA_OUTPUTS_RENDER_TRACES_H
#define RIA_OUTPUTS_RENDER_TRACES_H
#include "outputs/traces.h"
#include <ria/render.h>

typedef struct ria_render_traces {
  ria_trace_flow flow;
  double *x, *y; /* [n] of the points of a file */
  size_t n;
} ria_render_traces;

typedef struct ria_panel_traces {
  ria_traces *made;
  ria_trace *seen; /* [n] those that set out */
  size_t n;
  double from, to; /* s since t = 0 */
  char label[160], first[64], last[64];
} ria_panel_traces;

ria_status ria_render_traces_check(ria_context *ctx, const ria_render_desc *d);
/* Free them also after a failure. */
ria_status ria_render_traces_open(ria_context *ctx, const ria_render_desc *d,
                                  const ria_saved *saved, ria_render_traces *out);
void ria_render_traces_close(ria_render_traces *t);
/* Of the picture of a time of the store, of a part of its grid. */
ria_status ria_render_traces_of(ria_render_traces *t, const ria_render_desc *d, double time,
                                const ria_grid *part, ria_panel_traces *out);
void ria_panel_traces_free(ria_panel_traces *p);

#endif
