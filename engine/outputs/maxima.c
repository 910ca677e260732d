/* outputs/maxima.c - the running maxima of fields, as pictures and as a store, when a run ends. */
#include "base/context.h"
#include "io/file.h"
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

static ria_status maxima_picture(ria_sim *sim, const char *dir, const ria_sim_field *f) {
  char name[RIA_FIELD_NAME_MAX + 8];
  snprintf(name, sizeof name, "%s.png", f->name);
  char *path = ria_path_join(dir, name);
  if (!path) return ria_fail_memory(sim->ctx, "a path", sizeof name);
  ria_status s = ria_frame_maximum(sim, f, path);
  free(path);
  return s;
}

static ria_status maxima_write(ria_sim *sim, maxima_state *state, const ria_sim_field **fields) {
  char *pictures = NULL;
  size_t n = tracked(sim, fields);
  if (!n) return RIA_OK;
  for (size_t k = 0; k < n; k++)
    RIA_TRY(ria_outputs_claim(sim, RIA_RESULT_MAXIMUM, fields[k]->name));
  state->made = true;
  ria_status s = ria_still_store(sim, "maxima.zarr", fields, n, true);
  if (s == RIA_OK) s = ria_out_path(sim, "maxima", &pictures);
  if (s == RIA_OK) s = ria_out_dir_make(sim, pictures);
  for (size_t k = 0; s == RIA_OK && k < n; k++) s = maxima_picture(sim, pictures, fields[k]);
  free(pictures);
  return s;
}

static ria_status finish(ria_sim *sim, void *self) {
  if (sim->record.replays) return RIA_OK; /* they were written then */
  const ria_sim_field **fields = malloc((sim->n_fields + 1) * sizeof *fields);
  const ria_status s =
      fields ? maxima_write(sim, self, fields) : ria_fail_memory(sim->ctx, "maxima", sim->n_fields);
  free(fields);
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
