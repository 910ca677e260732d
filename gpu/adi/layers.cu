/* gpu/adi/layers.cu - layers in which the implicit solver's flow is drawn to a given one, on their
 * way to the device: they go with the forcing, and are replaced with it. */
#include "host.cuh"

#include <math.h>
#include <stdlib.h>

typedef struct adig_layer_lists {
  int n, most;             /* layers; cells of the largest one, that the device has */
  ria_relax *relax;        /* [n] with these cells, as elements */
  int32_t *face;           /* east and north of each layer's cells, one after the other */
  ria_gpu_layer *layer;    /* [n] */
  adig_layer_faces *faces; /* [n] */
  double deepest;
} adig_layer_lists;

static int element_of(const ria_relax *r, int k) {
  return r->cell[k] < 0 ? ~r->cell[k] : r->cell[k];
}

/* The number of the cell that is element `at`, or -1; from `from` to `end` - 1. */
static int number_among(const ria_relax *r, int from, int end, int at) {
  int lo = from, hi = end;
  while (lo < hi) {
    const int mid = lo + (hi - lo) / 2;
    if (element_of(r, mid) < at)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < end && element_of(r, lo) == at ? lo : -1;
}

/* Cells lie in the order of the grid: those of the northern end of a ring that the device has come
 * first, by elements beyond the others. Where these begin. */
static int second_run(const ria_relax *r) {
  int k = 1;
  while (k < r->n && element_of(r, k) > element_of(r, k - 1)) k++;
  return k < r->n ? k : r->n;
}
static int number_of(const ria_relax *r, int run, int at) {
  const int k = number_among(r, 0, run, at);
  return k >= 0 ? k : number_among(r, run, r->n, at);
}

/* The row, as the planes hold it, that is north of one. */
static int north_of(const adig *s, int held, water_rings rings) {
  const ptrdiff_t row = ria_gpu_row_in_memory(&s->p, held) + 1;
  if (ria_gpu_whole(&s->p) && rings.y && row == s->p.v.ny) return 0;
  return ria_gpu_held(&s->p, (int)row);
}

/* Rows lie further apart than they are long: a cell of the next row is to nobody's east. */
static void list_faces(const adig *s, const ria_relax *r, water_rings rings, int32_t *east,
                       int32_t *north) {
  const ria_gpu_view *v = &s->p.v;
  const int stride = (int)v->stride, first = (int)ria_gpu_at(v, 0, 0), run = second_run(r);
  for (int k = 0; k < r->n; k++) {
    const int at = element_of(r, k), i = (at - first) % stride, j = (at - first) / stride;
    east[k] = k + 1 < r->n && element_of(r, k + 1) == at + 1 ? k + 1 : -1;
    north[k] = number_of(r, run, first + north_of(s, j, rings) * stride + i);
    if (rings.x && i == v->nx - 1) east[k] = number_of(r, run, at - i);
  }
}

static ria_status list_all(adig *s, adig_layer_lists *q, const ria_forcing_set *set) {
  size_t cells = 0;
  q->n = set->n_relax;
  q->relax = ria_relax_copy(set->relax, set->n_relax);
  q->layer = (ria_gpu_layer *)calloc((size_t)q->n + 1, sizeof *q->layer);
  q->faces = (adig_layer_faces *)calloc((size_t)q->n + 1, sizeof *q->faces);
  if (!q->relax || !q->layer || !q->faces) return ria_gpu_no_memory(&s->p, "the forcing");
  for (int k = 0; k < q->n; k++) {
    ria_gpu_list_layer(&s->p, &q->relax[k], ria_gpu_at(&s->p.v, 0, 0), s->p.v.stride);
    q->most = q->relax[k].n > q->most ? q->relax[k].n : q->most;
    q->deepest = fmax(q->deepest, q->relax[k].depth);
    cells += (size_t)q->relax[k].n;
  }
  int32_t *face = q->face = (int32_t *)malloc((2 * cells + 1) * sizeof *q->face);
  if (!face) return ria_gpu_no_memory(&s->p, "the forcing");
  const water_rings rings = water_rings_of(&set->boundary, &s->p.grid);
  for (int k = 0; k < q->n; k++) {
    const ria_relax *r = &q->relax[k];
    list_faces(s, r, rings, face, face + r->n);
    face += 2 * r->n;
  }
  return RIA_OK;
}

ria_status adig_list_layers(adig *s, const ria_forcing_set *set) {
  s->layers = (adig_layer_lists *)calloc(1, sizeof *s->layers);
  return s->layers ? list_all(s, s->layers, set) : ria_gpu_no_memory(&s->p, "the forcing");
}

void adig_drop_layers(adig *s) {
  adig_layer_lists *q = s->layers;
  s->layers = NULL;
  if (!q) return;
  ria_relax_free(q->relax, q->relax ? q->n : 0);
  free(q->face);
  free(q->layer);
  free(q->faces);
  free(q);
}

void adig_put_layers(adig *s, ria_gpu_bundle *b) {
  const adig_layer_lists *q = s->layers;
  adig_beside *to = &s->beside;
  const int32_t *face = q->face;
  for (int k = 0; k < q->n; k++) {
    const size_t n = (size_t)q->relax[k].n;
    q->layer[k] = ria_gpu_put_layer(b, &q->relax[k], 1 + s->nt);
    q->faces[k].east = (const int32_t *)ria_gpu_put(b, face, n * sizeof *face);
    q->faces[k].north = (const int32_t *)ria_gpu_put(b, face + n, n * sizeof *face);
    face += 2 * n;
  }
  to->n_layers = q->n;
  to->layer_cells = q->most;
  to->deepest_layer = q->deepest;
  to->layer = (const ria_gpu_layer *)ria_gpu_put(b, q->layer, (size_t)q->n * sizeof *q->layer);
  to->faces = (const adig_layer_faces *)ria_gpu_put(b, q->faces, (size_t)q->n * sizeof *q->faces);
}
