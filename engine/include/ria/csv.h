/* ria/csv.h - tables of measured values: CSV files as columns of doubles.
 *
 * The reader takes a header line with the names of the columns (a file whose first line is all
 * numbers has none), then one row a line. Cells are separated by , or ; or tabs or blanks,
 * whichever the file uses; they may be quoted. Lines that are empty or begin with # are skipped,
 * and what follows a # in a row too. Numbers have a decimal point whatever the locale. ISO-8601
 * times become seconds since 1970-01-01 UTC. Cells that are empty, "nan" or "na" are gaps: NaN. A
 * .gz file is unpacked. A column without a single number or time, such as one of remarks, is one of
 * text; text among the numbers of a column is an error as soon as that column is asked for.
 *
 * Where blanks separate and the header has more words than the rows have cells ("time(s)   water
 * level(m)"), names are what two or more blanks or a tab separate; if that does not fit either the
 * columns have no names ("") and go by number. */
#ifndef RIA_CSV_H
#define RIA_CSV_H
#include <ria/status.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Where the table lies in the file; all zero: as described above. */
typedef struct ria_csv_layout {
  int skip;       /* lines at the top of the file that are not part of the table */
  bool no_header; /* the first line is a row already, even if it is text */
  bool units;     /* the line after the header holds the units of the columns */
} ria_csv_layout;

typedef struct ria_csv_table {
  size_t columns, rows;
  const char *const *name;        /* [columns] */
  const char *const *unit;        /* [columns], "" unless layout.units */
  const double *const *value;     /* [columns][rows]; text reads as NaN */
  const char *const *const *text; /* [columns]: NULL, or the [rows] of a column of text */
  const bool *is_time;            /* [columns] seconds since 1970 */
  const long *line;               /* [rows] in the file, for messages */
  /* The first row, below a header, is words alone, and below it are only numbers and gaps: it is
   * probably one of units, and layout.units was not set. */
  bool first_row_is_words;
  /* [columns] of dates: some say no zone, and are read as UTC; some say theirs */
  const bool *is_local, *is_zoned;
} ria_csv_table;

/* RIA_ERR_INPUT names the file, the line and the expected text. */
RIA_API ria_status ria_csv_table_read(ria_context *ctx, const char *path, ria_csv_table **out);
RIA_API ria_status ria_csv_table_read_with(ria_context *ctx, const char *path,
                                           const ria_csv_layout *layout, ria_csv_table **out);
RIA_API void ria_csv_table_destroy(ria_csv_table **table);

/* A column by its name in the header or by number, "#1" being the first. RIA_ERR_INPUT when there
 * is none (with the nearest name and all there are) or when it holds text (with the first line that
 * does). *values are the table's. */
RIA_API ria_status ria_csv_table_column(ria_context *ctx, const ria_csv_table *table,
                                        const char *column, const double **values);

/* RIA_ERR_INPUT, with the file and the line, when column `index` mixes text with numbers or dates
 * with numbers; RIA_OK for a column of values or one of text alone. */
RIA_API ria_status ria_csv_table_check(ria_context *ctx, const ria_csv_table *table, size_t index);

/* The unit of column `index`, as written: that of the row of units, else what stands in brackets at
 * the end of its name ("level [cm]", "X (ft)"), else "". It need not be one that ria/units.h knows:
 * brackets hold remarks, too. A longer unit is cut to unit[size]. Returns the length of
 * the name without the brackets and the blanks before them. */
RIA_API size_t ria_csv_table_unit(const ria_csv_table *table, size_t index, char *unit,
                                  size_t size);

#ifdef __cplusplus
}
#endif
#endif
