/* gpu/machine/planes_forcing.cu - the forcing of planes of cells on its way to a GPU, and the
 * account of the sides.
 *
 * The engine hands over all forcing whenever any of it changes. It lies in one allocation on the
 * device, with what the solver has beside it; all of the new is there before any of the old goes.
 */
#include "planes.cuh"

#include <stdlib.h>
#include <string.h>

static size_t crossed_bytes(const ria_gpu_planes *p) {
  return p->account.cells * (size_t)p->v.n_quantities * sizeof *p->v.crossed;
}

/* --- to the device ---------------------------------------------------------------------------- */

void *ria_gpu_put(ria_gpu_bundle *b, const void *from, size_t bytes) {
  const size_t at = b->used;
  b->used += (bytes + 15) / 16 * 16;
  if (!b->host) return NULL;
  if (from && bytes) memcpy(b->host + at, from, bytes);
  return b->device + at;
}

ria_gpu_followed ria_gpu_put_followed(ria_gpu_bundle *b, const ria_forcing_table *table,
                                      const int32_t *id, int n) {
  const size_t all = (size_t)n;
  ria_gpu_followed f = {};
  f.n = n;
  f.id = (const int32_t *)ria_gpu_put(b, id, all * sizeof *f.id);
  f.form = (const double *)ria_gpu_put(b, NULL, RIA_GPU_FORMS * all * sizeof *f.form);
  f.knot = (double *)ria_gpu_put(b, NULL, 4 * all * sizeof *f.knot);
  f.known = (int32_t *)ria_gpu_put(b, NULL, all * sizeof *f.known);
  if (!b->host) return f;
  double *form = (double *)ria_gpu_on_host(b, f.form);
  for (size_t k = 0; k < all; k++) {
    const ria_forcing *from = &table->entry[id[k]];
    form[RIA_GPU_BASE * all + k] = from->base;
    form[RIA_GPU_SCALE * all + k] = from->scale;
    form[RIA_GPU_RAMP * all + k] = from->ramp;
  }
  return f;
}

static void put_cells(const ria_gpu_planes *p, ria_gpu_bundle *b, const ria_forcing_set *set,
                      size_t n, ria_gpu_view *v) {
  v->source_cell = (const int32_t *)ria_gpu_put(b, NULL, n * sizeof *v->source_cell);
  v->source_weight = (const double *)ria_gpu_put(b, NULL, n * sizeof *v->source_weight);
  v->source_owed = (double *)ria_gpu_put(b, NULL, n * sizeof *v->source_owed);
  if (!b->host) return;
  int32_t *cell = (int32_t *)ria_gpu_on_host(b, v->source_cell);
  double *weight = (double *)ria_gpu_on_host(b, v->source_weight);
  for (int m = 0; m < set->n_sources; m++) {
    const ria_source *s = &set->sources[m];
    for (int e = 0; e < s->n; e++) {
      const int nx = p->grid.nx, row = ria_gpu_place(p, s->cell[e] / nx);
      cell[e] = row < 0 ? -1 : row * nx + s->cell[e] % nx;
    }
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
  if (!p->call->lists_cells) put_cells(p, b, set, (size_t)n, v);
}

/* Points of a value lie together, and their tides may share speeds: a set of these begins where the
 * tide before had others. Returned is how many speeds there are; point, speed: [n], or NULL. */
static int list_points(const ria_forcing_set *set, ria_gpu_point *point, double *speed) {
  const ria_forcing_table *t = &set->table;
  int n = 0, had = -1, first = 0; /* of the set: where its speeds are, in the data and here */
  for (int k = 0; k < set->boundary.n_points; k++) {
    const int id = set->boundary.point[k].id;
    const ria_forcing f = t->entry[id];
    if (f.kind == RIA_FORCING_TIDES && (int)t->data[f.first] != had) {
      had = (int)t->data[f.first];
      first = n;
      if (speed) memcpy(speed + n, t->data + had, (size_t)f.count * sizeof *speed);
      n += f.count;
    }
    if (point) point[k] = {f, id, first};
  }
  return n;
}

static void put_points(ria_gpu_bundle *b, const ria_forcing_set *set, ria_gpu_points *v) {
  const ria_boundary_set *sides = &set->boundary;
  if (sides->n_points == 0) return;
  v->n = sides->n_points;
  v->n_turned = list_points(set, NULL, NULL);
  const size_t n = (size_t)v->n, turned = (size_t)v->n_turned;
  v->point = (const ria_gpu_point *)ria_gpu_put(b, NULL, n * sizeof *v->point);
  v->speed = (const double *)ria_gpu_put(b, NULL, turned * sizeof *v->speed);
  v->turned = (ria_turned *)ria_gpu_put(b, NULL, RIA_GPU_MOMENTS * turned * sizeof *v->turned);
  v->given = (const uint8_t *)ria_gpu_put(b, NULL, (size_t)sides->n);
  if (!b->host) return;
  list_points(set, (ria_gpu_point *)ria_gpu_on_host(b, v->point),
              (double *)ria_gpu_on_host(b, v->speed));
  uint8_t *given = (uint8_t *)ria_gpu_on_host(b, v->given);
  for (int k = 0; k < sides->n_points; k++)
    given[sides->point[k].stretch] |= (uint8_t)(1u << sides->point[k].value);
}

/* Everything of a set that kernels read. */
static void put_forcing(ria_gpu_planes *p, ria_gpu_bundle *b, const ria_forcing_set *set,
                        ria_gpu_view *v) {
  const ria_forcing_table *t = &set->table;
  const ria_boundary_set *sides = &set->boundary;
  v->table.n = t->n;
  v->table.n_data = t->n_data;
  v->table.entry = (const ria_forcing *)ria_gpu_put(b, t->entry, (size_t)t->n * sizeof *t->entry);
  v->table.data = (const double *)ria_gpu_put(b, t->data, (size_t)t->n_data * sizeof *t->data);
  v->n_stretch = sides->n;
  v->stretch = (const ria_stretch *)ria_gpu_put(b, sides->stretch,
                                                (size_t)sides->n * sizeof *sides->stretch);
  v->owner = (const int32_t *)ria_gpu_put(b, NULL, p->account.cells * sizeof *v->owner);
  if (b->host) ria_boundary_owners(sides, &p->grid, (int32_t *)ria_gpu_on_host(b, v->owner));
  put_sources(p, b, set, v);
  v->points = {};
  put_points(b, set, &v->points);
  if (p->call->put) p->call->put(p, b, set, v);
}

/* *device is fresh memory, v's addresses are in it. */
static ria_status send_forcing(ria_gpu_planes *p, const ria_forcing_set *set, ria_gpu_view *v,
                               void **device) {
  ria_gpu_bundle size = {NULL, NULL, 0};
  put_forcing(p, &size, set, v);
  RIA_TRY(ria_cuda_alloc(p->ctx, size.used, "the forcing", device));
  ria_gpu_bundle full = {(char *)calloc(size.used, 1), (char *)*device, 0};
  cudaError_t e = cudaSuccess;
  if (full.host) {
    put_forcing(p, &full, set, v);
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
           ria_gpu_to_host(p, p->account.crossed, p->v.crossed, crossed_bytes(p)));
  return RIA_OK;
}

static ria_status fold_crossed(ria_gpu_planes *p) {
  if (p->account.n == 0) return RIA_OK;
  RIA_TRY(get_crossed(p));
  ria_account_fold(&p->account);
  RIA_CUDA(p->ctx, "setting the boundary",
           ria_gpu_to_device(p, p->v.crossed, p->account.crossed, crossed_bytes(p)));
  return ria_gpu_planes_wait(p);
}

ria_status ria_gpu_planes_fluxes(void *self, int n, double *in, double *out) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  RIA_TRY(ria_gpu_enter_present(p));
  RIA_TRY(get_crossed(p));
  ria_account_read(&p->account, n, in, out);
  return RIA_OK;
}

ria_status ria_gpu_planes_crossed(void *self, ria_crossed *cells) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  const size_t nq = (size_t)p->v.n_quantities;
  RIA_TRY(ria_gpu_enter_present(p));
  RIA_TRY(get_crossed(p));
  for (int side = 0; side < RIA_SIDES; side++) {
    const ria_side_cells own = ria_gpu_side(p, side);
    const size_t first = (size_t)p->v.first[side];
    for (size_t k = (first + own.from) * nq; k < (first + own.to) * nq; k++) {
      cells[k].in = p->account.crossed[k].in;
      cells[k].out = p->account.crossed[k].out;
    }
  }
  return RIA_OK;
}

/* --- replacing it ----------------------------------------------------------------------------- */

/* In which row of the grid each cell of the sources lies; NULL: there is no memory. */
static int32_t *rows_of_sources(const ria_gpu_planes *p, const ria_forcing_set *set, size_t *n) {
  size_t all = 0;
  for (int m = 0; m < set->n_sources; m++) all += (size_t)set->sources[m].n;
  int32_t *row = (int32_t *)malloc((all + 1) * sizeof *row);
  *n = 0;
  for (int m = 0; row && m < set->n_sources; m++)
    for (int e = 0; e < set->sources[m].n; e++) row[(*n)++] = set->sources[m].cell[e] / p->grid.nx;
  return row;
}

ria_status ria_gpu_planes_force(void *self, const ria_forcing_set *set) {
  ria_gpu_planes *p = (ria_gpu_planes *)self;
  ria_gpu_view v = p->v;
  ria_forcing_table table = {};
  ria_stretch *stretch = NULL;
  void *device = NULL;
  size_t n = 0;
  RIA_TRY(ria_gpu_enter(p));
  int32_t *row = rows_of_sources(p, set, &n);
  ria_status status = row && ria_planes_copy_forcing(set, &table, &stretch)
                          ? send_forcing(p, set, &v, &device)
                          : ria_gpu_no_memory(p, "the forcing");
  if (status == RIA_OK) status = fold_crossed(p);
  if (status == RIA_OK && !ria_account_grow(&p->account, set->boundary.n))
    status = ria_gpu_no_memory(p, "the boundaries");
  if (status != RIA_OK) {
    ria_planes_free_forcing(&table, &stretch);
    cudaFree(device);
    free(row);
    return status;
  }
  ria_planes_free_forcing(&p->table, &p->stretch);
  cudaFree(p->forcing);
  free(p->source_row);
  p->source_row = row;
  p->n_source_cells = n;
  p->table = table;
  p->stretch = stretch;
  ria_boundary_owners(&set->boundary, &p->grid, p->account.owner);
  p->forcing = device;
  p->v = v;
  p->ready = false;
  return RIA_OK;
}
