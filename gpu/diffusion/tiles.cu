/* gpu/diffusion/tiles.cu - how a pass shares out a plate: so that it takes as short as can be, with
 * tiles at the sides that take longer a row and begin first. It shows in no bit. */
#include "host.cuh"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  ROWS_MOST = 1024,
  ROWS_LOST = 4, /* what a tile costs beside its rows */
  LATE_MOST = 16 /* tiles of a column that are lower ones instead */
};
/* What a row costs in the west and the east, and in strips, in rows elsewhere. */
typedef struct row_costs {
  double side, strip[2];
} row_costs;
/* At quiet sides, at others: measured on an H200 with 16 warps a multiprocessor (the log,
 * 2026-11-28). */
static const double QUIET_SIDE = 1.5, QUIET_STRIP = 1.5, ASKED_SIDE = 5.4, ASKED_STRIP = 12;

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

/* The tiles with so many rows each, of which the last `late` of a column have late_rows. */
static void count_tiles(dfg_tiles *t, int rows, int side_rows, int late, int late_rows) {
  const bool inner = t->sides < t->across;
  const int high = t->to - t->from - t->strip[0] - t->strip[1];
  t->rows = rows;
  t->side_rows = side_rows;
  t->late_rows = late_rows;
  t->side_y = (high + side_rows - 1) / side_rows;
  t->inner_y = inner ? (late_rows ? high / rows - late : (high + rows - 1) / rows) : 0;
  t->late_y = inner && late_rows ? (high - t->inner_y * rows + late_rows - 1) / late_rows : 0;
  t->n = (t->strip[0] ? 2 * t->across : 0) + t->sides * t->side_y +
         (t->across - t->sides) * (t->inner_y + t->late_y);
}

/* How long a pass takes, in rows of a tile. Warps share what a multiprocessor issues, so it is
 * nearly what all have to do together; a little is lost by what is still under way when nothing is
 * left to begin, and a tile on the slow way takes what it takes. The shares are fitted to 21
 * layouts of 2048^2 to 16384^2 cells, within 4 % (the log, 2026-11-28). Of those that a slow tile
 * makes equal the one that takes less otherwise is better. */
typedef struct pass_time {
  double whole, otherwise;
} pass_time;

/* Tiles of one kind, and how long one takes. */
typedef struct some_tiles {
  int64_t n;
  double takes;
} some_tiles;
enum { SOUTH, NORTH, SIDES, INNERS, LATE, KINDS };

static void kinds_of(const dfg_tiles *t, const row_costs *cost, int depth, some_tiles *of) {
  const double beside = 2 * depth + ROWS_LOST;
  const int inners = t->across - t->sides;
  for (int k = SOUTH; k <= NORTH; k++)
    of[k] = {t->strip[k] ? t->across : 0, cost->strip[k] * (t->strip[k] + beside)};
  of[SIDES] = {(int64_t)t->sides * t->side_y, cost->side * (t->side_rows + beside)};
  of[INNERS] = {(int64_t)inners * t->inner_y, t->rows + beside};
  of[LATE] = {(int64_t)inners * t->late_y, t->late_rows + beside};
}

/* least: longer ones need not be known exactly. */
static pass_time pass_takes(const dfg_tiles *t, const row_costs *cost, int depth, int64_t room,
                            double least) {
  some_tiles of[KINDS];
  free_warps w = {{room}, {0}};
  double together = 0, slowest = 0, longest = 0;
  kinds_of(t, cost, depth, of);
  for (int k = 0; k < KINDS; k++) {
    together += (double)of[k].n * of[k].takes / (double)room;
    if (of[k].n && of[k].takes > longest) longest = of[k].takes;
    if (k <= SIDES) slowest = longest;
  }
  const double ends = of[LATE].n ? of[LATE].takes : of[INNERS].n ? of[INNERS].takes : slowest;
  const double tail = 0.17 * (slowest > ends ? slowest : ends);
  if (0.96 * together + tail > least) return {DBL_MAX, DBL_MAX};
  for (int k = 0; k < KINDS; k++) begin_tiles(&w, of[k].n, of[k].takes);
  const double shared = 0.11 * last_of(&w) + 0.85 * together, takes = shared + tail;
  return {takes > longest ? takes : longest, shared + 0.17 * ends};
}

/* How rows are shared out so that a pass is shortest: rows of a tile, even, of one at a side, and
 * of the last ones of a column. */
static void choose_rows(dfg_tiles *of, const row_costs *cost, int depth, int64_t room) {
  static const int SHARE[] = {1, 2, 3, 4, 6, 8}, LESS[] = {0, 2, 3, 4};
  const int high = of->to - of->from - of->strip[0] - of->strip[1];
  dfg_tiles best = *of;
  pass_time least = {DBL_MAX, DBL_MAX};
  for (int rows = 2; rows <= ROWS_MOST; rows += rows < 128 ? 2 : 8)
    for (int k = 0; k < (int)(sizeof SHARE / sizeof *SHARE); k++)
      for (int m = 0; m < (int)(sizeof LESS / sizeof *LESS); m++)
        for (int late = 0; late <= (m ? LATE_MOST : 0) && late <= high / rows; late++) {
          const int side_rows = rows / SHARE[k], late_rows = m ? (rows / LESS[m] + 1) / 2 * 2 : 0;
          dfg_tiles t = *of;
          if (k > 0 && (side_rows < 4 || t.sides == t.across)) continue;
          if (m > 0 && (late_rows < 16 || t.sides == t.across)) continue;
          count_tiles(&t, rows, side_rows, late, late_rows);
          const pass_time takes = pass_takes(&t, cost, depth, room, least.whole);
          if (takes.whole > least.whole) continue;
          if (takes.whole == least.whole && takes.otherwise >= least.otherwise) continue;
          least = takes;
          best = t;
        }
  *of = best;
}

/* Rows of a strip in the south or the north: so many that the tiles beyond it reach no side; where
 * the plate is cut, the rows that a neighbour needs. */
static int strip_of(const dfg *s, ria_side side, int depth) {
  if (dfg_is_cut(s, side)) return s->p.ghost_rows;
  return s->source ? 2 * depth : depth + 4;
}

dfg_tiles dfg_lay_out(const dfg *s, int depth) {
  const int nx = s->p.grid.nx;
  int width = 1, warps = 1;
  s->kernel->shape(depth, &width, &warps);
  const int64_t room = (int64_t)s->multiprocessors * warps;
  dfg_tiles t;
  memset(&t, 0, sizeof t);
  t.from = s->p.begin;
  t.to = s->p.end;
  t.across = (nx + width - 1) / width;
  /* Tiles in the east that reach beyond it: the last, and the one before if the last is narrow. */
  const int whole = (nx - depth) / width; /* columns of tiles whose halo ends within the plate */
  t.sides = 1 + t.across - (whole < t.across ? whole : t.across);
  const bool inner = t.to - t.from >= 6 * depth && t.sides < t.across;
  if (!inner) t.sides = t.across;
  const unsigned x = 1u << RIA_WEST | 1u << RIA_EAST, y = 1u << RIA_SOUTH | 1u << RIA_NORTH;
  const unsigned quiet = dfg_quiet(s);
  const bool quiet_x = (quiet & x) == x, quiet_y = (quiet & y) == y;
  row_costs cost = {quiet_x && (quiet_y || inner) ? QUIET_SIDE : ASKED_SIDE, {0, 0}};
  for (int k = 0; inner && k < 2; k++) {
    const ria_side side = k ? RIA_NORTH : RIA_SOUTH;
    const double at_side = quiet >> side & 1 ? QUIET_STRIP : ASKED_STRIP;
    t.strip[k] = strip_of(s, side, depth);
    cost.strip[k] = dfg_is_cut(s, side) && !s->source ? 1 : at_side;
  }
  choose_rows(&t, &cost, depth, room);
  const char *by_hand = getenv("RIA_DF_TILES"); /* rows,side rows,late,late rows */
  int rows, side_rows, late, late_rows;
  if (by_hand && depth == 8 &&
      sscanf(by_hand, "%d,%d,%d,%d", &rows, &side_rows, &late, &late_rows) == 4)
    count_tiles(&t, rows, side_rows, late, late_rows);
  if (getenv("RIA_DF_SAY") && depth == 8)
    fprintf(
        stderr,
        "tiles %d..%d: rows %d x %d side %d x %d late %d x %d, strips %d %d, n %d, %.2f waves\n",
        t.from, t.to, t.rows, t.inner_y, t.side_rows, t.side_y, t.late_rows, t.late_y, t.strip[0],
        t.strip[1], t.n, (double)t.n / (double)room);
  return t;
}
