/* outputs/tables.h - the tables (CSV) that a run writes: their columns, with units. Private. */
#ifndef RIA_OUTPUTS_TABLES_H
#define RIA_OUTPUTS_TABLES_H
#include "outputs/gauges.h"
#include "io/json.h"

#define RIA_BUDGET_FILE "budget.csv"
enum { RIA_BUDGET_COLUMNS = 6 }; /* of each quantity */

typedef struct ria_columns {
  size_t n;
  char **name;       /* [n] */
  const char **unit; /* [n] the simulation's */
} ria_columns;

/* The time first, then each gauge's fields: "<gauge>.<field>". */
ria_status ria_gauge_columns(ria_sim *sim, const ria_gauge_group *g, ria_columns *out);
/* The time first, then six of each quantity: "<quantity>_stored" and on. */
ria_status ria_budget_columns(ria_sim *sim, ria_columns *out);
void ria_columns_free(ria_columns *c);

/* Make the file in the results directory with its header and, where the simulation was asked for
 * one, a row of units. */
ria_status ria_table_create(ria_sim *sim, const char *file, const ria_columns *columns,
                            ria_csv **out);

/* "tables": { "gauges.csv": { "time_s": "s", ... }, ... }: each table that there is or will be. */
ria_status ria_tables_write(ria_json *j, ria_sim *sim);

#endif
