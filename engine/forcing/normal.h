/* forcing/normal.h - normal equations of a harmonic analysis, by Cholesky. Private. */
#ifndef RIA_FORCING_NORMAL_H
#define RIA_FORCING_NORMAL_H
#include <stdbool.h>

enum { RIA_TIDE_MOST = 37, RIA_UNKNOWNS = 2 * RIA_TIDE_MOST + 1 };

/* a x = b of m unknowns: the lower half of a. */
typedef struct ria_normal {
  int m;
  double a[RIA_UNKNOWNS][RIA_UNKNOWNS];
} ria_normal;

/* The squares of a row of the system, [m]. */
void ria_normal_add(ria_normal *n, const double *row);
/* a becomes its lower Cholesky factor; false: singular. */
bool ria_normal_factorise(ria_normal *n);
/* Then x = a^-1 x. */
void ria_normal_solve(const ria_normal *n, double *x);

#endif
