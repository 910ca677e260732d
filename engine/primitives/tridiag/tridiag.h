/* tridiag.h - what the files of the tridiagonal solver share. Private. */
#ifndef RIA_PRIMITIVES_TRIDIAG_H
#define RIA_PRIMITIVES_TRIDIAG_H
#include <ria/backend.h>
#include <ria/tridiag.h>
#ifdef __cplusplus
extern "C" {
#endif

/* What a backend solves: sizes checked, stride set. *bad = the least number of a line that has no
 * finite solution, or -1. */
typedef ria_status (*ria_tridiag_fn)(ria_context *ctx, const ria_tridiag_desc *d, int *bad);

ria_status ria_tridiag_cpu(ria_context *ctx, const ria_tridiag_desc *d, int *bad);
#ifdef RIA_HAVE_CUDA
ria_status ria_tridiag_cuda(ria_context *ctx, const ria_tridiag_desc *d, int *bad);
#endif

/* The lines of one precision on the CPU, `TRIDIAG_LINES` at a time: lines first to first + n - 1
 * (n <= TRIDIAG_LINES). room: of TRIDIAG_ROOM(unknowns) values. Returns the first bad one or -1. */
enum { TRIDIAG_LINES = 16, TRIDIAG_PIECE = 32 };
#define TRIDIAG_ROOM(unknowns)                                                                     \
  ((size_t)TRIDIAG_LINES * (2 * (size_t)(unknowns) + 4 * (size_t)TRIDIAG_PIECE))
int tridiag_lines_f32(const ria_tridiag_desc *d, int first, int n, float *room);
int tridiag_lines_f64(const ria_tridiag_desc *d, int first, int n, double *room);

#ifdef __cplusplus
}
#endif

#endif
