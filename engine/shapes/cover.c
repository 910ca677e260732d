/* shapes/cover.c - which part of each cell lies in shapes: a sweep over all polygons at once.
 *
 * Rows of cells are taken one by one and cut, by level lines through all corners of polygons and
 * all crossings of edges, into slabs. Within a slab edges do not cross: sorted from west to east
 * they bound trapezoids, each of which is in the same polygons all over. It goes to the last shape
 * that it is in. cover_row.c sums trapezoids up to cells. */
#include "shapes/cover.h"
#include "shapes/cover_row.h"

#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 40 };                /* cuts of a slab within each other, by crossings */
static const double THINNEST = 1e-13; /* slab, in cells: not cut any more */

/* An edge in a slab: where it is at its bottom and top. */
typedef struct side {
  ria_cover_side u;
  const ria_edge *edge;
} side;

typedef struct sweep {
  ria_context *ctx;
  const ria_edge *edge; /* [n] by v0 */
  size_t n, next;       /* next: the first that was not reached */
  const size_t *owner;
  const ria_edge **active;
  side *sides;            /* [n_active] of the slab */
  size_t n_active, n_new; /* n_new: that came in since they were sorted */
  double *cut;            /* of the row */
  size_t n_cuts;
  bool *odd;             /* [polygons] an odd number of its edges lies west */
  int *inside, n_inside; /* the polygons for which that is so */
  const int64_t *number; /* [shapes] of their values */
  const double *value;   /* [shapes] */
  ria_cover_row row;
} sweep;

static int compare_edges(const void *a, const void *b) {
  const double p = ((const ria_edge *)a)->v0, q = ((const ria_edge *)b)->v0;
  return (p > q) - (p < q);
}

static int compare_doubles(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

static int compare_sides(const void *a, const void *b) {
  const side *s = a, *t = b;
  const double p = s->u.low + s->u.high, q = t->u.low + t->u.high;
  if (p != q) return p > q ? 1 : -1;
  return (s->edge > t->edge) - (s->edge < t->edge);
}

static double u_at(const ria_edge *e, double v) {
  if (v <= e->v0) return e->u0;
  if (v >= e->v1) return e->u1;
  return e->u0 + (e->u1 - e->u0) * ((v - e->v0) / (e->v1 - e->v0));
}

/* --- one slab --------------------------------------------------------------------------------- */

/* The shape on top of what the sweep is inside of; SIZE_MAX = none. */
static size_t top_shape(const sweep *s) {
  size_t top = SIZE_MAX;
  for (int k = 0; k < s->n_inside; k++) {
    const size_t owner = s->owner[s->inside[k]];
    if (top == SIZE_MAX || owner > top) top = owner;
  }
  return top;
}

static void pass(sweep *s, int polygon) {
  s->odd[polygon] = !s->odd[polygon];
  if (s->odd[polygon]) {
    s->inside[s->n_inside++] = polygon;
    return;
  }
  int k = 0;
  while (s->inside[k] != polygon) k++;
  s->inside[k] = s->inside[--s->n_inside];
}

static void fill_slab(sweep *s, double height) {
  size_t top = SIZE_MAX;
  const side *left = NULL;
  for (size_t k = 0; k < s->n_active; k++) {
    const side *here = &s->sides[k];
    pass(s, here->edge->polygon);
    const size_t now = top_shape(s);
    if (now == top) continue;
    if (top != SIZE_MAX)
      ria_cover_add(&s->row, &left->u, &here->u, height, s->number[top], s->value[top]);
    top = now;
    left = here;
  }
}

/* Do two neighbours cross within the slab, by more than round-off? Then where, 0 to 1. */
static bool crosses(const side *p, const side *q, double *t) {
  const double below = q->u.low - p->u.low, above = q->u.high - p->u.high;
  const double nothing = 1e-14 * (1000.0 + fabs(p->u.low) + fabs(p->u.high));
  if (below >= -nothing && above >= -nothing) return false;
  *t = below / (below - above);
  return *t > 0.0 && *t < 1.0;
}

/* Of the crossings of neighbours the one nearest to the middle; NAN where there is none. */
static double find_crossing(const sweep *s, double from, double to) {
  double best = NAN, t;
  for (size_t k = 0; k + 1 < s->n_active; k++) {
    if (!crosses(&s->sides[k], &s->sides[k + 1], &t)) continue;
    if (isnan(best) || fabs(t - 0.5) < fabs(best - 0.5)) best = t;
  }
  return from + best * (to - from);
}

/* From one slab to the next few edges change places. */
static void sort_sides(sweep *s) {
  enum { FEW = 16 };
  if (s->n_new > FEW) qsort(s->sides, s->n_active, sizeof *s->sides, compare_sides);
  for (size_t k = 1; k < s->n_active && s->n_new <= FEW; k++) {
    const side moved = s->sides[k];
    size_t to = k;
    for (; to > 0 && compare_sides(&s->sides[to - 1], &moved) > 0; to--)
      s->sides[to] = s->sides[to - 1];
    s->sides[to] = moved;
  }
  for (size_t k = 0; k < s->n_active; k++) s->active[k] = s->sides[k].edge;
  s->n_new = 0;
}

/* An interrupted one is left as it is: its row is given up. */
static void sweep_slab(sweep *s, double from, double to, int depth) {
  if (ria_go_on(s->ctx) != RIA_OK) return;
  for (size_t k = 0; k < s->n_active; k++) {
    const ria_edge *e = s->active[k];
    s->sides[k] = (side){{u_at(e, from), u_at(e, to)}, e};
  }
  sort_sides(s);
  const double v = depth < DEEPEST && to - from > THINNEST ? find_crossing(s, from, to) : NAN;
  if (v > from && v < to) {
    sweep_slab(s, from, v, depth + 1);
    sweep_slab(s, v, to, depth + 1);
  } else {
    fill_slab(s, to - from);
  }
}

/* --- one row ---------------------------------------------------------------------------------- */

/* Edges that end at v or below it are done; those that begin there come in. */
static void reach(sweep *s, double v) {
  size_t kept = 0;
  for (size_t k = 0; k < s->n_active; k++)
    if (s->active[k]->v1 > v) s->active[kept++] = s->active[k];
  s->n_active = kept;
  for (; s->next < s->n && s->edge[s->next].v0 <= v; s->next++)
    if (s->edge[s->next].v1 > v) {
      s->active[s->n_active++] = &s->edge[s->next];
      s->n_new++;
    }
}

static void note_cut(sweep *s, double v, double low, double high) {
  if (v > low && v < high) s->cut[s->n_cuts++] = v;
}

static void find_cuts(sweep *s, double low, double high) {
  s->n_cuts = 0;
  for (size_t k = 0; k < s->n_active; k++) note_cut(s, s->active[k]->v1, low, high);
  for (size_t k = s->next; k < s->n && s->edge[k].v0 < high; k++) {
    note_cut(s, s->edge[k].v0, low, high);
    note_cut(s, s->edge[k].v1, low, high);
  }
  qsort(s->cut, s->n_cuts, sizeof *s->cut, compare_doubles);
}

static ria_status sweep_row(sweep *s, int j) {
  const double low = j, high = j + 1.0;
  double from = low;
  reach(s, low);
  find_cuts(s, low, high);
  for (size_t k = 0; k <= s->n_cuts; k++) {
    const double to = k < s->n_cuts ? s->cut[k] : high;
    if (to <= from) continue;
    RIA_TRY(ria_go_on(s->ctx));
    reach(s, from);
    if (s->n_active) sweep_slab(s, from, to, 0);
    from = to;
  }
  return ria_go_on(s->ctx);
}

/* --- all of it -------------------------------------------------------------------------------- */

static void free_sweep(sweep *s) {
  free(s->active);
  free(s->sides);
  free(s->cut);
  free(s->odd);
  free(s->inside);
  free(s->row.cell);
}

static ria_status start_sweep(ria_context *ctx, const ria_edges *e, sweep *s) {
  const size_t n = e->n + 1, polygons = e->n_polygons + 1, nx = (size_t)e->grid->nx + 1;
  if (e->n) qsort(e->edge, e->n, sizeof *e->edge, compare_edges);
  s->edge = e->edge;
  s->n = e->n;
  s->owner = e->owner;
  s->active = malloc(n * sizeof *s->active);
  s->sides = malloc(n * sizeof *s->sides);
  s->cut = malloc(2 * n * sizeof *s->cut);
  s->odd = calloc(polygons, sizeof *s->odd);
  s->inside = malloc(polygons * sizeof *s->inside);
  s->row = (ria_cover_row){.nx = e->grid->nx, .cell = calloc(nx, sizeof *s->row.cell)};
  if (s->active && s->sides && s->cut && s->odd && s->inside && s->row.cell) return RIA_OK;
  return ria_fail_memory(ctx, "edges of shapes", n * 64);
}

typedef struct numbered {
  double value;
  size_t shape;
} numbered;

static int compare_values(const void *a, const void *b) {
  const double p = ((const numbered *)a)->value, q = ((const numbered *)b)->value;
  return (p > q) - (p < q);
}

/* Equal values get equal numbers: number[n] of shapes, distinct[] by number. */
static ria_status number_values(ria_context *ctx, const double *value, size_t n, int64_t *number,
                                double *distinct) {
  numbered *list = malloc((n + 1) * sizeof *list);
  if (!list) return ria_fail_memory(ctx, "values of shapes", n * sizeof *list);
  size_t taken = 0;
  int64_t count = 0;
  for (size_t k = 0; k < n; k++)
    if (!isnan(value[k])) list[taken++] = (numbered){value[k], k};
  qsort(list, taken, sizeof *list, compare_values);
  for (size_t k = 0; k < taken; k++) {
    if (k == 0 || list[k].value != list[k - 1].value) distinct[count++] = list[k].value;
    number[list[k].shape] = count - 1;
  }
  free(list);
  return RIA_OK;
}

static ria_status add_edges(ria_context *ctx, const ria_shapes *s, double width,
                            const double *value, ria_edges *e) {
  for (size_t k = 0; k < ria_shapes_count(s); k++) {
    const ria_shape *shape = ria_shapes_at(s, k);
    if (isnan(value[k])) continue;
    if (shape->kind == RIA_LINES && !(width > 0.0))
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: shares of cells under lines need a width",
                      ria_shapes_path(s));
    RIA_TRY(ria_edges_add(e, shape, k, width));
  }
  return RIA_OK;
}

static ria_status cover(ria_context *ctx, const ria_edges *e, sweep *s, const double *distinct,
                        double *share, double *mean) {
  RIA_TRY(start_sweep(ctx, e, s));
  for (int j = 0; j < e->grid->ny; j++) {
    const size_t at = (size_t)j * (size_t)e->grid->nx;
    RIA_TRY(sweep_row(s, j));
    ria_cover_finish(&s->row, distinct, share + at, mean ? mean + at : NULL);
  }
  return RIA_OK;
}

ria_status ria_shapes_cover(ria_context *ctx, const ria_shapes *shapes, const ria_grid *grid,
                            double width, const double *value, double *share, double *mean) {
  const size_t n = ria_shapes_count(shapes);
  ria_edges e = {.ctx = ctx, .grid = grid};
  RIA_TRY(ria_grid_check(ctx, grid));
  double *used = calloc(2 * n + 1, sizeof *used), *distinct = used + n;
  int64_t *number = calloc(n + 1, sizeof *number);
  sweep s = {.ctx = ctx, .value = used, .number = number};
  ria_status status = used && number ? RIA_OK : ria_fail_memory(ctx, "values of shapes", 24 * n);
  if (status == RIA_OK && value) memcpy(used, value, n * sizeof *used);
  if (status == RIA_OK) status = number_values(ctx, used, n, number, distinct);
  if (status == RIA_OK) status = add_edges(ctx, shapes, width, used, &e);
  if (status == RIA_OK) status = cover(ctx, &e, &s, distinct, share, value ? mean : NULL);
  free_sweep(&s);
  ria_edges_free(&e);
  free(used);
  free(number);
  return status;
}
