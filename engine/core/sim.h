/* core/sim.h - what a simulation is made of. Private to engine.
 *
 * A simulation owns one solver state (`self`, behind ria_solver_ops) and, around it, what the
 * solver knows nothing of: names of fields, the event queue, boundaries and spills as they were
 * described, outputs, and the budget. Each of those is a struct of its own. The files beside this
 * one are about the simulation itself; forcing/ is what drives it, outputs/ what it leaves behind,
 * run/ makes one and steps it.
 *
 * Nothing here knows which solver runs: whatever differs between solvers is in its tables. */
#ifndef RIA_CORE_SIM_H
#define RIA_CORE_SIM_H
#include "base/times.h"
#include "core/events.h"
#include "core/mask.h"
#include "core/record.h"
#include "core/start.h"
#include <ria/solver.h>
#include <signal.h>

enum {
  RIA_QUANTITIES = RIA_OWN_QUANTITIES + RIA_MAX_TRACERS,
  RIA_FIELD_NAME_MAX = 2 * RIA_NAME_MAX
};

/* One field of this simulation: an entry of the solver's table, or one per tracer of it. */
typedef struct ria_sim_field {
  char name[RIA_FIELD_NAME_MAX];
  char long_name[128];
  const char *unit, *cf; /* as people read it; as readers of stores do */
  const ria_field_info *info;
  int index;    /* into the solver's table */
  int tracer;   /* or -1 */
  bool tracked; /* its maximum is kept */
  /* A field of a parameter's name that was set is a map of it: the parameter's value counts no
   * more. */
  bool is_map;
  double map_min, map_max;
  /* A map that an output makes, one of sim->maps: its rows in place of the solver's; NULL: the
   * solver's. Rows that have no values yet are NaN. */
  ria_status (*rows)(struct ria_sim *sim, const struct ria_sim_field *f, int j0, int nj,
                     ria_real real, void *dst);
  const void *of; /* what it is made of */
  struct ria_sim_field *next;
} ria_sim_field;

/* The fields that the solver's roles name; NULL where it has none. */
typedef struct ria_sim_roles {
  const ria_sim_field *bed, *depth, *u, *v, *shore;
} ria_sim_roles;

/* What the engine itself counts; the rest of the budget comes from the solver's totals. */
typedef struct ria_ledger {
  double initial[RIA_QUANTITIES]; /* stored when the run started */
  double added[RIA_QUANTITIES];   /* by spills at once and by ria_sim_set during the run */
} ria_ledger;

/* A run under way; between calls too, where a host queues its steps and waits for them. */
typedef struct ria_run {
  bool under_way, over; /* over: nothing is left to do but to close it */
  bool queued;          /* by ria_sim_queue: a wait is due */
  bool stepping;        /* a batch is queued: `at` is from before it */
  bool closing;         /* its closing outputs are written even when all goes well */
  double t_end;         /* INFINITY: ends by steps */
  int64_t steps_end;    /* count at which it ends; INT64_MAX: ends by time */
  int64_t batch;        /* steps of the next batch; 0 = not yet known */
  double wall0, t0;     /* when it began */
  int64_t steps0;
  double told_wall; /* when progress was last told, or the run began */
  int64_t told_steps;

  ria_span span;        /* of the batch that is queued, */
  bool torn;            /* it ended within an event, or before all that were due */
  bool landed;          /* it came to the end of its span, here or in the run that is repeated */
  bool in_span;         /* it did not come there */
  int64_t steps_before; /* how many steps there were before it */
  double took;          /* and wall time that it took so far, spent here */
  bool waited;          /* outputs wait for its one step, which is recorded; */
  bool alone;           /* without them it would have been more */
  double meet;          /* its steps stay before this time, at which a callback of another
                           simulation is due; INFINITY: none */
  bool meets, met;      /* the batch watches it; the next step would come there */
  bool interrupted;     /* with ranks: one of them was, as all learned at the last turn, */
  bool looks, saves;    /* and the first one's clock says that cuts may be looked at, and that a
                           checkpoint is due */
} ria_run;

struct ria_packet; /* base/ranks.h */

/* What is asked of a solver whose parts ranks have, beside ria_solver_ops. */
typedef struct ria_by_ranks {
  /* Rank 0 asks for something of the whole grid: this rank's share of it (rooted.c). */
  ria_status (*serve)(ria_sim *sim, const struct ria_packet *asked);
  ria_part (*rows)(const void *self, int rank);
  /* As read of ria_solver_ops, of rows that this rank has: no other hears of it. */
  ria_status (*read_here)(void *self, int field, int tracer, bool maximum, int j0, int nj,
                          ria_real real, void *dst);
  /* As pack_bytes and pack, of the rows of tiles that begin on this rank: parts/parts.h. */
  size_t (*pack_bytes_here)(void *self, const ria_packing *how);
  ria_status (*pack_here)(void *self, int field, int tracer, const ria_packing *how, void *dst,
                          bool *there);
  ria_status (*times)(const void *self, ria_times *times); /* [ranks], on rank 0 */
} ria_by_ranks;

struct ria_sim {
  ria_context *ctx;
  const ria_solver *solver;
  const ria_backend *backend; /* where it runs: the context's, or the CPU's */
  const ria_solver_ops *ops;
  ria_solver_ops whole_ops;     /* ops points here: the solver's, with what it left NULL */
  void *self;                   /* the solver's state */
  const ria_by_ranks *by_ranks; /* of a grid in ranks */
  ria_times *times;             /* [ranks] as rank 0 knew them last; NULL: not yet */
  struct ria_packed *packed;    /* a save under way there: outputs/packed.h */
  int *cut;                     /* [parts + 1] first rows of parts, then ny; NULL: even */
  int cuts;                     /* how often the grid was cut again (run/balance.c) */
  double at_once, stepped; /* wall s that parts stepped, waits included; that they took in sum: of
                              parts that are gone */
  double looked_at_once, looked_stepped; /* the same of all, when cuts were last looked at */
  double look_from;                      /* wall time from which ranks look at cuts again */
  double *took; /* [2][parts] wall s that each part stepped; at the last look (run/balance.c) */
  void *params; /* the solver's parameter struct */
  ria_grid grid;
  ria_real real;
  int n_own, n_tracers; /* quantities: the solver's own first, n_own + k is tracer k */
  int n_quantities;     /* n_own + n_tracers */
  ria_tracer tracers[RIA_MAX_TRACERS]; /* .unit: that of units */
  ria_unit units[RIA_MAX_TRACERS];
  char *title, *crs, *out, *provenance, *ground;
  char *from_told, *from_warned; /* of a hot start: lines; NULL: there was none */
  struct ria_crs *map, *earth; /* of crs, and WGS 84: core/lon_lat.c; NULL until they are needed */
  ria_start start;
  char epoch[48]; /* the start as stores have it; "" = none */
  bool overwrite, keep, units_row, no_page;
  double page_fields;
  ria_script script; /* texts are its own */

  ria_sim_field *fields; /* [n_fields] */
  size_t n_fields;
  ria_sim_field *maps; /* that outputs make; theirs */
  ria_sim_roles roles;
  ria_mask mask;
  int n_sums; /* that the solver keeps, of weighted sums of fields */
  double dry; /* depth below which a cell is dry, in the depth's unit */

  /* --- standing */
  ria_progress at;
  double wall;      /* s inside run, advance and step, those that have ended */
  double wall_from; /* when the one under way began; counts while busy */
  bool started;     /* outputs open, events of t = 0 due */
  bool failed;      /* numerically: may be read, not run on */
  bool busy;        /* inside a run: events and progress callbacks must not run or destroy */
  bool has_bed;     /* what the solver calls its bed was set */
  bool unprepared;  /* ops->prepare is due before the next step */
  bool unforced;    /* so is ops->force: boundaries, sources or parameters changed */
  bool stop;        /* ria_sim_stop was called */
  bool unclosed;    /* a run began, and its closing outputs were not asked for since */
  bool ended;       /* the last run came to its end, or to a stop, without an error */
  uint64_t beds;    /* counts settings of the bed */
  uint64_t edits;   /* counts set and add: with at.steps it tells one state from another */
  volatile sig_atomic_t interrupted;
  ria_run run; /* under way, or the last */

  ria_progress_fn on_progress;
  void *progress_user;
  double progress_interval; /* wall s */
  double told_wall;         /* when progress was last told, of whichever run; 0 = nothing ran yet */

  ria_queue queue;
  ria_record record;
  struct ria_keeping *keeping; /* core/keeping.h: checkpoints that it takes by itself; or NULL */
  ria_ledger ledger;
  struct ria_forcing_state *forcing; /* forcing/forcing.h */
  struct ria_outputs *outputs;       /* outputs/output.h */
};

/* Rows of the k-th part that the grid is cut into. */
ria_part ria_sim_part(const ria_sim *sim, int k);
/* How many of the parts, where there are several, step at once, and how long they all have stepped:
 * wall s, waits included, and the sum of what each took. 0 of a device that does not tell. */
int ria_sim_sharing(const ria_sim *sim, double *wall, double *stepped);
/* Of one of several parts on a device, as ria_progress has it; false: it does not tell. */
bool ria_sim_part_told(const ria_sim *sim, int k, double *stepped, double *waited);

/* --- fields.c */
ria_status ria_fields_build(ria_sim *sim);
/* By name; RIA_ERR_ARGUMENT with the nearest. */
ria_status ria_field_find(ria_sim *sim, const char *name, ria_sim_field **out);
/* The same, or one of sim->maps: what can be drawn and saved. */
ria_status ria_field_or_map(ria_sim *sim, const char *name, const ria_sim_field **out);
/* Copies the whole field [ny][nx] to dst, as `real`. */
ria_status ria_field_read(ria_sim *sim, const ria_sim_field *f, bool maximum, ria_real real,
                          void *dst);
/* The same piece by piece, from south to north: nj whole rows [nj][nx] from row j0 on. Pieces but
 * the last have a multiple of `multiple` rows. */
typedef void (*ria_rows_fn)(void *user, int j0, int nj, const void *rows);
ria_status ria_field_visit(ria_sim *sim, const ria_sim_field *f, bool maximum, ria_real real,
                           int multiple, ria_rows_fn visit, void *user);
/* Maxima asked for before the start begin with the state that the run starts from. */
ria_status ria_maxima_begin(ria_sim *sim);
/* "map, 0.02 to 0.05", where a parameter's place was taken by a map; false where not. */
bool ria_param_map(const ria_sim *sim, const char *param, char *text, size_t size);

/* Index of a quantity, or RIA_ERR_ARGUMENT with the nearest name. */
ria_status ria_quantity_find(ria_sim *sim, const char *name, int *out);
const char *ria_quantity_name(const ria_sim *sim, int quantity);
const char *ria_quantity_unit(const ria_sim *sim, int quantity);
/* Solvers count a tracer in its own unit times m^3, people in the unit of its amounts ("kg"): from
 * one to the other and back. A quantity of the solver's own is the same in both. */
double ria_quantity_amount(const ria_sim *sim, int quantity, double counted);
double ria_quantity_counted(const ria_sim *sim, int quantity, double amount);

/* --- rooted.c */
/* Let rank 0 do something for all, which may read the whole grid's values and changes nothing; the
 * others serve it meanwhile and get its error. what: as in "frames are drawn". A process that is
 * alone does it. */
typedef ria_status (*ria_rooted_fn)(ria_sim *sim, void *user);
ria_status ria_rooted(ria_sim *sim, ria_rooted_fn fn, void *user, const char *what);
/* On rank 0 while the others serve: sim->times. Nothing to do where a process is alone, or on a
 * device. */
ria_status ria_rooted_times(ria_sim *sim);
/* All ranks have come to a run, before rank 0 makes, or removes, anything of its results. */
ria_status ria_ranks_start(ria_sim *sim);
/* All ranks begin the next turn of a run alike. */
ria_status ria_ranks_turn(ria_sim *sim);
/* With ranks: one of them was, at the last turn. */
bool ria_sim_interrupted(const ria_sim *sim);

/* --- script.c */
void ria_script_free(ria_script *s);

/* --- present.c */
/* Wait for the steps that are queued, if there are any: whatever asks for the state does so first.
 */
ria_status ria_sim_settle(ria_sim *sim);
/* For changes of the state made from outside the solver: take stored[] before, then enter the
 * difference as a source. */
ria_status ria_ledger_stored(ria_sim *sim, double stored[RIA_QUANTITIES]);
ria_status ria_ledger_enter_change(ria_sim *sim, const double before[RIA_QUANTITIES]);
#endif
