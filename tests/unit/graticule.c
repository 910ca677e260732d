/* Meridians and parallels: labels stand where longitudes and latitudes cross the map's edges, clear
 * of each other at any size; lines are where they should be; a turned grid; messages. */
#include "io/frame_draw.h"
#include "test.h"
#include <ria/crs.h>

#include <math.h>
#include <stdlib.h>

static ria_context *ctx;
static const char *const utm = "EPSG:32629";

static ria_graticule *over(const ria_grid *grid, double step) {
  ria_graticule *g = ria_graticule_nodes(grid, step);
  if (!CHECK(g != NULL)) return NULL;
  const size_t n = (size_t)g->n * (size_t)g->n;
  CHECK_OK(ctx, ria_crs_convert_named(ctx, utm, "EPSG:4326", n, g->x, g->y));
  CHECK_OK(ctx, ria_graticule_settle(ctx, g));
  return g;
}

/* The label of a tick at (x, y) of the map tells its longitude, or latitude, within `reach` m. */
static void tells(const char *label, bool latitude, double x, double y, double reach) {
  double said = NAN, degrees[2] = {x, y};
  CHECK_OK(ctx, ria_parse_degrees(ctx, label, latitude, &said));
  CHECK_OK(ctx, ria_crs_convert_named(ctx, utm, "EPSG:4326", 1, &degrees[0], &degrees[1]));
  const double metres = (degrees[latitude] - said) * 111320.0 *
                        (latitude ? 1.0 : cos(degrees[1] * 3.14159265358979 / 180.0));
  if (!CHECK(fabs(metres) < reach)) fprintf(stderr, "  %s is %g m off\n", label, metres);
}

static ria_frame_input input(const ria_grid *grid, const float *value, const ria_graticule *g) {
  return (ria_frame_input){
      .grid = *grid, .value = value, .field = "level", .vmin = 0.0, .vmax = 1.0, .graticule = g};
}

static void check_layout(const ria_grid *grid, const ria_frame_input *in, bool turned) {
  frame_layout l = {0};
  ria_frame_lay_out(in, &l);
  for (int k = 0; k < l.ticks_x.n; k++) {
    double x = grid->x0 + l.ticks_x.at[k] * l.unit - l.x0, y = grid->y0;
    ria_grid_to_map(grid, &x, &y);
    tells(l.ticks_x.label[k], turned, x, y, 2.0);
    if (!k) continue;
    const double apart = (l.ticks_x.at[k] - l.ticks_x.at[k - 1]) * l.unit / grid->nx / grid->dx;
    CHECK(fabs(apart) * l.map.w > 0.5 * (ria_font_width(l.text, l.ticks_x.label[k]) +
                                         ria_font_width(l.text, l.ticks_x.label[k - 1])));
  }
  for (int k = 0; k < l.ticks_y.n; k++) {
    double x = grid->x0, y = grid->y0 + l.ticks_y.at[k] * l.unit - l.y0;
    ria_grid_to_map(grid, &x, &y);
    tells(l.ticks_y.label[k], !turned, x, y, 2.0);
  }
  if (in->width == 0 || in->width >= 480) CHECK(l.ticks_x.n >= 2 && l.ticks_y.n >= 1);
}

static void test_labels(void) {
  static const double steps[] = {0.0, 1.0 / 6.0, 1.0 / 60.0};
  static const int widths[] = {0, 300, 480, 1800};
  static const double angles[] = {0.0, 20.0, -90.0};
  for (int a = 0; a < 3; a++) {
    const ria_grid grid = {.nx = 240,
                           .ny = 160,
                           .dx = 250,
                           .dy = 250,
                           .x0 = 470000,
                           .y0 = 4660000,
                           .angle = angles[a]};
    for (int s = 0; s < 3; s++) {
      ria_graticule *g = over(&grid, steps[s]);
      for (int w = 0; g && w < 4; w++) {
        ria_frame_input in = input(&grid, NULL, g);
        in.width = widths[w];
        check_layout(&grid, &in, angles[a] == -90.0);
      }
      ria_graticule_free(g);
    }
  }
}

/* Pixels that lines change, within a map alone: those at a meridian and at a parallel, no others.
 */
static void test_lines(void) {
  enum { N = 200 };
  const ria_grid grid = {.nx = N, .ny = N, .dx = 100, .dy = 100, .x0 = 490000, .y0 = 4670000};
  ria_canvas canvas;
  frame_draft *f = calloc(1, sizeof *f);
  ria_graticule *g = over(&grid, 0.25);
  const ria_frame_input in = input(&grid, NULL, g);
  if (!CHECK(f && g && ria_canvas_init(&canvas, N, N))) return;
  f->in = &in;
  f->canvas = canvas;
  f->layout = (frame_layout){.scale = 1.0, .map = {0, 0, N, N}, .graticule = 0.25};
  for (int k = 0; k < FRAME_INK + 1; k++) ria_canvas_color(&f->canvas, 255 - k, 255 - k, 255 - k);
  ria_canvas_fill(&f->canvas, f->canvas.clip, 0);
  ria_frame_draw_graticule(f);
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      double p[2] = {grid.x0 + (x + 0.5) * 100.0, grid.y0 + (N - y - 0.5) * 100.0};
      double q[2] = {p[0], p[1]}, m[2];
      ria_crs_convert_named(ctx, utm, "EPSG:4326", 1, &q[0], &q[1]);
      m[0] = fabs(q[0] - 0.25 * rint(4.0 * q[0])) * 82400.0; /* m from the lines */
      m[1] = fabs(q[1] - 0.25 * rint(4.0 * q[1])) * 111100.0;
      const bool changed = f->canvas.pixel[y * N + x] != 0;
      if (fmin(m[0], m[1]) < 49.0) CHECK(changed);
      if (fmin(m[0], m[1]) > 120.0) CHECK(!changed);
    }
  ria_canvas_free(&f->canvas);
  ria_graticule_free(g);
  free(f);
}

static void test_messages(void) {
  const ria_grid grid = {.nx = 10, .ny = 10, .dx = 100, .dy = 100, .x0 = 490000, .y0 = 4670000};
  ria_graticule *g = ria_graticule_nodes(&grid, 1.0);
  g->x[5] = NAN;
  CHECK_FAILS(ctx, ria_graticule_settle(ctx, g), RIA_ERR_ARGUMENT,
              "graticule: part of the domain has no longitude and latitude");
  g->x[5] = 490000 + 360;
  CHECK_FAILS(ctx, ria_graticule_settle(ctx, g), RIA_ERR_ARGUMENT,
              "graticule: 1000 lines, one each 1 degrees, are more than 96: give a greater step");
  ria_graticule_free(g);
}

int main(void) {
  if (!CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx)))
    return TEST_END();
  test_labels();
  test_lines();
  test_messages();
  ria_context_destroy(&ctx);
  return TEST_END();
}
