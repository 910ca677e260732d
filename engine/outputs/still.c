/* outputs/still.c - a store of fields without time: maxima, maps of fits. */
#include "base/context.h"
#include "base/grid.h"
#include "outputs/output.h"
#include "outputs/packed.h"

#include <stdlib.h>

static ria_status put(ria_sim *sim, ria_zarr *store, size_t k, const ria_sim_field *f,
                      bool maximum) {
  if (sim->by_ranks) return ria_packed_put(sim, store, k, f, maximum);
  const size_t bytes = ria_grid_cells(&sim->grid) * ria_real_size(sim->real);
  void *values = malloc(bytes);
  if (!values) return ria_fail_memory(sim->ctx, "a field", bytes);
  const ria_status s = ria_field_read(sim, f, maximum, sim->real, values);
  if (s == RIA_OK) return ria_zarr_put(store, k, values);
  free(values);
  return s;
}

static ria_status write_store(ria_sim *sim, const char *path, const ria_sim_field *const *fields,
                              size_t n, bool maximum, ria_zarr_field *table) {
  ria_zarr *store = NULL;
  for (size_t k = 0; k < n; k++) {
    ria_field_for_store(sim, fields[k], &table[k]);
    table[k].fixed = true;
    table[k].cell_methods = maximum ? "area: mean time: maximum" : "area: mean";
  }
  const ria_zarr_desc desc = {.path = path,
                              .title = sim->title,
                              .epoch = sim->start.known ? sim->epoch : NULL,
                              .crs = sim->crs,
                              .grid = sim->grid,
                              .real = sim->real,
                              .fields = table,
                              .n_fields = n,
                              .overwrite = true};
  ria_status s = ria_zarr_create(sim->ctx, sim->outputs->writer, &desc, &store);
  for (size_t k = 0; s == RIA_OK && k < n; k++) s = put(sim, store, k, fields[k], maximum);
  ria_zarr_destroy(&store);
  return s;
}

ria_status ria_still_store(ria_sim *sim, const char *name, const ria_sim_field *const *fields,
                           size_t n, bool maximum) {
  char *path = NULL;
  ria_zarr_field *table = calloc(n, sizeof *table);
  ria_status s = table ? ria_out_path(sim, name, &path)
                       : ria_fail_memory(sim->ctx, "a store", n * sizeof *table);
  if (s == RIA_OK) s = write_store(sim, path, fields, n, maximum, table);
  free(path);
  free(table);
  return s;
}
