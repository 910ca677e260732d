/* ria/render.h - pictures of what a run saved, drawn at any later time: other colours, another
 * range, a part of the map, contours, several times, the difference of two runs.
 *
 * A run saves fields (ria_save_action); a picture of one of them is drawn from the store, as a
 * frame of the run would be. What a store does not hold is not drawn: land is, where `bed` was
 * saved, and films of water are left out where `depth` was, or `level` beside `bed`. Cells without
 * a value are hatched otherwise. */
#ifndef RIA_RENDER_H
#define RIA_RENDER_H
#include <ria/output.h>
#include <ria/shapes.h>
#include <ria/traces.h>
#ifdef __cplusplus
extern "C" {
#endif

enum {
  RIA_RENDER_TIMES = 64,
  RIA_RENDER_CONTOURS = 256,
  RIA_RENDER_OVERLAYS = 32,
  RIA_RENDER_TRACES = 10000
};

typedef enum ria_render_scale {
  RIA_RENDER_AS_FRAMES, /* as the run's own frames of the field; linear where there are none */
  RIA_RENDER_LINEAR,
  RIA_RENDER_LOG
} ria_render_scale;

typedef struct ria_render_desc {
  const char *from;  /* results of a run (its fields.zarr), or a store */
  const char *field; /* one that was saved */
  const char *path;  /* the PNG; what may be there as for ria_raster_draw */
  /* "6 h" since t = 0, a date where the store has dates, or "last". Several are drawn side by side,
   * in one range. None: the last. */
  const char *const *times;
  size_t n_times;    /* at most RIA_RENDER_TIMES */
  const char *minus; /* results of another run, or a store, whose field at the same times is taken
                        off; on other cells, the mean over these. NULL = none */
  const char *title; /* NULL = the run's */
  const char *map;   /* colour map; NULL = the field's own, "balance" of a difference */
  ria_render_scale scale;
  double min, max;   /* colour range; both 0 = that of the run's own frames, else from the values */
  bool own_range;    /* from the values in any case */
  double threshold;  /* values below are clear water; 0 = none (log: min) */
  bool boxed;        /* only the cells that meet the box */
  double box[4];     /* x0, y0, x1, y1 of the map, m */
  int width, height; /* pixels of the whole picture; 0 = 960 wide (several: 480 each), height from
                        the domain */
  int dpi;           /* for printers, 30 to 2400; 0 = not said */
  bool no_decor;     /* only the map */
  bool arrows;       /* of velocity, where u and v were saved */
  bool hillshade; /* the field's colours in the light that falls on the bed below; as land is drawn
                     in any case. `bed` was saved */
  const char *ground; /* colour map of land and clear water by height ("topo", "relief"); NULL = as
                         in frames. `bed` was saved */
  bool graticule;     /* lines of longitude and latitude, where the store has a crs */
  double graticule_step;  /* degrees; 0 = as fits */
  double thinnest;        /* m; as of frames, where `depth` was saved */
  double contour_step;    /* a line each so many units of the field; 0 = none */
  const double *contours; /* [n_contours] or these values, which grow */
  size_t n_contours;      /* lines are at most RIA_RENDER_CONTOURS */
  /* Lines, outlines of polygons, points, with their attribute `name`; converted to the store's
   * coordinate system. */
  const ria_shapes *const *overlays;
  size_t n_overlays; /* at most RIA_RENDER_OVERLAYS */
  /* Paths of particles that go with the saved flow (ria/traces.h), fading towards where they set
   * out, and a dot where each is at the end. They end at the time of the picture, all of them over
   * the same span, so that several pictures show them moving on. */
  size_t traces; /* about so many, set out evenly over the water of the map; 0 = none */
  const ria_shapes *trace_points; /* or one at each of these; NULL = none */
  const char *traces_from; /* when they set out, as `times`, also between these; NULL = traces_over
                              before the picture's time or, where that is 0 too, the first time */
  double traces_over; /* s that they go on; 0 = to the picture's time. With traces_from they end so
                         much later, whatever the picture's time */
} ria_render_desc;

/* What was drawn. */
typedef struct ria_render_info {
  int width, height;
  double min, max;          /* of the bar */
  double least, most;       /* of the values; NaN where there are none */
  size_t pictures;          /* side by side */
  char first[64], last[64]; /* times of them, as the pictures tell them */
  /* Of the last picture: particles that set out, and of these: that got to dry ground, that left
   * the domain; from when to when. */
  size_t traces, aground, left;
  char traces_first[64], traces_last[64];
} ria_render_info;

/* info may be NULL. RIA_ERR_ARGUMENT: no such field or time (the message has the nearest), a wrong
 * range, box, map; RIA_ERR_INPUT: the store cannot be read, or the two runs do not go together. */
RIA_API ria_status ria_render(ria_context *ctx, const ria_render_desc *desc, ria_render_info *info);

#ifdef __cplusplus
}
#endif
#endif
