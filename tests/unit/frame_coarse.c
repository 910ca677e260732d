/* unit.frame_coarse: pictures of a large grid, made of means of its cells. */
#include "frame.h"

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

int main(void) {
  how_coarse();
  coarse_pictures();
  return TEST_END();
}
