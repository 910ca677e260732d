/* forcing/nest_along.c - a level or a current of a larger model along a boundary.
 *
 * All frames are read at once into a table in time for each point: from there on the boundary is as
 * any other that is given at points, on every device and in every part. A layer (relax.c) keeps two
 * frames and is for stores that are too long for that. */
#include "base/context.h"
#include "forcing/forcing.h"
#include "forcing/nest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of one boundary's value in memory: 160 MB, and as many more of its times. */
enum { MOST_NUMBERS = 20000000 };

static const char *const field_names[RIA_RELAX_FLOW] = {"level", "u", "v"};

void ria_nest_line_free(ria_nest_line *line) {
  free(line->x);
  free(line->t);
  free(line->v);
  *line = (ria_nest_line){0};
}

/* --- where ------------------------------------------------------------------------------------ */

static ria_status take_points(ria_sim *sim, const ria_place *place, ria_nest_line *out) {
  const size_t most = RIA_NEST_POINTS, cells = (size_t)place->count;
  out->n = cells < most ? cells : most;
  out->x = malloc(2 * out->n * sizeof *out->x);
  if (!out->x) return ria_fail_memory(sim->ctx, "points of a boundary", 2 * out->n * 8);
  out->y = out->x + out->n;
  ria_along_spread(&sim->grid, place, out->n, out->x, out->y);
  return RIA_OK;
}

static ria_status open_at(ria_sim *sim, const ria_nest_desc *desc, const char *what,
                          const ria_nest_line *line, ria_nest **nest) {
  double at[2][RIA_NEST_POINTS]; /* opening uses them up */
  memcpy(at[0], line->x, line->n * sizeof *line->x);
  memcpy(at[1], line->y, line->n * sizeof *line->y);
  return ria_nest_open_at(sim, desc, what, (int)line->n, at[0], at[1], nest);
}

/* --- frames ----------------------------------------------------------------------------------- */

static ria_status check_field(ria_sim *sim, const ria_nest *nest, const char *what, int of) {
  if (ria_nest_has(nest, of)) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_INPUT,
                  "%s: store %s has no %s: the larger run must save it, ria.save { \"level\", "
                  "\"u\", \"v\" }",
                  what, ria_nest_path(nest), field_names[of]);
}

static ria_status take_times(ria_sim *sim, const ria_nest *nest, const char *what, size_t first,
                             ria_nest_line *out) {
  out->n_times = ria_nest_frames(nest) - first;
  if (out->n * out->n_times > MOST_NUMBERS)
    return ria_fail(sim->ctx, RIA_ERR_INPUT,
                    "%s: store %s has %zu frames, and %zu points of a boundary take %d at most: "
                    "save less often, or draw a layer to it (sim:relax), which keeps two frames",
                    what, ria_nest_path(nest), out->n_times, out->n, (int)(MOST_NUMBERS / out->n));
  out->t = malloc(out->n_times * sizeof *out->t);
  out->v = malloc(out->n * out->n_times * sizeof *out->v);
  if (!out->t || !out->v) return ria_fail_memory(sim->ctx, what, out->n * out->n_times * 8);
  for (size_t k = 0; k < out->n_times; k++) out->t[k] = ria_nest_time(nest, first + k);
  return RIA_OK;
}

/* Points that are dry take what lies between the wet ones beside them; false: all are dry. */
static bool bridge(double *v, size_t n) {
  size_t last = n; /* the wet one before */
  for (size_t k = 0; k < n; k++) {
    if (isnan(v[k])) continue;
    for (size_t gap = last < n ? last + 1 : 0; gap < k; gap++)
      v[gap] =
          last < n ? v[last] + (v[k] - v[last]) * (double)(gap - last) / (double)(k - last) : v[k];
    last = k;
  }
  for (size_t gap = last + 1; last < n && gap < n; gap++) v[gap] = v[last];
  return last < n;
}

static ria_status read_frames(ria_sim *sim, const ria_nest *nest, const char *what, int of,
                              size_t first, ria_nest_line *out) {
  double frame[RIA_RELAX_FLOW][RIA_NEST_POINTS], *to[RIA_RELAXED] = {NULL};
  char when[64];
  to[of] = frame[of];
  if (of != RIA_RELAX_LEVEL && ria_nest_turned(nest))
    to[RIA_RELAX_U] = frame[RIA_RELAX_U], to[RIA_RELAX_V] = frame[RIA_RELAX_V];
  for (size_t k = 0; k < out->n_times; k++) {
    RIA_TRY(ria_nest_read(sim, nest, first + k, to));
    if (!bridge(frame[of], out->n)) {
      ria_start_tell_seconds(&sim->start, out->t[k], when, sizeof when);
      return ria_fail(sim->ctx, RIA_ERR_INPUT,
                      "%s: store %s is dry all along the boundary in its frame %zu (%s)", what,
                      ria_nest_path(nest), first + k, when);
    }
    for (size_t p = 0; p < out->n; p++) out->v[p * out->n_times + k] = frame[of][p];
  }
  return RIA_OK;
}

/* --- along a boundary ------------------------------------------------------------------------- */

static ria_status read_line(ria_sim *sim, const ria_nest *nest, const char *what, int of,
                            ria_nest_line *out) {
  const size_t first = ria_nest_pair(nest, sim->at.t);
  RIA_TRY(check_field(sim, nest, what, of));
  RIA_TRY(take_times(sim, nest, what, first, out));
  return read_frames(sim, nest, what, of, first, out);
}

static ria_status fill(ria_sim *sim, ria_boundary_id id, const ria_boundary_desc *where,
                       const ria_nest_desc *desc, const char *what, int of, ria_nest_line *out) {
  ria_place place;
  ria_nest *nest = NULL;
  RIA_TRY(ria_along_where(sim, id, where, &place));
  ria_status status = take_points(sim, &place, out);
  if (status == RIA_OK) status = open_at(sim, desc, what, out, &nest);
  if (status == RIA_OK) status = read_line(sim, nest, what, of, out);
  ria_nest_close(&nest);
  return status;
}

ria_status ria_nest_along(ria_sim *sim, ria_boundary_id id, const ria_boundary_desc *where,
                          const ria_nest_desc *desc, int of, ria_nest_line *out) {
  char what[RIA_NAME_MAX + 32];
  *out = (ria_nest_line){0};
  if (!desc || !desc->path || of < 0 || of >= RIA_RELAX_FLOW)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "a boundary takes level, u or v of a larger run with a path");
  if (where && where->name)
    snprintf(what, sizeof what, "boundary '%s'", where->name);
  else
    snprintf(what, sizeof what, "boundary");
  const ria_status status = fill(sim, id, where, desc, what, of, out);
  if (status != RIA_OK) ria_nest_line_free(out);
  return status;
}
