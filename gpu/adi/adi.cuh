/* gpu/adi/adi.cuh - what the files of the implicit solver on CUDA share.
 *
 *   host.cuh               the host's side, and where it is
 *   f32.cu, f64.cu         the kernels in single and in double precision, of
 *     machine/partition.cuh  tridiagonal lines in segments
 *     lines.cuh              a line of cells as threads share it, what crosses it, its ends
 *     build.cuh              the rows of a line
 *     sweep.cuh              a sweep, build and solve in one
 *     rings.cuh              what lies beyond periodic sides
 *     apart.cuh              the same along y, of a part of the grid
 *     forcing.cuh            boundaries and sources, hundreds of them
 *     relax.cuh              layers in which the flow is drawn to a given one
 *     tick.cuh               looks, the clock, forcing
 *     meet.cuh               what parts of the grid say to each other
 *     eddies.cuh             eddy viscosity
 *     tracers.cuh            tracers: carried, diffusion, decay
 *     fields.cuh, table.cuh  fields in and out; the table of all kernels
 *
 * The formulas are the CPU's: engine/solvers/adi/adi_k.h. */
#ifndef RIA_GPU_ADI_CUH
#define RIA_GPU_ADI_CUH
#include "machine/layers.cuh"
#include "machine/planes.cuh"
#include "machine/post.cuh"
#include "solvers/adi/adi.h"

/* Steps of a round: as many as lie between two looks, after which all buffers are in the places
 * where they were. A step is known by its place in the round. */
enum { ADIG_ROUND = ADI_LOOK, ADIG_SLOTS = 32, ADIG_WAY = 32 /* numbers */ };

/* Rows beside a part that a step reads. */
enum { ADIG_BESIDE = 3 };

/* What steps, looks and the host tell each other. */
typedef struct adig_report {
  adi_clock clock;           /* ahead of the state by the steps that it has chosen */
  adi_step step[ADIG_ROUND]; /* on = 0: nothing is done at its place */
  int64_t done[ADIG_ROUND];  /* steps before each */
  int parts[ADIG_ROUND];     /* that diffusion takes it in: adi_mix_parts */
  int bad;                   /* 1 + 2 place + axis of the sweep that wrote what is no state, or 0 */
  int over;                  /* the span is, or a level is to be judged (adi_clock.high) */
  int more_parts;            /* than are queued: the round is cut short */
  int judged;                /* a look saw such a level, and it may stand: no second look */
  int stops;                 /* one of these three: no more rounds as they are queued */
} adig_report;

/* What a sweep is given. Strides in numbers; planes are of the device, cell (0, 0) at `origin`. */
typedef struct adig_sweep {
  int n, lines;            /* cells of a line, lines */
  int all_lines;           /* of the whole grid */
  int line_from, line_end; /* that are swept: of a part of the grid not those beside it */
  size_t along, across; /* from a cell to the next of its line; to the same one of the next line */
  size_t origin;
  const void *bed, *level, *u, *v, *v_old; /* u: flux along; v: across, now and a step earlier */
  const void *manning, *viscosity;         /* or NULL: one value everywhere */
  const void *carried;                     /* u as the cross term takes it */
  void *level_new, *u_new;
  bool is_first; /* a first solution: u_new gets what the second one takes, nothing else is written
                  */
  void *moved_u, *moved_v; /* what crosses faces along and across; NULL = not needed */
  double g, da, dc, drying, flooding, land; /* for adi_way_of */
  double upwind, turn, rough, eddy;         /* where there are no planes of them */
  const adi_step *step;
  const void *way; /* the adi_way of this sweep */
  void *aside;     /* of a part of the grid: see adig_joint */
  /* The ends of lines: rim cells first[0] + line where they begin, first[1] + line where they end;
   * those of the first and the last line likewise at side[0], side[1]. */
  int first[2], side[2];
  bool walls[2]; /* nothing but walls there */
  bool rated[2]; /* a rating is there */
  bool closes;   /* lines close upon themselves; */
  bool wraps;    /*   beside the first one lies the last one, */
  bool goes_on;  /*   which a part of the grid has in rows beyond its ends: nothing counts round */
  bool apart;    /* along y of a part: cells beyond the ends of a line that closes are there, too */
  int base;      /* the grid's line that is number 0 */
  const int32_t *owner;
  const ria_stretch *stretch;
  const double *value;   /* [rim] level or discharge per width at present */
  const double *current; /* [rim] of SIDE_RADIATE that outside, out of the domain, m/s */
  const double *slope;   /* [rim] of a rating: of that by the level, m/s */
  ria_crossed *crossed;  /* [rim][n_quantities] */
  int n_quantities;
  double area;
  unsigned *fastest; /* [3][ADIG_SLOTS] bits of the largest sum of two fluxes across, as float */
  int slot;          /* that this sweep reads; the next is written, the one after cleared */
  int number;        /* 1 + 2 place + axis */
  int most_blocks;   /* that a line may take: 1 where there are no clusters */
  int *bad;          /* that of the sweep that wrote what is no state, or 0 */
} adig_sweep;

/* Columns of a part of the grid: its rows, which begin with a segment; blocks of a line. What all
 * say of them lies in each lane's memory. Of a line's blocks some lie in several parts: these have
 * slots. */
enum { ADIG_BLOCKS = 32 }; /* of a line at most */
enum { ADIG_SEAM = 4 };    /* numbers of the seam of one that closes upon itself */
typedef struct adig_joint {
  int columns;
  int row_from, row_end;    /* rows of the grid */
  int block_from, n_blocks; /* that the part has some of */
  int8_t slot[ADIG_BLOCKS]; /* of each block, or -1 */
  int8_t block_of[ADIG_BLOCKS];
  int n_slots, lanes, me;
  void *ends[RIA_GPU_LANES];   /* [block][6][column] */
  void *pieces[RIA_GPU_LANES]; /* [slot][7][segment][column] */
  void *seam[RIA_GPU_LANES];   /* [SEAM][column] of columns that close upon themselves */
  void *kept_a, *kept_c;       /* planes: what substitution needs */
  void *note;                  /* [7][column] of cells at cuts */
} adig_joint;

/* What a part does at a meeting: it says what it has to all lanes, or waits for them and hears. */
enum { ADIG_SAYS = 1, ADIG_HEARS = 2 };
typedef struct adig_meeting {
  ria_gpu_post post;
  int what;
  int last;                         /* of its lane */
  int n_said, parts;                /* lanes; parts of all */
  ria_meeting *said[RIA_GPU_LANES]; /* its words in each lane; NULL: there are none */
  const ria_meeting *heard;         /* [parts] */
  double *rim[RIA_GPU_LANES];       /* [cell][3] of cells of discharges, where these are said */
  adig_report *report;
  const adi_step *step; /* nothing is said where it is none, */
  int number;           /*   or where a sweep before this one has failed */
  unsigned *fastest;    /* [ADIG_SLOTS] that a sweep has told; NULL: it was none */
} adig_meeting;

/* The present state, as what reads and sets it needs it. */
typedef struct adig_state {
  ria_gpu_view v;
  int begin, end, base; /* as in ria_gpu_planes */
  void *bed, *manning, *level, *p, *q, *q_old, *viscosity, *load[RIA_MAX_TRACERS];
  int nt;
  double dry, land, gravity, eddy, smagorinsky, manning_one, axes[2]; /* axes: of the grid */
  water_rings rings;
  int beyond; /* rows that the device has beyond the ends of a ring: of a part of one; else 0 */
  const int *bad;
  const adi_step *step;
  bool whatever; /* else what is idle is no state */
} adig_state;

/* A cell of a discharge or a rating: number on the rim, -1 where it fills up a warp; stretch;
 * element, SIZE_MAX where the device does not have it. */
typedef struct adig_spread_cell {
  int32_t rim, stretch;
  size_t at;
} adig_spread_cell;

/* A stretch as its discharge is shared out: n cells from `first` of the list on. Up to 32 lie in
 * `lanes` of a warp beside those of other stretches, more by themselves in whole warps. */
typedef struct adig_spread {
  int32_t first, n, lanes;
  double length; /* of a cell along the side, m */
} adig_spread;

/* Numbers of each cell of discharges; of its stretch, or of the part of it in the warp: the lowest
 * bed, the water (adi_shared_depth), the conveyance, and times level. */
enum adig_shared {
  SHARED_LOWEST,
  SHARED_WATER,
  SHARED_ABOVE,
  SHARED_SUM,
  SHARED_OWN,
  SHARED_LEVEL,
  ADIG_SHARED
};

/* Boundaries and sources as threads share them: with the forcing. */
typedef struct adig_rivers {
  const adig_spread_cell *cell;           /* of discharges: those of the lines of an axis from */
  int first[3];                           /*   first[axis] on, multiples of 32 */
  const adig_spread *spread;              /* [n_stretch] */
  double *shared[ADIG_SHARED];            /* like `cell` */
  double *now;                            /* [n_stretch] current level or discharge */
  ria_gpu_followed followed;              /* [n_stretch], [n_stretch][nt] of inflow, [n_sources] */
  bool levels[2], radiates[2];            /* at ends of lines of an axis */
  const ria_gpu_source_cell *source_cell; /* at: j * nx + i */
  int n_source_cells, n_water_cells;      /* these are of sources of water, the first ones */
  double *source_owed;                    /* by place */
  double *source_gives;                   /* [n_sources] in a step, or the rate that is looked at */
} adig_rivers;

/* Of each cell of a layer the number of that to its east, and to its north; -1: not in the layer.
 */
typedef struct adig_layer_faces {
  const int32_t *east, *north;
} adig_layer_faces;

/* Boundaries, sources and layers. */
typedef struct adig_forcing {
  ria_gpu_view v;
  int begin, end, base;                         /* as in ria_gpu_planes */
  int rows;                                     /* of the grid */
  bool goes_on;                                 /* a part of a ring: rows lie beyond its ends */
  int side_from[RIA_SIDES], side_to[RIA_SIDES]; /* cells of sides that the part has: ria_gpu_side */
  const double *rim; /* [cell of discharges along x][3] level, bed, Manning's n; NULL: of planes */
  int nt;
  bool forced[2], carried_in;  /* values at the ends of lines of an axis are needed; of inflow */
  bool rated[2];               /* ratings are there */
  void *flux[2], *flux_old[2]; /* [axis] */
  double gravity, land, drying, flooding;
  const void *bed, *manning;
  void *level, *load[RIA_MAX_TRACERS];
  double *value;   /* [rim] current */
  double *current; /* [rim] of SIDE_RADIATE the water's outside, out of the domain, m/s */
  double *slope;   /* [rim] of ratings */
  double *inflow;  /* [n_stretch][nt] */
  double *given;   /* [water_values] of stretches and points, current; NULL: there are no points */
  const water_place *place[WATER_ALONG]; /* [rim] where each cell finds its values among these */
  adig_rivers rivers;
  int n_layers;
  const ria_gpu_layer *layer;
  const adig_layer_faces *faces; /* [n_layers] */
  double deepest_layer;          /* of what layers draw to, m */
  unsigned *fastest;             /* that the sweep along x reads; for layers */
  const int *bad;
} adig_forcing;

/* A look at the present state: which one it is. */
enum adig_look_kind { ADIG_IF_DUE, ADIG_NOW, ADIG_HEADS /* `highest` is of heads */ };
enum { ADIG_LOOKS = 1056 }; /* blocks at most, each with an adi_seen */
typedef struct adig_look {
  adig_state s;
  double flooding;
  int kind, blocks;
  adi_rules rules;
  const adig_report *report;
  adi_seen *seen; /* [blocks] */
} adig_look;

/* Between two steps: take over what was seen, choose the steps up to the next look, force. */
typedef struct adig_tick {
  adig_forcing f;
  adi_rules rules;
  adig_report *report;
  void *ways; /* [ADIG_ROUND][axis][2], the second without lw */
  const adi_seen *seen;
  int seen_blocks;
  int place, chooses; /* steps from place on; 0: only force */
  bool thesis;        /* adi_way.lw = 0 */
  double upwind, turn;
  double wind_drag, axes[2]; /* axes: of the grid, as ria_to_axes has them */
  int wind[RIA_WIND_VALUES]; /* forcing ids */
  double most_diffusion;     /* of a tracer */
  int parts;                 /* of explicit diffusion that are queued */
  bool implicit;             /* is queued as well */
  int rows;                  /* of the grid */
  bool apart;                /* of a part of the grid: seen[0] is what all saw */
  bool forces;               /* sides of x; else they come later */
  const int *lost;           /* of ria_gpu_post; NULL: there is none */
} adig_tick;

/* A tracer over half a step, or mixed. Rows beside a part belong to its neighbours, who store them
 * when they have them, which may be before the part is as far: carrying and decay leave them alone.
 */
typedef struct adig_carry {
  ria_gpu_view v;
  water_rings rings;
  int beyond;     /* as in adig_state */
  int begin, end; /* as in ria_gpu_planes */
  int tracer, nt, order;
  double limiter;
  const void *bed, *level, *moved_x, *moved_y, *load;
  void *load_new;
  const double *inflow;
  const int *bad;
  const adi_step *step;
  const int *parts;
} adig_carry;

/* Columns of implicit diffusion that run through several parts: what a part gets from one beside
 * it, and leaves for the next one, of each column; NULL: columns begin or end. Northwards: the row
 * behind, and of a ring the grid's first cell. Southwards: what crosses the face ahead; of a ring
 * both solutions there, and the row of the seam as far as the last part knows it. Then the first
 * part has what crosses the seam, and tells all. */
enum { EDGE_H, EDGE_C, EDGE_UP, EDGE_RHS, EDGE_RING, EDGE_FIRST_H, EDGE_FIRST_C, EDGE_FORWARD };
enum { EDGE_X, EDGE_Z, EDGE_DUE, EDGE_BY, EDGE_SEAM_UP, EDGE_BACK };
enum adig_way { NORTHWARDS, SOUTHWARDS, AT_SEAM };
typedef struct adig_edge {
  enum adig_way way;
  bool ring, last; /* last: the part that has the grid's northern end */
  const void *from;
  void *to;
  int lanes;
  void *all[RIA_GPU_LANES]; /* where lanes get what crosses the seam */
} adig_edge;

/* Planes whose cells beyond periodic sides get what lies along the side across. */
enum { ADIG_WRAPPED = 4 + RIA_MAX_TRACERS };
typedef struct adig_wrap {
  ria_gpu_view v;
  water_rings rings;
  void *plane[ADIG_WRAPPED]; /* [n] */
  int n;
  int beyond;          /* as in adig_state: rows that are told, and only */
  bool echoes;         /*   with this, where they lie within the part's, too, are as there */
  int base, grid_rows; /* as in ria_gpu_planes */
} adig_wrap;

/* The kernels of one precision, as functions of the host that queue them. */
typedef struct adig_kernels {
  cudaError_t (*sweep)(const adig_sweep *s, int axis, cudaStream_t stream);
  cudaError_t (*force)(const adig_forcing *f, const adi_step *step, int axis, cudaStream_t stream);
  /* The flow of a layer is drawn; blocks: of ria_gpu_layer_blocks. */
  cudaError_t (*relax)(const adig_forcing *f, const adi_step *step, int layer, unsigned blocks,
                       cudaStream_t stream);
  cudaError_t (*eddies)(const adig_state *s, cudaStream_t stream);
  cudaError_t (*carry)(const adig_carry *c, cudaStream_t stream);
  /* Diffusion in parts: one of them; all of them, implicit; what an odd number left elsewhere. */
  cudaError_t (*mix)(const adig_carry *c, int part, double diffusion, cudaStream_t stream);
  cudaError_t (*mix_lines)(const adig_carry *c, int axis, double diffusion, void *up, void *rhs,
                           void *ring, cudaStream_t stream);
  cudaError_t (*mix_home)(const adig_carry *c, cudaStream_t stream);
  /* The columns of a part of the grid, by an edge. */
  cudaError_t (*mix_columns)(const adig_carry *c, const adig_edge *e, double diffusion, void *up,
                             void *rhs, void *ring, cudaStream_t stream);
  cudaError_t (*decay)(const adig_carry *c, double rate, double *lost, cudaStream_t stream);
  cudaError_t (*derive)(const adig_state *s, int field, const void *load, void *to,
                        cudaStream_t stream);
  cudaError_t (*density)(const adig_state *s, void *to, cudaStream_t stream);
  cudaError_t (*look)(const adig_look *l, cudaStream_t stream);
  cudaError_t (*tick)(const adig_tick *t, cudaGraphConditionalHandle loop, bool in_loop,
                      cudaStream_t stream);
  cudaError_t (*set_cells)(const adig_state *s, int field, void *load, double *cells,
                           cudaStream_t stream);
  cudaError_t (*set_faces)(const adig_state *s, int axis, const double *cells, int factor,
                           void *now, void *old, cudaStream_t stream);
  cudaError_t (*settle)(const adig_state *s, int axis, void *now, void *old, cudaStream_t stream);
  /* Of a part: the face of column i behind a row of its cells becomes one with low[i] (of both
   * buffers, [2][nx]). */
  cudaError_t (*join_seam)(const adig_state *s, int row, const double *low, void *const flux[2],
                           cudaStream_t stream);
  cudaError_t (*add)(const adig_state *s, int quantity, int n, const int32_t *cell,
                     const double *amount, cudaStream_t stream);
  cudaError_t (*find_bad)(const adig_state *s, const void *level, const void *flux,
                          unsigned long long *cell, cudaStream_t stream);
  cudaError_t (*wrap)(const adig_wrap *w, cudaStream_t stream);

  /* Of parts of a grid: apart.cuh, meet.cuh. How a column lies on threads: cells of a segment,
   * segments of a block, blocks. */
  void (*layout)(int n, int lines, int most_blocks, int *m, int *segments, int *blocks);
  cudaError_t (*reduce)(const adig_sweep *s, const adig_joint *q, cudaStream_t stream);
  cudaError_t (*join)(const adig_sweep *s, const adig_joint *q, cudaStream_t stream);
  cudaError_t (*finish)(const adig_sweep *s, const adig_joint *q, cudaStream_t stream);
  cudaError_t (*close)(const adig_sweep *s, const adig_joint *q, cudaStream_t stream);
  cudaError_t (*meet)(const adig_meeting *m, cudaStream_t stream);
  cudaError_t (*meet_seen)(const adig_tick *t, const adig_meeting *m, cudaStream_t stream);
  cudaError_t (*tell_rim)(const adig_forcing *f, const adig_meeting *m, bool due,
                          const adi_rules *rules, cudaStream_t stream);
  cudaError_t (*load)(void); /* all: see ria_cuda_load */
} adig_kernels;

extern const adig_kernels adig_kernels_f32, adig_kernels_f64;

#endif
