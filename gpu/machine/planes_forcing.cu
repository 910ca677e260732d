/* gpu/machine/planes_forcing.cu - the forcing of planes of cells on its way to a GPU, and the
 * account of the sides.
 *
 * The engine hands over all forcing whenever any of it changes. It lies in one allocation on the
 * device, with what the solver has beside it; all of the new is there before any of the old goes.
 */
#include "planes.cuh"

#include <stdlib.h>
#include <string.h>

static size_t rim_of(const ria_gpu_planes *p) { return (size_t)p->v.first[RIA_SIDES]; }
static size_t counts_of(const ria_gpu_planes *p) { return rim_of(p) * (size_t)p->v.n_quantities; }

/* --- to the device ---------------------------------------------------------------------------- */

void *ria_gpu_put(ria_gpu_bundle *b, const void *from, size_t bytes) {
  const size_t at = b->used;
  b->used += (bytes + 15) / 16 * 16;
  if (!b->host) return NULL;
  if (from && bytes) memcpy(b->host + at, from, bytes);
  return b->device + at;
}

static void put_cells(ria_gpu_bundle *b, const ria_forcing_set *set, size_t n, ria_gpu_view *v) {
  v->source_cell = (const int32_t *)ria_gpu_put(b, NULL, n * sizeof *v->source_cell);
  v->source_weight = (const double *)ria_gpu_put(b, NULL, n * sizeof *v->source_weight);
  v->source_owed = (double *)ria_gpu_put(b, NULL, n * sizeof *v->source_owed);
  if (!b->host) return;
  int32_t *cell = (int32_t *)ria_gpu_on_host(b, v->source_cell);
  double *weight = (double *)ria_gpu_on_host(b, v->source_weight);
  for (int m = 0; m < set->n_sources; m++) {
    const ria_source *s = &set->sources[m];
    memcpy(cell, s->cell, (size_t)s->n * sizeof *cell);
    memcpy(weight, s->weight, (size_t)s->n * sizeof *weight);
    cell += s->n;
    weight += s->n;
  }
}

static void put_sources(const ria_gpu_planes *p, ria_gpu_bundle *b, const ria_forcing_set *set,
                        ria_gpu_view *v) {
  v->n_sources = set->n_sources;
  v->source =
      (const ria_gpu_source *)ria_gpu_put(b, NULL, (size_t)set->n_sources * sizeof *v->source);
  int n = 0;
  for (int m = 0; m < set->n_sources; m++) {
    const ria_source *s = &set->sources[m];
    if (b->host)
      ((ria_gpu_source *)ria_gpu_on_host(b, v->source))[m] = {s->quantity, s->rate,    n,
                                                              s->n,        s->t_start, s->t_stop};
    n += s->n;
  }
  if (!p->call->lists_cells) put_cells(b, set, (size_t)n, v);
}

/* Everything of a set that kernels read. */
static void put_forcing(ria_gpu_planes *p, ria_gpu_bundle *b, const ria_forcing_set *set,
                        const int32_t *owner, ria_gpu_view *v) {
  const ria_forcing_table *t = &set->table;
  const ria_boundary_set *sides = &set->boundary;
  v->table.n = t->n;
  v->table.n_data = t->n_data;
  v->table.entry = (const ria_forcing *)ria_gpu_put(b, t->entry, (size_t)t->n * sizeof *t->entry);
  v->table.data = (const double *)ria_gpu_put(b, t->data, (size_t)t->n_data * sizeof *t->data);
  v->n_stretch = sides->n;
  v->stretch = (const ria_stretch *)ria_gpu_put(b, sides->stretch,
                                                (size_t)sides->n * sizeof *sides->stretch);
  v->owner = (const int32_t *)ria_gpu_put(b, owner, rim_of(p) * sizeof *owner);
  put_sources(p, b, set, v);
  if (p->call->put) p->call->put(p, b, set, v);
}

/* *device is fresh memory, v's addresses are in it. */
static ria_status send_forcing(ria_gpu_planes *p, const ria_forcing_set *set, const int32_t *owner,
                               ria_gpu_view *v, void **device) {
  ria_gpu_bundle size = {NULL, NULL, 0};
  put_forcing(p, &size, set, owner, v);
  RIA_TRY(ria_cuda_alloc(p->ctx, size.used, "the forcing", device));
  ria_gpu_bundle full = {(char *)calloc(size.used, 1), (char *)*device, 0};
  cudaError_t e = cudaSuccess;
  if (full.host) {
    put_forcing(p, &full, set, owner, v);
    e = ria_gpu_to_device(p, *device, full.host, full.used);
    if (e == cudaSuccess) e = cudaStreamSynchronize(p->stream);
  }
  const bool lacks = !full.host;
  free(full.host);
  if (!lacks && e == cudaSuccess) return RIA_OK;
  cudaFree(*device);
  *device = NULL;
  return lacks ? ria_gpu_no_memory(p, "the forcing")
               : ria_cuda_fail(p->ctx, e, "copying the forcing");
}

/* --- the account of the sides ----------------------------------------------------------------- */

static ria_status get_crossed(ria_gpu_planes *p) {
  RIA_CUDA(p->ctx, "reading the boundary",
           ria_gpu_to_host(p, p->crossed, p->v.crossed, counts_of(p) * sizeof *p->crossed));
  return RIA_OK;
}

/* Enter what rim cells counted into totals of the first n stretches. */
static void add_crossed(const ria_gpu_planes *p, int n, double *in, double *out) {
  const size_t nq = (size_t)p->v.n_quantities;
  for (size_t k = 0; k < counts_of(p); k++) {
    if (p->owner[k / nq] >= n) continue;
    in[(size_t)p->owner[k / nq] * nq + k % nq] += p->crossed[k].in;
    out[(size_t)p->owner[k / nq] * nq + k % nq] += p->crossed[k].out;
  }
}

/* What is owed stays with its cell. */
static ria_status fold_crossed(ria_gpu_planes *p) {
  if (p->n_folded == 0) return RIA_OK;
  RIA_TRY(get_crossed(p));
  add_crossed(p, p->n_folded, p->stretch_in, p->stretch_out);
  for (size_t k = 0; k < counts_of(p); k++) p->crossed[k].in = p->crossed[k].out = 0;
  RIA_CUDA(p->ctx, "setting the boundary",
           ria_gpu_to_device(p, p->v.crossed, p->crossed, counts_of(p) * sizeof *p->crossed));
  return ria_gpu_planes_wait(p);
}

/* Totals by stretch keep their values; new stretches start at zero. */
static ria_status grow_totals(ria_gpu_planes *p, int n) {
  const size_t nq = (size_t)p->v.n_quantities, had = (size_t)p->n_folded * nq;
  double **both[] = {&p->stretch_in, &p->stretch_out};
  for (int k = 0; k < 2; k++) {
    double *grown = (double *)realloc(*both[k], (size_t)n * nq * sizeof *grown);
    if (!grown) return ria_gpu_no_memory(p, "the boundaries");
    for (size_t m = had; m < (size_t)n * nq; m++) grown[m] = 0;
    *both[k] = grown;
  }
  p->n_folded = n;
  return RIA_OK;
}

/* Reading does not fold: when totals are asked for must not show in their last digits. */
ria_status ria_gpu_planes_fluxes(void *self, int n, double *in, double *out) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  RIA_TRY(ria_gpu_enter_present(p));
  const size_t nq = (size_t)p->v.n_quantities;
  const int have = n < p->n_folded ? n : p->n_folded;
  for (size_t k = 0; k < (size_t)n * nq; k++) {
    in[k] = k < (size_t)have * nq ? p->stretch_in[k] : 0;
    out[k] = k < (size_t)have * nq ? p->stretch_out[k] : 0;
  }
  RIA_TRY(get_crossed(p));
  add_crossed(p, have, in, out);
  return RIA_OK;
}

/* --- replacing it ----------------------------------------------------------------------------- */

/* What the host needs of a forcing. */
typedef struct host_copy {
  ria_forcing *entry;
  double *data;
  ria_stretch *stretch;
  int32_t *owner; /* [rim] */
} host_copy;

static void *copy_of(const void *from, size_t bytes) {
  void *q = malloc(bytes ? bytes : 1);
  if (q && bytes) memcpy(q, from, bytes);
  return q;
}

static void free_copy(host_copy *c) {
  free(c->entry);
  free(c->data);
  free(c->stretch);
  free(c->owner);
}

static ria_status copy_forcing(const ria_gpu_planes *p, const ria_forcing_set *set, host_copy *to) {
  const ria_forcing_table *t = &set->table;
  const ria_boundary_set *b = &set->boundary;
  to->entry = (ria_forcing *)copy_of(t->entry, (size_t)t->n * sizeof *t->entry);
  to->data = (double *)copy_of(t->data, (size_t)t->n_data * sizeof *t->data);
  to->stretch = (ria_stretch *)copy_of(b->stretch, (size_t)b->n * sizeof *b->stretch);
  to->owner = (int32_t *)malloc(rim_of(p) * sizeof *to->owner);
  for (int side = 0; to->owner && side < RIA_SIDES; side++)
    memcpy(to->owner + p->v.first[side], b->owner[side],
           (size_t)(p->v.first[side + 1] - p->v.first[side]) * sizeof *to->owner);
  return to->entry && to->data && to->stretch && to->owner ? RIA_OK
                                                           : ria_gpu_no_memory(p, "the forcing");
}

/* The old goes. */
static void take_over(ria_gpu_planes *p, const ria_forcing_set *set, host_copy fresh,
                      const ria_gpu_view *v, void *device) {
  host_copy old = {(ria_forcing *)p->table.entry, (double *)p->table.data, p->stretch, p->owner};
  free_copy(&old);
  cudaFree(p->forcing);
  p->table = set->table;
  p->table.entry = fresh.entry;
  p->table.data = fresh.data;
  p->stretch = fresh.stretch;
  p->owner = fresh.owner;
  p->forcing = device;
  p->v = *v;
  p->ready = false;
}

ria_status ria_gpu_planes_force(void *self, const ria_forcing_set *set) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  ria_gpu_view v = p->v;
  host_copy fresh = {NULL, NULL, NULL, NULL};
  void *device = NULL;
  RIA_TRY(ria_gpu_enter(p));
  ria_status status = copy_forcing(p, set, &fresh);
  if (status == RIA_OK) status = send_forcing(p, set, fresh.owner, &v, &device);
  if (status == RIA_OK) status = fold_crossed(p);
  if (status == RIA_OK) status = grow_totals(p, set->boundary.n);
  if (status == RIA_OK) {
    take_over(p, set, fresh, &v, device);
    return RIA_OK;
  }
  free_copy(&fresh);
  cudaFree(device);
  return status;
}
