/* The weights: those in print, and what any must do to polynomials. */
#include "cases.h"
#include "primitives/field3/field3.h"

/* Fornberg (1988), table 1: the first derivative in the middle. */
static void printed(void) {
  static const double first[4][4] = {{1.0 / 2},
                                     {2.0 / 3, -1.0 / 12},
                                     {3.0 / 4, -3.0 / 20, 1.0 / 60},
                                     {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}};
  static const double second[4][5] = {{-2, 1},
                                      {-5.0 / 2, 4.0 / 3, -1.0 / 12},
                                      {-49.0 / 18, 3.0 / 2, -3.0 / 20, 1.0 / 90},
                                      {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560}};
  static const double end[3] = {-3.0 / 2, 2, -1.0 / 2};
  fd_stencil s;
  for (int half = 1; half <= 4; half++) {
    fd_stencil_make(1, 2 * half, &s);
    CHECK(s.half == half && s.width == 2 * half + 1 && s.c[0] == 0 && !s.even);
    for (int m = 1; m <= half; m++) CHECK_NEAR(s.c[m], first[half - 1][m - 1], 1e-15);
    fd_stencil_make(2, 2 * half, &s);
    CHECK(s.half == half && s.width == 2 * half + 2 && s.even);
    for (int m = 0; m <= half; m++) CHECK_NEAR(s.c[m], second[half - 1][m], 1e-14);
  }
  fd_stencil_make(1, 2, &s);
  for (int m = 0; m < 3; m++) CHECK_NEAR(s.end[0][m], end[m], 1e-15);
}

/* At point j of the low end: exact for polynomials of degree order - 1 + derivative, and no more.
 */
static void polynomials(int derivative, int order) {
  fd_stencil s;
  fd_stencil_make(derivative, order, &s);
  for (int j = 0; j < s.half; j++)
    for (int degree = 0; degree <= order + derivative; degree++) {
      double sum = 0, size = 0, exact = degree == derivative ? derivative : 0;
      for (int m = 0; m < s.width; m++) {
        sum += s.end[j][m] * pow(m - j, degree);
        size += fabs(s.end[j][m] * pow(m - j, degree));
      }
      if (degree < order + derivative)
        CHECK_NEAR(sum, exact, 1e-13 * (1 + size));
      else
        CHECK(fabs(sum - exact) > 0.1);
    }
}

static void scaled(void) {
  fd_stencil s;
  fd_stencil_make(1, 6, &s);
  const fd_stencil t = fd_stencil_times(&s, -3);
  CHECK(t.c[3] == -3 * s.c[3] && t.end[2][6] == -3 * s.end[2][6] && t.width == s.width);
}

int main(void) {
  printed();
  for (int order = 2; order <= 8; order += 2)
    for (int derivative = 1; derivative <= 2; derivative++) polynomials(derivative, order);
  scaled();
  return TEST_END();
}
