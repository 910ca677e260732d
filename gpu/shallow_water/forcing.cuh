/* gpu/shallow_water/forcing.cuh - a forcing on its way to the device: for forcing.cu, which
 * replaces the one before, and forcing_lists.cu, which makes its lists. */
#ifndef RIA_GPU_SHALLOW_WATER_FORCING_CUH
#define RIA_GPU_SHALLOW_WATER_FORCING_CUH
#include "host.cuh"

/* What is copied to the device, as it is made on the host. */
typedef struct swg_parts {
  const ria_forcing_set *set; /* ratings in it are levels, */
  const int *curve;           /*   [n_stretch] with the forcing id of a curve; 0: no rating */
  swg_forcing f;              /* the new one: with addresses once the planes have placed it */
  const uint8_t *kind_there;  /* the new kinds and flags, on the device */
  const uint8_t *always_there;
  uint8_t *kind;                /* [rim] */
  swg_spread *spreads;          /* [n_stretch] */
  swg_rim_cell *spread, *level; /* [rim + 64 n_stretch], [rim] */
  swg_rim_cell *radiating;      /* [rim] */
  double *value, *conc;         /* [water_values], [n_stretch][nt]: of what is constant */
  swg_varying *varying; /* [n_stretch * (WATER_ALONG + 1 + nt) + n_sources] the rest, without
                           points; sources */
  water_place *place;   /* [WATER_ALONG][rim], where there are points */
  const water_place *place_there[WATER_ALONG];
  swg_rated *rated;         /* [n_stretch] */
  swg_rim_cell *rated_cell; /* [rim] */
  int32_t *id;              /* [n_varying] of `varying` */
  int n_varying, n_rated_cells;
  int n_rated;               /* of these: on the western and the eastern side */
  bool rating_cut;           /* steps look at cells of one that has cells in other parts */
  ria_gpu_source_cell *cell; /* [f.n_source_cells] */
  size_t n_owed;             /* cells of all sources */
  ria_relax *relax;          /* [f.n_layers] with the cells that the device has, as elements */
  ria_gpu_layer *layer;      /* [f.n_layers] */
  int n_rim;                 /* of spread: on the western and the eastern side */
  bool rim_cut;              /* one of these stretches is in this part and in another */
} swg_parts;

/* Fill all lists: room for them is there, but for `place`. */
ria_status swg_list_forcing(swg *s, swg_parts *q);

#endif
