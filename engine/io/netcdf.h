/* io/netcdf.h - classic netCDF files, read: CDF-1, CDF-2 (64-bit offsets) and CDF-5 (64-bit data).
 * Private.
 *
 * The header is read whole and every number in it checked, against the others and against the size
 * of the file, before anything is believed: a file that opens can be read to its end. netCDF-4 is
 * HDF5, another format, and is not read. */
#ifndef RIA_IO_NETCDF_H
#define RIA_IO_NETCDF_H
#include <ria/status.h>

typedef struct ria_netcdf ria_netcdf;

/* Types by the numbers of the format. */
typedef enum ria_nc_type {
  RIA_NC_BYTE = 1, /* signed */
  RIA_NC_CHAR,
  RIA_NC_SHORT,
  RIA_NC_INT,
  RIA_NC_FLOAT,
  RIA_NC_DOUBLE,
  RIA_NC_UBYTE, /* from here on in CDF-5 alone */
  RIA_NC_USHORT,
  RIA_NC_UINT,
  RIA_NC_INT64,
  RIA_NC_UINT64
} ria_nc_type;

enum { RIA_NC_DIMS_MOST = 8 }; /* of a variable */

typedef struct ria_nc_dim {
  const char *name;
  uint64_t length; /* of the record dimension: how many records there are */
  bool record;
} ria_nc_dim;

/* Name and values of an attribute, as they lie in the file. */
typedef struct ria_nc_att {
  const char *name;
  ria_nc_type type;
  uint64_t n;
  const unsigned char *raw; /* big-endian */
} ria_nc_att;

typedef struct ria_nc_var {
  const char *name;
  ria_nc_type type;
  int rank;
  int dim[RIA_NC_DIMS_MOST]; /* indices of dimensions, the slowest first */
  bool record;               /* the first of them is the record dimension */
  ria_nc_att *att;           /* [n_att] */
  size_t n_att;
  uint64_t count; /* numbers; of a record variable, in one record */
  uint64_t begin; /* offset in the file */
} ria_nc_var;

/* Does a file begin as classic netCDF does (version: 1, 2, 5; of another one too), or as HDF5? */
int ria_netcdf_version(const void *head, size_t n); /* 0: neither, -1: HDF5 */

/* Read the header of the file that a descriptor is open at, which belongs to what is returned, on
 * failure too. RIA_ERR_INPUT says what is wrong: "<path>: ...". */
ria_status ria_netcdf_open(ria_context *ctx, const char *path, int fd, ria_netcdf **out);
void ria_netcdf_close(ria_netcdf **nc); /* NULL is nothing */

size_t ria_netcdf_vars(const ria_netcdf *nc);
const ria_nc_var *ria_netcdf_var_at(const ria_netcdf *nc, size_t k);
const ria_nc_var *ria_netcdf_var(const ria_netcdf *nc, const char *name); /* NULL: none */
const ria_nc_dim *ria_netcdf_dim(const ria_netcdf *nc, const ria_nc_var *v, int k);

/* An attribute as text, "" where it is not there or none; cut to size - 1 bytes. False where it was
 * cut or is not there. */
bool ria_netcdf_text(const ria_nc_var *v, const char *name, char *out, size_t size);
/* Number k of an attribute; false where there is none. */
bool ria_netcdf_number(const ria_nc_var *v, const char *name, size_t k, double *out);

/* n numbers of a variable from the `from`-th on, of one record; as they are stored, not scaled.
 * record: 0 for a variable without. They must be there. RIA_ERR_INPUT where the file has become
 * shorter since. */
ria_status ria_netcdf_read(ria_context *ctx, const ria_netcdf *nc, const ria_nc_var *v,
                           uint64_t record, uint64_t from, size_t n, double *out);

#endif
