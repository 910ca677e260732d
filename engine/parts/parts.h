/* parts/parts.h - a solver made of parts: the rows of a grid dealt out to instances of a solver,
 * which together have the bits of one that has the whole grid. Private. */
#ifndef RIA_PARTS_PARTS_H
#define RIA_PARTS_PARTS_H
#include <ria/solver.h>

/* ria_solver_ops of what ria_parts_create makes, but for create. */
extern const ria_solver_ops ria_parts_ops;

/* own: the solver's operations as it has them; ops: with those that it left NULL (which `own` tells
 * from them). n parts of as many rows as can be, ria_part_cut. The set-up is that of the whole.
 * RIA_ERR_ARGUMENT, with what to do, where the solver steps whole grids alone, or the grid has
 * fewer rows. */
ria_status ria_parts_create(const ria_solver_setup *setup, const ria_solver_ops *own,
                            const ria_solver_ops *ops, int n, int n_quantities, void **self);

/* --- how parts reach each other: meeting.c; what ranks and devices do otherwise ----------------
 */

enum { RIA_MOST_SHARED = 128 }; /* rows of a side: planes times ghost rows */

typedef struct ria_held_part {
  ria_part rows;
  void *self;       /* the solver's */
  ria_meeting said; /* room */
} ria_held_part;

/* Parts that wait for each other say and hear until none waits. part[n]: all, from the south. */
ria_status ria_parts_agree(ria_context *ctx, const ria_solver_ops *ops, ria_held_part *part, int n);
/* Ghost rows get what the neighbours have there. */
ria_status ria_parts_exchange(ria_context *ctx, const ria_solver_ops *ops,
                              const ria_held_part *part, int n);

#endif
