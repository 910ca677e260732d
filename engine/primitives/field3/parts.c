/* parts.c - a 3-D field cut into parts of whole planes along z: the table of a device's loops over
 * one field, made of those over several.
 *
 * A part has planes of its neighbours beside its own, as many as any stencil that writes one of its
 * own planes reads: four beyond, or, where a lean stencil begins at a closed end, all that
 * stencil's points. It is a field by itself then, closed at both ends, of which some planes are
 * asked for: an own plane finds the same values at the same distances as in the whole, and the same
 * end where the whole ends, so it gets the same bits. What neighbours have is fetched when a
 * derivative along z needs it and the field has been written since; point by point it is kept up
 * without.
 *
 * Ranks have a part each, on their CPUs; values and sums go to all of them. Whatever needs others
 * begins with a meeting, and nothing fails between that and the messages. */
#include "primitives/field3/field3.h"

#include "base/context.h"
#include "base/grid.h"
#include "base/ranks.h"

#include <math.h>
#include <stdlib.h>

enum { MET = RIA_MEET_FIELD3, MET_GET, MET_SUMS };
enum { MESSAGES = 2 * FD_WIDTH_MAX }; /* of a part: a plane each, at most */

typedef struct part {
  field3_shape shape; /* planes `from` .. of the whole, which go round where that is periodic */
  void *data;
  int from, k0, k1; /* own planes of the whole: k0 .. k1 - 1 */
} part;

typedef struct cut {
  const field3_ops *ops; /* of the device */
  ria_ranks *ranks;      /* NULL: this process has all parts; else that of its number */
  void **request;        /* [MESSAGES (n + 1)] */
  int n, first, last;    /* parts; first .. last - 1 lie here */
  bool fresh;            /* planes of neighbours are what those have */
  part part[];
} cut;

/* --- life ------------------------------------------------------------------------------------- */

static void drop(const field3_shape *whole, void *data) {
  cut *c = data;
  (void)whole;
  for (int p = 0; c && p < c->n; p++)
    if (c->part[p].data) c->ops->free(&c->part[p].shape, c->part[p].data);
  if (c) free(c->request);
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
  c->n = c->last = n;
  c->fresh = true; /* zeros */
  c->ranks = ctx->ranks;
  if (c->ranks) {
    c->first = c->ranks->comm->rank;
    c->last = c->first + 1;
    c->request = calloc((size_t)MESSAGES * (size_t)(n + 1), sizeof *c->request);
  }
  ria_status s = RIA_OK;
  if (c->ranks && !c->request) s = ria_fail_memory(ctx, "the parts of a field", bytes);
  for (int p = 0; p < n; p++) shape_part(whole, n, p, &c->part[p]);
  for (int p = c->first; s == RIA_OK && p < c->last; p++)
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
static int owner(const cut *c, int k) {
  int p = 0;
  while (k >= c->part[p].k1) p++;
  return p;
}

/* Begin to send planes to another rank, or to receive some; *n requests are under way. */
static ria_status begin(ria_context *ctx, cut *c, bool sends, int peer, char *planes, size_t bytes,
                        int *n) {
  ria_comm *comm = c->ranks->comm;
  void **request = &c->request[(*n)++];
  const int code = sends ? comm->send(comm, peer, planes, bytes, request)
                         : comm->receive(comm, peer, planes, bytes, request);
  return code == 0 ? RIA_OK : ria_ranks_lost(ctx);
}

/* Planes a .. b - 1 of a part, counted past the ends of the whole where that goes round: from their
 * owners, as many at once as one has. */
static ria_status fetch(ria_context *ctx, cut *c, int planes, int p, int a, int b, int *n) {
  const part *to = &c->part[p];
  const size_t plane = to->shape.stride[RIA_Z] * field3_size(to->shape.real);
  const int fit = c->ranks ? (int)fmin(planes, (double)RIA_COMM_MOST / (double)plane) : planes;
  for (int k = a, count; k < b; k += count) {
    const int at = ((k % planes) + planes) % planes, q = owner(c, at);
    const part *from = &c->part[q];
    count = least(least(b - k, from->k1 - at), fit);
    const size_t bytes = (size_t)count * plane;
    if (from->data && to->data)
      RIA_TRY(
          c->ops->pass(ctx, &from->shape, plane_at(from, at), &to->shape, plane_at(to, k), bytes));
    else if (from->data)
      RIA_TRY(begin(ctx, c, true, p, plane_at(from, at), bytes, n));
    else if (to->data)
      RIA_TRY(begin(ctx, c, false, q, plane_at(to, k), bytes, n));
  }
  return RIA_OK;
}

static ria_status meet(ria_context *ctx, const cut *c, const int *what, int n, const char *words) {
  ria_packet mine = ria_ranks_call(MET, what, (size_t)n * sizeof *what);
  return c->ranks ? ria_ranks_meet(ctx, &mine, words) : RIA_OK;
}

static ria_status finish(ria_context *ctx, cut *c, int n) {
  for (int k = 0; k < n; k++)
    if (c->ranks->comm->wait(c->ranks->comm, &c->request[k]) != 0) return ria_ranks_lost(ctx);
  return RIA_OK;
}

static ria_status freshen(ria_context *ctx, const field3_shape *whole, cut *c) {
  int n = 0;
  if (c->fresh) return RIA_OK;
  RIA_TRY(meet(ctx, c, whole->n, RIA_AXES, "planes of a field are passed on"));
  for (int p = 0; p < c->n; p++) {
    const part *to = &c->part[p];
    RIA_TRY(fetch(ctx, c, whole->n[RIA_Z], p, to->from, to->k0, &n));
    RIA_TRY(fetch(ctx, c, whole->n[RIA_Z], p, to->k1, to->from + to->shape.n[RIA_Z], &n));
  }
  RIA_TRY(finish(ctx, c, n));
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
  const size_t points = (size_t)n[RIA_X] * (size_t)n[RIA_Y] * (size_t)n[RIA_Z];
  if (c->ranks) ria_ranks_note(ctx, "a field", from, points * field3_size(whole->real));
  c->fresh = false;
  for (int p = c->first; p < c->last; p++)
    if (overlap(&c->part[p], at, n, here, count, &skip))
      RIA_TRY(c->ops->write(ctx, &c->part[p].shape, c->part[p].data, here, count,
                            (const char *)from + skip * field3_size(whole->real)));
  return RIA_OK;
}

static ria_status get_here(ria_context *ctx, const cut *c, const int at[3], const int n[3],
                           char *to) {
  int here[3], count[3];
  size_t skip;
  for (int p = c->first; p < c->last; p++)
    if (overlap(&c->part[p], at, n, here, count, &skip))
      RIA_TRY(c->ops->read(ctx, &c->part[p].shape, c->part[p].data, here, count,
                           to + skip * field3_size(c->part[p].shape.real)));
  return RIA_OK;
}

/* Blocks of ranks follow each other in `data`, of as many bytes as `size` says of each part. mine:
 * what is asked for, the same on all; else their messages would not fit. */
static ria_status gather(ria_context *ctx, const cut *c, ria_packet mine,
                         size_t (*size)(const part *p, const void *), const void *user,
                         char *data) {
  size_t *offset = malloc(((size_t)c->n + 1) * sizeof *offset);
  if (!offset) mine.status = (int32_t)ria_fail_memory(ctx, "values of a field", sizeof *offset);
  ria_status s = ria_ranks_meet(ctx, &mine, "values of a field are read");
  if (s == RIA_OK) {
    offset[0] = 0;
    for (int p = 0; p < c->n; p++) offset[p + 1] = offset[p] + size(&c->part[p], user);
    s = ria_ranks_gather(ctx, data + offset[c->first], data, offset);
  }
  free(offset);
  return s;
}

typedef struct extent {
  const int *at, *n;
} extent;

static ria_packet asks_for(const field3_shape *whole, const extent *e) {
  int what[3 * RIA_AXES];
  for (int k = 0; k < RIA_AXES; k++) {
    what[k] = whole->n[k];
    what[RIA_AXES + k] = e->at[k];
    what[2 * RIA_AXES + k] = e->n[k];
  }
  return ria_ranks_call(MET_GET, what, sizeof what);
}

static size_t bytes_of_block(const part *p, const void *user) {
  const extent *e = user;
  const int a = most(e->at[RIA_Z], p->k0), b = least(e->at[RIA_Z] + e->n[RIA_Z], p->k1);
  if (a >= b) return 0;
  return (size_t)(b - a) * (size_t)e->n[RIA_X] * (size_t)e->n[RIA_Y] * field3_size(p->shape.real);
}

static ria_status get(ria_context *ctx, const field3_shape *whole, const void *data,
                      const int at[3], const int n[3], void *to) {
  const cut *c = data;
  const extent e = {at, n};
  RIA_TRY(get_here(ctx, c, at, n, to));
  return c->ranks ? gather(ctx, c, asks_for(whole, &e), bytes_of_block, &e, to) : RIA_OK;
}

/* --- point by point: with the planes of neighbours -------------------------------------------- */

static ria_status fill(ria_context *ctx, const field3_shape *whole, void *data, double value) {
  cut *c = data;
  (void)whole;
  if (c->ranks) ria_ranks_note(ctx, "a field", &value, sizeof value);
  for (int p = c->first; p < c->last; p++)
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
  for (int p = f->first; p < f->last; p++)
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
  for (int p = f->first; p < f->last; p++)
    RIA_TRY(f->ops->multiply(ctx, &f->part[p].shape, f->part[p].data, g->part[p].data,
                             out->part[p].data));
  out->fresh = fresh;
  return RIA_OK;
}

/* --- sums ------------------------------------------------------------------------------------- */

static size_t bytes_of_pieces(const part *p, const void *user) {
  const cut *c = user;
  return c->ops->pieces(&p->shape) * sizeof(field3_sums);
}

static ria_status sum_parts(ria_context *ctx, const field3_shape *whole, const cut *c,
                            field3_sums *piece) {
  const ria_packet mine = ria_ranks_call(MET_SUMS, whole->n, sizeof whole->n);
  field3_sums *to = piece;
  for (int p = 0; p < c->n; p++) {
    const part *of = &c->part[p];
    if (of->data) RIA_TRY(c->ops->sum_pieces(ctx, &of->shape, of->data, to));
    to += c->ops->pieces(&of->shape);
  }
  return c->ranks ? gather(ctx, c, mine, bytes_of_pieces, c, (char *)piece) : RIA_OK;
}

static ria_status sums(ria_context *ctx, const field3_shape *whole, const void *data,
                       field3_sums *out) {
  const cut *c = data;
  const size_t n = c->ops->pieces(whole);
  field3_sums *piece = malloc(n * sizeof *piece);
  if (!piece) return ria_fail_memory(ctx, "sums of a field", n * sizeof *piece);
  ria_status s = sum_parts(ctx, whole, c, piece);
  if (s == RIA_OK) s = c->ops->join_pieces(ctx, whole, piece, n, out);
  free(piece);
  return s;
}

/* --- derivatives ------------------------------------------------------------------------------ */

static ria_status derive(ria_context *ctx, const field3_derive *job) {
  cut *f = (cut *)(uintptr_t)job->f, *out = job->out;
  if (job->axis == RIA_Z) RIA_TRY(freshen(ctx, job->shape, f));
  out->fresh = false;
  for (int p = f->first; p < f->last; p++) {
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
  for (int p = f->first; p < f->last; p++) {
    void *const to[] = {out[0]->part[p].data, out[1]->part[p].data, out[2]->part[p].data};
    RIA_TRY(f->ops->gradient(ctx, &f->part[p].shape, stencil, f->part[p].data, to));
  }
  return RIA_OK;
}

static ria_status wait(ria_context *ctx, const field3_shape *whole, const void *data) {
  const cut *c = data;
  (void)whole;
  for (int p = c->first; p < c->last; p++)
    RIA_TRY(c->ops->wait(ctx, &c->part[p].shape, c->part[p].data));
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
