/* core/from_water.c - hot starts of solvers of flow: depth, discharges, tracers.
 *
 * Over another bed, or on other cells, the surface is what must stay smooth: the level of wet cells
 * is taken over and the bed of now filled up to it. What that gains or loses a shift of the level
 * makes up for, the same everywhere, so that a lake at rest stays at rest. */
#include "core/from.h"
#include "base/context.h"
#include "base/grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOW = 2 };

/* Differences of beds that are those of rounding, m. */
static const double same_height = 1e-3;

typedef struct water {
  ria_from *f;
  const ria_sim_field *depth, *level, *q[FLOW], *u[FLOW];
  /* Of the store [from]; any may be NULL. */
  double *h, *z, *bed;
  double *wet; /* [from] weights of velocities and concentrations: the depth, else 1, 0 where dry */
  double *ground, *had, *share, *now; /* [to] the bed; mean depth of the store; the new depth */
  bool by_depth;                      /* the depth is taken cell by cell: the level is not known */
  bool as_is;                         /* the same cells, the same bed */
} water;

bool ria_from_is_water(const ria_sim *sim) {
  static const char *const needed[] = {"level", "qx", "qy", NULL};
  const ria_sim_roles *r = &sim->roles;
  if (!r->bed || !r->depth || !r->u || !r->v || !(r->depth->info->flags & RIA_FIELD_INPUT))
    return false;
  for (int k = 0; needed[k]; k++) {
    const ria_sim_field *f = ria_from_field(sim, needed[k], -1);
    if (!f || !(f->info->flags & RIA_FIELD_INPUT)) return false;
  }
  return true;
}

static void water_free(water *w) {
  double *const all[] = {w->h, w->z, w->bed, w->wet, w->ground, w->had, w->share, w->now};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

/* --- what the store knows of the water -------------------------------------------------------- */

/* Where there is water, deeper than any bound of what is dry, all fields have a value. */
static ria_status check_whole(const water *w, const char *name, const double *v) {
  const double wet = fmax(0.1, w->f->sim->dry);
  for (size_t c = 0; w->h && v && c < w->f->n_from; c++)
    if (w->h[c] > wet && isnan(v[c]))
      return ria_fail(w->f->sim->ctx, RIA_ERR_INPUT,
                      "from: store %s: frame %zu has no '%s' where it has 'depth': a chunk is "
                      "missing (in netCDF: the variables have values in other cells)",
                      ria_store_path(w->f->store), w->f->frame, name);
  return RIA_OK;
}

/* A field that has values wherever there is water. */
static ria_status read_wet(water *w, const ria_sim_field *field, double **out) {
  RIA_TRY(ria_from_read(w->f, field->name, field, out));
  const ria_status status = check_whole(w, field->name, *out);
  if (status == RIA_OK) return RIA_OK;
  free(*out);
  *out = NULL;
  return status;
}

/* Of depth, level and bed two give the third. */
static ria_status complete(water *w) {
  ria_from *f = w->f;
  const double dry = f->sim->dry;
  if (!w->h && w->z && w->bed) {
    RIA_TRY(ria_from_room(f, f->n_from, &w->h));
    for (size_t c = 0; c < f->n_from; c++)
      w->h[c] = isnan(w->bed[c]) ? (double)NAN
                : isnan(w->z[c]) ? 0.0
                                 : fmax(w->z[c] - w->bed[c], 0.0);
  } else if (w->h && !w->z && w->bed) {
    RIA_TRY(ria_from_room(f, f->n_from, &w->z));
    for (size_t c = 0; c < f->n_from; c++)
      w->z[c] = w->h[c] > dry ? w->bed[c] + w->h[c] : (double)NAN;
  }
  return RIA_OK;
}

static ria_status weigh(water *w) {
  ria_from *f = w->f;
  const double dry = f->sim->dry;
  RIA_TRY(ria_from_room(f, f->n_from, &w->wet));
  for (size_t c = 0; c < f->n_from; c++)
    w->wet[c] = w->h ? (w->h[c] > dry ? w->h[c] : 0.0) : isnan(w->z[c]) ? 0.0 : 1.0;
  return RIA_OK;
}

static ria_status read_water(water *w) {
  ria_from *f = w->f;
  char text[256];
  RIA_TRY(ria_from_read(f, "depth", w->depth, &w->h));
  if (w->h) ria_from_took(f, "depth");
  RIA_TRY(read_wet(w, w->level, &w->z));
  if (w->z) ria_from_took(f, "level");
  RIA_TRY(ria_from_read_fixed(f, "bed", f->sim->roles.bed, &w->bed));
  if (w->h || w->z) {
    RIA_TRY(complete(w));
    return weigh(w);
  }
  ria_store_fields(f->store, text, sizeof text);
  return ria_fail(f->sim->ctx, RIA_ERR_INPUT,
                  "from: store %s has neither depth nor level, but %s: the earlier run saves what "
                  "is needed by sim:every(\"6 h\", ria.save { \"depth\", \"level\", \"qx\", "
                  "\"qy\" })",
                  ria_store_path(f->store), *text ? text : "nothing");
}

/* --- the depth -------------------------------------------------------------------------------- */

/* Is the bed of now that of the store, as far as water tells? */
static bool same_bed(const water *w) {
  if (!w->h || !w->z) return true; /* it is not known to be another */
  for (size_t c = 0; c < w->f->n_to; c++)
    if (w->f->covered[c] && w->h[c] > w->f->sim->dry &&
        fabs(w->z[c] - w->h[c] - w->ground[c]) > same_height) /* not where z is NaN */
      return false;
  return true;
}

/* Depths of cells filled up to their level, shifted; sum of them, and how many are wet. */
static double fill(const water *w, const double *level, double shift, size_t *wet) {
  double sum = 0.0;
  *wet = 0;
  for (size_t c = 0; c < w->f->n_to; c++) {
    if (!w->f->covered[c]) continue;
    const bool known = !isnan(level[c]);
    const double h = known ? fmax(level[c] + shift - w->ground[c], 0.0) : w->had ? w->had[c] : 0.0;
    w->now[c] = h;
    sum += h;
    *wet += known && h > 0.0;
  }
  return sum;
}

/* By how much the nearest cell must be filled up to become wet. */
static double least_rise(const water *w, const double *level) {
  double least = INFINITY;
  for (size_t c = 0; c < w->f->n_to; c++)
    if (w->f->covered[c] && !isnan(level[c])) least = fmin(least, w->ground[c] - level[c]);
  return isfinite(least) ? fmax(least, 0.0) + same_height : 0.0;
}

/* The sum is a convex function of the shift, of straight pieces: Newton's method ends after one
 * step too far at most, and then comes from above to the root itself. */
static double level_shift(const water *w, const double *level, double sum) {
  double shift = 0.0;
  size_t wet;
  for (int k = 0; k < 200; k++) {
    const double off = sum - fill(w, level, shift, &wet);
    if (fabs(off) <= 4e-16 * sum) break;
    const double step = wet ? off / (double)wet : least_rise(w, level);
    if (shift + step == shift) break;
    shift += step;
  }
  return shift;
}

static double sum_covered(const water *w, const double *v) {
  double sum = 0.0;
  for (size_t c = 0; c < w->f->n_to; c++)
    if (w->f->covered[c]) sum += v[c];
  return sum;
}

static double area_of(const water *w) { return w->f->regrid.to.dx * w->f->regrid.to.dy; }

/* Water that stood where the ground is above its level now. */
static void tell_risen(water *w, const double *level) {
  double lost = 0.0;
  size_t n = 0;
  for (size_t c = 0; c < w->f->n_to; c++)
    if (w->f->covered[c] && w->had[c] > w->f->sim->dry && !isnan(level[c]) &&
        level[c] <= w->ground[c])
      lost += w->had[c], n++;
  if (n)
    ria_buffer_format(&w->f->warned,
                      "%.4g m^3 of water stood in %zu cells whose ground is above its level now: "
                      "%s\n",
                      lost * area_of(w), n,
                      w->f->keep == RIA_FROM_LEVEL ? "it is gone" : "it went to the other cells");
}

static void tell_shift(water *w, double before, double sum, double shift) {
  ria_from *f = w->f;
  const double a = area_of(w);
  if (f->keep == RIA_FROM_LEVEL)
    ria_buffer_format(&f->told, "the level is kept: %.6g m^3 of water, %.6g m^3 before\n",
                      before * a, sum * a);
  else
    ria_buffer_format(&f->told, "%.6g m^3 of water; the level was shifted by %.3g m to keep it\n",
                      sum * a, shift);
  if (f->keep == RIA_FROM_AMOUNTS && fabs(shift) > 0.01)
    ria_buffer_format(&f->warned,
                      "the level was shifted by %.3g m to keep the volume over another bed or "
                      "other cells: keep = \"level\" leaves it\n",
                      shift);
}

static void fill_up(water *w, const double *level) {
  size_t wet;
  const double before = fill(w, level, 0.0, &wet);
  if (!w->h) {
    ria_buffer_format(&w->f->warned,
                      "not in the store: 'depth' (or 'bed'): %.6g m^3 of water is what the level "
                      "leaves above the bed, whatever there was\n",
                      before * area_of(w));
    return;
  }
  const double sum = sum_covered(w, w->had);
  tell_risen(w, level);
  const bool keeps = w->f->keep == RIA_FROM_AMOUNTS;
  const double shift = keeps ? level_shift(w, level, sum) : 0.0;
  fill(w, level, shift, &wet);
  tell_shift(w, before, sum, shift);
}

static ria_status regrid_level(water *w) {
  ria_from *f = w->f;
  double *level = NULL;
  RIA_TRY(ria_from_room(f, f->n_to, &level));
  ria_regrid_mean(&f->regrid, w->z, NULL, level, NULL);
  fill_up(w, level);
  free(level);
  return RIA_OK;
}

/* Of a level alone dry cells and those outside look alike. */
static ria_status cover(water *w) {
  ria_from *f = w->f;
  RIA_TRY(ria_from_room(f, f->n_to, &w->share));
  RIA_TRY(ria_from_room(f, f->n_to, &w->now));
  RIA_TRY(ria_from_room(f, f->n_to, &w->ground));
  RIA_TRY(ria_field_read(f->sim, f->sim->roles.bed, false, RIA_F64, w->ground));
  if (w->h) {
    RIA_TRY(ria_from_room(f, f->n_to, &w->had));
    ria_regrid_mean(&f->regrid, w->h, NULL, w->had, w->share);
    return ria_from_cover(f, w->share);
  }
  double *there = NULL;
  RIA_TRY(ria_from_room(f, f->n_from, &there));
  for (size_t c = 0; c < f->n_from; c++) there[c] = 1.0;
  ria_regrid_mean(&f->regrid, there, NULL, w->now, w->share);
  free(there);
  return ria_from_cover(f, w->share);
}

static ria_status take_depth(water *w) {
  ria_from *f = w->f;
  w->as_is = f->regrid.same && w->h && same_bed(w);
  if (w->z && !w->as_is) return regrid_level(w);
  memcpy(w->now, w->had, f->n_to * sizeof *w->now);
  if (w->as_is) return RIA_OK;
  w->by_depth = true;
  ria_buffer_format(&f->told, "%.6g m^3 of water, cell by cell\n",
                    sum_covered(w, w->now) * area_of(w));
  ria_buffer_format(&f->warned,
                    "not in the store: 'level' (or 'bed'): the depth is taken over, so the surface "
                    "follows whatever differs between the beds\n");
  return RIA_OK;
}

/* --- the flow --------------------------------------------------------------------------------- */

/* Velocities of the store along one axis, from either; NULL: it has neither. */
static ria_status read_velocity(water *w, int axis, double **out) {
  ria_from *f = w->f;
  if (w->h) RIA_TRY(read_wet(w, w->q[axis], out));
  if (w->h && *out) {
    ria_from_took(f, w->q[axis]->name);
    for (size_t c = 0; c < f->n_from; c++)
      (*out)[c] = w->wet[c] > 0.0 ? (*out)[c] / w->h[c] : (double)NAN;
    return RIA_OK;
  }
  RIA_TRY(read_wet(w, w->u[axis], out));
  if (*out) ria_from_took(f, w->u[axis]->name);
  return RIA_OK;
}

/* Discharges as they are, or velocities times the depth. */
static ria_status take_as_is(water *w, int axis, bool *there) {
  ria_from *f = w->f;
  double *v = NULL;
  RIA_TRY(read_wet(w, w->q[axis], &v));
  const bool discharge = v != NULL;
  if (!v) RIA_TRY(read_wet(w, w->u[axis], &v));
  *there = v != NULL;
  if (!v) return RIA_OK;
  ria_from_took(f, discharge ? w->q[axis]->name : w->u[axis]->name);
  for (size_t c = 0; c < f->n_to; c++)
    v[c] = isnan(v[c]) ? 0.0 : discharge ? v[c] : v[c] * w->now[c];
  const ria_status status = ria_from_set(f, w->q[axis], v);
  free(v);
  return status;
}

/* u [from] of both axes, NULL where a component is not known, becomes discharges [to]. */
static ria_status set_flow(water *w, double *const u[FLOW], double *const q[FLOW]) {
  ria_from *f = w->f;
  for (int k = 0; k < FLOW; k++)
    if (u[k]) ria_regrid_mean(&f->regrid, u[k], w->wet, q[k], NULL);
  for (size_t c = 0; c < f->n_to; c++) {
    const double h = w->now[c] > f->sim->dry ? w->now[c] : 0.0;
    if (u[0] && u[1]) ria_regrid_turn(&f->regrid, &q[0][c], &q[1][c]);
    for (int k = 0; k < FLOW; k++)
      if (u[k]) q[k][c] = h > 0.0 && !isnan(q[k][c]) ? h * q[k][c] : 0.0;
  }
  for (int k = 0; k < FLOW; k++)
    if (u[k]) RIA_TRY(ria_from_set(f, w->q[k], q[k]));
  return RIA_OK;
}

static ria_status regrid_flow(water *w, bool there[FLOW]) {
  ria_from *f = w->f;
  double *u[FLOW] = {NULL, NULL}, *q[FLOW] = {NULL, NULL};
  ria_status status = RIA_OK;
  for (int k = 0; k < FLOW && status == RIA_OK; k++) {
    status = read_velocity(w, k, &u[k]);
    there[k] = u[k] != NULL;
    if (status == RIA_OK) status = ria_from_room(f, f->n_to, &q[k]);
  }
  if (status == RIA_OK && there[0] != there[1] && f->regrid.sine != 0.0)
    status = ria_fail(f->sim->ctx, RIA_ERR_INPUT,
                      "from: the grid of store %s is turned against this run's: it needs both of "
                      "qx and qy, or of u and v",
                      ria_store_path(f->store));
  if (status == RIA_OK) status = set_flow(w, u, q);
  for (int k = 0; k < FLOW; k++) {
    free(u[k]);
    free(q[k]);
  }
  return status;
}

static ria_status take_flow(water *w) {
  bool there[FLOW] = {false, false};
  if (w->as_is)
    for (int k = 0; k < FLOW; k++) RIA_TRY(take_as_is(w, k, &there[k]));
  else
    RIA_TRY(regrid_flow(w, there));
  for (int k = 0; k < FLOW; k++)
    if (!there[k])
      ria_buffer_format(&w->f->warned, "not in the store: '%s' or '%s': velocities stay as set\n",
                        w->q[k]->name, w->u[k]->name);
  return RIA_OK;
}

/* --- tracers ---------------------------------------------------------------------------------- */

/* Of a tracer what the store has: its load (*load), or its concentration. */
static ria_status read_tracer(water *w, int m, const ria_sim_field *conc, const ria_sim_field *load,
                              double **out, bool *is_load) {
  ria_from *f = w->f;
  *is_load = false;
  *out = NULL;
  if (w->h) RIA_TRY(read_wet(w, load, out));
  *is_load = *out != NULL;
  if (!*out) RIA_TRY(read_wet(w, conc, out));
  if (*out) ria_from_took(f, *is_load ? load->name : conc->name);
  if (!*out)
    ria_buffer_format(
        &f->warned,
        "not in the store: tracer '%s', which is 0 where this simulation had no water yet\n",
        f->sim->tracers[m].name);
  return RIA_OK;
}

/* c [from], a concentration or a load, becomes the load [to]. */
static void regrid_tracer(water *w, double *c, bool is_load, double *load, double *mass) {
  const ria_from *f = w->f;
  for (size_t k = 0; k < f->n_from && is_load; k++)
    c[k] = w->h[k] > 0.0 ? c[k] / w->h[k] : (double)NAN;
  ria_regrid_mean(&f->regrid, c, w->h ? w->h : w->wet, load, NULL);
  for (size_t k = 0; k < f->n_to; k++) load[k] = isnan(load[k]) ? 0.0 : load[k] * w->now[k];
  for (size_t k = 0; w->h && k < f->n_from; k++)
    c[k] = isnan(w->h[k]) ? (double)NAN : isnan(c[k]) ? 0.0 : c[k] * w->h[k];
  if (w->h) ria_regrid_mean(&f->regrid, c, NULL, mass, NULL);
}

/* Scaled to what there was: `mass` [to], amounts per area. */
static void keep_amount(water *w, int m, double *load, const double *mass) {
  ria_from *f = w->f;
  const double have = sum_covered(w, load), want = sum_covered(w, mass), a = area_of(w);
  const double factor = have > 0.0 ? want / have : 1.0;
  const int q = f->sim->n_own + m;
  const char *name = f->sim->tracers[m].name, *unit = ria_quantity_unit(f->sim, q);
  if (f->keep == RIA_FROM_LEVEL) {
    ria_buffer_format(&f->told, "%s: concentrations are kept: %.6g %s, %.6g before\n", name,
                      ria_quantity_amount(f->sim, q, have * a), unit,
                      ria_quantity_amount(f->sim, q, want * a));
    return;
  }
  for (size_t c = 0; c < f->n_to; c++) load[c] *= factor;
  ria_buffer_format(&f->told, "%s: %.6g %s, concentrations scaled by 1 %+.2g to keep it\n", name,
                    ria_quantity_amount(f->sim, q, have * factor * a), unit, factor - 1.0);
  if (!(have > 0.0) && want > 0.0)
    ria_buffer_format(&f->warned, "%s: %.6g %s are lost: the cells that had it are dry now\n", name,
                      ria_quantity_amount(f->sim, q, want * a), unit);
}

static ria_status set_tracer(water *w, int m, const ria_sim_field *field, double *c, bool is_load) {
  ria_from *f = w->f;
  double *load = NULL, *mass = NULL;
  ria_status status = ria_from_room(f, f->n_to, &load);
  if (status == RIA_OK) status = ria_from_room(f, f->n_to, &mass);
  if (status == RIA_OK && w->as_is)
    for (size_t k = 0; k < f->n_to; k++)
      load[k] = isnan(c[k]) ? 0.0 : is_load ? c[k] : c[k] * w->now[k];
  else if (status == RIA_OK)
    regrid_tracer(w, c, is_load, load, mass);
  if (status == RIA_OK && !w->as_is && w->h) keep_amount(w, m, load, mass);
  if (status == RIA_OK) status = ria_from_set(f, field, load);
  free(load);
  free(mass);
  return status;
}

static ria_status take_tracer(water *w, int m) {
  ria_from *f = w->f;
  const ria_sim_field *conc = ria_from_field(f->sim, "", m), *load;
  load = ria_from_field(f->sim, "load", m);
  double *c = NULL;
  bool is_load;
  if (!conc || !load) return RIA_OK;
  RIA_TRY(read_tracer(w, m, conc, load, &c, &is_load));
  const ria_status status = c ? set_tracer(w, m, load, c, is_load) : RIA_OK;
  free(c);
  return status;
}

/* --- all of it -------------------------------------------------------------------------------- */

static ria_status take_water(water *w) {
  ria_from *f = w->f;
  RIA_TRY(read_water(w));
  RIA_TRY(cover(w));
  RIA_TRY(take_depth(w));
  RIA_TRY(ria_from_set(f, w->depth, w->now));
  RIA_TRY(take_flow(w));
  for (int m = 0; m < f->sim->n_tracers; m++) RIA_TRY(take_tracer(w, m));
  return RIA_OK;
}

ria_status ria_from_water(ria_from *f) {
  ria_sim *sim = f->sim;
  water w = {.f = f,
             .depth = sim->roles.depth,
             .level = ria_from_field(sim, "level", -1),
             .q = {ria_from_field(sim, "qx", -1), ria_from_field(sim, "qy", -1)},
             .u = {sim->roles.u, sim->roles.v}};
  const ria_status status = take_water(&w);
  water_free(&w);
  return status;
}
