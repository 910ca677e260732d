/* io/csv.h - a table of numbers that grows while a run goes on: gauges.csv, budget.csv.
 *
 * Rows are formatted and appended on the writer's workers, in the order they were given. The file
 * holds whole lines at all times: a batch is one write, and a write that fails half way is cut off
 * again. Numbers are written by ria_format_double. */
#ifndef RIA_IO_CSV_H
#define RIA_IO_CSV_H
#include "io/writer.h"

typedef struct ria_csv ria_csv;

/* A second column, "date", of the first, which is a time in s: "2026-07-14T06:30:00" by the clocks
 * of a zone, which is its unit. */
typedef struct ria_csv_dates {
  double start; /* the date of time 0, s since 1970-01-01 00:00:00 UTC */
  double zone;  /* s ahead of UTC */
  int decimals; /* of a second: the same in all rows, as readers want it */
} ria_csv_dates;

/* Make (or replace) the file with its header line and, unless units is NULL, a row of units below
 * it; what holds , " or line ends is quoted. dates NULL: without that column, which is none of
 * n_columns. */
ria_status ria_csv_create(ria_context *ctx, ria_writer *w, const char *path,
                          const char *const *columns, const char *const *units, size_t n_columns,
                          const ria_csv_dates *dates, ria_csv **out);
/* The same of a file that a run taken up has written: it stays as it is as long as the rows that
 * are appended are those that it has. Where one is another, or was cut off, the file goes on with
 * that one. Made where there is none; RIA_ERR_OUTPUT where its header is another. */
ria_status ria_csv_take_up(ria_context *ctx, ria_writer *w, const char *path,
                           const char *const *columns, const char *const *units, size_t n_columns,
                           const ria_csv_dates *dates, ria_csv **out);
/* Queue a job that cuts off what the file has beyond the rows so far: what follows is appended. */
ria_status ria_csv_cut(ria_csv *c);
/* Queue rows[n_rows][n_columns]; copied. */
ria_status ria_csv_append(ria_csv *c, const double *rows, size_t n_rows);
/* Queue a job that has the disk take in all rows queued so far. Rows and this fail when the file
 * has been removed or replaced meanwhile. */
ria_status ria_csv_sync(ria_csv *c);
/* Rows that are in the file. On any thread. */
int64_t ria_csv_rows(const ria_csv *c);
/* Waits for the writer, closes, frees; *c becomes NULL; NULL is allowed. */
void ria_csv_destroy(ria_csv **c);

/* The shortest decimal text of v that reads back as v, at most 24 characters and NUL, with a
 * decimal point whatever the locale; "" for NaN, "inf", "-inf". A v that is exactly a
 * single-precision value and would need more than 15 digits is written so that it reads back as
 * that single-precision value (0.1f as 0.1). Returns the length. */
int ria_format_double(double v, char out[32]);

#endif
