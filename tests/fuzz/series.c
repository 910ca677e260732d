/* A table as the series of a boundary, a spill, a curve: the header and its units from words, the
 * layout as the input says, the rest its bytes. A series that can be asked at any time, or an error
 * with a message. */
#include "bytes.h"
#include "fuzz.h"
#include <ria/series.h>

#define ONE_OF(b, ...)                                                                             \
  ((const char *const[]){                                                                          \
      __VA_ARGS__}[bytes_below((b), sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))])

static void use(ria_context *ctx, const ria_series *s, bytes *b) {
  ria_series *made = NULL;
  ria_unit unit;
  double from, to;
  ria_series_span(s, &from, &to);
  FUZZ_DEMAND(from <= to);
  (void)ria_series_at(s, from);
  (void)ria_series_at(s, to);
  (void)ria_series_at(s, bytes_number(b));
  if (isfinite(from)) FUZZ_DEMAND(!isnan(ria_series_at(s, from)));
  const bool known =
      ria_unit_read(ctx, ONE_OF(b, "mg/l", "cfu/100 ml", "K", "kg/m3"), &unit) == RIA_OK;
  FUZZ_DEMAND(known);
  const ria_series_use uses[] = {
      {.times = RIA_DIM_TIME, .dim = RIA_DIM_FLOW},
      {.times = RIA_DIM_FLOW, .dim = RIA_DIM_LENGTH},
      {.times = RIA_DIM_TIME, .measure = RIA_CONCENTRATION, .unit = &unit},
      {.times = RIA_DIM_TIME, .measure = RIA_AMOUNT_RATE, .unit = NULL}};
  for (int k = 0; k < 4; k++) {
    fuzz_status(ctx, ria_series_take(ctx, s, &uses[k], &made), FUZZ_ARGUMENT);
    ria_series_destroy(&made);
  }
  if (fuzz_status(ctx, ria_series_copy(ctx, s, &made), 0) == RIA_OK) ria_series_destroy(&made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  bytes b = {data, data + n};
  ria_context *ctx = fuzz_context(0);
  ria_series *s = NULL;
  char path[64], *text = NULL;
  size_t length = 0;
  int fd;
  const unsigned how = bytes_one(&b);
  const ria_csv_desc d = {
      .path = fuzz_file(NULL, 0, &fd, path),
      .column =
          how & 1 ? ONE_OF(&b, "flow", "level", "#2", "#3", "#0", "nope", "flow [m3/h]") : NULL,
      .epoch = how & 2 ? ONE_OF(&b, "2026-07-14", "2026-07-14 06:00 +02:00", "x") : NULL,
      .fill_gaps = how & 4,
      .time_unit = how & 8 ? bytes_within(&b, 0, 4000) : 0,
      .interp = (ria_interp)(how >> 4 & 1),
      .hold = how & 32,
      .ramp = how & 64 ? bytes_within(&b, 0, 100) : 0,
      .scale = how & 128 ? bytes_within(&b, -2, 2) : 0,
      .offset = how & 128 ? bytes_within(&b, -2, 2) : 0,
      .layout = {.skip = (int)bytes_below(&b, 3),
                 .no_header = bytes_rare(&b, 4),
                 .units = bytes_rare(&b, 4)},
      .zone = bytes_rare(&b, 5) ? ONE_OF(&b, "+02:00", "CEST", "Z") : NULL,
      .unit = bytes_rare(&b, 4) ? ONE_OF(&b, "m3/h", "ft", "mg/l", "furlong", "") : NULL};
  FILE *to = open_memstream(&text, &length);
  if (!bytes_rare(&b, 4))
    fprintf(to, "%s,%s,%s\n", ONE_OF(&b, "t", "time [h]", "t (min)", "date", "q [m3/s]"),
            ONE_OF(&b, "flow [m3/h]", "level (ft)", "oil [mg/l]", "flow", "x [furlong]",
                   "level (datum)"),
            ONE_OF(&b, "level", "flow [l/s]", "dye [cfu/100 ml]"));
  fwrite(b.at, 1, (size_t)(b.end - b.at), to);
  fclose(to);
  if (write(fd, text, length) != (ssize_t)length) abort();
  const ria_status status =
      fuzz_status(ctx, ria_series_csv(ctx, &d, &s), FUZZ_INPUT | FUZZ_ARGUMENT);
  FUZZ_DEMAND((status == RIA_OK) == (s != NULL));
  if (s) use(ctx, s, &b);
  ria_series_destroy(&s);
  ria_context_destroy(&ctx);
  free(text);
  close(fd);
  return 0;
}
