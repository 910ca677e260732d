/* account_k.h - the account of a cell on a side of the domain, on any device. */
#ifndef RIA_SOLVERS_ACCOUNT_K_H
#define RIA_SOLVERS_ACCOUNT_K_H
#include <ria/kernel.h>

/* For one quantity. */
typedef struct ria_crossed {
  double in, out; /* what crossed since the last time it was folded; >= 0 */
  /* An inflow too small yet for the last place of the cell, in the unit of the plane. It stays with
   * the cell whatever the boundary becomes. For solvers that round what crosses before either side
   * sees it. */
  double owed;
} ria_crossed;

/* `amount` >= 0 came in; negative: went out. */
RIA_KERNEL void ria_enter(ria_crossed *c, double amount) {
  if (amount > 0)
    c->in += amount;
  else
    c->out -= amount;
}

#endif
