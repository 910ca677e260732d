/* forcing/tide_model.c - maps of a tidal model, sampled as complex amplitudes.
 *
 * One map is held at a time: a global one takes some hundred megabytes. Between the centres of four
 * cells A e^(-iG) is bilinear, never G, which jumps from 360 degrees to 0 and has no value where A
 * is 0. Maps of longitudes that go round are joined where they end. */
#include "base/context.h"
#include "base/text.h"
#include "forcing/forcing.h"
#include "forcing/otis.h"
#include "forcing/tide.h"
#include "forcing/tide_model.h"
#include "io/crs.h"
#include "io/gdal.h"
#include <ria/crs.h>
#include <ria/field.h>
#include <ria/tide_model.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REACH = 20, NAME = 64, PATH = 1024 }; /* REACH: cells to the nearest with data */
static const double to_rad = 0.017453292519943295;
static const double most_amplitude = 25; /* m, or m/s: the greatest tide on earth has 8 */

/* Where it is sampled. */
typedef struct places {
  ria_context *ctx;
  size_t n;
  const double *x, *y; /* as they are told */
  bool degrees;
  double *fx, *fy; /* in the coordinates of the map */
  const char *run; /* crs of the run; NULL = none */
  double *axis; /* [n] from the run's x to the map's, counterclockwise, radians; NULL: not asked */
} places;

/* The map of a constituent: rasters, or numbers of an OTIS file. */
typedef struct field {
  const char *name; /* of the constituent */
  const char *path; /* for messages */
  ria_grid grid;    /* what is sampled lies at the centres of its cells */
  bool degrees, round;
  ria_raster *amplitude, *phase;
  double unit;
  const float *number, *depth; /* [ny][nx][numbers], [ny][nx] or NULL */
  int numbers, part;           /* part: 2 of the v of transports */
  bool along_x;                /* of depth: the cell beside is the western one */
  ria_tide_of of;
  double bound;       /* no amplitude is greater, m or m/s; 0 = none */
  double least, most; /* amplitude and phase that were met */
} field;

typedef struct told {
  char path[256]; /* of the map of which most was missing */
  size_t n;       /* places */
  double away;    /* cells */
} told;

/* --- cells of a map --------------------------------------------------------------------------- */

static double complex of_rasters(field *f, size_t at) {
  const double a = f->amplitude->data[at], g = f->phase->data[at];
  if (!isfinite(a) || !isfinite(g)) return NAN;
  f->least = fmin(f->least, a);
  f->most = fmax(f->most, fabs(g));
  return a * f->unit * cexp(-I * g * to_rad);
}

/* Land is 0. Transports over the depth between the two cells that the edge parts. */
static double complex of_otis(const field *f, int i, int j) {
  const size_t nx = (size_t)f->grid.nx, at = (size_t)j * nx + (size_t)i;
  const float *v = f->number + at * (size_t)f->numbers + f->part;
  if (v[0] == 0.0f && v[1] == 0.0f) return NAN;
  const double complex z = (double)v[0] + I * (double)v[1];
  if (!f->depth) return z;
  const int beside_i = !f->along_x ? i
                       : i > 0     ? i - 1
                       : f->round  ? (int)nx - 1
                                   : 0,
            beside_j = f->along_x || j == 0 ? j : j - 1;
  const double here = (double)f->depth[at],
               beside = (double)f->depth[(size_t)beside_j * nx + (size_t)beside_i];
  const double d = here > 0 && beside > 0 ? 0.5 * (here + beside) : fmax(here, beside);
  return d > 0 ? z / d : NAN;
}

/* Beyond the ends: the cell there, or round the earth. NaN: it has none. */
static double complex cell_of(field *f, int i, int j) {
  const int nx = f->grid.nx, ny = f->grid.ny;
  i = f->round ? (i % nx + nx) % nx : i < 0 ? 0 : i >= nx ? nx - 1 : i;
  j = j < 0 ? 0 : j >= ny ? ny - 1 : j;
  return f->number ? of_otis(f, i, j) : of_rasters(f, (size_t)j * (size_t)nx + (size_t)i);
}

static bool has_data(double complex z) { return !isnan(creal(z)); }

/* Of the nearest cell with data; *away: how far, in cells. NaN: there is none. */
static double complex nearest_of(field *f, int i, int j, double *away) {
  double complex best = NAN;
  double least = INFINITY;
  const double lat = f->grid.y0 + (j + 0.5) * f->grid.dy;
  const double across = f->degrees ? fmax(cos(lat * to_rad), 0.01) * f->grid.dx : f->grid.dx;
  for (int r = 0; r <= REACH && !(least < r * fmin(across, f->grid.dy)); r++)
    for (int dj = -r; dj <= r; dj++)
      for (int di = -r; di <= r; di += abs(dj) == r || !r ? 1 : 2 * r) {
        if (j + dj < 0 || j + dj >= f->grid.ny) continue;
        if (!f->round && (i + di < 0 || i + di >= f->grid.nx)) continue;
        const double d = hypot(di * across, dj * f->grid.dy);
        if (!(d < least)) continue;
        const double complex z = cell_of(f, i + di, j + dj);
        if (!has_data(z)) continue;
        best = z;
        least = d;
        *away = fmax(abs(di), abs(dj));
      }
  return best;
}

/* --- between cells ---------------------------------------------------------------------------- */

/* x in the longitudes of the map. */
static double turned(const field *f, double x) {
  const double east = f->grid.x0 + f->grid.nx * f->grid.dx;
  if (!f->degrees) return x;
  x -= 360 * floor((x - f->grid.x0) / 360);
  return x > east && x - 360 > f->grid.x0 - 0.01 * f->grid.dx ? x - 360 : x;
}

typedef enum found { FOUND, OUTSIDE, NO_DATA } found;

/* *away > 0: cells were filled. */
static found sample(field *f, double x, double y, double complex *out, double *away) {
  const ria_grid *g = &f->grid;
  const double u = (turned(f, x) - g->x0) / g->dx, v = (y - g->y0) / g->dy;
  if (!(v >= -0.01 && v <= g->ny + 0.01)) return OUTSIDE;
  if (!f->round && !(u >= -0.01 && u <= g->nx + 0.01)) return OUTSIDE;
  const int i = (int)floor(u - 0.5), j = (int)floor(v - 0.5);
  const double a = u - 0.5 - i, b = v - 0.5 - j;
  *out = 0;
  for (int k = 0; k < 4; k++) {
    const int ci = i + k % 2, cj = j + k / 2;
    const double w = (k % 2 ? a : 1 - a) * (k / 2 ? b : 1 - b);
    if (!(w > 0)) continue;
    double complex z = cell_of(f, ci, cj);
    if (!has_data(z)) {
      double far = 0;
      z = nearest_of(f, ci, cj, &far);
      if (!has_data(z)) return NO_DATA;
      *away = fmax(*away, far);
    }
    *out += w * z;
  }
  return FOUND;
}

static ria_status fail_at(const places *p, const field *f, size_t k, found why) {
  const ria_grid *g = &f->grid;
  if (why == NO_DATA)
    return ria_fail(p->ctx, RIA_ERR_INPUT,
                    "%s: there is no %s at (%.8g, %.8g), nor in any cell up to %d cells away: is "
                    "it sea?",
                    f->path, f->name, p->fx[k], p->fy[k], REACH);
  return ria_fail(p->ctx, RIA_ERR_INPUT,
                  "%s: (%.8g, %.8g) lies outside the map of %s, which has x = %.8g to %.8g and "
                  "y = %.8g to %.8g",
                  f->path, p->fx[k], p->fy[k], f->name, g->x0, g->x0 + g->nx * g->dx, g->y0,
                  g->y0 + g->ny * g->dy);
}

/* Amplitudes in another unit, and phases in radians or hundredths, are off by so much that it
 * shows. */
static ria_status check_values(const places *p, const field *f, double most) {
  if (f->least < 0)
    return ria_fail(p->ctx, RIA_ERR_INPUT, "%s: an amplitude of %s is %g: it must be 0 or more",
                    f->path, f->name, f->least);
  if (f->most > 720)
    return ria_fail(p->ctx, RIA_ERR_INPUT, "%s: a phase of %s is %g: expected degrees", f->path,
                    f->name, f->most);
  if (f->bound && most > f->bound)
    return ria_fail(p->ctx, RIA_ERR_INPUT,
                    "%s: the amplitude of %s is %.4g %s: is the map in cm? Then unit = \"cm\"",
                    f->path, f->name, most, f->of == RIA_TIDE_LEVEL ? "m" : "m/s");
  return RIA_OK;
}

static ria_status sample_all(const places *p, field *f, double complex *out, told *say) {
  told t = {.n = 0};
  double most = 0;
  for (size_t k = 0; k < p->n; k++) {
    double away = 0;
    const found how = sample(f, p->fx[k], p->fy[k], &out[k], &away);
    if (how != FOUND) return fail_at(p, f, k, how);
    t.n += away > 0;
    t.away = fmax(t.away, away);
    most = fmax(most, cabs(out[k]));
  }
  if (t.n > say->n) {
    *say = t;
    ria_format(say->path, sizeof say->path, "%s", f->path);
  }
  return check_values(p, f, most);
}

/* --- coordinates ------------------------------------------------------------------------------ */

static ria_status fail_degrees(const places *p, const char *path) {
  return ria_fail(p->ctx, RIA_ERR_INPUT,
                  "%s: the map is in degrees, and the run has no coordinate system: name the one "
                  "that its x and y are in, crs = \"EPSG:...\"",
                  path);
}

/* Which way its x axis goes on the run's map: by two points beside each place. */
static ria_status find_axis(const places *p, const field *f, const char *crs) {
  const double step = f->degrees ? 1e-4 : 10.0; /* 10 m */
  const size_t n = p->n;
  double *x = malloc(4 * n * sizeof *x), *y = x + 2 * n;
  if (!x) return ria_fail_memory(p->ctx, "axes of a tidal model", 4 * n * sizeof *x);
  for (size_t k = 0; k < 2 * n; k++) {
    x[k] = p->fx[k / 2] + (k % 2 ? step : -step);
    y[k] = p->fy[k / 2];
  }
  const ria_status s =
      ria_crs_convert_named(p->ctx, f->degrees ? "EPSG:4326" : crs, p->run, 2 * n, x, y);
  for (size_t k = 0; s == RIA_OK && k < n; k++)
    p->axis[k] = atan2(y[2 * k + 1] - y[2 * k], x[2 * k + 1] - x[2 * k]);
  free(x);
  return s;
}

/* Places in the coordinates of the map; crs: of rasters, NULL = they do not say. */
static ria_status place_on(const places *p, field *f, const char *crs) {
  ria_crs *map = NULL;
  f->degrees = p->degrees || f->number;
  if (crs) {
    RIA_TRY(ria_crs_create(p->ctx, crs, &map));
    f->degrees = ria_crs_in_degrees(map);
    ria_crs_destroy(&map);
  }
  if (f->degrees && !p->degrees) return fail_degrees(p, f->path);
  memcpy(p->fx, p->x, p->n * sizeof *p->fx);
  memcpy(p->fy, p->y, p->n * sizeof *p->fy);
  f->round = f->degrees && fabs(f->grid.nx * f->grid.dx - 360) < 0.5 * f->grid.dx;
  if (p->degrees && !f->degrees)
    RIA_TRY(ria_crs_convert_named(p->ctx, "EPSG:4326", crs, p->n, p->fx, p->fy));
  return p->axis && p->run ? find_axis(p, f, crs) : RIA_OK;
}

/* --- rasters ---------------------------------------------------------------------------------- */

static ria_status fail_no_gdal(const places *p, const ria_tide_map *m, const char *why) {
  const char *from = m->amplitude;
  return ria_fail(p->ctx, RIA_ERR_INPUT,
                  "%s: amplitude and phase of a netCDF file are read through GDAL, and %s; where "
                  "it is, gdal_translate 'NETCDF:\"%s\":amplitude' amplitude.tif and the same for "
                  "phase make rasters: %s = { \"amplitude.tif\", \"phase.tif\" }",
                  from, why, from, m->name);
}

static bool same_cells(const ria_grid *a, const ria_grid *b) {
  const double hair = 1e-6 * a->dx;
  return a->nx == b->nx && a->ny == b->ny && fabs(a->x0 - b->x0) < hair &&
         fabs(a->y0 - b->y0) < hair && fabs(a->dx - b->dx) * a->nx < hair &&
         fabs(a->dy - b->dy) * a->ny < hair;
}

static ria_status read_rasters(const places *p, const ria_tide_map *m, field *f) {
  char name[2][PATH], why[256];
  const char *path[2] = {m->amplitude, m->phase};
  if (!m->phase) {
    if (!ria_gdal_there(why, sizeof why)) return fail_no_gdal(p, m, why);
    for (int k = 0; k < 2; k++) {
      const char *variable = k ? "phase" : "amplitude";
      if (ria_format(name[k], PATH, "NETCDF:\"%s\":%s", m->amplitude, variable) >= PATH)
        return ria_fail(p->ctx, RIA_ERR_INPUT, "%s: the name is too long", m->amplitude);
      path[k] = name[k];
    }
  }
  RIA_TRY(ria_raster_read(p->ctx, path[0], &f->amplitude));
  RIA_TRY(ria_raster_read(p->ctx, path[1], &f->phase));
  if (f->amplitude->grid.angle != 0.0 || !same_cells(&f->amplitude->grid, &f->phase->grid))
    return ria_fail(p->ctx, RIA_ERR_INPUT,
                    "%s and %s: amplitude and phase of %s must have the same cells, along the axes",
                    path[0], path[1], m->name);
  f->grid = f->amplitude->grid;
  return place_on(p, f, f->amplitude->crs);
}

static ria_status sample_map(const places *p, const ria_tide_model *m, size_t k,
                             double complex *out, told *say) {
  const ria_tide_map *map = &m->map[k];
  field f = {.name = map->name,
             .path = map->amplitude,
             .unit = m->unit > 0 ? m->unit : 1,
             .of = m->of,
             .bound = most_amplitude};
  ria_status status = read_rasters(p, map, &f);
  if (status == RIA_OK) status = sample_all(p, &f, out, say);
  ria_raster_destroy(&f.amplitude);
  ria_raster_destroy(&f.phase);
  return status;
}

/* --- OTIS ------------------------------------------------------------------------------------- */

typedef struct otis_model {
  ria_otis file;
  float *number, *depth;
} otis_model;

static void close_otis(otis_model *o) {
  ria_otis_close(&o->file);
  free(o->number);
  free(o->depth);
}

static ria_status open_otis(const places *p, const ria_tide_model *m, otis_model *o) {
  ria_grid grid;
  RIA_TRY(ria_otis_open(p->ctx, m->otis, &o->file));
  if ((o->file.numbers == 4) != (m->of != RIA_TIDE_LEVEL))
    return ria_fail(p->ctx, RIA_ERR_INPUT, "%s: it has %s", m->otis,
                    o->file.numbers == 4
                        ? "transports: component = \"u\" or \"v\" says which, and levels are in "
                          "another file"
                        : "levels, which have no component: transports are in another file");
  const ria_grid *g = &o->file.grid;
  const size_t n = (size_t)g->nx * (size_t)g->ny * (size_t)o->file.numbers;
  o->number = malloc(n * sizeof *o->number);
  if (!o->number) return ria_fail_memory(p->ctx, "a tidal model", n * sizeof *o->number);
  if (!m->depth) return RIA_OK;
  RIA_TRY(ria_otis_depth(p->ctx, m->depth, &grid, &o->depth));
  if (same_cells(g, &grid)) return RIA_OK;
  return ria_fail(p->ctx, RIA_ERR_INPUT, "%s: its cells are not those of %s", m->depth, m->otis);
}

static ria_status sample_otis(const places *p, const ria_tide_model *m, const otis_model *o, int k,
                              double complex *out, told *say) {
  field f = {.name = o->file.name[k],
             .path = m->otis,
             .grid = o->file.grid,
             .number = o->number,
             .depth = o->depth,
             .numbers = o->file.numbers,
             .part = m->of == RIA_TIDE_V ? 2 : 0,
             .along_x = m->of == RIA_TIDE_U,
             .of = m->of,
             .bound = m->of == RIA_TIDE_LEVEL || m->depth ? most_amplitude : 0};
  RIA_TRY(ria_otis_read(p->ctx, &o->file, k, o->number));
  RIA_TRY(place_on(p, &f, NULL));
  if (m->of == RIA_TIDE_U) f.grid.x0 -= 0.5 * f.grid.dx; /* where the edges are */
  if (m->of == RIA_TIDE_V) f.grid.y0 -= 0.5 * f.grid.dy;
  return sample_all(p, &f, out, say);
}

/* --- all constituents ------------------------------------------------------------------------- */

static bool wanted(const ria_tide_model *m, const char *name) {
  for (size_t k = 0; m->only && k < m->n_only; k++)
    if (strcmp(m->only[k], name) == 0 || ria_tide_same(m->only[k], name)) return true;
  return !m->only;
}

static const char *name_of(const ria_tide_model *m, const otis_model *o, size_t k) {
  return m->otis ? o->file.name[k] : m->map[k].name;
}

/* Each that is asked for is known and there, once. */
static ria_status check_names(const places *p, const ria_tide_model *m, const otis_model *o,
                              size_t n) {
  const char *what = m->otis ? m->otis : "a tidal model";
  for (size_t k = 0; k < n; k++) {
    const char *name = name_of(m, o, k);
    if (!wanted(m, name)) continue;
    if (ria_tide_find(name) < 0)
      return ria_fail(p->ctx, RIA_ERR_INPUT,
                      "%s: unknown constituent '%s': `only` names those to take", what, name);
    for (size_t i = 0; i < k; i++)
      if (ria_tide_same(name_of(m, o, i), name))
        return ria_fail(p->ctx, RIA_ERR_INPUT, "%s: it has %s twice", what, name);
  }
  for (size_t i = 0; m->only && i < m->n_only; i++) {
    bool there = false;
    for (size_t k = 0; k < n; k++) there = there || ria_tide_same(m->only[i], name_of(m, o, k));
    if (!there)
      return ria_fail(p->ctx, RIA_ERR_INPUT, "%s: it has no constituent '%s'", what, m->only[i]);
  }
  return RIA_OK;
}

static ria_status add_constituent(const places *p, const char *name, const double complex *z,
                                  ria_tide_points *out) {
  size_t known;
  const char *const *names = ria_tide_names(&known);
  for (size_t k = 0; k < p->n; k++) {
    ria_tide_point *to = &out->point[k];
    if (!to->constituents) to->constituents = calloc(known, sizeof *to->constituents);
    if (!to->constituents)
      return ria_fail_memory(p->ctx, "a tide", known * sizeof *to->constituents);
    const double lag = -carg(z[k]) / to_rad;
    to->constituents[to->n++] = (ria_constituent){.name = names[ria_tide_find(name)],
                                                  .amplitude = cabs(z[k]),
                                                  .phase = lag < 0 ? lag + 360 : lag};
  }
  return RIA_OK;
}

static ria_status sample_each(const places *p, const ria_tide_model *m, const otis_model *o,
                              double complex *z, ria_tide_points *out) {
  const size_t n = m->otis ? (size_t)o->file.n : m->n_maps;
  told say = {.n = 0};
  RIA_TRY(check_names(p, m, o, n));
  for (size_t k = 0; k < n; k++) {
    const char *name = name_of(m, o, k);
    if (!wanted(m, name)) continue;
    RIA_TRY(m->otis ? sample_otis(p, m, o, (int)k, z, &say) : sample_map(p, m, k, z, &say));
    RIA_TRY(add_constituent(p, name, z, out));
  }
  if (say.n)
    ria_log(p->ctx,
            "%s: %zu of %zu points lie beside cells without data, which take what the nearest "
            "with data has, up to %.0f cells away",
            say.path, say.n, p->n, say.away);
  return RIA_OK;
}

static ria_status name_points(const places *p, ria_tide_points *out) {
  out->point = calloc(p->n, sizeof *out->point);
  if (!out->point) return ria_fail_memory(p->ctx, "points of a tide", p->n * sizeof *out->point);
  out->n = p->n;
  for (size_t k = 0; k < p->n; k++) {
    ria_tide_point *to = &out->point[k];
    char name[NAME];
    ria_format(name, sizeof name, "%.10g, %.10g", p->x[k], p->y[k]);
    *to = (ria_tide_point){
        .name = ria_strdup(name), .placed = true, .x = p->x[k], .y = p->y[k], .z0 = 0};
    if (!to->name) return ria_fail_memory(p->ctx, "points of a tide", strlen(name) + 1);
  }
  return RIA_OK;
}

static ria_status check_model(ria_context *ctx, const ria_tide_model *m, size_t n) {
  if (n && (m->otis != NULL) != (m->n_maps > 0) && (!m->depth || (m->otis && m->of))) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "a tidal model has either maps or a file of OTIS, depths are for transports of "
                  "OTIS alone, and there is at least one place to sample it at");
}

ria_status ria_tide_model_sample(ria_context *ctx, const ria_tide_model *model, const char *run,
                                 size_t n, const double *x, const double *y, double *axis,
                                 ria_tide_points *out) {
  *out = (ria_tide_points){0};
  RIA_TRY(check_model(ctx, model, n));
  double *room = malloc(2 * n * sizeof *room);
  double complex *z = malloc(n * sizeof *z);
  const places p = {.ctx = ctx,
                    .n = n,
                    .x = x,
                    .y = y,
                    .degrees = run != NULL,
                    .fx = room,
                    .fy = room ? room + n : NULL,
                    .run = run,
                    .axis = axis};
  otis_model o = {.number = NULL};
  for (size_t k = 0; axis && k < n; k++) axis[k] = 0.0;
  ria_status status =
      room && z ? RIA_OK : ria_fail_memory(ctx, "places of a tidal model", 4 * n * sizeof *room);
  if (status == RIA_OK) status = name_points(&p, out);
  if (status == RIA_OK && model->otis) status = open_otis(&p, model, &o);
  if (status == RIA_OK) status = sample_each(&p, model, &o, z, out);
  close_otis(&o);
  free(room);
  free(z);
  if (status != RIA_OK) ria_tide_points_free(out);
  return status;
}

ria_status ria_tide_model_at(ria_context *ctx, const ria_tide_model *model, bool degrees, size_t n,
                             const double *x, const double *y, ria_tide_points *out) {
  return ria_tide_model_sample(ctx, model, degrees ? "EPSG:4326" : NULL, n, x, y, NULL, out);
}
