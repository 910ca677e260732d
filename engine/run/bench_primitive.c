/* run/bench_primitive.c - measuring a primitive beside a plain copy. */
#include "run/bench.h"
#include "base/context.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ria_status check(ria_context *ctx, const ria_primitive *p, const ria_bench_desc *d) {
  RIA_TRY(ria_bench_check(ctx, d));
  if (d->set_tracers && d->tracers > 0)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "bench: '%s' carries no tracers", p->name);
  if (d->output || d->checkpoint)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "bench: '%s' has no %s to measure", p->name,
                    d->output ? "output" : "checkpoints");
  return RIA_OK;
}

static ria_status fail_case(ria_context *ctx, const ria_primitive *p, const char *name) {
  ria_guess guess = ria_guess_start(name);
  for (int k = 0; p->bench[k].name; k++) ria_guess_try(&guess, p->bench[k].name);
  return ria_fail_unknown(ctx, "bench case", &guess);
}

static ria_status run_case(ria_context *ctx, const ria_primitive *p, const ria_bench_desc *d,
                           const ria_primitive_case *c, double bandwidth, ria_bench_result *r) {
  const int n = d->n ? d->n : c->n;
  const ria_real real = d->precision == 32 ? RIA_F32 : d->precision == 64 ? RIA_F64 : c->real;
  void *self = NULL;
  *r = (ria_bench_result){.backend = ria_context_backend(ctx),
                          .nx = n,
                          .ny = n,
                          .nz = c->dims == 3 ? n : 0,
                          .threads = ria_context_threads(ctx),
                          .precision = real,
                          .wet = 1.0,
                          .bytes_per_cell = c->bytes_per_point * (real == RIA_F64 ? 2.0 : 1.0),
                          .bandwidth = bandwidth};
  snprintf(r->name, sizeof r->name, "%s", c->name);
  snprintf(r->doc, sizeof r->doc, "%s", c->doc);
  RIA_TRY(p->open(ctx, c, n, real, &self));
  const ria_status s = ria_bench_measure(&(ria_bench_work){p->run, self, ctx}, d, r);
  p->close(self);
  if (s != RIA_OK || !r->steps) return s;
  r->ms_per_step = 1e3 * r->wall / (double)r->steps;
  r->cell_rate = pow(n, c->dims) * (double)r->steps / r->wall;
  r->fraction = bandwidth > 0.0 ? r->bytes_per_cell * r->cell_rate / bandwidth : 0.0;
  return RIA_OK;
}

ria_status ria_bench_primitive(ria_context *ctx, const ria_primitive *primitive,
                               const ria_bench_desc *d, ria_bench_result *results, size_t *n) {
  const size_t room = *n;
  double bandwidth = 0.0;
  *n = 0;
  RIA_TRY(check(ctx, primitive, d));
  for (const ria_primitive_case *c = primitive->bench; c->name; c++) {
    if (d->name && strcmp(d->name, c->name) != 0) continue;
    if (*n == room)
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "bench: there is no room for more than %zu results",
                      room);
    if (bandwidth == 0.0 && !d->alone)
      RIA_TRY(ria_bench_bandwidth(ctx, ria_context_backend(ctx), &bandwidth));
    RIA_TRY(run_case(ctx, primitive, d, c, bandwidth, &results[*n]));
    ++*n;
  }
  return *n ? RIA_OK : fail_case(ctx, primitive, d->name ? d->name : "");
}
