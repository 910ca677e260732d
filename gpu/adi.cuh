/* gpu/adi.cuh - what the files of the implicit solver on CUDA share.
 *
 *   adi.cu            memory, the clock, the functions the engine calls
 *   adi_f32.cu        kernels in single precision; adi_f64.cu in double:
 *   partition.cuh     tridiagonal lines in segments    } compiled by both
 *   adi_sweep.cuh     a sweep, build and solve in one  }
 *   adi_more.cuh      forcing, tracers, fields         }
 *
 * The formulas are the CPU's: engine/solvers/adi/adi_k.h. */
#ifndef RIA_GPU_ADI_CUH
#define RIA_GPU_ADI_CUH
#include "planes.cuh"
#include "solvers/adi/adi.h"

enum { ADIG_SLOTS = 32 };

/* What a sweep is given. Strides in numbers; planes are of the device, cell (0, 0) at `origin`. */
typedef struct adig_sweep {
  int n, lines;         /* cells of a line, lines */
  size_t along, across; /* from a cell to the next of its line; to the same one of the next line */
  size_t origin;
  const void *bed, *level, *u, *v, *v_old; /* u: flux along; v: across, now and a step earlier */
  const void *manning, *viscosity;         /* or NULL: one value everywhere */
  const void *carried;                     /* u as the cross term takes it */
  void *level_new, *u_new;
  bool is_first; /* a first solution: u_new gets what the second one takes, nothing else is written
                  */
  void *moved_u, *moved_v; /* what crosses faces along and across; NULL = not needed */
  double g, da, dc, dt, dt_u, drying, flooding, land; /* for adi_way_of */
  double lw, upwind, turn, wind, rough, eddy;         /* where there are no planes of them */
  /* The ends of lines: rim cells first[0] + line where they begin, first[1] + line where they end;
   * those of the first and the last line likewise at side[0], side[1]. */
  int first[2], side[2];
  bool walls[2]; /* nothing but walls there */
  const int32_t *owner;
  const ria_stretch *stretch;
  const double *value;  /* [rim] level or discharge per width of the moment */
  ria_crossed *crossed; /* [rim][n_quantities] */
  int n_quantities;
  double area;
  unsigned *fastest; /* [3][ADIG_SLOTS] bits of the largest sum of two fluxes across, as float */
  int slot;          /* that this sweep reads; the next is written, the one after cleared */
  int *number;       /* [3] of this sweep at `slot`, from 0: there for what is replayed */
  int most_blocks;   /* that a line may take: 1 where there are no clusters */
  int *bad;          /* 1 + number of the sweep that wrote what is no state, or 0 */
} adig_sweep;

/* The present state, as what reads and sets it needs it. */
typedef struct adig_state {
  ria_gpu_view v;
  void *bed, *manning, *level, *p, *q, *q_old, *viscosity, *load[RIA_MAX_TRACERS];
  int nt;
  double dry, land, gravity, eddy, smagorinsky, manning_one;
  const int *bad; /* NULL: whatever it is */
} adig_state;

/* Boundaries of the moment, along an axis. */
typedef struct adig_ends {
  ria_gpu_view v;
  int axis, nt;
  double t_level, t_flux, gravity, land, drying;
  const void *bed, *level, *manning;
  double *value;  /* [rim] */
  double *inflow; /* [n_stretch][nt] */
  const int *bad;
} adig_ends;

typedef struct adig_sources {
  ria_gpu_view v;
  double t, dt;
  const void *bed;
  void *level, *load[RIA_MAX_TRACERS];
  double *owed; /* by cell of a source */
  const int *bad;
} adig_sources;

/* What the automatic step looks at: the largest so far of `out`, as the bits of doubles that are
 * not negative; where, as a float and what is left of the largest cell's number. */
enum {
  ADIG_DEEPEST,
  ADIG_FLOW,
  ADIG_RATE,
  ADIG_FORCED,
  ADIG_FLOW_AT,
  ADIG_RATE_AT,
  ADIG_FORCED_AT
};
enum { ADIG_SEEN = 7 };
typedef struct adig_look {
  adig_state s;
  int axis; /* of boundaries */
  double flooding, t, dt;
  const double *value; /* [rim] current */
  unsigned long long *out;
} adig_look;

/* A tracer over half a step, or mixed. */
typedef struct adig_carry {
  ria_gpu_view v;
  int tracer, nt;
  const void *bed, *level, *moved_x, *moved_y, *load;
  void *load_new;
  const double *inflow;
  const int *bad;
} adig_carry;

/* The kernels of one precision, as functions of the host that queue them. */
typedef struct adig_kernels {
  cudaError_t (*sweep)(const adig_sweep *s, int axis, cudaStream_t stream);
  cudaError_t (*force)(const adig_ends *f, cudaStream_t stream);
  cudaError_t (*sources)(const adig_sources *f, cudaStream_t stream);
  cudaError_t (*eddies)(const adig_state *s, double dt, cudaStream_t stream);
  cudaError_t (*carry)(const adig_carry *c, cudaStream_t stream);
  cudaError_t (*mix)(const adig_carry *c, double mix_x, double mix_y, cudaStream_t stream);
  cudaError_t (*mix_lines)(const adig_carry *c, int axis, double mix, void *up, void *rhs,
                           cudaStream_t stream);
  cudaError_t (*decay)(const ria_gpu_view *v, void *load, double keep, double *lost, const int *bad,
                       cudaStream_t stream);
  cudaError_t (*derive)(const adig_state *s, int field, const void *load, void *to,
                        cudaStream_t stream);
  cudaError_t (*density)(const adig_state *s, void *to, cudaStream_t stream);
  cudaError_t (*look)(const adig_look *l, cudaStream_t stream);
  cudaError_t (*look_sides)(const adig_look *l, cudaStream_t stream);
  cudaError_t (*look_sources)(const adig_look *l, cudaStream_t stream);
  cudaError_t (*set_cells)(const adig_state *s, int field, void *load, double *cells,
                           cudaStream_t stream);
  cudaError_t (*set_faces)(const adig_state *s, int axis, const double *cells, int factor,
                           void *now, void *old, cudaStream_t stream);
  cudaError_t (*settle)(const adig_state *s, int axis, void *now, void *old, cudaStream_t stream);
  cudaError_t (*add)(const adig_state *s, int quantity, int n, const int32_t *cell,
                     const double *amount, cudaStream_t stream);
  cudaError_t (*find_bad)(const ria_gpu_view *v, const void *level, const void *flux,
                          unsigned long long *cell, cudaStream_t stream);
} adig_kernels;

extern const adig_kernels adig_kernels_f32, adig_kernels_f64;

#endif
