/* field3.c - 3-D fields: making them, values in and out, arithmetic. What runs over all points is
 * in the table of the device (field3_ops). */
#include "primitives/field3/calls.h"
#include "base/limit.h"

#include "base/context.h"
#include "base/ranks.h"

#include <math.h>
#include <stdlib.h>

enum {
  ROW_BYTES = 64,        /* rows begin at multiples of this: a cache line */
  PLANE_LINES = 64,      /* planes a multiple of this many lines apart share cache sets */
  BLOCK_BYTES = 32 << 20 /* copied at a time */
};

static const field3_ops *const ops_of[] = {
    [RIA_BACKEND_CPU] = &ria_field3_cpu,
#ifdef RIA_HAVE_CUDA
    [RIA_BACKEND_CUDA] = &ria_field3_cuda,
#else
    [RIA_BACKEND_CUDA] = NULL,
#endif
};

/* --- making ----------------------------------------------------------------------------------- */

static ria_status check_grid(ria_context *ctx, const ria_grid3 *g) {
  double points = 1.0;
  for (int a = 0; a < RIA_AXES; a++) {
    const char *axis = field3_axis_name((ria_axis)a);
    if (g->n[a] < 1)
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "a field of %d points along %s: 1 or more are needed",
                      g->n[a], axis);
    if (!(g->d[a] > 0.0) || !isfinite(g->d[a]))
      return ria_fail(ctx, RIA_ERR_ARGUMENT,
                      "points of a field %g m apart along %s: the distance must be above 0",
                      g->d[a], axis);
    if (!isfinite(g->origin[a]))
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "the origin of a field is %g along %s", g->origin[a],
                      axis);
    points *= g->n[a];
  }
  if (points >= 2147483648.0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "a field of %d x %d x %d points: less than 2^31 are possible", g->n[0], g->n[1],
                    g->n[2]);
  return RIA_OK;
}

static field3_shape shape_of(ria_context *ctx, const ria_grid3 *g, ria_real real,
                             const field3_ops *ops) {
  const size_t line = ROW_BYTES / field3_size(real);
  field3_shape s = {.real = real, .on = ria_context_backend(ctx), .last = g->n[RIA_Z]};
  for (int a = 0; a < RIA_AXES; a++) {
    s.n[a] = g->n[a];
    s.periodic[a] = g->periodic[a];
  }
  s.stride[RIA_X] = 1;
  s.stride[RIA_Y] = ((size_t)g->n[RIA_X] + line - 1) / line * line;
  s.stride[RIA_Z] = s.stride[RIA_Y] * (size_t)g->n[RIA_Y];
  if (s.stride[RIA_Z] % ((size_t)PLANE_LINES * line) == 0)
    s.stride[RIA_Z] += (size_t)ops->lines_between_planes * line;
  s.bytes = s.stride[RIA_Z] * (size_t)g->n[RIA_Z] * field3_size(real);
  return s;
}

/* As many as a grid of the context has, of a plane at least. Ranks have one each; on GPUs, and
 * where there are more of them than planes, all of the field. */
static int parts_of(const ria_context *ctx, const ria_grid3 *g) {
  const double plane =
      8.0 * (g->n[RIA_X] + ROW_BYTES) * g->n[RIA_Y] + 8.0 * ROW_BYTES * PLANE_LINES;
  const int ranks = ria_context_ranks(ctx);
  if (ctx->ranks && (g->n[RIA_Z] < ranks || ctx->backend->kind != RIA_BACKEND_CPU)) return 1;
  if (ctx->ranks) return plane <= RIA_COMM_MOST ? ranks : 1;
  return ctx->parts < g->n[RIA_Z] ? ctx->parts : g->n[RIA_Z];
}

ria_status ria_field3_create(ria_context *ctx, const ria_grid3 *grid, ria_real real,
                             ria_field3 **out) {
  if (!out)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "nowhere to write the description of the field: it is NULL");
  *out = NULL;
  if (!grid) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a field needs a grid");
  RIA_TRY(check_grid(ctx, grid));
  RIA_TRY(ria_limit_cells(ctx, (double)grid->n[RIA_X] * grid->n[RIA_Y], grid->n[RIA_Z]));
  const field3_ops *ops = ops_of[ria_context_backend(ctx)->kind];
  ria_field3 *f = calloc(1, sizeof *f);
  if (!f) return ria_fail_memory(ctx, "a field", sizeof *f);
  f->ctx = ctx;
  const int parts = parts_of(ctx, grid);
  f->ops = parts > 1 ? &ria_field3_parts : ops;
  f->grid = *grid;
  f->shape = shape_of(ctx, grid, real, ops);
  const ria_status may = ria_limit_memory(ctx, "a field", (double)f->shape.bytes);
  if (may != RIA_OK) {
    free(f);
    return may;
  }
  for (int derivative = 1; derivative <= 2; derivative++)
    for (int half = 1; half <= FD_HALF_MAX; half++)
      fd_stencil_make(derivative, 2 * half, &f->unit[derivative - 1][half - 1]);
  const ria_status s = parts > 1 ? ria_field3_cut(ctx, ops, &f->shape, parts, &f->data)
                                 : ops->alloc(ctx, &f->shape, &f->data);
  if (s != RIA_OK) {
    free(f);
    return s;
  }
  *out = f;
  return RIA_OK;
}

void ria_field3_destroy(ria_field3 **f) {
  if (!f || !*f) return;
  (*f)->ops->free(&(*f)->shape, (*f)->data);
  free(*f);
  *f = NULL;
}

const ria_grid3 *ria_field3_grid(const ria_field3 *f) { return &f->grid; }
ria_real ria_field3_real(const ria_field3 *f) { return f->shape.real; }

/* --- values in and out --------------------------------------------------------------------------
 * By blocks of whole planes, or of rows where a plane is large, through memory that a device copies
 * from and to at full speed. */

typedef struct block {
  int at[3], n[3];
  void *values; /* of the field's precision, packed */
} block;

static size_t block_points(const block *b) {
  return (size_t)b->n[0] * (size_t)b->n[1] * (size_t)b->n[2];
}

/* The number of planes, and of rows of each, that a block takes. */
static void block_size(const ria_field3 *f, int *rows, int *planes) {
  const int *n = f->shape.n;
  const size_t row = (size_t)n[0] * field3_size(f->shape.real), fit = BLOCK_BYTES / row;
  *rows = fit < (size_t)n[1] ? (int)(fit ? fit : 1) : n[1];
  *planes = *rows == n[1] ? (int)(fit / (size_t)n[1]) : 1;
  if (*planes > n[2]) *planes = n[2];
  if (*planes < 1) *planes = 1;
}

/* Calls one(user, block, index of its first point among the packed ones) for each block. */
typedef ria_status (*block_fn)(const ria_field3 *f, const block *b, size_t first, void *user);

static ria_status each_block(const ria_field3 *f, block_fn one, void *user) {
  const ria_backend *backend = ria_context_backend(f->ctx);
  const int *n = f->shape.n;
  int rows, planes;
  block b = {.n = {n[0]}};
  block_size(f, &rows, &planes);
  const size_t bytes = (size_t)n[0] * (size_t)rows * (size_t)planes * field3_size(f->shape.real);
  RIA_TRY(backend->alloc_output(f->ctx, backend, bytes, &b.values));
  ria_status s = RIA_OK;
  for (int k = 0; s == RIA_OK && k < n[2]; k += planes)
    for (int j = 0; s == RIA_OK && j < n[1]; j += rows) {
      b.at[1] = j, b.at[2] = k;
      b.n[1] = n[1] - j < rows ? n[1] - j : rows;
      b.n[2] = n[2] - k < planes ? n[2] - k : planes;
      s = one(f, &b, ((size_t)k * (size_t)n[1] + (size_t)j) * (size_t)n[0], user);
    }
  backend->free_output(backend, b.values);
  return s;
}

static void narrow(const block *b, ria_real real, const double *from) {
  if (real == RIA_F64) {
    memcpy(b->values, from, block_points(b) * sizeof *from);
    return;
  }
  for (size_t i = 0; i < block_points(b); i++) ((float *)b->values)[i] = (float)from[i];
}

static void widen(const block *b, ria_real real, double *to) {
  if (real == RIA_F64) {
    memcpy(to, b->values, block_points(b) * sizeof *to);
    return;
  }
  for (size_t i = 0; i < block_points(b); i++) to[i] = (double)((const float *)b->values)[i];
}

static ria_status set_block(const ria_field3 *f, const block *b, size_t first, void *user) {
  narrow(b, f->shape.real, (const double *)user + first);
  return f->ops->write(f->ctx, &f->shape, f->data, b->at, b->n, b->values);
}

static ria_status get_block(const ria_field3 *f, const block *b, size_t first, void *user) {
  RIA_TRY(f->ops->read(f->ctx, &f->shape, f->data, b->at, b->n, b->values));
  widen(b, f->shape.real, (double *)user + first);
  return RIA_OK;
}

typedef struct sampling {
  ria_function3 fn;
  void *user;
} sampling;

static ria_status sample_block(const ria_field3 *f, const block *b, size_t first, void *user) {
  const sampling *s = user;
  const ria_grid3 *g = &f->grid;
  size_t p = 0;
  (void)first;
  for (int k = b->at[2]; k < b->at[2] + b->n[2]; k++)
    for (int j = b->at[1]; j < b->at[1] + b->n[1]; j++)
      for (int i = 0; i < b->n[0]; i++, p++) {
        const double v = s->fn(s->user, field3_place(g, RIA_X, i), field3_place(g, RIA_Y, j),
                               field3_place(g, RIA_Z, k));
        if (f->shape.real == RIA_F64)
          ((double *)b->values)[p] = v;
        else
          ((float *)b->values)[p] = (float)v;
      }
  return f->ops->write(f->ctx, &f->shape, f->data, b->at, b->n, b->values);
}

ria_status ria_field3_fill(ria_field3 *f, double value) {
  return f->ops->fill(f->ctx, &f->shape, f->data, value);
}

ria_status ria_field3_set(ria_field3 *f, const double *values) {
  if (!values) return ria_fail(f->ctx, RIA_ERR_ARGUMENT, "the values to set are NULL");
  return each_block(f, set_block, (void *)values);
}

ria_status ria_field3_set_function(ria_field3 *f, ria_function3 fn, void *user) {
  if (!fn) return ria_fail(f->ctx, RIA_ERR_ARGUMENT, "the values to set are NULL");
  return each_block(f, sample_block, &(sampling){fn, user});
}

ria_status ria_field3_get(const ria_field3 *f, double *values) {
  if (!values)
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT,
                    "nowhere to write the values of the field: it is NULL");
  return each_block(f, get_block, values);
}

ria_status ria_field3_at(const ria_field3 *f, int i, int j, int k, double *out) {
  const int at[] = {i, j, k}, one[] = {1, 1, 1};
  double value[1];
  for (int a = 0; a < RIA_AXES; a++)
    if (at[a] < 0 || at[a] >= f->grid.n[a])
      return ria_fail(f->ctx, RIA_ERR_ARGUMENT, "point %d along %s: there are 0 .. %d", at[a],
                      field3_axis_name((ria_axis)a), f->grid.n[a] - 1);
  RIA_TRY(f->ops->read(f->ctx, &f->shape, f->data, at, one, value));
  widen(&(block){.n = {1, 1, 1}, .values = value}, f->shape.real, out);
  return RIA_OK;
}

ria_status ria_field3_slice(const ria_field3 *f, ria_axis axis, int index, ria_raster **out) {
  const ria_backend *backend = ria_context_backend(f->ctx);
  RIA_TRY(field3_check_axis(f->ctx, axis));
  const ria_grid3 *g = &f->grid;
  if (index < 0 || index >= g->n[axis])
    return ria_fail(f->ctx, RIA_ERR_ARGUMENT, "plane %d across %s: there are 0 .. %d", index,
                    field3_axis_name(axis), g->n[axis] - 1);
  const int u = axis == RIA_X ? RIA_Y : RIA_X, v = axis == RIA_Z ? RIA_Y : RIA_Z;
  const ria_grid plane = {g->n[u], g->n[v], g->d[u], g->d[v], g->origin[u], g->origin[v], 0.0};
  block b = {.n = {g->n[0], g->n[1], g->n[2]}};
  b.at[axis] = index;
  b.n[axis] = 1;
  RIA_TRY(backend->alloc_output(f->ctx, backend, block_points(&b) * field3_size(f->shape.real),
                                &b.values));
  ria_status s = ria_raster_create(f->ctx, &plane, out);
  if (s == RIA_OK) s = f->ops->read(f->ctx, &f->shape, f->data, b.at, b.n, b.values);
  if (s == RIA_OK) widen(&b, f->shape.real, (*out)->data);
  if (s != RIA_OK) ria_raster_destroy(out);
  backend->free_output(backend, b.values);
  return s;
}

ria_status ria_field3_stats(const ria_field3 *f, ria_stats3 *out) {
  field3_sums sums;
  const int *n = f->shape.n;
  RIA_TRY(f->ops->sums(f->ctx, &f->shape, f->data, &sums));
  out->n = (int64_t)n[0] * n[1] * n[2];
  out->sum = sums.sum;
  out->mean = sums.sum / (double)out->n;
  out->rms = sqrt(sums.squares / (double)out->n);
  const bool whole = !isnan(sums.squares); /* squares are NaN just where a value is */
  out->min = whole ? sums.min : NAN;
  out->max = whole ? sums.max : NAN;
  return RIA_OK;
}

/* --- arithmetic ------------------------------------------------------------------------------- */

ria_status ria_field3_combine(double a, const ria_field3 *f, double b, const ria_field3 *g,
                              ria_field3 *out) {
  RIA_TRY(field3_check_alike(f, g));
  RIA_TRY(field3_check_alike(f, out));
  /* 0 times infinity is NaN: a field with factor 0 is left out */
  return f->ops->combine(f->ctx, &f->shape, a, f->data, b, b != 0.0 ? g->data : NULL, out->data);
}

ria_status ria_field3_multiply(const ria_field3 *f, const ria_field3 *g, ria_field3 *out) {
  RIA_TRY(field3_check_alike(f, g));
  RIA_TRY(field3_check_alike(f, out));
  return f->ops->multiply(f->ctx, &f->shape, f->data, g->data, out->data);
}
