/* cases.h - what the tests of shallow_water share, beside what all tests of flow do (flow.h). */
#ifndef CASES_H
#define CASES_H
#include "solver/flow.h"

/* Order of the scheme: 1, or what RIA_TEST_ORDER says. ctest runs each test at both. */
TEST_UNUSED static int test_order(void) { return atoi(test_setting("RIA_TEST_ORDER", "1")); }

/* What depends on the order: a bound, a rate. */
TEST_UNUSED static double by_order(double first, double second) {
  return test_order() == 2 ? second : first;
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
