/* field3.h - the inside of a 3-D field, and the table of loops that a device has for it.
 *
 * field3.c checks what the caller asks for and calls the table; cpu.c and gpu/field3/field3.cu fill
 * it. Rows begin on multiples of 64 bytes; what lies between the end of a row and the next means
 * nothing. */
#ifndef RIA_PRIMITIVES_FIELD3_H
#define RIA_PRIMITIVES_FIELD3_H
#include "primitives/field3/derivative_k.h"
#include <ria/backend.h>
#include <ria/field3.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- stencils: stencil.c ---------------------------------------------------------------------- */

/* derivative: 1 or 2, of points that are 1 apart. */
void fd_stencil_make(int derivative, int order, fd_stencil *out);
/* The same, times `factor`: 1 / spacing, 1 / spacing^2. */
fd_stencil fd_stencil_times(const fd_stencil *s, double factor);

/* Weights w[n] of the points x[n] for a derivative (0, 1, 2) at `at`: Fornberg (1988). n <= 16. */
void fd_fornberg(double at, const double *x, int n, int derivative, double *w);

/* --- a field ---------------------------------------------------------------------------------- */

/* Bytes of a value. */
static inline size_t field3_size(ria_real real) {
  return real == RIA_F32 ? sizeof(float) : sizeof(double);
}

typedef struct field3_shape {
  int n[RIA_AXES];
  bool periodic[RIA_AXES];
  ria_real real;
  size_t stride[RIA_AXES]; /* elements between neighbours; stride[0] is 1 */
  size_t bytes;
  const ria_backend *on; /* where it lies */
  /* Planes first .. last - 1 are asked for: 0 and n[2], but where a field is a part of another and
   * has planes of its neighbours (parts.c). Derivatives of others may be left as they are. */
  int first, last;
} field3_shape;

struct ria_field3 {
  ria_context *ctx;
  const struct field3_ops *ops;
  ria_grid3 grid;
  field3_shape shape;
  fd_stencil unit[2][FD_HALF_MAX]; /* [derivative - 1][order / 2 - 1], for points 1 apart */
  void *data; /* [n[2]][n[1]][stride[1]] of `real`, on the device; or the parts of it */
};

/* out (+)= the derivative of f along an axis. */
typedef struct field3_derive {
  const field3_shape *shape;
  ria_axis axis;
  const fd_stencil *stencil;
  bool add; /* to what is in out */
  const void *f;
  void *out;
} field3_derive;

typedef struct field3_sums {
  double min, max, sum, squares; /* NaN where a value is NaN; min and max may pass NaN over */
} field3_sums;

/* The loops of one device. All but read, write and sums may return before the work is done. */
typedef struct field3_ops {
  ria_status (*alloc)(ria_context *ctx, const field3_shape *s, void **out); /* zeroed */
  void (*free)(const field3_shape *s, void *data);
  /* A block of rows: n[0] x n[1] x n[2] points from point `at` on, packed, as `real`. */
  ria_status (*write)(ria_context *ctx, const field3_shape *s, void *data, const int at[3],
                      const int n[3], const void *from);
  ria_status (*read)(ria_context *ctx, const field3_shape *s, const void *data, const int at[3],
                     const int n[3], void *to);
  ria_status (*fill)(ria_context *ctx, const field3_shape *s, void *data, double value);
  /* out = a f + b g; g NULL: a f */
  ria_status (*combine)(ria_context *ctx, const field3_shape *s, double a, const void *f, double b,
                        const void *g, void *out);
  ria_status (*multiply)(ria_context *ctx, const field3_shape *s, const void *f, const void *g,
                         void *out);
  ria_status (*sums)(ria_context *ctx, const field3_shape *s, const void *data, field3_sums *out);
  ria_status (*derive)(ria_context *ctx, const field3_derive *job);
  /* stencil: of each axis, first derivatives of one order. */
  ria_status (*gradient)(ria_context *ctx, const field3_shape *s, const fd_stencil stencil[3],
                         const void *f, void *const out[3]);
  /* Until all that was queued where it lies is done. */
  ria_status (*wait)(ria_context *ctx, const field3_shape *s, const void *data);
  /* Planes from one part to another, behind what was queued for either. */
  ria_status (*pass)(ria_context *ctx, const field3_shape *from, const void *source,
                     const field3_shape *to, void *target, size_t bytes);
  /* Sums in pieces, so that those of parts add up to the same bits: how many pieces the planes that
   * are asked for have, what they are, on the host, and what pieces of all planes are together. */
  size_t (*pieces)(const field3_shape *s);
  ria_status (*sum_pieces)(ria_context *ctx, const field3_shape *s, const void *data,
                           field3_sums *piece);
  ria_status (*join_pieces)(ria_context *ctx, const field3_shape *s, const field3_sums *piece,
                            size_t n, field3_sums *out);
  /* Lines of 64 bytes that planes are moved apart by where they would all fall on the same places
   * of a cache that each place of memory has few places in; 0 = none. */
  int lines_between_planes;
} field3_ops;

extern const field3_ops ria_field3_cpu;
/* parts.c: a field cut into parts of whole planes, on the devices of a context. */
extern const field3_ops ria_field3_parts;
/* Its parts, of zeros, for ria_field3.data: n of them, of 2 or more, with loops of `ops`. */
ria_status ria_field3_cut(ria_context *ctx, const field3_ops *ops, const field3_shape *whole, int n,
                          void **out);
extern const field3_ops ria_field3_cuda; /* gpu/field3/field3.cu; in builds with CUDA only */

#ifdef __cplusplus
}
#endif
#endif
