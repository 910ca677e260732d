/* gpu/machine/layers.cu - layers in which the flow is drawn to a given one, on their way to a GPU.
 */
#include "layers.cuh"

void ria_gpu_list_layer(const ria_gpu_planes *p, ria_relax *r, size_t origin, size_t stride) {
  int32_t *cell = (int32_t *)r->cell;
  double *rate = (double *)r->rate;
  int n = 0;
  for (int k = 0; k < r->n; k++) {
    const int i = cell[k] % p->grid.nx, j = ria_gpu_place(p, cell[k] / p->grid.nx);
    if (j < 0) continue;
    const int32_t at = (int32_t)(origin + (size_t)j * stride + (size_t)i);
    cell[n] = j >= p->begin && j < p->end ? at : ~at;
    rate[n] = rate[k];
    for (int t = 0; t < RIA_RELAXED; t++)
      for (int later = 0; later < 2; later++) {
        double *value = (double *)ria_relaxed_of(r, t)->at[later];
        if (value) value[n] = value[k];
      }
    n++;
  }
  r->n = n;
}

ria_gpu_layer ria_gpu_put_layer(ria_gpu_bundle *b, const ria_relax *r, int n_quantities) {
  const size_t n = (size_t)r->n, given = (size_t)RIA_GPU_LAYER_BLOCKS * (size_t)n_quantities;
  ria_gpu_layer l = {};
  l.n = r->n;
  l.t0 = r->t0;
  l.t1 = r->t1;
  l.at = (const int32_t *)ria_gpu_put(b, r->cell, n * sizeof *l.at);
  l.rate = (const double *)ria_gpu_put(b, r->rate, n * sizeof *l.rate);
  for (int t = 0; t < RIA_RELAXED; t++) {
    const ria_relaxed *from = ria_relaxed_of((ria_relax *)r, t);
    l.target[t] = *from;
    for (int later = 0; later < 2 && from->at[0]; later++)
      l.target[t].at[later] = (const double *)ria_gpu_put(b, from->at[later], n * sizeof *l.rate);
  }
  l.given = (double *)ria_gpu_put(b, NULL, given * sizeof *l.given);
  l.arrived = (int *)ria_gpu_put(b, NULL, sizeof *l.arrived);
  return l;
}
