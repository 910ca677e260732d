/* io/delaunay.h - the Delaunay triangulation of points in the plane. */
#ifndef RIA_IO_DELAUNAY_H
#define RIA_IO_DELAUNAY_H
#include <ria/status.h>

typedef struct ria_delaunay {
  int32_t (*corner)[3]; /* [n] indices of points, counterclockwise */
  size_t n;             /* triangles; 0: all points lie on one line */
  int32_t *same;        /* [points] the point that stands for it: itself, or one at its place */
} ria_delaunay;

/* x[n], y[n] finite. Places are told apart to 2^-30 of the longer side of the box around them; what
 * lies closer together is one corner. RIA_ERR_MEMORY; on failure there is nothing to free. */
ria_status ria_delaunay_make(ria_context *ctx, const double *x, const double *y, size_t n,
                             ria_delaunay *out);
void ria_delaunay_free(ria_delaunay *d);

#endif
