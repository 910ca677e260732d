/* io/zarr_read.h - a store of fields, as io/zarr.h writes them, or a classic netCDF file, read: a
 * window of a field at a time. Private.
 *
 * Every number of the metadata is checked before it is used: a store may be from elsewhere, damaged
 * or under way. What is read is as many frames as the metadata show; they are on disk. */
#ifndef RIA_IO_ZARR_READ_H
#define RIA_IO_ZARR_READ_H
#include <ria/grid.h>
#include <ria/status.h>

typedef struct ria_store ria_store;

/* Cells i0 <= i < i1, j0 <= j < j1. */
typedef struct ria_window {
  int i0, i1, j0, j1;
} ria_window;

/* A store at `path`, or `<path>/fields.zarr` of a run's results, or a netCDF file. RIA_ERR_INPUT
 * says what is wrong with it and where. */
ria_status ria_store_open(ria_context *ctx, const char *path, ria_store **out);
void ria_store_close(ria_store **s); /* NULL is nothing */
typedef struct ria_store_how {
  double dx, dy; /* of a grid of one column, or row, whose store does not show it; 0 = refused */
  bool timeless; /* one of fields that stay alone will do: it has no times */
  bool zarr;     /* netCDF is refused; ria_store_text and what follows it is of Zarr alone */
} ria_store_how;
ria_status ria_store_open_as(ria_context *ctx, const char *path, const ria_store_how *how,
                             ria_store **out);

const char *ria_store_path(const ria_store *s);
const ria_grid *ria_store_grid(const ria_store *s);
/* Times of the frames, s, which grow: since 1970 where *dated. */
const double *ria_store_times(const ria_store *s, size_t *n, bool *dated);
/* Is it a coordinate system other than that of `crs` (NULL or "": none)? Where either has none it
 * is not known, and no. */
bool ria_store_other_crs(const ria_store *s, const char *crs);
/* The system of a store whose grid counts longitude and latitude, degrees, as netCDF may: text for
 * ria_crs_create. NULL: it counts metres. */
const char *ria_store_lon_lat(const ria_store *s);

/* Is there a field of that name with frames? */
bool ria_store_has(const ria_store *s, const char *field);
/* One that stays the same, saved once? It is read as any frame. */
bool ria_store_has_fixed(const ria_store *s, const char *field);
/* The k-th name of all, in the order of letters; NULL past the last. */
const char *ria_store_field(const ria_store *s, size_t k);
/* Its unit, as CF has it, into unit[size]; "" where it says none. */
ria_status ria_store_unit(ria_context *ctx, const ria_store *s, const char *field, char *unit,
                          size_t size);
/* Names of the fields with frames, "level, u, v". */
void ria_store_fields(const ria_store *s, char *text, size_t size);
/* Frame k of a field, the window alone [j1 - j0][i1 - i0], NaN where it has no value. */
ria_status ria_store_read(ria_context *ctx, const ria_store *s, const char *field, size_t k,
                          const ria_window *w, double *out);

/* --- of Zarr alone (ria_store_how.zarr) --- */

/* A text of the attributes of an array ("." for those of the store), "" where there is none. */
ria_status ria_store_text(ria_context *ctx, const ria_store *s, const char *name, const char *key,
                          char *out, size_t size);
/* All attributes of an array, or "." of the store, as JSON, malloc'ed; NULL where it has none. */
ria_status ria_store_attributes(ria_context *ctx, const ria_store *s, const char *name, char **json,
                                size_t *n);
/* All numbers of an array of one dimension, as doubles; *out malloc'ed. */
ria_status ria_store_line(ria_context *ctx, const ria_store *s, const char *name, double **out,
                          size_t *n);
/* Cells of a chunk of a field, and bytes of its numbers: 4 or 8. What is read by whole chunks is
 * unpacked once. */
void ria_store_tile(const ria_store *s, const char *field, int *wide, int *high, int *bytes);

#endif
