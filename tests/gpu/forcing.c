/* A forcing that the device has no memory for: whichever solver, the one that is there goes on, and
 * the next that fits takes its place. Memory is taken by plates that heat spreads in, as many as
 * there is room for. RIA_TEST_DEVICE: "cuda" unless set; on the CPU nothing is refused. */
#include "solver.h"

enum { NX = 61, NY = 37, CELLS = NX * NY, QUANTITIES = 2, KNOTS = 4 << 20 };
static const ria_grid grid = {.nx = NX, .ny = NY, .dx = 10, .dy = 10};

typedef struct flow_in {
  const char *solver;
  int field; /* that is `value` everywhere */
  double value;
  int kind; /* of boundary: lets in */
} flow_in;

static const flow_in cases[] = {
    {"shallow_water", 2, 5, 3}, /* depth; a discharge */
    {"adi", 2, 5, 3},
    {"diffusion", 0, 0, 2}, /* u; a flux */
    {"sediment", 0, 0, 1},  /* height; a flux */
};

/* --- memory ----------------------------------------------------------------------------------- */

enum { PLATES = 1024 };
static void *plate[PLATES];
static int n_plates;

/* Take what there is, down to less than some MB. */
static void take_memory(void) {
  for (int rows = 32768; rows >= 8 && n_plates < PLATES;) {
    const ria_grid large = {.nx = 32768 - 64, .ny = rows, .dx = 10, .dy = 10};
    ria_status status;
    void *self = solver_make("diffusion", large, RIA_F32, NULL, 0, &status);
    if (self) plate[n_plates++] = self;
    if (!self) CHECK_INT(status, RIA_ERR_MEMORY);
    if (!self) rows /= 2;
  }
  CHECK(n_plates > 0 && n_plates < PLATES);
  ria_error_clear(ctx);
}

static void give_memory(void) {
  const ria_solver *solver = NULL;
  const ria_solver_ops ops = solver_ops("diffusion", &solver);
  while (n_plates > 0) ops.destroy(plate[--n_plates]);
}

/* --- forcing ---------------------------------------------------------------------------------- */

/* What came in so far, after a step more. */
static double inflow_after_a_step(const ria_solver_ops *ops, void *self) {
  double in[RIA_SIDES * QUANTITIES] = {0}, out[RIA_SIDES * QUANTITIES], sum = 0;
  solver_step(ops, self, 1);
  CHECK_OK(ctx, ops->fluxes(self, RIA_SIDES, in, out));
  for (int k = 0; k < RIA_SIDES * QUANTITIES; k++) sum += in[k];
  return sum;
}

static void keeps_its_forcing(const flow_in *c) {
  const ria_solver *solver = NULL;
  const ria_solver_ops ops = solver_ops(c->solver, &solver);
  double value[CELLS], in = 0;
  ria_status status;
  void *self = solver_make(c->solver, grid, RIA_F64, NULL, 0, &status);
  if (!CHECK_OK(ctx, status)) return;
  for (int k = 0; k < CELLS; k++) value[k] = c->value;
  CHECK_OK(ctx, ops.write(self, c->field, -1, value));
  CHECK_OK(ctx, solver_force(&ops, self, grid, c->kind, 1));
  CHECK_OK(ctx, ops.prepare(self, 0));
  for (int k = 0; k < 7; k++) {
    if (k > 3 && !on_cpu) { /* either state was the present one: graphs are there */
      take_memory();
      CHECK_STATUS(ctx, solver_force(&ops, self, grid, 0, KNOTS), RIA_ERR_MEMORY);
      CHECK_HOLDS(ria_error(ctx), "the forcing");
      ria_error_clear(ctx);
      give_memory();
    }
    const double now = inflow_after_a_step(&ops, self);
    CHECK(now > in);
    in = now;
  }
  CHECK_OK(ctx, solver_force(&ops, self, grid, 0, KNOTS));
  CHECK(inflow_after_a_step(&ops, self) == in);
  ops.destroy(self);
}

/* --- before the first step ------------------------------------------------------------------- */

/* Depths after a few steps of a channel that is wet when its rivers are told, and then a fourth
 * of it. refused: another forcing is told that there is no memory for. */
static double *channel(const ria_grid *long_grid, bool refused) {
  const ria_solver *solver = NULL;
  const ria_solver_ops ops = solver_ops("shallow_water", &solver);
  const size_t n = (size_t)long_grid->nx * (size_t)long_grid->ny;
  double *depth = malloc(n * sizeof *depth);
  ria_status status;
  void *self = solver_make("shallow_water", *long_grid, RIA_F64, NULL, 0, &status);
  if (!depth || !CHECK_OK(ctx, status)) exit(1);
  for (size_t k = 0; k < n; k++) depth[k] = 5;
  CHECK_OK(ctx, ops.write(self, 2, -1, depth));
  CHECK_OK(ctx, solver_force(&ops, self, *long_grid, 3, 1));
  for (size_t k = n / 4; k < n; k++) depth[k] = 0;
  CHECK_OK(ctx, ops.write(self, 2, -1, depth));
  if (refused && !on_cpu) {
    take_memory();
    CHECK_STATUS(ctx, solver_force(&ops, self, *long_grid, 0, KNOTS), RIA_ERR_MEMORY);
    ria_error_clear(ctx);
    give_memory();
  }
  CHECK_OK(ctx, ops.prepare(self, 0));
  solver_step(&ops, self, 20);
  CHECK_OK(ctx, ops.read(self, 2, -1, false, 0, long_grid->ny, RIA_F64, depth));
  ops.destroy(self);
  return depth;
}

/* Where tiles lie follows the water until the first step; the forcing knows tiles by number. */
static void keeps_its_tiles(void) {
  const ria_grid long_grid = {.nx = NX, .ny = test_is_short() ? 600 : 6000, .dx = 10, .dy = 10};
  double *plain = channel(&long_grid, false), *other = channel(&long_grid, true);
  CHECK(memcmp(plain, other, (size_t)long_grid.nx * (size_t)long_grid.ny * sizeof *plain) == 0);
  free(plain);
  free(other);
}

int main(void) {
  solver_open();
  keeps_its_tiles();
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) keeps_its_forcing(&cases[k]);
  ria_context_destroy(&ctx);
  return TEST_END();
}
