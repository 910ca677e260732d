/* outputs/frames.h - what is known of the frames of a run: frames.c keeps it, frame_job.c draws. */
#ifndef RIA_OUTPUTS_FRAMES_H
#define RIA_OUTPUTS_FRAMES_H
#include "core/sim.h"
#include "outputs/graticule.h"
#include <stdatomic.h>
#include <stdio.h>

typedef struct ria_frame_strip ria_frame_strip; /* the frames of one name */
struct ria_frame_strip {
  ria_frame_strip *next;
  char *name, *dir;
  const ria_sim_field *field;
  unsigned world; /* the files that place them, beside some: io/world_file.h */
  int64_t count;  /* asked for */
  double *time;   /* [count] s */
  size_t room;
  _Atomic int64_t made; /* written */
  _Atomic bool begun;   /* the first is written */
  bool claimed;         /* run.json lists it */
  bool fixed;           /* vmin, vmax hold */
  double vmin, vmax;
};

typedef struct ria_frame_plan ria_frame_plan; /* how a frame is drawn */
struct ria_frame_plan {
  ria_frame_plan *next;
  ria_frame_strip *strip;
  const ria_sim_field *field, *phase; /* lines of equal phase, or NULL */
  char *map, *title;
  ria_graticule *graticule; /* NULL = none */
  ria_frame_desc desc;      /* its texts are not ours: use map, title */
};

static inline bool ria_frame_wants_world(const ria_frame_desc *d) {
  return d->no_decor && !d->no_world_file;
}

static inline bool ria_frame_has_range(const ria_frame_desc *d) {
  return d->min != 0.0 || d->max != 0.0;
}

/* Where a log scale begins whose range does not say it. */
static inline double ria_frame_log_least(const ria_frame_desc *d) {
  return d->threshold > 0.0 ? d->threshold : d->max * 1e-4;
}

/* The file of a frame. */
enum { RIA_FRAME_NAME_MAX = 2 * RIA_FIELD_NAME_MAX };

static inline void ria_frame_name(const ria_frame_strip *strip, int64_t number,
                                  char name[RIA_FRAME_NAME_MAX]) {
  snprintf(name, RIA_FRAME_NAME_MAX, "%s_%06lld.png", strip->name, (long long)number);
}

/* frame_job.c: the function of their actions, whose user is a plan. */
ria_status ria_frame_fire(ria_sim *sim, const ria_event_info *info, void *user);

#endif
