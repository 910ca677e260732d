/* outputs/fits.h - a harmonic analysis in every cell, and its maps as fields. Private. */
#ifndef RIA_OUTPUTS_FITS_H
#define RIA_OUTPUTS_FITS_H
#include "core/sim.h"
#include "forcing/normal.h"
#include <ria/output.h>

typedef struct ria_fit_run ria_fit_run;

typedef enum ria_fit_kind { RIA_FIT_MEAN, RIA_FIT_AMPLITUDE, RIA_FIT_PHASE } ria_fit_kind;

typedef struct ria_fit_map {
  ria_sim_field field;
  ria_field_info info; /* of field */
  ria_fit_run *fit;
  ria_fit_kind kind;
  int i; /* constituent */
} ria_fit_map;

struct ria_fit_run {
  const ria_sim_field *field;
  int first, n; /* its sums; constituents */
  int k[RIA_FIT_MOST];
  const char *name[RIA_FIT_MOST];
  ria_nodal nodal;
  double period, to, rayleigh;
  double next;           /* sample; INFINITY: none any more */
  bool waits;            /* for one step, which is taken alone */
  double began, reached; /* times of its first and its last sample */
  int64_t samples;
  ria_handle handle;
  ria_normal normal;
  ria_fit_map *map; /* [unknowns]: the mean, then amplitude and phase of each */
  bool told;        /* the log said that it has no maps yet */
};

static inline int ria_fit_unknowns(const ria_fit_run *f) { return 1 + 2 * f->n; }

/* Its maps; they join sim->maps, where frames and saves find them. */
ria_status ria_fit_maps_make(ria_sim *sim, ria_fit_run *f);
void ria_fit_maps_show(ria_sim *sim, ria_fit_run *f);
/* RIA_ERR_ARGUMENT, and why, where its samples do not tell the constituents apart. */
ria_status ria_fit_ready(ria_sim *sim, const ria_fit_run *f);
/* The same as an answer; what is wrong goes to the log, each time or once. */
bool ria_fit_tells(ria_sim *sim, ria_fit_run *f, bool each_time);

#endif
