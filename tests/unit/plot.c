/* unit.plot: line charts, by size, colours and where the ink is. */
#include "io/file.h"
#include "png_read.h"
#include "test.h"
#include <ria/output.h>

static char dir[64] = "/tmp/ria-plot-XXXXXX";
static char path[128];

static bool read_plot(png_read *out) {
  static uint8_t data[1 << 20];
  FILE *f = fopen(path, "rb");
  if (!CHECK(f != NULL)) return false;
  size_t n = fread(data, 1, sizeof data, f);
  fclose(f);
  return CHECK(png_read_bytes(data, n, out));
}

static int count_color(const png_read *p, int r, int g, int b) {
  int n = 0;
  for (int k = 0; k < p->width * p->height; k++) {
    const uint8_t *rgb = p->palette[p->pixel[k]];
    n += rgb[0] == r && rgb[1] == g && rgb[2] == b;
  }
  return n;
}

static void two_panels(ria_context *ctx) {
  double x[100], y[100], marks[100];
  for (int k = 0; k < 100; k++) {
    x[k] = k;
    y[k] = k >= 40 && k < 60 ? (double)NAN : sin(0.1 * k);
    marks[k] = 1e8;
  }
  const ria_plot_line lines[] = {
      {.label = "measured", .x = x, .y = marks, .n = 100, .points = true, .color = {200, 30, 40}},
      {.label = "computed", .x = x, .y = y, .n = 100}};
  const ria_plot_panel panels[] = {
      {.title = "a", .xlabel = "t", .ylabel = "level", .lines = &lines[1], .n_lines = 1},
      {.lines = lines, .n_lines = 1, .ymin = 0, .ymax = 2e8, .xmin = 0, .xmax = 50}};
  png_read p;
  ria_plot_desc desc = {.path = path, .title = "Two panels", .panels = panels, .n_panels = 2};
  CHECK_OK(ctx, ria_plot(ctx, &desc));
  if (!read_plot(&p)) return;
  CHECK_INT(p.width, 900);
  CHECK_INT(p.height, 560);
  CHECK_HOLDS(p.texts, "Title=Two panels\nSoftware=ria ");
  CHECK(count_color(&p, 0, 101, 163) > 400); /* the line: first of the standard set */
  CHECK(count_color(&p, 200, 30, 40) > 200); /* the marks, with a colour of their own */
  png_read_free(&p);
  desc.width = 1601;
  desc.height = 333;
  CHECK_OK(ctx, ria_plot(ctx, &desc));
  if (!read_plot(&p)) return;
  CHECK_INT(p.width, 1602);
  CHECK_INT(p.height, 334);
  png_read_free(&p);
}

/* Nothing to draw, one value, infinities, far outside the range: a picture all the same. */
static void odd_data(ria_context *ctx) {
  const double x[] = {1, 2, 3, 4}, nothing[] = {NAN, NAN, NAN, NAN}, same[] = {5, 5, 5, 5};
  const double wild[] = {(double)INFINITY, -1e300, 1e300, 0};
  const double *const data[] = {nothing, same, wild};
  for (int k = 0; k < 4; k++) {
    const ria_plot_line line = {.x = x, .y = data[k % 3], .n = k < 3 ? 4 : 0};
    const ria_plot_panel panel = {
        .lines = &line, .n_lines = 1, .ymin = k == 2 ? -1 : 0, .ymax = k == 2 ? 1 : 0};
    png_read p;
    CHECK_OK(ctx, ria_plot(ctx, &(ria_plot_desc){.path = path, .panels = &panel, .n_panels = 1}));
    if (!read_plot(&p)) continue;
    CHECK_INT(p.height, 260);
    png_read_free(&p);
  }
  const ria_plot_panel empty = {0};
  CHECK_OK(
      ctx,
      ria_plot(ctx, &(ria_plot_desc){
                        .path = path, .panels = &empty, .n_panels = 1, .width = 1, .height = 1}));
}

static void refuses(ria_context *ctx) {
  const ria_plot_panel panel = {0};
  ria_plot_desc desc = {.path = path, .panels = &panel};
  CHECK_STATUS(ctx, ria_plot(ctx, &desc), RIA_ERR_ARGUMENT);
  CHECK_TEXT(ria_error(ctx), "a plot has 0 panels, but must have 1 to 64");
  desc.n_panels = 1;
  desc.height = -1;
  CHECK_STATUS(ctx, ria_plot(ctx, &desc), RIA_ERR_ARGUMENT);
  desc.height = 0;
  desc.path = "/nowhere/plot.png";
  CHECK_STATUS(ctx, ria_plot(ctx, &desc), RIA_ERR_OUTPUT);
  CHECK_TEXT(ria_error(ctx), "cannot write '/nowhere/plot.png': No such file or directory");
}

int main(void) {
  ria_context *ctx;
  if (!CHECK(mkdtemp(dir) != NULL)) return TEST_END();
  snprintf(path, sizeof path, "%s/plot.png", dir);
  if (!CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK))
    return TEST_END();
  two_panels(ctx);
  odd_data(ctx);
  refuses(ctx);
  ria_context_destroy(&ctx);
  char err[RIA_ERR_TEXT];
  CHECK_INT(ria_tree_remove(dir, err, sizeof err), RIA_OK);
  return TEST_END();
}
