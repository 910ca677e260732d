/* ria/planes.h - for solver authors: planes of cells, with memory, fields in and out, maxima,
 * forcing, sources, the account of the sides and totals.
 *
 * A solver whose state is planes of numbers begins its struct with a ria_planes and fills in the
 * callbacks. Those of its ria_solver_ops that it leaves NULL are then the functions below: `self`
 * is the solver and its planes at once. What is left to write is create, destroy, advance, progress
 * and the derived fields; examples/own_solver is a whole one.
 *
 *   typedef struct heat { ria_planes planes; void *u[2]; int now; double t; ... } heat;
 *
 *   ria_planes_init(&s->planes, setup, &callbacks, 1)    in create; ria_planes_free in destroy
 *
 * A plane has the rows j0 .. j1 - 1 of the part of the grid that is the solver's (j0 = 0, j1 = ny
 * unless it shares the grid with others) and g ghost rows on either side, as many as a step reads
 * (ghost_rows): it is [j1 - j0 + 2 g][stride] of the run's precision, and ria_plane_at says where
 * cell (i, j) of the grid is. Ghost cells (i = -1, nx; ghost rows) are the solver's, but for rows
 * of the grid: those hold what the neighbour has there. Rows begin on a cache line. Everything is
 * host memory; gpu/machine/planes.cuh is the same on a device.
 *
 * Loops run over the rows of the part; whether a row is at a side of the domain, and what lies
 * there, is asked of the grid. Cells of sides: ria_planes_side. */
#ifndef RIA_PLANES_H
#define RIA_PLANES_H
#include <limits.h>
#include <math.h>
#include <ria/kernel.h>
#include <ria/solver.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { RIA_PLANE_PAD = 16 };

/* What planes must know of the solver; self is the solver. */
typedef struct ria_plane_callbacks {
  /* The plane that holds a field as it is read and set; NULL: `value` works it out, and it cannot
   * be set by ria_planes_write. */
  void *(*plane)(const void *self, int field, int tracer);
  /* A field that is worked out, in a cell of the present state; NaN where it has no meaning. NULL
   * where every field is a plane. */
  double (*value)(const void *self, int field, int tracer, int i, int j);
  /* Why v is not a valid value of the field ("must not be negative"), or NULL. NULL = anything
   * finite. Infinity is refused before it is asked, and NaN too, except where it means dry. */
  const char *(*refuses)(int field, double v);
  bool (*nan_means_dry)(int field); /* NULL = for no field */
  /* A whole row of a field that is worked out, in the run's precision; false: take `value` cell by
   * cell. NULL = always. It gives the same bits as `value`, faster. */
  bool (*row)(const void *self, int field, int tracer, int j, void *dst);
  /* The plane whose sum times the area of a cell is a quantity; NULL: `density` works it out. NULL
   * itself = for all of them. */
  void *(*quantity)(const void *self, int quantity);
  double (*density)(const void *self, int quantity, int i, int j); /* per area; NULL as `value` */
  /* The planes of the present state that steps change and read in the rows beside a cell's, k = 0,
   * 1 ...; then NULL. NULL: the solver needs the whole grid. */
  void *(*shared)(const void *self, int k);
  /* How many rows on either side of the part the planes hold: as many as what is done between two
   * exchanges of rows reads beside a cell's. At least 1; NULL = 1. Asked by ria_planes_init, which
   * has set grid and part by then. */
  int (*ghost_rows)(const void *self);
  /* What a row stores of a quantity beside its cells, per area of a cell; NULL = nothing. */
  double (*beside)(const void *self, int quantity, int j);
  const ria_field_info *fields; /* the solver's table, for messages */
} ria_plane_callbacks;

/* `amount` >= 0 came in; negative: went out. */
RIA_KERNEL void ria_enter(ria_crossed *c, double amount) {
  if (amount > 0)
    c->in += amount;
  else
    c->out -= amount;
}

/* A field's value enters a weighted sum of it. */
RIA_KERNEL void ria_sum_enter(double *sum, double weight, double v) { *sum += weight * v; }
/* How many sums are gathered at once, at most. */
enum { RIA_GATHER = 32 };

/* The account of the sides. Side cells are numbered side after side, in the order of ria_side. */
typedef struct ria_account {
  int n_quantities;
  size_t cells;         /* on all sides */
  int32_t *owner;       /* [cells] stretch of each */
  ria_crossed *crossed; /* [cells][n_quantities] */
  int n;                /* stretches */
  double *in, *out;     /* [n][n_quantities] what crossed them until it was folded */
} ria_account;

/* Cells from <= k < to of a side. */
typedef struct ria_side_cells {
  int from, to;
} ria_side_cells;

/* The targets of a layer in a step: those that are the same in all cells, and ria_relax_part. */
typedef struct ria_relaxing {
  double value[RIA_RELAXED], part;
} ria_relaxing;

typedef struct ria_plane_track {
  int field, tracer;
  void *max; /* a plane */
} ria_plane_track;

typedef struct ria_planes {
  ria_context *ctx;
  const ria_backend *backend;
  const ria_plane_callbacks *call;
  int threads;    /* that pay for this grid */
  ria_grid grid;  /* the whole domain */
  ria_part part;  /* the solver's rows of it */
  int ghost_rows; /* that planes hold on either side of these */
  /* The rows at the southern and the northern end of the grid are neighbours: the solver sets it
   * in `force`. Ghost rows of a part that lie beyond an end are then rows of the other one. */
  bool ring;
  ria_real real;
  size_t real_size, stride, size; /* of a number; of a row and of a plane, in numbers */
  int n_quantities;
  bool ready; /* cleared by force, write and add: the solver sets it when it has prepared */

  ria_plane_track *track; /* [n_track] */
  int n_track;
  double **sum; /* [n_sums] weighted sums of fields: [j1 - j0][nx], without ghosts */
  int n_sums;
  /* [n_quantities][j1 - j0] since the start, the solver's: what each row was given by sources, and
   * lost to decay. ria_planes_row says where. */
  double *added, *decayed;
  ria_row_totals *row_totals; /* [n_quantities][j1 - j0] room */

  /* Forcing, copied whole. */
  ria_forcing_table table;
  ria_stretch *stretch; /* [n_stretch] */
  int n_stretch;
  ria_source *source; /* [n_sources] */
  int n_sources;
  double *source_owed;      /* by cell of a source, one source after another: see ria_source_give */
  size_t *source_first;     /* [n_sources] where a source's cells begin there */
  ria_forcing_piece *piece; /* [table.n] where each was last: ria_planes_value */
  ria_side_cells *reach;    /* [n_stretch] all cells of a stretch lie there on its side */
  ria_relax *relax;         /* [n_relax] */
  ria_relaxing *relaxing;   /* [n_relax] */
  int n_relax;
  ria_account account;
  /* Parts of it, by side: stretch at each cell [side length]; what crossed [side
   * length][n_quantities]. */
  int32_t *owner[RIA_SIDES];
  ria_crossed *crossed[RIA_SIDES];

  int waits;        /* for the other parts, the solver's word for why; 0: it does not */
  ria_meeting said; /* to them then */
} ria_planes;

/* Everything but planes. The callback `ghost_rows` may look at the solver's parameters: they are
 * there before. On failure nothing needs to be freed but p itself; it may be freed too.
 * RIA_ERR_ARGUMENT where the part is none of the grid, or not all of it and `shared` is missing. */
RIA_API ria_status ria_planes_init(ria_planes *p, const ria_solver_setup *setup,
                                   const ria_plane_callbacks *call, int n_quantities);
/* Of a zeroed one too. Planes from ria_plane_alloc are the solver's to free. */
RIA_API void ria_planes_free(ria_planes *p);
/* A zeroed plane. */
RIA_API ria_status ria_plane_alloc(ria_planes *p, void **out);
RIA_API void ria_plane_free(ria_planes *p, void *plane); /* NULL is nothing */

/* RIA_ERR_MEMORY: "out of memory for <what> of a 100 x 50 grid". */
RIA_API ria_status ria_planes_no_memory(const ria_planes *p, const char *what);

/* i, j: of the grid; rows of the part and its ghost rows. */
static inline size_t ria_plane_at(const ria_planes *p, int i, int j) {
  return (size_t)(j - p->part.j0 + p->ghost_rows) * p->stride + RIA_PLANE_PAD + (size_t)i;
}
static inline bool ria_planes_whole(const ria_planes *p) {
  return p->part.j1 - p->part.j0 == p->grid.ny;
}
/* Rows of the part. */
static inline int ria_planes_rows(const ria_planes *p) { return p->part.j1 - p->part.j0; }
/* Is row j the solver's? And is it in the planes, as a row of the grid? */
static inline bool ria_planes_own(const ria_planes *p, int j) {
  return j >= p->part.j0 && j < p->part.j1;
}
static inline bool ria_planes_have(const ria_planes *p, int j) {
  return j >= 0 && j < p->grid.ny && j >= p->part.j0 - p->ghost_rows &&
         j < p->part.j1 + p->ghost_rows;
}
/* Where row j of the grid lies in the planes: at j, or beyond an end of a `ring`; INT_MIN: it is
 * not there. */
static inline int ria_planes_place(const ria_planes *p, int j) {
  if (ria_planes_have(p, j)) return j;
  if (p->ring && j - p->grid.ny >= p->part.j0 - p->ghost_rows) return j - p->grid.ny;
  if (p->ring && j + p->grid.ny < p->part.j1 + p->ghost_rows) return j + p->grid.ny;
  return INT_MIN;
}
/* All rows that are in the planes. */
static inline ria_part ria_planes_had(const ria_planes *p) {
  const int south = p->part.j0 - p->ghost_rows, north = p->part.j1 + p->ghost_rows;
  const ria_part r = {south > 0 ? south : 0, north < p->grid.ny ? north : p->grid.ny};
  return r;
}
/* Row j of `added` or `decayed`. */
static inline double *ria_planes_row(const ria_planes *p, double *of, int quantity, int j) {
  return of + (size_t)quantity * (size_t)ria_planes_rows(p) + (size_t)(j - p->part.j0);
}
static inline double ria_plane_get(const ria_planes *p, const void *plane, size_t at) {
  return p->real == RIA_F32 ? (double)((const float *)plane)[at] : ((const double *)plane)[at];
}
static inline void ria_plane_put(const ria_planes *p, void *plane, size_t at, double v) {
  if (p->real == RIA_F32)
    ((float *)plane)[at] = (float)v;
  else
    ((double *)plane)[at] = v;
}
/* The k-th cell of a side, from south or west, of a grid of nx x ny cells. */
RIA_KERNEL void ria_side_cell_of(int nx, int ny, int side, int k, int *i, int *j) {
  *i = side == RIA_WEST ? 0 : side == RIA_EAST ? nx - 1 : k;
  *j = side == RIA_SOUTH ? 0 : side == RIA_NORTH ? ny - 1 : k;
}
static inline void ria_side_cell(const ria_grid *g, ria_side side, int k, int *i, int *j) {
  ria_side_cell_of(g->nx, g->ny, (int)side, k, i, j);
}
/* The cells of a side that are in the part. */
static inline ria_side_cells ria_planes_side(const ria_planes *p, ria_side side) {
  const bool here = side == RIA_SOUTH ? p->part.j0 == 0 : p->part.j1 == p->grid.ny;
  const ria_side_cells across = {0, here ? p->grid.nx : 0}, along = {p->part.j0, p->part.j1};
  return side == RIA_WEST || side == RIA_EAST ? along : across;
}
/* What crosses a side goes along x. */
RIA_KERNEL int ria_side_along_x(int side) { return side == RIA_WEST || side == RIA_EAST; }
/* Outwards is where the axis points. */
RIA_KERNEL int ria_side_is_upper(int side) { return side == RIA_EAST || side == RIA_NORTH; }
/* From an element on a side to that of the cell behind it, in a plane whose rows are `stride`
 * apart; 0 where there is no such cell. */
RIA_KERNEL int ria_side_inwards(int nx, int ny, int stride, int side) {
  const int step = !ria_side_along_x(side) ? (ny > 1 ? stride : 0) : nx > 1 ? 1 : 0;
  return ria_side_is_upper(side) ? -step : step;
}

/* --- ria_solver_ops --------------------------------------------------------------------------- */

RIA_API ria_status ria_planes_force(void *self, const ria_forcing_set *set);
RIA_API ria_status ria_planes_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                                   ria_real real, void *dst);
RIA_API ria_status ria_planes_write(void *self, int field, int tracer, const double *src);
RIA_API ria_status ria_planes_sample(void *self, int field, int tracer, int n, const int32_t *cell,
                                     double *out);
/* amount / area goes to the quantity's plane, which must be one. */
RIA_API ria_status ria_planes_add(void *self, int quantity, int n, const int32_t *cell,
                                  const double *amount);
RIA_API ria_status ria_planes_track(void *self, int field, int tracer);
RIA_API ria_status ria_planes_sums(void *self, int n);
RIA_API ria_status ria_planes_gather(void *self, int field, int tracer, int first, int n,
                                     const double *weight);
/* Rows are summed one by one and then in order, so neither threads nor parts show. */
RIA_API ria_status ria_planes_row_totals(void *self, ria_row_totals *rows);
RIA_API ria_status ria_planes_totals(void *self, ria_quantity_totals *totals);
/* Totals of a quantity from n rows of it. */
RIA_API ria_quantity_totals ria_sum_rows(const ria_grid *grid, const ria_row_totals *rows, int n);
/* Plane by plane, of each the ghost rows from the nearest on. */
RIA_API int ria_planes_shared_rows(void *self, ria_side side, int most, ria_shared_row *rows);
RIA_API ria_status ria_planes_fluxes(void *self, int n, double *in, double *out);
RIA_API ria_status ria_planes_crossed(void *self, ria_crossed *cells);
/* `said`, where it `waits`. The solver sets both where it cannot go on, and clears `waits` in its
 * operation hear. */
RIA_API bool ria_planes_say(void *self, ria_meeting *m);

/* --- for ria_solver_ops.state (ria/state.h) --------------------------------------------------- */

/* What planes know: what crossed and is owed, totals of stretches, sources, decay, maxima.
 * Restored, p is `ready`: what `prepare` works out is the solver's to work out again. First of all.
 */
RIA_API ria_status ria_planes_state(ria_planes *p, const ria_state_walk *walk);
/* data[n][j1 - j0]: numbers of each row of the part; n = 0: [j1 - j0]. */
RIA_API ria_status ria_planes_rows_state(ria_planes *p, const ria_state_walk *walk,
                                         const char *name, size_t n, double *data);
/* The cells of a plane, with so many columns and rows of ghost cells west and south of the grid:
 * [south + ny][west + nx]. Of a part: its rows and those beside it that the grid has. */
RIA_API ria_status ria_plane_state(ria_planes *p, const ria_state_walk *walk, const char *name,
                                   void *plane, int west, int south);
/* The same of a plane that need not be there, and "<name>.is_map": it is. Restoring makes it, or
 * frees it. */
RIA_API ria_status ria_plane_state_if(ria_planes *p, const ria_state_walk *walk, const char *name,
                                      void **plane);

/* --- for steps -------------------------------------------------------------------------------- */

/* As much of a span as can be stepped: one step where ghost rows must be filled then. */
static inline ria_span ria_planes_span(const ria_planes *p, const ria_span *span) {
  const int64_t most = ria_planes_whole(p) || span->max_steps < 1 ? span->max_steps : 1;
  const ria_span s = {span->t_stop, most, span->t_watch};
  return s;
}
/* Enter into the maxima what the present state has. After every step. */
RIA_API void ria_planes_keep_maxima(ria_planes *p);
/* The same of rows j0 .. j1 - 1 of one maximum, by the caller's thread alone. plane: what the field
 * is to be read from; NULL: it is worked out, of the present state. */
RIA_API void ria_planes_keep_rows(const ria_planes *p, const ria_plane_track *m, const void *plane,
                                  int j0, int j1);
/* amount / area goes to cells of `plane`, which then hold no less than those of `empty` (NULL: 0).
 * For an operation add of what cannot be negative. */
RIA_API void ria_planes_pour(ria_planes *p, void *plane, const void *empty, int n,
                             const int32_t *cell, const double *amount);
/* `amount` >= 0 came in at the k-th cell of a side; negative: went out. */
static inline void ria_planes_cross(ria_planes *p, ria_side side, int k, int quantity,
                                    double amount) {
  ria_enter(&p->crossed[side][(size_t)k * (size_t)p->n_quantities + (size_t)quantity], amount);
}
/* The first cell of a layer that is no less than `cell`; n: there is none. */
RIA_API int ria_relax_first(const ria_relax *r, int64_t cell);
/* `relaxing`, as it is at time t. By one thread. */
RIA_API void ria_planes_relax_at(ria_planes *p, double t);
/* What a forcing id is at time t: ria_forcing_at, to the bit. By one thread at a time. */
static inline double ria_planes_value(const ria_planes *p, int id, double t) {
  return ria_forcing_near(&p->table, id, t, &p->piece[id]);
}
/* What source k gives in [t, t + dt], all its cells together: ria_source_amount. */
static inline double ria_planes_given(const ria_planes *p, int k, double t, double dt) {
  const ria_source *s = &p->source[k];
  const ria_running r = ria_source_running(s->t_start, s->t_stop, t, dt);
  if (!(r.to > r.from)) return 0.0;
  return ria_running_gives(r, ria_planes_value(p, s->rate, ria_running_middle(r)));
}
/* What source k gives in [t, t + dt] goes to `plane`, whose cells hold no less than those of
 * `empty` (NULL: 0). Counts what was given, and keeps what was too little for a cell. Ghost rows
 * get what the neighbour gives there. False: it does not run then. */
RIA_API bool ria_planes_give(ria_planes *p, int k, double t, double dt, void *plane,
                             const void *empty);

/* --- for other backends ----------------------------------------------------------------------- */

/* RIA_ERR_ARGUMENT, with the first cell, where a value [ny][nx] is none that the field can have. */
RIA_API ria_status ria_planes_check(ria_context *ctx, const ria_grid *grid, int threads,
                                    const ria_plane_callbacks *call, int field, const double *src);
/* What the host keeps of a forcing. False: out of memory, and to be freed all the same. */
RIA_API bool ria_planes_copy_forcing(const ria_forcing_set *set, ria_forcing_table *table,
                                     ria_stretch **stretch);
RIA_API void ria_planes_free_forcing(ria_forcing_table *table, ria_stretch **stretch);
/* NULL: out of memory. */
RIA_API ria_relax *ria_relax_copy(const ria_relax *from, int n);
RIA_API void ria_relax_free(ria_relax *relax, int n); /* copies; NULL with n = 0 is nothing */
/* owner[cells on all sides], as ria_account has it. */
RIA_API void ria_boundary_owners(const ria_boundary_set *set, const ria_grid *grid, int32_t *owner);
/* Zeros. False: out of memory, and to be freed all the same. */
RIA_API bool ria_account_init(ria_account *a, const ria_grid *grid, int n_quantities);
RIA_API void ria_account_free(ria_account *a);
/* Add the counts of side cells to the totals of their stretches; `owed` stays with its cell. */
RIA_API void ria_account_fold(ria_account *a);
/* Room for n stretches: totals keep their values, new ones are zero. False: out of memory. */
RIA_API bool ria_account_grow(ria_account *a, int n);
/* `fluxes` of ria_solver_ops. It does not fold: when totals are asked for must not show in their
 * last digits. */
RIA_API void ria_account_read(const ria_account *a, int n, double *in, double *out);
/* Parts of ria_planes_state. */
RIA_API ria_status ria_account_state(ria_context *ctx, const ria_grid *grid,
                                     const ria_state_walk *walk, ria_account *a);
RIA_API void ria_maximum_name(int field, int tracer, char name[32]);
RIA_API ria_state_type ria_state_type_of(ria_real real);
/* Neumaier's compensated sum: of many small numbers, without what adding them one by one loses. */
typedef struct ria_sum {
  double sum, lost;
} ria_sum;
static inline void ria_sum_add(ria_sum *s, double v) {
  const double next = s->sum + v;
  s->lost += fabs(s->sum) >= fabs(v) ? (s->sum - next) + v : (v - next) + s->sum;
  s->sum = next;
}
/* The same of v[n], in order. */
RIA_API double ria_ordered_sum(const double *v, size_t n);

#ifdef __cplusplus
}
#endif
#endif
