/* export/run.h - what run.json says of the stores of a run. Private to this folder. */
#ifndef RIA_EXPORT_RUN_H
#define RIA_EXPORT_RUN_H
#include <ria/status.h>

typedef struct ria_export_run {
  char **store; /* [n] "fields.zarr", those that are there; none: `from` is a store */
  size_t n, room;
  double dx, dy; /* 0: not told */
  double zone;   /* s */
} ria_export_run;

/* Of the run whose results are in `from`; `wanted`: that store alone, NULL = all. Where there is no
 * run.json all is empty. RIA_ERR_ARGUMENT: no such store; RIA_ERR_INPUT: the run saved none. */
ria_status ria_export_run_read(ria_context *ctx, const char *from, const char *wanted,
                               ria_export_run *run);
void ria_export_run_free(ria_export_run *run);

#endif
