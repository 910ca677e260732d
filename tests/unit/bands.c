/* Tile rows of the shallow-water solver on CUDA: whatever the grid and the GPU, they cover every
 * row once, their heights are even (but for the last, which may be cut) and within the limits, and
 * a row finds its tile row; bands that were told lie the same again; no share of dry tiles leads to
 * more than are allocated. */
#include "../../gpu/shallow_water/bands.h"
#include "test.h"
#include <string.h>

/* The rows of tile row ty, as the step has them. */
static void rows_of(const swg_band *band, int ty, int ny, int *begin, int *end) {
  swg_band b = band[0];
  for (int k = 1; k < SWG_BANDS; k++)
    if (ty >= band[k].ty) b = band[k];
  *begin = b.j + (ty - b.ty) * b.rows;
  *end = *begin + b.rows < ny ? *begin + b.rows : ny;
}

static int tall(const swg_band *band) { return band[0].rows; }

static bool cover(int ny, int at_once, int cuts) {
  swg_band band[SWG_BANDS];
  const int n = swg_plan_bands(ny, at_once, cuts, band);
  int next = 0, wrong = 0;
  for (int ty = 0; ty < n; ty++) {
    int begin, end;
    rows_of(band, ty, ny, &begin, &end);
    const int rows = end - begin, least = ty < n - 1 ? SWG_ROWS_LEAST : 1;
    wrong += begin != next || rows < least || rows > SWG_ROWS_MOST;
    wrong += ty < n - 1 && rows % 2 != 0;
    wrong += swg_tile_row(band, begin) != ty || swg_tile_row(band, end - 1) != ty;
    next = end;
  }
  swg_move_bands(band, 2); /* as those of a part beside two ghost rows */
  for (int j = 0; j < ny; j += 7) {
    int begin, end;
    rows_of(band, swg_tile_row(band, j + 2), ny + 2, &begin, &end);
    wrong += j + 2 < begin || j + 2 >= end;
  }
  if (CHECK(wrong == 0 && next == ny)) return true;
  printf("  %d rows, %d at once\n", ny, at_once);
  return false;
}

/* Bands told by their tile rows and heights are the same again; where there is room for them. */
static bool lie_again(int ny, int at_once, int cuts) {
  swg_band band[SWG_BANDS], again[SWG_BANDS];
  int rows[SWG_BANDS][2];
  const int n = swg_plan_bands(ny, at_once, cuts, band);
  for (int k = 0; k < SWG_BANDS; k++) {
    rows[k][0] = swg_rows_of_band(band, k, n);
    rows[k][1] = rows[k][0] ? band[k].rows : 0;
  }
  if (CHECK(swg_lay_bands(rows, ny, n, again) == n && !memcmp(band, again, sizeof band) &&
            swg_lay_bands(rows, ny, n - 1, again) == 0))
    return true;
  printf("  %d rows, %d at once\n", ny, at_once);
  return false;
}

/* So are bands told by the rows in which tiles begin, and of some of these rows, where one begins
 * in the first. */
static bool begin_again(int ny, int at_once, int cuts) {
  static int high[40000 + 1];
  swg_band band[SWG_BANDS], again[SWG_BANDS];
  int rows[SWG_BANDS][2];
  const int n = swg_plan_bands(ny, at_once, cuts, band), middle = swg_first_row(band, n / 2);
  memset(high, 0, (size_t)ny * sizeof *high);
  for (int t = 0; t < n; t++) high[swg_first_row(band, t)] = swg_height(band, t);
  bool well = swg_bands_of_rows(high, ny, rows) && swg_lay_bands(rows, ny, n, again) == n;
  for (int t = 0; well && t < n; t++)
    well = swg_first_row(again, t) == swg_first_row(band, t) &&
           swg_height(again, t) == swg_height(band, t);
  well = well && swg_bands_of_rows(high + middle, ny - middle, rows) &&
         swg_lay_bands(rows, ny - middle, n, again) == n - n / 2;
  if (CHECK(well && !swg_bands_of_rows(high + 1, ny - 1, rows) == (ny > 1))) return true;
  printf("  %d rows, %d at once\n", ny, at_once);
  return false;
}

/* None of these are tiles of 100 rows. */
static void refuse(void) {
  static int wrong[][SWG_BANDS][2] = {{{0, 0}},           {{-5, 20}, {10, 20}},
                                      {{5, 21}},          {{24, 4}},
                                      {{26, 4}},          {{50, 2}},
                                      {{2, 82}},          {{5, 20}, {1, 4}},
                                      {{1 << 30, 4}},     {{2, 40}, {5, 3}},
                                      {{2, -40}, {9, 20}}};
  swg_band band[SWG_BANDS];
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    CHECK_INT(swg_lay_bands(wrong[k], 100, 1000, band), 0);
  static const int high[][8] = {
      {0, 4}, {4, 0, 0, 0, 6}, {4, 0, 0, 0, -4}, {5, 0, 0, 0, 4}, {1, 2, 0, 1, 3, 0, 0, 4}};
  int rows[SWG_BANDS][2];
  for (size_t k = 0; k < sizeof high / sizeof *high; k++)
    CHECK_INT(swg_bands_of_rows(high[k], 8, rows), k == 1);
}

/* Arrays are as large as the layout for a share of nothing: no other has more tiles. */
static bool fits(int ny, int at_once) {
  swg_band band[SWG_BANDS];
  if (ny > at_once * SWG_ROWS_MOST) return true; /* the share does not count */
  const int most = swg_plan_bands(ny, swg_rows_to_lay(at_once, 0), 0, band);
  bool well = true;
  for (int percent = 1; percent <= 100; percent += 3)
    well &= swg_plan_bands(ny, swg_rows_to_lay(at_once, 0.01 * percent), 0, band) <= most;
  if (CHECK(well)) return true;
  printf("  %d rows, %d at once\n", ny, at_once);
  return false;
}

int main(void) {
  for (int at_once = 1; at_once <= 4800; at_once = at_once < 40 ? at_once + 1 : at_once * 5 / 4)
    for (int ny = 1; ny <= 40000; ny = ny < 700 ? ny + 1 : ny * 33 / 32)
      for (int cuts = ny % 3 ? ny % 4 : 0; cuts <= 3; cuts += 1 + ny % 2)
        if (!cover(ny, at_once, cuts) || !lie_again(ny, at_once, cuts) ||
            !begin_again(ny, at_once, cuts) || !fits(ny, at_once))
          return TEST_END();
  refuse();
  swg_band band[SWG_BANDS];
  /* a grid that is held at once fills the places there are; a larger one has three heights */
  CHECK_INT(swg_plan_bands(1000, 93, 0, band), 93);
  CHECK_INT(tall(band), 12);
  CHECK_INT(band[1].rows, 10);
  /* the lower ones lie beside cuts: as many there as there are */
  CHECK_INT(swg_plan_bands(1000, 93, SWG_CUT_NORTH, band), 93);
  CHECK_INT(tall(band), 12);
  CHECK_INT(swg_plan_bands(1000, 93, SWG_CUT_SOUTH, band), 93);
  CHECK_INT(tall(band), 10);
  CHECK_INT(swg_rows_of_band(band, 0, 93), 58);
  CHECK_INT(band[1].rows, 12);
  CHECK_INT(swg_plan_bands(1000, 93, SWG_CUT_SOUTH | SWG_CUT_NORTH, band), 93);
  CHECK_INT(swg_rows_of_band(band, 0, 93), 29);
  CHECK_INT(band[1].rows, 12);
  CHECK_INT(band[2].rows, 10);
  CHECK_INT(swg_plan_bands(8192, 11, 0, band), 96 + 11 + 16);
  CHECK_INT(tall(band), SWG_ROWS_MOST);
  CHECK_INT(band[1].rows, SWG_ROWS_LATE);
  CHECK_INT(band[2].rows, SWG_ROWS_LAST);
  /* more rows where less than all tiles are stepped, up to half as many again */
  CHECK_INT(swg_rows_to_lay(93, 1), 93);
  CHECK_INT(swg_rows_to_lay(93, 0.9), 93);
  CHECK_INT(swg_rows_to_lay(93, 0.7), 115);
  CHECK_INT(swg_rows_to_lay(93, 0.5), 139);
  CHECK_INT(swg_rows_to_lay(93, 0), 139);
  CHECK_INT(swg_rows_to_lay(0, 0.5), 0);
  return TEST_END();
}
