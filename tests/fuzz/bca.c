/* Any bytes as constituents of points, by the first of them a .bca or a CSV: points that agree, or
 * RIA_ERR_INPUT with a message. */
#include <math.h>
#include <ria/ria.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(const ria_tide_points *p) {
  if (!p->n) abort();
  for (size_t k = 0; k < p->n; k++) {
    if (!p->point[k].name || p->point[k].n != p->point[0].n) abort();
    for (size_t i = 0; i < p->point[k].n; i++) {
      const ria_constituent *c = &p->point[k].constituents[i];
      if (!(c->amplitude >= 0.0) || !isfinite(c->phase) || !(ria_tide_speed(c->name) > 0.0))
        abort();
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  ria_context *ctx;
  ria_tide_points points;
  char dir[] = "/tmp/fuzz_bca_XXXXXX", path[64];
  if (n == 0 || !mkdtemp(dir)) return 0;
  if (ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) != RIA_OK)
    abort();
  snprintf(path, sizeof path, "%s/%s", dir, *data & 1 ? "a.bca" : "a.csv");
  FILE *to = fopen(path, "wb");
  if (!to || fwrite(data + 1, 1, n - 1, to) != n - 1 || fclose(to) != 0) abort();
  const ria_status s = ria_tide_points_read(ctx, path, NULL, 0, &points);
  if (s != RIA_OK && (s != RIA_ERR_INPUT || !*ria_error(ctx) || points.n || points.point)) abort();
  if (s == RIA_OK) check(&points);
  ria_tide_points_free(&points);
  ria_context_destroy(&ctx);
  remove(path);
  rmdir(dir);
  return 0;
}
