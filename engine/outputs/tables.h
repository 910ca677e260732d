/* outputs/tables.h - tables (CSV) of a run: their columns, with units, and their files. Private. */
#ifndef RIA_OUTPUTS_TABLES_H
#define RIA_OUTPUTS_TABLES_H
#include "outputs/output.h"

typedef struct ria_columns {
  size_t n;
  char **name;       /* [n] */
  const char **unit; /* [n] the simulation's */
  bool dated;        /* a column "date" follows the first: not one of these */
  char zone[16];     /* its unit */
} ria_columns;

/* n columns, the first the time; ria_column_set names the others. */
ria_status ria_columns_make(ria_sim *sim, size_t n, ria_columns *out);
void ria_column_set(ria_columns *c, size_t k, const char *name, const char *unit);
/* When all are named: RIA_ERR_MEMORY, and nothing is left, where there was none for a name. */
ria_status ria_columns_check(ria_sim *sim, ria_columns *c);
void ria_columns_free(ria_columns *c);

/* Make the file in the results directory with its header and, where the simulation was asked for
 * one, a row of units. period: of its rows, s, 0 = none; fixed: no row lies off it. */
ria_status ria_table_create(ria_sim *sim, const char *file, const ria_columns *columns,
                            double period, bool fixed, ria_csv **out);
/* "gauges.csv": { "time_s": "s", ... }; frees the columns. */
void ria_columns_write(ria_json *j, const char *file, ria_columns *c);

#endif
