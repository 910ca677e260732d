/* forcing/relax.h - layers in which the flow is drawn to a given one. Private. */
#ifndef RIA_FORCING_RELAX_H
#define RIA_FORCING_RELAX_H
#include "forcing/nest.h"
#include "forcing/own_value.h"

typedef struct ria_layer {
  char *name;
  bool given[RIA_RELAXED]; /* a value below counts; else the nest's, if it has one */
  ria_own_value value[RIA_RELAXED];
  int n;
  int32_t *cell; /* [n] */
  double *rate;  /* [n] 1/s */
  double *bed;   /* [n] m, of sim->beds == beds; NULL: not asked for yet */
  uint64_t beds;
  ria_nest *nest;
  bool loaded; /* the frames `pair`, `pair` + 1 are in `at` */
  size_t pair;
  double *at[RIA_RELAXED][2]; /* [n], of what the nest gives */
  ria_handle next;            /* the event at the end of the pair */
} ria_layer;

struct ria_forcing_build;
/* Append the layers as they act now. */
ria_status ria_relax_build(ria_sim *sim, struct ria_forcing_build *b);
/* Layer k of the simulation in words: "layer 'sea': 220 cells, level and u given, v of the nest
 * out/coarse/fields.zarr"; false past the last. */
bool ria_relax_tell(const ria_sim *sim, size_t k, char *text, size_t size);
ria_status ria_relax_covers(ria_sim *sim, double t0, double t1);
double ria_relax_cover_end(const ria_sim *sim);
void ria_relax_layers_free(ria_sim *sim);
/* Does it take the next frame of a nest? Nobody asked for that. */
bool ria_is_frame_event(ria_event_fn fn);

#endif
