/* io/crs_grids.h - the table of projected systems of the transverse Mercator kind. */
#ifndef RIA_IO_CRS_GRIDS_H
#define RIA_IO_CRS_GRIDS_H
#include <stddef.h>

/* Codes in a row that differ by a step of the central meridian. */
typedef struct ria_crs_grids {
  int code, n, datum; /* the first code, how many, the datum's */
  double lat0, lon0;  /* deg */
  double lon_step;    /* of the next code, deg */
  double k0, east;    /* 1, m */
  double east_step;   /* of the next code, m */
  double north;       /* m */
} ria_crs_grids;

/* The k-th row; NULL past the last one. */
const ria_crs_grids *ria_crs_grids_at(size_t k);

#endif
