/* tests/unit/borrowed.h - a solver of a test's own: one that there is, in some of whose operations
 * the test puts its own.
 *
 *   ria_solver faulty;
 *   if (!borrow("shallow_water", "faulty", &faulty)) return 0;
 *   own.read = faulty_read; // which calls base.read */
#ifndef RIA_TEST_BORROWED_H
#define RIA_TEST_BORROWED_H
#include "run/run.h"
#include <ria/solver.h>

/* What the solver is made of; what it was made from, every operation of it. */
static ria_solver_ops own, base;

/* false: there is no such solver in this build. */
static bool borrow(const char *from, const char *name, ria_solver *out) {
  const ria_solver *found;
  if (ria_solver_find(NULL, from, &found) != RIA_OK) return false;
  *out = *found;
  base = ria_solver_ops_whole(found->cpu, RIA_BACKEND_CPU);
  own = *found->cpu;
  out->name = name;
  out->cpu = &own;
  out->cuda = NULL;
  return true;
}

#endif
