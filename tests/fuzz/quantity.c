/* Any bytes as a quantity with a unit, a number and a date: a value, or an error with a message. A
 * number that is written and read again is the same number, to the bit; a date to the microsecond.
 */
#include "io/calendar.h"
#include "io/number.h"
#include <math.h>
#include <ria/units.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void read_quantity(ria_context *ctx, const char *text) {
  for (int dim = 0; dim <= RIA_DIM_DENSITY; dim++) {
    double v = 0.0;
    ria_status s = ria_parse_quantity(ctx, text, (ria_dim)dim, &v);
    if (s != RIA_OK && !*ria_error(ctx)) abort();
    char cut[8], whole[64];
    ria_format_duration(v, cut, sizeof cut);
    ria_format_duration(v, whole, sizeof whole);
  }
}

static void write_and_read(double v) {
  char text[32];
  double again;
  int n = ria_number_format(v, text);
  if (isnan(v)) return;
  if (n <= 0 || n >= (int)sizeof text) abort();
  if (!ria_number_parse(text, (size_t)n, &again) || again != v) abort();
}

static void read_number(const char *text, size_t n) {
  double v;
  if (ria_number_parse(text, n, &v)) write_and_read(v);
  if (n < sizeof v) return;
  memcpy(&v, text, sizeof v);
  write_and_read(v);
}

static void read_date(ria_context *ctx, const char *text, size_t n) {
  double t, again;
  char written[64];
  ria_calendar_looks_like(text, n);
  (void)ria_calendar_read(ctx, "epoch", text, &t);
  if (ria_calendar_parse(text, n, &t) != NULL) return;
  ria_calendar_format(t, 6, written, sizeof written);
  if (ria_calendar_parse(written, strlen(written), &again) != NULL) abort();
  if (!(fabs(again - t) <= 1e-6 * fmax(1.0, 1e-9 * fabs(t)))) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  ria_context *ctx;
  char *text = malloc(n + 1);
  if (!text ||
      ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) != RIA_OK)
    abort();
  memcpy(text, data, n);
  text[n] = '\0';
  read_quantity(ctx, text);
  read_number(text, n);
  read_date(ctx, text, n);
  ria_context_destroy(&ctx);
  free(text);
  return 0;
}
