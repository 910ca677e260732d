/* tridiag_k.h - the arithmetic of tridiagonal elimination, for gcc and nvcc, float and double.
 *
 * A row    a x[k-1] + b x[k] + c x[k+1] = d    is eliminated when it says x[k] by what comes after
 * it and by the unknown before its segment ("left"):
 *
 *   x[k] = d - a left - c x[k+1]
 *
 * The Thomas algorithm is one segment, the whole line, whose left is 0. A line in many segments
 * (Wang, A parallel method for tridiagonal equations, ACM TOMS 7 (1981)) has a system of the last
 * unknown of each, again tridiagonal, which parallel cyclic reduction solves (Hockney and Jesshope,
 * Parallel Computers (1981)). Included once a precision: see ria/kernel.h. */
#include <ria/kernel.h>

#define tri_row RIA_K(tri_row)
#define R RIA_PRECISION

typedef struct tri_row {
  R a, c, d; /* x = d - a left - c right */
} tri_row;

/* The first row of a segment. */
RIA_KERNEL tri_row tri_first(R a, R b, R c, R d) {
  const R w = ria_inv(b);
  const tri_row r = {a * w, c * w, d * w};
  return r;
}

/* A row after `up`, the one before it in the segment. */
RIA_KERNEL tri_row tri_next(tri_row up, R a, R b, R c, R d) {
  const R w = ria_inv(ria_fused(-a, up.c, b));
  const tri_row r = {-(a * up.a) * w, c * w, ria_fused(-a, up.d, d) * w};
  return r;
}

/* `row` with its right unknown replaced by what `down`, the row of that unknown, says. */
RIA_KERNEL tri_row tri_through(tri_row row, tri_row down) {
  const tri_row r = {ria_fused(-row.c, down.a, row.a), -(row.c * down.c),
                     ria_fused(-row.c, down.d, row.d)};
  return r;
}

/* A step of parallel cyclic reduction: of three rows at a distance the middle one, with the
 * unknowns of the others replaced. What lies outside is {0, 0, 0} and `outer` says that the
 * unknown there stays. */
RIA_KERNEL tri_row tri_reduce(tri_row left, tri_row row, tri_row right, int outer_left,
                              int outer_right) {
  const R w = ria_inv(ria_fused(-row.c, right.a, ria_fused(-row.a, left.c, (R)1)));
  const tri_row r = {(outer_left ? row.a : -(row.a * left.a)) * w,
                     (outer_right ? row.c : -(row.c * right.c)) * w,
                     ria_fused(-row.c, right.d, ria_fused(-row.a, left.d, row.d)) * w};
  return r;
}

RIA_KERNEL R tri_solve(tri_row row, R left, R right) {
  return ria_fused(-row.c, right, ria_fused(-row.a, left, row.d));
}
#undef R
