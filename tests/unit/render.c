/* tests/unit/render.c - pictures of what a run saved: the frames of the run byte for byte, parts of
 * them, several on a sheet, differences, contours, lines over them; light and heights of the
 * ground; what is refused. */
#include "files.h"
#include "picture.h"
#include "toy.h"
#include <ria/render.h>

static ria_context *ctx;

/* --- a run that draws and saves --------------------------------------------------------------- */

/* The level stands higher at each of them, more so in the west. */
static ria_status lift(ria_sim *sim, const ria_event_info *info, void *user) {
  double level[24];
  const double more = *(const double *)user;
  for (int c = 0; c < 24; c++) level[c] = more + 0.05 * info->t - 0.1 * (c % 6);
  return ria_sim_set(sim, "level", level);
}

/* more: m that all levels stand higher */
static void run(const char *name, double *more) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path(name));
  ria_action act = {.fn = lift, .user = more};
  CHECK_OK(ctx, ria_sim_every(sim, 10.0, 0.0, 0.0, &act, NULL));
  CHECK_OK(ctx,
           ria_frame_action(sim, &(ria_frame_desc){.field = "level", .min = -2, .max = 2}, &act));
  CHECK_OK(ctx, ria_sim_every(sim, 10.0, 0.0, 0.0, &act, NULL));
  CHECK_OK(ctx,
           ria_frame_action(
               sim, &(ria_frame_desc){.field = "oil", .scale = RIA_SCALE_LOG, .max = 1}, &act));
  CHECK_OK(ctx, ria_sim_every(sim, 10.0, 0.0, 0.0, &act, NULL));
  const char *const saved[] = {"bed", "depth", "level", "oil"};
  CHECK_OK(ctx, ria_save_action(sim, &(ria_save_desc){.fields = saved, .n_fields = 4}, &act));
  CHECK_OK(ctx, ria_sim_every(sim, 10.0, 0.0, 0.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 20.0));
  ria_sim_destroy(&sim);
}

static ria_render_desc asked(const char *field, const char *const *times, size_t n) {
  static char from[600], path[600];
  snprintf(from, sizeof from, "%s", files_path("run"));
  snprintf(path, sizeof path, "%s", files_path("out.png"));
  return (ria_render_desc){
      .from = from, .path = path, .field = field, .times = times, .n_times = n, .map = NULL};
}

static void as_frames(void) {
  static const char *const times[] = {"0 s", "10 s", "20 s"};
  static const char *const fields[] = {"level", "oil"};
  for (int f = 0; f < 2; f++)
    for (int k = 0; k < 3; k++) {
      char name[64];
      ria_render_desc d = asked(fields[f], &times[k], 1);
      d.map = f ? "matter" : "balance"; /* the toy is in no table of solvers */
      if (!f) d.min = -2, d.max = 2;
      CHECK_OK(ctx, ria_render(ctx, &d, NULL));
      snprintf(name, sizeof name, "run/frames/%s/%s_%06d.png", fields[f], fields[f], k);
      picture ours = load(d.path), frame = load(files_path(name));
      CHECK_HOLDS(ours.png.texts, k ? "ria:time_s=" : "ria:time_s=0");
      CHECK(ours.png.width == frame.png.width && ours.png.height == frame.png.height);
      const size_t pixels = (size_t)frame.png.width * (size_t)frame.png.height;
      CHECK(ours.png.colors == frame.png.colors &&
            memcmp(ours.png.palette, frame.png.palette, sizeof frame.png.palette) == 0);
      /* below the header, where the long name of a tracer is a sentence or not */
      const size_t head = 60 * (size_t)frame.png.width;
      CHECK(memcmp(ours.png.pixel + head, frame.png.pixel + head, pixels - head) == 0);
      unload(&ours);
      unload(&frame);
    }
}

/* --- the rest --------------------------------------------------------------------------------- */

static bool same(const png_read *sheet, int x0, int y0, const png_read *one) {
  for (int y = 0; y < one->height; y++)
    for (int x = 0; x < one->width; x++)
      if (memcmp(png_read_rgb(sheet, x0 + x, y0 + y), png_read_rgb(one, x, y), 3) != 0)
        return false;
  return true;
}

static void several(void) {
  static const char *const times[] = {"first", "10 s", "last"};
  ria_render_desc d = asked("level", times, 3);
  ria_render_info info;
  d.min = -2, d.max = 2;
  CHECK_OK(ctx, ria_render(ctx, &d, &info));
  CHECK(info.pictures == 3 && info.width == 960);
  CHECK_TEXT(info.first, "00:00:00");
  CHECK_TEXT(info.last, "20 s");
  picture sheet = load(d.path);
  for (int k = 0; k < 3; k++) {
    d.times = &times[k];
    d.n_times = 1;
    d.width = 480;
    CHECK_OK(ctx, ria_render(ctx, &d, &info));
    picture one = load(d.path);
    CHECK(sheet.png.width == 2 * one.png.width && sheet.png.height == 2 * one.png.height);
    CHECK(same(&sheet.png, k % 2 * 480, k / 2 * one.png.height, &one.png));
    unload(&one);
  }
  unload(&sheet);
}

static void differences(void) {
  char other[600];
  ria_render_info info;
  snprintf(other, sizeof other, "%s", files_path("higher"));
  ria_render_desc d = asked("level", NULL, 0);
  d.minus = d.from;
  CHECK_OK(ctx, ria_render(ctx, &d, &info));
  CHECK(info.least == 0.0 && info.most == 0.0);
  d.minus = other;
  CHECK_OK(ctx, ria_render(ctx, &d, &info));
  CHECK_NEAR(info.least, -0.25, 1e-12);
  CHECK_NEAR(info.most, -0.25, 1e-12);
  picture p = load(d.path);
  CHECK_HOLDS(p.png.texts, "ria:range=-1 1 linear m"); /* no spread: the plain range, about 0 */
  unload(&p);
  d.scale = RIA_RENDER_LOG;
  CHECK_STATUS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT);
}

/* How many pixels another picture has otherwise. */
static long changed(const ria_render_desc *with, const ria_render_desc *without) {
  CHECK_OK(ctx, ria_render(ctx, with, NULL));
  picture a = load(with->path);
  CHECK_OK(ctx, ria_render(ctx, without, NULL));
  picture b = load(without->path);
  long n = 0;
  if (CHECK(a.png.width == b.png.width && a.png.height == b.png.height))
    for (int y = 0; y < a.png.height; y++)
      for (int x = 0; x < a.png.width; x++)
        n += memcmp(png_read_rgb(&a.png, x, y), png_read_rgb(&b.png, x, y), 3) != 0;
  unload(&a);
  unload(&b);
  return n;
}

static void over(void) {
  const ria_render_desc plain = asked("level", NULL, 0);
  ria_render_desc d = plain;
  d.no_decor = true;
  ria_render_desc bare = d;
  /* the level falls by 0.1 m a cell of 160 px: a line through it is 640 px high and about 2 wide */
  const double at[] = {0.75, 5.0};
  d.contours = at;
  d.n_contours = 2;
  const long line = changed(&d, &bare);
  if (!CHECK(line > 640 && line < 640 * 4 + 2000)) fprintf(stderr, "%ld\n", line);
  d = bare;
  d.contour_step = 0.1;
  CHECK(changed(&d, &bare) > 2 * line);
  d.contour_step = 1e-4;
  CHECK_STATUS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "more than 256; give a greater step");

  /* a line across all of it, from far outside, and a point */
  double x[] = {-1e7, 1e7}, y[] = {220, 220}, px[] = {120}, py[] = {230};
  size_t first[] = {0, 2}, first_point[] = {0, 1};
  const ria_shape shapes[] = {
      {.kind = RIA_LINES, .n_parts = 1, .first = first, .x = x, .y = y},
      {.kind = RIA_POINTS, .n_parts = 1, .first = first_point, .x = px, .y = py}};
  ria_shapes *s = NULL;
  CHECK_OK(ctx, ria_shapes_make(ctx, shapes, 2, NULL, &s));
  d = bare;
  d.overlays = (const ria_shapes *const *)&s;
  d.n_overlays = 1;
  const long drawn = changed(&d, &bare);
  if (!CHECK(drawn > 3 * 960 && drawn < 6 * 960 + 200)) fprintf(stderr, "%ld\n", drawn);
  ria_shapes_destroy(&s);
}

static void boxes(void) {
  ria_render_desc d = asked("level", NULL, 0);
  ria_render_info info;
  d.boxed = true;
  d.box[0] = 111, d.box[1] = 205, d.box[2] = 129, d.box[3] = 215; /* cells 1, 2 of rows 0, 1 */
  CHECK_OK(ctx, ria_render(ctx, &d, &info));
  CHECK_NEAR(info.most, 1.0 - 0.1, 1e-12);
  CHECK_NEAR(info.least, 1.0 - 0.2, 1e-12);
  picture p = load(d.path);
  CHECK_HOLDS(p.png.texts, "ria:extent=110 200 130 220\n");
  unload(&p);
  d.box[0] = 500, d.box[2] = 600;
  CHECK_STATUS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "the box 500,205,600,215 has no cell of store");
}

static void dots(void) {
  ria_render_desc d = asked("level", NULL, 0);
  d.dpi = 300;
  CHECK_OK(ctx, ria_render(ctx, &d, NULL));
  picture p = load(d.path);
  CHECK_HOLDS(p.png.chunks, "pHYs ");
  unload(&p);
  d.dpi = 7;
  CHECK_STATUS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT);
}

static void refused(void) {
  const char *late[] = {"25 s"}, *date[] = {"2026-07-14"};
  ria_render_desc d = asked("lvel", NULL, 0);
  CHECK_FAILS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT,
              "unknown field 'lvel': did you mean 'level'? known are bed, depth, level, oil");
  d = asked("level", late, 1);
  CHECK_STATUS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx),
              "nothing at '25 s'; the nearest of its 3 times is \"20 s\" (from 0 s to 20 s)");
  d.times = date;
  CHECK_STATUS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "has no dates");
  d = asked("bed", late, 1);
  CHECK_FAILS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT,
              "'bed' was saved once: it has no times");
  d = asked("level", NULL, 0);
  d.graticule = true;
  CHECK_STATUS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "a graticule needs the coordinate system");
  d = asked("level", NULL, 0);
  d.arrows = true;
  CHECK_STATUS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "arrows need the fields u and v");
  d = asked("level", NULL, 0);
  d.map = "viridus";
  CHECK_STATUS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT);
  d.map = NULL;
  d.min = 2, d.max = 1;
  CHECK_STATUS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT);
  d = asked("level", NULL, 0);
  d.from = files_path("nothing");
  CHECK_STATUS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_INPUT);
}

/* --- the ground ------------------------------------------------------------------------------- */

/* A floor, a slope and a flat hill; clear water over it. With "bed" or without. */
static void run_over_hill(const char *name, size_t n_fields) {
  static const double height[6] = {-4, -4, -3, -1, 3, 3};
  static const char *const saved[] = {"level", "oil", "depth", "bed"};
  double bed[24];
  ria_action act;
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path(name));
  for (int c = 0; c < 24; c++) bed[c] = height[c % 6];
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0.5));
  CHECK_OK(ctx,
           ria_save_action(sim, &(ria_save_desc){.fields = saved, .n_fields = n_fields}, &act));
  CHECK_OK(ctx, ria_sim_every(sim, 10.0, 0.0, 0.0, &act, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, 10.0));
  ria_sim_destroy(&sim);
}

/* The colour in the middle of the i-th column of cells of 20 pixels. */
static const uint8_t *column(const picture *p, int i) {
  return png_read_rgb(&p->png, 20 * i + 10, 30);
}

static int apart(const uint8_t *a, const uint8_t *b) {
  int most = 0;
  for (int k = 0; k < 3; k++) most = abs(a[k] - b[k]) > most ? abs(a[k] - b[k]) : most;
  return most;
}

static picture drawn(const ria_render_desc *d) {
  CHECK_OK(ctx, ria_render(ctx, d, NULL));
  return load(d->path);
}

static void the_ground(void) {
  run_over_hill("hill", 4);
  run_over_hill("bare", 3);
  char hill[600];
  snprintf(hill, sizeof hill, "%s", files_path("hill"));
  ria_render_desc d = asked("level", NULL, 0);
  d.from = hill;
  d.min = -1, d.max = 1, d.width = 120, d.height = 80, d.no_decor = true;
  picture plain = drawn(&d);
  d.hillshade = true;
  picture lit = drawn(&d);
  CHECK_INT(apart(column(&plain, 0), column(&plain, 2)), 0);
  CHECK(apart(column(&lit, 0), column(&plain, 0)) <= 2); /* flat; a palette has fewer colours */
  CHECK(apart(column(&lit, 2), column(&plain, 2)) > 8);  /* it rises to the east */
  d.hillshade = false;
  d.ground = "relief";
  d.field = "oil";
  d.threshold = 1e-3;
  picture high = drawn(&d);
  const uint8_t(*relief)[3] = ria_colormap("relief");
  CHECK_INT(apart(column(&high, 0), relief[0]), 0);
  CHECK_INT(apart(column(&high, 5), relief[255]), 0);
  CHECK(apart(column(&plain, 5), relief[255]) > 30);
  d.ground = "releif";
  CHECK_STATUS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT);
  d.ground = "relief";
  char from[600];
  snprintf(from, sizeof from, "%s", files_path("bare"));
  d.from = from;
  CHECK_STATUS(ctx, ria_render(ctx, &d, NULL), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "needs the field bed");
  unload(&plain);
  unload(&lit);
  unload(&high);
}

int main(void) {
  double none = 0.0, some = 0.25;
  files_begin();
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  run("run", &none);
  run("higher", &some);
  as_frames();
  several();
  differences();
  over();
  boxes();
  dots();
  the_ground();
  refused();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
