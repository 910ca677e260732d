/* shallow_water.cuh - what the files of the shallow-water solver on CUDA share: the layout of its
 * state on the device and what its kernels are given.
 *
 *   host.cuh  the host's side, and where it is
 *   f32.cu    kernels in single precision; f64.cu in double:
 *   cells.cuh cells and the edges between them          } compiled by both,
 *   rim.cuh   edges on the boundary                     } one after another
 *   clock.cuh what a step leaves to the clock, next dt  }
 *   abreast.cuh what a step tells parts on other GPUs   }
 *   eddies.cuh what eddies carry over an edge           }
 *   tile.cuh  the kernel of a step, what marches share  }
 *   step.cuh  the time step                             }
 *   second.cuh the time step at order 2, in files of its own: second_f32.cu, second_f64.cu
 *   order.cuh in which order its blocks begin           }
 *   tick_forcing.cuh, tick_sources.cuh, tick.cuh  between two steps }
 *   meet.cuh  the same of a part of a grid, which meets the others }
 *   io.cuh    fields in and out                         }
 *
 * The formulas are the CPU's: engine/solvers/shallow_water/shallow_water_k.h and
 * shallow_water_clock_k.h.
 *
 * State. Depth, discharges and the first tracer of a cell lie together as a vector of four, so that
 * a warp moves them in the widest transactions there are; further tracers are planes of their own.
 * There are two of everything: a step reads one and writes the other. Cell (i, j) is element
 * j * stride + i.
 *
 * Of a part of a grid the device has the rows of the part and the ghost rows beside it
 * (machine/planes.cuh); rows, cells and elements are counted among these. Tiles cover the part's
 * rows. A walk that ends at a cut goes on into the ghost rows as it does into another tile: where
 * the device's first and last row are not the part's they are rows of the domain all the same, and
 * the domain ends there or nothing beyond them is read. Water in ghost rows shows in no flag of
 * tiles: those that may be wetted from there are always stepped.
 *
 * Tiles. A warp steps a tile: SWG_COLUMNS columns, one a lane with a column more on either side (at
 * order 2 SWG_COLUMNS_SECOND, with two), by
 * some rows, marched northwards. Tile rows differ in height: bands of them, lower ones in the
 * north, so that what is begun last is short; all of them are lower where much is dry before the
 * first step (bands.h). What is known of dry land is known per tile. A block
 * takes SWG_WARPS tiles in a row, and blocks begin in the order of `order`: those with water
 * first, dealt out evenly.
 *
 * Periodic sides have no rim edges: walks that look out for anything read the cells of the other
 * side beyond them (column_there, row_there), and tiles along them are walked so. A part of a ring
 * of rows has those beyond its ends behind its other rows (machine/planes.cuh).
 *
 * Rim. The cells on the boundary are numbered side after side, in the order of ria_side: rim cell
 * first[side] + k is the k-th cell of that side, as the device counts them. */
#ifndef RIA_GPU_SHALLOW_WATER_CUH
#define RIA_GPU_SHALLOW_WATER_CUH

#include "machine/layers.cuh"
#include "machine/planes.cuh"
#include "machine/crew.cuh"
#include "bands.h"
#include "solvers/shallow_water/shallow_water.h"

enum {
  SWG_WARPS = 4, /* of a block of the step: their tiles lie side by side and share what they load */
  SWG_COLUMNS = 30,        /* of a tile: two lanes of a warp hold its neighbours */
  SWG_COLUMNS_SECOND = 28, /* of a tile at order 2: four do */
  SWG_SLOTS = 64,          /* where warps put the fastest cell they found: fewer collisions */
  SWG_FEW = 8192,          /* tiles that may all count at one place */
  SWG_TICK = 1024,         /* threads between two steps */
  SWG_TRACKS = 16
};

/* On the device, copied out when asked. */
typedef struct swg_report {
  alignas(16) sw_clock clock;   /* read and written as a whole between two steps */
  double keep[RIA_MAX_TRACERS]; /* exp(-decay dt) */
  double added[SW_QUANTITIES];  /* by sources */
  double wind[2];               /* stress over density where it changes, m^2/s^2 */

  sw_reason why;   /* the shortest stable step is so short */
  double short_dt; /* the one that failed */

  /* What the warps of a step found: the speed's bits, and (as float) with the cell, the first cell
   * of equals winning. */
  unsigned long long found[SWG_SLOTS];
  unsigned long long where[SWG_SLOTS];
  unsigned long long eddy;       /* the greatest after Smagorinsky, the bits of a double */
  int arrived[SWG_SLOTS], slots; /* warps that have ended a step; slots that are full */
  int bad;                       /* a warp wrote what is no state */
  /* ns by the device's clock, of a part whose neighbours are on other GPUs: since when it steps,
   * how long it has, and how much of it it waited for words. */
  unsigned long long since, spent, waited;
} swg_report;

/* A cell of the rim as the forcing needs it. */
typedef struct swg_rim_cell {
  int32_t rim, at, cell, owner; /* number on the rim; element; j * nx + i; stretch */
  int32_t kind, side;
} swg_rim_cell;

/* A stretch as its total discharge is shared out: its cells are spread[first] .. spread[first + n -
 * 1]; n = 0: it has none. Up to 32 cells lie in so many lanes of a warp beside those of other
 * stretches: `lanes`, a power of two, which `first` is a multiple of. More lie by themselves in
 * whole warps. */
typedef struct swg_spread {
  int32_t first, n, lanes;
  double length; /* of a cell along the side, m */
  double width;  /* of all, m */
  double lowest; /* bed, m: found when a span begins whose state was surveyed */
} swg_spread;

/* A rating of which the device has cells: all of them, of other parts too, are rated_cell[first] ..
 * rated_cell[first + n - 1]. */
typedef struct swg_rated {
  ria_forcing curve;
  double length; /* of a cell along the side, m */
  int32_t first, n, stretch;
} swg_rated;

/* What a value in time is of: a stretch, a concentration there, a source. */
typedef enum swg_of { SWG_STRETCH, SWG_CARRIED, SWG_SOURCE } swg_of;

/* A value in time: what it is, and where it goes. */
typedef struct swg_varying {
  ria_forcing forcing;
  const double *data;     /* of the forcing */
  double *value, *next;   /* see swg_forcing; next: NULL where nobody asks */
  double t_start, t_stop; /* of a source */
  int32_t slot;           /* of swg_forcing.value, or of conc; a source */
  swg_of of;
} swg_varying;

/* Forcing on the device: pointers into the allocation of the planes, replaced as a whole. value and
 * conc hold through the step under way, next at its end. The tile of a source's cell is -1 where
 * the cell is not the part's: in a ghost row the neighbour counts what is given. */
typedef struct swg_forcing {
  ria_forcing_table table;
  double *value, *next; /* [water_values]: of stretches, then of points */
  double *conc;         /* [n_stretch][nt] */
  ria_gpu_points points;
  /* Of them what is not constant, and sources. A warp works out a tide, a thread follows another.
   */
  const swg_varying *tide;       /* [n_tides] */
  ria_gpu_followed followed;     /* those of boundaries, then */
  int first_source;              /*   those of sources */
  double *const *value_of;       /* [followed.n] where they go, through a step, */
  double *const *next_of;        /*   and at its end; NULL where nobody asks */
  const int32_t *source_of;      /* [followed.n] */
  swg_spread *spreads;           /* [n_stretch] */
  const swg_rim_cell *spread;    /* [n_spread] cells of discharges */
  double *weight;                /* [n_spread] of a cell in its discharge */
  const swg_rim_cell *level;     /* [n_levels] cells of levels */
  const swg_rim_cell *radiating; /* [n_radiating] cells of radiating sides */
  const swg_rated *rated;        /* [n_rated] */
  const swg_rim_cell *rated_cell;
  const ria_gpu_source *sources;          /* [n_sources] */
  const ria_gpu_source_cell *source_cell; /* [n_source_cells] at: element; see tile */
  double *source_owed;                    /* by place, in source_cell */
  double *source_gives; /* [n_sources] in the step, m or kg/m^2 where the weight is 1; if it runs */
  double *source_next;  /* [n_sources] rate at its end, m^3/s: of sources of water */
  const ria_gpu_layer *layer; /* [n_layers] */
  int wind[RIA_WIND_VALUES];  /* ids */
  int n_stretch, n_tides, n_levels, n_radiating, n_sources, n_rated, n_layers;
  int n_spread;       /* as swg_spread has it, filled up to a multiple of 32: rim = -1 */
  int n_source_cells; /* of those, the first n_water_cells are of sources of water */
  int n_water_cells;
  int n_water;         /* sources of water */
  int discharges_vary; /* some discharge changes in time */
} swg_forcing;

/* The rim on the device. */
typedef struct swg_rim {
  int first[RIA_SIDES + 1];
  const uint8_t *kind;  /* [rim]; of ratings SIDE_LEVEL or, closed in this step, SIDE_RATING */
  const int32_t *owner; /* [rim] */
  double *share;        /* [rim] discharge per width, m^2/s */
  void *edge;           /* [rim][4 + nt] what crosses, in the step under way */
  ria_crossed *crossed; /* [rim][1 + nt] */
  /* [rim] where each cell finds each of its values; NULL: nothing differs along a side */
  const water_place *place[WATER_ALONG];
} swg_rim;

/* What every kernel of the solver is given. What each tile of a step reads comes first: a launch
 * begins with none of its arguments in the constant cache and fetches them a line at a time, which
 * is 0.8 % of a step of 19 us less than where they lie scattered. */
typedef struct swg_view {
  int nx, ny, nt, stride;        /* ny: rows on the device */
  int begin, end;                /* those that are stepped */
  int tiles_x, tiles_y, columns; /* columns: of a tile */
  swg_band band[SWG_BANDS];      /* northwards; those not needed begin at INT_MAX */
  int skip_dry, alone;           /* alone: nothing but the flow drives it: a step ticks itself */
  swg_report *report;
  int32_t *order; /* [blocks] which tiles a block takes: SWG_WARPS from SWG_WARPS order[b] on */
  uint8_t *same;  /* [tiles] both states hold the same there */
  const uint8_t *always; /* [tiles] why it is never skipped, if it is not: SWG_FORCED ... */
  double dx, dy, area;
  sw_params p;
  sw_pace pace;
  int decays, diffuses; /* any tracer does */
  double fade[2]; /* sw_beyond.fade of the sides in the south and north, in the west and east */
  double least;   /* speed of a domain that forcing may wet, 1/s */
  double decay[RIA_MAX_TRACERS], diffusion[RIA_MAX_TRACERS];
  void *state[2];            /* vectors of four */
  void *more[2];             /* planes of further tracers */
  size_t plane;              /* elements of one */
  const void *bed, *manning; /* manning: NULL = p.manning everywhere */
  uint8_t *wet[2];           /* [tiles] some cell is deeper than dry_depth */
  int short_ways;
  int ring_x, ring_y; /* the west and the east are periodic; the south and the north */
  int reach; /* rows that may be read from the first on: `ny`, and those beyond in the north */
  /* Of a ring of rows: a row south of the first lies so many further, one north of the last so many
   * before; as the sides count rows, either is off by `around`. */
  int below, above, around;
  int held;        /* the multiprocessors hold at once all tiles that are active at first */
  int overlap;     /* kernels may begin while the one before ends */
  int forced;      /* rotation or wind acts on the water */
  int gusts;       /* the wind changes in time */
  double turn;     /* Coriolis parameter, 1/s */
  double wind[2];  /* stress over density where it does not change, m^2/s^2 */
  double *decayed; /* [tiles][nt] lost, in the unit of h C */
  swg_rim rim;
  swg_forcing forcing;
  int n_track;
  ria_plane_track track[SWG_TRACKS];
  /* Of a part whose neighbours are on other GPUs of this host: the step sends its rows, and
   * where it is `alone` meets the others. NULL: it does not. */
  const struct swg_abreast *abreast;
} swg_view;

/* A neighbour's memory: cell `at` of this part is at + shift there. */
typedef struct swg_beside {
  void *state[2], *more[2]; /* state NULL: there is no neighbour */
  size_t plane;
  int shift;
} swg_beside;

/* In memory of the device. */
typedef struct swg_abreast {
  ria_gpu_post post;
  int32_t first_cell;   /* the grid's number of the device's first */
  int rows;             /* that a neighbour needs */
  swg_beside beside[2]; /* in the south, in the north */
} swg_abreast;

static inline int swg_blocks_of(const swg_view *v) {
  return (v->tiles_x * v->tiles_y + SWG_WARPS - 1) / SWG_WARPS;
}

/* Of swg_view.always: a boundary acts in a tile, or a row beside it is another part's, or a source
 * gives to it between steps. */
enum { SWG_FORCED = 1, SWG_AT_CUT = 2, SWG_FED = 4 };

/* How a tick begins: after a step, at the beginning of a span, at that of one whose state was just
 * surveyed. */
enum { SWG_AFTER_STEP, SWG_BEGIN, SWG_BEGIN_SURVEYED };

/* What a part says, of ria_meeting. Of a state: the greatest speed, NaN where the state is bad; the
 * cell that a single grid would name for it, by the speed rounded as there; the greatest eddy
 * viscosity. Of forcing: the speed that it asks for, by the order in which a single grid asks, and
 * the cell (`along`). */
enum { SWG_SAYS_SPEED, SWG_SAYS_PLACE, SWG_SAYS_EDDY, SWG_SAYS_ASKED };

/* What a part does where it meets the others, in this order. */
enum {
  SWG_WAITS = 1,     /* for what parts on other GPUs said, then reads what all said, and */
  SWG_KNOWS = 2,     /*   knows a state that was surveyed, or */
  SWG_SETTLES = 4,   /*   takes over the step just done */
  SWG_BEGINS = 8,    /* a span begins */
  SWG_TELLS = 16,    /* says what it found in its state, and */
  SWG_LISTS = 32,    /*   what stands at discharges and ratings that may lie over cuts */
  SWG_ASKS = 64,     /* says what its forcing asks for */
  SWG_CHOOSES = 128, /* the next step, by all that was said */
  SWG_STEPPED = 256  /* and says nothing if no step was taken: what was heard of the state holds */
};

/* Part of a meeting, up to what a part says. */
typedef struct swg_turn {
  int what;                         /* SWG_WAITS ... */
  const ria_meeting *heard;         /* [parts] what all said */
  ria_meeting *said[RIA_GPU_LANES]; /* [n_said] where this part says its words */
  int n_said;
} swg_turn;

/* A meeting as a part's kernel is given it: as many turns as come one after another. */
enum { SWG_TURNS = 3 };
enum { SWG_LISTED = 3 }; /* numbers that are told of a cell */
typedef struct swg_meeting {
  int32_t first_cell; /* the grid's number of the device's first */
  int lives;          /* boundaries act, here or in another part */
  /* Cells that SWG_LISTS is about, alike in all parts: the first of forcing.spread, then of
   * forcing.rated_cell. */
  int n_rim, n_rated;
  int parts; /* that have said something */
  int n_turns;
  swg_turn turn[SWG_TURNS];
  /* [n_rim + n_rated][SWG_LISTED] depth, bed, and roughness or (of ratings) discharge along the
   * side's normal, as all said */
  const double *list;
  double *listed[RIA_GPU_LANES]; /* [n_said] where this part says what it has of it; */
  int others_are_nan;            /*   NaN for the rest */
  int last;                      /* of its lane: it tells the others when it has said */
  int notes;                     /* it says its words in a note */
  int *over;                     /* of the host, or NULL: the span is over */
  ria_gpu_post post;
} swg_meeting;

/* The step at order 2, of one precision: as in swg_kernels. */
typedef struct swg_second_kernels {
  int (*resident)(int nt);
  cudaError_t (*step)(const swg_view *v, int old, cudaGraphConditionalHandle loop, int closes,
                      cudaStream_t stream);
  cudaError_t (*load)(void);
} swg_second_kernels;
extern const swg_second_kernels swg_second_f32, swg_second_f64;

/* The kernels of one precision, as functions of the host that queue them. `old`: which state is the
 * present one. */
typedef struct swg_kernels {
  /* Load all: see ria_cuda_load. */
  cudaError_t (*load)(const swg_view *v);
  /* Warps of a step that a multiprocessor holds at once. */
  int (*resident)(const swg_view *v);
  /* One step from state[old] to the other. */
  cudaError_t (*step)(const swg_view *v, int old, cudaGraphConditionalHandle loop, int closes,
                      cudaStream_t stream);
  /* Take over the step, choose the next, apply sources; not needed after a step that is `alone`. In
   * the loop of a graph whichever comes last of a round `closes` it: says whether to go on. span:
   * of one that begins; NULL after a step. */
  cudaError_t (*tick)(const swg_view *v, int now, int mode, const ria_span *span,
                      cudaGraphConditionalHandle loop, int closes, cudaStream_t stream);
  /* A meeting of parts, in place of the tick: the arguments are those of tick. */
  cudaError_t (*meet)(const swg_view *v, int now, const swg_meeting *m, const ria_span *span,
                      cudaGraphConditionalHandle loop, int closes, cudaStream_t stream);
  /* Put blocks in `order` for all steps that follow. Results do not depend on it. */
  cudaError_t (*arrange)(const swg_view *v, int now, cudaStream_t stream);
  /* Wet flags and the largest speed of the present state. */
  cudaError_t (*survey)(const swg_view *v, int now, cudaStream_t stream);
  /* Fields in and out: see ria_gpu_callbacks. */
  cudaError_t (*copy)(const swg_view *v, int now, const ria_grid *grid, const ria_gpu_wanted *w,
                      void *dst, cudaStream_t stream);
  cudaError_t (*assign)(const swg_view *v, int now, int field, int tracer, const double *src,
                        cudaStream_t stream);
  cudaError_t (*sample)(const swg_view *v, int now, int field, int tracer, int n,
                        const int32_t *cell, double *out, cudaStream_t stream);
  cudaError_t (*add)(const swg_view *v, int now, int quantity, int n, const int32_t *cell,
                     const double *amount, cudaStream_t stream);
  cudaError_t (*begin_maximum)(const swg_view *v, int now, const ria_plane_track *m,
                               cudaStream_t stream);
  /* *cell = the least number of a cell of state[now] that is no state; unchanged where there is
   * none. */
  cudaError_t (*find_bad)(const swg_view *v, int now, unsigned long long *cell,
                          cudaStream_t stream);
  /* Before a step that the clock has chosen: draw the cells of a layer. */
  cudaError_t (*relax)(const swg_view *v, int now, int layer, unsigned blocks, cudaStream_t stream);
} swg_kernels;

extern const swg_kernels swg_kernels_f32, swg_kernels_f64;

#endif
