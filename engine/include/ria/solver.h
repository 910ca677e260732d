/* ria/solver.h - for solver authors: the only things the engine knows of a solver.
 *
 * A solver gives tables (its parameters, fields, boundary kinds, quantities) and, for each backend,
 * a ria_solver_ops. The time loop, the bindings, the outputs and the CLI read the tables and call
 * the functions; none of them ever asks for a solver's name.
 *
 * A solver of the engine is one folder, one line in solvers.def and, for the GPU, a folder of its
 * name in gpu/. One of your own is registered with a context (ria_solver_register);
 * examples/own_solver shows it, with a Lua module that registers it for scripts.
 *
 *   ria/solver_forcing.h  what drives a run from outside: boundaries, sources, layers
 *   ria/solver_parts.h    what parts of a grid tell each other
 *   ria/state.h           what goes on from step to step, by name
 *   ria/planes.h          planes of cells, which do most of this for a solver that has them */
#ifndef RIA_SOLVER_H
#define RIA_SOLVER_H
#include <ria/backend.h>
#include <ria/boundary.h>
#include <ria/kernel.h>
#include <ria/sim.h>
#include <ria/solver_forcing.h>
#include <ria/solver_parts.h>
#include <ria/state.h>
#include <ria/units.h>
#ifdef __cplusplus
extern "C" {
#endif

/* --- tables ----------------------------------------------------------------------------------- */

enum {
  RIA_FIELD_INPUT = 1,      /* may be set: bed, manning, initial level */
  RIA_FIELD_TRACK = 4,      /* a running maximum may be asked for */
  RIA_FIELD_PER_TRACER = 8, /* one per tracer: the name is a suffix ("" = the tracer's own name) */
  RIA_FIELD_DRY_NAN = 16,   /* has no meaning in dry cells: read as NaN there */
  RIA_FIELD_GAUGE = 32,     /* a gauge records it by default */
  RIA_FIELD_STATIC = 64,    /* does not change during a run */
  RIA_FIELD_LEVEL = 128,    /* a level about a datum: frames use a range symmetric about 0 */
  RIA_FIELD_GROUND = 256,   /* of the ground: frames show it on land too, in the light on the bed */
  RIA_FIELD_LOAD = 512      /* per tracer, an amount per area: its unit is the tracer's times m */
};

typedef struct ria_field_info {
  const char *name, *unit, *long_name, *standard_name; /* CF standard name or NULL */
  unsigned flags;
  const char *map; /* colour map of its frames */
  const char *doc;
} ria_field_info;

/* Quantities that a solver stores: budget, boundary fluxes and sources are of these and of
 * the tracers. */
enum { RIA_OWN_QUANTITIES = 4 };
typedef struct ria_quantity_info {
  const char *name, *unit; /* "water", "m^3" */
} ria_quantity_info;

typedef struct ria_boundary_value_info {
  const char *name, *unit;
  int dim; /* ria_dim */
  bool required;
  double def; /* where none is given; NAN: the solver decides, and gets NaN */
  /* A curve, not a value in time: its "times" are something else, of this dimension (RIA_DIM_FLOW:
   * what leaves through the stretch, m^3/s). It begins at 0 and rises all along; the solver looks
   * into the entry of the table itself. 0: a value in time. */
  int curve;
} ria_boundary_value_info;

typedef struct ria_boundary_kind {
  const char *name;
  ria_boundary_value_info values[RIA_BOUNDARY_VALUES]; /* up to the first without a name */
  bool carries; /* inflow brings tracers: concentrations may be given */
  const char *doc;
} ria_boundary_kind;

/* Which of the solver's fields and parameters the engine draws on, by name; NULL where the solver
 * has none. */
typedef struct ria_field_roles {
  const char *bed;   /* shaded as land where `depth` is below dry */
  const char *depth; /* wet/dry line, dry mask, nearest wet cell, weights of a spill */
  const char *u, *v; /* arrows */
  const char *dry;   /* a parameter: cells with less `depth` than this are dry; NULL = 0 */
  const char *order; /* a parameter: of the scheme; the summary of a run says it; NULL: one only */
  const char *shore; /* in frames alone stands for `depth`, where that is NULL: no value is land */
} ria_field_roles;

/* --- from the engine to a solver -------------------------------------------------------------- */

typedef struct ria_solver_setup {
  ria_context *ctx;
  const ria_backend *backend;
  int threads;
  ria_grid grid;
  ria_real real;
  const void *params; /* the solver's own struct, filled and range-checked; copy what you keep */
  int n_tracers;
  const ria_tracer *tracers; /* [n_tracers] */
  /* The rows of the grid that this solver has; zeros: all. Rows, cells and sides are those of the
   * whole grid everywhere. A solver passes over the cells that are not in its part. The rows of
   * neighbours beside its part are ghost rows (shared_rows), not walls. */
  ria_part part;
} ria_solver_setup;

/* The part, all rows where none is given. */
static inline ria_part ria_part_of(const ria_solver_setup *setup) {
  const ria_part whole = {0, setup->grid.ny}, given = setup->part;
  return given.j0 == 0 && given.j1 == 0 ? whole : given;
}
/* RIA_ERR_ARGUMENT, unless the part is one of the grid. */
RIA_API ria_status ria_part_is_there(const ria_solver_setup *setup);
/* RIA_ERR_ARGUMENT, unless it is the whole grid: for solvers that step nothing less. */
RIA_API ria_status ria_part_is_whole(const ria_solver_setup *setup);

/* How far to go: until t == t_stop exactly, max_steps steps were taken, or the next step would end
 * at or beyond t_watch, whichever comes first. t_stop shortens steps; t_watch, around which the
 * states before and after are sampled, must not: choose dt without regard to it, then ask
 * ria_step_reaches (ria/kernel.h), and end the span before that step. Spans, however they end, must
 * leave no trace in the state. */
typedef struct ria_span {
  double t_stop;
  int64_t max_steps;
  double t_watch; /* INFINITY: none */
} ria_span;

/* Where the solver stands. */
typedef struct ria_progress {
  double t;
  int64_t steps;
  double dt; /* of the last step */
  double
      dt_min; /* smallest dt that stability (not t_stop) asked for; its cell (-1: none) and time */
  double dt_min_t;
  int dt_min_i, dt_min_j;
  char dt_min_cause[96];
  char warning[160];  /* a warning for the summary, or "" */
  ria_status failure; /* RIA_ERR_NUMERICAL: NaN or dt below its minimum; state is as it was then */
  double fail_t;
  int fail_i, fail_j; /* -1: no one cell's */
  char fail_what[192];
  /* Of a part on a device that steps together with others (ria_solver_ops.together): s by the
   * device's clock that it stepped, and that it waited for words of others; 0: it does not tell. */
  double stepped, waited;
} ria_progress;

/* Members of a struct T that has a ria_progress P, for ria_state_members: what is known of the
 * smallest step, and the warning. */
#define RIA_STATE_PROGRESS(T, P)                                                                   \
  {"dt_min", RIA_STATE_F64, offsetof(T, P.dt_min), 0},                                             \
      {"dt_min_t", RIA_STATE_F64, offsetof(T, P.dt_min_t), 0},                                     \
      {"dt_min_i", RIA_STATE_I32, offsetof(T, P.dt_min_i), 0},                                     \
      {"dt_min_j", RIA_STATE_I32, offsetof(T, P.dt_min_j), 0},                                     \
      {"dt_min_cause", RIA_STATE_TEXT, offsetof(T, P.dt_min_cause),                                \
       sizeof((ria_progress *)0)->dt_min_cause},                                                   \
  {                                                                                                \
    "warning", RIA_STATE_TEXT, offsetof(T, P.warning), sizeof((ria_progress *)0)->warning          \
  }

/* One quantity since the start. The solver's own come first, in the order of its table, then the
 * tracers [their unit times m^3]; n_quantities is how many there are together. */
typedef struct ria_quantity_totals {
  double stored, sources, decayed; /* sources: by ria_source only; the engine counts `add` itself */
} ria_quantity_totals;

/* --- from a solver to the engine, per backend ------------------------------------------------- */

/* How a store wants a field: cut into tiles from the south-west on, row by row of them, each
 * [tile_y][tile_x] in numbers of `real`, NaN beyond the grid, rounded to within the precision (0:
 * exact; io/round.h), and each made one zlib stream (RFC 1950). What `pack` leaves at dst is
 *
 *   uint64_t end[tiles]   where each tile's stream ends, counted from the first one's beginning; a
 *                         tile without a value but NaN is left out and ends where it begins
 *   the streams           one behind the other */
typedef struct ria_packing {
  int tile_x, tile_y;
  ria_real real;
  double precision;
  /* Of a part: the rows north of it that its last row of tiles has, [rows][nx] of `real`, memory of
   * the host that is not looked at once `pack` has returned. NULL: none. */
  const void *beyond;
} ria_packing;

/* A row's share of ria_quantity_totals. */
typedef struct ria_row_totals {
  double stored; /* per area of a cell */
  double sources, decayed;
} ria_row_totals;

/* The account of a cell on a side, for one quantity. */
typedef struct ria_crossed {
  double in, out; /* what crossed since the last time it was folded; >= 0 */
  /* An inflow too small yet for the last place of the cell, in the unit of the plane. It stays with
   * the cell whatever the boundary becomes. For solvers that round what crosses before either side
   * sees it. */
  double owed;
  double kept[2]; /* what the solver keeps there from step to step */
} ria_crossed;

/* May be NULL: prepare, then nothing is to be derived; fetch, pack_bytes, pack, await, state and
 * planes, as said there, and cut; shared_rows, row_totals, crossed and say elsewhere than on the
 * CPU; hear and together, where parts need not agree; and on the CPU force, read, write, sample,
 * add, track, sums, gather, totals, row_totals, fluxes, crossed, shared_rows and say, if the solver
 * begins with a ria_planes: those of ria/planes.h are taken. */
typedef struct ria_solver_ops {
  ria_status (*create)(const ria_solver_setup *setup, void **self);
  void (*destroy)(void *self);

  /* Replace all forcing. The set is the caller's; copy it. Totals per stretch go on by index: an
   * index keeps its meaning, new ones are added at the end. Also called before the first step
   * whenever a field was set, so a layout that depends on the state can be chosen here. */
  ria_status (*force)(void *self, const ria_forcing_set *set);
  /* Called before the first step and after any set/add/force: compute everything that steps rely
   * on. */
  ria_status (*prepare)(void *self, double t);
  /* Queue steps. Returns when they are queued (a CPU solver: done). */
  ria_status (*advance)(void *self, const ria_span *span);
  /* Wait for all queued work and report. */
  ria_status (*progress)(void *self, ria_progress *out);

  /* Rows j0..j0+nj-1 of a field, whole rows [nj][nx], as `real`. field: index into the solver's
   * table; tracer: index for per-tracer fields; maximum: the running maximum instead. In dst, and
   * in `out` of sample, the values of cells outside the part stay as they are. */
  ria_status (*read)(void *self, int field, int tracer, bool maximum, int j0, int nj, ria_real real,
                     void *dst);
  /* The whole field from doubles [ny][nx], ghost rows too. */
  ria_status (*write)(void *self, int field, int tracer, const double *src);
  /* Values of a field in n cells. */
  ria_status (*sample)(void *self, int field, int tracer, int n, const int32_t *cell, double *out);
  /* Add an amount of a quantity (in the unit of its totals) to each of n cells, at once. */
  ria_status (*add)(void *self, int quantity, int n, const int32_t *cell, const double *amount);
  /* Begin (from the present state) to keep a maximum. */
  ria_status (*track)(void *self, int field, int tracer);
  /* Weighted sums of a field by cell, always in double precision: a harmonic analysis is made of
   * them. sums: keep n more, zero in every cell; the k-th of all is read (`read`, with maximum
   * false) as field -1 - k. gather: add weight[i] times the field, as it is now, to the sums first
   * .. first + n - 1. Where the field is NaN once, its sums stay NaN. May be NULL elsewhere than on
   * planes. */
  ria_status (*sums)(void *self, int n);
  ria_status (*gather)(void *self, int field, int tracer, int first, int n, const double *weight);

  /* --- optional, for devices: NULL = the engine reads */

  /* Queue a copy of a whole field as it is now to dst, memory of backend->alloc_output, and return
   * before it is there. coarse > 1: each value is the mean over coarse x coarse cells (fewer at the
   * northern and eastern edges) of those that have one, NaN where none has: dst is then
   * [ceil(ny / coarse)][ceil(nx / coarse)]. The ticket goes to `await`, once. Of a part: the rest
   * of dst stays as it is, and so do means some of whose cells lie in another part. */
  ria_status (*fetch)(void *self, int field, int tracer, int coarse, ria_real real, void *dst,
                      void **ticket);
  /* Bytes of backend->alloc_output that `pack` needs, whatever lies beyond; 0: this packing is not
   * supported. NULL: the solver cannot pack. */
  size_t (*pack_bytes)(void *self, const ria_packing *how);
  /* As fetch, of a whole field as it is now, packed as a store wants it (ria_packing). *ticket NULL
   * and RIA_OK: device memory is short; call fetch instead. Of a part: the rows of tiles that begin
   * in it, as if they were the whole. */
  ria_status (*pack)(void *self, int field, int tracer, const ria_packing *how, void *dst,
                     void **ticket);
  /* Return when the copy is there, on any thread, steps running or not; the ticket is gone. */
  ria_status (*await)(void *self, void *ticket, char *err, size_t errsize);

  /* --- */

  /* totals[n_quantities] of the part, fixed summation order. */
  ria_status (*totals)(void *self, ria_quantity_totals *totals);
  /* The same of each row of the part: rows[n_quantities][j1 - j0]. Those of all parts one behind
   * the other are those of the whole grid, to the bit, and ria_sum_rows makes totals of them. On a
   * GPU this holds of `stored`; what sources gave the part, and what decayed in it where tiles
   * count that, is told with its first row. */
  ria_status (*row_totals)(void *self, ria_row_totals *rows);
  /* Through each stretch since the start: in[n][n_quantities], out[n][n_quantities]. n may be more
   * than `force` was given so far: nothing went through those. */
  ria_status (*fluxes)(void *self, int n, double *in, double *out);
  /* Visit all that determines how the run goes on (ria/state.h), between steps of a run that has
   * not failed. Restored, the solver is prepared, unless the engine calls `prepare` then, as it was
   * due when the state was saved. Where restoring fails, the solver is fit to be destroyed alone.
   * NULL: the state cannot be named. */
  ria_status (*state)(void *self, const ria_state_walk *walk);
  /* What passes between neighbouring parts after every step, and within one where a meeting asks
   * for rows (ria_meeting; those that its parts need next): rows of the present state on a side,
   * south or north, of the part. rows[most]; returns how many there are, 0 where the grid ends, but
   * not where its sides in the south and north are periodic: then the first part and the last are
   * neighbours. No more rows of a plane are shared than the grid has. The
   * k-th of a part goes with the k-th of its neighbour: `own` of either to `ghost` of the other.
   * Where a part has fewer rows than ghost rows it passes on rows of its neighbours: then all that
   * goes north is copied first, from the southernmost part on, and what goes south after it, from
   * the northernmost on. Until the caller has filled the ghost rows no step is taken: where the
   * part is not the whole, a span is one step at most, or as many as the ghost rows allow. What is
   * set and added reaches ghost rows without that, and so do sources; but for those beyond an end
   * of the grid, where the other end is the neighbour: `prepare` ends with filling them. */
  int (*shared_rows)(void *self, ria_side side, int most, ria_shared_row *rows);
  /* What crossed each cell of the sides since `force`: cells[ria_account.cells][n_quantities] of
   * ria/planes.h, `in` and `out` of those that the part has; the others stay as they are. The
   * caller sums them in the order of the whole grid, before `force` too. */
  ria_status (*crossed)(void *self, ria_crossed *cells);
  /* How parts agree. `force`, `prepare`, `advance`, `hear` and a `state` that restores go as far as
   * a part can without the others. Then `say` tells whether it waits for them, and what it has to
   * say; once all have said theirs, `hear` goes on with what all said. So a caller asks and answers
   * until no part waits, and fills ghost rows after the steps of an `advance`. All parts wait at
   * the same places: they have the same clock, and what decides is said before. A step that fails
   * in one part fails in all, and the state of each is the one before it. What is told in
   * `progress` of a cell (its column, words) is told right by the part that has the cell; the
   * cell's row by all.
   *
   * A part that is the whole never waits. On the CPU `advance` and `hear` of the parts of a grid
   * may be called at once, on a thread each. A device has its list in memory that the host can read
   * and write, and `say` waits for what `advance` or `hear` queued before it. */
  bool (*say)(void *self, ria_meeting *m);
  ria_status (*hear)(void *self, const ria_meeting *all);
  /* For devices, may be NULL: `advance` of all parts of the grid at once, where one process has
   * them: they agree and pass rows on among themselves, and the whole span is queued. part[n]: from
   * the south, the same at every call, until the first is destroyed. *queued false, with RIA_OK: as
   * they lie they cannot; nothing was queued, and the caller goes on by `advance`. */
  ria_status (*together)(void *const *part, int n, const ria_span *span, bool *queued);
  /* `together` is also asked where ranks have parts of the grid: part[n] are those of this one, and
   * all ranks ask at once. It agrees with the others whether they can: *queued is the same for all.
   */
  bool together_in_ranks;
  /* A block of the relay that the part asked for: `in` is what the neighbour's *out was, NULL in
   * the first part on the way. *out is the part's memory and stays as it is until `hear`. The parts
   * of a process and the blocks come in any order that gives each its `in`. NULL: the solver never
   * asks for one. */
  ria_status (*relay)(void *self, int block, const void *in, const void **out);
  /* Where a grid may be cut is the solver's to say: cut[n + 1], first rows of n parts, then ny.
   * RIA_ERR_ARGUMENT, with what to do, where it cannot have so many. NULL: anywhere. */
  ria_status (*cut)(const ria_solver_setup *setup, int n, int *cut);
  /* Arrays of one number a cell that `create` makes with so many tracers, at least: to tell a grid
   * that cannot fit before anything is allocated. NULL on the CPU: as ria_solver.planes has it;
   * elsewhere: not known. */
  int (*planes)(int n_tracers);
} ria_solver_ops;

typedef struct ria_bench_case {
  const char *name; /* "wet", "half_dry" */
  const char *doc;
  int n; /* default edge of the square grid */
  int n_tracers;
  ria_real real;
  /* Value of an input field at (x, y) in [0,1]^2 of the domain; called for each name in fields. */
  const char *const *fields; /* NULL-terminated */
  double (*init)(const char *field, double x, double y);
  double dx;
  const char *const *sides;  /* kind of each side, by ria_side; NULL = default kind */
  const ria_setting *params; /* up to the first without a name; NULL = all defaults */
  double bytes_per_cell;     /* fewest bytes a step must move per cell at float */
} ria_bench_case;

/* What `ria bench scaling` measures: squares on one device and on several, and a square for each.
 */
typedef struct ria_bench_scaling {
  const char *name; /* of a bench case */
  int n[6];         /* edges of the squares on GPUs, up to a 0; on CPUs an eighth of each */
  int each;         /* edge of the square that each device gets; 0 = none */
  /* For what is foretold of several hosts: numbers that go to a neighbour in an exchange, for each
   * column (0: nothing is foretold), steps from one exchange to the next, and whether all devices
   * meet at each step. */
  int numbers, steps_per_exchange;
  bool meets;
} ria_bench_scaling;

struct ria_solver {
  const char *name, *summary, *doc;
  /* Its own, up to the first without a name, RIA_OWN_QUANTITIES at most; NULL = none. */
  const ria_quantity_info *quantities;
  const ria_param_info *params; /* up to the first without a name */
  size_t params_size;           /* sizeof the parameter struct */
  const ria_field_info *fields; /* up to the first without a name */
  /* Up to the first without a name; [0] is the default, and closed where there is a bed: cells of a
   * side that are left out of the domain have it. */
  const ria_boundary_kind *boundaries;
  /* Of each kind: bit i says that its value i may differ along the boundary
   * (ria_boundary_set.point). NULL: none may. */
  const unsigned *boundary_points;
  ria_field_roles roles;
  int max_tracers;
  /* Arrays of one number a cell that it holds on a CPU, without tracers and for each of them: see
   * ria_solver_ops.planes. 0: not known. */
  int planes, planes_per_tracer;
  const ria_bench_case *bench;      /* up to the first without a name */
  const ria_bench_scaling *scaling; /* up to the first without a name; NULL = none */
  /* Cross-checks beyond ranges; NULL = none. */
  ria_status (*check)(ria_context *ctx, const void *params, const ria_grid *grid);
  const ria_solver_ops *cpu;
  const ria_solver_ops *cuda; /* NULL: no loops for it, or built without CUDA: it then runs on the
                                 CPU unless a GPU was asked for by name */
  /* Cells of layers are drawn to a given flow (ria_forcing_set.relax); what that gives and takes
   * is in its totals, as `sources`. */
  bool relaxes;
};

/* Let simulations of a context use a solver that is not built in, by its name. The tables and
 * functions are not copied: they outlive the context. A Lua module that has them in it is therefore
 * linked with -z nodelete: Lua unloads modules when it closes, and a host's context may live on.
 * RIA_ERR_ARGUMENT where there is no context or no solver, the name is taken by another solver or
 * something is missing; the same solver once more is no error. */
RIA_API ria_status ria_solver_register(ria_context *ctx, const ria_solver *solver);

#ifdef __cplusplus
}
#endif
#endif
