/* gpu/adi/parts.cu - a part of a grid, on its own: where cuts may lie, memory, what parts agree on
 * before they step. How they step: together.cu. */
#include "host.cuh"

#include <ria/comm.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- cuts ------------------------------------------------------------------------------------- */

/* Lines along y lie in segments and blocks of the whole grid. A part begins with a segment; where a
 * cut at the end of a block is about as even it lies there, for then less is said. */
static int cut_near(double even, int m, int block, double slack) {
  const int at_block = (int)lround(even / block) * block;
  return fabs(at_block - even) <= slack ? at_block : (int)lround(even / m) * m;
}

ria_status adig_cut(const ria_solver_setup *setup, int n, int *cut) {
  const ria_grid *g = &setup->grid;
  int m, segments, blocks;
  RIA_CUDA(setup->ctx, "choosing the device", ria_cuda_use(setup->backend));
  const adig_kernels *kernel = setup->real == RIA_F32 ? &adig_kernels_f32 : &adig_kernels_f64;
  kernel->layout(g->ny, g->nx, ria_cuda_cluster(), &m, &segments, &blocks);
  const int most = g->ny >= m ? g->ny / m : 1;
  if (n > most)
    return ria_fail(setup->ctx, RIA_ERR_ARGUMENT,
                    "%d parts of a grid of %d rows: on GPUs adi cuts it into parts of at least %d "
                    "rows, so --parts %d at most (ria_context_desc.parts)",
                    n, g->ny, m, most);
  const double slack = blocks > 1 ? 0.05 * g->ny / n : 0;
  cut[0] = 0;
  for (int k = 1; k < n; k++) {
    const int at = cut_near((double)g->ny * k / n, m, m * segments, slack);
    const int least = cut[k - 1] + m, last = (most - (n - k)) * m;
    cut[k] = at < least ? least : at > last ? last : at;
  }
  cut[n] = g->ny;
  return RIA_OK;
}

ria_status adig_check_part(const ria_solver_setup *setup) {
  const ria_part part = ria_part_of(setup);
  if (part.j1 - part.j0 == setup->grid.ny) return RIA_OK;
  const int ranks = ria_context_ranks(setup->ctx);
  if (ranks > RIA_GPU_LANES)
    return ria_fail(setup->ctx, RIA_ERR_ARGUMENT,
                    "adi steps on GPUs in %d ranks at most, and these are %d: take fewer, or "
                    "--device cpu",
                    RIA_GPU_LANES, ranks);
  if (!ria_cuda_of(setup->backend)->together)
    return ria_fail(setup->ctx, RIA_ERR_ARGUMENT,
                    "parts of adi on GPUs step together alone, which RIA_CUDA_TOGETHER=off or "
                    "CUDA_LAUNCH_BLOCKING forbids: take one part (--parts 1), or --device cpu");
  return RIA_OK;
}

/* --- memory ----------------------------------------------------------------------------------- */

enum { NOTES = 7 /* as CUT_NOTES of sweep.cuh */ };

ria_status adig_allocate_part(adig *s) {
  ria_gpu_planes *p = &s->p;
  RIA_TRY(ria_gpu_plane_alloc(p, "the lines of a part", &s->aside));
  RIA_TRY(ria_gpu_plane_alloc(p, "the lines of a part", &s->kept_a));
  RIA_TRY(ria_gpu_plane_alloc(p, "the lines of a part", &s->kept_c));
  RIA_TRY(ria_cuda_alloc(p->ctx, NOTES * (size_t)p->grid.nx * p->real_size, "the lines of a part",
                         &s->note));
  s->stored = (double *)malloc((size_t)p->grid.ny * sizeof *s->stored);
  return s->stored ? RIA_OK : ria_gpu_no_memory(p, "a sum");
}

void adig_free_part(adig *s) {
  cudaFree(s->aside);
  cudaFree(s->kept_a);
  cudaFree(s->kept_c);
  cudaFree(s->note);
  free(s->stored);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* A sweep along x looks three rows south, for the flux behind the cell beside the first of two
 * solutions, which is swept a row further. */
int adig_ghost_rows(const void *self) {
  (void)self;
  return ADIG_BESIDE;
}

/* The planes of a set of rows; `shows` says which. A step is known by its place among six. */
static int planes_of_rows(const adig *s, void **plane) {
  int n = 0;
  const int set = s->shows;
  if (set == ROWS_ASIDE) {
    plane[n++] = s->aside;
  } else if (set >= ROWS_LOADS) {
    for (int m = 0; m < s->nt; m++) plane[n++] = s->load[set - ROWS_LOADS][m];
  } else {
    const int axis = set >= ROWS_SWEPT_Y ? ADI_Y : ADI_X,
              turn = set - (axis == ADI_Y ? (int)ROWS_SWEPT_Y : (int)ROWS_SWEPT_X);
    plane[n++] = s->level[(2 * turn + 1 + axis) % 3];
    plane[n++] = s->flux[axis][1 - turn % 2];
    if (s->nt) plane[n++] = s->moved[ADI_X], plane[n++] = s->moved[ADI_Y];
  }
  return n;
}

/* With the face on the western side, from where rows begin on 16 bytes. */
ria_gpu_array adig_shared(const void *self, int k) {
  const adig *s = (const adig *)self;
  const size_t before = RIA_GPU_PAD - 4;
  void *plane[4 + RIA_MAX_TRACERS];
  if (k >= planes_of_rows(s, plane)) return {NULL, 0, 0};
  const size_t real = s->p.real_size, row = s->p.v.stride * real;
  return {(char *)plane[k] + row + before * real, row, (size_t)(4 + s->p.grid.nx) * real};
}

/* --- before steps ----------------------------------------------------------------------------- */

/* What each row stores, of the part's; NaN for the others. */
static ria_status find_stored(adig *s) {
  const int rows = s->p.end - s->p.begin, ny = s->p.grid.ny;
  ria_row_totals *of =
      (ria_row_totals *)calloc((size_t)rows * (size_t)s->p.v.n_quantities, sizeof *of);
  if (!of) return ria_gpu_no_memory(&s->p, "a sum");
  const ria_status status = ria_gpu_planes_row_totals(s, of);
  for (int j = 0; j < ny; j++) s->stored[j] = NAN;
  for (int j = 0; j < rows; j++) s->stored[s->p.part.j0 + j] = of[j].stored;
  free(of);
  return status;
}

ria_status adig_prepare_part(adig *s) {
  RIA_TRY(find_stored(s));
  s->waits = ADIG_PREPARED;
  return RIA_OK;
}

bool adig_say(void *self, ria_meeting *m) {
  adig *s = (adig *)self;
  if (!s->waits) return false;
  *m = {{s->deepest, s->head}, {}, {}, s->stored, s->p.grid.ny};
  return true;
}

ria_status adig_hear(void *self, const ria_meeting *all) {
  adig *s = (adig *)self;
  const int ny = s->p.grid.ny;
  ria_row_totals *rows = (ria_row_totals *)calloc((size_t)ny, sizeof *rows);
  s->waits = 0;
  if (!rows) return ria_gpu_no_memory(&s->p, "a sum");
  for (int j = 0; j < ny; j++) rows[j].stored = all->list[j];
  const double stored = ria_sum_rows(&s->p.grid, rows, ny).stored;
  free(rows);
  RIA_TRY(ria_gpu_enter(&s->p));
  return adig_know_state(s, all->most[0], all->most[1], stored);
}
