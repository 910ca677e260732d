/* io/store.h - what stores of every kind share: Zarr (zarr_read.c) and netCDF (netcdf_store.c).
 * Private to them and store.c; io/zarr_read.h is what others include. */
#ifndef RIA_IO_STORE_H
#define RIA_IO_STORE_H
#include "io/netcdf.h"
#include "io/zarr_array.h"
#include "io/zarr_read.h"

enum { RIA_STORE_NAME = 256 };

typedef struct ria_stored_field {
  char name[RIA_STORE_NAME];
  bool fixed;            /* it stays the same: of one time */
  ria_zarr_array array;  /* Zarr */
  const ria_nc_var *var; /* netCDF */
} ria_stored_field;

/* What the kinds do, each in its way. */
typedef struct ria_store_kind {
  ria_status (*open)(ria_context *ctx, ria_store *s); /* s->path is set */
  ria_status (*unit)(ria_context *ctx, const ria_store *s, const ria_stored_field *f, char *unit,
                     size_t size);
  bool (*other_crs)(const ria_store *s, const char *crs);
  ria_status (*read)(ria_context *ctx, const ria_store *s, const ria_stored_field *f, size_t k,
                     const ria_window *w, double *out);
} ria_store_kind;
extern const ria_store_kind ria_zarr_kind, ria_netcdf_kind;

struct ria_store {
  const ria_store_kind *kind;
  ria_store_how how;
  char *path;
  ria_grid grid;
  double *time; /* [n_times] */
  size_t n_times;
  bool dated;
  ria_stored_field *field; /* [n], by name */
  size_t n, room;
  /* of netCDF */
  int fd; /* until it is nc's, -1 then */
  ria_netcdf *nc;
  bool degrees;  /* the grid counts longitude and latitude */
  bool northern; /* its first row is the northernmost */
  char *crs;     /* text for ria_crs_create, or NULL */
};

/* RIA_ERR_INPUT: "store <path>: <name>: <why>" */
ria_status ria_store_fail(ria_context *ctx, const ria_store *s, const char *name, const char *why);
/* Take n centres of cells, m, for the grid's axis 0 (x) or 1 (y): evenly apart, but for `rounding`
 * of each, and rising. One alone is as wide as s->how says. */
ria_status ria_store_axis(ria_context *ctx, ria_store *s, const char *name, int axis,
                          const double *v, size_t n, double rounding);
/* Make seconds of s->time, as the unit of the variable says, and check that they grow. */
ria_status ria_store_dates(ria_context *ctx, ria_store *s, const char *name, const char *unit);
/* Is the grid one that a run could have? */
ria_status ria_store_check(ria_context *ctx, const ria_store *s);
ria_status ria_store_add(ria_context *ctx, ria_store *s, const char *name, bool fixed,
                         ria_stored_field **out);
const ria_stored_field *ria_store_find(const ria_store *s, const char *name); /* NULL: none */

#endif
