/* outputs/trace_flow.c - the flow that a run saved, between two of its times. */
#include "outputs/trace_flow.h"
#include "base/context.h"
#include "base/grid.h"

#include <math.h>
#include <stdlib.h>

/* --- what it is made from --------------------------------------------------------------------- */

enum { OVER_DEPTH = 1, OF_THE_MAP = 2 };

static const struct {
  const char *u, *v;
  const char *water[2]; /* depth; or level and bed */
  int how;
} sources[] = {{"u", "v", {NULL, NULL}, 0},
               {"u_east", "v_north", {NULL, NULL}, OF_THE_MAP},
               {"qx", "qy", {"depth", NULL}, OVER_DEPTH},
               {"qx", "qy", {"level", "bed"}, OVER_DEPTH}};

static bool has(const ria_saved *s, const char *field) {
  return !field || ria_store_has(s->store, field) || ria_store_has_fixed(s->store, field);
}

static ria_status choose_source(ria_trace_flow *f) {
  const int n = sizeof sources / sizeof *sources;
  for (f->source = 0; f->source < n; f->source++) {
    const int k = f->source;
    if (ria_store_has(f->saved->store, sources[k].u) &&
        ria_store_has(f->saved->store, sources[k].v) && has(f->saved, sources[k].water[0]) &&
        has(f->saved, sources[k].water[1]))
      return RIA_OK;
  }
  char fields[512];
  ria_store_fields(f->saved->store, fields, sizeof fields);
  return ria_fail(f->ctx, RIA_ERR_INPUT,
                  "traces need the flow, and store %s has only %s: save it too, "
                  "sim:every(\"10 min\", ria.save { \"u\", \"v\" }), and run again",
                  ria_store_path(f->saved->store), fields);
}

/* --- planes ----------------------------------------------------------------------------------- */

static ria_status read_room(ria_trace_flow *f, const char *field, size_t frame, double *room) {
  const ria_grid *g = ria_store_grid(f->saved->store);
  return ria_store_read(f->ctx, f->saved->store, field, frame, &(ria_window){0, g->nx, 0, g->ny},
                        room);
}

/* The depth into room[2]. */
static ria_status read_depth(ria_trace_flow *f, size_t frame) {
  const size_t cells = ria_grid_cells(ria_store_grid(f->saved->store));
  const char *bed = sources[f->source].water[1];
  if (bed) RIA_TRY(read_room(f, bed, frame, f->room[0]));
  RIA_TRY(read_room(f, sources[f->source].water[0], frame, f->room[2]));
  for (size_t k = 0; bed && k < cells; k++) f->room[2][k] -= f->room[0][k];
  return RIA_OK;
}

static ria_status read_planes(ria_trace_flow *f, size_t frame, float *const plane[2]) {
  const ria_grid *g = ria_store_grid(f->saved->store);
  const size_t cells = ria_grid_cells(g);
  const int how = sources[f->source].how;
  double *u = f->room[0], *v = f->room[1], c, s;
  ria_grid_axes(g, &c, &s);
  if (how & OVER_DEPTH) RIA_TRY(read_depth(f, frame));
  RIA_TRY(read_room(f, sources[f->source].u, frame, u));
  RIA_TRY(read_room(f, sources[f->source].v, frame, v));
  for (size_t k = 0; k < cells; k++) {
    double a = u[k], b = v[k];
    if (how & OVER_DEPTH) {
      const double h = f->room[2][k] > 0.0 ? f->room[2][k] : (double)NAN;
      a /= h;
      b /= h;
    }
    if (how & OF_THE_MAP) {
      const double east = a, north = b;
      a = c * east + s * north;
      b = c * north - s * east;
    }
    const bool wet = isfinite(a) && isfinite(b);
    plane[0][k] = wet ? (float)a : NAN;
    plane[1][k] = wet ? (float)b : NAN;
  }
  return RIA_OK;
}

ria_status ria_trace_flow_open(ria_context *ctx, const ria_saved *saved, ria_trace_flow *out) {
  *out = (ria_trace_flow){.ctx = ctx, .saved = saved, .frame = saved->n};
  const size_t cells = ria_grid_cells(ria_store_grid(saved->store));
  RIA_TRY(choose_source(out));
  if (saved->n < 2)
    return ria_fail(ctx, RIA_ERR_INPUT,
                    "traces go from one saved time to the next, and store %s has a single one: "
                    "save more often",
                    ria_store_path(saved->store));
  bool well = true;
  for (int k = 0; k < 4; k++)
    well = (out->plane[k / 2][k % 2] = malloc(cells * sizeof(float))) != NULL && well;
  for (int k = 0; k < 3; k++)
    well = (out->room[k] = malloc(cells * sizeof(double))) != NULL && well;
  return well ? RIA_OK
              : ria_fail_memory(ctx, "traces", cells * (4 * sizeof(float) + 3 * sizeof(double)));
}

void ria_trace_flow_close(ria_trace_flow *f) {
  for (int k = 0; k < 4; k++) free(f->plane[k / 2][k % 2]);
  for (int k = 0; k < 3; k++) free(f->room[k]);
  *f = (ria_trace_flow){0};
}

ria_status ria_trace_flow_hold(ria_trace_flow *f, double t) {
  const ria_saved *s = f->saved;
  size_t frame = 0;
  while (frame + 2 < s->n && s->time[frame + 1] <= t) frame++;
  if (frame == f->frame) return RIA_OK;
  const bool next = f->frame < s->n && frame == f->frame + 1;
  f->frame = s->n; /* until both are read */
  for (int k = 0; next && k < 2; k++) {
    float *spare = f->plane[0][k];
    f->plane[0][k] = f->plane[1][k];
    f->plane[1][k] = spare;
  }
  if (!next) RIA_TRY(read_planes(f, frame, f->plane[0]));
  RIA_TRY(read_planes(f, frame + 1, f->plane[1]));
  f->frame = frame;
  return RIA_OK;
}

/* --- at a place ------------------------------------------------------------------------------- */

/* The centres of cells beside a place, and the share of the second; beyond the last centre, its. */
static double beside(double p, int n, int cell[2]) {
  const double from = fmin(fmax(p - 0.5, 0.0), n - 1.0);
  cell[0] = (int)from;
  cell[1] = cell[0] + 1 < n ? cell[0] + 1 : cell[0];
  return from - cell[0];
}

ria_trace_water ria_trace_flow_at(const ria_trace_flow *f, double t, const double p[2],
                                  double velocity[2]) {
  const ria_grid *g = ria_store_grid(f->saved->store);
  const double *time = f->saved->time + f->frame, after = (t - time[0]) / (time[1] - time[0]);
  if (!(p[0] >= 0.0 && p[0] <= g->nx && p[1] >= 0.0 && p[1] <= g->ny)) return RIA_TRACE_OUTSIDE;
  const int i = p[0] < g->nx ? (int)p[0] : g->nx - 1, j = p[1] < g->ny ? (int)p[1] : g->ny - 1;
  const size_t nx = (size_t)g->nx, here = (size_t)j * nx + (size_t)i;
  if (isnan(f->plane[after >= 0.5][0][here])) return RIA_TRACE_GROUND;
  int ci[2], cj[2];
  const double wi = beside(p[0], g->nx, ci), wj = beside(p[1], g->ny, cj);
  double sum = 0.0, u = 0.0, v = 0.0;
  for (int k = 0; k < 8; k++) {
    const size_t at = (size_t)cj[k >> 1 & 1] * nx + (size_t)ci[k & 1];
    const double w =
        (k & 1 ? wi : 1.0 - wi) * (k & 2 ? wj : 1.0 - wj) * (k & 4 ? after : 1.0 - after);
    const float *const *plane = (const float *const *)f->plane[k >> 2];
    if (w == 0.0 || isnan(plane[0][at])) continue;
    sum += w;
    u += w * (double)plane[0][at];
    v += w * (double)plane[1][at];
  }
  velocity[0] = u / sum / g->dx;
  velocity[1] = v / sum / g->dy;
  return RIA_TRACE_WET;
}
