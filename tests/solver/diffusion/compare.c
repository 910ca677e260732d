/* The device against the CPU: random plates with every kind of side, values in time, sources, maps,
 * maxima, in both precisions. Values of about 1 agree within 1e-12 in double precision and 2e-6 in
 * single (measured on a GPU: to the bit). Each plate twice: as it is done, and without what a GPU
 * has for small ones (RIA_CUDA_SHORT_WAYS=off). A CPU is compared with itself: a few plates, none
 * of the special ones. */
#include "plates.h"

typedef struct outcome {
  double *u, *most;
  double in, out, stored, sources, point;
} outcome;

static outcome run(const char *device, const traits *w) {
  outcome o = {0};
  plate p = plates_make(device, w);
  CHECK_OK(p.ctx, ria_sim_run(p.sim, 0.0613));
  CHECK_OK(p.ctx, ria_sim_step(p.sim, 27));
  const size_t bytes = plate_cells(&p) * sizeof(double);
  o.u = malloc(bytes);
  o.most = calloc(1, bytes);
  if (!o.u || !o.most) abort();
  memcpy(o.u, plate_get(&p), bytes);
  if (w->maximum) CHECK_OK(p.ctx, ria_sim_get_maximum(p.sim, "u", o.most));
  const ria_budget_row b = plate_budget(&p);
  o.in = b.inflow, o.out = b.outflow, o.stored = b.stored, o.sources = b.sources;
  CHECK(fabs(b.residual) <= (w->real == RIA_F32 ? 2e-5 : 1e-12) *
                                (fabs(b.stored) + b.inflow + b.outflow + fabs(b.sources) + 1e-3));
  CHECK_OK(p.ctx, ria_sim_probe(p.sim, "u", 0.5 * w->nx * 0.1, 0.05, &o.point));
  plate_free(&p);
  return o;
}

static double furthest(const double *a, const double *b, size_t n) {
  double worst = 0;
  for (size_t k = 0; k < n; k++) {
    if (isnan(a[k]) || isnan(b[k])) return NAN;
    worst = fmax(worst, fabs(a[k] - b[k]));
  }
  return worst;
}

static void agree(const traits *w, const outcome *a, const outcome *b, double *worst) {
  const size_t n = (size_t)w->nx * (size_t)w->ny;
  const double bound = w->real == RIA_F32 ? 2e-6 : 1e-12, off = furthest(a->u, b->u, n);
  const double amount = bound * (1 + fabs(a->in) + fabs(a->out) + fabs(a->sources));
  *worst = fmax(*worst, off);
  if (!CHECK(off <= bound))
    fprintf(stderr, "  seed %u, %d x %d, %s, steps %d%s%s: u is off by %g\n", w->seed, w->nx, w->ny,
            real_name[w->real], w->steps_per_pass, w->map ? ", map" : "",
            w->source ? ", source" : "", off);
  CHECK(furthest(a->most, b->most, n) <= bound);
  CHECK_NEAR(b->in, a->in, amount);
  CHECK_NEAR(b->out, a->out, amount);
  CHECK_NEAR(b->stored, a->stored, amount * (1 + 0.01 * (double)n));
  CHECK_NEAR(b->sources, a->sources, amount);
  CHECK_NEAR(b->point, a->point, bound);
}

static void compare(unsigned seed, double *worst) {
  const traits w = traits_of(seed);
  outcome a = run("cpu", &w);
  for (int ways = 0; ways < 2; ways++) {
    setenv("RIA_CUDA_SHORT_WAYS", ways ? "on" : "off", 1);
    outcome b = run(test_device(), &w);
    agree(&w, &a, &b, &worst[w.real]);
    free(b.u), free(b.most);
  }
  free(a.u), free(a.most);
}

/* compare [FIRST LAST]: plates of these seeds; else 60 and the special ones. */
int main(int argc, char **argv) {
  const unsigned first = argc > 2 ? (unsigned)atoi(argv[1]) : 0;
  const unsigned last = argc > 2 ? (unsigned)atoi(argv[2]) : LENGTH(59, 11, 11);
  double worst[2] = {0, 0};
  for (unsigned seed = first; seed <= last; seed++) compare(seed, worst);
  for (unsigned k = 0; argc <= 2 && test_is_long() && k < SPECIALS; k++)
    compare(SPECIAL + k, worst);
  printf("off by at most %.2e in double, %.2e in single precision\n", worst[0], worst[1]);
  return TEST_END();
}
