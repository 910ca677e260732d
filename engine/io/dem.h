/* io/dem.h - what the files of ria_dem_make share. */
#ifndef RIA_IO_DEM_H
#define RIA_IO_DEM_H
#include <ria/dem.h>

enum { RIA_DEM_INSIDE = 1, RIA_DEM_BLENDED = 2 }; /* of a cell */

/* What is told of a raster. */
typedef struct ria_dem_part {
  ria_grid grid;           /* its own */
  char from[128];          /* the system that it is projected from; "" = it is on the map already */
  bool degrees;            /* ... which counts in them */
  bool means;              /* ... by means */
  double reach[RIA_SIDES]; /* ... where there is a box: the rectangle around it on the map */
  double unit;             /* m that its values count in */
  char said[32];           /* ... as its file says; "" = it does not, or is not asked */
  double shift_least, shift_most; /* m that were added by a raster */
  long unshifted;                 /* of its cells: they lost their values */
  long cells;                     /* of the model's where it lies on top */
  long blended;                   /* of those, where others show through */
} ria_dem_part;

typedef struct ria_dem {
  ria_context *ctx;
  const ria_dem_desc *desc;
  ria_raster **layer; /* [n_layers] those that have been read and not freed; NULL = others */
  ria_dem_part *part; /* [n_layers] */
  ria_raster *z;      /* the result */
  int32_t *top;       /* [cells] the raster that lies on top, -1 = none; NULL with one raster */
  unsigned char *how; /* [cells] RIA_DEM_INSIDE: within some raster; NULL: nobody asks */
  /* Several rasters: [cells] of those that have less than half of a cell, in the order of laying.
   */
  double *share;       /* what the one at hand has of each */
  double *sum, *known; /* what all had that were not enough: sum of share x value, of share */
  bool as_it_is;       /* the one raster is the result */
  long filled, deepened;
} ria_dem;

/* "bay.tif", or "a field" */
const char *ria_dem_name(const ria_dem_layer *layer);

/* dem_unit.c: what the values of the k-th raster count in, part[k].unit. RIA_ERR_INPUT: its file
 * names a unit that is not known. */
ria_status ria_dem_unit(ria_dem *m, size_t k);

/* The same of anything: `given` in m, 0 = as `said` says (NULL: nothing), in words into text. */
ria_status ria_dem_unit_of(ria_context *ctx, const char *name, double given, const char *said,
                           double *unit, char *text, size_t size);
/* dem_shift.c: what the k-th raster's shift adds. */
ria_status ria_dem_put_shift(ria_dem *m, size_t k);
const char *ria_dem_shift_name(const ria_dem_shift *shift);

/* dem_grid.c: the grid of the result. Reads the rasters that it must know through ria_dem_open. */
ria_status ria_dem_grid(ria_dem *m, ria_grid *out);
/* dem.c: the k-th raster in metres upward, in its own system; it stays in m->layer. */
ria_status ria_dem_open(ria_dem *m, size_t k);
bool ria_dem_is_boxed(const ria_dem_desc *d);

/* dem_blend.c: lay raster k, on the cells of the result, over what is there. */
ria_status ria_dem_lay(ria_dem *m, size_t k, ria_raster *on_top);
/* Cells that rasters have together, none of them half: where the corners of four tiles meet. */
void ria_dem_join(ria_dem *m);
/* dem_smooth.c */
ria_status ria_dem_smooth(ria_context *ctx, ria_raster *z, double deviation);
/* dem_about.c: the text of m->z->about. */
ria_status ria_dem_tell(ria_dem *m);

#endif
