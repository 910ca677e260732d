/* io/csv.c - a table of numbers that grows while a run goes on.
 *
 * The header goes through ria_file_replace, so that a file that exists always has one. Rows are
 * copied into a job of the table's own key: a worker formats the batch into memory and appends it
 * with one write. If the disk fills up in the middle of it, the file is cut back to its last whole
 * line before the error is passed on. Rows that go into a file which somebody has removed, or has
 * put another in the place of, would be lost unseen: each batch looks. */
#include "io/csv.h"
#include "base/limit.h"
#include "base/text.h"
#include "io/buffer.h"
#include "io/calendar.h"
#include "io/date.h"
#include "io/file.h"
#include "io/number.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ria_csv {
  ria_context *ctx;
  ria_writer *writer;
  uint64_t key;
  char *path;
  int fd;
  size_t columns;
  bool dated;
  ria_csv_dates dates;
  bool compares;        /* the file has rows already: those that come are compared with them, */
  off_t same;           /* up to here */
  _Atomic int64_t rows; /* that are in the file */
};

typedef struct csv_batch {
  ria_csv *csv; /* outlives its jobs: destroy waits for the writer */
  size_t n_rows;
  double value[]; /* [n_rows][columns] */
} csv_batch;

/* --- numbers as text ---------------------------------------------------------------------- */

static int digits_that_do(double v, int least, int most, char out[32]) {
  int n = 0;
  for (int digits = least; digits <= most; digits++) {
    double back;
    n = ria_format(out, 32, "%.*g", digits, v);
    if (ria_number_parse(out, (size_t)n, &back) && back == v) return n;
  }
  return n;
}

/* A value that a run in single precision produced has no more to say than nine digits. */
static int digits_of_single(float v, char out[32]) {
  int n = 0;
  for (int digits = 6; digits <= 9; digits++) {
    double back;
    n = ria_format(out, 32, "%.*g", digits, (double)v);
    if (ria_number_parse(out, (size_t)n, &back) && (float)back == v) return n;
  }
  return n;
}

int ria_format_double(double v, char out[32]) {
  if (isnan(v)) {
    out[0] = '\0';
    return 0;
  }
  if (isinf(v)) return ria_format(out, 32, v > 0.0 ? "inf" : "-inf");
  double back;
  int n = digits_that_do(v, 15, 15, out);
  if (ria_number_parse(out, (size_t)n, &back) && back == v) return n;
  bool single = fabs(v) <= 3.4028234663852886e38 && (double)(float)v == v;
  return single ? digits_of_single((float)v, out) : digits_that_do(v, 16, 17, out);
}

/* --- making ------------------------------------------------------------------------------- */

static void add_name(ria_buffer *b, const char *name) {
  if (!strpbrk(name, ",\"\r\n")) {
    ria_buffer_text(b, name);
    return;
  }
  ria_buffer_text(b, "\"");
  for (const char *s = name; *s; s++) {
    if (*s == '"') ria_buffer_text(b, "\"");
    ria_buffer_add(b, s, 1);
  }
  ria_buffer_text(b, "\"");
}

/* second: of the column of dates; NULL where there is none. */
static void add_line(ria_buffer *b, const char *const *text, size_t n, const char *second) {
  for (size_t k = 0; k < n; k++) {
    if (k) ria_buffer_text(b, ",");
    add_name(b, text[k]);
    if (k || !second) continue;
    ria_buffer_text(b, ",");
    add_name(b, second);
  }
  ria_buffer_text(b, "\n");
}

static ria_status make_header(const ria_csv *c, const char *const *columns,
                              const char *const *units, ria_buffer *header) {
  char zone[16];
  ria_calendar_format_zone(c->dates.zone, zone, sizeof zone);
  add_line(header, columns, c->columns, c->dated ? "date" : NULL);
  if (units) add_line(header, units, c->columns, c->dated ? zone : NULL);
  return header->failed
             ? ria_fail(c->ctx, RIA_ERR_MEMORY, "out of memory for the header of '%s'", c->path)
             : RIA_OK;
}

/* O_APPEND: rows of others are not written over. */
static ria_status open_file(ria_csv *c) {
  c->fd = open(c->path, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (c->fd >= 0) return RIA_OK;
  return ria_fail(c->ctx, RIA_ERR_OUTPUT, "cannot open '%s': %s", c->path, strerror(errno));
}

/* A table that is none of the results leaves no file: a later run would take it for the user's. */
static ria_status write_header(ria_csv *c, const ria_buffer *header) {
  char err[RIA_ERR_TEXT];
  ria_status s = ria_file_replace(c->path, header->data, header->n, err, sizeof err);
  if (s != RIA_OK) return ria_fail(c->ctx, s, "%s", err);
  s = open_file(c);
  if (s != RIA_OK) unlink(c->path);
  return s;
}

/* Has the file these bytes at this place? */
static bool has_bytes(const ria_csv *c, off_t at, const char *data, size_t n) {
  char room[4096];
  while (n > 0) {
    const ssize_t k = pread(c->fd, room, n < sizeof room ? n : sizeof room, at);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0 || memcmp(room, data, (size_t)k) != 0) return false;
    data += k;
    at += k;
    n -= (size_t)k;
  }
  return true;
}

static ria_status check_header(ria_csv *c, const ria_buffer *header) {
  RIA_TRY(open_file(c));
  if (!has_bytes(c, 0, header->data, header->n))
    return ria_fail(c->ctx, RIA_ERR_OUTPUT,
                    "the run cannot go on with '%s': its columns are others than this run has",
                    c->path);
  c->compares = true;
  c->same = (off_t)header->n;
  return RIA_OK;
}

static ria_csv *new_table(ria_context *ctx, ria_writer *w, const char *path, size_t n_columns,
                          const ria_csv_dates *dates) {
  ria_csv *c = calloc(1, sizeof *c);
  char *copy = ria_strdup(path);
  if (!c || !copy) {
    free(c);
    free(copy);
    return NULL;
  }
  c->ctx = ctx;
  c->writer = w;
  c->key = ria_writer_key(w);
  c->path = copy;
  c->fd = -1;
  c->columns = n_columns;
  c->dated = dates != NULL;
  if (dates) c->dates = *dates;
  return c;
}

static ria_status make_table(ria_context *ctx, ria_writer *w, const char *path,
                             const char *const *columns, const char *const *units, size_t n_columns,
                             const ria_csv_dates *dates, bool takes_up, ria_csv **out) {
  ria_buffer header = {0};
  *out = NULL;
  ria_csv *c = new_table(ctx, w, path, n_columns, dates);
  if (!c) return ria_fail(ctx, RIA_ERR_MEMORY, "out of memory for the table '%s'", path);
  ria_status s = make_header(c, columns, units, &header);
  if (s == RIA_OK)
    s = takes_up && ria_file_exists(path) ? check_header(c, &header) : write_header(c, &header);
  ria_buffer_free(&header);
  if (s != RIA_OK)
    ria_csv_destroy(&c);
  else
    *out = c;
  return s;
}

ria_status ria_csv_create(ria_context *ctx, ria_writer *w, const char *path,
                          const char *const *columns, const char *const *units, size_t n_columns,
                          const ria_csv_dates *dates, ria_csv **out) {
  return make_table(ctx, w, path, columns, units, n_columns, dates, false, out);
}

ria_status ria_csv_take_up(ria_context *ctx, ria_writer *w, const char *path,
                           const char *const *columns, const char *const *units, size_t n_columns,
                           const ria_csv_dates *dates, ria_csv **out) {
  return make_table(ctx, w, path, columns, units, n_columns, dates, true, out);
}

/* --- appending ---------------------------------------------------------------------------- */

/* Is the file that is open still the one of that name? */
static ria_status check_place(const ria_csv *c, char *err, size_t errsize) {
  struct stat open_one, named;
  if (fstat(c->fd, &open_one) != 0)
    return ria_error_errno(errno, err, errsize, "cannot append to", c->path);
  const bool there = lstat(c->path, &named) == 0;
  if (there && open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino) return RIA_OK;
  return ria_error_text(RIA_ERR_OUTPUT, err, errsize, "'%s' was %s while the run was writing it",
                        c->path, there ? "replaced" : "removed");
}

/* On a worker. All or nothing. */
static ria_status append_bytes(const ria_csv *c, const char *data, size_t n, char *err,
                               size_t errsize) {
  if (!ria_meter_add(ria_meter_here(), n))
    return ria_error_errno(EDQUOT, err, errsize, "cannot append to", c->path);
  off_t before = lseek(c->fd, 0, SEEK_END);
  size_t done = 0;
  while (done < n) {
    ssize_t k = write(c->fd, data + done, n - done);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) break;
    done += (size_t)k;
  }
  if (done == n) return RIA_OK;
  int code = errno ? errno : ENOSPC;
  char room[128];
  const char *cut = "";
  if (before >= 0 && done > 0 && ftruncate(c->fd, before) != 0)
    cut = " (and its last line could not be cut off)";
  return ria_error_text(RIA_ERR_OUTPUT, err, errsize, "cannot append to '%s': %s%s", c->path,
                        strerror_r(code, room, sizeof room), cut);
}

static void add_date(ria_buffer *text, const ria_csv_dates *d, double time) {
  char date[48];
  ria_date_local(d->start + time, d->zone, d->decimals, date, sizeof date);
  ria_buffer_text(text, ",");
  ria_buffer_text(text, date);
}

static void add_row(ria_buffer *text, const ria_csv *c, const double *v) {
  for (size_t k = 0; k < c->columns; k++) {
    char number[32];
    if (k) ria_buffer_add(text, ",", 1);
    ria_buffer_add(text, number, (size_t)ria_format_double(v[k], number));
    if (!k && c->dated) add_date(text, &c->dates, v[0]);
  }
  ria_buffer_add(text, "\n", 1);
}

/* What comes from here on is appended. */
static ria_status cut(ria_csv *c, char *err, size_t errsize) {
  if (!c->compares) return RIA_OK;
  c->compares = false;
  if (ftruncate(c->fd, c->same) == 0) return RIA_OK;
  return ria_error_errno(errno, err, errsize, "cannot write", c->path);
}

static ria_status put_rows(ria_csv *c, const ria_buffer *text, char *err, size_t errsize) {
  if (c->compares && has_bytes(c, c->same, text->data, text->n)) {
    c->same += (off_t)text->n;
    return RIA_OK;
  }
  RIA_TRY(cut(c, err, errsize));
  return append_bytes(c, text->data, text->n, err, errsize);
}

static ria_status append_batch(void *job, char *err, size_t errsize) {
  const csv_batch *batch = job;
  ria_csv *c = batch->csv;
  ria_buffer text = {0};
  RIA_TRY(check_place(c, err, errsize));
  for (size_t row = 0; row < batch->n_rows; row++)
    add_row(&text, c, batch->value + row * c->columns);
  ria_status s = text.failed ? ria_error_text(RIA_ERR_MEMORY, err, errsize,
                                              "out of memory for rows of '%s'", c->path)
                             : put_rows(c, &text, err, errsize);
  ria_buffer_free(&text);
  if (s == RIA_OK) c->rows += (int64_t)batch->n_rows;
  return s;
}

ria_status ria_csv_append(ria_csv *c, const double *rows, size_t n_rows) {
  if (n_rows == 0) return RIA_OK;
  size_t values = n_rows * c->columns * sizeof(double);
  csv_batch *batch = malloc(sizeof *batch + values);
  if (!batch) return ria_fail(c->ctx, RIA_ERR_MEMORY, "out of memory for rows of '%s'", c->path);
  batch->csv = c;
  batch->n_rows = n_rows;
  memcpy(batch->value, rows, values);
  return ria_writer_push_ordered(c->writer, c->key, batch, sizeof *batch + values, append_batch,
                                 free);
}

static ria_status cut_rows(void *job, char *err, size_t errsize) {
  RIA_TRY(check_place(job, err, errsize));
  return cut(job, err, errsize);
}

ria_status ria_csv_cut(ria_csv *c) {
  return ria_writer_push_ordered(c->writer, c->key, c, 0, cut_rows, NULL);
}

static ria_status sync_rows(void *job, char *err, size_t errsize) {
  const ria_csv *c = job;
  RIA_TRY(check_place(c, err, errsize));
  const int code = ria_fd_sync(c->fd);
  return code ? ria_error_errno(code, err, errsize, "cannot write", c->path) : RIA_OK;
}

ria_status ria_csv_sync(ria_csv *c) {
  return ria_writer_push_ordered(c->writer, c->key, c, 0, sync_rows, NULL);
}

int64_t ria_csv_rows(const ria_csv *c) { return c->rows; }

void ria_csv_destroy(ria_csv **csv) {
  ria_csv *c = *csv;
  if (!c) return;
  *csv = NULL;
  if (c->fd >= 0) {
    (void)ria_writer_flush(c->writer);
    (void)fsync(c->fd);
    close(c->fd);
  }
  free(c->path);
  free(c);
}
