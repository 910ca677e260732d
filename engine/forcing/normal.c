/* forcing/normal.c - normal equations of a harmonic analysis. */
#include "forcing/normal.h"

#include <math.h>

void ria_normal_add(ria_normal *n, const double *row) {
  for (int i = 0; i < n->m; i++)
    for (int j = 0; j <= i; j++) n->a[i][j] += row[i] * row[j];
}

bool ria_normal_factorise(ria_normal *n) {
  for (int j = 0; j < n->m; j++)
    for (int i = j; i < n->m; i++) {
      double sum = n->a[i][j];
      const double scale = sum;
      for (int k = 0; k < j; k++) sum -= n->a[i][k] * n->a[j][k];
      if (i == j && !(sum > 1e-12 * scale)) return false;
      n->a[i][j] = i == j ? sqrt(sum) : sum / n->a[j][j];
    }
  return true;
}

/* x = (L L')^-1 x */
void ria_normal_solve(const ria_normal *n, double *x) {
  for (int i = 0; i < n->m; i++) {
    for (int k = 0; k < i; k++) x[i] -= n->a[i][k] * x[k];
    x[i] /= n->a[i][i];
  }
  for (int i = n->m - 1; i >= 0; i--) {
    for (int k = i + 1; k < n->m; k++) x[i] -= n->a[k][i] * x[k];
    x[i] /= n->a[i][i];
  }
}
