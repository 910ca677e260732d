/* outputs/render_traces.c - traces over a picture: where particles set out, when, and how that is
 * told. */
#include "outputs/render_traces.h"
#include "base/array.h"
#include "base/context.h"
#include "base/grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

ria_status ria_render_traces_check(ria_context *ctx, const ria_render_desc *d) {
  if (d->traces > RIA_RENDER_TRACES)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%zu traces in one picture are more than %d", d->traces,
                    RIA_RENDER_TRACES);
  if (d->traces && d->trace_points)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "traces set out evenly or at points: give a number or a file, not both");
  if (!(d->traces_over >= 0.0) || !isfinite(d->traces_over))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "traces over %g s: give a time above 0", d->traces_over);
  if (!d->traces && !d->trace_points && (d->traces_from || d->traces_over > 0.0))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "when traces begin was given, and not where: how many, or at which points");
  return RIA_OK;
}

/* --- points of a file ------------------------------------------------------------------------- */

static ria_status take_points(ria_context *ctx, const ria_shapes *s, ria_render_traces *out) {
  ria_doubles at[2] = {{0}, {0}};
  ria_status status = RIA_OK;
  for (size_t k = 0; k < ria_shapes_count(s) && status == RIA_OK; k++) {
    const ria_shape *shape = ria_shapes_at(s, k);
    char place[256];
    if (shape->kind != RIA_POINTS)
      status =
          ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: particles set out at points, and these are %s",
                   ria_shapes_place(s, k, place, sizeof place), ria_shape_kind_name(shape->kind));
    const size_t n = shape->n_parts ? shape->first[shape->n_parts] - shape->first[0] : 0;
    if (status == RIA_OK) status = ria_doubles_append(ctx, &at[0], shape->x + shape->first[0], n);
    if (status == RIA_OK) status = ria_doubles_append(ctx, &at[1], shape->y + shape->first[0], n);
  }
  out->x = at[0].v;
  out->y = at[1].v;
  out->n = at[1].n;
  if (status == RIA_OK && out->n > RIA_RENDER_TRACES)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: %zu traces in one picture are more than %d",
                    ria_shapes_path(s), out->n, RIA_RENDER_TRACES);
  if (status == RIA_OK && !out->n)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s has no point where a particle could set out",
                    ria_shapes_path(s));
  return status;
}

ria_status ria_render_traces_open(ria_context *ctx, const ria_render_desc *d,
                                  const ria_saved *saved, ria_render_traces *out) {
  if (!d->traces && !d->trace_points) return RIA_OK;
  RIA_TRY(ria_trace_flow_open(ctx, saved, &out->flow));
  if (!d->trace_points) return RIA_OK;
  ria_shapes *here = NULL;
  RIA_TRY(ria_shapes_convert(ctx, d->trace_points, saved->crs, &here));
  const ria_status s = take_points(ctx, here, out);
  ria_shapes_destroy(&here);
  return s;
}

void ria_render_traces_close(ria_render_traces *t) {
  ria_trace_flow_close(&t->flow);
  free(t->x);
  free(t->y);
}

/* --- evenly over the water -------------------------------------------------------------------- */

/* Is there water at p, in m along the grid from the corner of the part? */
static bool wet_at(const ria_trace_flow *f, double t, const ria_grid *part, const double p[2]) {
  const ria_grid *g = ria_store_grid(f->saved->store);
  double x = part->x0, y = part->y0, none[2];
  ria_grid_from_map(g, &x, &y); /* the corner, along the whole grid */
  const double cell[2] = {(x - g->x0 + p[0]) / g->dx, (y - g->y0 + p[1]) / g->dy};
  return ria_trace_flow_at(f, t, cell, none) == RIA_TRACE_WET;
}

static double wet_part(const ria_trace_flow *f, double t, const ria_grid *part) {
  size_t wet = 0;
  for (int j = 0; j < part->ny; j++)
    for (int i = 0; i < part->nx; i++) {
      const double p[2] = {(i + 0.5) * part->dx, (j + 0.5) * part->dy};
      wet += wet_at(f, t, part, p);
    }
  return (double)wet / (double)ria_grid_cells(part);
}

/* In rows that are shifted against each other; about n of them lie in water. */
static ria_status spread(const ria_trace_flow *f, double t, const ria_grid *part, size_t n,
                         ria_doubles at[2]) {
  const double width = part->nx * part->dx, height = part->ny * part->dy;
  const double apart = sqrt(wet_part(f, t, part) * width * height / (double)n);
  if (apart == 0.0) return RIA_OK; /* dry */
  const int columns = (int)fmin(fmax(1.0, rint(width / apart)), 4.0 * RIA_RENDER_TRACES),
            rows = (int)fmin(fmax(1.0, rint(height / apart)), 4.0 * RIA_RENDER_TRACES);
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < columns; i++) {
      double p[2] = {(i + (j & 1 ? 0.75 : 0.25)) / columns * width, (j + 0.5) / rows * height};
      if (!wet_at(f, t, part, p)) continue;
      ria_grid own = *part; /* along its axes, then on the map */
      p[0] += own.x0;
      p[1] += own.y0;
      ria_grid_to_map(&own, &p[0], &p[1]);
      for (int k = 0; k < 2; k++) RIA_TRY(ria_doubles_append(f->ctx, &at[k], &p[k], 1));
    }
  return RIA_OK;
}

/* --- of one picture --------------------------------------------------------------------------- */

static ria_status choose_span(const ria_trace_flow *f, const ria_render_desc *d, double time,
                              double *start, double *end) {
  const ria_saved *s = f->saved;
  *end = time;
  *start = d->traces_over > 0.0 ? time - d->traces_over : s->time[0];
  if (d->traces_from) RIA_TRY(ria_saved_time(f->ctx, s, d->traces_from, start));
  if (d->traces_from && d->traces_over > 0.0) *end = *start + d->traces_over;
  RIA_TRY(ria_traces_check_times(f->ctx, s, *start, *end));
  *start = fmax(*start, s->time[0]);
  *end = fmin(*end, s->time[s->n - 1]);
  return RIA_OK;
}

static ria_status follow(ria_render_traces *t, const ria_render_desc *d, double start, double end,
                         const ria_grid *part, ria_traces **out) {
  ria_doubles at[2] = {{0}, {0}};
  if (!d->traces) return ria_traces_follow(&t->flow, t->x, t->y, t->n, start, end, out);
  ria_status s = spread(&t->flow, start, part, d->traces, at);
  if (s == RIA_OK) s = ria_traces_follow(&t->flow, at[0].v, at[1].v, at[1].n, start, end, out);
  ria_doubles_free(&at[0]);
  ria_doubles_free(&at[1]);
  return s;
}

static ria_status choose_seen(ria_context *ctx, const ria_render_desc *d, ria_panel_traces *p) {
  const size_t n = ria_traces_count(p->made);
  p->seen = calloc(n + 1, sizeof *p->seen);
  if (!p->seen) return ria_fail_memory(ctx, "traces", n * sizeof *p->seen);
  for (size_t k = 0; k < n; k++)
    if (ria_traces_at(p->made, k)->n) p->seen[p->n++] = *ria_traces_at(p->made, k);
  if (p->n) return RIA_OK;
  if (d->traces)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "no part of the map has water at %s for traces to begin",
                    p->first);
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "none of the %zu points of %s lies in water at %s", n,
                  ria_shapes_path(d->trace_points), p->first);
}

ria_status ria_render_traces_of(ria_render_traces *t, const ria_render_desc *d, double time,
                                const ria_grid *part, ria_panel_traces *out) {
  const ria_saved *s = t->flow.saved;
  double start, end;
  if (!s) return RIA_OK; /* none were asked for */
  RIA_TRY(choose_span(&t->flow, d, time, &start, &end));
  RIA_TRY(ria_trace_flow_hold(&t->flow, start));
  RIA_TRY(follow(t, d, start, end, part, &out->made));
  const double epoch = s->dated ? s->epoch : 0.0;
  out->from = start - epoch;
  out->to = end - epoch;
  ria_saved_tell(s, start, out->first, sizeof out->first);
  ria_saved_tell(s, end, out->last, sizeof out->last);
  RIA_TRY(choose_seen(t->flow.ctx, d, out));
  snprintf(out->label, sizeof out->label, "%zu particle%s, %s to %s", out->n,
           out->n == 1 ? "" : "s", out->first, out->last);
  return RIA_OK;
}

void ria_panel_traces_free(ria_panel_traces *p) {
  ria_traces_destroy(&p->made);
  free(p->seen);
}
