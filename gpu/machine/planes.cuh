/* gpu/machine/planes.cuh - what solvers on planes of cells share on a GPU: ria/planes.h for the
 * device.
 *
 * A solver's struct begins with a ria_gpu_planes, and ria_gpu_planes_ops fills in what its
 * ria_solver_ops leave NULL, so that its step and its derived fields are left to write:
 *
 *   struct heat { ria_gpu_planes p; void *u[2]; int now; double t; };
 *   const ria_solver_ops ria_heat_cuda = ria_gpu_planes_ops({.create = create, ...});
 *
 * A plane is [ny + 2][stride] on the device, of the run's precision; cell (i, j) is element
 * (j + 1) * stride + RIA_GPU_PAD + i. Rows begin on 128 bytes. Ghost cells are the solver's; they
 * and the padding may be read without harm.
 *
 * Of a part of a grid (ria_solver_setup.part) the device has the part's rows and those beside it
 * that steps read, cut to the domain: view.ny rows, of which `begin` to `end` - 1 are the part's.
 * Kernels count rows and cells among these: row j of theirs is row `base` + j of the grid. What
 * the engine says and hears is of the whole grid, and is translated here: fields, cells, sides,
 * totals. A solver that takes parts has the callbacks ghost_rows and shared.
 *
 * Behind these rows a part's planes have twice as many more as lie beside it on one side. Where the
 * south and the north are periodic (`ring`) they are those beyond the ends of the grid: first the
 * rows north of its last one, from south to north, then those south of its first one, so that row
 * -1 is the very last (ria_gpu_held). A solver may have these before the device's first row instead
 * (rows_in_order): they are counted as before, but in memory row -1 lies where it is beside row 0.
 *
 * Steps are queued on p.stream; whatever reads waits for them there, `fetch` does not make the host
 * wait. Launches are asynchronous: a solver whose host knows dt queues a whole span and returns,
 * and needs no graph while a kernel lasts longer than a launch (3 us). Kernels take a ria_gpu_view
 * by value; it holds addresses that `force` and `track` replace, so take it again for every span.
 */
#ifndef RIA_GPU_PLANES_CUH
#define RIA_GPU_PLANES_CUH
#include "output.cuh"
#include <ria/planes.h>

enum { RIA_GPU_PAD = 32 };

typedef struct alignas(16) ria_gpu_source {
  int32_t quantity, rate, first, n; /* cells first .. first + n - 1 of the lists */
  double t_start, t_stop;
} ria_gpu_source;

/* A value of a boundary at a point along it: its forcing, and of a tide that shares its speeds
 * where in `turned` its constituents are. */
typedef struct ria_gpu_point {
  ria_forcing forcing;
  int32_t id, turned;
} ria_gpu_point;

/* Those of all boundaries, in the order of ria_boundary_set.point: points.cuh evaluates them. */
enum { RIA_GPU_MOMENTS = 2 };
typedef struct ria_gpu_points {
  const ria_gpu_point *point; /* [n] */
  const double *speed;        /* [n_turned] of sets of constituents, rad/s */
  ria_turned *turned;         /* [RIA_GPU_MOMENTS][n_turned], written by kernels */
  const uint8_t *given;       /* [n_stretch] bit i: its value i is given at points */
  int n, n_turned;
} ria_gpu_points;

/* A cell of a source, as a thread takes it: the cells of all sources lie by quantity, then by cell,
 * then by source, so that whatever comes to a cell comes by one thread and in order. Each quantity
 * is filled up to a multiple of 32. */
typedef struct alignas(16) ria_gpu_source_cell {
  int32_t at;       /* j * nx + i, or the solver's own; -1: fills up */
  int32_t tile;     /* for a solver; -1 */
  int32_t source;   /* its number */
  int32_t place;    /* among the cells of all sources, one source after another: source_owed */
  int32_t more;     /* how many of the next ones are the same cell's; -1: so is the one before */
  int32_t quantity; /* the source's */
  double weight;
} ria_gpu_source_cell;

/* Over how many lanes of a warp the n cells of a stretch lie beside those of others, a power of
 * two; more than 32 cells have whole warps. */
static inline int ria_gpu_lanes_of(int n) {
  int lanes = 1;
  while (lanes < n && lanes < 32) lanes *= 2;
  return lanes;
}

/* Values in time that threads follow, each its own: values.cuh. What all of them read lies number
 * beside number, so that threads side by side read side by side. */
enum { RIA_GPU_BASE, RIA_GPU_SCALE, RIA_GPU_RAMP, RIA_GPU_FORMS }; /* of ria_forcing */
typedef struct ria_gpu_followed {
  const int32_t *id;  /* [n] of the table */
  const double *form; /* [RIA_GPU_FORMS][n] */
  double *knot;       /* [4][n] of the piece of a series that it was in last: t, v, t, v */
  int32_t *known;     /* [n] what is known of that piece; 0: nothing */
  int n;
} ria_gpu_followed;

/* Numbers of the run's precision on the device: that of cell (i, j) is first[j * row + i * step].
 * So one component of a plane of vectors can be named as well as a plane. first NULL: none. */
typedef struct ria_gpu_cells {
  void *first;
  size_t row, step;
} ria_gpu_cells;

/* A field as it is asked for: rows j0 .. j0 + nj - 1 of the grid in numbers of `real`. coarse > 1:
 * the means of those of coarse x coarse cells that have a value; rows are then those of means. */
typedef struct ria_gpu_wanted {
  int field, tracer;
  const ria_plane_track *maximum; /* instead of the present state, or NULL */
  int coarse, j0, nj;
  ria_real real;
  int base; /* the grid's row that is the device's first */
} ria_gpu_wanted;

/* An array of rows on the device: `bytes` at the beginning of each pass between parts. */
typedef struct ria_gpu_array {
  void *first; /* of row 0 of the device; NULL: there is no such array */
  size_t row, bytes;
} ria_gpu_array;

/* Several arrays in one allocation on the device: measured first, then filled in the same order. */
typedef struct ria_gpu_bundle {
  char *host, *device; /* NULL while measuring */
  size_t used;
} ria_gpu_bundle;

/* The next array of a bundle, on the device (NULL while measuring); from NULL: zeros. */
void *ria_gpu_put(ria_gpu_bundle *b, const void *from, size_t bytes);
/* Values of a set to be followed, by forcing ids [n]. */
ria_gpu_followed ria_gpu_put_followed(ria_gpu_bundle *b, const ria_forcing_table *table,
                                      const int32_t *id, int n);
/* Where it can be filled by the host, if it is not being measured. */
static inline void *ria_gpu_on_host(const ria_gpu_bundle *b, const void *put) {
  return b->host + ((const char *)put - b->device);
}

/* What kernels are given. Addresses are of the device. */
typedef struct ria_gpu_view {
  int nx, ny, n_quantities; /* ny: rows on the device */
  size_t stride;
  double dx, dy;
  /* The cells on the sides are numbered side after side, in the order of ria_side: rim cell
   * first[side] + k is the k-th cell of that side (its k-th on the device: `base` is in it). */
  int first[RIA_SIDES + 1];
  const int32_t *owner;       /* [rim] its stretch */
  const ria_stretch *stretch; /* [n_stretch] */
  ria_forcing_table table;    /* for ria_forcing_at */
  ria_crossed *crossed;       /* [rim][n_quantities] */
  double *added;              /* [n_quantities] by sources: kernels may count here */
  const ria_gpu_source *source;
  /* j * nx + i, -1 where the device does not have the cell; NULL, like the other two, where `put`
   * lists cells */
  const int32_t *source_cell;
  const double *source_weight;
  double *source_owed; /* see ria_source_give; 0 in a new forcing */
  ria_gpu_points points;
  int n_stretch, n_sources;
} ria_gpu_view;

/* As ria_plane_callbacks, where fields are worked out by kernels. self is the solver. */
typedef struct ria_gpu_callbacks {
  void *(*plane)(const void *self, int field, int tracer);
  /* Queue what works out a field into `to`, a plane. NULL where every field is a plane. */
  cudaError_t (*derive)(const void *self, int field, int tracer, void *to, cudaStream_t stream);
  /* `first` NULL: density, per area, is worked out into a plane. */
  ria_gpu_cells (*quantity)(const void *self, int quantity);
  cudaError_t (*density)(const void *self, int quantity, void *to, cudaStream_t stream);
  const ria_plane_callbacks *host; /* names of fields, and what is refused */

  /* --- what may be left NULL */

  /* Learn from the device which buffers hold the present state; may wait. Before anything is
   * read or set. */
  ria_status (*find_present)(void *self);
  /* For solvers that take a part of a grid: how many rows beside it a step reads, and the k-th
   * array of the present state, whose rows pass between parts after every step. */
  int (*ghost_rows)(const void *self);
  ria_gpu_array (*shared)(const void *self, int k);
  /* Both, in place of plane and derive: queue a field straight to where it is wanted, or of n
   * cells. For a state that does not lie in planes, and to spare the plane in between: fields.cuh
   * has the loops. */
  cudaError_t (*copy)(const void *self, const ria_gpu_wanted *w, void *dst, cudaStream_t stream);
  cudaError_t (*sample)(const void *self, int field, int tracer, int n, const int32_t *cell,
                        double *out, cudaStream_t stream);
  /* Queue: set a field from numbers of the device [view.ny][nx] (`rings`: [ria_gpu_rows][nx]),
   * which may be overwritten. NULL: they go to its plane. */
  ria_status (*set)(void *self, int field, int tracer, double *values);
  /* Queue: add an amount to each of n cells. NULL: amount / area goes to the quantity's numbers. */
  cudaError_t (*add)(const void *self, int quantity, int n, const int32_t *cell,
                     const double *amount, cudaStream_t stream);
  /* Queue: begin a maximum; the solver keeps it. NULL: ria_gpu_planes_keep_maxima does. */
  cudaError_t (*begin_maximum)(const void *self, const ria_plane_track *m, cudaStream_t stream);
  /* What the solver has of a forcing beside `fresh`, into the same allocation, by ria_gpu_put: to
   * be replaced with it. Called twice for one forcing, first to measure. */
  void (*put)(void *self, ria_gpu_bundle *b, const ria_forcing_set *set, const ria_gpu_view *fresh);
  bool own_decay;     /* the solver counts itself what decays, and visits it in its state */
  bool lists_cells;   /* `put` has its own list of the cells of sources: planes make none */
  bool rings;         /* takes parts of a ring: `write` reaches rows beyond its ends */
  bool rows_in_order; /* those south of a ring's first row lie right before it */
  bool no_ghosts;     /* planes are [ny][stride], cell (0, 0) first: ria_gpu_at is not for them */
} ria_gpu_callbacks;

typedef struct ria_gpu_planes {
  ria_context *ctx;
  const ria_cuda_backend *backend;
  const ria_gpu_callbacks *call;
  ria_grid grid;  /* the whole domain */
  ria_part part;  /* the solver's rows of it */
  int ghost_rows; /* that a step reads on either side of these */
  int base;       /* the grid's row that is the device's first */
  int begin, end; /* the part's rows on the device */
  bool ring; /* of a part, by the solver before `force`: the south and the north are periodic */
  ria_real real;
  size_t real_size, size;      /* of a number; of a plane, in numbers */
  size_t origin;               /* number of cell (0, 0) in a plane */
  cudaStream_t stream, copies; /* steps; fields on their way out */
  cudaMemPool_t pool;          /* temporary memory */
  bool ready; /* cleared by force, write and add: the solver sets it when it has prepared */
  ria_gpu_view v;

  /* The same on the host. */
  ria_forcing_table table;
  ria_stretch *stretch;
  int32_t *source_row; /* [n_source_cells] of all sources, one after another: rows of the grid */
  size_t n_source_cells;
  ria_account account; /* `crossed` as it was last copied out */
  double *added; /* [n_quantities] by sources, when the host counts; the device's is added to it */
  double *decayed; /* on the device: [n_quantities][v.ny] what rows lost; NULL with own_decay */

  void *forcing;          /* v's arrays: one allocation on the device */
  ria_plane_track *track; /* [n_track] */
  int n_track;
  double **sum; /* [n_sums] of the device: weighted sums of fields, [end - begin][nx] */
  int n_sums;
} ria_gpu_planes;

static inline bool ria_gpu_whole(const ria_gpu_planes *p) {
  return p->part.j1 - p->part.j0 == p->grid.ny;
}
static inline bool ria_gpu_owns(const ria_gpu_planes *p, int j) {
  return j >= p->part.j0 && j < p->part.j1;
}
/* Row j of the grid is on the device, as row j - p->base. */
static inline bool ria_gpu_has(const ria_gpu_planes *p, int j) {
  return j >= p->base && j < p->base + p->v.ny;
}
/* Rows of planes, with those beyond the ends of the grid; where row j >= -ghost_rows of the device
 * lies; which of the grid's it is. */
static inline int ria_gpu_rows(const ria_gpu_planes *p) {
  return p->v.ny + (ria_gpu_whole(p) ? 0 : 2 * p->ghost_rows);
}
static inline int ria_gpu_held(const ria_gpu_planes *p, int j) {
  return j < 0 ? j + ria_gpu_rows(p) : j;
}
static inline int ria_gpu_row_of_grid(const ria_gpu_planes *p, int held) {
  const int ny = p->grid.ny, beyond = held < p->v.ny + p->ghost_rows ? 0 : ria_gpu_rows(p);
  return ((p->base + held - beyond) % ny + ny) % ny;
}
/* Where in a plane it lies, from the device's first row on; numbers of a plane before its address.
 */
static inline ptrdiff_t ria_gpu_row_in_memory(const ria_gpu_planes *p, int held) {
  const bool before = p->call->rows_in_order && held >= p->v.ny + p->ghost_rows;
  return before ? held - ria_gpu_rows(p) : held;
}
static inline size_t ria_gpu_lead(const ria_gpu_planes *p) {
  return p->call->rows_in_order && !ria_gpu_whole(p) ? (size_t)p->ghost_rows * p->v.stride : 0;
}
/* Where row j of the grid lies: on the device, or beyond an end of a ring alone; -1: nowhere. */
static inline int ria_gpu_place(const ria_gpu_planes *p, int j) {
  if (ria_gpu_has(p, j)) return j - p->base;
  if (p->ring && j - p->grid.ny >= p->part.j0 - p->ghost_rows)
    return ria_gpu_held(p, j - p->grid.ny - p->base);
  if (p->ring && j + p->grid.ny < p->part.j1 + p->ghost_rows) return j + p->grid.ny - p->base;
  return -1;
}
/* From a cell of the device to the grid's; the other way: less. */
static inline int32_t ria_gpu_first_cell(const ria_gpu_planes *p) { return p->base * p->grid.nx; }
/* As ria_planes_side, of cells as the device counts them. */
static inline ria_side_cells ria_gpu_side(const ria_gpu_planes *p, int side) {
  const bool here = side == RIA_SOUTH ? p->part.j0 == 0 : p->part.j1 == p->grid.ny;
  const ria_side_cells across = {0, here ? p->grid.nx : 0}, along = {p->begin, p->end};
  return ria_side_along_x(side) ? along : across;
}
/* As ria_planes_span. */
static inline ria_span ria_gpu_span(const ria_gpu_planes *p, const ria_span *span) {
  const int64_t most = ria_gpu_whole(p) || span->max_steps < 1 ? span->max_steps : 1;
  return {span->t_stop, most, span->t_watch};
}

/* For a solver that lists the cells of sources itself (ria_gpu_callbacks.lists_cells), by `put`:
 * room for how many; those that the device has, into that room. Returns how many lie there. */
size_t ria_gpu_most_source_cells(const ria_gpu_planes *p, const ria_forcing_set *set);
int ria_gpu_list_source_cells(const ria_gpu_planes *p, const ria_forcing_set *set,
                              ria_gpu_source_cell *out);

/* On failure nothing needs to be freed but p itself; it may be freed too. The callback ghost_rows
 * may look at the solver's parameters: they are there before. */
ria_status ria_gpu_planes_init(ria_gpu_planes *p, const ria_solver_setup *setup,
                               const ria_gpu_callbacks *call, int n_quantities);
/* Waits for what is queued. Of a zeroed one too. */
void ria_gpu_planes_free(ria_gpu_planes *p);
/* The sum of a plane's cells, by row, then over rows in order; waits. */
ria_status ria_gpu_plane_sum(ria_gpu_planes *p, void *plane, double *out);
/* A zeroed plane; the solver ends it by ria_gpu_plane_free. what: "the state". */
ria_status ria_gpu_plane_alloc(ria_gpu_planes *p, const char *what, void **out);
/* NULL is nothing. A solver whose rows lie in no order (ria_gpu_callbacks.rows_in_order) may call
 * cudaFree itself. */
void ria_gpu_plane_free(const ria_gpu_planes *p, void *plane);
/* All cells of a plane. */
ria_gpu_cells ria_gpu_cells_of(const ria_gpu_planes *p, void *plane);
/* Make the device current: the first thing that an entry point does. */
ria_status ria_gpu_enter(const ria_gpu_planes *p);
/* And find_present: of one that reads or sets. */
ria_status ria_gpu_enter_present(ria_gpu_planes *p);

/* --- ria_solver_ops: as those of ria/planes.h --- */

/* On failure the forcing is as it was. */
ria_status ria_gpu_planes_force(void *self, const ria_forcing_set *set);
ria_status ria_gpu_planes_read(void *self, int field, int tracer, bool maximum, int j0, int nj,
                               ria_real real, void *dst);
ria_status ria_gpu_planes_write(void *self, int field, int tracer, const double *src);
ria_status ria_gpu_planes_sample(void *self, int field, int tracer, int n, const int32_t *cell,
                                 double *out);
ria_status ria_gpu_planes_add(void *self, int quantity, int n, const int32_t *cell,
                              const double *amount);
/* Load the kernels of fields, sums and maxima, and of ria_gpu_echo_rows: see ria_cuda_load. */
cudaError_t ria_gpu_planes_load(void);
cudaError_t ria_gpu_echo_load(void);
ria_status ria_gpu_planes_track(void *self, int field, int tracer);
ria_status ria_gpu_planes_sums(void *self, int n);
ria_status ria_gpu_planes_gather(void *self, int field, int tracer, int first, int n,
                                 const double *weight);
ria_status ria_gpu_planes_fetch(void *self, int field, int tracer, int coarse, ria_real real,
                                void *dst, void **ticket);
size_t ria_gpu_planes_pack_bytes(void *self, const ria_packing *how);
ria_status ria_gpu_planes_pack(void *self, int field, int tracer, const ria_packing *how, void *dst,
                               void **ticket);
ria_status ria_gpu_planes_totals(void *self, ria_quantity_totals *totals);
/* What is stored, and what the planes count of decay, by row; sources are those of the part, and
 * are told with its first row. */
ria_status ria_gpu_planes_row_totals(void *self, ria_row_totals *rows);
/* Of the state that is the present one when nothing is queued: ask for `progress` before. */
int ria_gpu_planes_shared_rows(void *self, ria_side side, int most, ria_shared_row *rows);
ria_status ria_gpu_planes_fluxes(void *self, int n, double *in, double *out);
ria_status ria_gpu_planes_crossed(void *self, ria_crossed *cells);

/* A solver's operations, with these where it has NULL. */
constexpr ria_solver_ops ria_gpu_planes_ops(ria_solver_ops own) {
  if (!own.force) own.force = ria_gpu_planes_force;
  if (!own.read) own.read = ria_gpu_planes_read;
  if (!own.write) own.write = ria_gpu_planes_write;
  if (!own.sample) own.sample = ria_gpu_planes_sample;
  if (!own.add) own.add = ria_gpu_planes_add;
  if (!own.track) own.track = ria_gpu_planes_track;
  if (!own.sums) own.sums = ria_gpu_planes_sums;
  if (!own.gather) own.gather = ria_gpu_planes_gather;
  if (!own.totals) own.totals = ria_gpu_planes_totals;
  if (!own.row_totals) own.row_totals = ria_gpu_planes_row_totals;
  if (!own.shared_rows) own.shared_rows = ria_gpu_planes_shared_rows;
  if (!own.fluxes) own.fluxes = ria_gpu_planes_fluxes;
  if (!own.crossed) own.crossed = ria_gpu_planes_crossed;
  if (!own.fetch) own.fetch = ria_gpu_planes_fetch;
  if (!own.pack_bytes) own.pack_bytes = ria_gpu_planes_pack_bytes;
  if (!own.pack) own.pack = ria_gpu_planes_pack;
  if (!own.await) own.await = ria_gpu_await;
  return own;
}

/* --- for steps --- */

/* Queue, of arrays of the present state (`shared`): rows beyond the ends of a ring that lie within
 * the device's, too, are as there. After what changes cells by their places. */
ria_status ria_gpu_echo_rows(ria_gpu_planes *p, cudaStream_t stream);
/* Are there any? */
bool ria_gpu_echoes(const ria_gpu_planes *p);
/* Queue: enter into the maxima what the present state has. After every step; nothing without
 * maxima. */
ria_status ria_gpu_planes_keep_maxima(ria_gpu_planes *p);
/* Wait for what is queued and tell of failures of it. */
ria_status ria_gpu_planes_wait(ria_gpu_planes *p);
/* Temporary memory, in the order of the steps; ended by ria_gpu_drop. */
ria_status ria_gpu_take(ria_gpu_planes *p, size_t bytes, void **out);
void ria_gpu_drop(ria_gpu_planes *p, void *room);
/* Copies in the order of the steps. The second waits for what is queued, and for the copy. */
cudaError_t ria_gpu_to_device(const ria_gpu_planes *p, void *device, const void *host,
                              size_t bytes);
cudaError_t ria_gpu_to_host(const ria_gpu_planes *p, void *host, const void *device, size_t bytes);
/* "out of memory for <what> of a 30 x 40 grid". */
ria_status ria_gpu_no_memory(const ria_gpu_planes *p, const char *what);

static __host__ __device__ __forceinline__ size_t ria_gpu_at(const ria_gpu_view *v, int i, int j) {
  return (size_t)(j + 1) * v->stride + RIA_GPU_PAD + (size_t)i;
}
/* `amount` >= 0 came in at the k-th cell of a side; negative: went out. One thread a cell. */
static __device__ __forceinline__ void ria_gpu_cross(const ria_gpu_view *v, int side, int k,
                                                     int quantity, double amount) {
  ria_enter(&v->crossed[(size_t)(v->first[side] + k) * v->n_quantities + quantity], amount);
}

#endif
