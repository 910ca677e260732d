/* Any bytes as a date, a zone and a number: what is read can be written and read again, and the sun
 * stands somewhere; or RIA_ERR_ARGUMENT with a message. */
#include "bytes.h"
#include "fuzz.h"
#include <ria/date.h>

static void write_and_read(ria_context *ctx, double t, double zone) {
  char text[48];
  double again, height, azimuth;
  for (int decimals = 0; decimals <= 6; decimals++) {
    memset(text, '?', sizeof text);
    ria_format_date(t, zone, decimals, text, sizeof text);
    FUZZ_DEMAND(memchr(text, '\0', sizeof text));
  }
  char cut[9];
  ria_format_date(t, zone, 6, cut, sizeof cut);
  FUZZ_DEMAND(memchr(cut, '\0', sizeof cut));
  ria_sun(t, zone / 240.0, 52.0, &height, &azimuth);
  if (!(t > -6e10 && t < 2.5e11)) return; /* years 1 to 9999 and a day of a zone: what is read */
  FUZZ_DEMAND(fabs(height) <= 90.0 && azimuth >= 0.0 && azimuth <= 360.0);
  FUZZ_DEMAND(ria_parse_date(ctx, text, 0.0, &again) == RIA_OK);
  FUZZ_DEMAND(fabs(again - t) <= 2e-6 + 1e-15 * fabs(t));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  bytes b = {data, data + n};
  char date[96], zone[32];
  double t = 0.0, z = 0.0;
  ria_context *ctx = fuzz_context(0);
  const double number = bytes_number(&b);
  bytes_text(&b, date, sizeof date);
  bytes_text(&b, zone, sizeof zone);
  if (fuzz_status(ctx, ria_parse_zone(ctx, zone, &z), FUZZ_ARGUMENT) == RIA_OK)
    FUZZ_DEMAND(fabs(z) <= 86400.0);
  else
    z = 0.0;
  if (fuzz_status(ctx, ria_parse_date(ctx, date, z, &t), FUZZ_ARGUMENT) == RIA_OK) {
    FUZZ_DEMAND(ria_is_date(date));
    (void)ria_date_has_zone(date);
    write_and_read(ctx, t, z);
  }
  write_and_read(ctx, number, z);
  ria_context_destroy(&ctx);
  return 0;
}
