/* cases.h - what the tests of shallow_water share, beside what all tests of flow do (flow.h). */
#ifndef CASES_H
#define CASES_H
#include "solver/flow.h"

TEST_UNUSED static flow flow_make(const flow_desc *d) {
  ria_setting params[14] = {{"manning", d->manning, NULL},
                            {"cfl", d->cfl > 0 ? d->cfl : 0.9, NULL}};
  return flow_of("shallow_water", d, params, 2);
}

/* log2 of the ratio of errors when the grid is refined twice. */
TEST_UNUSED static double rate(double coarse, double fine) { return log2(coarse / fine); }

#endif
