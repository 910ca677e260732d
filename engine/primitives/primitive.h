/* primitive.h - the table of a primitive, and the cases that `ria bench` measures.
 *
 * A primitive is an operation on arrays that hosts and scripts call by functions of their own; it
 * has no state in time. `ria bench` measures it beside a plain copy, as it does solvers. One
 * folder, one line in primitives.def, and a `const ria_primitive ria_<name>_primitive`. */
#ifndef RIA_PRIMITIVES_PRIMITIVE_H
#define RIA_PRIMITIVES_PRIMITIVE_H
#include <ria/sim.h>

typedef struct ria_primitive_case {
  const char *name, *doc;
  int dims; /* of the grid, which has n points along each: 2 or 3 */
  int n;    /* default */
  ria_real real;
  double bytes_per_point; /* fewest that must move for a point, in single precision */
} ria_primitive_case;

typedef struct ria_primitive {
  const char *name, *summary;
  const ria_primitive_case *bench; /* up to the first without a name */
  ria_status (*open)(ria_context *ctx, const ria_primitive_case *c, int n, ria_real real,
                     void **self);
  /* Run it `times` times and wait for the last. */
  ria_status (*run)(void *self, int64_t times);
  void (*close)(void *self); /* NULL is allowed */
} ria_primitive;

/* run/registry.c. NULL for an unknown name. */
const ria_primitive *ria_primitive_named(const char *name);

#endif
