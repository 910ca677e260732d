/* cli_scaling.h - what the files of `ria bench scaling` share. */
#ifndef RIA_CLI_SCALING_H
#define RIA_CLI_SCALING_H
#include "cli.h"
#include <ria/solver.h>

/* A step that was measured. */
typedef struct scaling_point {
  char name[64]; /* "solver/case" */
  int nx, ny, devices;
  double us;
} scaling_point;

/* cli_scaling.c: what a name stands for; false: nothing that is measured. */
bool scaling_named(const char *name, const ria_solver **solver, const ria_bench_scaling **out);

/* cli_model.c: print what the points of each case say, fitted, and what follows for more devices.
 * gpus: of which several hosts are foretold. */
void scaling_model(const scaling_point *point, size_t n, bool gpus);
/* Points of a file; false with the reason on stderr. The array is the caller's to free. */
bool scaling_read(const cli_options *o, const char *path, scaling_point **point, size_t *n);

#endif
