/* ria/field3.h - fields on a grid of three dimensions, and their derivatives.
 *
 * A field lives where its context computes: in the memory of the GPU, or of the host; where grids
 * are cut into parts, in whole planes along z on their devices, with the same bits. Functions
 * that write a field queue their work and may return before it is done; those that give numbers to
 * the host wait for the result. A field belongs to its caller and must be destroyed before its
 * context.
 *
 * Derivatives are finite differences of order 2, 4, 6 or 8 on order + 1 points (second derivatives
 * at closed ends: order + 2). Where an axis is closed, the stencils lean inwards near its ends and
 * keep their order. Coefficients: B. Fornberg, Generation of finite difference formulas on
 * arbitrarily spaced grids, Math. Comp. 51 (1988); engine/primitives/field3/README.md lists them.
 */
#ifndef RIA_FIELD3_H
#define RIA_FIELD3_H
#include <ria/field.h>
#include <ria/sim.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum ria_axis { RIA_X, RIA_Y, RIA_Z, RIA_AXES } ria_axis;

/* Point (i, j, k) lies in the middle of its cell: x = origin[0] + (i + 0.5) d[0], and so on. On a
 * periodic axis point n is point 0 again, so its period is n d. Arrays over the grid are
 * [n[2]][n[1]][n[0]], i fastest. */
typedef struct ria_grid3 {
  int n[RIA_AXES];         /* points */
  double d[RIA_AXES];      /* between points, m */
  double origin[RIA_AXES]; /* corner of the domain (not a point), m */
  bool periodic[RIA_AXES]; /* else closed: the field ends there */
} ria_grid3;

typedef struct ria_field3 ria_field3;

/* Every value is 0 to begin with. RIA_ERR_ARGUMENT unless n >= 1, d > 0, all is finite and there
 * are less than 2^31 points. */
RIA_API ria_status ria_field3_create(ria_context *ctx, const ria_grid3 *grid, ria_real real,
                                     ria_field3 **out);
/* Sets *f to NULL; NULL is allowed. */
RIA_API void ria_field3_destroy(ria_field3 **f);
RIA_API const ria_grid3 *ria_field3_grid(const ria_field3 *f);
RIA_API ria_real ria_field3_real(const ria_field3 *f);

/* --- values in and out; doubles whatever the precision ---------------------------------------- */

RIA_API ria_status ria_field3_fill(ria_field3 *f, double value);
/* From values[n[2]][n[1]][n[0]]. */
RIA_API ria_status ria_field3_set(ria_field3 *f, const double *values);
/* From a function of the place of each point, m. */
typedef double (*ria_function3)(void *user, double x, double y, double z);
RIA_API ria_status ria_field3_set_function(ria_field3 *f, ria_function3 fn, void *user);
/* The value of one point. */
RIA_API ria_status ria_field3_at(const ria_field3 *f, int i, int j, int k, double *out);
/* To values[n[2]][n[1]][n[0]]. */
RIA_API ria_status ria_field3_get(const ria_field3 *f, double *values);
/* The plane of points number `index` across `axis`, as a raster over the two other axes in their
 * order: x and y across z, x and z across y, y and z across x. The caller destroys it. */
RIA_API ria_status ria_field3_slice(const ria_field3 *f, ria_axis axis, int index,
                                    ria_raster **out);

/* Summed in double precision and in a fixed order: the same bits every time, on any number of
 * threads. One NaN among the values makes all of them NaN. */
typedef struct ria_stats3 {
  double min, max, sum, mean, rms; /* rms: sqrt(mean of squares) */
  int64_t n;                       /* points */
} ria_stats3;
RIA_API ria_status ria_field3_stats(const ria_field3 *f, ria_stats3 *out);

/* --- arithmetic ---------------------------------------------------------------------------------
 * All fields of a call have the same points, spacing, ends and precision; RIA_ERR_ARGUMENT says how
 * they differ. */

/* out = a f + b g; where b is 0, a f whatever g is. out may be f or g. */
RIA_API ria_status ria_field3_combine(double a, const ria_field3 *f, double b, const ria_field3 *g,
                                      ria_field3 *out);
/* out = f g, point by point. out may be f or g. */
RIA_API ria_status ria_field3_multiply(const ria_field3 *f, const ria_field3 *g, ria_field3 *out);

/* --- derivatives --------------------------------------------------------------------------------
 * order: 2, 4, 6 or 8; 0 = 8. An axis that is differentiated needs order + 1 points, for second
 * derivatives order + 2 where it is closed. Outputs must be other fields than the inputs.
 */

/* out = df / d(axis) */
RIA_API ria_status ria_field3_derivative(const ria_field3 *f, ria_axis axis, int order,
                                         ria_field3 *out);
/* out[axis] = df / d(axis): all three in one pass over f, and bit for bit the single ones. */
RIA_API ria_status ria_field3_gradient(const ria_field3 *f, int order, ria_field3 *const out[3]);
/* out = d2f/dx2 + d2f/dy2 + d2f/dz2 */
RIA_API ria_status ria_field3_laplacian(const ria_field3 *f, int order, ria_field3 *out);
/* out = dv0/dx + dv1/dy + dv2/dz */
RIA_API ria_status ria_field3_divergence(const ria_field3 *const v[3], int order, ria_field3 *out);
/* out = (dv2/dy - dv1/dz, dv0/dz - dv2/dx, dv1/dx - dv0/dy) */
RIA_API ria_status ria_field3_curl(const ria_field3 *const v[3], int order,
                                   ria_field3 *const out[3]);

#ifdef __cplusplus
}
#endif
#endif
