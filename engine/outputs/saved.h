/* outputs/saved.h - what a run saved, for pictures that are drawn later: its store, and what its
 * directory tells of it. Private. */
#ifndef RIA_OUTPUTS_SAVED_H
#define RIA_OUTPUTS_SAVED_H
#include "io/zarr_read.h"
#include <ria/grid.h>
#include <ria/units.h>

typedef struct ria_saved {
  ria_store *store;
  const double *time; /* [n] of its frames; s since 1970 where dated */
  size_t n;
  bool dated;
  double epoch, zone; /* s: of t = 0 where dated; that local time is ahead of UTC */
  char *dir;          /* that holds frames and run.json; NULL: none */
  char title[256], solver[64];
  char crs[RIA_CRS_MAX]; /* "" = none */
} ria_saved;

/* from: the results of a run, or a store. Close it also after a failure. */
ria_status ria_saved_open(ria_context *ctx, const char *from, ria_saved *out);
void ria_saved_close(ria_saved *s);

/* The frame at a time: "6 h" since t = 0, a date, "first", "last". RIA_ERR_ARGUMENT: there is none,
 * and which is nearest. */
ria_status ria_saved_frame(ria_context *ctx, const ria_saved *s, const char *at, size_t *frame);
/* The same time as those of the store, whether it has a frame then or not. */
ria_status ria_saved_time(ria_context *ctx, const ria_saved *s, const char *at, double *t);
/* The frame of the same time as another's; dates count where both have them, else the time since
 * t = 0. */
ria_status ria_saved_same(ria_context *ctx, const ria_saved *s, const ria_saved *other,
                          size_t frame, size_t *out);
/* s since t = 0. */
double ria_saved_since(const ria_saved *s, size_t frame);
/* A time as pictures tell it: "2026-07-14 06:30 +02:00", "2 d 06:30:00". */
void ria_saved_tell(const ria_saved *s, double time, char *buf, size_t size);

/* How a field is drawn. */
typedef struct ria_saved_look {
  char long_name[128], unit[RIA_UNIT_MAX];
  const char *map; /* NULL = viridis */
  bool sentence, symmetric, ground;
  bool framed, framed_log; /* the run drew frames of it, */
  double min, max;         /* in this range */
} ria_saved_look;
/* RIA_ERR_ARGUMENT: there is no such field, and which is nearest. */
ria_status ria_saved_look_of(ria_context *ctx, const ria_saved *s, const char *field,
                             ria_saved_look *out);

#endif
