/* gpu/diffusion/tiles.cu - how a pass shares out a plate: so that it takes as short as can be, with
 * tiles at the sides that take longer a row and begin first. It shows in no bit. */
#include "host.cuh"

#include <float.h>
#include <string.h>

enum {
  ROWS_MOST = 1024,
  ROWS_LOST = 4 /* what a tile costs beside its rows */
};
/* What a row costs in the west and the east, and in strips, in rows elsewhere: at quiet sides, at
 * others. Measured on an H200 with 16 warps a multiprocessor (the log, 2026-11-28). */
typedef struct row_costs {
  double side, strip;
} row_costs;
static const row_costs QUIET = {1.5, 1.5}, ASKED = {5.4, 12};

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
static void count_tiles(dfg_tiles *t, int ny, int rows, int side_rows) {
  const bool inner = t->sides < t->across;
  t->rows = rows;
  t->side_rows = side_rows;
  t->side_y = (ny - 2 * t->strip + side_rows - 1) / side_rows;
  t->inner_y = inner ? (ny - 2 * t->strip + rows - 1) / rows : 0;
  t->n =
      (t->strip ? 2 * t->across : 0) + t->sides * t->side_y + (t->across - t->sides) * t->inner_y;
}

/* How long a pass takes, in rows of a tile. Warps share what a multiprocessor issues, so it is
 * nearly what all have to do together; a little is lost by what is still under way when nothing is
 * left to begin, and a tile on the slow way takes what it takes. The shares are fitted to 21
 * layouts of 2048^2 to 16384^2 cells, within 4 % (the log, 2026-11-28). Of those that a slow tile
 * makes equal the one that takes less otherwise is better. */
typedef struct pass_time {
  double whole, otherwise;
} pass_time;

static pass_time pass_takes(const dfg_tiles *t, const row_costs *cost, int depth, int64_t room) {
  const double beside = 2 * depth + ROWS_LOST, strip = cost->strip * (t->strip + beside),
               side = cost->side * (t->side_rows + beside), inner = t->rows + beside;
  const int64_t strips = t->strip ? 2 * t->across : 0, sides = (int64_t)t->sides * t->side_y,
                inners = (int64_t)(t->across - t->sides) * t->inner_y;
  free_warps w = {{room}, {0}};
  begin_tiles(&w, strips, strip);
  begin_tiles(&w, sides, side);
  begin_tiles(&w, inners, inner);
  const double together =
      ((double)strips * strip + (double)sides * side + (double)inners * inner) / (double)room;
  const double slowest = strips && strip > side ? strip : side;
  const double longest = inners && inner > slowest ? inner : slowest;
  const double shared = 0.11 * last_of(&w) + 0.85 * together, takes = shared + 0.17 * longest;
  return {takes > longest ? takes : longest, shared + 0.17 * (inners ? inner : side)};
}

/* Rows of a tile, even, and of one at a side, with which a pass is shortest. */
static void choose_rows(dfg_tiles *of, const row_costs *cost, int ny, int depth, int64_t room) {
  static const int SHARE[] = {1, 2, 3, 4, 6, 8};
  dfg_tiles best = *of;
  pass_time least = {DBL_MAX, DBL_MAX};
  for (int rows = 2; rows <= ROWS_MOST; rows += 2)
    for (int k = 0; k < (int)(sizeof SHARE / sizeof *SHARE); k++) {
      const int side_rows = rows / SHARE[k];
      dfg_tiles t = *of;
      if (k > 0 && (side_rows < 4 || t.sides == t.across)) continue;
      count_tiles(&t, ny, rows, side_rows);
      const pass_time takes = pass_takes(&t, cost, depth, room);
      if (takes.whole > least.whole) continue;
      if (takes.whole == least.whole && takes.otherwise > least.otherwise) continue;
      least = takes;
      best = t;
    }
  *of = best;
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
  const unsigned x = 1u << RIA_WEST | 1u << RIA_EAST, y = 1u << RIA_SOUTH | 1u << RIA_NORTH;
  const unsigned quiet = dfg_quiet(s);
  const bool quiet_x = (quiet & x) == x, quiet_y = (quiet & y) == y;
  const row_costs cost = {quiet_x && (quiet_y || inner) ? QUIET.side : ASKED.side,
                          quiet_y ? QUIET.strip : ASKED.strip};
  choose_rows(&t, &cost, ny, depth, room);
  return t;
}
