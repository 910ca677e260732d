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

/* What a sweep is given. Strides in numbers; planes are of the device, cell (0, 0) at `origin`. */
typedef struct adig_sweep {
  int n, lines;         /* cells of a line, lines */
  size_t along, across; /* from a cell to the next of its line; to the same one of the next line */
  size_t origin;
  const void *bed, *level, *u, *v, *v_old; /* u: flux along; v: across, now and a step earlier */
  const void *manning, *viscosity;         /* or NULL: one value everywhere */
  void *level_new, *u_new;
  void *moved_u, *moved_v; /* what crosses faces along and across; NULL = not needed */
  double g, da, dc, dt, dt_u, drying, flooding, land; /* for adi_way_of */
  double lw, upwind, turn, wind, n2g, eddy;           /* n2g: g n^2 of the one roughness */
  /* The ends of lines: rim cells first[0] + line where they begin, first[1] + line where they end;
   * those of the first and the last line likewise at side[0], side[1]. */
  int first[2], side[2];
  const int32_t *owner;
  const ria_stretch *stretch;
  const double *value; /* [rim] level or discharge per width of the moment */
  ria_crossed *crossed; /* [rim][n_quantities] */
  int n_quantities;
  double area;
  unsigned long long *fastest; /* [3] bits of the largest flux moved across, by `turn_of` */
  int slot;                    /* that this sweep reads; the next is written, the one after cleared */
  int *bad;
} adig_sweep;

#endif
