/* cpu.c - the CPU's table of loops for 3-D fields: memory, copies, and which precision. */
#include "primitives/field3/cpu.h"

#include "base/context.h"

#include <stdlib.h>

enum { TILE_BYTES = 128 * 1024 };

int field3_tile_rows(const field3_shape *s, int threads) {
  const size_t row = s->stride[RIA_Y] * field3_size(s->real);
  const int fit = (int)(TILE_BYTES / ((FD_SPAN_MAX + 1) * row));
  const int each = (s->n[RIA_Y] + threads - 1) / threads; /* a tile a thread, at least */
  const int rows = fit < each ? fit : each;
  return rows > 1 ? rows : 1;
}

static const field3_loops *loops_of(const field3_shape *s) {
  return s->real == RIA_F32 ? &field3_loops_f32 : &field3_loops_f64;
}

static ria_status take(ria_context *ctx, const field3_shape *s, void **out) {
  return s->on->alloc(ctx, s->on, s->bytes, out);
}

static void give(const field3_shape *s, void *data) {
  if (data) s->on->free(s->on, data);
}

static size_t offset(const field3_shape *s, const int at[3], int j, int k) {
  return (size_t)at[0] + (size_t)(at[1] + j) * s->stride[RIA_Y] +
         (size_t)(at[2] + k) * s->stride[RIA_Z];
}

static ria_status put(ria_context *ctx, const field3_shape *s, void *data, const int at[3],
                      const int n[3], const void *from) {
  const size_t size = field3_size(s->real), row = (size_t)n[0] * size;
  const char *p = from;
  (void)ctx;
  for (int k = 0; k < n[2]; k++)
    for (int j = 0; j < n[1]; j++, p += row)
      memcpy((char *)data + offset(s, at, j, k) * size, p, row);
  return RIA_OK;
}

static ria_status get(ria_context *ctx, const field3_shape *s, const void *data, const int at[3],
                      const int n[3], void *to) {
  const size_t size = field3_size(s->real), row = (size_t)n[0] * size;
  char *p = to;
  (void)ctx;
  for (int k = 0; k < n[2]; k++)
    for (int j = 0; j < n[1]; j++, p += row)
      memcpy(p, (const char *)data + offset(s, at, j, k) * size, row);
  return RIA_OK;
}

static ria_status fill(ria_context *ctx, const field3_shape *s, void *data, double value) {
  loops_of(s)->fill(s, data, value, ria_context_threads(ctx));
  return RIA_OK;
}

static ria_status combine(ria_context *ctx, const field3_shape *s, double a, const void *f,
                          double b, const void *g, void *out) {
  loops_of(s)->combine(s, a, f, b, g, out, ria_context_threads(ctx));
  return RIA_OK;
}

static ria_status multiply(ria_context *ctx, const field3_shape *s, const void *f, const void *g,
                           void *out) {
  loops_of(s)->multiply(s, f, g, out, ria_context_threads(ctx));
  return RIA_OK;
}

static size_t pieces(const field3_shape *s) { return (size_t)(s->last - s->first); }

static ria_status sum_pieces(ria_context *ctx, const field3_shape *s, const void *data,
                             field3_sums *piece) {
  loops_of(s)->plane_sums(s, data, piece, ria_context_threads(ctx));
  return RIA_OK;
}

static ria_status join_pieces(ria_context *ctx, const field3_shape *s, const field3_sums *piece,
                              size_t n, field3_sums *out) {
  (void)ctx, (void)s;
  *out = FIELD3_NO_SUMS;
  for (size_t k = 0; k < n; k++) field3_sums_add(out, &piece[k]);
  return RIA_OK;
}

static ria_status sums(ria_context *ctx, const field3_shape *s, const void *data,
                       field3_sums *out) {
  const size_t bytes = pieces(s) * sizeof(field3_sums);
  field3_sums *planes = malloc(bytes);
  if (!planes) return ria_fail_memory(ctx, "sums of a field", bytes);
  sum_pieces(ctx, s, data, planes);
  join_pieces(ctx, s, planes, pieces(s), out);
  free(planes);
  return RIA_OK;
}

static ria_status derive(ria_context *ctx, const field3_derive *job) {
  loops_of(job->shape)->derive(job, ria_context_threads(ctx));
  return RIA_OK;
}

static ria_status gradient(ria_context *ctx, const field3_shape *s, const fd_stencil stencil[3],
                           const void *f, void *const out[3]) {
  loops_of(s)->gradient(s, stencil, f, out, ria_context_threads(ctx));
  return RIA_OK;
}

static ria_status wait(ria_context *ctx, const field3_shape *s, const void *data) {
  (void)ctx, (void)s, (void)data;
  return RIA_OK;
}

static ria_status pass_on(ria_context *ctx, const field3_shape *from, const void *source,
                          const field3_shape *to, void *target, size_t bytes) {
  (void)ctx, (void)from, (void)to;
  memcpy(target, source, bytes);
  return RIA_OK;
}

const field3_ops ria_field3_cpu = {.alloc = take,
                                   .free = give,
                                   .write = put,
                                   .read = get,
                                   .fill = fill,
                                   .combine = combine,
                                   .multiply = multiply,
                                   .sums = sums,
                                   .derive = derive,
                                   .gradient = gradient,
                                   .wait = wait,
                                   .pass = pass_on,
                                   .pieces = pieces,
                                   .sum_pieces = sum_pieces,
                                   .join_pieces = join_pieces,
                                   .lines_between_planes = 17};
