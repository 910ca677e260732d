/* gpu/sediment/sediment.cuh - the two-sediment solver on CUDA: what its kernels are given.
 *
 *   host.cuh             the host's side, and where it is
 *   f32.cu, f64.cu       the kernels in single and in double precision, of
 *     pass.cuh             a step: one pass over memory, or two
 *     tick.cuh             between two passes: the clock, boundaries and sources
 *     meet.cuh             the same of parts that step together
 *     fields.cuh           fields, sums
 *
 * The formulas are the CPU's (engine/solvers/sediment/...). The clock is on the device: which of
 * the two states is the present, how long the next step is and whether the span is over. */
#ifndef RIA_GPU_SEDIMENT_CUH
#define RIA_GPU_SEDIMENT_CUH
#include "machine/planes.cuh"
#include "machine/post.cuh"
#include "solvers/sediment/sediment.h"

enum {
  SEDG_WIDE = 256, /* columns of a tile, a thread each */
  SEDG_TICK = 256, /* threads between two passes: one block */
  SEDG_EACH = 256  /* threads of a block of everything else */
};

/* What passes and ticks tell each other. */
typedef struct sedg_report {
  sed_clock clock;
  unsigned long long pull; /* bits of a double >= 0, whose order is that of the numbers */
  int bad;
  int held;      /* the last pass was a step: what its tiles found counts */
  double strata; /* sand below the active layer from sides and sources, m */
} sedg_report;

/* Numbers that do not change while passes run, in double; kernels of single precision convert. */
typedef struct sedg_args {
  ria_gpu_view v;
  void *h[2], *s[2], *base, *alpha, *beta;
  sedg_report *report;
  double *found, *deposit; /* [tiles] sand that went down: in the last pass, and before */
  const int *cells_of;     /* [n_stretch] */
  sed_pace pace;
  double c_sand, c_mud;
  double sea, per_base, less_a, less_b, a, b; /* as in sed_const */
  sed_ways ways;
  int tiles_x, tiles_y, rows; /* tiles; rows of one */
  int begin, end;             /* the part's rows of those on the device */
  int from, to; /* rows that a pass goes over, in tiles: with the paper's scheme, whose second pass
                   reads new heights on either side, those beside the part too */
  int side[RIA_SIDES]; /* cells of each side that are on the device */
  int forced;          /* there are sources, or sides that are not closed */
  int early;           /* kernels of a step begin while the one before ends (machine/follow.cuh) */
} sedg_args;

/* Of a part whose neighbours are on other GPUs: its tiles at cuts store the rows that these need in
 * their memory, while others are under way. By the state that is written, side and plane (heights,
 * fractions): how far from a row of this part the neighbour has it, in numbers; 0: nowhere. */
typedef struct sedg_abreast {
  ptrdiff_t away[2][2][2];
} sedg_abreast;

/* What a part does at a meeting: it says its words to all lanes, and hears what all said. AWAITS:
 * it waits for the words of other lanes, as their rows are fetched before they are heard. SWAPS: it
 * says and hears at once, by notes, where its pass sends the rows. */
enum { SEDG_SAYS = 1, SEDG_HEARS = 2, SEDG_AWAITS = 4, SEDG_SWAPS = 8 };
/* The state before, into which the next pass of neighbours sends rows: when a part is done with it.
 * UNTOLD: it brings nothing to rows there, and nobody asks. TOLD: it tells; who sends rows waits.
 * HEARD: the meeting itself ends when all have told. */
typedef enum sedg_done { SEDG_UNTOLD, SEDG_TOLD, SEDG_HEARD } sedg_done;
typedef struct sedg_meeting {
  ria_gpu_post post;
  int what, last;                   /* last: of its lane */
  sedg_done done;                   /* with the state before */
  int n_said, parts;                /* lanes; parts of all */
  ria_meeting *said[RIA_GPU_LANES]; /* its words in each lane */
  const ria_meeting *heard;         /* [parts] */
} sedg_meeting;

/* Kernels of one precision. Each queues. */
typedef struct sedg_kernels {
  /* A pass of a part has its row beside it on either side; a tick brings what comes to these rows
   * too, and counts none of it there. abreast: NULL, or where rows at cuts go. */
  cudaError_t (*pass)(const sedg_args *a, const sedg_abreast *abreast, cudaStream_t stream);
  cudaError_t (*tick)(const sedg_args *a, cudaGraphConditionalHandle loop, int closes,
                      cudaStream_t stream);
  cudaError_t (*meet)(const sedg_args *a, const sedg_meeting *m, cudaGraphConditionalHandle loop,
                      int closes, cudaStream_t stream);
  cudaError_t (*wrap)(const sedg_args *a, void *plane, cudaStream_t stream);
  cudaError_t (*fill)(const sedg_args *a, void *plane, double v, cudaStream_t stream);
  /* bits of the least and the greatest of a plane of numbers >= 0, into out[2] */
  cudaError_t (*spread)(const sedg_args *a, const void *plane, unsigned long long *out,
                        cudaStream_t stream);
  cudaError_t (*derive)(const sedg_args *a, int now, int field, void *to, cudaStream_t stream);
  cudaError_t (*density)(const sedg_args *a, int now, int quantity, void *to, cudaStream_t stream);
  /* s (h - had) of every cell, into `to` */
  cudaError_t (*change)(const sedg_args *a, int now, const void *had, void *to,
                        cudaStream_t stream);
  cudaError_t (*add)(const sedg_args *a, int now, int quantity, int n, const int32_t *cell,
                     const double *amount, cudaStream_t stream);
  cudaError_t (*resident)(const sed_ways *ways, int *blocks); /* of a pass, on a multiprocessor */
} sedg_kernels;

extern const sedg_kernels sedg_f32, sedg_f64;

#endif
