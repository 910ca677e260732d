/* ria/output.h - frames (PNG), stores (Zarr), gauges (CSV), maxima, and the writers behind them.
 *
 * Outputs are encoded, compressed and written by worker threads while the next steps run, behind a
 * bounded queue. A file appears whole or not at all. The first error of a writer is returned by the
 * next output or by the run. Everything lies below the simulation's output directory:
 *
 *   frames/<name>/<name>_000012.png (plain ones with .pgw, .prj, .png.aux.xml)   <store>.zarr/
 * gauges.csv   budget.csv   maxima.zarr/ maxima/<field>.png   run.json
 */
#ifndef RIA_OUTPUT_H
#define RIA_OUTPUT_H
#include <ria/series.h>
#include <ria/shapes.h>
#include <ria/event.h>
#include <ria/field.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum ria_scale { RIA_SCALE_LINEAR, RIA_SCALE_LOG } ria_scale;

typedef struct ria_frame_desc {
  const char
      *field; /* the field to draw, or a map of a fit (ria_sim_fit) that was asked for before */
  const char *name; /* directory and file name; NULL = field */
  const char *map;  /* colour map (ria_colormap_names); NULL = the field's own */
  ria_scale scale;
  double min, max;   /* colour range; both 0 = from the field's first frame that has a spread
                        (levels: symmetric about 0), fixed from then on */
  bool auto_range;   /* every frame its own range */
  double threshold;  /* values below are transparent; log scale: 0 = max / 1e4 */
  int width, height; /* pixels of the whole picture; 0 = 960 wide, height from the domain. Rounded
                        up to even */
  const char *title; /* NULL = the simulation's */
  bool no_decor;     /* only the map: no title, bar, scale, marks */
  bool arrows;       /* velocity arrows */
  bool graticule;    /* lines of longitude and latitude, and their degrees in place of the axes; of
                        a run with a crs */
  double graticule_step; /* degrees between them; 0 = as fits */
  const char
      *phase; /* a map of phases of a fit, "level_M2_phase": lines of equal phase; NULL = none */
  double phase_step;  /* degrees between them, a part of 360; 0 = 30 */
  double thinnest;    /* m; shallower water is drawn as land, and the legend says so where there is
                         some. 0 = 2 cm or, if that is less, 1/200 of the greatest depth; negative =
                         all that is wet is drawn */
  bool world_file;    /* with no_decor: asked for in so many words, so that it is an error where
                         frames of the name have been made without. By default they are left out */
  bool no_world_file; /* with no_decor: no world file (.pgw, where the picture lies) and, with a
                         crs, neither .prj nor .png.aux.xml beside each picture */
} ria_frame_desc;

/* An action that draws one frame each time it runs, for ria_sim_at and ria_sim_every. Checked here:
 * a wrong field or map is RIA_ERR_ARGUMENT with the nearest name. */
RIA_API ria_status ria_frame_action(ria_sim *sim, const ria_frame_desc *desc, ria_action *out);
/* Is a first frame on disk? Then path gets where (of the names, the first that was asked for); cut
 * off after `size` bytes. Frames are written while the run goes on: ask from a progress callback.
 */
RIA_API bool ria_sim_first_frame(const ria_sim *sim, char *path, size_t size);

enum { RIA_LEVEL_RAW = -1 }; /* no compression: as fast as the disk, several times the size */

typedef struct ria_save_desc {
  const char *const *fields; /* fields, or maps of fits that were asked for before */
  size_t n_fields;
  const char *name; /* of the store; NULL = "fields" */
  double precision; /* absolute bound of rounding, in the field's unit; 0 = bit-exact */
  int level;        /* zlib 1..9; 0 = 1; RIA_LEVEL_RAW */
  int tile;         /* chunk edge in cells; 0 = 512 */
} ria_save_desc;
RIA_API ria_status ria_save_action(ria_sim *sim, const ria_save_desc *desc, ria_action *out);

/* Samples at points, one row a time, in <out>/gauges.csv. All gauges with one period share a file:
 * the first period gets gauges.csv, others gauges_<period>s.csv (those that are exact one of their
 * own).
 *
 * Gauges shorten no step: a row whose time lies between two steps holds values linear in time
 * between the states before and after. Where a value is NaN in one of the two (dry ground) it is
 * that of the nearer. So a run has the same bits with and without them. A time that steps meet for
 * another reason (the beginning, the end of a run, an event) is that state's, after the event. */
typedef struct ria_gauge_desc {
  const char *name;
  double x, y;
  double every;              /* s */
  const char *const *fields; /* NULL = level, speed and every tracer (the solver's gauge fields) */
  size_t n_fields;
  bool exact; /* shorten steps so that they land on every row's time */
} ria_gauge_desc;
RIA_API ria_status ria_sim_gauge(ria_sim *sim, const ria_gauge_desc *desc, ria_handle *out);
/* What flows through a line: columns "<name>.discharge" [m^3/s] and "<name>.<tracer>" [the unit of
 * its amounts per s] of the same files, positive from the left of the line to its right. The line
 * becomes a chain of faces, those between two cells whose centres lie on either side of it; one
 * that is closed tells what leaves it. The discharge is q.n by the mean of the two cells at each
 * face, which differs from the scheme's own flux by its truncation error, and a tracer's flux is
 * that of the water at the concentration upstream. Nothing goes through faces at what is left out
 * of the domain, and the line has none beyond the outermost centres. Only of solvers with fields qx
 * and qy. A mark stands at its middle. */
typedef struct ria_section_desc {
  const char *name;
  const ria_shapes *line; /* lines, or points joined in their order; not kept */
  double every;           /* s */
  bool exact;             /* as of gauges */
} ria_section_desc;
RIA_API ria_status ria_sim_section(ria_sim *sim, const ria_section_desc *desc, ria_handle *out);
/* The history of a gauge's field, or of "discharge" or a tracer of a section, so far: *t and *v
 * point to n values owned by the simulation, valid until it runs on. */
RIA_API ria_status ria_sim_gauge_history(ria_sim *sim, const char *gauge, const char *field,
                                         const double **t, const double **v, size_t *n);

/* Harmonic analysis of a field in every cell, on the device: after the first step that reaches each
 * time the field enters sums (in double precision), and no step is shortened. A cell that was dry
 * at one of the samples has no constituents (NaN). In a run with a start phases are those at
 * Greenwich with nodal factors, else relative to t = 0. When a run closes the maps are written to
 * <out>/tides.zarr, if its samples tell the constituents apart. Frames and saves take maps by their
 * names while the run goes on: of what was gathered so far, NaN as long as that tells nothing. */
enum { RIA_FIT_MOST = 15, RIA_MAP_NAME = 192 };
typedef struct ria_fit_desc {
  const char *field; /* NULL = "level"; one fit a field */
  const char *const *names;
  size_t n_names;  /* 1 to RIA_FIT_MOST */
  double every;    /* s between samples; 0 = 600 */
  double from, to; /* s; 0, 0 = from the present to the end */
  double rayleigh; /* cycles by which two must part; 0 = 1 */
  ria_nodal nodal;
} ria_fit_desc;
RIA_API ria_status ria_sim_fit(ria_sim *sim, const ria_fit_desc *desc, ria_handle *out);
/* The maps of all fits by number, from 0 on; false past the last: "level_Z0", the mean,
 * "level_M2_amplitude", "level_M2_phase" (deg), ... */
RIA_API bool ria_sim_fit_list(const ria_sim *sim, size_t k, char name[RIA_MAP_NAME],
                              const char **unit);
/* One of them from what was gathered so far: values[ny][nx]. RIA_ERR_ARGUMENT where the samples do
 * not tell the constituents apart. */
RIA_API ria_status ria_sim_get_fit(ria_sim *sim, const char *map, double *values);

/* How often budget.csv gets a row (s); 0 = with every gauge or save, at most 1000 rows. */
RIA_API ria_status ria_sim_budget_every(ria_sim *sim, double period);

/* Names of the colour maps: viridis, deep, matter, balance, speed, topo, amp, sand, relief.
 * NULL-terminated. */
RIA_API const char *const *ria_colormap_names(void);
/* 256 RGB rows, or NULL. */
RIA_API const uint8_t (*ria_colormap(const char *name))[3];

/* A picture of a raster, as frames are drawn: colours, bar, scale of lengths, title. Cells that are
 * NaN are hatched, and the legend says "no data". */
/* A line over a picture, with a name: where a boundary lies. */
typedef struct ria_picture_line {
  double from[2], to[2]; /* x, y of the map, m */
  const char *name;
} ria_picture_line;

typedef struct ria_picture_desc {
  const char *path;  /* the PNG, written whole or not at all */
  const char *title; /* NULL = none */
  const char *label; /* of the bar; NULL = "field" */
  const char *unit;  /* of the values; NULL = none */
  const char *note;  /* where a frame has its time: "z = 0.5 m"; NULL = none */
  const char *map;   /* colour map; NULL = viridis */
  ria_scale scale;
  double min, max;         /* colour range; both 0 = from the values, with round ends */
  bool symmetric;          /* then: about 0 */
  int width, height;       /* pixels; 0 = 960 wide, height from the raster */
  bool no_decor;           /* only the map */
  const ria_raster *phase; /* deg, of the same cells: lines of equal phase; NULL = none */
  double phase_step;       /* deg between lines; 0 = 30 */
  bool graticule;          /* as of frames; the raster needs a crs */
  double graticule_step;
  const ria_picture_line *lines; /* [n_lines]; at most 64 have their names */
  size_t n_lines;
} ria_picture_desc;
/* What may be at the path: as for ria_raster_write. */
RIA_API ria_status ria_raster_draw(ria_context *ctx, const ria_raster *r,
                                   const ria_picture_desc *desc);

/* Colours of a raster as a map. */
typedef struct ria_raster_colours {
  const char *map; /* colour map; NULL = viridis */
  ria_scale scale;
  double min, max; /* both 0 = from the values; log scale: from max / 1e4 */
} ria_raster_colours;
/* Write GeoTIFF as a GIS shows it at once: one byte a cell by a palette, 1 .. 255 from min to max
 * (beyond them as at the ends), 0 where there is no value or, on a log scale, none above 0. The
 * metadata "ria:range" tell min, max and scale. path: .tif or .tiff; what may be there as for
 * ria_raster_write, which writes the values themselves. RIA_ERR_ARGUMENT: the map, the range or
 * the name. */
RIA_API ria_status ria_raster_write_coloured(ria_context *ctx, const ria_raster *r,
                                             const char *path, const ria_raster_colours *colours);

/* Make a directory for files of a host that runs no simulation, and lock it as a run does: until
 * the context is destroyed. A simulation of this context takes the lock over while it runs.
 * RIA_ERR_OUTPUT when another run has it, or when it holds the results of a simulation of another
 * context and overwriting is not allowed.
 */
RIA_API ria_status ria_results_make(ria_context *ctx, const char *dir, bool overwrite);

/* Write n bytes to a file that the user names, whole or not at all: what may be at the path, and
 * stays there on failure, as for ria_raster_write. RIA_ERR_OUTPUT. */
RIA_API ria_status ria_text_write(ria_context *ctx, const char *path, const void *text, size_t n);

/* A line chart as PNG, for measured-against-computed plots. NaN breaks a line. */
typedef struct ria_plot_line {
  const char *label;
  const double *x, *y;
  size_t n;
  bool points;      /* draw marks rather than a line */
  uint8_t color[3]; /* all 0 = the next of the standard set */
} ria_plot_line;
typedef struct ria_plot_panel {
  const char *title, *xlabel, *ylabel;
  const ria_plot_line *lines;
  size_t n_lines;
  double xmin, xmax, ymin, ymax; /* min = max: from the data */
} ria_plot_panel;
typedef struct ria_plot_desc {
  const char *path, *title;
  const ria_plot_panel *panels; /* one below the other */
  size_t n_panels;
  int width, height; /* 0 = 900 x 260 a panel */
} ria_plot_desc;
RIA_API ria_status ria_plot(ria_context *ctx, const ria_plot_desc *desc);

#ifdef __cplusplus
}
#endif
#endif
