/* outputs/fits.c - harmonic analysis of a field in every cell, while a run goes on.
 *
 * After the first step that reaches a time of the fit the field enters weighted sums on the device:
 * of 1 and of the cosine and sine of each constituent at that time (ria_solver_ops.gather). The
 * matrix of the normal equations is made of the same times and so is one for all cells. It holds
 * where every sample counts: a cell that was dry at one has no constituents, as half a curve has
 * none that its other half would keep to. A fit shortens no step and changes no bit of a run.
 *
 * When a run closes the maps go into tides.zarr. */
#include "base/context.h"
#include "base/grid.h"
#include "base/text.h"
#include "core/mask.h"
#include "forcing/normal.h"
#include "forcing/tide.h"
#include "outputs/sink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORE "tides.zarr"
static const double rad = 3.14159265358979323846 / 180.0;

typedef struct fit {
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
} fit;

typedef struct fits {
  fit **of; /* [n] */
  size_t n;
  bool made; /* the store, or begun */
} fits;

static fits *fits_of(const ria_sim *sim) { return ria_sink_state(sim, &ria_fits_sink); }
static int unknowns(const fit *f) { return 1 + 2 * f->n; }

/* --- asking for one --------------------------------------------------------------------------- */

static ria_status take_names(ria_sim *sim, const ria_fit_desc *d, fit *f) {
  size_t known;
  const char *const *names = ria_tide_names(&known);
  if (!d->n_names || d->n_names > RIA_FIT_MOST)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a fit takes 1 to %d constituents, not %zu",
                    RIA_FIT_MOST, d->n_names);
  for (size_t i = 0; i < d->n_names; i++) {
    const int k = ria_tide_find(d->names[i]);
    if (k < 0) return ria_tide_unknown_name(sim->ctx, d->names[i]);
    for (int j = 0; j < f->n; j++)
      if (f->k[j] == k)
        return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "constituent '%s' is given twice", d->names[i]);
    f->name[f->n] = names[k];
    f->k[f->n++] = k;
  }
  return RIA_OK;
}

/* A fit whose times are all over would wait for a sample that never comes. */
static ria_status check_ahead(const ria_sim *sim, const ria_fit_desc *d, const fit *f, double now) {
  if (d->from > 0.0 && d->from < now - ria_time_slack(now))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "a fit from %g s: the run is at %g s already (leave `from` out to begin now)",
                    d->from, now);
  if (f->next <= f->to + ria_time_slack(f->to)) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "a fit to %g s has no times: its first sample would be at %g s", f->to, f->next);
}

static ria_status take_times(ria_sim *sim, const ria_fit_desc *d, fit *f) {
  f->period = d->every > 0.0 ? d->every : 600.0;
  f->to = d->to > 0.0 ? d->to : INFINITY;
  f->rayleigh = d->rayleigh > 0.0 ? d->rayleigh : 1.0;
  f->nodal = d->nodal;
  if (!(d->every >= 0.0) || !(d->from >= 0.0) || !isfinite(d->from) || !(f->to > d->from))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a fit from %g s to %g s has no times", d->from,
                    f->to);
  if (f->nodal != RIA_NODAL_DAILY && !sim->start.known)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "nodal factors belong to dates, and the run has no start");
  const double now = sim->started ? sim->at.t : 0.0;
  f->next = fmax(d->from, f->period * (floor(now / f->period + 1e-9) + 1.0));
  return check_ahead(sim, d, f, now);
}

static ria_status check_field(ria_sim *sim, const ria_fit_desc *d, fit *f) {
  ria_sim_field *field = NULL;
  RIA_TRY(ria_field_find(sim, d->field ? d->field : "level", &field));
  f->field = field;
  for (size_t k = 0; k < fits_of(sim)->n; k++)
    if (fits_of(sim)->of[k]->field == field)
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "there is a fit of '%s' already", field->name);
  if (sim->ops->sums && sim->ops->gather) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "solver '%s' keeps no sums of its fields here",
                  sim->solver->name);
}

static ria_status make(ria_sim *sim, const ria_fit_desc *d, fit *f) {
  fits *all = fits_of(sim);
  RIA_TRY(check_field(sim, d, f));
  RIA_TRY(take_names(sim, d, f));
  RIA_TRY(take_times(sim, d, f));
  RIA_TRY(ria_queue_new_handle(sim, &f->handle));
  fit **grown = realloc(all->of, (all->n + 1) * sizeof *grown);
  if (!grown) return ria_fail_memory(sim->ctx, "a fit", sizeof *grown);
  all->of = grown;
  RIA_TRY(ria_sim_settle(sim));
  RIA_TRY(sim->ops->sums(sim->self, unknowns(f)));
  f->first = sim->n_sums;
  f->normal.m = unknowns(f);
  sim->n_sums += unknowns(f);
  all->of[all->n++] = f;
  return RIA_OK;
}

ria_status ria_sim_fit(ria_sim *sim, const ria_fit_desc *desc, ria_handle *out) {
  if (!desc || !desc->names)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a fit needs constituents");
  fit *f = calloc(1, sizeof *f);
  if (!f) return ria_fail_memory(sim->ctx, "a fit", sizeof *f);
  const ria_status s = make(sim, desc, f);
  if (s != RIA_OK) free(f);
  if (s == RIA_OK && out) *out = f->handle;
  return s;
}

/* --- in a run --------------------------------------------------------------------------------- */

/* 1, then cosine and sine of each, f and u in them. */
static void row_at(const ria_sim *sim, const fit *f, double t, double *row) {
  row[0] = 1.0;
  for (int i = 0; i < f->n; i++) {
    const double complex z =
        sim->start.known ? ria_tide_phasor(f->k[i], sim->start.t + t, f->nodal)
                         : cexp(I * rad * fmod(ria_tide_speed_of(f->k[i]) * t / 3600.0, 360.0));
    row[1 + 2 * i] = creal(z);
    row[2 + 2 * i] = cimag(z);
  }
}

static ria_status take_sample(ria_sim *sim, fit *f) {
  double row[RIA_UNKNOWNS];
  const double t = sim->at.t;
  row_at(sim, f, t, row);
  RIA_TRY(ria_tell_gather(sim, f->field->index, f->field->tracer, f->first, unknowns(f), row));
  ria_normal_add(&f->normal, row);
  if (!f->samples++) f->began = t;
  f->reached = t;
  return RIA_OK;
}

static void watch(const ria_sim *sim, const void *self, ria_span *span) {
  const fits *all = self;
  (void)sim;
  for (size_t k = 0; k < all->n; k++)
    if (all->of[k]->waits)
      span->max_steps = 1;
    else
      span->t_watch = fmin(span->t_watch, all->of[k]->next);
}

static ria_status look(ria_sim *sim, void *self, double t) {
  fits *all = self;
  (void)sim;
  for (size_t k = 0; k < all->n; k++) all->of[k]->waits |= all->of[k]->next <= t;
  return RIA_OK;
}

/* A step longer than the period is one sample. */
static ria_status pass(ria_sim *sim, void *self, bool landed) {
  fits *all = self;
  const double now = sim->at.t + ria_time_slack(sim->at.t);
  (void)landed;
  for (size_t k = 0; k < all->n; k++) {
    fit *f = all->of[k];
    f->waits = false;
    if (!(f->next <= now)) continue;
    RIA_TRY(take_sample(sim, f));
    f->next = f->period * (floor(now / f->period) + 1.0);
    if (f->next > f->to + ria_time_slack(f->to)) f->next = INFINITY;
    f->waits = f->next <= sim->at.t + sim->at.dt; /* a guess, as of gauges */
  }
  return RIA_OK;
}

static bool cancel(ria_sim *sim, void *self, ria_handle handle) {
  fits *all = self;
  (void)sim;
  for (size_t k = 0; k < all->n; k++) {
    if (all->of[k]->handle != handle || all->of[k]->next == INFINITY) continue;
    all->of[k]->next = INFINITY;
    all->of[k]->waits = false;
    return true;
  }
  return false;
}

/* --- maps ------------------------------------------------------------------------------------- */

/* Factor of what was gathered; the reason why there is none. */
static ria_status factor_of(ria_sim *sim, const fit *f, ria_normal *out) {
  const double span = f->reached - f->began;
  if (f->samples < unknowns(f)) /* 3 at least */
    return ria_fail(
        sim->ctx, RIA_ERR_ARGUMENT,
        "the fit of '%s' has %lld sample%s so far: %d constituent%s and the mean need %d",
        f->field->name, (long long)f->samples, ria_plural(f->samples), f->n, ria_plural(f->n),
        unknowns(f));
  RIA_TRY(ria_tide_check_parted(sim->ctx, f->name, (size_t)f->n, span,
                                span / (double)(f->samples - 1), f->rayleigh));
  *out = f->normal;
  if (ria_normal_factorise(out)) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "the samples do not tell the constituents of the fit of '%s' apart",
                  f->field->name);
}

/* A map's values from those of the two unknowns that it is made of. */
typedef enum map_kind { MEAN, AMPLITUDE, PHASE } map_kind;

static double value_of(map_kind kind, double a, double b) {
  if (kind == MEAN) return a;
  if (kind == AMPLITUDE) return hypot(a, b);
  const double phase = atan2(b, a) / rad;
  return phase < 0.0 ? phase + 360.0 : phase;
}

/* Rows j0 .. of the map into values, room[rows * nx] being for a sum's rows, a and b. */
static ria_status map_rows(ria_sim *sim, const fit *f, const double *p, const double *q,
                           map_kind kind, int j0, int nj, double *room, double *values) {
  const size_t n = (size_t)nj * (size_t)sim->grid.nx;
  double *sum = room, *a = room + n, *b = a + n;
  memset(a, 0, 2 * n * sizeof *a);
  for (int u = 0; u < unknowns(f); u++) {
    RIA_TRY(sim->ops->read(sim->self, -1 - (f->first + u), -1, false, j0, nj, RIA_F64, sum));
    for (size_t c = 0; c < n; c++) {
      a[c] += p[u] * sum[c];
      b[c] += q[u] * sum[c];
    }
  }
  for (size_t c = 0; c < n; c++) values[c] = value_of(kind, a[c], b[c]);
  ria_mask_blank(sim, j0, nj, RIA_F64, values);
  return RIA_OK;
}

static ria_status read_map(ria_sim *sim, const fit *f, int i, map_kind kind, double *values) {
  const int nx = sim->grid.nx, ny = sim->grid.ny, rows = nx > 65536 ? 1 : 65536 / nx;
  const int most = rows < ny ? rows : ny;
  double p[RIA_UNKNOWNS] = {0}, q[RIA_UNKNOWNS] = {0};
  ria_normal *normal = malloc(sizeof *normal);
  double *room = malloc(3 * (size_t)most * (size_t)nx * sizeof *room);
  ria_status s = normal && room ? factor_of(sim, f, normal)
                                : ria_fail_memory(sim->ctx, "a map", sizeof *normal);
  p[kind == MEAN ? 0 : 1 + 2 * i] = 1.0;
  q[kind == MEAN ? 0 : 2 + 2 * i] = 1.0;
  if (s == RIA_OK) ria_normal_solve(normal, p);
  if (s == RIA_OK) ria_normal_solve(normal, q);
  for (int j = 0; s == RIA_OK && j < ny; j += most)
    s = map_rows(sim, f, p, q, kind, j, ny - j < most ? ny - j : most, room,
                 values + (size_t)j * (size_t)nx);
  free(normal);
  free(room);
  return s;
}

/* The k-th map of a fit and its name: the mean, then amplitude and phase of each. */
static map_kind map_of(const fit *f, int k, int *i, char name[RIA_MAP_NAME]) {
  const map_kind kind = k == 0 ? MEAN : k % 2 ? AMPLITUDE : PHASE;
  *i = (k - 1) / 2;
  snprintf(name, RIA_MAP_NAME,
           kind == MEAN    ? "%s_%s"
           : kind == PHASE ? "%s_%s_phase"
                           : "%s_%s_amplitude",
           f->field->name, kind == MEAN ? "Z0" : f->name[*i]);
  return kind;
}

bool ria_sim_fit_list(const ria_sim *sim, size_t k, char name[RIA_MAP_NAME], const char **unit) {
  const fits *all = fits_of(sim);
  for (size_t f = 0; f < all->n; f++) {
    const size_t maps = (size_t)unknowns(all->of[f]);
    int i;
    if (k < maps) {
      const map_kind kind = map_of(all->of[f], (int)k, &i, name);
      *unit = kind == PHASE ? "deg" : all->of[f]->field->unit;
      return true;
    }
    k -= maps;
  }
  return false;
}

/* What the host sees is recorded. */
static ria_status read_for_host(ria_sim *sim, const fit *f, int i, map_kind kind, double *values) {
  const size_t bytes = ria_grid_cells(&sim->grid) * sizeof *values;
  const uint64_t asked = (uint64_t)f->handle * 1024 + 4 * (uint64_t)(i + 1) + kind + (1ull << 40);
  bool known;
  RIA_TRY(ria_sim_settle(sim));
  RIA_TRY(ria_record_answer(sim, RIA_RECORD_FIELD, asked, values, bytes, &known));
  if (known) return RIA_OK;
  RIA_TRY(read_map(sim, f, i, kind, values));
  return ria_record_keep(sim, RIA_RECORD_FIELD, asked, values, bytes);
}

ria_status ria_sim_get_fit(ria_sim *sim, const char *map, double *values) {
  const fits *all = fits_of(sim);
  char name[RIA_MAP_NAME];
  ria_guess guess = ria_guess_start(map);
  for (size_t f = 0; f < all->n; f++)
    for (int k = 0, i; k < unknowns(all->of[f]); k++) {
      const map_kind kind = map_of(all->of[f], k, &i, name);
      ria_guess_try(&guess, name);
      if (strcmp(name, map) != 0) continue;
      return read_for_host(sim, all->of[f], i, kind, values);
    }
  return ria_fail_guess(sim->ctx, &guess, NULL, "no map of a fit is named '%s'", map);
}

/* --- the store -------------------------------------------------------------------------------- */

typedef struct stored_map {
  const fit *f;
  int i;
  map_kind kind;
  char name[RIA_MAP_NAME], long_name[RIA_MAP_NAME + 64];
} stored_map;

static void describe(const stored_map *m, ria_zarr_field *out) {
  const ria_sim_field *of = m->f->field;
  *out = (ria_zarr_field){.name = m->name,
                          .unit = m->kind == PHASE ? "degree" : of->cf,
                          .long_name = m->long_name,
                          .cell_methods = "area: mean",
                          .fixed = true};
}

/* The maps of fits that tell their constituents apart; of others the log says why. */
static size_t list_maps(ria_sim *sim, const fits *all, stored_map *maps, ria_normal *room) {
  size_t n = 0;
  for (size_t f = 0; f < all->n; f++) {
    const fit *of = all->of[f];
    if (factor_of(sim, of, room) != RIA_OK) {
      ria_log(sim->ctx, "  no maps of the fit: %s", ria_error(sim->ctx));
      ria_error_clear(sim->ctx);
      continue;
    }
    for (int k = 0; k < unknowns(of); k++) {
      stored_map *m = &maps[n++];
      m->f = of;
      m->kind = map_of(of, k, &m->i, m->name);
      snprintf(m->long_name, sizeof m->long_name, m->kind == MEAN ? "%s of %s" : "%s of %s in %s",
               m->kind == MEAN    ? "mean"
               : m->kind == PHASE ? "phase"
                                  : "amplitude",
               m->kind == MEAN ? of->field->long_name : of->name[m->i], of->field->long_name);
    }
  }
  return n;
}

static ria_status put_map(ria_sim *sim, ria_zarr *store, size_t k, const stored_map *m) {
  const size_t cells = ria_grid_cells(&sim->grid);
  double *values = malloc(cells * sizeof *values);
  if (!values) return ria_fail_memory(sim->ctx, "a map", cells * sizeof *values);
  const ria_status s = read_map(sim, m->f, m->i, m->kind, values);
  if (s == RIA_OK && sim->real == RIA_F32) /* in place: each float lies before its double */
    for (size_t c = 0; c < cells; c++) {
      const float v = (float)values[c];
      memcpy((char *)values + c * sizeof v, &v, sizeof v);
    }
  if (s == RIA_OK) return ria_zarr_put(store, k, values);
  free(values);
  return s;
}

static ria_status write_store(ria_sim *sim, const stored_map *maps, size_t n, const char *path) {
  ria_zarr *store = NULL;
  ria_zarr_field *table = calloc(n, sizeof *table);
  if (!table) return ria_fail_memory(sim->ctx, "maps", n * sizeof *table);
  for (size_t k = 0; k < n; k++) describe(&maps[k], &table[k]);
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
  for (size_t k = 0; s == RIA_OK && k < n; k++) s = put_map(sim, store, k, &maps[k]);
  ria_zarr_destroy(&store);
  free(table);
  return s;
}

static ria_status write_maps(ria_sim *sim, fits *all, const stored_map *maps, size_t n) {
  char *path = NULL;
  RIA_TRY(ria_outputs_claim(sim, RIA_RESULT_STORE, STORE));
  all->made = true;
  RIA_TRY(ria_out_path(sim, STORE, &path));
  const ria_status s = write_store(sim, maps, n, path);
  free(path);
  return s;
}

static ria_status finish(ria_sim *sim, void *self) {
  fits *all = self;
  size_t most = 0;
  if (sim->record.replays) return RIA_OK; /* they were written then */
  for (size_t f = 0; f < all->n; f++) most += (size_t)unknowns(all->of[f]);
  if (!most) return RIA_OK;
  stored_map *maps = calloc(most, sizeof *maps);
  ria_normal *room = malloc(sizeof *room);
  const size_t n = maps && room ? list_maps(sim, all, maps, room) : 0;
  ria_status s = maps && room ? RIA_OK : ria_fail_memory(sim->ctx, "maps", most * sizeof *maps);
  if (s == RIA_OK && n) s = write_maps(sim, all, maps, n);
  free(maps);
  free(room);
  return s;
}

/* --- as one of the outputs -------------------------------------------------------------------- */

static ria_status list(ria_sim *sim, const void *self, ria_results_list *list) {
  const fits *all = self;
  if (!all->n) return RIA_OK;
  return ria_sink_lists(sim, list, RIA_RESULT_STORE, STORE, (ria_result){.made = all->made});
}

static void report(ria_sim *sim, const void *self) {
  const fits *all = self;
  for (size_t k = 0; all->made && k < all->n; k++)
    ria_log(sim->ctx, "    " STORE ": %d constituent%s of %s from %lld samples", all->of[k]->n,
            ria_plural(all->of[k]->n), all->of[k]->field->name, (long long)all->of[k]->samples);
}

static void destroy(ria_sim *sim, void *self) {
  fits *all = self;
  (void)sim;
  for (size_t k = 0; k < all->n; k++) free(all->of[k]);
  free(all->of);
}

const ria_sink ria_fits_sink = {.size = sizeof(fits),
                                .watch = watch,
                                .look = look,
                                .pass = pass,
                                .finish = finish,
                                .cancel = cancel,
                                .list = list,
                                .report = report,
                                .free = destroy};
