/* tests/unit/film.c - films of frames: animated PNG, read back by the rules chunk by chunk; ffmpeg,
 * of which a script takes the place; what is refused. */
#include "files.h"
#include "io/apng.h"
#include "io/rgb_scale.h"
#include "png_read.h"
#include "test.h"
#include <ria/film.h>
#include <ria/output.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static ria_context *ctx;

/* All bytes of a file; the caller's. */
static uint8_t *slurp(const char *path, size_t *n) {
  FILE *f = fopen(path, "rb");
  uint8_t *data = malloc(1 << 24);
  *n = f && data ? fread(data, 1, 1 << 24, f) : 0;
  if (f) fclose(f);
  return data;
}

/* --- an animated PNG, by the rules ------------------------------------------------------------ */

typedef struct animation {
  int width, height, channels, colors;
  uint32_t frames, plays;
  int delay, per;
  uint8_t palette[256][3];
  uint8_t *rgb;   /* [frames][height][width][3] */
  size_t smaller; /* frames of less than the whole picture */
} animation;

static int u16(const uint8_t *p) { return p[0] << 8 | p[1]; }

/* The rectangle of one frame over the picture. */
static bool paint(animation *a, const uint8_t *control, uint8_t *picture, const uint8_t *packed,
                  size_t n) {
  const int w = (int)png_read_u32(control + 4), h = (int)png_read_u32(control + 8);
  const int x = (int)png_read_u32(control + 12), y = (int)png_read_u32(control + 16);
  if (!CHECK(w > 0 && h > 0 && x >= 0 && y >= 0 && x + w <= a->width && y + h <= a->height))
    return false;
  const size_t wide = (size_t)w * (size_t)a->channels;
  uLongf size = (uLongf)((wide + 1) * (size_t)h);
  uint8_t *rows = malloc(size);
  bool well = uncompress(rows, &size, packed, (uLong)n) == Z_OK && size == (wide + 1) * (size_t)h;
  for (int j = 0; well && j < h; j++) {
    uint8_t *row = rows + (size_t)j * (wide + 1) + 1;
    well = row[-1] == (a->channels == 3 ? 4 : 0);
    if (a->channels == 3) png_read_row(row, j ? row - (wide + 1) : NULL, wide);
    for (int i = 0; well && i < w; i++) {
      uint8_t *to = picture + 3 * ((size_t)(y + j) * (size_t)a->width + (size_t)(x + i));
      well = a->channels == 3 || row[i] < a->colors;
      memcpy(to, a->channels == 3 ? row + 3 * i : a->palette[row[i]], 3);
    }
  }
  free(rows);
  a->smaller += w < a->width || h < a->height;
  return well;
}

/* Walk the chunks: CRCs, their order, sequence numbers without a gap, no frame without its control.
 */
static bool read_animation(const uint8_t *data, size_t n, animation *a) {
  size_t at = 8, n_packed = 0, one = 0;
  uint32_t sequence = 0, shown = 0;
  uint8_t control[26], *packed = malloc(n), *picture = NULL;
  bool has_control = false, ended = false, first_seen = false;
  memset(a, 0, sizeof *a);
  while (at + 12 <= n && !ended) {
    const size_t length = png_read_u32(data + at);
    const uint8_t *type = data + at + 4, *body = type + 4;
    if (!CHECK(length <= n - at - 12)) break;
    CHECK(png_read_u32(body + length) == (uint32_t)crc32(0, type, (uInt)length + 4));
    const bool control_next = memcmp(type, "fcTL", 4) == 0;
    ended = memcmp(type, "IEND", 4) == 0;
    if ((control_next || ended) && has_control) {
      CHECK(n_packed > 0 && paint(a, control, picture, packed, n_packed));
      memcpy(a->rgb + one * shown++, picture, one);
      n_packed = 0;
    }
    if (memcmp(type, "IHDR", 4) == 0) {
      a->width = (int)png_read_u32(body);
      a->height = (int)png_read_u32(body + 4);
      a->channels = body[9] == 2 ? 3 : 1;
      CHECK(at == 8 && body[8] == 8 && (body[9] == 2 || body[9] == 3));
      one = 3 * (size_t)a->width * (size_t)a->height;
      picture = calloc(one, 1);
    } else if (memcmp(type, "PLTE", 4) == 0) {
      a->colors = (int)(length / 3);
      memcpy(a->palette, body, length);
    } else if (memcmp(type, "acTL", 4) == 0) {
      CHECK(!first_seen && !has_control);
      a->frames = png_read_u32(body);
      a->plays = png_read_u32(body + 4);
      a->rgb = malloc(one * a->frames);
    } else if (control_next) {
      CHECK(length == 26 && png_read_u32(body) == sequence++);
      CHECK(shown < a->frames);
      CHECK(shown || (png_read_u32(body + 4) == (uint32_t)a->width && /* the first is whole */
                      png_read_u32(body + 8) == (uint32_t)a->height));
      memcpy(control, body, 26);
      a->delay = u16(body + 20);
      a->per = u16(body + 22);
      CHECK(body[24] == 0 && body[25] == 0);
      has_control = true;
    } else if (memcmp(type, "IDAT", 4) == 0) {
      CHECK(has_control && shown == 0);
      first_seen = true;
      memcpy(packed + n_packed, body, length);
      n_packed += length;
    } else if (memcmp(type, "fdAT", 4) == 0) {
      CHECK(has_control && shown > 0 && length > 4 && png_read_u32(body) == sequence++);
      memcpy(packed + n_packed, body + 4, length - 4);
      n_packed += length - 4;
    }
    at += 12 + length;
  }
  free(packed);
  free(picture);
  return CHECK(ended && at == n && shown == a->frames);
}

/* --- the writer ------------------------------------------------------------------------------- */

enum { W = 37, H = 23, FRAMES = 5 };

static void picture_of(int k, bool few, uint8_t *rgb) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      uint8_t *p = rgb + 3 * (y * W + x);
      const bool spot = k < 3 && x > 5 + k && x < 12 + k && y > 4 && y < 9 + k; /* then nothing */
      p[0] = (uint8_t)(few ? 16 * (x % 4) : 7 * x + 3 * y);
      p[1] = (uint8_t)(few ? 8 * (y % 3) : x * y);
      p[2] = (uint8_t)(spot ? 200 : 10);
    }
}

static void writer(bool few) {
  char err[RIA_ERR_TEXT] = "";
  uint8_t rgb[3 * W * H], palette[24][3];
  int colors = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++)
      for (int s = 0; s < 2; s++, colors++) {
        palette[colors][0] = (uint8_t)(16 * i);
        palette[colors][1] = (uint8_t)(8 * j);
        palette[colors][2] = s ? 200 : 10;
      }
  const char *path = files_path(few ? "few.png" : "many.png");
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const ria_apng_desc desc = {.fd = fd,
                              .width = W,
                              .height = H,
                              .frames = FRAMES,
                              .delay = 1,
                              .per = 12,
                              .palette = few ? (const uint8_t(*)[3])palette : NULL,
                              .colors = few ? colors : 0,
                              .title = "Öl"};
  ria_apng *a = NULL;
  if (!CHECK_OK(NULL, ria_apng_begin(&desc, &a, err, sizeof err))) return;
  for (int k = 0; k < FRAMES; k++) {
    picture_of(k, few, rgb);
    CHECK_OK(NULL, ria_apng_add(a, rgb, err, sizeof err));
    if (k + 1 < FRAMES) CHECK_STATUS(NULL, ria_apng_end(a, err, sizeof err), RIA_ERR_ARGUMENT);
  }
  CHECK_STATUS(NULL, ria_apng_add(a, rgb, err, sizeof err), RIA_ERR_ARGUMENT);
  CHECK_OK(NULL, ria_apng_end(a, err, sizeof err));
  ria_apng_free(&a);
  close(fd);

  size_t n;
  uint8_t *data = slurp(path, &n);
  animation got;
  CHECK(read_animation(data, n, &got));
  CHECK(got.width == W && got.height == H && got.frames == FRAMES && got.plays == 0);
  CHECK(got.delay == 1 && got.per == 12 && got.colors == (few ? colors : 0));
  CHECK_INT((long long)got.smaller, FRAMES - 1);
  for (int k = 0; k < FRAMES && got.rgb; k++) {
    picture_of(k, few, rgb);
    CHECK(memcmp(got.rgb + sizeof rgb * (size_t)k, rgb, sizeof rgb) == 0);
  }
  free(got.rgb);
  free(data);
}

static void writer_refuses(void) {
  char err[RIA_ERR_TEXT] = "";
  const uint8_t palette[1][3] = {{0, 0, 0}}, white[3] = {255, 255, 255};
  ria_apng *a = NULL;
  const int fd = open("/dev/null", O_WRONLY);
  ria_apng_desc desc = {.fd = fd, .width = 1, .height = 1, .frames = 1, .delay = 1, .per = 12};
  desc.frames = 0;
  CHECK_STATUS(NULL, ria_apng_begin(&desc, &a, err, sizeof err), RIA_ERR_ARGUMENT);
  desc.frames = 1;
  desc.palette = palette;
  desc.colors = 1;
  CHECK_OK(NULL, ria_apng_begin(&desc, &a, err, sizeof err));
  CHECK_STATUS(NULL, ria_apng_add(a, white, err, sizeof err), RIA_ERR_ARGUMENT);
  CHECK_TEXT(err, "a frame has a colour that the film's palette lacks");
  ria_apng_free(&a);
  close(fd);
  desc.fd = open("/dev/full", O_WRONLY);
  if (desc.fd < 0) return;
  CHECK_STATUS(NULL, ria_apng_begin(&desc, &a, err, sizeof err), RIA_ERR_OUTPUT);
  CHECK(a == NULL);
  close(desc.fd);
}

/* Means stay, a picture of one colour stays so, and the same size is a copy. */
static void sizes(void) {
  uint8_t from[3 * 8 * 6], to[3 * 20 * 20];
  for (size_t k = 0; k < sizeof from; k++) from[k] = (uint8_t)(37 * k);
  CHECK(ria_rgb_scale(from, 8, 6, to, 8, 6) && memcmp(from, to, sizeof from) == 0);
  memset(from, 77, sizeof from);
  CHECK(ria_rgb_scale(from, 8, 6, to, 20, 20));
  for (size_t k = 0; k < sizeof to; k++) CHECK_INT(to[k], 77);
  for (int k = 0; k < 48; k++) memset(from + 3 * k, k % 2 ? 200 : 100, 3); /* stripes */
  CHECK(ria_rgb_scale(from, 8, 6, to, 4, 3));
  for (int k = 1; k < 3; k++) CHECK_NEAR(to[3 * (4 + k)], 150.0, 1.0);
}

/* --- films of a results directory ------------------------------------------------------------- */

static void put_frame(const char *series, int k, int width, double v) {
  const ria_grid g = {16, 8, 10, 10, 0, 0, 0};
  char name[64], path[600];
  ria_raster *r = NULL;
  CHECK_OK(ctx, ria_raster_create(ctx, &g, &r));
  for (int c = 0; r && c < 128; c++) r->data[c] = c % 16 + v;
  snprintf(name, sizeof name, "run/frames/%s/%s_%06d.png", series, series, k);
  snprintf(path, sizeof path, "%s", files_path(name));
  CHECK_OK(ctx, ria_raster_draw(ctx, r,
                                &(ria_picture_desc){.path = path,
                                                    .label = series,
                                                    .min = 0,
                                                    .max = 20,
                                                    .map = *series == 'o' ? "matter" : "balance",
                                                    .width = width}));
  ria_raster_destroy(&r);
}

static void put_run(void) {
  char err[RIA_ERR_TEXT];
  CHECK_OK(NULL, ria_dir_make(files_path("run/frames/oil"), err, sizeof err));
  CHECK_OK(NULL, ria_dir_make(files_path("run/frames/level"), err, sizeof err));
  CHECK_OK(NULL, ria_dir_make(files_path("run/frames/one"), err, sizeof err));
  files_put(
      "run/run.json",
      "{\"ria\": \"0.1.0\", \"title\": \"Toy\", \"files\": {\"frames\": [{\"name\": \"oil\", "
      "\"count\": 4}, {\"name\": \"level\", \"count\": 4}, {\"name\": \"one\", \"count\": 1}], "
      "\"budget\": []}}\n");
  for (int k = 0; k < 4; k++) put_frame("oil", k, 320, k);
  for (int k = 0; k < 4; k++) put_frame("level", k, 280, 2 * k);
  put_frame("one", 0, 320, 0);
}

/* Is frame k of the animation, at (x0, 0), the picture in the file? */
static void check_frame(const animation *a, int k, int x0, const char *series) {
  char name[64];
  size_t n;
  png_read p;
  snprintf(name, sizeof name, "run/frames/%s/%s_%06d.png", series, series, k);
  uint8_t *data = slurp(files_path(name), &n);
  long differ = 0;
  if (CHECK(png_read_bytes(data, n, &p)) && CHECK(x0 + p.width <= a->width))
    for (int y = 0; y < p.height; y++)
      for (int x = 0; x < p.width; x++)
        differ +=
            memcmp(a->rgb + 3 * (((size_t)k * (size_t)a->height + (size_t)y) * (size_t)a->width +
                                 (size_t)(x0 + x)),
                   png_read_rgb(&p, x, y), 3) != 0;
  CHECK_INT(differ, 0);
  png_read_free(&p);
  free(data);
}

static void animated(void) {
  char dir[600], path[640];
  ria_film_info *info = calloc(1, sizeof *info);
  animation a;
  size_t n;
  snprintf(dir, sizeof dir, "%s", files_path("run"));
  snprintf(path, sizeof path, "%s", files_path("oil.png"));
  CHECK_OK(ctx, ria_film(ctx, &(ria_film_desc){.dir = dir, .path = path}, info));
  CHECK(info->frames == 4 && info->width == 320 && !info->by_ffmpeg);
  CHECK_NEAR(info->seconds, 4.0 / 12.0, 1e-12);
  CHECK_TEXT(info->path, path);
  uint8_t *data = slurp(path, &n);
  CHECK(read_animation(data, n, &a) && a.frames == 4 && a.delay == 1 && a.per == 12);
  CHECK(a.colors > 0); /* those of one field fit a palette */
  for (int k = 0; k < 4; k++) check_frame(&a, k, 0, "oil");
  free(a.rgb);
  free(data);

  const char *const both[] = {"oil", "level"};
  CHECK_OK(ctx, ria_film(ctx,
                         &(ria_film_desc){
                             .dir = dir, .path = path, .series = both, .n_series = 2, .fps = 7.5},
                         info));
  CHECK_INT(info->width, 640);
  data = slurp(path, &n);
  CHECK(read_animation(data, n, &a) && a.frames == 4 && a.delay == 100 && a.per == 750);
  for (int k = 0; k < 4; k++) {
    check_frame(&a, k, 0, "oil");
    check_frame(&a, k, 320, "level");
  }
  free(a.rgb);
  free(data);

  CHECK_OK(ctx, ria_film(ctx, &(ria_film_desc){.dir = dir, .path = path, .height = 100}, info));
  CHECK_INT(info->height, 100);
  data = slurp(path, &n);
  CHECK(read_animation(data, n, &a) && a.height == 100 && a.width == info->width);
  free(a.rgb);
  free(data);
  free(info);
}

/* A program in the place of ffmpeg: what it gets, and what becomes of what it says. */
/* In a film of four raw pictures, one behind the other, each wide x high (0: as the frame): the
 * k-th frame in the upper left corner, white around it. */
static void has_frame(const uint8_t *film, size_t n, int k, int wide, int high) {
  char name[64];
  size_t size;
  png_read p;
  snprintf(name, sizeof name, "run/frames/oil/oil_%06d.png", k);
  uint8_t *data = slurp(files_path(name), &size);
  if (!CHECK(png_read_bytes(data, size, &p))) return;
  if (!high) high = p.height;
  const size_t one = 3 * (size_t)wide * (size_t)high;
  long differ = 0;
  CHECK_INT((long long)n, (long long)(4 * one));
  for (int y = 0; y < high && n == 4 * one; y++)
    for (int x = 0; x < wide; x++) {
      const bool in = x < p.width && y < p.height;
      const uint8_t *at = film + (size_t)k * one + 3 * ((size_t)y * (size_t)wide + (size_t)x);
      differ += memcmp(at, in ? png_read_rgb(&p, x, y) : (const uint8_t *)"\xff\xff\xff", 3) != 0;
    }
  CHECK_INT(differ, 0);
  png_read_free(&p);
  free(data);
}

static void by_ffmpeg(void) {
  char bin[600], dir[600], path[640], old[4096];
  struct stat st;
  ria_film_info info;
  const char *was = getenv("PATH");
  snprintf(old, sizeof old, "%s", was ? was : "");
  snprintf(bin, sizeof bin, "%s", files_path("bin"));
  snprintf(dir, sizeof dir, "%s", files_path("run"));
  CHECK(mkdir(bin, 0777) == 0);
  setenv("PATH", bin, 1);
  const ria_film_desc d = {.dir = dir, .path = path};
  snprintf(path, sizeof path, "%s", files_path("a $(touch hacked).mp4"));
  CHECK_STATUS(ctx, ria_film(ctx, &d, NULL), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "needs ffmpeg, which is not on PATH");

  files_put("bin/ffmpeg", "#!/bin/sh\nPATH=/bin:/usr/bin\nfor last; do :; done\n"
                          "cat > \"${last#file:}\"\n");
  CHECK(chmod(files_path("bin/ffmpeg"), 0755) == 0);
  CHECK_OK(ctx, ria_film(ctx, &d, NULL));
  size_t n;
  uint8_t *film = slurp(path, &n);
  CHECK(stat("hacked", &st) != 0);
  for (int k = 0; k < 4; k++) has_frame(film, n, k, 320, 0);
  free(film);

  /* the third is larger than the others, which stand on white */
  put_frame("oil", 2, 400, 1);
  CHECK_OK(ctx, ria_film(ctx, &d, &info));
  CHECK_INT(info.width, 400);
  film = slurp(path, &n);
  for (int k = 0; k < 4; k++) has_frame(film, n, k, 400, info.height);
  free(film);
  put_frame("oil", 2, 320, 1);
  CHECK_OK(ctx, ria_film(ctx, &d, NULL));
  free(slurp(path, &n));

  /* it fails at once, or in the end: its words, and the old film stays */
  files_put("bin/ffmpeg", "#!/bin/sh\necho 'Unknown encoder libx264' >&2\nexit 3\n");
  CHECK_STATUS(ctx, ria_film(ctx, &d, NULL), RIA_ERR_OUTPUT);
  CHECK_TEXT(ria_error(ctx), "ffmpeg made no film (exit code 3): Unknown encoder libx264");
  CHECK(stat(path, &st) == 0 && (size_t)st.st_size == n);
  files_put("bin/ffmpeg", "#!/bin/sh\nPATH=/bin:/usr/bin\ncat > /dev/null\nkill -9 $$\n");
  CHECK_STATUS(ctx, ria_film(ctx, &d, NULL), RIA_ERR_OUTPUT);
  CHECK_TEXT(ria_error(ctx), "ffmpeg made no film (signal 9 ended it)");
  CHECK(stat(path, &st) == 0 && (size_t)st.st_size == n);
  setenv("PATH", old, 1);
}

static void refused(void) {
  char dir[600], path[640];
  snprintf(dir, sizeof dir, "%s", files_path("run"));
  snprintf(path, sizeof path, "%s", files_path("no.png"));
  ria_film_desc d = {.dir = dir, .path = path, .n_series = 1};
  d.series = (const char *const[]){"olil"};
  CHECK_FAILS(ctx, ria_film(ctx, &d, NULL), RIA_ERR_ARGUMENT,
              "unknown series of frames 'olil': did you mean 'oil'? known are oil, level, one");
  d.series = (const char *const[]){"oil", "one"};
  d.n_series = 2;
  CHECK_FAILS(ctx, ria_film(ctx, &d, NULL), RIA_ERR_INPUT,
              "frames side by side are of the same times: there are 4 of 'oil' and 1 of 'one'");
  d.n_series = 1;
  d.fps = 1000;
  CHECK_STATUS(ctx, ria_film(ctx, &d, NULL), RIA_ERR_ARGUMENT);
  d.fps = 0;
  d.path = "film.avi";
  CHECK_STATUS(ctx, ria_film(ctx, &d, NULL), RIA_ERR_ARGUMENT);
  d.path = path;

  files_put("run/frames/oil/oil_000002.png", "\x89PNG\r\n\x1a\nrubbish");
  CHECK_STATUS(ctx, ria_film(ctx, &d, NULL), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(ctx), "not a PNG that can be read");
  CHECK(remove(files_path("run/frames/oil/oil_000002.png")) == 0);
  CHECK_STATUS(ctx, ria_film(ctx, &d, NULL), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(ctx), "oil_000002.png' is missing: the run drew 4 of them");
  CHECK(access(path, F_OK) != 0);
  d.dir = files_dir;
  CHECK_STATUS(ctx, ria_film(ctx, &d, NULL), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(ctx), "does not hold the results of a run: there is no run.json");
}

int main(void) {
  files_begin();
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  writer(true);
  writer(false);
  writer_refuses();
  sizes();
  put_run();
  animated();
  by_ffmpeg();
  refused();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
