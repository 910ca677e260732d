/* unit.frame_decor: what stands around the map: the legend, the bar of colours, labels of
 * coordinates, title, subtitle and date. */
#include "frame.h"

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

/* The legend tells of water that is too thin to be drawn where there is some, and only there. */
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

int main(void) {
  make_fields();
  no_data_is_told();
  thin_water_in_the_legend();
  bar();
  bar_of_ground();
  places();
  subtitles();
  date_of_narrow_pictures();
  return TEST_END();
}
