/* outputs/sections.c - what flows through a line: a gauge whose columns are sums over faces.
 *
 * A face belongs to the section where the line between the centres of its two cells crosses the
 * section's. So a section is a chain of whole faces without a gap, and one that closes on itself
 * tells what leaves its cells. A face that is crossed there and back counts nothing.
 *
 * The discharge of a face is the mean of its cells' q times its length; solvers do not tell the
 * fluxes of their own faces. A tracer goes with it at the concentration of the cell upstream.
 * Values are sampled as those of gauges are, so that parts, ranks and devices need nothing more. */
#include "base/context.h"
#include "base/text.h"
#include "outputs/gauges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- faces ------------------------------------------------------------------------------------ */

typedef struct face_list {
  ria_sim *sim;
  ria_section *s;
  size_t room;
} face_list;

static bool inside(const ria_sim *sim, int32_t cell) {
  return !sim->mask.out || !sim->mask.out[cell];
}

/* The face between a cell and the next one to the east (axis 0) or north (1). Through one to what
 * is left out of the domain nothing goes. */
static ria_status put_face(face_list *f, int32_t a, int axis, double weight) {
  ria_section *s = f->s;
  const int32_t b = a + (axis ? f->sim->grid.nx : 1);
  if (!inside(f->sim, a) || !inside(f->sim, b)) return RIA_OK;
  RIA_TRY(
      ria_grow(f->sim->ctx, "faces of a section", &s->face, &f->room, s->n + 1, sizeof *s->face));
  s->face[s->n++] = (ria_section_face){.cell = {a, b}, .axis = axis, .weight = weight};
  return RIA_OK;
}

/* Faces normal to `axis` that a leg, along the grid's axes, crosses: on the lines of centres along
 * that axis. Half-open, so that a corner of the line on such a line counts once. Positive is what
 * goes from the left of the line to its right. */
static ria_status cross(face_list *f, const double a[2], const double b[2], int axis) {
  const ria_grid *g = &f->sim->grid;
  const int other = 1 - axis;
  const double origin[2] = {g->x0, g->y0}, d[2] = {g->dx, g->dy};
  const int n[2] = {g->nx, g->ny};
  double s[2], t[2]; /* in cells, whole numbers at centres */
  for (int k = 0; k < 2; k++) {
    s[k] = (a[k] - origin[k]) / d[k] - 0.5;
    t[k] = (b[k] - origin[k]) / d[k] - 0.5;
  }
  const double low = fmin(s[other], t[other]), high = fmax(s[other], t[other]);
  const double sign = (t[other] > s[other]) == (axis == 0) ? 1.0 : -1.0;
  for (double row = fmax(ceil(low), 0.0); row < high && row < n[other]; row++) {
    const double w = (row - s[other]) / (t[other] - s[other]);
    const double at = floor(s[axis] + w * (t[axis] - s[axis]));
    if (!(at >= 0.0 && at < n[axis] - 1)) continue;
    const int32_t i = (int32_t)(axis ? row : at), j = (int32_t)(axis ? at : row);
    RIA_TRY(put_face(f, j * g->nx + i, axis, sign * d[other]));
  }
  return RIA_OK;
}

/* Lines, or the one that all points make. */
static ria_status cross_all(face_list *f, const ria_shapes *line) {
  double last[2] = {0.0, 0.0};
  bool any = false;
  for (size_t k = 0; k < ria_shapes_count(line); k++) {
    const ria_shape *p = ria_shapes_at(line, k);
    for (size_t part = 0; part < p->n_parts; part++)
      for (size_t c = p->first[part]; c < p->first[part + 1]; c++) {
        double here[2] = {p->x[c], p->y[c]};
        ria_grid_from_map(&f->sim->grid, &here[0], &here[1]);
        const bool joined = p->kind == RIA_POINTS ? any : c > p->first[part];
        for (int axis = 0; joined && axis < 2; axis++) RIA_TRY(cross(f, last, here, axis));
        memcpy(last, here, sizeof last);
        any = true;
      }
  }
  return RIA_OK;
}

static int compare_faces(const void *a, const void *b) {
  const ria_section_face *p = a, *q = b;
  if (p->cell[0] != q->cell[0]) return p->cell[0] < q->cell[0] ? -1 : 1;
  return (p->axis > q->axis) - (p->axis < q->axis);
}

/* Each face once, in the order of cells; those that cancel out are gone. */
static void join_faces(ria_section *s) {
  size_t n = 0, kept = 0;
  if (s->n) qsort(s->face, s->n, sizeof *s->face, compare_faces);
  for (size_t k = 0; k < s->n; k++)
    if (n && !compare_faces(&s->face[n - 1], &s->face[k]))
      s->face[n - 1].weight += s->face[k].weight;
    else
      s->face[n++] = s->face[k];
  for (size_t k = 0; k < n; k++)
    if (s->face[k].weight != 0.0) s->face[kept++] = s->face[k];
  s->n = kept;
}

/* --- making one ------------------------------------------------------------------------------- */

void ria_section_free(ria_section *s) {
  if (!s) return;
  free(s->face);
  free(s->cell);
  free(s->value);
  free(s);
}

static ria_status check_line(ria_sim *sim, const char *name, const ria_shapes *line) {
  char place[320];
  if (!line || !ria_shapes_count(line))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "section '%s' has no line", name);
  for (size_t k = 0; k < ria_shapes_count(line); k++)
    if (ria_shapes_at(line, k)->kind == RIA_POLYGONS)
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                      "section '%s': %s is a polygon: a section is a line, or goes from point to "
                      "point",
                      name, ria_shapes_place(line, k, place, sizeof place));
  return RIA_OK;
}

/* Cells of the faces, one behind the other; `value` has all that is sampled. */
static ria_status take_cells(ria_sim *sim, ria_section *s) {
  const size_t columns = 2 + (size_t)sim->n_tracers;
  s->cell = malloc(2 * s->n * sizeof *s->cell);
  s->value = malloc(2 * s->n * columns * sizeof *s->value);
  if (!s->cell || !s->value)
    return ria_fail_memory(sim->ctx, "cells of a section", 2 * s->n * columns * 8);
  for (size_t k = 0; k < s->n; k++)
    for (int c = 0; c < 2; c++) s->cell[2 * k + (size_t)c] = s->face[k].cell[c];
  return RIA_OK;
}

static ria_status take_fields(ria_sim *sim, const char *name, ria_section *s) {
  static const char *const along[2] = {"qx", "qy"};
  for (int k = 0; k < 2; k++)
    if (ria_field_find(sim, along[k], &s->field[k]) != RIA_OK)
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                      "section '%s': solver '%s' has no discharges qx and qy", name,
                      sim->solver->name);
  ria_format(s->unit[0], sizeof s->unit[0], "m3 s-1");
  for (int k = 0; k < sim->n_tracers; k++) {
    RIA_TRY(ria_field_find(sim, sim->tracers[k].name, &s->field[2 + k]));
    ria_format(s->unit[1 + k], sizeof s->unit[0], "%s s-1", ria_quantity_unit(sim, sim->n_own + k));
  }
  return RIA_OK;
}

/* Where its mark stands: the middle of the face halfway along. */
static void take_middle(const ria_sim *sim, const ria_section *s, double *x, double *y) {
  const ria_grid *g = &sim->grid;
  const ria_section_face *f = &s->face[s->n / 2];
  const int i = f->cell[0] % g->nx, j = f->cell[0] / g->nx;
  *x = g->x0 + (i + (f->axis ? 0.5 : 1.0)) * g->dx;
  *y = g->y0 + (j + (f->axis ? 1.0 : 0.5)) * g->dy;
  ria_grid_to_map(g, x, y);
}

ria_status ria_section_make(ria_sim *sim, const ria_section_desc *d, ria_section **out, double *x,
                            double *y) {
  RIA_TRY(check_line(sim, d->name, d->line));
  ria_section *s = calloc(1, sizeof *s);
  if (!s) return ria_fail_memory(sim->ctx, "a section", sizeof *s);
  face_list list = {.sim = sim, .s = s};
  ria_status status = take_fields(sim, d->name, s);
  if (status == RIA_OK) status = cross_all(&list, d->line);
  if (status == RIA_OK) {
    if (s->n) take_middle(sim, s, x, y);
    join_faces(s);
    if (!s->n)
      status = ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                        "section '%s': its line passes between no two cells of the domain, x %.10g "
                        "to %.10g, y %.10g to %.10g",
                        d->name, sim->grid.x0, sim->grid.x0 + sim->grid.nx * sim->grid.dx,
                        sim->grid.y0, sim->grid.y0 + sim->grid.ny * sim->grid.dy);
  }
  if (status == RIA_OK) status = take_cells(sim, s);
  if (status != RIA_OK) {
    ria_section_free(s);
    return status;
  }
  *out = s;
  return RIA_OK;
}

/* --- values ----------------------------------------------------------------------------------- */

const char *ria_section_column(const ria_sim *sim, size_t k) {
  return k ? sim->tracers[k - 1].name : "discharge";
}

/* A cell that holds no water has none of either. */
static double some(double v) { return isnan(v) ? 0.0 : v; }

ria_status ria_section_sample(ria_sim *sim, ria_section *s, double *row) {
  const size_t cells = 2 * s->n, n_tracers = (size_t)sim->n_tracers;
  for (size_t k = 0; k < 2 + n_tracers; k++)
    RIA_TRY(ria_ask_sample(sim, s->field[k]->index, s->field[k]->tracer, (int)cells, s->cell,
                           s->value + k * cells));
  for (size_t k = 0; k <= n_tracers; k++) row[k] = 0.0;
  for (size_t f = 0; f < s->n; f++) {
    const double *q = s->value + (size_t)s->face[f].axis * cells + 2 * f;
    const double flow = 0.5 * (some(q[0]) + some(q[1])) * s->face[f].weight;
    const size_t upstream = 2 * f + (0.5 * (some(q[0]) + some(q[1])) < 0.0);
    row[0] += flow;
    for (size_t k = 0; k < n_tracers; k++)
      row[1 + k] += flow * some(s->value[(2 + k) * cells + upstream]);
  }
  for (size_t k = 0; k < n_tracers; k++)
    row[1 + k] = ria_quantity_amount(sim, sim->n_own + (int)k, row[1 + k]);
  return RIA_OK;
}
