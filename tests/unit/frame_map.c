/* unit.frame_map: the map of a picture: which cells are land, water, without a value; the shore,
 * thin water, the ground's colours, arrows and lines of equal phase. */
#include "frame.h"

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

/* The thinnest water that is drawn: given, or found from the depths; a negative one shows all. */
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

/* A field of the ground has colours on land too, shaded by the bed and without grain, and the shore
 * is drawn. */
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

int main(void) {
  make_fields();
  bare_map();
  outside();
  no_data();
  lines_of_phase();
  clear_water_on_linear_scales();
  films_are_land();
  thinnest();
  ground();
  arrows();
  return TEST_END();
}
