/* unit.frame: pictures of fields, by properties that a change of taste leaves alone. */
#include "io/frame.h"
#include "io/frame_draw.h"
#include "png_read.h"
#include "test.h"

#include <pthread.h>

enum { NX = 120, NY = 80, CELLS = NX * NY };

static char err[256];
static float bed[CELLS], depth[CELLS], value[CELLS], speed_x[CELLS], speed_y[CELLS];

/* Land in the north half; water in the south with a plume in its west. */
static void make_fields(void) {
  for (int k = 0; k < CELLS; k++) {
    int i = k % NX, j = k / NX;
    bed[k] = j >= NY / 2 ? 5.0f + 0.3f * (float)((i / 7 + j / 5) % 3) : -5.0f;
    depth[k] = bed[k] < 0.0f ? 5.0f : 0.0f;
    value[k] = depth[k] > 0.0f ? (i < NX / 2 ? 0.5f : 1e-7f) : NAN;
    speed_x[k] = depth[k] > 0.0f ? 1.0f : NAN;
    speed_y[k] = 0.0f;
  }
}

static ria_frame_input input(void) {
  return (ria_frame_input){
      .grid = {.nx = NX, .ny = NY, .dx = 100, .dy = 100, .x0 = 1000, .y0 = 2000},
      .value = value,
      .bed = bed,
      .depth = depth,
      .dry = 0.01,
      .field = "oil",
      .long_name = "oil concentration",
      .unit = "kg/m^3",
      .title = "A test",
      .time_s = 3600.5,
      .map = "matter",
      .scale = RIA_SCALE_LOG,
      .vmin = 1e-4,
      .vmax = 1.0,
  };
}

static bool render(const ria_frame_input *in, png_read *out) {
  uint8_t *png;
  size_t n;
  if (!CHECK_INT(ria_frame_render(in, &png, &n, err, sizeof err), RIA_OK)) {
    fprintf(stderr, "  %s\n", err);
    return false;
  }
  bool ok = CHECK(png_read_bytes(png, n, out));
  free(png);
  return ok;
}

static bool is_field(int k) { return k < FRAME_WATER; }
static bool is_water(int k) { return k >= FRAME_WATER && k < FRAME_LAND; }
static bool is_land(int k) { return k >= FRAME_LAND && k < FRAME_PAPER; }

/* Where things are on the bare map, which fills the picture. */
static void bare_map(void) {
  ria_frame_input in = input();
  png_read p;
  in.no_decor = true;
  in.width = 240;
  if (!render(&in, &p)) return;
  CHECK_INT(p.width, 240);
  CHECK_INT(p.height, 160);
  CHECK(p.colors <= 256);
  CHECK(is_land(png_read_index(&p, 60, 20)));
  CHECK(is_land(png_read_index(&p, 200, 60)));
  CHECK(is_field(png_read_index(&p, 60, 120)));
  CHECK(is_water(png_read_index(&p, 200, 120))); /* below the threshold: clear */
  /* log10(0.5) lies at (4 - 0.301) / 4 of the colours */
  CHECK_NEAR(png_read_index(&p, 60, 120), FRAME_FIELD_N * (4 + log10(0.5)) / 4, 1.0);
  int shore = 0;
  for (int y = 76; y < 84; y++) shore += png_read_index(&p, 60, y) >= FRAME_PAPER;
  CHECK(shore >= 1); /* the wet/dry line */
  png_read_free(&p);
}

/* Pixels of the strip below the map, which holds the legend, that are not bare. */
static int strip_marks(const png_read *p) {
  int marks = 0;
  for (int k = p->width * (p->height - 60); k < p->width * p->height; k++)
    marks += p->pixel[k] != FRAME_PAPER;
  return marks;
}

/* Cells without a bed are no land: plain grey, without a shore, and the strip says so. */
static void outside(void) {
  ria_frame_input in = input();
  png_read p;
  int blank = 0, plain = 0;
  for (int k = 0; k < CELLS; k++)
    if (k % NX >= 90) bed[k] = depth[k] = value[k] = NAN;
  in.no_decor = true;
  in.width = 240;
  if (!render(&in, &p)) return;
  for (int y = 0; y < p.height; y++)
    for (int x = 0; x < p.width; x++)
      if (!CHECK((png_read_index(&p, x, y) == FRAME_OUTSIDE) == (x >= 180))) y = x = p.width;
  png_read_free(&p);
  in.no_decor = false;
  in.width = 0;
  if (!render(&in, &p)) return;
  blank = strip_marks(&p);
  png_read_free(&p);
  make_fields();
  if (!render(&in, &p)) return;
  plain = strip_marks(&p);
  CHECK(blank > plain + 100); /* a swatch and "outside the domain" */
  png_read_free(&p);
}

static bool is_missing(int k) { return k >= FRAME_MISSING_LINE && k <= FRAME_OUTSIDE; }

/* A raster of one's own, with no land to be: cells without a value are hatched to the last one,
 * without a shore, as far apart in pixels where a cell is a pixel as where it is ten. */
static void no_data(void) {
  static float own[CELLS];
  for (int pixels = 1; pixels <= 10; pixels *= 10) {
    ria_frame_input in = {.grid = {.nx = NX, .ny = NY, .dx = 1, .dy = 1},
                          .value = own,
                          .field = "own",
                          .vmin = 0,
                          .vmax = 1,
                          .no_decor = true,
                          .width = pixels * NX};
    int lines = 0, between = 0;
    png_read p;
    for (int k = 0; k < CELLS; k++) own[k] = k % NX < 40 && k / NX < 40 ? NAN : 0.5f;
    own[60 * NX + 100] = NAN; /* alone */
    if (!render(&in, &p)) return;
    for (int k = 0; k < CELLS; k++) { /* at their centres: edges between cells are smooth */
      const int x = pixels * (k % NX) + pixels / 2, y = p.height - pixels * (k / NX) - pixels / 2;
      const int ink = png_read_index(&p, x, pixels > 1 ? y : y - 1);
      if (!CHECK(own[k] != own[k] ? is_missing(ink) : is_field(ink))) k = CELLS;
    }
    for (int x = 0; x < 40 * pixels; x++) {
      lines += png_read_index(&p, x, p.height - 1) == FRAME_MISSING_LINE;
      between += png_read_index(&p, x, p.height - 1) == FRAME_OUTSIDE;
    }
    CHECK_INT(lines, 40 * pixels / 8);
    CHECK_INT(between, 40 * pixels / 8 * 5);
    png_read_free(&p);
  }
}

/* The legend says "no data" when some is in the picture, and only then. */
static void no_data_is_told(void) {
  int marks[2], inks[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    ria_frame_input in = input();
    png_read p;
    in.bed = in.depth = NULL;
    for (int c = 0; c < CELLS; c++) value[c] = k == 0 && c == 0 ? NAN : 0.5f;
    if (!render(&in, &p)) return;
    marks[k] = strip_marks(&p);
    for (int c = p.width * (p.height - 60); c < p.width * p.height; c++)
      inks[k] += p.pixel[c] == FRAME_MISSING_LINE;
    png_read_free(&p);
  }
  CHECK(marks[0] > marks[1] + 150);
  CHECK(inks[0] > inks[1]);
  make_fields();
}

static void whole_picture(void) {
  ria_frame_input in = input();
  const ria_frame_mark marks[] = {{4000, 4000, "harbour", RIA_MARK_GAUGE},
                                  {9000, 4000, "outfall", RIA_MARK_SPILL},
                                  {-5000, 4000, "outside", RIA_MARK_GAUGE}};
  png_read p;
  in.marks = marks;
  in.n_marks = 3;
  if (!render(&in, &p)) return;
  CHECK_INT(p.width, 960);
  CHECK(p.height % 2 == 0 && p.height > 500 && p.height < 800);
  CHECK_INT(png_read_index(&p, 0, 0), FRAME_PAPER);
  CHECK_INT(png_read_index(&p, 959, p.height - 1), FRAME_PAPER);
  CHECK_HOLDS(p.texts, "Title=A test\nSoftware=ria ");
  CHECK_HOLDS(p.texts, "ria:time_s=3600.5\nria:field=oil\nria:range=0.0001 1 log kg/m^3\n"
                       "ria:extent=1000 2000 13000 10000\n");
  int spill = 0, gauge = 0;
  for (int k = 0; k < p.width * p.height; k++) {
    spill += p.pixel[k] == FRAME_SPILL;
    gauge += p.pixel[k] == FRAME_GAUGE;
  }
  CHECK(spill > 20); /* on the map and in the key */
  CHECK(gauge > 20);
  png_read_free(&p);
}

static void sizes(void) {
  const int asked[][4] = {/* width, height -> width, height */
                          {640, 481, 640, 482},
                          {1921, 1080, 1922, 1080},
                          {33, 17, 64, 64},
                          {101, 0, 102, 68}};
  for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
    ria_frame_input in = input();
    png_read p;
    in.width = asked[k][0];
    in.height = asked[k][1];
    if (!render(&in, &p)) continue;
    CHECK_INT(p.width, asked[k][2]);
    CHECK_INT(p.height, asked[k][3]);
    png_read_free(&p);
  }
}

/* How far two colours are apart, all three parts together. */
static int apart(const uint8_t *a, const uint8_t *b) {
  return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]);
}

/* With the ground's colours too the bar has the map's, all of them. */
static void bar_of_ground(void) {
  ria_frame_input in = input();
  frame_layout l;
  png_read p;
  in.ground = true;
  ria_frame_lay_out(&in, &l);
  if (!render(&in, &p)) return;
  const uint8_t(*map)[3] = ria_colormap(in.map);
  const int x = l.bar.x + l.bar.w / 2, foot = l.bar.y + l.bar.h - 1;
  CHECK(apart(png_read_rgb(&p, x, foot), map[0]) < 6);
  CHECK(apart(png_read_rgb(&p, x, l.bar.y), map[255]) < 6);
  int colors = 0;
  for (int y = l.bar.y + 1; y <= foot; y++)
    colors += apart(png_read_rgb(&p, x, y), png_read_rgb(&p, x, y - 1)) > 0;
  CHECK(colors > 150);
  CHECK(apart(png_read_rgb(&p, 0, 0), (const uint8_t[]){255, 255, 255}) == 0);
  png_read_free(&p);
}

/* Labels of coordinates with many figures keep clear of each other and lose none. */
static void places(void) {
  const double cell[] = {10, 1, 0.05, 0.002, 0.002},
               x0[] = {512340.125, 512340.125, 512340.125, 512340.125, 812340512.125};
  for (size_t k = 0; k < sizeof cell / sizeof *cell; k++)
    for (int width = 320; width < 1400; width += 80) {
      ria_frame_input in = input();
      frame_layout l;
      in.grid = (ria_grid){
          .nx = NX, .ny = NY, .dx = cell[k], .dy = cell[k], .x0 = x0[k], .y0 = 4690123.25};
      in.width = width;
      ria_frame_lay_out(&in, &l);
      const ria_ticks *t = &l.ticks_x;
      CHECK(l.decor && l.ticks_y.n >= 1);
      CHECK(t->n >= (width >= 480 && k < 4 ? 2 : 1));
      for (int i = 0; i + 1 < t->n; i++) {
        double apart = (t->at[i + 1] - t->at[i]) * l.map.w / (NX * cell[k]);
        int a = ria_font_width(l.text, t->label[i]), b = ria_font_width(l.text, t->label[i + 1]);
        CHECK(apart >= 0.5 * (a + b) + 12.0);
        CHECK(strcmp(t->label[i], t->label[i + 1]) != 0);
      }
    }
}

/* A label of words gets a capital; one that begins with a name stays as that is written. */
static void subtitles(void) {
  static const struct {
    const char *text;
    bool sentence;
  } label[] = {{"water level", true}, {"Water level", false}, {"dt", false}, {"Dt", false}};
  png_read p[4];
  size_t bytes = 0;
  for (int k = 0; k < 4; k++) {
    ria_frame_input in = input();
    in.long_name = label[k].text;
    in.sentence = label[k].sentence;
    if (!render(&in, &p[k])) return;
    bytes = (size_t)p[k].width * (size_t)p[k].height;
  }
  CHECK(memcmp(p[0].pixel, p[1].pixel, bytes) == 0);
  CHECK(memcmp(p[2].pixel, p[3].pixel, bytes) != 0);
  for (int k = 0; k < 4; k++) png_read_free(&p[k]);
}

/* Lines of equal phase: where it is a multiple of the step, across the jump at 360 too, and nowhere
 * else; none where there is no phase, nor at a point that it turns about. */
static void lines_of_phase(void) {
  static float phase[CELLS], flat[CELLS];
  ria_frame_input in = input();
  png_read p;
  in.value = flat;
  in.bed = in.depth = NULL;
  in.phase = phase;
  in.phase_step = 30;
  in.no_decor = true;
  in.scale = RIA_SCALE_LINEAR;
  in.vmin = -0.3;
  in.width = 4 * NX;
  for (int k = 0; k < CELLS; k++) phase[k] = (float)fmod(300.0 + 1.25 * (k % NX + 0.5), 360.0);
  if (!render(&in, &p)) return;
  for (int x = 8; x < p.width - 8; x++) { /* 300 to 450 deg: a line each 24 cells, 96 pixels */
    const int off = (x + 48) % 96 - 48;
    const bool dark =
        abs(png_read_index(&p, x, 100) - png_read_index(&p, 20, 20)) > 1; /* dithered */
    if (!CHECK(off < -2 || off > 2 ? !dark : off != 0 || dark)) printf("  column %d\n", x);
  }
  png_read_free(&p);
  for (int k = 0; k < CELLS; k++) /* once round the middle */
    phase[k] = (float)fmod(360.0 + 180.0 / 3.14159265 * atan2(k / NX - 39.5, k % NX - 59.5), 360.0);
  if (!render(&in, &p)) return;
  int crossed = 0;
  for (int a = 0; a < 3600; a++) {
    const double t = a * 3.14159265 / 1800.0;
    const int x = (int)(240 + 100 * cos(t)), y = (int)(160 - 100 * sin(t));
    crossed += abs(png_read_index(&p, x, y) - png_read_index(&p, 240, 160)) > 1;
  }
  CHECK(crossed > 12 * 6 && crossed < 12 * 40); /* 12 lines of some pixels, 5.7 steps each */
  CHECK(png_read_index(&p, 240, 160) < FRAME_WATER);
  png_read_free(&p);
  for (int k = 0; k < CELLS; k++) phase[k] = NAN;
  if (!render(&in, &p)) return;
  for (int k = 0; k < p.width * p.height; k++)
    if (!CHECK(p.pixel[k] < FRAME_PAPER)) break;
  png_read_free(&p);
}

/* Rows of text from the top, left of column x and right of it: pixels that are not bare. */
static int head_marks(const png_read *p, int y0, int y1, int x0, int x1) {
  int marks = 0;
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++) marks += p->pixel[y * p->width + x] != FRAME_PAPER;
  return marks;
}

/* The date of a narrow picture runs over nothing: it stands below the title, whatever that says,
 * beside what is left of the name; and where only a few letters of it fit the margins stay bare. */
static void date_of_narrow_pictures(void) {
  static const char *const titles[] = {"Spill in a ria", "A longer title: spill in a ria", NULL};
  static const int widths[] = {300, 200};
  for (int w = 0; w < 2; w++)
    for (int k = 0; k < 3; k++) {
      ria_frame_input in = input();
      frame_layout l;
      png_read p, other;
      in.width = widths[w];
      in.title = titles[k];
      in.time_text = "2026-07-14 06:30 +02:00";
      ria_frame_lay_out(&in, &l);
      if (!l.decor) continue;
      const int from = l.subtitle_y - 9, to = l.subtitle_y + 4,
                date = l.right - ria_font_width(l.text, in.time_text);
      if (!render(&in, &p)) return;
      in.time_text = "2026-07-14 06:30 -11:00"; /* as wide */
      in.long_name = "";
      if (!render(&in, &other)) return;
      CHECK(!in.title || head_marks(&other, from, to, 0, date - 2) == 0);
      CHECK(head_marks(&p, from, to, date, l.right) > 60);
      CHECK_INT(head_marks(&p, from, to, date > l.left ? date - 20 : 0, date - 2), 0);
      CHECK_INT(head_marks(&p, 0, to, 0, l.left), 0);
      CHECK_INT(head_marks(&p, 0, to, l.right + 1, p.width), 0);
      /* the title has its row to itself */
      CHECK(!in.title || memcmp(p.pixel, other.pixel, (size_t)(p.width * from)) == 0);
      png_read_free(&p);
      png_read_free(&other);
    }
}

/* The bar stands for vmin..vmax: its colours run through the whole palette, bottom to top. */
static void bar(void) {
  ria_frame_input in = input();
  frame_layout l;
  png_read p;
  ria_frame_lay_out(&in, &l);
  if (!render(&in, &p)) return;
  int x = l.bar.x + l.bar.w / 2;
  CHECK_INT(png_read_index(&p, x, l.bar.y + l.bar.h - 1), FRAME_FIELD);
  CHECK_INT(png_read_index(&p, x, l.bar.y), FRAME_FIELD + FRAME_FIELD_N - 1);
  for (int y = l.bar.y + 1; y < l.bar.y + l.bar.h; y++)
    CHECK(png_read_index(&p, x, y) <= png_read_index(&p, x, y - 1));
  CHECK(l.bar.x > l.map.x + l.map.w && l.bar.x + l.bar.w < l.width);
  const uint8_t(*map)[3] = ria_colormap("matter");
  CHECK(memcmp(p.palette[0], map[0], 3) == 0);
  CHECK(memcmp(p.palette[FRAME_FIELD_N - 1], map[255], 3) == 0);
  png_read_free(&p);
}

static void clear_water_on_linear_scales(void) {
  ria_frame_input in = input();
  png_read p;
  in.scale = RIA_SCALE_LINEAR;
  in.vmin = 0.0;
  in.no_decor = true;
  in.width = 240;
  if (!render(&in, &p)) return;
  CHECK(is_field(png_read_index(&p, 200, 120))); /* no threshold: 0 has a colour too */
  png_read_free(&p);
  in.threshold = 0.01;
  if (!render(&in, &p)) return;
  CHECK(is_water(png_read_index(&p, 200, 120)));
  CHECK(is_field(png_read_index(&p, 60, 120)));
  png_read_free(&p);
}

/* A film on a flat, far thinner than the water elsewhere, is drawn as the ground below it. */
static void films_are_land(void) {
  ria_frame_input in = input();
  png_read p;
  float thin = 5.0f / 4000.0f;
  in.no_decor = true;
  in.width = 240;
  in.dry = 1e-6;
  for (int k = 0; k < CELLS; k++)
    if (k / NX < NY / 4) depth[k] = thin;
  if (!render(&in, &p)) return;
  CHECK(is_land(png_read_index(&p, 60, 150)));
  CHECK(is_field(png_read_index(&p, 60, 100)));
  png_read_free(&p);
  make_fields();
}

/* How thin is told, or left to be found; a negative one shows all. */
static void thinnest(void) {
  static const struct {
    double thinnest;
    float thin, deep;
    bool land;
  } c[] = {{0, 0.019f, 5, true},      {0, 0.021f, 5, false},  {-1, 0.001f, 5, false},
           {0.1, 0.09f, 5, true},     {0.1, 0.11f, 5, false}, {0, 0.0004f, 0.1f, true},
           {0, 0.0006f, 0.1f, false}, {0, 0.04f, 100, true},  {0, 0.06f, 100, false}};
  for (size_t n = 0; n < sizeof c / sizeof *c; n++) {
    ria_frame_input in = input();
    png_read p;
    in.no_decor = true;
    in.width = 240;
    in.dry = 1e-6;
    in.thinnest = c[n].thinnest;
    for (int k = 0; k < CELLS / 2; k++) depth[k] = k / NX < NY / 4 ? c[n].thin : c[n].deep;
    if (!render(&in, &p)) return;
    CHECK(is_land(png_read_index(&p, 60, 150)) == c[n].land);
    CHECK(is_field(png_read_index(&p, 60, 100)));
    png_read_free(&p);
  }
  make_fields();
}

/* The legend says so where there is such water, and only there. */
static void thin_water_in_the_legend(void) {
  int land[2] = {0, 0};
  for (int n = 0; n < 2; n++) {
    ria_frame_input in = input();
    frame_layout l;
    png_read p;
    in.dry = 1e-6;
    if (n) depth[0] = 0.01f;
    ria_frame_lay_out(&in, &l);
    if (!render(&in, &p)) return;
    for (int y = l.map.y + l.map.h + 2; y < p.height; y++)
      for (int x = 0; x < p.width; x++) land[n] += is_land(png_read_index(&p, x, y));
    png_read_free(&p);
  }
  CHECK_INT(land[0], 0);
  CHECK(land[1] > 80);
  make_fields();
}

/* What is of the ground has colours on land too, in the light on the bed and without grain, and the
 * shore is drawn. */
static void ground(void) {
  ria_frame_input in = input();
  static float height[CELLS];
  png_read p;
  for (int k = 0; k < CELLS; k++) {
    height[k] = (float)(k % NX); /* rises to the east: its west side is in the light */
    depth[k] = k / NX >= NY / 2 ? NAN : 5.0f;
  }
  in.value = in.bed = height;
  in.ground = in.no_decor = true;
  in.scale = RIA_SCALE_LINEAR;
  in.width = 240;
  in.vmin = 0.0;
  in.vmax = NX;
  if (!render(&in, &p)) return;
  CHECK_INT(p.channels, 3);
  const uint8_t(*map)[3] = ria_colormap(in.map);
  for (int y = 20; y < 160; y += 100) {
    const uint8_t *middle = png_read_rgb(&p, 120, y);
    for (int k = 0; k < 3; k++) { /* 0.42 of what is missing to white in full light */
      const double lit = (double)(middle[k] - map[128][k]) / (255 - map[128][k]);
      CHECK(lit > 0.02 && lit < 0.32);
    }
    for (int x = 20; x < 220; x++)
      CHECK(apart(png_read_rgb(&p, x, y), png_read_rgb(&p, x + 1, y)) < 12);
  }
  int shore = 0;
  for (int y = 76; y < 84; y++)
    shore += apart(png_read_rgb(&p, 120, y), png_read_rgb(&p, 120, 20)) > 60;
  CHECK(shore >= 1);
  png_read_free(&p);
  make_fields();
}

static void arrows(void) {
  ria_frame_input in = input();
  png_read with, without;
  in.no_decor = true;
  in.width = 240;
  in.map = "deep";
  if (!render(&in, &without)) return;
  in.u = speed_x;
  in.v = speed_y;
  if (!render(&in, &with)) return;
  int south = 0, north = 0;
  for (int k = 0; k < 240 * 160; k++) {
    if (with.pixel[k] == without.pixel[k]) continue;
    if (k / 240 > 84)
      south++;
    else if (k / 240 < 70)
      north++;
  }
  CHECK(south > 100);
  CHECK_INT(north, 0);
  png_read_free(&with);
  png_read_free(&without);
}

static void refuses(void) {
  ria_frame_input in = input();
  uint8_t *png;
  size_t n;
  in.vmin = in.vmax;
  CHECK_INT(ria_frame_render(&in, &png, &n, err, sizeof err), RIA_ERR_ARGUMENT);
  CHECK_TEXT(err, "the range of a frame is 1 to 1, but min must be below max");
  CHECK(png == NULL);
  in.vmin = -1;
  CHECK_INT(ria_frame_render(&in, &png, &n, err, sizeof err), RIA_ERR_ARGUMENT);
  CHECK_TEXT(err, "a logarithmic frame begins at -1, but must begin above 0");
  in = input();
  in.width = 100000;
  CHECK_INT(ria_frame_render(&in, &png, &n, err, sizeof err), RIA_ERR_ARGUMENT);
  CHECK_TEXT(err, "a frame is 100000 x 0 pixels, but at most 16384 x 16384 are possible");
}

/* --- coarse values ------------------------------------------------------------------------ */

static void how_coarse(void) {
  const int cells[][3] = {{8192, 8192, 0}, {4096, 1000, 0}, {700, 700, 0}, {3000, 2000, 300},
                          {900, 9000, 0},  {20000, 64, 0},  {1, 1, 0}};
  for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
    ria_frame_input in = input();
    frame_layout l;
    in.grid.nx = cells[k][0];
    in.grid.ny = cells[k][1];
    in.width = cells[k][2];
    int coarse = ria_frame_coarse(&in);
    in.vmin = 1e-30; /* long labels */
    CHECK_INT(ria_frame_coarse(&in), coarse);
    for (int plain = 0; plain < 2; plain++) {
      in.no_decor = plain;
      in.coarse = coarse = ria_frame_coarse(&in);
      ria_frame_lay_out(&in, &l);
      int nx = ria_coarse_cells(in.grid.nx, coarse), ny = ria_coarse_cells(in.grid.ny, coarse);
      CHECK(coarse == 1 || (nx >= l.map.w && ny >= l.map.h));
      CHECK(in.grid.nx / (coarse + 1) < l.map.w + 20 || in.grid.ny / (coarse + 1) < l.map.h + 20);
      CHECK_INT(ria_frame_values(&in), (long long)nx * ny);
    }
  }
  ria_frame_input in = input();
  in.grid.nx = in.grid.ny = 8192;
  in.no_decor = true;
  in.width = 1000;
  CHECK_INT(ria_frame_coarse(&in), 8);
}

enum { FINE_X = 1003, FINE_Y = 804 };
static float fine_value[FINE_X * FINE_Y], fine_bed[FINE_X * FINE_Y], fine_depth[FINE_X * FINE_Y];
static float fine_u[FINE_X * FINE_Y], fine_v[FINE_X * FINE_Y];

/* An island in a vortex, with a smooth plume. */
static void make_fine(void) {
  for (int k = 0; k < FINE_X * FINE_Y; k++) {
    double x = (k % FINE_X + 0.5) / FINE_X - 0.5, y = (k / FINE_X + 0.5) / FINE_Y - 0.5;
    double z = 4.0 * exp(-60.0 * (x * x + y * y)) - 2.0;
    bool is_wet = z < 0.0;
    fine_bed[k] = (float)z;
    fine_depth[k] = is_wet ? (float)-z : 0.0f;
    fine_value[k] = is_wet ? (float)exp(-9.0 * ((x - 0.2) * (x - 0.2) + y * y)) : NAN;
    fine_u[k] = is_wet ? (float)-y : NAN;
    fine_v[k] = is_wet ? (float)x : NAN;
  }
}

static const float *coarsened(const float *v, int coarse) {
  int nx = ria_coarse_cells(FINE_X, coarse), ny = ria_coarse_cells(FINE_Y, coarse);
  float *out = calloc((size_t)nx * (size_t)ny, sizeof *out);
  for (int k = 0; k < nx * ny; k++) {
    float sum = 0.0f, n = 0.0f;
    for (int j = k / nx * coarse; j < (k / nx + 1) * coarse && j < FINE_Y; j++)
      for (int i = k % nx * coarse; i < (k % nx + 1) * coarse && i < FINE_X; i++)
        if (!isnan(v[j * FINE_X + i])) {
          sum += v[j * FINE_X + i];
          n += 1.0f;
        }
    out[k] = sum / n;
  }
  return out;
}

/* The picture of means is that of the cells: the same around the map, hardly another on it. */
static void coarse_pictures(void) {
  ria_frame_input in = input();
  const ria_frame_mark mark = {30000, 60000, "pier", RIA_MARK_GAUGE};
  png_read fine, coarse;
  make_fine();
  in.grid.nx = FINE_X;
  in.grid.ny = FINE_Y;
  in.scale = RIA_SCALE_LINEAR;
  in.vmin = 0.0;
  in.width = 400;
  in.marks = &mark;
  in.n_marks = 1;
  in.value = fine_value;
  in.bed = fine_bed;
  in.depth = fine_depth;
  in.u = fine_u;
  in.v = fine_v;
  if (!render(&in, &fine)) return;
  in.coarse = ria_frame_coarse(&in);
  CHECK_INT(in.coarse, 3); /* 1003 = 334 * 3 + 1 */
  in.value = coarsened(fine_value, in.coarse);
  in.bed = coarsened(fine_bed, in.coarse);
  in.depth = coarsened(fine_depth, in.coarse);
  in.u = coarsened(fine_u, in.coarse);
  in.v = coarsened(fine_v, in.coarse);
  frame_layout l;
  ria_frame_lay_out(&in, &l);
  if (render(&in, &coarse)) {
    int around = 0, on_map = 0;
    CHECK(coarse.width == fine.width && coarse.height == fine.height);
    CHECK_TEXT(coarse.texts, fine.texts);
    for (int y = 0; y < fine.height; y++)
      for (int x = 0; x < fine.width; x++) {
        bool in_map =
            x >= l.map.x && y >= l.map.y && x < l.map.x + l.map.w && y < l.map.y + l.map.h;
        int a = png_read_index(&fine, x, y), b = png_read_index(&coarse, x, y);
        bool far = is_field(a) && is_field(b) ? abs(a - b) > 2 : a != b;
        if (in_map)
          on_map += far;
        else
          around += a != b;
      }
    CHECK_INT(around, 0);
    CHECK(on_map < l.map.w * l.map.h / 50); /* shades of land, a shore moved by a pixel */
    png_read_free(&coarse);
  }
  png_read_free(&fine);
  const float *const made[] = {in.value, in.bed, in.depth, in.u, in.v};
  for (int k = 0; k < 5; k++) free((void *)(uintptr_t)made[k]);
}

/* --- several at once give the same bytes -------------------------------------------------- */

typedef struct shot {
  uint8_t *png;
  size_t n;
} shot;

static void *take(void *data) {
  shot *s = data;
  char message[128];
  ria_frame_input in = input();
  in.u = speed_x;
  in.v = speed_y;
  ria_frame_render(&in, &s->png, &s->n, message, sizeof message);
  return NULL;
}

static void threads(void) {
  shot shots[4] = {{0}};
  pthread_t thread[4];
  for (int k = 0; k < 4; k++) CHECK(pthread_create(&thread[k], NULL, take, &shots[k]) == 0);
  for (int k = 0; k < 4; k++) pthread_join(thread[k], NULL);
  for (int k = 1; k < 4; k++)
    CHECK(shots[k].n > 0 && shots[k].n == shots[0].n &&
          memcmp(shots[k].png, shots[0].png, shots[0].n) == 0);
  for (int k = 0; k < 4; k++) free(shots[k].png);
}

int main(void) {
  make_fields();
  bare_map();
  outside();
  no_data();
  no_data_is_told();
  whole_picture();
  sizes();
  places();
  subtitles();
  date_of_narrow_pictures();
  lines_of_phase();
  bar();
  clear_water_on_linear_scales();
  films_are_land();
  thinnest();
  thin_water_in_the_legend();
  ground();
  bar_of_ground();
  arrows();
  refuses();
  how_coarse();
  coarse_pictures();
  threads();
  return TEST_END();
}
