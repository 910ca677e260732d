/* parts.c - a 3-D field cut into parts of whole planes along z: the table of a device's loops over
 * one field, made of those over several.
 *
 * A part has planes of its neighbours beside its own, as many as any stencil that writes one of its
 * own planes reads: four beyond, or, where a lean stencil begins at a closed end, all that
 * stencil's points. It is a field by itself then, closed at both ends, of which some planes are
 * asked for: an own plane finds the same values at the same distances as in the whole, and the same
 * end where the whole ends, so it gets the same bits. What neighbours have is fetched when a
 * derivative along z needs it and the field has been written since; point by point it is kept up
 * without. */
#include "primitives/field3/field3.h"

#include "base/context.h"
#include "base/grid.h"

#include <stdlib.h>

typedef struct part {
  field3_shape shape; /* planes `from` .. of the whole, which go round where that is periodic */
  void *data;
  int from, k0, k1; /* own planes of the whole: k0 .. k1 - 1 */
} part;

typedef struct cut {
  const field3_ops *ops; /* of the device */
  int n;
  bool fresh; /* planes of neighbours are what those have */
  part part[];
} cut;

/* --- life ------------------------------------------------------------------------------------- */

static void drop(const field3_shape *whole, void *data) {
  cut *c = data;
  (void)whole;
  for (int p = 0; c && p < c->n; p++) c->ops->free(&c->part[p].shape, c->part[p].data);
  free(c);
}

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

/* Planes lo .. hi - 1 that derivatives of k0 .. k1 - 1 reach. */
static void reach(const field3_shape *whole, int k0, int k1, int *lo, int *hi) {
  const int n = whole->n[RIA_Z];
  *lo = k0 - FD_HALF_MAX;
  *hi = k1 + FD_HALF_MAX;
  if (whole->periodic[RIA_Z]) return;
  if (k0 < FD_HALF_MAX) *hi = most(*hi, FD_WIDTH_MAX);
  if (k1 > n - FD_HALF_MAX) *lo = least(*lo, n - FD_WIDTH_MAX);
  *lo = most(*lo, 0);
  *hi = least(*hi, n);
}

static void shape_part(const field3_shape *whole, int n, int p, part *out) {
  const ria_part own = ria_part_cut(whole->n[RIA_Z], n, p);
  int hi;
  reach(whole, own.j0, own.j1, &out->from, &hi);
  out->k0 = own.j0;
  out->k1 = own.j1;
  out->shape = *whole;
  out->shape.n[RIA_Z] = hi - out->from;
  out->shape.periodic[RIA_Z] = false;
  out->shape.first = out->k0 - out->from;
  out->shape.last = out->k1 - out->from;
  out->shape.bytes = whole->stride[RIA_Z] * (size_t)out->shape.n[RIA_Z] * field3_size(whole->real);
  if (whole->on->of_part) out->shape.on = whole->on->of_part(whole->on, p, n);
}

ria_status ria_field3_cut(ria_context *ctx, const field3_ops *ops, const field3_shape *whole, int n,
                          void **out) {
  const size_t bytes = sizeof(cut) + (size_t)n * sizeof(part);
  cut *c = calloc(1, bytes);
  if (!c) return ria_fail_memory(ctx, "the parts of a field", bytes);
  c->ops = ops;
  c->n = n;
  c->fresh = true; /* zeros */
  ria_status s = RIA_OK;
  for (int p = 0; p < n; p++) shape_part(whole, n, p, &c->part[p]);
  for (int p = 0; s == RIA_OK && p < n; p++)
    s = ops->alloc(ctx, &c->part[p].shape, &c->part[p].data);
  if (s != RIA_OK) {
    drop(whole, c);
    return s;
  }
  *out = c;
  return RIA_OK;
}

/* --- what neighbours have --------------------------------------------------------------------- */

static char *plane_at(const part *p, int k) {
  return (char *)p->data +
         (size_t)(k - p->from) * p->shape.stride[RIA_Z] * field3_size(p->shape.real);
}

/* The part that has a plane of the whole. */
static const part *owner(const cut *c, int k) {
  int p = 0;
  while (k >= c->part[p].k1) p++;
  return &c->part[p];
}

/* Planes a .. b - 1, counted past the ends of the whole where that goes round: from their owners,
 * as many at once as one has. */
static ria_status fetch(ria_context *ctx, const cut *c, int planes, const part *to, int a, int b) {
  const size_t plane = to->shape.stride[RIA_Z] * field3_size(to->shape.real);
  for (int k = a; k < b;) {
    const int at = ((k % planes) + planes) % planes;
    const part *from = owner(c, at);
    const int n = least(b - k, from->k1 - at);
    RIA_TRY(c->ops->pass(ctx, &from->shape, plane_at(from, at), &to->shape, plane_at(to, k),
                         (size_t)n * plane));
    k += n;
  }
  return RIA_OK;
}

static ria_status freshen(ria_context *ctx, const field3_shape *whole, cut *c) {
  if (c->fresh) return RIA_OK;
  for (int p = 0; p < c->n; p++) {
    const part *to = &c->part[p];
    RIA_TRY(fetch(ctx, c, whole->n[RIA_Z], to, to->from, to->k0));
    RIA_TRY(fetch(ctx, c, whole->n[RIA_Z], to, to->k1, to->from + to->shape.n[RIA_Z]));
  }
  c->fresh = true;
  return RIA_OK;
}

/* --- values in and out ------------------------------------------------------------------------ */

/* What a block has of a part's own planes; *skip: values of the block before it. */
static bool overlap(const part *p, const int at[3], const int n[3], int at_out[3], int n_out[3],
                    size_t *skip) {
  const int a = most(at[RIA_Z], p->k0), b = least(at[RIA_Z] + n[RIA_Z], p->k1);
  for (int k = 0; k < RIA_AXES; k++) at_out[k] = at[k], n_out[k] = n[k];
  at_out[RIA_Z] = a - p->from;
  n_out[RIA_Z] = b - a;
  *skip = (size_t)(a - at[RIA_Z]) * (size_t)n[RIA_X] * (size_t)n[RIA_Y];
  return a < b;
}

static ria_status put(ria_context *ctx, const field3_shape *whole, void *data, const int at[3],
                      const int n[3], const void *from) {
  cut *c = data;
  int here[3], count[3];
  size_t skip;
  c->fresh = false;
  for (int p = 0; p < c->n; p++)
    if (overlap(&c->part[p], at, n, here, count, &skip))
      RIA_TRY(c->ops->write(ctx, &c->part[p].shape, c->part[p].data, here, count,
                            (const char *)from + skip * field3_size(whole->real)));
  return RIA_OK;
}

static ria_status get(ria_context *ctx, const field3_shape *whole, const void *data,
                      const int at[3], const int n[3], void *to) {
  const cut *c = data;
  int here[3], count[3];
  size_t skip;
  for (int p = 0; p < c->n; p++)
    if (overlap(&c->part[p], at, n, here, count, &skip))
      RIA_TRY(c->ops->read(ctx, &c->part[p].shape, c->part[p].data, here, count,
                           (char *)to + skip * field3_size(whole->real)));
  return RIA_OK;
}

/* --- point by point: with the planes of neighbours -------------------------------------------- */

static ria_status fill(ria_context *ctx, const field3_shape *whole, void *data, double value) {
  cut *c = data;
  (void)whole;
  for (int p = 0; p < c->n; p++)
    RIA_TRY(c->ops->fill(ctx, &c->part[p].shape, c->part[p].data, value));
  c->fresh = true;
  return RIA_OK;
}

static ria_status combine(ria_context *ctx, const field3_shape *whole, double a, const void *f_,
                          double b, const void *g_, void *out_) {
  const cut *f = f_, *g = g_;
  cut *out = out_;
  const bool fresh = f->fresh && (!g || g->fresh);
  (void)whole;
  for (int p = 0; p < f->n; p++)
    RIA_TRY(f->ops->combine(ctx, &f->part[p].shape, a, f->part[p].data, b,
                            g ? g->part[p].data : NULL, out->part[p].data));
  out->fresh = fresh;
  return RIA_OK;
}

static ria_status multiply(ria_context *ctx, const field3_shape *whole, const void *f_,
                           const void *g_, void *out_) {
  const cut *f = f_, *g = g_;
  cut *out = out_;
  const bool fresh = f->fresh && g->fresh;
  (void)whole;
  for (int p = 0; p < f->n; p++)
    RIA_TRY(f->ops->multiply(ctx, &f->part[p].shape, f->part[p].data, g->part[p].data,
                             out->part[p].data));
  out->fresh = fresh;
  return RIA_OK;
}

/* --- sums ------------------------------------------------------------------------------------- */

static ria_status sum_parts(ria_context *ctx, const cut *c, field3_sums *piece) {
  for (int p = 0; p < c->n; p++) {
    const part *of = &c->part[p];
    RIA_TRY(c->ops->sum_pieces(ctx, &of->shape, of->data, piece));
    piece += c->ops->pieces(&of->shape);
  }
  return RIA_OK;
}

static ria_status sums(ria_context *ctx, const field3_shape *whole, const void *data,
                       field3_sums *out) {
  const cut *c = data;
  const size_t n = c->ops->pieces(whole);
  field3_sums *piece = malloc(n * sizeof *piece);
  if (!piece) return ria_fail_memory(ctx, "sums of a field", n * sizeof *piece);
  ria_status s = sum_parts(ctx, c, piece);
  if (s == RIA_OK) s = c->ops->join_pieces(ctx, whole, piece, n, out);
  free(piece);
  return s;
}

/* --- derivatives ------------------------------------------------------------------------------ */

static ria_status derive(ria_context *ctx, const field3_derive *job) {
  cut *f = (cut *)(uintptr_t)job->f, *out = job->out;
  if (job->axis == RIA_Z) RIA_TRY(freshen(ctx, job->shape, f));
  out->fresh = false;
  for (int p = 0; p < f->n; p++) {
    field3_derive of = *job;
    of.shape = &f->part[p].shape;
    of.f = f->part[p].data;
    of.out = out->part[p].data;
    RIA_TRY(f->ops->derive(ctx, &of));
  }
  return RIA_OK;
}

static ria_status gradient(ria_context *ctx, const field3_shape *whole, const fd_stencil stencil[3],
                           const void *f_, void *const out_[3]) {
  cut *f = (cut *)(uintptr_t)f_, *const out[] = {out_[0], out_[1], out_[2]};
  RIA_TRY(freshen(ctx, whole, f));
  for (int a = 0; a < RIA_AXES; a++) out[a]->fresh = false;
  for (int p = 0; p < f->n; p++) {
    void *const to[] = {out[0]->part[p].data, out[1]->part[p].data, out[2]->part[p].data};
    RIA_TRY(f->ops->gradient(ctx, &f->part[p].shape, stencil, f->part[p].data, to));
  }
  return RIA_OK;
}

static ria_status wait(ria_context *ctx, const field3_shape *whole, const void *data) {
  const cut *c = data;
  (void)whole;
  for (int p = 0; p < c->n; p++) RIA_TRY(c->ops->wait(ctx, &c->part[p].shape, c->part[p].data));
  return RIA_OK;
}

const field3_ops ria_field3_parts = {.free = drop,
                                     .write = put,
                                     .read = get,
                                     .fill = fill,
                                     .combine = combine,
                                     .multiply = multiply,
                                     .sums = sums,
                                     .derive = derive,
                                     .gradient = gradient,
                                     .wait = wait};
