/* gpu/shallow_water/bands.h - how many rows the tiles of the shallow-water solver have. Nothing
 * here is CUDA's: tests/unit/bands.c goes through it on any machine. */
#ifndef RIA_GPU_SHALLOW_WATER_BANDS_H
#define RIA_GPU_SHALLOW_WATER_BANDS_H
#include <limits.h>

enum {
  SWG_BANDS = 3,
  SWG_ROWS_LEAST = 4, /* of a tile */
  SWG_ROWS_MOST = 80,
  SWG_ROWS_LATE = 24, /* of those begun late */
  SWG_ROWS_LAST = 16
};

/* Sides of a part beyond which another one waits for its rows. */
enum { SWG_CUT_SOUTH = 1, SWG_CUT_NORTH = 2 };

/* From tile row ty, cell row j on tiles are of `rows` rows: an even number. */
typedef struct swg_band {
  int ty, j, rows;
} swg_band;

static inline void swg_set_band(swg_band *band, int ty, int j, int rows) {
  band->ty = ty;
  band->j = j;
  band->rows = rows;
}

/* One band more, in the north of the others: n tile rows. */
static inline int swg_add_band(swg_band *band, int k, int n, int rows) {
  if (n < 1) return k;
  swg_set_band(&band[k], band[k].ty, band[k].j, rows);
  if (k + 1 < SWG_BANDS) swg_set_band(&band[k + 1], band[k].ty + n, band[k].j + n * rows, 0);
  return k + 1;
}

/* Heights of the tile rows; returns how many rows there are. `at_once`: tile rows that the
 * multiprocessors hold at once.
 *
 * A grid that they hold as a whole gets tiles of two heights that differ by two rows, so that they
 * are full and all of them end together; the lower ones lie beside cuts, as their warps send rows
 * too. A larger one gets tall tiles, of whose rows less is worked
 * out twice, and in the north two loads of low ones, which are begun last: what is left to do when
 * the first multiprocessor finds nothing more is short. */
static inline int swg_plan_bands(int ny, int at_once, int cuts, swg_band *band) {
  swg_set_band(&band[0], 0, 0, 0);
  int k = 0, n;
  if (ny <= at_once * SWG_ROWS_MOST) {
    const int most = (ny + SWG_ROWS_LEAST - 1) / SWG_ROWS_LEAST;
    n = at_once < most ? at_once : most;
    const int low = ny / n > SWG_ROWS_LEAST ? ny / n / 2 * 2 : SWG_ROWS_LEAST;
    const int higher = ny > n * low ? (ny - n * low + 1) / 2 : 0;
    const int lower = n - higher, both = cuts == (SWG_CUT_SOUTH | SWG_CUT_NORTH);
    const int first = higher == 0 || !(cuts & SWG_CUT_SOUTH) ? 0 : both ? lower / 2 : lower;
    k = swg_add_band(band, k, first, low);
    k = swg_add_band(band, k, higher, low + 2);
    k = swg_add_band(band, k, lower - first, low);
  } else {
    const int tall = (ny - at_once * (SWG_ROWS_LATE + SWG_ROWS_LAST)) / SWG_ROWS_MOST;
    const int left = ny - tall * SWG_ROWS_MOST - at_once * SWG_ROWS_LATE;
    const int last = (left + SWG_ROWS_LAST - 1) / SWG_ROWS_LAST;
    n = tall + at_once + last;
    k = swg_add_band(band, k, tall, SWG_ROWS_MOST);
    k = swg_add_band(band, k, at_once, SWG_ROWS_LATE);
    k = swg_add_band(band, k, last, SWG_ROWS_LAST);
  }
  for (; k < SWG_BANDS; k++) swg_set_band(&band[k], INT_MAX, INT_MAX, 1);
  return n;
}

/* Further north by some rows. */
static inline void swg_move_bands(swg_band *band, int rows) {
  for (int k = 0; k < SWG_BANDS; k++)
    if (band[k].j < INT_MAX) band[k].j += rows;
}

/* Tile rows of band k where there are n in all: 0 for one that is not needed. */
static inline int swg_rows_of_band(const swg_band *band, int k, int n) {
  const int end = k + 1 < SWG_BANDS && band[k + 1].ty < n ? band[k + 1].ty : n;
  return band[k].ty < end ? end - band[k].ty : 0;
}

/* The same bands again: rows[SWG_BANDS][2] are the tile rows of each and their cell rows. Returns
 * how many tile rows there are; 0 where they do not cover ny rows once, or are more than `most`. */
static inline int swg_lay_bands(int rows[SWG_BANDS][2], int ny, int most, swg_band *band) {
  int k = 0, n = 0, last = 0;
  long long covered = 0;
  swg_set_band(&band[0], 0, 0, 0);
  for (int b = 0; b < SWG_BANDS; b++) {
    const int more = rows[b][0], high = rows[b][1];
    if (more == 0) continue;
    if (more < 0 || more > most - n || high < SWG_ROWS_LEAST || high > SWG_ROWS_MOST || high % 2)
      return 0;
    n += more;
    covered += (long long)more * high;
    last = high;
    if (covered - last >= ny) return 0;
    k = swg_add_band(band, k, more, high);
  }
  for (; k < SWG_BANDS; k++) swg_set_band(&band[k], INT_MAX, INT_MAX, 1);
  return covered < ny ? 0 : n;
}

/* The first row of tile row ty, and how many rows its tiles have. */
static inline int swg_band_of(const swg_band *band, int ty) {
  int k = SWG_BANDS - 1;
  while (band[k].ty > ty) k--;
  return k;
}
static inline int swg_first_row(const swg_band *band, int ty) {
  const swg_band b = band[swg_band_of(band, ty)];
  return b.j + (ty - b.ty) * b.rows;
}
static inline int swg_height(const swg_band *band, int ty) {
  return band[swg_band_of(band, ty)].rows;
}

/* For swg_lay_bands, from the rows in which tiles begin: high[ny] rows each, elsewhere 0. Returns 0
 * where they do not cover these rows from the first on, or are of too many heights. */
static inline int swg_bands_of_rows(const int *high, int ny, int rows[SWG_BANDS][2]) {
  int k = -1;
  for (int b = 0; b < SWG_BANDS; b++) rows[b][0] = rows[b][1] = 0;
  for (int j = 0; j < ny; j += high[j]) {
    if (high[j] < 1 || high[j] > SWG_ROWS_MOST) return 0;
    if (k < 0 || rows[k][1] != high[j]) k++;
    if (k == SWG_BANDS) return 0;
    rows[k][0]++;
    rows[k][1] = high[j];
  }
  return 1;
}

/* How many tile rows to lay out where the multiprocessors hold `at_once` of them and all fit, and
 * `share` of the tiles are stepped. Those that stay dry leave their places to others, which may
 * then be more and lower: a step takes as long as its slowest warp. Some places are left free, as
 * water may spread. If the whole grid becomes wet, 50 % more rows make a step 12 % slower (1000 x
 * 1000 cells, one tracer, H200). */
static inline int swg_rows_to_lay(int at_once, double share) {
  const double filled = 0.87, most = 1.5, more = share > 0 ? filled / share : most;
  return (int)(at_once * (more < 1 ? 1 : more > most ? most : more));
}

/* The tile row of row j, which is in one. */
static inline int swg_tile_row(const swg_band *band, int j) {
  int k = SWG_BANDS - 1;
  while (band[k].j > j) k--;
  return band[k].ty + (j - band[k].j) / band[k].rows;
}

#endif
