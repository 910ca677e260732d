/* ria/export.h - stored fields for other programs: netCDF, ParaView, GIS, tables.
 *
 * What a run saved (ria_save_action, maxima) is read from its stores and written in another format,
 * in memory of the size of a row of chunks, but for GeoTIFF, whose writer takes a whole frame.
 * Every file appears whole or not at all; one that names others comes after them. A run may go on
 * meanwhile: what is exported are the frames that its stores show. */
#ifndef RIA_EXPORT_H
#define RIA_EXPORT_H
#include <ria/status.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum ria_export_kind {
  RIA_EXPORT_NETCDF,  /* a file a store, by the CF conventions (CF-1.10); fields [time][y][x] in the
                         store's own precision, NaN where there is no value. 64-bit offsets (CDF-2);
                         64-bit data (CDF-5) where a frame of a field takes 4 GiB. The grid mapping
                         `crs` where the run has a coordinate system; on a turned grid x and y run
                         along its axes, and longitude and latitude of each cell (without a system,
                         the map's x and y) come beside them */
  RIA_EXPORT_VTI,     /* ParaView: an image (.vti) a frame with values of cells, and a .pvd that
                         names all with their times, s */
  RIA_EXPORT_GEOTIFF, /* a file a field and frame, as ria_raster_write has them */
  RIA_EXPORT_CSV,     /* one frame: x, y (of cells' centres on the map, m) and a column a field,
                         cells without any value left out; or `at`, or `line` */
  RIA_EXPORT_XDMF     /* XML, and the numbers in a .bin beside it */
} ria_export_kind;

/* What was made: a file with those that it names, or a folder of files. */
typedef struct ria_export_made {
  const char *path;
  const char *fields; /* "bed, level, u" */
  size_t frames;      /* 0: fields without time alone */
  size_t files;
  double bytes;
} ria_export_made;

typedef struct ria_export_desc {
  const char *from; /* the results of a run, or a store */
  ria_export_kind to;
  const char *store; /* "maxima" or "maxima.zarr": one of the run's. NULL = all that have fields; of
                        those, where times, a place or one file are named, the ones with times */
  const char *fields; /* "level, u"; NULL = all */
  const char *times;  /* "6 h, 12 h" since t = 0, dates in a run with a start (in its zone where
                         they say none), "first", "last"; NULL = all, or for one frame the last */
  const char *out;    /* with the ending of its kind (.nc .pvd .tif .csv .xdmf) a file; else a
                         folder, made if it is not there. NULL = `export` in the results */
  const double *at;   /* [2] x, y on the map, m: the values of its cell in time; of CSV */
  const double *line; /* [4] from x, y to x, y: the values of the cells along it; of CSV */
  void (*made)(void *user, const ria_export_made *what); /* NULL = nobody is told */
  void *user;
} ria_export_desc;

/* RIA_ERR_INPUT: a store cannot be read. RIA_ERR_ARGUMENT: no such store, field or time, a place
 * outside the grid, or a description that makes no sense. RIA_ERR_OUTPUT. RIA_INTERRUPTED. What
 * was whole by then stays. */
RIA_API ria_status ria_export(ria_context *ctx, const ria_export_desc *desc);

/* "netcdf", "vti", "geotiff", "csv", "xdmf"; NULL past the last. */
RIA_API const char *ria_export_name(ria_export_kind kind);

#ifdef __cplusplus
}
#endif
#endif
