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
  s->low = (double *)malloc((2 * (size_t)p->grid.nx + ADI_KEPT) * sizeof *s->low);
  return s->stored && s->low ? RIA_OK : ria_gpu_no_memory(p, "a sum");
}

void adig_free_part(adig *s) {
  void *const planes[] = {s->aside, s->kept_a, s->kept_c};
  for (void *plane : planes) ria_gpu_plane_free(&s->p, plane);
  cudaFree(s->note);
  free(s->stored);
  free(s->low);
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
  const int set = s->shows, q = s->now.flux[ADI_Y];
  if (set == ROWS_STATE) {
    void *const state[] = {s->level[s->now.level],
                           s->flux[ADI_X][s->now.flux[ADI_X]],
                           s->flux[ADI_Y][q],
                           s->flux[ADI_Y][1 - q],
                           s->bed,
                           s->manning};
    for (void *of : state)
      if (of) plane[n++] = of;
    for (int m = 0; m < s->nt; m++) plane[n++] = s->load[s->load_now][m];
  } else if (set == ROWS_ASIDE) {
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
  void *plane[6 + RIA_MAX_TRACERS];
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

/* --- the seam of a ring ----------------------------------------------------------------------- */

static ria_status row_of_faces(adig *s, const void *flux, double *out) {
  const size_t nx = (size_t)s->p.grid.nx;
  const char *row = (const char *)flux + ria_gpu_at(&s->p.v, 0, -1) * s->p.real_size;
  A_TRY("preparing a step", ria_gpu_to_host(&s->p, out, row, nx * s->p.real_size));
  if (s->p.real == RIA_F64) return RIA_OK;
  for (size_t i = nx; i-- > 0;) {
    float one;
    memcpy(&one, (const char *)out + i * sizeof one, sizeof one);
    out[i] = (double)one;
  }
  return RIA_OK;
}

/* What radiating sides keep in the first and the last row, on the device; NULL: it is not of rows
 * that the part `has`. */
static double *kept_at(const adig *s, int k, bool has) {
  const ria_gpu_planes *p = &s->p;
  const ria_side side = adi_kept_side(k);
  const int row = adi_kept_row(k, p->grid.ny), rim = p->v.first[side] - p->base + row;
  if (ria_gpu_owns(p, row) != has) return NULL;
  return &p->v.crossed[(size_t)rim * (size_t)p->v.n_quantities].kept[k % 2];
}

static ria_status get_kept(adig *s, double *kept) {
  for (int k = 0; k < ADI_KEPT; k++) {
    const double *from = kept_at(s, k, true);
    kept[k] = NAN;
    if (from) A_TRY("preparing a step", ria_gpu_to_host(&s->p, &kept[k], from, sizeof *kept));
  }
  return RIA_OK;
}
static ria_status put_kept(adig *s, const double *kept) {
  for (int k = 0; k < ADI_KEPT; k++) {
    double *to = kept_at(s, k, false);
    if (to) A_TRY("preparing a step", ria_gpu_to_device(&s->p, to, &kept[k], sizeof *kept));
  }
  return ria_gpu_planes_wait(&s->p);
}

/* Of columns that close upon themselves the face in the south is the one in the north: what is set
 * there on either side, all know before one is made of both. */
ria_status adig_meet_at_seam(adig *s) {
  const int nx = s->p.grid.nx;
  for (int k = 0; k < 2 * nx; k++) s->low[k] = NAN;
  RIA_TRY(get_kept(s, s->low + 2 * nx));
  for (int b = 0; b < 2 && s->p.part.j0 == 0; b++)
    RIA_TRY(row_of_faces(s, s->flux[ADI_Y][b], s->low + b * nx));
  s->shows = ROWS_STATE;
  s->waits = ADIG_JOINED;
  return ria_gpu_planes_wait(&s->p);
}

/* Ghost rows have what lies across the seam. The part at either end has a copy of its face. */
static ria_status join_seam(adig *s, const double *low) {
  const ria_gpu_planes *p = &s->p;
  const size_t bytes = 2 * (size_t)p->grid.nx * sizeof *low;
  const bool first = p->part.j0 == 0, last = p->part.j1 == p->grid.ny;
  const adig_state a = adig_state_of(s, 0);
  void *room = NULL;
  if (!first && !last) return RIA_OK;
  RIA_TRY(ria_gpu_take(&s->p, bytes, &room));
  cudaError_t e = ria_gpu_to_device(p, room, low, bytes);
  if (e == cudaSuccess)
    e = s->kernel->join_seam(&a, first ? -1 : p->end - 1, (const double *)room, s->flux[ADI_Y],
                             p->stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(p->stream);
  ria_gpu_drop(&s->p, room);
  A_TRY("preparing a step", e);
  return RIA_OK;
}

/* --- words ------------------------------------------------------------------------------------ */

bool adig_say(void *self, ria_meeting *m) {
  adig *s = (adig *)self;
  if (!s->waits) return false;
  *m = {};
  if (s->waits == ADIG_PREPARED) *m = {{s->deepest, s->head}, {}, {}, s->stored, s->p.grid.ny};
  m->rows = s->waits != ADIG_PREPARED;
  if (s->waits != ADIG_JOINED) return true;
  m->list = s->low;
  m->n_list = 2 * s->p.grid.nx + ADI_KEPT;
  return true;
}

static ria_status prepared(adig *s, const ria_meeting *all) {
  const int ny = s->p.grid.ny;
  ria_row_totals *rows = (ria_row_totals *)calloc((size_t)ny, sizeof *rows);
  if (!rows) return ria_gpu_no_memory(&s->p, "a sum");
  for (int j = 0; j < ny; j++) rows[j].stored = all->list[j];
  const double stored = ria_sum_rows(&s->p.grid, rows, ny).stored;
  free(rows);
  return adig_know_state(s, all->most[0], all->most[1], stored);
}

ria_status adig_hear(void *self, const ria_meeting *all) {
  adig *s = (adig *)self;
  const int why = s->waits;
  s->waits = 0;
  RIA_TRY(ria_gpu_enter(&s->p));
  if (why == ADIG_PREPARED) return prepared(s, all);
  if (why != ADIG_JOINED) return RIA_OK;
  RIA_TRY(put_kept(s, all->list + 2 * s->p.grid.nx));
  RIA_TRY(join_seam(s, all->list));
  return adig_look_and_tell(s);
}
