/* calculus.c - derivatives of 3-D fields: what is allowed, and of which passes each is made.
 *
 * A pass applies one stencil along one axis and sets or adds. A gradient is one pass of its own
 * kind over the field. The Laplacian, divergence and curl are sums of passes, in the order of the
 * axes. */
#include "primitives/field3/calls.h"

enum { ORDER_DEFAULT = 8 };

/* --- checks ----------------------------------------------------------------------------------- */

ria_status field3_check_axis(ria_context *ctx, ria_axis axis) {
  if ((int)axis >= 0 && axis < RIA_AXES) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "axis %d of a field: it may be RIA_X, RIA_Y or RIA_Z",
                  (int)axis);
}

static ria_status fail_differ(const ria_field3 *f, const ria_field3 *g) {
  const ria_grid3 *a = &f->grid, *b = &g->grid;
  if (memcmp(a->n, b->n, sizeof a->n) != 0)
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                    "the fields differ: %d x %d x %d points and %d x %d x %d", a->n[0], a->n[1],
                    a->n[2], b->n[0], b->n[1], b->n[2]);
  if (f->shape.real != g->shape.real)
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                    "the fields differ: one is in single precision, one in double");
  for (int k = 0; k < RIA_AXES; k++) {
    if (a->d[k] != b->d[k])
      return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                      "the fields differ: their points are %g m and %g m apart along %s", a->d[k],
                      b->d[k], field3_axis_name((ria_axis)k));
    if (a->periodic[k] != b->periodic[k])
      return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                      "the fields differ: one is periodic along %s, one is closed",
                      field3_axis_name((ria_axis)k));
  }
  return RIA_OK;
}

ria_status field3_check_alike(const ria_field3 *f, const ria_field3 *g) {
  if (!f || !g) return ria_fail(f ? f->ctx : NULL, RIA_ERR_ARGUMENT, "a field is missing");
  if (f->ctx != g->ctx)
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT, "the fields belong to different contexts");
  return fail_differ(f, g);
}

static ria_status check_apart(const ria_field3 *f, const ria_field3 *out) {
  RIA_TRY(field3_check_alike(f, out));
  if (f != out) return RIA_OK;
  return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                  "a derivative cannot be written to the field that it is taken of");
}

static ria_status check_order(ria_context *ctx, int *order) {
  if (*order == 0) *order = ORDER_DEFAULT;
  if (*order >= 2 && *order <= 2 * FD_HALF_MAX && *order % 2 == 0) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "order %d of a derivative: it may be 2, 4, 6 or 8",
                  *order);
}

/* Enough points along an axis for a stencil. */
static ria_status check_points(const ria_field3 *f, ria_axis axis, int order, int derivative) {
  const bool periodic = f->grid.periodic[axis];
  const int needed = order + (periodic ? 1 : derivative);
  if (f->grid.n[axis] >= needed) return RIA_OK;
  return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                  "a derivative of order %d needs %d points along %s, where it is %s: there are %d",
                  order, needed, field3_axis_name(axis), periodic ? "periodic" : "closed",
                  f->grid.n[axis]);
}

/* --- passes ----------------------------------------------------------------------------------- */

static fd_stencil stencil_of(const ria_field3 *f, ria_axis axis, int derivative, int order,
                             double scale) {
  const double d = f->grid.d[axis];
  return fd_stencil_times(&f->unit[derivative - 1][order / 2 - 1],
                          scale / (derivative == 2 ? d * d : d));
}

/* out (+)= scale * the first or second derivative of f. All is checked. */
static ria_status pass(const ria_field3 *f, ria_axis axis, int derivative, int order, double scale,
                       bool add, ria_field3 *out) {
  const fd_stencil stencil = stencil_of(f, axis, derivative, order, scale);
  const field3_derive job = {.shape = &f->shape,
                             .axis = axis,
                             .stencil = &stencil,
                             .add = add,
                             .f = f->data,
                             .out = out->data};
  return f->ops->derive(f->ctx, &job);
}

ria_status ria_field3_derivative(const ria_field3 *f, ria_axis axis, int order, ria_field3 *out) {
  RIA_TRY(check_apart(f, out));
  RIA_TRY(field3_check_axis(f->ctx, axis));
  RIA_TRY(check_order(f->ctx, &order));
  RIA_TRY(check_points(f, axis, order, 1));
  return pass(f, axis, 1, order, 1.0, false, out);
}

ria_status ria_field3_gradient(const ria_field3 *f, int order, ria_field3 *const out[3]) {
  fd_stencil stencil[RIA_AXES];
  void *data[RIA_AXES];
  for (int a = 0; a < RIA_AXES; a++) {
    RIA_TRY(check_apart(f, out[a]));
    for (int b = 0; b < a; b++)
      if (out[a] == out[b])
        return ria_fail(f->ctx, RIA_ERR_ARGUMENT, "a gradient needs three fields to be written to");
  }
  RIA_TRY(check_order(f->ctx, &order));
  for (int a = 0; a < RIA_AXES; a++) {
    RIA_TRY(check_points(f, (ria_axis)a, order, 1));
    stencil[a] = stencil_of(f, (ria_axis)a, 1, order, 1.0);
    data[a] = out[a]->data;
  }
  return f->ops->gradient(f->ctx, &f->shape, stencil, f->data, data);
}

ria_status ria_field3_laplacian(const ria_field3 *f, int order, ria_field3 *out) {
  RIA_TRY(check_apart(f, out));
  RIA_TRY(check_order(f->ctx, &order));
  for (int a = 0; a < RIA_AXES; a++) RIA_TRY(check_points(f, (ria_axis)a, order, 2));
  for (int a = 0; a < RIA_AXES; a++) RIA_TRY(pass(f, (ria_axis)a, 2, order, 1.0, a > 0, out));
  return RIA_OK;
}

ria_status ria_field3_divergence(const ria_field3 *const v[3], int order, ria_field3 *out) {
  for (int a = 0; a < RIA_AXES; a++) RIA_TRY(check_apart(v[a], out));
  RIA_TRY(check_order(v[0]->ctx, &order));
  for (int a = 0; a < RIA_AXES; a++) RIA_TRY(check_points(v[a], (ria_axis)a, order, 1));
  for (int a = 0; a < RIA_AXES; a++) RIA_TRY(pass(v[a], (ria_axis)a, 1, order, 1.0, a > 0, out));
  return RIA_OK;
}

ria_status ria_field3_curl(const ria_field3 *const v[3], int order, ria_field3 *const out[3]) {
  for (int a = 0; a < RIA_AXES; a++)
    for (int b = 0; b < RIA_AXES; b++) {
      RIA_TRY(check_apart(v[a], out[b]));
      if (a != b && out[a] == out[b])
        return ria_fail(v[a]->ctx, RIA_ERR_ARGUMENT, "a curl needs three fields to be written to");
    }
  RIA_TRY(check_order(v[0]->ctx, &order));
  for (int a = 0; a < RIA_AXES; a++) RIA_TRY(check_points(v[a], (ria_axis)a, order, 1));
  for (int a = 0; a < RIA_AXES; a++) {
    const int b = (a + 1) % RIA_AXES, c = (a + 2) % RIA_AXES;
    RIA_TRY(pass(v[c], (ria_axis)b, 1, order, 1.0, false, out[a]));
    RIA_TRY(pass(v[b], (ria_axis)c, 1, order, -1.0, true, out[a]));
  }
  return RIA_OK;
}
