/* io/csv_read.h - what ria_series_csv needs beyond the public table. */
#ifndef RIA_IO_CSV_READ_H
#define RIA_IO_CSV_READ_H
#include <ria/csv.h>

/* Index of a column by name or "#n"; RIA_ERR_INPUT as ria_csv_table_column, except for text. */
ria_status ria_csv_table_find(ria_context *ctx, const ria_csv_table *table, const char *column,
                              size_t *index);
/* The same, and where no column has the name one that has it before its unit: for those who read
 * units. */
ria_status ria_csv_table_find_stem(ria_context *ctx, const ria_csv_table *table, const char *column,
                                   size_t *index);
/* RIA_ERR_INPUT when a column holds anything but numbers, times and gaps. */
ria_status ria_csv_table_numbers(ria_context *ctx, const ria_csv_table *table, size_t index);
/* "'level'", or "column 2" when it has no name. */
void ria_csv_table_label(const ria_csv_table *table, size_t index, char *buf, size_t size);

#endif
