/* export/netcdf_head.h - the header of a netCDF file. Private to netcdf.c. */
#ifndef RIA_EXPORT_NETCDF_HEAD_H
#define RIA_EXPORT_NETCDF_HEAD_H
#include "export/job.h"
#include <ria/crs.h>

enum { RIA_NC_CHAR = 2, RIA_NC_INT = 4, RIA_NC_FLOAT = 5, RIA_NC_DOUBLE = 6 };

typedef enum ria_nc_what {
  RIA_NC_Y,
  RIA_NC_X,
  RIA_NC_CRS,
  RIA_NC_MAP_X, /* of each cell: lon, or x on the map */
  RIA_NC_MAP_Y,
  RIA_NC_FIXED,
  RIA_NC_TIME, /* from here on records */
  RIA_NC_FRAMES
} ria_nc_what;

typedef struct ria_nc_var {
  const char *name;
  ria_nc_what what;
  int type;
  uint64_t size, begin; /* bytes, of a record where there are such; a multiple of 4 */
} ria_nc_var;

typedef struct ria_nc {
  ria_export_job *job;
  int version;     /* 2 or 5 */
  ria_nc_var *var; /* [n] those without time first */
  size_t n;
  const char *const *aside; /* [2] names of places of cells; NULL: there are none */
  ria_crs *from, *to;       /* NULL: places stay those of the map */
} ria_nc;

static inline bool ria_nc_is_record(const ria_nc_var *v) { return v->what >= RIA_NC_TIME; }

/* Added to an empty buffer. */
ria_status ria_nc_head(ria_nc *nc, ria_buffer *head);

#endif
