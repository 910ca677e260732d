/* forcing/tide.c - tides as series: made from constituents, and settled when a run takes them.
 *
 * A tide is a sum of lines A cos(w t - g). As long as no run has it, g are the phases as given.
 * Where these are Greenwich phases (or of a local zone), the date of t = 0 gives each constituent
 * its argument V there; nodal factors that go on with time become lines beside it (tide.h), so what
 * is evaluated, on any device, stays a sum of lines of fixed speed. */
#include "forcing/tide.h"
#include "base/context.h"
#include "base/text.h"
#include "forcing/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
static const double rad = PI / 180.0;
#define RAD_PER_S (PI / 180.0 / 3600.0)

enum { MOST = 1 << 20 }; /* constituents */

/* --- making ----------------------------------------------------------------------------------- */

static ria_status unknown(ria_context *ctx, const char *name, const char *hint) {
  size_t n;
  const char *const *names = ria_tide_names(&n);
  const char *near = ria_nearest(name, names, n);
  if (near)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "tide: unknown constituent '%s': did you mean '%s'?",
                    name, near);
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "tide: unknown constituent '%s': there are M2, S2, N2, K1, O1 and %zu more%s",
                  name, n - 5, hint);
}

ria_status ria_tide_unknown(ria_context *ctx, const char *name) {
  return unknown(ctx, name, ", or give its speed in deg/h");
}

ria_status ria_tide_unknown_name(ria_context *ctx, const char *name) {
  if (!name) return ria_fail(ctx, RIA_ERR_ARGUMENT, "tide: a constituent has no name");
  if (strcmp(name, "Z0") != 0 && strcmp(name, "A0") != 0) return unknown(ctx, name, "");
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "the mean is always fitted: leave '%s' out", name);
}

/* The k-th constituent's index (-1: by its speed alone) and its speed in deg/h. */
static ria_status identify(ria_context *ctx, const ria_constituent *c, size_t k,
                           ria_tide_given *out) {
  out->k = -1;
  out->speed = c->speed * RAD_PER_S;
  if (c->speed > 0.0 && isfinite(c->speed)) return RIA_OK;
  if (c->speed != 0.0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "tide: constituent %zu: speed is %g deg/h: it must be larger than 0", k + 1,
                    c->speed);
  if (!c->name)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "tide: constituent %zu has neither a name nor a speed",
                    k + 1);
  out->k = ria_tide_find(c->name);
  if (out->k < 0) return ria_tide_unknown(ctx, c->name);
  out->speed = ria_tide_speed_of(out->k) * RAD_PER_S;
  return RIA_OK;
}

static ria_status check_constituent(ria_context *ctx, const ria_constituent *c, size_t k) {
  char label[64];
  if (c->name)
    ria_format(label, sizeof label, "'%.40s'", c->name);
  else
    ria_format(label, sizeof label, "%zu", k + 1);
  if (!(c->amplitude >= 0.0) || !isfinite(c->amplitude))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "tide: constituent %s: amplitude is %g m: it must be 0 or more", label,
                    c->amplitude);
  if (!isfinite(c->phase))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "tide: constituent %s: phase is %g deg: it must be a finite number", label,
                    c->phase);
  return RIA_OK;
}

/* A constituent named twice ("M2" and "m2") is a slip: its amplitudes would add up. */
static ria_status check_once(ria_context *ctx, const ria_constituent *c, const ria_tide_given *to,
                             size_t k) {
  for (size_t i = 0; i < k; i++)
    if (to[k].k >= 0 && to[i].k == to[k].k)
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "tide: constituent '%s' is given twice", c[k].name);
  return RIA_OK;
}

static ria_status take_constituents(ria_context *ctx, const ria_tide_desc *desc, ria_series *s) {
  for (size_t k = 0; k < desc->n; k++) {
    const ria_constituent *c = &desc->constituents[k];
    ria_tide_given *to = &s->tide.c[k];
    RIA_TRY(identify(ctx, c, k, to));
    RIA_TRY(check_constituent(ctx, c, k));
    RIA_TRY(check_once(ctx, desc->constituents, s->tide.c, k));
    s->tide.by_speed += to->k < 0;
    to->amp = c->amplitude;
    to->lag = c->phase * (PI / 180.0);
    s->data[3 * k] = to->speed;
    s->data[3 * k + 1] = to->amp;
    s->data[3 * k + 2] = to->lag;
  }
  return RIA_OK;
}

static ria_status check_phases(ria_context *ctx, const ria_tide_desc *d) {
  if ((unsigned)d->phases > RIA_PHASES_RELATIVE || (unsigned)d->nodal > RIA_NODAL_NONE)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "tide: phases %d or nodal %d is none of those there are",
                    (int)d->phases, (int)d->nodal);
  if (d->phases == RIA_PHASES_RELATIVE && d->nodal != RIA_NODAL_DAILY)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "tide: nodal factors belong to dates: phases relative to t = 0 have none");
  return RIA_OK;
}

static ria_status fill(ria_context *ctx, const ria_tide_desc *desc, ria_series *s) {
  s->tide = (ria_tide_kept){.n = desc->n, .phases = desc->phases, .nodal = desc->nodal};
  if (!desc->n) return RIA_OK;
  s->tide.c = calloc(desc->n, sizeof *s->tide.c);
  if (!s->tide.c) return ria_fail_memory(ctx, "a tide", desc->n * sizeof *s->tide.c);
  return take_constituents(ctx, desc, s);
}

ria_status ria_series_tide(ria_context *ctx, const ria_tide_desc *desc, ria_series **out) {
  *out = NULL;
  if (!desc) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a tide needs its description: it is NULL");
  RIA_TRY(ria_series_finite(ctx, "z0", desc->z0));
  RIA_TRY(ria_series_ramp(ctx, desc->ramp));
  RIA_TRY(check_phases(ctx, desc));
  if (desc->n > MOST)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "tide: %zu constituents are too many", desc->n);
  ria_forcing entry = {.kind = RIA_FORCING_TIDE,
                       .count = (int)desc->n,
                       .base = desc->z0,
                       .scale = 1.0,
                       .ramp = desc->ramp};
  RIA_TRY(ria_series_create(ctx, entry, 3 * desc->n, out));
  const ria_status status = fill(ctx, desc, *out);
  if (status != RIA_OK) ria_series_destroy(out);
  return status;
}

ria_status ria_tide_copy(ria_context *ctx, const ria_series *from, ria_series *to) {
  const size_t bytes = from->tide.n * sizeof *from->tide.c;
  to->tide = from->tide;
  to->tide.c = NULL;
  if (!from->tide.c) return RIA_OK;
  to->tide.c = malloc(bytes);
  if (!to->tide.c) return ria_fail_memory(ctx, "a tide", bytes);
  memcpy(to->tide.c, from->tide.c, bytes);
  return RIA_OK;
}

/* --- in a run --------------------------------------------------------------------------------- */

/* What the lines of a tide are counted from. */
typedef struct origin {
  double date, clock; /* of t = 0: UTC, and the clocks that the phases are by */
  ria_tide_moon moon;
  ria_nodal nodal;
} origin;

/* Write the lines of one constituent, at most RIA_TIDE_LINES triples; returns how many. */
static int write_lines(const ria_tide_given *c, const origin *o, double *triple) {
  ria_tide_line line[RIA_TIDE_LINES] = {{0, 0, 1.0}};
  int n = 1;
  if (c->k < 0) { /* its argument is not known: the phase stays relative to t = 0 */
    triple[0] = c->speed, triple[1] = c->amp, triple[2] = c->lag;
    return 1;
  }
  if (o->nodal == RIA_NODAL_MID) line[0].c = ria_tide_nodal_of_year(c->k, o->date);
  if (o->nodal == RIA_NODAL_DAILY) n = ria_tide_lines(c->k, line);
  const double v = ria_tide_v0(c->k, o->clock) * rad;
  for (int i = 0; i < n; i++, triple += 3) {
    const double turn = line[i].j * o->moon.node + line[i].m * o->moon.perigee;
    triple[0] = c->speed + line[i].j * o->moon.node_rate + line[i].m * o->moon.perigee_rate;
    triple[1] = c->amp * cabs(line[i].c);
    triple[2] = c->lag - v - carg(line[i].c) - turn;
    triple[2] -= 2.0 * PI * floor(triple[2] / (2.0 * PI) + 0.5);
  }
  return n;
}

static ria_status date_phases(ria_context *ctx, ria_series *s, const ria_start *start) {
  const bool local = s->tide.phases == RIA_PHASES_LOCAL;
  const origin o = {.date = start->t,
                    .clock = start->t + (local ? start->zone : 0.0),
                    .moon = ria_tide_moon_at(start->t),
                    .nodal = s->tide.nodal};
  const size_t room = 3 * RIA_TIDE_LINES * s->tide.n;
  double *data = malloc(room * sizeof *data), *fits;
  int n = 0;
  if (!data) return ria_fail_memory(ctx, "a tide", room * sizeof *data);
  for (size_t k = 0; k < s->tide.n; k++) n += write_lines(&s->tide.c[k], &o, data + 3 * (size_t)n);
  free(s->data);
  fits = realloc(data, 3 * (size_t)n * sizeof *data);
  s->data = fits ? fits : data;
  s->n_data = 3 * (size_t)n;
  s->entry.count = n;
  return RIA_OK;
}

ria_status ria_tide_settle(ria_context *ctx, ria_series *s, const ria_start *start) {
  ria_tide_kept *tide = &s->tide;
  if (!tide->c) return RIA_OK;
  if (tide->phases == RIA_PHASES_AUTO)
    tide->phases = start->known ? RIA_PHASES_GREENWICH : RIA_PHASES_RELATIVE;
  if (tide->phases != RIA_PHASES_RELATIVE) {
    if (!start->known)
      return ria_fail(
          ctx, RIA_ERR_ARGUMENT,
          "the phases of a tide are %s, and the run has no start: give it the date of t "
          "= 0 (start = \"2026-07-14 00:00\")",
          tide->phases == RIA_PHASES_LOCAL ? "local" : "those at Greenwich");
    RIA_TRY(date_phases(ctx, s, start));
  }
  free(tide->c);
  tide->c = NULL;
  return RIA_OK;
}

bool ria_tide_argument(const char *name, double date, ria_tide_state *out) {
  const int k = ria_tide_find(name);
  if (k < 0) return false;
  const ria_tide_moon moon = ria_tide_moon_at(date);
  const double complex z = ria_tide_nodal(k, moon.node, moon.perigee);
  *out = (ria_tide_state){
      .speed = ria_tide_speed_of(k), .v = ria_tide_v0(k, date), .f = cabs(z), .u = carg(z) / rad};
  return true;
}
