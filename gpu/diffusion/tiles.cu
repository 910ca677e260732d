/* gpu/diffusion/tiles.cu - how a pass shares out a plate: so that it takes as short as can be, with
 * tiles at the sides that take longer a row and begin first. It shows in no bit. */
#include "host.cuh"

#include <float.h>
#include <string.h>

enum {
  ROWS_MOST = 1024,
  ROWS_LOST = 4 /* what a tile costs beside its rows */
};
static const double ROW_OF_SIDE = 2.5; /* what a row costs at a side, in rows elsewhere */

/* Warps that are free from a time on, by time; what is not used has none. */
enum { TIMES = 32 };
typedef struct free_warps {
  int64_t n[TIMES];
  double at[TIMES];
} free_warps;

static void free_at(free_warps *w, double at, int64_t n) {
  int to = 0;
  for (int k = 0; k < TIMES; k++) {
    if (w->n[k] && w->at[k] == at) to = k;
    if (w->n[k] && w->at[k] == at) break;
    if (!w->n[k]) to = k;
  }
  w->at[to] = w->n[to] && w->at[to] > at ? w->at[to] : at; /* rather late than lost */
  w->n[to] += n;
}

/* n tiles begin one after another, each where a warp is free first, and take so long. */
static void begin_tiles(free_warps *w, int64_t n, double takes) {
  while (n > 0) {
    int first = -1;
    for (int k = 0; k < TIMES; k++)
      if (w->n[k] && (first < 0 || w->at[k] < w->at[first])) first = k;
    const int64_t some = n < w->n[first] ? n : w->n[first];
    const double at = w->at[first];
    w->n[first] -= some;
    free_at(w, at + takes, some);
    n -= some;
  }
}

static double last_of(const free_warps *w) {
  double last = 0;
  for (int k = 0; k < TIMES; k++) last = w->n[k] && w->at[k] > last ? w->at[k] : last;
  return last;
}

/* The tiles of a plate with so many rows each. */
static void count_tiles(dfg_tiles *t, int ny, int rows) {
  const bool inner = t->sides < t->across;
  t->rows = rows;
  t->side_rows = !inner ? rows : rows / 4 > 4 ? rows / 4 : 4;
  t->side_y = (ny - 2 * t->strip + t->side_rows - 1) / t->side_rows;
  t->inner_y = inner ? (ny - 2 * t->strip + rows - 1) / rows : 0;
  t->n =
      (t->strip ? 2 * t->across : 0) + t->sides * t->side_y + (t->across - t->sides) * t->inner_y;
}

/* How long a pass takes, in rows of a tile: those at the sides begin first. What a tile takes are
 * its rows, those beside them and a little more. */
static double pass_takes(const dfg_tiles *t, int depth, int64_t room) {
  const double beside = 2 * depth + ROWS_LOST, slow = t->sides < t->across ? ROW_OF_SIDE : 1;
  free_warps w = {{room}, {0}};
  begin_tiles(&w, t->strip ? 2 * t->across : 0, slow * (t->strip + beside));
  begin_tiles(&w, (int64_t)t->sides * t->side_y, slow * (t->side_rows + beside));
  begin_tiles(&w, (int64_t)(t->across - t->sides) * t->inner_y, t->rows + beside);
  return last_of(&w);
}

/* The same of the tiles away from the sides alone. */
static double inner_take(const dfg_tiles *t, int depth, int64_t room) {
  const int64_t n =
      t->inner_y ? (int64_t)(t->across - t->sides) * t->inner_y : (int64_t)t->sides * t->side_y;
  return (double)((n + room - 1) / room) * (t->rows + 2 * depth + ROWS_LOST);
}

/* Rows of a tile, even, with which a pass is shortest; where the sides decide, its other tiles. */
static int rows_for(const dfg_tiles *of, int ny, int depth, int64_t room) {
  int best = 2;
  double least = DBL_MAX, least_inner = DBL_MAX;
  for (int rows = 2; rows <= ROWS_MOST; rows += 2) {
    dfg_tiles t = *of;
    count_tiles(&t, ny, rows);
    const double takes = pass_takes(&t, depth, room), inner = inner_take(&t, depth, room);
    if (takes > least || (takes == least && inner > least_inner)) continue;
    least = takes;
    least_inner = inner;
    best = rows;
  }
  return best;
}

dfg_tiles dfg_lay_out(const dfg *s, int depth) {
  const int nx = s->p.grid.nx, ny = s->p.v.ny;
  int width = 1, warps = 1;
  s->kernel->shape(depth, &width, &warps);
  const int64_t room = (int64_t)s->multiprocessors * warps;
  dfg_tiles t;
  memset(&t, 0, sizeof t);
  t.across = (nx + width - 1) / width;
  /* Tiles in the east that reach beyond it: the last, and the one before if the last is narrow. */
  const int whole = (nx - depth) / width; /* columns of tiles whose halo ends within the plate */
  t.sides = 1 + t.across - (whole < t.across ? whole : t.across);
  const bool inner = ny >= 6 * depth && t.sides < t.across;
  if (inner)
    t.strip = s->source ? 2 * depth : depth + 4;
  else
    t.sides = t.across;
  count_tiles(&t, ny, rows_for(&t, ny, depth, room));
  return t;
}
