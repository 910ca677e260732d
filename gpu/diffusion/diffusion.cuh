/* diffusion.cuh - what the files of the diffusion solver on CUDA share.
 *
 *   host.cuh   the host's side, and where it is
 *   f32.cu     kernels in single precision; f64.cu in double:
 *   pass.cuh   several steps a pass over memory } compiled by both
 *   abreast.cuh   how passes of parts hand rows on  }
 *   plain.cuh  one step, with all there may be  }
 *   resident.cuh  many steps of a small plate   }
 *
 * The formulas are the CPU's: engine/solvers/diffusion/diffusion_k.h. Fields are planes of
 * planes.cuh. */
#ifndef RIA_GPU_DIFFUSION_CUH
#define RIA_GPU_DIFFUSION_CUH
#include "machine/planes.cuh"
#include "machine/post.cuh"
#include "solvers/diffusion/diffusion.h"

/* A part of a grid. The device has as many rows beside it as a pass takes steps, and takes what it
 * has for a plate of its own: what follows from where that ends, which is nothing that lies beyond,
 * comes a row nearer with every step, and does not reach the part. Tiles of a pass cover the part's
 * rows alone; a single step does the rows beside it too, and what crosses sides there is the
 * neighbours' to tell.
 *
 * Of a ring of rows a part at an end has those beyond it behind its other rows
 * (machine/planes.cuh): they are read there, and worked out by the tiles that need them alone. */

/* How a pass shares out the rows of a part. A tile takes longer a row at a side, and much longer
 * where the side is not quiet, so it has fewer rows: a strip along the south and the north, and
 * short tiles in the first column of tiles and in those of the east. Where the plate is cut there
 * are strips too, so that the rows that a neighbour needs are done early. Small plates are all of
 * these. Tiles are numbered strips first, then those at the west and the east, then the others,
 * those that are lower last: what takes longest begins first. */
typedef struct dfg_tiles {
  int across;            /* columns of tiles */
  int from, to;          /* rows that have tiles */
  int strip[2];          /* rows of a strip in the south and the north; 0: there are none */
  int sides, side_rows;  /* columns of tiles at the west and the east; rows of a tile there */
  int side_y;            /* tiles of such a column */
  int rows, inner_y;     /* of the other columns */
  int late_rows, late_y; /* behind these, in the north: lower ones */
  int n;                 /* all tiles */
} dfg_tiles;

/* How a small plate lies in the shared memory of one cluster of blocks: a band of rows each. */
typedef struct dfg_bands {
  int blocks;             /* 0: it does not */
  int rows;               /* of the highest band */
  int rows_each, threads; /* of a thread; of a block */
  size_t room;            /* bytes of a block */
} dfg_bands;

/* What kernels of steps are given. */
typedef struct dfg_view {
  ria_gpu_view v;
  const void *u;                    /* the state before */
  void *next;                       /* after */
  const void *diffusivity, *source; /* NULL: uniform, none */
  const void *face[2];              /* conductance of west and south faces, 1/s; NULL: uniform */
  const double *outside;            /* [levels][n_stretch] df_outside of each step of the pass */
  int per_level;                    /* n_stretch, or 0 where all levels have the same */
  df_sides sides;
  int begin, end; /* the part's rows of those on the device */
  int there;      /* rows that a tile may walk over; of the last two nothing comes */
  int beyond;     /* of a part of a ring: rows beyond an end; else 0 */
  /* In elements: from a cell of the first row to what lies south of it where the south is periodic,
   * of the last to what lies north. */
  ptrdiff_t to_south, to_north;
  int base, around;   /* the grid's row that is the device's first; how many rows the grid has */
  unsigned insulated; /* bit `side` is set where all of a side is DF_OPEN */
  unsigned quiet;     /* where it is, or goes round, or is where a part is cut */
  double dt, d;       /* s; uniform diffusivity, m^2/s */
  dfg_tiles tiles;    /* of a pass */
  dfg_bands bands;    /* of a plate that is resident */
} dfg_view;

/* Of a part whose neighbours are on other GPUs, which take the same pass: its strips at cuts store
 * the rows that these need in their memory, while the other tiles are under way; the last warp of
 * a pass waits until those of all parts are there. So the next pass may begin. */
typedef struct dfg_abreast {
  ptrdiff_t away[2]; /* from a row of `next` to where the southern, the northern neighbour has it,
                        in numbers; 0: there is none */
  int rows;          /* that it has */
  unsigned *done;    /* tiles that have stored, and all tiles that are done: 0 between passes */
  ria_gpu_post post;
} dfg_abreast;

/* The kernels of one precision, as functions of the host that queue them. */
typedef struct dfg_kernels {
  /* Depths that passes come in, falling, up to a 0. */
  int depth[4];
  /* Columns of a tile of a pass, and how many warps a multiprocessor holds. */
  void (*shape)(int depth, int *columns, int *warps);
  /* abreast: NULL, or how it passes rows on. */
  cudaError_t (*pass)(const dfg_view *a, const dfg_abreast *abreast, int depth,
                      cudaStream_t stream);
  /* Load all, so that nothing has to be loaded while another GPU waits: see ria_cuda_load. */
  cudaError_t (*load)(void);
  cudaError_t (*step)(const dfg_view *a, cudaStream_t stream);
  /* How a plate may be resident. */
  void (*bands)(int nx, int ny, bool source, dfg_bands *out);
  cudaError_t (*resident)(const dfg_view *a, int steps, cudaStream_t stream);
  /* What continuous sources give in [t, t + dt], to a.u. */
  cudaError_t (*sources)(const dfg_view *a, double t, cudaStream_t stream);
  /* face[0], face[1] from diffusivity */
  cudaError_t (*faces)(const dfg_view *a, cudaStream_t stream);
} dfg_kernels;

extern const dfg_kernels dfg_kernels_f32, dfg_kernels_f64;

#endif
