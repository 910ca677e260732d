/* unit.traces: paths of particles through saved flows whose paths are known, where they end, what
 * they are made from, what is refused; and that a picture has them. */
#include "files.h"
#include "io/zarr.h"
#include "picture.h"
#include "test.h"

#include <math.h>
#include <ria/render.h>

enum { NX = 40, NY = 60, CELLS = NX * NY };
static const double pi = 3.14159265358979323846, each = 600.0; /* s between saved times */

static ria_context *ctx;
static const ria_grid upright = {.nx = NX, .ny = NY, .dx = 100, .dy = 50, .x0 = 5e5, .y0 = 4e6};

/* The velocity at a place, in m along the grid from its middle; NaN is dry. */
typedef void flow_of(double x, double y, double t, double v[2]);

static void rotation(double x, double y, double t, double v[2]) {
  (void)t;
  v[0] = -2 * pi / 3600 * y;
  v[1] = 2 * pi / 3600 * x;
}

static void turning(double x, double y, double t, double v[2]) {
  (void)x, (void)y;
  v[0] = 0.5 * cos(t / 1500);
  v[1] = 0.5 * sin(t / 1500);
}

/* East, onto ground that begins at x = 500. */
static void shore(double x, double y, double t, double v[2]) {
  (void)y, (void)t;
  v[0] = x > 500 ? (double)NAN : 1.0;
  v[1] = x > 500 ? (double)NAN : 0.0;
}

/* At rest; all falls dry between the first time and the second. */
static void falling(double x, double y, double t, double v[2]) {
  (void)x, (void)y;
  v[0] = v[1] = t > 0 ? (double)NAN : 0.0;
}

typedef enum made_of { VELOCITY, ON_THE_MAP, DISCHARGE, LEVEL_AND_BED, NOTHING } made_of;
static const char *const names[][4] = {{"u", "v", "level", "bed"},
                                       {"u_east", "v_north", "level", "bed"},
                                       {"qx", "qy", "depth", "bed"},
                                       {"qx", "qy", "level", "bed"},
                                       {"speed", "u", "level", "bed"}};

static double *plane(const ria_grid *g, flow_of *flow, made_of what, int field, double t) {
  double *out = malloc(CELLS * sizeof *out), c, s, v[2];
  ria_grid_axes(g, &c, &s);
  for (int k = 0; out && k < CELLS; k++) {
    const double x = (k % NX + 0.5 - 0.5 * NX) * g->dx, y = (k / NX + 0.5 - 0.5 * NY) * g->dy;
    const double bed = -4.0 + 1e-4 * x, depth = 3.0 + 2e-4 * y;
    flow(x, y, t, v);
    if (what == ON_THE_MAP) {
      const double east = c * v[0] - s * v[1], north = s * v[0] + c * v[1];
      v[0] = east;
      v[1] = north;
    }
    if (what == DISCHARGE || what == LEVEL_AND_BED) v[0] *= depth, v[1] *= depth;
    out[k] = field < 2 ? v[field] : field == 3 ? bed : what == DISCHARGE ? depth : bed + depth;
  }
  return out;
}

static void save(const char *name, const ria_grid *g, flow_of *flow, made_of what, int times) {
  ria_zarr_field fields[4] = {{0}};
  for (int k = 0; k < 4; k++)
    fields[k] = (ria_zarr_field){.name = names[what][k], .unit = "m s-1", .fixed = k == 3};
  const ria_zarr_desc desc = {.path = files_path(name),
                              .grid = *g,
                              .real = RIA_F64,
                              .fields = fields,
                              .n_fields = 4,
                              .overwrite = true};
  ria_writer *w;
  ria_zarr *z;
  CHECK_OK(ctx, ria_writer_create(ctx, 2, 1 << 20, &w));
  CHECK_OK(ctx, ria_zarr_create(ctx, w, &desc, &z));
  CHECK_OK(ctx, ria_zarr_put(z, 3, plane(g, flow, what, 3, 0)));
  for (int k = 0; k < times; k++) {
    void *values[4] = {NULL};
    for (int f = 0; f < 3; f++) values[f] = plane(g, flow, what, f, k * each);
    CHECK_OK(ctx, ria_zarr_append(z, k * each, values));
  }
  ria_zarr_destroy(&z);
  ria_writer_destroy(&w);
}

/* x, y: m along the grid from its middle, and on the map then. */
static ria_traces *follow(const char *name, const ria_grid *g, double x, double y,
                          const char *start, const char *end) {
  ria_traces *t = NULL;
  x += g->x0 + 0.5 * NX * g->dx;
  y += g->y0 + 0.5 * NY * g->dy;
  ria_grid_to_map(g, &x, &y);
  const ria_traces_desc d = {
      .from = files_path(name), .x = &x, .y = &y, .n = 1, .start = start, .end = end};
  CHECK_OK(ctx, ria_traces_make(ctx, &d, &t));
  return t;
}

static void place(const ria_grid *g, const ria_trace *t, size_t k, double p[2]) {
  p[0] = t->x[k];
  p[1] = t->y[k];
  ria_grid_from_map(g, &p[0], &p[1]);
  p[0] -= g->x0 + 0.5 * NX * g->dx;
  p[1] -= g->y0 + 0.5 * NY * g->dy;
}

/* A circle closes, whatever the velocities are made from. */
static void circles(void) {
  ria_grid turned = upright;
  turned.angle = 30.0;
  for (int k = 0; k < 5; k++) {
    const ria_grid *g = k < 3 ? &turned : &upright;
    const made_of what = k < 4 ? (made_of)k : VELOCITY;
    save("circle", g, rotation, what, 7);
    ria_traces *all = follow("circle", g, 1000, 0, NULL, NULL);
    if (!CHECK(ria_traces_count(all) == 1)) return;
    const ria_trace *t = ria_traces_at(all, 0);
    double p[2];
    CHECK(t->fate == RIA_TRACE_AFLOAT && t->n > 100);
    for (size_t i = 0; i < t->n; i++) {
      place(g, t, i, p);
      CHECK_NEAR(p[0], 1000 * cos(2 * pi * t->t[i] / 3600), 0.01);
      CHECK_NEAR(p[1], 1000 * sin(2 * pi * t->t[i] / 3600), 0.01);
    }
    CHECK_NEAR(t->t[0], 0.0, 1e-9);
    CHECK_NEAR(t->t[t->n - 1], 3600.0, 1e-9);
    ria_traces_destroy(&all);
  }
}

/* The path from 0 to t in a current that is linear between saved times. */
static void exact(double t, double p[2]) {
  p[0] = p[1] = 0.0;
  for (double at = 0.0; at < t; at += each) {
    double a[2], b[2];
    const double part = fmin(1.0, (t - at) / each);
    turning(0, 0, at, a);
    turning(0, 0, at + each, b);
    for (int k = 0; k < 2; k++) p[k] += each * (part * a[k] + 0.5 * part * part * (b[k] - a[k]));
  }
}

/* Unsteady: not the lines of any one time. From and to times between saved ones. */
static void pathlines(void) {
  save("turning", &upright, turning, VELOCITY, 7);
  ria_traces *all = follow("turning", &upright, -300, -200, "250 s", "3500 s");
  const ria_trace *t = ria_traces_at(all, 0);
  double from[2], at[2], p[2];
  exact(250, from);
  CHECK(t->n > 20 && t->fate == RIA_TRACE_AFLOAT);
  for (size_t k = 0; k < t->n; k++) {
    exact(t->t[k], at);
    place(&upright, t, k, p);
    CHECK_NEAR(p[0], -300 + at[0] - from[0], 0.002);
    CHECK_NEAR(p[1], -200 + at[1] - from[1], 0.002);
  }
  CHECK_NEAR(t->t[t->n - 1], 3500.0, 1e-9);
  ria_traces_destroy(&all);
}

static void check_end(const char *name, double x, double y, const char *start, ria_trace_fate fate,
                      double end, double then) {
  ria_traces *all = follow(name, &upright, x, y, start, NULL);
  const ria_trace *t = ria_traces_at(all, 0);
  double p[2] = {end, y};
  CHECK_INT(t->fate, fate);
  if (t->n) place(&upright, t, t->n - 1, p);
  CHECK_NEAR(p[0], end, 0.001);
  CHECK_NEAR(p[1], y, 0.001);
  if (t->n) CHECK_NEAR(t->t[t->n - 1], then, 0.001);
  CHECK((t->n == 0) == (fate == RIA_TRACE_NO_WATER));
  ria_traces_destroy(&all);
}

static void ends(void) {
  save("shore", &upright, shore, VELOCITY, 7);
  check_end("shore", -200, 30, NULL, RIA_TRACE_DRY, 500, 700);
  check_end("shore", -1900, 30, "3000 s", RIA_TRACE_AFLOAT, -1300, 3600);
  check_end("shore", 800, 30, NULL, RIA_TRACE_NO_WATER, 0, 0);
  check_end("shore", 1e6, 30, NULL, RIA_TRACE_NO_WATER, 0, 0);
  save("west", &upright, turning, VELOCITY, 2);
  check_end("west", 1e5, 0, NULL, RIA_TRACE_NO_WATER, 0, 0);
  save("falling", &upright, falling, VELOCITY, 2);
  check_end("falling", 10, 10, NULL, RIA_TRACE_DRY, 10, 300);
  save("out", &upright, rotation, VELOCITY, 7); /* out of a circle that does not fit */
  ria_traces *all = follow("out", &upright, 1900, 0, NULL, NULL);
  const ria_trace *t = ria_traces_at(all, 0);
  double p[2];
  place(&upright, t, t->n - 1, p);
  CHECK_INT(t->fate, RIA_TRACE_LEFT);
  CHECK_NEAR(p[1], 1500, 0.01);
  ria_traces_destroy(&all);
}

/* --- in a picture ----------------------------------------------------------------------------- */

static bool is_dark(const png_read *png, double x, double y) {
  const uint8_t *rgb = png_read_rgb(png, (int)x, (int)y);
  return rgb[0] + rgb[1] + rgb[2] < 330;
}

static void pictures(void) {
  static const char *const last[] = {"3600 s"};
  double x[] = {upright.x0 + 3000, upright.x0 + 3900}, y[] = {upright.y0 + 1500, 4e6 + 100};
  const size_t first[] = {0, 1, 2};
  const ria_shape stations = {.kind = RIA_POINTS, .n_parts = 2, .first = first, .x = x, .y = y};
  ria_shapes *points = NULL;
  ria_render_info info;
  CHECK_OK(ctx, ria_shapes_make(ctx, &stations, 1, NULL, &points));
  save("run", &upright, rotation, VELOCITY, 7);
  ria_render_desc d = {.from = files_path("run"),
                       .field = "level",
                       .times = last,
                       .n_times = 1,
                       .min = -10,
                       .max = 0,
                       .width = 800,
                       .height = 600,
                       .map = "viridis",
                       .no_decor = true,
                       .trace_points = points,
                       .traces_over = 900};
  char path[600];
  snprintf(path, sizeof path, "%s", files_path("traces.png"));
  d.path = path;
  CHECK_OK(ctx, ria_render(ctx, &d, &info));
  CHECK_INT((int)info.traces, 2);
  CHECK_INT((int)info.left, 1);
  CHECK_INT((int)info.aground, 0);
  CHECK_TEXT(info.traces_first, "00:45:00");
  CHECK_TEXT(info.traces_last, "01:00:00");
  picture p = load(path);
  const png_read png = p.png;
  /* from x = 1000 of the middle a quarter of the circle: to y = 1000, px 400, py 100 */
  const double px = png.width / 4000.0, py = png.height / 3000.0;
  CHECK(is_dark(&png, 2000 * px, 500 * py));
  CHECK(!is_dark(&png, 2000 * px, 500 * py + 12));
  CHECK(is_dark(&png, (2000 + 1000 * sin(0.3)) * px, (1500 - 1000 * cos(0.3)) * py));
  CHECK(!is_dark(&png, 1000 * px, 1500 * py)); /* where it has not been */
  unload(&p);

  /* as many as asked for, and of the water alone */
  d.trace_points = NULL;
  d.traces = 200;
  d.traces_over = 0;
  d.traces_from = "1000 s";
  CHECK_OK(ctx, ria_render(ctx, &d, &info));
  CHECK(info.traces > 180 && info.traces < 220);
  save("run", &upright, shore, VELOCITY, 7);
  CHECK_OK(ctx, ria_render(ctx, &d, &info));
  CHECK(info.traces > 180 && info.traces < 220 && info.aground > 100 && info.left == 0);
  ria_shapes_destroy(&points);
}

/* --- refused ---------------------------------------------------------------------------------- */

static void refused(void) {
  static const char *const first[] = {"first"};
  const double x = upright.x0 + 100, y = upright.y0 + 100;
  ria_traces *t = NULL;
  ria_traces_desc d = {.from = files_path("run"), .x = &x, .y = &y, .n = 1};
  d.start = "2 h";
  CHECK_STATUS(ctx, ria_traces_make(ctx, &d, &t), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "has the flow from 00:00:00 to 01:00:00");
  d.start = "30 min", d.end = "20 min";
  CHECK_STATUS(ctx, ria_traces_make(ctx, &d, &t), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "they must begin before they end");
  d.start = d.end = NULL;
  save("none", &upright, shore, NOTHING, 2);
  d.from = files_path("none");
  CHECK_STATUS(ctx, ria_traces_make(ctx, &d, &t), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(ctx), "has only level, speed, u: save it too, sim:every(\"10 min\", "
                              "ria.save { \"u\", \"v\" }), and run again");
  save("one", &upright, shore, VELOCITY, 1);
  d.from = files_path("one");
  CHECK_STATUS(ctx, ria_traces_make(ctx, &d, &t), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(ctx), "has a single one: save more often");

  char from[600], path[600];
  snprintf(from, sizeof from, "%s", files_path("run"));
  snprintf(path, sizeof path, "%s", files_path("refused.png"));
  ria_render_desc r = {.from = from, .path = path, .field = "level", .traces = 20};
  r.times = first, r.n_times = 1;
  CHECK_STATUS(ctx, ria_render(ctx, &r, NULL), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "they must begin before they end");
  r.n_times = 0, r.traces = 20000;
  CHECK_FAILS(ctx, ria_render(ctx, &r, NULL), RIA_ERR_ARGUMENT,
              "20000 traces in one picture are more than 10000");
  r.traces = 0, r.traces_over = 60;
  CHECK_STATUS(ctx, ria_render(ctx, &r, NULL), RIA_ERR_ARGUMENT);
  double lx[] = {0, 1}, ly[] = {0, 1};
  const size_t parts[] = {0, 2}, point[] = {0, 1};
  ria_shape shape = {.kind = RIA_LINES, .n_parts = 1, .first = parts, .x = lx, .y = ly};
  ria_shapes *s = NULL;
  CHECK_OK(ctx, ria_shapes_make(ctx, &shape, 1, NULL, &s));
  r.trace_points = s;
  CHECK_FAILS(ctx, ria_render(ctx, &r, NULL), RIA_ERR_ARGUMENT,
              "shape 1: particles set out at points, and these are lines");
  ria_shapes_destroy(&s);
  shape.kind = RIA_POINTS, shape.first = point;
  CHECK_OK(ctx, ria_shapes_make(ctx, &shape, 1, NULL, &s));
  r.trace_points = s;
  CHECK_FAILS(ctx, ria_render(ctx, &r, NULL), RIA_ERR_ARGUMENT,
              "none of the 1 points of shapes lies in water at 00:59:00");
  ria_shapes_destroy(&s);
}

int main(void) {
  files_begin();
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  circles();
  pathlines();
  ends();
  pictures();
  refused();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
