/* core/from.h - a hot start under way. Private to from.c and from_water.c. */
#ifndef RIA_CORE_FROM_H
#define RIA_CORE_FROM_H
#include "core/sim.h"
#include "io/buffer.h"
#include "io/regrid.h"
#include "io/zarr_read.h"
#include <ria/from.h>

typedef struct ria_from {
  ria_sim *sim;
  ria_store *store;
  ria_from_keep keep;
  size_t frame;
  double time; /* of the frame: since 1970 where dated, else of the earlier run */
  bool dated;
  ria_regrid regrid;
  size_t n_from, n_to;        /* cells of either grid */
  uint8_t *covered;           /* [to] 1: the cell gets values from the store */
  size_t n_covered, n_inside; /* of those within the domain */
  ria_buffer taken;           /* "depth, qx" */
  ria_buffer told, warned;    /* lines */
} ria_from;

/* A field of the frame in doubles [n_from]; NULL in *out where the store has none. The caller frees
 * it. RIA_ERR_INPUT: it is in another unit than `unit`, the field's here. */
ria_status ria_from_read(ria_from *f, const char *name, const ria_sim_field *like, double **out);
/* The same, but a field that stays. */
ria_status ria_from_read_fixed(ria_from *f, const char *name, const ria_sim_field *like,
                               double **out);
/* n zeros, which the caller frees. */
ria_status ria_from_room(ria_from *f, size_t n, double **out);
/* Which cells are covered: share[to] of each has values. RIA_ERR_INPUT: none of them. */
ria_status ria_from_cover(ria_from *f, const double *share);
/* Set a field where cells are covered; in the others it stays as it is. */
ria_status ria_from_set(ria_from *f, const ria_sim_field *field, double *values);
/* Name what was taken. */
void ria_from_took(ria_from *f, const char *name);
const ria_sim_field *ria_from_field(const ria_sim *sim, const char *name, int tracer);

/* from_water.c: is it a solver of flow, by its fields? Then its state. */
bool ria_from_is_water(const ria_sim *sim);
ria_status ria_from_water(ria_from *f);

#endif
