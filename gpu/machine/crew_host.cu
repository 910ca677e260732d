/* gpu/machine/crew_host.cu - parts of a grid that step together though ranks cannot reach the
 * memory of each other's GPUs, and have no NCCL: by way of the host.
 *
 * As by NCCL (crew_nccl.cu) a lane stores in memory of its own alone. Rows that it sends are packed
 * into pinned memory; for whatever others are to have the host waits, meets the other ranks, and
 * hands on by MPI what is there. So steps are launched phase by phase, and a rank that fails tells
 * the others where they meet. */
#include "crew_inner.cuh"
#include "agree.cuh"

extern "C" {
#include "base/context.h"
#include "base/ranks.h"
}

#include <stdlib.h>
#include <string.h>

enum { SOUTH, NORTH };

struct ria_gpu_host {
  ria_gpu_parcels rows; /* pinned, as all here */
  ria_meeting *words;   /* [n of all parts] */
  /* [3][room]: of all, what came last and what goes on */
  unsigned long long *list;
  size_t room;
};

/* --- rows on their way ------------------------------------------------------------------------ */

static ria_status edge_rows(ria_gpu_crew *c, int side, int state, ria_shared_row *row, int *n) {
  *n = ria_gpu_crew_edge_rows(c, side, state, row);
  if (*n <= MOST_SHARED) return RIA_OK;
  return ria_fail(c->ctx, RIA_ERR_ARGUMENT, "a part shares %d rows: at most %d can be", *n,
                  MOST_SHARED);
}

static ria_status measure_side(ria_gpu_crew *c, ria_gpu_parcels *w, int side) {
  ria_shared_row row[MOST_SHARED];
  for (int state = 0; state < ria_gpu_crew_sets(c); state++) {
    size_t *bytes = &w->bytes[side][state];
    int n;
    RIA_TRY(edge_rows(c, side, state, row, &n));
    *bytes = 0;
    for (int k = 0; k < n; k++) *bytes += ria_gpu_crew_row_room(row[k].bytes);
    if (*bytes > w->most[side]) w->most[side] = *bytes;
  }
  return RIA_OK;
}

ria_status ria_gpu_parcels_measure(ria_gpu_crew *c, ria_gpu_parcels *w) {
  for (int side = SOUTH; side <= NORTH; side++)
    if (ria_gpu_crew_beyond(c, side) >= 0) RIA_TRY(measure_side(c, w, side));
  return RIA_OK;
}

static ria_status link_side(ria_gpu_crew *c, const ria_gpu_parcels *w, int side) {
  ria_gpu_lane *l = &c->lane[c->begin];
  ria_shared_row row[MOST_SHARED];
  for (int state = 0; state < ria_gpu_crew_sets(c); state++) {
    size_t at = 0;
    int n;
    RIA_TRY(edge_rows(c, side, state, row, &n));
    for (int k = 0; k < n; at += ria_gpu_crew_row_room(row[k++].bytes))
      if (!ria_gpu_crew_add_row(&l->send[state], w->out[side] + at, row[k].own, row[k].bytes,
                                false) ||
          !ria_gpu_crew_add_row(&l->receive[state], row[k].ghost, w->in[side] + at, row[k].bytes,
                                false))
        return ria_gpu_no_memory(c->part[c->first], "the rows of parts");
  }
  return RIA_OK;
}

ria_status ria_gpu_parcels_link(ria_gpu_crew *c, const ria_gpu_parcels *w) {
  for (int side = SOUTH; side <= NORTH; side++)
    if (ria_gpu_crew_beyond(c, side) >= 0) RIA_TRY(link_side(c, w, side));
  return RIA_OK;
}

/* --- what goes to others ---------------------------------------------------------------------- */

/* What the device has for others is in memory of the host, on all ranks. */
static ria_status gather_here(ria_gpu_lane *l, cudaError_t queued) {
  ria_context *ctx = l->crew->ctx;
  bool well = true;
  const cudaError_t e = queued == cudaSuccess ? cudaStreamSynchronize(l->stream) : queued;
  const ria_status here = e == cudaSuccess ? RIA_OK : ria_cuda_fail(ctx, e, "a time step");
  return ria_gpu_agree(ctx, "words and rows are there", here, &well);
}

/* Out to one side, and in from the other. */
static ria_status swap_rows(ria_gpu_crew *c, int state, int side) {
  const ria_gpu_parcels *w = &c->host->rows;
  const int to = ria_gpu_crew_beyond(c, side), from = ria_gpu_crew_beyond(c, 1 - side);
  return ria_ranks_swap(c->ctx, to, w->out[side], w->bytes[side][state], from, w->in[1 - side],
                        w->bytes[1 - side][state]);
}

/* Words of the parts of a rank; all if `of` is NULL. */
static cudaError_t copy_words(ria_gpu_lane *l, int state, int kind, const ria_gpu_lane *of,
                              cudaMemcpyKind way) {
  const int first = of ? of->first : 0, n = of ? of->n : l->crew->n;
  ria_meeting *there = ria_gpu_crew_box(l, state, kind, first),
              *here = l->crew->host->words + first;
  const bool out = way == cudaMemcpyDeviceToHost;
  return cudaMemcpyAsync(out ? here : there, out ? there : here, (size_t)n * sizeof *here, way,
                         l->stream);
}

static ria_status swap_words(ria_gpu_lane *l, int state, int kind) {
  ria_gpu_crew *c = l->crew;
  size_t offset[(int)RIA_GPU_LANES + 1];
  for (int k = 0; k < c->n_lanes; k++) offset[k] = (size_t)c->lane[k].first * sizeof(ria_meeting);
  offset[c->n_lanes] = (size_t)c->n * sizeof(ria_meeting);
  char *all = (char *)c->host->words;
  RIA_TRY(ria_ranks_gather(c->ctx, all + offset[l->index], all, offset));
  RIA_CUDA(c->ctx, "a time step", copy_words(l, state, kind, NULL, cudaMemcpyHostToDevice));
  return RIA_OK;
}

ria_status ria_gpu_host_pass(ria_gpu_lane *l, int state, int kind, int what) {
  ria_gpu_crew *c = l->crew;
  const bool words = what & RIA_GPU_PASS_WORDS, rows = what & RIA_GPU_PASS_ROWS;
  RIA_TRY(
      gather_here(l, words ? copy_words(l, state, kind, l, cudaMemcpyDeviceToHost) : cudaSuccess));
  for (int side = NORTH; rows && side >= SOUTH; side--) RIA_TRY(swap_rows(c, state, side));
  if (words) RIA_TRY(swap_words(l, state, kind));
  return rows ? ria_gpu_crew_receive(l, state) : RIA_OK;
}

/* Every rank takes the same. */
static ria_status make_room(ria_gpu_crew *c, size_t n) {
  ria_gpu_host *w = c->host;
  if (n <= w->room) return RIA_OK;
  RIA_CUDA(c->ctx, "a time step", cudaStreamSynchronize(c->lane[c->begin].stream));
  if (w->list) cudaFreeHost(w->list);
  w->list = NULL;
  w->room = 0;
  RIA_CUDA(c->ctx, "taking memory for what parts say",
           cudaHostAlloc((void **)&w->list, 3 * n * sizeof *w->list, cudaHostAllocDefault));
  w->room = n;
  return RIA_OK;
}

/* A ring: each rank passes on what came last, so all that all say has come once. */
static ria_status unite(ria_gpu_crew *c, size_t n) {
  const int ranks = c->n_lanes, to = (c->begin + 1) % ranks, from = (c->begin + ranks - 1) % ranks;
  unsigned long long *all = c->host->list, *goes = all + n, *comes = goes + n;
  memcpy(goes, all, n * sizeof *all);
  for (int turn = 0; turn + 1 < ranks; turn++) {
    RIA_TRY(ria_ranks_swap(c->ctx, to, goes, n * sizeof *all, from, comes, n * sizeof *all));
    for (size_t k = 0; k < n; k++) all[k] |= comes[k];
    unsigned long long *const sent = goes;
    goes = comes;
    comes = sent;
  }
  return RIA_OK;
}

ria_status ria_gpu_host_unite(ria_gpu_lane *l, unsigned long long *word, size_t n) {
  ria_gpu_crew *c = l->crew;
  bool well = true;
  if (n > c->host->room) /* n is the same for all */
    RIA_TRY(ria_gpu_agree(c->ctx, "room for what parts say", make_room(c, n), &well));
  RIA_TRY(gather_here(l, cudaMemcpyAsync(c->host->list, word, n * sizeof *word,
                                         cudaMemcpyDeviceToHost, l->stream)));
  RIA_TRY(unite(c, n));
  RIA_CUDA(
      c->ctx, "a time step",
      cudaMemcpyAsync(word, c->host->list, n * sizeof *word, cudaMemcpyHostToDevice, l->stream));
  return RIA_OK;
}

/* --- life ------------------------------------------------------------------------------------- */

static ria_status take_room(ria_gpu_crew *c) {
  ria_gpu_parcels *rows = &c->host->rows;
  const char *doing = "joining parts";
  RIA_CUDA(c->ctx, "choosing the device", ria_cuda_use(&c->lane[c->begin].backend->base));
  RIA_TRY(ria_gpu_parcels_measure(c, rows));
  for (int side = SOUTH; side <= NORTH; side++)
    for (char **room : {&rows->out[side], &rows->in[side]})
      RIA_CUDA(c->ctx, doing,
               cudaHostAlloc((void **)room, rows->most[side] + 1, cudaHostAllocMapped));
  RIA_CUDA(c->ctx, doing,
           cudaHostAlloc((void **)&c->host->words, (size_t)c->n * sizeof *c->host->words,
                         cudaHostAllocDefault));
  return ria_gpu_parcels_link(c, rows);
}

ria_status ria_gpu_host_join(ria_gpu_crew *c, ria_status here) {
  bool well = true;
  c->host = (ria_gpu_host *)calloc(1, sizeof *c->host);
  if (here == RIA_OK)
    here = c->host ? take_room(c) : ria_gpu_no_memory(c->part[c->first], "the parts");
  return ria_gpu_agree(c->ctx, "room for the host's way", here, &well);
}

void ria_gpu_host_free(ria_gpu_crew *c) {
  ria_gpu_host *w = c->host;
  if (!w) return;
  for (int side = SOUTH; side <= NORTH; side++)
    for (char *room : {w->rows.out[side], w->rows.in[side]})
      if (room) cudaFreeHost(room);
  if (w->words) cudaFreeHost(w->words);
  if (w->list) cudaFreeHost(w->list);
  free(w);
  c->host = NULL;
}
