/* Any bytes as a CSV file: a table whose columns can be asked for, or RIA_ERR_INPUT with a message;
 * the same for a series from it. */
#include "fuzz.h"
#include <ria/csv.h>
#include <ria/series.h>

static void read_table(ria_context *ctx, const char *path) {
  ria_csv_table *t;
  const double *values;
  double sum = 0.0;
  ria_status s = ria_csv_table_read(ctx, path, &t);
  if (s != RIA_OK && (s != RIA_ERR_INPUT || !*ria_error(ctx) || t)) abort();
  for (size_t c = 0; s == RIA_OK && c < t->columns; c++) {
    if (ria_csv_table_column(ctx, t, t->name[c], &values) != RIA_OK) continue;
    for (size_t k = 0; k < t->rows; k++) sum += values[k];
  }
  if (sum == 1.0 / 3.0) abort(); /* so that the values are looked at */
  ria_csv_table_destroy(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  ria_context *ctx;
  ria_series *series;
  char path[64];
  int fd;
  ctx = fuzz_context(0);
  read_table(ctx, fuzz_file(data, n, &fd, path));
  ria_status s = ria_series_csv(
      ctx, &(ria_csv_desc){.path = path, .epoch = "2026-03-01", .fill_gaps = true}, &series);
  if (s != RIA_OK && (!*ria_error(ctx) || series)) abort();
  ria_series_destroy(&series);
  ria_context_destroy(&ctx);
  close(fd);
  return 0;
}
