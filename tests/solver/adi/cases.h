/* cases.h - what the tests of adi share, beside what all tests of flow do (flow.h). */
#ifndef ADI_CASES_H
#define ADI_CASES_H
#include "solver/flow.h"
#include <ria/solver.h>

static const double pi = 3.14159265358979323846;

/* Round-off of a precision. */
TEST_UNUSED static double place(ria_real real) { return real == RIA_F64 ? 1.1e-16 : 6e-8; }

/* A context on the device of the test. */
TEST_UNUSED static ria_context *adi_context(int threads) {
  return test_context(test_device(), threads);
}

TEST_UNUSED static flow flow_make(const flow_desc *d) {
  ria_setting params[12];
  return flow_of("adi", d, params, 0);
}

TEST_UNUSED static double flow_at(flow *f, const char *field, int i, int j) {
  double *a = flow_get(f, field), v = a[(size_t)j * (size_t)f->grid.nx + (size_t)i];
  free(a);
  return v;
}

#endif
