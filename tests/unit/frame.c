/* unit.frame: pictures of fields as a whole: their size and texts, what is refused, several at
 * once. They are checked by properties that a change of taste leaves alone. frame_map.c has what is
 * on the map, frame_decor.c what is around it, frame_coarse.c pictures of means, frame_parts.c what
 * they are made of. */
#include "frame.h"
#include <pthread.h>

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
  whole_picture();
  sizes();
  refuses();
  threads();
  return TEST_END();
}
