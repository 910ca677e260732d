/* gpu/diffusion/tiles.cu - how a pass shares out a plate: so that it takes as short as can be, with
 * tiles at the sides that take longer a row and begin first. It shows in no bit. */
#include "host.cuh"

#include <float.h>
#include <string.h>

enum {
  ROWS_MOST = 400, /* higher ones were slower than the model has it, by 4 to 6 % */
  ROWS_LOST = 4,   /* what a tile costs beside its rows */
  LATE_MOST = 5,   /* tiles of a column that become lower ones, */
  LATE_ROWS = 16   /* which have so many rows at least */
};
/* What a row costs in the west and the east, and in strips, in rows elsewhere. */
typedef struct row_costs {
  double side, strip[2];
} row_costs;
/* At quiet sides, at others: measured on an H200 with 16 warps a multiprocessor (the log,
 * 2026-11-28). */
static const double QUIET_SIDE = 1.5, QUIET_STRIP = 1.5, ASKED_SIDE = 5.4, ASKED_STRIP = 12;

/* The tiles with so many rows each. late_rows: in place of the last `late` of a column, and of what
 * is left over behind them, there are lower ones. */
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

/* How long a pass takes, in rows of a tile. Warps share what a multiprocessor issues, older ones
 * before younger: so a pass takes what all tiles have to do together, and something for the tiles
 * that are under way when none is left to begin. They end one after another; of how long they take
 * the less counts the more there is to do behind them. Both shares are fitted to 72 layouts of
 * 2048^2 to 16384^2 cells, on one GPU and two: 2.5 % off in the mean, 9 % at most (the log,
 * 2026-11-28). A tile on the slow way takes what it takes; of layouts that it makes equal the one
 * that takes less otherwise is better. */
typedef struct pass_time {
  double whole, otherwise;
} pass_time;

static pass_time pass_takes(const dfg_tiles *t, const row_costs *cost, int depth, int64_t room) {
  some_tiles of[KINDS];
  double behind = 0, tail = 0, longest = 0;
  kinds_of(t, cost, depth, of);
  for (int k = KINDS - 1; k >= 0; k--) {
    const double left = of[k].takes - 1.5 * behind;
    if (of[k].n && of[k].takes > longest) longest = of[k].takes;
    if (of[k].n && left > tail) tail = left;
    behind += (double)of[k].n * of[k].takes / (double)room;
  }
  const double takes = behind + 0.3 * tail;
  return {takes > longest ? takes : longest, takes};
}

/* The shortest pass: rows of a tile, even, of one at a side, and how many tiles at the end of a
 * column become lower ones, a quarter as high. */
static void choose_rows(dfg_tiles *of, const row_costs *cost, int depth, int64_t room) {
  static const int SHARE[] = {1, 2, 4, 8}; /* at a side: of the rows of others */
  const int high = of->to - of->from - of->strip[0] - of->strip[1];
  const bool inner = of->sides < of->across;
  dfg_tiles best = *of;
  pass_time least = {DBL_MAX, DBL_MAX};
  for (int rows = 2; rows <= ROWS_MOST; rows += 2)
    for (int k = inner; k < (inner ? (int)(sizeof SHARE / sizeof *SHARE) : 1); k++)
      for (int late = -1; late <= LATE_MOST && late <= high / rows; late++) {
        const int late_rows = late < 0 ? 0 : (rows / 4 + 1) / 2 * 2;
        if (late >= 0 && (!inner || late_rows < LATE_ROWS)) break;
        if (k > 0 && rows / SHARE[k] < 4) continue;
        dfg_tiles t = *of;
        count_tiles(&t, rows, rows / SHARE[k], late, late_rows);
        const pass_time takes = pass_takes(&t, cost, depth, room);
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
  return t;
}
