/* outcome.h - for scene.h: what came of a scene, all that a simulation tells, to be compared. */
#ifndef SCENE_OUTCOME_H
#define SCENE_OUTCOME_H

/* What a part is decides how closely it is compared. */
typedef enum aspect { FIELD, MAXIMUM, POINT, ACCOUNT, CLOCK, COUNT, ASPECTS } aspect;
static const char *const aspect_name[ASPECTS] = {"fields",  "maxima", "points",
                                                 "account", "clock",  "counts"};

typedef struct part {
  char name[48];
  aspect aspect;
  size_t n;
  double *v;
  double scale;  /* what differences are measured against */
  size_t strays; /* so many values may be off: in a film that passes, q / h is mostly rounding */
} part;

enum { MOST_PARTS = 96 };
typedef struct outcome {
  int n;
  part part[MOST_PARTS];
} outcome;

static double *add_part(outcome *o, aspect a, size_t n, const char *name, const char *more) {
  if (o->n == MOST_PARTS) abort();
  part *p = &o->part[o->n++];
  snprintf(p->name, sizeof p->name, "%s%s%s", name, *more ? " " : "", more);
  p->aspect = a;
  p->n = n;
  p->v = calloc(n ? n : 1, sizeof *p->v);
  p->scale = 0;
  p->strays = 0;
  if (!p->v) abort();
  return p->v;
}

static double largest(const double *v, size_t n) {
  double most = 0;
  for (size_t k = 0; k < n; k++)
    if (fabs(v[k]) > most) most = fabs(v[k]);
  return most;
}

static void take_fields(outcome *o, ria_sim *sim, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  static const char *const water[] = {"depth", "qx", "qy"};
  const size_t cells = (size_t)s->nx * (size_t)s->ny;
  for (int k = 0; k < 3 + s->n_tracers; k++) {
    char load[16];
    snprintf(load, sizeof load, "%s_load", k < 3 ? "" : tracer_name[k - 3]);
    const char *name = k < 3 ? water[k] : load;
    CHECK_OK(ctx, ria_sim_get(sim, name, add_part(o, FIELD, cells, name, "")));
    o->part[o->n - 1].scale = largest(o->part[o->n - 1].v, cells);
  }
  /* one vector: a component that is nearly nothing is not held to its own size */
  part *q = &o->part[o->n - s->n_tracers - 2];
  q[0].scale = q[1].scale = fmax(q[0].scale, q[1].scale);
  for (int k = 0; k < n_tracked(s); k++) {
    double *v = add_part(o, MAXIMUM, cells, "max", tracked[k]);
    CHECK_OK(ctx, ria_sim_get_maximum(sim, tracked[k], v));
    o->part[o->n - 1].scale = largest(v, cells);
    o->part[o->n - 1].strays = k > 0 ? cells / 100 : 0;
  }
}

static void take_history(outcome *o, ria_sim *sim, const char *gauge, const char *field) {
  const double *t, *history;
  size_t n = 0;
  CHECK_OK(ria_sim_context(sim), ria_sim_gauge_history(sim, gauge, field, &t, &history, &n));
  memcpy(add_part(o, CLOCK, n, gauge, "times"), t, n * sizeof *t);
  o->part[o->n - 1].scale = largest(t, n);
  memcpy(add_part(o, POINT, n, gauge, field), history, n * sizeof *history);
  o->part[o->n - 1].scale = fmax(largest(history, n), 1);
}

static void take_points(outcome *o, ria_sim *sim, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  static const char *const fields[] = {"level", "speed"};
  for (int f = 0; f < 2; f++) {
    double *v = add_part(o, POINT, 4, "probe", fields[f]), x, y;
    for (int k = 0; k < 4; k++) {
      scene_point(s, k, &x, &y);
      CHECK_OK(ctx, ria_sim_probe(sim, fields[f], x, y, &v[k]));
    }
    o->part[o->n - 1].scale = fmax(largest(v, 4), 1);
    if (gauge_period(s) <= 0) continue;
    take_history(o, sim, "gauge", fields[f]);
    take_history(o, sim, "between", fields[f]);
  }
}

static void take_mouths(outcome *o, ria_sim *sim, const scene *s, const char *quantity,
                        double scale) {
  const int n = scene_mouths(NULL, s);
  double *flux = n ? add_part(o, ACCOUNT, 2 * (size_t)n, "rivers", quantity) : NULL;
  if (n) o->part[o->n - 1].scale = scale;
  for (int k = 0; k < n; k++) {
    char name[16];
    ria_boundary_id id;
    snprintf(name, sizeof name, "r%d", k);
    CHECK_OK(ria_sim_context(sim), ria_boundary_find(sim, name, &id));
    CHECK_OK(ria_sim_context(sim),
             ria_boundary_flux(sim, id, quantity, &flux[2 * k], &flux[2 * k + 1]));
  }
}

static void take_account(outcome *o, ria_sim *sim, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  ria_budget_row rows[1 + RIA_MAX_TRACERS];
  size_t n = 1 + RIA_MAX_TRACERS;
  CHECK_OK(ctx, ria_sim_budget(sim, rows, &n));
  for (size_t m = 0; m < n; m++) {
    const ria_budget_row *r = &rows[m];
    const double scale = fmax(fmax(r->initial, r->stored), r->inflow + r->sources);
    const double v[] = {r->initial, r->stored, r->inflow, r->outflow, r->sources, r->decayed};
    memcpy(add_part(o, ACCOUNT, 6, "budget", r->name), v, sizeof v);
    o->part[o->n - 1].scale = scale;
    double *flux = add_part(o, ACCOUNT, 2 * MOST_BOUNDARIES, "flux", r->name);
    o->part[o->n - 1].scale = scale;
    for (int k = 0; k < RIA_SIDES + scene_stretches(s); k++) {
      ria_boundary_id id;
      CHECK_OK(ctx, ria_boundary_find(sim, boundary_name[k], &id));
      CHECK_OK(ctx, ria_boundary_flux(sim, id, r->name, &flux[2 * k], &flux[2 * k + 1]));
    }
    take_mouths(o, sim, s, r->name, scale);
    CHECK_NEAR(r->relative, 0, s->real == RIA_F64 ? 1e-12 : SCENE_SINGLE); /* it closes */
  }
}

static void take_clock(outcome *o, ria_sim *sim) {
  ria_summary sum;
  CHECK_OK(ria_sim_context(sim), ria_sim_summary(sim, &sum));
  const double clock[] = {sum.time, sum.dt_min_time}, dt[] = {sum.dt_min};
  memcpy(add_part(o, CLOCK, 2, "time", ""), clock, sizeof clock);
  o->part[o->n - 1].scale = sum.time;
  memcpy(add_part(o, CLOCK, 1, "smallest", "step"), dt, sizeof dt);
  o->part[o->n - 1].scale = sum.dt_min;
  const double counts[] = {(double)sum.steps, sum.dt_min_i, sum.dt_min_j};
  memcpy(add_part(o, COUNT, 3, "steps, cell of", "the smallest"), counts, sizeof counts);
  o->part[o->n - 1].scale = 1;
}

static outcome outcome_take(ria_sim *sim, const scene *s) {
  outcome o = {0};
  take_fields(&o, sim, s);
  take_points(&o, sim, s);
  take_account(&o, sim, s);
  take_clock(&o, sim);
  return o;
}

TEST_UNUSED static void outcome_free(outcome *o) {
  for (int k = 0; k < o->n; k++) free(o->part[k].v);
  o->n = 0;
}

/* The same to the bit; says where not. */
TEST_UNUSED static bool outcome_same(const outcome *a, const outcome *b, const char *what) {
  int differ = a->n != b->n;
  for (int k = 0; !differ && k < a->n; k++) {
    const part *p = &a->part[k], *q = &b->part[k];
    if (p->n == q->n && memcmp(p->v, q->v, p->n * sizeof *p->v) == 0) continue;
    fprintf(stderr, "%s: %s differs\n", what, p->name);
    differ = 1;
  }
  return CHECK(!differ);
}

#endif
