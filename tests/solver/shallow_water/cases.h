/* cases.h - what the tests of shallow_water share, beside what all tests of flow do (flow.h). */
#ifndef CASES_H
#define CASES_H
#include "solver/flow.h"

/* Order of the scheme: 1, or what RIA_TEST_ORDER says. */
TEST_UNUSED static double test_order(void) {
  const char *text = getenv("RIA_TEST_ORDER");
  return text ? atof(text) : 1;
}

TEST_UNUSED static flow flow_make(const flow_desc *d) {
  ria_setting params[14] = {{"manning", d->manning, NULL},
                            {"cfl", d->cfl > 0 ? d->cfl : 0.9, NULL},
                            {"order", test_order(), NULL}};
  return flow_of("shallow_water", d, params, 3);
}

/* log2 of the ratio of errors when the grid is refined twice. */
TEST_UNUSED static double rate(double coarse, double fine) { return log2(coarse / fine); }

#endif
