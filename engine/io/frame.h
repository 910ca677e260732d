/* io/frame.h - one picture of a field: shaded land, coloured water, bar, scale, marks.
 *
 * Rendering is a pure function of its input: no file, no context, no global, any number of threads
 * at once. A frame job reads the fields into buffers, hands them to a worker, which calls
 * ria_frame_render and ria_file_replace. */
#ifndef RIA_IO_FRAME_H
#define RIA_IO_FRAME_H
#include "io/canvas.h"
#include <ria/grid.h>
#include <ria/output.h>
#include <ria/traces.h>

typedef enum ria_mark_kind { RIA_MARK_GAUGE, RIA_MARK_SPILL } ria_mark_kind;

typedef struct ria_frame_mark {
  double x, y; /* m; marks outside the grid are left out */
  const char *label;
  ria_mark_kind kind;
} ria_frame_mark;

/* A line, or points, over the map: a coastline, stations. */
typedef struct ria_frame_path {
  const double *x, *y; /* [n] of the map, m */
  size_t n;
  bool points;
  const char *name; /* beside the first point, or the middle of the line; NULL = none */
} ria_frame_path;

enum { RIA_COARSE_MAX = 1024 };

/* Coarse cells that n cells make, `coarse` each; the last may have fewer. */
static inline int ria_coarse_cells(int n, int coarse) {
  return coarse > 1 ? (n + coarse - 1) / coarse : n;
}

/* Longitude and latitude over a domain, at nodes from its south-western corner to the north-eastern
 * one, [n][n], degrees. */
typedef struct ria_graticule {
  double step; /* degrees between lines; 0 = as fits the picture */
  int n;
  double *x, *y; /* longitude, latitude */
} ria_graticule;
/* The nodes as x and y of the map, for the caller to take to degrees and then to settle; NULL: no
 * memory. */
ria_graticule *ria_graticule_nodes(const ria_grid *grid, double step);
/* RIA_ERR_ARGUMENT: a node has no place on the earth, or lines would be too many. */
ria_status ria_graticule_settle(ria_context *ctx, ria_graticule *g);
void ria_graticule_free(ria_graticule *g);

/* Arrays are [ny][nx], row 0 in the south. Everything is the caller's and only read. */
typedef struct ria_frame_input {
  ria_grid grid;
  int coarse; /* > 1: arrays are [ceil(ny / coarse)][ceil(nx / coarse)], a value stands for coarse x
                 coarse cells, fewer at the northern and eastern rims */
  const float *value; /* what is drawn; NaN = nothing there: land or, where neither a bed nor a
                         depth is given, "no data", hatched */
  const float *bed;   /* m; shades the land and, softly, the floor below clear water; NULL = flat;
                         NaN = not of the domain: plain grey, "outside the domain" */
  const float *depth; /* m; less than `dry` or `thinnest` is drawn as land; NULL = water wherever
                         value is not NaN; NaN is land */
  bool ground;        /* value is of the ground: coloured on land too, in the light on `bed` */
  bool hillshade;     /* the field's colours, too, in the light that falls on `bed` below */
  const char *ground_map; /* colour map of land and clear water by height, the shore in its middle;
                             NULL = pale land, clear water by depth */
  const float *u, *v;     /* m/s; arrows when both are given */
  const float *phase;     /* deg, [ny][nx] of cells: lines of equal phase over the field, one each
                             phase_step, with their numbers; NaN = none there; NULL = no lines */
  double phase_step;      /* deg; 0 = 30 */
  const ria_graticule *graticule; /* lines of longitude and latitude, and their degrees in place of
                                     the axes; NULL = none */
  double dry;                     /* m */
  double thinnest; /* m; 0 = 2 cm or, if less, 1/200 of the greatest depth, and not less than
                      1/2000 of it; negative = none */

  const char *field;     /* "oil": for the text chunks */
  const char *long_name; /* "oil concentration": the subtitle; NULL = field */
  bool sentence;         /* it begins with a plain word, which may get a capital; no name's */
  const char *unit;      /* "kg/m^3", printed kg/m3 with a raised 3; NULL or "1" = none */
  const char *title;     /* NULL = none */
  const char *time_text; /* NULL = from time_s: "2 d 06:30:00" */
  double time_s;
  const char *date; /* ISO 8601, for the text chunks; NULL or "" = none */

  const char *map; /* colour map; NULL or unknown = viridis */
  ria_scale scale;
  double vmin, vmax; /* the range of the bar, vmin < vmax; log: 0 < vmin < vmax */
  double threshold;  /* values below are clear water; 0 = none (log: vmin) */
  bool symmetric;    /* signed about 0: threshold acts on |value| */

  int width, height; /* of the whole picture; 0 = 960 wide, height from the domain. Made even,
                        at least 64; too small for anything but the map: only the map */
  bool no_decor;     /* only the map */

  const ria_frame_mark *marks;
  size_t n_marks;
  const ria_picture_line *lines; /* [n_lines] over the map, each with its name at its middle */
  size_t n_lines;
  const ria_frame_path *paths; /* [n_paths] over the map, also of one without decoration */
  size_t n_paths;
  const ria_trace *traces; /* [n_traces] paths of particles, each fading towards its beginning */
  size_t n_traces;
  double traces_from, traces_to; /* s since t = 0 */
  const char *traces_label;      /* in the strip below; NULL = none */
  const double *contours; /* [n_contours] values: a line of the field at each, with its number */
  size_t n_contours;
  int dpi; /* pixels an inch, for printers; 0 = not said */

  double
      arrow_speed; /* m/s that the reference arrow stands for; 0 = from this frame's velocities */
} ria_frame_input;

/* Draw. *png is malloc'ed, the caller frees it. Fails with RIA_ERR_MEMORY or, for a range or size
 * that makes no sense, RIA_ERR_ARGUMENT; the message goes to err. */
ria_status ria_frame_render(const ria_frame_input *in, uint8_t **png, size_t *n, char *err,
                            size_t errsize);

/* Draw, and leave the picture as it is drawn on: pictures of one map, scale and kind have one
 * palette. *out is the caller's to free, also on failure. */
ria_status ria_frame_paint(const ria_frame_input *in, ria_canvas *out, char *err, size_t errsize);
/* The texts that go with a picture, and its bytes. */
ria_status ria_frame_encode(const ria_frame_input *in, const ria_canvas *c, uint8_t **png,
                            size_t *n, char *err, size_t errsize);

/* The greatest `coarse` that leaves at least one value for each pixel of the map, both ways. It
 * depends on the grid, the size and the decoration only: neither on arrays nor on the range. */
int ria_frame_coarse(const ria_frame_input *in);
/* Values of each array. */
size_t ria_frame_values(const ria_frame_input *in);

/* A range with round ends from values[n]. Linear: from the least to the greatest; symmetric: about
 * 0. Log: up to a power of ten at or above the greatest, four decades. False, and nothing set, when
 * there is no spread (no value, all the same; log: none above 0). */
bool ria_frame_range(const float *values, size_t n, ria_scale scale, bool symmetric, double *vmin,
                     double *vmax);

/* Is it a colour map, or NULL? Else RIA_ERR_ARGUMENT, with the nearest. */
ria_status ria_colormap_check(ria_context *ctx, const char *name);

#endif
