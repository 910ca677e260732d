/* cpu.h - what cpu.c and the loops of the two precisions share. */
#ifndef RIA_PRIMITIVES_FIELD3_CPU_H
#define RIA_PRIMITIVES_FIELD3_CPU_H
#include "backend/stream.h"
#include "primitives/field3/field3.h"

#include <math.h>
#include <string.h>

/* Results of this size or more bypass the caches. */
#define FIELD3_STREAM_BYTES ((size_t)8 << 20)

typedef struct field3_loops {
  void (*derive)(const field3_derive *job, int threads);
  void (*gradient)(const field3_shape *s, const fd_stencil *stencil, const void *f,
                   void *const *out, int threads);
  void (*combine)(const field3_shape *s, double a, const void *f, double b, const void *g,
                  void *out, int threads);
  void (*multiply)(const field3_shape *s, const void *f, const void *g, void *out, int threads);
  void (*fill)(const field3_shape *s, void *data, double value, int threads);
  void (*plane_sums)(const field3_shape *s, const void *data, field3_sums *planes, int threads);
} field3_loops;

extern const field3_loops field3_loops_f32, field3_loops_f64;

/* Rows of a tile that is marched through: nine planes of it fit the second-level cache. */
int field3_tile_rows(const field3_shape *s, int threads);

#define FIELD3_NO_SUMS ((field3_sums){INFINITY, -INFINITY, 0.0, 0.0})

static inline void field3_sums_add(field3_sums *to, const field3_sums *more) {
  to->min = more->min < to->min ? more->min : to->min;
  to->max = more->max > to->max ? more->max : to->max;
  to->sum += more->sum;
  to->squares += more->squares;
}

#endif
