/* io/csv_table.h - the parts a CSV file is read from. Private to csv_*.c.
 *
 * csv_split.c    lines, and cells of a line
 * csv_read.c     header, rows, what columns hold
 * csv_columns.c  columns asked for by name or number */
#ifndef RIA_IO_CSV_TABLE_H
#define RIA_IO_CSV_TABLE_H
#include "io/csv_read.h"
#include "io/text_file.h"

typedef struct csv_cell {
  const char *s;
  size_t n;
  bool quoted;
} csv_cell;

/* Why a column is not one of values. */
typedef struct csv_blemish {
  long line; /* 0 = none */
  const char *why;
  ria_token_text text;
} csv_blemish;

typedef enum csv_kind { CSV_UNDECIDED, CSV_NUMBERS, CSV_TIMES } csv_kind;

typedef struct csv_table {
  ria_csv_table shown; /* first, so that a pointer to it is one to the table */
  char *path, *text;
  char **name, **unit;
  double **value;
  char ***words; /* [columns]: NULL once the column has had a number, else [rows] cells */
  bool *is_time, *is_local, *is_zoned;
  long *line;
  csv_kind *kind;
  csv_blemish *blemish;
  size_t room; /* rows there is memory for */
} csv_table;

typedef struct csv_reader {
  ria_context *ctx;
  const char *path;
  const ria_csv_layout *layout;
  char *at, *end;
  long line_number;
  csv_cell line;   /* the present one, without its end */
  char separator;  /* ' ' = runs of blanks */
  csv_cell *cells; /* [n] of the present line */
  size_t n, room;
} csv_reader;

/* --- csv_split.c */

ria_status ria_csv_no_memory(ria_context *ctx, const char *path);
/* The next line that is neither empty nor a comment; false at the end. CR, LF and CR LF end one. */
bool ria_csv_next_line(csv_reader *r);
/* Lines at the top that the caller knows to be something else. */
ria_status ria_csv_skip(csv_reader *r);
/* The cells of a line, at the separator of the file. */
ria_status ria_csv_split(csv_reader *r, csv_cell line);
/* Those of a header, at tabs and at runs of two or more blanks. */
ria_status ria_csv_split_wide(csv_reader *r, csv_cell line);
/* The line up to a # outside quotes. */
csv_cell ria_csv_without_comment(csv_cell line);
/* Does it stand in the line, outside quotes? */
bool ria_csv_has(csv_cell line, char wanted);
/* The separator that a header and the first row show. */
char ria_csv_separator(csv_cell header, csv_cell row);

#endif
