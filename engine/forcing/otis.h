/* forcing/otis.h - files of OTIS, Oregon State's tidal models: levels, transports, depths. Private.
 *
 * Fortran's unformatted records, big-endian, each between two counts of its bytes. The first has
 * n, m, nc (int32), the latitudes and the longitudes between which the cells lie (2 and 2 float32)
 * and nc names of 4 letters. Then comes a record for each constituent, [m][n] from the south and
 * the west: of levels (m) re and im at the centres, of transports (m^2/s) re and im of u at the
 * western edges, then of v at the southern ones. A constituent is Re(z e^(i (w t + V))), so its
 * phase at Greenwich is -arg z; where both are 0 there is land. */
#ifndef RIA_FORCING_OTIS_H
#define RIA_FORCING_OTIS_H
#include <ria/grid.h>
#include <stdio.h>

enum { RIA_OTIS_MOST = 64 }; /* constituents */

typedef struct ria_otis {
  FILE *file;
  const char *path; /* the caller's */
  ria_grid grid;    /* degrees */
  int n;            /* constituents */
  char name[RIA_OTIS_MOST][5];
  int numbers; /* of a cell: 2 of levels, 4 of transports */
  long first;  /* byte of the first of them */
} ria_otis;

/* RIA_ERR_INPUT tells what is not as it has to be. To be closed, after a failure too. */
ria_status ria_otis_open(ria_context *ctx, const char *path, ria_otis *out);
void ria_otis_close(ria_otis *f);
/* The k-th constituent into out[ny][nx][numbers]. */
ria_status ria_otis_read(ria_context *ctx, const ria_otis *f, int k, float *out);

/* The depths of a model, m, [ny][nx], 0 on land: from its grid file, whose records are n, m, the
 * limits, dt and nob; nob pairs of numbers (or one number); the depths; a mask. The caller frees
 * *depth. */
ria_status ria_otis_depth(ria_context *ctx, const char *path, ria_grid *grid, float **depth);

#endif
