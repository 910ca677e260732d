/* cli_tide.h - what the files of `ria tide` share. */
#ifndef RIA_CLI_TIDE_H
#define RIA_CLI_TIDE_H
#include "cli.h"
#include <ria/csv.h>
#include <ria/date.h>
#include <ria/series.h>
#include <ria/units.h>

typedef struct tide_job {
  const cli_options *o;
  ria_context *ctx;
  double zone; /* s */
  ria_nodal nodal;
  ria_csv_table *table;
  const char *column; /* of the levels */
  size_t rows;
  double *date, *level; /* [rows] s since 1970; m, NaN: a gap */
  double step;          /* s between dates, 0: not the same */
  double *fitted;       /* [rows] m, NaN beside a gap */
  bool stored;          /* the file is a table of constituents: there is no record */
  ria_tide_fit fit;
} tide_job;

/* Those of --nodal, by ria_nodal, NULL at the end. */
extern const char *const cli_nodal_names[];

/* cli_tide_record.c: read the options and the file; EXIT_OK, or the reason was printed. The arrays
 * are the caller's to free. */
int cli_tide_read(tide_job *j);
/* The engine's message on stderr, and its exit code. */
int cli_tide_fail(const tide_job *j, ria_status status);

/* cli_tide.c: levels of the fit at dates [n] in order. */
ria_status cli_tide_levels(const tide_job *j, const double *date, size_t n, double *level);

/* cli_tide_files.c: what --lua, --csv and --picture ask for, and --json. */
int cli_tide_write(const tide_job *j);
void cli_tide_json(const tide_job *j);

#endif
