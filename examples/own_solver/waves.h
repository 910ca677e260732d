#ifndef WAVES_H
#define WAVES_H
#include <ria/solver.h>

extern const ria_solver waves_solver;

#endif
