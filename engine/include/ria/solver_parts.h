/* ria/solver_parts.h - for solver authors: what parts of a grid tell each other.
 *
 * A grid may be cut into parts of whole rows, each with a solver of its own. Between steps they
 * copy rows of their neighbours (ria_shared_row), agree on what all must know (ria_meeting), and
 * pass lines of systems on that run through all of them (ria_relay). ria_solver_ops in ria/solver.h
 * says when. */
#ifndef RIA_SOLVER_PARTS_H
#define RIA_SOLVER_PARTS_H
#include <ria/kernel.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Part of a row of the present state on its way between two parts of a grid: what this solver has
 * in a row on that side, and its copy of the row as far beyond. */
typedef struct ria_shared_row {
  void *own, *ghost; /* memory of its backend */
  size_t bytes;
} ria_shared_row;

/* Numbers that go from part to part before `hear`, where each part needs what its neighbour makes
 * of them: lines of a system that run through all parts. They go in blocks that need nothing of
 * each other, so that parts of several processes work on different ones at once. The same in all
 * parts. */
typedef struct ria_relay {
  int blocks;      /* 0: none go */
  size_t bytes;    /* of a block, memory of the part's backend */
  bool southwards; /* from the north on; else from the south on */
} ria_relay;

enum { RIA_MEETING = 4 };

/* A meeting: the parts of a grid stop between two steps, each says some numbers, and all hear them
 * joined: how fast the fastest cell is, whether a step failed, what stands along a side that a cut
 * divides. shallow_water_parts.c and examples/own_solver show it.
 *
 * most[k]: the largest wins, NaN above any number; of equal ones that with the smallest where[k].
 * along[k]: a number that goes with the winner. list: each number from the part that has it; the
 * others say NaN there.
 *
 * What is not used is 0. The order in which parts are joined does not show, and nothing is rounded,
 * so whatever carries it may do as suits it: copies, a reduction of MPI, stores of kernels into the
 * memory of peers. */
typedef struct ria_meeting {
  double most[RIA_MEETING];
  int64_t where[RIA_MEETING];
  double along[RIA_MEETING];
  double *list; /* memory of the part's backend; what all said is written there before `hear` */
  int n_list;   /* the same in all parts */
  /* What else is done before `hear`, the same in all parts: ghost rows are filled (shared_rows, as
   * they are then), numbers are relayed. */
  bool rows;
  ria_relay relay;
} ria_meeting;

/* `all` is what some parts said, `one` what another one says; their lists are not touched. */
RIA_KERNEL void ria_meeting_join(ria_meeting *all, const ria_meeting *one) {
  for (int k = 0; k < RIA_MEETING; k++) {
    const double a = all->most[k], b = one->most[k];
    const int wins = a != a ? 0 : b != b || b > a, ties = a == b || (a != a && b != b);
    if (!wins && !(ties && one->where[k] < all->where[k])) continue;
    all->most[k] = b;
    all->where[k] = one->where[k];
    all->along[k] = one->along[k];
  }
}

#ifdef __cplusplus
}
#endif
#endif
