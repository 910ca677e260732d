/* outputs/maxima.c - the running maxima of fields, as pictures and as a store, when a run ends. */
#include "base/context.h"
#include "base/grid.h"
#include "io/file.h"
#include "outputs/packed.h"
#include "outputs/sink.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct maxima_state {
  bool made; /* or begun */
} maxima_state;

/* --- writing ---------------------------------------------------------------------------------- */

static size_t tracked(const ria_sim *sim, const ria_sim_field **out) {
  size_t n = 0;
  for (size_t k = 0; k < sim->n_fields; k++)
    if (sim->fields[k].tracked) out[n++] = &sim->fields[k];
  return n;
}

static ria_status maxima_put(ria_sim *sim, ria_zarr *store, size_t k, const ria_sim_field *f) {
  if (sim->by_ranks) return ria_packed_put(sim, store, k, f, true);
  size_t bytes = ria_grid_cells(&sim->grid) * ria_real_size(sim->real);
  void *values = malloc(bytes);
  if (!values) return ria_fail_memory(sim->ctx, "maxima", bytes);
  ria_status s = ria_field_read(sim, f, true, sim->real, values);
  if (s != RIA_OK) {
    free(values);
    return s;
  }
  return ria_zarr_put(store, k, values);
}

static ria_status maxima_store(ria_sim *sim, const char *path, const ria_sim_field *const *fields,
                               size_t n, ria_zarr_field *table) {
  ria_zarr *store = NULL;
  for (size_t k = 0; k < n; k++) {
    ria_field_for_store(sim, fields[k], &table[k]);
    table[k].fixed = true;
    table[k].cell_methods = "area: mean time: maximum";
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
  for (size_t k = 0; s == RIA_OK && k < n; k++) s = maxima_put(sim, store, k, fields[k]);
  ria_zarr_destroy(&store);
  return s;
}

static ria_status maxima_picture(ria_sim *sim, const char *dir, const ria_sim_field *f) {
  char name[RIA_FIELD_NAME_MAX + 8];
  snprintf(name, sizeof name, "%s.png", f->name);
  char *path = ria_path_join(dir, name);
  if (!path) return ria_fail_memory(sim->ctx, "a path", sizeof name);
  ria_status s = ria_frame_maximum(sim, f, path);
  free(path);
  return s;
}

static ria_status maxima_write(ria_sim *sim, maxima_state *state, const ria_sim_field **fields,
                               ria_zarr_field *table) {
  char *store = NULL, *pictures = NULL;
  size_t n = tracked(sim, fields);
  if (!n) return RIA_OK;
  for (size_t k = 0; k < n; k++)
    RIA_TRY(ria_outputs_claim(sim, RIA_RESULT_MAXIMUM, fields[k]->name));
  state->made = true;
  ria_status s = ria_out_path(sim, "maxima.zarr", &store);
  if (s == RIA_OK) s = ria_out_path(sim, "maxima", &pictures);
  if (s == RIA_OK) s = maxima_store(sim, store, fields, n, table);
  if (s == RIA_OK) s = ria_out_dir_make(sim, pictures);
  for (size_t k = 0; s == RIA_OK && k < n; k++) s = maxima_picture(sim, pictures, fields[k]);
  free(store);
  free(pictures);
  return s;
}

static ria_status finish(ria_sim *sim, void *self) {
  if (sim->record.replays) return RIA_OK; /* they were written then */
  const ria_sim_field **fields = malloc((sim->n_fields + 1) * sizeof *fields);
  ria_zarr_field *table = malloc((sim->n_fields + 1) * sizeof *table);
  ria_status s = fields && table ? maxima_write(sim, self, fields, table)
                                 : ria_fail_memory(sim->ctx, "maxima", sim->n_fields);
  free(fields);
  free(table);
  return s;
}

/* --- asking ----------------------------------------------------------------------------------- */

static ria_status list(ria_sim *sim, const void *self, ria_results_list *list) {
  const maxima_state *state = self;
  for (size_t k = 0; k < sim->n_fields; k++)
    if (sim->fields[k].tracked)
      RIA_TRY(ria_sink_lists(sim, list, RIA_RESULT_MAXIMUM, sim->fields[k].name,
                             (ria_result){.made = state->made}));
  return RIA_OK;
}

static void report(ria_sim *sim, const void *self) {
  const maxima_state *state = self;
  int64_t n = 0;
  for (size_t k = 0; state->made && sim->outputs->whole && k < sim->n_fields; k++)
    n += sim->fields[k].tracked;
  if (n) ria_log(sim->ctx, "    maxima.zarr, maxima/: %lld field%s", (long long)n, ria_plural(n));
}

const ria_sink ria_maxima_sink = {
    .size = sizeof(maxima_state), .finish = finish, .list = list, .report = report};
