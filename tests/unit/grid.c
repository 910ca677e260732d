/* Sides, the cell at a point, what a grid may be; the registry of solvers. */
#include "base/grid.h"
#include <ria/grid.h>

#include <ria/solver.h>

#include "test.h"

#include <limits.h>

static const ria_grid grid = {.nx = 4, .ny = 3, .dx = 10, .dy = 20, .x0 = 100, .y0 = -30};

static void at(double x, double y, bool inside, int i, int j) {
  int got_i = -1, got_j = -1;
  CHECK_INT(ria_grid_locate(&grid, x, y, &got_i, &got_j), inside);
  CHECK_INT(got_i, i);
  CHECK_INT(got_j, j);
}

static void test_locate(void) {
  at(100, -30, true, 0, 0);
  at(109.99, -10.01, true, 0, 0);
  at(110, -10, true, 1, 1);
  at(139, 29, true, 3, 2);
  at(140, 30, true, 3, 2); /* the far edges belong to the last cells */
  at(140.01, 0, false, 3, 1);
  at(99.99, 0, false, 0, 1);
  at(120, -31, false, 2, 0);
  at(120, 1e300, false, 2, 2);
  at(-INFINITY, INFINITY, false, 0, 2);
  at(NAN, 0, false, 0, 1);
}

/* Turned by 90 degrees about (100, -30): its x axis runs north. */
static void test_turned(void) {
  ria_grid g = grid;
  char text[RIA_GRID_TEXT];
  int i = -1, j = -1;
  g.angle = 90;
  CHECK(ria_grid_locate(&g, 65, -15, &i, &j) && i == 1 && j == 1);
  CHECK(ria_grid_locate(&g, 40, 10, &i, &j) && i == 3 && j == 2); /* the far corner */
  CHECK(!ria_grid_locate(&g, 101, 0, &i, &j) && j == 0);
  const ria_spot c = ria_cell_on_map(&g, 1, 2), p = ria_grid_spot(&g, 4, 0);
  CHECK(c.x == 50 && c.y == -15 && p.x == 100 && p.y == 10);
  CHECK_TEXT(ria_grid_tell(&g, text),
             "turned by 90 deg, corners (100, -30), (100, 10), (40, 10), (40, -30)");
  CHECK_TEXT(ria_grid_tell(&grid, text), "x 100 to 140, y -30 to 30");
  g.angle = 33; /* corners count though turning them back rounds */
  for (int k = 0; k < 4; k++) {
    const ria_spot q = ria_grid_spot(&g, k & 1 ? 4 : 0, k & 2 ? 3 : 0);
    CHECK(ria_grid_locate(&g, q.x, q.y, &i, &j));
    CHECK(i == (k & 1 ? 3 : 0) && j == (k & 2 ? 2 : 0));
  }
}

/* What a file says of a grid gives it back, also where rotations are rounded. */
static void test_affine(void) {
  static const double angles[] = {0, 30, 90, 180, -90, 33.25, 0.5, -179};
  for (size_t k = 0; k < sizeof angles / sizeof *angles; k++)
    for (int up = 0; up < 2; up++) {
      const ria_grid g = {.nx = 61,
                          .ny = 43,
                          .dx = 20,
                          .dy = 12.5,
                          .x0 = 512340,
                          .y0 = 4690120,
                          .angle = angles[k]};
      const ria_spot a = ria_grid_spot(&g, 0, up ? 0 : g.ny);
      ria_grid back;
      bool from_south = !up;
      double c, s;
      ria_grid_axes(&g, &c, &s);
      const double d = up ? g.dy : -g.dy, t[6] = {a.x, c * g.dx, -s * d, a.y, s * g.dx, c * d};
      CHECK(ria_grid_of_affine(t, g.nx, g.ny, &back, &from_south));
      CHECK_INT(from_south, up);
      CHECK(back.nx == g.nx && back.ny == g.ny && back.dx == g.dx && back.dy == g.dy);
      CHECK(back.x0 == g.x0 && back.y0 == g.y0 && back.angle == g.angle);
    }
  ria_grid none;
  bool up;
  CHECK(!ria_grid_of_affine((double[]){0, 10, 1, 0, 1, -10.5}, 2, 2, &none, &up));
  CHECK(!ria_grid_of_affine((double[]){0, 10, 0, 0, 0, 0}, 2, 2, &none, &up));
  CHECK(!ria_grid_of_affine((double[]){0, NAN, 0, 0, 0, 1}, 2, 2, &none, &up));
}

static void test_sides(void) {
  CHECK_TEXT(ria_side_name(RIA_WEST), "west");
  CHECK_TEXT(ria_side_name(RIA_EAST), "east");
  CHECK_TEXT(ria_side_name(RIA_SOUTH), "south");
  CHECK_TEXT(ria_side_name(RIA_NORTH), "north");
  CHECK_TEXT(ria_side_name(RIA_SIDES), "no side");
  CHECK_INT(ria_side_length(&grid, RIA_WEST), 3);
  CHECK_INT(ria_side_length(&grid, RIA_EAST), 3);
  CHECK_INT(ria_side_length(&grid, RIA_SOUTH), 4);
  CHECK_INT(ria_side_length(&grid, RIA_NORTH), 4);
}

static void bad(ria_context *ctx, ria_grid g, const char *message) {
  CHECK_FAILS(ctx, ria_grid_check(ctx, &g), RIA_ERR_ARGUMENT, message);
}

static void test_check(ria_context *ctx) {
  CHECK_OK(ctx, ria_grid_check(ctx, &grid));
  CHECK_OK(ctx, ria_grid_check(ctx, &(ria_grid){INT_MAX, 1, 1, 1, 0, 0, 0}));
  bad(ctx, (ria_grid){0, 3, 1, 1, 0, 0, 0}, "grid: nx is 0: at least 1 cell is needed");
  bad(ctx, (ria_grid){3, -2, 1, 1, 0, 0, 0}, "grid: ny is -2: at least 1 cell is needed");
  bad(ctx, (ria_grid){3, 3, 0, 1, 0, 0, 0}, "grid: dx is 0 m: a cell must be larger than 0");
  bad(ctx, (ria_grid){3, 3, 1, -5, 0, 0, 0}, "grid: dy is -5 m: a cell must be larger than 0");
  bad(ctx, (ria_grid){3, 3, 1, NAN, 0, 0, 0}, "grid: dy is nan m: a cell must be larger than 0");
  bad(ctx, (ria_grid){3, 3, INFINITY, 1, 0, 0, 0},
      "grid: dx is inf m: a cell must be larger than 0");
  bad(ctx, (ria_grid){3, 3, 1, 1, 0, INFINITY, 0}, "grid: y0 is inf m: it must be a finite number");
  bad(ctx, (ria_grid){3, 3, 1e308, 1, 0, 0, 0},
      "grid: nx = 3 cells of dx = 1e+308 m are too many to count");
  bad(ctx, (ria_grid){3, 3, 1, 1, 0, 0, 180.5},
      "grid: angle is 180.5 deg: it must lie above -180 and be at most 180");
  bad(ctx, (ria_grid){3, 3, 1, 1, 0, 0, NAN},
      "grid: angle is nan deg: it must lie above -180 and be at most 180");
  bad(ctx, (ria_grid){65536, 32768, 1, 1, 0, 0, 0},
      "grid: 65536 x 32768 = 2147483648 cells are too many: at most 2147483647 are allowed");
}

static void test_registry(ria_context *ctx) {
  const ria_solver *first = NULL, *s = NULL;
  CHECK(ria_solver_count() >= 1);
  CHECK(ria_solver_at(ria_solver_count()) == NULL);
  CHECK_OK(ctx, ria_solver_find(ctx, NULL, &first));
  CHECK(first == ria_solver_at(0));
  for (size_t i = 0; i < ria_solver_count(); i++) {
    CHECK_OK(ctx, ria_solver_find(ctx, ria_solver_at(i)->name, &s));
    CHECK(s == ria_solver_at(i));
  }
  char wrong[64], said[256], all[256] = "unknown solver 'xyzzy': there are ";
  snprintf(wrong, sizeof wrong, "x%s", first->name);
  snprintf(said, sizeof said, "unknown solver '%s': did you mean '%s'?", wrong, first->name);
  CHECK_FAILS(ctx, ria_solver_find(ctx, wrong, &s), RIA_ERR_ARGUMENT, said);
  CHECK(s == NULL);
  for (size_t i = 0; i < ria_solver_count(); i++) {
    if (i) strcat(all, ", ");
    strcat(all, ria_solver_at(i)->name);
  }
  CHECK_FAILS(ctx, ria_solver_find(ctx, "xyzzy", &s), RIA_ERR_ARGUMENT, all);
}

/* Parts by work: even work as even rows, shares that rows allow, a row each at least. */
static void test_cut_by(void) {
  double work[40];
  int cut[41];
  for (int ny = 1; ny <= 40; ny++)
    for (int n = 1; n <= ny; n++) {
      for (int j = 0; j < ny; j++) work[j] = 0.1 + ny;
      ria_part_cut_by(work, ny, n, cut);
      for (int k = 0; k < n; k++) {
        const ria_part even = ria_part_cut(ny, n, k);
        CHECK(cut[k] == even.j0 && cut[k + 1] == even.j1);
      }
      for (int j = 0; j < ny; j++) work[j] = j < ny / 2 ? 0 : j % 5;
      ria_part_cut_by(work, ny, n, cut);
      CHECK(cut[0] == 0 && cut[n] == ny);
      for (int k = 0; k < n; k++) CHECK(cut[k] < cut[k + 1]);
    }
  for (int j = 0; j < 40; j++) work[j] = j < 30 ? 0.1 : 1; /* 3 + 10 */
  ria_part_cut_by(work, 40, 2, cut);
  CHECK_INT(cut[1], 33);
  ria_part_cut_by(work, 40, 4, cut);
  CHECK(cut[1] == 30 && cut[2] == 33 && cut[3] == 36);
}

int main(void) {
  ria_context *ctx;
  if (!CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx)))
    return TEST_END();
  test_locate();
  test_turned();
  test_affine();
  test_sides();
  test_check(ctx);
  test_cut_by();
  test_registry(ctx);
  ria_context_destroy(&ctx);
  return TEST_END();
}
