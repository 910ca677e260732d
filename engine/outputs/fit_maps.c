/* outputs/fit_maps.c - the maps of a fit, as fields that are drawn and saved like others.
 *
 * A map is a linear form of the sums in a cell, or two for an amplitude and a phase: rows of the
 * inverse of the normal matrix. So any rows of it are made at any time, from the samples so far,
 * with room for three of their kind. */
#include "outputs/fits.h"
#include "base/context.h"
#include "base/grid.h"
#include "base/text.h"
#include "core/mask.h"
#include "forcing/tide.h"
#include "outputs/sink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rad = 3.14159265358979323846 / 180.0;

/* --- what the samples tell -------------------------------------------------------------------- */

static ria_status factor_of(ria_sim *sim, const ria_fit_run *f, ria_normal *out) {
  const double span = f->reached - f->began;
  const int need = ria_fit_unknowns(f); /* 3 at least */
  if (f->samples < need)
    return ria_fail(
        sim->ctx, RIA_ERR_ARGUMENT,
        "the fit of '%s' has %lld sample%s so far: %d constituent%s and the mean need %d",
        f->field->name, (long long)f->samples, ria_plural(f->samples), f->n, ria_plural(f->n),
        need);
  RIA_TRY(ria_tide_check_parted(sim->ctx, f->name, (size_t)f->n, span,
                                span / (double)(f->samples - 1), f->rayleigh));
  *out = f->normal;
  if (ria_normal_factorise(out)) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "the samples do not tell the constituents of the fit of '%s' apart",
                  f->field->name);
}

ria_status ria_fit_ready(ria_sim *sim, const ria_fit_run *f) {
  ria_normal normal;
  return factor_of(sim, f, &normal);
}

bool ria_fit_tells(ria_sim *sim, ria_fit_run *f, bool each_time) {
  if (ria_fit_ready(sim, f) == RIA_OK) return true;
  if (each_time || !f->told)
    ria_log(sim->ctx, "  no maps of the fit%s: %s", each_time ? "" : " yet", ria_error(sim->ctx));
  ria_error_clear(sim->ctx);
  f->told = true;
  return false;
}

/* --- values ----------------------------------------------------------------------------------- */

/* A map's values from those of the two unknowns that it is made of. */
static double value_of(ria_fit_kind kind, double a, double b) {
  if (kind == RIA_FIT_MEAN) return a;
  if (kind == RIA_FIT_AMPLITUDE) return hypot(a, b);
  const double phase = atan2(b, a) / rad;
  return phase < 0.0 ? phase + 360.0 : phase;
}

/* Rows j0 .. of the two unknowns into a and b: forms p and q of the sums. */
static ria_status unknown_rows(ria_sim *sim, const ria_fit_run *f, const double *p, const double *q,
                               int j0, int nj, double *sum, double *a, double *b) {
  const size_t n = (size_t)nj * (size_t)sim->grid.nx;
  memset(a, 0, n * sizeof *a);
  memset(b, 0, n * sizeof *b);
  for (int u = 0; u < ria_fit_unknowns(f); u++) {
    RIA_TRY(sim->ops->read(sim->self, -1 - (f->first + u), -1, false, j0, nj, RIA_F64, sum));
    for (size_t c = 0; c < n; c++) {
      a[c] += p[u] * sum[c];
      b[c] += q[u] * sum[c];
    }
  }
  return RIA_OK;
}

static void put_rows(const ria_fit_map *m, const double *a, const double *b, size_t n,
                     ria_real real, void *dst) {
  for (size_t c = 0; c < n; c++) {
    const double v = value_of(m->kind, a[c], b[c]);
    if (real == RIA_F32)
      ((float *)dst)[c] = (float)v;
    else
      ((double *)dst)[c] = v;
  }
}

static ria_status map_rows(ria_sim *sim, const ria_fit_map *m, int j0, int nj, double *room,
                           ria_real real, void *dst) {
  const size_t n = (size_t)nj * (size_t)sim->grid.nx;
  double p[RIA_UNKNOWNS] = {0}, q[RIA_UNKNOWNS] = {0}, *a = room + n, *b = a + n;
  ria_normal normal;
  RIA_TRY(factor_of(sim, m->fit, &normal));
  p[m->kind == RIA_FIT_MEAN ? 0 : 1 + 2 * m->i] = 1.0;
  q[m->kind == RIA_FIT_MEAN ? 0 : 2 + 2 * m->i] = 1.0;
  ria_normal_solve(&normal, p);
  ria_normal_solve(&normal, q);
  RIA_TRY(unknown_rows(sim, m->fit, p, q, j0, nj, room, a, b));
  put_rows(m, a, b, n, real, dst);
  return RIA_OK;
}

static void no_rows(size_t n, ria_real real, void *dst) {
  for (size_t c = 0; c < n; c++)
    if (real == RIA_F32)
      ((float *)dst)[c] = NAN;
    else
      ((double *)dst)[c] = NAN;
}

/* Of at most so many cells at once. */
static ria_status rows_of_map(ria_sim *sim, const ria_sim_field *field, int j0, int nj,
                              ria_real real, void *dst) {
  const ria_fit_map *m = field->of;
  const int nx = sim->grid.nx, most = nx > 65536 ? 1 : 65536 / nx, rows = most < nj ? most : nj;
  const size_t bytes = 3 * (size_t)rows * (size_t)nx * sizeof(double);
  if (!ria_fit_tells(sim, m->fit, false)) {
    no_rows((size_t)nj * (size_t)nx, real, dst);
    return RIA_OK;
  }
  double *room = malloc(bytes);
  ria_status s = room ? RIA_OK : ria_fail_memory(sim->ctx, "a map", bytes);
  for (int j = 0; s == RIA_OK && j < nj; j += rows)
    s = map_rows(sim, m, j0 + j, nj - j < rows ? nj - j : rows, room, real,
                 (char *)dst + (size_t)j * (size_t)nx * ria_real_size(real));
  free(room);
  return s;
}

/* --- as fields -------------------------------------------------------------------------------- */

static const char *const kind_words[] = {"mean", "amplitude", "phase"};

static bool name_map(ria_fit_map *m) {
  const ria_sim_field *of = m->fit->field;
  const char *kind = kind_words[m->kind];
  ria_sim_field *f = &m->field;
  if (m->kind == RIA_FIT_MEAN) {
    ria_format(f->long_name, sizeof f->long_name, "%s of %s", kind, of->long_name);
    return snprintf(f->name, sizeof f->name, "%s_Z0", of->name) < (int)sizeof f->name;
  }
  const char *constituent = m->fit->name[m->i];
  ria_format(f->long_name, sizeof f->long_name, "%s of %s in %s", kind, constituent, of->long_name);
  return snprintf(f->name, sizeof f->name, "%s_%s_%s", of->name, constituent, kind) <
         (int)sizeof f->name;
}

static ria_status make_map(ria_sim *sim, ria_fit_run *f, int k) {
  const ria_field_info *of = f->field->info;
  ria_fit_map *m = &f->map[k];
  m->fit = f;
  m->kind = k == 0 ? RIA_FIT_MEAN : k % 2 ? RIA_FIT_AMPLITUDE : RIA_FIT_PHASE;
  m->i = (k - 1) / 2;
  m->field = (ria_sim_field){.info = &m->info, .index = -1, .tracer = -1, .rows = rows_of_map};
  m->field.of = m;
  m->field.unit = m->kind == RIA_FIT_PHASE ? "deg" : f->field->unit;
  m->field.cf = m->kind == RIA_FIT_PHASE ? "degree" : f->field->cf;
  if (!name_map(m))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "the name '%s' is too long for maps of a fit",
                    f->field->name);
  m->info = (ria_field_info){.name = m->field.name,
                             .unit = m->field.unit,
                             .long_name = m->field.long_name,
                             .map = m->kind == RIA_FIT_MEAN ? of->map : "amp"};
  if (m->kind == RIA_FIT_PHASE) m->info.map = "viridis";
  if (m->kind == RIA_FIT_MEAN) m->info.flags = of->flags & (RIA_FIELD_LEVEL | RIA_FIELD_GROUND);
  return RIA_OK;
}

ria_status ria_fit_maps_make(ria_sim *sim, ria_fit_run *f) {
  const int n = ria_fit_unknowns(f);
  f->map = calloc((size_t)n, sizeof *f->map);
  if (!f->map) return ria_fail_memory(sim->ctx, "maps", (size_t)n * sizeof *f->map);
  for (int k = 0; k < n; k++) RIA_TRY(make_map(sim, f, k));
  return RIA_OK;
}

void ria_fit_maps_show(ria_sim *sim, ria_fit_run *f) {
  for (int k = ria_fit_unknowns(f) - 1; k >= 0; k--) {
    f->map[k].field.next = sim->maps;
    sim->maps = &f->map[k].field;
  }
}
